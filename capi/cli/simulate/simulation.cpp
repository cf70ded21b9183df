#include "capi/cli/simulate/simulation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/generate/purposes.h"
#include "capi/cli/library/library.h"
#include "capi/cli/simulate/normal.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/names.h"

namespace stowage::cli::stochastic {
namespace {

constexpr std::array<UsageModel, 3> kModels = {UsageModel::kTruncated, UsageModel::kClamped, UsageModel::kGaussian};

/// As in the checker: the share of a capacity by which sums of decimal fractions may exceed it.
constexpr double kTolerance = 1e-9;
/// Most bytes of what is counted on nodes and of their names. A few bytes of a plan could stand for any number of nodes.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
/// What a node's name and its place in the simulation take.
constexpr std::uint64_t kNodeBytes = 64;

/// How the usage of one replica of one resource in one period is drawn.
struct Source {
  double mean = 0;
  double deviation = 0;  ///< 0: always the mean
  bool extreme = false;  ///< usage is one of the range's ends
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  const std::vector<double>* measured = nullptr;  ///< drawn from these instead
};

/// Draws until the result is in range. `mean` is in the range, so that a try succeeds with a probability of at least 0.4.
double draw_truncated(const Source& source, Normal& normal) {
  const double width = source.high - source.low;
  if (width >= 2 * source.deviation) {
    while (true) {
      const double value = source.mean + source.deviation * normal.draw();
      if (value >= source.low && value <= source.high) return value;
    }
  }
  // In a narrow range: a uniform point is accepted with its density relative to that at the mean.
  while (true) {
    const double value = source.low + width * normal.random().uniform();
    const double off = (value - source.mean) / source.deviation;
    const double uniform = normal.random().uniform();
    if (uniform == 0 || exact_log(uniform) <= -off * off / 2) return value;
  }
}

double draw_one(const Source& source, UsageModel model, Normal& normal) {
  if (source.measured != nullptr) {
    return (*source.measured)[normal.random().below(static_cast<std::uint32_t>(source.measured->size()))];
  }
  if (source.extreme) {
    const double share = (source.mean - source.low) / (source.high - source.low);
    return normal.random().uniform() < share ? source.high : source.low;
  }
  if (source.deviation == 0) return source.mean;
  switch (model) {
    case UsageModel::kTruncated:
      return draw_truncated(source, normal);
    case UsageModel::kClamped:
      return std::clamp(source.mean + source.deviation * normal.draw(), source.low, source.high);
    case UsageModel::kGaussian:
      break;
  }
  return source.mean + source.deviation * normal.draw();
}

/// A part of a node's usage: replicas of an app, or the load of a listed node (app == kNone).
struct Part {
  std::uint32_t app;
  std::uint32_t replicas;
};

class Simulator {
 public:
  Simulator(const wire::Instance& instance, const wire::Plan& plan, const MeasuredUsage& measured,
            const SimulationOptions& options)
      : instance_(instance),
        plan_(plan),
        names_(instance),
        measured_(measured),
        options_(options),
        resources_(instance.resources()->size()),
        periods_(periods_told_apart(instance)),
        demand_periods_(is_profile(*instance.apps()->demand(), instance.apps()->replicas()->size()) ? periods_ : 1),
        bounded_(instance.uncertainty() != nullptr && instance.uncertainty()->model() == wire::ChanceModel::BoundedSupport &&
                 instance.apps()->support_min() != nullptr && instance.apps()->support_max() != nullptr),
        parts_(plan.node_class()->size()) {
    for (std::uint32_t node = 0; node < parts_.size(); ++node) copies_.insert(copies_.end(), copies_of(plan, node), node);
    for (const wire::Placed* one : *plan.placed()) parts_[one->node()].push_back({one->app(), one->replicas()});
    for (std::uint32_t resource = 0; resource < resources_; ++resource) {
      if (varies(resource)) varying_.push_back(resource);
    }
    if (varying_.empty()) {
      throw Failure("nothing varies: no demand has a variance or measured usage, so that there is nothing to simulate");
    }
    make_sources();
  }

