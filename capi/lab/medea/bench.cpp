#include <algorithm>
#include <cmath>
#include <functional>

#include "capi/cli/base/random.h"
#include "capi/cli/generate/medea_cluster.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/medea/experiments.h"
#include "capi/lab/medea/runs.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::medea {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;

/// The planner that fills clusters before the measurement, and the number of applications per plan.
constexpr const char* kFiller = "tag-search";
constexpr std::uint32_t kFillAtOnce = 20;
constexpr std::uint64_t kFailures = 211;

/// Means over the runs of one contender at one point; only plans that the checker accepts.
struct Mean {
  std::uint32_t runs = 0;
  double violating = 0;   ///< share of the containers
  double fragmented = 0;  ///< share of the nodes
  double imbalance = 0;
  double given_up = 0;         ///< share of the applications
  double per_application = 0;  ///< seconds of planning
  std::uint32_t with_gap = 0;
  double mean_gap = 0;
  double worst_gap = 0;
  double median_unavailable = 0;
  double most_unavailable = 0;
};

/// A measure that is shown: its value from a mean, its title and its scale.
struct Measure {
  const char* word;
  const char* title;
  double Mean::*value;
  double factor;  ///< of the value, in charts and tables
  int digits;
};
constexpr Measure kViolating = {"violations", "containers that violate a rule, %", &Mean::violating, 100, 2};
constexpr Measure kFragmented = {"fragmentation", "fragmented nodes, %", &Mean::fragmented, 100, 2};
constexpr Measure kImbalance = {"imbalance", "coefficient of variation of nodes' memory, %", &Mean::imbalance, 100, 1};
constexpr Measure kGivenUp = {"given-up", "applications that were not placed, %", &Mean::given_up, 100, 2};
constexpr Measure kLatency = {"latency", "time per application, ms", &Mean::per_application, 1000, 2};
constexpr Measure kMedian = {"median", "median of the hours, % of its containers", &Mean::median_unavailable, 100, 2};
constexpr Measure kMost = {"most", "worst hour, % of its containers", &Mean::most_unavailable, 100, 2};

std::vector<Measure> measures_of(Sweep sweep) {
  switch (sweep) {
    case Sweep::kResilience:
      return {kMedian, kMost, kViolating};
    case Sweep::kUtilization:
      return {kViolating, kFragmented, kImbalance, kGivenUp, kLatency};
    case Sweep::kNodes:
      return {kLatency, kViolating};
    case Sweep::kTwoSchedulers:
    case Sweep::kOneScheduler:
      return {kLatency};
    default:
      return {kViolating, kGivenUp, kLatency};
  }
}

std::string value_of(const Mean& mean, const Measure& measure) {
  return mean.runs == 0 ? "-" : for_people(mean.*measure.value * measure.factor, measure.digits);
}

std::string chart_name(Sweep sweep, const Measure& measure) {
  return std::string("medea-") + sweep_info(sweep).word + "-" + measure.word;
}

lab::Means<Point, Mean> means_of(const std::vector<Run>& runs) {
  lab::Means<Point, Mean> means;
  for (const Run& run : runs) {
    if (run.status == Run::kRefused || run.violations > 0) continue;
    Mean& mean = means.add(run.of, run.label);
    ++mean.runs;
    const auto containers = static_cast<double>(std::max<std::uint64_t>(1, run.containers));
    mean.violating += static_cast<double>(run.violating) / containers;
    mean.fragmented += static_cast<double>(run.fragmented) / std::max(1u, run.cluster);
    mean.imbalance += run.imbalance;
    mean.given_up += static_cast<double>(run.given_up) / std::max(1u, run.applications);
    mean.per_application += run.seconds / std::max(1u, run.applications);
    mean.median_unavailable += run.median_unavailable.value_or(0);
    mean.most_unavailable += run.most_unavailable.value_or(0);
    if (!run.mean_gap) continue;
    ++mean.with_gap;
    mean.mean_gap += *run.mean_gap;
    mean.worst_gap = std::max(mean.worst_gap, run.worst_gap.value_or(0));
  }
  means.finish([](Mean& mean) {
    lab::divide({&mean.violating, &mean.fragmented, &mean.imbalance, &mean.given_up, &mean.per_application,
                 &mean.median_unavailable, &mean.most_unavailable},
                mean.runs);
    lab::divide({&mean.mean_gap}, mean.with_gap);
  });
  return means;
}

class MedeaBench final : public lab::Bench<Run> {
 public:
  MedeaBench(const lab::BenchMedeaCommand& command, const Console& console)
      : Bench(command, console, "medea", "; one thread"), command_(command) {}

 private:
  void prepare() override {
    for (const int figure : command_.figures) {
      for (const Sweep sweep : sweeps_of(figure)) sweeps_.push_back(sweep);
    }
    sweeps_ = lab::distinct(sweeps_);
    contenders_ = command_.planners.empty() ? own_contenders(medea_contenders()) : known_contenders(command_.planners);
  }

