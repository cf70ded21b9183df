// The instance as people write it (docs/json-format.md): objects with names and quantities, and their conversion to columns and
// back.
import type { Rows } from './column-parts.js';
import {
  CARDINALITY_KINDS, CHANCE_MODELS, ORIGINS,
  type CardinalityColumns, type CardinalityKind, type ChanceModel, type ClassColumns, type GroupColumns,
  type InstanceColumns, type InterferenceColumns, type Origin, type ResidenceColumns, type RuleColumns,
  type TrafficColumns,
} from './columns.js';
import { converting } from './encoder.js';
import { StowageError, invalid, wellFormed } from './errors.js';
import { NONE, type Doubles } from './lists.js';
import { parseQuantity, parseShare } from './quantities.js';
import { Steps, type CallOptions } from './watch.js';

/** A number in the resource's unit, or a quantity such as "500m" or "2Gi". */
export type Quantity = number | string;
/** One quantity for all periods, or one per period. */
export type Profile = Quantity | readonly Quantity[];
/** Values by resource name. */
export type PerResource<Value> = Readonly<Record<string, Value>>;
/** Replica counts by app name. */
export type PerApp = Readonly<Record<string, number>>;
/** One tag or several. */
export type Tags = string | readonly string[];

/** An app: identical replicas. */
export interface AppDescription {
  name?: string;
  /** Default: 1. */
  replicas?: number;
  demand: PerResource<Profile>;
  priority?: number;
  /** What a replica counts within its priority where not all of them fit; default: 1. */
  weight?: number;
  /** Maximum number of replicas of this app on one node. */
  max_per_node?: number;
  /**
   * Affinity limits: beside at least one replica of this app, the maximum number of replicas of each named app on the same
   * node.
   */
  limits?: PerApp;
  tags?: Tags;
  /** Labels or tags that every node of the app carries. */
  only?: Tags;
  /** Labels or tags that no node of the app carries. */
  not?: Tags;
  /** In the square of the unit; `demand` is then the mean. */
  variance?: PerResource<number>;
  /** Standard deviation, instead of a variance. */
  deviation?: PerResource<Quantity>;
  /** `[smallest, largest]` possible demand per resource. */
  support?: PerResource<readonly [Quantity, Quantity]>;
  kind?: string | number;
}

/** A node class: nodes of the same capacity, price and labels. */
export interface ClassDescription {
  name?: string;
  capacity: PerResource<Quantity>;
  /** Default: 0 = as many as needed. */
  count?: number;
  price?: number;
  labels?: Readonly<Record<string, string | true>> | readonly string[];
  /** Load that goes with each node of the class: it takes capacity and does not keep the node in use. */
  daemon?: PerResource<Profile>;
}

/** A listed node, with what runs there. */
export interface NodeDescription {
  name?: string;
  /** May be absent where there is one class. */
  class?: string;
  load?: PerResource<Profile>;
  load_variance?: PerResource<number>;
  load_deviation?: PerResource<Quantity>;
  /** Load that goes with the node. Default: that of its class. */
  daemon?: PerResource<Profile>;
  closed?: boolean;
  tags?: Tags;
  running?: PerApp;
  pinned?: PerApp;
}

/** A node group: sets of nodes, listed or by the values of a label. */
export interface GroupDescription {
  name: string;
  sets?: Readonly<Record<string, readonly string[]>> | readonly (readonly string[])[];
  by_label?: string;
}

/** A condition of a placement rule. */
export interface ConditionDescription {
  kind?: CardinalityKind;
  subject: Tags;
  target?: Tags;
  min?: number;
  max?: number;
  group?: string;
  negated?: boolean;
}

/** A placement rule: all conditions of `all_of`, or all of one list in `any_of`, have to hold. */
export interface RuleDescription {
  name?: string;
  all_of?: readonly ConditionDescription[];
  any_of?: readonly (readonly ConditionDescription[])[];
  hard?: boolean;
  weight?: number;
  origin?: Origin;
}

/** An instance with names instead of indices: the JSON format that the command line reads and writes. */
export interface InstanceDescription {
  stowage: 1;
  $schema?: string;
  name?: string;
  /**
   * Units by resource name, in the order of the resources. JavaScript puts integer-like names first. With `device`, the amount of
   * one device, a replica takes a part of one device, or whole ones.
   */
  resources: Readonly<Record<string, string | { unit?: string; device?: number }>>;
  periods?: number;
  classes: readonly ClassDescription[];
  apps: readonly AppDescription[];
  nodes?: readonly NodeDescription[];
  groups?: readonly GroupDescription[];
  rules?: readonly RuleDescription[];
  /** `confidence` is a probability, such as 0.999 or "99.9%". */
  uncertainty?: { model?: ChanceModel; confidence?: number | string; factor?: number };
  /** `resource` is a name, the first one if left out; `max_cost` has limits by the name of the kind or its position. */
  interference?: {
    kinds?: readonly string[];
    coefficient: readonly (readonly number[])[];
    resource?: string;
    max_cost?: Readonly<Record<string, number>>;
  };
  /** Apps by name or position; each pair once. */
  traffic?: readonly { app: string; peer: string; amount: number }[];
}

// ----------------------------------------------------------------------------------------------------------- to columns

/** A value and its path. A method that requires a kind of value fails with the path for a value of another kind. */
export class At {
  constructor(
    readonly value: unknown,
    private readonly key: string | number,
    /** Counts the values that are read. */
    private readonly steps: Steps,
    private readonly parent?: At,
  ) {
    steps.step();
  }

  path(): string {
    if (this.parent === undefined) return String(this.key);
    const before = this.parent.path();
    if (typeof this.key === 'number') return `${before}[${this.key}]`;
    return before === '' ? this.key : `${before}.${this.key}`;
  }
  fail(message: string): StowageError {
    return invalid(this.path(), message);
  }

  isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }
  /** The members of an object that are present; undefined counts as absent. */
  members(): At[] {
    if (!this.isObject()) throw this.fail('must be an object');
    const all = Object.entries(this.value as object).map(([key, value]) => {
      const member = this.child(value, key);
      wellFormed(key, () => member.path());
      return member;
    });
    return all.filter((member) => member.value !== undefined);
  }
  elements(): At[] {
    if (!Array.isArray(this.value)) throw this.fail('must be a list');
    return this.value.map((value, k) => this.child(value, k));
  }
  get name(): string {
    return String(this.key);
  }
  /** The member with this name, if it is present. */
  get(key: string): At | undefined {
    const value = (this.value as Record<string, unknown>)[key];
    return value === undefined ? undefined : this.child(value, key);
  }
  only(known: ReadonlySet<string>): this {
    for (const member of this.members()) {
      if (!known.has(member.name)) throw member.fail('unknown key');
    }
    return this;
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.fail('must be a string');
    return wellFormed(this.value, () => this.path());
  }
  filledText(): string {
    if (this.text() === '') throw this.fail('must not be empty');
    return this.text();
  }
  number(): number {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) throw this.fail('must be a number');
    return this.value;
  }
  notNegative(): number {
    if (this.number() < 0) throw this.fail('must not be negative');
    return this.number();
  }
  count(): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < 0 || value > NONE) throw this.fail('must be a whole number from 0 to 4294967295');
    return value;
  }
  integer(): number {
    const value = this.number();
    if (value !== (value | 0)) throw this.fail('must be a whole number of 32 bits');
    return value;
  }
  flag(): boolean {
    if (typeof this.value !== 'boolean') throw this.fail('must be true or false');
    return this.value;
  }
  word<Word extends string>(known: readonly Word[]): Word {
    const found = known.find((one) => one === this.text());
    if (found === undefined) throw this.fail(`must be one of ${known.map((one) => `"${one}"`).join(', ')}`);
    return found;
  }

  private child(value: unknown, key: string | number): At {
    return new At(value, key, this.steps, this);
  }
}

export const keys = (...names: string[]): ReadonlySet<string> => new Set(names);
const RESOURCE_KEYS = keys('unit', 'device');
const ROOT_KEYS = keys(
  'stowage', '$schema', 'name', 'resources', 'periods', 'classes', 'apps', 'nodes', 'groups', 'rules', 'uncertainty',
  'interference', 'traffic',
);
const APP_KEYS = keys(
  'name', 'replicas', 'demand', 'priority', 'weight', 'tags', 'only', 'not', 'max_per_node', 'limits', 'variance',
  'deviation', 'support', 'kind',
);
const CLASS_KEYS = keys('name', 'capacity', 'count', 'price', 'labels', 'daemon');
const NODE_KEYS = keys(
  'name', 'class', 'load', 'load_variance', 'load_deviation', 'daemon', 'closed', 'tags', 'running', 'pinned',
);
const GROUP_KEYS = keys('name', 'sets', 'by_label');
export const RULE_KEYS = keys('name', 'any_of', 'all_of', 'hard', 'weight', 'origin');
export const CONDITION_KEYS = keys('kind', 'subject', 'target', 'min', 'max', 'group', 'negated');

/** A probability: a number, or text such as "99.9%". */
function probabilityOf(at: At | undefined): number | undefined {
  if (at === undefined || typeof at.value !== 'string') return at?.number();
  const share = parseShare(at.value);
  if (share === undefined) throw at.fail(`"${at.value}" is not a share (try "99.9%" or 0.999)`);
  return share;
}

/** Names of apps, nodes, classes or kinds, and their positions. In a list without names, "#3" is the fourth item. */
class References {
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly what: string,
    names: readonly (string | undefined)[],
    private readonly unnamed: boolean,
    private readonly size: number,
  ) {
    names.forEach((name, k) => {
      if (name !== undefined && !this.positions.has(name)) this.positions.set(name, k);
    });
  }

  resolve(at: At, name: string): number {
    const found = this.positions.get(name);
    if (found !== undefined) return found;
    const position = this.unnamed && /^#[0-9]+$/.test(name) ? Number(name.slice(1)) : this.size;
    if (position >= this.size) throw at.fail(`there is no ${this.what} "${name}"`);
    return position;
  }
}

/** The names of all entries, or of none. */
function namesOf(entries: readonly At[], list: string): string[] | undefined {
  const names = entries.map((at) => {
    if (!at.isObject()) throw at.fail('must be an object');
    return at.get('name')?.filledText();
  });
  const nameless = names.indexOf(undefined);
  if (nameless >= 0) {
    if (names.every((name) => name === undefined)) return undefined;
    throw entries[nameless]!.fail(`has no name; give one to all ${list} or to none`);
  }
  const first = new Map<string, number>();
  names.forEach((name, k) => {
    const before = first.get(name!);
    if (before !== undefined) throw invalid(`${list}[${k}].name`, `"${name}" is already the name of ${list}[${before}]`);
    first.set(name!, k);
  });
  return names as string[];
}

/** Rows of numbers that are filled item by item. */
class RowBuilder {
  readonly begin: number[] = [0];
  readonly index: number[] = [];
  endRow(): void {
    this.begin.push(this.index.length);
  }
  result(): Rows | undefined {
    return this.index.length === 0 ? undefined : { begin: Uint32Array.from(this.begin), index: Uint32Array.from(this.index) };
  }
}

/** A column; nothing where all of it has the value that stands for an absent one. */
function unlessAll<Column extends Float64Array | Int32Array | Uint8Array>(value: number, column: Column): Column | undefined {
  return (column as Float64Array).some((one) => one !== value) ? column : undefined;
}

/** Most amounts that are written out over the periods: 512 MiB. */
const MOST_WRITTEN_OUT = 2 ** 26;

/** Amounts of each resource of each item, which are written out over the periods only once they differ between periods. */
class Profiles {
  private readonly constant: Float64Array;
  private all: Float64Array | undefined;

  constructor(
    size: number,
    private readonly periods: number,
  ) {
    this.constant = new Float64Array(size);
  }

