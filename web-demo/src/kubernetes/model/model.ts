// The cluster as places, limits and rules of an instance.
import { unitOf } from '../read/amounts.js';
import { type HostPort, clash, portsOf } from '../read/ports.js';
import type { Taint, Texts } from '../read/types.js';
import type { Cluster } from '../cluster/cluster.js';
import type { Daemon } from '../cluster/daemons.js';
import { HOSTNAME, NotUnderstood, accepts, byText, meetsOne } from '../cluster/selectors.js';
import { type Workload, textOf } from '../cluster/workloads.js';

/** A set of present nodes, and of classes of which new nodes belong to it. */
export interface Place {
  nodes: boolean[];
  classes: boolean[];
}

export interface Condition {
  kind: 'replicas' | 'node-sets' | 'skew';
  subject: string[];
  target?: string[];
  min?: number;
  max?: number;
  group?: string;
}

export interface Rule {
  name: string;
  all_of: Condition[];
  hard?: false;
  weight?: number;
}

/** The domains of a topology key on the nodes of the classes that count; undefined = all. */
export interface Group {
  name: string;
  key: string;
  counts: boolean[] | undefined;
}

type Accepts = (of: Texts, name: string, taints: readonly Taint[], ports: readonly HostPort[]) => boolean;

const same = (a: readonly boolean[] | undefined, b: readonly boolean[] | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((one, k) => one === b[k]));

export class Model {
  readonly resources: string[];
  /** The sets of nodes to which workloads are restricted. */
  readonly places: Place[] = [];
  /** Place of each workload; -1 = all nodes. */
  readonly placeOf: number[] = [];
  /** By "workload workload": beside the first, so many of the second at most. */
  readonly limits = new Map<number, Map<number, number>>();
  readonly rules: Rule[] = [];
  readonly groups: Group[] = [];
  readonly tags: string[][];
  /** Places of preferred node affinities. */
  readonly preferred: Place[] = [];

  constructor(
    readonly cluster: Cluster,
    readonly workloads: readonly Workload[],
    readonly daemons: readonly Daemon[],
  ) {
    const names = new Set(
      workloads.flatMap(({ requests }) => [...requests].filter(([, amount]) => amount > 0).map(([name]) => name)),
    );
    // An instance has at least one resource, also where nothing asks for any.
    if (names.size === 0) for (const name of ['cpu', 'memory']) names.add(name);
    // cpu and memory come before all others.
    const rank = (name: string): number => (['cpu', 'memory'].indexOf(name) + 3) % 3;
    this.resources = [...names].sort((a, b) => rank(a) - rank(b) || byText(a, b));
    this.tags = workloads.map(() => []);
  }

  get units(): Record<string, string | { unit: string; device: number }> {
    const unit = (name: string): string | { unit: string; device: number } => {
      const device = this.cluster.devices.size(name);
      return device > 0 ? { unit: unitOf(name), device } : unitOf(name);
    };
    return Object.fromEntries(this.resources.map((name) => [name, unit(name)]));
  }

  /** The nodes and classes that a test accepts. Fails where the test does not understand something. */
  placed(test: Accepts): Place {
    const { nodes, classes } = this.cluster;
    return {
      nodes: nodes.map(({ labels, name, taints, ports }) => test(labels, name, taints, ports)),
      classes: classes.map(({ labels, taints, ports }) => test(labels, '', taints, ports)),
    };
  }

  /** Index of the place of a workload; -1 = all nodes. */
  placeIndex(one: Workload): number {
    let made: Place;
    try {
      made = this.placed((...ground) => workloadAccepts(one, ...ground));
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      this.cluster.leaveOut(`${textOf(one)}: ${error.message}`);
      return -1;
    }
    if (made.nodes.every(Boolean) && made.classes.every(Boolean)) return -1;
    const known = this.places.findIndex((place) => same(place.nodes, made.nodes) && same(place.classes, made.classes));
    return known >= 0 ? known : this.places.push(made) - 1;
  }