  Simulation run() {
    const std::size_t nodes = copies_.size();
    result_.nodes.resize(nodes * varying_.size());
    violated_ = std::vector<std::atomic<std::uint8_t>>(options_.samples);
    std::uint32_t threads = options_.threads != 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
    threads = static_cast<std::uint32_t>(std::min<std::size_t>(threads, std::max<std::size_t>(1, nodes)));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      while (!InterruptGuard::interrupted()) {
        const std::size_t node = next++;
        if (node >= nodes) return;
        simulate_node(static_cast<std::uint32_t>(node));
      }
    };
    std::vector<std::jthread> helpers;
    for (std::uint32_t i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
    helpers.clear();
    if (InterruptGuard::interrupted()) throw Failure("interrupted", kExitUnmet);
    result_.samples = options_.samples;
    for (const NodeUsage& usage : result_.nodes) {
      result_.observations += usage.observations;
      result_.violations += usage.violations;
    }
    result_.samples_violated = static_cast<std::uint64_t>(std::count(violated_.begin(), violated_.end(), std::uint8_t{1}));
    return std::move(result_);
  }

 private:
  [[nodiscard]] const wire::Apps& apps() const { return *instance_.apps(); }

  /// Whether a column of items has an entry for each period.
  [[nodiscard]] bool is_profile(const flatbuffers::Vector<double>& column, std::size_t items) const {
    return column.size() != items * resources_;
  }
  [[nodiscard]] const Source& source_of(std::uint32_t app, std::size_t v, std::uint32_t period) const {
    return sources_[(app * varying_.size() + v) * demand_periods_ + (demand_periods_ == 1 ? 0 : period)];
  }

  [[nodiscard]] bool varies(std::uint32_t resource) const {
    const std::uint32_t count = apps().replicas()->size();
    for (std::uint32_t app = 0; app < count; ++app) {
      if (!measured_.of(app, resource).empty()) return true;
      const std::uint32_t cell = app * resources_ + resource;
      if (apps().variance() != nullptr && apps().variance()->Get(cell) > 0) return true;
      if (bounded_ && apps().support_min()->Get(cell) < apps().support_max()->Get(cell)) return true;
    }
    const wire::Nodes* nodes = instance_.nodes();
    if (nodes == nullptr || nodes->load_variance() == nullptr) return false;
    for (std::uint32_t node = 0; node < nodes->node_class()->size(); ++node) {
      if (nodes->load_variance()->Get(node * resources_ + resource) > 0) return true;
    }
    return false;
  }

  /// The value of (item, resource, period) in a column of items x resources, perhaps x periods.
  [[nodiscard]] double value(const flatbuffers::Vector<double>& column, std::size_t items, std::size_t item,
                             std::uint32_t resource, std::uint32_t period) const {
    const bool constant = !is_profile(column, items);
    const std::size_t cell = item * resources_ + resource;
    return column.Get(static_cast<std::uint32_t>(constant ? cell : cell * periods_ + period));
  }

  void make_sources() {
    const std::uint32_t count = apps().replicas()->size();
    sources_.resize(std::size_t{count} * varying_.size() * demand_periods_);
    for (std::uint32_t app = 0; app < count; ++app) {
      for (std::size_t v = 0; v < varying_.size(); ++v) {
        const std::uint32_t resource = varying_[v];
        for (std::uint32_t period = 0; period < demand_periods_; ++period) {
          Source& source = sources_[(app * varying_.size() + v) * demand_periods_ + period];
          source.mean = value(*apps().demand(), count, app, resource, period);
          if (const auto& values = measured_.of(app, resource); !values.empty()) {
            source.measured = &values;
            continue;
          }
          const std::uint32_t cell = app * resources_ + resource;
          if (apps().variance() != nullptr) source.deviation = std::sqrt(apps().variance()->Get(cell));
          if (source.deviation > 0 || bounded_) set_range(source, app, resource, cell);
          if (source.deviation == 0 && bounded_ && source.low < source.high) make_extreme(source);
        }
      }
    }
  }

  void set_range(Source& source, std::uint32_t app, std::uint32_t resource, std::uint32_t cell) const {
    if (apps().support_min() == nullptr || apps().support_max() == nullptr) return;
    if (options_.model == UsageModel::kGaussian && source.deviation > 0) return;
    const double low = apps().support_min()->Get(cell);
    const double high = apps().support_max()->Get(cell);
    // A range without width belongs to a demand that does not vary. It does not limit one that varies.
    if (low == high) {
      if (source.deviation == 0) source.low = source.high = source.mean;
      return;
    }
    if (source.mean < low || source.mean > high) {
      throw Failure("app " + names_.app(app) + ", " + names_.resource(resource) + ": the mean demand " + shortest(source.mean) +
                    " is outside of its range, " + shortest(low) + " to " + shortest(high));
    }
    source.low = low;
    source.high = high;
  }

