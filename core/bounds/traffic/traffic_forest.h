// The most traffic that one node keeps at prices of replicas, where apps and the pairs that count form a forest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/run/work_clock.h"
#include "core/traffic/traffic_graph.h"

namespace stowage {

/// For every capacity up to the largest at once, maximizes over x
///
///   sum over pairs (i, j) of the forest of  share_ij min(x_i / d_i, x_j / d_j)  -  sum_i price_i x_i
///   subject to  sum_i size_i x_i <= capacity,  x_i whole,  0 <= x_i <= most_i
///
/// by dynamic programming from the leaves to the roots: the state is the app's replicas and the size of its subtree. The forest
/// has the pairs of the largest shares (Kruskal 1956).
class TrafficForest {
 public:
  struct App {
    std::uint32_t size = 0;
    std::uint32_t most = 0;
  };

  explicit TrafficForest(const TrafficGraph& graph);

  /// Per pair of the graph, whether it is in the forest.
  [[nodiscard]] const std::vector<std::uint8_t>& joined() const { return joined_; }
  /// Numbers that the tables of these sizes have. May be called before set_sizes().
  [[nodiscard]] std::uint64_t cells(std::span<const App> apps, std::uint32_t largest) const;
  /// @param apps    per row of the graph
  /// @param largest the largest capacity
  void set_sizes(std::vector<App> apps, std::uint32_t largest);

  /// Lowers the most replicas of a row on a node.
  void lower_most(std::uint32_t row, std::uint32_t most) { apps_[row].most = std::min(apps_[row].most, most); }

  /// Upper limit of the work of solve().
  [[nodiscard]] std::uint64_t work() const;
  /// Fills the tables. False where the clock ends the run; the tables are then not filled.
  /// @param prices per row of the graph, at least 0
  bool solve(std::span<const double> prices, WorkClock& clock);
  /// The maximum at a capacity; at least 0. After solve().
  [[nodiscard]] double most(std::uint32_t capacity) const { return forest_.back()[capacity]; }
  /// Sets x to a content of that value.
  void content(std::uint32_t capacity, std::vector<std::uint32_t>& x) const;
  /// The work of content(), at most.
  [[nodiscard]] std::uint64_t work_of_content() const;

 private:
  struct Vertex {
    std::uint32_t row = 0;
    std::uint32_t parent = kNone;  ///< a vertex; kNone: a root
    double share = 0;              ///< of the pair with the parent
    std::vector<std::uint32_t> children;
  };
  using Table = std::vector<double>;  // per replicas of a vertex and size: width() entries per row

  [[nodiscard]] std::size_t width() const { return std::size_t{largest_} + 1; }
  [[nodiscard]] const App& app(std::uint32_t vertex) const { return apps_[vertices_[vertex].row]; }
  [[nodiscard]] double replicas(std::uint32_t vertex) const { return graph_->replicas(vertices_[vertex].row); }
  /// How many replicas of the child keep up with `x` of its parent.
  [[nodiscard]] std::uint32_t keeps_up(const Vertex& child, std::uint32_t x) const;
  void add_tree(std::uint32_t root, const std::vector<std::vector<std::size_t>>& pairs_of);
  /// The vertex's table, its parent's replicas taken into account.
  void offer(std::uint32_t vertex);
  /// `sum` = the most of two tables' rows that share a capacity; `second` is constant from `support` on.
  void join(const double* first, const double* second, std::size_t support, double* sum) const;
  /// Over the replicas of a root, the most per size.
  void set_best_of(std::size_t root);
  void fill_subtree(std::uint32_t root, std::uint32_t replicas, std::size_t room, std::vector<std::uint32_t>& x) const;

  const TrafficGraph* graph_;
  std::vector<std::uint8_t> joined_;
  std::vector<Vertex> vertices_;  // parents first
  std::vector<std::uint32_t> roots_;
  std::vector<App> apps_;
  std::uint32_t largest_ = 0;
  std::vector<std::size_t> support_;        // per vertex: the most that its subtree takes
  std::vector<std::vector<Table>> stages_;  // per vertex: after so many children
  std::vector<Table> offers_;               // per vertex that is no root: by its parent's replicas
  std::vector<Table> trees_;                // per root: by size
  std::vector<Table> forest_;               // after so many roots
  Table within_;                            // scratch of offer()
  Table beyond_;
};

}  // namespace stowage
