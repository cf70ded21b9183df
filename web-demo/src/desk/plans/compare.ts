// Compares two plans. Nodes have no identity beyond their content, so that nodes of both plans are paired greedily by the
// number of replicas that stay.
import { NONE, appName, type InstanceColumns, type Plan } from 'stowage';
import type { Changes, Comparison, Move } from '../protocol.js';

const MOST_PAIRS = 4_000_000;
const MOST_MOVES = 300;

interface Entry {
  node: number;
  replicas: number;
}

function entriesByApp(plan: Plan, apps: number): Entry[][] {
  const lists: Entry[][] = Array.from({ length: apps }, () => []);
  for (const { app, node, replicas } of plan.placements) lists[app]!.push({ node, replicas });
  return lists;
}

/** For each app of the first instance, the app of the second one with the same name (without names: position), or -1. */
function sameApps(first: InstanceColumns, second: InstanceColumns): Int32Array {
  const count = second.apps.replicas.length;
  const position = new Map(Array.from({ length: count }, (_, app) => [appName(second, app), app]));
  return Int32Array.from({ length: first.apps.replicas.length }, (_, app) => position.get(appName(first, app)) ?? -1);
}

/**
 * For each node of a plan that was committed, its position in a later plan of the same cluster, or -1.
 * @param listed number of listed nodes before the plan was committed
 */
export function sameNodes(first: Plan, second: Plan, listed: number): Int32Array {
  const at = new Map<number, number>();
  second.listed.forEach((one, node) => one !== NONE && at.set(one, node));
  return Int32Array.from(becameOf(first, listed), (one) => at.get(one) ?? -1);
}

/** The listed node that each node of a plan becomes when it is committed: anonymous ones come after the others, in order. */
export function becameOf(plan: Plan, listed: number): Int32Array {
  let next = listed;
  return Int32Array.from(plan.listed, (one) => (one === NONE ? next++ : one));
}

/** One side of a comparison. */
export interface Side {
  columns: InstanceColumns;
  plan: Plan;
}

/** Which nodes and apps of two plans are alike. */
export interface Pairing {
  counterpart: Int32Array;
  /** Where the replicas of each app are. */
  here: Entry[][];
  there: Entry[][];
  /** For each node of the first plan, the node of the second one that is alike, or -1. */
  partner: Int32Array;
  pairs: number;
}

/**
 * @param fixed pairs that are given: for each node of the first plan, one of the second, or -1
 * @param exact no others are paired
 */
export function pairingOf(first: Side, second: Side, fixed?: Int32Array, exact = false): Pairing {
  const counterpart = sameApps(first.columns, second.columns);
  const here = entriesByApp(first.plan, first.columns.apps.replicas.length);
  const there = entriesByApp(second.plan, second.columns.apps.replicas.length);
  const width = second.plan.nodeClass.length;
  const partner = new Int32Array(first.plan.nodeClass.length).fill(-1);
  const taken = new Uint8Array(width);
  let pairs = 0;
  const pair = (a: number, b: number): void => {
    if (partner[a] !== -1 || taken[b] === 1) return;
    partner[a] = b;
    taken[b] = 1;
    ++pairs;
  };
  fixed?.forEach((b, a) => b >= 0 && pair(a, b));

  const overlap = new Map<number, number>();
  let looked = 0;
  if (!exact) here.forEach((entries, app) => {
    const others = counterpart[app]! < 0 ? [] : there[counterpart[app]!]!;
    if ((looked += entries.length * others.length) > MOST_PAIRS) return;
    for (const a of entries) {
      if (partner[a.node] !== -1) continue;
      for (const b of others) {
        if (taken[b.node] === 1) continue;
        const key = a.node * width + b.node;
        overlap.set(key, (overlap.get(key) ?? 0) + Math.min(a.replicas, b.replicas));
      }
    }
  });
  for (const [key] of [...overlap].sort((a, b) => b[1] - a[1] || a[0] - b[0])) pair(Math.floor(key / width), key % width);
  return { counterpart, here, there, partner, pairs };
}

