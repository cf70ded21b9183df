// Where commands write, and in which format: standard output takes one output alone, and the answer goes to standard error.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "capi/cli/formats/output_format.h"
#include "capi/text/base/failure.h"
#include "tests/cli/program.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// A folder with e.json, an example, and p.csv, a plan of it.
class Outputs : public ::testing::Test {
 protected:
  struct Streams {
    int code;
    std::string out;
    std::string err;
  };

  void SetUp() override { ASSERT_EQ(shell(in("$S example moves -o e.json && $S plan e.json --planner ff -o p.csv")).code, 0); }
  [[nodiscard]] std::string in(const std::string& command) const { return "cd " + folder_.file("") + " && " + command; }
  /// Runs the program with these arguments.
  [[nodiscard]] Streams of(const std::string& arguments) const {
    const int code = shell(in("$S " + arguments + " >out 2>err")).code;
    return {code, content(folder_.file("out")), content(folder_.file("err"))};
  }
  /// The first line of what is said of arguments that are refused.
  [[nodiscard]] std::string refusal(const std::string& arguments) const {
    const Streams streams = of(arguments);
    EXPECT_EQ(streams.code, 1) << arguments;
    EXPECT_EQ(streams.out, "") << arguments;
    return streams.err.substr(0, streams.err.find('\n'));
  }

  TemporaryFolder folder_;
};

TEST(OutputFormat, IsThatOfTheNameElseTheOneAskedForElseTheStandard) {
  const Formats formats = {"things", {"json", "csv"}, "json", {{"jsn", "json"}}};
  EXPECT_EQ(format_of("a.csv", "", formats), "csv");
  EXPECT_EQ(format_of("a.CSV", "json", formats), "csv");
  EXPECT_EQ(format_of("a.jsn", "csv", formats), "json");
  EXPECT_EQ(format_of("-", "", formats), "json");
  EXPECT_EQ(format_of("-", "csv", formats), "csv");
  EXPECT_EQ(format_of("/dev/fd/3", "csv", formats), "csv");
  EXPECT_EQ(format_of("a.txt", "csv", formats), "csv");
  EXPECT_THROW(format_of("a.txt", "", formats), Failure);
  EXPECT_THROW(format_of("-", "html", formats), Failure);
  EXPECT_THROW(format_of("a/", "", formats), Failure) << "no folder takes them";
}

TEST_F(Outputs, APipeGetsThePlanAlone) {
  const Streams json = of("plan e.json --planner ff -o -");
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out)["planner"], "ff");
  EXPECT_TRUE(has(json.err, "Checked independently: no constraint is broken.")) << json.err;
  EXPECT_FALSE(has(json.err, "Written to")) << json.err;
  EXPECT_FALSE(has(json.err, "-o plan.csv")) << "there is an output";
  EXPECT_EQ(of("plan e.json --planner ff -o - --format csv").out, content(folder_.file("p.csv")));
  EXPECT_TRUE(of("plan e.json --planner ff -o - --format html").out.starts_with("<!"));
  EXPECT_TRUE(of("plan e.json --planner ff -o - --format svg").out.starts_with("<svg"));
  const Streams summary = of("plan e.json --planner ff -o - -o q.csv --summary json");
  EXPECT_EQ(Json::parse(summary.err)["planner"], "ff");
  EXPECT_EQ(Json::parse(summary.out)["planner"], "ff");
  EXPECT_EQ(content(folder_.file("q.csv")), content(folder_.file("p.csv")));
  const Result piped = shell(in("$S plan e.json --planner ff -o - --format stow 2>/dev/null | $S verify e.json -"));
  EXPECT_TRUE(has(piped.text, "The plan holds")) << piped.text;
  EXPECT_EQ(shell(in("$S plan e.json --planner ff -o /dev/fd/3 --format csv 3>q.csv >/dev/null")).code, 0);
  EXPECT_EQ(content(folder_.file("q.csv")), content(folder_.file("p.csv")));
}

TEST_F(Outputs, EveryCommandWritesToStandardOutput) {
  const Result made =
      shell(in("$S generate cluster --apps 5 --spread soft --soft-apart -o soft.json && $S example learn -o . && "
               "$S example effects -o effects.json && $S example uncertain -o u.json && $S plan u.json --work 1000 -o u.csv && "
               "printf 'app,arrives,departs,replicas,cpu,memory\\nx,0,60,1,1,1\\n' >trace.csv"));
  ASSERT_EQ(made.code, 0) << made.text;
  struct Case {
    const char* arguments;
    const char* out;  ///< what standard output begins with
    const char* err;  ///< what standard error has
  };
  const std::vector<Case> all = {
      {"sizes soft.json --work 1000 -o -", "{\"sizes\": ", "Next: stowage plan"},
      {"sizes soft.json --work 1000 -o - --format csv", "class,", "Next: stowage plan"},
      {"tradeoff soft.json --work 1000 --steps 0 -o - --format csv", "policy,", "soft rules"},
      {"convert e.json -", "{", ""},
      {"convert e.json - --format yaml", "stowage: 1", ""},
      {"convert e.json - --summary json", "{", "\"format\": \"json\""},
      {"convert p.csv - --instance e.json", "{", ""},
      {"generate cluster --apps 3 -o - --format yaml", "stowage: 1", ""},
      {"generate --lras 5 --density 10% -o - --format tsv", "app_id\t", ""},
      {"example moves --format yaml", "stowage: 1", ""},
      {"simulate u.json u.csv --samples 10 --csv -", "node,", "Capacity exceeded"},
      {"bench e.json --planners ff --repeat 1 --csv -", "instance,planner,", "peak MiB"},
      {"replay e.json trace.csv --csv -", "", "nodes in use"},
      {"replay e.json trace.csv --picture -", "<svg", "nodes in use"},
      {"size usage.csv --into e.json -o -", "{", "samples of 3 apps"},
      {"size usage.csv --into e.json -o - --format yaml", "stowage: 1", "samples of 3 apps"},
      {"learn interference observations.csv --into effects.json -o -", "{", "10 observations of 2 kinds"},
  };
  for (const Case& one : all) {
    const Streams streams = of(one.arguments);
    EXPECT_NE(streams.code, 1) << one.arguments << streams.err;
    EXPECT_TRUE(streams.out.starts_with(one.out)) << one.arguments << "\n" << streams.out;
    EXPECT_TRUE(has(streams.err, one.err)) << one.arguments << "\n" << streams.err;
  }
  EXPECT_EQ(shell(in("$S learn profiles.csv -o - 2>/dev/null | $S recommend - samples.csv --goal 0.5")).code, 0);
}

