#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "capi/cli/generate/cluster/cluster.h"
#include "capi/lab/clusters/results.h"
#include "capi/lab/clusters/runs.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

/// A cluster, and the contenders that plan it.
struct FeatureJob {
  clusters::Class of;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

class ClustersBench final : public Experiment {
 public:
  ClustersBench(const BenchClustersCommand& command, const Console& console)
      : Experiment(command, console), command_(command) {}

 private:
  void prepare() override {
    features_ = distinct(command_.features.empty() ? clusters::default_features() : command_.features);
    sizes_ = distinct(command_.sizes.empty() ? clusters::default_sizes() : command_.sizes);
    for (const std::string& words : features_) {
      cluster::Options options;
      cluster::add_features(words, "--features", options);
    }
    const std::vector<std::string>& deadlines = command_.deadlines.empty() ? clusters::default_deadlines() : command_.deadlines;
    std::vector<std::string> labels;
    for (const std::string& planner : command_.planners.empty() ? std::vector<std::string>{"auto"} : command_.planners) {
      if (parse_contender(planner).deadline_ms > 0) {
        labels.push_back(planner);
        continue;
      }
      for (const std::string& deadline : deadlines) labels.emplace_back(planner).append("@").append(deadline);
    }
    contenders_ = known_contenders(labels);
    runs_ = earlier_runs(clusters::kMarkdownWord, lab::read_runs<clusters::Run>);
  }

  /// Small clusters first, all features of a size before the next, seed by seed.
  [[nodiscard]] std::vector<FeatureJob> jobs() const {
    std::vector<FeatureJob> all;
    for (const std::uint32_t apps : sizes_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        for (const std::string& features : features_) all.push_back({{features, apps}, seed, contenders_});
      }
    }
    return all;
  }

  [[nodiscard]] bool is_run_of(const clusters::Run& run, const FeatureJob& job, const Contender& contender) const {
    return run.of == job.of && run.seed == job.seed && run.label == contender.label &&
           run.deadline_ms == deadline_of(contender);
  }
  [[nodiscard]] bool done(const FeatureJob& job, const Contender& contender) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const clusters::Run& run) { return is_run_of(run, job, contender); });
  }

  void measure_all() override {
    take_in_turn(
        jobs(), runs_, [&](const FeatureJob& job, const Contender& one) { return done(job, one); },
        [&](const FeatureJob& job) {
          cluster::Options options;
          cluster::add_features(job.of.features, "--features", options);
          options.apps = job.of.apps;
          options.seed = job.seed;
          const Workload workload = loaded(cluster::generate(options), class_text(job.of));
          for (const Contender& contender : job.contenders) measure_cluster(workload, job, contender);
        },
        [&] { lab::write_runs<clusters::Run>(runs_, *runs_path()); });
  }

  void measure_cluster(const Workload& workload, const FeatureJob& job, const Contender& contender) {
    if (InterruptGuard::interrupted()) return;
    clusters::Run run;
    run.of = job.of;
    run.seed = job.seed;
    const std::optional<PlanRun> made = measure_run(workload, contender, job.seed, run);
    if (!made) {
      if (run.status == MeasuredRun::kRefused) runs_.push_back(std::move(run));
      return;
    }
    const wire::Plan& plan = made->root();
    run.priced = plan.cost() >= 0;
    run.value = run.priced ? plan.cost() : static_cast<double>(run.nodes);
    const wire::Bound* bound = run.priced ? plan.cost_bound() : plan.node_bound();
    if (bound != nullptr) run.bound = bound->value();
    run.rule_violations = plan.rule_violations();
    runs_.push_back(std::move(run));
  }

  void report() const override {
    const std::vector<clusters::Run> asked = runs_of(
        jobs(), runs_,
        [&](const clusters::Run& run, const FeatureJob& job, const Contender& one) { return is_run_of(run, job, one); });
    std::vector<clusters::SizeResult> results;
    for (const std::uint32_t apps : sizes_) results.push_back(clusters::sum_up(apps, features_, contenders_, asked));
    const clusters::Setting setting{command_.command_line, command_.seeds};
    Report report{
        .add_figures = [&](lab::Figures& figures) { clusters::add_figures(results, figures); },
        .draw_charts = [&](const std::string& folder) { clusters::draw_charts(results, folder); },
        .write_markdown = [&](const std::optional<std::string>& charts,
                              const std::string& path) { clusters::write_markdown(results, asked, setting, charts, path); },
        .print = [&] { clusters::print_results(results, setting, console()); },
    };
    publish(report);
  }

  const BenchClustersCommand& command_;
  std::vector<std::string> features_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Contender> contenders_;
  std::vector<clusters::Run> runs_;
};

}  // namespace

int run_bench_clusters_command(const BenchClustersCommand& command, const Console& console) {
  return ClustersBench(command, console).run();
}

}  // namespace stowage::cli::lab
