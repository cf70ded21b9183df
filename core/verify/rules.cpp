#include "core/verify/rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/watched.h"
#include "core/verify/goals/row_lists.h"
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

/// Makes room for more values, twice as much as there is if need be. The column is shorter where the watch ends the call.
template <class Value>
void make_room(std::vector<Value>& column, std::size_t more, WatchRef watch) {
  if (column.size() + more <= column.capacity()) return;
  std::vector<Value> larger;
  larger.reserve(std::max(column.size() + more, 2 * column.size()));
  in_pieces(std::span<const Value>(column), watch, [&](std::span<const Value> piece) {
    larger.insert(larger.end(), piece.begin(), piece.end());
    return true;
  });
  column.swap(larger);
}

/// An entry of the plan that is subject to a condition, and how far the condition is from holding for one replica.
struct EntryMiss {
  std::uint32_t entry;
  std::uint32_t order;  // of misses of the same entry
  RuleMiss miss;
};

/// Adds those misses that `takes` takes. Not all of them where the watch ends the call.
template <class Takes>
void append(std::vector<EntryMiss>& to, const std::vector<EntryMiss>& from, WatchRef watch, const Takes& takes) {
  std::size_t taken = 0;
  in_pieces(std::span(from), watch, [&](std::span<const EntryMiss> piece) {
    taken += static_cast<std::size_t>(std::count_if(piece.begin(), piece.end(), takes));
    return true;
  });
  make_room(to, taken, watch);
  in_pieces(std::span(from), watch, [&](std::span<const EntryMiss> piece) {
    std::copy_if(piece.begin(), piece.end(), std::back_inserter(to), takes);
    return true;
  });
}

