#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

/// Traffic of pairs of apps both of which want replicas.
double all_traffic(const wire::Instance& instance) {
  double all = 0;
  if (instance.traffic() == nullptr) return all;
  const auto& replicas = *instance.apps()->replicas();
  for (const wire::Traffic* one : *instance.traffic()) {
    if (replicas.Get(one->app()) > 0 && replicas.Get(one->peer()) > 0) all += one->amount();
  }
  return all;
}

/// Number of reasons for the number of nodes in the summary; the strongest come first.
constexpr std::uint32_t kDrivers = 5;
/// Number of unplaced apps that the summary explains.
constexpr std::size_t kExplainedApps = 3;
constexpr std::size_t kClosestNodes = 2;

/// The replicas of a list, which may be missing.
std::uint64_t replicas_of(const flatbuffers::Vector<const wire::Unplaced*>* list) {
  std::uint64_t sum = 0;
  if (list == nullptr) return sum;
  for (const wire::Unplaced* one : *list) sum += one->replicas();
  return sum;
}

struct PlanOutcome {
  const Workload& workload;
  const PlanRun& run;
  const wire::Verification& verification;
  double verify_seconds;
  std::chrono::milliseconds for_reasons;
};

/// Whether the instance has soft rules that the plan's planner ignores.
bool ignores_soft_rules(const wire::Plan& plan, const wire::Instance& instance) {
  const auto* rules = instance.rules();
  const bool any_soft = rules != nullptr &&
                        std::any_of(rules->begin(), rules->end(), [](const wire::PlacementRule* one) { return !one->hard(); });
  if (!any_soft) return false;
  const Catalogue catalogue = planner_catalogue();
  for (const wire::PlannerInfo* info : *catalogue.root().planners()) {
    if (info->name()->str() != plan.planner()->str()) continue;
    const auto& objectives = *info->objectives();
    return std::none_of(objectives.begin(), objectives.end(),
                        [](const flatbuffers::String* one) { return one->str() == "soft-rules"; });
  }
  return false;
}

std::vector<const wire::Note*> notes_of(const wire::Plan& plan) {
  if (plan.notes() == nullptr) return {};
  return {plan.notes()->begin(), plan.notes()->end()};
}
std::string note_text(const wire::Note& note) {
  return note.text() == nullptr ? word_of<wire::NoteCode>(note.code()) : note.text()->str();
}

/// Replicas that the plan keeps room for.
std::uint64_t reserved_replicas(const wire::Plan& plan) {
  std::uint64_t sum = 0;
  if (plan.reserved() == nullptr) return sum;
  for (const wire::Placed* one : *plan.reserved()) sum += std::uint64_t{one->replicas()} * copies_of(plan, one->node());
  return sum;
}

