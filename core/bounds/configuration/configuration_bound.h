// The configuration bound: nodes are filled with whole replicas, and only the numbers of nodes may be fractions.
//
//   minimize    sum over contents p of kinds c of cost_c x_cp
//   subject to  sum of amount_p x_cp >= demand,  sum over p of x_cp <= N_c,  x >= 0
//
// Contents obey capacities, self limits and eligibility. Limits between different apps and placement rules are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/bounds/prices/capacity_prices.h"
#include "core/run/work_clock.h"

namespace stowage {

struct ConfigurationBound {
  /// A lower bound on the cost of any complete plan (on its nodes, for NodeCost::kOne), at least that of capacity_prices();
  /// rounded up to what a plan can have.
  double bound = 0;
  /// The optimum of the linear program is at most this; infinity where no solution is known.
  double at_most = 0;
  /// Per app: what a replica is worth, at least 0.
  std::vector<double> worth;

  /// Nodes that hold the same.
  struct Pattern {
    std::vector<std::uint32_t> groups;                          ///< they are of any of these groups of Supply; ascending
    double nodes;                                               ///< how many, a fraction
    std::vector<std::pair<std::uint32_t, std::uint32_t>> held;  ///< (item, replicas)
  };
  /// A solution of the linear program, as far as it has been found. Empty where apps differ too much for that.
  std::vector<Pattern> patterns;
  /// Apps of an item: of equal demand, on the same nodes. A pattern's replicas may be of any of them, within their own limits.
  std::vector<std::vector<AppId>> items;
};

/// Column generation that may be interrupted: each run goes on where the last one ended.
class ConfigurationSearch {
 public:
  ConfigurationSearch(const Instance& instance, const Supply& supply, const EligibleGroups& groups, NodeCost cost);
  ~ConfigurationSearch();
  ConfigurationSearch(const ConfigurationSearch&) = delete;
  ConfigurationSearch& operator=(const ConfigurationSearch&) = delete;
  ConfigurationSearch(ConfigurationSearch&&) = delete;
  ConfigurationSearch& operator=(ConfigurationSearch&&) = delete;

  /// Goes on until the program is solved to a small tolerance or `clock` says that the run, or its part, ends. O(items x
  /// dimensions) per step and kind of node. False: there is nothing more to find.
  bool run(WorkClock& clock);
  [[nodiscard]] ConfigurationBound result() const;

 private:
  struct State;
  static void add_patterns(const State& of, ConfigurationBound& result);
  std::unique_ptr<State> state_;
};

/// A node to begin a plan with.
struct FilledNode {
  const Supply::Group& group;                                 ///< one of its nodes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> held;  ///< (item, replicas), at least one
};
/// Calls visit for whole nodes of the patterns, one after the other, until it returns false: as many as the fractions hold, and
/// one more for each fraction, the largest first, whose replicas are all left. They are spread over their groups within the
/// groups' counts. No item has more replicas than its apps want; which app a replica is of is left open, as are limits and
/// rules.
/// @param wanted replicas to place, per app
void whole_nodes(std::span<const std::uint32_t> wanted, const Supply& supply, const ConfigurationBound& bound,
                 const std::function<bool(const FilledNode&)>& visit);

/// Name and source of the bound on nodes or, where the instance has prices, on their cost.
const BoundInfo& configuration_bound_info(const Instance& instance);
/// Adds the bound to those of what plans of the instance are judged by: kCost with prices, else kNodes. Where the others prove
/// that there is no complete plan, it would say nothing, and is not added.
void add_configuration_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds);

/// What ConfigurationSearch finds in one run.
ConfigurationBound configuration_bound(const Instance& instance, const Supply& supply, const EligibleGroups& groups,
                                       NodeCost cost, WorkClock& clock);

}  // namespace stowage
