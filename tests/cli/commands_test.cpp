// The commands from their arguments to what they print, in this process.
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"
#include "tests/effort.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

class Commands : public ::testing::Test {
 protected:
  std::string example() {
    std::string path = folder_.file("example.json");
    EXPECT_EQ(run({"example", "--output", path}).code, 0);
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(Commands, HelpTeaches) {
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("stowage plan cluster.json"), std::string::npos);
  for (const char* name : {"plan", "verify", "moves", "headroom", "losses", "bound", "explain", "planners", "session",
                           "convert", "generate", "simulate", "learn", "bench", "example", "sizes", "schema"}) {
    const Outcome one = run({name, "--help"});
    EXPECT_EQ(one.code, 0) << name;
    EXPECT_NE(one.out.find("Examples:"), std::string::npos) << name;
    EXPECT_NE(one.out.find("Usage: stowage " + std::string(name)), std::string::npos) << one.out;
    EXPECT_EQ(one.err, "") << name;
  }
  EXPECT_NE(run({"generate", "stochastic", "--help"}).out.find("Examples:"), std::string::npos);
  EXPECT_NE(run({}).out.find("Usage"), std::string::npos);
  EXPECT_EQ(run({"--version"}).out.substr(0, 8), "stowage ");
  EXPECT_EQ(run({"-V"}).out, run({"--version"}).out);
  EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
}

TEST_F(Commands, HelpShowsDefaultsInShortLinesAndExplainsPapers) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{},
                                                                                       {"plan"},
                                                                                       {"verify"},
                                                                                       {"moves"},
                                                                                       {"headroom"},
                                                                                       {"losses"},
                                                                                       {"bound"},
                                                                                       {"explain"},
                                                                                       {"planners"},
                                                                                       {"session"},
                                                                                       {"convert"},
                                                                                       {"generate"},
                                                                                       {"generate", "stochastic"},
                                                                                       {"generate", "medea"},
                                                                                       {"generate", "cluster"},
                                                                                       {"generate", "packing"},
                                                                                       {"simulate"},
                                                                                       {"learn"},
                                                                                       {"learn", "interference"},
                                                                                       {"bench"},
                                                                                       {"example"}}) {
    expect_good_help(run(joined(command, {"--help"})).out);
  }
  expect_good_help(run({"--help-all"}).out);
  const std::string plan = run({"plan", "--help"}).out;
  for (const char* part : {"Use at most N nodes (default: no limit)", "Objective to minimize", "(default: nodes)",
                           "(default: auto)", "Use N threads", "random choices (default: 0)"}) {
    EXPECT_TRUE(has(plan, part)) << part << plan;
  }
  EXPECT_TRUE(has(run({"planners"}).out, "P3  LraSched: Admitting More"));
  EXPECT_TRUE(has(run({"planners", "bfd-avg"}).out, "P0  Affinity-Aware Resource Provisioning"));
  EXPECT_FALSE(has(run({"planners", "bfd-avg"}).out, "LraSched"));
  EXPECT_TRUE(has(run({"bound", example()}).out, "P0  Affinity-Aware Resource Provisioning"));
}

TEST_F(Commands, WhatMovedToTheLabSaysWhere) {
  for (const char* word : {"paper", "stochastic", "medea"}) {
    const Outcome outcome = run({"bench", word, "--seeds", "2", "--help"});
    EXPECT_EQ(outcome.code, 1) << word;
    EXPECT_EQ(outcome.out, "") << word;
    EXPECT_EQ(outcome.err, "stowage: bench " + std::string(word) +
                               " moved to the command stowage-lab; run: stowage-lab bench " + word + " --seeds 2 --help\n");
  }
  EXPECT_EQ(run({"import", "tianchi", "--p0", "-o", "x.stow"}).err,
            "stowage: import moved to the command stowage-lab; run: stowage-lab import tianchi --p0 -o x.stow\n");
  EXPECT_EQ(run({"import"}).err, "stowage: import moved to the command stowage-lab; run: stowage-lab import\n");
  EXPECT_FALSE(has(run({"--help"}).out, "\n  import"));
}

TEST_F(Commands, WrongUsageIsExitCodeOne) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"plon"},
                                             {"plan"},
                                             {"plan", "a", "b"},
                                             {"plan", example(), "--nodes", "many"},
                                             {"plan", example(), "--deadline", "soon"},
                                             {"plan", example(), "--option", "alpha"},
                                             {"plan", example(), "--summary", "xml"},
                                             {"plan", example(), "--output", "plan.txt"},
                                             {"plan", example(), "--planner", "magic"},
                                             {"plan", "no-such-file.json"},
                                             {"import"},
                                             {"generate", "--lras", "10", "--density", "5", "-o", folder_.file("x.stow")},
                                             {"generate", "--lras", "0", "--density", "1%", "-o", folder_.file("x.stow")},
                                             {"generate", "--lras", "10", "--density", "1%", "-o", folder_.file("x.doc")},
                                             {"generate", "cluster", "--zones", "27", "-o", folder_.file("x.stow")},
                                             {"generate", "cluster", "--running", "0.5", "-o", folder_.file("x.stow")},
                                             {"bench", "--planners", "ff"},
                                             {"convert", example()}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << ::testing::PrintToString(arguments);
    EXPECT_EQ(outcome.err.substr(0, 9), "stowage: ") << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_NE(run({"plon"}).err.find("did you mean \"plan\"?"), std::string::npos);
  EXPECT_NE(run({"plan", example(), "--deadline", "soon"}).err.find("try \"10s\""), std::string::npos);
}

