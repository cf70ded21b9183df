// Resources in devices: which replicas take a part of a device, and which take whole ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/data/types.h"

namespace stowage {

class Instance;

/// Whether a replica may demand the amount of a resource in devices: a part of one, or a whole number of them.
[[nodiscard]] bool is_device_demand(double amount, double device);

/// What one replica takes of a resource in devices. At most one of the two is above 0.
struct DeviceDemand {
  std::int32_t part = 0;    ///< of one device, in scaled units
  std::uint32_t whole = 0;  ///< devices
};

/// What a node has for replicas.
struct DeviceStock {
  std::uint32_t devices = 0;  ///< those that standing load does not take as a whole
  std::int32_t rest = 0;      ///< what the load takes of one of them, in scaled units; above 0 without devices: overloaded
};

/// Only resources for which devices bind are in the table: some app demands one, and some class has several of its devices.
/// Elsewhere the sum over the node decides.
class DeviceTable {
 public:
  /// Most devices of one resource in a node.
  static constexpr std::uint32_t kMostDevices = 1024;

  /// Checks the devices of the instance, and lays them out. Errors: kInvalid (a capacity that is no whole number of devices, a
  /// demand that is neither a part of one nor a whole number of them, demand or load that changes over time or at random),
  /// kLimitExceeded (a class with more than kMostDevices), kCancelled.
  /// @param instance all but its devices, rules and features has been read
  [[nodiscard]] static Result<DeviceTable> build(const Instance& instance, WatchRef watch = {});

  [[nodiscard]] bool empty() const { return resources_.empty(); }
  [[nodiscard]] std::span<const ResourceId> resources() const { return resources_; }
  /// Whether a replica of the app takes any of the resources.
  [[nodiscard]] bool uses(AppId app) const { return !uses_.empty() && uses_[app] != 0; }
  // The resource is given by its position k in resources().
  /// Scaled units of one device, rounded down.
  [[nodiscard]] std::int32_t size(std::size_t k) const { return size_[k]; }
  [[nodiscard]] const DeviceDemand& demand(AppId app, std::size_t k) const { return demand_[app * resources_.size() + k]; }
  /// Of a listed node or, where `listed` is kNone, of an anonymous node of the class.
  [[nodiscard]] const DeviceStock& stock(NodeId listed, ClassId node_class, std::size_t k) const {
    return listed == kNone ? class_stock_[node_class * resources_.size() + k] : listed_stock_[listed * resources_.size() + k];
  }
  /// Devices of a node of the class.
  [[nodiscard]] std::uint32_t devices(ClassId node_class, std::size_t k) const {
    return devices_[node_class * resources_.size() + k];
  }

 private:
  /// Adds a resource; where the watch ends it, the table is incomplete and nobody uses it.
  void add(const Instance& instance, ResourceId resource, WatchRef watch);

  std::vector<ResourceId> resources_;
  std::vector<std::int32_t> size_;  // per entry of resources_
  std::vector<std::uint8_t> uses_;  // per app
  // One entry per resource for each:
  std::vector<DeviceDemand> demand_;       // app
  std::vector<std::uint32_t> devices_;     // class
  std::vector<DeviceStock> class_stock_;   // class
  std::vector<DeviceStock> listed_stock_;  // listed node
};

}  // namespace stowage
