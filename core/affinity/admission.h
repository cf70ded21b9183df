// The one question of affinity limits: may these replicas share a node?
#pragma once

#include <cstdint>

namespace stowage {

/// What the limits between two apps say of them beside each other. The values are those of two bits: kNever is an upper bound
/// of both others when sets are united bit by bit.
enum class Compatibility : std::uint8_t {
  kFree = 0,     ///< there are no limits between them
  kLimited = 1,  ///< numbers decide: ask admits()
  kNever = 3     ///< one of them tolerates none of the other beside it
};

/// Whether `own` replicas of an app (at least one) and `count` replicas of another app may share a node (P0, section 3.1).
/// @param imposes most replicas of the other app that the app tolerates beside it
/// @param obeys   most replicas of the app that the other app tolerates beside it
[[nodiscard]] constexpr bool admits(std::uint32_t count, std::uint32_t own, std::uint32_t imposes, std::uint32_t obeys) {
  return count == 0 || (count <= imposes && own <= obeys);
}

/// The same for any numbers, where there are limits between the apps.
[[nodiscard]] constexpr Compatibility compatibility(std::uint32_t imposes, std::uint32_t obeys) {
  return imposes == 0 || obeys == 0 ? Compatibility::kNever : Compatibility::kLimited;
}

}  // namespace stowage
