// Encodes plans that are built in this package.
import type * as flatbuffers from 'flatbuffers';
import { OWN } from './check.js';
import { Encoder } from './encoder.js';
import { NONE, type Doubles, type Words } from './lists.js';
import { NOTE_CODES, STATUSES, type Bound, type LeftOver, type Note, type Placed, type PlanStatus, type Unplaced } from './plan-records.js';
import { MOST_LISTED, NOT_KNOWN, Placements, Plan, countPlacements, type RuleViolations, type Score } from './plan.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
import { Steps, type CallOptions } from './watch.js';
import * as wire from './wire/plan_generated.js';

/** The content of a plan. */
export interface PlanContent {
  instance: bigint;
  planner: string;
  status: PlanStatus;
  seed: bigint;
  work: bigint;
  pace: bigint;
  nodeClass: Words;
  listed: Words;
  /** Number of copies of each node; undefined = 1 each. */
  copies?: Words | undefined;
  /** App, node and replicas of each entry, ordered by node and then by app. */
  placed: Uint32Array;
  unplaced: readonly Unplaced[];
  nodeBound?: Bound | undefined;
  gap?: number | undefined;
  cost?: number | undefined;
  costBound?: Bound | undefined;
  inheritedViolations: number;
  moves: number;
  ucac?: number | undefined;
  ucacResource?: number | undefined;
  ucacBound?: Bound | undefined;
  /** Used capacity at confidence of each node, or of none. */
  nodeUcac?: Doubles | undefined;
  maxCost?: number | undefined;
  maxCostBound?: Bound | undefined;
  totalCost?: number | undefined;
  totalCostBound?: Bound | undefined;
  leftOut?: number | undefined;
  leftOutBound?: Bound | undefined;
  remoteTraffic?: number | undefined;
  remoteTrafficBound?: Bound | undefined;
  /** Cost of the replica that suffers most on each node, or on none. */
  nodeMaxCost?: Doubles | undefined;
  maxCostLimit?: number | undefined;
  ruleViolations?: RuleViolations | undefined;
  score?: Score | undefined;
  objective?: Objective;
  soft?: SoftPolicy;
  softPrice?: number;
  fill?: boolean;
  notes?: readonly Note[];
  leftOverBound?: readonly LeftOver[];
  placesMost?: boolean;
  /** As `placed`. */
  reserved?: Uint32Array;
  unreserved?: readonly Unplaced[];
  survive?: string | undefined;
  /** Undefined = not known. */
  notSurvived: number | undefined;
  leaveFree?: string | undefined;
  domainsInUse?: number;
  domainBound?: number;
}

/** The entries in a plan's order. */
export function wordsOf(placed: Placed[], steps: Steps): Uint32Array {
  placed.sort((a, b) => {
    steps.step();
    return a.node - b.node || a.app - b.app;
  });
  const words = new Uint32Array(3 * placed.length);
  placed.forEach(({ app, node, replicas }, entry) => words.set([app, node, replicas], 3 * entry));
  return words;
}

function placedVector(encoder: Encoder, words: Uint32Array): flatbuffers.Offset {
  const { builder } = encoder;
  return encoder.structs(12, 4, words.length / 3, (k) => wire.Placed.createPlaced(builder, words[3 * k]!, words[3 * k + 1]!, words[3 * k + 2]!));
}

function countVector(encoder: Encoder, counts: readonly Unplaced[]): flatbuffers.Offset {
  const ordered = [...counts].sort((a, b) => a.app - b.app);
  return encoder.structs(8, 4, ordered.length, (k) => wire.Unplaced.createUnplaced(encoder.builder, ordered[k]!.app, ordered[k]!.replicas));
}

function noteVector(encoder: Encoder, notes: readonly Note[]): flatbuffers.Offset {
  if (notes.length === 0) return 0;
  const written = notes.map(({ code, text }, k) =>
    wire.Note.createNote(encoder.builder, NOTE_CODES.indexOf(code), encoder.required(text, `notes[${k}].text`)));
  return encoder.vector(written);
}

function leftOverVector(encoder: Encoder, bound: readonly LeftOver[]): flatbuffers.Offset {
  if (bound.length === 0) return 0;
  return encoder.structs(16, 8, bound.length, (k) =>
    wire.LeftOver.createLeftOver(encoder.builder, BigInt(bound[k]!.replicas), bound[k]!.priority));
}

