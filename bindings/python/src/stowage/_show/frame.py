"""Answers as frames: named columns of the same length, which pandas, polars and pyarrow read without being needed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Rows that a notebook shows.
_SHOWN = 20


class Frame:
    """Named columns of the same length: NumPy arrays, of objects where they hold text.

    `frame["room"]` is a column, `dict(frame)` all of them. `polars.DataFrame(frame)`, `pyarrow.table(frame)` and
    `pandas.DataFrame.from_arrow(frame)` read it through the Arrow PyCapsule interface, which needs the extra `frames`;
    `pandas.DataFrame(dict(frame))` does without.
    """

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self.columns: dict[str, npt.NDArray[Any]] = dict(columns)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The columns as an Arrow stream of one batch."""
        core = arrow()
        arrays = {name: to_arrow(column) for name, column in self.columns.items()}
        return core.Table.from_pydict(arrays).__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<stowage.Frame of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        from .html import table

        shown = [column[:_SHOWN].tolist() for column in self.columns.values()]
        more = len(self) - _SHOWN
        return table(self.keys(), zip(*shown, strict=True)) + (f"<p>and {more} more rows</p>" if more > 0 else "")


def arrow() -> Any:
    """The module arro3.core. Raises ImportError with the name of the extra that has it."""
    try:
        import arro3.core
    except ImportError as failure:
        raise ImportError("frames need the extra: pip install 'stowage-planner[frames]'") from failure
    return arro3.core


def to_arrow(column: npt.NDArray[Any]) -> Any:
    """A column as an Arrow array: text from objects, numbers of the same type from numbers."""
    import numpy as np

    core = arrow()
    if column.dtype == object:
        return core.Array(column.tolist(), core.DataType.utf8())
    if column.dtype == np.bool_:
        return core.Array(column.tolist(), core.DataType.bool())
    return core.Array.from_numpy(np.ascontiguousarray(column))


def named(names: list[str] | list[str | None] | None, index: npt.NDArray[np.uint32]) -> npt.NDArray[Any]:
    """The names at these positions, None where there is none of that position; the positions where there are no names."""
    import numpy as np

    if names is None:
        return index
    table = np.array([*names, None], dtype=object)
    found: npt.NDArray[Any] = table[np.minimum(index, len(names))]
    return found
