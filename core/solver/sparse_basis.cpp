#include "core/solver/sparse_basis.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

/// Entries nearer to 0 are rounding.
constexpr double kFactorRounding = 1e-13;
/// A pivot has to be at least this, and at least this share of its column's largest entry.
constexpr double kLeastFactor = 1e-9;
constexpr double kPivotShare = .1;

}  // namespace

void SparseBasis::order(const std::vector<std::vector<Entry>>& columns) {
  const auto n = static_cast<std::uint32_t>(columns.size());
  std::vector<std::vector<std::uint32_t>> of_row(n);
  std::vector<std::uint32_t> in_column(n, 0);
  row_count_.assign(n, 0);
  for (std::uint32_t j = 0; j < n; ++j) {
    in_column[j] = static_cast<std::uint32_t>(columns[j].size());
    for (const Entry& e : columns[j]) of_row[e.row].push_back(j);
  }
  for (std::uint32_t k = 0; k < n; ++k) row_count_[k] = static_cast<std::uint32_t>(of_row[k].size());
  std::vector<std::uint32_t> in_row = row_count_;
  std::vector<std::uint8_t> row_done(n, 0);
  std::vector<std::uint8_t> column_done(n, 0);
  std::vector<std::uint32_t> columns_ready;
  std::vector<std::uint32_t> rows_ready;
  for (std::uint32_t k = n; k-- > 0;) {
    if (in_column[k] == 1) columns_ready.push_back(k);
    if (in_row[k] == 1) rows_ready.push_back(k);
  }
  planned_.clear();
  const auto take = [&](std::uint32_t column, std::uint32_t row) {
    planned_.push_back({column, row});
    column_done[column] = 1;
    row_done[row] = 1;
    for (const std::uint32_t j : of_row[row]) {
      if (--in_column[j] == 1 && column_done[j] == 0) columns_ready.push_back(j);
    }
    for (const Entry& e : columns[column]) {
      if (--in_row[e.row] == 1 && row_done[e.row] == 0) rows_ready.push_back(e.row);
    }
  };
  while (!columns_ready.empty() || !rows_ready.empty()) {
    if (!columns_ready.empty()) {
      const std::uint32_t j = columns_ready.back();
      columns_ready.pop_back();
      if (column_done[j] != 0) continue;
      const auto at = std::find_if(columns[j].begin(), columns[j].end(), [&](const Entry& e) { return row_done[e.row] == 0; });
      if (at != columns[j].end()) take(j, at->row);
      continue;
    }
    const std::uint32_t row = rows_ready.back();
    rows_ready.pop_back();
    if (row_done[row] != 0) continue;
    const auto at = std::find_if(of_row[row].begin(), of_row[row].end(), [&](std::uint32_t j) { return column_done[j] == 0; });
    if (at != of_row[row].end()) take(*at, row);
  }
  const std::size_t ready = planned_.size();
  for (std::uint32_t j = 0; j < n; ++j) {
    if (column_done[j] == 0) planned_.push_back({j, kNoRow});
  }
  std::stable_sort(planned_.begin() + static_cast<std::ptrdiff_t>(ready), planned_.end(),
                   [&](const Planned& a, const Planned& b) { return in_column[a.column] < in_column[b.column]; });
}

bool SparseBasis::take_as_is(const std::vector<Entry>& column, std::uint32_t index, std::uint32_t row) {
  double value = 0;
  for (const Entry& e : column) {
    if (e.row == row) value = e.value;
  }
  for (const Entry& e : column) {
    if (e.row == row) continue;
    if (is_done_[e.row] != 0) {
      upper_.push_back(e);
    } else {
      lower_.push_back({e.row, e.value / value});
    }
  }
  is_done_[row] = 1;
  pivots_.push_back({row, index, value, lower_.size(), upper_.size()});
  return std::abs(value) >= kLeastFactor;
}

