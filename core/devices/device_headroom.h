// Headroom by devices: a part of a device is on one device, and whole devices are shared with nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/devices/packing.h"
#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// The node that is asked about.
struct DeviceSite {
  NodeId listed;  ///< kNone: an anonymous node
  ClassId node_class;
};

/// How many more replicas of the app a node with these tenants takes, at most `wanted`, by its devices. Tenants may stand
/// twice. 0 where the devices are too few as it is. For apps that use devices.
[[nodiscard]] std::uint32_t device_headroom(const Instance& instance, AppId app, const DeviceSite& site,
                                            std::span<const Tenant> tenants, std::uint32_t wanted,
                                            PackingEffort* effort = nullptr);

/// The same by the k-th resource of the instance's device table alone, whether the app uses it or not.
[[nodiscard]] std::uint32_t device_headroom_of(const Instance& instance, std::size_t k, AppId app, const DeviceSite& site,
                                               std::span<const Tenant> tenants, std::uint32_t wanted,
                                               PackingEffort* effort = nullptr);

/// Whether it takes one where one replica of `leaving` leaves the node, if that is not kNone. Tenants stand once.
[[nodiscard]] bool devices_admit(const Instance& instance, AppId arriving, AppId leaving, const DeviceSite& site,
                                 std::span<const Tenant> tenants, PackingEffort* effort = nullptr);

/// Whole devices, and parts of devices, that one way of packing leaves over; 0 exactly where the devices of the node suffice
/// for the tenants.
[[nodiscard]] std::uint64_t devices_lacking(const Instance& instance, const DeviceSite& site, std::span<const Tenant> tenants);

/// What is free on each device of the node that is not taken as a whole, in scaled units, by first fit decreasing. By the k-th
/// resource of the instance's device table.
void free_device_units(const Instance& instance, std::size_t k, const DeviceSite& site, std::span<const Tenant> tenants,
                       std::vector<std::int32_t>& free);

}  // namespace stowage
