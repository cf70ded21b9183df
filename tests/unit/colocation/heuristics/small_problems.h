// Small colocation problems and what is best for them, by trying everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/colocation/problem.h"

namespace stowage::test {

/// A problem of the given replicas, sorted by load; apps are numbered in the given order.
inline ColocationProblem colocation_of(std::uint32_t nodes, std::vector<double> coefficient, std::vector<double> load,
                                       std::vector<std::uint32_t> kind) {
  ColocationProblem problem;
  problem.nodes = nodes;
  for (problem.kinds = 1; std::size_t{problem.kinds} * problem.kinds < coefficient.size();) ++problem.kinds;
  problem.coefficient = std::move(coefficient);
  std::vector<AppId> order(load.size());
  std::iota(order.begin(), order.end(), AppId{0});
  std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return load[a] > load[b]; });
  for (const AppId i : order) {
    problem.load.push_back(load[i]);
    problem.kind.push_back(kind[i]);
    problem.app.push_back(i);
  }
  return problem;
}

/// How the coefficients between kinds are drawn. kWild: from 0 to 3, also those of a kind with itself.
enum class Manner : std::uint8_t { kCompatible, kIncompatible, kClashing, kMixed, kWild };

inline ColocationProblem small_colocation(stowage::Random& random, std::uint32_t replicas, std::uint32_t nodes,
                                          std::uint32_t kinds, Manner manner) {
  std::vector<double> coefficient;
  for (std::uint32_t t = 0; t < kinds; ++t) {
    for (std::uint32_t u = 0; u < kinds; ++u) {
      double value = t == u ? 1 : random.share();
      if (t != u && manner == Manner::kIncompatible) value += 1;
      if (t != u && manner == Manner::kClashing) value += 2;
      if (t != u && manner == Manner::kMixed && t % 2 != u % 2) value += 1;
      if (manner == Manner::kWild) value = random.below(4) == 0 && t != u ? 0 : 0.1 + 2.9 * random.share();
      coefficient.push_back(value);
    }
  }
  std::vector<double> load;
  std::vector<std::uint32_t> kind;
  for (std::uint32_t i = 0; i < replicas; ++i) {
    load.push_back(random.below(8) == 0 ? 10 + 30 * random.share() : 1 + 9 * random.share());
    kind.push_back(random.below(kinds));
  }
  return colocation_of(nodes, std::move(coefficient), std::move(load), std::move(kind));
}

/// The least possible cost of the worst-off replica. For up to some ten replicas.
inline double least_worst_cost(const ColocationProblem& problem) {
  double best = std::numeric_limits<double>::infinity();
  Colocation colocation(problem.replicas(), 0);
  const std::function<void(std::uint32_t, std::uint32_t)> assign = [&](std::uint32_t i, std::uint32_t used) {
    if (i == problem.replicas()) {
      best = std::min(best, cost_of(problem, colocation).worst);
      return;
    }
    for (std::uint32_t k = 0; k < std::min(used + 1, problem.nodes); ++k) {
      colocation[i] = k;
      assign(i + 1, std::max(used, k + 1));
    }
  };
  assign(0, 0);
  return best;
}

}  // namespace stowage::test
