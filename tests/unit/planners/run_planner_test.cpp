#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/planners/judging.h"
#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

void expect_refused(const Instance& instance, const Request& wish, Code code, const std::string& path,
                    const std::vector<std::string>& words) {
  const auto plan = run_planner(instance, wish, nullptr);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, code) << plan.error().message;
  EXPECT_EQ(plan.error().path, path) << plan.error().message;
  for (const std::string& word : words) EXPECT_NE(plan.error().message.find(word), std::string::npos) << plan.error().message;
}

// --- What is refused --------------------------------------------------------------------------------------------------------

TEST(RunPlannerTest, UnknownPlanners) {
  expect_refused(test::with_demands({1}).must_build(), test::request_for("best"), Code::kNotFound, "planner", {"best"});
  expect_refused(test::with_demands({1}).must_build(), test::request_for(""), Code::kNotFound, "planner", {});
}

TEST(RunPlannerTest, FeaturesThatAPlannerDoesNotHonourAreNamed) {
  Request wish = test::request_for("lrasched-ilp");
  wish.objective = Objective::kAdmitted;
  InstanceBuilder builder = test::with_demands({1, 2});
  builder.data().variance = {0, 1};
  builder.priority(0, 1);
  expect_refused(builder.must_build(), wish, Code::kUnsupported, "planner", {"lrasched-ilp", "priorities", "bf-ucac"});
  builder.data().tags = {"t"};
  builder.data().app_tags = {{0, 1, 1}, {0}};
  builder.data().rules.resize(1);
  Cardinality part;
  part.subject = {0};
  part.target = {0};
  builder.data().rules[0].any_of = {{part}};
  expect_refused(builder.must_build(), wish, Code::kUnsupported, "planner", {"lrasched-ilp", "placement-rules", "bf-ucac"});
}

TEST(RunPlannerTest, EveryPlannerRefusesOrHonoursEachFeature) {
  // The refusal names planners that honour the features; none of them may refuse.
  InstanceBuilder builder = test::with_demands({1, 2});
  builder.data().variance = {0, 1};
  builder.priority(0, 1);
  const Instance instance = builder.must_build();
  for (const PlannerInfo& info : planners()) {
    Request request = test::request_for(info.name);
    if (!info.pursues.contains(Objective::kNodes)) request.objective = Objective::kAdmitted;
    const auto plan = run_planner(instance, request, nullptr);
    const bool pursued = info.pursues.contains(request.objective);
    if ((instance.features() & ~info.honours) == 0 && pursued && !info.needs_solver) {
      EXPECT_TRUE(plan.ok()) << info.name;
    } else {
      ASSERT_FALSE(plan.ok()) << info.name;
      EXPECT_EQ(plan.error().code, Code::kUnsupported);
    }
  }
}

TEST(RunPlannerTest, Options) {
  const Instance instance = test::with_demands({1}).must_build();
  Request wish = test::request_for("bfd-avg");
  wish.options = {{"alpha", 0.5, ""}, {"beta", 1, ""}};
  expect_refused(instance, wish, Code::kNotFound, "options[1].name", {"bfd-avg", "beta"});
  for (const double outside : {-0.001, 1.001, std::nan(""), std::numeric_limits<double>::infinity()}) {
    wish.options = {{"epsilon", 0.5, ""}, {"alpha", outside, ""}};
    expect_refused(instance, wish, Code::kInvalid, "options[1].number", {"alpha"});
  }
  wish.options = {{"alpha", 0.5, ""}, {"epsilon", 0, ""}, {"alpha", 0.5, ""}};
  expect_refused(instance, wish, Code::kInvalid, "options[2].name", {"alpha"});
  wish.options = {{"alpha", 0, ""}, {"epsilon", 64, ""}};
  EXPECT_TRUE(run_planner(instance, wish, nullptr).ok()) << "the ends of the ranges are inside";
  wish.planner = "ff";
  expect_refused(instance, wish, Code::kNotFound, "options[0].name", {"ff"});
}

