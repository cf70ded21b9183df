// What makes one plan better than another.
#pragma once

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Whether a plan leaves less over than another: fewer replicas of the highest priority in which they differ.
bool leaves_less(const Instance& instance, const Plan& plan, const Plan& other);

/// Whether a plan is better than another of the same request, both with bounds and figures: what is left over counts first,
/// then what breaks rules, then what the request makes small.
bool better_plan(const Instance& instance, const Plan& plan, const Plan& other);

}  // namespace stowage
