#include "core/planners/repeated/free_domains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/domains/domains.h"
#include "core/losses/promises.h"
#include "core/run/control.h"
#include "tests/unit/losses/brute_force.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

Plan plan_leaving_free(const Instance& instance, const Request& request) {
  Result<Plan> made = run_planner(instance, request, nullptr);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().path + ": " + made.error().message);
  if (!made) return {};
  const Verification checked = verify_plan(instance, *made);
  for (const Violation& one : checked.violations) {
    EXPECT_TRUE(one.inherited) << static_cast<int>(one.kind) << " " << one.what;
  }
  EXPECT_EQ(made->leave_free, request.leave_free);
  return std::move(made.value());
}

Request leaving_free(const std::string& key, const std::string& planner = "auto") {
  Request request;
  request.planner = planner;
  if (planner == "auto") request.work_limit = 50'000;
  request.leave_free = key;
  return request;
}

/// A class per rack, `count` nodes of 10 cores each.
ClassId add_rack(InstanceBuilder& builder, const std::string& name, std::uint32_t listed, std::uint32_t count,
                 double capacity = 10) {
  const ClassId c = builder.add_class({capacity}, count);
  builder.data().classes[c].labels = {"rack=" + name};
  for (std::uint32_t k = 0; k < listed; ++k) builder.add_node(c);
  return c;
}

TEST(FreeDomainsTest, FewRacksBeforeFewNodes) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 8, {5});
  // One node of 20 in each of three racks, and a rack of four nodes of 10: two nodes of 20 would do, in two racks.
  for (const char* rack : {"a", "b", "c"}) add_rack(builder, rack, 1, 1, 20);
  add_rack(builder, "d", 4, 4);
  const Instance instance = builder.must_build();
  for (const char* planner : {"auto", "ff", "wfd-max"}) {
    const Plan plan = plan_leaving_free(instance, leaving_free("rack", planner));
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_EQ(plan.domains_in_use, 1u) << planner;
    EXPECT_EQ(plan.domain_bound, 1u);
    EXPECT_EQ(plan.nodes.size(), 4u);
    EXPECT_EQ(plan.status, PlanStatus::kComplete) << "two nodes are the bound";
  }
  Request plain = leaving_free("");
  EXPECT_EQ(plan_leaving_free(instance, plain).nodes.size(), 2u);
}

TEST(FreeDomainsTest, FewestRacksAndNodesAreProven) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 8, {5});
  for (const char* rack : {"a", "b", "c"}) add_rack(builder, rack, 0, 2);
  const Plan plan = plan_leaving_free(builder.must_build(), leaving_free("rack"));
  EXPECT_EQ(plan.domains_in_use, 2u);
  EXPECT_EQ(plan.nodes.size(), 4u);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_EQ(plan.gap, 0);
}

TEST(FreeDomainsTest, MovesFreeTheRacksThatTheyCan) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 6, {2});
  for (const char* rack : {"a", "b", "c"}) add_rack(builder, rack, 2, 2);
  builder.running(web, 0, 3).running(web, 2, 2).running(web, 4, 1);
  const Instance instance = builder.must_build();
  const std::pair<std::uint32_t, std::uint32_t> expected[] = {{0, 3}, {1, 2}, {2, 2}, {3, 1}};
  for (const auto& [moves, racks] : expected) {
    Request request = leaving_free("rack");
    request.move_budget = moves;
    const Plan plan = plan_leaving_free(instance, request);
    EXPECT_EQ(plan.domains_in_use, racks) << moves;
    EXPECT_EQ(plan.domain_bound, racks) << moves;
    EXPECT_LE(plan.moves, moves);
  }
}

