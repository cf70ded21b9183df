#include "core/model/tags.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace stowage {
namespace {

/// Chains of apps that wait for one another are followed so far; longer ones are most likely circles.
constexpr std::uint32_t kLongestTagChain = 32;
/// Negated conditions of one conjunction may multiply to so many.
constexpr std::size_t kMostTagWays = 1024;

std::vector<std::uint32_t> sorted_tags(std::vector<std::uint32_t> tags) {
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  return tags;
}

std::span<const std::uint32_t> tags_in_row(const IndexRows& rows, std::size_t row) {
  return {rows.index.data() + rows.begin[row], rows.begin[row + 1] - rows.begin[row]};
}

/// Apps that carry all of some tags, by the apps of each tag.
class AppsByTag {
 public:
  AppsByTag(const IndexRows& app_tags, std::size_t apps, std::size_t tags) : app_tags_(app_tags), apps_(tags) {
    for (AppId app = 0; app < apps; ++app) {
      for (const std::uint32_t tag : tags_in_row(app_tags, app)) apps_[tag].push_back(app);
    }
  }
  /// @param tags ascending, at least one
  [[nodiscard]] std::vector<AppId> carriers(const std::vector<std::uint32_t>& tags) const {
    const auto rarest = *std::min_element(tags.begin(), tags.end(),
                                          [&](std::uint32_t a, std::uint32_t b) { return apps_[a].size() < apps_[b].size(); });
    std::vector<AppId> result;
    for (const AppId app : apps_[rarest]) {
      const auto own = tags_in_row(app_tags_, app);
      if (std::includes(own.begin(), own.end(), tags.begin(), tags.end())) result.push_back(app);
    }
    return result;
  }

 private:
  const IndexRows& app_tags_;
  std::vector<std::vector<AppId>> apps_;
};

/// What two conditions have to share to be about the same thing.
using RuleCondition = std::tuple<CardinalityKind, std::uint32_t, std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

struct RuleRange {
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  std::uint32_t rule = 0;
};

bool is_one_range(const Cardinality& part) { return !part.negated && part.kind != CardinalityKind::kSkew; }

}  // namespace