  /** Sets a cell to one amount for all periods, or to one per period. */
  set(cell: number, amounts: number | readonly number[], at: At): void {
    const constant = typeof amounts === 'number' ? amounts : amounts.every((one) => one === amounts[0]) ? amounts[0]! : undefined;
    if (constant !== undefined) {
      this.constant[cell] = constant;
      this.all?.fill(constant, cell * this.periods, (cell + 1) * this.periods);
      return;
    }
    this.all ??= this.writtenOut(at);
    this.all.set(amounts as readonly number[], cell * this.periods);
  }

  /** The amounts of some cells, over all periods where any column has them. */
  row(begin: number, end: number): Float64Array {
    return this.all?.subarray(begin * this.periods, end * this.periods) ?? this.constant.subarray(begin, end);
  }

  result(): Float64Array {
    return this.all ?? this.constant;
  }

  private writtenOut(at: At): Float64Array {
    const { constant, periods } = this;
    const size = constant.length * periods;
    if (size > MOST_WRITTEN_OUT) {
      const message = `would be one of ${size} amounts, all periods written out; at most ${MOST_WRITTEN_OUT} are`;
      throw new StowageError('LIMIT_EXCEEDED', message, at.path());
    }
    const all = new Float64Array(size);
    constant.forEach((value, cell) => all.fill(value, cell * periods, (cell + 1) * periods));
    return all;
  }
}

/** Whether an item's amounts in a column differ from those of another column's item; each column has one amount per resource, or all periods. */
function differs(one: Float64Array, other: Float64Array, resources: number): boolean {
  const [width, otherWidth] = [one.length / resources, other.length / resources];
  const most = Math.max(width, otherWidth);
  for (let k = 0; k < resources * most; ++k) {
    const [resource, period] = [Math.floor(k / most), k % most];
    const at = (column: Float64Array, own: number): number => column[resource * own + (own === 1 ? 0 : period)]!;
    if (at(one, width) !== at(other, otherWidth)) return true;
  }
  return false;
}

class DescriptionReader {
  private readonly resources: { name: string; unit: string; device?: number }[];
  private readonly resourceAt: ReadonlyMap<string, number>;
  private readonly periods: number;
  private readonly tagAt = new Map<string, number>();
  private readonly appEntries: At[];
  private readonly nodeEntries: At[];
  private readonly apps: References;
  private readonly nodes: References;

  constructor(private readonly root: At) {
    root.only(ROOT_KEYS);
    const version = this.required('stowage');
    if (version.value !== 1) throw version.fail('is a version of the format that is not known here');
    this.periods = root.get('periods')?.count() ?? 1;
    if (this.periods === 0) throw root.get('periods')!.fail('must be at least 1');
    this.resources = this.required('resources').members().map((at) => {
      if (at.name === '') throw at.fail('a resource needs a name');
      if (typeof at.value === 'string') return { name: at.name, unit: at.text() };
      at.only(RESOURCE_KEYS);
      return { name: at.name, unit: at.get('unit')?.text() ?? '', device: at.get('device')?.number() ?? 0 };
    });
    this.resourceAt = new Map(this.resources.map(({ name }, r) => [name, r]));
    this.appEntries = this.required('apps').elements();
    this.nodeEntries = root.get('nodes')?.elements() ?? [];
    const appNames = namesOf(this.appEntries, 'apps');
    const nodeNames = namesOf(this.nodeEntries, 'nodes');
    this.apps = new References('app', appNames ?? [], appNames === undefined, this.appEntries.length);
    this.nodes = new References('listed node', nodeNames ?? [], nodeNames === undefined, this.nodeEntries.length);
  }

  read(): InstanceColumns {
    const classes = this.required('classes').elements().map((at) => this.readClass(at));
    const interference = this.readInterference();
    const kinds =
      interference?.kinds === undefined
        ? undefined
        : new References('kind', interference.kinds, interference.kinds.length === 0, interference.kinds.length);
    const { apps, limits } = this.readApps(kinds);
    const { nodes, running, pinned } = this.readNodes(classes);
    const groups: GroupColumns[] = this.root.get('groups')?.elements().map((at) => this.readGroup(at)) ?? [];
    const rules = this.root.get('rules')?.elements().map((at) => this.readRule(at, groups));
    // After all other tags, whose numbers do not depend on these.
    for (const key of ['only', 'not'] as const) apps[key] = this.readEligibility(key);
    return {
      name: this.root.get('name')?.text(),
      resources: this.resources,
      periods: this.periods,
      apps,
      classes,
      nodes,
      limits,
      running,
      pinned,
      tags: this.tagAt.size === 0 ? undefined : [...this.tagAt.keys()],
      groups: groups.length > 0 ? groups : undefined,
      rules,
      uncertainty: this.readUncertainty(),
      interference,
      traffic: this.readTraffic(),
    };
  }

  private required(key: string): At {
    const at = this.root.get(key);
    if (at === undefined) throw invalid(key, 'is missing');
    return at;
  }

  private perResource(at: At, visit: (resource: number, value: At) => void): void {
    for (const value of at.members()) {
      const resource = this.resourceAt.get(value.name);
      if (resource === undefined) throw value.fail('there is no resource of that name');
      visit(resource, value);
    }
  }

  private quantity(at: At, resource: number): number {
    if (typeof at.value === 'number') return at.notNegative();
    if (typeof at.value !== 'string') throw at.fail('must be a number or a quantity such as "500m" or "2Gi"');
    const value = parseQuantity(at.value, this.resources[resource]!.unit);
    if (value === undefined) throw at.fail(`"${at.value}" is not a quantity`);
    if (value < 0) throw at.fail('must not be negative');
    return value;
  }

  /** Amounts of each resource of so many items, which `list` has. */
  private profiles(items: number, list: string): Profiles {
    return new Profiles(this.size(items, list), this.periods);
  }

  /** Items x resources, where a column of that length has not too many amounts. */
  private size(items: number, list: string): number {
    const size = items * this.resources.length;
    if (size > MOST_WRITTEN_OUT) {
      const message = `and resources make ${size} amounts; at most ${MOST_WRITTEN_OUT} are written out`;
      throw new StowageError('LIMIT_EXCEEDED', message, list);
    }
    return size;
  }

