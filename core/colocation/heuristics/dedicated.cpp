#include "core/colocation/heuristics/dedicated.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/colocation/heuristics/kind_clusters.h"
#include "core/colocation/heuristics/schedules.h"

namespace stowage {
namespace {

// A cluster, and what its schedule costs on the numbers of nodes tried so far.
class Cluster {
 public:
  Cluster(ColocationPart part, std::uint32_t most_nodes, DedicatedSchedule what, Subroutine how)
      : part_(std::move(part)), most_nodes_(most_nodes), what_(what), how_(how) {
    const std::vector<std::uint32_t>& kind = part_.problem.kind;
    // All schedules of one kind are the same.
    if (std::adjacent_find(kind.begin(), kind.end(), std::not_equal_to<>()) == kind.end()) what_ = DedicatedSchedule::kMixed;
  }
  [[nodiscard]] const ColocationPart& part() const { return part_; }

  Colocation schedule_on(std::uint32_t nodes) {
    part_.problem.nodes = nodes;
    if (what_ == DedicatedSchedule::kMixed) return sched_mixed(part_.problem, how_);
    if (what_ == DedicatedSchedule::kJuxtapose) return sched_juxtapose(part_.problem, how_);
    return best_schedule(part_.problem, how_);
  }
  double cost_on(std::uint32_t nodes) {
    const auto known = cost_.find(nodes);
    if (known != cost_.end()) return known->second;
    const Colocation colocation = schedule_on(nodes);
    return cost_.emplace(nodes, cost_of(part_.problem, colocation).worst).first->second;
  }

  // The fewest nodes with a cost below the limit, as a search by halves finds them; nothing if there are none.
  std::optional<std::uint32_t> fewest_below(double limit) {
    if (!(cost_on(most_nodes_) < limit)) return std::nullopt;
    auto first = cost_.begin();
    while (!(first->second < limit)) ++first;
    std::uint32_t enough = first->first;
    std::uint32_t too_few = first == cost_.begin() ? 0 : std::prev(first)->first;
    for (bool halve = false; too_few + 1 < enough; halve = !halve) {
      // Cost times nodes hardly changes where no single replica decides the cost.
      const double guess = cost_on(enough) / limit * enough;
      std::uint32_t nodes = too_few + (enough - too_few) / 2;
      if (!halve && guess < enough) nodes = std::max(too_few + 1, std::min(enough - 1, static_cast<std::uint32_t>(guess) + 1));
      (cost_on(nodes) < limit ? enough : too_few) = nodes;
    }
    return enough;
  }

 private:
  ColocationPart part_;
  std::uint32_t most_nodes_;
  DedicatedSchedule what_;
  Subroutine how_;
  std::map<std::uint32_t, double> cost_;
};

class GreedyDedicated {
 public:
  GreedyDedicated(const ColocationProblem& problem, DedicatedSchedule what, Subroutine how) : problem_(problem) {
    std::vector<ColocationPart> parts = parts_of(problem, kind_clusters(problem));
    const auto most = static_cast<std::uint32_t>(problem.nodes - parts.size() + 1);
    clusters_.reserve(parts.size());
    for (ColocationPart& part : parts) clusters_.emplace_back(std::move(part), most, what, how);
  }

  Colocation run() {
    if (clusters_.empty()) return {};
    double low = 0;
    // One node each is always possible.
    std::vector<std::uint32_t> nodes(clusters_.size(), 1);
    double cost = 0;
    for (Cluster& cluster : clusters_) {
      low = std::max(low, cluster.cost_on(problem_.nodes - static_cast<std::uint32_t>(clusters_.size()) + 1));
      cost = std::max(cost, cluster.cost_on(1));
    }
    // Ends, as each round lowers the cost to another one that a schedule has.
    while (lower(cost, nodes, cost)) {
      const double middle = low + (cost - low) / 2;
      if (!lower(middle, nodes, cost)) low = middle;
    }
    return assemble(nodes);
  }

 private:
  // If every cluster can stay below the limit at once, sets the nodes and the cost and returns true.
  bool lower(double limit, std::vector<std::uint32_t>& nodes, double& cost) {
    std::vector<std::uint32_t> fewest(clusters_.size());
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < clusters_.size(); ++k) {
      const std::optional<std::uint32_t> found = clusters_[k].fewest_below(limit);
      if (!found) return false;
      fewest[k] = *found;
      sum += *found;
      if (sum > problem_.nodes) return false;
    }
    cost = 0;
    for (std::size_t k = 0; k < clusters_.size(); ++k) cost = std::max(cost, clusters_[k].cost_on(fewest[k]));
    nodes = std::move(fewest);
    return true;
  }

  Colocation assemble(const std::vector<std::uint32_t>& nodes) {
    Colocation colocation(problem_.replicas());
    std::uint32_t first = 0;
    for (std::size_t k = 0; k < clusters_.size(); ++k) {
      const Colocation part = clusters_[k].schedule_on(nodes[k]);
      const std::vector<std::uint32_t>& replica = clusters_[k].part().replica;
      for (std::size_t i = 0; i < part.size(); ++i) colocation[replica[i]] = first + part[i];
      first += nodes[k];
    }
    return colocation;
  }

  const ColocationProblem& problem_;
  std::vector<Cluster> clusters_;
};

}  // namespace

Colocation greedy_dedicated(const ColocationProblem& problem, DedicatedSchedule what, Subroutine how) {
  return GreedyDedicated(problem, what, how).run();
}

}  // namespace stowage
