// Files with which an attack found defects (tests/data/attack). None of them may bring a planner and the checker into
// disagreement, and none may take long or much.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

constexpr int kDefect = 3;

std::string attack_file(const std::string& name) { return std::string(STOWAGE_ATTACKS) + "/" + name; }

/// The instances, in the order of their names.
std::vector<std::string> attack_instances() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(STOWAGE_ATTACKS)) {
    if (entry.path().extension() != ".jsonl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Rules with negated skews, confidences near 0 and near 1/2, loads at the edge of the checker's tolerance, and generated ones.
TEST(Attack, PlannersAndCheckerAgree) {
  const std::vector<std::string> files = attack_instances();
  EXPECT_GE(files.size(), 20U);
  for (const std::string& file : files) {
    for (const char* planner :
         {"ff", "bfd-max", "medea-tp", "spread-wfd-avg", "match-dotproduct", "ncd-fitness", "tag-search", "serial", "auto"}) {
      const Outcome outcome = run({"plan", file, "--planner", planner, "--work", "20000", "--summary", "json"});
      EXPECT_NE(outcome.code, kDefect) << planner << " " << file << outcome.err;
      const Json summary = Json::parse(outcome.out, nullptr, false);
      if (summary.is_object()) {
        EXPECT_EQ(summary.value("violations", 0), 0) << planner << " " << file;
      }
    }
  }
}

}  // namespace
}  // namespace stowage::cli::testing
