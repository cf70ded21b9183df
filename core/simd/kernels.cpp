#include "core/simd/kernels.h"

#include <bit>
#include <limits>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace stowage {
namespace {

// Entries of excess_of_chunk(): 32 of 16 bits fill a cache line.
constexpr std::uint32_t kExcessChunk = 32;

// Plain C++: runs on processors with none of the instruction sets below, and is the reference in tests.
namespace portable {
#define STOWAGE_TARGET
template <class Unit>
std::uint64_t at_least(const Unit* values, Unit need) {
  std::uint64_t mask = 0;
  for (std::uint32_t k = 0; k < kBlock; ++k) mask |= std::uint64_t{values[k] >= need} << k;
  return mask;
}
using Sums = std::int32_t;
inline Sums add(Sums a, Sums b) { return a + b; }
inline std::int32_t total(Sums sums) { return sums; }
inline Sums excess_of_chunk(const std::int16_t* residual, const std::int16_t* leaving, const std::int16_t* arriving) {
  std::int32_t sum = 0;
  for (std::uint32_t h = 0; h < kExcessChunk; ++h) {
    const auto over = static_cast<std::int16_t>(arriving[h] - leaving[h] - residual[h]);
    sum += over > 0 ? over : 0;
  }
  return sum;
}
#include "core/simd/kernels.inl"
#undef STOWAGE_TARGET
}  // namespace portable

#if defined(__x86_64__)

namespace sse2 {
#define STOWAGE_TARGET
inline std::uint64_t at_least(const std::int16_t* values, std::int16_t need) {
  const __m128i below = _mm_set1_epi16(static_cast<std::int16_t>(need - 1));
  std::uint64_t mask = 0;
  for (int k = 0; k < 4; ++k) {
    const auto* at = reinterpret_cast<const __m128i*>(values + 16 * k);
    const __m128i low = _mm_cmpgt_epi16(_mm_loadu_si128(at), below);
    const __m128i high = _mm_cmpgt_epi16(_mm_loadu_si128(at + 1), below);
    mask |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)))} << (16 * k);
  }
  return mask;
}
inline std::uint64_t at_least(const std::int32_t* values, std::int32_t need) {
  const __m128i below = _mm_set1_epi32(need - 1);
  std::uint64_t mask = 0;
  for (int k = 0; k < 16; ++k) {
    const __m128i greater = _mm_cmpgt_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values + 4 * k)), below);
    mask |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(greater)))} << (4 * k);
  }
  return mask;
}
using Sums = __m128i;
inline Sums add(Sums a, Sums b) { return _mm_add_epi32(a, b); }
inline std::int32_t total(Sums sums) {
  const Sums pairs = add(sums, _mm_shuffle_epi32(sums, 0x4E));
  return _mm_cvtsi128_si32(add(pairs, _mm_shuffle_epi32(pairs, 0xB1)));
}
inline __m128i load(const std::int16_t* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
inline Sums excess_of_chunk(const std::int16_t* residual, const std::int16_t* leaving, const std::int16_t* arriving) {
  Sums sums = _mm_setzero_si128();
  for (std::uint32_t h = 0; h < kExcessChunk; h += 8) {
    const __m128i over = _mm_sub_epi16(_mm_sub_epi16(load(arriving + h), load(leaving + h)), load(residual + h));
    sums = add(sums, _mm_madd_epi16(_mm_max_epi16(over, _mm_setzero_si128()), _mm_set1_epi16(1)));
  }
  return sums;
}
#include "core/simd/kernels.inl"
#undef STOWAGE_TARGET
}  // namespace sse2

