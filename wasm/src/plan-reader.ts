// Reads plans from JSON and CSV, as the command line does.
import { type InstanceColumns } from './columns.js';
import { NONE } from './lists.js';
import { At, appName, keys, listedName } from './description.js';
import { converting } from './encoder.js';
import { StowageError } from './errors.js';
import { NOTE_CODES, STATUSES, type Bound, type LeftOver, type Note, type Placed, type Unplaced } from './plan-records.js';
import { className, type Plan, type PlanDescription } from './plan.js';
import type { PlanContent } from './plan-content.js';
import { encodePlan, wordsOf } from './plan-writer.js';
import { OBJECTIVES, SOFT_POLICIES } from './request.js';
import { Steps, type CallOptions } from './watch.js';

const PLAN_KEYS = keys(
  'stowage_plan', 'instance', 'planner', 'status', 'seed', 'work', 'pace', 'node_bound', 'gap', 'cost', 'cost_bound',
  'inherited_violations', 'moves', 'ucac', 'ucac_resource', 'ucac_bound', 'max_cost', 'max_cost_bound', 'total_cost',
  'total_cost_bound', 'left_out', 'left_out_bound', 'remote_traffic', 'remote_traffic_bound', 'max_cost_limit', 'rule_violations',
  'violating_replicas', 'violation_extent', 'violation_weight', 'violation_cost', 'score', 'score_bound', 'score_gap',
  'objective', 'soft', 'soft_price', 'fill', 'notes', 'left_over_bound', 'places_most', 'survive', 'not_survived', 'leave_free',
  'domains_in_use', 'domain_bound', 'nodes', 'unplaced', 'unreserved',
);
const NODE_KEYS = keys('name', 'class', 'copies', 'replicas', 'reserved', 'ucac', 'max_cost');
const NOTE_KEYS = keys('code', 'text');
const LEFT_OVER_KEYS = keys('priority', 'replicas');
const BOUND_KEYS = keys('name', 'value', 'resource', 'period');
const CSV_HEADER = 'node,app,replicas';

/** Positions of an instance's apps, listed nodes and classes, by name. */
class Lookup {
  private readonly apps: Map<string, number>;
  private readonly listedNodes: Map<string, number>;
  private readonly classes: Map<string, number>;

  constructor(
    readonly columns: InstanceColumns,
    readonly steps: Steps,
  ) {
    const positions = (size: number, name: (k: number) => string): Map<string, number> => {
      const found = new Map<string, number>();
      for (let k = 0; k < size; ++k) {
        steps.step();
        found.set(name(k), k);
      }
      return found;
    };
    this.apps = positions(columns.apps.replicas.length, (app) => appName(columns, app));
    this.listedNodes = positions(columns.nodes?.nodeClass.length ?? 0, (node) => listedName(columns, node));
    this.classes = positions(columns.classes.length, (one) => className(columns, one));
  }

  app(name: string): number | undefined {
    return this.apps.get(name);
  }
  listed(name: string): number | undefined {
    return this.listedNodes.get(name);
  }
  nodeClass(name: string): number | undefined {
    return this.classes.get(name);
  }
  classOfListed(node: number): number {
    return this.columns.nodes!.nodeClass[node]!;
  }
  /** The class in the name of an anonymous node, such as "large" in "large-12". */
  classIn(node: string): number | undefined {
    const [, name] = /^(.*)-[0-9]+$/s.exec(node) ?? [];
    return name === undefined ? undefined : this.nodeClass(name);
  }
}

/** The app that a member's name refers to. */
const knownApp = (lookup: Lookup, at: At): number => {
  const app = lookup.app(at.name);
  if (app === undefined) throw at.fail(`the instance has no app "${at.name}"`);
  return app;
};

function noteOf(at: At): Note {
  at.only(NOTE_KEYS);
  const code = at.get('code');
  if (code === undefined) throw at.fail('has no "code"');
  return { code: code.word(NOTE_CODES), text: at.get('text')?.text() ?? '' };
}

function leftOverOf(at: At): LeftOver {
  at.only(LEFT_OVER_KEYS);
  return { priority: at.get('priority')?.integer() ?? 0, replicas: at.get('replicas')?.count() ?? 0 };
}

