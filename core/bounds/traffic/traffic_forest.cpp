#include "core/bounds/traffic/traffic_forest.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
/// Cells of tables that are filled per unit of work.
constexpr std::uint64_t kTableCellsPerUnit = 2048;
/// Places in tables that are tried for a content, per unit of work.
constexpr std::uint64_t kTriedPerUnit = 256;
/// The clock is looked at after so many cells at the latest.
constexpr std::uint64_t kCellsBetweenLooks = std::uint64_t{1} << 20;

}  // namespace

TrafficForest::TrafficForest(const TrafficGraph& graph) : graph_(&graph), joined_(graph.pairs().size(), 0) {
  const auto& pairs = graph.pairs();
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pairs[a].share > pairs[b].share; });
  std::vector<std::uint32_t> up(graph.rows());
  std::iota(up.begin(), up.end(), 0u);
  const auto top = [&](std::uint32_t row) {
    while (up[row] != row) row = up[row] = up[up[row]];
    return row;
  };
  std::vector<std::vector<std::size_t>> pairs_of(graph.rows());
  for (const std::size_t k : order) {
    const std::uint32_t first = top(pairs[k].row);
    const std::uint32_t second = top(pairs[k].peer);
    if (first == second) continue;
    up[first] = second;
    joined_[k] = 1;
    pairs_of[pairs[k].row].push_back(k);
    pairs_of[pairs[k].peer].push_back(k);
  }
  // Tables that are joined once per replica of their vertex are the cheaper, the higher the vertices with many replicas stand.
  std::vector<std::uint32_t> rows(graph.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return graph.replicas(a) > graph.replicas(b); });
  std::vector<std::uint8_t> seen(graph.rows(), 0);
  for (const std::uint32_t row : rows) {
    if (seen[top(row)] != 0) continue;
    seen[top(row)] = 1;
    add_tree(row, pairs_of);
  }
}

void TrafficForest::add_tree(std::uint32_t root, const std::vector<std::vector<std::size_t>>& pairs_of) {
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  roots_.push_back(first);
  vertices_.push_back({root, kNone, 0, {}});
  for (std::uint32_t v = first; v < vertices_.size(); ++v) {
    const std::uint32_t row = vertices_[v].row;
    const std::uint32_t above = vertices_[v].parent == kNone ? kNone : vertices_[vertices_[v].parent].row;
    for (const std::size_t k : pairs_of[row]) {
      const TrafficGraph::Pair& pair = graph_->pairs()[k];
      const std::uint32_t other = pair.row == row ? pair.peer : pair.row;
      if (other == above) continue;
      vertices_[v].children.push_back(static_cast<std::uint32_t>(vertices_.size()));
      vertices_.push_back({other, v, pair.share, {}});
    }
  }
}

std::uint64_t TrafficForest::cells(std::span<const App> apps, std::uint32_t largest) const {
  std::uint64_t rows = 2 * roots_.size() + 1;
  for (const Vertex& vertex : vertices_) {
    rows += (std::uint64_t{apps[vertex.row].most} + 1) * (vertex.children.size() + 1);
    if (vertex.parent != kNone) rows += std::uint64_t{apps[vertices_[vertex.parent].row].most} + 1;
  }
  return rows * (std::uint64_t{largest} + 1);
}

void TrafficForest::set_sizes(std::vector<App> apps, std::uint32_t largest) {
  apps_ = std::move(apps);
  largest_ = largest;
  stages_.resize(vertices_.size());
  offers_.resize(vertices_.size());
  support_.assign(vertices_.size(), 0);
  std::uint32_t most = 0;
  for (std::size_t v = vertices_.size(); v-- > 0;) {
    const Vertex& vertex = vertices_[v];
    const App& one = app(static_cast<std::uint32_t>(v));
    most = std::max(most, one.most);
    std::uint64_t support = std::uint64_t{one.most} * one.size;
    for (const std::uint32_t child : vertex.children) support += support_[child];
    support_[v] = static_cast<std::size_t>(std::min<std::uint64_t>(support, largest));
    stages_[v].assign(vertex.children.size() + 1, Table((std::size_t{one.most} + 1) * width()));
    if (vertex.parent != kNone) offers_[v].resize((std::size_t{app(vertex.parent).most} + 1) * width());
  }
  within_.resize((std::size_t{most} + 1) * width());
  beyond_.resize((std::size_t{most} + 2) * width());
  trees_.assign(roots_.size(), Table(width(), 0.0));
  forest_.assign(roots_.size() + 1, Table(width(), 0.0));
}

