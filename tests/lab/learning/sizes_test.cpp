#include <algorithm>

#include "capi/lab/learning/learning.h"
#include "capi/lab/learning/simulator.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

TEST(Profiles, PerformanceGrowsWithCoresAndMemory) {
  for (std::uint32_t index = 0; index < 50; ++index) {
    const std::vector<profiles::Measurement> all = profiles::measure(profiles::draw_app(3, index), {}, index);
    ASSERT_EQ(all.size(), 30U);
    for (const profiles::Measurement& a : all)
      for (const profiles::Measurement& b : all)
        if (a.cores <= b.cores && a.memory <= b.memory) {
          EXPECT_LE(a.exact, b.exact * 1.02) << index;
        }
    const auto best = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.exact < b.exact; });
    EXPECT_EQ(best->exact, 1);
  }
}

TEST(Profiles, TheSameSeedGivesTheSameTable) {
  profiles::Options options;
  options.apps = 5;
  options.samples = 3;
  const std::string text = profiles::csv(options);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 5 * 3);
  EXPECT_EQ(text, profiles::csv(options));
  EXPECT_EQ(text.substr(0, text.find('\n')), "app,x_family,x_load,x_data,cpu,memory,collocation,performance");
  options.seed = 1;
  EXPECT_NE(text, profiles::csv(options));
}

TEST(Sizes, TwoChosenSamplesMeetTheGoalAtLittleExtraCost) {
  sizes::Method method;
  const sizes::Score score = sizes::run_method(method, 12, 150);
  EXPECT_LE(score.rmse, 0.11);
  EXPECT_GE(score.met, 0.93);
  EXPECT_GE(score.honest, 0.8);
  EXPECT_GE(score.near, 0.93);
  EXPECT_LE(score.extra, 0.1);
}

TEST(Sizes, LatencyNeedsNoNormalizer) {
  sizes::Method method;
  method.latency = true;
  const sizes::Score score = sizes::run_method(method, 12, 150);
  EXPECT_GE(score.met, 0.93);
  EXPECT_LE(score.extra, 0.25);
}

TEST(Sizes, WhoKnowsTheSimulatorIsHonestAndChoosesBetterWithMoreSamples) {
  const auto scores = sizes::choose_knowing(301, 100, 0.8);
  for (const sizes::Score& score : scores) {
    EXPECT_GE(score.honest, 0.9);
    EXPECT_GE(score.met, 0.9);
    EXPECT_GE(score.near, 0.65);
  }
  const auto& [two, all] = scores;
  EXPECT_GT(all.near, two.near);
  // It is no worse than the library, which does not know it.
  sizes::Method method;
  method.degrees = true;
  EXPECT_GE(two.near, sizes::run_method(method, 301, 100).near);
}

TEST(Sizes, TheMachinesErrorFallsOverTime) {
  const sizes::BaselineScore score = sizes::run_baselines(12, 150);
  ASSERT_EQ(score.over_time.size(), 5U);
  EXPECT_EQ(score.over_time.begin()->first, "all");
  for (const auto& [family, by_tenth] : score.over_time) EXPECT_LT(by_tenth.back(), 0.85 * by_tenth.front()) << family;
  EXPECT_LT(score.held_out.machine, 0.5 * score.held_out.mean);
  // With two samples of a new app it is hardly better than the mean.
  EXPECT_NEAR(score.fresh.machine, score.fresh.mean, 0.03);
}

}  // namespace
}  // namespace stowage::cli::testing