function resourceOf(at: At | undefined, { resources }: InstanceColumns): number | undefined {
  if (at === undefined) return undefined;
  const index = resources.findIndex(({ name }) => name === at.text());
  if (index === -1) throw at.fail(`there is no resource "${at.text()}"`);
  return index;
}

function boundOf(at: At | undefined, columns: InstanceColumns): Bound | undefined {
  if (at === undefined) return undefined;
  at.only(BOUND_KEYS);
  const [name, value, resource, period] = ['name', 'value', 'resource', 'period'].map((key) => at.get(key));
  const index = resourceOf(resource, columns);
  return {
    name: name?.text() ?? '',
    value: value?.number() ?? 0,
    ...(index === undefined ? {} : { resource: index }),
    ...(period === undefined ? {} : { period: period.count() }),
  };
}

function readCopies(at: At | undefined, isListed: boolean): number {
  const copies = at?.count() ?? 1;
  if (copies === 0) throw at!.fail('must be at least 1');
  if (copies > 1 && isListed) throw at!.fail('a listed node stands for itself');
  return copies;
}

type Nodes = Pick<PlanContent, 'nodeClass' | 'listed' | 'copies' | 'placed' | 'reserved' | 'nodeUcac' | 'nodeMaxCost'>;

function nodesOf(root: At, lookup: Lookup): Nodes {
  const [nodeClass, listed, copies] = [[], [], []] as [number[], number[], number[]];
  const figures = { ucac: [] as number[], max_cost: [] as number[] };
  const [placed, reserved] = [[], []] as [Placed[], Placed[]];
  for (const at of root.get('nodes')?.elements() ?? []) {
    at.only(NODE_KEYS);
    const name = at.get('name')?.text();
    const own = name === undefined ? undefined : lookup.listed(name);
    const written = at.get('class');
    const named = written === undefined ? undefined : lookup.nodeClass(written.text());
    if (written !== undefined && named === undefined) throw written.fail(`the instance has no class "${written.text()}"`);
    const found = named ?? (own === undefined ? undefined : lookup.classOfListed(own));
    if (found === undefined) throw at.fail('has neither a "class" nor the name of a listed node');
    const node = nodeClass.push(found) - 1;
    listed.push(own ?? NONE);
    copies.push(readCopies(at.get('copies'), own !== undefined));
    for (const [key, values] of Object.entries(figures)) {
      const figure = at.get(key);
      if (figure !== undefined) values.push(figure.number());
    }
    for (const [key, list] of [['replicas', placed], ['reserved', reserved]] as const) {
      for (const one of at.get(key)?.members() ?? []) list.push({ app: knownApp(lookup, one), node, replicas: one.count() });
    }
  }
  for (const [key, values] of Object.entries(figures)) {
    if (values.length > 0 && values.length !== nodeClass.length)
      throw root.get('nodes')!.fail(`give a "${key}" for all of them or for none`);
  }
  return {
    nodeClass, listed, copies, placed: wordsOf(placed, lookup.steps), reserved: wordsOf(reserved, lookup.steps), nodeUcac: figures.ucac,
    nodeMaxCost: figures.max_cost,
  };
}

/**
 * Reads a plan that `describePlan` or the command line has written as JSON.
 * @param description the plan, with the instance's columns names of apps, nodes and classes
 * @param columns the instance's columns
 * @param fingerprint the instance's columns fingerprint, used where the description has none
 * @throws StowageError `INVALID` with the path of what is wrong. Only `verify` checks whether the plan satisfies the instance's
 *     columns constraints.
 */
export function planOf(description: PlanDescription, columns: InstanceColumns, fingerprint: bigint, options: CallOptions = {}): Plan {
  const steps = new Steps(options);
  return converting('a plan', steps, () => encodePlan(contentOf(description, columns, fingerprint, steps), steps));
}

