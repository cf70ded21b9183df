#include "core/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/unit/support/instance_builder.h"

namespace stowage::test {
namespace {

/// A class of three nodes of 8 cores, of which a and b are listed, and an endless class of nodes of 16 cores.
InstanceData two_nodes() {
  InstanceData data;
  data.resources = {{"cpu", "cores"}};
  data.classes = {{"small", {8}, 3, 1, {}, {}}, {"large", {16}, 0, 2, {}, {}}};
  data.node_class = {0, 0};
  data.node_names = {"a", "b"};
  data.groups.push_back({"rack", {{0, 1, 2}, {0, 1}}, {"r0", "r1"}, {}});
  return data;
}

Session opened(InstanceData data = two_nodes(), const Limits& limits = {}) {
  auto session = Session::open(std::move(data), limits, nullptr);
  if (!session) throw std::invalid_argument(session.error().path + ": " + session.error().message);
  return std::move(*session);
}

Operation submit_of(std::string app, std::uint32_t replicas, std::vector<double> demand) {
  Operation o;
  o.app = std::move(app);
  o.replicas = replicas;
  o.demand = std::move(demand);
  return o;
}
Operation app_operation(OperationKind kind, std::string app, std::uint32_t replicas = 0, std::string node = {}) {
  Operation o;
  o.kind = kind;
  o.app = std::move(app);
  o.replicas = replicas;
  o.node = std::move(node);
  return o;
}
Operation node_operation(OperationKind kind, std::string node, std::vector<double> load = {}) {
  Operation o;
  o.kind = kind;
  o.node = std::move(node);
  o.load = std::move(load);
  return o;
}

void must_apply(Session& session, std::vector<Operation> operations) {
  const Error error = session.apply(operations);
  ASSERT_EQ(error.code, Code::kOk) << error.path << ": " << error.message;
}

/// "app@node:replicas" of all running replicas, in the order of the content.
std::string runs(const Session& session) {
  const SessionContent content = session.content();
  std::string text;
  for (const Residence& r : content.data.running) {
    text += (text.empty() ? "" : " ") + content.data.app_names[r.app] + "@" + content.data.node_names[r.node] + ":" +
            std::to_string(r.replicas);
  }
  return text;
}

Plan session_plan(Session& session, const std::string& planner = "ff") {
  Request request;
  request.planner = planner;
  auto plan = session.plan(request, nullptr);
  EXPECT_TRUE(plan.ok()) << plan.error().message;
  return plan.ok() ? std::move(*plan) : Plan{};
}
CommitOutcome must_commit(Session& session, const Plan& plan, CommitMode mode = CommitMode::kExact) {
  auto outcome = session.commit(plan, mode);
  EXPECT_TRUE(outcome.ok()) << outcome.error().path << ": " << outcome.error().message;
  return outcome.ok() ? std::move(*outcome) : CommitOutcome{};
}

/// The error of one operation. Fails if the session changes.
Error refused_by(Session& session, Operation operation) {
  const std::uint64_t fingerprint = session.batch().value()->fingerprint();
  const std::uint64_t version = session.version();
  // An operation that works comes first, to see that it is undone as well.
  const std::vector<Operation> operations = {submit_of("in front", 1, {1}), std::move(operation)};
  Error error = session.apply(operations);
  EXPECT_NE(error.code, Code::kOk);
  EXPECT_EQ(session.version(), version);
  EXPECT_EQ(session.batch().value()->fingerprint(), fingerprint);
  EXPECT_TRUE(error.path.starts_with("operations[1]")) << error.path;
  return error;
}

TEST(SessionDevices, OperationsKeepToDevices) {
  InstanceData data = two_nodes();
  data.resources[0].device = 4;
  data.periods = 2;
  Session session = opened(std::move(data));
  must_apply(session, {submit_of("part", 3, {3}), submit_of("whole", 1, {8})});
  const auto refused = [&](const Operation& o) {
    const Error error = session.apply(std::vector{o});
    EXPECT_EQ(error.code, Code::kInvalid) << error.message;
    return error.path;
  };
  EXPECT_EQ(refused(submit_of("more", 1, {6})), "operations[0].demand[0]");
  EXPECT_EQ(refused(submit_of("varies", 1, {2, 3})), "operations[0].demand[1]");
  Operation uncertain = submit_of("uncertain", 1, {2});
  uncertain.variance = {1};
  EXPECT_EQ(refused(uncertain), "operations[0].variance[0]");
  EXPECT_EQ(refused(node_operation(OperationKind::kLoad, "a", {1, 2})), "operations[0].load[1]");
  must_apply(session, {node_operation(OperationKind::kLoad, "a", {5})});
}

TEST(Session, AnIntervalFromSubmissionToCommit) {
  Session session = opened();
  EXPECT_EQ(session.version(), 0u);
  must_apply(session, {submit_of("web", 3, {4}), submit_of("db", 1, {8})});
  EXPECT_EQ(session.version(), 2u);
  EXPECT_EQ(runs(session), "");
  // First fit: two web on a, one on b. db fits on neither, so it opens the third small node.
  const Plan plan = session_plan(session);
  const CommitOutcome outcome = must_commit(session, plan);
  EXPECT_TRUE(outcome.committed);
  EXPECT_EQ(outcome.planned_version, 2u);
  EXPECT_EQ(outcome.version, 3u);
  EXPECT_EQ(outcome.placed, 4u);
  EXPECT_EQ(outcome.moved, 0u);
  EXPECT_EQ(outcome.ended, 0u);
  EXPECT_EQ(outcome.opened, std::vector<std::string>{"small-1"});
  EXPECT_EQ(runs(session), "web@a:2 web@b:1 db@small-1:1");
}

TEST(Session, EligibilityAndDaemonLoadLastFromIntervalToInterval) {
  InstanceData data = two_nodes();
  data.classes[0].daemon = {1};
  data.tags = {"ssd"};
  data.node_tags = {{0, 0, 1}, {0}};
  Session session = opened(std::move(data));
  Operation picky = submit_of("picky", 1, {4});
  picky.only = {"ssd"};
  Operation shy = submit_of("shy", 1, {4});
  shy.refused = {"ssd"};
  Operation join = node_operation(OperationKind::kAddNode, "c");
  join.node_class = "small";
  join.daemon = {0};
  must_apply(session, {picky, shy, submit_of("web", 1, {8}), join});
  must_commit(session, session_plan(session));
  // b alone has the tag, and c alone has no daemon load.
  EXPECT_EQ(runs(session), "shy@a:1 picky@b:1 web@c:1");
  const SessionContent content = session.content();
  EXPECT_EQ(content.data.daemon, (std::vector<double>{1, 1, 0}));
  EXPECT_EQ(content.data.app_only.index.size(), 1u);
  EXPECT_EQ(content.data.app_not.index.size(), 1u);
  join.node = "d";
  join.daemon = {-1};
  EXPECT_EQ(refused_by(session, join).path, "operations[1].daemon[0]");
  join.daemon = {1, 1};
  EXPECT_EQ(refused_by(session, join).path, "operations[1].daemon");
}

TEST(Session, ACompactPlanIsCommittedCopyByCopy) {
  Session session = opened();
  must_apply(session, {submit_of("web", 9, {8})});
  Request request;
  request.planner = "ff";
  request.compact = true;
  const auto plan = session.plan(request, nullptr);
  ASSERT_TRUE(plan.ok());
  EXPECT_LT(plan.value().nodes.size(), 7u);
  Plan wrong = plan.value();
  ++wrong.nodes.back().copies;
  EXPECT_FALSE(session.commit(wrong, CommitMode::kExact).ok());
  // One each on a, b and the third small node, and two on each of three large nodes.
  const CommitOutcome outcome = must_commit(session, plan.value());
  EXPECT_EQ(outcome.placed, 9u);
  EXPECT_EQ(outcome.opened, (std::vector<std::string>{"small-1", "large-1", "large-2", "large-3"}));
  EXPECT_EQ(runs(session), "web@a:1 web@b:1 web@small-1:1 web@large-1:2 web@large-2:2 web@large-3:2");
}

TEST(Session, WhatIsCommittedOfACompactPlanIsWhatWasChecked) {
  Session session = opened();
  must_apply(session, {node_operation(OperationKind::kCordon, "a"), node_operation(OperationKind::kCordon, "b"),
                       submit_of("web", 4, {8}), submit_of("db", 1, {16})});
  Request request;
  request.planner = "ff";
  request.compact = true;
  auto plan = session.plan(request, nullptr);
  ASSERT_TRUE(plan.ok());
  ASSERT_GT(plan.value().nodes.size(), 1u);
  // A plan from another source may have its entries in any order.
  std::reverse(plan.value().placed.begin(), plan.value().placed.end());
  const CommitOutcome outcome = must_commit(session, plan.value());
  EXPECT_EQ(outcome.placed, 5u);
  EXPECT_TRUE(session.batch().ok());
}

TEST(Session, CopiesBeyondMaxNodesAreRefusedAtOnce) {
  Limits limits;
  limits.max_nodes = 6;
  Session session = opened(two_nodes(), limits);
  must_apply(session, {submit_of("web", 9, {8})});
  Plan plan = session_plan(session);
  plan.nodes = {{1, kNone, 9}};
  plan.placed = {{0, 0, 1}};
  plan.unplaced.clear();
  const auto refused = session.commit(plan, CommitMode::kFitting);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().path, "nodes[0]");
}

// Days on which apps shrink, grow, leave and join, with a planner that works with patterns.
std::vector<Plan> days_by_patterns(std::uint64_t days) {
  InstanceData data;
  data.resources = {{"cpu", "cores"}};
  data.classes = {{"machine", {16}, 60, -1, {}, {}}};
  data.has_uncertainty = true;
  data.uncertainty = {ChanceModel::kFactor, 0.9, 2};
  Session session = opened(std::move(data));
  const auto submit_uncertain = [&](const std::string& name, std::uint32_t replicas, double mean, double variance) {
    Operation operation = submit_of(name, replicas, {mean});
    operation.variance = {variance};
    must_apply(session, {operation});
  };
  submit_uncertain("wild", 60, 1.5, 2);
  submit_uncertain("calm", 70, 2, 0.25);
  submit_uncertain("still", 40, 3, 0);
  std::vector<Plan> plans;
  for (std::uint64_t day = 0; day < days; ++day) {
    Request request;
    request.planner = "csp-ucac";
    request.objective = Objective::kUcac;
    request.work_limit = 20'000;
    auto plan = session.plan(request, nullptr);
    EXPECT_TRUE(plan.ok()) << plan.error().message;
    if (!plan.ok()) return plans;
    must_commit(session, *plan);
    plans.push_back(std::move(*plan));
    must_apply(session, {app_operation(OperationKind::kScale, "wild", 20), app_operation(OperationKind::kScale, "calm", 30)});
    must_apply(session, {app_operation(OperationKind::kScale, "wild", 60), app_operation(OperationKind::kScale, "calm", 80)});
    if (day == 1) {
      must_apply(session, {app_operation(OperationKind::kRemove, "still")});
      submit_uncertain("fresh", 30, 2.5, 1);
    }
  }
  return plans;
}

TEST(Session, TheSameHistoryGivesTheSamePlans) {
  const std::vector<Plan> plans = days_by_patterns(4);
  const std::vector<Plan> again = days_by_patterns(4);
  ASSERT_EQ(plans.size(), 4u);
  ASSERT_EQ(again.size(), 4u);
  for (std::size_t day = 0; day < plans.size(); ++day) {
    EXPECT_EQ(plans[day].instance, again[day].instance);
    EXPECT_EQ(plans[day].work, again[day].work);
    EXPECT_EQ(plans[day].ucac, again[day].ucac);
    EXPECT_TRUE(plans[day].unplaced.empty());
    EXPECT_LE(plans[day].ucac, plans[day].bounds[Objective::kUcac]->value * 1.01) << day;
  }
}

TEST(Session, NamesThatAnInstanceLacksAreGiven) {
  InstanceBuilder builder;
  builder.add_app("", 2, {1});
  builder.add_class({4});
  builder.add_node(0);
  builder.data().app_names.clear();
  Session session = opened(builder.must_build().data());
  must_apply(session, {app_operation(OperationKind::kScale, "app-0", 1), node_operation(OperationKind::kCordon, "node-0")});
}

TEST(Session, ScaleUpWaitsAndScaleDownEndsTheRightReplicas) {
  Session session = opened();
  must_apply(session, {submit_of("web", 6, {2})});
  must_commit(session, session_plan(session));
  ASSERT_EQ(runs(session), "web@a:4 web@b:2");
  must_apply(session, {app_operation(OperationKind::kScale, "web", 8)});
  EXPECT_EQ(runs(session), "web@a:4 web@b:2");
  // The two pending ones go first, then one on the node with most.
  must_apply(session, {app_operation(OperationKind::kScale, "web", 5)});
  EXPECT_EQ(runs(session), "web@a:3 web@b:2");
  // At two on each, one on the node that joined last goes.
  must_apply(session, {app_operation(OperationKind::kScale, "web", 3)});
  EXPECT_EQ(runs(session), "web@a:2 web@b:1");
  // A cordoned node goes before the fuller one.
  must_apply(session, {node_operation(OperationKind::kCordon, "b"), app_operation(OperationKind::kScale, "web", 2)});
  EXPECT_EQ(runs(session), "web@a:2");
  must_apply(session, {app_operation(OperationKind::kScale, "web", 0)});
  EXPECT_EQ(runs(session), "");
  EXPECT_EQ(session.content().data.replicas.at(0), 0u);
}

TEST(Session, PinnedReplicasStay) {
  Session session = opened();
  must_apply(session, {submit_of("web", 4, {2}), app_operation(OperationKind::kPin, "web", 2, "b")});
  must_commit(session, session_plan(session));
  ASSERT_EQ(runs(session), "web@a:2 web@b:2");
  must_apply(session, {app_operation(OperationKind::kScale, "web", 2)});
  EXPECT_EQ(runs(session), "web@b:2") << "where they are pinned";
  EXPECT_EQ(refused_by(session, app_operation(OperationKind::kScale, "web", 1)).path, "operations[1].replicas");
  EXPECT_EQ(refused_by(session, app_operation(OperationKind::kPin, "web", 3, "b")).path, "operations[1].replicas");
  EXPECT_EQ(refused_by(session, app_operation(OperationKind::kPin, "web", 1, "a")).path, "operations[1].replicas");
  must_apply(session, {app_operation(OperationKind::kPin, "web", 0, "b"), app_operation(OperationKind::kScale, "web", 1)});
  EXPECT_EQ(runs(session), "web@b:1");
}

TEST(Session, PinsOfADrainedNodeWaitForIt) {
  Session session = opened();
  must_apply(session, {submit_of("web", 3, {2}), app_operation(OperationKind::kPin, "web", 2, "b")});
  must_commit(session, session_plan(session));
  ASSERT_EQ(runs(session), "web@a:1 web@b:2");
  for (const OperationKind kind : {OperationKind::kDrain, OperationKind::kFail}) {
    must_apply(session, {node_operation(kind, "b")});
    EXPECT_EQ(runs(session), "web@a:1");
    const SessionContent content = session.content();
    EXPECT_EQ(content.data.replicas.at(0), 1u) << "the others are not planned";
    EXPECT_TRUE(content.data.pinned.empty());
    ASSERT_EQ(content.extra.waiting_pins.size(), 1u);
    EXPECT_EQ(content.extra.waiting_pins[0].replicas, 2u);
    must_commit(session, session_plan(session));
    EXPECT_EQ(runs(session), "web@a:1");
    must_apply(session, {node_operation(OperationKind::kUncordon, "b")});
    must_commit(session, session_plan(session));
    EXPECT_EQ(runs(session), "web@a:1 web@b:2");
  }
}

TEST(Session, CordonedNodesKeepWhatTheyHave) {
  Session session = opened();
  must_apply(session, {submit_of("web", 1, {2})});
  must_commit(session, session_plan(session));
  must_apply(session, {node_operation(OperationKind::kCordon, "a"), app_operation(OperationKind::kScale, "web", 2)});
  must_commit(session, session_plan(session));
  EXPECT_EQ(runs(session), "web@a:1 web@b:1");
  must_apply(session, {node_operation(OperationKind::kDrain, "a")});
  must_apply(session, {node_operation(OperationKind::kCordon, "a")});
  EXPECT_EQ(session.content().extra.node_state[0], static_cast<std::uint8_t>(NodeCondition::kDrained))
      << "cordon takes nothing back";
  must_commit(session, session_plan(session));
  EXPECT_EQ(runs(session), "web@b:2");
}

TEST(Session, FailedNodesLoseTheirLoadAndComeBackEmpty) {
  Session session = opened();
  must_apply(session, {node_operation(OperationKind::kLoad, "a", {3})});
  EXPECT_EQ(session.content().data.load, (std::vector<double>{3, 0}));
  must_apply(session, {node_operation(OperationKind::kFail, "a")});
  EXPECT_TRUE(session.content().data.load.empty());
  EXPECT_EQ(refused_by(session, node_operation(OperationKind::kLoad, "a", {1})).path, "operations[1].node");
  must_apply(session, {node_operation(OperationKind::kUncordon, "a"), node_operation(OperationKind::kLoad, "a", {1})});
  EXPECT_EQ(session.content().data.load, (std::vector<double>{1, 0}));
}

TEST(Session, NodesJoinAndLeave) {
  Session session = opened();
  Operation join = node_operation(OperationKind::kAddNode, "c");
  join.node_class = "small";
  join.groups = {"rack"};
  join.sets = {"r2"};
  join.tags = {"gpu"};
  must_apply(session, {join});
  SessionContent content = session.content();
  EXPECT_EQ(content.data.classes[0].count, 4u);
  EXPECT_EQ(content.data.groups[0].set_names, (std::vector<std::string>{"r0", "r1", "r2"}));
  EXPECT_EQ(content.data.groups[0].sets.index, (std::vector<std::uint32_t>{0, 1, 2}));
  must_apply(session, {submit_of("db", 1, {8}), app_operation(OperationKind::kPin, "db", 1, "c")});
  must_commit(session, session_plan(session));
  EXPECT_EQ(refused_by(session, node_operation(OperationKind::kRemoveNode, "c")).path, "operations[1].node");
  must_apply(session, {app_operation(OperationKind::kPin, "db", 0, "c"), node_operation(OperationKind::kRemoveNode, "c")});
  content = session.content();
  EXPECT_EQ(content.data.classes[0].count, 3u);
  EXPECT_EQ(content.data.node_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(runs(session), "") << "what ran there waits";
  // A class with a count keeps its last node.
  must_apply(session, {node_operation(OperationKind::kRemoveNode, "a")});
  InstanceData one = two_nodes();
  one.classes[0].count = 1;
  one.node_class = {0};
  one.node_names = {"a"};
  one.groups.clear();
  Session last = opened(one);
  EXPECT_EQ(refused_by(last, node_operation(OperationKind::kRemoveNode, "a")).path, "operations[1].node");
}

TEST(Session, LimitsHoldForNamesThatComeLater) {
  Session session = opened();
  Operation web = submit_of("web", 1, {1});
  web.limit_app = {"batch"};
  web.limit_at_most = {0};
  must_apply(session, {web});
  EXPECT_EQ(session.batch().value()->limit_rows().arc_count(), 0u);
  EXPECT_EQ(session.content().extra.waiting_limit_app, std::vector<std::string>{"batch"});
  must_apply(session, {submit_of("batch", 1, {1})});
  EXPECT_EQ(session.batch().value()->limit_rows().arc_count(), 1u);
  must_commit(session, session_plan(session));
  EXPECT_EQ(runs(session), "web@a:1 batch@b:1");
  must_apply(session, {app_operation(OperationKind::kRemove, "batch")});
  EXPECT_EQ(session.batch().value()->limit_rows().arc_count(), 0u);
  must_apply(session, {submit_of("batch", 1, {1})});
  EXPECT_EQ(session.batch().value()->limit_rows().arc_count(), 1u) << "the limit is web's, not batch's";
}

Operation traffic_of(std::string app, std::string peer, double amount) {
  Operation o;
  o.kind = OperationKind::kTraffic;
  o.app = std::move(app);
  o.peer = std::move(peer);
  o.amount = amount;
  return o;
}

TEST(Session, TrafficComesAndGoesWithItsApps) {
  InstanceData data = two_nodes();
  data.app_names = {"web", "db", "idle"};
  data.replicas = {2, 1, 1};
  data.demand = {2, 2, 2};
  data.traffic = {{1, 0, 4}, {0, 2, 0}};
  Session session = opened(std::move(data));
  const auto pairs = [&] {
    const SessionContent content = session.content();
    std::string text;
    for (const Traffic& one : content.data.traffic) {
      text += (text.empty() ? "" : " ") + content.data.app_names[one.app] + "-" + content.data.app_names[one.peer] + ":" +
              std::to_string(static_cast<int>(one.amount));
    }
    return text;
  };
  EXPECT_EQ(pairs(), "web-db:4") << "in the order of joining; a pair without traffic is none";
  must_apply(session, {submit_of("cache", 3, {1}), traffic_of("cache", "web", 7), traffic_of("web", "db", 5)});
  EXPECT_EQ(pairs(), "web-db:5 web-cache:7");
  // A plan of the batch keeps it on nodes, and a snapshot has it.
  Request request;
  request.planner = "auto";
  request.objective = Objective::kTraffic;
  request.work_limit = 20'000;
  auto plan = session.plan(request, nullptr);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->remote_traffic, 0);
  must_commit(session, *plan);
  const SessionContent first = session.content();
  auto again = Session::open(first.data, Limits{}, &first.extra);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->batch().value()->fingerprint(), session.batch().value()->fingerprint());
  // Whoever leaves takes its pairs along; another app of the same name has none.
  must_apply(session, {app_operation(OperationKind::kRemove, "web"), submit_of("web", 1, {1})});
  EXPECT_EQ(pairs(), "");
  auto refused = session.plan(request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().path, "objective") << "no traffic is left";
  must_apply(session, {traffic_of("db", "web", 2), traffic_of("web", "db", 0), traffic_of("db", "cache", 0)});
  EXPECT_EQ(pairs(), "");
  EXPECT_EQ(refused_by(session, traffic_of("nobody", "db", 1)).path, "operations[1].app");
  EXPECT_EQ(refused_by(session, traffic_of("db", "nobody", 1)).path, "operations[1].peer");
  EXPECT_EQ(refused_by(session, traffic_of("db", "db", 1)).path, "operations[1].peer");
  EXPECT_EQ(refused_by(session, traffic_of("db", "web", -1)).path, "operations[1].amount");
}

