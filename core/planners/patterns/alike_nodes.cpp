#include "core/planners/patterns/alike_nodes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stowage {
namespace {

/// With more replicas per node, contents are too many to be searched, and mixing them is easy.
constexpr double kMostPerNode = 24;
constexpr std::uint32_t kMostPackedApps = 1000;
constexpr std::uint64_t kMostPacked = 5000;

}  // namespace

bool has_few_large_per_node(const Instance& instance) {
  if (instance.uncertain() || instance.periods() != 1 || instance.classes() != 1 || instance.apps() > kMostPackedApps)
    return false;
  if (instance.total_replicas() > kMostPacked || !instance.data().running.empty() || !instance.data().pinned.empty())
    return false;
  double nodes = 1;
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const double capacity = instance.scaled_capacity(0)[r];
    if (capacity > 0) nodes = std::max(nodes, static_cast<double>(instance.total_demand()[r]) / capacity);
  }
  return static_cast<double>(instance.total_replicas()) <= kMostPerNode * nodes;
}

std::optional<AlikeNodes> AlikeNodes::of(const Instance& instance, const std::vector<StateGroup>& groups,
                                         const Pattern& wanted) {
  if (!has_few_large_per_node(instance) || groups.size() != 1 || groups[0].state.in_use) return std::nullopt;
  const NodeState& state = groups[0].state;
  AlikeNodes result;
  PackingProblem& problem = result.problem;
  problem.resources = instance.resources();
  for (const std::int64_t left : state.left) problem.capacity.push_back(static_cast<std::int32_t>(left));
  std::map<std::vector<std::int64_t>, std::uint32_t> known;
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (wanted[i] == 0) continue;
    std::vector<std::int64_t> demand;
    instance.visit_unit([&](auto unit) {
      const auto of_app = instance.scaled_demand<decltype(unit)>(i);
      demand.assign(of_app.begin(), of_app.end());
    });
    for (ResourceId r = 0; r < problem.resources; ++r) {
      if (demand[r] > problem.capacity[r]) return std::nullopt;
    }
    // Apps of equal demand are an item, unless they have limits of their own.
    std::vector<std::int64_t> key = demand;
    if (state.most_of(i) != kNone) key.push_back(i);
    const auto [at, fresh] = known.try_emplace(std::move(key), problem.items());
    if (fresh) {
      problem.demand.insert(problem.demand.end(), demand.begin(), demand.end());
      problem.count.push_back(0);
      problem.at_most.push_back(state.most_of(i));
      result.apps.emplace_back();
    }
    problem.count[at->second] += wanted[i];
    result.apps[at->second].push_back(i);
  }
  if (problem.items() == 0) return std::nullopt;
  return result;
}

Packing AlikeNodes::packing_of(const Layout& layout) const {
  Packing packing;
  for (const auto& [seat, count] : layout) {
    Content content;
    for (std::uint32_t item = 0; item < apps.size(); ++item) {
      std::uint32_t replicas = 0;
      for (const AppId i : apps[item]) replicas += seat.second[i];
      if (replicas > 0) content.push_back({item, replicas});
    }
    packing.insert(packing.end(), count, content);
  }
  return packing;
}

Layout AlikeNodes::layout_of(const Packing& packing, Pattern wanted) const {
  Layout layout;
  std::vector<std::size_t> next(apps.size(), 0);
  for (const Content& content : packing) {
    Pattern pattern(wanted.size(), 0);
    for (const PackedItem& packed : content) {
      std::uint32_t rest = packed.replicas;
      while (rest > 0) {
        const AppId i = apps[packed.item][next[packed.item]];
        const std::uint32_t taken = std::min(rest, wanted[i]);
        pattern[i] += taken;
        wanted[i] -= taken;
        rest -= taken;
        if (wanted[i] == 0) ++next[packed.item];
      }
    }
    ++layout[{0, std::move(pattern)}];
  }
  return layout;
}

}  // namespace stowage