TEST(RunPlannerTest, OptionsDefaultToWhatIsDeclared) {
  constexpr OptionInfo kDeclared[] = {{"one", "", 1, 0, 9}, {"two", "", 2, 0, 9}};
  Request wish;
  wish.options = {{"two", 7, ""}};
  const Options options(kDeclared, wish);
  EXPECT_EQ(options.number("one"), 1);
  EXPECT_EQ(options.number("two"), 7);
  EXPECT_TRUE(std::isnan(options.number("three")));
}

TEST(RunPlannerTest, CallersLimits) {
  Limits limits;
  limits.max_threads = 4;
  limits.max_nodes = 2;
  Request wish = test::request_for("ff");
  wish.threads = 5;
  expect_refused(test::with_demands({6, 6}).must_build(limits), wish, Code::kLimitExceeded, "threads", {});
  wish.threads = 4;
  EXPECT_TRUE(run_planner(test::with_demands({6, 6}).must_build(limits), wish, nullptr).ok());
  for (const char* planner : {"ff", "bf", "wfd"}) {
    expect_refused(test::with_demands({6, 6, 6}).must_build(limits), test::request_for(planner), Code::kLimitExceeded, "",
                   {"max_nodes"});
  }
}

// --- Status and figures -----------------------------------------------------------------------------------------------------

TEST(RunPlannerTest, Optimal) {
  // 14 cores need two nodes of ten cores.
  const Plan plan = test::plan_by(test::with_demands({6, 4, 4}).must_build(), test::request_for("ff"));
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_EQ(plan.nodes.size(), 2);
  EXPECT_EQ(plan.bounds[Objective::kNodes]->value, 2);
  EXPECT_EQ(plan.gap, 0);
  EXPECT_EQ(plan.planner, "ff");
  EXPECT_LT(plan.cost, 0) << "no prices, no cost";
  EXPECT_FALSE(plan.bounds[Objective::kCost].has_value());
}

// Nodes of equal content are looked at once. The figures are the same, and so is the list unless it is to be compact.
TEST(RunPlannerTest, AlikeNodesAreJudgedOnce) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 6, {6});
  builder.add_app("db", 3, {9});
  builder.add_class({20}, 0, 2.5);
  const Instance instance = builder.must_build();
  for (const bool is_compact : {false, true}) {
    Request request = test::request_for("ff");
    request.compact = is_compact;
    LazyBounds bounds(instance, request);
    Plan plan;
    plan.planner = "ff";
    plan.nodes = {{0, kNone}, {0, kNone}, {0, kNone}, {0, kNone}, {0, kNone}};
    plan.placed = {{0, 0, 2}, {1, 1, 2}, {0, 2, 2}, {1, 3, 1}, {0, 4, 2}};
    Plan alike = plan;
    ASSERT_TRUE(judge(instance, request, bounds, {}, Stop::kNo, {}, plan).value());
    ASSERT_TRUE(judge_alike(instance, request, bounds, {}, Stop::kNo, {}, alike).value());
    EXPECT_EQ(alike.nodes.size(), is_compact ? 3u : 5u);
    list_nodes(request, plan);
    list_nodes(request, alike);
    EXPECT_EQ(alike.cost, plan.cost);
    EXPECT_EQ(alike.status, plan.status);
    ASSERT_EQ(alike.placed.size(), plan.placed.size());
    for (std::size_t k = 0; k < plan.placed.size(); ++k) EXPECT_EQ(alike.placed[k].node, plan.placed[k].node);
  }
}

TEST(RunPlannerTest, Complete) {
  // 3 + 6, 4, 7: three nodes, where 20 cores prove two.
  const Instance instance = test::with_demands({3, 6, 4, 7}).must_build();
  const Plan plan = test::plan_by(instance, test::request_for("ff"));
  EXPECT_EQ(plan.status, PlanStatus::kComplete);
  EXPECT_EQ(plan.nodes.size(), 3);
  EXPECT_EQ(plan.bounds[Objective::kNodes]->value, 2);
  EXPECT_EQ(plan.gap, 0.5);
  EXPECT_EQ(plan.instance, instance.fingerprint());
  EXPECT_TRUE(plan.unplaced.empty());
}

