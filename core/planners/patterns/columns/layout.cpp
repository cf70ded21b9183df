#include "core/planners/patterns/columns/layout.h"

#include <algorithm>

#include "core/measures/order.h"
#include "core/placement/placement.h"

namespace stowage {

bool Subproblem::wants_any() const {
  return std::any_of(wanted.begin(), wanted.end(), [](std::uint32_t n) { return n > 0; });
}

template <class Unit>
StateGroups::StateGroups(const Instance& instance, const Placement<Unit>& start)
    : instance_(instance),
      contents_(start.contents()),
      group_of_(instance.listed_nodes(), kNone),
      class_group_(instance.classes(), kNone) {
  group_listed(start);
  std::uint64_t wanted = 0;
  for (AppId i = 0; i < instance.apps(); ++i) wanted += start.unplaced(i);
  group_new(wanted);
  known_.clear();
}

std::uint32_t StateGroups::group_for(NodeState state) {
  std::vector<std::int64_t> key = {state.node_class, state.in_use ? 1 : 0};
  key.insert(key.end(), state.left.begin(), state.left.end());
  key.insert(key.end(), state.risk.begin(), state.risk.end());
  key.insert(key.end(), state.at_most.begin(), state.at_most.end());
  const auto [at, fresh] = known_.try_emplace(std::move(key), static_cast<std::uint32_t>(groups_.size()));
  if (fresh) groups_.push_back({std::move(state), {}, 0});
  return at->second;
}

template <class Unit>
void StateGroups::group_listed(const Placement<Unit>& start) {
  const InstanceData& data = instance_.data();
  const LimitRows& rows = instance_.limit_rows();
  const bool uncertain = instance_.uncertain();
  for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
    if (!data.closed.empty() && data.closed[n] != 0) continue;
    NodeState state{data.node_class[n], start.used(n), {}, {}, {}};
    if (rows.self_limit_count() > 0) state.at_most.assign(instance_.apps(), kNone);
    bool broken = false;
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      state.left.push_back(uncertain ? start.residuals().mean_left(n, r) : std::int64_t{start.residuals().residual(n, r)});
      state.risk.push_back(uncertain ? start.residuals().risk(n, r) : 0);
      broken = broken || state.left[r] < 0 || (uncertain && instance_.risk_room(state.left[r], r) < state.risk[r]);
    }
    exceeded_ = exceeded_ || broken;
    if (broken) continue;
    for (AppId i = 0; i < instance_.apps() && rows.self_limit_count() > 0; ++i) {
      const std::uint32_t limit = rows.self_limit(i);
      if (limit == kNone) continue;
      const std::uint32_t here = contents_.count(i, n);
      state.at_most[i] = limit > here ? limit - here : 0;
    }
    group_of_[n] = group_for(std::move(state));
    groups_[group_of_[n]].nodes.push_back(n);
  }
}

// More new nodes than wanted replicas are of no use.
void StateGroups::group_new(std::uint64_t wanted) {
  const InstanceData& data = instance_.data();
  const LimitRows& rows = instance_.limit_rows();
  std::vector<std::uint64_t> listed(instance_.classes(), 0);
  for (const ClassId c : data.node_class) ++listed[c];
  for (const ClassId c : class_order(instance_)) {
    const std::uint64_t count = data.classes[c].count == 0 ? wanted : data.classes[c].count - listed[c];
    if (count == 0) continue;
    NodeState state{c, false, {}, std::vector<std::int64_t>(instance_.resources(), 0), {}};
    const auto load = instance_.scaled_standing(kNone, c);
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      state.left.push_back(std::int64_t{instance_.scaled_capacity(c)[r]} - (load.empty() ? 0 : load[r]));
    }
    for (AppId i = 0; i < instance_.apps() && rows.self_limit_count() > 0; ++i) state.at_most.push_back(rows.self_limit(i));
    class_group_[c] = group_for(std::move(state));
    groups_[class_group_[c]].anonymous += std::min(count, wanted);
  }
}

Layout StateGroups::layout_of(const Plan& plan) const {
  std::vector<Pattern> added(plan.nodes.size(), Pattern(instance_.apps(), 0));
  for (const Placed& p : plan.placed) {
    const NodeId listed = plan.nodes[p.node].listed;
    added[p.node][p.app] = p.replicas - (listed == kNone ? 0 : contents_.count(p.app, listed));
  }
  Layout layout;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    if (std::all_of(added[n].begin(), added[n].end(), [](std::uint32_t k) { return k == 0; })) continue;
    const PlannedNode& node = plan.nodes[n];
    const std::uint32_t group = node.listed == kNone ? class_group_[node.node_class] : group_of_[node.listed];
    // What an exceeded node takes needs nothing of what is exceeded; no pattern stands for it.
    if (group != kNone) layout[{group, std::move(added[n])}] += node.copies;
  }
  return layout;
}

std::vector<Tenant> StateGroups::tenants_with(std::uint32_t group, const Pattern& added) const {
  const std::vector<NodeId>& nodes = groups_[group].nodes;
  std::vector<Tenant> result;
  for (AppId i = 0; i < added.size(); ++i) {
    const std::uint32_t replicas = added[i] + (nodes.empty() ? 0 : contents_.count(i, nodes.front()));
    if (replicas > 0) result.push_back({i, replicas});
  }
  return result;
}

template StateGroups::StateGroups(const Instance&, const Placement<std::int16_t>&);
template StateGroups::StateGroups(const Instance&, const Placement<std::int32_t>&);

}  // namespace stowage
