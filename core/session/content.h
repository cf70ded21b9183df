// Converts a session's state to raw data and back.
#pragma once

#include "core/model/instance.h"
#include "core/session/session.h"
#include "core/session/state.h"

namespace stowage {

/// Fills an empty state from an instance.
/// @param extra the further fields of a snapshot, or null
/// Errors: kInvalid, kLimitExceeded, kCancelled.
Error read_session(const Instance& instance, const SessionExtra* extra, SessionState& state, WatchRef watch);

/// The state as raw data. Equal content gives equal data, whatever operations led to it. It is not complete if the
/// watch ends the call.
SessionContent write_session(SessionState& state, WatchRef watch);

}  // namespace stowage
