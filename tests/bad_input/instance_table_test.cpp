// Instances with one thing wrong: each case damages one field of a valid instance, and names the status and the path that
// loading returns.
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <utility>

#include "tests/bad_input/harness.h"

namespace {

using stowage::test::kNone;
using stowage::test::Loaded;
using stowage::wire::InstanceT;
namespace test = stowage::test;
namespace wire = stowage::wire;

struct InstanceCase {
  const char* name;
  void (*spoil)(InstanceT&);
  stowage_status status;
  const char* path;
};

void PrintTo(const InstanceCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

wire::CardinalityT& cardinality(InstanceT& i) { return *i.rules[0]->any_of[0]->all_of[0]; }

constexpr stowage_status kInvalid = STOWAGE_INVALID;
constexpr stowage_status kExceeded = STOWAGE_LIMIT_EXCEEDED;

const InstanceCase kInstanceCases[] = {
    // Missing tables.
    {"NoResources", [](InstanceT& i) { i.resources.clear(); }, kInvalid, "resources"},
    {"NoClasses", [](InstanceT& i) { i.classes.clear(); }, kInvalid, "classes"},
    {"NoPeriods", [](InstanceT& i) { i.periods = 0; }, kInvalid, "periods"},
    {"NoRule", [](InstanceT& i) { i.rules[0]->any_of.clear(); }, kInvalid, "rules[0].any_of"},
    {"NoConstraint", [](InstanceT& i) { i.rules[0]->any_of[0]->all_of.clear(); }, kInvalid, "rules[0].any_of[0].all_of"},
    {"NoSubject", [](InstanceT& i) { cardinality(i).subject.clear(); }, kInvalid, "rules[0].any_of[0].all_of[0].subject"},
    {"NoTarget", [](InstanceT& i) { cardinality(i).target.clear(); }, kInvalid, "rules[0].any_of[0].all_of[0].target"},
    {"NoKinds", [](InstanceT& i) { i.interference->coefficient.clear(); }, kInvalid, "interference.coefficient"},

    // Repeated names.
    {"ResourceTwice", [](InstanceT& i) { i.resources[1]->name = "cpu"; }, kInvalid, "resources[1]"},
    {"AppNameTwice", [](InstanceT& i) { i.apps->names[2] = "web"; }, kInvalid, "apps.names[2]"},
    {"NodeNameTwice", [](InstanceT& i) { i.nodes->names[1] = "n0"; }, kInvalid, "nodes.names[1]"},
    {"TagTwice", [](InstanceT& i) { i.tags[1] = "front"; }, kInvalid, "tags[1]"},

    // Inconsistent lengths.
    {"DemandShort", [](InstanceT& i) { i.apps->demand.pop_back(); }, kInvalid, "apps.demand"},
    {"DemandLong", [](InstanceT& i) { i.apps->demand.push_back(1); }, kInvalid, "apps.demand"},
    {"DemandEmpty", [](InstanceT& i) { i.apps->demand.clear(); }, kInvalid, "apps.demand"},
    {"DemandOfOtherPeriods", [](InstanceT& i) { i.periods = 3; }, kInvalid, "apps.demand"},
    {"AppNamesShort", [](InstanceT& i) { i.apps->names.pop_back(); }, kInvalid, "apps.names"},
    {"WeightShort", [](InstanceT& i) { i.apps->weight = {1}; }, kInvalid, "apps.weight"},
    {"PriorityLong", [](InstanceT& i) { i.apps->priority.push_back(0); }, kInvalid, "apps.priority"},
    {"VarianceNegative", [](InstanceT& i) { i.apps->variance[0] = -0.5; }, kInvalid, "apps.variance[0]"},
    {"ConfidenceBelowHalf", [](InstanceT& i) { i.uncertainty->confidence = 0.4; }, kInvalid, "uncertainty.confidence"},
    {"VaryingLoadOfNothing", [](InstanceT& i) { i.nodes->load_variance[2] = 1; }, kInvalid, "nodes.load_variance[2]"},
    {"VarianceShort", [](InstanceT& i) { i.apps->variance.pop_back(); }, kInvalid, "apps.variance"},
    {"SupportMinAlone", [](InstanceT& i) { i.apps->support_max.clear(); }, kInvalid, "apps.support_max"},
    {"SupportShort",
     [](InstanceT& i) {
       i.apps->support_min.pop_back();
       i.apps->support_max.pop_back();
     },
     kInvalid, "apps.support_min"},
    {"KindShort", [](InstanceT& i) { i.apps->kind.pop_back(); }, kInvalid, "apps.kind"},
    {"KindWithoutInterference", [](InstanceT& i) { i.interference.reset(); }, kInvalid, "apps.kind"},
    {"AppTagBeginShort", [](InstanceT& i) { i.apps->tag_begin.pop_back(); }, kInvalid, "apps.tag_begin"},
    {"AppTagIndexAlone", [](InstanceT& i) { i.apps->tag_begin.clear(); }, kInvalid, "apps.tag_begin"},
    {"AppTagBeginNotAtZero", [](InstanceT& i) { i.apps->tag_begin[0] = 1; }, kInvalid, "apps.tag_begin[0]"},
    {"AppTagBeginDecreases", [](InstanceT& i) { i.apps->tag_begin[2] = 0; }, kInvalid, "apps.tag_begin[2]"},
    {"AppTagBeginPastTheEnd", [](InstanceT& i) { i.apps->tag_begin[1] = 4; }, kInvalid, "apps.tag_begin[1]"},
    {"AppTagBeginBeforeTheEnd", [](InstanceT& i) { i.apps->tag_begin[3] = 2; }, kInvalid, "apps.tag_begin[3]"},
    {"NodeTagBeginShort", [](InstanceT& i) { i.nodes->tag_begin.pop_back(); }, kInvalid, "nodes.tag_begin"},
    {"NodeTagBeginDecreases",
     [](InstanceT& i) {
       i.nodes->tag_begin = {0, 1, 0};
     },
     kInvalid, "nodes.tag_begin[2]"},
    {"OnlyBeginShort", [](InstanceT& i) { i.apps->only_begin.pop_back(); }, kInvalid, "apps.only_begin"},
    {"OnlyIndexAlone", [](InstanceT& i) { i.apps->only_begin.clear(); }, kInvalid, "apps.only_begin"},
    {"NotBeginNotAtZero", [](InstanceT& i) { i.apps->not_begin[0] = 1; }, kInvalid, "apps.not_begin[0]"},
    {"NotBeginPastTheEnd", [](InstanceT& i) { i.apps->not_begin[2] = 5; }, kInvalid, "apps.not_begin[2]"},
    {"ClassDaemonShort", [](InstanceT& i) { i.classes[0]->daemon.pop_back(); }, kInvalid, "classes[0].daemon"},
    {"ClassDaemonLong", [](InstanceT& i) { i.classes[0]->daemon.resize(5); }, kInvalid, "classes[0].daemon"},
    {"ClassDaemonAboveCapacity", [](InstanceT& i) { i.classes[0]->daemon[0] = 1e4; }, kInvalid, "classes[0].daemon"},
    {"NodeDaemonShort", [](InstanceT& i) { i.nodes->daemon.pop_back(); }, kInvalid, "nodes.daemon"},
    {"NodeDaemonLong", [](InstanceT& i) { i.nodes->daemon.push_back(0); }, kInvalid, "nodes.daemon"},
    {"CapacityShort", [](InstanceT& i) { i.classes[1]->capacity.pop_back(); }, kInvalid, "classes[1].capacity"},
    {"CapacityLong", [](InstanceT& i) { i.classes[1]->capacity.push_back(1); }, kInvalid, "classes[1].capacity"},
    {"CapacityEmpty", [](InstanceT& i) { i.classes[0]->capacity.clear(); }, kInvalid, "classes[0].capacity"},
    {"NodeNamesShort", [](InstanceT& i) { i.nodes->names.pop_back(); }, kInvalid, "nodes.names"},
    {"LoadShort", [](InstanceT& i) { i.nodes->load.pop_back(); }, kInvalid, "nodes.load"},
    {"LoadVarianceLong", [](InstanceT& i) { i.nodes->load_variance.push_back(0); }, kInvalid, "nodes.load_variance"},
    {"ClosedLong", [](InstanceT& i) { i.nodes->closed.push_back(0); }, kInvalid, "nodes.closed"},
    {"LimitBeginShort", [](InstanceT& i) { i.limits->row_begin.pop_back(); }, kInvalid, "limits.row_begin"},
    {"LimitBeginEmpty", [](InstanceT& i) { i.limits->row_begin.clear(); }, kInvalid, "limits.row_begin"},
    {"LimitBeginNotAtZero", [](InstanceT& i) { i.limits->row_begin[0] = 1; }, kInvalid, "limits.row_begin[0]"},
    {"LimitBeginDecreases", [](InstanceT& i) { i.limits->row_begin[2] = 1; }, kInvalid, "limits.row_begin[2]"},
    {"LimitBeginPastTheEnd", [](InstanceT& i) { i.limits->row_begin[1] = 4; }, kInvalid, "limits.row_begin[1]"},
    {"LimitBeginBeforeTheEnd",
     [](InstanceT& i) {
       i.limits->row_begin = {0, 1, 2, 2};
     },
     kInvalid, "limits.row_begin[3]"},
    {"LimitAtMostShort", [](InstanceT& i) { i.limits->at_most.pop_back(); }, kInvalid, "limits.at_most"},
    {"LimitAppShort", [](InstanceT& i) { i.limits->app.pop_back(); }, kInvalid, "limits.at_most"},
    {"GroupBeginDecreases",
     [](InstanceT& i) {
       i.groups[0]->set_begin = {0, 2, 1};
     },
     kInvalid, "groups[0].set_begin[2]"},
    {"GroupBeginNotAtZero",
     [](InstanceT& i) {
       i.groups[0]->set_begin = {1, 1, 2};
     },
     kInvalid, "groups[0].set_begin[0]"},
    {"GroupNodesAlone", [](InstanceT& i) { i.groups[0]->set_begin.clear(); }, kInvalid, "groups[0].set_begin"},
    {"GroupSetNamesShort", [](InstanceT& i) { i.groups[0]->set_names.pop_back(); }, kInvalid, "groups[0].set_names"},
    {"InterferenceNotSquare", [](InstanceT& i) { i.interference->coefficient.pop_back(); }, kInvalid,
     "interference.coefficient"},
    {"MaxCostShort", [](InstanceT& i) { i.interference->max_cost.pop_back(); }, kInvalid, "interference.max_cost"},
    {"MaxCostLong", [](InstanceT& i) { i.interference->max_cost.push_back(9); }, kInvalid, "interference.max_cost"},
    {"InterferenceKindsLong", [](InstanceT& i) { i.interference->kinds.push_back("x"); }, kInvalid, "interference.kinds"},

    {"TrafficTwice", [](InstanceT& i) { i.traffic = {{0, 1, 1.0}, {1, 0, 1.0}}; }, kInvalid, "traffic[1]"},
    {"TrafficNegative", [](InstanceT& i) { i.traffic = {{0, 1, -1.0}}; }, kInvalid, "traffic[0].amount"},

    // Indices of things that do not exist.
    {"TrafficDangles", [](InstanceT& i) { i.traffic = {{0, 99, 1.0}}; }, kInvalid, "traffic[0].peer"},
    {"AppTagDangles", [](InstanceT& i) { i.apps->tag_index[1] = 3; }, kInvalid, "apps.tag_index[1]"},
    {"OnlyDangles", [](InstanceT& i) { i.apps->only_index[0] = 3; }, kInvalid, "apps.only_index[0]"},
    {"NotDangles", [](InstanceT& i) { i.apps->not_index[0] = kNone; }, kInvalid, "apps.not_index[0]"},
    {"NodeTagDangles", [](InstanceT& i) { i.nodes->tag_index[0] = kNone; }, kInvalid, "nodes.tag_index[0]"},
    {"NodeClassDangles", [](InstanceT& i) { i.nodes->node_class[1] = 2; }, kInvalid, "nodes.node_class[1]"},
    {"LimitAppDangles", [](InstanceT& i) { i.limits->app[1] = 3; }, kInvalid, "limits.app[1]"},
    {"LimitAppDanglesFar", [](InstanceT& i) { i.limits->app[2] = kNone; }, kInvalid, "limits.app[2]"},
    {"RunningAppDangles", [](InstanceT& i) { i.running[0].mutate_app(3); }, kInvalid, "running[0].app"},
    {"RunningNodeDangles", [](InstanceT& i) { i.running[1].mutate_node(2); }, kInvalid, "running[1].node"},
    {"PinnedAppDangles", [](InstanceT& i) { i.pinned[1].mutate_app(kNone); }, kInvalid, "pinned[1].app"},
    {"PinnedNodeDangles", [](InstanceT& i) { i.pinned[0].mutate_node(kNone); }, kInvalid, "pinned[0].node"},
    {"GroupNodeDangles", [](InstanceT& i) { i.groups[0]->node[1] = 2; }, kInvalid, "groups[0].node[1]"},
    {"SubjectDangles", [](InstanceT& i) { cardinality(i).subject[0] = 3; }, kInvalid,
     "rules[0].any_of[0].all_of[0].subject[0]"},
    {"TargetDangles", [](InstanceT& i) { cardinality(i).target[0] = 9; }, kInvalid, "rules[0].any_of[0].all_of[0].target[0]"},
    {"GroupDangles", [](InstanceT& i) { cardinality(i).group = 1; }, kInvalid, "rules[0].any_of[0].all_of[0].group"},
    {"LoadDangles", [](InstanceT& i) { i.interference->resource = 2; }, kInvalid, "interference.resource"},
    {"LoadDanglesFar", [](InstanceT& i) { i.interference->resource = kNone; }, kInvalid, "interference.resource"},
    {"KindDangles", [](InstanceT& i) { i.apps->kind[2] = 2; }, kInvalid, "apps.kind[2]"},

    // Repeated entries.
    {"LimitTwice",
     [](InstanceT& i) {
       i.limits->app[1] = 2;
       i.limits->row_begin = {0, 3, 3, 3};
     },
     kInvalid, "limits.app[2]"},
    {"OwnLimitTwice", [](InstanceT& i) { i.limits->app[1] = 0; }, kInvalid, "limits.app[1]"},
    {"OwnLimitTwiceWithoutEffect",
     [](InstanceT& i) {
       i.limits->app[1] = 0;
       i.limits->at_most[0] = kNone;
     },
     kInvalid, "limits.app[1]"},
    {"RunningTwice", [](InstanceT& i) { i.running[1] = i.running[0]; }, kInvalid, "running[1]"},
    {"PinnedTwice", [](InstanceT& i) { i.pinned.push_back(i.pinned[0]); }, kInvalid, "pinned[2]"},

    // Impossible values.
    {"MaxCostNan", [](InstanceT& i) { i.interference->max_cost[1] = std::numeric_limits<double>::quiet_NaN(); }, kInvalid,
     "interference.max_cost[1]"},
    {"MaxCostNegative", [](InstanceT& i) { i.interference->max_cost[0] = -1; }, kInvalid, "interference.max_cost[0]"},
    {"MaxCostNegativeInfinity",
     [](InstanceT& i) { i.interference->max_cost[0] = -std::numeric_limits<double>::infinity(); }, kInvalid,
     "interference.max_cost[0]"},
    {"MaxCostOfLessThanAReplica", [](InstanceT& i) { i.interference->max_cost[0] = 1.9; }, kInvalid,
     "interference.max_cost[0]"},
    {"DeviceNan", [](InstanceT& i) { i.resources[1]->device = std::numeric_limits<double>::quiet_NaN(); }, kInvalid,
     "resources[1].device"},
    {"DeviceNegative", [](InstanceT& i) { i.resources[1]->device = -8; }, kInvalid, "resources[1].device"},
    {"CapacityOfABrokenDevice", [](InstanceT& i) { i.resources[1]->device = 3; }, kInvalid, "classes[0].capacity[1]"},
    {"MoreDevicesThanCount", [](InstanceT& i) { i.resources[1]->device = 1e-90; }, STOWAGE_LIMIT_EXCEEDED,
     "classes[0].capacity[1]"},
    {"DemandOfOneAndAHalfDevices",
     [](InstanceT& i) {
       i.resources[1]->device = 8;
       i.apps->demand[6] = i.apps->demand[7] = 12;
     },
     kInvalid, "apps.demand[6]"},
    {"DemandOfDevicesChanges", [](InstanceT& i) { i.resources[0]->device = 8; }, kInvalid, "apps.demand[1]"},
    {"DemandOfDevicesUncertain",
     [](InstanceT& i) {
       i.resources[1]->device = 8;
       i.apps->variance[1] = 0.5;
     },
     kInvalid, "apps.variance[1]"},
    {"ClosedNeitherZeroNorOne", [](InstanceT& i) { i.nodes->closed[0] = 2; }, kInvalid, "nodes.closed[0]"},
    {"RunningNothing", [](InstanceT& i) { i.running[0].mutate_replicas(0); }, kInvalid, "running[0].replicas"},
    {"PinnedNothing", [](InstanceT& i) { i.pinned[1].mutate_replicas(0); }, kInvalid, "pinned[1].replicas"},
    {"NoCapacityAtAll",
     [](InstanceT& i) {
       i.classes[1]->capacity = {0, 0};
     },
     kInvalid, "classes[1].capacity"},
    {"PriceOfSomeClasses", [](InstanceT& i) { i.classes[0]->price = -1; }, kInvalid, "classes[0].price"},
    {"GroupBySetsAndLabel", [](InstanceT& i) { i.groups[0]->by_label = "rack"; }, kInvalid, "groups[0].by_label"},
    {"SupportTurnedRound", [](InstanceT& i) { i.apps->support_min[2] = 5; }, kInvalid, "apps.support_min[2]"},
    {"MinAboveMax", [](InstanceT& i) { cardinality(i).min = 4; }, kInvalid, "rules[0].any_of[0].all_of[0].min"},
    {"ConfidenceZero", [](InstanceT& i) { i.uncertainty->confidence = 0; }, kInvalid, "uncertainty.confidence"},
    {"ConfidenceOne", [](InstanceT& i) { i.uncertainty->confidence = 1; }, kInvalid, "uncertainty.confidence"},
    {"UnknownCardinality", [](InstanceT& i) { cardinality(i).kind = static_cast<wire::CardinalityKind>(3); }, kInvalid,
     "rules[0].any_of[0].all_of[0].kind"},
    {"UnknownOrigin", [](InstanceT& i) { i.rules[0]->origin = static_cast<wire::Origin>(2); }, kInvalid, "rules[0].origin"},
    {"UnknownChanceModel", [](InstanceT& i) { i.uncertainty->model = static_cast<wire::ChanceModel>(255); }, kInvalid,
     "uncertainty.model"},

    // Contradictions.
    {"OwnLimitForbidsTheApp", [](InstanceT& i) { i.limits->at_most[0] = 0; }, kInvalid, "limits.at_most[0]"},
    {"MoreRunningThanWanted", [](InstanceT& i) { i.running[0].mutate_replicas(5); }, kInvalid, "running[0].replicas"},
    {"MoreRunningThanWantedInAll", [](InstanceT& i) { i.running.emplace_back(2, 0, 7); }, kInvalid, "running[2].replicas"},
    {"MorePinnedThanWanted", [](InstanceT& i) { i.pinned[1].mutate_replicas(3); }, kInvalid, "pinned[1].replicas"},
    {"MorePinnedThanRunningLeaves", [](InstanceT& i) { i.pinned.emplace_back(0, 1, 3); }, kInvalid, "pinned[2].replicas"},
    {"PinnedReplicasOfNothing", [](InstanceT& i) { i.apps->replicas[1] = 0; }, kInvalid, "pinned[1].replicas"},
    {"MoreListedThanTheClassHas",
     [](InstanceT& i) {
       i.nodes->node_class = {1, 1};
       i.classes[1]->count = 1;
     },
     kInvalid, "nodes.node_class[1]"},
    {"HardRulesThatLeaveNoNumber",
     [](InstanceT& i) {
       i.rules.push_back(std::make_unique<wire::PlacementRuleT>(*i.rules[0]));
       wire::CardinalityT& other = *i.rules[1]->any_of[0]->all_of[0];
       other.min = 4;
       other.max = kNone;
     },
     kInvalid, "rules[1]"},
    {"NegationOfWhatAlwaysHolds",
     [](InstanceT& i) {
       cardinality(i).max = kNone;
       cardinality(i).negated = true;
     },
     kInvalid, "rules[0].any_of[0]"},

    // Numbers outside of the range that the library calculates with.
    {"ManyReplicas", [](InstanceT& i) { i.apps->replicas[0] = 1'000'000'000; }, kExceeded, "apps.replicas[0]"},
    {"ManyReplicasInAll",
     [](InstanceT& i) {
       i.apps->replicas = {60'000'000, 40'000'000, 1};
     },
     kExceeded, "apps.replicas[2]"},
    {"ReplicasOutOfProportion",
     [](InstanceT& i) {
       i.apps->replicas[2] = 50'000'000;
       i.running[1].mutate_replicas(50'000'000);
       i.apps->demand[8] = 63.999;
     },
     kExceeded, "running[1]"},
    {"PinsOutOfProportion",
     [](InstanceT& i) {
       i.apps->replicas[1] = 90'000'000;
       i.pinned[1].mutate_replicas(90'000'000);
       i.apps->demand[4] = 7.0001;
     },
     kExceeded, "pinned[1]"},
    {"DaemonOutOfProportion", [](InstanceT& i) { i.nodes->daemon[1] = 1e20; }, kExceeded, "nodes.daemon[1]"},
    {"LoadOutOfProportion", [](InstanceT& i) { i.nodes->load[1] = 1e20; }, kExceeded, "nodes.load[1]"},
    {"LoadOutOfProportionInOnePeriod", [](InstanceT& i) { i.nodes->load = {1, 1, 1, 1, 0, 0, 0, 1e15}; }, kExceeded,
     "nodes.load[7]"},
    {"ManyResources",
     [](InstanceT& i) {
       for (int r = 2; r < 257; ++r) {
         i.resources.push_back(std::make_unique<wire::ResourceT>());
         i.resources.back()->name = std::to_string(r);
       }
     },
     kExceeded, "resources"},
};

class InstanceTable : public ::testing::TestWithParam<InstanceCase> {};

TEST_P(InstanceTable, IsRefused) {
  InstanceT instance = test::full_instance();
  GetParam().spoil(instance);
  const Loaded loaded(test::pack(instance));
  EXPECT_EQ(loaded.result().status, GetParam().status) << loaded.result().message;
  EXPECT_EQ(loaded.result().path, GetParam().path) << loaded.result().message;
}

INSTANTIATE_TEST_SUITE_P(Instance, InstanceTable, ::testing::ValuesIn(kInstanceCases),
                         [](const auto& one) { return one.param.name; });

TEST(InstanceTable, WhatTheCasesSpoilLoads) {
  EXPECT_TRUE(Loaded(test::pack(test::full_instance())).ok());
  EXPECT_TRUE(Loaded(test::pack(test::busy_instance())).ok());
  EXPECT_TRUE(Loaded(test::pack(test::tiny_instance())).ok());
}

// 4294967295 means "no limit" inside of the library. In a buffer it is a limit without effect.
TEST(InstanceTable, LimitsWithoutEffectLoad) {
  for (const bool sorted : {true, false}) {
    InstanceT instance = test::busy_instance();
    // Every app limits every other app and itself.
    instance.limits->row_begin = {0, 3, 6, 9};
    instance.limits->app = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    if (!sorted) std::swap(instance.limits->app[3], instance.limits->app[5]);
    instance.limits->at_most.assign(9, kNone);
    const Loaded loaded(test::pack(instance));
    ASSERT_TRUE(loaded.ok()) << loaded.result().message;
    const test::Answer plan = test::plan(loaded, test::request_for("ff"));
    ASSERT_TRUE(plan.ok());
    EXPECT_TRUE(test::verify(loaded, plan.buffer).verification().ok());
    EXPECT_EQ(plan.plan().unplaced()->size(), 0u);
  }
}

// Every number of an instance, damaged in turn.

struct Column {
  const char* path;
  double* (*cell)(InstanceT&);
};

double* vector_cell(std::vector<double>& values, std::size_t at) { return &values[at]; }

const Column kAmounts[] = {
    {"apps.demand[5]", [](InstanceT& i) { return vector_cell(i.apps->demand, 5); }},
    {"apps.variance[1]", [](InstanceT& i) { return vector_cell(i.apps->variance, 1); }},
    {"apps.support_min[0]", [](InstanceT& i) { return vector_cell(i.apps->support_min, 0); }},
    {"apps.support_max[3]", [](InstanceT& i) { return vector_cell(i.apps->support_max, 3); }},
    {"classes[1].capacity[0]", [](InstanceT& i) { return vector_cell(i.classes[1]->capacity, 0); }},
    {"nodes.load[2]", [](InstanceT& i) { return vector_cell(i.nodes->load, 2); }},
    {"classes[0].daemon[1]", [](InstanceT& i) { return vector_cell(i.classes[0]->daemon, 1); }},
    {"nodes.daemon[3]", [](InstanceT& i) { return vector_cell(i.nodes->daemon, 3); }},
    {"nodes.load_variance[3]", [](InstanceT& i) { return vector_cell(i.nodes->load_variance, 3); }},
    {"interference.coefficient[2]", [](InstanceT& i) { return vector_cell(i.interference->coefficient, 2); }},
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kDenormal = std::numeric_limits<double>::denorm_min();
constexpr double kNotNumbers[] = {kNan, -kNan, kInfinity, -kInfinity};

Loaded load_with(const Column& column, double value) {
  InstanceT instance = test::full_instance();
  *column.cell(instance) = value;
  return Loaded(test::pack(instance));
}

TEST(InstanceNumbers, AmountsAreFiniteAndNotNegative) {
  for (const Column& column : kAmounts) {
    for (const double value : {kNan, -kNan, kInfinity, -kInfinity, -1.0, -kDenormal, -1e300}) {
      const Loaded loaded = load_with(column, value);
      EXPECT_EQ(loaded.result().status, kInvalid) << column.path << " = " << value;
      EXPECT_EQ(loaded.result().path, column.path) << value;
    }
  }
}

TEST(InstanceNumbers, AmountsStayInTheRangeOfTheLibrary) {
  for (const Column& column : kAmounts) {
    for (const double value : {1e300, std::numeric_limits<double>::max(), 1.1e100, 0.9e-100, 1e-300, kDenormal}) {
      const Loaded loaded = load_with(column, value);
      EXPECT_EQ(loaded.result().status, kExceeded) << column.path << " = " << value;
      EXPECT_EQ(loaded.result().path, column.path) << value;
    }
    EXPECT_TRUE(load_with(column, -0.0).ok()) << column.path;
  }
}

TEST(InstanceNumbers, Prices) {
  const Column price = {"classes[0].price", [](InstanceT& i) { return &i.classes[0]->price; }};
  for (const double value : kNotNumbers) {
    EXPECT_EQ(load_with(price, value).result().status, kInvalid) << value;
    EXPECT_EQ(load_with(price, value).result().path, price.path) << value;
  }
  for (const double value : {1e300, kDenormal}) {
    EXPECT_EQ(load_with(price, value).result().status, kExceeded) << value;
    EXPECT_EQ(load_with(price, value).result().path, price.path) << value;
  }
  EXPECT_TRUE(load_with(price, 0).ok());
}

TEST(InstanceNumbers, WeightsConfidenceAndFactor) {
  const Column columns[] = {
      {"rules[0].weight", [](InstanceT& i) { return &i.rules[0]->weight; }},
      {"uncertainty.confidence", [](InstanceT& i) { return &i.uncertainty->confidence; }},
      {"uncertainty.factor", [](InstanceT& i) { return &i.uncertainty->factor; }},
  };
  for (const Column& column : columns) {
    for (const double value : {kNan, kInfinity, -kInfinity, -1.0}) {
      EXPECT_EQ(load_with(column, value).result().status, kInvalid) << column.path << " = " << value;
      EXPECT_EQ(load_with(column, value).result().path, column.path) << value;
    }
  }
}

// Extreme but allowed numbers, in random combinations: planning returns a plan that verify accepts.
TEST(InstanceNumbers, AllowedExtremesArePlanned) {
  const double values[] = {0, 1e-100, 1e-30, 1.0 / 3, 1, 0x1p31, 1e15, 0x1p53 + 2, 1e30, 1e100};
  for (const double capacity : values) {
    for (const double demand : values) {
      for (const double price : {0.0, 1e-100, 1e100}) {
        if (capacity == 0) continue;
        InstanceT instance = test::tiny_instance();
        instance.classes[0]->capacity = {capacity};
        instance.classes[0]->price = price;
        instance.apps->demand = {demand};
        const Loaded loaded(test::pack(instance));
        ASSERT_TRUE(loaded.ok()) << loaded.result().message;
        EXPECT_TRUE(test::bound(loaded).ok());
        for (const char* planner : {"ff", "bf-avg", "wfd-avgexp", "bfd-extsum", "wfd-surrogate", "ncd-dotproduct"}) {
          const test::Answer plan = test::plan(loaded, test::request_for(planner));
          ASSERT_TRUE(plan.ok()) << planner << " " << capacity << " " << demand << " " << price << ": " << plan.result.message;
          EXPECT_TRUE(test::verify(loaded, plan.buffer).verification().ok());
          EXPECT_TRUE(test::explain(loaded, plan.buffer).ok());
        }
      }
    }
  }
}

// The caller's limits.

struct LimitCase {
  const char* name;
  void (*tighten)(stowage_limits&);
  const char* path;
};

void PrintTo(const LimitCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

const LimitCase kLimitCases[] = {
    {"MaxBytes", [](stowage_limits& l) { l.max_bytes = 100; }, ""},
    {"MaxApps", [](stowage_limits& l) { l.max_apps = 2; }, "apps.replicas"},
    {"MaxReplicas", [](stowage_limits& l) { l.max_replicas = 14; }, "apps.replicas[2]"},
    {"MaxLimits", [](stowage_limits& l) { l.max_limits = 2; }, "limits.app"},
    {"MaxNodes", [](stowage_limits& l) { l.max_nodes = 1; }, "nodes.node_class"},
    {"MaxCells", [](stowage_limits& l) { l.max_cells = 11; }, "apps.demand"},
    {"MaxCellsBelowConstantDemand", [](stowage_limits& l) { l.max_cells = 5; }, "apps.demand"},
    {"MaxMemory", [](stowage_limits& l) { l.max_memory = 20; }, "periods"},
};

class CallersLimits : public ::testing::TestWithParam<LimitCase> {};

TEST_P(CallersLimits, AreKept) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  GetParam().tighten(limits);
  const Loaded loaded(test::pack(test::full_instance()), &limits);
  EXPECT_EQ(loaded.result().status, kExceeded);
  EXPECT_EQ(loaded.result().path, GetParam().path) << loaded.result().message;
}

INSTANTIATE_TEST_SUITE_P(Instance, CallersLimits, ::testing::ValuesIn(kLimitCases),
                         [](const auto& one) { return one.param.name; });

TEST(CallersLimits, JustEnough) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  const auto bytes = test::pack(test::full_instance());
  limits.max_bytes = bytes.size();
  limits.max_apps = 3;
  limits.max_replicas = 15;
  limits.max_limits = 3;
  limits.max_nodes = 2;
  limits.max_cells = 24;
  const Loaded loaded(bytes, &limits);
  EXPECT_TRUE(loaded.ok()) << loaded.result().path << ": " << loaded.result().message;
}

// The buffer has few numbers. Repeated over the periods of the load, they would exceed max_cells.
TEST(CallersLimits, CoverWhatPeriodsUnfoldTo) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_cells = 1'000'000;
  InstanceT instance = test::tiny_instance();
  instance.periods = 10'000;
  instance.apps->replicas.assign(1000, 1);
  instance.apps->demand.assign(1000, 1);
  instance.nodes = std::make_unique<wire::NodesT>();
  instance.nodes->node_class = {0};
  instance.nodes->load.assign(10'000, 0);
  instance.nodes->load[7] = 1;
  EXPECT_EQ(Loaded(test::pack(instance), &limits).result().status, kExceeded);
  EXPECT_EQ(Loaded(test::pack(instance), &limits).result().path, "periods");

  instance.apps->replicas.assign(1, 1);
  instance.apps->demand.assign(10'000, 1);
  instance.apps->demand[7] = 2;
  instance.nodes->node_class.assign(1000, 0);
  instance.nodes->load.assign(1000, 1);
  EXPECT_EQ(Loaded(test::pack(instance), &limits).result().status, kExceeded);
  EXPECT_EQ(Loaded(test::pack(instance), &limits).result().path, "nodes.node_class");
}

TEST(CallersLimits, OfUnknownSize) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  for (const std::size_t size : {std::size_t{0}, sizeof(std::size_t) - 1, sizeof limits + 1}) {
    limits.struct_size = size;
    const Loaded loaded(test::pack(test::tiny_instance()), &limits);
    EXPECT_EQ(loaded.result().status, STOWAGE_INVALID_ARGUMENT);
    EXPECT_EQ(loaded.result().path, "limits.struct_size");
  }
}

TEST(CallersLimits, OfNodesInUse) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_nodes = 2;
  InstanceT instance = test::tiny_instance();
  instance.apps->replicas = {7};  // two on a node
  const Loaded loaded(test::pack(instance), &limits);
  ASSERT_TRUE(loaded.ok());
  const test::Answer plan = test::plan(loaded, test::request_for("ff"));
  EXPECT_EQ(plan.result.status, kExceeded);
}

}  // namespace
