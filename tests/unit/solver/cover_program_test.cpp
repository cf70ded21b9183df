#include "core/solver/cover_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using Column = std::vector<CoverProgram::Amount>;

void solve_all(CoverProgram& program) {
  while (program.solve(1000) == 1000) continue;
}

TEST(CoverProgramTest, SmallCuttingStock) {
  // Patterns (2,0), (0,2), (1,1); demand (3, 1) takes 2 nodes.
  CoverProgram program({3, 1}, std::vector<std::uint32_t>{2, 2});
  program.add(Column{{0, 1}, {1, 1}});
  solve_all(program);
  EXPECT_NEAR(program.objective(), 2, 1e-5);
  EXPECT_NEAR(program.duals()[0], .5, 1e-5);
  EXPECT_NEAR(program.duals()[1], .5, 1e-5);
}

TEST(CoverProgramTest, FollowsDemandThatFalls) {
  CoverProgram program({2, 2, 2}, std::vector<std::uint32_t>{1, 1, 1});
  program.add(Column{{0, 1}, {1, 1}, {2, 1}});
  solve_all(program);
  EXPECT_NEAR(program.objective(), 2, 1e-5);
  program.set_demand({0, 1, 0});
  solve_all(program);
  EXPECT_NEAR(program.objective(), 1, 1e-5);
  program.set_demand({0, 0, 0});
  solve_all(program);
  EXPECT_NEAR(program.objective(), 0, 1e-5);
}

TEST(CoverProgramTest, FollowsCostsThatChange) {
  CoverProgram program({4, 2}, std::vector<std::uint32_t>{1, 1});
  program.add(Column{{0, 2}, {1, 1}});
  program.add(Column{{0, 2}});
  solve_all(program);
  EXPECT_NEAR(program.objective(), 2, 1e-5);
  const std::vector<std::pair<std::size_t, double>> costs{{2, 5}};
  program.set_costs(costs);
  solve_all(program);
  EXPECT_NEAR(program.objective(), 4, 1e-5) << "two of the other column, and the row's own";
  for (std::size_t j = 0; j < program.columns(); ++j) EXPECT_GT(program.reduced_cost(j), -1e-6);
}

// A solution and duals that are feasible and worth the same are both optimal: with columns that come later, and demand that
// changes.
TEST(CoverProgramTest, SolutionsAndDualsAreWorthTheSame) {
  test::Random random(3);
  for (std::uint64_t k = 0; k < test::cases(100); ++k) {
    const std::uint32_t rows = random.between(1, 30);
    std::vector<double> demand;
    for (std::uint32_t r = 0; r < rows; ++r) demand.push_back(random.between(0, 4));
    CoverProgram program(demand, std::vector<std::uint32_t>(rows, 1));
    std::vector<Column> columns;
    for (std::uint32_t r = 0; r < rows; ++r) columns.push_back({{r, 1}});
    for (std::uint32_t step = 0; step < 4; ++step) {
      for (std::uint32_t c = 0; c < 2 * rows; ++c) {
        Column column;
        for (std::uint32_t r = 0; r < rows; ++r) {
          if (random.chance(3.0 / rows)) column.push_back({r, static_cast<std::int32_t>(random.between(1, 2))});
        }
        if (column.empty()) continue;
        columns.push_back(column);
        program.add(column);
      }
      for (double& amount : demand) amount = random.chance(.3) ? random.between(0, 4) : amount;
      program.set_demand(demand);
      solve_all(program);
      std::vector<double> covered(rows, 0);
      double cost = 0;
      for (const CoverProgram::Used& used : program.solution()) {
        EXPECT_GT(used.value, -1e-9) << "case " << k;
        cost += used.value;
        for (const CoverProgram::Amount& a : columns[used.column]) covered[a.row] += used.value * a.amount;
      }
      double worth = 0;
      for (std::uint32_t r = 0; r < rows; ++r) {
        EXPECT_GT(covered[r], demand[r] - 1e-4) << "case " << k;
        EXPECT_GT(program.duals()[r], -1e-9) << "case " << k;
        worth += demand[r] * program.duals()[r];
      }
      EXPECT_NEAR(cost, worth, 1e-4) << "case " << k;
      EXPECT_NEAR(cost, program.objective(), 1e-4) << "case " << k;
      for (const Column& column : columns) {
        double paid = 0;
        for (const CoverProgram::Amount& a : column) paid += program.duals()[a.row] * a.amount;
        EXPECT_LT(paid, 1 + 1e-6) << "case " << k;
      }
    }
  }
}

}  // namespace
}  // namespace stowage
