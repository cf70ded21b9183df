#include "capi/lab/colocation/design.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "capi/cli/base/console.h"

namespace stowage::cli::colocation {
namespace {

struct Size {
  std::array<std::uint32_t, 3> apps;
  std::vector<std::uint32_t> nodes;
};

const Size& size_of(bool large) {
  static const Size kSmall = {{10, 20, 50}, {2, 3, 5, 10}};
  static const Size kLarge = {{200, 500, 1000}, {20, 50, 100}};
  return large ? kLarge : kSmall;
}

/// The largest average cost of a kind of [first, last) among the loads of these kinds, spread evenly.
double average_cost(const InterferenceData& interference, const std::vector<double>& load, std::size_t first, std::size_t last,
                    std::uint32_t nodes) {
  double most = 0;
  for (std::size_t t = first; t < last; ++t) {
    if (!(load[t] > 0)) continue;
    double cost = 0;
    for (std::size_t u = first; u < last; ++u) cost += interference.coefficient[t * load.size() + u] * load[u];
    most = std::max(most, cost / nodes);
  }
  return most;
}

}  // namespace

std::string class_text(const Cell& of) {
  return of.word + ", " + counted(of.kinds, "kind") + ", " + counted(of.apps, "app") + ", " + counted(of.nodes, "node");
}

std::vector<Cell> cells_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& kinds,
                           const std::vector<std::string>& sizes) {
  std::vector<Cell> cells;
  for (const std::string& word : words) {
    for (const std::uint32_t count : kinds) {
      if (word == "mixed" && count < 3) continue;
      for (const std::string& size : sizes) {
        const Size& of = size_of(size == "large");
        for (const std::uint32_t apps : of.apps) {
          for (const std::uint32_t nodes : of.nodes) {
            const bool apart = word == "incompatible" || word == "clashing";
            if (!apart || nodes >= count) cells.push_back({word, count, apps, nodes});
          }
        }
      }
    }
  }
  return cells;
}

double largest_load(const InstanceData& data) { return *std::max_element(data.apps.demand.begin(), data.apps.demand.end()); }

double paper_bound(const Cell& cell, const InstanceData& data) {
  std::vector<double> load(cell.kinds, 0);
  for (std::size_t i = 0; i < data.apps.demand.size(); ++i) load[data.apps.kind[i]] += data.apps.demand[i];
  const double total = std::accumulate(load.begin(), load.end(), 0.0);
  const std::size_t half = (cell.kinds + 1) / 2;
  double average = total / cell.nodes;
  if (cell.word == "compatible") average = average_cost(*data.interference, load, 0, cell.kinds, cell.nodes);
  if (cell.word == "mixed") {
    average = std::max(average_cost(*data.interference, load, 0, half, cell.nodes),
                       average_cost(*data.interference, load, half, cell.kinds, cell.nodes));
  }
  return std::max(largest_load(data), average);
}

std::optional<double> published_median(const std::string& word, bool large, const std::string& planner) {
  const bool dedicated = planner.starts_with("greedy-dedicated");
  const auto of = [&](double of_small, double of_large) { return std::optional(large ? of_large : of_small); };
  if (word == "compatible" && planner == "sched-mixed") return of(1.06, 1.18);
  if (word == "compatible" && planner == "best-schedule") return of(1.01, 1.01);
  // P4 prints the same figure for both classes: dedicated nodes never see the coefficients.
  if ((word == "incompatible" || word == "clashing") && dedicated) return of(1.12, 1.02);
  if (word == "mixed" && planner == "greedy-dedicated-best") return of(1.46, 1.22);
  if (word == "mixed" && planner == "sched-mixed") return of(1.77, 1.91);
  return std::nullopt;
}

}  // namespace stowage::cli::colocation
