#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/property/workload.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::TaggedBuilder;

Request by_shards(double shards, std::uint32_t threads = 1) {
  Request request = test::request_for("shards");
  request.options = {{"shards", shards, ""}};
  request.threads = threads;
  return request;
}

bool same(const Plan& a, const Plan& b) {
  const auto placed = [](const Placed& x, const Placed& y) {
    return x.app == y.app && x.node == y.node && x.replicas == y.replicas;
  };
  return a.nodes.size() == b.nodes.size() && a.work == b.work &&
         std::equal(a.placed.begin(), a.placed.end(), b.placed.begin(), b.placed.end(), placed) &&
         a.unplaced.size() == b.unplaced.size();
}

bool has_note(const Plan& plan, const std::string& words) {
  return std::any_of(plan.notes.begin(), plan.notes.end(),
                     [&](const Note& note) { return note.text.find(words) != std::string::npos; });
}

TEST(ShardsTest, TheSeamTakesBackWhatTheCutLoses) {
  // Three replicas of 4 fill a node and a half of 8, so that each of four shards needs two nodes. All twelve need six.
  InstanceBuilder builder;
  for (int k = 0; k < 12; ++k) builder.add_app("app-" + std::to_string(k), 1, {4});
  builder.add_class({8});
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, by_shards(4));
  EXPECT_EQ(plan.nodes.size(), 6u);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
}

TEST(ShardsTest, PlansComeCloseToThoseOfAuto) {
  const Instance instance = test::make_workload({.seed = 9, .apps = 1500, .density = 0.02}).build();
  const Plan whole = test::plan_within(instance, "auto", 3'000'000);
  const Plan plan = test::plan_by(instance, by_shards(6));
  EXPECT_TRUE(check_plan(instance, plan).ok);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_LE(static_cast<double>(plan.nodes.size()), static_cast<double>(whole.nodes.size()) * 1.003);
  EXPECT_EQ(plan.bounds[Objective::kNodes]->value, whole.bounds[Objective::kNodes]->value) << "bounds are of the whole";
}

TEST(ShardsTest, NeitherThreadsNorWorkLimitsChangeWhatIsPlanned) {
  const Instance instance = test::make_workload({.seed = 10, .apps = 300, .density = 0.1}).build();
  const Plan plan = test::plan_by(instance, by_shards(5));
  for (const std::uint32_t threads : {2u, 4u, 16u}) {
    EXPECT_TRUE(same(plan, test::plan_by(instance, by_shards(5, threads)))) << threads;
  }
  for (const double share : {.01, .1, .3, .5, .8, .99}) {
    SCOPED_TRACE(share);
    Request cut = by_shards(5, 3);
    cut.work_limit = static_cast<std::uint64_t>(std::ceil(static_cast<double>(plan.work) * share));
    const Plan first = test::plan_by(instance, cut);
    EXPECT_TRUE(check_plan(instance, first).ok);
    cut.threads = 1;
    cut.work_limit = first.work;
    EXPECT_TRUE(same(first, test::plan_by(instance, cut)));
  }
}

TEST(ShardsTest, ARunThatItsDeadlineEndsIsRepeatedByWorkAndPace) {
  const Instance instance = test::make_workload({.seed = 11, .apps = 800, .density = 0.2}).build();
  for (const std::uint64_t deadline : {5u, 40u, 150u}) {
    SCOPED_TRACE(deadline);
    Request request = by_shards(4, 2);
    request.deadline_ms = deadline;
    const Plan plan = test::plan_by(instance, request);
    EXPECT_TRUE(check_plan(instance, plan).ok);
    Request again = by_shards(4);
    again.work_limit = plan.work;
    again.options.push_back({"pace", static_cast<double>(plan.pace), ""});
    EXPECT_TRUE(same(plan, test::plan_by(instance, again)));
  }
}

TEST(ShardsTest, RunningAndPinnedReplicasAreRefusedByName) {
  for (const bool pinned : {false, true}) {
    InstanceBuilder builder = test::with_demands({1, 2});
    const NodeId node = builder.add_node(0);
    pinned ? builder.pin(0, node, 1) : builder.running(0, node, 1);
    const auto plan = run_planner(builder.must_build(), by_shards(2), nullptr);
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, Code::kUnsupported);
    EXPECT_NE(plan.error().message.find(pinned ? "pinned-replicas" : "running-replicas"), std::string::npos)
        << plan.error().message;
  }
}

