// How much of the worth of kinds nodes can keep if they share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/colocation/scaled_kinds.h"
#include "core/run/work_clock.h"

namespace stowage {

/// The most that a node keeps: the maximum over k >= 0 of the sum over groups u of worth[u] x share_u(k), where share_u(k) is
/// k_u / (sum over t of suffers(t, u) x k_t), at most 1.
struct SharedNode {
  double most = 0;            ///< an upper bound on the maximum
  double value = 0;           ///< what `share` attains
  std::vector<double> share;  ///< of each group, at the best k found
};

/// Branch and bound over k, until the upper bound is within the relative `close` of the value, or `boxes` boxes are divided, or
/// the clock has stopped. `worth`: of each group, at least 0.
[[nodiscard]] SharedNode best_shared_node(const ScaledKinds& kinds, std::span<const double> worth, double close,
                                          std::uint32_t boxes, WorkClock& clock);

}  // namespace stowage
