#include <algorithm>
#include <optional>

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/words/judged.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

void write_obstacle(JsonWriter& json, const wire::Obstacle& obstacle, const Names& names) {
  json.begin_object().key("kind").text(wire::EnumNameObstacleKind(obstacle.kind()));
  if (obstacle.resource() != kNone) json.key("resource").text(names.resource(obstacle.resource()));
  if (obstacle.period() != kNone) json.key("period").whole(obstacle.period());
  if (obstacle.kind() == wire::ObstacleKind::PlacementRule) {
    json.key("rule").text(names.rule(obstacle.other()));
  } else if (obstacle.kind() == wire::ObstacleKind::Eligibility) {
    json.key("tag").text(names.tag(obstacle.other()));
  } else if (obstacle.kind() == wire::ObstacleKind::SideEffects) {
    json.key("suffering_kind").text(names.kind(obstacle.other()));
  } else if (obstacle.other() != kNone) {
    json.key("other").text(names.app(obstacle.other()));
  }
  json.key("amount").number(obstacle.amount()).key("limit").number(obstacle.limit()).end_object();
}

void write_relaxation(JsonWriter& json, const wire::Relaxation& relaxation, const Names& names,
                      const std::vector<std::string>& nodes) {
  json.begin_object().key("kind").text(wire::EnumNameRelaxationKind(relaxation.kind()));
  if (relaxation.node() < nodes.size()) json.key("node").text(nodes[relaxation.node()]);
  if (relaxation.listed() != kNone) json.key("node").text(names.listed(relaxation.listed()));
  if (relaxation.node_class() != kNone) json.key("class").text(names.node_class(relaxation.node_class()));
  if (relaxation.beside() != kNone) json.key("beside").text(names.app(relaxation.beside()));
  if (relaxation.app() != kNone) json.key("app").text(names.app(relaxation.app()));
  if (relaxation.resource() != kNone) json.key("resource").text(names.resource(relaxation.resource()));
  if (relaxation.rule() != kNone) json.key("rule").text(names.rule(relaxation.rule()));
  if (relaxation.condition() != kNone) json.key("condition").whole(relaxation.condition());
  if (relaxation.suffering_kind() != kNone) json.key("suffering_kind").text(names.kind(relaxation.suffering_kind()));
  if (relaxation.tag() != kNone) json.key("tag").text(names.tag(relaxation.tag()));
  json.key("amount").number(relaxation.amount()).end_object();
}

void write_app(JsonWriter& json, const wire::AppExplanation& app, const Names& names, const std::vector<std::string>& nodes) {
  json.begin_object();
  json.key("app").text(names.app(app.app()));
  json.key("unplaced").whole(app.unplaced());
  json.key("open_nodes").whole(app.open_nodes());
  json.key("blocked_by_capacity").whole(app.blocked_by_capacity());
  json.key("blocked_by_limits").whole(app.blocked_by_limits());
  json.key("blocked_by_both").whole(app.blocked_by_both());
  json.list("closest", app.closest(), [&](const wire::CloseNode* close) {
    json.begin_object();
    if (close->node() < nodes.size()) json.key("node").text(nodes[close->node()]);
    if (close->listed() != kNone) json.key("node").text(names.listed(close->listed()));
    json.key("class").text(names.node_class(close->node_class()));
    json.key("distance").number(close->distance());
    json.list("obstacles", close->obstacles(), [&](const wire::Obstacle* obstacle) { write_obstacle(json, *obstacle, names); })
        .end_object();
  });
  json.list("relaxations", app.relaxations(), [&](const wire::Relaxation* one) { write_relaxation(json, *one, names, nodes); })
      .end_object();
}

void write_suffering(JsonWriter& json, const wire::Suffering& suffering, const Names& names,
                     const std::vector<std::string>& nodes) {
  json.key("suffering").begin_object();
  json.key("app").text(names.app(suffering.app()));
  if (suffering.node() < nodes.size()) json.key("node").text(nodes[suffering.node()]);
  json.key("cost").number(suffering.cost()).key("from_kind").begin_object();
  for (std::uint32_t kind = 0; suffering.from_kind() != nullptr && kind < suffering.from_kind()->size(); ++kind) {
    json.key(names.kind(kind)).number(suffering.from_kind()->Get(kind));
  }
  json.end_object();
  if (suffering.moving() != kNone) {
    json.key("move").begin_object();
    json.key("app").text(names.app(suffering.moving()));
    if (suffering.to() < nodes.size()) json.key("to").text(nodes[suffering.to()]);
    json.key("cost_after").number(suffering.cost_after()).key("cost_there").number(suffering.cost_there()).end_object();
  }
  json.key("text").text(suffering_text(suffering, names, nodes)).end_object();
}