TEST_F(Commands, SummaryTellsWhatRepeatsARun) {
  const std::string file = folder_.file("w.stow");
  ASSERT_EQ(run({"generate", "--lras", "100", "--density", "5%", "--graph", "arbitrary", "--profile", "-o", file}).code, 0);
  const Json timed = Json::parse(
      run({"plan", file, "--deadline", "200ms", "--threads", "2", "--option", "portfolio=3", "--summary", "json"}).out);
  EXPECT_EQ(timed["options"], (Json{{"portfolio", 3}}));
  EXPECT_EQ(timed["violations"], 0);
  const auto repeat = [&](const Json& summary) {
    std::vector<std::string> arguments = {
        "plan", file, "--seed", summary["seed"].dump(), "--work", summary["work"].dump(), "--summary", "json"};
    if (summary.contains("pace")) arguments.insert(arguments.end(), {"--option", "pace=" + summary["pace"].dump()});
    return Json::parse(run(arguments).out);
  };
  const auto expect_same = [](const Json& a, const Json& b) {
    for (const char* key : {"nodes", "work", "seed", "status", "pace"})
      EXPECT_EQ(a.value(key, Json()), b.value(key, Json())) << key;
  };
  expect_same(repeat(timed), timed);
  const Json paced =
      Json::parse(run({"plan", file, "--work", "300000", "--option", "pace=2000000", "--seed", "3", "--summary", "json"}).out);
  EXPECT_EQ(paced["pace"], 2000000);
  EXPECT_EQ(paced["options"], (Json{{"pace", 2000000}}));
  expect_same(repeat(paced), paced);
  const Json plain =
      Json::parse(run({"plan", file, "--planner", "ff", "--threads", "2", "--deadline", "1s", "--summary", "json"}).out);
  EXPECT_EQ(plain["options"], Json::object());
}

TEST_F(Commands, PlanOfTheExample) {
  const std::string csv = folder_.file("plan.csv");
  const Outcome outcome = run({"plan", example(), "--output", csv, "--output", folder_.file("plan.stow")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"Buy 5 large for 7.5 and keep old-1: 6 nodes, cost 8.3.", "Proven: no plan costs less.",
        "Decided by memory: 652.65 GiB in period 1", "no constraint is broken", "medium", "large", "planned by auto"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
  EXPECT_TRUE(content(csv).starts_with("node,app,replicas,class,state,price,cpu,memory\n")) << content(csv);
  EXPECT_EQ(run({"verify", example(), csv}).code, 0);
  EXPECT_EQ(run({"verify", example(), folder_.file("plan.stow")}).code, 0);
}

TEST_F(Commands, HeadroomAndLosses) {
  // Of the 7 replicas of web that run in zone a, 3 find a place on n3.
  const std::string cluster = folder_.write("cluster.json", R"({
    "stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "a", "capacity": {"cpu": 10}, "count": 2, "labels": ["zone=a"]},
                {"name": "b", "capacity": {"cpu": 10}, "count": 1, "labels": ["zone=b"]}],
    "apps": [{"name": "web", "replicas": 7, "demand": {"cpu": 2}}, {"name": "db", "replicas": 1, "demand": {"cpu": 4}}],
    "nodes": [{"name": "n1", "class": "a", "running": {"web": 4}}, {"name": "n2", "class": "a", "running": {"web": 3}},
              {"name": "n3", "class": "b", "running": {"db": 1}}]})");
  const Json headroom = Json::parse(run({"headroom", cluster, "--summary", "json"}).out);
  EXPECT_EQ(headroom["apps"][0], Json::parse(R"({"app": "web", "replicas": 7, "room": 6, "nodes": 3, "most": 3,
                                                 "spare_room": 0, "exact": true})"));
  EXPECT_EQ(headroom["apps"][1]["room"], 2);
  EXPECT_NE(run({"headroom", cluster, "--app", "web"}).out.find("web"), std::string::npos);
  EXPECT_EQ(run({"headroom", cluster, "--app", "none"}).code, 1);
  EXPECT_EQ(run({"headroom", cluster, "--most", "0"}).code, 1);

  const Outcome zones = run({"losses", cluster, "--label", "zone", "--summary", "json"});
  EXPECT_EQ(zones.code, 2) << zones.err;
  const Json losses = Json::parse(zones.out)["losses"];
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_EQ(losses[0]["name"], "a");
  EXPECT_EQ(losses[0]["replicas"], 7);
  EXPECT_EQ(losses[0]["left"], 4);
  EXPECT_EQ(losses[0]["short"]["resource"], "cpu");
  EXPECT_NEAR(losses[0]["short"]["amount"].get<double>(), 8, 1e-6);
  EXPECT_EQ(losses[1]["left"], 0);
  EXPECT_EQ(losses[1]["moves"], Json::parse(R"([{"app": "db", "replicas": 1, "to": "n2"}])"));
  const Outcome node = run({"losses", cluster, "--lost", "n3"});
  EXPECT_EQ(node.code, 0) << node.err;
  EXPECT_NE(node.out.find("n3"), std::string::npos) << node.out;
  const Outcome text = run({"losses", cluster, "--label", "zone"});
  EXPECT_NE(text.out.find("Without a place if a is lost"), std::string::npos) << text.out;
  // 4 cores are free, but no node has the 3 that the replica takes.
  const std::string pieces = folder_.write("pieces.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 4}, "count": 3}],
    "apps": [{"name": "a", "replicas": 2, "demand": {"cpu": 2}}, {"name": "b", "demand": {"cpu": 3}}],
    "nodes": [{"name": "n1", "class": "n", "running": {"a": 1}}, {"name": "n2", "class": "n", "running": {"a": 1}},
              {"name": "n3", "class": "n", "running": {"b": 1}}]})");
  const Outcome scattered = run({"losses", pieces});
  EXPECT_TRUE(has(scattered.out, "n3        1         1                1  no other node takes them\n")) << scattered.out;
  const Outcome unknown = run({"losses", cluster, "--label", "rack"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(has(unknown.err, "--label: ")) << unknown.err;
  EXPECT_EQ(run({"losses", cluster, "--lost", "n4"}).code, 1);
  EXPECT_EQ(run({"losses", cluster, "--lost", "n1", "--label", "zone"}).code, 1);
}

TEST_F(Commands, MovesAreOrdered) {
  // Room for b's replica is on n3 alone, and for a's where b was.
  const std::string cluster = folder_.write("cluster.json", R"({
    "stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "c", "capacity": {"cpu": 10}, "count": 3}],
    "apps": [{"name": "a", "replicas": 1, "demand": {"cpu": 6}}, {"name": "b", "replicas": 1, "demand": {"cpu": 6}}],
    "nodes": [{"name": "n1", "class": "c", "running": {"a": 1}}, {"name": "n2", "class": "c", "running": {"b": 1}},
              {"name": "n3", "class": "c"}]})");
  const std::string plan = folder_.write("plan.csv", "node,app,replicas\nn2,a,1\nn3,b,1\n");
  const Outcome text = run({"moves", cluster, plan});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out,
            "2 replicas change their node, in 2 waves\n\nWave 1\n  b: 1 replica from n2 to n3\n\nWave 2\n"
            "  a: 1 replica from n1 to n2\n");
  const Json json = Json::parse(run({"moves", cluster, plan, "--per-node", "1", "--summary", "json"}).out);
  EXPECT_EQ(json["waves"].size(), 2u);
  EXPECT_EQ(json["waves"][1][0], Json::parse(R"({"app": "a", "replicas": 1, "from": "n1", "to": "n2"})"));

  // A swap on full nodes, once without a third place and once with one.
  const std::string swap = folder_.write("swap.csv", "node,app,replicas\nn2,a,1\nn1,b,1\n");
  const Json over = Json::parse(run({"moves", cluster, swap, "--summary", "json"}).out);
  EXPECT_EQ(over["detours"], 1);
  const std::string full =
      folder_.write("full.json", content(cluster).replace(content(cluster).find("\"n3\", \"class\": \"c\""), 18,
                                                          "\"n3\", \"class\": \"c\", \"closed\": true"));
  const Outcome stuck = run({"moves", full, swap});
  EXPECT_EQ(stuck.code, 2) << stuck.err;
  EXPECT_NE(stuck.out.find("a: 1 replica from n1 to n2"), std::string::npos) << stuck.out;
  EXPECT_EQ(run({"moves", cluster, plan, "--app-share", "0"}).code, 1);
  EXPECT_EQ(run({"moves", cluster, folder_.write("bad.csv", "node,app,replicas\nn2,a,1\nn2,b,1\n")}).code, 1);
}

