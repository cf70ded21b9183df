// auto with the objective traffic.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/plan/objective.h"
#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::plan_by;
using test::request_for;

Request traffic_request(std::uint64_t work, std::uint32_t moves = 0) {
  Request request = request_for("auto");
  request.objective = Objective::kTraffic;
  request.work_limit = work;
  request.move_budget = moves;
  return request;
}

/// Services of 1 to 12 replicas on 12 listed nodes, on which they run at random; later services often talk to earlier ones.
InstanceBuilder talking_services(std::uint64_t seed, std::uint32_t services) {
  test::Random random(seed);
  InstanceBuilder builder({"cpu", "memory"});
  const ClassId large = builder.add_class({64, 64}, 12);
  InstanceData& data = builder.data();
  std::vector<double> room(12, 60);
  for (NodeId node = 0; node < 12; ++node) data.node_class.push_back(large);
  for (AppId app = 0; app < services; ++app) {
    const double size = 1 + random.below(3);
    const std::uint32_t replicas = 1 + random.below(12);
    builder.add_app("service-" + std::to_string(app), replicas, {size, 1});
    for (std::uint32_t k = 0; k < replicas; ++k) {
      const NodeId node = random.below(12);
      if (room[node] < size) continue;
      room[node] -= size;
      const auto same = std::find_if(data.running.begin(), data.running.end(),
                                     [&](const Residence& r) { return r.app == app && r.node == node; });
      if (same == data.running.end()) {
        data.running.push_back({app, node, 1});
      } else {
        ++same->replicas;
      }
    }
    if (app > 0 && random.below(4) > 0) data.traffic.push_back({app, random.below(app), 1.0 + random.below(100)});
  }
  return builder;
}

// run_planner() refuses plans that the checker finds wrong, and those with more moves than allowed.
TEST(LeastTrafficTest, MoreMovesKeepMoreTrafficOnNodes) {
  const Instance instance = talking_services(3, 40).must_build();
  double before = info_of(Objective::kTraffic).whole(instance);
  for (const std::uint32_t moves : {0u, 5u, 20u, 60u, 1000u}) {
    const Plan plan = plan_by(instance, traffic_request(400'000, moves));
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_LE(plan.moves, moves);
    EXPECT_LT(plan.remote_traffic, before) << moves;
    EXPECT_NEAR(plan.remote_traffic, check_plan(instance, plan).remote_traffic, 1e-9 * before);
    ASSERT_TRUE(plan.bounds[Objective::kTraffic]);
    EXPECT_LE(plan.bounds[Objective::kTraffic]->value, plan.remote_traffic);
    before = plan.remote_traffic;
  }
  EXPECT_LT(before, 0.3 * info_of(Objective::kTraffic).whole(instance));
}

TEST(LeastTrafficTest, TheSameWorkGivesTheSamePlan) {
  const Instance instance = talking_services(5, 40).must_build();
  const Plan first = plan_by(instance, traffic_request(60'000, 50));
  const Plan again = plan_by(instance, traffic_request(60'000, 50));
  EXPECT_EQ(first.remote_traffic, again.remote_traffic);
  ASSERT_EQ(first.placed.size(), again.placed.size());
  for (std::size_t k = 0; k < first.placed.size(); ++k) {
    EXPECT_EQ(first.placed[k].app, again.placed[k].app);
    EXPECT_EQ(first.placed[k].node, again.placed[k].node);
    EXPECT_EQ(first.placed[k].replicas, again.placed[k].replicas);
  }
}

// Everything has room on one of two nodes.
TEST(LeastTrafficTest, APlanThatKeepsAllTrafficIsOptimal) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 4, {2});
  const AppId db = builder.add_app("db", 2, {3});
  const AppId cache = builder.add_app("cache", 3, {2});
  builder.add_class({20}, 2);
  builder.data().traffic = {{web, db, 8}, {db, cache, 3}, {cache, web, 1}};
  const Plan plan = plan_by(builder.must_build(), traffic_request(100'000));
  EXPECT_EQ(plan.remote_traffic, 0);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
}

// What may not share a node by an affinity limit does not, whatever it exchanges.
TEST(LeastTrafficTest, LimitsHold) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 4, {2});
  const AppId db = builder.add_app("db", 2, {3});
  builder.add_class({20}, 3);
  builder.limit(web, db, 0);
  builder.data().traffic = {{web, db, 8}};
  const Instance instance = builder.must_build();
  EXPECT_EQ(plan_by(instance, traffic_request(20'000)).remote_traffic, 8);
}

TEST(LeastTrafficTest, PlannersThatDoNotPursueItRefuse) {
  const Instance instance = talking_services(1, 5).must_build();
  Request request = traffic_request(1000);
  request.planner = "ff";
  const auto refused = run_planner(instance, request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  EXPECT_EQ(refused.error().path, "objective");
  const auto without = run_planner(test::with_demands({1}).must_build(), traffic_request(1000), nullptr);
  ASSERT_FALSE(without.ok());
  EXPECT_EQ(without.error().code, Code::kInvalid);
}

}  // namespace
}  // namespace stowage
