#include "capi/cli/generate/generate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "capi/cli/base/random.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

constexpr std::uint32_t kPeriods = 98;
constexpr std::size_t kQuantiles = 17;
constexpr std::size_t kKnots = 14;

/// CPU and memory of an app, both rounded up, and the frequency of the pair.
struct SizePair {
  std::uint32_t cpu;
  std::uint32_t memory;
  std::uint32_t weight;
};

/// Replicas are uniform from `low` to `high`.
struct ReplicaRange {
  std::uint32_t weight;
  std::uint32_t low;
  std::uint32_t high;
};

/// Distributions of one size class. Index [0] is for memory that varies over time, [1] for constant memory.
struct Cell {
  double constant_memory;
  double constant_cpu[2];
  ReplicaRange replicas[2][13];
};

/// The shape of varying profiles: quantiles at equal steps of probability.
struct Shape {
  double top_of_one[kQuantiles];   ///< the maximum of a profile of size 1
  double top_of_more[kQuantiles];  ///< the maximum of a larger profile, less size - 1
  double low[kQuantiles];          ///< the minimum, divided by the maximum
  double fill[3][kQuantiles];      ///< position of the mean between minimum and maximum, by thirds of `low`
  double common[kKnots];           ///< the course of the day that all profiles share; mean 0, standard deviation 1
};

#include "capi/cli/generate/distributions.inc"

/// Affinity limits and their frequency in the published data (P0, section 5.1).
struct LimitWeight {
  std::uint32_t at_most;
  std::uint32_t weight;
};
constexpr std::array<LimitWeight, 5> kLimits = {{{0, 13144}, {2, 6556}, {1, 3992}, {3, 361}, {4, 25}}};

enum Purpose : std::uint64_t { kSizes = 1, kProfiles, kDegrees, kRows, kWeightsOut, kWeightsIn, kReplicas };

/// Weight of the common course in a profile, beside noise of standard deviation 1; for CPU and memory.
constexpr double kCommonWeight[2] = {1.1, 0.5};
/// Steepness with which a course leaves its floor and reaches its ceiling; for CPU and memory.
constexpr double kSteepness[2] = {1.2, 2.5};

struct Drawn {
  SizePair size;
  bool constant[2];  ///< CPU, memory
  std::uint32_t replicas;
};

std::uint32_t cpu_class(std::uint32_t cpu) { return cpu == 1 ? 0 : cpu <= 3 ? 1 : cpu <= 5 ? 2 : 3; }
std::uint32_t memory_class(std::uint32_t memory) { return memory < 8 ? 0 : memory == 8 ? 1 : memory <= 16 ? 2 : 3; }

template <std::size_t Size, class Entry>
const Entry& weighted(const Entry (&entries)[Size], Random& random) {
  std::uint32_t total = 0;
  for (const Entry& entry : entries) total += entry.weight;
  std::uint32_t at = random.below(total);
  const Entry* entry = entries;
  while (at >= entry->weight) at -= (entry++)->weight;
  return *entry;
}

/// Draws the size and replicas of an app and which of its resources vary. The result is the same with and without profile.
Drawn draw_app(Random random) {
  Drawn drawn{};
  drawn.size = weighted(kSizePairs, random);
  const Cell& cell = kCells[cpu_class(drawn.size.cpu)][memory_class(drawn.size.memory)];
  drawn.constant[1] = random.uniform() < cell.constant_memory;
  drawn.constant[0] = random.uniform() < cell.constant_cpu[drawn.constant[1] ? 1 : 0];
  const ReplicaRange& range = weighted(cell.replicas[drawn.constant[1] ? 1 : 0], random);
  drawn.replicas = range.low + random.below(range.high - range.low + 1);
  return drawn;
}

double interpolated(const double* values, std::size_t count, double share) {
  const double at = share * static_cast<double>(count - 1);
  const auto low = std::min(static_cast<std::size_t>(at), count - 2);
  return values[low] + (at - static_cast<double>(low)) * (values[low + 1] - values[low]);
}

