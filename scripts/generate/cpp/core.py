"""Makes capi/src/wire/fields.h of the schemas: between tables of the wire format and the types of core; numbers of apps and kinds of goals in core."""

import dataclasses

from ..check_rows import NOTE
from ..schema import Field, Schema
from ..shapes import app_numbers
from ..words import kebab
from .codec import Shapes, in_order, read_table, size_of_table, wire_type, write_table

# Of each header: the tables that are read, those that are written, and those whose size is estimated first, with those that they have.
HEADERS = {
    "fields": (("Instance", "Nodes", "Uncertainty", "Interference", "Session", "Request", "Plan", "Operation", "Derivation"),
               ("Instance", "Nodes", "AffinityLimits", "Uncertainty", "Interference", "Session", "Plan", "Verification", "Explanation",
                "Headroom", "HeadroomOfApps", "Loss", "Commit"),
               ("Instance", "Nodes", "AffinityLimits", "Interference", "Session")),
    "learning_fields": (("Samples", "Goal", "Usage"), (), ()),
}  # fmt: skip
INCLUDES = {
    "fields": ("capi/src/wire_reader.h", "capi/src/wire_writer.h", "derivation_generated.h", "instance_generated.h", "plan_generated.h",
               "report_generated.h", "request_generated.h", "session_generated.h"),
    "learning_fields": ("capi/src/learning/learning_codec.h", "capi/src/wire_reader.h", "learning_generated.h"),
}  # fmt: skip

# Where a type has another name than its table.
TYPES = {
    "Apps": "InstanceData",
    "Nodes": "InstanceData",
    "Instance": "InstanceData",
    "AffinityLimits": "LimitColumns",
    "Conjunction": "std::vector<Cardinality>",
    "Session": "SessionExtra",
    "Option": "RequestOption",
    "NamedConjunction": "std::vector<NamedCardinality>",
    "Feature": "SampleFeature",
    "Usage": "UsageQuestion",
    "Suffering": "WorstOff",
    "Commit": "CommitOutcome",
}
MEMBERS = {
    "Apps.names": "app_names",
    **{f"Apps.{part}_{column}": f"app_{rows}.{column}" for part, rows in (("tag", "tags"), ("only", "only"), ("not", "not"))
       for column in ("begin", "index")},
    "Nodes.names": "node_names",
    "Nodes.tag_begin": "node_tags.begin",
    "Nodes.tag_index": "node_tags.index",
    "NodeGroup.set_begin": "sets.begin",
    "NodeGroup.node": "sets.index",
    "PlacementRule.origin": "from_operator",
    "NamedRule.origin": "from_operator",
    "Operation.not": "refused",
    **{f"Plan.{name}_bound": f"bounds[Objective::{objective}]" for name, objective in
       {"node": "kNodes", "cost": "kCost", "ucac": "kUcac", "max_cost": "kWorst", "total_cost": "kTotal", "left_out": "kAdmitted",
        "remote_traffic": "kTraffic"}.items()},
    "Plan.rule_violations": "rule_costs.violations",
    "Plan.violating_replicas": "rule_costs.replicas",
    "Plan.violation_extent": "rule_costs.extent",
    "Plan.violation_weight": "rule_costs.weight",
    "Plan.violation_cost": "rule_costs.cost",
    "Loss.name": "domain.name",
    "Loss.nodes": "domain.nodes",
    **{f"Usage.{name}": f"history.{name}" for name in ("apps", "resources", "app", "replica", "time", "amount", "out_of_memory")},
    **{f"Usage.{name}": f"options.{name}" for name in ("rules", "periods", "cycle")},
}  # fmt: skip
# Views of the buffer, what a flag says of, and columns that core has as a list of nodes, or as something else.
BY_HAND = frozenset(("Plan.node_class", "Plan.listed", "Plan.copies", "Verification.metrics",
                     "Explanation.overridden", "Explanation.overridden_by", "Loss.app", "Loss.to", "Loss.count"))  # fmt: skip

WHERE = {
    "Instance.nodes": ("!from.node_class.empty() || !from.node_tags.empty()", "from"),
    "Instance.limits": ("!limits.app.empty()", "limits"),
    "Instance.uncertainty": ("from.has_uncertainty", "from.uncertainty"),
    "Instance.interference": ("from.has_interference", "from.interference"),
    "Instance.session": ("session != nullptr", "*session"),
    "Plan.left_over_bound": ("", "builder.column<wire::LeftOver>(left_over_bound)"),
}
GIVEN = {"Instance": ("const LimitColumns& limits", "const SessionExtra* session"), "Plan": ("const std::vector<wire::LeftOver>& left_over_bound",)}
# The order decides the bytes of a buffer, which stay as they are.
BOUNDS = ("node", "cost", "ucac", "max_cost", "total_cost", "left_out", "remote_traffic")
ORDER = {
    "PlacementRule": ("any_of",),
    "Instance": ("name", "resources", "apps", "classes", "nodes", "limits", "running", "pinned", "tags", "groups", "rules", "uncertainty",
                 "interference", "traffic"),
    "Plan": ("placed", "unplaced", "planner", *(f"{name}_bound" for name in BOUNDS), "node_max_cost", "node_ucac", "notes",
             "left_over_bound"),
}  # fmt: skip
# Readers of reports find every list, if empty.
REPORTS = ("Verification", "Explanation", "AppExplanation", "CloseNode", "Suffering", "Headroom", "HeadroomOfApps", "Loss", "Commit")
LEFT_OUT = ("Verification.node_max_cost",)


