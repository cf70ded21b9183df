#include "core/colocation/heuristics/schedules.h"

namespace stowage {

Colocation sched_mixed(const ColocationProblem& problem, Subroutine how) {
  return schedule(how, problem.load, problem.nodes, problem.watch);
}

Colocation sched_juxtapose(const ColocationProblem& problem, Subroutine how) {
  std::vector<std::vector<double>> load(problem.kinds);
  for (std::uint32_t i = 0; i < problem.replicas() && !problem.ends(4); ++i) load[problem.kind[i]].push_back(problem.load[i]);
  std::vector<std::vector<std::uint32_t>> node(problem.kinds);
  bool reversed = false;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if (load[t].empty()) continue;
    node[t] = schedule(how, load[t], problem.nodes, problem.watch);
    if (reversed) {
      for (std::uint32_t& k : node[t]) k = problem.nodes - 1 - k;
    }
    reversed = !reversed;
  }
  Colocation colocation(problem.replicas());
  if (problem.watch.ended()) return colocation;
  std::vector<std::size_t> next(problem.kinds, 0);
  for (std::uint32_t i = 0; i < problem.replicas() && !problem.ends(4); ++i) {
    const std::uint32_t t = problem.kind[i];
    colocation[i] = node[t][next[t]++];
  }
  return colocation;
}

Colocation best_schedule(const ColocationProblem& problem, Subroutine how) {
  Colocation mixed = sched_mixed(problem, how);
  Colocation juxtaposed = sched_juxtapose(problem, how);
  return cost_of(problem, juxtaposed).worst < cost_of(problem, mixed).worst ? juxtaposed : mixed;
}

}  // namespace stowage
