// Exchanges of replicas that gather free capacity on few nodes until what waits fits in: for demand that is constant, or at
// least on nodes whose tenants' demand is.
//
// Nodes are fixed, and the pool waits for room. In total there is room; it is scattered. The usable capacity u of a node is the
// share of the scarcest resource that could be used there if demand had the mix of all replicas together: the resource of
// which the node has least for that mix decides. The potential, the sum of u^2 over nodes, is large where usable capacity lies
// together. (A weighted sum of resources would not do: free capacity of one resource where another is used up would draw
// exchanges to nodes where nothing fits.)
//
// A trial draws a node with free capacity of the scarcest resource, and one of its replicas or none. Of the apps that the
// remaining tenants do not exclude it draws some, and for each a node that holds it. The first exchange that fits, breaks no
// limit and does not lower the potential is made. Equal potentials are accepted: the walk along plateaus finds the next rise.
//
// Where limits are many, a node can take the more apps, the fewer it holds, and nearly all exchanges drawn at random fail.
// There it counts a little towards the potential to keep replicas of an app together, and the apps that a node excludes are
// looked up all at once.
//
// Where demand varies over time, free capacity is that of the period in which each resource is scarcest.
//
// O(tenants x apps / 64) words per trial where limits are many, and O(d + tenants x log degree) per exchange tried.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run/run.h"
#include "core/search/ejection_chains.h"
#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
class FreeSpaceSearch {
 public:
  /// @param nodes the nodes it works on, in play; kept up to date by the caller, who also calls forget() and look_again()
  /// @param clock counts a unit; where the run ends meanwhile, the search is of no use. Null: nothing ends it
  FreeSpaceSearch(SearchState<Unit>& state, const std::vector<NodeId>& nodes, std::uint64_t seed, WorkClock* clock = nullptr);

  /// Places what waits wherever it fits without exchanges.
  void fill(WorkClock& clock);
  /// Exchanges until the pool is empty (true), the run ends, or `patience` trials in a row have placed nothing.
  /// @param enough not used: PeriodSearch is called in the same way
  bool run(Run& run, double enough, std::uint64_t patience);

  /// Free capacity of a node, in shares, weighted by how much each resource binds.
  [[nodiscard]] double free_share(NodeId node) const;
  /// A node has left play.
  void forget(NodeId node);
  /// A node has changed or come into play: places what waits and fits there.
  void look_again(NodeId node);
  /// Whether it works on the node.
  [[nodiscard]] bool works_on(NodeId node) const { return node < is_mine_.size() && is_mine_[node] != 0; }

 private:
  using Need = typename Residuals<Unit>::Need;

  void measure_resources();
  [[nodiscard]] const Unit* demand(AppId app) const { return state_->instance().template scaled_demand<Unit>(app).data(); }
  /// Per resource, in its peak period.
  [[nodiscard]] const Unit* peak_demand(AppId app) const { return peak_demand_.data() + std::size_t{app} * resources_; }
  [[nodiscard]] double usable(const double* free) const;
  [[nodiscard]] double potential(const double* free) const;

  void refresh(NodeId node);
  void set_roomy(NodeId node, bool roomy);
  bool insert(NodeId node, WorkClock* clock = nullptr);
  bool search(Run& run, std::uint64_t patience);
  bool trial();
  [[nodiscard]] bool fits(AppId mover, AppId other, NodeId to) const;
  [[nodiscard]] bool gains(AppId mover, NodeId from, AppId other, NodeId to);
  [[nodiscard]] bool allowed(AppId mover, NodeId from, AppId other, NodeId to);
  [[nodiscard]] int added_tenants(AppId mover, NodeId from, AppId other, NodeId to) const;

  SearchState<Unit>* state_;
  const std::vector<NodeId>* nodes_;
  Random random_;
  EjectionChains<Unit> ejection_;
  std::uint32_t resources_;
  bool over_time_;
  std::vector<std::uint32_t> peak_dim_;  // per resource: the dimension of its peak period, in which total demand is largest
  std::vector<Unit> peak_demand_;        // per app and resource
  std::vector<Need> needs_;              // per app, where demand is uncertain
  std::vector<double> scarcity_;         // per resource: how much it binds
  ResourceId scarcest_ = 0;              // the resource that binds most
  std::vector<double> scarcest_per_;     // per resource: total demand for the scarcest one by that for this one; 0: no demand
  std::vector<double> share_;            // per resource: one scaled unit in shares of a node
  std::vector<double> free_;             // per node and resource, in shares
  std::vector<double> after_;            // free_ of two nodes after the exchange in hand
  bool filled_ = false;
  std::uint64_t spent_ = 0;                // work that the clock has not counted yet
  PairTable::Set excluded_;                // by the node in hand
  std::vector<AppId> choices_;             // apps that are not excluded, where they are few
  std::vector<std::uint8_t> is_mine_;      // per node
  std::vector<NodeId> roomy_;              // nodes with free capacity of the scarcest resource
  std::vector<std::uint32_t> roomy_slot_;  // per node: its index in roomy_, or kNone
};

extern template class FreeSpaceSearch<std::int16_t>;
extern template class FreeSpaceSearch<std::int32_t>;

}  // namespace stowage
