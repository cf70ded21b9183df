// --goal: what is said where it says something else, and how a plan's goals read.
#include "capi/cli/library/goals.h"
#include "capi/text/words/judged.h"

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

const std::string kTwoApps = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
  "classes": [{"name": "small", "capacity": {"cpu": 4, "memory": 16}, "price": 1}],
  "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": 2, "memory": 4}},
           {"name": "db", "replicas": 1, "demand": {"cpu": 1, "memory": 8}}]})";

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

TEST(Goals, OfAPlanAreThoseOfTheOption) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.json", kTwoApps);
  const Outcome told = run(
      {"plan", path, "--work", "1000", "--goal", "nodes,balance:memory*0.5~0.01", "--goal", "evenness", "--summary", "json"});
  EXPECT_TRUE(has(told.out, R"("goals": [{"goal": "nodes", "tolerance": 0.01,)")) << told.out << told.err;
  EXPECT_TRUE(has(told.out, R"({"goal": "balance", "resource": "memory", "beside": true, "weight": 0.5,)")) << told.out;
  EXPECT_TRUE(has(run({"plan", path, "--goal", "nodes,balance:memory*0.5~1%"}).out, "+ balance:memory*0.5"));
}

// Large replicas fill a node each, which the bound by capacity does not see: the search proves it. All that speak of the plan
// have this bound.
TEST(Goals, OneBoundEverywhere) {
  const TemporaryFolder folder;
  const std::string path = folder.write("large.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 10}, "price": 1}],
    "apps": [{"name": "a", "replicas": 2, "demand": {"cpu": 5}}, {"name": "b", "replicas": 4, "demand": {"cpu": 4}},
             {"name": "c", "replicas": 4, "demand": {"cpu": 3.5}}]})");
  const auto json = [&](const std::vector<std::string>& command) {
    const Outcome outcome = run(joined(command, {"--work", "100000", "--summary", "json"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json plain = json({"plan", path});
  const Json by_goals = json({"plan", path, "--goal", "cost", "--goal", "balance:cpu"});
  const Json explained = json({"explain", path});
  EXPECT_EQ(plain["status"], "optimal");
  EXPECT_EQ(by_goals["cost_bound"], plain["cost_bound"]);
  EXPECT_EQ(by_goals["goals"][0]["bound"], plain["cost_bound"]);
  EXPECT_EQ(explained["cost_bound"], plain["cost_bound"]);
  EXPECT_EQ(explained["node_bound"], plain["lower_bound"]);
  // A table of placements has no bound of its own.
  const std::string csv = folder.file("plan.csv");
  json({"plan", path, "-o", csv});
  EXPECT_EQ(Json::parse(run({"explain", path, csv, "--summary", "json"}).out)["cost_bound"], plain["cost_bound"]);
}

TEST(Goals, RefusalsNameTheOption) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.json", kTwoApps);
  const auto refusal = [&](const char* level) { return run({"plan", path, "--goal", level}).err; };
  EXPECT_TRUE(has(refusal("cots"), "--goal: \"cots\" is no goal; use one of cost, nodes, moves")) << refusal("cots");
  EXPECT_TRUE(has(refusal(""), "--goal: \"\" lacks a goal")) << refusal("");
  EXPECT_TRUE(has(refusal("cost,traffic"), "--goal: \"traffic\": the instance has no traffic")) << refusal("cost,traffic");
  EXPECT_FALSE(has(refusal("\x1b[31m"), "\x1b")) << refusal("\x1b[31m");
}

TEST(Goals, TheCommandAndSessionsFindTheResource) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.json", kTwoApps);
  const Outcome unknown = run({"plan", path, "--goal", "balance:memroy"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(has(unknown.err, "--goal: \"balance:memroy\" is of no resource that the instance has; these are cpu, memory"))
      << unknown.err;
  const Outcome session =
      run({"session", path, folder.write("a.jsonl", R"({"op": "plan", "goals": [{"goal": "balance", "resource": "disk"}]})")});
  EXPECT_EQ(session.code, 1);
  EXPECT_TRUE(has(session.out, R"(there is no resource \"disk\")")) << session.out;
  const Outcome word = run({"session", path, folder.write("b.jsonl", R"({"op": "plan", "goals": ["luck"]})")});
  EXPECT_TRUE(has(word.out, R"(\"luck\" is no goal; use one of cost,)")) << word.out;
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
  const InstanceBytes instance = read_instance(std::make_unique<InputFile>(folder.write("two.json", kTwoApps)), GivenNodes{});
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(wire::CreateReachedGoal(builder, static_cast<std::uint8_t>(wire::GoalKind::Balance), 1, true, 0.5, 0, 0.825));
  const auto& goal = *flatbuffers::GetRoot<wire::ReachedGoal>(builder.GetBufferPointer());
  EXPECT_EQ(goal_words(goal, Names(instance.root())), "+ balance:memory*0.5");
  EXPECT_EQ(goal_value(goal, goal.value()), "82.5 %");
}

}  // namespace
}  // namespace stowage::cli::testing