void print_json(const PlanOutcome& outcome, const Console& console) {
  const wire::Plan& plan = outcome.run.root();
  JsonObject json(console.out);
  json.key("planner").text(plan.planner()->str());
  json.key("status").text(word_of<wire::PlanStatus>(plan.status()));
  json.key("nodes").whole(nodes_in_use(plan));
  json.number_or_null("lower_bound", plan.node_bound() != nullptr,
                      plan.node_bound() == nullptr ? 0 : plan.node_bound()->value());
  json.number_or_null("gap", plan.gap() >= 0, plan.gap());
  json.key("placed").whole(replicas_placed(plan));
  json.key("unplaced").whole(replicas_of(plan.unplaced()));
  if (plan.unplaced()->size() > 0) {
    json.key("left_over_bound");
    write_left_over(json, plan);
    json.key("places_most").flag(plan.places_most());
  }
  json.key("violations").whole(outcome.verification.violation_count());
  json.key("inherited_violations").whole(plan.inherited_violations());
  json.key("moves").whole(plan.moves());
  json.key("seed").whole(plan.seed());
  json.key("work").whole(plan.work());
  if (plan.pace() > 0) json.key("pace").whole(plan.pace());
  write_options(json, outcome.run.options);
  json.key("soft").text(word_of<wire::SoftPolicy>(plan.soft()));
  if (plan.soft_price() > 0) json.key("soft_price").number(plan.soft_price());
  if (plan.fill()) json.key("fill").flag(true);
  if (plan.goals() != nullptr) {
    json.key("goals");
    write_goals(json, plan, Names(outcome.workload.root()));
  }
  if (plan.trace() != nullptr) {
    json.key("trace");
    write_trace(json, plan);
  }
  json.list("notes", notes_of(plan), [&](const wire::Note* note) {
    json.begin_object().key("code").text(word_of<wire::NoteCode>(note->code())).key("text").text(note_text(*note)).end_object();
  });
  if (plan.violation_cost() >= 0) {
    const wire::ClusterMetrics& metrics = *outcome.verification.metrics();
    json.key("rule_violations").whole(plan.rule_violations());
    json.key("violating_replicas").whole(plan.violating_replicas());
    json.key("violation_extent").number(plan.violation_extent());
    json.key("violation_weight").number(plan.violation_weight());
    json.key("violation_cost").number(plan.violation_cost());
    json.key("ignores_soft_rules").flag(ignores_soft_rules(plan, outcome.workload.root()));
    write_cluster_metrics(json, metrics, Names(outcome.workload.root()));
  }
  if (plan.has_score()) {
    json.key("score").number(plan.score());
    if (plan.score_gap() >= 0) json.key("score_bound").number(plan.score_bound()).key("score_gap").number(plan.score_gap());
  }
  json.key("seconds").begin_object();
  json.key("load").number(outcome.workload.load_seconds);
  json.key("plan").number(outcome.run.seconds);
  json.key("verify").number(outcome.verify_seconds);
  json.end_object();
  if (plan.cost() >= 0) {
    json.key("cost").number(plan.cost());
    if (plan.cost_bound() != nullptr) json.key("cost_bound").number(plan.cost_bound()->value());
  }
  if (plan.reserved() != nullptr || plan.unreserved() != nullptr) {
    json.key("reserved").whole(reserved_replicas(plan));
    json.key("unreserved").whole(replicas_of(plan.unreserved()));
  }
  if (plan.survive() != nullptr) {
    json.key("survive").text(plan.survive()->string_view()).key("not_survived");
    plan.not_survived() == std::numeric_limits<std::uint64_t>::max() ? json.null() : json.whole(plan.not_survived());
  }
  if (plan.leave_free() != nullptr) {
    json.key("leave_free").text(plan.leave_free()->string_view());
    json.key("domains_in_use").whole(plan.domains_in_use()).key("domain_bound").whole(plan.domain_bound());
  }
  if (plan.max_cost() >= 0) {
    json.key("max_cost").number(plan.max_cost());
    if (plan.max_cost_bound() != nullptr) json.key("max_cost_bound").number(plan.max_cost_bound()->value());
    json.key("total_cost").number(plan.total_cost());
    if (plan.total_cost_bound() != nullptr) json.key("total_cost_bound").number(plan.total_cost_bound()->value());
    if (plan.max_cost_limit() > 0) json.key("max_cost_limit").number(plan.max_cost_limit());
  }
  if (plan.left_out() >= 0) {
    const wire::ClusterMetrics& metrics = *outcome.verification.metrics();
    // Where there are rules, these two stand among the metrics.
    if (plan.violation_cost() < 0) {
      json.key("applications").whole(metrics.applications());
      json.key("applications_placed").whole(metrics.applications_placed());
    }
    json.key("left_out").number(plan.left_out());
    if (plan.left_out_bound() != nullptr) json.key("left_out_bound").number(plan.left_out_bound()->value());
  }
  if (plan.remote_traffic() >= 0) {
    json.key("remote_traffic").number(plan.remote_traffic());
    json.key("traffic").number(all_traffic(outcome.workload.root()));
    if (plan.remote_traffic_bound() != nullptr) json.key("remote_traffic_bound").number(plan.remote_traffic_bound()->value());
  }
  if (plan.ucac() >= 0 || plan.max_cost() >= 0 || plan.left_out() >= 0 || plan.remote_traffic() >= 0)
    json.key("objective").text(word_of<wire::Objective>(plan.objective()));
  if (plan.ucac() >= 0) {
    json.key("ucac").number(plan.ucac());
    json.key("nodes_used").whole(nodes_in_use(plan));
    json.number_or_null("bound_ucac", plan.ucac_bound() != nullptr,
                        plan.ucac_bound() == nullptr ? 0 : plan.ucac_bound()->value());
  }
  json.print();
}

