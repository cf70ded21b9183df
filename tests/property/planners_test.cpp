// Every planner of the registry on generated instances: the checker and an independent judge have to accept its plans.

#include <gtest/gtest.h>

#include <string>

#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/agreement.h"
#include "tests/property/headroom_agreement.h"
#include "tests/property/promises_agreement.h"

namespace stowage {
namespace {

using test::any_request;
using test::generate;
using test::Generated;

constexpr std::uint64_t kPlannerBlocks = 16;
constexpr std::uint64_t kSeedsPerPlannerBlock = test::cases(15);
// Checks that plan a second time take as long as the plan did, and the soak makes them of each of its instances.
constexpr std::uint64_t kAgainShare = 3;

struct Check {
  const char* name;
  std::uint64_t share;  // one plan in this many
  void (*function)(const Generated&, const Instance&, const Request&, const Plan&);
};
// All look at the same plan, which takes most of the time.
constexpr Check kChecks[] = {
    {"plans are feasible", 1, test::check_feasible},
    {"a check of violations alone finds them all", 4, test::check_scopes},
    {"claims hold", 1, test::check_statements},
    {"nothing that fits is left over", 1, test::check_nothing_overlooked},
    {"a compact plan stands for the same", 3, test::check_compact},
    {"all apps at once have the headroom that each has alone", 3, test::check_headroom},
    {"no app has room for more than its headroom", 3, test::check_headroom_bounds},
    {"plans keep what they promise", 9, test::check_promises},
    {"plans outlive relaxations", kAgainShare, test::check_relaxations},
    {"the same request gives the same plan", kAgainShare, test::check_repetition},
    {"cut runs replay", kAgainShare, test::check_cut_runs},
};

class PlannersTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PlannersTest, WhatHoldsOfEveryPlan) {
  std::uint64_t refused = 0;
  std::uint64_t plans = 0;
  std::uint64_t turn = 0;
  for (std::uint64_t k = 0; k < kSeedsPerPlannerBlock; ++k) {
    const std::uint64_t seed = GetParam() * kSeedsPerPlannerBlock + k;
    const Generated generated = generate(seed, {});
    const Instance instance = generated.build();
    test::Random random(~seed);
    for (const PlannerInfo& info : planners()) {
      const Request request = any_request(info, generated, instance, random);
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + info.name);
      const Result<Plan> plan = run_planner(instance, request, nullptr);
      if (!plan) {
        // Reasons to refuse: a feature that the planner does not honour, an objective that it does not pursue, and a missing
        // solver.
        ASSERT_EQ(plan.error().code, Code::kUnsupported) << plan.error().message;
        ASSERT_TRUE((instance.features() & ~info.honours) != 0 || !info.pursues.contains(request.objective) ||
                    info.needs_solver);
        ++refused;
        continue;
      }
      ++plans;
      ++turn;
      for (const Check& check : kChecks) {
        SCOPED_TRACE(check.name);
        if ((turn + seed) % check.share == 0) check.function(generated, instance, request, plan.value());
        if (HasFailure()) return;
      }
    }
  }
  RecordProperty("plans", static_cast<int>(plans));
  RecordProperty("refused", static_cast<int>(refused));
  EXPECT_GE(plans, kSeedsPerPlannerBlock) << "hardly any planner took part";
}

INSTANTIATE_TEST_SUITE_P(Block, PlannersTest, ::testing::Range(std::uint64_t{0}, kPlannerBlocks));

}  // namespace
}  // namespace stowage