TEST(FreeDomainsTest, LoadPinsAndSelectorsHoldRacks) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 2, {2});
  const AppId gpu = builder.add_app("gpu", 1, {2});
  for (const char* rack : {"a", "b", "c", "d"}) {
    const ClassId c = builder.add_class({10}, 1);
    builder.data().classes[c].labels = {std::string("rack=") + rack};
    builder.add_node(c, rack[0] == 'b' ? std::vector<double>{1} : std::vector<double>{});
  }
  builder.data().classes[2].labels.push_back("gpu=yes");
  builder.pin(web, 0, 1);
  builder.data().tags = {"gpu=yes"};
  builder.data().app_only.begin = {0, 0, 1};
  builder.data().app_only.index = {0};
  (void)gpu;
  const Plan plan = plan_leaving_free(builder.must_build(), leaving_free("rack"));
  EXPECT_EQ(plan.domains_in_use, 3u);
  EXPECT_EQ(plan.domain_bound, 3u);
  EXPECT_TRUE(plan.unplaced.empty());
}

TEST(FreeDomainsTest, ReplicasComeFirst) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 3, {2});
  builder.limit(web, web, 1);
  for (const char* rack : {"a", "b", "c"}) add_rack(builder, rack, 1, 1);
  const Plan plan = plan_leaving_free(builder.must_build(), leaving_free("rack"));
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.domains_in_use, 3u);
  EXPECT_EQ(plan.domain_bound, 1u) << "the bound does not know of limits";
  EXPECT_EQ(plan.status, PlanStatus::kComplete) << "so that nothing is proven";
}

TEST(FreeDomainsTest, WhatMeansNothingIsRefused) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 3, {2});
  add_rack(builder, "a", 0, 0);
  const Instance instance = builder.must_build();
  const auto refusal = [&](const Request& request) {
    const Result<Plan> made = run_planner(instance, request, nullptr);
    EXPECT_FALSE(made.ok());
    return made.ok() ? "" : made.error().path;
  };
  EXPECT_EQ(refusal(leaving_free("zone")), "leave_free");
  Request request = leaving_free("rack");
  request.survive = "*";
  EXPECT_EQ(refusal(request), "leave_free");
  request = leaving_free("rack");
  request.keep = {{0, 1}};
  EXPECT_EQ(refusal(request), "leave_free");
  request = leaving_free("rack");
  request.objective = Objective::kAdmitted;
  EXPECT_EQ(refusal(request), "leave_free");
  request = leaving_free("rack");
  request.planner = "nobody";
  EXPECT_EQ(refusal(request), "planner");
}

TEST(FreeDomainsTest, ACancelledRunStillGivesAPlan) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 30, {3});
  for (const char* rack : {"a", "b", "c"}) add_rack(builder, rack, 0, 10);
  const Instance instance = builder.must_build();
  Control control;
  control.cancelled.store(true);
  Result<Plan> made = run_planner(instance, leaving_free("rack"), &control);
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(verify_plan(instance, *made).ok);
}

/// The fewest racks of a plan that places all replicas on listed nodes within the moves, of all ways.
std::optional<std::uint32_t> fewest_domains(const Instance& instance, const std::string& key, std::uint64_t most_moves) {
  const Domains domains(instance, key);
  std::optional<std::uint32_t> fewest;
  test::AllPlacements(instance).visit([&](const Plan& plan) {
    std::uint64_t moves = 0;
    for (const Residence& r : instance.data().running) {
      std::uint32_t stays = 0;
      for (const Placed& one : plan.placed) stays += one.app == r.app && one.node == r.node ? one.replicas : 0;
      moves += r.replicas - std::min(r.replicas, stays);
    }
    if (moves > most_moves) return;
    const std::uint32_t used = domains_in_use(instance, domains, plan);
    if (!fewest || used < *fewest) fewest = used;
  });
  return fewest;
}

