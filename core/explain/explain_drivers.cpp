// The causes of a plan's number of nodes: bounds that rest on one cause each, and plans of instances without that cause.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/base/watched.h"
#include "core/bounds/bounds.h"
#include "core/explain/explain_parts.h"
#include "core/model/build_time.h"
#include "core/model/data/copy.h"
#include "core/plan/compact_plan.h"
#include "core/planners/planner.h"

namespace stowage {
namespace {

// A run without a cause solves a problem no harder than the plan's own. It may take kTimesWork times the plan's work, clamped
// to the two limits below (a plan from elsewhere may claim any work), and kDeadlineMilliseconds. Without a complete plan by
// then, the cause is not reported. A planner that uses whatever time it gets is given no more than kSearchWork, and
// kSearchWorkPerReplica for each replica: most of what it gains comes early.
constexpr std::uint64_t kTimesWork = 4;
constexpr std::uint64_t kLeastWork = 50'000;
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 40;
constexpr std::uint64_t kDeadlineMilliseconds = 10'000;
constexpr std::uint64_t kSearchWork = 1'000'000;
constexpr std::uint64_t kSearchWorkPerReplica = 500;
// This number of resources, the scarcest ones, are left out in turn.
constexpr std::size_t kMostResourcesLeftOut = 4;
// The app with the largest replica bound is reported if that bound is at least this share of the plan's nodes.
constexpr double kNotableShare = 0.5;

// Of the time that a caller gives, what follows the counterfactuals.
constexpr std::uint64_t kRestMilliseconds = 2;

// What a number of the instance takes to copy, in steps of a watch.
constexpr std::uint64_t kStepsPerNumber = 2;
// What an entry of a short loop takes.
constexpr std::uint64_t kStepsPerDriverEntry = 8;

// The instance reduced to one resource. A second resource, which no app needs, marks the nodes that carry load of any resource,
// and so are in use in every plan. Incomplete where the watch ends it.
InstanceData only_resource(const Instance& instance, ResourceId r, bool keep_counts, WatchRef watch) {
  const InstanceData& from = instance.data();
  const std::uint32_t periods = instance.periods();
  InstanceData data;
  data.resources = {{"resource", ""}, {"loaded", ""}};
  data.periods = periods;
  data.replicas = from.replicas;
  data.demand.assign(std::size_t{2} * instance.apps() * periods, 0);
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (watch.step(kStepsPerNumber * periods)) return data;
    for (std::uint32_t t = 0; t < periods; ++t) data.demand[std::size_t{2} * i * periods + t] = instance.demand(i, r, t);
  }
  for (const NodeClass& c : from.classes) {
    NodeClass node_class;
    node_class.capacity = {c.capacity[r], 1};
    node_class.count = keep_counts ? c.count : 0;
    const auto number = static_cast<ClassId>(data.classes.size());
    for (std::uint32_t t = 0; t < periods && instance.has_daemons(); ++t) {
      node_class.daemon.push_back(instance.daemon(kNone, number, r, t));
    }
    if (instance.has_daemons()) node_class.daemon.resize(std::size_t{2} * periods, 0);
    data.classes.push_back(std::move(node_class));
  }
  data.node_class = watched_copy(std::span(from.node_class), watch);
  for (NodeId n = 0; n < instance.listed_nodes() && !from.daemon.empty(); ++n) {
    if (watch.step(kStepsPerDriverEntry + kStepsPerNumber * periods)) return data;
    for (std::uint32_t t = 0; t < periods; ++t) data.daemon.push_back(instance.daemon(n, from.node_class[n], r, t));
    data.daemon.resize(std::size_t{2} * (n + std::size_t{1}) * periods, 0);
  }
  if (contains(instance.features(), Feature::kExistingLoad)) {
    watched_resize(data.load, std::size_t{2} * instance.listed_nodes() * periods, watch);
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      if (watch.step(kStepsPerDriverEntry + kStepsPerNumber * instance.dims())) return data;
      double* const load = data.load.data() + std::size_t{2} * n * periods;
      bool loaded = false;
      for (ResourceId any = 0; any < instance.resources(); ++any) {
        for (std::uint32_t t = 0; t < periods; ++t) loaded = loaded || instance.load(n, any, t) > 0;
      }
      for (std::uint32_t t = 0; t < periods; ++t) {
        load[t] = instance.load(n, r, t);
        load[periods + t] = loaded ? 1 : 0;
      }
    }
  }
  data.running = watched_copy(std::span(from.running), watch);
  data.pinned = watched_copy(std::span(from.pinned), watch);
  return data;
}

