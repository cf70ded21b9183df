// The best content of a node by dynamic programming over the amounts that it may hold: for demands that have a large unit in
// common, where a search loses itself among many contents of nearly the same worth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/watch.h"

namespace stowage {

class GridKnapsack {
 public:
  struct Item {
    double worth;
    std::int64_t most;                   ///< at least 1
    std::array<std::int64_t, 3> amount;  ///< in the first dims() dimensions
  };
  static constexpr std::size_t kMostDims = 3;
  /// Cells of the grid, times the bundles of 1, 2, 4, ... replicas that items are split into, at most.
  static constexpr std::uint64_t kMostCells = 1 << 26;

  /// @param capacity at most kMostDims dimensions
  /// @param worth    no content is worth more; above 0
  GridKnapsack(std::vector<Item> items, std::span<const std::int64_t> capacity, double worth);
  /// Cells times bundles, or a number above kMostCells.
  [[nodiscard]] std::uint64_t cells() const { return cells_; }

  struct Best {
    double upper;                      ///< no content is worth more
    std::vector<std::int64_t> copies;  ///< per item: of a content that is worth nearly as much; empty where none was asked for
  };
  /// cells() may be kMostCells at most.
  /// @param floor a content is only wanted where `upper` is above it
  /// @param watch once it has ended, `upper` is the limit that is known before, and no content is found
  [[nodiscard]] Best solve(double floor, WatchRef watch = {}) const;

 private:
  using Bits = std::vector<bool>;
  /// Fills the table of values by capacity; returns that of all capacity.
  /// @param taken per bundle and cell: whether the value is that of a content with the bundle; may be null
  std::int32_t fill(double scale, Bits* taken, WatchRef watch) const;
  struct Bundle {
    std::size_t item;
    std::int64_t copies;
  };
  std::vector<Item> items_;
  std::vector<Bundle> bundles_;
  std::array<std::int64_t, kMostDims> size_{1, 1, 1};  // cells per dimension; the last one is contiguous
  double worth_;
  std::uint64_t cells_ = 0;
};

}  // namespace stowage
