// What a plan promises beyond the replicas that it places: room for more of them, and places after losses.
#pragma once

#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/request.h"
#include "core/verify/checker.h"

namespace stowage {

/// Whether the request's `keep` and `survive` mean something for the instance.
Error check_promises_asked(const Instance& instance, const Request& request);

/// The instance with the replicas that a plan keeps room for, which want a place like all others. Errors: kInvalid and
/// kLimitExceeded with the path `keep`; kCancelled.
Result<Instance> with_kept_replicas(const Instance& instance, const std::vector<Kept>& keep, WatchRef watch = {});

/// Turns a plan of with_kept_replicas() into one of the instance: as many replicas of each app as are kept are reserved instead
/// of placed, none of which runs or is pinned where it is. Replicas that were left over are those that are kept, first.
/// @param by_copies looks at equal nodes together, and lists them so: for runs that have no time left
void reserve_kept(const Instance& instance, const std::vector<Kept>& keep, bool ignore_running, bool by_copies, Plan& plan);

/// Finds room on the plan's nodes, and on new ones within the limit, for replicas that are to be kept: each app on the fullest
/// nodes that take it. What has no room is not reserved.
/// @param watch ends it: nothing is reserved
void reserve_greedily(const Instance& instance, const std::vector<Kept>& keep, std::uint32_t node_limit, WatchRef watch,
                      Plan& plan);

/// Checks the plan, and what it says of the room that it keeps and of losses.
/// @param watch ends the check: Verification::given_up
Verification verify_plan(const Instance& instance, const Plan& plan, WatchRef watch = {});

}  // namespace stowage
