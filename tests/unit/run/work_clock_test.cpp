#include "core/run/work_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace stowage {
namespace {

TEST(WorkClockTest, WithoutLimitsItGoesOn) {
  WorkClock clock(Request{}, nullptr);
  for (int k = 0; k < 10'000; ++k) ASSERT_FALSE(clock.step(1));
  EXPECT_EQ(clock.work(), 10'000);
  EXPECT_EQ(clock.stop(), Stop::kNo);
}

TEST(WorkClockTest, TheWorkLimitEndsAtTheFirstStepThatReachesIt) {
  Request request;
  request.work_limit = 1000;
  WorkClock clock(request, nullptr);
  EXPECT_FALSE(clock.step(999));
  EXPECT_TRUE(clock.step(1));
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  EXPECT_EQ(clock.work(), 1000);
  EXPECT_TRUE(clock.step(1)) << "an ended run stays ended";

  WorkClock coarse(request, nullptr);
  EXPECT_TRUE(coarse.step(5000));
  EXPECT_EQ(coarse.work(), 5000) << "work is counted whole steps at a time";
}

TEST(WorkClockTest, ARunThatEndsWithWhatItBeganWithStatesOne) {
  WorkClock clock(Request{}, nullptr);
  EXPECT_FALSE(clock.step(10));
  clock.drop_since(4);
  EXPECT_EQ(clock.work(), 4);
  clock.drop_since(0);
  EXPECT_EQ(clock.work(), 1) << "a work limit of 0 is none";
}

TEST(WorkClockTest, APartEndsWithoutTheRun) {
  Request request;
  request.work_limit = 100;
  WorkClock clock(request, nullptr);
  EXPECT_FALSE(clock.step(10));
  clock.begin_part(20);
  EXPECT_FALSE(clock.step(19));
  EXPECT_TRUE(clock.step(1));
  EXPECT_EQ(clock.stop(), Stop::kPart);
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kNo);
  EXPECT_EQ(clock.work(), 30u);
  // A part of any length ends with the run, and the run stays ended.
  clock.begin_part(~std::uint64_t{0});
  EXPECT_EQ(clock.work_left(), 70u);
  EXPECT_TRUE(clock.step(70));
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
}

TEST(WorkClockTest, APartWithinAPartEndsWithItAtTheLatest) {
  WorkClock clock(Request{}, nullptr);
  clock.begin_part(20);
  clock.begin_part(5);
  EXPECT_TRUE(clock.step(5));
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kNo);
  clock.begin_part(50);
  EXPECT_TRUE(clock.step(15));
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kPart) << "the part around it is over, too";
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kNo);
  EXPECT_FALSE(clock.step(100));
}

