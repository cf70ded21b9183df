# Made by scripts/generate-bindings.py from the schemas. Do not edit.
"""The tables of the schemas (capi/schema) as records. Columns are NumPy arrays; those that were read are views."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from ._wire import Column, Field, Record, Scalar, Table, Tables, Text, Texts, Union

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt

    RESIDENCE: np.dtype[np.void]
    TRAFFIC: np.dtype[np.void]
    KEPT: np.dtype[np.void]
    PLACED: np.dtype[np.void]
    UNPLACED: np.dtype[np.void]
    LEFT_OVER: np.dtype[np.void]
    MOVE: np.dtype[np.void]


class Resource(Record):
    """A named dimension. All values of a resource are in its unit; only people read the unit's name."""

    name: str
    unit: str | None
    #: The amount of one device, such as one GPU, in the resource's unit; 0: the resource is divisible at will. A replica takes a
    #: part of one device, or whole ones: its demand is at most this, or a whole multiple of it. Every capacity is a whole multiple.
    device: float

    def __init__(
        self,
        *,
        name: str,
        unit: str | None = None,
        device: float = 0.0,
    ) -> None:
        self.name = name
        self.unit = unit
        self.device = device


Resource.FIELDS = (
    Field("name", 4, Text()),
    Field("unit", 6, Text()),
    Field("device", 8, Scalar("d", 0.0, float)),
)


class Apps(Record):
    """The applications with identical replicas, one column per property. The number of apps is the length of `replicas`."""

    #: Unique names. Length: apps; where absent, apps are known by their index alone.
    names: list[str] | None
    #: Replicas wanted in total, running ones included. Length: apps.
    replicas: npt.NDArray[np.uint32]
    #: Demand of one replica in the resource's unit; the mean where `variance` is given. Length: apps x resources (the same in
    #: every period) or apps x resources x periods, row-major in that order.
    demand: npt.NDArray[np.float64]
    #: Where not all replicas fit, apps of higher priority are placed first. May be negative. Length: apps; absent = all 0.
    priority: npt.NDArray[np.int32] | None
    #: Variance of one replica's demand in every period, in the square of the resource's unit. Replicas vary independently.
    #: Length: apps x resources; 0 = known exactly.
    variance: npt.NDArray[np.float64] | None
    #: Smallest and largest possible demand of one replica, for ChanceModel.BoundedSupport. Length: apps x resources.
    support_min: npt.NDArray[np.float64] | None
    support_max: npt.NDArray[np.float64] | None
    #: Kind of each app in the side-effects model, an index into `Interference.kinds`. Length: apps.
    kind: npt.NDArray[np.uint32] | None
    #: Tags carried by every replica of an app: app i carries tag_index[tag_begin[i] .. tag_begin[i + 1]), indices into
    #: `Instance.tags`. Length of tag_begin: apps + 1.
    tag_begin: npt.NDArray[np.uint32] | None
    tag_index: npt.NDArray[np.uint32] | None
    #: What one replica counts where not all of the same priority fit: the sum over those left over is made small. Above 0.
    #: Length: apps; absent = all 1.
    weight: npt.NDArray[np.float64] | None
    #: Eligibility: every node of app i carries all tags only_index[only_begin[i] .. only_begin[i + 1]) and none of
    #: not_index[not_begin[i] .. not_begin[i + 1]), as labels of its class or tags of its own; indices into `Instance.tags`.
    #: Layout as tag_begin and tag_index.
    only_begin: npt.NDArray[np.uint32] | None
    only_index: npt.NDArray[np.uint32] | None
    not_begin: npt.NDArray[np.uint32] | None
    not_index: npt.NDArray[np.uint32] | None

    def __init__(
        self,
        *,
        names: list[str] | None = None,
        replicas: npt.NDArray[np.uint32],
        demand: npt.NDArray[np.float64],
        priority: npt.NDArray[np.int32] | None = None,
        variance: npt.NDArray[np.float64] | None = None,
        support_min: npt.NDArray[np.float64] | None = None,
        support_max: npt.NDArray[np.float64] | None = None,
        kind: npt.NDArray[np.uint32] | None = None,
        tag_begin: npt.NDArray[np.uint32] | None = None,
        tag_index: npt.NDArray[np.uint32] | None = None,
        weight: npt.NDArray[np.float64] | None = None,
        only_begin: npt.NDArray[np.uint32] | None = None,
        only_index: npt.NDArray[np.uint32] | None = None,
        not_begin: npt.NDArray[np.uint32] | None = None,
        not_index: npt.NDArray[np.uint32] | None = None,
    ) -> None:
        self.names = names
        self.replicas = replicas
        self.demand = demand
        self.priority = priority
        self.variance = variance
        self.support_min = support_min
        self.support_max = support_max
        self.kind = kind
        self.tag_begin = tag_begin
        self.tag_index = tag_index
        self.weight = weight
        self.only_begin = only_begin
        self.only_index = only_index
        self.not_begin = not_begin
        self.not_index = not_index


Apps.FIELDS = (
    Field("names", 4, Texts()),
    Field("replicas", 6, Column("uint32")),
    Field("demand", 8, Column("float64")),
    Field("priority", 10, Column("int32")),
    Field("variance", 12, Column("float64")),
    Field("support_min", 14, Column("float64")),
    Field("support_max", 16, Column("float64")),
    Field("kind", 18, Column("uint32")),
    Field("tag_begin", 20, Column("uint32")),
    Field("tag_index", 22, Column("uint32")),
    Field("weight", 24, Column("float64")),
    Field("only_begin", 26, Column("uint32")),
    Field("only_index", 28, Column("uint32")),
    Field("not_begin", 30, Column("uint32")),
    Field("not_index", 32, Column("uint32")),
)