/// Prints the used capacity at confidence of all nodes and its distance to the bound.
void print_ucac(const wire::Plan& plan, const Names& names, const Console& console) {
  const std::uint32_t resource = plan.ucac_resource();
  console.out << "  Used at confidence: " << names.amount(plan.ucac(), resource) << " of " << names.resource(resource) << " on "
              << counted(nodes_in_use(plan), "node");
  if (const wire::Bound* bound = plan.ucac_bound(); bound != nullptr && bound->value() > 0) {
    console.out << "; at least " << names.amount(bound->value(), resource) << " for a complete plan, by the "
                << bound->name()->str() << " bound";
    const double above = plan.ucac() / bound->value() - 1;
    if (plan.unplaced()->size() == 0)
      console.out << "; this plan is " << for_people(std::max(0.0, above) * 100, 4) << " % above";
  }
  console.out << ".\n";
}

/// Prints the score that a planner maximized on its own terms, and its proven gap.
void print_score(const wire::Plan& plan, const Console& console) {
  console.out << "  Score of " << plan.planner()->str() << ": " << for_people(plan.score(), 6);
  if (plan.score_gap() < 0) {
    console.out << "; no bound is known.\n";
  } else {
    console.out << "; at most " << for_people(plan.score_bound(), 6) << ", a gap of " << for_people(plan.score_gap() * 100, 4)
                << " %.\n";
  }
}

/// Prints a cost of side effects and its bound; where it is the objective, also the gap.
void print_side_effects(const wire::Plan& plan, const Console& console) {
  const auto print = [&](const char* whose, double cost, const wire::Bound* bound, wire::Objective objective) {
    console.out << "  Side effects cost " << whose << ' ' << for_people(cost, 4);
    if (bound != nullptr)
      console.out << "; at least " << for_people(bound->value(), 4) << ", by the " << bound->name()->str() << " bound";
    if (plan.objective() == static_cast<std::uint8_t>(objective) && plan.gap() >= 0) {
      console.out << "; this plan is " << percent_text(plan.gap()) << " above";
    }
    console.out << ".\n";
  };
  print("who suffers most", plan.max_cost(), plan.max_cost_bound(), wire::Objective::Worst);
  print("all together", plan.total_cost(), plan.total_cost_bound(), wire::Objective::Total);
}

/// Prints how many applications are admitted, and how far that is from what can be.
void print_admission(const wire::Plan& plan, const wire::ClusterMetrics& metrics, const Console& console) {
  console.out << "  Admitted " << metrics.applications_placed() << " of " << counted(metrics.applications(), "application")
              << "; left out: weight " << for_people(plan.left_out(), 6);
  if (plan.left_out_bound() != nullptr) {
    console.out << ", at least " << for_people(plan.left_out_bound()->value(), 6) << " by the "
                << plan.left_out_bound()->name()->str() << " bound";
  }
  if (plan.gap() >= 0) console.out << "; at most " << percent_text(plan.gap()) << " more can be admitted";
  console.out << ".\n";
}

