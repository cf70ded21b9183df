// Decompositions of small matrices: a triangle by Householder's reflections, singular values by Jacobi's rotations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stowage::cli::learn {

/// A dense matrix, column by column.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns, 0) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double& operator()(std::size_t row, std::size_t column) { return values_[column * rows_ + row]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[column * rows_ + row]; }
  [[nodiscard]] std::span<double> column(std::size_t j) { return std::span(values_).subspan(j * rows_, rows_); }
  [[nodiscard]] std::span<const double> column(std::size_t j) const { return std::span(values_).subspan(j * rows_, rows_); }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> values_;
};

[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);
[[nodiscard]] double length(std::span<const double> a);

/// Turns the columns by reflections, so that all below the diagonal is 0. The products of the columns stay as they are.
void make_triangular(Matrix& a);

/// The x with the least |a x - b|, where the columns of `a` are independent; there are no more of them than rows.
[[nodiscard]] std::vector<double> least_squares(const Matrix& a, std::span<const double> b);

/// Singular values, largest first, and the right vectors: column k of `vectors` belongs to value k.
struct Singular {
  std::vector<double> values;
  Matrix vectors;
};
[[nodiscard]] Singular singular(Matrix a);

}  // namespace stowage::cli::learn
