// Random instances that are small enough for brute force, with all combinations of the model's hard constraints.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

struct TinyOptions {
  bool running = true;   ///< some replicas may run already
  bool overload = true;  ///< the start may break constraints
  bool thirds = false;   ///< amounts are thirds, which no decimal scale represents; else integers or tenths
};

/// At most four apps with six replicas in all, two resources, two periods, two classes and two listed nodes.
inline InstanceBuilder tiny_instance(Random& random, const TinyOptions& options = {}) {
  const std::uint32_t resources = random.between(1, 2);
  const std::uint32_t periods = random.between(1, 2);
  InstanceBuilder builder(resources == 1 ? std::vector<std::string>{"cpu"} : std::vector<std::string>{"cpu", "memory"},
                          periods);
  const double per_unit = options.thirds ? 3 : random.chance(0.5) ? 10 : 1;
  const auto amounts = [&](std::uint32_t count, std::uint32_t first, std::uint32_t last) {
    std::vector<double> result;
    for (std::uint32_t k = 0; k < count; ++k) result.push_back(random.between(first, last) / per_unit);
    return result;
  };

  const bool priced = random.chance(0.5);
  const std::uint32_t classes = random.between(1, 2);
  for (std::uint32_t c = 0; c < classes; ++c) {
    const std::uint32_t count = random.chance(0.5) ? 0 : random.between(2, 4);
    builder.add_class(amounts(resources, 6, 12), count, priced ? static_cast<double>(random.between(0, 9)) : -1.0);
  }
  const std::uint32_t apps = random.between(1, 4);
  std::uint32_t left = 6;
  std::vector<std::uint32_t> free_replicas;
  for (AppId i = 0; i < apps; ++i) {
    const std::uint32_t replicas = std::min(left, random.between(0, 3));
    left -= replicas;
    free_replicas.push_back(replicas);
    const std::uint32_t cells = random.chance(0.5) ? resources : resources * periods;
    builder.add_app("app-" + std::to_string(i), replicas, amounts(cells, 0, random.chance(0.3) ? 11 : 6));
  }
  for (AppId i = 0; i < apps; ++i) {
    for (AppId j = 0; j < apps; ++j) {
      if (!random.chance(0.25)) continue;
      builder.limit(i, j, i == j ? random.between(1, 2) : random.between(0, 2));
    }
  }
  const std::uint32_t listed = random.between(0, 2);
  for (NodeId n = 0; n < listed; ++n) {
    const std::uint32_t cells = random.chance(0.5) ? resources : resources * periods;
    const bool loaded = random.chance(0.4);
    builder.add_node(random.below(classes),
                     loaded ? amounts(cells, 0, options.overload && random.chance(0.2) ? 14 : 5) : std::vector<double>{});
    if (random.chance(0.2)) builder.close(n);
    for (AppId i = 0; i < apps; ++i) {
      if (free_replicas[i] == 0) continue;
      const std::uint32_t replicas = random.between(1, free_replicas[i]);
      if (options.running && random.chance(0.3)) {
        builder.running(i, n, replicas);
        free_replicas[i] -= replicas;
        if (random.chance(0.3)) builder.pin(i, n, random.between(1, replicas));
      } else if (options.overload && random.chance(0.2)) {
        builder.pin(i, n, replicas);
        free_replicas[i] -= replicas;
      }
    }
  }
  return builder;
}

}  // namespace stowage::test
