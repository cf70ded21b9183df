// P4's PTAS (section 4.1, algorithm 1), corrected.
#pragma once

#include <cstdint>

#include "core/colocation/problem.h"
#include "core/run/work_clock.h"

namespace stowage {

struct PtasOptions {
  /// k: the result costs at most 1 + 1/k times the least possible. At least 1.
  std::uint32_t precision = 1;
  /// Configurations of a node looked at; beyond, there are too many.
  std::uint64_t most_configurations = 1'000'000;
};

enum class PtasAnswer : std::uint8_t { kFound, kImpossible, kTooMany, kStopped };

/// Finds a colocation whose worst-off replica costs at most (1 + 1/k) C, or proves that there is none that costs at most C.
///
/// With q = ceil(gamma k), replicas of a load of C/q or more are long, the others short. Lengths are rounded down to multiples
/// of C/q^2. A configuration is a set S of kinds and numbers of long replicas and of containers of C/q of these kinds, such
/// that every kind of S suffers at most C from them. The short load of a node, rounded down to containers, and a container more
/// per kind of S hold its short replicas: m configurations that hold the long replicas, and as many containers per kind as the
/// short load fills, exist wherever a colocation of cost C exists. Replacing containers by short replicas adds at most 2 C/q of
/// a kind of S to a node, the free container and what exceeds the last one. A kind u of S has at most q / alpha_uu long
/// replicas there, which rounding has made shorter by C/q^2 each. Kind t thus suffers at most C + C/q sum over u of alpha_tu (2
/// + 1/alpha_uu), and gamma is the greatest such sum. It is at most P4's T alpha_max (2 + 1/min alpha_uu).
///
/// As printed, the algorithm puts the free containers on every node, also where nothing else of their kind is. That kind then
/// may suffer any cost: proposition 3 does not hold. The constraint for every kind of S mends it.
///
/// @param limit C, above 0
/// @param found filled if the answer is kFound
/// @pre every kind that occurs suffers from itself
[[nodiscard]] PtasAnswer ptas_within(const ColocationProblem& problem, double limit, const PtasOptions& options,
                                     WorkClock& clock, Colocation& found);

struct PtasResult {
  PtasAnswer answer = PtasAnswer::kFound;  ///< kTooMany and kStopped: what was found until then, without the ratio
  Colocation colocation;
  double cost = 0;   ///< of the worst-off replica
  double bound = 0;  ///< no colocation costs less, but for rounding
};

/// A search by halves for the least cost limit, from `start`. It ends as soon as the best colocation costs at most 1 + 1/k
/// times what is proven necessary, or when the costs still possible differ by less than a part in a billion.
/// @param start any colocation, such as that of a heuristic
/// @pre every kind that occurs suffers from itself
[[nodiscard]] PtasResult mse_ptas(const ColocationProblem& problem, Colocation start, const PtasOptions& options,
                                  WorkClock& clock);

/// Whether every kind that occurs suffers from itself, without which the lengths cannot be rounded.
[[nodiscard]] bool suits_ptas(const ColocationProblem& problem);

}  // namespace stowage
