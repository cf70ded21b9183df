#include <algorithm>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/simulate/normal.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/names.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

using stochastic::Interval;
using stochastic::NodeUsage;
using stochastic::Simulation;
using stochastic::wilson_interval;

/// Number of nodes in the summary, the most often exceeded first.
constexpr std::size_t kWorstNodes = 10;

struct SimulationOutcome {
  const SimulateCommand& command;
  const Workload& workload;
  const wire::Plan& plan;
  const Simulation& simulation;
  std::uint64_t measurements;
  double seconds;

  /// The share of violations that the chance constraint allows, where the instance states it as a probability.
  [[nodiscard]] std::optional<double> allowed() const {
    const wire::Uncertainty* uncertainty = workload.root().uncertainty();
    if (uncertainty == nullptr || uncertainty->model() == wire::ChanceModel::Factor) return std::nullopt;
    return 1 - uncertainty->confidence();
  }

  /// Number of nodes (and resources) whose interval lies above the allowed rate.
  [[nodiscard]] std::uint64_t nodes_above() const {
    const auto limit = allowed();
    if (!limit) return 0;
    return static_cast<std::uint64_t>(
        std::count_if(simulation.nodes.begin(), simulation.nodes.end(),
                      [&](const NodeUsage& one) { return wilson_interval(one.violations, one.observations).low > *limit; }));
  }

  [[nodiscard]] double violations_per_sample() const {
    return static_cast<double>(simulation.violations) / static_cast<double>(simulation.samples);
  }
};

/// A name per copy: each copy of a node draws its own usage.
std::vector<std::string> copy_names(const Names& names, const wire::Plan& plan) {
  std::vector<std::string> copies;
  names.visit_copies(plan, [&](std::uint32_t, const std::string& name) { copies.push_back(name); });
  return copies;
}

/// The most often exceeded first; ties in the plan's order.
std::vector<NodeUsage> worst_nodes(const Simulation& simulation) {
  std::vector<NodeUsage> worst = simulation.nodes;
  const std::size_t shown = std::min(worst.size(), kWorstNodes);
  std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(shown), worst.end(),
                    [](const NodeUsage& a, const NodeUsage& b) {
                      if (a.violations != b.violations) return a.violations > b.violations;
                      return a.node != b.node ? a.node < b.node : a.resource < b.resource;
                    });
  worst.resize(shown);
  return worst;
}

void write_usage_json(JsonWriter& json, const NodeUsage& usage, const Names& names, const std::vector<std::string>& nodes) {
  const Interval interval = wilson_interval(usage.violations, usage.observations);
  json.begin_object().key("node").text(nodes[usage.node]).key("resource").text(names.resource(usage.resource));
  json.key("mean").number(usage.mean).key("deviation").number(usage.deviation).key("capacity").number(usage.capacity);
  json.key("drawn_mean").number(usage.drawn_mean).key("violations").whole(usage.violations);
  json.key("rate").number(usage.rate()).key("low").number(interval.low).key("high").number(interval.high).end_object();
}

void print_json(const SimulationOutcome& outcome, const Console& console) {
  const Simulation& simulation = outcome.simulation;
  const Names names(outcome.workload.root());
  const std::vector<std::string> nodes = copy_names(names, outcome.plan);
  const Interval interval = wilson_interval(simulation.violations, simulation.observations);
  JsonObject json(console.out);
  json.key("planner").text(outcome.plan.planner()->str()).key("nodes").whole(nodes.size());
  json.key("usage").text(stochastic::usage_word(outcome.command.options.model));
  json.key("measurements").whole(outcome.measurements);
  json.key("samples").whole(simulation.samples).key("seed").whole(outcome.command.options.seed);
  json.key("observations").whole(simulation.observations).key("violations").whole(simulation.violations);
  json.key("rate").number(simulation.rate()).key("interval").text("wilson-95");
  json.key("low").number(interval.low).key("high").number(interval.high);
  json.key("allowed");
  const auto allowed = outcome.allowed();
  allowed ? json.number(*allowed) : json.null();
  json.key("nodes_above");
  allowed ? json.whole(outcome.nodes_above()) : json.null();
  json.key("violations_per_sample").number(outcome.violations_per_sample());
  json.key("samples_violated").whole(simulation.samples_violated);
  json.key("seconds").number(outcome.seconds);
  json.list("worst", worst_nodes(simulation), [&](const NodeUsage& usage) { write_usage_json(json, usage, names, nodes); });
  json.print();
}

std::string rate_text(double rate) { return for_people(rate * 100, 4) + " %"; }

std::string interval_text(const Interval& interval) { return rate_text(interval.low) + " - " + rate_text(interval.high); }

