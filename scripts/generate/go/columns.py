"""Makes what the builder of the Go module knows of tables in columns: a type per item, and the code that writes the columns."""

import textwrap

from .names import HAND, NUMBERS, document, field_name, type_name
from ..schema import Field, Schema, Type
from ..shapes import of_item, shape
from ..words import pascal

# Tables in columns: the items of the builder b that they hold, and what an item is.
ITEMS = {"Apps": "b.apps", "Nodes": "b.nodes"}
ITEM_DOCS = {"Apps": "App is an application with identical replicas.",
             "Nodes": "Node is a listed node: something runs there, an app is pinned there, or it belongs to node sets."}  # fmt: skip
WRITERS = {"uint32": "e.words", "int32": "e.int32s", "float64": "e.doubles", "bool": "e.flags"}


def name_of(table: Type, field: Field) -> str:
    if f"{table.name}.{field.name}" in HAND:
        return HAND[f"{table.name}.{field.name}"].name
    return pascal(field.name.removesuffix("_begin")) if shape(field) == "tags" else field_name(table.name, field)


def kind_of(table: Type, field: Field) -> str:
    if f"{table.name}.{field.name}" in HAND:
        return HAND[f"{table.name}.{field.name}"].kind
    number = "bool" if "flags" in field.attributes else NUMBERS.get(field.inner, "")
    return {"number": number, "text": "string", "tags": "[]string"}.get(shape(field), "[]float64")


def item_document(schema: Schema, table: Type, field: Field) -> list[str]:
    """The comment of a column, about one item."""
    hand = HAND.get(f"{table.name}.{field.name}")
    if hand and hand.doc:
        return list(hand.doc)
    text = of_item(document(schema, table.name, field.doc, kind_of(table, field)))
    if "positive" in field.attributes:
        text += f" 0 = {field.attributes['absent']}."
    return textwrap.wrap(text, 126)


def item(schema: Schema, table: Type) -> list[tuple[str, ...]]:
    """Rows of the struct of an item."""
    rows: list[tuple[str, ...]] = []
    for field in table.fields:
        if shape(field):
            rows += [*((f"// {line}",) for line in item_document(schema, table, field)), (name_of(table, field), kind_of(table, field))]
    return rows


def column(table: Type, field: Field) -> str:
    """The expression that writes a column; of tags, the starts and the entries."""
    name, items, value = f"{table.name}.{field.name}", ITEMS[table.name], f"v.{name_of(table, field)}"
    if name in HAND and HAND[name].write:
        return HAND[name].write
    one = type_name(table.name)
    row = f"func(k int) {kind_of(table, field)} {{ return {items}[k].{name_of(table, field)} }}"
    path, optional = f'"{table.name.lower()}[%d].{field.name}"', str(not field.required).lower()
    if shape(field) == "text":
        return f"e.names(len({items}), {row})"
    if shape(field) == "tags":
        return f"e.tagRows(len({items}), {row})"
    if shape(field) in ("row", "profile"):
        rows = f"b.{shape(field)}s({path}, len({items}), {row}, {optional})"
        return f"e.doubles({rows})" if field.required else f"e.optional({rows})"
    kind, absent = kind_of(table, field), field.attributes.get("absent", "0")
    if "positive" in field.attributes:
        value = f"or({value}, {absent})"
    number = f"func(v {one}) {kind} {{ return {value} }}"
    if field.required:
        return f"{WRITERS[kind]}(column({items}, {number}))"
    return f"optional(unless({items}, {number}, {'false' if kind == 'bool' else absent}), {WRITERS[kind]})"


def columns(table: Type) -> list[str]:
    """The function that writes a table in columns."""
    ahead, inside = [], []
    for field in table.fields:
        index = (field.slot - 4) // 2
        if shape(field) == "tags":
            ahead.append(f"\tat{index}, at{index + 1} := {column(table, field)}")
        elif shape(field):
            ahead.append(f"\tat{index} := {column(table, field)}")
        inside.append(f"\te.PrependUOffsetTSlot({index}, at{index}, 0)")
    return [f"func (b *Builder) write{table.name}(e *encoder) flatbuffers.UOffsetT {{", *ahead, f"\te.StartObject({len(inside)})", *inside,
            "\treturn e.EndObject()", "}", ""]  # fmt: skip
