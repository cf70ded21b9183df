"""What the Java library calls the parts of the schemas, and which of them it shapes by hand. records.py writes the rest."""

import dataclasses
import pathlib
import re

from ..schema import NO_INDEX, Field, Schema, Type
from ..shapes import HELD, HOMES, enum_of, without
from ..words import camel, upper_snake

# The records that the library makes. Those of a plan stand in its class.
READ = ("Verification", "Violation", "RuleViolation", "ClusterMetrics", "Explanation", "AppExplanation", "CloseNode", "Obstacle",
        "Relaxation", "Driver", "ResourceUse", "Suffering", "Headroom", "HeadroomOfApps", "Loss", "MoveOrder", "Move", "BoundEntry",
        "Commit", "Conflict", "PlannerInfo", "OptionInfo", "Sizes")  # fmt: skip
PLAN = ("LeftOver", "Note", "ReachedGoal", "TracedPart", "Placed", "Unplaced", "Bound")
# Records that programs make.
MADE = ("PlanGoal",)
ENUMS = ("PlanStatus", "NoteCode", "Objective", "SoftPolicy", "GoalKind", "NodeState", "Measure", "RecommendationReason")
# Enumerations of which programs give the values alone.
CLOSED = ("Measure",)
TYPES = {"Placed": "Placement", "PlannerInfo": "Planner", "OptionInfo": "PlannerOption"}
FIELDS = {"Plan.placed": "placements"}
# Records whose components stand in another order than the fields.
ORDER = {"LeftOver": ("priority", "replicas")}
# Texts of which programs see whether they are there.
TEXTS = ("Plan.survive", "Plan.leave_free")
# A table that is there in any case, and a number whose 0 is a value.
PLAIN = ("Verification.metrics", "Plan.max_cost_limit")
# Counts that may be above 2^31.
LONG = ("Plan.inherited_violations", "Plan.moves", "Plan.domains_in_use", "Plan.domain_bound")
# Records whose lists of numbers and structs are read from the bytes when they are asked for.
VIEWED = ("Plan",)
NUMBERS = {"bool": "boolean", "ubyte": "byte", "uint16": "int", "uint32": "int", "int32": "int", "uint64": "long", "double": "double"}
BOXES = {"boolean": "Boolean", "int": "Integer", "long": "Long", "double": "Double"}


@dataclasses.dataclass(frozen=True)
class Hand:
    """A component that is shaped by hand: its declaration, the expression that reads it of the table `from`, and its comment."""

    name: str
    kind: str
    read: str
    doc: str


FIVE = ("new RuleViolations(from.ruleViolations(), from.violatingReplicas(), from.violationExtent(), from.violationWeight(), "
        "from.violationCost())")  # fmt: skip
HAND = {
    "Plan.node_class": Hand("nodes", "List<Node>", "Plan.nodes(from)", "nodes in use, listed ones first; {@link #nodesInUse} includes their copies"),
    "Plan.rule_violations": Hand("ruleViolations", "Optional<RuleViolations>", f"from.violationCost() < 0 ? Optional.empty() : Optional.of({FIVE})",
                                 "violations of placement rules; empty where the instance has no rules"),
    "ClusterMetrics.rule_violations": Hand("ruleViolations", "RuleViolations", FIVE, "as {@link Plan#ruleViolations}, recounted by the checker"),
    "Explanation.overridden": Hand("overridden", "List<OverriddenRule>", "Reports.overridden(from)",
                                   "placement rules of applications that contradict a rule of the operator, which prevails"),
    "Loss.app": Hand("moves", "List<Move>", "Reports.lossMoves(from)", "where the replicas go"),
    "MoveOrder.moves": Hand("waves", "List<List<Move>>", "Reports.waves(from)",
                            "the moves of a wave run at the same time, in any order; replicas that begin to run come last"),
}  # fmt: skip
# What a record says beside the comment of its table, and what is its first component.
MORE = {"Plan": "A plan is independent of the instance and needs no closing. The lists are unmodifiable; those of numbers and structs are "
                "read from the bytes when they are asked for."}  # fmt: skip
