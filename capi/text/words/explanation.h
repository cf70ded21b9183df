// An explanation of a plan in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capi/text/base/table.h"
#include "capi/text/formats/names.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::cli {

/// Calls visit(rule, other) for every rule that gives way to another.
template <class Visit>
void for_each_overridden(const wire::Explanation& explanation, Visit&& visit) {
  if (explanation.overridden() == nullptr || explanation.overridden_by() == nullptr) return;
  for (std::uint32_t k = 0; k < explanation.overridden()->size() && k < explanation.overridden_by()->size(); ++k) {
    visit(explanation.overridden()->Get(k), explanation.overridden_by()->Get(k));
  }
}

/// Prints what determines the number of nodes, what is used of the resources, the rules that do not hold, and why replicas are
/// unplaced. `plan` belongs to the instance; `explanation` need not be trusted. `nodes` names the plan's nodes.
void print_explanation(const Console& console, const wire::Explanation& explanation, const wire::Verification& verification,
                       const wire::Plan& plan, const Names& names, const std::vector<std::string>& nodes);

}  // namespace stowage::cli
