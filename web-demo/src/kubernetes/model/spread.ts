// Topology spread constraints.
import type { Spread, Taint, Texts } from '../read/types.js';
import { HOSTNAME, NotUnderstood, accepts } from '../cluster/selectors.js';
import { type Workload, textOf } from '../cluster/workloads.js';
import { matched } from './affinity.js';
import type { Condition, Model } from './model.js';

/** The weight of a preferred spread: the largest weight that a preference can have. */
const WEIGHT = 100;

export function spread(model: Model, i: number, one: Workload): void {
  for (const constraint of one.spec.topologySpreadConstraints ?? []) {
    const key = constraint.topologyKey ?? '';
    const soft = constraint.whenUnsatisfiable === 'ScheduleAnyway';
    const text = `${textOf(one)}: ${soft ? 'preferred ' : ''}spread over ${key}`;
    const own = (name: string): boolean => name === one.namespace;
    const found = matched(model, one, constraint.labelSelector, own, [constraint.matchLabelKeys ?? [], []], text);
    if (!found?.length) continue;
    if (!found.includes(i) || !found.every((j) => spreadsAlike(model, one, model.workloads[j]!, constraint))) {
      model.cluster.leaveOut(`${text}: it counts other pods than those that it keeps`);
      continue;
    }
    // The spread depends on the number of nodes.
    if (key === HOSTNAME && !soft) model.cluster.leaveOut(`${text}, where nodes are added`);
    if (i !== found[0]) continue; // one rule covers all of them
    const counts = counted(model, one, constraint);
    const few = typeof constraint.minDomains === 'number' && domains(model, key, counts) < constraint.minDomains;
    const most = constraint.maxSkew ?? 0;
    const group = model.group(key, counts);
    // With fewer than minDomains domains, the scheduler treats the smallest count as 0.
    const condition: Omit<Condition, 'subject'> = few
      ? { kind: 'replicas', target: model.tag(found), max: most - 1, ...group }
      : { kind: 'skew', max: most, ...group };
    if (soft) model.prefer(found, text, WEIGHT, condition);
    else model.require(found, text, condition);
  }
}

/** Whether the other workload has the same constraint on the same nodes. */
const spreadsAlike = (model: Model, one: Workload, other: Workload, constraint: Spread): boolean =>
  one === other ||
  (other.spec.topologySpreadConstraints ?? []).some(
    (its) =>
      written(constraint) === written(its) &&
      String(counted(model, one, constraint)) === String(counted(model, other, its)) &&
      (constraint.matchLabelKeys ?? []).every((key) => one.labels[key] === other.labels[key]),
  );

/** The same text for the same value, whatever the order of its keys. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** The classes whose nodes count as domains. */
function counted(model: Model, one: Workload, constraint: Spread): boolean[] {
  const { nodes, classes } = model.cluster;
  const counts = classes.map(({ labels, taints }) => countsNode(one, constraint, labels, '', taints));
  for (const node of nodes)
    if (counts[node.class] !== countsNode(one, constraint, node.labels, node.name, node.taints))
      model.cluster.leaveOut(
        `${textOf(one)}: spread over ${constraint.topologyKey ?? ''}: that it counts only some nodes of a kind`,
      );
  return counts;
}

/**
 * Whether nodes with these labels and taints are domains: those that have all topology keys over which the pod must spread and,
 * as its policies say, those that its selector and affinity and its tolerations allow.
 */
function countsNode(one: Workload, constraint: Spread, of: Texts, name: string, taints: readonly Taint[]): boolean {
  const honours = (policy: string | null | undefined, usually: boolean): boolean =>
    policy === undefined || policy === null ? usually : policy === 'Honor';
  const spec = honours(constraint.nodeAffinityPolicy, true) ? one.spec : { ...one.spec, nodeSelector: {}, affinity: undefined };
  try {
    return accepts(spec, of, name, honours(constraint.nodeTaintsPolicy, false) ? taints : []);
  } catch (error) {
    if (error instanceof NotUnderstood) return true;
    throw error;
  }
}

/** The number of values of a topology key on the present nodes of the classes that count. */
function domains(model: Model, key: string, counts: readonly boolean[]): number {
  const values = new Set<string>();
  for (const { class: k, name } of model.cluster.nodes) {
    const value = key === HOSTNAME ? name : model.cluster.classes[k]!.labels[key];
    if (value !== undefined && counts[k]!) values.add(value);
  }
  return values.size;
}
