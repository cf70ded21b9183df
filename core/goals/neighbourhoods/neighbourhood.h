// A neighbourhood changes a plan a little. It knows no goal by its name: what is better, GoalState::change() says.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/goals/goal_state.h"

namespace stowage {

/// What neighbourhoods share: draws, and the best place for a replica.
template <class Unit>
class Site {
 public:
  Site(GoalState<Unit>& goals, std::uint64_t seed) : goals_(&goals), random_(seed) {}

  [[nodiscard]] GoalState<Unit>& goals() { return *goals_; }
  [[nodiscard]] const RebuildState<Unit>& state() const { return goals_->state(); }
  [[nodiscard]] Random& random() { return random_; }
  void set_temperature(double temperature) { temperature_ = temperature; }
  [[nodiscard]] double temperature() const { return temperature_; }

  /// A node in use; kNone: there is none.
  [[nodiscard]] NodeId any_node();
  /// A node in use that contributes much: the best of so many draws.
  [[nodiscard]] NodeId burdened_node(std::uint32_t draws);
  /// An app with a replica on the node that may leave it; kNone: there is none.
  [[nodiscard]] AppId any_tenant(NodeId node);

  /// A replica to begin with, rather of a node that contributes much. No app: there is none.
  struct Replica {
    AppId app;
    NodeId node;
  };
  [[nodiscard]] Replica any_replica();

  /// Takes one replica away, which waits until place_waiting().
  void take(AppId app, NodeId node);
  /// Nodes to choose from: at most `draws` nodes in use, drawn at random.
  void begin_choice(std::uint32_t draws);
  /// Adds an empty node of some kinds.
  void add_empty_nodes();
  void add(NodeId node);
  /// Places what waits, large replicas first, each where that changes least; its homes are nodes to choose from, too. False:
  /// something has no room.
  [[nodiscard]] bool place_waiting();
  /// Chooses a node for one replica at random, the likelier the less that changes at the present temperature. kNone: no room.
  [[nodiscard]] NodeId draw_place(AppId app);
  void forget_waiting() { waiting_.clear(); }

  /// Counts work: an answer about a node, or a replica that comes or goes, is a unit.
  void count(std::uint64_t units) { work_ += units; }
  [[nodiscard]] std::uint64_t take_work() {
    const std::uint64_t work = work_;
    work_ = 0;
    return work;
  }

 private:
  void add_homes(AppId app);
  [[nodiscard]] NodeId best_place(AppId app);

  GoalState<Unit>* goals_;
  Random random_;
  LogTable log_;
  double temperature_ = 0;
  std::uint64_t work_ = 0;
  std::vector<NodeId> choice_;
  struct Waiting {
    AppId app;
    double rank;
  };
  std::vector<Waiting> waiting_;
};

/// Changes the plan a little. False: there was nothing to change, or something has found no room. The caller then undoes it.
template <class Unit>
using Neighbourhood = bool (*)(Site<Unit>& site);

template <class Unit>
bool try_shift(Site<Unit>& site);
template <class Unit>
bool try_swap(Site<Unit>& site);
template <class Unit>
bool try_scan(Site<Unit>& site);
template <class Unit>
bool try_pull(Site<Unit>& site);
template <class Unit>
bool try_ruin(Site<Unit>& site);
template <class Unit>
bool try_contents(Site<Unit>& site);

extern template class Site<std::int16_t>;
extern template class Site<std::int32_t>;

}  // namespace stowage