  /** Writes one quantity for all periods, or a list with one per period, for a resource of an item. */
  private profile(at: At, item: number, resource: number, to: Profiles): void {
    const cell = item * this.resources.length + resource;
    if (!Array.isArray(at.value)) {
      to.set(cell, this.quantity(at, resource), at);
      return;
    }
    if (at.value.length !== this.periods) {
      throw at.fail(`has ${at.value.length} values, but "periods" is ${this.periods}`);
    }
    to.set(cell, at.elements().map((value) => this.quantity(value, resource)), at);
  }

  private readTags(at: At | undefined, index: number[]): void {
    if (at === undefined) return;
    for (const tag of typeof at.value === 'string' ? [at] : at.elements()) {
      const known = this.tagAt.get(tag.text());
      index.push(known ?? this.tagAt.size);
      if (known === undefined) this.tagAt.set(tag.text(), this.tagAt.size);
    }
  }

  private readEligibility(key: 'only' | 'not'): Rows | undefined {
    const rows = new RowBuilder();
    for (const at of this.appEntries) {
      this.readTags(at.get(key), rows.index);
      rows.endRow();
    }
    return rows.result();
  }

  private readClass(at: At): ClassColumns {
    at.only(CLASS_KEYS);
    const capacities = at.get('capacity');
    if (capacities === undefined) throw at.fail('has no "capacity"');
    const capacity = new Float64Array(this.resources.length).fill(-1);
    this.perResource(capacities, (resource, value) => {
      capacity[resource] = this.quantity(value, resource);
    });
    const missing = capacity.indexOf(-1);
    if (missing >= 0) throw capacities.fail(`has no "${this.resources[missing]!.name}"`);
    const daemons = at.get('daemon');
    const daemon = this.profiles(1, 'resources');
    if (daemons !== undefined) this.perResource(daemons, (resource, value) => this.profile(value, 0, resource, daemon));
    const labels = at.get('labels');
    const labelOf = (value: At): string => {
      if (value.value === true) return value.name;
      if (typeof value.value !== 'string') throw value.fail('must be a string, or true for a label without a value');
      return `${value.name}=${value.value}`;
    };
    return {
      name: at.get('name')?.filledText(),
      capacity,
      count: at.get('count')?.count(),
      price: at.get('price')?.notNegative(),
      labels: Array.isArray(labels?.value) ? labels.elements().map((one) => one.text()) : labels?.members().map(labelOf),
      daemon: unlessAll(0, daemon.result()),
    };
  }

  private readTraffic(): TrafficColumns | undefined {
    const list = this.root.get('traffic')?.elements() ?? [];
    if (list.length === 0) return undefined;
    const traffic = { app: new Uint32Array(list.length), peer: new Uint32Array(list.length), amount: new Float64Array(list.length) };
    list.forEach((one, k) => {
      const at = one.only(keys('app', 'peer', 'amount'));
      const of = (key: string): At => {
        const found = at.get(key);
        if (found === undefined) throw at.fail(`has no "${key}"`);
        return found;
      };
      traffic.app[k] = this.apps.resolve(of('app'), of('app').text());
      traffic.peer[k] = this.apps.resolve(of('peer'), of('peer').text());
      if (traffic.peer[k] === traffic.app[k]) throw of('peer').fail('is the app itself');
      traffic.amount[k] = of('amount').notNegative();
    });
    return traffic;
  }

  private readInterference(): InterferenceColumns | undefined {
    const at = this.root.get('interference')?.only(keys('kinds', 'coefficient', 'resource', 'max_cost'));
    if (at === undefined) return undefined;
    const table = at.get('coefficient');
    if (table === undefined) throw at.fail('has no "coefficient"');
    const rows = table.elements();
    const coefficient = rows.flatMap((row) => {
      const values = row.elements();
      if (values.length !== rows.length) throw row.fail('must be as long as there are rows');
      return values.map((value) => value.notNegative());
    });
    const kinds = at.get('kinds')?.elements().map((kind) => kind.text());
    const named = at.get('resource');
    const resource = named === undefined ? 0 : this.resourceAt.get(named.text());
    if (resource === undefined) throw named!.fail(`there is no resource "${named!.text()}"`);
    const limits = at.get('max_cost')?.members();
    const maxCost = limits && new Float64Array(rows.length).fill(Infinity);
    for (const limit of limits ?? []) {
      const position = kinds?.includes(limit.name) ? kinds.indexOf(limit.name) : /^[0-9]+$/.test(limit.name) ? Number(limit.name) : NaN;
      if (!(position < rows.length)) throw limit.fail(`there is no kind "${limit.name}"`);
      maxCost![position] = limit.notNegative();
    }
    return { kinds, coefficient: Float64Array.from(coefficient), resource, maxCost };
  }

  /**
   * Writes a variance in squared units, or a standard deviation as a quantity, into the row of `column` that begins at `row`.
   */
  private readVariance(at: At, prefix: string, row: number, column: Float64Array): void {
    const given = new Set<number>();
    const variances = at.get(`${prefix}variance`);
    if (variances !== undefined) {
      this.perResource(variances, (resource, value) => {
        column[row + resource] = value.notNegative();
        given.add(resource);
      });
    }
    const deviations = at.get(`${prefix}deviation`);
    if (deviations === undefined) return;
    this.perResource(deviations, (resource, value) => {
      if (given.has(resource)) throw value.fail(`is given twice: here and as "${prefix}variance"`);
      column[row + resource] = this.quantity(value, resource) ** 2;
    });
  }

