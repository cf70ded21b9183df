// The total cost of one kind.
#pragma once

#include <cstdint>
#include <span>

#include "core/run/work_clock.h"

namespace stowage {

/// The least sum over `nodes` nodes of number of replicas x sum of their loads: one kind, coefficient 1. `load`: largest first,
/// at least 0. A lower bound, tight to about a relative 1e-9 unless the clock stops. O(n log n) for n replicas, times about 40.
[[nodiscard]] double one_kind_total(std::span<const double> load, std::uint32_t nodes, WorkClock& clock);

}  // namespace stowage
