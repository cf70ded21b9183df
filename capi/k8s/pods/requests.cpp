#include "capi/k8s/pods/requests.h"

#include <algorithm>

#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {
namespace {

/// A node of which the number of volumes is not limited takes so many.
constexpr std::int64_t kAnyNumber = 100'000;

std::string path_of(View ns, View name) { return std::string(ns) + "/" + std::string(name); }

/// Where a template has only a limit, the API server makes it the request of each pod.
Amounts requested_by(const Container& one, const Amounts* defaults) {
  Amounts all = one.limits;
  for (const auto& [resource, amount] : one.requests) all.set(resource, amount);
  if (defaults != nullptr) {
    for (const auto& [resource, amount] : *defaults) {
      if (!all.has(resource)) all.set(resource, amount);
    }
  }
  return all;
}

}  // namespace

Amounts container_requests(const PodSpec& spec, const std::vector<std::pair<View, Amounts>>& given, const Amounts* defaults) {
  Amounts sum, sidecars, most;
  sum.set(ResourceNames::kPods, 1);
  for (const Container& one : spec.containers) {
    Amounts own = requested_by(one, defaults);
    for (const auto& [name, amounts] : given) {
      if (name == one.name) own.raise(amounts);
    }
    if (!one.initial) {
      sum.add(own);
    } else if (one.sidecar) {
      // Sidecars start in order and run beside the init containers after them.
      sum.add(own);
      sidecars.add(own);
    } else {
      own.add(sidecars);
      most.raise(own);
    }
  }
  sum.raise(most);
  // Requests of the pod as a whole take precedence over those of its containers.
  for (const auto& [resource, amount] : spec.pod_requests) sum.set(resource, amount);
  for (const auto& [resource, amount] : spec.pod_limits) {
    if (!sum.has(resource)) sum.set(resource, amount);
  }
  sum.add(spec.overhead);
  return sum;
}

std::string volumes_resource(View driver) { return "volumes of " + std::string(driver); }
std::string devices_resource(View device_class) { return "devices of class " + std::string(device_class); }

RequestReader::RequestReader(Cluster& to) : to_(to) {
  for (const Claim& one : to.from.claims) claims_.emplace(one.path(), &one);
  for (const Volume& one : to.from.volumes) volumes_.emplace(one.name, &one);
  for (const LimitRange& one : to.from.limit_ranges) limit_ranges_[one.ns].push_back(&one);
  for (const DeviceClaim& one : to.from.device_claims)
    device_claims_.emplace((one.is_template ? "t " : "c ") + one.path(), &one);
  for (const VolumeLimits& one : to.from.volume_limits) {
    for (const auto& [driver, count] : one.drivers) limited_drivers_[driver] = limited_drivers_[driver] || count.has_value();
  }
}

Asked RequestReader::of_pod(const Pod& pod, const std::string& name, const std::vector<Controller::ClaimTemplate>* claims) {
  Asked made{pod.spec, container_requests(*pod.spec, pod.given, nullptr), {}, {}, {}, {}};
  add_class(*pod.spec, made, name);
  add_volumes(pod.ns, pod.name, made, name);
  for (const Controller::ClaimTemplate& one : claims == nullptr ? std::vector<Controller::ClaimTemplate>{} : *claims) {
    const std::string claim = std::string(one.name) + "-" + std::string(pod.name);
    const bool named = ranges::find(pod.spec->volumes, View(claim), &VolumeUse::claim) != pod.spec->volumes.end();
    if (!named && claims_.contains(path_of(pod.ns, claim))) add_claim(pod.ns, claim, made, name);
  }
  add_devices(pod.ns, *pod.spec, made, name);
  take_devices(to_, pod.labels, pod.annotations, made, name);
  return made;
}