TEST(WorkClockTest, ACancelGoesBeforeTheEndOfAPart) {
  Control control;
  WorkClock clock(Request{}, &control);
  clock.begin_part(5);
  control.cancelled = true;
  EXPECT_TRUE(clock.step(1000));
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

// step() looks at the flag every 256 units.
TEST(WorkClockTest, CancelIsSeenAfterBoundedWork) {
  Control control;
  WorkClock clock(Request{}, &control);
  EXPECT_FALSE(clock.step(1));
  control.cancelled = true;
  int steps = 1;
  while (!clock.step(1)) ASSERT_LE(++steps, 256);
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

TEST(WorkClockTest, ACancelBeforeTheStartEndsAtTheFirstStep) {
  Control control;
  control.cancelled = true;
  WorkClock clock(Request{}, &control);
  EXPECT_TRUE(clock.step(1));
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

TEST(WorkClockTest, CancelledGoesBeforeDeadline) {
  Request request;
  request.work_limit = 1;
  request.deadline_ms = 1;
  Control control;
  control.cancelled = true;
  WorkClock clock(request, &control);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(clock.step(1));
  EXPECT_EQ(clock.stop(), Stop::kCancelled) << "all three reasons at once";

  // A cancel also counts if it comes after the work limit was reached.
  Control later;
  WorkClock limited(request, &later);
  EXPECT_TRUE(limited.step(1));
  EXPECT_EQ(limited.stop(), Stop::kDeadline);
  later.cancelled = true;
  EXPECT_TRUE(limited.step(1000));
  EXPECT_EQ(limited.stop(), Stop::kCancelled);
}

TEST(WorkClockTest, TheDeadlineEndsTheRun) {
  Request request;
  request.deadline_ms = 20;
  WorkClock clock(request, nullptr);
  const auto start = std::chrono::steady_clock::now();
  while (!clock.step(1)) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(19));
}

TEST(WorkClockTest, PatienceEndsARunThatHasAPlanAndFindsNothingBetter) {
  Request request;
  request.patience_ms = 20;
  WorkClock clock(request, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(clock.step(1000)) << "there is no plan yet";
  clock.improved();
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  clock.begin_part(WorkClock::kEndless);
  clock.improved();
  const auto last = std::chrono::steady_clock::now();
  while (!clock.step(1)) {
    ASSERT_LT(std::chrono::steady_clock::now() - last, std::chrono::seconds(10));
  }
  EXPECT_EQ(clock.stop(), Stop::kPatience);
  EXPECT_GE(std::chrono::steady_clock::now() - last, std::chrono::milliseconds(19)) << "it began anew";
  clock.end_part();
  EXPECT_EQ(clock.stop(), Stop::kPatience) << "the run has ended, not a part of it";
}

TEST(WorkClockTest, WithoutPatienceNothingEndsARunThatFindsNothing) {
  WorkClock clock(Request{}, nullptr);
  clock.improved();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(clock.step(1000));
}

TEST(WorkClockTest, TheDeadlineWaitsUntilItIsHeeded) {
  Request request;
  request.deadline_ms = 1;
  WorkClock clock(request, nullptr);
  clock.heed_deadline(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(clock.step(1000));
  clock.heed_deadline(true);
  // A run that ended between two steps could not be repeated by its work.
  EXPECT_EQ(clock.stop(), Stop::kNo);
  EXPECT_TRUE(clock.step(1));
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  EXPECT_EQ(clock.work(), 1001u);
}

TEST(WorkClockTest, NothingIsCountedAfterTheEnd) {
  Request request;
  request.work_limit = 100;
  WorkClock clock(request, nullptr);
  EXPECT_TRUE(clock.step(101));
  EXPECT_TRUE(clock.step(50));
  EXPECT_EQ(clock.work(), 101u);
}

// A run that is cancelled, or whose deadline is over, before its first step ends with that step: a work limit of 0 is none, and
// could not repeat it.
// A run with this work as its limit does what came before a look, but not what was cut short.
TEST(WorkClockTest, AfterALookOneStepCountsAndAfterACutNone) {
  Request request;
  request.deadline_ms = 1;
  for (const bool is_cut : {false, true}) {
    WorkClock clock(request, nullptr);
    clock.heed_deadline(false);
    EXPECT_FALSE(clock.step(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    clock.heed_deadline(true);
    is_cut ? clock.cut() : clock.look();
    EXPECT_EQ(clock.stop(), Stop::kDeadline);
    EXPECT_TRUE(clock.step(7));
    EXPECT_TRUE(clock.step(7));
    EXPECT_EQ(clock.work(), is_cut ? 10u : 17u);
  }
}

TEST(WorkClockTest, ARunThatEndsBeforeItsFirstUnitCountsOneStep) {
  Control control;
  control.cancelled = true;
  Request late;
  late.deadline_ms = 1;
  for (const bool cancelled : {true, false}) {
    WorkClock clock(cancelled ? Request{} : late, cancelled ? &control : nullptr);
    if (!cancelled) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    clock.look();
    clock.heed_deadline(true);
    EXPECT_EQ(clock.stop(), Stop::kNo);
    EXPECT_TRUE(clock.step(7));
    EXPECT_EQ(clock.stop(), cancelled ? Stop::kCancelled : Stop::kDeadline);
    EXPECT_TRUE(clock.step(7));
    EXPECT_EQ(clock.work(), 7u);
    // A step that counts nothing ends nothing.
    WorkClock later(cancelled ? Request{} : late, cancelled ? &control : nullptr);
    if (!cancelled) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_FALSE(later.step(0));
    std::uint64_t steps = 1;
    while (!later.step(1)) ASSERT_LE(++steps, 256u);
    EXPECT_EQ(later.work(), steps);
    Request repeated;
    repeated.work_limit = later.work();
    WorkClock again(repeated, nullptr);
    EXPECT_FALSE(again.step(0));
    for (std::uint64_t k = 1; k < steps; ++k) EXPECT_FALSE(again.step(1));
    EXPECT_TRUE(again.step(1));
  }
}

TEST(WorkClockTest, AWatchedControlCancelsAndIsNotWrittenTo) {
  Control control;
  WorkClock clock(Request{}, WorkClock::Watch{&control});
  EXPECT_FALSE(clock.step(1000));
  EXPECT_EQ(control.work.load(), 0u);
  control.cancelled = true;
  EXPECT_TRUE(clock.step(1000));
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

TEST(WorkClockTest, AnEndlessDeadlineDoesNotOverflow) {
  Request request;
  request.deadline_ms = ~std::uint64_t{0};
  WorkClock clock(request, nullptr);
  EXPECT_FALSE(clock.step(1000));
}

TEST(WorkClockTest, ARunEndsBeforeWhatItsTimeDoesNotAllow) {
  Request request;
  request.deadline_ms = 3'600'000;
  WorkClock clock(request, nullptr);
  EXPECT_TRUE(clock.affords(1e6)) << "a run that has counted nothing cannot end";
  clock.step(1);
  EXPECT_TRUE(clock.affords(60));
  clock.reserve_for_plan(3'500);
  EXPECT_TRUE(clock.affords(60));
  clock.reserve_for_plan(10);
  EXPECT_FALSE(clock.affords(200)) << "the longest time that a plan takes is reserved";
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  EXPECT_FALSE(clock.is_overdue());
  WorkClock endless(Request{}, nullptr);
  EXPECT_TRUE(endless.affords(1e6)) << "without a deadline there is time for everything";
}

TEST(WorkClockTest, TheControlsDeadlineHoldsWhereTheRequestsDoesNot) {
  Control control;
  control.ends_at = std::chrono::nanoseconds(WorkClock::Time::now().time_since_epoch()).count() - 1'000'000'000;
  WorkClock clock(Request{}, &control);
  clock.heed_deadline(false);
  EXPECT_TRUE(clock.step(1));
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
  EXPECT_TRUE(clock.is_overdue());
  EXPECT_TRUE(clock.watch().look());
}

}  // namespace
}  // namespace stowage
