"""Makes capi/src/check/schema_rows.h of the schemas and of capi/src/check/relations.txt: what stowage_check() knows of buffers."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELATIONS = ROOT / "capi/src/check/relations.txt"
SCALARS = {"bool": 1, "ubyte": 1, "uint16": 2, "uint32": 4, "int32": 4, "uint64": 8, "double": 8}
NOTE = "Made by scripts/generate-bindings.py from the schemas and relations.txt. Do not edit."


class Schema:
    """The declarations of all schemas."""

    def __init__(self, texts: list[str]):
        self.tables: dict[str, list[tuple[str, str, str, bool]]] = {}  # fields: name, type, default, required
        self.structs: dict[str, list[tuple[str, str, str, bool]]] = {}
        self.enums: dict[str, int] = {}  # number of values
        self.unions: dict[str, list[str]] = {}
        self.roots: list[tuple[str, str]] = []  # table, identifier
        for text in texts:
            text = re.sub(r"//[^\n]*", "", text)
            for what, name, body in re.findall(r"(table|struct|enum|union) (\w+)(?: : \w+)? \{(.*?)\}", text, flags=re.DOTALL):
                if what == "enum":
                    values = [int(value) for value in re.findall(r"\w+ = (\d+)", body)]
                    assert values == list(range(len(values))), f"the values of {name} are not 0, 1 and so on"
                    self.enums[name] = len(values)
                elif what == "union":
                    self.unions[name] = [one.strip() for one in body.split(",")]
                else:
                    fields = re.findall(r"(\w+)\s*:\s*([\w\[\]]+)\s*(?:=\s*([-\w.]+))?\s*(\(required\))?;", body)
                    listed = [(field, kind, default, bool(required)) for field, kind, default, required in fields]
                    (self.tables if what == "table" else self.structs)[name] = listed
            self.roots.append((re.search(r"root_type (\w+);", text)[1], re.search(r'file_identifier "(\w+)";', text)[1]))

    def struct_layout(self, name: str) -> tuple[dict[str, int], int, int]:
        """Offset of each member, size and alignment."""
        offsets, at, most = {}, 0, 1
        for member, kind, _, _ in self.structs[name]:
            size = SCALARS[kind]
            at = -(-at // size) * size
            offsets[member] = at
            at += size
            most = max(most, size)
        return offsets, -(-at // most) * most, most


class Relations:
    """The lines of relations.txt, each of which has to be asked for."""

    def __init__(self, text: str):
        self.lines = {}
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                name, rule = line.split(maxsplit=1)
                self.lines[name] = rule
        self.used: set[str] = set()
        self.counts: list[str] = ["one"]

    def of(self, table: str, field: str, needed: bool) -> str:
        for name in (f"{table}.{field}", f"{table}.*"):
            if name in self.lines:
                self.used.add(name)
                return self.lines[name]
        assert not needed, f"{RELATIONS.name} has no line for {table}.{field}"
        return "any"

    def count(self, name: str) -> str:
        if name not in self.counts:
            self.counts.append(name)
        return "Count::k" + "".join(word.capitalize() for word in name.split("-"))

    def factors(self, product: str) -> str:
        names = [self.count(name) for name in product.split(" x ")]
        return "{" + ", ".join(names + [self.count("one")] * (3 - len(names))) + "}"

    def cells(self, rule: str) -> tuple[str, str, int | str]:
        """Length rule with its numbers, index rule, and the enumeration or nothing."""
        one, other, length, index, values = self.factors("one"), self.factors("one"), "kAny", f"{self.count('one')}, false", ""
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
            elif word == "values":
                values = rest
            else:
                assert rule == "any", f"unknown rule: {rule}"
        return f"Length::{length}, {one}, {other}", index, values


def schema_rows(names: tuple[str, ...]) -> str:
    schema = Schema([(ROOT / f"capi/schema/{name}.fbs").read_text(encoding="utf-8") for name in names])
    relations = Relations(RELATIONS.read_text(encoding="utf-8"))
    tables, structs = list(schema.tables), list(schema.structs)
    unions, alternatives = {}, []
    for name, members in schema.unions.items():
        unions[name] = (len(alternatives), len(members))
        alternatives += [str(tables.index(member)) for member in members]
    fields, table_rows, related = [], [], {}
    for table in tables:
        first, slot, found = len(fields), 4, False
        for name, kind, default, required in schema.tables[table]:
            inner, many = kind.strip("[]"), kind.startswith("[")
            length, index, values = relations.cells(relations.of(table, name, many or inner == "uint32"))
            free = relations.cells("any")
            rule = "kFree" if (length, index) == free[:2] else f"{{{length}, {index}}}"
            found |= rule != "kFree"
            size, align, count, what = 4, 4, 0, 0
            if inner in schema.unions:
                part, (what, count) = "kUnion", unions[inner]
            elif inner in schema.tables:
                part, what = ("kTables" if many else "kTable"), tables.index(inner)
            elif inner in schema.structs:
                assert many, f"{table}.{name}: structs stand in columns only"
                part, what, (_, size, align) = "kStructs", structs.index(inner), schema.struct_layout(inner)
            elif inner == "string":
                part = "kTexts" if many else "kText"
            else:
                part, count = ("kNumbers" if many else "kNumber"), schema.enums.get(values or inner, 0)
                size = align = SCALARS["ubyte" if inner in schema.enums else inner]
            initial = int(default) if part == "kNumber" and rule != "kFree" and default else 0
            fields.append(f'    {{"{name}", {slot}, Part::{part}, {size}, {align}, {str(required).lower()}, {count}, {what}, {initial}, '
                          f"{rule}}},")  # fmt: skip
            slot += 4 if part == "kUnion" else 2
        related[table] = found
        table_rows.append((table, first, len(fields)))
    members, struct_rows = [], []
    for struct in structs:
        first, offsets = len(members), schema.struct_layout(struct)[0]
        for name, kind, _, _ in schema.structs[struct]:
            rule = relations.of(struct, name, kind == "uint32")
            if rule != "any":
                members.append(f'    {{"{name}", {offsets[name]}, {relations.cells(rule)[1]}}},')
        struct_rows.append(f"    {{{first}, {len(members)}}},  // {struct}")
    unused = set(relations.lines) - relations.used
    assert not unused, f"{RELATIONS.name} has lines for nothing: {', '.join(sorted(unused))}"
    relations.used.clear()

    def reaches(table: str) -> bool:
        """Whether relations concern a table or what it refers to."""
        if related[table]:
            return True
        for _, kind, _, _ in schema.tables[table]:
            inner = kind.strip("[]")
            if inner in schema.structs and any(relations.of(inner, name, False) != "any" for name, _, _, _ in schema.structs[inner]):
                return True
            if any(reaches(one) for one in (schema.unions.get(inner) or ([inner] if inner in schema.tables else []))):
                return True
        return False

    names_of_counts = [relations.count(name).removeprefix("Count::") for name in relations.counts]
    roots = [f'    {{"{identifier}", {tables.index(table)}}},  // {table}' for table, identifier in schema.roots]
    return "\n".join(
        [f"// {NOTE}", "// clang-format off", "#pragma once", "", "#include <cstdint>", "", '#include "capi/src/check/rows.h"', "",
         "namespace stowage::capi {", "",
         "enum class Count : std::uint8_t {", "    " + ", ".join([*names_of_counts, "kEnd"]) + ",", "};", "",
         "inline constexpr FieldRow kFieldRows[] = {", *fields, "};", "",
         "inline constexpr TableRow kTableRows[] = {",
         *(f"    {{{first}, {end}, {str(reaches(name)).lower()}}},  // {name}" for name, first, end in table_rows), "};", "",
         "inline constexpr MemberRow kMemberRows[] = {", *members, "};", "",
         "inline constexpr StructRow kStructRows[] = {", *struct_rows, "};", "",
         "/// Tables that the unions can be.", "inline constexpr std::uint8_t kUnionRows[] = {", f"    {', '.join(alternatives)},", "};", "",
         "inline constexpr RootRow kRootRows[] = {", *roots, "};", "",
         "}  // namespace stowage::capi", ""])  # fmt: skip
