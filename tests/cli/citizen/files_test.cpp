// What the built program does for the system around it: output that cannot be written, descriptors, links, signals, odd inputs.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "capi/cli/base/process.h"
#include "tests/cli/program.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

/// A folder with an instance e.json and a plan of it, p.csv.
class CitizenFiles : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(shell(in("$S example -o e.json && $S plan e.json --planner ff -o p.csv")).code, 0); }
  [[nodiscard]] std::string in(const std::string& command) const { return "cd " + folder_.file("") + " && " + command; }

  TemporaryFolder folder_;
};

TEST_F(CitizenFiles, EveryCommandFailsWhereStandardOutputCannotBeWritten) {
  for (const char* const command :
       {"plan e.json --planner ff", "plan e.json --planner ff --summary json", "bound e.json", "verify e.json p.csv",
        "explain e.json p.csv", "moves e.json p.csv", "planners", "planners auto", "example", "--help", "plan --help",
        "--version", "", "convert e.json -", "bench e.json --planners ff", "session e.json /dev/null"}) {
    for (const char* const closed : {">/dev/full", ">&-"}) {
      const Result result = shell(in(std::string("$S ") + command + " " + closed));
      // A session without commands has nothing to say.
      const bool silent = std::string_view(command).starts_with("session");
      EXPECT_EQ(result.code, silent ? 0 : 1) << command << closed << result.text;
      EXPECT_EQ(has(result.text, "standard output: cannot be written: "), !silent) << command << closed << result.text;
    }
  }
}

TEST_F(CitizenFiles, NoFileGetsTheDescriptorOfAClosedOutput) {
  // Messages and summaries would land in the plan.
  EXPECT_EQ(shell(in("$S plan e.json --planner ff -o q.csv >&- 2>&-")).code, 1);
  EXPECT_EQ(content(folder_.file("q.csv")), content(folder_.file("p.csv")));
  EXPECT_EQ(shell(in("$S convert e.json f.json 2>&-")).code, 0);
  EXPECT_EQ(shell(in("$S bound f.json >/dev/null")).code, 0);
  const Result closed = shell(in("$S bound - <&-"));
  EXPECT_EQ(closed.code, 1);
  EXPECT_TRUE(has(closed.text, "standard input: cannot be read")) << closed.text;
}

TEST_F(CitizenFiles, OutputThroughALinkWritesItsTarget) {
  ASSERT_EQ(shell(in("mkdir d && echo old >d/real.json && ln -s d/real.json link.json && ln -s link.json twice.json && "
                     "ln -s d/new.json dangling.json && ln -s loop.json loop.json"))
                .code,
            0);
  EXPECT_EQ(shell(in("$S example -o twice.json")).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("twice.json")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("link.json")));
  EXPECT_EQ(content(folder_.file("d/real.json")), content(folder_.file("e.json")));
  EXPECT_EQ(shell(in("$S example -o dangling.json")).code, 0);
  EXPECT_EQ(content(folder_.file("d/new.json")), content(folder_.file("e.json")));
  EXPECT_EQ(shell(in("$S example -o loop.json")).code, 1);
}

TEST_F(CitizenFiles, OutputKeepsModeAndHardLinks) {
  ASSERT_EQ(shell(in("echo old >m.json && chmod 604 m.json && echo old >a.json && ln a.json b.json && chmod 620 a.json")).code,
            0);
  EXPECT_EQ(shell(in("umask 077 && $S example -o m.json && $S example -o b.json && $S example -o n.json")).code, 0);
  struct stat status {};
  ASSERT_EQ(::stat(folder_.file("m.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0604U);
  ASSERT_EQ(::stat(folder_.file("n.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  ASSERT_EQ(::stat(folder_.file("a.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0620U);
  EXPECT_EQ(status.st_nlink, 2U);
  for (const char* const name : {"m.json", "a.json", "b.json", "n.json"}) {
    EXPECT_EQ(content(folder_.file(name)), content(folder_.file("e.json"))) << name;
  }
  // The file with two names has its old content until the new one is complete.
  const std::string before = content(folder_.file("a.json"));
  EXPECT_EQ(shell(in("echo '{' | $S convert - a.json")).code, 1);
  EXPECT_EQ(content(folder_.file("a.json")), before);
  // A longer file gets shorter.
  ASSERT_EQ(shell(in("head -c 100000 /dev/zero >a.json && $S example -o a.json")).code, 0);
  EXPECT_EQ(content(folder_.file("b.json")), before);
  EXPECT_EQ(shell(in("ls | grep -c 'json[.]'")).text, "0\n");
}

TEST_F(CitizenFiles, ReadOnlyFilesAreNotReplaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "everything may be written";
  ASSERT_EQ(shell(in("echo old >r.json && chmod 444 r.json")).code, 0);
  EXPECT_EQ(shell(in("$S example -o r.json")).code, 1);
  EXPECT_EQ(content(folder_.file("r.json")), "old\n");
}

/// Ends a process that is writing a file, by this signal; returns how the process ended.
int end_while_writing(const std::string& path, int signal) {
  int ready[2];
  if (::pipe2(ready, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(signal, SIG_DFL);
    settle_process("stowage");
    OutputFile out(path);
    out.write(std::string_view("half"));
    if (::write(ready[1], "r", 1) != 1) ::_exit(99);
    for (;;) ::pause();
  }
  ::close(ready[1]);
  char letter = 0;
  EXPECT_EQ(::read(ready[0], &letter, 1), 1);
  ::close(ready[0]);
  ::kill(child, signal);
  return exit_code(child);
}

TEST(Citizen, SignalsThatEndTheProcessRemoveTemporaryFiles) {
  for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGXFSZ}) {
    const TemporaryFolder folder;
    const std::string path = folder.write("out.json", "old");
    EXPECT_EQ(end_while_writing(path, signal), 1000 + signal);
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(shell("ls " + folder.file("")).text, "out.json\n") << signal;
  }
}

TEST(Citizen, AnIgnoredHangUpStaysIgnored) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell("$S example -o " + folder.file("e.json")).code, 0);
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const Child child = start("trap '' HUP; exec $S session " + folder.file("e.json") + " " + fifo);
  const int script = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);  // returns once the program reads
  ::kill(child.pid, SIGHUP);
  ::close(script);
  read_all(child.out);
  ::close(child.out);
  EXPECT_EQ(exit_code(child.pid), 0);
}

TEST(Citizen, EndlessInputsAreCapped) {
  const auto begin = std::chrono::steady_clock::now();
  const Result result = shell("$S plan /dev/zero");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(has(result.text, "/dev/zero: has more than 2,147,483,647 bytes")) << result.text;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(Citizen, AFileThatShrinksIsAnErrorAndNoCrash) {
  const TemporaryFolder folder;
  const std::string path = folder.write("large.json", std::string((std::size_t{1} << 24) + 4097, ' '));
  EXPECT_EXIT(
      {
        settle_process("stowage");
        const InputFile file(path);
        std::filesystem::resize_file(path, 10);
        volatile std::uint8_t last = file.bytes().back();
        ::_exit(last == 0 ? 98 : 99);
      },
      ::testing::ExitedWithCode(1), "stowage: an input file became shorter");
  // A small one is in memory.
  const std::string small = folder.write("small.json", "content");
  const InputFile file(small);
  std::filesystem::resize_file(small, 0);
  EXPECT_EQ(file.text(), "content");
}

}  // namespace
}  // namespace stowage::cli::testing
