// Nodes that could be used next, by kind: empty nodes of a kind differ in nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/instance.h"
#include "core/search/search_state.h"

namespace stowage {

/// A kind has listed nodes of one class with the same labels and daemon load and no other load, or new nodes of one class.
class SpareNodes {
 public:
  struct Kind {
    ClassId node_class;
    NodeId listed;  ///< a listed node of the kind, as an example; kNone: new nodes
    double cost;    ///< of a node
    std::uint32_t family = 0;
  };

  explicit SpareNodes(const Instance& instance);

  [[nodiscard]] const std::vector<Kind>& all() const { return kinds_; }
  /// Kinds of one capacity and cost form a family: they differ in labels alone.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& families() const { return families_; }
  /// The families from which a new node is chosen: without those of which each node could be a new one of another family that
  /// holds as much, costs no more and differs in no label that counts. Prices of sizes that nobody would buy change nothing.
  [[nodiscard]] const std::vector<std::uint32_t>& choice() const { return choice_; }
  [[nodiscard]] const std::vector<std::uint32_t>& family_of(std::uint32_t kind) const { return families_[kinds_[kind].family]; }
  /// The kind of a node; kNone: it carries load, so that it is never empty.
  [[nodiscard]] std::uint32_t kind_of(NodeId node, ClassId node_class) const {
    return node < listed_kind_.size() ? listed_kind_[node] : class_kind_[node_class];
  }
  /// A node that was in use is empty now, or an empty one is used.
  void add_empty(NodeId node, std::uint32_t kind);
  void remove_empty(NodeId node, std::uint32_t kind);
  /// Whether the kind has an empty node, or one may be opened.
  template <class Unit>
  [[nodiscard]] bool may_have_node(std::uint32_t kind, const Placement<Unit>& placement) const {
    return !empty_[kind].empty() || (kinds_[kind].listed == kNone && placement.may_open(kinds_[kind].node_class));
  }
  [[nodiscard]] const std::vector<NodeId>& empty(std::uint32_t kind) const { return empty_[kind]; }

  /// An empty node of the kind, opened if necessary. kNone: there is none.
  template <class Unit>
  NodeId empty_node(std::uint32_t kind, Placement<Unit>& placement, SearchState<Unit>& state) {
    if (!empty_[kind].empty()) return empty_[kind].back();
    if (kinds_[kind].listed != kNone) return kNone;
    const NodeId node = placement.open(kinds_[kind].node_class);
    if (node == kNone) return kNone;
    state.add(node);
    add_empty(node, kind);
    return node;
  }

 private:
  void find_families(const Instance& instance);
  void find_choice(const Instance& instance);

  std::vector<Kind> kinds_;
  std::vector<std::vector<std::uint32_t>> families_;
  std::vector<std::uint32_t> choice_;
  std::vector<std::uint32_t> listed_kind_;
  std::vector<std::uint32_t> class_kind_;
  std::vector<std::vector<NodeId>> empty_;  // per kind
  std::vector<std::uint32_t> empty_at_;     // per node: position in its kind's list
};

}  // namespace stowage
