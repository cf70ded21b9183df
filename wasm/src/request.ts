import type * as flatbuffers from 'flatbuffers';
import { invalid, onlyKeys } from './errors.js';
import { Encoder } from './encoder.js';
import type { PlannerName } from './planner-name.js';
import * as wire from './wire/request_generated.js';

/** The name of a planner. Editors propose those of the catalogue; other strings compile, and are refused when they are used. */
export type AnyPlanner = PlannerName | (string & {});

/**
 * What a run minimizes once all replicas are placed: nodes (cost where prices are given); used capacity at confidence; what side
 * effects cost the replica that suffers most; what they cost all replicas together; the weight of the applications that are left out,
 * each of which is placed as a whole or not at all (P3); traffic between replicas that do not share a node.
 */
export type Objective = 'nodes' | 'ucac' | 'worst' | 'total' | 'admitted' | 'traffic';
export const OBJECTIVES: readonly Objective[] = ['nodes', 'ucac', 'worst', 'total', 'admitted', 'traffic'];

/**
 * How violated soft placement rules count beside the objective: before it; only among plans that are equal otherwise; or added to
 * it at a price.
 */
export type SoftPolicy = 'first' | 'last' | 'price';
export const SOFT_POLICIES: readonly SoftPolicy[] = ['first', 'last', 'price'];

/** As `PlanRequest.survive`: each node by itself. */
export const EACH_NODE = '*';

/** Room for more replicas of an app, which is an index. */
export interface Kept {
  app: number;
  replicas: number;
}

/**
 * Which planner to run, its options, and the limits of the run. Without `deadlineMs` and `workLimit`, the planner's
 * `defaultDeadlineMs` applies if it has one.
 */
export interface PlanRequest {
  /** Name from the catalogue, such as "ff"; default: "auto". */
  planner?: AnyPlanner | undefined;
  /** Options of the planner as the catalogue declares them. */
  options?: Readonly<Record<string, number | string>>;
  seed?: number | bigint;
  /** Wall-clock limit of the run in milliseconds, after which it returns its best plan so far. */
  deadlineMs?: number;
  /**
   * Limit on work units. The `work` of an earlier plan, together with its `pace` as the option `pace` if that is above 0,
   * repeats that run.
   */
  workLimit?: number | bigint;
  /** Limit on the nodes in use. Replicas that do not fit are reported unplaced. */
  nodeLimit?: number;
  /** True: running replicas that are not pinned are planned as if they ran nowhere. */
  ignoreRunning?: boolean;
  /** Limit on the running replicas that move to another node; default: 0. */
  moveBudget?: number;
  /** Default: "nodes". A planner refuses an objective that is not among its `PlannerInfo.objectives`. */
  objective?: Objective;
  /**
   * True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
   * one application. Replicas that already run stay.
   */
  allOrNothing?: boolean;
  /** True: anonymous nodes of one class with the same content are one entry of the plan, with their number in `copies`. */
  compact?: boolean;
  /** Default: "first", or "price" where a `softPrice` is given. */
  soft?: SoftPolicy;
  /** What a unit of violation costs, in nodes or, where prices are given, in their currency. */
  softPrice?: number;
  /** The search ends once it has found nothing better for this many milliseconds. */
  patienceMs?: number;
  /** True: where not all replicas fit, the most capacity is used instead of placing the most replicas. */
  fill?: boolean;
  /** The most that side effects may cost a replica, whatever its kind, beside the instance's own limits. */
  maxCost?: number;
  /**
   * The plan keeps room for these replicas, all at once, beside those that it places; no app twice. They count towards the nodes,
   * and nowhere else. Objective "nodes" only.
   */
  keep?: readonly Kept[];
  /**
   * The plan's nodes have places for the replicas of lost ones, while all others stay. `EACH_NODE` ("*"): of each node by itself;
   * else the key of a label, such as "zone": of all nodes with the same value. Spare nodes without replicas are added where they
   * are needed, and count as nodes in use. Replicas that are pinned to a lost node are lost with it. Objective "nodes" only.
   */
  survive?: string;
  /**
   * The key of a label, such as "rack": as many as possible of its values have no node with a replica or with load. This comes after
   * placing replicas, and before soft rules, nodes and their cost. Objective "nodes" only; not together with `keep` or `survive`.
   */
  leaveFree?: string;
}

const KEYS: Readonly<Record<keyof PlanRequest, true>> = {
  planner: true, options: true, seed: true, deadlineMs: true, workLimit: true, nodeLimit: true, ignoreRunning: true,
  moveBudget: true, objective: true, allOrNothing: true, compact: true, soft: true, softPrice: true, patienceMs: true, fill: true,
  maxCost: true, keep: true, survive: true, leaveFree: true,
};
const KNOWN: ReadonlySet<string> = new Set(Object.keys(KEYS));

/**
 * What a commit takes of a plan for an earlier version of the cluster: nothing; the whole plan if it still fits; each app that
 * still fits.
 */
export type CommitMode = 'exact' | 'whole' | 'fitting';

const COMMIT_MODES: readonly CommitMode[] = ['exact', 'whole', 'fitting'];

/** Its number in the C ABI. */
export function commitNumber(mode: CommitMode): number {
  const number = COMMIT_MODES.indexOf(mode);
  if (number < 0) throw invalid('mode', `must be one of ${COMMIT_MODES.join(', ')}`);
  return number;
}

