// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// Reports and the catalogue as plain objects. Members that do not apply are absent.
import { violationsOf, type RuleViolations } from './placements.js';
import {
  all, copied, counts, decoded, decodedCatalogue, found, index, known, lossMovesOf, overriddenOf, record, report, texts, wavesOf, word,
  type OverriddenRule,
} from './report-parts.js';
import type { Objective } from './request.js';
import * as catalogue from './wire/catalogue_generated.js';
import * as wire from './wire/report_generated.js';

/**
 * Why a part of a plan was not taken.
 *
 * - `'version'`: The plan was made for version `wanted` of the cluster, which is now at version `available`.
 * - `'app-gone'`: The app was removed.
 * - `'not-pending'`: `wanted` replicas were planned; `available` are still pending.
 * - `'node-gone'`: The node was removed.
 * - `'node-closed'`: The node no longer accepts new replicas.
 * - `'no-room'`: `wanted` replicas were planned for the node; it has room for `available`.
 * - `'moves'`: The plan moves running replicas of `app` away from `node`, from `wanted` to `available` of them. Such a plan is
 *   taken as a whole or not at all.
 * - `'rules'`: The part that still fits would break a placement rule.
 */
export type ConflictKind =
  | 'version'
  | 'app-gone'
  | 'not-pending'
  | 'node-gone'
  | 'node-closed'
  | 'no-room'
  | 'moves'
  | 'rules';

/**
 * Which constraint is broken, and what the fields of the Violation say.
 *
 * - `'capacity'`: Demand above capacity: the node holds `amount` of `resource` in `period`, its capacity is `limit`.
 * - `'affinity-limit'`: The node holds `amount` replicas of `app` beside `other`, which allows `limit`.
 * - `'self-limit'`: The node holds `amount` replicas of `app`, whose own limit per node is `limit`.
 * - `'replica-count'`: `amount` replicas of `app` are placed or reported unplaced; the instance wants `limit`.
 * - `'pin'`: The node holds `amount` replicas of `app`; `limit` are pinned there.
 * - `'class-count'`: `amount` nodes of class `other` are in use; `limit` exist.
 * - `'bad-node'`: The plan's node refers to a class or a listed node that does not exist, to a listed node that an earlier node
 *   refers to, or to the wrong class; or its number of copies is 0, is above 1 for a listed node, or raises the plan's total
 *   above max_nodes.
 * - `'bad-entry'`: A placed entry refers to an app or node that does not exist, has 0 replicas, or repeats an earlier entry's app
 *   and node.
 * - `'moves'`: `amount` running replicas were moved; the budget is `limit`.
 * - `'closed-node'`: A closed node holds new replicas.
 * - `'figures'`: The figure `what` of the plan (nodes, cost, gap, bound, status) does not follow from the plan's content.
 * - `'wrong-instance'`: The plan was made for another instance.
 * - `'unchecked'`: The instance uses the feature `what`, which the checker does not know and makes no statement about.
 * - `'capacity-at-confidence'`: Demand above capacity at confidence: mean + quantile x standard deviation of `resource` in
 *   `period` is `amount`, the capacity is `limit`.
 * - `'placement-rule'`: The hard rule `other`, whose name is `what`, does not hold for `app` on `node`: its count is `amount`,
 *   the bound is `limit`. Both `app` and `node` are absent where the rule is about all subjects together.
 * - `'eligibility'`: `app` is not eligible for the node: it asks for the tag `other`, whose name is `what`, which the node lacks
 *   (`amount` is 0, `limit` is 1), or refuses it, and the node carries it (1 and 0).
 * - `'side-effects'`: Side effects cost a replica of kind `other` on `node` `amount`; at most `limit` is allowed.
 * - `'devices'`: The devices of `resource` do not suffice: replicas and load on the node take `amount` of them by first fit
 *   decreasing, and no other way needs only the `limit` that it has.
 * - `'promise'`: What the plan says in `what` of the room that it keeps or the losses that it survives does not hold.
 *   "unreserved": with these replicas, the instance would be refused. "not_survived": the worst loss leaves more, `amount`, than
 *   the plan says, `limit`.
 */
