#include "core/terms/asked/goal_words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/terms/asked/goals.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

Instance two_resources() {
  test::InstanceBuilder builder({"cpu", "nvidia.com/gpu*2"});
  builder.add_class({4, 4});
  return builder.must_build();
}

/// What goals_of_words() reads: the word of each goal, its resource, weight and tolerance. Else the message.
std::string meaning_of(const Instance& instance, std::string_view words) {
  auto goals = goals_of_words(instance, words);
  if (!goals) return goals.error().message;
  std::string text;
  for (const PlanGoal& goal : *goals) {
    text += text.empty() ? "" : goal.beside ? " + " : " ; ";
    text += std::string(kGoalWords[static_cast<std::size_t>(goal.what)]) + ' ' +
            (goal.resource == kNone ? "-" : std::to_string(goal.resource)) + ' ' + std::to_string(goal.weight) + ' ' +
            std::to_string(goal.tolerance);
  }
  return text;
}

TEST(GoalWords, MeanGoals) {
  const Instance instance = two_resources();
  EXPECT_EQ(meaning_of(instance, "cost~1%"), "cost - 1.000000 0.010000");
  EXPECT_EQ(meaning_of(instance, "cost~0.01"), "cost - 1.000000 0.010000");
  EXPECT_EQ(meaning_of(instance, "soft-rules"), "soft-rules - 1.000000 0.000000");
  EXPECT_EQ(meaning_of(instance, "balance:cpu*2.5~0.5%"), "balance 0 2.500000 0.005000");
  EXPECT_EQ(meaning_of(instance, "evenness:nvidia.com/gpu*2*1"), "evenness 1 1.000000 0.000000");
  EXPECT_EQ(meaning_of(instance, "cost,moves*0.01,balance:cpu~2%"),
            "cost - 1.000000 0.020000 + moves - 0.010000 0.000000 + balance 0 1.000000 0.000000");
  for (std::size_t k = 0; k < kGoalWords.size(); ++k) {
    EXPECT_EQ(goals_of_words(instance, kGoalWords[k])->front().what, static_cast<GoalKind>(k));
  }
}

TEST(GoalWords, RefusalsNameTheWordAndSayWhatThereIs) {
  const Instance instance = two_resources();
  const auto says = [&](std::string_view words, const std::string& what) {
    EXPECT_TRUE(meaning_of(instance, words).starts_with(what)) << meaning_of(instance, words);
  };
  says("cots", "\"cots\" is no goal; use one of cost, nodes, moves, balance, evenness, soft-rules, ");
  says("cost,cots:cpu", "\"cots\" is no goal");
  says("", "\"\" lacks a goal (such as cost, or cost,moves*0.01)");
  says("cost,,moves", "\"cost,,moves\" lacks a goal");
  says("cost,", "\"cost,\" lacks a goal");
  says("cost*0", "\"cost*0\" has a weight that is no number above 0 (such as moves*0.01)");
  says("cost*nan", "\"cost*nan\" has a weight that is no number above 0");
  says("cost~x", "\"cost~x\" has a tolerance that is no share (such as cost~1%)");
  says("cost~-1%", "\"cost~-1%\" has a tolerance that is no share");
  says("cost~101%", "\"cost~101%\" has a tolerance that is no share");
  says("cost:cpu", "\"cost:cpu\" names a resource; only these may: balance, evenness");
  says("balance:", "\"balance:\" is of no resource that the instance has; these are cpu, nvidia.com/gpu*2");
}

TEST(GoalWords, RequestsMayMixThemWithGoals) {
  const Instance instance = two_resources();
  Request request;
  request.goals = {{.what = GoalKind::kNodes}, {.beside = true, .words = "balance:cpu,evenness"}, {.words = "moves~1%"}};
  ASSERT_FALSE(failed(read_goals(instance, request)));
  ASSERT_EQ(request.goals.size(), 4u);
  EXPECT_EQ(request.goals[1].resource, 0u);
  EXPECT_TRUE(request.goals[1].beside && request.goals[2].beside && !request.goals[3].beside);

  const auto refusal = [&](std::vector<PlanGoal> goals) {
    Request refused;
    refused.goals = std::move(goals);
    const Error e = read_goals(instance, refused);
    return e.path + ": " + e.message;
  };
  EXPECT_EQ(refusal({{.words = "nodes,moves"}, {.words = "cost,moves"}}), "goals[1].words: \"moves\": the goal stands twice");
  EXPECT_EQ(refusal({{.words = "nodes"}, {.what = GoalKind::kTraffic}}), "goals[1].what: the instance has no traffic");
  EXPECT_EQ(refusal({{.weight = 2, .words = "nodes"}}).substr(0, 38), "goals[0].words: words and other fields");
  EXPECT_EQ(refusal({{.beside = true, .words = "nodes"}}), "goals[0].words: \"nodes\": no goal stands before the first one");
}

}  // namespace
}  // namespace stowage
