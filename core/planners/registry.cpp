// The table of all planners: one line per family.

#include <algorithm>
#include <vector>

#include "core/planners/auto.h"
#include "core/planners/confidence_fit.h"
#include "core/planners/cutting_stock.h"
#include "core/planners/fit.h"
#include "core/planners/match.h"
#include "core/planners/medea_ilp.h"
#include "core/planners/node_candidates.h"
#include "core/planners/node_centric.h"
#include "core/planners/planner.h"
#include "core/planners/spread.h"
#include "core/planners/tag_greedy.h"
#include "core/planners/tag_search.h"

namespace stowage {

std::span<const PlannerInfo> planners() {
  static const std::vector<PlannerInfo> kAll = [] {
    std::vector<PlannerInfo> all;
    const auto add = [&all](std::span<const PlannerInfo> family) { all.insert(all.end(), family.begin(), family.end()); };
    add(auto_planners());
    add(fit_planners());
    add(node_candidates_planners());
    add(node_centric_planners());
    add(spread_planners());
    add(match_planners());
    add(confidence_fit_planners());
    add(cutting_stock_planners());
    add(tag_greedy_planners());
    add(tag_search_planners());
    add(medea_ilp_planners());
    return all;
  }();
  return kAll;
}

const PlannerInfo* find_planner(std::string_view name) {
  const auto all = planners();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PlannerInfo& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace stowage
