// Which nodes a plan starts with: the cheapest that carry the demand.
#pragma once

#include <cstdint>
#include <vector>

#include "core/search/search_state.h"

namespace stowage {

/// Classes by ascending cost (without prices: number of nodes) of carrying all demand with nodes of that class alone.
std::vector<ClassId> classes_by_value(const Instance& instance);

/// Chooses nodes for a new placement: those in use, then class by class in the order of `classes` - listed nodes before new
/// ones
/// - until they carry all demand that nodes of the class carry any of, in every resource and period, and number at least
/// `nodes`; but at most one node per waiting replica besides those in use, and no more than the request allows. Opens new
/// nodes; sets listed ones aside that are not needed. Where the run ends meanwhile, fewer nodes are chosen.
template <class Unit>
void choose_nodes(SearchState<Unit>& state, std::uint32_t nodes, const std::vector<ClassId>& classes, WorkClock& clock);

extern template void choose_nodes(SearchState<std::int16_t>& state, std::uint32_t nodes, const std::vector<ClassId>& classes,
                                  WorkClock& clock);
extern template void choose_nodes(SearchState<std::int32_t>& state, std::uint32_t nodes, const std::vector<ClassId>& classes,
                                  WorkClock& clock);

}  // namespace stowage
