"""Instances that differ from another in some columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from .. import records
from .._library import Status, StowageError
from .description import Doubles, References


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
) -> records.Instance:
    """Changes columns that may be changed, and returns them."""
    apps, resources = len(columns.apps.replicas), len(columns.resources)
    if demand is not None:
        columns.apps.demand = _in_shape(demand, "demand", (apps, resources), (apps, resources, columns.periods)).astype(np.float64)
    if replicas is not None:
        # The codec refuses what is no whole number of the range.
        columns.apps.replicas = _in_shape(replicas, "replicas", (apps,))  # type: ignore[assignment]
    if capacity is not None:
        table = _in_shape(capacity, "capacity", (len(columns.classes), resources)).astype(np.float64)
        for one, row in zip(columns.classes, table, strict=True):
            one.capacity = row
    names = References("class", [one.name for one in columns.classes], False, len(columns.classes))
    for key, count in (counts or {}).items():
        position = names.position(key)
        if position is None:
            raise StowageError(Status.NOT_FOUND, f"there is no class {key!r}", "counts")
        columns.classes[position].count = count
    return columns


def _factors(factor: float | Mapping[str, float], columns: records.Instance, name: str) -> Doubles:
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


def scale(
    columns: records.Instance, demand: float | Mapping[str, float], replicas: float, capacity: float | Mapping[str, float]
) -> records.Instance:
    """Multiplies columns that may be changed, and returns them."""
    apps = columns.apps
    count, by_demand, by_capacity = len(apps.replicas), _factors(demand, columns, "demand"), _factors(capacity, columns, "capacity")
    if not (np.isfinite(replicas) and replicas >= 0):
        raise StowageError(Status.INVALID, "must be a number, not below 0", "replicas")
    scaled = _times(apps.demand, by_demand, count)
    assert scaled is not None
    apps.demand = scaled
    apps.variance = _times(apps.variance, by_demand**2, count)
    apps.support_min, apps.support_max = (_times(one, by_demand, count) for one in (apps.support_min, apps.support_max))
    # Rounded to nine digits first, so that 1.1 x 10 is 11 and not 12.
    wanted = np.ceil(np.round(apps.replicas * float(replicas), 9))
    if count and wanted.max() >= 2**32:
        raise StowageError(Status.LIMIT_EXCEEDED, "makes more replicas than an app may have", "replicas")
    apps.replicas = wanted.astype(np.uint32)
    for one in columns.classes:
        one.capacity = one.capacity * by_capacity
    return columns
