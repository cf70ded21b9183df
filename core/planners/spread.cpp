// The multi-node family with replica spreading (P0, section 4.4, algorithm 3): activate n nodes at once; take the apps one by
// one; each replica goes to the feasible node with the largest residual. Search versions call this for several n.
//
// O(R (log N + skipped nodes)) per n for measures whose weights stay fixed: nodes are kept in order of their measure, and an
// app's replicas are placed in one pass down that order. Other measures rank the feasible nodes anew for every app.

#include "core/planners/spread.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/measures/residual.h"
#include "core/measures/size.h"
#include "core/model/placement.h"
#include "core/planners/node_ranking.h"
#include "core/planners/node_search.h"
#include "core/planners/order.h"

namespace stowage {
namespace {

struct Variant {
  bool decreasing;
  Measure measure;
  NodeSearch search;
  std::uint32_t step;  // percent
};

constexpr std::uint32_t encode(const Variant& v) {
  return (v.decreasing ? 1u : 0u) | static_cast<std::uint32_t>(v.measure) << 4 | static_cast<std::uint32_t>(v.search) << 8 |
         v.step << 16;
}
constexpr Variant decode(std::uint32_t code) {
  return {(code & 1) != 0, static_cast<Measure>(code >> 4 & 15), static_cast<NodeSearch>(code >> 8 & 15), code >> 16};
}

/// One trial with a given number of nodes.
template <class Unit>
class SpreadTrial {
 public:
  SpreadTrial(const PlannerInput& input, const Request& request, const Variant& variant, std::uint32_t nodes)
      : input_(input),
        placement_(input.instance, request),
        candidate_(placement_),
        classes_(class_order(input.instance)),
        measure_(input.instance, variant.measure, input.options.number("epsilon")) {
    activate(nodes);
    if (measure_.needs_totals()) {
      placement_.residuals().track_totals();
    } else {
      std::vector<double> keys(placement_.nodes());
      for (NodeId n = 0; n < placement_.nodes(); ++n) keys[n] = measure_(placement_.residuals(), n);
      ranking_.assign(std::move(keys));
    }
  }

  /// Places the apps in this order. Stops at the first app that is not fully placed if `all_or_nothing`; returns whether
  /// everything was placed.
  bool run(const std::vector<AppId>& order, bool all_or_nothing) {
    bool complete = true;
    for (const AppId app : order) {
      if (placement_.unplaced(app) == 0) continue;
      if (input_.run.stop() != Stop::kNo) return false;
      candidate_.start(placement_, app);
      place(app);
      overflow(app);
      if (placement_.unplaced(app) == 0) continue;
      complete = false;
      if (all_or_nothing) return false;
    }
    return complete;
  }

  [[nodiscard]] const Placement<Unit>& placement() const { return placement_; }

 private:
  // Opens nodes in class order until n are there, listed ones included, or no class has more.
  void activate(std::uint32_t nodes) {
    // No plan uses more nodes than it has replicas.
    const Instance& instance = input_.instance;
    const std::uint64_t useful = std::min(instance.listed_nodes() + instance.total_replicas(), instance.limits().max_nodes);
    nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, useful));
    for (const ClassId c : classes_) {
      while (placement_.nodes() < nodes) {
        if (placement_.open(c) == kNone) break;
      }
    }
  }

  void place(AppId app) {
    const std::uint32_t fitting = placement_.residuals().filter(candidate_.need(), fits_);
    if (measure_.needs_totals()) measure_.refresh(placement_.residuals().totals(), placement_.nodes());
    // While most nodes still fit, the first few of the order will do; later, the few that fit are better ranked by themselves.
    if (!measure_.needs_totals() && fitting > placement_.nodes() / kFewNodes) {
      place_in_pass(app);
    } else {
      place_ranked(app);
    }
  }

  // What the active nodes cannot take goes to further ones, where the request and the classes have some: an app may only fit a
  // class that was not activated.
  void overflow(AppId app) {
    while (placement_.unplaced(app) > 0 && input_.run.stop() == Stop::kNo) {
      const NodeId node = placement_.open_for(candidate_, classes_);
      if (node == kNone) return;
      placement_.place(app, node, placement_.headroom(candidate_, node, placement_.unplaced(app)));
      if (!measure_.needs_totals()) ranking_.add(measure_(placement_.residuals(), node));
      input_.run.step(1);
    }
  }

  void place_in_pass(AppId app) {
    NodeRanking::Pass pass(ranking_);
    std::uint64_t visited = 1;
    for (NodeId node = pass.next(); node != kNone && placement_.unplaced(app) > 0; node = pass.next()) {
      ++visited;
      if ((fits_[node / kBlock] >> (node % kBlock) & 1) == 0 || placement_.headroom(candidate_, node, 1) == 0) continue;
      placement_.place(app, node, 1);
      pass.lower(node, measure_(placement_.residuals(), node));
    }
    input_.run.step(visited);
  }

  void place_ranked(AppId app) {
    const bool fixed = !measure_.needs_totals();
    heap_.clear();
    for (std::uint32_t block = 0; block < fits_.size(); ++block) {
      for (std::uint64_t mask = fits_[block]; mask != 0; mask &= mask - 1) {
        const NodeId node = block * kBlock + static_cast<NodeId>(std::countr_zero(mask));
        heap_.push_back({fixed ? ranking_.key(node) : measure_(placement_.residuals(), node), node});
      }
    }
    // operator< of Ranked puts the larger key first, so the heap is by its reverse.
    const auto later = [](const NodeRanking::Ranked& a, const NodeRanking::Ranked& b) { return b < a; };
    std::make_heap(heap_.begin(), heap_.end(), later);
    std::uint64_t visited = 1 + heap_.size();
    while (!heap_.empty() && placement_.unplaced(app) > 0) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const NodeId node = heap_.back().node;
      ++visited;
      if (placement_.headroom(candidate_, node, 1) == 0) {
        heap_.pop_back();
        continue;
      }
      placement_.place(app, node, 1);
      heap_.back().key = measure_(placement_.residuals(), node);
      if (fixed) ranking_.change(node, heap_.back().key);
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
    input_.run.step(visited);
  }