  /// The distribution that varies most among those with this mean and range.
  static void make_extreme(Source& source) {
    source.extreme = true;
    source.deviation = std::sqrt((source.mean - source.low) * (source.high - source.mean));
  }

  [[nodiscard]] Source load_source(std::uint32_t listed, std::uint32_t resource, std::uint32_t period) const {
    const wire::Nodes& nodes = *instance_.nodes();
    const std::uint32_t count = nodes.node_class()->size();
    Source source;
    if (nodes.load() != nullptr) source.mean = value(*nodes.load(), count, listed, resource, period);
    if (nodes.load_variance() == nullptr) return source;
    source.deviation = std::sqrt(nodes.load_variance()->Get(listed * resources_ + resource));
    if (bounded_ && source.deviation > 0) {
      // With bounded support, load_variance holds the square of the range's width.
      source.low = source.mean - source.deviation / 2;
      source.high = source.mean + source.deviation / 2;
      make_extreme(source);
    }
    return source;
  }

  /// Load that goes with a node of the plan, which never varies at random.
  [[nodiscard]] double daemon_load(std::uint32_t node, std::uint32_t resource, std::uint32_t period) const {
    const std::uint32_t listed = plan_.listed()->Get(node);
    if (listed != kNone && given(instance_.nodes()->daemon())) {
      return value(*instance_.nodes()->daemon(), instance_.nodes()->node_class()->size(), listed, resource, period);
    }
    const auto* of_class = instance_.classes()->Get(plan_.node_class()->Get(node))->daemon();
    return given(of_class) ? value(*of_class, 1, 0, resource, period) : 0;
  }

  void simulate_node(std::uint32_t copy) {
    Random random(options_.seed, kUsage, copy);
    Normal normal(random);
    const std::uint32_t node = copies_[copy];
    const std::uint32_t listed = plan_.listed()->Get(node);
    const auto& capacity = *instance_.classes()->Get(plan_.node_class()->Get(node))->capacity();
    for (std::size_t v = 0; v < varying_.size(); ++v) {
      NodeUsage& usage = result_.nodes[copy * varying_.size() + v];
      usage.node = copy;
      usage.resource = varying_[v];
      usage.capacity = capacity.Get(varying_[v]);
      usage.observations = std::uint64_t{options_.samples} * periods_;
      double drawn = 0;
      for (std::uint32_t period = 0; period < periods_; ++period) {
        const Source load = listed == kNone ? Source() : load_source(listed, varying_[v], period);
        const double daemon = daemon_load(node, varying_[v], period);
        expect(usage, load, daemon, v, period);
        for (std::uint32_t sample = 0; sample < options_.samples; ++sample) {
          if (InterruptGuard::interrupted()) return;
          double sum = draw_one(load, options_.model, normal) + daemon;
          for (const Part& part : parts_[node]) {
            const Source& source = source_of(part.app, v, period);
            for (std::uint32_t i = 0; i < part.replicas; ++i) sum += draw_one(source, options_.model, normal);
          }
          drawn += sum;
          if (sum <= usage.capacity * (1 + kTolerance)) continue;
          ++usage.violations;
          violated_[sample].store(1, std::memory_order_relaxed);
        }
      }
      usage.drawn_mean = drawn / static_cast<double>(usage.observations);
    }
  }

  /// Expected mean and deviation, in the period where the mean is largest.
  void expect(NodeUsage& usage, const Source& load, double daemon, std::size_t v, std::uint32_t period) const {
    double mean = load.mean + daemon;
    double variance = load.deviation * load.deviation;
    for (const Part& part : parts_[copies_[usage.node]]) {
      const Source& source = source_of(part.app, v, period);
      mean += source.mean * part.replicas;
      variance += source.deviation * source.deviation * part.replicas;
    }
    if (period > 0 && mean <= usage.mean) return;
    usage.mean = mean;
    usage.deviation = std::sqrt(variance);
  }

