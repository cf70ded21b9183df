// Small files that stand for much: every command answers within 500 MB of address space, or refuses the file.
#include "tests/cli/program.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

class Memory : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef STOWAGE_TEST_SHARE
    GTEST_SKIP() << "a sanitizer reserves more address space than the limit";
#endif
  }
};

/// Runs a command in which $S is the program, with 500 MB beside what the program itself takes.
Result limited(const std::string& command) {
  // Threads have arenas of their own, which reserve address space that nobody uses.
  return shell("export MALLOC_ARENA_MAX=1; ulimit -v 550000; " + command);
}

void expect_little(const std::string& command) {
  const Result result = limited(command);
  EXPECT_TRUE(result.code == 0 || result.code == 1 || result.code == 2) << result.code << ": " << command << "\n"
                                                                        << result.text;
  EXPECT_EQ(result.text.find("out of memory"), std::string::npos) << command << "\n" << result.text;
}

std::string cluster(const std::string& more, const std::string& app, const std::string& node_class) {
  return R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, )" + more + R"( "apps": [{"name": "a", )" + app +
         R"(}], "classes": [{"name": "m", "capacity": {"cpu": 8, "memory": 8}, )" + node_class + "}]}";
}

// Constant over 10^8 periods, and 10^8 equal replicas.
TEST_F(Memory, SmallInstancesTakeLittleWhateverTheyStandFor) {
  const TemporaryFolder folder;
  const std::string demand = R"("replicas": 20, "demand": {"cpu": 1, "memory": 1}, "variance": {"cpu": 0.01})";
  const std::string periods =
      folder.write("periods.json", cluster(R"("periods": 100000000, "uncertainty": {"model": "gaussian"},
                                              "nodes": [{"name": "n", "class": "m", "load": {"cpu": 1}, "daemon": {"cpu": 0.5}}],)",
                                           demand, R"("daemon": {"memory": 1})"));
  const std::string replicas = folder.write(
      "replicas.json", cluster("", R"("replicas": 100000000, "demand": {"cpu": 1, "memory": 1})", R"("count": 0)"));
  for (const std::string& file : {periods, replicas}) {
    for (const char* command : {"bound", "headroom", "plan --deadline 300ms --summary json", "explain --deadline 300ms"}) {
      expect_little("$S " + std::string(command) + " " + file + " > /dev/null");
    }
    expect_little("$S convert " + file + " " + folder.file("again.stow"));
    expect_little("$S convert " + file + " " + folder.file("again.json"));
  }
  const std::string plan = folder.file("p.stowplan");
  expect_little("$S plan " + periods + " --planner ff -o " + plan + " > /dev/null");
  for (const char* command : {"verify", "moves", "simulate --samples 100", "losses"}) {
    expect_little("$S " + std::string(command) + " " + periods + " " + plan + " > /dev/null");
  }
  const std::string operations = folder.write("day.jsonl", R"({"op": "submit", "app": "b", "demand": {"cpu": 1, "memory": 1}}
{"op": "add-node", "node": "x", "class": "m", "load": {"cpu": 1}}
{"op": "plan", "planner": "ff"}
{"op": "commit"}
)");
  expect_little("$S session " + periods + " " + operations + " > /dev/null");
}

// A commit opens nodes by the million where a few bytes ask for it.
TEST_F(Memory, SmallSessionsOpenAsManyNodesAsMemoryAllows) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("replicas.json", cluster("", R"("replicas": 10000000, "demand": {"cpu": 1, "memory": 1})", R"("count": 0)"));
  const std::string commands = folder.write("day.jsonl", R"({"op": "plan"}
{"op": "commit"}
)");
  const Result result = limited("$S session " + file + " " + commands + " 2>&1 | tail -c 600");
  EXPECT_NE(result.text.find("max_memory"), std::string::npos) << result.text;
}

// Texts of which one list of amounts stands for lists of all other rows.
TEST_F(Memory, TextsHaveTheLimitsOfTheLibrary) {
  const TemporaryFolder folder;
  std::string list = "1";
  for (int k = 2; k <= 200'000; ++k) list += "," + std::to_string(k % 7 + 1);
  std::string table = "app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff\na0\t1\t[" + list + "]\t1\t0\t[]\n";
  for (int k = 1; k < 5000; ++k) table += "a" + std::to_string(k) + "\t1\t1\t1\t0\t[]\n";
  const std::string tsv = folder.write("many.tsv", table);
  const Result result = limited("$S convert " + tsv + " --node cores=64,memory=128 " + folder.file("many.stow"));
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_NE(result.text.find("more memory than is allowed"), std::string::npos) << result.text;
}

}  // namespace
}  // namespace stowage::cli::testing