class NodeClass(Record):
    """Nodes that share capacity, price and labels."""

    name: str | None
    #: Capacity per resource. Length: resources.
    capacity: npt.NDArray[np.float64]
    #: Number of nodes of this class, listed ones included; 0 = as many as needed.
    count: int
    #: Cost of one node in use, in any currency; negative = not given. Either all classes have a price or none has.
    price: float
    #: Static labels as "key=value" (or a bare word). A label is also a static tag of every node of the class.
    labels: list[str] | None
    #: Load that goes with each node of the class, in the resource's unit: it takes capacity and does not keep the node in use.
    #: At most the capacity. Length: resources, or resources x periods.
    daemon: npt.NDArray[np.float64] | None

    def __init__(
        self,
        *,
        name: str | None = None,
        capacity: npt.NDArray[np.float64],
        count: int = 0,
        price: float = -1.0,
        labels: list[str] | None = None,
        daemon: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.name = name
        self.capacity = capacity
        self.count = count
        self.price = price
        self.labels = labels
        self.daemon = daemon


NodeClass.FIELDS = (
    Field("name", 4, Text()),
    Field("capacity", 6, Column("float64")),
    Field("count", 8, Scalar("I", 0, int)),
    Field("price", 10, Scalar("d", -1.0, float)),
    Field("labels", 12, Texts()),
    Field("daemon", 14, Column("float64")),
)


class Nodes(Record):
    """The listed nodes: those that run something, that apps are pinned to, or that belong to node sets. All other nodes are
    anonymous members of their class. The number of listed nodes is the length of `node_class`."""

    #: Class of each listed node, an index into `Instance.classes`. Length: listed nodes.
    node_class: npt.NDArray[np.uint32]
    #: Unique names. Length: listed nodes.
    names: list[str] | None
    #: Load of each node that belongs to no app of the instance and that no plan changes, in the resource's unit. Length: listed
    #: nodes x resources, or listed nodes x resources x periods, row-major.
    load: npt.NDArray[np.float64] | None
    #: Variance of that load, in the square of the resource's unit; with ChanceModel.BoundedSupport, the square of the width of
    #: its support. Length: listed nodes x resources; 0 where there is no load.
    load_variance: npt.NDArray[np.float64] | None
    #: 1 = the node accepts no new replicas (cordoned), 0 = it does. Length: listed nodes.
    closed: npt.NDArray[np.uint8] | None
    #: Static tags of single nodes, in addition to the labels of their class. Layout as Apps.tag_begin and Apps.tag_index.
    tag_begin: npt.NDArray[np.uint32] | None
    tag_index: npt.NDArray[np.uint32] | None
    #: Load that goes with each node, in place of `daemon` of its class. Length as `load`; absent = as the classes say.
    daemon: npt.NDArray[np.float64] | None

    def __init__(
        self,
        *,
        node_class: npt.NDArray[np.uint32],
        names: list[str] | None = None,
        load: npt.NDArray[np.float64] | None = None,
        load_variance: npt.NDArray[np.float64] | None = None,
        closed: npt.NDArray[np.uint8] | None = None,
        tag_begin: npt.NDArray[np.uint32] | None = None,
        tag_index: npt.NDArray[np.uint32] | None = None,
        daemon: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.node_class = node_class
        self.names = names
        self.load = load
        self.load_variance = load_variance
        self.closed = closed
        self.tag_begin = tag_begin
        self.tag_index = tag_index
        self.daemon = daemon


Nodes.FIELDS = (
    Field("node_class", 4, Column("uint32")),
    Field("names", 6, Texts()),
    Field("load", 8, Column("float64")),
    Field("load_variance", 10, Column("float64")),
    Field("closed", 12, Column("uint8")),
    Field("tag_begin", 14, Column("uint32")),
    Field("tag_index", 16, Column("uint32")),
    Field("daemon", 18, Column("float64")),
)


#: A number of replicas of an app on a listed node.
_RESIDENCE = (
    ("app", "uint32"),
    ("node", "uint32"),
    ("replicas", "uint32"),
)


class AffinityLimits(Record):
    """Affinity limits (P0, section 3.1): beside at least one replica of app i, at most a replicas of app j on the same node.
    (i, i, a) limits app i to a replicas per node. Compressed rows: the limits that app i imposes are
    (app[k], at_most[k]) for k in row_begin[i] .. row_begin[i + 1]; any order within a row, no app twice."""

    #: Length: apps + 1, first 0, never decreasing, last = length of `app`.
    row_begin: npt.NDArray[np.uint32]
    app: npt.NDArray[np.uint32]
    #: Length: as `app`.
    at_most: npt.NDArray[np.uint32]

    def __init__(
        self,
        *,
        row_begin: npt.NDArray[np.uint32],
        app: npt.NDArray[np.uint32],
        at_most: npt.NDArray[np.uint32],
    ) -> None:
        self.row_begin = row_begin
        self.app = app
        self.at_most = at_most


AffinityLimits.FIELDS = (
    Field("row_begin", 4, Column("uint32")),
    Field("app", 6, Column("uint32")),
    Field("at_most", 8, Column("uint32")),
)


class NodeGroup(Record):
    """A family of node sets (P2, section 4.1), such as "rack" or "zone". Sets may overlap. The group "node" is predefined: each
    node is a set of its own."""

    name: str
    #: Sets of listed nodes: set s holds the nodes node[set_begin[s] .. set_begin[s + 1]). Length of set_begin: sets + 1.
    set_begin: npt.NDArray[np.uint32] | None
    node: npt.NDArray[np.uint32] | None
    set_names: list[str] | None
    #: Instead of listed sets, the key of a label: nodes with the same value in "by_label=value" form a set, anonymous nodes
    #: included.
    by_label: str | None

    def __init__(
        self,
        *,
        name: str,
        set_begin: npt.NDArray[np.uint32] | None = None,
        node: npt.NDArray[np.uint32] | None = None,
        set_names: list[str] | None = None,
        by_label: str | None = None,
    ) -> None:
        self.name = name
        self.set_begin = set_begin
        self.node = node
        self.set_names = set_names
        self.by_label = by_label


NodeGroup.FIELDS = (
    Field("name", 4, Text()),
    Field("set_begin", 6, Column("uint32")),
    Field("node", 8, Column("uint32")),
    Field("set_names", 10, Texts()),
    Field("by_label", 12, Text()),
)


class CardinalityKind(enum.IntEnum):
    """What a Cardinality counts."""

    #: min <= replicas with all target tags in the subject's node set, the subject itself not counted <= max.
    REPLICAS = 0
    #: min <= node sets of the group that hold a subject <= max.
    NODE_SETS = 1
    #: The numbers of subjects in any two node sets of the group differ by at most `max`.
    SKEW = 2


class Cardinality(Record):
    """One placement constraint {subject, {target, min, max}, group} (P2, section 4.2)."""

    kind: CardinalityKind
    #: The subjects are the replicas that carry all these tags; indices into `Instance.tags`.
    subject: npt.NDArray[np.uint32]
    #: The replicas counted are those that carry all these tags; indices into `Instance.tags`.
    target: npt.NDArray[np.uint32] | None
    min: int
    max: int
    #: Index into `Instance.groups`, or 4294967295 for the predefined group "node".
    group: int
    #: True: the constraint holds exactly where the condition does not.
    negated: bool

    def __init__(
        self,
        *,
        kind: CardinalityKind = CardinalityKind.REPLICAS,
        subject: npt.NDArray[np.uint32],
        target: npt.NDArray[np.uint32] | None = None,
        min: int = 0,
        max: int = 4294967295,
        group: int = 4294967295,
        negated: bool = False,
    ) -> None:
        self.kind = kind
        self.subject = subject
        self.target = target
        self.min = min
        self.max = max
        self.group = group
        self.negated = negated


Cardinality.FIELDS = (
    Field("kind", 4, Scalar("B", CardinalityKind.REPLICAS, CardinalityKind)),
    Field("subject", 6, Column("uint32")),
    Field("target", 8, Column("uint32")),
    Field("min", 10, Scalar("I", 0, int)),
    Field("max", 12, Scalar("I", 4294967295, int)),
    Field("group", 14, Scalar("I", 4294967295, int)),
    Field("negated", 16, Scalar("?", False, bool)),
)


class Conjunction(Record):
    """Conditions that hold together."""

    all_of: list[Cardinality]

    def __init__(
        self,
        *,
        all_of: list[Cardinality],
    ) -> None:
        self.all_of = all_of


Conjunction.FIELDS = (
    Field("all_of", 4, Tables(Cardinality, required=True)),
)


class Origin(enum.IntEnum):
    """Who asks for a rule."""

    APPLICATION = 0
    OPERATOR = 1


class PlacementRule(Record):
    """A rule in disjunctive normal form (P2, section 4.2): it holds where at least one conjunction holds."""

    name: str | None
    any_of: list[Conjunction]
    #: True: no plan may violate the rule. False: each violation costs `weight`.
    hard: bool
    weight: float
    origin: Origin

    def __init__(
        self,
        *,
        name: str | None = None,
        any_of: list[Conjunction],
        hard: bool = True,
        weight: float = 1.0,
        origin: Origin = Origin.APPLICATION,
    ) -> None:
        self.name = name
        self.any_of = any_of
        self.hard = hard
        self.weight = weight
        self.origin = origin


PlacementRule.FIELDS = (
    Field("name", 4, Text()),
    Field("any_of", 6, Tables(Conjunction, required=True)),
    Field("hard", 8, Scalar("?", True, bool)),
    Field("weight", 10, Scalar("d", 1.0, float)),
    Field("origin", 12, Scalar("B", Origin.APPLICATION, Origin)),
)


class ChanceModel(enum.IntEnum):
    """How variance enters the capacity constraint."""

    #: mean + Phi^-1(confidence) sqrt(variance) <= capacity (P1, section 2.4).
    GAUSSIAN = 0
    #: mean + sqrt(-ln(1 - confidence) / 2 x sum of squared supports) <= capacity (Hoeffding; P1, section 2.3).
    BOUNDED_SUPPORT = 1
    #: mean + factor x sqrt(variance) <= capacity.
    FACTOR = 2


class Uncertainty(Record):
    """The chance constraint: how `Apps.variance` or the supports enter the capacity constraint."""

    model: ChanceModel
    #: Probability that a node's demand stays within its capacity, in (0, 1); with ChanceModel.Gaussian at least 0.5.
    confidence: float
    factor: float

    def __init__(
        self,
        *,
        model: ChanceModel = ChanceModel.GAUSSIAN,
        confidence: float = 0.99,
        factor: float = 0.0,
    ) -> None:
        self.model = model
        self.confidence = confidence
        self.factor = factor


Uncertainty.FIELDS = (
    Field("model", 4, Scalar("B", ChanceModel.GAUSSIAN, ChanceModel)),
    Field("confidence", 6, Scalar("d", 0.99, float)),
    Field("factor", 8, Scalar("d", 0.0, float)),
)


class Interference(Record):
    """The side-effects model of colocation (P4): a replica of kind t costs the sum over all kinds u of
    coefficient[t][u] x the load of kind u on its node, its own load included."""

    kinds: list[str] | None
    #: Length: kinds x kinds, row-major.
    coefficient: npt.NDArray[np.float64]
    #: Index of the resource that is the load: of an app, its largest demand over time.
    resource: int
    #: The most that a replica of each kind may cost, its own load included; infinity = no limit. Length: kinds; absent = no
    #: limits.
    max_cost: npt.NDArray[np.float64] | None

    def __init__(
        self,
        *,
        kinds: list[str] | None = None,
        coefficient: npt.NDArray[np.float64],
        resource: int = 0,
        max_cost: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.kinds = kinds
        self.coefficient = coefficient
        self.resource = resource
        self.max_cost = max_cost


Interference.FIELDS = (
    Field("kinds", 4, Texts()),
    Field("coefficient", 6, Column("float64")),
    Field("resource", 8, Scalar("I", 0, int)),
    Field("max_cost", 10, Column("float64")),
)


#: Traffic between the replicas of two apps. With d replicas of one app and e of the
#: other, of which x and y are on a node, the share min(x / d, y / e) of it stays on that node (gained affinity, RASA).
_TRAFFIC = (
    ("app", "uint32"),
    ("peer", "uint32"),
    ("amount", "float64"),
)


class NodeState(enum.IntEnum):
    """The state of a listed node."""

    #: Accepts replicas.
    OPEN = 0
    #: Keeps its replicas, accepts no new ones.
    CORDONED = 1
    #: Emptied; accepts no replicas.
    DRAINED = 2
    #: Absent until it is uncordoned; empty and without load.
    FAILED = 3


class Session(Record):
    """The part of a session's snapshot that an instance lacks (docs/understand/sessions.md). Planners ignore it."""

    #: Number of operations and commits so far.
    version: int
    #: State of each listed node. Length: listed nodes. Every node that is not Open is also marked in `Nodes.closed`.
    node_state: npt.NDArray[np.uint8]
    #: For each class, the number in the last node name that was derived from it, such as 12 in "large-12". Length: classes.
    class_number: npt.NDArray[np.uint32]
    #: Pins on drained and failed nodes. Their replicas wait for the node and do not count in `Apps.replicas`.
    waiting_pins: npt.NDArray[np.void] | None
    #: Affinity limits on apps that are absent now, by name: app i allows at most waiting_limit_at_most[k] replicas of
    #: waiting_limit_app[k] beside it, for k in waiting_limit_begin[i] .. waiting_limit_begin[i + 1]. Length of
    #: waiting_limit_begin: apps + 1, or absent.
    waiting_limit_begin: npt.NDArray[np.uint32] | None
    waiting_limit_app: list[str] | None
    waiting_limit_at_most: npt.NDArray[np.uint32] | None

    def __init__(
        self,
        *,
        version: int = 0,
        node_state: npt.NDArray[np.uint8],
        class_number: npt.NDArray[np.uint32],
        waiting_pins: npt.NDArray[np.void] | None = None,
        waiting_limit_begin: npt.NDArray[np.uint32] | None = None,
        waiting_limit_app: list[str] | None = None,
        waiting_limit_at_most: npt.NDArray[np.uint32] | None = None,
    ) -> None:
        self.version = version
        self.node_state = node_state
        self.class_number = class_number
        self.waiting_pins = waiting_pins
        self.waiting_limit_begin = waiting_limit_begin
        self.waiting_limit_app = waiting_limit_app
        self.waiting_limit_at_most = waiting_limit_at_most


Session.FIELDS = (
    Field("version", 4, Scalar("Q", 0, int)),
    Field("node_state", 6, Column("uint8")),
    Field("class_number", 8, Column("uint32")),
    Field("waiting_pins", 10, Column(_RESIDENCE)),
    Field("waiting_limit_begin", 12, Column("uint32")),
    Field("waiting_limit_app", 14, Texts()),
    Field("waiting_limit_at_most", 16, Column("uint32")),
)


class Instance(Record):
    """Everything known before planning."""

    #: Version of this layout. A reader refuses a higher version.
    format: int
    name: str | None
    resources: list[Resource]
    #: Number of periods in the demand profiles; 1 = constant demand.
    periods: int
    apps: Apps
    classes: list[NodeClass]
    nodes: Nodes | None
    limits: AffinityLimits | None
    #: Replicas that already run. They count in `Apps.replicas` and stay where they are unless the request allows moves.
    running: npt.NDArray[np.void] | None
    #: Replicas that must be on a node in every plan. A running replica there satisfies a pin.
    pinned: npt.NDArray[np.void] | None
    tags: list[str] | None
    groups: list[NodeGroup]
    rules: list[PlacementRule]
    uncertainty: Uncertainty | None
    interference: Interference | None
    #: Present in snapshots of sessions only.
    session: Session | None
    #: Traffic between apps: what the objective `Traffic` keeps on nodes. It constrains nothing.
    traffic: npt.NDArray[np.void] | None

    def __init__(
        self,
        *,
        format: int = 1,
        name: str | None = None,
        resources: list[Resource],
        periods: int = 1,
        apps: Apps,
        classes: list[NodeClass],
        nodes: Nodes | None = None,
        limits: AffinityLimits | None = None,
        running: npt.NDArray[np.void] | None = None,
        pinned: npt.NDArray[np.void] | None = None,
        tags: list[str] | None = None,
        groups: list[NodeGroup] | None = None,
        rules: list[PlacementRule] | None = None,
        uncertainty: Uncertainty | None = None,
        interference: Interference | None = None,
        session: Session | None = None,
        traffic: npt.NDArray[np.void] | None = None,
    ) -> None:
        self.format = format
        self.name = name
        self.resources = resources
        self.periods = periods
        self.apps = apps
        self.classes = classes
        self.nodes = nodes
        self.limits = limits
        self.running = running
        self.pinned = pinned
        self.tags = tags
        self.groups = [] if groups is None else groups
        self.rules = [] if rules is None else rules
        self.uncertainty = uncertainty
        self.interference = interference
        self.session = session
        self.traffic = traffic


Instance.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("name", 6, Text()),
    Field("resources", 8, Tables(Resource, required=True)),
    Field("periods", 10, Scalar("I", 1, int)),
    Field("apps", 12, Table(Apps)),
    Field("classes", 14, Tables(NodeClass, required=True)),
    Field("nodes", 16, Table(Nodes)),
    Field("limits", 18, Table(AffinityLimits)),
    Field("running", 20, Column(_RESIDENCE)),
    Field("pinned", 22, Column(_RESIDENCE)),
    Field("tags", 24, Texts()),
    Field("groups", 26, Tables(NodeGroup)),
    Field("rules", 28, Tables(PlacementRule)),
    Field("uncertainty", 30, Table(Uncertainty)),
    Field("interference", 32, Table(Interference)),
    Field("session", 34, Table(Session)),
    Field("traffic", 36, Column(_TRAFFIC)),
)


class Option(Record):
    """An option of the planner as the catalogue declares it. A number goes into `number`, a word into `text`."""

    name: str
    number: float
    text: str | None

    def __init__(
        self,
        *,
        name: str,
        number: float = 0.0,
        text: str | None = None,
    ) -> None:
        self.name = name
        self.number = number
        self.text = text


Option.FIELDS = (
    Field("name", 4, Text()),
    Field("number", 6, Scalar("d", 0.0, float)),
    Field("text", 8, Text()),
)


class Objective(enum.IntEnum):
    """What a run minimizes. PlannerInfo.objectives lists the objectives that a planner pursues."""

    #: Fewest nodes in use; where prices are given, least cost.
    NODES = 0
    #: Least used capacity at confidence (P1, section 4.1). PlannerInfo.objectives lists "ucac" for planners that pursue it.
    UCAC = 1
    #: Least cost of the replica that suffers most from side effects (P4, section 2), on at most `node_limit` nodes. Needs an
    #: interference table.
    WORST = 2
    #: Least sum of what side effects cost all replicas, on at most `node_limit` nodes. Needs an interference table.
    TOTAL = 3
    #: Most applications admitted (P3, section 3.3.1): least weight of the applications that are left out. Each is placed as a whole
    #: or not at all, as with `all_or_nothing`; it counts the largest weight of its apps.
    ADMITTED = 4
    #: Least traffic between replicas that do not share a node. Needs an instance with traffic.
    TRAFFIC = 5


class SoftPolicy(enum.IntEnum):
    """How violated soft placement rules count beside the objective. Their cost is the sum of extent x weight, Plan.violation_cost."""

    #: Before the objective: a plan with less of it is better, whatever that costs.
    FIRST = 0
    #: Only among plans of the same value of the objective: violations never cost a node.
    LAST = 1
    #: Added to the objective: a unit of it costs Request.soft_price.
    PRICE = 2


#: Room for `replicas` more replicas of `app`.
_KEPT = (
    ("app", "uint32"),
    ("replicas", "uint32"),
)


class GoalKind(enum.IntEnum):
    """What a goal counts. A plan makes it small."""

    #: Sum of the prices of the nodes in use; without prices, their number.
    COST = 0
    #: Nodes in use.
    NODES = 1
    #: Running replicas that go to another node.
    MOVES = 2
    #: Largest use: the largest share of a resource's capacity that load and mean demand take on any node, in any period. Of
    #: PlanGoal.resource or, without one, of any resource.
    BALANCE = 3
    #: Uneven use: standard deviation of that share between the nodes in use.
    EVENNESS = 4
    #: What violated soft rules cost, Plan.violation_cost.
    SOFT_RULES = 5
    #: Used capacity at confidence, Plan.ucac.
    UCAC = 6
    #: Side effects on the replica that suffers most, Plan.max_cost.
    WORST = 7
    #: Side effects on all replicas, Plan.total_cost.
    TOTAL = 8
    #: Weight of the applications that are left out, Plan.left_out.
    ADMITTED = 9
    #: Traffic between replicas that do not share a node, Plan.remote_traffic.
    TRAFFIC = 10


class PlanGoal(Record):
    """A goal of Request.goals."""

    what: GoalKind
    #: Index of the resource, with GoalKind.Balance and GoalKind.Evenness; 4294967295 = all.
    resource: int
    #: True: counts together with the goal before it, as a sum of values times weights. False: counts after it, among plans that
    #: are equally good by all goals before.
    beside: bool
    #: What a unit of the value counts beside other goals; above 0.
    weight: float
    #: By how much later goals may worsen the value, as a share of it. Of goals that count together, the first one says it.
    tolerance: float
    #: In the place of the other fields but `beside`: a goal, or several that count together, as people write them, such as
    #: `cost~1%`, `balance:memory` and `cost,moves*0.01`: names with commas between them, each with its resource or weight if need
    #: be, and a tolerance at the end.
    words: str | None

    def __init__(
        self,
        *,
        what: GoalKind = GoalKind(0),
        resource: int = 4294967295,
        beside: bool = False,
        weight: float = 1.0,
        tolerance: float = 0.0,
        words: str | None = None,
    ) -> None:
        self.what = what
        self.resource = resource
        self.beside = beside
        self.weight = weight
        self.tolerance = tolerance
        self.words = words


PlanGoal.FIELDS = (
    Field("what", 4, Scalar("B", GoalKind(0), GoalKind)),
    Field("resource", 6, Scalar("I", 4294967295, int)),
    Field("beside", 8, Scalar("?", False, bool)),
    Field("weight", 10, Scalar("d", 1.0, float)),
    Field("tolerance", 12, Scalar("d", 0.0, float)),
    Field("words", 14, Text()),
)


class Request(Record):
    """Which planner runs, its options, and the limits of the run. Only `planner` must be set."""

    format: int
    #: Name from the catalogue, such as "bfd-avg".
    planner: str
    options: list[Option]
    seed: int
    #: Wall-clock limit of the run in milliseconds, after which it returns its best plan so far. 0 = the planner's default
    #: (PlannerInfo.default_deadline_ms): 1 s for `auto`; none if `work_limit` is set.
    deadline_ms: int
    #: Limit on work units; 0 = none. The `work` of an earlier plan as the limit repeats that plan's run exactly (see Plan.work).
    work_limit: int
    #: Number of threads that the run may use; 0 = 1. The plan does not depend on it.
    threads: int
    #: Limit on the nodes in use; 0 = as many as the instance has. Replicas that do not fit are reported unplaced.
    node_limit: int
    #: True: running replicas that are not pinned are planned as if they ran nowhere.
    ignore_running: bool
    #: Limit on the running replicas that move to another node; 0 = none moves.
    move_budget: int
    #: What to minimize once all replicas are placed. A planner that does not pursue the objective refuses the request.
    objective: Objective
    #: True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
    #: one application. Replicas that already run stay.
    all_or_nothing: bool
    #: True: anonymous nodes of one class with the same content are one entry of the plan, with their number as its copies. The
    #: size of the plan then depends on the number of different nodes, not on the number of nodes.
    compact: bool
    #: How soft rules count beside the objective. Plans are compared, and called optimal, by this.
    soft: SoftPolicy
    #: What a unit of violation costs, in nodes or, where prices are given, in their currency. Above 0 only with SoftPolicy.Price.
    soft_price: float
    #: The search ends once it has found nothing better for this many milliseconds; 0 = it does not end for that. Counts from the
    #: first plan on.
    patience_ms: int
    #: Where not all replicas fit: true = the most capacity is used, false = the most replicas are placed; by priority and weight
    #: in either case.
    fill: bool
    #: The most that side effects may cost a replica, whatever its kind: a hard constraint beside Interference.max_cost. 0 = none.
    max_cost: float
    #: The plan keeps room for these replicas, all at once, beside those that it places (Plan.reserved). They count towards the
    #: nodes, and nowhere else. Only with Objective.Nodes; no app twice.
    keep: npt.NDArray[np.void] | None
    #: The plan survives losses: its nodes have places for the replicas of lost ones, while all others stay. "*": of each node by
    #: itself. Else the key of a label: of all nodes with the same value, such as each zone. Spare nodes that hold nothing are added
    #: where needed; they count as nodes of the plan. Replicas that are pinned to a lost node are lost with it. Absent or empty: no
    #: loss. Only with Objective.Nodes.
    survive: str | None
    #: The key of a label, such as rack: as many as possible of its values have no node with a replica or with load. This comes after
    #: placing replicas, and before soft rules, nodes and their cost. Absent or empty: nothing is left free on purpose. Only with
    #: Objective.Nodes; not together with `keep` or `survive`.
    leave_free: str | None
    #: What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one
    #: beyond its tolerance. Takes the place of `objective` and `soft`. Soft rules come first where no goal names them. With
    #: GoalKind.Moves and no `move_budget`, any number of running replicas may move. Absent: what `objective` and `soft` say.
    goals: list[PlanGoal]
    #: True: the plan tells what the parts of the search did (Plan.trace). It is the same plan otherwise.
    trace: bool

    def __init__(
        self,
        *,
        format: int = 1,
        planner: str,
        options: list[Option] | None = None,
        seed: int = 0,
        deadline_ms: int = 0,
        work_limit: int = 0,
        threads: int = 1,
        node_limit: int = 0,
        ignore_running: bool = False,
        move_budget: int = 0,
        objective: Objective = Objective.NODES,
        all_or_nothing: bool = False,
        compact: bool = False,
        soft: SoftPolicy = SoftPolicy.FIRST,
        soft_price: float = 0.0,
        patience_ms: int = 0,
        fill: bool = False,
        max_cost: float = 0.0,
        keep: npt.NDArray[np.void] | None = None,
        survive: str | None = None,
        leave_free: str | None = None,
        goals: list[PlanGoal] | None = None,
        trace: bool = False,
    ) -> None:
        self.format = format
        self.planner = planner
        self.options = [] if options is None else options
        self.seed = seed
        self.deadline_ms = deadline_ms
        self.work_limit = work_limit
        self.threads = threads
        self.node_limit = node_limit
        self.ignore_running = ignore_running
        self.move_budget = move_budget
        self.objective = objective
        self.all_or_nothing = all_or_nothing
        self.compact = compact
        self.soft = soft
        self.soft_price = soft_price
        self.patience_ms = patience_ms
        self.fill = fill
        self.max_cost = max_cost
        self.keep = keep
        self.survive = survive
        self.leave_free = leave_free
        self.goals = [] if goals is None else goals
        self.trace = trace


Request.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("planner", 6, Text()),
    Field("options", 8, Tables(Option)),
    Field("seed", 10, Scalar("Q", 0, int)),
    Field("deadline_ms", 12, Scalar("Q", 0, int)),
    Field("work_limit", 14, Scalar("Q", 0, int)),
    Field("threads", 16, Scalar("I", 1, int)),
    Field("node_limit", 18, Scalar("I", 0, int)),
    Field("ignore_running", 20, Scalar("?", False, bool)),
    Field("move_budget", 22, Scalar("I", 0, int)),
    Field("objective", 24, Scalar("B", Objective.NODES, Objective)),
    Field("all_or_nothing", 26, Scalar("?", False, bool)),
    Field("compact", 28, Scalar("?", False, bool)),
    Field("soft", 30, Scalar("B", SoftPolicy.FIRST, SoftPolicy)),
    Field("soft_price", 32, Scalar("d", 0.0, float)),
    Field("patience_ms", 34, Scalar("Q", 0, int)),
    Field("fill", 36, Scalar("?", False, bool)),
    Field("max_cost", 38, Scalar("d", 0.0, float)),
    Field("keep", 40, Column(_KEPT)),
    Field("survive", 42, Text()),
    Field("leave_free", 44, Text()),
    Field("goals", 46, Tables(PlanGoal)),
    Field("trace", 48, Scalar("?", False, bool)),
)


class PlanStatus(enum.IntEnum):
    """How good a plan is. It claims no more than is proven."""

    #: Every replica is placed, and all that Request.keep and Request.survive ask for is kept.
    COMPLETE = 0
    #: Complete, and it is proven that no plan has a better value of `Plan.objective`. With SoftPolicy.First, the
    #: plan violates no soft rule either; with SoftPolicy.Price, the cost of its violations is part of the value.
    OPTIMAL = 1
    #: Some replicas are unplaced, or not all is kept; the plan makes no statement on whether another plan does better.
    PARTIAL = 2
    #: Some replicas are unplaced, and it is proven that no plan places all of them.
    INFEASIBLE_PROVEN = 3
    #: The run was cancelled; this is its best plan.
    CANCELLED = 4
    #: The deadline or the work limit ended the run; this is its best plan.
    DEADLINE = 5


class Bound(Record):
    """A lower bound on what any plan needs."""

    #: Name of the bound, such as "capacity" or "dual-feasible".
    name: str
    value: float
    #: Resource and period from which the bound follows; 4294967295 = from none.
    resource: int
    period: int

    def __init__(
        self,
        *,
        name: str,
        value: float = 0.0,
        resource: int = 0,
        period: int = 0,
    ) -> None:
        self.name = name
        self.value = value
        self.resource = resource
        self.period = period


Bound.FIELDS = (
    Field("name", 4, Text()),
    Field("value", 6, Scalar("d", 0.0, float)),
    Field("resource", 8, Scalar("I", 0, int)),
    Field("period", 10, Scalar("I", 0, int)),
)


#: A number of replicas of an app on a node of the plan, and as many on each of the node's copies.
_PLACED = (
    ("app", "uint32"),
    ("node", "uint32"),
    ("replicas", "uint32"),
)


#: The number of unplaced replicas of an app.
_UNPLACED = (
    ("app", "uint32"),
    ("replicas", "uint32"),
)


#: A number of replicas of one priority.
_LEFT_OVER = (
    ("replicas", "uint64"),
    ("priority", "int32"),
)


class NoteCode(enum.IntEnum):
    """What a note is about."""

    #: As NotImproved, in plans of earlier versions.
    SEARCH_OFF = 0
    #: A part of the search did not run, because of a feature that the text names. Not in plans that are proven optimal.
    NOT_IMPROVED = 1
    #: The run ended before its limit.
    ENDED_EARLY = 2
    #: Replicas that fit on no node were left out; the others were planned without them.
    LEFT_OUT = 3
    #: A placement rule names a tag that nothing carries, or sets no bound.
    IDLE_RULE = 4
    #: There is not all the room that was to be kept, or some loss is not survived.
    PROMISE = 5
    #: The planner failed: the checker refused what it made. The plan is that of the start: what runs and is pinned stays where it
    #: is, everything else is unplaced. A defect; please report it.
    START_PLAN = 6


class Note(Record):
    """Something that the reader of the plan should know of the run."""

    code: NoteCode
    #: The particulars, as a sentence.
    text: str | None

    def __init__(
        self,
        *,
        code: NoteCode = NoteCode(0),
        text: str | None = None,
    ) -> None:
        self.code = code
        self.text = text


Note.FIELDS = (
    Field("code", 4, Scalar("B", NoteCode(0), NoteCode)),
    Field("text", 6, Text()),
)


class ReachedGoal(Record):
    """A goal of Request.goals, and what a plan reaches of it."""

    #: As PlanGoal.what.
    what: int
    #: As PlanGoal.resource; 4294967295 = all.
    resource: int
    #: As PlanGoal.beside.
    beside: bool
    #: As PlanGoal.weight.
    weight: float
    #: As PlanGoal.tolerance.
    tolerance: float
    #: What the plan makes of it, without the weight.
    value: float
    #: Lower bound on the value of any complete plan that is as good by the goals before; negative = none is known.
    bound: float
    #: Whether no plan that is as good by the goals before has a smaller value. Of goals that count together, of their sum.
    proven: bool

    def __init__(
        self,
        *,
        what: int = 0,
        resource: int = 4294967295,
        beside: bool = False,
        weight: float = 1.0,
        tolerance: float = 0.0,
        value: float = 0.0,
        bound: float = -1.0,
        proven: bool = False,
    ) -> None:
        self.what = what
        self.resource = resource
        self.beside = beside
        self.weight = weight
        self.tolerance = tolerance
        self.value = value
        self.bound = bound
        self.proven = proven


ReachedGoal.FIELDS = (
    Field("what", 4, Scalar("B", 0, int)),
    Field("resource", 6, Scalar("I", 4294967295, int)),
    Field("beside", 8, Scalar("?", False, bool)),
    Field("weight", 10, Scalar("d", 1.0, float)),
    Field("tolerance", 12, Scalar("d", 0.0, float)),
    Field("value", 14, Scalar("d", 0.0, float)),
    Field("bound", 16, Scalar("d", -1.0, float)),
    Field("proven", 18, Scalar("?", False, bool)),
)


class TracedPart(Record):
    """A planner, a search or a neighbourhood that a run asked, and what came of it. Planners have their names in the catalogue;
    docs/research/search.md names the others."""

    name: str
    #: How often it was asked.
    calls: int
    #: Calls that found a better plan than their search had before.
    gains: int
    #: Units of work, with those of the parts that it asked in turn.
    work: int

    def __init__(
        self,
        *,
        name: str,
        calls: int = 0,
        gains: int = 0,
        work: int = 0,
    ) -> None:
        self.name = name
        self.calls = calls
        self.gains = gains
        self.work = work


TracedPart.FIELDS = (
    Field("name", 4, Text()),
    Field("calls", 6, Scalar("Q", 0, int)),
    Field("gains", 8, Scalar("Q", 0, int)),
    Field("work", 10, Scalar("Q", 0, int)),
)


class Plan(Record):
    """What a run returns: which replicas run on which node, how good that is, and which replicas are unplaced. Indices are those of
    the instance."""

    format: int
    #: Fingerprint of the instance that the plan was made for.
    instance: int
    #: Name of the planner that made the plan.
    planner: str
    #: How good the plan is.
    status: PlanStatus
    #: Seed of the run that made the plan: the request's or, where several seeds were tried, the best one.
    seed: int
    #: Work units done. A request with this work limit, and with the option "pace" set to `Plan.pace` if that is above 0, repeats
    #: the run.
    work: int
    #: The nodes in use and those that are kept, one entry per node. Node n is of class node_class[n]; listed[n] is its index among
    #: the instance's listed nodes, or 4294967295 for an anonymous node of the class. Listed nodes come first, in the instance's
    #: order.
    node_class: npt.NDArray[np.uint32]
    listed: npt.NDArray[np.uint32]
    #: All placed replicas, running ones included, ordered by node and then by app.
    placed: npt.NDArray[np.void]
    #: Ordered by app.
    unplaced: npt.NDArray[np.void]
    #: Lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave running replicas in
    #: place, unless the request ignores them or has a move budget.
    node_bound: Bound | None
    #: How far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The value is
    #: the cost where there are prices, else the nodes, or `ucac`, `max_cost` or `total_cost` where that is the objective; with
    #: SoftPolicy.Price, soft_price x violation_cost is added to it. With Objective.Admitted, it is (left_out - left_out_bound) as
    #: a share of the weight admitted, whether or not replicas are unplaced; with Objective.Traffic, (remote_traffic -
    #: remote_traffic_bound) as a share of the traffic that stays on nodes, likewise. Negative where replicas are unplaced or no
    #: bound is above 0.
    gap: float
    #: Sum of the prices of the nodes in use; negative without prices.
    cost: float
    #: Lower bound on `cost` of any complete plan; "columns" as for `node_bound`.
    cost_bound: Bound | None
    #: Number of constraints that were broken at the start, that the run was not allowed to repair, and that the plan makes no
    #: worse.
    inherited_violations: int
    #: Number of running replicas that the plan puts on another node.
    moves: int
    #: Used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of node_ucac[n] x copies[n], in
    #: the unit of `ucac_resource`. Negative where no demand is uncertain.
    ucac: float
    #: The resource of `ucac`: the first one with uncertain demand; 4294967295 where none is uncertain.
    ucac_resource: int
    #: Lower bound on `ucac` of any complete plan; "columns" as for `node_bound`.
    ucac_bound: Bound | None
    #: Used capacity at confidence of each node, of a single copy (P1, definition 1): mean + quantile x standard deviation of its
    #: demand, in the period where this is highest. Length: that of `node_class`, or absent where no demand is uncertain.
    node_ucac: npt.NDArray[np.float64] | None
    #: The objective that the run minimized, as Request.objective. PlanStatus.Optimal refers to it.
    objective: int
    #: Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica
    #: and one rule that does not hold for it. In this order: violations; different replicas among them; sum of the extents (P2,
    #: Eq. 8); sum of the rules' weights; sum of extent x weight, which is negative where the instance has no rules.
    rule_violations: int
    violating_replicas: int
    violation_extent: float
    violation_weight: float
    violation_cost: float
    #: For planners that maximize a score of their own, which docs/reference/algorithms.md defines: the score, an upper bound on the score
    #: of any plan, and (score_bound - score) / score. Where no bound is proven, `score_gap` is negative and `score_bound` has no
    #: meaning.
    has_score: bool
    score: float
    score_bound: float
    score_gap: float
    #: Total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the search
    #: does at each point of a run.
    pace: int
    #: Node n stands for copies[n] anonymous nodes of its class, each with the same content; a listed node has one copy. Length:
    #: that of `node_class`; absent = all 1, as in plans whose request is not `compact`.
    copies: npt.NDArray[np.uint32] | None
    #: How soft violations counted, as Request.soft. PlanStatus.Optimal and `gap` refer to it.
    soft: int
    #: What a unit of violation cost.
    soft_price: float
    #: Whether capacity counted, instead of replicas, where not all of them fit.
    fill: bool
    #: What the reader of the plan should know of the run.
    notes: list[Note]
    #: No plan of the request leaves less over than this: replicas per priority, highest priority first; priorities of which
    #: nothing has to be left over are absent. The highest priority in which a plan differs from it decides. Absent where
    #: everything is placed, where nothing is known, and where not every replica counts the same: with weights or `fill`.
    left_over_bound: npt.NDArray[np.void] | None
    #: Whether `unplaced` is no more than `left_over_bound`: it is proven that no plan of the request leaves less over.
    places_most: bool
    #: What side effects cost the replica that suffers most; negative without an interference table. A
    #: replica of kind t costs the sum over all kinds u of coefficient[t][u] x the load of kind u on its node.
    max_cost: float
    #: Lower bound on `max_cost` of any complete plan.
    max_cost_bound: Bound | None
    #: What side effects cost all replicas together; negative without an interference table.
    total_cost: float
    #: Lower bound on `total_cost` of any complete plan.
    total_cost_bound: Bound | None
    #: Cost of the replica that suffers most on each node. Length: that of `node_class`, or absent without an interference table.
    node_max_cost: npt.NDArray[np.float64] | None
    #: Request.max_cost of the run; 0 = none.
    max_cost_limit: float
    #: With Objective.Admitted: weight of the applications that lack replicas. Negative with other objectives.
    left_out: float
    #: Lower bound on `left_out` of any plan of the request.
    left_out_bound: Bound | None
    #: Traffic between replicas that do not share a node; negative without traffic.
    remote_traffic: float
    #: Lower bound on `remote_traffic` of any complete plan.
    remote_traffic_bound: Bound | None
    #: Request.keep: where there is room for these replicas, all at once. Ordered as `placed`.
    reserved: npt.NDArray[np.void] | None
    #: The replicas of Request.keep without room, ordered by app.
    unreserved: npt.NDArray[np.void] | None
    #: Request.survive of the run; absent = none.
    survive: str | None
    #: Replicas that the worst of these losses leaves without a place; 0 = the plan survives each of them;
    #: 18446744073709551615 = the run ended before all were looked at.
    not_survived: int
    #: Request.leave_free of the run; absent = none.
    leave_free: str | None
    #: Number of values of this label that have a node with a replica or with load.
    domains_in_use: int
    #: Lower bound on `domains_in_use` of any complete plan.
    domain_bound: int
    #: Request.goals of the run, in their order, with what the plan reaches.
    goals: list[ReachedGoal]
    #: With Request.trace: the parts of the run that made the plan, in the order in which they were first asked.
    trace: list[TracedPart]

    def __init__(
        self,
        *,
        format: int = 1,
        instance: int = 0,
        planner: str,
        status: PlanStatus = PlanStatus(0),
        seed: int = 0,
        work: int = 0,
        node_class: npt.NDArray[np.uint32],
        listed: npt.NDArray[np.uint32],
        placed: npt.NDArray[np.void],
        unplaced: npt.NDArray[np.void],
        node_bound: Bound | None = None,
        gap: float = -1.0,
        cost: float = -1.0,
        cost_bound: Bound | None = None,
        inherited_violations: int = 0,
        moves: int = 0,
        ucac: float = -1.0,
        ucac_resource: int = 4294967295,
        ucac_bound: Bound | None = None,
        node_ucac: npt.NDArray[np.float64] | None = None,
        objective: int = 0,
        rule_violations: int = 0,
        violating_replicas: int = 0,
        violation_extent: float = 0.0,
        violation_weight: float = 0.0,
        violation_cost: float = -1.0,
        has_score: bool = False,
        score: float = 0.0,
        score_bound: float = 0.0,
        score_gap: float = -1.0,
        pace: int = 0,
        copies: npt.NDArray[np.uint32] | None = None,
        soft: int = 0,
        soft_price: float = 0.0,
        fill: bool = False,
        notes: list[Note] | None = None,
        left_over_bound: npt.NDArray[np.void] | None = None,
        places_most: bool = False,
        max_cost: float = -1.0,
        max_cost_bound: Bound | None = None,
        total_cost: float = -1.0,
        total_cost_bound: Bound | None = None,
        node_max_cost: npt.NDArray[np.float64] | None = None,
        max_cost_limit: float = 0.0,
        left_out: float = -1.0,
        left_out_bound: Bound | None = None,
        remote_traffic: float = -1.0,
        remote_traffic_bound: Bound | None = None,
        reserved: npt.NDArray[np.void] | None = None,
        unreserved: npt.NDArray[np.void] | None = None,
        survive: str | None = None,
        not_survived: int = 0,
        leave_free: str | None = None,
        domains_in_use: int = 0,
        domain_bound: int = 0,
        goals: list[ReachedGoal] | None = None,
        trace: list[TracedPart] | None = None,
    ) -> None:
        self.format = format
        self.instance = instance
        self.planner = planner
        self.status = status
        self.seed = seed
        self.work = work
        self.node_class = node_class
        self.listed = listed
        self.placed = placed
        self.unplaced = unplaced
        self.node_bound = node_bound
        self.gap = gap
        self.cost = cost
        self.cost_bound = cost_bound
        self.inherited_violations = inherited_violations
        self.moves = moves
        self.ucac = ucac
        self.ucac_resource = ucac_resource
        self.ucac_bound = ucac_bound
        self.node_ucac = node_ucac
        self.objective = objective
        self.rule_violations = rule_violations
        self.violating_replicas = violating_replicas
        self.violation_extent = violation_extent
        self.violation_weight = violation_weight
        self.violation_cost = violation_cost
        self.has_score = has_score
        self.score = score
        self.score_bound = score_bound
        self.score_gap = score_gap
        self.pace = pace
        self.copies = copies
        self.soft = soft
        self.soft_price = soft_price
        self.fill = fill
        self.notes = [] if notes is None else notes
        self.left_over_bound = left_over_bound
        self.places_most = places_most
        self.max_cost = max_cost
        self.max_cost_bound = max_cost_bound
        self.total_cost = total_cost
        self.total_cost_bound = total_cost_bound
        self.node_max_cost = node_max_cost
        self.max_cost_limit = max_cost_limit
        self.left_out = left_out
        self.left_out_bound = left_out_bound
        self.remote_traffic = remote_traffic
        self.remote_traffic_bound = remote_traffic_bound
        self.reserved = reserved
        self.unreserved = unreserved
        self.survive = survive
        self.not_survived = not_survived
        self.leave_free = leave_free
        self.domains_in_use = domains_in_use
        self.domain_bound = domain_bound
        self.goals = [] if goals is None else goals
        self.trace = [] if trace is None else trace


Plan.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("instance", 6, Scalar("Q", 0, int)),
    Field("planner", 8, Text()),
    Field("status", 10, Scalar("B", PlanStatus(0), PlanStatus)),
    Field("seed", 12, Scalar("Q", 0, int)),
    Field("work", 14, Scalar("Q", 0, int)),
    Field("node_class", 16, Column("uint32")),
    Field("listed", 18, Column("uint32")),
    Field("placed", 20, Column(_PLACED)),
    Field("unplaced", 22, Column(_UNPLACED)),
    Field("node_bound", 24, Table(Bound)),
    Field("gap", 26, Scalar("d", -1.0, float)),
    Field("cost", 28, Scalar("d", -1.0, float)),
    Field("cost_bound", 30, Table(Bound)),
    Field("inherited_violations", 32, Scalar("I", 0, int)),
    Field("moves", 34, Scalar("I", 0, int)),
    Field("ucac", 36, Scalar("d", -1.0, float)),
    Field("ucac_resource", 38, Scalar("I", 4294967295, int)),
    Field("ucac_bound", 40, Table(Bound)),
    Field("node_ucac", 42, Column("float64")),
    Field("objective", 44, Scalar("B", 0, int)),
    Field("rule_violations", 46, Scalar("Q", 0, int)),
    Field("violating_replicas", 48, Scalar("Q", 0, int)),
    Field("violation_extent", 50, Scalar("d", 0.0, float)),
    Field("violation_weight", 52, Scalar("d", 0.0, float)),
    Field("violation_cost", 54, Scalar("d", -1.0, float)),
    Field("has_score", 56, Scalar("?", False, bool)),
    Field("score", 58, Scalar("d", 0.0, float)),
    Field("score_bound", 60, Scalar("d", 0.0, float)),
    Field("score_gap", 62, Scalar("d", -1.0, float)),
    Field("pace", 64, Scalar("Q", 0, int)),
    Field("copies", 66, Column("uint32")),
    Field("soft", 68, Scalar("B", 0, int)),
    Field("soft_price", 70, Scalar("d", 0.0, float)),
    Field("fill", 72, Scalar("?", False, bool)),
    Field("notes", 74, Tables(Note)),
    Field("left_over_bound", 76, Column(_LEFT_OVER)),
    Field("places_most", 78, Scalar("?", False, bool)),
    Field("max_cost", 80, Scalar("d", -1.0, float)),
    Field("max_cost_bound", 82, Table(Bound)),
    Field("total_cost", 84, Scalar("d", -1.0, float)),
    Field("total_cost_bound", 86, Table(Bound)),
    Field("node_max_cost", 88, Column("float64")),
    Field("max_cost_limit", 90, Scalar("d", 0.0, float)),
    Field("left_out", 92, Scalar("d", -1.0, float)),
    Field("left_out_bound", 94, Table(Bound)),
    Field("remote_traffic", 96, Scalar("d", -1.0, float)),
    Field("remote_traffic_bound", 98, Table(Bound)),
    Field("reserved", 100, Column(_PLACED)),
    Field("unreserved", 102, Column(_UNPLACED)),
    Field("survive", 104, Text()),
    Field("not_survived", 106, Scalar("Q", 0, int)),
    Field("leave_free", 108, Text()),
    Field("domains_in_use", 110, Scalar("I", 0, int)),
    Field("domain_bound", 112, Scalar("I", 0, int)),
    Field("goals", 114, Tables(ReachedGoal)),
    Field("trace", 116, Tables(TracedPart)),
)


