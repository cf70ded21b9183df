import {
  Plan,
  StowageError,
  appName,
  columnsOf,
  decodeInstance,
  encodeInstance,
  expandPlan,
  explanationToText,
  instanceToJson,
  isPlanCsv,
  listedName,
  loadKubernetes,
  loadStowage,
  loadText,
  nodeNames,
  planFromCsv,
  planOf,
  planToCsv,
  planToJson,
  type CallOptions,
  type ClassColumns,
  type Goal,
  type InstanceColumns,
  type LimitColumns,
  type Recommendations,
  type Samples,
  type SizeRule,
  type Sizes,
  type Stowage,
} from 'stowage';
import kubernetesModule from 'stowage/stowage-k8s.wasm?url';
import textModule from 'stowage/stowage-text.wasm?url';
import { changes, compare, sameNodes } from './plans/compare.js';
import { groupingsOf } from './plans/groupings.js';
import { inflated } from './files/inflate.js';
import type { Preset } from '../presets.js';
import { drawLimits, generate } from './generate.js';
import { HeadroomDesk } from './headroom.js';
import { withLine } from './files/lines.js';
import { UNWATCHED, inSteps } from './steps.js';
import { Occupancy, forLookup } from './occupancy.js';
import { RuledPlan, ruleName } from './racks.js';
import { withSizes } from './sizes/into.js';
import { withKind, withRule, withUncertainty } from './edits/rules.js';
import { withDemand, withoutZone, zonesOf } from './edits/what-if.js';
import type { ReplayDesk } from './replay/desk.js';
import type { ReplayOutline, ReplayPart, ReplayQuestion } from './replay/protocol.js';
import type { Checked, Learned, UsageOutline, UsageSeries } from './sizes/protocol.js';
import type { SizingDesk } from './sizes/sizing.js';
import type {
  AppDetail,
  AppEdit,
  Changes,
  ClusterNotes,
  Comparison,
  CountedByRule,
  DeskCalls,
  Edit,
  GivenFile,
  Grouping,
  InstanceFormat,
  Joining,
  LiveEvent,
  NodeView,
  OrderedMoves,
  Picture,
  PlanFormat,
  Present,
  Racks,
  ReadFile,
  Scenario,
} from './protocol.js';
import { isTsv, readCsv, readTsv, writeCsv } from './files/tables.js';
import { jsonOfYaml, looksLikeYaml } from './files/yaml.js';

/** Maximum of nodes plus placements of a plan from a file. */
const MOST_DRAWN = 10_000_000;

/** Bytes that a compressed file may stand for. */
const MOST_INFLATED = 2 ** 30;

/** Maximum of amounts of apps and nodes over all periods. */
const MOST_AMOUNTS = 2 ** 26;

/** The text of a file. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StowageError('MALFORMED', 'neither a .stow file nor text in UTF-8');
  }
}

/** A file as it was before gzip, where it begins as such a one. */
async function uncompressed(file: GivenFile): Promise<GivenFile> {
  const bytes = new Uint8Array(file.bytes);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return file;
  try {
    const content = await inflated(bytes, 'gzip', MOST_INFLATED);
    return { ...file, name: file.name.replace(/\.gz$/i, ''), bytes: content.buffer as ArrayBuffer };
  } catch (cause) {
    throw new StowageError('MALFORMED', cause instanceof RangeError ? cause.message : 'the compressed file is damaged', '', { cause });
  }
}

/** A file of YAML as one of JSON. */
async function inJson(file: GivenFile): Promise<GivenFile> {
  const start = new TextDecoder().decode(new Uint8Array(file.bytes, 0, Math.min(file.bytes.byteLength, LOOKED_AT)));
  if (!/\.ya?ml$/i.test(file.name) && !looksLikeYaml(start)) return file;
  const content = utf8(await jsonOfYaml(textOf(new Uint8Array(file.bytes))));
  return { ...file, name: file.name.replace(/\.ya?ml$/i, '.json'), bytes: content.buffer as ArrayBuffer };
}