std::uint64_t TrafficForest::work() const {
  return cells(apps_, largest_) * width() / kTableCellsPerUnit + 2 * vertices_.size();
}

std::uint32_t TrafficForest::keeps_up(const Vertex& child, std::uint32_t x) const {
  const std::uint64_t of_parent = graph_->replicas(vertices_[child.parent].row);
  const std::uint64_t level = std::uint64_t{x} * graph_->replicas(child.row) / of_parent;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(level, apps_[child.row].most));
}

void TrafficForest::join(const double* first, const double* second, std::size_t support, double* sum) const {
  for (std::size_t q = 0; q < width(); ++q) sum[q] = first[q] + second[0];
  for (std::size_t taken = 1; taken <= support; ++taken) {
    const double value = second[taken];
    // Rows do not fall: room that gains nothing is room for the others.
    if (!(value > second[taken - 1])) continue;
    double* const to = sum + taken;
    const std::size_t end = width() - taken;
    for (std::size_t q = 0; q < end; ++q) to[q] = std::max(to[q], first[q] + value);
  }
}

void TrafficForest::offer(std::uint32_t v) {
  const Vertex& vertex = vertices_[v];
  const Table& table = stages_[v].back();
  const std::size_t rows = std::size_t{app(v).most} + 1;
  const double unit = vertex.share / replicas(v);
  // Over the child's replicas up to each number, which they limit the share by, and over those beyond it.
  for (std::size_t q = 0; q < width(); ++q) beyond_[rows * width() + q] = kImpossible;
  for (std::size_t y = 0; y < rows; ++y) {
    const double gain = unit * static_cast<double>(y);
    for (std::size_t q = y * width(); q < (y + 1) * width(); ++q) {
      const double value = table[q] + gain;
      within_[q] = y == 0 ? value : std::max(within_[q - width()], value);
    }
  }
  for (std::size_t q = rows * width(); q-- > 0;) beyond_[q] = std::max(beyond_[q + width()], table[q]);
  const double parent_unit = vertex.share / replicas(vertex.parent);
  for (std::uint32_t x = 0; x <= app(vertex.parent).most; ++x) {
    const std::size_t level = keeps_up(vertex, x) * width();
    const double gain = parent_unit * x;
    double* const to = offers_[v].data() + x * width();
    for (std::size_t q = 0; q < width(); ++q) to[q] = std::max(within_[level + q], beyond_[level + width() + q] + gain);
  }
}

