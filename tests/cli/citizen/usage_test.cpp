// What the program says about its own usage: refused values, mistakes, help, manual page and completion.
#include "tests/cli/program.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

/// The first line of what is said about a wrong command line.
std::string mistake(const std::vector<std::string>& arguments) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  return outcome.err.substr(0, outcome.err.find('\n'));
}

TEST(CitizenUsage, NumbersThatMeanNothingAreRefused) {
  for (const char* const command : {"plan", "explain", "tradeoff", "bench"}) {
    for (const char* const option : {"--nodes", "--threads"}) {
      for (const char* const value : {"0", "-3", "x", "1.5", "4294967296"}) {
        EXPECT_EQ(mistake({command, "FILE", option, value}),
                  "stowage: " + std::string(option) + ": \"" + value + "\" is not a whole number from 1 to 4,294,967,295");
      }
    }
    EXPECT_TRUE(has(mistake({command, "FILE", "--work", "0"}), "is not a whole number from 1 to"));
    EXPECT_TRUE(has(mistake({command, "FILE", "--seed", "-1"}), "\"-1\" is not a whole number from 0 to"));
  }
  EXPECT_TRUE(has(mistake({"moves", "FILE", "PLAN", "--per-node", "0"}), "is not a whole number from 1 to"));
  EXPECT_EQ(mistake({"plan", "FILE", "--soft-price", "nan"}), "stowage: --soft-price: \"nan\" is not a number");
  EXPECT_EQ(mistake({"tradeoff", "FILE", "--prices", "1,0"}), "stowage: --prices: \"0\" is not a number above 0");
  EXPECT_EQ(mistake({"generate", "cluster", "--running", "0.5"}), "stowage: --running: \"0.5\" is not a number from 1 to 100");
}

TEST(CitizenUsage, ABareDeadlineIsInSeconds) {
  for (const char* const command : {"plan", "explain", "tradeoff", "bench"}) {
    std::string help = run({command, "--help"}).out;
    const std::size_t at = help.find("--deadline");
    ASSERT_NE(at, std::string::npos);
    std::string words;
    std::istringstream text(help.substr(at, 400));
    for (std::string word; text >> word;) words += word + " ";
    EXPECT_TRUE(has(words, "a bare number is in seconds")) << words;
  }
  const TemporaryFolder folder;
  ASSERT_EQ(run({"example", "-o", folder.file("e.json")}).code, 0);
  // In milliseconds, there would be no time for anything.
  const Outcome planned = run({"plan", folder.file("e.json"), "--deadline", "60", "--work", "2000", "--summary", "json"});
  EXPECT_EQ(planned.code, 0) << planned.err;
}

TEST(CitizenUsage, MistakesAreToldInPlainWords) {
  EXPECT_EQ(mistake({"plan", "FILE", "--summary", "yaml"}), "stowage: --summary: \"yaml\" is neither text nor json");
  EXPECT_EQ(mistake({"plan", "a", "b", "c"}), "stowage: unexpected arguments \"b\" \"c\"");
  EXPECT_EQ(mistake({"plan", "a", "b"}), "stowage: unexpected argument \"b\"");
  EXPECT_EQ(mistake({"plan", "a", "--thread=3"}), "stowage: there is no option --thread (did you mean \"--threads\"?)");
  EXPECT_EQ(mistake({"pln", "a", "--x"}), "stowage: there is no command \"pln\" (did you mean \"plan\"?)");
  EXPECT_EQ(mistake({"generate", "medae"}), "stowage: there is no command \"medae\" of generate (did you mean \"medea\"?)");
  EXPECT_EQ(mistake({"verify"}), "stowage: FILE, PLAN are required");
  EXPECT_EQ(mistake({"verify", "a"}), "stowage: PLAN is required");
  EXPECT_EQ(mistake({"plan", "a", "--nodes"}), "stowage: --nodes: needs a value");
  EXPECT_EQ(mistake({"plan", "a", "--fill=3"}), "stowage: --fill: takes no value");
  EXPECT_EQ(mistake({"plan", "a", "--nodes", "1", "--nodes", "2"}), "stowage: --nodes: is given more than once");
  EXPECT_EQ(mistake({"tradeoff", "a", "--prices", "1", "--steps", "2"}), "stowage: --prices does not go with --steps");
  EXPECT_EQ(mistake({"completion", "tcsh"}), "stowage: SHELL: \"tcsh\" is not possible here; use bash, zsh or fish");
  EXPECT_EQ(run({"plan", "FILE", "--summary", "JSON"}).err, run({"plan", "FILE", "--summary", "json"}).err);
}

TEST(CitizenUsage, HelpIsACommandToo) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "plan"}).out, run({"plan", "--help"}).out);
  EXPECT_EQ(run({"help", "generate", "medea"}).out, run({"generate", "medea", "--help"}).out);
  EXPECT_EQ(mistake({"help", "pln"}), "stowage: there is no command \"pln\" (did you mean \"plan\"?)");
  expect_good_help(run({"help", "help"}).out);
  expect_good_help(run({"help", "completion"}).out);
}

/// Runs a shell command with the program in $S, or skips the test where `tool` is missing.
#define STOWAGE_NEEDS_TOOL(tool) \
  if (shell("command -v " tool).code != 0) GTEST_SKIP() << "needs " tool

TEST(CitizenUsage, TheManualPageIsWellFormed) {
  const Outcome page = run({"help", "--man"});
  EXPECT_EQ(page.code, 0);
  EXPECT_TRUE(has(page.out, "\n.SS stowage generate medea\n"));
  EXPECT_TRUE(has(page.out, "\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIPLAN.{stow,json,csv,html,svg}\\fR\n"));
  EXPECT_FALSE(has(page.out, "stowage import"));  // hidden
  STOWAGE_NEEDS_TOOL("groff");
  EXPECT_EQ(shell("$S help --man | groff -ww -man -Tutf8 >/dev/null").text, "");
  EXPECT_TRUE(has(shell("$S help --man | groff -man -Tascii -P-cbou").text, "--ignore-running"));
  if (shell("command -v mandoc").code == 0) {
    EXPECT_EQ(shell("$S help --man | mandoc -T lint -W error").text, "");
  }
}

TEST(CitizenUsage, BashCompletesCommandsOptionsAndValues) {
  STOWAGE_NEEDS_TOOL("bash");
  const TemporaryFolder folder;
  const std::string script = folder.write("try.sh", R"(source <("$S" completion bash)
try() {
  COMP_WORDS=("$@")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _stowage
  echo "${COMPREPLY[*]}"
}
complete -p stowage
try stowage pla
try stowage generate m
try stowage generate medea --ra
try stowage plan e.json --so
try stowage plan e.json --summary ''
try stowage plan e.json --summary = j
try stowage plan --planner csp-m
try stowage completion ''
try stowage help ver
try stowage plan --nodes ''
)");
  EXPECT_EQ(shell("bash " + script).text,
            "complete -F _stowage stowage\nplan planners\nmedea\n--racks\n--soft --soft-price\ntext json\njson\ncsp-mac\n"
            "bash zsh fish\nverify version\n\n");
}

TEST(CitizenUsage, ZshAndFishTakeTheirScripts) {
  for (const char* const name : {"zsh", "fish"}) {
    EXPECT_TRUE(has(run({"completion", name}).out, "medea")) << name;
    if (shell(std::string("command -v ") + name).code != 0) continue;
    EXPECT_EQ(shell("$S completion " + std::string(name) + " | " + name + " -n /dev/stdin").code, 0) << name;
  }
}

}  // namespace
}  // namespace stowage::cli::testing