void add_resource_bounds(const Instance& instance, ResourceId r, WatchRef watch, std::vector<Driver>& drivers) {
  const auto reduced = [&](bool keep_counts) -> Result<Instance> {
    InstanceData data = only_resource(instance, r, keep_counts, watch);
    if (watch.ended()) return cancelled();
    return Instance::build(std::move(data), instance.limits(), Instance::Rules::kTogether, watch);
  };
  auto alone = reduced(true);
  if (!alone) return;
  const Supply supply(*alone, watch);
  BoundValue capacity = capacity_bound(*alone, supply);
  if (capacity.infeasible) {
    // All existing nodes cannot carry the demand. The bound with unlimited classes says how many nodes could.
    auto endless = reduced(false);
    if (!endless) return;
    const BoundValue wanted = capacity_bound(*endless, Supply(*endless, watch));
    if (wanted.value > capacity.value) capacity = wanted;
  }
  if (watch.look()) return;
  drivers.push_back({.kind = DriverKind::kCapacity, .resource = r, .period = capacity.period, .nodes = capacity.value});
  const BoundValue large = dual_feasible_bound(*alone, supply);
  if (!watch.ended() && large.value > capacity.value) {
    drivers.push_back({.kind = DriverKind::kLargeItems, .resource = r, .period = large.period, .nodes = large.value});
  }
}

// The app with the largest replica bound, computed on the original numbers. Nothing where the watch ends it.
std::optional<Driver> crowded_app(const Instance& instance, WatchRef watch) {
  const InstanceData& data = instance.data();
  std::vector<std::uint32_t> in_place(instance.apps(), 0);
  for (const std::vector<Residence>* list : {&data.running, &data.pinned}) {
    for (const Residence& r : *list) {
      if (watch.step(kStepsPerDriverEntry)) return std::nullopt;
      in_place[r.app] = std::max(in_place[r.app], r.replicas);
    }
  }
  std::optional<Driver> best;
  for (AppId i = 0; i < instance.apps(); ++i) {
    double most = 0;
    for (ClassId c = 0; c < instance.classes(); ++c) {
      if (watch.step(kStepsPerDriverEntry + kStepsPerNumber * instance.dims())) return std::nullopt;
      if (!instance.eligibility().reaches(i, c)) continue;
      double copies = instance.replicas(i);
      for (ResourceId r = 0; r < instance.resources(); ++r) {
        const double capacity = data.classes[c].capacity[r];
        const double allowed = capacity + kCheckerTolerance * capacity - instance.least_daemon(c, r);
        for (std::uint32_t t = 0; t < instance.periods(); ++t) {
          const double demand = instance.demand(i, r, t);
          if (demand * copies > allowed) copies = std::floor(allowed / demand);
        }
      }
      most = std::max(most, copies);
    }
    const std::uint32_t self = instance.limit_rows().self_limit(i);
    if (self != kNone) most = std::min<double>(most, self);
    most = std::max<double>(most, in_place[i]);
    if (most == 0) continue;
    const double nodes = std::ceil(instance.replicas(i) / most);
    if (!best || nodes > best->nodes) best = Driver{.kind = DriverKind::kSelfLimit, .app = i, .nodes = nodes};
  }
  return best;
}

// A copy without names, which planners do not need. Here and below, incomplete where the watch ends it.
InstanceData nameless_copy(const Instance& instance, WatchRef watch) {
  InstanceData data = copy_of(instance.data(), watch);
  data.app_names.clear();
  data.node_names.clear();
  return data;
}

// Removes one resource from a column of rows x resources x width entries.
void leave_out(std::vector<double>& values, std::size_t rows, std::size_t resources, ResourceId left_out, WatchRef watch) {
  if (values.empty() || rows == 0) return;
  const std::size_t width = values.size() / (rows * resources);
  std::size_t kept = 0;
  for (std::size_t cell = 0; cell < rows * resources; ++cell) {
    if (watch.step(1 + kStepsPerNumber * width)) return;
    if (cell % resources == left_out) continue;
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(cell * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(kept * width));
    ++kept;
  }
  values.resize(kept * width);
}

InstanceData without_resource(const Instance& instance, ResourceId r, WatchRef watch) {
  InstanceData data = nameless_copy(instance, watch);
  if (watch.ended()) return data;
  const std::size_t resources = instance.resources();
  for (std::vector<double>* values : {&data.demand, &data.variance, &data.support_min, &data.support_max}) {
    leave_out(*values, instance.apps(), resources, r, watch);
  }
  for (std::vector<double>* values : {&data.load, &data.load_variance, &data.daemon}) {
    leave_out(*values, instance.listed_nodes(), resources, r, watch);
  }
  for (NodeClass& c : data.classes) {
    c.capacity.erase(c.capacity.begin() + r);
    leave_out(c.daemon, 1, resources, r, watch);
  }
  data.resources.erase(data.resources.begin() + r);
  if (data.has_interference && data.interference.resource == r) {
    // Without the load that side effects follow from, there are none.
    data.has_interference = false;
    data.interference = {};
    data.kind.clear();
  } else if (data.interference.resource > r) {
    --data.interference.resource;
  }
  return data;
}