class ViolationKind(enum.IntEnum):
    """Which constraint is broken, and what the fields of the Violation say."""

    #: Demand above capacity: the node holds `amount` of `resource` in `period`, its capacity is `limit`.
    CAPACITY = 0
    #: The node holds `amount` replicas of `app` beside `other`, which allows `limit`.
    AFFINITY_LIMIT = 1
    #: The node holds `amount` replicas of `app`, whose own limit per node is `limit`.
    SELF_LIMIT = 2
    #: `amount` replicas of `app` are placed or reported unplaced; the instance wants `limit`.
    REPLICA_COUNT = 3
    #: The node holds `amount` replicas of `app`; `limit` are pinned there.
    PIN = 4
    #: `amount` nodes of class `other` are in use; `limit` exist.
    CLASS_COUNT = 5
    #: The plan's node refers to a class or a listed node that does not exist, to a listed node that an earlier node refers to,
    #: or to the wrong class; or its number of copies is 0, is above 1 for a listed node, or raises the plan's total above
    #: max_nodes.
    BAD_NODE = 6
    #: A placed entry refers to an app or node that does not exist, has 0 replicas, or repeats an earlier entry's app and node.
    BAD_ENTRY = 7
    #: `amount` running replicas were moved; the budget is `limit`.
    MOVES = 8
    #: A closed node holds new replicas.
    CLOSED_NODE = 9
    #: The figure `what` of the plan (nodes, cost, gap, bound, status) does not follow from the plan's content.
    FIGURES = 10
    #: The plan was made for another instance.
    WRONG_INSTANCE = 11
    #: The instance uses the feature `what`, which the checker does not know and makes no statement about.
    UNCHECKED = 12
    #: Demand above capacity at confidence: mean + quantile x standard deviation of `resource` in `period` is `amount`, the
    #: capacity is `limit`.
    CAPACITY_AT_CONFIDENCE = 13
    #: The hard rule `other`, whose name is `what`, does not hold for `app` on `node`: its count is `amount`, the bound is
    #: `limit`. Both `app` and `node` are 4294967295 where the rule is about all subjects together.
    PLACEMENT_RULE = 14
    #: `app` is not eligible for the node: it asks for the tag `other`, whose name is `what`, which the node lacks (`amount` is
    #: 0, `limit` is 1), or refuses it, and the node carries it (1 and 0).
    ELIGIBILITY = 15
    #: Side effects cost a replica of kind `other` on `node` `amount`; at most `limit` is allowed.
    SIDE_EFFECTS = 16
    #: The devices of `resource` do not suffice: replicas and load on the node take `amount` of them by first fit decreasing, and
    #: no other way needs only the `limit` that it has.
    DEVICES = 17
    #: What the plan says in `what` of the room that it keeps or the losses that it survives does not hold. "unreserved": with these
    #: replicas, the instance would be refused. "not_survived": the worst loss leaves more, `amount`, than the plan says, `limit`.
    PROMISE = 18


