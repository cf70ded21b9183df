#include <gtest/gtest.h>

#include <string>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

double matching_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return matching_bound(instance, Supply(instance)).value;
}

InstanceBuilder three_resources() { return InstanceBuilder({"a", "b", "c"}); }

TEST(MatchingBound, PairsMissInDifferentResources) {
  // Any two of these exceed some resource, and no resource sees it: 12 / 10 each.
  InstanceBuilder builder = three_resources();
  builder.add_app("ab", 1, {6, 6, 0});
  builder.add_app("bc", 1, {0, 6, 6});
  builder.add_app("ac", 1, {6, 0, 6});
  builder.add_class({10, 10, 10});
  EXPECT_EQ(matching_of(builder), 3);
}

TEST(MatchingBound, AsManyNodesAsPairsLeave) {
  // Large ones share a node with a small one of the other resource, never with each other; there are three of either.
  InstanceBuilder builder({"a", "b"});
  builder.add_app("large", 3, {6, 4});
  builder.add_app("other", 4, {4, 6});
  builder.add_class({10, 10});
  EXPECT_EQ(matching_of(builder), 4);  // seven less three pairs
}

TEST(MatchingBound, LimitsOfZeroKeepPairsApart) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {4});
  const AppId b = builder.add_app("b", 1, {5});
  builder.add_app("c", 1, {6});
  builder.add_class({10});
  EXPECT_EQ(matching_of(builder), 2);
  builder.limit(a, b, 0);
  EXPECT_EQ(matching_of(builder), 2);  // a joins c
  builder.limit(2, a, 0);
  EXPECT_EQ(matching_of(builder), 3);
}

TEST(MatchingBound, WhereThreeFitNothingIsKnown) {
  InstanceBuilder builder;
  builder.add_app("third", 9, {3});
  builder.add_class({9});
  EXPECT_EQ(matching_of(builder), 0);
}

TEST(MatchingBound, TheRoomiestClassCounts) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {6});
  builder.add_class({10});
  builder.add_class({12}, 1);
  EXPECT_EQ(matching_of(builder), 2);  // as if all nodes took two
}

}  // namespace
}  // namespace stowage
