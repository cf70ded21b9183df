#include "capi/lab/devices/online.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace stowage::cli::devices {
namespace {

struct Node {
  const NodeModel* model;
  std::uint32_t cores;              // free
  std::vector<std::uint32_t> free;  // per GPU
};

constexpr double kNowhere = std::numeric_limits<double>::infinity();

std::uint32_t whole_free(const Node& node) {
  return static_cast<std::uint32_t>(std::count(node.free.begin(), node.free.end(), kGpu));
}

bool hosts(const Node& node, const Shape& shape) {
  if (node.cores < shape.cores) return false;
  if (shape.gpu == 0) return true;
  if (shape.gpu >= kGpu) return whole_free(node) >= shape.gpu / kGpu;
  return *std::max_element(node.free.begin(), node.free.end()) >= shape.gpu;
}

/// Where the shape can go on a node: one entry per GPU that differs, or one for whole GPUs and none.
std::vector<std::size_t> seats(const Node& node, const Shape& shape) {
  if (!hosts(node, shape)) return {};
  if (shape.gpu == 0 || shape.gpu >= kGpu) return {0};
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < node.free.size(); ++k) {
    const auto first = node.free.begin();
    const bool seen =
        std::find(first, first + static_cast<std::ptrdiff_t>(k), node.free[k]) != first + static_cast<std::ptrdiff_t>(k);
    if (node.free[k] >= shape.gpu && !seen) result.push_back(k);
  }
  return result;
}

void take(Node& node, const Shape& shape, std::size_t seat) {
  node.cores -= shape.cores;
  if (shape.gpu < kGpu) {
    node.free[seat] -= shape.gpu;
    return;
  }
  std::uint32_t left = shape.gpu / kGpu;
  for (std::uint32_t& gpu : node.free) {
    if (left == 0 || gpu < kGpu) continue;
    gpu = 0;
    --left;
  }
}

class Online {
 public:
  Online(const Trace& trace, const OnlineOptions& options) : options_(options), shapes_(trace.shapes), real_(trace.shapes) {
    for (Shape& shape : shapes_) {
      if (shape.gpu < kGpu) shape.gpu = std::min(kGpu, (shape.gpu + options.quantum - 1) / options.quantum * options.quantum);
    }
    for (const NodeModel& model : trace.models) {
      nodes_.insert(nodes_.end(), model.count, {&model, model.cores, std::vector<std::uint32_t>(model.gpus, kGpu)});
    }
    popularity_.assign(shapes_.size(), 0);
    for (const std::uint32_t task : trace.tasks) popularity_[task] += 1.0 / static_cast<double>(trace.tasks.size());
    score_.resize(shapes_.size() * nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      // Nodes of a model are equal at the start.
      if (n > 0 && nodes_[n].model == nodes_[n - 1].model) {
        for (std::size_t s = 0; s < shapes_.size(); ++s) score(s, n) = score(s, n - 1);
      } else {
        look_at(n);
      }
    }
  }

  std::uint64_t run(std::vector<std::uint32_t> tasks) {
    if (options_.decreasing) {
      std::stable_sort(tasks.begin(), tasks.end(), [&](std::uint32_t a, std::uint32_t b) {
        return shapes_[a].gpu != shapes_[b].gpu ? shapes_[a].gpu > shapes_[b].gpu : shapes_[a].cores > shapes_[b].cores;
      });
    }
    std::uint64_t placed = 0;
    for (const std::uint32_t task : tasks) {
      const auto first = score_.begin() + static_cast<std::ptrdiff_t>(task * nodes_.size());
      const auto best = std::min_element(first, first + static_cast<std::ptrdiff_t>(nodes_.size()));
      if (*best == kNowhere) continue;
      const auto n = static_cast<std::size_t>(best - first);
      take(nodes_[n], shapes_[task], best_seat(nodes_[n], shapes_[task]).seat);
      placed += real_[task].gpu;
      look_at(n);
    }
    return placed;
  }

 private:
  struct Choice {
    double score = kNowhere;
    std::size_t seat = 0;
  };

  double& score(std::size_t shape, std::size_t node) { return score_[shape * nodes_.size() + node]; }

  void look_at(std::size_t n) {
    for (std::size_t s = 0; s < shapes_.size(); ++s) score(s, n) = best_seat(nodes_[n], shapes_[s]).score;
  }

  [[nodiscard]] Choice best_seat(const Node& node, const Shape& shape) const {
    Choice best;
    const double before = options_.rule == Rule::kFragments ? fragments(node) : 0;
    for (const std::size_t seat : seats(node, shape)) {
      Node after = node;
      take(after, shape, seat);
      // Of equally good nodes the first, of GPUs the fullest.
      const double tightness = 1e-9 * after.free[seat];
      const double value = (options_.rule == Rule::kFragments ? fragments(after) - before : free_share(after)) + tightness;
      if (value < best.score) best = {value, seat};
    }
    return best;
  }

  static double free_share(const Node& node) {
    double gpu = 0;
    for (const std::uint32_t free : node.free) gpu += free;
    // As shares of the largest node, as the Kubernetes plugin of best fit does.
    return gpu / (8.0 * kGpu) + node.cores / 128.0;
  }

  /// The expected free GPU that a task of the trace cannot use (Weng et al., section 4).
  [[nodiscard]] double fragments(const Node& node) const {
    double all = 0;
    for (const std::uint32_t free : node.free) all += free;
    if (all == 0) return 0;
    double sum = 0;
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      const Shape& shape = shapes_[s];
      if (shape.gpu == 0 || !hosts(node, shape)) {
        sum += popularity_[s] * all;
        continue;
      }
      const std::uint32_t least = std::min(shape.gpu, kGpu);
      for (const std::uint32_t free : node.free) sum += free < least ? popularity_[s] * free : 0;
    }
    return sum;
  }

  OnlineOptions options_;
  std::vector<Shape> shapes_;
  std::vector<Shape> real_;  // before rounding
  std::vector<Node> nodes_;
  std::vector<double> popularity_;  // per shape
  std::vector<double> score_;       // per shape and node: of the best seat, to be small
};

}  // namespace

std::uint64_t place_online(const Trace& trace, const OnlineOptions& options) { return Online(trace, options).run(trace.tasks); }

bool gpus_suffice(std::vector<std::uint32_t> parts, std::uint32_t gpus) {
  std::sort(parts.begin(), parts.end(), std::greater<>());
  std::vector<std::uint32_t> free(gpus, kGpu);
  const std::function<bool(std::size_t)> place = [&](std::size_t next) {
    if (next == parts.size()) return true;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const auto before = free.begin() + static_cast<std::ptrdiff_t>(k);
      if (free[k] < parts[next] || std::find(free.begin(), before, free[k]) != before) continue;
      free[k] -= parts[next];
      const bool placed = place(next + 1);
      free[k] += parts[next];
      if (placed) return true;
    }
    return false;
  };
  return place(0);
}

}  // namespace stowage::cli::devices
