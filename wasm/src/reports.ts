// Reports and the catalogue as plain objects. Indices that do not apply are absent.
import * as flatbuffers from 'flatbuffers';
import { reading } from './check.js';
import { NONE } from './lists.js';
import { StowageError } from './errors.js';
import { violationsOf, type RuleViolations } from './plan.js';
import type { Objective } from './request.js';
import { asReport } from './shown.js';
import * as catalogue from './wire/catalogue_generated.js';
import * as wire from './wire/report_generated.js';

/** Why a part of a plan was not taken. */
export type ConflictKind =
  | 'version' | 'app-gone' | 'not-pending' | 'node-gone' | 'node-closed' | 'no-room' | 'moves' | 'rules';

/** A part of a plan that was not taken, and why. Its replicas stay pending. */
export interface Conflict {
  kind: ConflictKind;
  /** Absent where the conflict concerns the whole plan. */
  app?: string;
  /** Absent where the conflict concerns the whole plan, or a node that has no name yet. */
  node?: string;
  wanted: number;
  available: number;
}

/** What a session took of a plan. `JSON.stringify` writes the versions as decimal digits, which `BigInt` reads. */
export interface Commit {
  /** True: some or all of the plan was taken. */
  committed: boolean;
  plannedVersion: bigint;
  version: bigint;
  /** Replicas that were pending and run now. */
  placed: number;
  /** Replicas that run on another node now. */
  moved: number;
  /** Replicas that ran and are pending now. */
  ended: number;
  /** Names of the nodes that the plan opened, in the plan's order. */
  opened: string[];
  conflicts: Conflict[];
}

/** The kinds of broken constraints. */
export type ViolationKind =
  | 'capacity' | 'affinity-limit' | 'self-limit' | 'replica-count' | 'pin' | 'class-count' | 'bad-node' | 'bad-entry' | 'moves'
  | 'closed-node' | 'figures' | 'wrong-instance' | 'unchecked' | 'capacity-at-confidence' | 'placement-rule'
  | 'eligibility' | 'side-effects' | 'devices' | 'promise';
/** The kinds of constraints that keep a replica off a node. */
export type ObstacleKind =
  | 'capacity' | 'affinity-limit' | 'imposed-limit' | 'self-limit' | 'closed-node' | 'capacity-at-confidence'
  | 'placement-rule' | 'eligibility' | 'side-effects' | 'devices';
/** The changes that make room for a replica. */
export type RelaxationKind =
  | 'none' | 'add-node' | 'add-capacity' | 'raise-limit' | 'open-node' | 'raise-maximum' | 'lower-minimum' | 'soften-rule'
  | 'admit-tag' | 'raise-max-cost';
/** What drives the number of nodes. */
export type DriverKind =
  | 'capacity' | 'large-items' | 'without-limits' | 'without-resource' | 'without-periods' | 'self-limit'
  | 'without-uncertainty' | 'without-cost-limits' | 'without-promises';

/** A broken constraint; `Violation` in report.fbs documents the fields. */
export interface Violation {
  kind: ViolationKind;
  inherited: boolean;
  node?: number;
  app?: number;
  other?: number;
  resource?: number;
  period?: number;
  amount: number;
  limit: number;
  what?: string;
}

/** The independent checker's findings on one plan. `JSON.stringify` writes its columns, and those of `metrics`, as arrays. */
export interface Verification {
  ok: boolean;
  nodes: number;
  placed: number;
  unplaced: number;
  cost?: number;
  /** Violations that are new or worse than at the start. All are counted; `violations` lists the first 1000. */
  violationCount: number;
  inheritedCount: number;
  violations: Violation[];
  /** Highest utilization of each resource over the periods: demand / capacity, both summed over the nodes in use. */
  utilization: Float64Array;
  /** Used capacity at confidence, summed over the nodes in use; absent where no demand is uncertain. */
  ucac?: number;
  /** As the plan's fields, recomputed by the checker; absent without kinds. */
  maxCost?: number;
  totalCost?: number;
  nodeMaxCost?: Float64Array;
  metrics: ClusterMetrics;
  /** Violations of placement rules, hard and soft: the first 1000. */
  ruleViolations: RuleViolation[];
}

