"""What the Go module calls the parts of the schemas, and which of them it shapes by hand. records.py writes the rest."""

import dataclasses
import re

from ..header import NOTE
from ..schema import NO_INDEX, Field, Schema, Type
from ..shapes import HELD, HOMES, enum_of, without
from ..words import pascal

WIRE = f"""\
// {NOTE}

// Package wire has the code that flatc makes of the schemas. Programs need it only for what package stowage has no type for: to
// read the bytes of an instance or a snapshot, by [GetRootAsInstance], or to write them without a builder.
//
// The readers trust the bytes. Read those that the library returned, or that stowage.Check admits; others can make a reader panic or
// return nonsense. Names follow from the schemas, whose fields are only ever added.
package wire
"""
# The records that the library makes, and those that programs make, in the order in which they are documented.
READ = ("Plan", "Bound", "Placed", "Unplaced", "LeftOver", "Note", "ReachedGoal", "TracedPart", "Verification", "Violation", "RuleViolation", "ClusterMetrics",
        "Explanation", "AppExplanation", "CloseNode", "Obstacle", "Relaxation", "Driver", "ResourceUse", "Suffering", "Headroom",
        "HeadroomOfApps", "Loss", "MoveOrder", "Move", "BoundEntry", "Commit", "Conflict", "PlannerInfo", "OptionInfo",
        "Recommendations", "Sizes")  # fmt: skip
WRITTEN = ("NodeClass", "NamedCardinality", "Uncertainty", "Request", "Kept", "PlanGoal", "Derivation", "ResourceFactors", "AppChange", "ClassChange", "Operation", "Samples", "Feature",
           "Question", "Goal", "Usage", "SizeRule")  # fmt: skip
ENUMS = ("PlanStatus", "NoteCode", "Objective", "SoftPolicy", "GoalKind", "NodeState", "OperationKind", "CardinalityKind", "ChanceModel", "Measure",
         "RecommendationReason")  # fmt: skip
TYPES = {"Placed": "Placement", "PlannerInfo": "Planner", "OptionInfo": "Option", "Apps": "App", "Nodes": "Node", "NodeClass": "Class",
         "NamedCardinality": "Cardinality"}
FIELDS = {"Plan.placed": "Placements", "CloseNode.node_class": "Class", "Relaxation.node_class": "Class", "OptionInfo.default_number": "Default",
          "Verification.ok": "OK", "Derivation.by_resource": "Resources", "Derivation.by_app": "Apps",
          "Derivation.by_class": "Classes"}  # fmt: skip
# What stands before the values of an enumeration, and values with a name of their own.
PREFIXES = {"Objective": "Least", "SoftPolicy": "Soft", "GoalKind": "Goal", "NodeState": "Node", "OperationKind": "Op", "CardinalityKind": "Count"}
VALUES = {"Objective.Admitted": "MostAdmitted"}
# An operation whose kind was forgotten is none.
FIRST = {"OperationKind": 1}
# Tables that are there in any case, and a number whose 0 is a value.
PLAIN = ("Verification.metrics", "Usage.cycle", "Uncertainty.confidence", "PlannerInfo.default_deadline_ms", "Plan.max_cost_limit")
PLURAL = ("Samples", "Recommendations", "Sizes", "ResourceFactors")


@dataclasses.dataclass(frozen=True)
class Hand:
    """A field that is shaped by hand: its declaration, and expressions that read and write it. Names in braces stand for what is read
    of fields; v is the value that is written."""

    name: str
    kind: str
    read: str = ""
    write: str = ""
    doc: tuple[str, ...] | None = None  # None: that of the schema


