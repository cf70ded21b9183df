#include "core/colocation/heuristics/kind_clusters.h"

#include <algorithm>
#include <limits>

#include "core/base/sort_by.h"

namespace stowage {
namespace {

double between(const ColocationProblem& problem, std::uint32_t t, std::uint32_t u) {
  return std::max(problem.suffers(t, u), problem.suffers(u, t));
}

double between(const ColocationProblem& problem, const std::vector<std::uint32_t>& some,
               const std::vector<std::uint32_t>& others) {
  double most = 0;
  for (const std::uint32_t t : some) {
    for (const std::uint32_t u : others) most = std::max(most, between(problem, t, u));
  }
  return most;
}

void unite_closest(const ColocationProblem& problem, std::vector<std::vector<std::uint32_t>>& clusters) {
  std::size_t first = 0;
  std::size_t second = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < clusters.size(); ++a) {
    for (std::size_t b = a + 1; b < clusters.size(); ++b) {
      const double most = between(problem, clusters[a], clusters[b]);
      if (most >= least) continue;
      least = most;
      first = a;
      second = b;
    }
  }
  clusters[first].insert(clusters[first].end(), clusters[second].begin(), clusters[second].end());
  std::sort(clusters[first].begin(), clusters[first].end());
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
}

}  // namespace

std::vector<std::vector<std::uint32_t>> kind_clusters(const ColocationProblem& problem) {
  std::vector<bool> occurs(problem.kinds, false);
  for (const std::uint32_t t : problem.kind) occurs[t] = true;
  std::vector<std::uint32_t> kinds;
  std::vector<double> suit(problem.kinds, 0);
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if (!occurs[t]) continue;
    kinds.push_back(t);
    for (std::uint32_t u = 0; u < problem.kinds; ++u) {
      if (u != t && occurs[u] && between(problem, t, u) <= 1) ++suit[t];
    }
  }
  sort_by(kinds, suit);
  std::vector<std::vector<std::uint32_t>> clusters;
  for (const std::uint32_t t : kinds) {
    const auto suits = [&](const std::vector<std::uint32_t>& cluster) { return between(problem, {t}, cluster) <= 1; };
    const auto found = std::find_if(clusters.begin(), clusters.end(), suits);
    if (found == clusters.end()) {
      clusters.push_back({t});
    } else {
      found->push_back(t);
    }
  }
  for (std::vector<std::uint32_t>& cluster : clusters) std::sort(cluster.begin(), cluster.end());
  std::sort(clusters.begin(), clusters.end());
  while (clusters.size() > problem.nodes) unite_closest(problem, clusters);
  return clusters;
}

std::vector<ColocationPart> parts_of(const ColocationProblem& problem,
                                     const std::vector<std::vector<std::uint32_t>>& clusters) {
  std::vector<ColocationPart> parts(clusters.size());
  std::vector<std::size_t> part_of(problem.kinds, 0);
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    parts[k].problem.nodes = problem.nodes;
    parts[k].problem.kinds = problem.kinds;
    parts[k].problem.coefficient = problem.coefficient;
    parts[k].problem.watch = problem.watch;
    for (const std::uint32_t t : clusters[k]) part_of[t] = k;
  }
  for (std::uint32_t i = 0; i < problem.replicas() && !problem.ends(16); ++i) {
    ColocationPart& part = parts[part_of[problem.kind[i]]];
    part.problem.load.push_back(problem.load[i]);
    part.problem.kind.push_back(problem.kind[i]);
    part.problem.app.push_back(problem.app[i]);
    part.replica.push_back(i);
  }
  return parts;
}

}  // namespace stowage
