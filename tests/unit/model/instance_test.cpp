#include "core/model/instance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/numbers/most_fitting.h"
#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// An instance's content with the memory that its limits view.
struct Draft {
  InstanceData data;
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> app;
  std::vector<std::uint32_t> at_most;
  Limits limits;

  [[nodiscard]] Result<Instance> build() const {
    InstanceData copy = data;
    copy.limits = {row_begin, app, at_most};
    return Instance::build(std::move(copy), limits);
  }
};

// Two resources, two apps of three and two replicas, one class.
Draft plain() {
  Draft draft;
  InstanceData& d = draft.data;
  d.name = "plain";
  d.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  d.replicas = {3, 2};
  d.demand = {1, 2, 3, 4};
  d.classes.resize(1);
  d.classes[0].name = "small";
  d.classes[0].capacity = {10, 20};
  return draft;
}

// Uses all parts of an instance.
Draft full() {
  Draft draft;
  InstanceData& d = draft.data;
  d.name = "full";
  d.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  d.periods = 2;
  d.app_names = {"web", "cache", "batch"};
  d.replicas = {2, 3, 1};
  // apps x resources x periods
  d.demand = {1, 2, 3, 3, 2, 2, 4, 5, 0, 1, 1, 0};
  d.priority = {0, 5, -5};
  d.variance = {0, 0.5, 0, 0, 1, 0};
  d.support_min = {0, 1, 1, 0, 0, 0};
  d.support_max = {2, 4, 3, 5, 1, 1};
  d.kind = {0, 1, 0};
  d.tags = {"frontend", "memory-hungry", "rack-1"};
  d.app_tags = {{0, 1, 3, 3}, {0, 0, 1}};
  d.app_only = {{0, 0, 0, 1}, {2}};
  d.app_not = {{0, 1, 1, 1}, {2}};
  d.classes.resize(2);
  d.classes[0].name = "small";
  d.classes[0].capacity = {10, 20};
  d.classes[0].price = 1;
  d.classes[0].labels = {"zone=a"};
  d.classes[1].name = "large";
  d.classes[1].capacity = {20, 40};
  d.classes[1].count = 3;
  d.classes[1].price = 1.5;
  d.node_class = {0, 1};
  d.node_names = {"n0", "n1"};
  d.load = {1, 1, 0, 0, 2, 1, 0, 0};
  d.load_variance = {0, 0, 0.25, 0};
  d.closed = {0, 1};
  d.node_tags = {{0, 0, 1}, {2}};
  d.running = {{0, 0, 1}};
  d.pinned = {{1, 1, 2}};
  d.groups.resize(2);
  d.groups[0].name = "rack";
  d.groups[0].sets = {{0, 1, 2}, {0, 1}};
  d.groups[0].set_names = {"rack-1", "rack-2"};
  d.groups[1].name = "zone";
  d.groups[1].by_label = "zone";
  Cardinality near;
  near.subject = {0};
  near.target = {1};
  near.min = 1;
  near.max = 3;
  near.group = 0;
  Cardinality spread;
  spread.kind = CardinalityKind::kSkew;
  spread.subject = {0, 1};
  spread.max = 2;
  spread.group = 1;
  d.rules.resize(1);
  d.rules[0].name = "near-cache";
  d.rules[0].any_of = {{near}, {near, spread}};
  d.rules[0].hard = false;
  d.rules[0].weight = 2;
  d.has_uncertainty = true;
  d.uncertainty.confidence = 0.999;
  d.uncertainty.factor = 3;
  d.has_interference = true;
  d.interference.kinds = {"calm", "noisy"};
  d.interference.kind_count = 2;
  d.interference.coefficient = {0, 1, 0.5, 2};
  draft.row_begin = {0, 2, 3, 4};
  draft.app = {1, 2, 1, 0};
  draft.at_most = {1, 0, 2, 4};
  return draft;
}

TEST(InstanceTest, TheDraftsAreValid) {
  for (const Draft& draft : {plain(), full()}) {
    auto instance = draft.build();
    EXPECT_TRUE(instance.ok()) << (instance.ok() ? "" : instance.error().path + ": " + instance.error().message);
  }
}

// --- What is refused ------------------------------------------------------------------------------------------------------

struct Refusal {
  std::string what;
  std::function<void(Draft&)> change;
  Code code;
  std::string path;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.what; }  // NOLINT(readability-identifier-naming)