namespace avx2 {
#define STOWAGE_TARGET __attribute__((target("avx2,bmi")))
STOWAGE_TARGET inline std::uint64_t at_least(const std::int16_t* values, std::int16_t need) {
  const __m256i below = _mm256_set1_epi16(static_cast<std::int16_t>(need - 1));
  std::uint64_t mask = 0;
  for (int k = 0; k < 2; ++k) {
    const auto* at = reinterpret_cast<const __m256i*>(values + 32 * k);
    const __m256i low = _mm256_cmpgt_epi16(_mm256_loadu_si256(at), below);
    const __m256i high = _mm256_cmpgt_epi16(_mm256_loadu_si256(at + 1), below);
    // Packing works within 128-bit halves; the permutation restores the order of the 64-bit quarters.
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    mask |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(packed))} << (32 * k);
  }
  return mask;
}
STOWAGE_TARGET inline std::uint64_t at_least(const std::int32_t* values, std::int32_t need) {
  const __m256i below = _mm256_set1_epi32(need - 1);
  std::uint64_t mask = 0;
  for (int k = 0; k < 8; ++k) {
    const __m256i greater = _mm256_cmpgt_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + 8 * k)), below);
    mask |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(greater)))} << (8 * k);
  }
  return mask;
}
using Sums = __m256i;
STOWAGE_TARGET inline Sums add(Sums a, Sums b) { return _mm256_add_epi32(a, b); }
STOWAGE_TARGET inline std::int32_t total(Sums sums) {
  return sse2::total(sse2::add(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
}
STOWAGE_TARGET inline __m256i load(const std::int16_t* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
STOWAGE_TARGET inline Sums excess_of_chunk(const std::int16_t* residual, const std::int16_t* leaving,
                                           const std::int16_t* arriving) {
  Sums sums = _mm256_setzero_si256();
  for (std::uint32_t h = 0; h < kExcessChunk; h += 16) {
    const __m256i over = _mm256_sub_epi16(_mm256_sub_epi16(load(arriving + h), load(leaving + h)), load(residual + h));
    sums = add(sums, _mm256_madd_epi16(_mm256_max_epi16(over, _mm256_setzero_si256()), _mm256_set1_epi16(1)));
  }
  return sums;
}
#include "core/simd/kernels.inl"
#undef STOWAGE_TARGET
}  // namespace avx2

namespace avx512 {
#define STOWAGE_TARGET __attribute__((target("avx512f,avx512bw,avx2,bmi")))
STOWAGE_TARGET inline std::uint64_t at_least(const std::int16_t* values, std::int16_t need) {
  const __m512i bound = _mm512_set1_epi16(need);
  const std::uint64_t low = _mm512_cmpge_epi16_mask(_mm512_loadu_si512(values), bound);
  const std::uint64_t high = _mm512_cmpge_epi16_mask(_mm512_loadu_si512(values + 32), bound);
  return low | high << 32;
}
STOWAGE_TARGET inline std::uint64_t at_least(const std::int32_t* values, std::int32_t need) {
  const __m512i bound = _mm512_set1_epi32(need);
  std::uint64_t mask = 0;
  for (int k = 0; k < 4; ++k) {
    mask |= std::uint64_t{_mm512_cmpge_epi32_mask(_mm512_loadu_si512(values + 16 * k), bound)} << (16 * k);
  }
  return mask;
}
using Sums = __m512i;
STOWAGE_TARGET inline Sums add(Sums a, Sums b) { return _mm512_add_epi32(a, b); }
STOWAGE_TARGET inline std::int32_t total(Sums sums) {
  // Masks of all ones change nothing. They avoid a warning that GCC 12 gives in its own header for the forms without masks.
  return avx2::total(avx2::add(_mm512_maskz_extracti64x4_epi64(0xFF, sums, 0), _mm512_maskz_extracti64x4_epi64(0xFF, sums, 1)));
}
STOWAGE_TARGET inline Sums excess_of_chunk(const std::int16_t* residual, const std::int16_t* leaving,
                                           const std::int16_t* arriving) {
  const __m512i net = _mm512_sub_epi16(_mm512_loadu_si512(arriving), _mm512_loadu_si512(leaving));
  const __m512i over = _mm512_sub_epi16(net, _mm512_loadu_si512(residual));
  return _mm512_madd_epi16(_mm512_max_epi16(over, _mm512_setzero_si512()), _mm512_set1_epi16(1));
}
#include "core/simd/kernels.inl"
#undef STOWAGE_TARGET
}  // namespace avx512

#elif defined(__wasm_simd128__)

namespace simd128 {
#define STOWAGE_TARGET
inline std::uint64_t at_least(const std::int16_t* values, std::int16_t need) {
  // values > need - 1 is one instruction on every processor, values >= need is not. Narrowing two vectors gives the bits of 16
  // nodes at once.
  const v128_t below = wasm_i16x8_splat(static_cast<std::int16_t>(need - 1));
  std::uint64_t mask = 0;
  for (int k = 0; k < 4; ++k) {
    const v128_t low = wasm_i16x8_gt(wasm_v128_load(values + 16 * k), below);
    const v128_t high = wasm_i16x8_gt(wasm_v128_load(values + 16 * k + 8), below);
    mask |= std::uint64_t{wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high))} << (16 * k);
  }
  return mask;
}
inline std::uint64_t at_least(const std::int32_t* values, std::int32_t need) {
  const v128_t below = wasm_i32x4_splat(need - 1);
  std::uint64_t mask = 0;
  for (int k = 0; k < 4; ++k) {
    const std::int32_t* const at = values + 16 * k;
    const v128_t low =
        wasm_i16x8_narrow_i32x4(wasm_i32x4_gt(wasm_v128_load(at), below), wasm_i32x4_gt(wasm_v128_load(at + 4), below));
    const v128_t high =
        wasm_i16x8_narrow_i32x4(wasm_i32x4_gt(wasm_v128_load(at + 8), below), wasm_i32x4_gt(wasm_v128_load(at + 12), below));
    mask |= std::uint64_t{wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high))} << (16 * k);
  }
  return mask;
}
using Sums = v128_t;
inline Sums add(Sums a, Sums b) { return wasm_i32x4_add(a, b); }
inline std::int32_t total(Sums sums) {
  return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) + wasm_i32x4_extract_lane(sums, 2) +
         wasm_i32x4_extract_lane(sums, 3);
}
inline Sums excess_of_chunk(const std::int16_t* residual, const std::int16_t* leaving, const std::int16_t* arriving) {
  Sums sums = wasm_i32x4_splat(0);
  for (std::uint32_t h = 0; h < kExcessChunk; h += 8) {
    const v128_t net = wasm_i16x8_sub(wasm_v128_load(arriving + h), wasm_v128_load(leaving + h));
    const v128_t over = wasm_i16x8_sub(net, wasm_v128_load(residual + h));
    sums = add(sums, wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_max(over, wasm_i16x8_splat(0))));
  }
  return sums;
}
#include "core/simd/kernels.inl"
#undef STOWAGE_TARGET
}  // namespace simd128

