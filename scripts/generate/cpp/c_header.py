"""Fills the parts of capi/include/stowage_wire.h that follow from the schemas: enumerations, requests and plans in C."""

import re

from ..schema import SIZES, Field, Schema
from ..shapes import enum_of
from ..words import snake, upper_snake

PART = re.compile(r"(/\* Made by scripts/generate-bindings\.py: ([\w ]+)\. \*/\n).*?(/\* Up to here\. \*/\n)", re.DOTALL)
# Enumerations and their prefixes.
ENUMS = {"PlanStatus": "plan_status", "Objective": "objective", "SoftPolicy": "soft", "NodeState": "node_state"}
PREFIXES = {"PlanStatus": "STOWAGE_PLAN", "NodeState": "STOWAGE_NODE"}
STRUCTS = {"Kept": "stowage_app_replicas", "Unplaced": "stowage_app_replicas", "Placed": "stowage_placed", "LeftOver": "stowage_left_over",
           "Option": "stowage_option"}  # fmt: skip
COUNTS = {"left_over_bound": "left_over_count", "notes": "note_count", "options": "option_count", "unplaced": "unplaced_count"}
FIRST = {"planner": '"auto"'}


def count_of(field: Field) -> str:
    return COUNTS.get(field.name, f"{field.name}_count")


def c_type(field: Field, schema: Schema) -> str:
    if field.inner == "string":
        return "const char*"
    if schema.what(field.inner) == "table" and not field.many:
        return f"stowage_plan_{snake(field.inner)}"
    one = "uint8_t" if field.inner in ("bool", "ubyte") or schema.what(field.inner) == "enum" else {"double": "double"}.get(field.inner, f"{field.inner}_t")
    return f"const {STRUCTS.get(field.inner, one)}*" if field.many else one


def size_of(field: Field, schema: Schema) -> int:
    return 4 if field.many or field.inner == "string" or schema.what(field.inner) == "table" else SIZES.get(field.inner, 1)


def enumeration(name: str, schema: Schema) -> list[str]:
    word = ENUMS[name]
    prefix = PREFIXES.get(name, f"STOWAGE_{word.upper()}")
    values = [f"  {prefix}_{upper_snake(value.name)} = {value.slot}" for value in schema.types[name].fields]
    return [f"/* {name}. */", f"typedef enum stowage_{word} {{", *(f"{value}," for value in values[:-1]), values[-1], f"}} stowage_{word};", ""]


def members(name: str, schema: Schema, count: str) -> list[str]:
    lines = []
    for field in schema.types[name].fields:
        if field.name == "format":
            continue
        values = enum_of(field, schema)
        about = [*field.doc, *([f"One of stowage_{ENUMS[values]}."] if values else [])]
        if about:
            lines += [f"  /* {about[0]}" + ("" if len(about) > 1 else " */"), *(f"     {line}" for line in about[1:-1]),
                      *([f"     {about[-1]} */"] if len(about) > 1 else [])]  # fmt: skip
        if field.inner == "Note":
            lines += [f"  stowage_wire_span {field.name};", f"  {count} {count_of(field)};"]
            continue
        lines.append(f"  {c_type(field, schema)} {field.name};")
        rule = field.attributes.get("rule", "")
        if rule.startswith("counts"):
            lines.append(f"  uint32_t {rule.split()[1]};")
        elif field.many and not rule:
            lines.append(f"  {count} {count_of(field)};")
    return lines


def request(schema: Schema) -> list[str]:
    fields = [field for field in schema.types["Request"].fields if field.name != "format"]
    first = [f"{FIRST.get(field.name, 'NULL')}{', 0' if field.many else ''}" if c_type(field, schema).endswith("*") else field.default or "0"
             for field in fields]  # fmt: skip
    first = ["0" if schema.what(field.inner) == "enum" or field.kind == "bool" else one for field, one in zip(fields, first, strict=True)]
    return ["typedef struct stowage_request {", *members("Request", schema, "size_t"), "} stowage_request;", "",
            "/* The default request: planner auto, one thread. */", "#define STOWAGE_REQUEST_INIT \\", f"  {{ {', '.join(first)} }}"]  # fmt: skip


