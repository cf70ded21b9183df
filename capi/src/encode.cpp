#include <algorithm>

#include "capi/include/stowage.h"
#include "capi/src/codec.h"
#include "capi/src/wire_writer.h"
#include "catalogue_generated.h"
#include "core/plan/compact_plan.h"
#include "core/planners/planner.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::capi {
namespace {

stowage_buffer finish_report(Builder& builder, wire::ReportBody kind, flatbuffers::Offset<void> body) {
  wire::FinishReportBuffer(builder, wire::CreateReport(builder, 1, kind, body));
  return release(builder);
}

flatbuffers::Offset<wire::Bound> encode_bound(Builder& builder, const Bound& bound) {
  return wire::CreateBound(builder, builder.CreateString(bound.name), bound.value, bound.resource, bound.period);
}

// Absent where there is no bound above nothing.
flatbuffers::Offset<flatbuffers::Vector<const wire::LeftOver*>> encode_left_over(Builder& builder, const Plan& plan) {
  if (!plan.left_over_bound || plan.left_over_bound->empty()) return {};
  std::vector<wire::LeftOver> entries;
  for (const auto& [priority, replicas] : plan.left_over_bound->by_priority()) {
    entries.emplace_back(static_cast<std::uint64_t>(replicas), priority);
  }
  return builder.CreateVectorOfStructs(entries);
}

flatbuffers::Offset<flatbuffers::String> text(Builder& builder, std::string_view string) {
  return builder.CreateString(string.data(), string.size());
}

flatbuffers::Offset<wire::Obstacle> encode_obstacle(Builder& builder, const Obstacle& o) {
  return wire::CreateObstacle(builder, static_cast<wire::ObstacleKind>(o.kind), o.resource, o.period, o.other, o.amount,
                              o.limit);
}

flatbuffers::Offset<wire::AppExplanation> encode_app(Builder& builder, const AppExplanation& app) {
  const auto closest = encode_all(builder, app.closest, [&](const CloseNode& node) {
    const auto obstacles = encode_all(builder, node.obstacles, [&](const Obstacle& o) { return encode_obstacle(builder, o); });
    return wire::CreateCloseNode(builder, node.node, node.node_class, obstacles, node.distance);
  });
  const auto relaxations = encode_all(builder, app.relaxations, [&](const Relaxation& r) {
    return wire::CreateRelaxation(builder, static_cast<wire::RelaxationKind>(r.kind), r.node, r.node_class, r.beside, r.app,
                                  r.resource, r.amount, r.rule, r.condition, r.tag, r.suffering_kind);
  });
  return wire::CreateAppExplanation(builder, app.app, app.unplaced, app.open_nodes, app.blocked_by_capacity,
                                    app.blocked_by_limits, app.blocked_by_both, closest, relaxations);
}

}  // namespace

