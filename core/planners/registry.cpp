// The table of all planners.

#include <algorithm>
#include <vector>

#include "core/planners/families.h"
#include "core/planners/planner.h"

namespace stowage {

std::span<const PlannerInfo> planners() {
  static const std::vector<PlannerInfo> kAll = [] {
    std::vector<PlannerInfo> all;
    const auto add = [&all](std::span<const PlannerInfo> family) { all.insert(all.end(), family.begin(), family.end()); };
#define STOWAGE_ADD_FAMILY(name) add(name());
    STOWAGE_PLANNER_FAMILIES(STOWAGE_ADD_FAMILY)
#undef STOWAGE_ADD_FAMILY
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