TEST(Session, TrafficCountsInTheLimits) {
  Limits limits;
  limits.max_limits = 1;
  Session session = opened(two_nodes(), limits);
  must_apply(session, {submit_of("a", 1, {1}), submit_of("b", 1, {1}), submit_of("c", 1, {1}), traffic_of("a", "b", 1)});
  must_apply(session, {traffic_of("b", "a", 2)});
  const Error error = refused_by(session, traffic_of("a", "c", 1));
  EXPECT_EQ(error.code, Code::kLimitExceeded);
  EXPECT_EQ(error.path, "operations[1].peer");
  must_apply(session, {app_operation(OperationKind::kRemove, "b"), traffic_of("a", "c", 1)});
}

TEST(Session, RulesComeAndGoByName) {
  Session session = opened();
  Operation rule;
  rule.kind = OperationKind::kAddRule;
  rule.rule.name = "apart";
  NamedCardinality part;
  part.subject = {"web"};
  part.target = {"web"};
  part.max = 1;
  part.group = "rack";
  rule.rule.any_of = {{part}};
  must_apply(session, {rule});
  const SessionContent content = session.content();
  ASSERT_EQ(content.data.rules.size(), 1u);
  EXPECT_EQ(content.data.rules[0].any_of[0][0].group, 0u);
  EXPECT_EQ(content.data.tags, std::vector<std::string>{"web"});
  EXPECT_EQ(refused_by(session, rule).path, "operations[1].rule.name");
  rule.rule.name = "other";
  rule.rule.any_of[0][0].group = "zone";
  const Error error = refused_by(session, rule);
  EXPECT_EQ(error.code, Code::kNotFound);
  EXPECT_EQ(error.path, "operations[1].rule.any_of[0].all_of[0].group");
  rule.kind = OperationKind::kRemoveRule;
  EXPECT_EQ(refused_by(session, rule).code, Code::kNotFound);
  rule.rule.name = "apart";
  must_apply(session, {rule});
  EXPECT_TRUE(session.content().data.rules.empty());
}

