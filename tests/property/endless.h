// Planners that need a limit on their work.
#pragma once

#include <algorithm>

#include "core/planners/planner.h"

namespace stowage::test {

/// Whether the planner goes on for as long as it may, or as an option says.
inline bool may_go_on(const PlannerInfo& info) {
  return info.default_deadline_ms > 0 ||
         std::any_of(info.options.begin(), info.options.end(), [](const OptionInfo& option) { return option.name == "pace"; });
}

}  // namespace stowage::test
