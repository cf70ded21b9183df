// What a plan is judged by, in words: its cost or nodes against the bound, and its goals.
#pragma once

#include <string>

#include "capi/text/formats/names.h"
#include "plan_generated.h"

namespace stowage::cli {

/// What counts where nodes do: their cost or, without prices, their number.
struct Judged {
  bool priced = false;
  double bound = 0;  ///< no complete plan has less; 0: not known
  double gap = -1;   ///< how far the plan is above the bound, as a share of it; below 0: not known, or replicas have no place
  bool proven = false;  ///< no plan is better
};

/// The plan's bound on its cost or, without prices, its nodes; null where none is known.
const wire::Bound* bound_of(const wire::Plan& plan);
Judged judged(const wire::Plan& plan);
/// "no complete plan costs less than 8.3".
std::string least_text(const Judged& by);
/// "this one is at most 20 % above the best".
std::string above_text(double gap);
/// How good a plan is: "Proven: no plan costs less"; or the bound and the gap; or that neither is known.
std::string sureness_text(const Judged& by);

/// A plan's goal as --goal has it; of goals that count together, each by itself.
std::string goal_words(const wire::ReachedGoal& goal, const Names& names);
/// A value of such a goal, or a bound on it, for people.
std::string goal_value(const wire::ReachedGoal& goal, double value);

}  // namespace stowage::cli
