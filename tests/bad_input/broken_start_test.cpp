// Instances whose start breaks a constraint: they load, they are planned, the violation is reported as inherited, and no plan
// makes it worse.
#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <string_view>

#include "catalogue_generated.h"
#include "tests/bad_input/harness.h"

namespace {

using stowage::test::Answer;
using stowage::test::Loaded;
using stowage::wire::InstanceT;
using stowage::wire::ViolationKind;
namespace test = stowage::test;
namespace wire = stowage::wire;

struct BrokenCase {
  const char* name;
  void (*breaks)(InstanceT&);
  /// The inherited violation.
  ViolationKind kind;
};

void PrintTo(const BrokenCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

const BrokenCase kBrokenCases[] = {
    {"Overloaded", [](InstanceT& i) { i.nodes->load[0] = 9; }, ViolationKind::Capacity},
    {"OverloadedInOnePeriod", [](InstanceT& i) { i.nodes->load = {1, 20, 1, 1, 0, 0, 0, 0}; }, ViolationKind::Capacity},
    {"OverfullByRunningReplicas", [](InstanceT& i) { i.apps->demand[0] = 6; }, ViolationKind::Capacity},
    {"OverfullByPins",
     [](InstanceT& i) {
       i.pinned.emplace_back(1, 0, 1);
       i.apps->demand[4] = 30;
     },
     ViolationKind::Capacity},
    {"OverfullWhereNothingIsWanted",
     [](InstanceT& i) {
       i.apps->replicas = {2, 1, 3};
       i.nodes->load[0] = 9;
     },
     ViolationKind::Capacity},
    {"OwnLimitBroken",
     [](InstanceT& i) {
       i.running[0].mutate_replicas(3);
       i.nodes->load.clear();
     },
     ViolationKind::SelfLimit},
    {"OwnLimitBrokenByPins",
     [](InstanceT& i) {
       i.pinned[0].mutate_replicas(3);
       i.nodes->load.clear();
     },
     ViolationKind::SelfLimit},
    {"LimitBroken",
     [](InstanceT& i) {
       i.limits->at_most[1] = 0;
       i.running.emplace_back(0, 1, 1);
       i.running.emplace_back(1, 1, 1);
     },
     ViolationKind::AffinityLimit},
    {"LimitBrokenOnAClosedNode", [](InstanceT& i) { i.limits->at_most[2] = 2; }, ViolationKind::AffinityLimit},
    {"LimitsBrokenBothWays",
     [](InstanceT& i) {
       i.limits->row_begin = {0, 2, 4, 4};
       i.limits->app = {0, 1, 0, 2};
       i.limits->at_most = {2, 0, 0, 9};
       i.running.emplace_back(1, 0, 1);
       i.nodes->load.clear();
     },
     ViolationKind::AffinityLimit},
    // Two web of two cores run on n0.
    {"SideEffectsCostMore",
     [](InstanceT& i) {
       i.apps->kind = {0, 1, 1};
       i.interference = std::make_unique<wire::InterferenceT>();
       i.interference->coefficient = {1, 0.5, 0.5, 0.25};
       i.interference->max_cost = {3, 100};
     },
     ViolationKind::SideEffects},
};

using Contents = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // (listed, app) -> replicas

Contents on_listed_nodes(const wire::Plan& plan) {
  Contents contents;
  for (const wire::Placed* placed : *plan.placed()) {
    const std::uint32_t listed = plan.listed()->Get(placed->node());
    if (listed != test::kNone) contents[{listed, placed->app()}] += placed->replicas();
  }
  return contents;
}

/// A request for each planner that needs no solver, because these tests have none: for fewest nodes or, where the planner does
/// not pursue that, for the least worst cost of side effects on two nodes.
std::vector<wire::RequestT> requests() {
  std::vector<wire::RequestT> requests;
  const stowage::Buffer catalogue = stowage::planners();
  for (const auto* info : *wire::GetCatalogue(catalogue.data())->planners()) {
    if (info->needs_solver()) continue;
    wire::RequestT& request = requests.emplace_back();
    request.planner = info->name()->str();
    const auto pursues = [&](std::string_view objective) {
      return std::any_of(info->objectives()->begin(), info->objectives()->end(),
                         [&](const auto* one) { return one->string_view() == objective; });
    };
    if (pursues("nodes")) continue;
    if (pursues("admitted")) {
      request.objective = wire::Objective::Admitted;
      continue;
    }
    request.objective = wire::Objective::Worst;
    request.node_limit = 2;
  }
  return requests;
}

/// The tiny instance with a kind, which nothing limits.
InstanceT tiny_instance_of_one_kind() {
  InstanceT data = test::tiny_instance();
  data.apps->kind = {0};
  data.interference = std::make_unique<wire::InterferenceT>();
  data.interference->coefficient = {1};
  return data;
}

class BrokenStart : public ::testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenStart, IsPlannedAroundAndReported) {
  InstanceT data = test::busy_instance();
  GetParam().breaks(data);
  const Loaded instance(test::pack(data));
  ASSERT_TRUE(instance.ok()) << instance.result().message;
  EXPECT_TRUE(test::bound(instance).ok());
  std::size_t planned = 0;
  for (const wire::RequestT& request : requests()) {
    SCOPED_TRACE(request.planner);
    const Answer plan = test::plan(instance, test::pack(request));
    if (plan.result.status == STOWAGE_UNSUPPORTED) continue;
    ++planned;
    ASSERT_TRUE(plan.ok()) << plan.result.message;
    const Answer report = test::verify(instance, plan.buffer);
    ASSERT_TRUE(report.ok());
    const wire::Verification& verification = report.verification();
    EXPECT_TRUE(verification.ok());
    EXPECT_GT(verification.inherited_count(), 0u);
    EXPECT_EQ(plan.plan().inherited_violations(), verification.inherited_count());
    bool found = false;
    for (const wire::Violation* violation : *verification.violations()) {
      EXPECT_TRUE(violation->inherited());
      found = found || violation->kind() == GetParam().kind;
    }
    EXPECT_TRUE(found);
    // Without a move budget, no replica moves.
    EXPECT_EQ(plan.plan().moves(), 0u);
    const Contents contents = on_listed_nodes(plan.plan());
    for (const wire::Residence& running : data.running) {
      const auto there = contents.find({running.node(), running.app()});
      ASSERT_NE(there, contents.end());
      EXPECT_GE(there->second, running.replicas());
    }
    EXPECT_TRUE(test::explain(instance, plan.buffer).ok());
  }
  EXPECT_GE(planned, 60u);
}

INSTANTIATE_TEST_SUITE_P(Start, BrokenStart, ::testing::ValuesIn(kBrokenCases), [](const auto& one) { return one.param.name; });

// A valid instance of which nothing can be placed.
TEST(Hopeless, NothingFits) {
  InstanceT data = tiny_instance_of_one_kind();
  data.apps->demand = {6};
  const Loaded instance(test::pack(data));
  for (const wire::RequestT& request : requests()) {
    const Answer plan = test::plan(instance, test::pack(request));
    ASSERT_TRUE(plan.ok()) << request.planner << ": " << plan.result.message;
    EXPECT_EQ(plan.plan().status(), wire::PlanStatus::InfeasibleProven) << request.planner;
    EXPECT_EQ(plan.plan().unplaced()->Get(0)->replicas(), 3u) << request.planner;
    EXPECT_TRUE(test::explain(instance, plan.buffer).ok());
  }
}

TEST(Hopeless, NothingIsWanted) {
  for (const std::vector<std::uint32_t>& replicas : {std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{0, 0}}) {
    InstanceT data = tiny_instance_of_one_kind();
    data.apps->kind.assign(replicas.size(), 0);
    data.apps->replicas = replicas;
    data.apps->demand.assign(replicas.size(), 1);
    const Loaded instance(test::pack(data));
    ASSERT_TRUE(instance.ok()) << instance.result().message;
    for (const wire::RequestT& request : requests()) {
      const Answer plan = test::plan(instance, test::pack(request));
      ASSERT_TRUE(plan.ok()) << request.planner << ": " << plan.result.message;
      EXPECT_EQ(plan.plan().status(), wire::PlanStatus::Optimal) << request.planner;
      EXPECT_EQ(plan.plan().node_class()->size(), 0u) << request.planner;
      EXPECT_TRUE(test::explain(instance, plan.buffer).ok());
    }
  }
}

TEST(Hopeless, EveryNodeIsClosed) {
  InstanceT data = tiny_instance_of_one_kind();
  data.classes[0]->count = 2;
  data.nodes = std::make_unique<wire::NodesT>();
  data.nodes->node_class = {0, 0};
  data.nodes->closed = {1, 1};
  const Loaded instance(test::pack(data));
  for (const wire::RequestT& request : requests()) {
    const Answer plan = test::plan(instance, test::pack(request));
    if (request.objective == wire::Objective::Worst && plan.result.status == STOWAGE_UNSUPPORTED) continue;
    ASSERT_TRUE(plan.ok()) << request.planner << ": " << plan.result.message;
    EXPECT_EQ(plan.plan().unplaced()->Get(0)->replicas(), 3u) << request.planner;
    EXPECT_TRUE(test::explain(instance, plan.buffer).ok());
  }
}

}  // namespace
