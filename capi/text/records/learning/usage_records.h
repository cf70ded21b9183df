// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learning_generated.h"

namespace stowage::cli {

/// How the size in one resource follows from usage.
struct SizeRuleData {
  /// Share of the samples, by weight, that the size covers, in (0, 1].
  double percentile = 0.95;
  /// Seconds in which the weight of a sample halves; 0 = all weigh the same.
  double half_life = 0;
  /// Seconds: of each replica, the largest usage in a window counts as one sample; 0 = each sample counts.
  double window = 0;
  /// Usage counts (1 + margin) times.
  double margin = 0;
  /// Usage at which a replica was killed counts `bump` times; at least 1.
  double bump = 1;
  double floor = 0;
  /// 0 = none.
  double ceiling = 0;
  /// True: demand is the mean of usage, with its variance.
  bool uncertain = false;
};

/// What replicas used over time, and how sizes follow from it. Samples are in any order; a sample is one replica at one time.
struct UsageData {
  /// Unique names.
  std::vector<std::string> apps{};
  /// Unique names.
  std::vector<std::string> resources{};
  /// App of each sample, an index into `apps`.
  std::vector<std::uint32_t> app{};
  /// Number of the replica within its app. Length: samples; absent = not known.
  std::vector<std::uint32_t> replica{};
  /// Seconds since any origin; may be negative. Length: samples.
  std::vector<double> time{};
  /// In the resource's unit; NaN = not measured. Length: samples x resources.
  std::vector<double> amount{};
  /// 1 = the replica was killed for lack of memory. Length: samples; absent = none was.
  std::vector<std::uint8_t> out_of_memory{};
  /// Length: resources.
  std::vector<SizeRuleData> rules{};
  /// Number of periods of the demand.
  std::uint32_t periods = 1;
  /// Seconds after which periods repeat, counted from time 0; 0 = they divide the whole history.
  double cycle = 86400;
};

}  // namespace stowage::cli
