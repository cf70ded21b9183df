#include "core/model/constraints/tags.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/watched.h"

namespace stowage {
namespace {

/// Chains of apps that need one another are followed to this length; longer ones are most likely circles.
constexpr std::uint32_t kLongestTagChain = 32;
/// Conjunctions without negation that stand for one with negated conditions, at most.
constexpr std::size_t kMostTagWays = 1024;

// What is taken off the budget of memory.
/// A condition without negation: its part, and what a planner keeps for it.
constexpr std::uint64_t kPartBytes = 1024;
/// An app's role in a part: it stands in two tables, and is looked at many times.
constexpr std::uint64_t kRoleBytes = 32;
/// A question of find_static() whether a node carries a tag, which compares texts.
constexpr std::uint64_t kQuestionBytes = 8;

/// Ascending, each once.
std::vector<std::uint32_t> sorted_unique(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::span<const std::uint32_t> tags_in_row(const IndexRows& rows, std::size_t row) {
  return {rows.index.data() + rows.begin[row], rows.begin[row + 1] - rows.begin[row]};
}

/// Apps that carry all of some tags, by the apps of each tag. Where the watch ends the call, lists are incomplete and nobody
/// uses them.
class AppsByTag {
 public:
  AppsByTag(const IndexRows& app_tags, std::size_t apps, std::size_t tags, WatchRef watch)
      : app_tags_(app_tags), watch_(watch), apps_(tags) {
    for (AppId app = 0; app < apps; ++app) {
      const auto own = tags_in_row(app_tags, app);
      if (watch_.step(4 + 4 * own.size())) return;
      for (const std::uint32_t tag : own) apps_[tag].push_back(app);
    }
  }
  /// @param tags ascending, at least one
  [[nodiscard]] std::vector<AppId> carriers(const std::vector<std::uint32_t>& tags) const {
    const auto rarest = *std::min_element(tags.begin(), tags.end(),
                                          [&](std::uint32_t a, std::uint32_t b) { return apps_[a].size() < apps_[b].size(); });
    std::vector<AppId> result;
    for (const AppId app : apps_[rarest]) {
      const auto own = tags_in_row(app_tags_, app);
      if (watch_.step(8 + own.size())) break;
      if (std::includes(own.begin(), own.end(), tags.begin(), tags.end())) result.push_back(app);
    }
    return result;
  }

 private:
  const IndexRows& app_tags_;
  WatchRef watch_;
  std::vector<std::vector<AppId>> apps_;
};

using Conjunctions = std::vector<std::vector<Cardinality>>;

/// Kind, group, target and subject of a condition: the bounds of two conditions that share them are comparable. Target and
/// subject by their numbers in TagLists.
using RuleCondition = std::tuple<CardinalityKind, std::uint32_t, std::uint32_t, std::uint32_t>;

struct RuleRange {
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  std::uint32_t rule = 0;
};

bool is_one_range(const Cardinality& part) { return !part.negated && part.kind != CardinalityKind::kSkew; }

/// Numbers lists of tags, so that long ones are sorted and compared once.
class TagLists {
 public:
  /// The same for lists of the same tags.
  std::uint32_t number(const std::vector<std::uint32_t>& tags) {
    return numbers_.try_emplace(sorted_unique(tags), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  /// kNone where no list of this tag alone has a number.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t tag) const {
    const auto at = numbers_.find({tag});
    return at == numbers_.end() ? kNone : at->second;
  }
  RuleCondition condition(const Cardinality& part, std::uint32_t subject) {
    return RuleCondition(part.kind, part.group, number(part.target), subject);
  }

 private:
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
};

using RuleRanges = std::map<RuleCondition, RuleRange>;
/// Ranges of soft rules, and of hard rules.
using OperatorRanges = std::array<RuleRanges, 2>;

/// Narrows the condition's range, or adds it. Returns the range, and whether it was there.
std::pair<RuleRange*, bool> narrow(RuleRanges& ranges, RuleCondition condition, const Cardinality& part, std::uint32_t rule) {
  const auto [at, fresh] = ranges.try_emplace(std::move(condition), RuleRange{part.min, part.max, rule});
  if (!fresh) {
    at->second.min = std::max(at->second.min, part.min);
    at->second.max = std::min(at->second.max, part.max);
  }
  return {&at->second, !fresh};
}

/// The narrowest ranges that the operator's rules set.
OperatorRanges operator_ranges(const std::vector<PlacementRule>& rules, TagLists& lists) {
  OperatorRanges ranges;
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (!rules[r].from_operator || rules[r].any_of.size() != 1) continue;
    for (const Cardinality& part : rules[r].any_of[0]) {
      if (!is_one_range(part)) continue;
      narrow(ranges[rules[r].hard ? 1 : 0], lists.condition(part, lists.number(part.subject)), part, r);
    }
  }
  return ranges;
}

/// Moves the bounds of a condition of an application's rule `r` to what the operator's ranges allow, as far as these exclude
/// them.
void give_way(const OperatorRanges& ranges, TagLists& lists, bool is_hard, std::uint32_t r, Cardinality& part,
              std::vector<RuleConflict>& conflicts) {
  if (ranges[0].empty() && ranges[1].empty()) return;
  RuleCondition wanted = lists.condition(part, kNone);
  const auto give_way_to = [&](std::uint32_t subject) {
    std::get<3>(wanted) = subject;
    for (std::size_t hard = is_hard ? 1 : 0; hard < 2; ++hard) {
      const auto at = ranges[hard].find(wanted);
      if (at == ranges[hard].end()) continue;
      const RuleRange& range = at->second;
      if (range.min > range.max || (part.min <= range.max && part.max >= range.min)) continue;
      part.min = std::min(part.min, range.max);
      part.max = std::max(part.max, range.min);
      conflicts.push_back({r, range.rule});
    }
  };
  const std::vector<std::uint32_t> subject = sorted_unique(part.subject);
  // An app that carries all these tags carries each of them.
  if (subject.size() > 1) {
    for (const std::uint32_t tag : subject) {
      if (const std::uint32_t alone = lists.number_of(tag); alone != kNone) give_way_to(alone);
    }
  }
  give_way_to(lists.number(subject));
}

/// The conditions without negation that stand for a condition: for a negated one, below its range and above it.
std::vector<Cardinality> ways_to_meet(const Cardinality& part) {
  Cardinality way = part;
  way.negated = false;
  if (part.kind == CardinalityKind::kSkew) way.min = 0;
  if (!part.negated) return {way};
  std::vector<Cardinality> ways;
  if (way.min > 0) {
    ways.push_back(way);
    ways.back().max = way.min - 1;
    ways.back().min = 0;
  }
  if (way.max != kNone) {
    ways.push_back(way);
    ways.back().min = way.max + 1;
    ways.back().max = kNone;
  }
  return ways;
}

/// How many conditions ways_to_meet() returns.
std::size_t number_of_ways(const Cardinality& part) {
  if (!part.negated) return 1;
  const bool below = part.kind != CardinalityKind::kSkew && part.min > 0;
  return (below ? 1u : 0u) + (part.max != kNone ? 1u : 0u);
}

/// The conditions in all conjunctions that without_negation() returns.
std::uint64_t conditions_without_negation(const PlacementRule& rule) {
  std::uint64_t all = 0;
  for (const std::vector<Cardinality>& conjunction : rule.any_of) {
    std::uint64_t ways = 1;
    for (const Cardinality& part : conjunction) ways *= number_of_ways(part);
    all += ways * conjunction.size();
  }
  return all;
}

/// The rule's conjunctions without negated conditions. The rule has passed check_negations(). Where the watch ends the call,
/// they are incomplete and nobody uses them.
Conjunctions without_negation(const PlacementRule& rule, WatchRef watch) {
  Conjunctions any_of;
  for (const std::vector<Cardinality>& conjunction : rule.any_of) {
    // All combinations of ways, the last condition's changing fastest.
    std::vector<std::vector<Cardinality>> ways;
    std::size_t count = 1;
    for (const Cardinality& part : conjunction) {
      ways.push_back(ways_to_meet(part));
      count *= ways.back().size();
    }
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<Cardinality>& parts = any_of.emplace_back();
      parts.reserve(ways.size());
      std::size_t block = count;
      for (const std::vector<Cardinality>& of_part : ways) {
        block /= of_part.size();
        if (watch.step(32)) return any_of;
        parts.push_back(of_part[k / block % of_part.size()]);
      }
    }
  }
  return any_of;
}

}  // namespace

IndexRows all_app_tags(const InstanceData& data, WatchRef watch) {
  const std::size_t apps = data.replicas.size();
  std::vector<std::vector<std::uint32_t>> automatic(apps);
  const bool by_name =
      std::any_of(data.tags.begin(), data.tags.end(), [](const auto& tag) { return tag.starts_with(kAppTagPrefix); });
  std::map<std::string_view, AppId> named;
  for (AppId app = 0; by_name && app < data.app_names.size() && !watch.step(64); ++app) {
    named.emplace(data.app_names[app], app);
  }
  for (std::uint32_t tag = 0; tag < data.tags.size() && !watch.step(32); ++tag) {
    const std::string_view text = data.tags[tag];
    if (text.substr(0, kAppTagPrefix.size()) != kAppTagPrefix) continue;
    const std::string_view name = text.substr(kAppTagPrefix.size());
    if (!data.app_names.empty()) {
      if (const auto app = named.find(name); app != named.end()) automatic[app->second].push_back(tag);
      continue;
    }
    std::uint64_t index = 0;
    const bool digits = !name.empty() && name.size() < 11 && (name.size() == 1 || name[0] != '0') &&
                        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    for (const char c : name) index = digits ? index * 10 + static_cast<std::uint64_t>(c - '0') : index;
    if (digits && index < apps) automatic[index].push_back(tag);
  }
  IndexRows rows;
  rows.begin.reserve(apps + 1);
  rows.begin.push_back(0);
  for (AppId app = 0; app < apps && !watch.step(16); ++app) {
    std::vector<std::uint32_t> tags = std::move(automatic[app]);
    if (!data.app_tags.empty()) {
      const auto given = tags_in_row(data.app_tags, app);
      tags.insert(tags.end(), given.begin(), given.end());
    }
    tags = sorted_unique(std::move(tags));
    rows.index.insert(rows.index.end(), tags.begin(), tags.end());
    rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
  return rows;
}

std::vector<AppId> applications(const InstanceData& data, const IndexRows& app_tags, WatchRef watch) {
  std::vector<AppId> result(data.replicas.size());
  std::vector<AppId> first(data.tags.size(), kNone);
  for (AppId app = 0; app < result.size(); ++app) {
    result[app] = app;
    const auto tags = tags_in_row(app_tags, app);
    if (watch.step(4 + 8 * tags.size())) break;
    // Of several such tags, the one of the lowest application decides.
    for (const std::uint32_t tag : tags) {
      if (std::string_view(data.tags[tag]).substr(0, kAppTagPrefix.size()) != kAppTagPrefix) continue;
      if (first[tag] == kNone) first[tag] = app;
      result[app] = std::min(result[app], result[first[tag]]);
    }
  }
  return result;
}

Error check_negations(const PlacementRule& rule, const std::string& path) {
  for (std::size_t c = 0; c < rule.any_of.size(); ++c) {
    std::size_t ways = 1;
    for (const Cardinality& part : rule.any_of[c]) {
      ways *= number_of_ways(part);
      if (ways == 0) {
        return invalid(path + "." + indexed("any_of", c),
                       "what is negated always holds, so that nothing can meet the conjunction");
      }
      if (ways > kMostTagWays) return too_large(path, "negated conditions of one conjunction multiply to more than 1024 ways");
    }
  }
  return {};
}

std::vector<PlacementRule> narrowed_rules(const std::vector<PlacementRule>& rules, std::vector<RuleConflict>& conflicts) {
  std::vector<PlacementRule> narrowed = rules;
  TagLists lists;
  const OperatorRanges ranges = operator_ranges(narrowed, lists);
  for (std::uint32_t r = 0; r < narrowed.size(); ++r) {
    if (narrowed[r].from_operator) continue;
    for (auto& conjunction : narrowed[r].any_of) {
      for (Cardinality& part : conjunction) {
        if (is_one_range(part)) give_way(ranges, lists, narrowed[r].hard, r, part, conflicts);
      }
    }
  }
  return narrowed;
}

std::vector<RuleContradiction> contradictions(const std::vector<PlacementRule>& rules) {
  std::vector<RuleContradiction> result;
  TagLists lists;
  RuleRanges of_origin[2];
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (!rules[r].hard || rules[r].any_of.size() != 1) continue;
    for (const Cardinality& part : rules[r].any_of[0]) {
      if (!is_one_range(part)) continue;
      const auto [range, known] =
          narrow(of_origin[rules[r].from_operator ? 1 : 0], lists.condition(part, lists.number(part.subject)), part, r);
      if (known && range->min > range->max) result.push_back({r, range->rule, sorted_unique(part.subject)});
    }
  }
  return result;
}

Result<std::vector<PlacementRule>> effective_rules(const InstanceData& data, const IndexRows& app_tags,
                                                   std::vector<RuleConflict>& conflicts, WatchRef watch) {
  for (std::size_t r = 0; r < data.rules.size(); ++r) {
    if (Error e = check_negations(data.rules[r], indexed("rules", r)); failed(e)) return e;
  }
  std::vector<PlacementRule> rules = narrowed_rules(data.rules, conflicts);
  const std::vector<RuleContradiction> contradicting = contradictions(rules);
  if (contradicting.empty()) return rules;
  // A contradiction about replicas that there are not binds nothing.
  const AppsByTag by_tag(app_tags, data.replicas.size(), data.tags.size(), watch);
  for (const RuleContradiction& one : contradicting) {
    const std::vector<AppId> apps = by_tag.carriers(one.subject);
    if (watch.ended()) return cancelled();
    if (std::none_of(apps.begin(), apps.end(), [&](AppId app) { return data.replicas[app] > 0; })) continue;
    const std::string name = rules[one.other].name.empty() ? "" : " (\"" + rules[one.other].name + "\")";
    return invalid(indexed("rules", one.rule),
                   "no replica can meet this hard rule and " + indexed("rules", one.other) + name + " as well");
  }
  return rules;
}

const TagModel::Role* TagModel::find(std::span<const Role> roles, std::uint32_t part) {
  const auto at =
      std::lower_bound(roles.begin(), roles.end(), part, [](const Role& role, std::uint32_t p) { return role.part < p; });
  return at != roles.end() && at->part == part ? &*at : nullptr;
}

void TagModel::add_row(Group& group, IndexRows& rows, std::vector<std::uint32_t>& sets) {
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  group.disjoint = group.disjoint && sets.size() < 2;
  rows.index.insert(rows.index.end(), sets.begin(), sets.end());
  rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
  sets.clear();
}

Error TagModel::find_groups(const InstanceData& data, const std::vector<std::uint8_t>& named, MemoryBudget& budget,
                            WatchRef watch) {
  groups_.reserve(data.groups.size());
  for (std::size_t g = 0; g < data.groups.size(); ++g) {
    const NodeGroup& group = data.groups[g];
    Group& to = groups_.emplace_back();
    if (named[g] == 0) continue;
    const std::uint64_t rows = data.node_class.size() + data.classes.size() + group.sets.index.size();
    if (Error e = budget.take(rows, sizeof(std::vector<std::uint32_t>), "groups"); failed(e)) return e;
    to.of_listed.begin.reserve(data.node_class.size() + 1);
    to.of_listed.begin.push_back(0);
    to.of_class.begin.push_back(0);
    if (group.by_label.empty()) {
      find_sets(data, group, to, watch);
    } else {
      find_labelled(data, group, to, watch);
    }
    if (watch.ended()) return cancelled();
  }
  return {};
}

void TagModel::find_sets(const InstanceData& data, const NodeGroup& group, Group& to, WatchRef watch) {
  to.of_class.begin.assign(data.classes.size() + 1, 0);
  to.sets = group.sets.begin.empty() ? 0 : static_cast<std::uint32_t>(group.sets.begin.size() - 1);
  const std::size_t nodes = data.node_class.size();
  // Where the next set of each node goes: in the end, where the node's sets end.
  std::vector<std::uint32_t> next(nodes + 1, 0);
  for (const std::uint32_t node : group.sets.index) {
    if (watch.step(2)) return;
    ++next[node + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> held;
  watched_resize(held, group.sets.index.size(), watch);
  for (std::uint32_t s = 0; s < to.sets && !watch.step(); ++s) {
    for (const std::uint32_t node : tags_in_row(group.sets, s)) {
      if (watch.step(4)) return;
      held[next[node]++] = s;
    }
  }
  std::vector<std::uint32_t> sets;
  for (NodeId node = 0; node < nodes && !watch.step(16); ++node) {
    const std::uint32_t begin = node == 0 ? 0 : next[node - 1];
    sets.assign(held.begin() + begin, held.begin() + next[node]);
    add_row(to, to.of_listed, sets);
  }
}

void TagModel::find_labelled(const InstanceData& data, const NodeGroup& group, Group& to, WatchRef watch) {
  std::vector<std::uint32_t> sets;
  std::map<std::string_view, std::uint32_t> values;
  const auto see = [&](std::string_view label) {
    const bool of_group = label.size() > group.by_label.size() && label[group.by_label.size()] == '=' &&
                          label.substr(0, group.by_label.size()) == group.by_label;
    if (!of_group) return;
    sets.push_back(
        values.try_emplace(label.substr(group.by_label.size() + 1), static_cast<std::uint32_t>(values.size())).first->second);
  };
  for (const NodeClass& node_class : data.classes) {
    if (watch.step(16 + 8 * node_class.labels.size())) return;
    for (const std::string& label : node_class.labels) see(label);
    add_row(to, to.of_class, sets);
  }
  // The texts of tags are looked at once, not once per node.
  std::vector<std::uint8_t> seen(data.tags.size(), 0);
  std::vector<std::uint32_t> of_tag(data.tags.size(), kNone);
  for (NodeId node = 0; node < data.node_class.size(); ++node) {
    const auto of_class = tags_in_row(to.of_class, data.node_class[node]);
    sets.assign(of_class.begin(), of_class.end());
    const auto own = data.node_tags.empty() ? std::span<const std::uint32_t>{} : tags_in_row(data.node_tags, node);
    if (watch.step(16 + 4 * own.size())) return;
    for (const std::uint32_t tag : own) {
      if (seen[tag] != 0) {
        if (of_tag[tag] != kNone) sets.push_back(of_tag[tag]);
        continue;
      }
      if (watch.step(32)) return;
      seen[tag] = 1;
      const std::size_t before = sets.size();
      see(data.tags[tag]);
      if (sets.size() > before) of_tag[tag] = sets.back();
    }
    add_row(to, to.of_listed, sets);
  }
  to.sets = static_cast<std::uint32_t>(values.size());
}

void TagModel::find_static(const InstanceData& data, std::span<const std::uint32_t> target, TagPart& part,
                           WatchRef watch) const {
  std::vector<std::uint8_t> of_class(data.classes.size(), 0);
  std::vector<std::uint8_t> of_listed(data.node_class.size(), 0);
  bool any = false;
  for (ClassId c = 0; c < data.classes.size(); ++c) {
    const auto& labels = data.classes[c].labels;
    const auto has = [&](std::uint32_t tag) {
      return !watch.step(4 + 4 * labels.size()) && std::find(labels.begin(), labels.end(), data.tags[tag]) != labels.end();
    };
    of_class[c] = std::all_of(target.begin(), target.end(), has) ? 1 : 0;
    any = any || of_class[c] != 0;
  }
  for (NodeId node = 0; node < of_listed.size() && !watch.step(16); ++node) {
    const auto& labels = data.classes[data.node_class[node]].labels;
    const auto own = data.node_tags.empty() ? std::span<const std::uint32_t>{} : tags_in_row(data.node_tags, node);
    of_listed[node] = of_class[data.node_class[node]];
    if (own.empty() || of_listed[node] != 0) continue;
    const auto has = [&](std::uint32_t tag) {
      if (watch.step(own.size() + 4 * labels.size())) return false;
      return std::find(own.begin(), own.end(), tag) != own.end() ||
             std::find(labels.begin(), labels.end(), data.tags[tag]) != labels.end();
    };
    of_listed[node] = std::all_of(target.begin(), target.end(), has) ? 1 : 0;
    any = any || of_listed[node] != 0;
  }
  if (!any || watch.ended()) return;
  if (part.group == kNone) {
    part.static_listed = std::move(of_listed);
    part.static_classes = std::move(of_class);
    return;
  }
  part.static_sets.assign(sets(part.group), 0);
  for (NodeId node = 0; node < of_listed.size() && !watch.step(4); ++node) {
    if (of_listed[node] == 0) continue;
    for (const std::uint32_t set : sets_of(part.group, node, kNone)) ++part.static_sets[set];
  }
}

/// Adds rules to a model one by one.
class TagModel::Builder {
 public:
  Builder(const InstanceData& data, const Limits& limits, MemoryBudget& budget, const IndexRows& app_tags, TagModel& model,
          WatchRef watch)
      : data_(data),
        limits_(limits),
        budget_(budget),
        model_(model),
        watch_(watch),
        by_tag_(app_tags, data.replicas.size(), data.tags.size(), watch),
        subjects_(data.replicas.size()),
        targets_(data.replicas.size()),
        app_choices_(data.replicas.size()) {
    find_node_tags();
  }

  /// @param r index of the rule
  Error add(const PlacementRule& rule, std::uint32_t r) {
    if (Error e = budget_.take(conditions_without_negation(rule), kPartBytes, "rules"); failed(e)) return e;
    const Conjunctions any_of = without_negation(rule, watch_);
    if (watch_.ended()) return cancelled();
    const bool alone = any_of.size() == 1;
    (rule.hard ? model_.has_hard_ : model_.has_soft_) = true;
    if (!alone) model_.choices_.push_back({r, rule.hard, rule.weight, {}});
    std::vector<AppId> involved;
    for (const auto& conjunction : any_of) {
      std::vector<std::uint32_t> numbers;
      for (const Cardinality& from : conjunction) {
        TagPart part;
        part.condition = static_cast<std::uint32_t>(numbers.size());
        part.rule = r;
        part.hard = rule.hard;
        part.alone = alone;
        part.weight = rule.weight;
        numbers.push_back(model_.parts());
        if (Error e = add_part(from, std::move(part), involved); failed(e)) return e;
      }
      if (!alone) model_.choices_.back().any_of.push_back(std::move(numbers));
    }
    if (alone) return {};
    watched_sort(involved, watch_);
    if (watch_.ended()) return cancelled();
    involved.erase(std::unique(involved.begin(), involved.end()), involved.end());
    for (const AppId app : involved) {
      if (watch_.step(8)) return cancelled();
      app_choices_[app].push_back(static_cast<std::uint32_t>(model_.choices_.size() - 1));
    }
    return {};
  }

  /// Where the watch ends it, the model is incomplete and nobody uses it.
  void finish() {
    const auto flatten = [this](const auto& lists, auto& begin, auto& index) {
      std::size_t size = 0;
      for (const auto& list : lists) {
        if (watch_.step()) return;
        size += list.size();
      }
      index.reserve(size);
      begin.reserve(lists.size() + 1);
      begin.push_back(0);
      for (const auto& list : lists) {
        if (watch_.step(4 + list.size())) return;
        index.insert(index.end(), list.begin(), list.end());
        begin.push_back(static_cast<std::uint32_t>(index.size()));
      }
    };
    flatten(subjects_, model_.subjects_.begin, model_.subjects_.index);
    flatten(targets_, model_.targets_.begin, model_.targets_.index);
    flatten(app_choices_, model_.app_choices_.begin, model_.app_choices_.index);
    if (watch_.ended()) return;
    if (model_.has_hard_minimum_) model_.find_depths(static_cast<std::uint32_t>(subjects_.size()), watch_);
  }

 private:
  // The tags that nodes have: no others can make a static target.
  void find_node_tags() {
    on_nodes_.assign(data_.tags.size(), 0);
    in_pieces(std::span<const std::uint32_t>(data_.node_tags.index), watch_, [this](std::span<const std::uint32_t> piece) {
      for (const std::uint32_t tag : piece) on_nodes_[tag] = 1;
      return true;
    });
    std::set<std::string_view> labels;
    labels_ = data_.node_tags.index.size();
    for (const NodeClass& node_class : data_.classes) {
      labels_ += node_class.labels.size();
      for (const std::string& label : node_class.labels) {
        if (watch_.step(64)) return;
        labels.insert(label);
      }
    }
    for (std::uint32_t tag = 0; tag < data_.tags.size() && !watch_.step(32); ++tag) {
      if (labels.contains(data_.tags[tag])) on_nodes_[tag] = 1;
    }
  }

  // The apps that carry all of some tags; none where there is no tag.
  const std::vector<AppId>& carriers(const std::vector<std::uint32_t>& tags) {
    std::vector<std::uint32_t> key = sorted_unique(tags);
    const auto at = known_.find(key);
    if (at != known_.end()) return at->second;
    std::vector<AppId> list = key.empty() ? std::vector<AppId>{} : by_tag_.carriers(key);
    return known_.emplace(std::move(key), std::move(list)).first->second;
  }

  // Adds apps of parts with alternatives to `involved`.
  Error add_part(const Cardinality& from, TagPart part, std::vector<AppId>& involved) {
    const std::uint32_t p = model_.parts();
    part.kind = from.kind;
    part.group = from.group;
    part.min = from.min;
    part.max = from.max;
    const std::vector<AppId>& subject = carriers(from.subject);
    const bool counts = from.kind == CardinalityKind::kReplicas;
    const std::vector<AppId>& target = counts ? carriers(from.target) : subject;
    if (watch_.ended()) return cancelled();
    const std::uint64_t sets = from.group == kNone ? (counts ? 0 : data_.node_class.size()) : model_.sets(from.group);
    if (Error e = count_cells(subject.size() + target.size() + 3 * sets + 1, part.rule); failed(e)) return e;
    if (Error e = budget_.take(subject.size() + target.size() + sets, kRoleBytes, "rules"); failed(e)) return e;
    for (const AppId app : subject) {
      if (watch_.step(16)) return cancelled();
      subjects_[app].push_back({p, std::binary_search(target.begin(), target.end(), app)});
    }
    if (!part.alone) involved.insert(involved.end(), subject.begin(), subject.end());
    model_.part_apps_.insert(model_.part_apps_.end(), subject.begin(), subject.end());
    if (counts) {
      for (const AppId app : target) {
        if (watch_.step(16)) return cancelled();
        targets_[app].push_back({p, std::binary_search(subject.begin(), subject.end(), app)});
      }
      if (!part.alone) involved.insert(involved.end(), target.begin(), target.end());
      model_.part_apps_.insert(model_.part_apps_.end(), target.begin(), target.end());
      const bool can_be_static =
          std::all_of(from.target.begin(), from.target.end(), [&](std::uint32_t tag) { return on_nodes_[tag] != 0; });
      if (can_be_static) {
        const std::uint64_t cells = data_.node_class.size() + data_.classes.size() + from.target.size() * labels_;
        if (Error e = count_cells(cells, part.rule); failed(e)) return e;
        if (Error e = budget_.take(cells, kQuestionBytes, "rules"); failed(e)) return e;
        model_.find_static(data_, from.target, part, watch_);
        if (watch_.ended()) return cancelled();
      }
    }
    model_.part_begin_.push_back(model_.part_apps_.size());
    const bool minimum = part.min > 0 || part.kind == CardinalityKind::kSkew;
    model_.has_hard_minimum_ = model_.has_hard_minimum_ || (part.hard && minimum);
    model_.parts_.push_back(std::move(part));
    return {};
  }

  Error count_cells(std::uint64_t cells, std::uint32_t rule) {
    cells_ += cells;
    if (cells_ <= limits_.max_cells) return {};
    return too_large(indexed("rules", rule), "rules, apps and node sets are more than max_cells allows together");
  }

  const InstanceData& data_;
  const Limits& limits_;
  MemoryBudget& budget_;
  TagModel& model_;
  WatchRef watch_;
  AppsByTag by_tag_;
  std::map<std::vector<std::uint32_t>, std::vector<AppId>> known_;  // carriers by tags
  std::vector<std::uint8_t> on_nodes_;                              // per tag: whether some node has it
  std::uint64_t labels_ = 0;                                        // labels of classes and tags of nodes, in all
  std::vector<std::vector<Role>> subjects_;                         // per app
  std::vector<std::vector<Role>> targets_;                          // per app
  std::vector<std::vector<std::uint32_t>> app_choices_;             // per app
  std::uint64_t cells_ = 0;                                         // of all tables
};

Result<TagModel> TagModel::build(const InstanceData& data, const Limits& limits, MemoryBudget& budget,
                                 const std::vector<PlacementRule>& rules, const IndexRows& app_tags,
                                 const std::vector<std::uint8_t>& left_out, WatchRef watch) {
  TagModel model;
  if (std::find(left_out.begin(), left_out.end(), 0) == left_out.end()) return model;
  std::vector<std::uint8_t> named(data.groups.size(), 0);
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    for (const auto& conjunction : rules[r].any_of) {
      for (const Cardinality& part : conjunction) {
        if (part.group != kNone && left_out[r] == 0) named[part.group] = 1;
      }
    }
  }
  if (Error e = model.find_groups(data, named, budget, watch); failed(e)) return e;
  for (const NodeClass& node_class : data.classes) model.node_count_ += node_class.count;
  const bool endless = std::any_of(data.classes.begin(), data.classes.end(), [](const NodeClass& c) { return c.count == 0; });
  if (endless) model.node_count_ = kEndless;
  Builder builder(data, limits, budget, app_tags, model, watch);
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (left_out[r] != 0) continue;
    if (Error e = builder.add(rules[r], r); failed(e)) return e;
  }
  builder.finish();
  if (watch.ended()) return cancelled();
  return model;
}

// Longest chain of apps each of which needs the next one near; an app that needs none has depth 0. A circle has no longest
// chain, so that the number of rounds is limited; the further criteria of an order decide with which app of a circle it starts.
void TagModel::find_depths(std::uint32_t apps, WatchRef watch) {
  depth_.assign(apps, 0);
  std::vector<std::uint32_t> least(parts_.size(), 0);  // per part: the depth that its targets have reached
  const auto needs = [&](std::uint32_t p) {
    const TagPart& part = parts_[p];
    return part.hard && part.kind == CardinalityKind::kReplicas && part.min > 0;
  };
  for (std::uint32_t round = 0; round < kLongestTagChain; ++round) {
    bool changed = false;
    std::fill(least.begin(), least.end(), 0);
    for (AppId app = 0; app < apps; ++app) {
      if (watch.step(2)) return;
      for (const Role& role : target_of(app)) {
        if (watch.step(4)) return;
        // An app that is counted itself meets the minimum where it comes first.
        if (needs(role.part) && !role.also) least[role.part] = std::max(least[role.part], depth_[app] + 1);
      }
    }
    for (AppId app = 0; app < apps; ++app) {
      if (watch.step(2)) return;
      for (const Role& role : subject_of(app)) {
        if (watch.step(4)) return;
        if (!needs(role.part) || role.also || depth_[app] >= least[role.part]) continue;
        depth_[app] = std::min(least[role.part], kLongestTagChain);
        changed = changed || depth_[app] < kLongestTagChain;
      }
    }
    if (!changed) return;
  }
}

}  // namespace stowage
