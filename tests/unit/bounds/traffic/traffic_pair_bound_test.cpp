#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "core/base/numbers/random.h"
#include "core/bounds/bounds.h"
#include "core/plan/objective.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"

namespace stowage {
namespace {

double traffic_bound(const Instance& instance) { return traffic_pair_bound(instance, Supply(instance)).value; }

// A node has room for one db and two of the four web: both db keep half of the traffic each.
TEST(TrafficPairBoundTest, CountsWhatANodeHasRoomFor) {
  test::InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 4, {3});
  const AppId db = builder.add_app("db", 2, {4});
  builder.add_class({10}, 4);
  builder.data().traffic = {{web, db, 8}};
  EXPECT_NEAR(traffic_bound(builder.must_build()), 0, 1e-9);
  builder.data().classes[0].capacity = {9};
  EXPECT_NEAR(traffic_bound(builder.must_build()), 4, 1e-6) << "one web beside each db: a quarter each";
  builder.data().classes[0].count = 1;
  EXPECT_NEAR(traffic_bound(builder.must_build()), 6, 1e-6) << "one node keeps a quarter";
}

// All ways to put up to three apps on two nodes: no plan has less remote traffic than the bound.
TEST(TrafficPairBoundTest, NeverExceedsTheOptimum) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    test::InstanceBuilder builder({"cpu", "memory"});
    for (int app = 0; app < 3; ++app) {
      builder.add_app("app-" + std::to_string(app), 1 + random.below(3), {1.0 + random.below(5), 1.0 + random.below(5)});
    }
    builder.add_class({4.0 + random.below(9), 4.0 + random.below(9)}, 2);
    builder.data().traffic = {{0, 1, 1.0 + random.below(9)}, {1, 2, 1.0 + random.below(9)}, {2, 0, 1.0 * random.below(9)}};
    const Instance instance = builder.must_build();
    const double bound = traffic_bound(instance);
    std::uint32_t counts[2][3] = {};
    double least = info_of(Objective::kTraffic).whole(instance);
    const std::function<void(int)> place = [&](int cell) {
      if (cell == 6) {
        test::PlanBuilder plan(instance);
        for (const auto& node : counts) {
          for (ResourceId r = 0; r < 2; ++r) {
            double used = 0;
            for (AppId app = 0; app < 3; ++app) used += node[app] * instance.demand(app, r, 0);
            if (used > instance.data().classes[0].capacity[r]) return;
          }
          plan.node(0, {{0, node[0]}, {1, node[1]}, {2, node[2]}});
        }
        least = std::min(least, value(instance, plan.build(), Objective::kTraffic));
        return;
      }
      const AppId app = static_cast<AppId>(cell % 3);
      const std::uint32_t left = instance.replicas(app) - (cell >= 3 ? counts[0][app] : 0);
      for (std::uint32_t replicas = 0; replicas <= left; ++replicas) {
        counts[cell / 3][app] = replicas;
        place(cell + 1);
      }
      counts[cell / 3][app] = 0;
    };
    place(0);
    EXPECT_LE(bound, least * (1 + 1e-9) + 1e-12) << round;
  }
}

}  // namespace
}  // namespace stowage
