// A slow and simple cluster as the reference for sessions: maps by name, and every rule of docs/understand/sessions.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.h"

namespace stowage::test {

class ReferenceCluster {
 public:
  struct App {
    std::uint64_t order = 0;
    std::uint32_t replicas = 0;
    std::int32_t priority = 0;
    std::vector<double> demand;
    std::vector<double> variance;
    std::vector<std::string> tags;
    std::map<std::string, std::uint32_t> limits;
    std::map<std::string, std::uint32_t> homes;
    std::map<std::string, std::uint32_t> pins;
    std::map<std::string, double> traffic;
  };
  struct Node {
    std::uint64_t order = 0;
    std::uint32_t node_class = 0;
    NodeCondition state = NodeCondition::kOpen;
    std::vector<double> load;
    std::vector<std::string> tags;
    std::set<std::pair<std::uint32_t, std::string>> sets;
  };
  /// The cluster for which a plan was made: names by index, and running replicas.
  struct View {
    std::uint64_t version = 0;
    std::vector<std::pair<std::string, std::uint64_t>> apps;  ///< name and order of joining, which distinguishes equal names
    std::vector<std::pair<std::string, std::uint64_t>> nodes;
    std::map<std::string, App> content;
  };

  explicit ReferenceCluster(const InstanceData& data)
      : resources(data.resources.size()), periods(data.periods), classes(data.classes) {
    class_number.assign(classes.size(), 0);
    for (const NodeGroup& group : data.groups) groups.push_back({group.name, {}});
  }

  /// Applies the operations; returns the code that Session::apply has to return.
  Code apply(std::span<const Operation> operations) {
    ReferenceCluster trial = *this;
    for (const Operation& operation : operations) {
      if (const Code code = trial.apply_one(operation); code != Code::kOk) return code;
      ++trial.version;
    }
    *this = std::move(trial);
    return Code::kOk;
  }

  [[nodiscard]] View view() const {
    View seen;
    seen.version = version;
    seen.apps = by_order(apps);
    seen.nodes = by_order(nodes);
    seen.content = apps;
    return seen;
  }

  /// Commits a plan for the present version. Returns the names of opened nodes.
  std::vector<std::string> commit_as_planned(const View& seen, const Plan& plan) {
    std::map<std::string, std::map<std::string, std::uint32_t>> homes;
    std::vector<std::string> opened;
    std::vector<std::string> names(plan.nodes.size());
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      if (plan.nodes[n].listed != kNone) {
        names[n] = seen.nodes[plan.nodes[n].listed].first;
      } else {
        names[n] = open(plan.nodes[n].node_class);
        opened.push_back(names[n]);
      }
    }
    for (const Placed& p : plan.placed) homes[seen.apps[p.app].first][names[p.node]] += p.replicas;
    bool changed = false;
    for (auto& [name, app] : apps) {
      changed = changed || app.homes != homes[name];
      app.homes = homes[name];
    }
    if (changed) ++version;
    return opened;
  }

