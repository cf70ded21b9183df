// Reports and the catalogue as plain objects. Positions that a report leaves open are absent.
import * as flatbuffers from 'flatbuffers';
import { NONE, alignedBytes, reading } from './columns.js';
import { StowageError } from './errors.js';
import type { RuleViolations } from './plan.js';
import type { Objective } from './request.js';
import * as catalogue from './wire/catalogue_generated.js';
import * as wire from './wire/report_generated.js';

export type ConflictKind =
  | 'version' | 'app-gone' | 'not-pending' | 'node-gone' | 'node-closed' | 'no-room' | 'moves' | 'rules';

/** Something of a plan that was not taken; what it concerns stays pending. */
export interface Conflict {
  kind: ConflictKind;
  /** Absent where it concerns all. */
  app?: string;
  /** Absent where it concerns all, or a node without a name yet. */
  node?: string;
  wanted: number;
  available: number;
}

/** What became of a plan in a session. */
export interface Commit {
  /** Whether something of it was taken. */
  committed: boolean;
  plannedVersion: bigint;
  version: bigint;
  /** Replicas that run now and did not before. */
  placed: number;
  /** Replicas that run elsewhere now. */
  moved: number;
  /** Replicas that ran and wait now. */
  ended: number;
  /** Names given to nodes that the plan opened. */
  opened: string[];
  conflicts: Conflict[];
}

export type ViolationKind =
  | 'capacity' | 'affinity-limit' | 'self-limit' | 'replica-count' | 'pin' | 'class-count' | 'bad-node' | 'bad-entry' | 'moves'
  | 'closed-node' | 'figures' | 'wrong-instance' | 'unchecked' | 'capacity-at-confidence' | 'placement-rule';
export type ObstacleKind =
  | 'capacity' | 'affinity-limit' | 'imposed-limit' | 'self-limit' | 'closed-node' | 'capacity-at-confidence'
  | 'placement-rule';
export type RelaxationKind =
  | 'none' | 'add-node' | 'add-capacity' | 'raise-limit' | 'open-node' | 'raise-maximum' | 'lower-minimum' | 'soften-rule';
export type DriverKind =
  | 'capacity' | 'large-items' | 'without-limits' | 'without-resource' | 'without-periods' | 'self-limit'
  | 'without-uncertainty';

/** One broken constraint; docs of the fields: `Violation` in report.fbs. */
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

/** The independent checker's findings on one plan. */
export interface Verification {
  ok: boolean;
  nodes: number;
  placed: number;
  unplaced: number;
  cost?: number;
  /** New or worsened; all are counted, the first 1000 are listed. */
  violationCount: number;
  inheritedCount: number;
  violations: Violation[];
  /** Highest utilization of each resource over periods, over the nodes in use. */
  utilization: Float64Array;
  /** Used capacity at confidence, summed over the nodes in use; absent where no demand is uncertain. */
  ucac?: number;
  metrics: ClusterMetrics;
  /** Placement rules that do not hold, hard and soft: the first 1000. */
  ruleViolations: RuleViolation[];
}

/** Replicas for which a placement rule does not hold. */
export interface RuleViolation {
  /** Position among the instance's rules. */
  rule: number;
  hard: boolean;
  /** Hard, broken before planning and no worse now. */
  inherited: boolean;
  /** Of the plan; node and app are absent for conditions on the number of sets or on skew: they are about all subjects together. */
  node?: number;
  app?: number;
  /** Of the app on the node; 1 where there is none. */
  replicas: number;
  /** For one replica: how far counts are outside of their bounds, as a share of these (P2, Eq. 8). */
  extent: number;
  /** The count that is furthest out, and the bound that it misses. */
  amount: number;
  limit: number;
  weight: number;
}

/** How a plan leaves the cluster. */
export interface ClusterMetrics {
  /** Those that want replicas, and those of which nothing is left over. Apps that share a tag "appID:..." are one application. */
  applications: number;
  applicationsPlaced: number;
  /** Nodes that exist (of classes without a count: that are used), and those in use. */
  nodes: number;
  nodesUsed: number;
  /** Nodes with less left of some resource than any app needs of it that are not full in all (P2, section 7.4). */
  fragmentedNodes: number;
  /** Coefficient of variation of the nodes' utilization at their peaks, by resource. */
  imbalance: Float64Array;
  /** As of the plan, counted anew. */
  ruleViolations: RuleViolations;
}

export interface Obstacle {
  kind: ObstacleKind;
  resource?: number;
  period?: number;
  other?: number;
  amount: number;
  limit: number;
}

/** A node that came close to taking one more replica. */
export interface CloseNode {
  /** Absent: a new, empty node of the class. */
  node?: number;
  nodeClass: number;
  obstacles: Obstacle[];
  distance: number;
}

/** A change that would let one more replica in. */
export interface Relaxation {
  kind: RelaxationKind;
  node?: number;
  nodeClass?: number;
  beside?: number;
  app?: number;
  resource?: number;
  amount: number;
  /** Position among the instance's rules, and of the condition in the rule's only conjunction. */
  rule?: number;
  condition?: number;
}

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

