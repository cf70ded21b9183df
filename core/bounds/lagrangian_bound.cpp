// All resources and periods at once, for mixed node classes: a demand that one class carries badly needs nodes of another.
//
// Proof sketch. Let W be the demand that mandatory nodes leave, A_g what an optional node of group g carries, c_g its cost (1
// where nodes are counted) and n_g <= N_g how many of them a plan uses. For any multipliers y >= 0, one per dimension, a
// complete plan has y W <= y (sum of n_g A_g), so its cost is at least
//
//   y W - sum over g of N_g max(0, y A_g - c_g),
//
// where endless groups (N_g infinite) require y A_g <= c_g (Lagrangian relaxation; Fisher 1981). The best multipliers solve a
// linear program, the dual of the fractional choice of nodes. The simplex method starts at y = 0 and moves from one valid y to
// a better one, so that it may stop after any step. Its y is then scaled to be valid despite rounding, and the expression is
// computed from it. A margin far above the error of the sums is subtracted.
//
// O(groups x (dimensions + groups)) per simplex step.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {
namespace {

// Groups of optional nodes in the linear program. Further groups count in the sum, but not in the choice of multipliers.
constexpr std::size_t kMostRows = 64;
// Dimensions with a multiplier: those with the largest demand in nodes.
constexpr std::size_t kMostColumns = 256;
constexpr std::size_t kMostSteps = 1000;
constexpr double kLeastPivot = 1e-9;
// Relative to the sum of the absolute values of all terms.
constexpr double kRelaxationMargin = 1e-10;

/// Maximizes r y - N z, subject to A y - z <= c and all variables >= 0, by the simplex method on a dense table. The table has a
/// row per group and a column per dimension. An endless group has no z.
class Multipliers {
 public:
  Multipliers(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), width_(columns + 2 * rows + 1), table_((rows + 1) * width_, 0), basic_(rows) {}

  double& coefficient(std::size_t row, std::size_t column) { return table_[row * width_ + column]; }
  double& gain(std::size_t column) { return table_[rows_ * width_ + column]; }
  void set_row(std::size_t row, double cost, std::uint64_t count) {
    const std::size_t surplus = columns_ + row;
    const std::size_t slack = columns_ + rows_ + row;
    if (count != Supply::kEndless) {
      coefficient(row, surplus) = -1;
      gain(surplus) = -static_cast<double>(count);
    }
    coefficient(row, slack) = 1;
    right(row) = cost;
    basic_[row] = slack;
  }

  std::vector<double> solve() {
    for (std::size_t step = 0; step < kMostSteps; ++step) {
      const std::size_t entering = best_column();
      if (entering == width_) break;
      const std::size_t leaving = tightest_row(entering);
      if (leaving == rows_) break;  // unbounded: some demand fits on no node
      pivot(leaving, entering);
    }
    std::vector<double> y(columns_, 0);
    for (std::size_t row = 0; row < rows_; ++row) {
      if (basic_[row] < columns_) y[basic_[row]] = std::max(0.0, right(row));
    }
    return y;
  }

 private:
  double& right(std::size_t row) { return table_[row * width_ + width_ - 1]; }

  std::size_t best_column() {
    std::size_t best = width_;
    double most = kLeastPivot;
    for (std::size_t column = 0; column + 1 < width_; ++column) {
      if (gain(column) <= most) continue;
      most = gain(column);
      best = column;
    }
    return best;
  }
  std::size_t tightest_row(std::size_t column) {
    std::size_t tightest = rows_;
    double least = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      if (coefficient(row, column) <= kLeastPivot) continue;
      const double ratio = right(row) / coefficient(row, column);
      if (tightest != rows_ && ratio >= least) continue;
      least = ratio;
      tightest = row;
    }
    return tightest;
  }
  void pivot(std::size_t row, std::size_t column) {
    double* const pivot_row = table_.data() + row * width_;
    const double scale = 1 / pivot_row[column];
    for (std::size_t k = 0; k < width_; ++k) pivot_row[k] *= scale;
    for (std::size_t other = 0; other <= rows_; ++other) {
      double* const other_row = table_.data() + other * width_;
      const double times = other_row[column];
      if (other == row || times == 0) continue;
      for (std::size_t k = 0; k < width_; ++k) other_row[k] -= times * pivot_row[k];
    }
    basic_[row] = column;
  }

