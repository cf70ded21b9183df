// How the tree of branch and price divides what is left: by how many nodes hold a content that meets a condition.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/columns/best_content.h"
#include "core/columns/column_problem.h"

namespace stowage {

struct PricedColumn {
  std::uint32_t kind;
  ItemContent content;
  friend bool operator<(const PricedColumn& a, const PricedColumn& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.content < b.content;
  }
};

/// Nodes of a kind, or of any, that hold at least so many of each of some items.
struct Condition {
  std::uint32_t kind = kNone;  ///< kNone: of any
  ItemContent at_least;

  [[nodiscard]] bool is_met(const PricedColumn& column) const {
    return (kind == kNone || kind == column.kind) && holds(column.content, at_least);
  }
};

struct Branch {
  Condition condition;
  bool at_most;         ///< else at least
  std::uint32_t nodes;  ///< so many
};

/// A column and how often it is used.
using UsedColumn = std::pair<const PricedColumn*, double>;

/// Conditions that are met by a fraction of nodes, and how many. The simplest sort that there is: kinds alone; one item;
/// two items; all of a column's content. Of a sort, those nearest to a half come first, `most` at most. Empty where all
/// columns are used whole.
std::vector<std::pair<Condition, double>> fractional_conditions(const ColumnProblem& problem,
                                                                const std::vector<UsedColumn>& used, std::size_t most);

}  // namespace stowage
