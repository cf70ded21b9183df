#include "core/colocation/assignment/colocation_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

double objective_of(const ColocationProblem& problem, const ColocationState& state) {
  const ColocationCost cost = cost_of(problem, state.colocation());
  return state.goal() == ColocationGoal::kWorst ? cost.worst : cost.total;
}

TEST(ColocationStateTest, KeepsUpWithMovesAndExchanges) {
  for (const ColocationGoal goal : {ColocationGoal::kWorst, ColocationGoal::kTotal}) {
    for (const std::uint32_t kinds : {1u, 2u, 3u, 4u, 7u, 11u}) {
      test::Random random(kinds);
      const ColocationProblem problem = test::design_problem(random, test::Coefficients::kMixed, kinds, 40, 6);
      ColocationState state(problem, goal);
      for (std::uint32_t i = 0; i < problem.replicas(); ++i) state.move(i, random.below(problem.nodes));
      for (std::uint32_t step = 0; step < 500; ++step) {
        const std::uint32_t i = random.below(problem.replicas());
        const std::uint32_t from = state.replica(i).node;
        std::uint32_t j = random.below(problem.replicas() + 1);
        std::uint32_t node = random.below(problem.nodes);
        if (j != state.nothing()) node = state.replica(j).node;
        if (node == from) continue;
        const double without = state.without(i);
        const double with = state.with(node, problem.kind[i], problem.load[i]);
        const ColocationState::Values after = state.after(i, node, j);
        if (j == state.nothing()) {
          EXPECT_NEAR(after.first, without, 1e-9);
          EXPECT_NEAR(after.second, with, 1e-9);
          state.move(i, node);
        } else {
          state.exchange(i, j);
        }
        ASSERT_NEAR(state.value(from), after.first, 1e-9);
        ASSERT_NEAR(state.value(node), after.second, 1e-9);
        ASSERT_NEAR(state.objective(), objective_of(problem, state), 1e-9 * state.objective());
      }
      std::size_t members = 0;
      for (std::uint32_t node = 0; node < problem.nodes; ++node) {
        members += state.members(node).size();
        for (const std::uint32_t i : state.members(node)) EXPECT_EQ(state.replica(i).node, node);
      }
      EXPECT_EQ(members, problem.replicas());
      state.refresh();
      EXPECT_DOUBLE_EQ(state.objective(), objective_of(problem, state));
    }
  }
}

TEST(ColocationStateTest, WhatIsNotThereDoesNotSuffer) {
  // A replica of kind 0 without load suffers from kind 1; without it, the node costs what kind 1 costs itself.
  ColocationProblem problem;
  problem.nodes = 2;
  problem.kinds = 2;
  problem.coefficient = {1, 5, 1, 1};
  problem.load = {2, 0};
  problem.kind = {1, 0};
  problem.app = {0, 1};
  ColocationState state(problem, ColocationGoal::kWorst);
  state.assign({0, 0});
  EXPECT_DOUBLE_EQ(state.value(0), 10);
  state.move(1, 1);
  EXPECT_DOUBLE_EQ(state.value(0), 2);
  EXPECT_DOUBLE_EQ(state.value(1), 0);
}

}  // namespace
}  // namespace stowage
