#include "core/verify/devices/device_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace stowage {
namespace {

constexpr double kDeviceTolerance = 1e-9;
/// More parts than any node of the search's step limit has.
constexpr std::uint64_t kMostCheckedParts = 10'000;
constexpr std::uint64_t kMostSearchSteps = 100'000;
constexpr std::uint64_t kFewSearchSteps = 1'000;
constexpr std::uint64_t kManyFailures = 100;

/// Backtracking, part by part from the largest down. A part tries one of several devices that are equally full; parts of one
/// size go to devices in ascending order.
class Backtracking {
 public:
  Backtracking(const std::vector<double>& sizes, std::size_t devices, double device)
      : sizes_(sizes), most_(device * (1 + kDeviceTolerance)), used_(devices, 0), at_(sizes.size(), 0) {}

  bool run(std::uint64_t most_steps, Watch* watch) {
    std::size_t part = 0;
    std::size_t from = 0;
    for (std::uint64_t step = 0; step < most_steps; ++step) {
      if (watch != nullptr && watch->step(used_.size())) return false;
      const std::size_t device = find(part, from);
      if (device < used_.size()) {
        used_[device] += sizes_[part];
        at_[part] = device;
        if (++part == sizes_.size()) return true;
        from = sizes_[part] == sizes_[part - 1] ? device : 0;
        continue;
      }
      if (part == 0) return false;
      --part;
      used_[at_[part]] -= sizes_[part];
      from = at_[part] + 1;
    }
    return false;
  }

 private:
  [[nodiscard]] std::size_t find(std::size_t part, std::size_t from) const {
    const std::size_t first = part > 0 && sizes_[part] == sizes_[part - 1] ? at_[part - 1] : 0;
    for (std::size_t device = from; device < used_.size(); ++device) {
      if (used_[device] + sizes_[part] > most_) continue;
      bool tried = false;
      for (std::size_t other = first; other < device && !tried; ++other) tried = used_[other] == used_[device];
      if (!tried) return device;
    }
    return used_.size();
  }

  const std::vector<double>& sizes_;
  double most_;
  std::vector<double> used_;
  std::vector<std::size_t> at_;  // per part
};

}  // namespace

void DeviceCheck::begin(double device) {
  device_ = device;
  whole_ = 0;
  parts_.clear();
}

void DeviceCheck::add_demand(double amount, std::uint64_t replicas) {
  if (!(amount > 0) || replicas == 0) return;
  if (amount >= device_ * (1 - kDeviceTolerance)) {
    whole_ += std::ceil(amount / device_ * (1 - kDeviceTolerance)) * static_cast<double>(replicas);
  } else {
    parts_.push_back({amount, replicas});
  }
}

void DeviceCheck::add_load(double amount) {
  const double whole = std::floor(amount / device_ * (1 + kDeviceTolerance));
  whole_ += whole;
  const double rest = amount - whole * device_;
  if (rest > device_ * kDeviceTolerance * std::max(1.0, whole)) parts_.push_back({rest, 1});
}

double DeviceCheck::taken() const {
  std::vector<Part> left = parts_;
  std::sort(left.begin(), left.end(), [](const Part& a, const Part& b) { return a.size > b.size; });
  double devices = whole_;
  const double most = device_ * (1 + kDeviceTolerance);
  std::vector<std::uint64_t> on_one(left.size());
  for (bool any = true; any;) {
    any = false;
    double used = 0;
    std::uint64_t times = ~std::uint64_t{0};
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double room = std::max(0.0, std::floor((most - used) / left[k].size));
      on_one[k] = room < static_cast<double>(left[k].count) ? static_cast<std::uint64_t>(room) : left[k].count;
      used += left[k].size * static_cast<double>(on_one[k]);
      if (on_one[k] == 0) continue;
      any = true;
      times = std::min(times, left[k].count / on_one[k]);
    }
    if (!any) break;
    // The next devices are filled alike, as long as there is enough of everything.
    devices += static_cast<double>(times);
    for (std::size_t k = 0; k < left.size(); ++k) left[k].count -= times * on_one[k];
  }
  return devices;
}

bool DeviceCheck::fits(double devices, Watch* watch) {
  if (whole_ > devices) return false;
  double sum = 0;
  std::uint64_t count = 0;
  for (const Part& part : parts_) {
    sum += part.size * static_cast<double>(part.count);
    count += std::min(part.count, kMostCheckedParts);
  }
  const double left = devices - whole_;
  if (sum > left * device_ * (1 + kDeviceTolerance)) return false;
  if (taken() <= devices || (count <= kMostCheckedParts && search(static_cast<std::uint64_t>(left), watch))) return true;
  ++failures_;
  return false;
}

bool DeviceCheck::search(std::uint64_t devices, Watch* watch) {
  std::vector<double> sizes;
  for (const Part& part : parts_) sizes.insert(sizes.end(), part.count, part.size);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return Backtracking(sizes, devices, device_).run(failures_ < kManyFailures ? kMostSearchSteps : kFewSearchSteps, watch);
}

}  // namespace stowage
