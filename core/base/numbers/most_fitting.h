// The number of replicas that fit, for constraints that have no closed form.
#pragma once

#include <cstdint>

namespace stowage {

/// The largest number up to `most` for which fits() holds, by bisection. fits() must hold for 0, and for every number below one
/// for which it holds.
template <class Fits>
std::uint32_t most_fitting(std::uint32_t most, Fits&& fits) {
  if (most == 0 || fits(most)) return most;
  std::uint32_t fitting = 0;
  while (most - fitting > 1) {
    const std::uint32_t middle = fitting + (most - fitting) / 2;
    (fits(middle) ? fitting : most) = middle;
  }
  return fitting;
}

}  // namespace stowage
