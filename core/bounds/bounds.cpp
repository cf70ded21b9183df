#include "core/bounds/bounds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/hash.h"
#include "core/base/watched.h"
#include "core/bounds/cost_unit.h"
#include "core/model/resident_rows.h"

namespace stowage {

std::vector<std::uint8_t> mandatory_nodes(const Instance& instance, WatchRef watch) {
  std::vector<std::uint8_t> mandatory(instance.listed_nodes(), 0);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (watch.step(1 + instance.scaled_load(n).size() / 4)) return mandatory;
    mandatory[n] = instance.is_loaded(n) ? 1 : 0;
  }
  for (const Residence& p : instance.data().pinned) {
    if (watch.step()) break;
    mandatory[p.node] = 1;
  }
  return mandatory;
}

namespace {

/// Demand that runs or is pinned on listed nodes, asked for node by node.
class HeldDemand {
 public:
  /// @param all total demand, dims() entries
  HeldDemand(const Instance& instance, std::span<const std::int64_t> all, WatchRef watch)
      : instance_(instance),
        all_(all),
        held_(instance.listed_nodes(), {&instance.data().running, &instance.data().pinned}, watch),
        units_(held_.empty() ? 0 : instance.apps()),
        sum_(instance.dims()) {}

  /// Of a node, dims() entries; empty where nothing is there. Other replicas of the same demand may replace those at the start,
  /// so replicas that are too large for any node count in full here. A node holds at most the total demand, which keeps the
  /// sums small.
  std::span<const std::int64_t> on(NodeId node) {
    if (held_.at(node).empty()) return {};
    std::fill(sum_.begin(), sum_.end(), 0);
    for (const auto& [app, replicas] : held_.at(node)) {
      const std::vector<std::int64_t>& demand = units_of(app);
      for (std::size_t h = 0; h < sum_.size(); ++h) {
        sum_[h] = std::min(all_[h], sum_[h] + (demand[h] > all_[h] / replicas ? all_[h] : demand[h] * replicas));
      }
    }
    return sum_;
  }
  /// Steps of a watch that on() takes.
  [[nodiscard]] std::uint64_t steps(NodeId node) const { return sum_.size() * (1 + held_.at(node).size()); }

 private:
  const std::vector<std::int64_t>& units_of(AppId app) {
    std::vector<std::int64_t>& units = units_[app];
    for (std::uint32_t h = 0; units.size() < sum_.size(); ++h) {
      const ResourceId r = instance_.resource_of(h);
      units.push_back(instance_.scale(r).load(instance_.demand(app, r, instance_.period_of(h))));
    }
    return units;
  }

  const Instance& instance_;
  std::span<const std::int64_t> all_;
  ResidentRows held_;
  std::vector<std::vector<std::int64_t>> units_;  // per app, as far as they were asked for
  std::vector<std::int64_t> sum_;
};

/// What tells listed nodes apart beside what they carry: class, whether mandatory, kind of eligibility.
using NodeSort = std::tuple<ClassId, bool, std::uint32_t>;

/// Listed nodes that are alike, in the order in which the first of each group comes.
class AlikeNodes {
 public:
  struct Group {
    NodeSort sort;
    std::vector<std::int64_t> carries;
    NodeId first;
    std::uint64_t count;
  };

