// stowage session: JSON lines in, JSON lines out.
#include <nlohmann/json.hpp>

#include "capi/cli/commands/session/session_json.h"
#include "capi/text/base/failure.h"
#include "session_generated.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kCluster = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "periods": 2,
  "classes": [{"name": "small", "capacity": {"cpu": 8, "memory": 16}, "count": 3},
              {"name": "large", "capacity": {"cpu": 16, "memory": 32}}],
  "apps": [], "nodes": [{"name": "a", "class": "small"}, {"name": "b", "class": "small"}],
  "groups": [{"name": "rack", "sets": {"r0": ["a"], "r1": ["b"]}}],
  "interference": {"kinds": ["hot", "cold"], "coefficient": [[1, 0], [0, 1]]}})";

class SessionCommandTest : public ::testing::Test {
 protected:
  /// The cluster without what no planner honours.
  std::string cluster() {
    Json json = Json::parse(kCluster);
    json.erase("interference");
    return folder_.write("cluster.json", json.dump());
  }

  /// Runs a script; the answers, line by line.
  std::vector<Json> answers(const std::string& script, int code, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"session", cluster(), folder_.write("script.jsonl", script)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err << outcome.out;
    std::vector<Json> list;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) list.push_back(Json::parse(line));
    return list;
  }

  TemporaryFolder folder_;
};

TEST_F(SessionCommandTest, ADayFromSubmissionToSnapshot) {
  const std::string evening = folder_.file("evening.stow");
  const auto list =
      answers(R"({"op": "submit", "app": "web", "replicas": 2, "demand": {"cpu": 4, "memory": "4Gi"}, "max_per_node": 1}
{"op": "submit", "app": "db", "demand": {"cpu": 4, "memory": 8}, "limits": {"web": 0}}

{"op": "status"}
{"op": "plan", "planner": "ff", "output": ")" +
                  folder_.file("plan.csv") + R"("}
{"op": "commit"}
{"op": "drain", "node": "a"}
{"op": "show", "app": "web"}
{"op": "show", "node": "a"}
{"op": "plan", "planner": "ff"}
{"op": "reject"}
{"op": "status"}
)",
              0, {"--output", evening});
  ASSERT_EQ(list.size(), 11u);
  EXPECT_EQ(list[0], (Json{{"line", 1}, {"ok", true}, {"version", 1}}));
  EXPECT_EQ(list[2]["line"], 4) << "empty lines count";
  EXPECT_EQ(list[2]["pending"], 3);
  EXPECT_EQ(list[3]["placed"], 3);
  EXPECT_EQ(list[3]["planner"], "ff");
  EXPECT_EQ(
      content(folder_.file("plan.csv")),
      "node,app,replicas,class,state,cpu,memory\na,web,1,small,used,4,4\nb,web,1,small,used,4,4\nsmall-1,db,1,small,new,4,8\n");
  EXPECT_EQ(list[4]["committed"], true);
  EXPECT_EQ(list[4]["opened"], Json::parse(R"(["small-1"])"));
  EXPECT_EQ(list[4]["conflicts"], Json::array());
  EXPECT_EQ(list[6]["pending"], 1);
  EXPECT_EQ(list[6]["running"], Json::parse(R"({"b": 1})"));
  EXPECT_EQ(list[7]["state"], "drained");
  EXPECT_EQ(list[10]["nodes"], Json::parse(R"({"open": 2, "cordoned": 0, "drained": 1, "failed": 0})"));
  // The snapshot goes on, and is an instance like any other.
  const Outcome resumed = run({"session", evening, folder_.write("more.jsonl", "{\"op\": \"uncordon\", \"node\": \"a\"}\n")});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(Json::parse(resumed.out)["version"], 5);
  EXPECT_EQ(run({"plan", evening, "--planner", "ff", "--summary", "json"}).code, 0);
}

TEST_F(SessionCommandTest, ConflictsAreTold) {
  const auto list = answers(R"({"op": "submit", "app": "web", "demand": {"cpu": 4}}
{"op": "plan", "planner": "ff"}
{"op": "load", "node": "a", "load": {"cpu": 6}}
{"op": "commit"}
{"op": "commit", "mode": "fitting"}
)",
                            0);
  EXPECT_EQ(list[3]["committed"], false);
  EXPECT_EQ(list[3]["conflicts"], Json::parse(R"([{"kind": "version", "wanted": 1, "available": 2}])"));
  EXPECT_EQ(list[4]["conflicts"],
            Json::parse(R"([{"kind": "no-room", "app": "web", "node": "a", "wanted": 1, "available": 0}])"));
}

