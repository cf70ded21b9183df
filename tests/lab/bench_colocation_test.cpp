// `stowage-lab bench colocation`, at a small scale.
#include <nlohmann/json.hpp>

#include "capi/cli/generate/colocation.h"
#include "capi/lab/colocation/bench.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

colocation::Run run_of(const std::string& label, std::uint64_t seed, double cost, double bound) {
  colocation::Run run;
  run.of = {"mixed", 3, 50, 5};
  run.label = label;
  run.seed = seed;
  run.largest = 4;
  run.paper_bound = 5;
  run.cost = cost;
  run.bound = bound;
  run.status = "complete";
  return run;
}

class BenchColocation : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(BenchColocation, MeasuresTheHeuristics) {
  const std::string out = folder_.file("out");
  const std::string page = folder_.file("page.md");
  const std::vector<std::string> command = {"bench",       "colocation",
                                            "--classes",   "incompatible,mixed",
                                            "--kinds",     "3",
                                            "--sizes",     "small",
                                            "--seeds",     "2",
                                            "--repeat",    "1",
                                            "--planners",  "sched-mixed,greedy-dedicated-best,kind-lpt",
                                            "--output",    out,
                                            "--no-charts", "--markdown",
                                            page,          "--summary",
                                            "json"};
  const Outcome outcome = run_lab(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_FALSE(rows.empty());
  for (const Json& row : rows) {
    if (!row["loaded_only"].get<bool>()) {
      EXPECT_EQ(row["instances"], row["class"] == "mixed" ? 24 : 18) << row;
      EXPECT_EQ(row["runs"], row["instances"]);
    }
    EXPECT_GE(row["over_best"].get<double>(), 1 - 1e-9) << row;
  }
  EXPECT_TRUE(has(content(page), "(1.77)")) << content(page);
  EXPECT_EQ(lab::read_runs<colocation::Run>(out + "/runs.csv").size(), 3U * (24 + 18));
  const Outcome resumed = run_lab(joined(command, {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_FALSE(has(resumed.err, "runs in")) << resumed.err;
}

TEST_F(BenchColocation, SumsUpOverBothBounds) {
  const std::vector<lab::Group> groups = {{"a", {"a"}}, {"best", {"b", "c"}}};
  std::vector<colocation::Run> runs = {run_of("a", 1, 6, 6), run_of("b", 1, 7.5, 5), run_of("c", 1, 9, 3),
                                       // The largest load is the bound.
                                       run_of("a", 2, 4, 4), run_of("b", 2, 5, 4)};
  runs.push_back(run_of("c", 2, 1, 1));
  runs.back().unplaced = 7;  // does not count
  const auto results = colocation::sum_up(groups, runs);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_FALSE(results[0].loaded_only);
  EXPECT_EQ(results[0].instances, 2U);
  EXPECT_EQ(results[0].groups[0].over_paper, (std::vector<double>{0.8, 1.2}));
  EXPECT_EQ(results[0].groups[1].over_best, (std::vector<double>{1.25, 1.25}));
  EXPECT_EQ(results[0].groups[0].proven, 2U);
  EXPECT_TRUE(results[1].loaded_only);
  EXPECT_EQ(results[1].instances, 1U);
  EXPECT_EQ(results[1].groups[0].over_best, std::vector<double>{1});
  EXPECT_EQ(colocation::quantile({1, 2, 4}, 0.5), 2);
  EXPECT_EQ(colocation::quantile({1, 2, 4}, 0.75), 3);
}

TEST_F(BenchColocation, TheDesignHasItsInstances) {
  const auto cells = colocation::cells_of(colocation::class_words(), {2, 3, 4}, {"small", "large"});
  EXPECT_EQ(cells.size() * 30, 6390U);
}

TEST_F(BenchColocation, PaperBoundByHand) {
  InstanceData data;
  data.apps.demand = {3, 4, 5};
  data.apps.kind = {0, 1, 2};
  data.interference = InterferenceData{{}, {1, 0.5, 0.5, 0.25, 1, 0, 2, 2, 1}};
  // W/m = 6; kind 0: 3 + 2 + 2.5 = 7.5, kind 1: 4.75, kind 2: 19; halves: 5 and 4.75, then 5.
  EXPECT_EQ(colocation::paper_bound({"clashing", 3, 3, 2}, data), 6);
  EXPECT_EQ(colocation::paper_bound({"clashing", 3, 3, 3}, data), 5);
  EXPECT_EQ(colocation::paper_bound({"compatible", 3, 3, 2}, data), 9.5);
  EXPECT_EQ(colocation::paper_bound({"mixed", 3, 3, 1}, data), 5);
}

}  // namespace
}  // namespace stowage::cli::testing
