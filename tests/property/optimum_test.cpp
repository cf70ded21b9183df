// Tiny instances with their exact optimum: bounds do not exceed it, plans do not fall below it, and proofs are right.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "core/bounds/admission/node_prices.h"
#include "core/bounds/bounds.h"
#include "core/bounds/configuration/configuration_bound.h"
#include "core/plan/side_effects.h"
#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/generator.h"
#include "tests/property/optimum.h"

namespace stowage {
namespace {

using test::generate;
using test::Generated;
using test::Optimum;
using test::OptimumSearch;
using test::Size;

constexpr std::uint64_t kBlocks = 8;
// Few instances are small enough, so sanitizer builds test at least one in five.
constexpr std::uint64_t kSeedsPerBlock = 60 / std::min<std::uint64_t>(test::kShare, 5);

// The least weight of the applications that are left out, by trying every set of those that are admitted. What runs stays.
double least_left_out(const Generated& generated, const Instance& instance) {
  std::vector<std::uint32_t> stays(instance.apps(), 0);
  std::map<std::pair<NodeId, AppId>, std::uint32_t> held;
  for (const auto* list : {&generated.data.running, &generated.data.pinned}) {
    for (const Residence& r : *list) held[{r.node, r.app}] = std::max(held[{r.node, r.app}], r.replicas);
  }
  for (const auto& [where, replicas] : held) stays[where.second] += replicas;
  const std::vector<double> weight = application_weights(instance);
  const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 0; set < 1u << instance.apps(); ++set) {
    double left_out = all;
    std::vector<std::uint32_t> replicas = stays;
    for (AppId app = 0; app < instance.apps(); ++app) {
      if ((set >> instance.application(app) & 1) == 0) continue;
      left_out -= weight[app];
      replicas[app] = instance.replicas(app);
    }
    if (left_out < least && OptimumSearch(generated, false, replicas).run().feasible) least = left_out;
  }
  return least;
}

class OptimumTest : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Block, OptimumTest, ::testing::Range(std::uint64_t{0}, kBlocks));

