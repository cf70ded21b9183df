"""Plans and instances in notebooks: small pictures and tables without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import records
from .._library import NONE
from .html import escaped, table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# At most so many nodes are drawn, each as a column with one bar per resource.
_MOST_NODES = 120
COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#edc948")


def per_period(column: npt.NDArray[np.float64], items: int, resources: int, periods: int) -> npt.NDArray[np.float64]:
    """A column of items x resources, or of items x resources x periods, with all periods. Shape: items, resources, periods."""
    import numpy as np

    width = 1 if column.size == items * resources else periods
    return np.broadcast_to(column.reshape(items, resources, width), (items, resources, periods))


def use(columns: records.Instance, plan: records.Plan) -> npt.NDArray[np.float64]:
    """The largest use over periods of each node, load and daemon load included, as a share of capacity. Shape: nodes x resources."""
    import numpy as np

    resources, periods = len(columns.resources), columns.periods
    demand = per_period(columns.apps.demand, len(columns.apps.replicas), resources, periods)
    nodes = len(plan.node_class)
    total = np.zeros((nodes, resources, periods))
    np.add.at(total, plan.placed["node"], demand[plan.placed["app"]] * plan.placed["replicas"][:, None, None])
    for number, one in enumerate(columns.classes):
        if one.daemon is not None:
            mine = (plan.node_class == number) & ((plan.listed == NONE) | (columns.nodes is None or columns.nodes.daemon is None))
            total[mine] += per_period(one.daemon, 1, resources, periods)
    listed = plan.listed != NONE
    if columns.nodes is not None and listed.any():
        for column in (columns.nodes.load, columns.nodes.daemon):
            if column is not None:
                total[listed] += per_period(column, len(columns.nodes.node_class), resources, periods)[plan.listed[listed]]
    capacity = np.stack([one.capacity for one in columns.classes])[plan.node_class]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = total.max(axis=2) / capacity
    return np.where(capacity > 0, share, 0.0)


class Picture:
    """The use of a plan's nodes: `use` has a row per node and a column per resource, `svg` the picture."""

    def __init__(self, columns: records.Instance, plan: records.Plan) -> None:
        self.use: npt.NDArray[np.float64] = use(columns, plan)
        self.plan: records.Plan = plan
        self._names = [resource.name for resource in columns.resources]

    @property
    def svg(self) -> str:
        """The picture: a column per node, a bar per resource, as high as the share of capacity that is used."""
        shown = self.use[:_MOST_NODES]
        bar = 6 if len(shown) <= 40 else 3
        step = bar * len(self._names) + 3
        width, height = max(240, step * len(shown) + 8), 90
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">']
        for node, row in enumerate(shown):
            left = 4 + node * step
            parts.append(f'<rect x="{left}" y="4" width="{step - 3}" height="60" fill="#eee"/>')
            for resource, share in enumerate(row.tolist()):
                tall = 60 * min(share, 1.0)
                colour = COLOURS[resource % len(COLOURS)]
                title = f"node {node}: {escaped(self._names[resource])} {share:.0%}"
                parts.append(
                    f'<rect x="{left + resource * bar}" y="{64 - tall:.1f}" width="{bar}" height="{tall:.1f}" fill="{colour}">'
                    f"<title>{title}</title></rect>"
                )
        at = 4
        for resource, name in enumerate(self._names):
            colour = COLOURS[resource % len(COLOURS)]
            parts.append(f'<text x="{at}" y="82" font-size="11" font-family="sans-serif" fill="{colour}">{escaped(name)}</text>')
            at += 10 + 7 * len(name)
        return "".join([*parts, "</svg>"])

    def _repr_html_(self) -> str:
        more = len(self.use) - _MOST_NODES
        note = f"<p>and {more} more entries</p>" if more > 0 else ""
        return f"<p>{escaped(repr(self.plan))}</p>{self.svg}{note}"


def instance_table(columns: records.Instance) -> str:
    """The node classes of an instance as a table, with their capacity."""
    names = [f"{one.name} ({one.unit})" if one.unit else one.name for one in columns.resources]
    apps, replicas = len(columns.apps.replicas), int(columns.apps.replicas.sum(dtype="uint64"))
    rows = ([one.name or f"class {number}", *one.capacity.tolist(), one.count or "any"] for number, one in enumerate(columns.classes))
    title = f"<p>{escaped(columns.name or 'instance')}: {apps} apps, {replicas} replicas</p>"
    return title + table(["class", *names, "count"], rows)