stowage_buffer encode_plan(const Plan& plan) {
  Builder builder(1024 + plan.nodes.size() * 8 + plan.placed.size() * 12 + plan.unplaced.size() * 8);
  const auto node_count = plan.nodes.size();
  std::uint32_t* column = nullptr;
  const auto listed = builder.CreateUninitializedVector(node_count, &column);
  for (std::size_t n = 0; n < node_count; ++n) column[n] = plan.nodes[n].listed;
  const auto node_class = builder.CreateUninitializedVector(node_count, &column);
  for (std::size_t n = 0; n < node_count; ++n) column[n] = plan.nodes[n].node_class;
  flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> copies;
  if (nodes_in_use(plan) != node_count) {
    copies = builder.CreateUninitializedVector(node_count, &column);
    for (std::size_t n = 0; n < node_count; ++n) column[n] = plan.nodes[n].copies;
  }
  static_assert(sizeof(Placed) == sizeof(wire::Placed) && sizeof(Unplaced) == sizeof(wire::Unplaced));
  const auto placed =
      builder.CreateVectorOfStructs(reinterpret_cast<const wire::Placed*>(plan.placed.data()), plan.placed.size());
  const auto unplaced =
      builder.CreateVectorOfStructs(reinterpret_cast<const wire::Unplaced*>(plan.unplaced.data()), plan.unplaced.size());
  const auto planner = builder.CreateString(plan.planner);
  const auto encoded = [&](Objective objective) {
    const std::optional<Bound>& bound = plan.bounds[objective];
    return bound ? encode_bound(builder, *bound) : flatbuffers::Offset<wire::Bound>();
  };
  const auto node_bound = encoded(Objective::kNodes);
  const auto cost_bound = encoded(Objective::kCost);
  const auto ucac_bound = encoded(Objective::kUcac);
  const auto max_cost_bound = encoded(Objective::kWorst);
  const auto total_cost_bound = encoded(Objective::kTotal);
  const auto left_out_bound = encoded(Objective::kAdmitted);
  const auto remote_traffic_bound = encoded(Objective::kTraffic);
  flatbuffers::Offset<flatbuffers::Vector<double>> node_max_cost;
  if (!plan.node_max_cost.empty()) node_max_cost = builder.CreateVector(plan.node_max_cost);
  flatbuffers::Offset<flatbuffers::Vector<double>> node_ucac;
  if (!plan.node_ucac.empty()) node_ucac = builder.CreateVector(plan.node_ucac);
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::Note>>> notes;
  if (!plan.notes.empty()) {
    notes = encode_all(builder, plan.notes, [&](const Note& note) {
      return wire::CreateNote(builder, static_cast<wire::NoteCode>(note.code), builder.CreateString(note.text));
    });
  }
  const auto left_over_bound = encode_left_over(builder, plan);
  const auto structs = [&]<class To, class From>(const std::vector<From>& from) {
    return from.empty() ? flatbuffers::Offset<flatbuffers::Vector<const To*>>()
                        : builder.CreateVectorOfStructs(reinterpret_cast<const To*>(from.data()), from.size());
  };
  const auto reserved = structs.operator()<wire::Placed>(plan.reserved);
  const auto unreserved = structs.operator()<wire::Unplaced>(plan.unreserved);
  const auto survive = plan.survive.empty() ? 0 : builder.CreateString(plan.survive);
  const auto leave_free = plan.leave_free.empty() ? 0 : builder.CreateString(plan.leave_free);
  wire::FinishPlanBuffer(
      builder, wire::CreatePlan(
                   builder, 1, plan.instance, planner, static_cast<wire::PlanStatus>(plan.status), plan.seed, plan.work,
                   node_class, listed, placed, unplaced, node_bound, plan.gap, plan.cost, cost_bound, plan.inherited_violations,
                   plan.moves, plan.ucac, plan.ucac_resource, ucac_bound, node_ucac, static_cast<std::uint8_t>(plan.objective),
                   plan.rule_costs.violations, plan.rule_costs.replicas, plan.rule_costs.extent, plan.rule_costs.weight,
                   plan.rule_costs.cost, plan.has_score, plan.score, plan.score_bound, plan.score_gap, plan.pace, copies,
                   static_cast<std::uint8_t>(plan.soft), plan.soft_price, plan.fill, notes, left_over_bound, plan.places_most,
                   plan.max_cost, max_cost_bound, plan.total_cost, total_cost_bound, node_max_cost, plan.max_cost_limit,
                   plan.left_out, left_out_bound, plan.remote_traffic, remote_traffic_bound, reserved, unreserved, survive,
                   plan.not_survived, leave_free, plan.domains_in_use, plan.domain_bound));
  return release(builder);
}

stowage_buffer encode_verification(const Verification& v) {
  Builder builder;
  const auto violations = encode_all(builder, v.violations, [&](const Violation& x) {
    flatbuffers::Offset<flatbuffers::String> what;
    if (!x.what.empty()) what = builder.CreateString(x.what);
    return wire::CreateViolation(builder, static_cast<wire::ViolationKind>(x.kind), x.inherited, x.node, x.app, x.other,
                                 x.resource, x.period, x.amount, x.limit, what);
  });
  const auto utilization = builder.CreateVector(v.utilization);
  const auto imbalance = builder.CreateVector(v.metrics.imbalance);
  const auto metrics = wire::CreateClusterMetrics(builder, v.metrics.applications, v.metrics.applications_placed,
                                                  v.metrics.nodes, v.metrics.nodes_used, v.metrics.fragmented_nodes, imbalance,
                                                  v.rule_costs.violations, v.rule_costs.replicas, v.rule_costs.extent,
                                                  v.rule_costs.weight, std::max(0.0, v.rule_costs.cost));
  const auto rule_violations = encode_all(builder, v.rule_violations, [&](const RuleViolation& x) {
    return wire::CreateRuleViolation(builder, x.rule, x.hard, x.inherited, x.node, x.app, x.replicas, x.extent, x.amount,
                                     x.limit, x.weight);
  });
  const auto node_max_cost = v.node_max_cost.empty() ? 0 : builder.CreateVector(v.node_max_cost);
  const auto body = wire::CreateVerification(builder, v.ok, v.nodes, v.placed, v.unplaced, v.cost, v.violation_count,
                                             v.inherited_count, violations, utilization, v.ucac, metrics, rule_violations,
                                             v.max_cost, v.total_cost, node_max_cost);
  return finish_report(builder, wire::ReportBody::Verification, body.Union());
}