double rounded_to_thousandth(double value) { return std::floor(value * 1000 + 0.5) / 1000; }

/// Draws a course in [0, 1] that reaches both ends and has the mean `fill`: the common course of the day plus smooth noise, cut
/// off at a floor and a ceiling.
std::array<double, kPeriods> draw_course(const Shape& shape, std::size_t resource, double fill, Random& random) {
  // Two running means over four periods give about the autocorrelation of the published profiles.
  constexpr std::size_t kWindow = 4;
  std::array<double, kPeriods + 2 * kWindow> noise;
  for (double& value : noise) value = random.nearly_normal();
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t t = 0; t + kWindow <= noise.size(); ++t) {
      noise[t] = (noise[t] + noise[t + 1] + noise[t + 2] + noise[t + 3]) / 2;
    }
  }
  std::array<double, kPeriods> course;
  for (std::size_t t = 0; t < kPeriods; ++t) {
    const double common = interpolated(shape.common, kKnots, static_cast<double>(t) / (kPeriods - 1));
    course[t] = noise[t] + kCommonWeight[resource] * common;
  }
  const auto [least, most] = std::minmax_element(course.begin(), course.end());
  const double low = *least;
  const double span = *most - low;
  for (double& value : course) value = (value - low) / span;

  const auto cut = [&](double value, double shift) {
    return std::clamp(0.5 + (value - 0.5) * kSteepness[resource] + shift, 0.0, 1.0);
  };
  double below = -2;
  double above = 2;
  constexpr int kHalvings = 30;
  for (int i = 0; i < kHalvings; ++i) {
    const double shift = (below + above) / 2;
    double sum = 0;
    for (const double value : course) sum += cut(value, shift);
    (sum / kPeriods < fill ? below : above) = shift;
  }
  for (double& value : course) value = cut(value, below);
  const auto [floor, ceiling] = std::minmax_element(course.begin(), course.end());
  const double bottom = *floor;
  const double height = *ceiling - bottom;
  if (height > 0) {
    for (double& value : course) value = (value - bottom) / height;
  }
  return course;
}

/// Demand of one replica for one resource over the periods.
void draw_profile(const Shape& shape, std::size_t resource, std::uint32_t size, bool constant, Random& random, double* values) {
  if (constant) {
    // Constant CPU of one core is always half a core in the published data.
    std::fill(values, values + kPeriods, resource == 0 && size == 1 ? 0.5 : static_cast<double>(size));
    return;
  }
  const double top = size == 1 ? interpolated(shape.top_of_one, kQuantiles, random.uniform())
                               : size - 1 + interpolated(shape.top_of_more, kQuantiles, random.uniform());
  const double depth = random.uniform();
  const double low = interpolated(shape.low, kQuantiles, depth);
  const double fill = interpolated(shape.fill[std::min(2, static_cast<int>(depth * 3))], kQuantiles, random.uniform());
  const std::array<double, kPeriods> course = draw_course(shape, resource, fill, random);
  for (std::size_t t = 0; t < kPeriods; ++t) {
    values[t] = std::max(0.001, rounded_to_thousandth(top * (low + (1 - low) * course[t])));
  }
}

void draw_apps(const GenerateOptions& options, InstanceData& data) {
  const std::size_t width = 2 * std::size_t{data.periods};
  const Shape(&shapes)[2] = options.independent_replicas ? kShapesOfApps : kShapes;
  AppsData& apps = data.apps;
  apps.names.reserve(options.apps);
  apps.replicas.reserve(options.apps);
  apps.demand.resize(options.apps * width);
  for (std::uint32_t app = 0; app < options.apps; ++app) {
    const Drawn drawn = draw_app(Random(options.seed, kSizes, app));
    apps.names.push_back(std::to_string(app + 1));
    // The replicas of another drawn app have the right distribution and do not depend on this app's size.
    apps.replicas.push_back(options.independent_replicas ? draw_app(Random(options.seed, kReplicas, app)).replicas
                                                         : drawn.replicas);
    double* demand = apps.demand.data() + app * width;
    if (!options.profile) {
      demand[0] = drawn.size.cpu;
      demand[1] = drawn.size.memory;
      continue;
    }
    Random random(options.seed, kProfiles, app);
    draw_profile(shapes[0], 0, drawn.size.cpu, drawn.constant[0], random, demand);
    draw_profile(shapes[1], 1, drawn.size.memory, drawn.constant[1], random, demand + kPeriods);
  }
}

