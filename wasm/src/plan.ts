// The plan: typed views of its bytes, the names of its nodes, and its conversion to CSV.
import { reading } from './check.js';
import type { InstanceColumns } from './columns.js';
import { appName, listedName } from './description.js';
import { StowageError, invalid } from './errors.js';
import { NONE } from './lists.js';
import type { Placements } from './placements.js';
import { planFieldsOf, type PlanFields } from './plan-fields.js';
import type { Placed } from './plan-records.js';
import { fieldsInJson, fingerprintText, shown, type InJson } from './shown.js';
import { Steps, type CallOptions } from './watch.js';

/**
 * The fields of a plan as `JSON.stringify` writes them: all but `bytes` and `complete`, under the same names. The fingerprint `instance` has 16
 * hexadecimal digits; `seed`, `work` and `pace` are decimal digits, which `BigInt` reads; columns are arrays, and placements are arrays
 * of `Placed`. Fields that are undefined are not written. `planOf` does not read this form; it reads what
 * `describePlan` makes, which has names.
 */
export type PlanJson = {
  [Key in Exclude<keyof Plan, 'bytes' | 'complete' | 'toJSON'>]: Plan[Key] extends Placements ? Placed[] : InJson<Plan[Key]>;
};

/** The fields of plan.fbs. */
export interface Plan extends PlanFields {}

/**
 * A plan. Immutable and independent of the module that made it, so that it need not be disposed of. `console.log` in Node.js shows
 * the first entries of its lists.
 */
export class Plan {
  /** The bytes of the plan (plan.fbs), which every part of Stowage reads. */
  declare readonly bytes: Uint8Array;
  /** Number of nodes in use, copies and nodes that are kept without replicas included. */
  declare readonly nodes: number;

  /**
   * Reads a plan, which the library checks first: load it on this thread before (`loadStowage`, `startStowageWorker`). Whether the
   * plan fits an instance is what `verify` says.
   * @param bytes the bytes of a plan, which must not change
   * @throws StowageError `MALFORMED`, `INVALID` or `LIMIT_EXCEEDED` with the path of what cannot be read
   */
  constructor(bytes: Uint8Array, options: CallOptions = {}) {
    const [source, fields] = reading('plan', bytes, (checked, steps) => [checked, planFieldsOf(checked, steps)] as const, options);
    const nodes = fields.copies?.reduce((sum, copies) => sum + copies, 0) ?? fields.nodeClass.length;
    Object.assign(this, fields, { nodes, bytes: source });
    shown(this, 'Plan', () => this.overview());
  }

  /** Whether every replica is placed. */
  get complete(): boolean {
    return this.unplaced.length === 0;
  }

  /** The fields for `JSON.stringify`. */
  toJSON(): PlanJson {
    const { bytes: _, ...fields } = this;
    const json = fieldsInJson(fields);
    json.instance = fingerprintText(this.instance);
    json.placements = this.placements.toJSON();
    json.reserved = this.reserved.toJSON();
    return json as PlanJson;
  }

  /** What the console shows: fields that say something. */
  private overview(): Record<string, unknown> {
    const { bytes: _, ...fields } = this;
    const isEmpty = (field: unknown): boolean => field === undefined || (field as { length?: number }).length === 0;
    const entries = Object.entries({ ...fields, instance: fingerprintText(this.instance) });
    return Object.fromEntries(entries.filter(([, field]) => !isEmpty(field)));
  }
}

/** The bytes of a plan, which is given as an object or as bytes. */
export function planBytes(plan: Plan | Uint8Array): Uint8Array {
  if (plan instanceof Plan) return plan.bytes;
  if (!(plan instanceof Uint8Array)) throw invalid('plan', 'must be a plan, or its bytes');
  return plan;
}

/** The bytes of a plan, if one is given. */
export function bytesIfAny(plan: Plan | Uint8Array | undefined): Uint8Array | undefined {
  return plan === undefined ? undefined : planBytes(plan);
}

// -------------------------------------------------------------------------------------------------------------- for people

/** The name of a class; "node" or "class3" for a class without a name. */
export function className(columns: InstanceColumns, index: number): string {
  const name = columns.classes[index]?.name;
  if (name) return name;
  return columns.classes.length === 1 && index === 0 ? 'node' : `class${index}`;
}

/** Numbers of the anonymous nodes of a class. */
interface Numbers {
  prefix: string;
  /** Numbers that listed nodes have in names with this prefix, ascending. */
  taken: readonly number[];
  /** The last number given, and the number of entries of `taken` below it. */
  last: number;
  passed: number;
}

/** Gives the next `count` numbers that are not taken; returns the last of them. */
function give(numbers: Numbers, count: number): number {
  numbers.last += count;
  for (; numbers.passed < numbers.taken.length && numbers.taken[numbers.passed]! <= numbers.last; ++numbers.passed) {
    ++numbers.last;
  }
  return numbers.last;
}

/**
 * Names of nodes, in sequence. A listed node has its own name; an anonymous node is named by its class and a number that no
 * listed node has.
 */
class NodeNames {
  /** The numbers at the end of listed nodes' names, by the prefix before them. */
  private readonly taken = new Map<string, number[]>();
  private readonly classes = new Map<number, Numbers>();

  constructor(
    private readonly plan: Plan,
    private readonly columns: InstanceColumns,
    private readonly steps: Steps,
  ) {
    const count = columns.nodes?.nodeClass.length ?? 0;
    for (const name of new Set(Array.from({ length: count }, (_, node) => listedName(columns, node)))) {
      steps.step();
      const [, prefix, number] = /^(.*-)([1-9][0-9]*)$/s.exec(name) ?? [];
      if (prefix === undefined) continue;
      const known = this.taken.get(prefix);
      if (known === undefined) this.taken.set(prefix, [Number(number)]);
      else known.push(Number(number));
    }
    for (const numbers of this.taken.values()) numbers.sort((a, b) => a - b);
  }

