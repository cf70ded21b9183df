// Shares of GPUs, as Open-Simulator, Aliyun's gpushare and HAMi state them.
#include <algorithm>
#include <array>
#include <charconv>

#include "capi/k8s/model/nodes.h"
#include "capi/k8s/pods/requests.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"

namespace stowage::k8s {
namespace {

// The annotations of a pod of Open-Simulator and of the openb traces; a GPU has 1000.
constexpr View kMilliShares = "alibabacloud.com/gpu-milli", kMilliCount = "alibabacloud.com/gpu-count";
// What gpushare gives out: a node lists the memory of all its GPUs, and their number; a pod's label has its own number.
constexpr View kMemoryShares = "aliyun.com/gpu-mem", kMemoryCount = "aliyun.com/gpu-count";
// What HAMi gives out, for each of the GPUs that a pod asks for. Only the annotation of a node has their memory.
constexpr View kHamiSlots = "nvidia.com/gpu", kHamiMemory = "nvidia.com/gpumem", kHamiShare = "nvidia.com/gpumem-percentage",
               kHamiCores = "nvidia.com/gpucores", kHamiRegister = "hami.io/node-nvidia-register";
constexpr std::int64_t kMilliPerDevice = 1000, kCoresPerDevice = 100;
/// The most devices of a resource that a node of an instance may have.
constexpr std::int64_t kMostDevices = 1024;

/// Takes note of a node's devices.
void see(Cluster& to, int resource, std::int64_t devices, std::int64_t size) {
  if (devices < 1 || devices > kMostDevices) size = 0;
  const auto [known, made] = to.devices.try_emplace(resource, size);
  if (!made && known->second != size) known->second = 0;
}

/// A positive number, or else 0.
std::int64_t number_of(View text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number < (std::int64_t{1} << 31)
             ? std::max<std::int64_t>(number, 0)
             : 0;
}

std::int64_t size_of(const Cluster& of, int resource) {
  const auto found = of.devices.find(resource);
  return found == of.devices.end() ? 0 : found->second;
}

/// States that a pod takes a part of each of some devices. Parts of several devices are no part of the model: they count as
/// whole devices.
void take(Cluster& to, Asked& asked, View name, std::int64_t each, std::int64_t devices, const std::string& app) {
  const int resource = to.from.resources.number(name);
  const std::int64_t size = size_of(to, resource);
  asked.requests.set(resource, each * devices);
  if (size == 0) return;
  if (each > size) {
    asked.too_large = std::to_string(each) + " of " + std::string(name);
    asked.requests.set(resource, size * devices);
  } else if (devices > 1) {
    if (each < size) {
      to.leave_out(app + ": shared GPUs: that it takes parts of several devices of " + std::string(name) +
                   ", which count as whole ones");
    }
    asked.requests.set(resource, size * devices);
  }
}

bool listed(const Cluster& to, int resource) {
  return ranges::any_of(to.from.nodes, [&](const Node& one) { return one.allocatable.has(resource); });
}

/// What a pod asks of each of its GPUs. One that does not say how much memory it takes gets all of it.
void take_of_hami(Cluster& to, Asked& asked, const std::string& app) {
  ResourceNames& names = to.from.resources;
  const auto pick = [&](View name) -> std::int64_t {
    const int resource = names.find(name);
    const std::int64_t amount =
        resource < 0 || !asked.requests.has(resource) || listed(to, resource) ? 0 : asked.requests.get(resource);
    if (resource >= 0 && asked.requests.has(resource) && !listed(to, resource)) asked.requests.erase(resource);
    return amount;
  };
  const std::int64_t memory = pick(kHamiMemory), share = pick(kHamiShare), cores = pick(kHamiCores);
  const int memory_resource = names.find(kHamiMemory);
  const std::int64_t size = memory_resource < 0 ? 0 : size_of(to, memory_resource);
  if (size == 0) {
    for (const auto& [name, amount] : {std::pair{kHamiMemory, memory}, {kHamiShare, share}, {kHamiCores, cores}}) {
      if (amount > 0) to.leave_out(app + ": shared GPUs: its " + std::string(name));
    }
    return;
  }
  const int slots = names.number(kHamiSlots);
  if (asked.requests.get(slots) == 0 && memory + share + cores > 0) asked.requests.set(slots, 1);  // as its webhook sets it
  const std::int64_t devices = asked.requests.get(slots);
  if (devices == 0) return;
  take(to, asked, kHamiMemory, memory > 0 ? memory : share > 0 ? (size * share + 99) / 100 : size, devices, app);
  if (cores > 0) {
    take(to, asked, kHamiCores, cores, devices, app);
    to.leave_out(app + ": shared GPUs: that its " + std::string(kHamiMemory) + " and its " + std::string(kHamiCores) +
                 " are on the same device");
  }
}

/// Resources that are shares of devices. Of those of time slicing, each is as good as any other.
bool is_share(const std::string& name) {
  return ranges::any_of(
      std::array<View, 8>{"gpu-milli", "gpu-mem", "vgpu", "vcuda", "gpumem", "gpucores", "gpu-core", "gpu-memory"},
      [&](View part) { return name.find(part) != std::string::npos; });
}

}  // namespace

void add_device_capacity(Cluster& to, const Node& from, Amounts& capacity) {
  ResourceNames& names = to.from.resources;
  if (const std::int64_t devices = capacity.get(names.number(kMilliCount)); devices > 0) {
    capacity.set(names.number(kMilliShares), devices * kMilliPerDevice);
    see(to, names.number(kMilliShares), devices, kMilliPerDevice);
  }
  if (const std::int64_t memory = capacity.get(names.number(kMemoryShares)); memory > 0) {
    const std::int64_t devices = std::max<std::int64_t>(capacity.get(names.number(kMemoryCount)), 1);
    const bool known = capacity.get(names.number(kMemoryCount)) > 0 && memory % devices == 0;
    see(to, names.number(kMemoryShares), known ? devices : 0, memory / devices);
  }
  const View* annotation = from.annotations.find(kHamiRegister);
  if (annotation == nullptr) return;
  Dom list;
  try {
    scan_value(*annotation, "the annotation", to.from.texts, list);
    for (const At one : list.root().list()) {
      if (!one["health"].flag(true)) continue;
      const std::int64_t memory = quantity(one["devmem"], false);
      capacity.add(names.number(kHamiMemory), memory);
      capacity.add(names.number(kHamiCores), kCoresPerDevice);
      see(to, names.number(kHamiMemory), 1, memory);
    }
  } catch (const cli::Failure&) {
    to.leave_out("shared GPUs: the annotation " + std::string(kHamiRegister) + " of node " + std::string(from.name) +
                 ": it is no list of GPUs");
    see(to, names.number(kHamiMemory), 0, 0);
    return;
  }
  if (const std::int64_t devices = capacity.get(names.number(kHamiCores)) / kCoresPerDevice; devices > 0) {
    see(to, names.number(kHamiCores), devices, kCoresPerDevice);
  }
}

void check_devices(Cluster& to) {
  const int memory = to.from.resources.find(kHamiMemory);
  if (memory < 0 || !to.devices.contains(memory)) return;
  const int slots = to.from.resources.number(kHamiSlots);
  // What a pod asks for means different things on other GPUs.
  const bool whole = ranges::any_of(
      to.from.nodes, [&](const Node& one) { return !one.annotations.has(kHamiRegister) && one.allocatable.get(slots) > 0; });
  if (whole || to.devices[memory] == 0) {
    to.devices[memory] = 0;
    to.devices[to.from.resources.number(kHamiCores)] = 0;
  }
}

void take_devices(Cluster& to, const Labels& labels, const Labels& annotations, Asked& asked, const std::string& name) {
  if (const std::int64_t milli = number_of(annotations.get(kMilliShares)); milli > 0) {
    take(to, asked, kMilliShares, milli, std::max<std::int64_t>(number_of(annotations.get(kMilliCount)), 1), name);
  }
  if (const int resource = to.from.resources.find(kMemoryShares); resource >= 0 && asked.requests.get(resource) > 0) {
    const std::int64_t count = std::max<std::int64_t>(number_of(labels.get(kMemoryCount)), 1);
    take(to, asked, kMemoryShares, asked.requests.get(resource) / count, count, name);
  }
  take_of_hami(to, asked, name);
  for (const auto& [resource, amount] : asked.requests) {
    const std::string& its = to.from.resources.name(resource);
    if (amount > 0 && size_of(to, resource) == 0 && is_share(its)) {
      to.leave_out(name + ": shared GPUs: on which device its " + its + " is; the shares of a node are added up");
    }
  }
  for (const View key : {View("gpu-fraction"), View("gpu-memory")}) {
    if (labels.has(key)) to.leave_out(name + ": shared GPUs: its " + std::string(key));
  }
}

}  // namespace stowage::k8s
