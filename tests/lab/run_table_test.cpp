// What a bench goes on from: its table of runs, and of machines. Every refusal names file and line.
#include "capi/lab/experiment/run_table.h"

#include "capi/lab/medea/runs.h"
#include "capi/lab/paper/runs.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

const std::string kPaperRun =
    "static,200,0.005,arbitrary,drawn,1,ff,1000,complete,110,100,101.5,0,0,0.25,0.5,3,machine,build\n";
const std::string kStochasticRun =
    "empty,5,0.999,4000,csp-ucac,truncated,1,0,biheu,1000,optimal,2952,941,310.5,300.25,,0,0,200,188200,51,0.25,0.5,3,machine,"
    "build\n";
const std::string kMedeaRun =
    "nodes,500,500,1,serial,1000,partial,10,1,130,4,6.5,7,0.125,,,,,110,0,0,0.25,0.5,3,machine,build\n";
const std::string kMachines = "empty,5,0.999,1,biheu,31.5\nempty,5,0.999,1,biheu,30\n";

class RunTable : public ::testing::Test {
 protected:
  /// Writes a table with the lines under the header that `write` writes.
  template <class Runs>
  std::string table(void (*write)(const Runs&, const std::string&), const std::string& lines) {
    const std::string path = folder_.file("t.csv");
    write({}, path);
    return folder_.write("t.csv", content(path) + lines);
  }
  std::string paper_table(const std::string& lines) { return table(lab::write_runs<paper::Run>, lines); }
  std::string stochastic_table(const std::string& lines) { return table(lab::write_runs<stochastic::Run>, lines); }
  std::string machine_table(const std::string& lines) { return table(stochastic::write_uses, lines); }
  std::string medea_table(const std::string& lines) { return table(lab::write_runs<medea::Run>, lines); }

  /// Why a table is refused, from the file's name on.
  template <class Read>
  std::string refusal_of(Read read, const std::string& path) {
    try {
      read(path);
    } catch (const Failure& failure) {
      const std::string message = failure.what();
      EXPECT_TRUE(message.starts_with(path)) << message;
      return message.substr(std::min(message.size(), path.size() - std::string("t.csv").size()));
    }
    ADD_FAILURE() << "accepted: " << content(path);
    return {};
  }

  TemporaryFolder folder_;
};

std::string with(std::string text, const std::string& old_part, const std::string& new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

TEST_F(RunTable, SurvivesAnotherRound) {
  const std::string more =
      with(with(kPaperRun, ",1,ff,", ",18446744073709551615,auto:moves=1@10s,"), "drawn", "\"two\nlines\"");
  const std::string path = paper_table(kPaperRun + "\r\n" + with(more, ",0.5,", ",1e300,"));
  const std::vector<paper::Run> runs = lab::read_runs<paper::Run>(path);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].sizes, "two\nlines");
  EXPECT_EQ(runs[1].seed, UINT64_MAX);
  lab::write_runs<paper::Run>(runs, folder_.file("again.csv"));
  EXPECT_EQ(content(folder_.file("again.csv")), with(with(content(path), "\r\n", ""), "1e300", "1e+300"));
  EXPECT_EQ(lab::read_runs<stochastic::Run>(stochastic_table(kStochasticRun + with(kStochasticRun, ",1,0,", ",1,1,"))).size(),
            2U);
  EXPECT_EQ(stochastic::read_uses(machine_table(kMachines + "empty,5,0.99,1,biheu,31.5\n")).size(), 2U);
  EXPECT_EQ(
      lab::read_runs<medea::Run>(medea_table(kMedeaRun + with(kMedeaRun, "partial", "refused").replace(0, 5, "tasks"))).size(),
      2U);
}

TEST_F(RunTable, TimesAreKeptToTheNanosecond) {
  EXPECT_EQ(lab::seconds_text(0.1234567894), "0.123456789");
  for (const double seconds : {4194303.9999999995, 4194304.1, 5e6 + 1e-9, 1e300}) {
    const std::string text = lab::seconds_text(seconds);
    EXPECT_NEAR(std::stod(text), seconds, 1e-9);
    EXPECT_EQ(lab::seconds_text(std::stod(text)), text);
  }
}

