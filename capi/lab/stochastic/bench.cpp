#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "capi/cli/base/papers.h"
#include "capi/cli/simulate/normal.h"
#include "capi/cli/simulate/simulation.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::stochastic {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;
using lab::Tally;

/// The contender to whose run on the same instance tables 1 and 2 relate all figures.
constexpr const char* kBaseline = "bf-nsigma";

/// P1's figure 3 shows one instance.
constexpr std::uint64_t kChartedSeed = 1;

/// Number of containers that are wanted but not running.
std::uint64_t requested(const InstanceData& data) {
  std::uint64_t count = 0;
  for (const std::uint32_t replicas : data.apps.replicas) count += replicas;
  for (const wire::Residence& one : data.running) count -= one.replicas();
  return count;
}

std::string percent(double share, int digits) { return for_people(share * 100, digits) + " %"; }

/// The text of a cell, or why there is none.
std::string known_text(const Tally& tally, const std::string& text) {
  if (!tally.has("runs")) return "-";
  const std::uint64_t runs = tally.count("runs");
  const std::uint64_t counted = tally.count("counted");
  if (counted == 0) return "no plan";
  return counted == runs ? text : text + " [" + std::to_string(counted) + " of " + std::to_string(runs) + "]";
}

/// Observations above the capacity, as a share, and where the true share is with a probability of 95 %.
struct Rate {
  explicit Rate(const Tally& tally)
      : known(tally.sum("observations") > 0),
        share(known ? tally.sum("exceeded") / tally.sum("observations") : 0),
        interval(wilson_interval(tally.count("exceeded"), tally.count("observations"))) {}
  bool known;
  double share;
  Interval interval;
};

std::string violations_text(const Tally& tally) {
  const Rate rate(tally);
  const auto number = [](double share) { return for_people(share * 100, 3); };
  return rate.known ? percent(rate.share, 3) + " (" + number(rate.interval.low) + " - " + number(rate.interval.high) + ")"
                    : "-";
}

/// Machines above capacity, at a time, summed over the days.
double exceeded_in_all(const Tally& tally) { return tally.sum("exceeded_in_all") / std::max(1.0, tally.sum("weeks")); }

bool is_relative(const Table& table) { return table.number < 3; }

/// Of an instance: the baseline's run, and the best bounds that any run proved.
struct Best {
  const Run* baseline = nullptr;
  double ucac_bound = 0;
  double node_bound = 0;
};

/// Sums over the runs of each class and contender; only plans that count.
lab::Tallies<ClusterClass> tallies_of(const std::vector<Run>& runs) {
  // In the week, the instances of a planner depend on its plans of the days before.
  const auto instance_of = [](const Run& run) {
    return std::tuple(run.of, run.seed, run.day, run.of.table == kWeekTable ? run.label : std::string());
  };
  std::map<decltype(instance_of(runs[0])), Best> instances;
  for (const Run& run : runs) {
    if (!run.counts()) continue;
    Best& best = instances[instance_of(run)];
    if (run.label == kBaseline) best.baseline = &run;
    best.ucac_bound = std::max(best.ucac_bound, run.ucac_bound.value_or(0));
    best.node_bound = std::max(best.node_bound, run.node_bound.value_or(0));
  }
  lab::Tallies<ClusterClass> tallies;
  std::set<std::tuple<ClusterClass, std::string, std::uint64_t>> weeks;
  for (const Run& run : runs) {
    Tally& tally = tallies.at(run.of, run.label).add("runs");
    if (!run.counts()) continue;
    const Best& best = instances[instance_of(run)];
    if (weeks.emplace(run.of, run.label, run.seed).second) tally.add("weeks");
    tally.add("counted").add("requested", run.requested).add("ucac", run.ucac).add("nodes", run.nodes);
    tally.add("node_bound", best.node_bound).add("seconds", run.seconds);
    tally.add("observations", run.observations).add("exceeded", run.exceeded);
    tally.add("exceeded_in_all", static_cast<double>(run.exceeded) / run.samples);
    if (best.ucac_bound > 0) tally.add("gap", std::max(0.0, run.ucac / best.ucac_bound - 1));
    if (best.baseline == nullptr) continue;
    tally.add("relative_ucac", run.ucac / best.baseline->ucac);
    tally.add("relative_nodes", static_cast<double>(run.nodes) / static_cast<double>(best.baseline->nodes));
  }
  return tallies;
}

