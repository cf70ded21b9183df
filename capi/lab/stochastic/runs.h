// What P1's tables 1 to 4 compare and print, and what was measured on drawn clusters: one record per instance and planner, and
// the files that keep it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "capi/cli/generate/stochastic/stochastic_cluster.h"
#include "capi/lab/experiment/run_table.h"

namespace stowage::cli::stochastic {

struct Table {
  int number;
  const char* word;  ///< "scale-down", "scale-up", "empty", "week"
  Case of;           ///< not for the week
  const char* title;
};
inline constexpr int kWeekTable = 4;
/// Fails on a number other than 1 to 4.
const Table& find_table(int number);

/// A class of instances that differ in the seed only (in the week also in the day).
struct ClusterClass {
  int table = 0;
  std::uint32_t services = 0;
  double confidence = 0;

  bool operator==(const ClusterClass&) const = default;
  bool operator<(const ClusterClass& other) const {
    return std::tie(table, confidence, services) < std::tie(other.table, other.confidence, other.services);
  }
};
/// "scale-up, 20 services, confidence 99.9 %".
std::string class_text(const ClusterClass& one);
/// "99.9 %".
std::string confidence_text(double confidence);

/// Which classes to compare; the defaults are P1's.
struct Scale {
  std::vector<std::uint32_t> services = {5, 10, 15, 20};  ///< tables 1 to 3
  std::vector<double> confidences = {0.999, 0.99};        ///< tables 1 to 3
  std::uint32_t machines = 4000;
  std::uint32_t days = 7;  ///< table 4
};
std::vector<ClusterClass> classes_of(const Table& table, const Scale& scale);

/// Containers of day 0, 1, ... of the week, relative to table 5's: working days only. The busy days of P1's trace are not
/// published; docs/research/benchmarks-stochastic.md explains the choice.
double day_scale(std::uint32_t day);

/// The planners of a table, P1's first.
std::vector<std::string> table_contenders(const Table& table);
/// What P1 calls a contender; nullptr where it has none.
const char* paper_name(std::string_view contender);

/// An entry as printed: UCaC and machines relative to BF-n-sigma in tables 1 and 2, absolute in 3 and 4; violations in per cent
/// of the machines, in table 4 their number over the week.
struct Printed {
  double ucac = 0;
  double machines = 0;
  double violations = 0;
};
/// nullptr where P1 prints none.
const Printed* find_printed(const ClusterClass& one, std::string_view contender);

struct Run : lab::MeasuredRun {
  ClusterClass of;
  std::uint32_t machines = 0;  ///< of the cluster
  std::string layout;          ///< planner of the initial layout
  std::string usage;           ///< how usage is drawn
  std::uint64_t seed = 0;
  std::uint32_t day = 0;        ///< of the week, from 0
  std::uint64_t requested = 0;  ///< containers to place
  double ucac = 0;
  std::optional<double> ucac_bound;
  std::optional<double> node_bound;
  std::uint32_t samples = 0;
  std::uint64_t observations = 0;  ///< machines x samples
  std::uint64_t exceeded = 0;      ///< observations above the capacity

  void fields(lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, machines, layout, usage, seed, day, label, deadline_ms, samples); }
};

/// Used capacity at confidence of the machines of one plan, the largest first.
struct MachineUse {
  ClusterClass of;
  std::uint64_t seed = 0;
  std::string label;
  std::vector<double> ucac;
};
void write_uses(const std::vector<MachineUse>& uses, const std::string& path);
std::vector<MachineUse> read_uses(const std::string& path);

}  // namespace stowage::cli::stochastic
