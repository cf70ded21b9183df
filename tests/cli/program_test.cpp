// The built program from outside: pipes, exit codes, Ctrl-C, terminals.
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/program.h"
#include "tests/cli/test_support.h"
#include "tests/effort.h"

namespace stowage::cli::testing {
namespace {

/// The same on a terminal of its own.
Result on_terminal(const std::string& command) {
  int master = -1;
  const pid_t pid = ::forkpty(&master, nullptr, nullptr, nullptr);
  if (pid == 0) {
    ::setenv("S", STOWAGE_PROGRAM, 1);
    ::setenv("TERM", "xterm", 1);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  std::string text = read_all(master);
  const int code = exit_code(pid);
  ::close(master);
  return {code, std::move(text)};
}

TEST(Program, ReadsStandardInput) {
  const Result result = shell("$S example | $S plan - --work 20000 --summary json");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(nlohmann::json::parse(result.text)["unplaced"], 0);
  EXPECT_EQ(shell("$S example | $S convert - - | $S bound -").code, 0);
}

TEST(Program, ExitCodes) {
  EXPECT_EQ(shell("$S example | $S plan - --work 20000").code, 0);
  EXPECT_EQ(shell("$S plan /no/such/file").code, 1);
  EXPECT_EQ(shell("$S example | $S plan - --nodes 2 --work 20000").code, 2);
  EXPECT_EQ(shell("$S plan /").code, 1);
}

TEST(Program, ReadsAndWritesDevicesAndPipes) {
  EXPECT_EQ(shell("$S example -o /dev/null && test -c /dev/null").code, 0);
  const Result full = shell("$S example -o /dev/full");
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.text.find("cannot be written"), std::string::npos) << full.text;
  EXPECT_EQ(shell("$S plan /dev/null").code, 1);
}

TEST(Program, OutputAppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const std::string target = folder.write("kept.json", "precious");
  EXPECT_EQ(shell("cd / && echo '{' | $S convert - " + target).code, 1);
  EXPECT_EQ(content(target), "precious");
  EXPECT_EQ(shell("$S example -o " + target).code, 0);
  EXPECT_EQ(content(target).front(), '{');
  EXPECT_EQ(shell("ls " + folder.file("") + " | wc -l").text, "1\n");
}

TEST(Program, ColoursOnlyOnATerminalAndNotWithNoColor) {
  EXPECT_EQ(shell("$S example | $S plan - --planner ff").text.find('\x1b'), std::string::npos);
  const Result colored = on_terminal("$S example | $S plan - --planner ff");
  EXPECT_EQ(colored.code, 0) << colored.text;
  EXPECT_NE(colored.text.find("\x1b[32m"), std::string::npos) << colored.text;
  EXPECT_EQ(on_terminal("$S example | NO_COLOR=1 $S plan - --planner ff").text.find("\x1b[3"), std::string::npos);
  EXPECT_EQ(on_terminal("$S example | TERM=dumb $S plan - --planner ff").text.find('\x1b'), std::string::npos);
}

TEST(Program, InterruptEndsAPlanWithWhatItHas) {
  // A run of many seconds, so that it is still going on when the progress line has appeared; slower programs get less.
  const char* const apps = test::kShare > 1 ? "5000" : "20000";
  const TemporaryFolder folder;
  const std::string path = folder.file("w.stow");
  ASSERT_EQ(run({"generate", "--lras", apps, "--density", "0.01%", "--profile", "-o", path}).code, 0);
  int master = -1;
  const pid_t pid = ::forkpty(&master, nullptr, nullptr, nullptr);
  if (pid == 0) {
    ::setenv("TERM", "xterm", 1);
    ::execl(STOWAGE_PROGRAM, "stowage", "plan", path.c_str(), "--planner", "ncd-dotproduct", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  std::string text;
  bool pressed = false;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(master, buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
    if (!pressed && text.find("planning [") != std::string::npos) {
      constexpr char kControlC = 3;
      pressed = ::write(master, &kControlC, 1) == 1;
    }
  }
  const int code = exit_code(pid);
  ::close(master);
  ASSERT_TRUE(pressed) << text;
  EXPECT_EQ(code, 2) << text;
  EXPECT_NE(text.find("Cancelled: this is the best plan so far."), std::string::npos) << text;
  EXPECT_NE(text.find(" no place"), std::string::npos) << text;
  EXPECT_NE(text.find("no constraint is broken"), std::string::npos) << text;
}

/// Waits until the process has computed for a second: it may take long to start, and then loads the instance.
bool computes(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  for (int tries = 0; tries < 3000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::string status = content(path);
    if (!has(status, "(stowage)")) continue;
    std::istringstream fields(status.substr(status.find(')') + 2));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    std::uint64_t ticks = 0;
    fields >> ticks;
    if (ticks >= static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK))) return true;
  }
  return false;
}

TEST(Program, InterruptEndsABenchInOrder) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell("$S example -o " + folder.file("e.json")).code, 0);
  const Child child = start("exec $S bench " + folder.file("e.json") + " --planners ff --repeat 1000000");
  ASSERT_TRUE(computes(child.pid));
  ::kill(child.pid, SIGINT);
  const std::string text = read_all(child.out);
  ::close(child.out);
  EXPECT_EQ(exit_code(child.pid), 2) << text;
  EXPECT_NE(text.find("interrupted"), std::string::npos) << text;
}

}  // namespace
}  // namespace stowage::cli::testing