TEST(RunPlannerTest, Partial) {
  // Two nodes of ten: 3 + 6 and 4 leave no room for 7. Decreasing order places all, so that infeasibility is not proven.
  const Instance instance = test::with_demands({3, 6, 4, 7}, 2).must_build();
  const Plan plan = test::plan_by(instance, test::request_for("ff"));
  EXPECT_EQ(plan.status, PlanStatus::kPartial);
  EXPECT_EQ(test::left_over(instance, plan), "app-3:1");
  EXPECT_LT(plan.gap, 0);
  EXPECT_EQ(test::plan_by(instance, test::request_for("ffd")).status, PlanStatus::kOptimal);
}

TEST(RunPlannerTest, InfeasibleProven) {
  const Plan crowded = test::plan_by(test::with_demands({7, 7, 7}, 2).must_build(), test::request_for("ff"));
  EXPECT_EQ(crowded.status, PlanStatus::kInfeasibleProven) << "21 cores of 20";
  const Plan whale = test::plan_by(test::with_demands({3, 11}).must_build(), test::request_for("ff"));
  EXPECT_EQ(whale.status, PlanStatus::kInfeasibleProven) << "11 cores fit on no node";
}

TEST(RunPlannerTest, NothingToDo) {
  InstanceBuilder builder;
  builder.add_class({10});
  const Plan plan = test::plan_by(builder.must_build(), test::request_for("ff"));
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_TRUE(plan.nodes.empty());
  EXPECT_LT(plan.gap, 0) << "no statement about zero nodes";
}

TEST(RunPlannerTest, PricesDecideWhatOptimalMeans) {
  InstanceBuilder builder;
  builder.add_app("web", 1, {6});
  builder.add_app("cache", 2, {2});
  builder.add_class({10}, 0, 5);
  builder.add_class({6}, 0, 1);
  const Plan plan = test::plan_by(builder.must_build(), test::request_for("ff"));
  // Cheapest feasible: web on a node of 6, both caches on another: cost 2. Ten cores at 1/6 per core cost at least 1.67, and
  // costs are whole numbers.
  EXPECT_EQ(plan.cost, 2);
  EXPECT_TRUE(plan.bounds[Objective::kCost].has_value());
  EXPECT_NEAR(plan.bounds[Objective::kCost]->value, 2, 1e-9);
  EXPECT_EQ(plan.bounds[Objective::kNodes]->value, 1);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
}

TEST(RunPlannerTest, NodeLimit) {
  const Instance instance = test::with_demands({6, 6, 6, 4}).must_build();
  Request wish = test::request_for("ff");
  wish.node_limit = 2;
  const Plan plan = test::plan_by(instance, wish);
  EXPECT_EQ(plan.nodes.size(), 2);
  EXPECT_EQ(test::who_sits_where(instance, plan), "app-0:1 app-3:1 | app-1:1");
  EXPECT_EQ(plan.status, PlanStatus::kInfeasibleProven) << "22 cores of 20";
  ASSERT_TRUE(plan.left_over_bound.has_value());
  EXPECT_EQ(plan.left_over_bound->by_priority().at(0), 1u) << "4 + 6 + 6 cores fit";
  EXPECT_TRUE(places_most(instance, plan)) << "one is left over";
  EXPECT_TRUE(plan.places_most);
  wish.node_limit = 3;
  const Plan complete = test::plan_by(instance, wish);
  EXPECT_EQ(complete.status, PlanStatus::kOptimal) << "three replicas above half a node";
  EXPECT_FALSE(complete.left_over_bound.has_value());
  EXPECT_FALSE(complete.places_most);
}

