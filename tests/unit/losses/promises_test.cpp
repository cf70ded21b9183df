#include "core/losses/promises.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "core/explain/explain.h"
#include "core/losses/loss.h"
#include "core/losses/spares.h"
#include "core/losses/survival_bound.h"
#include "core/model/labels.h"
#include "core/plan/compact_plan.h"
#include "core/planners/planner.h"
#include "core/run/control.h"
#include "tests/unit/losses/brute_force.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

Plan plan_promising(const Instance& instance, const Request& request) {
  auto result = run_planner(instance, request, nullptr);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().path + ": " + result.error().message);
  if (!result.ok()) return {};
  const Verification checked = verify_plan(instance, *result);
  EXPECT_TRUE(checked.ok);
  for (const Violation& one : checked.violations) ADD_FAILURE() << static_cast<int>(one.kind) << " " << one.what;
  return std::move(*result);
}

Request asking(const std::string& survive, std::vector<Kept> keep = {}) {
  Request request;
  request.planner = "auto";
  request.work_limit = 50'000;
  request.survive = survive;
  request.keep = std::move(keep);
  return request;
}

std::uint64_t spare_nodes(const Plan& plan) {
  return static_cast<std::uint64_t>(
      std::count_if(plan.nodes.begin(), plan.nodes.end(), [&, n = NodeId{0}](const PlannedNode&) mutable {
        const NodeId node = n++;
        return std::none_of(plan.placed.begin(), plan.placed.end(), [&](const Placed& one) { return one.node == node; });
      }));
}

/// Nodes of 10 cores in zones, `count` of each (0: as many as needed), and replicas of 6 cores: one fits on a node.
struct PromiseZones {
  InstanceBuilder builder{{"cpu"}};
  AppId big;
  PromiseZones(std::uint32_t replicas, const std::vector<std::uint32_t>& count, double price = -1) {
    big = builder.add_app("big", replicas, {6});
    for (std::size_t k = 0; k < count.size(); ++k) {
      const ClassId c = builder.add_class({10}, count[k], price);
      builder.data().classes[c].labels = {"zone=" + std::to_string(k)};
    }
  }
};

TEST(SurvivalTest, OneSpareNodeForTheLossOfAnyAndThatIsProvenBest) {
  const Instance instance = PromiseZones(7, {0}).builder.must_build();
  for (const char* planner : {"auto", "ff"}) {
    Request request = asking("*");
    request.planner = planner;
    const Plan plan = plan_promising(instance, request);
    EXPECT_EQ(plan.nodes.size(), 8u);
    EXPECT_EQ(spare_nodes(plan), 1u);
    EXPECT_EQ(plan.status, PlanStatus::kOptimal) << planner;
    ASSERT_TRUE(plan.bounds[Objective::kNodes]);
    EXPECT_EQ(plan.bounds[Objective::kNodes]->name, "survival");
    EXPECT_EQ(plan.bounds[Objective::kNodes]->value, 8);
    EXPECT_EQ(plan.gap, 0);
    EXPECT_EQ(plan.survive, "*");
    EXPECT_EQ(plan.not_survived, 0u);
  }
}

TEST(SurvivalTest, TheExplanationSaysHowManyNodesHoldReplicas) {
  const Instance instance = PromiseZones(7, {0}).builder.must_build();
  for (const bool asks : {true, false}) {
    const Plan plan = plan_promising(instance, asking(asks ? "*" : ""));
    const auto explained = explain_plan(instance, plan, kNone, nullptr);
    ASSERT_TRUE(explained.ok());
    const auto& drivers = explained.value().drivers;
    const auto at = std::find_if(drivers.begin(), drivers.end(),
                                 [](const Driver& one) { return one.kind == DriverKind::kWithoutPromises; });
    ASSERT_EQ(at != drivers.end(), asks);
    EXPECT_TRUE(!asks || at->nodes == 7);
  }
}

TEST(SurvivalTest, FreeRoomIsUsedBeforeSpareNodes) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 8, {3});
  builder.add_class({10});
  // Three nodes hold three each at most: 3 + 3 + 2. The loss of one needs a spare; nodes without room are no places.
  EXPECT_EQ(plan_promising(builder.must_build(), asking("*")).nodes.size(), 4u);
  InstanceBuilder loose({"cpu"});
  const AppId one = loose.add_app("one", 2, {5});
  loose.limit(one, one, 1);
  loose.add_class({10});
  // Each of the two nodes would have room for the other's replica, but for the self limit.
  EXPECT_EQ(plan_promising(loose.must_build(), asking("*")).nodes.size(), 3u);
}

