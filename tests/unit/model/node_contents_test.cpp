#include "core/model/node_contents.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

TEST(NodeContentsTest, ANewNodeIsEmpty) {
  NodeContents contents;
  EXPECT_EQ(contents.nodes(), 0);
  contents.add_node();
  EXPECT_EQ(contents.nodes(), 1);
  EXPECT_TRUE(contents.at(0).empty());
  EXPECT_EQ(contents.count(7, 0), 0);
}

TEST(NodeContentsTest, ReplicasOfOneAppAreOneEntry) {
  NodeContents contents;
  contents.add_node();
  contents.add(7, 0, 2);
  contents.add(8, 0, 1);
  contents.add(7, 0, 3);
  EXPECT_EQ(contents.count(7, 0), 5);
  EXPECT_EQ(contents.count(8, 0), 1);
  EXPECT_EQ(contents.at(0).size(), 2);
}

TEST(NodeContentsTest, AnAppThatLeavesIsGone) {
  NodeContents contents;
  contents.add_node();
  contents.add(7, 0, 2);
  contents.add(8, 0, 1);
  contents.remove(7, 0, 1);
  EXPECT_EQ(contents.count(7, 0), 1);
  contents.remove(7, 0, 1);
  EXPECT_EQ(contents.count(7, 0), 0);
  ASSERT_EQ(contents.at(0).size(), 1);
  EXPECT_EQ(contents.at(0)[0].app, 8);
}

// Lists that grow and shrink in turn, so that they reuse each other's outgrown pieces.
TEST(NodeContentsTest, GrowingListsKeepTheirTenants) {
  NodeContents contents;
  std::vector<std::map<AppId, std::uint32_t>> expected;
  test::Random random(42);
  const auto check = [&](NodeId node) {
    ASSERT_EQ(contents.at(node).size(), expected[node].size());
    for (const Tenant& tenant : contents.at(node)) {
      ASSERT_EQ(expected[node].count(tenant.app), 1);
      ASSERT_EQ(tenant.replicas, expected[node][tenant.app]);
    }
  };
  for (std::uint64_t step = 0; step < test::cases(20'000); ++step) {
    if (expected.empty() || random.below(200) == 0) {
      contents.add_node();
      expected.emplace_back();
    }
    const NodeId node = random.below(contents.nodes());
    if (random.below(10) < 7) {
      const AppId app = random.below(200);
      const std::uint32_t replicas = 1 + random.below(3);
      contents.add(app, node, replicas);
      expected[node][app] += replicas;
    } else if (!expected[node].empty()) {
      auto tenant = expected[node].begin();
      std::advance(tenant, random.below(static_cast<std::uint32_t>(expected[node].size())));
      const std::uint32_t replicas = 1 + random.below(tenant->second);
      contents.remove(tenant->first, node, replicas);
      tenant->second -= replicas;
      if (tenant->second == 0) expected[node].erase(tenant);
    }
    check(node);
    ASSERT_FALSE(HasFatalFailure());
  }
  for (NodeId node = 0; node < expected.size(); ++node) check(node);
}

}  // namespace
}  // namespace stowage
