#include "core/planners/shards/seam.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

// Nodes of ten cores that hold 9, 4, 8 and 5.
struct Case {
  Instance instance;
  Plan plan;
};

Case seam_four_nodes() {
  test::InstanceBuilder builder;
  for (const double demand : {9.0, 4.0, 8.0, 5.0}) builder.add_app("app-" + std::to_string(demand), 1, {demand});
  builder.add_class({10});
  builder.add_class({10}, 9);
  Plan plan;
  plan.nodes = {{0, kNone}, {1, kNone}, {0, kNone}, {1, kNone}};
  plan.placed = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}};
  return {builder.must_build(), plan};
}

TEST(SeamTest, TakesTheNodesWithMostRoom) {
  const Case one = seam_four_nodes();
  const Seam seam = seam_of(one.instance, one.plan, {}, 0, 2, true);
  ASSERT_EQ(seam.before.nodes.size(), 2u);
  EXPECT_EQ(seam.before.placed[0].app, 1u);
  EXPECT_EQ(seam.before.placed[1].app, 3u);
  EXPECT_EQ(seam.rest.placed[0].app, 0u);
  EXPECT_EQ(seam.rest.placed[1].app, 2u);
  EXPECT_EQ(seam.rest.placed[1].node, 1u);
  EXPECT_EQ(seam.share.further, (std::vector<std::uint32_t>{Share::kEndless, 2}));
  EXPECT_EQ(seam.share.node_limit, 2u);
  ASSERT_EQ(seam.share.apps.size(), 2u);
}

TEST(SeamTest, TakesNoMoreThanTheGapNeeds) {
  const Case one = seam_four_nodes();
  // Room of .6, .5, .2 and .1 nodes: more than twice a node and the gap is never reached.
  EXPECT_EQ(seam_of(one.instance, one.plan, {}, 0, 100, false).before.nodes.size(), 4u);
  EXPECT_EQ(seam_of(one.instance, one.plan, {}, -0.6, 100, false).before.nodes.size(), 2u);
  EXPECT_EQ(seam_of(one.instance, one.plan, {}, 0, 100, false).share.node_limit, 0u);
}

TEST(SeamTest, LeavesNodesWithWideRules) {
  const Case one = seam_four_nodes();
  const std::vector<std::uint8_t> wide = {0, 1, 0, 0};
  const Seam seam = seam_of(one.instance, one.plan, wide, 0, 2, false);
  ASSERT_EQ(seam.before.nodes.size(), 2u);
  EXPECT_EQ(seam.before.placed[0].app, 2u);
  EXPECT_EQ(seam.before.placed[1].app, 3u);
}

}  // namespace
}  // namespace stowage
