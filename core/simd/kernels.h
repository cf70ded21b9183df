// The loops in which planners spend most of their time, compiled for several instruction sets. The processor decides which set
// runs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace stowage {

/// Residual capacity of all nodes. Row h starts at values + h x stride and holds one entry per node, padded to blocks of
/// kBlock. Row h of the block maxima starts at block_max + h x block_stride and holds the maximum of each block, also padded to
/// blocks. A block maximum may be an upper bound.
template <class Unit>
struct ResidualColumns {
  const Unit* values;
  std::size_t stride;
  const Unit* block_max;
  std::size_t block_stride;
  std::uint32_t rows;
  std::uint32_t blocks;
};

/// Nodes per block: one bit each in a 64-bit word.
inline constexpr std::uint32_t kBlock = 64;

/// The cost of exceeding a node's capacity by `excess`: linear x excess + root x sqrt(excess). The same on every platform.
struct ExcessCost {
  float linear = 1;
  float root = 0;
  [[nodiscard]] float operator()(std::int32_t excess) const {
    const auto x = static_cast<float>(excess);
    return root == 0 ? linear * x : linear * x + root * std::sqrt(x);
  }
  /// The largest excess that costs at most `affordable`, or that excess + 1. -1 if `affordable` is negative.
  [[nodiscard]] std::int32_t largest(float affordable) const {
    if (affordable < 0) return -1;
    float excess = affordable;
    if (root != 0 || linear != 1) {
      // x = sqrt(excess) solves linear x^2 + root x = affordable.
      const float x = 2 * affordable / (root + std::sqrt(root * root + 4 * linear * affordable) + 1e-20F);
      excess = x * x + 1;
    }
    return excess < 1e9F ? static_cast<std::int32_t>(excess) : 1'000'000'000;
  }
};

/// A replica on another node, as a candidate for an exchange with the replica that first_exchange() offers.
template <class Unit>
struct Partner {
  const Unit* leaving;   // demand of the partner, which leaves its node
  const Unit* residual;  // of the partner's node
  float affordable;      // largest acceptable excess cost of the partner's node
  std::int32_t here;     // excess of the offering node after the exchange
  std::uint32_t id;
};

template <class Unit>
struct Kernels {
  /// The first block at or after `block` with a node that has at least need[h] in every row h; columns.blocks if there is none.
  /// Writes the bits of these nodes to `mask`.
  std::uint32_t (*find_block)(const ResidualColumns<Unit>& columns, const Unit* need, std::uint32_t block, std::uint64_t* mask);
  /// For a block of 64 values, bit k: values[k] >= need. `need` has to be above the type's minimum.
  std::uint64_t (*at_least)(const Unit* values, Unit need);
  /// Whether residual[h] >= need[h] for all h < size.
  bool (*covers)(const Unit* residual, const Unit* need, std::size_t size);
  /// residual[h] -= times x need[h].
  void (*subtract)(Unit* residual, const Unit* need, Unit times, std::size_t size);
  /// Largest of the 64 values of a block.
  Unit (*block_max)(const Unit* values);
  /// Smallest of `size` values, at least one.
  Unit (*minimum)(const Unit* values, std::size_t size);
  /// Sum of weight[h] x values[h], in an order that depends on `size` alone.
  double (*weighted_sum)(const Unit* values, const double* weight, std::size_t size);
  /// Sum of a[h] x b[h], in an order that depends on `size` alone.
  double (*dot)(const double* a, const double* b, std::size_t size);
  /// Sum of (a[h] - b[h])^2, in an order that depends on `size` alone.
  double (*squared_distance)(const double* a, const double* b, std::size_t size);
  /// values[h] = e^(values[h]), for values in 0 .. 2^(halvings - 4) and halvings <= 16; relative error below 1e-12. Uses basic
  /// arithmetic alone, so that the last bit is the same on every platform, which libm does not guarantee.
  void (*exponentiate)(double* values, std::size_t size, int halvings);
  /// set[w] |= row[w], for sets of bits.
  void (*unite)(std::uint64_t* set, const std::uint64_t* row, std::size_t size);
  /// Smallest residual[h] + leaving[h] - arriving[h] if it is at least `least`, else some value below `least`.
  Unit (*exchange_minimum)(const Unit* residual, const Unit* leaving, const Unit* arriving, Unit least, std::size_t size);
  /// For the 64 columns of a block: sums[k] = sum of weight[h] x rows[h x stride + k], in ascending order of h.
  void (*block_dot)(const double* rows, std::size_t stride, const double* weight, std::size_t size, double* sums);
  // The last two kernels exist for 16-bit units alone; else they are null.

  /// Sum over h of max(0, arriving[h] - leaving[h] - residual[h]) if it is at most `most`, else some value above `most`.
  /// Differences have to fit a Unit.
  std::int32_t (*excess)(const Unit* residual, const Unit* leaving, const Unit* arriving, std::int32_t most, std::size_t size);
  /// Index of the first of `count` partners whose node, after an exchange with a replica of demand `arriving`, has an excess of
  /// at most `affordable` cost; `count` if there is none. Writes that excess to `there`. `size` has to be a multiple of 32, and
  /// differences have to fit a Unit.
  std::size_t (*first_exchange)(const Unit* arriving, const Partner<Unit>* partners, std::size_t count, std::size_t size,
                                ExcessCost cost, std::int32_t* there);
};

/// The fastest set of kernels that this processor runs. All sets give the same results.
template <class Unit>
const Kernels<Unit>& best_kernels();

/// Every set of kernels that this processor runs, fastest first, then nullptr. For tests.
template <class Unit>
const Kernels<Unit>* const* all_kernels();

}  // namespace stowage
