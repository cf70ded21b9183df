// What was learned of apps, written into an instance: size becomes demand, degree of collocation becomes a limit per node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/text/formats/instance_data.h"
#include "learning_generated.h"

namespace stowage::cli::learn {

struct LearnedApp {
  std::string name;
  /// Demand of one replica per learned resource: one value, or one per period; empty: keep what the instance says.
  std::vector<std::vector<double>> demand;
  std::vector<double> variance;               ///< per learned resource; empty: demand is certain
  std::optional<std::uint32_t> max_per_node;  ///< absent: keep what the instance says
};

struct LearnedDemand {
  std::vector<std::string> resources;
  std::uint32_t periods = 1;
  std::vector<LearnedApp> apps;
  std::optional<double> confidence;  ///< with which capacities hold uncertain demand; absent: as the instance says, or 99 %
};

/// What the library found from usage. A resource of an app that was not measured has no demand.
LearnedDemand learned_demand(const wire::Sizes& sizes, std::optional<double> confidence);

/// Changes the apps of an instance that comes from `name`. Fails where the instance has none of the apps or none of the
/// resources, other periods, or another model of uncertainty. Returns what is left out, a sentence each.
std::vector<std::string> put_into(InstanceData& instance, const LearnedDemand& learned, const std::string& name);

}  // namespace stowage::cli::learn
