#include "core/simd/room_kernels.h"

#include <cmath>
#include <cstring>

namespace stowage {
namespace {

// The room of a node that nothing limits: above every number of replicas, and no whole number.
constexpr double kRoomEndless = 1e15 + 0.5;
// Keeps a division of 0 by 0 from being one.
constexpr double kRoomTiny = 1e-290;

// As many nodes as the widest registers hold.
constexpr std::size_t kRoomLanes = 8;
using RoomVector = double __attribute__((vector_size(kRoomLanes * sizeof(double))));
using RoomHalf = std::int64_t __attribute__((vector_size(kRoomLanes / 2 * sizeof(std::int64_t))));
constexpr std::size_t kCoarseLanes = 2 * kRoomLanes;
using CoarseVector = float __attribute__((vector_size(kCoarseLanes * sizeof(float))));
using CoarseWhole = std::int32_t __attribute__((vector_size(kCoarseLanes * sizeof(std::int32_t))));
using RoomWhole = std::int32_t __attribute__((vector_size(kRoomLanes * sizeof(std::int32_t))));

namespace room_portable {
#define STOWAGE_TARGET
#include "core/simd/room_kernels.inl"
#undef STOWAGE_TARGET
}  // namespace room_portable

#if defined(__x86_64__)

namespace room_avx2 {
#define STOWAGE_TARGET __attribute__((target("avx2")))
#include "core/simd/room_kernels.inl"
#undef STOWAGE_TARGET
}  // namespace room_avx2

namespace room_avx512 {
#define STOWAGE_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2")))
#include "core/simd/room_kernels.inl"
#undef STOWAGE_TARGET
}  // namespace room_avx512

#endif

}  // namespace

const RoomKernels* const* all_room_kernels() {
#if defined(__x86_64__)
  static constexpr const RoomKernels* kSets[] = {&room_avx512::kRoomKernels, &room_avx2::kRoomKernels,
                                                 &room_portable::kRoomKernels, nullptr};
  const bool wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (wide) return kSets;
  return __builtin_cpu_supports("avx2") ? kSets + 1 : kSets + 2;
#else
  static constexpr const RoomKernels* kSets[] = {&room_portable::kRoomKernels, nullptr};
  return kSets;
#endif
}

const RoomKernels& best_room_kernels() { return **all_room_kernels(); }

}  // namespace stowage
