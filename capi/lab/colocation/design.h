// P4's design of experiments: its cells, its bound, and the medians that it prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

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

}  // namespace stowage::cli::colocation
