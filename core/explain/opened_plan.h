// A plan, expanded for the explainer: the tenants of each node, the use of its resources, and what keeps one more replica off
// it. It computes with the original numbers. Of the planners' feasibility code it shares only the question of limits between
// two apps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/affinity/admission.h"
#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/devices/device_headroom.h"
#include "core/explain/explain.h"
#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/placement/tag_state.h"
#include "core/plan/plan.h"
#include "core/verify/checker.h"
#include "core/verify/kind_costs.h"

namespace stowage {

struct Spot;

/// A plan with a valid structure: all indices exist, no entry is repeated, and every replica is placed or reported unplaced.
/// The plan may break constraints. The object refers to the instance and the plan, which have to outlive it.
class OpenedPlan {
 public:
  using Tenant = stowage::Tenant;

  /// Errors: kInvalid with the path of the field in the plan; kCancelled where the watch ends it.
  /// @param watch counts what questions take; once it has ended, answers mean nothing. Outlives the plan
  static Result<OpenedPlan> open(const Instance& instance, const Plan& plan, WatchRef watch);

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  /// Number of the plan's node entries.
  [[nodiscard]] NodeId nodes() const { return static_cast<NodeId>(plan_->nodes.size()); }
  /// Number of nodes with equal contents that the entry stands for.
  [[nodiscard]] std::uint32_t copies(NodeId node) const { return plan_->nodes[node].copies; }
  [[nodiscard]] std::uint64_t nodes_in_use() const { return nodes_in_use_; }
  /// In ascending order of apps.
  [[nodiscard]] std::span<const Tenant> tenants(NodeId node) const {
    return {tenants_.data() + begin_[node], begin_[node + 1] - begin_[node]};
  }
  /// Writes load, daemon load and mean demand on a node, dims() entries.
  void use(NodeId node, std::vector<double>& amounts) const;
  /// Writes the load and daemon load of a listed node or, where `listed` is kNone, of a new one of the class, dims() entries.
  void use_of_load(NodeId listed, ClassId node_class, std::vector<double>& amounts) const;
  /// D of P1, Eq. 2; 0 where no demand is uncertain.
  [[nodiscard]] double confidence_factor() const { return confidence_factor_; }
  [[nodiscard]] WatchRef watch() const { return watch_; }

  /// Whether something limits what side effects may cost some replica.
  [[nodiscard]] bool limits_costs() const {
    return instance_->limits_costs() || (instance_->has_interference() && plan_->max_cost_limit > 0);
  }
  /// A node of the plan.
  /// @param used use() of the node
  [[nodiscard]] Spot spot(NodeId node, std::span<const double> used) const;
  /// A listed node that the plan does not use, or (`listed` kNone) a new one of the class.
  /// @param used use_of_load() of the node
  [[nodiscard]] Spot empty_spot(NodeId listed, ClassId node_class, bool closed, std::span<const double> used) const;

  /// The hard placement rules that refuse one more replica of the app on a node of the plan.
  [[nodiscard]] std::vector<TagState::Refusal> refusals(AppId app, NodeId node) const {
    return tags_.active() ? tags_.refusals(tag_view(), app, tag_view().site(tag_node_[node]))
                          : std::vector<TagState::Refusal>{};
  }
  /// What the next question about rules takes besides a usual one, in steps of a Watch.
  [[nodiscard]] std::uint64_t steps_to_ask(AppId app) const { return tags_.active() ? tags_.steps_to_ask(app) : 0; }
  /// How many more replicas of the app, at most `wanted`, hard placement rules allow on a node of the plan.
  [[nodiscard]] std::uint32_t allowed_by_rules(AppId app, NodeId node, std::uint32_t wanted) const {
    return tags_.active() ? tags_.allowed(tag_view(), app, tag_view().site(tag_node_[node]), wanted) : wanted;
  }
  /// The same for a listed node that the plan does not use, or (`listed` kNone) for a new one of the class.
  [[nodiscard]] std::uint32_t allowed_by_rules(AppId app, NodeId listed, ClassId node_class, std::uint32_t wanted) const {
    return tags_.active() ? tags_.allowed(tag_view(), app, {listed, listed, node_class}, wanted) : wanted;
  }
  /// The same as refusals() for a listed node that the plan does not use, or (`listed` kNone) for a new one of the class.
  [[nodiscard]] std::vector<TagState::Refusal> refusals(AppId app, NodeId listed, ClassId node_class) const {
    return tags_.active() ? tags_.refusals(tag_view(), app, {listed, listed, node_class}) : std::vector<TagState::Refusal>{};
  }

  [[nodiscard]] bool in_use(NodeId listed) const { return listed_in_use_[listed] != 0; }
  [[nodiscard]] bool closed(NodeId listed) const {
    return listed != kNone && !instance_->data().closed.empty() && instance_->data().closed[listed] != 0;
  }
  /// The number of anonymous nodes of the class that the plan does not use; kEndless where the class has no count.
  [[nodiscard]] std::uint64_t anonymous_left(ClassId node_class) const { return anonymous_left_[node_class]; }
  [[nodiscard]] bool has_anonymous_left(ClassId node_class) const { return anonymous_left_[node_class] != 0; }
  static constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

