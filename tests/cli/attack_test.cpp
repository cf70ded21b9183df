// Files with which an attack found defects (tests/data/attack). None of them may bring a planner and the checker into
// disagreement, and none may take long or much.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

constexpr int kDefect = 3;

std::string attack_file(const std::string& name) { return std::string(STOWAGE_ATTACKS) + "/" + name; }

/// The instances, in the order of their names.
std::vector<std::string> attack_instances() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(STOWAGE_ATTACKS)) {
    if (entry.path().extension() != ".jsonl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Rules with negated skews, confidences near 0 and near 1/2, loads at the edge of the checker's tolerance, and generated ones.
TEST(Attack, PlannersAndCheckerAgree) {
  const std::vector<std::string> files = attack_instances();
  EXPECT_GE(files.size(), 20U);
  for (const std::string& file : files) {
    for (const char* planner :
         {"ff", "bfd-max", "medea-tp", "spread-wfd-avg", "match-dotproduct", "ncd-fitness", "tag-search", "serial", "auto"}) {
      const Outcome outcome = run({"plan", file, "--planner", planner, "--work", "20000", "--summary", "json"});
      EXPECT_NE(outcome.code, kDefect) << planner << " " << file << outcome.err;
      const Json summary = Json::parse(outcome.out, nullptr, false);
      if (summary.is_object()) {
        EXPECT_EQ(summary.value("violations", 0), 0) << planner << " " << file;
      }
    }
  }
}

// 10^8 replicas of one app, of which one fits: nothing is made per replica.
TEST(Attack, ReplicasThatNeverFitTakeNoTime) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run({"plan", attack_file("auto_deadline_bomb.json"), "--planner", "auto", "--deadline", "100ms"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

// Devices that are hard to pack, and many plans of other clusters: the reasons would take seconds.
TEST(Attack, ExplanationsEndWithTheirTime) {
  const std::clock_t begin = std::clock();
  const Outcome outcome = run({"explain", attack_file("rel_deadline_devices.json"), "--deadline", "200ms"});
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.err;
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1);
}

/// The summary of a plan, which the checker has accepted and no defect of the planner has cut short.
Json summary_of(std::vector<std::string> command, int code) {
  command.insert(command.begin(), "plan");
  command.insert(command.end(), {"--summary", "json"});
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.code, code) << command[1] << ": " << outcome.err;
  EXPECT_FALSE(has(outcome.out, "start-plan")) << outcome.out;
  const Json summary = Json::parse(outcome.out, nullptr, false);
  EXPECT_EQ(summary.value("violations", 1), 0) << command[1];
  return summary;
}

// A plan with fewer nodes than what runs was loaded over what runs, beyond the limit of nodes.
TEST(Attack, AMoveToAnotherNodeWithinTheLimitOfNodes) {
  for (const char* objective : {"worst", "total"}) {
    for (const char* work : {"1", "4", "100", "20000"}) {
      const Outcome outcome = run({"plan", attack_file("rel_crash_worst.json"), "--objective", objective, "--nodes", "1",
                                   "--moves", "1", "--work", work, "--seed", "1505269613", "--summary", "json"});
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.err;
      EXPECT_FALSE(has(outcome.out, "start-plan")) << outcome.out;
    }
  }
}

// The skew counts replicas outside of all sets, so that what has left its node may be nowhere else.
TEST(Attack, WhatLeavesItsNodeComesHome) {
  for (const char* moves : {"1", "2", "3"}) {
    for (const char* work : {"1", "2", "4", "8", "16", "64", "1000", "20000"}) {
      const Json summary = summary_of({attack_file("rel_internal_operator_moves.json"), "--moves", moves, "--work", work}, 2);
      EXPECT_EQ(summary.value("unplaced", 0), 1) << moves << " moves, work " << work;
      EXPECT_EQ(summary.value("nodes", 0), 2) << moves << " moves, work " << work;
      EXPECT_EQ(summary.value("moves", 1), 0) << moves << " moves, work " << work;
    }
  }
}

TEST(Attack, PinnedReplicasStay) {
  for (const char* file : {"rel_internal_pin_moves.json", "rel_internal_pin2.json"}) {
    for (const char* moves : {"1", "2"}) {
      for (const char* seed : {"0", "1", "2"}) {
        const Json summary = summary_of({attack_file(file), "--moves", moves, "--work", "3000", "--seed", seed}, 0);
        EXPECT_EQ(summary.value("unplaced", 1), 0) << file;
      }
    }
  }
}

// One node is all that there may be, and the cheapest one does not hold everything.
TEST(Attack, TheCheapestNodesAreNotChosenWhereTheyAreTooSmall) {
  const Json summary = summary_of({attack_file("rel_node_limit_free_class.json"), "--nodes", "1", "--work", "20000"}, 0);
  EXPECT_EQ(summary.value("unplaced", 1), 0);
  EXPECT_EQ(summary.value("cost", 0.0), 2.5);
}

/// The answers of a session of one class of nodes to the commands of a file.
std::vector<Json> attack_session(const std::string& script) {
  const TemporaryFolder folder;
  const std::string cluster = folder.write("cluster.json", R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
    "apps": [], "classes": [{"name": "m", "capacity": {"cpu": 8, "memory": 32}, "count": 3}]})");
  const std::string snapshot = folder.file("evening.stow");
  const Outcome outcome = run({"session", cluster, attack_file(script), "-o", snapshot});
  EXPECT_NE(outcome.code, kDefect) << outcome.err;
  // Whatever was accepted can be opened again.
  const Outcome again = run({"session", snapshot, folder.write("status.jsonl", R"({"op": "plan", "planner": "ff"})")});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  std::vector<Json> answers;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line, nullptr, false));
  return answers;
}

TEST(Attack, SessionsRefuseWhatCannotBePlanned) {
  const std::vector<Json> contradiction = attack_session("session_contradiction.jsonl");
  ASSERT_EQ(contradiction.size(), 4U);
  EXPECT_TRUE(contradiction[1].value("ok", false)) << "nobody is subject to the rules yet";
  EXPECT_FALSE(contradiction[2].value("ok", true)) << contradiction[2];
  EXPECT_TRUE(contradiction[3].value("ok", false)) << contradiction[3];
  const std::vector<Json> unplannable = attack_session("session_unplannable.jsonl");
  ASSERT_EQ(unplannable.size(), 2U);
  EXPECT_FALSE(unplannable[0].value("ok", true)) << unplannable[0];
  EXPECT_TRUE(unplannable[1].value("ok", false)) << unplannable[1];
}

// A snapshot that an earlier version wrote, with a rule that nothing can meet.
TEST(Attack, ASnapshotWithABadRuleCanBeMended) {
  const TemporaryFolder folder;
  const std::string snapshot = attack_file("snap_2008374.stow");
  const Outcome shown = run({"session", snapshot, folder.write("plan.jsonl", R"({"op": "plan", "planner": "ff"})")});
  EXPECT_EQ(shown.code, 1) << shown.out;
  EXPECT_TRUE(has(shown.out, "negated")) << shown.out;
}

}  // namespace
}  // namespace stowage::cli::testing
