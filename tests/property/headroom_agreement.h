// Headroom of all apps at once against headroom of one app, node by node, and against exact search.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/explain/headroom.h"
#include "core/headroom/headroom_of_apps.h"
#include "core/plan/compact_plan.h"
#include "tests/property/agreement.h"
#include "tests/property/judge.h"

namespace stowage::test {

/// The plan with every node that exists, and how many nodes each entry stands for.
inline Plan with_spare_nodes(const Instance& instance, const Plan& plan, std::vector<std::uint64_t>& copies) {
  Plan all = plan;
  std::vector<std::uint64_t> left(instance.classes());
  for (ClassId c = 0; c < instance.classes(); ++c) left[c] = instance.data().classes[c].count;
  std::vector<std::uint8_t> in_use(instance.listed_nodes(), 0);
  for (const PlannedNode& node : plan.nodes) {
    copies.push_back(node.copies);
    if (node.listed != kNone) in_use[node.listed] = 1;
    if (node.listed == kNone && left[node.node_class] > 0) left[node.node_class] -= node.copies;
  }
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    const ClassId node_class = instance.data().node_class[n];
    if (left[node_class] > 0) --left[node_class];
    if (in_use[n] != 0) continue;
    all.nodes.push_back({node_class, n});
    copies.push_back(1);
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    if (left[c] == 0) continue;
    all.nodes.push_back({c, kNone});
    copies.push_back(left[c]);
  }
  return all;
}

/// All apps at once have the headroom that each has alone; or, where a rule counts over several nodes, at least that.
inline void check_headroom(const Generated&, const Instance& instance, const Request&, const Plan& plan) {
  auto found = find_headroom_of_apps(instance, &plan, 0);
  ASSERT_TRUE(found.ok());
  std::vector<std::uint64_t> copies;
  const Plan all = with_spare_nodes(instance, plan, copies);
  for (AppId app = 0; app < instance.apps(); ++app) {
    auto alone = find_headroom(instance, all, app, kNone);
    ASSERT_TRUE(alone.ok());
    std::uint64_t room = 0;
    std::uint64_t spare = 0;
    std::uint64_t nodes = 0;
    std::uint32_t most = 0;
    for (std::size_t n = 0; n < all.nodes.size(); ++n) {
      const std::uint32_t here = alone->room[n];
      if (n >= plan.nodes.size()) {
        spare += here * copies[n];
        continue;
      }
      room += here * copies[n];
      nodes += here > 0 ? copies[n] : 0;
      most = std::max(most, here);
    }
    if (found->coupled[app] != 0) {
      ASSERT_GE(found->room[app], room) << "app " << app;
      ASSERT_GE(found->spare_room[app], spare) << "app " << app;
      continue;
    }
    ASSERT_EQ(found->room[app], room) << "app " << app;
    ASSERT_EQ(found->spare_room[app], spare) << "app " << app;
    ASSERT_EQ(found->nodes[app], nodes) << "app " << app;
    ASSERT_EQ(found->most[app], most) << "app " << app;
  }
}

/// What an app that grows finds on a few nodes, by exact search over all ways to place further replicas, where everything else
/// stays as it is.
class GrowthSearch {
 public:
  static constexpr std::uint32_t kMostPerNode = 2;
  static constexpr std::size_t kMostNodes = 5;

  /// @param plan   one entry per node, spare nodes last
  /// @param in_use number of entries before these
  GrowthSearch(const Judge& judge, const Plan& plan, std::size_t in_use)
      : judge_(judge), plan_(plan), in_use_(in_use), held_(judge.counts(plan)) {}

  [[nodiscard]] bool holds_now() const { return judge_.rule_problem(plan_, held_).empty(); }
  /// The most that nodes in use take together, and that spare ones do, perhaps in different plans.
  std::pair<std::uint64_t, std::uint64_t> run(AppId app) {
    most_ = {0, 0};
    grow(app, 0, {0, 0});
    return most_;
  }

 private:
  void grow(AppId app, std::size_t n, std::pair<std::uint64_t, std::uint64_t> sum) {
    if (n == held_.size()) {
      if ((sum.first <= most_.first && sum.second <= most_.second) || !holds_now()) return;
      most_ = {std::max(most_.first, sum.first), std::max(most_.second, sum.second)};
      return;
    }
    const PlannedNode& node = plan_.nodes[n];
    for (std::uint32_t more = 0; more <= kMostPerNode; ++more) {
      held_[n][app] += more;
      if (more == 0 || judge_.node_problem(node.node_class, node.listed, held_[n], true, plan_.max_cost_limit).empty()) {
        std::pair<std::uint64_t, std::uint64_t> with = sum;
        (n < in_use_ ? with.first : with.second) += more;
        grow(app, n + 1, with);
      }
      held_[n][app] -= more;
    }
  }

  const Judge& judge_;
  const Plan& plan_;
  std::size_t in_use_;
  std::vector<Judge::Counts> held_;
  std::pair<std::uint64_t, std::uint64_t> most_;
};

/// Where rules count over several nodes, no way to place further replicas of an app has more of them than its headroom says.
inline void check_headroom_bounds(const Generated& generated, const Instance& instance, const Request&, const Plan& plan) {
  const Judge judge(generated);
  if (instance.rules().empty() || !judge.judges_rules()) return;
  Plan whole = plan;
  expand(whole);
  const std::size_t in_use = whole.nodes.size();
  std::vector<std::uint64_t> copies;
  whole = with_spare_nodes(instance, whole, copies);
  for (std::size_t n = in_use; n < copies.size(); ++n) {
    if (copies[n] > 1 && whole.nodes.size() < GrowthSearch::kMostNodes) whole.nodes.push_back(whole.nodes[n]);
  }
  if (whole.nodes.size() > GrowthSearch::kMostNodes) return;
  GrowthSearch search(judge, whole, in_use);
  if (!search.holds_now()) return;
  auto found = find_headroom_of_apps(instance, &plan, GrowthSearch::kMostPerNode);
  ASSERT_TRUE(found.ok());
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (found->coupled[app] == 0) continue;
    const auto [room, spare] = search.run(app);
    ASSERT_GE(found->room[app], room) << "app " << app;
    ASSERT_GE(found->spare_room[app], spare) << "app " << app;
  }
}

}  // namespace stowage::test