class StochasticBench final : public lab::Bench<Run> {
 public:
  explicit StochasticBench(const Console& console)
      : Bench(console, {.name = "stochastic",
                        .summary = "Repeat the experiments of P1's tables 1 to 4",
                        .help = R"(Examples:
  stowage-lab bench stochastic --tables 2 --services 20 --alphas 99.9% --seeds 1
  stowage-lab bench stochastic --output results --markdown page.md
  stowage-lab bench stochastic --tables 3 --planners csp-ucac@300ms,csp-ucac@3s,csp-mac

Tables of P1: 1 scale-down, 2 scale-up, 3 empty machines, 4 seven working days. The figures that P1
prints stand beside. Usage is drawn --samples times for each plan, as stowage simulate does.)",
                        .seeds = 5,
                        .deadline_ms = 3'000,
                        .on = "; one thread"}) {}

 private:
  /// One table: its classes, and the contenders that are compared. Those without runs or published figures are not shown.
  struct TableResult {
    const Table* table;
    std::vector<ClusterClass> classes;
    std::vector<Contender> contenders;
  };

  void add_options(CLI::App* sub) override {
    list_option(sub, "--tables", tables_, "Tables to repeat", "LIST", "1,2,3,4");
    list_option(sub, "--services", scale_.services, "Numbers of services in tables 1 to 3", "LIST", "5,10,15,20",
                whole_number(1, 1'000'000));
    list_option(sub, "--alphas", alphas_, "Probabilities that a machine's capacity holds, in tables 1 to 3", "LIST",
                "99.9%,99%");
    option(sub, "--machines", scale_.machines, "Number of machines of the cluster", "N", kOwn, whole_number(1, 10'000'000));
    option(sub, "--days", scale_.days, "Number of days in table 4", "N", kOwn, whole_number(1, 365));
    list_option(sub, "--planners", command_.planners,
                "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline", "A,B:n=2@10s",
                "the table's own");
    option(sub, "--layout", layout_, "Planner of the initial layouts of busy machines", "PLANNER", kOwn);
    option(sub, "--samples", samples_, "Number of times that usage is drawn for each plan", "N", kOwn,
           whole_number(1, 100'000'000));
    option(sub, "--usage", usage_, "How usage is drawn; stowage simulate --help explains the three ways",
           "truncated|clamped|gaussian", kOwn);
  }

  void prepare() override {
    if (!alphas_.empty()) scale_.confidences.clear();
    for (const std::string& text : alphas_) scale_.confidences.push_back(parse_confidence("--alphas", text));
    model_ = parse_usage_model(usage_);
    for (const int number : tables_) {
      const Table& table = find_table(number);
      results_.push_back({&table, classes_of(table, scale_), contenders_or(table_contenders(table))});
      for (Contender& one : results_.back().contenders) {
        if (pursues_ucac(one)) one.objective = wire::Objective::Ucac;
      }
    }
  }

  /// Whether the planner pursues the used capacity at confidence.
  [[nodiscard]] bool pursues_ucac(const Contender& contender) const {
    const wire::PlannerInfo* info = info_of(contender);
    return info != nullptr && std::any_of(info->objectives()->begin(), info->objectives()->end(),
                                          [](const auto* objective) { return objective->string_view() == "ucac"; });
  }

  [[nodiscard]] std::string uses_path() const { return (std::filesystem::path(*command_.output) / "machines.csv").string(); }
  void read(const std::string& path) override {
    Bench::read(path);
    if (!runs_.empty() && std::filesystem::exists(uses_path())) uses_ = read_uses(uses_path());
  }
  void save(const std::string& path) const override {
    Bench::save(path);
    write_uses(uses_, uses_path());
  }

  /// Instances, and weeks, seed by seed, so that an early end leaves runs of every class.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (const TableResult& table : results_) {
        for (const ClusterClass& of : table.classes) all.push_back({of, seed, table.contenders});
      }
    }
    return all;
  }

  void note_command(Run& run) const override {
    run.machines = scale_.machines;
    run.layout = layout_;
    run.usage = usage_word(model_);
    run.samples = samples_;
  }
  /// One per day.
  [[nodiscard]] std::vector<Run> blanks(const Job& job, const Contender& contender) const override {
    std::vector<Run> runs(job.of.table == kWeekTable ? scale_.days : 1, blank(job.of, job.seed, contender));
    for (std::uint32_t day = 0; day < runs.size(); ++day) runs[day].day = day;
    return runs;
  }

  [[nodiscard]] ClusterOptions cluster_options(const ClusterClass& of, std::uint64_t seed) const {
    ClusterOptions options;
    options.services = of.services;
    options.confidence = of.confidence;
    options.of = find_table(of.table).of;
    options.machines = scale_.machines;
    options.seed = seed;
    options.layout = layout_;
    return options;
  }
  [[nodiscard]] InstanceData make(const ClusterClass& of, std::uint64_t seed) const override {
    return generate_cluster(cluster_options(of, seed), console());
  }
  void note_instance(const InstanceData& data, Run& run) const override { run.requested = requested(data); }

  /// The week is measured day by day. Each planner continues from its own plan of the day before.
  void measure(const Job& job) override {
    if (job.of.table != kWeekTable) return measure_instance(job);
    const std::vector<Service> services = draw_services(job.of.services, job.seed);
    const InstanceData empty = empty_cluster(cluster_options(job.of, job.seed), services);
    for (const Contender& contender : job.contenders) {
      forget(job, contender);
      InstanceData today = empty;
      today.apps.replicas = scaled_containers(services, day_scale(0));
      for (Run& run : blanks(job, contender)) {
        run.requested = requested(today);
        const std::uint32_t next = run.day + 1;
        const Workload workload = lab::loaded(std::move(today), class_text(job.of) + ", day " + std::to_string(next));
        const auto made = plan_and_keep(workload, contender, std::move(run));
        if (!made || !runs_.back().counts()) break;
        today = after_losses(empty, made->root(), services, scaled_containers(services, day_scale(next)), job.seed, next);
      }
    }
  }

  /// Simulates a plan that counts.
  void note_plan(const Workload& workload, const wire::Plan& plan, Run& run) override {
    run.ucac = std::max(0.0, plan.ucac());
    run.ucac_bound = lab::bound_of(plan.ucac_bound());
    run.node_bound = lab::bound_of(plan.node_bound());
    if (!run.counts()) return;
    SimulationOptions options;
    options.samples = samples_;
    options.seed = run.seed;
    options.model = model_;
    const PassingNote note(console(), "simulating " + workload.source);
    try {
      const Simulation simulation = simulate(workload.root(), plan, MeasuredUsage(), options);
      run.observations = simulation.observations;
      run.exceeded = simulation.violations;
    } catch (const Failure&) {
      if (!InterruptGuard::interrupted()) throw;
    }
    if (!InterruptGuard::interrupted()) note_uses(plan, run);
  }

  /// Keeps the used capacity of the machines that the charts show.
  void note_uses(const wire::Plan& plan, const Run& run) {
    if (run.of.table == kWeekTable || run.seed != kChartedSeed || plan.node_ucac() == nullptr) return;
    // P1's figure shows the class with most services and the highest confidence.
    const auto most = [](const auto& values) { return *std::max_element(values.begin(), values.end()); };
    if (run.of != ClusterClass{run.of.table, most(scale_.services), most(scale_.confidences)}) return;
    MachineUse use{run.of, run.seed, run.label, {plan.node_ucac()->begin(), plan.node_ucac()->end()}};
    std::sort(use.ucac.begin(), use.ucac.end(), std::greater<>());
    std::erase_if(uses_, [&](const MachineUse& one) { return one.of == use.of && one.label == use.label; });
    uses_.push_back(std::move(use));
  }

  void sum_up(const std::vector<Run>& asked) override {
    tallies_ = tallies_of(asked);
    for (TableResult& result : results_) {
      result.contenders =
          tallies_.known(result.contenders, result.classes,
                         [](const ClusterClass& of, const std::string& label) { return find_printed(of, label) != nullptr; });
    }
  }

  /// Calls show(class, contender, tally, printed) for everything of a table; `printed` may be nullptr.
  template <class Show>
  void for_each(const TableResult& result, Show&& show) const {
    for (const ClusterClass& of : result.classes) {
      for (const Contender& one : result.contenders) show(of, one, tallies_.of(of, one.label), find_printed(of, one.label));
    }
  }

  /// One table at one confidence: our figures, and P1's beside them where it prints any.
  [[nodiscard]] Grid table_grid(const TableResult& result, double confidence) const {
    const Table& table = *result.table;
    const bool week = table.number == kWeekTable;
    const int digits = is_relative(table) ? 2 : 0;
    Grid grid = {
        {"services", "planner", "UCaC", "P1", "machines", "P1", week ? "violations in all" : "violations (95 %)", "P1"}};
    if (table.number == 3) grid[0].emplace_back("least machines");
    grid[0].insert(grid[0].end(), {"UCaC above bound (worst)", "time"});
    for_each(result, [&](const ClusterClass& of, const Contender& one, const Tally& tally, const Printed* printed) {
      if (of.confidence != confidence) return;
      const bool known = tally.has("counted");
      std::vector<std::string>& row = grid.emplace_back();
      row = {std::to_string(of.services), contender_text(one.label)};
      const auto add = [&](bool is_known, const std::string& text) { row.push_back(is_known ? text : "-"); };
      const auto add_ours = [&](const std::string& figure) {
        const std::string relative = "relative_" + figure;
        const bool ratios = is_relative(table) && tally.has(relative);
        row.push_back(known_text(tally, ratios ? for_people(tally.mean(relative), 4) : for_people(tally.mean(figure), 1)));
      };
      const Printed theirs = printed != nullptr ? *printed : Printed();
      add_ours("ucac");
      add(printed != nullptr, for_people(theirs.ucac, week ? 1 : digits));
      add_ours("nodes");
      add(printed != nullptr, for_people(theirs.machines, digits));
      week ? add(known, for_people(exceeded_in_all(tally), 2)) : row.push_back(violations_text(tally));
      add(printed != nullptr, week ? for_people(theirs.violations, 1) : for_people(theirs.violations) + " %");
      if (table.number == 3) add(known, for_people(tally.mean("node_bound"), 1));
      add(tally.has("gap"), percent(tally.mean("gap"), 4) + " (" + percent(tally.most("gap"), 4) + ")");
      add(known, duration_text(tally.mean("seconds")));
    });
    return grid;
  }

  /// A line per contender: the used capacity of its machines, the fullest first.
  [[nodiscard]] std::vector<lab::Chart> charts() const {
    const double capacity = ClusterOptions().capacity;
    const std::string settings =
        "\nset xlabel 'machines, the fullest first'\nset ylabel 'used capacity at confidence, cores'\nset yrange [0:" +
        shortest(capacity * 1.1) + "]\nset xrange [0:*]\nset key outside right top\nset arrow from graph 0, first " +
        shortest(capacity) + " to graph 1, first " + shortest(capacity) + " nohead lc rgb '#999999' dt 2\n";
    std::set<ClusterClass> drawn;
    for (const MachineUse& use : uses_) drawn.insert(use.of);
    std::vector<lab::Chart> all;
    for (const ClusterClass& of : drawn) {
      const std::string file = std::string("figure3-") + find_table(of.table).word;
      lab::Plot plot(file, 820, 420);
      std::size_t shown = 0;
      for (const MachineUse& use : uses_) {
        if (use.of != of) continue;
        std::string points;
        for (std::size_t machine = 0; machine < use.ucac.size(); ++machine) {
          points += lab::row_of({static_cast<double>(machine + 1), use.ucac[machine]});
        }
        plot.add("use" + std::to_string(shown), points,
                 "using 1:2 with lines lw 2" + lab::colored(shown, contender_text(use.label)));
        ++shown;
      }
      const std::string title = "Used capacity of each machine, " + class_text(of);
      all.push_back({file, title, plot.script("set title " + lab::quoted(title) + settings)});
    }
    return all;
  }

  void add_figures(lab::Figures& figures) const override {
    for (const TableResult& result : results_) {
      for_each(result, [&](const ClusterClass& of, const Contender& one, const Tally& tally, const Printed* printed) {
        const Rate rate(tally);
        const char* name = paper_name(one.label);
        figures.record().whole("table", static_cast<std::uint64_t>(result.table->number)).text("case", result.table->word);
        figures.whole("services", of.services).number("confidence", of.confidence).text("planner", one.label);
        figures.counts(tally, {"runs", "counted"});
        figures.means(tally, {"requested", "ucac", "nodes", "node_bound", "relative_ucac", "relative_nodes", "gap"});
        figures.number("worst_gap", tally.most("gap"), tally.has("gap")).number("rate", rate.share, rate.known);
        figures.number("low", rate.interval.low, rate.known).number("high", rate.interval.high, rate.known);
        figures.counts(tally, {"observations", "exceeded"});
        figures.number("exceeded_in_all", exceeded_in_all(tally), tally.has("counted")).means(tally, {"seconds"});
        figures.number("worst_seconds", tally.most("seconds"), tally.has("counted"));
        figures.text("paper_name", name != nullptr ? name : "", name != nullptr);
        figures.part("printed", printed != nullptr, [&](lab::Figures& part) {
          const Printed theirs = printed != nullptr ? *printed : Printed();
          part.number("ucac", theirs.ucac).number("nodes", theirs.machines).number("violations", theirs.violations);
        });
      });
    }
  }

  void show(lab::Page& page) const override {
    const std::string setting = counted(command_.seeds, "instance") + " per class on " + for_people(scale_.machines, 0) +
                                " machines; usage drawn " + for_people(samples_, 0) + " times, " + usage_word(model_);
    page.markdown(setting +
                  ".\nIn tables 1 and 2, UCaC and machines are relative to `bf-nsigma` on the same instance. Times are of the "
                  "planner alone.\n");
    if (!missing().empty()) page.markdown(lab::missing_text(missing(), "`") + ".\n");
    for (const TableResult& result : results_) {
      page.title("Table " + std::to_string(result.table->number) + ": " + result.table->title);
      std::vector<double> confidences;
      for (const ClusterClass& of : result.classes) confidences.push_back(of.confidence);
      for (const double confidence : lab::distinct(confidences)) {
        const std::string text = confidence_text(confidence);
        page.terminal("confidence " + text + "\n").markdown("\nConfidence " + text + ":\n\n");
        page.grid(table_grid(result, confidence));
      }
      page.terminal("\n");
    }
    if (page.links_charts() && !uses_.empty()) page.markdown("\n### Figure 3: machines by used capacity\n");
    page.link(charts());
    page.closing({setting + ". P1: as printed there. UCaC and machines in tables 1 and 2: relative to " + kBaseline +
                  " on the same instance; time: the planner alone"});
    page.terminal(papers_legend("P1"));
    if (!missing().empty()) page.terminal(lab::missing_text(missing()) + "\n");
  }

  std::vector<int> tables_ = {1, 2, 3, 4};
  Scale scale_;
  std::vector<std::string> alphas_;
  std::string layout_ = ClusterOptions().layout;
  std::uint32_t samples_ = 1000;
  std::string usage_ = "truncated";
  UsageModel model_ = UsageModel::kTruncated;
  std::vector<TableResult> results_;
  std::vector<MachineUse> uses_;
  lab::Tallies<ClusterClass> tallies_;
};

}  // namespace

}  // namespace stowage::cli::stochastic

void stowage::cli::lab::add_bench_stochastic(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<stochastic::StochasticBench>(line.console()));
}
