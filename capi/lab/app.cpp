#include "capi/lab/app.h"

#include "capi/cli/command_line.h"
#include "capi/cli/generate/lras/lras.h"
#include "capi/cli/generate/packing.h"
#include "capi/cli/usage/values.h"
#include "capi/lab/clusters/bench.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/help.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

class App final : public CommandLine {
 public:
  explicit App(const Console& console)
      : CommandLine(console, "Repeat experiments with Stowage, and import published data.", help::kLab) {
    CLI::App* bench = app().add_subcommand("bench", "Repeat experiments, published ones among them");
    bench->require_subcommand(1);
    add_bench_paper(*bench);
    add_bench_stochastic(*bench);
    add_bench_medea(*bench);
    add_bench_clusters(*bench);
    add_bench_packing(*bench);
    add_bench_colocation(*bench);
    add_bench_devices(*bench);
    add_bench_lrasched(*bench);
    add_bench_usage(*bench);
    add_bench_sizes(*bench);
    CLI::App* generate = app().add_subcommand("generate", "Generate data to learn from");
    generate->require_subcommand(1);
    add_generate_usage(*generate);
    add_generate_profiles(*generate);
    CLI::App* draw = app().add_subcommand("draw", "Draw what is learned");
    draw->require_subcommand(1);
    add_draw_curve(*draw);
    CLI::App* import = app().add_subcommand("import", "Import published workloads");
    import->require_subcommand(1);
    add_import_tianchi(*import);
    add_import_gavel(*import);
    add_import_rasa(*import);
  }