  const wire::Instance& instance_;
  const wire::Plan& plan_;
  Names names_;
  const MeasuredUsage& measured_;
  const SimulationOptions& options_;
  std::uint32_t resources_;
  std::uint32_t periods_;
  std::uint32_t demand_periods_;          ///< of the demand: 1 where it is constant
  bool bounded_;                          ///< the model is bounded support: only ranges describe the variation
  std::vector<std::vector<Part>> parts_;  ///< of each node of the plan
  std::vector<std::uint32_t> copies_;     ///< of each node in use: which of the plan it is
  std::vector<std::uint32_t> varying_;
  std::vector<Source> sources_;  ///< apps x varying resources x periods of the demand
  std::vector<std::atomic<std::uint8_t>> violated_;
  Simulation result_;
};

}  // namespace

UsageModel parse_usage_model(std::string_view word) {
  for (const UsageModel model : kModels) {
    if (word == usage_word(model)) return model;
  }
  throw Failure("--usage: \"" + std::string(word) + "\" is not a way to draw usage; use truncated, clamped or gaussian");
}

const char* usage_word(UsageModel model) {
  switch (model) {
    case UsageModel::kTruncated:
      return "truncated";
    case UsageModel::kClamped:
      return "clamped";
    case UsageModel::kGaussian:
      return "gaussian";
  }
  return "";
}

MeasuredUsage MeasuredUsage::read(const std::string& path, const wire::Instance& instance) {
  const InputFile file(path);
  const std::vector<std::string_view> lines = split_lines(file.text());
  const std::vector<std::string> header = lines.empty() ? std::vector<std::string>() : split_fields(lines[0], ',');
  const bool with_resource = header == std::vector<std::string>{"app", "resource", "usage"};
  if (!with_resource && header != std::vector<std::string>{"app", "usage"}) {
    throw Failure(file.name() + ": is not a table of measured usage: its first line must be app,usage or app,resource,usage");
  }
  const Names names(instance);
  const std::uint32_t resources = instance.resources()->size();
  if (!with_resource && resources > 1) {
    throw Failure(file.name() + ": the instance has " + counted(resources, "resource") +
                  ": say which one is measured, with the columns app,resource,usage");
  }
  std::vector<std::string> app_names;
  std::vector<std::string> resource_names;
  const std::uint32_t apps = instance.apps()->replicas()->size();
  for (std::uint32_t app = 0; app < apps; ++app) app_names.push_back(names.app(app));
  for (std::uint32_t resource = 0; resource < resources; ++resource) resource_names.push_back(names.resource(resource));
  const NameIndex app_index(app_names);
  const NameIndex resource_index(resource_names);
  MeasuredUsage usage;
  usage.resources_ = resources;
  usage.values_.resize(std::size_t{apps} * resources);
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const std::vector<std::string> fields = split_fields(lines[l], ',');
    const std::string where = file.name() + ":" + std::to_string(l + 1) + ": ";
    if (fields.size() != header.size()) throw Failure(where + "has a different number of fields than the header");
    const std::uint32_t app = app_index.find(fields[0]);
    if (app == kNone) {
      throw Failure(where + "there is no app \"" + fields[0] + "\"" +
                    did_you_mean(fields[0], {app_names.begin(), app_names.end()}));
    }
    const std::uint32_t resource = with_resource ? resource_index.find(fields[1]) : 0;
    if (resource == kNone) {
      throw Failure(where + "there is no resource \"" + fields[1] + "\"" +
                    did_you_mean(fields[1], {resource_names.begin(), resource_names.end()}));
    }
    const auto value = parse_quantity(fields.back(), instance.resources()->Get(resource)->unit() == nullptr
                                                         ? std::string_view()
                                                         : instance.resources()->Get(resource)->unit()->string_view());
    if (!value || *value < 0) throw Failure(where + "usage: \"" + fields.back() + "\" is not an amount");
    usage.values_[std::size_t{app} * resources + resource].push_back(*value);
    ++usage.count_;
  }
  if (usage.count_ == 0) throw Failure(file.name() + ": holds no measurement");
  return usage;
}

void check_plan(const wire::Instance& instance, const wire::Plan& plan, std::uint64_t fingerprint) {
  if (plan.instance() != fingerprint) throw Failure("the plan was made for another instance");
  refuse_dangling(plan, instance);
  const std::uint64_t each = kNodeBytes + instance.resources()->size() * sizeof(NodeUsage);
  if (nodes_in_use(plan) > kMostBytes / each) throw Failure("the plan has more nodes than can be simulated");
  std::vector<std::uint64_t> placed(instance.apps()->replicas()->size(), 0);
  for (const wire::Placed* one : *plan.placed()) {
    placed[one->app()] += std::uint64_t{one->replicas()} * copies_of(plan, one->node());
    if (placed[one->app()] > instance.apps()->replicas()->Get(one->app())) {
      throw Failure("the plan places more replicas of " + Names(instance).app(one->app()) + " than there are");
    }
  }
}

Simulation simulate(const wire::Instance& instance, const wire::Plan& plan, const MeasuredUsage& measured,
                    const SimulationOptions& options) {
  return Simulator(instance, plan, measured, options).run();
}

}  // namespace stowage::cli::stochastic
