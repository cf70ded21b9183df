// What a plan says of itself: bounds, figures, status; and what the independent checker says of it.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/plan/note.h"
#include "core/plan/plan.h"
#include "core/run/request.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Sets what plans of the request are compared by besides what they hold: its judgement, and violated rules where they count.
void prepare_to_compare(const Instance& instance, const Request& request, Plan& plan, WatchRef watch = {});

/// Fills in bounds, figures, status and notes of a plan, and has the independent checker look at it. False where the check was
/// given up. Errors: kInternal where the checker refuses the plan.
/// @param of_run  what the run noted
/// @param stop    why the run ended
/// @param watch ends the check
Result<bool> judge(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                   WatchRef watch, Plan& plan);

/// From so many nodes on, those of a run that was cut off are judged alike: each takes up to a microsecond.
inline constexpr std::size_t kManyToJudge = 10'000;
[[nodiscard]] inline bool is_long_to_judge(const Plan& plan) { return plan.nodes.size() >= kManyToJudge; }

/// As judge(), but looks once at nodes of equal content, for runs that have no time left. Sums are rounded in another order. A
/// plan whose nodes will be listed together has them together afterwards.
Result<bool> judge_alike(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                         WatchRef watch, Plan& plan);

/// As judge(), or judge_alike() where a run with many nodes was cut off. Where the checker refuses the plan, which is a defect
/// of its planner, the plan of the start takes its place: what runs and is pinned stays where it is, everything else is
/// unplaced; a note says so. Errors: kInternal where that is refused.
Result<bool> judge_or_start(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                            WatchRef watch, Plan& plan);

/// As judge_or_start(), whatever time it takes. Where a run with many nodes ended by itself, and the watch ends meanwhile, it
/// begins anew by judge_alike().
Error judge_at_last(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                    WatchRef watch, Plan& plan);

/// Judges a plan that was made of one that was judged before, which says why its run ended and keeps its notes, and lists its
/// nodes.
/// @param watch as for judge_at_last()
Result<Plan> judge_again(const Instance& instance, const Request& request, LazyBounds& known, const Notes& further,
                         WatchRef watch, Plan plan);

/// Lists the plan's nodes in the form that the request asks for.
void list_nodes(const Request& request, Plan& plan);

}  // namespace stowage
