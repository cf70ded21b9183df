"""Fills the parts of capi/include/stowage_wire.h that follow from the schemas: enumerations, requests and plans in C."""

import re

from ..schema import NO_INDEX, SIZES, Field, Schema
from ..shapes import enum_of
from ..words import snake, upper_snake

PART = re.compile(r"(/\* Made by scripts/generate-bindings\.py: ([\w ]+)\. \*/\n).*?(/\* Up to here\. \*/\n)", re.DOTALL)
# Enumerations and their prefixes.
ENUMS = {"PlanStatus": "plan_status", "Objective": "objective", "SoftPolicy": "soft", "GoalKind": "goal_kind", "NodeState": "node_state"}
PREFIXES = {"PlanStatus": "STOWAGE_PLAN", "GoalKind": "STOWAGE_GOAL", "NodeState": "STOWAGE_NODE"}
STRUCTS = {"Kept": "stowage_app_replicas", "Unplaced": "stowage_app_replicas", "Placed": "stowage_placed", "LeftOver": "stowage_left_over",
           "Option": "stowage_option", "PlanGoal": "stowage_goal"}  # fmt: skip
COUNTS = {"left_over_bound": "left_over_count", "notes": "note_count", "options": "option_count", "unplaced": "unplaced_count", "goals": "goal_count", "trace": "traced_count"}
# Tables that the header writes and reads by hand.
BY_HAND = ("Option", "Note", "TracedPart")
FIRST = {"planner": '"auto"'}


def count_of(field: Field) -> str:
    return COUNTS.get(field.name, f"{field.name}_count")


def struct_of(name: str) -> str:
    return STRUCTS.get(name, f"stowage_{snake(name)}")


def is_tables(field: Field, schema: Schema) -> bool:
    return field.many and schema.what(field.inner) == "table"


def tables_in(name: str, schema: Schema) -> list[str]:
    """The tables of which a table has lists, without those by hand. They have numbers alone; in requests, texts too."""
    found = [field.inner for field in schema.types[name].fields if is_tables(field, schema) and field.inner not in BY_HAND]
    for field in (field for one in found for field in schema.types[one].fields):
        text = field.inner == "string" and name == "Request"
        assert not field.many and (text or field.inner != "string") and schema.what(field.inner) in (None, "enum"), f"{field.name} is no number"
    return found


def c_type(field: Field, schema: Schema) -> str:
    if field.inner == "string":
        return "const char*"
    if schema.what(field.inner) == "table" and not field.many:
        return f"stowage_plan_{snake(field.inner)}"
    if schema.what(field.inner) in ("table", "struct"):
        return f"const {struct_of(field.inner)}*"
    one = "uint8_t" if field.inner in ("bool", "ubyte") or schema.what(field.inner) == "enum" else {"double": "double"}.get(field.inner, f"{field.inner}_t")
    return f"const {one}*" if field.many else one


def size_of(field: Field, schema: Schema) -> int:
    return 4 if field.many or field.inner == "string" or schema.what(field.inner) == "table" else SIZES.get(field.inner, 1)


def enumeration(name: str, schema: Schema) -> list[str]:
    word = ENUMS[name]
    prefix = PREFIXES.get(name, f"STOWAGE_{word.upper()}")
    values = [f"  {prefix}_{upper_snake(value.name)} = {value.slot}" for value in schema.types[name].fields]
    return [f"/* {name}. */", f"typedef enum stowage_{word} {{", *(f"{value}," for value in values[:-1]), values[-1], f"}} stowage_{word};", ""]


def block_comment(about: list[str], indent: str) -> list[str]:
    if not about:
        return []
    lines = [f"{indent}{'  ' if k else '/*'} {line}" for k, line in enumerate(about)]
    return [*lines[:-1], f"{lines[-1]} */"]


def members(name: str, schema: Schema, count: str) -> list[str]:
    lines = []
    for field in schema.types[name].fields:
        if field.name == "format":
            continue
        values = enum_of(field, schema)
        about = [*field.doc, *([f"One of stowage_{ENUMS[values]}."] if values else [])]
        lines += block_comment(about, "  ")
        if is_tables(field, schema) and name == "Plan":
            lines += [f"  stowage_wire_span {field.name};", f"  {count} {count_of(field)};"]
            continue
        lines.append(f"  {c_type(field, schema)} {field.name};")
        rule = field.attributes.get("rule", "")
        if rule.startswith("counts"):
            lines.append(f"  uint32_t {rule.split()[1]};")
        elif field.many and not rule:
            lines.append(f"  {count} {count_of(field)};")
    return lines


