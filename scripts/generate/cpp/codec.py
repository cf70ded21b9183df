"""Code in C++ that reads tables of the wire format into plain types, writes them back, and says how much room that takes.

What reads has methods read(from, to), all(list, to, read_one) and some(table, to, read_one); what writes has put(value), which leaves
out what is empty, must(value), which does not, all, must_all and some with a function as well, and column<Type>, must_column<Type> for
types that are the same in memory as those of the wire format.
"""

import dataclasses

from ..schema import Field, Schema, Type
from ..words import snake

OFFSET = "flatbuffers::Offset<{}>"


@dataclasses.dataclass(frozen=True)
class Shapes:
    """The plain types that tables have in a part of the program."""

    types: dict[str, str]  # the type of a table
    members: dict[str, str] = dataclasses.field(default_factory=dict)  # of "Table.field": the member, where the name is another
    # Of "Table.field": the caller sets or gives it.
    by_hand: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()  # Of "Table.field": the type does not have it.
    # Of "Table.field", whose table the member always has: the member of the table that is empty where the table is absent.
    empty: dict[str, str] = dataclasses.field(default_factory=dict)
    full: frozenset[str] = frozenset()  # Of "Table.field": lists that are written even where they are empty.
    # Of "Table.field": the condition under which the table is written, and of what.
    where: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    given: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)  # of a table: further parameters of what writes it
    order: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)  # of a table: the fields that are written first, or all
    takes: str = "const {}&"  # how what is written is given

    def member(self, table: Type, field: Field) -> str:
        return self.members.get(f"{table.name}.{field.name}", field.name)

    def skips(self, table: Type, field: Field) -> bool:
        return f"{table.name}.{field.name}" in self.by_hand | self.left_out

    def reads(self, table: Type, field: Field) -> bool:
        return not self.skips(table, field) and f"{table.name}.{field.name}" not in self.where

    def flat(self, table: Type, field: Field) -> bool:
        """Whether the fields of a table are members of the type that has the table."""
        return field.inner in self.types and self.types[field.inner] == self.types[table.name]


def accessor(field: Field) -> str:
    return field.name + "_" if field.name == "not" else field.name


def only_field(table: Type) -> bool:
    """A table with one field is that field."""
    return len(table.fields) == 1


def read_field(table: Type, field: Field, schema: Schema, shapes: Shapes) -> str:
    to = "to" if only_field(table) else f"to.{shapes.member(table, field)}"
    wire = f"from.{accessor(field)}()"
    if schema.what(field.inner) == "table":
        read = f"read_{snake(field.inner)}"
        if field.many:
            return f"  copier.all({wire}, {to}, {read});"
        if shapes.flat(table, field):
            return f"  if ({wire} != nullptr) {read}(*{wire}, copier, to);"
        return f"  copier.some({wire}, {to}, {read});"
    if field.many or field.inner == "string":
        return f"  copier.read({wire}, {to});"
    return f"  {to} = static_cast<decltype({to})>({wire});" if schema.what(field.inner) or "values" in field.attributes else f"  {to} = {wire};"


def read_table(name: str, schema: Schema, shapes: Shapes) -> list[str]:
    table = schema.types[name]
    fields = [field for field in table.fields if field.name != "format" and shapes.reads(table, field)]
    body = [read_field(table, field, schema, shapes) for field in fields]
    copier = "Copier& copier" if any("copier" in line for line in body) else "Copier&"
    return [f"inline void read_{snake(name)}(const wire::{name}& from, {copier}, {shapes.types[name]}& to) {{", *body, "}"]


def wire_type(field: Field, schema: Schema) -> str:
    """The type of a field in the generated code of FlatBuffers, in whose offsets it stands."""
    what = schema.what(field.inner)
    numbers = {"bool": "bool", "double": "double", "ubyte": "std::uint8_t"}
    one = "flatbuffers::String" if field.inner == "string" else f"wire::{field.inner}" if what else numbers.get(field.inner, f"std::{field.inner}_t")
    if field.many:
        one = f"const {one}*" if what == "struct" else OFFSET.format(one) if what == "table" or field.inner == "string" else one
        return f"flatbuffers::Vector<{one}>"
    return one


def is_offset(field: Field, schema: Schema) -> bool:
    return field.many or field.inner == "string" or schema.what(field.inner) == "table"


