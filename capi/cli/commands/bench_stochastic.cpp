#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "capi/cli/commands/commands.h"
#include "capi/cli/failure.h"
#include "capi/cli/paper/contenders.h"
#include "capi/cli/paper/gnuplot.h"
#include "capi/cli/paper/measure.h"
#include "capi/cli/paper/run_table.h"
#include "capi/cli/paper/tables.h"
#include "capi/cli/plan_file.h"
#include "capi/cli/stochastic/results.h"
#include "capi/cli/stochastic/runs.h"
#include "capi/cli/stochastic/simulation.h"

namespace stowage::cli {
namespace {

using paper::Contender;
using stochastic::ClusterClass;
using stochastic::kWeekTable;
using stochastic::MachineUse;
using stochastic::Run;

/// P1's figure 3 shows one instance.
constexpr std::uint64_t kChartedSeed = 1;

/// One instance (or one week) and who plans it.
struct Job {
  ClusterClass of;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

Workload loaded(InstanceData data, const std::string& source) {
  InstanceBytes bytes(encode_instance(std::move(data)));
  Instance instance = load_bytes(bytes, source);
  return {source, std::move(bytes), std::move(instance), 0};
}

/// Containers that are wanted and do not run yet.
std::uint64_t requested(const InstanceData& data) {
  std::uint64_t count = 0;
  for (const std::uint32_t replicas : data.apps.replicas) count += replicas;
  for (const ResidenceData& one : data.running) count -= one.replicas;
  return count;
}

class StochasticBench {
 public:
  StochasticBench(const BenchStochasticCommand& command, const Console& console)
      : command_(command), console_(console), catalogue_(planner_catalogue()) {}

  int run() {
    prepare();
    const InterruptGuard guard;
    measure_all();
    report();
    if (InterruptGuard::interrupted()) {
      console_.err << "stowage: interrupted; the tables hold what was done"
                   << (command_.output ? ", and --resume goes on from there" : "") << '\n';
      return kExitUnmet;
    }
    return broken_ ? kExitUnmet : kExitOk;
  }

 private:
  /// Everything that can be refused is refused here, before the long work.
  void prepare() {
    for (const int number : command_.tables) tables_.push_back(&stochastic::find_table(number));
    std::vector<Contender> given;
    for (const std::string& label : command_.planners) given.push_back(paper::known_contender(label, catalogue_.root()));
    for (const stochastic::Table* table : tables_) contenders_.push_back(given.empty() ? contenders_of(*table) : given);
    if (command_.markdown) paper::check_between(*command_.markdown, stochastic::kMarkdownWord);
    if (!command_.output) return;
    if (!command_.no_charts) paper::need_gnuplot();
    runs_path_ = paper::prepare_folder(*command_.output, command_.resume);
    if (!std::filesystem::exists(*runs_path_)) return;
    runs_ = stochastic::read_runs(*runs_path_);
    for (const Run& run : runs_) paper::check_origin(*runs_path_, run.machine, run.build);
    if (std::filesystem::exists(uses_path())) uses_ = stochastic::read_uses(uses_path());
  }

  [[nodiscard]] std::string uses_path() const { return (std::filesystem::path(*command_.output) / "machines.csv").string(); }

  std::vector<Contender> contenders_of(const stochastic::Table& table) {
    std::vector<Contender> contenders;
    for (const std::string& label : stochastic::table_contenders(table)) {
      contenders.push_back(paper::parse_contender(label));
      const std::string& planner = contenders.back().planner;
      if (paper::offered(catalogue_.root(), planner)) continue;
      if (std::find(missing_.begin(), missing_.end(), planner) == missing_.end()) missing_.push_back(planner);
    }
    return contenders;
  }

  /// Seed by seed, so that an early end leaves something of every class.
  [[nodiscard]] std::vector<Job> jobs() const {
    std::vector<Job> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (std::size_t t = 0; t < tables_.size(); ++t) {
        for (const ClusterClass& of : stochastic::classes_of(*tables_[t], command_.scale)) {
          Job& job = all.emplace_back();
          job.of = of;
          job.seed = seed;
          for (const Contender& one : contenders_[t]) {
            if (paper::offered(catalogue_.root(), one.planner)) job.contenders.push_back(one);
          }
        }
      }
    }
    return all;
  }

  [[nodiscard]] std::uint64_t deadline_of(const Contender& contender) const {
    return contender.deadline_ms > 0 ? contender.deadline_ms : command_.deadline_ms;
  }

  [[nodiscard]] std::string layout() const {
    return command_.layout.empty() ? stochastic::ClusterOptions().layout : command_.layout;
  }

  [[nodiscard]] std::uint32_t days_of(const ClusterClass& of) const { return of.table == kWeekTable ? command_.scale.days : 1; }