export type ViolationKind =
  | 'capacity'
  | 'affinity-limit'
  | 'self-limit'
  | 'replica-count'
  | 'pin'
  | 'class-count'
  | 'bad-node'
  | 'bad-entry'
  | 'moves'
  | 'closed-node'
  | 'figures'
  | 'wrong-instance'
  | 'unchecked'
  | 'capacity-at-confidence'
  | 'placement-rule'
  | 'eligibility'
  | 'side-effects'
  | 'devices'
  | 'promise';

/**
 * What keeps a replica off a node, and what the fields of the Obstacle say.
 *
 * - `'capacity'`: The node lacks `amount` of `resource` in `period`, in the resource's unit.
 * - `'affinity-limit'`: `other`, which is on the node, allows `limit` replicas of the app; there would be `amount`.
 * - `'imposed-limit'`: The app allows `limit` replicas of `other` beside it; the node holds `amount`.
 * - `'self-limit'`: The app's own limit per node is `limit`; there would be `amount`.
 * - `'closed-node'`: The node is closed: it accepts no new replicas.
 * - `'capacity-at-confidence'`: The mean demand fits, but at the instance's confidence the node lacks `amount` of `resource` in
 *   `period`.
 * - `'placement-rule'`: The hard placement rule `other`, an index into the instance's rules, allows `limit` more replicas of the
 *   app on the node.
 * - `'eligibility'`: The app is not eligible for the node. `other` is an index into the instance's tags: the app asks for this
 *   tag, which the node lacks (`limit` is 1), or refuses it, and the node carries it (`limit` is 0).
 * - `'side-effects'`: Side effects would cost a replica of kind `other`, an index into the instance's kinds, `amount`; at most
 *   `limit` is allowed.
 * - `'devices'`: The node has room for what the replica takes of `resource`, `amount`, but not on one device or on whole ones:
 *   `limit` is free on all devices together.
 */
export type ObstacleKind =
  | 'capacity'
  | 'affinity-limit'
  | 'imposed-limit'
  | 'self-limit'
  | 'closed-node'
  | 'capacity-at-confidence'
  | 'placement-rule'
  | 'eligibility'
  | 'side-effects'
  | 'devices';

/**
 * How room is made for one more replica.
 *
 * - `'none'`: No relaxation of this model helps.
 * - `'add-node'`: One more node of class `nodeClass`.
 * - `'add-capacity'`: `amount` more of `resource` on node `node`; with node absent, on each node of `nodeClass`.
 * - `'raise-limit'`: Raise the limit that `beside` imposes on `app` to `amount`; seen on node `node`.
 * - `'open-node'`: Open node `node`.
 * - `'raise-maximum'`: Raise `max` of condition `condition` of the hard placement rule `rule` to `amount`; seen on node `node`.
 * - `'lower-minimum'`: Lower `min` of condition `condition` of the hard placement rule `rule` to `amount`; seen on node `node`.
 * - `'soften-rule'`: Make the placement rule `rule` soft; seen on node `node`.
 * - `'admit-tag'`: Take the tag `tag` out of what `app` asks for or refuses; seen on node `node`.
 * - `'raise-max-cost'`: Let side effects cost a replica of kind `sufferingKind` up to `amount`; seen on node `node`.
 */
export type RelaxationKind =
  | 'none'
  | 'add-node'
  | 'add-capacity'
  | 'raise-limit'
  | 'open-node'
  | 'raise-maximum'
  | 'lower-minimum'
  | 'soften-rule'
  | 'admit-tag'
  | 'raise-max-cost';

/**
 * Why a plan needs this many nodes.
 *
 * - `'capacity'`: The demand for `resource` in `period` needs `nodes` nodes, by capacity alone.
 * - `'large-items'`: Replicas that demand more than half a node's `resource` in `period` need `nodes` nodes.
 * - `'without-limits'`: The same planner needs `nodes` nodes without affinity limits.
 * - `'without-resource'`: The same planner needs `nodes` nodes without `resource`.
 * - `'without-periods'`: The same planner needs `nodes` nodes when demand is constant at its mean over the periods.
 * - `'self-limit'`: The replicas of `app` need `nodes` nodes by themselves: more do not fit together on a node.
 * - `'without-uncertainty'`: The same planner needs `nodes` nodes when all demand is certain, at its mean.
 * - `'without-cost-limits'`: The same planner needs `nodes` nodes when side effects may cost any amount.
 * - `'without-promises'`: `nodes` nodes of the plan hold all its replicas; the others are kept for losses, or for replicas that
 *   there is to be room for.
 */
