// The pricing problem of column generation under capacity at confidence (P1, Eq. 7 and 16), solved exactly: which replicas
// together are worth most on a node.
//
//   maximize    sum_k worth_k p_k - cost(p)      over p_k = 0 .. at_most_k
//   subject to  held + what p brings fits: mean + sqrt(risk) <= capacity in every resource
//
// cost(p) is either the same for all patterns but the empty one (a node comes into use), or what p adds to the used capacity at
// confidence beyond the means: sqrt(risk after) - sqrt(risk before).
//
// The range of sqrt(risk) of the main resource is split into intervals. In an interval the root lies above its chord. With the
// chord in place of the root, both the constraint and the cost are linear: a knapsack in one dimension, whose optimum bounds
// the interval's patterns from above. Its table holds the best worth of the apps from the k-th on, by capacity. Tables are made
// when they are first needed and serve all nodes alike. They guide a depth-first search on the true constraint, which is
// decided on integers. Weights round down to a grid, so that tables stay bounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/planners/patterns/columns/layout.h"
#include "core/planners/patterns/columns/pattern_classes.h"
#include "core/run/work_clock.h"

namespace stowage {

class PatternPricing {
 public:
  /// How fine tables are. It decides how long a search takes, never what a search finds that ends by itself.
  struct Grid {
    std::size_t intervals;
    std::size_t cells;
  };

  /// @param states the states of all nodes that will be asked about
  /// @param clock  counts the work of long searches and may end them; may be null
  PatternPricing(const Instance& instance, std::span<const NodeState> states, const Grid& grid, WorkClock* clock = nullptr);

  /// Cost of adding a pattern to a node: the used capacity at confidence that it adds beyond means, in scaled units of the main
  /// resource; 0 for the empty pattern.
  [[nodiscard]] double cost(const NodeState& state, std::span<const std::uint32_t> pattern) const;
  /// Whether the pattern fits.
  [[nodiscard]] bool fits(const NodeState& state, std::span<const std::uint32_t> pattern) const;

  /// Sets the worth and the largest number of replicas of each app. All tables become invalid.
  void set_worths(std::span<const double> worth, std::span<const std::uint32_t> at_most);

  struct Found {
    std::vector<Pattern> patterns;  ///< above the floor, the best one last, some that were best before it first
    double value = 0;               ///< worth - cost of the best pattern; the floor where there is none
    double bound = 0;               ///< no pattern has more; the value itself where the search was finished
  };
  /// Looks for the most valuable pattern.
  /// @param floor   only patterns above this value are found; the empty pattern never is
  /// @param budget  steps of the search, at most; where they run out, the bound is that of the tables
  /// @param diverse finds the best pattern of each interval, with the budget for each
  Found search(const NodeState& state, double floor, std::uint64_t budget, bool diverse = false);
  /// Lists every pattern but the empty one that is worth more than `floor`, which may be negative. Each stands once, in no
  /// particular order. Returns false, with some of them, where there are more than `most` or the search needs more steps than
  /// its budget.
  bool list(const NodeState& state, double floor, std::size_t most, std::uint64_t budget, std::vector<Pattern>& patterns);
  /// Upper bounds on the value of patterns, by state and class; minus infinity where a class has no pattern. The empty pattern
  /// is of class 0. Patterns of apps that are worth nothing are not looked at. Empty where the run ended first.
  /// @param budget steps of each search in an interval, at most; where they run out, the bound is that of the table
  std::vector<std::vector<double>> best_of_classes(std::span<const NodeState> states, const PatternClasses& classes,
                                                   std::uint64_t budget);
  /// Upper bound on the value of patterns, by the tables alone.
  [[nodiscard]] double bound(const NodeState& state);
  /// Cells of all tables, which bound() fills at the first use after set_worths().
  [[nodiscard]] std::uint64_t table_cells() const { return std::uint64_t{intervals_.size()} * wanted_.size() * (cells_ + 1); }

  /// Units of work since the last call, less those that the clock has counted; 0 where the run has ended.
  std::uint64_t take_work();

