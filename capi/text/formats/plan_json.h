// A plan as JSON with the names of its instance (docs/reference/json-format.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "capi/text/base/json_text.h"
#include "capi/text/base/output.h"
#include "capi/text/formats/names.h"
#include "capi/text/formats/plan_data.h"

namespace stowage::cli {

/// Reads a plan for `instance`. Fails, naming file and path, where a member is unknown or of the wrong kind, or where the
/// instance has no such name. `fingerprint` returns that of the instance; it is called where the text does not say it.
PlanData read_plan_json(std::string_view text, const std::string& file, const wire::Instance& instance,
                        const std::function<std::uint64_t()>& fingerprint);

/// Writes a plan that refuse_dangling() has accepted.
void write_plan_json(const wire::Plan& plan, const Names& names, Output& out);

// These write members, each on a line of its own where an indentation is given.

/// What is proven of replicas that have no place: left_over_bound and places_most.
void write_left_over(JsonWriter& json, const wire::Plan& plan, int indent = -1);
/// Which losses the plan survives, and what it leaves free.
void write_promises(JsonWriter& json, const wire::Plan& plan, int indent = -1);
/// What violated rules of a plan, or of its metrics, cost.
template <class From>
void write_rule_costs(JsonWriter& json, const From& from, int indent = -1) {
  json.line(indent).key("rule_violations").whole(from.rule_violations());
  json.line(indent).key("violating_replicas").whole(from.violating_replicas());
  json.line(indent).key("violation_extent").number(from.violation_extent());
  json.line(indent).key("violation_weight").number(from.violation_weight());
  json.line(indent).key("violation_cost").number(from.violation_cost());
}

/// Writes the goals as a list of objects without what is default.
void write_goals(JsonWriter& json, const wire::Plan& plan, const Names& names);
/// The parts of a traced run.
void write_trace(JsonWriter& json, const wire::Plan& plan);

}  // namespace stowage::cli
