"""Scenarios: named changes of an instance and of a request."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import records
from .._instance import Instance, request_bytes
from .._library import Status, StowageError
from .._read.goals import goal_words
from .task import CHANGES, changed, check_request, packed

if TYPE_CHECKING:
    from .._plan import Plan


class Scenario:
    """A named change of an instance and of the request, for sweep(). Immutable.

    `change` has what differs from the instance, in the form of a task; `request` what differs from the request of the sweep;
    `columns` what the table says of the scenario.
    """

    def __init__(
        self,
        name: str,
        instance: Instance,
        *,
        demand: float | Mapping[str, float] = 1.0,
        replicas: float = 1.0,
        capacity: float | Mapping[str, float] = 1.0,
        limits: float = 1.0,
        counts: Mapping[str | int, int] | None = None,
        classes: Iterable[str | int] | None = None,
        columns: Mapping[str, float | str | None] | None = None,
        **request: Any,
    ) -> None:
        """A change of an instance, which is not made before it is planned.

        demand, replicas, capacity, limits   factors and a share, as of Instance.scaled()
        counts, classes                      as of Instance.derived()
        columns                              what the table says, where that is to be other than the arguments here
        request                              planner, options, and fields of records.Request, such as seed and node_limit, in place
                                             of those of the sweep

        Raises StowageError with the path of a wrong value.
        """
        self.name = name
        self.instance = instance
        self.request: dict[str, Any] = request
        given = {"demand": demand, "replicas": replicas, "capacity": capacity, "limits": limits, "counts": counts, "classes": classes}
        self.change: dict[str, Any] = _change(instance, given)
        self.columns: dict[str, float | str | None] = dict(columns or {})
        for key, value in [*((key, given[key]) for key in CHANGES if key in self.change), *request.items()]:
            self.columns.setdefault(key, said(value))

    @classmethod
    def grid(cls, instance: Instance | Mapping[str, Instance], **axes: Iterable[Any] | Mapping[str, Any]) -> list[Scenario]:
        """A scenario for each combination of values: `Scenario.grid(cluster, demand=[1, 1.25], seed=range(3))` has six.

        instance  one, or several by name, such as workloads of other densities
        axes      for arguments of Scenario, their values; or a mapping from names to values, whose names the table has

        Scenarios are called by their values: "demand 1.25, seed 2".
        """
        sources = {} if isinstance(instance, Instance) else {"instance": _named(instance)}
        choices: dict[str, dict[Any, Any]] = sources | {axis: _named(values) for axis, values in axes.items()}
        made = []
        for picked in itertools.product(*(values.items() for values in choices.values())):
            columns = {axis: label for axis, (label, _) in zip(choices, picked, strict=True)}
            values = {axis: value for axis, (_, value) in zip(choices, picked, strict=True)}
            source = instance if isinstance(instance, Instance) else values.pop("instance")
            name = ", ".join(f"{axis} {_text(label)}" for axis, label in columns.items())
            made.append(cls(name, source, columns=columns, **values))
        return made

    def cluster(self) -> Instance:
        """The changed instance."""
        return changed(self.instance, self.change)

    def plan(self, planner: str | records.Request = "auto", *, options: Mapping[str, float | str] | None = None, **fields: Any) -> Plan:
        """The plan of which a sweep with these arguments has the row, byte for byte."""
        from .._codec import read

        return self.cluster().plan(read(self.request_bytes(planner, options, fields), records.Request, b"STOR"))

    def task(
        self,
        planner: str | records.Request = "auto",
        *,
        options: Mapping[str, float | str] | None = None,
        plan: bool = True,
        **fields: Any,
    ) -> bytes:
        """The task of a worker (stowage.work), as bytes for any engine. `plan` says whether the answer is to have the plan's bytes."""
        return packed(self.change, self.request_bytes(planner, options, fields), plan=plan) + self.instance.data

    def request_bytes(
        self, planner: str | records.Request, options: Mapping[str, float | str] | None, fields: Mapping[str, Any]
    ) -> bytes:
        """The bytes of the request: that of the sweep with what differs. Raises StowageError for a deadline, and for what needs one."""
        from .._codec import read

        own = {"planner": planner, "options": options, **fields, **self.request}
        if isinstance(keep := own.get("keep"), Mapping):
            own["keep"] = {self.instance.app(app): replicas for app, replicas in keep.items()}
        try:
            data = request_bytes(own.pop("planner"), own.pop("options"), own)
            check_request(read(data, records.Request, b"STOR"))
        except StowageError as failure:
            raise StowageError(failure.status, failure.message, f"scenarios[{self.name!r}].{failure.path}") from None
        return data

    def __repr__(self) -> str:
        return f"<stowage.Scenario {self.name!r}>"


def _named(values: Iterable[Any] | Mapping[str, Any]) -> dict[Any, Any]:
    """Values by what the table says of them."""
    return dict(values) if isinstance(values, Mapping) else {said(value): value for value in values}


def said(value: Any) -> float | str | None:
    """What a table says of a value: numbers as they are, and all else as text."""
    import enum
    import numbers

    if value is None:
        return None
    if isinstance(value, enum.Enum):
        return value.name.lower()
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, records.PlanGoal):
        return goal_words(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(_text(one) for one in value)
    return str(value)


def _change(instance: Instance, given: Mapping[str, Any]) -> dict[str, Any]:
    """The change in the form of a task: only what is no default. Raises StowageError for what the instance has not."""
    from .._read.derived import counts_of, factor_of, factors_of, positions_of

    change: dict[str, Any] = {}
    columns = instance.columns
    for name in ("demand", "capacity"):
        factors_of(given[name], columns, name)
        factor = given[name]
        change[name] = {key: float(factor[key]) for key in sorted(factor)} if isinstance(factor, Mapping) else float(factor)
    change["replicas"], change["limits"] = factor_of(given["replicas"], "replicas"), factor_of(given["limits"], "limits", 1.0)
    change = {name: value for name, value in change.items() if value not in (1.0, {})}
    if given["counts"]:
        change["counts"] = sorted(map(list, counts_of(given["counts"], columns)))
    if given["classes"] is not None:
        if isinstance(given["classes"], str):
            raise StowageError(Status.INVALID, "must be a list of classes", "classes")
        change["classes"] = sorted(set(positions_of(given["classes"], columns, "classes")))
    return change
