// Planners that place replica after replica where it costs least in soft placement rules, on busy clusters.
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

/// Which of the nodes that cost the same the fit family takes: the one with the largest measure x sign, or the first one.
struct TagFit {
  ResidualMeasure* measure = nullptr;
  double sign = 1;
};
/// The fit family where some rules are soft, with apps in order.
Error tag_fit(const PlannerInput& input, Plan& plan, const std::vector<AppId>& order, const TagFit& fit);

}  // namespace stowage