TEST_F(Commands, JsonSummaryIsOneObject) {
  const Outcome outcome = run({"plan", example(), "--summary", "json", "--seed", "18446744073709551615"});
  EXPECT_EQ(outcome.code, 0);
  const Json summary = Json::parse(outcome.out);
  for (const char* key :
       {"planner", "status", "nodes", "lower_bound", "gap", "placed", "unplaced", "violations", "seed", "cost"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
  for (const char* key : {"load", "plan", "verify"}) EXPECT_GE(summary["seconds"][key].get<double>(), 0) << key;
  EXPECT_EQ(summary["planner"], "auto");
  EXPECT_EQ(summary["placed"], 68);
  EXPECT_EQ(summary["unplaced"], 0);
  EXPECT_EQ(summary["violations"], 0);
  EXPECT_EQ(summary["seed"], UINT64_MAX);
  EXPECT_GE(summary["nodes"].get<double>(), summary["lower_bound"].get<double>());
}

// Three web apart by a hard rule and near a database by a soft one that cannot hold for all, on three nodes in two racks.
constexpr const char* kClusterWithRules = R"({
  "stowage": 1,
  "resources": {"cpu": "cores"},
  "classes": [{"name": "a", "capacity": {"cpu": 4}, "count": 2, "labels": {"rack": "1"}},
              {"name": "b", "capacity": {"cpu": 4}, "count": 1, "labels": {"rack": "2"}}],
  "apps": [{"name": "web", "replicas": 4, "demand": {"cpu": 1}, "tags": ["web"]},
           {"name": "db", "replicas": 1, "demand": {"cpu": 1}, "tags": ["db"]}],
  "rules": [{"name": "apart", "all_of": [{"subject": ["web"], "target": ["web"], "max": 0}]},
            {"name": "near", "hard": false, "weight": 2,
             "all_of": [{"subject": ["web"], "target": ["db"], "min": 1, "group": "rack"}]}]
})";

// Four replicas that should be apart and would fit on one node.
constexpr const char* kApart = R"({
  "stowage": 1,
  "resources": {"cpu": "cores"},
  "classes": [{"name": "a", "capacity": {"cpu": 4}, "price": 2}],
  "apps": [{"name": "web", "replicas": 4, "demand": {"cpu": 1}, "tags": ["web"]}],
  "rules": [{"name": "apart", "hard": false, "weight": 1, "all_of": [{"subject": ["web"], "target": ["web"], "max": 0}]}]
})";

