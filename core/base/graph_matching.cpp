#include "core/base/graph_matching.h"

#include <algorithm>
#include <numeric>

namespace stowage {
namespace {

// Grows an alternating tree from a free vertex. Odd cycles shrink: their vertices have the same base. A tree without a free
// vertex at an end (a Hungarian tree) takes part in no later search: its vertices never gain by one (Edmonds).
class MatchingSearch {
 public:
  MatchingSearch(const std::vector<std::vector<std::uint32_t>>& neighbours, std::uint64_t steps, WatchRef watch)
      : neighbours_(neighbours),
        steps_left_(steps),
        watch_(watch),
        mate_(size(), kFree),
        parent_(size()),
        base_(size()),
        outer_(size()),
        settled_(size()) {}

  GraphMatching run() {
    GraphMatching result;
    result.pairs = begin();
    std::uint64_t open = 0;  // free vertices from which no search was finished
    for (std::uint32_t root = 0; root < size(); ++root) {
      if (mate_[root] != kFree) continue;
      if (steps_left_ == 0) {
        ++open;
        continue;
      }
      const std::uint32_t end = grow(root);
      if (end != kFree) {
        augment(end);
        ++result.pairs;
      } else if (steps_left_ == 0) {
        ++open;
      }
    }
    // Every further pair would match two of the open vertices, or one of them and one that a search has left free: none of the
    // latter can be matched any more (Edmonds). So it takes at least one open vertex.
    result.most = std::min<std::uint64_t>(result.pairs + open, size() / 2);
    return result;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFFu;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(neighbours_.size()); }

  // Vertices with few neighbours first, each with its free neighbour that has fewest.
  std::uint64_t begin() {
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return neighbours_[a].size() < neighbours_[b].size(); });
    std::uint64_t pairs = 0;
    for (const std::uint32_t v : order) {
      if (mate_[v] != kFree) continue;
      std::uint32_t best = kFree;
      for (const std::uint32_t w : neighbours_[v]) {
        if (mate_[w] == kFree && (best == kFree || neighbours_[w].size() < neighbours_[best].size())) best = w;
      }
      if (best == kFree) continue;
      mate_[v] = best;
      mate_[best] = v;
      ++pairs;
    }
    return pairs;
  }

  // The free vertex at the end of an augmenting path; kFree where there is none, or steps run out.
  std::uint32_t grow(std::uint32_t root) {
    std::fill(outer_.begin(), outer_.end(), std::uint8_t{0});
    std::fill(parent_.begin(), parent_.end(), kFree);
    std::iota(base_.begin(), base_.end(), 0u);
    queue_.assign(1, root);
    outer_[root] = 1;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::uint32_t v = queue_[head];
      for (const std::uint32_t w : neighbours_[v]) {
        if (watch_.step()) steps_left_ = 0;
        if (steps_left_ == 0) return kFree;
        --steps_left_;
        if (settled_[w] != 0 || base_[v] == base_[w] || mate_[v] == w) continue;
        if (w == root || (mate_[w] != kFree && parent_[mate_[w]] != kFree)) {
          shrink(v, w);
        } else if (parent_[w] == kFree) {
          parent_[w] = v;
          if (mate_[w] == kFree) return w;
          outer_[mate_[w]] = 1;
          queue_.push_back(mate_[w]);
        }
      }
    }
    for (std::uint32_t v = 0; v < size(); ++v) settled_[v] |= outer_[v] != 0 || parent_[v] != kFree ? 1 : 0;
    return kFree;
  }

  void shrink(std::uint32_t v, std::uint32_t w) {
    const std::uint32_t top = common_base(v, w);
    in_cycle_.assign(size(), 0);
    mark(v, top, w);
    mark(w, top, v);
    for (std::uint32_t u = 0; u < size(); ++u) {
      if (in_cycle_[base_[u]] == 0) continue;
      base_[u] = top;
      if (outer_[u] != 0) continue;
      outer_[u] = 1;
      queue_.push_back(u);
    }
    steps_left_ -= std::min<std::uint64_t>(steps_left_, size() / 8);
  }
  std::uint32_t common_base(std::uint32_t v, std::uint32_t w) {
    on_path_.assign(size(), 0);
    while (true) {
      v = base_[v];
      on_path_[v] = 1;
      if (mate_[v] == kFree) break;
      v = parent_[mate_[v]];
    }
    while (true) {
      w = base_[w];
      if (on_path_[w] != 0) return w;
      w = parent_[mate_[w]];
    }
  }
  void mark(std::uint32_t v, std::uint32_t top, std::uint32_t child) {
    while (base_[v] != top) {
      in_cycle_[base_[v]] = 1;
      in_cycle_[base_[mate_[v]]] = 1;
      parent_[v] = child;
      child = mate_[v];
      v = parent_[mate_[v]];
    }
  }

  void augment(std::uint32_t end) {
    while (end != kFree) {
      const std::uint32_t before = parent_[end];
      const std::uint32_t next = mate_[before];
      mate_[end] = before;
      mate_[before] = end;
      end = next;
    }
  }

  const std::vector<std::vector<std::uint32_t>>& neighbours_;
  std::uint64_t steps_left_;
  WatchRef watch_;
  std::vector<std::uint32_t> mate_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> base_;
  std::vector<std::uint8_t> outer_;
  std::vector<std::uint8_t> settled_;  // 1 for vertices of trees that end nowhere
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint8_t> in_cycle_;
  std::vector<std::uint8_t> on_path_;
};

}  // namespace

GraphMatching largest_matching(const std::vector<std::vector<std::uint32_t>>& neighbours, std::uint64_t steps, WatchRef watch) {
  return MatchingSearch(neighbours, steps, watch).run();
}

}  // namespace stowage
