// Moves in an order: from what runs now to what a plan says, in waves that keep every hard constraint at every step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Nodes are numbered as in a Placement: the instance's listed nodes, then the plan's anonymous nodes in the plan's order, each
/// copy by itself.
struct Move {
  AppId app;
  NodeId from;  ///< kNone: the replica starts
  NodeId to;    ///< kNone: the replica ends
  bool detour;  ///< to a node where the plan does not have it; a later wave takes it on
};

/// What may happen at the same time.
struct MoveLimits {
  /// Moves in one wave from or to a node, the two together; 0: any number.
  std::uint32_t per_node = 0;
  /// Share of an app's replicas that move in one wave, but at least one replica.
  double app_share = 1;
};

struct MoveOrder {
  /// The moves of a wave run at the same time, each as fast as it will: the order within a wave does not matter. While it
  /// moves, a replica takes its place on both nodes. What begins to run for the first time comes last.
  std::vector<std::vector<Move>> waves;
  /// Moves that cannot be ordered: without them, nothing else is in the way. Those of a circle on full nodes need a third
  /// place.
  std::vector<Move> stuck;
  std::uint32_t moves = 0;    ///< replicas that change their node; a detour counts once
  std::uint32_t detours = 0;  ///< further moves, to third places
  /// No order of the moves has fewer waves: by the limits on what happens at the same time.
  std::uint32_t least_waves = 0;
};

/// Orders the way from what runs in the instance to a plan of it, which must be valid. Placement rules and limits that are
/// broken at the start may stay broken, no further. Greedy waves; where they end in a deadlock, anew, with the nodes in the way
/// emptied earlier; then over third places. Deterministic. A clock that stops ends the attempts: what is not ordered by then is
/// stuck. Errors: kLimitExceeded (more than two million replicas that move, begin or end), kCancelled where the clock
/// stops before the moves are known.
[[nodiscard]] Result<MoveOrder> order_moves(const Instance& instance, const Plan& plan, const MoveLimits& limits,
                                            WorkClock& clock);

/// The same for plans and limits from outside. Further errors: kInvalid (a plan of another instance, or one that the checker
/// refuses; a share that is none), kLimitExceeded (more nodes than check_nodes_held() allows).
[[nodiscard]] Result<MoveOrder> find_move_order(const Instance& instance, const Plan& plan, const MoveLimits& limits,
                                                Control* control);

}  // namespace stowage