void print_json(const wire::Explanation& explanation, const wire::Verification& verification, const wire::Plan& plan,
                const Names& names, const std::vector<std::string>& nodes, double bound, const Console& console) {
  JsonObject json(console.out);
  json.key("nodes").whole(explanation.nodes());
  const bool priced = plan.cost() >= 0;
  const auto known = [](double least) { return least > 0 ? std::optional(least) : std::nullopt; };
  json.number_or_null("node_bound", known(std::max(explanation.node_bound(), priced ? 0 : bound)));
  if (priced)
    json.key("cost").number(plan.cost()).number_or_null("cost_bound", known(std::max(explanation.cost_bound(), bound)));
  json.list("drivers", explanation.drivers(), [&](const wire::Driver* driver) {
    json.begin_object().key("kind").text(wire::EnumNameDriverKind(driver->kind()));
    if (driver->resource() != kNone) json.key("resource").text(names.resource(driver->resource()));
    if (driver->period() != kNone) json.key("period").whole(driver->period());
    if (driver->app() != kNone) json.key("app").text(names.app(driver->app()));
    json.key("nodes").number(driver->nodes());
    if (driver->cost() >= 0) json.key("cost").number(driver->cost());
    json.key("text").text(driver_text(*driver, names)).end_object();
  });
  json.list("resources", explanation.resources(), [&](const wire::ResourceUse* use) {
    json.begin_object();
    json.key("resource").text(names.resource(use->resource())).key("peak_period").whole(use->peak_period());
    json.key("demand").number(use->demand()).key("capacity").number(use->capacity());
    json.key("stranded").number(use->stranded()).end_object();
  });
  write_left_over(json, plan);
  json.list("apps", explanation.apps(), [&](const wire::AppExplanation* app) { write_app(json, *app, names, nodes); });
  json.key("overridden_rules").begin_array();
  for_each_overridden(explanation, [&](std::uint32_t rule, std::uint32_t other) {
    json.begin_object().key("rule").text(names.rule(rule)).key("by").text(names.rule(other)).end_object();
  });
  json.end_array();
  write_rule_violations(json, verification, names, nodes);
  if (const wire::Suffering* suffering = explanation.suffering(); suffering != nullptr) {
    write_suffering(json, *suffering, names, nodes);
  }
  json.print();
}

}  // namespace

int run_explain_command(const ExplainCommand& command, const Console& console) {
  const Workload workload = load_workload(command.file, command.node, console, command.scales);
  const std::uint32_t app = command.app ? Names(workload.root()).find_app(*command.app, "--app") : STOWAGE_ALL_UNPLACED;
  std::optional<PlanBytes> read;
  PlanRun run;
  if (command.plan) {
    read = plan_in(*command.plan, workload);
  } else {
    run = run_plan(workload, command.request, console);
  }
  const std::span<const std::uint8_t> bytes = read ? read->bytes() : run.plan.span();
  const auto time = command.request.deadline_ms > 0 ? time_for_reasons(command.request) : kMostForReasons;
  const auto report = explain_plan(workload.instance, bytes, app, time, console);
  const Names names(workload.root(), command.summary);
  const wire::Plan& plan = *wire::GetPlan(bytes.data());
  const std::vector<std::string> nodes = names.plan_nodes(plan);
  const auto verified = verify_plan(workload.instance, bytes);
  // A plan from elsewhere may have no bound of its own.
  const double bound = bound_of(plan) == nullptr ? best_bound(workload.instance, plan.cost() >= 0) : 0;
  command.summary == Summary::kJson ? print_json(report.body(), verified.body(), plan, names, nodes, bound, console)
                                    : print_explanation(console, report.body(), verified.body(), plan, names, nodes, bound);
  return kExitOk;
}

}  // namespace stowage::cli
