#include "core/predict/linear/cholesky.h"

#include <cmath>
#include <cstdint>

namespace stowage {
namespace {

/// Steps of a watch that a row of a triangle takes, in which each entry is a sum of up to so many products.
std::uint64_t steps_of_row(std::size_t entries) { return std::uint64_t{entries} * entries / 4; }

}  // namespace

Cholesky::Cholesky(std::span<const double> a, std::size_t size, WatchRef watch, double least_pivot)
    : size_(size), lower_(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size * size)) {
  for (std::size_t i = 0; i < size && !watch.step(steps_of_row(i)); ++i) {
    double* row = &lower_[i * size];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = &lower_[j * size];
      double rest = row[j];
      for (std::size_t k = 0; k < j; ++k) rest -= row[k] * other[k];
      if (j < i) {
        row[j] = rest / other[j];
      } else {
        row[j] = std::sqrt(rest > least_pivot ? rest : least_pivot);
      }
    }
  }
}

void Cholesky::solve_lower(std::span<double> x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* row = &lower_[i * size_];
    double rest = x[i];
    for (std::size_t k = 0; k < i; ++k) rest -= row[k] * x[k];
    x[i] = rest / row[i];
  }
}

void Cholesky::solve(std::span<double> x) const {
  solve_lower(x);
  for (std::size_t i = size_; i-- > 0;) {
    const double* row = &lower_[i * size_];
    x[i] /= row[i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= row[k] * x[i];
  }
}

std::vector<double> Cholesky::lower_inverse(WatchRef watch) const {
  std::vector<double> inverse(size_ * size_, 0.0);
  for (std::size_t i = 0; i < size_ && !watch.step(steps_of_row(i)); ++i) {
    const double* row = &lower_[i * size_];
    double* to = &inverse[i * size_];
    for (std::size_t k = 0; k < i; ++k) {
      const double* from = &inverse[k * size_];
      for (std::size_t j = 0; j <= k; ++j) to[j] -= row[k] * from[j];
    }
    for (std::size_t j = 0; j < i; ++j) to[j] /= row[i];
    to[i] = 1 / row[i];
  }
  return inverse;
}

std::vector<double> Cholesky::inverse(WatchRef watch) const {
  const std::vector<double> lower = lower_inverse(watch);
  std::vector<double> inverse(size_ * size_, 0.0);
  for (std::size_t k = 0; k < size_ && !watch.step(steps_of_row(k)); ++k) {
    const double* row = &lower[k * size_];
    for (std::size_t i = 0; i <= k; ++i)
      for (std::size_t j = 0; j <= i; ++j) inverse[i * size_ + j] += row[i] * row[j];
  }
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j < i; ++j) inverse[j * size_ + i] = inverse[i * size_ + j];
  return inverse;
}

std::vector<double> Cholesky::inverse_diagonal(WatchRef watch) const {
  const std::vector<double> lower = lower_inverse(watch);
  std::vector<double> diagonal(size_, 0.0);
  for (std::size_t k = 0; k < size_ && !watch.step(k); ++k)
    for (std::size_t i = 0; i <= k; ++i) diagonal[i] += lower[k * size_ + i] * lower[k * size_ + i];
  return diagonal;
}

}  // namespace stowage
