// Plans with one thing wrong: the violation that verify finds, and the status and path of explain.
#include <algorithm>
#include <limits>
#include <memory>
#include <ostream>

#include "tests/bad_input/harness.h"

namespace {

using stowage::test::Answer;
using stowage::test::kNone;
using stowage::test::Loaded;
using stowage::wire::PlanT;
using stowage::wire::ViolationKind;
namespace test = stowage::test;
namespace wire = stowage::wire;

constexpr double kPlanNan = std::numeric_limits<double>::quiet_NaN();

struct PlanCase {
  const char* name;
  void (*spoil)(PlanT&);
  ViolationKind found;
  /// Status of explain: OK if the plan's structure is valid, even if it breaks constraints.
  stowage_status explained;
  const char* path;
};

void PrintTo(const PlanCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

/// Index of the plan's node for the listed node `listed`, or of an anonymous one.
std::uint32_t node_of(const PlanT& p, std::uint32_t listed) {
  return static_cast<std::uint32_t>(std::find(p.listed.begin(), p.listed.end(), listed) - p.listed.begin());
}
/// Moves every replica of an app to one node.
void gather(PlanT& p, std::uint32_t app, std::uint32_t node, std::uint32_t replicas) {
  p.placed.erase(std::remove_if(p.placed.begin(), p.placed.end(), [&](const wire::Placed& one) { return one.app() == app; }),
                 p.placed.end());
  p.placed.emplace_back(app, node, replicas);
}
void add_node(PlanT& p, std::uint32_t node_class, std::uint32_t listed) {
  p.node_class.push_back(node_class);
  p.listed.push_back(listed);
}

/// Adds a goal that counts nodes, which the plan is proven to reach.
wire::ReachedGoalT& add_goal(PlanT& p) {
  p.goals.push_back(std::make_unique<wire::ReachedGoalT>());
  p.goals.back()->what = static_cast<std::uint8_t>(wire::GoalKind::Nodes);
  p.goals.back()->value = static_cast<double>(p.node_class.size());
  p.goals.back()->bound = p.goals.back()->value;
  p.goals.back()->proven = true;
  return *p.goals.back();
}

const PlanCase kPlanCases[] = {
    {"ForAnotherInstance", [](PlanT& p) { ++p.instance; }, ViolationKind::WrongInstance, STOWAGE_INVALID, "instance"},
    {"UnknownClass", [](PlanT& p) { p.node_class.back() = 2; }, ViolationKind::BadNode, STOWAGE_INVALID, "node_class[2]"},
    {"UnknownListedNode", [](PlanT& p) { p.listed[0] = 2; }, ViolationKind::BadNode, STOWAGE_INVALID, "listed[0]"},
    {"ListedNodeTwice", [](PlanT& p) { add_node(p, 0, 0); }, ViolationKind::BadNode, STOWAGE_INVALID, "listed[3]"},
    {"ListedNodeOfAnotherClass", [](PlanT& p) { p.node_class[0] = 1; }, ViolationKind::BadNode, STOWAGE_INVALID,
     "node_class[0]"},
    {"UnknownApp", [](PlanT& p) { p.placed[0].mutate_app(3); }, ViolationKind::BadEntry, STOWAGE_INVALID, "placed[0].app"},
    {"UnknownNode", [](PlanT& p) { p.placed[1].mutate_node(kNone); }, ViolationKind::BadEntry, STOWAGE_INVALID,
     "placed[1].node"},
    {"NothingPlaced", [](PlanT& p) { p.placed[0].mutate_replicas(0); }, ViolationKind::BadEntry, STOWAGE_INVALID,
     "placed[0].replicas"},
    {"PlacedTwice", [](PlanT& p) { p.placed.push_back(p.placed[0]); }, ViolationKind::BadEntry, STOWAGE_INVALID, "placed"},
    {"UnknownUnplacedApp", [](PlanT& p) { p.unplaced.emplace_back(7, 1); }, ViolationKind::BadEntry, STOWAGE_INVALID,
     "unplaced[0].app"},
    {"NothingUnplaced", [](PlanT& p) { p.unplaced.emplace_back(0, 0); }, ViolationKind::BadEntry, STOWAGE_INVALID,
     "unplaced[0].replicas"},
    {"UnplacedTwice",
     [](PlanT& p) {
       gather(p, 2, node_of(p, 1), 3);
       p.unplaced = {{2, 3}, {2, 3}};
     },
     ViolationKind::BadEntry, STOWAGE_INVALID, "unplaced[1].app"},
    {"ReplicasMissing", [](PlanT& p) { p.placed.pop_back(); }, ViolationKind::ReplicaCount, STOWAGE_INVALID, "placed"},
    {"ReplicasTooMany", [](PlanT& p) { p.unplaced.emplace_back(1, 1); }, ViolationKind::ReplicaCount, STOWAGE_INVALID,
     "placed"},
    {"ReplicasOverflow",
     [](PlanT& p) {
       for (wire::Placed& one : p.placed) one.mutate_replicas(kNone);
     },
     ViolationKind::ReplicaCount, STOWAGE_INVALID, "placed"},
    {"Empty",
     [](PlanT& p) {
       p.node_class.clear();
       p.listed.clear();
       p.placed.clear();
     },
     ViolationKind::ReplicaCount, STOWAGE_INVALID, "placed"},

    // Plans that promise too much: explain says nothing of promises.
    {"RoomForAnUnknownApp",
     [](PlanT& p) {
       p.reserved = {{3, 0, 1}};
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomOnAnUnknownNode",
     [](PlanT& p) {
       p.reserved = {{0, 3, 1}};
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomOnNoNode",
     [](PlanT& p) {
       p.reserved = {{0, kNone, 1}};
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomForNoReplica",
     [](PlanT& p) {
       p.reserved = {{0, 0, 0}};
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomForTheSameTwice",
     [](PlanT& p) {
       p.reserved = {{2, 2, 1}, {2, 2, 1}};
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomForTooManyReplicas",
     [](PlanT& p) {
       p.reserved = {{2, 2, kNone}};
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomForTooManyReplicasInAll",
     [](PlanT& p) {
       for (std::uint32_t app = 0; app < 3; ++app) {
         for (std::uint32_t node = 0; node < 3; ++node) p.reserved.emplace_back(app, node, 50'000'000);
       }
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"RoomThatThereIsNot",
     [](PlanT& p) {
       p.reserved = {{2, node_of(p, kNone), 1000}};
     },
     ViolationKind::Capacity, STOWAGE_OK, ""},
    {"NoRoomForAnUnknownApp",
     [](PlanT& p) {
       p.unreserved = {{3, 1}};
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"NoRoomForTheSameTwice",
     [](PlanT& p) {
       p.unreserved = {{0, 1}, {0, 1}};
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"NoRoomForNoReplica",
     [](PlanT& p) {
       p.unreserved = {{0, 0}};
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
     },
     ViolationKind::BadEntry, STOWAGE_OK, ""},
    {"NoRoomForTooManyReplicas",
     [](PlanT& p) {
       p.unreserved = {{0, kNone}};
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
     },
     ViolationKind::Promise, STOWAGE_OK, ""},
    {"CompleteWithoutAllRoom",
     [](PlanT& p) {
       p.unreserved = {{0, 1}};
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"SurvivesNothing",
     [](PlanT& p) {
       p.not_survived = 1;
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
     },
     ViolationKind::Promise, STOWAGE_OK, ""},
    {"CompleteWithoutSurviving",
     [](PlanT& p) {
       p.survive = "*";
       p.not_survived = kNone;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"DomainsOfNoLabel", [](PlanT& p) { p.domains_in_use = 1; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"MoreDomainsThanThereAre",
     [](PlanT& p) {
       p.leave_free = "no such label";
       p.domains_in_use = 4294967295u;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"BoundOnNoDomains",
     [](PlanT& p) {
       p.leave_free = "no such label";
       p.domain_bound = 1;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"EmptyNodeForNoPromise", [](PlanT& p) { add_node(p, 0, kNone); }, ViolationKind::Figures, STOWAGE_OK, ""},

    // Well-formed plans that break constraints are explained.
    {"CapacityExceeded",
     [](PlanT& p) {
       gather(p, 2, node_of(p, kNone), 9);
       gather(p, 1, node_of(p, kNone), 2);
     },
     ViolationKind::Capacity, STOWAGE_OK, ""},
    {"OwnLimitExceeded", [](PlanT& p) { gather(p, 0, node_of(p, 0), 4); }, ViolationKind::SelfLimit, STOWAGE_OK, ""},
    {"LimitExceeded", [](PlanT& p) { gather(p, 1, node_of(p, 0), 2); }, ViolationKind::AffinityLimit, STOWAGE_OK, ""},
    {"PinIgnored", [](PlanT& p) { gather(p, 1, node_of(p, kNone), 2); }, ViolationKind::Pin, STOWAGE_OK, ""},
    {"MoreNodesThanTheClassHas",
     [](PlanT& p) {
       for (int k = 0; k < 3; ++k) add_node(p, 1, kNone);
     },
     ViolationKind::ClassCount, STOWAGE_OK, ""},
    {"NoCopies",
     [](PlanT& p) {
       p.copies = {1, 1, 0};
     },
     ViolationKind::BadNode, STOWAGE_INVALID, "copies[2]"},
    {"CopiesOfAListedNode",
     [](PlanT& p) {
       p.copies = {2, 1, 1};
     },
     ViolationKind::BadNode, STOWAGE_INVALID, "copies[0]"},
    {"MoreCopiesThanReplicas",
     [](PlanT& p) {
       p.copies = {1, 1, 2};
     },
     ViolationKind::ReplicaCount, STOWAGE_INVALID, "placed"},
    {"MoreCopiesThanNodesMayBe",
     [](PlanT& p) {
       p.copies = {1, 1, kNone};
     },
     ViolationKind::BadNode, STOWAGE_INVALID, "copies[2]"},
    {"NewOnAClosedNode", [](PlanT& p) { gather(p, 2, node_of(p, 1), 9); }, ViolationKind::ClosedNode, STOWAGE_OK, ""},

    // Figures that do not follow from the placed replicas.
    {"CostWrong", [](PlanT& p) { p.cost += 1; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"CostNan", [](PlanT& p) { p.cost = kPlanNan; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"GapWrong", [](PlanT& p) { p.gap += 0.5; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"GapNan", [](PlanT& p) { p.gap = kPlanNan; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"SoftPriceOfAnotherPolicy", [](PlanT& p) { p.soft_price = 1; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"SoftPriceNan",
     [](PlanT& p) {
       p.soft = 2;
       p.soft_price = kPlanNan;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"SoftPriceNegative",
     [](PlanT& p) {
       p.soft = 2;
       p.soft_price = -1;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"BoundAboveThePlan", [](PlanT& p) { p.node_bound->value = 1000; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"BoundNan", [](PlanT& p) { p.node_bound->value = kPlanNan; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"CostBoundAboveThePlan", [](PlanT& p) { p.cost_bound->value = 1000; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"CostBoundNan", [](PlanT& p) { p.cost_bound->value = kPlanNan; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"BoundsOfAPartialPlanNan",
     [](PlanT& p) {
       gather(p, 2, node_of(p, 1), 3);
       p.unplaced = {{2, 6}};
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
       p.cost_bound->value = kPlanNan;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"BoundOfAPartialPlanInfinite",
     [](PlanT& p) {
       gather(p, 2, node_of(p, 1), 3);
       p.unplaced = {{2, 6}};
       p.status = wire::PlanStatus::Partial;
       p.gap = -1;
       p.node_bound->value = std::numeric_limits<double>::infinity();
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"OptimalUnproven",
     [](PlanT& p) {
       p.status = wire::PlanStatus::Optimal;
       p.cost_bound->value = 0;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"CompleteWithSomeUnplaced",
     [](PlanT& p) {
       gather(p, 2, node_of(p, 1), 3);
       p.unplaced = {{2, 6}};
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"PartialWithNothingUnplaced", [](PlanT& p) { p.status = wire::PlanStatus::Partial; }, ViolationKind::Figures, STOWAGE_OK,
     ""},
    {"InfeasibleWithNothingUnplaced", [](PlanT& p) { p.status = wire::PlanStatus::InfeasibleProven; }, ViolationKind::Figures,
     STOWAGE_OK, ""},
    {"MovesWrong", [](PlanT& p) { p.moves = 1; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"InheritedWrong", [](PlanT& p) { p.inherited_violations = 9; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"GoalOfAnotherValue", [](PlanT& p) { ++add_goal(p).value; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"GoalOfValueNan", [](PlanT& p) { add_goal(p).value = std::numeric_limits<double>::quiet_NaN(); }, ViolationKind::Figures,
     STOWAGE_OK, ""},
    {"GoalBelowItsBound", [](PlanT& p) { add_goal(p).bound = 1000; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"GoalOfBoundNan", [](PlanT& p) { add_goal(p).bound = std::numeric_limits<double>::quiet_NaN(); }, ViolationKind::Figures,
     STOWAGE_OK, ""},
    {"GoalProvenWithoutABound", [](PlanT& p) { add_goal(p).bound = -1; }, ViolationKind::Figures, STOWAGE_OK, ""},
    {"GoalOfWeightNan", [](PlanT& p) { add_goal(p).weight = std::numeric_limits<double>::quiet_NaN(); }, ViolationKind::Figures,
     STOWAGE_OK, ""},
    {"GoalOfAResourceThatIsNone",
     [](PlanT& p) {
       add_goal(p).what = static_cast<std::uint8_t>(wire::GoalKind::Balance);
       p.goals.back()->resource = 1000;
     },
     ViolationKind::Figures, STOWAGE_OK, ""},
    {"LoadedNodeLeftOut",
     [](PlanT& p) {
       // All replicas of n0 move elsewhere.
       const std::uint32_t other = node_of(p, kNone);
       for (wire::Placed& one : p.placed) {
         if (one.node() == node_of(p, 0)) one.mutate_node(other);
       }
       p.listed[0] = kNone;
     },
     ViolationKind::Figures, STOWAGE_INVALID, "placed"},
};

PlanT good_plan(const Loaded& instance) {
  const Answer plan = test::plan(instance, test::request_for("ff"));
  EXPECT_TRUE(plan.ok()) << plan.result.message;
  PlanT result;
  plan.plan().UnPackTo(&result);
  // The cases rely on this.
  EXPECT_EQ(result.node_class.size(), 3u);
  EXPECT_TRUE(result.unplaced.empty());
  return result;
}

class PlanTable : public ::testing::TestWithParam<PlanCase> {};

TEST_P(PlanTable, IsSeenThrough) {
  const Loaded instance(test::pack(test::busy_instance()));
  PlanT plan = good_plan(instance);
  GetParam().spoil(plan);
  const test::Bytes bytes = test::pack(plan);
  const Answer report = test::verify(instance, bytes);
  ASSERT_TRUE(report.ok()) << report.result.message;
  const wire::Verification& verification = report.verification();
  EXPECT_FALSE(verification.ok());
  EXPECT_GT(verification.violation_count(), 0u);
  bool found = false;
  for (const wire::Violation* violation : *verification.violations()) {
    found = found || (violation->kind() == GetParam().found && !violation->inherited());
  }
  EXPECT_TRUE(found);
  const Answer explanation = test::explain(instance, bytes);
  EXPECT_EQ(explanation.result.status, GetParam().explained) << explanation.result.message;
  EXPECT_EQ(explanation.result.path, GetParam().path) << explanation.result.message;
}

INSTANTIATE_TEST_SUITE_P(Plan, PlanTable, ::testing::ValuesIn(kPlanCases), [](const auto& one) { return one.param.name; });

TEST(Plan, WithAGoalThatIsReached) {
  const Loaded instance(test::pack(test::busy_instance()));
  PlanT plan = good_plan(instance);
  add_goal(plan);
  EXPECT_TRUE(test::verify(instance, test::pack(plan)).verification().ok());
  add_goal(plan).what = 200;
  const Answer refused = test::verify(instance, test::pack(plan));
  EXPECT_EQ(refused.result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(refused.result.path, "goals[1].what");
}

// Every call that takes a plan, on plans whose room refers to nothing, or stands for more than there may be.
TEST(Plan, WithRoomThatRefersToNothing) {
  const Loaded instance(test::pack(test::busy_instance()));
  const PlanT good = good_plan(instance);
  for (const wire::Placed& bad : {wire::Placed(3, 0, 1), wire::Placed(kNone, 0, 1), wire::Placed(0, 3, 1),
                                  wire::Placed(0, kNone, 1), wire::Placed(0, 0, 0), wire::Placed(2, 2, kNone)}) {
    PlanT plan(good);
    plan.reserved = {bad};
    const test::Bytes bytes = test::pack(plan);
    for (const Answer& answer : {test::losses(instance, bytes), test::order_moves(instance, bytes, 0, 1)}) {
      EXPECT_EQ(answer.result.status, STOWAGE_INVALID) << answer.result.message;
      EXPECT_EQ(answer.result.path, "plan");
    }
    EXPECT_TRUE(test::headroom(instance, bytes, 0).ok());
    EXPECT_TRUE(test::headroom_of_apps(instance, bytes).ok());
  }
  // A node with so many copies that their room takes more memory than there is.
  wire::InstanceT many = test::busy_instance();
  many.apps->replicas[2] = 4'000'000;
  many.classes[0]->count = 0;
  const Loaded large(test::pack(many));
  wire::RequestT request;
  request.planner = "ff";
  request.compact = true;
  const Answer planned = test::plan(large, test::pack(request));
  ASSERT_TRUE(planned.ok()) << planned.result.message;
  PlanT compact;
  planned.plan().UnPackTo(&compact);
  ASSERT_FALSE(compact.copies.empty());
  const auto most =
      static_cast<std::uint32_t>(std::max_element(compact.copies.begin(), compact.copies.end()) - compact.copies.begin());
  compact.reserved.assign(100'000, wire::Placed(0, most, 1));
  for (const Answer& answer : {test::losses(large, test::pack(compact)), test::order_moves(large, test::pack(compact), 0, 1)}) {
    EXPECT_EQ(answer.result.status, STOWAGE_INVALID) << answer.result.message;
  }
  EXPECT_FALSE(test::verify(large, test::pack(compact)).verification().ok());
}

TEST(Plan, WhoseKeyIsNoText) {
  const Loaded instance(test::pack(test::busy_instance()));
  PlanT plan = good_plan(instance);
  for (const char* key : {"\xff", "zone\xc3", "\xed\xa0\x80"}) {
    plan.survive = key;
    const Answer report = test::verify(instance, test::pack(plan));
    EXPECT_EQ(report.result.status, STOWAGE_MALFORMED);
    EXPECT_EQ(report.result.path, "survive");
  }
  plan.survive.clear();
  plan.leave_free = "rack\xff";
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "leave_free");
  plan.leave_free.clear();
  // A key that no node has is no loss.
  plan.survive = "no such label";
  EXPECT_TRUE(test::verify(instance, test::pack(plan)).verification().ok());
}

TEST(Plan, ThatTheCasesSpoilIsAccepted) {
  const Loaded instance(test::pack(test::busy_instance()));
  const Answer report = test::verify(instance, test::pack(good_plan(instance)));
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.verification().ok());
  EXPECT_EQ(report.verification().inherited_count(), 0u);
}

// What a plan says of side effects. In the busy instance with two kinds, loads are cores: web costs itself 1 and batch and db
// 0.5 each, per load.
TEST(Plan, WithWrongCostsOfSideEffects) {
  wire::InstanceT content = test::busy_instance();
  content.apps->kind = {0, 1, 1};
  content.interference = std::make_unique<wire::InterferenceT>();
  content.interference->coefficient = {1, 0.5, 0.5, 0.25};
  const Loaded instance(test::pack(content));
  const PlanT good = good_plan(instance);
  ASSERT_TRUE(test::verify(instance, test::pack(good)).verification().ok());
  ASSERT_GT(good.max_cost, 0);
  ASSERT_GT(good.total_cost, good.max_cost);
  ASSERT_EQ(good.node_max_cost.size(), 3u);
  const auto found = [](const Loaded& where, const PlanT& plan) {
    const Answer report = test::verify(where, test::pack(plan));
    EXPECT_TRUE(report.ok()) << report.result.message;
    EXPECT_TRUE(test::explain(where, test::pack(plan)).ok());
    std::string names;
    for (const wire::Violation* violation : *report.verification().violations()) {
      if (violation->inherited()) continue;
      const bool figure = violation->kind() == ViolationKind::Figures;
      names +=
          (names.empty() ? "" : ", ") + (figure ? violation->what()->str() : wire::EnumNameViolationKind(violation->kind()));
    }
    return names;
  };
  const auto spoiled = [&](auto&& spoil) {
    PlanT plan(good);
    spoil(plan);
    return found(instance, plan);
  };
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (const double wrong : {kPlanNan, kInfinite, -kInfinite, good.max_cost / 2, good.max_cost * 2}) {
    EXPECT_EQ(spoiled([&](PlanT& p) { p.max_cost = wrong; }), "max_cost") << wrong;
    EXPECT_EQ(spoiled([&](PlanT& p) { p.total_cost = wrong; }), "total_cost") << wrong;
    EXPECT_EQ(spoiled([&](PlanT& p) { p.node_max_cost[0] = wrong; }), "node_max_cost") << wrong;
  }
  EXPECT_EQ(spoiled([](PlanT& p) { p.node_max_cost.pop_back(); }), "node_max_cost");
  EXPECT_EQ(spoiled([](PlanT& p) { p.node_max_cost.clear(); }), "node_max_cost");
  for (const double wrong : {kPlanNan, kInfinite, -1.0, 1e6}) {
    const auto bound = [&](std::unique_ptr<wire::BoundT>& one) {
      one = std::make_unique<wire::BoundT>();
      one->name = "fluid";
      one->value = wrong;
    };
    EXPECT_EQ(spoiled([&](PlanT& p) { bound(p.max_cost_bound); }), "max_cost_bound") << wrong;
    EXPECT_EQ(spoiled([&](PlanT& p) { bound(p.total_cost_bound); }), "total_cost_bound") << wrong;
  }
  for (const double wrong : {kPlanNan, -1.0}) {
    EXPECT_EQ(spoiled([&](PlanT& p) { p.max_cost_limit = wrong; }), "max_cost_limit") << wrong;
  }
  EXPECT_NE(spoiled([&](PlanT& p) { p.max_cost_limit = good.max_cost / 1.1; }).find("SideEffects"), std::string::npos);
  EXPECT_EQ(spoiled([&](PlanT& p) { p.max_cost_limit = good.max_cost; }), "");
  // Of an instance without kinds.
  const Loaded plain(test::pack(test::busy_instance()));
  PlanT claims = good_plan(plain);
  claims.max_cost = 1;
  claims.max_cost_limit = 5;
  EXPECT_EQ(found(plain, claims), "max_cost_limit, max_cost, total_cost");
}

// What a plan for most applications admitted says of those that are left out. batch does not fit
// on four nodes.
TEST(Plan, WithAWrongWeightOfWhatIsLeftOut) {
  wire::InstanceT content = test::busy_instance();
  content.apps->replicas[2] = 4'000;
  content.running.clear();
  content.pinned.clear();
  const Loaded instance(test::pack(content));
  wire::RequestT request;
  request.planner = "admit";
  request.objective = wire::Objective::Admitted;
  request.node_limit = 4;
  const Answer planned = test::plan(instance, test::pack(request));
  ASSERT_TRUE(planned.ok()) << planned.result.message;
  PlanT good;
  planned.plan().UnPackTo(&good);
  ASSERT_EQ(good.unplaced.size(), 1u);
  ASSERT_EQ(good.unplaced[0].app(), 2u);
  ASSERT_EQ(good.left_out, 1);
  ASSERT_NE(good.left_out_bound, nullptr);
  struct Seen {
    std::string violations;  ///< the field of wrong figures, the kind of others
    stowage_status explained;
    std::string path;
  };
  const auto spoiled = [&](auto&& spoil) {
    PlanT plan(good);
    spoil(plan);
    const test::Bytes bytes = test::pack(plan);
    const Answer report = test::verify(instance, bytes);
    EXPECT_TRUE(report.ok()) << report.result.message;
    Seen seen;
    for (const wire::Violation* violation : *report.verification().violations()) {
      if (violation->inherited()) continue;
      const bool figure = violation->kind() == ViolationKind::Figures;
      seen.violations +=
          (figure ? violation->what()->str() : std::string(wire::EnumNameViolationKind(violation->kind()))) + ";";
    }
    const Answer explanation = test::explain(instance, bytes);
    seen.explained = explanation.result.status;
    seen.path = explanation.result.path;
    return seen;
  };
  EXPECT_EQ(spoiled([](PlanT&) {}).violations, "");
  for (const double wrong : {kPlanNan, std::numeric_limits<double>::infinity(), -1.0, 0.0, 2.0}) {
    EXPECT_NE(spoiled([&](PlanT& p) { p.left_out = wrong; }).violations.find("left_out;"), std::string::npos) << wrong;
  }
  for (const double wrong : {kPlanNan, std::numeric_limits<double>::infinity(), -1.0, 1.5}) {
    EXPECT_NE(spoiled([&](PlanT& p) { p.left_out_bound->value = wrong; }).violations.find("left_out_bound;"), std::string::npos)
        << wrong;
  }
  // An application of which a part runs is left out all the same.
  const auto partly = [](PlanT& p, double left_out) {
    p.placed.emplace_back(2, 0, 1);
    p.unplaced = {{2, 3'999}};
    p.left_out = left_out;
  };
  EXPECT_NE(spoiled([&](PlanT& p) { partly(p, 0); }).violations.find("left_out;"), std::string::npos);
  EXPECT_EQ(spoiled([&](PlanT& p) { partly(p, 1); }).violations.find("left_out;"), std::string::npos);
  const Seen twice = spoiled([](PlanT& p) {
    p.unplaced.push_back(p.unplaced[0]);
    p.left_out = 2;
  });
  EXPECT_NE(twice.violations.find("BadEntry;"), std::string::npos) << twice.violations;
  EXPECT_NE(twice.violations.find("left_out;"), std::string::npos) << "listed twice, it counts once";
  EXPECT_EQ(twice.explained, STOWAGE_INVALID);
  EXPECT_EQ(twice.path, "unplaced[1].app");
  const Seen whole = spoiled([](PlanT& p) {
    p.unplaced.insert(p.unplaced.begin(), {0, 4});
    p.left_out = 2;
  });
  EXPECT_NE(whole.violations.find("ReplicaCount;"), std::string::npos) << whole.violations;
  EXPECT_EQ(whole.explained, STOWAGE_INVALID);
  EXPECT_EQ(whole.path, "placed");
  EXPECT_NE(spoiled([](PlanT& p) { p.objective = 0; }).violations.find("left_out;"), std::string::npos)
      << "only with the objective Admitted";
}

TEST(Plan, OfUnknownStatusOrWithColumnsOfDifferentLength) {
  const Loaded instance(test::pack(test::busy_instance()));
  PlanT plan = good_plan(instance);
  plan.status = static_cast<wire::PlanStatus>(6);
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "status");
  plan = good_plan(instance);
  plan.listed.pop_back();
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::explain(instance, test::pack(plan)).result.path, "listed");
  plan = good_plan(instance);
  plan.copies = {1, 1};
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::explain(instance, test::pack(plan)).result.path, "copies");
}

TEST(Plan, OfUnknownPolicyOrWithUnknownNotes) {
  const Loaded instance(test::pack(test::busy_instance()));
  PlanT plan = good_plan(instance);
  plan.soft = 3;
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "soft");
  plan = good_plan(instance);
  plan.notes.push_back(std::make_unique<wire::NoteT>());
  plan.notes.push_back(std::make_unique<wire::NoteT>());
  EXPECT_TRUE(test::verify(instance, test::pack(plan)).verification().ok()) << "a note without text";
  plan.notes[1]->code = static_cast<wire::NoteCode>(static_cast<int>(wire::NoteCode::MAX) + 1);
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "notes[1].code");
  plan.notes[1]->code = wire::NoteCode::LeftOut;
  plan.notes[1]->text = "\x80";
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "notes[1].text");
  plan = good_plan(instance);
  plan.trace.push_back(std::make_unique<wire::TracedPartT>());
  plan.trace[0]->name = "exchanges";
  EXPECT_TRUE(test::verify(instance, test::pack(plan)).verification().ok());
  plan.trace[0]->name = "\x80";
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "trace[0].name");
}

TEST(Plan, WithABoundOnWhatIsLeftOverThatIsNone) {
  const Loaded instance(test::pack(test::busy_instance()));
  const auto path_of = [&](std::vector<wire::LeftOver> bound) {
    PlanT plan = good_plan(instance);
    plan.left_over_bound = std::move(bound);
    const Answer answer = test::verify(instance, test::pack(plan));
    EXPECT_EQ(answer.result.status, STOWAGE_MALFORMED);
    return std::string(answer.result.path);
  };
  EXPECT_EQ(path_of({{1, 5}, {0, 4}}), "left_over_bound[1].replicas");
  EXPECT_EQ(path_of({{(std::uint64_t{1} << 53) + 1, 5}}), "left_over_bound[0].replicas");
  EXPECT_EQ(path_of({{1, 5}, {1, 5}}), "left_over_bound[1].priority");
  EXPECT_EQ(path_of({{1, 4}, {1, 5}}), "left_over_bound[1].priority");
}

TEST(Plan, WithNamesThatAreNotUtf8) {
  const Loaded instance(test::pack(test::busy_instance()));
  for (const char* name : {"\x80", "ff\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    PlanT plan = good_plan(instance);
    plan.planner = name;
    EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "planner") << name;
    plan = good_plan(instance);
    plan.node_bound->name = name;
    EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED) << name;
    EXPECT_EQ(test::explain(instance, test::pack(plan)).result.path, "node_bound.name") << name;
    plan = good_plan(instance);
    plan.cost_bound->name = name;
    EXPECT_EQ(test::verify(instance, test::pack(plan)).result.path, "cost_bound.name") << name;
  }
  PlanT plan = good_plan(instance);
  plan.planner = "\xE2\x82\xAC \xF0\x9F\x98\x80";
  EXPECT_TRUE(test::verify(instance, test::pack(plan)).ok());
}

TEST(Plan, WithThousandsOfViolationsListsAThousand) {
  const Loaded instance(test::pack(test::busy_instance()));
  PlanT plan = good_plan(instance);
  for (int k = 0; k < 5000; ++k) plan.placed.emplace_back(9, 9, 1);
  const Answer report = test::verify(instance, test::pack(plan));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.verification().violation_count(), 5000u);
  EXPECT_EQ(report.verification().violations()->size(), 1000u);
}

TEST(Explain, OfAnAppThatDoesNotExist) {
  const Loaded instance(test::pack(test::busy_instance()));
  const test::Bytes plan = test::pack(good_plan(instance));
  for (const std::uint32_t app : {3u, kNone - 1}) {
    const Answer explanation = test::explain(instance, plan, app);
    EXPECT_EQ(explanation.result.status, STOWAGE_INVALID);
    EXPECT_EQ(explanation.result.path, "app");
  }
  EXPECT_TRUE(test::explain(instance, plan, 2).ok());
}

}  // namespace
