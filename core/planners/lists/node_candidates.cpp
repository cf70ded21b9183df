// Medea's node candidates (P2, section 5.3) as a provisioning planner (P0, section 5.1, Eq. 5): take the app with the fewest
// candidate nodes (known nodes whose affinity limits admit a replica of it); place it by first fit; update the counts.
//
// O(L^2 + E D), E being the number of pairs of an app and a node that it is placed on, and D the number of neighbours of all
// apps on a node. Counts are updated: a node that takes an app is lost to those of its neighbours that no tenant excluded
// before.

#include "core/planners/families.h"

#include <algorithm>
#include <vector>

#include "core/affinity/admission.h"
#include "core/measures/order.h"
#include "core/placement/placement.h"
#include "core/planners/rules/tag_greedy.h"

namespace stowage {
namespace {

template <class Unit>
class NodeCandidatesRun {
 public:
  explicit NodeCandidatesRun(const PlannerInput& input)
      : input_(input),
        instance_(input.instance),
        placement_(input.instance, input.request, &input.run.clock),
        candidate_(placement_),
        classes_(class_order(input.instance)),
        order_(app_order(input.instance, {})),
        position_(input.instance.apps()),
        count_(input.instance.apps(), 0),
        mark_(input.instance.apps(), 0) {
    for (std::uint32_t k = 0; k < order_.size(); ++k) position_[order_[k]] = k;
  }

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (placement_.unplaced(app) == 0) retire(app);
    }
    bool stopped = false;
    for (NodeId node = 0; node < instance_.listed_nodes() && !stopped; ++node) stopped = count_node(node);
    std::uint64_t done = 0;
    for (std::uint32_t first = 0; first < order_.size() && !stopped;) {
      std::uint32_t last = first;
      while (last < order_.size() && instance_.priority(order_[last]) == instance_.priority(order_[first])) ++last;
      for (AppId app = next(first, last); app != kNone && !stopped; app = next(first, last)) {
        stopped = take(app) || input_.run.clock.step(1 + (last - first) / 256);
        done += instance_.replicas(app);
        input_.run.progress.done(done);
      }
      first = last;
    }
    if (placement_.hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    placement_.finish(plan);
    return {};
  }

 private:
  /// Marks the count of an app that is no longer waiting.
  static constexpr std::uint32_t kRetired = kNone;

  // The waiting app with the smallest count at positions first to last - 1, ties by position; kNone where none waits.
  AppId next(std::uint32_t first, std::uint32_t last) const {
    const auto begin = count_.begin() + first;
    const auto end = count_.begin() + last;
    std::uint32_t least = kRetired;
    for (auto at = begin; at != end; ++at) least = std::min(least, *at);
    if (least == kRetired) return kNone;
    return order_[static_cast<std::size_t>(std::find(begin, end, least) - count_.begin())];
  }

  // Unplaced replicas of a retired app can never be placed: headroom only falls.
  void retire(AppId app) { count_[position_[app]] = kRetired; }
  [[nodiscard]] bool is_waiting(AppId app) const { return count_[position_[app]] != kRetired; }

