// Instances that differ from another in some of its numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/instance.h"

namespace stowage {

/// What is multiplied of one resource.
struct ResourceFactors {
  std::string name;             ///< "" = by index
  ResourceId resource = kNone;  ///< kNone = by name
  double demand = 1;
  double capacity = 1;
  double load = 1;
};

/// What changes of one app. Numbers that are given stand as they are, whatever the factors.
struct AppChange {
  std::string name{};              ///< "" = by index
  AppId app = kNone;               ///< kNone = by name
  std::uint32_t replicas = kNone;  ///< kNone = not given
  double replica_factor = 1;
  std::vector<double> demand{};  ///< resources, or resources x periods; empty = not given
  double demand_factor = 1;
};

/// What changes of one node class.
struct ClassChange {
  std::string name;                ///< "" = by index
  ClassId node_class = kNone;      ///< kNone = by name
  std::uint32_t count = kNone;     ///< kNone = as it is
  std::vector<double> capacity{};  ///< per resource; empty = not given
  double capacity_factor = 1;
  double price = -1;  ///< negative = not given
};

/// The content of derivation.fbs, which documents it.
struct Derivation {
  std::string name;  ///< "" = as it is
  double demand = 1;
  double replicas = 1;
  double capacity = 1;
  double load = 1;
  double price = 1;
  double limits = 1;  ///< share of the limits between apps that stays
  std::vector<ResourceFactors> by_resource;
  std::vector<AppChange> by_app;
  std::vector<ClassChange> by_class;
};

/// The instance that results. Its affinity limits stand in ascending order, so that its fingerprint is that of its bytes.
/// Errors: those of Instance::build, whose paths are fields of the instance that results; kInvalid, kNotFound and
/// kLimitExceeded with the path of a field of the derivation; kCancelled.
Result<Instance> derive_instance(const Instance& from, const Derivation& derivation, const Limits& limits, WatchRef watch = {});

}  // namespace stowage
