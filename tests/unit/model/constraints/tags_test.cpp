// The examples of P2, section 4, each on a given placement: the effect of the rule is compared with the expected one. The
// checker judges finished placements; a placement under construction states how many more replicas it accepts.
#include "core/model/constraints/tags.h"

#include <gtest/gtest.h>

#include "core/placement/placement.h"
#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

/// Replicas to place, listed node by listed node.
struct TagSeat {
  AppId app;
  NodeId node;
  std::uint32_t replicas = 1;
};

Plan plan_of_tags(const Instance& instance, const std::vector<TagSeat>& seats) {
  Plan plan;
  plan.instance = instance.fingerprint();
  std::vector<std::uint32_t> left = instance.data().replicas;
  std::vector<NodeId> at(instance.listed_nodes(), kNone);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    for (const TagSeat& seat : seats) {
      if (seat.node != n) continue;
      if (at[n] == kNone) {
        at[n] = static_cast<NodeId>(plan.nodes.size());
        plan.nodes.push_back({instance.data().node_class[n], n});
      }
      plan.placed.push_back({seat.app, at[n], seat.replicas});
      left[seat.app] -= seat.replicas;
    }
  }
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (left[app] > 0) plan.unplaced.push_back({app, left[app]});
  }
  return plan;
}

RuleFindings judge_tags(const Instance& instance, const std::vector<TagSeat>& seats) {
  const Plan plan = plan_of_tags(instance, seats);
  return check_rules(instance, plan.nodes, plan.placed);
}

/// Headroom of the app on a node beside these replicas, as planners see it.
std::uint32_t tag_room(const Instance& instance, const std::vector<TagSeat>& seats, AppId app, NodeId node,
                       std::uint32_t wanted = 100) {
  return instance.visit_unit([&](auto unit) {
    Placement<decltype(unit)> placement(instance, {});
    for (const TagSeat& seat : seats) placement.place(seat.app, seat.node, seat.replicas);
    return placement.allowed(app, node, wanted);
  });
}

TEST(TagsOfPaper, NodeAndRackTagSetsCountContainers) {
  // Section 4.1: a master {hb, hb_m} and a region server {hb, hb_rs} on n1, a region server on n2; both in rack r1. Then hb
  // stands 2 times on n1 and 3 times in r1. A rule that allows exactly this number beside a watcher holds; a rule that allows
  // one less does not.
  for (const std::uint32_t most : {1u, 2u, 3u}) {
    TaggedBuilder builder;
    const AppId master = builder.app("master", 1, {"hb", "hb_m"});
    const AppId server = builder.app("server", 2, {"hb", "hb_rs"});
    const AppId watcher = builder.app("watcher", 1, {"w"});
    builder.nodes(2);
    const std::uint32_t rack = builder.group("rack", {{0, 1}});
    builder.hard(builder.replicas({"w"}, {"hb"}, 0, most));
    builder.hard(builder.replicas({"w"}, {"hb"}, 0, most, rack));
    const Instance instance = builder.must_build();
    const RuleFindings findings = judge_tags(instance, {{master, 0}, {server, 0}, {server, 1}, {watcher, 0}});
    // On the node 2 <= most, in the rack 3 <= most.
    EXPECT_EQ(findings.violations.size(), most == 1 ? 2u : most == 2 ? 1u : 0u) << most;
  }
}

TEST(TagsOfPaper, AffinityWantsOneNear) {
  // C_af = {storm, {hb & mem, 1, inf}, node}
  TaggedBuilder builder;
  const AppId storm = builder.app("storm", 2, {"storm"});
  const AppId memory = builder.app("memory", 1, {"hb", "mem"});
  const AppId plain = builder.app("plain", 1, {"hb"});
  builder.nodes(3);
  builder.hard(builder.replicas({"storm"}, {"hb", "mem"}, 1, kNone));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{storm, 0, 2}, {memory, 0}, {plain, 1}}).violations.empty());
  // hb without mem does not count.
  const RuleFindings apart = judge_tags(instance, {{storm, 0}, {memory, 0}, {storm, 1}, {plain, 1}});
  ASSERT_EQ(apart.violations.size(), 1u);
  EXPECT_EQ(apart.violations[0].app, storm);
  EXPECT_EQ(apart.violations[0].node, 1u);
  EXPECT_EQ(apart.violations[0].replicas, 1u);
  EXPECT_DOUBLE_EQ(apart.violations[0].extent, 1);  // (1 - 0) / 1
  // Planners: any number beside memory, none elsewhere once no replica with memory is pending.
  EXPECT_EQ(tag_room(instance, {{memory, 0}}, storm, 0), 100u);
  EXPECT_EQ(tag_room(instance, {{memory, 0}}, storm, 1), 0u);
  EXPECT_EQ(tag_room(instance, {{memory, 0}, {plain, 1}}, storm, 1), 0u);
}

