"""Instances from frames: of pandas, polars, pyarrow and all others with the Arrow PyCapsule interface, or mappings of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from .. import records
from .._codec import Doubles, as_column, read
from .._library import Status, StowageError, in_utf8, text
from .._show.frame import arrow, to_arrow
from .text import convert, written

_APP = ("name", "replicas", *records.APP_NUMBERS, "max_per_node", "tags", "only", "not", "kind")
_CLASS = ("name", "count", "price", "labels")
_NODE = ("name", "class", "closed", "tags")
_VARIANCE, _DEVIATION = "_variance", "_deviation"


def described(parts: Mapping[str, Any]) -> records.Instance:
    """The columns of parts of an instance in the JSON format, whose values nothing checks yet."""
    json = written({"stowage": 1, "classes": [], "apps": [], **parts})
    return read(convert(text().stowage_instance_from_json, json, len(json), None, size=len(json)), records.Instance, b"STOI")


def unless(column: npt.NDArray[Any], value: float) -> npt.NDArray[Any] | None:
    """The column, or None where all of its values are this one."""
    return None if bool(np.all(column == value)) else column


class Table:
    """A frame with the name that its columns have in messages."""

    def __init__(self, what: str, frame: Any) -> None:
        core = arrow()
        self.what = what
        if isinstance(frame, Mapping):
            columns = {in_utf8(str(name), what): _column(values, f"{what}.{name}") for name, values in frame.items()}
            if len({len(column) for column in columns.values()}) > 1:
                raise StowageError(Status.INVALID, "has columns of different lengths", what)
            self._table = core.Table.from_pydict(columns)
        elif hasattr(frame, "__arrow_c_stream__"):
            self._table = core.Table.from_arrow(frame)
        else:
            raise TypeError(f"{what} must be a frame with the Arrow PyCapsule interface, or a mapping of columns")
        self.names: list[str] = self._table.column_names
        self._length = int(self._table.num_rows)
        if len(set(self.names)) != len(self.names):
            raise StowageError(Status.INVALID, "has two columns of the same name", what)

    def __len__(self) -> int:
        return self._length

    def only(self, *known: str) -> None:
        """Refuses columns of other names: nothing that is given is left out silently."""
        for name in self.names:
            if name not in known:
                self.fail(name, f"is a column that is not known here; drop it, or rename it to one of {', '.join(known)}")

    def need(self, *names: str) -> None:
        for name in names:
            if name not in self.names:
                raise StowageError(Status.INVALID, f'has no column "{name}"', self.what)

    def fail(self, name: str, message: str, row: int | None = None) -> NoReturn:
        raise StowageError(Status.INVALID, message, f"{self.what}.{name}" + ("" if row is None else f"[{row}]"))

    def whole(self, name: str) -> Any:
        """A column as one array, texts by their offsets and dictionaries unpacked."""
        array = self._table.column(name).combine_chunks()
        kind = array.type
        if arrow().DataType.is_dictionary(kind):
            kind = kind.value_type
            array = array.cast(kind)
        return array.cast(arrow().DataType.large_utf8()) if _is_view(kind) else array

    def _filled(self, name: str) -> Any:
        array = self.whole(name)
        if array.null_count:
            self.fail(name, "has no value", array.to_pylist().index(None))
        return array

    def has_text(self, name: str) -> bool:
        kind = self._table.field(name).type
        types = arrow().DataType
        return _is_text(kind.value_type if types.is_dictionary(kind) else kind)

    def numbers(self, name: str, dtype: Any) -> npt.NDArray[Any]:
        """A column of numbers. Refuses values that the type does not hold."""
        return self._numbers(name, self._filled(name), dtype)

    def _numbers(self, name: str, array: Any, dtype: Any) -> npt.NDArray[Any]:
        types = arrow().DataType
        if types.is_boolean(array.type):
            array = array.cast(types.uint8())
        elif types.is_decimal(array.type):
            array = array.cast(types.float64())
        elif not types.is_numeric(array.type):
            self.fail(name, f"must hold numbers, not {_called(array.type)}")
        values: npt.NDArray[Any] = array.to_numpy()
        if values.dtype.kind == "f" and (wrong := np.flatnonzero(~np.isfinite(values))).size:
            self.fail(name, "must be a number", int(wrong[0]))
        try:
            return as_column(values, np.dtype(dtype), name)
        except ValueError:
            limits = np.iinfo(dtype)
            exact = (values >= limits.min) & (values <= limits.max) & (values == np.floor(values))
            at = int(np.flatnonzero(~exact)[0])
            self.fail(name, f"{values[at]:.17g} is not in the range of {np.dtype(dtype)}", at)

    def optional(self, name: str, dtype: Any, default: float) -> npt.NDArray[Any]:
        """A column of numbers, or the default where there is no such column."""
        return self.numbers(name, dtype) if name in self.names else np.full(len(self), default, dtype)

    def texts(self, name: str) -> list[str]:
        """A column of text."""
        array = self._filled(name)
        if not _is_text(array.type):
            self.fail(name, f"must hold text, not {_called(array.type)}")
        found: list[str] = array.to_pylist()
        return found

    def unique(self, name: str) -> list[str] | None:
        """A column of names, each of which occurs once; None where there is no such column."""
        if name not in self.names:
            return None
        names = self.texts(name)
        if len(set(names)) != len(names):
            first: dict[str, int] = {}
            for row, one in enumerate(names):
                if first.setdefault(one, row) != row:
                    self.fail(name, f'"{one}" is already the name of {self.what}[{first[one]}]', row)
        if "" in names:
            self.fail(name, "must not be empty", names.index(""))
        return names

    def encoded(self, name: str) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The different texts of a column, and for each row which of them it holds."""
        import arro3.compute
        import arro3.core

        found = arro3.compute.dictionary_encode(self._filled(name))
        return arro3.core.dictionary_dictionary(found).to_pylist(), arro3.core.dictionary_indices(found).to_numpy().astype(np.int64)

    def references(self, name: str, what: str, names: list[str] | None, size: int) -> npt.NDArray[np.uint32]:
        """Positions of what a column names, or the positions themselves where it holds numbers."""
        if self.has_text(name):
            texts, rows = self.encoded(name)
            at = {one: position for position, one in enumerate(names or [])}
            positions = np.array([at.get(text, size) for text in texts], np.int64)[rows] if len(texts) else np.zeros(0, np.int64)
            if (wrong := np.flatnonzero(positions == size)).size:
                self.fail(name, f'there is no {what} "{texts[rows[wrong[0]]]}"', int(wrong[0]))
            return positions.astype(np.uint32)
        found: npt.NDArray[np.uint32] = self.numbers(name, np.uint32)
        if (wrong := np.flatnonzero(found >= size)).size:
            self.fail(name, f"there is no {what} {found[wrong[0]]}", int(wrong[0]))
        return found

    def lists(self, name: str) -> tuple[npt.NDArray[np.int64], Any]:
        """A column of lists: where each begins, with the end of the last; and the array of all values. A missing list is empty."""
        import arro3.core

        array = self.whole(name)
        if not _is_list(array.type):
            self.fail(name, f"must hold lists, not {_called(array.type)}")
        if arrow().DataType.is_fixed_size_list(array.type):
            if array.null_count:
                self.fail(name, "has no value", array.to_pylist().index(None))
            width = array.type.list_size
            return np.arange(len(array) + 1, dtype=np.int64) * width, arro3.core.list_flatten(array)
        # What stands behind a missing list counts as its content, so that it is taken out first.
        if array.null_count:
            array = _lists(array.to_pylist(), array.type.value_type, f"{self.what}.{name}")
        return arro3.core.list_offsets(array).to_numpy().astype(np.int64), arro3.core.list_flatten(array)

    def list_of_texts(self, name: str) -> list[list[str]]:
        begin, values = self.lists(name)
        if len(values) and not _is_text(values.type) and not _is_view(values.type):
            self.fail(name, f"must hold lists of text, not of {_called(values.type)}")
        texts = values.to_pylist()
        if None in texts:
            self.fail(name, "has a list with an empty value", int(np.searchsorted(begin, texts.index(None), "right")) - 1)
        return [texts[a:b] for a, b in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True)]

    def amounts(self, name: str, unit: str) -> Doubles:
        """Quantities of one resource: numbers, or texts such as "500m", a row each; or lists with a number for each period, in which
        case the result has two dimensions."""
        if self.has_text(name):
            texts, rows = self.encoded(name)
            try:
                values = described({"resources": {name: unit}, "apps": [{"demand": {name: text}} for text in texts]}).apps.demand
            except StowageError as failure:
                wrong = re.match(r"apps\[(\d+)\]", failure.path)
                self.fail(name, failure.message, None if wrong is None else int(np.flatnonzero(rows == int(wrong[1]))[0]))
            found: Doubles = values[rows]
        elif _is_list(self._table.field(name).type):
            begin, array = self.lists(name)
            lengths = np.diff(begin)
            if len(lengths) and (wrong_length := np.flatnonzero(lengths != lengths[0])).size:
                self.fail(name, f"has {lengths[wrong_length[0]]} values, others have {lengths[0]}", int(wrong_length[0]))
            if array.null_count:
                self.fail(name, "has a list with an empty value")
            if len(lengths) and not lengths[0]:
                self.fail(name, "has a list without values", 0)
            found = self._numbers(name, array, np.float64).reshape(len(self), -1)
        else:
            found = self.numbers(name, np.float64)
        if (negative := np.argwhere(found < 0)).size:
            self.fail(name, "must not be negative", int(negative[0][0]))
        return found