/** Whether a text looks like objects of Kubernetes: its first document has a kind. */
const looksLikeKubernetes = (text: string): boolean =>
  /^\s*\{/.test(text) && /"kind"\s*:\s*"/.test(text) && /"(?:apiVersion|items|metadata)"\s*:/.test(text);

/** Whether a text is a plan in JSON. One that is no JSON is refused as an instance, with the place of the mistake. */
function isPlanJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'stowage_plan' in value;
  } catch {
    return false;
  }
}

/** What an instance without one asks for. */
const CONFIDENCE = 0.99;
/** So many bytes tell YAML from what else there is. */
const LOOKED_AT = 4096;
/** So many closed nodes are named. */
const MOST_CLOSED = 100;

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value);
const listOf = (limits: readonly [string, number][]): string => limits.map(([name, most]) => `${name}:${most}`).join(', ');

/** Reads limits such as "db:0, web:1". Fails with the path of the first wrong one. */
function parseLimits(written: string, positions: ReadonlyMap<string, number>): [number, number][] {
  return written
    .split(/[,;]/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const colon = part.lastIndexOf(':');
      const [name, most] = [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
      const app = positions.get(name);
      if (colon < 0 || !/^[0-9]+$/.test(most))
        throw new StowageError('INVALID', `"${part.trim()}" is not of the form app:number`, 'limits');
      if (app === undefined) throw new StowageError('INVALID', `there is no app "${name}"`, 'limits');
      return [app, Number(most)];
    });
}

/** A scenario: its columns, those that lookups use, and what a cluster's reader said. */
interface Kept {
  raw: InstanceColumns;
  lookup: InstanceColumns;
  cluster: ClusterNotes | undefined;
  /** The state of a session, where the scenario is one: it says more than the columns. */
  snapshot?: Uint8Array | undefined;
  /** The plan that ran when the session went on. */
  ran?: number | undefined;
}

export class Desk implements DeskCalls {
  /** The watch of the call that begins. A call reads it before its first `await`, since the next call replaces it. */
  watch = UNWATCHED;
  /** Gives the desk the library, which it does without until it is asked for something that needs it. */
  take!: (module: WebAssembly.Module) => void;
  private readonly compiled = new Promise<WebAssembly.Module>((resolve) => (this.take = resolve));
  private readonly scenarios = new Map<number, Kept>();
  private readonly plans = new Map<number, { scenario: number; occupancy: Occupancy }>();
  private loading: Promise<Stowage> | undefined;
  private sizingDesk: Promise<SizingDesk> | undefined;
  private replayDesk: Promise<ReplayDesk> | undefined;
  private readonly headroom = new HeadroomDesk(() => this.library());
  private nextScenario = 1;

  async generate(preset: Preset, classes?: ClassColumns[]): Promise<Scenario> {
    const columns = await inSteps(generate(preset), this.watch);
    return this.keep(classes === undefined ? columns : { ...columns, classes });
  }

  async read(compressed: readonly GivenFile[], present?: Present): Promise<ReadFile> {
    const { watch } = this;
    const files = await Promise.all(compressed.map(async (one) => inJson(await uncompressed(one))));
    const ending = { isCancelled: () => watch.cancelled };
    const file = files[0]!;
    const bytes = new Uint8Array(file.bytes);
    const identifier = String.fromCharCode(...bytes.subarray(4, 8));
    if (identifier === 'STOP') {
      return { kind: 'plan', bytes };
    }
    const title = file.name.replace(/\.[^.]*$/, '');
    if (identifier === 'STOI' || /\.stow$/i.test(file.name)) {
      return this.loaded(decodeInstance(bytes, ending), title, bytes.slice(), file.cluster);
    }
    const content = textOf(bytes);
    if (isTsv(content)) return this.loaded(readTsv(content), title);
    if (/\.json$/i.test(file.name) || content.trimStart().startsWith('{')) {
      if (looksLikeKubernetes(content)) return this.cluster(files, title, ending);
      await this.text();
      if (isPlanJson(content)) {
        return this.planRead(present, (columns, fingerprint) => planOf(content, columns, fingerprint, ending));
      }
      return this.loaded(
        withLine(content, () => columnsOf(content, ending)),
        title,
      );
    }
    if (isPlanCsv(content)) return this.planRead(present, (columns, fingerprint) => planFromCsv(content, columns, fingerprint, ending));
    return this.loaded(readCsv(content, present === undefined ? [] : this.instance(present.scenario).raw.classes), title);
  }

