// The loops of headroom for many apps at once, compiled for several instruction sets. The processor decides which set runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd/kernels.h"

namespace stowage {

/// What the rooms of the nodes of some blocks add up to.
struct RoomSums {
  double room = 0;      ///< sum of weight x whole room
  double open = 0;      ///< sum of the weights of the nodes that have room for one
  double most = 0;      ///< the largest whole room of a node with a weight
  bool unsure = false;  ///< whether a room above 1 is closer than `margin` to the whole number below it
};

/// What one replica needs of a resource with uncertain demand in one period: mean + factor x sqrt(sum of spreads) has to fit.
struct ConfidentNeed {
  double mean;
  double spread;
  double factor;
};

struct RoomKernels {
  /// For the kBlock columns of a block: rooms[k] = the least of free[row[h] x stride + k] x inverse[h] over h < size. Where
  /// that is below 1, some number below 1. Returns false only if all are below 1.
  bool (*least_rooms)(const double* free, std::size_t stride, const std::uint32_t* row, const double* inverse, std::size_t size,
                      double* rooms);
  /// The same in single precision.
  bool (*least_rooms_coarse)(const float* free, std::size_t stride, const std::uint32_t* row, const float* inverse,
                             std::size_t size, float* rooms);
  /// Lowers rooms[k] to the largest number x for which x replicas fit column k at confidence: where `free` is left for means
  /// and margin, and the spreads of what is there add up to `spread`.
  void (*confident_rooms)(const double* free, const double* spread, const ConfidentNeed& need, double* rooms);
  /// Rounds the rooms of consecutive blocks down and adds them up; a room above `most`, which is below 2^31, counts `most`.
  /// Blocks without `lives` are left out. Weights are 0 or whole numbers. `room` is exact below 2^53.
  RoomSums (*add_up)(const double* rooms, const double* weight, const std::uint8_t* lives, std::size_t blocks, double most,
                     double margin);
  /// The same in single precision, of nodes that count once (`counts` has all bits set) or not at all (0). A room above `most`
  /// counts `most`. No counted room may be above 2^22, and together they stay below 2^31. A margin of 0 takes less time.
  RoomSums (*add_up_coarse)(const float* rooms, const std::int32_t* counts, const std::uint8_t* lives, std::size_t blocks,
                            float most, float margin);
};

/// The fastest set of kernels that this processor runs. All sets give the same results.
const RoomKernels& best_room_kernels();

/// Every set of kernels that this processor runs, fastest first, then nullptr. For tests.
const RoomKernels* const* all_room_kernels();

}  // namespace stowage
