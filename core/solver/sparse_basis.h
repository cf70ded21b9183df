// The basis of a simplex method whose columns are sparse: factors L U (Markowitz 1957: what needs no elimination first), and a
// product of elementary matrices for the columns replaced since (Dantzig and Orchard-Hays 1954).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage {

class SparseBasis {
 public:
  struct Entry {
    std::uint32_t row;
    double value;
  };

  /// Factorizes. Column i is the basis's i-th. False where the columns are dependent, as far as rounding lets one see.
  bool factorize(const std::vector<std::vector<Entry>>& columns);
  /// Column i of the basis is replaced by the one of which `step` is the solution.
  void replace(std::size_t i, std::span<const double> step);
  /// Columns replaced since factorize().
  [[nodiscard]] std::size_t replaced() const { return etas_.size(); }

  /// Solves B x = b. `b` is by row, and becomes x, by column.
  void solve(std::vector<double>& b) const;
  /// Solves y B = c. `c` is by column, and becomes y, by row.
  void solve_left(std::vector<double>& c) const;

 private:
  struct Pivot {
    std::uint32_t row;
    std::uint32_t column;
    double value;
    std::size_t lower;  // end of its entries in lower_
    std::size_t upper;  // end of its entries in upper_
  };
  struct Eta {
    std::uint32_t column;
    double value;
    std::size_t end;  // of its entries in eta_entries_
  };

  /// The order of columns: those that need no elimination first. Sets their rows; kNoRow for the others.
  void order(const std::vector<std::vector<Entry>>& columns);
  /// Makes a pivot of a column that no earlier pivot changes; false where it is 0.
  bool take_as_is(const std::vector<Entry>& column, std::uint32_t index, std::uint32_t row);
  /// The same of any other column, whose row is chosen here.
  bool eliminate(const std::vector<Entry>& column, std::uint32_t index);

  static constexpr std::uint32_t kNoRow = 0xFFFFFFFFu;
  struct Planned {
    std::uint32_t column;
    std::uint32_t row;
  };
  std::vector<Planned> planned_;
  std::vector<std::uint32_t> row_count_;  // entries by row
  std::vector<Pivot> pivots_;
  std::vector<std::uint8_t> is_done_;  // per row: whether it has a pivot
  std::vector<Entry> lower_;
  std::vector<Entry> upper_;  // rows are those of earlier pivots
  std::vector<Eta> etas_;
  std::vector<Entry> eta_entries_;  // rows are columns of the basis
  std::vector<double> work_;
  mutable std::vector<double> scratch_;
};

}  // namespace stowage
