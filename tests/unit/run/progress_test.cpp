#include "core/run/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

TEST(ProgressTest, TheControlFollowsTheRun) {
  Control control;
  WorkClock clock(Request{}, &control);
  Progress progress(clock, Objective::kNodes, &control);
  progress.enter(Phase::kPlan, 500);
  EXPECT_EQ(control.phase, static_cast<std::uint32_t>(Phase::kPlan));
  EXPECT_EQ(control.total, 500);
  progress.done(17);
  EXPECT_EQ(control.done, 17);
  progress.best({42, 17.5, 3}, Objective::kNodes);
  EXPECT_EQ(control.best, 42);
  EXPECT_EQ(control.value, 17.5);
  EXPECT_EQ(control.left_over, 3);
  clock.step(300);
  EXPECT_EQ(control.work, 300);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  progress.enter(Phase::kBound);
  EXPECT_EQ(control.done, 0);
  EXPECT_EQ(control.total, 0);
  EXPECT_GE(control.nanoseconds[static_cast<std::size_t>(Phase::kPlan)], 2'000'000);
}

TEST(ProgressTest, TheValueOfAnotherObjectiveIsNotShown) {
  Control control;
  const WorkClock clock(Request{}, &control);
  Progress progress(clock, Objective::kAdmitted, &control);
  progress.best({42, 17.5}, Objective::kNodes);
  EXPECT_EQ(control.best, 42);
  EXPECT_LT(control.value, 0);
}

// The planner that runs within another one may have worse plans than that one.
TEST(ProgressTest, APlannerWithinAnotherIsSilentOnceThatOneHasAPlan) {
  Control control;
  const WorkClock clock(Request{}, &control);
  Progress progress(clock, Objective::kNodes, &control);
  {
    const Progress::Within first(progress);
    progress.best({5, 5}, Objective::kNodes);
  }
  EXPECT_EQ(control.best, 5);
  {
    const Progress::Within second(progress);
    progress.best({7, 7}, Objective::kNodes);
    EXPECT_EQ(control.best, 5);
  }
  progress.best({4, 4}, Objective::kNodes);
  EXPECT_EQ(control.best, 4);
}

TEST(ProgressTest, ASearchHasComeAsFarAsItsLimit) {
  Control control;
  Request request;
  request.work_limit = 1000;
  request.deadline_ms = 60'000;
  WorkClock by_work(request, &control);
  Progress(by_work, Objective::kNodes, &control).enter(Phase::kImprove);
  by_work.step(300);
  EXPECT_EQ(share_done(control).done, 300);
  EXPECT_EQ(share_done(control).total, 1000);

  request.work_limit = 0;
  const WorkClock by_time(request, &control);
  Progress progress(by_time, Objective::kNodes, &control);
  progress.enter(Phase::kImprove);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  EXPECT_GE(share_done(control).done, 2);
  EXPECT_LE(share_done(control).done, 60'000);
  EXPECT_EQ(share_done(control).total, 60'000);

  progress.enter(Phase::kVerify);
  EXPECT_EQ(share_done(control).total, 0);
}

// What a run states in the end is its plan.
TEST(ProgressTest, TheBestPlanIsTheOneReturned) {
  for (const char* planner : {"ff", "auto", "spread-wfd-avg-binsearch", "match-dotproduct"}) {
    test::InstanceBuilder builder = test::with_demands({3, 6, 4, 7, 5, 5});
    builder.add_app("whale", 2, {11});
    const Instance instance = builder.must_build();
    Control control;
    Request request;
    request.planner = planner;
    request.work_limit = 100'000;
    const Plan plan = test::plan_by(instance, request, &control);
    EXPECT_EQ(control.best, plan.nodes.size()) << planner;
    EXPECT_EQ(control.value, static_cast<double>(plan.nodes.size())) << planner;
    EXPECT_EQ(control.left_over, 2) << planner;
  }
}

}  // namespace
}  // namespace stowage
