"""What the languages have in common when they shape records by hand."""

import json
import re

from .schema import ROOT, Field, Schema

# Fields that programs see as one, with the first of them: three columns are a list of nodes, and five numbers a sum of violations.
TOGETHER = {
    "Plan.node_class": ("listed", "copies"),
    "Plan.rule_violations": ("violating_replicas", "violation_extent", "violation_weight", "violation_cost"),
    "ClusterMetrics.rule_violations": ("violating_replicas", "violation_extent", "violation_weight", "violation_cost"),
    "Explanation.overridden": ("overridden_by",),
    "Loss.app": ("to", "count"),
    "MoveOrder.moves": ("wave_ends",),
}
# The fields that an operation has, by its kind.
OPERATIONS = {
    "Submit": "app replicas demand priority weight variance support_min support_max app_kind tags limit_app limit_at_most only not",
    "Scale": "app replicas", "Remove": "app", "Pin": "app node replicas",
    "AddNode": "node node_class load load_variance daemon tags groups sets", "RemoveNode": "node", "Cordon": "node", "Uncordon": "node",
    "Drain": "node", "Fail": "node", "Load": "node load load_variance", "AddRule": "rule", "RemoveRule": "rule", "Traffic": "app peer amount",
}  # fmt: skip
HELD = {f"{first.split('.')[0]}.{name}" for first, names in TOGETHER.items() for name in names}
HOMES = json.loads((ROOT / "capi/abi/homes.json").read_text(encoding="utf-8"))


def without(binding: str) -> set[str]:
    """The fields that programs of a binding do not see."""
    return {field for one in HOMES["without"] if binding in one.get("bindings", [binding]) for field in one["fields"]}


def enum_of(field: Field, schema: Schema) -> str | None:
    """The enumeration whose values a field has."""
    name = field.attributes.get("values", field.inner)
    return name if schema.what(name) == "enum" else None


def shape(field: Field) -> str:
    """What an item has of a column: "number", "text", "row" (one amount per resource), "profile" (or per resource and period), "tags",
    or "" for the entries that belong to the rows before."""
    rule = field.attributes["rule"]
    if field.inner == "string":
        return "text"
    if rule.startswith("starts "):
        return "tags"
    if rule.endswith(" of tags"):
        return ""
    return "profile" if " | " in rule else "row" if " x " in rule else "number"


def app_numbers(schema: Schema) -> list[Field]:
    """The columns of numbers that apps may have."""
    return [field for field in schema.types["Apps"].fields
            if field.inner != "string" and not field.required and shape(field) == "number" and " of " not in field.attributes["rule"]]  # fmt: skip


# Fields of plans that are not what their type says in JSON.
PLAN_BY_HAND = ("format", "instance", "planner", "ucac_resource", "has_score", "score", "not_survived")


def plain_plan_fields(schema: Schema) -> list[Field]:
    """The fields of plans that the JSON form has as they are: numbers, flags, texts and bounds."""
    return [field for field in schema.types["Plan"].fields
            if not field.many and field.name not in PLAN_BY_HAND and not enum_of(field, schema)]  # fmt: skip


def of_item(lines: list[str]) -> str:
    """The comment of a column, about one item of it."""
    text = re.sub(r" ?Length: (apps|listed nodes)(; (?:absent|nil|empty) = all \d)?\.", "", " ".join(lines))
    return re.sub(r"\b(apps|listed nodes) x ", "", text)
