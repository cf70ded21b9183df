#include "core/verify/rules.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace stowage {
namespace {

/// The counts that a condition allows.
struct CountRange {
  std::uint64_t min;
  std::uint64_t max;
};
constexpr std::uint64_t kNoUpperBound = ~std::uint64_t{0};

/// How far counts are outside of their ranges.
struct RuleMiss {
  double extent = 0;  // sum over the counts
  double amount = 0;  // the count that is furthest outside
  double limit = 0;   // the bound that it misses

  void add(const RuleMiss& other) {
    if (other.extent > extent || extent == 0) {
      amount = other.amount;
      limit = other.limit;
    }
    extent += other.extent;
  }
};

RuleMiss rule_miss(std::uint64_t count, const CountRange& range) {
  const auto number = static_cast<double>(count);
  if (count < range.min) {
    const auto min = static_cast<double>(range.min);
    return {(min - number) / min, number, min};
  }
  if (range.max != kNoUpperBound && count > range.max) {
    const auto max = static_cast<double>(range.max);
    return {(number - max) / (range.max > 0 ? max : 1), number, max};
  }
  return {};
}

/// The counts that a condition allows: one range, or, if it is negated, the counts below it and the counts above it.
std::vector<CountRange> ranges_of_part(const Cardinality& part) {
  const std::uint64_t min = part.kind == CardinalityKind::kSkew ? 0 : part.min;
  const std::uint64_t max = part.max == kNone ? kNoUpperBound : part.max;
  if (!part.negated) return {{min, max}};
  std::vector<CountRange> ranges;
  if (min > 0) ranges.push_back({0, min - 1});
  if (max != kNoUpperBound) ranges.push_back({max + 1, kNoUpperBound});
  return ranges;
}

class RuleChecker {
 public:
  RuleChecker(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed)
      : instance_(instance), data_(instance.data()), nodes_(nodes), placed_(placed) {
    carriers_.resize(data_.tags.size());
    const IndexRows& tags = instance.app_tags();
    for (AppId app = 0; app < instance.apps(); ++app) {
      for (std::uint32_t k = tags.begin[app]; k < tags.begin[app + 1]; ++k) carriers_[tags.index[k]].push_back(app);
    }
    entries_of_.resize(instance.apps());
    for (std::size_t e = 0; e < placed.size(); ++e) entries_of_[placed[e].app].push_back(e);
    for (const NodeGroup& group : data_.groups) groups_.push_back(read_group(group));
    on_nodes_.assign(data_.tags.size(), 0);
    for (const std::uint32_t tag : data_.node_tags.index) on_nodes_[tag] = 1;
    for (const NodeClass& node_class : data_.classes) {
      for (std::size_t tag = 0; tag < data_.tags.size(); ++tag) {
        const auto& labels = node_class.labels;
        if (std::find(labels.begin(), labels.end(), data_.tags[tag]) != labels.end()) on_nodes_[tag] = 1;
      }
    }
    violating_.assign(placed.size(), 0);
  }

  RuleFindings run() {
    result_.costs.cost = 0;
    for (std::uint32_t r = 0; r < instance_.rules().size(); ++r) check(r, instance_.rules()[r]);
    for (std::size_t e = 0; e < placed_.size(); ++e) {
      if (violating_[e] != 0) result_.costs.replicas += in_all(e);
    }
    return std::move(result_);
  }

 private:
  struct Sets {
    std::uint32_t count = 0;
    std::vector<std::vector<std::uint32_t>> of_node;    // per node of the plan
    std::vector<std::vector<std::uint32_t>> of_listed;  // per listed node of the instance
  };
  using SetCounts = std::unordered_map<std::uint32_t, std::uint64_t>;

  /// Entries that are subject to a part, and for each, how far the part is from holding for one replica.
  struct PartResult {
    std::vector<std::size_t> entries;
    std::vector<RuleMiss> misses;
  };

  [[nodiscard]] std::vector<std::string> tags_of_listed(NodeId listed) const {
    std::vector<std::string> result = data_.classes[data_.node_class[listed]].labels;
    if (data_.node_tags.empty()) return result;
    for (std::uint32_t k = data_.node_tags.begin[listed]; k < data_.node_tags.begin[listed + 1]; ++k) {
      result.push_back(data_.tags[data_.node_tags.index[k]]);
    }
    return result;
  }

