#include "core/colocation/heuristics/identical_nodes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

namespace stowage {
namespace {

// Steps of multifit's search: its ratio is 1.22 + 2^-steps.
constexpr int kMultifitSteps = 12;
// Steps of a watch per load that goes to a node.
constexpr std::uint64_t kStepsPerLoad = 16;

struct Node {
  double load;
  std::uint32_t index;
  [[nodiscard]] bool before(const Node& other) const {
    return load < other.load || (load == other.load && index < other.index);
  }
};

// Moves the root of a heap, whose key has grown, to its place.
void sift_down(std::vector<Node>& heap) {
  const std::size_t size = heap.size();
  const Node moved = heap[0];
  std::size_t hole = 0;
  for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && heap[child + 1].before(heap[child])) ++child;
    if (!heap[child].before(moved)) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = moved;
}

// First-fit on nodes of one capacity, through a tree of the least load of ranges of nodes.
class FirstFit {
 public:
  FirstFit(std::uint32_t nodes, WatchRef watch)
      : nodes_(nodes), leaves_(std::bit_ceil(std::size_t{nodes})), least_(2 * leaves_), watch_(watch) {}

  // The node of each load; nothing if a load fits nowhere, or the watch has ended.
  std::optional<std::vector<std::uint32_t>> assign(std::span<const double> load, double capacity) {
    std::fill(least_.begin(), least_.end(), std::numeric_limits<double>::infinity());
    std::fill_n(least_.begin() + static_cast<std::ptrdiff_t>(leaves_), nodes_, 0.0);
    for (std::size_t k = leaves_ - 1; k > 0; --k) least_[k] = std::min(least_[2 * k], least_[2 * k + 1]);
    std::vector<std::uint32_t> node(load.size());
    for (std::size_t i = 0; i < load.size(); ++i) {
      std::size_t k = 1;
      if (!(least_[k] + load[i] <= capacity) || watch_.step(kStepsPerLoad)) return std::nullopt;
      while (k < leaves_) k = 2 * k + (least_[2 * k] + load[i] <= capacity ? 0 : 1);
      node[i] = static_cast<std::uint32_t>(k - leaves_);
      least_[k] += load[i];
      for (k /= 2; k > 0; k /= 2) least_[k] = std::min(least_[2 * k], least_[2 * k + 1]);
    }
    return node;
  }

 private:
  std::uint32_t nodes_;
  std::size_t leaves_;
  std::vector<double> least_;  // [node of the tree], its root at 1
  WatchRef watch_;
};

double greatest_load(std::span<const double> load, const std::vector<std::uint32_t>& node, std::uint32_t nodes) {
  std::vector<double> sum(nodes, 0);
  for (std::size_t i = 0; i < load.size(); ++i) sum[node[i]] += load[i];
  return *std::max_element(sum.begin(), sum.end());
}

}  // namespace

std::vector<std::uint32_t> lpt(std::span<const double> load, std::uint32_t nodes, WatchRef watch) {
  std::vector<Node> heap(nodes);
  for (std::uint32_t k = 0; k < nodes; ++k) heap[k] = {0, k};
  std::vector<std::uint32_t> node(load.size());
  for (std::size_t i = 0; i < load.size() && !watch.step(kStepsPerLoad); ++i) {
    node[i] = heap[0].index;
    heap[0].load += load[i];
    sift_down(heap);
  }
  return node;
}

std::vector<std::uint32_t> multifit(std::span<const double> load, std::uint32_t nodes, WatchRef watch) {
  std::vector<std::uint32_t> best = lpt(load, nodes, watch);
  if (load.empty() || watch.ended()) return best;
  // Below the first capacity the loads cannot fit.
  double low = std::max(load[0], std::accumulate(load.begin(), load.end(), 0.0) / nodes);
  double high = greatest_load(load, best, nodes);
  FirstFit first_fit(nodes, watch);
  for (int step = 0; step < kMultifitSteps && low < high && !watch.step(load.size() + nodes); ++step) {
    const double capacity = low + (high - low) / 2;
    if (std::optional<std::vector<std::uint32_t>> node = first_fit.assign(load, capacity)) {
      best = std::move(*node);
      high = greatest_load(load, best, nodes);
    } else {
      low = capacity;
    }
  }
  return best;
}

}  // namespace stowage
