// Future batches: copies of waiting applications, by which a planner that is called batch after batch leaves room for later
// ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// Whether a plan can run out of nodes: every class has a count, and all of its nodes are listed.
bool has_no_more_nodes(const Instance& instance);

/// Repeats the applications in turn while their total demand fits into `left`; at most `most` of them.
/// @param applications the apps of each application; not empty
/// @param left residuals summed over all nodes: scaled units per dimension, Instance::dims() entries
std::vector<std::vector<AppId>> successors_that_fit(const Instance& instance, std::span<const std::vector<AppId>> applications,
                                                    std::vector<std::int64_t> left, std::size_t most);

/// Estimates how many numbers an instance with successors has, including the entries of its limits, tags and rules. The time to
/// build it is proportional to this. Counting ends soon after `most`.
std::uint64_t size_with_successors(const Instance& instance, std::span<const std::vector<AppId>> successors,
                                   std::uint64_t most);

/// An instance with copies (successors) of some of its applications added behind its own apps. A successor has the demand
/// and the rules of its original, and the original's affinity limits within the application. Its tags are new, so that none of
/// its replicas counts in the rules of the instance's own apps. Rules among the apps of a successor refer to the new tags,
/// which are also added to every node that has the old ones. Rules about other applications refer to the instance's own apps.
/// The weight of a successor's rule is 1e-6 of the original's.
///
/// @param now the replicas on each node. Apps of `batch` wait; all others run where they are, without waiting replicas.
/// @param batch apps in ascending order; all replicas of their applications wait in the instance
/// @param successors the applications to copy, in order: each has the apps of one application, all of them in the batch
/// @returns an instance whose apps are those of `instance`, by the same ids, then one per app in `successors`. Errors: its
/// apps, rules or node sets exceed the instance's limits.
Result<Instance> with_successors(const Instance& instance, const NodeContents& now, std::span<const AppId> batch,
                                 std::span<const std::vector<AppId>> successors);

}  // namespace stowage
