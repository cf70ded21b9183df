// The functions of probability that capacity at confidence needs, equal to the last bit on every platform: they use the
// correctly rounded operations + - * / and sqrt alone, since mathematical libraries differ in how they round log and exp.
#pragma once

namespace stowage {

/// Natural logarithm of a finite, positive number. Relative error below 2^-50 away from 1, absolute error below 2^-52 near 1.
double natural_log(double value);

/// -ln(1 - share) for 0 <= share < 1, also where 1 - share would be rounded to 1. Relative error below 2^-49.
double minus_log_of_rest(double share);

/// Quantile of the standard normal distribution: the x with P(X <= x) = probability, for 0 < probability < 1. Relative error
/// below 2^-48. M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
double normal_quantile(double probability);

}  // namespace stowage
