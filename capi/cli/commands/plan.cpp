#include <algorithm>
#include <utility>

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/answer.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

/// Number of unplaced apps that the summary explains.
constexpr std::size_t kExplainedApps = 3;
constexpr std::size_t kClosestNodes = 2;
/// The column at which what comes next is described.
constexpr std::size_t kNextColumn = 26;

struct PlanOutcome {
  const Workload& workload;
  const PlanRun& run;
  const wire::Verification& verification;
  double verify_seconds;
  std::chrono::milliseconds for_reasons;
};

/// Whether the instance has soft rules that the plan's planner ignores.
bool ignores_soft_rules(const wire::Plan& plan, const wire::Instance& instance) {
  if (!has_soft_rules(instance)) return false;
  const Catalogue catalogue = planner_catalogue();
  for (const wire::PlannerInfo* info : *catalogue.root().planners()) {
    if (info->name()->str() != plan.planner()->str()) continue;
    const auto& objectives = *info->objectives();
    return std::none_of(objectives.begin(), objectives.end(),
                        [](const flatbuffers::String* one) { return one->str() == "soft-rules"; });
  }
  return false;
}

void write_bound(JsonWriter& json, const char* key, const wire::Bound* bound) {
  json.number_or_null(key, bound == nullptr ? std::nullopt : std::optional(bound->value()));
}

/// A share that is below 0 where it is not known.
void write_gap(JsonWriter& json, const char* key, double gap) {
  json.number_or_null(key, gap < 0 ? std::nullopt : std::optional(gap));
}

/// Nodes, replicas, and how far the plan is from the best.
void write_result(JsonWriter& json, const PlanOutcome& outcome, const wire::Plan& plan) {
  json.key("planner").text(plan.planner()->str());
  json.key("status").text(word_of<wire::PlanStatus>(plan.status()));
  json.key("nodes").whole(nodes_in_use(plan));
  write_bound(json, "lower_bound", plan.node_bound());
  write_gap(json, "gap", plan.gap());
  json.key("placed").whole(replicas_placed(plan));
  json.key("unplaced").whole(replicas_of(plan.unplaced()));
  write_left_over(json, plan);
  json.key("violations").whole(outcome.verification.violation_count());
  json.key("inherited_violations").whole(plan.inherited_violations());
  json.key("moves").whole(plan.moves());
}

/// What was asked of the planner, and what it says of its run.
void write_run(JsonWriter& json, const PlanOutcome& outcome, const wire::Plan& plan, const Names& names) {
  json.key("seed").whole(plan.seed());
  json.key("work").whole(plan.work());
  if (plan.pace() > 0) json.key("pace").whole(plan.pace());
  write_options(json, outcome.run.options);
  json.key("soft").text(word_of<wire::SoftPolicy>(plan.soft()));
  if (plan.soft_price() > 0) json.key("soft_price").number(plan.soft_price());
  if (plan.fill()) json.key("fill").flag(true);
  if (plan.goals() != nullptr) {
    json.key("goals");
    write_goals(json, plan, names);
  }
  if (plan.trace() != nullptr) {
    json.key("trace");
    write_trace(json, plan);
  }
  json.list("notes", plan.notes(), [&](const wire::Note* note) {
    json.begin_object().key("code").text(word_of<wire::NoteCode>(note->code())).key("text").text(note_text(*note)).end_object();
  });
  json.key("seconds").begin_object();
  json.key("load").number(outcome.workload.load_seconds);
  json.key("plan").number(outcome.run.seconds);
  json.key("verify").number(outcome.verify_seconds);
  json.end_object();
}

void write_rules(JsonWriter& json, const PlanOutcome& outcome, const wire::Plan& plan, const Names& names) {
  if (plan.violation_cost() < 0) return;
  write_rule_costs(json, plan);
  json.key("ignores_soft_rules").flag(ignores_soft_rules(plan, outcome.workload.root()));
  write_cluster_metrics(json, *outcome.verification.metrics(), names);
}

/// What the plan keeps: room, spare nodes, and free values of a label.
void write_kept(JsonWriter& json, const wire::Plan& plan) {
  if (plan.reserved() != nullptr || plan.unreserved() != nullptr) {
    json.key("reserved").whole(reserved_replicas(plan));
    json.key("unreserved").whole(replicas_of(plan.unreserved()));
  }
  write_promises(json, plan);
}

/// What the plan comes to by an objective, and the bound on that; nothing where the value is below 0: it does not apply.
void write_value(JsonWriter& json, const char* key, double value, const char* bound_key, const wire::Bound* bound) {
  if (value < 0) return;
  json.key(key).number(value);
  write_bound(json, bound_key, bound);
}