  /** Keeps two workloads on different nodes, or the replicas of one. */
  limit(i: number, j: number): void {
    const row = this.limits.get(i) ?? new Map<number, number>();
    row.set(j, i === j ? 1 : 0);
    this.limits.set(i, row);
  }

  /** Adds a tag to exactly these workloads and returns it. */
  tag(workloads: readonly number[]): string[] {
    const name = `[${workloads.join(' ')}]`;
    for (const one of workloads) if (!this.tags[one]!.includes(name)) this.tags[one]!.push(name);
    return [name];
  }

  require(subjects: readonly number[], name: string, condition: Omit<Condition, 'subject'>): void {
    const { kind, ...rest } = condition;
    this.rules.push({ name, all_of: [{ kind, subject: this.tag(subjects), ...rest }] });
  }

  prefer(subjects: readonly number[], name: string, weight: number, condition: Omit<Condition, 'subject'>): void {
    this.require(subjects, name, condition);
    Object.assign(this.rules.at(-1)!, { hard: false, weight });
  }

  /**
   * The group for a topology key on the classes that count, as a condition names it; undefined counts = all classes. No group =
   * each node is a set of its own.
   */
  group(key: string, counts?: boolean[]): { group?: string } {
    const all = this.cluster.classes.every(
      ({ labels }, k) => counts === undefined || counts[k]! || (!Object.hasOwn(labels, key) && key !== HOSTNAME),
    );
    if (key === HOSTNAME && all) return {};
    const counted = all ? undefined : counts;
    const known = this.groups.find((one) => one.key === key && same(one.counts, counted));
    if (known !== undefined) return { group: known.name };
    const name = all ? key : `${key} (${this.groups.length})`;
    this.groups.push({ name, key, counts: counted });
    return { group: name };
  }

  /** Reports further requests of a pod that plans do not take into account. */
  others(one: Workload): void {
    const leaveOut = (what: string): void => this.cluster.leaveOut(`${textOf(one)}: ${what}`);
    const { resourceClaims, schedulingGates, schedulerName } = one.spec;
    if (resourceClaims?.length) leaveOut('resource claims');
    if (schedulingGates?.length) leaveOut('scheduling gates');
    if (schedulerName && schedulerName !== 'default-scheduler') leaveOut(`it asks for the scheduler ${schedulerName}`);
    for (const name of one.requests.keys())
      if (this.cluster.devices.size(name) === 0 && SHARED_DEVICES.some((part) => name.includes(part)))
        leaveOut(`shared GPUs: on which device its ${name} is; the shares of a node are added up`);
    for (const text of this.cluster.devices.leftOut(one.requests, one.sharing)) leaveOut(`shared GPUs: ${text}`);
    for (const key of ['gpu-fraction', 'gpu-memory'])
      if (Object.hasOwn(one.labels, key)) leaveOut(`shared GPUs: its ${key}`);
  }
}

/**
 * Resources that are shares of devices. Those of time slicing (nvidia.com/gpu.shared) are not among them: each is as good as any
 * other, so that their number is all that counts.
 */
const SHARED_DEVICES = ['gpu-milli', 'gpu-mem', 'vgpu', 'vcuda', 'gpumem', 'gpucores', 'gpu-core', 'gpu-memory'];

/**
 * Whether a node lets the pods of a workload in: by their template, host ports that go with the node, the labels by which they
 * must be near others, and their volumes.
 */
function workloadAccepts({ spec, within, sharing }: Workload, ...[of, name, taints, ports]: Parameters<Accepts>): boolean {
  let met = accepts(spec, of, name, taints) && !clash(portsOf(spec), ports) && !sharing.tooLarge;
  for (const { topologyKey } of spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
    met &&= topologyKey === HOSTNAME || Object.hasOwn(of, topologyKey ?? '');
  for (const { claim, terms } of within) {
    try {
      met = meetsOne(terms, of, name) && met;
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      throw new NotUnderstood(`volume of claim ${claim} ${error.message}`);
    }
  }
  return met;
}