def _called(kind: Any) -> str:
    """The name of an Arrow type: Int64 where arro3 says arro3.core.DataType<Int64>."""
    return str(kind).strip().removeprefix("arro3.core.DataType<").removesuffix(">")


def _is_text(kind: Any) -> bool:
    types = arrow().DataType
    return bool(types.is_string(kind) or types.is_large_string(kind) or _is_view(kind))


def _is_view(kind: Any) -> bool:
    return bool(arrow().DataType.is_string_view(kind))


def _is_list(kind: Any) -> bool:
    types = arrow().DataType
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _lists(rows: list[Any], kind: Any, path: str) -> Any:
    """Lists as an Arrow array. A missing list is empty."""
    core = arrow()
    begin = np.zeros(len(rows) + 1, np.int32)
    np.cumsum([0 if row is None else len(row) for row in rows], out=begin[1:])
    try:
        values = core.Array([one for row in rows if row is not None for one in row], kind)
    except (TypeError, ValueError) as failure:
        raise StowageError(Status.INVALID, f"must hold lists of values of one kind: {failure}", path) from None
    return core.list_array(core.Array.from_numpy(begin), values)


def _column(values: Any, path: str) -> Any:
    """The values of a column of a mapping as an Arrow array."""
    core = arrow()
    if not isinstance(values, np.ndarray) and not hasattr(values, "__array__"):
        # NumPy would make a matrix of lists of the same length, and texts of numbers beside texts.
        if not hasattr(values, "__iter__") or isinstance(values, str):
            raise StowageError(Status.INVALID, "must be a column", path)
        listed = list(values)
        values = np.empty(len(listed), object)
        values[:] = listed
    array = np.asarray(values)
    if array.ndim == 2 and array.dtype.kind in "fiu":
        return core.fixed_size_list_array(core.Array.from_numpy(np.ascontiguousarray(array).reshape(-1)), array.shape[1])
    if array.ndim != 1:
        raise StowageError(Status.INVALID, "must have one dimension, or one for rows and one for periods", path)
    if array.dtype.kind not in "OUST":
        return to_arrow(array)
    # NaN is how pandas says that something is missing.
    given: list[Any] = [None if isinstance(one, float) and one != one else one for one in array.tolist()]
    types = core.DataType
    first = next((one for one in given if one is not None), "")
    kind = types.large_utf8() if isinstance(first, str) else types.float64()
    if isinstance(first, (list, tuple, np.ndarray)):
        inner = next((each for one in given if one is not None for each in one), "")
        return _lists(given, types.large_utf8() if isinstance(inner, str) else types.float64(), path)
    try:
        return core.Array(given, kind)
    except (TypeError, ValueError) as failure:
        raise StowageError(Status.INVALID, f"must hold values of one kind: {failure}", path) from None


