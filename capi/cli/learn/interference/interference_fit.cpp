#include "capi/cli/learn/interference/interference_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "capi/cli/learn/interference/small_matrix.h"

namespace stowage::cli::learn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFitRounding = 1e-12;

/// The triangle of the QR decomposition of rows that come one by one. It says as much about least squares as all rows.
class Triangle {
 public:
  explicit Triangle(std::size_t columns) : rows_(columns + kBlock, columns), used_(columns) {}

  /// The number of the next row of rows(), to be filled.
  std::size_t next() {
    if (used_ == rows_.rows()) reduce();
    return used_++;
  }
  Matrix& rows() { return rows_; }

  /// The triangle is the first rows; the end of the rows.
  const Matrix& take() {
    reduce();
    return rows_;
  }

 private:
  static constexpr std::size_t kBlock = 256;

  void reduce() {
    make_triangular(rows_);
    used_ = rows_.columns();
  }

  Matrix rows_;
  std::size_t used_;
};

/// The least squares of the columns in `among`; all others are 0.
std::vector<double> solve_among(const Matrix& a, const std::vector<double>& b, const std::vector<bool>& among) {
  Matrix chosen(a.rows(), static_cast<std::size_t>(std::count(among.begin(), among.end(), true)));
  for (std::size_t j = 0, to = 0; j < a.columns(); ++j) {
    if (among[j]) std::copy_n(a.column(j).begin(), a.rows(), chosen.column(to++).begin());
  }
  const std::vector<double> solved = least_squares(chosen, b);
  std::vector<double> x(a.columns(), 0);
  for (std::size_t j = 0, from = 0; j < a.columns(); ++j) {
    if (among[j]) x[j] = solved[from++];
  }
  return x;
}

/// b - a x.
std::vector<double> rest_of(const Matrix& a, const std::vector<double>& x, std::vector<double> b) {
  for (std::size_t j = 0; j < a.columns(); ++j) {
    for (std::size_t i = 0; i < a.rows(); ++i) b[i] -= a(i, j) * x[j];
  }
  return b;
}

/// The x >= 0 with the least |a x - b|, where the columns of `a` are independent and of length 1 (Lawson and Hanson, "Solving
/// Least Squares Problems", algorithm NNLS). From 0 on, the columns whose increase helps most become free one by one. Where the
/// least squares of the free columns are negative, x goes as far towards them as it can.
std::vector<double> non_negative_least_squares(const Matrix& a, const std::vector<double>& b) {
  std::vector<double> x(a.columns(), 0);
  std::vector<bool> free(a.columns(), false);
  // Each step makes the sum of squares less, so that no set of free columns comes twice; the limit is for rounding.
  for (std::size_t step = 0; step < 3 * a.columns(); ++step) {
    const std::vector<double> rest = rest_of(a, x, b);
    double most = kFitRounding * length(b);
    std::size_t best = a.columns();
    for (std::size_t j = 0; j < a.columns(); ++j) {
      const double gain = free[j] ? 0 : dot(a.column(j), rest);
      if (gain <= most) continue;
      most = gain;
      best = j;
    }
    if (best == a.columns()) break;
    free[best] = true;
    for (;;) {
      const std::vector<double> target = solve_among(a, b, free);
      double share = 1;
      std::size_t blocking = 0;
      for (std::size_t j = 0; j < a.columns(); ++j) {
        if (target[j] >= 0 || x[j] >= share * (x[j] - target[j])) continue;
        share = x[j] / (x[j] - target[j]);
        blocking = j;
      }
      for (std::size_t j = 0; j < a.columns(); ++j) x[j] = std::max(0.0, x[j] + share * (target[j] - x[j]));
      if (share == 1) break;
      x[blocking] = 0;
      for (std::size_t j = 0; j < a.columns(); ++j) {
        if (x[j] == 0) free[j] = false;
      }
    }
  }
  return x;
}

/// The fit of one kind. A row is an observation divided by its error, so that all rows have errors of the same size.
class Fit {
 public:
  Fit(const KindObservations& observations, std::size_t kinds, const FitOptions& options)
      : seen_(observations), options_(options), kinds_(kinds), columns_(fitted_values(kinds, options.model)) {}

  KindFit run() {
    divisor_ = options_.model.relative ? seen_.cost : std::vector<double>(seen_.size(), 1);
    if (solve() && (!options_.model.relative || refine())) estimate();
    return std::move(result_);
  }

 private:
  /// The most rounds of refine(), and the relative change below which it ends.
  static constexpr int kRounds = 20;
  static constexpr double kUnchanged = 1e-8;
  /// An expected cost below this share of the observed one does not tell the size of the error.
  static constexpr double kLeastShare = 0.1;

  [[nodiscard]] double load(std::size_t row, std::size_t column) const {
    return column == kinds_ ? 1 : seen_.load[row * kinds_ + column];
  }

