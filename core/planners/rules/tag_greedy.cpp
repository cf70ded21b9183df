// Heuristics of P2 (sections 5.3 and 7.1). Each replica goes where it adds least to the weighted violations of soft rules (Eq.
// 8). The heuristics differ in the order of apps and in the costs that they consider. All honour hard rules, through headroom.
//
// O(R N), N being the nodes that a replica fits on. The cost of an app's rules is computed once per app and node, and per set.

#include "core/planners/rules/tag_greedy.h"

#include <array>
#include <string>
#include <vector>

#include "core/planners/rules/tag_builder.h"
#include "core/run/asked_nodes.h"

namespace stowage {
namespace {

enum class TagHeuristic : std::uint32_t { kSerial, kPopularity, kCandidates, kKube, kKubePlusPlus, kYarn, kFit };

/// Sum of two scores from 0 to 10: the share left after the replica, averaged over resources, and the balance of these shares.
template <class Unit>
double kube_room(const void*, const Placement<Unit>& placement, AppId app, NodeId node) {
  const Instance& instance = placement.instance();
  const auto demand = instance.scaled_demand<Unit>(app);
  const auto capacity = instance.scaled_capacity(placement.class_of(node));
  double sum = 0;
  double least = 1;
  double most = 0;
  std::uint32_t counted = 0;
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    if (capacity[r] == 0) continue;
    double share = 1;
    for (std::uint32_t t = 0; t < instance.periods(); ++t) {
      const std::uint32_t h = r * instance.periods() + t;
      const double left = static_cast<double>(placement.residuals().residual(node, h)) - demand[h];
      share = std::min(share, left / capacity[r]);
    }
    sum += share;
    least = std::min(least, share);
    most = std::max(most, share);
    ++counted;
  }
  return counted == 0 ? 0 : 10 * sum / counted + 10 * (1 - (most - least));
}

template <class Unit>
double fit_room(const void* context, const Placement<Unit>& placement, AppId, NodeId node) {
  const auto* fit = static_cast<const TagFit*>(context);
  return fit->sign * (*fit->measure)(placement.residuals(), node);
}

template <class Unit>
class TagGreedyRun {
 public:
  /// @param fit used by kFit alone
  TagGreedyRun(const PlannerInput& input, TagHeuristic heuristic, const TagFit& fit)
      : input_(input),
        heuristic_(heuristic),
        fit_(fit),
        builder_(input, heuristic == TagHeuristic::kKube ? TagCosts::Parts::kAffinity : TagCosts::Parts::kAll,
                 {scores_room(heuristic)   ? kube_room<Unit>
                  : fit.measure != nullptr ? fit_room<Unit>
                                           : nullptr,
                  &fit_},
                 heuristic == TagHeuristic::kFit ? TagNodes::kListed : TagNodes::kFinite) {
    if (has_totals()) placement().residuals().track_totals();
  }

  Error run(const std::vector<AppId>& order, Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, input_.instance.total_replicas());
    if (heuristic_ == TagHeuristic::kCandidates) {
      take_by_candidates(order);
    } else {
      for (const AppId app : order) {
        if (input_.run.clock.stop() != Stop::kNo) break;
        take(app);
      }
    }
    if (builder_.placement().hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    builder_.placement().finish(plan);
    return {};
  }

 private:
  static bool scores_room(TagHeuristic heuristic) {
    return heuristic == TagHeuristic::kKube || heuristic == TagHeuristic::kKubePlusPlus;
  }
  Placement<Unit>& placement() { return builder_.placement(); }
  [[nodiscard]] bool has_totals() const { return fit_.measure != nullptr && fit_.measure->needs_totals(); }

  void take(AppId app) {
    if (placement().unplaced(app) == 0) return;
    if (has_totals()) fit_.measure->refresh(placement().residuals().totals(), placement().nodes());
    if (builder_.app() != app) builder_.start(app);
    while (placement().unplaced(app) > 0 && place_one()) {
      const std::uint64_t looks = builder_.take_work();
      looks_.count((1 + looks) * placement().steps_to_ask(app));
      if (input_.run.clock.step(1 + looks / 16)) return;
    }
    done_ += input_.instance.replicas(app);
    input_.run.progress.done(done_);
  }

