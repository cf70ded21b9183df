#include "core/verify/rule_nodes.h"

#include <gtest/gtest.h>

#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

/// A class labelled zone=x and gpu with two listed nodes, of which the second also has the tags zone=y and ssd; a class
/// labelled zone=y without listed nodes.
struct RuleNodesCase {
  RuleNodesCase() {
    builder.app("app", 1, {"a"});
    builder.nodes(1);
    builder.nodes(1, 10, {"zone=y", "ssd"});
    builder.data().classes[0].count = 0;
    builder.data().classes[0].labels = {"zone=x", "gpu"};
    builder.data().classes[1].labels = {"zone=y"};
    builder.data().classes[1].count = 0;
    builder.data().node_class = {0, 0};
    gpu = builder.tag("gpu");
    ssd = builder.tag("ssd");
    absent = builder.tag("absent");
    zones = builder.group_by_label("zones", "zone");
    racks = builder.group("racks", {{1}, {0, 1}, {}});
    // Groups that no rule is about are not read.
    for (const std::uint32_t group : {kNone, zones, racks}) builder.hard(builder.replicas({"a"}, {"gpu"}, 0, 1, group));
  }
  TaggedBuilder builder;
  std::uint32_t gpu = 0;
  std::uint32_t ssd = 0;
  std::uint32_t absent = 0;
  std::uint32_t zones = 0;
  std::uint32_t racks = 0;
};

std::vector<std::uint32_t> list_of(std::span<const std::uint32_t> sets) { return {sets.begin(), sets.end()}; }

TEST(RuleNodes, TagsComeFromTheClassAndFromTheNode) {
  const RuleNodesCase c;
  const Instance instance = c.builder.must_build();
  const std::vector<PlannedNode> nodes = {{0, 1}, {0, 0}, {0, kNone, 3}, {1, kNone}};
  const RuleNodes rule_nodes(instance.data(), nodes);
  const auto having = [&](const std::vector<std::uint32_t>& tags) {
    std::vector<std::uint32_t> found;
    for (NodeId n = 0; n < nodes.size(); ++n) {
      if (rule_nodes.has_all(n, tags)) found.push_back(n);
    }
    return found;
  };
  EXPECT_EQ(having({c.gpu}), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(having({c.ssd}), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(having({c.gpu, c.ssd}), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(having({c.absent}), (std::vector<std::uint32_t>{}));
  EXPECT_TRUE(rule_nodes.anywhere(std::vector<std::uint32_t>{c.gpu, c.ssd}));
  EXPECT_FALSE(rule_nodes.anywhere(std::vector<std::uint32_t>{c.gpu, c.absent}));
}

TEST(RuleNodes, SetsComeFromLabelsOrFromLists) {
  const RuleNodesCase c;
  const Instance instance = c.builder.must_build();
  const std::vector<PlannedNode> nodes = {{0, 1}, {0, 0}, {0, kNone, 3}, {1, kNone}};
  const RuleNodes rule_nodes(instance.data(), nodes);
  // zone=x is set 0, zone=y is set 1; listed node 1 is in both.
  EXPECT_EQ(rule_nodes.set_count(c.zones), 2u);
  EXPECT_EQ(list_of(rule_nodes.sets(c.zones, 0)), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(list_of(rule_nodes.sets(c.zones, 1)), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(list_of(rule_nodes.sets(c.zones, 2)), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(list_of(rule_nodes.sets(c.zones, 3)), (std::vector<std::uint32_t>{1}));
  // Lists are of listed nodes alone. The empty set counts.
  EXPECT_EQ(rule_nodes.set_count(c.racks), 3u);
  EXPECT_EQ(list_of(rule_nodes.sets(c.racks, 0)), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(list_of(rule_nodes.sets(c.racks, 1)), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(list_of(rule_nodes.sets(c.racks, 2)), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(rule_nodes.most_sets(), 3u);
}

TEST(RuleNodes, ListedNodesWithTagsAreCountedBySet) {
  const RuleNodesCase c;
  const Instance instance = c.builder.must_build();
  const std::vector<PlannedNode> nodes;  // listed nodes count whether the plan uses them or not
  RuleNodes rule_nodes(instance.data(), nodes);
  const auto& gpus = rule_nodes.listed_with(c.racks, {c.gpu});
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].set, 0u);
  EXPECT_EQ(gpus[0].nodes, 1u);
  EXPECT_EQ(gpus[1].set, 1u);
  EXPECT_EQ(gpus[1].nodes, 2u);
  const auto& fast = rule_nodes.listed_with(c.zones, {c.ssd});
  ASSERT_EQ(fast.size(), 2u);
  EXPECT_EQ(fast[1].nodes, 1u);
}

}  // namespace
}  // namespace stowage::test
