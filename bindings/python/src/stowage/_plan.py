"""Plans."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Protocol, Self

from . import records
from ._library import NONE, Bytes, Status, StowageError, text
from ._read.text import convert, letters
from ._run import within
from ._show.frame import Frame, named

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt
    from matplotlib.axes import Axes

    from ._run import Control

_NOT_KNOWN = 2**64 - 1


class Cluster(Protocol):
    """What a plan asks its instance."""

    @property
    def has_data(self) -> bool:
        """Whether the instance has its columns."""

    @property
    def columns(self) -> records.Instance:
        """The columns of the instance."""

    @property
    def data(self) -> bytes:
        """The bytes of the instance."""


class Plan(records.Plan):
    """A plan: which replicas run on which node, how good it is, and which replicas are unplaced.

    The columns are views of `data`, the plan's bytes, and read-only. `placed` and `reserved` have the fields app, node and replicas;
    `unplaced` and `unreserved` have app and replicas. `cluster` is the instance that it was made for, or None where that is not
    known: in plans of a session, that were pickled, or that were read from bytes alone.
    """

    data: bytes = b""
    cluster: Cluster | None = None

    @classmethod
    def read(cls, data: Bytes, cluster: Cluster | None = None, *, control: Control | None = None) -> Plan:
        """A plan from bytes. Raises StowageError for bytes that are no plan, and for a plan that names what `cluster` has not.
        verify() tells whether it is a good one."""
        from ._codec import read_foreign

        kept = bytes(data)
        plan = read_foreign(kept, cls, b"STOP", control)._with(kept, cluster)
        if cluster is not None and cluster.has_data:
            plan.check_fit(cluster.columns)
        return plan

    @classmethod
    def from_json(cls, json: str | bytes, cluster: Cluster, *, control: Control | None = None) -> Plan:
        """A plan in the JSON format (docs/reference/json-format.md), with names of the instance. Raises StowageError with the path of a wrong
        value."""
        with within(control):
            data, given = cluster.data, letters(json)
            arguments = (data, len(data), given, len(given), None)
            return cls.of(convert(text().stowage_plan_from_json, *arguments, size=len(data) + len(given)), cluster)

    def to_json(self, *, control: Control | None = None) -> str:
        """The plan in the JSON format, with the names of its instance. Raises StowageError where that is not known."""
        return self._written(text().stowage_plan_to_json, (), control)

    def to_text(self, shown: int = 10, *, control: Control | None = None) -> str:
        """The plan in words, as the command `stowage plan` prints it: which nodes to buy, use, keep and free, how sure that is, what
        decides, and a table of at most `shown` nodes. Raises StowageError where the instance is not known.
        """
        if not 0 <= shown < 2**32:
            raise ValueError(f"shown is {shown}; it must be from 0 to {2**32 - 1}")
        return self._written(text().stowage_plan_to_text, (shown,), control)

    def to_html(self, *, control: Control | None = None) -> str:
        """A page of the plan: an HTML document with the answer of `to_text`, how sure it is, what decides, a picture of all nodes, and
        tables. It needs no other file and runs no script. Raises StowageError where the instance is not known.
        """
        return self._written(text().stowage_plan_to_html, (), control)

    def to_svg(self, *, control: Control | None = None) -> str:
        """The picture of the page of `to_html`, as an SVG document. Raises StowageError where the instance is not known."""
        return self._written(text().stowage_plan_to_svg, (), control)

    def _written(self, function: Callable[..., int], numbers: tuple[int, ...], control: Control | None) -> str:
        self.cluster_data()
        assert self.cluster is not None
        with within(control):
            data = self.cluster.data
            arguments = (data, len(data), self.data, len(self.data), *numbers, None)
            return convert(function, *arguments, size=len(data) + len(self.data)).decode()

    @classmethod
    def of(cls, data: bytes, cluster: Cluster | None = None) -> Plan:
        """The plan in bytes that the library made."""
        from ._codec import read

        return read(data, cls, b"STOP")._with(data, cluster)

    def _with(self, data: bytes, cluster: Cluster | None) -> Self:
        self.data = data
        self.cluster = cluster
        return self

    def check_fit(self, columns: records.Instance) -> None:
        """Raises StowageError where the plan names an app, a node class or a listed node that the instance has not."""
        apps = len(columns.apps.replicas)
        listed = 0 if columns.nodes is None else len(columns.nodes.node_class)
        for path, found, known in (
            ("placed", self.placed["app"], apps),
            ("unplaced", self.unplaced["app"], apps),
            ("node_class", self.node_class, len(columns.classes)),
            ("listed", self.listed[self.listed != NONE], listed),
        ):
            if len(found) and found.max() >= known:
                raise StowageError(Status.INVALID, f"the plan is of another instance: it names {found.max()} of {known}", path)

    @property
    def nodes_in_use(self) -> int:
        """Number of nodes in use, each copy counted."""
        return len(self.node_class) if self.copies is None else int(self.copies.sum(dtype="uint64"))

    @property
    def replicas_unplaced(self) -> int:
        """Number of replicas that are not placed."""
        return int(self.unplaced["replicas"].sum(dtype="uint64"))

    @property
    def complete(self) -> bool:
        """True where every replica is placed."""
        return len(self.unplaced) == 0

    @property
    def replicas_reserved(self) -> int:
        """Number of replicas that room is kept for, on all copies of nodes."""
        if self.reserved is None:
            return 0
        import numpy as np

        replicas = self.reserved["replicas"].astype(np.uint64)
        return int((replicas if self.copies is None else replicas * self.copies[self.reserved["node"]]).sum(dtype=np.uint64))

    @property
    def survives(self) -> bool | None:
        """Whether every loss that the request named is survived; None: no loss was named, or it is not known."""
        return None if self.survive is None or self.not_survived == _NOT_KNOWN else self.not_survived == 0

    def table(self, apps: int) -> npt.NDArray[np.uint32]:
        """Replicas by app and node, for plans that are small enough. Shape: apps x nodes."""
        import numpy as np

        if len(self.placed) and self.placed["app"].max() >= apps:
            raise StowageError(Status.INVALID_ARGUMENT, f"the plan places app {self.placed['app'].max()}, and there are {apps}", "apps")
        made = np.zeros((apps, len(self.node_class)), np.uint32)
        made[self.placed["app"], self.placed["node"]] = self.placed["replicas"]
        return made

    # ---------------------------------------------------------------------------------------------------------------- frames

    def placements(self) -> Frame:
        """A row per app and node: app, node, name, replicas. `app` has the app's name or, without names, its index; `node` is the
        position in the plan, and `name` that of a listed node, None for others."""
        node = self.placed["node"]
        return Frame(
            {
                "app": self._apps(self.placed["app"]),
                "node": node,
                "name": self._node_names()[node],
                "replicas": self.placed["replicas"],
            }
        )

    def left_over(self) -> Frame:
        """A row per app with unplaced replicas: app, replicas."""
        return Frame({"app": self._apps(self.unplaced["app"]), "replicas": self.unplaced["replicas"]})

    def nodes(self) -> Frame:
        """A row per node: node, name, class, copies, replicas, and NAME_share for each resource: the largest use over periods,
        loads included, as a share of capacity. Without `cluster`, there are no shares, and `class` is a number."""
        import numpy as np

        count = len(self.node_class)
        replicas = np.bincount(self.placed["node"], self.placed["replicas"], count).astype(np.uint64)
        columns: dict[str, npt.NDArray[Any]] = {"node": np.arange(count, dtype=np.uint32), "name": self._node_names()}
        columns["class"] = self.node_class
        columns["copies"] = np.ones(count, np.uint32) if self.copies is None else self.copies
        columns["replicas"] = replicas
        data = self._columns()
        if data is not None:
            from ._show.picture import use

            classes = [one.name or f"class {k}" for k, one in enumerate(data.classes)]
            columns["class"] = named(classes, self.node_class)
            shares = use(data, self)
            for position, resource in enumerate(data.resources):
                columns[f"{resource.name}_share"] = shares[:, position]
        return Frame(columns)

    def _columns(self) -> records.Instance | None:
        return self.cluster.columns if self.cluster is not None and self.cluster.has_data else None

    def _apps(self, index: npt.NDArray[np.uint32]) -> npt.NDArray[Any]:
        data = self._columns()
        return named(data.apps.names if data is not None else None, index)

    def _node_names(self) -> npt.NDArray[Any]:
        import numpy as np

        data = self._columns()
        names = data.nodes.names if data is not None and data.nodes is not None else None
        return np.full(len(self.listed), None, object) if names is None else named(names, self.listed)

    # -------------------------------------------------------------------------------------------------------------- pictures

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws how full the plan's nodes are with matplotlib (extra `plot`), on `ax` or on axes of its own."""
        from ._show.plot import plot

        return plot(self.cluster_data(), self, ax)

    def cluster_data(self) -> records.Instance:
        """The columns of the instance that the plan was made for. Raises StowageError where they are not known."""
        data = self._columns()
        if data is None:
            raise StowageError(Status.INVALID_ARGUMENT, "the plan does not know its instance; use Plan.read(plan.data, instance)")
        return data

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the instance: plans that travel between processes stay small.
        return type(self).read, (self.data,)

    def __copy__(self) -> Self:
        made = type(self).__new__(type(self))
        vars(made).update(vars(self))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = self.__copy__()
        for name, value in vars(self).items():
            setattr(made, name, copy.deepcopy(value, memo))
        return made

    def __repr__(self) -> str:
        parts = [self.status.name.lower().replace("_", " "), f"{self.nodes_in_use} nodes"]
        if self.node_bound is not None:
            parts.append(f"at least {self.node_bound.value:g}")
        if self.cost >= 0:
            parts.append(f"cost {self.cost:g}")
        if self.gap >= 0:
            parts.append(f"gap {self.gap:.2%}")
        if not self.complete:
            parts.append(f"{self.replicas_unplaced} replicas unplaced")
        if self.replicas_reserved > 0:
            parts.append(f"room for {self.replicas_reserved} more")
        if self.survive is not None and self.survives is not None:
            lost = "any node" if self.survive == "*" else f"any {self.survive}"
            parts.append(f"{'survives' if self.survives else 'does not survive'} the loss of {lost}")
        if self.goals:
            from ._read.goals import goal_words

            parts.append("goals " + ", ".join(f"{goal_words(goal)} {goal.value:g}" for goal in self.goals))
        if self.leave_free is not None:
            parts.append(f"{self.leave_free}: {self.domains_in_use} in use")
        return f"<stowage.Plan by {self.planner}: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        from ._show.html import escaped
        from ._show.picture import Picture

        data = self._columns()
        return f"<p>{escaped(repr(self))}</p>" if data is None else Picture(data, self)._repr_html_()
