// Headroom of all apps at once against headroom of one app, node by node.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/explain/headroom.h"
#include "core/headroom/headroom_of_apps.h"
#include "tests/property/agreement.h"

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

}  // namespace stowage::test
