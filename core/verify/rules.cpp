#include "core/verify/rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "core/verify/rule_nodes.h"

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
struct PartRanges {
  explicit PartRanges(const Cardinality& part) {
    const std::uint64_t min = part.kind == CardinalityKind::kSkew ? 0 : part.min;
    const std::uint64_t max = part.max == kNone ? kNoUpperBound : part.max;
    if (!part.negated) {
      add({min, max});
      return;
    }
    if (min > 0) add({0, min - 1});
    if (max != kNoUpperBound) add({max + 1, kNoUpperBound});
  }
  [[nodiscard]] std::span<const CountRange> all() const { return std::span(ranges_).first(count_); }

 private:
  void add(const CountRange& range) { ranges_[count_++] = range; }
  std::array<CountRange, 2> ranges_{};
  std::size_t count_ = 0;
};

/// Numbers by set: an array of which only the sets that were added to are read and cleared.
class SetCounts {
 public:
  void resize(std::size_t sets) {
    count_.assign(sets, 0);
    counted_.assign(sets, 0);
  }
  void add(std::uint32_t set, std::uint64_t number) {
    if (counted_[set] == 0) sets_.push_back(set);
    counted_[set] = 1;
    count_[set] += number;
  }
  [[nodiscard]] std::uint64_t operator[](std::uint32_t set) const { return count_[set]; }
  /// The sets that were added to.
  [[nodiscard]] std::span<const std::uint32_t> sets() const { return sets_; }
  void clear() {
    for (const std::uint32_t set : sets_) {
      count_[set] = 0;
      counted_[set] = 0;
    }
    sets_.clear();
  }

 private:
  std::vector<std::uint64_t> count_;
  std::vector<std::uint8_t> counted_;
  std::vector<std::uint32_t> sets_;
};

/// An entry of the plan that is subject to a condition, and how far the condition is from holding for one replica.
struct EntryMiss {
  std::size_t entry;
  RuleMiss miss;
};