TEST_F(Commands, TheTradeoffListsTheBestOfAllPlansForEachPrice) {
  folder_.write("apart.json", kApart);
  const std::string csv = folder_.file("curve.csv");
  const Outcome outcome = run({"tradeoff", folder_.file("apart.json"), "--deadline", "100ms", "--prices", "10,0.125",
                               "--summary", "json", "--output", csv, "--output", folder_.file("curve.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json curve = Json::parse(outcome.out);
  EXPECT_EQ(curve, Json::parse(content(folder_.file("curve.json"))));
  EXPECT_EQ(curve["objective"], "cost");
  EXPECT_NEAR(curve["bound"].get<double>(), 2, 1e-9);
  const Json& points = curve["points"];
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0]["policy"], "last");
  EXPECT_EQ(points[1]["price"], 0.125);
  EXPECT_EQ(points[2]["price"], 10);
  EXPECT_EQ(points[3]["policy"], "first");
  EXPECT_EQ(points[3]["violation_cost"], 0);
  EXPECT_EQ(points[3]["cost"], 8);
  EXPECT_NEAR(points[3]["gap"].get<double>(), 3, 1e-9);
  const auto value = [](const Json& plan, double price) {
    return plan["cost"].get<double>() + price * plan["violation_cost"].get<double>();
  };
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    EXPECT_LE(points[k]["cost"], points[k + 1]["cost"]);
    EXPECT_GE(points[k]["violation_cost"], points[k + 1]["violation_cost"]);
    if (!points[k].contains("price")) continue;
    const double price = points[k]["price"].get<double>();
    for (const Json& other : points) EXPECT_LE(value(points[k], price), value(other, price) * (1 + 1e-9));
    EXPECT_NEAR(points[k]["gap"].get<double>(), value(points[k], price) / 2 - 1, 1e-9);
  }
  EXPECT_TRUE(content(csv).starts_with("policy,price,nodes,cost,bound,gap,violation_cost,"));
  const Outcome text = run({"tradeoff", folder_.file("apart.json"), "--deadline", "50ms", "--steps", "1"});
  EXPECT_NE(text.out.find("No complete plan costs less than 2."), std::string::npos) << text.out;
}

TEST_F(Commands, ATradeoffNeedsSoftRules) {
  const Outcome none = run({"tradeoff", example()});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("has no soft rules"), std::string::npos) << none.err;
  folder_.write("apart.json", kApart);
  EXPECT_EQ(run({"tradeoff", folder_.file("apart.json"), "--output", folder_.file("curve.svg")}).code, 1);
  EXPECT_EQ(run({"tradeoff", folder_.file("apart.json"), "--prices", "-1"}).code, 1);
}

TEST_F(Commands, SoftRulesCountAsToldAndThePlanSaysSo) {
  folder_.write("apart.json", kApart);
  const std::string file = folder_.file("apart.json");
  const std::string json = folder_.file("plan.json");
  const Outcome outcome = run({"plan", file, "--planner", "ffd-avg", "--soft-price", "0.5", "--fill", "--summary", "json",
                               "--output", json, "--output", folder_.file("plan.stow")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json summary = Json::parse(outcome.out);
  EXPECT_EQ(summary["soft"], "price");
  EXPECT_EQ(summary["soft_price"], 0.5);
  EXPECT_EQ(summary["fill"], true);
  EXPECT_TRUE(summary["notes"].empty());
  const double value = summary["cost"].get<double>() + 0.5 * summary["violation_cost"].get<double>();
  EXPECT_NEAR(summary["gap"].get<double>(), value / 2 - 1, 1e-9);
  const Json plan = Json::parse(content(json));
  EXPECT_EQ(plan["soft"], "price");
  EXPECT_EQ(plan["soft_price"], 0.5);
  EXPECT_EQ(run({"verify", file, json}).code, 0);
  EXPECT_EQ(run({"verify", file, folder_.file("plan.stow")}).code, 0);
  EXPECT_EQ(Json::parse(run({"plan", file, "--soft", "last", "--summary", "json"}).out)["soft"], "last");
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"--soft", "never"}, "--soft"},
      {{"--soft", "last", "--soft-price", "1"}, "--soft-price"},
      {{"--soft", "last", "--goal", "nodes"}, "--soft:"},
      {{"--soft-price", "2", "--goal", "nodes"}, "--soft-price:"},
      {{"--soft-price", "-1"}, "--soft-price"},
      {{"--patience", "soon"}, "--patience"}};
  for (const auto& [words, option] : refused) {
    std::vector<std::string> arguments = {"plan", file};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Outcome no = run(arguments);
    EXPECT_EQ(no.code, 1) << words[1];
    EXPECT_NE(no.err.find(option), std::string::npos) << no.err;
  }
}