def with_parts(roots: tuple[str, ...], schema: Schema) -> tuple[str, ...]:
    """These tables and those that they have."""
    found: list[str] = []
    left = list(roots)
    while left:
        name = left.pop()
        if name not in found:
            found.append(name)
            left += [field.inner for field in schema.types[name].fields
                     if schema.what(field.inner) == "table" and f"{name}.{field.name}" not in {*BY_HAND, *WHERE}]  # fmt: skip
    return in_order(tuple(found), schema)


def numbers_of_apps(schema: Schema) -> str:
    """core/model/data/app_numbers.h: the columns, what an app has of them, and a visit of both."""
    fields = app_numbers(schema)

    def one(field: Field) -> str:
        return wire_type(dataclasses.replace(field, kind=field.inner), schema)

    return "\n".join([
        f"// {NOTE}", "// clang-format off", "#pragma once", "", "#include <cstdint>", "#include <vector>", "", "namespace stowage {", "",
        "/// Columns of numbers that apps may have; instance.fbs says what they mean.", "struct NumbersOfApps {",
        *(f"  std::vector<{one(field)}> {field.name}{{}};" for field in fields), "};", "",
        "/// What one app has of them.", "struct AppNumbers {",
        *(f"  {one(field)} {field.name} = {field.attributes.get('absent', 0)};" for field in fields), "};", "",
        "/// Calls visit(name, column, number, whether a number is above 0) for each of them.", "template <class Visit>",
        "void visit_app_numbers(Visit&& visit) {",
        *(f'  visit("{field.name}", &NumbersOfApps::{field.name}, &AppNumbers::{field.name}, {str("positive" in field.attributes).lower()});'
          for field in fields), "}", "", "}  // namespace stowage", ""])  # fmt: skip


def kinds_of_goals(schema: Schema) -> str:
    """core/plan/goals/goal_kinds.h: what a goal may count, the words for it, and which may be of one resource."""
    kinds = schema.types["GoalKind"]
    of_one = schema.types["PlanGoal"].field("resource").attributes["kinds"].split()
    return "\n".join([
        f"// {NOTE}", "// clang-format off", "#pragma once", "", "#include <array>", "#include <cstdint>", "#include <string_view>", "",
        "namespace stowage {", "", *(f"/// {line}" for line in kinds.doc), "enum class GoalKind : std::uint8_t {",
        *(f"  k{kind.name}," for kind in kinds.fields), "  kEnd", "};", "",
        "/// The word for each.", f"inline constexpr std::array<std::string_view, {len(kinds.fields)}> kGoalWords = {{",
        *(f'    "{kebab(kind.name)}",' for kind in kinds.fields), "};", "", "/// Whether a goal may be of one resource.",
        f"constexpr bool may_have_resource(GoalKind what) {{ return {' || '.join(f'what == GoalKind::k{kind}' for kind in of_one)}; }}", "",
        "}  // namespace stowage", ""])  # fmt: skip


def terms_of_goals(schema: Schema) -> str:
    """core/terms/goal_terms.h: what is true of each goal."""
    names = [f"k{kind.name}Goal" for kind in schema.types["GoalKind"].fields]
    return "\n".join([
        f"// {NOTE}", "// clang-format off", "#pragma once", "", "#include <array>", "", '#include "core/terms/term.h"', "", "namespace stowage {", "",
        *(f"extern const GoalTerm {name};" for name in names), "", "/// By GoalKind.",
        f"inline constexpr std::array<const GoalTerm*, {len(names)}> kGoalTerms = {{", *(f"    &{name}," for name in names), "};", "",
        "}  // namespace stowage", ""])  # fmt: skip


def core_fields(schema: Schema) -> dict[str, str]:
    full = {f"{name}.{field.name}" for name in REPORTS for field in schema.types[name].fields if field.many} | {"Loss.name"}
    shapes = Shapes({name: TYPES.get(name, name) for name in schema.of("table")}, MEMBERS, BY_HAND, full=frozenset(full.difference(LEFT_OUT)),
                    where=WHERE, given=GIVEN, order=ORDER)  # fmt: skip
    made = {"core/model/data/app_numbers.h": numbers_of_apps(schema), "core/plan/goals/goal_kinds.h": kinds_of_goals(schema),
            "core/terms/goal_terms.h": terms_of_goals(schema)}  # fmt: skip
    for header, tables in HEADERS.items():
        lines = [f"// {NOTE}", "// clang-format off", "#pragma once", "", *(f'#include "{one}"' for one in INCLUDES[header]), "",
                 "namespace stowage::capi {", ""]  # fmt: skip
        for make, names in zip((read_table, write_table, size_of_table), tables, strict=True):
            for name in with_parts(names, schema):
                lines += [*make(name, schema, shapes), ""]
        made[f"capi/src/wire/{header}.h"] = "\n".join([*lines, "}  // namespace stowage::capi", ""])
    return made
