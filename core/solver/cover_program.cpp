#include "core/solver/cover_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {
namespace {

/// Values and reduced costs nearer to 0 are rounding.
constexpr double kNone0 = 1e-9;
/// The least entry of a step that may be divided by.
constexpr double kLeastPivot = 1e-7;
/// Demand is raised by distinct small excesses up to this, so that ties between pivots are rare.
constexpr double kRowExcess = 1e-7;
/// Variables that reduce the cost, kept for the pivots to come, at most.
constexpr std::size_t kMostCoverOffers = 40;
/// Costs of columns are raised by distinct small amounts up to this, likewise.
constexpr double kExtraCost = 1e-7;
/// Pivots between two factorizations of the basis.
constexpr std::size_t kPivotsPerFactors = 40;

}  // namespace

CoverProgram::CoverProgram(std::vector<double> demand, std::span<const std::uint32_t> most, std::span<const double> cost)
    : rows_(demand.size()), begin_{0}, surplus_basic_(rows_, 0), value_(rows_), duals_(rows_), step_(rows_), row_(rows_) {
  for (std::size_t k = 0; k < rows_; ++k) {
    const Amount own{static_cast<std::uint32_t>(k), static_cast<std::int32_t>(most[k])};
    add({&own, 1}, cost[k]);
  }
  basis_.resize(rows_);
  demand_ = std::move(demand);
  begin_anew();
  set_demand(std::move(demand_));
}

void CoverProgram::add(std::span<const Amount> amounts, double cost) {
  amounts_.insert(amounts_.end(), amounts.begin(), amounts.end());
  begin_.push_back(static_cast<std::uint32_t>(amounts_.size()));
  is_basic_.push_back(0);
  own_cost_.push_back(cost);
  cost_.push_back(raised(columns(), cost));
}

// By a hash of the column's number: all platforms have the same costs.
double CoverProgram::raised(std::size_t column, double cost) {
  const std::uint64_t hash = (column * 0x9E3779B97F4A7C15u) >> 40;
  return cost + kExtraCost * static_cast<double>(hash) * 0x1p-24;
}

void CoverProgram::set_costs(std::span<const std::pair<std::size_t, double>> costs) {
  for (const auto& [column, cost] : costs) {
    own_cost_[column] = cost;
    cost_[column] = raised(column + 1, cost);
  }
  compute_duals();
}

void CoverProgram::set_demand(std::vector<double> demand) {
  demand_ = std::move(demand);
  for (std::size_t k = 0; k < rows_; ++k) {
    if (demand_[k] > 0) demand_[k] += kRowExcess * static_cast<double>(k + 1) / static_cast<double>(rows_);
  }
  compute_values();
}

double CoverProgram::reduced_cost(std::size_t index) const {
  double sum = cost_[index];
  for (const Amount& a : column(index)) sum -= duals_[a.row] * a.amount;
  return sum;
}

void CoverProgram::compute_step(Variable v) {
  std::fill(step_.begin(), step_.end(), 0.0);
  if (v < 0) {
    step_[static_cast<std::size_t>(-1 - v)] = -1;
  } else {
    for (const Amount& a : column(static_cast<std::size_t>(v))) step_[a.row] = a.amount;
  }
  factors_.solve(step_);
}

void CoverProgram::compute_row(std::size_t i) {
  std::fill(row_.begin(), row_.end(), 0.0);
  row_[i] = 1;
  factors_.solve_left(row_);
}

void CoverProgram::compute_values() {
  value_ = demand_;
  factors_.solve(value_);
}

void CoverProgram::compute_duals() {
  for (std::size_t i = 0; i < rows_; ++i) duals_[i] = cost(basis_[i]);
  factors_.solve_left(duals_);
}

void CoverProgram::refactor() {
  std::vector<std::vector<SparseBasis::Entry>> columns(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (basis_[i] < 0) {
      columns[i].push_back({static_cast<std::uint32_t>(-1 - basis_[i]), -1});
      continue;
    }
    for (const Amount& a : column(static_cast<std::size_t>(basis_[i])))
      columns[i].push_back({a.row, static_cast<double>(a.amount)});
  }
  if (!factors_.factorize(columns)) {
    // Rounding has let dependent columns into the basis.
    begin_anew();
    return;
  }
  compute_values();
  compute_duals();
}

void CoverProgram::forget_basis() {
  std::fill(is_basic_.begin(), is_basic_.end(), std::uint8_t{0});
  std::fill(surplus_basic_.begin(), surplus_basic_.end(), std::uint8_t{0});
}

// What is to be used so often at most is not used, and all else is covered by rows' own columns.
void CoverProgram::begin_anew() {
  std::vector<Variable> basis;
  for (std::size_t k = 0; k < rows_; ++k) {
    const auto row = static_cast<Variable>(k);
    basis.push_back(demand_[k] < 0 ? -1 - row : row);
  }
  begin_with(std::move(basis));
}

void CoverProgram::begin_with(std::vector<Variable> basis) {
  forget_basis();
  basis_ = std::move(basis);
  for (const Variable v : basis_) set_basic(v, true);
  refactor();
}

void CoverProgram::set_basic(Variable v, bool basic) {
  (v >= 0 ? is_basic_[static_cast<std::size_t>(v)] : surplus_basic_[static_cast<std::size_t>(-1 - v)]) = basic ? 1 : 0;
}

