// The seam between shards: nodes that were filled least because each shard was planned by itself.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/planners/shards/cut.h"

namespace stowage {

/// Some nodes of a plan with what is on them as a share of the instance.
struct Seam {
  Share share;
  Plan before;  ///< the plan of these nodes
  Plan rest;    ///< the plan of all other nodes, and what is unplaced
};

/// The nodes of which least of the scarcest resource is used, until what is free on them is worth twice as much as `gap`, or
/// they hold more than `most_replicas`. Nodes with replicas of an app that `wide` marks stay out. The share has no nodes but
/// these, of endless classes as many as needed.
/// @param plan whose nodes are listed one by one
/// @param gap     what the plan costs beyond the bound
/// @param limited whether the share may have no more nodes than these
Seam seam_of(const Instance& instance, const Plan& plan, std::span<const std::uint8_t> wide, double gap,
             std::uint64_t most_replicas, bool limited);

}  // namespace stowage
