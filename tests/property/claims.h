// What the library claims of a tiny instance - bounds, "optimal", "no complete plan exists", "no plan leaves less over" - held
// against exact search. Failures are GoogleTest's.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bounds/admission/node_prices.h"
#include "core/bounds/bounds.h"
#include "core/bounds/traffic/traffic_forest_bound.h"
#include "core/columns/tree/column_bound.h"
#include "core/plan/side_effects.h"
#include "core/planners/planner.h"
#include "tests/property/generator.h"
#include "tests/property/optimum.h"

namespace stowage::test {

/// How many claims were held against exact search.
struct ClaimCounts {
  std::uint64_t instances = 0;
  std::uint64_t plans = 0;
  std::uint64_t feasible = 0;        ///< instances that have a complete plan
  std::uint64_t infeasible = 0;      ///< instances that have none
  std::uint64_t bounds = 0;          ///< compared with an optimum
  std::uint64_t tight = 0;           ///< instances whose bound on nodes is the optimum
  std::uint64_t by_worst = 0;        ///< bounds on the worst cost that are the optimum
  std::uint64_t optimal = 0;         ///< plans with the status optimal
  std::uint64_t proven_too_few = 0;  ///< plans with the status infeasible
  std::uint64_t places_most = 0;     ///< plans that claim to leave over no more than they have to
  std::uint64_t ucac = 0;            ///< bounds on used capacity that were compared
  std::uint64_t least_traffic = 0;   ///< complete plans of the least remote traffic
  std::uint64_t least_left_out = 0;  ///< plans of `auto` that leave out what they have to, and no more
};

/// Holds what is claimed of one instance against exact search. For instances of up to seven replicas whose hard rules are
/// judged, see tiny().
class Claims {
 public:
  Claims(const Generated& generated, ClaimCounts& counts)
      : generated_(generated), instance_(generated.build()), judge_(generated), counts_(&counts), free_(exact({})) {
    ++counts.instances;
    ++(free_.feasible ? counts.feasible : counts.infeasible);
  }

  /// Whether exact search takes no time and judges all constraints.
  [[nodiscard]] static bool tiny(const Generated& generated) {
    return std::accumulate(generated.data.replicas.begin(), generated.data.replicas.end(), 0u) <= 7 &&
           Judge(generated).judges_rules();
  }
  [[nodiscard]] const Instance& instance() const { return instance_; }

  /// The bounds that hold for every complete plan.
  void check_bounds() {
    ComputedBounds bounds = compute_bounds(instance_);
    Request request;
    request.work_limit = 200'000;
    WorkClock clock(request, nullptr);
    add_column_bound(instance_, clock, bounds);
    WorkClock traffic_clock(request, nullptr);
    add_traffic_forest_bound(instance_, traffic_clock, bounds);
    if (!free_.feasible) return;
    EXPECT_FALSE(bounds.infeasible) << "a complete plan exists";
    for (const Objective objective :
         {Objective::kNodes, Objective::kCost, Objective::kUcac, Objective::kWorst, Objective::kTotal, Objective::kTraffic}) {
      for (const ComputedBound& bound : bounds.of[objective]) {
        check_bound(objective, bound.value.value, free_, std::string(bound.info->name));
      }
    }
    for (const ComputedBound& bound : bounds.of[Objective::kWorst]) {
      counts_->by_worst += bound.value.value >= free_.worst * (1 - 1e-9) ? 1 : 0;
    }
    counts_->tight += bounds.fewest_nodes() == free_.nodes ? 1 : 0;
  }

  /// The bounds on what has to be left out, where running replicas stay.
  void check_admission_bounds() {
    const double least = least_left_out();
    if (!std::isfinite(least)) return;
    const AdmissionBound known = admission_bound(instance_, Supply(instance_), Request());
    EXPECT_LE(known.left_out, least + 1e-9);
    Request request;
    request.work_limit = 200'000;
    WorkClock clock(request, nullptr);
    NodePrices prices(instance_, Supply(instance_), Request(), known);
    prices.run(0, clock);
    EXPECT_LE(prices.left_out(), least + 1e-9);
  }