  bool place_one() {
    switch (heuristic_) {
      case TagHeuristic::kKube:
      case TagHeuristic::kKubePlusPlus:
        return place_scored() || builder_.place_cheapest(TagTies::kFirst);
      case TagHeuristic::kYarn:
        return place_next();
      case TagHeuristic::kSerial:
        return builder_.place_cheapest(TagTies::kFirst);
      case TagHeuristic::kFit:
        return builder_.place_cheapest(fit_.measure == nullptr ? TagTies::kFirst : TagTies::kRoomiest);
      case TagHeuristic::kPopularity:
      case TagHeuristic::kCandidates:
        break;
    }
    return builder_.place_cheapest(TagTies::kRoomiest);
  }

  // YARN: nodes report in turn, and each gets one container if it has room.
  bool place_next() {
    NodeId found = kNone;
    const std::uint64_t steps = placement().steps_to_ask(builder_.app());
    const auto look = [&](NodeId node) {
      if (asked_.count(1, steps)) return false;
      if (placement().headroom(builder_.candidate(), node, 1) == 0) return true;
      found = node;
      return false;
    };
    placement().residuals().for_each_fitting(builder_.candidate().need(), next_, look);
    if (found == kNone && next_ > 0) placement().residuals().for_each_fitting(builder_.candidate().need(), 0, look);
    if (input_.run.clock.stop() != Stop::kNo) return false;
    if (found == kNone) return builder_.place_cheapest(TagTies::kFirst);
    builder_.place(found, 0);
    next_ = found + 1 < placement().nodes() ? found + 1 : 0;
    return true;
  }

  // Kubernetes: each node that passes the filters has three scores from 0 to 10 of equal weight: rules, room left, and balance
  // of the resources. The highest sum wins.
  bool place_scored() {
    const auto& spots = builder_.spots();
    costs_.clear();
    for (const auto& spot : spots) costs_.push_back(builder_.cost(spot));
    input_.run.clock.step(spots.size() / 16);
    if (spots.empty()) return false;
    const auto [least, most] = std::minmax_element(costs_.begin(), costs_.end());
    std::size_t best = spots.size();
    double highest = 0;
    double cost = *most;
    double by_rules = 0;  // the score for `cost`; consecutive spots mostly have equal costs
    for (std::size_t k = 0; k < spots.size(); ++k) {
      if (costs_[k] != cost) {
        cost = costs_[k];
        by_rules = 10 * (*most - cost) / (*most - *least);
      }
      const double score = by_rules + spots[k].room;
      if (best < spots.size() && score <= highest) continue;
      if (!builder_.allows_one(spots[k])) continue;
      best = k;
      highest = score;
    }
    if (best == spots.size()) return false;
    builder_.place(spots[best].node, costs_[best]);
    return true;
  }

  // Takes the app with the fewest nodes on which it violates no rule. A placement mostly lowers the counts of other apps, so a
  // count is renewed only when its app comes out first.
  void take_by_candidates(const std::vector<AppId>& order) {
    const Instance& instance = input_.instance;
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first;
      while (last < order.size() && instance.priority(order[last]) == instance.priority(order[first]) &&
             instance.tag_model().depth(order[last]) == instance.tag_model().depth(order[first])) {
        ++last;
      }
      struct Waiting {
        std::uint64_t nodes;
        std::size_t position;
        std::uint64_t when;  // number of apps placed when `nodes` was counted
      };
      const auto later = [](const Waiting& a, const Waiting& b) {
        return a.nodes != b.nodes ? a.nodes > b.nodes : a.position > b.position;
      };
      std::vector<Waiting> heap;
      for (std::size_t k = first; k < last; ++k) {
        if (placement().unplaced(order[k]) == 0) continue;
        heap.push_back({count_candidates(order[k]), k, 0});
        if (input_.run.clock.stop() != Stop::kNo) return;
      }
      std::make_heap(heap.begin(), heap.end(), later);
      for (std::uint64_t placed = 0; !heap.empty();) {
        std::pop_heap(heap.begin(), heap.end(), later);
        Waiting next = heap.back();
        heap.pop_back();
        if (next.when < placed) {
          next.nodes = count_candidates(order[next.position]);
          next.when = placed;
          heap.push_back(next);
          std::push_heap(heap.begin(), heap.end(), later);
          if (input_.run.clock.stop() != Stop::kNo) return;
          // It is taken now unless another app has fewer nodes.
          if (heap.front().position != next.position) continue;
          std::pop_heap(heap.begin(), heap.end(), later);
          heap.pop_back();
        }
        take(order[next.position]);
        ++placed;
        if (input_.run.clock.stop() != Stop::kNo) return;
      }
      first = last;
    }
  }
  std::uint64_t count_candidates(AppId app) {
    builder_.start(app);
    std::uint64_t count = 0;
    for (const auto& spot : builder_.spots()) count += builder_.cost(spot) <= 0 && builder_.allows_one(spot) ? 1 : 0;
    input_.run.clock.step(1 + builder_.spots().size() / 16);
    return count;
  }

