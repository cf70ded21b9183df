// Capacity at confidence: in the instance, headroom, the checker and explanations.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/explain/explain.h"
#include "core/placement/placement.h"
#include "core/planners/planner.h"
#include "core/search/repair.h"
#include "core/search/search_state.h"
#include "core/verify/checker.h"
#include "core/verify/confidence.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

// P1, section 4.1: N(2, 0.5), N(2, 1), N(3, 1.5) at 99 %. With the quantile 2.3263: 7 + 2.3263 sqrt(3) = 11.0294.
InstanceBuilder three_containers(double capacity) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {2});
  builder.add_app("b", 1, {2});
  builder.add_app("c", 1, {3});
  builder.add_class({capacity});
  builder.data().variance = {0.5, 1, 1.5};
  builder.data().has_uncertainty = true;
  builder.data().uncertainty.confidence = 0.99;
  return builder;
}

TEST(ConfidenceTest, ThePapersThreeContainers) {
  const Instance instance = three_containers(11.03).must_build();
  EXPECT_EQ(instance.features(), static_cast<FeatureSet>(Feature::kUncertainDemand));
  EXPECT_NEAR(instance.confidence_factor(), 2.3263478740408408, 2e-15);
  for (const char* planner : {"ff", "bfd-max", "ncd-dotproduct", "spread-wfd-avg-binsearch", "match-dotproduct", "bf-ucac",
                              "biheu", "csp-ucac", "csp-mac", "auto"}) {
    SCOPED_TRACE(planner);
    const Plan plan = test::plan_by(instance, planner);
    ASSERT_EQ(plan.nodes.size(), 1u);
    EXPECT_NEAR(plan.ucac, 7 + 2.3263478740408408 * std::sqrt(3.0), 1e-12);
    ASSERT_EQ(plan.node_ucac.size(), 1u);
    EXPECT_EQ(plan.node_ucac[0], plan.ucac);
    EXPECT_EQ(plan.ucac_resource, 0u);
    EXPECT_LE(plan.bounds[Objective::kUcac]->value, plan.ucac);
  }
  // 11.0294 does not fit in 11.02, so two nodes are needed.
  const Instance tight = three_containers(11.02).must_build();
  for (const char* planner : {"ff", "bf-ucac", "biheu", "csp-mac", "csp-ucac", "auto"}) {
    EXPECT_EQ(test::plan_by(tight, planner).nodes.size(), 2u) << planner;
  }
  // With fixed sizes of mean + 2.3263 sigma (3.65 + 4.33 + 5.85), even a capacity of 13 is not enough.
  const Instance roomy = three_containers(13).must_build();
  EXPECT_EQ(test::plan_by(roomy, "bf-nsigma").nodes.size(), 2u);
  EXPECT_EQ(test::plan_by(roomy, "bf-ucac").nodes.size(), 1u);
}

TEST(ConfidenceTest, EqualityFitsExactly) {
  // 4 + 1 x sqrt(4 + 5) = 7.
  InstanceBuilder builder;
  builder.add_app("a", 1, {1.5});
  builder.add_app("b", 1, {2.5});
  builder.add_class({7});
  builder.data().variance = {4, 5};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.99, 1};
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 1u);
  builder.data().classes[0].capacity = {6.99};
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 2u);
}

TEST(ConfidenceTest, BoundedSupportIsHoeffdings) {
  // Widths 2 and 1: sqrt(ln(100) / 2 x (4 + 1)) = 3.3932.
  InstanceBuilder builder;
  builder.add_app("a", 1, {2});
  builder.add_app("b", 1, {1});
  builder.add_class({6.4});
  builder.data().support_min = {1, 0.5};
  builder.data().support_max = {3, 1.5};
  builder.data().uncertainty = {ChanceModel::kBoundedSupport, 0.99, 0};
  const Plan plan = test::plan_by(builder.must_build(), "ff");
  EXPECT_EQ(plan.nodes.size(), 1u);
  EXPECT_NEAR(plan.ucac, 3 + std::sqrt(std::log(100.0) / 2 * 5), 1e-12);
  builder.data().classes[0].capacity = {6.39};
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 2u);
}

