"""Makes the records of Python: a class per table, a NumPy dtype per struct, an IntEnum per enumeration; what _wire.py reads and writes."""

from ..schema import Field, Schema, Type
from ..shapes import app_numbers
from ..words import upper_snake

# Types of the schemas: annotation in Python, letter of the module struct, type of NumPy's elements.
SCALARS = {
    "bool": ("bool", "?", "np.bool_"), "ubyte": ("int", "B", "np.uint8"), "uint16": ("int", "H", "np.uint16"),
    "uint32": ("int", "I", "np.uint32"), "int32": ("int", "i", "np.int32"), "uint64": ("int", "Q", "np.uint64"),
    "double": ("float", "d", "np.float64"),
}  # fmt: skip
KEYWORDS = ("not", "from")


def comment(lines: tuple[str, ...], indent: str, mark: str = "#: ") -> list[str]:
    return [f"{indent}{mark}{line}" for line in lines]


def docstring(lines: tuple[str, ...], otherwise: str = "") -> list[str]:
    text = comment(lines, "    ", "")
    if not text and not otherwise:
        return []
    return ['    """' + ("\n".join(text).strip() or otherwise) + '"""', ""]


def column_of(field: Field, schema: Schema) -> tuple[str, str | None, str]:
    """Of a field with many values: annotation, default value (None: the field has to be given), description for the codec."""
    inner, what = field.inner, schema.what(field.inner)
    none = None if field.required else "None"
    optional = "" if field.required else " | None"
    if inner == "string":
        return f"list[str]{optional}", none, "Texts()"
    if what == "table":
        required = ", required=True" if field.required else ""
        return f"list[{inner}]", None if field.required else "[]", f"Tables({inner}{required})"
    if what == "struct":
        return f"npt.NDArray[np.void]{optional}", none, f"Column(_{upper_snake(inner)})"
    element = "np.uint8" if what == "enum" else SCALARS[inner][2]
    return f"npt.NDArray[{element}]{optional}", none, f'Column("{element.removeprefix("np.")}")'


def field_of(field: Field, schema: Schema) -> tuple[str, str | None, str]:
    """As column_of(), of any field."""
    inner, what = field.inner, schema.what(field.inner)
    none = None if field.required else "None"
    optional = "" if field.required else " | None"
    if what == "union":
        return inner, None, f"Union({inner}_TYPES)"
    if field.many:
        return column_of(field, schema)
    if inner == "string":
        return f"str{optional}", none, "Text()"
    if what == "table":
        return f"{inner}{optional}", none, f"Table({inner})"
    if what == "enum":
        default = f"{inner}.{upper_snake(field.default)}" if field.default else f"{inner}(0)"
        return inner, default, f'Scalar("B", {default}, {inner})'
    annotation, letter, _ = SCALARS[inner]
    default = field.default or ""
    value = {"true": "True", "false": "False"}.get(default, default) or {"bool": "False", "float": "0.0"}.get(annotation, "0")
    value = str(float(value)) if annotation == "float" else value
    return annotation, value, f'Scalar("{letter}", {value}, {annotation})'


def table_of(table: Type, schema: Schema) -> list[str]:
    out = ["", "", f"class {table.name}(Record):", *docstring(table.doc, f"The table {table.name} of the schemas.")]
    described, parameters, assigned = [], [], []
    for field in table.fields:
        annotation, value, codec = field_of(field, schema)
        label = f"{field.name}_" if field.name in KEYWORDS else field.name
        out += comment(field.doc, "    ")
        out.append(f"    {label}: {annotation}")
        described.append(f'    Field("{label}", {field.slot}, {codec}),')
        # Dataclasses would do the same, and take as long to import as everything else of the package.
        if value == "[]":
            parameters.append(f"        {label}: {annotation} | None = None,")
            assigned.append(f"        self.{label} = [] if {label} is None else {label}")
        else:
            parameters.append(f"        {label}: {annotation}{'' if value is None else ' = ' + value},")
            assigned.append(f"        self.{label} = {label}")
    out += ["", "    def __init__(", "        self,", "        *,", *parameters, "    ) -> None:", *assigned]
    return out + ["", "", f"{table.name}.FIELDS = (", *described, ")"]


def type_of(one: Type, schema: Schema) -> list[str]:
    if one.what == "table":
        return table_of(one, schema)
    if one.what == "enum":
        out = ["", "", f"class {one.name}(enum.IntEnum):", *docstring(one.doc)]
        for value in one.fields:
            out += [*comment(value.doc, "    "), f"    {upper_snake(value.name)} = {value.slot}"]
        return out
    if one.what == "struct":
        members = [f'    ("{member.name}", "{SCALARS[member.kind][2].removeprefix("np.").rstrip("_")}"),' for member in one.fields]
        return ["", "", *comment(one.doc, ""), f"_{upper_snake(one.name)} = (", *members, ")"]
    return ["", "", f"{one.name}: TypeAlias = {' | '.join(one.members)}",
            f"{one.name}_TYPES: tuple[type[Record], ...] = ({', '.join(one.members)})"]  # fmt: skip


def python_records(schema: Schema) -> str:
    structs = [upper_snake(name) for name in schema.of("struct")]
    out = ["# Made by scripts/generate-bindings.py from the schemas. Do not edit.",
           '"""The tables of the schemas (capi/schema) as records. Columns are NumPy arrays; those that were read are views."""', "",
           "from __future__ import annotations", "", "import enum", "from typing import TYPE_CHECKING, Any", "",
           "from ._wire import Column, Field, Record, Scalar, Table, Tables, Text, Texts, Union", "",
           "if TYPE_CHECKING:", "    from typing import TypeAlias", "", "    import numpy as np", "    import numpy.typing as npt", "",
           *(f"    {name}: np.dtype[np.void]" for name in structs)]  # fmt: skip
    for one in schema.types.values():
        out += type_of(one, schema)
    out += ["", "", "#: The type of each column of numbers that apps may have, and what stands for an absent one.",
            "APP_NUMBERS: dict[str, tuple[str, float]] = {",
            *(f'    "{field.name}": ("{SCALARS[field.inner][2].removeprefix("np.")}", {field.attributes.get("absent", 0)}),'
              for field in app_numbers(schema)), "}"]  # fmt: skip
    named = ", ".join(f'"{name}"' for name in structs)
    out += ["", "", "def __getattr__(name: str) -> Any:", '    """The NumPy types of the structs, which are made when they are asked for."""',
            f"    if name not in ({named}):", '        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")',
            '    return Column(globals()["_" + name]).dtype']  # fmt: skip
    return "\n".join(out + [""])
