// `stowage-lab bench packing`, at a small scale.
#include <nlohmann/json.hpp>

#include "capi/lab/packing/bench.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

packing::Run run_of(const std::string& label, std::uint64_t seed, std::uint64_t nodes, double bound, const char* status) {
  packing::Run run;
  run.of = {"ct1", 2, 60};
  run.label = label;
  run.seed = seed;
  run.nodes = nodes;
  run.bound = bound;
  run.status = status;
  return run;
}

class BenchPacking : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(BenchPacking, ComparesWithTheBestListPlanner) {
  const std::string out = folder_.file("out");
  const std::string page = folder_.file("page.md");
  const std::vector<std::string> command = {"bench",      "packing",   "--classes", "u,ct8", "--items",     "12",
                                            "--dims",     "2",         "--seeds",   "2",     "--repeat",    "1",
                                            "--deadline", "500ms",     "--output",  out,     "--no-charts", "--markdown",
                                            page,         "--summary", "json"};
  const Outcome outcome = run_lab(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 2U * 3);
  for (const Json& row : rows) {
    EXPECT_EQ(row["instances"], 2);
    EXPECT_EQ(row["runs"], 2);
    EXPECT_GE(row["nodes"].get<double>(), row["bound"].get<double>());
    // Twelve items: patterns and the search prove every plan.
    if (row["planner"] != "best list planner") {
      EXPECT_EQ(row["proven"], 2) << row;
      EXPECT_EQ(row["fewest"], 2) << row;
    }
  }
  EXPECT_TRUE(has(content(page), "| ct, 2-D, 12 |")) << content(page);
  const auto runs = lab::read_runs<packing::Run>(out + "/runs.csv");
  EXPECT_EQ(runs.size(), 4U * 19);
  const Outcome resumed = run_lab(joined(command, {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_FALSE(has(resumed.err, "runs in")) << resumed.err;
}

TEST_F(BenchPacking, SumsUpTheBestOfAGroup) {
  const std::vector<lab::Group> groups = {{"a", {"a"}}, {"lists", {"b", "c"}}};
  std::vector<packing::Run> runs = {run_of("a", 1, 10, 9, "complete"), run_of("b", 1, 11, 8, "complete"),
                                    run_of("c", 1, 9, 8, "complete"), run_of("a", 2, 10, 10, "optimal"),
                                    run_of("b", 2, 10, 8, "complete")};
  runs.push_back(run_of("c", 2, 5, 5, "partial"));
  runs.back().unplaced = 7;  // does not count
  const auto results = packing::sum_up({{"ct1", 2, 60}}, groups, runs);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].all.count("instances"), 2U);
  EXPECT_EQ(results[0].all.mean("bound"), 9.5);
  EXPECT_EQ(results[0].groups[0].mean("nodes"), 10);
  EXPECT_EQ(results[0].groups[0].count("proven"), 1U);
  EXPECT_EQ(results[0].groups[0].count("fewest"), 1U);
  EXPECT_EQ(results[0].groups[1].mean("nodes"), 9.5);
  EXPECT_EQ(results[0].groups[1].count("proven"), 0U);
  EXPECT_EQ(results[0].groups[1].count("fewest"), 2U);
}

TEST_F(BenchPacking, ClassesHaveTheirPublishedSizes) {
  EXPECT_EQ(packing::classes_of({"u", "t", "ct3"}, {2, 10}, {}).size(), 3U + 3 + 2 * 4);
  const auto given = packing::classes_of({"u", "t"}, {2, 10}, {60, 61});
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(packing::class_text(given[2]), "t, 1 dimension, 60 items");
}

TEST_F(BenchPacking, RefusesWhatThereIsNot) {
  EXPECT_TRUE(has(run_lab({"bench", "packing", "--classes", "ct0"}).err, "--classes: \"ct0\" is not a class"));
  EXPECT_TRUE(has(run_lab({"bench", "packing", "--classes", "t", "--items", "61"}).err, "--items: class t"));
  EXPECT_TRUE(has(run_lab({"bench", "packing", "--planners", "csp-mak"}).err, "csp-mac"));
}

}  // namespace
}  // namespace stowage::cli::testing
