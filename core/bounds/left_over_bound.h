// A lower bound on what any plan of a request leaves over, where nodes are too few for everything.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/objective.h"
#include "core/run/request.h"

namespace stowage {

struct Supply;

/// No plan of the request leaves less over than `fewest`, by the order of LeftOver.
struct LeftOverBound {
  LeftOver fewest;
  /// Price of a scaled unit per dimension, dims() entries, such that all nodes together are worth about 1: what leaves least
  /// over of the highest priority that has to wait are the replicas that cost least. Empty where no resource is short.
  std::vector<double> price;
  /// Replicas to place, per app: a mix of what prices on both sides of these let be placed, rounded down, so that no single
  /// resource is used up first. None of lower priorities. Empty where `price` is.
  std::vector<std::uint32_t> mix;
};

LeftOverBound left_over_bound(const Instance& instance, const Supply& supply, const Request& request);

}  // namespace stowage
