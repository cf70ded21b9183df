#include "core/colocation/search/target_walk.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

/// Nodes hold at most so many replicas.
class SeatsGate final : public ColocationGate {
 public:
  SeatsGate(const ColocationState& state, std::size_t seats) : state_(&state), seats_(seats) {}
  [[nodiscard]] bool may_exchange(std::uint32_t /*i*/, std::uint32_t node, std::uint32_t j) override {
    return j != state_->nothing() || state_->members(node).size() < seats_;
  }
  void exchanging(std::uint32_t i, std::uint32_t node, std::uint32_t j) override {
    EXPECT_TRUE(may_exchange(i, node, j));
    EXPECT_NE(state_->replica(i).node, node);
    EXPECT_TRUE(j == state_->nothing() || state_->replica(j).node == node);
  }

 private:
  const ColocationState* state_;
  std::size_t seats_;
};

ColocationProblem four_kinds(std::uint32_t replicas, std::uint32_t nodes) {
  test::Random random(11);
  return test::design_problem(random, test::Coefficients::kIncompatible, 4, replicas, nodes);
}

TEST(TargetWalkTest, ArrivesWhereNothingHinders) {
  const ColocationProblem problem = four_kinds(60, 6);
  test::Random random(1);
  Colocation from(60);
  Colocation target(60);
  for (std::uint32_t& node : from) node = random.below(6);
  for (std::uint32_t& node : target) node = random.below(6);
  ColocationState state(problem, ColocationGoal::kWorst);
  state.assign(from);
  SeatsGate gate(state, 60);
  WorkClock clock(Request{}, nullptr);
  TargetWalk(state, target, gate).run(clock);
  EXPECT_EQ(state.colocation(), target);
}

TEST(TargetWalkTest, KindsComeApartOnNodesThatAreFull) {
  // Full nodes: replicas can only change places. The target has kind k % 4 alone on node k.
  ColocationProblem problem;
  problem.nodes = 8;
  problem.kinds = 4;
  problem.coefficient.assign(16, 1);
  Colocation from;
  Colocation target;
  for (std::uint32_t i = 0; i < 40; ++i) {
    problem.load.push_back(1);
    problem.kind.push_back(i % 4);
    problem.app.push_back(i);
    from.push_back(i / 5);
    target.push_back(i % 8);
  }
  ColocationState state(problem, ColocationGoal::kWorst);
  state.assign(from);
  SeatsGate gate(state, 5);
  WorkClock clock(Request{}, nullptr);
  TargetWalk(state, target, gate).run(clock);
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(state.replica(i).node % 4, problem.kind[i]) << i;
}

TEST(TargetWalkTest, NodesAreRenamedAfterWhatStays) {
  const ColocationProblem problem = four_kinds(12, 4);
  ColocationState state(problem, ColocationGoal::kWorst);
  const Colocation there = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  state.assign(there);
  EXPECT_EQ(renamed_after(state, {3, 3, 3, 0, 0, 0, 1, 1, 1, 2, 2, 2}), there);
  EXPECT_EQ(renamed_after(state, {3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}), (Colocation{0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(TargetWalkTest, EndsWithTheClock) {
  const ColocationProblem problem = four_kinds(60, 6);
  ColocationState state(problem, ColocationGoal::kWorst);
  state.assign(Colocation(60, 0));
  SeatsGate gate(state, 60);
  Request request;
  request.work_limit = 100;
  WorkClock clock(request, nullptr);
  TargetWalk(state, Colocation(60, 1), gate).run(clock);
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  EXPECT_FALSE(state.members(0).empty());
  EXPECT_FALSE(state.members(1).empty());
}

}  // namespace
}  // namespace stowage
