#include "core/goals/goal_state.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

// Tables by node have room for a power of two: nodes beyond it may be there before any of them is touched.
TEST(GoalStateTest, ANodeThatWasOnlyOfferedIsRescaledToo) {
  constexpr std::uint32_t kFull = 127;
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", kFull + 1, {1});
  builder.add_class({16});
  builder.add_class({8});
  SearchSetup setup(builder);
  for (std::uint32_t n = 0; n < kFull; ++n) setup.open({0});
  EnergyPrices prices;
  prices.unplaced = {1};
  RebuildState<std::int16_t> state(setup.state, prices, {1});
  GoalTerms terms;
  terms.terms.push_back(make_term(setup.instance, {.what = GoalKind::kNodes}));
  terms.weight = {1};
  terms.levels = {{0, 1, 0}};
  GoalState<std::int16_t> goals(state, terms);
  EXPECT_EQ(goals.value(0), kFull);
  NodeId offered = kNone;
  for (std::uint32_t kind = 0; kind < 2; ++kind) offered = state.empty_node(kind);
  ASSERT_EQ(setup.placement.nodes(), kFull + 2);
  goals.rescale();
  EXPECT_EQ(goals.value(0), kFull);
  goals.put(0, offered);
  goals.rescale();
  EXPECT_EQ(goals.value(0), kFull + 1);
}

}  // namespace
}  // namespace stowage
