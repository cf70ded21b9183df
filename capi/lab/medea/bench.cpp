#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "capi/cli/base/random.h"
#include "capi/cli/generate/medea_cluster.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/medea/runs.h"
#include "capi/text/base/failure.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::medea {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;
using lab::Tally;

/// The planner that fills clusters before the measurement, and the number of applications per plan.
constexpr const char* kFiller = "tag-search";
constexpr std::uint32_t kFillAtOnce = 20;
/// Purposes of random numbers; each has its own streams.
constexpr std::uint64_t kUnavailability = 202;
constexpr std::uint64_t kFailures = 211;

/// P2, section 7.3: service units, their nodes, containers per application, applications, and hours.
constexpr std::uint32_t kServiceUnits = 25;
constexpr std::uint32_t kNodesOfUnit = 40;
constexpr std::uint32_t kSpreadContainers = 100;
constexpr std::uint32_t kSpreadApplications = 20;
constexpr std::uint32_t kHours = 15 * 24;

/// The points of each axis; the defaults are P2's.
struct Scale {
  std::uint32_t nodes = 500;
  std::vector<double> applications = {kSpreadApplications};
  std::vector<double> utilizations;  ///< the command's
  std::vector<double> task_loads = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::vector<double> periodicities = {1, 2, 4, 6, 8, 10};
  std::vector<double> complexities = {1, 2, 4, 6, 8, 10};
  std::vector<double> node_counts = {50, 500, 1000, 5000};
  std::vector<double> application_shares = {0.2, 0.4, 0.6, 0.8};
};

/// The parameters of a point's simulation.
struct Course {
  ClusterOptions cluster;
  double utilization = 0.1;       ///< when the course ends
  std::uint32_t periodicity = 2;  ///< applications per interval
  double filled = 0;              ///< share of the utilization that is placed beforehand and not measured
  double tasks = 0;               ///< tasks per container of an application, planned with it
};

struct SweepInfo {
  const char* word;  ///< in files
  const char* title;
  const char* axis;
  int figure;
  bool shares;  ///< points are shares, printed in percent
  std::vector<double> Scale::*points;
};
/// Applications share rules, without which intervals would make no difference.
constexpr std::uint32_t kComplexityOfPeriods = 4;
constexpr double kNodesUtilization = 0.2;
constexpr std::uint32_t kNodesOfSchedulers = 256;
/// Number of containers that are measured in figure 11: those of about ten applications.
constexpr double kMeasuredContainers = 120;

constexpr std::array<SweepInfo, 8> kSweeps = {
    {{"resilience", "Figure 8: unavailable containers of the worst application, over 15 days", "applications", 8, false,
      &Scale::applications},
     {"utilization", "Figures 9a and 10: applications alone", "utilization", 9, true, &Scale::utilizations},
     {"tasks", "Figure 9b: applications use 10 %, tasks the rest", "load of tasks", 9, true, &Scale::task_loads},
     {"periodicity", "Figure 9c: applications per interval", "applications per interval", 9, false, &Scale::periodicities},
     {"complexity", "Figure 9d: applications with a rule in common", "applications per rule", 9, false, &Scale::complexities},
     {"nodes", "Figure 11a: latency by size of the cluster, at a utilization of 20 %", "nodes", 11, false, &Scale::node_counts},
     {"two-schedulers", "Figure 11b: 256 full nodes, tasks placed by a scheduler of their own", "share of applications", 11,
      true, &Scale::application_shares},
     {"one-scheduler", "Figure 11b: 256 full nodes, tasks planned with the applications", "share of applications", 11, true,
      &Scale::application_shares}}};

const SweepInfo& sweep_info(Sweep sweep) { return kSweeps[static_cast<std::size_t>(sweep)]; }

std::optional<Sweep> find_sweep(std::string_view word) {
  const auto* found = std::find_if(kSweeps.begin(), kSweeps.end(), [&](const SweepInfo& one) { return word == one.word; });
  return found == kSweeps.end() ? std::nullopt : std::optional(static_cast<Sweep>(found - kSweeps.begin()));
}

