// Applications that leave and come back replica by replica, each to the node where it violates rules least.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/placement/tag_costs.h"
#include "core/rebuild/rebuild_state.h"

namespace stowage {

/// For instances with rules; others are not looked at.
template <class Unit>
class Reseat {
 public:
  explicit Reseat(RebuildState<Unit>& state);

  /// What leaves.
  enum class Much : std::uint8_t { kFewReplicas, kApplications };
  /// Takes out the application of the app, and often a second one, or a few of its replicas alone, and places them anew within
  /// the move budget. What finds no room waits.
  void move(AppId app, Much much, Random& random);
  /// Work since the last call, in looks at an app.
  std::uint64_t take_work() { return std::exchange(work_, 0); }

 private:
  /// @param most replicas that leave
  void take_out(AppId application, std::uint64_t most, Random& random);
  /// An application on a node of this one, or any.
  [[nodiscard]] AppId neighbour(AppId application, Random& random);
  void place(AppId app, Random& random);
  /// Nodes to choose among: some of those in use, an empty one of some kinds, and homes that lack replicas of the app.
  void list_nodes(AppId app, Random& random);
  /// Running replicas of the app that are away from their nodes.
  [[nodiscard]] std::uint64_t away(AppId app) const;
  /// What one more replica adds to the extent of violated hard rules.
  [[nodiscard]] double hard_extent(AppId app, NodeId node);
  /// Whether the node has room for one more replica of the app at less than `most`, which then becomes what it costs there.
  /// @param tight between nodes that cost the same, the one with less waste counts as cheaper
  [[nodiscard]] bool costs_less(AppId app, NodeId node, bool tight, double& most);

  RebuildState<Unit>* state_;
  TagCosts costs_;
  std::vector<std::vector<AppId>> members_;  // by the first app of an application
  std::vector<AppId> waiting_;
  std::vector<NodeId> nodes_;
  std::uint64_t returning_ = 0;  // waiting replicas that may return to where they run
  std::uint64_t away_ = 0;       // running replicas of the app that is placed, away from their nodes
  std::uint64_t work_ = 0;
};

extern template class Reseat<std::int16_t>;
extern template class Reseat<std::int32_t>;

}  // namespace stowage