  [[nodiscard]] ResourceId main_resource() const { return main_; }

 private:
  struct Interval {
    double low = 0;
    double high = 0;
    double per_risk = 0;  // 1 / (low + high): slope of the chord
    double offset = 0;    // of the chord at risk 0
    bool ready = false;
    double best_ratio = 0;             // most worth per capacity of any item
    std::vector<std::uint32_t> order;  // items, best ratio first
    std::vector<double> weight;        // of the items in order, in cells of the grid
    std::vector<double> worth;         // of the items in order, less their part of the chord
    std::vector<double> table;         // (items + 1) x (cells + 1)
  };

  /// Upper end of the interval, in units of scaled risk.
  [[nodiscard]] std::int64_t most_risk(const Interval& interval) const;
  /// Reads demand and risk of all apps; without uncertain demand, the scarcest resource becomes the main one.
  void read_apps();
  /// Splits the range of sqrt(risk) that nodes of these states can reach.
  void split_range(std::span<const NodeState> states, std::size_t intervals);
  /// Begins a search on a node, with an empty pattern.
  void start_at(const NodeState& state);
  /// Sets order, weights and worths by the chord; cheap.
  void prepare(Interval& interval);
  /// Fills the interval's table.
  void fill(Interval& interval);
  /// Fills a table by classes: (items + 1) x classes x (cells + 1).
  void fill_classes(const Interval& interval, std::vector<double>& table);
  /// Sets the capacity that the chord leaves, in cells, and the constant part of the value; false where the interval is out of
  /// reach.
  [[nodiscard]] bool reach(const Interval& interval, const NodeState& state, double& cells, double& constant) const;
  /// Searches an interval within reach; true where steps ran out.
  /// @param missing class of the patterns that are searched
  bool search_in(const Interval& interval, double cells, double constant, const std::vector<double>& table,
                 std::uint32_t missing = 0);
  void take(double worth);
  void descend(const Interval& interval, std::size_t k, double cells, double value, std::uint32_t missing);
  [[nodiscard]] double true_value() const;
  std::uint32_t add(AppId app, std::uint32_t most);
  void remove(AppId app, std::uint32_t replicas);
  void count();

  /// Steps of a search per unit of work, and between two calls of the clock.
  static constexpr std::uint64_t kStepsPerUnit = 8;
  static constexpr std::uint64_t kSlice = 1 << 16;

  const Instance* instance_;
  WorkClock* clock_;
  ResourceId main_;
  std::size_t cells_;
  double units_per_cell_ = 1;
  std::vector<Interval> intervals_;
  std::vector<double> mean_;               // of the main resource, scaled units, per app
  std::vector<double> risk_;               // squares of scaled units, per app
  std::vector<std::int64_t> demand_;       // app x resource, scaled
  std::vector<std::int64_t> scaled_risk_;  // app x resource
  std::vector<double> worth_;
  std::vector<std::uint32_t> at_most_;
  std::vector<AppId> wanted_;  // apps with a worth and a limit above 0

  // The search at hand.
  const NodeState* state_ = nullptr;
  std::vector<std::int64_t> left_;
  std::vector<std::int64_t> held_;
  Pattern pattern_;
  double sum_ = 0;
  double start_root_ = 0;
  double constant_ = 0;
  std::int64_t most_risk_ = 0;
  const double* table_ = nullptr;
  std::size_t width_ = 0;                    // of the table, per item
  const PatternClasses* classes_ = nullptr;  // where patterns of one class are searched
  std::uint64_t steps_left_ = 0;
  bool exhausted_ = false;
  Found best_;
  // Where list() searches: it takes all patterns above the floor.
  bool lists_ = false;
  std::size_t most_listed_ = 0;  // patterns that may still be added
  std::int64_t least_risk_ = 0;  // patterns up to this risk were listed in the interval before
  std::uint64_t slice_ = 0;      // steps that the clock has not counted
  std::uint64_t work_ = 0;       // steps of tables and bounds, likewise
};

}  // namespace stowage