export type DriverKind =
  | 'capacity'
  | 'large-items'
  | 'without-limits'
  | 'without-resource'
  | 'without-periods'
  | 'self-limit'
  | 'without-uncertainty'
  | 'without-cost-limits'
  | 'without-promises';

/** A part of a plan that was not taken, and why. Its replicas stay pending. */
export interface Conflict {
  kind: ConflictKind;
  /** Absent where the conflict concerns the whole plan; `node` also where the node has no name yet. */
  app?: string;
  node?: string;
  wanted: number;
  available: number;
}

const conflictOf = (from: wire.Conflict): Conflict => record<Conflict>({
  kind: word<ConflictKind>(wire.ConflictKind, from.kind()),
  app: from.app() || undefined,
  node: from.node() || undefined,
  wanted: Number(from.wanted()),
  available: Number(from.available()),
});

/**
 * What a session took of a plan. `JSON.stringify` writes `plannedVersion` and `version` as decimal digits, which `BigInt` reads.
 */
export interface Commit {
  /** True: some or all of the plan was taken. */
  committed: boolean;
  /** Version of the cluster that the plan was made for, and present version. */
  plannedVersion: bigint;
  version: bigint;
  /** Replicas that were pending and run now; replicas that run on another node now; replicas that ran and are pending now. */
  placed: number;
  moved: number;
  ended: number;
  /** Names of the nodes that the plan opened, in the plan's order. */
  opened: string[];
  conflicts: Conflict[];
}

const commitOf = (from: wire.Commit): Commit => report<Commit>({
  committed: from.committed(),
  plannedVersion: from.plannedVersion(),
  version: from.version(),
  placed: Number(from.placed()),
  moved: Number(from.moved()),
  ended: Number(from.ended()),
  opened: texts(from.openedLength(), (k) => from.opened(k)),
  conflicts: all(from.conflictsLength(), (k) => from.conflicts(k), conflictOf),
});

/** A broken constraint. Its kind says what the other fields are; an index that does not apply is absent. */
export interface Violation {
  kind: ViolationKind;
  /** True: the constraint was broken before planning, and the plan makes it no worse. */
  inherited: boolean;
  node?: number;
  app?: number;
  other?: number;
  resource?: number;
  period?: number;
  amount: number;
  limit: number;
  /** The figure, feature or rule that the kind refers to, such as "cost" for kind Figures. */
  what?: string;
}

const violationOf = (from: wire.Violation): Violation => record<Violation>({
  kind: word<ViolationKind>(wire.ViolationKind, from.kind()),
  inherited: from.inherited(),
  node: index(from.node()),
  app: index(from.app()),
  other: index(from.other()),
  resource: index(from.resource()),
  period: index(from.period()),
  amount: from.amount(),
  limit: from.limit(),
  what: from.what() || undefined,
});

/** A placement rule and replicas for which it does not hold. */
export interface RuleViolation {
  /** Index into the instance's rules. */
  rule: number;
  hard: boolean;
  /** True: the rule is hard, was broken before planning, and the plan makes it no worse. */
  inherited: boolean;
  /**
   * The rule does not hold for `replicas` replicas of `app` on the plan's node `node` and on each of its copies. For conditions
   * on the number of sets or on skew, node and app are absent and `replicas` is 1.
   */
  node?: number;
  app?: number;
  replicas: number;
  /** Extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq. 8). */
  extent: number;
  /** The count that misses its bound by most, and that bound. */
  amount: number;
  limit: number;
  weight: number;
}

