#include "core/affinity/pair_filter.h"

namespace stowage {
namespace {

constexpr std::size_t kMostMembers = 16384;
constexpr std::uint32_t kLimitsPerWork = 32;

}  // namespace

bool PairFilter::learn(const LimitRows& limits, std::span<const AppId> apps, std::span<const std::uint32_t> member_of,
                       WorkClock& clock) {
  words_ = apps.size() <= kMostMembers ? (apps.size() + 63) / 64 : 0;
  bloom_.assign(apps.size() * 2 * kBloomWords, 0);
  pairs_.assign(apps.size() * words_, {});
  for (std::size_t m = 0; m < apps.size(); ++m) {
    if (clock.step(1 + limits.degree(apps[m]) / kLimitsPerWork)) return false;
    for (std::uint32_t k = 0; k < limits.degree(apps[m]); ++k) {
      const Neighbour limit = limits.neighbour(apps[m], k);
      const std::uint32_t other = member_of[limit.app];
      if (other == kNone) continue;
      const std::uint64_t bit = std::uint64_t{1} << (other % 64);
      bloom_[m * 2 * kBloomWords + other / 64 % kBloomWords] |= bit;
      const std::uint32_t mixed = mix(other);
      bloom_[(m * 2 + 1) * kBloomWords + mixed / 64] |= std::uint64_t{1} << (mixed % 64);
      if (words_ == 0) continue;
      PairBits& pairs = pairs_[m * words_ + other / 64];
      pairs.limited |= bit;
      if (compatibility(limit.imposes, limit.obeys) == Compatibility::kNever) pairs.never |= bit;
    }
  }
  return true;
}

}  // namespace stowage