TEST(TagsOfPaper, AffinityWithinOneApplication) {
  // C_af' = {appID:0023 & storm, {appID:0023 & hb, 1, inf}, node}: the storm of another application is not subject to it.
  TaggedBuilder builder;
  const AppId storm = builder.app("storm", 1, {"appID:0023", "storm"});
  const AppId hb = builder.app("hb", 1, {"appID:0023", "hb"});
  const AppId other_storm = builder.app("other storm", 1, {"appID:0024", "storm"});
  const AppId other_hb = builder.app("other hb", 1, {"appID:0024", "hb"});
  builder.nodes(2);
  builder.hard(builder.replicas({"appID:0023", "storm"}, {"appID:0023", "hb"}, 1, kNone));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{storm, 0}, {hb, 0}, {other_storm, 1}, {other_hb, 0}}).violations.empty());
  EXPECT_EQ(judge_tags(instance, {{storm, 0}, {other_hb, 0}, {hb, 1}}).costs.violations, 1u);
  // Apps that share the tag are one application.
  EXPECT_EQ(instance.application(storm), instance.application(hb));
  EXPECT_NE(instance.application(storm), instance.application(other_hb));
}

TEST(TagsOfPaper, AnAppCarriesItsOwnTag) {
  TaggedBuilder builder;
  const AppId web = builder.app("web", 3, {});
  const AppId cache = builder.app("cache", 1, {});
  builder.nodes(2);
  builder.hard(builder.replicas({"appID:web"}, {"appID:web"}, 0, 0));
  builder.hard(builder.replicas({"appID:cache"}, {"appID:web"}, 1, kNone));
  const Instance instance = builder.must_build();
  EXPECT_EQ(tag_room(instance, {}, web, 0), 1u);
  EXPECT_EQ(tag_room(instance, {{web, 0}}, web, 0), 0u);
  EXPECT_EQ(tag_room(instance, {{web, 0}}, cache, 0), 100u);
}

TEST(TagsOfPaper, AntiAffinityAcrossUpgradeDomains) {
  // C_aa = {storm, {hb, 0, 0}, upgrade_domain}
  TaggedBuilder builder;
  const AppId storm = builder.app("storm", 2, {"storm"});
  const AppId hb = builder.app("hb", 2, {"hb"});
  builder.nodes(4);
  const std::uint32_t domain = builder.group("upgrade_domain", {{0, 1}, {2, 3}});
  builder.hard(builder.replicas({"storm"}, {"hb"}, 0, 0, domain));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{storm, 0, 2}, {hb, 2}, {hb, 3}}).violations.empty());
  // Another node of the same domain also violates the rule; each storm sees two hb, and none is allowed.
  const RuleFindings near = judge_tags(instance, {{storm, 0, 2}, {hb, 1, 2}});
  EXPECT_EQ(near.costs.violations, 2u);
  EXPECT_DOUBLE_EQ(near.costs.extent, 4);
  // In both directions: no storm where hb is, and no hb where storm is.
  EXPECT_EQ(tag_room(instance, {{hb, 2}}, storm, 3), 0u);
  EXPECT_EQ(tag_room(instance, {{storm, 0}}, hb, 1), 0u);
  EXPECT_EQ(tag_room(instance, {{storm, 0}}, hb, 2), 100u);
}

TEST(TagsOfPaper, CardinalityOfAnotherApplication) {
  // C_ca = {storm, {spark, 0, 5}, rack}
  TaggedBuilder builder;
  const AppId storm = builder.app("storm", 1, {"storm"});
  const AppId spark = builder.app("spark", 12, {"spark"});
  builder.nodes(4, 100);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}});
  builder.hard(builder.replicas({"storm"}, {"spark"}, 0, 5, rack));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{storm, 0}, {spark, 0, 2}, {spark, 1, 3}, {spark, 2, 7}}).violations.empty());
  const RuleFindings six = judge_tags(instance, {{storm, 0}, {spark, 0, 3}, {spark, 1, 3}});
  ASSERT_EQ(six.violations.size(), 1u);
  EXPECT_DOUBLE_EQ(six.violations[0].extent, 0.2);  // (6 - 5) / 5
  // Beside storm, 5 - 3 more; without storm, any number; and storm only where at most five are.
  EXPECT_EQ(tag_room(instance, {{storm, 0}, {spark, 1, 3}}, spark, 0), 2u);
  EXPECT_EQ(tag_room(instance, {{storm, 0}, {spark, 1, 3}}, spark, 2), 100u);
  EXPECT_EQ(tag_room(instance, {{spark, 2, 5}}, storm, 3), 100u);
  EXPECT_EQ(tag_room(instance, {{spark, 2, 6}}, storm, 3), 0u);
}

