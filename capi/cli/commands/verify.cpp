#include <algorithm>
#include <cmath>

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/words/judged.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

/// Up to this share, sums of the same numbers may differ.
constexpr double kSameValue = 1e-9;

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
      write_rule_costs(json, *verification.metrics());
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

/// Who has no place: "3 replicas (of web, db)".
std::string left_over_of(const wire::Plan& plan, const Names& names) {
  constexpr std::uint32_t kNamed = 3;
  std::string apps;
  for (std::uint32_t k = 0; k < std::min(plan.unplaced()->size(), kNamed); ++k) {
    apps += (k == 0 ? "" : ", ") + names.app(plan.unplaced()->Get(k)->app());
  }
  if (plan.unplaced()->size() > kNamed) apps += " and " + counted(plan.unplaced()->size() - kNamed, "more app");
  return counted(replicas_of(plan.unplaced()), "replica") + " (of " + apps + ")";
}

/// Prints what the plan costs, and how good it is by the best bound that follows from the instance.
void print_sureness(const Workload& workload, const wire::Verification& verification, const Console& console) {
  const bool priced = verification.cost() >= 0;
  Judged by{.priced = priced, .bound = best_bound(workload.instance, priced)};
  if (by.priced) console.out << "It costs " << for_people(verification.cost(), 4) << ". ";
  if (!by.priced) by.bound = std::ceil(by.bound - kSameValue);
  if (by.bound > 0 && verification.unplaced() == 0) {
    const double value = by.priced ? verification.cost() : static_cast<double>(verification.nodes());
    by.gap = std::max(0.0, value / by.bound - 1);
    by.proven = by.gap < kSameValue;
  }
  console.out << sureness_text(by) << '\n';
}

void print_text(const wire::Verification& verification, const wire::Plan& plan, const Names& names,
                const std::vector<std::string>& nodes, const Console& console) {
  console.out << counted(verification.nodes(), "node") << " in use, " << counted(verification.placed(), "replica")
              << " placed, " << verification.unplaced() << " unplaced\n";
  if (verification.ok() && verification.unplaced() > 0) {
    console.out << toned(console, Tone::kBad,
                         "No constraint is broken, but " + left_over_of(plan, names) +
                             (verification.unplaced() == 1 ? " has" : " have") + " no place")
                << '\n';
  } else if (verification.ok()) {
    const char* const what = verification.inherited_count() > 0 ? "nothing new is broken" : "no constraint is broken";
    console.out << toned(console, Tone::kGood, std::string("The plan holds: ") + what) << '\n';
  } else {
    console.out << toned(console, Tone::kBad, counted(verification.violation_count(), "violation")) << '\n';
  }
  if (verification.inherited_count() > 0) {
    console.out << inherited_text(verification.inherited_count()) << '\n';
  }
  print_rule_violations(console, verification, names, nodes);
  if (verification.violations() == nullptr) return;
  for (const wire::Violation* one : *verification.violations()) {
    console.out << "  " << violation_text(*one, names, nodes) << (one->inherited() ? " (broken before)" : "") << '\n';
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
  const bool by_nodes = plan.root().objective() == static_cast<std::uint8_t>(wire::Objective::Nodes);
  if (command.summary == Summary::kJson) {
    print_json(report.body(), names, nodes, console);
  } else {
    print_text(report.body(), plan.root(), names, nodes, console);
    if (report.body().ok() && by_nodes) print_sureness(workload, report.body(), console);
  }
  const bool holds = report.body().ok() && !(command.complete && report.body().unplaced() > 0);
  return holds ? kExitOk : kExitUnmet;
}

}  // namespace stowage::cli