void write_values(JsonWriter& json, const PlanOutcome& outcome, const wire::Plan& plan) {
  if (plan.has_score()) {
    json.key("score").number(plan.score());
    json.number_or_null("score_bound", plan.score_gap() < 0 ? std::nullopt : std::optional(plan.score_bound()));
    write_gap(json, "score_gap", plan.score_gap());
  }
  write_value(json, "cost", plan.cost(), "cost_bound", plan.cost_bound());
  write_value(json, "max_cost", plan.max_cost(), "max_cost_bound", plan.max_cost_bound());
  write_value(json, "total_cost", plan.total_cost(), "total_cost_bound", plan.total_cost_bound());
  if (plan.max_cost_limit() > 0) json.key("max_cost_limit").number(plan.max_cost_limit());
  // Where there are rules, these two stand among the metrics.
  if (plan.left_out() >= 0 && plan.violation_cost() < 0) {
    const wire::ClusterMetrics& metrics = *outcome.verification.metrics();
    json.key("applications").whole(metrics.applications());
    json.key("applications_placed").whole(metrics.applications_placed());
  }
  write_value(json, "left_out", plan.left_out(), "left_out_bound", plan.left_out_bound());
  if (plan.remote_traffic() >= 0) json.key("traffic").number(all_traffic(outcome.workload.root()));
  write_value(json, "remote_traffic", plan.remote_traffic(), "remote_traffic_bound", plan.remote_traffic_bound());
  if (plan.ucac() >= 0) json.key("nodes_used").whole(nodes_in_use(plan));
  write_value(json, "ucac", plan.ucac(), "bound_ucac", plan.ucac_bound());
  if (plan.ucac() >= 0 || plan.max_cost() >= 0 || plan.left_out() >= 0 || plan.remote_traffic() >= 0)
    json.key("objective").text(word_of<wire::Objective>(plan.objective()));
}

void print_json(const PlanOutcome& outcome, const Console& console) {
  const wire::Plan& plan = outcome.run.root();
  const Names names(outcome.workload.root());
  JsonObject json(console.out);
  write_result(json, outcome, plan);
  write_run(json, outcome, plan, names);
  write_rules(json, outcome, plan, names);
  write_kept(json, plan);
  write_values(json, outcome, plan);
  json.print();
}

/// Prints what the parts of the search did.
void print_trace(const wire::Plan& plan, const Console& console) {
  if (plan.trace() == nullptr) return;
  console.out << "\nWhat the search asked, and what came of it\n";
  TextTable table({"part", "calls", "gains", "work"});
  for (const wire::TracedPart* part : *plan.trace()) {
    table.add({printable(part->name()->string_view()), for_people(static_cast<double>(part->calls()), 0),
               for_people(static_cast<double>(part->gains()), 0), for_people(static_cast<double>(part->work()), 0)});
  }
  table.print(console);
}

/// Prints why replicas are unplaced, and who suffers most from side effects.
void print_reasons(const PlanOutcome& outcome, const Names& names, const Console& console) {
  const wire::Plan& plan = outcome.run.root();
  if (plan.unplaced()->size() == 0 && plan.max_cost() < 0) return;
  const auto report =
      explain_plan(outcome.workload.instance, outcome.run.plan.span(), STOWAGE_ALL_UNPLACED, outcome.for_reasons, console);
  const wire::Explanation& explanation = report.body();
  const std::vector<std::string> nodes = names.plan_nodes(plan);
  if (explanation.suffering() != nullptr) {
    console.out << "\nSide effects\n  " << suffering_text(*explanation.suffering(), names, nodes) << '\n';
  }
  if (explanation.apps() == nullptr || explanation.apps()->size() == 0) return;
  console.out << "\nWhat has no place\n";
  const std::size_t shown = std::min<std::size_t>(explanation.apps()->size(), kExplainedApps);
  for (std::uint32_t i = 0; i < shown; ++i) {
    print_app_explanation(console, *explanation.apps()->Get(i), plan, names, nodes, kClosestNodes);
  }
  if (plan.unplaced()->size() > shown) {
    console.out << "  and " << counted(plan.unplaced()->size() - shown, "more app") << "; see stowage explain\n";
  }
}

/// Replicas that run and are planned as such.
std::uint64_t running_replicas(const wire::Instance& instance, const RequestOptions& request) {
  std::uint64_t sum = 0;
  if (instance.running() == nullptr || request.ignore_running) return sum;
  for (const wire::Residence* one : *instance.running()) sum += one->replicas();
  return sum;
}

Moves may_move(const wire::Instance& instance, const RequestOptions& request) {
  return request.move_budget > 0 || running_replicas(instance, request) == 0 ? Moves::kAllowed : Moves::kForbidden;
}