  Sets read_group(const NodeGroup& group) const {
    Sets sets;
    sets.of_listed.resize(data_.node_class.size());
    std::vector<std::vector<std::uint32_t>> of_class(data_.classes.size());
    if (group.by_label.empty()) {
      sets.count = group.sets.begin.empty() ? 0 : static_cast<std::uint32_t>(group.sets.begin.size()) - 1;
      for (std::uint32_t s = 0; s < sets.count; ++s) {
        for (std::uint32_t k = group.sets.begin[s]; k < group.sets.begin[s + 1]; ++k) {
          sets.of_listed[group.sets.index[k]].push_back(s);
        }
      }
    } else {
      const std::string prefix = group.by_label + "=";
      std::map<std::string, std::uint32_t> values;
      const auto collect = [&](const std::vector<std::string>& labels, std::vector<std::uint32_t>& to) {
        for (const std::string& label : labels) {
          if (label.compare(0, prefix.size(), prefix) != 0) continue;
          to.push_back(values.emplace(label.substr(prefix.size()), static_cast<std::uint32_t>(values.size())).first->second);
        }
      };
      for (ClassId c = 0; c < data_.classes.size(); ++c) collect(data_.classes[c].labels, of_class[c]);
      for (NodeId n = 0; n < data_.node_class.size(); ++n) collect(tags_of_listed(n), sets.of_listed[n]);
      sets.count = static_cast<std::uint32_t>(values.size());
    }
    const auto tidy = [](std::vector<std::uint32_t>& list) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    for (auto& list : sets.of_listed) tidy(list);
    for (auto& list : of_class) tidy(list);
    for (const PlannedNode& node : nodes_) {
      sets.of_node.push_back(node.listed != kNone ? sets.of_listed[node.listed] : of_class[node.node_class]);
    }
    return sets;
  }

