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
/// After so many pivots in a row that gain nothing, the first candidate is taken instead of the best (Bland's rule).
constexpr std::uint64_t kMostDegenerate = 200;
/// So many attractive variables are kept from one look at all of them for the pivots to come.
constexpr std::size_t kMostOffers = 48;
/// Distinct small excesses of demand, so that ties between pivots are rare.
constexpr double kPerturbation = 1e-7;

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
    // From now on the group's column that covers nothing is one like all others, so that it may come back.
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
      // As exact as what it is the difference of: where something is left uncovered, that is much.
      const double dual = group_dual(group_[column]);
      reduced = cost_[column] - dual - worth(column);
      return reduced < -kZero * (1 + std::abs(cost_[column]) + std::abs(dual));
    }
    const auto row = static_cast<std::size_t>((-1 - v) / 2);
    reduced = (-1 - v) % 2 == 0 ? penalty_[row] - duals_[row] : duals_[row];
    return reduced < -kZero * (1 + penalty_[row]);
  };
  // The best of those that a look at all of them left; most stay attractive for a while.
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

void RestrictedMaster::enter(Variable v) {
  const std::size_t n = rows_;
  difference(v, entering_.data());
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += inverse_[i * n + k] * entering_[k];
    step_[i] = sum;
  }
  const std::uint32_t own = is_column(v) ? group_[static_cast<std::size_t>(v)] : 0xFFFFFFFFu;
  if (is_column(v)) rate_[own] -= 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_column(basis_[i])) rate_[group_[static_cast<std::size_t>(basis_[i])]] += step_[i];
  }
  // The variable that reaches 0 first; of equals the one with the largest step, for the sake of precision.
  double length = -1;
  double size = 0;
  std::size_t leaving = n;
  std::uint32_t leaving_group = 0xFFFFFFFFu;
  const auto offer = [&](double value, double fall, std::size_t i, std::uint32_t group) {
    if (fall <= kPivot) return;
    const double ratio = std::max(0.0, value) / fall;
    if (length >= 0 && (ratio > length || (ratio == length && fall <= size))) return;
    length = ratio;
    size = fall;
    leaving = i;
    leaving_group = group;
  };
  const auto offer_key = [&](std::uint32_t g) { offer(key_value_[g], -rate_[g], n, g); };
  for (std::size_t i = 0; i < n; ++i) offer(value_[i], step_[i], i, 0xFFFFFFFFu);
  if (is_column(v)) offer_key(own);
  for (std::size_t i = 0; i < n; ++i) {
    if (is_column(basis_[i])) offer_key(group_[static_cast<std::size_t>(basis_[i])]);
  }
  if (is_column(v)) rate_[own] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_column(basis_[i])) rate_[group_[static_cast<std::size_t>(basis_[i])]] = 0;
  }
  // Costs are at least 0, so nothing falls without end; rounding alone can leave no row.
  if (length < 0) {
    ++degenerate_;
    return;
  }
  degenerate_ = length > 1e-12 ? 0 : degenerate_ + 1;

  if (leaving < n) {
    // The leaving column's group may have no other one in the basis: its key then has it all.
    if (is_column(basis_[leaving]))
      key_value_[group_[static_cast<std::size_t>(basis_[leaving])]] = sizes_[group_[static_cast<std::size_t>(basis_[leaving])]];
    basis_[leaving] = v;
    if (++since_refactor_ >= kRefactorEvery) {
      refactor();
    } else {
      double* row = inverse_.data() + leaving * n;
      const double scale = 1 / step_[leaving];
      for (std::size_t k = 0; k < n; ++k) row[k] *= scale;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == leaving || step_[i] == 0) continue;
        double* other = inverse_.data() + i * n;
        for (std::size_t k = 0; k < n; ++k) other[k] -= step_[i] * row[k];
      }
    }
  } else {
    // A key leaves: another basic column of its group becomes the key, and the entering one takes that one's place.
    std::size_t heir = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_column(basis_[i]) || group_[static_cast<std::size_t>(basis_[i])] != leaving_group) continue;
      if (heir == n || std::abs(step_[i]) > std::abs(step_[heir])) heir = i;
    }
    if (heir == n) {
      set_key(leaving_group, v);  // alone in its group, which is then the entering one's
    } else {
      set_key(leaving_group, basis_[heir]);
      basis_[heir] = v;
      refactor();
    }
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