TEST(Session, RefusesBadOperationsByPath) {
  Session session = opened();
  must_apply(session, {submit_of("web", 1, {1})});
  struct Case {
    const char* path;
    Code code;
    void (*spoil)(Operation&);
  };
  const std::vector<Case> submits = {
      {"app", Code::kInvalid, [](Operation& o) { o.app = ""; }},
      {"app", Code::kInvalid, [](Operation& o) { o.app = "web"; }},
      {"demand", Code::kInvalid, [](Operation& o) { o.demand = {}; }},
      {"demand", Code::kInvalid,
       [](Operation& o) {
         o.demand = {1, 2};
       }},
      {"demand[0]", Code::kInvalid, [](Operation& o) { o.demand = {-1}; }},
      {"demand[0]", Code::kInvalid, [](Operation& o) { o.demand = {std::nan("")}; }},
      {"demand[0]", Code::kLimitExceeded, [](Operation& o) { o.demand = {1e200}; }},
      {"variance", Code::kInvalid,
       [](Operation& o) {
         o.variance = {1, 2};
       }},
      {"variance[0]", Code::kInvalid, [](Operation& o) { o.variance = {-2}; }},
      {"support_max", Code::kInvalid, [](Operation& o) { o.support_min = {1}; }},
      {"support_min[0]", Code::kInvalid, [](Operation& o) { o.support_min = {2}, o.support_max = {1}; }},
      {"app_kind", Code::kInvalid, [](Operation& o) { o.app_kind = 0; }},
      {"limit_at_most", Code::kInvalid, [](Operation& o) { o.limit_app = {"web"}; }},
      {"limit_app[0]", Code::kInvalid, [](Operation& o) { o.limit_app = {""}, o.limit_at_most = {1}; }},
      {"limit_app[2]", Code::kInvalid,
       [](Operation& o) {
         o.limit_app = {"x", "y", "x"}, o.limit_at_most = {1, 2, 3};
       }},
      {"limit_at_most[1]", Code::kInvalid,
       [](Operation& o) {
         o.limit_app = {"x", o.app}, o.limit_at_most = {1, 0};
       }},
      {"replicas", Code::kLimitExceeded, [](Operation& o) { o.replicas = 200'000'000; }},
  };
  for (const Case& one : submits) {
    Operation operation = submit_of("new", 1, {1});
    one.spoil(operation);
    const Error error = refused_by(session, operation);
    EXPECT_EQ(error.path, std::string("operations[1].") + one.path);
    EXPECT_EQ(error.code, one.code) << error.path;
  }
  const std::vector<Case> joins = {
      {"node", Code::kInvalid, [](Operation& o) { o.node = ""; }},
      {"node", Code::kInvalid, [](Operation& o) { o.node = "a"; }},
      {"node_class", Code::kNotFound, [](Operation& o) { o.node_class = "medium"; }},
      {"node_class", Code::kNotFound, [](Operation& o) { o.node_class = ""; }},
      {"load", Code::kInvalid,
       [](Operation& o) {
         o.load = {1, 2, 3};
       }},
      {"load", Code::kLimitExceeded, [](Operation& o) { o.load = {1e6}; }},
      {"load[0]", Code::kInvalid, [](Operation& o) { o.load = {-1}; }},
      {"load_variance[0]", Code::kInvalid, [](Operation& o) { o.load_variance = {1}; }},
      {"sets", Code::kInvalid, [](Operation& o) { o.groups = {"rack"}; }},
      {"sets[0]", Code::kInvalid, [](Operation& o) { o.groups = {"rack"}, o.sets = {""}; }},
      {"groups[0]", Code::kNotFound, [](Operation& o) { o.groups = {"zone"}, o.sets = {"z"}; }},
  };
  for (const Case& one : joins) {
    Operation operation = node_operation(OperationKind::kAddNode, "new");
    operation.node_class = "small";
    one.spoil(operation);
    const Error error = refused_by(session, operation);
    EXPECT_EQ(error.path, std::string("operations[1].") + one.path);
    EXPECT_EQ(error.code, one.code) << error.path;
  }
  for (const OperationKind kind : {OperationKind::kScale, OperationKind::kRemove, OperationKind::kPin}) {
    const Error error = refused_by(session, app_operation(kind, "nobody", 1, "a"));
    EXPECT_EQ(error.code, Code::kNotFound);
    EXPECT_EQ(error.path, "operations[1].app");
  }
  for (const OperationKind kind : {OperationKind::kRemoveNode, OperationKind::kCordon, OperationKind::kUncordon,
                                   OperationKind::kDrain, OperationKind::kFail, OperationKind::kLoad, OperationKind::kPin}) {
    const Error error = refused_by(session, app_operation(kind, "web", 1, "nowhere"));
    EXPECT_EQ(error.code, Code::kNotFound);
    EXPECT_EQ(error.path, "operations[1].node");
  }
  EXPECT_EQ(refused_by(session, node_operation(static_cast<OperationKind>(99), "a")).path, "operations[1].kind");
}

