#include "capi/cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>

#include "capi/cli/commands/commands.h"
#include "capi/cli/failure.h"
#include "capi/cli/json_text.h"
#include "capi/cli/plan_file.h"
#include "capi/cli/quantities.h"

namespace stowage::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  stowage example -o cluster.json          a small workload to read and to change
  stowage plan cluster.json                plan it, and see how good the plan is and why
  stowage plan TClab.csv --node cores=64,memory=128 --planner medea-tp --summary json
  stowage planners                         all planners

FILE is .stow (FlatBuffers), .json (for people) or .tsv (the layout of published workloads); "-" is standard input.
Exit codes: 0 done, 1 wrong usage or input, 2 replicas unplaced, cancelled or constraints broken, 3 a defect of Stowage.)";

constexpr const char* kPlanFooter = R"(Examples:
  stowage plan cluster.json --output plan.csv --output plan.stow
  stowage plan workload.tsv --node cores=64,memory=128Gi --planner bfd-avg
  stowage plan cluster.json --nodes 10 --deadline 5s --summary json
  stowage plan cluster.json --planner ffd-avg-degree --option alpha=0.5
  stowage example | stowage plan -

--summary json prints one object: planner, status, nodes, lower_bound, gap, placed, unplaced, violations, seed, seconds
{load, plan, verify}, cost where prices are given, and ucac, nodes_used and bound_ucac where demand is uncertain. Ctrl-C ends the run with the best plan so far; a second one at once.
Exit codes: 0 everything is placed, 1 wrong usage or input, 2 something is unplaced or the run was cancelled, 3 a defect.)";

constexpr const char* kVerifyFooter = R"(Examples:
  stowage verify cluster.json plan.csv
  stowage verify workload.tsv plan.stow --node cores=64,memory=128 --summary json

PLAN is what stowage plan --output wrote, or a CSV of your own with the header node,app,replicas, where nodes are listed nodes
by name or a class and a number, such as large-1.
Exit codes: 0 the plan holds, 1 wrong usage or input, 2 constraints are broken, 3 a defect.)";

constexpr const char* kBoundFooter = R"(Examples:
  stowage bound cluster.json
  stowage bound workload.tsv --node cores=64,memory=128 --summary json)";

constexpr const char* kExplainFooter = R"(Examples:
  stowage explain cluster.json plan.stow            why so many nodes, and why something is unplaced
  stowage explain cluster.json --nodes 3            plan onto three nodes first, then explain
  stowage explain cluster.json plan.csv --app web   where else one more replica of web could go)";

constexpr const char* kSessionFooter = R"(Examples:
  stowage session cluster.json script.jsonl -o evening.stow    carry out a file of commands, keep the cluster
  stowage session evening.stow                                 go on from there, with commands from standard input

A command is one JSON object a line, and so is its answer:
  {"op": "submit", "app": "web", "replicas": 3, "demand": {"cpu": 2, "memory": "4Gi"}, "max_per_node": 1, "limits": {"db": 0}}
  {"op": "scale", "app": "web", "replicas": 5}          remove, pin: app, node, replicas
  {"op": "add-node", "node": "n7", "class": "large"}    remove-node, cordon, uncordon, drain, fail, load
  {"op": "add-rule", "rule": {...}}                     remove-rule
  {"op": "batch", "operations": [...]}                  all of them or none
  {"op": "plan", "planner": "auto", "deadline": "1s"}   reject drops it
  {"op": "commit", "mode": "fitting"}                   exact (the default), whole, fitting
  {"op": "snapshot", "file": "noon.stow"}               status, show: app or node
docs/sessions.md tells the rest.
Exit codes: 0 everything was carried out, 1 a command was refused or wrong usage, 2 interrupted, 3 a defect.)";

constexpr const char* kPlannersFooter = R"(Examples:
  stowage planners
  stowage planners bfd-avg)";

constexpr const char* kConvertFooter = R"(Examples:
  stowage convert cluster.json cluster.stow
  stowage convert cluster.stow -                    print it as JSON
  stowage convert workload.csv workload.stow --node cores=64,memory=128
  stowage convert plan.stow plan.csv --instance cluster.json)";

constexpr const char* kImportFooter = R"(Examples:
  stowage import tianchi --apps app_resources.csv --interference app_interference.csv --deploy instance_deploy.csv \
      --machines machine_resources.csv -o cluster.stow
  stowage import tianchi --p0 --static --apps ... --interference ... --deploy ... -o static.tsv)";

constexpr const char* kGenerateFooter = R"(Examples:
  stowage generate --lras 9338 --density 1% --graph arbitrary --seed 1 -o workload.stow
  stowage generate --lras 100000 --density 0.005 --graph threshold --profile --seed 7 -o large.stow
  stowage generate --apps-from profiles.stow --lras 10000 --density 0.5% --profile --seed 3 -o sampled.stow
  stowage generate stochastic --services 20 --alpha 99.9% --case scale-up --seed 1 -o busy.stow
  stowage generate medea --utilization 30% --seed 1 -o tagged.stow)";

constexpr const char* kGenerateMedeaFooter = R"(Examples:
  stowage generate medea --utilization 30% -o tagged.stow
  stowage generate medea --nodes 5000 --utilization 2% --tensorflow --tasks 20% -o large.json

