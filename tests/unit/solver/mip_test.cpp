#include "core/solver/mip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace stowage {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// minimize -3 x - 2 y subject to x + y <= 4, x <= 3, both whole and at least 0: x = 3, y = 1 costs -11.
Program small_program() {
  Program program;
  const std::uint32_t x = program.add_column(-3, 0, 3, true);
  const std::uint32_t y = program.add_column(-2, 0, kInfinity, true);
  program.add_row(-kInfinity, 4, std::vector<Program::Term>{{x, 1}, {y, 1}});
  return program;
}

Answer optimal_answer() { return {AnswerStatus::kOptimal, -11, -11, {3, 1}, {}, 5}; }

TEST(MipTest, TermsOfOneColumnAreAddedUp) {
  Program program;
  const std::uint32_t a = program.add_column(1, 0, 1, false);
  const std::uint32_t b = program.add_column(1, 0, 1, false);
  program.add_row(0, 1, std::vector<Program::Term>{{b, 2}, {a, 1}, {b, 0.5}});
  ASSERT_EQ(program.rows(), 1u);
  EXPECT_EQ(program.entry_column, (std::vector<std::uint32_t>{a, b}));
  EXPECT_EQ(program.entry_value, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(program.row_begin, (std::vector<std::uint64_t>{0, 2}));
}

TEST(MipTest, AGoodAnswerIsKept) {
  const Answer answer = check_answer(small_program(), optimal_answer());
  EXPECT_EQ(answer.status, AnswerStatus::kOptimal);
  EXPECT_EQ(answer.objective, -11);
  EXPECT_EQ(answer.bound, -11);
  EXPECT_EQ(answer.nodes, 5u);
}

TEST(MipTest, NearlyWholeValuesAreRoundedAndTheObjectiveIsRecomputed) {
  Answer given = optimal_answer();
  given.values = {2.9999999, 1.0000001};
  given.objective = -1e9;
  const Answer answer = check_answer(small_program(), given);
  EXPECT_EQ(answer.status, AnswerStatus::kOptimal);
  EXPECT_EQ(answer.values, (std::vector<double>{3, 1}));
  EXPECT_EQ(answer.objective, -11);
}

TEST(MipTest, ValuesThatDoNotSolveTheProgramAreDropped) {
  const std::vector<std::vector<double>> bad = {{},        {3},       {3, 1, 0},      {3, 2},  // too few, too many, a row
                                                {4, 0},    {-1, 1},   {2.5, 1},                // a bound, a bound, not whole
                                                {kNaN, 1}, {3, kNaN}, {kInfinity, 1}, {3, -kInfinity}};
  for (const std::vector<double>& values : bad) {
    Answer given = optimal_answer();
    given.values = values;
    const Answer answer = check_answer(small_program(), given);
    EXPECT_EQ(answer.status, AnswerStatus::kFailed);
    EXPECT_TRUE(answer.values.empty());
    EXPECT_EQ(answer.bound, -kInfinity);
  }
}

TEST(MipTest, ABoundThatTheValuesContradictIsDropped) {
  Answer given = optimal_answer();
  given.bound = -10;
  Answer answer = check_answer(small_program(), given);
  EXPECT_EQ(answer.status, AnswerStatus::kFeasible);
  EXPECT_EQ(answer.bound, -kInfinity);
  // A tiny excess is a rounding error.
  given.bound = -11 + 1e-7;
  answer = check_answer(small_program(), given);
  EXPECT_EQ(answer.status, AnswerStatus::kOptimal);
  EXPECT_EQ(answer.bound, -11);
  given.bound = kNaN;
  EXPECT_EQ(check_answer(small_program(), given).status, AnswerStatus::kFeasible);
}

TEST(MipTest, WithoutValuesOnlyALimitLeavesABound) {
  for (const AnswerStatus status :
       {AnswerStatus::kFailed, AnswerStatus::kUnsolved, AnswerStatus::kInfeasible, AnswerStatus::kUnbounded}) {
    Answer given = optimal_answer();
    given.status = status;
    given.bound = -12;
    const Answer answer = check_answer(small_program(), given);
    EXPECT_EQ(answer.status, status);
    EXPECT_TRUE(answer.values.empty());
    EXPECT_EQ(answer.bound, status == AnswerStatus::kUnsolved ? -12 : -kInfinity);
  }
}

TEST(MipTest, DualsThatAreNoneAreDropped) {
  for (const std::vector<double>& duals : std::vector<std::vector<double>>{{}, {1, 2}, {kNaN}}) {
    Answer given = optimal_answer();
    given.duals = duals;
    EXPECT_TRUE(check_answer(small_program(), given).duals.empty());
  }
  Answer given = optimal_answer();
  given.duals = {-2};
  EXPECT_EQ(check_answer(small_program(), given).duals, (std::vector<double>{-2}));
}

}  // namespace
}  // namespace stowage