  /// One round of least squares. False where the columns do not determine the values.
  bool solve() {
    Triangle triangle(columns_ + 1);
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const double factor = (seen_.weight.empty() ? 1 : std::sqrt(seen_.weight[i])) / divisor_[i];
      const std::size_t row = triangle.next();
      for (std::size_t j = 0; j < columns_; ++j) triangle.rows()(row, j) = load(i, j) * factor;
      triangle.rows()(row, columns_) = seen_.cost[i] * factor;
    }
    const Matrix& reduced = triangle.take();
    scaled_ = Matrix(columns_, columns_);
    scale_.assign(columns_, 0);
    for (std::size_t j = 0; j < columns_; ++j) {
      scale_[j] = length(reduced.column(j));
      if (scale_[j] == 0) result_.absent.push_back(static_cast<std::uint32_t>(j));
      for (std::size_t i = 0; i <= j; ++i) scaled_(i, j) = reduced(i, j) / scale_[j];
    }
    if (!result_.absent.empty()) return false;
    singular_ = singular(scaled_);
    const double least = singular_.values.back();
    result_.condition = least > 0 ? singular_.values[0] / least : kInfinity;
    find_most_alike();
    if (!(result_.condition <= options_.max_condition)) {
      find_inseparable();
      return false;
    }
    const std::vector<double> right(reduced.column(columns_).begin(),
                                    reduced.column(columns_).begin() + static_cast<std::ptrdiff_t>(columns_));
    x_ = non_negative_least_squares(scaled_, right);
    const std::vector<double> rest = rest_of(scaled_, x_, right);
    squares_ = dot(rest, rest) + reduced(columns_, columns_) * reduced(columns_, columns_);
    return true;
  }

  /// Errors are relative to the expected cost. It is known only from a fit; observed costs stand for it at first. They alone
  /// would make all coefficients too small, because costs that are too low by chance would count more. False as solve() is.
  bool refine() {
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<double> before = x_;
      const std::vector<double> scale = scale_;
      for (std::size_t i = 0; i < seen_.size(); ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < columns_; ++j) expected += load(i, j) * (before[j] / scale[j]);
        divisor_[i] = std::max(expected, kLeastShare * seen_.cost[i]);
      }
      if (!solve()) return false;
      std::vector<double> change = x_;
      for (std::size_t j = 0; j < columns_; ++j) change[j] -= scale_[j] * (before[j] / scale[j]);
      if (length(change) <= kUnchanged * length(x_)) break;
    }
    return true;
  }

  /// The columns with the largest product.
  void find_most_alike() {
    double most = 0;
    result_.most_alike = {};
    for (std::size_t k = 0; k < columns_; ++k) {
      for (std::size_t j = 0; j < k; ++j) {
        const double product = dot(scaled_.column(j), scaled_.column(k));
        if (product <= most) continue;
        most = product;
        result_.most_alike = {static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k)};
      }
    }
  }

  /// Pairs of columns that alone exceed the largest condition; where there are none, the columns of the combination that is
  /// nearly 0. Of two columns of length 1 with the product c, the condition is the root of (1 + c) / (1 - c).
  void find_inseparable() {
    const double limit = options_.max_condition * options_.max_condition;
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t k = j + 1; k < columns_; ++k) {
        const double product = dot(scaled_.column(j), scaled_.column(k));
        if (1 + product <= limit * (1 - product)) continue;
        result_.inseparable.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k)});
      }
    }
    if (!result_.inseparable.empty()) return;
    constexpr double kNoticeable = 0.1;
    const std::span<const double> combination = singular_.vectors.column(columns_ - 1);
    double most = 0;
    for (const double share : combination) most = std::max(most, std::abs(share));
    std::vector<std::uint32_t>& set = result_.inseparable.emplace_back();
    for (std::size_t j = 0; j < columns_; ++j) {
      if (std::abs(combination[j]) >= kNoticeable * most) set.push_back(static_cast<std::uint32_t>(j));
    }
  }

  void estimate() {
    const std::size_t freedom = seen_.size() - columns_;
    const double variance = freedom > 0 ? squares_ / static_cast<double>(freedom) : 0;
    result_.residual = std::sqrt(variance);
    // The variance of each value: the diagonal of the inverse of the products of the columns.
    for (std::size_t j = 0; j < columns_; ++j) {
      Estimate one;
      one.value = x_[j] / scale_[j];
      one.high = kInfinity;
      if (freedom > 0) {
        double spread = 0;
        for (std::size_t k = 0; k < columns_; ++k) spread += std::pow(singular_.vectors(j, k) / singular_.values[k], 2);
        const double half = student_quantile(freedom) * std::sqrt(variance * spread) / scale_[j];
        one.low = std::max(0.0, one.value - half);
        one.high = one.value + half;
      }
      if (j == kinds_) {
        result_.baseline = one;
      } else {
        result_.coefficient.push_back(one);
      }
    }
  }

  const KindObservations& seen_;
  const FitOptions& options_;
  std::size_t kinds_;
  std::size_t columns_;
  std::vector<double> divisor_;  ///< per observation: the size of its error, up to a factor
  Matrix scaled_;                ///< the triangle of the columns, each scaled to length 1
  std::vector<double> scale_;    ///< their lengths before
  Singular singular_;
  std::vector<double> x_;  ///< the values, scaled
  double squares_ = 0;
  KindFit result_;
};

}  // namespace

KindFit fit_kind(const KindObservations& observations, std::size_t kinds, const FitOptions& options) {
  return Fit(observations, kinds, options).run();
}

double student_quantile(std::size_t freedom) {
  if (freedom == 1) return 12.7062;
  if (freedom == 2) return 4.30265;
  // Fisher and Cornish's expansion around the normal quantile (Abramowitz and Stegun, 26.7.5).
  constexpr double kNormal = 1.959963984540054;
  constexpr double kSquare = kNormal * kNormal;
  const double inverse = 1 / static_cast<double>(freedom);
  const double first = (kSquare + 1) / 4;
  const double second = ((5 * kSquare + 16) * kSquare + 3) / 96;
  const double third = (((3 * kSquare + 19) * kSquare + 17) * kSquare - 15) / 384;
  const double fourth = ((((79 * kSquare + 776) * kSquare + 1482) * kSquare - 1920) * kSquare - 945) / 92160;
  return kNormal * (1 + inverse * (first + inverse * (second + inverse * (third + inverse * fourth))));
}

}  // namespace stowage::cli::learn
