#include "core/bounds/exclusion/exclusion.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

/// With more kinds of nodes, one that is as large as all of them stands for them.
constexpr std::size_t kMostKinds = 8;

/// Stands for this much and more.
constexpr std::uint32_t kPlenty = ~0u;

}  // namespace

std::vector<AppId> apps_above(const Instance& instance, const Supply& supply, std::int64_t parts) {
  const std::uint32_t dims = instance.dims();
  std::vector<std::int64_t> share(dims);
  for (std::uint32_t h = 0; h < dims; ++h) share[h] = supply.largest(h) / parts;
  std::vector<AppId> result;
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      const auto demand = demand_of(i);
      bool above = false;
      for (std::uint32_t h = 0; h < dims; ++h) above |= demand[h] > share[h];
      if (above && instance.replicas(i) > 0) result.push_back(i);
    }
  });
  return result;
}

Exclusion::Exclusion(const Instance& instance, const Supply& supply, std::span<const AppId> apps)
    : limits_(instance.limit_rows()), apps_(apps), dims_(instance.dims()), starts_(apps.size(), 0) {
  for (std::uint32_t h = 0; h < dims_; ++h) largest_.push_back(supply.largest(h));
  const auto add_kind = [&](const std::vector<std::int64_t>& carries) {
    std::vector<std::uint32_t> row(dims_, kPlenty);
    for (std::uint32_t h = 0; h < dims_; ++h) {
      row[h] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(carries[h], 0, kPlenty));
    }
    carries_.push_back(std::move(row));
  };
  if (supply.groups.size() <= kMostKinds) {
    for (const Supply::Group& group : supply.groups) add_kind(group.carries);
  } else {
    add_kind(largest_);
  }
  demand_.reserve(apps.size() * dims_);
  supply.visit_demand([&](const auto& demand_of) {
    for (const AppId i : apps) {
      const auto demand = demand_of(i);
      demand_.insert(demand_.end(), demand.begin(), demand.end());
    }
  });
  for (std::uint32_t a = 0; a < apps.size(); ++a) {
    const auto share = [&](std::uint32_t h) {
      return largest_[h] > 0 ? static_cast<double>(row(a)[h]) / static_cast<double>(largest_[h]) : 0;
    };
    std::uint32_t peak = 0;
    for (std::uint32_t h = 1; h < dims_; ++h) peak = share(h) > share(peak) ? h : peak;
    peak_.push_back(peak);
  }
  if (instance.data().running.empty() && instance.data().pinned.empty()) return;
  std::vector<std::uint8_t> starts(instance.apps(), 0);
  for (const Residence& r : instance.data().running) starts[r.app] = 1;
  for (const Residence& r : instance.data().pinned) starts[r.app] = 1;
  for (std::size_t k = 0; k < apps.size(); ++k) starts_[k] = starts[apps[k]];
}

template <class Exceeds>
bool Exclusion::all_exceeded(std::initializer_list<std::uint32_t> peaks, Exceeds&& exceeds) const {
  for (const std::vector<std::uint32_t>& carries : carries_) {
    // Most of what is too large is so where one of them is largest.
    std::uint32_t at_peak = 0;
    for (const std::uint32_t h : peaks) at_peak |= exceeds(h, carries[h]);
    if (at_peak != 0) continue;
    // Without an early end, so that the compiler makes vector instructions of it.
    std::uint32_t exceeded = 0;
    for (std::uint32_t h = 0; h < dims_; ++h) exceeded |= exceeds(h, carries[h]);
    if (exceeded == 0) return false;
  }
  return true;
}

bool Exclusion::too_large(std::uint32_t a, std::uint32_t b) const {
  // Demand is not negative, so that a sum of two fits 32 bits without a sign.
  return all_exceeded({peak_[a], peak_[b]}, [of_a = row(a), of_b = row(b)](std::uint32_t at, std::uint32_t carries) {
    const std::uint32_t sum = static_cast<std::uint32_t>(of_a[at]) + static_cast<std::uint32_t>(of_b[at]);
    return sum > carries ? 1u : 0u;
  });
}

bool Exclusion::too_large(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  return all_exceeded({peak_[a], peak_[b], peak_[c]},
                      [of_a = row(a), of_b = row(b), of_c = row(c)](std::uint32_t at, std::uint32_t carries) {
                        const std::uint32_t two = static_cast<std::uint32_t>(of_a[at]) + static_cast<std::uint32_t>(of_b[at]);
                        const std::uint32_t sum = two + static_cast<std::uint32_t>(of_c[at]);
                        // A sum that does not fit 32 bits is more than a node carries of which that is known.
                        return (sum > carries ? 1u : 0u) | (sum < two && carries != kPlenty ? 1u : 0u);
                      });
}

bool Exclusion::excludes(std::uint32_t a, std::uint32_t b) const {
  if (too_large(a, b)) return true;
  if (starts_[a] != 0 && starts_[b] != 0) return false;
  if (a == b) return limits_.self_limit(apps_[a]) <= 1;
  const std::uint32_t codes = limits_.find(apps_[a], apps_[b]);
  return codes != 0 && (limits_.imposes(codes) == 0 || limits_.obeys(codes) == 0);
}

double Exclusion::largest_share(std::uint32_t app) const {
  double most = 0;
  for (std::uint32_t h = 0; h < dims_; ++h) {
    if (largest_[h] > 0)
      most = std::max(most, static_cast<double>(demand_[std::size_t{app} * dims_ + h]) / static_cast<double>(largest_[h]));
  }
  return most;
}

double Exclusion::sum_of_shares(std::uint32_t app) const {
  double sum = 0;
  for (std::uint32_t h = 0; h < dims_; ++h) {
    if (largest_[h] > 0) sum += static_cast<double>(demand_[std::size_t{app} * dims_ + h]) / static_cast<double>(largest_[h]);
  }
  return sum;
}

}  // namespace stowage
