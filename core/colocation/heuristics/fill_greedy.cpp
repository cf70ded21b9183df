#include "core/colocation/heuristics/fill_greedy.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "core/colocation/heuristics/kind_clusters.h"

namespace stowage {
namespace {

struct Filling {
  Colocation colocation;
  double most = 0;  // greatest load of a node
};

class FillGreedy {
 public:
  explicit FillGreedy(const ColocationProblem& problem)
      : problem_(problem), parts_(parts_of(problem, kind_clusters(problem))) {}

  Colocation run() {
    if (problem_.replicas() == 0) return {};
    const double total = std::accumulate(problem_.load.begin(), problem_.load.end(), 0.0);
    const auto clusters = static_cast<std::uint32_t>(parts_.size());
    double first = std::numeric_limits<double>::infinity();
    if (problem_.nodes > clusters) {
      const double average = total / (problem_.nodes - clusters);
      first = std::max(2 * average, average + problem_.load[0]);
    }
    std::optional<Filling> best = fill(first);
    // By the proof the nodes suffice, but for the rounding of sums.
    if (!best) best = fill(std::numeric_limits<double>::infinity());
    double low = std::max(problem_.load[0], total / problem_.nodes);
    while (best && low < best->most && !problem_.watch.ended()) {
      double threshold = low + (best->most - low) / 2;
      // Between neighbouring numbers there is none; the upper one would find the same again.
      if (threshold >= best->most) threshold = low;
      if (std::optional<Filling> found = fill(threshold)) {
        best = std::move(found);
      } else {
        low = next_;
      }
    }
    return best ? std::move(best->colocation) : Colocation(problem_.replicas());
  }

 private:
  // Nothing if the nodes do not suffice, or the watch has ended. Sets next_ to the least threshold at which another filling may
  // come out.
  std::optional<Filling> fill(double threshold) {
    Filling filling{Colocation(problem_.replicas()), 0};
    next_ = std::numeric_limits<double>::infinity();
    std::uint32_t opened = 0;
    for (const ColocationPart& part : parts_) {
      double load = 0;
      for (std::size_t i = 0; i < part.replica.size(); ++i) {
        if (problem_.ends(4)) return std::nullopt;
        const double with = load + part.problem.load[i];
        if (i > 0 && with <= threshold) {
          load = with;
        } else {
          if (i > 0) next_ = std::min(next_, with);
          if (opened == problem_.nodes) return std::nullopt;
          ++opened;
          load = part.problem.load[i];
        }
        filling.most = std::max(filling.most, load);
        filling.colocation[part.replica[i]] = opened - 1;
      }
    }
    return filling;
  }

  const ColocationProblem& problem_;
  std::vector<ColocationPart> parts_;
  double next_ = 0;
};

}  // namespace

Colocation fill_greedy(const ColocationProblem& problem) { return FillGreedy(problem).run(); }

}  // namespace stowage