/// Five nodes in three racks or in none, with load, limits, closed nodes, and replicas that run.
Instance racks_with_everything(test::Random& random) {
  InstanceBuilder builder({"cpu", "memory"});
  const auto apps = static_cast<AppId>(1 + random.below(3));
  for (AppId app = 0; app < apps; ++app) {
    builder.add_app("app-" + std::to_string(app), static_cast<std::uint32_t>(1 + random.below(2)),
                    {static_cast<double>(1 + random.below(5)), static_cast<double>(1 + random.below(5))});
    if (random.below(4) == 0) builder.limit(app, app, 1);
    if (app > 0 && random.below(4) == 0) builder.limit(app, 0, 0);
  }
  for (int k = 0; k < 4; ++k) {
    const ClassId c = builder.add_class({static_cast<double>(5 + random.below(6)), static_cast<double>(5 + random.below(6))});
    if (k < 3) builder.data().classes[c].labels = {std::string("rack=") + "abc"[k]};
  }
  std::vector<std::uint32_t> count(4, 0);
  for (NodeId n = 0; n < 5; ++n) {
    const auto c = static_cast<ClassId>(random.below(7) % 4);
    ++count[c];
    builder.add_node(c, random.below(6) == 0 ? std::vector<double>{1, 1} : std::vector<double>{});
    if (random.below(8) == 0) builder.close(n);
  }
  // Listed nodes alone.
  for (ClassId c = 0; c < 4; ++c) {
    if (count[c] > 0) {
      builder.data().classes[c].count = count[c];
    } else {
      builder.data().classes[c].count = 1;
      builder.add_node(c);
    }
  }
  for (AppId app = 0; app < apps; ++app) {
    if (random.below(2) == 0) builder.running(app, static_cast<NodeId>(random.below(5)), 1);
  }
  return builder.must_build();
}

TEST(FreeDomainsTest, AgreesWithBruteForce) {
  test::Random random(77);
  int possible = 0, least = 0, proven = 0;
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const Instance instance = racks_with_everything(random);
    Request request = leaving_free("rack");
    request.ignore_running = random.below(2) == 0;
    request.move_budget = request.ignore_running ? 0 : static_cast<std::uint32_t>(random.below(4));
    const auto fewest = fewest_domains(instance, "rack", request.ignore_running ? 100 : request.move_budget);
    const Plan plan = plan_leaving_free(instance, request);
    if (!fewest || !plan.unplaced.empty()) continue;
    ++possible;
    EXPECT_LE(plan.domain_bound, *fewest);
    EXPECT_GE(plan.domains_in_use, *fewest);
    least += plan.domains_in_use == *fewest ? 1 : 0;
    proven += plan.domain_bound == *fewest ? 1 : 0;
  }
  EXPECT_GT(possible, 90);
  EXPECT_GE(least * 100, possible * 94) << least << " of " << possible;
  EXPECT_GE(proven * 100, possible * 80) << proven << " of " << possible;
}

TEST(FreeDomainsTest, TheCheckerCountsForItself) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 8, {5});
  for (const char* rack : {"a", "b", "c"}) add_rack(builder, rack, 0, 2);
  const Instance instance = builder.must_build();
  const Plan plan = plan_leaving_free(instance, leaving_free("rack"));
  const auto finds = [&](const Plan& changed, const std::string& what) {
    const Verification checked = verify_plan(instance, changed);
    return std::any_of(checked.violations.begin(), checked.violations.end(),
                       [&](const Violation& one) { return one.kind == ViolationKind::kFigures && one.what == what; });
  };
  Plan changed = plan;
  changed.domains_in_use = 1;
  EXPECT_TRUE(finds(changed, "domains_in_use"));
  changed = plan;
  changed.domain_bound = 3;
  EXPECT_TRUE(finds(changed, "domain_bound"));
  changed = plan;
  changed.domain_bound = 1;
  EXPECT_TRUE(finds(changed, "status")) << "optimal, and a rack more than proven";
  changed = plan;
  changed.leave_free.clear();
  EXPECT_TRUE(finds(changed, "domains_in_use"));
  EXPECT_TRUE(finds(changed, "domain_bound"));
}

}  // namespace
}  // namespace stowage