class Violation(Record):
    """A broken constraint. Its kind says what the other fields are; an index that does not apply is 4294967295."""

    kind: ViolationKind
    #: True: the constraint was broken before planning, and the plan makes it no worse.
    inherited: bool
    node: int
    app: int
    other: int
    resource: int
    period: int
    amount: float
    limit: float
    #: The figure, feature or rule that the kind refers to, such as "cost" for kind Figures.
    what: str | None

    def __init__(
        self,
        *,
        kind: ViolationKind = ViolationKind(0),
        inherited: bool = False,
        node: int = 4294967295,
        app: int = 4294967295,
        other: int = 4294967295,
        resource: int = 4294967295,
        period: int = 4294967295,
        amount: float = 0.0,
        limit: float = 0.0,
        what: str | None = None,
    ) -> None:
        self.kind = kind
        self.inherited = inherited
        self.node = node
        self.app = app
        self.other = other
        self.resource = resource
        self.period = period
        self.amount = amount
        self.limit = limit
        self.what = what


Violation.FIELDS = (
    Field("kind", 4, Scalar("B", ViolationKind(0), ViolationKind)),
    Field("inherited", 6, Scalar("?", False, bool)),
    Field("node", 8, Scalar("I", 4294967295, int)),
    Field("app", 10, Scalar("I", 4294967295, int)),
    Field("other", 12, Scalar("I", 4294967295, int)),
    Field("resource", 14, Scalar("I", 4294967295, int)),
    Field("period", 16, Scalar("I", 4294967295, int)),
    Field("amount", 18, Scalar("d", 0.0, float)),
    Field("limit", 20, Scalar("d", 0.0, float)),
    Field("what", 22, Text()),
)


class RuleViolation(Record):
    """A placement rule and replicas for which it does not hold."""

    #: Index into `Instance.rules`.
    rule: int
    hard: bool
    #: True: the rule is hard, was broken before planning, and the plan makes it no worse.
    inherited: bool
    #: The rule does not hold for `replicas` replicas of `app` on the plan's node `node` and on each of its copies. For
    #: conditions on the number of sets or on skew, node and app are 4294967295 and `replicas` is 1.
    node: int
    app: int
    replicas: int
    #: Extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq. 8).
    extent: float
    #: The count that misses its bound by most, and that bound.
    amount: float
    limit: float
    weight: float

    def __init__(
        self,
        *,
        rule: int = 0,
        hard: bool = False,
        inherited: bool = False,
        node: int = 4294967295,
        app: int = 4294967295,
        replicas: int = 0,
        extent: float = 0.0,
        amount: float = 0.0,
        limit: float = 0.0,
        weight: float = 0.0,
    ) -> None:
        self.rule = rule
        self.hard = hard
        self.inherited = inherited
        self.node = node
        self.app = app
        self.replicas = replicas
        self.extent = extent
        self.amount = amount
        self.limit = limit
        self.weight = weight


RuleViolation.FIELDS = (
    Field("rule", 4, Scalar("I", 0, int)),
    Field("hard", 6, Scalar("?", False, bool)),
    Field("inherited", 8, Scalar("?", False, bool)),
    Field("node", 10, Scalar("I", 4294967295, int)),
    Field("app", 12, Scalar("I", 4294967295, int)),
    Field("replicas", 14, Scalar("I", 0, int)),
    Field("extent", 16, Scalar("d", 0.0, float)),
    Field("amount", 18, Scalar("d", 0.0, float)),
    Field("limit", 20, Scalar("d", 0.0, float)),
    Field("weight", 22, Scalar("d", 0.0, float)),
)


class ClusterMetrics(Record):
    """The state of the cluster under a plan."""

    #: Applications that want replicas, and applications that are placed in full. Apps that share a tag that begins with "appID:"
    #: are one application.
    applications: int
    applications_placed: int
    #: Nodes that exist, and nodes in use. Of a class without a count, only nodes in use exist.
    nodes: int
    nodes_used: int
    #: Fragmented nodes (P2, section 7.4): less of some resource is free than the smallest demand for it, and some resource is
    #: not full.
    fragmented_nodes: int
    #: Coefficient of variation of the nodes' peak utilization over periods. Length: resources.
    imbalance: npt.NDArray[np.float64] | None
    #: As the fields of the same names in Plan, recounted by the checker.
    rule_violations: int
    violating_replicas: int
    violation_extent: float
    violation_weight: float
    violation_cost: float

    def __init__(
        self,
        *,
        applications: int = 0,
        applications_placed: int = 0,
        nodes: int = 0,
        nodes_used: int = 0,
        fragmented_nodes: int = 0,
        imbalance: npt.NDArray[np.float64] | None = None,
        rule_violations: int = 0,
        violating_replicas: int = 0,
        violation_extent: float = 0.0,
        violation_weight: float = 0.0,
        violation_cost: float = 0.0,
    ) -> None:
        self.applications = applications
        self.applications_placed = applications_placed
        self.nodes = nodes
        self.nodes_used = nodes_used
        self.fragmented_nodes = fragmented_nodes
        self.imbalance = imbalance
        self.rule_violations = rule_violations
        self.violating_replicas = violating_replicas
        self.violation_extent = violation_extent
        self.violation_weight = violation_weight
        self.violation_cost = violation_cost


ClusterMetrics.FIELDS = (
    Field("applications", 4, Scalar("Q", 0, int)),
    Field("applications_placed", 6, Scalar("Q", 0, int)),
    Field("nodes", 8, Scalar("Q", 0, int)),
    Field("nodes_used", 10, Scalar("Q", 0, int)),
    Field("fragmented_nodes", 12, Scalar("Q", 0, int)),
    Field("imbalance", 14, Column("float64")),
    Field("rule_violations", 16, Scalar("Q", 0, int)),
    Field("violating_replicas", 18, Scalar("Q", 0, int)),
    Field("violation_extent", 20, Scalar("d", 0.0, float)),
    Field("violation_weight", 22, Scalar("d", 0.0, float)),
    Field("violation_cost", 24, Scalar("d", 0.0, float)),
)


