#include "core/affinity/affinity_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

class AffinityProbeTest : public ::testing::Test {
 protected:
  AffinityProbeTest() {
    web_ = builder_.add_app("web", 100, {1});
    cache_ = builder_.add_app("cache", 100, {1});
    batch_ = builder_.add_app("batch", 100, {1});
    builder_.add_class({1000});
  }
  std::uint32_t headroom(AppId app, const std::vector<Tenant>& tenants) {
    const Instance instance = builder_.must_build();
    AffinityProbe probe(instance);
    probe.start(app);
    return probe.headroom(tenants);
  }

  InstanceBuilder builder_;
  AppId web_;
  AppId cache_;
  AppId batch_;
};

TEST_F(AffinityProbeTest, WithoutLimitsThereIsNone) {
  EXPECT_EQ(headroom(web_, {}), kNone);
  EXPECT_EQ(headroom(web_, {{web_, 50}, {cache_, 3}}), kNone);
}

TEST_F(AffinityProbeTest, TheNeighbourLimitsTheNewcomer) {
  builder_.limit(cache_, web_, 3);  // beside a cache at most 3 web
  EXPECT_EQ(headroom(web_, {{batch_, 1}}), kNone);
  EXPECT_EQ(headroom(web_, {{cache_, 1}}), 3);
  EXPECT_EQ(headroom(web_, {{cache_, 9}, {web_, 2}}), 1);
  EXPECT_EQ(headroom(web_, {{web_, 3}, {cache_, 1}}), 0);
  EXPECT_EQ(headroom(web_, {{web_, 5}, {cache_, 1}}), 0) << "broken already: no worse";
}

TEST_F(AffinityProbeTest, TheNewcomerLimitsItsNeighbour) {
  builder_.limit(cache_, web_, 3);
  EXPECT_EQ(headroom(cache_, {{web_, 3}}), kNone) << "any number of caches may join 3 web";
  EXPECT_EQ(headroom(cache_, {{web_, 4}}), 0) << "4 web are more than a cache bears";
  EXPECT_EQ(headroom(cache_, {{web_, 4}, {cache_, 1}}), 0) << "broken already: no worse";
}

TEST_F(AffinityProbeTest, BothDirectionsAtOnce) {
  builder_.limit(cache_, web_, 3).limit(web_, cache_, 2);
  EXPECT_EQ(headroom(web_, {{cache_, 2}}), 3);
  EXPECT_EQ(headroom(web_, {{cache_, 3}}), 0) << "web bears 2 caches";
  EXPECT_EQ(headroom(cache_, {{web_, 3}}), 2);
}

TEST_F(AffinityProbeTest, ALimitOfZeroExcludes) {
  builder_.limit(cache_, web_, 0);
  EXPECT_EQ(headroom(web_, {{cache_, 1}}), 0);
  EXPECT_EQ(headroom(cache_, {{web_, 1}}), 0);
  EXPECT_EQ(headroom(cache_, {{batch_, 1}}), kNone);
}

TEST_F(AffinityProbeTest, SelfLimits) {
  builder_.limit(web_, web_, 4).limit(cache_, web_, 6);
  EXPECT_EQ(headroom(web_, {}), 4);
  EXPECT_EQ(headroom(web_, {{web_, 3}}), 1);
  EXPECT_EQ(headroom(web_, {{web_, 9}}), 0);
  EXPECT_EQ(headroom(web_, {{cache_, 1}, {web_, 1}}), 3) << "the stricter of 4 and 6";
  EXPECT_EQ(headroom(cache_, {{web_, 6}}), kNone);
}

TEST_F(AffinityProbeTest, TheStrictestOfManyNeighbours) {
  builder_.limit(cache_, web_, 5).limit(batch_, web_, 2);
  EXPECT_EQ(headroom(web_, {{cache_, 1}, {batch_, 1}}), 2);
  EXPECT_EQ(headroom(web_, {{batch_, 1}, {web_, 1}, {cache_, 1}}), 1);
}

TEST_F(AffinityProbeTest, EmptyNodesAskForSelfLimitsAlone) {
  builder_.limit(web_, web_, 4).limit(cache_, web_, 1);
  const Instance instance = builder_.must_build();
  AffinityProbe probe(instance);
  probe.start(web_);
  EXPECT_EQ(probe.headroom_on_empty(), 4);
  probe.start(cache_);
  EXPECT_EQ(probe.headroom_on_empty(), kNone);
}

