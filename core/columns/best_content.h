// The pricing problem of column generation: which content of a node of a kind is worth most.
//
// Depth-first search. Items stand by worth per price, where capacity has the multipliers of the linear relaxation: what is left
// of the node at these prices bounds what can still be added (Dantzig 1957). Contents obey capacity, the kind's own maxima and
// limits between items. Worths may have steps: something that is added, or charged, where a node holds so many of an item, or
// of several. An item then counts in bounds by the most that a replica of it can be worth.
//
// Uncertain demand. Of what a node of capacity C holds, let M be the mean and V the risk, beside the risk H of what stays, so
// that M + sqrt(H + V) <= C. Where s <= sqrt(H + V) <= t, the square root lies above its chord: it is at least
// (H + V + s t) / (s + t). So the weights M + V / (s + t) add up to C - (H + s t) / (s + t) at most. Intervals of s and t cover
// what any node may have, each with a linear relaxation of its own. What the search adds up is exact.
//
// Used capacity as a cost of contents likewise: in an interval it is at least linear. What a content is worth is exact.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/prices/knapsack_relaxation.h"
#include "core/columns/column_problem.h"
#include "core/columns/effort.h"

namespace stowage {

/// Whether a content holds at least so many of each of some items.
[[nodiscard]] bool holds(const ItemContent& content, std::span<const std::pair<std::uint32_t, std::uint32_t>> at_least);

class ContentSearch;

class BestContent {
 public:
  /// Intervals of risk, at most.
  static constexpr std::size_t kRiskIntervals = 12;
  /// What contents of the kind are worth.
  struct Worths {
    std::vector<double> of_item;  ///< per replica, at least 0
    double fixed = 0;             ///< of any content
    struct Step {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> at_least;  ///< not empty; by ascending item
      double worth;                                                   ///< of any sign, of contents that hold these
    };
    std::vector<Step> steps;
  };

  BestContent(const ColumnProblem& problem, std::uint32_t kind);

  /// Of contents in an interval of risk.
  struct Most {
    double worth;  ///< none is worth more
    double use;    ///< each has so much used capacity at least, if that is a cost
  };
  /// What contents are looked for.
  struct Floor {
    double worth = 0;    ///< those that are worth more than this,
    double per_use = 0;  ///< and so much times the used capacity that they have at least
  };
  struct Found {
    std::vector<Most> most;             ///< of all contents
    std::vector<ItemContent> contents;  ///< worth more than the floor, the best last
    bool is_exact = false;              ///< the search was not cut off
    [[nodiscard]] double upper() const;
  };
  /// How much a content raises used capacity at most, where that is a cost; in units of the dearest node.
  [[nodiscard]] double most_use() const { return most_use_; }
  /// Sets what find() looks for. Used capacity comes off what contents are worth. The first call also lowers capacities to what
  /// contents can use.
  void set(Worths worths, Effort& effort);
  /// @param floor  only contents above it are looked for
  /// @param wanted per item, most replicas of a content
  /// @param most   operations of the search, at most; where they run out, or the run ends, no content is worth more than the
  ///               relaxation says
  /// @param in_each whether each interval of risk is searched on its own: its best content comes last of its own, and need not
  ///               be better than those of the intervals before
  Found find(Floor floor, std::span<const std::uint32_t> wanted, std::uint64_t most, Effort& effort, bool in_each = false);

 private:
  friend class ContentSearch;
  /// Roots of the risk of what a node holds.
  struct Roots {
    double stays;  ///< of what stays
    double first;  ///< where an interval begins
    double most;   ///< where it ends
  };

  /// An interval.
  struct Part {
    KnapsackRelaxation relaxation;  // by position in items_
    double per_square;              // used capacity: so much per Use::square at least
    double fixed_use;               // and this
    double least_use;               // of contents that are not empty
    std::vector<double> unit;       // by position in items_: the most that a replica is worth, at least 0
    double upper;                   // no content is worth more
  };

  [[nodiscard]] std::uint32_t peak_of_full_nodes() const;
  void rank_dims();
  void lower_capacities(Effort& effort);
  /// Returns the operations that it took.
  std::uint64_t lower_capacity(std::uint32_t dim);
  [[nodiscard]] bool may_be_short(std::uint32_t dim) const;
  [[nodiscard]] double risk_of(std::uint32_t item, std::uint32_t dim) const;
  [[nodiscard]] Roots of_full_nodes(std::uint32_t dim) const;
  void add_parts();
  void add_part(const std::vector<Roots>& between, Roots used);
  /// Roots of what nodes hold of the uncertain resource, where no interval says more.
  [[nodiscard]] Roots of_all_nodes() const;
  /// What a replica raises used capacity by in a part, at least.
  [[nodiscard]] double least_use(const Part& part, std::uint32_t item) const {
    const ColumnProblem::Use& use = problem_.items[item].use;
    return use.square * part.per_square + (peak_ == kNone ? 0 : use.means[peak_]);
  }
  [[nodiscard]] KnapsackRelaxation relaxation(const std::vector<Roots>& between) const;
  /// The most that a replica of each of items_ is worth.
  [[nodiscard]] std::vector<double> most_of_one() const;

  const ColumnProblem& problem_;
  const ColumnProblem::Kind& kind_;
  std::vector<std::int64_t> carries_;  // per dimension
  std::vector<std::uint32_t> items_;   // that the kind takes
  std::vector<std::uint32_t> dims_;    // that may be short
  std::size_t priced_ = 0;             // the first so many of dims_ are those of relaxations
  std::size_t lowered_ = 0;            // the first so many of dims_ have lowered capacities, where there is no risk
  std::uint64_t free_sums_;            // operations to lower capacities that are left before they count as work
  std::vector<Part> parts_;
  std::vector<std::size_t> order_;  // of parts_, those whose contents are worth most first
  std::uint32_t peak_ = kNone;      // period whose means bound used capacity
  double most_use_ = 0;
  Worths worths_;
  std::vector<double> worth_of_one_;  // by position in items_: the most that a replica is worth without its use
};

}  // namespace stowage