/// Prints how much traffic stays on nodes, and how much can.
void print_traffic(const wire::Plan& plan, const wire::Instance& instance, const Console& console) {
  const double all = all_traffic(instance);
  if (!(all > 0)) return;
  console.out << "  Traffic that stays on its node: " << percent_text(std::max(0.0, 1 - plan.remote_traffic() / all));
  if (plan.remote_traffic_bound() != nullptr) {
    console.out << ", at most " << percent_text(std::max(0.0, 1 - plan.remote_traffic_bound()->value() / all)) << " by the "
                << plan.remote_traffic_bound()->name()->str() << " bound";
  }
  console.out << ".\n";
}

/// Prints what the plan keeps: spare nodes, and room for more replicas. What it fails to keep, its notes say.
void print_promises(const wire::Plan& plan, const Console& console) {
  if (plan.survive() == nullptr && plan.reserved() == nullptr) return;
  std::vector<std::uint8_t> holds(plan.node_class()->size(), 0);
  for (const wire::Placed* one : *plan.placed()) holds[one->node()] = 1;
  std::uint64_t empty = 0;
  for (std::uint32_t node = 0; node < holds.size(); ++node) empty += holds[node] != 0 ? 0 : copies_of(plan, node);
  if (plan.reserved() != nullptr) {
    console.out << "  Room is kept for " << counted(reserved_replicas(plan), "more replica") << ".\n";
  }
  if (plan.survive() != nullptr && plan.not_survived() == 0) {
    const std::string what = plan.survive()->string_view() == "*" ? "any node" : "any " + printable(plan.survive()->str());
    console.out << "  The loss of " << what << " is survived: its replicas find places on the other nodes.\n";
  }
  if (empty > 0)
    console.out << "  " << counted(empty, "node") << " of these " << (empty == 1 ? "holds" : "hold") << " nothing now.\n";
}

/// Prints how many values of the label are in use, and how few can be.
void print_free_domains(const wire::Plan& plan, const Console& console) {
  if (plan.leave_free() == nullptr) return;
  const std::uint32_t used = plan.domains_in_use();
  console.out << "  " << counted(used, "value") << " of the label " << printable(plan.leave_free()->str())
              << (used == 1 ? " is" : " are") << " in use";
  if (plan.domain_bound() >= used && plan.unplaced()->size() == 0) {
    console.out << ", the fewest possible";
  } else {
    console.out << "; at least " << plan.domain_bound() << (plan.domain_bound() == 1 ? " is" : " are") << " needed";
  }
  console.out << ".\n";
}

