// The nodes of a cluster, and the classes of nodes of the same kind.
import { type Amounts, amountsOf } from '../read/amounts.js';
import { podSpecs } from '../read/objects.js';
import type { HostPort } from '../read/ports.js';
import type { NodeObject, NodeTerm, Objects, Taint, Texts } from '../read/types.js';
import {
  HOSTNAME, INSTANCE_TYPE, REGION, ZONE, byText, nodeTerms, podTerms, preferredNodeTerms, sameTexts, taintText,
} from './selectors.js';
import { Devices } from './devices.js';
import { Storage, volumeTerms } from './volumes.js';

export interface ClusterNode {
  name: string;
  class: number;
  labels: Texts;
  taints: Taint[];
  /** The node accepts no new pods, because it is cordoned or has a condition that keeps pods away. */
  closed: boolean;
  /** What runs there as long as the node does: pods of daemon sets, static pods, and pods that are being deleted. */
  daemon: Amounts;
  /** Ports of the host that this uses. */
  ports: HostPort[];
}

/** What nodes of the same kind share. */
export interface NodeClass {
  name: string;
  capacity: Amounts;
  labels: Record<string, string>;
  taints: Taint[];
  nodes: number;
  /** Nodes of the control plane. */
  control: boolean;
  /** What runs on each new node of the class, and the ports of the host that it uses. */
  daemon: Amounts;
  ports: HostPort[];
}

/** Relative difference of capacities up to which nodes belong to one class: systems reserve slightly different amounts. */
const SLACK = 0.01;
const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

export class Cluster {
  readonly nodes: ClusterNode[] = [];
  readonly classes: NodeClass[] = [];
  readonly storage: Storage;
  readonly devices = new Devices();
  private readonly left = new Set<string>();
  private readonly noted = new Set<string>();

  constructor(from: Objects) {
    this.storage = new Storage(from);
    const keys = labelKeys(from);
    const hosts = new Set<string>();
    for (const one of from.Node) {
      this.addNode(one, keys);
      const { name = '', labels } = one.metadata ?? {};
      const host = labels?.[HOSTNAME] ?? '';
      if (host === '' || hosts.has(host)) this.note(`node ${name} has no label ${HOSTNAME} of its own, and counts as if it had`);
      hosts.add(host);
    }
    this.devices.check();
    this.nameClasses();
  }

  /** Says once what the plans do not take into account. */
  leaveOut(text: string): void {
    this.left.add(text);
  }

  /** Says once what was assumed when the input was read. */
  note(text: string): void {
    this.noted.add(text);
  }

  get leftOut(): string[] {
    return [...this.left].sort(byText);
  }

  get notes(): string[] {
    return [...this.noted];
  }

  private addNode(from: NodeObject, keys: ReadonlySet<string>): void {
    const labels = from.metadata?.labels ?? {};
    const name = from.metadata?.name ?? '';
    const all = from.spec?.taints ?? [];
    const conditions = all.filter(({ key, effect }) => effect !== 'PreferNoSchedule' && key?.startsWith('node.kubernetes.io/'));
    for (const taint of all.filter(({ effect }) => effect === 'PreferNoSchedule'))
      this.leaveOut(`node ${name}: taint ${taintText(taint)}, which only prefers that pods stay away`);
    const sharing = labels['nvidia.com/gpu.sharing-strategy'];
    if (sharing && sharing !== 'none')
      this.leaveOut(
        `shared GPUs: nodes of ${labels[INSTANCE_TYPE] || 'one kind'} share GPUs (${sharing}), of which only the number of shares counts`,
      );
    const taints = all
      .filter((taint) => taint.effect !== 'PreferNoSchedule' && !conditions.includes(taint))
      .sort((a, b) => byText(taintText(a), taintText(b)));
    const kind: NodeClass = {
      name: '',
      capacity: new Map([...amountsOf(from.status?.allocatable)].filter(([, amount]) => amount !== 0)),
      labels: Object.fromEntries(Object.entries(labels).filter(([key]) => keys.has(key))),
      taints,
      nodes: 0,
      control: CONTROL_PLANE.some((key) => Object.hasOwn(labels, key) || all.some((taint) => taint.key === key)),
      daemon: new Map(),
      ports: [],
    };
    this.devices.addCapacity(from, kind.capacity, (text) => this.leaveOut(text));
    let found = this.classes.findIndex((one) => joins(kind, one));
    if (found < 0) found = this.classes.push(kind) - 1;
    ++this.classes[found]!.nodes;
    // A condition is temporary, and does not distinguish the class.
    const closed = from.spec?.unschedulable === true || conditions.length > 0;
    this.nodes.push({ name, class: found, labels, taints, closed, daemon: new Map(), ports: [] });
  }

