// Histories of usage to learn sizes from: generated ones with days, spikes and leaks, and the profiles of Tianchi 2018.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/learn/usage_file.h"
#include "capi/cli/library/library.h"

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

/// The samples of the times for which `take` holds, as `stowage size` reads them.
template <class Take>
learn::UsageTable samples_of(const Histories& histories, Take&& take) {
  learn::UsageTable table;
  table.apps = histories.apps;
  table.resources = {"cpu", "memory"};
  for (std::size_t a = 0; a < histories.apps.size(); ++a) {
    const std::size_t first = histories.first_series(a);
    for (std::uint32_t k = 0; k < (histories.shared ? 1 : histories.replicas[a]); ++k) {
      for (std::size_t t = 0; t < histories.times; ++t) {
        if (!take(t)) continue;
        table.app.push_back(static_cast<std::uint32_t>(a));
        table.replica.push_back(k);
        table.time.push_back(static_cast<double>(t) * histories.step);
        const double* usage = histories.at(first + k, t);
        table.amount.insert(table.amount.end(), usage, usage + kUsageResources);
      }
    }
  }
  return table;
}

struct Policy {
  std::string name;
  std::string percentile = "95%";
  std::string half_life = "none";
  std::string peaks = "none";
  std::string margin = "0";
  std::uint32_t periods = 1;
  double confidence = 0;  ///< above 0: plan mean and variance at this confidence
};

/// The policies that are compared: fixed percentiles, Autopilot's and the Vertical Pod Autoscaler's, periods, and confidences.
std::vector<Policy> policies(std::uint32_t periods);

/// Over the part of the history that was not learned from.
struct Verdict {
  std::array<double, kUsageResources> slack{};     ///< share of a replica's demand that it does not use, on average
  std::array<double, kUsageResources> exceeded{};  ///< share of the samples in which a replica uses more than its demand
  std::array<double, kUsageResources> over{};      ///< share of the samples in which a node is asked for more than it has
  std::uint64_t nodes = 0;
  std::uint64_t unplaced = 0;
};

/// Which times are learned from and which judge.
struct Split {
  std::function<bool(std::size_t time)> learn;
  std::function<bool(std::size_t time)> judge;
};

Verdict judge_policy(const Histories& histories, const Split& split, const Policy& policy, const RequestOptions& request,
                     const Console& console);

}  // namespace stowage::cli::lab::usage
