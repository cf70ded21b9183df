#include "core/solver/restricted_master.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/unit/support/random.h"

namespace stowage {
namespace {

// Three sizes on one kind of node: patterns (2,0), (0,2), (1,1) at cost 1 each; demand (3, 1) takes 2 nodes.
TEST(RestrictedMasterTest, SmallCuttingStock) {
  RestrictedMaster master({3, 1}, {10, 10}, {5});
  const std::vector<std::vector<std::uint32_t>> patterns = {{2, 0}, {0, 2}, {1, 1}};
  for (const auto& p : patterns) master.add(0, 1, p);
  master.solve(100);
  EXPECT_NEAR(master.objective(), 2, 1e-5);
  EXPECT_NEAR(master.row_duals()[0], 0.5, 1e-9);
  EXPECT_NEAR(master.row_duals()[1], 0.5, 1e-9);
  EXPECT_NEAR(master.group_dual(0), 0, 1e-9);
}

TEST(RestrictedMasterTest, GroupsLimitWhatIsCovered) {
  // A node in use costs nothing, a new one costs 1: 3 of 10 replicas fit per node, and there are two nodes.
  RestrictedMaster master({10}, {4}, {1, 1});
  master.add(0, 0, std::vector<std::uint32_t>{3});
  master.add(1, 1, std::vector<std::uint32_t>{3});
  master.solve(100);
  EXPECT_NEAR(master.uncovered(0), 4, 1e-5);
  EXPECT_NEAR(master.objective(), 1 + 4 * 4, 1e-5);
  EXPECT_NEAR(master.row_duals()[0], 4, 1e-9);
  EXPECT_NEAR(master.group_dual(0), -12, 1e-9);
  EXPECT_NEAR(master.group_dual(1), -11, 1e-9);
}

TEST(RestrictedMasterTest, NodesAreUsedWhereItCostsMoreToLeaveThemEmpty) {
  // Two replicas fit on one node. Of three nodes, two take one replica each rather than stay empty, and the third gets none.
  RestrictedMaster master({2}, {10}, {3}, {5});
  master.add(0, 1, std::vector<std::uint32_t>{2});
  master.add(0, 3, std::vector<std::uint32_t>{1});
  master.solve(100);
  double used = 0;
  for (const RestrictedMaster::Used& one : master.solution()) used += one.value;
  EXPECT_NEAR(used, 3, 1e-5) << "more than is wanted may be covered";
  EXPECT_NEAR(master.objective(), 3, 1e-5);
}

TEST(RestrictedMasterTest, NothingWantedCostsNothing) {
  RestrictedMaster master({0, 0}, {1, 1}, {3});
  master.add(0, 1, std::vector<std::uint32_t>{1, 1});
  master.solve(100);
  EXPECT_NEAR(master.objective(), 0, 1e-9);
}

// Random programs: the result is primal and dual feasible, and both objectives agree, which proves optimality.
TEST(RestrictedMasterTest, PrimalAndDualAgree) {
  test::Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = random.between(1, 8);
    const std::uint32_t groups = random.between(1, 12);
    std::vector<double> demand;
    std::vector<double> penalty;
    std::vector<double> sizes;
    for (std::size_t k = 0; k < rows; ++k) demand.push_back(random.below(20));
    for (std::size_t k = 0; k < rows; ++k) penalty.push_back(1 + random.below(30));
    for (std::uint32_t g = 0; g < groups; ++g) sizes.push_back(random.below(4));
    std::vector<double> idle;
    for (std::uint32_t g = 0; g < groups && round % 2 != 0; ++g)
      idle.push_back(random.chance(0.5) ? 0 : random.below(30) / 3.0);
    RestrictedMaster master(demand, penalty, sizes, idle);
    const auto add = [&](std::uint32_t columns) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        std::vector<std::uint32_t> amounts(rows);
        for (std::uint32_t& a : amounts) a = random.below(4);
        master.add(random.below(groups), random.below(40) / 7.0, amounts);
      }
    };
    for (int batch = 0; batch < 3; ++batch) {
      add(random.below(40));
      if (batch == 0 && master.columns() > 0 && random.chance(0.5)) {
        master.start_with(random.below(static_cast<std::uint32_t>(master.columns())));
        master.restart();
      }
      master.solve(100'000);
    }
    std::vector<double> covered(rows, 0);
    std::vector<double> in_group(groups, 0);
    for (const RestrictedMaster::Used& used : master.solution()) {
      EXPECT_GT(used.value, 0);
      in_group[master.group_of(used.column)] += used.value;
      for (std::size_t k = 0; k < rows; ++k) covered[k] += used.value * master.amounts_of(used.column)[k];
    }
    double dual = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      EXPECT_GE(covered[k] + master.uncovered(k), demand[k] - 1e-6);
      EXPECT_GE(master.row_duals()[k], -1e-7);
      EXPECT_LE(master.row_duals()[k], penalty[k] + 1e-7);
      dual += master.row_duals()[k] * demand[k];
    }
    for (std::uint32_t g = 0; g < groups; ++g) {
      EXPECT_LE(in_group[g], sizes[g] + 1e-6);
      // The dual value of a group without nodes does not matter.
      EXPECT_LE(sizes[g] > 0 ? master.group_dual(g) : 0, (idle.empty() ? 0 : idle[g]) + 1e-7);
      dual += master.group_dual(g) * sizes[g];
    }
    for (std::size_t j = 0; j < master.columns(); ++j) {
      EXPECT_GE(sizes[master.group_of(j)] > 0 ? master.reduced_cost(j) : 0, -1e-6);
    }
    // The solved demand is larger by at most 1e-7.
    ASSERT_NEAR(master.objective(), dual, 1e-4) << "round " << round;
  }
}

}  // namespace
}  // namespace stowage
