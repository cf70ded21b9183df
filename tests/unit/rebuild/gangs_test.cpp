// What has to stay together moves together.

#include "core/rebuild/neighbourhoods/gangs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/verify/checker.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::TaggedBuilder;

/// Gangs of .3 to .8 of a rack, and small apps, fill nine tenths of the racks.
TaggedBuilder crowded_racks(std::uint64_t seed, NodeId racks) {
  constexpr NodeId kPerRack = 6;
  TaggedBuilder builder;
  test::Random random(seed);
  builder.nodes(racks * kPerRack, 24);
  std::vector<std::vector<NodeId>> sets(racks);
  for (NodeId node = 0; node < racks * kPerRack; ++node) sets[node / kPerRack].push_back(node);
  const std::uint32_t rack = builder.group("rack", sets);
  const std::uint32_t of_rack = kPerRack * 24;
  std::uint32_t left = racks * of_rack * 9 / 10;
  for (int g = 0; left > racks * of_rack * 3 / 10; ++g) {
    const std::string tag = "gang-" + std::to_string(g);
    const std::uint32_t size = random.between(of_rack * 3 / 10, of_rack * 8 / 10);
    std::uint32_t used = 0;
    for (int k = 0; used < size; ++k) {
      const std::uint32_t demand = 2 * random.between(1, 4);
      const std::uint32_t replicas = random.between(1, 6);
      if (used + demand * replicas > of_rack * 17 / 20) break;
      builder.app(tag + "." + std::to_string(k), replicas, {tag}, {static_cast<double>(demand)});
      used += demand * replicas;
    }
    builder.hard(builder.node_sets({tag}, 0, 1, rack));
    left -= std::min(left, used);
  }
  for (int k = 0; left > 0; ++k) {
    const std::uint32_t demand = std::min(left, random.between(1, 4));
    builder.app("free-" + std::to_string(k), 1, {}, {static_cast<double>(demand)});
    left -= demand;
  }
  return builder;
}

TEST(GangsTest, AllFindRoomInCrowdedRacks) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    TaggedBuilder builder = crowded_racks(seed, 4 + 2 * static_cast<NodeId>(seed % 3));
    const Instance instance = builder.must_build();
    const Plan plan = test::plan_within(instance, "auto", 2'000'000);
    EXPECT_TRUE(plan.unplaced.empty()) << seed;
    EXPECT_TRUE(check_plan(instance, plan).violations.empty()) << seed;
  }
}

}  // namespace
}  // namespace stowage
