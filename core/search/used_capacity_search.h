// Exchanges of replicas that lower the used capacity at confidence: the sum over nodes of mean + D sqrt(spread) (P1, section
// 4.1).
//
// The sum of means is the same wherever replicas are, but the sum of roots is concave in the spreads: it falls where replicas
// of large spread share nodes, and where nodes that hold little are emptied. A step takes two nodes and makes the best exchange
// of one replica (or nothing) for another (or nothing) that both have room for and no constraint forbids. At first only gains
// are taken, until there is none. Then come turns of growing length in which a step may lose up to a threshold that falls to 0
// (threshold accepting), which leads out of local optima. The best contents are kept.
//
// Running replicas make the moves that gain most: at first a move must gain much, then half as much, and so on.
//
// Deterministic: only square roots and sums. O(tenants^2) roots per step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run/work_clock.h"
#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
class UsedCapacitySearch {
 public:
  UsedCapacitySearch(SearchState<Unit>& state, std::uint64_t seed);

  /// Searches until several turns in a row have found nothing better, or the clock stops it. Returns whether it found a better
  /// plan than the one it started from.
  bool run(WorkClock& clock);
  /// The best contents found.
  [[nodiscard]] const NodeContents& contents() const { return best_contents_; }

 private:
  /// What the node uses with one replica of `arriving` more and one of `leaving` less (kNone: none), in scaled units.
  [[nodiscard]] double use_after(NodeId node, AppId arriving, AppId leaving) const;
  /// Takes losses up to a threshold that falls from `hottest` to 0. Returns false where the clock stopped it.
  bool steps(WorkClock& clock, std::uint64_t count, double hottest);
  void step();
  void list_apps(NodeId node, std::vector<AppId>& apps) const;
  [[nodiscard]] bool possible(AppId mover, NodeId from, AppId other, NodeId to);
  bool keep_if_best();

  SearchState<Unit>* state_;
  Random random_;
  ResourceId resource_;                                // the uncertain one
  std::vector<typename Residuals<Unit>::Need> needs_;  // per app
  std::vector<double> use_;                            // per node, scaled units
  double largest_ = 0;                                 // of use_ at the start
  double move_price_ = 0;                              // what a move of a running replica has to gain
  double threshold_ = 0;                               // what a step may lose
  std::uint64_t exchanges_ = 0;
  std::vector<AppId> movers_;
  std::vector<AppId> others_;
  NodeContents best_contents_;
  double best_ = 0;  // sum of use_ with best_contents_
  bool gained_ = false;
};

extern template class UsedCapacitySearch<std::int16_t>;
extern template class UsedCapacitySearch<std::int32_t>;

}  // namespace stowage
