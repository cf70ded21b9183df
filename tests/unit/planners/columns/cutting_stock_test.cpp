#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

/// P1, table 5: means, standard deviations and containers of 17 services; nodes of 31.58 cores (section 6).
struct Service {
  double mean;
  double deviation;
  std::uint32_t containers;
};
constexpr Service kTable5[] = {
    {6.18, 1.73, 270},  {2.47, 0.47, 55},  {1.07, 0.43, 1618}, {4.12, 2.69, 904}, {1.06, 0.85, 576}, {0.73, 0.19, 1085},
    {1.94, 0.90, 1035}, {2.48, 0.82, 118}, {2.42, 0.97, 1450}, {2.49, 0.62, 313}, {0.97, 0.31, 44},  {2.46, 0.62, 544},
    {2.52, 0.84, 697},  {1.06, 0.57, 427}, {2.59, 0.70, 363},  {1.96, 0.55, 360}, {3.33, 0.90, 701},
};
InstanceBuilder table5(double confidence, std::uint32_t nodes) {
  InstanceBuilder builder;
  for (const Service& s : kTable5) {
    builder.add_app("service-" + std::to_string(builder.data().replicas.size()), s.containers, {s.mean});
    builder.data().variance.push_back(s.deviation * s.deviation);
  }
  builder.add_class({31.58}, nodes);
  builder.data().has_uncertainty = true;
  builder.data().uncertainty.confidence = confidence;
  return builder;
}

TEST(CuttingStockTest, PacksWhatHeuristicsMiss) {
  // 6 and 4 make 10, and 5 and 5 do; first fit by the given order puts 5 with 4.
  InstanceBuilder builder;
  builder.add_app("five", 2, {5});
  builder.add_app("four", 2, {4});
  builder.add_app("six", 2, {6});
  builder.add_class({10});
  for (const char* planner : {"csp-mac", "csp-ucac"}) {
    const Plan plan = test::plan_by(builder.must_build(), planner);
    EXPECT_EQ(plan.nodes.size(), 3u) << planner;
    EXPECT_EQ(plan.status, PlanStatus::kOptimal) << planner;
  }
}

// Of plans that are made as if nothing ran.
void expect_bound_at_most(double nodes, const Instance& instance) {
  for (const char* planner : {"csp-mac", "auto"}) {
    Request request;
    request.planner = planner;
    request.work_limit = 10'000;
    request.ignore_running = true;
    EXPECT_LE(test::plan_by(instance, request).bounds[Objective::kNodes]->value, nodes) << planner;
  }
}

// The listed node holds 9 of 10 cores on average, and with its margin more than 10. What runs there may stay, also where it is
// planned anew, so that two nodes hold everything.
TEST(CuttingStockTest, WhatExceedsANodeByItsMarginMayStayToo) {
  InstanceBuilder builder;
  const AppId runs = builder.add_app("runs", 1, {5});
  builder.add_app("waits", 1, {6});
  const ClassId c = builder.add_class({10});
  builder.data().node_class = {c};
  builder.data().load = {4};
  builder.data().load_variance = {1};
  builder.data().running = {{runs, 0, 1}};
  builder.data().has_uncertainty = true;
  builder.data().variance = {0, 0};
  const Instance instance = builder.must_build();
  expect_bound_at_most(2, instance);
}

// Three replicas run where two may be; planned as if they ran nowhere, they may stay, and one node is enough.
TEST(CuttingStockTest, WhatExceedsASelfLimitMayStayToo) {
  InstanceBuilder builder;
  const AppId runs = builder.add_app("runs", 3, {1});
  const ClassId c = builder.add_class({9});
  builder.data().node_class = {c, c};
  builder.data().running = {{runs, 1, 3}};
  builder.limit(runs, runs, 2);
  const Instance instance = builder.must_build();
  expect_bound_at_most(1, instance);
}

