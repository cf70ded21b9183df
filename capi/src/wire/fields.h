// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/src/wire_reader.h"
#include "capi/src/wire_writer.h"
#include "derivation_generated.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "request_generated.h"
#include "session_generated.h"

namespace stowage::capi {

inline void read_resource_factors(const wire::ResourceFactors& from, Copier& copier, ResourceFactors& to) {
  copier.read(from.name(), to.name);
  to.resource = from.resource();
  to.demand = from.demand();
  to.capacity = from.capacity();
  to.load = from.load();
}

inline void read_app_change(const wire::AppChange& from, Copier& copier, AppChange& to) {
  copier.read(from.name(), to.name);
  to.app = from.app();
  to.replicas = from.replicas();
  to.replica_factor = from.replica_factor();
  copier.read(from.demand(), to.demand);
  to.demand_factor = from.demand_factor();
}

inline void read_class_change(const wire::ClassChange& from, Copier& copier, ClassChange& to) {
  copier.read(from.name(), to.name);
  to.node_class = from.node_class();
  to.count = from.count();
  copier.read(from.capacity(), to.capacity);
  to.capacity_factor = from.capacity_factor();
  to.price = from.price();
}

inline void read_derivation(const wire::Derivation& from, Copier& copier, Derivation& to) {
  copier.read(from.name(), to.name);
  to.demand = from.demand();
  to.replicas = from.replicas();
  to.capacity = from.capacity();
  to.load = from.load();
  to.price = from.price();
  to.limits = from.limits();
  copier.all(from.by_resource(), to.by_resource, read_resource_factors);
  copier.all(from.by_app(), to.by_app, read_app_change);
  copier.all(from.by_class(), to.by_class, read_class_change);
}

inline void read_named_cardinality(const wire::NamedCardinality& from, Copier& copier, NamedCardinality& to) {
  to.kind = static_cast<decltype(to.kind)>(from.kind());
  copier.read(from.subject(), to.subject);
  copier.read(from.target(), to.target);
  to.min = from.min();
  to.max = from.max();
  copier.read(from.group(), to.group);
  to.negated = from.negated();
}

inline void read_named_conjunction(const wire::NamedConjunction& from, Copier& copier, std::vector<NamedCardinality>& to) {
  copier.all(from.all_of(), to, read_named_cardinality);
}

inline void read_named_rule(const wire::NamedRule& from, Copier& copier, NamedRule& to) {
  copier.read(from.name(), to.name);
  copier.all(from.any_of(), to.any_of, read_named_conjunction);
  to.hard = from.hard();
  to.weight = from.weight();
  to.from_operator = static_cast<decltype(to.from_operator)>(from.origin());
}

inline void read_operation(const wire::Operation& from, Copier& copier, Operation& to) {
  to.kind = static_cast<decltype(to.kind)>(from.kind());
  copier.read(from.app(), to.app);
  copier.read(from.node(), to.node);
  to.replicas = from.replicas();
  copier.read(from.demand(), to.demand);
  to.priority = from.priority();
  copier.read(from.variance(), to.variance);
  copier.read(from.support_min(), to.support_min);
  copier.read(from.support_max(), to.support_max);
  to.app_kind = from.app_kind();
  copier.read(from.tags(), to.tags);
  copier.read(from.limit_app(), to.limit_app);
  copier.read(from.limit_at_most(), to.limit_at_most);
  copier.read(from.node_class(), to.node_class);
  copier.read(from.load(), to.load);
  copier.read(from.load_variance(), to.load_variance);
  copier.read(from.groups(), to.groups);
  copier.read(from.sets(), to.sets);
  copier.some(from.rule(), to.rule, read_named_rule);
  to.weight = from.weight();
  copier.read(from.only(), to.only);
  copier.read(from.not_(), to.refused);
  copier.read(from.daemon(), to.daemon);
  copier.read(from.peer(), to.peer);
  to.amount = from.amount();
}

inline void read_bound(const wire::Bound& from, Copier& copier, Bound& to) {
  copier.read(from.name(), to.name);
  to.value = from.value();
  to.resource = from.resource();
  to.period = from.period();
}

inline void read_note(const wire::Note& from, Copier& copier, Note& to) {
  to.code = static_cast<decltype(to.code)>(from.code());
  copier.read(from.text(), to.text);
}

inline void read_reached_goal(const wire::ReachedGoal& from, Copier&, ReachedGoal& to) {
  to.what = static_cast<decltype(to.what)>(from.what());
  to.resource = from.resource();
  to.beside = from.beside();
  to.weight = from.weight();
  to.tolerance = from.tolerance();
  to.value = from.value();
  to.bound = from.bound();
  to.proven = from.proven();
}

inline void read_traced_part(const wire::TracedPart& from, Copier& copier, TracedPart& to) {
  copier.read(from.name(), to.name);
  to.calls = from.calls();
  to.gains = from.gains();
  to.work = from.work();
}

inline void read_plan(const wire::Plan& from, Copier& copier, Plan& to) {
  to.instance = from.instance();
  copier.read(from.planner(), to.planner);
  to.status = static_cast<decltype(to.status)>(from.status());
  to.seed = from.seed();
  to.work = from.work();
  copier.read(from.placed(), to.placed);
  copier.read(from.unplaced(), to.unplaced);
  copier.some(from.node_bound(), to.bounds[Objective::kNodes], read_bound);
  to.gap = from.gap();
  to.cost = from.cost();
  copier.some(from.cost_bound(), to.bounds[Objective::kCost], read_bound);
  to.inherited_violations = from.inherited_violations();
  to.moves = from.moves();
  to.ucac = from.ucac();
  to.ucac_resource = from.ucac_resource();
  copier.some(from.ucac_bound(), to.bounds[Objective::kUcac], read_bound);
  copier.read(from.node_ucac(), to.node_ucac);
  to.objective = static_cast<decltype(to.objective)>(from.objective());
  to.rule_costs.violations = from.rule_violations();
  to.rule_costs.replicas = from.violating_replicas();
  to.rule_costs.extent = from.violation_extent();
  to.rule_costs.weight = from.violation_weight();
  to.rule_costs.cost = from.violation_cost();
  to.has_score = from.has_score();
  to.score = from.score();
  to.score_bound = from.score_bound();
  to.score_gap = from.score_gap();
  to.pace = from.pace();
  to.soft = static_cast<decltype(to.soft)>(from.soft());
  to.soft_price = from.soft_price();
  to.fill = from.fill();
  copier.all(from.notes(), to.notes, read_note);
  to.places_most = from.places_most();
  to.max_cost = from.max_cost();
  copier.some(from.max_cost_bound(), to.bounds[Objective::kWorst], read_bound);
  to.total_cost = from.total_cost();
  copier.some(from.total_cost_bound(), to.bounds[Objective::kTotal], read_bound);
  copier.read(from.node_max_cost(), to.node_max_cost);
  to.max_cost_limit = from.max_cost_limit();
  to.left_out = from.left_out();
  copier.some(from.left_out_bound(), to.bounds[Objective::kAdmitted], read_bound);
  to.remote_traffic = from.remote_traffic();
  copier.some(from.remote_traffic_bound(), to.bounds[Objective::kTraffic], read_bound);
  copier.read(from.reserved(), to.reserved);
  copier.read(from.unreserved(), to.unreserved);
  copier.read(from.survive(), to.survive);
  to.not_survived = from.not_survived();
  copier.read(from.leave_free(), to.leave_free);
  to.domains_in_use = from.domains_in_use();
  to.domain_bound = from.domain_bound();
  copier.all(from.goals(), to.goals, read_reached_goal);
  copier.all(from.trace(), to.trace, read_traced_part);
}

inline void read_option(const wire::Option& from, Copier& copier, RequestOption& to) {
  copier.read(from.name(), to.name);
  to.number = from.number();
  copier.read(from.text(), to.text);
}

inline void read_plan_goal(const wire::PlanGoal& from, Copier& copier, PlanGoal& to) {
  to.what = static_cast<decltype(to.what)>(from.what());
  to.resource = from.resource();
  to.beside = from.beside();
  to.weight = from.weight();
  to.tolerance = from.tolerance();
  copier.read(from.words(), to.words);
}

inline void read_request(const wire::Request& from, Copier& copier, Request& to) {
  copier.read(from.planner(), to.planner);
  copier.all(from.options(), to.options, read_option);
  to.seed = from.seed();
  to.deadline_ms = from.deadline_ms();
  to.work_limit = from.work_limit();
  to.threads = from.threads();
  to.node_limit = from.node_limit();
  to.ignore_running = from.ignore_running();
  to.move_budget = from.move_budget();
  to.objective = static_cast<decltype(to.objective)>(from.objective());
  to.all_or_nothing = from.all_or_nothing();
  to.compact = from.compact();
  to.soft = static_cast<decltype(to.soft)>(from.soft());
  to.soft_price = from.soft_price();
  to.patience_ms = from.patience_ms();
  to.fill = from.fill();
  to.max_cost = from.max_cost();
  copier.read(from.keep(), to.keep);
  copier.read(from.survive(), to.survive);
  copier.read(from.leave_free(), to.leave_free);
  copier.all(from.goals(), to.goals, read_plan_goal);
  to.trace = from.trace();
}

inline void read_session(const wire::Session& from, Copier& copier, SessionExtra& to) {
  to.version = from.version();
  copier.read(from.node_state(), to.node_state);
  copier.read(from.class_number(), to.class_number);
  copier.read(from.waiting_pins(), to.waiting_pins);
  copier.read(from.waiting_limit_begin(), to.waiting_limit_begin);
  copier.read(from.waiting_limit_app(), to.waiting_limit_app);
  copier.read(from.waiting_limit_at_most(), to.waiting_limit_at_most);
}

inline void read_interference(const wire::Interference& from, Copier& copier, Interference& to) {
  copier.read(from.kinds(), to.kinds);
  copier.read(from.coefficient(), to.coefficient);
  to.resource = from.resource();
  copier.read(from.max_cost(), to.max_cost);
}

inline void read_uncertainty(const wire::Uncertainty& from, Copier&, Uncertainty& to) {
  to.model = static_cast<decltype(to.model)>(from.model());
  to.confidence = from.confidence();
  to.factor = from.factor();
}

inline void read_nodes(const wire::Nodes& from, Copier& copier, InstanceData& to) {
  copier.read(from.node_class(), to.node_class);
  copier.read(from.names(), to.node_names);
  copier.read(from.load(), to.load);
  copier.read(from.load_variance(), to.load_variance);
  copier.read(from.closed(), to.closed);
  copier.read(from.tag_begin(), to.node_tags.begin);
  copier.read(from.tag_index(), to.node_tags.index);
  copier.read(from.daemon(), to.daemon);
}

inline void read_resource(const wire::Resource& from, Copier& copier, Resource& to) {
  copier.read(from.name(), to.name);
  copier.read(from.unit(), to.unit);
  to.device = from.device();
}

inline void read_apps(const wire::Apps& from, Copier& copier, InstanceData& to) {
  copier.read(from.names(), to.app_names);
  copier.read(from.replicas(), to.replicas);
  copier.read(from.demand(), to.demand);
  copier.read(from.priority(), to.priority);
  copier.read(from.variance(), to.variance);
  copier.read(from.support_min(), to.support_min);
  copier.read(from.support_max(), to.support_max);
  copier.read(from.kind(), to.kind);
  copier.read(from.tag_begin(), to.app_tags.begin);
  copier.read(from.tag_index(), to.app_tags.index);
  copier.read(from.weight(), to.weight);
  copier.read(from.only_begin(), to.app_only.begin);
  copier.read(from.only_index(), to.app_only.index);
  copier.read(from.not_begin(), to.app_not.begin);
  copier.read(from.not_index(), to.app_not.index);
}

inline void read_node_class(const wire::NodeClass& from, Copier& copier, NodeClass& to) {
  copier.read(from.name(), to.name);
  copier.read(from.capacity(), to.capacity);
  to.count = from.count();
  to.price = from.price();
  copier.read(from.labels(), to.labels);
  copier.read(from.daemon(), to.daemon);
}

inline void read_node_group(const wire::NodeGroup& from, Copier& copier, NodeGroup& to) {
  copier.read(from.name(), to.name);
  copier.read(from.set_begin(), to.sets.begin);
  copier.read(from.node(), to.sets.index);
  copier.read(from.set_names(), to.set_names);
  copier.read(from.by_label(), to.by_label);
}

inline void read_cardinality(const wire::Cardinality& from, Copier& copier, Cardinality& to) {
  to.kind = static_cast<decltype(to.kind)>(from.kind());
  copier.read(from.subject(), to.subject);
  copier.read(from.target(), to.target);
  to.min = from.min();
  to.max = from.max();
  to.group = from.group();
  to.negated = from.negated();
}

inline void read_conjunction(const wire::Conjunction& from, Copier& copier, std::vector<Cardinality>& to) {
  copier.all(from.all_of(), to, read_cardinality);
}

inline void read_placement_rule(const wire::PlacementRule& from, Copier& copier, PlacementRule& to) {
  copier.read(from.name(), to.name);
  copier.all(from.any_of(), to.any_of, read_conjunction);
  to.hard = from.hard();
  to.weight = from.weight();
  to.from_operator = static_cast<decltype(to.from_operator)>(from.origin());
}

inline void read_instance(const wire::Instance& from, Copier& copier, InstanceData& to) {
  copier.read(from.name(), to.name);
  copier.all(from.resources(), to.resources, read_resource);
  to.periods = from.periods();
  if (from.apps() != nullptr) read_apps(*from.apps(), copier, to);
  copier.all(from.classes(), to.classes, read_node_class);
  copier.read(from.running(), to.running);
  copier.read(from.pinned(), to.pinned);
  copier.read(from.tags(), to.tags);
  copier.all(from.groups(), to.groups, read_node_group);
  copier.all(from.rules(), to.rules, read_placement_rule);
  copier.read(from.traffic(), to.traffic);
}

inline flatbuffers::Offset<wire::Conflict> write_conflict(Builder& builder, const Conflict& from) {
  const auto app = builder.put(from.app);
  const auto node = builder.put(from.node);
  return wire::CreateConflict(builder, static_cast<wire::ConflictKind>(from.kind), app, node, from.wanted, from.available);
}

inline flatbuffers::Offset<wire::Commit> write_commit(Builder& builder, const CommitOutcome& from) {
  const auto opened = builder.must(from.opened);
  const auto conflicts = builder.must_all(from.conflicts, write_conflict);
  return wire::CreateCommit(builder, from.committed, from.planned_version, from.version, from.placed, from.moved, from.ended, opened, conflicts);
}

inline flatbuffers::Offset<wire::Loss> write_loss(Builder& builder, const Loss& from, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> app, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> to, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> count) {
  const auto name = builder.must(from.domain.name);
  const auto nodes = builder.must(from.domain.nodes);
  return wire::CreateLoss(builder, name, nodes, from.replicas, from.left, app, to, count, from.short_resource, from.short_period, from.short_amount);
}

inline flatbuffers::Offset<wire::HeadroomOfApps> write_headroom_of_apps(Builder& builder, const HeadroomOfApps& from) {
  const auto room = builder.must(from.room);
  const auto nodes = builder.must(from.nodes);
  const auto most = builder.must(from.most);
  const auto spare_room = builder.must(from.spare_room);
  const auto coupled = builder.must(from.coupled);
  return wire::CreateHeadroomOfApps(builder, room, nodes, most, spare_room, coupled);
}

inline flatbuffers::Offset<wire::Obstacle> write_obstacle(Builder& builder, const Obstacle& from) {
  return wire::CreateObstacle(builder, static_cast<wire::ObstacleKind>(from.kind), from.resource, from.period, from.other, from.amount, from.limit);
}

inline flatbuffers::Offset<wire::Headroom> write_headroom(Builder& builder, const Headroom& from) {
  const auto room = builder.must(from.room);
  const auto lacks_capacity = builder.must(from.lacks_capacity);
  const auto forbidden = builder.must(from.forbidden);
  const auto obstacles = builder.must_all(from.obstacles, write_obstacle);
  return wire::CreateHeadroom(builder, room, lacks_capacity, forbidden, obstacles);
}

inline flatbuffers::Offset<wire::Driver> write_driver(Builder& builder, const Driver& from) {
  return wire::CreateDriver(builder, static_cast<wire::DriverKind>(from.kind), from.resource, from.period, from.app, from.nodes, from.cost);
}

inline flatbuffers::Offset<wire::ResourceUse> write_resource_use(Builder& builder, const ResourceUse& from) {
  return wire::CreateResourceUse(builder, from.resource, from.peak_period, from.demand, from.capacity, from.stranded);
}

inline flatbuffers::Offset<wire::CloseNode> write_close_node(Builder& builder, const CloseNode& from) {
  const auto obstacles = builder.must_all(from.obstacles, write_obstacle);
  return wire::CreateCloseNode(builder, from.node, from.node_class, obstacles, from.distance, from.listed);
}

inline flatbuffers::Offset<wire::Relaxation> write_relaxation(Builder& builder, const Relaxation& from) {
  return wire::CreateRelaxation(builder, static_cast<wire::RelaxationKind>(from.kind), from.node, from.node_class, from.beside, from.app, from.resource, from.amount, from.rule, from.condition, from.tag, from.suffering_kind, from.listed);
}

inline flatbuffers::Offset<wire::AppExplanation> write_app_explanation(Builder& builder, const AppExplanation& from) {
  const auto closest = builder.must_all(from.closest, write_close_node);
  const auto relaxations = builder.must_all(from.relaxations, write_relaxation);
  return wire::CreateAppExplanation(builder, from.app, from.unplaced, from.open_nodes, from.blocked_by_capacity, from.blocked_by_limits, from.blocked_by_both, closest, relaxations);
}

inline flatbuffers::Offset<wire::Suffering> write_suffering(Builder& builder, const WorstOff& from) {
  const auto from_kind = builder.must(from.from_kind);
  return wire::CreateSuffering(builder, from.node, from.app, from.cost, from_kind, from.moving, from.to, from.cost_after, from.cost_there);
}

inline flatbuffers::Offset<wire::Explanation> write_explanation(Builder& builder, const Explanation& from, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> overridden, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> overridden_by) {
  const auto drivers = builder.must_all(from.drivers, write_driver);
  const auto resources = builder.must_all(from.resources, write_resource_use);
  const auto apps = builder.must_all(from.apps, write_app_explanation);
  const auto suffering = builder.some(from.suffering, write_suffering);
  return wire::CreateExplanation(builder, from.nodes, from.node_bound, drivers, resources, apps, overridden, overridden_by, suffering, from.cost_bound);
}

inline flatbuffers::Offset<wire::Violation> write_violation(Builder& builder, const Violation& from) {
  const auto what = builder.put(from.what);
  return wire::CreateViolation(builder, static_cast<wire::ViolationKind>(from.kind), from.inherited, from.node, from.app, from.other, from.resource, from.period, from.amount, from.limit, what);
}

inline flatbuffers::Offset<wire::RuleViolation> write_rule_violation(Builder& builder, const RuleViolation& from) {
  return wire::CreateRuleViolation(builder, from.rule, from.hard, from.inherited, from.node, from.app, from.replicas, from.extent, from.amount, from.limit, from.weight);
}

inline flatbuffers::Offset<wire::Verification> write_verification(Builder& builder, const Verification& from, flatbuffers::Offset<wire::ClusterMetrics> metrics) {
  const auto violations = builder.must_all(from.violations, write_violation);
  const auto utilization = builder.must(from.utilization);
  const auto rule_violations = builder.must_all(from.rule_violations, write_rule_violation);
  const auto node_max_cost = builder.put(from.node_max_cost);
  return wire::CreateVerification(builder, from.ok, from.nodes, from.placed, from.unplaced, from.cost, from.violation_count, from.inherited_count, violations, utilization, from.ucac, metrics, rule_violations, from.max_cost, from.total_cost, node_max_cost);
}

inline flatbuffers::Offset<wire::Bound> write_bound(Builder& builder, const Bound& from) {
  const auto name = builder.must(from.name);
  return wire::CreateBound(builder, name, from.value, from.resource, from.period);
}

inline flatbuffers::Offset<wire::Note> write_note(Builder& builder, const Note& from) {
  const auto text = builder.put(from.text);
  return wire::CreateNote(builder, static_cast<wire::NoteCode>(from.code), text);
}

inline flatbuffers::Offset<wire::ReachedGoal> write_reached_goal(Builder& builder, const ReachedGoal& from) {
  return wire::CreateReachedGoal(builder, static_cast<std::uint8_t>(from.what), from.resource, from.beside, from.weight, from.tolerance, from.value, from.bound, from.proven);
}

inline flatbuffers::Offset<wire::TracedPart> write_traced_part(Builder& builder, const TracedPart& from) {
  const auto name = builder.must(from.name);
  return wire::CreateTracedPart(builder, name, from.calls, from.gains, from.work);
}

inline flatbuffers::Offset<wire::Plan> write_plan(Builder& builder, const Plan& from, const std::vector<wire::LeftOver>& left_over_bound, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> node_class, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> listed, flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> copies) {
  const auto placed = builder.must_column<wire::Placed>(from.placed);
  const auto unplaced = builder.must_column<wire::Unplaced>(from.unplaced);
  const auto planner = builder.must(from.planner);
  const auto node_bound = builder.some(from.bounds[Objective::kNodes], write_bound);
  const auto cost_bound = builder.some(from.bounds[Objective::kCost], write_bound);
  const auto ucac_bound = builder.some(from.bounds[Objective::kUcac], write_bound);
  const auto max_cost_bound = builder.some(from.bounds[Objective::kWorst], write_bound);
  const auto total_cost_bound = builder.some(from.bounds[Objective::kTotal], write_bound);
  const auto left_out_bound = builder.some(from.bounds[Objective::kAdmitted], write_bound);
  const auto remote_traffic_bound = builder.some(from.bounds[Objective::kTraffic], write_bound);
  const auto node_max_cost = builder.put(from.node_max_cost);
  const auto node_ucac = builder.put(from.node_ucac);
  const auto notes = builder.all(from.notes, write_note);
  const auto left_over_bound_at = builder.column<wire::LeftOver>(left_over_bound);
  const auto reserved = builder.column<wire::Placed>(from.reserved);
  const auto unreserved = builder.column<wire::Unplaced>(from.unreserved);
  const auto survive = builder.put(from.survive);
  const auto leave_free = builder.put(from.leave_free);
  const auto goals = builder.all(from.goals, write_reached_goal);
  const auto trace = builder.all(from.trace, write_traced_part);
  return wire::CreatePlan(builder, 1, from.instance, planner, static_cast<wire::PlanStatus>(from.status), from.seed, from.work, node_class, listed, placed, unplaced, node_bound, from.gap, from.cost, cost_bound, from.inherited_violations, from.moves, from.ucac, from.ucac_resource, ucac_bound, node_ucac, static_cast<std::uint8_t>(from.objective), from.rule_costs.violations, from.rule_costs.replicas, from.rule_costs.extent, from.rule_costs.weight, from.rule_costs.cost, from.has_score, from.score, from.score_bound, from.score_gap, from.pace, copies, static_cast<std::uint8_t>(from.soft), from.soft_price, from.fill, notes, left_over_bound_at, from.places_most, from.max_cost, max_cost_bound, from.total_cost, total_cost_bound, node_max_cost, from.max_cost_limit, from.left_out, left_out_bound, from.remote_traffic, remote_traffic_bound, reserved, unreserved, survive, from.not_survived, leave_free, from.domains_in_use, from.domain_bound, goals, trace);
}

inline flatbuffers::Offset<wire::Session> write_session(Builder& builder, const SessionExtra& from) {
  const auto node_state = builder.must_column<wire::NodeState>(from.node_state);
  const auto class_number = builder.must(from.class_number);
  const auto waiting_pins = builder.column<wire::Residence>(from.waiting_pins);
  const auto waiting_limit_begin = builder.put(from.waiting_limit_begin);
  const auto waiting_limit_app = builder.put(from.waiting_limit_app);
  const auto waiting_limit_at_most = builder.put(from.waiting_limit_at_most);
  return wire::CreateSession(builder, from.version, node_state, class_number, waiting_pins, waiting_limit_begin, waiting_limit_app, waiting_limit_at_most);
}

inline flatbuffers::Offset<wire::Interference> write_interference(Builder& builder, const Interference& from) {
  const auto kinds = builder.put(from.kinds);
  const auto coefficient = builder.must(from.coefficient);
  const auto max_cost = builder.put(from.max_cost);
  return wire::CreateInterference(builder, kinds, coefficient, from.resource, max_cost);
}

inline flatbuffers::Offset<wire::Uncertainty> write_uncertainty(Builder& builder, const Uncertainty& from) {
  return wire::CreateUncertainty(builder, static_cast<wire::ChanceModel>(from.model), from.confidence, from.factor);
}

inline flatbuffers::Offset<wire::AffinityLimits> write_affinity_limits(Builder& builder, const LimitColumns& from) {
  const auto row_begin = builder.must(from.row_begin);
  const auto app = builder.must(from.app);
  const auto at_most = builder.must(from.at_most);
  return wire::CreateAffinityLimits(builder, row_begin, app, at_most);
}

inline flatbuffers::Offset<wire::Nodes> write_nodes(Builder& builder, const InstanceData& from) {
  const auto node_class = builder.must(from.node_class);
  const auto names = builder.put(from.node_names);
  const auto load = builder.put(from.load);
  const auto load_variance = builder.put(from.load_variance);
  const auto closed = builder.put(from.closed);
  const auto tag_begin = builder.put(from.node_tags.begin);
  const auto tag_index = builder.put(from.node_tags.index);
  const auto daemon = builder.put(from.daemon);
  return wire::CreateNodes(builder, node_class, names, load, load_variance, closed, tag_begin, tag_index, daemon);
}

inline flatbuffers::Offset<wire::Resource> write_resource(Builder& builder, const Resource& from) {
  const auto name = builder.must(from.name);
  const auto unit = builder.put(from.unit);
  return wire::CreateResource(builder, name, unit, from.device);
}

inline flatbuffers::Offset<wire::Apps> write_apps(Builder& builder, const InstanceData& from) {
  const auto names = builder.put(from.app_names);
  const auto replicas = builder.must(from.replicas);
  const auto demand = builder.must(from.demand);
  const auto priority = builder.put(from.priority);
  const auto variance = builder.put(from.variance);
  const auto support_min = builder.put(from.support_min);
  const auto support_max = builder.put(from.support_max);
  const auto kind = builder.put(from.kind);
  const auto tag_begin = builder.put(from.app_tags.begin);
  const auto tag_index = builder.put(from.app_tags.index);
  const auto weight = builder.put(from.weight);
  const auto only_begin = builder.put(from.app_only.begin);
  const auto only_index = builder.put(from.app_only.index);
  const auto not_begin = builder.put(from.app_not.begin);
  const auto not_index = builder.put(from.app_not.index);
  return wire::CreateApps(builder, names, replicas, demand, priority, variance, support_min, support_max, kind, tag_begin, tag_index, weight, only_begin, only_index, not_begin, not_index);
}

inline flatbuffers::Offset<wire::NodeClass> write_node_class(Builder& builder, const NodeClass& from) {
  const auto name = builder.put(from.name);
  const auto capacity = builder.must(from.capacity);
  const auto labels = builder.put(from.labels);
  const auto daemon = builder.put(from.daemon);
  return wire::CreateNodeClass(builder, name, capacity, from.count, from.price, labels, daemon);
}

inline flatbuffers::Offset<wire::NodeGroup> write_node_group(Builder& builder, const NodeGroup& from) {
  const auto name = builder.must(from.name);
  const auto set_begin = builder.put(from.sets.begin);
  const auto node = builder.put(from.sets.index);
  const auto set_names = builder.put(from.set_names);
  const auto by_label = builder.put(from.by_label);
  return wire::CreateNodeGroup(builder, name, set_begin, node, set_names, by_label);
}

inline flatbuffers::Offset<wire::Cardinality> write_cardinality(Builder& builder, const Cardinality& from) {
  const auto subject = builder.must(from.subject);
  const auto target = builder.put(from.target);
  return wire::CreateCardinality(builder, static_cast<wire::CardinalityKind>(from.kind), subject, target, from.min, from.max, from.group, from.negated);
}

inline flatbuffers::Offset<wire::Conjunction> write_conjunction(Builder& builder, const std::vector<Cardinality>& from) {
  const auto all_of = builder.must_all(from, write_cardinality);
  return wire::CreateConjunction(builder, all_of);
}

inline flatbuffers::Offset<wire::PlacementRule> write_placement_rule(Builder& builder, const PlacementRule& from) {
  const auto any_of = builder.must_all(from.any_of, write_conjunction);
  const auto name = builder.put(from.name);
  return wire::CreatePlacementRule(builder, name, any_of, from.hard, from.weight, static_cast<wire::Origin>(from.from_operator));
}

inline flatbuffers::Offset<wire::Instance> write_instance(Builder& builder, const InstanceData& from, const LimitColumns& limits, const SessionExtra* session) {
  const auto name = builder.put(from.name);
  const auto resources = builder.must_all(from.resources, write_resource);
  const auto apps = write_apps(builder, from);
  const auto classes = builder.must_all(from.classes, write_node_class);
  const auto nodes_at = !from.node_class.empty() || !from.node_tags.empty() ? write_nodes(builder, from) : flatbuffers::Offset<wire::Nodes>();
  const auto limits_at = !limits.app.empty() ? write_affinity_limits(builder, limits) : flatbuffers::Offset<wire::AffinityLimits>();
  const auto running = builder.column<wire::Residence>(from.running);
  const auto pinned = builder.column<wire::Residence>(from.pinned);
  const auto tags = builder.put(from.tags);
  const auto groups = builder.all(from.groups, write_node_group);
  const auto rules = builder.all(from.rules, write_placement_rule);
  const auto uncertainty_at = from.has_uncertainty ? write_uncertainty(builder, from.uncertainty) : flatbuffers::Offset<wire::Uncertainty>();
  const auto interference_at = from.has_interference ? write_interference(builder, from.interference) : flatbuffers::Offset<wire::Interference>();
  const auto traffic = builder.column<wire::Traffic>(from.traffic);
  const auto session_at = session != nullptr ? write_session(builder, *session) : flatbuffers::Offset<wire::Session>();
  return wire::CreateInstance(builder, 1, name, resources, from.periods, apps, classes, nodes_at, limits_at, running, pinned, tags, groups, rules, uncertainty_at, interference_at, session_at, traffic);
}

inline std::uint64_t size_of_session(const SessionExtra& from) {
  return 86 + size_of(from.node_state) + size_of(from.class_number) + size_of(from.waiting_pins) + size_of(from.waiting_limit_begin) + size_of(from.waiting_limit_app) + size_of(from.waiting_limit_at_most);
}

inline std::uint64_t size_of_interference(const Interference& from) {
  return 56 + size_of(from.kinds) + size_of(from.coefficient) + size_of(from.max_cost);
}

inline std::uint64_t size_of_affinity_limits(const LimitColumns& from) {
  return 46 + size_of(from.row_begin) + size_of(from.app) + size_of(from.at_most);
}

inline std::uint64_t size_of_nodes(const InstanceData& from) {
  return 96 + size_of(from.node_class) + size_of(from.node_names) + size_of(from.load) + size_of(from.load_variance) + size_of(from.closed) + size_of(from.node_tags.begin) + size_of(from.node_tags.index) + size_of(from.daemon);
}

inline std::uint64_t size_of_resource(const Resource& from) {
  return 46 + size_of(from.name) + size_of(from.unit);
}

inline std::uint64_t size_of_apps(const InstanceData& from) {
  return 166 + size_of(from.app_names) + size_of(from.replicas) + size_of(from.demand) + size_of(from.priority) + size_of(from.variance) + size_of(from.support_min) + size_of(from.support_max) + size_of(from.kind) + size_of(from.app_tags.begin) + size_of(from.app_tags.index) + size_of(from.weight) + size_of(from.app_only.begin) + size_of(from.app_only.index) + size_of(from.app_not.begin) + size_of(from.app_not.index);
}

inline std::uint64_t size_of_node_class(const NodeClass& from) {
  return 76 + size_of(from.name) + size_of(from.capacity) + size_of(from.labels) + size_of(from.daemon);
}

inline std::uint64_t size_of_node_group(const NodeGroup& from) {
  return 66 + size_of(from.name) + size_of(from.sets.begin) + size_of(from.sets.index) + size_of(from.set_names) + size_of(from.by_label);
}

inline std::uint64_t size_of_cardinality(const Cardinality& from) {
  return 86 + size_of(from.subject) + size_of(from.target);
}

inline std::uint64_t size_of_conjunction(const std::vector<Cardinality>& from) {
  return 26 + size_of_all(from, size_of_cardinality);
}

inline std::uint64_t size_of_placement_rule(const PlacementRule& from) {
  return 66 + size_of(from.name) + size_of_all(from.any_of, size_of_conjunction);
}

inline std::uint64_t size_of_instance(const InstanceData& from) {
  return 186 + size_of(from.name) + size_of_all(from.resources, size_of_resource) + size_of_apps(from) + size_of_all(from.classes, size_of_node_class) + size_of(from.running) + size_of(from.pinned) + size_of(from.tags) + size_of_all(from.groups, size_of_node_group) + size_of_all(from.rules, size_of_placement_rule) + size_of(from.traffic);
}

}  // namespace stowage::capi
