// The plan, as the core sees it. plan.fbs documents the fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/data/types.h"
#include "core/plan/note.h"
#include "core/plan/objective.h"

namespace stowage {

enum class PlanStatus : std::uint8_t { kComplete, kOptimal, kPartial, kInfeasibleProven, kCancelled, kDeadline };

/// A lower bound on the value of any complete plan, and the resource and period that give it; kNone: no single one.
struct Bound {
  std::string name;
  double value = 0;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// Stands for `copies` nodes, each of which holds what is placed on it.
struct PlannedNode {
  ClassId node_class;
  NodeId listed;             ///< kNone for an anonymous node
  std::uint32_t copies = 1;  ///< 1 for a listed node
};

struct Placed {
  AppId app;
  NodeId node;  ///< index into Plan::nodes
  std::uint32_t replicas;
};

struct Unplaced {
  AppId app;
  std::uint32_t replicas;
};

/// The cluster as a plan leaves it.
struct ClusterMetrics {
  /// Applications that want replicas, and applications that are fully placed. Apps that share a tag `appID:` count as one.
  std::uint64_t applications = 0;
  std::uint64_t applications_placed = 0;
  /// Nodes that exist (of classes without a count: nodes in use), and nodes in use.
  std::uint64_t nodes = 0;
  std::uint64_t nodes_used = 0;
  /// Nodes that have less left of some resource than any app needs of it, and are not full in all (P2, section 7.4).
  std::uint64_t fragmented_nodes = 0;
  /// Per resource: coefficient of variation of the nodes' utilization at their peaks.
  std::vector<double> imbalance;
};

/// Violated placement rules: pairs of a replica and a rule that is violated for it; replicas with any such rule; and, summed
/// over the pairs, the extent (P2, Eq. 8), the rule's weight, and extent x weight.
struct RuleCosts {
  std::uint64_t violations = 0;
  std::uint64_t replicas = 0;
  double extent = 0;
  double weight = 0;
  double cost = -1;  ///< negative where the instance has no rules
};

struct Plan {
  std::uint64_t instance = 0;  ///< fingerprint
  std::string planner;
  PlanStatus status = PlanStatus::kPartial;
  std::uint64_t seed = 0;
  std::uint64_t work = 0;
  std::uint64_t pace = 0;          ///< work that the search planned for; 0: it did not
  std::vector<PlannedNode> nodes;  ///< in use; listed ones first, in the instance's order; see compact_plan.h
  std::vector<Placed> placed;      ///< by node, then by app
  std::vector<Unplaced> unplaced;  ///< by app
  /// Lower bounds on the value of any complete plan, where they are known.
  ByObjective<std::optional<Bound>> bounds;
  /// No plan of the request leaves less over. Only where this plan leaves replicas over.
  std::optional<LeftOver> left_over_bound;
  bool places_most = false;  ///< whether this plan leaves over no more than that
  double gap = -1;           ///< of what the plan is judged by, see gap_of(); negative where no statement is possible
  double cost = -1;          ///< sum of prices; negative where the instance has none
  std::uint32_t inherited_violations = 0;
  std::uint32_t moves = 0;
  Objective objective = Objective::kNodes;
  SoftPolicy soft = SoftPolicy::kFirst;  ///< as in the request
  double soft_price = 0;
  bool fill = false;
  double ucac = -1;                  ///< used capacity at confidence; negative where no demand is uncertain
  ResourceId ucac_resource = kNone;  ///< the first resource with uncertain demand
  std::vector<double> node_ucac;     ///< per entry of nodes, of one copy; or empty where no demand is uncertain
  /// What side effects cost the replica that suffers most, and all replicas together; negative without interference.
  double max_cost = -1;
  double total_cost = -1;
  std::vector<double> node_max_cost;  ///< per entry of nodes: the cost of who suffers most there; empty without interference
  double left_out = -1;               ///< value of Objective::kAdmitted; negative where the plan has another objective
  double remote_traffic = -1;         ///< value of Objective::kTraffic; negative without traffic
  double max_cost_limit = 0;          ///< Request.max_cost; 0: none
  /// Where there is room for the replicas of Request::keep, all at once, by node, then by app; and those without room, by app.
  std::vector<Placed> reserved;
  std::vector<Unplaced> unreserved;
  std::string survive;  ///< as in the request
  /// Replicas without a place after the worst loss; 0: the plan survives each of them. kUnknown: not all were looked at.
  std::uint64_t not_survived = 0;
  /// As in the request; the values of this label with a node in use, and a lower bound on them for any complete plan.
  std::string leave_free;
  std::uint32_t domains_in_use = 0;
  std::uint32_t domain_bound = 0;
  std::vector<ReachedGoal> goals;  ///< as in the request
  std::vector<TracedPart> trace;   ///< what the run's parts did, if the request wants to know
  RuleCosts rule_costs;
  /// A score that the planner maximizes, an upper bound on the score of any plan, and their difference as a share of the score;
  /// the gap is negative where no bound is proven.
  bool has_score = false;
  double score = 0;
  double score_bound = 0;
  double score_gap = -1;
  std::vector<Note> notes;

  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  /// Whether there is room for all that was to be kept room for, and every loss that was asked about is survived.
  [[nodiscard]] bool keeps_promises() const { return unreserved.empty() && not_survived == 0; }
  /// Whether it places everything and keeps what is promised. Bounds are about such plans.
  [[nodiscard]] bool is_complete() const { return unplaced.empty() && keeps_promises(); }
  /// Whether no complete plan leaves more domains free.
  [[nodiscard]] bool reaches_domain_bound() const { return leave_free.empty() || domains_in_use <= domain_bound; }
  [[nodiscard]] Judgement judgement() const { return {objective, soft, soft_price, fill}; }
  /// Takes over nodes, placed and unplaced replicas. Everything else stays as it is.
  void adopt(Plan&& other) {
    nodes = std::move(other.nodes);
    node_ucac = std::move(other.node_ucac);
    node_max_cost = std::move(other.node_max_cost);
    placed = std::move(other.placed);
    unplaced = std::move(other.unplaced);
  }
};

}  // namespace stowage
