"""Makes capi/src/check/schema_rows.h of the schemas: what stowage_check() knows of buffers. schema.py explains the rules."""

from .schema import SIZES, Field, Schema, Type

NOTE = "Made by scripts/generate-bindings.py from the schemas. Do not edit."


def rule_of(one: Type, field: Field) -> str:
    """How other columns and indices refer to the field. Columns and indices have to say so, even where nothing does."""
    rule = field.attributes.get("rule", one.attributes.get("rule"))
    needed = field.inner == "uint32" or field.many and field.inner in (*SIZES, "string")
    assert rule or not needed, f"{one.name}.{field.name} has no rule"
    return rule or "any"


class Cells:
    """The cells of rules. Counts are numbered in the order in which they are met."""

    def __init__(self) -> None:
        self.counts: list[str] = ["one"]

    def count(self, name: str) -> str:
        if name not in self.counts:
            self.counts.append(name)
        return "Count::k" + "".join(word.capitalize() for word in name.split("-"))

    def factors(self, product: str) -> str:
        names = [self.count(name) for name in product.split(" x ")]
        return "{" + ", ".join(names + [self.count("one")] * (3 - len(names))) + "}"

    def of(self, rule: str) -> tuple[str, str]:
        """Length rule with its numbers, and index rule."""
        one, other, length, index = self.factors("one"), self.factors("one"), "kAny", f"{self.count('one')}, false"
        for part in rule.split(", "):
            word, _, rest = part.partition(" ")
            if word == "counts":
                length, one = ("kSquare" if " x " in rest else "kCounts"), self.factors(rest.split(" x ")[0])
            elif word == "per":
                length, (one, *more) = "kPer", [self.factors(product) for product in rest.split(" | ")]
                other = more[0] if more else one
            elif word == "starts":
                rows, entries = rest.split(" in ")
                length = "kOwnStarts" if rows.startswith("*") else "kStarts"
                one = self.factors(f"{rows.removeprefix('*')} x {entries}")
            elif word == "ends":
                length, one = "kEnds", self.factors(f"one x {rest}")
            elif word == "of":
                index = f"{self.count(rest.removesuffix(' or none'))}, {'true' if rest.endswith(' or none') else 'false'}"
            else:
                assert rule == "any", f"unknown rule: {rule}"
        return f"Length::{length}, {one}, {other}", index


def part_of(field: Field, schema: Schema) -> tuple[str, int, int, int, int]:
    """What a field is: part, size, alignment, number of values or members, and which of its sort."""
    inner, many, what = field.inner, field.many, schema.what(field.inner)
    if what == "union":
        before = [len(one.members) for name, one in schema.of("union").items()][: list(schema.of("union")).index(inner)]
        return "kUnion", 4, 4, len(schema.types[inner].members), sum(before)
    if what == "table":
        return "kTables" if many else "kTable", 4, 4, 0, list(schema.of("table")).index(inner)
    if what == "struct":
        assert many, f"{field.name}: structs stand in columns only"
        return "kStructs", schema.types[inner].size, schema.types[inner].align, 0, list(schema.of("struct")).index(inner)
    if inner == "string":
        return "kTexts" if many else "kText", 4, 4, 0, 0
    values = schema.types.get(field.attributes.get("values", inner))
    size = SIZES["ubyte" if what == "enum" else inner]
    return "kNumbers" if many else "kNumber", size, size, len(values.fields) if values else 0, 0


def schema_rows(schema: Schema) -> str:
    cells = Cells()
    free = cells.of("any")
    tables = schema.of("table")
    fields, bounds, related = [], {}, {}
    for name, table in tables.items():
        first, found = len(fields), False
        for field in table.fields:
            length, index = cells.of(rule_of(table, field))
            rule = "kFree" if (length, index) == free else f"{{{length}, {index}}}"
            found |= rule != "kFree"
            part, size, align, count, what = part_of(field, schema)
            initial = int(field.default) if part == "kNumber" and rule != "kFree" and field.default else 0
            slot = field.slot - (2 if part == "kUnion" else 0)
            fields.append(f'    {{"{field.name}", {slot}, Part::{part}, {size}, {align}, {str(field.required).lower()}, {count}, {what}, '
                          f"{initial}, {rule}}},")  # fmt: skip
        bounds[name], related[name] = (first, len(fields)), found
    members, struct_rows = [], []
    for name, struct in schema.of("struct").items():
        first = len(members)
        for member in struct.fields:
            rule = rule_of(struct, member)
            if rule != "any":
                members.append(f'    {{"{member.name}", {member.slot}, {cells.of(rule)[1]}}},')
        struct_rows.append(f"    {{{first}, {len(members)}}},  // {name}")

    def reaches(name: str) -> bool:
        """Whether rules concern a table or what it refers to."""
        if related[name]:
            return True
        for inner in (field.inner for field in tables[name].fields):
            what = schema.what(inner)
            if what == "struct" and any(rule_of(schema.types[inner], member) != "any" for member in schema.types[inner].fields):
                return True
            if any(reaches(one) for one in (schema.types[inner].members if what == "union" else [inner] if what == "table" else [])):
                return True
        return False

    counts = [cells.count(name).removeprefix("Count::") for name in cells.counts]
    alternatives = [str(list(tables).index(member)) for union in schema.of("union").values() for member in union.members]
    roots = [f'    {{"{identifier}", {list(tables).index(table)}}},  // {table}' for table, identifier in schema.roots]
    return "\n".join(
        [f"// {NOTE}", "// clang-format off", "#pragma once", "", "#include <cstdint>", "", '#include "capi/src/check/rows.h"', "",
         "namespace stowage::capi {", "",
         "enum class Count : std::uint8_t {", "    " + ", ".join([*counts, "kEnd"]) + ",", "};", "",
         "inline constexpr FieldRow kFieldRows[] = {", *fields, "};", "",
         "inline constexpr TableRow kTableRows[] = {",
         *(f"    {{{first}, {end}, {str(reaches(name)).lower()}}},  // {name}" for name, (first, end) in bounds.items()), "};", "",
         "inline constexpr MemberRow kMemberRows[] = {", *members, "};", "",
         "inline constexpr StructRow kStructRows[] = {", *struct_rows, "};", "",
         "/// Tables that the unions can be.", "inline constexpr std::uint8_t kUnionRows[] = {", f"    {', '.join(alternatives)},", "};", "",
         "inline constexpr RootRow kRootRows[] = {", *roots, "};", "",
         "}  // namespace stowage::capi", ""])  # fmt: skip
