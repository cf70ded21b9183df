// Between a session's state and raw data.
#pragma once

#include "core/model/instance.h"
#include "core/session/session.h"
#include "core/session/state.h"

namespace stowage {

/// Fills an empty state from an instance, and from what a snapshot has beyond it. Errors: kInvalid, kLimitExceeded.
Error read_session(const Instance& instance, const SessionExtra* extra, SessionState& state);

/// The state as raw data: the same for the same content, however it came about.
SessionContent write_session(SessionState& state);

}  // namespace stowage
