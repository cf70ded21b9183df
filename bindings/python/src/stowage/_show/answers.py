"""Answers that know the names of the instance: lists that notebooks show, and headroom and losses as frames."""

from __future__ import annotations

from typing import TypeVar

from .. import records
from .._wire import Record
from .frame import Frame, named

T = TypeVar("T", bound=Record)


class Listing(list[T]):
    """A list of records, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        from .html import records as html_of

        return html_of(self)


def app_names(columns: records.Instance | None) -> list[str] | None:
    """The names of the apps, None where there are none."""
    return None if columns is None else columns.apps.names


class HeadroomOfApps(records.HeadroomOfApps):
    """How many more replicas of each app a cluster takes, one app growing at a time; columns with an entry per app."""

    _names: list[str] | None = None

    @classmethod
    def of(cls, found: records.HeadroomOfApps, columns: records.Instance | None) -> HeadroomOfApps:
        """The record with the names of an instance."""
        made = cls(**vars(found))
        made._names = app_names(columns)
        return made

    def frame(self) -> Frame:
        """A row per app: app (its name, or its index), room, nodes, most, spare_room, coupled."""
        import numpy as np

        count = 0 if self.room is None else len(self.room)
        columns = {"app": named(self._names, np.arange(count, dtype=np.uint32))}
        for name, kind in (("room", "u8"), ("nodes", "u8"), ("most", "u4"), ("spare_room", "u8"), ("coupled", "?")):
            column = getattr(self, name)
            columns[name] = np.zeros(count, kind) if column is None else column.astype(kind, copy=False)
        return Frame(columns)

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()


class Losses(Listing[records.Loss]):
    """What becomes of the replicas of lost nodes, worst first: a list of records.Loss."""

    _names: list[str] | None = None
    _resources: list[str] | None = None

    @classmethod
    def of(cls, found: records.Losses, columns: records.Instance | None) -> Losses:
        """The list with the names of an instance."""
        made = cls(found.losses)
        made._names = app_names(columns)
        made._resources = None if columns is None else [one.name for one in columns.resources]
        return made

    def frame(self) -> Frame:
        """A row per loss: name of what is lost, nodes (how many), replicas on them, left (those without a place), and the resource
        that is short, by how much; None and 0 where none is."""
        import numpy as np

        def column(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
            return np.array(values, np.uint64)

        short = named(self._resources, np.array([one.short_resource for one in self], np.uint32))
        return Frame(
            {
                "name": np.array([one.name for one in self], object),
                "nodes": column([0 if one.nodes is None else len(one.nodes) for one in self]),
                "replicas": column([one.replicas for one in self]),
                "left": column([one.left for one in self]),
                "short": short,
                "short_amount": np.array([one.short_amount for one in self], np.float64),
            }
        )

    def moves(self) -> Frame:
        """Where lost replicas go: loss (its position in this list), app, to (4294967295: nowhere), count."""
        import numpy as np

        none = np.zeros(0, np.uint32)
        parts = [[none if one is None else one for one in (loss.app, loss.to, loss.count)] for loss in self]
        app, to, count = (np.concatenate([none, *(part[k] for part in parts)]) for k in range(3))
        loss = np.repeat(np.arange(len(self), dtype=np.uint32), [len(part[0]) for part in parts])
        return Frame({"loss": loss, "app": named(self._names, app), "to": to, "count": count})

    def __repr__(self) -> str:
        worst = f", the worst leaves {self[0].left} of {self[0].replicas} replicas without a place" if self else ""
        return f"<stowage.Losses: {len(self)}{worst}>"

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()
