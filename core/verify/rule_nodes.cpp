#include "core/verify/rule_nodes.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/watched.h"

namespace stowage {
namespace {

// Steps of a node, of a tag and of a label of a class.
constexpr std::uint64_t kStepsPerRuleNode = 8;
constexpr std::uint64_t kStepsPerTag = 16;
constexpr std::uint64_t kStepsPerLabel = 64;

}  // namespace

RuleNodes::RuleNodes(const InstanceData& data, const std::vector<PlannedNode>& nodes, WatchRef watch)
    : data_(data), nodes_(nodes), watch_(watch) {
  read_tags();
  // Only groups that some rule is about.
  groups_.resize(data.groups.size());
  std::vector<std::uint8_t> read(data.groups.size(), 0);
  const auto read_group = [&](std::uint32_t g) {
    if (g == kNone || read[g] != 0) return;
    read[g] = 1;
    groups_[g] = data.groups[g].by_label.empty() ? read_sets(data.groups[g].sets) : read_labels(data.groups[g].by_label);
  };
  for (const PlacementRule& rule : data.rules) {
    for (const auto& conjunction : rule.any_of) {
      for (const Cardinality& part : conjunction) read_group(part.group);
    }
  }
}

void RuleNodes::find_same() {
  std::vector<std::pair<std::string_view, std::uint32_t>> by_name;
  by_name.reserve(data_.tags.size());
  for (std::uint32_t tag = 0; tag < data_.tags.size() && !watch_.step(); ++tag) by_name.emplace_back(data_.tags[tag], tag);
  watched_sort(by_name, watch_);
  same_.assign(data_.tags.size(), 0);
  std::uint32_t first = 0;
  for (std::size_t k = 0; k < by_name.size(); ++k) {
    if (watch_.step(kStepsPerTag)) return;
    if (k == 0 || by_name[k].first != by_name[k - 1].first) first = by_name[k].second;
    same_[by_name[k].second] = first;
  }
  on_nodes_.assign(data_.tags.size(), 0);
  class_tags_.resize(data_.classes.size());
  for (ClassId c = 0; c < data_.classes.size(); ++c) {
    for (const std::string& label : data_.classes[c].labels) {
      if (watch_.step(kStepsPerLabel)) return;
      const auto at = std::lower_bound(by_name.begin(), by_name.end(), std::pair(std::string_view(label), 0U));
      if (at == by_name.end() || at->first != label) continue;
      class_tags_[c].push_back(at->second);
      on_nodes_[at->second] = 1;
    }
  }
}

void RuleNodes::read_tags() {
  find_same();
  for (const std::uint32_t tag : data_.node_tags.index) {
    if (watch_.step()) return;
    on_nodes_[same_[tag]] = 1;
  }
}

std::span<const std::uint32_t> RuleNodes::own_tags(NodeId listed) const {
  if (data_.node_tags.empty()) return {};
  const std::uint32_t begin = data_.node_tags.begin[listed];
  return std::span(data_.node_tags.index).subspan(begin, data_.node_tags.begin[listed + 1] - begin);
}

void RuleNodes::Sets::end_row() {
  const auto first = index.begin() + static_cast<std::ptrdiff_t>(begin.back());
  if (index.end() - first > 1) {
    std::sort(first, index.end());
    index.erase(std::unique(first, index.end()), index.end());
  }
  begin.push_back(index.size());
}

RuleNodes::Sets RuleNodes::read_sets(const IndexRows& sets) const {
  Sets result;
  result.count = sets.empty() ? 0 : static_cast<std::uint32_t>(sets.begin.size()) - 1;
  // The sets of each row, one row after the other; those of one row are ascending, and some stand twice.
  const std::size_t rows = data_.node_class.size() + data_.classes.size();
  std::vector<std::size_t> next(rows + 1, 0);
  for (const std::uint32_t row : sets.index) {
    if (watch_.step()) return result;
    ++next[row + std::size_t{1}];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> of_row;
  watched_resize(of_row, sets.index.size(), watch_);
  for (std::uint32_t s = 0; s < result.count; ++s) {
    for (std::uint32_t k = sets.begin[s]; k < sets.begin[s + 1]; ++k) {
      if (watch_.step()) return result;
      of_row[next[sets.index[k]]++] = s;
    }
  }
  result.begin.reserve(rows + 1);
  result.index.reserve(of_row.size());
  std::size_t at = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (watch_.step(kStepsPerRuleNode + (next[row] - at))) return result;
    for (; at < next[row]; ++at) result.index.push_back(of_row[at]);
    result.end_row();
  }
  return result;
}

RuleNodes::Sets RuleNodes::read_labels(const std::string& key) const {
  const std::string prefix = key + "=";
  Sets result;
  // The sets that classes are in. A tag stands for a set that it alone is about, unless a class has that one.
  std::map<std::string_view, std::uint32_t> of_label;
  std::vector<std::vector<std::uint32_t>> of_class(data_.classes.size());
  for (ClassId c = 0; c < data_.classes.size(); ++c) {
    for (const std::string& label : data_.classes[c].labels) {
      if (watch_.step(kStepsPerLabel)) return result;
      if (!label.starts_with(prefix)) continue;
      const auto [at, fresh] = of_label.try_emplace(label, result.count);
      result.count += fresh ? 1 : 0;
      of_class[c].push_back(at->second);
    }
  }
  constexpr std::uint32_t kUnread = kNone - 1;
  std::vector<std::uint32_t> of_tag(data_.tags.size(), kUnread);
  const auto read_tag = [&](std::uint32_t tag) {
    if (of_tag[tag] != kUnread) return of_tag[tag];
    of_tag[tag] = kNone;
    if (!data_.tags[tag].starts_with(prefix)) return kNone;
    const auto at = of_label.find(data_.tags[tag]);
    return of_tag[tag] = at != of_label.end() ? at->second : result.count++;
  };
  result.begin.reserve(data_.node_class.size() + data_.classes.size() + 1);
  const auto add_class = [&](ClassId c) { result.index.insert(result.index.end(), of_class[c].begin(), of_class[c].end()); };
  for (NodeId n = 0; n < data_.node_class.size(); ++n) {
    if (watch_.step(kStepsPerRuleNode + kStepsPerTag * own_tags(n).size())) return result;
    add_class(data_.node_class[n]);
    for (const std::uint32_t tag : own_tags(n)) {
      if (const std::uint32_t set = read_tag(same_[tag]); set != kNone) result.index.push_back(set);
    }
    result.end_row();
  }
  for (ClassId c = 0; c < data_.classes.size(); ++c) {
    add_class(c);
    result.end_row();
  }
  return result;
}

bool RuleNodes::anywhere(std::span<const std::uint32_t> tags) const {
  return std::all_of(tags.begin(), tags.end(), [&](std::uint32_t tag) { return on_nodes_[same_[tag]] != 0; });
}

bool RuleNodes::has_all(ClassId node_class, NodeId listed, std::span<const std::uint32_t> tags) const {
  return std::all_of(tags.begin(), tags.end(), [&](std::uint32_t tag) {
    const std::vector<std::uint32_t>& of_class = class_tags_[node_class];
    if (std::find(of_class.begin(), of_class.end(), same_[tag]) != of_class.end()) return true;
    if (listed == kNone) return false;
    const std::span<const std::uint32_t> own = own_tags(listed);
    return std::any_of(own.begin(), own.end(), [&](std::uint32_t other) { return same_[other] == same_[tag]; });
  });
}

bool RuleNodes::has_all(NodeId node, std::span<const std::uint32_t> tags) const {
  return has_all(nodes_[node].node_class, nodes_[node].listed, tags);
}

std::span<const std::uint32_t> RuleNodes::sets(std::uint32_t group, NodeId node) const {
  const PlannedNode& at = nodes_[node];
  return groups_[group].row(at.listed != kNone ? at.listed : data_.node_class.size() + at.node_class);
}

std::uint32_t RuleNodes::most_sets() const {
  std::uint32_t most = 0;
  for (const Sets& group : groups_) most = std::max(most, group.count);
  return most;
}

const std::vector<RuleNodes::SetNodes>& RuleNodes::listed_with(std::uint32_t group, const std::vector<std::uint32_t>& tags) {
  const auto [at, fresh] = listed_with_.try_emplace({group, tags});
  if (!fresh) return at->second;
  std::vector<std::uint32_t> nodes(groups_[group].count, 0);
  for (NodeId n = 0; n < data_.node_class.size(); ++n) {
    if (watch_.step(kStepsPerRuleNode * (1 + tags.size()))) break;
    if (!has_all(data_.node_class[n], n, tags)) continue;
    for (const std::uint32_t set : groups_[group].row(n)) ++nodes[set];
  }
  for (std::uint32_t set = 0; set < nodes.size(); ++set) {
    if (nodes[set] > 0) at->second.push_back({set, nodes[set]});
  }
  return at->second;
}

}  // namespace stowage
