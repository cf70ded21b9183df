#include "core/columns/tree/tree_program.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

constexpr double kLeastUse = 1e-6;
/// Columns that columns_below() gives, per row, at most.
constexpr std::size_t kColumnsPerRow = 5;

}  // namespace

std::vector<std::uint32_t> TreeProgram::counted_kinds(const ColumnProblem& problem) {
  const std::uint64_t replicas = problem.replicas();
  std::vector<std::uint32_t> result;
  for (std::uint32_t k = 0; k < problem.kinds.size(); ++k) {
    if (problem.kinds[k].count < replicas) result.push_back(k);
  }
  return result;
}

std::vector<std::uint32_t> TreeProgram::rows_of_kinds(const ColumnProblem& problem, const std::vector<std::uint32_t>& counted) {
  std::vector<std::uint32_t> row_of(problem.kinds.size(), kNone);
  auto row = static_cast<std::uint32_t>(problem.items.size());
  for (const std::uint32_t k : counted) row_of[k] = row++;
  return row_of;
}

std::vector<double> TreeProgram::right_sides(const ColumnProblem& problem, const std::vector<std::uint32_t>& counted,
                                             const std::vector<Branch>& branches) {
  std::vector<double> result;
  for (const ColumnProblem::Item& item : problem.items) result.push_back(item.replicas);
  for (const std::uint32_t k : counted) result.push_back(-static_cast<double>(problem.kinds[k].count));
  if (problem.budget >= 0) result.push_back(-static_cast<double>(problem.budget));
  for (const Branch& branch : branches) result.push_back(branch.at_most ? -static_cast<double>(branch.nodes) : branch.nodes);
  return result;
}

TreeProgram::TreeProgram(const ColumnProblem& problem, const ColumnPool& pool, std::vector<Branch> branches,
                         const std::vector<std::uint32_t>& columns, const Basis& basis, double uncovered_cost)
    : problem_(problem),
      pool_(pool),
      branches_(std::move(branches)),
      counted_(counted_kinds(problem)),
      row_of_(rows_of_kinds(problem, counted_)),
      right_sides_(right_sides(problem, counted_, branches_)),
      uncovered_cost_(uncovered_cost),
      program_(right_sides_, std::vector<std::uint32_t>(right_sides_.size(), 1),
               std::vector<double>(right_sides_.size(), uncovered_cost)),
      local_of_(pool.size(), kNone) {
  for (const std::uint32_t column : columns) add(column);
  if (basis.empty()) return;
  std::vector<CoverProgram::Variable> variables;
  for (const std::int64_t code : basis) {
    if (code >= 0) {
      const auto column = static_cast<std::uint32_t>(code);
      if (!has(column)) add(column);
      variables.push_back(local_of_[column]);
    } else {
      const std::int64_t row = (-1 - code) / 2;
      variables.push_back((-1 - code) % 2 == 0 ? -1 - row : row);
    }
  }
  while (variables.size() < rows()) variables.push_back(-1 - static_cast<CoverProgram::Variable>(variables.size()));
  program_.begin_with(std::move(variables));
}

std::vector<CoverProgram::Amount> TreeProgram::amounts_of(const PricedColumn& column) const {
  std::vector<CoverProgram::Amount> amounts;
  amounts.reserve(column.content.size() + 4);
  for (const auto& [item, copies] : column.content) amounts.push_back({item, static_cast<std::int32_t>(copies)});
  if (row_of_[column.kind] != kNone) amounts.push_back({row_of_[column.kind], -1});
  auto row = static_cast<std::uint32_t>(problem_.items.size() + counted_.size());
  if (problem_.budget >= 0) amounts.push_back({row++, -static_cast<std::int32_t>(problem_.kinds[column.kind].units)});
  for (const Branch& branch : branches_) {
    if (branch.condition.is_met(column)) amounts.push_back({row, branch.at_most ? -1 : 1});
    ++row;
  }
  return amounts;
}

void TreeProgram::add(std::uint32_t column) {
  if (local_of_.size() < pool_.size()) local_of_.resize(pool_.size(), kNone);
  local_of_[column] = static_cast<std::uint32_t>(program_.columns());
  pool_of_.push_back(column);
  is_dropped_.push_back(0);
  program_.add(amounts_of(pool_[column]), problem_.cost(pool_[column].kind, pool_[column].content));
}

double TreeProgram::reduced_cost(std::uint32_t column) const {
  if (has(column)) return program_.reduced_cost(local_of_[column]);
  double cost = problem_.cost(pool_[column].kind, pool_[column].content);
  for (const CoverProgram::Amount& a : amounts_of(pool_[column])) cost -= duals()[a.row] * a.amount;
  return cost;
}