  std::size_t rows_;
  std::size_t columns_;
  std::size_t width_;          // dimensions, surpluses, slacks, right-hand side
  std::vector<double> table_;  // the last row holds the gain per unit of each variable
  std::vector<std::size_t> basic_;
};

struct Relaxed {
  double value = 0;
  double margin = 0;
  std::uint32_t dim = 0;  // dimension with the largest term
};

/// The bound on the cost of the nodes besides the mandatory ones.
template <class Cost>
Relaxed relax(const Instance& instance, const Supply& supply, Cost&& cost_of) {
  std::vector<const Supply::Group*> optional;
  for (const Supply::Group& group : supply.groups) {
    if (!group.mandatory) optional.push_back(&group);
  }
  // Endless groups first: they have to be among the rows, because they restrict y most.
  std::stable_partition(optional.begin(), optional.end(),
                        [](const Supply::Group* group) { return group->count == Supply::kEndless; });

  struct Dimension {
    std::uint32_t h;
    double unit;  // most that any node carries
    double left;  // demand that mandatory nodes leave, in these units
  };
  std::vector<Dimension> dims;
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    const std::int64_t left = supply.left_by_mandatory(h);
    // Demand that endless nodes of price 0 carry costs nothing.
    const bool free = std::any_of(optional.begin(), optional.end(), [&](const Supply::Group* group) {
      return group->count == Supply::kEndless && cost_of(*group) == 0 && group->carries[h] > 0;
    });
    const auto unit = static_cast<double>(std::max<std::int64_t>(1, supply.largest(h)));
    if (left > 0 && !free) dims.push_back({h, unit, static_cast<double>(left) / unit});
  }
  std::stable_sort(dims.begin(), dims.end(), [](const Dimension& a, const Dimension& b) { return a.left > b.left; });
  dims.resize(std::min(dims.size(), kMostColumns));
  const auto share = [](const Supply::Group& group, const Dimension& dim) {
    return static_cast<double>(group.carries[dim.h]) / dim.unit;
  };

  const std::size_t rows = std::min(optional.size(), kMostRows);
  Multipliers program(rows, dims.size());
  for (std::size_t column = 0; column < dims.size(); ++column) program.gain(column) = dims[column].left;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < dims.size(); ++column) {
      program.coefficient(row, column) = share(*optional[row], dims[column]);
    }
    program.set_row(row, cost_of(*optional[row]), optional[row]->count);
  }
  std::vector<double> y = program.solve();

  const auto worth = [&](const Supply::Group& group) {
    double sum = 0;
    for (std::size_t column = 0; column < dims.size(); ++column) sum += y[column] * share(group, dims[column]);
    return sum;
  };
  double shrink = 1;
  for (const Supply::Group* group : optional) {
    if (group->count != Supply::kEndless) continue;
    const double sum = worth(*group);
    if (sum > cost_of(*group)) shrink = std::min(shrink, cost_of(*group) / sum);
  }
  for (double& multiplier : y) multiplier *= shrink;
  Relaxed result;
  double most = -1;
  for (std::size_t column = 0; column < dims.size(); ++column) {
    const double gain = y[column] * dims[column].left;
    result.value += gain;
    if (gain <= most) continue;
    most = gain;
    result.dim = dims[column].h;
  }
  result.margin = result.value;
  for (const Supply::Group* group : optional) {
    if (group->count == Supply::kEndless) continue;
    const double paid = static_cast<double>(group->count) * std::max(0.0, worth(*group) - cost_of(*group));
    result.value -= paid;
    result.margin += paid;
  }
  result.margin *= kRelaxationMargin;
  return result;
}

}  // namespace

BoundValue lagrangian_bound(const Instance& instance, const Supply& supply) {
  const Relaxed relaxed = relax(instance, supply, [](const Supply::Group&) { return 1.0; });
  const double further = std::max(0.0, std::ceil(relaxed.value - relaxed.margin));
  return {static_cast<double>(supply.mandatory) + further, instance.resource_of(relaxed.dim), instance.period_of(relaxed.dim)};
}

BoundValue lagrangian_price_bound(const Instance& instance, const Supply& supply) {
  const Relaxed relaxed = relax(instance, supply, [](const Supply::Group& group) { return group.price; });
  const double value = supply.mandatory_price() + std::max(0.0, relaxed.value - relaxed.margin);
  return {value * (1 - 0x1p-40), instance.resource_of(relaxed.dim), instance.period_of(relaxed.dim)};
}

}  // namespace stowage
