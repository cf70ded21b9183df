// The workloads of a cluster: controllers, parts of stateful sets, and pods without a controller.
import { type Amounts, sameAmounts } from '../read/amounts.js';
import { portsOf } from '../read/ports.js';
import type { Controller, Meta, Objects, Owner, Pod, PodSpec, Template, Texts } from '../read/types.js';
import type { Cluster } from './cluster.js';
import type { Sharing } from './devices.js';
import { type Daemon, Daemons, carry } from './daemons.js';
import { type Within, partName, placeKey } from './volumes.js';

/** An app of the instance. */
export interface Workload {
  kind: string;
  namespace: string;
  name: string;
  /** Names the pods where a controller's pods are several apps. */
  part: string;
  labels: Texts;
  spec: PodSpec;
  requests: Amounts;
  sharing: Sharing;
  replicas: number;
  priority: number;
  /** Places of its volumes: one term of each list holds. */
  within: Within[];
  /** Running replicas by the index of their node. */
  running: Map<number, number>;
  /** Why running replicas cannot be elsewhere; undefined where they can. */
  pinnedBy: string | undefined;
  /** Why running replicas may not be evicted now; undefined where they may. */
  heldBy: string | undefined;
  /** The controller is not in the input, so that its pods are its replicas. */
  derived: boolean;
}

export const keyOf = ({ kind, namespace, name }: Workload): string => `${kind} ${namespace}/${name}`;
export const textOf = (one: Workload): string => keyOf(one) + one.part;
export const runningOf = ({ running }: Workload): number => [...running.values()].reduce((sum, count) => sum + count, 0);

const ownerOf = (meta: Meta): Owner | undefined => meta.ownerReferences?.find(({ controller }) => controller === true);
/** Annotations of pods that no autoscaler may evict. */
const MAY_NOT_GO = [['cluster-autoscaler.kubernetes.io/safe-to-evict', 'false'], ['karpenter.sh/do-not-disrupt', 'true']] as const;
/** Kinds of owners that make their pods again, also where they are not in the input themselves. */
const RECREATING = new Set(['ReplicaSet', 'ReplicationController', 'StatefulSet']);
/** The label in which the pods of a controller's replica sets carry the hash that ends the names of these. */
const HASHES = [['deployment', 'pod-template-hash'], ['rollout', 'rollouts-pod-template-hash']] as const;

/** Assigns pods to workloads. */
export class Collector {
  readonly workloads: Workload[] = [];
  private readonly byName = new Map<string, Workload[]>();
  /** Workloads of single pods of stateful sets, by namespace and name. */
  private readonly byPod = new Map<string, Workload>();
  /** Controllers of replica sets and jobs. */
  private readonly parents = new Map<string, string>();
  /** Numbers of the pods of a workload that request other amounts than its template. */
  private readonly different = new Map<Workload, number>();
  private readonly priorities = new Map([['system-cluster-critical', 2000000000], ['system-node-critical', 2000001000]]);
  private usual = 0;
  private readonly daemonSets: Daemons;

  constructor(
    private readonly cluster: Cluster,
    private readonly from: Objects,
  ) {
    for (const { metadata, value, globalDefault } of from.PriorityClass) {
      this.priorities.set(metadata?.name ?? '', value ?? 0);
      if (globalDefault === true) this.usual = value ?? 0;
    }
    this.controllers();
    this.daemonSets = new Daemons(cluster, from);
    const nodeOf = new Map(cluster.nodes.map(({ name }, k) => [name, k]));
    for (const pod of from.Pod) {
      if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') continue; // has released its resources
      const on = pod.spec?.nodeName ?? '';
      const node = nodeOf.get(on);
      if (on !== '' && node === undefined)
        cluster.leaveOut(
          `pod ${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}: it runs on node ${on}, which is not in the input`,
        );
      else this.pod(pod, node);
    }
    for (const one of this.workloads) this.settle(one);
    this.daemonSets.spread();
  }

  get daemons(): readonly Daemon[] {
    return this.daemonSets.all;
  }

  private settle(one: Workload): void {
    const others = this.different.get(one) ?? 0;
    if (others > 0)
      this.cluster.note(
        `${textOf(one)}: ${others} of its pods request other amounts than it does now; they are counted with the latter`,
      );
    const running = runningOf(one);
    if (running <= one.replicas) return;
    this.cluster.note(`${textOf(one)} wants ${one.replicas} replicas, and ${running} run: it is counted with these`);
    one.replicas = running;
  }

  private add(one: Workload): Workload {
    this.workloads.push(one);
    const known = this.byName.get(keyOf(one));
    if (known === undefined) this.byName.set(keyOf(one), [one]);
    else known.push(one);
    one.priority = this.priorityOf(one);
    return one;
  }

