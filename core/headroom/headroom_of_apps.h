// How many more replicas of each app a cluster takes: find_headroom() for all apps and nodes at once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Per app, where the plan is otherwise as it is and one app grows at a time. Sums end at 10^18.
struct HeadroomOfApps {
  /// Sum over the nodes of the plan, each copy by itself, of the most replicas that the node takes.
  std::vector<std::uint64_t> room;
  std::vector<std::uint64_t> nodes;  ///< nodes of the plan, each copy by itself, that take at least one
  std::vector<std::uint32_t> most;   ///< the most that one node of the plan takes
  /// The same sum over nodes that exist and that the plan does not use. Of a class without a count, none exists.
  std::vector<std::uint64_t> spare_room;
  /// 1: a hard placement rule counts the app over several nodes or in a choice of conditions, or asks for something near it.
  /// What one node takes then changes what others take: `room` and `spare_room` are upper bounds. 0: they are exact.
  std::vector<std::uint8_t> coupled;
};

/// The largest number of replicas that is counted on one node.
inline constexpr std::uint32_t kMostHeadroom = 1'000'000'000;

/// @param plan null: what runs or is pinned
/// @param most counts on each node end there, at most kMostHeadroom; 0: they are those of find_headroom(), which end at the
///             number of replicas that the app wants, at least 1
/// Errors: those of find_headroom(); kInvalid where `most` is too large; kCancelled where the watch ends it.
/// O(apps x nodes x dims), in vector instructions, and the arcs of the apps; where hard rules, devices or limits on side
/// effects concern an app, a question per node with capacity.
Result<HeadroomOfApps> find_headroom_of_apps(const Instance& instance, const Plan* plan, std::uint32_t most,
                                             WatchRef watch = {});

}  // namespace stowage