bool SparseBasis::eliminate(const std::vector<Entry>& column, std::uint32_t index) {
  for (const Entry& e : column) work_[e.row] = e.value;
  std::size_t first = 0;
  for (const Pivot& pivot : pivots_) {
    const double value = work_[pivot.row];
    work_[pivot.row] = 0;
    if (std::abs(value) >= kFactorRounding) {
      upper_.push_back({pivot.row, value});
      for (std::size_t k = first; k < pivot.lower; ++k) work_[lower_[k].row] -= value * lower_[k].value;
    }
    first = pivot.lower;
  }
  double largest = 0;
  for (const double value : work_) largest = std::max(largest, std::abs(value));
  std::uint32_t row = kNoRow;
  std::uint32_t fewest = kNoRow;
  for (std::uint32_t k = 0; k < work_.size(); ++k) {
    if (work_[k] == 0 || std::abs(work_[k]) < kPivotShare * largest || row_count_[k] >= fewest) continue;
    fewest = row_count_[k];
    row = k;
  }
  if (largest < kLeastFactor) {
    std::fill(work_.begin(), work_.end(), 0.0);
    return false;
  }
  const double value = work_[row];
  for (std::uint32_t k = 0; k < work_.size(); ++k) {
    if (k != row && std::abs(work_[k]) > kFactorRounding) lower_.push_back({k, work_[k] / value});
    work_[k] = 0;
  }
  is_done_[row] = 1;
  pivots_.push_back({row, index, value, lower_.size(), upper_.size()});
  return true;
}

bool SparseBasis::factorize(const std::vector<std::vector<Entry>>& columns) {
  const std::size_t n = columns.size();
  order(columns);
  pivots_.clear();
  lower_.clear();
  upper_.clear();
  etas_.clear();
  eta_entries_.clear();
  is_done_.assign(n, 0);
  work_.assign(n, 0);
  scratch_.assign(n, 0);
  pivots_.reserve(n);
  return std::all_of(planned_.begin(), planned_.end(), [&](const Planned& next) {
    const std::vector<Entry>& column = columns[next.column];
    return next.row == kNoRow ? eliminate(column, next.column) : take_as_is(column, next.column, next.row);
  });
}

void SparseBasis::replace(std::size_t i, std::span<const double> step) {
  for (std::uint32_t k = 0; k < step.size(); ++k) {
    if (k != i && std::abs(step[k]) > kFactorRounding) eta_entries_.push_back({k, step[k]});
  }
  etas_.push_back({static_cast<std::uint32_t>(i), step[i], eta_entries_.size()});
}

void SparseBasis::solve(std::vector<double>& b) const {
  std::size_t first = 0;
  for (const Pivot& pivot : pivots_) {
    const double value = b[pivot.row];
    if (value != 0) {
      for (std::size_t k = first; k < pivot.lower; ++k) b[lower_[k].row] -= value * lower_[k].value;
    }
    first = pivot.lower;
  }
  std::vector<double>& x = scratch_;
  for (std::size_t p = pivots_.size(); p-- > 0;) {
    const Pivot& pivot = pivots_[p];
    const double value = b[pivot.row];
    x[pivot.column] = 0;
    if (std::abs(value) < kFactorRounding) continue;
    const double amount = value / pivot.value;
    x[pivot.column] = amount;
    for (std::size_t k = p == 0 ? 0 : pivots_[p - 1].upper; k < pivot.upper; ++k) b[upper_[k].row] -= amount * upper_[k].value;
  }
  b.swap(x);
  first = 0;
  for (const Eta& eta : etas_) {
    const double amount = b[eta.column] / eta.value;
    b[eta.column] = amount;
    if (amount != 0) {
      for (std::size_t k = first; k < eta.end; ++k) b[eta_entries_[k].row] -= amount * eta_entries_[k].value;
    }
    first = eta.end;
  }
}

void SparseBasis::solve_left(std::vector<double>& c) const {
  for (std::size_t e = etas_.size(); e-- > 0;) {
    const Eta& eta = etas_[e];
    double sum = c[eta.column];
    for (std::size_t k = e == 0 ? 0 : etas_[e - 1].end; k < eta.end; ++k) sum -= eta_entries_[k].value * c[eta_entries_[k].row];
    c[eta.column] = sum / eta.value;
  }
  std::vector<double>& y = scratch_;
  std::size_t first = 0;
  for (const Pivot& pivot : pivots_) {
    double sum = c[pivot.column];
    for (std::size_t k = first; k < pivot.upper; ++k) sum -= upper_[k].value * y[upper_[k].row];
    y[pivot.row] = sum / pivot.value;
    first = pivot.upper;
  }
  for (std::size_t p = pivots_.size(); p-- > 0;) {
    const Pivot& pivot = pivots_[p];
    double sum = y[pivot.row];
    for (std::size_t k = p == 0 ? 0 : pivots_[p - 1].lower; k < pivot.lower; ++k) sum -= lower_[k].value * y[lower_[k].row];
    y[pivot.row] = sum;
  }
  c.swap(y);
}

}  // namespace stowage