bool TrafficForest::solve(std::span<const double> prices, WorkClock& clock) {
  for (std::size_t k = vertices_.size(); k-- > 0;) {
    const auto v = static_cast<std::uint32_t>(k);
    const std::size_t size = app(v).size;
    for (std::uint32_t x = 0; x <= app(v).most; ++x) {
      const auto begin = stages_[v].front().begin() + static_cast<std::ptrdiff_t>(x * width());
      const auto taken = static_cast<std::ptrdiff_t>(std::min(width(), x * size));
      std::fill(begin, begin + taken, kImpossible);
      std::fill(begin + taken, begin + static_cast<std::ptrdiff_t>(width()), -prices[vertices_[v].row] * x);
    }
    for (std::size_t j = 0; j < vertices_[v].children.size(); ++j) {
      const std::uint32_t child = vertices_[v].children[j];
      std::uint64_t cells = 0;
      for (std::uint32_t x = 0; x <= app(v).most; ++x) {
        const std::size_t at = x * width();
        join(stages_[v][j].data() + at, offers_[child].data() + at, support_[child], stages_[v][j + 1].data() + at);
        cells += width() * (support_[child] + 1);
        if (cells < kCellsBetweenLooks) continue;
        if (clock.step(cells / kTableCellsPerUnit)) return false;
        cells %= kTableCellsPerUnit;
      }
      if (clock.step(1 + cells / kTableCellsPerUnit)) return false;
    }
    if (vertices_[v].parent == kNone) continue;
    offer(v);
    const std::size_t rows = 3 * std::size_t{app(v).most} + app(vertices_[v].parent).most + 4;
    if (clock.step(1 + rows * width() / kTableCellsPerUnit)) return false;
  }
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    set_best_of(r);
    join(forest_[r].data(), trees_[r].data(), support_[roots_[r]], forest_[r + 1].data());
    if (clock.step(1 + width() * (support_[roots_[r]] + 1) / kTableCellsPerUnit)) return false;
  }
  return true;
}

void TrafficForest::set_best_of(std::size_t root) {
  const std::uint32_t v = roots_[root];
  Table& best = trees_[root];
  const Table& table = stages_[v].back();
  std::copy(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(width()), best.begin());
  for (std::size_t at = width(); at <= app(v).most * width(); at += width()) {
    for (std::size_t q = 0; q < width(); ++q) best[q] = std::max(best[q], table[at + q]);
  }
}

std::uint64_t TrafficForest::work_of_content() const {
  std::uint64_t most = 0;
  for (const App& one : apps_) most += one.most;
  return 1 + (vertices_.size() * width() + most) / kTriedPerUnit;
}

void TrafficForest::content(std::uint32_t capacity, std::vector<std::uint32_t>& x) const {
  x.assign(graph_->rows(), 0);
  std::size_t room = capacity;
  for (std::size_t r = roots_.size(); r-- > 0;) {
    const std::uint32_t root = roots_[r];
    const Table& best = trees_[r];
    // The value is the sum of the same two numbers as in join().
    std::size_t taken = 0;
    while (forest_[r][room - taken] + best[taken] < forest_[r + 1][room]) ++taken;
    std::uint32_t replicas = 0;
    while (stages_[root].back()[replicas * width() + taken] < best[taken]) ++replicas;
    fill_subtree(root, replicas, taken, x);
    room -= taken;
  }
}

void TrafficForest::fill_subtree(std::uint32_t root, std::uint32_t replicas, std::size_t room,
                                 std::vector<std::uint32_t>& x) const {
  struct Part {
    std::uint32_t vertex;
    std::uint32_t replicas;
    std::size_t room;
  };
  std::vector<Part> parts = {{root, replicas, room}};
  while (!parts.empty()) {
    Part part = parts.back();
    parts.pop_back();
    const Vertex& vertex = vertices_[part.vertex];
    x[vertex.row] = part.replicas;
    const std::size_t at = part.replicas * width();
    for (std::size_t j = vertex.children.size(); j-- > 0;) {
      const std::uint32_t child = vertex.children[j];
      const double* const first = stages_[part.vertex][j].data() + at;
      const double* const second = offers_[child].data() + at;
      std::size_t taken = 0;
      while (first[part.room - taken] + second[taken] < stages_[part.vertex][j + 1][at + part.room]) ++taken;
      const std::uint32_t level = keeps_up(vertices_[child], part.replicas);
      const double unit = vertices_[child].share / this->replicas(child);
      const double most = vertices_[child].share / this->replicas(part.vertex) * part.replicas;
      std::uint32_t chosen = 0;
      double best = kImpossible;
      for (std::uint32_t y = 0; y <= app(child).most; ++y) {
        const double value = stages_[child].back()[y * width() + taken] + (y <= level ? unit * y : most);
        if (value > best) {
          best = value;
          chosen = y;
        }
      }
      parts.push_back({child, chosen, taken});
      part.room -= taken;
    }
  }
}

}  // namespace stowage