  [[nodiscard]] bool is_run_of(const Run& run, const Job& job, const Contender& contender) const {
    return run.of == job.of && run.seed == job.seed && run.machines == command_.scale.machines && run.layout == layout() &&
           run.usage == stochastic::usage_word(command_.usage) && run.label == contender.label &&
           run.deadline_ms == deadline_of(contender) && run.samples == command_.samples && run.day < days_of(job.of);
  }

  /// A week is done when each of its days is.
  [[nodiscard]] bool done(const Job& job, const Contender& contender) const {
    const auto count =
        std::count_if(runs_.begin(), runs_.end(), [&](const Run& run) { return is_run_of(run, job, contender); });
    return count == days_of(job.of);
  }

  void measure_all() {
    const std::vector<Job> all = jobs();
    for (std::size_t j = 0; j < all.size() && !InterruptGuard::interrupted(); ++j) {
      Job job = all[j];
      std::erase_if(job.contenders, [&](const Contender& one) { return done(job, one); });
      if (job.contenders.empty()) continue;
      const Stopwatch stopwatch;
      const std::size_t before = runs_.size();
      job.of.table == kWeekTable ? measure_weeks(job) : measure_instance(job);
      if (runs_path_) {
        stochastic::write_runs(runs_, *runs_path_);
        stochastic::write_uses(uses_, uses_path());
      }
      console_.err << "[" << j + 1 << " of " << all.size() << "] " << class_text(job.of) << ", seed " << job.seed << ": "
                   << counted(runs_.size() - before, "run") << " in " << duration_text(stopwatch.seconds()) << '\n';
    }
  }

  [[nodiscard]] stochastic::ClusterOptions cluster_options(const Job& job) const {
    stochastic::ClusterOptions options;
    options.services = job.of.services;
    options.confidence = job.of.confidence;
    options.of = stochastic::find_table(job.of.table).of;
    options.machines = command_.scale.machines;
    options.seed = job.seed;
    options.layout = layout();
    return options;
  }

  void measure_instance(const Job& job) {
    InstanceData data = [&] {
      const PassingNote note(console_, "making " + class_text(job.of));
      return stochastic::generate_cluster(cluster_options(job), console_);
    }();
    const std::uint64_t wanted = requested(data);
    const Workload workload = loaded(std::move(data), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      if (InterruptGuard::interrupted()) return;
      measure(workload, job, contender, 0, wanted, [](const wire::Plan&) {});
    }
  }

  /// Day after day, each planner goes on from its own plan of the day before.
  void measure_weeks(const Job& job) {
    const std::vector<stochastic::Service> services = stochastic::draw_services(job.of.services, job.seed);
    const InstanceData empty = stochastic::empty_cluster(cluster_options(job), services);
    for (const Contender& contender : job.contenders) {
      // A week of which some days are missing starts anew.
      std::erase_if(runs_, [&](const Run& run) { return is_run_of(run, job, contender); });
      std::optional<InstanceData> today = empty;
      today->apps.replicas = stochastic::scaled_containers(services, stochastic::day_scale(0));
      for (std::uint32_t day = 0; day < days_of(job.of) && today && !InterruptGuard::interrupted(); ++day) {
        const std::uint64_t wanted = requested(*today);
        const Workload workload = loaded(*today, class_text(job.of) + ", day " + std::to_string(day + 1));
        std::optional<InstanceData> tomorrow;
        measure(workload, job, contender, day, wanted, [&](const wire::Plan& plan) {
          tomorrow = stochastic::after_losses(empty, plan, services,
                                              stochastic::scaled_containers(services, stochastic::day_scale(day + 1)), job.seed,
                                              day + 1);
        });
        today = std::move(tomorrow);
      }
    }
  }

  /// Adds a run, unless Ctrl-C or a defect came in between; hands a plan that counts to `next`.
  void measure(const Workload& workload, const Job& job, const Contender& contender, std::uint32_t day, std::uint64_t wanted,
               const std::function<void(const wire::Plan&)>& next) {
    Run run;
    run.of = job.of;
    run.machines = command_.scale.machines;
    run.layout = layout();
    run.usage = stochastic::usage_word(command_.usage);
    run.seed = job.seed;
    run.day = day;
    run.label = contender.label;
    run.deadline_ms = deadline_of(contender);
    run.samples = command_.samples;
    run.requested = wanted;
    run.machine = paper::this_machine();
    run.build = paper::this_build();
    const paper::Measurement made =
        paper::measure(workload, contender, run.deadline_ms, command_.repeat, "seed " + std::to_string(run.seed), console_);
    if (made.interrupted) return;
    if (!made.run) {
      run.status = Run::kRefused;
      broken_ |= !made.refused;
      // A defect is not a result: --resume tries it again.
      if (made.refused) runs_.push_back(std::move(run));
      return;
    }
    run.seconds = made.seconds;
    run.call_seconds = made.call_seconds;
    run.repeats = made.repeats;
    note_plan(workload, *made.run, run);
    if (InterruptGuard::interrupted()) return;
    broken_ |= run.violations > 0;
    if (run.counts()) {
      next(made.run->root());
      note_uses(made.run->root(), run);
    }
    runs_.push_back(std::move(run));
  }

