// Of plans that cost the same, those with fewer moves: nodes change their contents, and replicas return where they run.
#pragma once

#include <cstdint>

#include "core/rebuild/rebuild_state.h"

namespace stowage {

/// Exchanges whole contents of nodes, one of them empty perhaps, and sends single replicas home, until neither saves moves.
/// What the energy charges for besides moves does not grow. Starts a new journal.
/// @param steps looks at a tenant and one of its homes, at most
template <class Unit>
void bring_home(RebuildState<Unit>& state, std::uint64_t steps);

extern template void bring_home(RebuildState<std::int16_t>& state, std::uint64_t steps);
extern template void bring_home(RebuildState<std::int32_t>& state, std::uint64_t steps);

}  // namespace stowage