Asked RequestReader::of_template(const Template& from, const std::string& name) {
  Amounts defaults;
  if (const auto found = limit_ranges_.find(from.ns); found != limit_ranges_.end()) {
    for (const LimitRange* one : found->second) {
      for (const auto& [resource, amount] : one->requests) defaults.set(resource, amount);
    }
  }
  Asked made{from.spec, container_requests(*from.spec, {}, &defaults), {}, {}, {}, {}};
  add_class(*from.spec, made, name);
  add_volumes(from.ns, "", made, name);
  if (from.claims != nullptr && !from.pod.empty()) {
    for (const Controller::ClaimTemplate& one : *from.claims) {
      const std::string claim = std::string(one.name) + "-" + from.pod;
      if (claims_.contains(path_of(from.ns, claim))) {
        add_claim(from.ns, claim, made, name);
      } else if (const StorageClass* its =
                     storage_class(one.storage_class.empty() ? std::nullopt : std::optional(one.storage_class))) {
        add_storage_class(claim, *its, made);
        add_volume(its->provisioner, made, name);
      } else {
        add_volume("", made, name);
      }
    }
  }
  add_devices(from.ns, *from.spec, made, name);
  take_devices(to_, from.labels, from.annotations, made, name);
  return made;
}

void RequestReader::add_class(const PodSpec& spec, Asked& to, const std::string& name) {
  if (spec.runtime_class.empty()) return;
  const auto found = ranges::find(to_.from.runtime_classes, spec.runtime_class, &RuntimeClass::name);
  if (found == to_.from.runtime_classes.end()) {
    to_.miss(name + ": what its RuntimeClass " + std::string(spec.runtime_class) + " adds, which is not in the input");
    return;
  }
  auto changed = std::make_shared<PodSpec>(spec);
  for (const auto& [key, value] : found->node_selector) changed->node_selector.add(key, value);
  changed->tolerations.insert(changed->tolerations.end(), found->tolerations.begin(), found->tolerations.end());
  to.spec = std::move(changed);
  if (!spec.has_overhead) to.requests.add(found->overhead);
}

const StorageClass* RequestReader::storage_class(const std::optional<View>& name) const {
  const auto& all = to_.from.storage_classes;
  const auto found = ranges::find_if(all, [&](const StorageClass& one) { return name ? one.name == *name : one.standard; });
  return found == all.end() ? nullptr : &*found;
}

void RequestReader::add_volume(View driver, Asked& to, const std::string& name) {
  const auto found = limited_drivers_.find(driver);
  if (driver.empty() || found == limited_drivers_.end()) {
    unlimited_.insert(name);
  } else if (found->second) {
    to.requests.add(to_.from.resources.number(volumes_resource(driver)), 1);
  }
}

void RequestReader::add_storage_class(const std::string& claim, const StorageClass& its, Asked& to) {
  if (!its.within.empty()) to.within.push_back({claim, its.within});
}

/// A claim without a volume gets one where its pod is, within what its class allows.
void RequestReader::add_unbound(const Claim& claim, Asked& to, const std::string& name) {
  const StorageClass* its = storage_class(claim.storage_class);
  if (its == nullptr) {
    const bool any = claim.storage_class && claim.storage_class->empty();
    if (!any)
      to_.miss(name + ": where the volume of claim " + std::string(claim.name) + " may be: its class is not in the input");
    add_volume("", to, name);
    if (!any) return;
  }
  if (its != nullptr && its->provisioner != "kubernetes.io/no-provisioner") {
    add_storage_class(std::string(claim.name), *its, to);
    add_volume(its->provisioner, to, name);
    return;
  }
  // Nothing makes a volume: it is one of those that are there.
  Within within{std::string(claim.name), {}};
  for (const Volume& one : to_.from.volumes) {
    const bool free = one.available || (one.claim == claim.name && one.claim_ns == claim.ns);
    const View wanted = claim.storage_class ? *claim.storage_class : its != nullptr ? its->name : View();
    if (!free || one.storage_class != wanted || one.size < claim.size) continue;
    if (one.within.empty()) return;
    within.terms.insert(within.terms.end(), one.within.front().begin(), one.within.front().end());
  }
  to.within.push_back(std::move(within));
}

void RequestReader::add_claim(View ns, const std::string& name_of_claim, Asked& to, const std::string& name) {
  const auto found = claims_.find(path_of(ns, name_of_claim));
  if (found == claims_.end()) {
    to_.miss(name + ": where its volumes are");
    unlimited_.insert(name);
    return;
  }
  const Claim& claim = *found->second;
  if (claim.one_pod) to.one_pod_claims.push_back(claim.path());
  if (claim.volume.empty()) return add_unbound(claim, to, name);
  const auto volume = volumes_.find(claim.volume);
  if (volume == volumes_.end()) {
    to_.miss(name + ": where its volumes are");
    unlimited_.insert(name);
    return;
  }
  for (const auto& terms : volume->second->within) to.within.push_back({name_of_claim, terms});
  if (!volume->second->driver.empty()) add_volume(volume->second->driver, to, name);
}

