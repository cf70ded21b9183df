#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/cli/generate/medea_cluster.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/medea/results.h"
#include "capi/lab/medea/runs.h"
#include "capi/lab/medea/unavailability.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::lab {
namespace {

using medea::Point;
using medea::Sweep;

/// The planner that fills clusters before the measurement, and the number of applications per plan.
constexpr const char* kFiller = "tag-search";
constexpr std::uint32_t kFillAtOnce = 20;
constexpr std::uint64_t kFailures = 211;

/// A course through the points of one axis up to `of`, and the contenders that plan it.
struct MedeaJob {
  Point of;
  std::vector<Point> points;
  std::uint64_t seed = 0;
  std::vector<Contender> contenders;
};

class MedeaBench final : public Experiment {
 public:
  MedeaBench(const BenchMedeaCommand& command, const Console& console) : Experiment(command, console), command_(command) {}

 private:
  void prepare() override {
    for (const int figure : command_.figures) {
      for (const Sweep sweep : medea::sweeps_of(figure)) {
        if (std::find(sweeps_.begin(), sweeps_.end(), sweep) == sweeps_.end()) sweeps_.push_back(sweep);
      }
    }
    contenders_ = known_contenders(command_.planners);
    if (contenders_.empty()) {
      for (const std::string& label : medea::medea_contenders()) contenders_.push_back(own_contender(label));
    }
    runs_ = earlier_runs(medea::kMarkdownWord, lab::read_runs<medea::Run>);
  }

  [[nodiscard]] std::vector<MedeaJob> jobs() const {
    std::vector<MedeaJob> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (const Sweep sweep : sweeps_) {
        std::vector<Point> points;
        for (const double x : medea::points_of(sweep, command_.scale)) points.push_back({sweep, x});
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        // One cluster that fills up passes through all utilizations.
        if (sweep == Sweep::kUtilization) {
          all.push_back({points.back(), points, seed, offered_contenders()});
          continue;
        }
        for (const Point& point : points) all.push_back({point, {point}, seed, offered_contenders()});
      }
    }
    return all;
  }
  [[nodiscard]] std::vector<Contender> offered_contenders() const {
    std::vector<Contender> all;
    std::copy_if(contenders_.begin(), contenders_.end(), std::back_inserter(all),
                 [&](const Contender& one) { return offers(one); });
    return all;
  }

  [[nodiscard]] bool is_run_of(const medea::Run& run, const Point& point, const MedeaJob& job,
                               const Contender& contender) const {
    return run.of == point && run.seed == job.seed && run.cluster == course(job).cluster.nodes &&
           run.label == contender.label && run.deadline_ms == deadline_of(contender);
  }
  [[nodiscard]] bool done(const MedeaJob& job, const Contender& contender) const {
    return std::all_of(job.points.begin(), job.points.end(), [&](const Point& point) {
      return std::any_of(runs_.begin(), runs_.end(),
                         [&](const medea::Run& run) { return is_run_of(run, point, job, contender); });
    });
  }
  [[nodiscard]] medea::Course course(const MedeaJob& job) const { return medea::course_of(job.of, command_.scale, job.seed); }

  void measure_all() override {
    take_in_turn(
        jobs(), runs_, [&](const MedeaJob& job, const Contender& one) { return done(job, one); },
        [&](const MedeaJob& job) {
          for (const Contender& contender : job.contenders) measure(job, contender);
        },
        [&] { lab::write_runs<medea::Run>(runs_, *runs_path()); });
  }

  static void submit(medea::Cluster& cluster, const Point& point, const medea::Course& course) {
    if (point.sweep == Sweep::kResilience) return cluster.submit_spread(medea::kSpreadContainers);
    const std::uint64_t before = cluster.containers();
    cluster.submit();
    cluster.submit_tasks(
        static_cast<std::uint32_t>(std::lround(course.tasks * static_cast<double>(cluster.containers() - before))));
  }

