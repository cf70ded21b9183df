#include "capi/lab/app.h"

#include "capi/cli/command_line.h"
#include "capi/cli/generate/lras/lras.h"
#include "capi/cli/generate/packing.h"
#include "capi/cli/usage/values.h"
#include "capi/lab/clusters/runs.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/devices/bench.h"
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
    sub->add_option("--figures", bench.figures, "Figures to repeat")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("3,4,5,6,7");
    sub->add_option("--graphs", graphs_, "Kinds of affinity graphs")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("arbitrary,normal,threshold");
    CLI::Option* apps = sub->add_option("--apps", bench.scale.apps, "Number of apps in figures 3, 4 and 6")
                            ->check(whole_number(1, 10'000'000))
                            ->option_text("N")
                            ->capture_default_str();
    sub->add_option("--densities", densities_, "Densities of affinity limits in figures 3, 4 and 6")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("1%,5%,10%");
    sub->add_option("--app-counts", bench.scale.app_counts, "Numbers of apps in figures 5 and 7, at density 0.5%")
        ->check(whole_number(1, 10'000'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("10000,50000,100000");
    sub->add_option("--apps-from", bench.apps_file,
                    "Instance to take the apps from, as P0 did; in figures 5 and 7 each app has the demand of a random one and "
                    "the replicas of another")
        ->excludes(apps)
        ->option_text("FILE");
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME@10s sets a planner's deadline")
        ->delimiter(',')
        ->option_text("A,B@10s")
        ->default_str("the figure's own");
    sub->add_option("--also", bench.also, "Planners to compare beside the figure's own")
        ->delimiter(',')
        ->option_text("A,B@10s");
    sub->add_option("--published", bench.published, "Folder with P0's result tables, whose means then stand beside")
        ->option_text("DIR");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_stochastic(CLI::App& parent) {
    CLI::App* sub = command(parent, "stochastic", "Repeat the experiments of P1's tables 1 to 4", help::kBenchStochastic,
                            [this] { return run_bench_stochastic(); });
    BenchStochasticCommand& bench = stochastic_;
    sub->add_option("--tables", bench.tables, "Tables to repeat")->delimiter(',')->option_text("LIST")->default_str("1,2,3,4");
    sub->add_option("--services", services_, "Numbers of services in tables 1 to 3")
        ->check(whole_number(1, 1'000'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("5,10,15,20");
    sub->add_option("--alphas", alphas_, "Probabilities that a machine's capacity holds, in tables 1 to 3")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("99.9%,99%");
    sub->add_option("--machines", bench.scale.machines, "Number of machines of the cluster")
        ->check(whole_number(1, 10'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--days", bench.scale.days, "Number of days in table 4")
        ->check(whole_number(1, 365))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline")
        ->delimiter(',')
        ->option_text("A,B:n=2@10s")
        ->default_str("the table's own");
    sub->add_option("--layout", bench.layout, "Planner of the initial layouts of busy machines")
        ->option_text("PLANNER")
        ->default_str(stochastic::ClusterOptions().layout);
    sub->add_option("--samples", bench.samples, "Number of times that usage is drawn for each plan")
        ->check(whole_number(1, 100'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--usage", usage_, "How usage is drawn; stowage simulate --help explains the three ways")
        ->option_text("truncated|clamped|gaussian")
        ->capture_default_str();
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_medea(CLI::App& parent) {
    CLI::App* sub = command(parent, "medea", "Repeat the experiments of P2's figures 8 to 11", help::kBenchMedea,
                            [this] { return run_bench_medea(); });
    BenchMedeaCommand& bench = medea_;
    sub->add_option("--figures", bench.figures, "Figures to repeat")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("8,9,10,11");
    sub->add_option("--nodes", bench.scale.nodes, "Number of nodes of the cluster in figures 9 and 10")
        ->check(whole_number(10, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--utilizations", utilizations_, "Utilizations in figures 9a and 10")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("10%,20%,30%,40%,50%,60%,70%,80%,90%");
    sub->add_option("--node-counts", node_counts_, "Numbers of nodes in figure 11")
        ->check(whole_number(10, 1'000'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("50,500,1000,5000");
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline")
        ->delimiter(',')
        ->option_text("A,B:gap=0.01@10s")
        ->default_str("P2's and tag-search");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_clusters(CLI::App& parent) {
    CLI::App* sub = command(parent, "clusters", "Plan generated clusters, feature by feature", help::kBenchClusters,
                            [this] { return run_bench_clusters(); });
    BenchClustersCommand& bench = clusters_;
    const auto list = [](const auto& values, auto&& text) {
      std::string joined;
      for (const auto& value : values) joined += (joined.empty() ? "" : ", ") + text(value);
      return joined;
    };
    const auto same = [](const std::string& word) { return word; };
    sub->add_option("--features", bench.features, "Features to measure; + joins several")
        ->delimiter(',')
        ->option_text("A,B+C")
        ->default_str(list(clusters::default_features(), same));
    sub->add_option("--sizes", bench.sizes, "Numbers of apps")
        ->check(whole_number(1, 10'000'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str(list(clusters::default_sizes(), [](std::uint32_t apps) { return std::to_string(apps); }));
    sub->add_option("--deadlines", bench.deadlines, "Deadlines of each planner")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str(list(clusters::default_deadlines(), same));
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME@10s has only that deadline")
        ->delimiter(',')
        ->option_text("A,B@10s")
        ->default_str("auto");
    add_experiment(sub, bench);
  }

  void add_bench_packing(CLI::App& parent) {
    CLI::App* sub = command(parent, "packing", "Plan published classes of packing instances", help::kBenchPacking,
                            [this] { return run_bench_packing(); });
    BenchPackingCommand& bench = packing_;
    sub->add_option("--classes", bench.classes, "Classes of instances")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("all");
    sub->add_option("--items", bench.items, "Numbers of items")
        ->check(whole_number(1, 1'000'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("those of each class");
    sub->add_option("--dims", bench.dims, "Numbers of dimensions of ct1 to ct10")
        ->check(whole_number(1, packing::kMostDims))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("2,10");
    sub->add_flag("--merge", bench.merge, "Equal items are replicas of one app");
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME@10s sets a planner's deadline")
        ->delimiter(',')
        ->option_text("A,B@10s")
        ->default_str("auto, csp-mac and the best list planner");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_devices(CLI::App& parent) {
    CLI::App* sub = command(parent, "devices", "Plan parts of GPUs: as devices, as sums, rounded, and task by task",
                            help::kBenchDevices, [this] {
                              devices_.command_line = repeatable();
                              return run_bench_devices_command(devices_, console());
                            });
    sub->add_option("--nodes", devices_.nodes, "Number of nodes")
        ->check(whole_number(10, 100'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--loads", devices_.loads, "GPUs asked for, as shares of those that are there")
        ->delimiter(',')
        ->check(CLI::Range(0.01, 10.0))
        ->option_text("A,B")
        ->default_str("0.9,1,1.1");
    sub->add_option("--seeds", devices_.seeds, "Number of seeds")
        ->check(whole_number(1, 1'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--deadline", devices_.deadline_ms, "Most milliseconds of a plan")
        ->check(whole_number(1, 3'600'000))
        ->option_text("MS")
        ->capture_default_str();
    sub->add_option("--markdown", devices_.markdown, "Write the results as a page")->option_text("FILE");
  }

  void add_bench_lrasched(CLI::App& parent) {
    CLI::App* sub = command(parent, "lrasched", "Repeat P3's experiments: learning, applications admitted, nodes added, time",
                            help::kBenchLrasched, [this] { return run_bench_lrasched(); });
    BenchLraschedCommand& bench = lrasched_;
    sub->add_option("--figures", bench.figures, "P3's figures; with 5 goes table 2")
        ->check(CLI::IsMember({5, 6, 8, 9, 10, 11, 12}))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("5,6,8,9,10,11,12");
    sub->add_option("--sizes", bench.sizes, "Numbers of apps and nodes")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("500/100,1000/300,2000/500");
    sub->add_option("--latency-nodes", bench.latency_nodes, "Numbers of nodes of figures 11 and 12")
        ->check(CLI::Range(1, 100'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("100,500,1000,5000,10000");
    sub->add_option("--dims", bench.dims, "Numbers of resources")
        ->check(whole_number(1, lras::kMostDims))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("3,4,5,6");
    sub->add_option("--loads", bench.loads,
                    "Of figures 8 to 10: literal, as printed; scaled, so that nearly all fits; added, where nodes may be added")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("literal,scaled,added");
    sub->add_option("--containers", bench.containers, "Most containers of an app")
        ->check(whole_number(1, 1'000))
        ->option_text("C")
        ->capture_default_str();
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME@10s sets a planner's deadline")
        ->delimiter(',')
        ->option_text("A,B@10s")
        ->default_str("lrasched, lrasched-ffd, admit, auto");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_colocation(CLI::App& parent) {
    CLI::App* sub = command(parent, "colocation", "Repeat P4's experiments, with side effects of colocation",
                            help::kBenchColocation, [this] { return run_bench_colocation(); });
    BenchColocationCommand& bench = colocation_;
    sub->add_option("--classes", bench.classes, "Classes of coefficients")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("compatible,incompatible,clashing,mixed");
    sub->add_option("--kinds", bench.kinds, "Numbers of kinds")
        ->check(whole_number(1, 1'000))
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("2,3,4");
    sub->add_option("--sizes", bench.sizes, "P4's small or large numbers of apps and nodes")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("small,large");
    sub->add_option("--planners", bench.planners, "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline")
        ->delimiter(',')
        ->option_text("A,B:multifit=1@10s")
        ->default_str("P4's heuristics, kind-lpt and auto");
    add_deadline(sub, bench);
    add_experiment(sub, bench);
  }

  void add_bench_sizes(CLI::App& parent) {
    CLI::App* sub = command(parent, "sizes", "Learn sizes of containers from simulated profiles, beside an oracle",
                            help::kBenchSizes, [this] { return run_bench_sizes_command(sizes_, console()); });
    sub->add_option("--apps", sizes_.apps, "Number of profiled apps, and of new ones")
        ->check(whole_number(1, 10'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--seeds", sizes_.seeds, "Number of seeds")
        ->check(whole_number(1, 1'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--seed", sizes_.seed, "First seed")->option_text("N")->capture_default_str();
  }

  void add_draw_curve(CLI::App& parent) {
    CLI::App* sub = command(parent, "curve", "Draw an app's curve with its band, samples, goal and choice", help::kDrawCurve,
                            [this] { return run_draw_curve_command(draw_curve_, console()); });
    DrawCurveCommand& draw = draw_curve_;
    sub->add_option("MODEL", draw.model, "The model that stowage learn wrote")->required()->option_text(" ");
    sub->add_option("SAMPLES", draw.file, "Samples of the app: a CSV; - is standard input")->required()->option_text(" ");
    sub->add_option("--app", draw.app, "The app to draw")->option_text("NAME")->default_str("the first one");
    CLI::Option* goal =
        sub->add_option("--goal", draw.goal, "Performance to reach, of 1")->option_text("0.9")->default_str("none");
    sub->add_option("--latency-goal", draw.latency_goal, "Latency in ms not to exceed")
        ->excludes(goal)
        ->option_text("MS")
        ->default_str("none");
    sub->add_option("--confidence", draw.confidence, "Probability with which the goal is to be met")
        ->option_text("80%")
        ->default_str("80%");
    sub->add_option("--cost", draw.cost, "What one unit of each resource costs")
        ->option_text("cpu=1,memory=.5")
        ->default_str("each resource 1 for its largest amount");
    sub->add_option("--measured", draw.measured, "Measurements of the app to draw beside the curve: a CSV")
        ->option_text("FILE")
        ->default_str("none");
    sub->add_flag("--degrees", draw.degrees, "Draw over degrees of collocation, at the size that is chosen");
    sub->add_option("-o,--output", draw.output, "File to draw: NAME.svg; its script NAME.gp goes beside it")
        ->required()
        ->option_text("FILE");
  }

  void add_generate_profiles(CLI::App& parent) {
    CLI::App* sub = command(parent, "profiles", "Simulate how apps perform with sizes and degrees of collocation",
                            help::kGenerateProfiles, [this] {
                              profiles_.options.latency = measure_ == "latency";
                              profiles_.options.features = !no_features_;
                              return run_generate_profiles_command(profiles_);
                            });
    profiles::Options& options = profiles_.options;
    sub->add_option("--apps", options.apps, "Number of apps")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--seed", options.seed, "Seed")->option_text("N")->capture_default_str();
    sub->add_option("--measure", measure_, "What is measured")
        ->transform(one_of({"performance", "latency"}))
        ->option_text("performance|latency")
        ->capture_default_str();
    sub->add_option("--samples", options.samples, "Random configurations per app; 0: all")
        ->check(whole_number(0, 150))
        ->option_text("N")
        ->capture_default_str();
    sub->add_flag("--no-features", no_features_, "No columns x_family, x_load and x_data");
    sub->add_flag("--degrees", options.degrees, "Degrees of collocation 1, 2, 4, 8 and 16");
    sub->add_option("-o,--output", profiles_.output, "File to write; - is standard output")->required()->option_text("FILE");
  }

  void add_deadline(CLI::App* sub, const ExperimentCommand& bench) {
    add_duration(sub, "--deadline", deadline_, "End each run after this time")
        ->default_str(std::to_string(bench.deadline_ms / 1000) + "s");
  }

  /// Options that all repeated experiments have.
  static void add_experiment(CLI::App* sub, ExperimentCommand& bench) {
    sub->add_option("--seeds", bench.seeds, "Instances per class")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--repeat", bench.repeat, "Run a planner up to N times where a run is short; the fastest run counts")
        ->check(whole_number(1, 1'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", bench.output, "Folder to write all runs, a summary (CSV) and charts (SVG) into")
        ->option_text("DIR");
    sub->add_flag("--resume", bench.resume, "Continue where an earlier command with the same --output ended");
    sub->add_flag("--no-charts", bench.no_charts, "Draw no charts");
    sub->add_option("--markdown", bench.markdown,
                    "File to write the tables to, as Markdown; an existing file has begin and end marks for them")
        ->option_text("FILE");
    add_summary(sub, bench.summary);
  }

  void add_import_tianchi(CLI::App& parent) {
    CLI::App* sub = command(parent, "tianchi", "Import the raw files of the Alibaba Tianchi 2018 scheduling data",
                            help::kImportTianchi, [this] { return run_import_tianchi_command(tianchi_, console()); });
    TianchiOptions& options = tianchi_.options;
    sub->add_option("--apps", options.apps, "app_resources: CPU and memory samples, disk, P, M, PM")
        ->required()
        ->option_text("FILE");
    sub->add_option("--interference", options.interference, "app_interference: app, app, limit")
        ->required()
        ->option_text("FILE");
    sub->add_option("--deploy", options.deploy, "instance_deploy: instance, app, machine")->required()->option_text("FILE");
    sub->add_option("--machines", options.machines,
                    "machine_resources: machine and its capacities; required without --node and --p0")
        ->option_text("FILE");
    CLI::Option* fixed = sub->add_flag("--static", options.fixed, "One period with the largest demand over time");
    fixed->option_text(" ");
    sub->add_flag("--profile", profile_, "One period per sample (the default)")->excludes(fixed)->option_text(" ");
    sub->add_flag("--ceil", options.round_up, "Round demand up to whole numbers");
    sub->add_option("--resources", options.resources, "Resources to keep, of cpu, memory, disk, P, M, PM")
        ->delimiter(',')
        ->option_text("LIST")
        ->default_str("all");
    sub->add_option("--node", options.node, "Capacity of the nodes, of which there are as many as needed and nothing runs")
        ->option_text("cores=64,memory=128")
        ->default_str("the machines");
    sub->add_flag("--p0", options.p0,
                  "P0's setting: cpu and memory on nodes of 64 cores and 128 GiB, no limits of apps on themselves, static "
                  "demand rounded up");
    sub->add_option("-o,--output", tianchi_.output, "File to write: .stow, .json or .tsv")->required()->option_text("FILE");
  }

  void add_import_rasa(CLI::App& parent) {
    CLI::App* sub = command(parent, "rasa", "Import a cluster of services that exchange traffic, from RASA's data set",
                            help::kImportRasa, [this] { return run_import_rasa_command(rasa_, console()); });
    sub->add_option("--cluster", rasa_.cluster, "Such as M3.json")->required()->option_text("FILE");
    sub->add_option("-o,--output", rasa_.output, "File to write: .stow or .json")->required()->option_text("FILE");
  }
  void add_import_gavel(CLI::App& parent) {
    CLI::App* sub = command(parent, "gavel", "Import Gavel's throughputs of training jobs that share a GPU", help::kImportGavel,
                            [this] { return run_import_gavel_command(gavel_, console()); });
    GavelOptions& options = gavel_.options;
    sub->add_option("--throughputs", options.file, "physical_cluster_throughputs.json")->required()->option_text("FILE");
    sub->add_option("--gpu", options.gpu, "Kind of GPU")->option_text("v100|p100|k80")->capture_default_str();
    sub->add_option("--jobs", options.jobs, "Number of jobs, of types drawn with equal probability")
        ->required()
        ->check(whole_number(1, 10'000'000))
        ->option_text("N");
    sub->add_option("--gpus", options.gpus, "Number of GPUs")->required()->check(whole_number(1, 10'000'000))->option_text("M");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same jobs on every platform")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", gavel_.output, "File to write: .stow or .json")->required()->option_text("FILE");
  }

  static void add_generated_usage(CLI::App* sub, usage::GeneratedUsage& options) {
    sub->add_option("--apps", options.apps, "Number of apps")
        ->check(whole_number(1, 100'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--replicas", options.most_replicas, "Largest number of replicas of an app")
        ->check(whole_number(1, 1'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--days", options.days, "Length of the history")
        ->check(whole_number(2, 365))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--step", options.step, "Seconds from one sample to the next")
        ->check(whole_number(1, 21'600))
        ->option_text("S")
        ->capture_default_str();
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same history on every platform")
        ->option_text("N")
        ->capture_default_str();
  }

  void add_generate_usage(CLI::App& parent) {
    CLI::App* sub = command(parent, "usage", "Generate usage over time, with days, spikes and leaks", help::kGenerateUsage,
                            [this] { return run_generate_usage_command(generate_usage_, console()); });
    add_generated_usage(sub, generate_usage_.options);
    sub->add_option("-o,--output", generate_usage_.output, "File to write: a CSV; - is standard output")
        ->required()
        ->option_text("FILE");
  }

  void add_bench_usage(CLI::App& parent) {
    CLI::App* sub = command(parent, "usage", "Compare ways from usage to demand", help::kBenchUsage, [this] {
      if (!deadline_.empty()) bench_usage_.request.deadline_ms = parse_milliseconds("--deadline", deadline_);
      return run_bench_usage_command(bench_usage_, console());
    });
    add_generated_usage(sub, bench_usage_.options);
    sub->add_option("--periods", bench_usage_.periods, "Periods of the day for demand over periods")
        ->check(whole_number(2, 288))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--tianchi", bench_usage_.tianchi, "Folder with the files of Tianchi 2018, data set B")->option_text("DIR");
    add_duration(sub, "--deadline", deadline_, "Time of each plan")->default_str("5s");
    sub->add_option("--csv", bench_usage_.csv, "File to write the tables to")->option_text("FILE");
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
    finish_experiment(bench);
    return run_bench_paper_command(bench, console());
  }

  int run_bench_stochastic() {
    BenchStochasticCommand& bench = stochastic_;
    if (bench.tables.empty()) bench.tables = {1, 2, 3, 4};
    if (!services_.empty()) bench.scale.services = services_;
    if (!alphas_.empty()) bench.scale.confidences.clear();
    for (const std::string& text : alphas_) bench.scale.confidences.push_back(parse_confidence("--alphas", text));
    bench.usage = stochastic::parse_usage_model(usage_);
    finish_experiment(bench);
    return run_bench_stochastic_command(bench, console());
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
    finish_experiment(bench);
    return run_bench_medea_command(bench, console());
  }

  int run_bench_clusters() {
    finish_experiment(clusters_);
    return run_bench_clusters_command(clusters_, console());
  }

  int run_bench_packing() {
    finish_experiment(packing_);
    return run_bench_packing_command(packing_, console());
  }

  int run_bench_lrasched() {
    finish_experiment(lrasched_);
    return run_bench_lrasched_command(lrasched_, console());
  }

  int run_bench_colocation() {
    finish_experiment(colocation_);
    return run_bench_colocation_command(colocation_, console());
  }

  void finish_experiment(ExperimentCommand& bench) const {
    bench.command_line = repeatable();
    if (!deadline_.empty()) bench.deadline_ms = parse_milliseconds("--deadline", deadline_);
    if (bench.resume && !bench.output) throw Failure("--resume: needs --output, the folder to continue in");
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
