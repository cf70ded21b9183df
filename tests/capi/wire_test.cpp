// stowage_wire.h against the code that flatc generates from the same schemas: the same values in every field, and no byte read
// outside of what is given.
#include <gtest/gtest.h>
#include <stowage_wire.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"
#include "session_generated.h"
#include "tests/capi/test_data.h"

namespace {

using stowage::test::read_data;
namespace wire = stowage::wire;

// The header knows as many fields as the schemas have: the last one of each table.
static_assert(wire::Request::VT_GOALS == 4 + 2 * 21 && wire::Plan::VT_GOALS == 4 + 2 * 55);
static_assert(wire::PlanGoal::VT_TOLERANCE == 4 + 2 * 4 && wire::ReachedGoal::VT_PROVEN == 4 + 2 * 7);
static_assert(wire::Instance::VT_TRAFFIC == 4 + 2 * 16 && wire::Bound::VT_PERIOD == 4 + 2 * 3);
static_assert(sizeof(stowage_placed) == sizeof(wire::Placed) && sizeof(stowage_placed) == sizeof(wire::Residence));
static_assert(sizeof(stowage_app_replicas) == sizeof(wire::Unplaced) && sizeof(stowage_app_replicas) == sizeof(wire::Kept));
static_assert(sizeof(stowage_left_over) == sizeof(wire::LeftOver));

/// Bytes at an aligned address, with nothing behind that could be read unnoticed.
class Exact {
 public:
  Exact(const std::uint8_t* bytes, std::size_t size) : data_(new std::uint8_t[size]), size_(size) {
    if (size > 0) std::memcpy(data_.get(), bytes, size);
  }
  [[nodiscard]] std::uint8_t* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::uint8_t[]> data_;
  std::size_t size_;
};

std::vector<std::uint8_t> written(const stowage_request& request) {
  std::vector<std::uint8_t> bytes(stowage_request_write(&request, nullptr, 0));
  EXPECT_EQ(stowage_request_write(&request, bytes.data(), bytes.size()), bytes.size());
  return bytes;
}

TEST(Wire, RequestHasEveryField) {
  const std::vector<stowage_option> options = {{"portfolio", 3, nullptr}, {"start", 0, "ff"}, {"pace", 1e12, nullptr}};
  const std::vector<stowage_app_replicas> keep = {{1, 2}, {0, 7}};
  stowage_request request = STOWAGE_REQUEST_INIT;
  request.planner = "spread-wfd-avg-binsearch";
  request.options = options.data();
  request.option_count = options.size();
  request.seed = 0x0123456789abcdef;
  request.deadline_ms = 11;
  request.work_limit = 12;
  request.patience_ms = 13;
  request.threads = 14;
  request.node_limit = 15;
  request.move_budget = 16;
  request.ignore_running = 1;
  request.all_or_nothing = 1;
  request.compact = 1;
  request.fill = 1;
  request.objective = STOWAGE_OBJECTIVE_TRAFFIC;
  request.soft = STOWAGE_SOFT_PRICE;
  request.soft_price = 1.5;
  request.max_cost = 2.25;
  request.keep = keep.data();
  request.keep_count = keep.size();
  request.survive = "zone";
  request.leave_free = "rack";
  const std::vector<stowage_goal> goals = {{STOWAGE_GOAL_BALANCE, 1, 0, 2.5, 0.01, nullptr},
                                           STOWAGE_GOAL_INIT,
                                           {STOWAGE_GOAL_MOVES, STOWAGE_NONE, 2, 1, 0, nullptr},
                                           {STOWAGE_GOAL_COST, STOWAGE_NONE, 0, 1, 0, "moves~1%"}};
  request.goals = goals.data();
  request.goal_count = goals.size();
  const std::vector<std::uint8_t> bytes = written(request);
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  ASSERT_TRUE(wire::VerifyRequestBuffer(verifier));
  const wire::Request& read = *wire::GetRequest(bytes.data());
  EXPECT_EQ(read.format(), 1);
  EXPECT_EQ(read.planner()->str(), "spread-wfd-avg-binsearch");
  ASSERT_EQ(read.options()->size(), 3u);
  for (flatbuffers::uoffset_t k = 0; k < 3; ++k) {
    EXPECT_EQ(read.options()->Get(k)->name()->str(), options[k].name);
    EXPECT_EQ(read.options()->Get(k)->number(), options[k].number);
    EXPECT_EQ(read.options()->Get(k)->text() != nullptr, options[k].text != nullptr);
  }
  EXPECT_EQ(read.options()->Get(1)->text()->str(), "ff");
  EXPECT_EQ(read.seed(), 0x0123456789abcdefu);
  EXPECT_EQ(read.deadline_ms(), 11u);
  EXPECT_EQ(read.work_limit(), 12u);
  EXPECT_EQ(read.patience_ms(), 13u);
  EXPECT_EQ(read.threads(), 14u);
  EXPECT_EQ(read.node_limit(), 15u);
  EXPECT_EQ(read.move_budget(), 16u);
  EXPECT_TRUE(read.ignore_running() && read.all_or_nothing() && read.compact() && read.fill());
  EXPECT_EQ(read.objective(), wire::Objective::Traffic);
  EXPECT_EQ(read.soft(), wire::SoftPolicy::Price);
  EXPECT_EQ(read.soft_price(), 1.5);
  EXPECT_EQ(read.max_cost(), 2.25);
  ASSERT_EQ(read.keep()->size(), 2u);
  EXPECT_EQ(read.keep()->Get(0)->replicas(), 2u);
  EXPECT_EQ(read.keep()->Get(1)->replicas(), 7u);
  EXPECT_EQ(read.survive()->str(), "zone");
  EXPECT_EQ(read.leave_free()->str(), "rack");
  ASSERT_EQ(read.goals()->size(), goals.size());
  for (flatbuffers::uoffset_t k = 0; k < goals.size(); ++k) {
    const wire::PlanGoal& goal = *read.goals()->Get(k);
    EXPECT_EQ(static_cast<std::uint8_t>(goal.what()), goals[k].what);
    EXPECT_EQ(goal.resource(), goals[k].resource);
    EXPECT_EQ(goal.beside(), goals[k].beside != 0);
    EXPECT_EQ(goal.weight(), goals[k].weight);
    EXPECT_EQ(goal.tolerance(), goals[k].tolerance);
    EXPECT_STREQ(goal.words() == nullptr ? nullptr : goal.words()->c_str(), goals[k].words);
  }
}

TEST(Wire, InitialGoalHasTheDefaults) {
  const stowage_goal goal = STOWAGE_GOAL_INIT;
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(wire::CreatePlanGoal(builder));
  const wire::PlanGoal& expected = *flatbuffers::GetRoot<wire::PlanGoal>(builder.GetBufferPointer());
  EXPECT_EQ(goal.what, static_cast<std::uint8_t>(expected.what()));
  EXPECT_EQ(goal.resource, expected.resource());
  EXPECT_EQ(goal.beside, expected.beside());
  EXPECT_EQ(goal.weight, expected.weight());
  EXPECT_EQ(goal.tolerance, expected.tolerance());
}

TEST(Wire, EachFlagOfARequestIsItsOwn) {
  using Flag = std::uint8_t stowage_request::*;
  constexpr Flag kFlags[] = {&stowage_request::ignore_running, &stowage_request::all_or_nothing, &stowage_request::compact,
                             &stowage_request::fill};
  for (int flag = 0; flag < 4; ++flag) {
    stowage_request request = STOWAGE_REQUEST_INIT;
    request.*kFlags[flag] = 1;
    const std::vector<std::uint8_t> bytes = written(request);
    const wire::Request& read = *wire::GetRequest(bytes.data());
    EXPECT_EQ(read.ignore_running(), flag == 0);
    EXPECT_EQ(read.all_or_nothing(), flag == 1);
    EXPECT_EQ(read.compact(), flag == 2);
    EXPECT_EQ(read.fill(), flag == 3);
  }
}

TEST(Wire, InitialRequestHasTheDefaults) {
  const stowage_request request = STOWAGE_REQUEST_INIT;
  const std::vector<std::uint8_t> bytes = written(request);
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  ASSERT_TRUE(wire::VerifyRequestBuffer(verifier));
  const wire::Request& read = *wire::GetRequest(bytes.data());
  EXPECT_EQ(read.planner()->str(), "auto");
  EXPECT_TRUE(read.options() == nullptr && read.keep() == nullptr && read.survive() == nullptr &&
              read.leave_free() == nullptr && read.goals() == nullptr);
  EXPECT_EQ(read.threads(), 1u);
  EXPECT_EQ(read.seed() + read.deadline_ms() + read.work_limit() + read.patience_ms() + read.node_limit(), 0u);
  EXPECT_EQ(read.objective(), wire::Objective::Nodes);
}

TEST(Wire, RequestStaysWithinItsRoom) {
  stowage_request request = STOWAGE_REQUEST_INIT;
  const stowage_option option = {"pace", 1, "word"};
  request.options = &option;
  request.option_count = 1;
  const std::size_t size = stowage_request_write(&request, nullptr, 0);
  for (std::size_t room = 0; room <= size; ++room) {
    const std::vector<std::uint8_t> before(room, 0xa5);
    const Exact bytes(before.data(), room);
    ASSERT_EQ(stowage_request_write(&request, bytes.data(), room), size);
  }
}

flatbuffers::DetachedBuffer full_plan() {
  flatbuffers::FlatBufferBuilder builder;
  const auto bound = [&](const char* name, double value) {
    return wire::CreateBound(builder, builder.CreateString(name), value, 1, 2);
  };
  const std::vector<wire::Placed> placed = {{0, 0, 2}, {1, 0, 3}, {1, 2, 4}};
  const std::vector<wire::Placed> reserved = {{1, 1, 5}};
  const std::vector<wire::Unplaced> unplaced = {{0, 6}, {1, 7}};
  const std::vector<wire::Unplaced> unreserved = {{1, 8}};
  const std::vector<wire::LeftOver> left_over = {{9, -3}, {10, -4}};
  const std::vector<flatbuffers::Offset<wire::Note>> notes = {
      wire::CreateNote(builder, wire::NoteCode::EndedEarly, builder.CreateString("it ended")),
      wire::CreateNote(builder, wire::NoteCode::Promise)};
  const auto planner = builder.CreateString("auto");
  const auto node_class = builder.CreateVector(std::vector<std::uint32_t>{0, 1, 1});
  const auto listed = builder.CreateVector(std::vector<std::uint32_t>{4, 4294967295, 4294967295});
  const auto copies = builder.CreateVector(std::vector<std::uint32_t>{1, 20, 30});
  const auto ucac = builder.CreateVector(std::vector<double>{1.5, 2.5, 3.5});
  const auto max_cost = builder.CreateVector(std::vector<double>{4.5, 5.5, 6.5});
  const auto placed_at = builder.CreateVectorOfStructs(placed);
  const auto reserved_at = builder.CreateVectorOfStructs(reserved);
  const auto unplaced_at = builder.CreateVectorOfStructs(unplaced);
  const auto unreserved_at = builder.CreateVectorOfStructs(unreserved);
  const auto left_over_at = builder.CreateVectorOfStructs(left_over);
  const auto notes_at = builder.CreateVector(notes);
  const auto goals = builder.CreateVector(
      std::vector{wire::CreateReachedGoal(builder, 3, 1, false, 2.5, 0.01, 66, 67, true), wire::CreateReachedGoal(builder, 2)});
  const auto rebuilding = builder.CreateString("rebuilding");
  const auto exchanges = builder.CreateString("exchanges");
  const auto trace = builder.CreateVector(
      std::vector{wire::CreateTracedPart(builder, rebuilding, 71, 72, 73), wire::CreateTracedPart(builder, exchanges)});
  const auto survive = builder.CreateString("zone");
  const auto leave_free = builder.CreateString("rack");
  const std::vector<flatbuffers::Offset<wire::Bound>> bounds = {bound("a", 31), bound("b", 32), bound("c", 33), bound("d", 34),
                                                                bound("e", 35), bound("f", 36), bound("g", 37)};
  wire::PlanBuilder plan(builder);
  plan.add_instance(0x1122334455667788);
  plan.add_planner(planner);
  plan.add_status(wire::PlanStatus::Deadline);
  plan.add_seed(41);
  plan.add_work(42);
  plan.add_node_class(node_class);
  plan.add_listed(listed);
  plan.add_placed(placed_at);
  plan.add_unplaced(unplaced_at);
  plan.add_node_bound(bounds[0]);
  plan.add_cost_bound(bounds[1]);
  plan.add_ucac_bound(bounds[2]);
  plan.add_max_cost_bound(bounds[3]);
  plan.add_total_cost_bound(bounds[4]);
  plan.add_left_out_bound(bounds[5]);
  plan.add_remote_traffic_bound(bounds[6]);
  plan.add_gap(43);
  plan.add_cost(44);
  plan.add_inherited_violations(45);
  plan.add_moves(46);
  plan.add_ucac(47);
  plan.add_ucac_resource(1);
  plan.add_node_ucac(ucac);
  plan.add_objective(2);
  plan.add_rule_violations(48);
  plan.add_violating_replicas(49);
  plan.add_violation_extent(50);
  plan.add_violation_weight(51);
  plan.add_violation_cost(52);
  plan.add_has_score(true);
  plan.add_score(53);
  plan.add_score_bound(54);
  plan.add_score_gap(55);
  plan.add_pace(56);
  plan.add_copies(copies);
  plan.add_soft(1);
  plan.add_soft_price(57);
  plan.add_fill(true);
  plan.add_notes(notes_at);
  plan.add_left_over_bound(left_over_at);
  plan.add_places_most(true);
  plan.add_max_cost(58);
  plan.add_total_cost(59);
  plan.add_node_max_cost(max_cost);
  plan.add_max_cost_limit(60);
  plan.add_left_out(61);
  plan.add_remote_traffic(62);
  plan.add_reserved(reserved_at);
  plan.add_unreserved(unreserved_at);
  plan.add_survive(survive);
  plan.add_not_survived(63);
  plan.add_leave_free(leave_free);
  plan.add_domains_in_use(64);
  plan.add_domain_bound(65);
  plan.add_trace(trace);
  plan.add_goals(goals);
  wire::FinishPlanBuffer(builder, plan.Finish());
  return builder.Release();
}

void expect_bound(const stowage_plan_bound& bound, const wire::Bound* expected) {
  ASSERT_EQ(bound.name != nullptr, expected != nullptr);
  if (expected == nullptr) return;
  EXPECT_STREQ(bound.name, expected->name()->c_str());
  EXPECT_EQ(bound.value, expected->value());
  EXPECT_EQ(bound.resource, expected->resource());
  EXPECT_EQ(bound.period, expected->period());
}

template <class Entry, class Vector>
void expect_list(const Entry* list, std::uint32_t count, const Vector* expected) {
  ASSERT_EQ(count, expected == nullptr ? 0 : expected->size());
  if (count == 0) return;
  EXPECT_EQ(std::memcmp(list, expected->Data(), count * sizeof(Entry)), 0);
}

template <class Entry, class Vector>
void expect_column(const Entry* list, const Vector* expected) {
  ASSERT_EQ(list != nullptr, expected != nullptr);
  if (list != nullptr) expect_list(list, expected->size(), expected);
}

/// The view has what the generated code reads, whatever the plan has.
void expect_same(const std::uint8_t* bytes, std::size_t size) {
  stowage_plan_view view;
  ASSERT_EQ(stowage_plan_read(bytes, size, &view), STOWAGE_OK);
  const wire::Plan& plan = *wire::GetPlan(bytes);
  EXPECT_EQ(view.instance, plan.instance());
  EXPECT_STREQ(view.planner, plan.planner()->c_str());
  EXPECT_EQ(view.status, static_cast<std::uint8_t>(plan.status()));
  EXPECT_EQ(view.objective, plan.objective());
  EXPECT_EQ(view.soft, plan.soft());
  EXPECT_EQ(view.fill, plan.fill());
  EXPECT_EQ(view.places_most, plan.places_most());
  EXPECT_EQ(view.has_score, plan.has_score());
  EXPECT_EQ(view.seed, plan.seed());
  EXPECT_EQ(view.work, plan.work());
  EXPECT_EQ(view.pace, plan.pace());
  EXPECT_EQ(view.nodes, plan.node_class()->size());
  expect_column(view.node_class, plan.node_class());
  expect_column(view.listed, plan.listed());
  expect_column(view.copies, plan.copies());
  expect_column(view.node_ucac, plan.node_ucac());
  expect_column(view.node_max_cost, plan.node_max_cost());
  expect_list(view.placed, view.placed_count, plan.placed());
  expect_list(view.unplaced, view.unplaced_count, plan.unplaced());
  expect_list(view.reserved, view.reserved_count, plan.reserved());
  expect_list(view.unreserved, view.unreserved_count, plan.unreserved());
  expect_list(view.left_over_bound, view.left_over_count, plan.left_over_bound());
  EXPECT_EQ(view.inherited_violations, plan.inherited_violations());
  EXPECT_EQ(view.moves, plan.moves());
  EXPECT_EQ(view.ucac_resource, plan.ucac_resource());
  EXPECT_EQ(view.gap, plan.gap());
  EXPECT_EQ(view.cost, plan.cost());
  EXPECT_EQ(view.ucac, plan.ucac());
  EXPECT_EQ(view.max_cost, plan.max_cost());
  EXPECT_EQ(view.max_cost_limit, plan.max_cost_limit());
  EXPECT_EQ(view.total_cost, plan.total_cost());
  EXPECT_EQ(view.left_out, plan.left_out());
  EXPECT_EQ(view.remote_traffic, plan.remote_traffic());
  expect_bound(view.node_bound, plan.node_bound());
  expect_bound(view.cost_bound, plan.cost_bound());
  expect_bound(view.ucac_bound, plan.ucac_bound());
  expect_bound(view.max_cost_bound, plan.max_cost_bound());
  expect_bound(view.total_cost_bound, plan.total_cost_bound());
  expect_bound(view.left_out_bound, plan.left_out_bound());
  expect_bound(view.remote_traffic_bound, plan.remote_traffic_bound());
  EXPECT_EQ(view.rule_violations, plan.rule_violations());
  EXPECT_EQ(view.violating_replicas, plan.violating_replicas());
  EXPECT_EQ(view.violation_extent, plan.violation_extent());
  EXPECT_EQ(view.violation_weight, plan.violation_weight());
  EXPECT_EQ(view.violation_cost, plan.violation_cost());
  EXPECT_EQ(view.score, plan.score());
  EXPECT_EQ(view.score_bound, plan.score_bound());
  EXPECT_EQ(view.score_gap, plan.score_gap());
  EXPECT_EQ(view.soft_price, plan.soft_price());
  EXPECT_STREQ(view.survive, plan.survive() == nullptr ? nullptr : plan.survive()->c_str());
  EXPECT_EQ(view.not_survived, plan.not_survived());
  EXPECT_STREQ(view.leave_free, plan.leave_free() == nullptr ? nullptr : plan.leave_free()->c_str());
  EXPECT_EQ(view.domains_in_use, plan.domains_in_use());
  EXPECT_EQ(view.domain_bound, plan.domain_bound());
  ASSERT_EQ(view.goal_count, plan.goals() == nullptr ? 0 : plan.goals()->size());
  stowage_reached_goal goal;
  for (std::uint32_t k = 0; k < view.goal_count; ++k) {
    const wire::ReachedGoal& expected = *plan.goals()->Get(k);
    ASSERT_TRUE(stowage_plan_goal(&view, k, &goal));
    EXPECT_EQ(goal.what, expected.what());
    EXPECT_EQ(goal.resource, expected.resource());
    EXPECT_EQ(goal.beside, expected.beside());
    EXPECT_EQ(goal.weight, expected.weight());
    EXPECT_EQ(goal.tolerance, expected.tolerance());
    EXPECT_EQ(goal.value, expected.value());
    EXPECT_EQ(goal.bound, expected.bound());
    EXPECT_EQ(goal.proven, expected.proven());
  }
  EXPECT_FALSE(stowage_plan_goal(&view, view.goal_count, &goal));
  ASSERT_EQ(view.traced_count, plan.trace() == nullptr ? 0 : plan.trace()->size());
  for (std::uint32_t k = 0; k < view.traced_count; ++k) {
    const wire::TracedPart& expected = *plan.trace()->Get(k);
    std::uint64_t calls = 0;
    std::uint64_t gains = 0;
    std::uint64_t work = 0;
    EXPECT_STREQ(stowage_plan_traced(&view, k, &calls, &gains, &work), expected.name()->c_str());
    EXPECT_EQ(calls, expected.calls());
    EXPECT_EQ(gains, expected.gains());
    EXPECT_EQ(work, expected.work());
    EXPECT_STREQ(stowage_plan_traced(&view, k, nullptr, nullptr, nullptr), expected.name()->c_str());
  }
  EXPECT_EQ(stowage_plan_traced(&view, view.traced_count, nullptr, nullptr, nullptr), nullptr);
  EXPECT_EQ(view.note_count, plan.notes() == nullptr ? 0 : plan.notes()->size());
}

TEST(Wire, PlanHasEveryField) {
  const flatbuffers::DetachedBuffer bytes = full_plan();
  const Exact exact(bytes.data(), bytes.size());
  expect_same(exact.data(), exact.size());
  stowage_plan_view plan;
  ASSERT_EQ(stowage_plan_read(exact.data(), exact.size(), &plan), STOWAGE_OK);
  std::uint8_t code = 0;
  EXPECT_STREQ(stowage_plan_note(&plan, 0, &code), "it ended");
  EXPECT_EQ(code, static_cast<std::uint8_t>(wire::NoteCode::EndedEarly));
  EXPECT_EQ(stowage_plan_note(&plan, 1, &code), nullptr);
  EXPECT_EQ(code, static_cast<std::uint8_t>(wire::NoteCode::Promise));
  EXPECT_EQ(stowage_plan_note(&plan, 2, &code), nullptr);
}

TEST(Wire, PlanIsAskedForNodesAndReplicas) {
  const flatbuffers::DetachedBuffer bytes = full_plan();
  const Exact exact(bytes.data(), bytes.size());
  stowage_plan_view plan;
  ASSERT_EQ(stowage_plan_read(exact.data(), exact.size(), &plan), STOWAGE_OK);
  EXPECT_EQ(stowage_plan_nodes_in_use(&plan), 1u + 20 + 30);
  EXPECT_EQ(stowage_plan_copies(&plan, 2), 30u);
  EXPECT_EQ(stowage_plan_copies(&plan, 3), 0u);
  const std::uint32_t expected[2][4] = {{2, 0, 0, 0}, {3, 0, 4, 0}};
  for (std::uint32_t app = 0; app < 2; ++app) {
    for (std::uint32_t node = 0; node < 4; ++node) EXPECT_EQ(stowage_plan_replicas(&plan, app, node), expected[app][node]);
  }
  std::uint32_t count = 0;
  EXPECT_EQ(stowage_plan_on(&plan, 0, &count), plan.placed);
  EXPECT_EQ(count, 2u);
  stowage_plan_on(&plan, 1, &count);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(stowage_plan_unplaced(&plan, 1), 7u);
  EXPECT_EQ(stowage_plan_unplaced(&plan, 2), 0u);
}

TEST(Wire, PlanOfTheLibraryByARequestOfTheHeader) {
  const stowage::Instance instance = stowage::Instance::load(read_data("small_instance.stow"));
  stowage_request request = STOWAGE_REQUEST_INIT;
  request.planner = "ff";
  const stowage::Buffer bytes = instance.plan(written(request));
  expect_same(bytes.data(), bytes.size());
  stowage_plan_view plan;
  ASSERT_EQ(stowage_plan_read(bytes.data(), bytes.size(), &plan), STOWAGE_OK);
  EXPECT_EQ(plan.status, STOWAGE_PLAN_OPTIMAL);
  EXPECT_STREQ(plan.node_bound.name, "capacity");
  EXPECT_EQ(stowage_plan_replicas(&plan, 0, 0), 2u);
  EXPECT_EQ(stowage_plan_replicas(&plan, 1, 1), 1u);
}

TEST(Wire, InstanceAndSnapshotHaveNamesAndStates) {
  const std::vector<std::uint8_t> given = read_data("small_instance.stow");
  stowage::Session session = stowage::Session::open(given);
  session.apply(read_data("session_operations.stowops"));
  const stowage::Buffer snapshot = session.snapshot();
  stowage_instance_view view;
  ASSERT_EQ(stowage_instance_read(snapshot.data(), snapshot.size(), &view), STOWAGE_OK);
  const wire::Instance& instance = *wire::GetInstance(snapshot.data());
  EXPECT_EQ(view.version, session.version());
  EXPECT_EQ(view.periods, instance.periods());
  expect_list(view.replicas, view.apps, instance.apps()->replicas());
  expect_column(view.node_state, instance.session()->node_state());
  expect_list(view.running, view.running_count, instance.running());
  expect_list(view.pinned, view.pinned_count, instance.pinned());
  ASSERT_GT(view.apps, 0u);
  for (std::uint32_t app = 0; app < view.apps; ++app) {
    const std::string name = instance.apps()->names()->Get(app)->str();
    EXPECT_STREQ(stowage_instance_name(&view, STOWAGE_NAMED_APP, app), name.c_str());
    EXPECT_EQ(stowage_instance_find(&view, STOWAGE_NAMED_APP, name.c_str()), app);
  }
  ASSERT_GT(view.nodes, 0u);
  expect_column(view.node_class, instance.nodes()->node_class());
  expect_column(view.closed, instance.nodes()->closed());
  for (std::uint32_t node = 0; node < view.nodes; ++node) {
    EXPECT_EQ(instance.nodes()->names()->Get(node)->str(), stowage_instance_name(&view, STOWAGE_NAMED_NODE, node));
  }
  ASSERT_EQ(view.resources, instance.resources()->size());
  EXPECT_EQ(instance.resources()->Get(0)->name()->str(), stowage_instance_name(&view, STOWAGE_NAMED_RESOURCE, 0));
  ASSERT_EQ(view.classes, instance.classes()->size());
  EXPECT_EQ(stowage_instance_name(&view, STOWAGE_NAMED_APP, view.apps), nullptr);
  EXPECT_EQ(stowage_instance_find(&view, STOWAGE_NAMED_NODE, "nowhere"), STOWAGE_NONE);
}

/// Reads everything that the views have, so that a sanitizer sees where they point.
std::uint64_t touched(const Exact& bytes) {
  std::uint64_t sum = 0;
  const auto text = [&](const char* one) { sum += one == nullptr ? 0 : std::strlen(one); };
  stowage_plan_view plan;
  if (stowage_plan_read(bytes.data(), bytes.size(), &plan) == STOWAGE_OK) {
    text(plan.planner);
    text(plan.survive);
    text(plan.leave_free);
    for (std::uint32_t node = 0; node < plan.nodes; ++node) {
      std::uint32_t count = 0;
      stowage_plan_on(&plan, node, &count);
      sum += plan.node_class[node] + plan.listed[node] + stowage_plan_copies(&plan, node) + count;
      if (plan.node_ucac != nullptr) sum += plan.node_ucac[node] > 0;
      if (plan.node_max_cost != nullptr) sum += plan.node_max_cost[node] > 0;
    }
    for (std::uint32_t k = 0; k < plan.unplaced_count; ++k) sum += plan.unplaced[k].replicas;
    for (std::uint32_t k = 0; k < plan.left_over_count; ++k) sum += plan.left_over_bound[k].replicas;
    for (std::uint32_t k = 0; k < plan.note_count; ++k) text(stowage_plan_note(&plan, k, nullptr));
    for (std::uint32_t k = 0; k < plan.goal_count; ++k) {
      stowage_reached_goal goal;
      sum += static_cast<std::uint64_t>(stowage_plan_goal(&plan, k, &goal)) + goal.what;
    }
    for (std::uint32_t k = 0; k < plan.traced_count; ++k) text(stowage_plan_traced(&plan, k, nullptr, nullptr, nullptr));
    for (const auto& bound : {plan.node_bound, plan.cost_bound, plan.ucac_bound, plan.remote_traffic_bound}) text(bound.name);
  }
  stowage_instance_view instance;
  if (stowage_instance_read(bytes.data(), bytes.size(), &instance) == STOWAGE_OK) {
    for (std::uint32_t app = 0; app < instance.apps; ++app) {
      sum += instance.replicas[app];
      text(stowage_instance_name(&instance, STOWAGE_NAMED_APP, app));
    }
    for (std::uint32_t node = 0; node < instance.nodes; ++node) {
      sum += instance.node_class[node];
      text(stowage_instance_name(&instance, STOWAGE_NAMED_NODE, node));
      if (instance.closed != nullptr) sum += instance.closed[node];
      if (instance.node_state != nullptr) sum += instance.node_state[node];
    }
    for (std::uint32_t c = 0; c < instance.classes; ++c) text(stowage_instance_name(&instance, STOWAGE_NAMED_CLASS, c));
    for (std::uint32_t r = 0; r < instance.resources; ++r) text(stowage_instance_name(&instance, STOWAGE_NAMED_RESOURCE, r));
    for (std::uint32_t k = 0; k < instance.running_count; ++k) sum += instance.running[k].node;
  }
  return sum;
}

void damage(const std::uint8_t* bytes, std::size_t size) {
  for (std::size_t length = 0; length < size; ++length) touched(Exact(bytes, length));
  for (std::size_t at = 0; at < size; ++at) {
    for (const int change : {0x01, 0x04, 0x80, 0xff}) {
      const Exact changed(bytes, size);
      changed.data()[at] = static_cast<std::uint8_t>(changed.data()[at] ^ change);
      touched(changed);
    }
  }
}

TEST(Wire, DamagedBytesAreNotFollowedOutside) {
  const flatbuffers::DetachedBuffer plan = full_plan();
  EXPECT_GT(touched(Exact(plan.data(), plan.size())), 0u);
  damage(plan.data(), plan.size());
  stowage::Session session = stowage::Session::open(read_data("small_instance.stow"));
  session.apply(read_data("session_operations.stowops"));
  const stowage::Buffer snapshot = session.snapshot();
  EXPECT_GT(touched(Exact(snapshot.data(), snapshot.size())), 0u);
  damage(snapshot.data(), snapshot.size());
}

TEST(Wire, RefusesWhatIsNoPlan) {
  stowage_plan_view plan;
  stowage_instance_view instance;
  const flatbuffers::DetachedBuffer bytes = full_plan();
  EXPECT_EQ(stowage_plan_read(nullptr, 0, &plan), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_plan_read(bytes.data(), bytes.size(), nullptr), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_instance_read(bytes.data(), bytes.size(), &instance), STOWAGE_MALFORMED);
  const Exact exact(bytes.data(), bytes.size());
  EXPECT_EQ(stowage_plan_read(exact.data() + 1, exact.size() - 1, &plan), STOWAGE_MALFORMED);
  // An entry on a node that the plan does not have.
  const auto* placed = reinterpret_cast<const std::uint8_t*>(wire::GetPlan(exact.data())->placed()->Get(0));
  exact.data()[placed - exact.data() + 4] = 3;
  EXPECT_EQ(stowage_plan_read(exact.data(), exact.size(), &plan), STOWAGE_MALFORMED);
  EXPECT_EQ(plan.nodes, 0u);
}

}  // namespace
