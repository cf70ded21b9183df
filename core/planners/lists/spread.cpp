// The multi-node family with replica spreading (P0, section 4.4, algorithm 3): activate n nodes at once; take the apps one by
// one; each replica goes to the feasible node with the largest residual. Search versions call this for several n.
//
// O(R (log N + skipped nodes / 64)) per n for measures with fixed weights: nodes are kept in order of their measure, and an
// app's replicas are placed in one pass down that order. Other measures rank the feasible nodes again for every app.

#include "core/planners/families.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "core/measures/order.h"
#include "core/measures/residual.h"
#include "core/measures/size.h"
#include "core/placement/node_ranking.h"
#include "core/placement/placement.h"
#include "core/placement/spread_pass.h"
#include "core/planners/lists/node_search.h"
#include "core/run/asked_nodes.h"

namespace stowage {
namespace {

struct SpreadVariant {
  bool decreasing;
  Measure measure;
  NodeSearch search;
  std::uint32_t step;  // percent
};

/// One trial with a given number of nodes.
template <class Unit>
class SpreadTrial {
 public:
  SpreadTrial(const PlannerInput& input, const Request& request, const SpreadVariant& variant, std::uint32_t nodes)
      : input_(input),
        placement_(input.instance, request, &input.run.clock),
        candidate_(placement_),
        classes_(class_order(input.instance)),
        measure_(input.instance, variant.measure, input.options.number("epsilon")),
        pass_(placement_, KeyOf{this}) {
    activate(input, classes_, nodes, placement_, [](ClassId, NodeId) {});
    has_begun_ = input_.run.clock.stop() == Stop::kNo;
    if (measure_.needs_totals()) {
      placement_.residuals().track_totals();
    } else {
      placement_.residuals().loosen_maxima();
      for (NodeId n = 0; n < placement_.nodes() && input_.run.clock.stop() == Stop::kNo; ++n) {
        pass_.add(n);
        ends_after(n + 1, input_.run.clock);
      }
    }
  }

  SpreadTrial(const SpreadTrial&) = delete;
  SpreadTrial(SpreadTrial&&) = delete;
  SpreadTrial& operator=(const SpreadTrial&) = delete;
  SpreadTrial& operator=(SpreadTrial&&) = delete;
  ~SpreadTrial() = default;

  /// Places the apps in this order. With `all_or_nothing`, stops at the first app that is not fully placed. Returns whether all
  /// replicas were placed.
  bool run(const std::vector<AppId>& order, bool all_or_nothing) {
    bool complete = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const AppId app = order[k];
      if (k + 1 < order.size()) input_.instance.limit_rows().prefetch(order[k + 1]);
      if (placement_.unplaced(app) == 0) continue;
      if (input_.run.clock.stop() != Stop::kNo) return false;
      candidate_.start(placement_, app, true);
      place(app);
      overflow(app);
      if (placement_.unplaced(app) == 0) continue;
      complete = false;
      if (all_or_nothing) return false;
    }
    return complete;
  }

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  /// Whether there was time for more than the nodes.
  [[nodiscard]] bool has_begun() const { return has_begun_; }

 private:
  struct KeyOf {
    const SpreadTrial* trial;
    double operator()(NodeId node) const { return trial->measure_(trial->placement_.residuals(), node); }
  };

  void place(AppId app) {
    if (measure_.needs_totals()) {
      place_by_new_weights(app);
    } else {
      pass_.place(candidate_, app, input_.run.clock);
    }
  }

  // Opens further nodes for replicas that the active nodes cannot take, as far as the request and the classes allow: an app may
  // fit only a class without active nodes.
  void overflow(AppId app) {
    LooksBetween looks(input_.run.clock);
    while (placement_.unplaced(app) > 0 && input_.run.clock.stop() == Stop::kNo) {
      const NodeId node = placement_.open_for(candidate_, classes_);
      if (node == kNone) return;
      placement_.place(app, node, placement_.headroom(candidate_, node, placement_.unplaced(app)));
      if (!measure_.needs_totals()) pass_.add(node);
      looks.count(classes_.size() * placement_.steps_to_ask(app));
      input_.run.clock.step(1);
    }
  }