TEST(Session, TheCallersLimitsHold) {
  Limits limits;
  limits.max_apps = 2;
  limits.max_nodes = 3;
  limits.max_replicas = 10;
  limits.max_limits = 1;
  Session session = opened(two_nodes(), limits);
  must_apply(session, {submit_of("web", 4, {1})});
  EXPECT_EQ(refused_by(session, submit_of("more", 1, {1})).code, Code::kLimitExceeded) << "with the one in front of it";
  EXPECT_EQ(refused_by(session, app_operation(OperationKind::kScale, "web", 10)).code, Code::kLimitExceeded);
  Operation join = node_operation(OperationKind::kAddNode, "c");
  join.node_class = "large";
  must_apply(session, {join});
  join.node = "d";
  EXPECT_EQ(refused_by(session, join).code, Code::kLimitExceeded);
  Operation limited = submit_of("db", 1, {1});
  limited.limit_app = {"x", "y"};
  limited.limit_at_most = {1, 2};
  EXPECT_EQ(session.apply(std::vector{limited}).path, "operations[0].limit_app");
}

TEST(Session, NodesOpenedByPlansAreNumberedOnAndOn) {
  InstanceData data = two_nodes();
  data.node_class.clear();
  data.node_names.clear();
  data.groups.clear();
  Session session = opened(data);
  must_apply(session, {submit_of("web", 2, {8})});
  EXPECT_EQ(must_commit(session, session_plan(session)).opened, (std::vector<std::string>{"small-1", "small-2"}));
  must_apply(session, {app_operation(OperationKind::kRemove, "web"), node_operation(OperationKind::kRemoveNode, "small-2")});
  Operation join = node_operation(OperationKind::kAddNode, "small-3");
  join.node_class = "small";
  must_apply(session, {join, submit_of("db", 3, {8})});
  EXPECT_EQ(must_commit(session, session_plan(session)).opened, std::vector<std::string>{"small-4"}) << "2 is over, 3 is taken";
}