/// Makes one of all misses of the same entry, in the order in which they stand. Sorts by entry.
template <class Join>
void join_entries(std::vector<EntryMiss>& misses, const Join& join) {
  std::stable_sort(misses.begin(), misses.end(), [](const EntryMiss& a, const EntryMiss& b) { return a.entry < b.entry; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < misses.size(); ++k) {
    if (kept > 0 && misses[kept - 1].entry == misses[k].entry) {
      join(misses[kept - 1].miss, misses[k].miss);
    } else {
      misses[kept++] = misses[k];
    }
  }
  misses.resize(kept);
}

/// Compressed rows: row r is index[begin[r]] .. index[begin[r + 1] - 1].
struct RowLists {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> index;
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(index).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

/// Sorts items 0 .. items - 1 into rows, in this order within a row.
/// @param key the row of item k
template <class Key>
RowLists rows_by(std::size_t rows, std::size_t items, const Key& key) {
  RowLists result;
  result.begin.assign(rows + 1, 0);
  for (std::size_t k = 0; k < items; ++k) ++result.begin[key(k) + 1];
  for (std::size_t r = 0; r < rows; ++r) result.begin[r + 1] += result.begin[r];
  result.index.resize(items);
  std::vector<std::size_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::size_t k = 0; k < items; ++k) result.index[next[key(k)]++] = static_cast<std::uint32_t>(k);
  return result;
}

class RuleChecker {
 public:
  RuleChecker(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed,
              WatchRef watch)
      : instance_(instance), data_(instance.data()), nodes_(nodes), placed_(placed), watch_(watch), rule_nodes_(data_, nodes) {
    const IndexRows& tags = instance.app_tags();
    carriers_ = rows_by(data_.tags.size(), tags.index.size(), [&](std::size_t k) { return tags.index[k]; });
    std::vector<AppId> app_of(tags.index.size());
    for (AppId app = 0; app < instance.apps(); ++app) {
      std::fill(app_of.begin() + tags.begin[app], app_of.begin() + tags.begin[app + 1], app);
    }
    for (std::uint32_t& carrier : carriers_.index) carrier = app_of[carrier];
    entries_of_ = rows_by(instance.apps(), placed.size(), [&](std::size_t e) { return placed[e].app; });
    counts_.resize(std::max<std::size_t>(nodes.size(), rule_nodes_.most_sets()));
    violating_.assign(placed.size(), 0);
  }

  RuleFindings run() {
    result_.costs.cost = 0;
    for (std::uint32_t r = 0; r < instance_.rules().size() && !watch_.step(); ++r) check(r, instance_.rules()[r]);
    for (std::size_t e = 0; e < placed_.size(); ++e) {
      if (violating_[e] != 0) result_.costs.replicas += in_all(e);
    }
    return std::move(result_);
  }

 private:
  // Steps that an entry takes in each pass over the entries of a condition.
  static constexpr std::uint64_t kStepsPerEntry = 8;

  /// Apps that carry all of these tags, in ascending order.
  void find_apps(const std::vector<std::uint32_t>& tags, std::vector<AppId>& apps) const {
    apps.clear();
    if (tags.empty()) return;
    const std::span<const std::uint32_t> first = carriers_[tags[0]];
    apps.assign(first.begin(), first.end());
    for (std::size_t k = 1; k < tags.size(); ++k) {
      const std::span<const std::uint32_t> others = carriers_[tags[k]];
      std::erase_if(apps, [&](AppId app) { return !std::binary_search(others.begin(), others.end(), app); });
    }
  }

  /// Sets of the part's group that the node of an entry is in. Without a group, each node is a set, by its index in the plan.
  [[nodiscard]] std::span<const std::uint32_t> sets_of(const Cardinality& part, std::size_t entry) const {
    const NodeId& node = placed_[entry].node;
    return part.group == kNone ? std::span(&node, 1) : rule_nodes_.sets(part.group, node);
  }

  /// Replicas of an entry on its node and all copies.
  [[nodiscard]] std::uint64_t in_all(std::size_t entry) const {
    return std::uint64_t{placed_[entry].replicas} * nodes_[placed_[entry].node].copies;
  }
  /// Replicas of an entry in one set of the part's group. Without a group, each copy is a set.
  [[nodiscard]] std::uint64_t in_set(const Cardinality& part, std::size_t entry) const {
    return part.group == kNone ? placed_[entry].replicas : in_all(entry);
  }

  /// The target count of every set. Without a group, nodes that have the target tags themselves are not counted here.
  void count_targets(const Cardinality& part, bool tags_on_nodes) {
    counts_.clear();
    for (const AppId app : targets_) {
      for (const std::uint32_t e : entries_of_[app]) {
        if (watch_.step(kStepsPerEntry)) return;
        for (const std::uint32_t set : sets_of(part, e)) counts_.add(set, in_set(part, e));
      }
    }
    if (part.group == kNone || !tags_on_nodes) return;
    for (const auto& [set, nodes] : rule_nodes_.listed_with(part.group, part.target)) counts_.add(set, nodes);
  }

  void check_replicas(const Cardinality& part) {
    find_apps(part.subject, subjects_);
    find_apps(part.target, targets_);
    const bool tags_on_nodes = rule_nodes_.anywhere(part.target);
    const PartRanges ranges(part);
    bool counted = false;
    for (const AppId app : subjects_) {
      const std::uint64_t own = std::binary_search(targets_.begin(), targets_.end(), app) ? 1 : 0;
      for (const std::uint32_t e : entries_of_[app]) {
        if (!counted) count_targets(part, tags_on_nodes);
        counted = true;
        if (watch_.step(kStepsPerEntry)) return;
        const std::span<const std::uint32_t> sets = sets_of(part, e);
        const bool there = part.group == kNone && tags_on_nodes && rule_nodes_.has_all(placed_[e].node, part.target);
        RuleMiss best;
        best.extent = std::numeric_limits<double>::infinity();
        for (const CountRange& range : ranges.all()) {
          RuleMiss sum;
          if (sets.empty() && range.min > 0) sum = {1, 0, static_cast<double>(range.min)};
          for (const std::uint32_t set : sets) sum.add(rule_miss(counts_[set] + (there ? 1 : 0) - own, range));
          if (sum.extent < best.extent) best = sum;
        }
        found_.push_back({e, best});
      }
    }
  }

  /// NodeSets or Skew: one result for all subjects.
  void check_population(const Cardinality& part) {
    counts_.clear();
    std::uint64_t all = 0;
    std::uint64_t outside = 0;
    find_apps(part.subject, subjects_);
    for (const AppId app : subjects_) {
      for (const std::uint32_t e : entries_of_[app]) {
        if (watch_.step(kStepsPerEntry)) return;
        found_.push_back({e, {}});
        all += in_all(e);
        const std::span<const std::uint32_t> sets = sets_of(part, e);
        if (sets.empty()) outside += in_all(e);
        for (const std::uint32_t set : sets) counts_.add(set, in_set(part, e));
      }
    }
    std::uint64_t occupied = 0;
    for (const std::uint32_t set : counts_.sets()) occupied += part.group == kNone ? nodes_[set].copies : 1;
    RuleMiss best;
    best.extent = std::numeric_limits<double>::infinity();
    const PartRanges ranges(part);
    for (const CountRange& range : ranges.all()) {
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
        for (const std::uint32_t set : counts_.sets()) {
          most = std::max(most, counts_[set]);
          least = std::min(least, counts_[set]);
        }
        if (occupied < sets_in_all(part)) least = 0;
        miss = rule_miss(most - std::min(least, most), range);
      }
      miss.add({static_cast<double>(outside), static_cast<double>(outside), 0});
      if (miss.extent < best.extent) best = miss;
    }
    for (EntryMiss& one : found_) one.miss = best;
  }
  [[nodiscard]] std::uint64_t sets_in_all(const Cardinality& part) const {
    if (part.group != kNone) return rule_nodes_.set_count(part.group);
    std::uint64_t nodes = 0;
    for (const NodeClass& c : data_.classes) {
      if (c.count == 0) return kNoUpperBound;
      nodes += c.count;
    }
    return nodes;
  }

  /// The entries that are subject to a part, app by app. Valid until the next call.
  const std::vector<EntryMiss>& check_part(const Cardinality& part) {
    found_.clear();
    if (part.kind == CardinalityKind::kReplicas) {
      check_replicas(part);
    } else {
      check_population(part);
    }
    return found_;
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
                                               [](const Cardinality& part) { return PartRanges(part).all().size() == 1; });
    if (no_choice) return check_conjunction(r, rule);
    // For each replica, the conjunction that is nearest to holding counts.
    std::vector<EntryMiss> best;
    for (const auto& conjunction : rule.any_of) {
      std::vector<EntryMiss> sum;
      for (const Cardinality& part : conjunction) {
        const std::vector<EntryMiss>& found = check_part(part);
        sum.insert(sum.end(), found.begin(), found.end());
      }
      join_entries(sum, [](RuleMiss& all, const RuleMiss& one) { all.add(one); });
      best.insert(best.end(), sum.begin(), sum.end());
    }
    join_entries(best, [](RuleMiss& least, const RuleMiss& one) {
      if (one.extent < least.extent) least = one;
    });
    for (const EntryMiss& one : best) {
      if (one.miss.extent > 0) report(r, rule, one.entry, one.miss);
    }
  }
  void check_conjunction(std::uint32_t r, const PlacementRule& rule) {
    std::vector<EntryMiss> sum;
    for (const Cardinality& part : rule.any_of[0]) {
      const std::vector<EntryMiss>& found = check_part(part);
      if (part.kind != CardinalityKind::kReplicas) {
        if (!found.empty() && found[0].miss.extent > 0) {
          report(r, rule, placed_.size(), found[0].miss);
          result_.violations.back().part = static_cast<std::uint32_t>(&part - rule.any_of[0].data());
        }
        continue;
      }
      std::copy_if(found.begin(), found.end(), std::back_inserter(sum),
                   [](const EntryMiss& one) { return one.miss.extent > 0; });
    }
    join_entries(sum, [](RuleMiss& all, const RuleMiss& one) { all.add(one); });
    for (const EntryMiss& one : sum) report(r, rule, one.entry, one.miss);
  }

  const Instance& instance_;
  const InstanceData& data_;
  const std::vector<PlannedNode>& nodes_;
  const std::vector<Placed>& placed_;
  WatchRef watch_;
  RuleNodes rule_nodes_;
  RowLists carriers_;                    // apps by tag
  RowLists entries_of_;                  // entries by app
  std::vector<std::uint8_t> violating_;  // by entry: whether a rule does not hold for it
  // Scratch of one part.
  std::vector<AppId> subjects_;
  std::vector<AppId> targets_;
  SetCounts counts_;
  std::vector<EntryMiss> found_;
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

RuleFindings check_rules(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed,
                         WatchRef watch) {
  RuleFindings findings;
  if (instance.rules().empty()) return findings;
  findings = RuleChecker(instance, nodes, placed, watch).run();
  const bool broken = std::any_of(findings.violations.begin(), findings.violations.end(),
                                  [](const RuleViolation& violation) { return violation.hard; });
  if (!broken || watch.look()) return findings;

  // A hard rule that is broken at the start may stay broken, by no more and for no more replicas. Pinned replicas may depend on
  // running ones; so a rule that the pinned replicas alone break also counts as broken at the start.
  std::vector<PlannedNode> listed;
  listed.reserve(instance.listed_nodes());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) listed.push_back({instance.data().node_class[n], n});
  for (const bool running : {true, false}) {
    const std::vector<Placed> start = start_under_rules(instance.data(), running);
    std::map<std::tuple<std::uint32_t, std::uint32_t, AppId, NodeId>, const RuleViolation*> start_violations;
    const RuleFindings at_start = RuleChecker(instance, listed, start, watch).run();
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