// A closed node takes nothing new. Planned as if it ran nowhere, the replica that runs there may stay, beside load: one node is
// enough.
TEST(CuttingStockTest, WhatRunsOnAClosedNodeMayStayToo) {
  InstanceBuilder builder;
  const AppId runs = builder.add_app("runs", 1, {1});
  const ClassId c = builder.add_class({9});
  const NodeId node = builder.add_node(c, {1});
  builder.close(node);
  builder.data().running = {{runs, node, 1}};
  const Instance instance = builder.must_build();
  expect_bound_at_most(1, instance);
}

// The listed node starts with 12 of 10 cores and may take what needs none: one node can hold everything, and no bound says
// otherwise.
TEST(CuttingStockTest, AnExceededNodeTakesWhatNeedsNothingOfIt) {
  for (const bool uncertain : {false, true}) {
    InstanceBuilder builder;
    builder.add_app("idle", 2, {0});
    const AppId busy = builder.add_app("busy", 3, {4});
    const ClassId c = builder.add_class({10}, 2);
    builder.data().node_class = {c};
    builder.data().running = {{busy, 0, 3}};
    if (uncertain) {
      builder.data().has_uncertainty = true;
      builder.data().variance = {0, 1};
    }
    const Instance instance = builder.must_build();
    for (const char* planner : {"csp-mac", "csp-ucac", "auto"}) {
      Request request;
      request.planner = planner;
      request.work_limit = 10'000;
      const Plan plan = test::plan_by(instance, request);
      EXPECT_TRUE(plan.unplaced.empty()) << planner;
      EXPECT_LE(plan.bounds[Objective::kNodes]->value, 1) << planner;
      request.ignore_running = true;
      EXPECT_LE(test::plan_by(instance, request).bounds[Objective::kNodes]->value, 1) << planner;
    }
  }
}

// At most two replicas share a node, which other bounds do not see.
TEST(CuttingStockTest, WhereNodesHavePricesCostCounts) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {5});
  builder.add_class({14}, 0, 31);
  builder.add_class({9}, 0, 20);
  const Plan plan = test::plan_by(builder.must_build(), "csp-mac");
  EXPECT_EQ(plan.cost, 51);
  EXPECT_EQ(plan.bounds[Objective::kCost]->name, "columns");
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
}

TEST(CuttingStockTest, LeastUsedCapacityPoolsSpread) {
  // Two wild and two calm replicas, two per node: sqrt(2 x 4) + 0 is less than 2 x sqrt(4).
  InstanceBuilder builder({"cpu", "slots"});
  builder.add_app("wild", 2, {2, 1});
  builder.add_app("calm", 2, {2, 1});
  builder.add_class({20, 2});
  builder.data().variance = {4, 0, 0, 0};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  Request request;
  request.planner = "csp-ucac";
  request.objective = Objective::kUcac;
  const auto plan = run_planner(builder.must_build(), request, nullptr);
  ASSERT_TRUE(plan.ok());
  EXPECT_NEAR(plan.value().ucac, 8 + std::sqrt(8.0), 1e-12);
  // Column generation ends where nothing of interest is left to prove.
  EXPECT_GE(plan.value().bounds[Objective::kUcac]->value, plan.value().ucac * (1 - 1e-5));
}

