// `stowage generate medea`, clusters with placement rules, and plans with a score on their way through files.
#include <map>
#include <nlohmann/json.hpp>

#include "capi/cli/generate/medea_cluster.h"
#include "capi/cli/library/library.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

TEST(GenerateMedea, HasTheApplicationsAndRulesOfThePaper) {
  const TemporaryFolder folder;
  const std::string path = folder.file("tagged.json");
  const Outcome outcome = run({"generate", "medea", "--nodes", "40", "--racks", "4", "--utilization", "10%", "--tensorflow",
                               "--tasks", "25%", "--seed", "3", "-o", path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(content(path));
  // 32 of 320 cores are wanted: HBase with 13 containers, TensorFlow with 10, HBase again.
  std::map<std::string, std::uint64_t> replicas;
  for (const Json& app : json["apps"]) replicas[app["name"]] = app.value("replicas", std::uint64_t{1});
  EXPECT_EQ(replicas["hb-1-worker"], 10U);
  EXPECT_EQ(replicas["tf-2-worker"], 7U);
  EXPECT_EQ(replicas["tf-2-chief"], 1U);
  EXPECT_EQ(replicas["hb-3-secondary"], 1U);
  EXPECT_EQ(replicas.size(), 4U + 3U + 4U);
  EXPECT_EQ(json["rules"].size(), 4U + 2U + 4U);
  double tasks = 0;
  for (const Json& node : json["nodes"]) {
    if (node.contains("load")) tasks += node["load"]["cpu"].get<double>();
  }
  EXPECT_EQ(tasks, 80);
  const std::string again = folder.file("again.json");
  run({"generate", "medea", "--nodes", "40", "--racks", "4", "--utilization", "10%", "--tensorflow", "--tasks", "25%", "--seed",
       "3", "-o", again});
  EXPECT_EQ(content(path), content(again));
}

TEST(GenerateMedea, RefusesWhatIsNoShare) {
  EXPECT_TRUE(has(run({"generate", "medea", "--utilization", "much", "-o", "x.json"}).err, "--utilization: \"much\""));
  EXPECT_TRUE(has(run({"generate", "medea", "--utilization", "120%", "-o", "x.json"}).err, "--utilization"));
}

TEST(MedeaCluster, CarriesOutPlansAndGivesUpWhatIsNotPlaced) {
  medea::ClusterOptions options;
  options.nodes = 2;  // 16 cores: one HBase of 13 containers, and no second one
  options.racks = 1;
  medea::Cluster cluster(options);
  cluster.submit();
  cluster.submit_tasks(2);
  cluster.submit();
  cluster.submit_tasks(2);
  EXPECT_EQ(cluster.containers(), 26U);
  EXPECT_EQ(cluster.submitted(), 2U);
  const InstanceBytes bytes(encode_instance(cluster.data()));
  const Workload workload{"test", InstanceBytes(encode_instance(cluster.data())), load_bytes(bytes, "test"), 0};
  RequestOptions request;
  request.planner = "serial";  // one application after the other
  request.all_or_nothing = true;
  std::ostringstream out;
  const PlanRun plan = run_plan(workload, request, Console{out, out});
  cluster.carry_out(plan.root());
  EXPECT_EQ(cluster.given_up(), 1U);
  std::uint32_t running = 0;
  for (const wire::Residence& one : cluster.data().running) running += one.replicas();
  // And the tasks before the second application; those after it wait no longer.
  EXPECT_EQ(running, 13U + 2U);
  EXPECT_EQ(cluster.data().apps.replicas.back(), 0U);
}

TEST(PlanWithScore, SurvivesTheWayThroughJson) {
  if (!kHasSolver) GTEST_SKIP() << "this build has no solver";
  const TemporaryFolder folder;
  const std::string path = folder.file("tagged.stow");
  const std::string stow = folder.file("plan.stow");
  const std::string json = folder.file("plan.json");
  const std::string back = folder.file("back.stow");
  const std::string again = folder.file("again.json");
  ASSERT_EQ(run({"generate", "medea", "--nodes", "20", "--racks", "2", "--utilization", "16%", "-o", path}).code, 0);
  const Outcome planned =
      run({"plan", path, "--planner", "medea-ilp", "--all-or-nothing", "--summary", "json", "-o", stow, "-o", json});
  ASSERT_EQ(planned.code, 0) << planned.err;
  const Json summary = Json::parse(planned.out);
  // Both applications placed, nothing violated, all nodes with room to spare.
  EXPECT_NEAR(summary["score"].get<double>(), 1.25, 1e-9);
  EXPECT_NEAR(summary["score_gap"].get<double>(), 0, 1e-6);
  EXPECT_EQ(Json::parse(content(json))["score"], summary["score"]);
  ASSERT_EQ(run({"convert", json, back, "--instance", path}).code, 0);
  ASSERT_EQ(run({"convert", back, again, "--instance", path}).code, 0);
  EXPECT_EQ(content(json), content(again));
  EXPECT_TRUE(has(run({"plan", path, "--planner", "medea-ilp"}).out, "Score of medea-ilp: 1.25"));
  EXPECT_TRUE(has(run({"planners", "medea-ilp"}).out, "a solver of linear programs"));
}

}  // namespace
}  // namespace stowage::cli::testing
