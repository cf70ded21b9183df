#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/learning/baselines.h"
#include "capi/lab/learning/testbed.h"
#include "capi/lab/lrasched/results.h"
#include "capi/lab/lrasched/runs.h"
#include "capi/lab/lrasched/testbed.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

constexpr std::uint32_t kProfiledForFigure5 = 300;

/// Instances that are planned one after the other: one, or the testbed's from arrival to arrival.
struct LraschedJob {
  lrasched::Cell of;  ///< the last one
  std::vector<lrasched::Cell> cells;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

class LraschedBench final : public Experiment {
 public:
  LraschedBench(const BenchLraschedCommand& command, const Console& console)
      : Experiment(command, console), command_(command) {}

 private:
  void prepare() override {
    if (command_.planners.empty()) {
      for (const char* label : {"lrasched", "lrasched-ffd", "admit", "auto"}) contenders_.push_back(own_contender(label));
    } else {
      contenders_ = known_contenders(command_.planners);
    }
    for (Contender& one : contenders_) {
      one.objective = wire::Objective::Admitted;
      labels_.push_back(one.label);
    }
    plan_jobs();
    runs_ = earlier_runs(lrasched::kMarkdownWord, lab::read_runs<lrasched::Run>);
  }

  [[nodiscard]] bool asks_for(int figure) const {
    return std::find(command_.figures.begin(), command_.figures.end(), figure) != command_.figures.end();
  }

  /// Each cell of the figures asked for, and each seed.
  void plan_jobs() {
    std::vector<std::vector<lrasched::Cell>> groups;
    if (asks_for(6)) groups.push_back(lrasched::testbed_cells());
    for (const lrasched::Cell& of :
         lrasched::cells_of(distinct(command_.loads), distinct(command_.sizes), distinct(command_.dims), command_.containers)) {
      if (of.load == "added" ? asks_for(10) : asks_for(8) || asks_for(9)) groups.push_back({of});
    }
    for (const auto& [figure, dims] : {std::pair(11, 3u), std::pair(12, 6u)}) {
      if (!asks_for(figure)) continue;
      for (const lrasched::Cell& of : lrasched::latency_cells(distinct(command_.latency_nodes), dims)) groups.push_back({of});
    }
    for (const std::vector<lrasched::Cell>& cells : groups) {
      cells_.insert(cells_.end(), cells.begin(), cells.end());
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        jobs_.push_back({cells.back(), cells, seed, contenders_});
        // Planners that use all the time there is have no time per application.
        if (cells.front().load == "latency")
          std::erase_if(jobs_.back().contenders, [&](const Contender& one) { return !ends_by_itself(one); });
      }
    }
  }

  [[nodiscard]] bool is_run_of(const lrasched::Run& run, const lrasched::Cell& of, std::uint64_t seed,
                               const Contender& contender) const {
    return run.of == of && run.seed == seed && run.label == contender.label && run.deadline_ms == deadline_of(contender);
  }

  void measure_all() override {
    if (asks_for(5)) learned_ = sizes::mean_baselines(1, static_cast<std::uint32_t>(command_.seeds), kProfiledForFigure5);
    take_in_turn(
        jobs_, runs_,
        [&](const LraschedJob& job, const Contender& one) {
          return std::any_of(runs_.begin(), runs_.end(),
                             [&](const lrasched::Run& run) { return is_run_of(run, job.of, job.seed, one); });
        },
        [&](const LraschedJob& job) { job.of.load == "testbed" ? measure_testbed(job) : measure_instance(job); },
        [&] { lab::write_runs<lrasched::Run>(runs_, *runs_path()); });
  }

  /// Plans one instance by one contender. Returns the plan where there is one; appends the run unless it was interrupted.
  std::optional<PlanRun> measure_cell(const InstanceData& data, const Workload& workload, const lrasched::Cell& of,
                                      std::uint64_t seed, const Contender& contender, std::vector<lrasched::Run>& runs) {
    lrasched::Run run;
    run.of = of;
    run.seed = seed;
    std::optional<PlanRun> made = measure_run(workload, contender, seed, run);
    if (made) {
      describe(data, made->root(), run);
    } else if (run.status != MeasuredRun::kRefused) {
      return made;
    }
    runs.push_back(std::move(run));
    return made;
  }

