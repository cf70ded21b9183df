// Which apps cannot share a node, for bounds: by size in any dimension, or by an affinity limit of 0.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {

/// Apps with replicas, each of which takes more than 1 / `parts` of the most that any node carries, in some dimension.
std::vector<AppId> apps_above(const Instance& instance, const Supply& supply, std::int64_t parts);

/// Valid for every complete plan: nodes carry what Supply says. Where two apps run or are pinned at the start, limits between
/// them do not count, because a plan may keep what breaks them.
class Exclusion {
 public:
  /// @param apps the apps that will be asked about, by their indices here
  Exclusion(const Instance& instance, const Supply& supply, std::span<const AppId> apps);

  /// Whether one replica of each of these together is too large for every node; an app may stand more than once.
  [[nodiscard]] bool too_large(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool too_large(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  /// Whether no node holds a replica of either; two replicas of it, where they are the same app.
  [[nodiscard]] bool excludes(std::uint32_t a, std::uint32_t b) const;
  /// The largest share of the most that any node carries, and the sum of the shares, over dimensions.
  [[nodiscard]] double largest_share(std::uint32_t app) const;
  [[nodiscard]] double sum_of_shares(std::uint32_t app) const;

 private:
  /// Whether every kind of node carries less than some dimension's sum; exceeds(dim, carries) says it of one.
  /// @param peaks dimensions that are looked at first.
  template <class Exceeds>
  [[nodiscard]] bool all_exceeded(std::initializer_list<std::uint32_t> peaks, Exceeds&& exceeds) const;
  [[nodiscard]] const std::int32_t* row(std::uint32_t app) const { return demand_.data() + std::size_t{app} * dims_; }

  const LimitRows& limits_;
  std::span<const AppId> apps_;
  std::uint32_t dims_;
  std::vector<std::int64_t> largest_;                // per dimension, of any node
  std::vector<std::int32_t> demand_;                 // app x dimension, rounded down
  std::vector<std::vector<std::uint32_t>> carries_;  // of each kind of node, or of one that is as large as all
  std::vector<std::uint32_t> peak_;                  // per app: the dimension of its largest share
  std::vector<std::uint8_t> starts_;                 // per app: whether replicas of it run or are pinned
};

}  // namespace stowage