  /** Reads what kubectl printed, in one file or several. */
  private async cluster(files: readonly GivenFile[], title: string, ending: CallOptions): Promise<ReadFile> {
    const [kubernetes] = await Promise.all([loadKubernetes({ locateFile: () => kubernetesModule }), this.text()]);
    const objects = new Uint8Array(await new Blob(files.flatMap(({ bytes }) => [bytes, '\n'])).arrayBuffer());
    const { instance, leftOut, notes, held } = await kubernetes.read(objects, ending);
    const columns = columnsOf(instance, ending);
    return { kind: 'instance', scenario: this.keep(columns, undefined, { leftOut, notes, held }, title) };
  }

  async edit(scenario: number, edit: Edit): Promise<Scenario> {
    const { classes, apps, density, coefficients, sizes, demand, gone, rule, uncertainty } = edit;
    const { watch } = this;
    const { raw, cluster } = this.instance(scenario);
    if (gone !== undefined) await this.text();
    let columns = raw;
    if (apps !== undefined) for (const one of apps) columns = this.withApp(columns, one);
    if (rule !== undefined) columns = withRule(columns, rule);
    if (uncertainty !== undefined) columns = withUncertainty(columns, uncertainty);
    if (demand !== undefined) columns = withDemand(columns, demand);
    if (gone !== undefined) columns = withoutZone(columns, gone.key, gone.value);
    if (density !== undefined) {
      const limits = await inSteps(drawLimits(columns.apps.replicas.length, density.density, density.seed), watch);
      columns = { ...columns, limits };
    }
    if (coefficients !== undefined && columns.interference !== undefined) {
      columns = { ...columns, interference: { ...columns.interference, coefficient: Float64Array.from(coefficients) } };
    }
    if (sizes !== undefined) {
      const { apps: own } = forLookup(columns);
      const names = Array.from(own.replicas, (_, app) => appName(columns, app));
      columns = withSizes(columns, { names, demand: own.demand as Float64Array }, sizes);
    }
    return this.keep(classes === undefined ? columns : { ...columns, classes }, undefined, cluster);
  }

  appDetail(scenario: number, app: number): AppDetail {
    const { lookup } = this.instance(scenario);
    const { limits } = lookup;
    const written: [string, number][] = [];
    for (let k = limits?.rowBegin[app] ?? 0; k < (limits?.rowBegin[app + 1] ?? 0); ++k) {
      written.push([appName(lookup, limits!.app[k]!), limits!.atMost[k]!]);
    }
    return {
      app,
      name: appName(lookup, app),
      replicas: lookup.apps.replicas[app]!,
      peak: lookup.resources.map((_, resource) => peakOf(lookup, app, resource)),
      limits: listOf(written),
    };
  }

  async writeInstance(scenario: number, format: InstanceFormat): Promise<Uint8Array> {
    const { raw, lookup, snapshot } = this.instance(scenario);
    if (format === 'stow') return snapshot?.slice() ?? encodeInstance(raw);
    if (format === 'csv') return utf8(writeCsv(lookup));
    await this.text();
    return utf8(instanceToJson(raw));
  }

  expand(plan: Uint8Array): Uint8Array {
    return expandPlan(new Plan(plan), MOST_DRAWN).bytes;
  }

