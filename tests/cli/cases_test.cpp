// Small instances that `auto` once answered wrongly, each with the right answer. Those of files lie in tests/data/cases.
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"
#include "tests/effort.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// Rounding of sums of prices.
constexpr double kRounding = 1e-9;

std::string case_file(const std::string& name) { return std::string(STOWAGE_CASES) + "/" + name + ".json"; }

/// The summary of a plan by `auto`. Fails where the independent checker finds a constraint broken.
Json plan_of(const std::string& file, std::uint64_t work, const std::vector<std::string>& options = {}) {
  const std::vector<std::string> base = {"plan", file, "--summary", "json", "--work", std::to_string(work)};
  const Outcome outcome = run(joined(base, options));
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << file << outcome.err;
  Json summary = Json::parse(outcome.out, nullptr, false);
  EXPECT_EQ(summary.value("violations", -1), 0) << outcome.out;
  return summary;
}

class Cases : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::kShare > 1) GTEST_SKIP() << "too slow with sanitizers";
  }

  TemporaryFolder folder_;
};

// 50 apps on 9 listed nodes, six of which carry load; a running and a pinned replica stay where they are. The stricter rule "at
// most one other in the zone" has a plan of cost 21.3, which obeys the skew as well.
TEST_F(Cases, OneSkewRuleCostsNothing) {
  for (const char* seed : {"0", "1", "2", "3"}) {
    const Json plan = plan_of(case_file("one_skew_rule"), 5'000'000, {"--seed", seed});
    EXPECT_EQ(plan["unplaced"], 0) << seed;
    EXPECT_LE(plan["cost"].get<double>(), 21.3 + kRounding) << seed;
  }
}

TEST_F(Cases, EverythingIsPlacedWhereOtherPlannersPlaceIt) {
  for (const char* seed : {"0", "1", "2", "3"}) {
    const Json plan = plan_of(case_file("auto_partial_where_complete"), 5'000'000, {"--seed", seed});
    EXPECT_EQ(plan["unplaced"], 0) << seed;
    EXPECT_LE(plan["cost"].get<double>(), 21.3 + kRounding) << seed;
  }
}