TEST_P(OptimumTest, BoundsBelowPlansAbove) {
  const Size size = {.apps = 5, .replicas = 3, .resources = 2, .periods = 3, .classes = 2, .listed = 2, .rules = 0};
  std::uint64_t feasible = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t tight = 0;
  std::uint64_t by_patterns = 0;
  std::uint64_t by_weights = 0;
  std::uint64_t by_worst = 0;
  std::uint64_t most_admitted = 0;
  for (std::uint64_t k = 0; k < kSeedsPerBlock; ++k) {
    const std::uint64_t seed = 1'000'000 + GetParam() * kSeedsPerBlock + k;
    const Generated generated = generate(seed, size);
    const std::uint32_t replicas = std::accumulate(generated.data.replicas.begin(), generated.data.replicas.end(), 0u);
    if (replicas > 7) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Instance instance = generated.build();
    const Optimum optimum = OptimumSearch(generated).run();
    // Planners that work with patterns do not move running replicas.
    const bool runs = !generated.data.running.empty();
    const Optimum in_place = runs ? OptimumSearch(generated, false).run() : optimum;
    ++(optimum.feasible ? feasible : infeasible);

    ComputedBounds bounds = compute_bounds(instance);
    Request bound_request;
    bound_request.work_limit = 200'000;
    WorkClock bound_clock(bound_request, nullptr);
    add_configuration_bound(instance, bound_clock, bounds);
    if (optimum.feasible) {
      EXPECT_FALSE(bounds.infeasible) << "a complete plan exists";
      for (const ComputedBound& bound : bounds.of[Objective::kNodes])
        EXPECT_LE(bound.value.value, optimum.nodes) << bound.info->name;
      for (const ComputedBound& bound : bounds.of[Objective::kCost])
        EXPECT_LE(bound.value.value, optimum.cost + 1e-9) << bound.info->name;
      for (const ComputedBound& bound : bounds.of[Objective::kUcac]) {
        if (instance.periods() > 1) continue;
        EXPECT_LE(bound.value.value, optimum.ucac * (1 + 1e-9)) << bound.info->name;
      }
      for (const ComputedBound& bound : bounds.of[Objective::kWorst]) {
        EXPECT_LE(bound.value.value, optimum.worst * (1 + 1e-9)) << bound.info->name;
        by_worst += bound.value.value >= optimum.worst * (1 - 1e-9) ? 1 : 0;
      }
      for (const ComputedBound& bound : bounds.of[Objective::kTotal]) {
        EXPECT_LE(bound.value.value, optimum.total * (1 + 1e-9)) << bound.info->name;
      }
      tight += bounds.fewest_nodes() == optimum.nodes ? 1 : 0;
    }
    const double least = least_left_out(generated, instance);
    if (std::isfinite(least)) {
      const AdmissionBound known = admission_bound(instance, Supply(instance), Request());
      EXPECT_LE(known.left_out, least + 1e-9);
      WorkClock clock(bound_request, nullptr);
      NodePrices prices(instance, Supply(instance), Request(), known);
      prices.run(0, clock);
      EXPECT_LE(prices.left_out(), least + 1e-9);
      for (const PlannerInfo& info : planners()) {
        if (!info.pursues.contains(Objective::kAdmitted)) continue;
        Request request;
        request.planner = info.name;
        request.objective = Objective::kAdmitted;
        request.work_limit = info.default_deadline_ms > 0 ? 100'000 : 0;
        const auto result = run_planner(instance, request, nullptr);
        if (!result.ok() && result.error().code == Code::kUnsupported) continue;
        ASSERT_TRUE(result.ok()) << result.error().message;
        SCOPED_TRACE(info.name);
        const Plan& plan = result.value();
        EXPECT_GE(plan.left_out, least - 1e-9);
        if (plan.places_most) {
          EXPECT_NEAR(plan.left_out, least, 1e-6);
        }
        most_admitted += info.name == "auto" && least > 0 && plan.left_out <= least + 1e-9 ? 1 : 0;
      }
    }
    for (const PlannerInfo& info : planners()) {
      Request request;
      request.planner = info.name;
      if (info.pursues.contains(Objective::kUcac) && instance.uncertain() && k % 2 == 0) request.objective = Objective::kUcac;
      const bool counted = instance.has_interference() && most_nodes(instance, 0) != kNone;
      for (const Objective objective : {Objective::kWorst, Objective::kTotal}) {
        const bool only = !info.pursues.contains(Objective::kNodes);
        if (counted && info.pursues.contains(objective) && (only || k % 3 == 0)) request.objective = objective;
      }
      if (info.default_deadline_ms > 0) request.work_limit = 500'000;
      const auto result = run_planner(instance, request, nullptr);
      if (!result.ok() && result.error().code == Code::kUnsupported) continue;
      ASSERT_TRUE(result.ok()) << result.error().message;
      const Plan& plan = result.value();
      SCOPED_TRACE(info.name);
      const double cost = instance.has_prices() ? plan.cost : 0;
      if (plan.unplaced.empty()) {
        ASSERT_TRUE(optimum.feasible) << "the exact search found no complete plan";
        EXPECT_GE(plan.nodes.size(), optimum.nodes);
        EXPECT_GE(cost, optimum.cost - 1e-9);
        if (instance.has_interference()) {
          EXPECT_GE(plan.max_cost, optimum.worst * (1 - 1e-9));
          EXPECT_GE(plan.total_cost, optimum.total * (1 - 1e-9));
        }
      }
      EXPECT_FALSE(plan.status == PlanStatus::kInfeasibleProven && optimum.feasible);
      if (in_place.feasible) {
        EXPECT_LE(plan.bounds[Objective::kNodes]->value, in_place.nodes) << plan.bounds[Objective::kNodes]->name;
        if (instance.uncertain() && instance.periods() == 1) {
          EXPECT_LE(plan.bounds[Objective::kUcac]->value, in_place.ucac * (1 + 1e-9)) << plan.bounds[Objective::kUcac]->name;
          ++(plan.bounds[Objective::kUcac]->name == "patterns" ? by_patterns : by_weights);
        }
      }
      if (plan.status != PlanStatus::kOptimal) continue;
      if (request.objective == Objective::kUcac) {
        if (instance.periods() > 1) continue;
        EXPECT_NEAR(plan.ucac, in_place.ucac, 1e-7 * in_place.ucac);
        continue;
      }
      if (request.objective == Objective::kWorst || request.objective == Objective::kTotal) {
        const bool worst = request.objective == Objective::kWorst;
        const double lowest = worst ? in_place.worst : in_place.total;
        EXPECT_NEAR(worst ? plan.max_cost : plan.total_cost, lowest, 1e-7 * lowest);
        continue;
      }
      // With prices, the cost is the objective.
      if (instance.has_prices()) {
        EXPECT_NEAR(cost, optimum.cost, 1e-9);
      } else {
        EXPECT_EQ(plan.nodes.size(), plan.bounds[Objective::kNodes]->name == "patterns" ? in_place.nodes : optimum.nodes);
      }
    }
    if (HasFailure()) return;
  }
  // The generator must keep producing instances of the kinds that this test is about.
  EXPECT_GE(feasible, 10 / test::kShare);
  EXPECT_GE(infeasible, 1 / test::kShare);
  EXPECT_GE(tight, 5 / test::kShare);
  EXPECT_GE(by_patterns + by_weights, 1 / test::kShare);
  EXPECT_GE(by_worst, 1 / test::kShare);
  EXPECT_GE(most_admitted, 3 / test::kShare);
}

}  // namespace
}  // namespace stowage
