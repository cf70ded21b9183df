// The exponential and the normal distribution's tail, equal to the last bit on every platform: they use the correctly rounded
// operations + - * / and exact scaling alone. natural_log() lies in core/base/numbers/quantile.h.
#pragma once

namespace stowage {

/// e^x with a relative error below 2^-48; 0 below -700, and the value at 700 above it.
double natural_exp(double x);

/// P(X >= x) for a standard normal X, absolute error below 1e-9: cubic interpolation of a table, flat beyond 8.
double normal_tail(double x);

}  // namespace stowage
