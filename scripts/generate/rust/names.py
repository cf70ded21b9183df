"""What the Rust crate calls the parts of the schemas, and which of them it shapes by hand. records.py writes the rest."""

import dataclasses
import re

from ..schema import NO_INDEX, Field, Schema, Type
from ..shapes import HELD, enum_of, without

READ = ("Plan", "Bound", "Placed", "Unplaced", "LeftOver", "Note", "ReachedGoal", "TracedPart", "Verification", "Violation", "RuleViolation", "ClusterMetrics",
        "Explanation", "AppExplanation", "CloseNode", "Obstacle", "Relaxation", "Driver", "ResourceUse", "Suffering", "Headroom",
        "HeadroomOfApps", "Loss", "MoveOrder", "Move", "BoundEntry", "Commit", "Conflict", "PlannerInfo", "OptionInfo",
        "Recommendations", "Sizes")  # fmt: skip
WRITTEN = ("NodeClass", "NamedCardinality", "Uncertainty", "Request", "PlanGoal", "Derivation", "ResourceFactors", "AppChange", "ClassChange", "Samples",
           "Question", "Goal", "Usage", "SizeRule")  # fmt: skip
# Programs set these by functions of the same name.
SET = ("Request",)
# Tables of a few numbers.
COPIED = ("Uncertainty", "ReachedGoal")
# What is set by a function that does more.
OWN = ("Request.soft_price",)
# Enumerations that the library may extend, and those of which programs give the values.
OPEN = ("PlanStatus", "NoteCode", "Objective", "SoftPolicy", "GoalKind", "NodeState", "ViolationKind", "ObstacleKind", "RelaxationKind", "DriverKind",
        "ConflictKind")  # fmt: skip
CLOSED = ("CardinalityKind", "ChanceModel", "Measure", "RecommendationReason")
# Enumerations of which the first value is meant where none is given.
FIRST = ("NodeState",)
# Of what a later library answers instead of the values known here.
OTHERWISE = {"RecommendationReason": "NotEnoughEvidence"}
TYPES = {"Placed": "Placement", "PlannerInfo": "Planner", "OptionInfo": "PlannerOption", "Apps": "App", "Nodes": "Node",
         "NodeClass": "Class", "NamedCardinality": "Cardinality"}  # fmt: skip
FIELDS = {"Plan.placed": "placements", "CloseNode.node_class": "class", "Relaxation.node_class": "class",
          "ClassChange.node_class": "class", "OptionInfo.default_number": "default", "Derivation.by_resource": "resources",
          "Derivation.by_app": "apps", "Derivation.by_class": "classes"}  # fmt: skip
# Texts of which programs see whether they are there, and tables that are there in any case.
TEXTS = ("Plan.survive", "Plan.leave_free", "NamedCardinality.group")
PLAIN = ("Verification.metrics",)
NUMBERS = {"bool": "bool", "ubyte": "u8", "uint16": "u16", "uint32": "u32", "int32": "i32", "uint64": "u64", "double": "f64"}


@dataclasses.dataclass(frozen=True)
class Hand:
    """A field that is shaped by hand: its declaration, and expressions that read it from the table `from` or write it."""

    name: str
    kind: str
    read: str = ""
    write: str = ""
    doc: tuple[str, ...] = ()


FIVE = ("RuleViolations { count: from.rule_violations(), replicas: from.violating_replicas(), extent: from.violation_extent(), "
        "weight: from.violation_weight(), cost: from.violation_cost() }")  # fmt: skip
HAND = {
    "Plan.node_class": Hand("nodes", "Vec<PlanNode>", "plan_nodes(&from)", doc=("Nodes in use, listed ones first. [`Plan::nodes_in_use`] includes their copies.",)),
    "Plan.rule_violations": Hand("rule_violations", "Option<RuleViolations>", f"(from.violation_cost() >= 0.0).then(|| {FIVE})",
                                 doc=("None where the instance has no placement rules.",)),
    "ClusterMetrics.rule_violations": Hand("rule_violations", "RuleViolations", FIVE, doc=("As in [`Plan::rule_violations`], recounted by the checker.",)),
    "Explanation.overridden": Hand("overridden", "Vec<OverriddenRule>", "overridden(&from)",
                                   doc=("Placement rules of applications that contradict a rule of the operator, which prevails.",)),
    "Loss.app": Hand("moves", "Vec<(u32, Option<u32>, u32)>", "loss_moves(&from)", doc=("App, node (`None`: nowhere) and number of replicas.",)),
    "MoveOrder.moves": Hand("waves", "Vec<Vec<Move>>", "waves(&from)",
                            doc=("The moves of a wave run at the same time, in any order. Replicas that begin to run come last.",)),
    "Apps.names": Hand("name", "String", doc=("Unique, or empty for all apps.",)),
    "Apps.kind": Hand("kind", "String", write="self.app_kinds()?.map(|all| e.words(&all))",
                      doc=("One of the kinds given to [`InstanceBuilder::interference`]; empty is the first.",)),
    "Apps.tag_begin": Hand("tags", "Vec<String>", doc=("Carried by every replica.",)),
    "Apps.only_begin": Hand("only", "Vec<String>", doc=("Labels or tags that every node of the app carries.",)),
    "Apps.not_begin": Hand("not", "Vec<String>", doc=("Labels or tags that no node of the app carries.",)),
    "Nodes.node_class": Hand("class", "u32", doc=("Index of its class.",)),
    "Nodes.names": Hand("name", "String", doc=("Unique, or empty for all nodes.",)),
    "Nodes.closed": Hand("closed", "bool", doc=("True: the node accepts no new replicas.",)),
    "Nodes.tag_begin": Hand("tags", "Vec<String>", doc=("Carried by the node, besides the labels of its class.",)),
    "Nodes.daemon": Hand("daemon", "Vec<f64>", write="self.daemons()?.map(|all| e.doubles(&all))",
                         doc=("Load that goes with the node, in place of its class's; empty = as the class says.",)),
    "Request.options": Hand("options", "Vec<(String, f64, Option<String>)>", write="options(b, &self.options)"),
    "Request.keep": Hand("keep", "Vec<(u32, u32)>", write="kept(b, &self.keep)"),
    "ResourceFactors.resource": Hand("resource", "u32", write="unnamed(&self.name, self.resource)"),
    "AppChange.app": Hand("app", "u32", write="unnamed(&self.name, self.app)"),
    "ClassChange.node_class": Hand("class", "u32", write="unnamed(&self.name, self.class)"),
}  # fmt: skip
# What a type has beside the fields of its table: a line of its declaration, and what stands there before anything is known.
BYTES = ("Plan", "Explanation")
WITHOUT = without("Rust")