const MOST = { 32: 2n ** 32n - 1n, 64: 2n ** 64n - 1n } as const;

function whole(value: number | bigint | undefined, bits: 32 | 64, path: string): bigint {
  if (value === undefined) return 0n;
  const known = typeof value === 'bigint' || Number.isInteger(value);
  if (!known || value < 0 || BigInt(value) > MOST[bits]) throw invalid(path, `must be a whole number of at most ${bits} bits`);
  return BigInt(value);
}

function amount(value: number | undefined, path: string): number {
  if (value !== undefined && typeof value !== 'number') throw invalid(path, 'must be a number');
  return value ?? 0;
}

const KEPT_KEYS: ReadonlySet<string> = new Set(['app', 'replicas'] satisfies (keyof Kept)[]);

function keepVector(builder: flatbuffers.Builder, keep: readonly Kept[] | undefined): flatbuffers.Offset {
  if (keep === undefined) return 0;
  if (!Array.isArray(keep)) throw invalid('keep', 'must be a list');
  const words = keep.map((one: Kept, k) => {
    if (typeof one !== 'object' || one === null) throw invalid(`keep[${k}]`, 'must be an object');
    onlyKeys(one, KEPT_KEYS, `keep[${k}]`);
    const number = (key: keyof Kept): number => {
      if (one[key] === undefined) throw invalid(`keep[${k}].${key}`, 'is missing');
      return Number(whole(one[key], 32, `keep[${k}].${key}`));
    };
    return [number('app'), number('replicas')] as const;
  });
  if (words.length === 0) return 0;
  wire.Request.startKeepVector(builder, words.length);
  for (const [app, replicas] of words.reverse()) wire.Kept.createKept(builder, app, replicas);
  return builder.endVector();
}

/** The bytes of a request. */
export function encodeRequest(request: PlanRequest | AnyPlanner): Uint8Array {
  const given: PlanRequest = typeof request === 'string' ? { planner: request } : request;
  if (typeof given !== 'object' || given === null) throw invalid('', 'a request is an object, or the name of a planner');
  const { planner: name = 'auto' } = given;
  if (typeof name !== 'string') throw invalid('planner', 'must be the name of a planner');
  onlyKeys(given, KNOWN, '');
  const encoder = new Encoder(256);
  const { builder } = encoder;
  const options = Object.entries(given.options ?? {}).map(([option, value]) => {
    const path = `options.${option}`;
    if (typeof value !== 'number' && typeof value !== 'string') throw invalid(path, 'must be a number or a word');
    const word = typeof value === 'string' ? encoder.required(value, path) : 0;
    return wire.Option.createOption(builder, encoder.required(option, path), typeof value === 'number' ? value : 0, word);
  });
  const wireOptions = options.length === 0 ? 0 : wire.Request.createOptionsVector(builder, options);
  const planner = encoder.required(name, 'planner');
  const workLimit = whole(given.workLimit, 64, 'work_limit');
  const deadline = whole(given.deadlineMs === undefined ? undefined : Math.ceil(given.deadlineMs), 64, 'deadline_ms');
  const objective = OBJECTIVES.indexOf(given.objective ?? 'nodes');
  if (objective < 0) throw invalid('objective', `must be one of ${OBJECTIVES.map((one) => `"${one}"`).join(', ')}`);
  const soft = SOFT_POLICIES.indexOf(given.soft ?? (given.softPrice === undefined ? 'first' : 'price'));
  if (soft < 0) throw invalid('soft', `must be one of ${SOFT_POLICIES.map((one) => `"${one}"`).join(', ')}`);
  const patience = whole(given.patienceMs === undefined ? undefined : Math.ceil(given.patienceMs), 64, 'patience_ms');
  const keep = keepVector(builder, given.keep);
  const survive = encoder.text(given.survive, 'survive');
  const leaveFree = encoder.text(given.leaveFree, 'leave_free');
  wire.Request.startRequest(builder);
  wire.Request.addPlanner(builder, planner);
  wire.Request.addOptions(builder, wireOptions);
  wire.Request.addSeed(builder, whole(given.seed, 64, 'seed'));
  wire.Request.addDeadlineMs(builder, deadline);
  wire.Request.addWorkLimit(builder, workLimit);
  wire.Request.addNodeLimit(builder, Number(whole(given.nodeLimit, 32, 'node_limit')));
  wire.Request.addIgnoreRunning(builder, given.ignoreRunning ?? false);
  wire.Request.addMoveBudget(builder, Number(whole(given.moveBudget, 32, 'move_budget')));
  wire.Request.addObjective(builder, objective);
  wire.Request.addAllOrNothing(builder, given.allOrNothing ?? false);
  wire.Request.addCompact(builder, given.compact ?? false);
  wire.Request.addSoft(builder, soft);
  wire.Request.addSoftPrice(builder, amount(given.softPrice, 'soft_price'));
  wire.Request.addPatienceMs(builder, patience);
  wire.Request.addFill(builder, given.fill ?? false);
  wire.Request.addMaxCost(builder, amount(given.maxCost, 'max_cost'));
  wire.Request.addKeep(builder, keep);
  wire.Request.addSurvive(builder, survive);
  wire.Request.addLeaveFree(builder, leaveFree);
  wire.Request.finishRequestBuffer(builder, wire.Request.endRequest(builder));
  return builder.asUint8Array();
}