/// Makes one of all misses of the same entry, in the order in which they stand. Sorts by entry. Where the watch ends the call,
/// the misses mean nothing.
template <class Join>
void join_entries(std::vector<EntryMiss>& misses, WatchRef watch, const Join& join) {
  for (std::size_t k = 0; k < misses.size() && !watch.step(); ++k) misses[k].order = static_cast<std::uint32_t>(k);
  watched_sort(misses, watch, [](const EntryMiss& a, const EntryMiss& b) {
    return a.entry != b.entry ? a.entry < b.entry : a.order < b.order;
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < misses.size() && !watch.step(); ++k) {
    if (kept > 0 && misses[kept - 1].entry == misses[k].entry) {
      join(misses[kept - 1].miss, misses[k].miss);
    } else {
      misses[kept++] = misses[k];
    }
  }
  misses.resize(kept);
}

class RuleChecker {
 public:
  RuleChecker(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed,
              WatchRef watch)
      : instance_(instance),
        data_(instance.data()),
        nodes_(nodes),
        placed_(placed),
        watch_(watch),
        rule_nodes_(data_, nodes, watch) {
    const IndexRows& tags = instance.app_tags();
    carriers_ = rows_by(
        data_.tags.size(), tags.index.size(), [&](std::size_t k) { return tags.index[k]; }, watch);
    std::vector<AppId> app_of(tags.index.size());
    for (AppId app = 0; app < instance.apps(); ++app) {
      std::fill(app_of.begin() + tags.begin[app], app_of.begin() + tags.begin[app + 1], app);
    }
    for (std::uint32_t& carrier : carriers_.index) {
      if (watch.step()) return;
      carrier = app_of[carrier];
    }
    entries_of_ = rows_by(
        instance.apps(), placed.size(), [&](std::size_t e) { return placed[e].app; }, watch);
    counts_.resize(std::max<std::size_t>(nodes.size(), rule_nodes_.most_sets()));
    watched_resize(violating_, placed.size(), watch);
  }

  RuleFindings run() {
    result_.costs.cost = 0;
    for (std::uint32_t r = 0; r < instance_.rules().size() && !watch_.step(kStepsPerRule); ++r) {
      check(r, instance_.rules()[r]);
    }
    for (std::size_t e = 0; e < placed_.size(); ++e) {
      if (watch_.step()) break;
      if (violating_[e] != 0) result_.costs.replicas += in_all(e);
    }
    return std::move(result_);
  }

 private:
  // Steps that an entry takes in each pass over the entries of a condition.
  static constexpr std::uint64_t kStepsPerEntry = 8;
  // Steps that a rule takes besides those for its apps and entries.
  static constexpr std::uint64_t kStepsPerRule = 64;

  /// Apps that carry all of these tags, in ascending order.
  void find_apps(const std::vector<std::uint32_t>& tags, std::vector<AppId>& apps) const {
    apps.clear();
    if (tags.empty()) return;
    const std::span<const std::uint32_t> first = carriers_[tags[0]];
    watch_.step(kStepsPerEntry * tags.size() * (1 + first.size()));
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

  /// Makes room for what is found of these apps' entries.
  void begin_part(const std::vector<AppId>& apps) {
    std::size_t entries = 0;
    for (const AppId app : apps) entries += entries_of_[app].size();
    found_.clear();
    found_.reserve(entries);
  }

  /// The target count of every set. Without a group, nodes that have the target tags themselves are not counted here.
  void count_targets(const Cardinality& part, bool tags_on_nodes) {
    counts_.clear();
    for (const AppId app : targets_) {
      for (const std::uint32_t e : entries_of_[app]) {
        const std::span<const std::uint32_t> sets = sets_of(part, e);
        if (watch_.step(kStepsPerEntry + sets.size())) return;
        for (const std::uint32_t set : sets) counts_.add(set, in_set(part, e));
      }
    }
    if (part.group == kNone || !tags_on_nodes) return;
    for (const auto& [set, nodes] : rule_nodes_.listed_with(part.group, part.target)) counts_.add(set, nodes);
  }

  void check_replicas(const Cardinality& part) {
    find_apps(part.subject, subjects_);
    find_apps(part.target, targets_);
    if (watch_.ended()) return;
    begin_part(subjects_);
    const bool tags_on_nodes = rule_nodes_.anywhere(part.target);
    const PartRanges ranges(part);
    bool counted = false;
    for (const AppId app : subjects_) {
      const std::uint64_t own = std::binary_search(targets_.begin(), targets_.end(), app) ? 1 : 0;
      for (const std::uint32_t e : entries_of_[app]) {
        if (!counted) count_targets(part, tags_on_nodes);
        counted = true;
        const std::span<const std::uint32_t> sets = sets_of(part, e);
        if (watch_.step(kStepsPerEntry * (1 + sets.size()))) return;
        const bool there = part.group == kNone && tags_on_nodes && rule_nodes_.has_all(placed_[e].node, part.target);
        RuleMiss best;
        best.extent = std::numeric_limits<double>::infinity();
        for (const CountRange& range : ranges.all()) {
          RuleMiss sum;
          if (sets.empty() && range.min > 0) sum = {1, 0, static_cast<double>(range.min)};
          for (const std::uint32_t set : sets) sum.add(rule_miss(counts_[set] + (there ? 1 : 0) - own, range));
          if (sum.extent < best.extent) best = sum;
        }
        found_.push_back({e, 0, best});
      }
    }
  }

  /// NodeSets or Skew: one result for all subjects.
  void check_population(const Cardinality& part) {
    counts_.clear();
    std::uint64_t all = 0;
    std::uint64_t outside = 0;
    find_apps(part.subject, subjects_);
    begin_part(subjects_);
    for (const AppId app : subjects_) {
      for (const std::uint32_t e : entries_of_[app]) {
        const std::span<const std::uint32_t> sets = sets_of(part, e);
        if (watch_.step(kStepsPerEntry + sets.size())) return;
        found_.push_back({e, 0, {}});
        all += in_all(e);
        if (sets.empty()) outside += in_all(e);
        for (const std::uint32_t set : sets) counts_.add(set, in_set(part, e));
      }
    }
    std::uint64_t occupied = 0;
    for (const std::uint32_t set : counts_.sets()) {
      if (watch_.step()) return;
      occupied += part.group == kNone ? nodes_[set].copies : 1;
    }
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
          if (watch_.step()) return;
          most = std::max(most, counts_[set]);
          least = std::min(least, counts_[set]);
        }
        if (occupied < sets_in_all(part)) least = 0;
        miss = rule_miss(most - std::min(least, most), range);
      }
      miss.add({static_cast<double>(outside), static_cast<double>(outside), 0});
      if (miss.extent < best.extent) best = miss;
    }
    for (EntryMiss& one : found_) {
      if (watch_.step()) return;
      one.miss = best;
    }
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

  /// The entries that are subject to a part, app by app. Valid until the next call. Not all of them where the watch ends the
  /// call.
  const std::vector<EntryMiss>& check_part(const Cardinality& part) {
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
    make_room(result_.violations, 1, watch_);
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
        if (watch_.ended()) return;
        append(sum, found, watch_, [](const EntryMiss&) { return true; });
      }
      join_entries(sum, watch_, [](RuleMiss& all, const RuleMiss& one) { all.add(one); });
      append(best, sum, watch_, [](const EntryMiss&) { return true; });
    }
    join_entries(best, watch_, [](RuleMiss& least, const RuleMiss& one) {
      if (one.extent < least.extent) least = one;
    });
    for (const EntryMiss& one : best) {
      if (watch_.step(kStepsPerEntry)) return;
      if (one.miss.extent > 0) report(r, rule, one.entry, one.miss);
    }
  }
  void check_conjunction(std::uint32_t r, const PlacementRule& rule) {
    std::vector<EntryMiss> sum;
    for (const Cardinality& part : rule.any_of[0]) {
      const std::vector<EntryMiss>& found = check_part(part);
      if (watch_.ended()) return;
      if (part.kind != CardinalityKind::kReplicas) {
        if (!found.empty() && found[0].miss.extent > 0) {
          report(r, rule, placed_.size(), found[0].miss);
          result_.violations.back().part = static_cast<std::uint32_t>(&part - rule.any_of[0].data());
        }
        continue;
      }
      append(sum, found, watch_, [](const EntryMiss& one) { return one.miss.extent > 0; });
    }
    join_entries(sum, watch_, [](RuleMiss& all, const RuleMiss& one) { all.add(one); });
    for (const EntryMiss& one : sum) {
      if (watch_.step(kStepsPerEntry)) return;
      report(r, rule, one.entry, one.miss);
    }
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
/// ignore. Node by node, each pair of app and node once. Where the watch ends the call, it is incomplete and nobody uses it.
std::vector<Placed> start_under_rules(const Instance& instance, bool running, WatchRef watch) {
  const std::vector<Residence>& runs = instance.data().running;
  const std::vector<Residence>& pins = instance.data().pinned;
  const auto by_node = [&](const std::vector<Residence>& list, std::size_t size) {
    return rows_by(
        instance.listed_nodes(), size, [&](std::size_t k) { return list[k].node; }, watch);
  };
  const RowLists runs_of = by_node(runs, running ? runs.size() : 0);
  const RowLists pins_of = by_node(pins, pins.size());
  std::vector<Placed> result;
  if (watch.ended()) return result;
  result.reserve(runs_of.index.size() + pins_of.index.size());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (watch.step(1 + (1 + runs_of[n].size()) * (1 + pins_of[n].size()))) return result;
    const auto first = static_cast<std::ptrdiff_t>(result.size());
    for (const std::uint32_t k : runs_of[n]) result.push_back({runs[k].app, n, runs[k].replicas});
    const auto end = static_cast<std::ptrdiff_t>(result.size());
    for (const std::uint32_t k : pins_of[n]) {
      const auto at = std::find_if(result.begin() + first, result.begin() + end,
                                   [&](const Placed& placed) { return placed.app == pins[k].app; });
      if (at == result.begin() + end) {
        result.push_back({pins[k].app, n, pins[k].replicas});
      } else {
        at->replicas = std::max(at->replicas, pins[k].replicas);
      }
    }
  }
  return result;
}