  /// What a plan claims as the answer to its request.
  void check_plan_claims(const Request& request, const Plan& plan) {
    ++counts_->plans;
    EXPECT_EQ(Judge::note_problem(plan), "");
    const std::optional<Freedom> freedom = freedom_of(request);
    if (!freedom) return;
    const Optimum& best = exact(*freedom);
    if (plan.unplaced.empty()) check_complete(plan, best);
    if (best.feasible) {
      EXPECT_FALSE(plan.status == PlanStatus::kInfeasibleProven) << "a complete plan exists";
      for (const Objective objective :
           {Objective::kNodes, Objective::kCost, Objective::kUcac, Objective::kWorst, Objective::kTotal, Objective::kTraffic}) {
        if (plan.bounds[objective]) check_bound(objective, plan.bounds[objective]->value, best, plan.bounds[objective]->name);
      }
    }
    counts_->proven_too_few += plan.status == PlanStatus::kInfeasibleProven ? 1 : 0;
    if (request.objective == Objective::kAdmitted) {
      check_admitted(request, plan);
    } else {
      check_left_over(request, plan, *freedom);
      if (plan.status == PlanStatus::kOptimal) check_optimal(plan, best);
    }
  }

 private:
  static double of(Objective objective, const Optimum& optimum) {
    switch (objective) {
      case Objective::kCost:
        return optimum.cost;
      case Objective::kUcac:
        return optimum.ucac;
      case Objective::kWorst:
        return optimum.worst;
      case Objective::kTotal:
        return optimum.total;
      case Objective::kTraffic:
        return optimum.remote;
      default:
        return optimum.nodes;
    }
  }

  void check_bound(Objective objective, double bound, const Optimum& optimum, const std::string& name) {
    ++counts_->bounds;
    counts_->ucac += objective == Objective::kUcac ? 1 : 0;
    const double lowest = of(objective, optimum);
    EXPECT_LE(bound, lowest + 1e-9 * std::max(1.0, lowest)) << name;
  }

  void check_complete(const Plan& plan, const Optimum& best) {
    ASSERT_TRUE(best.feasible) << "the exact search found no complete plan";
    EXPECT_GE(plan.nodes.size(), best.nodes);
    EXPECT_GE(instance_.has_prices() ? plan.cost : 0, best.cost - 1e-9);
    if (!instance_.data().traffic.empty()) {
      EXPECT_GE(plan.remote_traffic, best.remote - 1e-9);
      counts_->least_traffic += plan.remote_traffic <= best.remote + 1e-9 ? 1 : 0;
    }
    if (!instance_.has_interference()) return;
    EXPECT_GE(plan.max_cost, best.worst * (1 - 1e-9));
    EXPECT_GE(plan.total_cost, best.total * (1 - 1e-9));
  }

  void check_optimal(const Plan& plan, const Optimum& best) {
    const Objective judged = judged_by(instance_, plan.objective);
    ++counts_->optimal;
    // Of plans of the same value, one that breaks no soft rule may cost no more than the optimum without them.
    const double lowest = of(judged, best);
    EXPECT_NEAR(judged_value(instance_, plan, plan.judgement()), lowest, 1e-7 * std::max(1.0, lowest));
  }

  void check_admitted(const Request& request, const Plan& plan) {
    if (request.ignore_running || request.move_budget > 0 || request.max_cost > 0 || request.node_limit > 0) return;
    const double least = least_left_out();
    if (!std::isfinite(least)) return;
    EXPECT_GE(plan.left_out, least - 1e-9);
    if (plan.places_most) {
      EXPECT_NEAR(plan.left_out, least, 1e-6);
    }
    counts_->least_left_out += request.planner == "auto" && least > 0 && plan.left_out <= least + 1e-9 ? 1 : 0;
  }

