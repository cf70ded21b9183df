"""What the npm package calls the parts of the schemas, and which of them it shapes by hand. records.py writes the rest."""

import dataclasses
import re
import textwrap

from ..schema import NO_INDEX, Field, Schema, Type
from ..shapes import HELD, enum_of, without
from ..words import camel, kebab

# Records of reports and of the catalogue, in the order of the file, and the enumerations that they have.
REPORTS = ("Conflict", "Commit", "Violation", "RuleViolation", "ClusterMetrics", "Verification", "Obstacle", "CloseNode", "Relaxation",
           "AppExplanation", "Driver", "ResourceUse", "Suffering", "Explanation", "Headroom", "HeadroomOfApps", "Loss", "Move", "MoveOrder",
           "BoundEntry", "OptionInfo", "PlannerInfo", "Catalogue")  # fmt: skip
# Parts of plans.
PLANS = ("Bound", "Placed", "Unplaced", "LeftOver", "Note", "ReachedGoal", "TracedPart")
# Records whose members stand in another order than the fields.
ORDER = {"LeftOver": ("priority", "replicas")}
KINDS = ("ConflictKind", "ViolationKind", "ObstacleKind", "RelaxationKind", "DriverKind")
# What a call takes out of a report: a record, or the list of records that is a table's only field.
BODIES = ("Commit", "Verification", "Explanation", "Headroom", "HeadroomOfApps", "MoveOrder", "Bounds", "Losses")
# Tables of another schema than the reports.
CATALOGUE = ("OptionInfo", "PlannerInfo", "Catalogue")
TYPES = {"Request": "PlanRequest", "Apps": "AppColumns", "Nodes": "NodeColumns", "NodeClass": "ClassColumns", "AffinityLimits": "LimitColumns",
         "NodeGroup": "GroupColumns", "Cardinality": "CardinalityColumns", "PlacementRule": "RuleColumns", "Uncertainty": "UncertaintyColumns",
         "Interference": "InterferenceColumns"}  # fmt: skip
FIELDS = {"OptionInfo.default_number": "default", "Apps.tag_begin": "tags", "Nodes.tag_begin": "tags"}
# Numbers of 64 bits that may be above 2^53.
BIG = ("Commit.planned_version", "Commit.version")
# Texts that are absent where they are empty, and a table that is there in any case.
TEXTS = ("Violation.what", "Conflict.app", "Conflict.node")
PLAIN = ("Verification.metrics",)
# Records that programs make too, with members that may be undefined.
MADE = ("Move",)
# Records that programs alone make. What they leave out has its default.
GIVEN = ("Request",)
NUMBERS = {"bool": "boolean", "ubyte": "number", "uint16": "number", "uint32": "number", "int32": "number", "uint64": "number", "double": "number"}
ARRAYS = {"ubyte": "Uint8Array", "uint32": "Uint32Array", "uint64": "Float64Array", "double": "Float64Array"}


@dataclasses.dataclass(frozen=True)
class Hand:
    """A member that is shaped by hand: its declaration, the expression that reads it of the table `from`, and its comment."""

    name: str
    kind: str
    read: str
    doc: tuple[str, ...] = ()
    optional: bool = False


