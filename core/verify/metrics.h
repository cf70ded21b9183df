// Metrics of the planned cluster that operators watch: fragmentation and imbalance (P2, sections 2.4 and 7.4).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// @param peak resources() entries per node of the plan: load and demand in the node's fullest period
/// @param watch ends the measuring: the result is incomplete, and nobody uses it
ClusterMetrics measure_cluster(const Instance& instance, const Plan& plan, const std::vector<double>& peak,
                               WatchRef watch = {});

}  // namespace stowage
