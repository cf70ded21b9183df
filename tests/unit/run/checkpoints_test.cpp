#include "core/run/checkpoints.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/run/run.h"

namespace stowage {
namespace {

TEST(CheckpointsTest, OnceAPlanIsReadyACancelledRunIsMoot) {
  Control control;
  WorkClock clock(Request{}, &control);
  Checkpoints checkpoints(clock);
  EXPECT_FALSE(clock.cancelled());
  control.cancelled = true;
  EXPECT_TRUE(clock.cancelled());
  clock.look();
  EXPECT_FALSE(checkpoints.is_moot()) << "there is no plan";
  checkpoints.plan_is_ready();
  EXPECT_TRUE(checkpoints.is_moot());
  Request request;
  request.work_limit = 1;
  WorkClock limited(request, nullptr);
  Checkpoints limited_checkpoints(limited);
  limited_checkpoints.plan_is_ready();
  limited.step(1);
  EXPECT_FALSE(limited_checkpoints.is_moot()) << "a run with a limit returns what it reached";
}

TEST(CheckpointsTest, SearchesAreReadAtRest) {
  WorkClock clock(Request{}, nullptr);
  Checkpoints checkpoints(clock);
  checkpoints.rest();
  int calls = 0;
  checkpoints.at_rest([&] { ++calls; });
  clock.step(3);
  checkpoints.rest();
  clock.step(2);
  checkpoints.rest();
  EXPECT_EQ(calls, 2);
  clock.step(0);
  checkpoints.rest();
  EXPECT_EQ(calls, 2) << "a run with this work as its limit would have ended before";
  clock.step(1);
  checkpoints.at_rest({});
  checkpoints.rest();
  EXPECT_EQ(calls, 2);
}

TEST(CheckpointsTest, ARunIsMootOnceItsDeadlineIsOverAndAPlanIsReady) {
  Control control;
  control.ends_at = std::chrono::nanoseconds(WorkClock::Time::now().time_since_epoch()).count() - 1'000'000'000;
  stowage::Run run(Request{}, &control);
  EXPECT_TRUE(run.clock.step(1));
  EXPECT_FALSE(run.checkpoints.is_moot()) << "there is nothing to end with";
  run.checkpoints.plan_is_ready();
  EXPECT_TRUE(run.checkpoints.is_moot());
}

}  // namespace
}  // namespace stowage