  /// Plans what was submitted in an interval and carries the plan out. Nothing after a Ctrl-C.
  struct Interval {
    Workload workload;
    PlanRun run;
  };
  std::optional<Interval> plan_interval(medea::Cluster& cluster, const Contender& contender, const MedeaJob& job) {
    Workload workload = loaded(cluster.data(), class_text(job.of));
    RequestOptions request;
    request.planner = contender.planner;
    request.settings = contender.options;
    request.deadline_ms = deadline_of(contender);
    request.seed = job.seed;
    request.all_or_nothing = true;
    PlanRun run = run_plan(workload, request, console());
    if (InterruptGuard::interrupted()) return std::nullopt;
    cluster.carry_out(run.root());
    return Interval{std::move(workload), std::move(run)};
  }

  void measure(const MedeaJob& job, const Contender& contender) {
    if (InterruptGuard::interrupted()) return;
    // A course with missing points is repeated from its start.
    std::erase_if(runs_, [&](const medea::Run& run) {
      return std::any_of(job.points.begin(), job.points.end(),
                         [&](const Point& point) { return is_run_of(run, point, job, contender); });
    });
    const medea::Course course = this->course(job);
    medea::Cluster cluster(course.cluster);
    medea::Run run;
    run.label = contender.label;
    run.deadline_ms = deadline_of(contender);
    run.machine = this_machine();
    run.build = this_build();
    run.seed = job.seed;
    run.cluster = course.cluster.nodes;
    run.repeats = 1;
    const Contender filler = parse_contender(kFiller);
    while (cluster.utilization() < course.filled) {
      for (std::uint32_t k = 0; k < kFillAtOnce && cluster.utilization() < course.filled; ++k) submit(cluster, job.of, course);
      if (!plan_interval(cluster, filler, job)) return;
    }
    const std::uint32_t submitted_before = cluster.submitted();
    const std::uint32_t given_up_before = cluster.given_up();
    const auto reached = [&](const Point& point) {
      if (point.sweep == Sweep::kResilience) return cluster.submitted() >= point.x;
      return cluster.utilization() >= (point.sweep == Sweep::kUtilization ? point.x : course.utilization);
    };
    std::uint32_t gaps = 0;
    double sum_of_gaps = 0;
    std::optional<Interval> last;
    for (const Point& point : job.points) {
      while (!reached(point)) {
        for (std::uint32_t k = 0; k < course.periodicity && !reached(point); ++k) {
          submit(cluster, point, course);
        }
        try {
          last = plan_interval(cluster, contender, job);
        } catch (const Failure& failure) {
          if (failure.exit_code() != kExitInput) throw;
          console().err << console().program << ": " << contender.label << ", " << class_text(job.of) << ": "
                        << printable(failure.what()) << '\n';
          note_refusal(job, run);
          return;
        }
        if (!last) return;
        const wire::Plan& plan = last->run.root();
        run.seconds += last->run.planning_seconds;
        run.call_seconds += last->run.seconds;
        for (const wire::Unplaced* one : *plan.unplaced()) run.unplaced += one->replicas();
        if (!plan.has_score() || plan.score_gap() < 0) continue;
        ++gaps;
        sum_of_gaps += plan.score_gap();
        run.worst_gap = std::max(run.worst_gap.value_or(0), plan.score_gap());
      }
      if (!last) continue;
      run.of = point;
      run.applications = cluster.submitted() - submitted_before;
      run.given_up = cluster.given_up() - given_up_before;
      if (gaps > 0) run.mean_gap = sum_of_gaps / gaps;
      note_state(*last, run);
      if (point.sweep == Sweep::kResilience) note_unavailability(cluster, run);
      runs_.push_back(run);
    }
  }

  void note_refusal(const MedeaJob& job, medea::Run& run) {
    run.status = medea::Run::kRefused;
    for (const Point& point : job.points) {
      run.of = point;
      runs_.push_back(run);
    }
  }

