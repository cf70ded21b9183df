#include "core/devices/device_headroom.h"

#include <algorithm>

namespace stowage {
namespace {

/// What a node holds of one resource.
struct Held {
  DevicePacking parts;
  std::uint64_t devices;  // of the node
  std::uint64_t whole;    // devices that tenants take as a whole
};

Held held(const DeviceTable& table, std::size_t k, const DeviceSite& site, std::span<const Tenant> tenants, AppId leaving) {
  const DeviceStock& stock = table.stock(site.listed, site.node_class, k);
  Held result{DevicePacking(table.size(k)), stock.devices, 0};
  if (stock.rest > 0) result.parts.add(stock.rest, 1);
  for (const Tenant& tenant : tenants) {
    const DeviceDemand& demand = table.demand(tenant.app, k);
    const std::uint32_t stay = tenant.replicas - (tenant.app == leaving ? 1 : 0);
    if (stay == 0) continue;
    result.whole += std::uint64_t{demand.whole} * stay;
    if (demand.part > 0) result.parts.add(demand.part, stay);
  }
  return result;
}

std::uint32_t headroom_of(const DeviceTable& table, std::size_t k, AppId app, const DeviceSite& site,
                          std::span<const Tenant> tenants, AppId leaving, std::uint32_t wanted, PackingEffort* effort) {
  const DeviceDemand& demand = table.demand(app, k);
  if (demand.part == 0 && demand.whole == 0) return wanted;
  const Held now = held(table, k, site, tenants, leaving);
  if (now.whole > now.devices) return 0;
  const std::uint64_t left = now.devices - now.whole;
  return demand.part > 0 ? now.parts.more(demand.part, left, wanted, effort)
                         : now.parts.whole(demand.whole, left, wanted, effort);
}

std::uint32_t headroom(const DeviceTable& table, AppId app, const DeviceSite& site, std::span<const Tenant> tenants,
                       AppId leaving, std::uint32_t wanted, PackingEffort* effort) {
  for (std::size_t k = 0; k < table.resources().size() && wanted > 0; ++k) {
    wanted = headroom_of(table, k, app, site, tenants, leaving, wanted, effort);
  }
  return wanted;
}

}  // namespace

std::uint32_t device_headroom(const Instance& instance, AppId app, const DeviceSite& site, std::span<const Tenant> tenants,
                              std::uint32_t wanted, PackingEffort* effort) {
  return headroom(instance.devices(), app, site, tenants, kNone, wanted, effort);
}

std::uint32_t device_headroom_of(const Instance& instance, std::size_t k, AppId app, const DeviceSite& site,
                                 std::span<const Tenant> tenants, std::uint32_t wanted, PackingEffort* effort) {
  return headroom_of(instance.devices(), k, app, site, tenants, kNone, wanted, effort);
}

bool devices_admit(const Instance& instance, AppId arriving, AppId leaving, const DeviceSite& site,
                   std::span<const Tenant> tenants, PackingEffort* effort) {
  return headroom(instance.devices(), arriving, site, tenants, leaving, 1, effort) > 0;
}

std::uint64_t devices_lacking(const Instance& instance, const DeviceSite& site, std::span<const Tenant> tenants) {
  const DeviceTable& table = instance.devices();
  std::uint64_t lacking = 0;
  for (std::size_t k = 0; k < table.resources().size(); ++k) {
    const Held now = held(table, k, site, tenants, kNone);
    const std::uint64_t left = now.devices - std::min(now.devices, now.whole);
    if (now.whole <= now.devices && now.parts.fit(left)) continue;
    lacking += now.whole - std::min(now.whole, now.devices) + now.parts.left_over(left);
  }
  return lacking;
}

void free_device_units(const Instance& instance, std::size_t k, const DeviceSite& site, std::span<const Tenant> tenants,
                       std::vector<std::int32_t>& free) {
  const Held now = held(instance.devices(), k, site, tenants, kNone);
  now.parts.free_units(now.devices - std::min(now.devices, now.whole), free);
}

}  // namespace stowage
