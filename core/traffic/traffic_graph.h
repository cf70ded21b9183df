// Which apps exchange traffic, and how much of all traffic.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/model/instance.h"

namespace stowage {

/// The apps that exchange traffic, in rows 0 .. rows() - 1 by rising app, and their pairs. Pairs without amount, or with an app
/// that wants no replicas, are left out. O(apps + pairs log pairs).
class TrafficGraph {
 public:
  struct Pair {
    std::uint32_t row;
    std::uint32_t peer;
    double share;  ///< of all traffic
  };
  struct Arc {
    std::uint32_t peer;  ///< a row
    double per_unit;     ///< share of all traffic per unit of min(x e, y d), of apps with d and e replicas
  };

  explicit TrafficGraph(const Instance& instance);

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(apps_.size()); }
  [[nodiscard]] AppId app(std::uint32_t row) const { return apps_[row]; }
  /// The row of an app; kNone: it exchanges no traffic.
  [[nodiscard]] std::uint32_t row_of(AppId app) const { return row_[app]; }
  [[nodiscard]] std::uint32_t replicas(std::uint32_t row) const { return replicas_[row]; }
  [[nodiscard]] std::span<const Arc> arcs(std::uint32_t row) const {
    return {arcs_.data() + begin_[row], begin_[row + 1] - begin_[row]};
  }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Replicas of all rows.
  [[nodiscard]] std::uint64_t total_replicas() const { return total_replicas_; }

 private:
  std::vector<AppId> apps_;
  std::vector<std::uint32_t> row_;  // per app
  std::vector<std::uint32_t> replicas_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> begin_;  // per row, and the end
  std::vector<Arc> arcs_;
  std::uint64_t total_replicas_ = 0;
};

/// What a node is to hold of apps that exchange traffic.
struct TrafficFill {
  NodeId node;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> held;  ///< rows and replicas
};

}  // namespace stowage
