"""Makes Request.java of the file Request.java beside this one, which has by hand what is no plain field of the table."""

import pathlib

from ..schema import Field, Schema
from ..shapes import enum_of
from ..words import camel, pascal, upper_snake
from .names import NUMBERS, document, type_name
from .records import FOLDER, NOTE, camel_type, wrapped

TEMPLATE = pathlib.Path(__file__).parent / "Request.java"
# Fields of which the template has all, and one of which it has the setter.
BY_HAND = ("format", "planner", "options", "keep")
SETTER_BY_HAND = ("soft_price",)


def is_tables(field: Field, schema: Schema) -> bool:
    return field.many and schema.what(field.inner) == "table"


def kind_of(field: Field, schema: Schema) -> str:
    if is_tables(field, schema):
        return f"List<{type_name(field.inner)}>"
    kind = "long" if field.attributes.get("unit") == "ms" else NUMBERS.get(field.inner, "String")
    return enum_of(field, schema) or kind


def first_of(field: Field, schema: Schema) -> str:
    """What stands behind the declaration of a member."""
    enum = enum_of(field, schema)
    if enum:
        return f" = {enum}.{upper_snake(field.default or schema.types[enum].fields[0].name)}"
    if is_tables(field, schema):
        return " = List.of()"
    if field.inner == "string":
        return ' = ""'
    return f" = {field.default}" if field.default not in (None, "0", "false") else ""


def setter(field: Field, schema: Schema) -> list[str]:
    name, member, kind = camel(field.name.removesuffix("_ms")), camel(field.name), kind_of(field, schema)
    doc, given, value = list(field.doc), kind, name
    if field.attributes.get("unit") == "ms":
        doc = [line.replace(" in milliseconds", ", rounded up to milliseconds").replace("this many milliseconds", "this time, rounded up to milliseconds")
               for line in doc]  # fmt: skip
        given, value = "Duration", f"milliseconds({name})"
    elif enum_of(field, schema):
        value = f"asked({name}, {kind}.UNKNOWN)"
    elif is_tables(field, schema):
        value = f"List.copyOf({name})"
    elif kind == "String":
        value = f"Objects.requireNonNull({name})"
    text = document(schema, "Request", tuple(doc)) or f"Sets the {name}."
    about = ["     *", *wrapped(f"@throws IllegalArgumentException for {{@link {kind}#UNKNOWN}}", "    ")] if enum_of(field, schema) else []
    return ["    /**", *wrapped(text, "    "), *about, "     */", f"    public Builder {name}({given} {name}) {{",
            f"      {'this.' if member == name else ''}{member} = {value};", "      return this;", "    }", ""]  # fmt: skip


def java_request(schema: Schema) -> dict[str, str]:
    """The file, by its path."""
    table = schema.types["Request"]
    fields = [field for field in table.fields if field.name not in BY_HAND]
    parts = [field for field in fields if field.inner == "string" or is_tables(field, schema)]
    places = {
        "MEMBERS": [f"    private {kind_of(field, schema)} {camel(field.name)}{first_of(field, schema)};" for field in fields],
        "COPIES": [f"      {camel(field.name)} = other.{camel(field.name)};" for field in fields],
        "SETTERS": [line for field in fields if field.name not in SETTER_BY_HAND for line in setter(field, schema)][:-1],
        "PARTS": [f"    int {camel(field.name)} = from.{camel(field.name)}.isEmpty() ? 0 : {part(field, schema)};" for field in parts],
        "NUMBERS": [f"    stowage.wire.Request.add{pascal(field.name)}(fbb, {value_of(field, schema)});" for field in fields],
    }
    out = [NOTE]
    for line in TEMPLATE.read_text(encoding="utf-8").splitlines():
        out += places.get(line.strip().removeprefix("// "), [line]) if line.strip().startswith("// ") else [line]
    return {f"{FOLDER}/Request.java": "\n".join(out + [""])}


def part(field: Field, schema: Schema) -> str:
    """The expression that writes a text or a list of tables, which is not empty."""
    value = f"from.{camel(field.name)}"
    if is_tables(field, schema):
        return f"Writers.tables(fbb, {value}, Writers::{camel_type(field.inner)})"
    return f"Text.add(fbb, {value})"


def value_of(field: Field, schema: Schema) -> str:
    if field.inner == "string" or is_tables(field, schema):
        return camel(field.name)
    return f"from.{camel(field.name)}{'.ordinal()' if enum_of(field, schema) else ''}"
