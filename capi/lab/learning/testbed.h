// The apps of LraSched's testbed (P3, section 4.2.1), with sizes and degrees of collocation that the library learns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::cli::sizes {

/// P3's testbed: two processors of 8 cores and 32 GB in each of 10 servers, and 10 apps of each of 4 families.
inline constexpr std::uint32_t kTestbedNodes = 10;
inline constexpr double kTestbedCores = 16;
inline constexpr double kTestbedMemory = 32;  // GiB
inline constexpr std::uint32_t kTestbedFamilies = 4;
inline constexpr std::uint32_t kTestbedAppsPerFamily = 10;
/// Containers of an app: uniform in 1 .. this. P3 does not state it; with more, most apps find no room.
inline constexpr std::uint32_t kTestbedContainers = 2;

struct TestbedApp {
  std::string name;  ///< with its family
  double cores;
  double memory;
  std::uint32_t containers;
  std::uint32_t together;  ///< of its containers on a node: the degree of collocation
};

/// The apps of a seed, in the order in which they arrive. Each is sized for a goal U[.5, .95] from two samples that the model
/// asks for; the model has learned from 300 simulated apps.
std::vector<TestbedApp> draw_testbed(std::uint64_t seed);

}  // namespace stowage::cli::sizes