  /// @param nodes all that are asked for, at most
  explicit AlikeNodes(std::size_t nodes) : index_(std::bit_ceil(2 * nodes + 1), kNone) {}
  /// A group, for the last time.
  [[nodiscard]] Group take(std::uint32_t k) { return std::move(groups_[k]); }
  /// The group of a node that carries what an empty node of its class does.
  std::uint32_t of_sort(const NodeSort& sort, NodeId node, std::span<const std::int64_t> carries) {
    if (last_ != kNone && groups_[last_].sort == sort) {
      ++groups_[last_].count;
      return last_;
    }
    const auto [at, is_new] = of_sort_.try_emplace(sort, kNone);
    if (is_new) {
      at->second = of(sort, node, carries);
    } else {
      ++groups_[at->second].count;
    }
    last_ = at->second;
    return last_;
  }
  std::uint32_t of(const NodeSort& sort, NodeId node, std::span<const std::int64_t> carries) {
    Hash hash;
    const auto& [node_class, is_mandatory, kind] = sort;
    hash.add((std::uint64_t{node_class} << 32 | kind) ^ (is_mandatory ? ~std::uint64_t{0} : 0));
    for (const std::int64_t one : carries) hash.add(static_cast<std::uint64_t>(one));
    std::size_t at = first_place(hash.value());
    while (index_[at] != kNone && !is_group(index_[at], hash.value(), sort, carries)) at = next_place(at);
    if (index_[at] == kNone) {
      index_[at] = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({sort, {carries.begin(), carries.end()}, node, 0});
      hashes_.push_back(hash.value());
    }
    ++groups_[index_[at]].count;
    return index_[at];
  }
  /// The groups in the order of class, use, capacity and kind; in no order where the watch ends it. As comparisons may read
  /// long rows, few groups are sorted between two looks.
  [[nodiscard]] std::vector<std::uint32_t> sorted(WatchRef watch) const {
    std::vector<std::uint32_t> sorted(groups_.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    constexpr std::size_t kSortedAtOnce = 256;
    for (std::size_t first = 0; first < sorted.size() && !watch.ended(); first += kSortedAtOnce) {
      const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(kSortedAtOnce, sorted.size() - first));
      std::sort(begin, end, [this](std::uint32_t a, std::uint32_t b) { return comes_before(a, b); });
      watch.step(static_cast<std::uint64_t>(end - begin) * (kStepsToSort + groups_[first].carries.size()));
    }
    std::vector<std::uint32_t> merged(sorted.size());
    for (std::size_t run = kSortedAtOnce; run < sorted.size(); run *= 2) {
      std::size_t to = 0;
      while (to < sorted.size()) {
        std::size_t a = to;
        const std::size_t a_end = std::min(a + run, sorted.size());
        std::size_t b = a_end;
        const std::size_t b_end = std::min(b + run, sorted.size());
        while (to < b_end) {
          const bool takes_b = a == a_end || (b < b_end && comes_before(sorted[b], sorted[a]));
          merged[to++] = sorted[takes_b ? b++ : a++];
          if (watch.step(kStepsToSort + groups_[0].carries.size() / 2)) return sorted;
        }
      }
      sorted.swap(merged);
    }
    return sorted;
  }

 private:
  [[nodiscard]] bool comes_before(std::uint32_t a, std::uint32_t b) const {
    const auto& [class_a, is_mandatory_a, kind_a] = groups_[a].sort;
    const auto& [class_b, is_mandatory_b, kind_b] = groups_[b].sort;
    if (class_a != class_b) return class_a < class_b;
    if (is_mandatory_a != is_mandatory_b) return !is_mandatory_a;
    const auto [at_a, at_b] = std::mismatch(groups_[a].carries.begin(), groups_[a].carries.end(), groups_[b].carries.begin());
    return at_a == groups_[a].carries.end() ? kind_a < kind_b : *at_a < *at_b;
  }
  [[nodiscard]] bool is_group(std::uint32_t k, std::uint64_t hash, const NodeSort& sort,
                              std::span<const std::int64_t> carries) const {
    return hashes_[k] == hash && groups_[k].sort == sort &&
           std::equal(carries.begin(), carries.end(), groups_[k].carries.begin(), groups_[k].carries.end());
  }

  // The index has 2^n places, at least twice as many as groups; a group stands at the first free one from the place that its
  // hash gives.
  [[nodiscard]] std::size_t first_place(std::uint64_t hash) const { return hash & (index_.size() - 1); }
  [[nodiscard]] std::size_t next_place(std::size_t place) const { return (place + 1) & (index_.size() - 1); }

  std::vector<Group> groups_;
  std::vector<std::uint64_t> hashes_;  // per group
  std::vector<std::uint32_t> index_;
  std::map<NodeSort, std::uint32_t> of_sort_;
  std::uint32_t last_ = kNone;  // the group that of_sort() gave last
};

}  // namespace

