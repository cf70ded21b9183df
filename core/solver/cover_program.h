// The linear program of column generation: how often to use each pattern.
//
//   minimize    sum_j cost_j x_j
//   subject to  sum_j amount_jk x_j >= demand_k     for every row k
//               x >= 0, and every row has a column of its own that covers it alone.
//
// Amounts and demands below 0 state that something is used so often at most.
// Patterns of few large items have few amounts: columns are sparse, and so are the factors of the basis. The primal simplex
// method follows new columns, the dual one a demand that changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/solver/sparse_basis.h"

namespace stowage {

class CoverProgram {
 public:
  struct Amount {
    std::uint32_t row;
    std::int32_t amount;
  };

  /// @param demand per row
  /// @param most   per row, at least 1: the amount of the row's own column, which is column k for row k
  /// @param cost   per row: what its own column costs, above 0
  CoverProgram(std::vector<double> demand, std::span<const std::uint32_t> most, std::span<const double> cost);
  /// All own columns cost 1.
  CoverProgram(std::vector<double> demand, std::span<const std::uint32_t> most)
      : CoverProgram(std::move(demand), most, std::vector<double>(most.size(), 1.0)) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const Amount> column(std::size_t j) const {
    return {amounts_.data() + begin_[j], amounts_.data() + begin_[j + 1]};
  }

  /// Adds a column at the value 0.
  /// @param cost at least 0
  void add(std::span<const Amount> amounts, double cost = 1);
  /// Sets another demand. The duals stay feasible: solve() goes on from the same basis.
  void set_demand(std::vector<double> demand);

  /// Sets other costs of columns. The values stay feasible, if the program is solved: solve() goes on from the same basis.
  void set_costs(std::span<const std::pair<std::size_t, double>> costs);

  /// A variable: j is column j; -1 - k is the cover of row k beyond its demand.
  using Variable = std::int64_t;
  /// The basis, a variable per row, in any order.
  [[nodiscard]] const std::vector<Variable>& basis() const { return basis_; }
  /// Begins from another basis. Where its columns are dependent, from that of the rows' own columns.
  void begin_with(std::vector<Variable> basis);

  /// Pivots until the demand is covered at the least cost, at most `most` times. Returns the number of pivots.
  std::uint64_t solve(std::uint64_t most);

  /// Operations of the pivots since the last call, roughly.
  std::uint64_t take_work() { return std::exchange(work_, 0); }

  [[nodiscard]] const std::vector<double>& duals() const { return duals_; }
  [[nodiscard]] double objective() const;
  /// The cost less what the duals pay for the column.
  [[nodiscard]] double reduced_cost(std::size_t index) const;

  struct Used {
    std::size_t column;
    double value;
  };
  /// Columns above 0, by index.
  [[nodiscard]] std::vector<Used> solution() const;

 private:
  static constexpr Variable kNothing = INT64_MIN;

  [[nodiscard]] double cost(Variable v) const { return v >= 0 ? cost_[static_cast<std::size_t>(v)] : 0; }
  /// Sets step_ to the solution of the basis for the variable's column.
  void compute_step(Variable v);
  /// Sets row_ to row i of the basis's inverse.
  void compute_row(std::size_t i);
  void compute_values();
  void compute_duals();
  void refactor();
  void forget_basis();
  void begin_anew();
  /// `v` takes the place of basic variable i, whose row is in row_.
  void replace(std::size_t i, Variable v, double reduced);
  /// The variable that reduces the cost most; kNothing where there is none.
  [[nodiscard]] Variable find_entering(double& reduced);
  /// One pivot of either method; false where there is none to make.
  bool primal_pivot();
  bool dual_pivot();
  void set_basic(Variable v, bool basic);

  std::size_t rows_;
  std::vector<double> demand_;
  std::vector<std::uint32_t> begin_;
  std::vector<Amount> amounts_;
  /// What a column costs in the program: a little more than its own cost.
  [[nodiscard]] static double raised(std::size_t column, double cost);
  std::vector<double> own_cost_;             // per column
  std::vector<double> cost_;                 // per column: raised
  std::vector<std::uint8_t> is_basic_;       // per column
  std::vector<std::uint8_t> surplus_basic_;  // per row
  std::vector<Variable> basis_;
  std::vector<double> value_;  // of the basis
  std::vector<double> duals_;
  SparseBasis factors_;
  std::vector<Variable> offers_;  // variables that reduced the cost when all were looked at
  std::uint64_t work_ = 0;
  std::vector<double> step_;  // scratch
  std::vector<double> row_;   // scratch
};

}  // namespace stowage
