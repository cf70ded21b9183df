// Names from outside on their way to people and spreadsheets, and numbers that read as English.
#include "capi/cli/base/text/csv.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "tests/cli/program.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

/// Escape, DEL, a C1 control, a bidirectional override, a tab and a line feed, as JSON writes them.
constexpr const char* kSteering = R"(\u001b[31m\u007f\u009b\u202e\t\n)";

/// An instance whose every name steers a terminal.
std::string steering_instance() {
  const auto name = [](const char* word) { return "\"" + std::string(word) + kSteering + "\""; };
  return R"({"stowage": 1, "name": )" + name("shop") + R"(, "resources": {)" + name("cpu") + ": " + name("cores") +
         R"(}, "classes": [{"name": )" + name("big") + R"(, "capacity": {)" + name("cpu") +
         R"(: 2}, "count": 1}], "nodes": [)" + R"({"name": )" + name("rack") + R"(, "class": )" + name("big") +
         R"(}], "apps": [{"name": )" + name("web") + R"(, "replicas": 5, "demand": {)" + name("cpu") + R"(: 1}}]})";
}

/// The first byte of `text` that a terminal obeys, other than a line feed; npos where there is none.
std::size_t obeyed(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character next = first_character(std::string_view(text).substr(at));
    if (!next.valid || (is_steering(next.code) && next.code != '\n')) return at;
    at += next.size;
  }
  return std::string::npos;
}

TEST(CitizenText, ControlCharactersInNamesAreShownAndNotObeyed) {
  const TemporaryFolder folder;
  const std::string file = folder.write("e.json", steering_instance());
  const std::string plan = folder.file("p\x1b]0;title\x07.csv");
  ASSERT_EQ(run({"plan", file, "--planner", "ff", "-o", plan}).code, 2);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"plan", file, "--planner", "ff", "-o", plan},
                                             {"bound", file},
                                             {"explain", file, "--planner", "ff"},
                                             {"explain", file, plan},
                                             {"verify", file, plan},
                                             {"moves", file, plan},
                                             {"simulate", file, plan},
                                             {"convert", file, folder.file("c\x1b.json")},
                                             {"bench", file, "--planners", "ff"},
                                             {"explain", file, "--app", "a\x1b[2J\nb"},
                                             {"plan", "/no/\x1b[2J"},
                                             {"plan", file, "--summary", "\x1b[2J\n"},
                                             {"pl\x1b[2Jan\n"},
                                             {"plan", file, "\xff\xc2\x9b"},
                                             {"plan", file, "--planner", "ff", "--summary", "json"},
                                             {"verify", file, plan, "--summary", "json"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(obeyed(outcome.out), std::string::npos) << outcome.out;
    EXPECT_EQ(obeyed(outcome.err), std::string::npos) << outcome.err;
    EXPECT_FALSE(has(outcome.out + outcome.err, "a defect of Stowage")) << outcome.err;
  }
  const Outcome text = run({"explain", file, "--planner", "ff"});
  EXPECT_TRUE(has(text.out, R"(web\u001b[31m\u007f\u009b\u202e\u0009\u000a)")) << text.out;
  // No name breaks a line, which could then say anything.
  EXPECT_FALSE(has(text.out, "\n\n\n")) << text.out;
}

TEST(CitizenText, PrintableKeepsWhatIsShown) {
  EXPECT_EQ(printable("a b/ä€😀"), "a b/ä€😀");
  EXPECT_EQ(printable(std::string_view("\0\t\r\x7f", 4)), R"(\u0000\u0009\u000d\u007f)");
  EXPECT_EQ(printable("\xc2\x9b|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\x8f|\xe2\x80\xa8"), R"(\u009b|\u202e|\u2066|\u200f|\u2028)");
  EXPECT_EQ(printable("\xff|\xc3|\xed\xa0\x80"), R"(\xff|\xc3|\xed\xa0\x80)");
}

TEST(CitizenText, JsonEscapesWhatTerminalsObeyWithoutLoss) {
  std::string out;
  JsonWriter(out).text(
      "\x1b\x7f\xc2\x9b\xe2\x80\xae"
      "ä");
  EXPECT_EQ(out, R"("\u001b\u007f\u009b\u202eä")");
}