  /// Courses through the points of one axis up to `of`.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (const Sweep sweep : sweeps_) {
        std::vector<Point> points = lab::distinct(of_sweep(sweep));
        std::sort(points.begin(), points.end());
        // One cluster that fills up passes through all utilizations.
        if (sweep == Sweep::kUtilization) {
          all.push_back({points.back(), seed, contenders_, points});
          continue;
        }
        for (const Point& point : points) all.push_back({point, seed, contenders_, {point}});
      }
    }
    return all;
  }
  [[nodiscard]] std::vector<Point> of_sweep(Sweep sweep) const {
    std::vector<Point> points;
    for (const double x : points_of(sweep, command_.scale)) points.push_back({sweep, x});
    return points;
  }
  [[nodiscard]] std::vector<Run> blanks(const Job& job, const Contender& contender) const override {
    std::vector<Run> runs = Bench::blanks(job, contender);
    for (Run& run : runs) run.cluster = course_of(job.of, command_.scale, job.seed).cluster.nodes;
    return runs;
  }

  void measure(const Job& job) override {
    for (const Contender& contender : job.contenders) measure_course(job, contender);
  }

  static void submit(Cluster& cluster, const Point& point, const Course& course) {
    if (point.sweep == Sweep::kResilience) return cluster.submit_spread(kSpreadContainers);
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
  std::optional<Interval> plan_interval(Cluster& cluster, const Contender& contender, const Job& job) {
    Workload workload = lab::loaded(cluster.data(), class_text(job.of));
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

  void measure_course(const Job& job, const Contender& contender) {
    if (InterruptGuard::interrupted()) return;
    forget(job, contender);
    const Course course = course_of(job.of, command_.scale, job.seed);
    Cluster cluster(course.cluster);
    Run run = blanks(job, contender).front();
    run.machine = lab::this_machine();
    run.build = lab::this_build();
    run.repeats = 1;
    const Contender filler = lab::parse_contender(kFiller);
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
    for (const Point& point : job.series) {
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

  void note_refusal(const Job& job, Run& run) {
    run.status = Run::kRefused;
    for (const Point& point : job.series) {
      run.of = point;
      runs_.push_back(run);
    }
  }

  /// Metrics of the cluster after the interval, by the checker.
  void note_state(const Interval& interval, Run& run) const {
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
  static void note_unavailability(const Cluster& cluster, Run& run) {
    const auto shares = draw_unavailability(kServiceUnits, kHours, run.seed);
    std::vector<double> worst;
    for (std::uint32_t hour = 0; hour < kHours; ++hour) {
      std::vector<bool> down(cluster.data().nodes.node_class.size(), false);
      for (std::uint32_t unit = 0; unit < kServiceUnits; ++unit) {
        Random random(run.seed, kFailures + hour, unit);
        std::vector<std::uint32_t> machines(kNodesOfUnit);
        for (std::uint32_t k = 0; k < kNodesOfUnit; ++k) machines[k] = unit * kNodesOfUnit + k;
        const auto count = static_cast<std::uint32_t>(std::lround(shares[unit][hour] * kNodesOfUnit));
        for (std::uint32_t k = 0; k < count; ++k) {
          std::swap(machines[k], machines[k + random.below(kNodesOfUnit - k)]);
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

  void sum_up(const std::vector<Run>& asked) override {
    means_ = means_of(asked);
    for (const Sweep sweep : sweeps_) results_.push_back({sweep, of_sweep(sweep), means_.known(contenders_, of_sweep(sweep))});
  }

  /// An axis, its points, and the contenders that have runs there.
  struct SweepResult {
    Sweep sweep;
    std::vector<Point> points;
    std::vector<Contender> contenders;

    [[nodiscard]] bool is_charted() const { return points.size() > 1 && !contenders.empty(); }
  };

  /// A row per point, with text_of(mean) of the contenders.
  template <class Text>
  [[nodiscard]] Grid grid_of(const SweepResult& result, const std::vector<Contender>& contenders, Text&& text_of) const {
    Grid grid = {{sweep_info(result.sweep).axis}};
    for (const Contender& one : contenders) grid[0].push_back(contender_text(one.label));
    for (const Point& point : result.points) {
      std::vector<std::string>& row = grid.emplace_back(1, x_text(point));
      for (const Contender& one : contenders) row.push_back(text_of(means_.of(point, one.label)));
    }
    return grid;
  }

  /// Calls show(heading, grid) for every table of a sweep. The last one has the mean and worst gap per point, for contenders
  /// that prove one.
  void for_each_grid(const SweepResult& result, const std::function<void(const std::string&, const Grid&)>& show) const {
    for (const Measure& measure : measures_of(result.sweep)) {
      show(measure.title, grid_of(result, result.contenders, [&](const Mean& mean) { return value_of(mean, measure); }));
    }
    std::vector<Contender> proving = result.contenders;
    std::erase_if(proving, [&](const Contender& one) {
      return std::none_of(result.points.begin(), result.points.end(),
                          [&](const Point& point) { return means_.of(point, one.label).with_gap > 0; });
    });
    if (proving.empty()) return;
    show("gap of the scores per interval, mean (worst)", grid_of(result, proving, [](const Mean& mean) {
           return mean.with_gap == 0
                      ? "-"
                      : for_people(mean.mean_gap * 100, 3) + " % (" + for_people(mean.worst_gap * 100, 3) + " %)";
         }));
  }

  [[nodiscard]] std::vector<lab::Chart> charts() const override {
    std::vector<lab::Chart> all;
    for (const SweepResult& result : results_) {
      if (!result.is_charted()) continue;
      for (const Measure& measure : measures_of(result.sweep)) {
        all.push_back({chart_name(result.sweep, measure), measure.title, script_of(result, measure)});
      }
    }
    return all;
  }

  [[nodiscard]] std::string script_of(const SweepResult& result, const Measure& measure) const {
    const SweepInfo& info = sweep_info(result.sweep);
    std::string text = lab::script_head(chart_name(result.sweep, measure), 820, 420);
    text += "$means << EOD\n";
    for (const Point& point : result.points) {
      text += shortest(point.x * (info.shares ? 100 : 1));
      for (const Contender& one : result.contenders) {
        const Mean& mean = means_.of(point, one.label);
        text += " " + lab::value_text(mean.runs > 0, mean.*measure.value * measure.factor);
      }
      text += "\n";
    }
    text += "EOD\nset title " + lab::quoted(info.title) + "\nset xlabel " +
            lab::quoted(std::string(info.axis) + (info.shares ? ", %" : "")) + "\nset ylabel " + lab::quoted(measure.title) +
            "\n";
    const bool logarithmic = measure.value == kLatency.value;
    text += logarithmic ? "set logscale y\n" : "set yrange [0:1<*]\n";
    if (result.sweep == Sweep::kNodes) text += "set logscale x\n";
    text += "set key outside right top\n";
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      text += (c == 0 ? "plot " : ", ") + std::string("$means using 1:") + std::to_string(c + 2) +
              " with linespoints lw 2 pt 7 lc rgb " + lab::color(c) + " title " +
              lab::quoted(contender_text(result.contenders[c].label));
    }
    return text + "\n";
  }

  void add_figures(lab::Figures& figures) const override {
    for (const SweepResult& result : results_) {
      for (const Point& point : result.points) {
        for (const Contender& one : result.contenders) {
          const Mean& mean = means_.of(point, one.label);
          const bool proven = mean.with_gap > 0;
          figures.record().text("axis", sweep_info(result.sweep).word).number("x", point.x);
          figures.text("planner", one.label).whole("runs", mean.runs).number("violating", mean.violating);
          figures.number("fragmented", mean.fragmented).number("imbalance", mean.imbalance).number("given_up", mean.given_up);
          figures.number("seconds_per_application", mean.per_application);
          figures.number("mean_gap", mean.mean_gap, proven).number("worst_gap", mean.worst_gap, proven);
          figures.number("median_unavailable", mean.median_unavailable).number("most_unavailable", mean.most_unavailable);
        }
      }
    }
  }

  void show(lab::Page& page) const override {
    const std::string note = counted(command_.seeds, "cluster") + " per point; each run of a planner has " + deadline_text() +
                             "; times are of the planner alone";
    page.markdown(note + ".\n");
    if (!missing().empty()) page.markdown(lab::missing_text(missing(), "`") + ".\n");
    for (const SweepResult& result : results_) {
      page.title(sweep_info(result.sweep).title);
      for_each_grid(result, [&](const std::string& heading, const Grid& grid) {
        page.terminal(heading + "\n").markdown("\n" + heading + ":\n\n").grid(grid);
      });
      page.terminal("\n");
      if (!result.is_charted()) continue;
      for (const Measure& measure : measures_of(result.sweep)) page.chart(chart_name(result.sweep, measure), measure.title);
    }
    page.closing({note});
    if (!missing().empty()) page.terminal(lab::missing_text(missing()) + "\n");
  }

  const lab::BenchMedeaCommand& command_;
  std::vector<Sweep> sweeps_;
  std::vector<Contender> contenders_;
  lab::Means<Point, Mean> means_;
  std::vector<SweepResult> results_;
};

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.word(
          "axis", run.of.sweep, [](Sweep sweep) { return sweep_info(sweep).word; }, find_sweep)
      .field("x", run.of.x);
  line.field("cluster", run.cluster).field("seed", run.seed).contender(run).field("applications", run.applications);
  line.field("given_up", run.given_up).field("containers", run.containers).field("violating", run.violating);
  line.field("cost", run.cost).field("fragmented", run.fragmented).field("imbalance", run.imbalance);
  line.field("mean_gap", run.mean_gap).field("worst_gap", run.worst_gap);
  line.field("median_unavailable", run.median_unavailable).field("most_unavailable", run.most_unavailable);
  line.field("nodes", run.nodes).defects(run).origin(run);
}

}  // namespace stowage::cli::medea

namespace stowage::cli::lab {

int run_bench_medea_command(const BenchMedeaCommand& command, const Console& console) {
  return medea::MedeaBench(command, console).run();
}

}  // namespace stowage::cli::lab
