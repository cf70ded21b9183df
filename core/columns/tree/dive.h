// Makes a solution of the columns of a linear program: those that it uses whole are fixed, or the one that it uses most; then
// the program of what is left is solved again, with new columns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/columns/tree/column_tree.h"
#include "core/columns/tree/tree_program.h"

namespace stowage {

class ColumnDive {
 public:
  /// Adds columns to the program that reduce its cost, with at most so many of each item; returns the work.
  using FindColumns = std::function<std::uint64_t(TreeProgram& program, const std::vector<std::uint32_t>& left)>;

  /// @param used columns to begin with, as a program uses them
  ColumnDive(const ColumnProblem& problem, const ColumnPool& pool, std::vector<std::pair<std::uint32_t, double>> used,
             const std::vector<std::uint32_t>& columns);

  /// One step. Returns the work.
  std::uint64_t step(double cutoff, const FindColumns& find);
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// The solution, where one was found that costs less than the cutoff.
  [[nodiscard]] const std::optional<ColumnSolution>& found() const { return found_; }
  [[nodiscard]] double cost() const { return cost_; }

 private:
  /// Takes nodes with the column, as many as are left and find all of its replicas; with `partly`, at least one.
  void fix(std::uint32_t column, std::uint32_t times, bool partly);

  const ColumnProblem& problem_;
  const ColumnPool& pool_;
  TreeProgram program_;
  std::vector<std::pair<std::uint32_t, double>> used_;
  std::vector<std::uint32_t> left_;        // per item
  std::vector<std::uint64_t> nodes_left_;  // per kind
  std::int64_t budget_left_;
  ColumnSolution filling_;
  double cost_ = 0;
  bool has_ended_ = false;
  std::optional<ColumnSolution> found_;
};

}  // namespace stowage
