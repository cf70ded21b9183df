#include "core/solver/cut_program.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

constexpr double kLeastCutPivot = 1e-9;
constexpr double kCutTolerance = 1e-10;

}  // namespace

CutProgram::CutProgram(std::vector<double> gains) : width_(gains.size()), gain_(std::move(gains)), nonbasic_(width_) {
  std::iota(nonbasic_.begin(), nonbasic_.end(), std::size_t{0});
}

std::size_t CutProgram::add(std::span<const double> cut, double limit) {
  table_.resize(table_.size() + width_ + 1, 0.0);
  double* const added = table_.data() + rows() * (width_ + 1);
  added[width_] = limit;
  ++changed_rows_;
  for (std::size_t column = 0; column < width_; ++column) {
    if (nonbasic_[column] < width_) added[column] += cut[nonbasic_[column]];
  }
  for (std::size_t r = 0; r < rows(); ++r) {
    if (basic_[r] >= width_ || cut[basic_[r]] == 0) continue;
    const double times = cut[basic_[r]];
    const double* const from = row(r);
    ++changed_rows_;
    for (std::size_t k = 0; k <= width_; ++k) added[k] -= times * from[k];
  }
  basic_.push_back(width_ + cuts_);
  return cuts_++;
}

void CutProgram::drop_loose() {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rows(); ++r) {
    if (basic_[r] >= width_ && value(r) > kCutTolerance) continue;
    if (kept != r) {
      std::copy_n(row(r), width_ + 1, row(kept));
      basic_[kept] = basic_[r];
    }
    ++kept;
  }
  basic_.resize(kept);
  table_.resize(kept * (width_ + 1));
}

void CutProgram::pivot(std::size_t r, std::size_t column) {
  double* const pivot_row = row(r);
  const double scale = 1 / pivot_row[column];
  for (std::size_t k = 0; k <= width_; ++k) pivot_row[k] *= scale;
  pivot_row[column] = scale;
  for (std::size_t other = 0; other < rows(); ++other) {
    if (other == r) continue;
    double* const other_row = row(other);
    const double times = other_row[column];
    if (times == 0) continue;
    other_row[column] = 0;
    ++changed_rows_;
    for (std::size_t k = 0; k <= width_; ++k) other_row[k] -= times * pivot_row[k];
  }
  const double gain = gain_[column];
  gain_[column] = 0;
  for (std::size_t k = 0; k < width_; ++k) gain_[k] -= gain * pivot_row[k];
  objective_ += gain * pivot_row[width_];
  std::swap(basic_[r], nonbasic_[column]);
}

bool CutProgram::dual_step() {
  std::size_t leaving = rows();
  double least = -kCutTolerance;
  for (std::size_t r = 0; r < rows(); ++r) {
    if (value(r) >= least) continue;
    least = value(r);
    leaving = r;
  }
  if (leaving == rows()) return false;
  const double* const from = row(leaving);
  std::size_t entering = width_;
  double least_ratio = 0;
  for (std::size_t k = 0; k < width_; ++k) {
    if (from[k] >= -kLeastCutPivot) continue;
    const double ratio = std::min(0.0, gain_[k]) / from[k];
    if (entering != width_ && (ratio > least_ratio || (ratio == least_ratio && from[k] >= from[entering]))) continue;
    entering = k;
    least_ratio = ratio;
  }
  if (entering == width_) return false;
  pivot(leaving, entering);
  return true;
}

bool CutProgram::primal_step() {
  std::size_t entering = width_;
  double most = kLeastCutPivot;
  for (std::size_t k = 0; k < width_; ++k) {
    if (gain_[k] <= most) continue;
    most = gain_[k];
    entering = k;
  }
  if (entering == width_) return false;
  std::size_t leaving = rows();
  double least_ratio = 0;
  for (std::size_t r = 0; r < rows(); ++r) {
    const double rate = row(r)[entering];
    if (rate <= kLeastCutPivot) continue;
    const double ratio = std::max(0.0, value(r)) / rate;
    if (leaving != rows() && (ratio > least_ratio || (ratio == least_ratio && rate <= row(leaving)[entering]))) continue;
    leaving = r;
    least_ratio = ratio;
  }
  if (leaving == rows()) return false;
  pivot(leaving, entering);
  return true;
}

std::uint64_t CutProgram::solve(std::uint64_t most) {
  std::uint64_t pivots = 0;
  while (pivots < most && (dual_step() || primal_step())) ++pivots;
  return pivots;
}

std::vector<double> CutProgram::values() const {
  std::vector<double> y(width_, 0.0);
  for (std::size_t r = 0; r < rows(); ++r) {
    if (basic_[r] < width_) y[basic_[r]] = std::max(0.0, value(r));
  }
  return y;
}

std::vector<CutProgram::Used> CutProgram::used() const {
  std::vector<Used> result;
  for (std::size_t k = 0; k < width_; ++k) {
    if (nonbasic_[k] >= width_ && gain_[k] < -kLeastCutPivot) result.push_back({nonbasic_[k] - width_, -gain_[k]});
  }
  std::sort(result.begin(), result.end(), [](const Used& a, const Used& b) { return a.cut < b.cut; });
  return result;
}

}  // namespace stowage
