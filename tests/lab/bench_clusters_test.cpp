// `stowage-lab bench clusters`, at a small scale.
#include <nlohmann/json.hpp>

#include "capi/lab/clusters/bench.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

class BenchClusters : public ::testing::Test {
 protected:
  static std::vector<std::string> small(const std::vector<std::string>& more) {
    return joined({"bench", "clusters", "--features", "none,limits+spread-soft,one-class", "--sizes", "30", "--planners",
                   "bfd-avg", "--deadlines", "100ms", "--seeds", "2", "--repeat", "1"},
                  more);
  }
  TemporaryFolder folder_;
};

TEST_F(BenchClusters, MeasuresEveryClassAndGoesOn) {
  const std::string out = folder_.file("out");
  const std::string page = folder_.file("page.md");
  const std::vector<std::string> command = small({"--output", out, "--no-charts", "--summary", "json", "--markdown", page});
  const Outcome outcome = run_lab(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 3U);
  for (const Json& row : rows) {
    EXPECT_EQ(row["planner"], "bfd-avg@100ms");
    EXPECT_EQ(row["runs"], 2);
    EXPECT_EQ(row["unplaced"], 0);
    EXPECT_EQ(row["objective"], row["features"] == "one-class" ? "nodes" : "cost");
    EXPECT_GE(row["value"].get<double>(), row["bound"].get<double>());
    EXPECT_GE(row["worst_gap"].get<double>(), row["gap"].get<double>());
  }
  const auto runs = lab::read_runs<clusters::Run>(out + "/runs.csv");
  ASSERT_EQ(runs.size(), 6U);
  for (const clusters::Run& one : runs) {
    EXPECT_EQ(one.violations, 0U);
    EXPECT_EQ(one.of.apps, 30U);
    ASSERT_TRUE(one.gap());
    EXPECT_NEAR(*one.gap(), one.value / *one.bound - 1, 1e-12);
  }
  for (const char* part : {"<!-- stowage-lab bench clusters: begin -->", "### 30 apps", "| limits+spread-soft | bfd-avg, "}) {
    EXPECT_TRUE(has(content(page), part)) << part << content(page);
  }
  // What is done is not done again.
  const Outcome resumed = run_lab(joined(command, {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_FALSE(has(resumed.err, "runs in")) << resumed.err;
  const Json again = Json::parse(resumed.out);
  ASSERT_EQ(again.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const char* key : {"features", "value", "bound", "gap", "rule_violations"}) EXPECT_EQ(again[k][key], rows[k][key]);
  }
}

TEST_F(BenchClusters, APartialPlanHasNoGap) {
  clusters::Run run;
  run.status = "partial";
  run.of = {"none", 3};
  run.label = "ff";
  run.priced = true;
  run.value = 2;
  run.bound = 1;
  run.unplaced = 4;
  EXPECT_FALSE(run.gap());
  const auto tallies = lab::tallied(std::vector{run});
  EXPECT_EQ(tallies.of(run.of, "ff").count("runs"), 1U);
  EXPECT_FALSE(tallies.of(run.of, "ff").has("gap"));
  EXPECT_FALSE(tallies.of(run.of, "ff").has("bound"));
  EXPECT_EQ(tallies.of(run.of, "ff").mean("unplaced"), 4);
}

TEST_F(BenchClusters, RefusesWhatThereIsNot) {
  EXPECT_TRUE(has(run_lab(small({"--features", "magic"})).err, "--features: \"magic\" is not a feature"));
  EXPECT_TRUE(has(run_lab(small({"--deadlines", "soon"})).err, "\"soon\""));
  EXPECT_TRUE(has(run_lab(small({"--planners", "autp"})).err, "auto"));
}

}  // namespace
}  // namespace stowage::cli::testing
