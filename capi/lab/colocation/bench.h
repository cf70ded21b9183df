// Plans of instances of colocation: what is measured of one, and costs over bounds by class and size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/experiment.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli::colocation {

/// Instances that differ by their seed only.
struct Cell {
  std::string word;  ///< as `stowage generate colocation --class` takes it
  std::uint32_t kinds = 0;
  std::uint32_t apps = 0;
  std::uint32_t nodes = 0;

  bool operator==(const Cell&) const = default;
  bool operator<(const Cell& other) const {
    return std::tie(word, kinds, apps, nodes) < std::tie(other.word, other.kinds, other.apps, other.nodes);
  }
  /// P4's large instances have 200 apps and more.
  [[nodiscard]] bool is_large() const { return apps >= 200; }
};
/// "mixed, 3 kinds, 50 apps, 5 nodes".
std::string class_text(const Cell& of);

/// Cells with these classes, kinds and sizes ("small", "large"), without the ones that P4 leaves out: mixed ones of two kinds,
/// and incompatible or clashing ones of fewer nodes than kinds.
std::vector<Cell> cells_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& kinds,
                           const std::vector<std::string>& sizes);

/// What one load alone costs: the largest of all.
double largest_load(const InstanceData& data);

/// P4's bound (section 6): the largest load, and on average loads W/m for incompatible and clashing kinds, its linear program
/// for compatible ones, and for mixed ones that of each half of the kinds by itself on all nodes. The program's value is the
/// largest average cost of a kind among all loads. That is no bound for three kinds or more, so that plans may fall below.
double paper_bound(const Cell& cell, const InstanceData& data);

/// The median over P4's bound that P4's text states for a planner, of large or small instances of a class.
std::optional<double> published_median(const std::string& word, bool large, const std::string& planner);

struct Run : lab::MeasuredRun {
  Cell of;
  std::uint64_t seed = 0;
  double largest = 0;           ///< the largest load of the instance
  double paper_bound = 0;       ///< P4's bound of the instance
  double cost = 0;              ///< of the replica that suffers most
  std::optional<double> bound;  ///< the plan's own, on that cost

  [[nodiscard]] auto key() const { return std::tuple(of, seed, label, deadline_ms); }
  static void fields(Run& run, lab::RunLine& line);
};

/// Costs of one group over a bound, for the instances of one class and size.
struct Ratios {
  std::vector<double> over_paper;  ///< sorted; P4's bound
  std::vector<double> over_best;   ///< sorted; the best that any run proved, at least the largest load
  std::uint32_t proven = 0;
  std::uint32_t least = 0;  ///< instances on which no other group's plan costs less
  double seconds = 0;       ///< mean

  [[nodiscard]] std::uint32_t within(double share) const;
};
/// The value below which `share` of the sorted numbers lie, interpolated; 0 for none.
double quantile(const std::vector<double>& sorted, double share);

struct ClassResult {
  std::string word;
  bool large = false;
  /// Whether these are only instances whose bound is above the largest load, so that more than one app decides.
  bool loaded_only = false;
  std::uint32_t instances = 0;
  std::vector<Ratios> groups;
};
/// Classes in the order of the generator, small before large, all instances before the loaded ones.
/// @param runs those of one command: each instance has one run of a contender at most
std::vector<ClassResult> sum_up(const std::vector<lab::Group>& groups, const std::vector<Run>& runs);

}  // namespace stowage::cli::colocation
