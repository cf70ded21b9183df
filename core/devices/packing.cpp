#include "core/devices/packing.h"

#include <algorithm>
#include <limits>

#include "core/base/numbers/most_fitting.h"

namespace stowage {
namespace {

/// Takes as many parts as fit into `free`, largest first, off `left`. Returns what stays free.
std::int64_t fill_greedily(std::span<const EqualParts> parts, std::span<std::uint32_t> left, std::int64_t free) {
  for (std::size_t k = 0; k < parts.size() && free > 0; ++k) {
    if (left[k] == 0 || parts[k].size > free) continue;
    const auto taken = static_cast<std::uint32_t>(std::min<std::int64_t>(left[k], free / parts[k].size));
    left[k] -= taken;
    free -= std::int64_t{taken} * parts[k].size;
  }
  return free;
}

/// Numbers of parts that are left, one per size, without memory of their own where the sizes are few.
class DeviceCounts {
 public:
  explicit DeviceCounts(std::span<const EqualParts> parts) : size_(parts.size()) {
    if (size_ > few_.size()) many_.resize(size_);
    for (std::size_t k = 0; k < size_; ++k) all()[k] = parts[k].count;
  }
  [[nodiscard]] std::span<std::uint32_t> all() {
    return many_.empty() ? std::span(few_.data(), size_) : std::span(many_.data(), size_);
  }

 private:
  std::size_t size_;
  std::array<std::uint32_t, 32> few_;
  std::vector<std::uint32_t> many_;
};

/// States of the search that lead nowhere: what is left, and for how many devices.
class FailedStates {
 public:
  explicit FailedStates(std::size_t sizes) : width_(sizes + 1), slots_(64, 0) {}
  [[nodiscard]] bool contains(std::span<const std::uint32_t> left, std::uint32_t devices) const {
    return slots_[find(left, devices)] != 0;
  }
  void add(std::span<const std::uint32_t> left, std::uint32_t devices) {
    if (2 * (states_ + 1) > slots_.size()) grow();
    keys_.insert(keys_.end(), left.begin(), left.end());
    keys_.push_back(devices);
    slots_[find(left, devices)] = ++states_;
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> key(std::uint32_t state) const {
    return {keys_.data() + state * width_, width_};
  }
  [[nodiscard]] std::size_t find(std::span<const std::uint32_t> left, std::uint32_t devices) const {
    std::uint64_t hash = devices;
    for (const std::uint32_t count : left) hash = (hash ^ count) * 0x9E3779B97F4A7C15u;
    std::size_t at = static_cast<std::size_t>(hash >> 32) & (slots_.size() - 1);
    const auto same = [&](std::span<const std::uint32_t> known) {
      bool equal = known[left.size()] == devices;
      for (std::size_t k = 0; k < left.size() && equal; ++k) equal = known[k] == left[k];
      return equal;
    };
    while (slots_[at] != 0 && !same(key(slots_[at] - 1))) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::uint32_t state = 0; state < states_; ++state) {
      slots_[find(key(state).first(width_ - 1), key(state).back())] = state + 1;
    }
  }

  std::size_t width_;
  std::uint32_t states_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> slots_;  // 1 + the index of a state; 0: none
};

/// Bin completion (Korf 2002), without his dominance between fillings.
class Completion {
 public:
  Completion(std::span<const EqualParts> parts, std::int32_t size, std::uint32_t most_steps)
      : parts_(parts), size_(size), most_steps_(most_steps), counts_(parts), left_(counts_.all()), failed_(parts.size()) {}

  [[nodiscard]] std::uint32_t steps() const { return steps_; }

  // All that is left, on so many devices.
  bool place(std::uint32_t devices, std::int64_t sum) {
    if (sum == 0) return true;
    const std::int64_t waste = std::int64_t{devices} * size_ - sum;
    if (waste < 0 || failed_.contains(left_, devices)) return false;
    std::size_t first = 0;
    while (left_[first] == 0) ++first;
    --left_[first];
    const bool placed = fill(first, size_ - parts_[first].size, {devices, sum, waste});
    ++left_[first];
    if (!placed && steps_ < most_steps_) failed_.add(left_, devices);
    return placed;
  }

 private:
  struct Open {
    std::uint32_t devices;  // the one that is filled included
    std::int64_t sum;       // of what was left before it
    std::int64_t waste;     // that may be left free in all
  };
  // Fills a device with parts from the k-th size on, most of the larger ones first. As deep as sizes are taken.
  bool fill(std::size_t k, std::int64_t free, const Open& open) {
    if (++steps_ >= most_steps_) return false;
    bool has_room = false;
    for (; k < parts_.size(); ++k) {
      if (left_[k] == 0 || parts_[k].size > free) continue;
      has_room = true;
      const auto most = static_cast<std::uint32_t>(std::min<std::int64_t>(left_[k], free / parts_[k].size));
      for (std::uint32_t taken = most; taken > 0; --taken) {
        left_[k] -= taken;
        const bool placed = fill(k + 1, free - std::int64_t{taken} * parts_[k].size, open);
        left_[k] += taken;
        if (placed) return true;
      }
    }
    // A device with room for a part that is left is no better than the same with that part.
    if (has_room || free > open.waste || any_left_within(free)) return false;
    return place(open.devices - 1, open.sum - (size_ - free));
  }
  [[nodiscard]] bool any_left_within(std::int64_t free) const {
    std::size_t k = parts_.size();
    while (k > 0 && parts_[k - 1].size <= free) {
      if (left_[--k] > 0) return true;
    }
    return false;
  }

