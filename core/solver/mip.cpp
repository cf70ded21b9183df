#include "core/solver/mip.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

bool is_within(double value, double least, double most, double scale) {
  const double slack = kSolverTolerance * scale;
  return value >= least - slack && value <= most + slack;
}

bool are_numbers(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Rounds whole columns; false where a value is too far from a whole number, or violates a bound or a row.
bool settle_values(const Program& program, std::vector<double>& values) {
  if (values.size() != program.columns() || !are_numbers(values)) return false;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (program.whole[c] != 0) {
      const double rounded = std::floor(values[c] + 0.5);
      if (std::fabs(rounded - values[c]) > kSolverTolerance * std::max(1.0, std::fabs(rounded))) return false;
      values[c] = rounded;
    }
    if (!is_within(values[c], program.lower[c], program.upper[c], std::max(1.0, std::fabs(values[c])))) return false;
  }
  for (std::size_t r = 0; r < program.rows(); ++r) {
    double sum = 0;
    double scale = 1;
    for (std::uint64_t e = program.row_begin[r]; e < program.row_begin[r + 1]; ++e) {
      const double term = program.entry_value[e] * values[program.entry_column[e]];
      sum += term;
      scale = std::max(scale, std::fabs(term));
    }
    if (!is_within(sum, program.row_lower[r], program.row_upper[r], scale)) return false;
  }
  return true;
}

}  // namespace

std::uint32_t Program::add_column(double column_cost, double column_lower, double column_upper, bool is_whole) {
  cost.push_back(column_cost);
  lower.push_back(column_lower);
  upper.push_back(column_upper);
  whole.push_back(is_whole ? 1 : 0);
  return static_cast<std::uint32_t>(cost.size() - 1);
}

void Program::add_row(double least, double most, std::span<const Term> terms) {
  const std::size_t first = entry_column.size();
  for (const Term& term : terms) {
    entry_column.push_back(term.column);
    entry_value.push_back(term.factor);
  }
  // Few rows have a column twice: only these are merged.
  const auto row = entry_column.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<std::uint32_t> sorted(row, entry_column.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    std::vector<Term> merged(terms.begin(), terms.end());
    std::stable_sort(merged.begin(), merged.end(), [](const Term& a, const Term& b) { return a.column < b.column; });
    entry_column.resize(first);
    entry_value.resize(first);
    for (const Term& term : merged) {
      if (entry_column.size() > first && entry_column.back() == term.column) {
        entry_value.back() += term.factor;
      } else {
        entry_column.push_back(term.column);
        entry_value.push_back(term.factor);
      }
    }
  }
  row_lower.push_back(least);
  row_upper.push_back(most);
  row_begin.push_back(entry_column.size());
}

Answer check_answer(const Program& program, Answer answer) {
  if (std::isnan(answer.bound)) answer.bound = -kInfinity;
  if (answer.duals.size() != program.rows() || !are_numbers(answer.duals)) answer.duals.clear();
  if (answer.status != AnswerStatus::kOptimal && answer.status != AnswerStatus::kFeasible) {
    answer.values.clear();
    // A program without values has no least cost, and a failure proves nothing.
    if (answer.status != AnswerStatus::kUnsolved) answer.bound = -kInfinity;
    return answer;
  }
  if (!settle_values(program, answer.values)) return {};
  answer.objective = 0;
  for (std::size_t c = 0; c < program.columns(); ++c) answer.objective += program.cost[c] * answer.values[c];
  const double slack = kSolverTolerance * std::max(1.0, std::fabs(answer.objective));
  if (answer.bound > answer.objective) {
    answer.bound = answer.bound <= answer.objective + slack ? answer.objective : -kInfinity;
  }
  // Values without a bound, or with a bound that they contradict, are feasible but not known to be optimal.
  if (answer.status == AnswerStatus::kOptimal && answer.bound == -kInfinity) answer.status = AnswerStatus::kFeasible;
  return answer;
}

}  // namespace stowage