/** A placement rule and replicas for which it does not hold. */
export interface RuleViolation {
  /** Index of the rule in the instance. */
  rule: number;
  hard: boolean;
  /** True: the rule is hard, was broken before planning, and the plan makes it no worse. */
  inherited: boolean;
  /**
   * Index of the plan's node. Node and app are absent for conditions on the number of sets or on skew, which are about all
   * subjects together.
   */
  node?: number;
  app?: number;
  /** Replicas of the app on the node; 1 where node and app are absent. */
  replicas: number;
  /** Extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq. 8). */
  extent: number;
  /** The count that misses its bound by most, and that bound. */
  amount: number;
  limit: number;
  weight: number;
}

/** The state of the cluster under a plan. */
export interface ClusterMetrics {
  /**
   * Applications that want replicas, and applications that are placed in full. Apps that share a tag "appID:..." are one
   * application.
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
  /** Coefficient of variation of the nodes' peak utilization over periods, per resource. */
  imbalance: Float64Array;
  /** As the plan's field, recounted by the checker. */
  ruleViolations: RuleViolations;
}

/** A constraint that keeps a replica off a node. */
export interface Obstacle {
  kind: ObstacleKind;
  resource?: number;
  period?: number;
  other?: number;
  amount: number;
  limit: number;
}

/** A node that comes close to accepting one more replica of the app. */
export interface CloseNode {
  /** Absent = a new, empty node of the class. */
  node?: number;
  nodeClass: number;
  obstacles: Obstacle[];
  distance: number;
}

/** A change of the instance that makes room for one more replica. */
export interface Relaxation {
  kind: RelaxationKind;
  node?: number;
  nodeClass?: number;
  beside?: number;
  app?: number;
  resource?: number;
  amount: number;
  /** Index of the rule in the instance, and index of the condition in the rule's only conjunction. */
  rule?: number;
  condition?: number;
  /** Index of the tag in the instance. */
  tag?: number;
  /** Index of a kind of the instance's interference table. */
  sufferingKind?: number;
}

/** Why replicas of an app are unplaced, and what would help. */
export interface AppExplanation {
  app: number;
  unplaced: number;
  openNodes: number;
  blockedByCapacity: number;
  blockedByLimits: number;
  blockedByBoth: number;
  closest: CloseNode[];
  /** Smallest first. */
  relaxations: Relaxation[];
}

/** One reason why a plan needs this many nodes. */
export interface Driver {
  kind: DriverKind;
  resource?: number;
  period?: number;
  app?: number;
  nodes: number;
}

/** How much of a resource a plan uses, in the period of its highest demand. */
export interface ResourceUse {
  resource: number;
  peakPeriod: number;
  demand: number;
  capacity: number;
  stranded: number;
}

/** What determines the number of nodes of a plan, and why replicas are unplaced. */
export interface Explanation {
  nodes: number;
  nodeBound: number;
  drivers: Driver[];
  resources: ResourceUse[];
  apps: AppExplanation[];
  /** Placement rules of applications that contradict a rule of the operator, which prevails. */
  overridden: OverriddenRule[];
  /** Absent without kinds or without replicas. */
  suffering?: Suffering;
}

/** The replica that suffers most from side effects, and one move that would help. `JSON.stringify` writes `fromKind` as an array. */
export interface Suffering {
  /** Index of the plan's node. */
  node: number;
  /** The first app of the replica's kind on the node. */
  app: number;
  cost: number;
  /** What the load of each kind on the node adds to the cost. */
  fromKind: Float64Array;
  /** The move of one replica of this app to the node `to` of the plan, which takes it; absent where none of those tried helps. */
  moving?: number;
  to?: number;
  /** Cost of who then suffers most on `node` and on `to`. */
  costAfter: number;
  costThere: number;
}

/**
 * How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant.
 * `JSON.stringify` writes the columns as arrays.
 */