/// What to say of --moves where replicas are left over; empty where that is no remedy.
std::string moves_text(const PlanOutcome& outcome, const RequestOptions& request) {
  const wire::Plan& plan = outcome.run.root();
  const std::uint64_t running = running_replicas(outcome.workload.root(), request);
  // Goals that count moves allow any number.
  if (plan.unplaced()->size() == 0 || request.move_budget >= running || plan.goals() != nullptr) return {};
  if (request.move_budget == 0) return "let what runs make room: nothing may move now";
  return "let more of what runs make room: " + counted(request.move_budget, "replica") + " may move now";
}

/// Prints what one may do next: keep the plan, search for longer, ask why.
void print_next(const PlanOutcome& outcome, const PlanCommand& command, const Console& console) {
  const wire::Plan& plan = outcome.run.root();
  std::vector<std::pair<std::string, std::string>> lines;
  if (command.outputs.empty()) {
    lines.emplace_back("-o plan.csv", "write which replicas run on which node");
    lines.emplace_back("-o plan.html", "make a page of this, with a picture of all nodes");
  }
  const std::string moves = moves_text(outcome, command.request);
  if (!moves.empty()) lines.emplace_back("--moves N", moves);
  const bool is_held =
      may_move(outcome.workload.root(), command.request) == Moves::kForbidden && keeps_what_runs(plan, outcome.workload.root());
  const bool may_improve = !is_held && plan.gap() > 0 && plan.status() == wire::PlanStatus::Deadline;
  if (may_improve && command.request.work_limit == 0) {
    const std::uint64_t now = command.request.deadline_ms == 0 ? 1'000 : command.request.deadline_ms;
    lines.emplace_back("--deadline " + for_people(static_cast<double>(now) / 100, 1) + "s", "search ten times as long");
  }
  if (plan.unplaced()->size() == 0) {
    lines.emplace_back("stowage explain " + arguments_of(command.file, command.node, command.scales),
                       plan.cost() >= 0 ? "what decides the cost" : "what decides how many nodes there are");
  }
  if (lines.empty()) return;
  console.out << '\n';
  std::string head = "Next: ";
  for (const auto& [what, does] : lines) {
    head += what;
    head.resize(std::max(kNextColumn, head.size() + 2), ' ');
    console.out << toned(console, Tone::kFaint, head + does) << '\n';
    head.assign(6, ' ');
  }
}

void print_text(const PlanOutcome& outcome, const PlanCommand& command, const Console& console) {
  const wire::Instance& instance = outcome.workload.root();
  const wire::Plan& plan = outcome.run.root();
  const Names names(instance, Summary::kText);
  if (instance.name() != nullptr) console.out << toned(console, Tone::kStrong, instance.name()->str()) << '\n';
  console.out << instance_text(instance) << "\n\n";
  print_answer(console, plan, outcome.verification, names, command.shown, may_move(instance, command.request));
  if (ignores_soft_rules(plan, instance)) {
    console.out << "\n  " << plan.planner()->str() << " ignores soft rules; auto, the fit family and tag-search do not\n";
  }
  print_reasons(outcome, names, console);
  if (command.verbose) print_how(console, plan, names);
  print_trace(plan, console);
  for (const std::string& output : command.outputs) {
    if (output != "-") console.out << "\nWritten to " << printable(output) << '\n';
  }
  print_next(outcome, command, console);
  console.out << toned(console, Tone::kFaint,
                       "Read in " + duration_text(outcome.workload.load_seconds) + ", planned by " + plan.planner()->str() +
                           " in " + duration_text(outcome.run.seconds) + ", checked in " +
                           duration_text(outcome.verify_seconds))
              << '\n';
}

}  // namespace

int run_plan_command(const PlanCommand& command, const Console& console) {
  check_outputs(command.outputs, command.format, plan_formats());
  // From here on, a Ctrl-C still ends with a checked plan and its summary.
  const InterruptGuard guard;
  const Workload workload = load_workload(command.file, command.node, console, command.scales);
  const PlanRun run = run_plan(workload, command.request, console);
  const Stopwatch stopwatch;
  const auto report = verify_plan(workload.instance, run.plan.span());
  const double verify_seconds = stopwatch.seconds();
  for (const std::string& output : command.outputs) {
    write_plan(workload, run.plan.span(), output, command.cells, command.format);
  }
  const PlanOutcome outcome{workload, run, report.body(), verify_seconds, time_for_reasons(command.request)};
  const Console answer = answer_console(console, command.outputs);
  command.summary == Summary::kJson ? print_json(outcome, answer) : print_text(outcome, command, answer);
  const wire::Plan& plan = run.root();
  const bool unmet = plan.unplaced()->size() > 0 || plan.unreserved() != nullptr || plan.not_survived() > 0 ||
                     plan.status() == wire::PlanStatus::Cancelled || !report.body().ok();
  return unmet ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
