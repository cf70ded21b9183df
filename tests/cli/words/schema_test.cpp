// The command prints the schemas of its JSON.

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

constexpr const char* kFolder = STOWAGE_CLI_SOURCE "/schemas";

TEST(SchemaCommand, ListsAndPrintsEveryFile) {
  const Outcome list = run({"schema"});
  ASSERT_EQ(list.code, 0) << list.err;
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    const std::string full = file.path().filename().string();
    const std::string name = full.substr(0, full.find(".schema.json"));
    if (name == full) continue;
    ++files;
    EXPECT_TRUE(has("\n" + list.out, "\n  " + name + "  ")) << name;
    EXPECT_EQ(run({"schema", name}).out, content(file.path().string()));
  }
  EXPECT_EQ(static_cast<std::size_t>(std::count(list.out.begin(), list.out.end(), '\n')), files);
}

TEST(SchemaCommand, UnknownNamesAreRefused) {
  const Outcome outcome = run({"schema", "headrom"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "there is no schema \"headrom\" (did you mean \"headroom\"?); stowage schema lists them"))
      << outcome.err;
}

TEST(SchemaCommand, CompletionOffersTheNamesOfEachCommand) {
  const std::string script = run({"completion", "bash"}).out;
  for (const char* words : {"words='instance plan summary ", "words='shop sizes zones ", "words='auto ff "}) {
    EXPECT_TRUE(has(script, words)) << words;
  }
}

}  // namespace
}  // namespace stowage::cli::testing
