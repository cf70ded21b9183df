#include "capi/cli/generate/lras/lras.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "capi/cli/base/console.h"
#include "capi/cli/base/random.h"

namespace stowage::cli::lras {
namespace {

enum Purpose : std::uint64_t { kDrawContainers = 601, kDrawLimits, kDrawNodes };

/// Sizes are multiples of this, so that decimal text holds them.
constexpr double kSteps = 10'000;
constexpr double kLargestContainer = 0.5;
constexpr double kSmallestNode = 0.1;

NodeClassData node_class(std::string name, std::uint32_t count, std::vector<double> capacity) {
  NodeClassData node;
  node.name = std::move(name);
  node.count = count;
  node.capacity = std::move(capacity);
  return node;
}

}  // namespace

InstanceData generate(const Options& options) {
  InstanceData data;
  data.name = counted(options.apps, "LRA") + ", " + counted(options.nodes, "node") + ", " + counted(options.dims, "dimension") +
              ", seed " + std::to_string(options.seed);
  for (std::uint32_t k = 0; k < options.dims; ++k) data.resources.push_back({"r" + std::to_string(k + 1), ""});
  Random sizes(options.seed, kDrawContainers, options.dims);
  Random limits(options.seed, kDrawLimits, options.containers);
  for (std::uint32_t i = 0; i < options.apps; ++i) {
    data.apps.names.push_back("lra-" + std::to_string(i + 1));
    for (std::uint32_t k = 0; k < options.dims; ++k) {
      // In (0, .5], rounded up: nothing has no size.
      const double drawn = kLargestContainer * (1 - sizes.uniform()) * options.scale;
      data.apps.demand.push_back(std::max(1.0, std::ceil(drawn * kSteps)) / kSteps);
    }
    const std::uint32_t containers = 1 + limits.below(options.containers);
    const std::uint32_t together = 1 + limits.below(kMostTogether);
    data.apps.replicas.push_back(containers);
    data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
    if (together >= containers) continue;
    data.limits.app.push_back(i);
    data.limits.at_most.push_back(together);
  }
  data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
  Random nodes(options.seed, kDrawNodes, options.dims);
  for (std::uint32_t n = 0; n < options.nodes; ++n) {
    std::vector<double> capacity;
    for (std::uint32_t k = 0; k < options.dims; ++k) {
      capacity.push_back(std::floor((kSmallestNode + (1 - kSmallestNode) * nodes.uniform()) * kSteps + 0.5) / kSteps);
    }
    data.classes.push_back(node_class("node-" + std::to_string(n + 1), 1, std::move(capacity)));
    if (options.add) data.classes.back().price = 0;
  }
  if (options.add) {
    data.classes.push_back(node_class("added", 0, std::vector<double>(options.dims, 1)));
    data.classes.back().price = 1;
  }
  return data;
}

}  // namespace stowage::cli::lras
