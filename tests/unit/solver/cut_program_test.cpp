#include "core/solver/cut_program.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/unit/support/random.h"

namespace stowage {
namespace {

TEST(CutProgram, TwoVariables) {
  CutProgram program({3, 2});
  program.add(std::vector<double>{1, 1}, 4);
  program.add(std::vector<double>{1, 0}, 3);
  program.solve(100);
  EXPECT_NEAR(program.objective(), 11, 1e-12);  // y = (3, 1)
  EXPECT_NEAR(program.values()[0], 3, 1e-12);
  EXPECT_NEAR(program.values()[1], 1, 1e-12);
  ASSERT_EQ(program.used().size(), 2u);
  EXPECT_NEAR(program.used()[0].multiplier, 2, 1e-12);
  EXPECT_NEAR(program.used()[1].multiplier, 1, 1e-12);
}

TEST(CutProgram, GoesOnFromAnOptimum) {
  CutProgram program({1, 1});
  program.add(std::vector<double>{1, 0}, 2);
  program.add(std::vector<double>{0, 1}, 2);
  program.solve(100);
  EXPECT_NEAR(program.objective(), 4, 1e-12);
  program.add(std::vector<double>{1, 2}, 3);
  program.solve(100);
  EXPECT_NEAR(program.objective(), 2.5, 1e-12);  // y = (2, 1/2)
  program.drop_loose();
  EXPECT_EQ(program.add(std::vector<double>{2, 1}, 3), 3u);
  program.solve(100);
  EXPECT_NEAR(program.objective(), 2, 1e-12);  // y = (1, 1)
}

TEST(CutProgram, UnboundedStopsInsideOfTheCuts) {
  CutProgram program({1, 1});
  program.add(std::vector<double>{1, -1}, 1);
  program.solve(100);
  const std::vector<double> y = program.values();
  EXPECT_LE(y[0] - y[1], 1 + 1e-12);
}

// The multipliers of the cuts prove the optimum: sum of multiplier x limit is the objective, and the multipliers cover the
// gains.
TEST(CutProgram, MultipliersProveTheOptimum) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::Random random(seed);
    const std::size_t variables = random.between(1, 8);
    std::vector<double> gains;
    for (std::size_t k = 0; k < variables; ++k) gains.push_back(random.between(0, 9) - 2.0);
    CutProgram program(gains);
    std::vector<std::vector<double>> rows;
    std::vector<double> limits;
    const auto add = [&](std::vector<double> row, double limit) {
      EXPECT_EQ(program.add(row, limit), rows.size());
      rows.push_back(std::move(row));
      limits.push_back(limit);
    };
    for (std::size_t k = 0; k < variables; ++k) {
      std::vector<double> row(variables, 0.0);
      row[k] = 1;
      add(row, random.between(1, 9));
    }
    for (int round = 0; round < 6; ++round) {
      program.solve(1000);
      if (round == 3) program.drop_loose();
      const std::vector<double> y = program.values();
      std::vector<double> covered(variables, 0.0);
      double value = 0;
      for (const CutProgram::Used& used : program.used()) {
        for (std::size_t k = 0; k < variables; ++k) covered[k] += used.multiplier * rows[used.cut][k];
        value += used.multiplier * limits[used.cut];
      }
      double objective = 0;
      for (std::size_t k = 0; k < variables; ++k) {
        EXPECT_GE(covered[k], gains[k] - 1e-9) << seed;
        objective += gains[k] * y[k];
      }
      EXPECT_NEAR(value, objective, 1e-8) << seed;
      EXPECT_NEAR(value, program.objective(), 1e-8) << seed;
      for (std::size_t j = 0; j < rows.size() && round < 3; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < variables; ++k) sum += rows[j][k] * y[k];
        EXPECT_LE(sum, limits[j] + 1e-9) << seed;
      }
      std::vector<double> row;
      for (std::size_t k = 0; k < variables; ++k) row.push_back(random.between(0, 6) - 1.0);
      add(row, random.between(0, 9));
    }
  }
}

}  // namespace
}  // namespace stowage