TEST(TagsOfPaper, CardinalityWithinAGroupOfContainers) {
  // C_cg = {spark, {spark, 3, 10}, rack}: beside each, 3 to 10 others; so 4 to 11 in a rack, or none.
  TaggedBuilder builder;
  const AppId spark = builder.app("spark", 15, {"spark"});
  builder.nodes(4, 100);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}});
  builder.hard(builder.replicas({"spark"}, {"spark"}, 3, 10, rack));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{spark, 0, 2}, {spark, 1, 2}, {spark, 2, 11}}).violations.empty());
  EXPECT_EQ(judge_tags(instance, {{spark, 0, 2}, {spark, 1, 1}}).costs.violations, 3u);
  EXPECT_EQ(judge_tags(instance, {{spark, 0, 12}}).costs.violations, 12u);
  // The first may be anywhere, since 14 more are pending; the next ones must join it until there are four.
  EXPECT_EQ(tag_room(instance, {}, spark, 0), 11u);
  EXPECT_EQ(tag_room(instance, {{spark, 0, 2}}, spark, 2), 0u);
  EXPECT_EQ(tag_room(instance, {{spark, 0, 2}}, spark, 1), 9u);
  EXPECT_EQ(tag_room(instance, {{spark, 0, 4}}, spark, 2), 11u);
  // With four left, another rack can reach four; with three it cannot.
  EXPECT_EQ(tag_room(instance, {{spark, 0, 11}}, spark, 2), 11u);
  EXPECT_EQ(tag_room(instance, {{spark, 0, 11}, {spark, 2}}, spark, 0), 0u);
  EXPECT_EQ(tag_room(instance, {{spark, 0, 7}, {spark, 1, 4}}, spark, 1), 0u);
}

TEST(TagsOfPaper, StaticTagsOfNodesCount) {
  // Section 4.1: nodes with GPUs. {tf, {gpu, 1, inf}, node}
  TaggedBuilder builder;
  const AppId tf = builder.app("tf", 2, {"tf"});
  builder.nodes(1, 10, {"gpu"});
  builder.nodes(1, 10, {});
  builder.hard(builder.replicas({"tf"}, {"gpu"}, 1, kNone));
  const Instance instance = builder.must_build();
  EXPECT_EQ(tag_room(instance, {}, tf, 0), 100u);
  EXPECT_EQ(tag_room(instance, {}, tf, 1), 0u);
  EXPECT_EQ(judge_tags(instance, {{tf, 0}, {tf, 1}}).costs.violations, 1u);
}

TEST(TagsOfPaper, CompoundConstraintsAndWeights) {
  // Section 4.2: node affinity or else rack affinity to hb, in DNF; and a weighted preference for the former.
  TaggedBuilder builder;
  const AppId storm = builder.app("storm", 1, {"storm"});
  const AppId hb = builder.app("hb", 1, {"hb"});
  const AppId noisy = builder.app("noisy", 1, {"noisy"});
  builder.nodes(4);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}});
  const Cardinality on_node = builder.replicas({"storm"}, {"hb"}, 1, kNone);
  const Cardinality in_rack = builder.replicas({"storm"}, {"hb"}, 1, kNone, rack);
  const Cardinality quiet = builder.replicas({"storm"}, {"noisy"}, 0, 0);
  builder.hard({{on_node}, {in_rack, quiet}});
  builder.soft({{on_node}}, 0.5);
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{storm, 0}, {hb, 0}, {noisy, 0}}).violations.empty());
  const RuleFindings in_rack_only = judge_tags(instance, {{storm, 1}, {hb, 0}});
  ASSERT_EQ(in_rack_only.violations.size(), 1u);
  EXPECT_FALSE(in_rack_only.violations[0].hard);
  EXPECT_DOUBLE_EQ(in_rack_only.costs.cost, 0.5);
  // In the rack, but noisy: neither conjunction holds.
  const RuleFindings noise = judge_tags(instance, {{storm, 1}, {hb, 0}, {noisy, 1}});
  EXPECT_EQ(noise.costs.violations, 2u);
  EXPECT_EQ(tag_room(instance, {{hb, 0}}, storm, 1), 100u);
  EXPECT_EQ(tag_room(instance, {{hb, 0}}, storm, 2), 0u);
  EXPECT_EQ(tag_room(instance, {{hb, 0}, {noisy, 1}}, storm, 1), 0u);
  EXPECT_EQ(tag_room(instance, {{hb, 0}, {noisy, 0}}, storm, 0), 100u);
  // Noise would break the conjunction that storm relies on.
  EXPECT_EQ(tag_room(instance, {{hb, 0}, {storm, 1}}, noisy, 1), 0u);
}

