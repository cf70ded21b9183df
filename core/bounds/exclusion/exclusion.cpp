#include "core/bounds/exclusion/exclusion.h"

#include <algorithm>

namespace stowage {
namespace {

/// With more kinds of nodes, one that is as large as all of them stands for them.
constexpr std::size_t kMostKinds = 8;

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
  if (supply.groups.size() <= kMostKinds) {
    for (const Supply::Group& group : supply.groups) carries_.push_back(group.carries);
  } else {
    carries_.push_back(largest_);
  }
  demand_.reserve(apps.size() * dims_);
  supply.visit_demand([&](const auto& demand_of) {
    for (const AppId i : apps) {
      const auto demand = demand_of(i);
      demand_.insert(demand_.end(), demand.begin(), demand.end());
    }
  });
  if (instance.data().running.empty() && instance.data().pinned.empty()) return;
  std::vector<std::uint8_t> starts(instance.apps(), 0);
  for (const Residence& r : instance.data().running) starts[r.app] = 1;
  for (const Residence& r : instance.data().pinned) starts[r.app] = 1;
  for (std::size_t k = 0; k < apps.size(); ++k) starts_[k] = starts[apps[k]];
}

bool Exclusion::fits(const std::vector<std::int64_t>& carries, std::initializer_list<std::uint32_t> apps) const {
  for (std::uint32_t h = 0; h < dims_; ++h) {
    std::int64_t sum = 0;
    for (const std::uint32_t app : apps) sum += demand_[std::size_t{app} * dims_ + h];
    if (sum > carries[h]) return false;
  }
  return true;
}

bool Exclusion::too_large(std::initializer_list<std::uint32_t> apps) const {
  return std::none_of(carries_.begin(), carries_.end(), [&](const auto& carries) { return fits(carries, apps); });
}

bool Exclusion::excludes(std::uint32_t a, std::uint32_t b) const {
  if (too_large({a, b})) return true;
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