class Verification(Record):
    """The independent checker's findings on one plan."""

    ok: bool
    nodes: int
    placed: int
    unplaced: int
    cost: float
    #: Violations that are new or worse than at the start. All are counted, on each copy of a node. `violations` lists the first
    #: 1000, where a node and its copies are one entry.
    violation_count: int
    inherited_count: int
    violations: list[Violation]
    #: Highest utilization of each resource over the periods: (load + daemon load + demand) / capacity, both summed over the
    #: nodes in use. Length: resources.
    utilization: npt.NDArray[np.float64] | None
    #: Used capacity at confidence as Plan.ucac, recomputed by the checker; negative where no demand is uncertain.
    ucac: float
    metrics: ClusterMetrics | None
    #: Violations of placement rules, hard and soft: the first 1000.
    rule_violations: list[RuleViolation]
    #: As Plan.max_cost, Plan.total_cost and Plan.node_max_cost, recomputed by the checker.
    max_cost: float
    total_cost: float
    node_max_cost: npt.NDArray[np.float64] | None

    def __init__(
        self,
        *,
        ok: bool = False,
        nodes: int = 0,
        placed: int = 0,
        unplaced: int = 0,
        cost: float = -1.0,
        violation_count: int = 0,
        inherited_count: int = 0,
        violations: list[Violation] | None = None,
        utilization: npt.NDArray[np.float64] | None = None,
        ucac: float = -1.0,
        metrics: ClusterMetrics | None = None,
        rule_violations: list[RuleViolation] | None = None,
        max_cost: float = -1.0,
        total_cost: float = -1.0,
        node_max_cost: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.ok = ok
        self.nodes = nodes
        self.placed = placed
        self.unplaced = unplaced
        self.cost = cost
        self.violation_count = violation_count
        self.inherited_count = inherited_count
        self.violations = [] if violations is None else violations
        self.utilization = utilization
        self.ucac = ucac
        self.metrics = metrics
        self.rule_violations = [] if rule_violations is None else rule_violations
        self.max_cost = max_cost
        self.total_cost = total_cost
        self.node_max_cost = node_max_cost


Verification.FIELDS = (
    Field("ok", 4, Scalar("?", False, bool)),
    Field("nodes", 6, Scalar("Q", 0, int)),
    Field("placed", 8, Scalar("Q", 0, int)),
    Field("unplaced", 10, Scalar("Q", 0, int)),
    Field("cost", 12, Scalar("d", -1.0, float)),
    Field("violation_count", 14, Scalar("Q", 0, int)),
    Field("inherited_count", 16, Scalar("Q", 0, int)),
    Field("violations", 18, Tables(Violation)),
    Field("utilization", 20, Column("float64")),
    Field("ucac", 22, Scalar("d", -1.0, float)),
    Field("metrics", 24, Table(ClusterMetrics)),
    Field("rule_violations", 26, Tables(RuleViolation)),
    Field("max_cost", 28, Scalar("d", -1.0, float)),
    Field("total_cost", 30, Scalar("d", -1.0, float)),
    Field("node_max_cost", 32, Column("float64")),
)


class ObstacleKind(enum.IntEnum):
    """What keeps a replica off a node, and what the fields of the Obstacle say."""

    #: The node lacks `amount` of `resource` in `period`, in the resource's unit.
    CAPACITY = 0
    #: `other`, which is on the node, allows `limit` replicas of the app; there would be `amount`.
    AFFINITY_LIMIT = 1
    #: The app allows `limit` replicas of `other` beside it; the node holds `amount`.
    IMPOSED_LIMIT = 2
    #: The app's own limit per node is `limit`; there would be `amount`.
    SELF_LIMIT = 3
    #: The node is closed: it accepts no new replicas.
    CLOSED_NODE = 4
    #: The mean demand fits, but at the instance's confidence the node lacks `amount` of `resource` in `period`.
    CAPACITY_AT_CONFIDENCE = 5
    #: The hard placement rule `other`, an index into `Instance.rules`, allows `limit` more replicas of the app on the node.
    PLACEMENT_RULE = 6
    #: The app is not eligible for the node. `other` is an index into `Instance.tags`: the app asks for this tag, which the node
    #: lacks (`limit` is 1), or refuses it, and the node carries it (`limit` is 0).
    ELIGIBILITY = 7
    #: Side effects would cost a replica of kind `other`, an index into `Interference.kinds`, `amount`; at most `limit` is allowed.
    SIDE_EFFECTS = 8
    #: The node has room for what the replica takes of `resource`, `amount`, but not on one device or on whole ones: `limit` is
    #: free on all devices together.
    DEVICES = 9


class Obstacle(Record):
    """What keeps a replica off a node. Its kind says what the other fields are; an index that does not apply is 4294967295."""

    kind: ObstacleKind
    resource: int
    period: int
    other: int
    amount: float
    limit: float

    def __init__(
        self,
        *,
        kind: ObstacleKind = ObstacleKind(0),
        resource: int = 4294967295,
        period: int = 4294967295,
        other: int = 4294967295,
        amount: float = 0.0,
        limit: float = 0.0,
    ) -> None:
        self.kind = kind
        self.resource = resource
        self.period = period
        self.other = other
        self.amount = amount
        self.limit = limit


Obstacle.FIELDS = (
    Field("kind", 4, Scalar("B", ObstacleKind(0), ObstacleKind)),
    Field("resource", 6, Scalar("I", 4294967295, int)),
    Field("period", 8, Scalar("I", 4294967295, int)),
    Field("other", 10, Scalar("I", 4294967295, int)),
    Field("amount", 12, Scalar("d", 0.0, float)),
    Field("limit", 14, Scalar("d", 0.0, float)),
)


class CloseNode(Record):
    """A node that comes close to accepting one more replica of the app, with all obstacles there."""

    #: Index into the plan's nodes; 4294967295 = a new, empty node of `node_class`.
    node: int
    node_class: int
    obstacles: list[Obstacle]
    #: Sum of the shortfalls as shares of capacity, plus 1 per failing limit. A smaller distance is closer.
    distance: float
    #: Index of the listed node that is meant, where the plan does not use it; 4294967295 = a node of the plan or a new one.
    listed: int

    def __init__(
        self,
        *,
        node: int = 0,
        node_class: int = 0,
        obstacles: list[Obstacle] | None = None,
        distance: float = 0.0,
        listed: int = 4294967295,
    ) -> None:
        self.node = node
        self.node_class = node_class
        self.obstacles = [] if obstacles is None else obstacles
        self.distance = distance
        self.listed = listed


CloseNode.FIELDS = (
    Field("node", 4, Scalar("I", 0, int)),
    Field("node_class", 6, Scalar("I", 0, int)),
    Field("obstacles", 8, Tables(Obstacle)),
    Field("distance", 10, Scalar("d", 0.0, float)),
    Field("listed", 12, Scalar("I", 4294967295, int)),
)


class RelaxationKind(enum.IntEnum):
    """How room is made for one more replica."""

    #: No relaxation of this model helps.
    NONE = 0
    #: One more node of class `node_class`.
    ADD_NODE = 1
    #: `amount` more of `resource` on node `node`; with node 4294967295, on each node of `node_class`.
    ADD_CAPACITY = 2
    #: Raise the limit that `beside` imposes on `app` to `amount`; seen on node `node`.
    RAISE_LIMIT = 3
    #: Open node `node`.
    OPEN_NODE = 4
    #: Raise `max` of condition `condition` of the hard placement rule `rule` to `amount`; seen on node `node`.
    RAISE_MAXIMUM = 5
    #: Lower `min` of condition `condition` of the hard placement rule `rule` to `amount`; seen on node `node`.
    LOWER_MINIMUM = 6
    #: Make the placement rule `rule` soft; seen on node `node`.
    SOFTEN_RULE = 7
    #: Take the tag `tag` out of what `app` asks for or refuses; seen on node `node`.
    ADMIT_TAG = 8
    #: Let side effects cost a replica of kind `suffering_kind` up to `amount`; seen on node `node`.
    RAISE_MAX_COST = 9


class Relaxation(Record):
    """A change of the instance that makes room for one more replica."""

    kind: RelaxationKind
    node: int
    node_class: int
    #: The app that imposes the limit to raise, and the app that it limits.
    beside: int
    app: int
    resource: int
    amount: float
    #: Index into `Instance.rules`.
    rule: int
    #: Index of the condition in the rule's only conjunction.
    condition: int
    #: Index into `Instance.tags`.
    tag: int
    #: Index into `Interference.kinds`.
    suffering_kind: int
    #: As CloseNode.listed: the listed node that the plan does not use and on which this was seen; 4294967295 = none.
    listed: int

    def __init__(
        self,
        *,
        kind: RelaxationKind = RelaxationKind(0),
        node: int = 4294967295,
        node_class: int = 4294967295,
        beside: int = 4294967295,
        app: int = 4294967295,
        resource: int = 4294967295,
        amount: float = 0.0,
        rule: int = 4294967295,
        condition: int = 4294967295,
        tag: int = 4294967295,
        suffering_kind: int = 4294967295,
        listed: int = 4294967295,
    ) -> None:
        self.kind = kind
        self.node = node
        self.node_class = node_class
        self.beside = beside
        self.app = app
        self.resource = resource
        self.amount = amount
        self.rule = rule
        self.condition = condition
        self.tag = tag
        self.suffering_kind = suffering_kind
        self.listed = listed


Relaxation.FIELDS = (
    Field("kind", 4, Scalar("B", RelaxationKind(0), RelaxationKind)),
    Field("node", 6, Scalar("I", 4294967295, int)),
    Field("node_class", 8, Scalar("I", 4294967295, int)),
    Field("beside", 10, Scalar("I", 4294967295, int)),
    Field("app", 12, Scalar("I", 4294967295, int)),
    Field("resource", 14, Scalar("I", 4294967295, int)),
    Field("amount", 16, Scalar("d", 0.0, float)),
    Field("rule", 18, Scalar("I", 4294967295, int)),
    Field("condition", 20, Scalar("I", 4294967295, int)),
    Field("tag", 22, Scalar("I", 4294967295, int)),
    Field("suffering_kind", 24, Scalar("I", 4294967295, int)),
    Field("listed", 26, Scalar("I", 4294967295, int)),
)


class AppExplanation(Record):
    """Why an app's replicas are unplaced."""

    app: int
    unplaced: int
    #: Nodes of the plan that accept one more replica.
    open_nodes: int
    #: Nodes of the plan that refuse one more replica: for lack of capacity alone, for limits or rules alone, for both.
    blocked_by_capacity: int
    blocked_by_limits: int
    blocked_by_both: int
    closest: list[CloseNode]
    #: Smallest first.
    relaxations: list[Relaxation]

    def __init__(
        self,
        *,
        app: int = 0,
        unplaced: int = 0,
        open_nodes: int = 0,
        blocked_by_capacity: int = 0,
        blocked_by_limits: int = 0,
        blocked_by_both: int = 0,
        closest: list[CloseNode] | None = None,
        relaxations: list[Relaxation] | None = None,
    ) -> None:
        self.app = app
        self.unplaced = unplaced
        self.open_nodes = open_nodes
        self.blocked_by_capacity = blocked_by_capacity
        self.blocked_by_limits = blocked_by_limits
        self.blocked_by_both = blocked_by_both
        self.closest = [] if closest is None else closest
        self.relaxations = [] if relaxations is None else relaxations


AppExplanation.FIELDS = (
    Field("app", 4, Scalar("I", 0, int)),
    Field("unplaced", 6, Scalar("I", 0, int)),
    Field("open_nodes", 8, Scalar("Q", 0, int)),
    Field("blocked_by_capacity", 10, Scalar("Q", 0, int)),
    Field("blocked_by_limits", 12, Scalar("Q", 0, int)),
    Field("blocked_by_both", 14, Scalar("Q", 0, int)),
    Field("closest", 16, Tables(CloseNode)),
    Field("relaxations", 18, Tables(Relaxation)),
)


class DriverKind(enum.IntEnum):
    """Why a plan needs this many nodes."""

    #: The demand for `resource` in `period` needs `nodes` nodes, by capacity alone.
    CAPACITY = 0
    #: Replicas that demand more than half a node's `resource` in `period` need `nodes` nodes.
    LARGE_ITEMS = 1
    #: The same planner needs `nodes` nodes without affinity limits.
    WITHOUT_LIMITS = 2
    #: The same planner needs `nodes` nodes without `resource`.
    WITHOUT_RESOURCE = 3
    #: The same planner needs `nodes` nodes when demand is constant at its mean over the periods.
    WITHOUT_PERIODS = 4
    #: The replicas of `app` need `nodes` nodes by themselves: more do not fit together on a node.
    SELF_LIMIT = 5
    #: The same planner needs `nodes` nodes when all demand is certain, at its mean.
    WITHOUT_UNCERTAINTY = 6
    #: The same planner needs `nodes` nodes when side effects may cost any amount.
    WITHOUT_COST_LIMITS = 7
    #: `nodes` nodes of the plan hold all its replicas; the others are kept for losses, or for replicas that there is to be room
    #: for.
    WITHOUT_PROMISES = 8


class Driver(Record):
    """One reason why a plan needs this many nodes."""

    kind: DriverKind
    resource: int
    period: int
    app: int
    nodes: float
    #: What these nodes cost; negative without prices, and where any nodes would do.
    cost: float

    def __init__(
        self,
        *,
        kind: DriverKind = DriverKind(0),
        resource: int = 4294967295,
        period: int = 4294967295,
        app: int = 4294967295,
        nodes: float = 0.0,
        cost: float = -1.0,
    ) -> None:
        self.kind = kind
        self.resource = resource
        self.period = period
        self.app = app
        self.nodes = nodes
        self.cost = cost


Driver.FIELDS = (
    Field("kind", 4, Scalar("B", DriverKind(0), DriverKind)),
    Field("resource", 6, Scalar("I", 4294967295, int)),
    Field("period", 8, Scalar("I", 4294967295, int)),
    Field("app", 10, Scalar("I", 4294967295, int)),
    Field("nodes", 12, Scalar("d", 0.0, float)),
    Field("cost", 14, Scalar("d", -1.0, float)),
)


class ResourceUse(Record):
    """The use of a resource in the period where it is highest."""

    resource: int
    #: Period of highest demand.
    peak_period: int
    #: Demand placed in the peak period, load and daemon load included, and capacity of the nodes in use, in the resource's unit.
    demand: float
    capacity: float
    #: Free capacity in the peak period on nodes that accept no replica of any app that demands the resource. Only the 64
    #: smallest such apps are tried.
    stranded: float

    def __init__(
        self,
        *,
        resource: int = 0,
        peak_period: int = 0,
        demand: float = 0.0,
        capacity: float = 0.0,
        stranded: float = 0.0,
    ) -> None:
        self.resource = resource
        self.peak_period = peak_period
        self.demand = demand
        self.capacity = capacity
        self.stranded = stranded


ResourceUse.FIELDS = (
    Field("resource", 4, Scalar("I", 0, int)),
    Field("peak_period", 6, Scalar("I", 0, int)),
    Field("demand", 8, Scalar("d", 0.0, float)),
    Field("capacity", 10, Scalar("d", 0.0, float)),
    Field("stranded", 12, Scalar("d", 0.0, float)),
)


class Suffering(Record):
    """The replica that suffers most from side effects, and one move that would help."""

    #: Index into the plan's nodes.
    node: int
    #: The first app of its kind on the node.
    app: int
    cost: float
    #: What the load of each kind on the node adds to the cost. Length: kinds.
    from_kind: npt.NDArray[np.float64] | None
    #: The move of one replica of `moving` to node `to` of the plan, which takes it: of those tried, the one after which the worse
    #: of both nodes suffers least. 4294967295: none helps. At most 16 apps and 4,096 nodes are tried.
    moving: int
    to: int
    #: Cost of who then suffers most on `node` and on `to`.
    cost_after: float
    cost_there: float

    def __init__(
        self,
        *,
        node: int = 0,
        app: int = 0,
        cost: float = 0.0,
        from_kind: npt.NDArray[np.float64] | None = None,
        moving: int = 4294967295,
        to: int = 4294967295,
        cost_after: float = 0.0,
        cost_there: float = 0.0,
    ) -> None:
        self.node = node
        self.app = app
        self.cost = cost
        self.from_kind = from_kind
        self.moving = moving
        self.to = to
        self.cost_after = cost_after
        self.cost_there = cost_there


Suffering.FIELDS = (
    Field("node", 4, Scalar("I", 0, int)),
    Field("app", 6, Scalar("I", 0, int)),
    Field("cost", 8, Scalar("d", 0.0, float)),
    Field("from_kind", 10, Column("float64")),
    Field("moving", 12, Scalar("I", 4294967295, int)),
    Field("to", 14, Scalar("I", 4294967295, int)),
    Field("cost_after", 16, Scalar("d", 0.0, float)),
    Field("cost_there", 18, Scalar("d", 0.0, float)),
)


class Explanation(Record):
    """What determines a plan's number of nodes, and why replicas are unplaced."""

    nodes: int
    #: The largest bound of the plan and of those that need no search; 0 where none is known.
    node_bound: float
    drivers: list[Driver]
    resources: list[ResourceUse]
    #: The app asked for, or the apps with the most unplaced replicas: at most 100, in descending order.
    apps: list[AppExplanation]
    #: Overridden placement rules: rule overridden[k] of an application contradicts the operator's rule overridden_by[k], which
    #: prevails. Indices into `Instance.rules`, both vectors of the same length.
    overridden: npt.NDArray[np.uint32] | None
    overridden_by: npt.NDArray[np.uint32] | None
    #: Absent without an interference table or without replicas.
    suffering: Suffering | None
    #: The same of the cost; 0 without prices, too.
    cost_bound: float

    def __init__(
        self,
        *,
        nodes: int = 0,
        node_bound: float = 0.0,
        drivers: list[Driver] | None = None,
        resources: list[ResourceUse] | None = None,
        apps: list[AppExplanation] | None = None,
        overridden: npt.NDArray[np.uint32] | None = None,
        overridden_by: npt.NDArray[np.uint32] | None = None,
        suffering: Suffering | None = None,
        cost_bound: float = 0.0,
    ) -> None:
        self.nodes = nodes
        self.node_bound = node_bound
        self.drivers = [] if drivers is None else drivers
        self.resources = [] if resources is None else resources
        self.apps = [] if apps is None else apps
        self.overridden = overridden
        self.overridden_by = overridden_by
        self.suffering = suffering
        self.cost_bound = cost_bound


Explanation.FIELDS = (
    Field("nodes", 4, Scalar("Q", 0, int)),
    Field("node_bound", 6, Scalar("d", 0.0, float)),
    Field("drivers", 8, Tables(Driver)),
    Field("resources", 10, Tables(ResourceUse)),
    Field("apps", 12, Tables(AppExplanation)),
    Field("overridden", 14, Column("uint32")),
    Field("overridden_by", 16, Column("uint32")),
    Field("suffering", 18, Table(Suffering)),
    Field("cost_bound", 20, Scalar("d", 0.0, float)),
)


class Headroom(Record):
    """How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant."""

    #: Most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none. Length: nodes of the
    #: plan, as of the next two.
    room: npt.NDArray[np.uint32] | None
    #: 1: the node lacks capacity for one more. 1: limits, rules, side effects, tags or its being closed refuse one more there.
    lacks_capacity: npt.NDArray[np.uint8] | None
    forbidden: npt.NDArray[np.uint8] | None
    #: What keeps one more off the node that was asked for; empty if it takes one or none was asked for.
    obstacles: list[Obstacle]

    def __init__(
        self,
        *,
        room: npt.NDArray[np.uint32] | None = None,
        lacks_capacity: npt.NDArray[np.uint8] | None = None,
        forbidden: npt.NDArray[np.uint8] | None = None,
        obstacles: list[Obstacle] | None = None,
    ) -> None:
        self.room = room
        self.lacks_capacity = lacks_capacity
        self.forbidden = forbidden
        self.obstacles = [] if obstacles is None else obstacles


Headroom.FIELDS = (
    Field("room", 4, Column("uint32")),
    Field("lacks_capacity", 6, Column("uint8")),
    Field("forbidden", 8, Column("uint8")),
    Field("obstacles", 10, Tables(Obstacle)),
)


class HeadroomOfApps(Record):
    """How many more replicas of each app a cluster takes, where one app grows at a time. Length of each vector: apps."""

    #: Sum over the plan's nodes, each copy by itself, of the most replicas that the node takes.
    room: npt.NDArray[np.uint64] | None
    #: Nodes of the plan, each copy by itself, that take at least one, and the most that one of them takes.
    nodes: npt.NDArray[np.uint64] | None
    most: npt.NDArray[np.uint32] | None
    #: The sum over nodes that exist and that the plan does not use. Of a class without a count, none exists.
    spare_room: npt.NDArray[np.uint64] | None
    #: 1: a hard placement rule counts the app over several nodes, or asks for something near it, so that what one node takes
    #: changes what others take: `room` and `spare_room` are upper bounds. 0: they are exact.
    coupled: npt.NDArray[np.uint8] | None

    def __init__(
        self,
        *,
        room: npt.NDArray[np.uint64] | None = None,
        nodes: npt.NDArray[np.uint64] | None = None,
        most: npt.NDArray[np.uint32] | None = None,
        spare_room: npt.NDArray[np.uint64] | None = None,
        coupled: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        self.room = room
        self.nodes = nodes
        self.most = most
        self.spare_room = spare_room
        self.coupled = coupled


HeadroomOfApps.FIELDS = (
    Field("room", 4, Column("uint64")),
    Field("nodes", 6, Column("uint64")),
    Field("most", 8, Column("uint32")),
    Field("spare_room", 10, Column("uint64")),
    Field("coupled", 12, Column("uint8")),
)


class Loss(Record):
    """What becomes of the replicas of nodes that are lost together, all others staying where they are. Nodes are numbered as for
    Move: the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself."""

    #: The value of the label; empty where nodes were asked for by number.
    name: str | None
    #: The lost nodes, ascending.
    nodes: npt.NDArray[np.uint32] | None
    #: Replicas on them, and how many of these find no place.
    replicas: int
    left: int
    #: Where the lost replicas go: `count[k]` of `app[k]` to the node `to[k]`, or nowhere (4294967295). By app, then by node.
    app: npt.NDArray[np.uint32] | None
    to: npt.NDArray[np.uint32] | None
    count: npt.NDArray[np.uint32] | None
    #: What remains has `short_amount` too little of this resource free in `short_period`, in the resource's unit, so that no way to
    #: place all of them exists. 4294967295: no resource is short in all.
    short_resource: int
    short_period: int
    short_amount: float

    def __init__(
        self,
        *,
        name: str | None = None,
        nodes: npt.NDArray[np.uint32] | None = None,
        replicas: int = 0,
        left: int = 0,
        app: npt.NDArray[np.uint32] | None = None,
        to: npt.NDArray[np.uint32] | None = None,
        count: npt.NDArray[np.uint32] | None = None,
        short_resource: int = 4294967295,
        short_period: int = 4294967295,
        short_amount: float = 0.0,
    ) -> None:
        self.name = name
        self.nodes = nodes
        self.replicas = replicas
        self.left = left
        self.app = app
        self.to = to
        self.count = count
        self.short_resource = short_resource
        self.short_period = short_period
        self.short_amount = short_amount


Loss.FIELDS = (
    Field("name", 4, Text()),
    Field("nodes", 6, Column("uint32")),
    Field("replicas", 8, Scalar("Q", 0, int)),
    Field("left", 10, Scalar("Q", 0, int)),
    Field("app", 12, Column("uint32")),
    Field("to", 14, Column("uint32")),
    Field("count", 16, Column("uint32")),
    Field("short_resource", 18, Scalar("I", 4294967295, int)),
    Field("short_period", 20, Scalar("I", 4294967295, int)),
    Field("short_amount", 22, Scalar("d", 0.0, float)),
)


class Losses(Record):
    """Worst first: with the most replicas left, then with the most replicas."""

    losses: list[Loss]

    def __init__(
        self,
        *,
        losses: list[Loss] | None = None,
    ) -> None:
        self.losses = [] if losses is None else losses


Losses.FIELDS = (
    Field("losses", 4, Tables(Loss)),
)


#: One replica that changes its node. Nodes: the instance's listed nodes by their index, then the plan's anonymous nodes in its
#: order, each copy by itself.
_MOVE = (
    ("app", "uint32"),
    ("from", "uint32"),
    ("to", "uint32"),
    ("detour", "bool"),
)


class MoveOrder(Record):
    """The way from what runs to a plan. Every hard constraint holds at every step."""

    #: Wave by wave. The moves of a wave run at the same time, in any order. Replicas that begin to run come last.
    moves: npt.NDArray[np.void] | None
    #: Per wave: the number of moves up to its end.
    wave_ends: npt.NDArray[np.uint32] | None
    #: Moves that cannot be ordered: those of a circle on full nodes, for example, need a third place that does not exist.
    stuck: npt.NDArray[np.void] | None
    #: Replicas that change their node, each counted once, and further moves over third places.
    moved: int
    detours: int
    #: No order has fewer waves: by the limits on what happens at the same time.
    least_waves: int

    def __init__(
        self,
        *,
        moves: npt.NDArray[np.void] | None = None,
        wave_ends: npt.NDArray[np.uint32] | None = None,
        stuck: npt.NDArray[np.void] | None = None,
        moved: int = 0,
        detours: int = 0,
        least_waves: int = 0,
    ) -> None:
        self.moves = moves
        self.wave_ends = wave_ends
        self.stuck = stuck
        self.moved = moved
        self.detours = detours
        self.least_waves = least_waves


MoveOrder.FIELDS = (
    Field("moves", 4, Column(_MOVE)),
    Field("wave_ends", 6, Column("uint32")),
    Field("stuck", 8, Column(_MOVE)),
    Field("moved", 10, Scalar("I", 0, int)),
    Field("detours", 12, Scalar("I", 0, int)),
    Field("least_waves", 14, Scalar("I", 0, int)),
)


class BoundEntry(Record):
    """A lower bound on any complete plan."""

    name: str
    #: The quantity that it bounds: "nodes", "cost", "ucac", "worst" or "total".
    objective: str
    value: float
    resource: int
    period: int
    #: Source: paper, section, equation.
    source: str | None

    def __init__(
        self,
        *,
        name: str,
        objective: str,
        value: float = 0.0,
        resource: int = 0,
        period: int = 0,
        source: str | None = None,
    ) -> None:
        self.name = name
        self.objective = objective
        self.value = value
        self.resource = resource
        self.period = period
        self.source = source


BoundEntry.FIELDS = (
    Field("name", 4, Text()),
    Field("objective", 6, Text()),
    Field("value", 8, Scalar("d", 0.0, float)),
    Field("resource", 10, Scalar("I", 0, int)),
    Field("period", 12, Scalar("I", 0, int)),
    Field("source", 14, Text()),
)


class Bounds(Record):
    """Lower bounds on any complete plan, best first."""

    entries: list[BoundEntry]

    def __init__(
        self,
        *,
        entries: list[BoundEntry] | None = None,
    ) -> None:
        self.entries = [] if entries is None else entries


Bounds.FIELDS = (
    Field("entries", 4, Tables(BoundEntry)),
)


class ConflictKind(enum.IntEnum):
    """Why a part of a plan was not taken."""

    #: The plan was made for version `wanted` of the cluster, which is now at version `available`.
    VERSION = 0
    #: The app was removed.
    APP_GONE = 1
    #: `wanted` replicas were planned; `available` are still pending.
    NOT_PENDING = 2
    #: The node was removed.
    NODE_GONE = 3
    #: The node no longer accepts new replicas.
    NODE_CLOSED = 4
    #: `wanted` replicas were planned for the node; it has room for `available`.
    NO_ROOM = 5
    #: The plan moves running replicas of `app` away from `node`, from `wanted` to `available` of them. Such a plan is taken as a
    #: whole or not at all.
    MOVES = 6
    #: The part that still fits would break a placement rule.
    RULES = 7


class Conflict(Record):
    """A part of a plan that was not taken, and why. Its replicas stay pending."""

    kind: ConflictKind
    #: Absent where the conflict concerns the whole plan; `node` also where the node has no name yet.
    app: str | None
    node: str | None
    wanted: int
    available: int

    def __init__(
        self,
        *,
        kind: ConflictKind = ConflictKind(0),
        app: str | None = None,
        node: str | None = None,
        wanted: int = 0,
        available: int = 0,
    ) -> None:
        self.kind = kind
        self.app = app
        self.node = node
        self.wanted = wanted
        self.available = available


Conflict.FIELDS = (
    Field("kind", 4, Scalar("B", ConflictKind(0), ConflictKind)),
    Field("app", 6, Text()),
    Field("node", 8, Text()),
    Field("wanted", 10, Scalar("Q", 0, int)),
    Field("available", 12, Scalar("Q", 0, int)),
)


class Commit(Record):
    """What a session took of a plan."""

    #: True: some or all of the plan was taken.
    committed: bool
    #: Version of the cluster that the plan was made for, and present version.
    planned_version: int
    version: int
    #: Replicas that were pending and run now; replicas that run on another node now; replicas that ran and are pending now.
    placed: int
    moved: int
    ended: int
    #: Names of the nodes that the plan opened, in the plan's order.
    opened: list[str] | None
    conflicts: list[Conflict]

    def __init__(
        self,
        *,
        committed: bool = False,
        planned_version: int = 0,
        version: int = 0,
        placed: int = 0,
        moved: int = 0,
        ended: int = 0,
        opened: list[str] | None = None,
        conflicts: list[Conflict] | None = None,
    ) -> None:
        self.committed = committed
        self.planned_version = planned_version
        self.version = version
        self.placed = placed
        self.moved = moved
        self.ended = ended
        self.opened = opened
        self.conflicts = [] if conflicts is None else conflicts


Commit.FIELDS = (
    Field("committed", 4, Scalar("?", False, bool)),
    Field("planned_version", 6, Scalar("Q", 0, int)),
    Field("version", 8, Scalar("Q", 0, int)),
    Field("placed", 10, Scalar("Q", 0, int)),
    Field("moved", 12, Scalar("Q", 0, int)),
    Field("ended", 14, Scalar("Q", 0, int)),
    Field("opened", 16, Texts()),
    Field("conflicts", 18, Tables(Conflict)),
)


ReportBody: TypeAlias = Verification | Explanation | Bounds | Commit | Headroom | MoveOrder | HeadroomOfApps | Losses
ReportBody_TYPES: tuple[type[Record], ...] = (Verification, Explanation, Bounds, Commit, Headroom, MoveOrder, HeadroomOfApps, Losses)


class Report(Record):
    """What the library finds out about a plan."""

    format: int
    body: ReportBody

    def __init__(
        self,
        *,
        format: int = 1,
        body: ReportBody,
    ) -> None:
        self.format = format
        self.body = body


Report.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("body", 8, Union(ReportBody_TYPES)),
)


class OptionInfo(Record):
    """An option of a planner."""

    name: str
    summary: str | None
    default_number: float
    min: float
    max: float

    def __init__(
        self,
        *,
        name: str,
        summary: str | None = None,
        default_number: float = 0.0,
        min: float = 0.0,
        max: float = 0.0,
    ) -> None:
        self.name = name
        self.summary = summary
        self.default_number = default_number
        self.min = min
        self.max = max


OptionInfo.FIELDS = (
    Field("name", 4, Text()),
    Field("summary", 6, Text()),
    Field("default_number", 8, Scalar("d", 0.0, float)),
    Field("min", 10, Scalar("d", 0.0, float)),
    Field("max", 12, Scalar("d", 0.0, float)),
)


class PlannerInfo(Record):
    """An entry of the catalogue."""

    name: str
    summary: str | None
    #: Paper, section, equation.
    source: str | None
    complexity: str | None
    options: list[OptionInfo]
    #: Features of the model that the planner honours. It refuses an instance that uses any other feature.
    honours: list[str] | None
    #: Milliseconds after which a run ends where the request has neither a deadline nor a work limit; 0 = the planner ends by
    #: itself.
    default_deadline_ms: int
    #: Objectives that the planner pursues: "nodes", "ucac", "worst" and "total" as in Request.objective. "soft-rules" says that it
    #: also reduces violations of soft placement rules, whatever the request's objective; a planner without it ignores soft rules.
    objectives: list[str] | None
    #: True: the planner needs a solver of linear programs (stowage_control_set_solver) and refuses to run without one.
    needs_solver: bool

    def __init__(
        self,
        *,
        name: str,
        summary: str | None = None,
        source: str | None = None,
        complexity: str | None = None,
        options: list[OptionInfo] | None = None,
        honours: list[str] | None = None,
        default_deadline_ms: int = 0,
        objectives: list[str] | None = None,
        needs_solver: bool = False,
    ) -> None:
        self.name = name
        self.summary = summary
        self.source = source
        self.complexity = complexity
        self.options = [] if options is None else options
        self.honours = honours
        self.default_deadline_ms = default_deadline_ms
        self.objectives = objectives
        self.needs_solver = needs_solver


PlannerInfo.FIELDS = (
    Field("name", 4, Text()),
    Field("summary", 6, Text()),
    Field("source", 8, Text()),
    Field("complexity", 10, Text()),
    Field("options", 12, Tables(OptionInfo)),
    Field("honours", 14, Texts()),
    Field("default_deadline_ms", 16, Scalar("Q", 0, int)),
    Field("objectives", 18, Texts()),
    Field("needs_solver", 20, Scalar("?", False, bool)),
)


class Catalogue(Record):
    """The planners of the library."""

    format: int
    #: Version of the library.
    version: str | None
    planners: list[PlannerInfo]

    def __init__(
        self,
        *,
        format: int = 1,
        version: str | None = None,
        planners: list[PlannerInfo] | None = None,
    ) -> None:
        self.format = format
        self.version = version
        self.planners = [] if planners is None else planners


Catalogue.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("version", 6, Text()),
    Field("planners", 8, Tables(PlannerInfo)),
)