HAND = {
    "Plan.node_class": Hand("Nodes", "[]PlanNode", "planNodes({node_class}, {listed}, {copies})", doc=("Nodes in use, listed ones first. NodesInUse counts their copies.",)),
    "Plan.rule_violations": Hand("RuleViolations", "*RuleViolations", "violationsOf(RuleViolations{{rule_violations}, {violating_replicas}, {violation_extent}, {violation_weight}, {violation_cost}})", doc=("Nil: the instance has no placement rules.",)),
    "ClusterMetrics.rule_violations": Hand("RuleViolations", "RuleViolations", "RuleViolations{{rule_violations}, {violating_replicas}, {violation_extent}, {violation_weight}, {violation_cost}}", doc=("As in Plan, recounted by the checker.",)),
    "Explanation.overridden": Hand("Overridden", "[]OverriddenRule", "overriddenRules({overridden}, {overridden_by})", doc=("Rules of applications that contradict a rule of the operator, which prevails.",)),
    "Loss.app": Hand("Moves", "[]LossMove", "lossMoves({app}, {to}, {count})", doc=("Where the lost replicas go, by app and then by node.",)),
    "MoveOrder.moves": Hand("Waves", "[][]Move", "waves({moves}, {wave_ends})", doc=("The moves of a wave run at the same time, in any order. Replicas that begin to run come last.",)),
    "Request.options": Hand("Options", "map[string]float64", write="e.planning(v.Options, v.Words)",
                            doc=("Options of the planner as the catalogue declares them: numbers in Options, words in Words.",)),
    "ResourceFactors.resource": Hand("Resource", "uint32", write="unnamed(v.Name, v.Resource)"),
    "AppChange.app": Hand("App", "uint32", write="unnamed(v.Name, v.App)"),
    "ClassChange.node_class": Hand("Class", "uint32", write="unnamed(v.Name, v.Class)"),
    "Operation.limit_app": Hand("Limits", "[]LimitOn", doc=("Affinity limits on apps, which need not exist yet.",), write="e.texts(column(v.Limits, func(one LimitOn) string { return one.App }))"),
    "Operation.limit_at_most": Hand("", "", write="optional(column(v.Limits, func(one LimitOn) uint32 { return one.AtMost }), e.words)"),
    "Operation.groups": Hand("Sets", "[]Membership", write="e.texts(column(v.Sets, func(one Membership) string { return one.Group }))",
                             doc=("The node joins these sets. A set that does not exist is created.",)),
    "Operation.sets": Hand("", "", write="e.texts(column(v.Sets, func(one Membership) string { return one.Set }))"),
    "Apps.names": Hand("Name", "string", doc=("Unique, or empty for all apps.",)),
    "Apps.kind": Hand("Kind", "string", write="optional(b.appKinds(), e.words)", doc=("One of the kinds given to Interference; empty is the first.",)),
    "Apps.tag_begin": Hand("Tags", "[]string", doc=("Tags that every replica carries.",)),
    "Apps.only_begin": Hand("Only", "[]string", doc=("Only nodes that carry all of these labels or tags may hold the app, and none that carries one of Not.",)),
    "Apps.not_begin": Hand("Not", "[]string", doc=()),
    "Nodes.node_class": Hand("Class", "int", write="e.words(column(b.nodes, func(v Node) uint32 { return uint32(v.Class) }))", doc=("Position of its class.",)),
    "Nodes.names": Hand("Name", "string", doc=("Unique, or empty for all nodes.",)),
    "Nodes.closed": Hand("Closed", "bool", doc=("Closed nodes accept no new replicas.",)),
    "Nodes.tag_begin": Hand("Tags", "[]string", doc=("Tags of the node, in addition to the labels of its class.",)),
    "Nodes.daemon": Hand("Daemon", "[]float64", write="e.optional(b.daemons())",
                         doc=("Load that goes with the node, in place of that of its class. Nil: as the class says.",)),
    "Operation.rule": Hand("Rule", "*Rule", write="e.namedRule(v.Rule)", doc=("Rule to add; for a removal, only its Name is used.",)),
}  # fmt: skip
# Fields that no schema has: the first of a type, or behind another one.
EXTRA = {
    "Plan": ("Bytes", "[]byte", ("Bytes of the plan (plan.fbs), for Verify and other programs. They must not be changed.",)),
    "Explanation": ("Bytes", "[]byte", ("Bytes of the report (report.fbs), for ExplanationToText and other programs.",)),
    "Request.options": ("Words", "map[string]string", ()),
}
WORDS = HOMES["words"]["Go"]  # enumerations of which programs see words
WITHOUT = without("Go")
NUMBERS = {"bool": "bool", "ubyte": "byte", "uint16": "uint16", "uint32": "uint32", "int32": "int32", "uint64": "uint64", "double": "float64"}


def type_name(name: str) -> str:
    return TYPES.get(name, name)


def field_name(owner: str, field: Field) -> str:
    name = f"{owner}.{field.name}"
    if name in HAND:
        return HAND[name].name
    return FIELDS.get(name, pascal(field.name.removesuffix("_ms") if is_time(owner, field) else field.name))


