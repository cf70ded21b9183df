// Compatibility of a few thousand apps, in few enough bits to stay in the cache: for searches that ask about pairs millions of
// times a second.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/affinity/admission.h"
#include "core/base/prefetch.h"
#include "core/run/work_clock.h"

namespace stowage {

/// The members are some of the apps, by number. Two answers for a pair: may_limit(), a Bloom filter of two cache lines per
/// member, and of(), exact, for up to 16,384 members. Limits of an app on itself are left out.
class PairFilter {
 public:
  /// Reads the limits of the members. O(sum of their degrees).
  /// @param apps the members' ids
  /// @param member_of per app: its number among the members; kNone for other apps
  /// @return false where the clock stopped it: then no question may be asked
  bool learn(const LimitRows& limits, std::span<const AppId> apps, std::span<const std::uint32_t> member_of, WorkClock& clock);

  /// Whether of() is exact. If not, there are too many members, and of() answers kLimited for every pair.
  [[nodiscard]] bool known() const { return words_ != 0; }
  /// What the limits between two members allow. Where known(), kLimited guarantees that limits exist and that none is 0, so
  /// that one replica may be beside one.
  [[nodiscard]] Compatibility of(std::uint32_t member, std::uint32_t other) const {
    if (words_ == 0) return Compatibility::kLimited;
    if (member > other) std::swap(member, other);
    const PairBits& pairs = pairs_[member * words_ + other / 64];
    if ((pairs.limited >> (other % 64) & 1) == 0) return Compatibility::kFree;
    return (pairs.never >> (other % 64) & 1) != 0 ? Compatibility::kNever : Compatibility::kLimited;
  }

  /// Bloom filter: 0 means certainly no limit between the two members, 1 means perhaps.
  [[nodiscard]] std::uint64_t may_limit(std::uint32_t member, std::uint32_t other) const {
    const std::uint64_t* bloom = bloom_.data() + member * 2 * kBloomWords;
    const std::uint32_t mixed = mix(other);
    return (bloom[other / 64 % kBloomWords] >> (other % 64)) & (bloom[kBloomWords + mixed / 64] >> (mixed % 64)) & 1;
  }
  /// Loads what may_limit() reads of a member into the cache.
  void prefetch(std::uint32_t member) const {
    stowage::prefetch(bloom_.data() + member * 2 * kBloomWords, 2 * kBloomWords * sizeof(std::uint64_t));
  }

 private:
  static constexpr std::size_t kBloomWords = 16;  // per hash: two cache lines

  struct PairBits {
    std::uint64_t limited = 0;  // there are limits
    std::uint64_t never = 0;    // one of them is 0
  };
  static std::uint32_t mix(std::uint32_t member) { return (member * 0x9E3779B1u) >> kShift; }
  static constexpr int kShift = 32 - 6 - std::bit_width(kBloomWords - 1);

  std::size_t words_ = 0;             // of pairs_ per member; 0: pairs are not kept
  std::vector<std::uint64_t> bloom_;  // per member, two hashes: the other's number modulo 1,024, and mix()
  std::vector<PairBits> pairs_;
};

}  // namespace stowage