/// Prints what the plan reaches of each goal.
void print_goals(const wire::Plan& plan, const Names& names, const Console& console) {
  if (plan.goals() == nullptr) return;
  TextTable table({"goal", "value", "at least", ""});
  for (const wire::ReachedGoal* goal : *plan.goals()) {
    table.add({goal_words(*goal, names), goal_value(*goal, goal->value()),
               goal->bound() < 0 ? "-" : goal_value(*goal, goal->bound()), goal->proven() ? "proven best" : ""});
  }
  table.print(console);
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

/// What the plan's gap says where nodes or cost are the objective; for used capacity, print_ucac() says it.
std::string gap_text(const wire::Plan& plan) {
  if (plan.gap() < 0 || plan.objective() != static_cast<std::uint8_t>(wire::Objective::Nodes)) return {};
  std::string text = "; this plan is " + percent_text(plan.gap()) + " above";
  if (plan.soft_price() > 0) text += ", violations at " + for_people(plan.soft_price(), 4) + " each included";
  return text;
}

/// What a partial plan lacks.
std::string what_is_missing(const wire::Plan& plan) {
  if (plan.unplaced()->size() > 0) return "not everything is placed";
  if (plan.unreserved() == nullptr) return "not every loss is survived";
  return plan.not_survived() == 0 ? "there is not all the room that is to be kept"
                                  : "there is not all the room that is to be kept, and not every loss is survived";
}

void print_headline(const wire::Plan& plan, const Names& names, const Console& console) {
  const std::map<wire::PlanStatus, std::string> verdicts = {
      {wire::PlanStatus::Complete, "complete"},
      {wire::PlanStatus::Optimal, "complete and proven optimal"},
      {wire::PlanStatus::Partial, "partial: " + what_is_missing(plan)},
      {wire::PlanStatus::InfeasibleProven, "partial: it is proven that not everything can be placed"},
      {wire::PlanStatus::Cancelled, "cancelled: the best plan so far"},
      {wire::PlanStatus::Deadline, "deadline or work limit reached: the best plan so far"}};
  const bool good = plan.status() == wire::PlanStatus::Complete || plan.status() == wire::PlanStatus::Optimal;
  const Tone tone = good ? Tone::kGood : Tone::kBad;
  const std::string& verdict = verdicts.at(plan.status());
  console.out << "Plan by " << plan.planner()->str() << ": "
              << toned(console, Tone::kStrong, counted(nodes_in_use(plan), "node")) << ", " << toned(console, tone, verdict)
              << '\n';
  if (const wire::Bound* bound = plan.node_bound(); bound != nullptr) {
    console.out << "  At least " << counted(static_cast<std::uint64_t>(std::ceil(bound->value() - 1e-9)), "node")
                << " for a complete plan, by the " << bound->name()->str() << " bound";
    const std::string place = place_text(names, bound->resource(), bound->period());
    if (!place.empty()) console.out << " on " << place;
    if (plan.cost() < 0) console.out << gap_text(plan);
    console.out << ".\n";
  }
  if (plan.cost() >= 0) {
    console.out << "  Cost " << for_people(plan.cost(), 4);
    if (plan.cost_bound() != nullptr) console.out << "; at least " << for_people(plan.cost_bound()->value(), 4);
    console.out << gap_text(plan) << ".\n";
  }
  print_promises(plan, console);
  print_free_domains(plan, console);
  if (plan.ucac() >= 0) print_ucac(plan, names, console);
  if (plan.max_cost() >= 0) print_side_effects(plan, console);
  if (plan.has_score()) print_score(plan, console);
  for (const wire::Note* note : notes_of(plan)) console.out << "  Note: " << printable(note_text(*note)) << '\n';
}

void print_checked(const PlanOutcome& outcome, const Names& names, const Console& console) {
  const wire::Verification& verification = outcome.verification;
  const wire::Plan& plan = outcome.run.root();
  if (verification.violation_count() == 0) {
    console.out << "  " << toned(console, Tone::kGood, "Checked independently: no constraint is broken") << '\n';
  } else {
    console.out << "  " << toned(console, Tone::kBad, counted(verification.violation_count(), "broken constraint")) << '\n';
    const std::vector<std::string> nodes = names.plan_nodes(plan);
    for (const wire::Violation* one : *verification.violations())
      console.out << "    " << violation_text(*one, names, nodes) << '\n';
  }
  if (plan.inherited_violations() > 0) {
    console.out << "  " << counted(plan.inherited_violations(), "constraint")
                << (plan.inherited_violations() == 1 ? " was broken before and is" : " were broken before and are")
                << " no worse now (--moves allows repairs)\n";
  }
  print_rule_violations(console, verification, names, names.plan_nodes(plan));
  if (ignores_soft_rules(plan, names.instance())) {
    console.out << "  " << plan.planner()->str() << " ignores soft rules; auto, the fit family and tag-search do\n";
  }
  if (plan.moves() > 0) console.out << "  " << counted(plan.moves(), "running replica") << " moved\n";
}

void print_reasons(const PlanOutcome& outcome, const Names& names, const Console& console) {
  const wire::Plan& plan = outcome.run.root();
  const auto report =
      explain_plan(outcome.workload.instance, outcome.run.plan.span(), STOWAGE_ALL_UNPLACED, outcome.for_reasons, console);
  const wire::Explanation& explanation = report.body();
  if (explanation.drivers() != nullptr && explanation.drivers()->size() > 0) {
    console.out << "What drives the number of nodes\n";
    const std::uint32_t shown = std::min<std::uint32_t>(explanation.drivers()->size(), kDrivers);
    for (std::uint32_t i = 0; i < shown; ++i) console.out << "  " << driver_text(*explanation.drivers()->Get(i), names) << '\n';
  }
  if (explanation.suffering() != nullptr) {
    console.out << "Side effects\n  " << suffering_text(*explanation.suffering(), names, names.plan_nodes(plan)) << '\n';
  }
  if (plan.unplaced()->size() == 0) return;
  console.out << toned(console, Tone::kBad, "Unplaced") << ": " << counted(replicas_of(plan.unplaced()), "replica") << " of "
              << counted(plan.unplaced()->size(), "app");
  const std::string least = left_over_text(plan);
  console.out << (least.empty() ? "" : "; ") << least << '\n';
  if (explanation.apps() == nullptr) return;
  const std::vector<std::string> nodes = names.plan_nodes(plan);
  const std::size_t shown = std::min<std::size_t>(explanation.apps()->size(), kExplainedApps);
  for (std::uint32_t i = 0; i < shown; ++i) {
    print_app_explanation(console, *explanation.apps()->Get(i), plan, names, nodes, kClosestNodes);
  }
  if (plan.unplaced()->size() > shown) {
    console.out << "  and " << counted(plan.unplaced()->size() - shown, "more app") << "; see stowage explain\n";
  }
}

void print_text(const PlanOutcome& outcome, const std::vector<std::string>& outputs, const Console& console) {
  const wire::Instance& instance = outcome.workload.root();
  const Names names(instance, Summary::kText);
  if (instance.name() != nullptr) console.out << toned(console, Tone::kStrong, instance.name()->str()) << '\n';
  console.out << instance_text(instance) << "\n\n";
  print_headline(outcome.run.root(), names, console);
  if (outcome.run.root().left_out() >= 0) print_admission(outcome.run.root(), *outcome.verification.metrics(), console);
  if (outcome.run.root().remote_traffic() >= 0) print_traffic(outcome.run.root(), instance, console);
  print_checked(outcome, names, console);
  print_goals(outcome.run.root(), names, console);
  console.out << '\n';
  print_utilization(console, outcome.run.root(), names);
  console.out << '\n';
  print_reasons(outcome, names, console);
  print_trace(outcome.run.root(), console);
  for (const std::string& output : outputs) console.out << "Written to " << printable(output) << '\n';
  console.out << toned(console, Tone::kFaint,
                       "Read in " + duration_text(outcome.workload.load_seconds) + ", planned in " +
                           duration_text(outcome.run.seconds) + ", checked in " + duration_text(outcome.verify_seconds))
              << '\n';
}

}  // namespace

int run_plan_command(const PlanCommand& command, const Console& console) {
  for (const std::string& output : command.outputs) require_plan_format(output);
  // From here on, a Ctrl-C still ends with a checked plan and its summary.
  const InterruptGuard guard;
  const Workload workload = load_workload(command.file, command.node, console, command.scales);
  const PlanRun run = run_plan(workload, command.request, console);
  const Stopwatch stopwatch;
  const auto report = verify_plan(workload.instance, run.plan.span());
  const double verify_seconds = stopwatch.seconds();
  for (const std::string& output : command.outputs) write_plan(run.plan.span(), workload.root(), output, command.cells);
  const PlanOutcome outcome{workload, run, report.body(), verify_seconds, time_for_reasons(command.request)};
  command.summary == Summary::kJson ? print_json(outcome, console) : print_text(outcome, command.outputs, console);
  const wire::Plan& plan = run.root();
  const bool unmet = plan.unplaced()->size() > 0 || plan.unreserved() != nullptr || plan.not_survived() > 0 ||
                     plan.status() == wire::PlanStatus::Cancelled || !report.body().ok();
  return unmet ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
