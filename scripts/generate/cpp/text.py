"""Makes the headers of capi/text/records of the schemas: instances and plans as plain types, and how they are read and written."""

import dataclasses

from ..check_rows import NOTE
from ..schema import Field, Schema, Type
from ..shapes import app_numbers, enum_of, plain_plan_fields
from ..words import kebab
from .codec import Shapes, in_order, read_table, size_of_table, wire_type, write_table

# Of each schema: its tables, and what is made of them.
INSTANCE = ("Resource", "Apps", "NodeClass", "Nodes", "AffinityLimits", "NodeGroup", "Cardinality", "Conjunction", "PlacementRule", "Uncertainty",
            "Interference", "Instance")  # fmt: skip
PLAN = ("Bound", "Note", "ReachedGoal", "TracedPart", "Plan")
REQUEST = ("Option", "PlanGoal", "Request")
USAGE = ("SizeRule", "Usage")
SAMPLES = ("Feature", "Samples", "Goal", "Question")
DERIVATION = ("ResourceFactors", "AppChange", "ClassChange", "Derivation")
SESSION = ("NamedCardinality", "NamedConjunction", "NamedRule", "Operation")
HEADERS = {
    "instance": (INSTANCE, (read_table, write_table, size_of_table), ("instance_generated.h",)),
    "plan": (PLAN, (write_table,), ("plan_generated.h", "request_generated.h")),
    "request": (REQUEST, (write_table,), ("request_generated.h",)),
    "usage": (USAGE, (write_table,), ("learning_generated.h",)),
    "samples": (SAMPLES, (write_table,), ("learning_generated.h",)),
    "derivation": (DERIVATION, (write_table,), ("derivation_generated.h",)),
    "session": (SESSION, (write_table, size_of_table), ("instance_generated.h", "session_generated.h")),
}
# Programs set what a snapshot has besides an instance through sessions alone.
LEFT_OUT = frozenset(("Instance.session",))
MEMBERS = {"Operation.not": "not_"}
EMPTY = {"Instance.nodes": "node_class", "Instance.limits": "app"}


def type_of(name: str, schema: Schema) -> str:
    table = schema.types[name]
    return f"std::vector<{table.fields[0].inner}Data>" if len(table.fields) == 1 else f"{name}Data"


def initial(field: Field, enum: Type | None) -> str:
    if enum:
        names = [value.name for value in enum.fields]
        return f" = wire::{enum.name}::{names[int(field.default or 0)] if (field.default or '0').isdigit() else field.default}"
    if field.kind == "bool":
        return f" = {field.default or 'false'}"
    return f" = {field.default or 0}{'U' if field.kind.startswith('uint') and len(field.default or '') > 9 else ''}"


def member(table: Type, field: Field, schema: Schema, shapes: Shapes) -> str:
    what = schema.what(field.inner)
    if what == "table":
        one = shapes.types[field.inner]
        always = field.required or f"{table.name}.{field.name}" in EMPTY
        return f"  {f'std::vector<{one}>' if field.many else one if always else f'std::optional<{one}>'} {shapes.member(table, field)}{{}};"
    if field.many or field.inner == "string":
        of = "std::string" if field.inner == "string" else f"wire::{field.inner}" if what else wire_type(Field("", field.inner, *[None] * 4), schema)
        return f"  {f'std::vector<{of}>' if field.many else of} {shapes.member(table, field)}{{}};"
    enum = schema.types.get(field.attributes.get("values", field.inner))
    return f"  {f'wire::{enum.name}' if enum else wire_type(field, schema)} {shapes.member(table, field)}{initial(field, enum)};"


def record(name: str, schema: Schema, shapes: Shapes) -> list[str]:
    table = schema.types[name]
    lines = [*(f"/// {line}" for line in table.doc), f"struct {shapes.types[name]} {{"]
    for field in table.fields:
        if field.name != "format" and f"{name}.{field.name}" not in LEFT_OUT:
            lines += [*(f"  /// {line}" for line in field.doc), member(table, field, schema, shapes)]
    return [*lines, "};", ""]