/// A violation of a hard rule by what listed nodes hold before planning.
struct StartViolation {
  std::tuple<std::uint32_t, std::uint32_t, AppId, NodeId> of;  // rule, part, app, and listed node
  std::uint32_t replicas;
  double extent;
};

/// In ascending order of what they are of. Where the watch ends the call, it means nothing.
std::vector<StartViolation> start_violations(const Instance& instance, const std::vector<PlannedNode>& listed, bool running,
                                             WatchRef watch) {
  const std::vector<Placed> start = start_under_rules(instance, running, watch);
  std::vector<StartViolation> result;
  if (watch.ended()) return result;
  const RuleFindings found = RuleChecker(instance, listed, start, watch).run();
  result.reserve(found.violations.size());
  for (const RuleViolation& one : found.violations) {
    if (watch.step()) return result;
    if (one.hard) result.push_back({{one.rule, one.part, one.app, one.node}, one.replicas, one.extent});
  }
  watched_sort(result, watch, [](const StartViolation& a, const StartViolation& b) { return a.of < b.of; });
  return result;
}

/// Whether some violation is of a hard rule. No answer where the watch ends the call.
bool breaks_hard_rule(const Instance& instance, const std::vector<RuleViolation>& violations, WatchRef watch) {
  const auto hard = [](const auto& one) { return one.hard; };
  if (std::none_of(instance.rules().begin(), instance.rules().end(), hard)) return false;
  bool found = false;
  in_pieces(std::span(violations), watch, [&](std::span<const RuleViolation> piece) {
    found = std::any_of(piece.begin(), piece.end(), hard);
    return !found;
  });
  return found;
}

// Steps to find a violation among those of the start.
constexpr std::uint64_t kStepsToFind = 64;

}  // namespace

RuleFindings check_rules(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed,
                         WatchRef watch) {
  RuleFindings findings;
  if (instance.rules().empty()) return findings;
  findings = RuleChecker(instance, nodes, placed, watch).run();
  if (!breaks_hard_rule(instance, findings.violations, watch) || watch.look()) return findings;

  // A hard rule that is broken at the start may stay broken, by no more and for no more replicas. Pinned replicas may depend on
  // running ones; so a rule that the pinned replicas alone break also counts as broken at the start.
  std::vector<PlannedNode> listed;
  listed.reserve(instance.listed_nodes());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) listed.push_back({instance.data().node_class[n], n});
  for (const bool running : {true, false}) {
    const std::vector<StartViolation> before = start_violations(instance, listed, running, watch);
    if (watch.ended()) return findings;
    for (RuleViolation& violation : findings.violations) {
      const NodeId at = violation.node == kNone ? kNone : nodes[violation.node].listed;
      if (!violation.hard || (violation.node != kNone && at == kNone)) continue;
      if (watch.step(kStepsToFind)) return findings;
      const std::tuple of(violation.rule, violation.part, violation.app, at);
      const auto was =
          std::lower_bound(before.begin(), before.end(), of, [](const StartViolation& a, const auto& b) { return a.of < b; });
      violation.inherited =
          violation.inherited || (was != before.end() && was->of == of && violation.replicas <= was->replicas &&
                                  violation.extent <= was->extent * (1 + 1e-9));
    }
  }
  return findings;
}

}  // namespace stowage