class OperationKind(enum.IntEnum):
    """What an operation does."""

    #: Adds the app `app` with `replicas` and `demand`, and with the optional fields from `priority` to `limit_at_most`, `only`
    #: and `not`.
    SUBMIT = 0
    #: Sets the number of replicas that `app` wants to `replicas`.
    SCALE = 1
    #: Removes `app` with all its replicas.
    REMOVE = 2
    #: Requires `replicas` replicas of `app` on `node`; 0 removes the pin.
    PIN = 3
    #: Adds the node `node` of class `node_class`, with `load`, `load_variance`, `daemon` and `tags`, to the given `sets`.
    ADD_NODE = 4
    #: Removes `node` for good. Its replicas are pending again.
    REMOVE_NODE = 5
    #: `node` keeps its replicas and accepts no new ones.
    CORDON = 6
    #: `node` accepts replicas again, whatever its state was.
    UNCORDON = 7
    #: Empties `node`, which accepts no replicas. Its replicas are pending again.
    DRAIN = 8
    #: `node` and its load are absent until it is uncordoned. Its replicas are pending again.
    FAIL = 9
    #: Sets the load of `node` to `load` and `load_variance`.
    LOAD = 10
    #: Adds the placement rule `rule`.
    ADD_RULE = 11
    #: Removes the placement rule with the name in `rule`.
    REMOVE_RULE = 12
    #: Sets the traffic between the apps `app` and `peer` to `amount`; 0 = they exchange none.
    TRAFFIC = 13