TEST(Tags, OverlappingSetsAllCount) {
  // Node 1 is in both domains: its replicas count in both, and both count for them.
  TaggedBuilder builder;
  const AppId a = builder.app("a", 3, {"a"});
  const AppId b = builder.app("b", 3, {"b"});
  builder.nodes(3);
  const std::uint32_t domain = builder.group("domain", {{0, 1}, {1, 2}});
  builder.hard(builder.replicas({"a"}, {"b"}, 0, 0, domain));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{a, 0}, {b, 2}}).violations.empty());
  EXPECT_EQ(judge_tags(instance, {{a, 0}, {b, 1}}).costs.violations, 1u);
  EXPECT_DOUBLE_EQ(judge_tags(instance, {{a, 1}, {b, 1}}).costs.extent, 2);  // once per domain
  EXPECT_EQ(tag_room(instance, {{b, 2}}, a, 1), 0u);
  EXPECT_EQ(tag_room(instance, {{b, 2}}, a, 0), 100u);
}

TEST(Tags, OutsideOfAllSetsNothingIsNear) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  const AppId b = builder.app("b", 1, {"b"});
  builder.nodes(2);
  const std::uint32_t rack = builder.group("rack", {{0}});
  builder.hard(builder.replicas({"a"}, {"b"}, 1, kNone, rack));
  builder.hard(builder.node_sets({"a"}, 0, 1, rack));
  const Instance instance = builder.must_build();
  EXPECT_EQ(judge_tags(instance, {{a, 1}, {b, 1}}).costs.violations, 2u);
  EXPECT_EQ(tag_room(instance, {{b, 1}}, a, 1), 0u);
}

TEST(Tags, SpreadOverAtLeastAndAtMostSoManySets) {
  TaggedBuilder builder;
  const AppId wide = builder.app("wide", 4, {"wide"});
  const AppId tight = builder.app("tight", 4, {"tight"});
  builder.nodes(6);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}, {4, 5}});
  builder.hard(builder.node_sets({"wide"}, 3, kNone, rack));
  builder.hard(builder.node_sets({"tight"}, 0, 1, rack));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{wide, 0, 2}, {wide, 2}, {wide, 5}, {tight, 4, 2}, {tight, 5, 2}}).violations.empty());
  // Two replicas cannot be in three racks: two will do.
  EXPECT_TRUE(judge_tags(instance, {{wide, 0}, {wide, 2}}).violations.empty());
  const RuleFindings two = judge_tags(instance, {{wide, 0, 2}, {wide, 2, 2}});
  ASSERT_EQ(two.violations.size(), 1u);
  EXPECT_EQ(two.violations[0].app, kNone);
  EXPECT_DOUBLE_EQ(two.violations[0].extent, 1.0 / 3);
  EXPECT_EQ(judge_tags(instance, {{tight, 0}, {tight, 2}}).costs.violations, 1u);
  EXPECT_EQ(tag_room(instance, {}, wide, 0), 1u);
  EXPECT_EQ(tag_room(instance, {{wide, 0}}, wide, 1), 0u);
  EXPECT_EQ(tag_room(instance, {{wide, 0}}, wide, 2), 1u);
  EXPECT_EQ(tag_room(instance, {{wide, 0}, {wide, 2}, {wide, 4}}, wide, 1), 100u);
  EXPECT_EQ(tag_room(instance, {{tight, 2}}, tight, 0), 0u);
  EXPECT_EQ(tag_room(instance, {{tight, 2}}, tight, 3), 100u);
}

TEST(Tags, SkewIsOverAllSetsOfTheGroup) {
  TaggedBuilder builder;
  const AppId web = builder.app("web", 6, {"web"});
  builder.nodes(6);
  const std::uint32_t zone = builder.group("zone", {{0, 1}, {2, 3}, {4, 5}});
  builder.hard(builder.skew({"web"}, 1, zone));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{web, 0}, {web, 1}, {web, 2}, {web, 4}}).violations.empty());
  EXPECT_EQ(judge_tags(instance, {{web, 0, 2}, {web, 2}}).costs.violations, 1u);  // 2 - 0
  EXPECT_EQ(tag_room(instance, {}, web, 0), 1u);
  EXPECT_EQ(tag_room(instance, {{web, 0}}, web, 1), 0u);
  EXPECT_EQ(tag_room(instance, {{web, 0}, {web, 2}}, web, 5), 2u);
  EXPECT_EQ(tag_room(instance, {{web, 0}, {web, 2}, {web, 4}}, web, 5), 1u);
}

