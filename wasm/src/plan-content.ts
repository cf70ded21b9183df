// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// The content of plans that are built in this package.
import type { Encoder, Offset } from './encoder.js';
import { NONE, type Doubles, type Words } from './lists.js';
import { NOT_KNOWN, type RuleViolations, type Score } from './placements.js';
import { boundTable, copyVector, leftOverVector, noteVector, placedVector, reachedGoalVector, textOf, tracedPartVector, unplacedVector } from './plan-parts.js';
import { STATUSES, type Bound, type LeftOver, type Note, type PlanStatus, type ReachedGoal, type TracedPart, type Unplaced } from './plan-records.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import * as wire from './wire/plan_generated.js';

/** The content of a plan, by the names of plan.fbs. Placements are app, node and replicas of each entry. */
export interface PlanContent {
  instance: bigint;
  planner: string;
  status: PlanStatus;
  seed: bigint;
  work: bigint;
  nodeClass: Words;
  listed: Words;
  placed: Uint32Array;
  unplaced: readonly Unplaced[];
  nodeBound?: Bound | undefined;
  gap?: number | undefined;
  cost?: number | undefined;
  costBound?: Bound | undefined;
  inheritedViolations?: number | undefined;
  moves?: number | undefined;
  ucac?: number | undefined;
  ucacResource?: number | undefined;
  ucacBound?: Bound | undefined;
  nodeUcac?: Doubles | undefined;
  objective?: Objective | undefined;
  ruleViolations?: RuleViolations | undefined;
  score?: Score | undefined;
  pace: bigint;
  copies?: Words | undefined;
  soft?: SoftPolicy | undefined;
  softPrice?: number | undefined;
  fill?: boolean | undefined;
  notes?: readonly Note[] | undefined;
  leftOverBound?: readonly LeftOver[] | undefined;
  placesMost?: boolean | undefined;
  maxCost?: number | undefined;
  maxCostBound?: Bound | undefined;
  totalCost?: number | undefined;
  totalCostBound?: Bound | undefined;
  nodeMaxCost?: Doubles | undefined;
  maxCostLimit?: number | undefined;
  leftOut?: number | undefined;
  leftOutBound?: Bound | undefined;
  remoteTraffic?: number | undefined;
  remoteTrafficBound?: Bound | undefined;
  reserved?: Uint32Array | undefined;
  unreserved?: readonly Unplaced[] | undefined;
  survive?: string | undefined;
  notSurvived: number | undefined;
  leaveFree?: string | undefined;
  domainsInUse?: number | undefined;
  domainBound?: number | undefined;
  goals?: readonly ReachedGoal[] | undefined;
  trace?: readonly TracedPart[] | undefined;
}

/** Writes the texts, vectors and tables that a plan refers to. */
const partsOf = (encoder: Encoder, content: PlanContent) => ({
  planner: encoder.required(content.planner, 'planner'),
  nodeClass: encoder.words(content.nodeClass, 'nodes'),
  listed: encoder.words(content.listed, 'nodes'),
  placed: placedVector(encoder, content.placed),
  unplaced: unplacedVector(encoder, content.unplaced),
  nodeBound: boundTable(encoder, content.nodeBound, 'node_bound'),
  costBound: boundTable(encoder, content.costBound, 'cost_bound'),
  ucacBound: boundTable(encoder, content.ucacBound, 'ucac_bound'),
  nodeUcac: content.nodeUcac?.length ? encoder.doubles(content.nodeUcac, 'ucac') : 0,
  copies: copyVector(encoder, content.copies),
  notes: content.notes?.length ? noteVector(encoder, content.notes) : 0,
  leftOverBound: content.leftOverBound?.length ? leftOverVector(encoder, content.leftOverBound) : 0,
  maxCostBound: boundTable(encoder, content.maxCostBound, 'max_cost_bound'),
  totalCostBound: boundTable(encoder, content.totalCostBound, 'total_cost_bound'),
  nodeMaxCost: content.nodeMaxCost?.length ? encoder.doubles(content.nodeMaxCost, 'max_cost') : 0,
  leftOutBound: boundTable(encoder, content.leftOutBound, 'left_out_bound'),
  remoteTrafficBound: boundTable(encoder, content.remoteTrafficBound, 'remote_traffic_bound'),
  reserved: content.reserved?.length ? placedVector(encoder, content.reserved) : 0,
  unreserved: content.unreserved?.length ? unplacedVector(encoder, content.unreserved) : 0,
  survive: textOf(encoder, content.survive, 'survive'),
  leaveFree: textOf(encoder, content.leaveFree, 'leave_free'),
  goals: content.goals?.length ? reachedGoalVector(encoder, content.goals) : 0,
  trace: content.trace?.length ? tracedPartVector(encoder, content.trace) : 0,
});

