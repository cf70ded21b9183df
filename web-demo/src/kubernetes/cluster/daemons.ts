// What goes with each node: pods of daemon sets and static pods.
import { type Amounts, addAmounts, raise } from '../read/amounts.js';
import { type HostPort, portsOf } from '../read/ports.js';
import type { Objects, Owner, Pod, PodSpec, Texts, Toleration } from '../read/types.js';
import type { Cluster } from './cluster.js';
import { NotUnderstood, accepts, nodeTerms, sameTexts } from './selectors.js';

/** A daemon set or a kind of static pods. Its pods go with their nodes. */
export interface Daemon {
  name: string;
  namespace: string;
  labels: Texts[];
  /** Template of a daemon set that is in the input; undefined where only its pods are. */
  template: PodSpec | undefined;
  /** Requests of the template. */
  requests: Amounts;
  /** Static pods belong to a class if they run on all of its nodes, those of daemon sets if they run on any. */
  isStatic: boolean;
  /** Requests of the pods by node. */
  on: Map<number, Amounts>;
  /** Ports of the host that its pods use. */
  ports: HostPort[];
}

/** Adds what goes with a node, or with each new node of a class. */
export function carry(to: { daemon: Amounts; ports: HostPort[] }, amounts: Amounts, ports: readonly HostPort[]): void {
  addAmounts(to.daemon, amounts);
  to.ports.push(...ports);
}

/** Tolerations that the controller adds to the pods of daemon sets. */
const TOLERATIONS: readonly Toleration[] = [
  'not-ready', 'unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable',
].map((condition) => ({ key: `node.kubernetes.io/${condition}`, operator: 'Exists' }));

export class Daemons {
  private readonly byName = new Map<string, Daemon>();

  constructor(
    private readonly cluster: Cluster,
    from: Objects,
  ) {
    for (const { metadata, spec } of from.DaemonSet) {
      const namespace = metadata?.namespace ?? '';
      const one = this.daemon(`daemonset ${namespace}/${metadata?.name ?? ''}`, namespace, false);
      const template = spec?.template?.spec ?? {};
      one.template = { ...template, tolerations: [...(template.tolerations ?? []), ...TOLERATIONS] };
      one.requests = cluster.devices.requestsOf(spec?.template?.metadata ?? {}, template).requests;
      one.labels.push(spec?.template?.metadata?.labels ?? {});
      one.ports.push(...portsOf(template));
    }
  }

  get all(): Daemon[] {
    return [...this.byName.values()];
  }

  private daemon(name: string, namespace: string, isStatic: boolean): Daemon {
    let one = this.byName.get(name);
    if (one === undefined) {
      one = { name, namespace, labels: [], template: undefined, requests: new Map(), isStatic, on: new Map(), ports: [] };
      this.byName.set(name, one);
    }
    return one;
  }

  /** Counts a pod of a daemon set or a static pod. Pods of daemon sets wait for the node that their affinity names. */
  pod({ metadata, spec }: Pod, owner: Owner, at: number | undefined): void {
    const namespace = metadata?.namespace ?? '';
    const isStatic = owner.kind === 'Node';
    const ending = `-${owner.name ?? ''}`;
    const own = metadata?.name ?? '';
    const name = isStatic
      ? `static pod ${namespace}/${own.endsWith(ending) ? own.slice(0, -ending.length) : own}`
      : `daemonset ${namespace}/${owner.name ?? ''}`;
    const node = at ?? this.cluster.nodes.findIndex(({ name: its }) => names(spec ?? {}, its));
    const one = this.daemon(name, namespace, isStatic);
    const labels = metadata?.labels ?? {};
    if (!one.labels.some((known) => sameTexts(known, labels))) one.labels.push(labels);
    if (one.template === undefined && one.ports.length === 0) one.ports.push(...portsOf(spec ?? {}));
    if (node >= 0) {
      const there = one.on.get(node) ?? new Map<string, number>();
      addAmounts(there, this.cluster.devices.requestsOf(metadata ?? {}, spec ?? {}).requests);
      one.on.set(node, there);
    }
    if (spec?.affinity?.podAffinity || spec?.affinity?.podAntiAffinity)
      this.cluster.leaveOut(`${name}: what its pods ask of others beside them`);
  }

  /** Adds up what goes with each node, and with each new node of a class. */
  spread(): void {
    for (const one of this.all) {
      if (one.template !== undefined) this.spreadTemplate(one, one.template);
      else this.spreadPods(one);
    }
    for (const { name, daemon, capacity } of this.cluster.classes) {
      for (const [resource, amount] of daemon) {
        const room = capacity.get(resource) ?? 0;
        if (amount <= room) continue;
        this.cluster.note(`${name}: its daemon pods request more ${resource} than a new node has`);
        daemon.set(resource, room);
      }
    }
  }

  private spreadPods({ on, isStatic, ports }: Daemon): void {
    const { nodes, classes } = this.cluster;
    const most = new Map<number, { amounts: Amounts; nodes: number }>();
    for (const [index, amounts] of on) {
      const node = nodes[index]!;
      const of = most.get(node.class) ?? { amounts: new Map<string, number>(), nodes: 0 };
      raise(of.amounts, amounts);
      ++of.nodes;
      most.set(node.class, of);
      carry(node, amounts, ports);
    }
    for (const [index, { amounts, nodes: count }] of most)
      if (!isStatic || count === classes[index]!.nodes) carry(classes[index]!, amounts, ports);
  }

  /** Counts the pods of a daemon set where they run, and where its template says that they will. */
  private spreadTemplate({ on, ports, requests }: Daemon, template: PodSpec): void {
    const letsIn = (...of: [labels: Texts, name: string, taints: Parameters<typeof accepts>[3]]): boolean => {
      try {
        return accepts(template, ...of);
      } catch (error) {
        if (error instanceof NotUnderstood) return false;
        throw error;
      }
    };
    this.cluster.nodes.forEach((node, k) => {
      const runs = on.get(k);
      if (runs !== undefined) carry(node, runs, ports);
      else if (letsIn(node.labels, node.name, node.taints)) carry(node, requests, ports);
    });
    for (const one of this.cluster.classes) if (letsIn(one.labels, '', one.taints)) carry(one, requests, ports);
  }
}

/** Whether a pod's affinity names this node alone. */
const names = (spec: PodSpec, name: string): boolean =>
  (nodeTerms(spec) ?? []).some(({ matchFields }) =>
    (matchFields ?? []).some(({ key, values }) => key === 'metadata.name' && values?.length === 1 && values[0] === name),
  );