BYTES = {"Plan": ("ByteBuffer bytes", "bytes the bytes of the plan ({@code plan.fbs}), which every part of Stowage reads; read-only")}
# What stands in a record beside its components.
BODIES = {
    "Plan": (pathlib.Path(__file__).parent / "Plan.java").read_text(encoding="utf-8").split("\n", 1)[1],
    "PlanGoal": """
  /** {@code what} may be any but {@link GoalKind#UNKNOWN}. */
  public PlanGoal {
    if (what == GoalKind.UNKNOWN) {
      throw new IllegalArgumentException("UNKNOWN cannot be asked for");
    }
    Objects.requireNonNull(what);
    Objects.requireNonNull(resource);
    Objects.requireNonNull(words);
  }

  /** A goal, or several that count together, in {@link #words()}. */
  public static PlanGoal of(String words) {
    return new PlanGoal(GoalKind.COST, OptionalInt.empty(), false, 1, 0, words);
  }

  /** A goal that counts after the one before it, without tolerance. */
  public static PlanGoal of(GoalKind what) {
    return new PlanGoal(what, OptionalInt.empty(), false, 1, 0, "");
  }

  /** The same of one resource, with {@link GoalKind#BALANCE} and {@link GoalKind#EVENNESS}. */
  public PlanGoal withResource(int resource) {
    return new PlanGoal(what, OptionalInt.of(resource), beside, weight, tolerance, words);
  }

  /** The same, counted together with the goal before it. */
  public PlanGoal besideLast() {
    return new PlanGoal(what, resource, true, weight, tolerance, words);
  }

  /** The same with another weight, which is above 0. */
  public PlanGoal withWeight(double weight) {
    return new PlanGoal(what, resource, beside, weight, tolerance, words);
  }

  /** The same, where later goals may worsen the value by this share of it. */
  public PlanGoal withTolerance(double tolerance) {
    return new PlanGoal(what, resource, beside, weight, tolerance, words);
  }
""",
    "Loss": """
  /**
   * Where replicas of an app on lost nodes go.
   *
   * @param app the app
   * @param to the node; empty: nowhere
   * @param replicas how many
   */
  public record Move(int app, OptionalInt to, int replicas) {}
""",
}
WORDS = HOMES["words"]["Java"]  # enumerations of which programs see words
WITHOUT = without("Java")


def type_name(name: str) -> str:
    return TYPES.get(name, name)


def member_name(owner: str, field: Field) -> str:
    name = f"{owner}.{field.name}"
    return HAND[name].name if name in HAND else FIELDS.get(name, camel(field.name))


def is_optional(owner: str, field: Field) -> bool:
    """Whether the number may be missing."""
    if field.many or field.inner not in ("uint32", "uint64", "double") or f"{owner}.{field.name}" in PLAIN:
        return False
    return field.none is not None or field.inner == "double" and field.default == "-1"


def type_of(owner: str, field: Field, schema: Schema) -> str:
    name, inner, enum, what = f"{owner}.{field.name}", field.inner, enum_of(field, schema), schema.what(field.inner)
    if name in HAND:
        return HAND[name].kind
    if enum:
        one = "String" if enum in WORDS else enum
    elif what:
        one = type_name(inner)
    else:
        one = "boolean" if "flags" in field.attributes else "long" if name in LONG else NUMBERS.get(inner, "String")
    if field.many:
        return f"List<{BOXES.get(one, one)}>"
    if is_optional(owner, field):
        return {"int": "OptionalInt", "long": "OptionalLong", "double": "OptionalDouble"}[one]
    absent = what == "table" and not field.required and name not in PLAIN or name in TEXTS
    return f"Optional<{one}>" if absent else one


def public(table: Type) -> list[Field]:
    """The fields that programs see, in the order of the components."""
    fields = [field for field in table.fields if f"{table.name}.{field.name}" not in WITHOUT | HELD]
    order = ORDER.get(table.name)
    return sorted(fields, key=lambda field: order.index(field.name)) if order else fields


def reference(schema: Schema, owner: str, text: str) -> str:
    """A name of the schemas, as Java has it."""
    table, _, name = text.rpartition(".")
    one = schema.types.get(table or owner)
    if not one or name not in (field.name for field in one.fields):
        return text
    if table in ("Instance", "Interference"):
        return f"the instance's {name.replace('_', ' ')}"
    if one.what == "enum":
        return f"{{@code {one.name}.{upper_snake(name)}}}"
    shown = member_name(one.name, one.field(name))
    return f"{{@code {shown}}}" if not table or table == owner else f"{{@code {type_name(table)}.{shown}}}"


def document(schema: Schema, owner: str, lines: tuple[str, ...], kind: str = "") -> str:
    """The comment of a component or type, with the names that Java has."""
    text = " ".join(lines).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    optional = kind.startswith("Optional")
    phrases = [(rf"\b({NO_INDEX}|18446744073709551615)\b", "empty" if optional else "-1"),
               (r"\babsent(?= (?:=|where|otherwise))|(?<=\bor )absent\b", "empty"), (r"\bAbsent\b", "Empty")]  # fmt: skip
    if optional:
        phrases = [(r"; (absent|0) = none(?=\.)", ""), *phrases]
    if kind == "OptionalDouble":
        phrases += [("(?i)negative(?= (?:=|without|where|with other))", "empty")]
    if kind == "List<Boolean>":
        phrases += [(r"\b1:", "true:"), (r"\b0:", "false:")]
    for pattern, instead in phrases:
        text = re.sub(pattern, lambda match, new=instead: new.capitalize() if match[0][0].isupper() else new, text)
    parts = re.split(r"(`[^`]*`)", text)
    for k, part in enumerate(parts):
        if part.startswith("`"):
            plain = part.strip("`")
            named = reference(schema, owner, plain)
            parts[k] = f"{{@code {plain}}}" if named == plain else named
        else:
            parts[k] = re.sub(r"\b[A-Z]\w+\.\w+\b|\b[a-z]+(?:_[a-z]+)+\b", lambda match: reference(schema, owner, match[0]), part)
    return "".join(parts)