// Replaces rows x periods entries by their averages over the periods; does nothing if there is one entry per row already.
void flatten(std::vector<double>& values, std::size_t rows, std::size_t periods, WatchRef watch) {
  if (values.size() != rows * periods) return;
  for (std::size_t row = 0; row < rows; ++row) {
    if (watch.step(1 + kStepsPerNumber * periods)) return;
    double sum = 0;
    for (std::size_t t = 0; t < periods; ++t) sum += values[row * periods + t];
    values[row] = sum / static_cast<double>(periods);
  }
  values.resize(rows);
}

InstanceData without_periods(const Instance& instance, WatchRef watch) {
  InstanceData data = nameless_copy(instance, watch);
  flatten(data.demand, std::size_t{instance.apps()} * instance.resources(), data.periods, watch);
  flatten(data.load, std::size_t{instance.listed_nodes()} * instance.resources(), data.periods, watch);
  flatten(data.daemon, std::size_t{instance.listed_nodes()} * instance.resources(), data.periods, watch);
  for (NodeClass& c : data.classes) flatten(c.daemon, instance.resources(), data.periods, watch);
  data.periods = 1;
  return data;
}

InstanceData without_cost_limits(const Instance& instance, WatchRef watch) {
  InstanceData data = nameless_copy(instance, watch);
  data.interference.max_cost.clear();
  return data;
}

InstanceData without_uncertainty(const Instance& instance, WatchRef watch) {
  InstanceData data = nameless_copy(instance, watch);
  data.variance.clear();
  data.load_variance.clear();
  data.uncertainty = {ChanceModel::kFactor, data.uncertainty.confidence, 0};
  return data;
}

/// Whole milliseconds until the call has to end, less what follows; a day where nothing ends it.
std::uint64_t milliseconds_left(const Control* control) {
  constexpr std::uint64_t kDay = 24ull * 3600 * 1000;
  if (control == nullptr) return kDay;
  if (control->cancelled.load(std::memory_order_relaxed)) return 0;
  const auto end = end_of_call(*control);
  if (!end) return kDay;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*end - Watch::Time::now()).count();
  return left > static_cast<std::int64_t>(kRestMilliseconds) ? static_cast<std::uint64_t>(left) - kRestMilliseconds : 0;
}
/// What an instance without a cause takes before the first look at the clock, at least 1.
std::uint64_t milliseconds_to_build(const Instance& instance) {
  return 1 + static_cast<std::uint64_t>(seconds_to_build(instance) * 1000);
}

/// Plans instances without a cause, with the planner that made the plan, which is in the catalogue, and its default options.
class Counterfactuals {
 public:
  Counterfactuals(const OpenedPlan& opened, Control* control, std::uint64_t most)
      : instance_(opened.instance()), watch_(opened.watch()), control_(control), left_(most) {
    request_.planner = opened.plan().planner;
    request_.seed = opened.plan().seed;
    request_.work_limit = kTimesWork * std::clamp(opened.plan().work, kLeastWork, kMostWork);
    if (find_planner(request_.planner)->default_deadline_ms > 0) {
      request_.work_limit = std::min(request_.work_limit, kSearchWork + kSearchWorkPerReplica * instance_.total_replicas());
    }
    request_.compact = true;
    request_.drop_late = true;
    // A plan with moves was made by a request that ignores where replicas run.
    request_.ignore_running = opened.plan().moves > 0;
    if (opened.limits_costs() && opened.plan().max_cost_limit > 0) request_.max_cost = opened.plan().max_cost_limit;
  }

  /// Adds the driver if the planner finds a complete plan. There is none if the instance is invalid without the cause (a class
  /// has no other resource) or the planner refuses it.
  /// @param data_without data_without(instance, watch) makes the instance's data without the cause
  template <class DataWithout>
  void add(Driver driver, DataWithout&& data_without, std::vector<Driver>& drivers) {
    const std::uint64_t share = left_ == 0 ? 0 : milliseconds_left(control_) / left_--;
    if (share < milliseconds_to_build(instance_)) return;
    InstanceData data = data_without(instance_, watch_);
    if (watch_.look()) return;
    const bool keeps_limits = driver.kind != DriverKind::kWithoutLimits;
    const Result<Instance> instance =
        keeps_limits ? instance_.with_columns(std::move(data), instance_.limits(), watch_)
                     : Instance::build(std::move(data), instance_.limits(), Instance::Rules::kTogether, watch_);
    if (!instance) return;
    Request request = request_;
    request.deadline_ms = std::min(share, kDeadlineMilliseconds);
    if (driver.kind == DriverKind::kWithoutCostLimits) request.max_cost = 0;
    const auto plan = run_planner(instance.value(), request, control_);
    if (!plan || !plan.value().unplaced.empty()) return;
    driver.nodes = static_cast<double>(nodes_in_use(plan.value()));
    driver.cost = plan.value().cost;
    drivers.push_back(driver);
  }