  /** The name of a node of the plan. An anonymous node takes `copies` numbers and is named by the first. */
  next(node: number, copies: number): string {
    this.steps.step();
    const listed = this.plan.listed[node]!;
    if (listed !== NONE) return listedName(this.columns, listed);
    const nodeClass = this.plan.nodeClass[node]!;
    let own = this.classes.get(nodeClass);
    if (own === undefined) {
      const prefix = `${className(this.columns, nodeClass)}-`;
      own = { prefix, taken: this.taken.get(prefix) ?? [], last: 0, passed: 0 };
      this.classes.set(nodeClass, own);
    }
    const first = give(own, 1);
    give(own, copies - 1);
    return own.prefix + first;
  }
}

/** The names of the plan's nodes: a listed node's own name, or the class and the number of the first copy. */
export function nodeNames(plan: Plan, columns: InstanceColumns, options: CallOptions = {}): string[] {
  const names = new NodeNames(plan, columns, new Steps(options));
  return Array.from(plan.nodeClass, (_, node) => names.next(node, copiesOf(plan, node)));
}

/** Number of copies of a node of the plan. */
const copiesOf = (plan: Plan, node: number): number => plan.copies?.[node] ?? 1;

/** Maximum of nodes plus placements that are listed for a plan. A compact plan of few bytes may stand for far more. */
export const MOST_LISTED = 50_000_000;

/** Number of placements, and of reserved ones, on all nodes in use, copies included. Fails where nodes plus these exceed `most`. */
export function countPlacements(plan: Plan, most = MOST_LISTED): number {
  if (plan.copies === undefined) return plan.placements.length + plan.reserved.length;
  let count = 0;
  plan.copies.forEach((copies, node) => {
    for (const list of [plan.placements, plan.reserved]) {
      const [begin, end] = list.range(node);
      count += copies * (end - begin);
    }
  });
  if (plan.nodes + count > most) {
    const found = `the plan stands for ${plan.nodes} nodes with ${count} placements`;
    throw new StowageError('LIMIT_EXCEEDED', `${found}; at most ${most} of both are listed`, 'copies');
  }
  return count;
}

/** Maximum of nodes plus placements that are written as text. */
const MOST_WRITTEN = 5_000_000;
/** Maximum number of characters of a text; engines limit strings to less than twice this number. */
const LONGEST_TEXT = 2 ** 28;

/** What a replica of each app needs of each resource, in the period in which it is most. */
function mostDemand({ apps, resources }: InstanceColumns): Float64Array {
  const most = new Float64Array(apps.replicas.length * resources.length);
  const each = most.length === 0 ? 1 : apps.demand.length / most.length;
  most.forEach((_, k) => {
    let largest = apps.demand[k * each]!;
    for (let period = 1; period < each; ++period) largest = Math.max(largest, apps.demand[k * each + period]!);
    most[k] = largest;
  });
  return most;
}

/**
 * The plan as CSV: `node,app,replicas`, then for people the class of the node, whether it is new, kept, or listed and now used, its
 * price, and what the replicas need of each resource.
 * The price stands in a node's first row. Every copy of a node has its own lines; a node without replicas has one without an app.
 * @param most maximum of nodes plus placements of a compact plan
 * @throws StowageError `LIMIT_EXCEEDED` where the plan has more, or the text would be too long for a string
 */
export function planToCsv(plan: Plan, columns: InstanceColumns, most = MOST_WRITTEN, options: CallOptions = {}): string {
  const steps = new Steps(options);
  const field = (text: string): string => (/[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  countPlacements(plan, most);
  const names = new NodeNames(plan, columns, steps);
  const { classes, resources } = columns;
  const isPriced = classes.every(({ price }) => price !== undefined && price >= 0);
  const own = ['node', 'app', 'replicas', 'class', 'state', 'price'];
  const runs = new Set<number>(columns.running?.node ?? []);
  const stateOf = (listed: number): string => (listed === NONE ? 'new' : runs.has(listed) ? 'kept' : 'used');
  const header = resources
    .map(({ name }, r) => name || `resource${r}`)
    .map((name) => field(own.includes(name) ? `${name} needed` : name));
  const demand = mostDemand(columns);
  let text = `${[...own.slice(0, isPriced ? 6 : 5), ...header].join(',')}\n`;
  plan.nodeClass.forEach((nodeClass, node) => {
    const rows = plan.placements.on(node).map(({ app, replicas }): [string, number, number] => [field(appName(columns, app)), replicas, app]);
    const on = (rows.length > 0 ? rows : [['', 0, 0] as [string, number, number]]).map(([name, replicas, app], k) => {
      const price = isPriced ? [k === 0 ? String(classes[nodeClass]!.price) : ''] : [];
      // What is beyond 12 digits is rounding.
      const needs = resources.map((_, r) => (replicas === 0 ? 0 : Number((replicas * demand[app * resources.length + r]!).toPrecision(12))));
      return `${[name, replicas, field(className(columns, nodeClass)), stateOf(plan.listed[node]!), ...price, ...needs].join(',')}\n`;
    });
    for (let copies = copiesOf(plan, node); copies > 0; --copies) {
      const name = field(names.next(node, 1));
      steps.step(on.length);
      for (const rest of on) text += `${name},${rest}`;
      if (text.length > LONGEST_TEXT) throw new StowageError('LIMIT_EXCEEDED', 'the text is too long', 'placements');
    }
  });
  return text;
}