// The two replicas of high priority fill a node each. If they take the two listed ones, which are the two zones, nothing of the
// app that must be spread over zones finds room.
TEST_F(Cases, PriorityLeavesRoomForASkewRule) {
  for (const char* seed : {"0", "1", "2", "3"}) {
    const Json plan = plan_of(case_file("skew_priority_partial"), 300'000, {"--seed", seed});
    EXPECT_EQ(plan["unplaced"], 0) << seed;
    EXPECT_EQ(plan["nodes"], 4) << seed;
  }
}

// Nodes cost nothing. What was placed first takes the room of the one app that may not go anywhere; new nodes take the others.
TEST_F(Cases, WhereNodesAreFreeEverythingIsPlacedSoon) {
  for (const char* seed : {"0", "1", "2", "3"}) {
    EXPECT_EQ(plan_of(case_file("free_nodes_partial"), 100'000, {"--seed", seed})["unplaced"], 0) << seed;
  }
}

// The optimum, 12 apps on 9 nodes of 4 classes, is known by a plan that the independent checker accepts.
TEST_F(Cases, FewAppsOfManyClassesReachTheOptimum) {
  const std::string file = case_file("repro_price110");
  std::map<std::string, double> price;
  const Json instance = Json::parse(content(file));
  for (const Json& one : instance["classes"]) price[one["name"]] = one["price"];
  double cost = 0;
  std::string csv = "node,app,replicas\n";
  const Json best = Json::parse(content(case_file("repro_price110.best.plan")));
  for (const Json& node : best["nodes"]) {
    cost += price.at(node["class"]);
    for (const auto& [app, replicas] : node["replicas"].items()) {
      csv += node["name"].get<std::string>() + "," + app + "," + replicas.dump() + "\n";
    }
  }
  EXPECT_NEAR(cost, 11.14, kRounding);
  EXPECT_EQ(run({"verify", file, folder_.write("best.csv", csv)}).code, 0);
  const Json plan = plan_of(file, 25'000'000, {"--option", "portfolio=4", "--threads", "2"});
  EXPECT_EQ(plan["unplaced"], 0);
  EXPECT_NEAR(plan["cost"].get<double>(), cost, kRounding);
}

// 40 apps, none of which shares a node with another.
TEST_F(Cases, BoundSeesThatAppsExcludeEachOther) {
  const Json plan = plan_of(case_file("bound_affinity"), 2'500'000);
  EXPECT_EQ(plan["lower_bound"], 40);
  EXPECT_EQ(plan["nodes"], 40);
  EXPECT_EQ(plan["status"], "optimal");
}

// Each replica needs more than half of two of three resources, so that any two have one of these in common.
TEST_F(Cases, BoundSeesPairsThatShareNoNode) {
  const Json plan = plan_of(case_file("bound_pairs"), 2'500'000);
  EXPECT_EQ(plan["lower_bound"], 150);
  EXPECT_EQ(plan["nodes"], 150);
  EXPECT_EQ(plan["status"], "optimal");
}

/// A case of four replicas that run on four nodes and fit on one.
void expect_consolidated(const std::string& name, std::uint32_t unplaced) {
  for (std::uint32_t moves = 0; moves <= 4; ++moves) {
    const Json plan = plan_of(case_file(name), 300'000, {"--moves", std::to_string(moves)});
    EXPECT_EQ(plan["nodes"], 4 - std::min(moves, 3u)) << name << moves;
    EXPECT_EQ(plan["moves"], std::min(moves, 3u)) << name << moves;
    EXPECT_EQ(plan["unplaced"], unplaced) << name << moves;
  }
}

TEST_F(Cases, NodesWithDaemonsAloneAreEmpty) { expect_consolidated("daemonset_load", 0); }

// Each replica must be where the label ssd=1 is, as it is on every node.
TEST_F(Cases, HardMinimumAllowsMoves) { expect_consolidated("hard_minimum_no_moves", 0); }

// One more replica needs a resource that no node has.
TEST_F(Cases, ConsolidationGoesOnPastWhatFitsNowhere) {
  expect_consolidated("unplaceable_stops_consolidation", 1);
  EXPECT_EQ(plan_of(case_file("unplaceable_stops_consolidation"), 300'000)["status"], "infeasible-proven");
}

// A rule on one app among 2,000, which exchanges alone plan optimally.
TEST_F(Cases, RulesThatBindNothingCostNothing) {
  const std::string plain = folder_.file("plain.json");
  ASSERT_EQ(run({"generate", "--lras", "2000", "--density", "1%", "--seed", "0", "--output", plain}).code, 0);
  const Json instance = Json::parse(content(plain));
  const Json without = plan_of(plain, 10'000'000);
  EXPECT_EQ(without["status"], "optimal");
  Json labelled = instance;
  labelled["classes"][0]["labels"] = {{"disk", "ssd"}};
  labelled["apps"][0]["tags"] = {"one"};
  labelled["apps"][1]["tags"] = {"other"};
  const std::map<std::string, Json> rules = {
      {"selector", {{"subject", {"one"}}, {"target", {"disk=ssd"}}, {"min", 1}}},
      {"soft", {{"subject", {"one"}}, {"target", {"one"}}, {"max", 0}}},
      {"near", {{"subject", {"one"}}, {"target", {"other"}}, {"min", 1}}},
  };
  for (const auto& [name, condition] : rules) {
    Json ruled = labelled;
    ruled["rules"] = {{{"name", name}, {"hard", name != "soft"}, {"all_of", {condition}}}};
    const Json plan = plan_of(folder_.write(name + ".json", ruled.dump()), 10'000'000);
    EXPECT_EQ(plan["unplaced"], 0) << name;
    EXPECT_EQ(plan["nodes"], without["nodes"]) << name;
    EXPECT_EQ(plan["violation_cost"], 0) << name;
  }
  Json whole = instance;
  whole["apps"][0]["tags"] = {"appID:one"};
  const Json plan = plan_of(folder_.write("whole.json", whole.dump()), 10'000'000, {"--all-or-nothing"});
  EXPECT_EQ(plan["unplaced"], 0);
  EXPECT_EQ(plan["nodes"], without["nodes"]);
}

// The same workload on 700 nodes. Replicas taken by ascending memory until 700 nodes are full of it are a bound on what fits.
TEST_F(Cases, TooFewNodesHoldAsManyReplicasAsTheBoundAllows) {
  const std::string file = folder_.file("workload.json");
  ASSERT_EQ(run({"generate", "--lras", "2000", "--density", "1%", "--seed", "0", "--output", file}).code, 0);
  const Json instance = Json::parse(content(file));
  std::multimap<double, std::uint32_t> by_memory;
  for (const Json& app : instance["apps"]) by_memory.emplace(app["demand"]["memory"], app["replicas"]);
  constexpr double kNodes = 700;
  double left = kNodes * 128;
  std::uint32_t left_over = 0;
  for (const auto& [memory, replicas] : by_memory) {
    const std::uint32_t fitting = std::min(replicas, static_cast<std::uint32_t>(left / memory));
    left -= fitting * memory;
    left_over += replicas - fitting;
  }
  const Json plan = plan_of(file, 10'000'000, {"--nodes", "700"});
  EXPECT_EQ(plan["unplaced"], left_over);
}

// With priorities, a longer run once left more unplaced than a short one.
TEST_F(Cases, MoreWorkNeverPlacesLess) {
  const std::string file = folder_.file("cluster.json");
  ASSERT_EQ(run({"generate", "cluster", "--priorities", "3", "--seed", "1", "--output", file}).code, 0);
  const Json instance = Json::parse(content(file));
  // Unplaced replicas by priority, the highest first.
  using LeftOver = std::map<int, std::uint32_t, std::greater<>>;
  std::map<std::string, int> priority;
  for (const Json& app : instance["apps"]) priority[app["name"]] = app.value("priority", 0);
  LeftOver before;
  for (const std::uint64_t work : {300'000, 1'000'000, 6'000'000, 20'000'000}) {
    const std::string out = folder_.file("plan.json");
    plan_of(file, work, {"--nodes", "60", "--output", out});
    LeftOver now;
    for (const auto& [app, one] : priority) now[one] += 0;
    const Json plan = Json::parse(content(out));
    for (const auto& [app, replicas] : plan["unplaced"].items()) {
      now[priority.at(app)] += replicas.get<std::uint32_t>();
    }
    EXPECT_TRUE(before.empty() || now <= before) << work;
    before = now;
  }
  EXPECT_GT(before.rbegin()->second, 0u) << "nothing is short";
}

}  // namespace
}  // namespace stowage::cli::testing