  private readApps(kinds: References | undefined): Required<Pick<InstanceColumns, 'apps' | 'limits'>> {
    const count = this.appEntries.length;
    const resources = this.resources.length;
    const names: string[] = [];
    const replicas = new Uint32Array(count).fill(1);
    const demand = this.profiles(count, 'apps');
    const priority = new Int32Array(count);
    const weight = new Float64Array(count).fill(1);
    const varies = this.appEntries.some((at) => at.get('variance') !== undefined || at.get('deviation') !== undefined);
    const hasSupport = this.appEntries.some((at) => at.get('support') !== undefined);
    const variance = new Float64Array(varies ? count * resources : 0);
    const supportMin = new Float64Array(hasSupport ? count * resources : 0).fill(-1);
    const supportMax = new Float64Array(hasSupport ? count * resources : 0);
    const kind = new Uint32Array(count);
    const tags = new RowBuilder();
    const limits = new RowBuilder();
    const atMost: number[] = [];
    let kindCount = 0;
    this.appEntries.forEach((at, app) => {
      at.only(APP_KEYS);
      const name = at.get('name');
      if (name !== undefined) names.push(name.text());
      replicas[app] = at.get('replicas')?.count() ?? 1;
      const demands = at.get('demand');
      if (demands === undefined) throw at.fail('has no "demand"');
      this.perResource(demands, (resource, value) => this.profile(value, app, resource, demand));
      priority[app] = at.get('priority')?.integer() ?? 0;
      weight[app] = at.get('weight')?.number() ?? 1;
      this.readTags(at.get('tags'), tags.index);
      tags.endRow();

      this.readLimits(at, app, limits, atMost);
      this.readVariance(at, '', app * resources, variance);
      this.readSupport(at, app * resources, supportMin, supportMax);
      const ownKind = at.get('kind');
      if (ownKind === undefined ? kindCount > 0 : kindCount < app) throw this.missingKind(ownKind === undefined ? app : kindCount);
      if (ownKind !== undefined) {
        kind[app] = this.kindOf(ownKind, kinds);
        ++kindCount;
      }
    });
    if (hasSupport) this.fillSupport(demand, supportMin, supportMax);
    const hasLimits = limits.index.length > 0;
    return {
      apps: {
        names: names.length === 0 ? undefined : names,
        replicas,
        demand: demand.result(),
        priority: unlessAll(0, priority),
        variance: unlessAll(0, variance),
        supportMin: hasSupport ? supportMin : undefined,
        supportMax: hasSupport ? supportMax : undefined,
        kind: kindCount > 0 ? kind : undefined,
        weight: unlessAll(1, weight),
        tags: tags.result(),
      },
      limits: hasLimits
        ? { rowBegin: Uint32Array.from(limits.begin), app: Uint32Array.from(limits.index), atMost: Uint32Array.from(atMost) }
        : undefined,
    };
  }

  /** An app's own limit comes first in its row, also if the description lists it among the other limits. */
  private readLimits(at: At, app: number, limits: RowBuilder, atMost: number[]): void {
    const own = at.get('max_per_node');
    if (own !== undefined) {
      limits.index.push(app);
      atMost.push(own.count());
    }
    const others = at.get('limits')?.members().map((limit) => ({ limit, app: this.apps.resolve(limit, limit.name) })) ?? [];
    for (const other of [...others.filter((one) => one.app === app), ...others.filter((one) => one.app !== app)]) {
      if (other.app === app && own !== undefined) throw other.limit.fail('is given twice: here and as "max_per_node"');
      limits.index.push(other.app);
      atMost.push(other.limit.count());
    }
    limits.endRow();
  }

  /** `row` is where the app's row of both columns begins. */
  private readSupport(at: At, row: number, supportMin: Float64Array, supportMax: Float64Array): void {
    const support = at.get('support');
    if (support === undefined) return;
    this.perResource(support, (resource, value) => {
      const range = value.elements();
      if (range.length !== 2) throw value.fail('must be [smallest, largest]');
      supportMin[row + resource] = this.quantity(range[0]!, resource);
      supportMax[row + resource] = this.quantity(range[1]!, resource);
    });
  }

  private kindOf(at: At, kinds: References | undefined): number {
    if (typeof at.value === 'number') return at.count();
    if (kinds === undefined) throw at.fail('needs "interference" with "kinds" that names it');
    return kinds.resolve(at, at.text());
  }

  private missingKind(app: number): StowageError {
    return invalid(`apps[${app}]`, 'has no "kind"; give one to all apps or to none');
  }

  /** The support of an app without a given support is the range of its demand over the periods. */
  private fillSupport(demand: Profiles, supportMin: Float64Array, supportMax: Float64Array): void {
    for (let cell = 0; cell < supportMin.length; ++cell) {
      if (supportMin[cell] !== -1) continue;
      const row = demand.row(cell, cell + 1);
      supportMin[cell] = row.reduce((least, value) => Math.min(least, value));
      supportMax[cell] = row.reduce((most, value) => Math.max(most, value));
    }
  }

  private readNodes(classes: readonly ClassColumns[]): Required<Pick<InstanceColumns, 'nodes' | 'running' | 'pinned'>> {
    const count = this.nodeEntries.length;
    if (count === 0) return { nodes: undefined, running: undefined, pinned: undefined };
    const resources = this.resources.length;
    const classNames = new References('class', classes.map((one) => one.name), true, classes.length);
    const nodeClass = new Uint32Array(count);
    const names: string[] = [];
    const load = this.profiles(count, 'nodes');
    const varies = this.nodeEntries.some((at) => at.get('load_variance') !== undefined || at.get('load_deviation') !== undefined);
    const loadVariance = new Float64Array(varies ? count * resources : 0);
    const closed = new Uint8Array(count);
    const tags = new RowBuilder();
    const running = { app: [] as number[], node: [] as number[], replicas: [] as number[] };
    const pinned = { app: [] as number[], node: [] as number[], replicas: [] as number[] };
    const readResidences = (at: At | undefined, node: number, to: typeof running): void => {
      for (const replicas of at?.members() ?? []) {
        to.app.push(this.apps.resolve(replicas, replicas.name));
        to.node.push(node);
        to.replicas.push(replicas.count());
      }
    };
    this.nodeEntries.forEach((at, node) => {
      at.only(NODE_KEYS);
      const name = at.get('name');
      if (name !== undefined) names.push(name.text());
      const ownClass = at.get('class');
      if (ownClass === undefined && classes.length !== 1) throw at.fail('has no "class"');
      nodeClass[node] = ownClass === undefined ? 0 : classNames.resolve(ownClass, ownClass.text());
      const loads = at.get('load');
      if (loads !== undefined) this.perResource(loads, (resource, value) => this.profile(value, node, resource, load));
      this.readVariance(at, 'load_', node * resources, loadVariance);
      closed[node] = at.get('closed')?.flag() === true ? 1 : 0;
      this.readTags(at.get('tags'), tags.index);
      tags.endRow();
      readResidences(at.get('running'), node, running);
      readResidences(at.get('pinned'), node, pinned);
    });
    const columnsOf = (list: typeof running): ResidenceColumns | undefined => (list.app.length === 0 ? undefined : list);
    return {
      nodes: {
        nodeClass,
        names: names.length === 0 ? undefined : names,
        load: unlessAll(0, load.result()),
        loadVariance: unlessAll(0, loadVariance),
        closed: unlessAll(0, closed),
        tags: tags.result(),
        daemon: this.readDaemons(nodeClass, classes),
      },
      running: columnsOf(running),
      pinned: columnsOf(pinned),
    };
  }

