// Apps that exclude each other, by limits of 0 or by size, in whatever dimension.
//
// Proof sketch. Let no two apps of a set share a node. Then their nodes are different ones: an app takes at least one, and one
// per replica where no two of its replicas share a node. The sum is a lower bound for every complete plan. Such sets are found
// greedily, in several orders; each is valid.

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/bounds/exclusion/exclusion.h"

namespace stowage {
namespace {

/// Apps that are looked at, and pairs of them, at most.
constexpr std::size_t kMostApps = 1000;
constexpr std::uint64_t kMostPairs = 200'000;
/// Begins with each of the first apps of an order.
constexpr std::size_t kBeginnings = 4;
/// A first clique this many times smaller than Eq. 4 says that the others are not worth the time.
constexpr double kFarBelow = 2;
/// Apps that the first clique looks at.
constexpr std::size_t kFirstApps = 200;

class GreedyCliques {
 public:
  GreedyCliques(const Exclusion& exclusion, std::vector<std::uint64_t> weight)
      : exclusion_(exclusion), weight_(std::move(weight)) {}

  [[nodiscard]] std::uint64_t best() const { return best_; }

  /// Apps join in this order, those that can.
  void try_order(const std::vector<std::uint32_t>& order, std::size_t beginnings) {
    for (std::size_t begin = 0; begin < std::min(beginnings, order.size()); ++begin) {
      members_.assign(1, order[begin]);
      std::uint64_t sum = weight_[order[begin]];
      for (const std::uint32_t a : order) {
        if (pairs_left_ == 0) break;
        if (a != order[begin] && joins(a)) sum += weight_[a];
      }
      best_ = std::max(best_, sum);
    }
  }

 private:
  bool joins(std::uint32_t a) {
    for (const std::uint32_t b : members_) {
      if (pairs_left_ == 0) return false;
      --pairs_left_;
      if (!exclusion_.excludes(a, b)) return false;
    }
    members_.push_back(a);
    return true;
  }

  const Exclusion& exclusion_;
  std::vector<std::uint64_t> weight_;
  std::vector<std::uint32_t> members_;
  std::uint64_t best_ = 0;
  std::uint64_t pairs_left_ = kMostPairs;
};

// Apps that may be in a large clique: those above half a node, and those with most neighbours in the affinity graph.
std::vector<AppId> candidates(const Instance& instance, const Supply& supply) {
  const LimitRows& rows = instance.limit_rows();
  std::vector<AppId> apps = apps_above(instance, supply, 2);
  std::vector<std::uint8_t> is_large(instance.apps(), 0);
  for (const AppId i : apps) is_large[i] = 1;
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (is_large[i] == 0 && instance.replicas(i) > 0 && rows.degree(i) > 0) apps.push_back(i);
  }
  const auto weight = [&](AppId i) {
    return (rows.degree(i) + 1.0) * (is_large[i] != 0 || rows.self_limit(i) == 1 ? instance.replicas(i) : 1);
  };
  if (apps.size() > kMostApps) {
    std::nth_element(apps.begin(), apps.begin() + kMostApps, apps.end(),
                     [&](AppId a, AppId b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
    apps.resize(kMostApps);
    std::sort(apps.begin(), apps.end());
  }
  return apps;
}

}  // namespace

BoundValue clique_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  const std::vector<AppId> apps = candidates(instance, supply);
  if (apps.empty()) return best;
  const LimitRows& rows = instance.limit_rows();
  const Exclusion exclusion(instance, supply, apps);
  std::vector<std::uint64_t> weight;
  for (std::uint32_t a = 0; a < apps.size(); ++a) weight.push_back(exclusion.excludes(a, a) ? instance.replicas(apps[a]) : 1);
  GreedyCliques cliques(exclusion, weight);
  const auto try_by = [&](const auto& key, std::size_t beginnings = kBeginnings, std::size_t most = kMostApps) {
    std::vector<std::pair<double, std::uint32_t>> keys;
    for (std::uint32_t a = 0; a < apps.size(); ++a) keys.emplace_back(-key(a), a);
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const auto& of : keys) order.push_back(of.second);
    order.resize(std::min(most, order.size()));
    cliques.try_order(order, beginnings);
  };
  const auto by_weight = [&](std::uint32_t a) { return static_cast<double>(weight[a]) * (rows.degree(apps[a]) + 1); };
  try_by(by_weight, 1, kFirstApps);
  if (static_cast<double>(cliques.best()) * kFarBelow > capacity_bound(instance, supply).value) {
    try_by([&](std::uint32_t a) { return exclusion.largest_share(a); });
    try_by([&](std::uint32_t a) { return exclusion.sum_of_shares(a); });
    try_by([&](std::uint32_t a) { return static_cast<double>(rows.degree(apps[a])); });
    try_by(by_weight);
  }
  best.value = std::max(best.value, static_cast<double>(cliques.best()));
  return best;
}

}  // namespace stowage
