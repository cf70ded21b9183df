#include "core/solver/restricted_master.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/solver/dense_inverse.h"

namespace stowage {
namespace {

constexpr double kZero = 1e-9;
constexpr double kPivot = 1e-9;
constexpr std::uint64_t kRefactorEvery = 60;
/// After this number of pivots in a row that gain nothing, the first candidate is taken instead of the best (Bland's rule).
constexpr std::uint64_t kMostDegenerate = 200;
/// Variables with a negative reduced cost that a look at all variables keeps for the pivots to come, at most.
constexpr std::size_t kMostOffers = 48;
/// Demand is raised by distinct small excesses up to this, so that ties between pivots are rare.
constexpr double kPerturbation = 1e-7;
constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;

}  // namespace

RestrictedMaster::RestrictedMaster(std::vector<double> demand, std::vector<double> penalty, std::vector<double> sizes,
                                   std::vector<double> idle)
    : rows_(demand.size()),
      demand_(std::move(demand)),
      penalty_(std::move(penalty)),
      sizes_(std::move(sizes)),
      idle_cost_(std::move(idle)),
      key_(sizes_.size(), kIdle),
      key_value_(sizes_),
      value_(rows_),
      duals_(rows_, 0),
      step_(rows_),
      entering_(rows_),
      rate_(sizes_.size(), 0),
      has_idle_(sizes_.size(), 0) {
  idle_cost_.resize(sizes_.size(), 0);
  for (std::size_t k = 0; k < rows_; ++k) {
    if (demand_[k] > 0) demand_[k] += kPerturbation * static_cast<double>(k + 1) / static_cast<double>(rows_);
  }
  restart();
}

std::size_t RestrictedMaster::add(std::uint32_t group, double cost, std::span<const std::uint32_t> amounts) {
  cost_.push_back(cost);
  group_.push_back(group);
  amount_.insert(amount_.end(), amounts.begin(), amounts.end());
  idle_.push_back(0);
  return cost_.size() - 1;
}

void RestrictedMaster::start_with(std::size_t column) { key_[group_[column]] = static_cast<Variable>(column); }

void RestrictedMaster::restart() {
  rest_ = demand_;
  for (std::uint32_t g = 0; g < sizes_.size(); ++g) {
    const Variable key = std::exchange(key_[g], kIdle);
    set_key(g, key);
  }
  basis_.resize(rows_);
  for (std::size_t k = 0; k < rows_; ++k) {
    const auto row = static_cast<Variable>(k);
    basis_[k] = rest_[k] >= 0 ? -1 - 2 * row : -2 - 2 * row;
  }
  refactor();
  compute_values();
  compute_duals();
}

double RestrictedMaster::cost(Variable v) const {
  if (is_column(v)) return cost_[static_cast<std::size_t>(v)] - key_cost(group_[static_cast<std::size_t>(v)]);
  const Variable code = -1 - v;
  return code % 2 == 0 ? penalty_[static_cast<std::size_t>(code / 2)] : 0;
}

void RestrictedMaster::difference(Variable v, double* out) const {
  if (!is_column(v)) {
    std::fill(out, out + rows_, 0.0);
    const Variable code = -1 - v;
    out[code / 2] = code % 2 == 0 ? 1 : -1;
    return;
  }
  const auto column = static_cast<std::size_t>(v);
  std::copy_n(amount_.data() + column * rows_, rows_, out);
  const Variable key = key_[group_[column]];
  if (key == kIdle) return;
  const double* from = amount_.data() + static_cast<std::size_t>(key) * rows_;
  for (std::size_t k = 0; k < rows_; ++k) out[k] -= from[k];
}

void RestrictedMaster::refactor() {
  since_refactor_ = 0;
  const std::size_t n = rows_;
  std::vector<double> work(n * n);  // columns are the basis
  for (std::size_t i = 0; i < n; ++i) {
    difference(basis_[i], entering_.data());
    for (std::size_t k = 0; k < n; ++k) work[k * n + i] = entering_[k];
  }
  invert(std::move(work), n, inverse_);
}

void RestrictedMaster::set_key(std::uint32_t group, Variable v) {
  if (v != kIdle && has_idle_[group] == 0) {
    // From now on the group's column that covers nothing is among the columns, so that it may enter again.
    has_idle_[group] = 1;
    cost_.push_back(idle_cost_[group]);
    group_.push_back(group);
    amount_.resize(amount_.size() + rows_, 0.0);
    idle_.resize(cost_.size(), 0);
    idle_.back() = 1;
  }
  for (const bool old : {true, false}) {
    if (!old) key_[group] = v;
    if (key_[group] == kIdle) continue;
    const double* amounts = amount_.data() + static_cast<std::size_t>(key_[group]) * rows_;
    const double times = old ? sizes_[group] : -sizes_[group];
    for (std::size_t k = 0; k < rows_; ++k) rest_[k] += times * amounts[k];
  }
  key_value_[group] = sizes_[group];
}

void RestrictedMaster::compute_values() {
  for (std::size_t i = 0; i < rows_; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < rows_; ++k) sum += inverse_[i * rows_ + k] * rest_[k];
    value_[i] = std::max(0.0, sum);
  }
  const auto group_of_basic = [&](std::size_t i) { return group_[static_cast<std::size_t>(basis_[i])]; };
  for (std::size_t i = 0; i < rows_; ++i) {
    if (is_column(basis_[i])) key_value_[group_of_basic(i)] = sizes_[group_of_basic(i)];
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    if (is_column(basis_[i])) key_value_[group_of_basic(i)] -= value_[i];
  }
}