TEST(Tags, SkewOverSingleNodes) {
  TaggedBuilder builder;
  const AppId web = builder.app("web", 6, {"web"});
  builder.nodes(3);
  builder.hard(builder.skew({"web"}, 1, kNone));
  const Instance instance = builder.must_build();
  EXPECT_EQ(tag_room(instance, {{web, 0}}, web, 0), 0u);
  EXPECT_EQ(tag_room(instance, {{web, 0}, {web, 1}, {web, 2}}, web, 0), 1u);
  EXPECT_EQ(judge_tags(instance, {{web, 0, 2}, {web, 1}}).costs.violations, 1u);
  EXPECT_TRUE(judge_tags(instance, {{web, 0, 2}, {web, 1}, {web, 2}}).violations.empty());
}

TEST(Tags, NegationIsBelowOrAbove) {
  // The negation of 1 to 2 others: none, or at least three.
  TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  const AppId b = builder.app("b", 5, {"b"});
  builder.nodes(2);
  builder.hard(TaggedBuilder::negated(builder.replicas({"a"}, {"b"}, 1, 2)));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {{a, 0}}).violations.empty());
  EXPECT_EQ(judge_tags(instance, {{a, 0}, {b, 0, 1}}).costs.violations, 1u);
  EXPECT_EQ(judge_tags(instance, {{a, 0}, {b, 0, 2}}).costs.violations, 1u);
  EXPECT_TRUE(judge_tags(instance, {{a, 0}, {b, 0, 3}}).violations.empty());
  EXPECT_EQ(tag_room(instance, {{b, 0, 2}}, a, 0), 0u);
  EXPECT_EQ(tag_room(instance, {{b, 0, 3}}, a, 0), 100u);
}

TEST(Tags, GroupsByLabelHoldOpenEndedClasses) {
  TaggedBuilder builder;
  const AppId web = builder.app("web", 2, {"web"});
  builder.add_class({10});
  builder.add_class({10});
  builder.data().classes[0].labels = {"rack=1"};
  builder.data().classes[1].labels = {"rack=2"};
  const std::uint32_t rack = builder.group_by_label("rack", "rack");
  builder.hard(builder.replicas({"web"}, {"web"}, 0, 0, rack));
  const Instance instance = builder.must_build();
  Placement<std::int16_t> placement(instance, {});
  const NodeId first = placement.open(0);
  const NodeId second = placement.open(0);
  placement.place(web, first, 1);
  EXPECT_EQ(placement.allowed(web, second, 1), 0u);
  Placement<std::int16_t>::Candidate candidate(placement);
  candidate.start(placement, web);
  EXPECT_EQ(placement.headroom_on_empty(candidate, 0, 1), 0u);
  EXPECT_EQ(placement.headroom_on_empty(candidate, 1, 2), 1u);
}

TEST(Tags, TheOperatorsRuleTakesTheOthersPlace) {
  // Section 5.2: the operator demands at most three, the application at least four.
  TaggedBuilder builder;
  builder.app("spark", 8, {"spark"});
  builder.nodes(2);
  const std::uint32_t asked = builder.soft(builder.replicas({"spark"}, {"spark"}, 4, kNone));
  const std::uint32_t ruled = builder.hard(builder.replicas({"spark"}, {"spark"}, 0, 3));
  builder.data().rules[ruled].from_operator = true;
  const Instance instance = builder.must_build();
  ASSERT_EQ(instance.rule_conflicts().size(), 1u);
  EXPECT_EQ(instance.rule_conflicts()[0].rule, asked);
  EXPECT_EQ(instance.rule_conflicts()[0].other, ruled);
  EXPECT_EQ(instance.rules()[asked].any_of[0][0].min, 3u);
  EXPECT_EQ(instance.data().rules[asked].any_of[0][0].min, 4u);
}

TEST(Tags, ContradictionsOfHardRulesAreNamed) {
  TaggedBuilder builder;
  builder.app("spark", 8, {"spark"});
  builder.nodes(2);
  builder.hard(builder.replicas({"spark"}, {"spark"}, 4, kNone));
  builder.hard(builder.replicas({"spark"}, {"spark"}, 0, 3));
  const auto result = builder.build();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::kInvalid);
  EXPECT_EQ(result.error().path, "rules[1]");
  EXPECT_NE(result.error().message.find("rules[0] (\"rule-0\")"), std::string::npos) << result.error().message;

  TaggedBuilder never;
  never.app("spark", 1, {"spark"});
  never.nodes(1);
  never.hard(TaggedBuilder::negated(never.replicas({"spark"}, {"spark"}, 0, kNone)));
  EXPECT_EQ(never.build().error().path, "rules[0].any_of[0]");
}

