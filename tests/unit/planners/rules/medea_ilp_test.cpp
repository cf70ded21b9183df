#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/solver/mip.h"
#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/medea_cases.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// A solver with answers that the test sets.
class ScriptedSolver final : public Solver {
 public:
  explicit ScriptedSolver(std::function<Answer(const Program&)> script) : script_(std::move(script)) {}
  Answer solve(const Program& program, const SolverLimits& limits, const Control* /*control*/) override {
    ++calls;
    last_limits = limits;
    return script_(program);
  }
  int calls = 0;
  SolverLimits last_limits;

 private:
  std::function<Answer(const Program&)> script_;
};

/// Two apps of two on two nodes of four; b prefers to be alone.
Instance two_apps() {
  TaggedBuilder builder;
  builder.app("a", 2, {"a"});
  builder.app("b", 2, {"b"});
  builder.nodes(2, 4);
  builder.soft(builder.replicas({"b"}, {"a"}, 0, 0));
  return builder.must_build();
}

Plan scripted_plan(const Instance& instance, ScriptedSolver& solver, std::uint64_t work_limit = 0) {
  Control control;
  control.solver = &solver;
  Request request = request_for("medea-ilp");
  request.work_limit = work_limit;
  Plan plan = plan_by(instance, request, &control);
  EXPECT_TRUE(check_plan(instance, plan).ok);
  EXPECT_TRUE(plan.has_score);
  return plan;
}

TEST(MedeaIlp, WithoutASolverItIsRefused) {
  Control control;
  for (Control* one : {static_cast<Control*>(nullptr), &control}) {
    const auto plan = run_planner(two_apps(), request_for("medea-ilp"), one);
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, Code::kUnsupported);
    EXPECT_EQ(plan.error().path, "planner");
    EXPECT_NE(plan.error().message.find("solver"), std::string::npos);
  }
}

TEST(MedeaIlp, ConditionsThatTheProgramHasNotAreRefused) {
  for (const bool skew : {true, false}) {
    TaggedBuilder builder;
    builder.app("a", 2, {"a"});
    builder.nodes(2);
    const std::uint32_t rack = builder.group("rack", {{0}, {1}});
    builder.soft(skew ? builder.skew({"a"}, 1, rack) : builder.node_sets({"a"}, 2, 2, rack));
    ScriptedSolver solver([](const Program&) { return Answer(); });
    Control control;
    control.solver = &solver;
    const auto plan = run_planner(builder.must_build(), request_for("medea-ilp"), &control);
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, Code::kUnsupported);
    EXPECT_EQ(plan.error().path, "planner");
    EXPECT_NE(plan.error().message.find("rules[0]"), std::string::npos);
    EXPECT_EQ(solver.calls, 0);
  }
}