void RestrictedMaster::compute_duals() {
  std::fill(duals_.begin(), duals_.end(), 0.0);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double c = cost(basis_[i]);
    if (c == 0) continue;
    for (std::size_t k = 0; k < rows_; ++k) duals_[k] += c * inverse_[i * rows_ + k];
  }
}

double RestrictedMaster::group_dual(std::uint32_t group) const {
  const double dual = key_cost(group);
  return key_[group] == kIdle ? dual : dual - worth(static_cast<std::size_t>(key_[group]));
}

double RestrictedMaster::worth(std::size_t column) const {
  const double* amounts = amount_.data() + column * rows_;
  double sum = 0;
  for (std::size_t k = 0; k < rows_; ++k) sum += duals_[k] * amounts[k];
  return sum;
}

double RestrictedMaster::reduced_cost(std::size_t column) const {
  return cost_[column] - group_dual(group_[column]) - worth(column);
}

double RestrictedMaster::reduced_cost(std::uint32_t group, double cost, std::span<const std::uint32_t> amounts) const {
  double sum = cost - group_dual(group);
  for (std::size_t k = 0; k < rows_; ++k) sum -= duals_[k] * amounts[k];
  return sum;
}

RestrictedMaster::Variable RestrictedMaster::choose(bool whole, bool first) {
  const auto attractive = [&](Variable v, double& reduced) {
    if (is_column(v)) {
      const auto column = static_cast<std::size_t>(v);
      if (key_[group_[column]] == v || sizes_[group_[column]] == 0) return false;
      // The error grows with the numbers of the difference, which are large where some demand is not covered.
      const double dual = group_dual(group_[column]);
      reduced = cost_[column] - dual - worth(column);
      return reduced < -kZero * (1 + std::abs(cost_[column]) + std::abs(dual));
    }
    const auto row = static_cast<std::size_t>((-1 - v) / 2);
    reduced = (-1 - v) % 2 == 0 ? penalty_[row] - duals_[row] : duals_[row];
    return reduced < -kZero * (1 + penalty_[row]);
  };
  // The best of the offers: most stay attractive for some pivots.
  Variable best = kIdle;
  double least = 0;
  double reduced = 0;
  for (const Offer& offer : offers_) {
    if (attractive(offer.variable, reduced) && reduced < least) {
      best = offer.variable;
      least = reduced;
    }
  }
  if (best != kIdle && !first) return best;
  offers_.clear();
  const auto look = [&](Variable v) {
    if (attractive(v, reduced)) offers_.push_back({reduced, v});
    return first && !offers_.empty();
  };
  for (std::size_t j = whole ? 0 : fresh_; j < cost_.size(); ++j) {
    if (look(static_cast<Variable>(j))) return offers_.front().variable;
  }
  for (std::size_t k = 0; k < rows_; ++k) {
    if (look(-1 - 2 * static_cast<Variable>(k)) || look(-2 - 2 * static_cast<Variable>(k))) return offers_.front().variable;
  }
  const auto better = [](const Offer& a, const Offer& b) {
    return a.reduced != b.reduced ? a.reduced < b.reduced : a.variable < b.variable;
  };
  const std::size_t kept = std::min(offers_.size(), kMostOffers);
  std::partial_sort(offers_.begin(), offers_.begin() + static_cast<std::ptrdiff_t>(kept), offers_.end(), better);
  offers_.resize(kept);
  return offers_.empty() ? kIdle : offers_.front().variable;
}

/// A basic variable, where `index` is below the number of rows, or the key of a group.
struct RestrictedMaster::Leaving {
  std::size_t index;
  std::uint32_t group = kNoGroup;
  double length = -1;  // of the entering variable; negative where nothing leaves
  double fall = 0;     // of the leaving variable per unit of the entering one

  /// Considers a variable; of equals, the one that falls faster leaves, for the sake of precision.
  void offer(double value, double by, std::size_t i, std::uint32_t g) {
    if (by <= kPivot) return;
    const double ratio = std::max(0.0, value) / by;
    if (length >= 0 && (ratio > length || (ratio == length && by <= fall))) return;
    length = ratio;
    fall = by;
    index = i;
    group = g;
  }
};

