// Apps with the same demand, taken together: what depends on demand alone is worked out once per group.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/model/instance.h"

namespace stowage {

/// Apps of equal priority, equal scaled demand and equal risk. Groups are ordered by their first app, apps within a group by
/// index.
template <class Unit>
class AppGroups {
 public:
  explicit AppGroups(const Instance& instance) : group_of_(instance.apps()) {
    std::vector<AppId> order(instance.apps());
    std::iota(order.begin(), order.end(), 0);
    const auto less = [&](AppId a, AppId b) {
      if (instance.priority(a) != instance.priority(b)) return instance.priority(a) < instance.priority(b);
      const auto x = instance.scaled_demand<Unit>(a);
      const auto y = instance.scaled_demand<Unit>(b);
      if (!std::equal(x.begin(), x.end(), y.begin()))
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
      const auto p = instance.scaled_risk(a);
      const auto q = instance.scaled_risk(b);
      return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
    };
    std::stable_sort(order.begin(), order.end(), less);
    std::vector<std::vector<AppId>> groups;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k == 0 || less(order[k - 1], order[k])) groups.emplace_back();
      groups.back().push_back(order[k]);
    }
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
    members_ = std::move(groups);
    for (std::uint32_t g = 0; g < members_.size(); ++g) {
      for (const AppId app : members_[g]) group_of_[app] = g;
    }
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  [[nodiscard]] const std::vector<AppId>& members(std::uint32_t group) const { return members_[group]; }
  [[nodiscard]] std::vector<AppId>& members(std::uint32_t group) { return members_[group]; }
  [[nodiscard]] std::uint32_t group_of(AppId app) const { return group_of_[app]; }

 private:
  std::vector<std::vector<AppId>> members_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace stowage