stowage_buffer encode_explanation(const Explanation& e) {
  Builder builder;
  const auto drivers = encode_all(builder, e.drivers, [&](const Driver& d) {
    return wire::CreateDriver(builder, static_cast<wire::DriverKind>(d.kind), d.resource, d.period, d.app, d.nodes);
  });
  const auto resources = encode_all(builder, e.resources, [&](const ResourceUse& r) {
    return wire::CreateResourceUse(builder, r.resource, r.peak_period, r.demand, r.capacity, r.stranded);
  });
  const auto apps = encode_all(builder, e.apps, [&](const AppExplanation& app) { return encode_app(builder, app); });
  std::vector<std::uint32_t> overridden;
  std::vector<std::uint32_t> overridden_by;
  for (const RuleConflict& conflict : e.conflicts) {
    overridden.push_back(conflict.rule);
    overridden_by.push_back(conflict.other);
  }
  const auto rules = builder.CreateVector(overridden);
  const auto others = builder.CreateVector(overridden_by);
  flatbuffers::Offset<wire::Suffering> suffering;
  if (const auto& s = e.suffering; s) {
    suffering = wire::CreateSuffering(builder, s->node, s->app, s->cost, builder.CreateVector(s->from_kind), s->moving, s->to,
                                      s->cost_after, s->cost_there);
  }
  const auto body = wire::CreateExplanation(builder, e.nodes, e.node_bound, drivers, resources, apps, rules, others, suffering);
  return finish_report(builder, wire::ReportBody::Explanation, body.Union());
}

stowage_buffer encode_headroom(const Headroom& h) {
  Builder builder;
  const auto room = builder.CreateVector(h.room);
  const auto lacks_capacity = builder.CreateVector(h.lacks_capacity);
  const auto forbidden = builder.CreateVector(h.forbidden);
  const auto obstacles = encode_all(builder, h.obstacles, [&](const Obstacle& o) { return encode_obstacle(builder, o); });
  const auto body = wire::CreateHeadroom(builder, room, lacks_capacity, forbidden, obstacles);
  return finish_report(builder, wire::ReportBody::Headroom, body.Union());
}

stowage_buffer encode_headroom_of_apps(const HeadroomOfApps& h) {
  Builder builder;
  const auto room = builder.CreateVector(h.room);
  const auto nodes = builder.CreateVector(h.nodes);
  const auto most = builder.CreateVector(h.most);
  const auto spare_room = builder.CreateVector(h.spare_room);
  const auto coupled = builder.CreateVector(h.coupled);
  const auto body = wire::CreateHeadroomOfApps(builder, room, nodes, most, spare_room, coupled);
  return finish_report(builder, wire::ReportBody::HeadroomOfApps, body.Union());
}

stowage_buffer encode_losses(const std::vector<Loss>& losses) {
  Builder builder;
  const auto all = encode_all(builder, losses, [&](const Loss& loss) {
    std::vector<std::uint32_t> app;
    std::vector<std::uint32_t> to;
    std::vector<std::uint32_t> count;
    for (const Loss::Entry& entry : loss.entries) {
      app.push_back(entry.app);
      to.push_back(entry.to);
      count.push_back(entry.replicas);
    }
    const auto name = builder.CreateString(loss.domain.name);
    const auto nodes = builder.CreateVector(loss.domain.nodes);
    const auto apps = builder.CreateVector(app);
    const auto targets = builder.CreateVector(to);
    const auto counts = builder.CreateVector(count);
    return wire::CreateLoss(builder, name, nodes, loss.replicas, loss.left, apps, targets, counts, loss.short_resource,
                            loss.short_period, loss.short_amount);
  });
  const auto body = wire::CreateLosses(builder, all);
  return finish_report(builder, wire::ReportBody::Losses, body.Union());
}