RestrictedMaster::Leaving RestrictedMaster::find_leaving(Variable v) {
  const std::size_t n = rows_;
  const auto group_of_basic = [&](std::size_t i) { return group_[static_cast<std::size_t>(basis_[i])]; };
  const std::uint32_t own = is_column(v) ? group_[static_cast<std::size_t>(v)] : kNoGroup;
  if (is_column(v)) rate_[own] -= 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_column(basis_[i])) rate_[group_of_basic(i)] += step_[i];
  }
  Leaving leaving{n};
  const auto offer_key = [&](std::uint32_t g) { leaving.offer(key_value_[g], -rate_[g], n, g); };
  for (std::size_t i = 0; i < n; ++i) leaving.offer(value_[i], step_[i], i, kNoGroup);
  if (is_column(v)) offer_key(own);
  for (std::size_t i = 0; i < n; ++i) {
    if (is_column(basis_[i])) offer_key(group_of_basic(i));
  }
  if (is_column(v)) rate_[own] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_column(basis_[i])) rate_[group_of_basic(i)] = 0;
  }
  return leaving;
}

void RestrictedMaster::replace_basic(std::size_t i, Variable v) {
  const std::size_t n = rows_;
  if (is_column(basis_[i])) {
    // Where this was the only basic column of its group, the key takes all nodes.
    const std::uint32_t group = group_[static_cast<std::size_t>(basis_[i])];
    key_value_[group] = sizes_[group];
  }
  basis_[i] = v;
  if (++since_refactor_ >= kRefactorEvery) return refactor();
  double* row = inverse_.data() + i * n;
  const double scale = 1 / step_[i];
  for (std::size_t k = 0; k < n; ++k) row[k] *= scale;
  for (std::size_t j = 0; j < n; ++j) {
    if (j == i || step_[j] == 0) continue;
    double* other = inverse_.data() + j * n;
    for (std::size_t k = 0; k < n; ++k) other[k] -= step_[j] * row[k];
  }
}

void RestrictedMaster::replace_key(std::uint32_t group, Variable v) {
  // Another basic column of the group becomes the key, and `v` takes its place in the basis.
  const std::size_t n = rows_;
  std::size_t heir = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_column(basis_[i]) || group_[static_cast<std::size_t>(basis_[i])] != group) continue;
    if (heir == n || std::abs(step_[i]) > std::abs(step_[heir])) heir = i;
  }
  if (heir == n) return set_key(group, v);  // without another basic column, the group is that of `v`
  set_key(group, basis_[heir]);
  basis_[heir] = v;
  refactor();
}

void RestrictedMaster::enter(Variable v) {
  const std::size_t n = rows_;
  difference(v, entering_.data());
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += inverse_[i * n + k] * entering_[k];
    step_[i] = sum;
  }
  const Leaving leaving = find_leaving(v);
  // Costs are at least 0, so that some variable falls; only rounding can hide it.
  if (leaving.length < 0) {
    ++degenerate_;
    return;
  }
  degenerate_ = leaving.length > 1e-12 ? 0 : degenerate_ + 1;
  if (leaving.index < n) {
    replace_basic(leaving.index, v);
  } else {
    replace_key(leaving.group, v);
  }
  compute_values();
  compute_duals();
}

std::uint64_t RestrictedMaster::solve(std::uint64_t most) {
  degenerate_ = 0;
  offers_.clear();
  compute_duals();
  std::uint64_t pivots = 0;
  bool whole = false;
  while (pivots < most) {
    const Variable v = choose(whole, degenerate_ > kMostDegenerate);
    if (v == kIdle) {
      if (whole) break;
      whole = true;  // columns that were looked at before may have become attractive
      continue;
    }
    enter(v);
    ++pivots;
    if (degenerate_ > 4 * kMostDegenerate) break;
  }
  fresh_ = cost_.size();
  return pivots;
}

double RestrictedMaster::objective() const {
  double sum = 0;
  for (std::size_t g = 0; g < sizes_.size(); ++g) sum += sizes_[g] * idle_cost_[g];
  for (const Used& used : solution()) sum += used.value * (cost_[used.column] - idle_cost_[group_[used.column]]);
  for (std::size_t k = 0; k < rows_; ++k) sum += penalty_[k] * uncovered(k);
  return sum;
}

std::vector<RestrictedMaster::Used> RestrictedMaster::solution() const {
  std::vector<Used> result;
  for (std::size_t g = 0; g < sizes_.size(); ++g) {
    if (key_[g] != kIdle && idle_[static_cast<std::size_t>(key_[g])] == 0 && key_value_[g] > kZero)
      result.push_back({static_cast<std::size_t>(key_[g]), key_value_[g]});
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    if (is_column(basis_[i]) && idle_[static_cast<std::size_t>(basis_[i])] == 0 && value_[i] > kZero)
      result.push_back({static_cast<std::size_t>(basis_[i]), value_[i]});
  }
  std::sort(result.begin(), result.end(), [](const Used& a, const Used& b) { return a.column < b.column; });
  return result;
}

double RestrictedMaster::uncovered(std::size_t row) const {
  for (std::size_t i = 0; i < rows_; ++i) {
    if (basis_[i] == -1 - 2 * static_cast<Variable>(row)) return value_[i];
  }
  return 0;
}

}  // namespace stowage