Supply::Supply(const Instance& instance, WatchRef watch) : instance_(&instance), watch_(watch) {
  // The most that a daemon load leaves.
  for (ClassId c = 0; c < instance.classes(); ++c) {
    for (ResourceId r = 0; r < instance.resources(); ++r) capacity_.push_back(most_left(c, r, instance.least_daemon(c, r)));
  }
  bool exact = true;
  for (ResourceId r = 0; r < instance.resources(); ++r) exact = exact && instance.scale(r).exact();
  if (!exact) round_down();
  largest_.assign(instance.dims(), 0);
  left_by_mandatory_.assign(total_demand().begin(), total_demand().end());
  std::vector<std::uint64_t> left(instance.classes());
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const std::uint32_t count = instance.data().classes[c].count;
    left[c] = count == 0 ? kEndless : count;
  }
  is_whole_ = group_listed(left);
  if (!is_whole_) {
    groups.clear();
    group_of.clear();
    return;
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    if (left[c] == 0) continue;
    std::vector<std::int64_t> carries(instance.dims());
    for (std::uint32_t h = 0; h < instance.dims(); ++h) carries[h] = capacity_of(kNone, c, h);
    add({c, left[c], false, std::move(carries), price_of(c)});
  }
}

std::int64_t Supply::most_left(ClassId c, ResourceId r, double daemon) const {
  return std::max<std::int64_t>(0, instance_->scale(r).most_left(instance_->data().classes[c].capacity[r], daemon));
}

std::int64_t Supply::capacity_of(NodeId node, ClassId c, std::uint32_t h) const {
  const ResourceId r = instance_->resource_of(h);
  return instance_->has_daemons() ? most_left(c, r, instance_->daemon(node, c, r, instance_->period_of(h))) : capacity(c, r);
}

void Supply::round_down() {
  const std::uint32_t dims = instance_->dims();
  rounded_total_.assign(dims, 0);
  for (AppId i = 0; i < instance_->apps(); ++i) {
    for (std::uint32_t h = 0; h < dims; ++h) {
      const ResourceId r = instance_->resource_of(h);
      rounded_down_.push_back(instance_->scale(r).least_demand(instance_->demand(i, r, instance_->period_of(h))));
      rounded_total_[h] += std::int64_t{rounded_down_.back()} * instance_->replicas(i);
    }
  }
}

void Supply::add(Group group) {
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
    largest_[h] = std::max(largest_[h], group.carries[h]);
    if (group.mandatory) left_by_mandatory_[h] = left_after(left_by_mandatory_[h], group.carries[h], group.count);
  }
  groups.push_back(std::move(group));
}

// Listed nodes that are equal in all respects form one group. Groups stand in the order of class, use, capacity and kind.
// Whether all of them do: the watch has not ended it.
bool Supply::group_listed(std::vector<std::uint64_t>& left) {
  const Instance& instance = *instance_;
  const std::vector<std::uint8_t> in_use = mandatory_nodes(instance, watch_);
  HeldDemand held(instance, total_demand(), watch_);
  AlikeNodes alike(instance.listed_nodes());
  group_of.reserve(instance.listed_nodes());
  std::vector<std::int64_t> carries;
  if (watch_.ended()) return false;
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (watch_.step(held.steps(n) + kStepsToOpen)) return false;
    const ClassId c = instance.data().node_class[n];
    const NodeSort sort{c, in_use[n] != 0, instance.eligibility().kind(n, c)};
    const bool is_plain = read_listed(n, held.on(n), carries);
    group_of.push_back(is_plain ? alike.of_sort(sort, n, carries) : alike.of(sort, n, carries));
    if (left[c] != kEndless) --left[c];
  }
  const std::vector<std::uint32_t> sorted = alike.sorted(watch_);
  std::vector<std::uint32_t> place(sorted.size());
  groups.reserve(sorted.size() + instance.classes());
  for (std::uint32_t k = 0; k < sorted.size(); ++k) {
    if (watch_.step(instance.dims() + kStepsToOpen)) return false;
    place[sorted[k]] = k;
    AlikeNodes::Group group = alike.take(sorted[k]);
    const auto& [c, is_mandatory, kind] = group.sort;
    if (is_mandatory) mandatory += group.count;
    add({c, group.count, is_mandatory, std::move(group.carries), price_of(c), group.first});
  }
  for (std::uint32_t& group : group_of) {
    if (watch_.step()) return false;
    group = place[group];
  }
  return true;
}

