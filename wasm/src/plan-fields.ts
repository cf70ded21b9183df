// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// The fields of a plan. Those that do not apply are undefined.
import * as flatbuffers from 'flatbuffers';
import { NOT_KNOWN, copiesIn, listOf, placementsOf, scoreOf, violationsOf, type Placements, type RuleViolations, type Score } from './placements.js';
import {
  STATUSES, boundOf, leftOverOf, noteOf, reachedGoalOf, tracedPartOf, unplacedOf, type Bound, type LeftOver, type Note, type PlanStatus, type ReachedGoal, type TracedPart, type Unplaced,
} from './plan-records.js';
import { found, index, known } from './report-parts.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import type { Steps } from './watch.js';
import * as wire from './wire/plan_generated.js';

/** The fields of a plan. */
export interface PlanFields {
  /** Fingerprint of the instance that the plan was made for. */
  readonly instance: bigint;
  /** Name of the planner that made the plan. */
  readonly planner: string;
  /** How good the plan is. */
  readonly status: PlanStatus;
  /** Seed of the run that made the plan: the request's or, where several seeds were tried, the best one. */
  readonly seed: bigint;
  /**
   * Work units done. A request with this work limit, and with the option "pace" set to `pace` if that is above 0, repeats the
   * run.
   */
  readonly work: bigint;
  /** Class of each node of the plan. */
  readonly nodeClass: Uint32Array;
  /** Index of each node among the instance's listed nodes; `NONE` for an anonymous node of its class. Listed nodes come first. */
  readonly listed: Uint32Array;
  /** All placed replicas, running ones included, ordered by node and then by app. */
  readonly placements: Placements;
  /** Ordered by app. */
  readonly unplaced: readonly Unplaced[];
  /**
   * Lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave running replicas in
   * place, unless the request ignores them or has a move budget.
   */
  readonly nodeBound: Bound | undefined;
  /**
   * How far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The value is
   * the cost where there are prices, else the nodes, or `ucac`, `maxCost` or `totalCost` where that is the objective; with soft
   * policy `'price'`, `softPrice` x `violationCost` is added to it. With objective `'admitted'`, it is (`leftOut` -
   * `leftOutBound`) as a share of the weight admitted, whether or not replicas are unplaced; with objective `'traffic'`,
   * (`remoteTraffic` - `remoteTrafficBound`) as a share of the traffic that stays on nodes, likewise. Undefined where replicas
   * are unplaced or no bound is above 0.
   */
  readonly gap: number | undefined;
  /** Sum of the prices of the nodes in use; undefined without prices. */
  readonly cost: number | undefined;
  /** Lower bound on `cost` of any complete plan; "columns" as for `nodeBound`. */
  readonly costBound: Bound | undefined;
  /**
   * Number of constraints that were broken at the start, that the run was not allowed to repair, and that the plan makes no
   * worse.
   */
  readonly inheritedViolations: number;
  /** Number of running replicas that the plan puts on another node. */
  readonly moves: number;
  /**
   * Used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of `nodeUcac`[n] x copies[n], in the
   * unit of `ucacResource`. Undefined where no demand is uncertain.
   */
  readonly ucac: number | undefined;
  /** The resource of `ucac`: the first one with uncertain demand; undefined where none is uncertain. */
  readonly ucacResource: number | undefined;
  /** Lower bound on `ucac` of any complete plan; "columns" as for `nodeBound`. */
  readonly ucacBound: Bound | undefined;
  /**
   * Used capacity at confidence of each node, of a single copy (P1, definition 1): mean + quantile x standard deviation of its
   * demand, in the period where this is highest. Length: that of `nodeClass`, or undefined where no demand is uncertain.
   */
  readonly nodeUcac: Float64Array | undefined;
  /** The objective that the run minimized, as `PlanRequest.objective`. Plan status `'optimal'` refers to it. */
  readonly objective: Objective;
  /** Undefined where the instance has no placement rules. */
  readonly ruleViolations: RuleViolations | undefined;
  /** Undefined where the planner has no score. */
  readonly score: Score | undefined;
  /**
   * Total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the search does
   * at each point of a run.
   */
  readonly pace: bigint;
  /**
   * Number of copies of each node, all with the same content; 1 for a listed node. Undefined = all 1, as in plans whose request
   * is not `compact`. `expandPlan` lists every copy.
   */
  readonly copies: Uint32Array | undefined;
  /** How soft violations counted, as `PlanRequest.soft`. Plan status `'optimal'` and `gap` refer to it. */
  readonly soft: SoftPolicy;
  /** What a unit of violation cost. */
  readonly softPrice: number;
  /** Whether capacity counted, instead of replicas, where not all of them fit. */
  readonly fill: boolean;
  /** What the reader of the plan should know of the run. */
  readonly notes: readonly Note[];
  /**
   * No plan of the request leaves less over than this: replicas per priority, highest priority first; priorities of which nothing
   * has to be left over are absent. The highest priority in which a plan differs from it decides. Empty where everything is
   * placed, where nothing is known, and where not every replica counts the same: with weights or `fill`.
   */
  readonly leftOverBound: readonly LeftOver[];
  /** Whether `unplaced` is no more than `leftOverBound`: it is proven that no plan of the request leaves less over. */
  readonly placesMost: boolean;
  /**
   * What side effects cost the replica that suffers most; undefined without an interference table. A replica of kind t costs the
   * sum over all kinds u of coefficient[t][u] x the load of kind u on its node.
   */
  readonly maxCost: number | undefined;
  /** Lower bound on `maxCost` of any complete plan. */
  readonly maxCostBound: Bound | undefined;
  /** What side effects cost all replicas together; undefined without an interference table. */
  readonly totalCost: number | undefined;
  /** Lower bound on `totalCost` of any complete plan. */
  readonly totalCostBound: Bound | undefined;
  /**
   * Cost of the replica that suffers most on each node. Length: that of `nodeClass`, or undefined without an interference table.
   */
  readonly nodeMaxCost: Float64Array | undefined;
  /** `PlanRequest.maxCost` of the run; undefined = none. */
  readonly maxCostLimit: number | undefined;
  /** With objective `'admitted'`: weight of the applications that lack replicas. Undefined with other objectives. */
  readonly leftOut: number | undefined;
  /** Lower bound on `leftOut` of any plan of the request. */
  readonly leftOutBound: Bound | undefined;
  /** Traffic between replicas that do not share a node; undefined without traffic. */
  readonly remoteTraffic: number | undefined;
  /** Lower bound on `remoteTraffic` of any complete plan. */
  readonly remoteTrafficBound: Bound | undefined;
  /** Where there is room for the replicas of `PlanRequest.keep`, all at once. */
  readonly reserved: Placements;
  /** The replicas of `PlanRequest.keep` without room, ordered by app. */
  readonly unreserved: readonly Unplaced[];
  /** `PlanRequest.survive` of the run; undefined = none. */
  readonly survive: string | undefined;
  /**
   * Replicas that the worst of these losses leaves without a place; 0: the plan survives each of them. Undefined: not known, for
   * the run ended before all were looked at.
   */
  readonly notSurvived: number | undefined;
  /** `PlanRequest.leaveFree` of the run; undefined = none. */
  readonly leaveFree: string | undefined;
  /** Number of values of this label that have a node with a replica or with load. */
  readonly domainsInUse: number;
  /** Lower bound on `domainsInUse` of any complete plan. */
  readonly domainBound: number;
  /** `PlanRequest.goals` of the run, in their order, with what the plan reaches. */
  readonly goals: readonly ReachedGoal[];
  /** With `PlanRequest.trace`: the parts of the run that made the plan, in the order in which they were first asked. */
  readonly trace: readonly TracedPart[];
}

