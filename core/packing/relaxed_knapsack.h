#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/packing/packing_problem.h"

namespace stowage {

/// What resources of a node are worth where fractions of replicas count: the duals of
///   maximize sum_i worth_i z_i   subject to  demand z <= capacity in every resource,  0 <= z_i <= at_most_i.
/// Whatever the numbers, if they are at least 0, no content is worth more than their sum plus what items are worth beyond their
/// price.
/// @return per resource, at least 0: the price of all of a node's capacity
std::vector<double> relaxed_prices(const PackingProblem& problem, std::span<const double> worth,
                                   std::span<const std::uint32_t> at_most);

}  // namespace stowage