IndexRows all_app_tags(const InstanceData& data) {
  const std::size_t apps = data.replicas.size();
  std::vector<std::vector<std::uint32_t>> automatic(apps);
  std::unordered_map<std::string_view, AppId> named;
  for (AppId app = 0; app < data.app_names.size(); ++app) named.emplace(data.app_names[app], app);
  for (std::uint32_t tag = 0; tag < data.tags.size(); ++tag) {
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
  for (AppId app = 0; app < apps; ++app) {
    std::vector<std::uint32_t> tags = std::move(automatic[app]);
    if (!data.app_tags.empty()) {
      const auto given = tags_in_row(data.app_tags, app);
      tags.insert(tags.end(), given.begin(), given.end());
    }
    tags = sorted_tags(std::move(tags));
    rows.index.insert(rows.index.end(), tags.begin(), tags.end());
    rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
  return rows;
}

std::vector<AppId> applications(const InstanceData& data, const IndexRows& app_tags) {
  std::vector<AppId> result(data.replicas.size());
  std::vector<AppId> first(data.tags.size(), kNone);
  for (AppId app = 0; app < result.size(); ++app) {
    result[app] = app;
    // Of several such tags, the one that another app had first decides.
    for (const std::uint32_t tag : tags_in_row(app_tags, app)) {
      if (std::string_view(data.tags[tag]).substr(0, kAppTagPrefix.size()) != kAppTagPrefix) continue;
      if (first[tag] == kNone) first[tag] = app;
      result[app] = std::min(result[app], result[first[tag]]);
    }
  }
  return result;
}

Result<std::vector<PlacementRule>> effective_rules(const InstanceData& data, const IndexRows& app_tags,
                                                   std::vector<RuleConflict>& conflicts) {
  std::vector<PlacementRule> rules = data.rules;
  if (rules.empty()) return rules;
  const auto condition = [](const Cardinality& part, std::vector<std::uint32_t> subject) {
    return RuleCondition(part.kind, part.group, sorted_tags(part.target), std::move(subject));
  };
  // The narrowest operator ranges, hard and soft apart.
  std::map<RuleCondition, RuleRange> by_operator[2];
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (!rules[r].from_operator || rules[r].any_of.size() != 1) continue;
    for (const Cardinality& part : rules[r].any_of[0]) {
      if (!is_one_range(part)) continue;
      const auto [at, fresh] = by_operator[rules[r].hard ? 1 : 0].try_emplace(condition(part, sorted_tags(part.subject)),
                                                                              RuleRange{part.min, part.max, r});
      if (fresh) continue;
      at->second.min = std::max(at->second.min, part.min);
      at->second.max = std::min(at->second.max, part.max);
    }
  }
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (rules[r].from_operator) continue;
    for (auto& conjunction : rules[r].any_of) {
      for (Cardinality& part : conjunction) {
        if (!is_one_range(part)) continue;
        const auto give_way = [&](std::vector<std::uint32_t> subject) {
          const RuleCondition wanted = condition(part, std::move(subject));
          for (int hard = rules[r].hard ? 1 : 0; hard < 2; ++hard) {
            const auto at = by_operator[hard].find(wanted);
            if (at == by_operator[hard].end()) continue;
            const RuleRange& range = at->second;
            if (range.min > range.max || (part.min <= range.max && part.max >= range.min)) continue;
            part.min = std::min(part.min, range.max);
            part.max = std::max(part.max, range.min);
            conflicts.push_back({r, range.rule});
          }
        };
        std::vector<std::uint32_t> subject = sorted_tags(part.subject);
        // Whoever carries all these tags carries each of them.
        if (subject.size() > 1) {
          for (const std::uint32_t tag : subject) give_way({tag});
        }
        give_way(std::move(subject));
      }
    }
  }

  // Hard rules that leave nothing: named, if there is anyone to be placed by them.
  std::map<RuleCondition, RuleRange> all[2];
  const AppsByTag carriers(app_tags, data.replicas.size(), data.tags.size());
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    if (!rules[r].hard || rules[r].any_of.size() != 1) continue;
    for (const Cardinality& part : rules[r].any_of[0]) {
      if (!is_one_range(part)) continue;
      std::vector<std::uint32_t> subject = sorted_tags(part.subject);
      const auto [at, fresh] =
          all[rules[r].from_operator ? 1 : 0].try_emplace(condition(part, subject), RuleRange{part.min, part.max, r});
      if (fresh) continue;
      const std::uint32_t other = at->second.rule;
      at->second.min = std::max(at->second.min, part.min);
      at->second.max = std::min(at->second.max, part.max);
      if (at->second.min <= at->second.max) continue;
      const std::vector<AppId> apps = carriers.carriers(subject);
      if (std::none_of(apps.begin(), apps.end(), [&](AppId app) { return data.replicas[app] > 0; })) continue;
      const std::string name = rules[other].name.empty() ? "" : " (\"" + rules[other].name + "\")";
      return Error{Code::kInvalid, "no replica can meet this hard rule and " + indexed("rules", other) + name + " as well",
                   indexed("rules", r)};
    }
  }
  return rules;
}

const TagModel::Role* TagModel::find(std::span<const Role> roles, std::uint32_t part) {
  const auto at =
      std::lower_bound(roles.begin(), roles.end(), part, [](const Role& role, std::uint32_t p) { return role.part < p; });
  return at != roles.end() && at->part == part ? &*at : nullptr;
}