const ruleViolationOf = (from: wire.RuleViolation): RuleViolation => record<RuleViolation>({
  rule: from.rule(),
  hard: from.hard(),
  inherited: from.inherited(),
  node: index(from.node()),
  app: index(from.app()),
  replicas: from.replicas(),
  extent: from.extent(),
  amount: from.amount(),
  limit: from.limit(),
  weight: from.weight(),
});

/** The state of the cluster under a plan. `JSON.stringify` writes columns as arrays. */
export interface ClusterMetrics {
  /**
   * Applications that want replicas, and applications that are placed in full. Apps that share a tag that begins with "appID:"
   * are one application.
   */
  applications: number;
  applicationsPlaced: number;
  /** Nodes that exist, and nodes in use. Of a class without a count, only nodes in use exist. */
  nodes: number;
  nodesUsed: number;
  /**
   * Fragmented nodes (P2, section 7.4): less of some resource is free than the smallest demand for it, and some resource is not
   * full.
   */
  fragmentedNodes: number;
  /** Coefficient of variation of the nodes' peak utilization over periods. Length: resources. */
  imbalance: Float64Array;
  /** As the plan's field, recounted by the checker. */
  ruleViolations: RuleViolations;
}

const clusterMetricsOf = (from: wire.ClusterMetrics): ClusterMetrics => report<ClusterMetrics>({
  applications: Number(from.applications()),
  applicationsPlaced: Number(from.applicationsPlaced()),
  nodes: Number(from.nodes()),
  nodesUsed: Number(from.nodesUsed()),
  fragmentedNodes: Number(from.fragmentedNodes()),
  imbalance: copied(from.imbalanceArray(), Float64Array),
  ruleViolations: violationsOf(from),
});

/** The independent checker's findings on one plan. `JSON.stringify` writes columns as arrays. */
export interface Verification {
  ok: boolean;
  nodes: number;
  placed: number;
  unplaced: number;
  cost?: number;
  /**
   * Violations that are new or worse than at the start. All are counted, on each copy of a node. `violations` lists the first
   * 1000, where a node and its copies are one entry.
   */
  violationCount: number;
  inheritedCount: number;
  violations: Violation[];
  /**
   * Highest utilization of each resource over the periods: (load + daemon load + demand) / capacity, both summed over the nodes
   * in use.
   */
  utilization: Float64Array;
  /** Used capacity at confidence as `Plan.ucac`, recomputed by the checker; absent where no demand is uncertain. */
  ucac?: number;
  metrics: ClusterMetrics;
  /** Violations of placement rules, hard and soft: the first 1000. */
  ruleViolations: RuleViolation[];
  /** As the plan's fields, recomputed by the checker; absent without kinds. */
  maxCost?: number;
  totalCost?: number;
  nodeMaxCost?: Float64Array;
}

const verificationOf = (from: wire.Verification): Verification => report<Verification>({
  ok: from.ok(),
  nodes: Number(from.nodes()),
  placed: Number(from.placed()),
  unplaced: Number(from.unplaced()),
  cost: known(from.cost()),
  violationCount: Number(from.violationCount()),
  inheritedCount: Number(from.inheritedCount()),
  violations: all(from.violationsLength(), (k) => from.violations(k), violationOf),
  utilization: copied(from.utilizationArray(), Float64Array),
  ucac: known(from.ucac()),
  metrics: clusterMetricsOf(from.metrics()!),
  ruleViolations: all(from.ruleViolationsLength(), (k) => from.ruleViolations(k), ruleViolationOf),
  maxCost: known(from.maxCost()),
  totalCost: known(from.totalCost()),
  nodeMaxCost: from.maxCost() < 0 ? undefined : copied(from.nodeMaxCostArray(), Float64Array),
});

/** What keeps a replica off a node. Its kind says what the other fields are; an index that does not apply is absent. */
export interface Obstacle {
  kind: ObstacleKind;
  resource?: number;
  period?: number;
  other?: number;
  amount: number;
  limit: number;
}

const obstacleOf = (from: wire.Obstacle): Obstacle => record<Obstacle>({
  kind: word<ObstacleKind>(wire.ObstacleKind, from.kind()),
  resource: index(from.resource()),
  period: index(from.period()),
  other: index(from.other()),
  amount: from.amount(),
  limit: from.limit(),
});