/** @internal */
export function writePlan(encoder: Encoder, content: PlanContent): Offset {
  const { builder } = encoder;
  const at = partsOf(encoder, content);
  wire.Plan.startPlan(builder);
  wire.Plan.addInstance(builder, content.instance);
  wire.Plan.addPlanner(builder, at.planner);
  wire.Plan.addStatus(builder, STATUSES.indexOf(content.status));
  wire.Plan.addSeed(builder, content.seed);
  wire.Plan.addWork(builder, content.work);
  wire.Plan.addNodeClass(builder, at.nodeClass);
  wire.Plan.addListed(builder, at.listed);
  wire.Plan.addPlaced(builder, at.placed);
  wire.Plan.addUnplaced(builder, at.unplaced);
  wire.Plan.addNodeBound(builder, at.nodeBound);
  wire.Plan.addGap(builder, content.gap ?? -1);
  wire.Plan.addCost(builder, content.cost ?? -1);
  wire.Plan.addCostBound(builder, at.costBound);
  wire.Plan.addInheritedViolations(builder, content.inheritedViolations ?? 0);
  wire.Plan.addMoves(builder, content.moves ?? 0);
  wire.Plan.addUcac(builder, content.ucac ?? -1);
  wire.Plan.addUcacResource(builder, content.ucacResource ?? NONE);
  wire.Plan.addUcacBound(builder, at.ucacBound);
  wire.Plan.addNodeUcac(builder, at.nodeUcac);
  wire.Plan.addObjective(builder, OBJECTIVES.indexOf(content.objective ?? 'nodes'));
  wire.Plan.addRuleViolations(builder, BigInt(content.ruleViolations?.count ?? 0));
  wire.Plan.addViolatingReplicas(builder, BigInt(content.ruleViolations?.replicas ?? 0));
  wire.Plan.addViolationExtent(builder, content.ruleViolations?.extent ?? 0);
  wire.Plan.addViolationWeight(builder, content.ruleViolations?.weight ?? 0);
  wire.Plan.addViolationCost(builder, content.ruleViolations?.cost ?? -1);
  wire.Plan.addHasScore(builder, content.score !== undefined);
  wire.Plan.addScore(builder, content.score?.value ?? 0);
  wire.Plan.addScoreBound(builder, content.score?.bound ?? 0);
  wire.Plan.addScoreGap(builder, content.score?.gap ?? -1);
  wire.Plan.addPace(builder, content.pace);
  wire.Plan.addCopies(builder, at.copies);
  wire.Plan.addSoft(builder, SOFT_POLICIES.indexOf(content.soft ?? 'first'));
  wire.Plan.addSoftPrice(builder, content.softPrice ?? 0);
  wire.Plan.addFill(builder, content.fill ?? false);
  wire.Plan.addNotes(builder, at.notes);
  wire.Plan.addLeftOverBound(builder, at.leftOverBound);
  wire.Plan.addPlacesMost(builder, content.placesMost ?? false);
  wire.Plan.addMaxCost(builder, content.maxCost ?? -1);
  wire.Plan.addMaxCostBound(builder, at.maxCostBound);
  wire.Plan.addTotalCost(builder, content.totalCost ?? -1);
  wire.Plan.addTotalCostBound(builder, at.totalCostBound);
  wire.Plan.addNodeMaxCost(builder, at.nodeMaxCost);
  wire.Plan.addMaxCostLimit(builder, content.maxCostLimit ?? 0);
  wire.Plan.addLeftOut(builder, content.leftOut ?? -1);
  wire.Plan.addLeftOutBound(builder, at.leftOutBound);
  wire.Plan.addRemoteTraffic(builder, content.remoteTraffic ?? -1);
  wire.Plan.addRemoteTrafficBound(builder, at.remoteTrafficBound);
  wire.Plan.addReserved(builder, at.reserved);
  wire.Plan.addUnreserved(builder, at.unreserved);
  wire.Plan.addSurvive(builder, at.survive);
  wire.Plan.addNotSurvived(builder, content.notSurvived === undefined ? NOT_KNOWN : BigInt(content.notSurvived));
  wire.Plan.addLeaveFree(builder, at.leaveFree);
  wire.Plan.addDomainsInUse(builder, content.domainsInUse ?? 0);
  wire.Plan.addDomainBound(builder, content.domainBound ?? 0);
  wire.Plan.addGoals(builder, at.goals);
  wire.Plan.addTrace(builder, at.trace);
  return wire.Plan.endPlan(builder);
}

