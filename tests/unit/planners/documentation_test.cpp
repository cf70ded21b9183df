// docs/reference/algorithms.md names every registered planner, and no other.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "core/bounds/bounds.h"
#include "core/bounds/traffic/traffic_forest_bound.h"
#include "core/columns/tree/column_bound.h"
#include "core/measures/measure.h"
#include "core/measures/score.h"
#include "core/planners/planner.h"

namespace stowage {
namespace {

// "bfd-{measure}" stands for one name per measure.
void expand(const std::string& name, std::set<std::string>& names) {
  const std::size_t brace = name.find('{');
  if (brace == std::string::npos) {
    names.insert(name);
    return;
  }
  const std::string before = name.substr(0, brace);
  const std::string after = name.substr(name.find('}') + 1);
  if (name.compare(brace, 9, "{measure}") == 0) {
    for (const Measure m : kMeasures) names.insert(before + std::string(measure_name(m)) + after);
  } else {
    for (const Score s : kScores) names.insert(before + std::string(score_name(s)) + after);
  }
}

// Names in backticks in the first cells of the table under a heading.
std::set<std::string> documented(const std::string& heading) {
  std::ifstream file(STOWAGE_SOURCE_DIR "/docs/reference/algorithms.md");
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0) inside = line == "## " + heading;
    if (!inside || line.rfind("| `", 0) != 0) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (std::size_t open = cell.find('`'); open != std::string::npos; open = cell.find('`', open)) {
      const std::size_t close = cell.find('`', open + 1);
      expand(cell.substr(open + 1, close - open - 1), names);
      open = close + 1;
    }
  }
  return names;
}

TEST(DocumentationTest, NamesEveryPlanner) {
  std::set<std::string> registered;
  for (const PlannerInfo& info : planners()) registered.insert(info.name);
  EXPECT_EQ(documented("Planners"), registered);
}

TEST(DocumentationTest, NamesEveryBound) {
  std::set<std::string> registered;
  for (const BoundInfo& info : bound_table()) registered.insert(std::string(info.name));
  registered.insert(std::string(column_bound_info(Objective::kNodes).name));
  registered.insert(std::string(traffic_forest_bound_info().name));
  EXPECT_EQ(documented("Bounds"), registered);
}

}  // namespace
}  // namespace stowage
