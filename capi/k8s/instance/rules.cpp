// Affinity, spread, ports and claims of one pod as limits and rules.
#include <algorithm>
#include <unordered_map>

#include "capi/k8s/instance/placed.h"
#include "capi/k8s/pods/workloads.h"
#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {

/// The largest weight that a preference can have is that of a preferred spread.
constexpr double kSpreadWeight = 100;
constexpr View kNameLabel = "kubernetes.io/metadata.name";

class RuleMaker {
 public:
  explicit RuleMaker(Model& to) : to_(to), cluster_(to.cluster) {
    for (std::size_t i = 0; i < cluster_.apps.size(); ++i) by_namespace_[cluster_.apps[i].ns].push_back(static_cast<int>(i));
  }

  void make() {
    for (std::size_t i = 0; i < cluster_.apps.size(); ++i) {
      const App& app = cluster_.apps[i];
      apart(static_cast<int>(i), app);
      near(static_cast<int>(i), app);
      for (std::size_t k = 0; k < app.spec->spreads.size(); ++k) spread(static_cast<int>(i), app, app.spec->spreads[k]);
      ports(static_cast<int>(i), app);
    }
    claims();
  }

 private:
  struct Found {
    std::vector<int> apps;
    bool known = true;
  };

  App& app(int i) { return cluster_.apps[static_cast<std::size_t>(i)]; }

  /// The apps whose pods a selector selects, with the same value of each label in `same`, and another of each in `other`.
  /// `known` is false where that depends on what is not in the input, or on pods that go with their nodes.
  template <class InNamespace>
  Found matched(const App& of, const Selector& selector, InNamespace&& in, const std::vector<View>& same,
                const std::vector<View>& other, const std::string& text) {
    Found found;
    Selector all = selector;
    for (const auto* keys : {&same, &other}) {
      for (const View key : *keys) {
        const View* value = of.labels.find(key);
        if (value == nullptr) {
          // The scheduler takes no notice of a key that a pod has not, but controllers add the hash to pods that they make.
          if (of.pods.size() < static_cast<std::size_t>(of.replicas) && key.ends_with("hash")) {
            cluster_.leave_out(text + ", which depends on a label " + std::string(key) + " that the template has not");
            return {{}, false};
          }
          continue;
        }
        all.all.push_back({key, keys == &other ? Operator::kNotIn : Operator::kIn, {*value}});
      }
    }
    for (const Daemon& one : cluster_.daemons) {
      if (!in(one.ns) || ranges::none_of(one.labels, [&](const Labels& its) { return selects(all, its); })) continue;
      cluster_.leave_out(text + ": it counts pods of " + one.name + ", which go with their nodes here");
      return {{}, false};
    }
    for (const auto& [ns, apps] : by_namespace_) {
      if (!in(ns)) continue;
      for (const int i : apps) {
        if (selects(all, app(i).labels)) found.apps.push_back(i);
      }
    }
    ranges::sort(found.apps);
    return found;
  }

  Found term(const App& of, const PodTerm& one, const std::string& text) {
    if (!one.namespaces_by_label.given) {
      return matched(
          of, one.pods, [&](View ns) { return one.namespaces.empty() ? ns == of.ns : listed(one, ns); }, one.match_keys,
          one.mismatch_keys, text);
    }
    const bool any = one.namespaces_by_label.all.empty();
    // Each namespace has its name as a label.
    const bool by_name =
        ranges::all_of(one.namespaces_by_label.all, [](const Requirement& its) { return its.key == kNameLabel; });
    for (const App& other : cluster_.apps) {
      if (any || by_name || has_namespace(other.ns)) continue;
      cluster_.miss(text + ", which selects namespaces by label: the Namespace " + std::string(other.ns) +
                    " is not in the input");
      return {{}, false};
    }
    return matched(
        of, one.pods, [&](View ns) { return any || listed(one, ns) || selects_namespace(one.namespaces_by_label, ns); },
        one.match_keys, one.mismatch_keys, text);
  }

  static bool listed(const PodTerm& one, View ns) { return ranges::find(one.namespaces, ns) != one.namespaces.end(); }
  [[nodiscard]] bool has_namespace(View ns) const {
    return ranges::find(cluster_.from.namespaces, ns, &Meta::name) != cluster_.from.namespaces.end();
  }
  [[nodiscard]] bool selects_namespace(const Selector& selector, View ns) const {
    const auto found = ranges::find(cluster_.from.namespaces, ns, &Meta::name);
    Labels labels = found == cluster_.from.namespaces.end() ? Labels() : found->labels;
    labels.add(kNameLabel, ns);
    return selects(selector, labels);
  }

