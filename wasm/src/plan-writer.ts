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

export function encodePlan(content: PlanContent): Plan {
  const { placed, unplaced, copies, nodeUcac, nodeMaxCost, reserved = new Uint32Array(), unreserved = [] } = content;
  const builder = new flatbuffers.Builder(4096 + 4 * placed.length + 8 * unplaced.length + 20 * content.listed.length);
  const bound = (one: Bound | undefined): flatbuffers.Offset =>
    one === undefined
      ? 0
      : wire.Bound.createBound(builder, builder.createString(one.name), one.value, one.resource ?? NONE, one.period ?? NONE);
  const planner = builder.createString(content.planner);
  const nodeClass = wire.Plan.createNodeClassVector(builder, Uint32Array.from(content.nodeClass));
  const listed = wire.Plan.createListedVector(builder, Uint32Array.from(content.listed));
  const isCompact = copies?.some((one: number) => one !== 1);
  const wireCopies = isCompact ? wire.Plan.createCopiesVector(builder, Uint32Array.from(copies!)) : 0;
  const wirePlaced = placedVector(builder, placed);
  const wireUnplaced = countVector(builder, unplaced);
  const wireReserved = reserved.length === 0 ? 0 : placedVector(builder, reserved);
  const wireUnreserved = unreserved.length === 0 ? 0 : countVector(builder, unreserved);
  const survive = content.survive === undefined ? 0 : builder.createString(content.survive);
  const leaveFree = content.leaveFree === undefined ? 0 : builder.createString(content.leaveFree);
  const nodeBound = bound(content.nodeBound);
  const costBound = bound(content.costBound);
  const ucacBound = bound(content.ucacBound);
  const wireNodeUcac = nodeUcac?.length ? wire.Plan.createNodeUcacVector(builder, Float64Array.from(nodeUcac)) : 0;
  const maxCostBound = bound(content.maxCostBound);
  const totalCostBound = bound(content.totalCostBound);
  const leftOutBound = bound(content.leftOutBound);
  const remoteTrafficBound = bound(content.remoteTrafficBound);
  const wireNodeMaxCost = nodeMaxCost?.length ? wire.Plan.createNodeMaxCostVector(builder, Float64Array.from(nodeMaxCost)) : 0;
  const { notes = [] } = content;
  const wireNotes = notes.map((one) => wire.Note.createNote(builder, NOTE_CODES.indexOf(one.code), builder.createString(one.text)));
  const noteVector = notes.length === 0 ? 0 : wire.Plan.createNotesVector(builder, wireNotes);
  const leftOver = [...(content.leftOverBound ?? [])].reverse();
  let wireLeftOver = 0;
  if (leftOver.length > 0) {
    wire.Plan.startLeftOverBoundVector(builder, leftOver.length);
    for (const one of leftOver) wire.LeftOver.createLeftOver(builder, BigInt(one.replicas), one.priority);
    wireLeftOver = builder.endVector();
  }
  wire.Plan.startPlan(builder);
  wire.Plan.addInstance(builder, content.instance);
  wire.Plan.addPlanner(builder, planner);
  wire.Plan.addStatus(builder, STATUSES.indexOf(content.status));
  wire.Plan.addSeed(builder, content.seed);
  wire.Plan.addWork(builder, content.work);
  wire.Plan.addPace(builder, content.pace);
  wire.Plan.addNodeClass(builder, nodeClass);
  wire.Plan.addListed(builder, listed);
  wire.Plan.addPlaced(builder, wirePlaced);
  wire.Plan.addUnplaced(builder, wireUnplaced);
  wire.Plan.addNodeBound(builder, nodeBound);
  wire.Plan.addGap(builder, content.gap ?? -1);
  wire.Plan.addCost(builder, content.cost ?? -1);
  wire.Plan.addCostBound(builder, costBound);
  wire.Plan.addInheritedViolations(builder, content.inheritedViolations);
  wire.Plan.addMoves(builder, content.moves);
  wire.Plan.addUcac(builder, content.ucac ?? -1);
  wire.Plan.addUcacResource(builder, content.ucacResource ?? NONE);
  wire.Plan.addUcacBound(builder, ucacBound);
  wire.Plan.addNodeUcac(builder, wireNodeUcac);
  wire.Plan.addMaxCost(builder, content.maxCost ?? -1);
  wire.Plan.addMaxCostBound(builder, maxCostBound);
  wire.Plan.addTotalCost(builder, content.totalCost ?? -1);
  wire.Plan.addTotalCostBound(builder, totalCostBound);
  wire.Plan.addLeftOut(builder, content.leftOut ?? -1);
  wire.Plan.addLeftOutBound(builder, leftOutBound);
  wire.Plan.addRemoteTraffic(builder, content.remoteTraffic ?? -1);
  wire.Plan.addRemoteTrafficBound(builder, remoteTrafficBound);
  wire.Plan.addNodeMaxCost(builder, wireNodeMaxCost);
  wire.Plan.addMaxCostLimit(builder, content.maxCostLimit ?? 0);
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
  wire.Plan.addCopies(builder, wireCopies);
  wire.Plan.addSoft(builder, SOFT_POLICIES.indexOf(content.soft ?? 'first'));
  wire.Plan.addSoftPrice(builder, content.softPrice ?? 0);
  wire.Plan.addFill(builder, content.fill ?? false);
  wire.Plan.addNotes(builder, noteVector);
  wire.Plan.addLeftOverBound(builder, wireLeftOver);
  wire.Plan.addPlacesMost(builder, content.placesMost ?? false);
  wire.Plan.addReserved(builder, wireReserved);
  wire.Plan.addUnreserved(builder, wireUnreserved);
  wire.Plan.addSurvive(builder, survive);
  wire.Plan.addNotSurvived(builder, content.notSurvived === undefined ? NOT_KNOWN : BigInt(content.notSurvived));
  wire.Plan.addLeaveFree(builder, leaveFree);
  wire.Plan.addDomainsInUse(builder, content.domainsInUse ?? 0);
  wire.Plan.addDomainBound(builder, content.domainBound ?? 0);
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
