// Problems of the side-effects model, and the best assignments of tiny ones by trying all.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/colocation/problem.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

/// P4's classes of coefficients between different kinds: below 1, from 1 to 2, above 2, and two clusters of kinds, compatible
/// between them and incompatible within.
enum class Coefficients : std::uint8_t { kCompatible, kIncompatible, kClashing, kMixed };
inline constexpr std::array<Coefficients, 4> kAllCoefficients = {Coefficients::kCompatible, Coefficients::kIncompatible,
                                                                 Coefficients::kClashing, Coefficients::kMixed};

/// Coefficients of a class for these kinds: 1 of each kind on itself.
inline std::vector<double> coefficients_of(Random& random, Coefficients shape, std::uint32_t kinds) {
  std::vector<double> coefficient(std::size_t{kinds} * kinds, 1);
  for (std::uint32_t t = 0; t < kinds; ++t) {
    for (std::uint32_t u = 0; u < kinds; ++u) {
      const double share = random.share();
      double& value = coefficient[std::size_t{t} * kinds + u];
      if (t == u) continue;
      const bool together = shape == Coefficients::kCompatible || (shape == Coefficients::kMixed && t % 2 != u % 2);
      value = together ? share : shape == Coefficients::kClashing ? 2 + 2 * share : 1 + share;
    }
  }
  return coefficient;
}

/// Sorts replicas by load, largest first, as ColocationProblem wants them.
inline void set_replicas(ColocationProblem& problem, std::vector<std::pair<double, std::uint32_t>> replicas) {
  std::stable_sort(replicas.begin(), replicas.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [load, kind] : replicas) {
    problem.app.push_back(problem.replicas());
    problem.load.push_back(load);
    problem.kind.push_back(kind);
  }
}

/// A problem of P4's design: loads are lognormal with sigma 1.6, within .004 to 40 times the median.
inline ColocationProblem design_problem(Random& random, Coefficients shape, std::uint32_t kinds, std::uint32_t replicas,
                                        std::uint32_t nodes) {
  ColocationProblem problem;
  problem.nodes = nodes;
  problem.kinds = kinds;
  problem.coefficient = coefficients_of(random, shape, kinds);
  std::vector<std::pair<double, std::uint32_t>> drawn;
  while (drawn.size() < replicas) {
    // Box and Muller.
    const double radius = std::sqrt(-2 * std::log(1 - random.share()));
    const double load = std::exp(1.6 * radius * std::cos(2 * 3.14159265358979323846 * random.share()));
    if (load >= .004 && load <= 40) drawn.emplace_back(load, random.below(kinds));
  }
  set_replicas(problem, std::move(drawn));
  return problem;
}

/// A problem for trying all assignments: 2 to 4 kinds, up to `most` replicas, up to 3 nodes. Some have loads that are whole
/// numbers, equal or 0, coefficients other than 1 on the diagonal, coefficients 0, or numbers of another magnitude.
inline ColocationProblem tiny_problem(Random& random, std::uint32_t most) {
  // One by one: the order of arguments is the compiler's.
  const Coefficients coefficients = kAllCoefficients[random.below(4)];
  const std::uint32_t kind_count = random.between(2, 4);
  const std::uint32_t replica_count = random.between(1, most);
  ColocationProblem problem = design_problem(random, coefficients, kind_count, replica_count, random.between(2, 3));
  const std::uint32_t kinds = problem.kinds;
  if (random.chance(.3))
    for (std::uint32_t t = 0; t < kinds; ++t) problem.coefficient[std::size_t{t} * (kinds + 1)] = 3 * random.share();
  if (random.chance(.3))
    for (double& value : problem.coefficient) value = random.chance(.25) ? 0 : value;
  std::vector<std::pair<double, std::uint32_t>> replicas;
  const bool whole = random.chance(.4);
  const double magnitude = random.chance(.1) ? 1e100 : random.chance(.1) ? 1e-100 : 1;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    const double load = whole ? random.below(7) : random.chance(.05) ? 0 : problem.load[i];
    replicas.emplace_back(load * magnitude, problem.kind[i]);
  }
  problem.load.clear();
  problem.kind.clear();
  problem.app.clear();
  set_replicas(problem, std::move(replicas));
  return problem;
}

/// The least cost of the worst-off replica and the least sum of costs, of all assignments; perhaps of different ones.
inline ColocationCost least_costs(const ColocationProblem& problem) {
  ColocationCost least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Colocation colocation(problem.replicas(), 0);
  // Nodes are equal: a replica goes to a node of the earlier ones or to the next.
  const auto place = [&](const auto& self, std::uint32_t i, std::uint32_t used) -> void {
    if (i == problem.replicas()) {
      const ColocationCost cost = cost_of(problem, colocation);
      least.worst = std::min(least.worst, cost.worst);
      least.total = std::min(least.total, cost.total);
      return;
    }
    for (std::uint32_t node = 0; node < std::min(used + 1, problem.nodes); ++node) {
      colocation[i] = node;
      self(self, i + 1, std::max(used, node + 1));
    }
  };
  place(place, 0, 0);
  return least;
}

}  // namespace stowage::test
