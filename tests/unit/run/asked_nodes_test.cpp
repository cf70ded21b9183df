#include "core/run/asked_nodes.h"

#include <gtest/gtest.h>

#include "core/run/control.h"
#include "core/run/request.h"

namespace stowage {
namespace {

TEST(AskedNodesTest, ManyNodesAreCountedAtOnce) {
  WorkClock clock(Request{}, nullptr);
  AskedNodes asked(clock);
  for (int k = 0; k < 4095; ++k) ASSERT_FALSE(asked.count(1, 16));
  EXPECT_EQ(clock.work(), 0u);
  EXPECT_EQ(asked.left(), 4095u);
  EXPECT_FALSE(asked.count(1, 16));
  EXPECT_EQ(clock.work(), 4096u);
  EXPECT_EQ(asked.left(), 0u);
}

TEST(AskedNodesTest, LongQuestionsAreFollowedByALookAtTheClock) {
  Control control;
  WorkClock clock(Request{}, &control);
  ASSERT_FALSE(clock.step(1));  // the next 255 units do not look
  AskedNodes asked(clock);
  control.cancelled = true;
  EXPECT_FALSE(asked.count(1, 1000));
  EXPECT_TRUE(asked.count(1, 1'000'000));
  EXPECT_EQ(clock.work(), 3u);
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

TEST(LooksBetweenTest, QuestionsThatTakeLongTogetherAreFollowedByALook) {
  Control control;
  WorkClock clock(Request{}, &control);
  ASSERT_FALSE(clock.step(1));
  LooksBetween looks(clock);
  control.cancelled = true;
  looks.count(100'000);
  looks.count(100'000);
  EXPECT_EQ(clock.stop(), Stop::kNo);
  looks.count(100'000);
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
  EXPECT_EQ(clock.work(), 1u);
}

}  // namespace
}  // namespace stowage
