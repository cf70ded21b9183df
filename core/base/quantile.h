// The functions of probability that capacity at confidence needs, the same bit for bit on every platform.
//
// The mathematical library of a platform may round log and exp in its own way; these are made of the correctly rounded
// operations + - * / and sqrt alone.
#pragma once

namespace stowage {

/// Natural logarithm of a finite, positive number; relative error below 2^-50 away from 1, absolute error below 2^-52 near it.
double natural_log(double value);

/// Quantile of the standard normal distribution: the x with P(X <= x) = probability, for 0 < probability < 1. Relative error
/// below 2^-48. M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
double normal_quantile(double probability);

}  // namespace stowage
