// Observations of the side-effects model (P4, section 2) from a CSV: what replicas cost beside which loads.
// docs/cookbook/learn-interference.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli::learn {

/// The largest number of kinds in a file.
inline constexpr std::size_t kMostKinds = 64;

/// What the cost of a replica is taken for.
struct Model {
  bool relative = true;   ///< errors grow with the cost, which is then above 0; otherwise they do not
  bool baseline = false;  ///< a part of the cost that no load explains
};

/// What replicas of one kind cost.
struct KindObservations {
  std::vector<double> load;    ///< observations x kinds, row-major; the load of each kind on the node, the replica's included
  std::vector<double> cost;    ///< per observation
  std::vector<double> weight;  ///< per observation, above 0; empty = all 1

  [[nodiscard]] std::size_t size() const { return cost.size(); }
};

struct Observations {
  std::vector<std::string> kinds;    ///< in the order of the columns
  std::vector<KindObservations> of;  ///< per kind
  std::vector<std::string> ignored;  ///< names of the columns that are not read
  std::uint64_t count = 0;
  /// Per kind the observations beside no load of the kind itself, whose own load is therefore missing.
  std::vector<std::uint64_t> without_own_load;
};

/// Reads a CSV with the columns `kind`, `cost`, one `load_KIND` per kind, and perhaps `weight`. Fails, with file and line,
/// where a column is missing, a number is not finite, negative or out of range, or a row contradicts the model.
Observations read_observations(std::string_view text, const std::string& file, const Model& model);

}  // namespace stowage::cli::learn
