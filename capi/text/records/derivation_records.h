// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "derivation_generated.h"

namespace stowage::cli {

/// Factors on what concerns one resource.
struct ResourceFactorsData {
  /// The resource, by its name or by its index.
  std::string name{};
  std::uint32_t resource = 4294967295U;
  double demand = 1;
  double capacity = 1;
  double load = 1;
};

/// What changes of one app.
struct AppChangeData {
  /// The app, by its name or by its index.
  std::string name{};
  std::uint32_t app = 4294967295U;
  /// The number of replicas; 4294967295 = not given.
  std::uint32_t replicas = 4294967295U;
  double replica_factor = 1;
  /// Demand of one replica. Its variance and its support stay. Length: resources, or resources x periods; absent = not given.
  std::vector<double> demand{};
  double demand_factor = 1;
};

/// What changes of one node class.
struct ClassChangeData {
  /// The class, by its name or by its index.
  std::string name{};
  std::uint32_t node_class = 4294967295U;
  /// Number of nodes of the class, as NodeClass.count; 4294967295 = as it is.
  std::uint32_t count = 4294967295U;
  /// Capacity per resource. Length: resources; absent = not given.
  std::vector<double> capacity{};
  double capacity_factor = 1;
  /// Cost of one node in use; negative = not given.
  double price = -1;
};

/// How an instance differs from another one. What is not given stays.
struct DerivationData {
  /// Name of the instance that results; absent = the name stays.
  std::string name{};
  /// Factor on the demand of all apps. Uncertain demand scales as a whole: its deviation and its support by the same factor.
  double demand = 1;
  /// Factor on the replicas of all apps, rounded up.
  double replicas = 1;
  /// Factor on the capacity of all classes. Daemon load stays.
  double capacity = 1;
  /// Factor on the load of listed nodes and its deviation. Daemon load stays.
  double load = 1;
  /// Factor on the prices of all classes, where there are prices.
  double price = 1;
  /// Share of the affinity limits between different apps that stays, at most 1. Which ones follows from the two apps alone, so
  /// that those of a smaller share are among those of a larger one. Limits of an app on itself stay.
  double limits = 1;
  std::vector<ResourceFactorsData> by_resource{};
  std::vector<AppChangeData> by_app{};
  std::vector<ClassChangeData> by_class{};
};

}  // namespace stowage::cli
