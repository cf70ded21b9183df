// The linear program of one node of the tree, over the columns that are known.
#pragma once

#include <cstdint>
#include <vector>

#include "core/columns/column_problem.h"
#include "core/columns/tree/branches.h"
#include "core/solver/cover_program.h"

namespace stowage {

/// All columns that have been found. Conditions of branches are rows, so that each is a column at every node of the tree.
using ColumnPool = std::vector<PricedColumn>;

class TreeProgram {
 public:
  /// A basis that outlives its program: at least 0: a column of the pool; -1 - 2r: what row r holds beyond its right side;
  /// -2 - 2r: row r's own column. Rows are items, counted kinds, the budget, and branches.
  using Basis = std::vector<std::int64_t>;

  /// What a replica costs at first that is not covered, in the dearest nodes.
  static constexpr double kUncoveredCost = 16;

  /// @param columns of the pool, with which the program begins
  /// @param basis   of a program with the first of these branches; empty: none
  TreeProgram(const ColumnProblem& problem, const ColumnPool& pool, std::vector<Branch> branches,
              const std::vector<std::uint32_t>& columns, const Basis& basis, double uncovered_cost = kUncoveredCost);

  /// Pivots, at most so often. Returns how often.
  std::uint64_t solve(std::uint64_t most) { return program_.solve(most); }
  /// Operations since the last call, roughly.
  std::uint64_t take_work() { return program_.take_work() + rows(); }
  [[nodiscard]] double objective() const { return program_.objective(); }
  [[nodiscard]] std::size_t rows() const { return program_.rows(); }
  [[nodiscard]] const std::vector<Branch>& branches() const { return branches_; }

  /// Adds a column of the pool.
  void add(std::uint32_t column);
  [[nodiscard]] bool has(std::uint32_t column) const { return column < local_of_.size() && local_of_[column] != kNone; }
  /// Cost less what the duals pay, of a column of the pool.
  [[nodiscard]] double reduced_cost(std::uint32_t column) const;

  /// Duals, and the sum of them times the right sides.
  [[nodiscard]] const std::vector<double>& duals() const { return program_.duals(); }
  [[nodiscard]] double right_side(const std::vector<double>& duals) const;
  /// What contents of a kind are worth at the duals.
  [[nodiscard]] BestContent::Worths worths(std::uint32_t kind, const std::vector<double>& duals) const;

  /// Columns of the pool in use.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, double>> used() const;
  /// How much of all right sides columns leave uncovered.
  [[nodiscard]] double uncovered() const;
  /// Sets what that costs. The program is to be solved.
  void set_uncovered_cost(double cost);
  [[nodiscard]] Basis basis() const;
  /// Columns of the pool whose reduced cost is at most `most`; of many, so many per row whose reduced cost is least.
  [[nodiscard]] std::vector<std::uint32_t> columns_below(double most) const;

  /// Sets how many replicas of each item are left to hold, and how many nodes of each kind and units of the budget are left.
  /// Branches are to be empty.
  void set_left(const std::vector<std::uint32_t>& replicas, const std::vector<std::uint64_t>& nodes, std::int64_t budget);
  /// Columns that hold more of an item than is left, or of whose kind no node is left, are used no longer. The program is to be
  /// solved. False: there are none.
  bool drop_beyond(const std::vector<std::uint32_t>& replicas, const std::vector<std::uint64_t>& nodes);

 private:
  [[nodiscard]] std::vector<CoverProgram::Amount> amounts_of(const PricedColumn& column) const;
  static std::vector<std::uint32_t> counted_kinds(const ColumnProblem& problem);
  static std::vector<std::uint32_t> rows_of_kinds(const ColumnProblem& problem, const std::vector<std::uint32_t>& counted);
  static std::vector<double> right_sides(const ColumnProblem& problem, const std::vector<std::uint32_t>& counted,
                                         const std::vector<Branch>& branches);

  const ColumnProblem& problem_;
  const ColumnPool& pool_;
  std::vector<Branch> branches_;
  std::vector<std::uint32_t> counted_;  // kinds with a row
  std::vector<std::uint32_t> row_of_;   // per kind, kNone: none
  std::vector<double> right_sides_;
  double uncovered_cost_;
  CoverProgram program_;
  std::vector<std::uint32_t> pool_of_;    // per column of the program beyond the rows' own
  std::vector<std::uint8_t> is_dropped_;  // per column of pool_of_
  std::vector<std::uint32_t> local_of_;   // per column of the pool: its column of the program, kNone: none
};

}  // namespace stowage