std::vector<Sweep> sweeps_of(int figure) {
  if (figure == 10) return {Sweep::kUtilization};  // with the runs of figure 9a
  std::vector<Sweep> sweeps;
  for (std::size_t s = 0; s < kSweeps.size(); ++s) {
    if (kSweeps[s].figure == figure) sweeps.push_back(static_cast<Sweep>(s));
  }
  if (sweeps.empty()) throw Failure("--figures: there is no figure " + std::to_string(figure) + "; use 8, 9, 10 or 11");
  return sweeps;
}

std::string x_text(const Point& point) {
  return sweep_info(point.sweep).shares ? for_people(point.x * 100, 1) + " %" : for_people(point.x, 0);
}

Course course_of(const Point& point, const Scale& scale, std::uint64_t seed) {
  const auto& [sweep, x] = point;
  const auto count = static_cast<std::uint32_t>(x);
  Course course;
  ClusterOptions& cluster = course.cluster;
  cluster.nodes = scale.nodes;
  cluster.seed = seed;
  if (sweep == Sweep::kUtilization || sweep >= Sweep::kTwoSchedulers) course.utilization = x;
  if (sweep == Sweep::kTasks) cluster.task_load = x;
  if (sweep == Sweep::kPeriodicity) course.periodicity = count;
  if (sweep == Sweep::kPeriodicity) cluster.complexity = kComplexityOfPeriods;
  if (sweep == Sweep::kComplexity) cluster.complexity = count;
  if (sweep == Sweep::kTwoSchedulers) cluster.task_load = 1 - x;
  if (sweep == Sweep::kOneScheduler) course.tasks = (1 - x) / x;
  if (sweep == Sweep::kResilience) {
    cluster.nodes = kServiceUnits * kNodesOfUnit;
    cluster.service_units = kServiceUnits;
  }
  if (sweep == Sweep::kNodes) {
    cluster.tensorflow = true;
    course.utilization = kNodesUtilization;
  }
  if (sweep >= Sweep::kNodes) {
    cluster.nodes = sweep == Sweep::kNodes ? count : kNodesOfSchedulers;
    course.filled = std::max(0.0, course.utilization - kMeasuredContainers / (cluster.nodes * kCoresOfNode));
  }
  return course;
}

/// A measure that is shown: the figure of a tally, its title and its scale.
struct Measure {
  const char* word;
  const char* title;
  const char* figure;
  double factor;  ///< of the figure, in charts and tables
  int digits;
};
constexpr Measure kViolating = {"violations", "containers that violate a rule, %", "violating", 100, 2};
constexpr Measure kFragmented = {"fragmentation", "fragmented nodes, %", "fragmented", 100, 2};
constexpr Measure kImbalance = {"imbalance", "coefficient of variation of nodes' memory, %", "imbalance", 100, 1};
constexpr Measure kGivenUp = {"given-up", "applications that were not placed, %", "given_up", 100, 2};
constexpr Measure kLatency = {"latency", "time per application, ms", "seconds_per_application", 1000, 2};
constexpr Measure kMedian = {"median", "median of the hours, % of its containers", "median_unavailable", 100, 2};
constexpr Measure kMost = {"most", "worst hour, % of its containers", "most_unavailable", 100, 2};

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

