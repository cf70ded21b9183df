// Coefficients of the side-effects model (P4, section 2) from observations, by non-negative least squares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "capi/cli/learn/interference/observations.h"

namespace stowage::cli::learn {

/// The condition number above which coefficients depend much on errors in the observations.
inline constexpr double kWarnedCondition = 10;

struct FitOptions {
  Model model;
  double max_condition = 30;  ///< above it nothing is fitted
};

/// A value, and the interval that holds the true one in 95 % of all cases (Student's t), within what is possible: from 0 on.
/// Where there are no more observations than values to fit, nothing is known of the noise, and `high` is infinite.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Of the columns of a fit, kind u has number u and the baseline the number of kinds.
struct KindFit {
  std::vector<Estimate> coefficient;  ///< per kind: what a load of 1 costs; empty where nothing is fitted
  Estimate baseline;
  /// The standard deviation of an observation of weight 1: relative to its cost, or in units of it. 0 where nothing is known.
  double residual = 0;
  /// Ratio of the largest and the least singular value of the loads, weighted, and each column scaled to length 1. Infinite
  /// where they are dependent.
  double condition = 0;
  /// The two columns that are most alike; 0 and 0 where there is only one.
  std::pair<std::uint32_t, std::uint32_t> most_alike{};
  /// Why nothing is fitted: columns that are 0 in all observations, or else sets of columns that cannot be told apart.
  std::vector<std::uint32_t> absent;
  std::vector<std::vector<std::uint32_t>> inseparable;
};

/// The number of values that observations of a kind have to determine.
[[nodiscard]] inline std::size_t fitted_values(std::size_t kinds, const Model& model) {
  return kinds + (model.baseline ? 1 : 0);
}

/// Fits what a kind suffers from each of `kinds` kinds. Needs at least fitted_values() observations.
[[nodiscard]] KindFit fit_kind(const KindObservations& observations, std::size_t kinds, const FitOptions& options);

/// The 97.5 % quantile of Student's t with `freedom` degrees of freedom, to 0.2 %. `freedom` >= 1.
[[nodiscard]] double student_quantile(std::size_t freedom);

}  // namespace stowage::cli::learn
