// What follows from numbers of patterns being whole: layouts by rounding, and bounds above that of the linear program.
//
// Rounding dives: whole parts of a solution are fixed, the rest is priced again, until everything is placed.
//
// Where all nodes are alike and apps are few, whole numbers cost little beyond the linear program, and the group relaxation
// (group_relaxation.h) tells how much: it makes the best plan and proves it. Elsewhere, the whole number of fresh nodes and
// what patterns of little loss have in common (pattern_classes.h) raise the bound.
#pragma once

#include <vector>

#include "core/planners/patterns/columns/column_generation.h"

namespace stowage {

/// A lower bound on the cost of covering a subproblem, and layouts, which may leave something over.
struct WholeResult {
  double bound = 0;
  std::vector<Layout> layouts;
};

/// Rounds: adds patterns for everything that can be placed to `layout`. Ends early where the run ends.
void dive(ColumnGeneration& generation, Subproblem part, Layout& layout);

/// By the group relaxation, where all nodes are in the same state: at most one layout, which costs less than `known` and covers
/// the subproblem.
/// @param known cost of a layout that covers the subproblem
WholeResult complete_by_group(ColumnGeneration& generation, const Subproblem& part, double known);

/// By branching on the number of fresh nodes, as Gilmore and Gomory's program is branched on its number of rolls.
///
/// The linear program uses a fraction of a fresh node, and a node that is filled in part costs much: the spread of few replicas
/// is large beside their mean. A plan has no more fresh nodes than the whole ones of the program, or at least one more. The
/// program on either number of nodes, in the latter case none of them empty, bounds its side, and spreads the room that is left
/// over many patterns.
/// @param known cost of a layout that covers the subproblem
WholeResult branch_on_nodes(ColumnGeneration& generation, const Subproblem& part, double known);

/// A lower bound on the cost of covering the subproblem, where patterns of little loss have something in common that what is
/// wanted lacks. What a node in use takes beside, or instead of, its group's usual pattern is a class.
double bound_by_classes(ColumnGeneration& generation, const Subproblem& part);

}  // namespace stowage