  private nameClasses(): void {
    const used = new Map<string, number>();
    for (const one of this.classes) {
      const { capacity, labels, taints } = one;
      const size = `${shortest(capacity.get('cpu') ?? 0)} cores, ${digits4((capacity.get('memory') ?? 0) / 1024)} GiB`;
      const zone = labels[ZONE] ? ` in ${labels[ZONE]}` : '';
      one.name = [(labels[INSTANCE_TYPE] || size) + zone, ...taints.map(taintText)].join(', ');
      const times = (used.get(one.name) ?? 0) + 1;
      used.set(one.name, times);
      if (times > 1) one.name += ` (${times})`;
    }
  }
}

/** Whether a node belongs to a class. The class gets the smallest capacity of its nodes. */
function joins(node: NodeClass, to: NodeClass): boolean {
  const sameTaints =
    node.taints.length === to.taints.length && node.taints.every((taint, k) => taintText(taint) === taintText(to.taints[k]!));
  if (node.control !== to.control || !sameTaints || !sameTexts(node.labels, to.labels)) return false;
  const near = (a: number, b: number | undefined): boolean =>
    b !== undefined && a - b <= SLACK * Math.max(a, b) && b - a <= SLACK * Math.max(a, b);
  if (node.capacity.size !== to.capacity.size || ![...node.capacity].every(([name, amount]) => near(amount, to.capacity.get(name))))
    return false;
  for (const [name, amount] of node.capacity) to.capacity.set(name, Math.min(amount, to.capacity.get(name)!));
  return true;
}

/** A number as C's %g prints it with the fewest digits that identify it. */
const shortest = (value: number): string => powerForm(String(value), value);
/** A number as C's %.4g prints it. */
const digits4 = (value: number): string => {
  const text = value.toPrecision(4);
  return powerForm(text.includes('e') ? text : String(Number(text)), value);
};
const powerForm = (text: string, value: number): string => {
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const [number, exponent] = (power < -4 && !text.includes('e') ? value.toExponential() : text).split('e');
  if (exponent === undefined) return text;
  const short = number!.includes('.') ? number!.replace(/\.?0+$/, '') : number!;
  return `${short}e${exponent.startsWith('-') ? '-' : '+'}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
};

/**
 * The labels that distinguish node classes: those that pods and volumes refer to, and those that describe the machine. A
 * hostname distinguishes nodes, not classes.
 */
function labelKeys(from: Objects): Set<string> {
  const keys = new Set([INSTANCE_TYPE, ZONE, REGION, 'kubernetes.io/arch', 'kubernetes.io/os']);
  const ofTerms = (terms: readonly NodeTerm[]): void => {
    for (const { matchExpressions } of terms) for (const { key } of matchExpressions ?? []) keys.add(key ?? '');
  };
  for (const spec of podSpecs(from)) {
    for (const key of Object.keys(spec.nodeSelector ?? {})) keys.add(key);
    ofTerms([...(nodeTerms(spec) ?? []), ...preferredNodeTerms(spec)]);
    for (const { topologyKey } of [...podTerms(spec), ...(spec.topologySpreadConstraints ?? [])]) keys.add(topologyKey ?? '');
  }
  for (const volume of from.PersistentVolume) volumeTerms(volume).forEach(ofTerms);
  keys.delete(HOSTNAME);
  return keys;
}
