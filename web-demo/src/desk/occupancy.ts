// The content and headroom of nodes, for display. The planners use their own exact test.
import type { InstanceColumns, LimitColumns, Obstacle, Plan } from 'stowage';
import { NONE } from 'stowage';
import { JOIN, type Joining, type NodeView, type Picture } from './protocol.js';

/** Tolerance for rounding errors in sums of demand. */
const SLACK = 1e-9;

/** Expands values per item and resource to values per item, resource and period. */
function everyPeriod(values: ArrayLike<number>, entries: number, periods: number): ArrayLike<number> {
  if (values.length === entries * periods) return values;
  return Float64Array.from({ length: entries * periods }, (_, k) => values[Math.floor(k / periods)]!);
}

/** The same instance in a form for fast lookups: full profiles, sorted rows of limits. */
export function forLookup(columns: InstanceColumns): InstanceColumns {
  const { apps, nodes, limits, resources, periods = 1 } = columns;
  const demand = everyPeriod(apps.demand, apps.replicas.length * resources.length, periods) as Float64Array;
  const load = nodes?.load?.length
    ? (everyPeriod(nodes.load, nodes.nodeClass.length * resources.length, periods) as Float64Array)
    : undefined;
  return {
    ...columns,
    apps: { ...apps, demand },
    ...(nodes === undefined ? {} : { nodes: { ...nodes, load } }),
    ...(limits === undefined ? {} : { limits: sortedRows(limits) }),
  };
}

function sortedRows(limits: LimitColumns): LimitColumns {
  const { rowBegin } = limits;
  let sorted: { app: Uint32Array; atMost: Uint32Array } | undefined;
  for (let row = 0; row + 1 < rowBegin.length; ++row) {
    const [begin, end] = [rowBegin[row]!, rowBegin[row + 1]!];
    let ascends = true;
    for (let k = begin + 1; k < end && ascends; ++k) ascends = limits.app[k - 1]! < limits.app[k]!;
    if (ascends) continue;
    sorted ??= { app: Uint32Array.from(limits.app), atMost: Uint32Array.from(limits.atMost) };
    const order = Array.from({ length: end - begin }, (_, k) => begin + k).sort((a, b) => limits.app[a]! - limits.app[b]!);
    order.forEach((from, k) => {
      sorted!.app[begin + k] = limits.app[from]!;
      sorted!.atMost[begin + k] = limits.atMost[from]!;
    });
  }
  return sorted === undefined ? limits : { rowBegin, ...sorted };
}

export class Occupancy {
  private readonly width: number;
  private readonly periods: number;

  constructor(
    /** Columns as returned by `forLookup`. */
    readonly columns: InstanceColumns,
    readonly plan: Plan,
    readonly names: string[],
  ) {
    this.periods = columns.periods ?? 1;
    this.width = columns.resources.length * this.periods;
  }

  picture(): Picture {
    const { plan, width, periods, columns } = this;
    const nodes = plan.nodeClass.length;
    const share = new Float32Array(nodes * width);
    const used = new Float64Array(width);
    for (let node = 0; node < nodes; ++node) {
      this.used(node, used);
      const { capacity } = columns.classes[plan.nodeClass[node]!]!;
      for (let d = 0; d < width; ++d) {
        const whole = capacity[Math.floor(d / periods)]!;
        share[d * nodes + node] = whole > 0 ? used[d]! / whole : 0;
      }
    }
    return { names: this.names, share };
  }

  view(node: number): NodeView {
    const { plan, columns, width } = this;
    const load = new Float64Array(width);
    this.addLoad(node, load);
    const on = plan.placements.on(node);
    const present = new Map(on.map(({ app, replicas }) => [app, replicas]));
    const apps = on.map(({ app, replicas }) => ({
      app,
      replicas,
      demand: Float64Array.from({ length: width }, (_, d) => replicas * columns.apps.demand[app * width + d]!),
      limits: this.row(app)
        .filter(([other]) => present.has(other))
        .map(([other, atMost]) => ({ app: other, atMost, present: present.get(other)! })),
    }));
    const nodeClass = plan.nodeClass[node]!;
    return { node, nodeClass, capacity: Float64Array.from(columns.classes[nodeClass]!.capacity), load, apps };
  }

