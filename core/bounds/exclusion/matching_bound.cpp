// Pairs of large replicas. Where replicas are so large that no three of them fit a node, what counts is which two of them do,
// and they may be kept apart by different resources: per resource, they may look small.
//
// Proof sketch. Let L be replicas of which no three share a node. In a complete plan, a node has at most two of them. The nodes
// with two are a matching in the graph of pairs that may share a node, so there are at most M of them, where M is the size of a
// largest matching (Edmonds 1965). So L takes at least |L| - M nodes, whatever else sits there. This holds for any L; here,
// apps join L by descending size while no three of its replicas fit together. Sums of demand are exact.
//
// On a given number of nodes, L must have enough pairs. Side effects cost a pair at least what each of the two suffers from
// both, since other replicas only add to that. So who suffers most costs at least the least limit for which the pairs that cost
// no more have a matching that is large enough. Where no three replicas of the instance share a node, no other constraint
// binds, and the matching is finished, that is the least worst cost.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/graph_matching.h"
#include "core/base/sort_by.h"
#include "core/bounds/exclusion/exclusion.h"
#include "core/plan/side_effects.h"

namespace stowage {
namespace {

/// Replicas in L, at most.
constexpr std::uint64_t kMostLarge = 1500;
/// Apps of which no replica takes more than this part of a node in any dimension do not join.
constexpr std::int64_t kLeastPart = 4;
/// Sets of three that are looked at, and steps of the matching, at most.
constexpr std::uint64_t kMostTriples = 400'000;
constexpr std::uint64_t kMatchingSteps = 4'000'000;
/// Pairs of replicas that all matchings of pair_cost_bound() look at, at most: that takes up to 20 ms.
constexpr std::uint64_t kMostMatchedPairs = 4'000'000;
/// Sums of shares are rounded.
constexpr double kMatchingRounding = 1e-9;
constexpr double kAnyCost = std::numeric_limits<double>::infinity();

// L, and for each of its apps those of L that may share a node with it.
class LargeApps {
 public:
  LargeApps(const Instance& instance, std::span<const AppId> apps, const Exclusion& exclusion, WatchRef watch)
      : instance_(instance), apps_(apps), exclusion_(exclusion), watch_(watch), beside_(apps.size()) {
    for (std::uint32_t a = 0; a < apps.size(); ++a) sum_.push_back(exclusion.sum_of_shares(a));
  }

  /// Joins apps in this order, those that can.
  void join_all(const std::vector<std::uint32_t>& order) {
    std::uint64_t replicas = 0;
    for (const std::uint32_t a : order) {
      if (triples_left_ == 0) return;
      replicas += instance_.replicas(apps_[a]);
      if (replicas > kMostLarge) return;
      if (!join(a)) replicas -= instance_.replicas(apps_[a]);
    }
  }

  [[nodiscard]] std::uint64_t replicas() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t a : members_) sum += instance_.replicas(apps_[a]);
    return sum;
  }
  /// What pairs that may share a node cost the one of the two who suffers more, each value once, the least first.
  [[nodiscard]] std::vector<double> pair_costs() const {
    std::vector<double> costs;
    for (const std::uint32_t a : members_) {
      for (const std::uint32_t b : beside_[a]) {
        if (b >= a) costs.push_back(pair_cost(a, b));
      }
    }
    std::sort(costs.begin(), costs.end());
    costs.erase(std::unique(costs.begin(), costs.end()), costs.end());
    return costs;
  }

  /// The fewest nodes of L where no pair may cost more.
  /// @param pairs adds the number of pairs that were looked at
  [[nodiscard]] std::uint64_t fewest_nodes(double most_cost, std::uint64_t& pairs) const {
    std::vector<std::uint32_t> first(apps_.size(), 0);
    std::uint32_t size = 0;
    for (const std::uint32_t a : members_) {
      first[a] = size;
      size += instance_.replicas(apps_[a]);
    }
    std::vector<std::vector<std::uint32_t>> neighbours(size);
    for (const std::uint32_t a : members_) {
      for (const std::uint32_t b : beside_[a]) {
        if (std::isfinite(most_cost) && pair_cost(a, b) > most_cost) continue;
        if (watch_.step(std::uint64_t{instance_.replicas(apps_[a])} * instance_.replicas(apps_[b]))) return 0;
        for (std::uint32_t k = 0; k < instance_.replicas(apps_[a]); ++k) {
          for (std::uint32_t l = 0; l < instance_.replicas(apps_[b]); ++l) {
            if (a != b || k != l) neighbours[first[a] + k].push_back(first[b] + l);
          }
        }
      }
    }
    for (const std::vector<std::uint32_t>& list : neighbours) pairs += list.size();
    return size - largest_matching(neighbours, kMatchingSteps, watch_).most;
  }

