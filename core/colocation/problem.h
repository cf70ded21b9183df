// The side-effects model of colocation as planners and bounds see it (P4, section 2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/watch.h"
#include "core/model/instance.h"

namespace stowage {

/// Replicas with a load and a kind, and equal nodes. A replica of kind t beside a load of l_u of each kind u, its own load
/// included, costs the sum over u of coefficient[t x kinds + u] x l_u. Nothing else of the instance is here.
struct ColocationProblem {
  std::uint32_t nodes = 0;          ///< at least 1
  std::uint32_t kinds = 0;          ///< at least 1
  std::vector<double> coefficient;  ///< kinds x kinds, row-major; at least 0
  /// The replicas by load, largest first; those of equal load by app.
  std::vector<double> load;
  std::vector<std::uint32_t> kind;
  std::vector<AppId> app;
  WatchRef watch = {};  ///< ends what has no units of work of its own

  /// Counts steps of an algorithm. True: it may end with anything, which nobody uses.
  [[nodiscard]] bool ends(std::uint64_t steps) const { return watch.step(steps); }
  [[nodiscard]] std::uint32_t replicas() const { return static_cast<std::uint32_t>(load.size()); }
  /// What a replica of kind t suffers from a load of 1 of kind u.
  [[nodiscard]] double suffers(std::uint32_t t, std::uint32_t u) const { return coefficient[std::size_t{t} * kinds + u]; }
  /// Sum of the loads of each kind, in the order of the replicas.
  [[nodiscard]] std::vector<double> total_load() const;
};

/// P4's planners hold each replica by itself, which takes up to some 50 bytes.
inline constexpr std::uint64_t kMostColocatedReplicas = 10'000'000;

/// A node for each replica of the problem, in its order; below ColocationProblem::nodes.
using Colocation = std::vector<std::uint32_t>;

/// The problem of an instance with interference, on `nodes` nodes. Once the watch has ended, it lacks replicas.
[[nodiscard]] ColocationProblem colocation_problem(const Instance& instance, std::uint32_t nodes, WatchRef watch = {});

/// What the worst-off replica costs (P4's objective), and the sum of what all replicas cost.
struct ColocationCost {
  double worst = 0;
  double total = 0;
};
[[nodiscard]] ColocationCost cost_of(const ColocationProblem& problem, const Colocation& colocation);

}  // namespace stowage
