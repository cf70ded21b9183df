#include "core/rebuild/nodes/spare_nodes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

/// What tells listed nodes of a class apart, but for their load: labels, daemon load, and sets of groups, which may name single
/// nodes.
std::vector<std::uint32_t> marks_of(const Instance& instance, NodeId node) {
  const InstanceData& data = instance.data();
  const ClassId node_class = data.node_class[node];
  std::vector<std::uint32_t> marks;
  if (!data.node_tags.empty()) {
    marks.assign(data.node_tags.index.begin() + data.node_tags.begin[node],
                 data.node_tags.index.begin() + data.node_tags.begin[node + 1]);
  }
  marks.push_back(kNone);
  for (const std::int32_t units : instance.scaled_standing(node, node_class)) {
    marks.push_back(static_cast<std::uint32_t>(units));
  }
  const TagModel& rules = instance.tag_model();
  for (std::uint32_t g = 0; !rules.empty() && g < rules.groups(); ++g) {
    marks.push_back(kNone);
    const auto sets = rules.sets_of(g, node, node_class);
    marks.insert(marks.end(), sets.begin(), sets.end());
  }
  return marks;
}

}  // namespace

SpareNodes::SpareNodes(const Instance& instance) {
  const InstanceData& data = instance.data();
  std::map<std::pair<ClassId, std::vector<std::uint32_t>>, std::uint32_t> known;
  listed_kind_.assign(instance.listed_nodes(), kNone);
  for (NodeId node = 0; node < instance.listed_nodes(); ++node) {
    if (instance.is_loaded(node)) continue;
    const ClassId c = data.node_class[node];
    const auto [at, fresh] = known.try_emplace({c, marks_of(instance, node)}, static_cast<std::uint32_t>(kinds_.size()));
    if (fresh) kinds_.push_back({c, node, instance.node_cost(c)});
    listed_kind_[node] = at->second;
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    class_kind_.push_back(static_cast<std::uint32_t>(kinds_.size()));
    kinds_.push_back({c, kNone, instance.node_cost(c)});
  }
  empty_.resize(kinds_.size());
  find_families(instance);
}

void SpareNodes::find_families(const Instance& instance) {
  // Capacity and what stands on it.
  using Key = std::tuple<std::vector<std::int32_t>, std::vector<std::int32_t>, double>;
  std::map<Key, std::uint32_t> family_of;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    Kind& kind = kinds_[k];
    const auto capacity = instance.scaled_capacity(kind.node_class);
    const auto standing = instance.scaled_standing(kind.listed, kind.node_class);
    const auto [at, fresh] =
        family_of.try_emplace({{capacity.begin(), capacity.end()}, {standing.begin(), standing.end()}, kind.cost},
                              static_cast<std::uint32_t>(families_.size()));
    if (fresh) families_.emplace_back();
    kind.family = at->second;
    families_[kind.family].push_back(k);
  }
}

void SpareNodes::add_empty(NodeId node, std::uint32_t kind) {
  if (empty_at_.size() <= node) empty_at_.resize(std::size_t{node} + 1, kNone);
  empty_at_[node] = static_cast<std::uint32_t>(empty_[kind].size());
  empty_[kind].push_back(node);
}

void SpareNodes::remove_empty(NodeId node, std::uint32_t kind) {
  const std::uint32_t at = empty_at_[node];
  empty_[kind][at] = empty_[kind].back();
  empty_at_[empty_[kind][at]] = at;
  empty_[kind].pop_back();
  empty_at_[node] = kNone;
}

}  // namespace stowage
