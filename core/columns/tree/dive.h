// Makes a solution of the columns of a linear program: those that it uses whole, or most, are fixed; then the program of what
// is left is solved again, with new columns. Where too much is left, choices are taken back.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/columns/effort.h"
#include "core/columns/tree/column_tree.h"
#include "core/columns/tree/tree_program.h"

namespace stowage {

class ColumnDive {
 public:
  /// Adds columns to the program that reduce its cost, with at most so many of each item, of kinds of which nodes are left;
  /// false: there are none.
  using FindColumns = std::function<bool(TreeProgram& program, const std::vector<std::uint32_t>& left,
                                         const std::vector<std::uint64_t>& nodes_left)>;
  /// Whether a solution of so much is looked for.
  using IsWanted = std::function<bool(double cost)>;

  /// @param kept    nodes that stay as they are
  /// @param columns of the dive's program
  /// @param number  of the dive: each goes another way
  /// @param most_retreats choices that are taken back, at most
  ColumnDive(const ColumnProblem& problem, const ColumnPool& pool, ColumnSolution kept,
             const std::vector<std::uint32_t>& columns, std::uint64_t number, std::uint32_t most_retreats);

  /// Takes a choice, or one back, or goes on with the program of what is left.
  void step(const IsWanted& is_wanted, const FindColumns& find, Effort& effort);
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// The solution, where one was found that is wanted.
  [[nodiscard]] const std::optional<ColumnSolution>& found() const { return found_; }
  [[nodiscard]] double cost() const { return cost_; }

 private:
  /// What is left after some choices.
  struct Rest {
    TreeProgram program;
    std::vector<std::pair<std::uint32_t, double>> used;
    std::vector<std::uint32_t> left;        // per item
    std::vector<std::uint64_t> nodes_left;  // per kind
    std::int64_t budget_left;
    ColumnSolution filling;
    double cost;
    double least;                     // columns that are used so much are fixed
    std::uint32_t tries = 0;          // choices that were tried here
    std::uint32_t rounds = 0;         // of new columns
    bool holds_what_is_left = false;  // columns that hold more are dropped
  };
  /// Takes nodes with the column, as many as are left and find all of its replicas; with `partly`, at least one replica.
  void fix(Rest& rest, std::uint32_t column, std::uint32_t times, bool partly) const;
  void take(Rest& rest, FilledNodes nodes) const;
  /// False where nothing can be fixed.
  bool choose(Rest& rest);
  void set_next(Rest rest);
  /// Solves the program of next_, and adds columns; true: it needs no more of them.
  bool settle(const IsWanted& is_wanted, const FindColumns& find, Effort& effort);
  void take_back(const IsWanted& is_wanted);

  const ColumnProblem& problem_;
  const ColumnPool& pool_;
  Random random_;
  bool is_blurred_;
  std::uint32_t most_retreats_;
  std::deque<Rest> path_;
  std::optional<Rest> next_;  // after the choice that is tried
  std::uint32_t retreats_ = 0;
  bool has_ended_ = false;
  std::optional<ColumnSolution> found_;
  double cost_ = 0;
};

}  // namespace stowage