/** A node that comes close to accepting one more replica of the app, with all obstacles there. */
export interface CloseNode {
  /** Index into the plan's nodes; absent = a new, empty node of `nodeClass`. */
  node?: number;
  nodeClass: number;
  obstacles: Obstacle[];
  /** Sum of the shortfalls as shares of capacity, plus 1 per failing limit. A smaller distance is closer. */
  distance: number;
  /** Index of the listed node that is meant, where the plan does not use it; absent = a node of the plan or a new one. */
  listed?: number;
}

const closeNodeOf = (from: wire.CloseNode): CloseNode => record<CloseNode>({
  node: index(from.node()),
  nodeClass: from.nodeClass(),
  obstacles: all(from.obstaclesLength(), (k) => from.obstacles(k), obstacleOf),
  distance: from.distance(),
  listed: index(from.listed()),
});

/** A change of the instance that makes room for one more replica. */
export interface Relaxation {
  kind: RelaxationKind;
  node?: number;
  nodeClass?: number;
  /** The app that imposes the limit to raise, and the app that it limits. */
  beside?: number;
  app?: number;
  resource?: number;
  amount: number;
  /** Index into the instance's rules. */
  rule?: number;
  /** Index of the condition in the rule's only conjunction. */
  condition?: number;
  /** Index into the instance's tags. */
  tag?: number;
  /** Index into the instance's kinds. */
  sufferingKind?: number;
  /** As `CloseNode.listed`: the listed node that the plan does not use and on which this was seen; absent = none. */
  listed?: number;
}

const relaxationOf = (from: wire.Relaxation): Relaxation => record<Relaxation>({
  kind: word<RelaxationKind>(wire.RelaxationKind, from.kind()),
  node: index(from.node()),
  nodeClass: index(from.nodeClass()),
  beside: index(from.beside()),
  app: index(from.app()),
  resource: index(from.resource()),
  amount: from.amount(),
  rule: index(from.rule()),
  condition: index(from.condition()),
  tag: index(from.tag()),
  sufferingKind: index(from.sufferingKind()),
  listed: index(from.listed()),
});

/** Why an app's replicas are unplaced. */
export interface AppExplanation {
  app: number;
  unplaced: number;
  /** Nodes of the plan that accept one more replica. */
  openNodes: number;
  /** Nodes of the plan that refuse one more replica: for lack of capacity alone, for limits or rules alone, for both. */
  blockedByCapacity: number;
  blockedByLimits: number;
  blockedByBoth: number;
  closest: CloseNode[];
  /** Smallest first. */
  relaxations: Relaxation[];
}

const appExplanationOf = (from: wire.AppExplanation): AppExplanation => ({
  app: from.app(),
  unplaced: from.unplaced(),
  openNodes: Number(from.openNodes()),
  blockedByCapacity: Number(from.blockedByCapacity()),
  blockedByLimits: Number(from.blockedByLimits()),
  blockedByBoth: Number(from.blockedByBoth()),
  closest: all(from.closestLength(), (k) => from.closest(k), closeNodeOf),
  relaxations: all(from.relaxationsLength(), (k) => from.relaxations(k), relaxationOf),
});

/** One reason why a plan needs this many nodes. */
export interface Driver {
  kind: DriverKind;
  resource?: number;
  period?: number;
  app?: number;
  nodes: number;
  /** What these nodes cost; absent without prices, and where any nodes would do. */
  cost?: number;
}

const driverOf = (from: wire.Driver): Driver => record<Driver>({
  kind: word<DriverKind>(wire.DriverKind, from.kind()),
  resource: index(from.resource()),
  period: index(from.period()),
  app: index(from.app()),
  nodes: from.nodes(),
  cost: known(from.cost()),
});

/** The use of a resource in the period where it is highest. */
export interface ResourceUse {
  resource: number;
  /** Period of highest demand. */
  peakPeriod: number;
  /** Demand placed in the peak period, load and daemon load included, and capacity of the nodes in use, in the resource's unit. */
  demand: number;
  capacity: number;
  /**
   * Free capacity in the peak period on nodes that accept no replica of any app that demands the resource. Only the 64 smallest
   * such apps are tried.
   */
  stranded: number;
}