export interface Headroom {
  /** Most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none. */
  room: Uint32Array;
  /** 1: the node lacks capacity for one more. */
  lacksCapacity: Uint8Array;
  /** 1: limits, rules, side effects, tags or its being closed refuse one more there. */
  forbidden: Uint8Array;
  /** What keeps one more off the node that was asked for. */
  obstacles: Obstacle[];
}

/**
 * How many more replicas of each app a cluster takes, one app growing at a time. One entry per app. `JSON.stringify` writes the
 * columns as arrays.
 */
export interface HeadroomOfApps {
  /** Sum over the plan's nodes, each copy by itself, of the most replicas that the node takes. */
  room: Float64Array;
  /** Nodes of the plan that take at least one. */
  nodes: Float64Array;
  /** The most that one node of the plan takes. */
  most: Uint32Array;
  /** The sum over nodes that exist and that the plan does not use. */
  spareRoom: Float64Array;
  /** 1: a hard placement rule counts the app over several nodes, so that `room` and `spareRoom` are upper bounds. */
  coupled: Uint8Array;
}

/** What is lost: `nodes` together; or the nodes with the same value of `label`, one value after the other; or each by itself. */
export interface LossQuestion {
  /** The instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself. */
  nodes?: ArrayLike<number>;
  /** The key of a label. */
  label?: string;
}

/**
 * What becomes of the replicas of nodes that are lost together, all others staying where they are. `JSON.stringify` writes `nodes` as
 * an array.
 */
export interface Loss {
  /** The value of the label; empty where nodes were asked for by number. */
  name: string;
  /** The lost nodes, numbered as in LossQuestion. */
  nodes: Uint32Array;
  /** Replicas on them, and how many of these find no place. */
  replicas: number;
  left: number;
  /** Where they go; without `to`: nowhere. */
  moves: { app: number; to?: number; replicas: number }[];
  /** A resource of which what remains has `shortAmount` too little free in all, so that no way to place all exists. */
  shortResource?: number;
  shortPeriod?: number;
  shortAmount: number;
}

/** What may happen at the same time. */
export interface MoveLimits {
  /** At most so many moves of one wave from or to the same node; absent = any number. */
  perNode?: number | undefined;
  /** At most this share of an app's replicas in one wave, but at least one replica; absent = all. */
  appShare?: number | undefined;
}

/** The way from what runs to a plan. Every hard constraint holds at every step. */
export interface MoveOrder {
  /** The moves of a wave run at the same time, in any order. Replicas that begin to run come last. */
  waves: Move[][];
  /** Moves that cannot be ordered; those of a circle on full nodes, for example, need a third place that does not exist. */
  stuck: Move[];
  /** Replicas that change their node, each counted once. */
  moved: number;
  /** Further moves over third places. */
  detours: number;
  /** No order has fewer waves, by the limits on what happens at the same time. */
  leastWaves: number;
}

/**
 * One replica that changes its node. Nodes are the instance's listed nodes by their index, then the plan's anonymous nodes in its
 * order, each copy by itself.
 */
export interface Move {
  app: number;
  /** Absent: the replica starts. */
  from?: number | undefined;
  /** Absent: the replica ends. */
  to?: number | undefined;
  /** To a node where the plan does not have it; a later wave takes it on. */
  detour: boolean;
}

/** A placement rule and the rule that overrides it, as indices of the instance's rules. */
export interface OverriddenRule {
  rule: number;
  by: number;
}

/** A bound by itself, for one objective. */
export interface BoundEntry {
  name: string;
  objective: Objective | 'cost';
  value: number;
  resource?: number;
  period?: number;
  source: string;
}

/** An option of a planner. */
export interface OptionInfo {
  name: string;
  summary: string;
  default: number;
  min: number;
  max: number;
}

/** A planner of the catalogue. */
export interface PlannerInfo {
  name: string;
  summary: string;
  /** Paper, section, equation. */
  source: string;
  complexity: string;
  options: OptionInfo[];
  /** Features of the model that the planner honours. It refuses an instance that uses any other feature. */
  honours: string[];
  /** Objectives that the planner pursues; 'soft-rules' where it also reduces violations of soft placement rules. */
  objectives: (Objective | 'soft-rules')[];
  /**
   * Milliseconds after which a run ends where the request has neither a deadline nor a work limit; absent where the planner
   * ends by itself.
   */
  defaultDeadlineMs?: number;
  /** True: the planner needs a solver of linear programs, which only programs in C and C++ can set. It is refused here. */
  needsSolver?: boolean;
}

