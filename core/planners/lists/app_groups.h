// Groups of apps with the same demand: what depends on demand alone is computed once per group.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/hash.h"
#include "core/model/instance.h"

namespace stowage {

/// Apps of equal priority, equal scaled demand and equal risk. Groups are ordered by their first app, apps within a group by
/// index.
template <class Unit>
class AppGroups {
 public:
  explicit AppGroups(const Instance& instance) : group_of_(instance.apps()) {
    const auto same = [&](AppId a, AppId b) {
      const auto equal = [](auto x, auto y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
      return instance.priority(a) == instance.priority(b) &&
             equal(instance.scaled_demand<Unit>(a), instance.scaled_demand<Unit>(b)) &&
             equal(instance.scaled_risk(a), instance.scaled_risk(b));
    };
    // Open addressing, at most half full. An entry is group + 1; 0 is empty.
    const std::size_t slots = std::bit_ceil(std::size_t{2} * instance.apps() + 1);
    std::vector<std::uint32_t> table(slots, 0);
    for (AppId app = 0; app < instance.apps(); ++app) {
      Hash hash;
      hash.add(static_cast<std::uint64_t>(instance.priority(app)));
      hash.add_column(instance.scaled_demand<Unit>(app));
      hash.add_column(instance.scaled_risk(app));
      std::size_t slot = hash.value() & (slots - 1);
      while (table[slot] != 0 && !same(members_[table[slot] - 1][0], app)) slot = (slot + 1) & (slots - 1);
      if (table[slot] == 0) {
        members_.emplace_back();
        table[slot] = static_cast<std::uint32_t>(members_.size());
      }
      group_of_[app] = table[slot] - 1;
      members_[group_of_[app]].push_back(app);
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