TEST(Session, CommitComparesVersions) {
  Session session = opened();
  must_apply(session, {submit_of("web", 1, {4})});
  const Plan plan = session_plan(session);
  must_apply(session, {submit_of("db", 1, {1})});
  const CommitOutcome outcome = must_commit(session, plan, CommitMode::kExact);
  EXPECT_FALSE(outcome.committed);
  EXPECT_EQ(outcome.planned_version, 1u);
  EXPECT_EQ(outcome.version, 2u);
  ASSERT_EQ(outcome.conflicts.size(), 1u);
  EXPECT_EQ(outcome.conflicts[0].kind, ConflictKind::kVersion);
  EXPECT_EQ(runs(session), "");
  // The same plan is committed if it only has to fit.
  EXPECT_TRUE(must_commit(session, plan, CommitMode::kWhole).committed);
  EXPECT_EQ(runs(session), "web@a:1");
  // A second time, its replicas are not pending any more.
  const CommitOutcome again = must_commit(session, plan, CommitMode::kFitting);
  EXPECT_FALSE(again.committed);
  ASSERT_EQ(again.conflicts.size(), 1u);
  EXPECT_EQ(again.conflicts[0].kind, ConflictKind::kNotPending);
  EXPECT_EQ(session.version(), 3u);
}

// A plan whose request limits what side effects may cost is taken only as far as it keeps to the limit.
TEST(Session, CommitsKeepThePlansLimitOnCosts) {
  InstanceData data = two_nodes();
  data.has_interference = true;
  data.interference = {{}, 1, {1}};
  Session session = opened(data);
  const auto submit = [&](const char* name, double cpu) {
    Operation o = submit_of(name, 1, {cpu});
    o.app_kind = 0;
    must_apply(session, {o});
  };
  submit("web", 4);
  Request request;
  request.planner = "ff";
  request.max_cost = 5;
  const Plan limited = session.plan(request, nullptr).value();
  EXPECT_EQ(limited.max_cost_limit, 5);
  submit("db", 2);
  must_apply(session, {app_operation(OperationKind::kPin, "db", 1, "a")});
  const CommitOutcome outcome = must_commit(session, limited, CommitMode::kWhole);
  EXPECT_FALSE(outcome.committed) << "web would cost 6 beside db";
  ASSERT_EQ(outcome.conflicts.size(), 1u);
  EXPECT_EQ(outcome.conflicts[0].kind, ConflictKind::kNoRoom);
  request.max_cost = 6;
  EXPECT_TRUE(must_commit(session, session.plan(request, nullptr).value()).committed);
  EXPECT_EQ(runs(session), "web@a:1 db@a:1");
}

