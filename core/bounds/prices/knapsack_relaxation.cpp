#include "core/bounds/prices/knapsack_relaxation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stowage {
namespace {

constexpr double kKnapsackPivot = 1e-9;
constexpr std::uint64_t kMostKnapsackPivots = 400;
constexpr std::uint64_t kInvertEvery = 64;

}  // namespace

void KnapsackRelaxation::add(std::span<const double> weight, double most) {
  weight_.insert(weight_.end(), weight.begin(), weight.end());
  most_.push_back(most);
}

KnapsackRelaxation::Entering KnapsackRelaxation::choose(std::span<const double> worth) const {
  Entering best{size() + dims_, 0};
  double most = kKnapsackPivot;
  for (std::size_t k = 0; k < size(); ++k) {
    const double reduced = worth[k] - surrogate(k);
    const double gain = at_most_[k] == 0 ? reduced : at_most_[k] == 1 ? -reduced : 0;
    if (gain <= most) continue;
    most = gain;
    best = {k, at_most_[k] == 0 ? 1.0 : -1.0};
  }
  for (std::size_t h = 0; h < dims_; ++h) {
    const bool basic = std::find(basis_.begin(), basis_.end(), size() + h) != basis_.end();
    if (basic || -multipliers_[h] <= most) continue;
    most = -multipliers_[h];
    best = {size() + h, 1};
  }
  return best;
}

bool KnapsackRelaxation::enter(const Entering& entering) {
  std::vector<double> step(dims_);
  std::vector<double> value(dims_);
  for (std::size_t i = 0; i < dims_; ++i) {
    for (std::size_t h = 0; h < dims_; ++h) {
      step[i] += inverse_[i * dims_ + h] * entry(entering.variable, h);
      value[i] += inverse_[i * dims_ + h] * rest_[h];
    }
  }
  const bool is_real = entering.variable < size();
  double length = is_real ? most_[entering.variable] : 2.0 * static_cast<double>(size() + dims_) + 1e9;
  std::size_t leaving = dims_;
  bool leaves_at_most = false;
  for (std::size_t i = 0; i < dims_; ++i) {
    const double fall = entering.sign * step[i];
    double ratio = length;
    bool high = false;
    if (fall > kKnapsackPivot) {
      ratio = std::max(0.0, value[i]) / fall;
    } else if (fall < -kKnapsackPivot && basis_[i] < size()) {
      ratio = std::max(0.0, most_[basis_[i]] - value[i]) / -fall;
      high = true;
    } else {
      continue;
    }
    const bool firmer = leaving < dims_ && ratio == length && std::abs(step[i]) > std::abs(step[leaving]);
    if (ratio >= length && !firmer) continue;
    length = ratio;
    leaving = i;
    leaves_at_most = high;
  }
  const auto shift = [&](std::size_t variable, double times) {
    for (std::size_t h = 0; h < dims_; ++h) rest_[h] += times * entry(variable, h);
  };
  if (leaving == dims_) {
    if (!is_real) return false;
    std::uint8_t& state = at_most_[entering.variable];
    shift(entering.variable, state == 0 ? -most_[entering.variable] : most_[entering.variable]);
    state = state == 0 ? 1 : 0;
    return true;
  }
  if (is_real && at_most_[entering.variable] == 1) shift(entering.variable, most_[entering.variable]);
  if (is_real) at_most_[entering.variable] = 2;
  if (basis_[leaving] < size()) {
    at_most_[basis_[leaving]] = leaves_at_most ? 1 : 0;
    if (leaves_at_most) shift(basis_[leaving], -most_[basis_[leaving]]);
  }
  basis_[leaving] = entering.variable;
  if (++since_inverted_ >= kInvertEvery) {
    invert();
    return true;
  }
  const double scale = 1 / step[leaving];
  for (std::size_t h = 0; h < dims_; ++h) inverse_[leaving * dims_ + h] *= scale;
  for (std::size_t i = 0; i < dims_; ++i) {
    if (i == leaving) continue;
    for (std::size_t h = 0; h < dims_; ++h) inverse_[i * dims_ + h] -= step[i] * inverse_[leaving * dims_ + h];
  }
  return true;
}

void KnapsackRelaxation::invert() {
  since_inverted_ = 0;
  // Gauss and Jordan, with the largest pivot of each column.
  const std::size_t n = dims_;
  std::vector<double> work(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t h = 0; h < n; ++h) work[h * n + i] = entry(basis_[i], h);
  }
  inverse_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (std::abs(work[r * n + c]) > std::abs(work[pivot * n + c])) pivot = r;
    }
    if (work[pivot * n + c] == 0) continue;
    for (std::size_t k = 0; k < n && pivot != c; ++k) {
      std::swap(work[pivot * n + k], work[c * n + k]);
      std::swap(inverse_[pivot * n + k], inverse_[c * n + k]);
    }
    const double scale = 1 / work[c * n + c];
    for (std::size_t k = 0; k < n; ++k) {
      work[c * n + k] *= scale;
      inverse_[c * n + k] *= scale;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const double times = work[r * n + c];
      if (r == c || times == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        work[r * n + k] -= times * work[c * n + k];
        inverse_[r * n + k] -= times * inverse_[c * n + k];
      }
    }
  }
}

void KnapsackRelaxation::solve(std::span<const double> worth) {
  if (basis_.empty()) {
    for (std::size_t h = 0; h < dims_; ++h) basis_.push_back(size() + h);
    at_most_.assign(size(), 0);
    rest_.assign(dims_, 1.0);
    multipliers_.assign(dims_, 0.0);
    invert();
  }
  for (std::uint64_t pivots = 0; pivots < kMostKnapsackPivots; ++pivots) {
    std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
    for (std::size_t i = 0; i < dims_; ++i) {
      if (basis_[i] >= size()) continue;
      for (std::size_t h = 0; h < dims_; ++h) multipliers_[h] += worth[basis_[i]] * inverse_[i * dims_ + h];
    }
    work_ += 2 * dims_ * (size() + 2 * dims_);
    const Entering entering = choose(worth);
    if (entering.variable == size() + dims_ || !enter(entering)) break;
  }
  for (double& multiplier : multipliers_) multiplier = std::max(0.0, multiplier);
}

double KnapsackRelaxation::upper(std::span<const double> worth) const {
  double sum = std::accumulate(multipliers_.begin(), multipliers_.end(), 0.0);
  for (std::size_t k = 0; k < size(); ++k) sum += most_[k] * std::max(0.0, worth[k] - surrogate(k));
  return sum;
}

}  // namespace stowage