  /** Load that goes with each node; nothing where it is that of the class everywhere. */
  private readDaemons(nodeClass: Uint32Array, classes: readonly ClassColumns[]): Float64Array | undefined {
    const given = this.nodeEntries.map((at) => at.get('daemon'));
    const first = given.find((at) => at !== undefined);
    if (first === undefined) return undefined;
    const resources = this.resources.length;
    const daemon = this.profiles(given.length, 'nodes');
    let own = false;
    given.forEach((at, node) => {
      const ofClass = (classes[nodeClass[node]!]!.daemon ?? new Float64Array(resources)) as Float64Array;
      if (at !== undefined) {
        this.perResource(at, (resource, value) => this.profile(value, node, resource, daemon));
        own ||= differs(daemon.row(node * resources, (node + 1) * resources), ofClass, resources);
        return;
      }
      const width = ofClass.length / resources;
      for (let r = 0; r < resources; ++r) {
        const amounts = ofClass.subarray(r * width, (r + 1) * width);
        daemon.set(node * resources + r, width === 1 ? amounts[0]! : Array.from(amounts), first);
      }
    });
    return own ? daemon.result() : undefined;
  }

  private readGroup(at: At): GroupColumns {
    at.only(GROUP_KEYS);
    const name = at.get('name');
    if (name === undefined) throw at.fail('has no "name"');
    if (name.filledText() === 'node') throw name.fail('"node" is the predefined group of single nodes; choose another name');
    const sets = at.get('sets');
    const listed = sets === undefined ? [] : Array.isArray(sets.value) ? sets.elements() : sets.members();
    const rows = new RowBuilder();
    for (const set of listed) {
      for (const node of set.elements()) rows.index.push(this.nodes.resolve(node, node.text()));
      rows.endRow();
    }
    return {
      name: name.text(),
      sets: sets === undefined ? undefined : { begin: rows.begin, index: rows.index },
      setNames: sets === undefined || Array.isArray(sets.value) ? undefined : listed.map((set) => set.name),
      byLabel: at.get('by_label')?.text(),
    };
  }

  private readRule(at: At, groups: GroupColumns[]): RuleColumns {
    at.only(RULE_KEYS);
    const allOf = at.get('all_of');
    const anyOf = at.get('any_of');
    if ((allOf === undefined) === (anyOf === undefined)) {
      throw at.fail('needs either "all_of" (a list of conditions) or "any_of" (a list of such lists)');
    }
    const conjunction = (list: At): CardinalityColumns[] => list.elements().map((one) => this.readCondition(one, groups));
    return {
      name: at.get('name')?.text(),
      anyOf: allOf !== undefined ? [conjunction(allOf)] : anyOf!.elements().map(conjunction),
      hard: at.get('hard')?.flag(),
      weight: at.get('weight')?.notNegative(),
      origin: at.get('origin')?.word(ORIGINS),
    };
  }

  private readCondition(at: At, groups: GroupColumns[]): CardinalityColumns {
    at.only(CONDITION_KEYS);
    if (at.get('subject') === undefined) throw at.fail('has no "subject" (the tags of the replicas it is about)');
    const subject: number[] = [];
    const target: number[] = [];
    this.readTags(at.get('subject'), subject);
    this.readTags(at.get('target'), target);
    const groupName = at.get('group');
    let group: number | undefined;
    if (groupName !== undefined && groupName.text() !== 'node') {
      group = groups.findLastIndex((one) => one.name === groupName.text());
      if (group < 0 && groupName.text() === 'rack') {
        // The group "rack" is predefined too unless it is declared: nodes with the same value of the label "rack" form a set.
        group = groups.push({ name: 'rack', byLabel: 'rack' }) - 1;
      }
      if (group < 0) throw groupName.fail(`there is no group "${groupName.text()}"`);
    }
    return {
      kind: at.get('kind')?.word(CARDINALITY_KINDS),
      subject,
      target: target.length === 0 ? undefined : target,
      min: at.get('min')?.count(),
      max: at.get('max')?.count(),
      group,
      negated: at.get('negated')?.flag(),
    };
  }

  private readUncertainty(): InstanceColumns['uncertainty'] {
    const at = this.root.get('uncertainty')?.only(keys('model', 'confidence', 'factor'));
    if (at === undefined) return undefined;
    return {
      model: at.get('model')?.word(CHANCE_MODELS),
      confidence: probabilityOf(at.get('confidence')),
      factor: at.get('factor')?.number(),
    };
  }
}

/** Converts a description to columns. Fails with the path of the first wrong value. */
export function columnsOf(description: InstanceDescription, options: CallOptions = {}): InstanceColumns {
  return readDescription(description, new Steps(options));
}

export function readDescription(description: InstanceDescription, steps: Steps): InstanceColumns {
  return converting('an instance', steps, () => {
    const root = new At(description, '', steps);
    if (!root.isObject()) throw root.fail('must be an object');
    return new DescriptionReader(root).read();
  });
}

// --------------------------------------------------------------------------------------------------------- from columns

/** The name of an app, or its position as "#3". */
export const appName = (columns: InstanceColumns, app: number): string => columns.apps.names?.[app] ?? `#${app}`;

/** The name of a listed node, or its position as "#3". */
export const listedName = (columns: InstanceColumns, node: number): string => columns.nodes?.names?.[node] ?? `#${node}`;

