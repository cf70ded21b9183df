// --goal: what it may say, what is said where it says something else, and how a plan's goals read.
#include "capi/cli/library/goals.h"

#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

const std::string kTwoApps = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
  "classes": [{"name": "small", "capacity": {"cpu": 4, "memory": 16}, "price": 1}],
  "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": 2, "memory": 4}},
           {"name": "db", "replicas": 1, "demand": {"cpu": 1, "memory": 8}}]})";

std::string words_of(std::string_view level) {
  std::string text;
  for (const NamedGoal& goal : parse_goals(level)) text += (text.empty() ? "" : goal.beside ? " + " : " ; ") + goal_words(goal);
  return text;
}

std::string refusal_of(std::string_view level) {
  try {
    parse_goals(level);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

TEST(Trace, TellsWhatTheSearchAsked) {
  TemporaryFolder folder;
  const std::string file = folder.write("two.json", kTwoApps);
  const std::vector<std::string> traced = {"plan", file, "--work", "50000", "--goal", "nodes", "--goal", "evenness", "--trace"};
  const Outcome told = run(traced);
  EXPECT_TRUE(has(told.out, "What the search asked, and what came of it")) << told.out;
  EXPECT_TRUE(has(told.out, "exchanges")) << told.out;
  const Outcome summary = run(joined(traced, {"--summary", "json"}));
  EXPECT_TRUE(has(summary.out, R"("trace": [{"name": "exchanges", "calls": 1,)")) << summary.out;
  EXPECT_FALSE(has(run({"plan", file}).out, "What the search asked"));
}

TEST(Goals, AreReadAsTheyAreWritten) {
  for (const char* level : {"cost", "soft-rules", "balance:memory", "evenness:nvidia.com/gpu", "moves*0.01", "cost~1%",
                            "balance:memory*2.5~0.5%"}) {
    EXPECT_EQ(words_of(level), level);
  }
  EXPECT_EQ(words_of("cost~0.01"), "cost~1%");
  EXPECT_EQ(words_of("cost,moves*0.01,balance:cpu~2%"), "cost~2% + moves*0.01 + balance:cpu");
  const std::vector<NamedGoal> goals = parse_goals("total,balance:cpu");
  EXPECT_EQ(goals[0].what, wire::GoalKind::Total);
  EXPECT_EQ(goals[1].what, wire::GoalKind::Balance);
  EXPECT_EQ(goals[1].of, "cpu");
  EXPECT_FALSE(goals[0].beside);
  EXPECT_TRUE(goals[1].beside);
}

TEST(Goals, RefusalsNameTheOption) {
  EXPECT_TRUE(has(refusal_of("cots"), "--goal: \"cots\" is no goal (did you mean \"cost\"?); use one of cost, nodes, moves"));
  EXPECT_TRUE(has(refusal_of(""), "--goal: \"\" lacks a goal"));
  EXPECT_TRUE(has(refusal_of("cost,,moves"), "--goal: \"cost,,moves\" lacks a goal"));
  EXPECT_TRUE(has(refusal_of("cost,"), "lacks a goal"));
  EXPECT_TRUE(has(refusal_of("cost*0"), "--goal: \"cost*0\" has a weight that is no number above 0"));
  EXPECT_TRUE(has(refusal_of("cost*nan"), "has a weight that is no number above 0"));
  EXPECT_TRUE(has(refusal_of("cost~x"), "--goal: \"cost~x\" has a tolerance that is no share"));
  EXPECT_TRUE(has(refusal_of("cost~-1%"), "has a tolerance that is no share"));
  EXPECT_TRUE(has(refusal_of("cost:cpu"), "--goal: \"cost:cpu\" is of no resource; only balance and evenness are"));
  EXPECT_TRUE(has(refusal_of("balance:"), "--goal: \"balance:\" names no resource"));
}

TEST(Goals, TheCommandAndSessionsFindTheResource) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.json", kTwoApps);
  const Outcome unknown = run({"plan", path, "--goal", "balance:memroy"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(has(unknown.err, "--goal: there is no resource \"memroy\" (did you mean \"memory\"?)")) << unknown.err;
  const Outcome session =
      run({"session", path, folder.write("a.jsonl", R"({"op": "plan", "goals": [{"goal": "balance", "resource": "disk"}]})")});
  EXPECT_EQ(session.code, 1);
  EXPECT_TRUE(has(session.out, R"(there is no resource \"disk\")")) << session.out;
  const Outcome word = run({"session", path, folder.write("b.jsonl", R"({"op": "plan", "goals": ["luck"]})")});
  EXPECT_TRUE(has(word.out, R"(goals[0]: must be one of \"cost\")")) << word.out;
}

TEST(Goals, SessionsKeepRoomAndSurviveLosses) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.json", kTwoApps);
  const std::string out = folder.file("plan.json");
  const Outcome kept =
      run({"session", path,
           folder.write("c.jsonl", R"({"op": "plan", "planner": "ff", "keep": {"web": 2}, "output": ")" + out + "\"}")});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_TRUE(has(content(out), "\"reserved\": {\"web\": ")) << content(out);
  const Outcome survived =
      run({"session", path,
           folder.write("d.jsonl", R"({"op": "plan", "planner": "ff", "survive": "node", "output": ")" + out + "\"}")});
  EXPECT_EQ(survived.code, 0) << survived.err;
  EXPECT_TRUE(has(content(out), "\"survive\": \"*\"")) << content(out);
}

TEST(Goals, OfAPlanReadAsTheOption) {
  const TemporaryFolder folder;
  const InstanceBytes instance = read_instance(std::make_unique<InputFile>(folder.write("two.json", kTwoApps)), std::nullopt);
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(wire::CreateReachedGoal(builder, static_cast<std::uint8_t>(wire::GoalKind::Balance), 1, true, 0.5, 0, 0.825));
  const auto& goal = *flatbuffers::GetRoot<wire::ReachedGoal>(builder.GetBufferPointer());
  EXPECT_EQ(goal_words(goal, Names(instance.root())), "+ balance:memory*0.5");
  EXPECT_EQ(goal_value(goal, goal.value()), "82.5 %");
}

}  // namespace
}  // namespace stowage::cli::testing
