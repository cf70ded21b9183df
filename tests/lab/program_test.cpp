// The built stowage-lab from outside.
#include <algorithm>
#include <csignal>

#include "tests/cli/program.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

TEST(LabProgram, InterruptLeavesWhatThePaperBenchHasDone) {
  const TemporaryFolder folder;
  const Child child = start(
      "exec $S bench paper --figures 4 --apps 500 --graphs normal --densities 1% --seeds 100000 "
      "--planners ff --no-charts --output " +
      folder.file("out"));
  std::string text;
  char buffer[256];
  while (text.find("[3 of 100000]") == std::string::npos) {
    const ssize_t got = ::read(child.out, buffer, sizeof buffer);
    ASSERT_GT(got, 0) << text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::kill(child.pid, SIGINT);
  text += read_all(child.out);
  ::close(child.out);
  EXPECT_EQ(exit_code(child.pid), 2) << text;
  EXPECT_NE(text.find("interrupted; the tables hold what was done"), std::string::npos) << text;
  EXPECT_NE(text.find("Figure 4"), std::string::npos) << text;
  const std::string runs = content(folder.file("out/runs.csv"));
  EXPECT_GE(std::count(runs.begin(), runs.end(), '\n'), 4) << runs;
  EXPECT_NE(content(folder.file("out/summary.csv")).find(",ff,"), std::string::npos);
}

}  // namespace
}  // namespace stowage::cli::testing