class Frames:
    """Columns of an instance from frames."""

    def __init__(self, apps: Any, classes: Any, nodes: Any, resources: Mapping[str, Any] | Iterable[str] | None) -> None:
        self.apps, self.classes = Table("apps", apps), Table("classes", classes)
        self.nodes = Table("nodes", nodes if nodes is not None else {"name": []})
        if resources is None:
            resources = [name for name in self.classes.names if name not in _CLASS]
        if isinstance(resources, str):
            raise TypeError("resources must be names, not a name")
        self.given = dict(resources) if isinstance(resources, Mapping) else dict.fromkeys(resources, "")
        self.names = [str(name) for name in self.given]
        spread = [name + suffix for name in self.names for suffix in (_VARIANCE, _DEVIATION)]
        for name in self.names:
            if name in (*_APP, *_CLASS, *_NODE, *spread):
                raise StowageError(Status.INVALID, "is a name that another column has", f"resources.{name}")
        self.periods = 1
        self.tag_at: dict[str, int] = {}

    def described(self, description: Mapping[str, Any]) -> records.Instance:
        """The parts that people write, whose groups find nodes by the names in the frames."""
        parts = {"resources": self.given, "classes": [{"capacity": dict.fromkeys(self.names, 0)}], **description}
        if parts.get("groups"):
            names = self.nodes.unique("name")
            parts["nodes"] = [{}] * len(self.nodes) if names is None else [{"name": name} for name in names]
        found = described(parts)
        self.units = [one.unit or "" for one in found.resources]
        return found

    def numbered(self, tags: list[str] | None) -> npt.NDArray[np.uint32]:
        """The numbers that tags have among those of the frames."""
        return np.array([self.tag_at.setdefault(tag, len(self.tag_at)) for tag in tags or []], np.uint32)

    def matrix(self, table: Table, needed: bool) -> Doubles | None:
        """The amounts of all resources. Shape: rows x resources, with a third dimension for the periods where a column has lists."""
        given = [name for name in self.names if name in table.names]
        if needed:
            table.need(*self.names)
        if not given:
            return None
        columns = {name: table.amounts(name, unit) for name, unit in zip(self.names, self.units, strict=True) if name in given}
        for name, column in columns.items():
            if column.ndim == 2:
                if self.periods not in (1, column.shape[1]):
                    table.fail(name, f"has lists of {column.shape[1]} values, others have {self.periods}")
                self.periods = column.shape[1]
        made = np.zeros((len(table), len(self.names), self.periods))
        for position, name in enumerate(self.names):
            if name in columns:
                column = columns[name]
                made[:, position] = column if column.ndim == 2 else column[:, None]
        return made[..., 0] if self.periods == 1 or bool(np.all(made == made[..., :1])) else made

    def tags(self, table: Table, name: str, field: str = "tag") -> dict[str, Any]:
        """The fields FIELD_begin and FIELD_index, with numbers for the texts of a column of lists, or of a column of texts. None where
        there are no texts."""
        if name not in table.names:
            return {}
        listed = [[one] for one in table.texts(name)] if table.has_text(name) else table.list_of_texts(name)
        index = self.numbered([text for texts in listed for text in texts])
        begin = np.zeros(len(listed) + 1, np.uint32)
        np.cumsum([len(texts) for texts in listed], out=begin[1:])
        return {f"{field}_begin": begin, f"{field}_index": index} if len(index) else {}

    def read_apps(self, kinds: list[str] | None) -> records.Apps:
        table = self.apps
        spread = [name + suffix for name in self.names for suffix in (_VARIANCE, _DEVIATION)]
        table.only(*_APP, *self.names, *spread)
        demand = self.matrix(table, True)
        kind = None
        if "kind" in table.names:
            kind = table.references("kind", "kind", kinds, len(kinds) if kinds else 2**32 - 1)
        return records.Apps(
            names=table.unique("name"), replicas=table.optional("replicas", np.uint32, 1),
            demand=np.zeros((len(table), 0)) if demand is None else demand,
            variance=self.variance(table), kind=kind, **self.tags(table, "tags"),
            **{name: unless(table.optional(name, np.dtype(dtype).type, absent), absent)
               for name, (dtype, absent) in records.APP_NUMBERS.items()},
        )  # fmt: skip

    def variance(self, table: Table) -> Doubles | None:
        """Variances, or the squares of deviations, which are quantities like demand. Shape: apps x resources."""
        made = np.zeros((len(table), len(self.names)))
        for position, (name, unit) in enumerate(zip(self.names, self.units, strict=True)):
            variance, deviation = name + _VARIANCE, name + _DEVIATION
            if variance in table.names and deviation in table.names:
                table.fail(deviation, f'is given twice: here and as "{variance}"')
            if variance in table.names:
                made[:, position] = table.numbers(variance, np.float64)
            elif deviation in table.names:
                amounts = table.amounts(deviation, unit)
                if amounts.ndim == 2:
                    table.fail(deviation, "must be one quantity for all periods")
                made[:, position] = amounts**2
        return unless(made, 0.0)

    def read_classes(self) -> list[records.NodeClass]:
        table = self.classes
        table.only(*_CLASS, *self.names)
        capacity = self.matrix(table, True)
        if capacity is not None and capacity.ndim == 3:
            raise StowageError(Status.INVALID, "capacities are the same in all periods", "classes")
        names, count = table.unique("name"), table.optional("count", np.uint32, 0).tolist()
        price = table.optional("price", np.float64, -1.0).tolist()
        labels = table.list_of_texts("labels") if "labels" in table.names else [None] * len(table)
        return [
            records.NodeClass(
                name=names[k] if names else None, capacity=np.zeros(0) if capacity is None else capacity[k], count=count[k],
                price=price[k], labels=labels[k] or None,
            )
            for k in range(len(table))
        ]  # fmt: skip

    def read_limits(self, limits: Table | None, names: list[str] | None) -> records.AffinityLimits | None:
        """The limits row by row; an app's limit on itself comes first, as in instances that people write."""
        count = len(self.apps)
        none = np.zeros(0, np.uint32)
        own, most = self.own_limits() if "max_per_node" in self.apps.names else (none, none)
        app, other, at_most = none, none, none
        if limits is not None:
            limits.only("app", "other", "at_most")
            limits.need("app", "other", "at_most")
            app, other = (limits.references(name, "app", names, count) for name in ("app", "other"))
            at_most = limits.numbers("at_most", np.uint32)
        app, other, at_most = (np.concatenate(pair) for pair in ((own, app), (own, other), (most, at_most)))
        if not len(app):
            return None
        place = 2 * app.astype(np.int64) + (other != app)
        if np.any(place[1:] < place[:-1]):
            order = np.argsort(place, kind="stable")
            app, other, at_most = app[order], other[order], at_most[order]
        begin = np.zeros(count + 1, np.uint32)
        np.cumsum(np.bincount(app, minlength=count), out=begin[1:])
        return records.AffinityLimits(row_begin=begin, app=other, at_most=at_most)

    def own_limits(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """The apps with a value of `max_per_node`, and these values. A missing value, or NaN, is no limit."""
        column = self.apps.whole("max_per_node")
        if not arrow().DataType.is_numeric(column.type) and column.null_count < len(column):
            self.apps.fail("max_per_node", f"must hold numbers, not {_called(column.type)}")
        values = column.to_pylist()
        own = [row for row, value in enumerate(values) if value is not None and value == value]
        if not own:
            return np.zeros(0, np.uint32), np.zeros(0, np.uint32)
        # Of all rows, so that a message names the row.
        given = set(own)
        filled = Table("apps", {"max_per_node": np.array([value if row in given else 0 for row, value in enumerate(values)])})
        return np.array(own, np.uint32), filled.numbers("max_per_node", np.uint32)[own]

    def read_nodes(self, classes: list[str] | None, count: int) -> records.Nodes:
        table = self.nodes
        table.only(*_NODE, *self.names)
        if "class" not in table.names and count != 1:
            table.need("class")
        node_class = (
            table.references("class", "class", classes, count) if "class" in table.names else np.zeros(len(table), np.uint32)
        )
        load = self.matrix(table, False)
        return records.Nodes(
            node_class=node_class, names=table.unique("name"), load=None if load is None else unless(load, 0.0),
            closed=unless(table.optional("closed", np.uint8, 0), 0), **self.tags(table, "tags"),
        )  # fmt: skip


def _residences(frame: Any, what: str, apps: tuple[Any, int], nodes: tuple[Any, int]) -> npt.NDArray[np.void] | None:
    if frame is None:
        return None
    # A frame may be a stream, which can be read once.
    table = Table(what, frame)
    table.only("app", "node", "replicas")
    table.need("app", "node", "replicas")
    made = np.zeros(len(table), records.RESIDENCE)
    made["app"], made["node"] = table.references("app", "app", *apps), table.references("node", "listed node", *nodes)
    made["replicas"] = table.numbers("replicas", np.uint32)
    # Those of a node stand together, as in instances that people write.
    return made[np.argsort(made["node"], kind="stable")] if len(made) else None


def _traffic(frame: Any, apps: tuple[Any, int]) -> npt.NDArray[np.void]:
    table = Table("traffic", frame)
    table.only("app", "peer", "amount")
    table.need("app", "peer", "amount")
    made = np.zeros(len(table), records.TRAFFIC)
    made["app"], made["peer"] = (table.references(name, "app", *apps) for name in ("app", "peer"))
    made["amount"] = table.numbers("amount", np.float64)
    return made


def columns_of(
    apps: Any, classes: Any, nodes: Any, limits: Any, running: Any, pinned: Any, traffic: Any,
    resources: Mapping[str, Any] | Iterable[str] | None, description: Mapping[str, Any],
) -> records.Instance:  # fmt: skip
    """The columns of frames, and of what a description in the JSON format has besides: name, groups, rules and so on."""
    frames = Frames(apps, classes, nodes, resources)
    others = frames.described(description)
    apps_of = frames.read_apps(others.interference.kinds if others.interference is not None else None)
    node_classes = frames.read_classes()
    listed = None
    if len(frames.nodes):
        listed = frames.read_nodes(frames.classes.unique("name"), len(node_classes))
    by_app = (apps_of.names, len(frames.apps))
    by_node = (listed.names if listed is not None else None, len(frames.nodes))
    numbers = frames.numbered(others.tags)
    for condition in (one for rule in others.rules for each in rule.any_of for one in each.all_of):
        condition.subject = numbers[condition.subject]
        condition.target = None if condition.target is None else numbers[condition.target]
    # After all other tags, whose numbers do not depend on these: as in instances that people write.
    for name in ("only", "not"):
        for field, column in frames.tags(frames.apps, name, name).items():
            setattr(apps_of, field, column)
    resident = {what: _residences(frame, what, by_app, by_node) for what, frame in (("running", running), ("pinned", pinned))}
    return others.replace(
        periods=frames.periods, apps=apps_of, classes=node_classes, nodes=listed,
        limits=frames.read_limits(None if limits is None else Table("limits", limits), apps_of.names),
        running=resident["running"], pinned=resident["pinned"], tags=list(frames.tag_at) or None,
        traffic=None if traffic is None else _traffic(traffic, by_app),
    )  # fmt: skip