void print_text(const SimulationOutcome& outcome, const Console& console) {
  const Simulation& simulation = outcome.simulation;
  const wire::Instance& instance = outcome.workload.root();
  const Names names(instance, Summary::kText);
  const std::vector<std::string> nodes = copy_names(names, outcome.plan);
  const Interval interval = wilson_interval(simulation.violations, simulation.observations);
  if (instance.name() != nullptr) console.out << toned(console, Tone::kStrong, instance.name()->str()) << '\n';
  console.out << instance_text(instance) << "\n\nPlan by " << printable(outcome.plan.planner()->string_view()) << ": "
              << counted(nodes.size(), "node") << "; usage of all replicas drawn "
              << for_people(outcome.command.options.samples, 0) << (outcome.command.options.samples == 1 ? " time" : " times");
  if (outcome.measurements > 0) console.out << ", where measured from " << counted(outcome.measurements, "measurement");
  console.out << "\n  Capacity exceeded in " << toned(console, Tone::kStrong, rate_text(simulation.rate()))
              << " of all observations (95 % interval " << interval_text(interval) << ")\n";
  if (const auto allowed = outcome.allowed(); allowed) {
    const Tone tone = interval.low > *allowed ? Tone::kBad : Tone::kGood;
    console.out << "  Allowed: " << rate_text(*allowed) << " per node; "
                << toned(console, tone, counted(outcome.nodes_above(), "node") + " with an interval above that") << '\n';
  }
  console.out << "  On average " << for_people(outcome.violations_per_sample(), 3)
              << " violations per sample; at least one node exceeded in "
              << percent_text(static_cast<double>(simulation.samples_violated) / static_cast<double>(simulation.samples))
              << " of the samples\n\n";
  const bool several = instance.resources()->size() > 1;
  std::vector<std::string> header = {"node"};
  if (several) header.emplace_back("resource");
  header.insert(header.end(), {"mean", "deviation", "capacity", "exceeded", "95 % interval"});
  TextTable table(std::move(header));
  if (several) table.right_from(2);
  for (const NodeUsage& usage : worst_nodes(simulation)) {
    std::vector<std::string> row = {nodes[usage.node]};
    if (several) row.push_back(names.resource(usage.resource));
    row.insert(row.end(), {for_people(usage.mean), for_people(usage.deviation), for_people(usage.capacity),
                           rate_text(usage.rate()), interval_text(wilson_interval(usage.violations, usage.observations))});
    table.add(std::move(row));
  }
  table.print(console);
  console.out << toned(console, Tone::kFaint,
                       "The nodes exceeded most often come first. Simulated in " + duration_text(outcome.seconds))
              << '\n';
}

void write_csv(const SimulationOutcome& outcome, const std::string& path, CsvCells cells) {
  const Names names(outcome.workload.root());
  const std::vector<std::string> nodes = copy_names(names, outcome.plan);
  OutputFile out(path);
  out.write(csv_line({"node", "resource", "mean", "deviation", "capacity", "drawn_mean", "observations", "violations", "rate",
                      "low", "high"}));
  for (const NodeUsage& usage : outcome.simulation.nodes) {
    const Interval interval = wilson_interval(usage.violations, usage.observations);
    out.write(
        csv_line({nodes[usage.node], names.resource(usage.resource), shortest(usage.mean), shortest(usage.deviation),
                  shortest(usage.capacity), shortest(usage.drawn_mean), std::to_string(usage.observations),
                  std::to_string(usage.violations), shortest(usage.rate()), shortest(interval.low), shortest(interval.high)},
                 cells));
  }
  out.commit();
}

}  // namespace

int run_simulate_command(const SimulateCommand& command, const Console& console) {
  const InterruptGuard guard;
  const Workload workload = load_workload(command.file, command.node, console);
  const std::uint64_t fingerprint = workload.instance.fingerprint();
  const PlanBytes plan = read_plan(std::make_unique<InputFile>(command.plan), workload.root(), [&] { return fingerprint; });
  stochastic::check_plan(workload.root(), plan.root(), fingerprint);
  const auto measured =
      command.measured ? stochastic::MeasuredUsage::read(*command.measured, workload.root()) : stochastic::MeasuredUsage();
  const Stopwatch stopwatch;
  const Simulation simulation = [&] {
    const PassingNote note(console, "simulating");
    return stochastic::simulate(workload.root(), plan.root(), measured, command.options);
  }();
  const SimulationOutcome outcome{command, workload, plan.root(), simulation, measured.count(), stopwatch.seconds()};
  if (command.csv) write_csv(outcome, *command.csv, command.cells);
  const Console answer = answer_console(console, {command.csv.value_or("")});
  command.summary == Summary::kJson ? print_json(outcome, answer) : print_text(outcome, answer);
  return kExitOk;
}

}  // namespace stowage::cli