// Near 0, and near the 0.5 of a normal distribution, 1 - confidence has none of the digits that the factor needs.
TEST(ConfidenceTest, PlannersAndCheckerAgreeOnTheFactor) {
  const auto expect_agreement = [](ChanceModel model, double confidence) {
    InstanceBuilder builder;
    builder.add_app("a", 1, {1});
    builder.add_class({4});
    builder.data().support_min = {0};
    builder.data().support_max = {2};
    builder.data().variance = {1};
    builder.data().uncertainty = {model, confidence, 0};
    const Instance instance = builder.must_build();
    const double factor = instance.confidence_factor();
    EXPECT_GT(factor, 0) << confidence;
    EXPECT_NEAR(checked_confidence_factor(builder.data().uncertainty), factor, 1e-13 * factor) << confidence;
  };
  for (const double confidence : {1e-300, 1e-50, 1e-17, 1e-10, 0.001, 0.2, 0.25, 0.4, 0.5, 0.75, 0.99, 0.9999999}) {
    expect_agreement(ChanceModel::kBoundedSupport, confidence);
  }
  for (const double above : {2e-16, 1e-10, 1e-5, 0.01, 0.2, 0.42, 0.43, 0.489, 0.491, 0.4937, 0.4939, 0.49999}) {
    expect_agreement(ChanceModel::kGaussian, 0.5 + above);
  }
}

TEST(ConfidenceTest, LargeSpreadsAtSmallConfidence) {
  InstanceBuilder builder;
  builder.add_app("a", 2, {1});
  builder.add_class({4});
  builder.data().support_min = {0};
  builder.data().support_max = {1e50};
  builder.data().uncertainty = {ChanceModel::kBoundedSupport, 1e-300, 0};
  // 2 + 1e50 x sqrt(2 x 1e-300 / 2) is 2.
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 1u);
  builder.data().support_min.clear();
  builder.data().support_max.clear();
  builder.data().variance = {1e18};
  // The quantile of 0.5 + p is p x sqrt(2 pi): 2.5e-10. Two replicas have a deviation of 1.41e9, one has 1e9.
  builder.data().uncertainty = {ChanceModel::kGaussian, 0.5000000001, 0};
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 1u);
  builder.data().uncertainty.confidence = 0.500000001;
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 2u);
}

TEST(ConfidenceTest, UncertainBesideDeterministicAndTwoUncertain) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 4, {1, 3});
  builder.add_class({10, 6});
  builder.data().variance = {1, 0};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 2};
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 2u) << "memory binds";
  builder.data().variance = {1, 0.04};  // 6 + 2 x sqrt(0.08) is above 6: one each
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 4u);
}

TEST(ConfidenceTest, LoadVariesAsWell) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {2});
  builder.add_class({10});
  builder.add_node(0, {5});
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  builder.data().load_variance = {8};  // 7 + sqrt(9) = 10
  const Plan plan = test::plan_by(builder.must_build(), "ff");
  EXPECT_EQ(plan.nodes.size(), 1u);
  EXPECT_NEAR(plan.ucac, 10, 1e-12);
  builder.data().load_variance = {8.1};
  EXPECT_EQ(test::plan_by(builder.must_build(), "ff").nodes.size(), 2u);
}

TEST(ConfidenceTest, ANodeMayStartWithMuchMoreRiskThanFits) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_class({1 << 30});
  builder.add_node(0, {1});
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  // For such variances, the units of risk, which are 64-bit integers, are coarse.
  for (const double variance : {1e18, 1e20, 1e24, 1e30, 1e100}) {
    SCOPED_TRACE(variance);
    builder.data().load_variance = {variance};
    const Instance instance = builder.must_build();
    const bool fits = variance < 1e19;  // 1e9 of 1.07e9
    EXPECT_EQ(instance.units_for_risk(instance.scaled_load_risk(0)[0], 0), fits ? 1'000'000'000 : 3'000'000'000);
    EXPECT_EQ(test::plan_by(instance, "ff").nodes.size(), fits ? 1u : 2u);
  }
}