#elif defined(__aarch64__)

namespace neon {
#define STOWAGE_TARGET
inline std::uint64_t at_least(const std::int16_t* values, std::int16_t need) {
  const int16x8_t bound = vdupq_n_s16(need);
  const uint16x8_t weight = {1, 2, 4, 8, 16, 32, 64, 128};
  std::uint64_t mask = 0;
  for (int k = 0; k < 8; ++k) {
    mask |= std::uint64_t{vaddvq_u16(vandq_u16(vcgeq_s16(vld1q_s16(values + 8 * k), bound), weight))} << (8 * k);
  }
  return mask;
}
inline std::uint64_t at_least(const std::int32_t* values, std::int32_t need) {
  const int32x4_t bound = vdupq_n_s32(need);
  const uint32x4_t weight = {1, 2, 4, 8};
  std::uint64_t mask = 0;
  for (int k = 0; k < 16; ++k) {
    mask |= std::uint64_t{vaddvq_u32(vandq_u32(vcgeq_s32(vld1q_s32(values + 4 * k), bound), weight))} << (4 * k);
  }
  return mask;
}
using Sums = int32x4_t;
inline Sums add(Sums a, Sums b) { return vaddq_s32(a, b); }
inline std::int32_t total(Sums sums) { return vaddvq_s32(sums); }
inline Sums excess_of_chunk(const std::int16_t* residual, const std::int16_t* leaving, const std::int16_t* arriving) {
  Sums sums = vdupq_n_s32(0);
  for (std::uint32_t h = 0; h < kExcessChunk; h += 8) {
    const int16x8_t over = vsubq_s16(vsubq_s16(vld1q_s16(arriving + h), vld1q_s16(leaving + h)), vld1q_s16(residual + h));
    sums = vpadalq_s16(sums, vmaxq_s16(over, vdupq_n_s16(0)));
  }
  return sums;
}
#include "core/simd/kernels.inl"
#undef STOWAGE_TARGET
}  // namespace neon

#endif

}  // namespace

template <class Unit>
const Kernels<Unit>* const* all_kernels() {
#if defined(__x86_64__)
  static constexpr const Kernels<Unit>* kAvx512[] = {&avx512::kKernels<Unit>, &avx2::kKernels<Unit>, &sse2::kKernels<Unit>,
                                                     &portable::kKernels<Unit>, nullptr};
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return kAvx512;
  return __builtin_cpu_supports("avx2") ? kAvx512 + 1 : kAvx512 + 2;
#elif defined(__wasm_simd128__)
  static constexpr const Kernels<Unit>* kSimd128[] = {&simd128::kKernels<Unit>, &portable::kKernels<Unit>, nullptr};
  return kSimd128;
#elif defined(__aarch64__)
  static constexpr const Kernels<Unit>* kNeon[] = {&neon::kKernels<Unit>, &portable::kKernels<Unit>, nullptr};
  return kNeon;
#else
  static constexpr const Kernels<Unit>* kPortable[] = {&portable::kKernels<Unit>, nullptr};
  return kPortable;
#endif
}

template <class Unit>
const Kernels<Unit>& best_kernels() {
  return **all_kernels<Unit>();
}

template const Kernels<std::int16_t>& best_kernels<std::int16_t>();
template const Kernels<std::int32_t>& best_kernels<std::int32_t>();
template const Kernels<std::int16_t>* const* all_kernels<std::int16_t>();
template const Kernels<std::int32_t>* const* all_kernels<std::int32_t>();

}  // namespace stowage
