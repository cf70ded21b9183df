#include "core/run/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace stowage {
namespace {

TEST(ProgressTest, TheControlFollowsTheRun) {
  Control control;
  WorkClock clock(Request{}, &control);
  Progress progress(clock, &control);
  progress.enter(Phase::kPlan, 500);
  EXPECT_EQ(control.phase, static_cast<std::uint32_t>(Phase::kPlan));
  EXPECT_EQ(control.total, 500);
  progress.done(17);
  EXPECT_EQ(control.done, 17);
  progress.best(42);
  EXPECT_EQ(control.best, 42);
  clock.step(300);
  EXPECT_EQ(control.work, 300);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  progress.enter(Phase::kBound);
  EXPECT_EQ(control.done, 0);
  EXPECT_EQ(control.total, 0);
  EXPECT_GE(control.nanoseconds[static_cast<std::size_t>(Phase::kPlan)], 2'000'000);
}

}  // namespace
}  // namespace stowage
