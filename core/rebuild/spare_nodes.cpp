#include "core/rebuild/spare_nodes.h"

#include <map>
#include <tuple>

namespace stowage {

SpareNodes::SpareNodes(const Instance& instance) {
  const InstanceData& data = instance.data();
  const auto carries_load = [&](NodeId node) {
    const auto load = instance.scaled_load(node);
    return std::any_of(load.begin(), load.end(), [](std::int32_t units) { return units > 0; });
  };
  std::map<std::tuple<ClassId, std::vector<std::uint32_t>>, std::uint32_t> known;
  listed_kind_.assign(instance.listed_nodes(), kNone);
  const TagModel& rules = instance.tag_model();
  for (NodeId node = 0; node < instance.listed_nodes(); ++node) {
    if (carries_load(node)) continue;
    // Labels and sets of groups, which may name single nodes.
    std::vector<std::uint32_t> marks;
    if (!data.node_tags.empty()) {
      marks.assign(data.node_tags.index.begin() + data.node_tags.begin[node],
                   data.node_tags.index.begin() + data.node_tags.begin[node + 1]);
    }
    for (std::uint32_t g = 0; !rules.empty() && g < rules.groups(); ++g) {
      marks.push_back(kNone);
      const auto sets = rules.sets_of(g, node, data.node_class[node]);
      marks.insert(marks.end(), sets.begin(), sets.end());
    }
    const auto [at, fresh] =
        known.try_emplace({data.node_class[node], std::move(marks)}, static_cast<std::uint32_t>(kinds_.size()));
    if (fresh) kinds_.push_back({data.node_class[node], node, instance.node_cost(data.node_class[node])});
    listed_kind_[node] = at->second;
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    class_kind_.push_back(static_cast<std::uint32_t>(kinds_.size()));
    kinds_.push_back({c, kNone, instance.node_cost(c)});
  }
  empty_.resize(kinds_.size());
  std::map<std::pair<std::vector<std::int32_t>, double>, std::size_t> family_of;
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto capacity = instance.scaled_capacity(kinds_[kind].node_class);
    const auto [at, fresh] = family_of.try_emplace({{capacity.begin(), capacity.end()}, kinds_[kind].cost}, families_.size());
    if (fresh) families_.emplace_back();
    families_[at->second].push_back(kind);
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
