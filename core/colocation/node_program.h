// The most that one node can hold, by prices of kinds.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/colocation/scaled_kinds.h"

namespace stowage {

/// Maximizes the sum of price x load over what a node may hold of exactly the groups of one set, as a small linear program.
class NodeProgram {
 public:
  static constexpr std::uint32_t kMost = ScaledKinds::kMost;

  explicit NodeProgram(const ScaledKinds& kinds) : kinds_(&kinds) {}

  /// An upper bound on the sum over the set of price[g] x l_g, with l >= 0 and, for each g of the set (bit g of `set`), the sum
  /// over h of suffers(g, h) x l_h at most room[g]. `price` and `room` are at least 0, one for each group. It is valid whatever
  /// the rounding errors, but for a relative 1e-14, and otherwise the maximum. loads() then maximizes.
  double solve(std::uint32_t set, std::span<const double> price, std::span<const double> room);
  /// The loads of the last call of solve(): at least 0, 0 outside of the set, within the room but for rounding errors.
  [[nodiscard]] const GroupVector& loads() const { return loads_; }

 private:
  void start(std::uint32_t set, std::span<const double> price, std::span<const double> room);
  bool pivot(bool first_index);
  void exchange(std::uint32_t row, std::uint32_t column);
  double finish(std::span<const double> price, std::span<const double> room);

  const ScaledKinds* kinds_;
  std::uint32_t size_ = 0;
  std::array<std::uint32_t, kMost> group_{};  // the groups of the set
  // The dictionary: row i says basis = right - sum of cell x nonbasic. Variables below size_ are loads, the others slacks.
  std::array<GroupVector, kMost> cell_{};
  GroupVector right_{};
  GroupVector gain_{};
  std::array<std::uint32_t, kMost> basis_{};
  std::array<std::uint32_t, kMost> nonbasis_{};
  GroupVector loads_{};
};

}  // namespace stowage
