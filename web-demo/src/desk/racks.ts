// Node groups and placement rules for display: the nodes of a plan in each set, and the replicas that a rule counts there.
import { NONE, appName, type CardinalityColumns, type InstanceColumns, type Plan, type RuleColumns } from 'stowage';
import type { CountedByRule, Racks } from './protocol.js';

const APP_TAG = 'appID:';

const entries = (rows: { begin: ArrayLike<number>; index: ArrayLike<number> } | undefined, row: number): number[] => {
  if (rows === undefined || rows.begin.length === 0) return [];
  return Array.from({ length: rows.begin[row + 1]! - rows.begin[row]! }, (_, k) => rows.index[rows.begin[row]! + k]!);
};

const quoted = (tags: readonly string[]): string => (tags.length === 0 ? 'anything' : tags.join(' + '));

const isNot = (negated: boolean | undefined): string => (negated === true ? 'not ' : '');

function range(min: number, max: number): string {
  if (max === NONE) return `at least ${min}`;
  if (min === 0) return max === 0 ? 'no' : `at most ${max}`;
  return min === max ? `${min}` : `${min} to ${max}`;
}

/** The name of a rule for display. */
export const ruleName = (rule: RuleColumns, position: number): string => rule.name || `rule ${position + 1}`;

export class RuledPlan {
  private readonly tagsOfApp: ReadonlySet<string>[];
  private readonly listedSets = new Map<number, ReadonlyMap<number, string[]>>();

  constructor(
    private readonly columns: InstanceColumns,
    private readonly plan: Plan,
  ) {
    const words = columns.tags ?? [];
    this.tagsOfApp = Array.from({ length: columns.apps.replicas.length }, (_, app) => {
      const own = columns.apps.names?.[app] ?? String(app);
      return new Set([...entries(columns.apps.tags, app).map((tag) => words[tag]!), `${APP_TAG}${own}`]);
    });
  }

  racks(): Racks {
    const { columns } = this;
    return {
      groups: (columns.groups ?? []).map((group, position) => {
        const sets = new Map<string, number[]>();
        for (const name of group.setNames ?? []) sets.set(name, []);
        for (let node = 0; node < this.plan.nodeClass.length; ++node) {
          for (const set of this.setsOf(position, node)) {
            const known = sets.get(set);
            if (known === undefined) sets.set(set, [node]);
            else known.push(node);
          }
        }
        return { name: group.name, sets: Array.from(sets, ([name, nodes]) => ({ name, nodes })) };
      }),
      rules: (columns.rules ?? []).map((rule, position) => ({
        name: ruleName(rule, position),
        hard: rule.hard ?? true,
        weight: rule.weight ?? 1,
        text: rule.anyOf.map((all) => all.map((one) => this.conditionText(one)).join(' and ')).join(', or '),
        conditions: rule.anyOf.flat().map((one) => ({
          text: this.conditionText(one),
          kind: one.kind ?? 'replicas',
          min: one.min ?? 0,
          max: one.max === undefined || one.max === NONE ? undefined : one.max,
        })),
      })),
    };
  }

  /** The replicas that each condition of a rule counts around a node of the plan. */
  counted(rule: number, node: number | undefined): CountedByRule[] {
    return (this.columns.rules?.[rule]?.anyOf ?? []).flat().map((one) => {
      const there = node === undefined ? undefined : this.near(one, node);
      const isReplicas = (one.kind ?? 'replicas') === 'replicas';
      const wanted = this.words((isReplicas ? one.target : undefined) ?? one.subject);
      const counts = new Map<number, number>();
      for (const { app, node: at, replicas } of this.plan.placements) {
        if (there !== undefined && isReplicas && !there.nodes.has(at)) continue;
        if (wanted.every((tag) => this.tagsOfApp[app]!.has(tag))) counts.set(app, (counts.get(app) ?? 0) + replicas);
      }
      return {
        condition: this.conditionText(one),
        where: there === undefined || !isReplicas ? 'in the plan' : there.name,
        apps: Array.from(counts, ([app, replicas]) => ({ name: appName(this.columns, app), replicas })),
      };
    });
  }

  private near({ group }: CardinalityColumns, node: number): { name: string; nodes: ReadonlySet<number> } {
    if (group === undefined) return { name: 'on the node', nodes: new Set([node]) };
    const own = this.setsOf(group, node);
    const nodes = new Set<number>();
    for (let other = 0; other < this.plan.nodeClass.length; ++other) {
      if (this.setsOf(group, other).some((set) => own.includes(set))) nodes.add(other);
    }
    const name = this.columns.groups![group]!.name;
    return { name: own.length === 0 ? `in no ${name}` : `in ${name} ${own.join(', ')}`, nodes };
  }

  private setsOf(group: number, node: number): string[] {
    const { byLabel } = this.columns.groups![group]!;
    if (byLabel !== undefined && byLabel !== '') {
      const prefix = `${byLabel}=`;
      return [...new Set(this.labels(node))].filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
    }
    const listed = this.plan.listed[node]!;
    return (listed === NONE ? undefined : this.setsOfListed(group).get(listed)) ?? [];
  }

  /** Names of the sets that each listed node is in. */
  private setsOfListed(group: number): ReadonlyMap<number, string[]> {
    const known = this.listedSets.get(group);
    if (known !== undefined) return known;
    const { sets, setNames } = this.columns.groups![group]!;
    const found = new Map<number, string[]>();
    for (let set = 0; sets !== undefined && set + 1 < sets.begin.length; ++set) {
      for (const node of entries(sets, set)) found.set(node, [...(found.get(node) ?? []), setNames?.[set] ?? `${set + 1}`]);
    }
    this.listedSets.set(group, found);
    return found;
  }

  private labels(node: number): string[] {
    const listed = this.plan.listed[node]!;
    const own = listed === NONE ? [] : entries(this.columns.nodes?.tags, listed).map((tag) => this.columns.tags![tag]!);
    return [...(this.columns.classes[this.plan.nodeClass[node]!]!.labels ?? []), ...own];
  }

  private words(tags: ArrayLike<number>): string[] {
    return Array.from(tags, (tag) => this.columns.tags![tag]!);
  }

  private conditionText({ kind = 'replicas', subject, target = [], min = 0, max = NONE, group, negated }: CardinalityColumns): string {
    const set = group === undefined ? 'node' : this.columns.groups![group]!.name;
    const who = quoted(this.words(subject));
    if (kind === 'node-sets') return `${who} is ${isNot(negated)}on ${range(min, max)} ${set}s`;
    if (kind === 'skew') return `${who} differs ${isNot(negated)}by at most ${max} between ${set}s`;
    return `${who} has ${isNot(negated)}${range(min, max)} other ${quoted(this.words(target))} on its ${set}`;
  }
}
