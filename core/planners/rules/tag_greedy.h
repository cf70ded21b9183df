// Planners that place one replica at a time where it adds least to the violations of soft placement rules.
#pragma once

#include <span>
#include <vector>

#include "core/measures/residual.h"
#include "core/planners/planner.h"

namespace stowage {

/// serial, j-kube, j-kube++, yarn.
std::span<const PlannerInfo> tag_greedy_planners();

/// medea-tp and medea-nc where the instance has placement rules.
Error tag_popularity(const PlannerInput& input, Plan& plan);
Error tag_node_candidates(const PlannerInput& input, Plan& plan);

/// How the fit family chooses among nodes of equal cost: the largest measure x sign, or without a measure the first node.
struct TagFit {
  ResidualMeasure* measure = nullptr;
  double sign = 1;
};
/// The fit family for instances with soft rules; places the apps in this order.
Error tag_fit(const PlannerInput& input, Plan& plan, const std::vector<AppId>& order, const TagFit& fit);

}  // namespace stowage