TEST(SurvivalTest, ZonesHoldNoMoreNodesThanTheyHaveTo) {
  // 12 nodes are needed whatever zone is lost: 6 in each of three.
  const Plan even = plan_promising(PromiseZones(12, {0, 0, 0}, 2.0).builder.must_build(), asking("zone"));
  EXPECT_EQ(even.nodes.size(), 18u);
  EXPECT_EQ(even.status, PlanStatus::kOptimal);
  EXPECT_EQ(even.cost, 36);
  std::vector<int> in_zone(3, 0);
  for (const PlannedNode& node : even.nodes) ++in_zone[node.node_class];
  EXPECT_EQ(in_zone, (std::vector<int>{6, 6, 6}));
  // 8 nodes: 4 in each. 9 are one too many for zones of 10, 4 and 4.
  const Plan tight = plan_promising(PromiseZones(8, {10, 4, 4}).builder.must_build(), asking("zone"));
  EXPECT_EQ(tight.nodes.size(), 12u);
  EXPECT_EQ(tight.status, PlanStatus::kOptimal);
  const Plan short_of = plan_promising(PromiseZones(9, {10, 4, 4}).builder.must_build(), asking("zone"));
  EXPECT_GT(short_of.not_survived, 0u);
  EXPECT_EQ(short_of.status, PlanStatus::kPartial);
  EXPECT_LT(short_of.gap, 0);
  ASSERT_EQ(short_of.notes.size(), 2u);
  EXPECT_EQ(short_of.notes[0].code, NoteCode::kPromise);
  EXPECT_NE(short_of.notes[0].text.find("zone=0"), std::string::npos) << short_of.notes[0].text;
  EXPECT_EQ(short_of.notes[1].text, "No plan survives every such loss: there are too few nodes.");
}

TEST(SurvivalTest, ListedNodesAreKeptAndClosedOnesAreNot) {
  PromiseZones zones(2, {3, 2});
  for (const ClassId c : {0, 0, 0, 1, 1}) zones.builder.add_node(c);
  zones.builder.running(zones.big, 0, 1).running(zones.big, 1, 1).close(3);
  const Instance instance = zones.builder.must_build();
  const Plan single = plan_promising(instance, asking("*"));
  EXPECT_EQ(single.nodes.size(), 3u);
  EXPECT_EQ(single.moves, 0u);
  // Both run in zone 0. Zone 1 has one node that is open, and two are needed: no spare node is kept in vain.
  const Plan zoned = plan_promising(instance, asking("zone"));
  EXPECT_EQ(zoned.moves, 0u);
  EXPECT_EQ(zoned.not_survived, 2u);
  EXPECT_EQ(spare_nodes(zoned), 0u);
}

TEST(SurvivalTest, ANodeLimitHoldsForSpareNodesToo) {
  Request request = asking("*");
  request.node_limit = 7;
  const Plan plan = plan_promising(PromiseZones(7, {0}).builder.must_build(), request);
  EXPECT_EQ(plan.nodes.size(), 7u);
  EXPECT_EQ(plan.not_survived, 1u);
  EXPECT_EQ(plan.status, PlanStatus::kPartial);
}

TEST(SurvivalTest, ABoundOfPlansThatSurviveIsNoneOfTheGoalsOfOneThatDoesNot) {
  Request request = asking("*");
  request.node_limit = 7;
  request.goals = {{.what = GoalKind::kNodes}, {.what = GoalKind::kBalance}};
  const Plan plan = plan_promising(PromiseZones(7, {0}).builder.must_build(), request);
  EXPECT_EQ(plan.not_survived, 1u);
  EXPECT_LT(plan.goals[0].bound, 0);
  EXPECT_FALSE(plan.goals[0].proven);
  request.node_limit = 8;
  const Plan kept = plan_promising(PromiseZones(7, {0}).builder.must_build(), request);
  EXPECT_EQ(kept.goals[0].bound, 8);
  EXPECT_TRUE(kept.goals[0].proven);
}

