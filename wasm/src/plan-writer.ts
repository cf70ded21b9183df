// Encodes plans that are built in this package.
import * as flatbuffers from 'flatbuffers';
import { NONE, type Doubles, type Words } from './lists.js';
import {
  MOST_LISTED, NOTE_CODES, NOT_KNOWN, Placements, Plan, STATUSES, countPlacements,
  type Bound, type LeftOver, type Note, type Placed, type PlanStatus, type RuleViolations, type Score, type Unplaced,
} from './plan.js';
import { OBJECTIVES, SOFT_POLICIES, type Objective, type SoftPolicy } from './request.js';
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
export function wordsOf(placed: Placed[]): Uint32Array {
  placed.sort((a, b) => a.node - b.node || a.app - b.app);
  const words = new Uint32Array(3 * placed.length);
  placed.forEach(({ app, node, replicas }, entry) => words.set([app, node, replicas], 3 * entry));
  return words;
}

function placedVector(builder: flatbuffers.Builder, words: Uint32Array): flatbuffers.Offset {
  builder.startVector(12, words.length / 3, 4);
  for (let k = words.length - 1; k >= 0; --k) builder.addInt32(words[k]!);
  return builder.endVector();
}

function countVector(builder: flatbuffers.Builder, counts: readonly Unplaced[]): flatbuffers.Offset {
  builder.startVector(8, counts.length, 4);
  for (const { app, replicas } of [...counts].sort((a, b) => b.app - a.app)) wire.Unplaced.createUnplaced(builder, app, replicas);
  return builder.endVector();
}

function noteVector(builder: flatbuffers.Builder, notes: readonly Note[]): flatbuffers.Offset {
  if (notes.length === 0) return 0;
  const written = notes.map(({ code, text }) => wire.Note.createNote(builder, NOTE_CODES.indexOf(code), builder.createString(text)));
  return wire.Plan.createNotesVector(builder, written);
}

function leftOverVector(builder: flatbuffers.Builder, bound: readonly LeftOver[]): flatbuffers.Offset {
  if (bound.length === 0) return 0;
  wire.Plan.startLeftOverBoundVector(builder, bound.length);
  for (const { replicas, priority } of [...bound].reverse()) wire.LeftOver.createLeftOver(builder, BigInt(replicas), priority);
  return builder.endVector();
}

/** Writes the strings, vectors and tables that a plan refers to. */
function writeParts(builder: flatbuffers.Builder, content: PlanContent) {
  const { copies, nodeUcac, nodeMaxCost, reserved = new Uint32Array(), unreserved = [] } = content;
  const words = (one: string | undefined): flatbuffers.Offset => (one === undefined ? 0 : builder.createString(one));
  const bound = (one: Bound | undefined): flatbuffers.Offset =>
    one === undefined
      ? 0
      : wire.Bound.createBound(builder, builder.createString(one.name), one.value, one.resource ?? NONE, one.period ?? NONE);
  const isCompact = copies?.some((one: number) => one !== 1);
  return {
    planner: builder.createString(content.planner),
    nodeClass: wire.Plan.createNodeClassVector(builder, Uint32Array.from(content.nodeClass)),
    listed: wire.Plan.createListedVector(builder, Uint32Array.from(content.listed)),
    copies: isCompact ? wire.Plan.createCopiesVector(builder, Uint32Array.from(copies!)) : 0,
    placed: placedVector(builder, content.placed),
    unplaced: countVector(builder, content.unplaced),
    reserved: reserved.length === 0 ? 0 : placedVector(builder, reserved),
    unreserved: unreserved.length === 0 ? 0 : countVector(builder, unreserved),
    survive: words(content.survive),
    leaveFree: words(content.leaveFree),
    nodeBound: bound(content.nodeBound),
    costBound: bound(content.costBound),
    ucacBound: bound(content.ucacBound),
    nodeUcac: nodeUcac?.length ? wire.Plan.createNodeUcacVector(builder, Float64Array.from(nodeUcac)) : 0,
    maxCostBound: bound(content.maxCostBound),
    totalCostBound: bound(content.totalCostBound),
    leftOutBound: bound(content.leftOutBound),
    remoteTrafficBound: bound(content.remoteTrafficBound),
    nodeMaxCost: nodeMaxCost?.length ? wire.Plan.createNodeMaxCostVector(builder, Float64Array.from(nodeMaxCost)) : 0,
    notes: noteVector(builder, content.notes ?? []),
    leftOver: leftOverVector(builder, content.leftOverBound ?? []),
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

export function encodePlan(content: PlanContent): Plan {
  const { placed, unplaced, listed } = content;
  const builder = new flatbuffers.Builder(4096 + 4 * placed.length + 8 * unplaced.length + 20 * listed.length);
  const at = writeParts(builder, content);
  wire.Plan.startPlan(builder);
  addFigures(builder, content, at);
  addTerms(builder, content, at);
  wire.Plan.finishPlanBuffer(builder, wire.Plan.endPlan(builder));
  return new Plan(builder.asUint8Array());
}

/**
 * The same plan with each copy of a node as a node of its own. The copies take the place of the node in the order.
 * @param most maximum of nodes plus placements
 * @throws StowageError `LIMIT_EXCEEDED` where the plan has more
 */
export function expandPlan(plan: Plan, most = MOST_LISTED): Plan {
  const { copies } = plan;
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
  });
}
