"""Makes the records of the Rust crate: their types, and the code that reads and writes them."""

from .operations import rust_operations
from .names import (BYTES, CLOSED, COPIED, FIRST, HAND, OPEN, OTHERWISE, OWN, PLAIN, READ, SET, TEXTS, WRITTEN, document, field_name, is_optional, is_time,
                         public, type_name, type_of)  # fmt: skip
from .columns import ITEMS, columns, item
from ..schema import NO_INDEX, Field, Schema, Type
from ..shapes import enum_of

NOTE = "//! Made by scripts/generate-bindings.py from the schemas. Do not edit."


def comment(lines: list[str], indent: str = "    ") -> list[str]:
    return [f"{indent}/// {line}" for line in lines]


def derives(schema: Schema, table: Type) -> str:
    if table.what == "struct":
        return "Clone, Copy, Debug, PartialEq" + (", Eq" if all(member.inner != "double" for member in table.fields) else "")
    if table.name in COPIED:
        return "Clone, Copy, Debug, PartialEq"
    return "Clone, Debug, Default, PartialEq" if table.name in ("ClusterMetrics", "Recommendations", "Sizes") else "Clone, Debug, PartialEq"


def struct(schema: Schema, table: Type) -> list[str]:
    out = [*comment(document(schema, table.name, table.doc), ""), f"#[derive({derives(schema, table)})]", f"pub struct {type_name(table.name)} {{"]
    out += ["    pub(crate) bytes: Vec<u8>,"] if table.name in BYTES else []
    for field in public(table):
        kind, hand = type_of(table.name, field, schema), HAND.get(f"{table.name}.{field.name}")
        doc = list(hand.doc) if hand and hand.doc else document(schema, table.name, field.doc, kind)
        private = table.name in SET
        out += [*([] if private else comment(doc)), f"    {'pub(crate) ' if private else 'pub '}{field_name(table.name, field)}: {kind},"]
    return [*out, "}", ""]


def closed(schema: Schema, enum: Type) -> list[str]:
    """An enumeration of which programs give the values, or that is read."""
    name, fallback = enum.name, OTHERWISE.get(enum.name)
    out = [*comment(document(schema, name, enum.doc), ""), "#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]", f"pub enum {name} {{"]
    for value in enum.fields:
        default = value.name == fallback if fallback else value.slot == 0
        out += [*comment(document(schema, name, value.doc)), *(["    #[default]"] if default else []), f"    {value.name},"]
    out += ["}", ""]
    if fallback:
        out += [f"impl From<wire::{name}> for {name} {{", f"    fn from(value: wire::{name}) -> Self {{", "        match value {"]
        out += [f"            wire::{name}::{value.name} => Self::{value.name}," for value in enum.fields]
        return [*out, "            _ => Self::default(),", "        }", "    }", "}", ""]
    out += [f"impl From<{name}> for wire::{name} {{", f"    fn from(value: {name}) -> Self {{", "        match value {"]
    out += [f"            {name}::{value.name} => Self::{value.name}," for value in enum.fields]
    return [*out, "        }", "    }", "}", ""]


def opened(schema: Schema, enum: Type) -> list[str]:
    first = enum.name in FIRST
    out = ["kinds! {", *comment(document(schema, enum.name, enum.doc)), *(["    #[derive(Default)]"] if first else []), f"    {enum.name} {{"]
    for value in enum.fields:
        out += [*comment(document(schema, enum.name, value.doc), "        "), *(["        #[default]"] if first and value.slot == 0 else [])]
        out.append(f"        {value.name},")
    return [*out, "    }", "}", ""]


# --------------------------------------------------------------------------------------------------------------- reading


def reading(schema: Schema, owner: str, field: Field) -> str:
    """The expression that reads a field of the table `from`."""
    name, inner, what = f"{owner}.{field.name}", field.inner, schema.what(field.inner)
    if name in HAND:
        return HAND[name].read
    value = f"from.{field.name}()"
    if field.many:
        column = f"Some({value})" if field.required else value
        kind = type_of(owner, field, schema)
        return f"{'flags' if kind == 'Vec<bool>' else 'indices' if 'Option<' in kind else 'list'}({column})"
    if enum_of(field, schema):
        return f"wire::{enum_of(field, schema)}({value}).into()" if "values" in field.attributes else f"{value}.into()"
    if what == "table":
        return f"{value}.into()" if field.required else f"{value}.map(Into::into)" + (".unwrap_or_default()" if name in PLAIN else "")
    if inner == "string" and name in TEXTS:
        return f"{value}.map(str::to_owned)"
    if inner == "string":
        return f"{value}.to_owned()" if field.required else f"text({value})"
    if is_optional(owner, field):
        return f"given({value}, {none_of(field)})" if field.inner != "double" else f"Some({value}).filter(|&value| value {'> 0.0' if field.none else '>= 0.0'})"
    return value


def none_of(field: Field) -> str:
    return {NO_INDEX: "u32::MAX", "18446744073709551615": "u64::MAX", None: "-1.0"}.get(field.none, field.none or "")


def reader(schema: Schema, table: Type) -> list[str]:
    name = type_name(table.name)
    source = f"&wire::{table.name}" if table.what == "struct" else f"wire::{table.name}<'_>"
    lines = [f"            {field_name(table.name, field)}: {reading(schema, table.name, field)}," for field in public(table)]
    bytes_first = ["            bytes: Vec::new(),"] if table.name in BYTES else []
    return [f"impl From<{source}> for {name} {{", f"    fn from(from: {source}) -> Self {{", "        Self {", *bytes_first, *lines,
            "        }", "    }", "}", ""]  # fmt: skip


