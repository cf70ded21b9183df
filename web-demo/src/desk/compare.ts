// Compares two plans. Nodes have no identity beyond their content, so that nodes of both plans are paired greedily by the
// number of replicas that stay.
import { appName, type InstanceColumns, type Plan } from 'stowage';
import type { Comparison, Move } from './protocol.js';

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

export function compare(
  first: { columns: InstanceColumns; plan: Plan },
  second: { columns: InstanceColumns; plan: Plan },
): Comparison {
  const counterpart = sameApps(first.columns, second.columns);
  const here = entriesByApp(first.plan, first.columns.apps.replicas.length);
  const there = entriesByApp(second.plan, second.columns.apps.replicas.length);

  const overlap = new Map<number, number>();
  const width = second.plan.nodeClass.length;
  let looked = 0;
  here.forEach((entries, app) => {
    const others = counterpart[app]! < 0 ? [] : there[counterpart[app]!]!;
    if ((looked += entries.length * others.length) > MOST_PAIRS) return;
    for (const a of entries) {
      for (const b of others) {
        const key = a.node * width + b.node;
        overlap.set(key, (overlap.get(key) ?? 0) + Math.min(a.replicas, b.replicas));
      }
    }
  });
  const partner = new Int32Array(first.plan.nodeClass.length).fill(-1);
  const taken = new Uint8Array(width);
  let pairs = 0;
  for (const [key] of [...overlap].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    const [a, b] = [Math.floor(key / width), key % width];
    if (partner[a] !== -1 || taken[b] === 1) continue;
    partner[a] = b;
    taken[b] = 1;
    ++pairs;
  }

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
