// The linear program of column generation: how often to use each pattern, over nodes of several groups.
//
//   minimize    sum_j cost_j x_j + sum_k penalty_k u_k
//   subject to  sum_j amount_jk x_j + u_k >= demand_k     for every row k  (demand to be covered; u_k of it is not)
//               sum of x_j over the columns of group g = size_g            (a node has one pattern)
//               x, u >= 0, and every group has a column that covers nothing, of cost 0 unless another is given.
//
// There may be thousands of groups, while rows are few. The simplex method with generalized upper bounds (Dantzig and Van Slyke
// 1967) keeps one basic column of each group as its key, eliminates it by the group's equation, and works on a basis with one
// variable per row, whose dense inverse is kept. O(rows^2 + columns looked at x rows) per pivot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

class RestrictedMaster {
 public:
  /// @param demand  per row, at least 0
  /// @param penalty per row: cost of a unit of demand that is not covered
  /// @param sizes   per group, at least 0
  /// @param idle    per group, at least 0: cost of the column that covers nothing; or empty
  RestrictedMaster(std::vector<double> demand, std::vector<double> penalty, std::vector<double> sizes,
                   std::vector<double> idle = {});

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t groups() const { return sizes_.size(); }
  [[nodiscard]] std::size_t columns() const { return cost_.size(); }

  /// Adds a column at the value 0 and returns its index.
  /// @param amounts rows() entries
  std::size_t add(std::uint32_t group, double cost, std::span<const std::uint32_t> amounts);
  /// Makes a column the key of its group, at the group's size. May be called for one column of each group, before the first
  /// solve(); restart() has to follow.
  void start_with(std::size_t column);
  /// Sets up the basis of the keys.
  void restart();

  /// Pivots until no column reduces the cost, at most `most` times. Returns the number of pivots.
  std::uint64_t solve(std::uint64_t most);

  [[nodiscard]] double objective() const;
  /// Duals of the rows (at least 0) and of a group.
  [[nodiscard]] const std::vector<double>& row_duals() const { return duals_; }
  [[nodiscard]] double group_dual(std::uint32_t group) const;
  /// Reduced cost: cost - duals x amounts - group dual.
  [[nodiscard]] double reduced_cost(std::size_t column) const;
  [[nodiscard]] double reduced_cost(std::uint32_t group, double cost, std::span<const std::uint32_t> amounts) const;

  struct Used {
    std::size_t column;
    double value;
  };
  /// Columns above 0, by index.
  [[nodiscard]] std::vector<Used> solution() const;
  [[nodiscard]] double uncovered(std::size_t row) const;

  [[nodiscard]] std::uint32_t group_of(std::size_t column) const { return group_[column]; }
  [[nodiscard]] double cost_of(std::size_t column) const { return cost_[column]; }
  [[nodiscard]] std::span<const double> amounts_of(std::size_t column) const {
    return {amount_.data() + column * rows_, rows_};
  }

 private:
  // Variables: j is column j; for row k, -1 - 2k is u_k, and -2 - 2k the cover beyond the demand.
  using Variable = std::int64_t;
  static constexpr Variable kIdle = INT64_MIN;  // the column that covers nothing, as a key

  [[nodiscard]] static bool is_column(Variable v) { return v >= 0; }
  [[nodiscard]] double cost(Variable v) const;
  /// Sets `out` to the variable's column less its group's key.
  void difference(Variable v, double* out) const;
  [[nodiscard]] double key_cost(std::uint32_t group) const {
    return key_[group] == kIdle ? idle_cost_[group] : cost_[static_cast<std::size_t>(key_[group])];
  }
  /// Duals x amounts of the column.
  [[nodiscard]] double worth(std::size_t column) const;
  /// Inverts the basis.
  void refactor();
  /// Makes a variable the key of the group.
  void set_key(std::uint32_t group, Variable v);
  void compute_values();
  void compute_duals();
  /// The variable to enter the basis; kIdle where none reduces the cost.
  /// @param whole looks at all columns, else only at those added since the last solve() and at earlier offers
  /// @param first takes the first variable that reduces the cost, else the one that reduces it most per unit
  [[nodiscard]] Variable choose(bool whole, bool first);
  /// One pivot: `v` enters the basis.
  void enter(Variable v);
  struct Leaving;
  /// The variable that reaches 0 first when `v` enters. step_ has the rates of the basis.
  [[nodiscard]] Leaving find_leaving(Variable v);
  /// `v` takes the place of basic variable i.
  void replace_basic(std::size_t i, Variable v);
  /// `v` enters where the group's key leaves.
  void replace_key(std::uint32_t group, Variable v);

  std::size_t rows_;
  std::vector<double> demand_;
  std::vector<double> penalty_;
  std::vector<double> sizes_;
  std::vector<double> idle_cost_;
  std::vector<double> cost_;          // per column
  std::vector<std::uint32_t> group_;  // per column
  std::vector<double> amount_;        // per column and row
  std::vector<Variable> key_;         // per group: a column or kIdle
  std::vector<double> key_value_;     // per group
  std::vector<Variable> basis_;       // rows_ variables, none of which is a key
  std::vector<double> value_;         // of the basis
  std::vector<double> inverse_;       // rows_ x rows_
  std::vector<double> duals_;
  std::vector<double> rest_;            // per row: demand that keys at their groups' sizes do not cover
  std::vector<double> step_;            // scratch: rows_
  std::vector<double> entering_;        // scratch: rows_
  std::vector<double> rate_;            // scratch: per group, 0 between pivots
  std::vector<std::uint8_t> has_idle_;  // per group: whether its column that covers nothing is among the columns
  std::vector<std::uint8_t> idle_;      // per column: whether it is that column of its group
  struct Offer {
    double reduced;
    Variable variable;
  };
  std::vector<Offer> offers_;  // variables that reduced the cost when all were looked at
  std::size_t fresh_ = 0;      // columns from here on were added since the last solve()
  std::uint64_t since_refactor_ = 0;
  std::uint64_t degenerate_ = 0;  // pivots in a row that gained nothing
};

}  // namespace stowage
