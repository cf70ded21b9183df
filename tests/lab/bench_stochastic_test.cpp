// `stowage-lab bench stochastic`, at a small scale.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "capi/cli/base/text/csv.h"
#include "capi/cli/generate/stochastic/services.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;
using BenchRun = stochastic::Run;

class BenchStochastic : public ::testing::Test {
 protected:
  static std::vector<std::string> small(const std::vector<std::string>& more, const std::string& seeds = "2") {
    return joined({"bench", "stochastic", "--tables", "1", "--services", "5", "--alphas", "99.9%", "--seeds", seeds, "--layout",
                   "biheu", "--planners", "bf-nsigma,biheu", "--samples", "50", "--repeat", "1"},
                  more);
  }

  TemporaryFolder folder_;
};

TEST_F(BenchStochastic, PrintedTablesAreComplete) {
  const stochastic::Scale scale;
  std::size_t printed = 0;
  for (int number = 1; number <= 4; ++number) {
    const stochastic::Table& table = stochastic::find_table(number);
    for (const stochastic::ClusterClass& of : stochastic::classes_of(table, scale)) {
      for (const std::string& contender : stochastic::table_contenders(table)) {
        const stochastic::Printed* entry = stochastic::find_printed(of, contender);
        if (entry == nullptr) continue;
        ++printed;
        EXPECT_NE(stochastic::paper_name(contender), nullptr);
        EXPECT_TRUE(number >= 3 || (entry->ucac > 0.9 && entry->ucac < 1.1)) << class_text(of);
      }
    }
  }
  // Two tables of 4 x 5 x 2, one of 4 x 2 x 2, one of 7.
  EXPECT_EQ(printed, 40U + 40U + 16U + 7U);
  EXPECT_EQ(stochastic::find_printed({3, 20, 0.999}, "csp-ucac")->ucac, 33413);
  EXPECT_EQ(stochastic::find_printed({2, 10, 0.99}, "csp-mac")->violations, 1.13);
  EXPECT_EQ(stochastic::find_printed({1, 5, 0.95}, "biheu"), nullptr);
}

