#include "core/planners/shards/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/property/workload.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::TaggedBuilder;

Cut cut_into(const Instance& instance, std::uint32_t shards, Request request = {}) {
  WorkClock clock(request, static_cast<Control*>(nullptr));
  return cut_instance(instance, request, shards, clock);
}

// Every replica is in one share, with ascending apps.
void expect_all_replicas(const Instance& instance, const Cut& cut) {
  std::vector<std::uint64_t> replicas(instance.apps(), 0);
  for (const Share& share : cut.shares) {
    for (std::size_t k = 0; k < share.apps.size(); ++k) {
      EXPECT_GT(share.apps[k].replicas, 0u);
      EXPECT_TRUE(k == 0 || share.apps[k - 1].app < share.apps[k].app);
      replicas[share.apps[k].app] += share.apps[k].replicas;
    }
  }
  for (AppId app = 0; app < instance.apps(); ++app) EXPECT_EQ(replicas[app], instance.replicas(app)) << app;
}

// The shares in which an app has replicas.
std::set<std::size_t> shares_with(const Cut& cut, AppId app) {
  std::set<std::size_t> found;
  for (std::size_t s = 0; s < cut.shares.size(); ++s) {
    for (const AppShare& one : cut.shares[s].apps) {
      if (one.app == app) found.insert(s);
    }
  }
  return found;
}

TEST(CutTest, SharesNeedAboutTheSameOfEverything) {
  const Instance instance = test::make_workload({.seed = 3, .apps = 2000, .density = 0.01}).build();
  const Cut cut = cut_into(instance, 7);
  ASSERT_EQ(cut.shares.size(), 7u);
  expect_all_replicas(instance, cut);
  for (ResourceId r = 0; r < 2; ++r) {
    std::vector<double> demand;
    for (const Share& share : cut.shares) {
      double& sum = demand.emplace_back(0);
      for (const AppShare& one : share.apps) sum += instance.demand(one.app, r, 0) * one.replicas;
    }
    const auto [least, most] = std::minmax_element(demand.begin(), demand.end());
    EXPECT_LT(*most, *least * 1.002) << r;
  }
}

TEST(CutTest, ManyReplicasAreDealtInPieces) {
  InstanceBuilder builder;
  builder.add_app("large", 1000, {1});
  builder.add_app("small", 1, {1});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Cut cut = cut_into(instance, 4);
  expect_all_replicas(instance, cut);
  EXPECT_EQ(shares_with(cut, 0).size(), 4u);
  EXPECT_EQ(shares_with(cut, 1).size(), 1u);
}

TEST(CutTest, NodesAreDealtByClass) {
  InstanceBuilder builder;
  builder.add_app("app", 30, {1});
  builder.add_class({10}, 7);
  builder.add_class({10}, 2);
  builder.add_class({10});
  for (int k = 0; k < 4; ++k) builder.add_node(0);
  builder.add_node(2);
  const Instance instance = builder.must_build();
  const Cut cut = cut_into(instance, 3);
  ASSERT_EQ(cut.shares.size(), 3u);
  std::vector<std::uint32_t> of_class(3, 0);
  std::set<NodeId> listed;
  for (const Share& share : cut.shares) {
    std::uint32_t nodes = 0;
    for (const NodeId node : share.listed) {
      EXPECT_TRUE(listed.insert(node).second);
      const ClassId c = instance.data().node_class[node];
      ++of_class[c];
      nodes += c < 2 ? 1 : 0;
    }
    EXPECT_TRUE(std::is_sorted(share.listed.begin(), share.listed.end()));
    for (const ClassId c : {0u, 1u}) {
      of_class[c] += share.further[c];
      nodes += share.further[c];
    }
    EXPECT_EQ(nodes, 3u) << "nine nodes of counted classes for three shards";
    EXPECT_EQ(share.further[2], Share::kEndless);
  }
  EXPECT_EQ(listed.size(), 5u);
  EXPECT_EQ(of_class, (std::vector<std::uint32_t>{7, 2, 1}));
}

TEST(CutTest, TheNodeLimitIsDividedBesideLoadedNodes) {
  InstanceBuilder builder;
  builder.add_app("app", 30, {1});
  builder.add_class({10});
  builder.add_node(0, {5});
  const Instance instance = builder.must_build();
  Request request;
  request.node_limit = 8;
  const Cut cut = cut_into(instance, 2, request);
  ASSERT_EQ(cut.shares.size(), 2u);
  std::uint32_t sum = 0;
  for (const Share& share : cut.shares) {
    EXPECT_GT(share.node_limit, share.listed.size());
    sum += share.node_limit;
  }
  EXPECT_EQ(sum, 8u);
  request.node_limit = 2;
  const Cut whole = cut_into(instance, 2, request);
  EXPECT_EQ(whole.shares.size(), 1u);
  EXPECT_EQ(whole.shares[0].node_limit, 2u);
  EXPECT_EQ(whole.whole_because, "the node limit leaves too few nodes");
}

