// What P2's figures 8 to 11 compare: along which axis, at which points, by which planners.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "capi/cli/generate/medea_cluster.h"

namespace stowage::cli::medea {

enum class Sweep : std::uint8_t {
  kResilience,
  kUtilization,
  kTasks,
  kPeriodicity,
  kComplexity,
  kNodes,
  kTwoSchedulers,
  kOneScheduler
};

struct SweepInfo {
  Sweep sweep;
  const char* word;  ///< in files
  const char* title;
  const char* axis;
  bool shares;  ///< points are shares, printed in percent
};
const SweepInfo& sweep_info(Sweep sweep);
/// Nothing for any other word.
std::optional<Sweep> find_sweep(std::string_view word);
/// The sweeps of a figure, 8 to 11; fails on any other number.
std::vector<Sweep> sweeps_of(int figure);

/// One point of an axis.
struct Point {
  Sweep sweep = Sweep::kUtilization;
  double x = 0;

  bool operator==(const Point&) const = default;
  bool operator<(const Point& other) const { return std::tie(sweep, x) < std::tie(other.sweep, other.x); }
};
/// "utilization 30 %".
std::string class_text(const Point& point);
std::string x_text(const Point& point);

/// The defaults are P2's.
struct Scale {
  std::uint32_t nodes = 500;
  std::vector<double> utilizations = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
  std::vector<double> task_loads = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::vector<double> periodicities = {1, 2, 4, 6, 8, 10};
  std::vector<double> complexities = {1, 2, 4, 6, 8, 10};
  std::vector<double> node_counts = {50, 500, 1000, 5000};
  std::vector<double> application_shares = {0.2, 0.4, 0.6, 0.8};
};
std::vector<double> points_of(Sweep sweep, const Scale& scale);

/// The parameters of a point's simulation.
struct Course {
  ClusterOptions cluster;
  double utilization = 0.1;       ///< when the course ends
  std::uint32_t periodicity = 2;  ///< applications per interval
  double filled = 0;              ///< share of the utilization that is placed beforehand and not measured
  double tasks = 0;               ///< tasks per container of an application, planned with it
};
Course course_of(const Point& point, const Scale& scale, std::uint64_t seed);

/// P2, section 7.3: service units, their nodes, containers per application, applications, and hours.
inline constexpr std::uint32_t kServiceUnits = 25;
inline constexpr std::uint32_t kNodesOfUnit = 40;
inline constexpr std::uint32_t kSpreadContainers = 100;
inline constexpr std::uint32_t kSpreadApplications = 20;
inline constexpr std::uint32_t kHours = 15 * 24;

const std::vector<std::string>& medea_contenders();

/// Share of each service unit's machines that is unavailable, hour by hour (P2, figure 3): mostly below 3 %, at times a quarter
/// or all of a unit, each unit at its own times.
std::vector<std::vector<double>> draw_unavailability(std::uint32_t service_units, std::uint32_t hours, std::uint64_t seed);

}  // namespace stowage::cli::medea