def visit_of_numbers(schema: Schema) -> list[str]:
    """A visit of the columns of numbers that apps may have."""
    absent = [(field.name, f"{wire_type(dataclasses.replace(field, kind=field.inner), schema)}({field.attributes.get('absent', 0)})")
              for field in app_numbers(schema)]  # fmt: skip
    lines = ["/// Calls visit(key, column, what each entry of an absent column is) for each column of numbers that apps may have."]
    for of, call in (("AppsData", ""), ("const wire::Apps", "()")):
        lines += ["template <class Visit>", f"void app_numbers({of}& apps, Visit&& visit) {{",
                  *(f'  visit("{name}", apps.{name}{call}, {value});' for name, value in absent), "}"]  # fmt: skip
    return [*lines, ""]


def visit_of_submitted(schema: Schema) -> list[str]:
    """A visit of those numbers in the operation that submits an app."""
    known = {field.name for field in schema.types["Operation"].fields}
    return ["/// Calls visit(key, number) for each number of an app that an operation gives.", "template <class Visit>",
            "void app_numbers(OperationData& operation, Visit&& visit) {",
            *(f'  visit("{field.name}", operation.{field.name});' for field in app_numbers(schema) if field.name in known), "}", ""]  # fmt: skip


def plan_fields(schema: Schema) -> list[str]:
    """A visit of the fields that the JSON form has as they are."""
    return ["/// Calls visit(key, field) for each field that the JSON form has as it is: numbers, flags, texts and bounds.",
            "template <class Visit>", "void plan_fields(PlanData& plan, Visit&& visit) {",
            *(f'  visit("{name}", plan.{name});' for name in (field.name for field in plain_plan_fields(schema))), "}", ""]  # fmt: skip


def words(schema: Schema) -> list[str]:
    """The words of the values of each enumeration."""
    lines = ["/// The words of an enumeration in texts, by value.", "template <class Enum>", "struct Words;"]
    for name, enum in schema.of("enum").items():
        lines += ["template <>", f"struct Words<wire::{name}> {{",
                  f"  static constexpr std::array kAll = {{{', '.join(chr(34) + kebab(value.name) + chr(34) for value in enum.fields)}}};", "};"]  # fmt: skip
    of_one = (f"what == wire::GoalKind::{kind}" for kind in schema.types["PlanGoal"].field("resource").attributes["kinds"].split())
    return [*lines, "/// Whether a goal may be of one resource. Its value is a share then.",
            f"constexpr bool may_have_resource(wire::GoalKind what) {{ return {' || '.join(of_one)}; }}", ""]  # fmt: skip


def header(includes: list[str], lines: list[str], namespace: str) -> str:
    return "\n".join([f"// {NOTE}", "// clang-format off", "#pragma once", "", *includes, "", f"namespace {namespace} {{", "", *lines,
                      f"}}  // namespace {namespace}", ""])  # fmt: skip


def text_records(schema: Schema) -> dict[str, str]:
    types = {name: type_of(name, schema) for name in schema.of("table")}
    shapes = Shapes(types, MEMBERS, empty=EMPTY, takes="{}&", left_out=LEFT_OUT)
    made = {}
    for name, (tables, makers, generated) in HEADERS.items():
        tables = in_order(tables, schema)
        standard = [f"#include <{one}>" for one in ("cstdint", "optional", "string", "vector")]
        records = [line for table in tables if types[table] == f"{table}Data" for line in record(table, schema, shapes)]
        folder = "capi/text/records" + ("/learning" if generated == ("learning_generated.h",) else "")
        made[f"{folder}/{name}_records.h"] = header([*standard, "", *(f'#include "{one}"' for one in generated)], records, "stowage::cli")
        functions = [line for make in makers for table in tables for line in (*make(table, schema, shapes), "")]
        functions += {"instance": visit_of_numbers, "plan": plan_fields, "session": visit_of_submitted}.get(name, lambda _: [])(schema)
        includes = ['#include "capi/text/records/codec.h"', f'#include "{folder}/{name}_records.h"']
        made[f"{folder}/{name}_codec.h"] = header(includes, functions, "stowage::cli::codec")
    generated = [f'#include "{name}_generated.h"' for name in ("instance", "learning", "plan", "report", "request", "session")]
    made["capi/text/records/words.h"] = header(["#include <array>", "", *generated], words(schema), "stowage::cli")
    return made
