#include <limits>

#include "core/colocation/heuristics/schedules.h"

namespace stowage {
namespace {

// For one kind, the nodes with replicas, by a lower limit on what the worst-off replica of each would cost beside another
// replica of that kind.
//
// The limit of a node is what it would have cost when it was last looked at, with the load of that time. Replicas come by
// falling loads and nothing is ever removed, so that the cost falls by at most `slope` times the fall of the load. The keys
// leave out that fall, since it is the same for all.
class CostHeap {
 public:
  struct Entry {
    double key;
    std::uint32_t node;
    [[nodiscard]] bool before(const Entry& other) const { return key < other.key || (key == other.key && node < other.node); }
  };
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const Entry& top() const { return entries_[0]; }
  void push(Entry entry) {
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    for (; hole > 0 && entry.before(entries_[(hole - 1) / 2]); hole = (hole - 1) / 2) entries_[hole] = entries_[(hole - 1) / 2];
    entries_[hole] = entry;
  }
  // Gives the first entry another key, no less than its own.
  void raise(double key) {
    const Entry raised{key, entries_[0].node};
    const std::size_t size = entries_.size();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && entries_[child + 1].before(entries_[child])) ++child;
      if (!entries_[child].before(raised)) break;
      entries_[hole] = entries_[child];
      hole = child;
    }
    entries_[hole] = raised;
  }

 private:
  std::vector<Entry> entries_;
};

class LeastCost {
  static constexpr std::uint64_t kStepsPerKind = 8;

 public:
  explicit LeastCost(const ColocationProblem& problem)
      : problem_(problem),
        cost_(std::size_t{problem.nodes} * problem.kinds, 0),
        present_(cost_.size(), -std::numeric_limits<double>::infinity()),
        by_causing_(problem.coefficient.size()),
        slope_(problem.kinds, 0),
        heaps_(problem.kinds) {
    for (std::uint32_t t = 0; t < problem.kinds; ++t) {
      for (std::uint32_t u = 0; u < problem.kinds; ++u) {
        by_causing_[std::size_t{u} * problem.kinds + t] = problem.suffers(t, u);
        slope_[u] = std::max(slope_[u], problem.suffers(t, u));
      }
    }
  }

  Colocation run() {
    Colocation colocation(problem_.replicas());
    for (std::uint32_t i = 0; i < problem_.replicas() && !problem_.ends(kStepsPerKind * problem_.kinds); ++i) {
      colocation[i] = best_node(problem_.kind[i], problem_.load[i]);
      place(problem_.kind[i], problem_.load[i], colocation[i]);
    }
    return colocation;
  }

 private:
  // What the worst-off replica of a node would cost beside another one of kind t.
  [[nodiscard]] double cost_with(std::uint32_t t, double load, std::uint32_t node) const {
    const double* present = &present_[std::size_t{node} * problem_.kinds];
    const double* causing = &by_causing_[std::size_t{t} * problem_.kinds];
    double worst = cost_[std::size_t{node} * problem_.kinds + t] + causing[t] * load;
    for (std::uint32_t u = 0; u < problem_.kinds; ++u) worst = std::max(worst, present[u] + causing[u] * load);
    return worst;
  }

  std::uint32_t best_node(std::uint32_t t, double load) {
    CostHeap& heap = heaps_[t];
    const double fall = slope_[t] * (problem_.load[0] - load);
    const double alone = opened_ < problem_.nodes ? problem_.suffers(t, t) * load : std::numeric_limits<double>::infinity();
    while (!heap.empty() && !problem_.ends(kStepsPerKind * problem_.kinds)) {
      if (heap.top().key - fall > alone) return opened_;
      const std::uint32_t node = heap.top().node;
      const double cost = cost_with(t, load, node);
      heap.raise(std::max(heap.top().key, cost + fall));
      // Without the tolerance, this takes two to four times as long, and costs are no lower in the end.
      if (cost * (1 - kLeastCostTolerance) <= heap.top().key - fall) return cost > alone ? opened_ : node;
    }
    return problem_.watch.ended() ? 0 : opened_;
  }

  void place(std::uint32_t t, double load, std::uint32_t node) {
    const std::size_t first = std::size_t{node} * problem_.kinds;
    for (std::uint32_t u = 0; u < problem_.kinds; ++u) {
      cost_[first + u] += by_causing_[std::size_t{t} * problem_.kinds + u] * load;
      if (present_[first + u] >= 0) present_[first + u] = cost_[first + u];
    }
    present_[first + t] = cost_[first + t];
    if (node < opened_) return;
    ++opened_;
    for (std::uint32_t u = 0; u < problem_.kinds; ++u) {
      heaps_[u].push({cost_with(u, load, node) + slope_[u] * (problem_.load[0] - load), node});
    }
  }

  const ColocationProblem& problem_;
  std::vector<double> cost_;        // [node][kind]: what a replica of the kind suffers there
  std::vector<double> present_;     // the same where the node has such a replica, else minus infinity
  std::vector<double> by_causing_;  // [u][t]: what a replica of kind t suffers from a load of 1 of kind u
  std::vector<double> slope_;       // [u]: the greatest of these
  std::vector<CostHeap> heaps_;     // [kind]
  std::uint32_t opened_ = 0;        // nodes with replicas are those below
};

}  // namespace

Colocation least_cost_lpt(const ColocationProblem& problem) { return LeastCost(problem).run(); }

}  // namespace stowage
