"""Reads the schemas (capi/schema/*.fbs): what every generator knows of tables, structs, enumerations and unions.

The attributes of a field say what its type leaves open:
  rule      how columns and indices refer to each other, in the words below; stowage_check() holds buffers to it
  none      the value that stands for "none", where that is not the default
  values    the enumeration whose values the number has
  kinds     the values of the enumeration of its table that the field goes with
  flags     a column of 0 and 1
  unit      "ms": a time in milliseconds
  absent    what each entry of a column is where the column is absent, if that is not 0
  positive  0 is no value: a program that leaves the number at 0 gets the default

Rules, of which a field has one or several:
  counts X       its length is the number of X; of a number: its value is
  counts X x X   its length is the square of the number of X
  per X          one entry per X, and so on: "per X x Y | X x Y x Z" is one of both lengths. Where the field is not required, it
                 may be empty instead
  starts X in Y  starts of rows, one row per X, and the end of the last one; the rows are those of the Y. "starts *X in Y": the
                 number of rows is the number of X
  ends Y         ends of rows of the Y, without the first start
  of X           each entry is an index of an X
  of X or none   or 4294967295
  any            nothing else refers to it
Numbers of things are those of the whole buffer, or of the table where they are counted last. Every column, and every number of
32 bits, has a rule or belongs to a table or struct that has one for all its fields.
"""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ("instance", "request", "plan", "report", "catalogue", "session", "learning", "derivation")
SIZES = {"bool": 1, "ubyte": 1, "uint16": 2, "uint32": 4, "int32": 4, "uint64": 8, "double": 8}
NO_INDEX = "4294967295"

DOC = r"((?:[ \t]*///[^\n]*\n)*)"
ATTRIBUTES = r"(?:\(([^)]*)\))?"
TYPE = re.compile(rf"{DOC}[ \t]*(table|struct|enum|union) (\w+)(?: : \w+)?[ ]*{ATTRIBUTES}[ ]*\{{(.*?)\}}", re.DOTALL)
FIELD = re.compile(rf"{DOC}\s*(\w+)\s*:\s*([\w\[\]]+)\s*(?:=\s*([-\w.]+))?\s*{ATTRIBUTES};")
VALUE = re.compile(rf"{DOC}\s*(\w+) = (\d+)")


@dataclasses.dataclass(frozen=True)
class Field:
    """A field of a table, a member of a struct or a value of an enumeration."""

    name: str
    kind: str  # the type, such as [uint32]
    default: str | None
    doc: tuple[str, ...]  # the lines of its comment
    attributes: dict[str, str]  # "" where one has no value
    slot: int  # place in the table's vtable; of a struct's member, the offset; of an enumeration's value, the number

    @property
    def inner(self) -> str:
        return self.kind.strip("[]")

    @property
    def many(self) -> bool:
        return self.kind.startswith("[")

    @property
    def required(self) -> bool:
        return "required" in self.attributes

    @property
    def none(self) -> str | None:
        """The value that stands for "none"."""
        return self.attributes.get("none", NO_INDEX if self.default == NO_INDEX else None)


@dataclasses.dataclass(frozen=True)
class Type:
    """A table, struct, enumeration or union."""

    name: str
    what: str
    doc: tuple[str, ...]
    attributes: dict[str, str]
    fields: tuple[Field, ...]  # of a union: none
    members: tuple[str, ...] = ()  # of a union: the tables that it can be
    size: int = 0  # of a struct
    align: int = 1

    def field(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


def attributes_of(text: str | None) -> dict[str, str]:
    found = re.findall(r'(\w+)(?:\s*:\s*(?:"([^"]*)"|([-\w.]+)))?', text or "")
    return {name: quoted or plain for name, quoted, plain in found}


def lines_of(doc: str) -> tuple[str, ...]:
    return tuple(re.findall(r"/// ?(.*)", doc))


class Schema:
    """The declarations of all schemas, in their order."""

    def __init__(self, texts: list[str]):
        self.types: dict[str, Type] = {}
        self.roots: list[tuple[str, str]] = []  # table, identifier
        found = []
        for text in texts:
            text = re.sub(r"(?<!/)//(?!/)[^\n]*", "", text)
            found += TYPE.findall(text)
            self.roots.append((re.search(r"root_type (\w+);", text)[1], re.search(r'file_identifier "(\w+)";', text)[1]))
        unions = [name for _, what, name, _, _ in found if what == "union"]
        for doc, what, name, attributes, body in found:
            self.types[name] = self._type(what, name, lines_of(doc), attributes_of(attributes), body, unions)

    @staticmethod
    def _type(what: str, name: str, doc: tuple[str, ...], attributes: dict[str, str], body: str, unions: list[str]) -> Type:
        if what == "union":
            return Type(name, what, doc, attributes, (), tuple(one.strip() for one in body.split(",")))
        if what == "enum":
            values = [Field(key, name, None, lines_of(about), {}, int(value)) for about, key, value in VALUE.findall(body)]
            assert [value.slot for value in values] == list(range(len(values))), f"the values of {name} are not 0, 1 and so on"
            return Type(name, what, doc, attributes, tuple(values))
        fields, at, most = [], 4 if what == "table" else 0, 1
        for about, field, kind, default, notes in FIELD.findall(body):
            if what == "struct":
                size = SIZES[kind]
                at, most = -(-at // size) * size, max(most, size)
            elif kind in unions:
                at += 2  # the number of the member comes first
            fields.append(Field(field, kind, default or None, lines_of(about), attributes_of(notes), at))
            at += 2 if what == "table" else SIZES[kind]
        assert len(fields) == body.count(";") - "".join(re.findall("//[^\n]*", body)).count(";"), f"{name} has a field that cannot be read"
        return Type(name, what, doc, attributes, tuple(fields), (), -(-at // most) * most if what == "struct" else 0, most)

    def of(self, what: str) -> dict[str, Type]:
        return {name: one for name, one in self.types.items() if one.what == what}

    def what(self, name: str) -> str | None:
        """table, struct, enum or union; None for a number or a text."""
        return self.types[name].what if name in self.types else None


def read(root: pathlib.Path = ROOT) -> Schema:
    return Schema([(root / f"capi/schema/{name}.fbs").read_text(encoding="utf-8") for name in NAMES])
