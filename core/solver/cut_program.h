// A linear program in few variables to which constraints are added one after the other.
//
//   maximize    sum_k gain_k y_k
//   subject to  sum_k row_jk y_k <= limit_j    for every cut j, limit_j >= 0
//               y >= 0
//
// It is the dual of a program in which every cut is a column, as of column generation or of Dantzig and Wolfe's decomposition;
// the multiplier of a cut is the value of its column. The simplex method works on a dense dictionary, which has a column per
// variable however many cuts there are. y = 0 meets all cuts, so that a first solve() begins with the primal method. When
// cuts are added to an optimum, the dual method goes on from it.
//
// O(cuts x variables) per pivot. Rounding may leave y slightly outside of a cut: whoever needs proof evaluates y.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

class CutProgram {
 public:
  /// @param gains per variable; of any sign
  explicit CutProgram(std::vector<double> gains);

  [[nodiscard]] std::size_t variables() const { return width_; }
  [[nodiscard]] std::size_t cuts() const { return cuts_; }
  /// Adds a cut and returns its number.
  /// @param cut   variables() entries
  /// @param limit at least 0
  std::size_t add(std::span<const double> cut, double limit);
  /// Forgets cuts that are not tight, as if they had never been added. Numbers of other cuts stay as they are.
  void drop_loose();
  /// Pivots until y is an optimum, at most `most` times. Returns the number of pivots. Where the optimum is unbounded, it stops
  /// at some y that meets all cuts.
  std::uint64_t solve(std::uint64_t most);
  /// How many entries of the dictionary all cuts and pivots so far have written: what takes the time.
  [[nodiscard]] std::uint64_t changes() const { return changed_rows_ * (width_ + 1); }

  /// y, all at least 0.
  [[nodiscard]] std::vector<double> values() const;
  [[nodiscard]] double objective() const { return objective_; }
  struct Used {
    std::size_t cut;
    double multiplier;
  };
  /// Cuts with a multiplier above 0, by number.
  [[nodiscard]] std::vector<Used> used() const;

 private:
  // A variable is k; the slack of cut j is width_ + j.
  [[nodiscard]] double* row(std::size_t r) { return table_.data() + r * (width_ + 1); }
  [[nodiscard]] const double* row(std::size_t r) const { return table_.data() + r * (width_ + 1); }
  [[nodiscard]] double value(std::size_t r) const { return row(r)[width_]; }
  [[nodiscard]] std::size_t rows() const { return basic_.size(); }
  void pivot(std::size_t r, std::size_t column);
  /// One step of the dual method; false where all values are at least 0, or where rounding hides the way.
  bool dual_step();
  /// One step of the primal method; false at an optimum, or where there is none.
  bool primal_step();

  std::size_t width_;
  std::size_t cuts_ = 0;
  double objective_ = 0;
  std::uint64_t changed_rows_ = 0;
  std::vector<double> gain_;           // per column
  std::vector<double> table_;          // per basic variable: its rate of fall by column, and its value
  std::vector<std::size_t> basic_;     // per row
  std::vector<std::size_t> nonbasic_;  // per column
};

}  // namespace stowage
