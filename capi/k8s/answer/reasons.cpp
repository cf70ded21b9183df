// Why replicas are left over: which nodes have room and are excluded, which are closest, and what would help.
#include <algorithm>
#include <cmath>

#include "capi/k8s/answer/planning.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

/// So many nodes, or groups of nodes with the same reasons, are named one by one.
constexpr std::size_t kShownNodes = 3;
constexpr int kMostPackings = 20'000;

/// A node under a plan, or a new node of a kind, and all reasons why it does not take one more replica of an app.
struct Site {
  std::string name;
  int kind = 0;
  int node = -1;  ///< -1 = new
  Amounts free;
  std::map<int, std::uint32_t> holds{};

  std::vector<Refusal> excluded{};
  std::string closed{};
  std::vector<int> short_of{};
  std::vector<std::string> missing{}, limits{}, rules{};
  double distance = 0;

  [[nodiscard]] bool takes() const {
    return excluded.empty() && short_of.empty() && limits.empty() && rules.empty() && closed.empty();
  }
  /// Nothing but labels, taints and volumes keeps the app away.
  [[nodiscard]] bool has_room() const { return short_of.empty() && limits.empty() && closed.empty() && !excluded.empty(); }
  /// The reasons in the order in which the scheduler looks at them.
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    if (!closed.empty()) all.push_back(closed);
    for (const Refusal& one : excluded) all.push_back(one.its);
    for (const auto* list : {&missing, &limits, &rules}) all.insert(all.end(), list->begin(), list->end());
    return all;
  }
};

std::string joined_texts(const std::vector<std::string>& texts, const char* between = ", ") {
  std::string all;
  for (const std::string& one : texts) all += (all.empty() ? "" : between) + one;
  return all;
}

/// Finds a device for each part, largest first, within so many steps.
bool packs(const std::vector<std::int64_t>& parts, std::size_t next, std::vector<std::int64_t>& left, int& steps) {
  if (next == parts.size()) return true;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (--steps < 0) return false;
    // Devices with the same room are the same.
    const auto before = left.begin() + static_cast<std::ptrdiff_t>(k);
    if (left[k] < parts[next] || std::find(left.begin(), before, left[k]) != before) continue;
    left[k] -= parts[next];
    if (packs(parts, next + 1, left, steps)) return true;
    left[k] += parts[next];
  }
  return false;
}

class Examination {
 public:
  Examination(const Model& model, const Planned& of, Scope scope, std::size_t app)
      : model_(model), cluster_(model.cluster), of_(of), scope_(scope), i_(app), app_(model.cluster.apps[app]) {}

  /// @param found the library's explanation; nullptr = it has none
  void examine(const wire::AppExplanation* found) {
    make_sites();
    std::map<int, std::vector<std::string>> by_node, by_kind;
    if (found != nullptr) read_rules(*found, by_node, by_kind);
    std::set<int> in_use;
    for (const std::uint32_t listed : *of_.root().listed()) {
      if (listed != cli::kNone) in_use.insert(static_cast<int>(listed));
    }
    const bool left_over = of_.unplaced()[i_] > 0;
    for (Site& site : sites_) {
      find_obstacles(site);
      const bool used = in_use.contains(site.node);
      const auto& rules = used ? by_node : by_kind;
      if (const auto its = rules.find(used ? site.node : site.kind); its != rules.end()) site.rules = its->second;
      // The explanation names the rules for the closest nodes only. Others that have room are excluded by them as well, if a
      // replica is left over, or no node that is in use takes it.
      if (site.takes() && (left_over || (used && found != nullptr && found->open_nodes() == 0))) site.rules = hard_rules();
    }
  }

  Why answer(const wire::AppExplanation* found) const {
    Why made;
    for (const Site& site : sites_) {
      if (site.takes() && site.node >= 0) made.takes.emplace_back(cluster_.nodes[static_cast<std::size_t>(site.node)].name);
    }
    made.why = why();
    made.help = help(found);
    return made;
  }

