// Node limits with prices: `auto` against exact search on tiny instances. Nodes are scarce as well as money.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/optimum.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::Freedom;
using test::Generated;
using test::Optimum;
using test::OptimumSearch;
using test::Random;

/// A few replicas and classes of nodes, some of which cost nothing. At most seven replicas, for exact search.
Generated priced_nodes(Random& random) {
  Generated result;
  InstanceData& data = result.data;
  const std::uint32_t resources = random.between(1, 2);
  for (std::uint32_t r = 0; r < resources; ++r) data.resources.push_back({"r" + std::to_string(r), ""});
  data.periods = 1;
  for (std::uint32_t c = random.between(2, 3); c > 0; --c) {
    NodeClass one;
    for (std::uint32_t r = 0; r < resources; ++r) one.capacity.push_back(random.between(2, 10));
    one.price = random.chance(0.2) ? 0 : random.between(1, 12) / 2.0;
    one.count = random.chance(0.2) ? random.between(1, 2) : 0;
    data.classes.push_back(std::move(one));
  }
  std::uint32_t left = 7;
  for (std::uint32_t i = random.between(1, 4); i > 0 && left > 0; --i) {
    data.replicas.push_back(random.between(1, std::min(left, 3u)));
    left -= data.replicas.back();
    for (std::uint32_t r = 0; r < resources; ++r) data.demand.push_back(random.between(r == 0 ? 1 : 0, 5));
  }
  return result;
}

TEST(NodeLimits, TheCheapestPlanIsFoundOnFewNodes) {
  std::uint32_t complete = 0;
  std::uint32_t scarce = 0;  // where a plan without the limit costs less
  for (std::uint64_t seed = 0; seed < 300 / test::kShare; ++seed) {
    Random random(seed * 0x9E3779B97F4A7C15 + 3);
    const Generated generated = priced_nodes(random);
    const Instance instance = generated.build();
    Request request;
    request.planner = "auto";
    request.seed = seed;
    // Few more than what runs everything, at any price.
    request.node_limit = std::min(OptimumSearch(generated).run().nodes, 4u) + random.below(2);
    request.work_limit = 400'000;
    Result<Plan> plan = run_planner(instance, request, nullptr);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    const Optimum best = OptimumSearch(generated, Freedom{.nodes = request.node_limit}).run();
    ASSERT_EQ(plan->unplaced.empty(), best.feasible) << "seed " << seed;
    if (!best.feasible) continue;
    EXPECT_NEAR(plan->cost, best.cost, 1e-9) << "seed " << seed << ", " << request.node_limit << " nodes";
    ++complete;
    scarce += OptimumSearch(generated).run().cost < best.cost - 1e-9 ? 1 : 0;
  }
  EXPECT_GE(complete, 200 / test::kShare);
  EXPECT_GE(scarce, 20 / test::kShare);
}

}  // namespace
}  // namespace stowage
