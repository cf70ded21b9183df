// Proof. Let a node hold x of the d replicas of one app and y of the e replicas of the other. It keeps the share
// min(x / d, y / e) of their traffic. Its room for both limits x where y is given, so that no node keeps more than the most
// over all y. Of the second app, y replicas keep at most y times the most that one of them keeps, over all nodes and y. So a
// pair keeps at most the sum over the nodes, and at most e times that most per replica. Each pair by itself relaxes the
// problem, and replicas that are left over keep nothing.
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {
namespace {

/// Numbers of replicas that are tried, in all: instances may have many pairs, and many kinds of nodes. Pairs that come after
/// that count as if all of their traffic stayed.
constexpr std::uint64_t kMostTriedCounts = 4'000'000;

using Row = std::span<const std::int64_t>;

/// Most replicas, at most `wanted`, of which each demands `demand`, beside `taken` replicas that demand `other`.
template <class Demand>
std::uint64_t room_beside(Row carries, Demand demand, std::uint64_t wanted, Demand other, std::uint64_t taken) {
  std::int64_t room = static_cast<std::int64_t>(wanted);
  for (std::size_t h = 0; h < carries.size(); ++h) {
    const std::int64_t left = carries[h] - static_cast<std::int64_t>(taken) * other[h];
    if (left < 0) return 0;
    if (demand[h] > 0) room = std::min(room, left / demand[h]);
  }
  return static_cast<std::uint64_t>(room);
}

/// The largest share of the traffic of a pair that all nodes together keep.
template <class Demand>
double largest_share(const Supply& supply, Demand many, std::uint64_t of_many, Demand few, std::uint64_t of_few,
                     std::uint64_t& tried) {
  const auto d = static_cast<double>(of_many);
  const auto e = static_cast<double>(of_few);
  double by_nodes = 0;
  double per_replica = 0;
  for (const Supply::Group& group : supply.groups) {
    double most = 0;
    // Nodes keep less and less of the first app's share, and more and more of the second one's.
    for (std::uint64_t y = 1; y <= of_few; ++y) {
      if (++tried > kMostTriedCounts || supply.ends(group.carries.size())) return 1;
      const auto x = static_cast<double>(room_beside<Demand>(group.carries, many, of_many, few, y));
      const double share = std::min(x / d, static_cast<double>(y) / e);
      most = std::max(most, share);
      per_replica = std::max(per_replica, share / static_cast<double>(y));
      if (x / d <= most) break;
    }
    by_nodes += most * static_cast<double>(group.count);
  }
  return std::min({1.0, by_nodes, per_replica * e});
}

}  // namespace

std::vector<double> traffic_pair_shares(const Instance& instance, const Supply& supply) {
  std::vector<double> shares;
  std::uint64_t tried = 0;
  supply.visit_demand([&](const auto& demand_of) {
    for (const Traffic& one : instance.data().traffic) {
      AppId many = one.app;
      AppId few = one.peer;
      if (instance.replicas(many) < instance.replicas(few)) std::swap(many, few);
      if (!(one.amount > 0) || instance.replicas(few) == 0) continue;
      shares.push_back(tried > kMostTriedCounts ? 1
                                                : largest_share(supply, demand_of(many), instance.replicas(many),
                                                                demand_of(few), instance.replicas(few), tried));
    }
  });
  return shares;
}

BoundValue traffic_pair_bound(const Instance& instance, const Supply& supply) {
  const std::vector<double> shares = traffic_pair_shares(instance, supply);
  double remote = 0;
  std::size_t k = 0;
  for (const Traffic& one : instance.data().traffic) {
    if (!(one.amount > 0) || instance.replicas(one.app) == 0 || instance.replicas(one.peer) == 0) continue;
    remote += one.amount * (1 - shares[k++]);
  }
  // Shares are rounded.
  return {std::max(0.0, remote * (1 - kValueTolerance))};
}

}  // namespace stowage
