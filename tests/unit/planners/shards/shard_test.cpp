#include "core/planners/shards/shard.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/property/workload.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::TaggedBuilder;

Share share_of(const Instance& instance, std::vector<AppShare> apps) {
  Share share;
  share.apps = std::move(apps);
  share.further.assign(instance.classes(), Share::kEndless);
  return share;
}

TEST(ShardTest, LimitsAreThoseOfTheWhole) {
  test::Generated workload = test::make_workload({.seed = 5, .apps = 120, .density = 0.2});
  // A self limit among the limits of each app.
  InstanceBuilder builder({"cpu", "memory"});
  for (AppId i = 0; i < 120; ++i) builder.add_app("app-" + std::to_string(i), 2 + i % 3, {1.0 + i % 4, 2.0});
  for (AppId i = 0; i < 120; ++i) {
    for (std::uint32_t k = workload.row_begin[i]; k < workload.row_begin[i + 1]; ++k) {
      builder.limit(i, workload.limited[k], workload.at_most[k]);
    }
    if (i % 2 == 0) builder.limit(i, i, 1 + i % 5);
  }
  builder.add_class({16, 64});
  const Instance whole = builder.must_build();
  std::vector<AppShare> apps;
  for (AppId i = 0; i < 120; i += 3) apps.push_back({i, 1});
  Shard shard(whole, {}, share_of(whole, apps));
  ASSERT_FALSE(failed(shard.build()));
  const LimitRows& own = shard.instance().limit_rows();
  std::uint64_t limits = 0;
  for (std::uint32_t a = 0; a < apps.size(); ++a) {
    EXPECT_EQ(own.self_limit(a), whole.limit_rows().self_limit(apps[a].app));
    for (std::uint32_t b = 0; b < apps.size(); ++b) {
      const std::uint32_t mine = own.find(a, b);
      const std::uint32_t theirs = whole.limit_rows().find(apps[a].app, apps[b].app);
      EXPECT_EQ(own.imposes(mine), whole.limit_rows().imposes(theirs)) << a << " " << b;
      EXPECT_EQ(own.obeys(mine), whole.limit_rows().obeys(theirs)) << a << " " << b;
      limits += mine != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(limits, 0u);
}

TEST(ShardTest, ClassesWithoutNodesAreLeftOut) {
  InstanceBuilder builder;
  builder.add_app("app", 4, {1});
  builder.add_class({4}, 3);
  builder.add_class({8}, 5);
  builder.add_node(1, {2});
  builder.add_node(1);
  const Instance whole = builder.must_build();
  Share share;
  share.apps = {{0, 2}};
  share.listed = {1};
  share.further = {0, 2};
  Shard shard(whole, {}, share);
  ASSERT_FALSE(failed(shard.build()));
  const Instance& own = shard.instance();
  ASSERT_EQ(own.classes(), 1u);
  EXPECT_EQ(own.data().classes[0].capacity[0], 8);
  EXPECT_EQ(own.data().classes[0].count, 3u);
  EXPECT_EQ(own.listed_nodes(), 1u);
  EXPECT_EQ(own.replicas(0), 2u);

  Plan plan;
  plan.nodes = {{1, 1}, {1, kNone}};
  plan.placed = {{0, 0, 1}, {0, 1, 1}};
  const Plan mine = shard.in_shard(plan);
  EXPECT_EQ(mine.nodes[0].node_class, 0u);
  EXPECT_EQ(mine.nodes[0].listed, 0u);
  const Plan again = shard.in_whole(mine);
  EXPECT_EQ(again.nodes[0].node_class, 1u);
  EXPECT_EQ(again.nodes[0].listed, 1u);
  EXPECT_EQ(again.nodes[1].listed, kNone);
  EXPECT_EQ(again.placed[1].node, 1u);
}

TEST(ShardTest, AppsKeepTheTagsOfTheirIndex) {
  TaggedBuilder builder;
  for (int k = 0; k < 3; ++k) builder.app("", 1, {});
  builder.data().app_names.clear();
  const std::uint32_t tag = builder.tag("appID:2");
  builder.hard(builder.replicas({"appID:2"}, {"appID:2"}, 0, 0));
  builder.add_class({10});
  const Instance whole = builder.must_build();
  Shard shard(whole, {}, share_of(whole, {{1, 1}, {2, 1}}));
  ASSERT_FALSE(failed(shard.build()));
  const IndexRows& tags = shard.instance().app_tags();
  EXPECT_EQ(tags.begin, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(tags.index, (std::vector<std::uint32_t>{tag}));
  EXPECT_EQ(shard.instance().rules().size(), 1u);
  Shard other(whole, {}, share_of(whole, {{0, 1}, {1, 1}}));
  ASSERT_FALSE(failed(other.build()));
  EXPECT_TRUE(other.instance().rules().empty()) << "nothing there carries the subject";
}

TEST(ShardTest, MergedPlansListListedNodesFirst) {
  Plan a;
  a.nodes = {{0, 3}, {0, kNone}};
  a.placed = {{5, 0, 1}, {7, 1, 2}};
  a.unplaced = {{4, 1}, {9, 2}};
  Plan b;
  b.nodes = {{0, 1}, {0, 4}, {1, kNone}};
  b.placed = {{2, 0, 1}, {6, 0, 1}, {8, 2, 3}};
  b.unplaced = {{4, 2}};
  const Plan all = merged({a, b});
  std::vector<NodeId> listed;
  for (const PlannedNode& node : all.nodes) listed.push_back(node.listed);
  EXPECT_EQ(listed, (std::vector<NodeId>{1, 3, 4, kNone, kNone}));
  ASSERT_EQ(all.placed.size(), 5u);
  const std::vector<std::vector<std::uint32_t>> expected = {{2, 0, 1}, {6, 0, 1}, {5, 1, 1}, {7, 3, 2}, {8, 4, 3}};
  for (std::size_t k = 0; k < 5; ++k) {
    const Placed& one = all.placed[k];
    EXPECT_EQ((std::vector<std::uint32_t>{one.app, one.node, one.replicas}), expected[k]);
  }
  ASSERT_EQ(all.unplaced.size(), 2u);
  EXPECT_EQ(all.unplaced[0].app, 4u);
  EXPECT_EQ(all.unplaced[0].replicas, 3u);
}

}  // namespace
}  // namespace stowage