TEST(CuttingStockTest, BusyNodesKeepWhatTheyHold) {
  // On a node with a large variance, the new replica adds less than on a calm one: sqrt(9 + 1) - 3 < sqrt(1).
  InstanceBuilder builder;
  builder.add_app("old", 1, {3});
  builder.add_app("new", 1, {1});
  builder.add_class({10});
  builder.add_node(0, {2});
  builder.add_node(0);
  builder.running(0, 1, 1);
  builder.data().variance = {9, 1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const Plan plan = test::plan_by(builder.must_build(), "csp-ucac");
  ASSERT_EQ(plan.nodes.size(), 2u);
  EXPECT_EQ(plan.moves, 0u);
  EXPECT_NEAR(plan.ucac, 2 + 4 + std::sqrt(10.0), 1e-12);
  EXPECT_EQ(plan.bounds[Objective::kUcac]->name, "columns");
  EXPECT_NEAR(plan.bounds[Objective::kUcac]->value, plan.ucac, 1e-6 * plan.ucac);
}

TEST(CuttingStockTest, SelfLimitsAndFinitePools) {
  InstanceBuilder builder;
  builder.add_app("a", 7, {1});
  builder.add_class({10}, 3);
  builder.limit(0, 0, 2);
  for (const char* planner : {"csp-mac", "csp-ucac"}) {
    const Plan plan = test::plan_by(builder.must_build(), planner);
    EXPECT_EQ(plan.nodes.size(), 3u) << planner;
    ASSERT_EQ(plan.unplaced.size(), 1u) << planner;
    EXPECT_EQ(plan.unplaced[0].replicas, 1u) << planner;
  }
}

// Table 5 as printed, at 99.9 %: the linear programs that the bounds come from are at 1053.99 nodes and 33266.05 cores.
TEST(CuttingStockTest, Table5) {
  const Instance instance = table5(0.999, 4000).must_build();
  const Plan nodes = test::plan_within(instance, "csp-mac", 4'000'000);
  EXPECT_EQ(nodes.bounds[Objective::kNodes]->name, "columns");
  EXPECT_EQ(nodes.bounds[Objective::kNodes]->value, 1054);
  EXPECT_LE(nodes.nodes.size(), 1055u);
  const Plan ucac = test::plan_within(instance, "csp-ucac", 300'000);
  EXPECT_EQ(ucac.bounds[Objective::kUcac]->name, "columns");
  EXPECT_NEAR(ucac.bounds[Objective::kUcac]->value, 33266.05, 0.02);
  EXPECT_LE(ucac.ucac, ucac.bounds[Objective::kUcac]->value * 1.0002);
  for (const char* other : {"biheu", "bf-ucac"}) {
    const Plan plan = test::plan_by(instance, other);
    EXPECT_LE(ucac.ucac, plan.ucac) << other;
    EXPECT_LE(nodes.nodes.size(), plan.nodes.size()) << other;
  }
}

// A price, a second resource, a twin class, a limit and a priority that bind nothing cost nothing: neither the plan nor the
// bound.
TEST(CuttingStockTest, WhatBindsNothingCostsNothing) {
  const auto used = [](InstanceBuilder builder) {
    Request request = test::request_for("auto");
    request.objective = Objective::kUcac;
    request.work_limit = 300'000;
    const Plan plan = test::plan_by(builder.must_build(), request);
    EXPECT_TRUE(plan.unplaced.empty());
    return std::pair(plan.ucac, plan.bounds[Objective::kUcac]->value);
  };
  const auto [plain, bound] = used(table5(0.999, 4000));
  EXPECT_LT(plain, bound * 1.0002);
  std::vector<InstanceBuilder> same(4, table5(0.999, 4000));
  same[0].data().classes[0].price = 3;
  same[1].add_class({31.58}, 7);
  same[2].limit(0, 1, 500);
  same[3].priority(2, 5);
  for (std::size_t k = 0; k < same.size(); ++k) {
    const auto [value, known] = used(std::move(same[k]));
    EXPECT_NEAR(value, plain, 1e-4 * plain) << k;
    EXPECT_NEAR(known, bound, 1e-5 * bound) << k;
  }
}

/// The least used capacity at confidence of a few services on nodes of one kind, by trying all patterns for the next node.
class LeastUsed {
 public:
  LeastUsed(const Instance& instance, double capacity)
      : replicas_(instance.data().replicas), least_(1 + index(replicas_), std::numeric_limits<double>::infinity()) {
    least_[0] = 0;
    for (std::size_t state = 1; state < least_.size(); ++state) {
      if (const double used = of_node(instance, amounts(state)); used <= capacity * (1 + 1e-12))
        patterns_.emplace_back(state, used);
    }
    for (std::size_t state = 1; state < least_.size(); ++state) {
      const std::vector<std::uint32_t> wanted = amounts(state);
      for (const auto& [pattern, used] : patterns_) {
        if (pattern > state || !holds(wanted, amounts(pattern))) continue;
        least_[state] = std::min(least_[state], least_[state - pattern] + used);
      }
    }
  }
  /// Adds a node that already holds some replicas.
  void add_busy(const std::vector<std::uint32_t>& held) {
    std::vector<double> with(least_.size(), std::numeric_limits<double>::infinity());
    for (const auto& [pattern, used] : patterns_) {
      if (!holds(amounts(pattern), held)) continue;
      for (std::size_t state = pattern; state < least_.size(); ++state) {
        if (holds(amounts(state), amounts(pattern))) with[state] = std::min(with[state], least_[state - pattern] + used);
      }
    }
    least_ = std::move(with);
  }
  [[nodiscard]] double of_all() const { return least_.back(); }

 private:
  static double of_node(const Instance& instance, const std::vector<std::uint32_t>& amounts) {
    double mean = 0;
    double variance = 0;
    for (AppId i = 0; i < amounts.size(); ++i) {
      mean += amounts[i] * instance.demand(i, 0, 0);
      variance += amounts[i] * instance.data().variance[i];
    }
    return mean + instance.data().uncertainty.factor * std::sqrt(variance);
  }
  static bool holds(const std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& some) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (some[i] > all[i]) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t index(const std::vector<std::uint32_t>& amounts) const {
    std::size_t result = 0;
    for (std::size_t i = amounts.size(); i-- > 0;) result = result * (replicas_[i] + 1) + amounts[i];
    return result;
  }
  [[nodiscard]] std::vector<std::uint32_t> amounts(std::size_t index) const {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t most : replicas_) {
      result.push_back(static_cast<std::uint32_t>(index % (most + 1)));
      index /= most + 1;
    }
    return result;
  }

  std::vector<std::uint32_t> replicas_;
  std::vector<double> least_;  // per number of replicas of each service
  std::vector<std::pair<std::size_t, double>> patterns_;
};

TEST(CuttingStockTest, BoundsAndPlansOfAFewNodesEncloseTheOptimum) {
  test::Random random(21);
  std::uint64_t tight = 0;
  const std::uint64_t rounds = test::cases(60);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    InstanceBuilder builder;
    const std::uint32_t apps = random.between(2, 4);
    for (std::uint32_t i = 0; i < apps; ++i) {
      builder.add_app("s" + std::to_string(i), random.between(2, apps == 4 ? 6 : 11), {(100 + random.below(250)) / 100.0});
      builder.data().variance.push_back((5 + random.below(200)) / 100.0);
    }
    builder.add_class({10});
    builder.data().uncertainty = {ChanceModel::kFactor, 0.9, random.between(1, 3) * 1.0};
    // Busy nodes, most of which are equal.
    std::vector<std::vector<std::uint32_t>> busy(round % 2 == 0 ? 0 : random.between(1, 3),
                                                 std::vector<std::uint32_t>(apps, 0));
    for (std::vector<std::uint32_t>& held : busy) {
      const AppId app = random.chance(0.7) ? 0 : 1;
      std::uint32_t known = 0;
      for (const std::vector<std::uint32_t>& other : busy) known += other[app];
      if (known == builder.data().replicas[app]) continue;
      held[app] = 1;
      builder.running(app, builder.add_node(0), 1);
    }
    const Instance instance = builder.must_build();
    LeastUsed least(instance, 10);
    for (const std::vector<std::uint32_t>& held : busy) {
      if (held != std::vector<std::uint32_t>(apps, 0)) least.add_busy(held);
    }
    const double optimum = least.of_all();
    Request request = test::request_for("csp-ucac");
    request.objective = Objective::kUcac;
    request.work_limit = 2'000'000;
    const Plan plan = test::plan_by(instance, request);
    EXPECT_LE(plan.bounds[Objective::kUcac]->value, optimum * (1 + 1e-9)) << "round " << round;
    EXPECT_GE(plan.ucac, optimum * (1 - 1e-9)) << "round " << round;
    tight += plan.ucac <= optimum * (1 + 1e-9) ? 1 : 0;
  }
  EXPECT_GE(2 * tight, rounds);
}