 private:
  OpenedPlan(const Instance& instance, const Plan& plan, WatchRef watch)
      : instance_(&instance), plan_(&plan), watch_(watch), tags_(instance) {}
  void read_tags();
  [[nodiscard]] TagView tag_view() const { return {&tag_contents_, &tag_class_, instance_->listed_nodes()}; }
  Error read_nodes();
  Error read_placed();
  [[nodiscard]] Error check_counts() const;

  const Instance* instance_;
  const Plan* plan_;
  WatchRef watch_;
  std::uint64_t nodes_in_use_ = 0;
  // With rules: nodes are numbered as planners do, listed ones first, then each copy of the plan's anonymous ones.
  TagState tags_;
  NodeContents tag_contents_;
  std::vector<ClassId> tag_class_;
  std::vector<NodeId> tag_node_;  // per node of the plan: the number of its first copy
  std::vector<std::size_t> begin_;
  std::vector<Tenant> tenants_;
  std::vector<std::uint8_t> listed_in_use_;
  std::vector<std::uint64_t> anonymous_left_;
  double confidence_factor_ = 0;
};

/// A node to which replicas might be added.
struct Spot {
  ClassId node_class;
  bool closed;
  std::span<const OpenedPlan::Tenant> tenants;
  std::span<const double> used;  ///< dims() entries: load, daemon load and mean demand
  double confidence_factor;      ///< D of P1, Eq. 2; 0 where no demand is uncertain
  NodeId listed;                 ///< the listed node whose own tags and load's spread count; kNone for an anonymous node
  bool limits_costs;             ///< OpenedPlan::limits_costs()
  double max_cost;               ///< the most that side effects may cost a replica of any kind; infinity: no limit
  WatchRef watch;                ///< OpenedPlan::watch()
  std::uint32_t more = 1;        ///< the number of replicas of the app that are to be added, at least 1
};

/// The part of visit_obstacles() for limits on what side effects cost, with one obstacle per kind that would exceed its limit.
/// A kind that the app costs nothing is no obstacle, unless it is the app's own. Returns whether every visit() returned true.
template <class Visit>
bool visit_costs(const Instance& instance, AppId app, const Spot& spot, Visit&& visit) {
  if (!spot.limits_costs) return true;
  KindCosts with_more(instance);
  for (const OpenedPlan::Tenant& tenant : spot.tenants) with_more.add(tenant.app, tenant.replicas);
  with_more.add(app, spot.more);
  const std::uint32_t own = instance.kind(app);
  for (const std::uint32_t kind : with_more.kinds()) {
    const double limit = std::min(instance.max_cost(kind), spot.max_cost);
    const double cost = with_more.cost(kind);
    const bool concerns = kind == own || instance.coefficient(kind, own) * instance.interfering_load(app) > 0;
    if (!concerns || cost <= limit * (1 + kCheckerTolerance)) continue;
    if (!visit(Obstacle{.kind = ObstacleKind::kSideEffects, .other = kind, .amount = cost, .limit = limit})) return false;
  }
  return true;
}

/// What a step of packing devices takes, in steps of a watch.
inline constexpr std::uint64_t kStepsPerPacking = 8;

/// The part of visit_obstacles() for devices, where the sum has room: what a replica takes, and what is free in all. Returns
/// whether every visit() returned true.
template <class Visit>
bool visit_devices(const Instance& instance, AppId app, const Spot& spot, Visit&& visit) {
  if (!instance.devices().uses(app)) return true;
  const DeviceTable& table = instance.devices();
  for (std::size_t k = 0; k < table.resources().size(); ++k) {
    const ResourceId r = table.resources()[k];
    const double demand = instance.demand_range(app, r).most;
    const double free = instance.data().classes[spot.node_class].capacity[r] - spot.used[r * instance.periods()];
    if (demand == 0 || spot.more * demand > free * (1 + kCheckerTolerance)) continue;
    const DeviceSite site{spot.listed, spot.node_class};
    PackingEffort effort{spot.watch.ended() ? 0 : DevicePacking::kMostSteps};
    const std::uint32_t room = device_headroom_of(instance, k, app, site, spot.tenants, spot.more, &effort);
    spot.watch.step(kStepsPerPacking * effort.steps);
    if (room >= spot.more) continue;
    if (!visit(Obstacle{.kind = ObstacleKind::kDevices, .resource = r, .amount = demand, .limit = free})) return false;
  }
  return true;
}

/// Calls visit(obstacle) for every obstacle to spot.more more replicas of the app on the node, placement rules excluded, until
/// visit returns false. Capacity comes first, with one obstacle per resource: the period in which most is missing. A resource
/// that the app does not need is no obstacle, even if the node is overloaded.
template <class Visit>
void visit_obstacles(const Instance& instance, AppId app, const Spot& spot, Visit&& visit) {
  const std::uint32_t periods = instance.periods();
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const double capacity = instance.data().classes[spot.node_class].capacity[r];
    const double allowed = capacity + kCheckerTolerance * capacity;
    double margin = 0;
    if (spot.confidence_factor > 0) {
      double spread = spot.more * instance.spread(app, r) + (spot.listed == kNone ? 0 : instance.load_spread(spot.listed, r));
      for (const OpenedPlan::Tenant& tenant : spot.tenants) spread += tenant.replicas * instance.spread(tenant.app, r);
      margin = spot.confidence_factor * std::sqrt(spread);
    }
    Obstacle worst{.kind = ObstacleKind::kCapacity};
    for (std::uint32_t t = 0; t < periods; ++t) {
      const double demand = instance.demand(app, r, t);
      const double mean = spot.used[r * periods + t] + spot.more * demand;
      const double amount = mean + margin;
      const bool needs = demand > 0 || (spot.confidence_factor > 0 && instance.spread(app, r) > 0);
      if (needs && amount > allowed && amount - capacity > worst.amount) {
        worst = {.kind = mean > allowed ? ObstacleKind::kCapacity : ObstacleKind::kCapacityAtConfidence,
                 .resource = r,
                 .period = t,
                 .amount = amount - capacity,
                 .limit = capacity};
      }
    }
    if (worst.resource != kNone && !visit(worst)) return;
  }
  if (!visit_devices(instance, app, spot, visit)) return;
  if (spot.closed && !visit(Obstacle{.kind = ObstacleKind::kClosedNode})) return;