TEST(Tags, RulesTimesAppsAreLimited) {
  TaggedBuilder builder;
  for (int k = 0; k < 20; ++k) builder.app("app-" + std::to_string(k), 1, {"all"});
  builder.nodes(1);
  for (int k = 0; k < 20; ++k) builder.soft(builder.replicas({"all"}, {"all"}, 0, static_cast<std::uint32_t>(k)));
  Limits limits;
  limits.max_cells = 500;
  const auto result = builder.build(limits);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::kLimitExceeded);
  EXPECT_EQ(result.error().path.substr(0, 6), "rules[");
}

// What a small input makes of many conditions is refused before it is allocated. The limit is an estimate in bytes.
TEST(Tags, TablesAreWithinMaxMemory) {
  Limits limits;
  limits.max_memory = 1'000'000;
  const auto expect_refused = [&](const TaggedBuilder& builder, const std::string& path) {
    EXPECT_TRUE(builder.build().ok());
    const auto result = builder.build(limits);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::kLimitExceeded);
    EXPECT_EQ(result.error().path, path);
  };
  // 1024 ways to meet ten negated conditions, times ten conditions.
  TaggedBuilder negated;
  negated.app("a", 1, {"a"});
  negated.nodes(1);
  negated.hard({std::vector<Cardinality>(10, TaggedBuilder::negated(negated.replicas({"a"}, {"a"}, 2, 5)))});
  expect_refused(negated, "rules");
  // 100 groups of 1000 nodes, each about one of them.
  TaggedBuilder grouped;
  grouped.app("a", 1, {"a"});
  grouped.nodes(1000);
  for (std::uint32_t g = 0; g < 100; ++g) grouped.soft(grouped.replicas({"a"}, {"a"}, 0, 1, grouped.group("g", {{g}})));
  expect_refused(grouped, "groups");
  // 1000 apps x 1000 periods, since one node's load varies.
  TaggedBuilder varying;
  varying.data().periods = 1000;
  for (int k = 0; k < 1000; ++k) varying.app("app-" + std::to_string(k), 1, {});
  std::vector<double> load(1000, 1);
  load[0] = 2;
  varying.add_node(varying.add_class({10}), load);
  expect_refused(varying, "periods");
  // 200 selectors asked of 1000 apps.
  TaggedBuilder selecting;
  for (int k = 0; k < 1000; ++k) selecting.app("app-" + std::to_string(k), 1, {"all"});
  selecting.nodes(2, 10, {"ssd"});
  for (int k = 0; k < 200; ++k) selecting.hard(selecting.replicas({"all"}, {"ssd"}, 1, kNone));
  expect_refused(selecting, "rules");
}

// Groups that no rule is about take nothing.
TEST(Tags, UnusedGroupsCostNothing) {
  Limits limits;
  limits.max_memory = 200'000;
  TaggedBuilder builder;
  builder.app("a", 1, {"a"});
  builder.nodes(1000);
  for (std::uint32_t g = 0; g < 100; ++g) builder.group("g", {{g}});
  builder.soft(builder.replicas({"a"}, {"a"}, 0, 1, 7));
  auto instance = builder.build(limits);
  ASSERT_TRUE(instance.ok());
  EXPECT_EQ(instance->tag_model().sets_of(7, 7, 0).size(), 1u);
  EXPECT_TRUE(instance->tag_model().sets_of(8, 8, 0).empty());
  Request request;
  request.planner = "auto";
  request.work_limit = 1000;
  EXPECT_TRUE(run_planner(*instance, request, nullptr).ok());
}

TEST(Tags, BrokenAtTheStartIsInheritedAndNoWorse) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 3, {"a"});
  builder.nodes(2);
  builder.hard(builder.replicas({"a"}, {"a"}, 0, 0));
  builder.running(a, 0, 2);
  const Instance instance = builder.must_build();
  const RuleFindings findings = judge_tags(instance, {{a, 0, 2}, {a, 1, 1}});
  ASSERT_EQ(findings.violations.size(), 1u);
  EXPECT_TRUE(findings.violations[0].inherited);
  const RuleFindings worse = judge_tags(instance, {{a, 0, 3}});
  ASSERT_EQ(worse.violations.size(), 1u);
  EXPECT_FALSE(worse.violations[0].inherited);
  EXPECT_EQ(tag_room(instance, {}, a, 0), 0u);
  EXPECT_EQ(tag_room(instance, {}, a, 1), 1u);
}

