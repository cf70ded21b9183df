// `stowage-lab bench lrasched`, at a small scale.
#include <map>
#include <nlohmann/json.hpp>

#include "capi/lab/lrasched/bench.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

lrasched::Run admitted_run(const std::string& label, std::uint64_t seed, std::uint64_t admitted, double most) {
  lrasched::Run run;
  run.of = {"literal", 20, 4, 3, 1};
  run.label = label;
  run.seed = seed;
  run.admitted = admitted;
  run.most = most;
  run.status = "complete";
  return run;
}

class BenchLrasched : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(BenchLrasched, ComparesWithTheBoundUnderEveryLoad) {
  const std::string out = folder_.file("out");
  const std::string page = folder_.file("page.md");
  const std::vector<std::string> command = {"bench",      "lrasched",  "--figures", "8,9,10", "--sizes",     "30/8",
                                            "--dims",     "3",         "--seeds",   "2",      "--repeat",    "1",
                                            "--deadline", "200ms",     "--output",  out,      "--no-charts", "--markdown",
                                            page,         "--summary", "json"};
  const Outcome outcome = run_lab(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 3U * 4) << outcome.out;
  std::map<std::string, std::map<std::string, double>> admitted;
  for (const Json& row : rows) {
    EXPECT_EQ(row["runs"], 2) << row;
    EXPECT_LE(row["admitted"].get<double>(), row["most"].get<double>() + 1e-6) << row;
    EXPECT_GE(row["gap"].get<double>(), -1e-9) << row;
    EXPECT_GE(row["added"].get<double>(), row["least_added"].get<double>() - 1e-6) << row;
    admitted[row["load"].get<std::string>()][row["planner"].get<std::string>()] = row["admitted"].get<double>();
  }
  // As printed, less than everything fits; where nodes are added, everything does.
  EXPECT_LT(admitted["literal"]["auto"], 30);
  EXPECT_GE(admitted["literal"]["auto"], admitted["literal"]["lrasched"]);
  EXPECT_EQ(admitted["added"]["auto"], 30);
  EXPECT_TRUE(has(content(page), "| literal | 30/8 | 3 |")) << content(page);
  EXPECT_EQ(lab::read_runs<lrasched::Run>(out + "/runs.csv").size(), 3U * 2 * 4);
  const Outcome resumed = run_lab(joined(command, {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_FALSE(has(resumed.err, "runs in")) << resumed.err;
}

TEST_F(BenchLrasched, RunningReplicasOfTheTestbedStayFromArrivalToArrival) {
  const std::string out = folder_.file("out");
  const Outcome outcome = run_lab({"bench", "lrasched", "--figures", "6", "--seeds", "1", "--repeat", "1", "--deadline",
                                   "100ms", "--planners", "lrasched,lrasched-ffd", "--output", out, "--no-charts"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, lrasched::Run> last;
  const std::vector<lrasched::Run> runs = lab::read_runs<lrasched::Run>(out + "/runs.csv");
  ASSERT_EQ(runs.size(), 2U * 40);
  for (const lrasched::Run& run : runs) {
    EXPECT_TRUE(run.counts());
    EXPECT_EQ(run.of.apps, last.contains(run.label) ? last[run.label].of.apps + 1 : 1);
    EXPECT_GE(run.admitted, last[run.label].admitted) << run.label << " after " << run.of.apps;
    EXPECT_GE(run.utilization, last[run.label].utilization - 1e-12) << run.label << " after " << run.of.apps;
    last[run.label] = run;
  }
  for (const auto& [label, run] : last) {
    EXPECT_GT(run.admitted, 10U) << label;
    EXPECT_LT(run.admitted, 40U) << label;
  }
}

TEST_F(BenchLrasched, EveryFigureHasItsChartWhereThereAreResults) {
  lrasched::Results results;
  EXPECT_TRUE(lrasched::charts_of(results, {}).empty());
  results.cells.push_back({lrasched::testbed_cells().front(), 1, 0, {{}}});
  results.cells.push_back({lrasched::latency_cells({10}, 6).front(), 1, 0, {{}}});
  const auto charts = lrasched::charts_of(results, {"ff"});
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0].file, "figure6");
  EXPECT_EQ(charts[1].file, "figure12");
}

TEST_F(BenchLrasched, TheBoundIsTheBestThatAnyRunProved) {
  std::vector<lrasched::Run> runs = {admitted_run("a", 1, 8, 12), admitted_run("b", 1, 10, 16), admitted_run("a", 2, 10, 14),
                                     admitted_run("b", 2, 10, 10)};
  runs.push_back(admitted_run("b", 2, 20, 1));
  runs.back().violations = 1;  // does not count
  const auto results = lrasched::sum_up({runs[0].of}, {"a", "b"}, runs);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].most, 11);
  EXPECT_EQ(results[0].groups[0].count("runs"), 2U);
  EXPECT_EQ(results[0].groups[0].mean("admitted"), 9);
  EXPECT_NEAR(results[0].groups[0].mean("gap"), (12.0 / 8 - 1 + 14.0 / 10 - 1) / 2, 1e-12);
  EXPECT_EQ(results[0].groups[1].count("runs"), 2U);
  EXPECT_EQ(results[0].groups[1].mean("admitted"), 10);
}

TEST_F(BenchLrasched, RefusesWhatThereIsNot) {
  for (const char* sizes : {"500", "0/4", "4/0", "500/x", "/"}) {
    const Outcome outcome = run_lab({"bench", "lrasched", "--sizes", sizes});
    EXPECT_EQ(outcome.code, 1) << sizes;
    EXPECT_TRUE(has(outcome.err, "--sizes")) << outcome.err;
  }
  EXPECT_TRUE(has(run_lab({"bench", "lrasched", "--loads", "heavy"}).err, "--loads"));
  EXPECT_EQ(run_lab({"bench", "lrasched", "--dims", "0"}).code, 1);
  EXPECT_EQ(run_lab({"bench", "lrasched", "--figures", "7"}).code, 1);
}

}  // namespace
}  // namespace stowage::cli::testing
