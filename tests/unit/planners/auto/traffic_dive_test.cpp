#include "core/planners/auto/traffic/traffic_dive.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/bounds/traffic/traffic_forest_bound.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

// Two groups of apps, each of which fills a node: the dive puts each on one, whatever the order of the nodes.
TEST(TrafficDiveTest, PutsTogetherWhatTalks) {
  test::InstanceBuilder builder({"cpu"});
  for (int group = 0; group < 2; ++group) {
    const AppId hub = builder.add_app("hub-" + std::to_string(group), 2, {2});
    const AppId many = builder.add_app("many-" + std::to_string(group), 6, {1});
    builder.data().traffic.push_back({hub, many, 5.0 + group});
  }
  builder.add_class({10}, 3);
  const Instance instance = builder.must_build();
  const TrafficGraph graph(instance);
  TrafficForestBound bound(instance, Supply(instance), graph);
  WorkClock clock(Request{}, nullptr);
  bound.run(clock);
  ASSERT_NE(bound.prices(), nullptr);
  const std::vector<std::uint64_t> carries = {0, 10, 10, 10};
  std::vector<std::uint64_t> scaled;
  for (const std::uint64_t one : carries) scaled.push_back(one * bound.demand().largest / 10);
  TrafficDive dive(graph, bound.demand(), scaled);
  EXPECT_GT(dive.evaluations({6, 0.95}), 0u);
  for (int again = 0; again < 2; ++again) ASSERT_TRUE(dive.run(*bound.prices(), {6, 0.95}, clock));
  ASSERT_EQ(dive.filled().size(), 2u);
  for (const TrafficFill& fill : dive.filled()) {
    EXPECT_NE(fill.node, 0u) << "it has no room";
    ASSERT_EQ(fill.held.size(), 2u);
    EXPECT_EQ(fill.held[0].second, 2u);
    EXPECT_EQ(fill.held[1].second, 6u);
    EXPECT_EQ(fill.held[0].first + 1, fill.held[1].first);
  }
}

}  // namespace
}  // namespace stowage
