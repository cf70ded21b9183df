#include "capi/cli/learn/interference/interference_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace stowage::cli::learn {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFitRounding = 1e-12;

/// The triangle of the QR decomposition of rows that come one by one. It says as much about least squares as all rows.
class Triangle {
 public:
  explicit Triangle(Index columns) : rows_(MatrixXd::Zero(columns + kBlock, columns)), used_(columns) {}

  /// The next row, to be filled.
  auto next() {
    if (used_ == rows_.rows()) reduce();
    return rows_.row(used_++);
  }

  /// columns x columns; the end of the rows.
  MatrixXd take() {
    reduce();
    return rows_.topRows(rows_.cols());
  }

 private:
  static constexpr Index kBlock = 256;

  void reduce() {
    const MatrixXd triangle = Eigen::HouseholderQR<MatrixXd>(rows_).matrixQR().topRows(rows_.cols());
    rows_.setZero();
    rows_.topRows(rows_.cols()) = triangle.triangularView<Eigen::Upper>();
    used_ = rows_.cols();
  }

  MatrixXd rows_;
  Index used_;
};

/// The least squares of the columns in `among`; all others are 0.
VectorXd solve_among(const MatrixXd& a, const VectorXd& b, const std::vector<bool>& among) {
  MatrixXd chosen(a.rows(), std::count(among.begin(), among.end(), true));
  for (Index j = 0, to = 0; j < a.cols(); ++j) {
    if (among[static_cast<std::size_t>(j)]) chosen.col(to++) = a.col(j);
  }
  const VectorXd solved = chosen.householderQr().solve(b);
  VectorXd x = VectorXd::Zero(a.cols());
  for (Index j = 0, from = 0; j < a.cols(); ++j) {
    if (among[static_cast<std::size_t>(j)]) x[j] = solved[from++];
  }
  return x;
}

/// The x >= 0 with the least |a x - b|, where the columns of `a` are independent and of length 1 (Lawson and Hanson, "Solving
/// Least Squares Problems", algorithm NNLS). From 0 on, the columns whose increase helps most become free one by one. Where the
/// least squares of the free columns are negative, x goes as far towards them as it can.
VectorXd non_negative_least_squares(const MatrixXd& a, const VectorXd& b) {
  VectorXd x = VectorXd::Zero(a.cols());
  std::vector<bool> free(static_cast<std::size_t>(a.cols()), false);
  // Each step makes the sum of squares less, so that no set of free columns comes twice; the limit is for rounding.
  for (Index step = 0; step < 3 * a.cols(); ++step) {
    VectorXd gain = a.transpose() * (b - a * x);
    for (Index j = 0; j < a.cols(); ++j) {
      if (free[static_cast<std::size_t>(j)]) gain[j] = 0;
    }
    Index best = 0;
    if (gain.maxCoeff(&best) <= kFitRounding * b.norm()) break;
    free[static_cast<std::size_t>(best)] = true;
    for (;;) {
      const VectorXd target = solve_among(a, b, free);
      double share = 1;
      Index blocking = 0;
      for (Index j = 0; j < a.cols(); ++j) {
        if (target[j] >= 0 || x[j] >= share * (x[j] - target[j])) continue;
        share = x[j] / (x[j] - target[j]);
        blocking = j;
      }
      x = (x + share * (target - x)).cwiseMax(0);
      if (share == 1) break;
      x[blocking] = 0;
      for (Index j = 0; j < a.cols(); ++j) {
        if (x[j] == 0) free[static_cast<std::size_t>(j)] = false;
      }
    }
  }
  return x;
}

/// The fit of one kind. A row is an observation divided by its error, so that all rows have errors of the same size.
class Fit {
 public:
  Fit(const KindObservations& observations, std::size_t kinds, const FitOptions& options)
      : seen_(observations),
        options_(options),
        kinds_(kinds),
        columns_(static_cast<Index>(fitted_values(kinds, options.model))) {}

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

  [[nodiscard]] double load(std::size_t row, Index column) const {
    return static_cast<std::size_t>(column) == kinds_ ? 1 : seen_.load[row * kinds_ + static_cast<std::size_t>(column)];
  }

