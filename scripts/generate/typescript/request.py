"""Makes the request of the npm package: its type, and the code that writes it."""

from . import given
from .names import LISTS, member_name, public
from .records import NOTE, interface, words
from ..schema import Field, Schema
from ..shapes import enum_of
from ..words import kebab, pascal

HEAD = """
import type { Encoder, Offset } from './encoder.js';
import { onlyKeys } from './errors.js';
import { code } from './lists.js';
import { amount, beginRequest, count, goalsOf, keepVector, milliseconds, optionVector, whole, type AnyPlanner } from './request-parts.js';
import * as wire from './wire/request_generated.js';
"""
# What is written for fields that are no plain members.
WRITTEN = {
    "planner": "encoder.required(name, 'planner')",
    "options": "optionVector(encoder, given.options)",
    "soft": "code(given.soft ?? (given.softPrice === undefined ? 'first' : 'price'), SOFT_POLICIES, 'soft')",
    "keep": "keepVector(builder, given.keep)",
    "goals": "encoder.tables(goalsOf(given.goals), 'goals', writePlanGoal)",
}


def writing(schema: Schema, field: Field) -> str:
    """The expression that checks the member of a request and writes its text, if it is one."""
    value, enum = f"given.{member_name('Request', field)}", enum_of(field, schema)
    if field.name in WRITTEN:
        return WRITTEN[field.name]
    if field.many and schema.what(field.inner) == "table":
        return f"encoder.tables({value}, '{field.name}', write{field.inner})"
    if enum:
        return f"code({value} ?? '{kebab(field.default or schema.types[enum].fields[0].name)}', {LISTS[enum]}, '{field.name}')"
    if field.inner == "bool":
        return f"{value} ?? false"
    if field.attributes.get("unit") == "ms":
        return f"milliseconds({value}, '{field.name}')"
    return f"{ {'string': 'encoder.text', 'uint64': 'whole', 'uint32': 'count', 'double': 'amount'}[field.inner] }({value}, '{field.name}')"


def typescript_request(schema: Schema) -> str:
    table = schema.types["Request"]
    fields = public(table)
    out = [NOTE, *HEAD.lstrip().splitlines(), ""]
    for name in ("Objective", "SoftPolicy", "GoalKind"):
        out += words(schema, schema.types[name])
    tables = [schema.types[field.inner] for field in fields if field.many and schema.what(field.inner) == "table" and field.name != "options"]
    out += [*interface(schema, schema.types["Kept"]), *(line for one in tables for line in given.interface(schema, one)), *interface(schema, table)]
    out += [line for one in tables for line in given.writer(schema, one, "wire")]
    out += ["const KNOWN: ReadonlySet<string> = new Set<keyof PlanRequest>([", *(f"  '{member_name('Request', field)}'," for field in fields), "]);", ""]
    out += ["/** The bytes of a request. */", "export function encodeRequest(request: PlanRequest | AnyPlanner): Uint8Array {",
            "  const { encoder, given, name } = beginRequest(request);", "  onlyKeys(given, KNOWN, '');", "  const { builder } = encoder;"]  # fmt: skip
    out += [f"  const {member_name('Request', field)} = {writing(schema, field)};" for field in fields]
    out += ["  wire.Request.startRequest(builder);"]
    out += [f"  wire.Request.add{pascal(field.name)}(builder, {member_name('Request', field)});" for field in fields]
    return "\n".join([*out, "  wire.Request.finishRequestBuffer(builder, wire.Request.endRequest(builder));", "  return builder.asUint8Array();", "}", ""])