HAND = {
    "ClusterMetrics.rule_violations": Hand("ruleViolations", "RuleViolations", "violationsOf(from)", ("As the plan's field, recounted by the checker.",)),
    "Verification.node_max_cost": Hand("nodeMaxCost", "Float64Array", "from.maxCost() < 0 ? undefined : copied(from.nodeMaxCostArray(), Float64Array)", optional=True),
    "Explanation.overridden": Hand("overridden", "OverriddenRule[]", "overriddenOf(from)",
                                   ("Placement rules of applications that contradict a rule of the operator, which prevails.",)),
    "Loss.app": Hand("moves", "{ app: number; to?: number; replicas: number }[]", "lossMovesOf(from)",
                     ("Where the replicas go; without `to`: nowhere.",)),
    "MoveOrder.moves": Hand("waves", "Move[][]", "wavesOf(all(from.movesLength(), (k) => from.moves(k), moveOf), from.waveEndsArray())",
                            ("The moves of a wave run at the same time, in any order. Replicas that begin to run come last.",)),
    "BoundEntry.objective": Hand("objective", "Objective | 'cost'", "from.objective() as BoundEntry['objective']", ("The quantity that it bounds.",)),
    "PlannerInfo.objectives": Hand("objectives", "(Objective | 'soft-rules')[]",
                                   "texts(from.objectivesLength(), (k) => from.objectives(k)) as PlannerInfo['objectives']",
                                   ("Objectives that the planner pursues; 'soft-rules' where it also reduces violations of soft placement rules.",)),
    "Request.planner": Hand("planner", "AnyPlanner | undefined", "", ('Name from the catalogue, such as "ff"; default: "auto".',), optional=True),
    "Request.options": Hand("options", "Readonly<Record<string, number | string>>", "", ("Options of the planner as the catalogue declares them.",),
                            optional=True),
    "Request.soft": Hand("soft", "SoftPolicy", "", ('Default: "first", or "price" where a `softPrice` is given.',), optional=True),
    "Request.keep": Hand("keep", "readonly Kept[]", "",
                         ("The plan keeps room for these replicas, all at once, beside those that it places (Plan.reserved). They count towards the nodes, and "
                          "nowhere else. Only with Objective.Nodes; no app twice.",), optional=True),
    "Request.goals": Hand("goals", "readonly (PlanGoal | GoalKind | (string & {}))[]", "", (
        "What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one beyond its tolerance. A text "
        "stands for `PlanGoal.words`. Takes the place of `objective` and `soft`. Soft rules come first where no goal names them. With GoalKind.Moves and "
        "no `move_budget`, any number of running replicas may move. Absent: what `objective` and `soft` say.",), optional=True),
    "Note.code": Hand("code", "NoteCode", "NOTE_CODES[from.code()] ?? 'not-improved'"),
    "PlannerInfo.needs_solver": Hand("needsSolver", "boolean", "from.needsSolver() || undefined",
                                     ("True: the planner needs a solver of linear programs, which only programs in C and C++ can set. It is refused here.",),
                                     optional=True),
}  # fmt: skip
# Enumerations of which programs give values too, and the names of the lists of their words.
LISTS = {"Objective": "OBJECTIVES", "SoftPolicy": "SOFT_POLICIES", "GoalKind": "GOAL_KINDS", "PlanStatus": "STATUSES", "NoteCode": "NOTE_CODES", "Measure": "MEASURES", "CardinalityKind": "CARDINALITY_KINDS",
         "ChanceModel": "CHANCE_MODELS", "Origin": "ORIGINS"}  # fmt: skip
# Comments that say what holds for the package alone.
DOCS = {
    "Verification.max_cost": ("As the plan's fields, recomputed by the checker; absent without kinds.",),
    "Verification.utilization": ("Highest utilization of each resource over the periods: (load + daemon load + demand) / capacity, both summed over the nodes "
                                 "in use.",),
    "Request": ("Which planner to run, its options, and the limits of the run. Without `deadlineMs` and `workLimit`, the planner's `defaultDeadlineMs` "
                "applies if it has one.",),
    "Kept": ("Room for more replicas of an app, which is an index.",),
    "Apps": ("The apps, one item of each column per app.",),
    "Apps.tag_begin": ("Tags that every replica of an app carries.",),
    "Apps.only_begin": ("Tags that every node of an app carries, as labels of its class or tags of its own.",),
    "Apps.not_begin": ("Tags that no node of an app carries.",),
    "Nodes": ("The listed nodes, one item of each column per node.",),
    "Nodes.tag_begin": ("Tags of single nodes, in addition to the labels of their class.",),
    "NodeGroup.by_label": ("Instead of listed sets, the key of a label: nodes with the same value of it form a set, anonymous nodes included.",),
    "Cardinality": ("A condition of a placement rule: how much of the target there may be in each node set that has the subject (P2, section 4.2).",),
    "CardinalityKind": ("What a condition counts.",),
    "Loss.nodes": ("The lost nodes, numbered as in LossQuestion.",),
}  # fmt: skip
# The package names the library's version, and the catalogue with it.
WITHOUT = without("JavaScript") - {"Catalogue.version", "Catalogue.planners"}


def type_name(name: str) -> str:
    return TYPES.get(name, name)


def reader_name(table: str) -> str:
    return f"{table[0].lower()}{table[1:]}Of"


