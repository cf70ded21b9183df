#include "core/run/run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace stowage {
namespace {

TEST(RunTest, WithoutLimitsItGoesOn) {
  stowage::Run run(Request{}, nullptr);
  for (int k = 0; k < 10'000; ++k) ASSERT_FALSE(run.clock.step(1));
  EXPECT_EQ(run.clock.work(), 10'000);
  EXPECT_EQ(run.clock.stop(), Stop::kNo);
}

TEST(RunTest, TheWorkLimitEndsAtTheFirstStepThatReachesIt) {
  Request request;
  request.work_limit = 1000;
  stowage::Run run(request, nullptr);
  EXPECT_FALSE(run.clock.step(999));
  EXPECT_TRUE(run.clock.step(1));
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
  EXPECT_EQ(run.clock.work(), 1000);
  EXPECT_TRUE(run.clock.step(1)) << "an ended run stays ended";

  stowage::Run coarse(request, nullptr);
  EXPECT_TRUE(coarse.clock.step(5000));
  EXPECT_EQ(coarse.clock.work(), 5000) << "work is counted whole steps at a time";
}

// The flag is looked at every 256 units at least.
TEST(RunTest, APartEndsWithoutTheRun) {
  Request request;
  request.work_limit = 100;
  stowage::Run run(request, nullptr);
  EXPECT_FALSE(run.clock.step(10));
  run.clock.begin_part(20);
  EXPECT_FALSE(run.clock.step(19));
  EXPECT_TRUE(run.clock.step(1));
  EXPECT_EQ(run.clock.stop(), Stop::kPart);
  run.clock.end_part();
  EXPECT_EQ(run.clock.stop(), Stop::kNo);
  EXPECT_EQ(run.clock.work(), 30u);
  // Parts of any length end with the run, and the run is not gone on with.
  run.clock.begin_part(~std::uint64_t{0});
  EXPECT_EQ(run.clock.work_left(), 70u);
  EXPECT_TRUE(run.clock.step(70));
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
  run.clock.end_part();
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
}

TEST(RunTest, ACancelGoesBeforeTheEndOfAPart) {
  Control control;
  stowage::Run run(Request{}, &control);
  run.clock.begin_part(5);
  control.cancelled = true;
  EXPECT_TRUE(run.clock.step(1000));
  run.clock.end_part();
  EXPECT_EQ(run.clock.stop(), Stop::kCancelled);
}

TEST(RunTest, CancelIsSeenAfterBoundedWork) {
  Control control;
  stowage::Run run(Request{}, &control);
  EXPECT_FALSE(run.clock.step(1));
  control.cancelled = true;
  int steps = 1;
  while (!run.clock.step(1)) ASSERT_LE(++steps, 256);
  EXPECT_EQ(run.clock.stop(), Stop::kCancelled);
}

TEST(RunTest, ACancelBeforeTheStartEndsAtTheFirstStep) {
  Control control;
  control.cancelled = true;
  stowage::Run run(Request{}, &control);
  EXPECT_TRUE(run.clock.step(1));
  EXPECT_EQ(run.clock.stop(), Stop::kCancelled);
}

TEST(RunTest, CancelledGoesBeforeDeadline) {
  Request request;
  request.work_limit = 1;
  request.deadline_ms = 1;
  Control control;
  control.cancelled = true;
  stowage::Run run(request, &control);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(run.clock.step(1));
  EXPECT_EQ(run.clock.stop(), Stop::kCancelled) << "all three reasons at once";

  // Also where the work limit was reached first and the cancel came later.
  Control later;
  stowage::Run limited(request, &later);
  EXPECT_TRUE(limited.clock.step(1));
  EXPECT_EQ(limited.clock.stop(), Stop::kDeadline);
  later.cancelled = true;
  EXPECT_TRUE(limited.clock.step(1000));
  EXPECT_EQ(limited.clock.stop(), Stop::kCancelled);
}

TEST(RunTest, TheDeadlineEndsTheRun) {
  Request request;
  request.deadline_ms = 20;
  stowage::Run run(request, nullptr);
  const auto start = std::chrono::steady_clock::now();
  while (!run.clock.step(1)) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(19));
}

TEST(RunTest, TheDeadlineWaitsUntilItIsHeeded) {
  Request request;
  request.deadline_ms = 1;
  stowage::Run run(request, nullptr);
  run.clock.heed_deadline(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(run.clock.step(1000));
  run.clock.heed_deadline(true);
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
}

TEST(RunTest, AnEndlessDeadlineDoesNotOverflow) {
  Request request;
  request.deadline_ms = ~std::uint64_t{0};
  stowage::Run run(request, nullptr);
  EXPECT_FALSE(run.clock.step(1000));
}

TEST(RunTest, OnceAPlanIsReadyACancelledRunIsMoot) {
  Control control;
  stowage::Run run(Request{}, &control);
  EXPECT_FALSE(run.clock.cancelled());
  control.cancelled = true;
  EXPECT_TRUE(run.clock.cancelled());
  run.clock.look();
  EXPECT_FALSE(run.checkpoints.is_moot()) << "there is no plan";
  run.checkpoints.plan_is_ready();
  EXPECT_TRUE(run.checkpoints.is_moot());
  Request request;
  request.work_limit = 1;
  stowage::Run limited(request, nullptr);
  limited.checkpoints.plan_is_ready();
  limited.clock.step(1);
  EXPECT_FALSE(limited.checkpoints.is_moot()) << "whoever set a limit gets what was reached";
}

TEST(RunTest, SearchesAreReadAtRest) {
  stowage::Run run(Request{}, nullptr);
  run.checkpoints.rest();
  int calls = 0;
  run.checkpoints.at_rest([&] { ++calls; });
  run.clock.step(3);
  run.checkpoints.rest();
  run.clock.step(2);
  run.checkpoints.rest();
  EXPECT_EQ(calls, 2);
  run.clock.step(0);
  run.checkpoints.rest();
  EXPECT_EQ(calls, 2) << "a run with this work as limit would have ended before";
  run.clock.step(1);
  run.checkpoints.at_rest({});
  run.checkpoints.rest();
  EXPECT_EQ(calls, 2);
}

TEST(RunTest, TheControlFollowsTheRun) {
  Control control;
  stowage::Run run(Request{}, &control);
  run.progress.enter(Phase::kPlan, 500);
  EXPECT_EQ(control.phase, static_cast<std::uint32_t>(Phase::kPlan));
  EXPECT_EQ(control.total, 500);
  run.progress.done(17);
  EXPECT_EQ(control.done, 17);
  run.progress.best(42);
  EXPECT_EQ(control.best, 42);
  run.clock.step(300);
  EXPECT_EQ(control.work, 300);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  run.progress.enter(Phase::kBound);
  EXPECT_EQ(control.done, 0);
  EXPECT_EQ(control.total, 0);
  EXPECT_GE(control.nanoseconds[static_cast<std::size_t>(Phase::kPlan)], 2'000'000);
}

}  // namespace
}  // namespace stowage
