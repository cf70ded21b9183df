// How much of a plan's nodes is used, and where its apps are.
import type { Placed, Plan } from 'stowage';
import type { Outcome } from '../../state.js';
import { utilization } from '../summary.js';

/** Replicas of an app, by node. */
export function hostsOf({ placements }: Plan, app: number): Placed[] {
  const hosts: Placed[] = [];
  const { length } = placements;
  for (let entry = 0; entry < length; ++entry) if (placements.app(entry) === app) hosts.push(placements.at(entry));
  return hosts;
}

export type Shown = 'mean' | 'fullest' | number;

/**
 * Used share of each node's capacity: of one resource, of the fullest resource, or the mean of all; in one period or in the
 * busiest one.
 */
export function shareOf(outcome: Outcome, shown: Shown, time: number): Float32Array {
  const { periods, resources } = outcome.scenario;
  const nodes = outcome.plan.nodeClass.length;
  const result = new Float32Array(nodes);
  const highest = new Float32Array(nodes);
  resources.forEach((_, resource) => {
    if (typeof shown === 'number' && resource !== shown) return;
    highest.fill(0);
    for (let period = 0; period < periods; ++period) {
      if (time !== 0 && period !== time - 1) continue;
      const from = (resource * periods + period) * nodes;
      for (let node = 0; node < nodes; ++node) {
        const share = outcome.picture.share[from + node]!;
        if (share > highest[node]!) highest[node] = share;
      }
    }
    for (let node = 0; node < nodes; ++node) {
      if (shown === 'mean') result[node]! += highest[node]! / resources.length;
      else if (highest[node]! > result[node]!) result[node] = highest[node]!;
    }
  });
  return result;
}

/** The resource of which most is used over the whole plan. */
export function tightest(outcome: Outcome): number {
  const used = outcome.scenario.resources.map((_, resource) => utilization(outcome, resource));
  return used.indexOf(Math.max(...used));
}