TEST(CitizenText, SafeCellsAreNoFormulas) {
  for (const char* const formula : {"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\rx", "=", "-", "+-1", "\t5"}) {
    EXPECT_EQ(split_fields(csv_field(formula, CsvCells::kSafe), ',').front(), "'" + std::string(formula));
    EXPECT_EQ(split_fields(csv_field(formula), ',').front(), formula);
  }
  for (const char* const other : {"-1.5", "+3", "-1e-9", "web", "a=b", "", "1-2", "'=1"}) {
    EXPECT_EQ(csv_field(other, CsvCells::kSafe), other);
  }
}

TEST(CitizenText, CommandsWriteSafeCellsWhenAsked) {
  const TemporaryFolder folder;
  const std::string file = folder.write("=e.json", R"x({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 2}}], "nodes": [{"name": "@n", "class": "n"}],
    "apps": [{"name": "=HYPERLINK(1)", "replicas": 1, "demand": {"cpu": 1}}]})x");
  const std::string csv = folder.file("p.csv");
  const std::string exact = "node,app,replicas,class,state,cpu\n@n,=HYPERLINK(1),1,n,used,1\n";
  const std::string safe = "node,app,replicas,class,state,cpu\n'@n,'=HYPERLINK(1),1,n,used,1\n";
  ASSERT_EQ(run({"plan", file, "--planner", "ff", "-o", csv}).code, 0);
  EXPECT_EQ(content(csv), exact);
  ASSERT_EQ(run({"plan", file, "--planner", "ff", "-o", folder.file("p.stow")}).code, 0);
  ASSERT_EQ(run({"plan", file, "--planner", "ff", "-o", csv, "--csv-safe"}).code, 0);
  EXPECT_EQ(content(csv), safe);
  ASSERT_EQ(run({"convert", folder.file("p.stow"), csv, "--instance", file, "--csv-safe"}).code, 0);
  EXPECT_EQ(content(csv), safe);
  const std::string script = folder.write("script", R"({"op": "plan", "planner": "ff", "output": ")" + csv + "\"}\n");
  ASSERT_EQ(run({"session", file, script, "--csv-safe"}).code, 0);
  EXPECT_EQ(content(csv), safe);
  const std::string bench = "cd " + folder.file("") + " && $S bench =e.json --planners ff --csv b.csv --csv-safe";
  ASSERT_EQ(shell(bench).code, 0);
  EXPECT_TRUE(has(content(folder.file("b.csv")), "\n'=e.json,ff,")) << content(folder.file("b.csv"));
}

TEST(CitizenText, NothingIsMinusZeroAndOneIsSingular) {
  EXPECT_EQ(for_people(-0.0), "0");
  EXPECT_EQ(for_people(-0.001), "0");
  EXPECT_EQ(for_people(-0.5, 0), "0");
  EXPECT_EQ(for_people(-0.006), "-0.01");
  const TemporaryFolder folder;
  const auto explained = [&](const std::string& unit, const char* demand) {
    const std::string classes = R"("classes": [{"name": "n", "capacity": {"cpu": 2}, "count": 1}])";
    const std::string apps = R"("apps": [{"name": "web", "replicas": 1, "demand": {"cpu": 2}}, {"name": "db", "replicas": 1, )";
    const std::string file = folder.write("e.json", R"({"stowage": 1, "resources": {"cpu": ")" + unit + "\"}, " + classes +
                                                        ", " + apps + R"("demand": {"cpu": )" + demand + "}}]}");
    return run({"explain", file, "--planner", "ff"}).out;
  };
  EXPECT_TRUE(has(explained("cores", "1"), "lacks 1 core of cpu")) << explained("cores", "1");
  EXPECT_TRUE(has(explained("cores", "1.5"), "lacks 1.5 cores of cpu")) << explained("cores", "1.5");
  EXPECT_TRUE(has(explained("GiB", "1"), "lacks 1 GiB of cpu"));
  EXPECT_TRUE(has(explained("Mbps", "1"), "lacks 1 Mbps of cpu"));
  EXPECT_TRUE(has(explained("boxes", "1"), "lacks 1 box of cpu"));
  EXPECT_TRUE(has(explained("cores", "1"), "1 node is in use: 1 is too full")) << explained("cores", "1");
}

}  // namespace
}  // namespace stowage::cli::testing
