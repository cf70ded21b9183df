// Made by scripts/generate-bindings.py from the schemas. Do not edit.
import type { Encoder, Offset } from './encoder.js';
import { onlyKeys } from './errors.js';
import { code } from './lists.js';
import { amount, beginRequest, count, goalsOf, keepVector, milliseconds, optionVector, whole, type AnyPlanner } from './request-parts.js';
import * as wire from './wire/request_generated.js';

/**
 * What a run minimizes. `PlannerInfo.objectives` lists the objectives that a planner pursues.
 *
 * - `'nodes'`: Fewest nodes in use; where prices are given, least cost.
 * - `'ucac'`: Least used capacity at confidence (P1, section 4.1). `PlannerInfo.objectives` lists "ucac" for planners that pursue
 *   it.
 * - `'worst'`: Least cost of the replica that suffers most from side effects (P4, section 2), on at most `nodeLimit` nodes. Needs
 *   an interference table.
 * - `'total'`: Least sum of what side effects cost all replicas, on at most `nodeLimit` nodes. Needs an interference table.
 * - `'admitted'`: Most applications admitted (P3, section 3.3.1): least weight of the applications that are left out. Each is
 *   placed as a whole or not at all, as with `allOrNothing`; it counts the largest weight of its apps.
 * - `'traffic'`: Least traffic between replicas that do not share a node. Needs an instance with traffic.
 */
export type Objective =
  | 'nodes'
  | 'ucac'
  | 'worst'
  | 'total'
  | 'admitted'
  | 'traffic';
export const OBJECTIVES: readonly Objective[] = [
  'nodes',
  'ucac',
  'worst',
  'total',
  'admitted',
  'traffic',
];

/**
 * How violated soft placement rules count beside the objective. Their cost is the sum of extent x weight, `Plan.violationCost`.
 *
 * - `'first'`: Before the objective: a plan with less of it is better, whatever that costs.
 * - `'last'`: Only among plans of the same value of the objective: violations never cost a node.
 * - `'price'`: Added to the objective: a unit of it costs `PlanRequest.softPrice`.
 */
export type SoftPolicy =
  | 'first'
  | 'last'
  | 'price';
export const SOFT_POLICIES: readonly SoftPolicy[] = [
  'first',
  'last',
  'price',
];

/**
 * What a goal counts. A plan makes it small.
 *
 * - `'cost'`: Sum of the prices of the nodes in use; without prices, their number.
 * - `'nodes'`: Nodes in use.
 * - `'moves'`: Running replicas that go to another node.
 * - `'balance'`: Largest use: the largest share of a resource's capacity that load and mean demand take on any node, in any
 *   period. Of `PlanGoal.resource` or, without one, of any resource.
 * - `'evenness'`: Uneven use: standard deviation of that share between the nodes in use.
 * - `'soft-rules'`: What violated soft rules cost, `Plan.violationCost`.
 * - `'ucac'`: Used capacity at confidence, `Plan.ucac`.
 * - `'worst'`: Side effects on the replica that suffers most, `Plan.maxCost`.
 * - `'total'`: Side effects on all replicas, `Plan.totalCost`.
 * - `'admitted'`: Weight of the applications that are left out, `Plan.leftOut`.
 * - `'traffic'`: Traffic between replicas that do not share a node, `Plan.remoteTraffic`.
 */
export type GoalKind =
  | 'cost'
  | 'nodes'
  | 'moves'
  | 'balance'
  | 'evenness'
  | 'soft-rules'
  | 'ucac'
  | 'worst'
  | 'total'
  | 'admitted'
  | 'traffic';
export const GOAL_KINDS: readonly GoalKind[] = [
  'cost',
  'nodes',
  'moves',
  'balance',
  'evenness',
  'soft-rules',
  'ucac',
  'worst',
  'total',
  'admitted',
  'traffic',
];

/** Room for more replicas of an app, which is an index. */
export interface Kept {
  app: number;
  replicas: number;
}