  const PlannerInput& input_;
  TagHeuristic heuristic_;
  TagFit fit_;
  TagBuilder<Unit> builder_;
  LooksBetween looks_{input_.run.clock};
  AskedNodes asked_{input_.run.clock};  // by place_next()
  std::vector<double> costs_;           // of spots
  NodeId next_ = 0;
  std::uint64_t done_ = 0;
};

Error run_in_order(const PlannerInput& input, Plan& plan, TagHeuristic heuristic, const std::vector<AppId>& order,
                   const TagFit& fit) {
  return input.instance.visit_unit(
      [&](auto unit) { return TagGreedyRun<decltype(unit)>(input, heuristic, fit).run(order, plan); });
}

Error run_tag_heuristic(const PlannerInput& input, Plan& plan, TagHeuristic heuristic) {
  const Instance& instance = input.instance;
  std::vector<double> first;
  if (heuristic == TagHeuristic::kPopularity) {
    for (AppId app = 0; app < instance.apps(); ++app) first.push_back(instance.tag_model().popularity(app));
  }
  return run_in_order(input, plan, heuristic, app_order(instance, first), {});
}

}  // namespace

Error tag_popularity(const PlannerInput& input, Plan& plan) {
  return run_tag_heuristic(input, plan, TagHeuristic::kPopularity);
}
Error tag_node_candidates(const PlannerInput& input, Plan& plan) {
  return run_tag_heuristic(input, plan, TagHeuristic::kCandidates);
}

Error tag_fit(const PlannerInput& input, Plan& plan, const std::vector<AppId>& order, const TagFit& fit) {
  return run_in_order(input, plan, TagHeuristic::kFit, order, fit);
}

std::span<const PlannerInfo> tag_greedy_planners() {
  static const std::vector<PlannerInfo> kPlanners = [] {
    std::vector<PlannerInfo> all;
    const auto add = [&](const char* name, const char* summary, const char* source, TagHeuristic heuristic) {
      const ObjectiveSet both = {Objective::kNodes, Objective::kSoftRules};
      all.push_back(
          {.name = name,
           .summary = summary,
           .source = source,
           .complexity = "O(R N)",
           .honours = kHeadroomFeatures,
           .function = [heuristic](const PlannerInput& input, Plan& plan) { return run_tag_heuristic(input, plan, heuristic); },
           .pursues = heuristic == TagHeuristic::kYarn ? ObjectiveSet{Objective::kNodes} : both});
    };
    add("serial", "replicas in given order, each on the node where it violates soft rules least", "P2, section 7.1 (Serial)",
        TagHeuristic::kSerial);
    add("j-kube", "as Kubernetes: nodes scored by room, balance and, of soft rules, (anti-)affinity alone",
        "P2, section 7.1 (J-Kube)", TagHeuristic::kKube);
    add("j-kube++", "as j-kube, with soft rules of all kinds", "P2, section 7.1 (J-Kube++)", TagHeuristic::kKubePlusPlus);
    add("yarn", "nodes in turn, one replica each; ignores soft rules", "P2, section 7.1 (YARN)", TagHeuristic::kYarn);
    return all;
  }();
  return kPlanners;
}

}  // namespace stowage
