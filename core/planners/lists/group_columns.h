// Which groups of apps have room on a node: residual columns, the other way round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/placement/residuals.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Groups stand in slots, 64 to a block, and blocks in tables of 64. What a group needs of each column is held negated, so that
/// "needs at most what is left" is the kernels' "at least", for the slots of a block as for the maxima of the blocks of a
/// table.
template <class Unit>
class GroupColumns {
 public:
  /// @param columns residual columns per node
  GroupColumns(std::uint32_t slots, std::uint32_t columns)
      : kernels_(&best_kernels<Unit>()),
        columns_(columns),
        blocks_((slots + kBlock - 1) / kBlock),
        tables_((blocks_ + kBlock - 1) / kBlock),
        negated_(columns * blocks_ * kBlock, kNever),
        block_negated_(columns * tables_ * kBlock, kNever),
        left_(columns) {}

  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  [[nodiscard]] std::size_t tables() const { return tables_; }

  void set(std::size_t slot, const typename Residuals<Unit>::Need& need) {
    for (std::uint32_t c = 0; c < columns_; ++c) {
      const auto negated = static_cast<Unit>(-need.column[c]);
      negated_[c * blocks_ * kBlock + slot] = negated;
      Unit& largest = block_negated_[c * tables_ * kBlock + slot / kBlock];
      largest = std::max(largest, negated);
    }
  }
  /// From now on the slot fits nowhere.
  void drop(std::size_t slot) {
    const std::size_t block = slot / kBlock;
    for (std::uint32_t c = 0; c < columns_; ++c) {
      Unit* const values = negated_.data() + c * blocks_ * kBlock;
      values[slot] = kNever;
      block_negated_[c * tables_ * kBlock + block] = kernels_->block_max(values + block * kBlock);
    }
  }

  /// Takes the node's columns as they are now.
  void look_at(const Residuals<Unit>& residuals, NodeId node) {
    residuals.read_columns(node, left_);
    // No capacity reaches the least integer, whose negative would overflow.
    for (Unit& left : left_) left = static_cast<Unit>(-left);
  }
  /// Blocks of the table with a group that may fit on the node last looked at, one bit each.
  [[nodiscard]] std::uint64_t fitting_blocks(std::size_t table) const { return fitting(block_negated_, tables_, table); }
  /// Slots of the block that fit by the columns.
  [[nodiscard]] std::uint64_t fitting_slots(std::size_t block) const { return fitting(negated_, blocks_, block); }

 private:
  static constexpr Unit kNever = std::numeric_limits<Unit>::min();

  [[nodiscard]] std::uint64_t fitting(const std::vector<Unit>& values, std::size_t count, std::size_t index) const {
    std::uint64_t mask = ~std::uint64_t{0};
    for (std::uint32_t c = 0; c < columns_ && mask != 0; ++c) {
      mask &= kernels_->at_least(values.data() + (c * count + index) * kBlock, left_[c]);
    }
    return mask;
  }

  const Kernels<Unit>* kernels_;
  std::uint32_t columns_;
  std::size_t blocks_;
  std::size_t tables_;
  std::vector<Unit> negated_;        // by column and slot
  std::vector<Unit> block_negated_;  // maxima, by column and block
  std::vector<Unit> left_;           // of the node, negated
};

}  // namespace stowage