TEST(ShardsTest, OptionsOutOfRangeAreRefused) {
  const Instance instance = test::with_demands({1, 2}).must_build();
  for (const char* name : {"shards", "pace"}) {
    for (const double value : {-1.0, 1e18, std::nan(""), std::numeric_limits<double>::infinity()}) {
      Request request = test::request_for("shards");
      request.options = {{name, value, ""}};
      const auto plan = run_planner(instance, request, nullptr);
      ASSERT_FALSE(plan.ok()) << name << " " << value;
      EXPECT_EQ(plan.error().code, Code::kInvalid);
      EXPECT_EQ(plan.error().path, "options[0].number");
    }
  }
}

TEST(ShardsTest, WhatCannotBeCutIsPlannedAsAWholeAndSaysSo) {
  TaggedBuilder builder;
  builder.app("web", 6, {"web"});
  builder.app("cache", 6, {"cache"});
  builder.hard(builder.replicas({"web"}, {"cache"}, 1, kNone));
  builder.nodes(6);
  // Wastes room, so that the plan is not proven optimal, and says so.
  builder.app("large", 3, {}, {7});
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, by_shards(2));
  EXPECT_TRUE(check_plan(instance, plan).ok);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_TRUE(plan.status == PlanStatus::kOptimal || has_note(plan, "Planned as one piece")) << plan.notes.size();
}

TEST(ShardsTest, RulesOverZonesHoldForTheWhole) {
  TaggedBuilder builder;
  const std::uint32_t zone = builder.group_by_label("zone", "zone");
  for (int k = 0; k < 40; ++k) {
    const std::string name = "app-" + std::to_string(k);
    builder.app(name, 2 + static_cast<std::uint32_t>(k) % 5, {name}, {1.0 + k % 4});
    if (k % 2 == 0) builder.hard(builder.skew({name}, 1, zone));
    if (k % 4 == 1) builder.hard(builder.replicas({name}, {"app-" + std::to_string(k + 1)}, 1, kNone));
    if (k % 4 == 3) builder.soft(builder.replicas({name}, {name}, 0, 0));
  }
  for (const char* label : {"zone=a", "zone=b", "zone=c"}) {
    const ClassId c = builder.add_class({12}, 0, 3);
    builder.data().classes[c].labels = {label};
  }
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, by_shards(4, 2));
  EXPECT_TRUE(check_plan(instance, plan).ok);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_FALSE(has_note(plan, "Planned as one piece"));
}

TEST(ShardsTest, NodesThatExistAreSharedAndNothingThatFitsIsLeftOver) {
  InstanceBuilder builder({"cpu", "memory"});
  for (int k = 0; k < 60; ++k) builder.add_app("app-" + std::to_string(k), 1 + k % 4, {1.0 + k % 3, 1.0 + k % 5});
  builder.add_class({8, 12}, 40);
  builder.add_class({16, 8}, 7);
  for (int k = 0; k < 10; ++k) builder.add_node(0, {k % 3 == 0 ? 2.0 : 0.0, 1.0});
  builder.close(4);
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, by_shards(7));
  EXPECT_TRUE(check_plan(instance, plan).ok);
  EXPECT_TRUE(plan.unplaced.empty());
}

TEST(ShardsTest, ACancelEndsTheRun) {
  const Instance instance = test::make_workload({.seed = 12, .apps = 3000, .density = 0.05}).build();
  Control control;
  control.cancelled = true;
  const Plan none = test::plan_by(instance, by_shards(4, 2), &control);
  EXPECT_EQ(none.status, PlanStatus::kCancelled);
  EXPECT_TRUE(check_plan(instance, none).ok);
  control.cancelled = false;
  // Much to search, so that the cancel comes in the middle of it.
  Request request = by_shards(4, 2);
  request.options.push_back({"pace", 1e12, ""});
  std::thread canceller([&] {
    while (control.best == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    control.cancelled = true;
  });
  const Plan plan = test::plan_by(instance, request, &control);
  canceller.join();
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_TRUE(plan.status == PlanStatus::kCancelled || plan.status == PlanStatus::kOptimal);
  EXPECT_TRUE(check_plan(instance, plan).ok);
}

TEST(ShardsTest, AnInstanceWithoutReplicasHasAnEmptyPlan) {
  InstanceBuilder builder;
  builder.add_app("app", 0, {1});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, by_shards(4));
  EXPECT_TRUE(plan.nodes.empty());
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
}

}  // namespace
}  // namespace stowage
