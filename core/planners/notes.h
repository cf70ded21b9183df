// Sentences of notes that several planners share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/note.h"
#include "core/plan/plan.h"
#include "core/planners/planner.h"

namespace stowage {

/// The features of the instance that the planner does not honour, as a list; empty where it honours all.
std::string not_honoured(const Instance& instance, const PlannerInfo& info);

/// What a plan lacks where a part of the search did not run.
inline constexpr std::string_view kNotImproved = "The plan was not improved";

/// Adds a note that a part of the search is off: "WHAT: WHY."
void note_off(const PlannerInput& input, std::string_view what, const std::string& why);
/// The same where a hard rule with a minimum ties replicas to each other.
void note_minimum(const PlannerInput& input);
/// The same where demand changes over time and is uncertain, or is that of too many replicas.
void note_no_exchanges(const PlannerInput& input);

/// The notes of a run for its plan, whose status is known: where nothing better exists, what did not run is not missed.
std::vector<Note> notes_for(const Plan& plan, const Notes& of_run);

/// Adds a note that names the apps of the plan's unplaced replicas that fit on no node, not even on an empty one; none where
/// all fit. O(unplaced apps x node classes x dimensions); where nodes have daemon load of their own, x nodes.
void note_left_out(const Instance& instance, const Plan& plan, std::vector<Note>& notes);

/// Adds a note per placement rule that binds nothing where somebody surely meant something: a condition names a tag that
/// nothing carries, or sets no bound. Some rules are named, the others counted. O(tags of apps, nodes and rules).
void note_idle_rules(const Instance& instance, std::vector<Note>& notes);

}  // namespace stowage