  std::span<const EqualParts> parts_;
  std::int32_t size_;
  std::uint32_t most_steps_;
  DeviceCounts counts_;
  std::span<std::uint32_t> left_;
  FailedStates failed_;
  std::uint32_t steps_ = 0;
};

}  // namespace

void DevicePacking::add(std::int32_t size, std::uint32_t count) {
  sum_ += std::int64_t{size} * count;
  const auto insert = [&](std::span<EqualParts> list, std::size_t used) {
    std::size_t at = used;
    while (at > 0 && list[at - 1].size < size) --at;
    if (at > 0 && list[at - 1].size == size) {
      list[at - 1].count += count;
      return false;
    }
    std::copy_backward(list.begin() + static_cast<std::ptrdiff_t>(at), list.begin() + static_cast<std::ptrdiff_t>(used),
                       list.begin() + static_cast<std::ptrdiff_t>(used) + 1);
    list[at] = {size, count};
    return true;
  };
  if (many_.empty() && sizes_ == kFew) many_.assign(few_.begin(), few_.end());
  if (many_.empty()) {
    sizes_ += insert(few_, sizes_) ? 1 : 0;
    return;
  }
  many_.push_back({});
  if (!insert(many_, many_.size() - 1)) many_.pop_back();
}

std::uint64_t DevicePacking::left_over(std::uint64_t devices) const {
  DeviceCounts counts(parts());
  for (; devices > 0; --devices) {
    if (fill_greedily(parts(), counts.all(), size_) == size_) break;
  }
  std::uint64_t left = 0;
  for (const std::uint32_t count : counts.all()) left += count;
  return left;
}

void DevicePacking::free_units(std::uint64_t devices, std::vector<std::int32_t>& free) const {
  DeviceCounts counts(parts());
  free.resize(devices);
  for (std::int32_t& one : free) one = static_cast<std::int32_t>(fill_greedily(parts(), counts.all(), size_));
}

std::uint64_t DevicePacking::least_needed() const {
  if (sum_ == 0) return 0;  // also where no app asks for the devices, whose size is then unknown
  std::int64_t needed = (sum_ + size_ - 1) / size_;
  const auto all = parts();
  // Of parts above half a device, and then with each smaller size as the least that counts.
  std::int64_t large = 0;
  std::int64_t sum_of_large = 0;
  std::size_t half = 0;
  for (; half < all.size() && 2 * std::int64_t{all[half].size} > size_; ++half) {
    large += all[half].count;
    sum_of_large += std::int64_t{all[half].count} * all[half].size;
  }
  needed = std::max(needed, large);
  std::int64_t small = 0;
  for (std::size_t k = half; k < all.size(); ++k) {
    small += std::int64_t{all[k].count} * all[k].size;
    // Beside parts above size - least, none of these fits.
    std::int64_t closed = 0;
    std::int64_t sum_of_closed = 0;
    for (std::size_t j = 0; j < half && all[j].size > size_ - all[k].size; ++j) {
      closed += all[j].count;
      sum_of_closed += std::int64_t{all[j].count} * all[j].size;
    }
    const std::int64_t free = (large - closed) * size_ - (sum_of_large - sum_of_closed);
    if (small > free) needed = std::max(needed, large + (small - free + size_ - 1) / size_);
  }
  return static_cast<std::uint64_t>(needed);
}

bool DevicePacking::fit(std::uint64_t devices, PackingEffort* effort) const {
  const auto all = parts();
  if (all.empty()) return true;
  devices = std::min<std::uint64_t>(devices, std::numeric_limits<std::int32_t>::max());
  if (all[0].size > size_ || sum_ > static_cast<std::int64_t>(devices) * size_) return false;
  if (left_over(devices) == 0) return true;
  const std::uint32_t most_steps = effort == nullptr ? kMostSteps : effort->most;
  if (least_needed() > devices || most_steps == 0) return false;
  Completion search(all, size_, most_steps);
  const bool found = search.place(static_cast<std::uint32_t>(devices), sum_);
  if (effort != nullptr) effort->steps += search.steps();
  return found;
}

std::uint32_t DevicePacking::more(std::int32_t size, std::uint64_t devices, std::uint32_t wanted, PackingEffort* effort) const {
  const std::int64_t free = static_cast<std::int64_t>(devices) * size_ - sum_;
  if (free < size || size > size_) return 0;
  wanted = static_cast<std::uint32_t>(std::min<std::int64_t>(wanted, free / size));
  return most_fitting(wanted, [&](std::uint32_t count) {
    DevicePacking with = *this;
    with.add(size, count);
    return with.fit(devices, effort);
  });
}

std::uint32_t DevicePacking::whole(std::uint32_t each, std::uint64_t devices, std::uint32_t wanted,
                                   PackingEffort* effort) const {
  wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, devices / each));
  return most_fitting(wanted, [&](std::uint32_t count) { return fit(devices - std::uint64_t{each} * count, effort); });
}

}  // namespace stowage