 private:
  [[nodiscard]] double pair_cost(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t t = instance_.kind(apps_[a]);
    const std::uint32_t u = instance_.kind(apps_[b]);
    const double load_a = instance_.interfering_load(apps_[a]);
    const double load_b = instance_.interfering_load(apps_[b]);
    return std::max(instance_.coefficient(t, t) * load_a + instance_.coefficient(t, u) * load_b,
                    instance_.coefficient(u, u) * load_b + instance_.coefficient(u, t) * load_a);
  }
  bool join(std::uint32_t a) {
    std::vector<std::uint32_t> beside;
    for (const std::uint32_t b : members_) {
      if (!exclusion_.excludes(a, b)) beside.push_back(b);
    }
    const bool twice = instance_.replicas(apps_[a]) > 1 && !exclusion_.excludes(a, a);
    if (twice) beside.push_back(a);
    // Where shares of three exceed the number of dimensions, some dimension is exceeded.
    const double least = std::min(least_, sum_[a]);
    const double most = instance_.dims() * (1 + kMatchingRounding);
    for (std::size_t k = 0; k < beside.size(); ++k) {
      if (sum_[a] + sum_[beside[k]] + least > most) continue;
      for (std::size_t l = k; l < beside.size(); ++l) {
        if (is_triple(a, beside[k], beside[l])) return false;
      }
    }
    if (triples_left_ == 0) return false;
    for (const std::uint32_t b : beside) {
      beside_[a].push_back(b);
      if (b != a) beside_[b].push_back(a);
    }
    members_.push_back(a);
    least_ = least;
    return true;
  }
  // Whether three replicas, one of each, may share a node.
  bool is_triple(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (watch_.step()) triples_left_ = 0;
    if (triples_left_ == 0) return false;
    --triples_left_;
    const auto replicas = [&](std::uint32_t app) { return instance_.replicas(apps_[app]); };
    const std::uint32_t needed_of_b = 1 + (a == b ? 1 : 0) + (b == c ? 1 : 0);
    if (needed_of_b > replicas(b) || (a == c && replicas(a) < (b == c ? 3u : 2u))) return false;
    return !exclusion_.too_large(a, b, c) && !exclusion_.excludes(b, c);
  }

  const Instance& instance_;
  std::span<const AppId> apps_;
  const Exclusion& exclusion_;
  WatchRef watch_;
  std::vector<double> sum_;                                 // per app: of shares over dimensions
  double least_ = std::numeric_limits<double>::infinity();  // of the members' sums
  std::vector<std::uint32_t> members_;
  std::vector<std::vector<std::uint32_t>> beside_;
  std::uint64_t triples_left_ = kMostTriples;
};

}  // namespace

BoundValue pair_cost_bound(const Instance& instance, std::uint32_t node_limit, WatchRef watch) {
  const std::uint32_t nodes = most_nodes(instance, node_limit);
  if (nodes == kNone || instance.total_replicas() <= nodes) return {};
  const Supply supply(instance, watch);
  if (!supply.is_whole()) return {};
  const std::vector<AppId> apps = apps_above(instance, supply, kLeastPart);
  const Exclusion exclusion(instance, supply, apps);
  std::vector<double> share(apps.size());
  for (std::uint32_t a = 0; a < apps.size(); ++a) share[a] = exclusion.sum_of_shares(a);
  std::vector<std::uint32_t> order(apps.size());
  std::iota(order.begin(), order.end(), 0u);
  sort_by_largest(order, share);
  LargeApps large(instance, apps, exclusion, supply.watch());
  large.join_all(order);
  if (large.replicas() <= nodes) return {};
  const std::vector<double> costs = large.pair_costs();
  // The first cost for which the nodes may suffice. If no cost does, nothing is said here.
  std::size_t first = 0;
  std::size_t last = costs.size();
  for (std::uint64_t pairs = 0; first < last && pairs < kMostMatchedPairs && !watch.ended();) {
    const std::size_t middle = first + (last - first) / 2;
    if (large.fewest_nodes(costs[middle], pairs) > nodes) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first == costs.size() ? BoundValue{} : BoundValue{costs[first]};
}

BoundValue matching_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  std::vector<AppId> apps = apps_above(instance, supply, kLeastPart);
  std::uint64_t replicas = 0;
  for (const AppId i : apps) replicas += instance.replicas(i);
  // L takes no more nodes than it has replicas: with fewer than Eq. 4 asks for, it is of no use.
  if (static_cast<double>(std::min(replicas, kMostLarge)) <= capacity_bound(instance, supply).value) return best;
  const Exclusion exclusion(instance, supply, apps);
  for (const bool by_sum : {false, true}) {
    std::vector<std::pair<double, std::uint32_t>> sizes;
    for (std::uint32_t a = 0; a < apps.size(); ++a)
      sizes.emplace_back(by_sum ? -exclusion.sum_of_shares(a) : -exclusion.largest_share(a), a);
    std::sort(sizes.begin(), sizes.end());
    std::vector<std::uint32_t> order;
    order.reserve(sizes.size());
    for (const auto& size : sizes) order.push_back(size.second);
    LargeApps large(instance, apps, exclusion, supply.watch());
    large.join_all(order);
    std::uint64_t pairs = 0;
    best.value = std::max(best.value, static_cast<double>(large.fewest_nodes(kAnyCost, pairs)));
  }
  return best;
}

}  // namespace stowage
