// Nodes that hold alike amounts change their contents, so that more replicas are where they run.
#pragma once

#include "core/base/watch.h"
#include "core/rebuild/rebuild_state.h"

namespace stowage {

/// Exchanges whole contents of nodes, one of them empty perhaps, until no exchange saves moves. Energy does not grow but for the
/// price of moves. Starts a new journal. Ends early, in a valid state, where the watch says so.
template <class Unit>
void bring_home(RebuildState<Unit>& state, WatchRef watch);

extern template void bring_home(RebuildState<std::int16_t>& state, WatchRef watch);
extern template void bring_home(RebuildState<std::int32_t>& state, WatchRef watch);

}  // namespace stowage