TEST(Session, PlacementConflictsLeaveTheAppPending) {
  Session session = opened();
  must_apply(session, {submit_of("web", 2, {4}), submit_of("db", 2, {4}), submit_of("gone", 1, {1})});
  const Plan plan = session_plan(session);  // web on a, db on b, gone on the third node
  // A batch job takes a core of a: web's second replica does not fit, so no replica of web is placed.
  must_apply(session, {node_operation(OperationKind::kLoad, "a", {1}), app_operation(OperationKind::kRemove, "gone")});
  const CommitOutcome none = must_commit(session, plan, CommitMode::kWhole);
  EXPECT_FALSE(none.committed);
  EXPECT_EQ(runs(session), "");
  const CommitOutcome outcome = must_commit(session, plan, CommitMode::kFitting);
  EXPECT_TRUE(outcome.committed);
  EXPECT_EQ(outcome.placed, 2u);
  EXPECT_EQ(runs(session), "db@b:2");
  ASSERT_EQ(outcome.conflicts.size(), 2u);
  EXPECT_EQ(outcome.conflicts[0].kind, ConflictKind::kNoRoom);
  EXPECT_EQ(outcome.conflicts[0].app, "web");
  EXPECT_EQ(outcome.conflicts[0].node, "a");
  EXPECT_EQ(outcome.conflicts[0].wanted, 2u);
  EXPECT_EQ(outcome.conflicts[0].available, 1u);
  EXPECT_EQ(outcome.conflicts[1].kind, ConflictKind::kAppGone);
  // The next interval plans web again.
  must_commit(session, session_plan(session));
  EXPECT_EQ(runs(session), "web@a:1 db@b:2 web@small-1:1");
}

TEST(Session, ConflictsWithNodes) {
  for (const auto& [kind, expected] : {std::pair(OperationKind::kRemoveNode, ConflictKind::kNodeGone),
                                       std::pair(OperationKind::kCordon, ConflictKind::kNodeClosed),
                                       std::pair(OperationKind::kFail, ConflictKind::kNodeClosed)}) {
    Session session = opened();
    must_apply(session, {submit_of("web", 1, {4})});
    const Plan plan = session_plan(session);
    must_apply(session, {node_operation(kind, "a")});
    const CommitOutcome outcome = must_commit(session, plan, CommitMode::kFitting);
    EXPECT_FALSE(outcome.committed);
    ASSERT_EQ(outcome.conflicts.size(), 1u);
    EXPECT_EQ(outcome.conflicts[0].kind, expected);
  }
  // An app that is submitted again under the same name is another app.
  Session session = opened();
  must_apply(session, {submit_of("web", 1, {4})});
  const Plan plan = session_plan(session);
  must_apply(session, {app_operation(OperationKind::kRemove, "web"), submit_of("web", 1, {5})});
  EXPECT_EQ(must_commit(session, plan, CommitMode::kFitting).conflicts.at(0).kind, ConflictKind::kAppGone);
}

TEST(Session, PlansThatMoveAreTakenAsTheyAreOrNotAtAll) {
  Session session = opened();
  must_apply(session, {submit_of("small", 1, {2}), submit_of("large", 1, {8})});
  must_commit(session, session_plan(session));
  ASSERT_EQ(runs(session), "small@a:1 large@b:1");
  must_apply(session, {node_operation(OperationKind::kLoad, "a", {7})});
  Request request;
  request.planner = "ff";
  request.ignore_running = true;
  const auto plan = session.plan(request, nullptr);
  ASSERT_TRUE(plan.ok());
  ASSERT_GT(plan.value().moves, 0u);
  const std::string before = runs(session);
  must_apply(session, {submit_of("web", 1, {1})});
  const CommitOutcome outcome = must_commit(session, plan.value(), CommitMode::kFitting);
  EXPECT_FALSE(outcome.committed);
  EXPECT_EQ(outcome.conflicts.at(0).kind, ConflictKind::kMoves);
  EXPECT_EQ(runs(session), before);
  must_apply(session, {app_operation(OperationKind::kRemove, "web")});
  // The content equals that of the earlier version, so the plan is for the present version.
  const CommitOutcome moved = must_commit(session, plan.value());
  EXPECT_TRUE(moved.committed);
  EXPECT_EQ(moved.moved, plan.value().moves);
  EXPECT_EQ(moved.placed, 0u);
}

TEST(Session, RejectForgetsAndForeignPlansAreRefused) {
  Session session = opened();
  must_apply(session, {submit_of("web", 1, {4})});
  const Plan plan = session_plan(session);
  must_apply(session, {submit_of("db", 1, {4})});
  EXPECT_EQ(session.reject(plan).code, Code::kOk);
  EXPECT_EQ(session.reject(plan).code, Code::kInvalid);
  const auto outcome = session.commit(plan, CommitMode::kFitting);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, Code::kInvalid);
  EXPECT_EQ(outcome.error().path, "instance");
  Plan spoiled = session_plan(session);
  spoiled.placed.at(0).replicas += 7;
  const auto broken = session.commit(spoiled, CommitMode::kExact);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, Code::kInvalid);
  EXPECT_EQ(runs(session), "");
}

TEST(Session, OldBatchesAreForgotten) {
  Session session = opened();
  must_apply(session, {submit_of("web", 1, {4})});
  const Plan plan = session_plan(session);
  for (std::size_t k = 0; k < Session::kBatches; ++k) {
    must_apply(session, {app_operation(OperationKind::kScale, "web", static_cast<std::uint32_t>(k + 2))});
    session_plan(session);
  }
  EXPECT_FALSE(session.commit(plan, CommitMode::kFitting).ok());
}

TEST(Session, ThePlannersRefusalLeavesTheSessionAsItWas) {
  Session session = opened();
  Request request;
  request.planner = "no such planner";
  const auto plan = session.plan(request, nullptr);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, Code::kNotFound);
  EXPECT_EQ(session.version(), 0u);
}

TEST(Session, ACancelledRunChangesNothing) {
  Session session = opened();
  must_apply(session, {submit_of("web", 2, {4})});
  Control control;
  control.cancelled = true;
  Request request;
  request.planner = "auto";
  const std::uint64_t fingerprint = session.batch().value()->fingerprint();
  ASSERT_TRUE(session.plan(request, &control).ok());
  EXPECT_EQ(session.version(), 1u);
  EXPECT_EQ(session.batch().value()->fingerprint(), fingerprint);
}

