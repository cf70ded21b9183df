#include "core/bounds/bounds.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/bounds/cost_unit.h"

namespace stowage {

std::vector<std::uint8_t> mandatory_nodes(const Instance& instance) {
  std::vector<std::uint8_t> mandatory(instance.listed_nodes(), 0);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) mandatory[n] = instance.is_loaded(n) ? 1 : 0;
  for (const Residence& p : instance.data().pinned) mandatory[p.node] = 1;
  return mandatory;
}

Supply::Supply(const Instance& instance) : instance_(&instance) {
  const InstanceData& data = instance.data();
  const std::uint32_t dims = instance.dims();
  // The most that a daemon load leaves.
  const auto most_left = [&](ClassId c, ResourceId r, double daemon) {
    return std::max<std::int64_t>(0, instance.scale(r).most_left(data.classes[c].capacity[r], daemon));
  };
  for (ClassId c = 0; c < instance.classes(); ++c) {
    for (ResourceId r = 0; r < instance.resources(); ++r) capacity_.push_back(most_left(c, r, instance.least_daemon(c, r)));
  }
  // The same of a node and period.
  const auto capacity_of = [&](NodeId node, ClassId c, std::uint32_t h) {
    const ResourceId r = instance.resource_of(h);
    return instance.has_daemons() ? most_left(c, r, instance.daemon(node, c, r, instance.period_of(h))) : capacity(c, r);
  };
  bool exact = true;
  for (ResourceId r = 0; r < instance.resources(); ++r) exact = exact && instance.scale(r).exact();
  if (!exact) {
    rounded_total_.assign(dims, 0);
    for (AppId i = 0; i < instance.apps(); ++i) {
      for (std::uint32_t h = 0; h < dims; ++h) {
        const ResourceId r = instance.resource_of(h);
        rounded_down_.push_back(instance.scale(r).least_demand(instance.demand(i, r, instance.period_of(h))));
        rounded_total_[h] += std::int64_t{rounded_down_.back()} * instance.replicas(i);
      }
    }
  }
  const auto price = [&](ClassId c) { return instance.has_prices() ? data.classes[c].price : 0.0; };

  std::vector<std::uint64_t> left(instance.classes());
  for (ClassId c = 0; c < instance.classes(); ++c) left[c] = data.classes[c].count == 0 ? kEndless : data.classes[c].count;

  // Demand that runs or is pinned on each listed node.
  const std::uint32_t listed = instance.listed_nodes();
  std::vector<std::vector<std::int64_t>> held(listed);
  const std::vector<std::uint8_t> in_use = mandatory_nodes(instance);
  // Other replicas of the same demand may replace those at the start, so replicas that are too large for any node count in full
  // here. A node holds at most the total demand, which keeps the sums small.
  const auto hold = [&](const std::vector<Residence>& list) {
    for (const Residence& r : list) {
      if (held[r.node].empty()) held[r.node].assign(dims, 0);
      for (std::uint32_t h = 0; h < dims; ++h) {
        const ResourceId resource = instance.resource_of(h);
        const std::int64_t all = total_demand()[h];
        const std::int64_t demand = instance.scale(resource).load(instance.demand(r.app, resource, instance.period_of(h)));
        held[r.node][h] = std::min(all, held[r.node][h] + (demand > all / r.replicas ? all : demand * r.replicas));
      }
    }
  };
  hold(data.running);
  hold(data.pinned);

  // Listed nodes that are equal in all respects form one group.
  std::map<std::tuple<ClassId, bool, std::vector<std::int64_t>, std::uint32_t>, std::vector<NodeId>> alike;
  for (NodeId n = 0; n < listed; ++n) {
    const ClassId c = data.node_class[n];
    const auto load = instance.scaled_load(n);
    std::vector<std::int64_t> carries(dims);
    bool broken = false;
    for (std::uint32_t h = 0; h < dims; ++h) {
      const ResourceId r = instance.resource_of(h);
      const std::int64_t loaded = load.empty() ? 0 : load[h];
      const std::int64_t rounding = instance.scale(r).exact() ? 0 : 1;
      carries[h] = std::max<std::int64_t>(0, capacity_of(n, c, h) - std::max<std::int64_t>(0, loaded - rounding));
      if (held[n].empty() || held[n][h] <= carries[h]) {
        // Nothing comes to a closed node. What it holds of uncertain demand takes more than the mean.
        if (n < data.closed.size() && data.closed[n] != 0 && !instance.uncertain()) {
          carries[h] = held[n].empty() ? 0 : held[n][h];
        }
        continue;
      }
      // Exceeded at the start. The checker's tolerance allows a little more.
      carries[h] = held[n][h] + (held[n][h] >> 29) + rounding;
      roomiest_broken_.resize(dims, 0);
      broken = true;
    }
    for (std::uint32_t h = 0; h < dims && broken; ++h) roomiest_broken_[h] = std::max(roomiest_broken_[h], carries[h]);
    alike[{c, in_use[n] != 0, carries, instance.eligibility().kind(n, c)}].push_back(n);
    if (left[c] != kEndless) --left[c];
  }
  group_of.resize(listed);
  for (const auto& [key, same] : alike) {
    const auto& [c, is_mandatory, carries, kind] = key;
    for (const NodeId n : same) group_of[n] = static_cast<std::uint32_t>(groups.size());
    groups.push_back({c, same.size(), is_mandatory, carries, price(c), same.front()});
    if (is_mandatory) mandatory += same.size();
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    if (left[c] == 0) continue;
    std::vector<std::int64_t> carries(dims);
    for (std::uint32_t h = 0; h < dims; ++h) carries[h] = capacity_of(kNone, c, h);
    groups.push_back({c, left[c], false, std::move(carries), price(c)});
  }
}

