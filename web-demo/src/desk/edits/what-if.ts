// Variants of an instance: other demand, or without the nodes of a zone.
import { StowageError, columnsOf, describeInstance, type InstanceColumns, type InstanceDescription } from 'stowage';
import type { Zones } from '../protocol.js';

const scaledBy = (values: ArrayLike<number>, factor: number): Float64Array => Float64Array.from(values, (value) => factor * value);

/** All demand times a factor; what is uncertain keeps its relative width. */
export function withDemand(columns: InstanceColumns, factor: number): InstanceColumns {
  const { apps } = columns;
  const { demand, variance, supportMin, supportMax } = apps;
  return {
    ...columns,
    apps: {
      ...apps,
      demand: scaledBy(demand, factor),
      ...(variance === undefined ? {} : { variance: scaledBy(variance, factor * factor) }),
      ...(supportMin === undefined ? {} : { supportMin: scaledBy(supportMin, factor) }),
      ...(supportMax === undefined ? {} : { supportMax: scaledBy(supportMax, factor) }),
    },
  };
}

/** Labels that say in which zone a node is, the widest first. */
const ZONE_KEYS = ['topology.kubernetes.io/zone', 'zone', 'rack'];
const wordsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value as string[];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, one]) => (one === true ? key : `${key}=${String(one)}`));
};

/** The zones of an instance, where there are two or more. */
export function zonesOf(columns: InstanceColumns): Zones | undefined {
  const { classes, nodes, tags = [] } = columns;
  const ofNodes = [...new Set(nodes?.tags?.index ?? [])].map((tag) => tags[tag]!);
  const words = [...classes.flatMap(({ labels = [] }) => labels), ...ofNodes];
  for (const key of ZONE_KEYS) {
    const values = new Set(words.filter((word) => word.startsWith(`${key}=`)).map((word) => word.slice(key.length + 1)));
    if (values.size > 1) return { key, values: [...values].sort() };
  }
  return undefined;
}

/** The instance without the nodes of a zone. What runs there waits. */
export function withoutZone(columns: InstanceColumns, key: string, value: string): InstanceColumns {
  const word = `${key}=${value}`;
  const whole = describeInstance(columns);
  const named = (name: string | undefined, k: number): string => name ?? `#${k}`;
  const gone = new Set(
    whole.classes.filter(({ labels }) => wordsOf(labels).includes(word)).map(({ name }, k) => named(name, k)),
  );
  const own = (name: string | undefined): string => name ?? named(whole.classes[0]?.name, 0);
  const isGone = (node: NonNullable<InstanceDescription['nodes']>[number]): boolean =>
    gone.has(own(node.class)) || wordsOf(node.tags).includes(word);
  const lost = (whole.nodes ?? []).filter(isGone);
  const classes = whole.classes.flatMap((one, k) => {
    const name = named(one.name, k);
    if (gone.has(name)) return [];
    const fewer = lost.filter((node) => own(node.class) === name).length;
    const count = one.count ? one.count - fewer : 0;
    return one.count && count <= 0 ? [] : [{ ...one, count }];
  });
  if (classes.length === 0) throw new StowageError('INVALID', `all nodes are in ${word}`, 'classes');
  const names = new Set(lost.map((node) => node.name));
  const groups = whole.groups?.map((group) => {
    if (group.sets === undefined) return group;
    const kept = (set: readonly string[]): string[] => set.filter((name) => !names.has(name));
    const sets = Array.isArray(group.sets)
      ? (group.sets as string[][]).map(kept)
      : Object.fromEntries(Object.entries(group.sets as Record<string, string[]>).map(([name, set]) => [name, kept(set)]));
    return { ...group, sets };
  });
  const nodes = whole.nodes?.filter((node) => !isGone(node));
  return columnsOf({ ...whole, classes, ...(nodes === undefined ? {} : { nodes }), ...(groups === undefined ? {} : { groups }) });
}
