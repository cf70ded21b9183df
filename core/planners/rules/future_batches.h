// What may come next: for planners that are called interval after interval, and whose plan should leave room for the next ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// Whether a plan may run out of nodes: all that there are are listed.
bool has_no_more_nodes(const Instance& instance);

/// Copies of the applications, one after the other and over again, as many as fit into what is left in all, at most `most`.
/// @param applications apps of each
/// @param left scaled units per dimension, Instance::dims() entries
std::vector<std::vector<AppId>> successors_that_fit(const Instance& instance, std::span<const std::vector<AppId>> applications,
                                                    std::vector<std::int64_t> left, std::size_t most);

/// About how many numbers an instance with successors has, the entries of its limits, tags and rules among them: what it takes
/// to make it is in proportion. Counting ends soon after `most`.
std::uint64_t size_with_successors(const Instance& instance, std::span<const std::vector<AppId>> successors,
                                   std::uint64_t most);

/// An instance behind whose apps others wait that are made like some of its own: the same demand, the same limits among each
/// other, and the same rules, but tags of their own, so that none of their replicas counts in the instance's rules. What their
/// rules say of each other they say by those tags, which nodes have as well that had the first ones; what they say of other
/// applications, they say of those that are there. What they violate weighs next to nothing beside what the instance's own apps
/// violate.
///
/// @param now who sits where. Apps of `batch` wait; all others run where they are, and nothing of them waits.
/// @param batch apps, in order; all replicas of their applications wait in the instance
/// @param successors whom to copy, one after the other: apps of one application each, all of them in the batch
/// @returns an instance whose apps are those of `instance`, by the same ids, then one per app in `successors`. Errors: where so
/// many apps, rules or node sets pass the instance's limits.
Result<Instance> with_successors(const Instance& instance, const NodeContents& now, std::span<const AppId> batch,
                                 std::span<const std::vector<AppId>> successors);

}  // namespace stowage