HBase and TensorFlow applications with soft placement rules, waiting for an empty cluster (or one with tasks), as in P2
("Medea: Scheduling of Long Running Applications in Shared Production Clusters", sections 7.1 and 7.4). docs/generate.md tells what
the rules are.)";

constexpr const char* kGenerateStochasticFooter = R"(Examples:
  stowage generate stochastic --services 17 --alpha 99.9% -o empty.stow
  stowage generate stochastic --services 5 --alpha 99% --case scale-down --seed 3 -o busy.json

Services whose usage of CPU varies, as P1 ("Solving the Batch Stochastic Bin Packing Problem in Cloud", section 6.1) draws them
from its table 5. The busy cases are made by planning an initial layout, of which each service then loses a part; wanted are 1.2
times (scale-up) or 0.9 times (scale-down) the initial containers. docs/generate.md tells what is drawn and how.)";

constexpr const char* kSimulateFooter = R"(Examples:
  stowage simulate busy.stow plan.stow
  stowage simulate cluster.json plan.csv --samples 100000 --summary json
  stowage simulate cluster.json plan.csv --measured usage.csv --csv nodes.csv

Draws what every replica uses, again and again, and counts how often a node's capacity is exceeded, with 95 % intervals (Wilson).
Replicas whose demand has a variance are drawn from a Gaussian within the demand's range; --measured FILE gives usages to draw
from instead: a CSV with the header app,usage (or app,resource,usage) and one measurement a line.
The same seed gives the same numbers with any number of threads.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, 3 a defect.)";

constexpr const char* kBenchFooter = R"(Examples:
  stowage bench workload.stow --planners ff,bfd-avg,wfd-avgexp --repeat 5
  stowage bench --generate lras=9338,density=1%,graph=arbitrary,seed=1 --planners ff --csv times.csv
  stowage bench TClab.csv --node cores=64,memory=128 --planners ff,medea-tp --summary json
  stowage bench paper --figures 4              published experiments; stowage bench paper --help tells more
  stowage bench stochastic --tables 2          the same for uncertain demand
  stowage bench medea --figures 9              and for placement rules)";

constexpr const char* kBenchPaperFooter = R"(Examples:
  stowage bench paper --figures 4 --apps 1000 --densities 1%,10% --graphs arbitrary
  stowage bench paper --figures 3,4,5 --seeds 10 --published published-results --output results
  stowage bench paper --figures 6 --planners ff,auto@10s,auto@60s --apps-from profiles.stow

P0 is "Affinity-Aware Resource Provisioning for Long-Running Applications in Shared Clusters". Without options this takes P0's
classes of instances at full size, one instance each. Ctrl-C ends it; what is done is shown, and kept with --output.
--published names a folder with P0's four result tables (density2D_64_128.csv, large2D_..., densityTS_..., largeTS_...).
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints, 3 a defect.)";

constexpr const char* kBenchStochasticFooter = R"(Examples:
  stowage bench stochastic --tables 2 --services 20 --alphas 99.9% --seeds 1
  stowage bench stochastic --output results --markdown page.md
  stowage bench stochastic --tables 3 --planners csp-ucac@300ms,csp-ucac@3s,csp-mac

P1 is "Solving the Batch Stochastic Bin Packing Problem in Cloud: A Chance-constrained Optimization Approach". Table 1: scale-down,
2: scale-up, 3: empty machines, 4: seven working days. What P1 prints stands beside. Usage is drawn for each plan (--samples), as
stowage simulate does. Ctrl-C ends it; what is done is shown, and kept with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints, 3 a defect.)";

constexpr const char* kBenchMedeaFooter = R"(Examples:
  stowage bench medea --figures 9 --utilizations 10%,50%,90%
  stowage bench medea --figures 11 --node-counts 500,5000 --planners medea-ilp@2s,tag-search
  stowage bench medea --output results --markdown page.md

P2 is "Medea: Scheduling of Long Running Applications in Shared Production Clusters". Figure 8: resilience, 9: violated rules by
utilization, load of tasks, applications per interval and per rule, 10: fragmentation and balance, 11: latency. Applications are
submitted interval by interval, planned all or nothing, and stay; docs/generate.md tells more. Ctrl-C ends it; what is done is shown,
and kept with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints, 3 a defect.)";

constexpr const char* kExampleFooter = R"(Examples:
  stowage example                  print it
  stowage example -o cluster.json  write it to a file)";

/// An argument as a shell takes it.
std::string shell_word(const std::string& argument) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string word = "'";
  for (const char letter : argument) {
    word += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return word + "'";
}

/// Milliseconds, at least one.
std::uint64_t parse_deadline(const std::string& text) {
  const auto parsed = parse_duration(text);
  if (!parsed) throw Failure("--deadline: \"" + text + "\" is not a duration (try \"10s\" or \"500ms\")");
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parsed->count()));
}

/// Texts of options that several commands share, turned into values once parsed.
struct RequestTexts {
  std::string planner = kDefaultPlanner;
  std::string objective = "nodes";
  std::string deadline;
  std::vector<std::string> options;