TEST(ConfidenceTest, PeriodsHoldEachByItself) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("a", 1, {4, 1});
  builder.add_app("b", 1, {1, 4});
  builder.add_class({8});
  builder.data().variance = {4, 5};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const Plan plan = test::plan_by(builder.must_build(), "bf-ucac");
  EXPECT_EQ(plan.nodes.size(), 1u);
  EXPECT_NEAR(plan.ucac, 8, 1e-12) << "5 + sqrt(9) in either period";
}

TEST(ConfidenceTest, WhatHasNoEffectIsNoUncertainty) {
  InstanceBuilder builder = three_containers(12);
  builder.data().uncertainty = {ChanceModel::kFactor, 0.99, 0};
  const Instance instance = builder.must_build();
  EXPECT_FALSE(instance.uncertain());
  const Plan plan = test::plan_by(instance, "ff");
  EXPECT_LT(plan.ucac, 0);
  EXPECT_TRUE(plan.node_ucac.empty());
  EXPECT_FALSE(plan.bounds[Objective::kUcac].has_value());
  Request request;
  request.planner = "bf-ucac";
  request.objective = Objective::kUcac;
  const auto refused = run_planner(instance, request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kInvalid);
  EXPECT_EQ(refused.error().path, "objective");
}

TEST(ConfidenceTest, PlannersThatDoNotPursueTheObjectiveRefuse) {
  Request request;
  request.planner = "ff";
  request.objective = Objective::kUcac;
  const auto refused = run_planner(three_containers(12).must_build(), request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  EXPECT_EQ(refused.error().path, "objective");
}

// Headroom against its definition in doubles, where this differs from the boundary by more than rounding errors; and give_back
// undoes take.
TEST(ConfidenceTest, HeadroomIsTheDefinition) {
  test::Random random(7);
  for (int round = 0; round < 200; ++round) {
    InstanceBuilder builder({"cpu", "memory"});
    const std::uint32_t apps = random.between(1, 6);
    std::vector<double> variance;
    for (std::uint32_t i = 0; i < apps; ++i) {
      builder.add_app("a" + std::to_string(i), 40, {random.below(300) / 100.0, random.below(300) / 100.0});
      for (int r = 0; r < 2; ++r) variance.push_back(random.chance(0.3) ? 0 : random.below(200) / 150.0);
    }
    builder.add_class({20, 31.58});
    builder.data().variance = variance;
    builder.data().uncertainty = {ChanceModel::kFactor, 0.9, random.below(40) / 10.0};
    const Instance instance = builder.must_build();
    instance.visit_unit([&](auto unit) {
      Placement<decltype(unit)> placement(instance, Request{});
      typename Placement<decltype(unit)>::Candidate candidate(placement);
      const NodeId node = placement.open(0);
      std::vector<std::uint32_t> held(apps, 0);
      const auto use = [&](ResourceId r) {
        double mean = 0;
        double spread = 0;
        for (AppId i = 0; i < apps; ++i) {
          mean += held[i] * instance.demand(i, r, 0);
          spread += held[i] * variance[i * 2 + r];
        }
        return mean + builder.data().uncertainty.factor * std::sqrt(spread);
      };
      const auto margin = [&] { return std::min(20 - use(0), 31.58 - use(1)); };
      for (int step = 0; step < 30; ++step) {
        const AppId app = random.below(apps);
        candidate.start(placement, app);
        std::uint32_t expected = 0;
        bool close_call = false;
        for (const std::uint32_t before = held[app]; expected < placement.unplaced(app); ++expected) {
          held[app] = before + expected + 1;
          const double left = margin();
          held[app] = before;
          close_call = close_call || std::abs(left) < 1e-7;
          if (left < 0) break;
        }
        const std::uint32_t room = placement.headroom(candidate, node, placement.unplaced(app));
        if (!close_call) {
          ASSERT_EQ(room, expected) << "round " << round;
        }
        if (held[app] > 0 && random.chance(0.4)) {
          placement.remove(app, node, 1);
          --held[app];
        } else if (room > 0) {
          const std::uint32_t more = random.between(1, room);
          placement.place(app, node, more);
          held[app] += more;
        }
      }
    });
  }
}

TEST(ConfidenceTest, TheCheckerSeesWhatBreaksTheConfidence) {
  const Instance instance = three_containers(11.02).must_build();
  Plan plan = test::plan_by(three_containers(11.03).must_build(), "ff");
  plan.instance = instance.fingerprint();
  const Verification checked = check_plan(instance, plan);
  EXPECT_FALSE(checked.ok);
  ASSERT_GE(checked.violations.size(), 1u);
  EXPECT_EQ(checked.violations[0].kind, ViolationKind::kCapacityAtConfidence);
  EXPECT_NEAR(checked.violations[0].amount, 11.02935, 1e-5);
  EXPECT_EQ(checked.violations[0].limit, 11.02);
  EXPECT_NEAR(checked.ucac, 11.02935, 1e-5);
}

TEST(ConfidenceTest, TheCheckerRecomputesFigures) {
  const Instance instance = three_containers(11.03).must_build();
  const Plan right = test::plan_for_ucac(instance, "bf-ucac");
  EXPECT_TRUE(check_plan(instance, right).ok);
  const auto wrong = [&](auto&& change) {
    Plan plan = right;
    change(plan);
    const Verification checked = check_plan(instance, plan);
    EXPECT_FALSE(checked.ok);
    for (const Violation& v : checked.violations) EXPECT_EQ(v.kind, ViolationKind::kFigures);
  };
  wrong([](Plan& p) { p.ucac *= 0.999; });
  wrong([](Plan& p) { p.node_ucac[0] += 1; });
  wrong([](Plan& p) { p.node_ucac.clear(); });
  wrong([](Plan& p) { p.ucac_resource = kNone; });
  wrong([](Plan& p) { p.bounds[Objective::kUcac]->value = p.ucac * 1.001; });
  wrong([](Plan& p) { p.bounds[Objective::kUcac]->value = std::nan(""); });
  wrong([](Plan& p) {
    p.status = PlanStatus::kOptimal;
    p.bounds[Objective::kUcac].reset();
  });
}

TEST(ConfidenceTest, AStartThatIsOverItsConfidenceMayStayButTakesNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {2});
  builder.add_class({8});
  builder.add_node(0);
  builder.running(0, 0, 3);  // 6 + 2 sqrt(3) = 9.46
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 2};
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "bf-nsigma", "bf-ucac", "biheu", "csp-ucac", "csp-mac", "auto"}) {
    SCOPED_TRACE(planner);
    const Plan plan = test::plan_by(instance, planner);
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_EQ(plan.nodes.size(), 2u);
    EXPECT_EQ(plan.inherited_violations, 1u);
  }
  // If replicas may move, moving one repairs the node: 4 + 2 sqrt(2) = 6.83.
  Request request;
  request.move_budget = 2;
  instance.visit_unit([&](auto unit) {
    Placement<decltype(unit)> placement(instance, request);
    SearchState<decltype(unit)> state(placement, request);
    Repair<decltype(unit)> repair(state);
    EXPECT_EQ(repair.broken(), 1u);
    WorkClock clock(request, nullptr);
    repair.run(clock);
    EXPECT_EQ(repair.broken(), 0u);
    EXPECT_EQ(placement.unplaced(0), 2u);
  });
}

