#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/judged.h"

namespace stowage::cli {
namespace {

/// The largest resident size of this process in MiB, since reset_peak() where the system can forget (Linux).
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("VmHWM:")) continue;
    const std::size_t begin = line.find_first_of("0123456789");
    if (begin == std::string::npos) break;
    const auto kilobytes = parse_whole(line.substr(begin, line.find(" kB") - begin));
    if (kilobytes) return static_cast<double>(*kilobytes) / 1024;
  }
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void reset_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5";
}

struct Row {
  std::string instance;
  std::string planner;
  std::string status;
  std::uint64_t nodes = 0;
  std::optional<double> bound;
  std::optional<double> gap;
  // What the gap is of, and the bound on it, before the planners' bounds are shared this planner's; absent where the gap is no
  // share of a bound.
  std::optional<double> value;
  std::optional<double> value_bound;
  std::uint64_t seed = 0;
  std::uint64_t work = 0;
  std::uint64_t unplaced = 0;
  std::uint64_t violations = 0;
  double least_seconds = 0;
  double median_seconds = 0;
  double total_seconds = 0;
  double load_seconds = 0;
  double peak_mib = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// What a plan is judged by and its bound, where its gap is a share of the bound.
void judge(const wire::Plan& plan, Row& row) {
  const auto by = [&](double value, const wire::Bound* bound) {
    row.value = value;
    if (plan.soft() == static_cast<std::uint8_t>(wire::SoftPolicy::Price))
      *row.value += plan.soft_price() * std::max(0.0, plan.violation_cost());
    if (bound != nullptr) row.value_bound = bound->value();
  };
  switch (static_cast<wire::Objective>(plan.objective())) {
    case wire::Objective::Nodes:
      return by(plan.cost() >= 0 ? plan.cost() : static_cast<double>(row.nodes), bound_of(plan));
    case wire::Objective::Ucac:
      return by(plan.ucac(), plan.ucac_bound());
    case wire::Objective::Worst:
      return by(plan.max_cost(), plan.max_cost_bound());
    case wire::Objective::Total:
      return by(plan.total_cost(), plan.total_cost_bound());
    default:
      return;
  }
}

/// Gives all rows of an instance the best bound that any of them has: a bound of one planner holds for the plans of all.
void share_bounds(std::span<Row> rows) {
  std::optional<double> nodes;
  std::optional<double> value;
  for (const Row& row : rows) {
    if (row.bound) nodes = std::max(*row.bound, nodes.value_or(*row.bound));
    if (row.value_bound) value = std::max(*row.value_bound, value.value_or(*row.value_bound));
  }
  for (Row& row : rows) {
    row.bound = nodes;
    const bool is_better = row.value && value && row.value_bound != value;
    if (row.value) row.value_bound = value;
    if (is_better && *value > 0 && row.unplaced == 0) row.gap = std::max(0.0, *row.value - *value) / *value;
  }
}

Row measure(const Workload& workload, const std::string& planner, const BenchCommand& command, const Console& console) {
  Row row;
  row.instance = workload.source;
  row.planner = planner;
  row.load_seconds = workload.load_seconds;
  RequestOptions request = command.request;
  request.planner = planner;
  std::vector<double> planning;
  std::vector<double> total;
  reset_peak();
  for (std::uint32_t repeat = 0; repeat < command.repeat; ++repeat) {
    const PlanRun run = run_plan(workload, request, console);
    if (InterruptGuard::interrupted()) throw Failure("interrupted", kExitUnmet);
    planning.push_back(run.planning_seconds);
    total.push_back(run.seconds);
    if (repeat > 0) continue;
    const wire::Plan& plan = run.root();
    row.status = word_of<wire::PlanStatus>(plan.status());
    row.nodes = nodes_in_use(plan);
    if (plan.node_bound() != nullptr) row.bound = plan.node_bound()->value();
    if (plan.gap() >= 0) row.gap = plan.gap();
    row.seed = plan.seed();
    row.work = plan.work();
    judge(plan, row);
    row.unplaced = replicas_of(plan.unplaced());
    row.violations = verify_plan(workload.instance, run.plan.span()).body().violation_count();
  }
  row.peak_mib = peak_memory();
  row.least_seconds = *std::min_element(planning.begin(), planning.end());
  row.median_seconds = median(planning);
  row.total_seconds = median(total);
  return row;
}

GenerateOptions parse_generate(const std::string& text, const std::optional<std::string>& node) {
  GenerateOptions options;
  if (node) options.node = *node;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : part.substr(equals + 1));
    const auto refuse = [&] { throw Failure("--generate: " + std::string(part) + ": \"" + value + "\" is not possible here"); };
    if (key == "lras") {
      const auto apps = parse_whole(value);
      if (!apps || *apps == 0 || *apps > 10'000'000) refuse();
      options.apps = static_cast<std::uint32_t>(*apps);
    } else if (key == "density") {
      const auto density = parse_share(value);
      if (!density) refuse();
      options.density = *density;
    } else if (key == "graph") {
      options.graph = parse_graph(value);
    } else if (key == "seed") {
      const auto seed = parse_whole(value);
      if (!seed) refuse();
      options.seed = *seed;
    } else if (part == "profile") {
      options.profile = true;
    } else if (part == "independent-replicas") {
      options.independent_replicas = true;
    } else {
      throw Failure("--generate: \"" + std::string(key) + "\" is unknown" +
                    did_you_mean(key, {"lras", "density", "graph", "seed", "profile", "independent-replicas"}));
    }
  }
  if (options.apps == 0) throw Failure("--generate: has no lras=N");
  return options;
}

