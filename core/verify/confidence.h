// The factor of the standard deviation for the checker, computed by another method than the planners' quantile.
#pragma once

#include "core/model/data/instance_data.h"

namespace stowage {

/// D of P1, Eq. 2, for a validated `Uncertainty`: the Gaussian quantile or Hoeffding's factor, found by bisection, or the given
/// factor. Relative error below 1e-12; the same on every platform.
double checked_confidence_factor(const Uncertainty& uncertainty);

}  // namespace stowage
