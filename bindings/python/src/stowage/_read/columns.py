"""What the columns of tables mean, as for the command (docs/reference/cli.md, "Tables"), and the frames that they make.

`Instance.from_frames` reads the values of these frames. The words for columns, the order of resources and the units are those of the
command, so that tables are the same instance in every format.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from .. import records
from .._library import Status, StowageError
from .frames import described
from .sheets import Sheet, Unusable, as_number, as_text, letters

# As in capi/text/base/json_text.cpp and in capi/cli/formats/instance/table_columns.cpp; a test compares them.
OUR_WORDS = {
    "mem": "memory", "ram": "memory", "core": "cpu", "cores": "cpu", "cpus": "cpu", "vcpu": "cpu", "vcpus": "cpu",
    "request": "demand", "requests": "demand", "resources": "demand", "instances": "replicas", "pods": "replicas",
    "cost": "price", "hourly_price": "price",
}  # fmt: skip
NAMES = ("app", "app_name", "application", "service", "workload", "type", "instance_type", "node_class", "class_name")
# Where no column has one of the words before.
OTHER_NAMES = (
    "size", "machine", "server", "machine_type", "node_type",
)  # fmt: skip
REPLICAS = (
    "replicas", "replica_count", "number_of_replicas", "instances", "instance_count", "number_of_instances", "count",
    "no_of_instances", "qty", "quantity", "number", "copies", "pods", "pod_count", "anzahl", "instanzen", "anzahl_instanzen",
)  # fmt: skip
PRICE_PARTS = (
    "price", "cost", "preis", "kosten",
)  # fmt: skip
NO_PRICE_PARTS = (
    "centre", "center", "stelle", "per_gb", "per_gib", "per_core", "per_cpu", "per_vcpu", "pro_gb",
)  # fmt: skip
CURRENCIES = (
    "eur", "euro", "usd", "dollar", "chf",
)  # fmt: skip
AROUND_CURRENCIES = (
    "per", "pro", "month", "monat", "mo", "monthly", "hour", "hr", "h", "hourly", "stunde", "std", "year", "jahr", "yearly", "a",
    "in", "monatlich",
)  # fmt: skip
RESOURCES = (
    "cpu", "memory", "gpu", "gpus", "disk", "disks", "disk_size", "storage", "ephemeral_storage", "network", "bandwidth", "iops",
    "ssd", "hdd",
)  # fmt: skip
OTHER_UNITS = (
    "", "percent", "ms", "s", "sec", "min", "h", "hours", "days", "years", "months", "minutes",
)  # fmt: skip
UNITS = (
    "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB", "Ki", "Mi", "Gi", "Ti", "Gbps", "Mbps", "Gbit/s", "Mbit/s",
)  # fmt: skip
_OF_NODE = {"node": "name", "node_class": "class"}
_OF_CLASS = ("name", "count", "price", "labels")
_NO_NAMES = {
    "replicas", "priority", "weight", "max_per_node", "tags", "only", "not", "limits", "title", "count", "price", "labels",
}  # fmt: skip
_LISTS = ("tags", "only", "not")
# What the library calls columns of frames.
_OF_LIBRARY = {"node_class": "class"}
# What an empty cell of a number stands for; NaN is no limit.
_ABSENT = {"replicas": 1.0, "max_per_node": float("nan"), **{name: float(absent) for name, (_, absent) in records.APP_NUMBERS.items()}}
# What is a quantity in GiB and no number, such as "4Gi".
_IN_BYTES = re.compile(
    r"[ \t]*-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*(?:(?:[KMGTPE]i|[numkKMGTPE])[ \t]*B?|B)[ \t]*"
)
_OF_FRAME = re.compile(r"(apps|classes|nodes|limits|running)(?:\.(.+?))?(?:\[(\d+)\](?:\.(\w+))?)?")


def meaning_of(word: str) -> str:
    """Our word for a column."""
    return "name" if word in NAMES else OUR_WORDS.get(word, word)


def _meaning_of_node(word: str) -> str:
    """Our word for a column of listed nodes, which have a name and a class."""
    return _OF_NODE.get(word, OUR_WORDS.get(word, word))


def _lowered(text: str) -> str:
    """Of capitals, only those of English count."""
    return text.encode().lower().decode()


def _plain(text: str) -> str:
    return _lowered(text).replace(" ", "_").replace("-", "_").strip("_")


def _compared(text: str) -> str:
    """A header without punctuation: "No. of instances" is "no_of_instances". Signs of currencies are words."""
    text = _lowered(text).replace("$", " usd ").replace("\u20ac", " eur ")
    return re.sub(r"[\x00-/:-`{-\x7f]+", "_", text).strip("_")


def _is_currency(text: str) -> bool:
    words = set(_compared(text).split("_"))
    return bool(words & set(CURRENCIES)) and words <= {*CURRENCIES, *AROUND_CURRENCIES}


def _is_price(header: str, unit: str) -> bool:
    word = _compared(header)
    if any(part in word for part in NO_PRICE_PARTS):
        return False
    return any(part in word for part in PRICE_PARTS) or _is_currency(header) or _is_currency(unit)


def _with_unit(header: str) -> tuple[str, str]:
    """A header without brackets as its name and its unit: "RAM in GB", "Memory GiB", "memory_gb", "CPU cores"."""
    found = re.fullmatch(r"(.+)([ _])([^ _]*)", name := header.rstrip(" "), re.DOTALL)
    if found is None:
        return name, ""
    before, sign, last = found.groups()
    unit = next((one for one in UNITS if one.lower() == _lowered(last)), "")
    if _lowered(before).endswith(" in"):
        return before[:-3], unit or last
    resource = meaning_of(_plain(before))
    if resource == "cpu" and meaning_of(_plain(last)) == "cpu":
        return before, last
    return (before, unit) if unit and (sign == " " or resource in RESOURCES) else (name, "")


def parted(header: str) -> tuple[str, str]:
    """The plain name in a header, and the unit in brackets or behind it, or "": "RAM (GiB)" is "ram" and "GiB"."""
    name, bracket, rest = re.sub(r"[(\[]", "(", header, count=1).partition("(")
    if not bracket:
        name, unit = _with_unit(header)
        return _plain(name), unit
    found = re.match(r"[^)\]]*(?=[)\]])", rest)
    return _plain(name), found[0] if found else ""


def is_surely_resource(meaning: str, unit: str) -> bool:
    """Whether a column is a resource by its name or unit, so that no sheet may leave it out."""
    return meaning in RESOURCES or (_compared(unit) not in OTHER_UNITS and not _is_currency(unit))


def looks_numeric(one: Any) -> bool:
    """Whether a cell is meant as a number, also one that cannot be read, such as "1.360,00 EUR"."""
    if isinstance(one, str):
        return re.match(r"[ +\-.,$\u20ac]*[0-9]", one) is not None
    return isinstance(one, (int, float)) and not isinstance(one, bool)


def other_meanings(headers: Sequence[str], known: list[str], units: Sequence[str], what: str) -> None:
    """Gives columns a meaning by words that are less clear, where no column has a clear one."""
    words = [_compared(re.split(r"[(\[]", header)[0]) for header in headers]
    if what in ("apps", "running") and "replicas" not in known:
        known[:] = ["replicas" if word in REPLICAS else one for one, word in zip(known, words, strict=True)]
    if what in ("apps", "classes") and "name" not in known:
        at = next((at for at, word in enumerate(words) if word in OTHER_NAMES), None)
        if at is not None:
            known[at] = "name"
    if what == "classes" and "price" not in known:
        prices = [_is_price(header, unit) for header, unit in zip(headers, units, strict=True)]
        known[:] = ["price" if price else one for one, price in zip(known, prices, strict=True)]


class Table:
    """A table whose columns are found by their meaning. Remembers which ones are used."""

    def __init__(self, sheet: Sheet, meaning: Callable[[str], str] = meaning_of, what: str = "") -> None:
        self.sheet = sheet
        self.at: dict[str, int] = {}
        self.units: dict[str, str] = {}
        self._used: set[int] = set()
        pairs = [parted(header) for header in sheet.headers]
        meanings = [meaning(word) if word else "" for word, _ in pairs]
        other_meanings(sheet.headers, meanings, [unit for _, unit in pairs], what)
        for position, (header, known, (_, unit)) in enumerate(zip(sheet.headers, meanings, pairs, strict=True)):
            if not known:
                continue
            if known in self.at:
                self.fail(f'"{sheet.headers[self.at[known]]}" and "{header}" mean the same', None, position)
            self.at[known] = position
            self.units[known] = unit

    def fail(self, message: str, row: int | None = None, position: int | None = None) -> NoReturn:
        raise StowageError(Status.INVALID, message, self.sheet.at(row, position))

    def unused(self) -> str:
        """The columns without a meaning, for a message, or "". A column without a header and without cells is none."""
        return ", ".join(
            header or f"column {letters(position)}"
            for position, (header, cells) in enumerate(zip(self.sheet.headers, self.sheet.columns, strict=True))
            if position not in self._used and (header or any(one is not None for one in cells))
        )

    def positions_left(self) -> list[int]:
        """The columns that are not used."""
        return [position for position in range(len(self.sheet.headers)) if position not in self._used]

    def is_numeric(self, position: int) -> bool:
        """Whether all cells that are not empty are meant as numbers, and there are some."""
        there = [one for one in self.sheet.columns[position] if one is not None]
        return bool(there) and all(looks_numeric(one) for one in there)

    def find_name(self) -> None:
        """Where no column is called a name, the first one that has another text in each row is."""
        if "name" in self.at or not len(self.sheet):
            return
        for known, position in self.at.items():
            cells = self.sheet.columns[position]
            texts = {one for one in cells if isinstance(one, str) and not looks_numeric(one)}
            if len(texts) == len(cells) and known not in _NO_NAMES and not is_surely_resource(known, self.units[known]):
                self.at = {"name" if one == known else one: at for one, at in self.at.items()}
                self.units["name"] = self.units.pop(known)
                return

    def cells(self, position: int) -> list[Any]:
        """The cells of a column, which is used from now on. Refuses those that no column can use."""
        self._used.add(position)
        cells = self.sheet.columns[position]
        for row, one in enumerate(cells):
            if isinstance(one, Unusable):
                self.fail(one.reason, row, position)
        return cells

    def texts(self, meaning: str) -> list[str | None]:
        """A column of text; numbers stand for their digits, as in the text of a table."""
        position = self.at[meaning]
        found = [None if one is None else as_text(one) for one in self.cells(position)]
        for row, (text, one) in enumerate(zip(found, self.sheet.columns[position], strict=True)):
            if text is None and one is not None:
                self.fail("must be text, not a list", row, position)
        return found

    def names(self, meaning: str) -> list[str]:
        """A column with a text in each row."""
        found = self.texts(meaning)
        if None in found:
            self.fail("has no value", found.index(None), self.at[meaning])
        return [one for one in found if one is not None]

    def unique(self, meaning: str) -> list[str]:
        """A column with another text in each row."""
        found = self.names(meaning)
        first: dict[str, int] = {}
        for row, one in enumerate(found):
            if first.setdefault(one, row) != row:
                self.fail(f'"{one}" is already a name, at {self.sheet.at(first[one], self.at[meaning])}', row, self.at[meaning])
        return found

    def is_empty(self, meaning: str) -> bool:
        """Whether there are rows, and none of them has a value."""
        return len(self.sheet) > 0 and all(one is None for one in self.cells(self.at[meaning]))

    def numbers(self, meaning: str, absent: float) -> npt.NDArray[np.float64]:
        """A column of numbers. Whether they are in range is checked by whoever reads the frame."""
        position = self.at[meaning]
        found = np.full(len(self.sheet), absent)
        for row, one in enumerate(self.cells(position)):
            if one is not None:
                number = as_number(one)
                if number is None or abs(number) == float("inf"):
                    self.fail(f"must be a number, not {_shown(one)}", row, position)
                found[row] = number
        return found

    def words(self, meaning: str) -> list[list[str]]:
        """A column of lists: of words, which spaces, commas, semicolons or bars separate, or of text."""
        position = self.at[meaning]
        found: list[list[str]] = []
        for row, one in enumerate(self.cells(position)):
            listed = one if isinstance(one, list) else re.split("[ ,;|]", as_text(one) or "")
            texts = [text for each in listed if (text := as_text(each))]
            if isinstance(one, list) and len(texts) != len(listed):
                self.fail("has a list with an empty value", row, position)
            found.append(texts)
        return found

    def flags(self, meaning: str) -> npt.NDArray[np.float64]:
        """A column of truth values: true, false, 1 or 0. An empty cell is false."""
        position = self.at[meaning]
        known = {"true": 1.0, "1": 1.0, "false": 0.0, "0": 0.0, "": 0.0}
        found = [known.get((as_text(one) or "").lower()) for one in self.cells(position)]
        if None in found:
            self.fail("must be true or false", found.index(None), position)
        return np.array(found, np.float64)

    def amounts(self, position: int, absent: float | None) -> Any:
        """A column of quantities for from_frames(): numbers, texts, or lists with a number for each period.

        absent  what an empty cell stands for; None: it is refused
        """
        given = [absent if one is None else one for one in self.cells(position)]
        if None in given:
            self.fail("has no value", given.index(None), position)
        if lists := [one for one in given if isinstance(one, list)]:
            return [one if isinstance(one, list) else [one] * len(lists[0]) for one in given]
        numbers = [as_number(one) for one in given]
        return [as_text(one) for one in given] if None in numbers else np.array(numbers, np.float64)


def _shown(one: Any) -> str:
    return f'"{one}"' if isinstance(one, str) else "a list" if isinstance(one, list) else f"{as_text(one)}"


class _Source(NamedTuple):
    """Where the rows and columns of a frame come from."""

    table: Table
    rows: Sequence[int]
    columns: dict[str, int]


class Frames:
    """Frames of tables, for Instance.from_frames(), which is given apps, nodes and classes by their positions."""

    def __init__(self, sheets: Mapping[str, Sheet], has_kinds: bool) -> None:
        """Takes the tables apps and classes and, where they are given, running and nodes. Raises StowageError with the place in a
        file.

        has_kinds  whether apps may have a column "kind"; else that has no meaning
        """
        self.tables = {what: Table(sheet, _meaning_of_node if what == "nodes" else meaning_of, what) for what, sheet in sheets.items()}
        self.apps, self.classes = self.tables["apps"], self.tables["classes"]
        self.frames: dict[str, dict[str, Any]] = {}
        self.title: str | None = None
        self._sources: dict[str, _Source] = {}
        for table in (self.apps, self.classes):
            table.find_name()
        if not self.apps.at.keys() & {"name", "replicas"}:
            self.apps.fail('has no column "name" or "replicas"')
        self.resources = self._find_resources()
        self._read_apps(has_kinds)
        self._read_title()
        self._read_limits()
        self._read_classes()
        self._read_nodes()
        self._refuse_single_resources()

    def _refuse_single_resources(self) -> None:
        """A resource that only one table has would bind nobody. That no app says its demand is harmless, unless numbers without a
        meaning say it."""
        pairs = [(self.apps, self.classes)]
        if any(self.apps.is_numeric(position) for position in self.apps.positions_left()):
            pairs.append((self.classes, self.apps))
        for table, other in pairs:
            for meaning, position in table.at.items():
                if position in table.positions_left() and is_surely_resource(meaning, table.units[meaning]) and table.is_numeric(position):
                    header = table.sheet.headers[position]
                    shown = meaning if header == meaning else f"{meaning} ({header})"
                    table.fail(f"{shown} has no column in {other.sheet.at()}; name it there too, or drop it")

    def unused(self) -> list[str]:
        """A sentence for each table of which columns have no meaning."""
        found = [(table.sheet.at(), table.unused()) for table in self.tables.values()]
        said = [f"{place}: not used: {columns}" for place, columns in found if columns]
        left = any(self.classes.is_numeric(position) for position in self.classes.positions_left())
        if left and "price" not in self.classes.at:
            start = f"{self.classes.sheet.at()}: not used: "
            lacks = "; no column says prices: nodes are counted, not cost"
            said = [one + lacks if one.startswith(start) else one for one in said]
        if "replicas" not in self.apps.at:
            said.insert(0, f"{self.apps.sheet.at()}: no column says how many replicas there are: each app counts once")
        return said

    def _find_resources(self) -> dict[str, str]:
        """The units of the resources, which are the columns that apps and classes share, in the order of the classes."""
        names = [name for name in self.classes.at if name not in _OF_CLASS and name in self.apps.at]
        if not names:
            self.apps.fail(f"has no column of a resource that {self.classes.sheet.at()} has, too (such as cpu or memory)")
        units = {name: self.classes.units[name] or self._unit_of(name) for name in names}
        try:
            described({"resources": units})
        except StowageError as failure:
            self.classes.fail(failure.message, None, self._column_of(failure.path))
        return units

    def _column_of(self, path: str) -> int | None:
        """The column of the classes for a path such as "resources.memory"."""
        found = re.fullmatch(r'resources(?:\.|\[")(.*?)(?:"\])?', path)
        return self.classes.at.get(found[1]) if found else None

    def _unit_of(self, name: str) -> str:
        """The unit of a resource whose column of classes says none. Plain numbers are in the same unit in all tables."""
        if name == "cpu":
            return "cores"
        for table in (self.apps, self.classes):
            if any(isinstance(one, str) and _IN_BYTES.fullmatch(one) for one in table.sheet.columns[table.at[name]]):
                return "GiB"
        return "GiB" if name == "memory" else ""

    def _frame(self, what: str, table: Table, rows: Sequence[int]) -> Callable[[str, int, Any], None]:
        """Begins a frame. Returns what adds a column that comes from that position of the table."""
        frame = self.frames.setdefault(what, {})
        source = self._sources.setdefault(what, _Source(table, rows, {}))

        def add(name: str, position: int, values: Any) -> None:
            if name in frame:
                other = table.sheet.headers[source.columns[name]]
                table.fail(f'"{other}" and "{table.sheet.headers[position]}" mean the same', None, position)
            frame[name] = values
            source.columns[name] = position

        return add

    def _amounts(self, table: Table, meaning: str, resource: str, absent: float | None) -> Any:
        """A column of quantities of a resource. Plain numbers are in the unit of the header: MiB where the resource is in GiB."""
        unit, of_resource, position = table.units[meaning], self.resources[resource], table.at[meaning]
        # What people call a core is a core: "CPU (vCPU)".
        is_same = unit == of_resource or {meaning_of(parted(one)[0]) for one in (unit, of_resource)} == {"cpu"}
        amounts = table.amounts(position, absent)
        if not unit or not of_resource or is_same:
            return amounts
        try:
            described({"resources": {resource: of_resource}, "apps": [{"demand": {resource: f"1 {unit}"}}]})
        except StowageError:
            table.fail(f"cannot be converted to {of_resource}, the unit of {resource}", None, position)
        if any(isinstance(one, list) for one in amounts):
            table.fail(f"has lists, which are in {of_resource} and not in {unit}", None, position)
        return [f"{one} {unit}" if as_number(one) is not None else one for one in list(amounts)]

    def _read_apps(self, has_kinds: bool) -> None:
        table = self.apps
        add = self._frame("apps", table, range(len(table.sheet)))
        for meaning, position in table.at.items():
            if meaning == "name" or (meaning == "kind" and has_kinds):
                if not table.is_empty(meaning):
                    add(meaning, position, table.names(meaning) if meaning == "kind" else table.unique(meaning))
            elif meaning in _ABSENT:
                add(meaning, position, table.numbers(meaning, _ABSENT[meaning]))
            elif meaning in _LISTS:
                add(meaning, position, table.words(meaning))
            elif meaning_of(meaning) in self.resources:
                add(meaning_of(meaning), position, self._amounts(table, meaning, meaning_of(meaning), 0.0))
            else:
                self._read_spread(meaning, position, add)

    def _read_spread(self, meaning: str, position: int, add: Callable[[str, int, Any], None]) -> None:
        """A column of deviations or variances of a resource."""
        for suffix in ("_deviation", "_variance"):
            name = meaning_of(meaning.removesuffix(suffix))
            if not meaning.endswith(suffix) or name not in self.resources:
                continue
            # A variance is a plain number in squared units.
            is_amount = suffix == "_deviation"
            values = self._amounts(self.apps, meaning, name, 0.0) if is_amount else self.apps.numbers(meaning, 0.0)
            add(name + suffix, position, values)

    def _read_title(self) -> None:
        """The name of the instance, which stands in one row. A column "title" with several values is of something else."""
        if "title" in self.apps.at and "title" not in self.frames["apps"]:
            found = [one for one in self.apps.sheet.columns[self.apps.at["title"]] if one is not None]
            if len(found) < 2:
                self.title = next((one for one in self.apps.texts("title") if one is not None), None)

    def _read_limits(self) -> None:
        """The limits on other apps, which stand in a column of apps: "db=0 cron=1"."""
        table = self.apps
        if "limits" not in table.at:
            return
        position = table.at["limits"]
        own = self.frames["apps"].get("max_per_node")
        rows: list[int] = []
        others: list[int] = []
        most: list[float] = []
        for row, words in enumerate(table.words("limits")):
            named = set() if own is None or np.isnan(own[row]) else {row}
            for word in words:
                app, _, text = word.partition("=")
                number = as_number(text)
                if not app or number is None:
                    table.fail(f'"{word}" is not an app and a number, such as db=0', row, position)
                other = self._app(app, table, row, position)
                if other in named:
                    table.fail(f'"{app}" has two limits here, of which one may be max_per_node', row, position)
                named.add(other)
                rows.append(row)
                others.append(other)
                most.append(number)
        if rows:
            add = self._frame("limits", table, rows)
            add("app", position, np.array(rows, np.uint32))
            add("other", position, np.array(others, np.uint32))
            add("at_most", position, np.array(most))

    def _app(self, text: str, table: Table, row: int, position: int) -> int:
        """The position of an app that a cell names."""
        found = self._app_at.get(text) if self._app_at else _numbered(text, len(self.apps.sheet))
        if found is None:
            table.fail(f'there is no app "{text}"', row, position)
        return found

    def _read_classes(self) -> None:
        table = self.classes
        add = self._frame("classes", table, range(len(table.sheet)))
        for meaning, position in table.at.items():
            if meaning == "name":
                if not table.is_empty(meaning):
                    add(meaning, position, table.unique(meaning))
            elif meaning == "count":
                add(meaning, position, table.numbers(meaning, 0.0))
            elif meaning == "price":
                add(meaning, position, self._prices(position))
            elif meaning == "labels":
                add(meaning, position, table.words(meaning))
            elif meaning in self.resources:
                add(meaning, position, self._amounts(table, meaning, meaning, None))

    @functools.cached_property
    def _app_at(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.frames["apps"].get("name", ()))}

    @functools.cached_property
    def _class_at(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.frames["classes"].get("name", ()))}

    def _prices(self, position: int) -> npt.NDArray[np.float64]:
        """Prices, where -1 stands for none."""
        prices = self.classes.numbers("price", float("nan"))
        if (negative := np.flatnonzero(prices < 0)).size:
            self.classes.fail("must not be negative; leave it out where there is no price", int(negative[0]), position)
        return np.where(np.isnan(prices), -1.0, prices)

    def _read_nodes(self) -> None:
        """The listed nodes: those of the table of nodes, or those of what runs in the order in which they are named first."""
        running, listed = self.tables.get("running"), self.tables.get("nodes")
        table = listed if listed is not None else running
        if table is None:
            return
        nodes = _ListedNodes(running, listed)
        add = self._frame("nodes", table, nodes.rows)
        at = table.at["name" if listed is not None else "node"]
        add("name", at, nodes.names)
        add("class", table.at.get("class", at), np.array([self._class_of(nodes, table, k) for k in range(len(nodes.names))], np.uint32))
        if listed is not None:
            self._read_listed(listed, add)
        if running is not None and nodes.residences:
            # In the order of the instance, so that a message of the library names the row.
            order = sorted(nodes.residences, key=lambda one: one.node)
            app = running.at["name"]
            add = self._frame("running", running, [one.row for one in order])
            add("app", app, np.array([self._app(one.app, running, one.row, app) for one in order], np.uint32))
            add("node", running.at["node"], np.array([one.node for one in order], np.uint32))
            replicas = running.numbers("replicas", 1.0) if "replicas" in running.at else np.ones(len(running.sheet))
            add("replicas", running.at.get("replicas", app), replicas[[one.row for one in order]])

    def _class_of(self, nodes: _ListedNodes, table: Table, node: int) -> int:
        """The position of a node's class, which may be left out where there is only one."""
        count = len(self.classes.sheet)
        said = nodes.classes[node]
        if said is None:
            if count != 1:
                table.fail(f'node "{nodes.names[node]}" has no class', nodes.rows[node])
            return 0
        found = self._class_at.get(said.name, _numbered(said.name, count))
        if found is None:
            said.table.fail(f'there is no class "{said.name}"', said.row, said.table.at["class"])
        return found

    def _read_listed(self, table: Table, add: Callable[[str, int, Any], None]) -> None:
        for meaning, position in table.at.items():
            if meaning == "closed":
                add(meaning, position, table.flags(meaning))
            elif meaning == "tags":
                add(meaning, position, table.words(meaning))
            elif meaning in self.resources:
                add(meaning, position, self._amounts(table, meaning, meaning, 0.0))

    def located(self, failure: StowageError) -> StowageError:
        """A failure with a path in the frames as one with the place in the file: "apps.cpu[2]" is "apps.csv:4: cpu"."""
        if (resource := self._column_of(failure.path)) is not None:
            return StowageError(failure.status, failure.message, self.classes.sheet.at(None, resource))
        found = _OF_FRAME.fullmatch(failure.path)
        source = self._sources.get(found[1]) if found else None
        if found is None or source is None:
            return failure
        name = _OF_LIBRARY.get(found[2] or found[4], found[2] or found[4])
        row = None if found[3] is None else int(found[3])
        # The library names its own columns, such as "apps.demand[51]", which no frame has.
        if (name is not None and name not in source.columns) or (row is not None and row >= len(source.rows)):
            return failure
        place = source.table.sheet.at(None if row is None else source.rows[row], None if name is None else source.columns[name])
        return StowageError(failure.status, failure.message, place)


