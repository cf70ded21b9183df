"""Instances that differ from another in some columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from .. import records
from .._codec import Doubles, as_column
from .._library import Status, StowageError


def _in_shape(values: npt.ArrayLike, name: str, *shapes: tuple[int, ...]) -> npt.NDArray[np.generic]:
    found = np.asarray(values)
    if found.shape not in shapes:
        raise StowageError(Status.INVALID, f"has the shape {found.shape}, not {' or '.join(map(str, shapes))}", name)
    return found


def derive(
    columns: records.Instance,
    demand: npt.ArrayLike | None,
    replicas: npt.ArrayLike | None,
    capacity: npt.ArrayLike | None,
    counts: Mapping[str | int, int] | None,
    classes: Iterable[str | int] | None,
) -> records.Instance:
    """Changes columns that may be changed, and returns them."""
    apps, resources = len(columns.apps.replicas), len(columns.resources)
    if demand is not None:
        columns.apps.demand = _in_shape(demand, "demand", (apps, resources), (apps, resources, columns.periods)).astype(np.float64)
    if replicas is not None:
        try:
            columns.apps.replicas = as_column(_in_shape(replicas, "replicas", (apps,)), np.dtype(np.uint32), "replicas")
        except ValueError as failure:
            raise StowageError(Status.INVALID, str(failure).partition(": ")[2], "replicas") from None
    if capacity is not None:
        table = _in_shape(capacity, "capacity", (len(columns.classes), resources)).astype(np.float64)
        for one, row in zip(columns.classes, table, strict=True):
            one.capacity = row
    for position, count in counts_of(counts or {}, columns):
        columns.classes[position].count = count
    if classes is not None:
        _keep_classes(columns, positions_of(classes, columns, "classes"))
    return columns


def positions_of(classes: Iterable[str | int], columns: records.Instance, path: str) -> list[int]:
    """The positions of node classes. Raises StowageError for one that there is not."""
    names = [one.name for one in columns.classes]
    found = []
    for key in classes:
        position = names.index(key) if key in names else key
        if not (isinstance(position, int | np.integer) and 0 <= position < len(names)):
            raise StowageError(Status.NOT_FOUND, f"there is no class {key!r}", path)
        found.append(int(position))
    return found


def counts_of(counts: Mapping[str | int, int], columns: records.Instance) -> list[tuple[int, int]]:
    """The positions of node classes, with their counts. Raises StowageError for a class that there is not, and for what is no count."""
    for key, count in counts.items():
        if not (isinstance(count, int | np.integer) and 0 <= count < 2**32):
            raise StowageError(Status.INVALID, f"the count {count!r} of class {key!r} is no whole number, not below 0", "counts")
    return list(zip(positions_of(counts, columns, "counts"), map(int, counts.values()), strict=True))


def _keep_classes(columns: records.Instance, positions: list[int]) -> None:
    """Removes all other node classes. Those that stay keep their order."""
    kept = sorted(set(positions))
    if columns.nodes is not None:
        place = np.full(len(columns.classes), len(kept), np.uint32)
        place[kept] = np.arange(len(kept), dtype=np.uint32)
        moved = place[columns.nodes.node_class]
        lost = np.flatnonzero(moved == len(kept))
        if len(lost):
            one = columns.classes[columns.nodes.node_class[lost[0]]].name or f"class {columns.nodes.node_class[lost[0]]}"
            raise StowageError(Status.INVALID, f'the class "{one}" has to stay: listed node {lost[0]} is of it', "classes")
        columns.nodes.node_class = moved
    columns.classes = [columns.classes[position] for position in kept]


def factors_of(factor: float | Mapping[str, float], columns: records.Instance, name: str) -> Doubles:
    known = [one.name for one in columns.resources]
    if not isinstance(factor, Mapping):
        made = np.full(len(known), float(factor))
    else:
        for resource in factor:
            if resource not in known:
                raise StowageError(Status.NOT_FOUND, f'there is no resource "{resource}"', name)
        made = np.array([float(factor.get(resource, 1.0)) for resource in known])
    if not np.all(np.isfinite(made) & (made >= 0)):
        raise StowageError(Status.INVALID, "must be a number, not below 0", name)
    return made


def _times(column: Doubles | None, factors: Doubles, items: int) -> Doubles | None:
    """A column of items x resources, with or without periods, times a factor for each resource."""
    if column is None:
        return None
    made: Doubles = (column.reshape(items, len(factors), -1) * factors[None, :, None]).reshape(-1) if column.size else column
    return made


def _thinned(limits: records.AffinityLimits, share: float) -> records.AffinityLimits:
    """The limits of which a number between 0 and 1, which follows from the two apps alone, is below the share. Limits of an app on
    itself stay."""
    apps = len(limits.row_begin) - 1
    source = np.repeat(np.arange(apps, dtype=np.uint64), np.diff(limits.row_begin))
    # The finalizer of SplitMix64.
    mixed = (source << np.uint64(32) | limits.app) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    stays = (source == limits.app) | ((mixed >> np.uint64(11)) * 2.0**-53 < share)
    begin = np.zeros(apps + 1, np.uint32)
    np.cumsum(np.bincount(source[stays].astype(np.int64), minlength=apps), out=begin[1:])
    return records.AffinityLimits(row_begin=begin, app=limits.app[stays], at_most=limits.at_most[stays])


def factor_of(value: float, name: str, most: float = np.inf) -> float:
    """A number from 0 to `most`. Raises StowageError for any other."""
    if not (np.isfinite(value) and 0 <= value <= most):
        raise StowageError(Status.INVALID, f"must be a number, not below 0{f' and not above {most:g}' if most < np.inf else ''}", name)
    return float(value)


def scale(
    columns: records.Instance,
    demand: float | Mapping[str, float],
    replicas: float,
    capacity: float | Mapping[str, float],
    limits: float,
) -> records.Instance:
    """Multiplies columns that may be changed, and returns them."""
    apps = columns.apps
    count, by_demand, by_capacity = len(apps.replicas), factors_of(demand, columns, "demand"), factors_of(capacity, columns, "capacity")
    by_replicas, share = factor_of(replicas, "replicas"), factor_of(limits, "limits", 1.0)
    scaled = _times(apps.demand, by_demand, count)
    assert scaled is not None
    apps.demand = scaled
    apps.variance = _times(apps.variance, by_demand**2, count)
    apps.support_min, apps.support_max = (_times(one, by_demand, count) for one in (apps.support_min, apps.support_max))
    # Rounded to nine digits first, so that 1.1 x 10 is 11 and not 12.
    wanted = np.ceil(np.round(apps.replicas * by_replicas, 9))
    if count and wanted.max() >= 2**32:
        raise StowageError(Status.LIMIT_EXCEEDED, "makes more replicas than an app may have", "replicas")
    apps.replicas = wanted.astype(np.uint32)
    for one in columns.classes:
        one.capacity = one.capacity * by_capacity
    if columns.limits is not None and share < 1:
        columns.limits = _thinned(columns.limits, share)
    return columns
