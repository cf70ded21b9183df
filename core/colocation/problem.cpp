#include "core/colocation/problem.h"

#include <algorithm>
#include <numeric>

#include "core/base/watched.h"

namespace stowage {

std::vector<double> ColocationProblem::total_load() const {
  std::vector<double> total(kinds, 0);
  for (std::uint32_t i = 0; i < replicas(); ++i) total[kind[i]] += load[i];
  return total;
}

ColocationProblem colocation_problem(const Instance& instance, std::uint32_t nodes, WatchRef watch) {
  ColocationProblem problem;
  problem.watch = watch;
  problem.nodes = nodes;
  problem.kinds = instance.kinds();
  problem.coefficient = instance.data().interference.coefficient;
  std::vector<AppId> order(instance.apps());
  std::iota(order.begin(), order.end(), AppId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](AppId a, AppId b) { return instance.interfering_load(a) > instance.interfering_load(b); });
  problem.load.reserve(instance.total_replicas());
  problem.kind.reserve(instance.total_replicas());
  problem.app.reserve(instance.total_replicas());
  for (const AppId i : order) {
    for (std::size_t left = instance.replicas(i); left > 0;) {
      const std::size_t piece = std::min(left, kWatchedPiece);
      if (problem.ends(4 * piece)) return problem;
      problem.load.insert(problem.load.end(), piece, instance.interfering_load(i));
      problem.kind.insert(problem.kind.end(), piece, instance.kind(i));
      problem.app.insert(problem.app.end(), piece, i);
      left -= piece;
    }
  }
  return problem;
}

ColocationCost cost_of(const ColocationProblem& problem, const Colocation& colocation) {
  const std::uint32_t kinds = problem.kinds;
  std::vector<double> load(std::size_t{problem.nodes} * kinds, 0);
  std::vector<std::uint32_t> count(load.size(), 0);
  for (std::uint32_t i = 0; i < problem.replicas() && !problem.ends(4); ++i) {
    const std::size_t cell = std::size_t{colocation[i]} * kinds + problem.kind[i];
    load[cell] += problem.load[i];
    ++count[cell];
  }
  ColocationCost sum;
  for (std::size_t first = 0; first < load.size() && !problem.ends(std::uint64_t{kinds} * kinds); first += kinds) {
    for (std::uint32_t t = 0; t < kinds; ++t) {
      if (count[first + t] == 0) continue;
      double cost = 0;
      for (std::uint32_t u = 0; u < kinds; ++u) cost += problem.suffers(t, u) * load[first + u];
      sum.worst = std::max(sum.worst, cost);
      sum.total += count[first + t] * cost;
    }
  }
  return sum;
}

}  // namespace stowage