// Three replicas that should be apart, on nodes for two: two nodes at least. ff leaves two beside each other, which violates
// the rule for both of them.
TEST(RunPlannerTest, PricedViolationsCountInStatusAndGap) {
  test::TaggedBuilder builder;
  builder.app("web", 3, {"web"}, {5});
  builder.add_class({10});
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0), 1);
  const Instance instance = builder.must_build();
  Request request = test::request_for("ffd-avg");
  request.node_limit = 2;
  for (const SoftPolicy policy : {SoftPolicy::kFirst, SoftPolicy::kLast}) {
    request.soft = policy;
    const Plan plan = test::plan_by(instance, request);
    // Where violations come first, a plan that has some may not be best. Where they come last, they cost nothing.
    EXPECT_EQ(plan.status, policy == SoftPolicy::kFirst ? PlanStatus::kComplete : PlanStatus::kOptimal);
    EXPECT_EQ(plan.gap, 0);
    EXPECT_EQ(plan.soft, policy);
    EXPECT_TRUE(check_plan(instance, plan).ok);
    Plan claim = plan;
    claim.status = PlanStatus::kOptimal;
    EXPECT_EQ(check_plan(instance, claim).ok, policy == SoftPolicy::kLast);
  }
  request.soft = SoftPolicy::kPrice;
  request.soft_price = 0.25;
  const Plan plan = test::plan_by(instance, request);
  EXPECT_EQ(plan.status, PlanStatus::kComplete);
  ASSERT_GT(plan.rule_costs.cost, 0);
  EXPECT_DOUBLE_EQ(plan.gap, 0.25 * plan.rule_costs.cost / 2);
  EXPECT_EQ(plan.soft_price, 0.25);
  EXPECT_TRUE(check_plan(instance, plan).ok);
}

TEST(RunPlannerTest, SoftPricesThatCannotCountAreRefused) {
  const Instance instance = test::with_demands({6}).must_build();
  Request request = test::request_for("ff");
  request.soft_price = 1;
  EXPECT_EQ(run_planner(instance, request, nullptr).error().path, "soft_price");
  request.soft = SoftPolicy::kPrice;
  EXPECT_TRUE(run_planner(instance, request, nullptr).ok());
  request.soft_price = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run_planner(instance, request, nullptr).error().path, "soft_price");
}

TEST(RunPlannerTest, PatienceEndsASearchAndSaysSo) {
  // Thirty apps that exclude each other, and which have room on four nodes.
  InstanceBuilder builder;
  for (AppId app = 0; app < 30; ++app) builder.add_app("app-" + std::to_string(app), 1, {1.1});
  for (AppId app = 0; app < 30; ++app) {
    for (AppId other = 0; other < 30; ++other) {
      if (other != app) builder.limit(app, other, 0);
    }
  }
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Request request = test::request_for("auto");
  request.deadline_ms = 60'000;
  request.patience_ms = 20;
  const auto begin = std::chrono::steady_clock::now();
  const Plan plan = test::plan_by(instance, request);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_TRUE(plan.status == PlanStatus::kComplete || plan.status == PlanStatus::kOptimal);
  for (const Note& note : plan.notes) EXPECT_EQ(note.code, NoteCode::kEndedEarly);
  Request again = test::request_for("auto");
  again.work_limit = plan.work;
  const Plan same = test::plan_by(instance, again);
  EXPECT_EQ(test::who_sits_where(instance, same), test::who_sits_where(instance, plan));
  EXPECT_EQ(same.work, plan.work);
}

TEST(RunPlannerTest, MovesAndInheritedViolationsAreCounted) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 3, {6});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  builder.running(web, 1, 2);  // 12 of 10 cores
  const Instance instance = builder.must_build();
  const Plan kept = test::plan_by(instance, test::request_for("ff"));
  EXPECT_EQ(test::who_sits_where(instance, kept), "web:1 | web:2");
  EXPECT_EQ(kept.moves, 0);
  EXPECT_EQ(kept.inherited_violations, 1);
  Request fresh = test::request_for("ff");
  fresh.ignore_running = true;
  const Plan moved = test::plan_by(instance, fresh);
  EXPECT_EQ(test::who_sits_where(instance, moved), "web:1 | web:1 | web:1");
  EXPECT_EQ(moved.moves, 1) << "one of the two replicas that ran on node 1 is still there";
  EXPECT_EQ(moved.inherited_violations, 0);
}

// --- Cancel, deadline, work
// -----------------------------------------------------------------------------------------------------

TEST(RunPlannerTest, ACancelledRunSaysSo) {
  const Instance instance = test::with_demands({6, 6, 6, 4}).must_build();
  Control control;
  control.cancelled = true;
  for (const PlannerInfo& info : planners()) {
    if (info.needs_solver || !info.pursues.contains(Objective::kNodes)) continue;
    const Plan plan = test::plan_by(instance, test::request_for(info.name), &control);
    // A plan that is proven optimal before the flag is checked may claim so.
    EXPECT_EQ(plan.status, plan.unplaced.empty() && plan.nodes.size() == 3 ? PlanStatus::kOptimal : PlanStatus::kCancelled)
        << info.name;
    EXPECT_EQ(control.phase, static_cast<std::uint32_t>(Phase::kDone)) << info.name;
  }
  EXPECT_FALSE(test::plan_by(instance, test::request_for("ff"), &control).unplaced.empty());
}

