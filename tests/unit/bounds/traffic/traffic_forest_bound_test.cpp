#include "core/bounds/traffic/traffic_forest_bound.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/bounds/traffic/traffic_forest.h"
#include "core/plan/objective.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"

namespace stowage {
namespace {

WorkClock clock_of(std::uint64_t work) {
  Request request;
  request.work_limit = work;
  return {request, nullptr};
}

double forest_bound(const Instance& instance, std::uint64_t work = 400'000) {
  const TrafficGraph graph(instance);
  TrafficForestBound bound(instance, Supply(instance), graph);
  WorkClock clock = clock_of(work);
  bound.run(clock);
  return bound.remote();
}

/// All numbers of replicas of the apps, in turn.
void visit_counts(const std::vector<std::uint32_t>& most, const std::function<void(const std::vector<std::uint32_t>&)>& visit) {
  std::vector<std::uint32_t> x(most.size(), 0);
  for (;;) {
    visit(x);
    std::size_t k = 0;
    while (k < x.size() && x[k] == most[k]) x[k++] = 0;
    if (k == x.size()) return;
    ++x[k];
  }
}

double share_kept(const TrafficGraph& graph, const std::vector<std::uint8_t>& counted, const std::vector<std::uint32_t>& x) {
  double kept = 0;
  for (std::size_t k = 0; k < graph.pairs().size(); ++k) {
    const TrafficGraph::Pair& pair = graph.pairs()[k];
    if (counted[k] == 0) continue;
    kept += pair.share * std::min(x[pair.row] / static_cast<double>(graph.replicas(pair.row)),
                                  x[pair.peer] / static_cast<double>(graph.replicas(pair.peer)));
  }
  return kept;
}

test::InstanceBuilder random_apps(Random& random, std::uint32_t apps, std::uint32_t replicas) {
  test::InstanceBuilder builder({"cpu", "memory"});
  for (std::uint32_t app = 0; app < apps; ++app) {
    builder.add_app("app-" + std::to_string(app), 1 + random.below(replicas), {1.0 + random.below(5), 1.0 + random.below(2)});
  }
  for (AppId app = 1; app < apps; ++app) builder.data().traffic.push_back({app, random.below(app), 1.0 + random.below(9)});
  return builder;
}

// Every capacity, against all contents; and the content that is given has the value.
TEST(TrafficForestTest, FindsTheMostOfANode) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    test::InstanceBuilder builder = random_apps(random, 4, 3);
    builder.data().traffic.push_back({0, 3, 0.5});
    builder.add_class({50, 50}, 2);
    bool twice = false;
    for (std::size_t k = 0; k + 1 < builder.data().traffic.size(); ++k) {
      const Traffic& one = builder.data().traffic[k];
      twice = twice || (one.app == 3 && one.peer == 0);
    }
    if (twice) builder.data().traffic.pop_back();
    const Instance instance = builder.must_build();
    const TrafficGraph graph(instance);
    TrafficForest forest(graph);
    std::vector<TrafficForest::App> apps;
    std::vector<std::uint32_t> most;
    std::vector<double> prices;
    for (std::uint32_t row = 0; row < graph.rows(); ++row) {
      apps.push_back({random.below(4), 1 + random.below(graph.replicas(row))});
      most.push_back(apps.back().most);
      prices.push_back(0.05 * random.below(4));
    }
    forest.set_sizes(apps, 9);
    WorkClock clock = clock_of(0);
    ASSERT_TRUE(forest.solve(prices, clock));
    for (std::uint32_t capacity = 0; capacity <= 9; ++capacity) {
      const auto worth = [&](const std::vector<std::uint32_t>& x) {
        double sum = share_kept(graph, forest.joined(), x);
        std::uint32_t size = 0;
        for (std::uint32_t row = 0; row < graph.rows(); ++row) {
          sum -= prices[row] * x[row];
          size += apps[row].size * x[row];
        }
        return size > capacity ? -1.0 : sum;
      };
      double best = 0;
      visit_counts(most, [&](const std::vector<std::uint32_t>& x) { best = std::max(best, worth(x)); });
      EXPECT_NEAR(forest.most(capacity), best, 1e-12) << round << ", " << capacity;
      std::vector<std::uint32_t> content;
      forest.content(capacity, content);
      EXPECT_NEAR(worth(content), best, 1e-12) << round << ", " << capacity;
    }
  }
}

