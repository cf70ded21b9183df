// The linear program of capacity_prices.h in its dual form, which chooses prices of demand. Its variables are the prices of
// rows, what a node of a kind with a count is worth beyond its cost, and what each dimension of a node is worth where that
// depends on the group or class that it serves.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/solver/cut_program.h"

namespace stowage {

class CapacityProgram {
 public:
  static constexpr double kEndlessCount = std::numeric_limits<double>::infinity();

  /// What a node carries of one group in one dimension, at most: means and spreads, in the units of their rows.
  struct Share {
    std::size_t mean_row;
    double mean;
    std::size_t spread_row;
    double spread;
    /// @param y prices of the rows, and one 0 for the row that stands for no row
    [[nodiscard]] double worth(const std::vector<double>& y) const { return y[mean_row] * mean + y[spread_row] * spread; }
  };
  /// Equal nodes. Each dimension's capacity goes to one of several shares, or is divided.
  struct Kind {
    double cost = 0;
    double count = kEndlessCount;
    std::vector<std::vector<Share>> dims;
    /// What a node is worth at most: its best share of each dimension.
    [[nodiscard]] double worth(const std::vector<double>& y) const;
  };

  /// @param kinds    the first of them are endless; they must outlive the program
  /// @param endless  how many
  /// @param gains    per row: what a price of 1 gains
  CapacityProgram(std::span<const Kind> kinds, std::size_t endless, std::vector<double> gains);
  /// Prices of the rows, and one 0 for the row that stands for no row. Ends after bounded work with the prices of the best
  /// bound so far.
  /// @param bound what prices that need not meet all cuts prove
  std::vector<double> solve(const std::function<double(const std::vector<double>&)>& bound);

 private:
  struct Divided {
    std::size_t kind;
    std::size_t dim;  // position in the kind's list
  };
  [[nodiscard]] const std::vector<Share>& shares_of(std::size_t d) const {
    return kinds_[divided_[d].kind].dims[divided_[d].dim];
  }
  [[nodiscard]] std::size_t worth_variable(std::size_t d) const { return rows_ + kinds_.size() - endless_ + d; }
  /// The gains of all variables. Fills divided_.
  std::vector<double> all_gains(std::vector<double> gains);
  void include(const Share& share);
  void add_kind(std::size_t k);
  void add_share(std::size_t d, const Share& share);
  /// Adds the share of each dimension that is best at the prices `at`, if it is worth more at y than the program says. False:
  /// there is none.
  bool cut_off(std::span<const double> values, const std::vector<double>& y, const std::vector<double>& at);

  std::span<const Kind> kinds_;
  std::size_t endless_;
  std::size_t rows_;
  std::vector<Divided> divided_;
  CutProgram program_;
  std::vector<double> cut_;
};

}  // namespace stowage