def _numbered(text: str, size: int) -> int | None:
    """What "#3" calls: the fourth of a list."""
    found = re.fullmatch(r"#([0-9]{1,9})", text)
    return int(found[1]) if found and int(found[1]) < size else None


class _Residence(NamedTuple):
    node: int
    row: int
    app: str


class _Class(NamedTuple):
    """The class of a node, and where it stands."""

    name: str
    table: Table
    row: int


class _ListedNodes:
    """Listed nodes and what runs on them, from the tables that name them."""

    def __init__(self, running: Table | None, listed: Table | None) -> None:
        self.names: list[str] = []
        self.rows: list[int] = []
        self.classes: list[_Class | None] = []
        self.residences: list[_Residence] = []
        self._at: dict[str, int] = {}
        if listed is not None:
            if "name" not in listed.at:
                listed.fail('has no column "name"')
            classes = self._classes(listed)
            for row, name in enumerate(listed.unique("name")):
                self._add(name, row, classes[row])
        if running is not None:
            self._read_running(running, listed is None)

    @staticmethod
    def _classes(table: Table) -> list[_Class | None]:
        if "class" not in table.at:
            return [None] * len(table.sheet)
        return [None if name is None else _Class(name, table, row) for row, name in enumerate(table.texts("class"))]

    def _add(self, name: str, row: int, of_class: _Class | None) -> int:
        self.names.append(name)
        self.rows.append(row)
        self.classes.append(of_class)
        self._at[name] = len(self.names) - 1
        return self._at[name]

    def _read_running(self, table: Table, lists: bool) -> None:
        """Reads what runs where.

        lists  whether the table lists the nodes, or another one does
        """
        if not {"name", "node"} <= table.at.keys():
            table.fail("needs the columns node and app")
        nodes, apps, classes = table.names("node"), table.texts("name"), self._classes(table)
        there: set[tuple[int, str]] = set()
        for row, name in enumerate(nodes):
            node = self._at.get(name)
            if node is None:
                if not lists:
                    table.fail(f'there is no listed node "{name}"', row, table.at["node"])
                node = self._add(name, row, None)
            said, known = classes[row], self.classes[node]
            if known is None:
                self.classes[node] = said
            elif said is not None and said.name != known.name:
                table.fail(f'node "{name}" is also of class "{known.name}"', row, table.at["class"])
            if (app := apps[row]) is None:
                continue
            if (node, app) in there:
                table.fail(f'"{app}" stands twice on node "{name}"', row, table.at["name"])
            there.add((node, app))
            self.residences.append(_Residence(node, row, app))
