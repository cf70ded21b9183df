// What holds replicas on listed nodes: pins, and that they run there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/run/request.h"

namespace stowage {

/// The one place that says what is tied to its node. Pinned replicas never leave it. Running replicas may within the request's
/// move budget, which those that move them count: SearchState::may_leave(), PlacementGate, TrafficState.
class Ties {
 public:
  struct Tie {
    AppId app;
    std::uint32_t pinned;   ///< replicas that stay
    std::uint32_t running;  ///< replicas that count as moves when they leave; 0 where moves do not matter
  };

  Ties(const Instance& instance, const Request& request)
      : moves_matter_(!request.ignore_running && !instance.data().running.empty()) {
    if (!moves_matter_ && instance.data().pinned.empty()) return;
    of_node_.resize(instance.listed_nodes());
    for (const Residence& p : instance.data().pinned) of(p).pinned += p.replicas;
    for (const Residence& r : instance.data().running) {
      if (moves_matter_) of(r).running += r.replicas;
    }
  }

  /// Whether moves are counted: something runs, and the request does not ignore it.
  [[nodiscard]] bool moves_matter() const { return moves_matter_; }
  /// Nodes that may have ties: all listed ones, or none.
  [[nodiscard]] NodeId nodes() const { return static_cast<NodeId>(of_node_.size()); }
  [[nodiscard]] std::span<const Tie> at(NodeId node) const {
    return node < of_node_.size() ? std::span<const Tie>(of_node_[node]) : std::span<const Tie>{};
  }
  /// Null: nothing ties the app to the node.
  [[nodiscard]] const Tie* find(AppId app, NodeId node) const {
    for (const Tie& tie : at(node)) {
      if (tie.app == app) return &tie;
    }
    return nullptr;
  }
  /// Replicas of the app that run on the node at the start; 0 where moves do not matter.
  [[nodiscard]] std::uint32_t running(AppId app, NodeId node) const {
    const Tie* tie = find(app, node);
    return tie == nullptr ? 0 : tie->running;
  }
  /// Of `there` replicas of the app on the node, those that pins let leave it.
  [[nodiscard]] std::uint32_t removable(AppId app, NodeId node, std::uint32_t there) const {
    const Tie* tie = find(app, node);
    return tie == nullptr ? there : there - std::min(there, tie->pinned);
  }
  /// Running replicas of the app that are away from the node while it holds `there`.
  [[nodiscard]] std::uint32_t away(AppId app, NodeId node, std::uint32_t there) const {
    const std::uint32_t at_start = running(app, node);
    return at_start - std::min(at_start, there);
  }

 private:
  Tie& of(const Residence& residence) {
    std::vector<Tie>& ties = of_node_[residence.node];
    const auto known = std::find_if(ties.begin(), ties.end(), [&](const Tie& tie) { return tie.app == residence.app; });
    return known != ties.end() ? *known : ties.emplace_back(Tie{residence.app, 0, 0});
  }

  bool moves_matter_;
  std::vector<std::vector<Tie>> of_node_;  // per listed node; empty: nothing is tied
};

}  // namespace stowage