function contentOf(description: PlanDescription, columns: InstanceColumns, fingerprint: bigint, steps: Steps): PlanContent {
  const root = new At(description, '', steps).only(PLAN_KEYS);
  const lookup = new Lookup(columns, steps);
  const version = root.get('stowage_plan');
  if (version?.count() !== 1) throw (version ?? root).fail('must be a plan: "stowage_plan": 1');
  const instance = root.get('instance');
  if (instance !== undefined && !/^[0-9a-f]{1,16}$/i.test(instance.text()))
    throw instance.fail('must be a fingerprint of hexadecimal digits');
  const planner = root.get('planner');
  if (planner === undefined) throw root.fail('has no "planner"');
  const whole = (key: string): bigint => {
    const at = root.get(key);
    if (at === undefined) return 0n;
    if (!Number.isSafeInteger(at.number()) || at.number() < 0) throw at.fail('must be a whole number below 2^53');
    return BigInt(at.number());
  };
  const counts = (key: string): Unplaced[] =>
    (root.get(key)?.members() ?? []).map((one) => ({ app: knownApp(lookup, one), replicas: one.count() }));
  return {
    instance: instance === undefined ? fingerprint : BigInt(`0x${instance.text()}`),
    planner: planner.text(),
    status: root.get('status')?.word(STATUSES) ?? 'partial',
    seed: whole('seed'),
    work: whole('work'),
    pace: whole('pace'),
    nodeBound: boundOf(root.get('node_bound'), columns),
    gap: root.get('gap')?.number(),
    cost: root.get('cost')?.number(),
    costBound: boundOf(root.get('cost_bound'), columns),
    inheritedViolations: root.get('inherited_violations')?.count() ?? 0,
    moves: root.get('moves')?.count() ?? 0,
    ucac: root.get('ucac')?.number(),
    ucacResource: resourceOf(root.get('ucac_resource'), columns),
    ucacBound: boundOf(root.get('ucac_bound'), columns),
    maxCost: root.get('max_cost')?.number(),
    maxCostBound: boundOf(root.get('max_cost_bound'), columns),
    totalCost: root.get('total_cost')?.number(),
    totalCostBound: boundOf(root.get('total_cost_bound'), columns),
    leftOut: root.get('left_out')?.number(),
    leftOutBound: boundOf(root.get('left_out_bound'), columns),
    remoteTraffic: root.get('remote_traffic')?.number(),
    remoteTrafficBound: boundOf(root.get('remote_traffic_bound'), columns),
    maxCostLimit: root.get('max_cost_limit')?.number(),
    ruleViolations:
      root.get('violation_cost') === undefined
        ? undefined
        : {
            count: Number(whole('rule_violations')),
            replicas: Number(whole('violating_replicas')),
            extent: root.get('violation_extent')?.number() ?? 0,
            weight: root.get('violation_weight')?.number() ?? 0,
            cost: root.get('violation_cost')!.number(),
          },
    score:
      root.get('score') === undefined
        ? undefined
        : { value: root.get('score')!.number(), bound: root.get('score_bound')?.number(), gap: root.get('score_gap')?.number() },
    objective: root.get('objective')?.word(OBJECTIVES) ?? 'nodes',
    soft: root.get('soft')?.word(SOFT_POLICIES) ?? 'first',
    softPrice: root.get('soft_price')?.number() ?? 0,
    fill: root.get('fill')?.flag() ?? false,
    notes: (root.get('notes')?.elements() ?? []).map(noteOf),
    leftOverBound: (root.get('left_over_bound')?.elements() ?? []).map(leftOverOf),
    placesMost: root.get('places_most')?.flag() ?? false,
    survive: root.get('survive')?.text(),
    notSurvived: root.get('not_survived')?.value === null ? undefined : Number(whole('not_survived')),
    leaveFree: root.get('leave_free')?.text(),
    domainsInUse: Number(whole('domains_in_use')),
    domainBound: Number(whole('domain_bound')),
    ...nodesOf(root, lookup),
    unplaced: counts('unplaced'),
    unreserved: counts('unreserved'),
  };
}

const malformed = (line: number, message: string): StowageError => new StowageError('MALFORMED', message, `line ${line}`);

/** Whether a text is a plan as CSV, which begins with the header. */
export const isPlanCsv = (text: string): boolean => /^\uFEFF?node,app,replicas(\r?\n|$)/.test(text);

/** Records, each with the number of its first line. Quoted fields may contain commas, quotes and line breaks. */
function* records(text: string): Generator<{ line: number; fields: string[] }> {
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^,"\r\n]*))(,|\r?\n|$)/y;
  field.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let fields: string[] = [];
  let begin = line;
  while (field.lastIndex < text.length || fields.length > 0) {
    const match = field.exec(text);
    if (match === null) throw malformed(line, 'a quoted field has no end, or text beside it');
    const [all, quoted, plain, end] = match;
    fields.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    line += all.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.length > 1 || fields[0] !== '') yield { line: begin, fields };
    fields = [];
    begin = line;
  }
}

