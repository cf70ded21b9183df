"""Explanations as text."""

from __future__ import annotations

from .. import records
from .._library import NONE
from ..records import DriverKind, ObstacleKind, RelaxationKind


class Names:
    """What people call the parts of an instance; their numbers where there are no names, or no columns to look into."""

    def __init__(self, columns: records.Instance | None) -> None:
        self._columns = columns

    def _of(self, names: list[str] | list[str | None] | None, index: int, what: str) -> str:
        return (names[index] if names and index < len(names) else None) or f"{what} {index}"

    def app(self, index: int) -> str:
        return self._of(self._columns.apps.names if self._columns else None, index, "app")

    def resource(self, index: int) -> str:
        return self._of([one.name for one in self._columns.resources] if self._columns else None, index, "resource")

    def node_class(self, index: int) -> str:
        return self._of([one.name for one in self._columns.classes] if self._columns else None, index, "class")

    def rule(self, index: int) -> str:
        return self._of([one.name for one in self._columns.rules] if self._columns else None, index, "rule")

    def tag(self, index: int) -> str:
        return self._of(self._columns.tags if self._columns else None, index, "tag")

    def kind(self, index: int) -> str:
        table = self._columns.interference if self._columns else None
        return self._of(table.kinds if table else None, index, "kind")

    def device(self, resource: int) -> float:
        """Units of a resource per device; 0: it has no devices, or there are no columns."""
        resources = self._columns.resources if self._columns else []
        return resources[resource].device if resource < len(resources) else 0

    def amount(self, value: float, resource: int) -> str:
        resources = self._columns.resources if self._columns else []
        unit = resources[resource].unit if resource < len(resources) else None
        return f"{value:.4g} {unit}" if unit else f"{value:.4g}"

    def place(self, resource: int, period: int) -> str:
        periods = self._columns.periods if self._columns else 2
        return self.resource(resource) + (f" in period {period}" if periods > 1 and period != NONE else "")


def driver_text(one: records.Driver, names: Names) -> str:
    """A reason for the number of nodes as a sentence."""
    nodes = f"{one.nodes:.4g} nodes"
    match one.kind:
        case DriverKind.CAPACITY:
            return f"the demand for {names.place(one.resource, one.period)} needs {nodes} by capacity alone"
        case DriverKind.LARGE_ITEMS:
            return f"replicas that demand more than half a node's {names.place(one.resource, one.period)} need {nodes}"
        case DriverKind.WITHOUT_LIMITS:
            return f"without affinity limits, the same planner needs {nodes}"
        case DriverKind.WITHOUT_RESOURCE:
            return f"without {names.resource(one.resource)}, the same planner needs {nodes}"
        case DriverKind.WITHOUT_PERIODS:
            return f"with constant demand at its mean, the same planner needs {nodes}"
        case DriverKind.SELF_LIMIT:
            return f"the replicas of {names.app(one.app)} need {nodes} by themselves: more do not fit together on a node"
        case DriverKind.WITHOUT_UNCERTAINTY:
            return f"with certain demand at its mean, the same planner needs {nodes}"
        case DriverKind.WITHOUT_COST_LIMITS:
            return f"without limits on side effects, the same planner needs {nodes}"
        case DriverKind.WITHOUT_PROMISES:
            return f"without room for losses and more replicas, {nodes} of these suffice"


def obstacle_text(one: records.Obstacle, names: Names, app: str) -> str:
    """What keeps a replica off a node."""
    match one.kind:
        case ObstacleKind.CAPACITY:
            return f"lacks {names.amount(one.amount, one.resource)} of {names.place(one.resource, one.period)}"
        case ObstacleKind.CAPACITY_AT_CONFIDENCE:
            lacking = names.amount(one.amount, one.resource)
            return f"lacks {lacking} of {names.place(one.resource, one.period)} at the instance's confidence"
        case ObstacleKind.AFFINITY_LIMIT:
            return f"{names.app(one.other)} there allows {one.limit:g} of {app} beside it"
        case ObstacleKind.IMPOSED_LIMIT:
            return f"{app} allows {one.limit:g} of {names.app(one.other)} beside it; there are {one.amount:g}"
        case ObstacleKind.SELF_LIMIT:
            return f"at most {one.limit:g} of {app} per node"
        case ObstacleKind.CLOSED_NODE:
            return "accepts no new replicas"
        case ObstacleKind.PLACEMENT_RULE:
            return f"the rule {names.rule(one.other)} allows {one.limit:g} more there"
        case ObstacleKind.ELIGIBILITY:
            return f"{'lacks' if one.limit > 0 else 'carries'} the tag {names.tag(one.other)}"
        case ObstacleKind.SIDE_EFFECTS:
            return f"side effects would cost {names.kind(one.other)} {one.amount:.4g}; at most {one.limit:.4g} is allowed"
        case ObstacleKind.DEVICES:
            resource, device = names.resource(one.resource), names.device(one.resource)
            lacks = f"no single {resource} has {names.amount(one.amount, one.resource)}"
            if 0 < device <= one.amount:
                lacks = f"fewer than {one.amount / device:g} of {resource} are whole and"
            return f"{lacks} free; {names.amount(one.limit, one.resource)} are free in all"