  private priorityOf(one: Workload): number {
    const name = one.spec.priorityClassName ?? '';
    if (typeof one.spec.priority === 'number') return one.spec.priority;
    if (name === '') return this.usual;
    if (!this.priorities.has(name))
      this.cluster.leaveOut(`${textOf(one)}: priority class ${name}, whose value is not in the input`);
    return this.priorities.get(name) ?? 0;
  }

  private workload(kind: string, meta: Meta, pod: Meta, spec: PodSpec, replicas: number): Workload {
    const one: Workload = {
      kind, namespace: meta.namespace ?? '', name: meta.name ?? '', part: '', labels: pod.labels ?? {}, spec,
      ...this.cluster.devices.requestsOf(pod, spec), replicas, priority: 0, within: [], running: new Map(), pinnedBy: undefined, heldBy: undefined,
      derived: false,
    };
    one.within = this.placesOf(one, spec);
    return one;
  }

  /** Adds the workload of a controller. */
  private make(kind: string, meta: Meta | null | undefined, template: Template, replicas: number | null | undefined): Workload {
    const spec = template.spec ?? {};
    return this.add(this.workload(kind, meta ?? {}, template.metadata ?? {}, spec, Math.max(replicas ?? 1, 0)));
  }

  /** Where the claims that a template names can be used. Ephemeral volumes are made with each pod, and bind nothing. */
  private placesOf(one: Workload, spec: PodSpec): Within[] {
    return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => {
      if (!claim) return [];
      const found = this.cluster.storage.of(one.namespace, claim.claimName ?? '');
      if (found === undefined) this.cluster.leaveOut(`${textOf(one)}: where its volumes are`);
      return found ?? [];
    });
  }

  /** Makes the workloads of all controllers that make pods and are made by none of the others. */
  private controllers(): void {
    const { from, cluster } = this;
    const templates = new Map<string, Template>();
    for (const { metadata, spec } of from.Deployment) {
      templates.set(`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`, spec?.template ?? {});
      this.make('deployment', metadata, spec?.template ?? {}, spec?.replicas);
    }
    for (const { metadata, spec } of from.Rollout) {
      const place = metadata?.namespace ?? '';
      const template = spec?.template ?? (spec?.workloadRef ? templates.get(`${place}/${spec.workloadRef.name ?? ''}`) : undefined);
      if (template === undefined) cluster.leaveOut(`rollout ${place}/${metadata?.name ?? ''}: its template is not in the input`);
      else this.make('rollout', metadata, template, spec?.replicas);
    }
    for (const one of from.StatefulSet) this.statefulSet(one);
    for (const { metadata, spec } of from.ReplicationController)
      if (spec?.template) this.make('replicationcontroller', metadata, spec.template, spec.replicas);
    for (const { metadata, spec } of from.ReplicaSet) {
      const owner = ownerOf(metadata ?? {});
      const place = metadata?.namespace ?? '';
      const parent = owner === undefined ? '' : `${(owner.kind ?? '').toLowerCase()} ${place}/${owner.name ?? ''}`;
      this.parents.set(`replicaset ${place}/${metadata?.name ?? ''}`, parent);
      if (!this.byName.has(parent) && (typeof spec?.replicas !== 'number' || spec.replicas > 0))
        this.make('replicaset', metadata, spec?.template ?? {}, spec?.replicas);
    }
    for (const one of from.Job) this.job(one);
    for (const { metadata, spec } of from.CronJob)
      if (spec?.suspend !== true)
        cluster.leaveOut(`cronjob ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}: jobs that it starts later`);
  }

  /** Makes the workload of a job that has not ended: what it may run at once of what it still has to complete. */
  private job({ metadata, spec, status }: Controller): void {
    const ended = (status?.conditions ?? []).some(
      (one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True',
    );
    if (ended) return;
    let wanted = spec?.parallelism ?? 1;
    if (typeof spec?.completions === 'number') wanted = Math.min(wanted, Math.max(spec.completions - (status?.succeeded ?? 0), 0));
    if (spec?.suspend === true) wanted = 0;
    this.make('job', metadata, spec?.template ?? {}, wanted).pinnedBy = 'a job would start again elsewhere';
  }

  /** Makes one workload, or several where the claims of its pods are at different places. */
  private statefulSet({ metadata, spec }: Controller): void {
    const whole = this.make('statefulset', metadata, spec?.template ?? {}, spec?.replicas);
    const claims = spec?.volumeClaimTemplates ?? [];
    const { storage } = this.cluster;
    if (claims.length === 0) return;
    if (storage.empty) return this.cluster.leaveOut(`${textOf(whole)}: where its volumes are`);
    const first = spec?.ordinals?.start ?? 0;
    const parts = new Map<string, { within: Within[]; pods: string[] }>();
    for (let ordinal = first; ordinal < first + whole.replicas; ++ordinal) {
      const pod = `${whole.name}-${ordinal}`;
      const within = [...whole.within];
      for (const one of claims) {
        const claim = `${one.metadata?.name ?? ''}-${pod}`;
        // A claim that is not there is made with the pod.
        const found = storage.of(whole.namespace, claim);
        if (found === undefined && storage.has(whole.namespace, claim))
          this.cluster.leaveOut(`${textOf(whole)}: where its volumes are`);
        within.push(...(found ?? []));
      }
      const part = parts.get(placeKey(within));
      if (part === undefined) parts.set(placeKey(within), { within, pods: [pod] });
      else {
        part.within = within;
        part.pods.push(pod);
      }
    }
    [...parts.values()].forEach(({ within, pods }, k) => {
      const one = k === 0 ? whole : { ...whole, running: new Map<number, number>() };
      one.within = within;
      one.replicas = pods.length;
      if (parts.size > 1) one.part = partName(pods);
      if (k > 0) this.add(one);
      for (const pod of pods) this.byPod.set(`${whole.namespace}/${pod}`, one);
    });
  }

  /** Counts one pod; undefined for the node of a pod that waits. */
  private pod(pod: Pod, node: number | undefined): void {
    const { cluster } = this;
    const meta = pod.metadata ?? {};
    const spec = pod.spec ?? {};
    const owner = ownerOf(meta);
    const { requests } = cluster.devices.requestsOf(meta, spec);
    if (node !== undefined && meta.deletionTimestamp) {
      carry(cluster.nodes[node]!, requests, portsOf(spec));
      cluster.note(
        `pod ${meta.namespace ?? ''}/${meta.name ?? ''} is being deleted, and takes room on node ${spec.nodeName ?? ''} until then`,
      );
      return;
    }
    if (owner?.kind === 'DaemonSet' || owner?.kind === 'Node') return this.daemonSets.pod(pod, owner, node);
    let one = owner === undefined ? undefined : this.workloadOf(pod, owner);
    if (one === undefined) {
      one = this.add(this.workload('pod', meta, meta, spec, 1));
      const why =
        owner === undefined
          ? 'no controller would make it again'
          : `it is not known whether its ${owner.kind ?? ''} would make it again`;
      if (node !== undefined) one.pinnedBy = why;
    }
    if (node === undefined) return;
    for (const [key, value] of MAY_NOT_GO)
      if (meta.annotations?.[key] === value) one.heldBy = `its annotation ${key}=${value}`;
    one.running.set(node, (one.running.get(node) ?? 0) + 1);
    if (!sameAmounts(requests, one.requests)) this.different.set(one, (this.different.get(one) ?? 0) + 1);
  }

  /**
   * The workload of a pod by its owners. Where these are not in the input, it is made of the pod; undefined where none makes the
   * pod again.
   */
  private workloadOf({ metadata, spec }: Pod, owner: Owner): Workload | undefined {
    const { namespace = '', name = '', labels } = metadata ?? {};
    const kind = owner.kind ?? '';
    const single = this.byPod.get(`${namespace ?? ''}/${name ?? ''}`);
    if (single !== undefined && kind === 'StatefulSet') return single;
    const key = `${kind.toLowerCase()} ${namespace ?? ''}/${owner.name ?? ''}`;
    const candidates = [this.parents.get(key) ?? ''];
    for (const [by, label] of kind === 'ReplicaSet' ? HASHES : []) {
      const ending = `-${labels?.[label] ?? ''}`;
      if (ending !== '-' && owner.name?.endsWith(ending) && owner.name !== ending)
        candidates.push(`${by} ${namespace ?? ''}/${owner.name.slice(0, -ending.length)}`);
    }
    for (const one of [...candidates, key]) {
      const [found] = this.byName.get(one) ?? [];
      if (found !== undefined && !found.derived) return found;
    }
    return RECREATING.has(kind) ? this.derived(metadata ?? {}, spec ?? {}, kind.toLowerCase(), owner.name ?? '', key) : undefined;
  }

  /** The workload of pods whose controller is not in the input. Pods whose volumes are at different places are different ones. */
  private derived(meta: Meta, spec: PodSpec, kind: string, name: string, key: string): Workload {
    const asPod = this.workload('pod', meta, meta, spec, 1);
    const places = placeKey(asPod.within);
    const known = this.byName.get(key)?.find(({ within }) => placeKey(within) === places);
    if (known !== undefined) {
      if (known.derived) ++known.replicas;
      return known;
    }
    const template: Template = { metadata: { labels: meta.labels, annotations: meta.annotations }, spec: { ...spec, nodeName: undefined } };
    const one = this.make(kind, { namespace: meta.namespace, name }, template, 1);
    one.derived = true;
    if (this.byName.get(key)!.length > 1) one.part = ` (${meta.name ?? ''})`;
    return one;
  }
}