TEST(SurvivalTest, PinnedReplicasAreLostWithTheirNode) {
  PromiseZones zones(2, {2});
  zones.builder.add_node(0);
  zones.builder.add_node(0);
  zones.builder.pin(zones.big, 0, 1).pin(zones.big, 1, 1);
  const Plan plan = plan_promising(zones.builder.must_build(), asking("*"));
  EXPECT_EQ(plan.nodes.size(), 2u);
  EXPECT_EQ(plan.not_survived, 0u);
}

TEST(SurvivalTest, WhoGivesUpSaysThatItIsNotKnown) {
  const Instance instance = PromiseZones(7, {0}).builder.must_build();
  Plan plan = plan_promising(instance, asking(""));
  const std::atomic<bool> flag{true};
  Watch at_once(&flag, std::nullopt);
  add_spares(instance, {.label = "", .watch = at_once}, plan);
  EXPECT_EQ(plan.nodes.size(), 7u);
  EXPECT_EQ(worst_loss(instance, plan, "", at_once), Plan::kUnknown);
  plan.survive = "*";
  plan.not_survived = Plan::kUnknown;
  plan.status = PlanStatus::kCancelled;
  plan.gap = -1;
  EXPECT_TRUE(verify_plan(instance, plan).ok);
  // A run that is cancelled at once has a plan, and says so.
  Control control;
  control.cancelled = true;
  const auto cancelled = run_planner(instance, asking("*"), &control);
  ASSERT_TRUE(cancelled.ok());
  EXPECT_TRUE(verify_plan(instance, cancelled.value()).ok);
  EXPECT_NE(cancelled.value().status, PlanStatus::kOptimal);
}

// Each of so many lost replicas needs a spare node. Some deadline comes while they are added, and then only some are.
TEST(SurvivalTest, WhoGivesUpAmongSpareNodesHasSomeOfThem) {
  constexpr std::uint32_t kReplicas = 150'000;
  const Instance instance = PromiseZones(kReplicas, {kReplicas, 0}).builder.must_build();
  Request first;
  first.planner = "ff";
  const auto planned = run_planner(instance, first, nullptr);
  ASSERT_TRUE(planned.ok());
  bool has_some = false;
  for (double seconds = 0.005; seconds < 30 && !has_some; seconds *= 1.2) {
    Plan plan = planned.value();
    const auto span = std::chrono::duration_cast<Watch::Time::duration>(std::chrono::duration<double>(seconds));
    Watch watch(nullptr, Watch::Time::now() + span);
    add_spares(instance, {.label = "zone", .watch = watch}, plan);
    if (plan.nodes.size() == 2 * kReplicas) break;
    has_some = plan.nodes.size() > kReplicas;
  }
  EXPECT_TRUE(has_some);
}

TEST(SurvivalTest, AWrongClaimIsFound) {
  const Instance instance = PromiseZones(7, {0}).builder.must_build();
  Plan plan = plan_promising(instance, asking("*"));
  plan.nodes.pop_back();
  const Verification checked = verify_plan(instance, plan);
  EXPECT_FALSE(checked.ok);
  Plan figures = plan_promising(instance, asking(""));
  ASSERT_TRUE(verify_plan(instance, figures).ok);
  figures.survive = "*";
  const Verification wrong = verify_plan(instance, figures);
  ASSERT_EQ(wrong.violations.size(), 1u);
  EXPECT_EQ(wrong.violations[0].kind, ViolationKind::kPromise);
  EXPECT_EQ(wrong.violations[0].what, "not_survived");
  EXPECT_EQ(wrong.violations[0].amount, 1);
  figures.not_survived = 1;
  EXPECT_FALSE(verify_plan(instance, figures).ok) << "the status says that nothing is missing";
}

TEST(SurvivalTest, TheLevelIsTheLeastOfAllChoices) {
  test::Random random(5);
  for (int round = 0; round < 300; ++round) {
    InstanceBuilder builder({"cpu"});
    builder.add_app("one", 1, {1});
    std::vector<std::uint32_t> sizes;
    for (int k = 0; k < 3; ++k) sizes.push_back(static_cast<std::uint32_t>(random.below(6)));
    const auto safe = static_cast<std::uint32_t>(random.below(3));
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (sizes[k] == 0) continue;
      const ClassId c = builder.add_class({10}, sizes[k]);
      builder.data().classes[c].labels = {"zone=" + std::to_string(k)};
    }
    if (safe > 0) builder.add_class({10}, safe);
    if (builder.data().classes.empty()) continue;
    const DomainSizes of(builder.must_build(), "zone", true);
    for (std::uint64_t nodes = 1; nodes < 14; ++nodes) {
      std::uint64_t least = ~std::uint64_t{0};
      for (std::uint32_t a = 0; a <= sizes[0]; ++a) {
        for (std::uint32_t b = 0; b <= sizes[1]; ++b) {
          for (std::uint32_t c = 0; c <= sizes[2]; ++c) {
            const std::uint32_t most = std::max({a, b, c});
            for (std::uint32_t s = 0; s <= safe; ++s) {
              const std::uint64_t all = std::uint64_t{a} + b + c + s;
              if (all - most >= nodes) least = std::min(least, all);
            }
          }
        }
      }
      const auto level = of.level(nodes);
      EXPECT_EQ(level ? nodes + *level : ~std::uint64_t{0}, least) << round << " " << nodes;
    }
  }
}