std::int64_t Supply::left_by_mandatory(std::uint32_t dim) const {
  std::int64_t left = total_demand()[dim];
  for (const Group& group : groups) {
    if (group.mandatory) left = left_after(left, group.carries[dim], group.count);
  }
  return left;
}

double Supply::mandatory_price() const {
  double sum = 0;
  for (const Group& group : groups) {
    if (group.mandatory) sum += group.price * static_cast<double>(group.count);
  }
  return sum;
}

std::int64_t Supply::largest(std::uint32_t dim) const {
  std::int64_t result = 0;
  for (const Group& group : groups) result = std::max(result, group.carries[dim]);
  return result;
}

Carriers fewest_carriers(std::vector<const Supply::Group*>& groups, std::uint32_t dim, std::int64_t demand) {
  if (groups.size() > 1) {
    std::stable_sort(groups.begin(), groups.end(),
                     [dim](const Supply::Group* a, const Supply::Group* b) { return a->carries[dim] > b->carries[dim]; });
  }
  Carriers result{0, demand};
  for (const Supply::Group* group : groups) {
    const std::int64_t carries = group->carries[dim];
    if (result.left <= 0 || carries == 0) break;
    const auto needed = static_cast<std::uint64_t>((result.left + carries - 1) / carries);
    const std::uint64_t taken = std::min(needed, group->count);
    result.nodes += taken;
    result.left -= static_cast<std::int64_t>(taken) * carries;
  }
  return result;
}

std::span<const BoundInfo> bound_table() {
  static constexpr BoundInfo kTable[] = {
      {"capacity", Objective::kNodes, "P0, section 5.1, Eq. 4", capacity_bound},
      {"dual-feasible", Objective::kNodes, "Martello and Toth 1990, L2", dual_feasible_bound},
      {"devices", Objective::kNodes, "Martello and Toth 1990, L2, over devices", device_bound},
      {"solitary", Objective::kNodes, "P0, section 5.1, Eq. 4, beside what takes a node alone", solitary_bound},
      {"replicas", Objective::kNodes, "P0, section 3.2, Eq. 1", replica_bound},
      {"matching", Objective::kNodes, "a largest matching (Edmonds 1965) of replicas no three of which share a node",
       matching_bound},
      {"clique", Objective::kNodes, "greedy cliques of apps that exclude each other", clique_bound},
      {"lagrangian", Objective::kNodes, "Lagrangian relaxation of all resources and periods", lagrangian_bound},
      {"confidence", Objective::kNodes, "linear relaxation of P1, Eq. 3", confidence_bound},
      {"side-effects", Objective::kNodes, "fluid relaxation of P4's model within limits on costs", nullptr, nullptr,
       fluid_nodes_bound},
      {"price", Objective::kCost, "linear relaxation of one resource and period", price_bound},
      {"lagrangian-price", Objective::kCost, "Lagrangian relaxation of all resources and periods", lagrangian_price_bound},
      {"cheapest-nodes", Objective::kCost, "the fewest nodes at the lowest prices", nullptr, cheapest_nodes_bound},
      {"ucac", Objective::kUcac, "linear relaxation of P1, Eq. 6", ucac_bound},
      {"largest-replica", Objective::kWorst, "P4, section 6", nullptr, nullptr, largest_replica_bound},
      {"fluid", Objective::kWorst, "fluid relaxation of P4's model over sets of kinds", nullptr, nullptr, fluid_bound},
      {"pairs", Objective::kWorst, "a matching (Edmonds 1965) of replicas no three of which share a node", nullptr, nullptr,
       pair_cost_bound},
      {"traffic-pairs", Objective::kTraffic, "what a node has room for, pair by pair", traffic_pair_bound},
  };
  return kTable;
}

ComputedBounds compute_bounds(const Instance& instance, std::uint32_t node_limit) {
  const Supply supply(instance);
  const CostUnit unit(supply);
  ComputedBounds result;
  BoundValue nodes;
  for (const BoundInfo& info : bound_table()) {
    if (!info_of(info.objective).applies(instance) || (info.function == confidence_bound && !instance.uncertain()) ||
        (info.function == device_bound && instance.devices().empty()) ||
        (info.of_limit == fluid_nodes_bound && !instance.limits_costs())) {
      continue;
    }
    BoundValue value = info.of_nodes != nullptr   ? info.of_nodes(supply, nodes)
                       : info.of_limit != nullptr ? info.of_limit(instance, node_limit)
                                                  : info.function(instance, supply);
    if (info.objective == Objective::kNodes && value.value > nodes.value) nodes = value;
    if (info.objective == Objective::kCost) value.value = unit.round_up(value.value);
    result.infeasible = result.infeasible || value.infeasible;
    result.of[info.objective].push_back({&info, value});
  }
  const auto better = [](const ComputedBound& a, const ComputedBound& b) { return a.value.value > b.value.value; };
  for (const ObjectiveInfo& info : objective_table()) {
    std::vector<ComputedBound>& bounds = result.of[info.objective];
    std::stable_sort(bounds.begin(), bounds.end(), better);
  }
  return result;
}

void add_bound(const BoundInfo& info, double value, ComputedBounds& bounds) {
  std::vector<ComputedBound>& all = bounds.of[info.objective];
  const auto at = std::find_if(all.begin(), all.end(), [&](const ComputedBound& b) { return b.value.value < value; });
  all.insert(at, {&info, {value, kNone, kNone, false}});
}

}  // namespace stowage
