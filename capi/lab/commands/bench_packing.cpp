#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "capi/cli/generate/packing.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/packing/results.h"
#include "capi/lab/packing/runs.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

/// Planners that take apps or nodes one after the other, one or two of each kind. The best of their plans is one line.
const std::vector<std::string>& list_planners() {
  static const std::vector<std::string> kPlanners = {"ffd-max",
                                                     "ffd-surrogate",
                                                     "bfd-avg",
                                                     "bfd-max",
                                                     "bfd-avgexp",
                                                     "bfd-extsum",
                                                     "wfd-avgexp",
                                                     "ncd-dotproduct",
                                                     "ncd-l2norm",
                                                     "ncd-fitness",
                                                     "ncd-tightfill",
                                                     "spread-wfd-avg-binsearch",
                                                     "spread-wfd-max-binsearch",
                                                     "match-dotproduct-binsearch",
                                                     "match-l2norm-binsearch",
                                                     "match-fitness-binsearch",
                                                     "match-tightfill-binsearch"};
  return kPlanners;
}

struct PackingJob {
  packing::Class of;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

class PackingBench final : public Experiment {
 public:
  PackingBench(const BenchPackingCommand& command, const Console& console) : Experiment(command, console), command_(command) {}

 private:
  void prepare() override {
    const std::vector<std::string> words = distinct(command_.classes.empty() ? packing::class_words() : command_.classes);
    for (const std::string& word : words) packing::check_class(word, "--classes");
    classes_ = packing::classes_of(words, distinct(command_.dims), distinct(command_.items));
    if (classes_.empty()) throw Failure("--items: class t has a multiple of 3");
    if (command_.planners.empty()) {
      groups_ = {{"auto", {"auto"}}, {"csp-mac", {"csp-mac"}}, {"best list planner", list_planners()}};
      for (const packing::Group& group : groups_) {
        for (const std::string& label : group.labels) contenders_.push_back(own_contender(label));
      }
      std::erase_if(contenders_, [&](const Contender& one) { return !offers(one); });
    } else {
      contenders_ = known_contenders(command_.planners);
      for (const Contender& one : contenders_) groups_.push_back({contender_text(one.label), {one.label}});
    }
    runs_ = earlier_runs(packing::kMarkdownWord, lab::read_runs<packing::Run>);
  }

  [[nodiscard]] std::vector<PackingJob> jobs() const {
    std::vector<PackingJob> all;
    for (const packing::Class& of : classes_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) all.push_back({of, seed, contenders_});
    }
    return all;
  }

  [[nodiscard]] bool is_run_of(const packing::Run& run, const PackingJob& job, const Contender& contender) const {
    return run.of == job.of && run.merged == command_.merge && run.seed == job.seed && run.label == contender.label &&
           run.deadline_ms == deadline_of(contender);
  }

  void measure_all() override {
    take_in_turn(
        jobs(), runs_,
        [&](const PackingJob& job, const Contender& one) {
          return std::any_of(runs_.begin(), runs_.end(), [&](const packing::Run& run) { return is_run_of(run, job, one); });
        },
        [&](const PackingJob& job) {
          const packing::Options options{job.of.word, job.of.items, job.of.dims, command_.merge, job.seed};
          const Workload workload = loaded(packing::generate(options), class_text(job.of));
          for (const Contender& contender : job.contenders) measure_items(workload, job, contender);
        },
        [&] { lab::write_runs<packing::Run>(runs_, *runs_path()); });
  }

  void measure_items(const Workload& workload, const PackingJob& job, const Contender& contender) {
    if (InterruptGuard::interrupted()) return;
    packing::Run run;
    run.of = job.of;
    run.merged = command_.merge;
    run.seed = job.seed;
    const std::optional<PlanRun> made = measure_run(workload, contender, job.seed, run);
    if (made) {
      const wire::Bound* bound = made->root().node_bound();
      if (bound != nullptr) run.bound = bound->value();
    } else if (run.status != MeasuredRun::kRefused) {
      return;
    }
    runs_.push_back(std::move(run));
  }

  void report() const override {
    const std::vector<packing::Run> asked =
        runs_of(jobs(), runs_,
                [&](const packing::Run& run, const PackingJob& job, const Contender& one) { return is_run_of(run, job, one); });
    const std::vector<packing::ClassResult> results = packing::sum_up(classes_, groups_, asked);
    const packing::Setting setting{command_.command_line, command_.seeds, command_.deadline_ms, groups_, missing()};
    Report report{
        .add_figures = [&](lab::Figures& figures) { packing::add_figures(results, setting, figures); },
        .draw_charts = [&](const std::string& folder) { packing::draw_charts(results, setting, folder); },
        .write_markdown = [&](const std::optional<std::string>& charts,
                              const std::string& path) { packing::write_markdown(results, asked, setting, charts, path); },
        .print = [&] { packing::print_results(results, setting, console()); },
    };
    if (asked.empty()) report.draw_charts = nullptr;
    publish(report);
  }

  const BenchPackingCommand& command_;
  std::vector<packing::Class> classes_;
  std::vector<packing::Group> groups_;
  std::vector<Contender> contenders_;
  std::vector<packing::Run> runs_;
};

}  // namespace

int run_bench_packing_command(const BenchPackingCommand& command, const Console& console) {
  return PackingBench(command, console).run();
}

}  // namespace stowage::cli::lab