/// The least value of nodes or prices of a plan that survives, of all ways to place replicas on listed nodes.
class SurvivalBruteForce {
 public:
  SurvivalBruteForce(const Instance& instance, std::string label) : instance_(instance), label_(std::move(label)) {}
  /// Negative: no plan survives.
  double best() {
    test::AllPlacements(instance_).visit([this](const Plan& plan) {
      plan_ = plan;
      judge_plan();
    });
    return best_;
  }

 private:
  void judge_plan() {
    for (std::uint32_t kept = 0; kept < (1u << instance_.listed_nodes()); ++kept) {
      double value = 0;
      bool holds_all = true;
      for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
        if ((kept >> n & 1) != 0) value += instance_.has_prices() ? instance_.node_cost(instance_.data().node_class[n]) : 1;
      }
      for (const Placed& one : plan_.placed) holds_all = holds_all && (kept >> one.node & 1) != 0;
      if (holds_all && (best_ < 0 || value < best_) && survives(kept)) best_ = value;
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> losses() const {
    std::vector<std::uint32_t> all;
    if (label_.empty()) {
      for (NodeId n = 0; n < instance_.listed_nodes(); ++n) all.push_back(1u << n);
      return all;
    }
    for (const char* value : {"a", "b"}) {
      std::uint32_t of = 0;
      for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
        visit_values(instance_, n, instance_.data().node_class[n], label_,
                     [&](std::string_view one) { of |= one == value ? 1u << n : 0; });
      }
      all.push_back(of);
    }
    return all;
  }
  [[nodiscard]] bool survives(std::uint32_t kept) const {
    for (const std::uint32_t lost : losses()) {
      Plan after = plan_;
      std::vector<AppId> apps;
      std::erase_if(after.placed, [&](const Placed& one) {
        if ((lost >> one.node & 1) == 0) return false;
        apps.insert(apps.end(), one.replicas, one.app);
        return true;
      });
      std::vector<NodeId> open;
      for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
        if ((kept & ~lost) >> n & 1) open.push_back(n);
      }
      if (test::fewest_left(instance_, after, apps, open) > 0) return false;
    }
    return true;
  }

  const Instance& instance_;
  std::string label_;
  Plan plan_;
  double best_ = -1;
};

TEST(SurvivalTest, AgreesWithBruteForce) {
  test::Random random(31);
  int possible = 0, found = 0, best = 0, proven = 0;
  for (int round = 0; round < 80; ++round) {
    SCOPED_TRACE(round);
    const bool has_prices = random.below(2) == 0;
    InstanceBuilder builder({"cpu", "memory"});
    const auto apps = static_cast<AppId>(1 + random.below(2));
    for (AppId app = 0; app < apps; ++app) {
      builder.add_app("app-" + std::to_string(app), static_cast<std::uint32_t>(1 + random.below(2)),
                      {static_cast<double>(1 + random.below(7)), static_cast<double>(1 + random.below(7))});
      if (random.below(3) == 0) builder.limit(app, app, 1);
    }
    for (int k = 0; k < 2; ++k) {
      const ClassId c = builder.add_class({static_cast<double>(6 + random.below(6)), static_cast<double>(6 + random.below(6))},
                                          0, has_prices ? static_cast<double>(1 + random.below(4)) : -1);
      builder.data().classes[c].labels = {k == 0 ? "zone=a" : "zone=b"};
      builder.data().classes[c].count = 2;
      builder.add_node(c);
      builder.add_node(c);
    }
    const Instance instance = builder.must_build();
    for (const char* survive : {"*", "zone"}) {
      const double least = SurvivalBruteForce(instance, survived_label(survive)).best();
      const Plan plan = plan_promising(instance, asking(survive));
      const bool survives = plan.unplaced.empty() && plan.not_survived == 0;
      const Objective judged = judged_by(instance, Objective::kNodes);
      if (least < 0) {
        EXPECT_FALSE(survives);
        EXPECT_NE(plan.status, PlanStatus::kOptimal);
        continue;
      }
      ++possible;
      ASSERT_TRUE(plan.bounds[judged]);
      EXPECT_LE(plan.bounds[judged]->value, least * (1 + 1e-9));
      if (!survives) continue;
      ++found;
      EXPECT_GE(value(instance, plan, judged), least - 1e-9);
      best += value(instance, plan, judged) <= least + 1e-9 ? 1 : 0;
      proven += plan.status == PlanStatus::kOptimal ? 1 : 0;
    }
  }
  RecordProperty("possible", possible);
  EXPECT_GT(possible, 40);
  EXPECT_GE(found * 10, possible * 9) << found << " of " << possible;
  EXPECT_GE(best * 10, found * 8) << best << " of " << found;
  EXPECT_GT(proven, 10);
}