TEST_F(SessionCommandTest, RefusalsNameStatusPathAndLine) {
  const std::string script = R"({"op": "submit", "app": "web", "demand": {"cpu": 4}}
{"op": "submit", "app": "web", "demand": {"cpu": 4}}
{"op": "batch", "operations": [{"op": "cordon", "node": "a"}, {"op": "scale", "app": "db", "replicas": 1}]}
{"op": "scal", "app": "web"}
{"op": "commit"}
{"op": "plan", "planner": "magic"}
not json
{"op": "show", "node": "a"}
)";
  const auto list = answers(script, 1);
  ASSERT_EQ(list.size(), 8u);
  EXPECT_EQ(list[1]["ok"], false);
  EXPECT_EQ(list[1]["status"], "STOWAGE_INVALID");
  EXPECT_EQ(list[1]["path"], "app");
  EXPECT_EQ(list[2]["status"], "STOWAGE_NOT_FOUND");
  EXPECT_EQ(list[2]["path"], "operations[1].app");
  EXPECT_NE(list[3]["message"].get<std::string>().find("did you mean \"scale\"?"), std::string::npos) << list[3];
  EXPECT_NE(list[4]["message"].get<std::string>().find("there is no plan"), std::string::npos);
  EXPECT_NE(list[5]["message"].get<std::string>().find("magic"), std::string::npos);
  EXPECT_EQ(list[6]["line"], 7);
  EXPECT_EQ(list[7]["state"], "open") << "a batch is applied as a whole or not at all";
  EXPECT_EQ(answers(script, 1, {"--stop"}).size(), 2u);
}

TEST_F(SessionCommandTest, WrongUsage) {
  EXPECT_EQ(run({"session"}).code, 1);
  EXPECT_EQ(run({"session", "-"}).code, 1);
  EXPECT_EQ(run({"session", cluster(), folder_.file("none.jsonl")}).code, 1);
  EXPECT_EQ(run({"session", cluster(), folder_.write("empty", ""), "-o", folder_.file("x.json")}).code, 1);
}