// Whether nodes that are alike stand once or each by itself, every command says the same of them.
TEST_F(Commands, CompactPlansAreToldAsWhatTheyStandFor) {
  const std::string file = folder_.file("alike.json");
  folder_.write("alike.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, "uncertainty": {"confidence": 0.99},
    "classes": [{"name": "big", "capacity": {"cpu": 16}}, {"name": "small", "capacity": {"cpu": 8}, "count": 7}],
    "apps": [{"name": "web", "replicas": 400, "demand": {"cpu": 2}, "deviation": {"cpu": "500m"}},
             {"name": "db", "replicas": 30, "demand": {"cpu": 6}}, {"name": "huge", "replicas": 2, "demand": {"cpu": 17}}],
    "nodes": [{"name": "old", "class": "small", "running": {"db": 1}}]})");
  const auto figures = [&](const std::string& form) {
    const std::string plan = folder_.file("plan" + form + ".stow");
    std::vector<std::string> arguments = {"plan", file, "--planner", "biheu", "--summary", "json", "--output", plan};
    std::vector<std::string> text = {"plan", file, "--planner", "biheu"};
    if (!form.empty()) arguments.push_back(form);
    if (!form.empty()) text.push_back(form);
    Json all = {{"plan", Json::parse(run(arguments).out)},
                {"verify", Json::parse(run({"verify", file, plan, "--summary", "json"}).out)},
                {"explain", Json::parse(run({"explain", file, plan, "--summary", "json"}).out)},
                {"simulate", Json::parse(run({"simulate", file, plan, "--samples", "50", "--summary", "json"}).out)}};
    for (const char* command : {"plan", "simulate"}) all[command].erase("seconds");
    // What is listed node by node.
    for (Json& app : all["explain"]["apps"]) app.erase("closest");
    all["simulate"]["worst"].clear();
    std::string told = run(text).out;
    told = told.substr(0, told.find("Next: "));
    all["text"] = told;
    EXPECT_EQ(run({"convert", plan, folder_.file("plan" + form + ".csv"), "--instance", file}).code, 0);
    all["csv"] = content(folder_.file("plan" + form + ".csv"));
    return all;
  };
  const Json plain = figures("");
  const Json compact = figures("--compact");
  EXPECT_EQ(plain, compact);
  EXPECT_GT(plain["plan"]["nodes"], 50);
  EXPECT_EQ(plain["plan"]["placed"], 430);
  EXPECT_LT(content(folder_.file("plan--compact.stow")).size(), content(folder_.file("plan.stow")).size() / 3);
}

TEST_F(Commands, RulesAreToldByPlanVerifyAndExplain) {
  const std::string cluster = folder_.write("rules.json", kClusterWithRules);
  const std::string plan = folder_.file("plan.json");
  const Outcome planned = run({"plan", cluster, "--planner", "serial", "--output", plan, "--summary", "json"});
  EXPECT_EQ(planned.code, 2) << planned.err;  // the fourth web has no node of its own
  const Json summary = Json::parse(planned.out);
  EXPECT_EQ(summary["placed"], 4);
  EXPECT_EQ(summary["unplaced"], 1);
  EXPECT_EQ(summary["violations"], 0);
  EXPECT_EQ(summary["rule_violations"], 1);
  EXPECT_EQ(summary["violation_cost"], 2);
  EXPECT_EQ(summary["applications_placed"], 1);
  const Outcome verified = run({"verify", cluster, plan, "--summary", "json"});
  EXPECT_EQ(verified.code, 0) << verified.err;
  const Json report = Json::parse(verified.out);
  EXPECT_EQ(report["rule_violations"], 1);
  EXPECT_EQ(report["rules"][0]["rule"], "near");
  EXPECT_EQ(report["rules"][0]["app"], "web");
  EXPECT_EQ(report["rules"][0]["limit"], 1);
  const Outcome explained = run({"explain", cluster, plan});
  EXPECT_NE(explained.out.find("the rule apart keeps it away"), std::string::npos) << explained.out;
  EXPECT_NE(explained.out.find("rule near: 1 of web on"), std::string::npos) << explained.out;
  EXPECT_TRUE(has(explained.out, "raise the maximum of the rule apart to 1 (node ")) << explained.out;
  EXPECT_TRUE(has(explained.out, "make the rule apart soft")) << explained.out;
  const Json help = Json::parse(run({"explain", cluster, plan, "--summary", "json"}).out)["apps"][0]["relaxations"][0];
  EXPECT_EQ(help["kind"], "RaiseMaximum");
  EXPECT_EQ(help["rule"], "apart");
  EXPECT_EQ(help["condition"], 0);
  EXPECT_EQ(help["amount"], 1);
  const Outcome whole = run({"plan", cluster, "--planner", "serial", "--all-or-nothing", "--summary", "json"});
  EXPECT_EQ(Json::parse(whole.out)["unplaced"], 4);
  EXPECT_FALSE(summary["ignores_soft_rules"].get<bool>());
  EXPECT_TRUE(has(run({"plan", cluster, "--planner", "ncd-dotproduct"}).out, "ncd-dotproduct ignores soft rules"));
  EXPECT_TRUE(has(run({"planners", "ff"}).out, "objectives  nodes, soft-rules\n"));
  EXPECT_TRUE(has(run({"planners", "yarn"}).out, "objectives  nodes\n"));
  EXPECT_NE(run({"plan", cluster, "--planner", "fill-greedy", "--objective", "worst", "--all-or-nothing"})
                .err.find("--all-or-nothing"),
            std::string::npos);
}