  /// No plan leaves less over than the plan states. By trying every number of replicas of each app.
  void check_left_over(const Request& request, const Plan& plan, const Freedom& freedom) {
    const bool stays = freedom.may_move || freedom.moves == 0;
    if (!plan.left_over_bound || !stays || (!plan.places_most && plan.left_over_bound->empty())) return;
    std::optional<LeftOver> fewest;
    std::vector<std::uint32_t> placed(instance_.apps(), 0);
    for (;;) {
      LeftOver left;
      for (AppId i = 0; i < instance_.apps(); ++i) {
        left.add(instance_.priority(i), instance_.replicas(i) - placed[i], replica_worth(instance_, i, request.fill));
      }
      if ((!fewest || left < *fewest) && OptimumSearch(generated_, freedom, placed).run().feasible) fewest = left;
      AppId next = 0;
      while (next < instance_.apps() && placed[next] == instance_.replicas(next)) placed[next++] = 0;
      if (next == instance_.apps()) break;
      ++placed[next];
    }
    if (!fewest) return;  // what runs breaks a constraint
    EXPECT_FALSE(*fewest < *plan.left_over_bound) << "a plan leaves less over than the bound says";
    if (!plan.places_most) return;
    ++counts_->places_most;
    EXPECT_FALSE(*fewest < left_over_of(instance_, plan, request.judgement())) << "a plan leaves less over";
  }

  /// The least weight of the applications that are left out, by trying every set of those that are admitted. What runs stays.
  double least_left_out() {
    if (least_left_out_) return *least_left_out_;
    std::vector<std::uint32_t> stays(instance_.apps(), 0);
    std::map<std::pair<NodeId, AppId>, std::uint32_t> held;
    for (const auto* list : {&generated_.data.running, &generated_.data.pinned}) {
      for (const Residence& r : *list) held[{r.node, r.app}] = std::max(held[{r.node, r.app}], r.replicas);
    }
    for (const auto& [where, replicas] : held) stays[where.second] += replicas;
    const std::vector<double> weight = application_weights(instance_);
    const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t set = 0; set < 1u << instance_.apps(); ++set) {
      double left_out = all;
      std::vector<std::uint32_t> replicas = stays;
      for (AppId app = 0; app < instance_.apps(); ++app) {
        if ((set >> instance_.application(app) & 1) == 0) continue;
        left_out -= weight[app];
        replicas[app] = instance_.replicas(app);
      }
      if (left_out < least && OptimumSearch(generated_, {.may_move = false}, replicas).run().feasible) least = left_out;
    }
    least_left_out_ = least;
    return least;
  }

  /// What the request leaves to plans; nothing where that cannot be said in terms of Freedom.
  [[nodiscard]] std::optional<Freedom> freedom_of(const Request& request) const {
    Freedom freedom;
    freedom.may_move = request.ignore_running || generated_.data.running.empty();
    freedom.moves = request.move_budget;
    freedom.max_cost = request.max_cost;
    if (request.node_limit == 0) return freedom;
    const std::uint32_t start = judge_.in_use_at_start(request);
    // Where nodes may become empty, it is left to planners which of them count.
    if (start > request.node_limit && request.move_budget > 0) return std::nullopt;
    freedom.nodes = std::max(start, request.node_limit);
    return freedom;
  }

  const Optimum& exact(const Freedom& f) {
    const auto key = std::make_tuple(f.may_move, f.moves, f.nodes, f.max_cost);
    const auto known = exact_.find(key);
    if (known != exact_.end()) return known->second;
    return exact_.emplace(key, OptimumSearch(generated_, f).run()).first->second;
  }

  const Generated& generated_;
  Instance instance_;
  Judge judge_;
  ClaimCounts* counts_;
  std::map<std::tuple<bool, std::uint32_t, std::uint32_t, double>, Optimum> exact_;
  std::optional<double> least_left_out_;
  const Optimum& free_;
};

}  // namespace stowage::test
