#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "core/run/control.h"
#include "core/solver/mip.h"
#include "tests/unit/support/admission_cases.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

/// A solver whose answer the test writes.
class WrittenSolver final : public Solver {
 public:
  explicit WrittenSolver(std::function<Answer(const Program&)> write) : write_(std::move(write)) {}
  Answer solve(const Program& program, const SolverLimits& /*limits*/, const Control* /*control*/) override {
    ++programs;
    return write_(program);
  }
  int programs = 0;

 private:
  std::function<Answer(const Program&)> write_;
};

Plan plan_with(const Instance& instance, Solver& solver) {
  Control control;
  control.solver = &solver;
  return test::plan_by(instance, test::request_to_admit("lrasched-ilp"), &control);
}

// 7 + 3 and 6 + 4 fill two nodes of 10. By rising size, 3 shares a node with 6, and 7 finds no room beside 4.
Instance four_on_two() { return test::with_demands({3, 4, 6, 7}, 2).must_build(); }

TEST(LraschedIlpTest, TheAnswerIsTakenWhereItAdmitsMore) {
  // Columns: per node the apps by falling size, then one per application in that order.
  WrittenSolver solver([](const Program& program) {
    EXPECT_EQ(program.columns(), 12u);
    EXPECT_EQ(program.rows(), 6u) << "two nodes of one resource, four applications";
    EXPECT_EQ(program.start, (std::vector<double>{0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1})) << "the first plan";
    return Answer{AnswerStatus::kOptimal, -4, -4, {1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1}, {}, 1};
  });
  const Plan plan = plan_with(four_on_two(), solver);
  EXPECT_EQ(test::who_sits_where(four_on_two(), plan), "app-0:1 app-3:1 | app-1:1 app-2:1");
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_EQ(solver.programs, 1) << "no node may be added";
}

TEST(LraschedIlpTest, AnswersThatDoNotHoldAreNotTaken) {
  for (const std::vector<double>& values : {std::vector<double>{1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
                                            std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, std::vector<double>{}}) {
    WrittenSolver solver([&](const Program&) { return Answer{AnswerStatus::kOptimal, -4, -4, values, {}, 1}; });
    EXPECT_EQ(plan_with(four_on_two(), solver).left_out, 1) << "the plan of admit";
  }
}

TEST(LraschedIlpTest, ItsBoundIsThePlans) {
  WrittenSolver solver([](const Program& program) {
    Answer answer{AnswerStatus::kFeasible, -3, -3.4, program.start, {}, 1};
    return answer;
  });
  const Plan plan = plan_with(four_on_two(), solver);
  ASSERT_TRUE(plan.bounds[Objective::kAdmitted]);
  EXPECT_EQ(plan.bounds[Objective::kAdmitted]->name, "integer-program");
  EXPECT_EQ(plan.bounds[Objective::kAdmitted]->value, 1);
  EXPECT_TRUE(plan.places_most);
}

// One node of 5 exists. 4, 6 and 6 are left for added nodes of 10: two of them, as 4 + 6 share one.
TEST(LraschedIlpTest, TheSecondProgramAddsNodes) {
  test::InstanceBuilder builder = test::with_demands({5, 4, 6, 6});
  builder.add_class({5}, 1);
  const Instance instance = builder.must_build();
  WrittenSolver solver(
      [](const Program& program) { return Answer{AnswerStatus::kFeasible, 0, -kInfinity, program.start, {}, 1}; });
  const Plan plan = plan_with(instance, solver);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.nodes.size(), 3u);
  EXPECT_EQ(solver.programs, 2);
}

TEST(LraschedIlpTest, WithoutASolverItIsRefused) {
  const auto plan = run_planner(four_on_two(), test::request_to_admit("lrasched-ilp"), nullptr);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, Code::kUnsupported);
  EXPECT_EQ(plan.error().path, "planner");
}

}  // namespace
}  // namespace stowage