  void note_plan(const Workload& workload, const PlanRun& made, Run& run) const {
    const wire::Plan& plan = made.root();
    const auto verification = verify_plan(workload.instance, made.plan.span());
    run.status = status_word(plan.status());
    run.nodes = verification.body().nodes();
    run.unplaced = verification.body().unplaced();
    run.violations = verification.body().violation_count();
    run.ucac = std::max(0.0, plan.ucac());
    if (plan.ucac_bound() != nullptr) run.ucac_bound = plan.ucac_bound()->value();
    if (plan.node_bound() != nullptr) run.node_bound = plan.node_bound()->value();
    if (run.violations > 0) {
      console_.err << "stowage: the plan by " << run.label << " for " << workload.source << ", seed " << run.seed << ", breaks "
                   << counted(run.violations, "constraint") << "; it does not count\n";
    }
    if (!run.counts()) return;
    stochastic::SimulationOptions options;
    options.samples = command_.samples;
    options.seed = run.seed;
    options.model = command_.usage;
    const PassingNote note(console_, "simulating " + workload.source);
    try {
      const stochastic::Simulation simulation =
          stochastic::simulate(workload.root(), plan, stochastic::MeasuredUsage(), options);
      run.observations = simulation.observations;
      run.exceeded = simulation.violations;
    } catch (const Failure&) {
      if (!InterruptGuard::interrupted()) throw;
    }
  }

  /// Keeps the machines of the plans that the charts show.
  void note_uses(const wire::Plan& plan, const Run& run) {
    if (run.of.table == kWeekTable || run.seed != kChartedSeed || plan.node_ucac() == nullptr) return;
    if (run.of != stochastic::charted_class(stochastic::find_table(run.of.table), command_.scale)) return;
    MachineUse use{run.of, run.seed, run.label, {plan.node_ucac()->begin(), plan.node_ucac()->end()}};
    std::sort(use.ucac.begin(), use.ucac.end(), std::greater<>());
    std::erase_if(uses_, [&](const MachineUse& one) { return one.of == use.of && one.label == use.label; });
    uses_.push_back(std::move(use));
  }

  /// The runs that this command asks for; a resumed file may hold others.
  [[nodiscard]] std::vector<Run> asked_for() const {
    std::vector<Run> asked;
    for (const Job& job : jobs()) {
      for (const Run& run : runs_) {
        if (std::any_of(job.contenders.begin(), job.contenders.end(),
                        [&](const Contender& one) { return is_run_of(run, job, one); })) {
          asked.push_back(run);
        }
      }
    }
    return asked;
  }

  void report() const {
    const std::vector<Run> asked = asked_for();
    std::vector<stochastic::TableResult> results;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      results.push_back(stochastic::sum_up(*tables_[t], command_.scale, contenders_[t], asked));
    }
    const stochastic::Setting setting{command_.command_line, command_.seeds,          command_.samples,
                                      command_.usage,        command_.scale.machines, missing_};
    std::optional<std::string> charts;
    if (command_.output) {
      stochastic::write_summary(results, (std::filesystem::path(*command_.output) / "summary.csv").string());
      if (!command_.no_charts) {
        const PassingNote note(console_, "drawing charts");
        stochastic::draw_uses(uses_, stochastic::ClusterOptions().capacity, *command_.output);
        charts = command_.output;
      }
    }
    if (command_.markdown) stochastic::write_markdown(results, asked, uses_, setting, charts, *command_.markdown);
    if (command_.summary == Summary::kJson) {
      console_.out << stochastic::results_json(results);
    } else {
      stochastic::print_results(results, setting, console_);
    }
  }

  const BenchStochasticCommand& command_;
  const Console& console_;
  Catalogue catalogue_;
  std::vector<const stochastic::Table*> tables_;
  std::vector<std::vector<Contender>> contenders_;  ///< of each table
  std::vector<std::string> missing_;
  std::optional<std::string> runs_path_;
  std::vector<Run> runs_;
  std::vector<MachineUse> uses_;
  bool broken_ = false;
};

}  // namespace

int run_bench_stochastic_command(const BenchStochasticCommand& command, const Console& console) {
  return StochasticBench(command, console).run();
}

}  // namespace stowage::cli