 private:
  const Instance& instance_;
  WatchRef watch_;
  Control* control_;
  std::uint64_t left_;  // that may still be added, and share the time
  Request request_;
};

void add_counterfactuals(const OpenedPlan& opened, const std::vector<ResourceId>& scarcest, Control* control,
                         std::vector<Driver>& drivers) {
  const Instance& instance = opened.instance();
  if (find_planner(opened.plan().planner) == nullptr) return;
  const LimitRows& rows = instance.limit_rows();
  const bool has_limits = rows.arc_count() + rows.self_limit_count() > 0;
  std::vector<ResourceId> left_out;
  for (std::size_t k = 0; k < std::min(scarcest.size(), kMostResourcesLeftOut) && instance.resources() > 1; ++k) {
    // Limits on what side effects cost would be left out with the load that they follow from.
    if (opened.limits_costs() && scarcest[k] == instance.data().interference.resource) continue;
    left_out.push_back(scarcest[k]);
  }
  const auto one = [](bool has) { return std::size_t{has ? 1u : 0u}; };
  Counterfactuals counterfactuals(
      opened, control,
      one(has_limits) + one(instance.periods() > 1) + one(instance.uncertain()) + one(opened.limits_costs()) + left_out.size());
  if (has_limits) counterfactuals.add({.kind = DriverKind::kWithoutLimits}, nameless_copy, drivers);
  if (instance.periods() > 1) counterfactuals.add({.kind = DriverKind::kWithoutPeriods}, without_periods, drivers);
  if (instance.uncertain()) counterfactuals.add({.kind = DriverKind::kWithoutUncertainty}, without_uncertainty, drivers);
  if (opened.limits_costs()) counterfactuals.add({.kind = DriverKind::kWithoutCostLimits}, without_cost_limits, drivers);
  for (const ResourceId r : left_out) {
    counterfactuals.add(
        {.kind = DriverKind::kWithoutResource, .resource = r},
        [r](const Instance& of, WatchRef watch) { return without_resource(of, r, watch); }, drivers);
  }
}

/// Nodes of the plan with replicas or load; fewer where the watch ends it.
Driver nodes_that_hold(const OpenedPlan& opened) {
  const Instance& instance = opened.instance();
  Driver driver{.kind = DriverKind::kWithoutPromises, .cost = instance.has_prices() ? 0.0 : -1.0};
  for (NodeId n = 0; n < opened.nodes(); ++n) {
    const PlannedNode& node = opened.plan().nodes[n];
    if (opened.watch().step(kStepsPerDriverEntry + instance.dims())) break;
    const bool loaded = node.listed != kNone && instance.is_loaded(node.listed);
    if (!loaded && opened.tenants(n).empty()) continue;
    driver.nodes += node.copies;
    if (instance.has_prices()) driver.cost += node.copies * instance.data().classes[node.node_class].price;
  }
  return driver;
}

}  // namespace

std::vector<Driver> find_drivers(const OpenedPlan& opened, Control* control) {
  const Instance& instance = opened.instance();
  std::vector<Driver> drivers;
  const auto has_time = [&] { return milliseconds_left(control) >= milliseconds_to_build(instance); };
  for (ResourceId r = 0; r < instance.resources() && has_time(); ++r) {
    add_resource_bounds(instance, r, opened.watch(), drivers);
  }
  if (opened.watch().look()) return drivers;
  const std::optional<Driver> crowded = crowded_app(instance, opened.watch());
  if (crowded && crowded->nodes >= kNotableShare * static_cast<double>(opened.nodes_in_use())) drivers.push_back(*crowded);
  std::stable_sort(drivers.begin(), drivers.end(), [](const Driver& a, const Driver& b) { return a.nodes > b.nodes; });

  std::vector<ResourceId> scarcest;
  for (const Driver& driver : drivers) {
    if (driver.kind == DriverKind::kCapacity) scarcest.push_back(driver.resource);
  }
  std::vector<Driver> left_out;
  add_counterfactuals(opened, scarcest, control, left_out);
  if (!opened.plan().survive.empty() || !opened.plan().reserved.empty()) {
    const Driver holding = nodes_that_hold(opened);
    if (!opened.watch().ended()) left_out.push_back(holding);
  }
  // A cause explains the more, the less is needed without it.
  std::stable_sort(left_out.begin(), left_out.end(),
                   [](const Driver& a, const Driver& b) { return std::pair(a.cost, a.nodes) < std::pair(b.cost, b.nodes); });
  drivers.insert(drivers.end(), left_out.begin(), left_out.end());
  return drivers;
}

}  // namespace stowage
