#include "core/model/devices.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/numbers/amounts.h"
#include "core/base/watched.h"
#include "core/model/instance.h"

namespace stowage {
namespace {

/// An amount is a whole number of devices if it differs from one by this share of itself at most.
constexpr double kWholeTolerance = 1e-9;

/// An amount in devices: whole ones, and a part of one more.
struct InDevices {
  double whole = 0;
  double rest = 0;
};

InDevices in_devices(double amount, double device) {
  const double nearest = std::nearbyint(amount / device);
  if (nearest >= 1 && std::abs(nearest * device - amount) <= kWholeTolerance * amount) return {nearest, 0};
  const double whole = std::floor(amount / device);
  return {whole, std::max(0.0, amount - whole * device)};
}

/// What stands on a node whatever is planned.
double standing(const Instance& instance, NodeId listed, ClassId c, ResourceId r) {
  return instance.daemon(listed, c, r, 0) + (listed == kNone ? 0 : instance.load(listed, r, 0));
}

Error check_constant(const Instance& instance, ResourceId r, WatchRef watch) {
  const InstanceData& data = instance.data();
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (watch.step(8 + 4 * instance.periods())) return cancelled();
    const std::size_t cell = std::size_t{n} * instance.resources() + r;
    for (std::uint32_t t = 1; t < instance.periods(); ++t) {
      if (instance.load(n, r, t) != instance.load(n, r, 0)) {
        return invalid(indexed("nodes.load", cell * data.periods + t), "the load on devices changes over time");
      }
      if (!data.daemon.empty() &&
          instance.daemon(n, data.node_class[n], r, t) != instance.daemon(n, data.node_class[n], r, 0)) {
        return invalid(indexed("nodes.daemon", cell * data.periods + t), "the load on devices changes over time");
      }
    }
    if (instance.load_spread(n, r) > 0) {
      return invalid(indexed("nodes.load_variance", cell), "the load on devices is uncertain");
    }
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    for (std::uint32_t t = 1; t < instance.periods(); ++t) {
      if (instance.daemon(kNone, c, r, t) == instance.daemon(kNone, c, r, 0)) continue;
      return invalid(indexed("classes", c) + "." + indexed("daemon", std::size_t{r} * data.periods + t),
                     "the load on devices changes over time");
    }
  }
  return {};
}

Error check_apps(const Instance& instance, ResourceId r, double device, WatchRef watch) {
  const InstanceData& data = instance.data();
  const std::size_t width = data.demand.size() / std::max<std::size_t>(1, std::size_t{instance.apps()} * instance.resources());
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (watch.step(16)) return cancelled();
    const std::size_t cell = std::size_t{app} * instance.resources() + r;
    const Instance::DemandRange& range = instance.demand_range(app, r);
    if (range.least != range.most) {
      const auto row = instance.demand_over_time(app, r);
      const auto other = std::find_if(row.begin(), row.end(), [&](double v) { return v != row[0]; });
      return invalid(indexed("apps.demand", cell * width + static_cast<std::size_t>(other - row.begin())),
                     "the demand for devices changes over time");
    }
    if (!is_device_demand(range.most, device)) {
      return invalid(indexed("apps.demand", cell * width),
                     "more than one device, and no whole number of them: a replica takes a part of one device or whole ones");
    }
    if (instance.spread(app, r) > 0) {
      const bool supports = data.uncertainty.model == ChanceModel::kBoundedSupport;
      return invalid(indexed(supports ? "apps.support_max" : "apps.variance", cell), "the demand for devices is uncertain");
    }
  }
  return {};
}

Error check_device(const Instance& instance, ResourceId r, WatchRef watch) {
  const double device = instance.data().resources[r].device;
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const InDevices capacity = in_devices(instance.data().classes[c].capacity[r], device);
    const std::string path = indexed("classes", c) + "." + indexed("capacity", r);
    if (capacity.rest > 0) return invalid(path, "no whole number of devices");
    if (capacity.whole > DeviceTable::kMostDevices) {
      return too_large(path, "more than " + std::to_string(DeviceTable::kMostDevices) + " devices");
    }
  }
  if (Error e = check_apps(instance, r, device, watch); failed(e)) return e;
  return check_constant(instance, r, watch);
}

bool binds(const Instance& instance, ResourceId r) {
  const double device = instance.data().resources[r].device;
  const bool demanded = instance.least_demand(r) <= kLargestAmount;
  return demanded && instance.largest_capacity(r) > 0 &&
         std::any_of(instance.data().classes.begin(), instance.data().classes.end(),
                     [&](const NodeClass& c) { return in_devices(c.capacity[r], device).whole > 1; });
}

}  // namespace

bool is_device_demand(double amount, double device) {
  const InDevices demand = in_devices(amount, device);
  return demand.whole == 0 || demand.rest == 0;
}

Result<DeviceTable> DeviceTable::build(const Instance& instance, WatchRef watch) {
  DeviceTable table;
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const double device = instance.data().resources[r].device;
    if (device == 0) continue;
    const std::string path = indexed("resources", r) + ".device";
    if (Error e = check_amount(device, path); failed(e)) return e;
    if (Error e = check_device(instance, r, watch); failed(e)) return e;
    if (binds(instance, r)) table.resources_.push_back(r);
  }
  if (table.empty()) return table;
  table.uses_.assign(instance.apps(), 0);
  table.demand_.resize(instance.apps() * table.resources_.size());
  table.devices_.resize(instance.classes() * table.resources_.size());
  table.class_stock_.resize(instance.classes() * table.resources_.size());
  watched_resize(table.listed_stock_, instance.listed_nodes() * table.resources_.size(), watch);
  for (const ResourceId r : table.resources_) {
    if (watch.ended()) return cancelled();
    table.add(instance, r, watch);
  }
  if (watch.ended()) return cancelled();
  return table;
}

void DeviceTable::add(const Instance& instance, ResourceId resource, WatchRef watch) {
  const double device = instance.data().resources[resource].device;
  const Scale& scale = instance.scale(resource);
  const std::size_t k = size_.size();
  const std::size_t width = resources_.size();
  size_.push_back(scale.capacity(device));
  for (AppId app = 0; app < instance.apps() && !watch.step(8); ++app) {
    const double amount = instance.demand_range(app, resource).most;
    if (amount == 0) continue;
    uses_[app] = 1;
    // More devices than any node has: the exact number makes no difference.
    const double whole = std::min(in_devices(amount, device).whole, 2.0 * kMostDevices);
    DeviceDemand& demand = demand_[app * width + k];
    demand.whole = static_cast<std::uint32_t>(whole);
    if (whole == 0) demand.part = scale.demand(amount);
  }
  const auto stock = [&](NodeId listed, ClassId c) -> DeviceStock {
    const std::uint32_t all = devices_[c * width + k];
    const InDevices load = in_devices(standing(instance, listed, c, resource), device);
    if (load.whole + (load.rest > 0 ? 1 : 0) > all) return {0, 1};
    const auto room = static_cast<std::int32_t>(std::max<std::int64_t>(0, scale.left(device, load.rest)));
    return {all - static_cast<std::uint32_t>(load.whole), load.rest > 0 ? size_[k] - room : 0};
  };
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const double capacity = instance.data().classes[c].capacity[resource];
    devices_[c * width + k] = static_cast<std::uint32_t>(in_devices(capacity, device).whole);
    class_stock_[c * width + k] = stock(kNone, c);
  }
  for (NodeId n = 0; n < instance.listed_nodes() && !watch.step(8); ++n) {
    listed_stock_[n * width + k] = stock(n, instance.data().node_class[n]);
  }
}

}  // namespace stowage
