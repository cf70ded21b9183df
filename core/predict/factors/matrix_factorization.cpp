#include "core/predict/factors/matrix_factorization.h"

#include <numeric>
#include <utility>

#include "core/base/numbers/random.h"

namespace stowage {

MatrixFactorization::MatrixFactorization(std::size_t rows, std::size_t columns, std::span<const Rating> ratings,
                                         const MatrixFactorizationOptions& options)
    : factors_(options.factors),
      row_bias_(rows),
      column_bias_(columns),
      row_factor_(rows * options.factors),
      column_factor_(columns * options.factors) {
  Random random(options.seed);
  for (std::vector<double>* factors : {&row_factor_, &column_factor_})
    for (double& factor : *factors) factor = 0.2 * (random.share() - 0.5);
  for (const Rating& rating : ratings) mean_ += rating.value / static_cast<double>(ratings.size());
  std::vector<std::size_t> order(ratings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::uint32_t epoch = 0; epoch < options.epochs; ++epoch) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
    for (const std::size_t k : order) {
      const Rating& rating = ratings[k];
      const double error = rating.value - predict(rating.row, rating.column);
      const auto step = [&](double& value, double slope) {
        value += options.rate * (error * slope - options.regularization * value);
      };
      step(row_bias_[rating.row], 1);
      step(column_bias_[rating.column], 1);
      for (std::size_t f = 0; f < factors_; ++f) {
        double& left = row_factor_[rating.row * factors_ + f];
        double& right = column_factor_[rating.column * factors_ + f];
        const double before = left;
        step(left, right);
        step(right, before);
      }
    }
  }
}

double MatrixFactorization::predict(std::size_t row, std::size_t column) const {
  double value = mean_ + row_bias_[row] + column_bias_[column];
  for (std::size_t f = 0; f < factors_; ++f) value += row_factor_[row * factors_ + f] * column_factor_[column * factors_ + f];
  return value;
}

}  // namespace stowage