  /// A tag that exactly these apps have.
  int tag(const std::vector<int>& apps) {
    std::string name = "[";
    for (const int i : apps) name += (name.size() > 1 ? " " : "") + std::to_string(i);
    name += "]";
    const auto [at, made] = tag_of_.try_emplace(std::move(name), static_cast<int>(to_.tags.size()));
    if (made) {
      to_.tags.push_back(at->first);
      for (const int i : apps) to_.app_tags[static_cast<std::size_t>(i)].push_back(at->second);
    }
    return at->second;
  }

  /// The group of a topology key on the nodes that count; nullptr = all. -1 = each node is a set of its own.
  int group(View key, const Place* counts) {
    bool all = true;
    for (std::size_t k = 0; k < cluster_.kinds.size(); ++k) {
      const bool has = key == kHostname || cluster_.kinds[k].labels.has(key);
      all = all && (counts == nullptr || counts->kinds[k] != 0 || !has);
    }
    for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
      const bool has = key == kHostname || cluster_.nodes[n].labels.has(key);
      all = all && (counts == nullptr || counts->nodes[n] != 0 || !has);
    }
    if (key == kHostname && all) return -1;
    for (std::size_t k = 0; k < to_.groups.size(); ++k) {
      const Group& one = to_.groups[k];
      if (one.key == key && (all ? one.name == key : one.name != key && one.counts == *counts)) return static_cast<int>(k);
    }
    Group made{std::string(key), key, {}, key == kHostname};
    if (!all) {
      made.name += " (" + std::to_string(to_.groups.size()) + ")";
      made.counts = *counts;
    }
    to_.groups.push_back(std::move(made));
    return static_cast<int>(to_.groups.size()) - 1;
  }

  Rule& add(const std::vector<int>& subjects, const std::string& text, int group, std::vector<std::vector<Condition>> any_of) {
    Rule& made = to_.rules.emplace_back();
    made.text = text;
    made.apps = subjects;
    made.subject = tag(subjects);
    made.group = group;
    made.any_of = std::move(any_of);
    return made;
  }
  Rule& prefer(const std::vector<int>& subjects, const std::string& text, double weight, int group, Condition condition) {
    Rule& made = add(subjects, text, group, {{condition}});
    made.soft = true;
    made.weight = std::max(weight, 1.0);
    return made;
  }

  /// Keeps two apps on different nodes, or the replicas of one.
  void limit(int i, int j) { to_.limits[{i, j}] = i == j ? 1 : 0; }

  void apart(int i, const App& of) {
    for (const PodTerm& one : of.spec->preferred_apart) {
      const std::string text = of.workload() + ": preferred pod anti-affinity by " + std::string(one.topology_key);
      const Found found = term(of, one, text);
      if (!found.known || found.apps.empty()) continue;
      prefer({i}, text, static_cast<double>(one.weight), group(one.topology_key, nullptr),
             {wire::CardinalityKind::Replicas, tag(found.apps), 0, 0});
    }
    for (const PodTerm& one : of.spec->apart) {
      const std::string text = of.workload() + ": required pod anti-affinity by " + std::string(one.topology_key);
      const Found found = term(of, one, text);
      if (!found.known || found.apps.empty()) continue;
      if (one.topology_key == kHostname) {
        for (const int j : found.apps) limit(i, j);
      } else {
        add({i}, text, group(one.topology_key, nullptr), {{{wire::CardinalityKind::Replicas, tag(found.apps), 0, 0}}});
      }
    }
  }

  void near(int i, const App& of) {
    for (const NodeTerm& one : of.spec->preferred_node_terms) prefer_nodes(i, of, one);
    for (const PodTerm& one : of.spec->preferred_near) {
      const std::string text = of.workload() + ": preferred pod affinity by " + std::string(one.topology_key);
      const Found found = term(of, one, text);
      if (!found.known || found.apps.empty()) continue;
      prefer({i}, text, static_cast<double>(one.weight), group(one.topology_key, nullptr),
             {wire::CardinalityKind::Replicas, tag(found.apps), 1});
    }
    required_near(i, of);
  }

  /// Requires, for each term, a pod that all terms select in the same domain.
  void required_near(int i, const App& of) {
    const auto& terms = of.spec->near;
    std::vector<int> all;
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      texts.push_back(of.workload() + ": required pod affinity by " + std::string(terms[k].topology_key));
      Found found = term(of, terms[k], texts.back());
      if (!found.known) {
        if (terms.size() > 1) cluster_.leave_out(of.workload() + ": required pod affinity, all terms");
        return;
      }
      if (k == 0) all = std::move(found.apps);
      std::erase_if(all, [&](int j) { return k > 0 && ranges::find(found.apps, j) == found.apps.end(); });
    }
    const bool itself = ranges::find(all, i) != all.end();
    const bool alone = ranges::all_of(all, [&](int j) { return app(j).key == of.key; });
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (itself && alone) {
        // The scheduler accepts the first replica alone; the others must be in the same domain. One rule covers all variants.
        if (i == all.front())
          add(all, texts[k], group(terms[k].topology_key, nullptr), {{{wire::CardinalityKind::NodeSets, -1, 0, 1}}});
      } else if (itself) {
        cluster_.leave_out(texts[k] + ", to its own replicas or others");
      } else {
        add({i}, texts[k], group(terms[k].topology_key, nullptr), {{{wire::CardinalityKind::Replicas, tag(all), 1}}});
      }
    }
  }

  /// States a preferred node affinity as a rule on a word that the preferred nodes carry.
  void prefer_nodes(int i, const App& of, const NodeTerm& term) {
    const std::vector<NodeTerm> terms = {term};
    Place made = to_.placed(*of.spec, names_nodes(terms), false, [&](const Ground& at) { return meets_one(terms, at); });
    if (ranges::find(made.nodes, 1) == made.nodes.end()) return;
    auto at = ranges::find(to_.preferred, made);
    const auto number = static_cast<std::size_t>(at - to_.preferred.begin());
    if (at == to_.preferred.end()) to_.preferred.push_back(std::move(made));
    const std::string name = "preferred " + std::to_string(number);
    const auto [its, added] = tag_of_.try_emplace(name, static_cast<int>(to_.tags.size()));
    if (added) to_.tags.push_back(name);
    prefer({i}, of.workload() + ": preferred node affinity", static_cast<double>(term.weight), -1,
           {wire::CardinalityKind::Replicas, its->second, 1});
  }

  /// Whether nodes are domains for a pod: those that have all keys over which it must spread and, as its policies say, that its
  /// selector and affinity and its tolerations allow.
  const Place& counted(const App& of, const Spread& one) {
    std::string key = signature(*of.spec, {}, {}, cluster_.taints) + (one.honors_affinity ? "a" : "") +
                      (one.honors_taints ? "t" : "") + (one.soft ? "s" : "") + std::string(one.topology_key);
    const auto [at, made] = counted_.try_emplace(std::move(key));
    if (!made) return at->second;
    PodSpec reduced;
    for (const Spread& its : of.spec->spreads) {
      if (its.soft != one.soft) continue;
      reduced.spreads.push_back(its);
      reduced.spreads.back().soft = false;
    }
    if (one.honors_affinity) {
      reduced.node_selector = of.spec->node_selector;
      reduced.has_node_terms = of.spec->has_node_terms;
      reduced.node_terms = of.spec->node_terms;
    }
    reduced.tolerations = of.spec->tolerations;
    const bool single = reduced.node_selector.has(kHostname) || names_nodes(reduced.node_terms);
    static const std::vector<Taint> no_taints;
    at->second = to_.placed(reduced, single, false, [&](const Ground& ground) {
      return allows(reduced, {ground.name, ground.labels, one.honors_taints ? ground.taints : no_taints, ground.ports});
    });
    for (std::size_t n = 0; one.honors_taints && n < cluster_.nodes.size(); ++n) {
      for (const Taint& taint : cluster_.nodes[n].closing) {
        if (taint.effect != Effect::kPreferNoSchedule && !tolerates(reduced, taint)) at->second.nodes[n] = 0;
      }
    }
    return at->second;
  }

  [[nodiscard]] bool alike(const App& of, const App& other, const Spread& one) {
    if (&of == &other) return true;
    return ranges::any_of(other.spec->spreads, [&](const Spread& its) {
      return its == one && counted(of, one) == counted(other, its) &&
             ranges::all_of(one.match_keys, [&](View key) { return of.labels.get(key) == other.labels.get(key); });
    });
  }

  std::size_t domains(View key, const Place& counts) {
    std::set<View> values;
    for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
      const View* value = key == kHostname ? &cluster_.nodes[n].name : cluster_.nodes[n].labels.find(key);
      if (value != nullptr && counts.nodes[n] != 0) values.insert(*value);
    }
    return values.size();
  }

  void spread(int i, const App& of, const Spread& one) {
    const std::string text =
        of.workload() + (one.soft ? ": preferred spread over " : ": spread over ") + std::string(one.topology_key);
    Found found = matched(
        of, one.pods, [&](View ns) { return ns == of.ns; }, one.match_keys, {}, text);
    if (!found.known || found.apps.empty()) return;
    const Place counts = counted(of, one);
    // Pods on nodes that are no domains are not counted.
    const std::vector<int> everywhere = found.apps;
    const auto uncounted = [&](const App& its) {
      if (its.outside < 0) return false;
      const auto node = static_cast<std::size_t>(its.outside);
      return counts.nodes[node] == 0 || (one.topology_key != kHostname && !cluster_.nodes[node].labels.has(one.topology_key));
    };
    std::erase_if(found.apps, [&](int j) { return uncounted(app(j)); });
    if (uncounted(of)) {
      if (!one.soft) to_.uncounted[static_cast<std::size_t>(i)] = 1;
      return;
    }
    bool mixed = false;
    const bool itself = ranges::find(found.apps, i) != found.apps.end();
    const bool stays = ranges::all_of(found.apps, [&](int j) {
      if (alike(of, app(j), one)) return true;
      mixed = true;
      return app(j).replicas == app(j).run();
    });
    if (!itself || !stays) {
      cluster_.leave_out(text + ": it counts other pods than those that it keeps");
      return;
    }
    if (one.topology_key == kHostname && !one.soft) cluster_.leave_out(text + ", where all is planned afresh");
    for (const int j : found.apps) {
      if (j >= i) break;
      if (alike(of, app(j), one)) return;  // one rule covers all of them
    }
    const auto most = static_cast<std::uint32_t>(one.max_skew);
    const int its_group = group(one.topology_key, &counts);
    const Condition skew{wire::CardinalityKind::Skew, -1, 0, most};
    const Condition few{wire::CardinalityKind::Replicas, Condition::kSubject, 0, most - 1};
    const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(one.min_domains, 0));
    const auto make = [&](std::vector<std::vector<Condition>> any_of) -> Rule& {
      Rule& made = add(found.apps, text, its_group, std::move(any_of));
      made.soft = one.soft;
      made.weight = one.soft ? kSpreadWeight : 1;
      made.not_fresh = mixed;
      if (everywhere.size() > found.apps.size()) made.fresh_subject = tag(everywhere);
      return made;
    };
    if (domains(one.topology_key, counts) < wanted) {
      // With fewer than minDomains domains, the scheduler treats the smallest count as 0. New nodes are domains by their names.
      Rule& limit_each = make({{few}});
      if (one.topology_key == kHostname) limit_each.group = -1;
      return;
    }
    Rule& made = make({{skew}});
    if (one.topology_key == kHostname) {
      made.skew_of_nodes = most;
    } else if (wanted > 0) {
      made.not_moving = true;
      const Condition many{wire::CardinalityKind::NodeSets, -1, static_cast<std::uint32_t>(wanted)};
      make({{skew, many}, {few}}).moving_only = true;
    }
  }

  /// Apps that use the same port of the host are on different nodes.
  void ports(int i, const App& of) {
    if (of.spec->ports.empty()) return;
    limit(i, i);
    for (const int j : with_ports_) {
      const bool clash = ranges::any_of(of.spec->ports, [&](const Port& one) {
        return ranges::any_of(app(j).spec->ports, [&](const Port& its) { return one.clashes(its); });
      });
      if (clash) limit(i, j);
    }
    with_ports_.push_back(i);
  }

  /// A claim of access mode ReadWriteOncePod lets one pod use it.
  void claims() {
    std::map<std::string, std::vector<int>> users;
    for (std::size_t i = 0; i < cluster_.apps.size(); ++i) {
      for (const std::string& one : cluster_.apps[i].one_pod_claims) users[one].push_back(static_cast<int>(i));
    }
    if (users.empty()) return;
    constexpr View kAnywhere = "stowage/anywhere";
    for (NodeKind& kind : cluster_.kinds) kind.labels.add(kAnywhere, "yes");
    Group whole{std::string(kAnywhere), kAnywhere, {}, false};
    to_.groups.push_back(std::move(whole));
    const int everywhere = static_cast<int>(to_.groups.size()) - 1;
    for (auto& [claim, apps] : users) {
      ranges::sort(apps);
      apps.erase(std::unique(apps.begin(), apps.end()), apps.end());
      add(apps, app(apps.front()).workload() + ": the claim " + claim + " is for one pod (ReadWriteOncePod)", everywhere,
          {{{wire::CardinalityKind::Replicas, tag(apps), 0, 0}}});
    }
  }

  Model& to_;
  Cluster& cluster_;
  std::map<View, std::vector<int>> by_namespace_;
  std::unordered_map<std::string, int> tag_of_;
  std::unordered_map<std::string, Place> counted_;
  std::vector<int> with_ports_;
};

void make_rules(Model& to) { RuleMaker(to).make(); }

}  // namespace stowage::k8s