  // First fit.
  bool take(AppId app) {
    retire(app);
    candidate_.start(placement_, app);
    bool stopped = false;
    placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
      stopped = put(app, node);
      return !stopped && placement_.unplaced(app) > 0;
    });
    while (!stopped && placement_.unplaced(app) > 0) {
      const NodeId node = placement_.open_for(candidate_, classes_);
      if (node == kNone) break;
      stopped = count_node(node) || put(app, node);
    }
    return stopped || input_.run.clock.step(1);
  }

  // Counts a new candidate node for every waiting app that is eligible there and that its tenants do not exclude. Returns
  // whether the run has ended.
  bool count_node(NodeId node) {
    const InstanceData& data = instance_.data();
    if (node < data.closed.size() && data.closed[node] != 0) return false;
    const std::uint64_t looked_at = keep_away(node);
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
      if (count_[k] != kRetired && !is_kept_away(order_[k]) && placement_.admits(order_[k], node)) ++count_[k];
    }
    return input_.run.clock.step(1 + (order_.size() + looked_at) / 64);
  }

  // Places as many replicas as the node takes, and updates the counts. Returns whether the run has ended.
  bool put(AppId app, NodeId node) {
    const std::uint32_t replicas = placement_.headroom(candidate_, node, placement_.unplaced(app));
    if (replicas == 0) return input_.run.clock.step(1);
    const std::uint64_t looked_at = keep_away(node);
    placement_.place(app, node, replicas);
    const std::uint32_t there = placement_.contents().count(app, node);
    const LimitRows& rows = instance_.limit_rows();
    for (std::uint32_t k = 0; k < rows.degree(app); ++k) {
      const Neighbour other = rows.neighbour(app, k);
      if (!is_waiting(other.app) || is_kept_away(other.app) || !placement_.admits(other.app, node)) continue;
      const bool lost = mark_[other.app] == tenant() ? placement_.allowed(other.app, node, 1) == 0 : keeps_away(other, there);
      if (lost) --count_[position_[other.app]];
    }
    return input_.run.clock.step(1 + (looked_at + rows.degree(app)) / 64);
  }

  // Whether `replicas` of the row's app exclude a neighbour that is not on the node.
  static bool keeps_away(const Neighbour& neighbour, std::uint32_t replicas) {
    return !admits(1, replicas, neighbour.imposes, neighbour.obeys);
  }

  // Marks the apps that the node's tenants exclude, and the other tenants. Returns the number of neighbours visited.
  std::uint64_t keep_away(NodeId node) {
    visit_ += 2;
    std::uint64_t looked_at = 0;
    const LimitRows& rows = instance_.limit_rows();
    for (const Tenant& there : placement_.contents().at(node)) {
      const std::uint32_t degree = rows.degree(there.app);
      looked_at += degree;
      for (std::uint32_t k = 0; k < degree; ++k) {
        const Neighbour neighbour = rows.neighbour(there.app, k);
        if (keeps_away(neighbour, there.replicas)) mark_[neighbour.app] = visit_;
      }
    }
    // For a tenant, its own replicas count as well.
    for (const Tenant& there : placement_.contents().at(node)) {
      mark_[there.app] = placement_.allowed(there.app, node, 1) == 0 ? visit_ : tenant();
    }
    return looked_at;
  }
  [[nodiscard]] bool is_kept_away(AppId app) const { return mark_[app] == visit_; }
  [[nodiscard]] std::uint64_t tenant() const { return visit_ + 1; }

  const PlannerInput& input_;
  const Instance& instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<ClassId> classes_;
  std::vector<AppId> order_;             // by priority, then index
  std::vector<std::uint32_t> position_;  // of each app in order_
  std::vector<std::uint32_t> count_;     // candidate nodes, by position
  std::vector<std::uint64_t> mark_;      // by app: visit_ if excluded, tenant() if a tenant that is not excluded
  std::uint64_t visit_ = 0;              // number of the last keep_away(), in steps of 2
};

Error node_candidates(const PlannerInput& input, Plan& plan) {
  if (!input.instance.tag_model().empty()) return tag_node_candidates(input, plan);
  return input.instance.visit_unit([&](auto unit) { return NodeCandidatesRun<decltype(unit)>(input).run(plan); });
}

}  // namespace

std::span<const PlannerInfo> node_candidates_planners() {
  static const std::vector<PlannerInfo> kPlanners = {
      {.name = "medea-nc",
       .summary = "first fit, the app with the fewest nodes by affinity first; with rules: nodes with the least violation",
       .source = "P2, section 5.3 (node candidates); P0, section 5.1, Eq. 5",
       .complexity = "O(L^2 + E D), E pairs of app and node, D neighbours of a node",
       .honours = kHeadroomFeatures,
       .function = node_candidates,
       .pursues = {Objective::kNodes, Objective::kSoftRules}}};
  return kPlanners;
}

}  // namespace stowage