void CoverProgram::replace(std::size_t i, Variable v, double reduced) {
  work_ += 16 * rows_;
  const double length = value_[i] / step_[i];
  for (std::size_t j = 0; j < rows_; ++j) value_[j] -= length * step_[j];
  value_[i] = length;
  const double times = reduced / step_[i];
  for (std::size_t k = 0; k < rows_; ++k) duals_[k] += times * row_[k];
  set_basic(basis_[i], false);
  basis_[i] = v;
  set_basic(v, true);
  factors_.replace(i, step_);
  if (factors_.replaced() >= kPivotsPerFactors) refactor();
}

CoverProgram::Variable CoverProgram::find_entering(double& reduced) {
  const auto now = [&](Variable v) {
    return v >= 0 ? reduced_cost(static_cast<std::size_t>(v)) : duals_[static_cast<std::size_t>(-1 - v)];
  };
  const auto is_in = [&](Variable v) {
    return (v >= 0 ? is_basic_[static_cast<std::size_t>(v)] : surplus_basic_[static_cast<std::size_t>(-1 - v)]) != 0;
  };
  // The best of the offers: most stay attractive for some pivots.
  Variable best = kNothing;
  reduced = -kNone0;
  for (const Variable v : offers_) {
    if (is_in(v)) continue;
    const double cost = now(v);
    if (cost >= reduced) continue;
    reduced = cost;
    best = v;
  }
  if (best != kNothing) return best;
  work_ += 2 * (amounts_.size() + columns() + rows_);
  std::vector<std::pair<double, Variable>> found;
  const auto look = [&](Variable v) {
    if (is_in(v)) return;
    const double cost = now(v);
    if (cost < -kNone0) found.emplace_back(cost, v);
  };
  for (std::size_t j = 0; j < columns(); ++j) look(static_cast<Variable>(j));
  for (std::size_t k = 0; k < rows_; ++k) look(-1 - static_cast<Variable>(k));
  offers_.clear();
  if (found.empty()) return kNothing;
  const std::size_t kept = std::min(found.size(), kMostCoverOffers);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
  for (std::size_t k = 0; k < kept; ++k) offers_.push_back(found[k].second);
  reduced = found.front().first;
  return found.front().second;
}

bool CoverProgram::primal_pivot() {
  double reduced = 0;
  const Variable entering = find_entering(reduced);
  if (entering == kNothing) return false;
  compute_step(entering);
  std::size_t leaving = rows_;
  double least = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (step_[i] <= kLeastPivot) continue;
    const double ratio = std::max(0.0, value_[i]) / step_[i];
    // Of equals, the larger pivot, for the sake of precision.
    if (leaving < rows_ && (ratio > least || (ratio == least && step_[i] <= step_[leaving]))) continue;
    least = ratio;
    leaving = i;
  }
  if (leaving == rows_) return false;  // costs are at least 0: only rounding hides what leaves
  value_[leaving] = std::max(0.0, value_[leaving]);
  compute_row(leaving);
  replace(leaving, entering, reduced);
  return true;
}

bool CoverProgram::dual_pivot() {
  std::size_t leaving = rows_;
  double least = -kNone0;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (value_[i] < least) {
      least = value_[i];
      leaving = i;
    }
  }
  if (leaving == rows_) return false;
  compute_row(leaving);
  work_ += 4 * (amounts_.size() + columns() + rows_);
  Variable entering = kNothing;
  double ratio = 0;
  double pivot = 0;
  double reduced = 0;
  const auto offer = [&](Variable v, double along, double cost_now) {
    if (along >= -kLeastPivot) return;
    const double now = std::max(0.0, cost_now) / -along;
    if (entering != kNothing && (now > ratio || (now == ratio && along >= pivot))) return;
    entering = v;
    ratio = now;
    pivot = along;
    reduced = cost_now;
  };
  for (std::size_t j = 0; j < columns(); ++j) {
    if (is_basic_[j] != 0) continue;
    double along = 0;
    double pays = 0;
    for (const Amount& a : column(j)) {
      along += row_[a.row] * a.amount;
      pays += duals_[a.row] * a.amount;
    }
    offer(static_cast<Variable>(j), along, cost_[j] - pays);
  }
  for (std::size_t k = 0; k < rows_; ++k) {
    if (surplus_basic_[k] == 0) offer(-1 - static_cast<Variable>(k), -row_[k], duals_[k]);
  }
  if (entering == kNothing) return false;
  compute_step(entering);
  if (std::abs(step_[leaving]) < kLeastPivot) return false;
  replace(leaving, entering, reduced);
  return true;
}

std::uint64_t CoverProgram::solve(std::uint64_t most) {
  std::uint64_t pivots = 0;
  offers_.clear();
  while (pivots < most && dual_pivot()) ++pivots;
  while (pivots < most && primal_pivot()) ++pivots;
  return pivots;
}

double CoverProgram::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < rows_; ++i)
    sum += basis_[i] >= 0 ? value_[i] * own_cost_[static_cast<std::size_t>(basis_[i])] : 0;
  return sum;
}

std::vector<CoverProgram::Used> CoverProgram::solution() const {
  std::vector<Used> result;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (basis_[i] >= 0 && value_[i] > kNone0) result.push_back({static_cast<std::size_t>(basis_[i]), value_[i]});
  }
  std::sort(result.begin(), result.end(), [](const Used& a, const Used& b) { return a.column < b.column; });
  return result;
}

}  // namespace stowage