  struct Fitted {
    bool committed = false;
    std::set<std::string> left;  ///< apps that did not fit
    std::vector<std::string> opened;
  };
  /// Commits the part of a plan for an earlier version that still fits. The plan may have no moves.
  Fitted commit_what_fits(const View& seen, const Plan& plan, bool whole) {
    Fitted result;
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> wishes;  // by app and the plan's node: further replicas
    for (const Placed& p : plan.placed) {
      const auto& [name, order] = seen.apps[p.app];
      const NodeId listed = plan.nodes[p.node].listed;
      std::uint32_t ran = 0;
      if (listed != kNone) {
        const auto& homes = seen.content.at(name).homes;
        const auto found = homes.find(seen.nodes[listed].first);
        ran = found == homes.end() ? 0 : found->second;
      }
      if (p.replicas > ran) wishes[p.app][p.node] = p.replicas - ran;
    }
    std::vector<std::uint32_t> order;
    for (const auto& [app, shifts] : wishes) order.push_back(app);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return seen.content.at(seen.apps[a].first).priority > seen.content.at(seen.apps[b].first).priority;
    });
    Seating seating = seats();
    std::map<std::uint32_t, std::string> anonymous;  // by the plan's node: name in the seating
    std::vector<std::uint32_t> open_now(classes.size(), 0);
    for (const auto& [name, node] : nodes) ++open_now[node.node_class];
    std::vector<std::uint32_t> taken;
    for (const std::uint32_t a : order) {
      Seating trial = seating;
      if (fits(seen, plan, a, wishes[a], trial, anonymous, open_now)) {
        seating = std::move(trial);
        taken.push_back(a);
      } else {
        result.left.insert(seen.apps[a].first);
      }
    }
    if (taken.empty() || (whole && !result.left.empty())) return result;
    std::map<std::uint32_t, std::string> names;
    for (const std::uint32_t a : taken) {
      for (const auto& [node, more] : wishes[a]) {
        const NodeId listed = plan.nodes[node].listed;
        if (listed != kNone) {
          names[node] = seen.nodes[listed].first;
        } else if (!names.contains(node)) {
          names[node] = open(plan.nodes[node].node_class);
          result.opened.push_back(names[node]);
        }
        apps.at(seen.apps[a].first).homes[names[node]] += more;
      }
    }
    result.committed = true;
    ++version;
    return result;
  }

  /// The first difference from a session's content, or "".
  [[nodiscard]] std::string difference(const SessionContent& content) const {
    const InstanceData& data = content.data;
    const auto app_list = by_order(apps);
    const auto node_list = by_order(nodes);
    if (content.extra.version != version) return "version";
    if (data.app_names.size() != app_list.size() || data.node_names.size() != node_list.size()) return "sizes";
    std::map<std::string, std::map<std::string, std::uint32_t>> homes;
    std::map<std::string, std::map<std::string, std::uint32_t>> pins;
    for (const Residence& r : data.running) homes[data.app_names[r.app]][data.node_names[r.node]] = r.replicas;
    for (const Residence& r : data.pinned) pins[data.app_names[r.app]][data.node_names[r.node]] = r.replicas;
    std::map<std::string, std::uint32_t> waiting;
    for (const Residence& r : content.extra.waiting_pins) {
      pins[data.app_names[r.app]][data.node_names[r.node]] = r.replicas;
      waiting[data.app_names[r.app]] += r.replicas;
    }
    const bool profile = data.demand.size() > app_list.size() * resources;
    for (std::size_t i = 0; i < app_list.size(); ++i) {
      const std::string& name = app_list[i].first;
      const App& app = apps.at(name);
      if (data.app_names[i] != name) return "order of apps";
      if (data.replicas[i] + waiting[name] != app.replicas) return name + ".replicas";
      if (homes[name] != app.homes) return name + ".running";
      if (pins[name] != app.pins) return name + ".pinned";
      if ((data.priority.empty() ? 0 : data.priority[i]) != app.priority) return name + ".priority";
      for (std::size_t cell = 0; cell < resources * periods; ++cell) {
        const double there =
            profile ? data.demand[i * resources * periods + cell] : data.demand[i * resources + cell / periods];
        if (there != wide(app.demand, cell)) return name + ".demand";
      }
      for (std::size_t r = 0; r < resources; ++r) {
        const double variance = data.variance.empty() ? 0 : data.variance[i * resources + r];
        if (variance != (app.variance.empty() ? 0 : app.variance[r])) return name + ".variance";
      }
      if (tags_of(data, data.app_tags, i) != app.tags) return name + ".tags";
      std::map<std::string, std::uint32_t> limits;
      for (std::uint32_t k = data.limits.row_begin.empty() ? 0 : data.limits.row_begin[i];
           !data.limits.row_begin.empty() && k < data.limits.row_begin[i + 1]; ++k) {
        limits[data.app_names[data.limits.app[k]]] = data.limits.at_most[k];
      }
      const SessionExtra& extra = content.extra;
      for (std::uint32_t k = extra.waiting_limit_begin.empty() ? 0 : extra.waiting_limit_begin[i];
           !extra.waiting_limit_begin.empty() && k < extra.waiting_limit_begin[i + 1]; ++k) {
        if (apps.contains(extra.waiting_limit_app[k])) return name + ": a limit waits for an app that is there";
        limits[extra.waiting_limit_app[k]] = extra.waiting_limit_at_most[k];
      }
      if (limits != app.limits) return name + ".limits";
    }
    std::map<std::string, std::map<std::string, double>> traffic;
    for (const Traffic& one : data.traffic) {
      if (one.app >= one.peer) return "order of traffic";
      traffic[data.app_names[one.app]][data.app_names[one.peer]] = one.amount;
      traffic[data.app_names[one.peer]][data.app_names[one.app]] = one.amount;
    }
    for (const auto& [name, app] : apps) {
      if (traffic[name] != app.traffic) return name + ".traffic";
    }
    for (std::size_t n = 0; n < node_list.size(); ++n) {
      const std::string& name = node_list[n].first;
      const Node& node = nodes.at(name);
      if (data.node_names[n] != name) return "order of nodes";
      if (data.node_class[n] != node.node_class) return name + ".class";
      if (content.extra.node_state[n] != static_cast<std::uint8_t>(node.state)) return name + ".state";
      if ((data.closed.empty() ? 0 : data.closed[n]) != (node.state == NodeCondition::kOpen ? 0 : 1)) return name + ".closed";
      const bool varies = data.load.size() > node_list.size() * resources;
      for (std::size_t cell = 0; cell < resources * periods; ++cell) {
        const double there = data.load.empty() ? 0
                             : varies          ? data.load[n * resources * periods + cell]
                                               : data.load[n * resources + cell / periods];
        if (there != wide(node.load, cell)) return name + ".load";
      }
      if (tags_of(data, data.node_tags, n) != node.tags) return name + ".tags";
      std::set<std::pair<std::uint32_t, std::string>> sets;
      for (std::uint32_t g = 0; g < data.groups.size(); ++g) {
        const IndexRows& rows = data.groups[g].sets;
        for (std::size_t s = 0; s + 1 < rows.begin.size(); ++s) {
          for (std::uint32_t k = rows.begin[s]; k < rows.begin[s + 1]; ++k) {
            if (rows.index[k] == n) sets.emplace(g, data.groups[g].set_names[s]);
          }
        }
      }
      if (sets != node.sets) return name + ".sets";
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (data.classes[c].count != classes[c].count) return classes[c].name + ".count";
    }
    std::vector<std::string> names;
    for (const PlacementRule& rule : data.rules) names.push_back(rule.name);
    return names == rules ? "" : "rules";
  }

  std::size_t resources;
  std::uint32_t periods;
  std::vector<NodeClass> classes;
  std::vector<std::uint32_t> class_number;
  std::vector<std::pair<std::string, std::set<std::string>>> groups;
  std::vector<std::string> rules;
  std::map<std::string, App> apps;
  std::map<std::string, Node> nodes;
  std::uint64_t version = 0;
  std::uint64_t joined = 0;

 private:
  /// Replicas by node and app, pinned ones included.
  using Seating = std::map<std::string, std::map<std::string, std::uint32_t>>;

  template <class Items>
  [[nodiscard]] static std::vector<std::pair<std::string, std::uint64_t>> by_order(const Items& items) {
    std::vector<std::pair<std::string, std::uint64_t>> list;
    for (const auto& [name, item] : items) list.emplace_back(name, item.order);
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return list;
  }
  [[nodiscard]] double wide(const std::vector<double>& row, std::size_t cell) const {
    if (row.empty()) return 0;
    return row.size() == resources ? row[cell / periods] : row[cell];
  }
  [[nodiscard]] static std::vector<std::string> tags_of(const InstanceData& data, const IndexRows& rows, std::size_t item) {
    std::vector<std::string> tags;
    for (std::uint32_t k = rows.empty() ? 0 : rows.begin[item]; !rows.empty() && k < rows.begin[item + 1]; ++k) {
      tags.push_back(data.tags[rows.index[k]]);
    }
    return tags;
  }

  static std::uint64_t bound(const App& app) {
    std::map<std::string, std::uint32_t> most = app.homes;
    for (const auto& [node, pin] : app.pins) most[node] = std::max(most[node], pin);
    std::uint64_t sum = 0;
    for (const auto& [node, replicas] : most) sum += replicas;
    return sum;
  }

  std::string open(std::uint32_t node_class) {
    std::string name;
    do {
      name = classes[node_class].name + "-" + std::to_string(++class_number[node_class]);
    } while (nodes.contains(name));
    Node node;
    node.order = joined++;
    node.node_class = node_class;
    nodes[name] = node;
    return name;
  }

  Code apply_one(const Operation& o) {
    const bool about_app = o.kind == OperationKind::kScale || o.kind == OperationKind::kRemove ||
                           o.kind == OperationKind::kPin || o.kind == OperationKind::kTraffic;
    if (about_app && !apps.contains(o.app)) return Code::kNotFound;
    const bool about_node = o.kind >= OperationKind::kRemoveNode && o.kind <= OperationKind::kLoad;
    if ((about_node || o.kind == OperationKind::kPin) && !nodes.contains(o.node)) return Code::kNotFound;
    switch (o.kind) {
      case OperationKind::kTraffic:
        if (!apps.contains(o.peer)) return Code::kNotFound;
        if (o.app == o.peer) return Code::kInvalid;
        for (const auto& [one, other] : {std::pair(o.app, o.peer), std::pair(o.peer, o.app)}) {
          apps.at(one).traffic[other] = o.amount;
          if (o.amount == 0) apps.at(one).traffic.erase(other);
        }
        return Code::kOk;
      case OperationKind::kSubmit: {
        if (apps.contains(o.app)) return Code::kInvalid;
        App app;
        app.replicas = o.replicas;
        app.priority = o.priority;
        app.demand = o.demand;
        app.variance = o.variance;
        app.tags = o.tags;
        for (std::size_t k = 0; k < o.limit_app.size(); ++k) {
          if (!app.limits.emplace(o.limit_app[k], o.limit_at_most[k]).second) return Code::kInvalid;
          if (o.limit_app[k] == o.app && o.limit_at_most[k] == 0 && o.replicas > 0) return Code::kInvalid;
        }
        app.order = joined++;
        apps[o.app] = app;
        return Code::kOk;
      }
      case OperationKind::kScale:
        return scale(apps.at(o.app), o.app, o.replicas);
      case OperationKind::kRemove:
        apps.erase(o.app);
        for (auto& [name, app] : apps) app.traffic.erase(o.app);
        return Code::kOk;
      case OperationKind::kPin: {
        App& app = apps.at(o.app);
        app.pins[o.node] = o.replicas;
        if (o.replicas == 0) app.pins.erase(o.node);
        return bound(app) > app.replicas ? Code::kInvalid : Code::kOk;
      }
      case OperationKind::kAddNode:
        return add_node(o);
      case OperationKind::kRemoveNode: {
        for (const auto& [name, app] : apps) {
          if (app.pins.contains(o.node)) return Code::kInvalid;
        }
        std::uint32_t& count = classes[nodes.at(o.node).node_class].count;
        if (count == 1) return Code::kInvalid;
        if (count > 0) --count;
        clear(o.node);
        nodes.erase(o.node);
        return Code::kOk;
      }
      case OperationKind::kCordon:
        if (nodes.at(o.node).state == NodeCondition::kOpen) nodes.at(o.node).state = NodeCondition::kCordoned;
        return Code::kOk;
      case OperationKind::kUncordon:
        nodes.at(o.node).state = NodeCondition::kOpen;
        return Code::kOk;
      case OperationKind::kDrain:
        if (nodes.at(o.node).state != NodeCondition::kFailed) nodes.at(o.node).state = NodeCondition::kDrained;
        clear(o.node);
        return Code::kOk;
      case OperationKind::kFail:
        nodes.at(o.node).state = NodeCondition::kFailed;
        nodes.at(o.node).load.clear();
        clear(o.node);
        return Code::kOk;
      case OperationKind::kLoad:
        if (nodes.at(o.node).state == NodeCondition::kFailed) return Code::kInvalid;
        nodes.at(o.node).load = o.load;
        return Code::kOk;
      case OperationKind::kAddRule:
        if (std::find(rules.begin(), rules.end(), o.rule.name) != rules.end()) return Code::kInvalid;
        rules.push_back(o.rule.name);
        return Code::kOk;
      case OperationKind::kRemoveRule:
        return std::erase(rules, o.rule.name) > 0 ? Code::kOk : Code::kNotFound;
    }
    return Code::kInvalid;
  }

  Code add_node(const Operation& o) {
    if (nodes.contains(o.node)) return Code::kInvalid;
    Node node;
    while (node.node_class < classes.size() && classes[node.node_class].name != o.node_class) ++node.node_class;
    if (node.node_class == classes.size()) return Code::kNotFound;
    for (std::size_t k = 0; k < o.groups.size(); ++k) {
      std::uint32_t g = 0;
      while (g < groups.size() && groups[g].first != o.groups[k]) ++g;
      if (g == groups.size()) return Code::kNotFound;
      node.sets.emplace(g, o.sets[k]);
    }
    if (classes[node.node_class].count > 0) ++classes[node.node_class].count;
    node.load = o.load;
    node.tags = o.tags;
    node.order = joined++;
    nodes[o.node] = node;
    return Code::kOk;
  }

  void clear(const std::string& node) {
    for (auto& [name, app] : apps) app.homes.erase(node);
  }

  Code scale(App& app, const std::string& name, std::uint32_t replicas) {
    std::uint64_t pinned = 0;
    for (const auto& [node, pin] : app.pins) pinned += pin;
    if (pinned > replicas) return Code::kInvalid;
    if (const auto self = app.limits.find(name); replicas > 0 && self != app.limits.end() && self->second == 0)
      return Code::kInvalid;
    app.replicas = replicas;
    while (bound(app) > replicas) {
      // One by one: from nodes that are not open first, then from those with most unpinned replicas, then from the last joined.
      std::string from;
      for (const auto& [node, count] : app.homes) {
        if (spare(app, node) == 0) continue;
        const auto rank = [&](const std::string& one) {
          return std::tuple(nodes.at(one).state != NodeCondition::kOpen, spare(app, one), nodes.at(one).order);
        };
        if (from.empty() || rank(node) > rank(from)) from = node;
      }
      if (--app.homes[from] == 0) app.homes.erase(from);
    }
    return Code::kOk;
  }
  static std::uint32_t spare(const App& app, const std::string& node) {
    const auto pin = app.pins.find(node);
    const std::uint32_t pinned = pin == app.pins.end() ? 0 : pin->second;
    const std::uint32_t there = app.homes.at(node);
    return there > pinned ? there - pinned : 0;
  }

  [[nodiscard]] bool awaited(const std::string& node) const {
    return nodes.at(node).state == NodeCondition::kDrained || nodes.at(node).state == NodeCondition::kFailed;
  }

  [[nodiscard]] Seating seats() const {
    Seating seating;
    for (const auto& [name, app] : apps) {
      for (const auto& [node, count] : app.homes) seating[node][name] = count;
      for (const auto& [node, pin] : app.pins) {
        if (!awaited(node)) seating[node][name] = std::max(seating[node][name], pin);
      }
    }
    return seating;
  }

  [[nodiscard]] std::uint32_t seated(const Seating& seating, const std::string& app) const {
    std::uint32_t sum = 0;
    for (const auto& [node, guests] : seating) {
      const auto found = guests.find(app);
      sum += found == guests.end() ? 0 : found->second;
    }
    for (const auto& [node, pin] : apps.at(app).pins) sum += awaited(node) ? pin : 0;
    return sum;
  }

  bool fits(const View& seen, const Plan& plan, std::uint32_t a, const std::map<std::uint32_t, std::uint32_t>& shifts,
            Seating& seating, std::map<std::uint32_t, std::string>& anonymous, std::vector<std::uint32_t>& open_now) const {
    const auto& [name, order] = seen.apps[a];
    const auto found = apps.find(name);
    if (found == apps.end() || found->second.order != order) return false;
    for (const auto& [n, more] : shifts) {
      std::string node;
      std::uint32_t needed = more;
      const ClassId node_class = plan.nodes[n].node_class;
      if (plan.nodes[n].listed != kNone) {
        const auto& [node_name, node_order] = seen.nodes[plan.nodes[n].listed];
        const auto there = nodes.find(node_name);
        if (there == nodes.end() || there->second.order != node_order) return false;
        node = node_name;
        const auto home = found->second.homes.find(node);
        const std::uint32_t wanted = (home == found->second.homes.end() ? 0 : home->second) + more;
        const auto seat = seating[node].find(name);
        const std::uint32_t now = seat == seating[node].end() ? 0 : seat->second;
        needed = wanted > now ? wanted - now : 0;
        if (needed > 0 && there->second.state != NodeCondition::kOpen) return false;
      }
      if (seated(seating, name) + needed > found->second.replicas) return false;
      if (needed == 0) continue;
      if (node.empty()) {
        if (!anonymous.contains(n)) {
          if (classes[node_class].count > 0 && open_now[node_class] >= classes[node_class].count) return false;
          ++open_now[node_class];
          anonymous[n] = "new node " + std::to_string(n);
        }
        node = anonymous[n];
      }
      if (!room(seating[node], node, node_class, name, needed)) return false;
      seating[node][name] += needed;
    }
    return true;
  }

  [[nodiscard]] bool room(const std::map<std::string, std::uint32_t>& guests, const std::string& node, ClassId node_class,
                          const std::string& name, std::uint32_t more) const {
    const App& app = apps.at(name);
    std::map<std::string, std::uint32_t> after = guests;
    after[name] += more;
    const auto known = nodes.find(node);
    for (std::size_t cell = 0; cell < resources * periods; ++cell) {
      double sum = known == nodes.end() ? 0 : wide(known->second.load, cell);
      for (const auto& [guest, count] : after) sum += count * wide(apps.at(guest).demand, cell);
      if (sum > classes[node_class].capacity[cell / periods]) return false;
    }
    for (const auto& [guest, count] : after) {
      if (count == 0) continue;
      const auto imposed = app.limits.find(guest);
      if (imposed != app.limits.end() && count > imposed->second) return false;
      const auto obeyed = apps.at(guest).limits.find(name);
      if (obeyed != apps.at(guest).limits.end() && after[name] > obeyed->second) return false;
    }
    return true;
  }
};

}  // namespace stowage::test