class DescriptionWriter {
  private readonly periods: number;
  /** Number of classes with each name. */
  private readonly classesNamed = new Map<string | undefined, number>();

  constructor(
    private readonly columns: InstanceColumns,
    private readonly steps: Steps,
  ) {
    this.periods = columns.periods ?? 1;
    for (const { name } of columns.classes) this.classesNamed.set(name, (this.classesNamed.get(name) ?? 0) + 1);
  }

  write(): InstanceDescription {
    const { columns } = this;
    const { name, nodes, groups, rules, uncertainty, interference, traffic } = columns;
    const resources = columns.resources.map(({ name, unit = '', device = 0 }) =>
      [name, device === 0 ? unit : { unit, device }] as const);
    return {
      stowage: 1,
      ...(name ? { name } : {}),
      resources: Object.fromEntries(resources),
      ...(this.periods > 1 ? { periods: this.periods } : {}),
      classes: columns.classes.map((one) => this.classOf(one)),
      apps: Array.from(columns.apps.replicas, (_, app) => this.appOf(app)),
      ...(nodes !== undefined && nodes.nodeClass.length > 0 ? { nodes: this.nodesOf(nodes) } : {}),
      ...(groups !== undefined && groups.length > 0 ? { groups: groups.map((group) => this.groupOf(group)) } : {}),
      ...(rules !== undefined && rules.length > 0 ? { rules: rules.map((rule) => this.ruleOf(rule)) } : {}),
      ...(uncertainty === undefined
        ? {}
        : {
            uncertainty: {
              model: uncertainty.model ?? 'gaussian',
              confidence: uncertainty.confidence ?? 0.99,
              factor: uncertainty.factor ?? 0,
            },
          }),
      ...(interference === undefined ? {} : { interference: this.interferenceOf(interference) }),
      ...(traffic === undefined ? {} : { traffic: this.trafficOf(traffic) }),
    };
  }

  /** A row of items x resources, or of items x resources x periods. With `sparse`, zeros are left out. */
  private perResource(column: Doubles, items: number, item: number, sparse: boolean): Record<string, number | number[]> {
    const { resources } = this.columns;
    const width = column.length === items * resources.length ? 1 : this.periods;
    const result: [string, number | number[]][] = [];
    resources.forEach(({ name }, r) => {
      this.steps.step(width);
      const begin = (item * resources.length + r) * width;
      const values = Array.from(column.slice(begin, begin + width));
      const constant = values.every((value) => value === values[0]);
      if (!(sparse && constant && values[0] === 0)) result.push([name, constant ? values[0]! : values]);
    });
    return Object.fromEntries(result);
  }

  private classOf(one: ClassColumns): ClassDescription {
    const capacity = this.perResource(one.capacity, 1, 0, false) as Record<string, number>;
    return {
      ...(one.name ? { name: one.name } : {}),
      capacity,
      ...(one.count ? { count: one.count } : {}),
      ...(one.price === undefined ? {} : { price: one.price }),
      ...(one.labels === undefined || one.labels.length === 0 ? {} : { labels: this.labelsOf(one.labels) }),
      ...(one.daemon?.some((value) => value !== 0) ? { daemon: this.perResource(one.daemon, 1, 0, true) } : {}),
    };
  }

  /** An object from entries whose keys all differ, else the list of entries itself. */
  private labelsOf(labels: readonly string[]): NonNullable<ClassDescription['labels']> {
    const entries = labels.map((label): [string, string | true] => {
      const equals = label.indexOf('=');
      return equals < 0 ? [label, true] : [label.slice(0, equals), label.slice(equals + 1)];
    });
    return new Set(entries.map(([key]) => key)).size === entries.length ? Object.fromEntries(entries) : [...labels];
  }

  private tagsOf(rows: Rows | undefined, item: number, key = 'tags'): { [key: string]: string[] } {
    this.steps.step();
    const names = rows === undefined ? [] : rowOf(rows, item).map((index) => this.tag(index));
    return names.length === 0 ? {} : { [key]: names };
  }

  private tag(index: number): string {
    return this.columns.tags?.[index] ?? '';
  }

  private appOf(app: number): AppDescription {
    const { apps, limits, interference } = this.columns;
    const count = apps.replicas.length;
    const resources = this.columns.resources.length;
    const cells = app * resources;
    let own: number | undefined;
    const others: [string, number][] = [];
    if (limits !== undefined) {
      for (let k = limits.rowBegin[app]!; k < limits.rowBegin[app + 1]!; ++k) {
        this.steps.step();
        if (limits.app[k] === app) {
          own = limits.atMost[k]!;
        } else {
          others.push([appName(this.columns, limits.app[k]!), limits.atMost[k]!]);
        }
      }
    }
    const varies = apps.variance?.slice(cells, cells + resources).some((value) => value !== 0) ?? false;
    const support = this.columns.resources.map(
      ({ name }, r) => [name, [apps.supportMin?.[cells + r] ?? 0, apps.supportMax?.[cells + r] ?? 0] as const] as const,
    );
    const kind = apps.kind?.[app];
    return {
      ...(apps.names === undefined ? {} : { name: apps.names[app]! }),
      replicas: apps.replicas[app]!,
      demand: this.perResource(apps.demand, count, app, false),
      ...(apps.priority === undefined || apps.priority[app] === 0 ? {} : { priority: apps.priority[app]! }),
      ...(apps.weight === undefined || apps.weight[app] === 1 ? {} : { weight: apps.weight[app]! }),
      ...this.tagsOf(apps.tags, app),
      ...this.tagsOf(apps.only, app, 'only'),
      ...this.tagsOf(apps.not, app, 'not'),
      ...(own === undefined ? {} : { max_per_node: own }),
      ...(others.length === 0 ? {} : { limits: Object.fromEntries(others) }),
      ...(varies ? { variance: this.perResource(apps.variance!, count, app, true) as Record<string, number> } : {}),
      ...(apps.supportMin === undefined ? {} : { support: Object.fromEntries(support) }),
      ...(kind === undefined ? {} : { kind: interference?.kinds?.[kind] ?? kind }),
    };
  }