TEST(MedeaIlp, AnswersThatAreNoneLeaveTheFirstPlanAndTheOwnBound) {
  const Instance instance = two_apps();
  const Plan first = plan_by(instance, "tag-search");
  using Script = std::function<Answer(const Program&)>;
  const auto values = [](const Program& program, double value) { return std::vector<double>(program.columns(), value); };
  const auto optimal = [](std::vector<double> given, double bound) {
    return Answer{AnswerStatus::kOptimal, 0, bound, std::move(given), {}, 0};
  };
  const std::vector<Script> scripts = {
      [](const Program&) { return Answer(); },
      [](const Program&) { return Answer{AnswerStatus::kInfeasible, 0, 5, {}, {}, 0}; },
      [](const Program&) { return Answer{AnswerStatus::kUnbounded, 0, 5, {}, {}, 0}; },
      [&](const Program&) { return optimal({}, -100); },
      [&](const Program&) {
        return optimal({1, 1}, -100);
      },
      [&](const Program& program) { return optimal(values(program, kNoNumber), -100); },
      [&](const Program& program) { return optimal(values(program, kInfinity), -100); },
      [&](const Program& program) { return optimal(values(program, 0.5), -100); },
      [&](const Program& program) { return optimal(values(program, 1000), -100); },
      [&](const Program& program) { return optimal(values(program, -1), -100); },
      // Right values with a wrong bound: above the plan's score, or none.
      [&](const Program& program) { return optimal(program.start, 100); },
      [&](const Program& program) { return optimal(program.start, kNoNumber); },
      [&](const Program&) { return Answer{AnswerStatus::kUnsolved, 0, 100, {}, {}, 0}; },
  };
  for (std::size_t k = 0; k < scripts.size(); ++k) {
    SCOPED_TRACE(k);
    ScriptedSolver solver(scripts[k]);
    const Plan plan = scripted_plan(instance, solver);
    EXPECT_EQ(solver.calls, 1);
    // All replicas placed, no violation, and free room on both nodes: this is the bound without a solver.
    EXPECT_NEAR(plan.score_bound, 1 + 0.25, 1e-9);
    EXPECT_NEAR(plan.score_gap, 0, 1e-9);
    EXPECT_EQ(plan.placed.size(), first.placed.size());
    EXPECT_EQ(plan.rule_costs.cost, first.rule_costs.cost);
    EXPECT_NEAR(plan.score, score_of_medea(instance, plan, {}), 1e-9);
  }
}

TEST(MedeaIlp, AWorsePlanIsNotTaken) {
  // Placing nothing is a solution too.
  ScriptedSolver solver([](const Program& program) {
    Answer answer{AnswerStatus::kFeasible, 0, -1e6, std::vector<double>(program.columns(), 0), {}, 0};
    return answer;
  });
  const Plan plan = scripted_plan(two_apps(), solver);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.rule_costs.violations, 0u);
  EXPECT_NEAR(plan.score_gap, 0, 1e-9) << "the bound of the solver is far off, the own one is not";
}

TEST(MedeaIlp, LimitsReachTheSolver) {
  ScriptedSolver solver([](const Program&) { return Answer{AnswerStatus::kUnsolved, 0, -kInfinity, {}, {}, 7}; });
  Plan plan = scripted_plan(two_apps(), solver);
  EXPECT_GT(solver.last_limits.seconds, 1) << "the planner's own limit";
  EXPECT_EQ(solver.last_limits.nodes, 0u);
  EXPECT_EQ(solver.last_limits.gap, 1e-4);
  plan = scripted_plan(two_apps(), solver, 1'000'000);
  EXPECT_EQ(solver.last_limits.seconds, 0);
  EXPECT_GT(solver.last_limits.nodes, 900'000u);
  EXPECT_LE(solver.last_limits.nodes, 1'000'000u);
}

// The first plan solves the program, and its value in the program equals Eq. 1.
TEST(MedeaIlp, TheFirstPlanSolvesTheProgram) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(150); ++seed) {
    SCOPED_TRACE(seed);
    const MedeaCase one = medea_case(seed);
    const Instance instance = one.builder.must_build();
    for (const bool as_printed : {false, true}) {
      ScriptedSolver solver([&](const Program& program) {
        Answer answer{AnswerStatus::kFeasible, 0, -kInfinity, program.start, {}, 0};
        EXPECT_EQ(check_answer(program, answer).status, AnswerStatus::kFeasible);
        ++checked;
        return Answer();
      });
      Control control;
      control.solver = &solver;
      Request request = one.request;
      request.options.push_back({"as-printed", as_printed ? 1.0 : 0.0, ""});
      const auto plan = run_planner(instance, request, &control);
      ASSERT_TRUE(plan.ok()) << plan.error().message;
      EXPECT_NEAR(plan.value().score, score_of_medea(instance, plan.value(), one.request), 1e-9);
    }
  }
  EXPECT_GE(checked, static_cast<int>(test::cases(250)));
}

}  // namespace
}  // namespace stowage::test
