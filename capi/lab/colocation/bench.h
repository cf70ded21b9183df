// Plans of instances of colocation: what is measured of one, and costs over bounds by class and size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/colocation/design.h"
#include "capi/lab/experiment/experiment.h"

namespace stowage::cli::colocation {

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