TEST_F(BenchStochastic, RunsAreThoseOfGeneratePlanAndSimulate) {
  const std::string out = folder_.file("out");
  const Outcome outcome = run_lab(small({"--output", out, "--no-charts", "--summary", "json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<BenchRun> runs = lab::read_runs<stochastic::Run>(out + "/runs.csv");
  ASSERT_EQ(runs.size(), 4U);
  for (const BenchRun& one : runs) {
    const std::string path = folder_.file("w.stow");
    const std::string plan = folder_.file("p.stow");
    ASSERT_EQ(run({"generate", "stochastic", "--services", "5", "--alpha", "99.9%", "--case", "scale-down", "--layout", "biheu",
                   "--seed", std::to_string(one.seed), "-o", path})
                  .code,
              0);
    const Json summary = Json::parse(run({"plan", path, "--planner", one.label, "--summary", "json", "-o", plan}).out);
    EXPECT_EQ(summary["nodes_used"], one.nodes) << one.label;
    EXPECT_EQ(summary["ucac"], one.ucac);
    const Json simulated = Json::parse(
        run({"simulate", path, plan, "--samples", "50", "--seed", std::to_string(one.seed), "--summary", "json"}).out);
    EXPECT_EQ(simulated["violations"], one.exceeded);
    EXPECT_EQ(simulated["observations"], one.observations);
    EXPECT_TRUE(one.counts());
  }
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["planner"], "bf-nsigma");
  EXPECT_EQ(rows[0]["relative_ucac"], 1);
  EXPECT_EQ(rows[1]["counted"], 2);
  double expected = 0;
  for (std::uint64_t seed : {1, 2}) {
    const auto of = [&](const char* label) {
      return std::find_if(runs.begin(), runs.end(), [&](const BenchRun& one) { return one.seed == seed && one.label == label; })
          ->ucac;
    };
    expected += of("biheu") / of("bf-nsigma") / 2;
  }
  EXPECT_NEAR(rows[1]["relative_ucac"].get<double>(), expected, 1e-12);
  EXPECT_EQ(rows[1]["printed"]["ucac"], 0.94);
  // Within what P1's table 1 prints, 0.94 and 0.71, by 0.03.
  EXPECT_NEAR(rows[1]["relative_ucac"].get<double>(), 0.94, 0.03);
  EXPECT_NEAR(rows[1]["relative_nodes"].get<double>(), 0.71, 0.03);
  const std::string summary = content(out + "/summary.csv");
  EXPECT_TRUE(has(summary, "1,scale-down,5,0.999,biheu,2,2,")) << summary;
  EXPECT_TRUE(has(summary, ",BiHeu,0.94,0.71,0.02")) << summary;
}

TEST_F(BenchStochastic, TheWeekGoesOnFromDayToDay) {
  const std::string out = folder_.file("out");
  const Outcome outcome =
      run_lab({"bench", "stochastic", "--tables", "4", "--days", "3", "--seeds", "1", "--planners", "bf-ucac,bf-nsigma:n=1.23",
               "--samples", "20", "--repeat", "1", "--output", out, "--no-charts", "--summary", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<BenchRun> runs = lab::read_runs<stochastic::Run>(out + "/runs.csv");
  ASSERT_EQ(runs.size(), 6U);
  for (std::uint32_t day = 0; day < 3; ++day) {
    EXPECT_EQ(runs[day].day, day);
    EXPECT_EQ(runs[day].label, "bf-ucac");
    EXPECT_GT(runs[day].requested, 0U);
    EXPECT_EQ(runs[day].requested, runs[day + 3].requested);
  }
  // The first day starts empty, the others with what is left.
  EXPECT_GT(runs[0].requested, 12'000U);
  EXPECT_LT(runs[1].requested, 9'000U);
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0]["nodes"].get<double>(), static_cast<double>(runs[0].nodes + runs[1].nodes + runs[2].nodes) / 3, 1e-9);
  EXPECT_NEAR(rows[0]["exceeded_in_all"].get<double>(),
              static_cast<double>(runs[0].exceeded + runs[1].exceeded + runs[2].exceeded) / 20, 1e-9);
  // A week with a missing day is repeated, with the same result.
  const std::string before = content(out + "/runs.csv");
  const std::size_t last = before.rfind('\n', before.size() - 2);
  folder_.write("out/runs.csv", before.substr(0, last + 1));
  ASSERT_EQ(
      run_lab({"bench", "stochastic", "--tables", "4", "--days", "3", "--seeds", "1", "--planners", "bf-ucac,bf-nsigma:n=1.23",
               "--samples", "20", "--repeat", "1", "--output", out, "--no-charts", "--resume"})
          .code,
      0);
  const std::vector<BenchRun> again = lab::read_runs<stochastic::Run>(out + "/runs.csv");
  ASSERT_EQ(again.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(again[i].ucac, runs[i].ucac);
}

TEST_F(BenchStochastic, TablesForTerminalsAndPages) {
  const std::string page = folder_.write(
      "page.md",
      "# Ours\n<!-- stowage-lab bench stochastic: begin -->\nold\n<!-- stowage-lab bench stochastic: end -->\nThe end\n");
  const Outcome outcome = run_lab(small({"--markdown", page}, "1"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"Table 1: busy machines, fewer containers", "confidence 99.9 %", "bf-nsigma", "0.94", "0.71"}) {
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  }
  const std::string text = content(page);
  EXPECT_TRUE(
      text.starts_with("# Ours\n<!-- stowage-lab bench stochastic: begin -->\n```\nstowage-lab bench stochastic --tables 1"))
      << text;
  EXPECT_TRUE(text.ends_with("<!-- stowage-lab bench stochastic: end -->\nThe end\n"));
  EXPECT_TRUE(has(text, "| 5 | biheu |")) << text;
  EXPECT_FALSE(has(text, "old"));
}

TEST_F(BenchStochastic, ResumeKeepsWhatIsDone) {
  const std::string out = folder_.file("out");
  const std::vector<std::string> one = small({"--output", out, "--no-charts"}, "1");
  ASSERT_EQ(run_lab(one).code, 0);
  const std::string before = content(out + "/runs.csv");
  EXPECT_TRUE(has(run_lab(one).err, "--resume"));
  const Outcome more = run_lab(small({"--output", out, "--no-charts", "--resume"}));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(content(out + "/runs.csv").starts_with(before));
  EXPECT_EQ(lab::read_runs<stochastic::Run>(out + "/runs.csv").size(), 4U);
  const Outcome nothing = run_lab(small({"--output", out, "--no-charts", "--resume"}));
  EXPECT_EQ(nothing.err, "");
  EXPECT_EQ(nothing.out, more.out);
  std::string bad = before;
  bad.replace(bad.find("scale-down,"), 11, "sideways,");
  folder_.write("out/runs.csv", bad);
  const Outcome refused = run_lab(small({"--output", out, "--no-charts", "--resume"}));
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "runs.csv:2: case: \"sideways\"")) << refused.err;
}

TEST_F(BenchStochastic, APlannerThatIsNamedTwiceRunsOnce) {
  const std::string out = folder_.file("out");
  const std::vector<std::string> twice = small({"--planners", "biheu", "--output", out, "--no-charts"}, "1");
  ASSERT_EQ(run_lab(twice).code, 0);
  const std::string runs = content(out + "/runs.csv");
  EXPECT_EQ(lab::read_runs<stochastic::Run>(out + "/runs.csv").size(), 2U);
  const Outcome resumed = run_lab(joined(twice, {"--resume"}));
  EXPECT_EQ(resumed.err, "");
  EXPECT_EQ(content(out + "/runs.csv"), runs);
}

TEST_F(BenchStochastic, MachinesByUsedCapacityAreDrawn) {
  try {
    lab::need_gnuplot();
  } catch (const std::exception& missing) {
    GTEST_SKIP() << missing.what();
  }
  const std::string out = folder_.file("out");
  ASSERT_EQ(run_lab(small({"--output", out}, "1")).code, 0);
  const std::string svg = content(out + "/figure3-scale-down.svg");
  for (const char* part : {"<svg", "</svg>", ">biheu<", ">bf-nsigma<", "used capacity at confidence"}) {
    EXPECT_TRUE(has(svg, part)) << part;
  }
  const auto uses = stochastic::read_uses(out + "/machines.csv");
  ASSERT_EQ(uses.size(), 2U);
  const std::vector<BenchRun> runs = lab::read_runs<stochastic::Run>(out + "/runs.csv");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(uses[i].label, runs[i].label);
    EXPECT_EQ(uses[i].ucac.size(), runs[i].nodes);
    EXPECT_TRUE(std::is_sorted(uses[i].ucac.rbegin(), uses[i].ucac.rend()));
    double sum = 0;
    for (const double one : uses[i].ucac) sum += one;
    EXPECT_NEAR(sum, runs[i].ucac, 1e-6 * sum);
    EXPECT_LE(uses[i].ucac.front(), 31.58 * (1 + 1e-9));
  }
}

TEST(Contenders, MovesAreOfTheRequest) {
  const lab::Contender mover = lab::parse_contender("auto:moves=100@2s");
  EXPECT_EQ(mover.planner, "auto");
  EXPECT_EQ(mover.move_budget, 100u);
  EXPECT_TRUE(mover.options.empty());
  EXPECT_EQ(mover.deadline_ms, 2000u);
  EXPECT_EQ(lab::contender_text(mover.label), "auto, 100 moves, 2 s");
  EXPECT_EQ(lab::parse_contender("bf-nsigma:n=1.15").move_budget, 0u);
  for (const char* wrong : {"auto:moves=-1", "auto:moves=5e9", "auto:moves=1.5", "auto:moves"}) {
    EXPECT_THROW(lab::parse_contender(wrong), Failure) << wrong;
  }
}

TEST_F(BenchStochastic, WrongUsageIsRefusedBeforeAnyWork) {
  for (const auto& [more, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--tables", "5"}, "use 1 to 4"},
           {{"--tables", "one"}, "--tables"},
           {{"--services", "0"}, "--services"},
           {{"--alphas", "1"}, "--alphas: \"1\" is not a probability"},
           {{"--seeds", "0"}, "--seeds"},
           {{"--days", "0"}, "--days"},
           {{"--usage", "none"}, "truncated, clamped or gaussian"},
           {{"--planners", "bf-nsigmo"}, "did you mean \"bf-nsigma\"?"},
           {{"--planners", "bf-nsigma:n"}, "is not an option (try \"bf-nsigma:n=1.15\")"},
           {{"--planners", "biheu@soon"}, "is not a deadline"},
           {{"--deadline", "soon"}, "try \"10s\""},
           {{"--resume"}, "needs --output"},
           {{"--markdown", folder_.write("other.md", "# Other\n")}, "to write between"}}) {
    const Outcome outcome = run_lab(joined({"bench", "stochastic"}, more));
    EXPECT_EQ(outcome.code, 1) << ::testing::PrintToString(more);
    EXPECT_TRUE(has(outcome.err, message)) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_TRUE(has(run_lab({"bench", "stochastic", "--help"}).out, "Examples:"));
}

}  // namespace
}  // namespace stowage::cli::testing
