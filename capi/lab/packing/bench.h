// Plans of published packing instances: what is measured of one, and means by class.
#pragma once

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

  bool operator==(const Class&) const = default;
  bool operator<(const Class& other) const {
    return std::tie(word, dims, items) < std::tie(other.word, other.dims, other.items);
  }
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

  static void fields(Run& run, lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, merged, seed, label, deadline_ms); }
};

/// Means over the instances of one class; only complete plans that the checker accepts count.
struct Mean {
  std::uint32_t runs = 0;
  std::uint32_t proven = 0;
  std::uint32_t fewest = 0;  ///< instances on which no other group has fewer nodes
  double nodes = 0;
  double seconds = 0;
};

struct ClassResult {
  Class of;
  std::uint32_t instances = 0;  ///< with at least one run
  double bound = 0;             ///< mean of the best bounds of any run
  std::vector<Mean> means;      ///< by group
};
/// @param runs those of one command: each instance has one run of a contender at most
std::vector<ClassResult> sum_up(const std::vector<Class>& classes, const std::vector<lab::Group>& groups,
                                const std::vector<Run>& runs);

}  // namespace stowage::cli::packing
