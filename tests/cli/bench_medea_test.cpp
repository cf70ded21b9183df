// `stowage bench medea` and `stowage generate medea`, at a small scale; and plans with a score on their way through files.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "capi/cli/library.h"
#include "capi/cli/medea/results.h"
#include "capi/cli/medea/runs.h"
#include "capi/cli/medea/workload.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// The first run of a planner at a point, from the JSON of results.
Json row_of(const Json& rows, const std::string& axis, double x, const std::string& planner) {
  for (const Json& row : rows) {
    if (row["axis"] == axis && row["x"] == x && row["planner"] == planner) return row;
  }
  ADD_FAILURE() << "no row of " << planner << " on " << axis;
  return {};
}

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
  for (const ResidenceData& one : cluster.data().running) running += one.replicas;
  // And the tasks before the second application; those after it wait no longer.
  EXPECT_EQ(running, 13U + 2U);
  EXPECT_EQ(cluster.data().apps.replicas.back(), 0U);
}

TEST(MedeaUnavailability, IsMostlyLowAndAtTimesAWholeUnit) {
  const auto shares = medea::draw_unavailability(25, 360, 1);
  std::uint32_t low = 0;
  std::uint32_t quarter = 0;
  std::uint32_t all = 0;
  for (const auto& unit : shares) {
    for (const double share : unit) ++(share < 0.03 ? low : share == 0.25 ? quarter : all);
  }
  EXPECT_GT(low, 25 * 360 * 9 / 10);
  EXPECT_GT(quarter, all);
  EXPECT_GT(all, 0U);
  EXPECT_EQ(shares, medea::draw_unavailability(25, 360, 1));
}

class BenchMedea : public ::testing::Test {
 protected:
  static std::vector<std::string> small(const std::vector<std::string>& more, const std::string& planners) {
    return joined({"bench", "medea", "--figures", "10", "--nodes", "50", "--utilizations", "30%,60%", "--planners", planners},
                  more);
  }
  TemporaryFolder folder_;
};

TEST_F(BenchMedea, KubernetesViolatesMoreThanTheSearch) {
  const std::string out = folder_.file("out");
  const std::string page = folder_.file("page.md");
  const std::vector<std::string> command =
      small({"--output", out, "--no-charts", "--summary", "json", "--markdown", page}, "tag-search,j-kube");
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 4U);
  for (const double x : {0.3, 0.6}) {
    EXPECT_LT(row_of(rows, "utilization", x, "tag-search")["violating"].get<double>(), 0.01);
    EXPECT_GT(row_of(rows, "utilization", x, "j-kube")["violating"].get<double>(), 0.05);
  }
  const auto runs = medea::read_runs(out + "/runs.csv");
  ASSERT_EQ(runs.size(), 4U);
  for (const medea::Run& one : runs) {
    EXPECT_EQ(one.violations, 0U);
    EXPECT_EQ(one.given_up, 0U);
    // HBase instances of 13 containers until 30 or 60 % of 400 cores are wanted: 10 or 19 of them.
    EXPECT_EQ(one.applications, one.of.x < 0.5 ? 10U : 19U);
    EXPECT_EQ(one.containers, 13U * one.applications);
  }
  EXPECT_TRUE(has(content(page), "### Figures 9a and 10")) << content(page);
  // What is done is not done again.
  const Outcome resumed = run(joined(command, {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_FALSE(has(resumed.err, "runs in")) << resumed.err;
  EXPECT_EQ(row_of(Json::parse(resumed.out), "utilization", 0.6, "j-kube")["violating"],
            row_of(rows, "utilization", 0.6, "j-kube")["violating"]);
}

TEST_F(BenchMedea, TheIntegerProgramIsNoWorseThanTheSearch) {
  if (!kHasSolver) GTEST_SKIP() << "this build has no solver";
  const Outcome outcome = run(small({"--summary", "json", "--deadline", "200ms"}, "tag-search,medea-ilp"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  for (const double x : {0.3, 0.6}) {
    const Json ilp = row_of(rows, "utilization", x, "medea-ilp");
    EXPECT_LT(ilp["violating"].get<double>(), 0.01);
    EXPECT_GE(ilp["mean_gap"].get<double>(), 0);
    EXPECT_TRUE(row_of(rows, "utilization", x, "tag-search")["mean_gap"].is_null());
  }
}

TEST_F(BenchMedea, WithoutASolverThePlannerIsRefusedAndTheRestGoesOn) {
  if (kHasSolver) GTEST_SKIP() << "this build has a solver";
  const Outcome outcome = run(small({}, "medea-ilp,tag-search"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(has(outcome.err, "needs a solver")) << outcome.err;
}

TEST_F(BenchMedea, APointThatIsNamedTwiceIsOne) {
  const std::string out = folder_.file("out");
  const std::vector<std::string> twice = small({"--output", out, "--no-charts", "--utilizations", "0.1,10%"}, "tag-search");
  ASSERT_EQ(run(twice).code, 0);
  const Outcome resumed = run(joined(twice, {"--resume"}));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(medea::read_runs(out + "/runs.csv").size(), 3U);
}

TEST_F(BenchMedea, RefusesWhatThereIsNot) {
  EXPECT_TRUE(has(run({"bench", "medea", "--figures", "7"}).err, "there is no figure 7"));
  EXPECT_TRUE(has(run({"bench", "medea", "--utilizations", "2"}).err, "--utilizations: \"2\""));
  EXPECT_TRUE(has(run(small({}, "medea-il")).err, "medea-ilp")) << "what was perhaps meant";
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
