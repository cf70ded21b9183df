// How a plan leaves the cluster, in the figures that operators watch (P2, sections 2.4 and 7.4).
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// @param peak load and demand of each of the plan's nodes where they are largest over time, resources() entries per node
ClusterMetrics measure_cluster(const Instance& instance, const Plan& plan, const std::vector<double>& peak);

}  // namespace stowage