  // For measures whose weights depend on the residuals of all nodes: ranks the feasible nodes for this app.
  void place_by_new_weights(AppId app) {
    measure_.refresh(placement_.residuals().totals(), placement_.nodes());
    placement_.residuals().filter(candidate_.need(), fits_);
    heap_.clear();
    AskedNodes asked(input_.run.clock);
    if (asked.count(1, 0)) return;
    for (std::uint32_t block = 0; block < fits_.size(); ++block) {
      if (asked.count(static_cast<std::uint64_t>(std::popcount(fits_[block])), 0)) return;
      for (std::uint64_t mask = fits_[block]; mask != 0; mask &= mask - 1) {
        const NodeId node = block * kBlock + static_cast<NodeId>(std::countr_zero(mask));
        heap_.append({measure_(placement_.residuals(), node), node});
      }
    }
    heap_.settle();
    while (!heap_.empty() && placement_.unplaced(app) > 0) {
      if (asked.count(1, placement_.steps_to_ask(app))) return;
      const NodeId node = heap_.pop();
      if (placement_.headroom(candidate_, node, 1) == 0) continue;
      placement_.place(app, node, 1);
      heap_.push({measure_(placement_.residuals(), node), node});
    }
    input_.run.clock.step(asked.left());
  }

  const PlannerInput& input_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<ClassId> classes_;
  ResidualMeasure measure_;
  SpreadPass<Unit, KeyOf> pass_;     // for measures with fixed weights
  std::vector<std::uint64_t> fits_;  // one bit per node: the app's demand fits by the columns
  RankedHeap heap_;
  bool has_begun_ = false;
};

template <class Unit>
Error spread(const PlannerInput& input, const SpreadVariant& variant, Plan& plan) {
  const Instance& instance = input.instance;
  std::vector<double> size;
  if (variant.decreasing) {
    size = sizes(instance, variant.measure, input.options.number("epsilon"));
    const double alpha = input.options.number("alpha");
    if (alpha < 1) size = hybrid_sizes(instance, std::move(size), alpha);
  }
  const std::vector<AppId> order = app_order(instance, size);
  return plan_on_nodes(input, variant.search, variant.step, plan,
                       [&](const Request& request, std::uint32_t nodes, bool all_or_nothing, Plan& result) -> Result<bool> {
                         SpreadTrial<Unit> trial(input, request, variant, nodes);
                         const bool complete = trial.run(order, all_or_nothing);
                         return finish_attempt(trial, complete, variant.search, all_or_nothing, result);
                       });
}

constexpr OptionInfo kDecreasingOptions[] = {kAlphaOption, kEpsilonOption};
constexpr OptionInfo kGivenOptions[] = {kEpsilonOption};

std::vector<PlannerInfo> make_spread_planners() {
  std::vector<PlannerInfo> all;
  const auto add = [&](const std::string& name, const std::string& what, SpreadVariant variant) {
    const std::span<const OptionInfo> options =
        variant.decreasing ? std::span<const OptionInfo>(kDecreasingOptions) : std::span<const OptionInfo>(kGivenOptions);
    const auto member = [&](const std::string& suffix, const std::string& nodes, NodeSearch search, std::uint32_t step) {
      variant.search = search;
      variant.step = step;
      all.push_back({.name = name + suffix,
                     .summary = what + ", " + nodes,
                     .source = "P0, section 4.4, algorithm 3",
                     .complexity = "O(R N d) per number of nodes",
                     .honours = kHeadroomFeatures,
                     .options = options,
                     .function = [variant](const PlannerInput& input, Plan& plan) {
                       return input.instance.visit_unit(
                           [&](auto unit) { return spread<decltype(unit)>(input, variant, plan); });
                     }});
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
  static const std::vector<PlannerInfo> kPlanners = make_spread_planners();
  return kPlanners;
}

}  // namespace stowage
