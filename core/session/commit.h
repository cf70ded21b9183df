// Commits plans to a session: as they are, or the part that still fits if the cluster has changed since (P2, section 5.4).
#pragma once

#include "core/plan/plan.h"
#include "core/session/session.h"
#include "core/session/state.h"

namespace stowage {

/// Checks a plan against the batch that it was made for. Errors: kInvalid, naming the first constraint that it breaks.
Error check_committed(const SessionBatch& planned, const Plan& plan, WatchRef watch);

/// Commits a plan that was made for the present version. Errors: kLimitExceeded if it opens more nodes than max_nodes allows.
Result<CommitOutcome> commit_as_planned(SessionState& state, const SessionBatch& planned, const Plan& plan,
                                        const BeforeCommit& before, WatchRef watch);

/// Commits the part of a plan for an earlier version that still fits. Apps are taken by descending priority, then in the order
/// of joining, each with all its replicas or none. With `mode` kWhole, the whole plan has to fit.
Result<CommitOutcome> commit_what_fits(SessionState& state, const SessionBatch& planned, const SessionBatch& present,
                                       const Plan& plan, CommitMode mode, const BeforeCommit& before, WatchRef watch);

}  // namespace stowage