  addPlan(scenario: number, plan: number, bytes: Uint8Array): Picture {
    const { lookup } = this.instance(scenario);
    const content = new Plan(bytes);
    const occupancy = new Occupancy(lookup, content, nodeNames(content, lookup));
    this.plans.set(plan, { scenario, occupancy });
    return occupancy.picture();
  }

  async writePlan(plan: number, format: PlanFormat): Promise<Uint8Array> {
    const { plan: content, columns } = this.occupancy(plan);
    if (format === 'stow') return content.bytes.slice();
    if (format === 'csv') return utf8(planToCsv(content, columns));
    await this.text();
    return utf8(planToJson(content, columns));
  }

  async explanation(plan: number, explanation: Uint8Array): Promise<string> {
    const { plan: content } = this.occupancy(plan);
    const { raw } = this.instance(this.plans.get(plan)!.scenario);
    await this.text();
    return explanationToText(explanation, content, raw);
  }

  nodes(plan: number, nodes: readonly number[]): NodeView[] {
    return nodes.map((node) => this.occupancy(plan).view(node));
  }

  joining(plan: number, app: number, node?: number): Promise<Joining> {
    const { plan: content } = this.occupancy(plan);
    const { scenario } = this.plans.get(plan)!;
    return this.headroom.joining(scenario, this.instance(scenario).raw, content, app, node);
  }

  compare(first: number, second: number): Comparison {
    return compare(this.occupancy(first), this.occupancy(second), this.same(first, second));
  }

  changes(first: number, second: number): Changes {
    return changes(this.occupancy(first), this.occupancy(second), this.same(first, second));
  }

  async orderedMoves(first: number, second: number): Promise<OrderedMoves> {
    const [one, other] = [this.plans.get(first), this.plans.get(second)];
    if (one === undefined || one.scenario !== other?.scenario)
      throw new StowageError('INVALID_ARGUMENT', 'moves are ordered between two plans of one scenario');
    const [{ orderedMoves }, library] = await Promise.all([import('./plans/moves.js'), this.library()]);
    return orderedMoves(library, this.instance(one.scenario).raw, one.occupancy, other.occupancy);
  }

  async happens(plan: number, event: LiveEvent): Promise<Scenario> {
    const { scenario, occupancy } = this.plans.get(plan) ?? {};
    if (scenario === undefined || occupancy === undefined) throw new StowageError('NOT_FOUND', `there is no plan ${plan}`);
    const { raw, snapshot, cluster } = this.instance(scenario);
    const [{ happened }, library] = await Promise.all([import('./plans/live.js'), this.library(), this.text()]);
    const after = happened(library, snapshot ?? raw, raw.nodes?.nodeClass.length ?? 0, occupancy.plan, event);
    const next = this.keep(decodeInstance(after), after.slice(), cluster);
    Object.assign(this.instance(next.id), { snapshot: after, ran: plan });
    return next;
  }

  groupings(plan: number): Grouping[] {
    const { columns, plan: content } = this.occupancy(plan);
    return groupingsOf(columns, content);
  }

  largestKinds(plan: number): Uint8Array {
    return this.occupancy(plan).largestKinds();
  }

  racks(plan: number): Racks {
    return this.ruled(plan).racks();
  }

  counted(plan: number, rule: number, node?: number): CountedByRule[] {
    return this.ruled(plan).counted(rule, node);
  }

  private ruled(plan: number): RuledPlan {
    const { columns, plan: content } = this.occupancy(plan);
    return new RuledPlan(columns, content);
  }

  async learn(text: string): Promise<Checked<Learned>> {
    return (await this.sizing()).learn(text);
  }

  async readSamples(text: string): Promise<Checked<Samples>> {
    return (await this.sizing()).readSamples(text);
  }

  async recommend(goal: Goal): Promise<Checked<Recommendations>> {
    return (await this.sizing()).recommend(goal);
  }

  async readUsage(text: string): Promise<Checked<UsageOutline>> {
    return (await this.sizing()).readUsage(text);
  }

  async size(rules: readonly SizeRule[]): Promise<Checked<Sizes>> {
    return (await this.sizing()).size(rules);
  }