export interface Catalogue {
  /** Version of the library. */
  version: string;
  planners: PlannerInfo[];
}

/**
 * An enumerator's name in lower case with hyphens, such as "affinity-limit" for AffinityLimit; the number of an enumerator that
 * only a later library knows.
 */
export function word<Word extends string>(names: Readonly<Record<number, string>>, value: number): Word {
  return (names[value] ?? String(value)).replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase() as Word;
}

function all<From, To>(count: number, at: (index: number) => From | null, to: (from: From) => To): To[] {
  return Array.from({ length: count }, (_, k) => to(at(k)!));
}

/** The given indices, without those that do not apply. */
export function known<Key extends string>(positions: Record<Key, number>): Partial<Record<Key, number>> {
  const entries = Object.entries(positions).filter(([, value]) => value !== NONE);
  return Object.fromEntries(entries) as Partial<Record<Key, number>>;
}

function body<Body>(bytes: Uint8Array, kind: wire.ReportBody, empty: Body): Body {
  const report = wire.Report.getRootAsReport(new flatbuffers.ByteBuffer(bytes));
  if (report.bodyType() !== kind) throw new StowageError('MALFORMED', 'the report is of another kind than asked for');
  // The generated code uses an older type for union members.
  return report.body(empty as never) as unknown as Body;
}

export function decodeCommit(bytes: Uint8Array): Commit {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.Commit, new wire.Commit());
    return asReport({
      committed: from.committed(),
      plannedVersion: from.plannedVersion(),
      version: from.version(),
      placed: Number(from.placed()),
      moved: Number(from.moved()),
      ended: Number(from.ended()),
      opened: Array.from({ length: from.openedLength() }, (_, k) => from.opened(k)),
      conflicts: all(from.conflictsLength(), (k) => from.conflicts(k), (one) => ({
        kind: word<ConflictKind>(wire.ConflictKind, one.kind()),
        ...(one.app() === null ? {} : { app: one.app()! }),
        ...(one.node() === null ? {} : { node: one.node()! }),
        wanted: Number(one.wanted()),
        available: Number(one.available()),
      })),
    });
  });
}

export function decodeVerification(bytes: Uint8Array): Verification {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.Verification, new wire.Verification());
    return asReport({
      ok: from.ok(),
      nodes: Number(from.nodes()),
      placed: Number(from.placed()),
      unplaced: Number(from.unplaced()),
      ...(from.cost() < 0 ? {} : { cost: from.cost() }),
      violationCount: Number(from.violationCount()),
      inheritedCount: Number(from.inheritedCount()),
      violations: all(from.violationsLength(), (k) => from.violations(k), (one) => ({
        kind: word<ViolationKind>(wire.ViolationKind, one.kind()),
        inherited: one.inherited(),
        ...known({
          node: one.node(), app: one.app(), other: one.other(), resource: one.resource(), period: one.period(),
        }),
        amount: one.amount(),
        limit: one.limit(),
        ...(one.what() ? { what: one.what()! } : {}),
      })),
      utilization: from.utilizationArray() ?? new Float64Array(),
      ...(from.ucac() < 0 ? {} : { ucac: from.ucac() }),
      ...(from.maxCost() < 0
        ? {}
        : { maxCost: from.maxCost(), totalCost: from.totalCost(), nodeMaxCost: from.nodeMaxCostArray() ?? new Float64Array() }),
      metrics: metricsOf(from.metrics()!),
      ruleViolations: all(from.ruleViolationsLength(), (k) => from.ruleViolations(k), (one) => ({
        rule: one.rule(),
        hard: one.hard(),
        inherited: one.inherited(),
        ...known({ node: one.node(), app: one.app() }),
        replicas: one.replicas(),
        extent: one.extent(),
        amount: one.amount(),
        limit: one.limit(),
        weight: one.weight(),
      })),
    });
  });
}

