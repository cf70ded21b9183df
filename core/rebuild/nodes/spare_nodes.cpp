#include "core/rebuild/nodes/spare_nodes.h"

#include <algorithm>
#include <map>
#include <numeric>
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

/// A number for each class with different marks.
using NumbersOfMarks = std::map<std::pair<ClassId, std::vector<std::uint32_t>>, std::uint32_t>;

/// Families with which another one is compared.
constexpr std::size_t kMostCompared = 256;

/// Per class: equal numbers where no eligibility and no rule tells new nodes of the classes apart.
std::vector<std::uint32_t> labels_that_count(const Instance& instance) {
  std::vector<AppId> asking;  // one app of each eligibility
  std::vector<std::uint8_t> is_known(instance.eligibility().groups(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (std::exchange(is_known[instance.eligibility().group(app)], 1) == 0) asking.push_back(app);
  }
  const TagModel& rules = instance.tag_model();
  NumbersOfMarks known;
  std::vector<std::uint32_t> labels;
  labels.reserve(instance.classes());
  for (ClassId c = 0; c < instance.classes(); ++c) {
    std::vector<std::uint32_t> marks;
    marks.reserve(asking.size());
    for (const AppId app : asking) marks.push_back(instance.admits(app, kNone, c) ? 1 : 0);
    for (std::uint32_t p = 0; !rules.empty() && p < rules.parts(); ++p) {
      const std::vector<std::uint8_t>& carries = rules.part(p).static_classes;
      if (!carries.empty()) marks.push_back(carries[c]);
    }
    for (std::uint32_t g = 0; !rules.empty() && g < rules.groups(); ++g) {
      marks.push_back(kNone);
      const auto sets = rules.sets_of(g, kNone, c);
      marks.insert(marks.end(), sets.begin(), sets.end());
    }
    labels.push_back(known.try_emplace({0, std::move(marks)}, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return labels;
}

}  // namespace

SpareNodes::SpareNodes(const Instance& instance) {
  const InstanceData& data = instance.data();
  NumbersOfMarks known;
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
  find_choice(instance);
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

void SpareNodes::find_choice(const Instance& instance) {
  choice_.resize(families_.size());
  std::iota(choice_.begin(), choice_.end(), 0u);
  if (families_.size() < 2) return;
  const std::vector<std::uint32_t> labels = labels_that_count(instance);
  const auto free_of = [&](const Kind& kind, std::uint32_t h) {
    const auto standing = instance.scaled_standing(kind.listed, kind.node_class);
    return instance.scaled_capacity(kind.node_class)[instance.resource_of(h)] - (standing.empty() ? 0 : standing[h]);
  };
  const auto holds_as_much = [&](const Kind& one, const Kind& other) {
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      if (free_of(one, h) < free_of(other, h)) return false;
    }
    return true;
  };
  // Whether every node of the family could be a new one of the other.
  const auto replaces = [&](std::uint32_t other, std::uint32_t family) {
    if (!holds_as_much(kinds_[families_[other].front()], kinds_[families_[family].front()])) return false;
    return std::all_of(families_[family].begin(), families_[family].end(), [&](std::uint32_t k) {
      return kinds_[k].listed == kNone && std::any_of(families_[other].begin(), families_[other].end(), [&](std::uint32_t o) {
               const bool is_endless = kinds_[o].listed == kNone && instance.data().classes[kinds_[o].node_class].count == 0;
               return is_endless && labels[kinds_[o].node_class] == labels[kinds_[k].node_class];
             });
    });
  };
  std::vector<std::pair<double, std::uint32_t>> by_cost;
  by_cost.reserve(choice_.size());
  for (const std::uint32_t family : choice_) by_cost.emplace_back(kinds_[families_[family].front()].cost, family);
  std::sort(by_cost.begin(), by_cost.end());
  choice_.clear();
  for (const auto& [cost, family] : by_cost) {
    // The nearest in cost: one that is passed over takes time, and is right all the same.
    const auto begin = choice_.end() - static_cast<std::ptrdiff_t>(std::min(choice_.size(), kMostCompared));
    const bool is_replaced =
        std::any_of(begin, choice_.end(), [&, by = family](std::uint32_t other) { return replaces(other, by); });
    if (!is_replaced) choice_.push_back(family);
  }
  std::sort(choice_.begin(), choice_.end());
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
