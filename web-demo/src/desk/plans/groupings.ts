// The ways in which the nodes of a plan can be put into groups: by class, by label, and by the instance's own groups.
import { NONE, type InstanceColumns, type Plan, type Rows } from 'stowage';
import type { Grouping } from '../protocol.js';

/** A label with more values does not help to read a picture. */
const MOST_SETS = 200;
/** So many labels are offered. */
const MOST_LABELS = 12;

const rowOf = (rows: Rows | undefined, row: number): number[] =>
  rows === undefined || rows.begin.length === 0
    ? []
    : Array.from({ length: rows.begin[row + 1]! - rows.begin[row]! }, (_, k) => rows.index[rows.begin[row]! + k]!);

export function groupingsOf(columns: InstanceColumns, plan: Plan): Grouping[] {
  const found: Grouping[] = [];
  const add = (name: string, setOf: (node: number) => string | undefined): void => {
    const sets = new Map<string, number>();
    const none = 0xffffffff;
    const of = Uint32Array.from(plan.nodeClass, (_, node) => {
      const set = setOf(node);
      if (set === undefined) return none;
      if (!sets.has(set)) sets.set(set, sets.size);
      return sets.get(set)!;
    });
    if (sets.size < 2 || sets.size > MOST_SETS) return;
    // In the order of their names, numbers by their value.
    const names = [...sets.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const place = Uint32Array.from(sets.keys(), (set) => names.indexOf(set));
    found.push({ name, sets: names, of: of.map((set) => (set === none ? names.length : place[set]!)) });
  };

  const { classes, nodes, tags: words = [], groups = [] } = columns;
  add('class', (node) => classes[plan.nodeClass[node]!]!.name || `class ${plan.nodeClass[node]! + 1}`);

  const ofClass = classes.map(({ labels = [] }) => labels);
  const ofListed = new Map<number, string[]>();
  const labelsOf = (node: number): readonly string[] => {
    const listed = plan.listed[node]!;
    const own = ofClass[plan.nodeClass[node]!]!;
    if (listed === NONE) return own;
    if (!ofListed.has(listed)) ofListed.set(listed, [...own, ...rowOf(nodes?.tags, listed).map((tag) => words[tag]!)]);
    return ofListed.get(listed)!;
  };
  const byLabel = (key: string) => (node: number) => {
    const label = labelsOf(node).find((one) => one.startsWith(`${key}=`));
    return label?.slice(key.length + 1);
  };
  const keys = new Set<string>();
  groups.forEach(({ name, byLabel: key, sets, setNames }) => {
    if (key !== undefined && key !== '') {
      keys.add(key);
      add(name, byLabel(key));
      return;
    }
    const setOf = new Map<number, string>();
    for (let set = 0; set + 1 < (sets?.begin.length ?? 0); ++set) {
      for (const node of rowOf(sets, set)) setOf.set(node, setNames?.[set] ?? `${set + 1}`);
    }
    add(name, (node) => setOf.get(plan.listed[node]!));
  });

  const labels = new Set<string>();
  for (let node = 0; node < plan.nodeClass.length; ++node) {
    for (const label of labelsOf(node)) {
      const equals = label.indexOf('=');
      if (equals > 0) labels.add(label.slice(0, equals));
    }
  }
  [...labels].filter((key) => !keys.has(key)).sort().slice(0, MOST_LABELS).forEach((key) => add(key, byLabel(key)));
  return found;
}