// However early the run ends, the plan is complete and the bound holds.
TEST(CuttingStockTest, EndsAtAnyTimeWithABoundThatHolds) {
  const Instance instance = table5(0.99, 4000).must_build();
  const Plan best = test::plan_within(instance, "csp-ucac", 200'000);
  for (const std::uint64_t work : {1u, 3'000u, 8'000u, 20'000u, 60'000u}) {
    const Plan plan = test::plan_within(instance, "csp-ucac", work);
    EXPECT_TRUE(check_plan(instance, plan).ok);
    EXPECT_LE(plan.bounds[Objective::kUcac]->value, best.ucac) << work;
  }
}

TEST(CuttingStockTest, WithoutItsSearchTheRoundedPlanIsTheAnswer) {
  const Instance instance = table5(0.99, 4000).must_build();
  Request request = test::request_for("csp-ucac");
  request.work_limit = 300'000;
  const Plan whole = test::plan_by(instance, request);
  request.options = {{"search", 0, {}}};
  const Plan rounded = test::plan_by(instance, request);
  EXPECT_LT(rounded.work, whole.work);
  EXPECT_GE(rounded.ucac, whole.ucac);
  EXPECT_LE(rounded.bounds[Objective::kUcac]->value, whole.bounds[Objective::kUcac]->value);
}

// Periods, prices, limits between apps and rules count, too.
TEST(CuttingStockTest, HonoursWhatAutoHonours) {
  InstanceBuilder builder({"cpu"}, 2);
  // Together, the two wild ones spread least: the one by day beside the one by night, whose peaks do not meet.
  builder.add_app("day", 2, {4, 0});
  builder.add_app("night", 2, {0, 4});
  builder.add_app("alone", 1, {1, 1});
  builder.add_class({10}, 0, 2);
  builder.limit(2, 0, 0);
  builder.limit(2, 1, 0);
  builder.data().variance = {1, 1, 1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  Request request = test::request_for("csp-ucac");
  request.objective = Objective::kUcac;
  const Plan plan = test::plan_by(builder.must_build(), request);
  ASSERT_TRUE(plan.unplaced.empty());
  EXPECT_NEAR(plan.ucac, 8 + 2 + 1 + 1, 1e-9) << "all four on one node, the other one alone";
  EXPECT_GE(plan.bounds[Objective::kUcac]->value, plan.ucac * (1 - 1e-5));
}

// Triplets that fill nodes: more apps than patterns are used for otherwise.
TEST(CuttingStockTest, ManyAppsAreFineWhereFewFillANode) {
  test::Random random(4);
  InstanceBuilder builder({"cpu", "memory"});
  for (int n = 0; n < 70; ++n) {
    const double cpu = random.between(38, 49);
    const double memory = random.between(38, 49);
    builder.add_app("a" + std::to_string(n), 1, {cpu, 30});
    builder.add_app("b" + std::to_string(n), 1, {30, memory});
    builder.add_app("c" + std::to_string(n), 1, {70 - cpu, 70 - memory});
  }
  builder.add_class({100, 100});
  Request request;
  request.planner = "csp-mac";
  const auto plan = run_planner(builder.must_build(), request, nullptr);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan.value().status, PlanStatus::kOptimal);
  EXPECT_EQ(plan.value().nodes.size(), 70u);
}

}  // namespace
}  // namespace stowage