def member_name(owner: str, field: Field) -> str:
    name = f"{owner}.{field.name}"
    return HAND[name].name if name in HAND else FIELDS.get(name, camel(field.name))


def is_index(field: Field) -> bool:
    """Whether the number is an index that may be absent."""
    return not field.many and field.inner == "uint32" and field.none == NO_INDEX


def is_optional(owner: str, field: Field, schema: Schema) -> bool:
    """Whether the member may be absent."""
    name = f"{owner}.{field.name}"
    if name in HAND:
        return HAND[name].optional
    if owner in GIVEN:
        return True
    if field.many:
        return False
    if schema.what(field.inner) == "table":
        return not field.required and name not in PLAIN
    return name in TEXTS or field.none is not None or field.inner == "double" and field.default == "-1"


def type_of(owner: str, field: Field, schema: Schema) -> str:
    name, inner = f"{owner}.{field.name}", field.inner
    if name in HAND:
        return HAND[name].kind
    if field.many:
        return ARRAYS[inner] if inner in ARRAYS else "string[]" if inner == "string" else f"{type_name(inner)}[]"
    if owner in GIVEN and inner == "uint64" and "unit" not in field.attributes:
        return "number | bigint"
    return "bigint" if name in BIG else enum_of(field, schema) or NUMBERS.get(inner) or ("string" if inner == "string" else type_name(inner))


def public(table: Type) -> list[Field]:
    """The fields that programs see, in the order of the members."""
    fields = [field for field in table.fields if f"{table.name}.{field.name}" not in WITHOUT | HELD]
    order = ORDER.get(table.name)
    return sorted(fields, key=lambda field: order.index(field.name)) if order else fields


def reference(schema: Schema, owner: str, text: str) -> str:
    """A name of the schemas, as TypeScript has it."""
    table, _, name = text.rpartition(".")
    one = schema.types.get(table or owner)
    if not one or name not in (field.name for field in one.fields):
        return text
    if table in ("Instance", "Interference"):
        return f"the instance's {name.replace('_', ' ')}"
    if one.what == "enum":
        return f"{kebab(table).replace('-', ' ')} `'{kebab(name)}'`".lstrip()
    shown = member_name(one.name, one.field(name))
    return f"`{shown}`" if not table or table == owner else f"`{type_name(table)}.{shown}`"


def document(schema: Schema, owner: str, lines: tuple[str, ...], optional: bool = True) -> str:
    """The comment of a member or type, with the names that TypeScript has."""
    phrases = [(rf"\b({NO_INDEX}|18446744073709551615)\b", "absent"), (r"(?<=; )0(?= = )", "absent"), (r"\b[Nn]egative(?= (?:=|without|where|with other))", "absent")]
    text = " ".join(lines).replace('"*"', '`EACH_NODE` ("*")')
    for pattern, instead in phrases if optional else ():
        text = re.sub(pattern, instead, text)
    text = re.sub(r"(^|\. )absent\b", lambda match: f"{match[1]}Absent", text)
    parts = re.split(r"(`[^`]*`)", text)
    for k, part in enumerate(parts):
        if part.startswith("`"):
            plain = part.strip("`")
            named = reference(schema, owner, plain)
            # Values of an enumeration name members of another type.
            parts[k] = f"`{camel(plain) if re.fullmatch('[a-z_]+', plain) else plain}`" if named == plain else named
        else:
            parts[k] = re.sub(r"\b[A-Z]\w+\.\w+\b|\b[a-z]+(?:_[a-z]+)+\b", lambda match: reference(schema, owner, match[0]), part)
    return re.sub(r"(?<=\. )[a-z](?=[a-z]+ [a-z]+ `')", lambda match: match[0].upper(), "".join(parts))


def comment(paragraphs: list[str], indent: str = "") -> list[str]:
    """A comment for readers of the package, on one line if it fits."""
    if paragraphs and len(paragraphs) == 1 and len(indent) + len(paragraphs[0]) <= 124:
        return [f"{indent}/** {paragraphs[0]} */"]
    lines = [line for text in paragraphs for line in textwrap.wrap(text, 127 - len(indent), subsequent_indent="  " * text.startswith("- "),
                                                                  break_long_words=False, break_on_hyphens=False) or [""]]  # fmt: skip
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"] if lines else []
