#include "core/predict/usage/size.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/numbers/random.h"

namespace stowage {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// One app with one resource, measured every `step` seconds.
UsageHistory one_app(const std::vector<double>& amounts, double step = 60) {
  UsageHistory history;
  history.apps = {"web"};
  history.resources = {"cpu"};
  history.amount = amounts;
  history.app.assign(amounts.size(), 0);
  for (std::size_t k = 0; k < amounts.size(); ++k) history.time.push_back(static_cast<double>(k) * step);
  return history;
}

SizeOptions one_rule(double percentile) {
  SizeOptions options;
  options.rules.resize(1);
  options.rules[0].percentile = percentile;
  return options;
}

ResourceSize size_of(const UsageHistory& history, const SizeOptions& options) {
  const auto sizes = sizes_from_usage(history, options);
  EXPECT_TRUE(sizes.ok()) << (sizes.ok() ? "" : sizes.error().path + ": " + sizes.error().message);
  return sizes.ok() ? sizes.value()[0].resource[0] : ResourceSize();
}

std::vector<double> one_to(std::size_t count) {
  std::vector<double> amounts;
  for (std::size_t k = 1; k <= count; ++k) amounts.push_back(static_cast<double>(k));
  return amounts;
}

TEST(UsageSizeTest, PercentileIsTheLeastUsageThatCoversTheShare) {
  const UsageHistory history = one_app(one_to(10));
  EXPECT_EQ(size_of(history, one_rule(0.5)).size, 5);
  EXPECT_EQ(size_of(history, one_rule(0.51)).size, 6);
  EXPECT_EQ(size_of(history, one_rule(1)).size, 10);
  EXPECT_EQ(size_of(history, one_rule(0.01)).size, 1);
}

TEST(UsageSizeTest, WeightsHalveWithAge) {
  // Ages 2, 1 and 0 half-lives: weights 1/4, 1/2 and 1, of which the newest has 4/7 and the two newest have 6/7.
  const UsageHistory history = one_app({8, 4, 2});
  SizeOptions options = one_rule(4.0 / 7 - 1e-9);
  EXPECT_EQ(size_of(history, options).size, 4);
  options.rules[0].half_life = 60;
  EXPECT_EQ(size_of(history, options).size, 2);
  options.rules[0].percentile = 6.0 / 7 - 1e-9;
  EXPECT_EQ(size_of(history, options).size, 4);
  options.rules[0].percentile = 6.0 / 7 + 1e-9;
  EXPECT_EQ(size_of(history, options).size, 8);
}

TEST(UsageSizeTest, MarginFloorAndCeiling) {
  const UsageHistory history = one_app({2, 2, 2});
  SizeOptions options = one_rule(1);
  options.rules[0].margin = 0.25;
  EXPECT_EQ(size_of(history, options).size, 2.5);
  options.rules[0].floor = 3;
  EXPECT_EQ(size_of(history, options).size, 3);
  options.rules[0].floor = 0;
  options.rules[0].ceiling = 2.25;
  EXPECT_EQ(size_of(history, options).size, 2.25);
}

TEST(UsageSizeTest, SlackAndExceedingAreCountedOverAllSamples) {
  // Size 5: slack .8, .6, .4, .2, 0, and five samples above it.
  const ResourceSize size = size_of(one_app(one_to(10)), one_rule(0.5));
  EXPECT_DOUBLE_EQ(size.fit.slack, 2.0 / 10);
  EXPECT_EQ(size.fit.exceeded, 0.5);
  EXPECT_EQ(size.samples, 10U);
  EXPECT_EQ(size.demand, std::vector<double>{5});
}

TEST(UsageSizeTest, PeaksCountOncePerReplicaAndWindow) {
  UsageHistory history = one_app({1, 9, 2, 3, 4, 5});
  // Two windows of 180 s with the peaks 9 and 5.
  SizeOptions options = one_rule(0.5);
  options.rules[0].window = 180;
  EXPECT_EQ(size_of(history, options).size, 5);
  // Two replicas: the peaks of the first are 2 and 4, of the second 9 and 5.
  history.replica = {0, 1, 0, 1, 0, 1};
  options.rules[0].percentile = 0.25;
  EXPECT_EQ(size_of(history, options).size, 2);
  options.rules[0].percentile = 0.75;
  EXPECT_EQ(size_of(history, options).size, 5);
}

TEST(UsageSizeTest, KilledReplicasRaiseTheSizeUntilTheHalfLifeHasPassed) {
  std::vector<double> amounts(100, 1);
  amounts[50] = 4;
  UsageHistory history = one_app(amounts);
  history.out_of_memory.assign(100, 0);
  history.out_of_memory[50] = 1;
  SizeOptions options = one_rule(0.5);
  EXPECT_EQ(size_of(history, options).size, 1) << "without a bump, kills do not count";
  options.rules[0].bump = 1.5;
  EXPECT_EQ(size_of(history, options).size, 6);
  EXPECT_EQ(sizes_from_usage(history, options).value()[0].killed, 1U);
  options.rules[0].half_life = 49 * 60;
  EXPECT_EQ(size_of(history, options).size, 6);
  options.rules[0].half_life = 48 * 60;
  EXPECT_EQ(size_of(history, options).size, 1);
}

TEST(UsageSizeTest, PeriodsFoldTheCycle) {
  // A cycle of four samples, twice; the second time it is higher by 1.
  const UsageHistory history = one_app({1, 2, 3, 4, 2, 3, 4, 5});
  SizeOptions options = one_rule(1);
  options.periods = 2;
  options.cycle = 240;
  const ResourceSize size = size_of(history, options);
  EXPECT_EQ(size.size, 5);
  EXPECT_EQ(size.demand, (std::vector<double>{3, 5}));
  EXPECT_EQ(size.demand_fit.exceeded, 0);
  EXPECT_LT(size.demand_fit.slack, size.fit.slack);
  // Without a cycle, periods divide the history: its halves.
  options.cycle = 0;
  EXPECT_EQ(size_of(history, options).demand, (std::vector<double>{4, 5}));
}

TEST(UsageSizeTest, TimesBeforeTheOriginFoldAsThoseAfterIt) {
  UsageHistory history = one_app({1, 2, 3, 4});
  SizeOptions options = one_rule(1);
  options.periods = 4;
  options.cycle = 240;
  const std::vector<double> demand = size_of(history, options).demand;
  for (double& time : history.time) time -= 480;
  EXPECT_EQ(size_of(history, options).demand, demand);
}

TEST(UsageSizeTest, PeriodsWithoutSamplesGetTheSize) {
  SizeOptions options = one_rule(1);
  options.periods = 4;
  options.cycle = 480;
  EXPECT_EQ(size_of(one_app({1, 2, 3, 1}), options).demand, (std::vector<double>{2, 3, 3, 3}));
}

TEST(UsageSizeTest, MeanAndVariance) {
  SizeOptions options = one_rule(0.9);
  options.rules[0].uncertain = true;
  ResourceSize size = size_of(one_app({1, 3, 1, 3}), options);
  EXPECT_EQ(size.size, 3);
  EXPECT_EQ(size.demand, std::vector<double>{2});
  EXPECT_EQ(size.variance, 1);
  options.rules[0].margin = 0.5;
  size = size_of(one_app({1, 3, 1, 3}), options);
  EXPECT_EQ(size.demand, std::vector<double>{3});
  EXPECT_EQ(size.variance, 2.25);
  // What periods explain is no variance.
  options.rules[0].margin = 0;
  options.periods = 2;
  options.cycle = 120;
  size = size_of(one_app({1, 3, 1, 3}), options);
  EXPECT_EQ(size.demand, (std::vector<double>{1, 3}));
  EXPECT_EQ(size.variance, 0);
}

TEST(UsageSizeTest, WhatWasNotMeasuredHasNoSize) {
  UsageHistory history = one_app({1, kNotMeasured, 2});
  EXPECT_EQ(size_of(history, one_rule(1)).samples, 2U);
  history.amount.assign(3, kNotMeasured);
  EXPECT_TRUE(std::isnan(size_of(history, one_rule(1)).size));
  EXPECT_TRUE(size_of(history, one_rule(1)).demand.empty());
}

TEST(UsageSizeTest, OrderOfSamplesChangesNothing) {
  Random random(3);
  UsageHistory history = one_app(one_to(50));
  history.replica.assign(50, 0);
  SizeOptions options = one_rule(0.9);
  options.rules[0].half_life = 700;
  options.rules[0].window = 300;
  options.periods = 3;
  options.cycle = 1000;
  const ResourceSize before = size_of(history, options);
  for (std::uint32_t k = 49; k > 0; --k) {
    const std::uint32_t other = random.below(k + 1);
    std::swap(history.amount[k], history.amount[other]);
    std::swap(history.time[k], history.time[other]);
  }
  const ResourceSize after = size_of(history, options);
  EXPECT_EQ(after.size, before.size);
  EXPECT_EQ(after.demand, before.demand);
}

TEST(UsageSizeTest, RefusesWhatIsNoHistory) {
  const auto path_of = [](const auto& spoil) {
    UsageHistory history = one_app({1, 2, 3});
    history.replica = {0, 0, 0};
    SizeOptions options = one_rule(0.9);
    spoil(history, options);
    const auto sizes = sizes_from_usage(history, options);
    return sizes ? std::string("accepted") : sizes.error().path;
  };
  using History = UsageHistory;
  using Options = SizeOptions;
  EXPECT_EQ(path_of([](History&, Options&) {}), "accepted");
  EXPECT_EQ(path_of([](History& h, Options&) { h.amount[1] = -1; }), "amount[1]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.amount[1] = INFINITY; }), "amount[1]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.amount.pop_back(); }), "amount");
  EXPECT_EQ(path_of([](History& h, Options&) { h.time[2] = NAN; }), "time[2]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.time[2] = 1e13; }), "time[2]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.time[2] = h.time[0]; }), "time[2]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.app[0] = 1; }), "app[0]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.replica.pop_back(); }), "replica");
  EXPECT_EQ(path_of([](History& h, Options&) { h.out_of_memory = {0, 2, 0}; }), "out_of_memory[1]");
  EXPECT_EQ(path_of([](History& h, Options&) { h.apps = {"web", "web"}; }), "apps[1]");
  EXPECT_EQ(path_of([](History& h, Options&) { h = History(); }), "resources");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules.clear(); }), "rules");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].percentile = 0; }), "rules[0].percentile");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].percentile = NAN; }), "rules[0].percentile");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].half_life = -1; }), "rules[0].half_life");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].window = 0.5; }), "rules[0].window");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].margin = -0.1; }), "rules[0].margin");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].bump = 0.9; }), "rules[0].bump");
  EXPECT_EQ(path_of([](History&, Options& o) { o.rules[0].floor = NAN; }), "rules[0].floor");
  EXPECT_EQ(path_of([](History&, Options& o) {
              o.rules[0].floor = 2;
              o.rules[0].ceiling = 1;
            }),
            "rules[0].ceiling");
  EXPECT_EQ(path_of([](History&, Options& o) { o.periods = 0; }), "periods");
  EXPECT_EQ(path_of([](History& h, Options& o) {
              o.periods = kMostUsagePeriods;
              for (int k = 0; k < 5000; ++k) h.apps.push_back(std::to_string(k));
            }),
            "periods");
  EXPECT_EQ(path_of([](History&, Options& o) { o.cycle = 0.5; }), "cycle");
}

}  // namespace
}  // namespace stowage
