"""Makes the tables in columns of the npm package: their types, and the code that writes and reads them."""

from .names import DOCS, FIELDS, comment, document, reader_name, type_name
from ..schema import Field, Schema, Type
from ..shapes import app_numbers, of_item, shape
from ..words import camel, pascal

# Tables in columns, and what paths call them.
TABLES = {"Apps": "apps", "Nodes": "nodes"}
NOTE = "// Made by scripts/generate-bindings.py from the schemas. Do not edit."
HEAD = """
// Apps and listed nodes as columns.
import { present, rowsOf, textsOf, type Rows } from './column-parts.js';
import type { Encoder, Offset } from './encoder.js';
import type { Doubles, Words } from './lists.js';
import type { Steps } from './watch.js';
import * as wire from './wire/instance_generated.js';
"""
# Types of the schemas: the type of a column, and the encoder's function that writes it.
COLUMNS = {"string": ("readonly string[]", "texts"), "uint32": ("Words", "words"), "double": ("Doubles", "doubles"),
           "int32": ("Int32Array | readonly number[]", "integers"), "ubyte": ("Uint8Array | readonly number[]", "bytes")}  # fmt: skip


def name_of(table: Type, field: Field) -> str:
    """The member; of starts of rows, the member that has the rows."""
    name = camel(field.name.removesuffix("_begin") if shape(field) == "tags" else field.name)
    return FIELDS.get(f"{table.name}.{field.name}", name)


def interface(schema: Schema, table: Type) -> list[str]:
    out = [*comment([document(schema, table.name, DOCS.get(table.name, table.doc))]), f"export interface {type_name(table.name)} {{"]
    for field in table.fields:
        if shape(field):
            text = document(schema, table.name, DOCS.get(f"{table.name}.{field.name}", field.doc), False)
            kind = "Rows" if shape(field) == "tags" else COLUMNS[field.inner][0]
            rest = f": {kind};" if field.required else f"?: {kind} | undefined;"
            out += [*(comment([text], "  ") if text else []), f"  {name_of(table, field)}{rest}"]
    return [*out, "}", ""]


def writer(table: Type) -> list[str]:
    given, rows, columns = TABLES[table.name], "", []
    for field in table.fields:
        rows = name_of(table, field) if shape(field) == "tags" else rows
        member = f"{given}.{name_of(table, field)}" + (" ?? []" if field.required else "")
        if shape(field) in ("tags", ""):
            member = f"{given}.{rows}?.{'begin' if shape(field) else 'index'}"
        columns.append(f"  const {camel(field.name)} = encoder.{COLUMNS[field.inner][1]}({member}, '{given}.{field.name}');")
    adds = [f"  wire.{table.name}.add{pascal(field.name)}(builder, {camel(field.name)});" for field in table.fields]
    return ["/** @internal */", f"export function encode{table.name}(encoder: Encoder, {given}: {type_name(table.name)}): Offset {{", *columns,
            "  const { builder } = encoder;", f"  wire.{table.name}.start{table.name}(builder);", *adds,
            f"  return wire.{table.name}.end{table.name}(builder);", "}", ""]  # fmt: skip


def reader(table: Type) -> list[str]:
    lines = []
    for field, after in zip(table.fields, (*table.fields[1:], None)):
        value = f"from.{camel(field.name)}"
        if shape(field) == "text":
            read = f"textsOf({value}Length(), (k) => {value}(k), steps)"
        elif shape(field) == "tags":
            read = f"rowsOf({value}Array(), from.{camel(after.name)}Array())"
        elif field.inner == "double":
            # C++ does not align an empty column, which no typed array can view.
            read = f"{value}Length() === 0 ? {'new Float64Array()' if field.required else 'undefined'} : {value}Array()!"
        else:
            read = f"{value}Array()!" if field.required else f"present({value}Array())"
        lines += [f"  {name_of(table, field)}: {read},"] if shape(field) else []
    return ["/** @internal */", f"export const {reader_name(table.name)} = (from: wire.{table.name}, steps: Steps): {type_name(table.name)} => ({{", *lines, "});", ""]


def numbers(schema: Schema) -> list[str]:
    """What an app has of the columns of numbers, as people write it."""
    out = ["/** Numbers that an app may have. */", "export interface AppNumbers {"]
    for field in app_numbers(schema):
        text = of_item(document(schema, "Apps", field.doc, False).split("\n")) + f" Default: {field.attributes.get('absent', 0)}."
        out += [*comment([text], "  "), f"  {field.name}?: number;"]
    return [*out, "}", ""]


def typescript_columns(schema: Schema) -> str:
    out = [NOTE, *HEAD.lstrip().splitlines(), "", *numbers(schema)]
    for name in TABLES:
        table = schema.types[name]
        out += [*interface(schema, table), *writer(table), *reader(table)]
    return "\n".join(out[:-1] + [""])