export interface ResourceUse {
  resource: number;
  peakPeriod: number;
  demand: number;
  capacity: number;
  stranded: number;
}

export interface Explanation {
  nodes: number;
  nodeBound: number;
  drivers: Driver[];
  resources: ResourceUse[];
  apps: AppExplanation[];
  /** Placement rules of applications that give way to an operator's, which they contradict. */
  overridden: OverriddenRule[];
}

/** A placement rule that gives way to another, both by their positions among the instance's rules. */
export interface OverriddenRule {
  rule: number;
  by: number;
}

export interface BoundEntry {
  name: string;
  objective: 'nodes' | 'cost' | 'ucac';
  value: number;
  resource?: number;
  period?: number;
  source: string;
}

export interface OptionInfo {
  name: string;
  summary: string;
  default: number;
  min: number;
  max: number;
}

export interface PlannerInfo {
  name: string;
  summary: string;
  /** Paper, section, equation. */
  source: string;
  complexity: string;
  options: OptionInfo[];
  /** Features of the model that it honours; an instance that uses another is refused. */
  honours: string[];
  /** Objectives that it pursues; 'soft-rules' where it looks at soft placement rules. */
  objectives: (Objective | 'soft-rules')[];
  /** For planners that go on until a limit: when they end where the request has neither deadline nor work limit. */
  defaultDeadlineMs?: number;
  /** Refused here: it needs a solver of linear programs, which programs in C can set. */
  needsSolver?: boolean;
}

export interface Catalogue {
  /** Version of the library. */
  version: string;
  planners: PlannerInfo[];
}

/** An enumerator's name as a word: "AffinityLimit" is "affinity-limit". Unknown ones of a later library keep their number. */
function word<Word extends string>(names: Readonly<Record<number, string>>, value: number): Word {
  return (names[value] ?? String(value)).replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase() as Word;
}

function all<From, To>(count: number, at: (index: number) => From | null, to: (from: From) => To): To[] {
  return Array.from({ length: count }, (_, k) => to(at(k)!));
}

/** The given positions, less those that are open. */
function known<Key extends string>(positions: Record<Key, number>): Partial<Record<Key, number>> {
  const entries = Object.entries(positions).filter(([, value]) => value !== NONE);
  return Object.fromEntries(entries) as Partial<Record<Key, number>>;
}

function body<Body>(bytes: Uint8Array, kind: wire.ReportBody, empty: Body): Body {
  const report = wire.Report.getRootAsReport(new flatbuffers.ByteBuffer(bytes));
  if (report.bodyType() !== kind) throw new StowageError('MALFORMED', 'the report is of another kind than asked for');
  // The generated code knows union members by an older name of their type.
  return report.body(empty as never) as unknown as Body;
}

export function decodeCommit(bytes: Uint8Array): Commit {
  const source = alignedBytes(bytes);
  return reading('a report', source, 'STOV', () => {
    const from = body(source, wire.ReportBody.Commit, new wire.Commit());
    return {
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
    };
  });
}

export function decodeVerification(bytes: Uint8Array): Verification {
  const source = alignedBytes(bytes);
  return reading('a report', source, 'STOV', () => {
    const from = body(source, wire.ReportBody.Verification, new wire.Verification());
    return {
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
    };
  });
}

function metricsOf(from: wire.ClusterMetrics): ClusterMetrics {
  return {
    applications: Number(from.applications()),
    applicationsPlaced: Number(from.applicationsPlaced()),
    nodes: Number(from.nodes()),
    nodesUsed: Number(from.nodesUsed()),
    fragmentedNodes: Number(from.fragmentedNodes()),
    imbalance: from.imbalanceArray() ?? new Float64Array(),
    ruleViolations: {
      count: Number(from.ruleViolations()),
      replicas: Number(from.violatingReplicas()),
      extent: from.violationExtent(),
      weight: from.violationWeight(),
      cost: from.violationCost(),
    },
  };
}

export function decodeExplanation(bytes: Uint8Array): Explanation {
  const source = alignedBytes(bytes);
  return reading('a report', source, 'STOV', () => {
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
    };
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
      obstacles: all(one.obstaclesLength(), (k) => one.obstacles(k), (obstacle) => ({
        kind: word<ObstacleKind>(wire.ObstacleKind, obstacle.kind()),
        ...known({ resource: obstacle.resource(), period: obstacle.period(), other: obstacle.other() }),
        amount: obstacle.amount(),
        limit: obstacle.limit(),
      })),
      distance: one.distance(),
    })),
    relaxations: all(from.relaxationsLength(), (k) => from.relaxations(k), (one) => ({
      kind: word<RelaxationKind>(wire.RelaxationKind, one.kind()),
      ...known({
        node: one.node(), nodeClass: one.nodeClass(), beside: one.beside(), app: one.app(), resource: one.resource(),
        rule: one.rule(), condition: one.condition(),
      }),
      amount: one.amount(),
    })),
  };
}

export function decodeBounds(bytes: Uint8Array): BoundEntry[] {
  const source = alignedBytes(bytes);
  return reading('a report', source, 'STOV', () => {
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
  const source = alignedBytes(bytes);
  return reading('a catalogue', source, 'STOC', () => {
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
