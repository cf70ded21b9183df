#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

void print_json(const wire::Verification& verification, const Names& names, const std::vector<std::string>& nodes,
                const Console& console) {
  JsonObject json(console.out);
  json.key("ok").flag(verification.ok());
  json.key("nodes").whole(verification.nodes());
  json.key("placed").whole(verification.placed());
  json.key("unplaced").whole(verification.unplaced());
  json.key("violations").whole(verification.violation_count());
  json.key("inherited_violations").whole(verification.inherited_count());
  if (verification.cost() >= 0) json.key("cost").number(verification.cost());
  if (verification.utilization() != nullptr) {
    json.key("utilization").begin_object();
    for (std::uint32_t r = 0; r < verification.utilization()->size(); ++r) {
      json.key(names.resource(r)).number(verification.utilization()->Get(r));
    }
    json.end_object();
  }
  if (verification.metrics() != nullptr) {
    if (names.instance().rules() != nullptr && names.instance().rules()->size() > 0) {
      json.key("rule_violations").whole(verification.metrics()->rule_violations());
      json.key("violating_replicas").whole(verification.metrics()->violating_replicas());
      json.key("violation_extent").number(verification.metrics()->violation_extent());
      json.key("violation_weight").number(verification.metrics()->violation_weight());
      json.key("violation_cost").number(verification.metrics()->violation_cost());
      write_rule_violations(json, verification, names, nodes);
    }
    write_cluster_metrics(json, *verification.metrics(), names);
  }
  json.list("details", verification.violations(), [&](const wire::Violation* one) {
    json.begin_object().key("kind").text(wire::EnumNameViolationKind(one->kind()));
    if (one->inherited()) json.key("inherited").flag(true);
    json.key("text").text(violation_text(*one, names, nodes)).end_object();
  });
  json.print();
}

void print_text(const wire::Verification& verification, const Names& names, const std::vector<std::string>& nodes,
                const Console& console) {
  console.out << counted(verification.nodes(), "node") << " in use, " << counted(verification.placed(), "replica")
              << " placed, " << verification.unplaced() << " unplaced\n";
  if (verification.ok()) {
    console.out << toned(console, Tone::kGood, "The plan holds: no constraint is broken") << '\n';
  } else {
    console.out << toned(console, Tone::kBad, counted(verification.violation_count(), "violation")) << '\n';
  }
  if (verification.inherited_count() > 0) {
    console.out << counted(verification.inherited_count(), "constraint") << " broken before planning and no worse now\n";
  }
  print_rule_violations(console, verification, names, nodes);
  if (verification.violations() == nullptr) return;
  for (const wire::Violation* one : *verification.violations()) {
    console.out << "  " << violation_text(*one, names, nodes) << (one->inherited() ? " (before planning)" : "") << '\n';
  }
  if (verification.violation_count() > verification.violations()->size()) {
    console.out << "  and " << verification.violation_count() - verification.violations()->size() << " more\n";
  }
}

}  // namespace

int run_verify_command(const VerifyCommand& command, const Console& console) {
  const Workload workload = load_workload(command.file, command.node, console, command.scales);
  const PlanBytes plan = plan_in(command.plan, workload);
  const auto report = verify_plan(workload.instance, plan.bytes());
  const Names names(workload.root(), command.summary);
  const std::vector<std::string> nodes = names.plan_nodes(plan.root());
  command.summary == Summary::kJson ? print_json(report.body(), names, nodes, console)
                                    : print_text(report.body(), names, nodes, console);
  return report.body().ok() ? kExitOk : kExitUnmet;
}

}  // namespace stowage::cli