function metricsOf(from: wire.ClusterMetrics): ClusterMetrics {
  return asReport({
    applications: Number(from.applications()),
    applicationsPlaced: Number(from.applicationsPlaced()),
    nodes: Number(from.nodes()),
    nodesUsed: Number(from.nodesUsed()),
    fragmentedNodes: Number(from.fragmentedNodes()),
    imbalance: from.imbalanceArray() ?? new Float64Array(),
    ruleViolations: violationsOf(from),
  });
}

export function decodeExplanation(bytes: Uint8Array): Explanation {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.Explanation, new wire.Explanation());
    return {
      nodes: Number(from.nodes()),
      nodeBound: from.nodeBound(),
      drivers: all(from.driversLength(), (k) => from.drivers(k), (one) => ({
        kind: word<DriverKind>(wire.DriverKind, one.kind()),
        ...known({ resource: one.resource(), period: one.period(), app: one.app() }),
        nodes: one.nodes(),
      })),
      resources: all(from.resourcesLength(), (k) => from.resources(k), (one) => ({
        resource: one.resource(),
        peakPeriod: one.peakPeriod(),
        demand: one.demand(),
        capacity: one.capacity(),
        stranded: one.stranded(),
      })),
      apps: all(from.appsLength(), (k) => from.apps(k), appExplanationOf),
      overridden: Array.from({ length: Math.min(from.overriddenLength(), from.overriddenByLength()) }, (_, k) => ({
        rule: from.overridden(k)!, by: from.overriddenBy(k)!,
      })),
      ...(from.suffering() === null ? {} : { suffering: sufferingOf(from.suffering()!) }),
    };
  });
}

function sufferingOf(from: wire.Suffering): Suffering {
  return asReport({
    node: from.node(),
    app: from.app(),
    cost: from.cost(),
    fromKind: from.fromKindArray() ?? new Float64Array(),
    ...known({ moving: from.moving(), to: from.to() }),
    costAfter: from.costAfter(),
    costThere: from.costThere(),
  });
}

function appExplanationOf(from: wire.AppExplanation): AppExplanation {
  return {
    app: from.app(),
    unplaced: from.unplaced(),
    openNodes: Number(from.openNodes()),
    blockedByCapacity: Number(from.blockedByCapacity()),
    blockedByLimits: Number(from.blockedByLimits()),
    blockedByBoth: Number(from.blockedByBoth()),
    closest: all(from.closestLength(), (k) => from.closest(k), (one) => ({
      ...known({ node: one.node() }),
      nodeClass: one.nodeClass(),
      obstacles: all(one.obstaclesLength(), (k) => one.obstacles(k), obstacleOf),
      distance: one.distance(),
    })),
    relaxations: all(from.relaxationsLength(), (k) => from.relaxations(k), (one) => ({
      kind: word<RelaxationKind>(wire.RelaxationKind, one.kind()),
      ...known({
        node: one.node(), nodeClass: one.nodeClass(), beside: one.beside(), app: one.app(), resource: one.resource(),
        rule: one.rule(), condition: one.condition(), tag: one.tag(), sufferingKind: one.sufferingKind(),
      }),
      amount: one.amount(),
    })),
  };
}

function obstacleOf(from: wire.Obstacle): Obstacle {
  return {
    kind: word<ObstacleKind>(wire.ObstacleKind, from.kind()),
    ...known({ resource: from.resource(), period: from.period(), other: from.other() }),
    amount: from.amount(),
    limit: from.limit(),
  };
}

export function decodeHeadroom(bytes: Uint8Array): Headroom {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.Headroom, new wire.Headroom());
    return asReport({
      room: (from.roomArray() ?? new Uint32Array()).slice(),
      lacksCapacity: (from.lacksCapacityArray() ?? new Uint8Array()).slice(),
      forbidden: (from.forbiddenArray() ?? new Uint8Array()).slice(),
      obstacles: all(from.obstaclesLength(), (k) => from.obstacles(k), obstacleOf),
    });
  });
}