  async usageOver(app: number, steps: number): Promise<UsageSeries> {
    return (await this.sizing()).usageOver(app, steps);
  }

  async openReplay(question: ReplayQuestion): Promise<Checked<ReplayOutline>> {
    return (await this.replaying()).openReplay(question);
  }

  async replayOn(milliseconds: number): Promise<ReplayPart> {
    return (await this.replaying()).replayOn(milliseconds);
  }

  forget(scenario: number): void {
    this.scenarios.delete(scenario);
    this.headroom.forget(scenario);
    for (const [plan, one] of this.plans) if (one.scenario === scenario) this.plans.delete(plan);
  }

  /** Loaded with the first question, because most visitors ask none. */
  private sizing(): Promise<SizingDesk> {
    return (this.sizingDesk ??= import('./sizes/sizing.js').then((module) => new module.SizingDesk(() => this.library())));
  }

  /** Loaded with the first trace. */
  private replaying(): Promise<ReplayDesk> {
    return (this.replayDesk ??= Promise.all([import('./replay/desk.js'), this.library(), this.text()]).then(
      ([module, library]) => new module.ReplayDesk(library),
    ));
  }

  /** Loads what reads and writes JSON, which most visits need little of. */
  private text(): Promise<void> {
    return loadText({ locateFile: () => textModule });
  }

  library(): Promise<Stowage> {
    return (this.loading ??= this.compiled.then((wasmModule) => loadStowage({ wasmModule })));
  }

  private instance(scenario: number): Kept {
    const found = this.scenarios.get(scenario);
    if (found === undefined) throw new StowageError('NOT_FOUND', `there is no scenario ${scenario}`);
    return found;
  }

  /** The nodes of a plan in the plan after it, where something has happened between the two; else nodes have no identity. */
  private same(first: number, second: number): Int32Array | undefined {
    const [one, other] = [this.plans.get(first), this.plans.get(second)];
    if (one === undefined || other === undefined || this.scenarios.get(other.scenario)?.ran !== first) return undefined;
    const listed = this.instance(one.scenario).raw.nodes?.nodeClass.length ?? 0;
    return sameNodes(one.occupancy.plan, other.occupancy.plan, listed);
  }

  private occupancy(plan: number): Occupancy {
    const found = this.plans.get(plan);
    if (found === undefined) throw new StowageError('NOT_FOUND', `there is no plan ${plan}`);
    return found.occupancy;
  }

  /** Reads a plan that names apps and nodes, which refer to the scenario that the page shows. */
  private planRead(present: Present | undefined, read: (columns: InstanceColumns, fingerprint: bigint) => Plan): ReadFile {
    if (present === undefined) throw new StowageError('INVALID_ARGUMENT', 'the plan needs an instance; open its instance first');
    return { kind: 'plan', bytes: read(this.instance(present.scenario).lookup, present.fingerprint).bytes };
  }

  private loaded(columns: InstanceColumns, title: string, bytes?: Uint8Array, cluster?: ClusterNotes): ReadFile {
    return { kind: 'instance', scenario: this.keep(columns, bytes, cluster, columns.name || title) };
  }

