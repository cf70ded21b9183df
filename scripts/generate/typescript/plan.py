"""Makes what the npm package knows of plans: the fields that it reads, and the content that it writes."""

import re

from .names import LISTS, comment, document
from ..schema import Field, Schema
from ..shapes import enum_of, plain_plan_fields
from ..words import camel, kebab, pascal

NOTE = "// Made by scripts/generate-bindings.py from the schemas. Do not edit."
HEAD = """
// The content of plans that are built in this package.
import type { Encoder, Offset } from './encoder.js';
import { NONE, type Doubles, type Words } from './lists.js';
import { NOT_KNOWN, type RuleViolations, type Score } from './placements.js';
import { boundTable, copyVector, leftOverVector, noteVector, placedVector, reachedGoalVector, textOf, tracedPartVector, unplacedVector } from './plan-parts.js';
import { STATUSES, type Bound, type LeftOver, type Note, type PlanStatus, type ReachedGoal, type TracedPart, type Unplaced } from './plan-records.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import * as wire from './wire/plan_generated.js';
"""
FIELDS_HEAD = """
// The fields of a plan. Those that do not apply are undefined.
import * as flatbuffers from 'flatbuffers';
import { NOT_KNOWN, copiesIn, listOf, placementsOf, scoreOf, violationsOf, type Placements, type RuleViolations, type Score } from './placements.js';
import {
  STATUSES, boundOf, leftOverOf, noteOf, reachedGoalOf, tracedPartOf, unplacedOf, type Bound, type LeftOver, type Note, type PlanStatus, type ReachedGoal, type TracedPart, type Unplaced,
} from './plan-records.js';
import { found, index, known } from './report-parts.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import type { Steps } from './watch.js';
import * as wire from './wire/plan_generated.js';
"""
# The fields that are shaped by hand: declaration, the expression that reads it of the table `from`, and its comment, if that is not the
# schema's. A field without a declaration belongs to the one before.
SHAPED = {
    "node_class": ("nodeClass: Uint32Array", "from.nodeClassArray() ?? new Uint32Array()", ("Class of each node of the plan.",)),
    "listed": ("listed: Uint32Array", "from.listedArray() ?? new Uint32Array()",
               ("Index of each node among the instance's listed nodes; `NONE` for an anonymous node of its class. Listed nodes come first.",)),
    "copies": ("copies: Uint32Array | undefined", "copiesIn(from)",
               ("Number of copies of each node, all with the same content; 1 for a listed node. Undefined = all 1, as in plans whose request is not `compact`. "
                "`expandPlan` lists every copy.",)),
    "placed": ("placements: Placements", "placementsOf(source, from.placedLength(), from.placedLength() === 0 ? null : from.placed(0))", ()),
    "reserved": ("reserved: Placements", "placementsOf(source, from.reservedLength(), from.reservedLength() === 0 ? null : from.reserved(0))",
                 ("Where there is room for the replicas of Request.keep, all at once.",)),
    "rule_violations": ("ruleViolations: RuleViolations | undefined", "from.violationCost() < 0 ? undefined : violationsOf(from)",
                        ("Undefined where the instance has no placement rules.",)),
    "has_score": ("score: Score | undefined", "scoreOf(from)", ("Undefined where the planner has no score.",)),
    "not_survived": ("notSurvived: number | undefined", "from.notSurvived() === NOT_KNOWN ? undefined : Number(from.notSurvived())",
                     ("Replicas that the worst of these losses leaves without a place; 0: the plan survives each of them. Undefined: not known, for the run ended "
                      "before all were looked at.",)),
    **dict.fromkeys(("violating_replicas", "violation_extent", "violation_weight", "violation_cost", "score", "score_bound", "score_gap")),
}  # fmt: skip
# What a value of an enumeration counts as that only a later library knows, where that is not the first one.
UNKNOWN = {"PlanStatus": "partial"}
NUMBERS = {"uint32": "number", "double": "number", "bool": "boolean"}
# The numbers that the JSON form has of any plan, and the fields that are there in any plan.
COUNTED = ("seed", "work", "inherited_violations", "moves")
ALWAYS = ("instance", "planner", "status", "seed", "work", "pace", "node_class", "listed", "placed", "unplaced")
# The members that are shaped by hand, with what each of their fields is written from.
HAND = {
    "not_survived": ("notSurvived: number | undefined", "content.notSurvived === undefined ? NOT_KNOWN : BigInt(content.notSurvived)"),
    "rule_violations": ("ruleViolations?: RuleViolations | undefined", "BigInt(content.ruleViolations?.count ?? 0)"),
    "violating_replicas": ("", "BigInt(content.ruleViolations?.replicas ?? 0)"),
    "violation_extent": ("", "content.ruleViolations?.extent ?? 0"),
    "violation_weight": ("", "content.ruleViolations?.weight ?? 0"),
    "violation_cost": ("", "content.ruleViolations?.cost ?? -1"),
    "has_score": ("score?: Score | undefined", "content.score !== undefined"),
    "score": ("", "content.score?.value ?? 0"),
    "score_bound": ("", "content.score?.bound ?? 0"),
    "score_gap": ("", "content.score?.gap ?? -1"),
}
# What errors call a column, where that is not the name of its field.
PATHS = {"node_class": "nodes", "listed": "nodes", "node_ucac": "ucac", "node_max_cost": "max_cost"}