def write_part(table: Type, field: Field, schema: Schema, shapes: Shapes) -> str:
    """The offset of a field."""
    of = "from" if only_field(table) else f"from.{shapes.member(table, field)}"
    what = schema.what(field.inner)
    if where := shapes.where.get(f"{table.name}.{field.name}"):
        if not where[0]:
            return where[1]
        return f"{where[0]} ? write_{snake(field.inner)}(builder, {where[1]}) : {OFFSET.format(f'wire::{field.inner}')}()"
    must = "must" if field.required or f"{table.name}.{field.name}" in shapes.full else ""
    if what == "table":
        write = f"write_{snake(field.inner)}"
        if field.many:
            return f"builder.{'must_' if must else ''}all({of}, {write})"
        if shapes.flat(table, field):
            return f"{write}(builder, from)"
        if field.required:
            return f"{write}(builder, {of})"
        if empty := shapes.empty.get(f"{table.name}.{field.name}"):
            return f"{of}.{empty}.empty() ? {OFFSET.format(f'wire::{field.inner}')}() : {write}(builder, {of})"
        return f"builder.some({of}, {write})"
    if what:
        return f"builder.{'must_' if must else ''}column<wire::{field.inner}>({of})"
    return f"builder.{must or 'put'}({of})"


def write_table(name: str, schema: Schema, shapes: Shapes) -> list[str]:
    table = schema.types[name]
    parts, values, given = {}, [], [f", {one}" for one in shapes.given.get(name, ())]
    for field in table.fields:
        value = "from" if only_field(table) else f"from.{shapes.member(table, field)}"
        if field.name == "format":
            values.append("1")
        elif f"{name}.{field.name}" in shapes.left_out:
            values.append(OFFSET.format(wire_type(field, schema)) + "()")
        elif shapes.skips(table, field):
            given.append(f", {OFFSET.format(wire_type(field, schema)) if is_offset(field, schema) else wire_type(field, schema)} {field.name}")
            values.append(field.name)
        elif is_offset(field, schema):
            local = accessor(field) + ("_at" if f"{name}.{field.name}" in shapes.where else "")
            parts[field.name] = f"  const auto {local} = {write_part(table, field, schema, shapes)};"
            values.append(local)
        elif schema.what(field.inner) or "values" in field.attributes:
            values.append(f"static_cast<{wire_type(field, schema)}>({value})")
        else:
            values.append(value)
    order = [one for one in shapes.order.get(name, ()) if one in parts]
    lines = [parts[one] for one in (*order, *(one for one in parts if one not in order))]
    return [f"inline {OFFSET.format(f'wire::{name}')} write_{snake(name)}(Builder& builder, {shapes.takes.format(shapes.types[name])} from"
            f"{''.join(given)}) {{", *lines, f"  return wire::Create{name}(builder, {', '.join(values)});", "}"]  # fmt: skip


def size_of_table(name: str, schema: Schema, shapes: Shapes) -> list[str]:
    """At least as many bytes as the table takes, without what the caller gives."""
    table = schema.types[name]
    sizes = [str(16 + 10 * len(table.fields))]
    for field in table.fields:
        of = "from" if only_field(table) else f"from.{shapes.member(table, field)}"
        if not shapes.reads(table, field) or not is_offset(field, schema):
            continue
        if schema.what(field.inner) == "table":
            size = f"size_of_{snake(field.inner)}"
            flat = shapes.flat(table, field) or f"{table.name}.{field.name}" in shapes.empty or field.required
            sizes.append(f"size_of_all({of}, {size})" if field.many else f"{size}({'from' if shapes.flat(table, field) else of})" if flat
                         else f"size_of_some({of}, {size})")  # fmt: skip
        else:
            sizes.append(f"size_of({of})")
    of = f"const {shapes.types[name]}&" + (" from" if len(sizes) > 1 else "")
    return [f"inline std::uint64_t size_of_{snake(name)}({of}) {{", f"  return {' + '.join(sizes)};", "}"]


def in_order(names: tuple[str, ...], schema: Schema) -> list[str]:
    """Tables before those that have them."""
    found: list[str] = []

    def visit(name: str) -> None:
        if name in found or name not in names:
            return
        for field in schema.types[name].fields:
            visit(field.inner)
        found.append(name)

    for name in names:
        visit(name)
    return found