void TagModel::find_groups(const InstanceData& data) {
  const auto add_row = [this](IndexRows& rows, std::vector<std::uint32_t>& sets) {
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    groups_.back().disjoint = groups_.back().disjoint && sets.size() < 2;
    rows.index.insert(rows.index.end(), sets.begin(), sets.end());
    rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
    sets.clear();
  };
  for (const NodeGroup& group : data.groups) {
    Group& to = groups_.emplace_back();
    to.of_listed.begin.push_back(0);
    to.of_class.begin.push_back(0);
    std::vector<std::uint32_t> sets;
    if (group.by_label.empty()) {
      to.sets = group.sets.begin.empty() ? 0 : static_cast<std::uint32_t>(group.sets.begin.size() - 1);
      std::vector<std::vector<std::uint32_t>> of_node(data.node_class.size());
      for (std::uint32_t s = 0; s < to.sets; ++s) {
        for (const std::uint32_t node : tags_in_row(group.sets, s)) of_node[node].push_back(s);
      }
      for (std::vector<std::uint32_t>& of : of_node) add_row(to.of_listed, of);
      to.of_class.begin.assign(data.classes.size() + 1, 0);
      continue;
    }
    std::map<std::string_view, std::uint32_t> values;
    const auto see = [&](std::string_view label) {
      const bool of_group = label.size() > group.by_label.size() && label[group.by_label.size()] == '=' &&
                            label.substr(0, group.by_label.size()) == group.by_label;
      if (!of_group) return;
      sets.push_back(
          values.try_emplace(label.substr(group.by_label.size() + 1), static_cast<std::uint32_t>(values.size())).first->second);
    };
    for (const NodeClass& node_class : data.classes) {
      for (const std::string& label : node_class.labels) see(label);
      add_row(to.of_class, sets);
    }
    for (NodeId node = 0; node < data.node_class.size(); ++node) {
      for (const std::string& label : data.classes[data.node_class[node]].labels) see(label);
      if (!data.node_tags.empty()) {
        for (const std::uint32_t tag : tags_in_row(data.node_tags, node)) see(data.tags[tag]);
      }
      add_row(to.of_listed, sets);
    }
    to.sets = static_cast<std::uint32_t>(values.size());
  }
}

void TagModel::find_static(const InstanceData& data, std::span<const std::uint32_t> target, TagPart& part) const {
  std::vector<std::uint8_t> of_class(data.classes.size(), 0);
  std::vector<std::uint8_t> of_listed(data.node_class.size(), 0);
  bool any = false;
  for (ClassId c = 0; c < data.classes.size(); ++c) {
    const auto& labels = data.classes[c].labels;
    const auto has = [&](std::uint32_t tag) { return std::find(labels.begin(), labels.end(), data.tags[tag]) != labels.end(); };
    of_class[c] = std::all_of(target.begin(), target.end(), has) ? 1 : 0;
    any = any || of_class[c] != 0;
  }
  for (NodeId node = 0; node < of_listed.size(); ++node) {
    const auto& labels = data.classes[data.node_class[node]].labels;
    const auto own = data.node_tags.empty() ? std::span<const std::uint32_t>{} : tags_in_row(data.node_tags, node);
    of_listed[node] = of_class[data.node_class[node]];
    if (own.empty() || of_listed[node] != 0) continue;
    const auto has = [&](std::uint32_t tag) {
      return std::find(own.begin(), own.end(), tag) != own.end() ||
             std::find(labels.begin(), labels.end(), data.tags[tag]) != labels.end();
    };
    of_listed[node] = std::all_of(target.begin(), target.end(), has) ? 1 : 0;
    any = any || of_listed[node] != 0;
  }
  if (!any) return;
  if (part.group == kNone) {
    part.static_listed = std::move(of_listed);
    part.static_classes = std::move(of_class);
    return;
  }
  part.static_sets.assign(sets(part.group), 0);
  for (NodeId node = 0; node < of_listed.size(); ++node) {
    if (of_listed[node] == 0) continue;
    for (const std::uint32_t set : sets_of(part.group, node, kNone)) ++part.static_sets[set];
  }
}