def member(field: Field, schema: Schema) -> str:
    if field.name in HAND:
        return HAND[field.name][0]
    inner = field.inner
    if field.many:
        kind = {"uint32": "Words", "double": "Doubles", "Placed": "Uint32Array"}.get(inner, f"readonly {inner}[]")
    else:
        kind = "bigint" if inner == "uint64" else enum_of(field, schema) or NUMBERS.get(inner) or ("string" if inner == "string" else inner)
    return f"{camel(field.name)}: {kind}" if field.name in ALWAYS else f"{camel(field.name)}?: {kind} | undefined"


def part(field: Field, schema: Schema) -> str:
    """The expression that writes the vector, text or table of a field before the plan; "" for a number."""
    value, path = f"content.{camel(field.name)}", PATHS.get(field.name, field.name)
    if field.name == "copies":
        return f"copyVector(encoder, {value})"
    if not field.many:
        write = {"string": "encoder.required(" if field.required else "textOf(encoder, ", "Bound": "boundTable(encoder, "}.get(field.inner)
        return f"{write}{value}, '{path}')" if write else ""
    write = {"uint32": f"encoder.words({value}, '{path}')", "double": f"encoder.doubles({value}, '{path}')"}.get(
        field.inner, f"{field.inner[0].lower()}{field.inner[1:]}Vector(encoder, {value})")  # fmt: skip
    return write if field.required else f"{value}?.length ? {write} : 0"


def number(field: Field, schema: Schema) -> str:
    value, enum = f"content.{camel(field.name)}", enum_of(field, schema)
    if field.name in HAND:
        return HAND[field.name][1]
    if enum:
        given = value if field.name in ALWAYS else f"{value} ?? '{kebab(schema.types[enum].fields[0].name)}'"
        return f"{LISTS[enum]}.indexOf({given})"
    if field.name in ALWAYS:
        return value
    default = "false" if field.inner == "bool" else "NONE" if field.none and field.inner == "uint32" else field.default or "0"
    return f"{value} ?? {default}"


