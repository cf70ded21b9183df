// Every planner of the registry on generated instances: the checker and an independent judge have to accept its plans.

#include <gtest/gtest.h>

#include <string>

#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/agreement.h"
#include "tests/property/headroom_agreement.h"

namespace stowage {
namespace {

using test::any_request;
using test::generate;
using test::Generated;

constexpr std::uint64_t kPlannerBlocks = 8;
constexpr std::uint64_t kSeedsPerPlannerBlock = test::cases(30);
// Tests that plan a second time find the same sanitizer errors as those that plan once, so sanitizer builds take one plan in
// three.
constexpr std::uint64_t kAgainShare = test::kShare > 1 ? 3 : 1;

class PlannersTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // Calls visit(generated, instance, request, plan) for every planner on each of this block's instances, or for one such pair
  // in `share`.
  template <class Visit>
  void for_each_plan(std::uint64_t share, Visit&& visit) {
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
        if ((turn++ + seed) % share != 0) continue;
        SCOPED_TRACE("seed " + std::to_string(seed) + " " + info.name);
        auto plan = run_planner(instance, request, nullptr);
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
        visit(generated, instance, request, *plan);
        if (HasFailure()) return;
      }
    }
    RecordProperty("plans", static_cast<int>(plans));
    RecordProperty("refused", static_cast<int>(refused));
    EXPECT_GE(plans, kSeedsPerPlannerBlock) << "hardly any planner took part";
  }
};

INSTANTIATE_TEST_SUITE_P(Block, PlannersTest, ::testing::Range(std::uint64_t{0}, kPlannerBlocks));

TEST_P(PlannersTest, PlansAreFeasible) { for_each_plan(1, test::check_feasible); }

TEST_P(PlannersTest, ACheckOfViolationsAloneFindsThemAll) { for_each_plan(4, test::check_scopes); }

TEST_P(PlannersTest, ClaimsHold) { for_each_plan(1, test::check_statements); }

TEST_P(PlannersTest, TheSameRequestGivesTheSamePlan) { for_each_plan(kAgainShare, test::check_repetition); }

TEST_P(PlannersTest, ACompactPlanStandsForTheSame) { for_each_plan(3, test::check_compact); }

TEST_P(PlannersTest, CutRunsReplay) { for_each_plan(kAgainShare, test::check_cut_runs); }

TEST_P(PlannersTest, NothingThatFitsIsLeftOver) { for_each_plan(1, test::check_nothing_overlooked); }

TEST_P(PlannersTest, AllAppsAtOnceHaveTheHeadroomThatEachHasAlone) { for_each_plan(3, test::check_headroom); }

TEST_P(PlannersTest, PlansOutliveRelaxations) { for_each_plan(kAgainShare, test::check_relaxations); }

}  // namespace
}  // namespace stowage