 private:
  void add_bench_paper(CLI::App& parent) {
    CLI::App* sub = command(parent, "paper", "Repeat the experiments of P0's figures 3 to 7", help::kBenchPaper,
                            [this] { return run_bench_paper(); });
    BenchPaperCommand& bench = paper_;
    list_option(sub, "--figures", bench.figures, "Figures to repeat", "LIST", "3,4,5,6,7");
    list_option(sub, "--graphs", graphs_, "Kinds of affinity graphs", "LIST", "arbitrary,normal,threshold");
    CLI::Option* apps =
        option(sub, "--apps", bench.scale.apps, "Number of apps in figures 3, 4 and 6", "N", kOwn, whole_number(1, 10'000'000));
    list_option(sub, "--densities", densities_, "Densities of affinity limits in figures 3, 4 and 6", "LIST", "1%,5%,10%");
    list_option(sub, "--app-counts", bench.scale.app_counts, "Numbers of apps in figures 5 and 7, at density 0.5%", "LIST",
                "10000,50000,100000", whole_number(1, 10'000'000));
    option(sub, "--apps-from", bench.apps_file,
           "Instance to take the apps from, as P0 did; in figures 5 and 7 each app has the demand of a random one and "
           "the replicas of another",
           "FILE")
        ->excludes(apps);
    list_option(sub, "--planners", bench.planners, "Planners to compare; NAME@10s sets a planner's deadline", "A,B@10s",
                "the figure's own");
    list_option(sub, "--also", bench.also, "Planners to compare beside the figure's own", "A,B@10s");
    option(sub, "--published", bench.published, "Folder with P0's result tables, whose means then stand beside", "DIR");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_stochastic(CLI::App& parent) {
    CLI::App* sub = command(parent, "stochastic", "Repeat the experiments of P1's tables 1 to 4", help::kBenchStochastic,
                            [this] { return run_bench_stochastic(); });
    BenchStochasticCommand& bench = stochastic_;
    list_option(sub, "--tables", bench.tables, "Tables to repeat", "LIST", "1,2,3,4");
    list_option(sub, "--services", services_, "Numbers of services in tables 1 to 3", "LIST", "5,10,15,20",
                whole_number(1, 1'000'000));
    list_option(sub, "--alphas", alphas_, "Probabilities that a machine's capacity holds, in tables 1 to 3", "LIST",
                "99.9%,99%");
    option(sub, "--machines", bench.scale.machines, "Number of machines of the cluster", "N", kOwn,
           whole_number(1, 10'000'000));
    option(sub, "--days", bench.scale.days, "Number of days in table 4", "N", kOwn, whole_number(1, 365));
    list_option(sub, "--planners", bench.planners,
                "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline", "A,B:n=2@10s",
                "the table's own");
    option(sub, "--layout", bench.layout, "Planner of the initial layouts of busy machines", "PLANNER",
           stochastic::ClusterOptions().layout);
    option(sub, "--samples", bench.samples, "Number of times that usage is drawn for each plan", "N", kOwn,
           whole_number(1, 100'000'000));
    option(sub, "--usage", usage_, "How usage is drawn; stowage simulate --help explains the three ways",
           "truncated|clamped|gaussian", kOwn);
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_medea(CLI::App& parent) {
    CLI::App* sub = command(parent, "medea", "Repeat the experiments of P2's figures 8 to 11", help::kBenchMedea,
                            [this] { return run_bench_medea(); });
    BenchMedeaCommand& bench = medea_;
    list_option(sub, "--figures", bench.figures, "Figures to repeat", "LIST", "8,9,10,11");
    option(sub, "--nodes", bench.scale.nodes, "Number of nodes of the cluster in figures 9 and 10", "N", kOwn,
           whole_number(10, 1'000'000));
    list_option(sub, "--utilizations", utilizations_, "Utilizations in figures 9a and 10", "LIST",
                "10%,20%,30%,40%,50%,60%,70%,80%,90%");
    list_option(sub, "--node-counts", node_counts_, "Numbers of nodes in figure 11", "LIST", "50,500,1000,5000",
                whole_number(10, 1'000'000));
    list_option(sub, "--planners", bench.planners,
                "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline", "A,B:gap=0.01@10s",
                "P2's and tag-search");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_clusters(CLI::App& parent) {
    CLI::App* sub = command(parent, "clusters", "Plan generated clusters, feature by feature", help::kBenchClusters,
                            [this] { return run_experiment(clusters_, run_bench_clusters_command); });
    BenchClustersCommand& bench = clusters_;
    const auto list = [](const auto& values, auto&& text) {
      std::string joined;
      for (const auto& value : values) joined += (joined.empty() ? "" : ", ") + text(value);
      return joined;
    };
    const auto same = [](const std::string& word) { return word; };
    list_option(sub, "--features", bench.features, "Features to measure; + joins several", "A,B+C",
                list(clusters::default_features(), same));
    list_option(sub, "--sizes", bench.sizes, "Numbers of apps", "LIST",
                list(clusters::default_sizes(), [](std::uint32_t apps) { return std::to_string(apps); }),
                whole_number(1, 10'000'000));
    list_option(sub, "--deadlines", bench.deadlines, "Deadlines of each planner", "LIST",
                list(clusters::default_deadlines(), same));
    list_option(sub, "--planners", bench.planners, "Planners to compare; NAME@10s has only that deadline", "A,B@10s", "auto");
    add_experiment(sub, bench);
  }

  void add_bench_packing(CLI::App& parent) {
    CLI::App* sub = command(parent, "packing", "Plan published classes of packing instances", help::kBenchPacking,
                            [this] { return run_experiment(packing_, run_bench_packing_command); });
    BenchPackingCommand& bench = packing_;
    list_option(sub, "--classes", bench.classes, "Classes of instances", "LIST", "all");
    list_option(sub, "--items", bench.items, "Numbers of items", "LIST", "those of each class", whole_number(1, 1'000'000));
    list_option(sub, "--dims", bench.dims, "Numbers of dimensions of ct1 to ct10", "LIST", "2,10",
                whole_number(1, packing::kMostDims));
    sub->add_flag("--merge", bench.merge, "Equal items are replicas of one app");
    list_option(sub, "--planners", bench.planners, "Planners to compare; NAME@10s sets a planner's deadline", "A,B@10s",
                "auto, csp-mac and the best list planner");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_devices(CLI::App& parent) {
    CLI::App* sub = command(parent, "devices", "Plan parts of GPUs: as devices, as sums, rounded, and task by task",
                            help::kBenchDevices, [this] {
                              devices_.command_line = repeatable();
                              return run_bench_devices_command(devices_, console());
                            });
    option(sub, "--nodes", devices_.nodes, "Number of nodes", "N", kOwn, whole_number(10, 100'000));
    list_option(sub, "--loads", devices_.loads, "GPUs asked for, as shares of those that are there", "A,B", "0.9,1,1.1",
                CLI::Range(0.01, 10.0));
    option(sub, "--seeds", devices_.seeds, "Number of seeds", "N", kOwn, whole_number(1, 1'000));
    option(sub, "--deadline", devices_.deadline_ms, "Most milliseconds of a plan", "MS", kOwn, whole_number(1, 3'600'000));
    option(sub, "--markdown", devices_.markdown, "Write the results as a page", "FILE");
  }

  void add_bench_lrasched(CLI::App& parent) {
    CLI::App* sub = command(parent, "lrasched", "Repeat P3's experiments: learning, applications admitted, nodes added, time",
                            help::kBenchLrasched, [this] { return run_experiment(lrasched_, run_bench_lrasched_command); });
    BenchLraschedCommand& bench = lrasched_;
    list_option(sub, "--figures", bench.figures, "P3's figures; with 5 goes table 2", "LIST", "5,6,8,9,10,11,12",
                CLI::IsMember({5, 6, 8, 9, 10, 11, 12}));
    list_option(sub, "--sizes", bench.sizes, "Numbers of apps and nodes", "LIST", "500/100,1000/300,2000/500");
    list_option(sub, "--latency-nodes", bench.latency_nodes, "Numbers of nodes of figures 11 and 12", "LIST",
                "100,500,1000,5000,10000", CLI::Range(1, 100'000));
    list_option(sub, "--dims", bench.dims, "Numbers of resources", "LIST", "3,4,5,6", whole_number(1, lras::kMostDims));
    list_option(sub, "--loads", bench.loads,
                "Of figures 8 to 10: literal, as printed; scaled, so that nearly all fits; added, where nodes may be added",
                "LIST", "literal,scaled,added");
    option(sub, "--containers", bench.containers, "Most containers of an app", "C", kOwn, whole_number(1, 1'000));
    list_option(sub, "--planners", bench.planners, "Planners to compare; NAME@10s sets a planner's deadline", "A,B@10s",
                "lrasched, lrasched-ffd, admit, auto");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_colocation(CLI::App& parent) {
    CLI::App* sub =
        command(parent, "colocation", "Repeat P4's experiments, with side effects of colocation", help::kBenchColocation,
                [this] { return run_experiment(colocation_, run_bench_colocation_command); });
    BenchColocationCommand& bench = colocation_;
    list_option(sub, "--classes", bench.classes, "Classes of coefficients", "LIST", "compatible,incompatible,clashing,mixed");
    list_option(sub, "--kinds", bench.kinds, "Numbers of kinds", "LIST", "2,3,4", whole_number(1, 1'000));
    list_option(sub, "--sizes", bench.sizes, "P4's small or large numbers of apps and nodes", "LIST", "small,large");
    list_option(sub, "--planners", bench.planners,
                "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline", "A,B:multifit=1@10s",
                "P4's heuristics, kind-lpt and auto");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_sizes(CLI::App& parent) {
    CLI::App* sub = command(parent, "sizes", "Learn sizes of containers from simulated profiles, beside an oracle",
                            help::kBenchSizes, [this] { return run_bench_sizes_command(sizes_, console()); });
    option(sub, "--apps", sizes_.apps, "Number of profiled apps, and of new ones", "N", kOwn, whole_number(1, 10'000));
    option(sub, "--seeds", sizes_.seeds, "Number of seeds", "N", kOwn, whole_number(1, 1'000));
    option(sub, "--seed", sizes_.seed, "First seed", "N", kOwn);
  }

  void add_draw_curve(CLI::App& parent) {
    CLI::App* sub = command(parent, "curve", "Draw an app's curve with its band, samples, goal and choice", help::kDrawCurve,
                            [this] { return run_draw_curve_command(draw_curve_, console()); });
    DrawCurveCommand& draw = draw_curve_;
    option(sub, "MODEL", draw.model, "The model that stowage learn wrote", " ")->required();
    option(sub, "SAMPLES", draw.file, "Samples of the app: a CSV; - is standard input", " ")->required();
    option(sub, "--app", draw.app, "The app to draw", "NAME", "the first one");
    CLI::Option* goal = option(sub, "--goal", draw.goal, "Performance to reach, of 1", "0.9", "none");
    option(sub, "--latency-goal", draw.latency_goal, "Latency in ms not to exceed", "MS", "none")->excludes(goal);
    option(sub, "--confidence", draw.confidence, "Probability with which the goal is to be met", "80%", "80%");
    option(sub, "--cost", draw.cost, "What one unit of each resource costs", "cpu=1,memory=.5",
           "each resource 1 for its largest amount");
    option(sub, "--measured", draw.measured, "Measurements of the app to draw beside the curve: a CSV", "FILE", "none");
    sub->add_flag("--degrees", draw.degrees, "Draw over degrees of collocation, at the size that is chosen");
    option(sub, "-o,--output", draw.output, "File to draw: NAME.svg; its script NAME.gp goes beside it", "FILE")->required();
  }

  void add_generate_profiles(CLI::App& parent) {
    CLI::App* sub = command(parent, "profiles", "Simulate how apps perform with sizes and degrees of collocation",
                            help::kGenerateProfiles, [this] {
                              profiles_.options.latency = measure_ == "latency";
                              profiles_.options.features = !no_features_;
                              return run_generate_profiles_command(profiles_);
                            });
    profiles::Options& options = profiles_.options;
    option(sub, "--apps", options.apps, "Number of apps", "N", kOwn, whole_number(1, 1'000'000));
    option(sub, "--seed", options.seed, "Seed", "N", kOwn);
    option(sub, "--measure", measure_, "What is measured", "performance|latency", kOwn)
        ->transform(one_of({"performance", "latency"}));
    option(sub, "--samples", options.samples, "Random configurations per app; 0: all", "N", kOwn, whole_number(0, 150));
    sub->add_flag("--no-features", no_features_, "No columns x_family, x_load and x_data");
    sub->add_flag("--degrees", options.degrees, "Degrees of collocation 1, 2, 4, 8 and 16");
    option(sub, "-o,--output", profiles_.output, "File to write; - is standard output", "FILE")->required();
  }

  void add_deadline(CLI::App* sub, const ExperimentCommand& bench) {
    add_duration(sub, "--deadline", deadline_, "End each run after this time")
        ->default_str(std::to_string(bench.deadline_ms / 1000) + "s");
  }

  /// Options that all repeated experiments have.
  static void add_experiment(CLI::App* sub, ExperimentCommand& bench) {
    option(sub, "--seeds", bench.seeds, "Instances per class", "N", kOwn, whole_number(1, 1'000'000));
    option(sub, "--repeat", bench.repeat, "Run a planner up to N times where a run is short; the fastest run counts", "N", kOwn,
           whole_number(1, 1'000));
    option(sub, "-o,--output", bench.output, "Folder to write all runs, a summary (CSV) and charts (SVG) into", "DIR");
    sub->add_flag("--resume", bench.resume, "Continue where an earlier command with the same --output ended");
    sub->add_flag("--no-charts", bench.no_charts, "Draw no charts");
    option(sub, "--markdown", bench.markdown,
           "File to write the tables to, as Markdown; an existing file has begin and end marks for them", "FILE");
    add_summary(sub, bench.summary);
  }

  void add_import_tianchi(CLI::App& parent) {
    CLI::App* sub = command(parent, "tianchi", "Import the raw files of the Alibaba Tianchi 2018 scheduling data",
                            help::kImportTianchi, [this] { return run_import_tianchi_command(tianchi_, console()); });
    TianchiOptions& options = tianchi_.options;
    option(sub, "--apps", options.apps, "app_resources: CPU and memory samples, disk, P, M, PM", "FILE")->required();
    option(sub, "--interference", options.interference, "app_interference: app, app, limit", "FILE")->required();
    option(sub, "--deploy", options.deploy, "instance_deploy: instance, app, machine", "FILE")->required();
    option(sub, "--machines", options.machines,
           "machine_resources: machine and its capacities; required without --node and --p0", "FILE");
    CLI::Option* fixed = sub->add_flag("--static", options.fixed, "One period with the largest demand over time");
    fixed->option_text(" ");
    sub->add_flag("--profile", profile_, "One period per sample (the default)")->excludes(fixed)->option_text(" ");
    sub->add_flag("--ceil", options.round_up, "Round demand up to whole numbers");
    list_option(sub, "--resources", options.resources, "Resources to keep, of cpu, memory, disk, P, M, PM", "LIST", "all");
    option(sub, "--node", options.node, "Capacity of the nodes, of which there are as many as needed and nothing runs",
           "cores=64,memory=128", "the machines");
    sub->add_flag("--p0", options.p0,
                  "P0's setting: cpu and memory on nodes of 64 cores and 128 GiB, no limits of apps on themselves, static "
                  "demand rounded up");
    option(sub, "-o,--output", tianchi_.output, "File to write: .stow, .json or .tsv", "FILE")->required();
  }

  void add_import_rasa(CLI::App& parent) {
    CLI::App* sub = command(parent, "rasa", "Import a cluster of services that exchange traffic, from RASA's data set",
                            help::kImportRasa, [this] { return run_import_rasa_command(rasa_, console()); });
    option(sub, "--cluster", rasa_.cluster, "Such as M3.json", "FILE")->required();
    option(sub, "-o,--output", rasa_.output, "File to write: .stow or .json", "FILE")->required();
  }
  void add_import_gavel(CLI::App& parent) {
    CLI::App* sub = command(parent, "gavel", "Import Gavel's throughputs of training jobs that share a GPU", help::kImportGavel,
                            [this] { return run_import_gavel_command(gavel_, console()); });
    GavelOptions& options = gavel_.options;
    option(sub, "--throughputs", options.file, "physical_cluster_throughputs.json", "FILE")->required();
    option(sub, "--gpu", options.gpu, "Kind of GPU", "v100|p100|k80", kOwn);
    option(sub, "--jobs", options.jobs, "Number of jobs, of types drawn with equal probability", "N", Standard::kAbsent,
           whole_number(1, 10'000'000))
        ->required();
    option(sub, "--gpus", options.gpus, "Number of GPUs", "M", Standard::kAbsent, whole_number(1, 10'000'000))->required();
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same jobs on every platform", "N", kOwn);
    option(sub, "-o,--output", gavel_.output, "File to write: .stow or .json", "FILE")->required();
  }

  static void add_generated_usage(CLI::App* sub, usage::GeneratedUsage& options) {
    option(sub, "--apps", options.apps, "Number of apps", "N", kOwn, whole_number(1, 100'000));
    option(sub, "--replicas", options.most_replicas, "Largest number of replicas of an app", "N", kOwn, whole_number(1, 1'000));
    option(sub, "--days", options.days, "Length of the history", "N", kOwn, whole_number(2, 365));
    option(sub, "--step", options.step, "Seconds from one sample to the next", "S", kOwn, whole_number(1, 21'600));
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same history on every platform", "N", kOwn);
  }

  void add_generate_usage(CLI::App& parent) {
    CLI::App* sub = command(parent, "usage", "Generate usage over time, with days, spikes and leaks", help::kGenerateUsage,
                            [this] { return run_generate_usage_command(generate_usage_, console()); });
    add_generated_usage(sub, generate_usage_.options);
    option(sub, "-o,--output", generate_usage_.output, "File to write: a CSV; - is standard output", "FILE")->required();
  }

  void add_bench_usage(CLI::App& parent) {
    CLI::App* sub = command(parent, "usage", "Compare ways from usage to demand", help::kBenchUsage, [this] {
      if (!deadline_.empty()) bench_usage_.request.deadline_ms = parse_milliseconds("--deadline", deadline_);
      return run_bench_usage_command(bench_usage_, console());
    });
    add_generated_usage(sub, bench_usage_.options);
    option(sub, "--periods", bench_usage_.periods, "Periods of the day for demand over periods", "N", kOwn,
           whole_number(2, 288));
    option(sub, "--tianchi", bench_usage_.tianchi, "Folder with the files of Tianchi 2018, data set B", "DIR");
    add_duration(sub, "--deadline", deadline_, "Time of each plan")->default_str("5s");
    option(sub, "--csv", bench_usage_.csv, "File to write the tables to", "FILE");
  }

  int run_bench_paper() {
    BenchPaperCommand& bench = paper_;
    if (bench.figures.empty()) bench.figures = {3, 4, 5, 6, 7};
    if (!graphs_.empty()) bench.scale.graphs.clear();
    for (const std::string& word : graphs_) bench.scale.graphs.push_back(parse_graph(word));
    if (!densities_.empty()) bench.scale.densities.clear();
    for (const std::string& text : densities_) {
      const auto density = parse_share(text);
      if (!density) throw Failure("--densities: \"" + text + "\" is not a share (try \"1%\" or \"0.01\")");
      bench.scale.densities.push_back(*density);
    }
    return run_experiment(bench, run_bench_paper_command);
  }

  int run_bench_stochastic() {
    BenchStochasticCommand& bench = stochastic_;
    if (bench.tables.empty()) bench.tables = {1, 2, 3, 4};
    if (!services_.empty()) bench.scale.services = services_;
    if (!alphas_.empty()) bench.scale.confidences.clear();
    for (const std::string& text : alphas_) bench.scale.confidences.push_back(parse_confidence("--alphas", text));
    bench.usage = stochastic::parse_usage_model(usage_);
    return run_experiment(bench, run_bench_stochastic_command);
  }

  int run_bench_medea() {
    BenchMedeaCommand& bench = medea_;
    if (bench.figures.empty()) bench.figures = {8, 9, 10, 11};
    if (!utilizations_.empty()) bench.scale.utilizations.clear();
    for (const std::string& text : utilizations_) {
      const auto share = parse_share(text);
      if (!share || *share <= 0 || *share > 1) {
        throw Failure("--utilizations: \"" + text + "\" is not a share above 0 (try \"30%\" or \"0.3\")");
      }
      bench.scale.utilizations.push_back(*share);
    }
    if (!node_counts_.empty()) bench.scale.node_counts.assign(node_counts_.begin(), node_counts_.end());
    return run_experiment(bench, run_bench_medea_command);
  }

  template <class Command>
  int run_experiment(Command& bench, int (*repeat)(const Command& bench, const Console& console)) const {
    bench.command_line = repeatable();
    if (!deadline_.empty()) bench.deadline_ms = parse_milliseconds("--deadline", deadline_);
    if (bench.resume && !bench.output) throw Failure("--resume: needs --output, the folder to continue in");
    return repeat(bench, console());
  }

  BenchDevicesCommand devices_;
  BenchSizesCommand sizes_;
  DrawCurveCommand draw_curve_;
  GenerateProfilesCommand profiles_;
  std::string measure_ = "performance";
  bool no_features_ = false;
  BenchPaperCommand paper_;
  std::vector<std::string> graphs_;
  std::vector<std::string> densities_;
  BenchStochasticCommand stochastic_;
  std::vector<std::uint32_t> services_;
  std::vector<std::string> alphas_;
  std::string usage_ = "truncated";
  BenchMedeaCommand medea_;
  std::vector<std::string> utilizations_;
  std::vector<std::uint32_t> node_counts_;
  BenchClustersCommand clusters_;
  BenchPackingCommand packing_;
  BenchColocationCommand colocation_;
  BenchLraschedCommand lrasched_;
  std::string deadline_;
  GenerateUsageCommand generate_usage_;
  BenchUsageCommand bench_usage_;
  ImportTianchiCommand tianchi_;
  ImportGavelCommand gavel_;
  ImportRasaCommand rasa_;
  bool profile_ = false;  ///< the default, so that only its conflict with --static counts
};

}  // namespace

int run_app(const std::vector<std::string>& arguments, const Console& console) {
  Console of_lab = console;
  of_lab.program = "stowage-lab";
  return run_reporting(of_lab, [&] { return App(of_lab).run(arguments); });
}

}  // namespace stowage::cli::lab
