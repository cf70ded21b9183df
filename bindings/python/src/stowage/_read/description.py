"""Instances as people write them (docs/json-format.md): objects with names and quantities, converted to columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from .. import records
from .._library import NONE, Status, StowageError, half_a_character
from .._run import look
from ..records import CardinalityKind, ChanceModel, Origin

# ------------------------------------------------------------------------------------------------------------- quantities

# Factors as a numerator and a denominator, so that scaling by powers of ten rounds only once; the longest prefixes first.
_PREFIXES: tuple[tuple[str, tuple[int, int]], ...] = (
    *((letter + "i", (2 ** (10 * power), 1)) for power, letter in enumerate("KMGTPE", 1)),
    ("n", (1, 10**9)), ("u", (1, 10**6)), ("m", (1, 10**3)), ("k", (10**3, 1)), ("K", (10**3, 1)), ("M", (10**6, 1)),
    ("G", (10**9, 1)), ("T", (10**12, 1)), ("P", (10**15, 1)), ("E", (10**18, 1)), ("", (1, 1)),
)  # fmt: skip
# Units before which a prefix may stand. Any other unit, such as "cores", has no prefix.
_BASES = frozenset(("B", "B/s", "Bps", "b", "b/s", "bps", "bit", "bit/s", "Hz", "W"))
_NUMBER = re.compile(r"[ \t]*(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t]*(.*)", re.DOTALL)


def parse_quantity(text: str, unit: str) -> float | None:
    """The value of a text such as "500m" or "250GiB" in a unit; None where it is no quantity."""
    match = _NUMBER.fullmatch(text)
    if match is None or (value := float(match[1])) in (float("inf"), float("-inf")):
        return None
    rest = match[2].rstrip(" \t")
    if rest in ("", unit):
        return value
    factor, base = (1, 1), unit
    for prefix, by in _PREFIXES:
        if unit.startswith(prefix) and unit[len(prefix) :] in _BASES:
            factor, base = by, unit[len(prefix) :]
            break
    for prefix, by in _PREFIXES:
        if rest.startswith(prefix) and rest[len(prefix) :].lstrip(" \t") in ("", base):
            above, below = by[0] * factor[1], by[1] * factor[0]
            if above % below == 0:
                return value * (above // below)
            return value / (below // above) if below % above == 0 else value * above / below
    return None


def parse_share(text: str) -> float | None:
    """A share of one, such as "0.01" or "1%"; None where the text is no share."""
    match = _NUMBER.fullmatch(text)
    if match is None or (sign := match[2].rstrip(" \t")) not in ("", "%"):
        return None
    # Rounded once, so that "99.9%" equals 0.999.
    hundredth = float(match[1]) / 100 if "e" in match[1].lower() else float(match[1] + "e-2")
    share = hundredth if sign else float(match[1])
    return share if 0 <= share <= 1 else None


# ----------------------------------------------------------------------------------------------------- values and paths


class At:
    """A value and its path. A method that asks for a kind of value fails with the path for a value of another kind."""

    def __init__(self, value: Any, name: str | int = "", parent: At | None = None) -> None:
        self.value = value
        self.name = name
        self._parent = parent

    @property
    def path(self) -> str:
        if self._parent is None:
            return str(self.name)
        before = self._parent.path
        if isinstance(self.name, int):
            return f"{before}[{self.name}]"
        return f"{before}.{self.name}" if before else str(self.name)

    def fail(self, message: str) -> StowageError:
        return StowageError(Status.INVALID, message, self.path)

    def members(self, *known: str) -> Iterator[At]:
        """The members of an object. With `known`, a member of any other name fails."""
        if not isinstance(self.value, Mapping):
            raise self.fail("must be an object")
        look()
        for key, value in self.value.items():
            member = At(value, str(key), self)
            _in_utf8(str(key), self)
            if known and key not in known:
                raise member.fail("unknown key")
            yield member

    def only(self, *known: str) -> At:
        for _ in self.members(*known):
            pass
        return self

    def elements(self) -> list[At]:
        if not isinstance(self.value, (list, tuple, np.ndarray)):
            raise self.fail("must be a list")
        look()
        return [At(value, k, self) for k, value in enumerate(self.value)]

    def get(self, key: str) -> At | None:
        return At(self.value[key], key, self) if key in self.value else None

    def need(self, key: str) -> At:
        found = self.get(key)
        if found is None:
            raise self.fail(f'has no "{key}"') if self.path else StowageError(Status.INVALID, "is missing", key)
        return found

    def take(self, key: str, convert: Callable[[At], Any], default: Any = None) -> Any:
        """The converted member of this name, or the default where there is none."""
        found = self.get(key)
        return default if found is None else convert(found)

    def list(self, key: str) -> list[At]:
        found = self.get(key)
        return [] if found is None else found.elements()

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.fail("must be a string")
        return _in_utf8(self.value, self)

    def filled(self) -> str:
        if not self.text():
            raise self.fail("must not be empty")
        return self.text()

    def number(self) -> float:
        if isinstance(self.value, (bool, np.bool_)) or not isinstance(self.value, (int, float, np.number)):
            raise self.fail("must be a number")
        try:
            value = float(self.value)
        except OverflowError:
            raise self.fail("is too large") from None
        if not np.isfinite(value):
            raise self.fail("must be a number")
        return value

    def amount(self) -> float:
        if self.number() < 0:
            raise self.fail("must not be negative")
        return self.number()

    def count(self) -> int:
        value = self.number()
        if not value.is_integer() or not 0 <= value <= NONE:
            raise self.fail(f"must be a whole number from 0 to {NONE}")
        return int(value)

    def integer(self) -> int:
        value = self.number()
        if not value.is_integer() or not -(2**31) <= value < 2**31:
            raise self.fail("must be a whole number of 32 bits")
        return int(value)

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail("must be true or false")
        return self.value

    def word(self, kind: Any) -> Any:
        """The enumerator with this name: "node-sets" for NODE_SETS."""
        words = {name.lower().replace("_", "-"): one for name, one in kind.__members__.items()}
        if self.text() not in words:
            raise self.fail(f"must be one of {', '.join(words)}")
        return words[self.text()]


def _in_utf8(text: str, at: At) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as failure:
        raise at.fail(half_a_character(failure)) from None
    return text


class References:
    """Names and their positions. In a list without names, "#3" is the fourth item."""

    def __init__(self, what: str, names: list[str | None] | list[str], unnamed: bool, size: int) -> None:
        self._what, self._unnamed, self._size = what, unnamed, size
        self._positions: dict[str, int] = {}
        for k, name in enumerate(names):
            if name is not None:
                self._positions.setdefault(name, k)

    def position(self, key: str | int) -> int | None:
        """The position of what is called by its name or by its position; None where there is none."""
        return self._positions.get(key) if isinstance(key, str) else key if 0 <= key < self._size else None

    def resolve(self, at: At, name: str) -> int:
        found = self._positions.get(name)
        if found is not None:
            return found
        position = int(name[1:]) if self._unnamed and re.fullmatch(r"#[0-9]{1,10}", name) else self._size
        if position >= self._size:
            raise at.fail(f'there is no {self._what} "{name}"')
        return position


def names_of(entries: list[At], what: str) -> list[str] | None:
    """The names of all entries, or of none."""
    names: list[str | None] = []
    for at in entries:
        at.only()
        names.append(at.take("name", At.filled))
    if all(name is None for name in names):
        return None
    first: dict[str, int] = {}
    for k, name in enumerate(names):
        if name is None:
            raise entries[k].fail(f"has no name; give one to all {what} or to none")
        if name in first:
            raise StowageError(Status.INVALID, f'"{name}" is already the name of {what}[{first[name]}]', f"{what}[{k}].name")
        first[name] = k
    return [name for name in names if name is not None]


class Rows:
    """Rows of numbers that are filled item by item."""

    def __init__(self) -> None:
        self.begin = [0]
        self.index: list[int] = []

    def end(self) -> None:
        self.begin.append(len(self.index))

    def columns(self, name: str) -> dict[str, Any]:
        """The fields NAME_begin and NAME_index; none where all rows are empty."""
        if not self.index:
            return {}
        return {f"{name}_begin": np.array(self.begin, np.uint32), f"{name}_index": np.array(self.index, np.uint32)}


# ------------------------------------------------------------------------------------------------------------- the reader

_ROOT = ("stowage", "$schema", "name", "resources", "periods", "classes", "apps", "nodes", "groups", "rules", "uncertainty",
         "interference", "traffic")  # fmt: skip
_APP = ("name", "replicas", "demand", "priority", "weight", "tags", "only", "not", "max_per_node", "limits", "variance", "deviation",
        "support", "kind")  # fmt: skip
_NODE = ("name", "class", "load", "load_variance", "load_deviation", "daemon", "closed", "tags", "running", "pinned")
_CONDITION = ("kind", "subject", "target", "min", "max", "group", "negated")
Doubles: TypeAlias = npt.NDArray[np.float64]


def unless(column: npt.NDArray[Any], value: float) -> npt.NDArray[Any] | None:
    """The column, or None where all of its values are this one."""
    return None if bool(np.all(column == value)) else column


class RuleTraits(TypedDict):
    """What a placement rule has besides its name and conditions."""

    hard: bool
    weight: float
    origin: Origin


def rule_parts(at: At) -> tuple[list[list[At]], RuleTraits]:
    """The lists of conditions of a placement rule, of which one has to hold, and its traits."""
    at.only("name", "any_of", "all_of", "hard", "weight", "origin")
    all_of, any_of = at.get("all_of"), at.get("any_of")
    if (all_of is None) == (any_of is None):
        raise at.fail('needs either "all_of" (a list of conditions) or "any_of" (a list of such lists)')
    lists = [all_of] if all_of is not None else at.list("any_of")
    return [each.elements() for each in lists], {
        "hard": at.take("hard", At.flag, True),
        "weight": at.take("weight", At.amount, 1.0),
        "origin": at.take("origin", lambda value: value.word(Origin), Origin.APPLICATION),
    }


class Reader:
    """Reads a description. Tags are numbered in the order in which they are met."""

    def __init__(self, root: At) -> None:
        self.root = root.only(*_ROOT)
        version = root.need("stowage")
        if version.value != 1 or version.value is True:
            raise version.fail("is a version of the format that is not known here")
        self.periods = int(root.take("periods", At.count, 1))
        if self.periods == 0:
            raise root.need("periods").fail("must be at least 1")
        self.resources = [self.resource(at) for at in root.need("resources").members()]
        self.resource_at = {resource.name: r for r, resource in enumerate(self.resources)}
        if "" in self.resource_at:
            raise root.need("resources").fail("a resource needs a name")
        self.tag_at: dict[str, int] = {}
        self.app_entries, self.node_entries = root.need("apps").elements(), root.list("nodes")
        self.app_names, self.node_names = names_of(self.app_entries, "apps"), names_of(self.node_entries, "nodes")
        self.apps = References("app", self.app_names or [], self.app_names is None, len(self.app_entries))
        self.nodes = References("listed node", self.node_names or [], self.node_names is None, len(self.node_entries))
        # A profile is in memory before the library can refuse it.
        if self.periods * max(1, len(self.resources)) * max(1, len(self.app_entries), len(self.node_entries)) > 500_000_000:
            raise StowageError(Status.LIMIT_EXCEEDED, "apps x resources x periods are more than 500,000,000", "periods")

    def read(self) -> records.Instance:
        classes = [self.node_class(at) for at in self.root.need("classes").elements()]
        interference = self.root.take("interference", self.interference)
        apps, limits = self.read_apps(interference)
        nodes, running, pinned = self.read_nodes(classes) if self.node_entries else (None, None, None)
        groups = [self.group(at) for at in self.root.list("groups")]
        rules = [self.rule(at, groups) for at in self.root.list("rules")]
        # After all other tags, whose numbers do not depend on these.
        for name in ("only", "not"):
            rows = Rows()
            for at in self.app_entries:
                self.tags(at.get(name), rows.index)
                rows.end()
            for field, column in rows.columns(name).items():
                setattr(apps, field, column)
        return records.Instance(
            name=self.root.take("name", At.text), resources=self.resources, periods=self.periods, apps=apps, classes=classes,
            nodes=nodes, limits=limits, running=running, pinned=pinned, tags=list(self.tag_at) or None, groups=groups, rules=rules,
            uncertainty=self.root.take("uncertainty", self.uncertainty), interference=interference,
            traffic=self.traffic(),
        )  # fmt: skip

    @staticmethod
    def resource(at: At) -> records.Resource:
        if not isinstance(at.value, Mapping):
            return records.Resource(name=str(at.name), unit=at.text())
        at.only("unit", "device")
        return records.Resource(name=str(at.name), unit=at.take("unit", At.text), device=at.take("device", At.number, 0.0))

    def per_resource(self, at: At | None) -> Iterator[tuple[int, At]]:
        for value in at.members() if at is not None else ():
            if value.name not in self.resource_at:
                raise value.fail("there is no resource of that name")
            yield self.resource_at[str(value.name)], value

    def quantity(self, at: At, resource: int) -> float:
        if not isinstance(at.value, str):
            return at.amount()
        value = parse_quantity(at.value, self.resources[resource].unit or "")
        if value is None:
            raise at.fail(f'"{at.value}" is not a quantity')
        if value < 0:
            raise at.fail("must not be negative")
        return value

    def profile(self, at: At | None, row: Doubles) -> None:
        """Writes per resource one quantity for all periods, or a list with one per period. Shape of row: resources x periods."""
        for resource, value in self.per_resource(at):
            if not isinstance(value.value, (list, tuple, np.ndarray)):
                row[resource] = self.quantity(value, resource)
                continue
            if len(value.value) != self.periods:
                raise value.fail(f'has {len(value.value)} values, but "periods" is {self.periods}')
            row[resource] = [self.quantity(one, resource) for one in value.elements()]

    def profiles(self, items: int) -> Doubles:
        return np.zeros((items, len(self.resources), self.periods))

    def folded(self, column: Doubles) -> Doubles:
        """The column without its periods where it is the same in all of them."""
        return column[..., 0] if self.periods == 1 or bool(np.all(column == column[..., :1])) else column

    def tags(self, at: At | None, index: list[int]) -> None:
        if at is not None:
            for tag in [at] if isinstance(at.value, str) else at.elements():
                index.append(self.tag_at.setdefault(tag.text(), len(self.tag_at)))

    def variance(self, at: At, prefix: str, row: Doubles) -> None:
        """Writes variances in squared units, and standard deviations that are quantities."""
        given = set()
        for resource, value in self.per_resource(at.get(f"{prefix}variance")):
            row[resource] = value.amount()
            given.add(resource)
        for resource, value in self.per_resource(at.get(f"{prefix}deviation")):
            if resource in given:
                raise value.fail(f'is given twice: here and as "{prefix}variance"')
            row[resource] = self.quantity(value, resource) ** 2

    def node_class(self, at: At) -> records.NodeClass:
        at.only("name", "capacity", "count", "price", "labels", "daemon")
        capacity = np.full(len(self.resources), -1.0)
        for resource, value in self.per_resource(at.need("capacity")):
            capacity[resource] = self.quantity(value, resource)
        for missing in np.flatnonzero(capacity < 0):
            raise at.need("capacity").fail(f'has no "{self.resources[missing].name}"')
        daemon = self.profiles(1)
        self.profile(at.get("daemon"), daemon[0])

        def label(one: At) -> str:
            if one.value is not True and not isinstance(one.value, str):
                raise one.fail("must be a string, or true for a label without a value")
            return str(one.name) if one.value is True else f"{one.name}={one.value}"

        def labels(value: At) -> list[str]:
            if isinstance(value.value, list):
                return [one.text() for one in value.elements()]
            return [label(one) for one in value.members()]

        return records.NodeClass(
            name=at.take("name", At.filled), capacity=capacity, count=at.take("count", At.count, 0),
            price=at.take("price", At.amount, -1.0), labels=at.take("labels", labels), daemon=unless(self.folded(daemon), 0.0),
        )  # fmt: skip

    def interference(self, at: At) -> records.Interference:
        rows = at.only("kinds", "coefficient", "resource", "max_cost").need("coefficient").elements()
        coefficient = np.zeros((len(rows), len(rows)))
        for k, row in enumerate(rows):
            values = row.elements()
            if len(values) != len(rows):
                raise row.fail("must be as long as there are rows")
            coefficient[k] = [value.amount() for value in values]
        kinds = at.take("kinds", lambda value: [kind.text() for kind in value.elements()])
        resource = at.take("resource", lambda value: self.resource_at.get(value.text()), 0)
        if resource is None:
            raise at.need("resource").fail(f'there is no resource "{at.need("resource").text()}"')
        most = None
        if (limits := at.get("max_cost")) is not None:
            most = np.full(len(rows), np.inf)
            for limit in limits.members():
                name = str(limit.name)
                position = kinds.index(name) if name in (kinds or []) else int(name) if re.fullmatch("[0-9]{1,9}", name) else len(rows)
                if position >= len(rows):
                    raise limit.fail(f'there is no kind "{name}"')
                most[position] = limit.amount()
        return records.Interference(kinds=kinds, coefficient=coefficient, resource=resource, max_cost=most)

    def traffic(self) -> npt.NDArray[Any] | None:
        pairs: list[tuple[int, int, float]] = []
        for at in self.root.list("traffic"):
            at.only("app", "peer", "amount")
            app, peer = (self.apps.resolve(at.need(key), at.need(key).text()) for key in ("app", "peer"))
            if app == peer:
                raise at.need("peer").fail("is the app itself")
            pairs.append((app, peer, at.need("amount").amount()))
        return np.array(pairs, records.TRAFFIC) if pairs else None

    def read_apps(self, interference: records.Interference | None) -> tuple[records.Apps, records.AffinityLimits | None]:
        count, resources = len(self.app_entries), len(self.resources)
        replicas, priority, weight = np.ones(count, np.uint32), np.zeros(count, np.int32), np.ones(count)
        demand, variance = self.profiles(count), np.zeros((count, resources))
        smallest, largest = np.full((count, resources), -1.0), np.zeros((count, resources))
        tags, limits, at_most, kinds = Rows(), Rows(), list[int](), list[int]()
        named = interference.kinds if interference is not None else None
        references = None if named is None else References("kind", named, not named, len(named))
        for app, at in enumerate(self.app_entries):
            at.only(*_APP)
            replicas[app] = at.take("replicas", At.count, 1)
            self.profile(at.need("demand"), demand[app])
            priority[app] = at.take("priority", At.integer, 0)
            weight[app] = at.take("weight", At.number, 1.0)
            self.tags(at.get("tags"), tags.index)
            tags.end()
            self.limits(at, app, limits, at_most)
            self.variance(at, "", variance[app])
            for resource, value in self.per_resource(at.get("support")):
                ends = value.elements()
                if len(ends) != 2:
                    raise value.fail("must be [smallest, largest]")
                smallest[app, resource], largest[app, resource] = (self.quantity(end, resource) for end in ends)
            if (kind := at.get("kind")) is not None:
                kinds.append(self.kind(kind, references))
            if len(kinds) not in (0, app + 1):
                raise self.app_entries[app if kind is None else len(kinds) - 1].fail('has no "kind"; give one to all apps or to none')
        if has_support := any("support" in at.value for at in self.app_entries):
            # The support of an app without a given one is the range of its demand over the periods.
            missing = smallest < 0
            smallest[missing], largest[missing] = demand.min(axis=2)[missing], demand.max(axis=2)[missing]
        apps = records.Apps(
            names=self.app_names, replicas=replicas, demand=self.folded(demand), priority=unless(priority, 0),
            variance=unless(variance, 0.0), support_min=smallest if has_support else None, support_max=largest if has_support else None,
            kind=np.array(kinds, np.uint32) if kinds else None, weight=unless(weight, 1.0), **tags.columns("tag"),
        )  # fmt: skip
        if not limits.index:
            return apps, None
        begin, app_column, most = (np.array(column, np.uint32) for column in (limits.begin, limits.index, at_most))
        return apps, records.AffinityLimits(row_begin=begin, app=app_column, at_most=most)

    def limits(self, at: At, app: int, limits: Rows, at_most: list[int]) -> None:
        own = at.get("max_per_node")
        if own is not None:
            limits.index.append(app)
            at_most.append(own.count())
        given = at.get("limits")
        others = [(self.apps.resolve(limit, str(limit.name)), limit) for limit in given.members()] if given is not None else []
        # An app's own limit comes first in its row, also if the description lists it among the other limits.
        for other, limit in sorted(others, key=lambda one: one[0] != app):
            if other == app and own is not None:
                raise limit.fail('is given twice: here and as "max_per_node"')
            limits.index.append(other)
            at_most.append(limit.count())
        limits.end()

    def kind(self, at: At, references: References | None) -> int:
        if not isinstance(at.value, str):
            return at.count()
        if references is None:
            raise at.fail('needs "interference" with "kinds" that names it')
        return references.resolve(at, at.value)

    def read_nodes(
        self, classes: list[records.NodeClass]
    ) -> tuple[records.Nodes, npt.NDArray[np.void] | None, npt.NDArray[np.void] | None]:
        count, resources = len(self.node_entries), len(self.resources)
        references = References("class", [one.name for one in classes], True, len(classes))
        node_class, closed = np.zeros(count, np.uint32), np.zeros(count, np.uint8)
        load, variance, daemon = self.profiles(count), np.zeros((count, resources)), self.profiles(count)
        own_daemons, tags = False, Rows()
        residences: dict[str, list[tuple[int, int, int]]] = {"running": [], "pinned": []}
        for node, at in enumerate(self.node_entries):
            at.only(*_NODE)
            if "class" not in at.value and len(classes) != 1:
                raise at.fail('has no "class"')
            node_class[node] = at.take("class", lambda value: references.resolve(value, value.text()), 0)
            self.profile(at.get("load"), load[node])
            self.variance(at, "load_", variance[node])
            of_class = classes[node_class[node]].daemon
            expected = np.zeros((resources, 1)) if of_class is None else of_class.reshape(resources, -1)
            if (own := at.get("daemon")) is None:
                daemon[node] = expected
            else:
                self.profile(own, daemon[node])
                own_daemons = own_daemons or not bool(np.all(daemon[node] == expected))
            closed[node] = at.take("closed", At.flag, False)
            self.tags(at.get("tags"), tags.index)
            tags.end()
            for name, entries in residences.items():
                if (given := at.get(name)) is not None:
                    entries += [(self.apps.resolve(one, str(one.name)), node, one.count()) for one in given.members()]
        nodes = records.Nodes(
            node_class=node_class, names=self.node_names, load=unless(self.folded(load), 0.0), load_variance=unless(variance, 0.0),
            closed=unless(closed, 0), daemon=self.folded(daemon) if own_daemons else None, **tags.columns("tag"),
        )  # fmt: skip
        running, pinned = (np.array(entries, records.RESIDENCE) if entries else None for entries in residences.values())
        return nodes, running, pinned

    def group(self, at: At) -> records.NodeGroup:
        name = at.only("name", "sets", "by_label").need("name")
        if name.filled() == "node":
            raise name.fail('"node" is the predefined group of single nodes; choose another name')
        found = records.NodeGroup(name=name.text(), by_label=at.take("by_label", At.text))
        sets = at.get("sets")
        if sets is not None:
            listed = sets.elements() if isinstance(sets.value, list) else list(sets.members())
            rows = Rows()
            for one in listed:
                rows.index += [self.nodes.resolve(node, node.text()) for node in one.elements()]
                rows.end()
            found.set_begin, found.node = np.array(rows.begin, np.uint32), np.array(rows.index, np.uint32)
            found.set_names = None if isinstance(sets.value, list) else [str(one.name) for one in listed]
        return found

    def rule(self, at: At, groups: list[records.NodeGroup]) -> records.PlacementRule:
        lists, traits = rule_parts(at)
        any_of = [records.Conjunction(all_of=[self.condition(one, groups) for one in each]) for each in lists]
        return records.PlacementRule(name=at.take("name", At.text), any_of=any_of, **traits)

    def condition(self, at: At, groups: list[records.NodeGroup]) -> records.Cardinality:
        at.only(*_CONDITION)
        subject, target = list[int](), list[int]()
        self.tags(at.need("subject"), subject)
        self.tags(at.get("target"), target)
        group, named = NONE, at.get("group")
        if named is not None and named.text() != "node":
            found = [k for k, one in enumerate(groups) if one.name == named.text()]
            if not found and named.text() == "rack":
                # The group "rack" is predefined too unless it is declared: nodes with the same value of the label "rack".
                groups.append(records.NodeGroup(name="rack", by_label="rack"))
                found = [len(groups) - 1]
            if not found:
                raise named.fail(f'there is no group "{named.text()}"')
            group = found[-1]
        return records.Cardinality(
            kind=at.take("kind", lambda value: value.word(CardinalityKind), CardinalityKind.REPLICAS),
            subject=np.array(subject, np.uint32), target=np.array(target, np.uint32) if target else None,
            min=at.take("min", At.count, 0), max=at.take("max", At.count, NONE), group=group,
            negated=at.take("negated", At.flag, False),
        )  # fmt: skip

    def uncertainty(self, at: At) -> records.Uncertainty:
        at.only("model", "confidence", "factor")

        def probability(value: At) -> float:
            if not isinstance(value.value, str):
                return value.number()
            share = parse_share(value.value)
            if share is None:
                raise value.fail(f'"{value.value}" is not a share (try "99.9%" or 0.999)')
            return share

        return records.Uncertainty(
            model=at.take("model", lambda value: value.word(ChanceModel), ChanceModel.GAUSSIAN),
            confidence=at.take("confidence", probability, 0.99), factor=at.take("factor", At.number, 0.0),
        )  # fmt: skip


def columns_of(description: Mapping[str, Any]) -> records.Instance:
    """The columns of a description. Raises StowageError with the path of the first wrong value."""
    return Reader(At(description)).read()