class MedeaBench final : public lab::Bench<Run> {
 public:
  explicit MedeaBench(const Console& console)
      : Bench(console, {.name = "medea",
                        .summary = "Repeat the experiments of P2's figures 8 to 11",
                        .help = R"(Examples:
  stowage-lab bench medea --figures 9 --utilizations 10%,50%,90%
  stowage-lab bench medea --figures 11 --node-counts 500,5000 --planners medea-ilp@2s,tag-search
  stowage-lab bench medea --output results --markdown page.md

Figures of P2: 8 resilience; 9 violated rules by utilization, load of tasks, applications per
interval and applications per rule; 10 fragmentation and balance; 11 latency. Applications are
submitted interval by interval and planned all or nothing; what is placed stays.
docs/reference/generate.md describes them.)",
                        .deadline_ms = 1'000,
                        .on = "; one thread"}) {}

 private:
  /// An axis, its points, and the contenders that have runs there.
  struct SweepResult {
    Sweep sweep;
    std::vector<Point> points;
    std::vector<Contender> contenders;
  };

  void add_options(CLI::App* sub) override {
    list_option(sub, "--figures", figures_, "Figures to repeat", "LIST", "8,9,10,11");
    option(sub, "--nodes", scale_.nodes, "Number of nodes of the cluster in figures 9 and 10", "N", kOwn,
           whole_number(10, 1'000'000));
    list_option(sub, "--utilizations", utilizations_, "Utilizations in figures 9a and 10", "LIST",
                "10%,20%,30%,40%,50%,60%,70%,80%,90%");
    list_option(sub, "--node-counts", scale_.node_counts, "Numbers of nodes in figure 11", "LIST", "50,500,1000,5000",
                whole_number(10, 1'000'000));
    list_option(sub, "--planners", command_.planners,
                "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline", "A,B:gap=0.01@10s",
                "P2's and tag-search");
  }

  void prepare() override {
    for (const std::string& text : utilizations_) {
      const auto share = parse_share(text);
      if (!share || *share <= 0) {
        throw Failure("--utilizations: \"" + text + "\" is not a share above 0 (try \"30%\" or \"0.3\")");
      }
      scale_.utilizations.push_back(*share);
    }
    for (const int figure : figures_) {
      for (const Sweep sweep : sweeps_of(figure)) sweeps_.push_back(sweep);
    }
    sweeps_ = lab::distinct(sweeps_);
    contenders_ = contenders_or({"medea-ilp", "tag-search", "medea-nc", "medea-tp", "serial", "j-kube++", "j-kube", "yarn"});
  }

  /// Courses through the points of one axis up to `of`.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (const Sweep sweep : sweeps_) {
        std::vector<Point> points = lab::distinct(points_of(sweep));
        std::sort(points.begin(), points.end());
        // One cluster that fills up passes through all utilizations.
        if (sweep == Sweep::kUtilization) {
          all.push_back({points.back(), seed, contenders_, points});
        } else {
          for (const Point& point : points) all.push_back({point, seed, contenders_, {point}});
        }
      }
    }
    return all;
  }
  [[nodiscard]] std::vector<Point> points_of(Sweep sweep) const {
    std::vector<Point> points;
    for (const double x : scale_.*sweep_info(sweep).points) points.push_back({sweep, x});
    return points;
  }
  void note_command(Run& run) const override { run.cluster = course_of(run.of, scale_, run.seed).cluster.nodes; }

  void measure(const Job& job) override {
    for (const Contender& contender : job.contenders) {
      if (!InterruptGuard::interrupted()) measure_course(job, contender);
    }
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
    RequestOptions request = request_of(contender);
    request.seed = job.seed;
    request.all_or_nothing = true;
    PlanRun run = run_plan(workload, request, console());
    if (InterruptGuard::interrupted()) return std::nullopt;
    cluster.carry_out(run.root());
    return Interval{std::move(workload), std::move(run)};
  }

  void measure_course(const Job& job, const Contender& contender) {
    forget(job, contender);
    const Course course = course_of(job.of, scale_, job.seed);
    Cluster cluster(course.cluster);
    Run run = blank(job.of, job.seed, contender);
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
    Tally gaps;
    std::optional<Interval> last;
    for (const Point& point : job.series) {
      while (!reached(point)) {
        for (std::uint32_t k = 0; k < course.periodicity && !reached(point); ++k) submit(cluster, point, course);
        try {
          last = plan_interval(cluster, contender, job);
        } catch (const Failure& failure) {
          if (failure.exit_code() != kExitInput) throw;
          complain(contender.label + ", " + class_text(job.of) + ": " + failure.what());
          run.status = Run::kRefused;
          for (const Point& refused : job.series) runs_.emplace_back(run).of = refused;
          return;
        }
        if (!last) return;
        const wire::Plan& plan = last->run.root();
        run.seconds += last->run.planning_seconds;
        run.call_seconds += last->run.seconds;
        for (const wire::Unplaced* one : *plan.unplaced()) run.unplaced += one->replicas();
        if (plan.has_score() && plan.score_gap() >= 0) gaps.add("score", plan.score_gap());
      }
      if (!last) continue;
      run.of = point;
      run.applications = cluster.submitted() - submitted_before;
      run.given_up = cluster.given_up() - given_up_before;
      if (gaps.has("score")) {
        run.mean_gap = gaps.mean("score");
        run.worst_gap = gaps.most("score");
      }
      note_state(*last, run);
      if (point.sweep == Sweep::kResilience) note_unavailability(cluster, run);
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
    if (run.violations == 0) return;
    complain("a plan by " + run.label + " breaks " + counted(run.violations, "constraint") + "; it does not count");
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
    tallies_ = lab::tallied(asked);
    for (const Sweep sweep : sweeps_) {
      const std::vector<Point> points = points_of(sweep);
      results_.push_back({sweep, points, tallies_.known(contenders_, points)});
    }
  }

  /// A row per point, with text_of(tally) of the contenders.
  template <class Text>
  [[nodiscard]] Grid grid_of(const SweepResult& result, const std::vector<Contender>& contenders, Text&& text_of) const {
    Grid grid = {{sweep_info(result.sweep).axis}};
    for (const Contender& one : contenders) grid[0].push_back(contender_text(one.label));
    for (const Point& point : result.points) {
      std::vector<std::string>& row = grid.emplace_back(1, x_text(point));
      for (const Contender& one : contenders) row.push_back(text_of(tallies_.of(point, one.label)));
    }
    return grid;
  }

  /// The tables of a sweep, each with its heading. The last one has the mean and worst gap per point, for contenders that prove
  /// one.
  [[nodiscard]] std::vector<std::pair<std::string, Grid>> grids_of(const SweepResult& result) const {
    std::vector<std::pair<std::string, Grid>> grids;
    for (const Measure& measure : measures_of(result.sweep)) {
      grids.emplace_back(measure.title, grid_of(result, result.contenders, [&](const Tally& tally) {
                           return tally.has("runs") ? for_people(tally.mean(measure.figure) * measure.factor, measure.digits)
                                                    : "-";
                         }));
    }
    std::vector<Contender> proving = result.contenders;
    std::erase_if(proving, [&](const Contender& one) {
      return std::none_of(result.points.begin(), result.points.end(),
                          [&](const Point& point) { return tallies_.of(point, one.label).has("mean_gap"); });
    });
    if (proving.empty()) return grids;
    grids.emplace_back("gap of the scores per interval, mean (worst)", grid_of(result, proving, [](const Tally& tally) {
                         const auto percent = [](double share) { return for_people(share * 100, 3) + " %"; };
                         if (!tally.has("mean_gap")) return std::string("-");
                         return percent(tally.mean("mean_gap")) + " (" + percent(tally.most("worst_gap")) + ")";
                       }));
    return grids;
  }

  [[nodiscard]] std::vector<lab::Chart> charts_of(const SweepResult& result) const {
    std::vector<lab::Chart> all;
    if (result.points.size() < 2 || result.contenders.empty()) return all;
    for (const Measure& measure : measures_of(result.sweep)) {
      const std::string file = std::string("medea-") + sweep_info(result.sweep).word + "-" + measure.word;
      all.push_back({file, measure.title, script_of(file, result, measure)});
    }
    return all;
  }

  [[nodiscard]] std::string script_of(const std::string& file, const SweepResult& result, const Measure& measure) const {
    const SweepInfo& info = sweep_info(result.sweep);
    std::string rows;
    for (const Point& point : result.points) {
      std::vector<double> row = {point.x * (info.shares ? 100 : 1)};
      for (const Contender& one : result.contenders) {
        const Tally& tally = tallies_.of(point, one.label);
        row.push_back(lab::or_missing(tally.has("runs"), tally.mean(measure.figure) * measure.factor));
      }
      rows += lab::row_of(row);
    }
    lab::Plot plot(file, 820, 420);
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const std::string style = "using 1:" + std::to_string(c + 2) + " with linespoints lw 2 pt 7" +
                                lab::colored(c, contender_text(result.contenders[c].label));
      c == 0 ? plot.add("means", rows, style) : plot.again(style);
    }
    const bool logarithmic = std::string_view(measure.word) == kLatency.word;
    return plot.script("set title " + lab::quoted(info.title) + "\nset xlabel " +
                       lab::quoted(std::string(info.axis) + (info.shares ? ", %" : "")) + "\nset ylabel " +
                       lab::quoted(measure.title) + "\n" + (logarithmic ? "set logscale y\n" : "set yrange [0:1<*]\n") +
                       (result.sweep == Sweep::kNodes ? "set logscale x\n" : "") + "set key outside right top\n");
  }

  void add_figures(lab::Figures& figures) const override {
    for (const SweepResult& result : results_) {
      for (const Point& point : result.points) {
        for (const Contender& one : result.contenders) {
          const Tally& tally = tallies_.of(point, one.label);
          figures.record().text("axis", sweep_info(result.sweep).word).number("x", point.x);
          figures.text("planner", one.label).counts(tally, {"runs"});
          for (const char* name : {"violating", "fragmented", "imbalance", "given_up", "seconds_per_application"})
            figures.number(name, tally.mean(name));
          figures.means(tally, {"mean_gap"}).number("worst_gap", tally.most("worst_gap"), tally.has("mean_gap"));
          for (const char* name : {"median_unavailable", "most_unavailable"}) figures.number(name, tally.mean(name));
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
      for (const auto& [heading, grid] : grids_of(result)) {
        page.terminal(heading + "\n").markdown("\n" + heading + ":\n\n").grid(grid);
      }
      page.terminal("\n").link(charts_of(result));
    }
    page.closing({note});
    if (!missing().empty()) page.terminal(lab::missing_text(missing()) + "\n");
  }

  std::vector<int> figures_ = {8, 9, 10, 11};
  std::vector<std::string> utilizations_ = {"10%", "20%", "30%", "40%", "50%", "60%", "70%", "80%", "90%"};
  Scale scale_;
  std::vector<Sweep> sweeps_;
  std::vector<Contender> contenders_;
  lab::Tallies<Point> tallies_;
  std::vector<SweepResult> results_;
};

}  // namespace

