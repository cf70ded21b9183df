// The model as an instance in the form of docs/reference/json-format.md.
import type { InstanceDescription } from 'stowage';
import type { Amounts } from '../read/amounts.js';
import { HOSTNAME, byText } from '../cluster/selectors.js';
import { textOf } from '../cluster/workloads.js';
import { preferredWord } from './affinity.js';
import type { Model } from './model.js';

/** Carried by the classes of a place and by single nodes in it. */
const inWord = (place: number): string => `place ${place}`;
/** Carried by nodes that are not in a place although new nodes of their class are. */
const outWord = (place: number): string => `not place ${place}`;

type Object = Record<string, unknown>;
const filled = (key: string, list: readonly unknown[]): Object => (list.length > 0 ? { [key]: list } : {});

/** Amounts by resource. Those that are 0 are left out, unless all are wanted. */
function amounts({ resources }: Model, of: Amounts, all = false): Record<string, number> {
  const entries = resources.map((name) => [name, of.get(name) ?? 0] as const);
  return Object.fromEntries(entries.filter(([, amount]) => all || amount !== 0));
}

function classes(model: Model): Object[] {
  return model.cluster.classes.map((one, k) => {
    const labels = [
      ...Object.keys(one.labels).sort(byText).map((key) => `${key}=${one.labels[key]!}`),
      ...model.groups.flatMap(({ key, name, counts }) =>
        counts?.[k] === true && Object.hasOwn(one.labels, key) ? [`${name}=${one.labels[key]!}`] : [],
      ),
      ...model.places.flatMap((place, position) => (place.classes[k]! ? [inWord(position)] : [])),
      ...model.preferred.flatMap((place, position) => (place.classes[k]! ? [preferredWord(position)] : [])),
    ];
    const daemon = amounts(model, one.daemon);
    return {
      name: one.name,
      capacity: amounts(model, one.capacity, true),
      count: one.nodes,
      ...filled('labels', labels),
      ...(Object.keys(daemon).length > 0 ? { daemon } : {}),
    };
  });
}

function nodes(model: Model): Object[] {
  return model.cluster.nodes.map((one, k) => {
    const tags = [
      ...(one.closed ? ['closed'] : []),
      ...model.places.flatMap((place, position) => {
        if (place.nodes[k] === place.classes[one.class]) return [];
        return [place.nodes[k]! ? inWord(position) : outWord(position)];
      }),
      ...model.preferred.flatMap((place, position) =>
        place.nodes[k]! && !place.classes[one.class]! ? [preferredWord(position)] : [],
      ),
    ];
    const here = model.workloads.filter(({ running }) => running.has(k));
    const counts = (of: typeof here): Record<string, number> =>
      Object.fromEntries(of.map((workload) => [textOf(workload), workload.running.get(k)!]));
    const pinned = here.filter(({ pinnedBy }) => pinnedBy !== undefined);
    return {
      name: one.name,
      class: model.cluster.classes[one.class]!.name,
      daemon: amounts(model, one.daemon),
      ...(one.closed ? { closed: true } : {}),
      ...filled('tags', tags),
      ...(here.length > 0 ? { running: counts(here) } : {}),
      ...(pinned.length > 0 ? { pinned: counts(pinned) } : {}),
    };
  });
}

function apps(model: Model): Object[] {
  return model.workloads.map((one, k) => {
    const place = model.placeOf[k]!;
    const row = [...(model.limits.get(k) ?? [])].sort(([a], [b]) => a - b);
    const own = row.find(([other]) => other === k);
    const limits = row.filter(([other]) => other !== k).map(([other, most]) => [textOf(model.workloads[other]!), most]);
    return {
      name: textOf(one),
      replicas: one.replicas,
      demand: amounts(model, one.requests),
      ...(one.priority !== 0 ? { priority: one.priority } : {}),
      ...filled('tags', model.tags[k]!),
      ...(place >= 0 ? { only: [inWord(place)], not: [outWord(place)] } : {}),
      ...(own !== undefined ? { max_per_node: own[1] } : {}),
      ...(limits.length > 0 ? { limits: Object.fromEntries(limits) as Object } : {}),
    };
  });
}

/** Groups by their label or, for hostnames, by the listed nodes that count. */
function groups(model: Model): Object[] {
  return model.groups.map(({ name, key, counts }) => {
    if (key !== HOSTNAME) return { name, by_label: name };
    const counted = model.cluster.nodes.filter((one) => counts![one.class]!);
    return { name, sets: Object.fromEntries(counted.map((one) => [one.name, [one.name]])) };
  });
}

export const instanceOf = (model: Model): InstanceDescription =>
  ({
    stowage: 1,
    name: 'cluster',
    resources: model.units,
    classes: classes(model),
    apps: apps(model),
    nodes: nodes(model),
    ...filled('groups', groups(model)),
    ...filled('rules', model.rules),
  }) as unknown as InstanceDescription;
