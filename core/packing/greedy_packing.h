// Packings that are quick to make: first fit in a given order, and node by node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/packing/packing_problem.h"

namespace stowage {

/// Makes packings of what is left of a problem, each one another.
class GreedyPacking {
 public:
  explicit GreedyPacking(const PackingProblem& problem);

  /// First fit decreasing, by the items' shares of what is scarce; `blur` 0: no randomness, 1: much.
  Packing first_fit(std::span<const std::uint32_t> wanted, double blur, Random& random);
  /// Fills a node at a time with what matches best what it has left (dot product).
  Packing by_node(std::span<const std::uint32_t> wanted, double blur, Random& random);

  /// Steps since the last call.
  std::uint64_t take_work();

 private:
  /// Weights of resources by what is wanted of them.
  void weigh(std::span<const std::uint32_t> wanted, double blur, Random& random);

  const PackingProblem* problem_;
  std::vector<double> share_;   // item x resource: of the capacity
  std::vector<double> weight_;  // per resource
  std::uint64_t work_ = 0;
};

}  // namespace stowage
