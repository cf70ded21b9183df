// Requests with one thing wrong: the status and the path that planning returns.
#include <limits>
#include <memory>
#include <ostream>

#include "tests/bad_input/harness.h"

namespace {

using stowage::test::Answer;
using stowage::test::Loaded;
using stowage::wire::RequestT;
namespace test = stowage::test;
namespace wire = stowage::wire;

struct RequestCase {
  const char* name;
  void (*spoil)(RequestT&);
  stowage_status status;
  const char* path;
};

void PrintTo(const RequestCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

void add_option(RequestT& r, const char* name, double number) {
  r.options.push_back(std::make_unique<wire::OptionT>());
  r.options.back()->name = name;
  r.options.back()->number = number;
}

wire::PlanGoalT& add_goal(RequestT& r, wire::GoalKind what) {
  r.planner = "auto";
  r.goals.push_back(std::make_unique<wire::PlanGoalT>());
  r.goals.back()->what = what;
  return *r.goals.back();
}

const RequestCase kRequestCases[] = {
    {"UnknownPlanner", [](RequestT& r) { r.planner = "fff"; }, STOWAGE_NOT_FOUND, "planner"},
    {"EmptyPlanner", [](RequestT& r) { r.planner.clear(); }, STOWAGE_NOT_FOUND, "planner"},
    {"LongPlanner", [](RequestT& r) { r.planner.assign(100'000, 'f'); }, STOWAGE_NOT_FOUND, "planner"},
    {"PlannerInCapitals", [](RequestT& r) { r.planner = "BFD-AVGEXP"; }, STOWAGE_NOT_FOUND, "planner"},
    {"UnknownOption", [](RequestT& r) { add_option(r, "beta", 1); }, STOWAGE_NOT_FOUND, "options[0].name"},
    {"OptionOfAnotherPlanner",
     [](RequestT& r) {
       r.planner = "ff";
       add_option(r, "alpha", 1);
     },
     STOWAGE_NOT_FOUND, "options[0].name"},
    {"OptionTooSmall", [](RequestT& r) { add_option(r, "alpha", -0.1); }, STOWAGE_INVALID, "options[0].number"},
    {"OptionTooLarge",
     [](RequestT& r) {
       add_option(r, "epsilon", 1);
       add_option(r, "alpha", 1.1);
     },
     STOWAGE_INVALID, "options[1].number"},
    {"OptionNan", [](RequestT& r) { add_option(r, "alpha", std::numeric_limits<double>::quiet_NaN()); }, STOWAGE_INVALID,
     "options[0].number"},
    {"OptionInfinite", [](RequestT& r) { add_option(r, "epsilon", std::numeric_limits<double>::infinity()); }, STOWAGE_INVALID,
     "options[0].number"},
    {"OptionTwice",
     [](RequestT& r) {
       add_option(r, "alpha", 0.5);
       add_option(r, "alpha", 0.5);
     },
     STOWAGE_INVALID, "options[1].name"},
    {"UnknownObjective", [](RequestT& r) { r.objective = static_cast<wire::Objective>(6); }, STOWAGE_INVALID, "objective"},
    {"ObjectiveOfOtherPlanners", [](RequestT& r) { r.objective = wire::Objective::Ucac; }, STOWAGE_UNSUPPORTED, "objective"},
    {"ObjectiveWithoutUncertainty",
     [](RequestT& r) {
       r.planner = "bf-ucac";
       r.objective = wire::Objective::Ucac;
     },
     STOWAGE_INVALID, "objective"},
    {"LeastCostOfOtherPlanners", [](RequestT& r) { r.objective = wire::Objective::Worst; }, STOWAGE_UNSUPPORTED, "objective"},
    {"LeastCostWithoutInterference",
     [](RequestT& r) {
       r.planner = "auto";
       r.objective = wire::Objective::Worst;
       r.node_limit = 3;
     },
     STOWAGE_INVALID, "objective"},
    {"MaxCostWithoutInterference", [](RequestT& r) { r.max_cost = 5; }, STOWAGE_INVALID, "max_cost"},
    {"AllOrNothingOfOtherPlanners",
     [](RequestT& r) {
       r.planner = "fill-greedy";
       r.objective = wire::Objective::Worst;
       r.node_limit = 3;
       r.all_or_nothing = true;
     },
     STOWAGE_UNSUPPORTED, "all_or_nothing"},
    {"UnknownSoftPolicy", [](RequestT& r) { r.soft = static_cast<wire::SoftPolicy>(3); }, STOWAGE_INVALID, "soft"},
    {"SoftPriceOfAnotherPolicy", [](RequestT& r) { r.soft_price = 1; }, STOWAGE_INVALID, "soft_price"},
    {"SoftPriceNegative",
     [](RequestT& r) {
       r.soft = wire::SoftPolicy::Price;
       r.soft_price = -1;
     },
     STOWAGE_INVALID, "soft_price"},
    {"SoftPriceNan",
     [](RequestT& r) {
       r.soft = wire::SoftPolicy::Price;
       r.soft_price = std::numeric_limits<double>::quiet_NaN();
     },
     STOWAGE_INVALID, "soft_price"},
    {"SoftPriceInfinite",
     [](RequestT& r) {
       r.soft = wire::SoftPolicy::Price;
       r.soft_price = std::numeric_limits<double>::infinity();
     },
     STOWAGE_INVALID, "soft_price"},
    {"RoomForAnUnknownApp",
     [](RequestT& r) {
       r.keep = {{3, 1}};
     },
     STOWAGE_INVALID, "keep[0].app"},
    {"RoomForNoApp",
     [](RequestT& r) {
       r.keep = {{0, 1}, {4294967295u, 1}};
     },
     STOWAGE_INVALID, "keep[1].app"},
    {"RoomForNoReplica",
     [](RequestT& r) {
       r.keep = {{0, 0}};
     },
     STOWAGE_INVALID, "keep[0].replicas"},
    {"RoomForTheSameTwice",
     [](RequestT& r) {
       r.keep = {{1, 1}, {0, 1}, {1, 2}};
     },
     STOWAGE_INVALID, "keep[2].app"},
    {"RoomForTooManyReplicas",
     [](RequestT& r) {
       r.keep = {{0, 4294967295u}};
     },
     STOWAGE_LIMIT_EXCEEDED, "keep[0].replicas"},
    {"RoomForMoreReplicasThanMayBe",
     [](RequestT& r) {
       r.keep = {{0, 4'000'000'000u}};
     },
     STOWAGE_LIMIT_EXCEEDED, "keep"},
    {"RoomForWholeApplications",
     [](RequestT& r) {
       r.planner = "ff";
       r.keep = {{0, 1}};
       r.all_or_nothing = true;
     },
     STOWAGE_UNSUPPORTED, "keep"},
    {"RoomForAnotherObjective",
     [](RequestT& r) {
       r.planner = "auto";
       r.keep = {{0, 1}};
       r.objective = wire::Objective::Traffic;
     },
     STOWAGE_UNSUPPORTED, "keep"},
    {"SurvivalForAnotherObjective",
     [](RequestT& r) {
       r.planner = "auto";
       r.survive = "*";
       r.objective = wire::Objective::Traffic;
     },
     STOWAGE_UNSUPPORTED, "survive"},
    {"SurvivalOfAnUnknownLabel", [](RequestT& r) { r.survive = "zone"; }, STOWAGE_INVALID, "survive"},
    {"SurvivalOfALongLabel", [](RequestT& r) { r.survive.assign(100'000, 'z'); }, STOWAGE_INVALID, "survive"},
    {"SurvivalOfNoText", [](RequestT& r) { r.survive = "zone\xff"; }, STOWAGE_MALFORMED, "survive"},
    {"FreeDomainsForAnotherObjective",
     [](RequestT& r) {
       r.planner = "auto";
       r.leave_free = "site";
       r.objective = wire::Objective::Traffic;
     },
     STOWAGE_UNSUPPORTED, "leave_free"},
    {"FreeDomainsThatSurvive",
     [](RequestT& r) {
       r.leave_free = "site";
       r.survive = "*";
     },
     STOWAGE_UNSUPPORTED, "leave_free"},
    {"FreeDomainsOfAnUnknownLabel", [](RequestT& r) { r.leave_free = "zone"; }, STOWAGE_INVALID, "leave_free"},
    {"FreeDomainsOfALongLabel", [](RequestT& r) { r.leave_free.assign(100'000, 'z'); }, STOWAGE_INVALID, "leave_free"},
    {"FreeDomainsOfNoText", [](RequestT& r) { r.leave_free = "zone\xff"; }, STOWAGE_MALFORMED, "leave_free"},
    {"UnknownGoal", [](RequestT& r) { add_goal(r, static_cast<wire::GoalKind>(200)); }, STOWAGE_INVALID, "goals[0].what"},
    {"GoalOfNegativeWeight", [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).weight = -1; }, STOWAGE_INVALID,
     "goals[0].weight"},
    {"GoalOfWeightNan",
     [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).weight = std::numeric_limits<double>::quiet_NaN(); }, STOWAGE_INVALID,
     "goals[0].weight"},
    {"GoalOfNegativeTolerance", [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).tolerance = -0.1; }, STOWAGE_INVALID,
     "goals[0].tolerance"},
    {"GoalOfEndlessTolerance",
     [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).tolerance = std::numeric_limits<double>::infinity(); },
     STOWAGE_INVALID, "goals[0].tolerance"},
    {"GoalOfAResourceThatIsNone", [](RequestT& r) { add_goal(r, wire::GoalKind::Balance).resource = 1000; }, STOWAGE_INVALID,
     "goals[0].resource"},
    {"CostOfAResource", [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).resource = 0; }, STOWAGE_INVALID,
     "goals[0].resource"},
    {"FirstGoalBesideNothing", [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).beside = true; }, STOWAGE_INVALID,
     "goals[0].beside"},
    {"GoalTwice",
     [](RequestT& r) {
       add_goal(r, wire::GoalKind::Cost);
       add_goal(r, wire::GoalKind::Cost);
     },
     STOWAGE_INVALID, "goals[1].what"},
    {"GoalInUnknownWords", [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).words = "cost,luck"; }, STOWAGE_INVALID,
     "goals[0].words"},
    {"GoalInEndlessWords",
     [](RequestT& r) {
       std::string& words = add_goal(r, wire::GoalKind::Cost).words = "cost";
       while (words.size() < 1'000'000) words += "," + words;
     },
     STOWAGE_INVALID, "goals[0].words"},
    {"GoalInNoText", [](RequestT& r) { add_goal(r, wire::GoalKind::Cost).words = "cost\xff"; }, STOWAGE_MALFORMED,
     "goals[0].words"},
    {"GoalInWordsAndNumbers",
     [](RequestT& r) {
       add_goal(r, wire::GoalKind::Cost).words = "cost";
       r.goals[0]->weight = 2;
     },
     STOWAGE_INVALID, "goals[0].words"},
    {"GoalsAndAnObjective",
     [](RequestT& r) {
       add_goal(r, wire::GoalKind::Cost);
       r.objective = wire::Objective::Admitted;
     },
     STOWAGE_INVALID, "objective"},
    {"GoalsAndAPolicyForSoftRules",
     [](RequestT& r) {
       add_goal(r, wire::GoalKind::Cost);
       r.soft = wire::SoftPolicy::Last;
     },
     STOWAGE_INVALID, "soft"},
    {"GoalsForAPlannerOfOneGoal",
     [](RequestT& r) {
       add_goal(r, wire::GoalKind::Nodes);
       add_goal(r, wire::GoalKind::Balance);
       r.planner = "ff";
     },
     STOWAGE_UNSUPPORTED, "goals"},
    {"ManyThreads", [](RequestT& r) { r.threads = 257; }, STOWAGE_LIMIT_EXCEEDED, "threads"},
    {"EndlessThreads", [](RequestT& r) { r.threads = 4294967295u; }, STOWAGE_LIMIT_EXCEEDED, "threads"},
    {"LaterFormat", [](RequestT& r) { r.format = 2; }, STOWAGE_MALFORMED, ""},
};

RequestT good_request() {
  RequestT request;
  request.planner = "bfd-avgexp";
  return request;
}

class RequestTable : public ::testing::TestWithParam<RequestCase> {};

TEST_P(RequestTable, IsRefused) {
  const Loaded instance(test::pack(test::busy_instance()));
  RequestT request = good_request();
  GetParam().spoil(request);
  const Answer plan = test::plan(instance, test::pack(request));
  EXPECT_EQ(plan.result.status, GetParam().status) << plan.result.message;
  EXPECT_EQ(plan.result.path, GetParam().path) << plan.result.message;
}

INSTANTIATE_TEST_SUITE_P(Request, RequestTable, ::testing::ValuesIn(kRequestCases),
                         [](const auto& one) { return one.param.name; });

// Unusual but valid requests: they are planned, and verify accepts the plans.
const RequestCase kOdd[] = {
    {"NothingSpecial", [](RequestT&) {}, STOWAGE_OK, ""},
    {"NoThreads", [](RequestT& r) { r.threads = 0; }, STOWAGE_OK, ""},
    {"ManyNodes", [](RequestT& r) { r.node_limit = 4294967295u; }, STOWAGE_OK, ""},
    {"FewerNodesThanAreInUse", [](RequestT& r) { r.node_limit = 1; }, STOWAGE_OK, ""},
    {"EndlessDeadline", [](RequestT& r) { r.deadline_ms = UINT64_MAX; }, STOWAGE_OK, ""},
    {"EndlessPatience", [](RequestT& r) { r.patience_ms = UINT64_MAX; }, STOWAGE_OK, ""},
    {"LittlePatience", [](RequestT& r) { r.patience_ms = 1; }, STOWAGE_OK, ""},
    {"ViolationsForNothing", [](RequestT& r) { r.soft = wire::SoftPolicy::Price; }, STOWAGE_OK, ""},
    {"ViolationsLast", [](RequestT& r) { r.soft = wire::SoftPolicy::Last; }, STOWAGE_OK, ""},
    {"Filled", [](RequestT& r) { r.fill = true; }, STOWAGE_OK, ""},
    {"LittleWork", [](RequestT& r) { r.work_limit = 1; }, STOWAGE_OK, ""},
    {"EndlessWork", [](RequestT& r) { r.work_limit = UINT64_MAX; }, STOWAGE_OK, ""},
    {"LargestSeed", [](RequestT& r) { r.seed = UINT64_MAX; }, STOWAGE_OK, ""},
    {"EveryReplicaMayMove", [](RequestT& r) { r.move_budget = 4294967295u; }, STOWAGE_OK, ""},
    {"AsIfNothingRan", [](RequestT& r) { r.ignore_running = true; }, STOWAGE_OK, ""},
    {"SurvivesLosses", [](RequestT& r) { r.survive = "*"; }, STOWAGE_OK, ""},
    {"SurvivesLossesOnOneNode",
     [](RequestT& r) {
       r.survive = "*";
       r.node_limit = 1;
     },
     STOWAGE_OK, ""},
    {"KeepsMoreRoomThanThereMayBeNodes",
     [](RequestT& r) {
       r.keep = {{0, 1'000'000}, {1, 1}, {2, 5}};
       r.node_limit = 5;
     },
     STOWAGE_OK, ""},
};

class OddRequest : public ::testing::TestWithParam<RequestCase> {};

TEST_P(OddRequest, IsPlanned) {
  const Loaded instance(test::pack(test::busy_instance()));
  RequestT request = good_request();
  GetParam().spoil(request);
  const Answer plan = test::plan(instance, test::pack(request));
  ASSERT_EQ(plan.result.status, GetParam().status) << plan.result.message;
  EXPECT_TRUE(test::verify(instance, plan.buffer).verification().ok());
}

INSTANTIATE_TEST_SUITE_P(Request, OddRequest, ::testing::ValuesIn(kOdd), [](const auto& one) { return one.param.name; });

TEST(Request, ForFeaturesThatThePlannerDoesNotHonour) {
  wire::InstanceT limited = test::full_instance();
  limited.interference->max_cost = {50, 50};
  const Loaded instance(test::pack(limited));
  RequestT request;
  request.planner = "lrasched-ilp";
  request.objective = wire::Objective::Admitted;
  const Answer plan = test::plan(instance, test::pack(request));
  EXPECT_EQ(plan.result.status, STOWAGE_UNSUPPORTED);
  EXPECT_EQ(plan.result.path, "planner");
  EXPECT_NE(plan.result.message.find("interference"), std::string::npos) << plan.result.message;
}

// web costs itself 1 per core, db and batch cost each other nothing, and each kind the other half a core's load. db needs 3
// cores, but its kind does not suffer from itself.
TEST(Request, WithLimitsOnSideEffectsThatAreNone) {
  const Loaded instance(test::pack(test::full_instance()));
  const auto path_of = [&](double max_cost, const char* planner = "ff", wire::Objective objective = wire::Objective::Nodes) {
    RequestT request;
    request.planner = planner;
    request.objective = objective;
    request.max_cost = max_cost;
    const Answer plan = test::plan(instance, test::pack(request));
    return std::to_string(plan.result.status) + " " + plan.result.path;
  };
  const std::string invalid = std::to_string(STOWAGE_INVALID) + " max_cost";
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    EXPECT_EQ(path_of(wrong), invalid) << wrong;
  }
  EXPECT_EQ(path_of(1e300), std::to_string(STOWAGE_LIMIT_EXCEEDED) + " max_cost");
  EXPECT_EQ(path_of(1.9), invalid) << "a web costs 2 even where it is alone";
  EXPECT_EQ(path_of(4), std::to_string(STOWAGE_OK) + " ");
  EXPECT_EQ(path_of(4, "lrasched-ilp", wire::Objective::Admitted), std::to_string(STOWAGE_UNSUPPORTED) + " planner")
      << "limits are a feature";
}

TEST(Request, ForTheLeastCostWithoutANumberOfNodes) {
  wire::InstanceT content = test::tiny_instance();
  content.apps->kind = {0};
  content.interference = std::make_unique<wire::InterferenceT>();
  content.interference->coefficient = {1};
  RequestT request;
  request.planner = "kind-lpt";
  request.objective = wire::Objective::Worst;
  const Loaded endless(test::pack(content));
  const Answer refused = test::plan(endless, test::pack(request));
  EXPECT_EQ(refused.result.status, STOWAGE_INVALID);
  EXPECT_EQ(refused.result.path, "node_limit");
  request.node_limit = 2;
  const Answer plan = test::plan(endless, test::pack(request));
  ASSERT_TRUE(plan.ok()) << plan.result.message;
  EXPECT_EQ(plan.plan().max_cost(), 4);
  content.classes[0]->count = 3;
  request.node_limit = 0;
  const Loaded counted(test::pack(content));
  EXPECT_TRUE(test::plan(counted, test::pack(request)).ok());
}

TEST(Request, WithThreadsBeyondTheCallersLimit) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_threads = 2;
  const Loaded instance(test::pack(test::busy_instance()), &limits);
  RequestT request = good_request();
  request.threads = 3;
  EXPECT_EQ(test::plan(instance, test::pack(request)).result.path, "threads");
  request.threads = 2;
  EXPECT_TRUE(test::plan(instance, test::pack(request)).ok());
}

}  // namespace