/**
 * Reads a plan that `planToCsv` or the command line has written as CSV with the header `node,app,replicas`. The missing
 * replicas of an app are unplaced. Nodes with the name of a class and a number are anonymous nodes of that class.
 * @param columns the instance's columns
 * @param fingerprint the instance's columns
 * @throws StowageError `MALFORMED` with the number of the line
 */
export function planFromCsv(text: string, columns: InstanceColumns, fingerprint: bigint, options: CallOptions = {}): Plan {
  const steps = new Steps(options);
  if (typeof text !== 'string' || !isPlanCsv(text)) throw malformed(1, `must be ${CSV_HEADER}`);
  const lookup = new Lookup(columns, steps);
  const nodes: { nodeClass: number; listed: number }[] = [];
  const positions = new Map<string, number>();
  const placed: Placed[] = [];
  for (const { line, fields } of records(text)) {
    steps.step();
    if (line === 1) continue;
    if (fields.length !== 3) throw malformed(line, `has ${fields.length} fields; expected ${CSV_HEADER}`);
    const [name, appText, replicasText] = fields as [string, string, string];
    const app = lookup.app(appText);
    if (app === undefined) throw malformed(line, `app: the instance has no app "${appText}"`);
    const replicas = Number(replicasText);
    if (!/^[0-9]+$/.test(replicasText) || replicas === 0 || replicas > 0xffffffff)
      throw malformed(line, `replicas: "${replicasText}" is not a number of replicas`);
    let node = positions.get(name);
    if (node === undefined) {
      const listed = lookup.listed(name);
      const nodeClass = listed === undefined ? lookup.classIn(name) : lookup.classOfListed(listed);
      if (nodeClass === undefined)
        throw malformed(line, `node: "${name}" is neither a listed node nor a class and a number, such as large-1`);
      node = nodes.push({ nodeClass, listed: listed ?? NONE }) - 1;
      positions.set(name, node);
    }
    placed.push({ app, node, replicas });
  }
  // Listed nodes come first, in the instance's columns order.
  const order = nodes.map((_, node) => node).sort((a, b) => nodes[a]!.listed - nodes[b]!.listed || a - b);
  const position = new Uint32Array(order.length);
  order.forEach((node, k) => (position[node] = k));
  const missing = Array.from(columns.apps.replicas);
  for (const { app, replicas } of placed) missing[app]! -= replicas;
  const unplaced = missing.flatMap((replicas, app) => (replicas > 0 ? [{ app, replicas }] : []));
  const prices = columns.classes.map(({ price }) => price ?? -1);
  const priced = prices.length > 0 && prices.every((price) => price >= 0);
  return encodePlan({
    instance: fingerprint,
    planner: 'csv',
    status: unplaced.length === 0 ? 'complete' : 'partial',
    seed: 0n,
    work: 0n,
    pace: 0n,
    nodeClass: order.map((node) => nodes[node]!.nodeClass),
    listed: order.map((node) => nodes[node]!.listed),
    placed: wordsOf(placed.map((one) => ({ ...one, node: position[one.node]! })), steps),
    unplaced,
    ...(priced ? { cost: order.reduce((sum, node) => sum + prices[nodes[node]!.nodeClass]!, 0) } : {}),
    inheritedViolations: 0,
    notSurvived: 0,
    moves: movesTo(columns, (node) => nodes[node]!.listed, placed, steps),
  }, steps);
}

/** Running replicas that are not where they run. */
function movesTo(
  { running }: InstanceColumns, listedOf: (node: number) => number, placed: readonly Placed[], steps: Steps,
): number {
  if (running === undefined) return 0;
  const there = new Map<string, number>();
  for (const { app, node, replicas } of placed) {
    steps.step();
    const key = `${listedOf(node)} ${app}`;
    there.set(key, (there.get(key) ?? 0) + replicas);
  }
  let moves = 0;
  for (let k = 0; k < running.app.length; ++k) {
    steps.step();
    const stay = there.get(`${running.node[k]!} ${running.app[k]!}`) ?? 0;
    moves += Math.max(0, running.replicas[k]! - stay);
  }
  return moves;
}
