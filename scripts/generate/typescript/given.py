"""Makes the tables that programs give the npm package: derivations, samples, questions and usage, and what an instance has beside apps and
nodes. Their types, the code that checks and writes them, and for instances the code that reads them."""

from .names import DOCS, LISTS, comment, document, reader_name, type_name
from .records import NOTE, words
from ..schema import NO_INDEX, Field, Schema, Type
from ..shapes import enum_of
from ..words import camel, pascal, upper_snake

# The tables in the order of the file, with their schemas. A table comes after those that it has.
TABLES = {"derivation": ("ResourceFactors", "AppChange", "ClassChange", "Derivation"), "learning": ("Feature", "Samples", "Goal", "Question", "SizeRule", "Usage")}
HEAD = """
// What programs give: how an instance differs from another one, and what sizes are learned from. Members that may be absent are so by
// undefined, too.
import type { Encoder, Offset } from './encoder.js';
import { code, type Doubles, type Words } from './lists.js';
import * as derivation from './wire/derivation_generated.js';
import * as learning from './wire/learning_generated.js';
"""
# The same of instances. What is given as columns may have further keys.
PARTS = ("NodeClass", "AffinityLimits", "NodeGroup", "Cardinality", "Conjunction", "PlacementRule", "Uncertainty", "Interference")
PARTS_HEAD = """
// What an instance has beside apps and nodes, as columns and lists.
import { filled, present, rowsOf, tablesOf, textsOf, type Rows } from './column-parts.js';
import type { Encoder, Offset } from './encoder.js';
import { code, word, type Doubles, type Words } from './lists.js';
import { index, known } from './report-parts.js';
import type { Steps } from './watch.js';
import * as wire from './wire/instance_generated.js';
"""
# Two columns that are one member, the rows; the second is named by the first.
ROWS = {"NodeGroup.set_begin": "sets", "NodeGroup.node": "sets"}
# Types of the schemas: the type of a column, and the encoder's functions that write it where it is required and where it is not.
COLUMNS = {"string": ("readonly string[]", "names", "texts"), "uint32": ("Words", "words", "words"), "double": ("Doubles", "doubles", "doubles"),
           "ubyte": ("Uint8Array | readonly number[]", "bytes", "bytes")}  # fmt: skip
# Numbers and words that have to be there, and what errors call them.
REQUIRED = {"Goal.value": "goal"}


def is_reference(fields: tuple[Field, ...], k: int) -> bool:
    """Whether a number says what the name before it may say, too."""
    return k > 0 and fields[k].inner == "uint32" and fields[k].default == NO_INDEX and fields[k - 1].name == "name"


def members(table: Type) -> list[tuple[Field, bool]]:
    """The fields that are members, and whether each is a name or an index."""
    fields = [field for field in table.fields if field.name != "format"]
    pairs = [(field, is_reference(tuple(fields), k) and table.name not in PARTS) for k, field in enumerate(fields)]
    named = [k - 1 for k, (_, reference) in enumerate(pairs) if reference]
    return [pair for k, pair in enumerate(pairs) if k not in named]


def flat(schema: Schema, name: str) -> str | None:
    """Of a table that has nothing but a list of tables, the tables: it is the list."""
    fields = schema.types[name].fields if schema.what(name) == "table" else ()
    return fields[0].inner if len(fields) == 1 and fields[0].many and schema.what(fields[0].inner) == "table" else None


def name_of(table: Type, field: Field) -> str:
    return ROWS.get(f"{table.name}.{field.name}", camel(field.name))


def is_required(table: Type, field: Field, reference: bool) -> bool:
    return reference or field.required or f"{table.name}.{field.name}" in REQUIRED


def kind_of(schema: Schema, field: Field, reference: bool) -> str:
    inner = field.inner
    if reference:
        return "string | number"
    if field.many:
        lists = flat(schema, inner)
        return COLUMNS[inner][0] if inner in COLUMNS else f"readonly (readonly {type_name(lists)}[])[]" if lists else f"readonly {inner}[]"
    return enum_of(field, schema) or {"string": "string", "bool": "boolean", "uint32": "number", "double": "number"}.get(inner, inner)


def interface(schema: Schema, table: Type) -> list[str]:
    out = [*comment([document(schema, table.name, DOCS.get(table.name, table.doc))]), f"export interface {type_name(table.name)} {{"]
    for field, reference in members(table):
        if f"{table.name}.{field.name}" in ROWS:
            out += ["  sets?: Rows | undefined;"] * field.name.endswith("_begin")
            continue
        required = is_required(table, field, reference)
        default = f"'{field.default.lower()}'" if enum_of(field, schema) and field.default else field.default
        says = not required and default not in (None, "0", "-1", "false", NO_INDEX)
        doc = DOCS.get(f"{table.name}.{field.name}", field.doc)
        text = "Its name or its index." if reference else document(schema, table.name, doc, not required and not says)
        text += f"{' ' * bool(text)}Default: {default}." * says
        kind = kind_of(schema, field, reference)
        out += [*(comment([text], "  ") if text else []), f"  {camel(field.name)}: {kind};" if required else f"  {camel(field.name)}?: {kind} | undefined;"]
    return [*out, "}", ""]


