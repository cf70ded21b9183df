#include "core/planners/auto/few_nodes/selection.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/planners/auto/few_nodes/displacement.h"
#include "core/run/run.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

Request limited_to(std::uint32_t nodes) {
  Request request;
  request.planner = "auto";
  request.node_limit = nodes;
  return request;
}

/// An attempt on all nodes that the request allows.
struct FewNodes {
  explicit FewNodes(const InstanceBuilder& builder, std::uint32_t node_limit)
      : instance(builder.must_build()),
        request(limited_to(node_limit)),
        run(request, nullptr),
        bounds(instance, request),
        info(*find_planner("auto")),
        input{instance, request, info, Options(info.options, request), run, bounds},
        tied(instance),
        attempt(input, kNone - 1, tied, {0}) {}

  [[nodiscard]] std::vector<std::uint32_t> unplaced() const {
    std::vector<std::uint32_t> result;
    for (AppId app = 0; app < instance.apps(); ++app) result.push_back(attempt.placement.unplaced(app));
    return result;
  }

  const Instance instance;
  const Request request;
  Run run;
  LazyBounds bounds;
  const PlannerInfo& info;
  PlannerInput input;
  TiedApps tied;
  Attempt<std::int16_t> attempt;
};

// 3 x 2, 3 x 4 and 3 x 6 cores on two nodes of 10.
InstanceBuilder three_sizes() {
  InstanceBuilder builder;
  builder.add_app("large", 3, {6});
  builder.add_app("small", 3, {2});
  builder.add_app("middle", 3, {4});
  builder.add_class({10});
  return builder;
}

TEST(SelectionTest, TakesTheCheapestUntilTheNodesAreFull) {
  FewNodes few(three_sizes(), 2);
  Selection<std::int16_t> selection(few.attempt, few.bounds.left_over());
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{0, 0, 0})) << "all is held back at first";
  EXPECT_TRUE(few.attempt.state.pool().empty());
  // Of 16 cores: three of 2 and two of 4.
  EXPECT_EQ(selection.take(0.2), 5u);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{0, 3, 2}));
  EXPECT_EQ(few.attempt.placement.left_over(2), 3u);
  EXPECT_EQ(selection.take(0), 1u) << "what is taken already needs room, too";
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{0, 3, 3}));
  EXPECT_EQ(selection.take(0), 0u);
}

TEST(SelectionTest, TakesTheDearestWhereCapacityCounts) {
  FewNodes few(three_sizes(), 2);
  Selection<std::int16_t> selection(few.attempt, few.bounds.left_over(), TakeFirst::kDearest);
  selection.take(0);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{3, 1, 0}));
}

TEST(SelectionTest, NothingOfALowerPriorityThanWhatWaits) {
  InstanceBuilder builder = three_sizes();
  builder.priority(0, 1);
  FewNodes few(builder, 1);
  Selection<std::int16_t> selection(few.attempt, few.bounds.left_over());
  selection.take(0);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{1, 0, 0}));
}

TEST(SelectionTest, PassesOver) {
  FewNodes few(three_sizes(), 2);
  Selection<std::int16_t> selection(few.attempt, few.bounds.left_over());
  selection.take(0);
  selection.pass_over();
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{0, 0, 0}));
  selection.take(0);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{3, 0, 0}));
  selection.pass_over_none();
  EXPECT_EQ(selection.let_go(few.attempt), (std::vector<AppId>{1, 2, 0}));
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{3, 3, 3}));
}

// Both resources are short. Of replicas with equal price, both kinds are taken.
TEST(SelectionTest, TheMixLeavesNoResourceBehind) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("thinks", 10, {3, 1});
  builder.add_app("keeps", 10, {1, 3});
  builder.add_class({10, 10});
  FewNodes few(builder, 2);
  EXPECT_EQ(few.bounds.left_over().fewest.by_priority().begin()->second, 10u) << "40 / 4 may be placed";
  Selection<std::int16_t> selection(few.attempt, few.bounds.left_over());
  EXPECT_EQ(selection.take(0), 10u);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{5, 5}));
}

TEST(DisplacementTest, TwoForOne) {
  FewNodes few(three_sizes(), 1);
  Placement<std::int16_t>& placement = few.attempt.placement;
  placement.place(0, 0, 1);
  few.attempt.state.collect_pool();
  displace(few.attempt, {1, 2, 0}, {6, 2, 4}, 100);
  EXPECT_EQ(placement.contents().count(0, 0), 0u);
  EXPECT_EQ(placement.contents().count(1, 0), 3u);
  EXPECT_EQ(placement.contents().count(2, 0), 1u);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{3, 0, 2}));
}

TEST(DisplacementTest, EndsWithItsWatch) {
  FewNodes few(three_sizes(), 1);
  few.attempt.placement.place(0, 0, 1);
  few.attempt.state.collect_pool();
  Watch watch(nullptr, Watch::Time::now());
  watch.look();
  displace(few.attempt, {1, 2, 0}, {6, 2, 4}, 100, watch);
  EXPECT_EQ(few.unplaced(), (std::vector<std::uint32_t>{2, 3, 3}));
}

TEST(DisplacementTest, OneForOneOnlyOfAHigherPriority) {
  InstanceBuilder builder;
  builder.add_app("placed", 1, {7});
  builder.add_app("waits", 1, {6});
  builder.add_class({10});
  FewNodes equal(builder, 1);
  equal.attempt.placement.place(0, 0, 1);
  equal.attempt.state.collect_pool();
  displace(equal.attempt, {1}, {7, 6}, 100);
  EXPECT_EQ(equal.unplaced(), (std::vector<std::uint32_t>{0, 1}));
  builder.priority(1, 1);
  FewNodes higher(builder, 1);
  higher.attempt.placement.place(0, 0, 1);
  higher.attempt.state.collect_pool();
  displace(higher.attempt, {1}, {7, 6}, 100);
  EXPECT_EQ(higher.unplaced(), (std::vector<std::uint32_t>{1, 0}));
}

}  // namespace
}  // namespace stowage