TEST(Session, RefusesSnapshotsThatContradictThemselves) {
  Session session = opened();
  Operation web = submit_of("web", 2, {1});
  web.limit_app = {"batch"};
  web.limit_at_most = {0};
  must_apply(session, {web, app_operation(OperationKind::kPin, "web", 1, "a"), node_operation(OperationKind::kDrain, "a")});
  struct Case {
    const char* path;
    void (*spoil)(InstanceData&, SessionExtra&);
  };
  const std::vector<Case> cases = {
      {"session.node_state", [](InstanceData&, SessionExtra& e) { e.node_state.pop_back(); }},
      {"session.node_state[1]", [](InstanceData&, SessionExtra& e) { e.node_state[1] = 4; }},
      {"session.node_state[1]", [](InstanceData&, SessionExtra& e) { e.node_state[1] = 1; }},
      {"session.class_number", [](InstanceData&, SessionExtra& e) { e.class_number = {}; }},
      {"running[0]",
       [](InstanceData& d, SessionExtra&) {
         d.running = {{0, 0, 1}};
       }},
      {"pinned[0]",
       [](InstanceData& d, SessionExtra&) {
         d.pinned = {{0, 0, 1}};
       }},
      {"session.waiting_pins[0].app", [](InstanceData&, SessionExtra& e) { e.waiting_pins[0].app = 1; }},
      {"session.waiting_pins[0].node", [](InstanceData&, SessionExtra& e) { e.waiting_pins[0].node = 2; }},
      {"session.waiting_pins[0]", [](InstanceData&, SessionExtra& e) { e.waiting_pins[0].node = 1; }},
      {"session.waiting_pins[0].replicas", [](InstanceData&, SessionExtra& e) { e.waiting_pins[0].replicas = 0; }},
      {"session.waiting_pins", [](InstanceData&, SessionExtra& e) { e.waiting_pins.push_back(e.waiting_pins[0]); }},
      {"session.waiting_pins", [](InstanceData&, SessionExtra& e) { e.waiting_pins[0].replicas = kNone; }},
      {"session.waiting_limit_begin", [](InstanceData&, SessionExtra& e) { e.waiting_limit_begin = {0}; }},
      {"session.waiting_limit_at_most", [](InstanceData&, SessionExtra& e) { e.waiting_limit_at_most = {}; }},
      {"session.waiting_limit_at_most[0]", [](InstanceData&, SessionExtra& e) { e.waiting_limit_at_most = {kNone}; }},
      {"session.waiting_limit_app[0]", [](InstanceData&, SessionExtra& e) { e.waiting_limit_app[0] = "web"; }},
      {"session.waiting_limit_app[0]", [](InstanceData&, SessionExtra& e) { e.waiting_limit_app[0] = ""; }},
      {"apps.names[0]", [](InstanceData& d, SessionExtra&) { d.app_names[0] = ""; }},
      {"nodes.names[0]", [](InstanceData& d, SessionExtra&) { d.node_names[0] = ""; }},
  };
  for (const Case& one : cases) {
    SessionContent content = session.content();
    one.spoil(content.data, content.extra);
    const auto result = Session::open(content.data, Limits{}, &content.extra);
    ASSERT_FALSE(result.ok()) << one.path;
    EXPECT_EQ(result.error().path, one.path);
  }
  SessionContent content = session.content();
  const auto result = Session::open(content.data, Limits{}, &content.extra);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().version(), 3u);
}

NamedCardinality near_tag(const std::string& tag, std::uint32_t min, std::uint32_t max = kNone) {
  NamedCardinality part;
  part.subject = {tag};
  part.target = {tag};
  part.min = min;
  part.max = max;
  return part;
}
Operation add_rule_of(const std::string& name, std::vector<NamedCardinality> all_of) {
  Operation o;
  o.kind = OperationKind::kAddRule;
  o.rule.name = name;
  o.rule.any_of = {std::move(all_of)};
  return o;
}
Operation remove_rule_of(const std::string& name) {
  Operation o = add_rule_of(name, {});
  o.kind = OperationKind::kRemoveRule;
  return o;
}
Operation submit_tagged(const std::string& name, std::uint32_t replicas, const std::vector<std::string>& tags) {
  Operation o = submit_of(name, replicas, {1});
  o.tags = tags;
  return o;
}

TEST(SessionRules, NegationsThatNothingCanMeetAreRefused) {
  Session session = opened();
  NamedCardinality always = near_tag("t", 0);
  always.negated = true;
  EXPECT_EQ(refused_by(session, add_rule_of("never", {always})).path, "operations[1].rule.any_of[0]");
  NamedCardinality outside = near_tag("t", 2, 5);
  outside.negated = true;
  must_apply(session, {add_rule_of("1024 ways", std::vector<NamedCardinality>(10, outside))});
  const Error error = refused_by(session, add_rule_of("2048 ways", std::vector<NamedCardinality>(11, outside)));
  EXPECT_EQ(error.code, Code::kLimitExceeded);
  EXPECT_EQ(error.path, "operations[1].rule");
}

TEST(SessionRules, ContradictionsAreRefusedWhereReplicasAreSubjectToThem) {
  Session session = opened();
  const Operation many = add_rule_of("many", {near_tag("t", 3)});
  const Operation few = add_rule_of("few", {near_tag("t", 0, 1)});
  // Nobody is subject to the rules yet.
  must_apply(session, {many, few, submit_tagged("other", 1, {"u"}), submit_tagged("later", 0, {"u", "t"})});
  EXPECT_EQ(refused_by(session, submit_tagged("web", 2, {"t"})).path, "operations[1].tags");
  EXPECT_EQ(refused_by(session, app_operation(OperationKind::kScale, "later", 1)).path, "operations[1].replicas");
  must_apply(session, {remove_rule_of("few"), submit_tagged("web", 2, {"t"})});
  EXPECT_EQ(refused_by(session, few).path, "operations[1].rule");
  must_apply(session, {remove_rule_of("many"), few});
  EXPECT_TRUE(session.batch().ok());
}

// The tag appID:NAME is the app's own.
TEST(SessionRules, ContradictionsAboutAnAppItself) {
  Session session = opened();
  must_apply(session, {add_rule_of("many", {near_tag("appID:web", 3)}), add_rule_of("few", {near_tag("appID:web", 0, 1)})});
  EXPECT_EQ(refused_by(session, submit_of("web", 2, {1})).path, "operations[1].tags");
}

// A rule of an app gave way to the operator's; without that, it contradicts another.
TEST(SessionRules, RemovingARuleMayNotBringAContradiction) {
  Session session = opened();
  Operation operators = add_rule_of("operator's", {near_tag("t", 0, 1)});
  operators.rule.from_operator = true;
  must_apply(session, {operators, add_rule_of("few", {near_tag("t", 0, 1)}), add_rule_of("many", {near_tag("t", 3)}),
                       submit_tagged("web", 1, {"t"})});
  ASSERT_TRUE(session.batch().ok());
  EXPECT_EQ(refused_by(session, remove_rule_of("operator's")).path, "operations[1].rule");
  must_apply(session, {remove_rule_of("few"), remove_rule_of("operator's")});
}

// Earlier versions accepted such rules. The session opens so far that they can be removed.
TEST(SessionRules, ASnapshotWithRulesThatNothingMeetsCanBeMended) {
  Session session = opened();
  must_apply(session, {add_rule_of("few", {near_tag("t", 0, 1)}), submit_tagged("web", 1, {"t"})});
  const auto reopened_with = [&](const auto& spoil) {
    SessionContent content = session.content();
    content.data.rules.push_back(content.data.rules[0]);
    content.data.rules.back().name = "bad";
    spoil(content.data.rules.back().any_of[0][0]);
    auto result = Session::open(content.data, Limits{}, &content.extra);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return std::move(*result);
  };
  const auto expect_mended = [](Session again) {
    EXPECT_EQ(again.batch().error().path.substr(0, 8), "rules[1]");
    must_apply(again, {remove_rule_of("bad")});
    EXPECT_TRUE(again.batch().ok());
  };
  expect_mended(reopened_with([](Cardinality& part) { part = {part.kind, part.subject, part.target, 3, kNone}; }));
  expect_mended(reopened_with([](Cardinality& part) {
    part.max = kNone;
    part.negated = true;
  }));
  // As an instance, it is refused as before.
  SessionContent content = session.content();
  content.data.rules.push_back(content.data.rules[0]);
  content.data.rules[1].any_of[0][0].max = kNone;
  content.data.rules[1].any_of[0][0].min = 3;
  EXPECT_EQ(Session::open(content.data, Limits{}, nullptr).error().path, "rules[1]");
}

