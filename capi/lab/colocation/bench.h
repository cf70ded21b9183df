// Plans of instances of colocation: what is measured of one, and costs over bounds by class and size.
#pragma once

#include <compare>
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

  auto operator<=>(const Cell&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
  /// P4's large instances have 200 apps and more.
  [[nodiscard]] bool is_large() const { return apps >= 200; }
};
/// "mixed, 3 kinds, 50 apps, 5 nodes".
std::string class_text(const Cell& of);

/// Cells with these classes, kinds and sizes ("small", "large"), without the ones that P4 leaves out: mixed ones of two kinds,
/// and incompatible or clashing ones of fewer nodes than kinds.
std::vector<Cell> cells_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& kinds,
                           const std::vector<std::string>& sizes);

/// P4's bound (section 6): the largest load, and on average loads W/m for incompatible and clashing kinds, its linear program
/// for compatible ones, and for mixed ones that of each half of the kinds by itself on all nodes. The program's value is the
/// largest average cost of a kind among all loads. That is no bound for three kinds or more, so that plans may fall below.
double paper_bound(const Cell& cell, const InstanceData& data);

struct Run : lab::MeasuredRun {
  Cell of;
  std::uint64_t seed = 0;
  double largest = 0;           ///< the largest load of the instance, which is what one load alone costs
  double paper_bound = 0;       ///< P4's bound of the instance
  double cost = 0;              ///< of the replica that suffers most
  std::optional<double> bound;  ///< the plan's own, on that cost

  [[nodiscard]] auto key() const { return std::tuple(of, seed, label, deadline_ms); }
  void fields(lab::RunLine& line);
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
