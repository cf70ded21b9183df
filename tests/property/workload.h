// Workloads as P0 describes them (section 5.1): mostly small apps, few large ones, random affinity limits. For benchmarks and
// comparisons of quality. A seed gives the same workload on every platform.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/generator.h"

namespace stowage::test {

struct Workload {
  std::uint64_t seed = 1;
  std::uint32_t apps = 1000;
  double density = 0.01;  ///< share of pairs of apps with a limit between them
  std::uint32_t periods = 1;
};

/// Two resources on as many nodes of 64 cores and 128 GiB as needed.
inline Generated make_workload(const Workload& workload) {
  Random random(workload.seed);
  Generated result;
  InstanceData& d = result.data;
  d.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  d.periods = workload.periods;
  d.classes.resize(1);
  d.classes[0].name = "node";
  d.classes[0].capacity = {64, 128};
  constexpr std::uint32_t kCores[] = {1, 1, 1, 1, 2, 2, 4, 4, 6, 8, 16, 32};
  constexpr std::uint32_t kMemory[] = {2, 2, 4, 4, 4, 8, 8, 8, 8, 16, 32, 64};
  for (std::uint32_t i = 0; i < workload.apps; ++i) {
    d.replicas.push_back(random.chance(0.1) ? random.between(10, 60) : random.between(1, 6));
    const std::uint32_t peak[] = {kCores[random.below(12)], kMemory[random.below(12)]};
    for (const std::uint32_t most : peak) {
      const bool varies = workload.periods > 1 && random.chance(0.4);
      // Between a third of the peak and the peak, in hundredths.
      for (std::uint32_t t = 0; t < workload.periods; ++t) {
        d.demand.push_back(varies ? random.between(most * 33, most * 100) / 100.0 : most);
      }
    }
  }
  // One draw per limit; a pair that is drawn twice gives one limit.
  constexpr std::uint32_t kLimits[] = {0, 0, 0, 0, 0, 2, 2, 2, 1, 1, 3};
  std::vector<std::uint8_t> taken(workload.apps);
  result.row_begin.push_back(0);
  for (AppId i = 0; i < workload.apps; ++i) {
    const auto draws = static_cast<std::uint32_t>(workload.density * workload.apps / 2 + random.below(1000) / 1000.0);
    const std::size_t first = result.limited.size();
    for (std::uint32_t k = 0; k < draws; ++k) {
      const AppId j = random.below(workload.apps);
      if (j == i || taken[j] != 0) continue;
      taken[j] = 1;
      result.limited.push_back(j);
      result.at_most.push_back(kLimits[random.below(11)]);
    }
    for (std::size_t k = first; k < result.limited.size(); ++k) taken[result.limited[k]] = 0;
    result.row_begin.push_back(static_cast<std::uint32_t>(result.limited.size()));
  }
  return result;
}

}  // namespace stowage::test