def shaped(field: Field, schema: Schema) -> tuple[str, str, tuple[str, ...]] | None:
    """A field of a plan that is read: declaration, expression and comment."""
    if field.name in SHAPED:
        return SHAPED[field.name] and (*SHAPED[field.name][:2], SHAPED[field.name][2] or field.doc)
    name, inner, enum = camel(field.name), field.inner, enum_of(field, schema)
    value = f"from.{name}()"
    if enum:
        kind, read = enum, f"{LISTS[enum]}[{value}] ?? '{UNKNOWN.get(enum, kebab(schema.types[enum].fields[0].name))}'"
    elif field.many and inner == "double":
        kind, read = "Float64Array | undefined", f"from.{name}Array() ?? undefined"
    elif field.many:
        kind, read = f"readonly {inner}[]", f"listOf(from.{name}Length(), (k) => from.{name}(k), {inner[0].lower()}{inner[1:]}Of, steps)"
    elif inner == "Bound":
        kind, read = "Bound | undefined", f"found({value}, boundOf)"
    elif inner == "string":
        kind, read = ("string", f"{value} ?? ''") if field.required else ("string | undefined", f"{value} ?? undefined")
    elif field.none or field.default == "-1":
        kind, read = "number | undefined", f"{value} > 0 ? {value} : undefined" if field.none == "0" else f"{'index' if inner == 'uint32' else 'known'}({value})"
    else:
        kind, read = {"uint64": "bigint", "bool": "boolean"}.get(inner, "number"), value
    return f"{name}: {kind}", read, field.doc


def typescript_plan_fields(schema: Schema) -> str:
    fields = [one for field in schema.types["Plan"].fields if field.name != "format" and (one := shaped(field, schema))]
    out = [NOTE, *FIELDS_HEAD.lstrip().splitlines(), "", "/** The fields of a plan. */", "export interface PlanFields {"]
    for declared, _, doc in fields:
        # Members are always there.
        instead = "empty" if declared.split(": ")[1].startswith("readonly") else "undefined"
        text = re.sub("Absent" if instead == "empty" else "[Aa]bsent", lambda match: instead.capitalize() if match[0][0] == "A" else instead, document(schema, "Plan", doc))
        out += [*(comment([text], "  ") if text else []), f"  readonly {declared};"]
    out += ["}", "", "/** @internal */", "export function planFieldsOf(source: Uint8Array, steps: Steps): PlanFields {",
            "  const from = wire.Plan.getRootAsPlan(new flatbuffers.ByteBuffer(source));", "  return {"]  # fmt: skip
    return "\n".join([*out, *(f"    {declared.split(': ')[0]}: {read}," for declared, read, _ in fields), "  };", "}", ""])


def plain(schema: Schema) -> list[str]:
    """The fields that the JSON form has as they are."""
    out = ["/** A bound with the name of its resource. */", "export interface BoundDescription {", "  name: string;", "  value: number;",
           "  resource?: string;", "  period?: number;", "}", "",
           "/** Fields of a plan that its JSON form has as they are. Optional ones are absent where they do not apply. */",
           "export interface PlainPlanFields {"]  # fmt: skip
    for field in plain_plan_fields(schema):
        kind = {"Bound": "BoundDescription", "string": "string", "bool": "boolean"}.get(field.inner, "number")
        out += [*(comment([" ".join(field.doc)], "  ") if field.doc else []), f"  {field.name}{'' if field.name in COUNTED else '?'}: {kind};"]
    return [*out, "}", ""]


def typescript_plan(schema: Schema) -> str:
    fields = [field for field in schema.types["Plan"].fields if field.name != "format"]
    members = [line for field in fields if (line := member(field, schema))]
    parts = {field.name: written for field in fields if (written := part(field, schema))}
    out = [NOTE, *HEAD.lstrip().splitlines(), "", "/** The content of a plan, by the names of plan.fbs. Placements are app, node and replicas of each entry. */",
           "export interface PlanContent {", *(f"  {line};" for line in members), "}", ""]  # fmt: skip
    out += ["/** Writes the texts, vectors and tables that a plan refers to. */", "const partsOf = (encoder: Encoder, content: PlanContent) => ({",
            *(f"  {camel(name)}: {written}," for name, written in parts.items()), "});", ""]  # fmt: skip
    out += ["/** @internal */", "export function writePlan(encoder: Encoder, content: PlanContent): Offset {", "  const { builder } = encoder;",
            "  const at = partsOf(encoder, content);", "  wire.Plan.startPlan(builder);"]  # fmt: skip
    for field in fields:
        value = f"at.{camel(field.name)}" if field.name in parts else number(field, schema)
        out.append(f"  wire.Plan.add{pascal(field.name)}(builder, {value});")
    return "\n".join([*out, "  return wire.Plan.endPlan(builder);", "}", "", *plain(schema)])