def value_name(enum: str, value: str) -> str:
    return VALUES.get(f"{enum}.{value}", PREFIXES.get(enum, "") + value)


def is_time(owner: str, field: Field) -> bool:
    return field.attributes.get("unit") == "ms" and f"{owner}.{field.name}" not in PLAIN


def is_optional(owner: str, field: Field) -> bool:
    """Whether nil stands for a number that is not given or not known."""
    if f"{owner}.{field.name}" in PLAIN or field.inner not in ("uint32", "uint64", "double") or field.many:
        return False
    if owner in WRITTEN:
        return field.default not in (None, "0") and "positive" not in field.attributes
    return field.none not in (None, NO_INDEX)


def type_of(owner: str, field: Field, schema: Schema, by_hand: bool = True) -> str:
    name, inner, enum, what = f"{owner}.{field.name}", field.inner, enum_of(field, schema), schema.what(field.inner)
    if by_hand and name in HAND:
        return HAND[name].kind
    if is_time(owner, field):
        return "time.Duration"
    if enum:
        one = "string" if enum in WORDS else type_name(enum)
    elif what == "table" and not field.many:
        return type_name(inner) if field.required or name in PLAIN else "*" + type_name(inner)
    elif what:
        one = type_name(inner)
    else:
        one = "bool" if "flags" in field.attributes else NUMBERS.get(inner, inner)
    return "[]" * field.many + "*" * is_optional(owner, field) + one


def public(table: Type) -> list[Field]:
    """The fields that programs see."""
    names = {field.name: f"{table.name}.{field.name}" for field in table.fields}
    return [field for field in table.fields if names[field.name] not in WITHOUT | HELD and not (names[field.name] in HAND and not HAND[names[field.name]].name)]


def reference(schema: Schema, owner: str, text: str) -> str:
    """A name of the schemas, as Go has it."""
    table, _, name = text.rpartition(".")
    table = table or owner
    one = schema.types.get(table)
    if not one or name not in (field.name for field in one.fields):
        return text
    if table in ("Instance", "Interference"):
        return f"the instance's {name.replace('_', ' ')}"
    if one.what == "enum":
        return value_name(table, name)
    shown = field_name(table, one.field(name)) or pascal(name)
    return shown if table == owner else f"{type_name(table)}.{shown}"


def phrases(kind: str) -> list[tuple[str, str]]:
    """How the comments of the schemas read where a field has this type: patterns and what stands instead."""
    if kind == "time.Duration":
        return [(r" in milliseconds\b", ", rounded up to milliseconds"), ("this many milliseconds", "this time, rounded up to milliseconds")]
    if kind == "[]bool":
        return [(r"\b1:", "True:"), (r"\b0:", "False:")]
    if kind == "string":
        return [("Absent or empty", "Empty"), (r"\babsent(?= =)", '""'), (r"\bAbsent\b", "Empty")]
    if kind.startswith(("*", "[")):
        return [(r"\babsent(?= (?:=|where|otherwise))|(?<=\bor )absent\b", "nil"), (r"\bAbsent\b", "Nil"), ("negative(?= = not given)", "nil")]
    return []


def document(schema: Schema, owner: str, lines: tuple[str, ...], kind: str = "") -> list[str]:
    """The comment of a field or type, with the names that Go has."""
    out = []
    for line in lines:
        line = re.sub(rf"\b({NO_INDEX}|18446744073709551615)\b", "nil" if kind.startswith("*") else "NoIndex", line)
        line = re.sub(r"`([\w.]+)((?:\[[^`]*)?)`", lambda match: reference(schema, owner, match[1]) + match[2], line).replace("`", "")
        line = re.sub(r"\b[A-Z]\w+\.\w+\b|\b[a-z]+(?:_[a-z]+)+\b", lambda match: reference(schema, owner, match[0]), line)
        for pattern, instead in phrases(kind):
            line = re.sub(pattern, instead, line)
        out.append(line)
    return out


def type_document(schema: Schema, one: Type) -> list[str]:
    first, *rest = document(schema, one.name, one.doc)
    start = first if first[1:2].isupper() else first[:1].lower() + first[1:]
    return [f"{type_name(one.name)} {'are' if one.name in PLURAL else 'is'} {start}", *rest]