// One probe for many apps in sequence, each queried often enough that its row is expanded; compared with the definition. Both
// word widths.
TEST(AffinityProbeRandomTest, AgreesWithTheDefinition) {
  for (const bool wide : {false, true}) {
    test::Random random(wide ? 2 : 1);
    InstanceBuilder builder;
    // Wide rows come from many distinct limit values: 12 bits of code and 9 bits of id are 33.
    const std::uint32_t apps = wide ? 300 : 40;
    std::map<std::pair<AppId, AppId>, std::uint32_t> limit;
    std::uint32_t next_value = 0;
    for (AppId i = 0; i < apps; ++i) builder.add_app("app-" + std::to_string(i), 100, {1});
    for (AppId i = 0; i < apps; ++i) {
      for (AppId j = 0; j < apps; ++j) {
        if (!random.chance(i % 3 == 0 ? 0.05 : 0.3)) continue;
        const std::uint32_t at_most = wide && j >= 40 ? 1000 + next_value++ : 1 + random.below(4);
        limit[{i, j}] = at_most;
        builder.limit(i, j, at_most);
      }
    }
    builder.add_class({1000});
    const Instance instance = builder.must_build();
    ASSERT_EQ(instance.limit_rows().wide(), wide);
    const auto at_most = [&](AppId i, AppId j) {
      const auto found = limit.find({i, j});
      return found == limit.end() ? std::uint64_t{kNone} : found->second;
    };
    AffinityProbe probe(instance);
    for (int round = 0; round < 300; ++round) {
      const AppId app = random.below(round % 2 == 0 ? apps : 40);
      probe.start(app, random.chance(0.3));
      const std::uint32_t questions = random.below(100);
      for (std::uint32_t q = 0; q < questions; ++q) {
        std::map<AppId, std::uint32_t> node;
        for (std::uint32_t k = random.below(6); k > 0; --k) node[random.below(apps)] = 1 + random.below(5);
        std::vector<Tenant> tenants;
        tenants.reserve(node.size());
        for (const auto& [tenant, replicas] : node) tenants.push_back({tenant, replicas});
        // By definition: the largest number of further replicas with which no limit that involves the app is broken.
        const std::uint32_t own = node.count(app) > 0 ? node[app] : 0;
        std::uint64_t expected = kNone;
        const auto cap = [&](std::uint64_t limit_value) {
          if (limit_value != kNone) expected = std::min(expected, limit_value > own ? limit_value - own : 0);
        };
        cap(at_most(app, app));
        for (const auto& [tenant, replicas] : node) {
          if (tenant == app) continue;
          cap(at_most(tenant, app));
          if (replicas > at_most(app, tenant)) expected = 0;
        }
        ASSERT_EQ(probe.headroom(tenants), expected) << "app " << app << " question " << q;
      }
    }
  }
}

// 8 bits of code leave 16 bits for tags, which wrap around after 65,535 rows.
TEST(AffinityProbeTagsTest, OldRowsAreGoneWhenTagsRestart) {
  constexpr AppId kApps = 18;
  InstanceBuilder builder;
  for (AppId i = 0; i < kApps; ++i) builder.add_app("app-" + std::to_string(i), 1000, {1});
  // Even apps limit even ones, odd apps odd ones, each pair by a value of its own.
  std::uint32_t next = 1;
  for (AppId i = 0; i < kApps; ++i) {
    for (AppId j = i % 2; j < kApps; j += 2) {
      if (i != j) builder.limit(i, j, next++);
    }
  }
  builder.add_class({1000});
  const Instance instance = builder.must_build();
  ASSERT_EQ(instance.limit_rows().code_bits(), 8u);
  AffinityProbe probe(instance);
  const std::vector<Tenant> even = {{2, 1}};
  const std::vector<Tenant> odd = {{3, 1}};
  const auto limit_on = [&](AppId app, AppId other) {
    const LimitRows& rows = instance.limit_rows();
    const std::uint32_t codes = rows.find(app, other);
    return codes == 0 ? kNone : rows.obeys(codes);
  };
  for (std::uint32_t row = 0; row < 140'000; ++row) {
    // The even rows are expanded once per round of tags. Their remains must not be taken for an odd row's entries.
    const AppId app = row % 65'535 == 0 ? 4 + row / 65'535 * 2 : 5 + row % 2 * 2;
    probe.start(app, true);
    ASSERT_EQ(probe.headroom(even), limit_on(app, 2)) << row;
    ASSERT_EQ(probe.headroom(odd), limit_on(app, 3)) << row;
  }
}

TEST(AffinityProbeRandomTest, StartingTheSameAppAgainChangesNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 10, {1});
  builder.add_app("b", 10, {1});
  builder.add_class({100});
  builder.limit(0, 1, 2);
  const Instance instance = builder.must_build();
  AffinityProbe probe(instance);
  const std::vector<Tenant> tenants = {{0, 1}};
  for (int k = 0; k < 10; ++k) {
    probe.start(1);
    EXPECT_EQ(probe.headroom(tenants), 2);
  }
  probe.start(0);
  EXPECT_EQ(probe.headroom(tenants), kNone) << "the row of the app before must be gone";
}

}  // namespace
}  // namespace stowage
