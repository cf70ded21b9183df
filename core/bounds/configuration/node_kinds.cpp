// Uncertain demand. Let M be the mean demand and V the risk of what a node of capacity C holds, so that M + sqrt(V) <= C. Where
// s0 <= sqrt(V) <= s1, the square root lies above its chord: sqrt(V) >= V / (s0 + s1) + s0 s1 / (s0 + s1). So the weights
// M + V / (s0 + s1) add up to C - s0 s1 / (s0 + s1) at most. Intervals from 0 to the largest sqrt(V) of any node cover all
// nodes. Outside of its interval a chord lies above the root, so that a piece need not be confined to it.

#include "core/bounds/configuration/node_kinds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace stowage {
namespace {

// Mandatory nodes of so many sorts form one pool.
constexpr std::size_t kMostMandatoryKinds = 8;
constexpr std::size_t kIntervals = 12;
constexpr std::size_t kMostWeights = 1 << 24;
constexpr double kChordMargin = 1e-8;

struct KindKey {
  double cost;
  bool mandatory;
  bool pool;
  std::vector<double> carries;  // per dimension of the items
  std::vector<bool> admits;
  friend bool operator<(const KindKey& a, const KindKey& b) {
    return std::tie(a.cost, a.mandatory, a.pool, a.carries, a.admits) <
           std::tie(b.cost, b.mandatory, b.pool, b.carries, b.admits);
  }
};
struct Alike {
  double count = 0;
  std::vector<std::uint32_t> groups;  // that are not mandatory
};
using KindMap = std::map<KindKey, Alike>;

/// The range of the root of risk that full nodes may have.
struct RootRange {
  double low;
  double high;
};

class KindBuilder {
 public:
  KindBuilder(const Instance& instance, const PackedItems& items) : instance_(instance), items_(items) {}

  [[nodiscard]] NodeKind build(const KindKey& key, const Alike& alike) const {
    NodeKind kind{alike.groups, key.cost, alike.count, {}, true};
    const ResourceId riskiest = key.pool ? kNone : items_.riskiest();
    if (riskiest == kNone) {
      kind.pieces.push_back(piece(key, kNone, 0, 0));
      kind.whole = !key.pool;
      return kind;
    }
    RootRange range{NodeKind::kEndless, NodeKind::kEndless};
    for (std::size_t h = 0; h < items_.dims().size(); ++h) {
      if (instance_.resource_of(items_.dims()[h]) != riskiest) continue;
      const RootRange own = roots(key, h);
      range = {std::min(range.low, own.low), std::min(range.high, own.high)};
    }
    range.low = std::min(range.low, range.high);
    double first = 0;
    for (std::size_t k = 0; k < kIntervals; ++k) {
      const double last = range.low + (range.high - range.low) * static_cast<double>(k) / static_cast<double>(kIntervals - 1);
      if (last <= first && k + 1 < kIntervals) continue;
      kind.pieces.push_back(piece(key, riskiest, first, std::max(first, last) * (1 + kChordMargin)));
      first = last;
    }
    kind.whole = kind.pieces.size() == 1;
    return kind;
  }

