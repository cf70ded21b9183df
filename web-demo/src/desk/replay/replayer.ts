// Replays a trace: applications come and go, and at the end of each interval a planner places what waits. The steps are those of
// the command `stowage replay`, on a session of the package.
import {
  StowageError, appName, decodeInstance, encodeInstance, instanceBytes, listedName,
  type InstanceColumns, type Operation, type Plan, type PlanRequest, type Session, type Stowage,
} from 'stowage';
import type { ReplayStep } from './protocol.js';
import { TableError } from '../sizes/table.js';
import { utilization } from './use.js';
import { readTrace, type Trace, type TraceApp } from './trace.js';

/** The bytes of a cluster; bare: its classes, nodes and their load, without applications. */
export function clusterBytes(source: Parameters<typeof instanceBytes>[0], bare: boolean): Uint8Array {
  const bytes = instanceBytes(source);
  if (!bare) return bytes;
  const { name, resources, periods, classes, nodes, tags } = decodeInstance(bytes);
  return encodeInstance({ name, resources, periods, classes, nodes, tags, apps: { names: [], replicas: [], demand: [] } });
}

export class Replayer {
  readonly trace: Trace;
  readonly resources: string[];
  /** Replicas that departed while they waited. */
  neverRan = 0;
  private readonly session: Session;
  /** Per class: whether there are as many nodes as needed. */
  private readonly endless: boolean[];
  /** Applications of the trace that have come. */
  private arrived = 0;
  /** Those that are there and will depart, by time. */
  private readonly departures: number[] = [];
  /** By name: the position in the trace. */
  private readonly present = new Map<string, number>();
  /** Per application: replicas. */
  private readonly waiting: Float64Array;
  /** Nodes that plans have taken into use. */
  private readonly opened = new Set<string>();
  /** Whether the last plan moved something. */
  private moved = false;
  private next = 0;

  /** Fails with a `TableError` where the trace is wrong. */
  constructor(
    library: Stowage,
    cluster: Uint8Array,
    trace: string,
    private readonly interval: number,
    private readonly request: PlanRequest,
  ) {
    const columns = decodeInstance(cluster);
    this.session = library.session(cluster);
    try {
      const names = Array.from(columns.apps.replicas, (_, app) => appName(columns, app));
      this.trace = readTrace(trace, columns.resources, names);
    } catch (error) {
      this.session.dispose();
      throw error;
    }
    this.resources = columns.resources.map(({ name }) => name);
    this.endless = columns.classes.map(({ count = 0 }) => count === 0);
    this.waiting = new Float64Array(this.trace.apps.length);
  }

  get first(): number {
    return this.trace.apps[0]!.arrives;
  }

  /** Of the last arrival or departure. */
  get last(): number {
    return this.trace.apps.reduce(
      (most, { arrives, departs }) => Math.max(most, Number.isFinite(departs) ? departs : arrives),
      -Infinity,
    );
  }

  get stillWaiting(): number {
    return this.waiting.reduce((sum, replicas) => sum + replicas, 0);
  }

  /** Replays one interval, and goes to the next one with an event; undefined where nothing changed in it. */
  step(): ReplayStep | undefined {
    const result = this.at(this.first + this.next * this.interval);
    // An event takes effect at the end of its interval. Where a plan moved something, the next interval plans again.
    const atEvent = Math.ceil((this.nextEvent() - this.first) / this.interval);
    this.next = this.moved ? this.next + 1 : Math.max(this.next + 1, atEvent);
    return result;
  }

  get ended(): boolean {
    return !Number.isFinite(this.next);
  }

  dispose(): void {
    this.session.dispose();
  }

  private nextEvent(): number {
    const { apps } = this.trace;
    const arrival = apps[this.arrived]?.arrives ?? Infinity;
    return this.departures.length === 0 ? arrival : Math.min(arrival, apps[this.departures[0]!]!.departs);
  }

