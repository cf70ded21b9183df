#include "core/affinity/pair_filter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

InstanceBuilder without_limits(std::uint32_t apps) {
  InstanceBuilder builder({"cpu"});
  for (std::uint32_t app = 0; app < apps; ++app) builder.add_app("app-" + std::to_string(app), 1, {1});
  builder.add_class({10});
  return builder;
}

/// Some apps of an instance, in arbitrary order.
struct Members {
  Members(const Instance& instance, std::vector<AppId> ids) : apps(std::move(ids)), member(instance.apps(), kNone) {
    for (std::uint32_t m = 0; m < apps.size(); ++m) member[apps[m]] = m;
  }
  bool learn(const Instance& instance, PairFilter& filter, const Request& request = {}) const {
    WorkClock clock(request, nullptr);
    return filter.learn(instance.limit_rows(), apps, member, clock);
  }
  std::vector<AppId> apps;
  std::vector<std::uint32_t> member;
};

TEST(PairFilterTest, SaysWhatTheLimitsSay) {
  InstanceBuilder builder = without_limits(5);
  builder.limit(1, 2, 0);
  builder.limit(2, 3, 4);
  builder.limit(3, 3, 1);
  const Instance instance = builder.must_build();
  const Members members(instance, {3, 2, 1, 4});
  PairFilter filter;
  ASSERT_TRUE(members.learn(instance, filter));
  EXPECT_TRUE(filter.known());
  const auto between = [&](AppId a, AppId b) {
    EXPECT_EQ(filter.of(members.member[a], members.member[b]), filter.of(members.member[b], members.member[a]));
    return filter.of(members.member[a], members.member[b]);
  };
  EXPECT_EQ(between(1, 2), Compatibility::kNever);
  EXPECT_EQ(between(2, 3), Compatibility::kLimited);
  EXPECT_EQ(between(1, 3), Compatibility::kFree);
  EXPECT_EQ(between(3, 3), Compatibility::kFree) << "what an app imposes on itself is left out";
  EXPECT_EQ(between(1, 4), Compatibility::kFree);
}

// Bloom filter: 0 means certainly no limit, 1 means perhaps.
TEST(PairFilterTest, NoLimitIsMissed) {
  constexpr std::uint32_t kApps = 3000;
  test::Random random(1);
  InstanceBuilder builder = without_limits(kApps);
  std::vector<std::vector<std::uint8_t>> limited(kApps, std::vector<std::uint8_t>(kApps, 0));
  for (int k = 0; k < 20000; ++k) {
    const auto a = static_cast<AppId>(random.between(0, kApps - 1));
    const auto b = static_cast<AppId>(random.between(0, kApps - 1));
    if (a == b || limited[a][b] != 0) continue;
    limited[a][b] = limited[b][a] = 1;
    builder.limit(a, b, static_cast<std::uint32_t>(random.between(0, 2)));
  }
  const Instance instance = builder.must_build();
  std::vector<AppId> all(kApps);
  std::iota(all.begin(), all.end(), 0);
  PairFilter filter;
  ASSERT_TRUE(Members(instance, all).learn(instance, filter));
  std::uint64_t wrong = 0;
  std::uint64_t without = 0;
  for (AppId a = 0; a < kApps; ++a) {
    for (AppId b = 0; b < kApps; ++b) {
      ASSERT_EQ(filter.of(a, b) != Compatibility::kFree, limited[a][b] != 0) << a << " " << b;
      if (limited[a][b] != 0) {
        ASSERT_EQ(filter.may_limit(a, b), 1u) << a << " " << b;
      } else {
        ++without;
        wrong += filter.may_limit(a, b);
      }
    }
  }
  EXPECT_LT(wrong * 20, without) << "of pairs without a limit, with a dozen limits per app";
}

// Members come in the order of nodes, and apps that limit each other have neighbouring ids. Neither may make the filter err
// often.
TEST(PairFilterTest, MembersInARowAreToldApart) {
  constexpr std::uint32_t kApps = 4096;
  for (const std::uint32_t apart : {1U, 16U, 64U}) {
    InstanceBuilder builder = without_limits(kApps);
    for (std::uint32_t k = 1; k < 60; ++k) builder.limit(0, k * apart, 0);
    const Instance instance = builder.must_build();
    std::vector<AppId> all(kApps);
    std::iota(all.begin(), all.end(), 0);
    PairFilter filter;
    ASSERT_TRUE(Members(instance, all).learn(instance, filter));
    std::uint64_t may_limit = 0;
    for (AppId other = 1; other < kApps; ++other) may_limit += filter.may_limit(0, other);
    EXPECT_LT(may_limit, kApps / 40) << "limits of apps that are " << apart << " apart";
  }
}

TEST(PairFilterTest, WithTooManyMembersOnlyTheBloomFilterIsKept) {
  constexpr std::uint32_t kApps = 17000;
  InstanceBuilder builder = without_limits(kApps);
  builder.limit(1, kApps - 1, 0);
  const Instance instance = builder.must_build();
  std::vector<AppId> all(kApps);
  std::iota(all.begin(), all.end(), 0);
  PairFilter filter;
  ASSERT_TRUE(Members(instance, all).learn(instance, filter));
  EXPECT_FALSE(filter.known());
  EXPECT_EQ(filter.of(1, kApps - 1), Compatibility::kLimited);
  EXPECT_EQ(filter.of(1, 2), Compatibility::kLimited);
  EXPECT_EQ(filter.may_limit(1, kApps - 1), 1u);
  EXPECT_EQ(filter.may_limit(1, 2), 0u);
}

TEST(PairFilterTest, EndsWithTheRun) {
  InstanceBuilder builder = without_limits(200);
  for (AppId app = 1; app < 200; ++app) builder.limit(0, app, 1);
  const Instance instance = builder.must_build();
  std::vector<AppId> all(200);
  std::iota(all.begin(), all.end(), 0);
  Request request;
  request.work_limit = 1;
  PairFilter filter;
  EXPECT_FALSE(Members(instance, all).learn(instance, filter, request));
}

}  // namespace
}  // namespace stowage
