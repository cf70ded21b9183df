// The factor before the standard deviation, worked out anew for the checker: by other means than the planners'.
#pragma once

#include "core/model/instance_data.h"

namespace stowage {

/// D of P1, Eq. 2, for a validated `Uncertainty`: the Gaussian quantile by solving for it, Hoeffding's factor likewise, or the
/// factor that is given. Relative error below 1e-12; the same on every platform.
double checked_confidence_factor(const Uncertainty& uncertainty);

}  // namespace stowage