TEST_F(Commands, WhatDoesNotFitIsExitCodeTwoWithReasons) {
  const Outcome outcome = run({"plan", example(), "--nodes", "3", "--work", "20000"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("What has no place"), std::string::npos);
  EXPECT_NE(outcome.out.find("to place one more"), std::string::npos);
  const Json summary = Json::parse(run({"plan", example(), "--nodes", "3", "--work", "20000", "--summary", "json"}).out);
  EXPECT_EQ(summary["nodes"], 3);
  EXPECT_GT(summary["unplaced"], 0);
  EXPECT_EQ(summary["placed"].get<int>() + summary["unplaced"].get<int>(), 68);
}

// Nine replicas of 2 cores on nodes of 8; and two of 9.
TEST_F(Commands, WhatEveryPlanLeavesOverIsTold) {
  const auto file = [&](const std::string& more) {
    return folder_.write("few.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 8}}],
      "apps": [{"name": "web", "replicas": 9, "demand": {"cpu": 2}})" +
                                         more + "]}");
  };
  const std::string small = file("");
  EXPECT_NE(run({"plan", small, "--planner", "ff", "--nodes", "2"})
                .out.find("1 replica of 1 app has no place; proven: no plan leaves less over"),
            std::string::npos);
  const Json told = Json::parse(run({"plan", small, "--planner", "ff", "--nodes", "2", "--summary", "json"}).out);
  EXPECT_EQ(told["left_over_bound"], Json::parse(R"([{"priority": 0, "replicas": 1}])"));
  EXPECT_EQ(told["places_most"], true);
  EXPECT_NE(run({"explain", small, "--planner", "ff", "--nodes", "2"}).out.find("proven: no plan leaves less over"),
            std::string::npos);
  const std::string large = file(R"(, {"name": "whale", "replicas": 2, "priority": 1, "demand": {"cpu": 9}})");
  const Outcome outcome = run({"plan", large, "--planner", "ff", "--nodes", "2"});
  EXPECT_NE(outcome.out.find("  No node takes a replica of whale"), std::string::npos) << outcome.out;
  const Json noted = Json::parse(run({"plan", large, "--planner", "ff", "--nodes", "2", "--summary", "json"}).out);
  EXPECT_EQ(noted["notes"][0]["code"], "left-out");
}

TEST_F(Commands, VerifyFindsWhatWasTamperedWith) {
  const std::string path = folder_.write("one.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 4}}],
    "apps": [{"name": "a", "replicas": 3, "demand": {"cpu": 2}, "limits": {"b": 0}}, {"name": "b", "demand": {"cpu": 1}}]})");
  const auto verify = [&](const std::string& rows) {
    return run({"verify", path, folder_.write("p.csv", "node,app,replicas\n" + rows), "--summary", "json"});
  };
  const Outcome good = verify("n-1,a,2\nn-2,a,1\nn-3,b,1\n");
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_TRUE(Json::parse(good.out)["ok"].get<bool>());
  const Outcome full = verify("n-1,a,3\nn-3,b,1\n");
  EXPECT_EQ(full.code, 2);
  EXPECT_EQ(Json::parse(full.out)["details"][0]["text"], "node n-1: needs 6 cores of cpu but has 4 cores");
  const Outcome beside = verify("n-1,a,1\nn-1,b,1\nn-2,a,2\n");
  EXPECT_EQ(beside.code, 2);
  EXPECT_EQ(Json::parse(beside.out)["details"][0]["text"], "node n-1: 1 of b beside a, which allows 0");
  const Outcome text = run({"verify", path, folder_.file("p.csv")});
  EXPECT_EQ(text.code, 2);
  EXPECT_NE(text.out.find("1 of b beside a"), std::string::npos);
}

TEST_F(Commands, VerifySaysWhatHasNoPlaceAndHowGoodTheRestIs) {
  const std::string path = folder_.write("one.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 4}}],
    "apps": [{"name": "a", "replicas": 3, "demand": {"cpu": 2}}, {"name": "b", "demand": {"cpu": 1}}]})");
  const auto verify = [&](const std::string& rows, const std::vector<std::string>& more) {
    return run(joined({"verify", path, folder_.write("p.csv", "node,app,replicas\n" + rows)}, more));
  };
  const std::string whole = "n-1,a,2\nn-2,a,1\nn-2,b,1\n";
  EXPECT_TRUE(
      has(verify(whole, {"--complete"}).out, "The plan holds: no constraint is broken\nProven: no plan needs fewer nodes"));
  EXPECT_EQ(verify(whole, {"--complete"}).code, 0);
  const Outcome wide = verify("n-1,a,2\nn-2,a,1\nn-3,b,1\n", {});
  EXPECT_TRUE(has(wide.out, "No complete plan needs fewer than 2 nodes: this one is at most 50 % above the best")) << wide.out;
  const Outcome partial = verify("n-1,a,2\n", {});
  EXPECT_EQ(partial.code, 0);
  EXPECT_TRUE(has(partial.out, "No constraint is broken, but 2 replicas (of a, b) have no place")) << partial.out;
  EXPECT_EQ(verify("n-1,a,2\n", {"--complete"}).code, 2);
}

TEST_F(Commands, VerifyTellsWhatWasBrokenBefore) {
  const std::string path = folder_.write("one.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 4}, "price": 2}],
    "nodes": [{"name": "n1", "class": "n", "running": {"a": 3}}],
    "apps": [{"name": "a", "replicas": 3, "demand": {"cpu": 2}}]})");
  // A table of placements does not say what was broken.
  ASSERT_EQ(run({"plan", path, "--planner", "ff", "-o", folder_.file("p.csv")}).code, 0);
  const Outcome told = run({"verify", path, folder_.file("p.csv")});
  EXPECT_EQ(told.code, 0) << told.out;
  EXPECT_TRUE(has(told.out, "The plan holds: nothing new is broken\n1 constraint that was broken before stays broken\n"))
      << told.out;
  EXPECT_TRUE(has(told.out, "  node n1: needs 6 cores of cpu but has 4 cores (broken before)\nIt costs 2. ")) << told.out;
}

TEST_F(Commands, PlansOfOtherInstancesAreNoticed) {
  const std::string plan = folder_.file("plan.stow");
  ASSERT_EQ(run({"plan", example(), "--work", "20000", "--output", plan}).code, 0);
  std::string changed = content(example());
  changed.replace(changed.find("\"replicas\": 12"), 14, "\"replicas\": 13");
  const Outcome outcome = run({"verify", folder_.write("changed.json", changed), plan});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("made for another instance"), std::string::npos) << outcome.out;
}

TEST_F(Commands, BoundTellsWhatGivesIt) {
  const Outcome text = run({"bound", example()});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("capacity"), std::string::npos);
  const Json bounds = Json::parse(run({"bound", example(), "--summary", "json"}).out)["bounds"];
  ASSERT_FALSE(bounds.empty());
  EXPECT_TRUE(std::any_of(bounds.begin(), bounds.end(), [](const Json& one) { return one["objective"] == "cost"; }));
}

