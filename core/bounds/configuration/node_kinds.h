// Nodes as the configuration bound sees them: equal ones together.
#pragma once

#include <limits>
#include <vector>

#include "core/bounds/configuration/items.h"
#include "core/bounds/configuration/node_knapsack.h"

namespace stowage {

struct NodeKind {
  static constexpr double kEndless = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> groups;  ///< of Supply whose nodes are of the kind; ascending; none where they are mandatory
  double cost;                        ///< in units of the dearest node; 0 for mandatory nodes
  double count;                       ///< kEndless: as many as needed
  /// What a node holds is a content of one of these. More than one: each for an interval of risk.
  std::vector<NodeKnapsack> pieces;
  /// Whether whole contents are looked for. Otherwise those of the relaxation stand for all.
  bool whole;
};

/// The kinds of nodes, endless ones first, and what costs are measured in.
struct NodeKinds {
  std::vector<NodeKind> kinds;
  std::size_t endless = 0;
  double cost_unit = 0;  ///< the cost of the dearest node that is not mandatory

  /// No kinds where their items would take too much memory.
  NodeKinds(const Instance& instance, const Supply& supply, const EligibleGroups& groups, const PackedItems& items,
            NodeCost cost);
};

}  // namespace stowage