  joining(app: number): Joining {
    const { plan, columns } = this;
    const nodes = plan.nodeClass.length;
    const limitsOn = new Uint32Array(nodes).fill(NONE);
    const imposed = new Map(this.row(app));
    const own = imposed.get(app) ?? NONE;
    for (const { app: other, node, replicas } of plan.placements) {
      if (other === app) continue;
      // The limits that the other apps impose, and 0 where the app's own limit on a neighbour is exceeded.
      let most = this.limit(other, app);
      const bears = imposed.get(other);
      if (bears !== undefined && replicas > bears) most = 0;
      if (most < limitsOn[node]!) limitsOn[node] = most;
    }
    const code = new Uint8Array(nodes);
    const headroom = new Uint32Array(nodes);
    const used = new Float64Array(this.width);
    const held = new Uint32Array(nodes);
    for (const one of plan.placements) if (one.app === app) held[one.node]! += one.replicas;
    for (let node = 0; node < nodes; ++node) {
      this.used(node, used);
      const room = this.room(node, app, used);
      const allowed = Math.max(0, Math.min(limitsOn[node]!, own) - held[node]!);
      const closed = plan.listed[node] !== NONE && columns.nodes?.closed?.[plan.listed[node]!] === 1;
      headroom[node] = closed ? 0 : Math.min(room, allowed);
      if (closed) code[node] = JOIN.closed;
      else if (room === 0) code[node] = allowed === 0 ? JOIN.both : JOIN.capacity;
      else code[node] = allowed === 0 ? JOIN.limits : JOIN.takes;
    }
    return { code, headroom };
  }

  /** The constraints that one more replica of an app would break on a node. */
  obstacles(app: number, node: number): Obstacle[] {
    const { plan, columns, width, periods } = this;
    const found: Obstacle[] = [];
    if (plan.listed[node] !== NONE && columns.nodes?.closed?.[plan.listed[node]!] === 1) {
      found.push({ kind: 'closed-node', amount: 0, limit: 0 });
    }
    const used = new Float64Array(width);
    this.used(node, used);
    const { capacity } = columns.classes[plan.nodeClass[node]!]!;
    columns.resources.forEach((_, resource) => {
      let [worst, at] = [0, 0];
      for (let period = 0; period < periods; ++period) {
        const d = resource * periods + period;
        const over = used[d]! + columns.apps.demand[app * width + d]! - capacity[resource]!;
        if (over > worst) [worst, at] = [over, period];
      }
      if (worst > SLACK) found.push({ kind: 'capacity', resource, period: at, amount: worst, limit: capacity[resource]! });
    });
    const on = plan.placements.on(node);
    const held = on.find((one) => one.app === app)?.replicas ?? 0;
    const own = this.limit(app, app);
    if (held + 1 > own) found.push({ kind: 'self-limit', amount: held + 1, limit: own });
    for (const { app: other, replicas } of on) {
      if (other === app) continue;
      const allows = this.limit(other, app);
      if (held + 1 > allows) found.push({ kind: 'affinity-limit', other, amount: held + 1, limit: allows });
      const bears = this.limit(app, other);
      if (replicas > bears) found.push({ kind: 'imposed-limit', other, amount: replicas, limit: bears });
    }
    return found;
  }

  private row(app: number): [number, number][] {
    const { limits } = this.columns;
    if (limits === undefined) return [];
    const row: [number, number][] = [];
    for (let k = limits.rowBegin[app]!; k < limits.rowBegin[app + 1]!; ++k) row.push([limits.app[k]!, limits.atMost[k]!]);
    return row;
  }

  /** The maximum number of replicas of `other` beside `app`. */
  private limit(app: number, other: number): number {
    const { limits } = this.columns;
    if (limits === undefined || limits.rowBegin.length === 0) return NONE;
    let [low, high] = [limits.rowBegin[app]!, limits.rowBegin[app + 1]!];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (limits.app[middle]! < other) low = middle + 1;
      else high = middle;
    }
    return low < limits.rowBegin[app + 1]! && limits.app[low] === other ? limits.atMost[low]! : NONE;
  }

  private addLoad(node: number, used: Float64Array): void {
    const listed = this.plan.listed[node]!;
    const load = this.columns.nodes?.load;
    if (listed === NONE || load === undefined || load.length === 0) return;
    for (let d = 0; d < this.width; ++d) used[d]! += load[listed * this.width + d]!;
  }

  private used(node: number, used: Float64Array): void {
    const { plan, width, columns } = this;
    used.fill(0);
    this.addLoad(node, used);
    const [begin, end] = plan.placements.range(node);
    for (let entry = begin; entry < end; ++entry) {
      const replicas = plan.placements.replicas(entry);
      const from = plan.placements.app(entry) * width;
      for (let d = 0; d < width; ++d) used[d]! += replicas * columns.apps.demand[from + d]!;
    }
  }

  private room(node: number, app: number, used: Float64Array): number {
    const { capacity } = this.columns.classes[this.plan.nodeClass[node]!]!;
    let room = this.columns.apps.replicas[app]!;
    for (let d = 0; d < this.width; ++d) {
      const demand = this.columns.apps.demand[app * this.width + d]!;
      if (demand > 0) {
        const left = capacity[Math.floor(d / this.periods)]! - used[d]!;
        room = Math.min(room, Math.max(0, Math.floor(left / demand + SLACK)));
      }
    }
    return room;
  }
}