Workload generate_workload(const std::string& text, const BenchCommand& command) {
  InstanceBytes bytes(encode_instance(generate_instance(parse_generate(text, command.node.node))));
  const Stopwatch stopwatch;
  Instance instance = load_bytes(bytes, text);
  return {text, std::move(bytes), std::move(instance), stopwatch.seconds()};
}

std::string csv_row(const Row& row, CsvCells cells) {
  const auto known = [](const std::optional<double>& value) { return value ? shortest(*value) : std::string(); };
  return csv_line(
      {row.instance, row.planner, row.status, std::to_string(row.nodes), known(row.bound), known(row.gap),
       std::to_string(row.unplaced), std::to_string(row.violations), shortest(row.least_seconds), shortest(row.median_seconds),
       shortest(row.total_seconds), shortest(row.load_seconds), shortest(row.peak_mib), known(row.value),
       known(row.value_bound), std::to_string(row.seed), std::to_string(row.work)},
      cells);
}

void write_csv(const std::vector<Row>& rows, const std::string& path, CsvCells cells) {
  OutputFile out(path);
  out.write(
      std::string_view("instance,planner,status,nodes,lower_bound,gap,unplaced,violations,plan_seconds_min,plan_seconds_median,"
                       "call_seconds_median,load_seconds,peak_mib,value,bound,seed,work\n"));
  for (const Row& row : rows) out.write(csv_row(row, cells));
  out.commit();
}

void print_json(const std::vector<Row>& rows, const Console& console) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Row& row : rows) {
    json.line(2).begin_object();
    json.key("instance").text(row.instance).key("planner").text(row.planner).key("status").text(row.status);
    json.key("nodes").whole(row.nodes).number_or_null("lower_bound", row.bound);
    if (row.value) json.key("value").number(*row.value).number_or_null("bound", row.value_bound);
    json.number_or_null("gap", row.gap);
    json.key("unplaced").whole(row.unplaced).key("violations").whole(row.violations);
    json.key("seed").whole(row.seed).key("work").whole(row.work);
    json.key("seconds").begin_object().key("plan_min").number(row.least_seconds).key("plan_median").number(row.median_seconds);
    json.key("call_median").number(row.total_seconds).key("load").number(row.load_seconds).end_object();
    json.key("peak_mib").number(row.peak_mib).end_object();
  }
  json.line(0).end_array();
  console.out << text << '\n';
}

void print_text(const std::vector<Row>& rows, const Console& console) {
  // Where something else than nodes counts, it has a column of its own.
  const bool has_values = std::any_of(rows.begin(), rows.end(),
                                      [](const Row& row) { return row.value && *row.value != static_cast<double>(row.nodes); });
  std::vector<std::string> header = {"instance", "planner", "nodes"};
  if (has_values) header.emplace_back("value");
  header.insert(header.end(), {"at least", "gap", "unplaced", "plan min", "median", "call", "load", "peak MiB"});
  TextTable table(header);
  table.right_from(2);
  const auto known = [](const std::optional<double>& value) { return value ? for_people(*value, 4) : std::string("-"); };
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.instance, row.planner, std::to_string(row.nodes)};
    if (has_values) cells.push_back(known(row.value));
    cells.insert(cells.end(),
                 {known(row.value ? row.value_bound : row.bound), row.gap ? percent_text(*row.gap) : "-",
                  std::to_string(row.unplaced), duration_text(row.least_seconds), duration_text(row.median_seconds),
                  duration_text(row.total_seconds), duration_text(row.load_seconds), for_people(row.peak_mib, 0)});
    table.add(std::move(cells));
  }
  table.print(console, 0);
  console.out << toned(console, Tone::kFaint, "at least, gap: by the best bound of all planners of the table on the instance")
              << '\n'
              << toned(console, Tone::kFaint,
                       "plan: the planner alone; call: with bounds and the final check; load: reading and checking")
              << '\n';
}

}  // namespace

int run_bench_command(const BenchCommand& command, const Console& console) {
  if (command.files.empty() && command.generate.empty()) throw Failure("bench: name files, or --generate lras=N,density=D,...");
  if (command.planners.empty()) throw Failure("bench: --planners is needed, such as --planners ff,bfd-avg");
  const InterruptGuard guard;
  std::vector<Row> rows;
  std::uint64_t violations = 0;
  const auto bench = [&](const Workload& workload) {
    for (const std::string& planner : command.planners) {
      rows.push_back(measure(workload, planner, command, console));
      violations += rows.back().violations;
    }
    share_bounds(std::span(rows).last(command.planners.size()));
  };
  for (const std::string& file : command.files) bench(load_workload(file, command.node, console));
  for (const std::string& text : command.generate) bench(generate_workload(text, command));
  if (command.csv) write_csv(rows, *command.csv, command.cells);
  const Console answer = answer_console(console, {command.csv.value_or("")});
  command.summary == Summary::kJson ? print_json(rows, answer) : print_text(rows, answer);
  return violations > 0 ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