/** A goal of `PlanRequest.goals`. */
export interface PlanGoal {
  what?: GoalKind | undefined;
  /** Index of the resource, with goal kind `'balance'` and goal kind `'evenness'`; absent = all. */
  resource?: number | undefined;
  /**
   * True: counts together with the goal before it, as a sum of values times weights. False: counts after it, among plans that are
   * equally good by all goals before.
   */
  beside?: boolean | undefined;
  /** What a unit of the value counts beside other goals; above 0. Default: 1. */
  weight?: number | undefined;
  /** By how much later goals may worsen the value, as a share of it. Of goals that count together, the first one says it. */
  tolerance?: number | undefined;
  /**
   * In the place of the other fields but `beside`: a goal, or several that count together, as people write them, such as
   * `cost~1%`, `balance:memory` and `cost,moves*0.01`: names with commas between them, each with its resource or weight if need
   * be, and a tolerance at the end.
   */
  words?: string | undefined;
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
  /**
   * Wall-clock limit of the run in milliseconds, after which it returns its best plan so far. 0 = the planner's default
   * (`PlannerInfo.defaultDeadlineMs`): 1 s for `auto`; none if `workLimit` is set.
   */
  deadlineMs?: number;
  /**
   * Limit on work units; absent = none. The `work` of an earlier plan as the limit repeats that plan's run exactly (see
   * `Plan.work`).
   */
  workLimit?: number | bigint;
  /** Limit on the nodes in use; absent = as many as the instance has. Replicas that do not fit are reported unplaced. */
  nodeLimit?: number;
  /** True: running replicas that are not pinned are planned as if they ran nowhere. */
  ignoreRunning?: boolean;
  /** Limit on the running replicas that move to another node; absent = none moves. */
  moveBudget?: number;
  /**
   * What to minimize once all replicas are placed. A planner that does not pursue the objective refuses the request. Default:
   * `'nodes'`.
   */
  objective?: Objective;
  /**
   * True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are one
   * application. Replicas that already run stay.
   */
  allOrNothing?: boolean;
  /**
   * True: anonymous nodes of one class with the same content are one entry of the plan, with their number as its copies. The size
   * of the plan then depends on the number of different nodes, not on the number of nodes.
   */
  compact?: boolean;
  /** Default: "first", or "price" where a `softPrice` is given. */
  soft?: SoftPolicy;
  /**
   * What a unit of violation costs, in nodes or, where prices are given, in their currency. Above 0 only with soft policy
   * `'price'`.
   */
  softPrice?: number;
  /**
   * The search ends once it has found nothing better for this many milliseconds; absent = it does not end for that. Counts from
   * the first plan on.
   */
  patienceMs?: number;
  /**
   * Where not all replicas fit: true = the most capacity is used, false = the most replicas are placed; by priority and weight in
   * either case.
   */
  fill?: boolean;
  /**
   * The most that side effects may cost a replica, whatever its kind: a hard constraint beside the instance's max cost. 0 = none.
   */
  maxCost?: number;
  /**
   * The plan keeps room for these replicas, all at once, beside those that it places (`Plan.reserved`). They count towards the
   * nodes, and nowhere else. Only with objective `'nodes'`; no app twice.
   */
  keep?: readonly Kept[];
  /**
   * The plan survives losses: its nodes have places for the replicas of lost ones, while all others stay. `EACH_NODE` ("*"): of
   * each node by itself. Else the key of a label: of all nodes with the same value, such as each zone. Spare nodes that hold
   * nothing are added where needed; they count as nodes of the plan. Replicas that are pinned to a lost node are lost with it.
   * Absent or empty: no loss. Only with objective `'nodes'`.
   */
  survive?: string;
  /**
   * The key of a label, such as rack: as many as possible of its values have no node with a replica or with load. This comes
   * after placing replicas, and before soft rules, nodes and their cost. Absent or empty: nothing is left free on purpose. Only
   * with objective `'nodes'`; not together with `keep` or `survive`.
   */
  leaveFree?: string;
  /**
   * What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one
   * beyond its tolerance. A text stands for `PlanGoal.words`. Takes the place of `objective` and `soft`. Soft rules come first
   * where no goal names them. With goal kind `'moves'` and no `moveBudget`, any number of running replicas may move. Absent: what
   * `objective` and `soft` say.
   */
  goals?: readonly (PlanGoal | GoalKind | (string & {}))[];
  /** True: the plan tells what the parts of the search did (`Plan.trace`). It is the same plan otherwise. */
  trace?: boolean;
}

const PLAN_GOAL: ReadonlySet<string> = new Set<keyof PlanGoal>([
  'what',
  'resource',
  'beside',
  'weight',
  'tolerance',
  'words',
]);

