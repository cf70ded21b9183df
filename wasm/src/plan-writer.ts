// Encodes plans that are built in this package.
import { OWN } from './check.js';
import { Encoder } from './encoder.js';
import { writePlan, type PlanContent } from './plan-content.js';
import type { Placed } from './plan-records.js';
import type { Placements } from './placements.js';
import { MOST_LISTED, Plan, countPlacements } from './plan.js';
import { Steps, type CallOptions } from './watch.js';
import * as wire from './wire/plan_generated.js';

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

export function encodePlan(content: PlanContent, steps: Steps): Plan {
  const { placed, unplaced, listed } = content;
  const encoder = new Encoder(4096 + 4 * placed.length + 8 * unplaced.length + 20 * listed.length, steps);
  const { builder } = encoder;
  wire.Plan.finishPlanBuffer(builder, writePlan(encoder, content));
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
