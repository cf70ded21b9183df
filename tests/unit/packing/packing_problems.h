// Random packing problems.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/packing/packing_problem.h"
#include "core/run/request.h"
#include "core/run/work_clock.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

inline PackingProblem random_packing(Random& random, std::uint32_t most_items, std::uint32_t least, std::uint32_t most) {
  PackingProblem problem;
  problem.resources = random.between(1, 3);
  problem.capacity.assign(problem.resources, 100);
  const std::uint32_t items = random.between(1, most_items);
  for (std::uint32_t i = 0; i < items; ++i) {
    for (std::uint32_t h = 0; h < problem.resources; ++h)
      problem.demand.push_back(static_cast<std::int32_t>(random.chance(.1) ? 0 : random.between(least, most)));
    problem.count.push_back(random.between(1, 2));
    problem.at_most.push_back(random.chance(.2) ? 1 : 9);
  }
  return problem;
}

/// Whether everything is packed, and every node holds what it has.
inline bool is_valid(const PackingProblem& problem, const Packing& packing, const std::vector<std::uint32_t>& wanted) {
  std::vector<std::uint32_t> packed(problem.items(), 0);
  for (const Content& content : packing) {
    std::vector<std::int64_t> used(problem.resources, 0);
    for (const PackedItem& item : content) {
      packed[item.item] += item.replicas;
      if (item.replicas == 0 || item.replicas > problem.at_most[item.item]) return false;
      for (std::uint32_t h = 0; h < problem.resources; ++h)
        used[h] += std::int64_t{item.replicas} * problem.demand_of(item.item)[h];
    }
    for (std::uint32_t h = 0; h < problem.resources; ++h) {
      if (used[h] > problem.capacity[h]) return false;
    }
  }
  return packed == wanted;
}

}  // namespace stowage::test