TEST_F(RunTable, RefusalsOfRunsNameLineAndColumn) {
  for (const auto& [old_part, new_part, message] : std::vector<std::array<std::string, 3>>{
           {"static", "sometimes", "demand: \"sometimes\" is not possible here"},
           {",200,", ",4294967496,", "apps: \"4294967496\""},
           {",200,", ",-1,", "apps: \"-1\""},
           {"0.005", "-0.005", "density: \"-0.005\""},
           {"0.005", "nan", "density: \"nan\""},
           {"arbitrary", "circular", "graph: \"circular\""},
           {",1,ff", ",18446744073709551616,ff", "seed: \"18446744073709551616\""},
           {"ff", "ff:alpha", "planner: \"ff:alpha\""},
           {"1000", "", "deadline_ms: \"\""},
           {"complete", "failed", "status: \"failed\""},
           {",100,", ",0,", "bound_eq4: \"0\""},
           {"101.5", "inf", "lower_bound: \"inf\""},
           {"0.25", "1e400", "seconds: \"1e400\""},
           {"0.25", std::string("1\0", 2), "seconds: \"1\\u0000\" is"},
           {"0.25", std::string(1'000'000, '7'), "seconds: \"" + std::string(40, '7') + "...\" is not possible here"},
           {",3,m", ",4294967296,m", "repeats: \"4294967296\""},
           {",build", "", "has a different number of fields than the header"},
           {"build", "build,", "has a different number of fields than the header"},
           {"build", "\"build", "a quoted field has no end"},
           {"build", "\"build\" 2", "a quoted field goes on after its end"}}) {
    const std::string path = paper_table("\n" + with(kPaperRun, old_part, new_part));
    const std::string refusal = refusal_of(lab::read_runs<paper::Run>, path);
    EXPECT_TRUE(has(refusal, "t.csv:3: " + message)) << refusal;
  }
  EXPECT_TRUE(has(refusal_of(lab::read_runs<stochastic::Run>, stochastic_table(with(kStochasticRun, "empty", "full"))),
                  "t.csv:2: case: \"full\""));
  EXPECT_TRUE(has(refusal_of(lab::read_runs<stochastic::Run>, stochastic_table(with(kStochasticRun, ",51,", ",188201,"))),
                  "t.csv:2: exceeded: \"188201\""));
  EXPECT_TRUE(
      has(refusal_of(lab::read_runs<medea::Run>, medea_table(with(kMedeaRun, "nodes", "size"))), "t.csv:2: axis: \"size\""));
}

TEST_F(RunTable, NothingCountsTwice) {
  const std::string again = with(with(kPaperRun, "0.005", "5e-3"), ",110,", ",111,");
  EXPECT_EQ(refusal_of(lab::read_runs<paper::Run>, paper_table(kPaperRun + "\n" + again)),
            "t.csv:4: repeats the run of line 2");
  EXPECT_EQ(refusal_of(lab::read_runs<stochastic::Run>, stochastic_table(kStochasticRun + kStochasticRun)),
            "t.csv:3: repeats the run of line 2");
  EXPECT_EQ(refusal_of(lab::read_runs<medea::Run>, medea_table(kMedeaRun + kMedeaRun)), "t.csv:3: repeats the run of line 2");
  EXPECT_EQ(refusal_of(stochastic::read_uses, machine_table(kMachines + kMachines)),
            "t.csv:4: is a fuller machine than the one before it");
  EXPECT_EQ(refusal_of(stochastic::read_uses, machine_table(kMachines + "empty,5,0.99,1,biheu,30\n" + kMachines)),
            "t.csv:5: belongs to the plan that line 2 begins");
}

TEST_F(RunTable, WhatIsCutOrAnotherTableIsRefused) {
  const std::string machine = kMachines.substr(0, kMachines.size() - 2);
  EXPECT_EQ(refusal_of(stochastic::read_uses, machine_table(machine)), "t.csv: ends within a line");
  const std::string other = "t.csv: is not a table of runs that this version wrote";
  EXPECT_EQ(refusal_of(lab::read_runs<stochastic::Run>, machine_table(kMachines)), other);
  EXPECT_EQ(refusal_of(lab::read_runs<medea::Run>, folder_.write("t.csv", "")), other);
}

}  // namespace
}  // namespace stowage::cli::testing