def first_of(field: Field, schema: Schema) -> str:
    """What a member starts with."""
    if c_type(field, schema).endswith("*"):
        return f"{FIRST.get(field.name, 'NULL')}{', 0' if field.many else ''}"
    if schema.what(field.inner) == "enum" or field.kind == "bool":
        return "0"
    return "STOWAGE_NONE" if field.default == NO_INDEX else field.default or "0"


def record(name: str, schema: Schema) -> list[str]:
    """The struct of a table that has no parts."""
    about = schema.types[name].doc
    return [*block_comment(list(about), ""), f"typedef struct {struct_of(name)} {{", *members(name, schema, "uint32_t"), f"}} {struct_of(name)};", ""]


def request_tables(schema: Schema) -> list[str]:
    lines = []
    for name in tables_in("Request", schema):
        first = [first_of(field, schema) for field in schema.types[name].fields]
        lines += [*record(name, schema), f"/* The defaults of a {struct_of(name)}. */", f"#define {struct_of(name).upper()}_INIT \\",
                  f"  {{ {', '.join(first)} }}"]  # fmt: skip
    return lines


def request(schema: Schema) -> list[str]:
    first = [first_of(field, schema) for field in schema.types["Request"].fields if field.name != "format"]
    return ["typedef struct stowage_request {", *members("Request", schema, "size_t"), "} stowage_request;", "",
            "/* The default request: planner auto, one thread. */", "#define STOWAGE_REQUEST_INIT \\", f"  {{ {', '.join(first)} }}"]  # fmt: skip