// Every key of every operation, in wire form.
TEST(SessionJson, ReadsEverything) {
  const auto bytes = encoded(kCluster);
  const SessionTerms terms(*wire::GetInstance(bytes.data()));
  const auto read = [&](const std::string& line) { return read_session_command(line, "line 1", terms); };
  const SessionCommand submit =
      read(R"({"op": "submit", "app": "web", "replicas": 3, "demand": {"cpu": [1, "2500m"], "memory": "512Mi"},
    "priority": -2, "weight": 0.5, "tags": ["x", "y"], "max_per_node": 2, "limits": {"db": 0}, "variance": {"cpu": 0.25},
    "support": {"cpu": [0, 4]}, "kind": "cold"})");
  const wire::Operation& o = *wire::GetOperations(submit.operations.data())->operations()->Get(0);
  EXPECT_EQ(o.kind(), wire::OperationKind::Submit);
  EXPECT_EQ(std::vector<double>(o.demand()->begin(), o.demand()->end()), (std::vector<double>{1, 2.5, 0.5, 0.5}));
  EXPECT_EQ(o.priority(), -2);
  EXPECT_EQ(o.weight(), 0.5);
  EXPECT_EQ(o.tags()->Get(1)->str(), "y");
  EXPECT_EQ(o.limit_app()->Get(0)->str(), "web");
  EXPECT_EQ(o.limit_at_most()->Get(0), 2u);
  EXPECT_EQ(o.limit_app()->Get(1)->str(), "db");
  EXPECT_EQ(o.variance()->Get(0), 0.25);
  EXPECT_EQ(o.support_max()->Get(0), 4);
  EXPECT_EQ(o.support_min()->Get(1), 0.5) << "memory's is its demand";
  EXPECT_EQ(o.app_kind(), 1u);
  const SessionCommand join =
      read(R"({"op": "add-node", "node": "n", "class": "small", "load": {"cpu": 1}, "load_deviation": {"cpu": 0.5},
    "tags": "gpu", "sets": {"rack": ["r0", "r7"]}})");
  const wire::Operation& n = *wire::GetOperations(join.operations.data())->operations()->Get(0);
  EXPECT_EQ(n.load()->size(), 2u);
  EXPECT_EQ(n.load_variance()->Get(0), 0.25);
  EXPECT_EQ(n.sets()->Get(1)->str(), "r7");
  const SessionCommand rule =
      read(R"({"op": "add-rule", "rule": {"name": "apart", "hard": false, "weight": 2, "origin": "operator",
    "any_of": [[{"subject": "x", "target": ["y"], "max": 1, "group": "rack"}], [{"kind": "skew", "subject": "x", "max": 2, "negated": true}]]}})");
  const wire::NamedRule& r = *wire::GetOperations(rule.operations.data())->operations()->Get(0)->rule();
  EXPECT_FALSE(r.hard());
  EXPECT_EQ(r.origin(), static_cast<std::uint8_t>(wire::Origin::Operator));
  EXPECT_EQ(r.any_of()->Get(0)->all_of()->Get(0)->group()->str(), "rack");
  EXPECT_EQ(r.any_of()->Get(1)->all_of()->Get(0)->kind(), static_cast<std::uint8_t>(wire::CardinalityKind::Skew));
  const SessionCommand traffic = read(R"({"op": "traffic", "app": "web", "peer": "db", "amount": 2.5})");
  const wire::Operation& t = *wire::GetOperations(traffic.operations.data())->operations()->Get(0);
  EXPECT_EQ(t.kind(), wire::OperationKind::Traffic);
  EXPECT_EQ(t.app()->str() + " " + t.peer()->str(), "web db");
  EXPECT_EQ(t.amount(), 2.5);
  const SessionCommand plan =
      read(R"({"op": "plan", "planner": "ff", "options": {"alpha": 0.5}, "seed": 7, "deadline": "2s", "work": 9,
    "threads": 2, "nodes": 3, "ignore_running": true, "moves": 4, "objective": "ucac"})");
  EXPECT_EQ(plan.request.deadline_ms, 2000u);
  EXPECT_EQ(plan.request.move_budget, 4u);
  EXPECT_EQ(plan.request.objective, wire::Objective::Ucac);
  EXPECT_EQ(read(R"({"op": "commit", "mode": "whole"})").mode, STOWAGE_COMMIT_WHOLE);
  for (const char* wrong :
       {R"({})", R"({"op": 1})", R"({"op": "submit", "app": "x"})", R"({"op": "submit", "demand": {"cpu": 1}})",
        R"({"op": "submit", "app": "x", "demand": {"gpu": 1}})", R"({"op": "scale", "app": "x"})",
        R"({"op": "scale", "app": "x", "replicas": -1})", R"({"op": "cordon", "node": "a", "app": "b"})",
        R"({"op": "batch", "operations": [{"op": "plan"}]})", R"({"op": "batch", "operations": [1]})", R"({"op": "show"})",
        R"({"op": "traffic", "app": "x", "peer": "y"})", R"({"op": "traffic", "app": "x", "amount": 1})",
        R"({"op": "traffic", "app": "x", "peer": "y", "amount": -1})", R"({"op": "commit", "mode": "half"})",
        R"({"op": "plan", "deadline": "soon"})", R"({"op": "submit", "app": "x", "demand": {"cpu": 1}, "kind": "warm"})",
        R"([])"}) {
    EXPECT_THROW(read(wrong), Failure) << wrong;
  }
}

// A text of operations has the bytes of the same operations in a script.
TEST(SessionJson, ListsAreBatches) {
  const auto bytes = encoded(kCluster);
  const SessionTerms terms(*wire::GetInstance(bytes.data()));
  const std::string one = R"({"op": "submit", "app": "web", "demand": {"cpu": [1, "2500m"]}, "kind": "cold", "not": "x"})";
  const std::string list = "[" + one + R"(, {"op": "traffic", "app": "web", "peer": "db", "amount": 2}])";
  const std::string batch = R"({"op": "batch", "operations": )" + list + "}";
  const auto same = [&](const std::string& text, const std::string& line) {
    const auto operations = read_operations_json(text, "text", terms, UINT64_MAX);
    const SessionCommand command = read_session_command(line, "line 1", terms);
    EXPECT_TRUE(std::equal(operations.data(), operations.data() + operations.size(), command.operations.data(),
                           command.operations.data() + command.operations.size()))
        << text;
  };
  same(one, one);
  same("[" + one + "]", one);
  same(list, batch);
  same(batch, batch);
}

}  // namespace
}  // namespace stowage::cli::testing
