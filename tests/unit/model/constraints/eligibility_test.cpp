#include "core/model/constraints/eligibility.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/verify/rules.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::TaggedBuilder;

/// Two open-ended classes with labels, a listed node of each with a tag of its own, and apps that ask for them.
TaggedBuilder pools() {
  TaggedBuilder builder;
  const ClassId arm = builder.add_class({8});
  const ClassId x86 = builder.add_class({8});
  builder.data().classes[arm].labels = {"arch=arm", "zone=1"};
  builder.data().classes[x86].labels = {"arch=x86", "zone=1"};
  builder.add_node(arm);
  builder.add_node(x86);
  builder.data().node_tags = {{0, 1, 2}, {builder.tag("ssd"), builder.tag("arch=arm")}};
  return builder;
}

void ask(TaggedBuilder& builder, const std::vector<std::vector<std::string>>& only,
         const std::vector<std::vector<std::string>>& refused) {
  for (const bool wanted : {true, false}) {
    IndexRows& rows = wanted ? builder.data().app_only : builder.data().app_not;
    rows.begin = {0};
    for (const auto& names : wanted ? only : refused) {
      for (const std::string& name : names) rows.index.push_back(builder.tag(name));
      rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
    }
  }
}

TEST(EligibilityTest, OnlyAsksForAllLabelsAndNotForNone) {
  TaggedBuilder builder = pools();
  for (const char* name : {"any", "arm", "ssd", "no-ssd", "both", "nowhere"}) builder.add_app(name, 1, {1});
  ask(builder, {{}, {"arch=arm"}, {"ssd"}, {}, {"arch=arm", "zone=1"}, {"gpu"}}, {{}, {}, {}, {"ssd"}, {}, {}});
  const Instance instance = builder.must_build();
  // The second listed node is tagged arm although its class is not.
  const std::vector<std::vector<bool>> expected = {{true, true, true, true},    {true, false, true, true},
                                                   {false, false, true, false}, {true, true, false, true},
                                                   {true, false, true, true},   {false, false, false, false}};
  for (AppId app = 0; app < instance.apps(); ++app) {
    EXPECT_EQ(instance.admits(app, kNone, 0), expected[app][0]) << app;
    EXPECT_EQ(instance.admits(app, kNone, 1), expected[app][1]) << app;
    EXPECT_EQ(instance.admits(app, 0, 0), expected[app][2]) << app;
    EXPECT_EQ(instance.admits(app, 1, 1), expected[app][3]) << app;
  }
  const Eligibility& eligibility = instance.eligibility();
  EXPECT_EQ(eligibility.groups(), 5u);
  EXPECT_EQ(eligibility.group(1), eligibility.group(4)) << "zone=1 is everywhere";
  EXPECT_TRUE(eligibility.reaches(1, 1)) << "by the listed node";
  EXPECT_TRUE(eligibility.reaches(2, 0));
  EXPECT_FALSE(eligibility.reaches(2, 1));
  EXPECT_FALSE(eligibility.reaches(5, 0));
  EXPECT_TRUE(contains(instance.features(), Feature::kEligibility));
  EXPECT_FALSE(contains(instance.features(), Feature::kPlacementRules));
}

TEST(EligibilityTest, ColumnsThatRefuseNothingCostNothing) {
  TaggedBuilder builder = pools();
  builder.add_app("a", 1, {1});
  ask(builder, {{"zone=1"}}, {{"gpu"}});
  const Instance instance = builder.must_build();
  EXPECT_FALSE(instance.eligibility().any());
  EXPECT_FALSE(contains(instance.features(), Feature::kEligibility));
}

TEST(EligibilityTest, AFullClassReachesNoFurtherThanItsListedNodes) {
  TaggedBuilder builder;
  builder.add_class({8}, 1);
  builder.add_node(0);
  builder.data().node_tags = {{0, 1}, {builder.tag("ssd")}};
  builder.add_app("a", 1, {1});
  ask(builder, {{}}, {{"ssd"}});
  EXPECT_FALSE(builder.must_build().eligibility().reaches(0, 0));
  builder.data().classes[0].count = 2;
  EXPECT_TRUE(builder.must_build().eligibility().reaches(0, 0));
}

TEST(EligibilityTest, SelectorsLeaveTheTagModel) {
  TaggedBuilder builder = pools();
  builder.app("a", 1, {"web"});
  builder.app("b", 1, {"db"});
  const auto is_selector = [&](const TaggedBuilder& one) { return one.must_build().tag_model().empty(); };
  builder.hard(builder.replicas({"web"}, {"arch=arm"}, 1, kNone));
  builder.hard({{builder.replicas({"web"}, {"ssd"}, 0, 0)}, {builder.replicas({"db"}, {"zone=1", "ssd"}, 1, kNone)}});
  const Instance instance = builder.must_build();
  EXPECT_TRUE(instance.tag_model().empty());
  EXPECT_FALSE(instance.tag_model().has_hard_minimum());
  EXPECT_EQ(instance.eligibility().selectors(), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(instance.rules().size(), 2u);
  EXPECT_TRUE(instance.admits(0, kNone, 0));
  EXPECT_FALSE(instance.admits(0, 0, 0)) << "ssd";
  EXPECT_FALSE(instance.admits(1, kNone, 0));
  EXPECT_TRUE(instance.admits(1, 0, 0));

  TaggedBuilder beside = builder;
  beside.hard(beside.replicas({"web"}, {"db"}, 1, kNone));
  EXPECT_FALSE(is_selector(beside)) << "an app carries the target";
  EXPECT_EQ(beside.must_build().eligibility().selectors().size(), 2u) << "the others still are";
  TaggedBuilder soft = builder;
  soft.soft(soft.replicas({"web"}, {"ssd"}, 1, kNone));
  EXPECT_FALSE(is_selector(soft));
  TaggedBuilder grouped = builder;
  grouped.hard(grouped.replicas({"web"}, {"ssd"}, 1, kNone, grouped.group_by_label("zone", "zone")));
  EXPECT_FALSE(is_selector(grouped));
  TaggedBuilder partly = builder;
  partly.hard({{partly.replicas({"web"}, {"ssd"}, 1, kNone), partly.replicas({"web"}, {"web"}, 0, 1)}});
  EXPECT_FALSE(is_selector(partly));
}

TEST(EligibilityTest, WhatIsNegatedAndAlwaysHoldsIsStillRefused) {
  TaggedBuilder builder = pools();
  builder.app("a", 1, {"web"});
  builder.hard(TaggedBuilder::negated(builder.replicas({"web"}, {"ssd"}, 0, kNone)));
  const auto refused = builder.build();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "rules[0].any_of[0]");
}

