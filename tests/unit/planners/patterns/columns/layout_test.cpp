#include "core/planners/patterns/columns/layout.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/placement/placement.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

// Nodes 0 and 2 hold the same, node 1 is free, node 3 is closed. The class has six nodes in all.
Instance four_nodes() {
  InstanceBuilder builder;
  builder.add_app("a", 4, {3});
  builder.add_app("b", 3, {1});
  builder.add_class({10}, 6);
  for (int n = 0; n < 4; ++n) builder.add_node(0);
  builder.close(3).running(0, 0, 1).running(0, 2, 1);
  return builder.must_build();
}

TEST(StateGroupsTest, NodesInTheSameStateAreOneGroup) {
  const Instance instance = four_nodes();
  const Placement<std::int16_t> start(instance, Request{});
  const StateGroups groups(instance, start);
  ASSERT_EQ(groups.all().size(), 2u);
  EXPECT_EQ(groups.all()[0].nodes, (std::vector<NodeId>{0, 2}));
  EXPECT_TRUE(groups.all()[0].state.in_use);
  EXPECT_EQ(groups.all()[1].nodes, (std::vector<NodeId>{1})) << "as free as new nodes, of which two are not listed";
  EXPECT_EQ(groups.all()[1].size(), 3u);
  EXPECT_EQ(groups.tenants_with(0, {0, 2}).size(), 2u) << "one running a, two new b";
  EXPECT_TRUE(groups.tenants_with(1, {0, 0}).empty());
}

TEST(StateGroupsTest, ALayoutIsWhatAPlanAdds) {
  const Instance instance = four_nodes();
  const Placement<std::int16_t> start(instance, Request{});
  const StateGroups groups(instance, start);
  const Plan plan = test::plan_by(instance, "biheu");
  std::vector<std::uint64_t> added(2, 0);
  std::vector<std::uint64_t> nodes(2, 0);
  for (const auto& [seat, count] : groups.layout_of(plan)) {
    nodes[seat.first] += count;
    for (AppId i = 0; i < 2; ++i) added[i] += count * seat.second[i];
  }
  EXPECT_EQ(added, (std::vector<std::uint64_t>{2, 3})) << "two of four a run already";
  EXPECT_LE(nodes[0], groups.all()[0].size());
  EXPECT_LE(nodes[1], groups.all()[1].size());
}

TEST(StateGroupsTest, SelfLimitsAreAPartOfTheState) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {1});
  builder.add_class({10}, 2);
  builder.add_node(0);
  builder.limit(0, 0, 2).running(0, 0, 1);
  const Instance instance = builder.must_build();
  const Placement<std::int16_t> start(instance, Request{});
  const StateGroups groups(instance, start);
  ASSERT_EQ(groups.all().size(), 2u);
  EXPECT_EQ(groups.all()[0].state.most_of(0), 1u);
  EXPECT_EQ(groups.all()[1].state.most_of(0), 2u);
}

}  // namespace
}  // namespace stowage