  /// Apps that carry all of these tags.
  [[nodiscard]] std::vector<AppId> apps_with(const std::vector<std::uint32_t>& tags) const {
    std::vector<AppId> result;
    if (tags.empty()) return result;
    for (const AppId app : carriers_[tags[0]]) {
      const bool all = std::all_of(tags.begin(), tags.end(), [&](std::uint32_t tag) {
        return std::binary_search(carriers_[tag].begin(), carriers_[tag].end(), app);
      });
      if (all) result.push_back(app);
    }
    return result;
  }
  static bool has_all(const std::vector<std::string>& labels, const std::vector<std::string>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const std::string& tag) { return std::find(labels.begin(), labels.end(), tag) != labels.end(); });
  }

  /// Sets of the part's group that a node of the plan is in.
  [[nodiscard]] std::vector<std::uint32_t> sets_of(const Cardinality& part, NodeId node) const {
    if (part.group == kNone) return {node};
    return groups_[part.group].of_node[node];
  }

  /// Replicas of an entry on its node and all copies.
  [[nodiscard]] std::uint64_t in_all(std::size_t entry) const {
    return std::uint64_t{placed_[entry].replicas} * nodes_[placed_[entry].node].copies;
  }
  /// Replicas of an entry in one set of the part's group. Without a group, each copy is a set.
  [[nodiscard]] std::uint64_t in_set(const Cardinality& part, std::size_t entry) const {
    return part.group == kNone ? placed_[entry].replicas : in_all(entry);
  }

  // The target count of every set.
  SetCounts count_targets(const Cardinality& part, const std::vector<AppId>& targets) const {
    SetCounts counts;
    for (const AppId app : targets) {
      for (const std::size_t e : entries_of_[app]) {
        for (const std::uint32_t set : sets_of(part, placed_[e].node)) counts[set] += in_set(part, e);
      }
    }
    std::vector<std::string> wanted;
    for (const std::uint32_t tag : part.target) {
      if (on_nodes_[tag] == 0) return counts;  // no node has the tag
      wanted.push_back(data_.tags[tag]);
    }
    if (part.group == kNone) {
      for (NodeId n = 0; n < nodes_.size(); ++n) {
        const NodeId listed = nodes_[n].listed;
        const bool there =
            has_all(listed == kNone ? data_.classes[nodes_[n].node_class].labels : tags_of_listed(listed), wanted);
        if (there) ++counts[n];
      }
    } else {
      for (NodeId listed = 0; listed < data_.node_class.size(); ++listed) {
        if (!has_all(tags_of_listed(listed), wanted)) continue;
        for (const std::uint32_t set : groups_[part.group].of_listed[listed]) ++counts[set];
      }
    }
    return counts;
  }

  PartResult check_replicas(const Cardinality& part) const {
    PartResult result;
    const std::vector<AppId> subjects = apps_with(part.subject);
    const std::vector<AppId> targets = apps_with(part.target);
    SetCounts counts;
    bool counted = false;
    for (const AppId app : subjects) {
      const std::uint64_t own = std::binary_search(targets.begin(), targets.end(), app) ? 1 : 0;
      for (const std::size_t e : entries_of_[app]) {
        if (!counted) counts = count_targets(part, targets);
        counted = true;
        RuleMiss best;
        best.extent = std::numeric_limits<double>::infinity();
        for (const CountRange& range : ranges_of_part(part)) {
          RuleMiss sum;
          const auto sets = sets_of(part, placed_[e].node);
          if (sets.empty() && range.min > 0) sum = {1, 0, static_cast<double>(range.min)};
          for (const std::uint32_t set : sets) {
            const auto at = counts.find(set);
            sum.add(rule_miss((at == counts.end() ? 0 : at->second) - own, range));
          }
          if (sum.extent < best.extent) best = sum;
        }
        result.entries.push_back(e);
        result.misses.push_back(best);
      }
    }
    return result;
  }

  /// NodeSets or Skew: one result for all subjects.
  PartResult check_population(const Cardinality& part) const {
    PartResult result;
    SetCounts counts;
    std::uint64_t all = 0;
    std::uint64_t outside = 0;
    for (const AppId app : apps_with(part.subject)) {
      for (const std::size_t e : entries_of_[app]) {
        result.entries.push_back(e);
        all += in_all(e);
        const auto sets = sets_of(part, placed_[e].node);
        if (sets.empty()) outside += in_all(e);
        for (const std::uint32_t set : sets) counts[set] += in_set(part, e);
      }
    }
    std::uint64_t occupied = 0;
    for (const auto& [set, replicas] : counts) occupied += part.group == kNone ? nodes_[set].copies : 1;
    RuleMiss best;
    best.extent = std::numeric_limits<double>::infinity();
    for (const CountRange& range : ranges_of_part(part)) {
      RuleMiss miss;
      if (part.kind == CardinalityKind::kNodeSets) {
        const std::uint64_t least = std::min(range.min, all);
        if (occupied < least) {
          miss = {static_cast<double>(least - occupied) / static_cast<double>(range.min), static_cast<double>(occupied),
                  static_cast<double>(least)};
        }
        miss.add(rule_miss(occupied, {0, range.max}));
      } else {
        std::uint64_t most = 0;
        std::uint64_t least = kNoUpperBound;
        for (const auto& [set, replicas] : counts) {
          most = std::max(most, replicas);
          least = std::min(least, replicas);
        }
        if (occupied < sets_in_all(part)) least = 0;
        miss = rule_miss(most - std::min(least, most), range);
      }
      miss.add({static_cast<double>(outside), static_cast<double>(outside), 0});
      if (miss.extent < best.extent) best = miss;
    }
    result.misses.assign(result.entries.size(), best);
    return result;
  }
  [[nodiscard]] std::uint64_t sets_in_all(const Cardinality& part) const {
    if (part.group != kNone) return groups_[part.group].count;
    std::uint64_t nodes = 0;
    for (const NodeClass& c : data_.classes) {
      if (c.count == 0) return kNoUpperBound;
      nodes += c.count;
    }
    return nodes;
  }

  PartResult check_part(const Cardinality& part) const {
    return part.kind == CardinalityKind::kReplicas ? check_replicas(part) : check_population(part);
  }

  void report(std::uint32_t r, const PlacementRule& rule, std::size_t entry, const RuleMiss& miss) {
    const bool all = entry == placed_.size();
    RuleViolation violation;
    violation.rule = r;
    violation.hard = rule.hard;
    violation.weight = rule.weight;
    violation.replicas = 1;
    if (!all) {
      violation.node = placed_[entry].node;
      violation.app = placed_[entry].app;
      violation.replicas = static_cast<std::uint32_t>(std::min<std::uint64_t>(in_all(entry), kNone));
      violating_[entry] = 1;
    }
    violation.extent = miss.extent;
    violation.amount = miss.amount;
    violation.limit = miss.limit;
    result_.costs.violations += violation.replicas;
    result_.costs.extent += violation.replicas * miss.extent;
    result_.costs.weight += violation.replicas * rule.weight;
    result_.costs.cost += violation.replicas * miss.extent * rule.weight;
    result_.violations.push_back(violation);
  }

  void check(std::uint32_t r, const PlacementRule& rule) {
    const bool no_choice =
        rule.any_of.size() == 1 && std::all_of(rule.any_of[0].begin(), rule.any_of[0].end(),
                                               [](const Cardinality& part) { return ranges_of_part(part).size() == 1; });
    if (no_choice) return check_conjunction(r, rule);
    // For each replica, the conjunction that is nearest to holding counts.
    std::map<std::size_t, RuleMiss> best;
    for (const auto& conjunction : rule.any_of) {
      std::map<std::size_t, RuleMiss> sum;
      for (const Cardinality& part : conjunction) {
        const PartResult result = check_part(part);
        for (std::size_t k = 0; k < result.entries.size(); ++k) sum[result.entries[k]].add(result.misses[k]);
      }
      for (const auto& [entry, miss] : sum) {
        const auto [at, fresh] = best.emplace(entry, miss);
        if (!fresh && miss.extent < at->second.extent) at->second = miss;
      }
    }
    for (const auto& [entry, miss] : best) {
      if (miss.extent > 0) report(r, rule, entry, miss);
    }
  }
  void check_conjunction(std::uint32_t r, const PlacementRule& rule) {
    std::map<std::size_t, RuleMiss> sum;
    for (const Cardinality& part : rule.any_of[0]) {
      const PartResult result = check_part(part);
      if (part.kind != CardinalityKind::kReplicas) {
        if (!result.misses.empty() && result.misses[0].extent > 0) {
          report(r, rule, placed_.size(), result.misses[0]);
          result_.violations.back().part = static_cast<std::uint32_t>(&part - rule.any_of[0].data());
        }
        continue;
      }
      for (std::size_t k = 0; k < result.entries.size(); ++k) {
        if (result.misses[k].extent > 0) sum[result.entries[k]].add(result.misses[k]);
      }
    }
    for (const auto& [entry, miss] : sum) report(r, rule, entry, miss);
  }

  const Instance& instance_;
  const InstanceData& data_;
  const std::vector<PlannedNode>& nodes_;
  const std::vector<Placed>& placed_;
  std::vector<std::vector<AppId>> carriers_;          // by tag
  std::vector<std::vector<std::size_t>> entries_of_;  // by app
  std::vector<Sets> groups_;
  std::vector<std::uint8_t> on_nodes_;   // by tag: whether some node has it
  std::vector<std::uint8_t> violating_;  // by entry: whether a rule does not hold for it
  RuleFindings result_;
};

