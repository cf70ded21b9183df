// The few loops that every planner spends its time in, compiled for several instruction sets and chosen once per run.
#pragma once

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

/// What free capacity is worth where more of it on one node is worth more: in units of 1/kWorth, free + gather / kGatherUnit x
/// free^2. Exact integers, the same everywhere; |free| <= 32768 and gather <= 500 keep it within 32 bits.
inline constexpr std::int32_t kWorth = 256;
inline constexpr std::int32_t kGatherUnit = 1 << 20;
constexpr std::int32_t worth_of_free(std::int32_t free, std::int32_t gather) {
  return free * kWorth + ((free * free >> 8) * gather >> 4);
}

/// A period in which a node is tight, for a block of 64 candidates: what is free then without what leaves, and what each of the
/// candidates would take of it.
template <class Unit>
struct TightPeriod {
  Unit free;
  const Unit* arriving;
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
  /// For every 32 of size values of residual[h] + leaving[h], size being a multiple of 32: the smallest, x 256, plus its h; of
  /// equals the first. Sums lie in 0 .. 32767, and size is at most 256.
  void (*tightest)(const Unit* residual, const Unit* leaving, std::size_t size, std::int32_t* tight);
  /// Bit k of a block of 64: whether own = least of `periods[p].free - periods[p].arriving[k]` and
  /// `free[k] / 256 - leaving[free[k] % 256]` are both at least 0, and worth at least `worth[k] + least` together.
  std::uint64_t (*may_exchange)(const TightPeriod<Unit>* periods, std::size_t count, const std::int32_t* free,
                                const std::int32_t* worth, const std::int32_t* leaving, std::int32_t least,
                                std::int32_t gather);
};

/// The fastest kernels that this processor runs. All give the same results.
template <class Unit>
const Kernels<Unit>& best_kernels();

/// Every set of kernels that this processor runs, for tests: ends with nullptr.
template <class Unit>
const Kernels<Unit>* const* all_kernels();

}  // namespace stowage