// Two nodes would take 16 bytes per period and resource each, though they carry no load.
TEST(Session, ProfilesBeyondMaxMemoryAreRefused) {
  Limits limits;
  limits.max_memory = 4000;
  InstanceData data = two_nodes();
  data.periods = 100;
  Session session = opened(data, limits);
  must_apply(session, {submit_of("web", 1, {1})});
  const Error error = session.apply(std::vector{submit_of("day", 1, std::vector<double>(99, 1))});
  EXPECT_EQ(error.code, Code::kInvalid) << "the length";
  std::vector<double> profile(100, 1);
  profile[7] = 2;
  EXPECT_EQ(refused_by(session, submit_of("day", 1, profile)).path, "operations[1].demand");
}

// A snapshot keeps everything that the model has: the reopened session has the same instance and the same extra fields.
TEST(Session, SnapshotsKeepEverything) {
  InstanceData data = two_nodes();
  data.name = "all";
  data.periods = 2;
  data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  data.classes[0].capacity = {8, 16};
  data.classes[1].capacity = {16, 32};
  data.has_uncertainty = true;
  data.uncertainty.model = ChanceModel::kBoundedSupport;
  data.has_interference = true;
  data.interference = {{"hot", "cold"}, 2, {1, 0, 0, 1}, 1, {50, std::numeric_limits<double>::infinity()}};
  Session session = opened(data);
  Operation web = submit_of("web", 3, {1, 2, 4, 4});
  web.app_kind = 1;
  web.priority = -3;
  web.weight = 2.5;
  web.tags = {"front", "spot"};
  web.limit_app = {"web", "batch"};
  web.limit_at_most = {2, 0};
  Operation db = submit_of("db", 2, {2, 2});
  db.app_kind = 0;
  db.support_min = {1, 2};
  db.support_max = {3, 2};
  Operation join = node_operation(OperationKind::kAddNode, "c", {1, 2, 0, 0});
  join.node_class = "large";
  join.tags = {"gpu"};
  join.groups = {"rack", "rack"};
  join.sets = {"r7", "r0"};
  join.load_variance = {0.5, 0};
  must_apply(session, {web, db, join, app_operation(OperationKind::kPin, "db", 1, "b"),
                       app_operation(OperationKind::kPin, "web", 1, "a"), node_operation(OperationKind::kFail, "b"),
                       node_operation(OperationKind::kCordon, "c")});
  const SessionContent first = session.content();
  EXPECT_EQ(first.data.demand.size(), 8u) << "profiles";
  EXPECT_EQ(first.data.support_min, (std::vector<double>{1, 4, 1, 2})) << "web's is the range of its demand";
  EXPECT_EQ(first.data.weight, (std::vector<double>{2.5, 1}));
  const std::uint64_t fingerprint = session.batch().value()->fingerprint();
  auto again = Session::open(first.data, Limits{}, &first.extra);
  ASSERT_TRUE(again.ok()) << again.error().path;
  EXPECT_EQ(again->batch().value()->fingerprint(), fingerprint);
  const SessionContent second = again->content();
  EXPECT_EQ(second.extra.version, first.extra.version);
  EXPECT_EQ(second.extra.node_state, first.extra.node_state);
  EXPECT_EQ(second.extra.class_number, first.extra.class_number);
  EXPECT_EQ(second.extra.waiting_limit_app, first.extra.waiting_limit_app);
  ASSERT_EQ(second.extra.waiting_pins.size(), 1u);
  EXPECT_EQ(second.extra.waiting_pins[0].replicas, 1u);
  EXPECT_EQ(second.data.groups[0].set_names, first.data.groups[0].set_names);
  EXPECT_EQ(second.data.interference.kinds, data.interference.kinds);
  EXPECT_EQ(second.data.interference.coefficient, data.interference.coefficient);
  EXPECT_EQ(second.data.interference.resource, 1u);
  EXPECT_EQ(second.data.interference.max_cost, data.interference.max_cost);
}

// An app whose kind may cost less than one of its replicas costs alone, would make an instance that nobody can build.
TEST(Session, ReplicasThatCostTooMuchAloneAreRefused) {
  InstanceData data = two_nodes();
  data.has_interference = true;
  data.interference = {{"hot", "cold"}, 2, {2, 0, 0, 1}, 0, {6, 4}};
  Session session = opened(data);
  const auto submit = [&](const std::string& name, std::uint32_t replicas, double cpu, std::uint32_t kind) {
    Operation o = submit_of(name, replicas, {cpu});
    o.app_kind = kind;
    return session.apply(std::vector<Operation>{o}).path;
  };
  EXPECT_EQ(submit("web", 2, 3, 0), "");
  EXPECT_EQ(submit("hot", 1, 3.5, 0), "operations[0].app_kind") << "7 of at most 6";
  EXPECT_EQ(submit("cold", 1, 3.5, 1), "");
  EXPECT_EQ(submit("none", 0, 5, 1), "") << "nobody wants a replica";
  EXPECT_TRUE(session.batch().ok());
  const std::vector<Operation> more = {app_operation(OperationKind::kScale, "none", 1)};
  EXPECT_EQ(session.apply(more).path, "operations[0].replicas");
  EXPECT_TRUE(session.batch().ok());
}

TEST(Session, EverythingMayLeave) {
  InstanceData data = two_nodes();
  data.has_uncertainty = true;
  data.uncertainty.model = ChanceModel::kBoundedSupport;
  Session session = opened(data);
  Operation web = submit_of("web", 1, {1});
  web.support_min = {0};
  web.support_max = {2};
  must_apply(session, {web});
  must_commit(session, session_plan(session));
  must_apply(session, {app_operation(OperationKind::kRemove, "web"), node_operation(OperationKind::kRemoveNode, "b"),
                       node_operation(OperationKind::kRemoveNode, "a")});
  EXPECT_EQ(session.batch().value()->apps(), 0u);
  EXPECT_TRUE(session_plan(session).nodes.empty());
}

TEST(SessionTest, NodesThatAPlanKeepsAreOpenedToo) {
  Session session = opened();
  must_apply(session, {submit_of("web", 2, {14})});
  Request request;
  request.planner = "ff";
  request.survive = kEachNode;
  auto plan = session.plan(request, nullptr);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->nodes.size(), 3u);
  EXPECT_EQ(must_commit(session, *plan).opened.size(), 3u);
  // The next plan finds the spare node, and needs no other.
  auto next = session.plan(request, nullptr);
  ASSERT_TRUE(next.ok()) << next.error().message;
  EXPECT_EQ(next->nodes.size(), 3u);
  EXPECT_EQ(next->not_survived, 0u);
  for (const PlannedNode& node : next->nodes) EXPECT_NE(node.listed, kNone);
  EXPECT_TRUE(must_commit(session, *next).opened.empty());
}

}  // namespace
}  // namespace stowage::test