  void fill(RequestOptions& request) const {
    request.planner = planner;
    const auto found = find_objective(objective);
    if (!found) throw Failure("--objective: \"" + objective + "\" is not an objective; use nodes or ucac");
    request.objective = *found;
    if (!deadline.empty()) request.deadline_ms = parse_deadline(deadline);
    for (const std::string& option : options) {
      const std::size_t equals = option.find('=');
      const auto number =
          equals == std::string::npos ? std::nullopt : parse_number(std::string_view(option).substr(equals + 1));
      if (!number) throw Failure("--option: \"" + option + "\" is not NAME=NUMBER (such as alpha=0.5)");
      request.options.emplace_back(option.substr(0, equals), *number);
    }
  }
};

class App {
 public:
  explicit App(const Console& console) : console_(console) {
    app_.footer(kFooter);
    app_.require_subcommand(0, 1);
    app_.set_help_all_flag("--help-all", "Help for all commands");
    app_.set_version_flag("--version", std::string("stowage ") + stowage::version());
    add_plan();
    add_verify();
    add_bound();
    add_explain();
    add_planners();
    add_session();
    add_convert();
    add_import();
    add_generate();
    add_simulate();
    add_bench();
    add_example();
  }

  int run(std::vector<std::string> arguments) {
    for (const std::string& argument : arguments) {
      // Going on after a break is no part of what is measured.
      if (argument != "--resume") command_line_ += " " + shell_word(argument);
    }
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app_.parse(arguments);
    } catch (const CLI::Success& success) {
      app_.exit(success, console_.out, console_.err);
      return kExitOk;
    } catch (const CLI::ParseError& error) {
      console_.err << "stowage: " << error.what() << unknown_command_hint()
                   << "\nstowage --help, or stowage COMMAND --help, shows what is possible\n";
      return kExitInput;
    }
    if (!action_) {
      console_.out << app_.help();
      return kExitOk;
    }
    return action_();
  }

 private:
  using Action = std::function<int()>;

  /// A subcommand; what `action` does comes after parsing.
  CLI::App* command(CLI::App& parent, const char* name, const char* summary, const char* footer, Action action) {
    CLI::App* sub = parent.add_subcommand(name, summary);
    sub->footer(footer);
    sub->callback([this, action = std::move(action)] { action_ = action; });
    return sub;
  }

  [[nodiscard]] std::string unknown_command_hint() const {
    const std::vector<std::string> remaining = app_.remaining();
    if (remaining.empty() || !app_.get_subcommands().empty()) return {};
    std::vector<std::string> names;
    for (const CLI::App* sub : app_.get_subcommands(nullptr)) names.push_back(sub->get_name());
    return did_you_mean(remaining.front(), {names.begin(), names.end()});
  }

  static void add_summary(CLI::App* sub, Summary& summary) {
    sub->add_option("--summary", summary, "What to print: text or json")
        ->transform(CLI::CheckedTransformer(std::map<std::string, Summary>{{"text", Summary::kText}, {"json", Summary::kJson}},
                                            CLI::ignore_case))
        ->option_text("text|json");
  }

  static void add_node(CLI::App* sub, std::optional<std::string>& node) {
    sub->add_option("--node", node, "Capacity of the nodes, instead of the node classes in FILE: as many such nodes as needed")
        ->option_text("cores=64,memory=128");
  }

  static void add_request(CLI::App* sub, RequestOptions& request, RequestTexts& texts) {
    sub->add_option("--planner", texts.planner, "Which planner; stowage planners lists them")
        ->option_text("NAME")
        ->capture_default_str();
    sub->add_option("--nodes", request.node_limit, "Use at most so many nodes")->option_text("N");
    sub->add_option("--deadline", texts.deadline, "End after this time with the best plan so far")->option_text("10s|500ms");
    sub->add_option("--seed", request.seed, "Seed of the planner's random choices")->option_text("N");
    sub->add_option("--threads", request.threads, "Threads to use: auto searches by as many seeds (its option portfolio)")
        ->option_text("N");
    sub->add_option("--work", request.work_limit, "End after so many work units: repeats a run that recorded them")
        ->option_text("N");
    sub->add_option("--option", texts.options, "An option of the planner; may be given several times")
        ->option_text("NAME=NUMBER")
        ->allow_extra_args(false);
    sub->add_flag("--ignore-running", request.ignore_running, "Plan running replicas anew, as if they ran nowhere");
    sub->add_option("--moves", request.move_budget, "How many running replicas may move")->option_text("N");
    sub->add_flag("--all-or-nothing", request.all_or_nothing,
                  "Place applications (apps that share a tag appID:...) as a whole or not at all");
    sub->add_flag("--compact", request.compact, "List new nodes that hold the same once, with their number");
    sub->add_option("--objective", texts.objective,
                    "What to make small: nodes, or, where demand is uncertain, ucac (used capacity at confidence)")
        ->option_text("nodes|ucac")
        ->capture_default_str();
  }

  static void add_file(CLI::App* sub, std::string& file) {
    sub->add_option("FILE", file, "The instance: .stow, .json or .tsv; - is standard input")->required()->option_text(" ");
  }

  void add_plan() {
    CLI::App* sub = command(app_, "plan", "Plan where the replicas of an instance run", kPlanFooter, [this] {
      texts_.fill(plan_.request);
      return run_plan_command(plan_, console_);
    });
    add_file(sub, plan_.file);
    add_request(sub, plan_.request, texts_);
    add_node(sub, plan_.node);
    sub->add_option("-o,--output", plan_.outputs, "Write the plan to a file; may be given several times")
        ->option_text("PLAN.{stow,json,csv}")
        ->allow_extra_args(false);
    add_summary(sub, plan_.summary);
  }

  void add_verify() {
    CLI::App* sub = command(app_, "verify", "Check a plan against an instance, independently of the planners", kVerifyFooter,
                            [this] { return run_verify_command(verify_, console_); });
    add_file(sub, verify_.file);
    sub->add_option("PLAN", verify_.plan, "The plan: .stow, .json or .csv")->required()->option_text(" ");
    add_node(sub, verify_.node);
    add_summary(sub, verify_.summary);
  }

  void add_bound() {
    CLI::App* sub = command(app_, "bound", "Lower bounds on the nodes (and the cost) of any plan", kBoundFooter,
                            [this] { return run_bound_command(bound_, console_); });
    add_file(sub, bound_.file);
    add_node(sub, bound_.node);
    add_summary(sub, bound_.summary);
  }

  void add_explain() {
    CLI::App* sub =
        command(app_, "explain", "Explain a plan: why so many nodes, and why something is unplaced", kExplainFooter, [this] {
          texts_.fill(explain_.request);
          return run_explain_command(explain_, console_);
        });
    add_file(sub, explain_.file);
    sub->add_option("PLAN", explain_.plan, "The plan; without it, one is made")->option_text(" ");
    sub->add_option("--app", explain_.app, "Explain this app, placed or not")->option_text("NAME");
    add_request(sub, explain_.request, texts_);
    add_node(sub, explain_.node);
    add_summary(sub, explain_.summary);
  }

  void add_session() {
    CLI::App* sub = command(app_, "session", "A cluster over time: operations, planned interval by interval", kSessionFooter,
                            [this] { return run_session_command(session_, console_); });
    sub->add_option("FILE", session_.file, "The cluster: an instance, or a snapshot of a session")
        ->required()
        ->option_text(" ");
    sub->add_option("SCRIPT", session_.script, "The commands, one JSON object a line; - is standard input")
        ->option_text(" ")
        ->capture_default_str();
    sub->add_option("-o,--output", session_.output, "Write a snapshot at the end")->option_text("FILE.stow");
    sub->add_flag("--stop", session_.stop, "End at the first command that is refused");
  }

  void add_planners() {
    CLI::App* sub = command(app_, "planners", "List the planners, or tell more about one", kPlannersFooter,
                            [this] { return run_planners_command(planners_, console_); });
    sub->add_option("NAME", planners_.name, "One planner")->option_text(" ");
    add_summary(sub, planners_.summary);
  }

  void add_convert() {
    CLI::App* sub = command(app_, "convert", "Convert instances and plans between formats", kConvertFooter,
                            [this] { return run_convert_command(convert_, console_); });
    sub->add_option("FROM", convert_.from, "An instance (.stow, .json, .tsv) or a plan (.stow, .json, .csv)")
        ->required()
        ->option_text(" ");
    sub->add_option("TO", convert_.to, "The file to write; its extension names the format")->required()->option_text(" ");
    add_node(sub, convert_.node);
    sub->add_option("--instance", convert_.instance, "The instance that a plan is for")->option_text("FILE");
  }

  void add_import() {
    CLI::App* import = app_.add_subcommand("import", "Import published workloads");
    import->require_subcommand(1);
    CLI::App* sub = command(*import, "tianchi", "The raw files of the Alibaba Tianchi 2018 scheduling data", kImportFooter,
                            [this] { return run_import_tianchi_command(tianchi_, console_); });
    TianchiOptions& options = tianchi_.options;
    sub->add_option("--apps", options.apps, "app_resources: CPU and memory samples, disk, P, M, PM")
        ->required()
        ->option_text("FILE");
    sub->add_option("--interference", options.interference, "app_interference: app, app, limit")
        ->required()
        ->option_text("FILE");
    sub->add_option("--deploy", options.deploy, "instance_deploy: instance, app, machine")->required()->option_text("FILE");
    sub->add_option("--machines", options.machines, "machine_resources: machine and its capacities")->option_text("FILE");
    CLI::Option* fixed = sub->add_flag("--static", options.fixed, "One period with the largest demand over time");
    sub->add_flag("--profile", profile_, "One period per sample (the default)")->excludes(fixed);
    sub->add_flag("--ceil", options.round_up, "Round demand up to whole numbers");
    sub->add_option("--resources", options.resources, "Keep only these resources, of cpu, memory, disk, P, M, PM")
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--node", options.node,
                    "As many nodes of this capacity as needed, instead of the machines and what runs there")
        ->option_text("cores=64,memory=128");
    sub->add_flag(
        "--p0", options.p0,
        "P0's setting: cpu and memory on nodes of 64 cores and 128 GiB, no limits of apps on themselves, static demand "
        "rounded up");
    sub->add_option("-o,--output", tianchi_.output, "The file to write: .stow, .json or .tsv")->required()->option_text("FILE");
  }

  void add_generate() {
    CLI::App* sub = command(app_, "generate", "Make a workload like the published ones", kGenerateFooter, [this] {
      if (generate_stochastic_app_->parsed()) return run_generate_stochastic();
      if (generate_medea_app_->parsed()) return run_generate_medea();
      // Required here and not by the parser, which would ask for them beside a subcommand as well.
      for (const auto& [option, given] : {std::pair{"--lras", generate_.options.apps > 0 || generate_.apps_file},
                                          {"--density", !density_.empty()},
                                          {"--output", !generate_.output.empty()}}) {
        if (!given) throw Failure(std::string(option) + " is required; stowage generate --help tells more");
      }
      const auto density = parse_share(density_);
      if (!density) throw Failure("--density: \"" + density_ + "\" is not a share (try \"1%\" or \"0.01\")");
      generate_.options.density = *density;
      generate_.options.graph = parse_graph(graph_);
      return run_generate_command(generate_, console_);
    });
    generate_stochastic_app_ = sub->add_subcommand("stochastic", "Services whose usage varies, on empty or busy machines");
    add_generate_stochastic(generate_stochastic_app_);
    generate_medea_app_ = sub->add_subcommand("medea", "Applications with placement rules, for a cluster in racks");
    add_generate_medea(generate_medea_app_);
    GenerateOptions& options = generate_.options;
    sub->add_option("--lras", options.apps, "Number of apps")->check(CLI::Range(1, 10'000'000))->option_text("N");
    sub->add_option("--density", density_, "Affinity limits per app, divided by the number of apps")->option_text("1%|0.01");
    sub->add_option("--graph", graph_, "Kind of affinity graph")
        ->option_text("arbitrary|normal|threshold")
        ->capture_default_str();
    sub->add_flag("--profile", options.profile, "Demand over 98 periods instead of its rounded maximum");
    CLI::Option* independent =
        sub->add_flag("--independent-replicas", options.independent_replicas,
                      "Draw replicas independently of sizes, as P0 did for 10,000 apps and more; else large apps have more");
    sub->add_option(
           "--apps-from", generate_.apps_file,
           "Take the apps from an instance, as P0 did; with another number of apps, demand and replicas of random ones")
        ->excludes(independent)
        ->option_text("FILE");
    sub->add_option("--seed", options.seed, "The same seed gives the same workload everywhere")->option_text("N");
    sub->add_option("--node", options.node, "Capacity of the nodes")->option_text("cores=64,memory=128");
    sub->add_option("-o,--output", generate_.output, "The file to write: .stow, .json or .tsv")->option_text("FILE");
  }

  void add_generate_stochastic(CLI::App* sub) {
    sub->footer(kGenerateStochasticFooter);
    stochastic::ClusterOptions& options = generate_stochastic_.options;
    sub->add_option("--services", options.services, "Number of services")
        ->required()
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("K");
    sub->add_option("--alpha", alpha_, "Probability that a machine's capacity holds")->required()->option_text("99.9%|0.999");
    sub->add_option("--case", case_, "Machines where nothing runs, or busy ones")
        ->option_text("empty|scale-up|scale-down")
        ->capture_default_str();
    sub->add_option("--nodes", options.machines, "Number of machines, of 31.58 cores")
        ->check(CLI::Range(1, 10'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--layout", options.layout, "Planner of the initial layout of busy machines")
        ->option_text("PLANNER")
        ->capture_default_str();
    sub->add_option("--seed", options.seed, "The same seed gives the same workload")->option_text("N");
    sub->add_option("-o,--output", generate_stochastic_.output, "The file to write: .stow or .json")
        ->required()
        ->option_text("FILE");
  }

  void add_generate_medea(CLI::App* sub) {
    sub->footer(kGenerateMedeaFooter);
    medea::ClusterOptions& options = generate_medea_.options;
    sub->add_option("--nodes", options.nodes, "Number of nodes, of 8 cores and 16 GiB")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--racks", options.racks, "Number of racks")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--utilization", medea_texts_.utilization, "Share of the cores that the applications want")
        ->required()
        ->option_text("30%|0.3");
    sub->add_option("--tasks", medea_texts_.tasks, "Share of the cores that tasks use already; 0 without it")
        ->option_text("20%|0.2");
    sub->add_option("--complexity", options.complexity, "So many HBase instances have a rule in common")
        ->check(CLI::Range(1, 1'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_flag("--tensorflow", options.tensorflow, "Every second application is TensorFlow, instead of HBase");
    sub->add_option("--seed", options.seed, "The same seed gives the same tasks")->option_text("N")->capture_default_str();
    sub->add_option("-o,--output", generate_medea_.output, "The file to write: .stow or .json")
        ->required()
        ->option_text("FILE");
  }

  int run_generate_medea() {
    const auto share = [](const std::string& option, const std::string& text) {
      const auto value = parse_share(text);
      if (!value || *value > 1) throw Failure(option + ": \"" + text + "\" is not a share (try \"30%\" or \"0.3\")");
      return *value;
    };
    generate_medea_.utilization = share("--utilization", medea_texts_.utilization);
    if (!medea_texts_.tasks.empty()) generate_medea_.options.task_load = share("--tasks", medea_texts_.tasks);
    return run_generate_medea_command(generate_medea_, console_);
  }

  /// A probability between 0 and 1.
  static double parse_confidence(const std::string& option, const std::string& text) {
    const auto share = parse_share(text);
    if (!share || *share <= 0 || *share >= 1) {
      throw Failure(option + ": \"" + text + "\" is not a probability between 0 and 1 (try \"99.9%\" or \"0.999\")");
    }
    return *share;
  }

  int run_generate_stochastic() {
    generate_stochastic_.options.confidence = parse_confidence("--alpha", alpha_);
    generate_stochastic_.options.of = stochastic::parse_case(case_);
    return run_generate_stochastic_command(generate_stochastic_, console_);
  }

  void add_simulate() {
    CLI::App* sub =
        command(app_, "simulate", "Draw what replicas use, and count how often nodes are exceeded", kSimulateFooter, [this] {
          simulate_.options.model = stochastic::parse_usage_model(usage_);
          return run_simulate_command(simulate_, console_);
        });
    add_file(sub, simulate_.file);
    sub->add_option("PLAN", simulate_.plan, "The plan: .stow, .json or .csv")->required()->option_text(" ");
    stochastic::SimulationOptions& options = simulate_.options;
    sub->add_option("--samples", options.samples, "How often the usage of all replicas is drawn")
        ->check(CLI::Range(1, 100'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--usage", usage_, "Gaussian usage outside of its range is drawn anew, moved to the range's end, or kept")
        ->option_text("truncated|clamped|gaussian")
        ->capture_default_str();
    sub->add_option("--measured", simulate_.measured, "CSV with measured usage: app,usage or app,resource,usage")
        ->option_text("FILE");
    sub->add_option("--seed", options.seed, "Seed of the draws")->option_text("N");
    sub->add_option("--threads", options.threads,
                    "Threads to use, one per processor without it; the numbers do not depend on it")
        ->check(CLI::Range(1, 1'000))
        ->option_text("N");
    sub->add_option("--csv", simulate_.csv, "Write every node to a file")->option_text("FILE");
    add_node(sub, simulate_.node);
    add_summary(sub, simulate_.summary);
  }

  void add_bench() {
    CLI::App* sub = command(app_, "bench", "Compare planners: nodes, gap, time and memory", kBenchFooter, [this] {
      if (bench_paper_app_->parsed()) return run_bench_paper();
      if (bench_stochastic_app_->parsed()) return run_bench_stochastic();
      if (bench_medea_app_->parsed()) return run_bench_medea();
      texts_.fill(bench_.request);
      return run_bench_command(bench_, console_);
    });
    bench_paper_app_ = sub->add_subcommand("paper", "Repeat the experiments of P0's figures 3 to 7");
    add_bench_paper(bench_paper_app_);
    bench_stochastic_app_ = sub->add_subcommand("stochastic", "Repeat the experiments of P1's tables 1 to 4");
    add_bench_stochastic(bench_stochastic_app_);
    bench_medea_app_ = sub->add_subcommand("medea", "Repeat the experiments of P2's figures 8 to 11");
    add_bench_medea(bench_medea_app_);
    sub->add_option("FILES", bench_.files, "Instances")->option_text(" ");
    sub->add_option("--generate", bench_.generate, "Make an instance; may be given several times")
        ->option_text("lras=N,density=D,graph=G,seed=S[,profile][,independent-replicas]")
        ->allow_extra_args(false);
    sub->add_option("--planners", bench_.planners, "Planners to compare")->delimiter(',')->option_text("A,B,C");
    sub->add_option("--repeat", bench_.repeat, "Runs per planner and instance")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--option", texts_.options, "An option of the planners")
        ->option_text("NAME=NUMBER")
        ->allow_extra_args(false);
    sub->add_option("--nodes", bench_.request.node_limit, "Use at most so many nodes")->option_text("N");
    sub->add_option("--deadline", texts_.deadline, "End each run after this time")->option_text("10s|500ms");
    sub->add_option("--seed", bench_.request.seed, "Seed of the planners' random choices")->option_text("N");
    sub->add_option("--threads", bench_.request.threads, "Threads to use")->option_text("N");
    sub->add_option("--work", bench_.request.work_limit, "End each run after so many work units")->option_text("N");
    add_node(sub, bench_.node);
    sub->add_option("--csv", bench_.csv, "Write the table to a file")->option_text("FILE");
    add_summary(sub, bench_.summary);
  }

  void add_bench_paper(CLI::App* sub) {
    sub->footer(kBenchPaperFooter);
    BenchPaperCommand& bench = bench_paper_;
    sub->add_option("--figures", bench.figures, "Which figures; without it all, 3 to 7")->delimiter(',')->option_text("LIST");
    sub->add_option("--graphs", paper_texts_.graphs, "Kinds of affinity graphs; without it all three")
        ->delimiter(',')
        ->option_text("LIST");
    CLI::Option* apps = sub->add_option("--apps", bench.scale.apps, "Number of apps in figures 3, 4 and 6; 9338 without it")
                            ->check(CLI::Range(1, 10'000'000))
                            ->option_text("N");
    sub->add_option("--densities", paper_texts_.densities,
                    "Densities of affinity limits in figures 3, 4 and 6; 1%, 5% and 10% without it")
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--app-counts", bench.scale.app_counts,
                    "Numbers of apps in figures 5 and 7, at density 0.5%; 10000, 50000 and 100000 without it")
        ->check(CLI::Range(1, 10'000'000))
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--apps-from", bench.apps_file,
                    "Take the apps from an instance, as P0 did; in figures 5 and 7, demand and replicas of random ones")
        ->excludes(apps)
        ->option_text("FILE");
    sub->add_option("--planners", bench.planners, "Planners instead of the figure's own; NAME@10s sets a planner's deadline")
        ->delimiter(',')
        ->option_text("A,B@10s");
    sub->add_option("--also", bench.also, "Planners beside the figure's own")->delimiter(',')->option_text("A,B@10s");
    sub->add_option("--published", bench.published, "Folder with P0's result tables, to be shown beside")->option_text("DIR");
    add_experiment(sub, bench);
  }

  void add_bench_stochastic(CLI::App* sub) {
    sub->footer(kBenchStochasticFooter);
    BenchStochasticCommand& bench = bench_stochastic_;
    sub->add_option("--tables", bench.tables, "Which tables; without it all, 1 to 4")->delimiter(',')->option_text("LIST");
    sub->add_option("--services", stochastic_texts_.services,
                    "Numbers of services in tables 1 to 3; 5, 10, 15 and 20 without it")
        ->check(CLI::Range(1, 1'000'000))
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--alphas", stochastic_texts_.alphas,
                    "Probabilities that a machine's capacity holds, in tables 1 to 3; 99.9% and 99% without it")
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--machines", bench.scale.machines, "Machines of the cluster; 4000 without it")
        ->check(CLI::Range(1, 10'000'000))
        ->option_text("N");
    sub->add_option("--days", bench.scale.days, "Days in table 4; 7 without it")->check(CLI::Range(1, 365))->option_text("N");
    sub->add_option("--planners", bench.planners,
                    "Planners instead of the table's own; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline")
        ->delimiter(',')
        ->option_text("A,B:n=2@10s");
    sub->add_option("--layout", bench.layout, "Planner of the initial layouts of busy machines; csp-ucac without it")
        ->option_text("PLANNER");
    sub->add_option("--samples", bench.samples, "How often usage is drawn for each plan; 1000 without it")
        ->check(CLI::Range(1, 100'000'000))
        ->option_text("N");
    sub->add_option("--usage", usage_, "How usage is drawn; stowage simulate --help tells more")
        ->option_text("truncated|clamped|gaussian");
    add_experiment(sub, bench);
  }

  void add_bench_medea(CLI::App* sub) {
    sub->footer(kBenchMedeaFooter);
    BenchMedeaCommand& bench = bench_medea_;
    sub->add_option("--figures", bench.figures, "Which figures; without it all, 8 to 11")->delimiter(',')->option_text("LIST");
    sub->add_option("--nodes", bench.scale.nodes, "Nodes of the cluster in figures 9 and 10; 500 without it")
        ->check(CLI::Range(10, 1'000'000))
        ->option_text("N");
    sub->add_option("--utilizations", medea_texts_.utilizations, "Utilizations in figures 9a and 10; 10% to 90% without it")
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--node-counts", medea_texts_.node_counts, "Nodes in figure 11; 50, 500, 1000 and 5000 without it")
        ->check(CLI::Range(10, 1'000'000))
        ->delimiter(',')
        ->option_text("LIST");
    sub->add_option("--planners", bench.planners,
                    "Planners instead of P2's and tag-search; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline")
        ->delimiter(',')
        ->option_text("A,B:gap=0.01@10s");
    add_experiment(sub, bench);
  }

  int run_bench_medea() {
    BenchMedeaCommand& bench = bench_medea_;
    if (bench.figures.empty()) bench.figures = {8, 9, 10, 11};
    if (!medea_texts_.utilizations.empty()) bench.scale.utilizations.clear();
    for (const std::string& text : medea_texts_.utilizations) {
      const auto share = parse_share(text);
      if (!share || *share <= 0 || *share > 1) {
        throw Failure("--utilizations: \"" + text + "\" is not a share above 0 (try \"30%\" or \"0.3\")");
      }
      bench.scale.utilizations.push_back(*share);
    }
    if (!medea_texts_.node_counts.empty()) {
      bench.scale.node_counts.assign(medea_texts_.node_counts.begin(), medea_texts_.node_counts.end());
    }
    finish_experiment(bench);
    return run_bench_medea_command(bench, console_);
  }

  /// Options that all repeated experiments have.
  void add_experiment(CLI::App* sub, paper::ExperimentCommand& bench) {
    sub->add_option("--seeds", bench.seeds, "Instances per class; " + std::to_string(bench.seeds) + " without it")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N");
    sub->add_option("--deadline", experiment_deadline_,
                    "End each run after this time; " + std::to_string(bench.deadline_ms / 1000) + "s without it")
        ->option_text("10s|500ms");
    sub->add_option("--repeat", bench.repeat, "Where a run is short, the fastest of at most so many counts; 3 without it")
        ->check(CLI::Range(1, 1'000))
        ->option_text("N");
    sub->add_option("-o,--output", bench.output, "Write all runs, a summary (CSV) and charts (SVG) into this folder")
        ->option_text("DIR");
    sub->add_flag("--resume", bench.resume, "Go on where an earlier command with the same --output ended");
    sub->add_flag("--no-charts", bench.no_charts, "Draw no charts");
    sub->add_option("--markdown", bench.markdown, "Write the tables as Markdown, into their place where FILE has one")
        ->option_text("FILE");
    add_summary(sub, bench.summary);
  }
  void finish_experiment(paper::ExperimentCommand& bench) const {
    bench.command_line = command_line_;
    if (!experiment_deadline_.empty()) bench.deadline_ms = parse_deadline(experiment_deadline_);
    if (bench.resume && !bench.output) throw Failure("--resume: needs --output, the folder to go on in");
  }

  int run_bench_stochastic() {
    BenchStochasticCommand& bench = bench_stochastic_;
    if (bench.tables.empty()) bench.tables = {1, 2, 3, 4};
    if (!stochastic_texts_.services.empty()) bench.scale.services = stochastic_texts_.services;
    if (!stochastic_texts_.alphas.empty()) bench.scale.confidences.clear();
    for (const std::string& text : stochastic_texts_.alphas) {
      bench.scale.confidences.push_back(parse_confidence("--alphas", text));
    }
    bench.usage = stochastic::parse_usage_model(usage_);
    finish_experiment(bench);
    return run_bench_stochastic_command(bench, console_);
  }

  int run_bench_paper() {
    BenchPaperCommand& bench = bench_paper_;
    if (bench.figures.empty()) bench.figures = {3, 4, 5, 6, 7};
    if (!paper_texts_.graphs.empty()) bench.scale.graphs.clear();
    for (const std::string& word : paper_texts_.graphs) bench.scale.graphs.push_back(parse_graph(word));
    if (!paper_texts_.densities.empty()) bench.scale.densities.clear();
    for (const std::string& text : paper_texts_.densities) {
      const auto density = parse_share(text);
      if (!density) throw Failure("--densities: \"" + text + "\" is not a share (try \"1%\" or \"0.01\")");
      bench.scale.densities.push_back(*density);
    }
    finish_experiment(bench);
    return run_bench_paper_command(bench, console_);
  }

  void add_example() {
    CLI::App* sub = command(app_, "example", "Print a small workload to start from", kExampleFooter,
                            [this] { return run_example_command(example_, console_); });
    sub->add_option("-o,--output", example_.output, "Write it to a file instead")->option_text("FILE");
  }

  const Console& console_;
  CLI::App app_{"Plan where long-running applications run, before they run.", "stowage"};
  Action action_;
  RequestTexts texts_;
  PlanCommand plan_;
  VerifyCommand verify_;
  BoundCommand bound_;
  ExplainCommand explain_;
  PlannersCommand planners_;
  SessionCommandLine session_;
  ConvertCommand convert_;
  ImportTianchiCommand tianchi_;
  bool profile_ = false;  ///< the default, so that only its conflict with --static counts
  GenerateCommand generate_;
  std::string density_;
  std::string graph_ = "arbitrary";
  CLI::App* generate_stochastic_app_ = nullptr;
  GenerateStochasticCommand generate_stochastic_;
  CLI::App* generate_medea_app_ = nullptr;
  GenerateMedeaCommand generate_medea_;
  std::string alpha_;
  std::string case_ = "empty";
  SimulateCommand simulate_;
  std::string usage_ = "truncated";
  BenchCommand bench_;
  std::string command_line_ = "stowage";
  CLI::App* bench_paper_app_ = nullptr;
  BenchPaperCommand bench_paper_;
  CLI::App* bench_stochastic_app_ = nullptr;
  BenchStochasticCommand bench_stochastic_;
  CLI::App* bench_medea_app_ = nullptr;
  BenchMedeaCommand bench_medea_;
  struct {
    std::string utilization;
    std::string tasks;
    std::vector<std::string> utilizations;
    std::vector<std::uint32_t> node_counts;
  } medea_texts_;
  struct {
    std::vector<std::uint32_t> services;
    std::vector<std::string> alphas;
  } stochastic_texts_;
  struct {
    std::vector<std::string> graphs;
    std::vector<std::string> densities;
  } paper_texts_;
  std::string experiment_deadline_;
  ExampleCommand example_;
};

}  // namespace

int run_app(const std::vector<std::string>& arguments, const Console& console) {
  try {
    return App(console).run(arguments);
  } catch (const Failure& failure) {
    console.err << "stowage: " << failure.what() << '\n';
    return failure.exit_code();
  } catch (const std::bad_alloc&) {
    console.err << "stowage: out of memory\n";
    return kExitInternal;
  } catch (const std::exception& defect) {
    console.err << "stowage: a defect of Stowage, please report it: " << defect.what() << '\n';
    return kExitInternal;
  }
}

}  // namespace stowage::cli
