// Matrix factorization by stochastic gradient descent, the baseline of LraSched's table 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

struct Rating {
  std::uint32_t row;
  std::uint32_t column;
  double value;
};

struct MatrixFactorizationOptions {
  std::uint32_t factors = 8;
  std::uint32_t epochs = 60;
  double rate = 0.03;
  double regularization = 0.03;
  std::uint64_t seed = 0;
};

/// value = mean + bias of the row + bias of the column + dot product of their factors.
class MatrixFactorization {
 public:
  /// Ratings lie within rows x columns. They are visited in an order drawn anew in each epoch.
  MatrixFactorization(std::size_t rows, std::size_t columns, std::span<const Rating> ratings,
                      const MatrixFactorizationOptions& options);
  [[nodiscard]] double predict(std::size_t row, std::size_t column) const;

 private:
  std::size_t factors_;
  double mean_ = 0;
  std::vector<double> row_bias_, column_bias_;
  std::vector<double> row_factor_, column_factor_;
};

}  // namespace stowage
