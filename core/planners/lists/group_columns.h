// Finds the groups of apps that have room on a node. Columns hold the groups' needs, as residual columns hold the nodes' room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/placement/residuals.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Groups have slots, 64 slots form a block, and 64 blocks a table. The need of a group in each column is stored negated, so
/// that "need <= residual" is the kernels' "at least". The same test on the blocks' maxima tells which blocks of a table may
/// fit.
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
  /// Makes the slot fit nowhere.
  void drop(std::size_t slot) {
    const std::size_t block = slot / kBlock;
    for (std::uint32_t c = 0; c < columns_; ++c) {
      Unit* const values = negated_.data() + c * blocks_ * kBlock;
      values[slot] = kNever;
      block_negated_[c * tables_ * kBlock + block] = kernels_->block_max(values + block * kBlock);
    }
  }

  /// Reads the node's current residual columns for the following queries.
  void look_at(const Residuals<Unit>& residuals, NodeId node) {
    residuals.read_columns(node, left_);
    // The negation cannot overflow: no residual is the least integer.
    for (Unit& left : left_) left = static_cast<Unit>(-left);
  }
  /// One bit per block of the table: 0 means that no group of the block fits on the node last looked at, 1 means perhaps.
  [[nodiscard]] std::uint64_t fitting_blocks(std::size_t table) const { return fitting(block_negated_, tables_, table); }
  /// One bit per slot of the block: 0 means that the group does not fit on that node, 1 that it fits by the columns.
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