void RequestReader::add_volumes(View ns, View pod, Asked& to, const std::string& name) {
  for (const VolumeUse& one : to.spec->volumes) {
    if (!one.claim.empty()) {
      add_claim(ns, std::string(one.claim), to, name);
    } else if (one.made_with_pod) {
      const std::string claim = std::string(pod) + "-" + std::string(one.name);
      const StorageClass* its = storage_class(one.storage_class.empty() ? std::nullopt : std::optional(one.storage_class));
      if (!pod.empty() && claims_.contains(path_of(ns, claim))) {
        add_claim(ns, claim, to, name);
      } else {
        if (its != nullptr) add_storage_class(claim, *its, to);
        add_volume(its == nullptr ? View() : its->provisioner, to, name);
      }
    } else if (!one.driver.empty() && limited_drivers_.contains(one.driver)) {
      add_volume(one.driver, to, name);
    } else if (one.empty_dir && !one.in_memory) {
      to.local_data.emplace_back("emptyDir " + std::string(one.name) + ", whose data is lost");
    } else if (!one.host_path.empty()) {
      to.local_data.push_back("hostPath " + std::string(one.host_path) + ", whose data stays behind");
    }
  }
}

void RequestReader::add_devices(View ns, const PodSpec& spec, Asked& to, const std::string& name) {
  for (const DeviceUse& one : spec.devices) {
    const bool is_template = !one.claim_template.empty();
    const View wanted = is_template ? one.claim_template : one.claim;
    if (wanted.empty()) {
      to_.leave_out(name + ": resource claims: " + std::string(one.name) + " names neither a claim nor a template");
      continue;
    }
    const auto found = device_claims_.find((is_template ? "t " : "c ") + path_of(ns, wanted));
    if (found == device_claims_.end()) {
      to_.miss(name + ": resource claims: the " + (is_template ? "ResourceClaimTemplate " : "ResourceClaim ") +
               std::string(wanted) + " is not in the input");
      continue;
    }
    for (const DeviceRequest& request : found->second->requests) {
      const auto its = ranges::find(to_.from.device_classes, request.device_class, &DeviceClass::name);
      if (its == to_.from.device_classes.end()) {
        to_.miss(name + ": resource claims: the DeviceClass " + std::string(request.device_class) + " is not in the input");
        continue;
      }
      if (!request.exact || !its->exact) {
        to_.leave_out(name + ": resource claims: which devices of class " + std::string(request.device_class) +
                      " they select; at least so many are needed");
      }
      to.requests.add(to_.from.resources.number(devices_resource(request.device_class)), request.count);
    }
  }
}

void add_node_limits(Cluster& to) {
  ResourceNames& names = to.from.resources;
  std::unordered_map<View, const VolumeLimits*> limits;
  std::set<View> drivers;
  for (const VolumeLimits& one : to.from.volume_limits) {
    limits.emplace(one.name, &one);
    for (const auto& [driver, count] : one.drivers) {
      if (count) drivers.insert(driver);
    }
  }
  for (Node& node : to.from.nodes) {
    if (!node.has_status) continue;
    for (const View driver : drivers) {
      std::int64_t count = kAnyNumber;
      if (const auto found = limits.find(node.name); found != limits.end()) {
        for (const auto& [its, most] : found->second->drivers) {
          if (its == driver && most) count = std::clamp<std::int64_t>(*most, 0, kAnyNumber);
        }
      }
      node.allocatable.set(names.number(volumes_resource(driver)), count);
    }
    for (const DeviceClass& one : to.from.device_classes) {
      std::int64_t sum = 0;
      for (const DeviceSlice& slice : to.from.device_slices) {
        if (slice.node == node.name && (one.driver.empty() || one.driver == slice.driver)) sum += slice.devices;
      }
      node.allocatable.set(names.number(devices_resource(one.name)), sum);
    }
  }
}

}  // namespace stowage::k8s