TEST(Tags, AnUnevenStartIsEvenedOut) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 6, {"a"});
  builder.nodes(2);
  builder.hard(builder.skew({"a"}, 1, kNone));
  builder.running(a, 0, 4);
  const Instance instance = builder.must_build();
  EXPECT_EQ(tag_room(instance, {}, a, 0), 0u);
  EXPECT_EQ(tag_room(instance, {}, a, 1), 8u);
  Placement<std::int16_t> placement(instance, {});
  placement.place(a, 1, 1);
  placement.withdraw();
  EXPECT_EQ(placement.unplaced(a), 1u);
  const RuleFindings findings = judge_tags(instance, {{a, 0, 4}, {a, 1, 1}});
  ASSERT_EQ(findings.violations.size(), 1u);
  EXPECT_TRUE(findings.violations[0].inherited);
}

TEST(Tags, TwoConditionsOnAllSubjectsAreInheritedEachForItself) {
  // On at least three nodes, with a skew of at most one: the start breaks both, and one more replica makes neither worse.
  TaggedBuilder builder;
  const AppId a = builder.app("a", 6, {"a"});
  builder.nodes(4);
  builder.hard({{builder.skew({"a"}, 1, kNone), builder.node_sets({"a"}, 3, kNone, kNone)}});
  builder.running(a, 0, 5);
  const Instance instance = builder.must_build();
  for (const std::vector<TagSeat>& seats : {std::vector<TagSeat>{{a, 0, 5}}, std::vector<TagSeat>{{a, 0, 5}, {a, 1, 1}}}) {
    const RuleFindings findings = judge_tags(instance, seats);
    ASSERT_EQ(findings.violations.size(), 2u);
    EXPECT_TRUE(findings.violations[0].inherited);
    EXPECT_TRUE(findings.violations[1].inherited);
  }
}

TEST(Tags, UnevennessThatIsNotReachedIsWithdrawn) {
  // The negation of a skew of at most 3: at least 4. Without subjects, the start does not break it.
  TaggedBuilder builder;
  const AppId few = builder.app("few", 3, {"few"});
  const AppId many = builder.app("many", 4, {"many"});
  builder.nodes(2);
  builder.hard(TaggedBuilder::negated(builder.skew({"few"}, 3, kNone)));
  builder.hard(TaggedBuilder::negated(builder.skew({"many"}, 3, kNone)));
  const Instance instance = builder.must_build();
  EXPECT_TRUE(judge_tags(instance, {}).violations.empty());
  EXPECT_EQ(judge_tags(instance, {{few, 0, 3}}).costs.violations, 1u);
  EXPECT_TRUE(judge_tags(instance, {{many, 0, 4}}).violations.empty());
  Placement<std::int16_t> placement(instance, {});
  placement.place(few, 0, 3);
  placement.place(many, 0, 4);
  placement.withdraw();
  EXPECT_EQ(placement.unplaced(few), 3u);
  EXPECT_EQ(placement.unplaced(many), 0u);
}

// A node that holds none makes the skew, listed or not. On the only node that there is, the skew is 0.
TEST(Tags, UnevennessOverNodesThatAreNotListed) {
  for (const std::uint32_t count : {0u, 1u, 3u}) {
    TaggedBuilder builder;
    builder.app("a", 4, {"t"});
    const ClassId node_class = builder.add_class({10}, count);
    if (count == 3) builder.add_node(node_class);
    builder.hard(TaggedBuilder::negated(builder.skew({"t"}, 1, kNone)));
    const Instance instance = builder.must_build();
    for (const PlannerInfo& planner : planners()) {
      const bool honours = (instance.features() & ~planner.honours) == 0;
      if (!honours || planner.needs_solver || !planner.pursues.contains(Objective::kNodes)) continue;
      SCOPED_TRACE(planner.name + " on " + std::to_string(count));
      Request request;
      request.planner = planner.name;
      request.work_limit = 2000;
      auto plan = run_planner(instance, request, nullptr);
      ASSERT_TRUE(plan.ok()) << plan.error().message;
      if (count == 1) {
        EXPECT_EQ(plan->unplaced.size(), 1u);
      }
      if (planner.name == "ff" && count != 1) {
        EXPECT_TRUE(plan->unplaced.empty());
      }
    }
  }
}

