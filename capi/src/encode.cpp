#include <algorithm>

#include "capi/include/stowage.h"
#include "capi/src/codec.h"
#include "capi/src/wire/fields.h"
#include "capi/src/wire_writer.h"
#include "catalogue_generated.h"
#include "core/plan/compact_plan.h"
#include "core/planners/planner.h"

namespace stowage::capi {
namespace {

stowage_buffer finish_report(Builder& builder, wire::ReportBody kind, flatbuffers::Offset<void> body) {
  wire::FinishReportBuffer(builder, wire::CreateReport(builder, 1, kind, body));
  return release(builder);
}

std::vector<wire::LeftOver> left_over_of(const Plan& plan) {
  std::vector<wire::LeftOver> entries;
  if (!plan.left_over_bound) return entries;
  for (const auto& [priority, replicas] : plan.left_over_bound->by_priority()) {
    entries.emplace_back(static_cast<std::uint64_t>(replicas), priority);
  }
  return entries;
}

Text text(Builder& builder, std::string_view string) { return builder.CreateString(string.data(), string.size()); }

}  // namespace

stowage_buffer encode_plan(const Plan& plan) {
  // To grow by copying takes longer than to write.
  Builder builder(1024 + plan.nodes.size() * 12 + (plan.placed.size() + plan.reserved.size()) * 12 + plan.unplaced.size() * 8 +
                  (plan.node_ucac.size() + plan.node_max_cost.size()) * 8);
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
  wire::FinishPlanBuffer(builder, write_plan(builder, plan, left_over_of(plan), node_class, listed, copies));
  return release(builder);
}

stowage_buffer encode_verification(const Verification& v) {
  Builder builder;
  const auto imbalance = builder.must(v.metrics.imbalance);
  const auto metrics = wire::CreateClusterMetrics(builder, v.metrics.applications, v.metrics.applications_placed,
                                                  v.metrics.nodes, v.metrics.nodes_used, v.metrics.fragmented_nodes, imbalance,
                                                  v.rule_costs.violations, v.rule_costs.replicas, v.rule_costs.extent,
                                                  v.rule_costs.weight, std::max(0.0, v.rule_costs.cost));
  const auto body = write_verification(builder, v, metrics);
  return finish_report(builder, wire::ReportBody::Verification, body.Union());
}

stowage_buffer encode_explanation(const Explanation& e) {
  Builder builder;
  std::vector<std::uint32_t> overridden;
  std::vector<std::uint32_t> overridden_by;
  for (const RuleConflict& conflict : e.conflicts) {
    overridden.push_back(conflict.rule);
    overridden_by.push_back(conflict.other);
  }
  const auto rules = builder.must(overridden);
  const auto others = builder.must(overridden_by);
  const auto body = write_explanation(builder, e, rules, others);
  return finish_report(builder, wire::ReportBody::Explanation, body.Union());
}

stowage_buffer encode_headroom(const Headroom& h) {
  Builder builder;
  return finish_report(builder, wire::ReportBody::Headroom, write_headroom(builder, h).Union());
}

stowage_buffer encode_headroom_of_apps(const HeadroomOfApps& h) {
  Builder builder;
  return finish_report(builder, wire::ReportBody::HeadroomOfApps, write_headroom_of_apps(builder, h).Union());
}

stowage_buffer encode_losses(const std::vector<Loss>& losses) {
  Builder builder;
  const auto all = builder.must_all(losses, [](Builder& to, const Loss& loss) {
    std::vector<std::uint32_t> apps;
    std::vector<std::uint32_t> targets;
    std::vector<std::uint32_t> counts;
    for (const Loss::Entry& entry : loss.entries) {
      apps.push_back(entry.app);
      targets.push_back(entry.to);
      counts.push_back(entry.replicas);
    }
    return write_loss(to, loss, to.must(apps), to.must(targets), to.must(counts));
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
  const auto entries = builder.must_all(all, [](Builder& to, const ComputedBound& b) {
    const auto name = text(to, b.info->name);
    const auto objective = text(to, info_of(b.info->objective).name);
    const auto source = text(to, b.info->source);
    return wire::CreateBoundEntry(to, name, objective, b.value.value, b.value.resource, b.value.period, source);
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