 private:
  /// Of full nodes in a dimension; a little wider.
  [[nodiscard]] RootRange roots(const KindKey& key, std::size_t h) const {
    // Where all demand has the ratio q of risk to mean, s^2 / q + s = capacity.
    const double capacity = key.carries[h] * (1 + kChordMargin);
    double least = NodeKind::kEndless;
    double most = 0;
    for (std::size_t i = 0; i < items_.count(); ++i) {
      const double mean = items_.mean(i)[h];
      const double risk = items_.risk(i)[h];
      if (!key.admits[items_[i].group] || (mean <= 0 && risk <= 0)) continue;
      const double ratio = mean > 0 ? risk / mean : NodeKind::kEndless;
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
    const auto root = [&](double ratio) { return ratio > 0 ? 2 * capacity / (1 + std::sqrt(1 + 4 * capacity / ratio)) : 0; };
    return {least < NodeKind::kEndless ? root(least) : 0, root(most) * (1 + kChordMargin)};
  }
  /// Items with weights for nodes whose root of risk in resource `split` is between two values.
  [[nodiscard]] NodeKnapsack piece(const KindKey& key, ResourceId split, double first, double last) const {
    const std::size_t dims = items_.dims().size();
    std::vector<double> capacity(key.carries);
    std::vector<double> per_risk(dims, 0.0);
    for (std::size_t h = 0; h < dims; ++h) {
      const ResourceId r = instance_.resource_of(items_.dims()[h]);
      const double high = r == split ? last : roots(key, h).high;
      const double low = r == split ? first : 0;
      if (items_.riskiest() == kNone || key.pool || high <= 0) continue;
      per_risk[h] = 1 / (low + high);
      capacity[h] = (capacity[h] - low * high / (low + high)) * (1 + kChordMargin);
    }
    NodeKnapsack result(dims);
    if (items_.riskiest() == kNone) result.set_grid(capacity);
    std::vector<double> weight(dims);
    for (std::uint32_t i = 0; i < items_.count(); ++i) {
      if (!key.admits[items_[i].group]) continue;
      double most = key.pool ? items_[i].replicas : items_[i].most;
      for (std::size_t h = 0; h < dims; ++h) {
        const double demand = items_.mean(i)[h] + per_risk[h] * items_.risk(i)[h];
        weight[h] = demand <= 0 ? 0 : capacity[h] > 0 ? demand / capacity[h] : 2;
        if (weight[h] > 0) most = std::min(most, std::floor((1 + 1e-11) / weight[h]));
      }
      if (most >= 1) result.add(i, weight, most);
    }
    return result;
  }

  const Instance& instance_;
  const PackedItems& items_;
};

/// Makes pools of the mandatory nodes where there are many kinds of them.
void pool_mandatory(KindMap& kinds) {
  const auto mandatory = std::count_if(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.first.mandatory; });
  if (static_cast<std::size_t>(mandatory) <= kMostMandatoryKinds) return;
  std::map<std::vector<bool>, std::vector<double>> pools;
  for (auto at = kinds.begin(); at != kinds.end();) {
    const auto& [key, alike] = *at;
    if (!key.mandatory) {
      ++at;
      continue;
    }
    std::vector<double>& sum = pools[key.admits];
    sum.resize(key.carries.size(), 0.0);
    for (std::size_t h = 0; h < sum.size(); ++h) sum[h] += alike.count * key.carries[h];
    at = kinds.erase(at);
  }
  for (const auto& [admits, sum] : pools) kinds[{0, true, true, sum, admits}] = {1, {}};
}

}  // namespace

NodeKinds::NodeKinds(const Instance& instance, const Supply& supply, const EligibleGroups& groups, const PackedItems& items,
                     NodeCost cost) {
  const auto cost_of = [&](const Supply::Group& group) { return cost == NodeCost::kOne ? 1 : group.price; };
  for (const Supply::Group& group : supply.groups) {
    if (!group.mandatory) cost_unit = std::max(cost_unit, cost_of(group));
  }
  KindMap merged;
  for (std::uint32_t k = 0; k < supply.groups.size(); ++k) {
    const Supply::Group& group = supply.groups[k];
    KindKey key{0, group.mandatory, false, {}, {}};
    if (!group.mandatory && cost_unit > 0) key.cost = cost_of(group) / cost_unit;
    for (const std::uint32_t h : items.dims()) key.carries.push_back(static_cast<double>(group.carries[h]));
    for (std::uint32_t g = 0; g < groups.count(); ++g) key.admits.push_back(groups.admits(g, group));
    Alike& alike = merged[std::move(key)];
    alike.count += group.count == Supply::kEndless ? NodeKind::kEndless : static_cast<double>(group.count);
    if (!group.mandatory) alike.groups.push_back(k);
  }
  pool_mandatory(merged);
  const std::size_t pieces = items.riskiest() == kNone ? 1 : kIntervals;
  if (merged.size() * pieces * items.count() * items.dims().size() > kMostWeights) return;
  const KindBuilder builder(instance, items);
  for (const bool is_endless : {true, false}) {
    for (const auto& [key, alike] : merged) {
      if ((alike.count == NodeKind::kEndless) == is_endless) kinds.push_back(builder.build(key, alike));
    }
    if (is_endless) endless = kinds.size();
  }
}

}  // namespace stowage