  void measure_instance(const LraschedJob& job) {
    const InstanceData data = lras::generate(lrasched::options_of(job.of, job.seed));
    const Workload workload = loaded(data, class_text(job.of));
    for (const Contender& contender : job.contenders) {
      if (InterruptGuard::interrupted()) return;
      const std::size_t before = runs_.size();
      measure_cell(data, workload, job.of, job.seed, contender, runs_);
      if (runs_.size() == before) return;
    }
  }

  /// What runs stays where it is from arrival to arrival; what found no room waits. Only whole series are kept.
  void measure_testbed(const LraschedJob& job) {
    const std::vector<sizes::TestbedApp> apps = sizes::draw_testbed(job.seed);
    for (const Contender& contender : job.contenders) {
      std::vector<lrasched::Run> series;
      InstanceData data = lrasched::empty_testbed();
      for (const lrasched::Cell& of : job.cells) {
        if (InterruptGuard::interrupted()) return;
        lrasched::arrive(apps[of.apps - 1], data);
        const std::optional<PlanRun> made = measure_cell(data, loaded(data, class_text(of)), of, job.seed, contender, series);
        if (!made) break;
        lrasched::keep_running(made->root(), data);
      }
      if (series.size() == job.cells.size()) runs_.insert(runs_.end(), series.begin(), series.end());
    }
  }

  static void describe(const InstanceData& data, const wire::Plan& plan, lrasched::Run& run) {
    const auto apps = static_cast<double>(data.apps.replicas.size());
    run.admitted = data.apps.replicas.size() - plan.unplaced()->size();
    if (plan.left_out_bound() != nullptr) run.most = apps - plan.left_out_bound()->value();
    if (plan.cost() >= 0) run.added = static_cast<std::uint64_t>(std::llround(plan.cost()));
    if (plan.cost_bound() != nullptr) run.least_added = plan.cost_bound()->value();
    const std::size_t dims = data.resources.size();
    std::vector<double> used(dims, 0);
    std::vector<double> all(dims, 0);
    for (const NodeClassData& node : data.classes) {
      for (std::size_t k = 0; k < dims; ++k) all[k] += node.count * node.capacity[k];
    }
    for (const wire::Placed* placed : *plan.placed()) {
      for (std::size_t k = 0; k < dims; ++k) used[k] += placed->replicas() * data.apps.demand[placed->app() * dims + k];
    }
    for (std::size_t k = 0; k < dims; ++k) run.utilization += used[k] / all[k] / static_cast<double>(dims);
  }

  void report() const override {
    const std::vector<lrasched::Run> asked =
        runs_of(jobs_, runs_, [&](const lrasched::Run& run, const LraschedJob& job, const Contender& one) {
          return std::any_of(job.cells.begin(), job.cells.end(),
                             [&](const lrasched::Cell& of) { return is_run_of(run, of, job.seed, one); });
        });
    const lrasched::Results results{lrasched::sum_up(cells_, labels_, asked), learned_};
    const lrasched::Setting setting{command_.command_line, command_.seeds, command_.deadline_ms, labels_, missing()};
    publish({
        .add_figures = [&](lab::Figures& figures) { lrasched::add_figures(results, setting, figures); },
        .draw_charts = [&](const std::string& folder) { lrasched::draw_charts(results, setting, folder); },
        .write_markdown = [&](const std::optional<std::string>& charts,
                              const std::string& path) { lrasched::write_markdown(results, asked, setting, charts, path); },
        .print = [&] { lrasched::print_results(results, setting, console()); },
    });
  }

  const BenchLraschedCommand& command_;
  std::vector<lrasched::Cell> cells_;
  std::vector<std::string> labels_;
  std::vector<Contender> contenders_;
  std::vector<LraschedJob> jobs_;
  std::optional<sizes::BaselineScore> learned_;
  std::vector<lrasched::Run> runs_;
};

}  // namespace

int run_bench_lrasched_command(const BenchLraschedCommand& command, const Console& console) {
  return LraschedBench(command, console).run();
}

}  // namespace stowage::cli::lab