TEST(ConfidenceTest, WhatFitsNowhereIsLeftOverAndExplained) {
  InstanceBuilder builder;
  builder.add_app("wild", 1, {5});
  builder.add_app("calm", 1, {5});
  builder.add_app("large", 1, {12});
  builder.add_class({10}, 3);
  builder.data().variance = {9, 0, 0};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 2};
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "bf-nsigma", "bf-ucac", "biheu", "csp-ucac", "csp-mac", "auto"}) {
    const Plan plan = test::plan_by(instance, planner);
    EXPECT_EQ(plan.unplaced.size(), 2u) << planner;
  }
  const Plan plan = test::plan_by(instance, "ff");
  const auto explained = explain_plan(instance, plan, 0, nullptr);
  ASSERT_TRUE(explained.ok());
  ASSERT_EQ(explained.value().apps.size(), 1u);
  bool named = false;
  for (const CloseNode& node : explained.value().apps[0].closest) {
    for (const Obstacle& o : node.obstacles) {
      if (o.kind != ObstacleKind::kCapacityAtConfidence) continue;
      named = true;
      EXPECT_TRUE(std::abs(o.amount - 1) < 1e-9 || std::abs(o.amount - 6) < 1e-9) << o.amount;  // alone, or beside "calm"
    }
  }
  EXPECT_TRUE(named);
}

