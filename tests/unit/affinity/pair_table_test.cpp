#include "core/affinity/pair_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

Instance random_graph(std::uint32_t apps, double density, std::uint64_t seed) {
  test::Random random(seed);
  InstanceBuilder builder;
  for (std::uint32_t i = 0; i < apps; ++i) builder.add_app("app-" + std::to_string(i), 3, {1});
  for (AppId i = 0; i < apps; ++i) {
    for (AppId j = 0; j < apps; ++j) {
      if (i != j && random.chance(density)) builder.limit(i, j, random.below(3));
    }
  }
  builder.add_class({1000});
  return builder.must_build();
}

TEST(PairTableTest, SaysWhatTheLimitsSay) {
  for (const std::uint32_t apps : {96u, 100u, 129u}) {
    const Instance instance = random_graph(apps, 0.6, apps);
    const LimitRows& rows = instance.limit_rows();
    PairTable pairs;
    WorkClock clock(Request(), nullptr);
    pairs.learn(rows, clock);
    ASSERT_TRUE(pairs.known());
    for (AppId a = 0; a < apps; ++a) {
      for (AppId b = 0; b < apps; ++b) {
        const std::uint32_t codes = rows.find(a, b);
        const bool never = codes != 0 && (rows.imposes(codes) == 0 || rows.obeys(codes) == 0);
        const Compatibility expected = codes == 0 ? Compatibility::kFree
                                       : never    ? Compatibility::kNever
                                                  : Compatibility::kLimited;
        ASSERT_EQ(pairs.of(a, b), expected) << a << " and " << b;
      }
    }
  }
}

TEST(PairTableTest, WhatANodeExcludes) {
  constexpr std::uint32_t kApps = 150;
  const Instance instance = random_graph(kApps, 0.4, 3);
  PairTable pairs;
  WorkClock clock(Request(), nullptr);
  pairs.learn(instance.limit_rows(), clock);
  ASSERT_TRUE(pairs.known());
  test::Random random(1);
  PairTable::Set set;
  std::vector<AppId> listed;
  for (int round = 0; round < 100; ++round) {
    std::vector<Tenant> tenants;
    for (std::uint32_t k = 1 + random.below(6); k > 0; --k) tenants.push_back({random.below(kApps), 1 + random.below(2)});
    // None of them leaves, or one does.
    const std::uint32_t k = random.below(static_cast<std::uint32_t>(tenants.size()) + 1);
    const AppId leaving = k < tenants.size() ? tenants[k].app : kNone;
    pairs.around(tenants, leaving, set);
    std::vector<AppId> others;
    for (AppId app = 0; app < kApps; ++app) {
      const bool excluded = std::any_of(tenants.begin(), tenants.end(), [&](const Tenant& tenant) {
        const bool gone = tenant.app == leaving && tenant.replicas == 1;
        return !gone && pairs.of(app, tenant.app) == Compatibility::kNever;
      });
      ASSERT_EQ(PairTable::excludes(set, app), excluded && !set.empty());
      if (!excluded) others.push_back(app);
    }
    if (pairs.list_not_excluded(set, 10'000, listed)) {
      ASSERT_EQ(listed, others);
    } else {
      ASSERT_TRUE(set.empty());
    }
    ASSERT_FALSE(pairs.list_not_excluded(set, 0, listed) && !others.empty()) << "more than are wanted";
  }
}

// The clock counts what is read, and a run that ends meanwhile learns nothing.
TEST(PairTableTest, ARunMayEndWhileItLearns) {
  const Instance instance = random_graph(150, 0.6, 4);
  Request request;
  request.work_limit = 100;
  WorkClock clock(request, nullptr);
  PairTable pairs;
  pairs.learn(instance.limit_rows(), clock);
  EXPECT_FALSE(pairs.known());
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
}

TEST(PairTableTest, KnowsNothingWhereRowsAreShort) {
  const Instance instance = random_graph(100, 0.05, 1);
  PairTable pairs;
  WorkClock clock(Request(), nullptr);
  pairs.learn(instance.limit_rows(), clock);
  EXPECT_FALSE(pairs.known());
  EXPECT_EQ(pairs.of(0, 1), Compatibility::kLimited);
  PairTable::Set set;
  std::vector<AppId> listed;
  const std::vector<Tenant> tenants = {{3, 1}, {4, 2}};
  pairs.around(tenants, kNone, set);
  EXPECT_FALSE(PairTable::excludes(set, 0));
  EXPECT_FALSE(pairs.list_not_excluded(set, 1000, listed));
}

}  // namespace
}  // namespace stowage
