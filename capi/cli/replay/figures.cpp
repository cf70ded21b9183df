#include "capi/cli/replay/replay.h"

#include <algorithm>

#include "capi/text/base/quantities.h"

namespace stowage::cli::replay {
namespace {

constexpr double kSecondsPerHour = 3600;

}  // namespace

Figures figures_of(const Replay& replay, std::size_t resources) {
  Figures result;
  result.mean_use.assign(resources, 0);
  const std::vector<Step>& steps = replay.steps;
  double in_use = 0;  // node seconds
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    // A single entry is a state without a length.
    const double seconds = k + 1 < steps.size() ? steps[k + 1].time - step.time : steps.size() == 1 ? 1 : 0;
    result.seconds += steps.size() == 1 ? 0 : seconds;
    const double nodes = static_cast<double>(step.nodes) * seconds;
    in_use += nodes;
    for (std::size_t r = 0; r < resources; ++r) result.mean_use[r] += step.use[r] * nodes;
    result.most_nodes = std::max(result.most_nodes, step.nodes);
    if (step.cost >= 0) result.cost = std::max(0.0, result.cost) + step.cost * seconds / kSecondsPerHour;
    result.moves += step.moves;
    result.most_violations = std::max(result.most_violations, step.violations);
    result.mean_planning += step.planning_seconds / static_cast<double>(steps.size());
    result.most_planning = std::max(result.most_planning, step.planning_seconds);
  }
  result.node_hours = in_use / kSecondsPerHour;
  result.mean_nodes = in_use / (result.seconds > 0 ? result.seconds : 1);
  for (double& use : result.mean_use) use = in_use > 0 ? use / in_use : 0;
  double waited = 0;
  for (const Wait& wait : replay.waits) {
    result.ran += wait.replicas;
    waited += wait.seconds * static_cast<double>(wait.replicas);
    result.most_wait = wait.seconds;
  }
  if (result.ran > 0) result.mean_wait = waited / static_cast<double>(result.ran);
  std::uint64_t counted = 0;
  for (const Wait& wait : replay.waits) {
    counted += wait.replicas;
    result.wait_99 = wait.seconds;
    if (counted * 100 >= result.ran * 99) break;
  }
  return result;
}

std::string series_csv(const Replay& replay, const std::vector<std::string>& resources, CsvCells cells) {
  const bool prices = !replay.steps.empty() && replay.steps.front().cost >= 0;
  std::vector<std::string> header = {"time", "apps", "running", "waiting", "started", "nodes", "moves", "violations"};
  if (prices) header.emplace_back("cost");
  header.emplace_back("planning_seconds");
  for (const std::string& resource : resources) header.push_back("use of " + resource);
  std::string text = csv_line(header, cells);
  for (const Step& step : replay.steps) {
    std::vector<std::string> row = {shortest(step.time)};
    for (const std::uint64_t count :
         {std::uint64_t{step.apps}, step.running, step.waiting, step.started, step.nodes, step.moves, step.violations}) {
      row.push_back(std::to_string(count));
    }
    if (prices) row.push_back(shortest(step.cost));
    row.push_back(shortest(step.planning_seconds));
    for (const double use : step.use) row.push_back(shortest(use));
    text += csv_line(row, cells);
  }
  return text;
}

}  // namespace stowage::cli::replay