TEST(CutTest, WhatIsNeededNearStaysTogether) {
  TaggedBuilder builder;
  for (int k = 0; k < 8; ++k) {
    const std::string n = std::to_string(k);
    builder.app("web-" + n, 4, {"web-" + n});
    builder.app("cache-" + n, 4, {"cache-" + n});
    builder.hard(builder.replicas({"web-" + n}, {"cache-" + n}, 1, kNone));
  }
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Cut cut = cut_into(instance, 4);
  ASSERT_EQ(cut.shares.size(), 4u);
  expect_all_replicas(instance, cut);
  for (AppId app = 0; app < 16; app += 2) {
    EXPECT_EQ(shares_with(cut, app).size(), 1u) << app;
    EXPECT_EQ(shares_with(cut, app), shares_with(cut, app + 1)) << app;
  }
  EXPECT_TRUE(cut.wide.empty()) << "the rules look at one node at a time";
}

TEST(CutTest, MaximaOnANodeTieNothing) {
  TaggedBuilder builder;
  builder.app("app", 1000, {"all"});
  builder.hard(builder.replicas({"all"}, {"all"}, 0, 3));
  builder.add_class({10});
  const Cut cut = cut_into(builder.must_build(), 4);
  ASSERT_EQ(cut.shares.size(), 4u);
  EXPECT_EQ(shares_with(cut, 0).size(), 4u);
}

TEST(CutTest, RulesThatTieEverythingLeaveOneShard) {
  TaggedBuilder builder;
  builder.app("a", 4, {"a"});
  builder.app("b", 4, {"b"});
  builder.hard(builder.replicas({"a"}, {"b"}, 1, kNone));
  builder.add_class({10});
  const Cut cut = cut_into(builder.must_build(), 2);
  EXPECT_EQ(cut.shares.size(), 1u);
  EXPECT_TRUE(cut.shares[0].is_all);
  EXPECT_EQ(cut.whole_because, "rules tie most of the replicas together");
}

// Zones of endless classes: each app spreads over zones, and stays whole.
TaggedBuilder with_zones(bool counted) {
  TaggedBuilder builder;
  for (int k = 0; k < 4; ++k) builder.app("app-" + std::to_string(k), 6, {"app-" + std::to_string(k)});
  const std::uint32_t zone = builder.group_by_label("zone", "zone");
  for (int k = 0; k < 4; ++k) builder.hard(builder.skew({"app-" + std::to_string(k)}, 1, zone));
  for (const char* label : {"zone=a", "zone=b"}) {
    const ClassId c = builder.add_class({10}, counted ? 10 : 0);
    builder.data().classes[c].labels = {label};
  }
  return builder;
}

TEST(CutTest, RulesOverGroupsKeepTheirAppsWhole) {
  const Cut cut = cut_into(with_zones(false).must_build(), 2);
  ASSERT_EQ(cut.shares.size(), 2u);
  for (AppId app = 0; app < 4; ++app) EXPECT_EQ(shares_with(cut, app).size(), 1u);
  EXPECT_EQ(cut.wide, (std::vector<std::uint8_t>{1, 1, 1, 1}));
}

TEST(CutTest, RulesOverGroupsOfCountedNodesAreNotCut) {
  const Cut cut = cut_into(with_zones(true).must_build(), 2);
  EXPECT_EQ(cut.shares.size(), 1u);
  EXPECT_EQ(cut.whole_because, "rules over groups of nodes speak of nodes that are listed or counted");
}

TEST(CutTest, ApplicationsStayWholeWhereTheyArePlacedSo) {
  TaggedBuilder builder;
  for (int k = 0; k < 3; ++k) builder.app("app-" + std::to_string(k), 100, {});
  builder.add_class({10});
  Request request;
  request.all_or_nothing = true;
  const Cut cut = cut_into(builder.must_build(), 3, request);
  ASSERT_EQ(cut.shares.size(), 3u);
  for (AppId app = 0; app < 3; ++app) EXPECT_EQ(shares_with(cut, app).size(), 1u);
}

TEST(CutTest, AClockThatEndsLeavesNoShares) {
  const Instance instance = test::make_workload({.seed = 3, .apps = 200, .density = 0}).build();
  Request request;
  request.work_limit = 1;
  EXPECT_TRUE(cut_into(instance, 2, request).shares.empty());
}

}  // namespace
}  // namespace stowage
