#include "core/planners/auto/attempt/starts.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

// Where the first way leaves much waiting, others are tried. No way matches where demand changes over time.
TEST(StartsTest, TheOneThatLeavesLeastWaitingComesFirst) {
  test::Random random(5);
  std::uint64_t better = 0;
  for (std::uint64_t round = 0; round < test::cases(40); ++round) {
    test::InstanceBuilder builder({"cpu", "memory"}, 2);
    constexpr AppId kApps = 40;
    for (AppId app = 0; app < kApps; ++app) {
      std::vector<double> demand(4);
      for (double& one : demand) one = random.between(5, 50);
      builder.add_app("a" + std::to_string(app), 2, demand);
    }
    for (AppId k = 0; k < kApps * kApps; ++k) {
      if (k / kApps != k % kApps && random.chance(0.05)) builder.limit(k / kApps, k % kApps, 0);
    }
    builder.add_class({100, 100});
    const Instance instance = builder.must_build();
    const Request request = test::request_for("auto");
    stowage::Run run(request, nullptr);  // not that of testing::Test
    LazyBounds bounds(instance, request);
    const PlannerInfo& info = *find_planner("auto");
    const PlannerInput input{instance, request, info, Options(info.options, request), run, bounds};
    const TiedApps tied(instance);
    const auto nodes = static_cast<std::uint32_t>(bounds.get().fewest_nodes());
    std::unique_ptr<Attempt<std::int16_t>> chosen;
    ASSERT_FALSE(failed(Starts<std::int16_t>(input, nodes, false, tied).next(false, chosen)));
    Attempt<std::int16_t> first(input, nodes, tied);
    SpreadRule rule;
    rule.by_priority = false;
    SpreadStart<std::int16_t>(first.state, rule).run(run.clock);
    EXPECT_LE(chosen->waiting_share(), first.waiting_share()) << round;
    better += chosen->waiting_share() < first.waiting_share() ? 1 : 0;
  }
  EXPECT_GT(better, test::cases(5));
}

}  // namespace
}  // namespace stowage