export function decodeHeadroomOfApps(bytes: Uint8Array): HeadroomOfApps {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.HeadroomOfApps, new wire.HeadroomOfApps());
    const counts = (size: number, at: (k: number) => bigint | null) =>
      Float64Array.from({ length: size }, (_, k) => Number(at(k)));
    return asReport({
      room: counts(from.roomLength(), (k) => from.room(k)),
      nodes: counts(from.nodesLength(), (k) => from.nodes(k)),
      most: (from.mostArray() ?? new Uint32Array()).slice(),
      spareRoom: counts(from.spareRoomLength(), (k) => from.spareRoom(k)),
      coupled: (from.coupledArray() ?? new Uint8Array()).slice(),
    });
  });
}

function lossOf(from: wire.Loss): Loss {
  return asReport({
    name: from.name() ?? '',
    nodes: (from.nodesArray() ?? new Uint32Array()).slice(),
    replicas: Number(from.replicas()),
    left: Number(from.left()),
    moves: Array.from({ length: from.appLength() }, (_, k) => ({
      app: from.app(k)!,
      ...known({ to: from.to(k)! }),
      replicas: from.count(k)!,
    })),
    ...known({ shortResource: from.shortResource(), shortPeriod: from.shortPeriod() }),
    shortAmount: from.shortAmount(),
  });
}

export function decodeLosses(bytes: Uint8Array): Loss[] {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.Losses, new wire.Losses());
    return all(from.lossesLength(), (k) => from.losses(k), lossOf);
  });
}

export function decodeMoveOrder(bytes: Uint8Array): MoveOrder {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.MoveOrder, new wire.MoveOrder());
    const moveOf = (one: wire.Move): Move => ({
      app: one.app(),
      ...known({ from: one.from(), to: one.to() }),
      detour: one.detour(),
    });
    const moves = all(from.movesLength(), (k) => from.moves(k), moveOf);
    const ends = [...(from.waveEndsArray() ?? [])];
    return {
      waves: ends.map((end, k) => moves.slice(k === 0 ? 0 : ends[k - 1], end)),
      stuck: all(from.stuckLength(), (k) => from.stuck(k), moveOf),
      moved: from.moved(),
      detours: from.detours(),
      leastWaves: from.leastWaves(),
    };
  });
}

export function decodeBounds(bytes: Uint8Array): BoundEntry[] {
  return reading('report', bytes, (source) => {
    const from = body(source, wire.ReportBody.Bounds, new wire.Bounds());
    return all(from.entriesLength(), (k) => from.entries(k), (one) => ({
      name: one.name() ?? '',
      objective: one.objective() as BoundEntry['objective'],
      value: one.value(),
      ...known({ resource: one.resource(), period: one.period() }),
      source: one.source() ?? '',
    }));
  });
}

export function decodeCatalogue(bytes: Uint8Array): Catalogue {
  return reading('catalogue', bytes, (source) => {
    const from = catalogue.Catalogue.getRootAsCatalogue(new flatbuffers.ByteBuffer(source));
    return {
      version: from.version() ?? '',
      planners: all(from.plannersLength(), (k) => from.planners(k), (planner) => ({
        name: planner.name() ?? '',
        summary: planner.summary() ?? '',
        source: planner.source() ?? '',
        complexity: planner.complexity() ?? '',
        options: all(planner.optionsLength(), (k) => planner.options(k), (option) => ({
          name: option.name() ?? '',
          summary: option.summary() ?? '',
          default: option.defaultNumber(),
          min: option.min(),
          max: option.max(),
        })),
        honours: Array.from({ length: planner.honoursLength() }, (_, k) => planner.honours(k) ?? ''),
        objectives: Array.from({ length: planner.objectivesLength() }, (_, k) => planner.objectives(k) as Objective | 'soft-rules'),
        ...(planner.defaultDeadlineMs() === 0n ? {} : { defaultDeadlineMs: Number(planner.defaultDeadlineMs()) }),
        ...(planner.needsSolver() ? { needsSolver: true } : {}),
      })),
    };
  });
}