/** A bound with the name of its resource. */
export interface BoundDescription {
  name: string;
  value: number;
  resource?: string;
  period?: number;
}

/** Fields of a plan that its JSON form has as they are. Optional ones are absent where they do not apply. */
export interface PlainPlanFields {
  /** Seed of the run that made the plan: the request's or, where several seeds were tried, the best one. */
  seed: number;
  /**
   * Work units done. A request with this work limit, and with the option "pace" set to `Plan.pace` if that is above 0, repeats
   * the run.
   */
  work: number;
  /**
   * Lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave running replicas in
   * place, unless the request ignores them or has a move budget.
   */
  node_bound?: BoundDescription;
  /**
   * How far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The value is
   * the cost where there are prices, else the nodes, or `ucac`, `max_cost` or `total_cost` where that is the objective; with
   * SoftPolicy.Price, soft_price x violation_cost is added to it. With Objective.Admitted, it is (left_out - left_out_bound) as a
   * share of the weight admitted, whether or not replicas are unplaced; with Objective.Traffic, (remote_traffic -
   * remote_traffic_bound) as a share of the traffic that stays on nodes, likewise. Negative where replicas are unplaced or no
   * bound is above 0.
   */
  gap?: number;
  /** Sum of the prices of the nodes in use; negative without prices. */
  cost?: number;
  /** Lower bound on `cost` of any complete plan; "columns" as for `node_bound`. */
  cost_bound?: BoundDescription;
  /**
   * Number of constraints that were broken at the start, that the run was not allowed to repair, and that the plan makes no
   * worse.
   */
  inherited_violations: number;
  /** Number of running replicas that the plan puts on another node. */
  moves: number;
  /**
   * Used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of node_ucac[n] x copies[n], in the
   * unit of `ucac_resource`. Negative where no demand is uncertain.
   */
  ucac?: number;
  /** Lower bound on `ucac` of any complete plan; "columns" as for `node_bound`. */
  ucac_bound?: BoundDescription;
  /**
   * Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica and
   * one rule that does not hold for it. In this order: violations; different replicas among them; sum of the extents (P2, Eq. 8);
   * sum of the rules' weights; sum of extent x weight, which is negative where the instance has no rules.
   */
  rule_violations?: number;
  violating_replicas?: number;
  violation_extent?: number;
  violation_weight?: number;
  violation_cost?: number;
  score_bound?: number;
  score_gap?: number;
  /**
   * Total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the search does
   * at each point of a run.
   */
  pace?: number;
  /** What a unit of violation cost. */
  soft_price?: number;
  /** Whether capacity counted, instead of replicas, where not all of them fit. */
  fill?: boolean;
  /** Whether `unplaced` is no more than `left_over_bound`: it is proven that no plan of the request leaves less over. */
  places_most?: boolean;
  /**
   * What side effects cost the replica that suffers most; negative without an interference table. A replica of kind t costs the
   * sum over all kinds u of coefficient[t][u] x the load of kind u on its node.
   */
  max_cost?: number;
  /** Lower bound on `max_cost` of any complete plan. */
  max_cost_bound?: BoundDescription;
  /** What side effects cost all replicas together; negative without an interference table. */
  total_cost?: number;
  /** Lower bound on `total_cost` of any complete plan. */
  total_cost_bound?: BoundDescription;
  /** Request.max_cost of the run; 0 = none. */
  max_cost_limit?: number;
  /** With Objective.Admitted: weight of the applications that lack replicas. Negative with other objectives. */
  left_out?: number;
  /** Lower bound on `left_out` of any plan of the request. */
  left_out_bound?: BoundDescription;
  /** Traffic between replicas that do not share a node; negative without traffic. */
  remote_traffic?: number;
  /** Lower bound on `remote_traffic` of any complete plan. */
  remote_traffic_bound?: BoundDescription;
  /** Request.survive of the run; absent = none. */
  survive?: string;
  /** Request.leave_free of the run; absent = none. */
  leave_free?: string;
  /** Number of values of this label that have a node with a replica or with load. */
  domains_in_use?: number;
  /** Lower bound on `domains_in_use` of any complete plan. */
  domain_bound?: number;
}
