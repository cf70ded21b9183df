// Which replicas together are worth most on a node: the pricing problem of column generation under capacity at confidence
// (P1, Eq. 7 and 16), solved exactly.
//
//   maximize    sum_k worth_k p_k - cost(p)      over p_k = 0 .. at_most_k
//   subject to  held + what p brings fits: mean + sqrt(risk) <= capacity in every resource
//
// cost(p) is either a constant of every nonempty pattern (a node that comes into use), or what p adds to the used capacity at
// confidence beyond the means: sqrt(risk after) - sqrt(risk before).
//
// The range of sqrt(risk) of the main resource is split into intervals. In one of them the root lies above its chord, and with
// the chord in its place both the constraint and the cost are linear: a knapsack in one dimension, whose optimum bounds the
// interval's patterns from above. Its tables of "best worth of the apps from the k-th on in so much capacity" are made when
// first asked for, serve all nodes alike, and guide a depth-first search on the true constraint, which is decided on integers.
// Weights round down to a grid, so tables stay bounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/planners/patterns/pattern_classes.h"
#include "core/run/run.h"

namespace stowage {

/// What a node, or each of several nodes alike, has left before anything is added.
struct NodeState {
  ClassId node_class = 0;
  bool in_use = false;
  std::vector<std::int64_t> left;      ///< per resource: capacity less means, scaled units
  std::vector<std::int64_t> risk;      ///< per resource: risk held
  std::vector<std::uint32_t> at_most;  ///< per app: more replicas that its self limit allows, kNone = any; or empty
  [[nodiscard]] std::uint32_t most_of(AppId app) const { return at_most.empty() ? kNone : at_most[app]; }
};

enum class PatternCost : std::uint8_t { kNode, kUcac };

class PatternPricing {
 public:
  using Pattern = std::vector<std::uint32_t>;  ///< per app

  /// How finely tables are made: it decides how long a search takes, never what it finds when it ends by itself.
  struct Grid {
    std::size_t intervals;
    std::size_t cells;
  };

  /// @param run NULL, or where long searches count their work and learn that they have to end
  PatternPricing(const Instance& instance, PatternCost cost, std::span<const NodeState> states, const Grid& grid,
                 Run* run = nullptr);

  /// Cost of adding a pattern to a node; nothing costs nothing. In scaled units of the main resource, or in nodes.
  [[nodiscard]] double cost(const NodeState& state, std::span<const std::uint32_t> pattern) const;
  /// Whether the pattern fits.
  [[nodiscard]] bool fits(const NodeState& state, std::span<const std::uint32_t> pattern) const;

  /// New worths and limits; tables are made anew.
  void set_worths(std::span<const double> worth, std::span<const std::uint32_t> at_most);

  struct Found {
    std::vector<Pattern> patterns;  ///< above the floor, the best last; some that were the best for a while come before it
    double value = 0;               ///< worth - cost of the best one; the floor where there is none
    double bound = 0;               ///< no pattern has more; the value itself where the search was finished
  };
  /// @param floor  patterns up to this value are of no interest; where it is below 0, the empty one is of none either
  /// @param budget steps of the search; beyond it, the bound is what the tables say
  /// @param diverse look for the best pattern of each interval, with the budget for each, not only for the best of all
  Found search(const NodeState& state, double floor, std::uint64_t budget, bool diverse = false);
  /// Every pattern but the empty one that is worth more than `floor`, which may be negative, once, in no particular order.
  /// False, with some of them, where there are more than `most` or the search took more steps than its budget.
  bool list(const NodeState& state, double floor, std::size_t most, std::uint64_t budget, std::vector<Pattern>& patterns);
  /// Per state and class, what no pattern of it is worth more than, minus infinity where there is none. The empty pattern is of
  /// class 0; patterns of apps that are worth nothing are not looked at. Nothing where the run ended before that was known.
  /// @param budget steps of each search in an interval; where it ends before the search does, its table says what is left
  std::vector<std::vector<double>> best_of_classes(std::span<const NodeState> states, const PatternClasses& classes,
                                                   std::uint64_t budget);
  /// Upper bound by the tables alone.
  [[nodiscard]] double bound(const NodeState& state);

  /// Units of work since the last call, tables included, but what the run was told already.
  std::uint64_t take_work();

  [[nodiscard]] ResourceId main_resource() const { return main_; }

 private:
  struct Interval {
    double low = 0;
    double high = 0;
    double per_risk = 0;  // 1 / (low + high): slope of the chord
    double offset = 0;    // of the chord at risk 0
    bool ready = false;
    double best_ratio = 0;             // worth per capacity of the best item
    std::vector<std::uint32_t> order;  // items, best ratio first
    std::vector<double> weight;        // of the items in order, in cells of the grid
    std::vector<double> worth;         // likewise, less their part of the chord
    std::vector<double> table;         // (items + 1) x (cells + 1)
  };

  /// Risk up to which the interval goes, in units of scaled risk.
  [[nodiscard]] std::int64_t most_risk(const Interval& interval) const;
  /// Sets the search at hand to an empty pattern.
  void start_at(const NodeState& state);
  void prepare(Interval& interval);
  void fill(Interval& interval);
  /// The same for patterns of each class: (items + 1) x classes x (cells + 1).
  void fill_classes(const Interval& interval, std::vector<double>& table);
  /// Capacity that the chord leaves, in cells, and the constant part of the value; false where the interval is out of reach.
  [[nodiscard]] bool reach(const Interval& interval, const NodeState& state, double& cells, double& constant) const;
  /// Searches an interval within reach; true where steps ran out.
  /// @param missing class of the patterns that are of interest
  bool search_in(const Interval& interval, double cells, double constant, const std::vector<double>& table,
                 std::uint32_t missing = 0);
  void take(double worth);
  void descend(const Interval& interval, std::size_t k, double cells, double value, std::uint32_t missing);
  [[nodiscard]] double true_value() const;
  std::uint32_t add(AppId app, std::uint32_t most);
  void remove(AppId app, std::uint32_t replicas);
  void count();

  /// Steps of a search that make a unit of work, and after how many of them the run is told.
  static constexpr std::uint64_t kStepsPerUnit = 8;
  static constexpr std::uint64_t kSlice = 1 << 16;

  const Instance* instance_;
  Run* run_;
  PatternCost cost_;
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
  std::vector<AppId> wanted_;  // apps with a worth above 0

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
  const PatternClasses* classes_ = nullptr;  // where those of one class are wanted
  std::uint64_t steps_left_ = 0;
  bool exhausted_ = false;
  Found best_;
  // Where all above the floor are wanted, not the best: so many at most, and none that an interval before admits as well.
  bool lists_ = false;
  std::size_t most_listed_ = 0;
  std::int64_t least_risk_ = 0;
  std::uint64_t slice_ = 0;  // steps that nobody was told of
  std::uint64_t work_ = 0;   // likewise, for tables and bounds
};

}  // namespace stowage