def relaxation_text(one: records.Relaxation, names: Names) -> str:
    """A change of the instance that makes room for one more replica."""
    node = f"node {one.node}"
    match one.kind:
        case RelaxationKind.NONE:
            return "no change of this model helps"
        case RelaxationKind.ADD_NODE:
            return f"add a node of class {names.node_class(one.node_class)}"
        case RelaxationKind.ADD_CAPACITY:
            where = f"each node of class {names.node_class(one.node_class)}" if one.node == NONE else node
            return f"add {names.amount(one.amount, one.resource)} of {names.resource(one.resource)} to {where}"
        case RelaxationKind.RAISE_LIMIT:
            return f"let {names.app(one.beside)} allow {one.amount:g} of {names.app(one.app)} beside it ({node})"
        case RelaxationKind.OPEN_NODE:
            return f"open {node}"
        case RelaxationKind.RAISE_MAXIMUM:
            return f"raise the maximum in condition {one.condition} of the rule {names.rule(one.rule)} to {one.amount:g} ({node})"
        case RelaxationKind.LOWER_MINIMUM:
            return f"lower the minimum in condition {one.condition} of the rule {names.rule(one.rule)} to {one.amount:g} ({node})"
        case RelaxationKind.SOFTEN_RULE:
            return f"make the rule {names.rule(one.rule)} soft ({node})"
        case RelaxationKind.ADMIT_TAG:
            return f"take the tag {names.tag(one.tag)} out of what {names.app(one.app)} asks for or refuses ({node})"
        case RelaxationKind.RAISE_MAX_COST:
            return f"let side effects cost {names.kind(one.suffering_kind)} up to {one.amount:.4g} ({node})"


def suffering_text(one: records.Suffering, names: Names) -> str:
    """Who suffers most from side effects, and what would help."""
    text = f"{names.app(one.app)} on node {one.node} suffers most: {one.cost:.4g}"
    if one.moving == NONE:
        return text
    return f"{text}; with one replica of {names.app(one.moving)} moved to node {one.to} it is {one.cost_after:.4g}"


def app_lines(one: records.AppExplanation, names: Names) -> list[str]:
    """Why replicas of an app are unplaced."""
    app = names.app(one.app)
    lines = [f"{app}: {one.unplaced} unplaced; {one.open_nodes} nodes take one more"]
    refused = (("capacity", one.blocked_by_capacity), ("limits or rules", one.blocked_by_limits), ("both", one.blocked_by_both))
    lines += [f"  {count} nodes refuse it for {why}" for why, count in refused if count]
    for close in one.closest:
        node = f"a new node of class {names.node_class(close.node_class)}" if close.node == NONE else f"node {close.node}"
        lines.append(f"  {node}: {', '.join(obstacle_text(each, names, app) for each in close.obstacles) or 'takes it'}")
    return lines + [f"  it would help: {relaxation_text(each, names)}" for each in one.relaxations]


def text_of(found: records.Explanation, names: Names) -> str:
    """The whole explanation."""
    lines = [f"{found.nodes} nodes in use; no complete plan uses fewer than {found.node_bound:.4g}"]
    if found.drivers:
        lines += ["What drives the number of nodes", *(f"  {driver_text(one, names)}" for one in found.drivers)]
    if found.suffering is not None:
        lines += ["Side effects", f"  {suffering_text(found.suffering, names)}"]
    for use in found.resources:
        share = use.demand / use.capacity if use.capacity > 0 else 0.0
        lines.append(
            f"{names.place(use.resource, use.peak_period)}: {names.amount(use.demand, use.resource)} of "
            f"{names.amount(use.capacity, use.resource)} used ({share:.1%}), {names.amount(use.stranded, use.resource)} stranded"
        )
    if found.overridden is not None and found.overridden_by is not None:
        for rule, other in zip(found.overridden.tolist(), found.overridden_by.tolist(), strict=False):
            lines.append(f"the rule {names.rule(rule)} gives way to the operator's rule {names.rule(other)}")
    for app in found.apps:
        lines += app_lines(app, names)
    return "\n".join(lines if found.apps else [*lines, "Everything is placed"])


class Explanation:
    """What determines a plan's number of nodes, and why replicas are unplaced: `report` as objects, str() as text."""

    def __init__(self, report: records.Explanation, columns: records.Instance | None) -> None:
        self.report = report
        self._names = Names(columns)

    def __str__(self) -> str:
        return text_of(self.report, self._names)

    def __repr__(self) -> str:
        return f"<stowage.Explanation: {self.report.nodes} nodes, {len(self.report.drivers)} drivers, {len(self.report.apps)} apps>"

    def _repr_html_(self) -> str:
        from .html import escaped

        return f"<pre>{escaped(str(self))}</pre>"