  private at(time: number): ReplayStep | undefined {
    const { apps } = this.trace;
    const operations: Operation[] = [];
    const of: TraceApp[] = [];
    while (this.departures.length > 0 && apps[this.departures[0]!]!.departs <= time) {
      const app = this.departures.shift()!;
      this.neverRan += this.waiting[app]!;
      this.waiting[app] = 0;
      this.present.delete(apps[app]!.name);
      operations.push({ op: 'remove', app: apps[app]!.name });
      of.push(apps[app]!);
    }
    for (; (apps[this.arrived]?.arrives ?? Infinity) <= time; ++this.arrived) {
      const app = apps[this.arrived]!;
      if (app.departs <= time) {
        this.neverRan += app.replicas;
        continue;
      }
      const { name, replicas, demand, priority, limits } = app;
      operations.push({ op: 'submit', app: name, replicas, demand, priority, limits });
      of.push(app);
      this.present.set(name, this.arrived);
      this.waiting[this.arrived] = replicas;
      if (Number.isFinite(app.departs)) this.willDepart(this.arrived);
    }
    if (operations.length === 0 && !this.moved) return undefined;
    if (operations.length > 0) this.apply(operations, of);
    this.removeEmptyNodes();
    return this.plan(time);
  }

  /** Puts an application into the order of departures, after others of the same time. */
  private willDepart(app: number): void {
    const { apps } = this.trace;
    let [low, high] = [0, this.departures.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (apps[this.departures[middle]!]!.departs <= apps[app]!.departs) low = middle + 1;
      else high = middle;
    }
    this.departures.splice(low, 0, app);
  }

  /** Applies operations. What the library refuses in one of them is a problem of its line in the trace. */
  private apply(operations: readonly Operation[], of: readonly TraceApp[]): void {
    try {
      this.session.apply(operations);
    } catch (error) {
      const [, operation] = (error instanceof StowageError && /^(?:operations)?\[(\d+)\]/.exec(error.path)) || [];
      const app = of[Number(operation)];
      if (app === undefined) throw error;
      const path = (error as StowageError).path.replace(/^[^.]*\.?/, '');
      throw new TableError(this.trace.problemOf(app, `${path === '' ? '' : `${path} `}${(error as StowageError).message}`));
    }
  }

  private removeEmptyNodes(): void {
    if (this.opened.size === 0) return;
    const now = decodeInstance(this.session.snapshot());
    const busy = new Set<number>();
    for (const list of [now.running, now.pinned]) for (const node of list?.node ?? []) busy.add(node);
    const operations: Operation[] = [];
    now.nodes?.nodeClass.forEach((one, k) => {
      const node = listedName(now, k);
      if (!busy.has(k) && this.endless[one] && this.opened.delete(node)) operations.push({ op: 'remove-node', node });
    });
    if (operations.length > 0) this.session.apply(operations);
  }

  private plan(time: number): ReplayStep {
    const now = decodeInstance(this.session.snapshot());
    const begin = performance.now();
    const plan = this.session.plan(this.request);
    const planningSeconds = (performance.now() - begin) / 1000;
    const { committed, opened } = this.session.commit(plan);
    if (!committed) throw new StowageError('INTERNAL', 'a plan for the present cluster was refused');
    for (const node of opened) this.opened.add(node);
    const { started, waits } = this.startedBy(time, plan, now);
    this.moved = plan.moves > 0;
    return {
      time,
      apps: now.apps.replicas.length,
      running: replicasPlaced(plan),
      waiting: plan.unplaced.reduce((sum, { replicas }) => sum + replicas, 0),
      started,
      nodes: plan.nodes,
      moves: plan.moves,
      violations: plan.ruleViolations?.count ?? 0,
      cost: plan.cost,
      use: utilization(plan, now),
      planningSeconds,
      waits,
    };
  }

  /** The replicas of the trace that a plan starts. */
  private startedBy(time: number, plan: Plan, now: InstanceColumns): Pick<ReplayStep, 'started' | 'waits'> {
    const left = new Map(plan.unplaced.map(({ app, replicas }) => [app, replicas]));
    const waits = new Map<number, number>();
    let started = 0;
    now.apps.replicas.forEach((_, app) => {
      const position = this.present.get(appName(now, app));
      if (position === undefined) return; // it was there before the trace
      const still = left.get(app) ?? 0;
      const begun = this.waiting[position]! - still;
      this.waiting[position] = still;
      if (begun <= 0) return;
      const seconds = time - this.trace.apps[position]!.arrives;
      waits.set(seconds, (waits.get(seconds) ?? 0) + begun);
      started += begun;
    });
    return { started, waits: [...waits] };
  }
}

function replicasPlaced({ placements, copies }: Plan): number {
  let sum = 0;
  for (const { node, replicas } of placements) sum += replicas * (copies?.[node] ?? 1);
  return sum;
}
