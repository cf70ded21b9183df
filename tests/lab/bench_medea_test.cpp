// `stowage-lab bench medea`, at a small scale.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "capi/cli/library/library.h"
#include "capi/lab/medea/runs.h"
#include "tests/lab/test_support.h"

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
  const Outcome outcome = run_lab(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 4U);
  for (const double x : {0.3, 0.6}) {
    EXPECT_LT(row_of(rows, "utilization", x, "tag-search")["violating"].get<double>(), 0.01);
    EXPECT_GT(row_of(rows, "utilization", x, "j-kube")["violating"].get<double>(), 0.05);
  }
  const auto runs = lab::read_runs<medea::Run>(out + "/runs.csv");
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
  const Outcome resumed = run_lab(joined(command, {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_FALSE(has(resumed.err, "runs in")) << resumed.err;
  EXPECT_EQ(row_of(Json::parse(resumed.out), "utilization", 0.6, "j-kube")["violating"],
            row_of(rows, "utilization", 0.6, "j-kube")["violating"]);
}

TEST_F(BenchMedea, TheIntegerProgramIsNoWorseThanTheSearch) {
  if (!kHasSolver) GTEST_SKIP() << "this build has no solver";
  const Outcome outcome = run_lab(small({"--summary", "json", "--deadline", "200ms"}, "tag-search,medea-ilp"));
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
  const Outcome outcome = run_lab(small({}, "medea-ilp,tag-search"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(has(outcome.err, "needs a solver")) << outcome.err;
}

TEST_F(BenchMedea, APointThatIsNamedTwiceIsOne) {
  const std::string out = folder_.file("out");
  const std::vector<std::string> twice = small({"--output", out, "--no-charts", "--utilizations", "0.1,10%"}, "tag-search");
  ASSERT_EQ(run_lab(twice).code, 0);
  const Outcome resumed = run_lab(joined(twice, {"--resume"}));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(lab::read_runs<medea::Run>(out + "/runs.csv").size(), 3U);
}

TEST_F(BenchMedea, RefusesWhatThereIsNot) {
  EXPECT_TRUE(has(run_lab({"bench", "medea", "--figures", "7"}).err, "there is no figure 7"));
  EXPECT_TRUE(has(run_lab({"bench", "medea", "--utilizations", "2"}).err, "--utilizations: \"2\""));
  EXPECT_TRUE(has(run_lab(small({}, "medea-il")).err, "medea-ilp")) << "what was perhaps meant";
}

}  // namespace
}  // namespace stowage::cli::testing