TEST(KeepTest, RoomIsKeptAllAtOnce) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 5, {3});
  const AppId db = builder.add_app("db", 1, {6});
  builder.add_class({10});
  builder.limit(db, web, 0);
  const Instance instance = builder.must_build();
  for (const char* planner : {"auto", "ff", "wfd-max"}) {
    Request request = asking("", {{web, 2}, {db, 1}});
    request.planner = planner;
    const Plan plan = plan_promising(instance, request);
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_TRUE(plan.unreserved.empty());
    std::uint32_t of_web = 0, of_db = 0;
    for (const Placed& one : plan.reserved) (one.app == web ? of_web : of_db) += one.replicas;
    EXPECT_EQ(of_web, 2u);
    EXPECT_EQ(of_db, 1u);
    // Seven of web need three nodes, and two of db two more.
    EXPECT_EQ(plan.nodes.size(), 5u);
    EXPECT_EQ(plan.instance, instance.fingerprint());
  }
}

// Room for 7 of 24 replicas that stand five times in fours and once in a four beside another app.
TEST(KeepTest, RoomIsKeptByCopies) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 17, {2});
  const AppId db = builder.add_app("db", 1, {2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Plan all;
  all.instance = instance.fingerprint();
  all.planner = "ff";
  all.status = PlanStatus::kComplete;
  all.nodes = {{0, kNone, 1}, {0, kNone, 5}};
  all.placed = {{web, 0, 4}, {db, 0, 1}, {web, 1, 4}};
  for (const bool by_copies : {false, true}) {
    Plan plan = all;
    reserve_kept(instance, {{web, 7}}, true, by_copies, plan);
    std::uint64_t placed = 0, reserved = 0;
    for (const Placed& one : plan.placed) placed += one.app == web ? one.replicas * plan.nodes[one.node].copies : 0;
    for (const Placed& one : plan.reserved) reserved += one.replicas * plan.nodes[one.node].copies;
    EXPECT_EQ(placed, 17u);
    EXPECT_EQ(reserved, 7u);
    EXPECT_EQ(nodes_in_use(plan), 6u);
    EXPECT_TRUE(plan.unreserved.empty());
    EXPECT_EQ(plan.nodes.size(), by_copies ? 3u : 6u) << "one entry for those with all, with some and with none of it";
    for (const Violation& one : verify_plan(instance, plan).violations) EXPECT_EQ(one.kind, ViolationKind::kFigures);
  }
}

TEST(KeepTest, NothingIsReservedByOneWhoHasNoTime) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 6, {2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Plan plan;
  plan.nodes = {{0, kNone, 2}};
  plan.placed = {{web, 0, 3}};
  Watch watch(nullptr, Watch::Time::now());
  reserve_greedily(instance, {{web, 2}}, 0, watch, plan);
  EXPECT_EQ(plan.nodes.size(), 1u) << "copies still stand together";
  EXPECT_TRUE(plan.reserved.empty());
  ASSERT_EQ(plan.unreserved.size(), 1u);
  EXPECT_EQ(plan.unreserved[0].replicas, 2u);
}

TEST(KeepTest, ReplicasComeBeforeRoomForMore) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 3, {4});
  const AppId db = builder.add_app("db", 2, {5});
  builder.add_class({10}, 3);
  const Instance instance = builder.must_build();
  const Plan plan = plan_promising(instance, asking("", {{web, 4}}));
  EXPECT_TRUE(plan.unplaced.empty());
  std::uint32_t reserved = 0;
  for (const Placed& one : plan.reserved) reserved += one.replicas;
  ASSERT_EQ(plan.unreserved.size(), 1u);
  EXPECT_EQ(reserved + plan.unreserved[0].replicas, 4u);
  EXPECT_GE(reserved, 1u);
  EXPECT_EQ(plan.status, PlanStatus::kPartial);
  EXPECT_LT(plan.gap, 0);
  ASSERT_FALSE(plan.notes.empty());
  EXPECT_EQ(plan.notes.back().code, NoteCode::kPromise);
  (void)db;
}

