#include "core/bounds/traffic/traffic_sizes.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace stowage {
namespace {

/// Most and fewest units of the largest node; tenths of a unit are tried.
constexpr std::uint64_t kMostUnits = 200;
constexpr std::uint64_t kFewestUnits = 40;
constexpr std::uint64_t kTenths = 10;
/// Numbers in tables, at most.
constexpr std::uint64_t kMostTableCells = 4'000'000;
/// Demands that are rounded to find the unit, about.
constexpr std::uint64_t kMostRounded = 4'000'000;

}  // namespace

TrafficDemand::TrafficDemand(const Instance& instance, const Supply& supply, const TrafficGraph& graph) {
  std::vector<double> carried(instance.dims(), 0);
  for (const Supply::Group& group : supply.groups) {
    if (supply.ends(instance.dims())) return;
    const auto count = static_cast<double>(std::min(group.count, instance.total_replicas()));
    for (std::uint32_t h = 0; h < instance.dims(); ++h) carried[h] += count * static_cast<double>(group.carries[h]);
  }
  double largest_share = 0;
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    const auto all = static_cast<double>(supply.total_demand()[h]);
    if (!(all > largest_share * carried[h])) continue;
    dim = h;
    largest_share = carried[h] > 0 ? all / carried[h] : std::numeric_limits<double>::infinity();
  }
  if (dim == kNone) return;
  largest = static_cast<std::uint64_t>(supply.largest(dim));
  const std::vector<std::uint64_t> most_of = most_per_node(instance, supply);
  supply.visit_demand([&](const auto& demand_of) {
    for (std::uint32_t row = 0; row < graph.rows(); ++row) {
      demand.push_back(static_cast<std::uint64_t>(demand_of(graph.app(row))[dim]));
      most.push_back(static_cast<std::uint32_t>(most_of[graph.app(row)]));
    }
  });
}

TrafficUnit::TrafficUnit(const TrafficGraph& graph, const TrafficForest& forest, const TrafficDemand& demand, Demand rounding)
    : rounding_(rounding), largest_(demand.largest) {
  if (demand.dim == kNone || demand.largest == 0) return;
  for (const std::uint32_t most : demand.most) apps_.push_back({0, most});
  std::uint64_t units = kMostUnits;
  while (units >= kFewestUnits && forest.cells(apps_, static_cast<std::uint32_t>(units)) > kMostTableCells) units /= 2;
  if (units < kFewestUnits) return;
  // Of the units that are small enough, the one of which all replicas take the most of the largest node, or the least.
  double best = 0;
  const std::uint64_t stride = 1 + kTenths * units * graph.rows() / kMostRounded;
  for (std::uint64_t tenths = kTenths * units; tenths > kTenths * units * 7 / 10; tenths -= stride) {
    double sum = 0;
    for (std::uint32_t row = 0; row < graph.rows(); ++row) {
      sum += static_cast<double>(graph.replicas(row)) * size(demand.demand[row], tenths);
    }
    const std::uint64_t whole = tenths / kTenths;
    sum /= static_cast<double>(whole);
    if (tenths_ > 0 && (rounding == Demand::kDown ? sum <= best : sum >= best)) continue;
    best = sum;
    tenths_ = tenths;
  }
  for (std::uint32_t row = 0; row < graph.rows(); ++row) apps_[row].size = size(demand.demand[row], tenths_);
}

std::uint32_t TrafficUnit::size(std::uint64_t amount, std::uint64_t tenths) const {
  const std::uint64_t unit = kTenths * largest_;
  return static_cast<std::uint32_t>((amount * tenths + (rounding_ == Demand::kUp ? unit - 1 : 0)) / unit);
}

std::uint32_t TrafficUnit::capacity(std::uint64_t carries) const {
  return static_cast<std::uint32_t>(carries * tenths_ / (kTenths * largest_));
}

}  // namespace stowage
