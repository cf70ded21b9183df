// Symmetric positive definite systems, for covariances and kernels of learners.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/watch.h"

namespace stowage {

/// L with A = L L^T, for symmetric positive definite A.
class Cholesky {
 public:
  /// `a` has size x size entries, row-major, of which the lower triangle is read. A pivot that is not above `least_pivot`
  /// counts as `least_pivot`, which must be above 0: the result is that of a matrix with a larger diagonal.
  /// @param watch where it ends, the rest is not computed, and no result means anything
  Cholesky(std::span<const double> a, std::size_t size, WatchRef watch = {}, double least_pivot = 1e-12);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// x becomes A^-1 x.
  void solve(std::span<double> x) const;
  /// x becomes L^-1 x, whose squared length is x^T A^-1 x.
  void solve_lower(std::span<double> x) const;
  /// A^-1, size x size.
  [[nodiscard]] std::vector<double> inverse(WatchRef watch = {}) const;
  /// The diagonal of A^-1.
  [[nodiscard]] std::vector<double> inverse_diagonal(WatchRef watch = {}) const;

 private:
  /// L^-1, lower triangle, row-major.
  [[nodiscard]] std::vector<double> lower_inverse(WatchRef watch = {}) const;

  std::size_t size_;
  std::vector<double> lower_;  ///< row-major
};

}  // namespace stowage