/// A set of entries of a row, read in ascending order.
class RowSet {
 public:
  explicit RowSet(std::uint32_t size) : words_((size + 63) / 64, 0) {}

  bool insert(std::uint32_t entry) {
    std::uint64_t& word = words_[entry / 64];
    const std::uint64_t bit = std::uint64_t{1} << (entry % 64);
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }

  /// Appends the entries to `target` and empties the set. With `complement`, appends all other entries except `left_out`.
  void flush(std::vector<std::uint32_t>& target, bool complement, std::uint32_t size, std::uint32_t left_out) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      std::uint64_t word = words_[w];
      words_[w] = 0;
      if (complement) word = ~word;
      while (word != 0) {
        const auto entry = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
        word &= word - 1;
        if (!complement || (entry < size && entry != left_out)) target.push_back(entry);
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Appends a uniformly drawn set of `degree` other apps to `target`.
void draw_row(std::uint32_t app, std::uint32_t degree, std::uint32_t apps, Random& random, RowSet& row,
              std::vector<std::uint32_t>& target) {
  const bool complement = degree > apps / 2;
  const std::uint32_t wanted = complement ? apps - 1 - degree : degree;
  for (std::uint32_t found = 0; found < wanted;) {
    const std::uint32_t other = random.below(apps);
    if (other != app && row.insert(other)) ++found;
  }
  row.flush(target, complement, apps, app);
}

/// The degrees that result when pairs are drawn one by one until `arcs` are different.
std::vector<std::uint32_t> arbitrary_degrees(const GenerateOptions& options, std::uint64_t arcs) {
  std::vector<std::uint32_t> degrees(options.apps, 0);
  Random random(options.seed, kDegrees, 0);
  for (std::uint64_t arc = 0; arc < arcs;) {
    const std::uint32_t app = random.below(options.apps);
    // A pair that exists is drawn again, with a probability that grows with the row.
    if (degrees[app] > 0 && random.below(options.apps - 1) < degrees[app]) continue;
    ++degrees[app];
    ++arc;
  }
  return degrees;
}

std::vector<std::uint32_t> normal_degrees(const GenerateOptions& options) {
  std::vector<std::uint32_t> degrees(options.apps);
  const double mean = options.density * options.apps;
  Random random(options.seed, kDegrees, 0);
  for (std::uint32_t& degree : degrees) {
    const double drawn = std::floor(mean + mean / 2 * random.nearly_normal() + 0.5);
    degree = static_cast<std::uint32_t>(std::clamp(drawn, 0.0, static_cast<double>(options.apps - 1)));
  }
  return degrees;
}

/// The threshold: two uniform numbers have a sum below it with the probability that gives the density among pairs of different
/// apps.
double threshold_sum(const GenerateOptions& options) {
  const double share = std::min(1.0, options.density * options.apps / (options.apps - 1.0));
  return share <= 0.5 ? std::sqrt(2 * share) : 2 - std::sqrt(2 * (1 - share));
}

void draw_threshold_rows(const GenerateOptions& options, RowSet& row, AffinityLimitsData& limits) {
  const double sum = threshold_sum(options);
  std::vector<double> in(options.apps);
  Random random_in(options.seed, kWeightsIn, 0);
  for (double& weight : in) weight = random_in.uniform();
  std::vector<std::uint32_t> lightest(options.apps);
  std::iota(lightest.begin(), lightest.end(), 0);
  std::sort(lightest.begin(), lightest.end(),
            [&](std::uint32_t a, std::uint32_t b) { return in[a] != in[b] ? in[a] < in[b] : a < b; });
  Random random_out(options.seed, kWeightsOut, 0);
  for (std::uint32_t app = 0; app < options.apps; ++app) {
    const double out = random_out.uniform();
    for (const std::uint32_t other : lightest) {
      if (out + in[other] > sum) break;
      if (other != app) row.insert(other);
    }
    row.flush(limits.app, false, options.apps, app);
    limits.row_begin.push_back(static_cast<std::uint32_t>(limits.app.size()));
  }
}

void draw_limits(const GenerateOptions& options, AffinityLimitsData& limits) {
  const std::uint64_t pairs = std::uint64_t{options.apps} * (options.apps - 1);
  // P0 divides the number of arcs by apps^2, so that a complete graph has a density just below 1.
  const auto arcs = static_cast<std::uint64_t>(options.density * static_cast<double>(pairs));
  if (arcs == 0) return;
  constexpr std::uint64_t kMost = 500'000'000;
  if (arcs > kMost)
    throw Failure("--density: would make " + std::to_string(arcs) + " limits; at most 500,000,000 are possible");
  limits.row_begin.reserve(options.apps + std::size_t{1});
  limits.row_begin.push_back(0);
  RowSet row(options.apps);
  if (options.graph == Graph::kThreshold) {
    limits.app.reserve(arcs + arcs / 8);
    draw_threshold_rows(options, row, limits);
  } else {
    const std::vector<std::uint32_t> degrees =
        options.graph == Graph::kArbitrary ? arbitrary_degrees(options, arcs) : normal_degrees(options);
    limits.app.reserve(std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0}));
    for (std::uint32_t app = 0; app < options.apps; ++app) {
      Random random(options.seed, kRows, app);
      draw_row(app, degrees[app], options.apps, random, row, limits.app);
      limits.row_begin.push_back(static_cast<std::uint32_t>(limits.app.size()));
    }
  }
  std::uint32_t total = 0;
  for (const LimitWeight& limit : kLimits) total += limit.weight;
  Random random(options.seed, kRows, options.apps);
  limits.at_most.resize(limits.app.size());
  for (std::uint32_t& at_most : limits.at_most) {
    std::uint32_t at = random.below(total);
    const LimitWeight* limit = kLimits.data();
    while (at >= limit->weight) at -= (limit++)->weight;
    at_most = limit->at_most;
  }
}

}  // namespace