Result<TagModel> TagModel::build(const InstanceData& data, const Limits& limits, const std::vector<PlacementRule>& rules,
                                 const IndexRows& app_tags) {
  TagModel model;
  if (rules.empty()) return model;
  const auto apps = static_cast<std::uint32_t>(data.replicas.size());
  model.find_groups(data);
  std::vector<std::uint64_t> listed_of(data.classes.size(), 0);
  for (const ClassId c : data.node_class) ++listed_of[c];
  for (ClassId c = 0; c < data.classes.size(); ++c) {
    model.has_anonymous_ = model.has_anonymous_ || data.classes[c].count == 0 || data.classes[c].count > listed_of[c];
  }

  const AppsByTag by_tag(app_tags, apps, data.tags.size());
  std::map<std::vector<std::uint32_t>, std::vector<AppId>> known;
  const auto carriers = [&](const std::vector<std::uint32_t>& tags) -> const std::vector<AppId>& {
    std::vector<std::uint32_t> key = sorted_tags(tags);
    const auto at = known.find(key);
    if (at != known.end()) return at->second;
    std::vector<AppId> list = key.empty() ? std::vector<AppId>{} : by_tag.carriers(key);
    return known.emplace(std::move(key), std::move(list)).first->second;
  };
  std::vector<std::vector<Role>> subjects(apps);
  std::vector<std::vector<Role>> targets(apps);
  std::vector<std::vector<std::uint32_t>> app_choices(apps);
  std::uint64_t cells = 0;
  const auto too_many = [&](std::uint32_t rule) {
    return Error{Code::kLimitExceeded, "rules, apps and node sets are more than max_cells allows together",
                 indexed("rules", rule)};
  };

  // The tags that nodes have at all: no others can make a static target.
  std::vector<std::uint8_t> on_nodes(data.tags.size(), 0);
  for (const std::uint32_t tag : data.node_tags.index) on_nodes[tag] = 1;
  std::unordered_map<std::string_view, std::uint32_t> tag_named;
  for (std::uint32_t tag = 0; tag < data.tags.size(); ++tag) tag_named.emplace(data.tags[tag], tag);
  std::uint64_t labels = data.node_tags.index.size();
  for (const NodeClass& node_class : data.classes) {
    labels += node_class.labels.size();
    for (const std::string& label : node_class.labels) {
      if (const auto tag = tag_named.find(label); tag != tag_named.end()) on_nodes[tag->second] = 1;
    }
  }

  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    const PlacementRule& rule = rules[r];
    // Each negated part makes two of a conjunction: outside of a range is below or above it.
    std::vector<std::vector<Cardinality>> any_of;
    for (std::size_t c = 0; c < rule.any_of.size(); ++c) {
      const auto& conjunction = rule.any_of[c];
      std::vector<std::vector<Cardinality>> open = {{}};
      for (const Cardinality& part : conjunction) {
        std::vector<Cardinality> ways;
        Cardinality way = part;
        way.negated = false;
        if (part.kind == CardinalityKind::kSkew) way.min = 0;
        if (!part.negated) {
          ways.push_back(way);
        } else {
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
        }
        std::vector<std::vector<Cardinality>> longer;
        for (const auto& before : open) {
          for (const Cardinality& next : ways) {
            longer.push_back(before);
            longer.back().push_back(next);
          }
        }
        open = std::move(longer);
        if (open.size() > kMostTagWays) {
          return Error{Code::kLimitExceeded, "negated conditions of one conjunction multiply to more than 1024 ways",
                       indexed("rules", r)};
        }
      }
      if (open.empty()) {
        return invalid(indexed("rules", r) + "." + indexed("any_of", c),
                       "what is negated always holds, so that nothing can meet the conjunction");
      }
      any_of.insert(any_of.end(), open.begin(), open.end());
    }
    const bool alone = any_of.size() == 1;
    (rule.hard ? model.has_hard_ : model.has_soft_) = true;
    if (!alone) model.choices_.push_back({r, rule.hard, rule.weight, {}});
    std::vector<AppId> involved;
    for (const auto& conjunction : any_of) {
      std::vector<std::uint32_t> numbers;
      for (const Cardinality& from : conjunction) {
        const auto p = static_cast<std::uint32_t>(model.parts_.size());
        TagPart part;
        part.condition = static_cast<std::uint32_t>(numbers.size());
        numbers.push_back(p);
        part.kind = from.kind;
        part.rule = r;
        part.group = from.group;
        part.min = from.min;
        part.max = from.max;
        part.hard = rule.hard;
        part.alone = alone;
        part.weight = rule.weight;
        const std::vector<AppId>& subject = carriers(from.subject);
        const bool counts = from.kind == CardinalityKind::kReplicas;
        const std::vector<AppId>& target = counts ? carriers(from.target) : subject;
        const std::uint64_t sets = from.group == kNone ? (counts ? 0 : data.node_class.size()) : model.sets(from.group);
        cells += subject.size() + target.size() + 3 * sets + 1;
        if (cells > limits.max_cells) return too_many(r);
        for (const AppId app : subject) {
          subjects[app].push_back({p, std::binary_search(target.begin(), target.end(), app)});
          if (!alone) involved.push_back(app);
        }
        if (counts) {
          for (const AppId app : target) {
            targets[app].push_back({p, std::binary_search(subject.begin(), subject.end(), app)});
            if (!alone) involved.push_back(app);
          }
          const bool can_be_static =
              std::all_of(from.target.begin(), from.target.end(), [&](std::uint32_t tag) { return on_nodes[tag] != 0; });
          if (can_be_static) {
            cells += data.node_class.size() + data.classes.size() + from.target.size() * labels;
            if (cells > limits.max_cells) return too_many(r);
            model.find_static(data, from.target, part);
          }
        }
        model.part_apps_.insert(model.part_apps_.end(), subject.begin(), subject.end());
        if (counts) model.part_apps_.insert(model.part_apps_.end(), target.begin(), target.end());
        model.part_begin_.push_back(model.part_apps_.size());
        const bool minimum = part.min > 0 || part.kind == CardinalityKind::kSkew;
        model.has_hard_minimum_ = model.has_hard_minimum_ || (rule.hard && minimum);
        model.parts_.push_back(std::move(part));
      }
      if (!alone) model.choices_.back().any_of.push_back(std::move(numbers));
    }
    std::sort(involved.begin(), involved.end());
    involved.erase(std::unique(involved.begin(), involved.end()), involved.end());
    for (const AppId app : involved) app_choices[app].push_back(static_cast<std::uint32_t>(model.choices_.size() - 1));
  }

  const auto flatten = [](const auto& lists, auto& begin, auto& index) {
    begin.push_back(0);
    for (const auto& list : lists) {
      index.insert(index.end(), list.begin(), list.end());
      begin.push_back(static_cast<std::uint32_t>(index.size()));
    }
  };
  flatten(subjects, model.subjects_.begin, model.subjects_.index);
  flatten(targets, model.targets_.begin, model.targets_.index);
  flatten(app_choices, model.app_choices_.begin, model.app_choices_.index);
  if (model.has_hard_minimum_) model.find_depths(apps);
  return model;
}

// Longest chain of apps that each need the next one near, in rounds: whoever needs nobody is at 0. Circles go on for ever, so
// rounds are counted; where a circle starts is decided by the rest of an order.
void TagModel::find_depths(std::uint32_t apps) {
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
      for (const Role& role : target_of(app)) {
        // An app that needs its own kind can be where it is first.
        if (needs(role.part) && !role.also) least[role.part] = std::max(least[role.part], depth_[app] + 1);
      }
    }
    for (AppId app = 0; app < apps; ++app) {
      for (const Role& role : subject_of(app)) {
        if (!needs(role.part) || role.also || depth_[app] >= least[role.part]) continue;
        depth_[app] = std::min(least[role.part], kLongestTagChain);
        changed = changed || depth_[app] < kLongestTagChain;
      }
    }
    if (!changed) return;
  }
}

}  // namespace stowage