  /** @param name what the scenario is called; the instance stays as it is */
  private keep(raw: InstanceColumns, given?: Uint8Array, cluster?: ClusterNotes, name = raw.name ?? ''): Scenario {
    const bytes = given ?? encodeInstance(raw);
    // The library decides what it accepts. Here, only columns that would break the lookups are refused.
    const lookup = checkedLookup(raw);
    const id = this.nextScenario++;
    this.scenarios.set(id, { raw, lookup, cluster });
    const { apps, resources, classes, limits, nodes, periods = 1 } = lookup;
    const count = apps.replicas.length;
    return {
      id,
      cluster,
      name,
      resources,
      periods,
      classes,
      bytes,
      appNames: Array.from({ length: count }, (_, app) => appName(lookup, app)),
      replicas: Uint32Array.from(apps.replicas),
      peak: Float64Array.from({ length: count * resources.length }, (_, k) =>
        peakOf(lookup, Math.floor(k / resources.length), k % resources.length),
      ),
      listedNodes: nodes?.nodeClass.length ?? 0,
      limits: limits?.app.length ?? 0,
      ruleNames: (lookup.rules ?? []).map(ruleName),
      kindNames: kindNames(lookup),
      uncertain: lookup.uncertainty !== undefined,
      uncertainty: lookup.uncertainty && {
        model: lookup.uncertainty.model ?? 'gaussian',
        confidence: lookup.uncertainty.confidence ?? CONFIDENCE,
        factor: lookup.uncertainty.factor ?? 0,
      },
      running: (lookup.running?.app.length ?? 0) > 0,
      kinds: Uint32Array.from(apps.kind ?? []),
      coefficients: Float64Array.from(lookup.interference?.coefficient ?? []),
      loadResource: lookup.interference?.resource ?? 0,
      zones: zonesOf(lookup),
      priority: Int32Array.from(apps.priority ?? []),
      closed: closedNodes(lookup),
    };
  }

  private withApp(columns: InstanceColumns, edit: AppEdit): InstanceColumns {
    const { resources, periods = 1 } = columns;
    const full = forLookup(columns);
    const count = full.apps.replicas.length;
    const app = edit.app ?? count;
    const width = resources.length * periods;
    const names = Array.from({ length: Math.max(count, app + 1) }, (_, k) => (k < count ? appName(full, k) : ''));
    if (edit.name.trim() === '') throw new StowageError('INVALID', 'must not be empty', 'name');
    if (names.some((name, k) => k !== app && name === edit.name)) {
      throw new StowageError('INVALID', `"${edit.name}" is already the name of another app`, 'name');
    }
    names[app] = edit.name;
    const demand = new Float64Array(names.length * width);
    demand.set(full.apps.demand as Float64Array);
    resources.forEach((_, resource) => {
      const before = app < count ? peakOf(full, app, resource) : 0;
      const goal = edit.peak[resource]!;
      for (let d = app * width + resource * periods; d < app * width + (resource + 1) * periods; ++d) {
        // The profile is scaled and keeps its shape.
        if (before !== goal) demand[d] = before > 0 ? (demand[d]! * goal) / before : goal;
      }
    });
    const replicas = new Uint32Array(names.length);
    replicas.set(full.apps.replicas as Uint32Array);
    replicas[app] = edit.replicas;
    const limits = withRow(full.limits, count, names.length, app, edit.limits, new Map(names.map((name, k) => [name, k])));
    const extra = <Values extends ArrayLike<number>>(values: Values | undefined, per: number): number[] | undefined =>
      values === undefined ? undefined : Array.from({ length: names.length * per }, (_, k) => values[k] ?? 0);
    const { apps } = columns;
    if (app === count && (apps.variance ?? apps.supportMin ?? apps.kind ?? apps.tags) !== undefined) {
      throw new StowageError(
        'UNSUPPORTED',
        'apps of this instance have tags, kinds or variances; add the app in the file',
        'apps',
      );
    }
    const edited = { ...columns, apps: { ...apps, names, replicas, demand, priority: extra(apps.priority, 1) }, limits };
    return edit.kind === undefined ? edited : withKind(edited, app, edit.kind);
  }
}

function closedNodes(columns: InstanceColumns): string[] {
  const names: string[] = [];
  columns.nodes?.closed?.forEach((closed: number, node: number) => {
    if (closed !== 0 && names.length < MOST_CLOSED) names.push(listedName(columns, node));
  });
  return names;
}

/** Kinds without names have their position. */
function kindNames({ interference }: InstanceColumns): string[] {
  const kinds = Math.round(Math.sqrt(interference?.coefficient.length ?? 0));
  return Array.from({ length: kinds }, (_, kind) => interference?.kinds?.[kind] ?? `#${kind}`);
}