// Each row spoils one part of a valid instance.
std::vector<Refusal> refusals() {
  const Code invalid = Code::kInvalid;
  const Code too_large = Code::kLimitExceeded;
  return {
      {"TrafficAppDangles",
       [](Draft& d) {
         d.data.traffic = {{3, 0, 1}};
       },
       invalid, "traffic[0].app"},
      {"TrafficPeerDangles",
       [](Draft& d) {
         d.data.traffic = {{0, 1, 1}, {0, 9, 1}};
       },
       invalid, "traffic[1].peer"},
      {"TrafficWithItself",
       [](Draft& d) {
         d.data.traffic = {{1, 1, 1}};
       },
       invalid, "traffic[0].peer"},
      {"TrafficTwice",
       [](Draft& d) {
         d.data.traffic = {{0, 1, 1}, {1, 2, 1}, {1, 0, 2}};
       },
       invalid, "traffic[2]"},
      {"TrafficNegative",
       [](Draft& d) {
         d.data.traffic = {{0, 1, -1}};
       },
       invalid, "traffic[0].amount"},
      {"TrafficNan",
       [](Draft& d) {
         d.data.traffic = {{0, 1, std::numeric_limits<double>::quiet_NaN()}};
       },
       invalid, "traffic[0].amount"},
      {"TrafficInfinite",
       [](Draft& d) {
         d.data.traffic = {{0, 1, std::numeric_limits<double>::infinity()}};
       },
       invalid, "traffic[0].amount"},
      {"OnlyBeginShort", [](Draft& d) { d.data.app_only.begin.pop_back(); }, invalid, "apps.only_begin"},
      {"OnlyDangles", [](Draft& d) { d.data.app_only.index[0] = 3; }, invalid, "apps.only_index[0]"},
      {"NotBeginNotAtZero", [](Draft& d) { d.data.app_not.begin[0] = 1; }, invalid, "apps.not_begin[0]"},
      {"NotDangles", [](Draft& d) { d.data.app_not.index[0] = 7; }, invalid, "apps.not_index[0]"},
      {"NoResources", [](Draft& d) { d.data.resources.clear(); }, invalid, "resources"},
      {"TooManyResources",
       [](Draft& d) {
         d.data.resources.assign(257, {"r", ""});
       },
       too_large, "resources"},
      {"ResourceTwice", [](Draft& d) { d.data.resources[1].name = "cpu"; }, invalid, "resources[1]"},
      {"NoPeriods", [](Draft& d) { d.data.periods = 0; }, invalid, "periods"},
      {"NoClasses", [](Draft& d) { d.data.classes.clear(); }, invalid, "classes"},
      {"MoreAppsThanAllowed", [](Draft& d) { d.limits.max_apps = 2; }, too_large, "apps.replicas"},
      {"MoreNodesThanAllowed", [](Draft& d) { d.limits.max_nodes = 1; }, too_large, "nodes.node_class"},
      {"MoreLimitsThanAllowed", [](Draft& d) { d.limits.max_limits = 3; }, too_large, "limits.app"},
      {"MoreReplicasThanAllowed", [](Draft& d) { d.limits.max_replicas = 4; }, too_large, "apps.replicas[1]"},
      {"ABillionReplicas", [](Draft& d) { d.data.replicas[2] = 1'000'000'000; }, too_large, "apps.replicas[2]"},
      {"MoreCellsThanAllowed", [](Draft& d) { d.limits.max_cells = 11; }, too_large, "apps.demand"},
      {"MorePeriodsThanCellsAllowed",
       [](Draft& d) {
         d.data.periods = 4'000'000'000;
         d.data.demand.resize(6);
       },
       too_large, "apps.demand"},
      {"DemandTooShort", [](Draft& d) { d.data.demand.pop_back(); }, invalid, "apps.demand"},
      {"DemandTooLong", [](Draft& d) { d.data.demand.push_back(1); }, invalid, "apps.demand"},
      {"NoDemand", [](Draft& d) { d.data.demand.clear(); }, invalid, "apps.demand"},
      {"DemandNegative", [](Draft& d) { d.data.demand[7] = -1; }, invalid, "apps.demand[7]"},
      {"DemandNan", [](Draft& d) { d.data.demand[0] = kNan; }, invalid, "apps.demand[0]"},
      {"DemandInfinite", [](Draft& d) { d.data.demand[11] = kInf; }, invalid, "apps.demand[11]"},
      {"AppNamesTooShort", [](Draft& d) { d.data.app_names.pop_back(); }, invalid, "apps.names"},
      {"AppNameTwice", [](Draft& d) { d.data.app_names[2] = "web"; }, invalid, "apps.names[2]"},
      {"WeightTooShort", [](Draft& d) { d.data.weight = {1}; }, invalid, "apps.weight"},
      {"WeightOfNothing",
       [](Draft& d) {
         d.data.weight = {1, 0, 1};
       },
       invalid, "apps.weight[1]"},
      {"WeightNan",
       [](Draft& d) {
         d.data.weight = {1, 1, std::nan("")};
       },
       invalid, "apps.weight[2]"},
      {"PriorityTooShort", [](Draft& d) { d.data.priority.pop_back(); }, invalid, "apps.priority"},
      {"AppTagStartsTooShort", [](Draft& d) { d.data.app_tags.begin.pop_back(); }, invalid, "apps.tag_begin"},
      {"AppTagStartsMissing", [](Draft& d) { d.data.app_tags.begin.clear(); }, invalid, "apps.tag_begin"},
      {"AppTagsDoNotStartAtZero", [](Draft& d) { d.data.app_tags.begin[0] = 1; }, invalid, "apps.tag_begin[0]"},
      {"AppTagStartsDecrease",
       [](Draft& d) {
         d.data.app_tags.begin = {0, 2, 1, 3};
       },
       invalid, "apps.tag_begin[2]"},
      {"AppTagStartsPassTheEnd",
       [](Draft& d) {
         d.data.app_tags.begin = {0, 4, 4, 4};
       },
       invalid, "apps.tag_begin[1]"},
      {"AppTagsLeftOver", [](Draft& d) { d.data.app_tags.index.push_back(0); }, invalid, "apps.tag_begin[3]"},
      {"AppTagDangling", [](Draft& d) { d.data.app_tags.index[1] = 3; }, invalid, "apps.tag_index[1]"},
      {"CapacityTooShort", [](Draft& d) { d.data.classes[1].capacity.pop_back(); }, invalid, "classes[1].capacity"},
      {"CapacityNegative", [](Draft& d) { d.data.classes[1].capacity[0] = -1; }, invalid, "classes[1].capacity[0]"},
      {"CapacityNan", [](Draft& d) { d.data.classes[0].capacity[1] = kNan; }, invalid, "classes[0].capacity[1]"},
      {"CapacityInfinite", [](Draft& d) { d.data.classes[0].capacity[1] = kInf; }, invalid, "classes[0].capacity[1]"},
      {"NoCapacityAtAll",
       [](Draft& d) {
         d.data.classes[0].capacity = {0, 0};
       },
       invalid, "classes[0].capacity"},
      {"PriceNan", [](Draft& d) { d.data.classes[1].price = kNan; }, invalid, "classes[1].price"},
      {"PriceInfinite", [](Draft& d) { d.data.classes[1].price = kInf; }, invalid, "classes[1].price"},
      {"PriceMinusInfinity", [](Draft& d) { d.data.classes[1].price = -kInf; }, invalid, "classes[1].price"},
      {"PriceForSomeClassesOnly", [](Draft& d) { d.data.classes[0].price = -1; }, invalid, "classes[0].price"},
      {"NodeClassDangling", [](Draft& d) { d.data.node_class[1] = 2; }, invalid, "nodes.node_class[1]"},
      {"MoreListedNodesThanTheClassHas",
       [](Draft& d) {
         d.data.classes[1].count = 1;
         d.data.node_class = {1, 1};
       },
       invalid, "nodes.node_class[1]"},
      {"NodeNamesTooShort", [](Draft& d) { d.data.node_names.pop_back(); }, invalid, "nodes.names"},
      {"NodeNameTwice", [](Draft& d) { d.data.node_names[1] = "n0"; }, invalid, "nodes.names[1]"},
      {"ClosedTooLong", [](Draft& d) { d.data.closed.push_back(0); }, invalid, "nodes.closed"},
      {"ClosedNeitherZeroNorOne", [](Draft& d) { d.data.closed[1] = 2; }, invalid, "nodes.closed[1]"},
      {"LoadTooShort", [](Draft& d) { d.data.load.pop_back(); }, invalid, "nodes.load"},
      {"LoadNan", [](Draft& d) { d.data.load[6] = kNan; }, invalid, "nodes.load[6]"},
      {"LoadNegative", [](Draft& d) { d.data.load[2] = -0.5; }, invalid, "nodes.load[2]"},
      {"LoadOutOfProportion", [](Draft& d) { d.data.load[5] = 1e12; }, too_large, "nodes.load[5]"},
      {"ConstantLoadOutOfProportion",
       [](Draft& d) {
         d.data.load = {1, 1, 1, 1e12};
       },
       too_large, "nodes.load[3]"},
      {"NodeTagStartsTooShort", [](Draft& d) { d.data.node_tags.begin.pop_back(); }, invalid, "nodes.tag_begin"},
      {"NodeTagDangling", [](Draft& d) { d.data.node_tags.index[0] = 3; }, invalid, "nodes.tag_index[0]"},
      {"RunningAppDangling", [](Draft& d) { d.data.running[0].app = 3; }, invalid, "running[0].app"},
      {"RunningNodeDangling", [](Draft& d) { d.data.running[0].node = 2; }, invalid, "running[0].node"},
      {"RunningNothing", [](Draft& d) { d.data.running[0].replicas = 0; }, invalid, "running[0].replicas"},
      {"RunningTwice",
       [](Draft& d) {
         d.data.running.push_back({0, 0, 1});
       },
       invalid, "running[1]"},
      {"RunningMoreThanTheAppHas",
       [](Draft& d) {
         d.data.running.push_back({0, 1, 2});
       },
       invalid, "running[1].replicas"},
      {"RunningOutOfProportion",
       [](Draft& d) {
         // 2^31 units do not fit; 30 million replicas of 100 units each exceed a node.
         d.data.replicas[0] = 30'000'000;
         d.data.demand[0] = 100;
         d.data.classes[1].capacity[0] = 200;
         d.data.running[0].replicas = 30'000'000;
       },
       too_large, "running[0]"},
      {"PinnedAppDangling", [](Draft& d) { d.data.pinned[0].app = 3; }, invalid, "pinned[0].app"},
      {"PinnedNodeDangling", [](Draft& d) { d.data.pinned[0].node = 2; }, invalid, "pinned[0].node"},
      {"PinnedNothing", [](Draft& d) { d.data.pinned[0].replicas = 0; }, invalid, "pinned[0].replicas"},
      {"PinnedTwice",
       [](Draft& d) {
         d.data.pinned.push_back({1, 1, 1});
       },
       invalid, "pinned[1]"},
      {"PinnedMoreThanTheAppHas", [](Draft& d) { d.data.pinned[0].replicas = 4; }, invalid, "pinned[0].replicas"},
      {"PinnedAndRunningMoreThanTheAppHas",
       [](Draft& d) {
         d.data.pinned.push_back({0, 1, 2});
       },
       invalid, "pinned[1].replicas"},
      {"PinnedOutOfProportion",
       [](Draft& d) {
         d.data.replicas[1] = 30'000'000;
         d.data.demand[4] = 100;
         d.data.classes[1].capacity[0] = 200;
         d.data.pinned[0].replicas = 30'000'000;
       },
       too_large, "pinned[0]"},
      {"TagTwice", [](Draft& d) { d.data.tags[2] = "frontend"; }, invalid, "tags[2]"},
      {"SetStartsMissing", [](Draft& d) { d.data.groups[0].sets.begin.clear(); }, invalid, "groups[0].set_begin"},
      {"SetsDoNotStartAtZero", [](Draft& d) { d.data.groups[0].sets.begin[0] = 1; }, invalid, "groups[0].set_begin[0]"},
      {"SetStartsDecrease",
       [](Draft& d) {
         d.data.groups[0].sets.begin = {0, 2, 1};
       },
       invalid, "groups[0].set_begin[2]"},
      {"SetNodeDangling", [](Draft& d) { d.data.groups[0].sets.index[1] = 2; }, invalid, "groups[0].node[1]"},
      {"SetNamesTooShort", [](Draft& d) { d.data.groups[0].set_names.pop_back(); }, invalid, "groups[0].set_names"},
      {"SetsAndLabel", [](Draft& d) { d.data.groups[0].by_label = "rack"; }, invalid, "groups[0].by_label"},
      {"RuleWeightNan", [](Draft& d) { d.data.rules[0].weight = kNan; }, invalid, "rules[0].weight"},
      {"RuleWeightNegative", [](Draft& d) { d.data.rules[0].weight = -1; }, invalid, "rules[0].weight"},
      {"RuleWeightInfinite", [](Draft& d) { d.data.rules[0].weight = kInf; }, invalid, "rules[0].weight"},
      {"RuleWithoutConjunctions", [](Draft& d) { d.data.rules[0].any_of.clear(); }, invalid, "rules[0].any_of"},
      {"ConjunctionWithoutConstraints", [](Draft& d) { d.data.rules[0].any_of[1].clear(); }, invalid,
       "rules[0].any_of[1].all_of"},
      {"ConstraintWithoutSubject", [](Draft& d) { d.data.rules[0].any_of[1][1].subject.clear(); }, invalid,
       "rules[0].any_of[1].all_of[1].subject"},
      {"SubjectDangling", [](Draft& d) { d.data.rules[0].any_of[1][1].subject[1] = 3; }, invalid,
       "rules[0].any_of[1].all_of[1].subject[1]"},
      {"TargetDangling", [](Draft& d) { d.data.rules[0].any_of[0][0].target[0] = 3; }, invalid,
       "rules[0].any_of[0].all_of[0].target[0]"},
      {"ReplicasWithoutTarget", [](Draft& d) { d.data.rules[0].any_of[0][0].target.clear(); }, invalid,
       "rules[0].any_of[0].all_of[0].target"},
      {"MinAboveMax", [](Draft& d) { d.data.rules[0].any_of[0][0].min = 4; }, invalid, "rules[0].any_of[0].all_of[0].min"},
      {"GroupDangling", [](Draft& d) { d.data.rules[0].any_of[0][0].group = 2; }, invalid,
       "rules[0].any_of[0].all_of[0].group"},
      {"VarianceTooShort", [](Draft& d) { d.data.variance.pop_back(); }, invalid, "apps.variance"},
      {"VarianceNegative", [](Draft& d) { d.data.variance[1] = -1; }, invalid, "apps.variance[1]"},
      {"LoadVarianceTooShort", [](Draft& d) { d.data.load_variance.pop_back(); }, invalid, "nodes.load_variance"},
      {"LoadVarianceNan", [](Draft& d) { d.data.load_variance[2] = kNan; }, invalid, "nodes.load_variance[2]"},
      {"SupportsOfDifferentLength", [](Draft& d) { d.data.support_max.clear(); }, invalid, "apps.support_max"},
      {"SupportsTooShort",
       [](Draft& d) {
         d.data.support_min.pop_back();
         d.data.support_max.pop_back();
       },
       invalid, "apps.support_min"},
      {"SupportMinNegative", [](Draft& d) { d.data.support_min[0] = -1; }, invalid, "apps.support_min[0]"},
      {"SupportMaxNan", [](Draft& d) { d.data.support_max[5] = kNan; }, invalid, "apps.support_max[5]"},
      {"SupportMinAboveMax", [](Draft& d) { d.data.support_min[2] = 3.5; }, invalid, "apps.support_min[2]"},
      {"ConfidenceZero", [](Draft& d) { d.data.uncertainty.confidence = 0; }, invalid, "uncertainty.confidence"},
      {"ConfidenceOne", [](Draft& d) { d.data.uncertainty.confidence = 1; }, invalid, "uncertainty.confidence"},
      {"ConfidenceNan", [](Draft& d) { d.data.uncertainty.confidence = kNan; }, invalid, "uncertainty.confidence"},
      {"FactorNegative", [](Draft& d) { d.data.uncertainty.factor = -1; }, invalid, "uncertainty.factor"},
      {"FactorInfinite", [](Draft& d) { d.data.uncertainty.factor = kInf; }, invalid, "uncertainty.factor"},
      {"KindsWithoutTable", [](Draft& d) { d.data.has_interference = false; }, invalid, "apps.kind"},
      {"CoefficientsTooShort", [](Draft& d) { d.data.interference.coefficient.pop_back(); }, invalid,
       "interference.coefficient"},
      {"NoKinds",
       [](Draft& d) {
         d.data.interference.kind_count = 0;
         d.data.interference.coefficient.clear();
       },
       invalid, "interference.coefficient"},
      {"CoefficientNegative", [](Draft& d) { d.data.interference.coefficient[2] = -1; }, invalid,
       "interference.coefficient[2]"},
      {"KindNamesTooShort", [](Draft& d) { d.data.interference.kinds.pop_back(); }, invalid, "interference.kinds"},
      {"KindOfAppsMissing", [](Draft& d) { d.data.kind.clear(); }, invalid, "apps.kind"},
      {"KindDangling", [](Draft& d) { d.data.kind[2] = 2; }, invalid, "apps.kind[2]"},
      {"LimitStartsTooShort", [](Draft& d) { d.row_begin.pop_back(); }, invalid, "limits.row_begin"},
      {"LimitDangling", [](Draft& d) { d.app[3] = 3; }, invalid, "limits.app[3]"},
      {"LimitTwice", [](Draft& d) { d.app[1] = 1; }, invalid, "limits.app[1]"},
      {"SelfLimitOfNoneForAnAppThatWantsReplicas", [](Draft& d) { d.at_most[2] = 0; }, invalid, "limits.at_most[2]"},
  };
}

class RefusalTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusalTest, NamesTheField) {
  Draft draft = full();
  GetParam().change(draft);
  auto instance = draft.build();
  ASSERT_FALSE(instance.ok());
  EXPECT_EQ(instance.error().code, GetParam().code) << instance.error().message;
  EXPECT_EQ(instance.error().path, GetParam().path) << instance.error().message;
  EXPECT_FALSE(instance.error().message.empty());
}

INSTANTIATE_TEST_SUITE_P(Instance, RefusalTest, ::testing::ValuesIn(refusals()),
                         [](const auto& test) { return test.param.what; });

TEST(InstanceTest, ASelfLimitOfNoneIsFineForAnAppWithoutReplicas) {
  Draft draft = plain();
  draft.data.replicas[1] = 0;
  draft.row_begin = {0, 0, 1};
  draft.app = {1};
  draft.at_most = {0};
  EXPECT_TRUE(draft.build().ok());
}

TEST(InstanceTest, APinWhereTheReplicaRunsIsTheSameReplica) {
  Draft draft = plain();
  draft.data.node_class = {0, 0};
  draft.data.running = {{1, 0, 2}};
  draft.data.pinned = {{1, 0, 2}};
  EXPECT_TRUE(draft.build().ok()) << "two replicas run, and both are pinned where they run";
  draft.data.pinned = {{1, 1, 1}};
  const auto third = draft.build();
  ASSERT_FALSE(third.ok()) << "two run on one node, a third is pinned to another";
  EXPECT_EQ(third.error().path, "pinned[0].replicas");
}

TEST(InstanceTest, TheSmallestInstance) {
  Draft draft;
  draft.data.resources = {{"cpu", ""}};
  draft.data.classes.resize(1);
  draft.data.classes[0].capacity = {1};
  auto instance = draft.build();
  ASSERT_TRUE(instance.ok());
  EXPECT_EQ(instance->apps(), 0);
  EXPECT_EQ(instance->total_replicas(), 0);
  EXPECT_EQ(instance->features(), 0u);
}

// --- What is kept ---------------------------------------------------------------------------------------------------------

TEST(InstanceTest, ConstantDemand) {
  const Instance instance = std::move(plain().build().value());
  EXPECT_EQ(instance.apps(), 2);
  EXPECT_EQ(instance.resources(), 2);
  EXPECT_EQ(instance.periods(), 1);
  EXPECT_EQ(instance.dims(), 2);
  EXPECT_EQ(instance.total_replicas(), 5);
  EXPECT_EQ(instance.demand(1, 0, 0), 3);
  EXPECT_EQ(instance.demand(1, 1, 0), 4);
  EXPECT_TRUE(instance.narrow());
  // CPU demands 1 and 3 keep the unit 1; memory demands 2 and 4 have the divisor 2.
  EXPECT_EQ(instance.scaled_demand<std::int16_t>(1)[0], 3);
  EXPECT_EQ(instance.scaled_demand<std::int16_t>(1)[1], 2);
  EXPECT_EQ(instance.scaled_capacity(0)[0], 10);
  EXPECT_EQ(instance.scaled_capacity(0)[1], 10);
  EXPECT_EQ(instance.total_demand()[0], 3 * 1 + 2 * 3);
  EXPECT_EQ(instance.total_demand()[1], 3 * 1 + 2 * 2);
  EXPECT_TRUE(instance.scaled_load(0).empty());
}

TEST(InstanceTest, PeriodsOfAResourceLieSideBySide) {
  const Instance instance = std::move(full().build().value());
  EXPECT_EQ(instance.periods(), 2);
  EXPECT_EQ(instance.dims(), 4);
  EXPECT_EQ(instance.resource_of(1), 0);
  EXPECT_EQ(instance.period_of(1), 1);
  EXPECT_EQ(instance.resource_of(2), 1);
  EXPECT_EQ(instance.period_of(2), 0);
  EXPECT_EQ(instance.demand(1, 1, 0), 4);
  EXPECT_EQ(instance.demand(1, 1, 1), 5);
  EXPECT_EQ(instance.load(1, 0, 0), 2);
  EXPECT_EQ(instance.load(1, 0, 1), 1);
  const auto demand = instance.scaled_demand<std::int16_t>(1);
  EXPECT_EQ(std::vector<int>(demand.begin(), demand.end()), (std::vector<int>{2, 2, 4, 5}));
  const auto load = instance.scaled_load(1);
  EXPECT_EQ(std::vector<int>(load.begin(), load.end()), (std::vector<int>{2, 1, 0, 0}));
  // 2 x (1, 2, 3, 3) + 3 x (2, 2, 4, 5) + 1 x (0, 1, 1, 0)
  const auto total = instance.total_demand();
  EXPECT_EQ(std::vector<std::int64_t>(total.begin(), total.end()), (std::vector<std::int64_t>{8, 11, 19, 21}));
}

TEST(InstanceTest, PeriodsCollapseWhereNothingVaries) {
  Draft draft = plain();
  draft.data.periods = 3;
  EXPECT_EQ(draft.build()->periods(), 1) << "constant demand in three periods";
  draft.data.demand = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
  auto repeated = draft.build();
  EXPECT_EQ(repeated->periods(), 1) << "the same demand, written out three times";
  EXPECT_EQ(repeated->demand(1, 0, 0), 3);
  EXPECT_EQ(repeated->scaled_demand<std::int16_t>(1)[1], 2);
  draft.data.demand[11] = 5;
  auto varying = draft.build();
  EXPECT_EQ(varying->periods(), 3);
  EXPECT_EQ(varying->dims(), 6);
  EXPECT_TRUE(contains(varying->features(), Feature::kPeriods));
}

TEST(InstanceTest, LoadThatVariesMakesPeriods) {
  Draft draft = plain();
  draft.data.periods = 2;
  draft.data.node_class = {0};
  draft.data.load = {1, 1, 2, 2};
  EXPECT_EQ(draft.build()->periods(), 1);
  draft.data.load = {1, 1, 2, 3};
  auto instance = draft.build();
  EXPECT_EQ(instance->periods(), 2);
  EXPECT_EQ(instance->demand(0, 1, 1), 2) << "constant demand holds in every period";
  EXPECT_EQ(instance->load(0, 1, 1), 3);
  const auto load = instance->scaled_load(0);
  EXPECT_EQ(std::vector<int>(load.begin(), load.end()), (std::vector<int>{1, 1, 2, 3}));
}

TEST(InstanceTest, SixteenBitsWhereEverythingFits) {
  const auto narrow = [](double capacity, double load, std::uint32_t running) {
    InstanceBuilder builder;
    const AppId app = builder.add_app("one", 1'000'000, {1});
    builder.add_app("whale", 1, {1e9});
    const NodeId node = builder.add_node(builder.add_class({capacity}), {load});
    if (running > 0) builder.running(app, node, running);
    return builder.must_build().narrow();
  };
  EXPECT_TRUE(narrow(32'766, 0, 0));
  EXPECT_FALSE(narrow(32'767, 0, 0)) << "an app larger than any node would not fit";
  EXPECT_TRUE(narrow(100, 32'767, 0)) << "an overloaded node";
  EXPECT_FALSE(narrow(100, 32'768, 0));
  EXPECT_TRUE(narrow(100, 0, 32'767));
  EXPECT_FALSE(narrow(100, 0, 32'768));
  EXPECT_FALSE(narrow(100, 20'000, 20'000));
}

// Nodes that break constraints at the start are a normal input, also where units are no decimals and use all 32 bits.
TEST(InstanceTest, OverloadedNodesAreAcceptedInAnyUnit) {
  for (const double times : {1.2, 2.0, 10.0, 1000.0}) {
    InstanceBuilder builder;
    const AppId app = builder.add_app("third", 100'000, {1.0 / 3});
    builder.add_app("root", 0, {std::sqrt(0.5)});
    builder.add_app("other root", 0, {std::sqrt(0.3)});
    builder.add_class({10.9});
    builder.add_node(0, {10.9 * times});
    builder.add_node(0);
    builder.running(app, 1, static_cast<std::uint32_t>(10.9 * 3 * times));
    const auto instance = builder.build();
    ASSERT_TRUE(instance.ok()) << times << " " << instance.error().message;
    EXPECT_FALSE(instance.value().scale(0).exact());
    EXPECT_GE(instance.value().scaled_load(0)[0], instance.value().scaled_capacity(0)[0]) << times;
  }
}

TEST(InstanceTest, DemandAboveEveryNodeStaysAbove) {
  InstanceBuilder builder;
  builder.add_app("one", 1, {1});
  builder.add_app("whale", 1, {1e9});
  builder.add_class({10});
  builder.add_class({7});
  const Instance instance = builder.must_build();
  EXPECT_EQ(instance.scaled_demand<std::int16_t>(1)[0], 11);
  EXPECT_EQ(instance.total_demand()[0], 12);
}

TEST(InstanceTest, BothUnitsHoldTheSameDemand) {
  const auto build = [](double capacity) {
    InstanceBuilder builder({"cpu"}, 2);
    builder.add_app("a", 1, {3, 4});
    builder.add_app("b", 1, {5, 0});
    builder.add_class({capacity});
    return builder.must_build();
  };
  const Instance small = build(100);
  const Instance large = build(1e6);
  ASSERT_TRUE(small.narrow());
  ASSERT_FALSE(large.narrow());
  for (AppId i = 0; i < 2; ++i) {
    for (std::uint32_t h = 0; h < 2; ++h) {
      EXPECT_EQ(small.scaled_demand<std::int16_t>(i)[h], large.scaled_demand<std::int32_t>(i)[h]);
    }
  }
  EXPECT_EQ(small.visit_unit([](auto unit) { return sizeof(unit); }), 2u);
  EXPECT_EQ(large.visit_unit([](auto unit) { return sizeof(unit); }), 4u);
}

TEST(InstanceTest, LimitsOutliveTheirColumns) {
  Result<Instance> instance = [] {
    const Draft draft = full();
    return draft.build();
  }();
  ASSERT_TRUE(instance.ok());
  EXPECT_EQ(instance->limit_rows().arc_count(), 3);
  EXPECT_EQ(instance->limit_rows().self_limit(1), 2);
  EXPECT_EQ(instance->limit_rows().imposes(instance->limit_rows().find(2, 0)), 4);
  EXPECT_TRUE(instance->data().limits.app.empty());
  EXPECT_GT(instance->memory_bytes(), 0u);
}

TEST(InstanceTest, OtherColumnsKeepTheLimits) {
  const Draft draft = full();
  const Instance first = draft.build().value();
  InstanceData data = first.data();
  for (double& demand : data.demand) demand /= 2;
  Draft halved = draft;
  halved.data.demand = data.demand;
  const auto second = first.with_columns(data);
  ASSERT_TRUE(second) << second.error().message;
  const Instance expected = halved.build().value();
  for (AppId i = 0; i < first.apps(); ++i) {
    EXPECT_EQ(second.value().demand(i, 0, 0), expected.demand(i, 0, 0));
    EXPECT_EQ(second.value().limit_rows().self_limit(i), expected.limit_rows().self_limit(i));
    EXPECT_EQ(second.value().limit_rows().degree(i), expected.limit_rows().degree(i));
  }
  EXPECT_EQ(second.value().features(), expected.features());
  data.demand[0] = -1;
  EXPECT_EQ(first.with_columns(data).error().path, "apps.demand[0]");
  data = first.data();
  data.replicas.pop_back();
  EXPECT_EQ(first.with_columns(data).error().path, "apps.replicas");
}

TEST(InstanceTest, PricesAreGivenForAllClassesOrForNone) {
  EXPECT_FALSE(plain().build()->has_prices());
  EXPECT_TRUE(full().build()->has_prices());
  Draft draft = plain();
  draft.data.classes[0].price = 0;
  EXPECT_TRUE(draft.build()->has_prices()) << "a price of zero is a price";
}

TEST(InstanceTest, PriorityIsZeroWhereNotGiven) {
  EXPECT_EQ(plain().build()->priority(1), 0);
  EXPECT_EQ(full().build()->priority(2), -5);
  EXPECT_EQ(full().build()->weight(2), 1);
}

// --- Features -------------------------------------------------------------------------------------------------------------

TEST(InstanceTest, FeaturesAreWhatTheInstanceUses) {
  const auto features = [](const std::function<void(Draft&)>& change) {
    Draft draft = plain();
    draft.data.node_class = {0, 0};  // listed nodes by themselves are no feature
    change(draft);
    auto instance = draft.build();
    EXPECT_TRUE(instance.ok()) << (instance.ok() ? "" : instance.error().message);
    return instance.ok() ? instance->features() : 0xFFFFFFFFu;
  };
  const auto one = [](Feature feature) { return static_cast<FeatureSet>(feature); };
  const auto limit = [](Draft& d, AppId i, AppId j) {
    d.row_begin = i == 0 ? std::vector<std::uint32_t>{0, 1, 1} : std::vector<std::uint32_t>{0, 0, 1};
    d.app = {j};
    d.at_most = {1};
  };
  EXPECT_EQ(features([](Draft&) {}), 0u);
  EXPECT_EQ(features([](Draft& d) {
              d.data.periods = 2;
              d.data.demand = {1, 1, 2, 2, 3, 3, 4, 5};
            }),
            one(Feature::kPeriods));
  EXPECT_EQ(features([](Draft& d) { d.data.classes.push_back(d.data.classes[0]); }), one(Feature::kNodeClasses));
  EXPECT_EQ(features([](Draft& d) { d.data.classes[0].count = 2; }), one(Feature::kFiniteNodes));
  EXPECT_EQ(features([](Draft& d) { d.data.classes[0].price = 0; }), one(Feature::kPrices));
  EXPECT_EQ(features([](Draft& d) { d.data.load = {0, 0, 0, 0}; }), 0u) << "a load of nothing";
  EXPECT_EQ(features([](Draft& d) { d.data.load = {0, 0, 1e-9, 0}; }), one(Feature::kExistingLoad));
  EXPECT_EQ(features([](Draft& d) { d.data.running = {{0, 0, 1}}; }), one(Feature::kRunning));
  EXPECT_EQ(features([](Draft& d) { d.data.pinned = {{0, 0, 1}}; }), one(Feature::kPins));
  EXPECT_EQ(features([](Draft& d) { d.data.closed = {0, 0}; }), 0u);
  EXPECT_EQ(features([](Draft& d) { d.data.closed = {0, 1}; }), one(Feature::kClosedNodes));
  EXPECT_EQ(features([&](Draft& d) { limit(d, 0, 1); }), one(Feature::kAffinityLimits));
  EXPECT_EQ(features([&](Draft& d) { limit(d, 1, 1); }), one(Feature::kSelfLimits));
  EXPECT_EQ(features([](Draft& d) { d.data.priority = {7, 7}; }), 0u) << "the same for all";
  EXPECT_EQ(features([](Draft& d) { d.data.priority = {7, 8}; }), one(Feature::kPriorities));
  EXPECT_EQ(features([](Draft& d) { d.data.variance = {0, 0, 0, 0}; }), 0u);
  EXPECT_EQ(features([](Draft& d) { d.data.variance = {0, 0, 0, 1}; }), one(Feature::kUncertainDemand));
  EXPECT_EQ(features([](Draft& d) {
              d.data.load = {0, 0, 0, 1};
              d.data.load_variance = {0, 0, 0, 1};
            }),
            Feature::kUncertainDemand | Feature::kExistingLoad);
  EXPECT_EQ(features([](Draft& d) {
              d.data.support_min = {0, 0, 0, 0};
              d.data.support_max = {1, 1, 1, 1};
            }),
            0u)
      << "the Gaussian model has no use for supports";
  EXPECT_EQ(features([](Draft& d) {
              d.data.support_min = {0, 0, 0, 0};
              d.data.support_max = {0, 1, 0, 0};
              d.data.uncertainty.model = ChanceModel::kBoundedSupport;
            }),
            one(Feature::kUncertainDemand));
  EXPECT_EQ(features([](Draft& d) {
              d.data.tags = {"t"};
              Cardinality part;
              part.subject = {0};
              part.target = {0};
              d.data.rules.resize(1);
              d.data.rules[0].any_of = {{part}};
            }),
            0u)
      << "a rule about no app";
  EXPECT_EQ(features([](Draft& d) {
              d.data.tags = {"t"};
              d.data.app_tags = {{0, 1, 1}, {0}};
              Cardinality part;
              part.subject = {0};
              part.target = {0};
              d.data.rules.resize(1);
              d.data.rules[0].any_of = {{part}};
            }),
            one(Feature::kPlacementRules));
  EXPECT_EQ(features([](Draft& d) {
              d.data.tags = {"t"};
              d.data.app_only = {{0, 0, 1}, {0}};
            }),
            one(Feature::kEligibility));
  EXPECT_EQ(features([](Draft& d) {
              d.data.has_interference = true;
              d.data.interference.kind_count = 1;
              d.data.interference.coefficient = {1};
              d.data.kind = {0, 0};
            }),
            0u);
  EXPECT_EQ(features([](Draft& d) {
              d.data.has_interference = true;
              d.data.interference.kind_count = 1;
              d.data.interference.coefficient = {1};
              d.data.interference.max_cost = {100};
              d.data.kind = {0, 0};
            }),
            one(Feature::kInterference));
  EXPECT_EQ(features([](Draft& d) { d.data.resources[1].device = 10; }), one(Feature::kDevices));
  EXPECT_EQ(features([](Draft& d) { d.data.resources[1].device = 20; }), 0u) << "a node has one";
}

TEST(InstanceTest, TheFullDraftUsesEveryFeature) {
  Draft draft = full();
  draft.data.interference.max_cost = {1000, 2000};
  EXPECT_EQ(draft.build()->features() | Feature::kDevices, static_cast<FeatureSet>(Feature::kEnd) - 1);
}

// --- Fingerprint ----------------------------------------------------------------------------------------------------------

TEST(InstanceTest, TheFingerprintIsTheContents) {
  EXPECT_EQ(full().build()->fingerprint(), full().build()->fingerprint());
  EXPECT_NE(full().build()->fingerprint(), plain().build()->fingerprint());
}

TEST(InstanceTest, TheFingerprintChangesWithEveryField) {
  using Change = std::function<void(Draft&)>;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"name", [](Draft& d) { d.data.name = "other"; }},
      {"resource name", [](Draft& d) { d.data.resources[0].name = "gpu"; }},
      {"resource unit", [](Draft& d) { d.data.resources[0].unit = "threads"; }},
      {"periods",
       [](Draft& d) {
         d.data.periods = 1;
         d.data.demand.resize(6);
         d.data.load = {1, 0, 2, 0};
       }},
      {"app name", [](Draft& d) { d.data.app_names[1] = "store"; }},
      {"replicas", [](Draft& d) { d.data.replicas[2] = 2; }},
      {"demand", [](Draft& d) { d.data.demand[3] = 3.5; }},
      {"demand of another app", [](Draft& d) { d.data.demand[11] = 3.5; }},
      {"priority", [](Draft& d) { d.data.priority[0] = 1; }},
      {"weight",
       [](Draft& d) {
         d.data.weight = {1, 1, 2};
       }},
      {"variance", [](Draft& d) { d.data.variance[0] = 1; }},
      {"support min", [](Draft& d) { d.data.support_min[0] = 1; }},
      {"support max", [](Draft& d) { d.data.support_max[0] = 3; }},
      {"kind", [](Draft& d) { d.data.kind[0] = 1; }},
      {"app tag", [](Draft& d) { d.data.app_tags.index[0] = 1; }},
      {"app tag rows",
       [](Draft& d) {
         d.data.app_tags.begin = {0, 2, 3, 3};
       }},
      {"only", [](Draft& d) { d.data.app_only.index[0] = 1; }},
      {"traffic",
       [](Draft& d) {
         d.data.traffic = {{0, 1, 1}};
       }},
      {"only rows",
       [](Draft& d) {
         d.data.app_only.begin = {0, 0, 1, 1};
       }},
      {"only for not", [](Draft& d) { std::swap(d.data.app_only, d.data.app_not); }},
      {"not", [](Draft& d) { d.data.app_not.index[0] = 1; }},
      {"class name", [](Draft& d) { d.data.classes[0].name = "tiny"; }},
      {"capacity", [](Draft& d) { d.data.classes[0].capacity[0] = 11; }},
      {"count", [](Draft& d) { d.data.classes[0].count = 5; }},
      {"price", [](Draft& d) { d.data.classes[0].price = 2; }},
      {"label", [](Draft& d) { d.data.classes[0].labels[0] = "zone=b"; }},
      {"node class", [](Draft& d) { d.data.node_class[0] = 1; }},
      {"node name", [](Draft& d) { d.data.node_names[0] = "n7"; }},
      {"load", [](Draft& d) { d.data.load[7] = 1; }},
      {"load variance", [](Draft& d) { d.data.load_variance[0] = 1; }},
      {"closed", [](Draft& d) { d.data.closed[1] = 0; }},
      {"node tag", [](Draft& d) { d.data.node_tags.index[0] = 1; }},
      {"node tag rows",
       [](Draft& d) {
         d.data.node_tags.begin = {0, 1, 1};
       }},
      {"limit rows",
       [](Draft& d) {
         d.row_begin = {0, 1, 3, 4};
       }},
      {"limit app", [](Draft& d) { d.app[3] = 1; }},
      {"limit value", [](Draft& d) { d.at_most[0] = 2; }},
      {"running", [](Draft& d) { d.data.running[0].node = 1; }},
      {"running replicas", [](Draft& d) { d.data.running[0].replicas = 2; }},
      {"pinned", [](Draft& d) { d.data.pinned[0].node = 0; }},
      {"pinned replicas", [](Draft& d) { d.data.pinned[0].replicas = 1; }},
      {"tag", [](Draft& d) { d.data.tags[0] = "back"; }},
      {"group name", [](Draft& d) { d.data.groups[0].name = "row"; }},
      {"group sets", [](Draft& d) { d.data.groups[0].sets.index[0] = 1; }},
      {"group set rows",
       [](Draft& d) {
         d.data.groups[0].sets.begin = {0, 2, 2};
       }},
      {"group set name", [](Draft& d) { d.data.groups[0].set_names[0] = "r"; }},
      {"group label", [](Draft& d) { d.data.groups[1].by_label = "region"; }},
      {"rule name", [](Draft& d) { d.data.rules[0].name = "far"; }},
      {"rule hard", [](Draft& d) { d.data.rules[0].hard = true; }},
      {"rule origin", [](Draft& d) { d.data.rules[0].from_operator = true; }},
      {"rule weight", [](Draft& d) { d.data.rules[0].weight = 3; }},
      {"rule conjunctions", [](Draft& d) { d.data.rules[0].any_of.pop_back(); }},
      {"rule constraints", [](Draft& d) { d.data.rules[0].any_of[1].pop_back(); }},
      {"rule subject", [](Draft& d) { d.data.rules[0].any_of[0][0].subject[0] = 1; }},
      {"rule target", [](Draft& d) { d.data.rules[0].any_of[0][0].target[0] = 2; }},
      {"rule min", [](Draft& d) { d.data.rules[0].any_of[0][0].min = 0; }},
      {"rule max", [](Draft& d) { d.data.rules[0].any_of[0][0].max = 4; }},
      {"rule group", [](Draft& d) { d.data.rules[0].any_of[0][0].group = 1; }},
      {"rule kind", [](Draft& d) { d.data.rules[0].any_of[0][0].kind = CardinalityKind::kNodeSets; }},
      {"rule negated", [](Draft& d) { d.data.rules[0].any_of[0][0].negated = true; }},
      {"no uncertainty", [](Draft& d) { d.data.has_uncertainty = false; }},
      {"uncertainty model", [](Draft& d) { d.data.uncertainty.model = ChanceModel::kFactor; }},
      {"confidence", [](Draft& d) { d.data.uncertainty.confidence = 0.9; }},
      {"factor", [](Draft& d) { d.data.uncertainty.factor = 2; }},
      {"kind name", [](Draft& d) { d.data.interference.kinds[0] = "quiet"; }},
      {"coefficient", [](Draft& d) { d.data.interference.coefficient[3] = 1; }},
  };
  std::map<std::uint64_t, std::string> seen = {{full().build()->fingerprint(), "nothing"}};
  for (const auto& [what, change] : changes) {
    Draft draft = full();
    change(draft);
    auto instance = draft.build();
    ASSERT_TRUE(instance.ok()) << what << ": " << instance.error().path << " " << instance.error().message;
    const auto [at, fresh] = seen.insert({instance->fingerprint(), what});
    EXPECT_TRUE(fresh) << what << " gives the fingerprint of " << at->second;
  }
}

TEST(InstanceTest, TheFingerprintIsPinned) {
  // The fingerprint is the same on every platform and in every version of this layout, because plans identify their instance by
  // it.
  // Columns that came later count only where they are given.
  Draft first = full();
  first.data.app_only = {};
  first.data.app_not = {};
  EXPECT_EQ(first.build()->fingerprint(), 13962641644609262274u);
}

// A bisection by the same integers.
TEST(InstanceTest, ReplicasBesideARiskAreCountedExactly) {
  test::Random random(11);
  for (std::uint64_t k = 0; k < test::cases(200); ++k) {
    test::InstanceBuilder builder({"cpu"});
    builder.add_app("a", 1, {std::pow(10.0, 4 * random.share() - 3)});
    builder.add_class({std::pow(10.0, 4 * random.share())}, 0, 1);
    builder.data().has_uncertainty = true;
    builder.data().variance = {std::pow(10.0, 6 * random.share() - 5)};
    const Instance instance = builder.must_build();
    const std::int64_t risk = instance.scaled_risk(0)[0];
    std::int64_t mean = 0;
    instance.visit_unit([&](auto unit) { mean = instance.scaled_demand<decltype(unit)>(0)[0]; });
    for (int n = 0; n < 20; ++n) {
      const auto left = static_cast<std::int64_t>(random.share() * instance.scale(0).largest_capacity());
      const std::int64_t held = random.below(3) * (instance.risk_room(left, 0) / 2);
      const std::int64_t each = random.chance(.2) ? 0 : mean;
      const std::int64_t with = random.chance(.2) ? 0 : risk;
      const std::uint32_t most = 1u << random.below(20);
      std::uint32_t copies = instance.risk_room(left, 0) < held ? 0 : most;
      if (copies > 0 && each > 0) copies = static_cast<std::uint32_t>(std::min<std::int64_t>(copies, left / each));
      if (copies > 0 && with > 0) {
        copies = static_cast<std::uint32_t>(std::min<std::int64_t>(copies, (instance.risk_room(left, 0) - held) / with));
      }
      copies = most_fitting(copies, [&](std::uint32_t c) { return instance.risk_room(left - each * c, 0) >= held + with * c; });
      EXPECT_EQ(instance.most_beside(left, held, each, with, 0, most), copies) << "case " << k;
    }
  }
}

}  // namespace
}  // namespace stowage
