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

/// Writes the bound on what is left over as a list of priorities and replicas; empty where there is none.
void write_left_over(JsonWriter& json, const wire::Plan& plan);

/// Writes the goals as a list of objects without what is default.
void write_goals(JsonWriter& json, const wire::Plan& plan, const Names& names);
/// The parts of a traced run.
void write_trace(JsonWriter& json, const wire::Plan& plan);

}  // namespace stowage::cli
