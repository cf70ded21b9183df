// Inter-pod affinity and anti-affinity, preferred nodes and host ports.
import { clash, portsOf } from '../read/ports.js';
import type { PodTerm, Selector } from '../read/types.js';
import { HOSTNAME, NotUnderstood, type Test, meetsOne, requirement, selector } from '../cluster/selectors.js';
import { type Workload, keyOf, textOf } from '../cluster/workloads.js';
import type { Model } from './model.js';

/**
 * The workloads whose pods a term selects; undefined where the term depends on what is not in the input. Only pods with the same
 * value of each label in `alike`, and with another value of each label in `other`, are selected.
 */
export function matched(
  model: Model,
  of: Workload,
  selects: Selector | null | undefined,
  namespaces: (name: string) => boolean,
  [alike, other]: readonly [alike: readonly string[], other: readonly string[]],
  term: string,
): number[] | undefined {
  const leaveOut = (text: string): undefined => void model.cluster.leaveOut(term + text);
  const tests: Test[] = [];
  try {
    tests.push(selector(selects));
    for (const key of [...alike, ...other]) {
      // For example the hash that a deployment's controller adds to each version of the template.
      if (!Object.hasOwn(of.labels, key)) return leaveOut(`, which depends on a label ${key} that the template has not`);
      tests.push(requirement({ key, operator: other.includes(key) ? 'NotIn' : 'In', values: [of.labels[key]!] }));
    }
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return leaveOut(`: ${error.message}`);
  }
  const test = (namespace: string, labels: Workload['labels']): boolean =>
    namespaces(namespace) && tests.every((one) => one(labels));
  const daemon = model.daemons.find((one) => one.labels.some((labels) => test(one.namespace, labels)));
  if (daemon !== undefined) return leaveOut(`: it counts pods of ${daemon.name}, which go with their nodes here`);
  return model.workloads.flatMap((one, k) => (test(one.namespace, one.labels) ? [k] : []));
}

/** The workloads that an affinity or anti-affinity term selects. */
function selected(model: Model, of: Workload, term: PodTerm, text: string): number[] | undefined {
  const { namespaceSelector: by, namespaces, matchLabelKeys, mismatchLabelKeys } = term;
  if (by && Object.keys(by.matchLabels ?? {}).length + (by.matchExpressions ?? []).length > 0) {
    model.cluster.leaveOut(`${text}, which selects namespaces by label`);
    return undefined;
  }
  const inside = by
    ? (): boolean => true
    : namespaces?.length
      ? (name: string): boolean => namespaces.includes(name)
      : (name: string): boolean => name === of.namespace;
  return matched(model, of, term.labelSelector, inside, [matchLabelKeys ?? [], mismatchLabelKeys ?? []], text);
}

export function antiAffinity(model: Model, i: number, one: Workload): void {
  const terms = one.spec.affinity?.podAntiAffinity;
  for (const { weight, podAffinityTerm } of terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    const term = podAffinityTerm ?? {};
    const text = `${textOf(one)}: preferred pod anti-affinity by ${term.topologyKey ?? ''}`;
    const found = selected(model, one, term, text);
    if (!found?.length) continue;
    const target = model.tag(found);
    model.prefer([i], text, weight ?? 0, { kind: 'replicas', target, max: 0, ...model.group(term.topologyKey ?? '') });
  }
  for (const term of terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
    const key = term.topologyKey ?? '';
    const text = `${textOf(one)}: required pod anti-affinity by ${key}`;
    const found = selected(model, one, term, text);
    if (!found?.length) continue;
    if (key === HOSTNAME) for (const j of found) model.limit(i, j);
    else {
      const target = model.tag(found);
      model.require([i], text, { kind: 'replicas', target, max: 0, ...model.group(key) });
    }
  }
}

export function affinity(model: Model, i: number, one: Workload): void {
  preferNodes(model, i, one);
  const terms = one.spec.affinity?.podAffinity;
  for (const { weight, podAffinityTerm } of terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    const term = podAffinityTerm ?? {};
    const text = `${textOf(one)}: preferred pod affinity by ${term.topologyKey ?? ''}`;
    const found = selected(model, one, term, text);
    if (!found?.length) continue;
    const target = model.tag(found);
    model.prefer([i], text, weight ?? 0, { kind: 'replicas', target, min: 1, ...model.group(term.topologyKey ?? '') });
  }
  requiredAffinity(model, i, one, terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []);
}

/** Requires, for each term, a pod that all terms select in the same domain. */
function requiredAffinity(model: Model, i: number, one: Workload, terms: readonly PodTerm[]): void {
  const texts = terms.map(({ topologyKey }) => `${textOf(one)}: required pod affinity by ${topologyKey ?? ''}`);
  let near: number[] | undefined;
  for (const [k, term] of terms.entries()) {
    const found = selected(model, one, term, texts[k]!);
    if (found === undefined) {
      if (terms.length > 1) model.cluster.leaveOut(`${textOf(one)}: required pod affinity, all terms`);
      return;
    }
    near = near === undefined ? found : near.filter((j) => found.includes(j));
  }
  const all = near ?? [];
  for (const [k, { topologyKey }] of terms.entries()) {
    const group = model.group(topologyKey ?? '');
    if (!all.includes(i)) {
      model.require([i], texts[k]!, { kind: 'replicas', target: model.tag(all), min: 1, ...group });
    } else if (all.some((j) => keyOf(model.workloads[j]!) !== keyOf(one))) {
      // The scheduler accepts the first of several workloads alone, which no rule can state.
      model.cluster.leaveOut(`${texts[k]!}, to its own replicas or others`);
    } else if (i === all[0]) {
      // The scheduler accepts the first replica alone; the others must be in the same domain. One rule covers all parts of a
      // stateful set.
      model.require(all, texts[k]!, { kind: 'node-sets', max: 1, ...group });
    }
  }
}

/** The word that the nodes of a preferred node affinity carry. */
export const preferredWord = (k: number): string => `preferred ${k}`;

/** States preferred node affinities as rules on words that the preferred nodes carry. */
function preferNodes(model: Model, i: number, one: Workload): void {
  const text = `${textOf(one)}: preferred node affinity`;
  for (const { weight, preference } of one.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    try {
      const made = model.placed((of, name) => meetsOne([preference ?? {}], of, name));
      if (!made.nodes.includes(true)) continue;
      const word = preferredWord(model.preferred.push(made) - 1);
      model.prefer([i], text, weight ?? 0, { kind: 'replicas', target: [word], min: 1 });
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      model.cluster.leaveOut(`${text}: ${error.message}`);
    }
  }
}

/** Keeps workloads that use the same host port on different nodes. */
export function hostPorts(model: Model, i: number, one: Workload): void {
  const ports = portsOf(one.spec);
  if (ports.length > 0) model.limit(i, i);
  model.workloads.slice(0, i).forEach((other, j) => {
    if (clash(ports, portsOf(other.spec))) model.limit(i, j);
  });
}
