#include "core/colocation/heuristics/dedicated.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
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
  [[nodiscard]] std::uint32_t most_nodes() const { return most_nodes_; }

  Colocation schedule_on(std::uint32_t nodes) {
    part_.problem.nodes = nodes;
    if (what_ == DedicatedSchedule::kMixed) return sched_mixed(part_.problem, how_);
    if (what_ == DedicatedSchedule::kJuxtapose) return sched_juxtapose(part_.problem, how_);
    return best_schedule(part_.problem, how_);
  }
  double cost_on(std::uint32_t nodes) {
    const auto known = cost_.find(nodes);
    if (known != cost_.end() || part_.problem.watch.ended()) return known != cost_.end() ? known->second : 0;
    const Colocation colocation = schedule_on(nodes);
    return cost_.emplace(nodes, cost_of(part_.problem, colocation).worst).first->second;
  }

  // Begins a search for the fewest nodes with a cost below the limit: they are more than too_few() and at most enough().
  // Returns false if even the most nodes cost as much.
  bool seek(double limit) {
    if (!(cost_on(most_nodes_) < limit) || part_.problem.watch.ended()) return false;
    auto first = cost_.begin();
    while (!(first->second < limit)) ++first;
    limit_ = limit;
    enough_ = first->first;
    too_few_ = first == cost_.begin() ? 0 : std::prev(first)->first;
    return true;
  }
  [[nodiscard]] std::uint32_t too_few() const { return too_few_; }
  [[nodiscard]] std::uint32_t enough() const { return enough_; }
  // Tries a number of nodes between the two, if there is one.
  void narrow(bool halve) {
    // Cost times nodes hardly changes where no single replica decides the cost.
    const double guess = cost_on(enough_) / limit_ * enough_;
    std::uint32_t nodes = too_few_ + (enough_ - too_few_) / 2;
    if (!halve && guess < enough_) nodes = std::clamp(static_cast<std::uint32_t>(guess) + 1, too_few_ + 1, enough_ - 1);
    (cost_on(nodes) < limit_ ? enough_ : too_few_) = nodes;
  }

 private:
  ColocationPart part_;
  std::uint32_t most_nodes_;
  DedicatedSchedule what_;
  Subroutine how_;
  std::map<std::uint32_t, double> cost_;
  double limit_ = 0;
  std::uint32_t too_few_ = 0;
  std::uint32_t enough_ = 0;
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
    if (problem_.watch.ended()) return Colocation(problem_.replicas());
    std::vector<std::uint32_t> nodes = by_load();
    double cost = cost_with(nodes);
    double low = 0;  // no division of the nodes costs less
    for (Cluster& cluster : clusters_) low = std::max(low, cluster.cost_on(cluster.most_nodes()));
    // Ends, as each round lowers the cost to another one that a schedule has.
    for (bool halve = false; low < cost && !problem_.watch.ended() && lower(cost, nodes, cost); halve = !halve) {
      // If cost times nodes changed in no cluster, this limit could just be met.
      double sum = 0;
      for (std::size_t k = 0; k < clusters_.size(); ++k) sum += clusters_[k].cost_on(nodes[k]) * nodes[k];
      double limit = sum / problem_.nodes;
      if (halve || limit <= low || limit >= cost) limit = low + (cost - low) / 2;
      if (!lower(limit, nodes, cost)) low = limit;
    }
    return assemble(nodes);
  }

 private:
  // A node each, and the others by load; what is left when they are rounded down goes to the first cluster.
  [[nodiscard]] std::vector<std::uint32_t> by_load() const {
    std::vector<double> load;
    double total = 0;
    for (const Cluster& cluster : clusters_) {
      const std::vector<double>& loads = cluster.part().problem.load;
      load.push_back(std::accumulate(loads.begin(), loads.end(), 0.0));
      total += load.back();
    }
    const auto others = problem_.nodes - static_cast<std::uint32_t>(clusters_.size());
    std::vector<std::uint32_t> nodes(clusters_.size(), 1);
    std::uint32_t left = others;
    for (std::size_t k = 0; k < clusters_.size() && total > 0; ++k) {
      const std::uint32_t share = std::min(left, static_cast<std::uint32_t>(load[k] / total * others));
      nodes[k] += share;
      left -= share;
    }
    nodes[0] += left;
    return nodes;
  }
  double cost_with(const std::vector<std::uint32_t>& nodes) {
    double cost = 0;
    for (std::size_t k = 0; k < clusters_.size(); ++k) cost = std::max(cost, clusters_[k].cost_on(nodes[k]));
    return cost;
  }

  // If every cluster can stay below the limit at once, sets the nodes and the cost and returns true.
  bool lower(double limit, std::vector<std::uint32_t>& nodes, double& cost) {
    for (Cluster& cluster : clusters_) {
      if (!cluster.seek(limit)) return false;
    }
    for (bool halve = false;; halve = !halve) {
      std::uint64_t least = 0;
      std::uint64_t enough = 0;
      Cluster* widest = &clusters_[0];
      for (Cluster& cluster : clusters_) {
        least += cluster.too_few() + 1;
        enough += cluster.enough();
        if (cluster.enough() - cluster.too_few() > widest->enough() - widest->too_few()) widest = &cluster;
      }
      if (least > problem_.nodes) return false;
      if (enough <= problem_.nodes || problem_.watch.ended()) break;
      widest->narrow(halve);
    }
    for (std::size_t k = 0; k < clusters_.size(); ++k) nodes[k] = clusters_[k].enough();
    cost = cost_with(nodes);
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
