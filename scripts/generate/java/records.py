"""Makes the records of the Java library: a file per type, and the code that reads them."""

import re
import textwrap

from ..schema import Field, Schema, Type
from ..shapes import enum_of
from ..words import camel, kebab, upper_snake
from .names import (BODIES, BYTES, CLOSED, ENUMS, HAND, MADE, MORE, PLAIN, PLAN, READ, TEXTS, VIEWED, WORDS, document, is_optional, member_name,
                    public, type_name, type_of)  # fmt: skip

NOTE = "// Made by scripts/generate-bindings.py from the schemas. Do not edit."
FOLDER = "bindings/java/stowage/src/main/java/stowage"
IMPORTS = {"List": "java.util.List", "Objects": "java.util.Objects", "Optional": "java.util.Optional", "OptionalDouble": "java.util.OptionalDouble",
           "OptionalInt": "java.util.OptionalInt", "OptionalLong": "java.util.OptionalLong", "ByteBuffer": "java.nio.ByteBuffer",
           "StowageH": "stowage.internal.StowageH"}  # fmt: skip


def wrapped(text: str, indent: str, first: str = "", rest: str = "") -> list[str]:
    """Lines of a comment."""
    lines = textwrap.wrap(text, 126 - len(indent), initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return [f"{indent} * {line}" for line in lines]


def component_text(schema: Schema, table: Type, field: Field) -> str:
    """What a component is: a phrase that begins small and ends without a full stop."""
    hand = HAND.get(f"{table.name}.{field.name}")
    text = hand.doc if hand else document(schema, table.name, field.doc, type_of(table.name, field, schema))
    text = text or f"the {field.name.replace('_', ' ')}"
    small = text if text[1:2].isupper() else text[:1].lower() + text[1:]
    return small.removesuffix(".")


def comment(schema: Schema, table: Type, indent: str = "") -> list[str]:
    text = f"{document(schema, table.name, table.doc)} {MORE.get(table.name, '')}".strip()
    out = [f"{indent}/**", *wrapped(text, indent), f"{indent} *"]
    out += wrapped(f"@param {BYTES[table.name][1]}", indent, "", "    ") if table.name in BYTES else []
    for field in public(table):
        text = f"@param {member_name(table.name, field)} {component_text(schema, table, field)}"
        out += wrapped(text, indent, "", "    ")
    return [*out, f"{indent} */"]


def components(schema: Schema, table: Type) -> list[str]:
    first = [BYTES[table.name][0]] if table.name in BYTES else []
    return first + [f"{type_of(table.name, field, schema)} {member_name(table.name, field)}" for field in public(table)]


def nested(schema: Schema, table: Type) -> list[str]:
    """A record within another one."""
    return ["", *comment(schema, table, "  "), f"  public record {type_name(table.name)}({', '.join(components(schema, table))}) {{}}"]


def imports(lines: list[str]) -> list[str]:
    text = "\n".join(line for line in lines if not line.lstrip().startswith("*"))
    found = [f"import {path};" for name, path in IMPORTS.items() if re.search(rf"\b{name}\b", text)]
    return [*sorted(found), *([""] if found else [])]


def record(schema: Schema, table: Type) -> str:
    parts = [f"    {one}" for one in ",\n    ".join(components(schema, table)).split("\n    ")]
    lines = [*comment(schema, table), f"public record {type_name(table.name)}(", *parts]
    if table.name in BODIES:
        lines[-1] += ") {"
        for name in PLAN if table.name == "Plan" else ():
            lines += nested(schema, schema.types[name])
        lines += ["", *BODIES[table.name].strip("\n").split("\n"), "}"]
    else:
        lines[-1] += ") {}"
    return "\n".join([NOTE, "package stowage;", "", *imports(lines), *lines, ""])


def enumeration(schema: Schema, enum: Type) -> str:
    out = [NOTE, "package stowage;", "", "/**", *wrapped(document(schema, enum.name, enum.doc), ""), " */", f"public enum {enum.name} {{"]
    for value in enum.fields:
        out += ["  /**", *wrapped(document(schema, enum.name, value.doc), "  "), "   */", f"  {upper_snake(value.name)},"]
    if enum.name in CLOSED:
        out[-1] = out[-1].removesuffix(",")
        return "\n".join([*out, "}", ""])
    out += ["  /** A value that this version does not know; not for requests. */", "  UNKNOWN;", "", f"  static {enum.name} of(int number) {{",
            "    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;", "  }", "}", ""]  # fmt: skip
    return "\n".join(out)


# --------------------------------------------------------------------------------------------------------------- reading


def entry(schema: Schema, owner: str, field: Field, kind: str) -> str:
    """The expression of entry k of a column."""
    value, inner = f"from.{camel(field.name)}(k)", field.inner
    if schema.what(inner) in ("table", "struct"):
        return f"{camel_type(inner)}({value})"
    if enum_of(field, schema):
        return f"{enum_of(field, schema)}.of({value})"
    if kind == "Boolean":
        return f"{value} != 0"
    return f"(int) {value}" if kind == "Integer" else value


def camel_type(name: str) -> str:
    return type_name(name)[:1].lower() + type_name(name)[1:]


def reading(schema: Schema, owner: str, field: Field) -> str:
    """The expression that reads a component of the table `from`."""
    name, inner, what, kind = f"{owner}.{field.name}", field.inner, schema.what(field.inner), type_of(owner, field, schema)
    value, enum = f"from.{camel(field.name)}()", enum_of(field, schema)
    if name in HAND:
        return HAND[name].read
    if field.many:
        make = "Reports.view" if owner in VIEWED and what != "table" else "Reports.all"
        return f"{make}(from.{camel(field.name)}Length(), k -> {entry(schema, owner, field, kind[5:-1])})"
    if enum:
        return f"Reports.word({upper_snake(enum)}, {value})" if enum in WORDS else f"{enum}.of({value})"
    if what == "table":
        read = f"{camel_type(inner)}({value})"
        return read if field.required or name in PLAIN else f"Optional.ofNullable({value}).map(Records::{camel_type(inner)})"
    if inner == "string":
        return f"Optional.ofNullable({value})" if name in TEXTS else value if field.required else f"Reports.text({value})"
    if is_optional(owner, field):
        if kind == "OptionalLong":
            return f"Reports.given({value}, {'-1' if field.none and len(field.none) > 9 else field.none})"
        return f"Reports.{'known' if kind == 'OptionalInt' else 'notNegative'}({value})"
    return f"(int) {value}" if inner == "uint32" and kind == "int" else value


def reader(schema: Schema, table: Type) -> list[str]:
    name, source = type_name(table.name), f"stowage.wire.{table.name} from"
    shown, first = f"Plan.{name}" if table.name in PLAN else name, []
    if table.name in BYTES:
        source, first = f"{source}, ByteBuffer bytes", ["bytes.asReadOnlyBuffer().order(bytes.order())"]
    parts = ",\n        ".join([*first, *(reading(schema, table.name, field) for field in public(table))])
    return ["", f"  static {shown} {camel_type(table.name)}({source}) {{", f"    return new {shown}(", f"        {parts});", "  }"]


def readers(schema: Schema) -> str:
    out = ["/** Reads records from bytes that the library made or has checked. */", "final class Records {", "  private Records() {}", ""]
    for enum in WORDS:
        listed = ", ".join(f'"{kebab(value.name)}"' for value in schema.types[enum].fields)
        out += wrapped_code(f"  private static final String[] {upper_snake(enum)} = {{{listed}}};")
    for name in ("Plan", *READ, *PLAN):
        out += reader(schema, schema.types[name])
    return "\n".join([NOTE, "package stowage;", "", *imports(out), *out, "}", ""])


def wrapped_code(line: str) -> list[str]:
    return textwrap.wrap(line, 128, subsequent_indent="      ", break_on_hyphens=False, break_long_words=False)


def java_records(schema: Schema) -> dict[str, str]:
    """The files, by their path."""
    files = {type_name(name): record(schema, schema.types[name]) for name in ("Plan", *READ, *MADE)}
    files |= {name: enumeration(schema, schema.types[name]) for name in ENUMS}
    files["Records"] = readers(schema)
    return {f"{FOLDER}/{name}.java": text for name, text in files.items()}
