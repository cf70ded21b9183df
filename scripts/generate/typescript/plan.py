"""Makes what the npm package knows of the content of plans that it writes: its type, and the code that writes it."""

from .names import LISTS
from ..schema import Field, Schema
from ..shapes import enum_of
from ..words import camel, kebab, pascal

NOTE = "// Made by scripts/generate-bindings.py from the schemas. Do not edit."
HEAD = """
// The content of plans that are built in this package.
import type { Encoder, Offset } from './encoder.js';
import { NONE, type Doubles, type Words } from './lists.js';
import { boundTable, copyVector, leftOverVector, noteVector, placedVector, textOf, unplacedVector } from './plan-parts.js';
import { NOT_KNOWN, type RuleViolations, type Score } from './plan.js';
import { STATUSES, type Bound, type LeftOver, type Note, type PlanStatus, type Unplaced } from './plan-records.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import * as wire from './wire/plan_generated.js';
"""
NUMBERS = {"uint32": "number", "double": "number", "bool": "boolean"}
# The fields that are there in any plan.
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
    return "\n".join([*out, "  return wire.Plan.endPlan(builder);", "}", ""])
