// The pricing problem of column generation: which content of a node of a kind is worth most.
//
// Depth-first search. Items stand by worth per price, where capacity has the multipliers of the linear relaxation: what is left
// of the node at these prices bounds what can still be added (Dantzig 1957). Contents obey capacity, the kind's own maxima and
// limits between items. Worths may have steps: something that is added, or charged, where a node holds so many of an item, or
// of several. An item then counts in bounds by the most that a replica of it can be worth.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/prices/knapsack_relaxation.h"
#include "core/columns/column_problem.h"

namespace stowage {

/// Whether a content holds at least so many of each of some items.
[[nodiscard]] bool holds(const ItemContent& content, std::span<const std::pair<std::uint32_t, std::uint32_t>> at_least);

class BestContent {
 public:
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

  struct Found {
    double upper = 0;                   ///< no content is worth more
    std::vector<ItemContent> contents;  ///< worth more than the floor, the best last
    bool is_exact = false;              ///< the search was not cut off
  };
  /// @param floor only contents above it are looked for
  /// @param wanted per item, most replicas of a content
  /// @param work   of the search, at most; where it runs out, `upper` is that of the relaxation
  Found find(const Worths& worths, double floor, std::span<const std::uint32_t> wanted, std::uint64_t work);
  /// Steps of some nanoseconds since the last call.
  std::uint64_t take_work() { return std::exchange(work_, 0) + relaxation_.take_work(); }

 private:
  class Search;

  const ColumnProblem& problem_;
  const ColumnProblem::Kind& kind_;
  std::vector<std::uint32_t> items_;  // that the kind takes
  std::vector<std::uint32_t> dims_;   // that may be short
  KnapsackRelaxation relaxation_;     // by position in items_
  std::uint64_t work_ = 0;
};

}  // namespace stowage
