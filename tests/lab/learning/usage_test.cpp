// `stowage-lab generate usage` and `stowage-lab bench usage`.
#include <set>
#include <sstream>

#include "capi/lab/usage/histories.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

class LabUsage : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(LabUsage, EveryReplicaHasASamplePerStep) {
  const std::vector<std::string> command = {"generate", "usage",  "--apps", "4",      "--replicas", "3", "--days",
                                            "2",        "--step", "3600",   "--seed", "5",          "-o"};
  const std::string path = folder_.file("usage.csv");
  const Outcome outcome = run_lab(joined(command, {path}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  auto rows = csv_rows(content(path));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0], (std::vector<std::string>{"app", "time", "replica", "cpu", "memory"}));
  rows.erase(rows.begin());
  std::set<std::string> apps;
  std::set<std::vector<std::string>> series;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 5U);
    apps.insert(row[0]);
    series.insert({row[0], row[2]});
    EXPECT_LT(std::stoul(row[2]), 3U);
    EXPECT_LT(std::stoul(row[1]), 2U * 86'400);
    EXPECT_EQ(std::stoul(row[1]) % 3'600, 0U);
    EXPECT_GT(std::stod(row[3]), 0);
    EXPECT_GT(std::stod(row[4]), 0);
  }
  EXPECT_EQ(apps.size(), 4U);
  EXPECT_EQ(rows.size(), series.size() * 48);
  EXPECT_TRUE(has(outcome.out, std::to_string(rows.size()) + " samples of 4 apps")) << outcome.out;
  // The same with the same seed, and another history with another.
  const std::string again = folder_.file("again.csv");
  EXPECT_EQ(run_lab(joined(command, {again})).code, 0);
  EXPECT_TRUE(content(again) == content(path));
  lab::usage::GeneratedUsage options{.apps = 4, .most_replicas = 3, .days = 2, .step = 3'600, .seed = 5};
  const lab::usage::Histories same = lab::usage::generate_usage(options);
  options.seed = 6;
  EXPECT_NE(same.amount, lab::usage::generate_usage(options).amount);
  EXPECT_EQ(run({"size", path}).code, 0);
}

TEST_F(LabUsage, WaysToDemandAreJudgedByTheLastDay) {
  const std::string path = folder_.file("verdicts.csv");
  const Outcome outcome = run_lab({"bench", "usage", "--apps", "6", "--days", "3", "--step", "1800", "--periods", "4",
                                   "--deadline", "100ms", "--csv", path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Tianchi: skipped")) << outcome.out;
  const auto rows = csv_rows(content(path));
  ASSERT_GE(rows.size(), 6U);
  ASSERT_EQ(rows[0].size(), 10U);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    // Before the last eight cells is the way's name, which may have commas.
    ASSERT_GE(rows[k].size(), 10U);
    const std::vector<std::string> figures(rows[k].end() - 8, rows[k].end());
    EXPECT_GE(std::stoul(figures[0]), 1U) << rows[k][1];
    EXPECT_EQ(figures[1], "0") << rows[k][1] << ": everything is placed";
    for (std::size_t share = 2; share < 8; ++share) {
      EXPECT_LE(std::stod(figures[share]), 1) << rows[k][1];
      // Slack is negative where replicas use more than their demand, on average.
      if (share >= 4) {
        EXPECT_GE(std::stod(figures[share]), 0) << rows[k][1];
      }
    }
  }
}

TEST_F(LabUsage, RefusesWhatThereIsNot) {
  EXPECT_EQ(run_lab({"generate", "usage", "--apps", "0", "-o", "-"}).code, 1);
  EXPECT_EQ(run_lab({"generate", "usage", "--days", "1", "-o", "-"}).code, 1) << "nothing would be left to judge by";
  EXPECT_NE(run_lab({"generate", "usage", "-o", folder_.file("no/such/folder.csv")}).code, 0);
  EXPECT_EQ(run_lab({"bench", "usage", "--periods", "1"}).code, 1);
  const Outcome missing = run_lab({"bench", "usage", "--apps", "1", "--days", "2", "--step", "21600", "--deadline", "10ms",
                                   "--tianchi", folder_.file("none")});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(has(missing.err, "none")) << missing.err;
}

}  // namespace
}  // namespace stowage::cli::testing
