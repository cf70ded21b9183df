// Kinds in units in which a node that one kind has to itself holds a load of 1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/colocation/problem.h"

namespace stowage {

/// Groups of kinds, such that bounds for the groups are bounds for the kinds: mostly a group for each kind.
///
/// A node may hold loads l_g of a set S of groups if for each g in S the sum over h in S of suffers(g, h) x l_h is at most 1.
/// Each suffers(g, g) is 1. What the nodes of any plan within its limits hold fulfils this. And what a
/// replica of group g costs, as part of its limit, is at least that sum.
struct ScaledKinds {
  /// Groups at most, so that all sets of them can be looked at.
  static constexpr std::uint32_t kMost = 10;
  /// As a group: the kind has none.
  static constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;

  std::uint32_t groups = 0;          ///< at most kMost
  std::vector<double> coefficient;   ///< groups x groups, row-major
  std::vector<double> load;          ///< of each group; above 0
  std::vector<std::uint32_t> group;  ///< of each kind; kNoGroup for a kind that takes no room, and for one left out
  std::vector<double> scale;         ///< for each kind: what its load is multiplied with; 0 without a group
  bool exact = true;                 ///< whether each kind that takes room has a group of its own

  [[nodiscard]] double suffers(std::uint32_t g, std::uint32_t h) const { return coefficient[g * groups + h]; }
};

/// A number for each group.
using GroupVector = std::array<double, ScaledKinds::kMost>;

/// Sum of the loads of each kind, right to a relative 1e-15 for any number of replicas.
[[nodiscard]] std::vector<double> exact_total_load(const ColocationProblem& problem);

/// The groups if no replica of kind t may cost more than limit[t], above 0 or infinite. With more than `most` kinds, kinds
/// alike become one group, and those of least load are left out. `most`: up to ScaledKinds::kMost.
/// @param total exact_total_load(problem)
[[nodiscard]] ScaledKinds scaled_kinds(const ColocationProblem& problem, std::span<const double> total,
                                       std::span<const double> limit, std::uint32_t most = ScaledKinds::kMost);

}  // namespace stowage
