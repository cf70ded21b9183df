// Plans that keep room and survive losses: what they promise, held against the judge, loss by loss.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/domains/domains.h"
#include "core/losses/loss.h"
#include "core/losses/promises.h"
#include "core/model/labels.h"
#include "core/plan/side_effects.h"
#include "tests/property/agreement.h"
#include "tests/unit/losses/brute_force.h"

namespace stowage::test {

/// The request with losses to survive and room to keep, where the instance admits them.
inline Request promising(const Instance& instance, const Request& request) {
  Random random(request.seed + 1);
  Request asked = request;
  if (random.chance(0.7)) asked.survive = std::string(kEachNode);
  bool has_racks = false;
  for (const NodeClass& one : instance.data().classes) {
    for (const std::string& label : one.labels) has_racks = has_racks || label.starts_with("rack=");
  }
  if (has_racks && random.chance(0.6)) asked.survive = "rack";
  if (asked.all_or_nothing) return asked;
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (random.chance(0.3)) asked.keep.push_back({app, random.between(1, 4)});
  }
  if (check_promises_asked(instance, asked).code == Code::kUnsupported) asked.keep.clear();
  // More replicas may be more than the instance can mean, such as of an app without any that costs too much even alone.
  const std::optional<Instance> limited = within_max_cost(instance, asked.max_cost);
  if (!with_kept_replicas(limited ? *limited : instance, asked.keep).ok()) asked.keep.clear();
  return asked;
}

/// Whether replicas fewer of some app can break a hard rule.
inline bool has_rules_that_want_replicas(const Instance& instance) {
  return std::any_of(instance.rules().begin(), instance.rules().end(), [](const PlacementRule& rule) {
    if (!rule.hard) return false;
    for (const std::vector<Cardinality>& all_of : rule.any_of) {
      for (const Cardinality& one : all_of) {
        if (one.min > 0 || one.negated || one.kind == CardinalityKind::kSkew) return true;
      }
    }
    return false;
  });
}

/// What is wrong with what the nodes hold; empty: nothing.
inline std::string content_problem(const Judge& judge, const Instance& instance, const Request& request, const Plan& plan) {
  const auto held = judge.counts(plan);
  for (NodeId n = 0; n < plan.nodes.size(); ++n) {
    const std::string what =
        judge.node_problem(plan.nodes[n].node_class, plan.nodes[n].listed, held[n], false, request.max_cost);
    if (!what.empty()) return "node " + std::to_string(n) + ": " + what;
  }
  return has_rules_that_want_replicas(instance) ? "" : judge.rule_problem(plan, held);
}

/// The room holds what it is kept for, in the numbers that were asked for.
inline void check_room(const Generated& generated, const Instance& instance, const Request& asked, const Plan& plan) {
  std::map<AppId, std::uint64_t> said;
  Plan filled = plan;
  for (const Placed& one : plan.reserved) {
    said[one.app] += one.replicas;
    for (std::uint32_t k = 0; k < one.replicas; ++k) add_replica(filled, one.app, one.node);
  }
  for (const Unplaced& one : plan.unreserved) said[one.app] += one.replicas;
  EXPECT_EQ(said.size(), asked.keep.size());
  for (const Kept& one : asked.keep) EXPECT_EQ(said[one.app], one.replicas);
  EXPECT_EQ(content_problem(Judge(generated), instance, asked, filled), "");
}

/// After each loss, all is in order on the nodes that remain. If the plan says so, all has found a place.
inline void check_each_loss(const Generated& generated, const Instance& instance, const Request& asked, const Plan& plan) {
  const Judge judge(generated);
  const std::vector<NodeId> numbers = numbers_of_nodes(instance, plan);
  const auto losses = find_losses(instance, &plan, {.nodes = {}, .label = survived_label(asked.survive)}, nullptr);
  // A label that no node of the plan has is never lost.
  if (!losses.ok() && losses.error().path == "label") return;
  ASSERT_TRUE(losses.ok()) << losses.error().message;
  for (const Loss& loss : losses.value()) {
    if (plan.not_survived == 0) {
      EXPECT_EQ(loss.left, loss.pinned);
    }
    EXPECT_EQ(content_problem(judge, instance, asked, after_loss(plan, instance, loss, numbers)), "");
  }
}

/// The plan of the request on two threads, which is the same as `plan`.
inline Plan made_again(const Instance& instance, const Request& request, const Plan& plan) {
  Request again = request;
  again.threads = 2;
  auto second = run_planner(instance, again, nullptr);
  EXPECT_TRUE(second.ok());
  if (!second.ok()) return {};
  EXPECT_EQ(same_plan(plan, second.value()), "");
  return std::move(second.value());
}

/// The same request, with racks left free where there are any: the checker accepts its plan, which places no less than the
/// first attempt of the same planner does and uses no more racks, and it is made again.
inline void check_free_domains(const Instance& instance, const Request& request, const Plan& plain) {
  if (plain.objective != Objective::kNodes || !has_label(instance, "rack")) return;
  Request asked = request;
  asked.leave_free = "rack";
  SCOPED_TRACE("racks left free");
  auto plan = run_planner(instance, asked, nullptr);
  ASSERT_TRUE(plan.ok()) << plan.error().path << ": " << plan.error().message;
  for (const Violation& one : verify_plan(instance, plan.value()).violations) {
    if (!one.inherited) ADD_FAILURE() << static_cast<int>(one.kind) << " " << one.what;
  }
  EXPECT_FALSE(left_over_of(instance, plain, asked.judgement()) < left_over_of(instance, *plan, asked.judgement()));
  const Domains racks(instance, "rack");
  if (plain.unplaced.empty()) {
    EXPECT_LE(plan->domains_in_use, domains_in_use(instance, racks, plain));
  }
  EXPECT_EQ(plan->domains_in_use, made_again(instance, asked, plan.value()).domains_in_use);
}

/// The same request with promises: the checker and the judge accept its plan, with all room filled and after each loss, and it
/// is made again.
inline void check_promises(const Generated& generated, const Instance& instance, const Request& request, const Plan& plain) {
  if (plain.objective != Objective::kNodes) return;
  check_free_domains(instance, request, plain);
  const Request asked = promising(instance, request);
  SCOPED_TRACE("survive \"" + asked.survive + "\", keep " + std::to_string(asked.keep.size()));
  auto plan = run_planner(instance, asked, nullptr);
  // Room is not kept where a goal admits applications as a whole.
  if (!plan.ok() && !asked.goals.empty() && plan.error().path == "keep") return;
  ASSERT_TRUE(plan.ok()) << plan.error().path << ": " << plan.error().message;
  const Verification checked = verify_plan(instance, plan.value());
  EXPECT_TRUE(checked.ok);
  for (const Violation& one : checked.violations) {
    if (!one.inherited) ADD_FAILURE() << static_cast<int>(one.kind) << " " << one.what;
  }
  EXPECT_EQ(plan->survive, asked.survive);
  check_room(generated, instance, asked, plan.value());
  if (!asked.survive.empty()) check_each_loss(generated, instance, asked, plan.value());
  EXPECT_EQ(plan->not_survived, made_again(instance, asked, plan.value()).not_survived);
}

}  // namespace stowage::test
