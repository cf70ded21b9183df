#include <algorithm>
#include <cmath>
#include <map>

#include "capi/cli/base/random.h"
#include "capi/cli/generate/given_apps.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/paper/charts.h"
#include "capi/lab/paper/figures.h"
#include "capi/lab/paper/published.h"
#include "capi/lab/paper/results.h"
#include "capi/lab/paper/runs.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

using paper::InstanceClass;
using paper::Run;

/// Lower bound on the nodes of one class: P0, Eq. 4, over all resources and periods.
std::uint64_t equation_four(const InstanceData& data) {
  const std::size_t apps = data.apps.replicas.size();
  const std::size_t width = data.apps.demand.size() / apps;
  const std::size_t periods = width / data.resources.size();
  double most = 0;
  for (std::size_t at = 0; at < width; ++at) {
    double total = 0;
    for (std::size_t app = 0; app < apps; ++app) total += data.apps.replicas[app] * data.apps.demand[app * width + at];
    most = std::max(most, total / data.classes[0].capacity[at / periods]);
  }
  // A sum above a whole number by a rounding error counts as that number.
  constexpr double kRounding = 1e-12;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(most * (1 - kRounding))));
}

/// One instance, and the contenders that plan it.
struct PaperJob {
  InstanceClass of;
  bool large = false;  ///< of figures 5 and 7
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

class PaperBench final : public Experiment {
 public:
  PaperBench(const BenchPaperCommand& command, const Console& console)
      : Experiment(command, console), command_(command), scale_(command.scale) {}

 private:
  void prepare() override {
    for (const int number : command_.figures) figures_.push_back(&paper::find_figure(number));
    given_ = known_contenders(command_.planners);
    also_ = known_contenders(command_.also);
    if (command_.published) published_ = paper::Published::read(*command_.published);
    if (command_.apps_file) {
      given_apps_.emplace(*command_.apps_file, GenerateOptions().node, console());
      scale_.apps = given_apps_->apps();
      sizes_ = given_apps_->name();
      if (std::count(scale_.app_counts.begin(), scale_.app_counts.end(), scale_.apps) > 0) {
        throw Failure("--apps-from: " + sizes_ + " has the same number of apps as one of --app-counts, whose apps are drawn");
      }
    }
    for (const paper::Figure* figure : figures_) {
      contenders_.push_back(contenders_of(*figure));
      if (given_apps_ && figure->profile && !given_apps_->has_profile()) {
        throw Failure("--apps-from: " + given_apps_->name() + " has one period; figure " + std::to_string(figure->number) +
                      " needs demand over time");
      }
    }
    runs_ = earlier_runs(paper::kMarkdownWord, lab::read_runs<paper::Run>);
  }

  std::vector<Contender> contenders_of(const paper::Figure& figure) {
    std::vector<Contender> contenders = given_;
    if (contenders.empty()) {
      for (const paper::FigurePlanner& one : paper::figure_planners()) {
        if ((one.figures >> (figure.number - paper::kFirstFigure) & 1) == 0) continue;
        contenders.push_back(own_contender(one.contender));
      }
    }
    for (const Contender& one : also_) {
      if (std::find(contenders.begin(), contenders.end(), one) == contenders.end()) contenders.push_back(one);
    }
    return contenders;
  }

  /// Jobs seed by seed, so that an early end leaves runs of every class; small instances first.
  std::vector<PaperJob> jobs() const {
    std::map<InstanceClass, PaperJob> by_class;
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      for (const InstanceClass& one : paper::classes_of(*figures_[f], scale_)) {
        PaperJob& job = by_class[one];
        job.of = one;
        job.large = figures_[f]->by_apps;
        for (const Contender& contender : contenders_[f]) {
          if (!offers(contender)) continue;
          if (std::find(job.contenders.begin(), job.contenders.end(), contender) == job.contenders.end()) {
            job.contenders.push_back(contender);
          }
        }
      }
    }
    std::vector<PaperJob> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (const auto& [of, job] : by_class) {
        all.push_back(job);
        all.back().seed = seed;
      }
    }
    return all;
  }

  [[nodiscard]] bool is_run_of(const Run& run, const PaperJob& job, const Contender& contender) const {
    return run.of == job.of && run.seed == job.seed && run.sizes == sizes_ && run.label == contender.label &&
           run.deadline_ms == deadline_of(contender);
  }

  [[nodiscard]] bool done(const PaperJob& job, const Contender& contender) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) { return is_run_of(run, job, contender); });
  }

  void measure_all() override {
    take_in_turn(
        jobs(), runs_, [&](const PaperJob& job, const Contender& one) { return done(job, one); },
        [&](const PaperJob& job) { measure(job); }, [&] { lab::write_runs<paper::Run>(runs_, *runs_path()); });
  }

  void measure(const PaperJob& job) {
    InstanceData data = [&] {
      const PassingNote note(console(), "making " + paper::class_text(job.of));
      GenerateOptions options;
      options.apps = job.of.apps;
      options.density = job.of.density;
      options.graph = job.of.graph;
      options.profile = job.of.profile;
      options.seed = job.seed;
      options.independent_replicas = job.large;
      if (!given_apps_) return generate_instance(options);
      return given_apps_->generate(options);
    }();
    Run common;
    common.of = job.of;
    common.sizes = sizes_;
    common.seed = job.seed;
    common.bound = equation_four(data);
    const Workload workload = loaded(std::move(data), paper::class_text(job.of));
    for (const Contender& contender : job.contenders) {
      Run run = common;
      if (InterruptGuard::interrupted()) return;
      const auto made = measure_run(workload, contender, run.seed, run);
      if (InterruptGuard::interrupted()) return;
      if (made && made->root().node_bound() != nullptr) run.lower_bound = made->root().node_bound()->value();
      // A defect is not a result, so that --resume repeats the run.
      if (run.status != Run::kFailed) runs_.push_back(std::move(run));
    }
  }

  void report() const override {
    const std::vector<Run> asked = runs_of(
        jobs(), runs_, [&](const Run& run, const PaperJob& job, const Contender& one) { return is_run_of(run, job, one); });
    std::vector<paper::FigureResult> results;
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      results.push_back(paper::sum_up(*figures_[f], scale_, contenders_[f], asked, published_ ? &*published_ : nullptr));
    }
    const paper::Setting setting{command_.command_line, sizes_, command_.seeds, missing()};
    Report report{
        .add_figures = [&](lab::Figures& figures) { paper::add_figures(results, figures); },
        .draw_charts =
            [&](const std::string& folder) {
              for (const paper::FigureResult& result : results) paper::draw_charts(result, folder);
            },
        .write_markdown = [&](const std::optional<std::string>& charts,
                              const std::string& path) { paper::write_markdown(results, asked, setting, charts, path); },
        .print = [&] { paper::print_results(results, setting, console()); },
    };
    publish(report);
  }

  const BenchPaperCommand& command_;
  paper::Scale scale_;
  std::vector<const paper::Figure*> figures_;
  std::vector<std::vector<Contender>> contenders_;  ///< of each figure
  std::vector<Contender> given_;
  std::vector<Contender> also_;
  std::optional<paper::Published> published_;
  std::optional<GivenApps> given_apps_;
  std::string sizes_ = paper::kDrawnSizes;
  std::vector<Run> runs_;
};

}  // namespace

int run_bench_paper_command(const BenchPaperCommand& command, const Console& console) {
  return PaperBench(command, console).run();
}

}  // namespace stowage::cli::lab
