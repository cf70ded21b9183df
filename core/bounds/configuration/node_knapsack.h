// The replicas that are worth most on one node: the pricing problem of the configuration bound.
//
//   maximize    sum_i y_i x_i
//   subject to  sum_i weight_ih x_i <= 1 in every dimension h,  x_i <= most_i, x whole
//
// Its linear relaxation gives multipliers and an upper bound. Where this bound does not do, a depth-first search looks for
// anything above a floor: what it does not find does not exist. Fractions of replicas are valued by the multipliers (Dantzig
// 1957).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/watch.h"
#include "core/bounds/prices/knapsack_relaxation.h"

namespace stowage {

/// What searches remember of states that they have looked at. May serve many searches, one after the other.
class SearchMemory {
 public:
  /// Forgets everything.
  void clear() { ++stamp_; }
  /// Whether the state was looked at with at least this value since clear(); if not, remembers it. A state is what may be added
  /// (items from a number on) and the room in each dimension.
  bool seen(std::uint32_t next, std::span<const double> room, double value);

 private:
  static constexpr std::size_t kSize = 1 << 15;
  static constexpr std::size_t kDims = 12;
  struct State {
    std::uint64_t stamp = 0;
    double value = 0;
    std::uint32_t next = 0;
    std::array<std::int64_t, kDims> room{};
  };
  std::uint64_t stamp_ = 1;
  std::vector<State> states_;  // by hash; a newer state takes the place of another one
};

class NodeKnapsack {
 public:
  /// (item, replicas) of one node; fractions of replicas in relaxed().
  using Content = std::vector<std::pair<std::uint32_t, double>>;

  explicit NodeKnapsack(std::size_t dims) : relaxation_(dims) {}
  /// For items whose weights are whole numbers divided by whole capacities: they may be packed on a grid.
  void set_grid(std::vector<double> capacity) { grid_ = std::move(capacity); }
  /// Adds an item.
  /// @param weight dims entries, shares of what the node carries, at most 1
  /// @param most   at least 1
  void add(std::uint32_t item, std::span<const double> weight, double most);
  [[nodiscard]] std::size_t items() const { return item_.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const { return item_; }

  struct Priced {
    double upper = 0;  ///< no content is worth more
    double value = 0;  ///< of the best content found, 0: none above the floor
    Content content;
  };
  /// @param worth per item by its number, at least 0
  /// @param floor what is worth no more does not have to be found: `upper` is no less
  /// @param steps of the search, at most; where they run out, `upper` is that of the relaxation
  /// @param watch ends what has no steps; then `upper` is that of the relaxation, too
  Priced price(std::span<const double> worth, double floor, std::uint64_t steps, SearchMemory& memory, WatchRef watch = {});
  /// The solution of the relaxation that the last price() found: worth `upper` where the search did not end.
  [[nodiscard]] Content relaxed() const;
  /// Content chosen by worth per weight, by the multipliers of the last price(). The items' `left` are reduced by what is
  /// taken.
  /// @param left per item by its number
  Content fill(std::span<const double> worth, std::vector<double>& left) const;

  /// Floating-point operations since the last call, roughly.
  std::uint64_t take_work() { return std::exchange(work_, 0) + relaxation_.take_work(); }

 private:
  class Search;
  /// The best content on a grid; false where that takes too long. Sets `result` like price().
  bool price_on_grid(std::span<const double> worth, double floor, Priced& result, WatchRef watch);
  [[nodiscard]] std::size_t dims() const { return relaxation_.dims(); }

  KnapsackRelaxation relaxation_;
  std::vector<double> grid_;
  std::vector<std::uint32_t> item_;
  std::uint64_t work_ = 0;
};

}  // namespace stowage
