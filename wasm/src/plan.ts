// The plan: typed views of its bytes, and its conversion to JSON and CSV.
import * as flatbuffers from 'flatbuffers';
import { reading } from './check.js';
import type { InstanceColumns } from './columns.js';
import { NONE } from './lists.js';
import { appName, listedName } from './description.js';
import { StowageError, invalid } from './errors.js';
import {
  STATUSES, boundOf, leftOverOf, noteOf, unplacedOf,
  type Bound, type LeftOver, type Note, type NoteCode, type Placed, type PlanStatus, type Unplaced,
} from './plan-records.js';
import { found } from './report-parts.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import { beginning, fieldsInJson, fingerprintText, shown, type InJson } from './shown.js';
import { Steps, type CallOptions } from './watch.js';
import * as wire from './wire/plan_generated.js';

/**
 * Violations of placement rules in a plan: of soft rules, and of hard rules that were broken at the start. A violation is one
 * replica and one rule that does not hold for it.
 */
export interface RuleViolations {
  /** Number of violations. */
  count: number;
  /** Number of different replicas among the violations. */
  replicas: number;
  /** Sums over the violations: of the extents (P2, Eq. 8), of the rules' weights, and of extent x weight. */
  extent: number;
  weight: number;
  cost: number;
}

/** The score of a planner that maximizes a score of its own, which docs/algorithms.md defines. */
export interface Score {
  value: number;
  /** Upper bound on the score of any plan, and (bound - value) / value; undefined where no bound is proven. */
  bound: number | undefined;
  gap: number | undefined;
}

/** `not_survived` of a plan whose run ended before all losses were looked at. */
export const NOT_KNOWN = 2n ** 64n - 1n;

/** The placements of a plan, ordered by node and then by app. Entries are read from the plan's bytes on access. */
export class Placements implements Iterable<Placed> {
  /**
   * Views entries without copying them.
   * @param words app, node and replicas of each entry, in sequence
   */
  constructor(readonly words: Uint32Array) {
    shown(this, `Placements(${this.length})`, (most) => beginning(this.length, most, (entry) => this.at(entry)));
  }

  /** Number of entries. */
  get length(): number {
    return this.words.length / 3;
  }
  /** Index of the app of an entry. */
  app(entry: number): number {
    return this.words[3 * entry]!;
  }
  /** Index of the node of an entry. */
  node(entry: number): number {
    return this.words[3 * entry + 1]!;
  }
  /** Replicas of an entry. */
  replicas(entry: number): number {
    return this.words[3 * entry + 2]!;
  }
  /** An entry as an object. */
  at(entry: number): Placed {
    return { app: this.app(entry), node: this.node(entry), replicas: this.replicas(entry) };
  }
  /** The entries in sequence, by node. */
  *[Symbol.iterator](): Iterator<Placed> {
    for (let entry = 0; entry < this.length; ++entry) yield this.at(entry);
  }
  /** Index of a node's first entry, and the index after its last one. */
  range(node: number): [begin: number, end: number] {
    return [this.lowerBound(node), this.lowerBound(node + 1)];
  }
  /** The entries of a node. */
  on(node: number): Placed[] {
    const [begin, end] = this.range(node);
    return Array.from({ length: end - begin }, (_, k) => this.at(begin + k));
  }
  /** All entries, for `JSON.stringify`. */
  toJSON(): Placed[] {
    return [...this];
  }