const resourceUseOf = (from: wire.ResourceUse): ResourceUse => ({
  resource: from.resource(),
  peakPeriod: from.peakPeriod(),
  demand: from.demand(),
  capacity: from.capacity(),
  stranded: from.stranded(),
});

/** The replica that suffers most from side effects, and one move that would help. `JSON.stringify` writes columns as arrays. */
export interface Suffering {
  /** Index into the plan's nodes. */
  node: number;
  /** The first app of its kind on the node. */
  app: number;
  cost: number;
  /** What the load of each kind on the node adds to the cost. Length: kinds. */
  fromKind: Float64Array;
  /**
   * The move of one replica of `moving` to node `to` of the plan, which takes it: of those tried, the one after which the worse
   * of both nodes suffers least. Absent: none helps. At most 16 apps and 4,096 nodes are tried.
   */
  moving?: number;
  to?: number;
  /** Cost of who then suffers most on `node` and on `to`. */
  costAfter: number;
  costThere: number;
}

const sufferingOf = (from: wire.Suffering): Suffering => report<Suffering>({
  node: from.node(),
  app: from.app(),
  cost: from.cost(),
  fromKind: copied(from.fromKindArray(), Float64Array),
  moving: index(from.moving()),
  to: index(from.to()),
  costAfter: from.costAfter(),
  costThere: from.costThere(),
});

/** What determines a plan's number of nodes, and why replicas are unplaced. */
export interface Explanation {
  nodes: number;
  /** The largest bound of the plan and of those that need no search; 0 where none is known. */
  nodeBound: number;
  drivers: Driver[];
  resources: ResourceUse[];
  /** The app asked for, or the apps with the most unplaced replicas: at most 100, in descending order. */
  apps: AppExplanation[];
  /** Placement rules of applications that contradict a rule of the operator, which prevails. */
  overridden: OverriddenRule[];
  /** Absent without an interference table or without replicas. */
  suffering?: Suffering;
  /** The same of the cost; 0 without prices, too. */
  costBound: number;
}

const explanationOf = (from: wire.Explanation): Explanation => record<Explanation>({
  nodes: Number(from.nodes()),
  nodeBound: from.nodeBound(),
  drivers: all(from.driversLength(), (k) => from.drivers(k), driverOf),
  resources: all(from.resourcesLength(), (k) => from.resources(k), resourceUseOf),
  apps: all(from.appsLength(), (k) => from.apps(k), appExplanationOf),
  overridden: overriddenOf(from),
  suffering: found(from.suffering(), sufferingOf),
  costBound: from.costBound(),
});

/**
 * How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant.
 * `JSON.stringify` writes columns as arrays.
 */
export interface Headroom {
  /**
   * Most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none. Length: nodes of the
   * plan, as of the next two.
   */
  room: Uint32Array;
  /** 1: the node lacks capacity for one more. 1: limits, rules, side effects, tags or its being closed refuse one more there. */
  lacksCapacity: Uint8Array;
  forbidden: Uint8Array;
  /** What keeps one more off the node that was asked for; empty if it takes one or none was asked for. */
  obstacles: Obstacle[];
}

const headroomOf = (from: wire.Headroom): Headroom => report<Headroom>({
  room: copied(from.roomArray(), Uint32Array),
  lacksCapacity: copied(from.lacksCapacityArray(), Uint8Array),
  forbidden: copied(from.forbiddenArray(), Uint8Array),
  obstacles: all(from.obstaclesLength(), (k) => from.obstacles(k), obstacleOf),
});

/**
 * How many more replicas of each app a cluster takes, where one app grows at a time. Length of each vector: apps.
 * `JSON.stringify` writes columns as arrays.
 */
