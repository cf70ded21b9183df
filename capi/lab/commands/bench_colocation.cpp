#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "capi/cli/generate/colocation.h"
#include "capi/lab/colocation/results.h"
#include "capi/lab/colocation/runs.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

/// P4's heuristics, with LPT.
const std::vector<std::string>& heuristics() {
  static const std::vector<std::string> kPlanners = {"fill-greedy",
                                                     "sched-mixed",
                                                     "sched-juxtapose",
                                                     "best-schedule",
                                                     "greedy-dedicated-mixed",
                                                     "greedy-dedicated-juxtapose",
                                                     "greedy-dedicated-best"};
  return kPlanners;
}

/// The instances of one cell.
struct ColocationJob {
  colocation::Cell of;
  std::uint64_t seed = 0;  ///< how many: from 1 up to this
  std::vector<Contender> contenders;
};

class ColocationBench final : public Experiment {
 public:
  ColocationBench(const BenchColocationCommand& command, const Console& console)
      : Experiment(command, console), command_(command) {}

 private:
  using Key = decltype(colocation::Run().key());

  void prepare() override {
    const std::vector<std::string> words = distinct(command_.classes.empty() ? colocation::class_words() : command_.classes);
    for (const std::string& word : words) colocation::check_class(word, "--classes");
    for (const std::string& size : command_.sizes) {
      if (size != "small" && size != "large") throw Failure("--sizes: \"" + size + "\" is neither small nor large");
    }
    cells_ = colocation::cells_of(words, distinct(command_.kinds), distinct(command_.sizes));
    if (cells_.empty()) throw Failure("--kinds: mixed instances have at least three");
    if (command_.planners.empty()) {
      std::vector<std::string> labels = heuristics();
      labels.insert(labels.end(), {"kind-lpt", "auto"});
      for (const std::string& label : labels) {
        contenders_.push_back(own_contender(label));
        groups_.push_back({label, {label}});
      }
      groups_.push_back({"best of P4", heuristics()});
      std::erase_if(contenders_, [&](const Contender& one) { return !offers(one); });
    } else {
      contenders_ = known_contenders(command_.planners);
      for (const Contender& one : contenders_) groups_.push_back({contender_text(one.label), {one.label}});
    }
    for (Contender& one : contenders_) one.objective = wire::Objective::Worst;
    runs_ = earlier_runs(colocation::kMarkdownWord, lab::read_runs<colocation::Run>);
    for (const colocation::Run& run : runs_) done_.insert(run.key());
  }

  [[nodiscard]] Key key_of(const colocation::Cell& of, std::uint64_t seed, const Contender& contender) const {
    return {of, seed, contender.label, deadline_of(contender)};
  }

  void measure_all() override {
    std::vector<ColocationJob> jobs;
    for (const colocation::Cell& cell : cells_) jobs.push_back({cell, command_.seeds, contenders_});
    take_in_turn(
        jobs, runs_,
        [&](const ColocationJob& job, const Contender& one) {
          for (std::uint64_t seed = 1; seed <= job.seed; ++seed) {
            if (!done_.contains(key_of(job.of, seed, one))) return false;
          }
          return true;
        },
        [&](const ColocationJob& job) {
          for (std::uint64_t seed = 1; seed <= job.seed && !InterruptGuard::interrupted(); ++seed) measure_instance(job, seed);
        },
        [&] { lab::write_runs<colocation::Run>(runs_, *runs_path()); });
  }

  void measure_instance(const ColocationJob& job, std::uint64_t seed) {
    const InstanceData data = colocation::generate({job.of.word, job.of.apps, job.of.nodes, job.of.kinds, 0, seed});
    colocation::Run of_instance;
    of_instance.of = job.of;
    of_instance.seed = seed;
    of_instance.largest = colocation::largest_load(data);
    of_instance.paper_bound = colocation::paper_bound(job.of, data);
    const Workload workload = loaded(data, class_text(job.of));
    for (const Contender& contender : job.contenders) {
      if (InterruptGuard::interrupted()) return;
      if (done_.contains(key_of(job.of, seed, contender))) continue;
      colocation::Run run = of_instance;
      const std::optional<PlanRun> made = measure_run(workload, contender, seed, run);
      if (made) {
        run.cost = made->root().max_cost();
        const wire::Bound* bound = made->root().max_cost_bound();
        if (bound != nullptr) run.bound = bound->value();
      } else if (run.status != MeasuredRun::kRefused) {
        return;
      }
      done_.insert(run.key());
      runs_.push_back(std::move(run));
    }
  }

  /// The runs that this command asks for. A resumed file may hold others.
  [[nodiscard]] std::vector<colocation::Run> asked_for() const {
    std::set<Key> asked;
    for (const colocation::Cell& cell : cells_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        for (const Contender& one : contenders_) asked.insert(key_of(cell, seed, one));
      }
    }
    std::vector<colocation::Run> runs = runs_;
    std::erase_if(runs, [&](const colocation::Run& run) { return !asked.contains(run.key()); });
    return runs;
  }

  void report() const override {
    const std::vector<colocation::Run> asked = asked_for();
    const std::vector<colocation::ClassResult> results = colocation::sum_up(groups_, asked);
    const colocation::Setting setting{command_.command_line, command_.seeds, command_.deadline_ms, groups_, missing()};
    Report report{
        .add_figures = [&](lab::Figures& figures) { colocation::add_figures(results, setting, figures); },
        .draw_charts = [&](const std::string& folder) { colocation::draw_charts(results, setting, folder); },
        .write_markdown = [&](const std::optional<std::string>& charts,
                              const std::string& path) { colocation::write_markdown(results, asked, setting, charts, path); },
        .print = [&] { colocation::print_results(results, setting, console()); },
    };
    if (results.empty()) report.draw_charts = nullptr;
    publish(report);
  }

  const BenchColocationCommand& command_;
  std::vector<colocation::Cell> cells_;
  std::vector<colocation::Group> groups_;
  std::vector<Contender> contenders_;
  std::vector<colocation::Run> runs_;
  std::set<Key> done_;
};

}  // namespace

int run_bench_colocation_command(const BenchColocationCommand& command, const Console& console) {
  return ColocationBench(command, console).run();
}

}  // namespace stowage::cli::lab
