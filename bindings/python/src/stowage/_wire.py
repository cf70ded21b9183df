"""What the tables of the schemas are made of: descriptions that records.py gives and _codec.py reads and writes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

if TYPE_CHECKING:
    import numpy as np


class Scalar(NamedTuple):
    """A number of the type that a letter of the module struct names."""

    letter: str
    default: Any
    convert: Callable[[Any], Any]


class Text(NamedTuple):
    """A string."""


class Texts(NamedTuple):
    """A vector of strings."""


class Column:
    """A vector of numbers or structs: a NumPy array of one dimension.

    `content` names NumPy's type of the numbers, or has the names and types of a struct's members.
    """

    def __init__(self, content: str | tuple[tuple[str, str], ...]) -> None:
        self.content = content

    @functools.cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements. NumPy is imported once it is asked for, and not with the package."""
        import numpy as np

        return np.dtype(self.content) if isinstance(self.content, str) else np.dtype(list(self.content), align=True)


class Table(NamedTuple):
    """A table within a table."""

    kind: type[Record]


class Tables(NamedTuple):
    """A vector of tables. Unless it is required, an empty one is left out."""

    kind: type[Record]
    required: bool = False


class Union(NamedTuple):
    """One of several tables. The number of its type is in the slot before."""

    kinds: tuple[type[Record], ...]


class Field(NamedTuple):
    """A field of a table: its slot is the offset in the vtable."""

    name: str
    slot: int
    kind: Scalar | Text | Texts | Column | Table | Tables | Union


class Record:
    """A table of the schemas: attributes by the names of its fields, all of which are keywords of the constructor."""

    FIELDS: ClassVar[tuple[Field, ...]] = ()

    def replace(self, **changes: Any) -> Self:
        """A copy with other values for these fields."""
        values = {name: getattr(self, name) for name, _, _ in self.FIELDS}
        return type(self)(**(values | changes))

    def __repr__(self) -> str:
        values = [(field.name, getattr(self, field.name)) for field in self.FIELDS]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values if value is not None)})"

    def _repr_html_(self) -> str:
        from ._show.html import record

        return record(self)
