// What plans say of their runs: what was left out, and what was switched off.

#include "core/planners/notes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

constexpr std::uint64_t kNoteWork = 100'000;

// The texts of the plan's notes with this code.
std::vector<std::string> texts(const Plan& plan, NoteCode code) {
  std::vector<std::string> found;
  for (const Note& note : plan.notes) {
    if (note.code == code) found.push_back(note.text);
  }
  return found;
}

bool says(const Plan& plan, NoteCode code, const std::string& part) {
  for (const std::string& text : texts(plan, code)) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

// Five apps, each of which keeps two others off its nodes, as neighbours on a circle: two nodes never suffice, but only
// columns know.
InstanceBuilder circle(std::uint32_t periods = 1) {
  InstanceBuilder builder({"cpu"}, periods);
  for (AppId app = 0; app < 5; ++app) {
    std::vector<double> demand(periods, 1);
    demand[0] = 1.5;
    builder.add_app("app-" + std::to_string(app), 1, demand);
  }
  for (AppId app = 0; app < 5; ++app) {
    builder.limit(app, (app + 1) % 5, 0);
    builder.limit((app + 1) % 5, app, 0);
  }
  return builder;
}

Plan plan_circle(InstanceBuilder& builder, PlanStatus status, std::uint64_t work = kNoteWork) {
  Plan plan = test::plan_within(builder.must_build(), "auto", work);
  EXPECT_EQ(plan.status, status);
  EXPECT_EQ(plan.nodes.size(), 3u);
  return plan;
}

TEST(PlanNotesTest, WhatFitsNowhereIsNamed) {
  InstanceBuilder builder = test::with_demands({3, 6, 4, 7});
  builder.add_app("whale", 2, {11});
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "auto"}) {
    const Plan plan = test::plan_within(instance, planner, kNoteWork);
    EXPECT_EQ(texts(plan, NoteCode::kLeftOut),
              std::vector<std::string>{
                  "No node takes a replica of whale, not even an empty one; the others were planned without it."})
        << planner;
  }
}

TEST(PlanNotesTest, ManyThatFitNowhereAreCounted) {
  const Instance instance = test::with_demands({3, 11, 12, 13, 14, 15, 16, 17}).must_build();
  const Plan plan = test::plan_by(instance, "ff");
  EXPECT_TRUE(says(plan, NoteCode::kLeftOut, "app-1, app-2, app-3, app-4, app-5 and 2 other apps"));
}

TEST(PlanNotesTest, WhatLacksNodesIsNotLeftOut) {
  const Plan plan = test::plan_by(test::with_demands({6, 6}).must_build(), "ff", 1);
  EXPECT_EQ(plan.unplaced.size(), 1u);
  EXPECT_TRUE(texts(plan, NoteCode::kLeftOut).empty()) << "it fits on an empty node";
}

// The mean of 9 would fit. At 99 %, 2.3 deviations of 1 are added.
TEST(PlanNotesTest, WhatFitsNowhereAtConfidenceIsNamed) {
  InstanceBuilder builder = test::with_demands({3, 9});
  builder.data().variance = {0, 1};
  const Plan plan = test::plan_by(builder.must_build(), "ff");
  EXPECT_TRUE(says(plan, NoteCode::kLeftOut, "app-1"));
}

// Each rule but the last binds nothing: a misspelled subject, a misspelled target, no bound at all.
TEST(PlanNotesTest, RulesThatBindNothingAreNamed) {
  test::TaggedBuilder builder;
  builder.app("web", 2, {"front"});
  builder.nodes(2, 4);
  builder.data().classes[0].labels = {"fast"};
  builder.hard({{builder.replicas({"frnt"}, {"front"}, 0, 1)}});
  builder.hard({{builder.replicas({"front"}, {"fasst"}, 1, kNone)}});
  builder.soft({{builder.replicas({"front"}, {"front"}, 0, kNone)}}, 1);
  builder.hard({{builder.replicas({"front"}, {"fast"}, 1, kNone)}});
  builder.data().rules[0].name = "apart";
  const Plan plan = test::plan_by(builder.must_build(), "medea-nc");
  EXPECT_EQ(texts(plan, NoteCode::kIdleRule),
            (std::vector<std::string>{"Rule apart has no effect: no app carries its tag \"frnt\".",
                                      "Rule rule-1 has no effect: neither an app nor a node carries its tag \"fasst\".",
                                      "Rule rule-2 has no effect: a condition has neither a minimum nor a maximum."}));
}

TEST(PlanNotesTest, ManyRulesThatBindNothingAreCounted) {
  test::TaggedBuilder builder;
  builder.app("web", 2, {"front"});
  builder.nodes(2, 4);
  for (int k = 0; k < 7; ++k) builder.hard({{builder.replicas({"frnt"}, {"front"}, 0, 1)}});
  const Plan plan = test::plan_by(builder.must_build(), "medea-nc");
  ASSERT_EQ(texts(plan, NoteCode::kIdleRule).size(), 6u);
  EXPECT_TRUE(says(plan, NoteCode::kIdleRule, "2 other rules"));
}

// Ideas that did not help are no news.
TEST(PlanNotesTest, WhatAPlanDoesNotLackIsNotNoted) {
  InstanceBuilder builder = circle();
  builder.add_class({10}, 5);
  for (int node = 0; node < 5; ++node) builder.add_node(0);
  EXPECT_TRUE(plan_circle(builder, PlanStatus::kOptimal, 4'000'000).notes.empty());
  builder.data().variance.assign(5, 0.25);
  EXPECT_TRUE(test::plan_for_ucac(builder.must_build(), "auto").notes.empty());
}

TEST(PlanNotesTest, PeriodsThatArePlannedLessCloselySayWhy) {
  InstanceBuilder uncertain = circle(2);
  uncertain.add_class({10});
  uncertain.data().variance.assign(5, 0.25);
  EXPECT_TRUE(says(plan_circle(uncertain, PlanStatus::kDeadline, 8'000), NoteCode::kNotImproved,
                   "Periods are planned less closely: demand is uncertain and changes over time."));
}

TEST(PlanNotesTest, ARuleWithAMinimumThatEndsASearchIsNamed) {
  test::TaggedBuilder builder;
  builder.app("web", 2, {"front"});
  builder.nodes(1, 1);
  builder.hard({{builder.replicas({"front"}, {"front"}, 1, kNone)}});
  builder.data().rules[0].name = "together";
  Request request;
  request.planner = "auto";
  request.objective = Objective::kAdmitted;
  request.work_limit = 10'000;
  const Plan plan = test::plan_by(builder.must_build(), request);
  EXPECT_TRUE(says(plan, NoteCode::kNotImproved, "The plan was not improved: rule together asks for a minimum."));
}

TEST(PlanNotesTest, WhatIsProvenOptimalMissesNothing) {
  InstanceBuilder builder = circle();
  builder.add_app("large", 3, {6});
  builder.add_class({10});
  const Plan plan = test::plan_within(builder.must_build(), "auto", kNoteWork);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_TRUE(plan.notes.empty());
  Notes notes;
  notes.add(NoteCode::kNotImproved, "This.");
  notes.add(NoteCode::kEndedEarly, "That.");
  EXPECT_EQ(notes_for(plan, notes), (std::vector<Note>{{NoteCode::kEndedEarly, "That."}}));
  Plan open = plan;
  open.status = PlanStatus::kComplete;
  EXPECT_EQ(notes_for(open, notes), notes.all());
}

}  // namespace
}  // namespace stowage