// Whatever a run does before it sees that it is over, its work repeats it.
TEST(RunPlannerTest, ARunThatIsOverBeforeItBeginsIsRepeatedByItsWork) {
  const Instance instance = test::with_demands({6, 6, 6, 4, 2, 2, 1}).must_build();
  Control control;
  control.cancelled = true;
  for (const PlannerInfo& info : planners()) {
    if (info.needs_solver || !info.pursues.contains(Objective::kNodes)) continue;
    const Plan cut = test::plan_by(instance, test::request_for(info.name), &control);
    ASSERT_GE(cut.work, 1u) << info.name;
    const Plan again = test::plan_within(instance, info.name, cut.work);
    EXPECT_EQ(again.work, cut.work) << info.name;
    EXPECT_EQ(again.placed.size(), cut.placed.size()) << info.name;
    EXPECT_EQ(again.nodes.size(), cut.nodes.size()) << info.name;
    EXPECT_EQ(again.unplaced.size(), cut.unplaced.size()) << info.name;
  }
}

// A plan that the checker refuses, here since it lacks replicas, never reaches the caller.
TEST(RunPlannerTest, ThePlanOfTheStartTakesThePlaceOfOneThatIsRefused) {
  InstanceBuilder builder = test::with_demands({6, 6, 4});
  builder.add_node(0);
  builder.add_node(0);
  builder.data().running = {{1, 0, 1}};
  builder.data().pinned = {{2, 1, 1}};
  const Instance instance = builder.must_build();
  for (const bool ignores : {false, true}) {
    Request request = test::request_for("auto");
    request.move_budget = 1;
    request.ignore_running = ignores;
    LazyBounds bounds(instance, request);
    Plan plan;
    plan.planner = "auto";
    plan.work = 7;
    plan.placed = {{0, 0, 1}};
    plan.nodes = {{0, kNone}};
    EXPECT_EQ(judge(instance, request, bounds, {}, Stop::kNo, {}, plan).error().code, Code::kInternal);
    ASSERT_TRUE(judge_or_start(instance, request, bounds, {}, Stop::kNo, {}, plan).ok());
    EXPECT_TRUE(check_plan(instance, plan).ok);
    EXPECT_EQ(plan.work, 7u);
    EXPECT_EQ(plan.moves, ignores ? 1u : 0u);
    EXPECT_EQ(plan.unplaced.size(), ignores ? 2u : 1u);
    ASSERT_FALSE(plan.notes.empty());
    EXPECT_EQ(plan.notes[0].code, NoteCode::kStartPlan);
  }
}

TEST(RunPlannerTest, TheWorkLimitEndsTheRun) {
  Request wish = test::request_for("ff");
  wish.work_limit = 1;
  const Plan plan = test::plan_by(test::with_demands({6, 6, 6, 4}).must_build(), wish);
  EXPECT_EQ(plan.status, PlanStatus::kDeadline);
  EXPECT_FALSE(plan.unplaced.empty());
  EXPECT_GE(plan.work, 1u);
}

Instance large_instance() {
  test::Random random(3);
  InstanceBuilder builder({"cpu", "memory"});
  for (int i = 0; i < 20'000; ++i) {
    builder.add_app("app-" + std::to_string(i), random.between(1, 8),
                    {static_cast<double>(random.between(1, 20)), static_cast<double>(random.between(1, 40))});
  }
  builder.add_class({64, 128});
  return builder.must_build();
}

