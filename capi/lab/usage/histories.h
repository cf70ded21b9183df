// Histories of usage to learn sizes from: generated ones with days, spikes and leaks, and the profiles of Tianchi 2018.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stowage::cli::lab::usage {

inline constexpr std::size_t kCpu = 0;
inline constexpr std::size_t kMemory = 1;
inline constexpr std::size_t kUsageResources = 2;

/// Usage of every replica at equal steps.
struct Histories {
  std::string name;
  std::vector<std::string> apps;
  std::vector<std::uint32_t> replicas;  ///< per app
  bool shared = false;                  ///< all replicas of an app use the same, of which there is one series
  double step = 300;                    ///< seconds
  std::size_t times = 0;
  std::vector<double> amount;                      ///< series x times x resources; the series of an app side by side
  std::array<double, kUsageResources> capacity{};  ///< of the nodes to plan on

  [[nodiscard]] std::size_t first_series(std::size_t app) const;
  /// Calls visit(app, replica, time, usage) for every sample of every replica.
  template <class Visit>
  void for_each_sample(Visit&& visit) const {
    std::size_t series = 0;
    for (std::uint32_t app = 0; app < apps.size(); ++app) {
      for (std::uint32_t k = 0; k < replicas[app]; ++k) {
        for (std::size_t time = 0; time < times; ++time) visit(app, k, time, at(series, time));
        series += shared && k + 1 < replicas[app] ? 0 : 1;
      }
    }
  }
  [[nodiscard]] const double* at(std::size_t series, std::size_t time) const {
    return amount.data() + (series * times + time) * kUsageResources;
  }
};

struct GeneratedUsage {
  std::uint32_t apps = 100;
  std::uint32_t most_replicas = 8;  ///< of an app: uniform in 1 .. most
  std::uint32_t days = 7;
  std::uint32_t step = 300;  ///< seconds
  std::uint64_t seed = 0;
};

/// Usage of generated apps, the same on every platform. docs/reference/generate.md states the formulas.
Histories generate_usage(const GeneratedUsage& options);

/// The profiles of Tianchi 2018, data set B: 98 samples of a day, the same for all replicas of an app.
/// @param folder with the published files
/// @param apps take every k-th app so that about this many are left
Histories tianchi_usage(const std::string& folder, std::uint32_t apps);

}  // namespace stowage::cli::lab::usage