stowage_buffer encode_move_order(const MoveOrder& order) {
  std::vector<std::uint32_t> wave_ends;
  for (const std::vector<Move>& wave : order.waves) {
    wave_ends.push_back((wave_ends.empty() ? 0 : wave_ends.back()) + static_cast<std::uint32_t>(wave.size()));
  }
  const std::size_t ordered = wave_ends.empty() ? 0 : wave_ends.back();
  Builder builder(1024 + (ordered + order.stuck.size()) * sizeof(wire::Move) + wave_ends.size() * sizeof(std::uint32_t));
  wire::Move* moves = nullptr;
  const auto write = [&](const std::vector<Move>& list) {
    for (const Move& move : list) *moves++ = wire::Move(move.app, move.from, move.to, move.detour);
  };
  const auto all = builder.CreateUninitializedVectorOfStructs(ordered, &moves);
  for (const std::vector<Move>& wave : order.waves) write(wave);
  const auto ends = builder.CreateVector(wave_ends);
  const auto left = builder.CreateUninitializedVectorOfStructs(order.stuck.size(), &moves);
  write(order.stuck);
  const auto body = wire::CreateMoveOrder(builder, all, ends, left, order.moves, order.detours, order.least_waves);
  return finish_report(builder, wire::ReportBody::MoveOrder, body.Union());
}

stowage_buffer encode_bounds(const ComputedBounds& bounds) {
  Builder builder;
  std::vector<ComputedBound> all;
  for (const Objective objective :
       {Objective::kNodes, Objective::kCost, Objective::kUcac, Objective::kWorst, Objective::kTotal, Objective::kTraffic}) {
    all.insert(all.end(), bounds.of[objective].begin(), bounds.of[objective].end());
  }
  const auto entries = encode_all(builder, all, [&](const ComputedBound& b) {
    const auto name = text(builder, b.info->name);
    const auto objective = text(builder, info_of(b.info->objective).name);
    const auto source = text(builder, b.info->source);
    return wire::CreateBoundEntry(builder, name, objective, b.value.value, b.value.resource, b.value.period, source);
  });
  return finish_report(builder, wire::ReportBody::Bounds, wire::CreateBounds(builder, entries).Union());
}

stowage_buffer encode_catalogue() {
  Builder builder;
  std::vector<flatbuffers::Offset<wire::PlannerInfo>> entries;
  for (const PlannerInfo& info : planners()) {
    std::vector<flatbuffers::Offset<wire::OptionInfo>> options;
    for (const OptionInfo& o : info.options) {
      const auto name = text(builder, o.name);
      const auto summary = text(builder, o.summary);
      options.push_back(wire::CreateOptionInfo(builder, name, summary, o.default_number, o.min, o.max));
    }
    std::vector<flatbuffers::Offset<flatbuffers::String>> honours;
    for (FeatureSet bit = 1; bit < static_cast<FeatureSet>(Feature::kEnd); bit <<= 1) {
      if ((info.honours & bit) != 0) honours.push_back(text(builder, feature_name(static_cast<Feature>(bit))));
    }
    std::vector<flatbuffers::Offset<flatbuffers::String>> objectives;
    for (const ObjectiveInfo& objective : objective_table()) {
      if (info.pursues.contains(objective.objective)) objectives.push_back(text(builder, objective.name));
    }
    const auto objective_list = builder.CreateVector(objectives);
    const auto name = builder.CreateString(info.name);
    const auto summary = builder.CreateString(info.summary);
    const auto source = builder.CreateString(info.source);
    const auto complexity = builder.CreateString(info.complexity);
    const auto option_list = builder.CreateVector(options);
    const auto honour_list = builder.CreateVector(honours);
    entries.push_back(wire::CreatePlannerInfo(builder, name, summary, source, complexity, option_list, honour_list,
                                              info.default_deadline_ms, objective_list, info.needs_solver));
  }
  const auto list = builder.CreateVector(entries);
  const auto version = builder.CreateString(stowage_version());
  wire::FinishCatalogueBuffer(builder, wire::CreateCatalogue(builder, 1, version, list));
  return release(builder);
}

}  // namespace stowage::capi