/** Writes the strings, vectors and tables that a plan refers to. */
function writeParts(encoder: Encoder, content: PlanContent) {
  const { builder } = encoder;
  const { copies, nodeUcac, nodeMaxCost, reserved = new Uint32Array(), unreserved = [] } = content;
  const text = (one: string | undefined, path: string): flatbuffers.Offset => (one === undefined ? 0 : encoder.required(one, path));
  const bound = (one: Bound | undefined, path: string): flatbuffers.Offset =>
    one === undefined
      ? 0
      : wire.Bound.createBound(builder, encoder.required(one.name, `${path}.name`), one.value, one.resource ?? NONE, one.period ?? NONE);
  const isCompact = copies?.some((one: number) => one !== 1);
  return {
    planner: encoder.required(content.planner, 'planner'),
    nodeClass: encoder.words(content.nodeClass, 'nodes'),
    listed: encoder.words(content.listed, 'nodes'),
    copies: isCompact ? encoder.words(copies, 'copies') : 0,
    placed: placedVector(encoder, content.placed),
    unplaced: countVector(encoder, content.unplaced),
    reserved: reserved.length === 0 ? 0 : placedVector(encoder, reserved),
    unreserved: unreserved.length === 0 ? 0 : countVector(encoder, unreserved),
    survive: text(content.survive, 'survive'),
    leaveFree: text(content.leaveFree, 'leave_free'),
    nodeBound: bound(content.nodeBound, 'node_bound'),
    costBound: bound(content.costBound, 'cost_bound'),
    ucacBound: bound(content.ucacBound, 'ucac_bound'),
    nodeUcac: nodeUcac?.length ? encoder.doubles(nodeUcac, 'ucac') : 0,
    maxCostBound: bound(content.maxCostBound, 'max_cost_bound'),
    totalCostBound: bound(content.totalCostBound, 'total_cost_bound'),
    leftOutBound: bound(content.leftOutBound, 'left_out_bound'),
    remoteTrafficBound: bound(content.remoteTrafficBound, 'remote_traffic_bound'),
    nodeMaxCost: nodeMaxCost?.length ? encoder.doubles(nodeMaxCost, 'max_cost') : 0,
    notes: noteVector(encoder, content.notes ?? []),
    leftOver: leftOverVector(encoder, content.leftOverBound ?? []),
  };
}

/** Adds where replicas run, and what the plan comes to. */
function addFigures(builder: flatbuffers.Builder, content: PlanContent, at: ReturnType<typeof writeParts>): void {
  wire.Plan.addInstance(builder, content.instance);
  wire.Plan.addPlanner(builder, at.planner);
  wire.Plan.addStatus(builder, STATUSES.indexOf(content.status));
  wire.Plan.addSeed(builder, content.seed);
  wire.Plan.addWork(builder, content.work);
  wire.Plan.addPace(builder, content.pace);
  wire.Plan.addNodeClass(builder, at.nodeClass);
  wire.Plan.addListed(builder, at.listed);
  wire.Plan.addPlaced(builder, at.placed);
  wire.Plan.addUnplaced(builder, at.unplaced);
  wire.Plan.addNodeBound(builder, at.nodeBound);
  wire.Plan.addGap(builder, content.gap ?? -1);
  wire.Plan.addCost(builder, content.cost ?? -1);
  wire.Plan.addCostBound(builder, at.costBound);
  wire.Plan.addInheritedViolations(builder, content.inheritedViolations);
  wire.Plan.addMoves(builder, content.moves);
  wire.Plan.addUcac(builder, content.ucac ?? -1);
  wire.Plan.addUcacResource(builder, content.ucacResource ?? NONE);
  wire.Plan.addUcacBound(builder, at.ucacBound);
  wire.Plan.addNodeUcac(builder, at.nodeUcac);
  wire.Plan.addMaxCost(builder, content.maxCost ?? -1);
  wire.Plan.addMaxCostBound(builder, at.maxCostBound);
  wire.Plan.addTotalCost(builder, content.totalCost ?? -1);
  wire.Plan.addTotalCostBound(builder, at.totalCostBound);
  wire.Plan.addLeftOut(builder, content.leftOut ?? -1);
  wire.Plan.addLeftOutBound(builder, at.leftOutBound);
  wire.Plan.addRemoteTraffic(builder, content.remoteTraffic ?? -1);
  wire.Plan.addRemoteTrafficBound(builder, at.remoteTrafficBound);
  wire.Plan.addNodeMaxCost(builder, at.nodeMaxCost);
  wire.Plan.addMaxCostLimit(builder, content.maxCostLimit ?? 0);
}