TEST_F(Commands, ExplainOneApp) {
  const std::string plan = folder_.file("plan.json");
  ASSERT_EQ(run({"plan", example(), "--work", "20000", "--output", plan}).code, 0);
  const Outcome text = run({"explain", example(), plan, "--app", "cache"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("cache: all of 5 replicas placed"), std::string::npos) << text.out;
  const Json report = Json::parse(run({"explain", example(), "--nodes", "3", "--work", "20000", "--summary", "json"}).out);
  EXPECT_FALSE(report["apps"].empty());
  EXPECT_FALSE(report["drivers"].empty());
  EXPECT_EQ(run({"explain", example(), plan, "--app", "nobody"}).code, 1);
}

TEST_F(Commands, PlannersListAndDetails) {
  const Outcome list = run({"planners"});
  EXPECT_EQ(list.code, 0);
  for (const char* name : {"ff", "bfd-avg", "wfd-avgexp", "medea-tp"})
    EXPECT_NE(list.out.find(name), std::string::npos) << name;
  EXPECT_NE(run({"planners", "ff"}).out.find("complexity"), std::string::npos);
  const Json catalogue = Json::parse(run({"planners", "--summary", "json"}).out);
  EXPECT_GT(catalogue["planners"].size(), 10U);
  EXPECT_EQ(Json::parse(run({"planners", "ff", "--summary", "json"}).out)["planners"].size(), 1U);
  const Outcome unknown = run({"planners", "bfd-agv"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("did you mean \"bfd-avg\"?"), std::string::npos);
}

TEST_F(Commands, ConvertGoesAndComesBack) {
  const std::string stow = folder_.file("a.stow");
  ASSERT_EQ(run({"convert", example(), stow}).code, 0);
  ASSERT_EQ(run({"convert", stow, folder_.file("b.json")}).code, 0);
  ASSERT_EQ(run({"convert", folder_.file("b.json"), folder_.file("c.stow")}).code, 0);
  EXPECT_EQ(content(folder_.file("c.stow")), content(stow));
  const std::string plan = folder_.file("p.stow");
  ASSERT_EQ(run({"plan", stow, "--output", plan}).code, 0);
  EXPECT_EQ(run({"convert", plan, folder_.file("p.csv")}).code, 1);
  ASSERT_EQ(run({"convert", plan, folder_.file("p.json"), "--instance", stow}).code, 0);
  ASSERT_EQ(run({"convert", folder_.file("p.json"), folder_.file("p.csv"), "--instance", example()}).code, 0);
  EXPECT_EQ(run({"verify", stow, folder_.file("p.csv")}).code, 0);
}

TEST_F(Commands, ConvertRefusesWhatTheLibraryRefuses) {
  // Well-formed JSON, but a class with fewer nodes than are listed.
  const std::string path = folder_.write("bad.json", R"({"stowage": 1, "resources": {"cpu": ""}, "apps": [],
    "classes": [{"name": "n", "capacity": {"cpu": 1}, "count": 1}], "nodes": [{"name": "x"}, {"name": "y"}]})");
  const Outcome outcome = run({"convert", path, folder_.file("bad.stow")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("bad.stow")));
}

TEST_F(Commands, EveryByteEditOfAStowIsReadOrRefused) {
  const std::string stow = folder_.file("everything.stow");
  folder_.write("everything.stow", std::string());
  const auto bytes =
      encoded(R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "n", "capacity": {"cpu": 4}}],
    "apps": [{"name": "a", "replicas": 3, "demand": {"cpu": 2}, "tags": ["t"], "max_per_node": 1}],
    "nodes": [{"name": "x", "running": {"a": 1}}]})");
  for (std::size_t at = 0; at < bytes.size(); at += test::kShare) {
    std::string edited(bytes.begin(), bytes.end());
    edited[at] = static_cast<char>(edited[at] ^ 0x41);
    folder_.write("everything.stow", edited);
    const int code = run({"convert", stow, folder_.file("out.json")}).code;
    EXPECT_TRUE(code == 0 || code == 1) << "byte " << at << " gives exit code " << code;
  }
}

TEST_F(Commands, TsvNeedsANodeAndSaysHow) {
  const std::string tsv =
      folder_.write("w.csv", "app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff\n1\t4\t32\t8\t0\t[]\n");
  const Outcome without = run({"plan", tsv});
  EXPECT_EQ(without.code, 1);
  EXPECT_NE(without.err.find("--node cores=64,memory=128"), std::string::npos);
  const Json summary = Json::parse(run({"plan", tsv, "--node", "core=64,mem=128Gi", "--summary", "json"}).out);
  EXPECT_EQ(summary["nodes"], 2);
  for (const auto& [node, message] : std::vector<std::pair<std::string, std::string>>{
           {"cores=64", "--node: has no memory"},
           {"cores=64,memory=1,disk=3", "--node: there is no resource \"disk\"; the instance has cpu, memory"},
           {"cores=64,cpu=3,memory=1", "--node: gives cpu twice"},
           {"cores=64,memory=12Gx", "--node: \"12Gx\" is not a quantity (try \"12Gi\")"},
           {"cores", "--node: \"cores\" is not resource=capacity"}}) {
    EXPECT_NE(run({"plan", tsv, "--node", node}).err.find(message), std::string::npos) << message;
  }
  EXPECT_NE(run({"plan", example(), "--node", "cores=64,memory=128"}).err.find("lists 1 nodes"), std::string::npos);
}

