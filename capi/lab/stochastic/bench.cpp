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
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::stochastic {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;

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

/// Means over the runs of one contender on one class; only plans that count.
struct Mean {
  std::uint32_t runs = 0;
  std::uint32_t counted = 0;
  std::uint32_t related = 0;  ///< with a run of the baseline on the same instance
  std::uint32_t bounded = 0;  ///< with a bound on UCaC
  double requested = 0;
  double ucac = 0;
  double nodes = 0;
  double node_bound = 0;  ///< the best one, too
  double relative_ucac = 0;
  double relative_nodes = 0;
  double gap = 0;        ///< UCaC above the best bound that any run on the same instance proved
  double worst_gap = 0;  ///< of all runs
  double seconds = 0;
  double worst_seconds = 0;
  std::uint64_t observations = 0;  ///< sum
  std::uint64_t exceeded = 0;      ///< sum
  std::set<std::uint64_t> seeds;   ///< of runs that count
  double exceeded_in_all = 0;      ///< machines above capacity, at a time, summed over the days

  [[nodiscard]] double rate() const {
    return observations == 0 ? 0 : static_cast<double>(exceeded) / static_cast<double>(observations);
  }
};

std::string percent(double share, int digits) { return for_people(share * 100, digits) + " %"; }

/// The text of a cell, or why there is none.
std::string known_text(const Mean& mean, const std::string& text) {
  if (mean.runs == 0) return "-";
  if (mean.counted == 0) return "no plan";
  return mean.counted == mean.runs ? text
                                   : text + " [" + std::to_string(mean.counted) + " of " + std::to_string(mean.runs) + "]";
}

std::string violations_text(const Mean& mean) {
  if (mean.observations == 0) return "-";
  const Interval interval = wilson_interval(mean.exceeded, mean.observations);
  return percent(mean.rate(), 3) + " (" + for_people(interval.low * 100, 3) + " - " + for_people(interval.high * 100, 3) + ")";
}

std::string gap_text(const Mean& mean) {
  return mean.bounded > 0 ? percent(mean.gap, 4) + " (" + percent(mean.worst_gap, 4) + ")" : "-";
}

std::string time_text(const Mean& mean) { return mean.counted > 0 ? duration_text(mean.seconds) : "-"; }

bool relative(const Table& table) { return table.number < 3; }

std::string chart_name(const ClusterClass& of) { return std::string("figure3-") + find_table(of.table).word; }

std::string use_title(const ClusterClass& of) { return "Used capacity of each machine, " + class_text(of); }

/// Sums over the runs of each class and contender.
lab::Means<ClusterClass, Mean> means_of(const std::vector<Run>& runs) {
  using Instance = std::tuple<ClusterClass, std::uint64_t, std::uint32_t, std::string>;
  // In the week, the instances of a planner depend on its plans of the days before.
  const auto instance_of = [](const Run& run) {
    return Instance{run.of, run.seed, run.day, run.of.table == kWeekTable ? run.label : std::string()};
  };
  std::map<Instance, const Run*> baseline;
  std::map<Instance, double> ucac_bound;
  std::map<Instance, double> node_bound;
  for (const Run& run : runs) {
    if (!run.counts()) continue;
    const Instance instance = instance_of(run);
    if (run.label == kBaseline) baseline[instance] = &run;
    ucac_bound[instance] = std::max(ucac_bound[instance], run.ucac_bound.value_or(0));
    node_bound[instance] = std::max(node_bound[instance], run.node_bound.value_or(0));
  }
  lab::Means<ClusterClass, Mean> means;
  for (const Run& run : runs) {
    Mean& mean = means.add(run.of, run.label);
    ++mean.runs;
    if (!run.counts()) continue;
    ++mean.counted;
    mean.seeds.insert(run.seed);
    mean.requested += static_cast<double>(run.requested);
    mean.ucac += run.ucac;
    mean.nodes += static_cast<double>(run.nodes);
    const Instance instance = instance_of(run);
    mean.node_bound += node_bound[instance];
    mean.seconds += run.seconds;
    mean.worst_seconds = std::max(mean.worst_seconds, run.seconds);
    mean.observations += run.observations;
    mean.exceeded += run.exceeded;
    mean.exceeded_in_all += static_cast<double>(run.exceeded) / run.samples;
    if (const double bound = ucac_bound[instance]; bound > 0) {
      const double gap = std::max(0.0, run.ucac / bound - 1);
      ++mean.bounded;
      mean.gap += gap;
      mean.worst_gap = std::max(mean.worst_gap, gap);
    }
    if (const auto base = baseline.find(instance); base != baseline.end()) {
      ++mean.related;
      mean.relative_ucac += run.ucac / base->second->ucac;
      mean.relative_nodes += static_cast<double>(run.nodes) / static_cast<double>(base->second->nodes);
    }
  }
  means.finish([](Mean& mean) {
    lab::divide({&mean.requested, &mean.ucac, &mean.nodes, &mean.node_bound, &mean.seconds}, mean.counted);
    lab::divide({&mean.exceeded_in_all}, mean.seeds.size());
    lab::divide({&mean.gap}, mean.bounded);
    lab::divide({&mean.relative_ucac, &mean.relative_nodes}, mean.related);
  });
  return means;
}

class StochasticBench final : public lab::Bench<Run> {
 public:
  StochasticBench(const lab::BenchStochasticCommand& command, const Console& console)
      : Bench(command, console, "stochastic", "; one thread"), command_(command) {}

 private:
  /// One table: its classes, and the contenders that are compared. Those without runs or published figures are not shown.
  struct TableResult {
    const Table* table;
    std::vector<ClusterClass> classes;
    std::vector<Contender> contenders;
  };

  void prepare() override {
    const std::vector<Contender> given = known_contenders(command_.planners);
    for (const int number : command_.tables) {
      const Table& table = find_table(number);
      results_.push_back(
          {&table, classes_of(table, command_.scale), given.empty() ? own_contenders(table_contenders(table)) : given});
      ask_for_ucac(results_.back().contenders);
    }
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
        for (const ClusterClass& of : table.classes) all.push_back({of, seed, table.contenders, {}});
      }
    }
    return all;
  }

  [[nodiscard]] std::string layout() const { return command_.layout.empty() ? ClusterOptions().layout : command_.layout; }

  [[nodiscard]] std::uint32_t days_of(const ClusterClass& of) const { return of.table == kWeekTable ? command_.scale.days : 1; }

  /// One per day.
  [[nodiscard]] std::vector<Run> blanks(const Job& job, const Contender& contender) const override {
    std::vector<Run> runs(days_of(job.of), blank(job.of, job.seed, contender));
    for (std::uint32_t day = 0; day < runs.size(); ++day) {
      runs[day].machines = command_.scale.machines;
      runs[day].layout = layout();
      runs[day].usage = usage_word(command_.usage);
      runs[day].samples = command_.samples;
      runs[day].day = day;
    }
    return runs;
  }

  void measure(const Job& job) override { job.of.table == kWeekTable ? measure_weeks(job) : measure_instance(job); }

  [[nodiscard]] ClusterOptions cluster_options(const Job& job) const {
    ClusterOptions options;
    options.services = job.of.services;
    options.confidence = job.of.confidence;
    options.of = find_table(job.of.table).of;
    options.machines = command_.scale.machines;
    options.seed = job.seed;
    options.layout = layout();
    return options;
  }

  void measure_instance(const Job& job) {
    InstanceData data = [&] {
      const PassingNote note(console(), "making " + class_text(job.of));
      return generate_cluster(cluster_options(job), console());
    }();
    const std::uint64_t wanted = requested(data);
    const Workload workload = lab::loaded(std::move(data), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      measure_one(workload, contender, blanks(job, contender).front(), wanted, [](const wire::Plan&) {});
    }
  }

  /// Measures day by day. Each planner continues from its own plan of the day before.
  void measure_weeks(const Job& job) {
    const std::vector<Service> services = draw_services(job.of.services, job.seed);
    const InstanceData empty = empty_cluster(cluster_options(job), services);
    for (const Contender& contender : job.contenders) {
      forget(job, contender);
      std::optional<InstanceData> today = empty;
      today->apps.replicas = scaled_containers(services, day_scale(0));
      for (std::uint32_t day = 0; day < days_of(job.of) && today && !InterruptGuard::interrupted(); ++day) {
        const std::uint64_t wanted = requested(*today);
        const Workload workload = lab::loaded(*today, class_text(job.of) + ", day " + std::to_string(day + 1));
        std::optional<InstanceData> tomorrow;
        measure_one(workload, contender, blanks(job, contender)[day], wanted, [&](const wire::Plan& plan) {
          tomorrow = after_losses(empty, plan, services, scaled_containers(services, day_scale(day + 1)), job.seed, day + 1);
        });
        today = std::move(tomorrow);
      }
    }
  }

  /// Measures and simulates a plan. Passes one that counts to `next`.
  void measure_one(const Workload& workload, const Contender& contender, Run run, std::uint64_t wanted,
                   const std::function<void(const wire::Plan&)>& next) {
    run.requested = wanted;
    plan_and_keep(workload, contender, std::move(run), runs_, [&](const wire::Plan& plan, Run& made) {
      note_plan(workload, plan, made);
      if (InterruptGuard::interrupted() || !made.counts()) return;
      next(plan);
      note_uses(plan, made);
    });
  }

  void note_plan(const Workload& workload, const wire::Plan& plan, Run& run) const {
    run.ucac = std::max(0.0, plan.ucac());
    run.ucac_bound = lab::bound_of(plan.ucac_bound());
    run.node_bound = lab::bound_of(plan.node_bound());
    if (!run.counts()) return;
    SimulationOptions options;
    options.samples = command_.samples;
    options.seed = run.seed;
    options.model = command_.usage;
    const PassingNote note(console(), "simulating " + workload.source);
    try {
      const Simulation simulation = simulate(workload.root(), plan, MeasuredUsage(), options);
      run.observations = simulation.observations;
      run.exceeded = simulation.violations;
    } catch (const Failure&) {
      if (!InterruptGuard::interrupted()) throw;
    }
  }

  /// Keeps the used capacity of the machines that the charts show.
  void note_uses(const wire::Plan& plan, const Run& run) {
    if (run.of.table == kWeekTable || run.seed != kChartedSeed || plan.node_ucac() == nullptr) return;
    // P1's figure shows the class with most services and the highest confidence.
    const auto most = [](const auto& values) { return *std::max_element(values.begin(), values.end()); };
    const Scale& scale = command_.scale;
    if (run.of != ClusterClass{run.of.table, most(scale.services), most(scale.confidences)}) return;
    MachineUse use{run.of, run.seed, run.label, {plan.node_ucac()->begin(), plan.node_ucac()->end()}};
    std::sort(use.ucac.begin(), use.ucac.end(), std::greater<>());
    std::erase_if(uses_, [&](const MachineUse& one) { return one.of == use.of && one.label == use.label; });
    uses_.push_back(std::move(use));
  }

  void sum_up(const std::vector<Run>& asked) override {
    means_ = means_of(asked);
    for (TableResult& result : results_) {
      std::erase_if(result.contenders, [&](const Contender& contender) {
        return std::none_of(result.classes.begin(), result.classes.end(), [&](const ClusterClass& one) {
          return means_.has(one, contender.label) || find_printed(one, contender.label) != nullptr;
        });
      });
    }
  }

  /// One table at one confidence: our figures, and P1's beside them where it prints any.
  [[nodiscard]] Grid table_grid(const TableResult& result, double confidence) const {
    const Table& table = *result.table;
    const bool week = table.number == kWeekTable;
    Grid grid = {
        {"services", "planner", "UCaC", "P1", "machines", "P1", week ? "violations in all" : "violations (95 %)", "P1"}};
    if (table.number == 3) grid[0].emplace_back("least machines");
    grid[0].insert(grid[0].end(), {"UCaC above bound (worst)", "time"});
    for (const ClusterClass& one : result.classes) {
      if (one.confidence != confidence) continue;
      for (const Contender& contender : result.contenders) {
        const Mean& mean = means_.of(one, contender.label);
        const Printed* printed = find_printed(one, contender.label);
        const int digits = relative(table) ? 2 : 0;
        std::vector<std::string> row = {std::to_string(one.services), contender_text(contender.label)};
        const bool ratios = relative(table) && mean.related > 0;
        row.push_back(known_text(mean, ratios ? for_people(mean.relative_ucac, 4) : for_people(mean.ucac, 1)));
        row.push_back(printed != nullptr ? for_people(printed->ucac, week ? 1 : digits) : "-");
        row.push_back(known_text(mean, ratios ? for_people(mean.relative_nodes, 4) : for_people(mean.nodes, 1)));
        row.push_back(printed != nullptr ? for_people(printed->machines, digits) : "-");
        row.push_back(week ? (mean.counted > 0 ? for_people(mean.exceeded_in_all, 2) : "-") : violations_text(mean));
        row.push_back(printed == nullptr ? "-"
                      : week             ? for_people(printed->violations, 1)
                                         : for_people(printed->violations) + " %");
        if (table.number == 3) row.push_back(mean.counted > 0 ? for_people(mean.node_bound, 1) : "-");
        row.push_back(gap_text(mean));
        row.push_back(time_text(mean));
        grid.push_back(std::move(row));
      }
    }
    return grid;
  }

  [[nodiscard]] std::vector<ClusterClass> charted() const {
    std::vector<ClusterClass> classes;
    for (const MachineUse& use : uses_) classes.push_back(use.of);
    classes = lab::distinct(classes);
    std::sort(classes.begin(), classes.end());
    return classes;
  }

  /// A line per contender: the used capacity of its machines, the fullest first.
  [[nodiscard]] std::string use_script(const ClusterClass& of) const {
    const double capacity = ClusterOptions().capacity;
    lab::Plot plot(chart_name(of), 820, 420);
    std::size_t shown = 0;
    for (const MachineUse& use : uses_) {
      if (use.of != of) continue;
      std::string points;
      for (std::size_t machine = 0; machine < use.ucac.size(); ++machine) {
        points += std::to_string(machine + 1) + " " + shortest(use.ucac[machine]) + "\n";
      }
      plot.add("use" + std::to_string(shown), points,
               "using 1:2 with lines lw 2 lc rgb " + lab::color(shown) + " title " + lab::quoted(contender_text(use.label)));
      ++shown;
    }
    return plot.script("set title " + lab::quoted(use_title(of)) + "\nset xlabel 'machines, the fullest first'\n" +
                       "set ylabel 'used capacity at confidence, cores'\nset yrange [0:" + shortest(capacity * 1.1) +
                       "]\nset xrange [0:*]\n" + "set key outside right top\nset arrow from graph 0, first " +
                       shortest(capacity) + " to graph 1, first " + shortest(capacity) + " nohead lc rgb '#999999' dt 2\n");
  }

  [[nodiscard]] std::vector<lab::Chart> charts() const override {
    std::vector<lab::Chart> all;
    for (const ClusterClass& of : charted()) all.push_back({chart_name(of), use_title(of), use_script(of)});
    return all;
  }

  void add_figures(lab::Figures& figures) const override {
    for (const TableResult& result : results_) {
      for (const ClusterClass& one : result.classes) {
        for (const Contender& contender : result.contenders) {
          const std::string& label = contender.label;
          const Mean& mean = means_.of(one, label);
          const bool counted = mean.counted > 0;
          const bool seen = mean.observations > 0;
          const Interval interval = wilson_interval(mean.exceeded, mean.observations);
          const char* name = paper_name(label);
          const Printed* printed = find_printed(one, label);
          const Printed theirs = printed != nullptr ? *printed : Printed();
          figures.record().whole("table", static_cast<std::uint64_t>(result.table->number)).text("case", result.table->word);
          figures.whole("services", one.services).number("confidence", one.confidence).text("planner", label);
          figures.whole("runs", mean.runs).whole("counted", mean.counted).number("requested", mean.requested, counted);
          figures.number("ucac", mean.ucac, counted).number("nodes", mean.nodes, counted);
          figures.number("node_bound", mean.node_bound, counted);
          figures.number("relative_ucac", mean.relative_ucac, mean.related > 0);
          figures.number("relative_nodes", mean.relative_nodes, mean.related > 0);
          figures.number("gap", mean.gap, mean.bounded > 0).number("worst_gap", mean.worst_gap, mean.bounded > 0);
          figures.number("rate", mean.rate(), seen).number("low", interval.low, seen).number("high", interval.high, seen);
          figures.whole("observations", mean.observations).whole("exceeded", mean.exceeded);
          figures.number("exceeded_in_all", mean.exceeded_in_all, counted);
          figures.number("seconds", mean.seconds, counted).number("worst_seconds", mean.worst_seconds, counted);
          figures.text("paper_name", name != nullptr ? name : "", name != nullptr);
          figures.part("printed", printed != nullptr, [&](lab::Figures& part) {
            part.number("ucac", theirs.ucac).number("nodes", theirs.machines).number("violations", theirs.violations);
          });
        }
      }
    }
  }

  void show(lab::Page& page) const override {
    const std::string setting = counted(command_.seeds, "instance") + " per class on " +
                                for_people(command_.scale.machines, 0) + " machines; usage drawn " +
                                for_people(command_.samples, 0) + " times, " + usage_word(command_.usage);
    page.markdown(setting +
                  ".\nIn tables 1 and 2, UCaC and machines are relative to `bf-nsigma` on the same instance. Times are of the "
                  "planner alone.\n");
    if (!missing().empty()) page.markdown(lab::missing_text(missing(), "`") + ".\n");
    for (const TableResult& result : results_) {
      page.title("Table " + std::to_string(result.table->number) + ": " + result.table->title);
      std::vector<double> confidences;
      for (const ClusterClass& one : result.classes) confidences.push_back(one.confidence);
      for (const double confidence : lab::distinct(confidences)) {
        const std::string text = confidence_text(confidence);
        page.terminal("confidence " + text + "\n").markdown("\nConfidence " + text + ":\n\n");
        page.grid(table_grid(result, confidence));
      }
      page.terminal("\n");
    }
    const std::vector<ClusterClass> drawn = charted();
    if (page.links_charts() && !drawn.empty()) page.markdown("\n### Figure 3: machines by used capacity\n");
    for (const ClusterClass& of : drawn) page.chart(chart_name(of), use_title(of));
    page.closing({setting + ". P1: as printed there. UCaC and machines in tables 1 and 2: relative to " + kBaseline +
                  " on the same instance; time: the planner alone"});
    page.terminal(papers_legend("P1"));
    if (!missing().empty()) page.terminal(lab::missing_text(missing()) + "\n");
  }

  const lab::BenchStochasticCommand& command_;
  std::vector<TableResult> results_;
  std::vector<MachineUse> uses_;
  lab::Means<ClusterClass, Mean> means_;
};

}  // namespace

}  // namespace stowage::cli::stochastic

namespace stowage::cli::lab {

int run_bench_stochastic_command(const BenchStochasticCommand& command, const Console& console) {
  return stochastic::StochasticBench(command, console).run();
}

}  // namespace stowage::cli::lab
