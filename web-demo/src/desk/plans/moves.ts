// The moves from one plan to another, in the library's order. The first plan is committed in a session, so that it runs; the second
// one is written for that cluster, with nodes that are alike as the same nodes.
import { NONE, decodeInstance, nodeNames, planFromCsv, type Instance, type InstanceColumns, type Move, type Plan, type Stowage } from 'stowage';
import { forLookup } from '../occupancy.js';
import type { MoveColumns, OrderedMoves } from '../protocol.js';
import { becameOf, pairingOf, type Side } from './compare.js';

/** Shares of nodes that are sent for all steps together. */
const MOST_SHARES = 4_000_000;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The second plan for the cluster in which the first one runs. */
function planFor(columns: InstanceColumns, fingerprint: bigint, first: Side, second: Side, running: Int32Array): Plan {
  // Listed nodes are themselves; of the others, those that share most are taken as the same.
  const own = new Map<number, number>();
  second.plan.listed.forEach((listed, node) => listed !== NONE && own.set(listed, node));
  const fixed = Int32Array.from(first.plan.listed, (listed) => (listed === NONE ? -1 : (own.get(listed) ?? -1)));
  const { partner } = pairingOf(first, second, fixed);
  const names = columns.nodes?.names ?? [];
  const named = nodeNames(second.plan, second.columns);
  const nameOf: string[] = Array.from(named, () => '');
  partner.forEach((node, a) => {
    const alike =
      node >= 0 &&
      first.plan.nodeClass[a] === second.plan.nodeClass[node] &&
      (first.plan.listed[a] === NONE) === (second.plan.listed[node] === NONE);
    if (alike) nameOf[node] = names[running[a]!]!;
  });
  const taken = new Set(names);
  let next = 1;
  second.plan.listed.forEach((listed, node) => {
    if (nameOf[node] !== '') return;
    if (listed !== NONE) nameOf[node] = names[listed]!;
    else {
      const [, name] = /^(.*)-[0-9]+$/s.exec(named[node]!)!;
      while (taken.has(`${name}-${next}`)) ++next;
      nameOf[node] = `${name}-${next++}`;
    }
  });
  const lines = ['node,app,replicas'];
  const appNames = columns.apps.names ?? [];
  for (const { app, node, replicas } of second.plan.placements) lines.push(`${quoted(nameOf[node]!)},${quoted(appNames[app]!)},${replicas}`);
  return planFromCsv(`${lines.join('\n')}\n`, columns, fingerprint);
}

/** Replicas of one app that make the same move in the same wave are one move. */
function together(waves: readonly (readonly Move[])[]): MoveColumns {
  const found: [app: number, replicas: number, from: number, to: number, detour: number][] = [];
  const ends = new Uint32Array(waves.length);
  waves.forEach((wave, k) => {
    const known = new Map<string, number>();
    for (const { app, from = NONE, to = NONE, detour } of wave) {
      const key = `${app} ${from} ${to}`;
      const at = known.get(key);
      if (at !== undefined) ++found[at]![1];
      else known.set(key, found.push([app, 1, from, to, detour ? 1 : 0]) - 1);
    }
    ends[k] = found.length;
  });
  const column = (k: number): Uint32Array => Uint32Array.from(found, (one) => one[k]!);
  return { app: column(0), replicas: column(1), from: column(2), to: column(3), detour: Uint8Array.from(column(4)), ends };
}

/** The used share of the fullest resource of each node, before the first wave and after each. */
function sharesOf(columns: InstanceColumns, plan: Plan, nodes: number, moves: MoveColumns): Float32Array[] {
  const { apps, classes, nodes: listed, running, resources, periods = 1 } = columns;
  const width = resources.length * periods;
  const nodeClass = [...Array.from(listed?.nodeClass ?? []), ...Array.from(plan.nodeClass).filter((_, k) => plan.listed[k] === NONE)];
  const used = new Float64Array(nodes * width);
  const load = listed?.load ?? [];
  for (let k = 0; k < load.length; ++k) used[k] = load[k]!;
  const change = (app: number, node: number, replicas: number): void => {
    for (let d = 0; d < width; ++d) used[node * width + d]! += replicas * apps.demand[app * width + d]!;
  };
  running?.app.forEach((app, k) => change(app, running.node[k]!, running.replicas[k]!));
  const shares = (): Float32Array =>
    Float32Array.from({ length: nodes }, (_, node) => {
      let most = 0;
      for (let d = 0; d < width; ++d) {
        const capacity = classes[nodeClass[node]!]!.capacity[Math.floor(d / periods)]!;
        if (capacity > 0) most = Math.max(most, used[node * width + d]! / capacity);
      }
      return most;
    });
  const steps = [shares()];
  let k = 0;
  for (const end of moves.ends) {
    for (; k < end; ++k) {
      const [app, replicas, from, to] = [moves.app[k]!, moves.replicas[k]!, moves.from[k]!, moves.to[k]!];
      if (from !== NONE) change(app, from, -replicas);
      if (to !== NONE) change(app, to, replicas);
    }
    if ((steps.length + 1) * nodes <= MOST_SHARES) steps.push(shares());
  }
  return steps;
}

export function orderedMoves(library: Stowage, raw: InstanceColumns, first: Side, second: Side): OrderedMoves {
  const session = library.session(raw);
  let instance: Instance | undefined;
  try {
    session.commit(first.plan);
    const columns = forLookup(decodeInstance(session.snapshot()));
    instance = session.instance();
    const became = becameOf(first.plan, raw.nodes?.nodeClass.length ?? 0);
    const plan = planFor(columns, instance.fingerprint, first, second, became);
    const order = instance.orderMoves(plan);
    const moves = together(order.waves);
    const listed = columns.nodes?.names ?? [];
    const fresh = nodeNames(plan, columns).filter((_, node) => plan.listed[node] === NONE);
    const names = [...listed, ...fresh];
    const { moved, detours, leastWaves } = order;
    return {
      names,
      appNames: [...(columns.apps.names ?? [])],
      moves,
      stuck: order.stuck.length,
      moved,
      detours,
      leastWaves,
      shares: sharesOf(columns, plan, names.length, moves),
    };
  } finally {
    instance?.dispose();
    session.dispose();
  }
}
