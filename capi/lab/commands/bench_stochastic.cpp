#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "capi/cli/simulate/simulation.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/stochastic/results.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

using stochastic::ClusterClass;
using stochastic::kWeekTable;
using stochastic::MachineUse;

/// P1's figure 3 shows one instance.
constexpr std::uint64_t kChartedSeed = 1;

/// One instance (or one week), and the contenders that plan it.
struct ClusterJob {
  ClusterClass of;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

/// Number of containers that are wanted but not running.
std::uint64_t requested(const InstanceData& data) {
  std::uint64_t count = 0;
  for (const std::uint32_t replicas : data.apps.replicas) count += replicas;
  for (const wire::Residence& one : data.running) count -= one.replicas();
  return count;
}

class StochasticBench final : public Experiment {
 public:
  StochasticBench(const BenchStochasticCommand& command, const Console& console)
      : Experiment(command, console), command_(command) {}

 private:
  void prepare() override {
    for (const int number : command_.tables) tables_.push_back(&stochastic::find_table(number));
    const std::vector<Contender> given = known_contenders(command_.planners);
    for (const stochastic::Table* table : tables_) {
      ask_for_ucac(contenders_.emplace_back(given.empty() ? contenders_of(*table) : given));
    }
    runs_ = earlier_runs(stochastic::kMarkdownWord, lab::read_runs<stochastic::Run>);
    if (!runs_.empty() && std::filesystem::exists(uses_path())) uses_ = stochastic::read_uses(uses_path());
  }

  [[nodiscard]] std::string uses_path() const { return (std::filesystem::path(*command_.output) / "machines.csv").string(); }

  std::vector<Contender> contenders_of(const stochastic::Table& table) {
    std::vector<Contender> contenders;
    for (const std::string& label : stochastic::table_contenders(table)) {
      contenders.push_back(own_contender(label));
    }
    return contenders;
  }

  /// Jobs seed by seed, so that an early end leaves runs of every class.
  [[nodiscard]] std::vector<ClusterJob> jobs() const {
    std::vector<ClusterJob> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (std::size_t t = 0; t < tables_.size(); ++t) {
        for (const ClusterClass& of : stochastic::classes_of(*tables_[t], command_.scale)) {
          ClusterJob& job = all.emplace_back();
          job.of = of;
          job.seed = seed;
          for (const Contender& one : contenders_[t]) {
            if (offers(one)) job.contenders.push_back(one);
          }
        }
      }
    }
    return all;
  }

  [[nodiscard]] std::string layout() const {
    return command_.layout.empty() ? stochastic::ClusterOptions().layout : command_.layout;
  }

  [[nodiscard]] std::uint32_t days_of(const ClusterClass& of) const { return of.table == kWeekTable ? command_.scale.days : 1; }

  [[nodiscard]] bool is_run_of(const stochastic::Run& run, const ClusterJob& job, const Contender& contender) const {
    return run.of == job.of && run.seed == job.seed && run.machines == command_.scale.machines && run.layout == layout() &&
           run.usage == stochastic::usage_word(command_.usage) && run.label == contender.label &&
           run.deadline_ms == deadline_of(contender) && run.samples == command_.samples && run.day < days_of(job.of);
  }

  /// A week is done when all of its days are done.
  [[nodiscard]] bool done(const ClusterJob& job, const Contender& contender) const {
    const auto count =
        std::count_if(runs_.begin(), runs_.end(), [&](const stochastic::Run& run) { return is_run_of(run, job, contender); });
    return count == days_of(job.of);
  }

  void measure_all() override {
    take_in_turn(
        jobs(), runs_, [&](const ClusterJob& job, const Contender& one) { return done(job, one); },
        [&](const ClusterJob& job) { job.of.table == kWeekTable ? measure_weeks(job) : measure_instance(job); },
        [&] {
          lab::write_runs<stochastic::Run>(runs_, *runs_path());
          stochastic::write_uses(uses_, uses_path());
        });
  }

  [[nodiscard]] stochastic::ClusterOptions cluster_options(const ClusterJob& job) const {
    stochastic::ClusterOptions options;
    options.services = job.of.services;
    options.confidence = job.of.confidence;
    options.of = stochastic::find_table(job.of.table).of;
    options.machines = command_.scale.machines;
    options.seed = job.seed;
    options.layout = layout();
    return options;
  }

  void measure_instance(const ClusterJob& job) {
    InstanceData data = [&] {
      const PassingNote note(console(), "making " + class_text(job.of));
      return stochastic::generate_cluster(cluster_options(job), console());
    }();
    const std::uint64_t wanted = requested(data);
    const Workload workload = loaded(std::move(data), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      if (InterruptGuard::interrupted()) return;
      measure(workload, job, contender, 0, wanted, [](const wire::Plan&) {});
    }
  }

