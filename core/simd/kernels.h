// The few loops that every planner spends its time in, compiled for several instruction sets and chosen once per run.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace stowage {

/// Columns of residual capacity of all nodes: row h starts at values + h x stride and holds one entry per node, in blocks of
/// kBlock. block_max holds the maximum of each row over each block the same way, itself padded to whole blocks.
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

/// What it costs that a node exceeds its capacity by so much: linear x excess + root x its square root. The same on every
/// platform.
struct ExcessCost {
  float linear = 1;
  float root = 0;
  [[nodiscard]] float operator()(std::int32_t excess) const {
    const auto x = static_cast<float>(excess);
    return root == 0 ? linear * x : linear * x + root * std::sqrt(x);
  }
  /// The largest excess that costs no more than this, or one more; below 0: -1.
  [[nodiscard]] std::int32_t largest(float affordable) const {
    if (affordable < 0) return -1;
    float excess = affordable;
    if (root != 0 || linear != 1) {
      // With x for the root of the excess, linear x^2 + root x = affordable.
      const float x = 2 * affordable / (root + std::sqrt(root * root + 4 * linear * affordable) + 1e-20F);
      excess = x * x + 1;
    }
    return excess < 1e9F ? static_cast<std::int32_t>(excess) : 1'000'000'000;
  }
};

/// Somebody to exchange with.
template <class Unit>
struct Partner {
  const Unit* leaving;   // what would come from there
  const Unit* residual;  // there
  float affordable;      // what that node may cost
  std::int32_t here;     // excess of the one that offers
  std::uint32_t id;
};

template <class Unit>
struct Kernels {
  /// The first block at or after `block` in which at least one node has at least need[h] in every row; its nodes in `mask`.
  /// Returns columns.blocks where there is none.
  std::uint32_t (*find_block)(const ResidualColumns<Unit>& columns, const Unit* need, std::uint32_t block, std::uint64_t* mask);
  /// Bit k of a block of 64: values[k] >= need, which is above the type's minimum.
  std::uint64_t (*at_least)(const Unit* values, Unit need);
  /// Whether residual[h] >= need[h] for all h < size.
  bool (*covers)(const Unit* residual, const Unit* need, std::size_t size);
  /// residual[h] -= times x need[h].
  void (*subtract)(Unit* residual, const Unit* need, Unit times, std::size_t size);
  /// Largest value of a block.
  Unit (*block_max)(const Unit* values);
  /// Smallest of size values.
  Unit (*minimum)(const Unit* values, std::size_t size);
  /// Sum of weight[h] x values[h], in an order that depends on size alone.
  double (*weighted_sum)(const Unit* values, const double* weight, std::size_t size);
  /// The same for two vectors of doubles.
  double (*dot)(const double* a, const double* b, std::size_t size);
  /// Sum of (a[h] - b[h])^2, likewise.
  double (*squared_distance)(const double* a, const double* b, std::size_t size);
  /// values[h] = e^(values[h]), which are in 0 .. 2^(halvings - 4), halvings <= 16; relative error below 1e-12. From basic
  /// arithmetic alone, so that the last bit is the same on every platform: libm's is not.
  void (*exponentiate)(double* values, std::size_t size, int halvings);
  /// set[w] |= row[w], for sets of bits.
  void (*unite)(std::uint64_t* set, const std::uint64_t* row, std::size_t size);
  /// Smallest of residual[h] + leaving[h] - arriving[h]; or, as soon as one is below `least`, some value below `least`.
  Unit (*exchange_minimum)(const Unit* residual, const Unit* leaving, const Unit* arriving, Unit least, std::size_t size);
  /// For the 64 columns of a block: sums[k] = sum of weight[h] x rows[h x stride + k], in ascending order of h.
  void (*block_dot)(const double* rows, std::size_t stride, const double* weight, std::size_t size, double* sums);
  // The last two are for 16 bits; they are missing for others.

  /// Sum over h of what arriving[h] - leaving[h] is above residual[h]; or, once that is more than `most`, something above
  /// `most`. Differences fit a Unit.
  std::int32_t (*excess)(const Unit* residual, const Unit* leaving, const Unit* arriving, std::int32_t most, std::size_t size);
  /// The first of `count` partners with whom an exchange of `arriving` costs no more than is affordable, count where there is
  /// none; `there` is then what their node exceeds its capacity by. Size is a multiple of 32; differences fit a Unit.
  std::size_t (*first_exchange)(const Unit* arriving, const Partner<Unit>* partners, std::size_t count, std::size_t size,
                                ExcessCost cost, std::int32_t* there);
};

/// The fastest kernels that this processor runs. All give the same results.
template <class Unit>
const Kernels<Unit>& best_kernels();

/// Every set of kernels that this processor runs, for tests: ends with nullptr.
template <class Unit>
const Kernels<Unit>* const* all_kernels();

}  // namespace stowage