def request_fields(schema: Schema) -> list[str]:
    """The table's layout: fields of 8 bytes from 8 on, and before them one of 4 bytes; then the others by size."""
    fields = sorted(schema.types["Request"].fields, key=lambda field: -size_of(field, schema))
    places, at, hole = {}, 8, True
    for field in fields:
        size = size_of(field, schema)
        places[field.name], hole, at = (4, False, at) if size == 4 and hole else (at, hole, at + size)
    lines = []
    for slot, field in enumerate(schema.types["Request"].fields):
        of, where = f"request->{field.name}", f"to, vtable, table, {slot}, {places[field.name]}"
        if field.name == "format":
            lines.append(f"  stowage_wire_put_field({where}, &format, 2);")
        elif field.inner == "Option":
            lines.append(f"  stowage_wire_put_options({where}, {of}, request->{count_of(field)});")
        elif field.many:
            lines.append(f"  stowage_wire_put_list({where}, {of}, request->{count_of(field)}, sizeof {of}[0]);")
        elif field.inner == "string":
            lines.append(f"  stowage_wire_put_text({where}, {of}, {int(field.required)});")
        elif field.kind == "bool":
            lines += [f"  flag = {of} != 0;", f"  stowage_wire_put_field({where}, &flag, 1);"]
        else:
            lines.append(f"  stowage_wire_put_field({where}, &{of}, {size_of(field, schema)});")
    return [f"enum {{ STOWAGE_WIRE_REQUEST_FIELDS = {len(fields)}, STOWAGE_WIRE_REQUEST_SIZE = {-(-at // 4) * 4} }};",
            "static inline void stowage_wire_put_request(stowage_wire_writer* to, size_t vtable, size_t table, const stowage_request* request) {",
            "  const uint16_t format = 1;", "  uint8_t flag;", *lines, "}"]  # fmt: skip


def plan_fields(schema: Schema) -> list[str]:
    scalars, lists = [], []
    for slot, field in enumerate(schema.types["Plan"].fields):
        to, where, rule = f"plan->{field.name}", f"from, root, {slot}", field.attributes.get("rule", "")
        kind, size = c_type(field, schema), SIZES.get(field.inner, 1)
        if field.name == "format":
            continue
        if field.inner == "string":
            lists.append(f"  {to} = stowage_wire_string({where});")
        elif field.inner == "Note":
            lists += [f"  {to} = stowage_wire_vector({where}, 4, 4);", f"  plan->{count_of(field)} = {to}.count;"]
        elif field.inner == "Placed":
            lists.append(f"  {to} = stowage_wire_placed({where}, plan->nodes, &plan->{count_of(field)});")
        elif rule.startswith("per"):
            lists.append(f"  {to} = ({kind})stowage_wire_column({where}, {size}, plan->nodes);")
        elif field.many:
            align = schema.types[field.inner].align if field.inner in schema.types else size
            count = rule.split()[1] if rule else count_of(field)
            lists += [f"  span = stowage_wire_vector({where}, sizeof {to}[0], {align});", f"  {to} = ({kind})span.data;", f"  plan->{count} = span.count;"]
        elif schema.what(field.inner) == "table":
            scalars.append(f"  {to} = stowage_wire_bound({where});")
        else:
            default = "STOWAGE_NONE" if field.default == "4294967295" else field.default
            scalars += [f"  {to} = {default};"] if default not in (None, "0", "false") else []
            scalars.append(f"  stowage_wire_scalar({where}, &{to}, {size});")
        if field.required:
            lists.append(f"  if ({to} == NULL) from->bad = 1;")
    head = "static inline void stowage_wire_plan_{}(stowage_wire_reader* from, size_t root, stowage_plan_view* plan) {{"
    return [head.format("numbers"), *scalars, "}", head.format("lists"), "  stowage_wire_span span;", *lists, "}"]


def filled(text: str, schema: Schema) -> str:
    """The header with the parts that are made."""
    parts = {
        "enumerations": [line for name in ("PlanStatus", "Objective", "SoftPolicy") for line in enumeration(name, schema)],
        "requests": request(schema),
        "the fields of requests": request_fields(schema),
        "plans": ["typedef struct stowage_plan_view {", *members("Plan", schema, "uint32_t"), "  stowage_wire_reader reader;", "} stowage_plan_view;"],
        "the fields of plans": plan_fields(schema),
        "states of nodes": enumeration("NodeState", schema),
    }
    return PART.sub(lambda part: part[1] + "".join(f"{line}\n" for line in ["/* clang-format off */", *parts.pop(part[2]), "/* clang-format on */"])
                    + part[3], text)  # fmt: skip