/** Adds what the plan is judged by, and what the request asked for beyond the places. */
function addTerms(builder: flatbuffers.Builder, content: PlanContent, at: ReturnType<typeof writeParts>): void {
  if (content.ruleViolations !== undefined) {
    wire.Plan.addRuleViolations(builder, BigInt(content.ruleViolations.count));
    wire.Plan.addViolatingReplicas(builder, BigInt(content.ruleViolations.replicas));
    wire.Plan.addViolationExtent(builder, content.ruleViolations.extent);
    wire.Plan.addViolationWeight(builder, content.ruleViolations.weight);
    wire.Plan.addViolationCost(builder, content.ruleViolations.cost);
  }
  if (content.score !== undefined) {
    wire.Plan.addHasScore(builder, true);
    wire.Plan.addScore(builder, content.score.value);
    wire.Plan.addScoreBound(builder, content.score.bound ?? 0);
    wire.Plan.addScoreGap(builder, content.score.gap ?? -1);
  }
  wire.Plan.addObjective(builder, OBJECTIVES.indexOf(content.objective ?? 'nodes'));
  wire.Plan.addCopies(builder, at.copies);
  wire.Plan.addSoft(builder, SOFT_POLICIES.indexOf(content.soft ?? 'first'));
  wire.Plan.addSoftPrice(builder, content.softPrice ?? 0);
  wire.Plan.addFill(builder, content.fill ?? false);
  wire.Plan.addNotes(builder, at.notes);
  wire.Plan.addLeftOverBound(builder, at.leftOver);
  wire.Plan.addPlacesMost(builder, content.placesMost ?? false);
  wire.Plan.addReserved(builder, at.reserved);
  wire.Plan.addUnreserved(builder, at.unreserved);
  wire.Plan.addSurvive(builder, at.survive);
  wire.Plan.addNotSurvived(builder, content.notSurvived === undefined ? NOT_KNOWN : BigInt(content.notSurvived));
  wire.Plan.addLeaveFree(builder, at.leaveFree);
  wire.Plan.addDomainsInUse(builder, content.domainsInUse ?? 0);
  wire.Plan.addDomainBound(builder, content.domainBound ?? 0);
}

export function encodePlan(content: PlanContent, steps: Steps): Plan {
  const { placed, unplaced, listed } = content;
  const encoder = new Encoder(4096 + 4 * placed.length + 8 * unplaced.length + 20 * listed.length, steps);
  const { builder } = encoder;
  const at = writeParts(encoder, content);
  wire.Plan.startPlan(builder);
  addFigures(builder, content, at);
  addTerms(builder, content, at);
  wire.Plan.finishPlanBuffer(builder, wire.Plan.endPlan(builder));
  return new Plan(builder.asUint8Array(), OWN);
}

/**
 * The same plan with each copy of a node as a node of its own. The copies take the place of the node in the order.
 * @param most maximum of nodes plus placements
 * @throws StowageError `LIMIT_EXCEEDED` where the plan has more
 */
export function expandPlan(plan: Plan, most = MOST_LISTED, options: CallOptions = {}): Plan {
  const { copies } = plan;
  const steps = new Steps(options);
  if (copies === undefined) return plan;
  countPlacements(plan, most);
  const from = new Uint32Array(plan.nodes);
  let node = 0;
  copies.forEach((count, one) => {
    from.fill(one, node, node + count);
    node += count;
  });
  const ofCopies = (of: Placements): Uint32Array => {
    const ranges = Array.from(copies, (_, one) => of.range(one));
    const words = new Uint32Array(3 * ranges.reduce((sum, [begin, end], one) => sum + (end - begin) * copies[one]!, 0));
    let at = 0;
    from.forEach((one, copy) => {
      const [begin, end] = ranges[one]!;
      steps.step(1 + end - begin);
      words.set(of.words.subarray(3 * begin, 3 * end), at);
      for (const last = at + 3 * (end - begin); at < last; at += 3) words[at + 1] = copy;
    });
    return words;
  };
  return encodePlan({
    ...plan,
    nodeClass: from.map((one) => plan.nodeClass[one]!),
    listed: from.map((one) => plan.listed[one]!),
    copies: undefined,
    placed: ofCopies(plan.placements),
    reserved: ofCopies(plan.reserved),
    nodeUcac: plan.nodeUcac && Float64Array.from(from, (one) => plan.nodeUcac![one]!),
    nodeMaxCost: plan.nodeMaxCost && Float64Array.from(from, (one) => plan.nodeMaxCost![one]!),
  }, steps);
}