  if (!instance.admits(app, spot.listed, spot.node_class)) {
    const auto differs = [&](std::uint32_t tag, bool wanted) {
      return instance.eligibility().carries(spot.listed, spot.node_class, tag) != wanted;
    };
    for (const bool wanted : {true, false}) {
      const IndexRows& rows = wanted ? instance.data().app_only : instance.data().app_not;
      for (std::uint32_t k = rows.empty() ? 0 : rows.begin[app]; !rows.empty() && k < rows.begin[app + 1]; ++k) {
        const Obstacle obstacle{.kind = ObstacleKind::kEligibility, .other = rows.index[k], .limit = wanted ? 1.0 : 0.0};
        if (differs(rows.index[k], wanted) && !visit(obstacle)) return;
      }
    }
  }

  if (!visit_costs(instance, app, spot, visit)) return;

  const LimitRows& rows = instance.limit_rows();
  std::uint32_t own = 0;
  for (const OpenedPlan::Tenant& tenant : spot.tenants) {
    if (tenant.app == app) own = tenant.replicas;
  }
  const auto with_more = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{own} + spot.more, kNone));
  const std::uint32_t self = rows.self_limit(app);
  if (self != kNone && with_more > self &&
      !visit(Obstacle{
          .kind = ObstacleKind::kSelfLimit, .amount = static_cast<double>(with_more), .limit = static_cast<double>(self)})) {
    return;
  }
  if (rows.degree(app) == 0) return;
  for (const OpenedPlan::Tenant& tenant : spot.tenants) {
    if (tenant.app == app) continue;
    const std::uint32_t codes = rows.find(app, tenant.app);
    if (codes == 0) continue;
    const BrokenLimits broken = broken_limits(tenant.replicas, with_more, rows.imposes(codes), rows.obeys(codes));
    if (broken.obeyed && !visit(Obstacle{.kind = ObstacleKind::kAffinityLimit,
                                         .other = tenant.app,
                                         .amount = static_cast<double>(with_more),
                                         .limit = static_cast<double>(rows.obeys(codes))})) {
      return;
    }
    if (broken.imposed && !visit(Obstacle{.kind = ObstacleKind::kImposedLimit,
                                          .other = tenant.app,
                                          .amount = static_cast<double>(tenant.replicas),
                                          .limit = static_cast<double>(rows.imposes(codes))})) {
      return;
    }
  }
}

/// The most replicas of the app that the spot takes, from `least`, which it does, to `most`; placement rules excluded. What
/// more replicas demand only grows.
inline std::uint32_t most_on(const Instance& instance, AppId app, Spot spot, std::uint32_t least, std::uint32_t most) {
  std::uint64_t high = std::uint64_t{most} + 1;
  // The answer is `most` more often than any other number.
  for (spot.more = most; high - least > 1; spot.more = static_cast<std::uint32_t>(least + (high - least) / 2)) {
    bool takes = true;
    visit_obstacles(instance, app, spot, [&](const Obstacle&) { return takes = false; });
    if (takes) {
      least = spot.more;
    } else {
      high = spot.more;
    }
  }
  return least;
}

}  // namespace stowage
