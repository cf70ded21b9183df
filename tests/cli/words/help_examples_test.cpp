// The examples that help shows do what they say.
#include <algorithm>
#include <array>
#include <regex>

#include "tests/cli/program.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

/// A cluster with all that the examples name: the apps web and db, zones, prices and two nodes.
const std::string kExampleCluster = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
  "classes": [{"name": "large", "capacity": {"cpu": 16, "memory": "64Gi"}, "price": 2, "labels": ["zone=a"]}],
  "apps": [{"name": "web", "tags": ["web"], "replicas": 3, "demand": {"cpu": 2, "memory": "4Gi"}},
           {"name": "db", "replicas": 2, "demand": {"cpu": 2, "memory": "8Gi"}}])";
const std::string kItsNodes = R"(, "nodes": [{"name": "node-1", "class": "large", "running": {"web": 1}},
                                           {"name": "node-2", "class": "large"}]})";

/// The cluster with what the command needs: classes can be compared only where no node exists yet, trade needs a soft rule, and
/// samples something that varies.
std::string cluster_for(const std::string& command) {
  if (command == "sizes") return kExampleCluster + "}";
  if (command == "tradeoff") {
    return kExampleCluster + R"(, "rules": [{"name": "apart", "hard": false, "weight": 1,
                                             "all_of": [{"subject": ["web"], "target": ["web"], "max": 0}]}]})";
  }
  if (command != "simulate") return kExampleCluster + kItsNodes;
  std::string varies = kExampleCluster + R"(, "uncertainty": {"model": "gaussian", "confidence": "99%"})" + kItsNodes;
  const std::string demand = R"("demand": {"cpu": 2, "memory": "4Gi"})";
  return varies.replace(varies.find(demand), demand.size(), demand + R"(, "deviation": {"cpu": 0.3})");
}

/// The examples of a command, without the words beside them, which two blanks set apart.
std::vector<std::string> examples_of(const std::string& command) {
  const Outcome help = run({command, "--help"});
  EXPECT_EQ(help.code, 0) << command;
  std::vector<std::string> lines;
  std::istringstream text(help.out);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("  stowage ")) lines.push_back(line.substr(2, line.find("  ", 2) - 2));
  }
  return lines;
}

/// Whether it reads the cluster, and no file but that and the plans of it.
bool needs_only_the_cluster(const std::string& example) {
  std::istringstream text(example);
  bool reads = false;
  for (std::string word; text >> word;) {
    const bool is_output = word == "-o" || word == "--output" || word == "--csv" || word == "--picture";
    if (is_output) {
      text >> word;
      if (word == "cluster.json") return false;
      continue;
    }
    reads |= word == "cluster.json";
    const std::size_t dot = word.rfind('.');
    constexpr std::array<const char*, 6> kFiles = {".json", ".csv", ".tsv", ".stow", ".jsonl", ".stowm"};
    const bool is_file = dot != std::string::npos && std::find(kFiles.begin(), kFiles.end(), word.substr(dot)) != kFiles.end();
    constexpr std::array<const char*, 5> kThere = {"cluster.json", "plan.stow", "plan.csv", "grown.stow", "cluster.stow"};
    if (is_file && std::find(kThere.begin(), kThere.end(), word) == kThere.end()) return false;
  }
  return reads;
}

TEST(HelpExamples, Work) {
  const TemporaryFolder folder;
  folder.write("cluster.json", kExampleCluster + kItsNodes);
  const std::string in = "cd " + folder.file("") + " && ";
  ASSERT_EQ(shell(in + "$S plan cluster.json --planner ff -o plan.csv -o plan.stow && $S plan cluster.json --planner ff "
                       "--scale demand=1.3 -o grown.stow")
                .code,
            0);
  const std::regex kDeadline("--deadline [0-9a-z]+");
  std::size_t tried = 0;
  for (const char* command : {"plan", "tradeoff", "sizes", "verify", "moves", "headroom", "losses", "bound", "explain",
                              "planners", "session", "convert", "simulate", "bench", "replay", "learn", "size"}) {
    for (const std::string& example : examples_of(command)) {
      if (!needs_only_the_cluster(example)) continue;
      folder.write("cluster.json", cluster_for(command));
      // Long searches would say nothing more.
      const std::string quick = std::regex_replace(example, kDeadline, "--deadline 50ms");
      const Result result = shell(in + "$S" + quick.substr(std::string("stowage").size()) + " </dev/null");
      EXPECT_TRUE(result.code == 0 || result.code == 2) << example << "\n" << result.text;
      ++tried;
    }
  }
  EXPECT_GE(tried, 25U);
}

}  // namespace
}  // namespace stowage::cli::testing