/**
 * For each node of the second plan, the replicas that come and go when the first plan is changed into it.
 * @param same for each node of the first plan, the same one in the second plan, or -1; absent: those that are most alike
 */
export function changes(first: Side, second: Side, same?: Int32Array): Changes {
  const { counterpart, here, there, partner } = pairingOf(first, second, same, same !== undefined);
  const nodes = second.plan.nodeClass.length;
  const [come, gone] = [new Uint32Array(nodes), new Uint32Array(nodes)];
  const fresh = new Uint8Array(nodes).fill(1);
  for (const node of partner) if (node >= 0) fresh[node] = 0;
  const before = new Map<number, number>();
  here.forEach((entries, app) => {
    const other = counterpart[app]!;
    before.clear();
    for (const { node, replicas } of entries) if (partner[node]! >= 0) before.set(partner[node]!, replicas);
    for (const { node, replicas } of other < 0 ? [] : there[other]!) {
      const was = before.get(node) ?? 0;
      come[node]! += Math.max(0, replicas - was);
      gone[node]! += Math.max(0, was - replicas);
      before.delete(node);
    }
    for (const [node, replicas] of before) gone[node]! += replicas;
  });
  const known = new Set(counterpart);
  there.forEach((entries, app) => {
    if (!known.has(app)) for (const { node, replicas } of entries) come[node]! += replicas;
  });
  return { come, gone, fresh };
}

/** @param same as in `changes` */
export function compare(first: Side, second: Side, same?: Int32Array): Comparison {
  const { counterpart, here, there, partner, pairs } = pairingOf(first, second, same, same !== undefined);
  const result: Comparison = {
    staying: 0,
    moving: 0,
    onlyFirst: 0,
    onlySecond: 0,
    pairs,
    moves: [],
    moveCount: 0,
    appNames: [],
  };
  const moves: Move[] = [];
  const appNames: string[] = [];
  const seen = new Uint8Array(there.length);
  here.forEach((entries, app) => {
    const other = counterpart[app]!;
    if (other >= 0) seen[other] = 1;
    const arriving = new Map((other < 0 ? [] : there[other]!).map(({ node, replicas }) => [node, replicas]));
    const leaving: Entry[] = [];
    for (const { node, replicas } of entries) {
      const goal = partner[node]!;
      const stays = Math.min(replicas, arriving.get(goal) ?? 0);
      result.staying += stays;
      if (stays > 0) arriving.set(goal, arriving.get(goal)! - stays);
      if (replicas > stays) leaving.push({ node, replicas: replicas - stays });
    }
    const targets = [...arriving].filter(([, replicas]) => replicas > 0);
    for (const { node, replicas } of leaving) {
      let left = replicas;
      while (left > 0 && targets.length > 0) {
        const target = targets[targets.length - 1]!;
        const count = Math.min(left, target[1]);
        moves.push({ app, replicas: count, from: node, to: target[0] });
        result.moving += count;
        left -= count;
        target[1] -= count;
        if (target[1] === 0) targets.pop();
      }
      if (left > 0) {
        moves.push({ app, replicas: left, from: node });
        result.onlyFirst += left;
      }
    }
    for (const [node, replicas] of targets) {
      moves.push({ app, replicas, to: node });
      result.onlySecond += replicas;
    }
  });
  there.forEach((entries, app) => {
    if (seen[app] === 0) for (const { replicas } of entries) result.onlySecond += replicas;
  });
  moves.sort((a, b) => b.replicas - a.replicas || a.app - b.app);
  result.moveCount = moves.length;
  result.moves = moves.slice(0, MOST_MOVES);
  result.moves.forEach(({ app }) => (appNames[app] = appName(first.columns, app)));
  result.appNames = Array.from(appNames, (name) => name ?? '');
  return result;
}
