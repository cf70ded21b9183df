// The content of nodes, for display. What else a node could take is asked of the library: headroom.ts.
import type { InstanceColumns, LimitColumns, Plan } from 'stowage';
import { NONE, StowageError } from 'stowage';
import type { NodeView, Picture } from './protocol.js';

/** Maximum of nodes times amounts of each that are drawn. */
const MOST_SHARES = 2 ** 26;

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
    if (nodes * width > MOST_SHARES) {
      throw new StowageError('LIMIT_EXCEEDED', `${nodes} nodes with ${width} amounts each are too many to draw`, 'nodes');
    }
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

  /** The load of an app is its largest demand over time for the resource that the side-effects model names. */
  largestKinds(): Uint8Array {
    const { plan, columns, periods } = this;
    const kinds = columns.apps.kind ?? [];
    const resource = columns.interference?.resource ?? 0;
    const count = Math.round(Math.sqrt(columns.interference?.coefficient.length ?? 0));
    const load = new Float64Array(count);
    return Uint8Array.from(plan.nodeClass, (_, node) => {
      load.fill(0);
      for (const { app, replicas } of plan.placements.on(node)) {
        const from = app * this.width + resource * periods;
        const most = Math.max(...(columns.apps.demand as Float64Array).subarray(from, from + periods));
        load[kinds[app] ?? 0]! += replicas * most;
      }
      return load.indexOf(Math.max(...load));
    });
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

  private row(app: number): [number, number][] {
    const { limits } = this.columns;
    if (limits === undefined) return [];
    const row: [number, number][] = [];
    for (let k = limits.rowBegin[app]!; k < limits.rowBegin[app + 1]!; ++k) row.push([limits.app[k]!, limits.atMost[k]!]);
    return row;
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
}