class NamedCardinality(Record):
    """A Cardinality of instance.fbs whose tags and group are given by name."""

    #: As CardinalityKind.
    kind: int
    subject: list[str]
    target: list[str] | None
    min: int
    max: int
    #: Name of a NodeGroup; absent, "" or "node" = each node is a set of its own.
    group: str | None
    negated: bool

    def __init__(
        self,
        *,
        kind: int = 0,
        subject: list[str],
        target: list[str] | None = None,
        min: int = 0,
        max: int = 4294967295,
        group: str | None = None,
        negated: bool = False,
    ) -> None:
        self.kind = kind
        self.subject = subject
        self.target = target
        self.min = min
        self.max = max
        self.group = group
        self.negated = negated


NamedCardinality.FIELDS = (
    Field("kind", 4, Scalar("B", 0, int)),
    Field("subject", 6, Texts()),
    Field("target", 8, Texts()),
    Field("min", 10, Scalar("I", 0, int)),
    Field("max", 12, Scalar("I", 4294967295, int)),
    Field("group", 14, Text()),
    Field("negated", 16, Scalar("?", False, bool)),
)


class NamedConjunction(Record):
    """Conditions that hold together."""

    all_of: list[NamedCardinality]

    def __init__(
        self,
        *,
        all_of: list[NamedCardinality],
    ) -> None:
        self.all_of = all_of


NamedConjunction.FIELDS = (
    Field("all_of", 4, Tables(NamedCardinality, required=True)),
)


class NamedRule(Record):
    """A PlacementRule of instance.fbs whose tags and groups are given by name."""

    name: str
    any_of: list[NamedConjunction]
    hard: bool
    weight: float
    #: As Origin.
    origin: int

    def __init__(
        self,
        *,
        name: str,
        any_of: list[NamedConjunction] | None = None,
        hard: bool = True,
        weight: float = 1.0,
        origin: int = 0,
    ) -> None:
        self.name = name
        self.any_of = [] if any_of is None else any_of
        self.hard = hard
        self.weight = weight
        self.origin = origin


NamedRule.FIELDS = (
    Field("name", 4, Text()),
    Field("any_of", 6, Tables(NamedConjunction)),
    Field("hard", 8, Scalar("?", True, bool)),
    Field("weight", 10, Scalar("d", 1.0, float)),
    Field("origin", 12, Scalar("B", 0, int)),
)


class Operation(Record):
    """A change of a cluster. Its kind says which fields it uses."""

    kind: OperationKind
    app: str | None
    node: str | None
    replicas: int
    #: Demand of one replica in the resource's unit. Length: resources, or resources x periods with the periods of a resource
    #: side by side.
    demand: npt.NDArray[np.float64] | None
    priority: int
    #: As in Apps, for this app. Length: resources, or absent.
    variance: npt.NDArray[np.float64] | None
    support_min: npt.NDArray[np.float64] | None
    support_max: npt.NDArray[np.float64] | None
    #: Kind of the app, an index into Interference.kinds; only where the cluster has kinds.
    app_kind: int
    #: Tags of the app's replicas, or of the node.
    tags: list[str] | None
    #: Affinity limits: beside a replica of the app, at most limit_at_most[k] replicas of limit_app[k] on the same node. The
    #: named app need not exist yet. The app's own name limits its replicas per node. 4294967295 = no limit.
    limit_app: list[str] | None
    limit_at_most: npt.NDArray[np.uint32] | None
    #: Name of the class; may be absent where the cluster has one class.
    node_class: str | None
    #: Length as `demand`; absent = no load.
    load: npt.NDArray[np.float64] | None
    load_variance: npt.NDArray[np.float64] | None
    #: The node joins the set sets[k] of the group groups[k]. A set that does not exist is created.
    groups: list[str] | None
    sets: list[str] | None
    rule: NamedRule | None
    #: As in Apps, for this app.
    weight: float
    #: Tags that every node of the app carries, and tags that none does.
    only: list[str] | None
    not_: list[str] | None
    #: Load that goes with the node. Length as `demand`; absent = as its class says.
    daemon: npt.NDArray[np.float64] | None
    #: The other app of a pair, and its traffic, as in Traffic of instance.fbs.
    peer: str | None
    amount: float

    def __init__(
        self,
        *,
        kind: OperationKind = OperationKind(0),
        app: str | None = None,
        node: str | None = None,
        replicas: int = 0,
        demand: npt.NDArray[np.float64] | None = None,
        priority: int = 0,
        variance: npt.NDArray[np.float64] | None = None,
        support_min: npt.NDArray[np.float64] | None = None,
        support_max: npt.NDArray[np.float64] | None = None,
        app_kind: int = 4294967295,
        tags: list[str] | None = None,
        limit_app: list[str] | None = None,
        limit_at_most: npt.NDArray[np.uint32] | None = None,
        node_class: str | None = None,
        load: npt.NDArray[np.float64] | None = None,
        load_variance: npt.NDArray[np.float64] | None = None,
        groups: list[str] | None = None,
        sets: list[str] | None = None,
        rule: NamedRule | None = None,
        weight: float = 1.0,
        only: list[str] | None = None,
        not_: list[str] | None = None,
        daemon: npt.NDArray[np.float64] | None = None,
        peer: str | None = None,
        amount: float = 0.0,
    ) -> None:
        self.kind = kind
        self.app = app
        self.node = node
        self.replicas = replicas
        self.demand = demand
        self.priority = priority
        self.variance = variance
        self.support_min = support_min
        self.support_max = support_max
        self.app_kind = app_kind
        self.tags = tags
        self.limit_app = limit_app
        self.limit_at_most = limit_at_most
        self.node_class = node_class
        self.load = load
        self.load_variance = load_variance
        self.groups = groups
        self.sets = sets
        self.rule = rule
        self.weight = weight
        self.only = only
        self.not_ = not_
        self.daemon = daemon
        self.peer = peer
        self.amount = amount


Operation.FIELDS = (
    Field("kind", 4, Scalar("B", OperationKind(0), OperationKind)),
    Field("app", 6, Text()),
    Field("node", 8, Text()),
    Field("replicas", 10, Scalar("I", 0, int)),
    Field("demand", 12, Column("float64")),
    Field("priority", 14, Scalar("i", 0, int)),
    Field("variance", 16, Column("float64")),
    Field("support_min", 18, Column("float64")),
    Field("support_max", 20, Column("float64")),
    Field("app_kind", 22, Scalar("I", 4294967295, int)),
    Field("tags", 24, Texts()),
    Field("limit_app", 26, Texts()),
    Field("limit_at_most", 28, Column("uint32")),
    Field("node_class", 30, Text()),
    Field("load", 32, Column("float64")),
    Field("load_variance", 34, Column("float64")),
    Field("groups", 36, Texts()),
    Field("sets", 38, Texts()),
    Field("rule", 40, Table(NamedRule)),
    Field("weight", 42, Scalar("d", 1.0, float)),
    Field("only", 44, Texts()),
    Field("not_", 46, Texts()),
    Field("daemon", 48, Column("float64")),
    Field("peer", 50, Text()),
    Field("amount", 52, Scalar("d", 0.0, float)),
)


class Operations(Record):
    """Changes of a cluster."""

    format: int
    #: Applied in this order: all of them, or none if one is refused.
    operations: list[Operation]

    def __init__(
        self,
        *,
        format: int = 1,
        operations: list[Operation],
    ) -> None:
        self.format = format
        self.operations = operations


Operations.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("operations", 6, Tables(Operation, required=True)),
)


class Measure(enum.IntEnum):
    """What was measured."""

    #: In [0, 1], higher is better.
    PERFORMANCE = 0
    #: In milliseconds, above 0, lower is better.
    LATENCY = 1


class Feature(Record):
    """What is known of apps before anything is measured, such as a family, a load or a data size. Exactly one of the two columns is
    present."""

    name: str
    #: NaN = not known. Length: apps.
    numbers: npt.NDArray[np.float64] | None
    #: Empty = not known. Length: apps.
    words: list[str] | None

    def __init__(
        self,
        *,
        name: str,
        numbers: npt.NDArray[np.float64] | None = None,
        words: list[str] | None = None,
    ) -> None:
        self.name = name
        self.numbers = numbers
        self.words = words


Feature.FIELDS = (
    Field("name", 4, Text()),
    Field("numbers", 6, Column("float64")),
    Field("words", 8, Texts()),
)


class Samples(Record):
    """Measurements of apps: how each performed with some configurations. A configuration is an amount of each resource for a
    container, and a degree of collocation."""

    measure: Measure
    resources: list[str]
    #: Unique names.
    apps: list[str]
    features: list[Feature]
    #: What each app asks for today; NaN in all resources of an app = not known. Length: apps x resources; absent = not known.
    asked: npt.NDArray[np.float64] | None
    #: App of each row, an index into `apps`.
    row_app: npt.NDArray[np.uint32]
    #: Amounts of each row, above 0. Length: rows x resources.
    row_amounts: npt.NDArray[np.float64]
    #: Containers of the app that share a node. Length: rows; absent = all 1.
    row_collocation: npt.NDArray[np.uint32] | None
    #: What was measured in each row. Length: rows.
    row_value: npt.NDArray[np.float64]

    def __init__(
        self,
        *,
        measure: Measure = Measure.PERFORMANCE,
        resources: list[str],
        apps: list[str],
        features: list[Feature] | None = None,
        asked: npt.NDArray[np.float64] | None = None,
        row_app: npt.NDArray[np.uint32],
        row_amounts: npt.NDArray[np.float64],
        row_collocation: npt.NDArray[np.uint32] | None = None,
        row_value: npt.NDArray[np.float64],
    ) -> None:
        self.measure = measure
        self.resources = resources
        self.apps = apps
        self.features = [] if features is None else features
        self.asked = asked
        self.row_app = row_app
        self.row_amounts = row_amounts
        self.row_collocation = row_collocation
        self.row_value = row_value


Samples.FIELDS = (
    Field("measure", 4, Scalar("B", Measure.PERFORMANCE, Measure)),
    Field("resources", 6, Texts()),
    Field("apps", 8, Texts()),
    Field("features", 10, Tables(Feature)),
    Field("asked", 12, Column("float64")),
    Field("row_app", 14, Column("uint32")),
    Field("row_amounts", 16, Column("float64")),
    Field("row_collocation", 18, Column("uint32")),
    Field("row_value", 20, Column("float64")),
)


class Goal(Record):
    """What recommended configurations are to reach."""

    #: A performance to reach at least, in (0, 1], or a latency in milliseconds to reach at most.
    value: float
    #: Probability with which the goal is to be met, in (0, 1).
    confidence: float
    #: Cost of one unit of each resource, not all 0. Length: resources of the samples; absent = the largest amount that any
    #: configuration has of a resource costs 1.
    cost: npt.NDArray[np.float64] | None
    #: Sizes stay as the apps ask for them; only the degree of collocation is chosen.
    keep_asked: bool

    def __init__(
        self,
        *,
        value: float = 0.0,
        confidence: float = 0.8,
        cost: npt.NDArray[np.float64] | None = None,
        keep_asked: bool = False,
    ) -> None:
        self.value = value
        self.confidence = confidence
        self.cost = cost
        self.keep_asked = keep_asked


Goal.FIELDS = (
    Field("value", 4, Scalar("d", 0.0, float)),
    Field("confidence", 6, Scalar("d", 0.8, float)),
    Field("cost", 8, Column("float64")),
    Field("keep_asked", 10, Scalar("?", False, bool)),
)


class Question(Record):
    """What a model is asked: a recommendation for each app of the samples."""

    samples: Samples
    goal: Goal
    #: True: the answer has what is known of every configuration for every app.
    curves: bool

    def __init__(
        self,
        *,
        samples: Samples,
        goal: Goal,
        curves: bool = False,
    ) -> None:
        self.samples = samples
        self.goal = goal
        self.curves = curves


Question.FIELDS = (
    Field("samples", 4, Table(Samples)),
    Field("goal", 6, Table(Goal)),
    Field("curves", 8, Scalar("?", False, bool)),
)


class RecommendationReason(enum.IntEnum):
    """Why a recommendation is as it is."""

    #: The cheapest configuration that meets the goal with the confidence.
    MEETS_GOAL = 0
    #: None does so far, and one may.
    NOT_ENOUGH_EVIDENCE = 1
    #: The most probable configuration was sampled, and its probability is below 1 - confidence.
    GOAL_OUT_OF_REACH = 2


