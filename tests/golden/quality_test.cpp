// The quality of every planner as committed data: nodes, unplaced replicas, cost and bounds on a few generated instances. A
// change of any plan's figures fails this test. STOWAGE_UPDATE_QUALITY=1 rewrites quality.csv.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/workload.h"

namespace stowage {
namespace {

using test::Generated;
using test::make_workload;
using test::Random;

// Three priced classes, two of them finite.
Generated priced() {
  Generated result = make_workload({.seed = 4, .apps = 300, .density = 0.05});
  result.data.classes.resize(3);
  result.data.classes[0].price = 3;
  result.data.classes[0].count = 120;
  result.data.classes[1].capacity = {32, 64};
  result.data.classes[1].price = 1.25;
  result.data.classes[1].count = 80;
  result.data.classes[2].capacity = {92, 288};
  result.data.classes[2].price = 5.5;
  return result;
}

// A cluster in use: load, closed nodes, pinned and running replicas, self limits, priorities, and too few nodes.
Generated busy() {
  Generated result = make_workload({.seed = 5, .apps = 300, .density = 0.05});
  Random random(55);
  InstanceData& d = result.data;
  d.classes[0].count = 200;
  for (NodeId n = 0; n < 60; ++n) {
    d.node_class.push_back(0);
    d.closed.push_back(random.chance(0.1) ? 1 : 0);
    const bool loaded = random.chance(0.3);
    d.load.push_back(loaded ? random.below(40) : 0);
    d.load.push_back(loaded ? random.below(80) : 0);
  }
  for (AppId i = 0; i < result.apps(); ++i) {
    d.priority.push_back(static_cast<std::int32_t>(random.below(3)));
    if (random.chance(0.3)) d.running.push_back({i, random.below(60), 1 + d.replicas[i] / 4});
    if (random.chance(0.02) && d.replicas[i] > 3) d.pinned.push_back({i, random.below(60), 1});
  }
  return result;
}

const std::map<std::string, std::function<Generated()>>& instances() {
  static const std::map<std::string, std::function<Generated()>> kInstances = {
      {"sparse", [] { return make_workload({.seed = 1, .apps = 500, .density = 0.01}); }},
      {"dense", [] { return make_workload({.seed = 2, .apps = 500, .density = 0.3}); }},
      {"unlimited", [] { return make_workload({.seed = 6, .apps = 500, .density = 0}); }},
      {"profiles", [] { return make_workload({.seed = 3, .apps = 200, .density = 0.05, .periods = 24}); }},
      {"priced", priced},
      {"busy", busy},
  };
  return kInstances;
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::vector<std::string> measured() {
  std::vector<std::string> lines = {"instance,planner,nodes,unplaced,cost,node_bound,cost_bound"};
  for (const auto& [name, make] : instances()) {
    const Instance instance = make().build();
    for (const PlannerInfo& info : planners()) {
      Request request;
      request.planner = info.name;
      request.work_limit = 5'000'000;  // ends planners that search until their deadline
      const auto result = run_planner(instance, request, nullptr);
      std::string line = name + "," + info.name + ",";
      if (result.ok()) {
        const Plan& plan = result.value();
        std::uint64_t unplaced = 0;
        for (const Unplaced& u : plan.unplaced) unplaced += u.replicas;
        line += std::to_string(plan.nodes.size()) + "," + std::to_string(unplaced) + ",";
        line += (instance.has_prices() ? text_of(plan.cost) : "") + "," + text_of(plan.bounds[Objective::kNodes]->value) + ",";
        line += plan.bounds[Objective::kCost].has_value() ? text_of(plan.bounds[Objective::kCost]->value) : "";
      } else {
        EXPECT_EQ(result.error().code, Code::kUnsupported) << info.name << ": " << result.error().message;
        line += "unsupported,,,,";
      }
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

TEST(QualityTest, IsWhatIsCommitted) {
  if (test::kShare > 1) GTEST_SKIP() << "adds nothing for sanitizers";
  const std::string path = std::string(STOWAGE_SOURCE_DIR) + "/tests/golden/quality.csv";
  const std::vector<std::string> now = measured();
  if (std::getenv("STOWAGE_UPDATE_QUALITY") != nullptr) {
    std::ofstream out(path);
    for (const std::string& line : now) out << line << '\n';
    ASSERT_TRUE(out.good()) << path;
    GTEST_SKIP() << "wrote " << path;
  }
  std::ifstream in(path);
  ASSERT_TRUE(in) << "cannot read " << path;
  // Compared by instance and planner, so that a new planner differs in its own lines alone.
  std::map<std::string, std::string> committed;
  for (std::string line; std::getline(in, line);) committed[line.substr(0, line.find(',', line.find(',') + 1))] = line;
  std::ostringstream differences;
  for (const std::string& line : now) {
    const auto at = committed.find(line.substr(0, line.find(',', line.find(',') + 1)));
    if (at == committed.end()) {
      differences << "+ " << line << '\n';
      continue;
    }
    if (at->second != line) differences << "- " << at->second << "\n+ " << line << '\n';
    committed.erase(at);
  }
  for (const auto& [key, line] : committed) differences << "- " << line << '\n';
  EXPECT_EQ(differences.str(), "") << "run this test with STOWAGE_UPDATE_QUALITY=1 and commit tests/golden/quality.csv if the "
                                      "change is meant";
}

}  // namespace
}  // namespace stowage
