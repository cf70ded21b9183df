// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// The content of plans that are built in this package.
import type { Encoder, Offset } from './encoder.js';
import { NONE, type Doubles, type Words } from './lists.js';
import { NOT_KNOWN, type RuleViolations, type Score } from './placements.js';
import { boundTable, copyVector, leftOverVector, noteVector, placedVector, textOf, unplacedVector } from './plan-parts.js';
import { STATUSES, type Bound, type LeftOver, type Note, type PlanStatus, type Unplaced } from './plan-records.js';
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
  return wire.Plan.endPlan(builder);
}