TEST(KeepTest, RunningReplicasStayAndAreNotReserved) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 2, {4});
  builder.add_class({10}, 3);
  for (int k = 0; k < 3; ++k) builder.add_node(0);
  builder.running(web, 2, 2);
  const Plan plan = plan_promising(builder.must_build(), asking("", {{web, 1}}));
  EXPECT_EQ(plan.moves, 0u);
  EXPECT_EQ(plan.nodes.size(), 2u);
  ASSERT_EQ(plan.placed.size(), 1u);
  EXPECT_EQ(plan.nodes[plan.placed[0].node].listed, 2u);
}

TEST(KeepTest, GoesWithLossesAndCompactPlans) {
  PromiseZones zones(6, {0, 0});
  Request request = asking("*", {{zones.big, 2}});
  request.compact = true;
  const Instance instance = zones.builder.must_build();
  const Plan plan = plan_promising(instance, request);
  std::uint64_t nodes = 0;
  for (const PlannedNode& node : plan.nodes) nodes += node.copies;
  // Eight nodes for six and two more; a lost node's replica goes where room is kept.
  EXPECT_EQ(nodes, 8u);
  EXPECT_LT(plan.nodes.size(), 5u);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
}

TEST(KeepTest, WhatIsReservedIsChecked) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 3, {3});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Plan plan = plan_promising(instance, asking(""));
  ASSERT_EQ(plan.nodes.size(), 1u);
  plan.reserved = {{web, 0, 1}};
  Verification checked = verify_plan(instance, plan);
  ASSERT_FALSE(checked.ok);
  EXPECT_EQ(checked.violations[0].kind, ViolationKind::kCapacity);
  EXPECT_EQ(checked.violations[0].what, "reserved");
  for (const Placed& bad : {Placed{web, 1, 1}, Placed{7, 0, 1}, Placed{web, 0, 0}}) {
    plan.reserved = {bad};
    checked = verify_plan(instance, plan);
    ASSERT_FALSE(checked.ok);
    EXPECT_EQ(checked.violations[0].kind, ViolationKind::kBadEntry);
  }
  plan.reserved.clear();
  plan.unreserved = {{9, 1}};
  EXPECT_FALSE(verify_plan(instance, plan).ok);
}

TEST(PromisesTest, RefusesWhatMeansNothing) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 3, {3});
  const AppId nowhere = builder.add_app("nowhere", 0, {3});
  builder.limit(nowhere, nowhere, 0);
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const auto refused = [&](const Request& request) {
    const auto plan = run_planner(instance, request, nullptr);
    return plan.ok() ? std::string("not refused") : plan.error().path;
  };
  EXPECT_EQ(refused(asking("zone")), "survive");
  EXPECT_EQ(refused(asking("", {{5, 1}})), "keep[0].app");
  EXPECT_EQ(refused(asking("", {{0, 1}, {0, 1}})), "keep[1].app");
  EXPECT_EQ(refused(asking("", {{0, 0}})), "keep[0].replicas");
  EXPECT_EQ(refused(asking("", {{0, kNone - 2}})), "keep[0].replicas");
  EXPECT_EQ(refused(asking("", {{0, 1'000'000'000}})), "keep");
  EXPECT_EQ(refused(asking("", {{nowhere, 1}})), "keep");
  Request request = asking("", {{0, 1}});
  request.all_or_nothing = true;
  request.planner = "tag-search";
  EXPECT_EQ(refused(request), "keep");
  request = asking("*");
  request.objective = Objective::kAdmitted;
  EXPECT_EQ(refused(request), "survive");
}

}  // namespace
}  // namespace stowage
