#include "capi/cli/generate/colocation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "capi/cli/base/console.h"
#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::colocation {
namespace {

enum Purpose : std::uint64_t { kDrawLoads = 501, kDrawCoefficients };

/// Loads are lognormal with this standard deviation of the logarithm and a median of 1, within these bounds.
constexpr double kDeviation = 1.6;
constexpr double kLeastLoad = 0.004;
constexpr double kMostLoad = 40;

/// e^x for x in [-16, 16], from exactly rounded operations alone.
double portable_exp(double x) {
  constexpr double kLn2 = 0.6931471805599453;
  const double power = std::floor(x / kLn2 + 0.5);
  const double rest = x - power * kLn2;
  double sum = 1;
  for (int k = 18; k > 0; --k) sum = 1 + sum * rest / k;
  return std::ldexp(sum, static_cast<int>(power));
}

/// To a multiple of 0.001, so that decimal text holds the value.
double rounded(double value) { return std::floor(value * 1000 + 0.5) / 1000; }

double draw_load(Random& random) {
  while (true) {
    const double load = portable_exp(kDeviation * random.nearly_normal());
    if (load >= kLeastLoad && load <= kMostLoad) return rounded(load);
  }
}

/// Coefficients of two different kinds; the ends of the range belong to it.
struct Range {
  double low;
  double high;
};
constexpr Range kCompatible = {0, 0.999};
constexpr Range kIncompatible = {1.001, 2};
constexpr Range kClashing = {2, 4};

Range range_of(const Options& options, std::uint32_t kind, std::uint32_t other) {
  if (options.of == "compatible") return kCompatible;
  if (options.of == "incompatible") return kIncompatible;
  if (options.of == "clashing") return kClashing;
  const std::uint32_t first_half = (options.kinds + 1) / 2;
  return (kind < first_half) == (other < first_half) ? kCompatible : kIncompatible;
}

InterferenceData draw_interference(const Options& options) {
  const auto class_index =
      static_cast<std::uint64_t>(std::find(class_words().begin(), class_words().end(), options.of) - class_words().begin());
  Random random(options.seed, kDrawCoefficients, (class_index << 32) | options.kinds);
  InterferenceData interference;
  for (std::uint32_t kind = 0; kind < options.kinds; ++kind) {
    interference.kinds.push_back("kind-" + std::to_string(kind + 1));
    for (std::uint32_t other = 0; other < options.kinds; ++other) {
      const Range range = range_of(options, kind, other);
      const double drawn = range.low + (range.high - range.low) * random.uniform();
      interference.coefficient.push_back(kind == other ? 1 : rounded(drawn));
    }
  }
  return interference;
}

}  // namespace

const std::vector<std::string>& class_words() {
  static const std::vector<std::string> kWords = {"compatible", "incompatible", "clashing", "mixed"};
  return kWords;
}

void check_class(std::string_view word, const std::string& option) {
  const std::vector<std::string>& words = class_words();
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  throw Failure(option + ": \"" + std::string(word) + "\" is not a class; use compatible, incompatible, clashing or mixed");
}

InstanceData generate(const Options& options) {
  InstanceData data;
  data.name = options.of + ", " + counted(options.apps, "app") + ", " + counted(options.nodes, "node") + ", " +
              counted(options.kinds, "kind") + ", seed " + std::to_string(options.seed);
  data.resources.push_back({"load", ""});
  Random random(options.seed, kDrawLoads, options.apps);
  for (std::uint32_t i = 0; i < options.apps; ++i) {
    data.apps.names.push_back("app-" + std::to_string(i + 1));
    data.apps.replicas.push_back(1);
    data.apps.demand.push_back(draw_load(random));
    data.apps.kind.push_back(random.below(options.kinds));
  }
  data.interference = draw_interference(options);
  NodeClassData node;
  node.name = "node";
  node.count = options.nodes;
  const double load = std::accumulate(data.apps.demand.begin(), data.apps.demand.end(), 0.0);
  const double largest = *std::max_element(data.apps.demand.begin(), data.apps.demand.end());
  const double capacity = options.fill > 0 ? std::max(largest, load / options.nodes / options.fill) : load;
  node.capacity.push_back(std::ceil(capacity * 1000) / 1000);
  data.classes.push_back(std::move(node));
  return data;
}

}  // namespace stowage::cli::colocation