  /// Below one in so many, few nodes fit.
  static constexpr std::uint32_t kFewNodes = 8;

  const PlannerInput& input_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<ClassId> classes_;
  ResidualMeasure measure_;
  NodeRanking ranking_;
  std::vector<std::uint64_t> fits_;  // one bit per node: the app's demand fits by the columns
  std::vector<NodeRanking::Ranked> heap_;
};

/// Nodes of first fit, which every search starts from, and its plan, which stands where no trial beats it.
Error first_fit(const PlannerInput& input, Plan& plan) {
  const PlannerInfo* info = find_planner("ff");
  const PlannerInput own = {input.instance, input.request, *info, Options(info->options, Request{}), input.run};
  return info->function(own, plan);
}

template <class Unit>
Error spread(const PlannerInput& input, Plan& plan) {
  const Instance& instance = input.instance;
  const Variant variant = decode(input.info.variant);
  std::vector<double> size;
  if (variant.decreasing) {
    size = sizes(instance, variant.measure, input.options.number("epsilon"));
    const double alpha = input.options.number("alpha");
    if (alpha < 1) size = hybrid_sizes(instance, std::move(size), alpha);
  }
  const std::vector<AppId> order = app_order(instance, size);
  const ComputedBounds bounds = compute_bounds(instance);
  // No plan uses more nodes than there are replicas and loaded nodes, however many a bound asks for what fits nowhere.
  const double most = std::min<double>(kNone - 1, static_cast<double>(instance.total_replicas()) + instance.listed_nodes());
  const auto lower_bound = static_cast<std::uint32_t>(std::min(bounds.nodes.front().value.value, most));

  if (variant.search == NodeSearch::kGiven) {
    input.run.enter(Phase::kPlan, instance.total_replicas());
    const std::uint32_t nodes = input.request.node_limit != 0 ? input.request.node_limit : lower_bound;
    SpreadTrial<Unit> trial(input, input.request, variant, nodes);
    trial.run(order, false);
    if (trial.placement().hit_ceiling()) return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    trial.placement().write(plan);
    return {};
  }

  if (Error e = first_fit(input, plan); e.code != Code::kOk) return e;
  // Where first fit leaves something over, so would a trial with fewer nodes; there is nothing to search.
  if (!plan.unplaced.empty()) return {};
  input.run.enter(Phase::kPlan);
  input.run.best(plan.nodes.size());
  search_nodes(variant.search, lower_bound, static_cast<std::uint32_t>(plan.nodes.size()), variant.step, input.run,
               [&](std::uint32_t nodes) {
                 Request request = input.request;
                 request.node_limit = nodes;
                 SpreadTrial<Unit> trial(input, request, variant, nodes);
                 if (!trial.run(order, true)) return false;
                 plan.nodes.clear();
                 plan.placed.clear();
                 trial.placement().write(plan);
                 input.run.best(plan.nodes.size());
                 return true;
               });
  return {};
}

Error spread_any(const PlannerInput& input, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return spread<decltype(unit)>(input, plan); });
}

constexpr OptionInfo kEpsilon = {"epsilon", "weight exponent of the measure avgexp (P0, tables 1 and 2)", 0.01, 0, 64};
constexpr OptionInfo kAlpha = {"alpha", "share of demand in the order, the rest is degree (P0, Eq. 3); 1 = demand alone", 1, 0,
                               1};
constexpr OptionInfo kDecreasingOptions[] = {kAlpha, kEpsilon};
constexpr OptionInfo kGivenOptions[] = {kEpsilon};

std::vector<PlannerInfo> make_planners() {
  std::vector<PlannerInfo> all;
  const auto add = [&](const std::string& name, const std::string& what, Variant variant) {
    const std::span<const OptionInfo> options =
        variant.decreasing ? std::span<const OptionInfo>(kDecreasingOptions) : std::span<const OptionInfo>(kGivenOptions);
    const auto member = [&](const std::string& suffix, const std::string& nodes, NodeSearch search, std::uint32_t step) {
      variant.search = search;
      variant.step = step;
      all.push_back({name + suffix, what + ", " + nodes, "P0, section 4.4, algorithm 3", "O(R N d) per number of nodes",
                     kDeterministicFeatures, options, spread_any, encode(variant)});
    };
    member("", "on node_limit nodes (default: the bound)", NodeSearch::kGiven, 0);
    member("-binsearch", "fewest nodes by binary search", NodeSearch::kBinary, 0);
    for (const std::uint32_t step : {2u, 3u, 5u}) {
      const std::string percent = std::to_string(step);
      member("-decr" + percent, "nodes falling by " + percent + " % of the bound", NodeSearch::kDecrement, step);
    }
  };
  add("spread-wf", "replicas spread, apps in given order", {false, Measure::kAverage, NodeSearch::kGiven, 0});
  for (const Measure m : kMeasures) {
    const std::string name(measure_name(m));
    add("spread-wfd-" + name, "replicas spread, apps by " + name, {true, m, NodeSearch::kGiven, 0});
  }
  return all;
}

}  // namespace

std::span<const PlannerInfo> spread_planners() {
  static const std::vector<PlannerInfo> kPlanners = make_planners();
  return kPlanners;
}

}  // namespace stowage