# --------------------------------------------------------------------------------------------------------------- writing


def default_of(schema: Schema, owner: str, field: Field) -> str:
    kind = type_of(owner, field, schema)
    if kind.startswith("Option<"):
        return "None"
    if enum_of(field, schema):
        first = schema.types[enum_of(field, schema)].fields[0].name
        return f"{kind}::{first if field.default in (None, '0') else field.default}"
    if field.default and kind == "f64":
        return f"{float(field.default)!r}"
    number = field.default and field.default.isdigit() and field.default != NO_INDEX and kind in ("u32", "u64")
    return field.default if number else "Default::default()"


def defaults(schema: Schema, table: Type) -> list[str]:
    """What a value is before anything is set."""
    lines = [f"            {field_name(table.name, field)}: {default_of(schema, table.name, field)}," for field in public(table)]
    return [f"impl Default for {type_name(table.name)} {{", "    fn default() -> Self {", "        Self {", *lines, "        }", "    }", "}", ""]


def writing(schema: Schema, owner: str, field: Field) -> str:
    """The expression that writes a field."""
    name, inner, what = f"{owner}.{field.name}", field.inner, schema.what(field.inner)
    if name in HAND:
        return HAND[name].write
    value = f"self.{field_name(owner, field)}"
    if field.many and inner == "string":
        return f"Some(texts(b, &{value}))" if field.required else f"(!{value}.is_empty()).then(|| texts(b, &{value}))"
    if field.many and what == "table":
        tables = f"tables(b, &{value}, {type_name(inner)}::encode)"
        return f"Some({tables})" if field.required else f"(!{value}.is_empty()).then(|| {tables})"
    if field.many:
        return f"Some(b.create_vector(&{value}))" if field.required else f"(!{value}.is_empty()).then(|| b.create_vector(&{value}))"
    if what == "table":
        return f"Some({value}.encode(b))"
    if name in TEXTS:
        return f"{value}.as_deref().and_then(|value| optional(b, value))"
    if inner == "string":
        return f"Some(b.create_string(&{value}))" if field.required else f"optional(b, &{value})"
    if enum_of(field, schema):
        into = f"wire::{enum_of(field, schema)}::from({value})"
        return f"{into}.0" if "values" in field.attributes else into
    if is_time(field):
        return f"milliseconds({value})"
    return f"{value}.unwrap_or({none_of(field)})" if is_optional(owner, field) else value


def writer(schema: Schema, table: Type) -> list[str]:
    wire = table.name
    lines = [f"            {field.name}: {writing(schema, table.name, field)}," for field in public(table)]
    rest = [] if len(public(table)) == len(table.fields) else [f"            ..wire::{wire}Args::default()"]
    return [f"impl {type_name(table.name)} {{", f"    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::{wire}<'static>> {{",
            f"        let args = wire::{wire}Args {{", *lines, *rest, "        };", f"        wire::{wire}::create(b, &args)", "    }", "}", ""]  # fmt: skip


def setters(schema: Schema, table: Type) -> list[str]:
    """Functions that set the fields, each of which returns the changed value."""
    out = [f"impl {type_name(table.name)} {{"]
    for field in public(table):
        if f"{table.name}.{field.name}" in (*HAND, *OWN) or field.required:
            continue
        name, kind = field_name(table.name, field), type_of(table.name, field, schema)
        given, value = ("impl Into<String>", f"{name}.into()") if kind == "String" else (kind, name)
        if kind.startswith("Vec<"):
            given, value = f"impl IntoIterator<Item = impl Into<{kind[4:-1]}>>", f"{name}.into_iter().map(Into::into).collect()"
        out += [*comment(document(schema, table.name, field.doc, kind) or [f"Sets {name}."]), f"    pub fn {name}(mut self, {name}: {given}) -> Self {{",
                f"        self.{name} = {value};", "        self", "    }", ""]  # fmt: skip
    return [*out[:-1], "}", ""]


def rust_records(schema: Schema) -> str:
    out = [NOTE, "#![allow(clippy::all)]", "", "use std::time::Duration;", "", "use flatbuffers::WIPOffset;", "", "use crate::builder::{Encoder, InstanceBuilder};", "use crate::codec::*;", "use crate::error::Result;", "use crate::learning::Feature;", "use crate::builder::Rule;", "use crate::operations::*;",
           "use crate::plan::{kept, options, plan_nodes, PlanNode, RuleViolations};", "use crate::reports::{loss_moves, overridden, waves, OverriddenRule};",
           "use crate::wire;", ""]
    for name in OPEN:
        out += opened(schema, schema.types[name])
    for name in CLOSED:
        out += closed(schema, schema.types[name])
    for name in ITEMS:
        out += [*item(schema, schema.types[name]), *columns(schema.types[name])]
    for name in READ:
        out += [*struct(schema, schema.types[name]), *reader(schema, schema.types[name])]
    out += rust_operations(schema)
    for name in WRITTEN:
        table = schema.types[name]
        out += [*struct(schema, table), *defaults(schema, table), *(setters(schema, table) if name in SET else []), *writer(schema, table)]
    return "\n".join(out[:-1] + [""])
