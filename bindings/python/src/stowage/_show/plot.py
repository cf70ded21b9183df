"""Plans drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import records
from .picture import COLOURS, use

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._plan import Plan


def _new_axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as failure:
        raise ImportError("plots need the extra: pip install 'stowage-planner[plot]'") from failure
    return pyplot.subplots(layout="constrained")[1]


def plot(columns: records.Instance, plan: Plan, ax: Axes | None) -> Axes:
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
    axes.set_title(f"{plan.nodes_in_use} nodes by {plan.planner}")
    axes.legend()
    return axes