function peakOf(columns: InstanceColumns, app: number, resource: number): number {
  const { resources, periods = 1, apps } = columns;
  const begin = (app * resources.length + resource) * periods;
  let most = 0;
  for (let d = begin; d < begin + periods; ++d) most = Math.max(most, apps.demand[d]!);
  return most;
}

function withRow(
  limits: LimitColumns | undefined,
  before: number,
  after: number,
  app: number,
  written: string,
  positions: ReadonlyMap<string, number>,
): LimitColumns {
  const row = parseLimits(written, positions).sort(([a], [b]) => a - b);
  const old = limits ?? { rowBegin: new Uint32Array(before + 1), app: new Uint32Array(), atMost: new Uint32Array() };
  const rowBegin = new Uint32Array(after + 1);
  const [begin, end] = app < before ? [old.rowBegin[app]!, old.rowBegin[app + 1]!] : [old.app.length, old.app.length];
  const grown = row.length - (end - begin);
  for (let k = 0; k <= after; ++k) {
    const was = old.rowBegin[Math.min(k, before)]!;
    rowBegin[k] = k <= app ? was : was + grown;
  }
  const spliced = (values: ArrayLike<number>, entries: number[]): Uint32Array => {
    const all = new Uint32Array(values.length + grown);
    const source = values as Uint32Array;
    all.set(source.subarray(0, begin));
    all.set(entries, begin);
    all.set(source.subarray(end), begin + entries.length);
    return all;
  };
  return {
    rowBegin,
    app: spliced(
      old.app,
      row.map(([other]) => other),
    ),
    atMost: spliced(
      old.atMost,
      row.map(([, most]) => most),
    ),
  };
}

/** Checks lengths and indices of the columns, so that lookups never read outside them. */
function checkedLookup(raw: InstanceColumns): InstanceColumns {
  const { apps, resources, classes, limits, nodes, periods = 1 } = raw;
  const wrong = (path: string, message: string): StowageError => new StowageError('INVALID', message, path);
  const count = apps.replicas.length;
  const cells = count * resources.length;
  if (periods < 1 || periods > 100_000) throw wrong('periods', 'must be from 1 to 100000');
  const amounts = (count + (nodes?.nodeClass.length ?? 0)) * resources.length * periods;
  if (amounts > MOST_AMOUNTS) throw wrong('periods', `make ${amounts} amounts; the explorer shows at most ${MOST_AMOUNTS}`);
  if (apps.demand.length !== cells && apps.demand.length !== cells * periods) {
    throw wrong('apps.demand', `has ${apps.demand.length} entries; expected ${cells} or ${cells * periods}`);
  }
  classes.forEach(({ capacity }, k) => {
    if (capacity.length !== resources.length)
      throw wrong(`classes[${k}].capacity`, `has ${capacity.length} entries; expected ${resources.length}`);
  });
  if (limits !== undefined) {
    const { rowBegin, app, atMost } = limits;
    let fits =
      rowBegin.length === count + 1 && rowBegin[0] === 0 && rowBegin[count] === app.length && atMost.length === app.length;
    for (let k = 0; fits && k < count; ++k) fits = rowBegin[k]! <= rowBegin[k + 1]!;
    if (!fits) throw wrong('limits.row_begin', 'does not fit the apps and the limits');
    const beyond = (app as Uint32Array).findIndex((other) => other >= count);
    if (beyond >= 0) throw wrong(`limits.app[${beyond}]`, `${app[beyond]!} is not an app`);
  }
  nodes?.nodeClass.forEach((one, k) => {
    if (one >= classes.length) throw wrong(`nodes.node_class[${k}]`, `${one} is not a class`);
  });
  const listed = (nodes?.nodeClass.length ?? 0) * resources.length;
  const loads = nodes?.load?.length ?? 0;
  if (loads !== 0 && loads !== listed && loads !== listed * periods)
    throw wrong('nodes.load', `has ${loads} entries; expected ${listed}`);
  return forLookup(raw);
}