void expect_same_plan(const Plan& a, const Plan& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.work, b.work);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  ASSERT_EQ(a.placed.size(), b.placed.size());
  ASSERT_EQ(a.unplaced.size(), b.unplaced.size());
  for (std::size_t k = 0; k < a.placed.size(); ++k) {
    ASSERT_EQ(a.placed[k].app, b.placed[k].app);
    ASSERT_EQ(a.placed[k].node, b.placed[k].node);
    ASSERT_EQ(a.placed[k].replicas, b.placed[k].replicas);
  }
  for (std::size_t k = 0; k < a.unplaced.size(); ++k) {
    ASSERT_EQ(a.unplaced[k].app, b.unplaced[k].app);
    ASSERT_EQ(a.unplaced[k].replicas, b.unplaced[k].replicas);
  }
}

TEST(RunPlannerTest, AWorkLimitReplaysWhatADeadlineCut) {
  const Instance instance = large_instance();
  Request wish = test::request_for("wf-avgexp");
  wish.deadline_ms = 1;
  const Plan cut = test::plan_by(instance, wish);
  ASSERT_EQ(cut.status, PlanStatus::kDeadline) << "20,000 apps take longer than a millisecond";
  ASSERT_FALSE(cut.unplaced.empty());
  Request replay = test::request_for("wf-avgexp");
  replay.work_limit = cut.work;
  expect_same_plan(test::plan_by(instance, replay), cut);
}

TEST(RunPlannerTest, ATraceTellsWhatTheSearchAsked) {
  Random random(3);
  InstanceBuilder builder({"cpu", "memory"});
  for (const double size : {80.0, 130.0}) builder.add_class({size, 400 - 2 * size}, 0, size);
  for (int k = 0; k < 40; ++k) {
    builder.add_app("app-" + std::to_string(k), 1 + random.below(5), {7.0 + random.below(50), 7.0 + random.below(90)});
  }
  const Instance instance = builder.must_build();
  Request wish = test::request_for("auto");
  wish.work_limit = 200'000;
  const Plan without = test::plan_by(instance, wish);
  EXPECT_TRUE(without.trace.empty());
  wish.trace = true;
  const Plan plan = test::plan_by(instance, wish);
  expect_same_plan(plan, without);
  EXPECT_EQ(test::plan_by(instance, wish).trace, plan.trace);
  const auto part = [&](const std::string& name) {
    for (const TracedPart& one : plan.trace) {
      if (one.name == name) return one;
    }
    ADD_FAILURE() << name << " is missing";
    return TracedPart{};
  };
  const TracedPart rebuilding = part("rebuilding");
  const TracedPart steps = part("rebuilding: nodes");
  EXPECT_GT(steps.calls, 100u);
  EXPECT_LE(steps.gains, steps.calls);
  EXPECT_LE(steps.work, rebuilding.work);
  EXPECT_LE(rebuilding.work + part("exchanges").work, plan.work);
  EXPECT_GT(part("exchanges").gains, 0u);

  wish.goals = {{.what = GoalKind::kCost}, {.what = GoalKind::kEvenness}};
  const Plan ordered = test::plan_by(instance, wish);
  std::uint64_t gains = 0;
  for (const TracedPart& one : ordered.trace) gains += one.name.starts_with("goals: ") ? one.gains : 0;
  EXPECT_GT(gains, 0u);
}

TEST(RunPlannerTest, WorkLimitsCutOneSequence) {
  // A run with a smaller limit has placed a subset of the replicas of a run with a larger one.
  const Instance instance = large_instance();
  Request wish = test::request_for("ff");
  const Plan whole = test::plan_by(instance, wish);
  ASSERT_TRUE(whole.unplaced.empty());
  std::vector<std::uint32_t> before(instance.apps(), 0);
  for (const std::uint64_t part : {10u, 4u, 2u}) {
    wish.work_limit = whole.work / part;
    const Plan plan = test::plan_by(instance, wish);
    EXPECT_EQ(plan.status, PlanStatus::kDeadline);
    EXPECT_GE(plan.work, wish.work_limit);
    std::vector<std::uint32_t> placed(instance.apps(), 0);
    for (const Placed& p : plan.placed) placed[p.app] += p.replicas;
    for (AppId i = 0; i < instance.apps(); ++i) ASSERT_GE(placed[i], before[i]);
    before = placed;
  }
  wish.work_limit = whole.work;
  expect_same_plan(test::plan_by(instance, wish), whole);
}

}  // namespace
}  // namespace stowage