/** @internal */
export function writePlanGoal(encoder: Encoder, from: PlanGoal, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, PLAN_GOAL, path);
  const { builder } = encoder;
  const what = code(from.what, GOAL_KINDS, `${prefix}what`);
  const resource = encoder.count(from.resource, 4294967295, `${prefix}resource`);
  const beside = from.beside ?? false;
  const weight = encoder.number(from.weight, 1, `${prefix}weight`);
  const tolerance = encoder.number(from.tolerance, 0, `${prefix}tolerance`);
  const words = encoder.text(from.words, `${prefix}words`);
  wire.PlanGoal.startPlanGoal(builder);
  wire.PlanGoal.addWhat(builder, what);
  wire.PlanGoal.addResource(builder, resource);
  wire.PlanGoal.addBeside(builder, beside);
  wire.PlanGoal.addWeight(builder, weight);
  wire.PlanGoal.addTolerance(builder, tolerance);
  wire.PlanGoal.addWords(builder, words);
  return wire.PlanGoal.endPlanGoal(builder);
}

const KNOWN: ReadonlySet<string> = new Set<keyof PlanRequest>([
  'planner',
  'options',
  'seed',
  'deadlineMs',
  'workLimit',
  'nodeLimit',
  'ignoreRunning',
  'moveBudget',
  'objective',
  'allOrNothing',
  'compact',
  'soft',
  'softPrice',
  'patienceMs',
  'fill',
  'maxCost',
  'keep',
  'survive',
  'leaveFree',
  'goals',
  'trace',
]);

/** The bytes of a request. */
export function encodeRequest(request: PlanRequest | AnyPlanner): Uint8Array {
  const { encoder, given, name } = beginRequest(request);
  onlyKeys(given, KNOWN, '');
  const { builder } = encoder;
  const planner = encoder.required(name, 'planner');
  const options = optionVector(encoder, given.options);
  const seed = whole(given.seed, 'seed');
  const deadlineMs = milliseconds(given.deadlineMs, 'deadline_ms');
  const workLimit = whole(given.workLimit, 'work_limit');
  const nodeLimit = count(given.nodeLimit, 'node_limit');
  const ignoreRunning = given.ignoreRunning ?? false;
  const moveBudget = count(given.moveBudget, 'move_budget');
  const objective = code(given.objective ?? 'nodes', OBJECTIVES, 'objective');
  const allOrNothing = given.allOrNothing ?? false;
  const compact = given.compact ?? false;
  const soft = code(given.soft ?? (given.softPrice === undefined ? 'first' : 'price'), SOFT_POLICIES, 'soft');
  const softPrice = amount(given.softPrice, 'soft_price');
  const patienceMs = milliseconds(given.patienceMs, 'patience_ms');
  const fill = given.fill ?? false;
  const maxCost = amount(given.maxCost, 'max_cost');
  const keep = keepVector(builder, given.keep);
  const survive = encoder.text(given.survive, 'survive');
  const leaveFree = encoder.text(given.leaveFree, 'leave_free');
  const goals = encoder.tables(goalsOf(given.goals), 'goals', writePlanGoal);
  const trace = given.trace ?? false;
  wire.Request.startRequest(builder);
  wire.Request.addPlanner(builder, planner);
  wire.Request.addOptions(builder, options);
  wire.Request.addSeed(builder, seed);
  wire.Request.addDeadlineMs(builder, deadlineMs);
  wire.Request.addWorkLimit(builder, workLimit);
  wire.Request.addNodeLimit(builder, nodeLimit);
  wire.Request.addIgnoreRunning(builder, ignoreRunning);
  wire.Request.addMoveBudget(builder, moveBudget);
  wire.Request.addObjective(builder, objective);
  wire.Request.addAllOrNothing(builder, allOrNothing);
  wire.Request.addCompact(builder, compact);
  wire.Request.addSoft(builder, soft);
  wire.Request.addSoftPrice(builder, softPrice);
  wire.Request.addPatienceMs(builder, patienceMs);
  wire.Request.addFill(builder, fill);
  wire.Request.addMaxCost(builder, maxCost);
  wire.Request.addKeep(builder, keep);
  wire.Request.addSurvive(builder, survive);
  wire.Request.addLeaveFree(builder, leaveFree);
  wire.Request.addGoals(builder, goals);
  wire.Request.addTrace(builder, trace);
  wire.Request.finishRequestBuffer(builder, wire.Request.endRequest(builder));
  return builder.asUint8Array();
}
