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
    {"UnknownObjective", [](RequestT& r) { r.objective = static_cast<wire::Objective>(2); }, STOWAGE_INVALID, "objective"},
    {"ObjectiveOfOtherPlanners", [](RequestT& r) { r.objective = wire::Objective::Ucac; }, STOWAGE_UNSUPPORTED, "objective"},
    {"ObjectiveWithoutUncertainty",
     [](RequestT& r) {
       r.planner = "bf-ucac";
       r.objective = wire::Objective::Ucac;
     },
     STOWAGE_INVALID, "objective"},
    {"AllOrNothingOfOtherPlanners",
     [](RequestT& r) {
       r.planner = "csp-mac";
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
  const Loaded instance(test::pack(test::full_instance()));
  const Answer plan = test::plan(instance, test::request_for("ff"));
  EXPECT_EQ(plan.result.status, STOWAGE_UNSUPPORTED);
  EXPECT_EQ(plan.result.path, "planner");
  EXPECT_NE(plan.result.message.find("ff does not honour interference;"), std::string::npos) << plan.result.message;
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
