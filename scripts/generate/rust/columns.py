"""Makes what the builder of the Rust crate knows of tables in columns: a type per item, and the code that writes the columns."""

import textwrap

from .names import HAND, NUMBERS, document, type_name
from ..schema import Field, Schema, Type
from ..shapes import of_item, shape

# Tables in columns: the items of the builder that they hold, and what an item is.
ITEMS = {"Apps": ("apps", "An application with identical replicas."),
         "Nodes": ("nodes", "A listed node: something runs there, an app is pinned there, or it belongs to node sets.")}  # fmt: skip


def name_of(table: Type, field: Field) -> str:
    name = f"{table.name}.{field.name}"
    return HAND[name].name if name in HAND else field.name.removesuffix("_begin") if shape(field) == "tags" else field.name


def kind_of(table: Type, field: Field) -> str:
    name, number = f"{table.name}.{field.name}", "bool" if "flags" in field.attributes else NUMBERS.get(field.inner, "")
    if name in HAND:
        return HAND[name].kind
    if "positive" in field.attributes:
        number = f"Option<{number}>"
    return {"number": number, "text": "String", "tags": "Vec<String>"}.get(shape(field), "Vec<f64>")


def item(schema: Schema, table: Type) -> list[str]:
    out = [f"/// {ITEMS[table.name][1]}", "#[derive(Clone, Debug, Default, PartialEq)]", f"pub struct {type_name(table.name)} {{"]
    for field in table.fields:
        if shape(field):
            hand, kind = HAND.get(f"{table.name}.{field.name}"), kind_of(table, field)
            text = list(hand.doc) if hand else textwrap.wrap(of_item(document(schema, table.name, field.doc, kind)), 124)
            if text and "positive" in field.attributes:
                text[-1] += f" None = {field.attributes['absent']}."
            out += [*(f"    /// {line}" for line in text), f"    pub {name_of(table, field)}: {kind},"]
    return [*out, "}", ""]


def column(table: Type, field: Field) -> str:
    """The expression that writes a column; of tags, the starts and the entries."""
    name, member = f"{table.name}.{field.name}", name_of(table, field)
    if name in HAND and HAND[name].write:
        return HAND[name].write
    each = f"items.iter().map(|item| &item.{member})"
    if shape(field) == "text":
        return f"e.names({each})"
    if shape(field) == "tags":
        return f"e.tag_rows({each})"
    if shape(field) in ("row", "profile"):
        optional = str(not field.required).lower()
        return f'self.{shape(field)}s(("{ITEMS[table.name][0]}", "{field.name}"), {each}, {optional})?.map(|all| e.doubles(&all))'
    kind, absent = kind_of(table, field), field.attributes.get("absent", "0")
    value = f"u8::from(item.{member})" if kind == "bool" else f"item.{member}"
    if field.inner == "double":
        absent = repr(float(absent))
    if kind.startswith("Option<"):
        value = f"item.{member}.unwrap_or({absent})"
    values = f"items.iter().map(|item| {value})"
    return f"Some(e.column({values}))" if field.required else f"e.unless({values}, {absent})"


def columns(table: Type) -> list[str]:
    """The function that writes a table in columns."""
    items, lines, fields = ITEMS[table.name][0], [], iter(table.fields)
    for field in fields:
        names = f"({field.name}, {next(fields).name})" if shape(field) == "tags" else field.name
        lines.append(f"        let {names} = {column(table, field)};")
    args = ", ".join(field.name for field in table.fields)
    return ["impl InstanceBuilder {",
            f"    pub(crate) fn encode_{items}(&self, e: &mut Encoder) -> Result<WIPOffset<wire::{table.name}<'static>>> {{",
            f"        let items = &self.{items};", *lines, f"        let args = wire::{table.name}Args {{ {args} }};",
            f"        Ok(wire::{table.name}::create(&mut e.builder, &args))", "    }", "}", ""]  # fmt: skip
