// Goals as people write them.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/objective.h"

namespace stowage {

/// Reads goals that count together, TERM[,TERM...][~TOLERANCE] with TERM = NAME[:RESOURCE][*WEIGHT], such as "cost~1%",
/// "balance:memory" and "cost,moves*0.01". Errors: kInvalid, with a message that says what there is.
[[nodiscard]] Result<std::vector<PlanGoal>> goals_of_words(const Instance& instance, std::string_view words);

}  // namespace stowage