double TreeProgram::right_side(const std::vector<double>& duals) const {
  return std::inner_product(duals.begin(), duals.end(), right_sides_.begin(), 0.0);
}

BestContent::Worths TreeProgram::worths(std::uint32_t kind, const std::vector<double>& duals) const {
  BestContent::Worths worths;
  const std::size_t items = problem_.items.size();
  worths.of_item.assign(duals.begin(), duals.begin() + static_cast<std::ptrdiff_t>(items));
  if (row_of_[kind] != kNone) worths.fixed -= duals[row_of_[kind]];
  std::size_t first = items + counted_.size();
  if (problem_.budget >= 0) worths.fixed -= duals[first++] * static_cast<double>(problem_.kinds[kind].units);
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const double dual = duals[first + b];
    const Condition& condition = branches_[b].condition;
    if (dual == 0 || (condition.kind != kNone && condition.kind != kind)) continue;
    const double worth = branches_[b].at_most ? -dual : dual;
    if (condition.at_least.empty()) {
      worths.fixed += worth;
    } else {
      worths.steps.push_back({condition.at_least, worth});
    }
  }
  return worths;
}

std::vector<std::pair<std::uint32_t, double>> TreeProgram::used() const {
  std::vector<std::pair<std::uint32_t, double>> result;
  for (const CoverProgram::Used& used : program_.solution()) {
    if (used.column >= rows() && used.value > kLeastUse) result.emplace_back(pool_of_[used.column - rows()], used.value);
  }
  return result;
}

double TreeProgram::uncovered() const {
  double sum = 0;
  for (const CoverProgram::Used& used : program_.solution()) sum += used.column < rows() ? used.value : 0;
  return sum;
}

void TreeProgram::set_uncovered_cost(double cost) {
  uncovered_cost_ = cost;
  std::vector<std::pair<std::size_t, double>> costs;
  for (std::size_t row = 0; row < rows(); ++row) costs.emplace_back(row, cost);
  program_.set_costs(costs);
}

TreeProgram::Basis TreeProgram::basis() const {
  Basis result;
  const auto own = static_cast<CoverProgram::Variable>(rows());
  for (const CoverProgram::Variable v : program_.basis()) {
    result.push_back(v < 0 ? -1 - 2 * (-1 - v) : v < own ? -2 - 2 * v : pool_of_[static_cast<std::size_t>(v - own)]);
  }
  return result;
}

std::vector<std::uint32_t> TreeProgram::columns_below(double most) const {
  std::vector<std::pair<double, std::uint32_t>> near;
  for (std::size_t j = 0; j < pool_of_.size(); ++j) {
    const double cost = program_.reduced_cost(rows() + j);
    if (cost <= most) near.emplace_back(cost, pool_of_[j]);
  }
  const std::size_t size = std::min(near.size(), kColumnsPerRow * rows());
  std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(size), near.end());
  std::vector<std::uint32_t> result;
  for (std::size_t k = 0; k < size; ++k) result.push_back(near[k].second);
  std::sort(result.begin(), result.end());
  return result;
}

void TreeProgram::set_left(const std::vector<std::uint32_t>& replicas, const std::vector<std::uint64_t>& nodes,
                           std::int64_t budget) {
  right_sides_.assign(replicas.begin(), replicas.end());
  for (const std::uint32_t k : counted_) right_sides_.push_back(-static_cast<double>(nodes[k]));
  if (problem_.budget >= 0) right_sides_.push_back(-static_cast<double>(budget));
  program_.set_demand(right_sides_);
}

bool TreeProgram::drop_beyond(const std::vector<std::uint32_t>& replicas, const std::vector<std::uint64_t>& nodes) {
  std::vector<std::pair<std::size_t, double>> costs;
  for (std::size_t j = 0; j < pool_of_.size(); ++j) {
    if (is_dropped_[j] != 0) continue;
    const auto& [kind, content] = pool_[pool_of_[j]];
    const auto is_left = [&](const auto& held) { return held.second <= replicas[held.first]; };
    if (nodes[kind] > 0 && std::all_of(content.begin(), content.end(), is_left)) continue;
    is_dropped_[j] = 1;
    // The rows' own columns cover the same for less.
    double cost = uncovered_cost_;
    for (const auto& [item, copies] : content) cost += uncovered_cost_ * copies;
    costs.emplace_back(rows() + j, cost);
  }
  if (!costs.empty()) program_.set_costs(costs);
  return !costs.empty();
}

}  // namespace stowage