 private:
  void make_sites() {
    if (scope_ == Scope::kGrown) {
      for (std::size_t k = 0; k < cluster_.kinds.size(); ++k) {
        const NodeKind& kind = cluster_.kinds[k];
        if (kind.fixed()) continue;
        sites_.push_back({"a new node of " + kind.name, static_cast<int>(k), -1, kind.least});
        sites_.back().free.add(kind.daemon, -1);
      }
      return;
    }
    std::vector<Amounts> free = free_of(model_, of_.root());
    for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
      sites_.push_back(
          {"node " + std::string(cluster_.nodes[n].name), cluster_.nodes[n].kind, static_cast<int>(n), std::move(free[n])});
    }
    for (const wire::Placed* one : *of_.root().placed()) {
      const std::uint32_t listed = of_.root().listed()->Get(one->node());
      if (listed != cli::kNone && one->app() < cluster_.apps.size())
        sites_[listed].holds[static_cast<int>(one->app())] += one->replicas();
    }
  }

  void find_obstacles(Site& site) const {
    const NodeKind& kind = cluster_.kinds[static_cast<std::size_t>(site.kind)];
    if (site.node >= 0) {
      const PresentNode& node = cluster_.nodes[static_cast<std::size_t>(site.node)];
      const bool tolerated = ranges::all_of(node.closing, [&](const Taint& one) { return tolerates(*app_.spec, one); });
      if (node.closed || !tolerated) site.closed = node.closed_by;
      site.excluded = refusals(*app_.spec, app_.within, node.ground());
    } else {
      site.excluded = refusals(*app_.spec, app_.within, kind.ground());
    }
    if (!app_.too_large.empty()) {
      site.excluded.push_back({"no single device has " + app_.too_large, "without a single device that has " + app_.too_large});
    }
    find_shortages(site, kind);
    for (const auto& [other, count] : site.holds) {
      const auto limit = [&](int a, int b, std::uint32_t held, const std::string& text) {
        const auto found = model_.limits.find({a, b});
        if (found == model_.limits.end() || held < found->second + (a == static_cast<int>(i_) && a != b ? 1 : 0)) return;
        site.limits.push_back(text);
      };
      const std::string& name = cluster_.apps[static_cast<std::size_t>(other)].workload();
      const int own = static_cast<int>(i_);
      const auto here = site.holds.find(own);
      const std::uint32_t held = here == site.holds.end() ? 0 : here->second;
      if (other == own) {
        limit(own, own, count, "a replica of it is there already");
      } else {
        limit(other, own, held, name + " keeps it away");
        limit(own, other, count, "it keeps away from " + name);
      }
    }
    site.distance += static_cast<double>(site.limits.size());
  }

  void find_shortages(Site& site, const NodeKind& kind) const {
    const ResourceNames& names = cluster_.from.resources;
    for (const int resource : model_.resources) {
      const std::int64_t wanted = app_.requests.get(resource), lack = wanted - site.free.get(resource);
      if (wanted <= 0) continue;
      const auto capacity = static_cast<double>(std::max(kind.most.get(resource), wanted));
      if (lack > 0) {
        site.missing.push_back("short of " + names.text(resource, lack));
        site.distance += static_cast<double>(lack) / capacity;
      } else if (const auto size = cluster_.devices.find(resource);
                 size != cluster_.devices.end() && size->second > 0 && !on_one_device(site, kind, resource, size->second)) {
        site.missing.push_back("no single device has " + names.text(resource, std::min(wanted, size->second)) + " free; " +
                               names.text(resource, site.free.get(resource)) + " are free in all");
        site.distance += static_cast<double>(wanted) / capacity;
      } else {
        continue;
      }
      site.short_of.push_back(resource);
    }
  }

  /// Whether there is room for one more replica on the devices of a resource, however the parts that are there are distributed.
  [[nodiscard]] bool on_one_device(const Site& site, const NodeKind& kind, int resource, std::int64_t size) const {
    std::int64_t devices = kind.most.get(resource) / size;
    std::vector<std::int64_t> parts;
    const auto add = [&](std::int64_t amount, std::uint32_t replicas) {
      devices -= amount / size * replicas;
      if (amount % size > 0) parts.insert(parts.end(), replicas, amount % size);
    };
    add(site.node >= 0 ? cluster_.nodes[static_cast<std::size_t>(site.node)].daemon.get(resource) : kind.daemon.get(resource),
        1);
    for (const auto& [other, replicas] : site.holds)
      add(cluster_.apps[static_cast<std::size_t>(other)].requests.get(resource), replicas);
    add(app_.requests.get(resource), 1);
    if (devices < 0) return false;
    ranges::sort(parts, std::greater<>());
    std::vector<std::int64_t> left(static_cast<std::size_t>(devices), size);
    int steps = kMostPackings;
    return packs(parts, 0, left, steps);
  }

  /// The placement rules that keep the app away, by node and by kind of new nodes, as far as the explanation looked.
  void read_rules(const wire::AppExplanation& found, std::map<int, std::vector<std::string>>& by_node,
                  std::map<int, std::vector<std::string>>& by_kind) const {
    if (found.closest() == nullptr) return;
    const std::vector<int> rules = model_.rules_of(scope_);
    for (const wire::CloseNode* near : *found.closest()) {
      std::vector<std::string> broken;
      if (near->obstacles() != nullptr) {
        for (const wire::Obstacle* one : *near->obstacles()) {
          if (one->kind() != wire::ObstacleKind::PlacementRule) continue;
          broken.push_back("against " + model_.rules[static_cast<std::size_t>(rules[one->other()])].text);
        }
      }
      if (broken.empty()) continue;
      const std::uint32_t listed = near->node() == cli::kNone ? near->listed() : of_.root().listed()->Get(near->node());
      if (listed != cli::kNone && near->node() != cli::kNone) {
        by_node[static_cast<int>(listed)] = broken;
      } else {
        by_kind[static_cast<int>(near->node_class())] = broken;
      }
    }
  }

  /// The rules that the app is subject to, or that count its replicas.
  [[nodiscard]] std::vector<std::string> hard_rules() const {
    std::vector<std::string> names;
    const auto& own = model_.app_tags[i_];
    const auto has = [&](int tag) { return tag >= 0 && ranges::find(own, tag) != own.end(); };
    for (const int k : model_.rules_of(scope_)) {
      const Rule& one = model_.rules[static_cast<std::size_t>(k)];
      if (!one.soft && (has(one.subject) || has(one.any_of.front().front().target))) names.push_back("against " + one.text);
    }
    return names;
  }

  /// The first reason in the scheduler's order, for counting; each resource that is short counts.
  [[nodiscard]] std::vector<std::string> groups(const Site& site) const {
    if (site.takes()) return {};
    if (!site.closed.empty()) {
      return {site.closed.starts_with("is ") ? site.closed.substr(3)
                                             : "with " + site.closed.substr(std::string("has ").size())};
    }
    if (!site.excluded.empty()) return {site.excluded.front().with};
    std::vector<std::string> all;
    for (const int resource : site.short_of) all.push_back("short of " + cluster_.from.resources.name(resource));
    if (!all.empty()) return all;
    return {site.limits.empty() ? "that a placement rule excludes" : "with pods that must not be beside it"};
  }

  /// Says first which nodes have room and are excluded, then which other nodes are closest, and then counts the nodes by their
  /// first reason, as the scheduler does.
  [[nodiscard]] std::vector<std::string> why() const {
    std::vector<std::string> lines = with_room();
    std::vector<const Site*> near;
    for (const Site& one : sites_) {
      const bool hopeless = ranges::any_of(one.short_of, [&](int resource) {
        return cluster_.kinds[static_cast<std::size_t>(one.kind)].most.get(resource) == 0;
      });
      if (one.excluded.empty() && !hopeless && !one.takes()) near.push_back(&one);
    }
    ranges::stable_sort(near, {}, &Site::distance);
    for (std::size_t k = 0; k < std::min(near.size(), kShownNodes); ++k) {
      lines.push_back(near[k]->name + ": " + joined_texts(near[k]->texts()));
    }
    std::vector<std::pair<int, std::string>> counts;
    int open = 0;
    for (const Site& one : sites_) {
      open += one.takes() ? 1 : 0;
      for (const std::string& group : groups(one)) {
        const auto found = ranges::find(counts, group, &std::pair<int, std::string>::second);
        if (found == counts.end()) {
          counts.emplace_back(1, group);
        } else {
          ++found->first;
        }
      }
    }
    ranges::stable_sort(counts, std::greater<>(), &std::pair<int, std::string>::first);
    std::string last = std::to_string(open) + " of " + std::to_string(sites_.size()) +
                       (scope_ == Scope::kGrown ? " kinds of new nodes" : " nodes") + " take it";
    const char* between = ": ";
    for (const auto& [count, group] : counts) {
      last += between + std::to_string(count) + " " + group;
      between = "; ";
    }
    lines.push_back(last);
    return lines;
  }

  /// The excluded nodes that have room, nodes with the same reasons together; those excluded for the fewest reasons first.
  [[nodiscard]] std::vector<std::string> with_room() const {
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> by_reasons;
    for (const Site& one : sites_) {
      if (!one.has_room() || cluster_.kinds[static_cast<std::size_t>(one.kind)].fixed() || !app_.too_large.empty()) continue;
      const std::vector<std::string> texts = one.texts();
      auto found = ranges::find(by_reasons, texts, [](const auto& entry) { return entry.first; });
      if (found == by_reasons.end()) found = by_reasons.insert(by_reasons.end(), {texts, {}});
      found->second.push_back(one.name);
    }
    ranges::stable_sort(by_reasons, {}, [](const auto& one) { return one.first.size(); });
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < std::min(by_reasons.size(), kShownNodes); ++k) {
      const auto& [texts, names] = by_reasons[k];
      const std::string more = names.size() > 1 ? " (and " + std::to_string(names.size() - 1) + " like it)" : "";
      lines.push_back(names.front() + more + " has " + room() + ", but " + joined_texts(texts));
    }
    return lines;
  }

  /// What is rare of what the app asks for.
  [[nodiscard]] std::string room() const {
    for (const int resource : model_.resources) {
      const std::string& name = cluster_.from.resources.name(resource);
      const std::int64_t amount = app_.requests.get(resource);
      if (amount <= 0 || name.find('/') == std::string::npos) continue;
      return amount == 1 ? "a free " + name : std::to_string(amount) + " free " + name;
    }
    return "room";
  }

  [[nodiscard]] std::vector<std::string> help(const wire::AppExplanation* found) const {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text) {
      if (ranges::find(lines, text) == lines.end()) lines.push_back(text);
    };
    for (const Site& one : sites_) {
      const bool fixed = cluster_.kinds[static_cast<std::size_t>(one.kind)].fixed();
      if (one.has_room() && one.excluded.size() == 1 && !one.excluded[0].taint.empty() && !fixed) {
        add("tolerating the taint " + one.excluded[0].taint);
      }
      const bool only_closed = one.excluded.empty() && one.short_of.empty() && one.limits.empty() && one.rules.empty();
      if (one.closed == "is cordoned" && only_closed) add("uncordoning " + one.name);
    }
    if (found == nullptr || found->relaxations() == nullptr) return lines;
    for (const wire::Relaxation* one : *found->relaxations()) {
      const auto kind = static_cast<std::size_t>(one->node_class());
      const bool grows = kind < cluster_.kinds.size() && !cluster_.kinds[kind].fixed() && cluster_.kinds[kind].room != 0;
      if (one->kind() == wire::RelaxationKind::AddNode && grows) {
        add("one more node of " + cluster_.kinds[kind].name);
      } else if (one->kind() == wire::RelaxationKind::AddCapacity && one->node() != cli::kNone) {
        const std::uint32_t listed = of_.root().listed()->Get(one->node());
        const int resource = model_.resources[one->resource()];
        if (listed == cli::kNone || cluster_.nodes[listed].capacity.get(resource) == 0) continue;
        add(cluster_.from.resources.text(resource, std::llround(one->amount())) + " more on node " +
            std::string(cluster_.nodes[listed].name));
      }
    }
    return lines;
  }

  const Model& model_;
  const Cluster& cluster_;
  const Planned& of_;
  Scope scope_;
  std::size_t i_;
  const App& app_;
  std::vector<Site> sites_;
};

}  // namespace

