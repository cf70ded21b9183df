// Plans of published packing instances: what is measured of one, and means by class.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/experiment.h"

namespace stowage::cli::packing {

/// Instances that differ by their seed only.
struct Class {
  std::string word;  ///< as `stowage generate packing --class` takes it
  std::uint32_t dims = 0;
  std::uint32_t items = 0;

  auto operator<=>(const Class&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
};
/// "ct6, 2 dimensions, 120 items".
std::string class_text(const Class& of);

/// The classes with these words, dimensions and numbers of items. Classes u and t have one dimension, and as many items as
/// published where `items` is empty; t leaves out what is no multiple of 3.
std::vector<Class> classes_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& dims,
                              const std::vector<std::uint32_t>& items);

struct Run : lab::MeasuredRun {
  Class of;
  bool merged = false;  ///< equal items are replicas of one app
  std::uint64_t seed = 0;
  std::optional<double> bound;  ///< the plan's own, on nodes

  void fields(lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, merged, seed, label, deadline_ms); }
};

/// Sums over the instances of one class; only complete plans that the checker accepts count.
struct ClassResult {
  Class of;
  lab::Tally all;                  ///< `instances` with at least one run, and the `bound`: the best of any run
  std::vector<lab::Tally> groups;  ///< `runs`, `proven`, `fewest` (no other group has fewer nodes), `nodes`, `seconds`
};
/// @param runs those of one command: each instance has one run of a contender at most
std::vector<ClassResult> sum_up(const std::vector<Class>& classes, const std::vector<lab::Group>& groups,
                                const std::vector<Run>& runs);

}  // namespace stowage::cli::packing