  private lowerBound(node: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.node(middle) < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/**
 * The fields of a plan as `JSON.stringify` writes them: all but `bytes` and `complete`, under the same names. The fingerprint `instance` has 16
 * hexadecimal digits; `seed`, `work` and `pace` are decimal digits, which `BigInt` reads; columns are arrays, and placements are arrays
 * of `Placed`. Fields that are undefined are not written. `planOf` does not read this form; it reads what
 * `describePlan` makes, which has names.
 */
export type PlanJson = {
  [Key in Exclude<keyof Plan, 'bytes' | 'complete' | 'toJSON'>]: Plan[Key] extends Placements ? Placed[] : InJson<Plan[Key]>;
};

interface PlanColumns {
  nodeClass: Uint32Array;
  listed: Uint32Array;
  copies: Uint32Array | undefined;
  placed: Placements;
  unplaced: Unplaced[];
  reserved: Placements;
  unreserved: Unplaced[];
  nodeUcac: Float64Array | undefined;
  nodeMaxCost: Float64Array | undefined;
}

function columnsOf(root: wire.Plan, source: Uint8Array, steps: Steps): PlanColumns {
  const placements = (length: number, first: wire.Placed | null): Placements =>
    new Placements(first === null ? new Uint32Array() : new Uint32Array(source.buffer, source.byteOffset + first.bb_pos, 3 * length));
  const placed = placements(root.placedLength(), root.placedLength() === 0 ? null : root.placed(0));
  const reserved = placements(root.reservedLength(), root.reservedLength() === 0 ? null : root.reserved(0));
  const unplaced = listOf(root.unplacedLength(), (k) => root.unplaced(k), unplacedOf, steps);
  const unreserved = listOf(root.unreservedLength(), (k) => root.unreserved(k), unplacedOf, steps);
  const [nodeClass, listed] = [root.nodeClassArray() ?? new Uint32Array(), root.listedArray() ?? new Uint32Array()];
  const copies = root.copiesArray() ?? undefined;
  // The check takes an empty column for an absent one. The library does not.
  if (copies !== undefined && copies.length !== nodeClass.length) {
    throw new StowageError('MALFORMED', 'needs one entry per node', 'copies');
  }
  const nodeUcac = root.nodeUcacArray() ?? undefined;
  const nodeMaxCost = root.nodeMaxCostArray() ?? undefined;
  return { nodeClass, listed, copies, placed, unplaced, reserved, unreserved, nodeUcac, nodeMaxCost };
}

/** What tables of the schemas say of rules. The types of the package do not name the tables. */
interface Violations {
  ruleViolations(): bigint;
  violatingReplicas(): bigint;
  violationExtent(): number;
  violationWeight(): number;
  violationCost(): number;
}

/** Of a plan, or of a report's metrics. */
export const violationsOf = (from: Violations): RuleViolations => ({
  count: Number(from.ruleViolations()),
  replicas: Number(from.violatingReplicas()),
  extent: from.violationExtent(),
  weight: from.violationWeight(),
  cost: from.violationCost(),
});

function scoreOf(root: wire.Plan): Score | undefined {
  if (!root.hasScore()) return undefined;
  const proven = root.scoreGap() >= 0;
  return { value: root.score(), bound: proven ? root.scoreBound() : undefined, gap: proven ? root.scoreGap() : undefined };
}

/** Reads a list whose size the bytes decide. */
const listOf = <From, To>(length: number, at: (k: number) => From | null, of: (from: From) => To, steps: Steps): To[] =>
  Array.from({ length }, (_, k) => {
    steps.step();
    return of(at(k)!);
  });

/** The parts of a plan whose size its bytes decide. */
function partsOf(source: Uint8Array, steps: Steps) {
  const root = wire.Plan.getRootAsPlan(new flatbuffers.ByteBuffer(source));
  const notes = listOf(root.notesLength(), (k) => root.notes(k), noteOf, steps);
  const leftOver = listOf(root.leftOverBoundLength(), (k) => root.leftOverBound(k), leftOverOf, steps);
  return { source, root, columns: columnsOf(root, source, steps), notes, leftOver };
}

/**
 * A plan. Immutable and independent of the module that made it, so that it need not be disposed of. `console.log` in Node.js shows
 * the first entries of its lists.
 */
export class Plan {
  /** The bytes of the plan (plan.fbs), which every part of Stowage reads. */
  readonly bytes: Uint8Array;
  /** Fingerprint of the instance that the plan was made for. */
  readonly instance: bigint;
  readonly planner: string;
  readonly status: PlanStatus;
  readonly seed: bigint;
  /**
   * Work units done. A request with this work limit, and with the option `pace` set to this plan's `pace` if above 0, repeats
   * the run.
   */
  readonly work: bigint;
  /** Total work units for which the search scheduled itself; 0 where it had no schedule. */
  readonly pace: bigint;
  /** Number of nodes in use, copies and nodes that are kept without replicas included. */
  readonly nodes: number;
  /** Class of each node of the plan. */
  readonly nodeClass: Uint32Array;
  /** Index of each node among the instance's listed nodes; 4294967295 for an anonymous node of its class. */
  readonly listed: Uint32Array;
  /**
   * Number of copies of each node, all with the same content; 1 for a listed node. Undefined = all 1, as in plans whose request
   * is not `compact`. `expandPlan` lists every copy.
   */
  readonly copies: Uint32Array | undefined;
  readonly placements: Placements;
  /** Ordered by app. */
  readonly unplaced: readonly Unplaced[];
  /** Lower bound on the nodes of any complete plan. */
  readonly nodeBound: Bound | undefined;
  /**
   * How far the plan is above the bound on what it is judged by, as a share of the bound: cost where there are prices, else nodes,
   * or used capacity where that is the objective; with the policy "price", violations are included. Undefined where no statement
   * is possible.
   */
  readonly gap: number | undefined;
  /** Sum of the prices of the nodes in use; undefined without prices. */
  readonly cost: number | undefined;
  readonly costBound: Bound | undefined;
  readonly inheritedViolations: number;
  readonly moves: number;
  /** Used capacity at confidence, summed over the nodes in use; undefined where no demand is uncertain. */
  readonly ucac: number | undefined;
  /** The resource of `ucac`. */
  readonly ucacResource: number | undefined;
  /** Lower bound on `ucac` of any complete plan. */
  readonly ucacBound: Bound | undefined;
  /** Used capacity at confidence of each node, of a single copy, in the period where it is highest. */
  readonly nodeUcac: Float64Array | undefined;
  /** What side effects cost the replica that suffers most (P4, section 2), and all replicas together; undefined without kinds. */
  readonly maxCost: number | undefined;
  readonly totalCost: number | undefined;
  /** Lower bounds on them of any complete plan. */
  readonly maxCostBound: Bound | undefined;
  readonly totalCostBound: Bound | undefined;
  /** With the objective "admitted": weight of the applications that lack replicas, and a lower bound on it for any plan. */
  readonly leftOut: number | undefined;
  readonly leftOutBound: Bound | undefined;
  /** With traffic: that between replicas that do not share a node, and a lower bound on it for any plan. */
  readonly remoteTraffic: number | undefined;
  readonly remoteTrafficBound: Bound | undefined;
  /** Cost of the replica that suffers most on each node. */
  readonly nodeMaxCost: Float64Array | undefined;
  /** `maxCost` of the request; undefined = no limit. */
  readonly maxCostLimit: number | undefined;
  /** Undefined where the instance has no placement rules. */
  readonly ruleViolations: RuleViolations | undefined;
  /** Undefined where the planner has no score. */
  readonly score: Score | undefined;
  /** The objective that the run minimized. The status `optimal` and `gap` refer to it and to how soft rules counted. */
  readonly objective: Objective;
  /** How soft rules counted beside the objective, and what a unit of violation cost. */
  readonly soft: SoftPolicy;
  readonly softPrice: number;
  /** Whether capacity counted, instead of replicas, where not all of them fit. */
  readonly fill: boolean;
  readonly notes: readonly Note[];
  /**
   * No plan of the request leaves less over than this, highest priority first; the highest priority in which a plan differs from
   * it decides. Empty where everything is placed or nothing is known.
   */
  readonly leftOverBound: readonly LeftOver[];
  /** Whether `unplaced` is no more than `leftOverBound`: it is proven that no plan of the request leaves less over. */
  readonly placesMost: boolean;
  /** Where there is room for the replicas of the request's `keep`, all at once; and those without room, ordered by app. */
  readonly reserved: Placements;
  readonly unreserved: readonly Unplaced[];
  /** `survive` of the request; undefined = none. */
  readonly survive: string | undefined;
  /**
   * Number of replicas that the worst of these losses leaves without a place; 0: the plan survives each of them. Undefined: not
   * known, for the run ended before all were looked at.
   */
  readonly notSurvived: number | undefined;
  /** `leaveFree` of the request; undefined = none. */
  readonly leaveFree: string | undefined;
  /** Values of this label that have a node with a replica or with load, and a lower bound on their number for any complete plan. */
  readonly domainsInUse: number;
  readonly domainBound: number;

  /**
   * Reads a plan, which the library checks first: load it on this thread before (`loadStowage`, `startStowageWorker`). Whether the
   * plan fits an instance is what `verify` says.
   * @param bytes the bytes of a plan, which must not change
   * @throws StowageError `MALFORMED`, `INVALID` or `LIMIT_EXCEEDED` with the path of what cannot be read
   */
  constructor(bytes: Uint8Array, options: CallOptions = {}) {
    const { source, root, columns, notes, leftOver } = reading('plan', bytes, partsOf, options);
    this.bytes = source;
    this.nodeClass = columns.nodeClass;
    this.listed = columns.listed;
    this.copies = columns.copies;
    this.placements = columns.placed;
    this.unplaced = columns.unplaced;
    this.reserved = columns.reserved;
    this.unreserved = columns.unreserved;
    this.nodeUcac = columns.nodeUcac;
    this.nodeMaxCost = columns.nodeMaxCost;
    this.nodes = this.copies?.reduce((sum, copies) => sum + copies, 0) ?? this.nodeClass.length;
    this.instance = root.instance();
    this.planner = root.planner() ?? '';
    this.status = STATUSES[root.status()] ?? 'partial';
    this.seed = root.seed();
    this.work = root.work();
    this.pace = root.pace();
    this.nodeBound = found(root.nodeBound(), boundOf);
    this.gap = root.gap() < 0 ? undefined : root.gap();
    this.cost = root.cost() < 0 ? undefined : root.cost();
    this.costBound = found(root.costBound(), boundOf);
    this.inheritedViolations = root.inheritedViolations();
    this.moves = root.moves();
    this.ucac = root.ucac() < 0 ? undefined : root.ucac();
    this.ucacResource = root.ucacResource() === NONE ? undefined : root.ucacResource();
    this.ucacBound = found(root.ucacBound(), boundOf);
    this.maxCost = root.maxCost() < 0 ? undefined : root.maxCost();
    this.totalCost = root.totalCost() < 0 ? undefined : root.totalCost();
    this.maxCostBound = found(root.maxCostBound(), boundOf);
    this.totalCostBound = found(root.totalCostBound(), boundOf);
    this.leftOut = root.leftOut() < 0 ? undefined : root.leftOut();
    this.leftOutBound = found(root.leftOutBound(), boundOf);
    this.remoteTraffic = root.remoteTraffic() < 0 ? undefined : root.remoteTraffic();
    this.remoteTrafficBound = found(root.remoteTrafficBound(), boundOf);
    this.maxCostLimit = root.maxCostLimit() > 0 ? root.maxCostLimit() : undefined;
    this.ruleViolations = root.violationCost() < 0 ? undefined : violationsOf(root);
    this.score = scoreOf(root);
    this.objective = OBJECTIVES[root.objective()] ?? 'nodes';
    this.soft = SOFT_POLICIES[root.soft()] ?? 'first';
    this.softPrice = root.softPrice();
    this.fill = root.fill();
    this.notes = notes;
    this.leftOverBound = leftOver;
    this.placesMost = root.placesMost();
    this.survive = root.survive() ?? undefined;
    this.notSurvived = root.notSurvived() === NOT_KNOWN ? undefined : Number(root.notSurvived());
    this.leaveFree = root.leaveFree() ?? undefined;
    this.domainsInUse = root.domainsInUse();
    this.domainBound = root.domainBound();
    shown(this, 'Plan', () => this.overview());
  }

  /** Whether every replica is placed. */
  get complete(): boolean {
    return this.unplaced.length === 0;
  }

  /** The fields for `JSON.stringify`. */
  toJSON(): PlanJson {
    const { bytes: _, ...fields } = this;
    const json = fieldsInJson(fields);
    json.instance = fingerprintText(this.instance);
    json.placements = this.placements.toJSON();
    json.reserved = this.reserved.toJSON();
    return json as PlanJson;
  }

  /** What the console shows: fields that say something. */
  private overview(): Record<string, unknown> {
    const { bytes: _, ...fields } = this;
    const isEmpty = (field: unknown): boolean => field === undefined || (field as { length?: number }).length === 0;
    const entries = Object.entries({ ...fields, instance: fingerprintText(this.instance) });
    return Object.fromEntries(entries.filter(([, field]) => !isEmpty(field)));
  }
}

/** The bytes of a plan, which is given as an object or as bytes. */
export function planBytes(plan: Plan | Uint8Array): Uint8Array {
  if (plan instanceof Plan) return plan.bytes;
  if (!(plan instanceof Uint8Array)) throw invalid('plan', 'must be a plan, or its bytes');
  return plan;
}

/** The bytes of a plan, if one is given. */
export function bytesIfAny(plan: Plan | Uint8Array | undefined): Uint8Array | undefined {
  return plan === undefined ? undefined : planBytes(plan);
}

// -------------------------------------------------------------------------------------------------------------- for people

/** A bound with the name of its resource. */
export interface BoundDescription {
  name: string;
  value: number;
  resource?: string;
  period?: number;
}

/** A plan with names instead of indices: the JSON format that the command line writes and reads (docs/json-format.md). */
export interface PlanDescription {
  stowage_plan: 1;
  instance: string;
  planner: string;
  status: PlanStatus;
  seed: number;
  work: number;
  pace?: number;
  node_bound?: BoundDescription;
  gap?: number;
  cost?: number;
  cost_bound?: BoundDescription;
  inherited_violations: number;
  moves: number;
  ucac?: number;
  ucac_resource?: string;
  ucac_bound?: BoundDescription;
  /** What side effects cost, where the instance has kinds. */
  max_cost?: number;
  max_cost_bound?: BoundDescription;
  total_cost?: number;
  total_cost_bound?: BoundDescription;
  /** Weight of the applications left out, where that is the objective. */
  left_out?: number;
  left_out_bound?: BoundDescription;
  remote_traffic?: number;
  remote_traffic_bound?: BoundDescription;
  max_cost_limit?: number;
  /** Two fields that are present where the plan is to survive losses; null = not known. */
  survive?: string;
  not_survived?: number | null;
  /** Three fields that are present where domains are to be left free. */
  leave_free?: string;
  domains_in_use?: number;
  domain_bound?: number;
  /** Five fields that are present where the instance has placement rules. */
  rule_violations?: number;
  violating_replicas?: number;
  violation_extent?: number;
  violation_weight?: number;
  violation_cost?: number;
  /** Fields that are present where the planner maximizes a score of its own; the last two where a bound is proven. */
  score?: number;
  score_bound?: number;
  score_gap?: number;
  /** Absent = "nodes". */
  objective?: Objective;
  /** Absent = "first". */
  soft?: SoftPolicy;
  soft_price?: number;
  fill?: boolean;
  notes?: readonly { code: NoteCode; text?: string }[];
  /** Two fields that are present where replicas are left over and a bound on them is known. */
  left_over_bound?: readonly LeftOver[];
  places_most?: boolean;
  /** `copies` is present where the node has several copies; the name is that of the first copy. */
  nodes: {
    name: string;
    class: string;
    copies?: number;
    replicas: Record<string, number>;
    /** Present where room is kept for more replicas. */
    reserved?: Record<string, number>;
    max_cost?: number;
    ucac?: number;
  }[];
  unplaced: Record<string, number>;
  /** Present where there is no room for replicas that room was to be kept for. */
  unreserved?: Record<string, number>;
}

/** The name of a class; "node" or "class3" for a class without a name. */
export function className(columns: InstanceColumns, index: number): string {
  const name = columns.classes[index]?.name;
  if (name) return name;
  return columns.classes.length === 1 && index === 0 ? 'node' : `class${index}`;
}

/** Numbers of the anonymous nodes of a class. */
interface Numbers {
  prefix: string;
  /** Numbers that listed nodes have in names with this prefix, ascending. */
  taken: readonly number[];
  /** The last number given, and the number of entries of `taken` below it. */
  last: number;
  passed: number;
}

/** Gives the next `count` numbers that are not taken; returns the last of them. */
function give(numbers: Numbers, count: number): number {
  numbers.last += count;
  for (; numbers.passed < numbers.taken.length && numbers.taken[numbers.passed]! <= numbers.last; ++numbers.passed) {
    ++numbers.last;
  }
  return numbers.last;
}

/**
 * Names of nodes, in sequence. A listed node has its own name; an anonymous node is named by its class and a number that no
 * listed node has.
 */
class NodeNames {
  /** The numbers at the end of listed nodes' names, by the prefix before them. */
  private readonly taken = new Map<string, number[]>();
  private readonly classes = new Map<number, Numbers>();

  constructor(
    private readonly plan: Plan,
    private readonly columns: InstanceColumns,
    private readonly steps: Steps,
  ) {
    const count = columns.nodes?.nodeClass.length ?? 0;
    for (const name of new Set(Array.from({ length: count }, (_, node) => listedName(columns, node)))) {
      steps.step();
      const [, prefix, number] = /^(.*-)([1-9][0-9]*)$/s.exec(name) ?? [];
      if (prefix === undefined) continue;
      const known = this.taken.get(prefix);
      if (known === undefined) this.taken.set(prefix, [Number(number)]);
      else known.push(Number(number));
    }
    for (const numbers of this.taken.values()) numbers.sort((a, b) => a - b);
  }

  /** The name of a node of the plan. An anonymous node takes `copies` numbers and is named by the first. */
  next(node: number, copies: number): string {
    this.steps.step();
    const listed = this.plan.listed[node]!;
    if (listed !== NONE) return listedName(this.columns, listed);
    const nodeClass = this.plan.nodeClass[node]!;
    let own = this.classes.get(nodeClass);
    if (own === undefined) {
      const prefix = `${className(this.columns, nodeClass)}-`;
      own = { prefix, taken: this.taken.get(prefix) ?? [], last: 0, passed: 0 };
      this.classes.set(nodeClass, own);
    }
    const first = give(own, 1);
    give(own, copies - 1);
    return own.prefix + first;
  }
}

/** The names of the plan's nodes: a listed node's own name, or the class and the number of the first copy. */
export function nodeNames(plan: Plan, columns: InstanceColumns, options: CallOptions = {}): string[] {
  return namesOf(plan, columns, new Steps(options));
}

function namesOf(plan: Plan, columns: InstanceColumns, steps: Steps): string[] {
  const names = new NodeNames(plan, columns, steps);
  return Array.from(plan.nodeClass, (_, node) => names.next(node, copiesOf(plan, node)));
}

/** Number of copies of a node of the plan. */
export const copiesOf = (plan: Plan, node: number): number => plan.copies?.[node] ?? 1;

/** Maximum of nodes plus placements that are listed for a plan. A compact plan of few bytes may stand for far more. */
export const MOST_LISTED = 50_000_000;

/** Number of placements, and of reserved ones, on all nodes in use, copies included. Fails where nodes plus these exceed `most`. */
export function countPlacements(plan: Plan, most = MOST_LISTED): number {
  if (plan.copies === undefined) return plan.placements.length + plan.reserved.length;
  let count = 0;
  plan.copies.forEach((copies, node) => {
    for (const list of [plan.placements, plan.reserved]) {
      const [begin, end] = list.range(node);
      count += copies * (end - begin);
    }
  });
  if (plan.nodes + count > most) {
    const found = `the plan stands for ${plan.nodes} nodes with ${count} placements`;
    throw new StowageError('LIMIT_EXCEEDED', `${found}; at most ${most} of both are listed`, 'copies');
  }
  return count;
}

function describeBound(bound: Bound, columns: InstanceColumns): BoundDescription {
  const resource = bound.resource === undefined ? undefined : columns.resources[bound.resource]?.name;
  return {
    name: bound.name,
    value: bound.value,
    ...(resource === undefined ? {} : { resource }),
    ...(bound.period === undefined ? {} : { period: bound.period }),
  };
}

/** A 64-bit number as a JSON number. Fails if the conversion is inexact. */
function exactNumber(value: bigint, path: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(path, 'is too large for a number of JavaScript');
  return Number(value);
}

/** The plan with the names of its instance. `JSON.stringify` turns it into JSON that the command line reads. */
export function describePlan(plan: Plan, columns: InstanceColumns, options: CallOptions = {}): PlanDescription {
  const steps = new Steps(options);
  const replicasOf = (list: readonly Unplaced[]): Record<string, number> => {
    steps.step(list.length);
    return Object.fromEntries(list.map((one) => [appName(columns, one.app), one.replicas]));
  };
  const ucacResource = plan.ucacResource === undefined ? undefined : columns.resources[plan.ucacResource]?.name;
  const nodeUcac = plan.nodeUcac?.length === plan.nodeClass.length ? plan.nodeUcac : undefined;
  const nodeMaxCost = plan.nodeMaxCost?.length === plan.nodeClass.length ? plan.nodeMaxCost : undefined;
  return {
    stowage_plan: 1,
    instance: fingerprintText(plan.instance),
    planner: plan.planner,
    status: plan.status,
    seed: exactNumber(plan.seed, 'seed'),
    work: exactNumber(plan.work, 'work'),
    ...(plan.pace === 0n ? {} : { pace: exactNumber(plan.pace, 'pace') }),
    ...(plan.nodeBound === undefined ? {} : { node_bound: describeBound(plan.nodeBound, columns) }),
    ...(plan.gap === undefined ? {} : { gap: plan.gap }),
    ...(plan.cost === undefined ? {} : { cost: plan.cost }),
    ...(plan.costBound === undefined ? {} : { cost_bound: describeBound(plan.costBound, columns) }),
    inherited_violations: plan.inheritedViolations,
    moves: plan.moves,
    ...(plan.ucac === undefined ? {} : { ucac: plan.ucac }),
    ...(ucacResource === undefined ? {} : { ucac_resource: ucacResource }),
    ...(plan.ucacBound === undefined ? {} : { ucac_bound: describeBound(plan.ucacBound, columns) }),
    ...(plan.maxCost === undefined ? {} : { max_cost: plan.maxCost }),
    ...(plan.maxCostBound === undefined ? {} : { max_cost_bound: describeBound(plan.maxCostBound, columns) }),
    ...(plan.totalCost === undefined ? {} : { total_cost: plan.totalCost }),
    ...(plan.totalCostBound === undefined ? {} : { total_cost_bound: describeBound(plan.totalCostBound, columns) }),
    ...(plan.leftOut === undefined ? {} : { left_out: plan.leftOut }),
    ...(plan.leftOutBound === undefined ? {} : { left_out_bound: describeBound(plan.leftOutBound, columns) }),
    ...(plan.remoteTraffic === undefined ? {} : { remote_traffic: plan.remoteTraffic }),
    ...(plan.remoteTrafficBound === undefined
      ? {}
      : { remote_traffic_bound: describeBound(plan.remoteTrafficBound, columns) }),
    ...(plan.maxCostLimit === undefined ? {} : { max_cost_limit: plan.maxCostLimit }),
    ...(plan.survive === undefined ? {} : { survive: plan.survive, not_survived: plan.notSurvived ?? null }),
    ...(plan.leaveFree === undefined
      ? {}
      : { leave_free: plan.leaveFree, domains_in_use: plan.domainsInUse, domain_bound: plan.domainBound }),
    ...(plan.ruleViolations === undefined
      ? {}
      : {
          rule_violations: plan.ruleViolations.count,
          violating_replicas: plan.ruleViolations.replicas,
          violation_extent: plan.ruleViolations.extent,
          violation_weight: plan.ruleViolations.weight,
          violation_cost: plan.ruleViolations.cost,
        }),
    ...(plan.score === undefined ? {} : { score: plan.score.value }),
    ...(plan.score?.bound === undefined ? {} : { score_bound: plan.score.bound }),
    ...(plan.score?.gap === undefined ? {} : { score_gap: plan.score.gap }),
    ...(plan.objective === 'nodes' ? {} : { objective: plan.objective }),
    ...(plan.soft === 'first' ? {} : { soft: plan.soft }),
    ...(plan.softPrice === 0 ? {} : { soft_price: plan.softPrice }),
    ...(plan.fill ? { fill: true } : {}),
    ...(plan.notes.length === 0 ? {} : { notes: plan.notes }),
    ...(plan.leftOverBound.length === 0 ? {} : { left_over_bound: plan.leftOverBound, places_most: plan.placesMost }),
    nodes: namesOf(plan, columns, steps).map((name, node) => ({
      name,
      class: className(columns, plan.nodeClass[node]!),
      ...(copiesOf(plan, node) > 1 ? { copies: copiesOf(plan, node) } : {}),
      replicas: replicasOf(plan.placements.on(node)),
      ...(plan.reserved.on(node).length === 0 ? {} : { reserved: replicasOf(plan.reserved.on(node)) }),
      ...(nodeMaxCost === undefined ? {} : { max_cost: nodeMaxCost[node]! }),
      ...(nodeUcac === undefined ? {} : { ucac: nodeUcac[node]! }),
    })),
    unplaced: replicasOf(plan.unplaced),
    ...(plan.unreserved.length === 0 ? {} : { unreserved: replicasOf(plan.unreserved) }),
  };
}

/** Maximum of nodes plus placements that are written as text. */
const MOST_WRITTEN = 5_000_000;
/** Maximum number of characters of a text; engines limit strings to less than twice this number. */
const LONGEST_TEXT = 2 ** 28;

/**
 * The plan as CSV with the header `node,app,replicas`. Every copy of a node has its own lines.
 * @param most maximum of nodes plus placements of a compact plan
 * @throws StowageError `LIMIT_EXCEEDED` where the plan has more, or the text would be too long for a string
 */
export function planToCsv(plan: Plan, columns: InstanceColumns, most = MOST_WRITTEN, options: CallOptions = {}): string {
  const steps = new Steps(options);
  const field = (text: string): string => (/[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  countPlacements(plan, most);
  const names = new NodeNames(plan, columns, steps);
  let text = 'node,app,replicas\n';
  plan.nodeClass.forEach((_, node) => {
    const on = plan.placements.on(node).map(({ app, replicas }) => `${field(appName(columns, app))},${replicas}\n`);
    for (let copies = copiesOf(plan, node); copies > 0; --copies) {
      const name = field(names.next(node, 1));
      steps.step(on.length);
      for (const rest of on) text += `${name},${rest}`;
      if (text.length > LONGEST_TEXT) throw new StowageError('LIMIT_EXCEEDED', 'the text is too long', 'placements');
    }
  });
  return text;
}