def layout(name: str, schema: Schema) -> tuple[dict[str, int], int]:
    """Where the fields of a table are, and its size: fields of 8 bytes from 8 on, and before them one of 4 bytes; then the others by size."""
    fields = sorted(schema.types[name].fields, key=lambda field: -size_of(field, schema))
    places, at, hole = {}, 8, True
    for field in fields:
        size = size_of(field, schema)
        places[field.name], hole, at = (4, False, at) if size == 4 and hole else (at, hole, at + size)
    return places, -(-at // 4) * 4


def put_part(field: Field, schema: Schema, of: str, where: str) -> list[str]:
    """Writes a number or a text."""
    if field.inner == "string":
        return [f"  stowage_wire_put_text({where}, {of}, {int(field.required)});"]
    if field.kind == "bool":
        return [f"  flag = {of} != 0;", f"  stowage_wire_put_field({where}, &flag, 1);"]
    return [f"  stowage_wire_put_field({where}, &{of}, {size_of(field, schema)});"]


def put_tables(name: str, schema: Schema) -> list[str]:
    """Functions that write a table that has no parts, and a list of them."""
    table, (places, size), kind = schema.types[name], layout(name, schema), struct_of(name)
    put, vtable = f"stowage_wire_put_{snake(name)}", 4 + 2 * len(table.fields)
    lines = [line for slot, field in enumerate(table.fields)
             for line in put_part(field, schema, f"from->{field.name}", f"to, vtable, table, {slot}, {places[field.name]}")]  # fmt: skip
    return [f"static inline void {put}(stowage_wire_writer* to, size_t at, const {kind}* from) {{",
            f"  const size_t vtable = stowage_wire_reserve(to, {vtable}, 0);", f"  const size_t table = stowage_wire_reserve(to, {size}, 0);",
            *(["  uint8_t flag;"] if any("flag" in line for line in lines) else []), "  stowage_wire_put32(to, at, table - at);",
            f"  stowage_wire_put16(to, vtable, {vtable});", f"  stowage_wire_put16(to, vtable + 2, {size});",
            "  stowage_wire_put32(to, table, table - vtable);", *lines, "}",
            f"static inline void {put}s(stowage_wire_writer* to, size_t vtable, size_t table, size_t slot, size_t place, const {kind}* list, size_t count) {{",
            "  const size_t first = stowage_wire_put_list(to, vtable, table, slot, place, NULL, count, 4);", "  size_t k;",
            f"  for (k = 0; k < count; ++k) {put}(to, first + 4 * k, &list[k]);", "}"]  # fmt: skip


def request_fields(schema: Schema) -> list[str]:
    places, size = layout("Request", schema)
    lines = []
    for slot, field in enumerate(schema.types["Request"].fields):
        of, where = f"request->{field.name}", f"to, vtable, table, {slot}, {places[field.name]}"
        if field.name == "format":
            lines.append(f"  stowage_wire_put_field({where}, &format, 2);")
        elif is_tables(field, schema):
            lines.append(f"  stowage_wire_put_{snake(field.inner)}s({where}, {of}, request->{count_of(field)});")
        elif field.many:
            lines.append(f"  stowage_wire_put_list({where}, {of}, request->{count_of(field)}, sizeof {of}[0]);")
        else:
            lines += put_part(field, schema, of, where)
    return [*(line for name in tables_in("Request", schema) for line in put_tables(name, schema)),
            f"enum {{ STOWAGE_WIRE_REQUEST_FIELDS = {len(places)}, STOWAGE_WIRE_REQUEST_SIZE = {size} }};",
            "static inline void stowage_wire_put_request(stowage_wire_writer* to, size_t vtable, size_t table, const stowage_request* request) {",
            "  const uint16_t format = 1;", "  uint8_t flag;", *lines, "}"]  # fmt: skip


def get_number(field: Field, schema: Schema, to: str, where: str) -> list[str]:
    """Reads a number over its default; all members are 0 before."""
    default = "STOWAGE_NONE" if field.default == NO_INDEX else field.default
    first = [f"  {to} = {default};"] if default not in (None, "0", "false") else []
    return [*first, f"  stowage_wire_scalar({where}, &{to}, {SIZES.get(field.inner, 1)});"]


def get_table(name: str, schema: Schema) -> list[str]:
    """A function that reads an entry of a list of tables that have numbers alone."""
    kind = struct_of(name)
    lines = [line for slot, field in enumerate(schema.types[name].fields) for line in get_number(field, schema, f"to->{field.name}", f"&from, table, {slot}")]
    return [f"static inline int stowage_wire_{snake(name)}(stowage_wire_reader from, stowage_wire_span list, uint32_t index, {kind}* to) {{",
            "  const size_t table = stowage_wire_entry(&from, list, index);", "  memset(to, 0, sizeof *to);", *lines,
            "  return table != 0 && !from.bad;", "}"]  # fmt: skip


def plan(schema: Schema) -> list[str]:
    return ["typedef struct stowage_plan_view {", *members("Plan", schema, "uint32_t"), "  stowage_wire_reader reader;", "} stowage_plan_view;"]


def plan_fields(schema: Schema) -> list[str]:
    scalars, lists = [], []
    for slot, field in enumerate(schema.types["Plan"].fields):
        to, where, rule = f"plan->{field.name}", f"from, root, {slot}", field.attributes.get("rule", "")
        kind, size = c_type(field, schema), SIZES.get(field.inner, 1)
        if field.name == "format":
            continue
        if field.inner == "string":
            lists.append(f"  {to} = stowage_wire_string({where});")
        elif is_tables(field, schema):
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
            scalars += get_number(field, schema, to, where)
        if field.required:
            lists.append(f"  if ({to} == NULL) from->bad = 1;")
    head = "static inline void stowage_wire_plan_{}(stowage_wire_reader* from, size_t root, stowage_plan_view* plan) {{"
    tables = [line for name in tables_in("Plan", schema) for line in get_table(name, schema)]
    return [*tables, head.format("numbers"), *scalars, "}", head.format("lists"), "  stowage_wire_span span;", *lists, "}"]


def filled(text: str, schema: Schema) -> str:
    """The header with the parts that are made."""
    parts = {
        "enumerations": [line for name in ("PlanStatus", "Objective", "SoftPolicy", "GoalKind") for line in enumeration(name, schema)],
        "tables in requests": request_tables(schema),
        "requests": request(schema),
        "the fields of requests": request_fields(schema),
        "tables in plans": [line for name in tables_in("Plan", schema) for line in record(name, schema)],
        "plans": plan(schema),
        "the fields of plans": plan_fields(schema),
        "states of nodes": enumeration("NodeState", schema),
    }
    return PART.sub(lambda part: part[1] + "".join(f"{line}\n" for line in ["/* clang-format off */", *parts.pop(part[2]), "/* clang-format on */"])
                    + part[3], text)  # fmt: skip