export interface HeadroomOfApps {
  /** Sum over the plan's nodes, each copy by itself, of the most replicas that the node takes. */
  room: Float64Array;
  /** Nodes of the plan, each copy by itself, that take at least one, and the most that one of them takes. */
  nodes: Float64Array;
  most: Uint32Array;
  /** The sum over nodes that exist and that the plan does not use. Of a class without a count, none exists. */
  spareRoom: Float64Array;
  /**
   * 1: a hard placement rule counts the app over several nodes, or asks for something near it, so that what one node takes
   * changes what others take: `room` and `spareRoom` are upper bounds. 0: they are exact.
   */
  coupled: Uint8Array;
}

const headroomOfAppsOf = (from: wire.HeadroomOfApps): HeadroomOfApps => report<HeadroomOfApps>({
  room: counts(from.roomLength(), (k) => from.room(k)),
  nodes: counts(from.nodesLength(), (k) => from.nodes(k)),
  most: copied(from.mostArray(), Uint32Array),
  spareRoom: counts(from.spareRoomLength(), (k) => from.spareRoom(k)),
  coupled: copied(from.coupledArray(), Uint8Array),
});

/**
 * What becomes of the replicas of nodes that are lost together, all others staying where they are. Nodes are numbered as for
 * Move: the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself.
 * `JSON.stringify` writes columns as arrays.
 */
export interface Loss {
  /** The value of the label; empty where nodes were asked for by number. */
  name: string;
  /** The lost nodes, numbered as in LossQuestion. */
  nodes: Uint32Array;
  /** Replicas on them, and how many of these find no place. */
  replicas: number;
  left: number;
  /** Where the replicas go; without `to`: nowhere. */
  moves: { app: number; to?: number; replicas: number }[];
  /**
   * What remains has `shortAmount` too little of this resource free in `shortPeriod`, in the resource's unit, so that no way to
   * place all of them exists. Absent: no resource is short in all.
   */
  shortResource?: number;
  shortPeriod?: number;
  shortAmount: number;
}

const lossOf = (from: wire.Loss): Loss => report<Loss>({
  name: from.name() ?? '',
  nodes: copied(from.nodesArray(), Uint32Array),
  replicas: Number(from.replicas()),
  left: Number(from.left()),
  moves: lossMovesOf(from),
  shortResource: index(from.shortResource()),
  shortPeriod: index(from.shortPeriod()),
  shortAmount: from.shortAmount(),
});

/**
 * One replica that changes its node. Nodes: the instance's listed nodes by their index, then the plan's anonymous nodes in its
 * order, each copy by itself.
 */
export interface Move {
  app: number;
  /** Absent: the replica starts. */
  from?: number | undefined;
  /** Absent: the replica ends. */
  to?: number | undefined;
  /** True: to a node where the plan does not have it; a later wave takes it on. */
  detour: boolean;
}

const moveOf = (from: wire.Move): Move => record<Move>({
  app: from.app(),
  from: index(from.from()),
  to: index(from.to()),
  detour: from.detour(),
});

/** The way from what runs to a plan. Every hard constraint holds at every step. */
export interface MoveOrder {
  /** The moves of a wave run at the same time, in any order. Replicas that begin to run come last. */
  waves: Move[][];
  /** Moves that cannot be ordered: those of a circle on full nodes, for example, need a third place that does not exist. */
  stuck: Move[];
  /** Replicas that change their node, each counted once, and further moves over third places. */
  moved: number;
  detours: number;
  /** No order has fewer waves: by the limits on what happens at the same time. */
  leastWaves: number;
}

const moveOrderOf = (from: wire.MoveOrder): MoveOrder => ({
  waves: wavesOf(all(from.movesLength(), (k) => from.moves(k), moveOf), from.waveEndsArray()),
  stuck: all(from.stuckLength(), (k) => from.stuck(k), moveOf),
  moved: from.moved(),
  detours: from.detours(),
  leastWaves: from.leastWaves(),
});

/** A lower bound on any complete plan. */
export interface BoundEntry {
  name: string;
  /** The quantity that it bounds. */
  objective: Objective | 'cost';
  value: number;
  resource?: number;
  period?: number;
  /** Source: paper, section, equation. */
  source: string;
}

