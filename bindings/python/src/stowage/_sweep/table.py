"""The table of a sweep, and its picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._library import Status, StowageError
from .._show.frame import Frame
from .results import Entry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.axes import Axes

# Columns that every table has.
_ALWAYS = ("status", "nodes", "node_bound", "gap", "unplaced", "moves", "work", "verified", "plan")


class Sweep(Frame):
    """A row per scenario: a Frame, which pandas, polars and pyarrow read.

    name          of the scenario; then what differs between scenarios, such as demand, classes, planner and seed
    status        of the plan, in words; "failed" where there is none
    nodes, node_bound, gap, unplaced, moves, work   as of Plan
    cost, ucac, max_cost, total_cost, left_out, remote_traffic   with their bounds, where plans have them; violations, survives and
                  domains_in_use too
    verified      whether the independent checker finds no fault
    plan          digest of the plan's bytes, which are those of Scenario.plan() with the arguments of the sweep
    error         why there is no plan; where nothing failed, there is no such column

    What is not known is NaN or, in columns of text, None. `seconds` has the time that workers took, NaN where that is not known.
    """

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]], seconds: npt.NDArray[np.float64]) -> None:
        super().__init__(columns)
        self.seconds: npt.NDArray[np.float64] = seconds

    def plot(self, x: str, y: str = "nodes", *, by: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws a column over another with matplotlib (extra `plot`): the mean of the rows with the same x, and a band from the
        least to the greatest.

        by  a column with a line for each of its values
        ax  the axes to draw on; None: axes of their own

        Raises StowageError for a column that there is not.
        """
        from .._show.plot import plot_columns

        for name in (x, y, *([] if by is None else [by])):
            if name not in self.columns:
                raise StowageError(Status.NOT_FOUND, f'there is no column "{name}"; there are {", ".join(self.columns)}')
        if self[y].dtype == object:
            raise StowageError(Status.INVALID, "is a column of text", y)
        return plot_columns(self.columns, x, y, by, ax)

    def __repr__(self) -> str:
        return f"<stowage.Sweep of {len(self)} scenarios: {', '.join(self.columns)}>"


def table_of(scenarios: Sequence[tuple[str, Mapping[str, float | str | None]]], entries: Sequence[Entry]) -> Sweep:
    """The table of scenarios, each a name and what it says of itself, and of what became of them."""
    import numpy as np

    rows = [entry["row"] or {"status": "failed", "verified": False} for entry in entries]
    results = list(dict.fromkeys(key for row in [dict.fromkeys(_ALWAYS), *rows] for key in row))
    columns: dict[str, npt.NDArray[Any]] = {"name": _column([name for name, _ in scenarios])}
    for key in dict.fromkeys(key for _, one in scenarios for key in one):
        values = [one.get(key, _DEFAULTS.get(key)) for _, one in scenarios]
        # What is the same in all is told by the call.
        if key == "planner" or any(value != values[0] for value in values):
            columns[f"request_{key}" if key in ("name", "error", *results) else key] = _column(values)
    for key in results:
        values = [row.get(key) for row in rows]
        # No value, and no violations.
        if key in _ALWAYS or any(value is not None and (value or type(value) is not int) for value in values):
            columns[key] = _column(values, _TEXTS.get(key, np.float64))
    if any(entry["error"] for entry in entries):
        columns["error"] = _column([entry["error"] and _said(entry["error"]) for entry in entries])
    seconds = [entry["seconds"] for entry in entries]
    return Sweep(columns, _column(seconds, np.float64).astype(np.float64))


# What a scenario has that says nothing of it.
_DEFAULTS: dict[str, float | str] = {"demand": 1.0, "replicas": 1.0, "capacity": 1.0, "limits": 1.0}
# Columns of results that are no numbers, which matters where no row has a value.
_TEXTS: dict[str, type] = {"status": object, "plan": object, "verified": bool}


def _said(error: Mapping[str, str]) -> str:
    return f"{error['status']} {error['path']}: {error['message']}" if error["path"] else f"{error['status']}: {error['message']}"


def _column(values: Iterable[Any], none: type = object) -> npt.NDArray[Any]:
    """Flags or whole numbers where all values are, else numbers where all that are known are, else text. `none` is the type of a
    column without values."""
    import numpy as np

    given = list(values)
    kinds = {type(one) for one in given if one is not None}
    if not kinds:
        return np.full(len(given), np.nan, none) if none is np.float64 else np.array(given, none)
    if len(kinds) == 1 and kinds <= {bool, int} and None not in given:
        return np.array(given, np.bool_ if kinds == {bool} else np.int64)
    if kinds <= {int, float}:
        return np.array([np.nan if one is None else one for one in given], np.float64)
    text = [None if one is None else f"{one:g}" if type(one) is float else str(one) for one in given]
    return np.array(text, object)