std::string class_text(const Point& point) { return std::string(sweep_info(point.sweep).axis) + " " + x_text(point); }

std::vector<std::vector<double>> draw_unavailability(std::uint32_t service_units, std::uint32_t hours, std::uint64_t seed) {
  std::vector<std::vector<double>> shares(service_units, std::vector<double>(hours, 0));
  for (std::uint32_t unit = 0; unit < service_units; ++unit) {
    Random random(seed, kUnavailability, unit);
    double event = 0;
    std::uint32_t left = 0;
    for (double& share : shares[unit]) {
      if (left == 0 && random.below(100) == 0) {
        event = random.below(4) == 0 ? 1 : 0.25;
        left = 1 + random.below(6);
      }
      share = left > 0 ? event : 0.03 * random.uniform();
      left -= left > 0 ? 1 : 0;
    }
  }
  return shares;
}

void Run::add_to(lab::Tally& tally) const {
  if (!accepted()) return;
  const double submitted = std::max(1u, applications);
  tally.add("runs").add("violating", violating / std::max(1.0, static_cast<double>(containers)));
  tally.add("fragmented", static_cast<double>(fragmented) / std::max(1u, cluster)).add("imbalance", imbalance);
  tally.add("given_up", given_up / submitted).add("seconds_per_application", seconds / submitted);
  tally.add("median_unavailable", median_unavailable.value_or(0)).add("most_unavailable", most_unavailable.value_or(0));
  tally.add("mean_gap", mean_gap);
  if (mean_gap) tally.add("worst_gap", worst_gap.value_or(0));
}

void Run::fields(lab::RunLine& line) {
  line.word(
          "axis", of.sweep, [](Sweep sweep) { return sweep_info(sweep).word; }, find_sweep)
      .field("x", of.x);
  line.field("cluster", cluster).field("seed", seed).contender(*this).field("applications", applications);
  line.field("given_up", given_up).field("containers", containers).field("violating", violating);
  line.field("cost", cost).field("fragmented", fragmented).field("imbalance", imbalance);
  line.field("mean_gap", mean_gap).field("worst_gap", worst_gap);
  line.field("median_unavailable", median_unavailable).field("most_unavailable", most_unavailable);
  line.field("nodes", nodes).defects(*this).origin(*this);
}

}  // namespace stowage::cli::medea

void stowage::cli::lab::add_bench_medea(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<medea::MedeaBench>(line.console()));
}