InstanceData generate_instance(const GenerateOptions& options) {
  if (options.apps == 0) throw Failure("--lras: at least one app is needed");
  InstanceData data;
  data.name =
      std::to_string(options.apps) + " apps, " + graph_word(options.graph) + " graph, seed " + std::to_string(options.seed);
  data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  data.periods = options.profile ? kPeriods : 1;
  set_single_class(data, options.node);
  draw_apps(options, data);
  generate_limits(options, data);
  return data;
}

void generate_limits(const GenerateOptions& options, InstanceData& data) {
  data.limits = AffinityLimitsData();
  if (options.apps > 1) draw_limits(options, data.limits);
}

Graph parse_graph(std::string_view word) {
  if (const auto graph = find_graph(word)) return *graph;
  throw Failure("--graph: \"" + std::string(word) + "\" is not a kind of graph; use arbitrary, normal or threshold");
}

std::optional<Graph> find_graph(std::string_view word) {
  for (const Graph graph : {Graph::kArbitrary, Graph::kNormal, Graph::kThreshold}) {
    if (word == graph_word(graph)) return graph;
  }
  return std::nullopt;
}

const char* graph_word(Graph graph) {
  switch (graph) {
    case Graph::kArbitrary:
      return "arbitrary";
    case Graph::kNormal:
      return "normal";
    case Graph::kThreshold:
      return "threshold";
  }
  return "";
}

}  // namespace stowage::cli