  /// One round of least squares. False where the columns do not determine the values.
  bool solve() {
    Triangle triangle(columns_ + 1);
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const double factor = (seen_.weight.empty() ? 1 : std::sqrt(seen_.weight[i])) / divisor_[i];
      auto row = triangle.next();
      for (Index j = 0; j < columns_; ++j) row[j] = load(i, j) * factor;
      row[columns_] = seen_.cost[i] * factor;
    }
    const MatrixXd reduced = triangle.take();
    scaled_ = reduced.topLeftCorner(columns_, columns_);
    scale_ = scaled_.colwise().norm();
    for (Index j = 0; j < columns_; ++j) {
      if (scale_[j] == 0) result_.absent.push_back(static_cast<std::uint32_t>(j));
    }
    if (!result_.absent.empty()) return false;
    scaled_ = scaled_ * scale_.cwiseInverse().asDiagonal();
    svd_.compute(scaled_, Eigen::ComputeFullV);
    const double least = svd_.singularValues()[columns_ - 1];
    result_.condition = least > 0 ? svd_.singularValues()[0] / least : kInfinity;
    const MatrixXd products = scaled_.transpose() * scaled_;
    Index row = 0;
    Index column = 0;
    products.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().maxCoeff(&row, &column);
    result_.most_alike = {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
    if (!(result_.condition <= options_.max_condition)) {
      find_inseparable(products);
      return false;
    }
    const VectorXd right = reduced.col(columns_).head(columns_);
    x_ = non_negative_least_squares(scaled_, right);
    squares_ = (scaled_ * x_ - right).squaredNorm() + reduced(columns_, columns_) * reduced(columns_, columns_);
    return true;
  }

  /// Errors are relative to the expected cost. It is known only from a fit; observed costs stand for it at first. They alone
  /// would make all coefficients too small, because costs that are too low by chance would count more. False as solve() is.
  bool refine() {
    for (int round = 0; round < kRounds; ++round) {
      const VectorXd value = x_.cwiseQuotient(scale_);
      for (std::size_t i = 0; i < seen_.size(); ++i) {
        double expected = 0;
        for (Index j = 0; j < columns_; ++j) expected += load(i, j) * value[j];
        divisor_[i] = std::max(expected, kLeastShare * seen_.cost[i]);
      }
      if (!solve()) return false;
      if ((x_ - scale_.cwiseProduct(value)).norm() <= kUnchanged * x_.norm()) break;
    }
    return true;
  }

  /// Pairs of columns that alone exceed the largest condition; where there are none, the columns of the combination that is
  /// nearly 0. Of two columns of length 1 with the product c, the condition is the root of (1 + c) / (1 - c).
  void find_inseparable(const MatrixXd& products) {
    const double limit = options_.max_condition * options_.max_condition;
    for (Index j = 0; j < columns_; ++j) {
      for (Index k = j + 1; k < columns_; ++k) {
        if (1 + products(j, k) <= limit * (1 - products(j, k))) continue;
        result_.inseparable.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k)});
      }
    }
    if (!result_.inseparable.empty()) return;
    constexpr double kNoticeable = 0.1;
    const VectorXd combination = svd_.matrixV().col(columns_ - 1).cwiseAbs();
    std::vector<std::uint32_t>& set = result_.inseparable.emplace_back();
    for (Index j = 0; j < columns_; ++j) {
      if (combination[j] >= kNoticeable * combination.maxCoeff()) set.push_back(static_cast<std::uint32_t>(j));
    }
  }

  void estimate() {
    const auto freedom = static_cast<Index>(seen_.size()) - columns_;
    const double variance = freedom > 0 ? squares_ / static_cast<double>(freedom) : 0;
    result_.residual = std::sqrt(variance);
    // The variance of each value: the diagonal of the inverse of the products of the columns.
    const MatrixXd spread = svd_.matrixV() * svd_.singularValues().cwiseInverse().asDiagonal();
    for (Index j = 0; j < columns_; ++j) {
      Estimate one;
      one.value = x_[j] / scale_[j];
      one.high = kInfinity;
      if (freedom > 0) {
        const double half =
            student_quantile(static_cast<std::size_t>(freedom)) * std::sqrt(variance) * spread.row(j).norm() / scale_[j];
        one.low = std::max(0.0, one.value - half);
        one.high = one.value + half;
      }
      if (static_cast<std::size_t>(j) == kinds_) {
        result_.baseline = one;
      } else {
        result_.coefficient.push_back(one);
      }
    }
  }

  const KindObservations& seen_;
  const FitOptions& options_;
  std::size_t kinds_;
  Index columns_;
  std::vector<double> divisor_;  ///< per observation: the size of its error, up to a factor
  MatrixXd scaled_;              ///< the triangle of the columns, each scaled to length 1
  VectorXd scale_;               ///< their lengths before
  Eigen::JacobiSVD<MatrixXd> svd_;
  VectorXd x_;  ///< the values, scaled
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
