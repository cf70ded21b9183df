#include "core/packing/alike_nodes.h"

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

std::optional<AlikeNodes> AlikeNodes::of(const Instance& instance, std::span<const std::int64_t> capacity,
                                         std::span<const std::uint32_t> at_most, std::span<const std::uint32_t> wanted) {
  if (!has_few_large_per_node(instance)) return std::nullopt;
  AlikeNodes result;
  PackingProblem& problem = result.problem;
  problem.resources = instance.resources();
  for (const std::int64_t units : capacity) problem.capacity.push_back(static_cast<std::int32_t>(units));
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
    const std::uint32_t most = at_most.empty() ? kNone : at_most[i];
    if (most != kNone) key.push_back(i);
    const auto [at, fresh] = known.try_emplace(std::move(key), problem.items());
    if (fresh) {
      problem.demand.insert(problem.demand.end(), demand.begin(), demand.end());
      problem.count.push_back(0);
      problem.at_most.push_back(most);
      result.apps.emplace_back();
    }
    problem.count[at->second] += wanted[i];
    result.apps[at->second].push_back(i);
  }
  if (problem.items() == 0) return std::nullopt;
  return result;
}

Content AlikeNodes::content_of(std::span<const std::uint32_t> replicas) const {
  Content content;
  for (std::uint32_t item = 0; item < apps.size(); ++item) {
    std::uint32_t here = 0;
    for (const AppId i : apps[item]) here += replicas[i];
    if (here > 0) content.push_back({item, here});
  }
  return content;
}

std::vector<std::vector<std::uint32_t>> AlikeNodes::replicas_of(const Packing& packing,
                                                                std::vector<std::uint32_t> wanted) const {
  std::vector<std::vector<std::uint32_t>> result;
  std::vector<std::size_t> next(apps.size(), 0);
  for (const Content& content : packing) {
    std::vector<std::uint32_t>& here = result.emplace_back(wanted.size(), 0);
    for (const PackedItem& packed : content) {
      std::uint32_t rest = packed.replicas;
      while (rest > 0) {
        const AppId i = apps[packed.item][next[packed.item]];
        const std::uint32_t taken = std::min(rest, wanted[i]);
        here[i] += taken;
        wanted[i] -= taken;
        rest -= taken;
        if (wanted[i] == 0) ++next[packed.item];
      }
    }
  }
  return result;
}

}  // namespace stowage