const boundEntryOf = (from: wire.BoundEntry): BoundEntry => record<BoundEntry>({
  name: from.name() ?? '',
  objective: from.objective() as BoundEntry['objective'],
  value: from.value(),
  resource: index(from.resource()),
  period: index(from.period()),
  source: from.source() ?? '',
});

/** An option of a planner. */
export interface OptionInfo {
  name: string;
  summary: string;
  default: number;
  min: number;
  max: number;
}

const optionInfoOf = (from: catalogue.OptionInfo): OptionInfo => ({
  name: from.name() ?? '',
  summary: from.summary() ?? '',
  default: from.defaultNumber(),
  min: from.min(),
  max: from.max(),
});

/** An entry of the catalogue. */
export interface PlannerInfo {
  name: string;
  summary: string;
  /** Paper, section, equation. */
  source: string;
  complexity: string;
  options: OptionInfo[];
  /** Features of the model that the planner honours. It refuses an instance that uses any other feature. */
  honours: string[];
  /**
   * Milliseconds after which a run ends where the request has neither a deadline nor a work limit; absent = the planner ends by
   * itself.
   */
  defaultDeadlineMs?: number;
  /** Objectives that the planner pursues; 'soft-rules' where it also reduces violations of soft placement rules. */
  objectives: (Objective | 'soft-rules')[];
  /** True: the planner needs a solver of linear programs, which only programs in C and C++ can set. It is refused here. */
  needsSolver?: boolean;
}

const plannerInfoOf = (from: catalogue.PlannerInfo): PlannerInfo => record<PlannerInfo>({
  name: from.name() ?? '',
  summary: from.summary() ?? '',
  source: from.source() ?? '',
  complexity: from.complexity() ?? '',
  options: all(from.optionsLength(), (k) => from.options(k), optionInfoOf),
  honours: texts(from.honoursLength(), (k) => from.honours(k)),
  defaultDeadlineMs: Number(from.defaultDeadlineMs()) || undefined,
  objectives: texts(from.objectivesLength(), (k) => from.objectives(k)) as PlannerInfo['objectives'],
  needsSolver: from.needsSolver() || undefined,
});

/** The planners of the library. */
export interface Catalogue {
  /** Version of the library. */
  version: string;
  planners: PlannerInfo[];
}

const catalogueOf = (from: catalogue.Catalogue): Catalogue => ({
  version: from.version() ?? '',
  planners: all(from.plannersLength(), (k) => from.planners(k), plannerInfoOf),
});

export const decodeCommit = (bytes: Uint8Array): Commit =>
  decoded(bytes, wire.ReportBody.Commit, new wire.Commit(), commitOf);

export const decodeVerification = (bytes: Uint8Array): Verification =>
  decoded(bytes, wire.ReportBody.Verification, new wire.Verification(), verificationOf);

export const decodeExplanation = (bytes: Uint8Array): Explanation =>
  decoded(bytes, wire.ReportBody.Explanation, new wire.Explanation(), explanationOf);

export const decodeHeadroom = (bytes: Uint8Array): Headroom =>
  decoded(bytes, wire.ReportBody.Headroom, new wire.Headroom(), headroomOf);

export const decodeHeadroomOfApps = (bytes: Uint8Array): HeadroomOfApps =>
  decoded(bytes, wire.ReportBody.HeadroomOfApps, new wire.HeadroomOfApps(), headroomOfAppsOf);

export const decodeMoveOrder = (bytes: Uint8Array): MoveOrder =>
  decoded(bytes, wire.ReportBody.MoveOrder, new wire.MoveOrder(), moveOrderOf);

export const decodeBounds = (bytes: Uint8Array): BoundEntry[] =>
  decoded(bytes, wire.ReportBody.Bounds, new wire.Bounds(), (from) => all(from.entriesLength(), (k) => from.entries(k), boundEntryOf));

export const decodeLosses = (bytes: Uint8Array): Loss[] =>
  decoded(bytes, wire.ReportBody.Losses, new wire.Losses(), (from) => all(from.lossesLength(), (k) => from.losses(k), lossOf));

export const decodeCatalogue = (bytes: Uint8Array): Catalogue => decodedCatalogue(bytes, catalogueOf);
