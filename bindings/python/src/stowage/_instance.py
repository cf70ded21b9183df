"""Instances, and what is asked of them."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from . import records
from ._abi import stowage_limits
from ._library import NONE, Buffer, Bytes, Handle, Status, StowageError, address, call, in_range, in_utf8, lib, text
from ._plan import Plan
from ._read.goals import goals_of
from ._read.text import convert, letters, written
from ._run import Control, Progress, answer, run, within
from ._show.answers import HeadroomOfApps, Listing, Losses
from ._wire import Record

# Others, which import NumPy, are imported where they are needed: an import of the package is not to wait for it.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._show.explanation import Explanation
    from ._show.picture import Picture


def request_bytes(planner: str | records.Request, options: Mapping[str, float | str] | None, fields: Mapping[str, Any]) -> bytes:
    """The bytes of a request: a record, or a planner with options and fields by name."""
    if isinstance(planner, records.Request):
        if options or fields:
            raise TypeError("a request has its options and fields already")
        return encoded(planner, b"STOR")
    try:
        return _named_request(planner, tuple((options or {}).items()), tuple(fields.items()))
    except TypeError:  # a value that cannot be remembered, or that no request holds
        return _named_request.__wrapped__(planner, tuple((options or {}).items()), tuple(fields.items()))


# Programs ask for the same thing again and again, and writing a request takes longer than a small plan. Numbers that are equal
# are the same request.
@functools.lru_cache(maxsize=64)
def _named_request(planner: str, options: tuple[tuple[str, float | str], ...], fields: tuple[tuple[str, Any], ...]) -> bytes:
    given = [
        records.Option(name=name, text=value) if isinstance(value, str) else records.Option(name=name, number=value)
        for name, value in options
    ]
    changed = dict(fields)
    if isinstance(keep := changed.get("keep"), Mapping):
        changed["keep"] = list(keep.items())
    if changed.get("goals") is not None:
        changed["goals"] = goals_of(changed["goals"])
    for name, kind in (("soft", records.SoftPolicy), ("objective", records.Objective)):
        if isinstance(changed.get(name), str):
            if changed[name].upper() not in kind.__members__:
                raise StowageError(Status.INVALID, f'"{changed[name]}" is not one of {", ".join(kind.__members__).lower()}', name)
            changed[name] = kind[changed[name].upper()]
    return encoded(records.Request(planner=planner, options=given, **changed), b"STOR")


def encoded(record: Any, identifier: bytes) -> bytes:
    """The bytes of a record. Raises StowageError for a value that its field does not hold."""
    from ._codec import encode

    try:
        return bytes(encode(record, identifier))
    except ValueError as failure:
        path, _, message = str(failure).partition(": ")
        raise StowageError(Status.INVALID, message or path, path if message else "") from None


def body(data: bytes, kind: type[Any], container: type[Any] = records.Report, identifier: bytes = b"STOV") -> Any:
    """The body of a report."""
    from ._codec import read

    found = read(data, container, identifier).body
    if not isinstance(found, kind):
        raise StowageError(Status.MALFORMED, f"the report has no {kind.__name__}")
    return found


class Instance:
    """Everything known before planning. Immutable; any number of threads may use it at once.

    `columns` are the instance's data (records.Instance): NumPy arrays that are views of its bytes. To change some, change the
    columns of `copy()` and make a new instance of them.

    What may take long can be given a `control`, by which another thread cancels it, and raises StowageError with the status CANCELLED
    then, unless it says otherwise. Ctrl-C in the main thread raises KeyboardInterrupt.
    """

    def __init__(self, data: Bytes, *, limits: Mapping[str, int] | None = None, control: Control | None = None) -> None:
        """Loads an instance from the bytes of a FlatBuffer. `limits` are the fields of stowage_limits. Raises StowageError."""
        self._data: bytes | None = bytes(data)
        self._saves = False
        self._limits = None if limits is None else dict(limits)
        self._handle = Handle(lib.stowage_instance_free)
        run(lib.stowage_instance_load_watched, (*address(self._data), limits_of(limits)), self._handle, control=control)
        # The bytes, and what the library makes of them.
        self._handle.weigh(2 * len(self._data))

    @classmethod
    def _of_handle(cls, handle: Handle, limits: Mapping[str, int] | None, *, saves: bool) -> Instance:
        made = cls.__new__(cls)
        made._data = None
        made._saves = saves
        made._limits = None if limits is None else dict(limits)
        made._handle = handle
        return made

    @classmethod
    def from_columns(cls, columns: records.Instance, *, control: Control | None = None) -> Instance:
        """An instance of columns. Lists count as arrays. Raises StowageError with the path of a wrong value."""
        with within(control):
            return cls(encoded(columns, b"STOI"))

    @classmethod
    def from_dict(cls, description: Mapping[str, Any], *, control: Control | None = None) -> Instance:
        """An instance as people write it (docs/reference/json-format.md). Raises StowageError with the path of a wrong value."""
        with within(control):
            return cls.from_json(written(description))

    @classmethod
    def from_json(cls, json: str | bytes, *, control: Control | None = None) -> Instance:
        """An instance in the JSON format (docs/reference/json-format.md). Raises StowageError with the path of a wrong value."""
        with within(control):
            given = letters(json)
            return cls(convert(text().stowage_instance_from_json, given, len(given), None, size=len(given)))

    def to_json(self, *, control: Control | None = None) -> str:
        """The instance in the JSON format, of which from_json() makes it again. Its limits and pins are in the order of the format."""
        with within(control):
            data = self._content()
            return convert(text().stowage_instance_to_json, data, len(data), limits_of(self._limits), size=len(data)).decode()

    @classmethod
    def from_frames(
        cls,
        apps: Any,
        classes: Any,
        *,
        nodes: Any = None,
        limits: Any = None,
        running: Any = None,
        pinned: Any = None,
        traffic: Any = None,
        resources: Mapping[str, Any] | Iterable[str] | None = None,
        control: Control | None = None,
        **description: Any,
    ) -> Instance:
        """An instance of frames: of pandas, polars, pyarrow and all others with the Arrow PyCapsule interface, or mappings from
        names to columns. Needs the extra `frames`. Columns of other names than these are refused.

        apps         a column per resource, with the demand of a replica: numbers, texts such as "500m", or lists with a number for
                     each period; name, replicas, priority, weight, max_per_node, kind, and lists of text tags, only, not;
                     RESOURCE_variance, or RESOURCE_deviation as a quantity
        classes      a column per resource, with the capacity; name, count, price, labels
        nodes        the listed nodes: name, class, closed, tags, and a column per resource with the load
        limits       app, other, at_most: beside a replica of app, at most so many of other
        running      app, node, replicas; as `pinned`
        traffic      app, peer, amount
        resources    names, or names with units; default: the columns of `classes` that have no other meaning
        description  name, groups, rules, uncertainty, interference, as in the JSON format (docs/reference/json-format.md)

        An app, a node or a class is called by its name or by its position. Raises StowageError with the path of a wrong value.
        """
        from ._read.frames import columns_of

        unknown = sorted(set(description) - {"name", "groups", "rules", "uncertainty", "interference"})
        if unknown:
            raise TypeError(f"from_frames() got an unexpected keyword argument {unknown[0]!r}")
        with within(control):
            return cls.from_columns(columns_of(apps, classes, nodes, limits, running, pinned, traffic, resources, description))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, control: Control | None = None) -> Instance:
        """An instance from a file: JSON, or a FlatBuffer (.stow)."""
        with open(path, "rb") as file:
            data = file.read()
        return cls(data, control=control) if data[4:8] == b"STOI" else cls.from_json(data, control=control)

    @property
    def fingerprint(self) -> int:
        """Fingerprint of the content, the same on every platform."""
        return int(lib.stowage_instance_fingerprint(self._handle))

    @property
    def has_data(self) -> bool:
        """False for an instance that a session returned: it has no bytes and no columns."""
        return self._data is not None or self._saves

    @property
    def data(self) -> bytes:
        """The bytes of the instance. Raises StowageError for an instance that a session returned."""
        if self._data is None and self._saves:
            self._data = answer(lib.stowage_instance_save_watched, self._handle)
        if self._data is None:
            raise StowageError(Status.INVALID_ARGUMENT, "a session's instance has no bytes; take a snapshot of the session")
        return self._data

    def _content(self) -> bytes:
        """The bytes, also those of an instance that a session returned, which are not kept."""
        return self.data if self.has_data else answer(lib.stowage_instance_save_watched, self._handle)

    def _known(self) -> records.Instance | None:
        return self.columns if self.has_data else None

    @functools.cached_property
    def columns(self) -> records.Instance:
        """The data of the instance. Its arrays are read-only views of the bytes."""
        from ._codec import read

        return read(self.data, records.Instance, b"STOI")

    def copy(self) -> records.Instance:
        """The columns as arrays that may be changed, for from_columns()."""
        from ._codec import read

        columns = read(self.data, records.Instance, b"STOI")
        make_writable(columns)
        return columns

    @property
    def replicas(self) -> npt.NDArray[np.uint32]:
        """Replicas of each app: a read-only view."""
        return self.columns.apps.replicas

    @property
    def demand(self) -> npt.NDArray[np.float64]:
        """Demand of a replica of each app: a read-only view. Shape: apps x resources, or apps x resources x periods."""
        return shaped(self.columns.apps.demand, len(self.columns.apps.replicas), self.columns)

    @property
    def capacity(self) -> npt.NDArray[np.float64]:
        """Capacity of a node of each class. Shape: classes x resources."""
        import numpy as np

        table = np.array([one.capacity for one in self.columns.classes]).reshape(-1, len(self.columns.resources))
        table.flags.writeable = False
        return table

    def derived(
        self,
        *,
        demand: npt.ArrayLike | None = None,
        replicas: npt.ArrayLike | None = None,
        capacity: npt.ArrayLike | None = None,
        counts: Mapping[str | int, int] | None = None,
        classes: Iterable[str | int] | None = None,
        control: Control | None = None,
    ) -> Instance:
        """Another instance with other columns: `cluster.derived(demand=cluster.demand * 1.25)`. What is not given stays.

        demand, replicas, capacity   arrays of the shapes that the properties have
        counts                       number of nodes by class, its name or its index; 0: as many as needed
        classes                      the node classes that remain, by name or index; listed nodes are of these

        Raises StowageError with the path of a wrong value.
        """
        from ._read.derived import derive

        with within(control):
            return Instance.from_columns(derive(self.copy(), demand, replicas, capacity, counts, classes))

    def scaled(
        self,
        *,
        demand: float | Mapping[str, float] = 1.0,
        replicas: float = 1.0,
        capacity: float | Mapping[str, float] = 1.0,
        limits: float = 1.0,
        control: Control | None = None,
    ) -> Instance:
        """Another instance with demand, replicas or capacity times a factor, or a factor for each of some resources.

        Replicas are rounded up. Uncertain demand scales as a whole: its deviation and its support by the factor of the demand.
        `limits` is the share of the limits between apps that stays, drawn from them. Those of a smaller share are among those of a
        larger one.
        """
        from ._read.derived import scale

        with within(control):
            return Instance.from_columns(scale(self.copy(), demand, replicas, capacity, limits))

    def derive(
        self, derivation: records.Derivation, *, limits: Mapping[str, int] | None = None, control: Control | None = None
    ) -> Instance:
        """Another instance, which differs from this one as the derivation says. The library makes it without reading bytes again,
        which is faster than derived() and scaled() where the instance is large. Its bytes and columns are written when they are asked
        for. `limits` are the fields of stowage_limits; default: those of this instance. Raises StowageError.

            cluster.derive(records.Derivation(demand=1.3, by_app=[records.AppChange(name="web", replicas=20)]))
        """
        handle = Handle(lib.stowage_instance_free)
        arguments = (self._handle, *address(encoded(derivation, b"STOD")), limits_of(limits))
        run(lib.stowage_instance_derive_watched, arguments, handle, control=control)
        handle.weigh(self._handle.weight)
        return Instance._of_handle(handle, self._limits if limits is None else limits, saves=True)

    def plan(
        self,
        planner: str | records.Request = "auto",
        *,
        options: Mapping[str, float | str] | None = None,
        progress: Callable[[Progress], object] | None = None,
        control: Control | None = None,
        **fields: Any,
    ) -> Plan:
        """Runs a planner.

        planner   its name, or a whole records.Request
        options   options of the planner, as stowage.planners() lists them
        progress  is called about 20 times a second, in this thread; an exception of it ends the run and is raised
        control   cancels the run from another thread, or at its deadline: the best plan so far is returned, with the status CANCELLED
        fields    fields of records.Request, such as seed, deadline_ms, work_limit, threads, node_limit; `soft` and `objective` may
                  be words; `keep` is a dict of apps, by name or index, and the number of replicas to keep room for; `goals` is a
                  list of records.PlanGoal, records.GoalKind and words as --goal of the command has them: ["cost~1%", "moves",
                  "balance:memory"]

        Other threads run meanwhile. Handlers of signals other than Ctrl-C run once the run has ended or, with `progress`, at once.
        A callback may call everything, but not what uses the same control, or the session that the run is of: that raises
        StowageError with the status BUSY. Raises StowageError.
        """
        if isinstance(keep := fields.get("keep"), Mapping):
            fields["keep"] = {self.app(app): replicas for app, replicas in keep.items()}
        request = request_bytes(planner, options, fields)
        return Plan.of(answer(lib.stowage_plan, self._handle, *address(request), control=control, progress=progress), self)

    def bound(self, *, control: Control | None = None) -> Listing[records.BoundEntry]:
        """Lower bounds that hold for every complete plan, best first. A call that is cancelled returns those that it has."""
        found: records.Bounds = body(answer(lib.stowage_bound_watched, self._handle, control=control), records.Bounds)
        return Listing(found.entries)

    def verify(self, plan: Plan | Bytes, *, control: Control | None = None) -> records.Verification:
        """The findings of the independent checker. `ok` says whether the plan keeps to all constraints."""
        report = answer(lib.stowage_verify_watched, self._handle, *plan_bytes(plan), control=control)
        found: records.Verification = body(report, records.Verification)
        return found

    def explain(
        self, plan: Plan | Bytes, app: int | str | None = None, *, control: Control | None = None
    ) -> Explanation:
        """What determines the number of nodes, and why replicas are unplaced. As text: str() of it. A call that is cancelled returns
        what it has found.

        app  index or name of an app to explain, whether or not it is placed; None = those with the most unplaced replicas
        """
        from ._show.explanation import Explanation

        index = NONE if app is None else self.app(app)
        data = plan.data if isinstance(plan, Plan) else bytes(plan)
        report = answer(lib.stowage_explain, self._handle, *address(data), index, control=control)

        def words() -> str:
            content = self._content()
            given = (content, len(content), data, len(data), report, len(report), limits_of(self._limits))
            return convert(text().stowage_explanation_to_text, *given, size=len(content)).decode().rstrip("\n")

        return Explanation(body(report, records.Explanation), words)

    def headroom(
        self, plan: Plan | Bytes, app: int | str, node: int | None = None, *, control: Control | None = None
    ) -> records.Headroom:
        """How many more replicas of an app each node of a plan takes; with `node`, also what keeps one more off that node."""
        indices = (self.app(app), NONE if node is None else in_range(node, NONE))
        report = answer(lib.stowage_headroom_watched, self._handle, *plan_bytes(plan), *indices, control=control)
        found: records.Headroom = body(report, records.Headroom)
        return found

    def headroom_of_apps(
        self, plan: Plan | Bytes | None = None, *, most: int = 0, control: Control | None = None
    ) -> HeadroomOfApps:
        """How many more replicas of each app a cluster takes, one app growing at a time; columns with an entry per app.

        plan  None: what runs or is pinned
        most  counts on each node end there; 0: at the number of replicas that the app wants
        """
        held = (None, 0) if plan is None else plan_bytes(plan)
        report = answer(lib.stowage_headroom_of_apps_watched, self._handle, *held, in_range(most, NONE), control=control)
        return HeadroomOfApps.of(body(report, records.HeadroomOfApps), self._known())

    def losses(
        self,
        plan: Plan | Bytes | None = None,
        *,
        nodes: Iterable[int] = (),
        label: str = "",
        control: Control | None = None,
    ) -> Losses:
        """Which replicas of lost nodes find a place on what remains, while all others stay; worst first. A call that is cancelled
        returns what it has found.

        plan   None: what runs or is pinned
        nodes  lost together: listed nodes by their index, then the plan's anonymous nodes, each copy by itself
        label  without nodes: those with the same value of this label, one value after the other; "": each node by itself
        """
        lost = [in_range(node, NONE) for node in nodes]
        key = in_utf8(label, "label").encode()
        held = (None, 0) if plan is None else plan_bytes(plan)
        array = (ctypes.c_uint32 * len(lost))(*lost)
        arguments = (self._handle, *held, array, len(lost), key, len(key))
        return Losses.of(body(answer(lib.stowage_losses, *arguments, control=control), records.Losses), self._known())

    def order_moves(
        self, plan: Plan | Bytes, *, moves_per_node: int = 0, app_share: float = 1.0, control: Control | None = None
    ) -> records.MoveOrder:
        """The moves of a plan in waves: every hard constraint holds at every step. What a call that is cancelled did not order is
        reported as stuck.

        moves_per_node  at most so many moves of one wave from or to the same node; 0: any number
        app_share       at most this share of an app's replicas moves in one wave, but at least one
        """
        arguments = (self._handle, *plan_bytes(plan), in_range(moves_per_node, NONE), app_share)
        found: records.MoveOrder = body(answer(lib.stowage_order_moves, *arguments, control=control), records.MoveOrder)
        return found

    def picture(self, plan: Plan) -> Picture:
        """The use of the plan's nodes as a picture, which notebooks show."""
        from ._show.picture import Picture

        plan.check_fit(self.columns)
        return Picture(self.columns, plan)

    def app(self, app: int | str) -> int:
        """The index of an app. Raises StowageError where there is none of that name."""
        if isinstance(app, str):
            names = self.columns.apps.names or []
            if app not in names:
                raise StowageError(Status.NOT_FOUND, f'there is no app "{app}"', "app")
            return names.index(app)
        return in_range(app, NONE)

    def resource(self, resource: int | str) -> int:
        """The index of a resource. Raises StowageError where there is none of that name."""
        if isinstance(resource, str):
            names = [one.name for one in self.columns.resources]
            if resource not in names:
                raise StowageError(Status.NOT_FOUND, f'there is no resource "{resource}"', "resource")
            return names.index(resource)
        return in_range(resource, NONE)

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(type(self), limits=self._limits), (self.data,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        # It does not change.
        return self

    def __repr__(self) -> str:
        if self._data is None:
            return f"<stowage.Instance of a session, {self.fingerprint:016x}>"
        columns = self.columns
        replicas = int(columns.apps.replicas.sum(dtype="uint64"))
        parts = [f"{len(columns.apps.replicas)} apps", f"{replicas} replicas"]
        parts.append(", ".join(resource.name for resource in columns.resources))
        if columns.periods > 1:
            parts.append(f"{columns.periods} periods")
        parts.append(f"{len(columns.classes)} node classes")
        if columns.limits is not None:
            parts.append(f"{len(columns.limits.app)} limits")
        return f"<stowage.Instance{' ' + repr(columns.name) if columns.name else ''}: {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        from ._show.html import escaped
        from ._show.picture import instance_table

        return instance_table(self.columns) if self._data is not None else escaped(repr(self))


def shaped(column: npt.NDArray[np.float64], items: int, columns: records.Instance) -> npt.NDArray[np.float64]:
    """A column of items x resources, with or without periods, in the shape that it has."""
    resources = len(columns.resources)
    return column.reshape(items, resources) if column.size == items * resources else column.reshape(items, resources, columns.periods)


def limits_of(limits: Mapping[str, int] | None) -> Any:
    """A stowage_limits to pass. Raises TypeError for an unknown field, StowageError for a value that it does not hold."""
    if limits is None:
        return None
    known = {field[0] for field in stowage_limits._fields_} - {"struct_size"}
    unknown = sorted(set(limits) - known)
    if unknown:
        raise TypeError(f"there is no limit {unknown[0]}")
    values = {name: in_range(value, 2**64 - 1, f"limits.{name}") for name, value in limits.items()}
    return ctypes.byref(stowage_limits(struct_size=ctypes.sizeof(stowage_limits), **values))


def plan_bytes(plan: Plan | Bytes) -> tuple[Any, int]:
    """What to pass for a plan."""
    return address(plan.data if isinstance(plan, Plan) else plan)


def make_writable(record: Record) -> None:
    """Replaces the record's arrays by copies that may be changed, at every depth."""
    import numpy as np

    for name, _, _ in record.FIELDS:
        value = getattr(record, name)
        if isinstance(value, np.ndarray):
            setattr(record, name, value.copy())
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Record):
                make_writable(one)


def planners() -> Listing[records.PlannerInfo]:
    """The planners, with their options and what they honour."""
    from ._codec import read

    buffer = Buffer()
    call(lib.stowage_planners, buffer.receiver)
    buffer.receive()
    return Listing(read(buffer.data, records.Catalogue, b"STOC").planners)