  /// Measures day by day. Each planner continues from its own plan of the day before.
  void measure_weeks(const ClusterJob& job) {
    const std::vector<stochastic::Service> services = stochastic::draw_services(job.of.services, job.seed);
    const InstanceData empty = stochastic::empty_cluster(cluster_options(job), services);
    for (const Contender& contender : job.contenders) {
      // A week with missing days is repeated from its start.
      std::erase_if(runs_, [&](const stochastic::Run& run) { return is_run_of(run, job, contender); });
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

  /// Adds a run, unless a Ctrl-C or a defect ended it. Passes a plan that counts to `next`.
  void measure(const Workload& workload, const ClusterJob& job, const Contender& contender, std::uint32_t day,
               std::uint64_t wanted, const std::function<void(const wire::Plan&)>& next) {
    stochastic::Run run;
    run.of = job.of;
    run.machines = command_.scale.machines;
    run.layout = layout();
    run.usage = stochastic::usage_word(command_.usage);
    run.seed = job.seed;
    run.day = day;
    run.samples = command_.samples;
    run.requested = wanted;
    const auto made = measure_run(workload, contender, run.seed, run);
    if (InterruptGuard::interrupted()) return;
    if (made) note_plan(workload, made->root(), run);
    if (InterruptGuard::interrupted()) return;
    if (made && run.counts()) {
      next(made->root());
      note_uses(made->root(), run);
    }
    // A defect is not a result, so that --resume repeats the run.
    if (run.status != stochastic::Run::kFailed) runs_.push_back(std::move(run));
  }

  void note_plan(const Workload& workload, const wire::Plan& plan, stochastic::Run& run) const {
    run.ucac = std::max(0.0, plan.ucac());
    if (plan.ucac_bound() != nullptr) run.ucac_bound = plan.ucac_bound()->value();
    if (plan.node_bound() != nullptr) run.node_bound = plan.node_bound()->value();
    if (!run.counts()) return;
    stochastic::SimulationOptions options;
    options.samples = command_.samples;
    options.seed = run.seed;
    options.model = command_.usage;
    const PassingNote note(console(), "simulating " + workload.source);
    try {
      const stochastic::Simulation simulation =
          stochastic::simulate(workload.root(), plan, stochastic::MeasuredUsage(), options);
      run.observations = simulation.observations;
      run.exceeded = simulation.violations;
    } catch (const Failure&) {
      if (!InterruptGuard::interrupted()) throw;
    }
  }

  /// Keeps the used capacity of the machines that the charts show.
  void note_uses(const wire::Plan& plan, const stochastic::Run& run) {
    if (run.of.table == kWeekTable || run.seed != kChartedSeed || plan.node_ucac() == nullptr) return;
    if (run.of != stochastic::charted_class(stochastic::find_table(run.of.table), command_.scale)) return;
    MachineUse use{run.of, run.seed, run.label, {plan.node_ucac()->begin(), plan.node_ucac()->end()}};
    std::sort(use.ucac.begin(), use.ucac.end(), std::greater<>());
    std::erase_if(uses_, [&](const MachineUse& one) { return one.of == use.of && one.label == use.label; });
    uses_.push_back(std::move(use));
  }

  void report() const override {
    const std::vector<stochastic::Run> asked = runs_of(
        jobs(), runs_,
        [&](const stochastic::Run& run, const ClusterJob& job, const Contender& one) { return is_run_of(run, job, one); });
    std::vector<stochastic::TableResult> results;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      results.push_back(stochastic::sum_up(*tables_[t], command_.scale, contenders_[t], asked));
    }
    const stochastic::Setting setting{command_.command_line, command_.seeds,          command_.samples,
                                      command_.usage,        command_.scale.machines, missing()};
    Report report{
        .add_figures = [&](lab::Figures& figures) { stochastic::add_figures(results, figures); },
        .draw_charts =
            [&](const std::string& folder) { stochastic::draw_uses(uses_, stochastic::ClusterOptions().capacity, folder); },
        .write_markdown =
            [&](const std::optional<std::string>& charts, const std::string& path) {
              stochastic::write_markdown(results, asked, uses_, setting, charts, path);
            },
        .print = [&] { stochastic::print_results(results, setting, console()); },
    };
    publish(report);
  }

  const BenchStochasticCommand& command_;
  std::vector<const stochastic::Table*> tables_;
  std::vector<std::vector<Contender>> contenders_;  ///< of each table
  std::vector<stochastic::Run> runs_;
  std::vector<MachineUse> uses_;
};

}  // namespace

int run_bench_stochastic_command(const BenchStochasticCommand& command, const Console& console) {
  return StochasticBench(command, console).run();
}

}  // namespace stowage::cli::lab
