// What it takes to make an instance anew, for callers whose time is limited: nothing looks at the clock meanwhile.
#pragma once

#include "core/model/instance.h"

namespace stowage {

/// Seconds to make an instance of this size, at most.
inline double seconds_to_build(const Instance& instance) {
  constexpr double kSecondsPerCell = 40e-9;
  constexpr double kCellsBesideDims = 4;
  return kSecondsPerCell * (static_cast<double>(instance.apps()) + instance.listed_nodes()) *
         (instance.dims() + kCellsBesideDims);
}

}  // namespace stowage