def writing(schema: Schema, table: Type, field: Field, reference: bool) -> str:
    """The expression that checks a member and writes its text, columns or tables, if it has any."""
    inner, path = field.inner, f"`${{prefix}}{field.name}`"
    value = f"from.{camel(field.name)}"
    if f"{table.name}.{field.name}" in ROWS:
        return f"encoder.words(from.{name_of(table, field)}?.{'begin' if field.name.endswith('_begin') else 'index'}, {path})"
    if table.name in PARTS and inner == "uint32" and not field.many:
        return f"word({value} ?? {field.default or 0}, {path})"
    if reference:
        return f"encoder.reference({value}, {path})"
    if field.many and inner in COLUMNS:
        return f"encoder.{COLUMNS[inner][1 if field.required else 2]}({value}{' ?? []' if field.required and inner != 'string' else ''}, {path})"
    if field.many:
        return f"encoder.tables({value}, {path}, write{inner}{', true' if field.required else ''})"
    if schema.what(inner) == "table":
        return f"write{inner}(encoder, {value}, {path}, prefix)"
    if enum_of(field, schema):
        return f"{'oneOf' if is_required(table, field, reference) else 'code'}({value}, {LISTS[inner]}, {path})"
    if inner == "string":
        return f"encoder.{'required' if field.required else 'text'}({value}, {path})"
    if inner == "bool":
        return f"{value} ?? {field.default or 'false'}"
    if f"{table.name}.{field.name}" in REQUIRED:
        return f"encoder.number({value}, undefined, `${{prefix}}{REQUIRED[f'{table.name}.{field.name}']}`)"
    return f"encoder.{'number' if inner == 'double' else 'count'}({value}, {field.default or 0}, {path})"


def writer(schema: Schema, table: Type, wire: str) -> list[str]:
    name, fields, free = table.name, members(table), table.name in PARTS
    keys = [f"  '{camel(field.name)}'," for field, _ in fields]
    out = [] if free else [f"const {upper_snake(name)}: ReadonlySet<string> = new Set<keyof {name}>([", *keys, "]);", ""]
    out += ["/** @internal */", f"export function write{name}(encoder: Encoder, from: {type_name(name)}, path: string, prefix = path === '' ? '' : `${{path}}.`): Offset {{"]
    out += [*([] if free else [f"  encoder.object(from, {upper_snake(name)}, path);"]), "  const { builder } = encoder;"]
    out += [f"  const {f'[name, {camel(field.name)}]' if reference else camel(field.name)} = {writing(schema, table, field, reference)};" for field, reference in fields]
    out.append(f"  {wire}.{name}.start{name}(builder);")
    for field, reference in fields:
        out += [f"  {wire}.{name}.addName(builder, name);"] * reference
        out.append(f"  {wire}.{name}.add{pascal(field.name)}(builder, {camel(field.name)});")
    return [*out, f"  return {wire}.{name}.end{name}(builder);", "}", ""]


def list_of_lists(schema: Schema, table: Type) -> list[str]:
    """Writes and reads a table that is a list."""
    field = table.fields[0]
    kind, name = f"readonly {type_name(field.inner)}[]", camel(field.name)
    return ["/** @internal */", f"export function write{table.name}(encoder: Encoder, from: {kind}, path: string): Offset {{",
            f"  const {name} = encoder.tables(from, `${{path}}.{field.name}`, write{field.inner}, true);",
            f"  return wire.{table.name}.create{table.name}(encoder.builder, {name});", "}", "",
            f"const {reader_name(table.name)} = (from: wire.{table.name}, steps: Steps): {kind} =>",
            f"  tablesOf(from.{name}Length(), (k) => from.{name}(k), {reader_name(field.inner)}, steps);", ""]  # fmt: skip


def reading(schema: Schema, table: Type, field: Field, after: Field | None) -> str:
    """The expression that reads a field of the table `from`; undefined where it is absent."""
    inner, value, enum = field.inner, f"from.{camel(field.name)}", enum_of(field, schema)
    if f"{table.name}.{field.name}" in ROWS:
        return f"rowsOf({value}Array(), from.{camel(after.name)}Array())"
    if field.many and inner == "string":
        return f"textsOf({value}Length(), (k) => {value}(k), steps)"
    if field.many and inner in COLUMNS:
        kind = {"uint32": "Uint32Array", "double": "Float64Array"}[inner]
        return f"{value}Array() ?? new {kind}()" if field.required else f"filled({value}Array())"
    if field.many:
        return f"tablesOf({value}Length(), (k) => {value}(k), {reader_name(inner)}, steps)"
    if inner == "string":
        return f"{value}() ?? ''" if field.required else f"present({value}())"
    if enum:
        return f"{LISTS[enum]}[{value}()]"
    return f"index({value}())" if field.none else f"known({value}())" if field.default == "-1" else f"{value}()"


def reader(schema: Schema, table: Type) -> list[str]:
    pairs = [(field, after) for field, after in zip(table.fields, (*table.fields[1:], None)) if f"{table.name}.{field.name}" != "NodeGroup.node"]
    lines = [f"  {name_of(table, field)}: {reading(schema, table, field, after)}," for field, after in pairs]
    steps = ", steps: Steps" * any("steps" in line for line in lines)
    return ["/** @internal */", f"export const {reader_name(table.name)} = (from: wire.{table.name}{steps}): {type_name(table.name)} => ({{", *lines, "});", ""]


def typescript_parts(schema: Schema) -> str:
    out = [NOTE, *PARTS_HEAD.lstrip().splitlines(), ""]
    for name in ("CardinalityKind", "ChanceModel", "Origin"):
        out += words(schema, schema.types[name])
    for name in PARTS:
        table = schema.types[name]
        out += list_of_lists(schema, table) if flat(schema, name) else [*interface(schema, table), *writer(schema, table, "wire"), *reader(schema, table)]
    return "\n".join(out[:-1] + [""])


def typescript_given(schema: Schema) -> str:
    out = [NOTE, *HEAD.lstrip().splitlines(), "", *words(schema, schema.types["Measure"])]
    for wire, names in TABLES.items():
        for name in names:
            out += [*interface(schema, schema.types[name]), *writer(schema, schema.types[name], wire)]
    return "\n".join(out[:-1] + [""])
