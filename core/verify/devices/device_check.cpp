#include "core/verify/devices/device_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace stowage {
namespace {

constexpr double kDeviceTolerance = 1e-9;
/// More parts than any node of the search's step limit has.
constexpr std::uint64_t kMostCheckedParts = 10'000;
constexpr std::uint64_t kMostSearchSteps = 200'000;
constexpr std::uint64_t kFewSearchSteps = 1'000;
constexpr std::uint64_t kManyFailures = 100;

/// Fills device after device. The largest part that is left is on the next one, with others in every way that leaves no room
/// for a further part; most of the larger ones first.
class DeviceFilling {
 public:
  struct Size {
    double size;
    std::uint64_t count;
  };
  /// @param sizes descending
  DeviceFilling(std::vector<Size> sizes, double device, std::uint64_t most_steps, WatchRef watch)
      : left_(std::move(sizes)), most_(device * (1 + kDeviceTolerance)), steps_left_(most_steps), watch_(watch) {}

  /// Whether everything that is left fits on so many devices.
  bool fits(std::uint64_t devices) {
    double sum = 0;
    for (const Size& one : left_) sum += one.size * static_cast<double>(one.count);
    if (sum == 0) return true;
    if (devices == 0 || sum > static_cast<double>(devices) * most_) return false;
    const auto largest = std::find_if(left_.begin(), left_.end(), [](const Size& one) { return one.count > 0; });
    --largest->count;
    const bool found = fill(static_cast<std::size_t>(largest - left_.begin()), largest->size, devices);
    ++largest->count;
    return found;
  }

 private:
  // Adds parts from the k-th size on to a device of which `used` is taken; the others go on the devices after it.
  bool fill(std::size_t k, double used, std::uint64_t devices) {
    if (steps_left_ == 0 || watch_.step(left_.size())) return false;
    --steps_left_;
    bool has_room = false;
    for (; k < left_.size(); ++k) {
      Size& part = left_[k];
      if (part.count == 0 || used + part.size > most_) continue;
      has_room = true;
      const double room = std::max(1.0, std::floor((most_ - used) / part.size));
      const std::uint64_t most = room < static_cast<double>(part.count) ? static_cast<std::uint64_t>(room) : part.count;
      for (std::uint64_t taken = most; taken > 0; --taken) {
        part.count -= taken;
        const bool found = fill(k + 1, used + static_cast<double>(taken) * part.size, devices);
        part.count += taken;
        if (found) return true;
      }
    }
    // With room for one more part, the device is no better filled than with it.
    return !has_room && fits(devices - 1);
  }

  std::vector<Size> left_;
  double most_;
  std::uint64_t steps_left_;
  WatchRef watch_;
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

bool DeviceCheck::fits(double devices, WatchRef watch) {
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

bool DeviceCheck::search(std::uint64_t devices, WatchRef watch) {
  std::vector<DeviceFilling::Size> sizes;
  for (const Part& part : parts_) sizes.push_back({part.size, part.count});
  std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.size > b.size; });
  // Parts of one size that come from several apps are alike.
  std::size_t kept = 0;
  for (const DeviceFilling::Size& one : sizes) {
    if (kept > 0 && sizes[kept - 1].size == one.size) {
      sizes[kept - 1].count += one.count;
    } else {
      sizes[kept++] = one;
    }
  }
  sizes.resize(kept);
  const std::uint64_t most_steps = failures_ < kManyFailures ? kMostSearchSteps : kFewSearchSteps;
  return DeviceFilling(std::move(sizes), device_, most_steps, watch).fits(devices);
}

}  // namespace stowage
