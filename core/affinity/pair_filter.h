// Which apps limit each other, in few enough bits to stay near the processor: for searches that look at many pairs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/prefetch.h"
#include "core/model/limit_rows.h"
#include "core/run/run.h"

namespace stowage {

/// Of some apps, the members, and what LimitRows says of pairs of these; what apps impose on themselves is left out.
class PairFilter {
 public:
  /// @param apps the members' ids
  /// @param member_of per app: its number among them, kNone where it is not one
  /// @return false where the run ended meanwhile: then it may not be used
  bool build(const LimitRows& limits, std::span<const AppId> apps, std::span<const std::uint32_t> member_of, Run& run) {
    words_ = apps.size() <= kMostMembers ? (apps.size() + 63) / 64 : 0;
    folded_.assign(apps.size() * 2 * kFolded, 0);
    pairs_.assign(apps.size() * words_, {});
    for (std::size_t m = 0; m < apps.size(); ++m) {
      if (run.clock.step(1 + limits.degree(apps[m]) / kLimitsPerWork)) return false;
      for (std::uint32_t k = 0; k < limits.degree(apps[m]); ++k) {
        const Neighbour limit = limits.neighbour(apps[m], k);
        const std::uint32_t other = member_of[limit.app];
        if (other == kNone) continue;
        const std::uint64_t bit = std::uint64_t{1} << (other % 64);
        folded_[m * 2 * kFolded + other / 64 % kFolded] |= bit;
        const std::uint32_t mixed = mix(other);
        folded_[(m * 2 + 1) * kFolded + mixed / 64] |= std::uint64_t{1} << (mixed % 64);
        if (words_ == 0) continue;
        Pairs& pairs = pairs_[m * words_ + other / 64];
        pairs.some |= bit;
        if (limit.imposes == 0 || limit.obeys == 0) pairs.none |= bit;
      }
    }
    return true;
  }

  /// Brings what may_limit() reads of a member near.
  void prefetch(std::uint32_t member) const {
    stowage::prefetch(folded_.data() + member * 2 * kFolded, 2 * kFolded * sizeof(std::uint64_t));
  }
  /// 1 where limits may be between two members, else 0: quick, and mostly right where they have few.
  [[nodiscard]] std::uint64_t may_limit(std::uint32_t member, std::uint32_t other) const {
    const std::uint64_t* folded = folded_.data() + member * 2 * kFolded;
    const std::uint32_t mixed = mix(other);
    return (folded[other / 64 % kFolded] >> (other % 64)) & (folded[kFolded + mixed / 64] >> (mixed % 64)) & 1;
  }
  enum class Limits : std::uint8_t {
    kNo,
    kPositive,  ///< one beside one is within them
    kZero,      ///< one of them wants none of the other beside it
    kUnknown    ///< not kept for so many members
  };
  [[nodiscard]] Limits between(std::uint32_t member, std::uint32_t other) const {
    if (words_ == 0) return Limits::kUnknown;
    if (member > other) std::swap(member, other);
    const Pairs& pairs = pairs_[member * words_ + other / 64];
    if ((pairs.some >> (other % 64) & 1) == 0) return Limits::kNo;
    return (pairs.none >> (other % 64) & 1) != 0 ? Limits::kZero : Limits::kPositive;
  }

 private:
  static constexpr std::size_t kMostMembers = 16384;
  static constexpr std::size_t kFolded = 16;  // words: two cache lines
  static constexpr std::uint32_t kLimitsPerWork = 32;

  struct Pairs {
    std::uint64_t some = 0;  // there is a limit
    std::uint64_t none = 0;  // of 0
  };
  static std::uint32_t mix(std::uint32_t m) { return (m * 0x9E3779B1u) >> kShift; }
  static constexpr int kShift = 32 - 6 - std::bit_width(kFolded - 1);
  std::size_t words_ = 0;              // per member; 0: pairs are not kept
  std::vector<std::uint64_t> folded_;  // per member: a bit for others of one remainder, another by mix()
  std::vector<Pairs> pairs_;
};

}  // namespace stowage
