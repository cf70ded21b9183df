#include "capi/lab/medea/experiments.h"

#include <algorithm>
#include <array>

#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::medea {
namespace {

constexpr std::array<SweepInfo, 8> kSweeps = {
    {{Sweep::kResilience, "resilience", "Figure 8: unavailable containers of the worst application, over 15 days",
      "applications", false},
     {Sweep::kUtilization, "utilization", "Figures 9a and 10: applications alone", "utilization", true},
     {Sweep::kTasks, "tasks", "Figure 9b: applications use 10 %, tasks the rest", "load of tasks", true},
     {Sweep::kPeriodicity, "periodicity", "Figure 9c: applications per interval", "applications per interval", false},
     {Sweep::kComplexity, "complexity", "Figure 9d: applications with a rule in common", "applications per rule", false},
     {Sweep::kNodes, "nodes", "Figure 11a: latency by size of the cluster, at a utilization of 20 %", "nodes", false},
     {Sweep::kTwoSchedulers, "two-schedulers", "Figure 11b: 256 full nodes, tasks placed by a scheduler of their own",
      "share of applications", true},
     {Sweep::kOneScheduler, "one-scheduler", "Figure 11b: 256 full nodes, tasks planned with the applications",
      "share of applications", true}}};

/// Applications share rules, without which intervals would make no difference.
constexpr std::uint32_t kComplexityOfPeriods = 4;
constexpr double kNodesUtilization = 0.2;
constexpr std::uint32_t kNodesOfSchedulers = 256;
/// Number of containers that are measured: those of about ten applications.
constexpr double kMeasuredContainers = 120;

}  // namespace

const SweepInfo& sweep_info(Sweep sweep) { return kSweeps[static_cast<std::size_t>(sweep)]; }

std::optional<Sweep> find_sweep(std::string_view word) {
  for (const SweepInfo& one : kSweeps) {
    if (word == one.word) return one.sweep;
  }
  return std::nullopt;
}

std::vector<Sweep> sweeps_of(int figure) {
  switch (figure) {
    case 8:
      return {Sweep::kResilience};
    case 9:
      return {Sweep::kUtilization, Sweep::kTasks, Sweep::kPeriodicity, Sweep::kComplexity};
    case 10:
      return {Sweep::kUtilization};
    case 11:
      return {Sweep::kNodes, Sweep::kTwoSchedulers, Sweep::kOneScheduler};
    default:
      throw Failure("--figures: there is no figure " + std::to_string(figure) + "; use 8, 9, 10 or 11");
  }
}

std::string x_text(const Point& point) {
  return sweep_info(point.sweep).shares ? for_people(point.x * 100, 1) + " %" : for_people(point.x, 0);
}

std::string class_text(const Point& point) { return std::string(sweep_info(point.sweep).axis) + " " + x_text(point); }

std::vector<double> points_of(Sweep sweep, const Scale& scale) {
  switch (sweep) {
    case Sweep::kResilience:
      return {kSpreadApplications};
    case Sweep::kUtilization:
      return scale.utilizations;
    case Sweep::kTasks:
      return scale.task_loads;
    case Sweep::kPeriodicity:
      return scale.periodicities;
    case Sweep::kComplexity:
      return scale.complexities;
    case Sweep::kNodes:
      return scale.node_counts;
    case Sweep::kTwoSchedulers:
    case Sweep::kOneScheduler:
      return scale.application_shares;
  }
  return {};
}

Course course_of(const Point& point, const Scale& scale, std::uint64_t seed) {
  Course course;
  course.cluster.nodes = scale.nodes;
  course.cluster.seed = seed;
  const auto measure_the_last = [&] {
    course.filled = std::max(0.0, course.utilization - kMeasuredContainers / (course.cluster.nodes * kCoresOfNode));
  };
  switch (point.sweep) {
    case Sweep::kResilience:
      course.cluster.nodes = kServiceUnits * kNodesOfUnit;
      course.cluster.service_units = kServiceUnits;
      break;
    case Sweep::kUtilization:
      course.utilization = point.x;
      break;
    case Sweep::kTasks:
      course.cluster.task_load = point.x;
      break;
    case Sweep::kPeriodicity:
      course.periodicity = static_cast<std::uint32_t>(point.x);
      course.cluster.complexity = kComplexityOfPeriods;
      break;
    case Sweep::kComplexity:
      course.cluster.complexity = static_cast<std::uint32_t>(point.x);
      break;
    case Sweep::kNodes:
      course.cluster.nodes = static_cast<std::uint32_t>(point.x);
      course.cluster.tensorflow = true;
      course.utilization = kNodesUtilization;
      measure_the_last();
      break;
    case Sweep::kTwoSchedulers:
      course.cluster.nodes = kNodesOfSchedulers;
      course.cluster.task_load = 1 - point.x;
      course.utilization = point.x;
      measure_the_last();
      break;
    case Sweep::kOneScheduler:
      course.cluster.nodes = kNodesOfSchedulers;
      course.utilization = point.x;
      course.tasks = (1 - point.x) / point.x;
      measure_the_last();
      break;
  }
  return course;
}

const std::vector<std::string>& medea_contenders() {
  static const std::vector<std::string> kContenders = {"medea-ilp", "tag-search", "medea-nc", "medea-tp",
                                                       "serial",    "j-kube++",   "j-kube",   "yarn"};
  return kContenders;
}

namespace {

/// Purpose of the random numbers; it has its own streams.
constexpr std::uint64_t kUnavailability = 202;

}  // namespace

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

}  // namespace stowage::cli::medea
