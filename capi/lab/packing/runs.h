// What was measured on packing instances, one record per instance and contender, and the file that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/run_table.h"

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

  [[nodiscard]] bool proven() const;
  static void fields(Run& run, lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, merged, seed, label, deadline_ms); }
};

}  // namespace stowage::cli::packing
