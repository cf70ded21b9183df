// Runs with several seeds: the choice of the best, independence from the number of threads, and failures.

#include "core/run/portfolio.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

TEST(SideBySide, EveryIndexOnceWhateverTheThreads) {
  for (const std::uint32_t threads : {0u, 1u, 2u, 7u, 50u}) {
    std::vector<std::atomic<int>> calls(20);
    side_by_side(20, threads, [&](std::uint32_t k) { ++calls[k]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1) << threads;
  }
}

TEST(SideBySide, WhatIsThrownComesOutWhenAllHaveEnded) {
  for (const std::uint32_t threads : {1u, 3u}) {
    std::atomic<int> running = 0;
    std::atomic<int> begun = 0;
    const auto work = [&](std::uint32_t k) {
      ++running;
      ++begun;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --running;
      if (k == 1) throw std::runtime_error("one");
    };
    EXPECT_THROW(side_by_side(1000, threads, work), std::runtime_error);
    EXPECT_EQ(running, 0);
    EXPECT_LT(begun, 1000) << "no further one begins";
  }
}

// Two resources, so that the bound is not trivial, and limits. Some instances are solved to the bound, others are not.
Instance instance_of(std::uint32_t seed, std::uint32_t apps) {
  test::Random random(seed);
  InstanceBuilder builder({"cpu", "memory"});
  for (std::uint32_t k = 0; k < apps; ++k) {
    builder.add_app("a" + std::to_string(k), random.between(1, 6), {1.0 * random.between(5, 50), 1.0 * random.between(5, 50)});
  }
  for (std::uint32_t k = 0; k < apps; ++k) builder.limit(k, (k + 1 + random.below(apps - 1)) % apps, random.between(0, 1));
  builder.add_class({100, 100});
  return builder.must_build();
}

Request portfolio_of(std::uint32_t runs, std::uint32_t threads, std::uint64_t work) {
  Request request = test::request_for("auto");
  request.options = {{"portfolio", static_cast<double>(runs), ""}};
  request.threads = threads;
  request.work_limit = work;
  request.seed = 5;
  return request;
}

void expect_same_run(const Instance& instance, const Plan& a, const Plan& b) {
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.work, b.work);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(test::who_sits_where(instance, a), test::who_sits_where(instance, b));
}

TEST(Portfolio, IsTheBestOfItsRunsWhateverTheThreads) {
  int optimal = 0;
  std::set<std::uint64_t> winners;
  for (std::uint32_t seed = 0; seed < test::cases(24); ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = instance_of(seed, 20 + 4 * seed);
    constexpr std::uint32_t kRuns = 4;
    std::vector<Plan> alone;
    for (std::uint32_t k = 0; k < kRuns; ++k) {
      Request request = portfolio_of(1, 1, 100'000);
      request.seed += k;
      alone.push_back(test::plan_by(instance, request));
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < kRuns; ++k) {
      const bool proven = alone[best].status == PlanStatus::kOptimal;
      const bool wins = proven ? alone[k].status == PlanStatus::kOptimal && alone[k].work < alone[best].work
                               : better(instance, {}, alone[k], alone[best]);
      if (wins) best = k;
    }
    for (const std::uint32_t threads : {1u, 2u, 4u}) {
      expect_same_run(instance, test::plan_by(instance, portfolio_of(kRuns, threads, 100'000)), alone[best]);
    }
    optimal += alone[best].status == PlanStatus::kOptimal ? 1 : 0;
    winners.insert(alone[best].seed);
  }
  EXPECT_GT(optimal, 0);
  EXPECT_LT(optimal, 24);
  EXPECT_GT(winners.size(), 1u);
}

TEST(Portfolio, ADeadlinesPlanIsRepeatedByItsSeedAndItsWork) {
  const Instance instance = instance_of(3, 300);
  Request request = portfolio_of(3, 3, 0);
  request.deadline_ms = 60 * test::kShare;
  const Plan plan = test::plan_by(instance, request);
  Request again = portfolio_of(1, 1, plan.work);
  again.seed = plan.seed;
  expect_same_run(instance, test::plan_by(instance, again), plan);
}

TEST(Portfolio, IsCancelledAsAWhole) {
  const Instance instance = instance_of(7, 2000);
  Request request = portfolio_of(8, 2, 0);
  request.deadline_ms = 600'000;
  Control control;
  control.best = 1;  // of an earlier run
  Plan plan;
  std::thread runner([&] { plan = test::plan_by(instance, request, &control); });
  while (control.phase < static_cast<std::uint32_t>(Phase::kImprove)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GT(control.best, 1u);
  control.cancelled = true;
  runner.join();
  EXPECT_TRUE(plan.status == PlanStatus::kCancelled || plan.status == PlanStatus::kOptimal);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(control.phase, static_cast<std::uint32_t>(Phase::kDone));
}

TEST(Portfolio, BeginsNothingAfterItsEnd) {
  const Instance instance = instance_of(1, 10);
  const Request request = portfolio_of(8, 1, 1000);
  Race race(nullptr);
  int runs = 0;
  const auto run_one = [&](std::uint64_t, std::uint32_t) {
    ++runs;
    return Result<Plan>(Plan{});
  };
  const auto result = run_portfolio(instance, request, 8, race, run_one, [&] { return runs >= 2; });
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(runs, 2);
  run_portfolio(instance, request, 8, race, run_one, [] { return true; });
  EXPECT_EQ(runs, 3) << "the first one is always made";
}

TEST(Portfolio, RefusesWhatOneRunRefuses) {
  Request request = portfolio_of(3, 2, 1000);
  request.options.push_back({"alpha", 1, ""});
  const auto result = run_planner(instance_of(1, 10), request, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().path, "options[1].name");
  request = portfolio_of(257, 2, 1000);
  EXPECT_EQ(run_planner(instance_of(1, 10), request, nullptr).error().path, "options[0].number");
}

}  // namespace
}  // namespace stowage
