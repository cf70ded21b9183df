#include "core/planners/shards/shard.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace stowage {
namespace {

/// Rows of `all` for some keys, in their order.
template <class Keys, class KeyOf>
IndexRows some_rows(const IndexRows& all, const Keys& keys, KeyOf&& key_of) {
  IndexRows some;
  if (all.empty()) return some;
  some.begin.push_back(0);
  for (const auto& one : keys) {
    const std::uint32_t key = key_of(one);
    some.index.insert(some.index.end(), all.index.begin() + all.begin[key], all.index.begin() + all.begin[key + 1]);
    some.begin.push_back(static_cast<std::uint32_t>(some.index.size()));
  }
  return some;
}

/// Entries of a column of `all` rows for some keys; empty where the column is.
template <class T, class Keys, class KeyOf>
std::vector<T> some_cells(const std::vector<T>& column, std::size_t all, const Keys& keys, KeyOf&& key_of) {
  std::vector<T> some;
  if (column.empty()) return some;
  const std::size_t width = column.size() / all;
  some.reserve(keys.size() * width);
  for (const auto& one : keys) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(key_of(one) * width);
    some.insert(some.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return some;
}

std::uint32_t app_of(const AppShare& one) { return one.app; }
std::uint32_t node_itself(NodeId node) { return node; }

/// Limits between the apps of a share, as columns.
struct ShareLimits {
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> app;
  std::vector<std::uint32_t> at_most;
  [[nodiscard]] LimitColumns columns() const { return {row_begin, app, at_most}; }
};

ShareLimits limits_between(const Instance& whole, const std::vector<AppShare>& apps) {
  const LimitRows& rows = whole.limit_rows();
  ShareLimits limits;
  if (rows.arc_count() == 0 && rows.self_limit_count() == 0) return limits;
  std::vector<AppId> own(whole.apps(), kNone);  // per app of the whole instance: its index
  for (std::size_t k = 0; k < apps.size(); ++k) own[apps[k].app] = static_cast<AppId>(k);
  limits.row_begin.push_back(0);
  const auto add = [&](AppId app, std::uint32_t at_most) {
    limits.app.push_back(app);
    limits.at_most.push_back(at_most);
  };
  for (std::size_t k = 0; k < apps.size(); ++k) {
    const AppId app = apps[k].app;
    bool self = rows.self_limit(app) != kNone;
    for (std::uint32_t j = 0; j < rows.degree(app); ++j) {
      const Neighbour one = rows.neighbour(app, j);
      if (own[one.app] == kNone || one.imposes == kNone) continue;
      if (self && one.app > app) {
        add(static_cast<AppId>(k), rows.self_limit(app));
        self = false;
      }
      add(own[one.app], one.imposes);
    }
    if (self) add(static_cast<AppId>(k), rows.self_limit(app));
    limits.row_begin.push_back(static_cast<std::uint32_t>(limits.app.size()));
  }
  return limits;
}

bool has_automatic_tags(const InstanceData& data) {
  return std::any_of(data.tags.begin(), data.tags.end(), [](const auto& tag) { return tag.starts_with(kAppTagPrefix); });
}

}  // namespace

Shard::Shard(const Instance& whole, const Request& request, Share share)
    : whole_(whole), share_(std::move(share)), request_(request) {
  request_.planner.clear();
  request_.options.clear();
  request_.threads = 1;
  request_.deadline_ms = 0;
  request_.work_limit = 0;
  request_.patience_ms = 0;
  request_.compact = false;
  request_.node_limit = share_.node_limit;
  request_.max_cost = 0;  // it is one of the instance by now
}

Error Shard::build() {
  if (share_.is_all) {
    instance_ = &whole_;
    bounds_ = std::make_unique<LazyBounds>(whole_, request_);
    return {};
  }
  InstanceData data;
  data.resources = whole_.data().resources;
  data.periods = whole_.data().periods;
  take_apps(data);
  take_nodes(data);
  data.tags = whole_.data().tags;
  take_groups(data);
  take_rules(data);
  data.has_uncertainty = whole_.data().has_uncertainty;
  data.uncertainty = whole_.data().uncertainty;
  data.has_interference = whole_.data().has_interference;
  data.interference = whole_.data().interference;
  const ShareLimits limits = limits_between(whole_, share_.apps);
  data.limits = limits.columns();
  Result<Instance> made = Instance::build(std::move(data), whole_.limits());
  if (!made) return made.error();
  own_ = std::make_unique<const Instance>(std::move(*made));
  instance_ = own_.get();
  bounds_ = std::make_unique<LazyBounds>(*instance_, request_);
  return {};
}

void Shard::take_apps(InstanceData& data) {
  const InstanceData& all = whole_.data();
  const std::size_t apps = whole_.apps();
  const auto cells = [&](const auto& column) { return some_cells(column, apps, share_.apps, app_of); };
  for (const AppShare& one : share_.apps) data.replicas.push_back(one.replicas);
  data.app_names = cells(all.app_names);
  // Names keep tags that apps carry by their index.
  if (all.app_names.empty() && has_automatic_tags(all)) {
    for (const AppShare& one : share_.apps) data.app_names.push_back(std::to_string(one.app));
  }
  data.demand = cells(all.demand);
  data.priority = cells(all.priority);
  data.variance = cells(all.variance);
  data.support_min = cells(all.support_min);
  data.support_max = cells(all.support_max);
  data.kind = cells(all.kind);
  data.weight = cells(all.weight);
  data.app_tags = some_rows(all.app_tags, share_.apps, app_of);
  data.app_only = some_rows(all.app_only, share_.apps, app_of);
  data.app_not = some_rows(all.app_not, share_.apps, app_of);
}

void Shard::take_nodes(InstanceData& data) {
  const InstanceData& all = whole_.data();
  std::vector<std::uint32_t> listed(whole_.classes(), 0);
  for (const NodeId node : share_.listed) ++listed[all.node_class[node]];
  std::vector<ClassId> own(whole_.classes(), kNone);
  for (ClassId c = 0; c < whole_.classes(); ++c) {
    const bool endless = share_.further[c] == Share::kEndless;
    // A count of 0 would be no limit.
    if (!endless && share_.further[c] + listed[c] == 0) continue;
    own[c] = static_cast<ClassId>(class_of_.size());
    class_of_.push_back(c);
    data.classes.push_back(all.classes[c]);
    data.classes.back().count = endless ? 0 : share_.further[c] + listed[c];
  }
  const auto cells = [&](const auto& column) { return some_cells(column, whole_.listed_nodes(), share_.listed, node_itself); };
  for (const NodeId node : share_.listed) data.node_class.push_back(own[all.node_class[node]]);
  data.node_names = cells(all.node_names);
  data.load = cells(all.load);
  data.load_variance = cells(all.load_variance);
  data.closed = cells(all.closed);
  data.daemon = cells(all.daemon);
  data.node_tags = some_rows(all.node_tags, share_.listed, node_itself);
}

// Rules without a subject in the share bind nothing there.
void Shard::take_rules(InstanceData& data) const {
  if (whole_.rules().empty()) return;
  std::vector<std::uint8_t> carried(data.tags.size(), 0);
  const IndexRows& tags = whole_.app_tags();
  for (const AppShare& one : share_.apps) {
    for (std::uint32_t k = tags.begin[one.app]; k < tags.begin[one.app + 1]; ++k) carried[tags.index[k]] = 1;
  }
  const auto has_subject = [&](const Cardinality& part) {
    return std::all_of(part.subject.begin(), part.subject.end(), [&](std::uint32_t tag) { return carried[tag] != 0; });
  };
  for (const PlacementRule& rule : whole_.rules()) {
    const bool binds = std::any_of(rule.any_of.begin(), rule.any_of.end(), [&](const auto& conjunction) {
      return std::any_of(conjunction.begin(), conjunction.end(), has_subject);
    });
    if (binds) data.rules.push_back(rule);
  }
}

void Shard::take_groups(InstanceData& data) const {
  std::vector<NodeId> own(whole_.listed_nodes(), kNone);
  for (std::size_t k = 0; k < share_.listed.size(); ++k) own[share_.listed[k]] = static_cast<NodeId>(k);
  for (const NodeGroup& group : whole_.data().groups) {
    NodeGroup& copy = data.groups.emplace_back(group);
    if (group.sets.empty()) continue;
    copy.sets = {{0}, {}};
    for (std::size_t s = 0; s + 1 < group.sets.begin.size(); ++s) {
      for (std::uint32_t k = group.sets.begin[s]; k < group.sets.begin[s + 1]; ++k) {
        if (own[group.sets.index[k]] != kNone) copy.sets.index.push_back(own[group.sets.index[k]]);
      }
      copy.sets.begin.push_back(static_cast<std::uint32_t>(copy.sets.index.size()));
    }
  }
}

Plan Shard::in_whole(const Plan& plan) const {
  Plan whole;
  if (share_.is_all) {
    whole.adopt(Plan(plan));
    return whole;
  }
  whole.nodes = plan.nodes;
  for (PlannedNode& node : whole.nodes) {
    node.node_class = class_of_[node.node_class];
    if (node.listed != kNone) node.listed = share_.listed[node.listed];
  }
  whole.placed = plan.placed;
  for (Placed& one : whole.placed) one.app = share_.apps[one.app].app;
  whole.unplaced = plan.unplaced;
  for (Unplaced& one : whole.unplaced) one.app = share_.apps[one.app].app;
  return whole;
}

Plan Shard::in_shard(const Plan& plan) const {
  Plan own;
  own.nodes = plan.nodes;
  for (PlannedNode& node : own.nodes) {
    const auto at = std::find(class_of_.begin(), class_of_.end(), node.node_class);
    node.node_class = static_cast<ClassId>(at - class_of_.begin());
    if (node.listed == kNone) continue;
    const auto listed = std::lower_bound(share_.listed.begin(), share_.listed.end(), node.listed);
    node.listed = static_cast<NodeId>(listed - share_.listed.begin());
  }
  const auto own_app = [&](AppId app) {
    const auto at = std::lower_bound(share_.apps.begin(), share_.apps.end(), app,
                                     [](const AppShare& one, AppId wanted) { return one.app < wanted; });
    return static_cast<AppId>(at - share_.apps.begin());
  };
  own.placed = plan.placed;
  for (Placed& one : own.placed) one.app = own_app(one.app);
  own.unplaced = plan.unplaced;
  for (Unplaced& one : own.unplaced) one.app = own_app(one.app);
  return own;
}

Plan Shard::nothing() const {
  Plan plan;
  for (const NodeId node : share_.listed) {
    if (whole_.is_loaded(node)) plan.nodes.push_back({whole_.data().node_class[node], node});
  }
  for (const AppShare& one : share_.apps) plan.unplaced.push_back({one.app, one.replicas});
  return plan;
}

Plan merged(std::vector<Plan> plans) {
  Plan all;
  struct From {
    std::uint32_t plan;
    NodeId node;
  };
  std::vector<From> listed;
  std::vector<From> anonymous;
  std::size_t placed = 0;
  for (std::uint32_t p = 0; p < plans.size(); ++p) {
    placed += plans[p].placed.size();
    for (NodeId node = 0; node < plans[p].nodes.size(); ++node) {
      (plans[p].nodes[node].listed != kNone ? listed : anonymous).push_back({p, node});
    }
  }
  const auto node_of = [&](const From& from) -> const PlannedNode& { return plans[from.plan].nodes[from.node]; };
  std::sort(listed.begin(), listed.end(), [&](const From& a, const From& b) { return node_of(a).listed < node_of(b).listed; });
  all.nodes.reserve(listed.size() + anonymous.size());
  all.placed.reserve(placed);
  std::vector<std::size_t> next(plans.size(), 0);  // per plan: entries that are copied, or passed by, for anonymous nodes
  for (const From& from : listed) {
    const std::vector<Placed>& entries = plans[from.plan].placed;
    const auto index = static_cast<NodeId>(all.nodes.size());
    all.nodes.push_back(node_of(from));
    auto at = std::lower_bound(entries.begin(), entries.end(), from.node,
                               [](const Placed& one, NodeId node) { return one.node < node; });
    for (; at != entries.end() && at->node == from.node; ++at) all.placed.push_back({at->app, index, at->replicas});
  }
  for (const From& from : anonymous) {
    const std::vector<Placed>& entries = plans[from.plan].placed;
    const auto index = static_cast<NodeId>(all.nodes.size());
    all.nodes.push_back(node_of(from));
    std::size_t& k = next[from.plan];
    while (k < entries.size() && entries[k].node < from.node) ++k;
    for (; k < entries.size() && entries[k].node == from.node; ++k) {
      all.placed.push_back({entries[k].app, index, entries[k].replicas});
    }
  }
  for (const Plan& plan : plans) all.unplaced.insert(all.unplaced.end(), plan.unplaced.begin(), plan.unplaced.end());
  sum_by_app(all.unplaced);
  return all;
}

}  // namespace stowage
