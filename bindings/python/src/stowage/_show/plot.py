"""Plans and sweeps drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import records
from .picture import COLOURS, use

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes


def _new_axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as failure:
        raise ImportError("plots need the extra: pip install 'stowage-planner[plot]'") from failure
    return pyplot.subplots(layout="constrained")[1]


def plot(columns: records.Instance, plan: records.Plan, ax: Axes | None) -> Axes:
    """A line per resource: the share of capacity in use on each node, fullest first. Every copy of a node counts."""
    import numpy as np

    axes: Axes = _new_axes() if ax is None else ax
    shares = use(columns, plan)
    if plan.copies is not None:
        shares = np.repeat(shares, plan.copies, axis=0)
    for number, resource in enumerate(columns.resources):
        column = np.sort(shares[:, number])[::-1] * 100
        mean = f" ({column.mean():.0f} % on average)" if len(column) else ""
        # Each node is a step of width one, also the last.
        axes.stairs(column, label=f"{resource.name}{mean}", color=COLOURS[number % len(COLOURS)], linewidth=1.5, baseline=None)
    axes.set(xlabel="nodes, fullest first", ylabel="% of capacity in use", ylim=(0, 105), xlim=(0, max(1, len(shares))))
    axes.set_title(f"{len(shares)} nodes by {plan.planner}")
    axes.legend()
    return axes


def plot_columns(columns: Mapping[str, npt.NDArray[Any]], x: str, y: str, by: str | None, ax: Axes | None) -> Axes:
    """A line per value of `by`: the mean of y over the rows with the same x, and a band from the least to the greatest."""
    import numpy as np

    axes: Axes = _new_axes() if ax is None else ax
    words = columns[x].dtype == object or columns[x].dtype == np.bool_
    places = list(dict.fromkeys(columns[x].tolist()))
    at = np.array([places.index(one) for one in columns[x].tolist()], float) if words else columns[x].astype(float)
    values = columns[y].astype(float)
    groups = [None] if by is None else list(dict.fromkeys(columns[by].tolist()))
    for number, group in enumerate(groups):
        mine = np.isfinite(at) & np.isfinite(values)
        if by is not None:
            mine &= np.array([one == group for one in columns[by].tolist()], bool)
        points = np.unique(at[mine])
        rows = [values[mine & (at == point)] for point in points]
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(points, [one.mean() for one in rows], marker="o", color=colour, label=None if by is None else f"{by} {group}")
        if any(one.min() < one.max() for one in rows):
            axes.fill_between(points, [one.min() for one in rows], [one.max() for one in rows], color=colour, alpha=0.15, linewidth=0)
    if words:
        axes.set_xticks(range(len(places)), [str(one) for one in places])
    axes.set(xlabel=x, ylabel=y)
    if by is not None and groups:
        axes.legend()
    return axes