TEST(Tags, WhatHasNothingNearIsWithdrawn) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 2, {"a"});
  const AppId b = builder.app("b", 1, {"b"});
  builder.nodes(2);
  builder.hard(builder.replicas({"a"}, {"b"}, 1, kNone));
  builder.hard(builder.replicas({"b"}, {"a"}, 1, kNone));
  const Instance instance = builder.must_build();
  Placement<std::int16_t> placement(instance, {});
  placement.place(a, 0, 1);
  placement.place(b, 0, 1);
  placement.place(a, 1, 1);
  placement.withdraw();
  EXPECT_EQ(placement.unplaced(a), 1u);
  EXPECT_EQ(placement.unplaced(b), 0u);
  placement.remove(b, 0, 1);
  placement.withdraw();
  EXPECT_EQ(placement.unplaced(a), 2u);
}

// --- What left its node comes home
// --------------------------------------------------------------------------------------------

TEST(Tags, WhatOthersNeedComesHome) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  const AppId b = builder.app("b", 1, {"b"});
  builder.nodes(2);
  builder.hard(builder.replicas({"a"}, {"b"}, 1, kNone));
  builder.running(a, 0, 1);
  builder.running(b, 0, 1);
  const Instance instance = builder.must_build();
  for (const bool has_place : {true, false}) {
    Placement<std::int16_t> placement(instance, {});
    placement.remove(b, 0, 1);
    if (has_place) placement.place(b, 1, 1);
    Plan plan;
    placement.write(plan);
    EXPECT_EQ(plan.nodes.size(), 1u) << "the plan is that of withdraw()";
    EXPECT_TRUE(plan.unplaced.empty());
    placement.withdraw();
    EXPECT_EQ(placement.contents().count(b, 0), 1u);
    EXPECT_EQ(placement.contents().count(b, 1), 0u);
  }
}

TEST(Tags, AnIncompleteApplicationComesHome) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 3, {"a"});
  builder.nodes(2);
  builder.running(a, 0, 2);
  const Instance instance = builder.must_build();
  Request request;
  request.all_or_nothing = true;
  Placement<std::int16_t> placement(instance, request);
  placement.remove(a, 0, 1);
  placement.place(a, 1, 1);
  placement.withdraw();
  EXPECT_EQ(placement.contents().count(a, 0), 2u);
  EXPECT_EQ(placement.contents().count(a, 1), 0u);
  EXPECT_EQ(placement.unplaced(a), 1u);
}

// A newcomer took the place of what comes home, and no rule that it is subject to says that it has to go.
TEST(Tags, TheLastResortIsTheStart) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  const AppId b = builder.app("b", 1, {"b"});
  const AppId c = builder.app("c", 1, {"c"});
  builder.nodes(2);
  builder.hard(builder.replicas({"a"}, {"b"}, 0, 0));
  builder.hard(builder.replicas({"c"}, {"b"}, 1, kNone));
  builder.running(a, 0, 1);
  const Instance instance = builder.must_build();
  Placement<std::int16_t> placement(instance, {});
  placement.remove(a, 0, 1);
  placement.place(b, 0, 1);
  placement.place(c, 1, 1);
  placement.withdraw();
  EXPECT_EQ(placement.contents().count(a, 0), 1u);
  EXPECT_EQ(placement.unplaced(b), 1u);
  EXPECT_EQ(placement.unplaced(c), 1u);
}

TEST(Tags, WhatComesHomeKeepsTheLimitOfNodes) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  const AppId b = builder.app("b", 1, {"b"});
  const AppId other = builder.app("other", 1, {});
  builder.nodes(2);
  builder.hard(builder.replicas({"b"}, {"a"}, 1, kNone));
  builder.running(a, 0, 1);
  const Instance instance = builder.must_build();
  Request request;
  request.node_limit = 1;
  Placement<std::int16_t> placement(instance, request);
  placement.remove(a, 0, 1);
  placement.place(other, 1, 1);
  placement.place(b, 1, 1);
  placement.withdraw();
  EXPECT_EQ(placement.nodes_in_use(), 1u);
  EXPECT_EQ(placement.contents().count(a, 0), 1u);
}

// A plan that leaves the nodes in use is added to a placement that may use no more of them.
TEST(Tags, NodesOfAPlanOpenBeyondTheLimitOfWhatIsThere) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  builder.add_node(builder.add_class({10}));
  builder.running(a, 0, 1);
  const Instance instance = builder.must_build();
  Request request;
  request.node_limit = 1;
  Placement<std::int16_t> placement(instance, request);
  ASSERT_EQ(placement.open(0), kNone);
  Plan plan;
  plan.nodes = {{0, kNone}};
  EXPECT_EQ(placement.open_nodes_of(plan), std::vector<NodeId>{1});
}

}  // namespace
}  // namespace stowage::test
