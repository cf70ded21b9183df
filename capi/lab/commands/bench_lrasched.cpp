#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "capi/cli/base/failure.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/lrasched/results.h"
#include "capi/lab/lrasched/runs.h"

namespace stowage::cli::lab {
namespace {

struct LraschedJob {
  lrasched::Cell of;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

class LraschedBench final : public Experiment {
 public:
  LraschedBench(const BenchLraschedCommand& command, const Console& console)
      : Experiment(command, console), command_(command) {}

 private:
  void prepare() override {
    cells_ =
        lrasched::cells_of(distinct(command_.loads), distinct(command_.sizes), distinct(command_.dims), command_.containers);
    if (command_.planners.empty()) {
      for (const char* label : {"lrasched", "lrasched-ffd", "admit", "auto"}) contenders_.push_back(own_contender(label));
    } else {
      contenders_ = known_contenders(command_.planners);
    }
    for (Contender& one : contenders_) {
      one.objective = wire::Objective::Admitted;
      labels_.push_back(one.label);
    }
    if (!prepare_output(lrasched::kMarkdownWord)) return;
    runs_ = lrasched::read_runs(*runs_path());
    for (const lrasched::Run& run : runs_) check_origin(*runs_path(), run.machine, run.build);
  }

  [[nodiscard]] std::vector<LraschedJob> jobs() const {
    std::vector<LraschedJob> all;
    for (const lrasched::Cell& of : cells_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) all.push_back({of, seed, contenders_});
    }
    return all;
  }

  [[nodiscard]] bool is_run_of(const lrasched::Run& run, const LraschedJob& job, const Contender& contender) const {
    return run.of == job.of && run.seed == job.seed && run.label == contender.label &&
           run.deadline_ms == deadline_of(contender);
  }

  void measure_all() override {
    take_in_turn(
        jobs(), runs_,
        [&](const LraschedJob& job, const Contender& one) {
          return std::any_of(runs_.begin(), runs_.end(), [&](const lrasched::Run& run) { return is_run_of(run, job, one); });
        },
        [&](const LraschedJob& job) { measure_instance(job); }, [&] { lrasched::write_runs(runs_, *runs_path()); });
  }

  void measure_instance(const LraschedJob& job) {
    const InstanceData data = lras::generate(lrasched::options_of(job.of, job.seed));
    const Workload workload = loaded(data, class_text(job.of));
    for (const Contender& contender : job.contenders) {
      if (InterruptGuard::interrupted()) return;
      lrasched::Run run;
      run.of = job.of;
      run.seed = job.seed;
      const std::optional<PlanRun> made = measure_run(workload, contender, job.seed, run);
      if (made) {
        describe(data, made->root(), run);
      } else if (run.status != MeasuredRun::kRefused) {
        return;
      }
      runs_.push_back(std::move(run));
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

  /// The runs that this command asks for. A resumed file may hold others.
  [[nodiscard]] std::vector<lrasched::Run> asked_for() const {
    std::vector<lrasched::Run> asked;
    for (const LraschedJob& job : jobs()) {
      std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(asked), [&](const lrasched::Run& run) {
        return std::any_of(job.contenders.begin(), job.contenders.end(),
                           [&](const Contender& one) { return is_run_of(run, job, one); });
      });
    }
    return asked;
  }

  void report() const override {
    const std::vector<lrasched::Run> asked = asked_for();
    const std::vector<lrasched::CellResult> results = lrasched::sum_up(cells_, labels_, asked);
    const lrasched::Setting setting{command_.command_line, command_.seeds, command_.deadline_ms, labels_, missing()};
    publish({
        .write_summary = [&](const std::string& path) { lrasched::write_summary(results, setting, path); },
        .draw_charts = nullptr,
        .write_markdown = [&](const std::optional<std::string>&,
                              const std::string& path) { lrasched::write_markdown(results, asked, setting, path); },
        .json = [&] { return lrasched::results_json(results, setting); },
        .print = [&] { lrasched::print_results(results, setting, console()); },
    });
  }

  const BenchLraschedCommand& command_;
  std::vector<lrasched::Cell> cells_;
  std::vector<std::string> labels_;
  std::vector<Contender> contenders_;
  std::vector<lrasched::Run> runs_;
};

}  // namespace

int run_bench_lrasched_command(const BenchLraschedCommand& command, const Console& console) {
  return LraschedBench(command, console).run();
}

}  // namespace stowage::cli::lab
