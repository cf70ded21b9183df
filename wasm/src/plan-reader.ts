// Reads plans from CSV, as the command line does.
import type { InstanceColumns } from './columns.js';
import { appName, listedName } from './description.js';
import { StowageError } from './errors.js';
import { NONE } from './lists.js';
import type { Placed } from './plan-records.js';
import { encodePlan, wordsOf } from './plan-writer.js';
import { className, type Plan } from './plan.js';
import { Steps, type CallOptions } from './watch.js';

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
  classOfListed(node: number): number {
    return this.columns.nodes!.nodeClass[node]!;
  }
  /** The class in the name of an anonymous node, such as "large" in "large-12". */
  classIn(node: string): number | undefined {
    const [, name] = /^(.*)-[0-9]+$/s.exec(node) ?? [];
    return name === undefined ? undefined : this.classes.get(name);
  }
}

const malformed = (line: number, message: string): StowageError => new StowageError('MALFORMED', message, `line ${line}`);

/** Whether a text is a plan as CSV, which begins with the header. */
export const isPlanCsv = (text: string): boolean => /^\uFEFF?node,app,replicas(,|\r?\n|$)/.test(text);

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
 * Reads a plan that `planToCsv` or the command line has written as CSV, whose header begins with `node,app,replicas`; further columns are
 * for people. The missing replicas of an app are unplaced. Nodes with the name of a class and a number are anonymous nodes of that class.
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
  let width = 3;
  for (const { line, fields } of records(text)) {
    steps.step();
    if (line === 1) {
      width = fields.length;
      continue;
    }
    if (fields.length !== width) throw malformed(line, `has ${fields.length} fields; the header has ${width}`);
    const [name, appText, replicasText] = fields as [string, string, string, ...string[]];
    // A node without replicas: what it needs is not said by where replicas are.
    if (width > 3 && appText === '' && replicasText === '0') continue;
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
