"""Makes the records of the npm package: their types, and the code that reads them."""

from .names import (BIG, BODIES, CATALOGUE, DOCS, GIVEN, HAND, KINDS, LISTS, MADE, PLANS, REPORTS, TEXTS, comment, document, is_index, is_optional, member_name, public, reader_name, type_name,
                    type_of)  # fmt: skip
from ..schema import Field, Schema, Type
from ..shapes import enum_of
from ..words import camel, kebab

NOTE = "// Made by scripts/generate-bindings.py from the schemas. Do not edit."
REPORTS_HEAD = """
// Reports and the catalogue as plain objects. Members that do not apply are absent.
import { violationsOf, type RuleViolations } from './placements.js';
import {
  all, copied, counts, decoded, decodedCatalogue, found, index, known, lossMovesOf, overriddenOf, record, report, texts, wavesOf, word,
  type OverriddenRule,
} from './report-parts.js';
import type { Objective } from './request.js';
import * as catalogue from './wire/catalogue_generated.js';
import * as wire from './wire/report_generated.js';
"""
PLANS_HEAD = """
// Parts of plans as plain objects. Members that do not apply are absent.
import { index, known, record } from './report-parts.js';
import { GOAL_KINDS, type GoalKind } from './request.js';
import * as wire from './wire/plan_generated.js';
"""


def words(schema: Schema, enum: Type) -> list[str]:
    """The type of an enumeration, whose values programs see as words."""
    said = [f"- `'{kebab(value.name)}'`: {document(schema, enum.name, value.doc)}".removesuffix(": ") for value in enum.fields]
    doc = [document(schema, enum.name, DOCS.get(enum.name, enum.doc)), "", *said]
    out = [*comment(doc), f"export type {enum.name} =", *(f"  | '{kebab(value.name)}'" for value in enum.fields)]
    out[-1] += ";"
    if enum.name in LISTS:
        out += [f"export const {LISTS[enum.name]}: readonly {enum.name}[] = [", *(f"  '{kebab(value.name)}'," for value in enum.fields), "];"]
    return [*out, ""]


def in_json(table: Type, schema: Schema) -> str:
    """What JSON makes of members that it has no form for."""
    big = [member_name(table.name, field) for field in public(table) if f"{table.name}.{field.name}" in BIG]
    columns = any(type_of(table.name, field, schema).endswith("Array") for field in public(table))
    said = [f"{' and '.join(f'`{name}`' for name in big)} as decimal digits, which `BigInt` reads"] if big else []
    said += ["columns as arrays"] if columns else []
    return f" `JSON.stringify` writes {', and '.join(said)}." if said else ""


def interface(schema: Schema, table: Type) -> list[str]:
    out = [*comment([document(schema, table.name, DOCS.get(table.name, table.doc)) + in_json(table, schema)]), f"export interface {type_name(table.name)} {{"]
    for field in public(table):
        name, optional = f"{table.name}.{field.name}", is_optional(table.name, field, schema)
        doc = HAND[name].doc if name in HAND else DOCS.get(name, field.doc)
        text = document(schema, table.name, doc, optional or not field.many)
        if table.name in GIVEN and enum_of(field, schema) and name not in HAND:
            text += f" Default: `'{kebab(field.default)}'`."
        kind = type_of(table.name, field, schema) + (" | undefined" if optional and table.name in MADE else "")
        out += [*(comment([text], "  ") if text else []), f"  {member_name(table.name, field)}{'?' * optional}: {kind};"]
    return [*out, "}", ""]


def listing(field: Field) -> str:
    """The expression that reads a list of tables, structs or texts of the table `from`."""
    name = camel(field.name)
    each = f"from.{name}Length(), (k) => from.{name}(k)"
    return f"texts({each})" if field.inner == "string" else f"all({each}, {reader_name(field.inner)})"


def reading(schema: Schema, owner: str, field: Field) -> str:
    """The expression that reads a field of the table `from`; undefined where the member is absent."""
    name, inner, kind = f"{owner}.{field.name}", field.inner, type_of(owner, field, schema)
    value = f"from.{camel(field.name)}"
    if name in HAND:
        return HAND[name].read
    if field.many and inner == "uint64":
        return f"counts({value}Length(), (k) => {value}(k))"
    if field.many:
        return f"copied({value}Array(), {kind})" if kind.endswith("Array") else listing(field)
    if schema.what(inner) == "table":
        return f"found({value}(), {reader_name(inner)})" if is_optional(owner, field, schema) else f"{reader_name(inner)}({value}()!)"
    if "values" in field.attributes and owner in PLANS:
        enum = schema.types[enum_of(field, schema)]
        return f"{LISTS[enum.name]}[{value}()] ?? '{kebab(enum.fields[0].name)}'"
    if enum_of(field, schema):
        return f"word<{kind}>(wire.{inner}, {value}())"
    if inner == "string":
        return f"{value}() || undefined" if name in TEXTS else f"{value}() ?? ''"
    if is_index(field):
        return f"index({value}())"
    if is_optional(owner, field, schema):
        return f"known({value}())" if inner == "double" else f"Number({value}()) || undefined"
    return f"Number({value}())" if inner == "uint64" and kind == "number" else f"{value}()"


def reader(schema: Schema, table: Type) -> list[str]:
    """The function that reads a record."""
    name, module = type_name(table.name), "catalogue" if table.name in CATALOGUE else "wire"
    fields = [(member_name(table.name, field), is_optional(table.name, field, schema), reading(schema, table.name, field)) for field in public(table)]
    made = f"report<{name}>" if in_json(table, schema) else f"record<{name}>" if any(optional for _, optional, _ in fields) else ""
    lines = [f"  {member}: {value}," for member, _, value in fields]
    exported = "/** @internal */\nexport " if table.name in PLANS else ""
    return [f"{exported}const {reader_name(table.name)} = (from: {module}.{table.name}): {name} => {made}({{", *lines, "});", ""]


def decoder(schema: Schema, table: Type) -> list[str]:
    """The function that reads the bytes of a report."""
    only = table.fields[0] if table.name not in REPORTS else None
    kind = f"{type_name(only.inner)}[]" if only else type_name(table.name)
    read = f"(from) => {listing(only)}" if only else reader_name(table.name)
    return [f"export const decode{table.name} = (bytes: Uint8Array): {kind} =>",
            f"  decoded(bytes, wire.ReportBody.{table.name}, new wire.{table.name}(), {read});", ""]  # fmt: skip


def typescript_plans(schema: Schema) -> str:
    out = [NOTE, *PLANS_HEAD.lstrip().splitlines(), ""]
    for name in ("PlanStatus", "NoteCode"):
        out += words(schema, schema.types[name])
    for name in PLANS:
        table = schema.types[name]
        # Placements are read from the bytes on access.
        out += [*interface(schema, table), *(reader(schema, table) if name != "Placed" else [])]
    return "\n".join(out[:-1] + [""])


def typescript_reports(schema: Schema) -> str:
    out = [NOTE, *REPORTS_HEAD.lstrip().splitlines(), ""]
    for name in KINDS:
        out += words(schema, schema.types[name])
    for name in REPORTS:
        out += [*interface(schema, schema.types[name]), *reader(schema, schema.types[name])]
    for name in BODIES:
        out += decoder(schema, schema.types[name])
    out += ["export const decodeCatalogue = (bytes: Uint8Array): Catalogue => decodedCatalogue(bytes, catalogueOf);"]
    return "\n".join([*out, ""])