TEST_F(Outputs, ASnapshotGoesToStandardOutputAndTheAnswersGoToStandardError) {
  folder_.write("script.jsonl", "{\"op\": \"scale\", \"app\": \"web\", \"replicas\": 6}\n");
  const Streams streams = of("session e.json script.jsonl -o - --summary json");
  EXPECT_EQ(streams.code, 0) << streams.err;
  EXPECT_TRUE(has(streams.err, "{\"line\": 1, \"ok\": true, \"version\": 1}")) << streams.err;
  EXPECT_TRUE(has(streams.err, "{\"commands\": 1, \"refused\": 0, \"version\": 1, ")) << streams.err;
  folder_.write("evening.stow", streams.out);
  EXPECT_TRUE(
      has(of("session evening.stow /dev/null --summary text").err, "0 commands, 0 refused; version 1: 5 apps, of which"));
  folder_.write("script.jsonl", "{\"op\": \"snapshot\", \"file\": \"-\"}\n{\"op\": \"plan\", \"output\": \"-\"}\n");
  const Streams refused = of("session e.json script.jsonl");
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.out, R"(\"file\": names a file; standard output has other uses here)")) << refused.out;
  EXPECT_TRUE(has(refused.out, R"(\"output\": names a file; standard output has other uses here)")) << refused.out;
}

TEST_F(Outputs, RefusalsNameTheOptionAndWhatIsPossible) {
  EXPECT_EQ(refusal("plan e.json -o p.txt"),
            "stowage: p.txt: the extension does not name a format for plans; use .stow, .json, .csv, .html or .svg");
  EXPECT_EQ(refusal("plan e.json -o - --format xml"),
            "stowage: --format: \"xml\" is not possible here; use stow, json, csv, html or svg");
  EXPECT_EQ(refusal("plan e.json -o q.csv --format json"),
            "stowage: --format: is for standard output (-) and for names without an extension; there is no such output here");
  EXPECT_EQ(refusal("plan e.json -o - -o -"), "stowage: standard output (-) takes one output; it is named twice");
  EXPECT_EQ(
      refusal("convert e.json - --format html"),
      "stowage: --format: instances are not written as html; use stow, json, yaml or tsv; tables go into a folder, such as "
      "tables/");
  EXPECT_EQ(refusal("convert p.csv - --format tsv --instance e.json"),
            "stowage: --format: plans are not written as tsv; use stow, json, csv, html or svg");
  EXPECT_EQ(refusal("session e.json /dev/null -o x.json"),
            "stowage: x.json: the extension does not name a format for snapshots; use .stow");
  EXPECT_EQ(refusal("replay e.json p.csv --csv - --picture -"),
            "stowage: --csv and --picture: standard output takes one of them; name a file for the other one");
  EXPECT_TRUE(has(refusal("size e.json --into - -o x.json"), "--into: names a file"));
  EXPECT_TRUE(has(refusal("example learn"), "the example learn is several files; name a folder for them, such as -o learn/"));
}

// What the learning commands read, in the form of their pages.
TEST_F(Outputs, TheLearningExampleFitsTheOtherExamples) {
  ASSERT_EQ(
      shell(in("$S example learn -o new/deep/ && $S example sizes -o sizes.json && $S example effects -o effects.json")).code,
      0);
  EXPECT_EQ(shell(in("ls new/deep")).text, "observations.csv\nprofiles.csv\nsamples.csv\nusage.csv\n");
  for (const char* const arguments :
       {"size new/deep/usage.csv", "size new/deep/usage.csv --periods 24 --into sizes.json -o day.json",
        "size new/deep/usage.csv --uncertain --confidence 99.9% --into sizes.json -o uncertain.json",
        "learn new/deep/profiles.csv -o model.stowm",
        "recommend model.stowm new/deep/samples.csv --goal 0.8 --into sizes.json -o sized.json",
        "learn interference new/deep/observations.csv --into effects.json -o learned.json"}) {
    const Streams streams = of(arguments);
    EXPECT_EQ(streams.code, 0) << arguments << streams.err;
  }
  EXPECT_NE(content(folder_.file("sized.json")), content(folder_.file("sizes.json")));
}

TEST_F(Outputs, ConvertSaysWhatItWrote) {
  const Json instance = Json::parse(of("convert e.json e.stow --summary json").out);
  EXPECT_EQ(instance["format"], "stow");
  EXPECT_EQ(instance["apps"], 5);
  EXPECT_EQ(instance["nodes"], 8);
  EXPECT_EQ(instance["replicas"], 18);
  const Json plan = Json::parse(of("convert p.csv p.json --instance e.json --summary json").out);
  EXPECT_EQ(plan["instance"], instance["instance"]);
  EXPECT_EQ(plan["instance"], Json::parse(content(folder_.file("p.json")))["instance"]);
  EXPECT_EQ(plan["placed"], 18);
}

}  // namespace
}  // namespace stowage::cli::testing
