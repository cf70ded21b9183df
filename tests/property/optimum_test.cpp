// Tiny instances with their exact optimum: bounds do not exceed it, plans do not fall below it, and proofs are right.

#include <gtest/gtest.h>

#include <string>

#include "core/plan/side_effects.h"
#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/claims.h"
#include "tests/property/endless.h"
#include "tests/property/generator.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::ClaimCounts;
using test::Claims;
using test::generate;
using test::Generated;
using test::Size;

constexpr std::uint64_t kBlocks = 8;
// Few instances are small enough, so sanitizer builds test at least one in five.
constexpr std::uint64_t kSeedsPerBlock = 60 / std::min<std::uint64_t>(test::kShare, 5);

class OptimumTest : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Block, OptimumTest, ::testing::Range(std::uint64_t{0}, kBlocks));

// The request of a planner for the k-th instance: objectives other than nodes for some of them.
Request request_for(const PlannerInfo& info, const Instance& instance, std::uint64_t k) {
  Request request;
  request.planner = info.name;
  if (info.pursues.contains(Objective::kUcac) && instance.uncertain() && k % 2 == 0) request.objective = Objective::kUcac;
  const bool counted = instance.has_interference() && most_nodes(instance, 0) != kNone;
  for (const Objective objective : {Objective::kWorst, Objective::kTotal}) {
    const bool only = !info.pursues.contains(Objective::kNodes);
    if (counted && info.pursues.contains(objective) && (only || k % 3 == 0)) request.objective = objective;
  }
  const bool talks = info.pursues.contains(Objective::kTraffic) && !instance.data().traffic.empty();
  if (talks && request.objective == Objective::kNodes && k % 3 == 1) request.objective = Objective::kTraffic;
  if (test::may_go_on(info)) request.work_limit = 500'000;
  return request;
}

void check(Claims& claims, const Request& request) {
  const auto result = run_planner(claims.instance(), request, nullptr);
  if (!result.ok() && result.error().code == Code::kUnsupported) return;
  ASSERT_TRUE(result.ok()) << result.error().message;
  SCOPED_TRACE(request.planner);
  claims.check_plan_claims(request, result.value());
}

TEST_P(OptimumTest, BoundsBelowPlansAbove) {
  ClaimCounts counts;
  for (std::uint64_t k = 0; k < kSeedsPerBlock; ++k) {
    const std::uint64_t seed = 1'000'000 + GetParam() * kSeedsPerBlock + k;
    const Size size = {.apps = 5, .replicas = 3, .resources = 2, .periods = 3, .classes = 2, .listed = 2, .traffic = 0.7};
    const Generated generated = generate(seed, size);
    if (!Claims::tiny(generated)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Claims claims(generated, counts);
    claims.check_bounds();
    claims.check_admission_bounds();
    for (const PlannerInfo& info : planners()) {
      check(claims, request_for(info, claims.instance(), k));
      if (!info.pursues.contains(Objective::kAdmitted)) continue;
      Request request;
      request.planner = info.name;
      request.objective = Objective::kAdmitted;
      request.work_limit = test::may_go_on(info) ? 100'000 : 0;
      check(claims, request);
    }
    if (HasFailure()) return;
  }
  // The generator must keep producing instances of the kinds that this test is about.
  EXPECT_GE(counts.feasible, 10 / test::kShare);
  EXPECT_GE(counts.infeasible, 1 / test::kShare);
  EXPECT_GE(counts.tight, 5 / test::kShare);
  EXPECT_GE(counts.ucac, 1 / test::kShare);
  EXPECT_GE(counts.by_worst, 1 / test::kShare);
  EXPECT_GE(counts.optimal, 10 / test::kShare);
  EXPECT_GE(counts.least_traffic, 10 / test::kShare);
  EXPECT_GE(counts.least_left_out, 3 / test::kShare);
}

/// What runs, on nodes of which many are closed and take few apps.
void settle(Generated& generated, test::Random& random) {
  InstanceData& data = generated.data;
  data.running.clear();
  data.pinned.clear();
  data.closed.assign(generated.listed(), 0);
  for (NodeId n = 0; n < generated.listed(); ++n) data.closed[n] = random.chance(0.5) ? 1 : 0;
  for (AppId app = 0; app < generated.apps(); ++app) {
    std::uint32_t free = data.replicas[app];
    for (NodeId n = 0; n < generated.listed() && free > 0; ++n) {
      if (!random.chance(0.4)) continue;
      const std::uint32_t here = random.between(1, free);
      free -= here;
      data.running.push_back({app, n, here});
    }
  }
}

// Whatever a node refuses, what runs there may stay, also in plans that ignore what runs: no bound says otherwise.
TEST_P(OptimumTest, WhatRunsMayStayWhereNothingMayCome) {
  ClaimCounts counts;
  for (std::uint64_t k = 0; k < kSeedsPerBlock; ++k) {
    const std::uint64_t seed = 3'000'000 + GetParam() * kSeedsPerBlock + k;
    const Size size = {.apps = 4,
                       .replicas = 2,
                       .resources = 2,
                       .periods = 2,
                       .classes = 2,
                       .listed = 3,
                       .rules = 0,
                       .daemons = 0.25,
                       .eligibility = 0.7,
                       .kinds = 0.2};
    test::Random random(seed);
    Generated generated = generate(seed, size);
    if (generated.listed() == 0) continue;
    settle(generated, random);
    if (!Claims::tiny(generated)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Claims claims(generated, counts);
    claims.check_bounds();
    claims.check_admission_bounds();
    for (const PlannerInfo& info : planners()) {
      Request request = request_for(info, claims.instance(), k);
      if (request.work_limit > 0) request.work_limit = 50'000;
      request.ignore_running = random.chance(0.5);
      if (!request.ignore_running) request.move_budget = random.chance(0.5) ? 0 : random.between(1, 3);
      if (random.chance(0.2)) request.node_limit = random.between(1, 4);
      const auto result = run_planner(claims.instance(), request, nullptr);
      const bool refused = !result.ok() && (result.error().code == Code::kUnsupported || result.error().code == Code::kInvalid);
      if (refused) continue;
      ASSERT_TRUE(result.ok()) << info.name << ": " << result.error().message;
      SCOPED_TRACE(info.name);
      claims.check_plan_claims(request, result.value());
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(counts.feasible, 5 / test::kShare);
  EXPECT_GE(counts.optimal, 5 / test::kShare);
}

}  // namespace
}  // namespace stowage