/** @internal */
export function planFieldsOf(source: Uint8Array, steps: Steps): PlanFields {
  const from = wire.Plan.getRootAsPlan(new flatbuffers.ByteBuffer(source));
  return {
    instance: from.instance(),
    planner: from.planner() ?? '',
    status: STATUSES[from.status()] ?? 'partial',
    seed: from.seed(),
    work: from.work(),
    nodeClass: from.nodeClassArray() ?? new Uint32Array(),
    listed: from.listedArray() ?? new Uint32Array(),
    placements: placementsOf(source, from.placedLength(), from.placedLength() === 0 ? null : from.placed(0)),
    unplaced: listOf(from.unplacedLength(), (k) => from.unplaced(k), unplacedOf, steps),
    nodeBound: found(from.nodeBound(), boundOf),
    gap: known(from.gap()),
    cost: known(from.cost()),
    costBound: found(from.costBound(), boundOf),
    inheritedViolations: from.inheritedViolations(),
    moves: from.moves(),
    ucac: known(from.ucac()),
    ucacResource: index(from.ucacResource()),
    ucacBound: found(from.ucacBound(), boundOf),
    nodeUcac: from.nodeUcacArray() ?? undefined,
    objective: OBJECTIVES[from.objective()] ?? 'nodes',
    ruleViolations: from.violationCost() < 0 ? undefined : violationsOf(from),
    score: scoreOf(from),
    pace: from.pace(),
    copies: copiesIn(from),
    soft: SOFT_POLICIES[from.soft()] ?? 'first',
    softPrice: from.softPrice(),
    fill: from.fill(),
    notes: listOf(from.notesLength(), (k) => from.notes(k), noteOf, steps),
    leftOverBound: listOf(from.leftOverBoundLength(), (k) => from.leftOverBound(k), leftOverOf, steps),
    placesMost: from.placesMost(),
    maxCost: known(from.maxCost()),
    maxCostBound: found(from.maxCostBound(), boundOf),
    totalCost: known(from.totalCost()),
    totalCostBound: found(from.totalCostBound(), boundOf),
    nodeMaxCost: from.nodeMaxCostArray() ?? undefined,
    maxCostLimit: from.maxCostLimit() > 0 ? from.maxCostLimit() : undefined,
    leftOut: known(from.leftOut()),
    leftOutBound: found(from.leftOutBound(), boundOf),
    remoteTraffic: known(from.remoteTraffic()),
    remoteTrafficBound: found(from.remoteTrafficBound(), boundOf),
    reserved: placementsOf(source, from.reservedLength(), from.reservedLength() === 0 ? null : from.reserved(0)),
    unreserved: listOf(from.unreservedLength(), (k) => from.unreserved(k), unplacedOf, steps),
    survive: from.survive() ?? undefined,
    notSurvived: from.notSurvived() === NOT_KNOWN ? undefined : Number(from.notSurvived()),
    leaveFree: from.leaveFree() ?? undefined,
    domainsInUse: from.domainsInUse(),
    domainBound: from.domainBound(),
    goals: listOf(from.goalsLength(), (k) => from.goals(k), reachedGoalOf, steps),
    trace: listOf(from.traceLength(), (k) => from.trace(k), tracedPartOf, steps),
  };
}
