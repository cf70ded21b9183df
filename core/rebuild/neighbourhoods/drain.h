// Empties nodes within a move budget, those first whose closing saves most per move.
#pragma once

#include "core/rebuild/rebuild_state.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Closes nodes whose replicas all find places on other nodes in use. Returns the cost saved per move, 0 where nothing was.
template <class Unit>
double drain(RebuildState<Unit>& state, WorkClock& clock);

extern template double drain(RebuildState<std::int16_t>& state, WorkClock& clock);
extern template double drain(RebuildState<std::int32_t>& state, WorkClock& clock);

}  // namespace stowage
