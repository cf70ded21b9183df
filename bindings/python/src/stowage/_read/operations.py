"""Operations on a session as people write them (docs/sessions.md): objects with names and quantities, converted to records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import records
from .._library import NONE
from ..records import CardinalityKind, OperationKind
from .description import At, Doubles, Reader, rule_parts

_SUBMIT = ("op", "app", "replicas", "demand", "priority", "weight", "tags", "only", "not", "max_per_node", "limits", "variance",
           "deviation", "support", "kind")  # fmt: skip
_PLAIN = {
    OperationKind.SCALE: ("op", "app", "replicas"),
    OperationKind.REMOVE: ("op", "app"),
    OperationKind.PIN: ("op", "app", "node", "replicas"),
    OperationKind.REMOVE_NODE: ("op", "node"),
    OperationKind.CORDON: ("op", "node"),
    OperationKind.UNCORDON: ("op", "node"),
    OperationKind.DRAIN: ("op", "node"),
    OperationKind.FAIL: ("op", "node"),
    OperationKind.TRAFFIC: ("op", "app", "peer", "amount"),
}


class OperationReader:
    """Reads operations on a session with these resources, periods and kinds of interference, which it never changes."""

    def __init__(self, instance: records.Instance) -> None:
        resources = {one.name: one.unit or "" for one in instance.resources}
        self._amounts = Reader(At({"stowage": 1, "resources": resources, "periods": instance.periods, "apps": []}))
        self._kinds = list(instance.interference.kinds or []) if instance.interference is not None else []

    def text(self, value: Any) -> list[records.Operation]:
        """The operations of a text: of a list of them, of a batch, or one."""
        at = At(value)
        if isinstance(value, list):
            return [self.operation(one) for one in at.elements()]
        if next((one.value for one in at.members() if one.name == "op"), None) == "batch":
            return [self.operation(one) for one in at.only("op", "operations").need("operations").elements()]
        return [self.operation(at)]

    def entry(self, value: Any, index: int) -> records.Operation:
        """An operation of several."""
        return self.operation(At(value, index, At(None, "operations")))

    def operation(self, at: At) -> records.Operation:
        word = at.only().need("op")
        kinds = {kind.name.lower().replace("_", "-"): kind for kind in OperationKind}
        kind = kinds.get(word.text())
        if kind is None:
            raise word.fail(f'there is no operation "{word.value}"')
        if kind is OperationKind.SUBMIT:
            return self._submit(at.only(*_SUBMIT))
        if kind in (OperationKind.ADD_NODE, OperationKind.LOAD):
            return self._node(at, kind)
        if kind is OperationKind.ADD_RULE:
            return records.Operation(kind=kind, rule=self._rule(at.only("op", "rule").need("rule")))
        if kind is OperationKind.REMOVE_RULE:
            return records.Operation(kind=kind, rule=records.NamedRule(name=at.only("op", "rule").need("rule").text()))
        known = _PLAIN[kind]
        convert: dict[str, Callable[[At], Any]] = {"replicas": At.count, "amount": At.amount}
        fields: dict[str, Any] = {key: convert.get(key, At.text)(at.only(*known).need(key)) for key in known[1:]}
        return records.Operation(kind=kind, **fields)

    def _submit(self, at: At) -> records.Operation:
        name = at.need("app").text()
        demand = self._profile(at.need("demand"))
        own, others = at.get("max_per_node"), at.get("limits")
        limits = [(name, own.count())] if own is not None else []
        limits += [(str(one.name), one.count()) for one in others.members()] if others is not None else []
        smallest, largest = self._support(at.get("support"), demand)
        return records.Operation(
            kind=OperationKind.SUBMIT, app=name, replicas=at.take("replicas", At.count, 1), demand=demand,
            priority=at.take("priority", At.integer, 0), weight=at.take("weight", At.number, 1.0),
            variance=self._variance(at, ""), support_min=smallest, support_max=largest, app_kind=at.take("kind", self._kind, NONE),
            tags=_tags(at, "tags"), only=_tags(at, "only"), not_=_tags(at, "not"),
            limit_app=[app for app, _ in limits] or None,
            limit_at_most=np.array([most for _, most in limits], np.uint32) if limits else None,
        )  # fmt: skip

    def _node(self, at: At, kind: OperationKind) -> records.Operation:
        joins = ("class", "daemon", "tags", "sets") if kind is OperationKind.ADD_NODE else ()
        at.only("op", "node", "load", "load_variance", "load_deviation", *joins)
        joined = at.get("sets")
        sets = [
            (str(group.name), one.text())
            for group in (joined.members() if joined is not None else ())
            for one in (group.elements() if isinstance(group.value, (list, tuple)) else [group])
        ]
        return records.Operation(
            kind=kind, node=at.need("node").text(), node_class=at.take("class", At.text), load=at.take("load", self._profile),
            load_variance=self._variance(at, "load_"), daemon=at.take("daemon", self._profile), tags=_tags(at, "tags"),
            groups=[group for group, _ in sets] or None, sets=[one for _, one in sets] or None,
        )  # fmt: skip

    def _profile(self, at: At) -> Doubles:
        """One amount per resource where none changes over the periods, else one per resource and period."""
        row = self._amounts.profiles(1)[0]
        self._amounts.profile(at, row)
        return self._amounts.folded(row).ravel()

    def _variance(self, at: At, prefix: str) -> Doubles | None:
        variance, deviation = at.get(f"{prefix}variance"), at.get(f"{prefix}deviation")
        if variance is None and deviation is None:
            return None
        if variance is not None and deviation is not None:
            raise deviation.fail(f'is given twice: here and as "{prefix}variance"')
        row = np.zeros(len(self._amounts.resources))
        self._amounts.variance(at, prefix, row)
        return row

    def _support(self, at: At | None, demand: Doubles) -> tuple[Doubles | None, Doubles | None]:
        """A resource without a support gets the range of the demand over the periods."""
        if at is None:
            return None, None
        by_resource = demand.reshape(len(self._amounts.resources), -1)
        smallest, largest = by_resource.min(axis=1), by_resource.max(axis=1)
        for resource, value in self._amounts.per_resource(at):
            ends = value.elements()
            if len(ends) != 2:
                raise value.fail("must be [smallest, largest]")
            smallest[resource], largest[resource] = (self._amounts.quantity(end, resource) for end in ends)
        return smallest, largest

    def _kind(self, at: At) -> int:
        if not isinstance(at.value, str):
            return at.count()
        if at.value not in self._kinds:
            raise at.fail(f'there is no kind "{at.value}"')
        return self._kinds.index(at.value)

    @staticmethod
    def _rule(at: At) -> records.NamedRule:
        lists, traits = rule_parts(at)
        any_of = [records.NamedConjunction(all_of=[_condition(one) for one in each]) for each in lists]
        return records.NamedRule(name=at.need("name").text(), any_of=any_of, **traits)


def _condition(at: At) -> records.NamedCardinality:
    at.only("kind", "subject", "target", "min", "max", "group", "negated").need("subject")
    return records.NamedCardinality(
        kind=at.take("kind", lambda value: value.word(CardinalityKind), CardinalityKind.REPLICAS),
        subject=_tags(at, "subject") or [], target=_tags(at, "target"), min=at.take("min", At.count, 0),
        max=at.take("max", At.count, NONE), group=at.take("group", At.text), negated=at.take("negated", At.flag, False),
    )  # fmt: skip


def _tags(at: At, key: str) -> list[str] | None:
    found = at.get(key)
    if found is None:
        return None
    return [found.text()] if isinstance(found.value, str) else [one.text() for one in found.elements()] or None