  /// Metrics of the cluster after the interval, by the checker.
  void note_state(const Interval& interval, medea::Run& run) const {
    const auto report = verify_plan(interval.workload.instance, interval.run.plan.span());
    const wire::Verification& verification = report.body();
    const wire::ClusterMetrics& metrics = *verification.metrics();
    run.status = word_of<wire::PlanStatus>(interval.run.root().status());
    run.nodes = verification.nodes();
    run.violations = verification.violation_count();
    run.containers = verification.placed();
    run.violating = metrics.violating_replicas();
    run.cost = metrics.violation_cost();
    run.fragmented = metrics.fragmented_nodes();
    run.imbalance = metrics.imbalance()->Get(metrics.imbalance()->size() - 1);
    if (run.violations > 0) {
      console().err << console().program << ": a plan by " << run.label << " breaks " << counted(run.violations, "constraint")
                    << "; it does not count\n";
    }
  }
  /// The largest share, over the applications, of an application's containers on unavailable machines, hour by hour.
  static void note_unavailability(const medea::Cluster& cluster, medea::Run& run) {
    const auto shares = medea::draw_unavailability(medea::kServiceUnits, medea::kHours, run.seed);
    std::vector<double> worst;
    for (std::uint32_t hour = 0; hour < medea::kHours; ++hour) {
      std::vector<bool> down(cluster.data().nodes.node_class.size(), false);
      for (std::uint32_t unit = 0; unit < medea::kServiceUnits; ++unit) {
        Random random(run.seed, kFailures + hour, unit);
        std::vector<std::uint32_t> machines(medea::kNodesOfUnit);
        for (std::uint32_t k = 0; k < medea::kNodesOfUnit; ++k) machines[k] = unit * medea::kNodesOfUnit + k;
        const auto count = static_cast<std::uint32_t>(std::lround(shares[unit][hour] * medea::kNodesOfUnit));
        for (std::uint32_t k = 0; k < count; ++k) {
          std::swap(machines[k], machines[k + random.below(medea::kNodesOfUnit - k)]);
          down[machines[k]] = true;
        }
      }
      std::vector<double> lost(cluster.data().apps.replicas.size(), 0);
      for (const wire::Residence& one : cluster.data().running) {
        if (down[one.node()]) lost[one.app()] += static_cast<double>(one.replicas()) / cluster.data().apps.replicas[one.app()];
      }
      worst.push_back(*std::max_element(lost.begin(), lost.end()));
    }
    std::sort(worst.begin(), worst.end());
    run.median_unavailable = worst[worst.size() / 2];
    run.most_unavailable = worst.back();
  }

  void report() const override {
    const std::vector<medea::Run> asked =
        runs_of(jobs(), runs_, [&](const medea::Run& run, const MedeaJob& job, const Contender& one) {
          return std::any_of(job.points.begin(), job.points.end(),
                             [&](const Point& point) { return is_run_of(run, point, job, one); });
        });
    std::vector<medea::SweepResult> results;
    for (const Sweep sweep : sweeps_) results.push_back(medea::sum_up(sweep, command_.scale, contenders_, asked));
    const medea::Setting setting{command_.command_line, command_.seeds, command_.deadline_ms, missing()};
    Report report{
        .add_figures = [&](lab::Figures& figures) { medea::add_figures(results, figures); },
        .draw_charts = [&](const std::string& folder) { medea::draw_charts(results, folder); },
        .write_markdown = [&](const std::optional<std::string>& charts,
                              const std::string& path) { medea::write_markdown(results, asked, setting, charts, path); },
        .print = [&] { medea::print_results(results, setting, console()); },
    };
    publish(report);
  }

  const BenchMedeaCommand& command_;
  std::vector<Sweep> sweeps_;
  std::vector<Contender> contenders_;
  std::vector<medea::Run> runs_;
};

}  // namespace

int run_bench_medea_command(const BenchMedeaCommand& command, const Console& console) {
  return MedeaBench(command, console).run();
}

}  // namespace stowage::cli::lab
