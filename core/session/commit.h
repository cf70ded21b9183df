// A plan becomes what runs: as it is, or as far as it still fits a cluster that has changed since (P2, section 5.4).
#pragma once

#include "core/plan/plan.h"
#include "core/session/session.h"
#include "core/session/state.h"

namespace stowage {

/// Whether a plan holds on the batch that it was made for. Errors: kInvalid, naming the first constraint that it breaks.
Error check_committed(const SessionBatch& planned, const Plan& plan);

/// Takes a plan for the present version. Errors: kLimitExceeded where it opens more nodes than the caller accepts.
Result<CommitOutcome> commit_as_planned(SessionState& state, const SessionBatch& planned, const Plan& plan,
                                        const BeforeCommit& before);

/// Takes what still fits of a plan for an earlier version, app by app: those of the highest priority first, then in the order
/// of joining, each with all its replicas or none. `mode` kWhole: everything or nothing.
Result<CommitOutcome> commit_what_fits(SessionState& state, const SessionBatch& planned, const SessionBatch& present,
                                       const Plan& plan, CommitMode mode, const BeforeCommit& before);

}  // namespace stowage