class Recommendations(Record):
    """The answer to a Question: a column per property, with an entry per app of the samples. Configurations are referred to by
    index; 4294967295 = none."""

    resources: list[str]
    #: The configurations that the model knows. Length: configurations x resources.
    amounts: npt.NDArray[np.float64]
    #: Length: configurations.
    collocation: npt.NDArray[np.uint32]
    apps: list[str]
    reason: npt.NDArray[np.uint8]
    #: The recommended configuration; none unless the reason is MeetsGoal.
    choice: npt.NDArray[np.uint32]
    #: That the choice meets the goal or, where there is none, that the most probable configuration does.
    probability: npt.NDArray[np.float64]
    #: The next cheaper size, which misses the confidence; where there is no choice, the most probable configuration.
    runner_up: npt.NDArray[np.uint32]
    runner_up_probability: npt.NDArray[np.float64]
    #: Of one container of the chosen size; 0 without a choice.
    cost: npt.NDArray[np.float64]
    #: Share of the cost that the choice saves against what the app asks for; negative where it costs more, NaN where nothing was
    #: asked or chosen.
    saving_asked: npt.NDArray[np.float64]
    #: The same against the configuration that costs most; NaN where nothing was chosen.
    saving_largest: npt.NDArray[np.float64]
    #: The sample to take next: the one with the largest expected saving.
    next_sample: npt.NDArray[np.uint32]
    #: What it is expected to save, as a share of the cost of the configuration that costs most.
    next_saving: npt.NDArray[np.float64]
    #: Number of samples of the app that the recommendation rests on.
    samples: npt.NDArray[np.uint32]
    #: Number of profiled apps that it rests on, in effect.
    similar: npt.NDArray[np.uint32]
    #: For a Question with `curves`, what is known of each configuration: the mean of the measure, what one in twenty is below and
    #: above, and the probability of meeting the goal. Length: apps x configurations; absent otherwise.
    curve_mean: npt.NDArray[np.float64] | None
    curve_low: npt.NDArray[np.float64] | None
    curve_high: npt.NDArray[np.float64] | None
    curve_probability: npt.NDArray[np.float64] | None

    def __init__(
        self,
        *,
        resources: list[str],
        amounts: npt.NDArray[np.float64],
        collocation: npt.NDArray[np.uint32],
        apps: list[str],
        reason: npt.NDArray[np.uint8],
        choice: npt.NDArray[np.uint32],
        probability: npt.NDArray[np.float64],
        runner_up: npt.NDArray[np.uint32],
        runner_up_probability: npt.NDArray[np.float64],
        cost: npt.NDArray[np.float64],
        saving_asked: npt.NDArray[np.float64],
        saving_largest: npt.NDArray[np.float64],
        next_sample: npt.NDArray[np.uint32],
        next_saving: npt.NDArray[np.float64],
        samples: npt.NDArray[np.uint32],
        similar: npt.NDArray[np.uint32],
        curve_mean: npt.NDArray[np.float64] | None = None,
        curve_low: npt.NDArray[np.float64] | None = None,
        curve_high: npt.NDArray[np.float64] | None = None,
        curve_probability: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.resources = resources
        self.amounts = amounts
        self.collocation = collocation
        self.apps = apps
        self.reason = reason
        self.choice = choice
        self.probability = probability
        self.runner_up = runner_up
        self.runner_up_probability = runner_up_probability
        self.cost = cost
        self.saving_asked = saving_asked
        self.saving_largest = saving_largest
        self.next_sample = next_sample
        self.next_saving = next_saving
        self.samples = samples
        self.similar = similar
        self.curve_mean = curve_mean
        self.curve_low = curve_low
        self.curve_high = curve_high
        self.curve_probability = curve_probability


Recommendations.FIELDS = (
    Field("resources", 4, Texts()),
    Field("amounts", 6, Column("float64")),
    Field("collocation", 8, Column("uint32")),
    Field("apps", 10, Texts()),
    Field("reason", 12, Column("uint8")),
    Field("choice", 14, Column("uint32")),
    Field("probability", 16, Column("float64")),
    Field("runner_up", 18, Column("uint32")),
    Field("runner_up_probability", 20, Column("float64")),
    Field("cost", 22, Column("float64")),
    Field("saving_asked", 24, Column("float64")),
    Field("saving_largest", 26, Column("float64")),
    Field("next_sample", 28, Column("uint32")),
    Field("next_saving", 30, Column("float64")),
    Field("samples", 32, Column("uint32")),
    Field("similar", 34, Column("uint32")),
    Field("curve_mean", 36, Column("float64")),
    Field("curve_low", 38, Column("float64")),
    Field("curve_high", 40, Column("float64")),
    Field("curve_probability", 42, Column("float64")),
)


class SizeRule(Record):
    """How the size in one resource follows from usage."""

    #: Share of the samples, by weight, that the size covers, in (0, 1].
    percentile: float
    #: Seconds in which the weight of a sample halves; 0 = all weigh the same.
    half_life: float
    #: Seconds: of each replica, the largest usage in a window counts as one sample; 0 = each sample counts.
    window: float
    #: Usage counts (1 + margin) times.
    margin: float
    #: Usage at which a replica was killed counts `bump` times; at least 1.
    bump: float
    floor: float
    #: 0 = none.
    ceiling: float
    #: True: demand is the mean of usage, with its variance.
    uncertain: bool

    def __init__(
        self,
        *,
        percentile: float = 0.95,
        half_life: float = 0.0,
        window: float = 0.0,
        margin: float = 0.0,
        bump: float = 1.0,
        floor: float = 0.0,
        ceiling: float = 0.0,
        uncertain: bool = False,
    ) -> None:
        self.percentile = percentile
        self.half_life = half_life
        self.window = window
        self.margin = margin
        self.bump = bump
        self.floor = floor
        self.ceiling = ceiling
        self.uncertain = uncertain


SizeRule.FIELDS = (
    Field("percentile", 4, Scalar("d", 0.95, float)),
    Field("half_life", 6, Scalar("d", 0.0, float)),
    Field("window", 8, Scalar("d", 0.0, float)),
    Field("margin", 10, Scalar("d", 0.0, float)),
    Field("bump", 12, Scalar("d", 1.0, float)),
    Field("floor", 14, Scalar("d", 0.0, float)),
    Field("ceiling", 16, Scalar("d", 0.0, float)),
    Field("uncertain", 18, Scalar("?", False, bool)),
)


class Usage(Record):
    """What replicas used over time, and how sizes follow from it. Samples are in any order; a sample is one replica at one time."""

    #: Unique names.
    apps: list[str]
    #: Unique names.
    resources: list[str]
    #: App of each sample, an index into `apps`.
    app: npt.NDArray[np.uint32]
    #: Number of the replica within its app. Length: samples; absent = not known.
    replica: npt.NDArray[np.uint32] | None
    #: Seconds since any origin; may be negative. Length: samples.
    time: npt.NDArray[np.float64]
    #: In the resource's unit; NaN = not measured. Length: samples x resources.
    amount: npt.NDArray[np.float64]
    #: 1 = the replica was killed for lack of memory. Length: samples; absent = none was.
    out_of_memory: npt.NDArray[np.uint8] | None
    #: Length: resources.
    rules: list[SizeRule]
    #: Number of periods of the demand.
    periods: int
    #: Seconds after which periods repeat, counted from time 0; 0 = they divide the whole history.
    cycle: float

    def __init__(
        self,
        *,
        apps: list[str],
        resources: list[str],
        app: npt.NDArray[np.uint32],
        replica: npt.NDArray[np.uint32] | None = None,
        time: npt.NDArray[np.float64],
        amount: npt.NDArray[np.float64],
        out_of_memory: npt.NDArray[np.uint8] | None = None,
        rules: list[SizeRule],
        periods: int = 1,
        cycle: float = 86400.0,
    ) -> None:
        self.apps = apps
        self.resources = resources
        self.app = app
        self.replica = replica
        self.time = time
        self.amount = amount
        self.out_of_memory = out_of_memory
        self.rules = rules
        self.periods = periods
        self.cycle = cycle


Usage.FIELDS = (
    Field("apps", 4, Texts()),
    Field("resources", 6, Texts()),
    Field("app", 8, Column("uint32")),
    Field("replica", 10, Column("uint32")),
    Field("time", 12, Column("float64")),
    Field("amount", 14, Column("float64")),
    Field("out_of_memory", 16, Column("uint8")),
    Field("rules", 18, Tables(SizeRule, required=True)),
    Field("periods", 20, Scalar("I", 1, int)),
    Field("cycle", 22, Scalar("d", 86400.0, float)),
)


class Sizes(Record):
    """The answer to Usage."""

    apps: list[str]
    resources: list[str]
    periods: int
    #: NaN = never measured. Length: apps x resources.
    size: npt.NDArray[np.float64]
    #: Share of the size that was not used, on average over the samples. Length: apps x resources.
    slack: npt.NDArray[np.float64]
    #: Share of the samples above the size: throttled or, for memory, out of memory. Length: apps x resources.
    exceeded: npt.NDArray[np.float64]
    #: Demand of one replica for an instance; NaN = never measured. Length: apps x resources x periods.
    demand: npt.NDArray[np.float64]
    #: Variance of the demand. Length: apps x resources; absent where no rule is uncertain.
    variance: npt.NDArray[np.float64] | None
    #: As `slack` and `exceeded`, of the demand.
    demand_slack: npt.NDArray[np.float64]
    demand_exceeded: npt.NDArray[np.float64]
    #: Number of samples that were measured. Length: apps x resources.
    measured: npt.NDArray[np.uint64]
    #: Times of the first and the last sample. Length: apps.
    first: npt.NDArray[np.float64]
    last: npt.NDArray[np.float64]
    #: Number of samples that were out of memory. Length: apps.
    killed: npt.NDArray[np.uint64]

    def __init__(
        self,
        *,
        apps: list[str],
        resources: list[str],
        periods: int = 1,
        size: npt.NDArray[np.float64],
        slack: npt.NDArray[np.float64],
        exceeded: npt.NDArray[np.float64],
        demand: npt.NDArray[np.float64],
        variance: npt.NDArray[np.float64] | None = None,
        demand_slack: npt.NDArray[np.float64],
        demand_exceeded: npt.NDArray[np.float64],
        measured: npt.NDArray[np.uint64],
        first: npt.NDArray[np.float64],
        last: npt.NDArray[np.float64],
        killed: npt.NDArray[np.uint64],
    ) -> None:
        self.apps = apps
        self.resources = resources
        self.periods = periods
        self.size = size
        self.slack = slack
        self.exceeded = exceeded
        self.demand = demand
        self.variance = variance
        self.demand_slack = demand_slack
        self.demand_exceeded = demand_exceeded
        self.measured = measured
        self.first = first
        self.last = last
        self.killed = killed


Sizes.FIELDS = (
    Field("apps", 4, Texts()),
    Field("resources", 6, Texts()),
    Field("periods", 8, Scalar("I", 1, int)),
    Field("size", 10, Column("float64")),
    Field("slack", 12, Column("float64")),
    Field("exceeded", 14, Column("float64")),
    Field("demand", 16, Column("float64")),
    Field("variance", 18, Column("float64")),
    Field("demand_slack", 20, Column("float64")),
    Field("demand_exceeded", 22, Column("float64")),
    Field("measured", 24, Column("uint64")),
    Field("first", 26, Column("float64")),
    Field("last", 28, Column("float64")),
    Field("killed", 30, Column("uint64")),
)


LearningBody: TypeAlias = Samples | Question | Usage | Recommendations | Sizes
LearningBody_TYPES: tuple[type[Record], ...] = (Samples, Question, Usage, Recommendations, Sizes)


class Learning(Record):
    """What is measured, asked or answered."""

    #: Version of this layout. A reader refuses a higher version.
    format: int
    body: LearningBody

    def __init__(
        self,
        *,
        format: int = 1,
        body: LearningBody,
    ) -> None:
        self.format = format
        self.body = body


Learning.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("body", 8, Union(LearningBody_TYPES)),
)


class ResourceFactors(Record):
    """Factors on what concerns one resource."""

    #: The resource, by its name or by its index.
    name: str | None
    resource: int
    demand: float
    capacity: float
    load: float

    def __init__(
        self,
        *,
        name: str | None = None,
        resource: int = 4294967295,
        demand: float = 1.0,
        capacity: float = 1.0,
        load: float = 1.0,
    ) -> None:
        self.name = name
        self.resource = resource
        self.demand = demand
        self.capacity = capacity
        self.load = load


ResourceFactors.FIELDS = (
    Field("name", 4, Text()),
    Field("resource", 6, Scalar("I", 4294967295, int)),
    Field("demand", 8, Scalar("d", 1.0, float)),
    Field("capacity", 10, Scalar("d", 1.0, float)),
    Field("load", 12, Scalar("d", 1.0, float)),
)


class AppChange(Record):
    """What changes of one app."""

    #: The app, by its name or by its index.
    name: str | None
    app: int
    #: The number of replicas; 4294967295 = not given.
    replicas: int
    replica_factor: float
    #: Demand of one replica. Its variance and its support stay. Length: resources, or resources x periods; absent = not given.
    demand: npt.NDArray[np.float64] | None
    demand_factor: float

    def __init__(
        self,
        *,
        name: str | None = None,
        app: int = 4294967295,
        replicas: int = 4294967295,
        replica_factor: float = 1.0,
        demand: npt.NDArray[np.float64] | None = None,
        demand_factor: float = 1.0,
    ) -> None:
        self.name = name
        self.app = app
        self.replicas = replicas
        self.replica_factor = replica_factor
        self.demand = demand
        self.demand_factor = demand_factor


AppChange.FIELDS = (
    Field("name", 4, Text()),
    Field("app", 6, Scalar("I", 4294967295, int)),
    Field("replicas", 8, Scalar("I", 4294967295, int)),
    Field("replica_factor", 10, Scalar("d", 1.0, float)),
    Field("demand", 12, Column("float64")),
    Field("demand_factor", 14, Scalar("d", 1.0, float)),
)


class ClassChange(Record):
    """What changes of one node class."""

    #: The class, by its name or by its index.
    name: str | None
    node_class: int
    #: Number of nodes of the class, as NodeClass.count; 4294967295 = as it is.
    count: int
    #: Capacity per resource. Length: resources; absent = not given.
    capacity: npt.NDArray[np.float64] | None
    capacity_factor: float
    #: Cost of one node in use; negative = not given.
    price: float

    def __init__(
        self,
        *,
        name: str | None = None,
        node_class: int = 4294967295,
        count: int = 4294967295,
        capacity: npt.NDArray[np.float64] | None = None,
        capacity_factor: float = 1.0,
        price: float = -1.0,
    ) -> None:
        self.name = name
        self.node_class = node_class
        self.count = count
        self.capacity = capacity
        self.capacity_factor = capacity_factor
        self.price = price


ClassChange.FIELDS = (
    Field("name", 4, Text()),
    Field("node_class", 6, Scalar("I", 4294967295, int)),
    Field("count", 8, Scalar("I", 4294967295, int)),
    Field("capacity", 10, Column("float64")),
    Field("capacity_factor", 12, Scalar("d", 1.0, float)),
    Field("price", 14, Scalar("d", -1.0, float)),
)


class Derivation(Record):
    """How an instance differs from another one. What is not given stays."""

    #: Version of this layout. A reader refuses a higher version.
    format: int
    #: Name of the instance that results; absent = the name stays.
    name: str | None
    #: Factor on the demand of all apps. Uncertain demand scales as a whole: its deviation and its support by the same factor.
    demand: float
    #: Factor on the replicas of all apps, rounded up.
    replicas: float
    #: Factor on the capacity of all classes. Daemon load stays.
    capacity: float
    #: Factor on the load of listed nodes and its deviation. Daemon load stays.
    load: float
    #: Factor on the prices of all classes, where there are prices.
    price: float
    #: Share of the affinity limits between different apps that stays, at most 1. Which ones follows from the two apps alone, so
    #: that those of a smaller share are among those of a larger one. Limits of an app on itself stay.
    limits: float
    by_resource: list[ResourceFactors]
    by_app: list[AppChange]
    by_class: list[ClassChange]

    def __init__(
        self,
        *,
        format: int = 1,
        name: str | None = None,
        demand: float = 1.0,
        replicas: float = 1.0,
        capacity: float = 1.0,
        load: float = 1.0,
        price: float = 1.0,
        limits: float = 1.0,
        by_resource: list[ResourceFactors] | None = None,
        by_app: list[AppChange] | None = None,
        by_class: list[ClassChange] | None = None,
    ) -> None:
        self.format = format
        self.name = name
        self.demand = demand
        self.replicas = replicas
        self.capacity = capacity
        self.load = load
        self.price = price
        self.limits = limits
        self.by_resource = [] if by_resource is None else by_resource
        self.by_app = [] if by_app is None else by_app
        self.by_class = [] if by_class is None else by_class


Derivation.FIELDS = (
    Field("format", 4, Scalar("H", 1, int)),
    Field("name", 6, Text()),
    Field("demand", 8, Scalar("d", 1.0, float)),
    Field("replicas", 10, Scalar("d", 1.0, float)),
    Field("capacity", 12, Scalar("d", 1.0, float)),
    Field("load", 14, Scalar("d", 1.0, float)),
    Field("price", 16, Scalar("d", 1.0, float)),
    Field("limits", 18, Scalar("d", 1.0, float)),
    Field("by_resource", 20, Tables(ResourceFactors)),
    Field("by_app", 22, Tables(AppChange)),
    Field("by_class", 24, Tables(ClassChange)),
)


#: The type of each column of numbers that apps may have, and what stands for an absent one.
APP_NUMBERS: dict[str, tuple[str, float]] = {
    "priority": ("int32", 0),
    "weight": ("float64", 1),
}


def __getattr__(name: str) -> Any:
    """The NumPy types of the structs, which are made when they are asked for."""
    if name not in ("RESIDENCE", "TRAFFIC", "KEPT", "PLACED", "UNPLACED", "LEFT_OVER", "MOVE"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Column(globals()["_" + name]).dtype
