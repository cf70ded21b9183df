// What P1's tables 1 to 4 compare, and what they print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "capi/cli/generate/stochastic/stochastic_cluster.h"

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
/// nullptr for any other word.
const Table* find_case(std::string_view word);

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

}  // namespace stowage::cli::stochastic