TEST(EligibilityTest, TheTableHasALimit) {
  TaggedBuilder builder = pools();
  for (const char* name : {"a", "b", "c"}) builder.add_app(name, 1, {1});
  ask(builder, {{"arch=arm"}, {"arch=x86"}, {"ssd"}}, {{}, {}, {}});
  Limits limits;
  limits.max_cells = 24;  // three rows of one word
  EXPECT_TRUE(builder.build(limits));
  limits.max_cells = 23;
  const auto refused = builder.build(limits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kLimitExceeded);
  EXPECT_EQ(refused.error().path, "apps.only_index");
}

// The checker's reading of the rules, with a replica alone on each node in turn.
TEST(EligibilityTest, SelectorsMeanWhatTheRulesSay) {
  test::Random random(11);
  const std::vector<std::string> labels = {"l0", "l1", "l2"};
  const std::vector<std::string> tags = {"t0", "t1", "t2"};
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    TaggedBuilder builder;
    const auto some = [&](const std::vector<std::string>& from, double share) {
      std::vector<std::string> result;
      for (const std::string& name : from) {
        if (random.chance(share)) result.push_back(name);
      }
      return result;
    };
    for (const std::string& label : labels) builder.tag(label);
    builder.app("a", 1, some(tags, 0.6));
    builder.app("b", 1, some(tags, 0.6));
    for (ClassId c = 0; c < 2; ++c) builder.data().classes.at(builder.add_class({8})).labels = some(labels, 0.4);
    for (NodeId n = 0; n < 4; ++n) builder.nodes(1, 8, some(labels, 0.4));
    for (std::uint32_t rules = random.between(1, 3); rules > 0; --rules) {
      std::vector<std::vector<Cardinality>> any_of(random.between(1, 2));
      for (auto& conjunction : any_of) {
        for (std::uint32_t k = random.between(1, 2); k > 0; --k) {
          const std::uint32_t min = random.below(3);
          const std::uint32_t max = random.chance(0.5) ? min + random.below(2) : min > 0 ? kNone : 0;
          std::vector<std::string> target = {labels[random.below(3)]};
          if (random.chance(0.3)) target.push_back(labels[random.below(3)]);
          Cardinality part = builder.replicas({tags[random.below(3)]}, target, min, max);
          part.negated = random.chance(0.3);
          conjunction.push_back(std::move(part));
        }
      }
      builder.hard(std::move(any_of));
    }
    const auto built = builder.build();
    if (!built) continue;  // contradictions, and what is negated and always holds
    const Instance& instance = built.value();
    ASSERT_TRUE(instance.tag_model().empty());
    for (AppId app = 0; app < 2; ++app) {
      for (std::uint32_t at = 0; at < 2 + instance.listed_nodes(); ++at) {
        const NodeId listed = at < 2 ? kNone : at - 2;
        const ClassId c = listed == kNone ? at : instance.data().node_class[listed];
        const RuleFindings findings = check_rules(instance, {{c, listed, 1}}, {{app, 0, 1}});
        EXPECT_EQ(instance.admits(app, listed, c), findings.violations.empty()) << round << " " << app << " " << at;
        refused += findings.violations.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GE(refused, 300);
}

// A plan with a selector is the plan with the same columns.
TEST(EligibilityTest, ASelectorPlansLikeAColumn) {
  for (const char* planner : {"ff", "bfd-max", "ncd-fitness", "auto"}) {
    TaggedBuilder rule = pools();
    TaggedBuilder column = pools();
    for (TaggedBuilder* one : {&rule, &column}) {
      for (int k = 0; k < 20; ++k)
        one->app("a" + std::to_string(k), 2, k % 3 == 0 ? std::vector<std::string>{"t"} : std::vector<std::string>{},
                 {1.0 + k % 3});
    }
    rule.hard(rule.replicas({"t"}, {"arch=arm"}, 1, kNone));
    std::vector<std::vector<std::string>> only(20);
    for (std::size_t k = 0; k < 20; k += 3) only[k] = {"arch=arm"};
    ask(column, only, std::vector<std::vector<std::string>>(20));
    Request request = test::request_for(planner);
    if (std::string(planner) == "auto") request.work_limit = 200'000;
    const Plan a = test::plan_by(rule.must_build(), request);
    const Plan b = test::plan_by(column.must_build(), request);
    EXPECT_TRUE(a.unplaced.empty());
    ASSERT_EQ(a.placed.size(), b.placed.size()) << planner;
    for (std::size_t k = 0; k < a.placed.size(); ++k) {
      EXPECT_EQ(a.placed[k].app, b.placed[k].app);
      EXPECT_EQ(a.placed[k].node, b.placed[k].node);
    }
  }
}

}  // namespace
}  // namespace stowage