  private nodesOf(nodes: NonNullable<InstanceColumns['nodes']>): NodeDescription[] {
    const count = nodes.nodeClass.length;
    const resources = this.columns.resources.length;
    const residents = (list: ResidenceColumns | undefined): Map<number, [string, number][]> => {
      const byNode = new Map<number, [string, number][]>();
      Array.from(list?.app ?? []).forEach((app, k) => {
        this.steps.step();
        const entries = byNode.get(list!.node[k]!) ?? [];
        entries.push([appName(this.columns, app), list!.replicas[k]!]);
        byNode.set(list!.node[k]!, entries);
      });
      return byNode;
    };
    const running = residents(this.columns.running);
    const pinned = residents(this.columns.pinned);
    return Array.from(nodes.nodeClass, (nodeClass, node) => {
      const load = nodes.load === undefined ? {} : this.perResource(nodes.load, count, node, true);
      const daemonWidth = (nodes.daemon?.length ?? 0) / count;
      const daemon = Float64Array.from(nodes.daemon?.slice(node * daemonWidth, (node + 1) * daemonWidth) ?? []);
      const ofClass = Float64Array.from(this.columns.classes[nodeClass]?.daemon ?? { length: resources }, (value) => value ?? 0);
      const ownDaemon = nodes.daemon !== undefined && differs(daemon, ofClass, resources);
      const variance = nodes.loadVariance?.slice(node * resources, (node + 1) * resources) ?? [];
      return {
        ...(nodes.names === undefined ? {} : { name: nodes.names[node]! }),
        class: this.className(nodeClass),
        ...(Object.keys(load).length === 0 ? {} : { load }),
        ...(variance.some((value) => value !== 0)
          ? { load_variance: this.perResource(nodes.loadVariance!, count, node, true) as Record<string, number> }
          : {}),
        ...(ownDaemon ? { daemon: this.perResource(nodes.daemon!, count, node, true) } : {}),
        ...(nodes.closed?.[node] === 1 ? { closed: true } : {}),
        ...this.tagsOf(nodes.tags, node),
        ...(running.has(node) ? { running: Object.fromEntries(running.get(node)!) } : {}),
        ...(pinned.has(node) ? { pinned: Object.fromEntries(pinned.get(node)!) } : {}),
      };
    });
  }

  private className(index: number): string {
    const name = this.columns.classes[index]?.name;
    return name && this.classesNamed.get(name) === 1 ? name : `#${index}`;
  }

  private groupOf(group: GroupColumns): GroupDescription {
    const sets = Array.from({ length: Math.max(0, (group.sets?.begin.length ?? 0) - 1) }, (_, s) =>
      rowOf(group.sets!, s).map((node) => listedName(this.columns, node)),
    );
    const named = group.setNames !== undefined && group.setNames.length > 0;
    return {
      name: group.name,
      ...(group.sets === undefined
        ? {}
        : { sets: named ? Object.fromEntries(sets.map((set, s) => [group.setNames![s]!, set])) : sets }),
      ...(group.byLabel ? { by_label: group.byLabel } : {}),
    };
  }

  private ruleOf(rule: RuleColumns): RuleDescription {
    const anyOf = rule.anyOf.map((conjunction) => conjunction.map((one) => this.conditionOf(one)));
    return {
      ...(rule.name ? { name: rule.name } : {}),
      ...(anyOf.length === 1 ? { all_of: anyOf[0]! } : { any_of: anyOf }),
      ...(rule.hard === false ? { hard: false } : {}),
      ...(rule.weight === undefined || rule.weight === 1 ? {} : { weight: rule.weight }),
      ...(rule.origin === undefined || rule.origin === 'application' ? {} : { origin: rule.origin }),
    };
  }

  private conditionOf(one: CardinalityColumns): ConditionDescription {
    const target = Array.from(one.target ?? [], (index) => this.tag(index));
    return {
      ...(one.kind === undefined || one.kind === 'replicas' ? {} : { kind: one.kind }),
      subject: Array.from(one.subject, (index) => this.tag(index)),
      ...(target.length === 0 ? {} : { target }),
      ...(one.min ? { min: one.min } : {}),
      ...(one.max === undefined || one.max === NONE ? {} : { max: one.max }),
      ...(one.group === undefined ? {} : { group: this.columns.groups?.[one.group]?.name ?? '' }),
      ...(one.negated === true ? { negated: true } : {}),
    };
  }

  private trafficOf({ app, peer, amount }: TrafficColumns): NonNullable<InstanceDescription['traffic']> {
    const { names } = this.columns.apps;
    const name = (index: number): string => names?.[index] ?? `${index}`;
    return Array.from(amount, (one, k) => ({ app: name(app[k]!), peer: name(peer[k]!), amount: one }));
  }

  private interferenceOf(
    interference: InterferenceColumns,
  ): NonNullable<InstanceDescription['interference']> {
    const { kinds, coefficient, resource = 0, maxCost } = interference;
    const size = Math.round(Math.sqrt(coefficient.length));
    const rows = Array.from({ length: size }, (_, t) => Array.from(coefficient.slice(t * size, (t + 1) * size)));
    const limits = Array.from(maxCost ?? [], (most, kind): [string, number] => [kinds?.[kind] ?? `${kind}`, most]);
    return {
      ...(kinds === undefined ? {} : { kinds: [...kinds] }),
      coefficient: rows,
      ...(resource === 0 ? {} : { resource: this.columns.resources[resource]?.name ?? '' }),
      ...(limits.length === 0 ? {} : { max_cost: Object.fromEntries(limits.filter(([, most]) => most < Infinity)) }),
    };
  }
}

function rowOf(rows: Rows, item: number): number[] {
  return Array.from(rows.index.slice(rows.begin[item]!, rows.begin[item + 1]!));
}

/** The description of an instance. `JSON.stringify` turns it into JSON that the command line reads. */
export function describeInstance(columns: InstanceColumns, options: CallOptions = {}): InstanceDescription {
  const steps = new Steps(options);
  return converting('the columns of an instance', steps, () => new DescriptionWriter(columns, steps).write());
}