// The hub has one replica and four partners that exchange as much with it; a node has room for it and two of them. Each pair by
// itself has room.
TEST(TrafficForestBoundTest, SeesThatPartnersOfAHubCrowdOut) {
  test::InstanceBuilder builder({"cpu"});
  const AppId hub = builder.add_app("hub", 1, {2});
  for (int k = 0; k < 4; ++k) {
    builder.data().traffic.push_back({hub, builder.add_app("partner-" + std::to_string(k), 1, {4}), 3});
  }
  builder.add_class({10}, 5);
  const Instance instance = builder.must_build();
  EXPECT_NEAR(traffic_pair_bound(instance, Supply(instance)).value, 0, 1e-9);
  EXPECT_NEAR(forest_bound(instance), 6, 0.1);
  EXPECT_LE(forest_bound(instance), 6);
}

// All ways to put up to four apps on two unequal nodes, whatever is left over: none has less remote traffic than the bound,
// however early it ends. Pairs may form circles.
TEST(TrafficForestBoundTest, NeverExceedsTheOptimum) {
  Random random(11);
  double sum = 0;
  for (int round = 0; round < 40; ++round) {
    test::InstanceBuilder builder = random_apps(random, 4, 3);
    if (random.below(2) == 1 && builder.data().traffic[1].peer != 0) builder.data().traffic.push_back({0, 2, 4});
    builder.add_class({4.0 + random.below(9), 4.0 + random.below(5)}, 1);
    builder.add_class({3.0 + random.below(9), 9}, 1);
    const Instance instance = builder.must_build();
    std::vector<std::uint32_t> most;
    for (int node = 0; node < 2; ++node) {
      for (AppId app = 0; app < 4; ++app) most.push_back(instance.replicas(app));
    }
    const TrafficGraph graph(instance);
    const std::vector<std::uint8_t> all(graph.pairs().size(), 1);
    double kept = 0;
    visit_counts(most, [&](const std::vector<std::uint32_t>& x) {
      double now = 0;
      for (std::uint32_t node = 0; node < 2; ++node) {
        std::vector<std::uint32_t> held(graph.rows());
        double cpu = 0;
        double memory = 0;
        for (AppId app = 0; app < 4; ++app) {
          if (x[app] + x[4 + app] > instance.replicas(app)) return;
          held[graph.row_of(app)] = x[4 * node + app];
          cpu += x[4 * node + app] * instance.demand(app, 0, 0);
          memory += x[4 * node + app] * instance.demand(app, 1, 0);
        }
        const std::vector<double>& capacity = instance.data().classes[node].capacity;
        if (cpu > capacity[0] || memory > capacity[1]) return;
        now += share_kept(graph, all, held);
      }
      kept = std::max(kept, now);
    });
    const double whole = info_of(Objective::kTraffic).whole(instance);
    const double least = whole * (1 - kept);
    for (const std::uint64_t work : {1u, 300u, 100'000u}) {
      EXPECT_LE(forest_bound(instance, work), least * (1 + 1e-9) + 1e-9) << round << ", work " << work;
    }
    if (least > 1e-6 * whole) sum += forest_bound(instance) / least;
  }
  EXPECT_GT(sum, 15) << "the bound is not far from most optima";
}

TEST(TrafficForestBoundTest, WithoutRoomNothingStays) {
  test::InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 2, {6});
  const AppId db = builder.add_app("db", 2, {6});
  builder.add_class({10}, 0);
  builder.data().traffic = {{web, db, 8}};
  EXPECT_NEAR(forest_bound(builder.must_build()), 8, 0.1);
}

}  // namespace
}  // namespace stowage