TEST_F(Commands, GenerateAndBench) {
  const std::string path = folder_.file("w.stow");
  ASSERT_EQ(run({"generate", "--lras", "200", "--density", "1%", "--graph", "normal", "--seed", "3", "-o", path}).code, 0);
  const std::string csv = folder_.file("bench.csv");
  const Outcome outcome = run({"bench", path, "--generate", "lras=100,density=2%,graph=threshold,seed=1,profile", "--planners",
                               "ff,bfd-avg", "--repeat", "2", "--csv", csv, "--summary", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 4U);
  for (const Json& row : rows) {
    EXPECT_EQ(row["violations"], 0);
    EXPECT_GE(row["nodes"], row["lower_bound"]);
    EXPECT_LE(row["seconds"]["plan_min"], row["seconds"]["plan_median"]);
    EXPECT_LE(row["seconds"]["plan_median"].get<double>(), row["seconds"]["call_median"].get<double>() * 1.5);
    EXPECT_GT(row["peak_mib"], 0);
    EXPECT_GT(row["work"], 0);
    EXPECT_EQ(row["seed"], 0);
  }
  const std::string table = content(csv);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
  // The bound of one planner holds for the plans of all.
  const Json shared = Json::parse(run({"bench", example(), "--planners", "ff,auto", "--repeat", "1", "--summary", "json"}).out);
  EXPECT_EQ(shared[0]["lower_bound"], shared[1]["lower_bound"]);
  EXPECT_GE(shared[0]["gap"], shared[1]["gap"]);
  EXPECT_EQ(shared[0]["bound"], shared[1]["bound"]);
  EXPECT_NEAR(shared[0]["gap"].get<double>(), shared[0]["value"].get<double>() / shared[0]["bound"].get<double>() - 1, 1e-9);
  EXPECT_NE(run({"bench", path, "--planners", "ff"}).out.find("plan min"), std::string::npos);
  EXPECT_EQ(run({"bench", "--generate", "lras=x", "--planners", "ff"}).code, 1);
  EXPECT_EQ(run({"bench", "--generate", "apps=3", "--planners", "ff"}).code, 1);
}

TEST_F(Commands, ErrorsOfTheLibraryNameTheApp) {
  const std::string path = folder_.write("huge.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 4}}],
    "apps": [{"name": "a", "replicas": 1, "demand": {"cpu": 2}},
             {"name": "many", "replicas": 4000000000, "demand": {"cpu": 2}}]})");
  const Outcome outcome = run({"plan", path});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("many"), std::string::npos) << outcome.err;
}

TEST_F(Commands, PublishedWorkload) {
  STOWAGE_NEEDS_SHARED(path, "data/tianchi-2018-b/TClab_dataset_2D.csv");
  for (const auto& [planner, nodes] : std::vector<std::pair<std::string, int>>{{"ff", 5709}, {"medea-tp", 5772}}) {
    const std::string csv = folder_.file("plan.csv");
    const Outcome outcome =
        run({"plan", path, "--node", "cores=64,memory=128", "--planner", planner, "--summary", "json", "--output", csv});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json summary = Json::parse(outcome.out);
    EXPECT_EQ(summary["nodes"], nodes);
    EXPECT_EQ(summary["lower_bound"], 5087);
    EXPECT_EQ(summary["placed"], 68224);
    EXPECT_EQ(summary["violations"], 0);
    EXPECT_EQ(run({"verify", path, csv, "--node", "cores=64,memory=128"}).code, 0);
  }
}

// Each example shows what it is about: with its command, all has a place, and the answer says the word.
TEST_F(Commands, EveryExampleShowsWhatItIsAbout) {
  struct Shown {
    const char* name;
    std::vector<std::string> options;
    const char* says;
  };
  const std::vector<Shown> all = {
      {"shop", {}, "Proven: no plan costs less."},
      {"sizes", {}, "Buy 1 medium and 4 large: 5 nodes, cost 3.456."},
      {"zones", {}, "3 node classes"},
      {"gpu", {}, "Scarcest is gpu: 7.5 of 8 are taken"},
      {"day", {}, "Buy 5 nodes: cost 5."},
      {"uncertain", {}, "Used at confidence: "},
      {"moves", {"--moves", "8"}, "Keep 5 nodes, free "},
      {"n+1", {"--survive", "node"}, "The loss of any node is survived"},
      {"conflicts", {}, "Proven: no plan costs less."},
      {"groups", {}, "Proven: no plan needs fewer nodes."},
      {"effects", {"--objective", "worst"}, "Side effects cost the replica that suffers most"},
  };
  const Outcome list = run({"example", "--list"});
  EXPECT_EQ(list.code, 0);
  for (const Shown& one : all) {
    EXPECT_NE(("\n" + list.out).find("\n  " + std::string(one.name) + " "), std::string::npos) << one.name;
    const std::string file = folder_.file("of.json");
    const Outcome written = run({"example", one.name, "-o", file});
    EXPECT_EQ(written.code, 0) << written.err;
    std::string command = "try: stowage plan " + file;
    for (const std::string& option : one.options) command += " " + option;
    EXPECT_TRUE(written.err.ends_with(command + "\n")) << written.err;
    std::vector<std::string> arguments = {"plan", file, "--work", "1000000"};
    arguments.insert(arguments.end(), one.options.begin(), one.options.end());
    const Outcome planned = run(arguments);
    EXPECT_EQ(planned.code, 0) << one.name << planned.out << planned.err;
    EXPECT_NE(planned.out.find(one.says), std::string::npos) << one.name << planned.out;
  }
  const Outcome unknown = run({"example", "nothing"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("there is no example \"nothing\"; there are shop, sizes, "), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace stowage::cli::testing