// Writes what a listed node carries. Returns whether that is what an empty node of its class carries.
bool Supply::read_listed(NodeId n, std::span<const std::int64_t> held, std::vector<std::int64_t>& carries) {
  const Instance& instance = *instance_;
  const InstanceData& data = instance.data();
  const std::uint32_t dims = instance.dims();
  const ClassId c = data.node_class[n];
  const auto load = instance.scaled_load(n);
  const bool is_closed = n < data.closed.size() && data.closed[n] != 0;
  const bool is_plain = load.empty() && !instance.has_daemons() && !is_closed;
  carries.resize(dims);
  if (is_plain) {
    bool fits = true;
    for (std::uint32_t h = 0; h < dims; ++h) {
      carries[h] = capacity(c, instance.resource_of(h));
      fits = fits && (held.empty() || held[h] <= carries[h]);
    }
    if (fits) return true;
  }
  bool broken = false;
  for (std::uint32_t h = 0; h < dims; ++h) {
    const ResourceId r = instance.resource_of(h);
    const std::int64_t loaded = load.empty() ? 0 : load[h];
    const std::int64_t rounding = instance.scale(r).exact() ? 0 : 1;
    carries[h] = std::max<std::int64_t>(0, capacity_of(n, c, h) - std::max<std::int64_t>(0, loaded - rounding));
    if (held.empty() || held[h] <= carries[h]) {
      // Nothing comes to a closed node. What it holds of uncertain demand takes more than the mean.
      if (is_closed && !instance.uncertain()) carries[h] = held.empty() ? 0 : held[h];
      continue;
    }
    // Exceeded at the start. The checker's tolerance allows a little more.
    carries[h] = held[h] + (held[h] >> 29) + rounding;
    roomiest_broken_.resize(dims, 0);
    broken = true;
  }
  for (std::uint32_t h = 0; h < dims && broken; ++h) roomiest_broken_[h] = std::max(roomiest_broken_[h], carries[h]);
  return is_plain && !broken;
}

double Supply::mandatory_price() const {
  double sum = 0;
  for (const Group& group : groups) {
    if (group.mandatory) sum += group.price * static_cast<double>(group.count);
  }
  return sum;
}

Carriers fewest_carriers(std::span<const Supply::Group* const> groups, std::uint32_t dim, std::int64_t demand, WatchRef watch) {
  // What one node carries, and the number of such nodes: the order of groups that carry as much makes no difference.
  std::vector<std::pair<std::int64_t, std::uint64_t>> nodes;
  nodes.reserve(groups.size());
  for (const Supply::Group* group : groups) {
    if (watch.step()) return {};
    nodes.emplace_back(group->carries[dim], group->count);
  }
  watched_sort(nodes, watch, [](const auto& a, const auto& b) { return a.first > b.first; });
  Carriers result{0, demand};
  for (const auto& [carries, count] : nodes) {
    if (result.left <= 0 || carries == 0) break;
    const auto needed = static_cast<std::uint64_t>((result.left + carries - 1) / carries);
    const std::uint64_t taken = std::min(needed, count);
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

ComputedBounds compute_bounds(const Instance& instance, std::uint32_t node_limit, WatchRef watch) {
  const Supply supply(instance, watch);
  const CostUnit unit(supply);
  // Small instances have all their bounds in less than the time between two looks.
  const std::uint64_t steps = (std::uint64_t{instance.apps()} + supply.groups.size()) * instance.dims();
  ComputedBounds result;
  BoundValue nodes;
  for (const BoundInfo& info : bound_table()) {
    if (!info_of(info.objective).applies(instance) || (info.function == confidence_bound && !instance.uncertain()) ||
        (info.function == device_bound && instance.devices().empty()) ||
        (info.of_limit == fluid_nodes_bound && !instance.limits_costs())) {
      continue;
    }
    BoundValue value;
    if (!watch.step(steps)) {
      value = info.of_nodes != nullptr   ? info.of_nodes(supply, nodes)
              : info.of_limit != nullptr ? info.of_limit(instance, node_limit, watch)
                                         : info.function(instance, supply);
    }
    // What a bound that was cut short says need not hold.
    if (watch.ended()) value = {};
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