TEST(ConfidenceTest, BoundsCountSpreads) {
  // Replicas of mean 1 and variance 1, factor 3, capacity 10: k + 3 sqrt(k) <= 10 allows k = 4 per node.
  InstanceBuilder builder;
  builder.add_app("a", 20, {1});
  builder.add_class({10});
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 3};
  const Instance instance = builder.must_build();
  const ComputedBounds bounds = compute_bounds(instance);
  // Bound by weights: s^2 + 3 s = 10 gives s = 2, so each replica weighs 1 + 3 / 2 = 2.5. 20 of them need 5 nodes.
  for (const ComputedBound& bound : bounds.of[Objective::kNodes]) {
    if (bound.info->name == "confidence" || bound.info->name == "lagrangian") {
      EXPECT_EQ(bound.value.value, 5) << bound.info->name;
    }
  }
  EXPECT_EQ(bounds.fewest_nodes(), 5);
  ASSERT_EQ(bounds.of[Objective::kUcac].size(), 1u);
  EXPECT_NEAR(bounds.of[Objective::kUcac].front().value.value, 50, 1e-5);
  const Plan plan = test::plan_for_ucac(instance, "biheu");
  EXPECT_EQ(plan.nodes.size(), 5u);
  EXPECT_NEAR(plan.ucac, 50, 1e-9);
}

TEST(ConfidenceTest, BadInput) {
  const auto refused = [](auto&& change, const std::string& path) {
    InstanceBuilder builder = three_containers(12);
    builder.add_node(0, {1});
    change(builder.data());
    const auto result = builder.build();
    ASSERT_FALSE(result.ok()) << path;
    EXPECT_EQ(result.error().path, path) << result.error().message;
  };
  for (const double confidence : {0.0, 1.0, -0.5, 1.5, 0.49, std::nan("")}) {
    refused([&](InstanceData& d) { d.uncertainty.confidence = confidence; }, "uncertainty.confidence");
  }
  refused([](InstanceData& d) { d.variance[1] = -1; }, "apps.variance[1]");
  refused([](InstanceData& d) { d.variance[1] = std::nan(""); }, "apps.variance[1]");
  refused([](InstanceData& d) { d.uncertainty = {ChanceModel::kFactor, 0.9, -1}; }, "uncertainty.factor");
  refused([](InstanceData& d) { d.uncertainty = {ChanceModel::kFactor, 0.9, 1e7}; }, "uncertainty.factor");
  refused([](InstanceData& d) { d.uncertainty.model = ChanceModel::kBoundedSupport; }, "apps.support_min");
  InstanceBuilder idle = three_containers(12);
  idle.add_node(0);
  idle.data().load_variance = {1};
  EXPECT_EQ(idle.build().error().path, "nodes.load_variance[0]");
}

TEST(ConfidenceTest, ExtremesStayInRange) {
  // Means and spreads at both ends of the allowed range, running on a node and waiting.
  for (const double variance : {1e-100, 1e-30, 1e30, 1e100}) {
    for (const double capacity : {1e-90, 1.0, 1e90}) {
      InstanceBuilder builder;
      builder.add_app("a", 50, {capacity / 8});
      builder.add_class({capacity});
      builder.add_node(0);
      builder.running(0, 0, 9);
      builder.data().variance = {variance};
      builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1e6};
      auto instance = builder.build();
      if (!instance) {
        EXPECT_EQ(instance.error().code, Code::kLimitExceeded);
        continue;
      }
      for (const char* planner : {"ff", "bf-nsigma", "bf-ucac", "biheu", "csp-ucac", "csp-mac"}) {
        Request request;
        request.planner = planner;
        EXPECT_TRUE(run_planner(*instance, request, nullptr).ok()) << planner << " " << variance << " " << capacity;
      }
    }
  }
}

}  // namespace
}  // namespace stowage