def type_name(name: str) -> str:
    return TYPES.get(name, name)


def field_name(owner: str, field: Field) -> str:
    name = f"{owner}.{field.name}"
    return HAND[name].name if name in HAND else FIELDS.get(name, field.name.removesuffix("_ms") if is_time(field) and owner in WRITTEN else field.name)


def is_time(field: Field) -> bool:
    return field.attributes.get("unit") == "ms"


def is_optional(owner: str, field: Field) -> bool:
    """Whether None stands for a number that is not given or not known."""
    if field.many or field.inner not in ("uint32", "uint64", "double") or f"{owner}.{field.name}" in HAND:
        return False
    return field.none is not None or field.inner == "double" and field.default == "-1"


def type_of(owner: str, field: Field, schema: Schema) -> str:
    name, inner, enum, what = f"{owner}.{field.name}", field.inner, enum_of(field, schema), schema.what(field.inner)
    if name in HAND:
        return HAND[name].kind
    if owner in WRITTEN and is_time(field):
        return "Duration"
    if enum or what in ("table", "struct"):
        one = type_name(enum or inner)
    else:
        one = "bool" if "flags" in field.attributes else NUMBERS.get(inner, "String")
    if field.many:
        return f"Vec<Option<{one}>>" if field.attributes.get("rule", "").endswith(" or none") else f"Vec<{one}>"
    absent = what == "table" and not field.required and name not in PLAIN
    return f"Option<{one}>" if absent or name in TEXTS or is_optional(owner, field) else one


def public(table: Type) -> list[Field]:
    """The fields that programs see."""
    return [field for field in table.fields if f"{table.name}.{field.name}" not in WITHOUT | HELD]


def reference(schema: Schema, owner: str, text: str) -> str:
    """A name of the schemas, as Rust has it."""
    table, _, name = text.rpartition(".")
    one = schema.types.get(table or owner)
    if not one or name not in (field.name for field in one.fields):
        return text
    if table in ("Instance", "Interference"):
        return f"the instance's {name.replace('_', ' ')}"
    if one.what == "enum":
        return f"`{type_name(one.name)}::{name}`"
    shown = field_name(one.name, one.field(name))
    return f"`{shown}`" if not table or table == owner else f"`{type_name(table)}::{shown}`"


def document(schema: Schema, owner: str, lines: tuple[str, ...], kind: str = "") -> list[str]:
    """The comment of a field or type, with the names that Rust has."""
    none = "None" if "Option<" in kind else NO_INDEX
    absent = "none" if kind.startswith("Option<") else "empty"
    phrases = [(rf"\b({NO_INDEX}|18446744073709551615)\b", none), (r"\babsent(?= (?:=|where|otherwise))|(?<=\bor )absent\b", absent),
               (r"\bAbsent or empty\b", "Empty"), (r"\bAbsent\b", absent.capitalize())]  # fmt: skip
    if kind.startswith("Option<"):
        phrases = [(r"; (absent|0) = none(?=\.)", ""), *phrases]
    if kind == "Duration":
        phrases += [(r" in milliseconds\b", ", rounded up to milliseconds"), ("this many milliseconds", "this time, rounded up to milliseconds")]
    if kind == "Vec<bool>":
        phrases += [(r"\b1:", "True:"), (r"\b0:", "False:")]
    if kind == "Option<f64>":
        phrases += [("(?i)negative(?= (?:=|without|where|with other))", "none")]
    out = []
    for line in lines:
        for pattern, instead in phrases:
            line = re.sub(pattern, lambda match, new=instead: new.capitalize() if match[0][0].isupper() else new, line)
        parts = re.split(r"(`[^`]*`)", line)
        for k, part in enumerate(parts):
            if part.startswith("`"):
                parts[k] = reference(schema, owner, part.strip("`"))
                parts[k] = part if parts[k] == part.strip("`") else parts[k]
            else:
                part = re.sub(r"\b[A-Z]\w+\.\w+\b|\b[a-z]+(?:_[a-z]+)+\b", lambda match: reference(schema, owner, match[0]), part)
                parts[k] = re.sub(r"\[(?=[\w. +)]*\])", r"\\[", part)
        out.append("".join(parts))
    return out