/// The contents of listed nodes before planning: pinned replicas and, if `running`, the running ones, which a request may
/// ignore.
std::vector<Placed> start_under_rules(const InstanceData& data, bool running) {
  std::map<std::pair<NodeId, AppId>, std::uint32_t> there;
  if (running) {
    for (const Residence& r : data.running) there[{r.node, r.app}] = r.replicas;
  }
  for (const Residence& p : data.pinned) {
    std::uint32_t& count = there[{p.node, p.app}];
    count = std::max(count, p.replicas);
  }
  std::vector<Placed> result;
  result.reserve(there.size());
  for (const auto& [at, replicas] : there) result.push_back({at.second, at.first, replicas});
  return result;
}

}  // namespace

RuleFindings check_rules(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed) {
  RuleFindings findings;
  if (instance.rules().empty()) return findings;
  findings = RuleChecker(instance, nodes, placed).run();
  const bool broken = std::any_of(findings.violations.begin(), findings.violations.end(),
                                  [](const RuleViolation& violation) { return violation.hard; });
  if (!broken) return findings;

  // A hard rule that is broken at the start may stay broken, by no more and for no more replicas. Pinned replicas may depend on
  // running ones; so a rule that the pinned replicas alone break also counts as broken at the start.
  std::vector<PlannedNode> listed;
  listed.reserve(instance.listed_nodes());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) listed.push_back({instance.data().node_class[n], n});
  for (const bool running : {true, false}) {
    const std::vector<Placed> start = start_under_rules(instance.data(), running);
    std::map<std::tuple<std::uint32_t, std::uint32_t, AppId, NodeId>, const RuleViolation*> start_violations;
    const RuleFindings at_start = RuleChecker(instance, listed, start).run();
    for (const RuleViolation& violation : at_start.violations) {
      start_violations[{violation.rule, violation.part, violation.app, violation.node}] = &violation;
    }
    for (RuleViolation& violation : findings.violations) {
      const NodeId at = violation.node == kNone ? kNone : nodes[violation.node].listed;
      if (!violation.hard || (violation.node != kNone && at == kNone)) continue;
      const auto was = start_violations.find({violation.rule, violation.part, violation.app, at});
      violation.inherited =
          violation.inherited || (was != start_violations.end() && violation.replicas <= was->second->replicas &&
                                  violation.extent <= was->second->extent * (1 + 1e-9));
    }
  }
  return findings;
}

}  // namespace stowage