Why Planning::why(const Planned& of, Scope scope, std::size_t app) const {
  const Buffer report = of.instance->explain(*of.plan, static_cast<std::uint32_t>(app));
  const wire::AppExplanation* found = nullptr;
  if (const auto* apps = wire::GetReport(report.data())->body_as<wire::Explanation>()->apps()) {
    for (const wire::AppExplanation* one : *apps) {
      if (one->app() == app) found = one;
    }
  }
  Examination examination(model, of, scope, app);
  examination.examine(found);
  return examination.answer(found);
}

std::vector<Unplaced> Planning::explain_unplaced(const Planned& of, Scope scope) {
  std::vector<Unplaced> all;
  const std::vector<std::uint32_t> over = of.unplaced();
  if (ranges::all_of(over, [](std::uint32_t one) { return one == 0; })) return all;
  const Buffer report = of.instance->explain(*of.plan, STOWAGE_ALL_UNPLACED);
  std::map<std::uint32_t, const wire::AppExplanation*> explained;
  if (const auto* apps = wire::GetReport(report.data())->body_as<wire::Explanation>()->apps()) {
    for (const wire::AppExplanation* one : *apps) explained[one->app()] = one;
  }
  const auto& apps = model.cluster.apps;
  std::map<std::string, std::int64_t> wanted;
  for (const App& one : apps) wanted[one.workload()] += one.replicas;
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (over[i] == 0) continue;
    const std::string workload = apps[i].workload();
    const auto [known, made] = at.try_emplace(workload, all.size());
    if (!made) {
      // Pods of one workload that differ in what they ask for: the reasons of the first are shown.
      all[known->second].replicas += over[i];
      continue;
    }
    const auto found = explained.find(static_cast<std::uint32_t>(i));
    Examination examination(model, of, scope, i);
    examination.examine(found == explained.end() ? nullptr : found->second);
    Why why = examination.answer(found == explained.end() ? nullptr : found->second);
    if (of.left[i] > 0 && !apps[i].group.empty()) {
      why.why.insert(why.why.begin(), "its group " + apps[i].group + " starts with at least " +
                                          std::to_string(model.cluster.groups.at(apps[i].group)) +
                                          " pods or not at all, and there is no room for so many");
    }
    all.push_back({workload, over[i], wanted[workload], std::move(why.why), std::move(why.help)});
  }
  return all;
}

}  // namespace stowage::k8s
