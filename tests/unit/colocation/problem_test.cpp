#include "core/colocation/problem.h"

#include <gtest/gtest.h>

#include <utility>

namespace stowage {
namespace {

TEST(ColocationProblemTest, ReplicasStandByLoadAndCostWhatTheTableSays) {
  InstanceData data;
  data.resources = {{"cpu", ""}, {"requests", ""}};
  data.classes = {{"n", {100, 100}, 0, -1, {}}};
  data.replicas = {1, 2, 1};
  data.demand = {1, 2, 1, 3, 1, 5};
  data.kind = {0, 1, 1};
  data.has_interference = true;
  data.interference = {{"web", "db"}, 2, {1, 2, 0.5, 1}, 1};
  Result<Instance> instance = Instance::build(std::move(data));
  ASSERT_TRUE(instance.ok());
  const ColocationProblem problem = colocation_problem(*instance, 2);
  EXPECT_EQ(problem.app, (std::vector<AppId>{2, 1, 1, 0}));
  EXPECT_EQ(problem.load, (std::vector<double>{5, 3, 3, 2}));
  EXPECT_EQ(problem.kind, (std::vector<std::uint32_t>{1, 1, 1, 0}));
  EXPECT_EQ(problem.total_load(), (std::vector<double>{2, 11}));
  // Node 0 holds 5 of kind 1 and 2 of kind 0: 5 + 0.5 x 2 = 6 and 2 + 2 x 5 = 12. Node 1 holds 3 and 3 of kind 1: 6 each.
  const ColocationCost cost = cost_of(problem, {0, 1, 1, 0});
  EXPECT_DOUBLE_EQ(cost.worst, 12);
  EXPECT_DOUBLE_EQ(cost.total, 6 + 12 + 6 + 6);
}

}  // namespace
}  // namespace stowage
