// The one question of affinity limits: may these replicas share a node? (P0, section 3.1)
//
// Every other place asks here: placement, searches, planners and the explainer. (The checker does not: it stands apart.)
#pragma once

#include <cstdint>

#include "core/model/constraints/limit_rows.h"
#include "core/model/node_contents.h"

namespace stowage {

/// What the limits between two apps allow on one node. The values are sets of bits: bitwise or unites what several tenants say,
/// and kNever prevails.
enum class Compatibility : std::uint8_t {
  kFree = 0,     ///< no limits: any numbers may share a node
  kLimited = 1,  ///< numbers decide: ask admits()
  kNever = 3     ///< a limit of 0: no replica of one beside any replica of the other
};

/// The limits between two apps that are broken, by direction.
struct BrokenLimits {
  bool imposed = false;  ///< the other app has more replicas than the app tolerates beside it
  bool obeyed = false;   ///< the app has more replicas than the other app tolerates beside it
};

/// Which limits are broken where `own` replicas of an app and `count` replicas of another app share a node.
/// @param count   at least 1
/// @param own     at least 1
/// @param imposes most replicas of the other app that the app tolerates beside it; kNone: no limit
/// @param obeys   most replicas of the app that the other app tolerates beside it; kNone: no limit
[[nodiscard]] constexpr BrokenLimits broken_limits(std::uint32_t count, std::uint32_t own, std::uint32_t imposes,
                                                   std::uint32_t obeys) {
  return {count > imposes, own > obeys};
}

/// Most replicas of the other app that may share a node with `own` replicas of the app, at least 1; kNone: no limit.
[[nodiscard]] constexpr std::uint32_t most_beside(std::uint32_t own, std::uint32_t imposes, std::uint32_t obeys) {
  return own > obeys ? 0 : imposes;
}

/// Whether `own` replicas of an app, at least 1, and `count` replicas of another app may share a node.
[[nodiscard]] constexpr bool admits(std::uint32_t count, std::uint32_t own, std::uint32_t imposes, std::uint32_t obeys) {
  return count == 0 || (count <= imposes && own <= obeys);
}

/// How many more replicas a limit leaves room for beside those that are there; kNone: no limit.
[[nodiscard]] constexpr std::uint32_t room_within(std::uint32_t limit, std::uint32_t there) {
  if (limit == kNone) return kNone;
  return limit > there ? limit - there : 0;
}

/// What holds for any numbers of two apps between which there are limits.
[[nodiscard]] constexpr Compatibility compatibility(std::uint32_t imposes, std::uint32_t obeys) {
  return imposes == 0 || obeys == 0 ? Compatibility::kNever : Compatibility::kLimited;
}

/// admits() by an instance's limits: `own` (at least one replica) beside `other`. O(log degree).
[[nodiscard]] inline bool admits(const LimitRows& limits, const Tenant& own, const Tenant& other) {
  const std::uint32_t codes = limits.find(own.app, other.app);
  return codes == 0 || admits(other.replicas, own.replicas, limits.imposes(codes), limits.obeys(codes));
}

/// The same where a PairTable or PairFilter has answered for the pair: searches the limits only where numbers decide.
[[nodiscard]] inline bool admits(Compatibility pair, const LimitRows& limits, const Tenant& own, const Tenant& other) {
  if (pair == Compatibility::kFree) return true;
  if (pair == Compatibility::kNever) return other.replicas == 0;
  return admits(limits, own, other);
}

/// most_beside() where a PairTable or PairFilter has answered for the pair.
[[nodiscard]] inline std::uint32_t most_beside(Compatibility pair, const LimitRows& limits, const Tenant& own, AppId other) {
  if (pair != Compatibility::kLimited) return pair == Compatibility::kFree ? kNone : 0;
  const std::uint32_t codes = limits.find(own.app, other);
  return most_beside(own.replicas, limits.imposes(codes), limits.obeys(codes));
}

}  // namespace stowage
