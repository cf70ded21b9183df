import './style.css';
import { Plan, StowageError, explanationBytes, type ClassColumns, type Explanation, type Objective, type Progress } from 'stowage';
import { startDesk } from './desk/client.js';
import type { Preset } from './presets.js';
import type { Edit, GivenFile, InstanceFormat, LiveEvent, PlanFormat, Scenario as ScenarioData } from './desk/protocol.js';
import type { LearnedSizes } from './desk/sizes/protocol.js';
import { keepOffline, takeNewVersion } from './offline/register.js';
import { Planning } from './planning.js';
import { compareStanding, unplacedOf, type Standing } from './ranking.js';
import { optionsText, requestFor, type NamedRequest } from './requests.js';
import { Shelf } from './kept.js';
import { fromFragment, toFragment, type Recipe } from './share.js';
import { Store, type Course, type Outcome, type Scenario } from './state.js';
import { showCluster } from './view/cluster/notes.js';
import { startPaste } from './view/cluster/paste.js';
import { CompareView } from './view/compare.js';
import { keepTheme } from './theme.js';
import { whileBusy, type Busy } from './view/elements/busy.js';
import { isDark } from './view/elements/colors.js';
import { DetailView } from './view/detail.js';
import { buildUncertainty } from './view/edits/uncertainty.js';
import { EffectsView } from './view/effects.js';
import { button, byId, download, h, nextTask } from './view/elements/dom.js';
import { count } from './view/elements/format.js';
import { showWords, startGlossary } from './view/elements/glossary.js';
import { LiveView } from './view/live/live.js';
import { PictureView } from './view/picture/picture.js';
import { showCourse } from './view/runs/course.js';
import { RacksView } from './view/racks.js';
import { ResultsView } from './view/results.js';
import { showMatrix } from './view/scenarios/matrix.js';
import { ScenariosPanel, bestOf } from './view/scenarios/panel.js';
import { SetupView } from './view/setup/setup.js';
import type { ReplayPage } from './view/replay/page.js';
import type { SizesPage } from './view/sizes/page.js';
import { showStory } from './view/story.js';
import { showSummary } from './view/summary.js';
import { showWhy } from './view/why.js';

const FIRST: Preset = { preset: 'shop', apps: 12, density: 0, seed: 1 };
const MOST_SCENARIOS = 12;
/** More limits than that in all scenarios together would take too much memory. */
const MOST_LIMITS = 200_000_000;

const store = new Store();
const desk = startDesk();
const starting = Planning.start((scenario) => desk.writeInstance(scenario.id, 'stow'));
let nextOutcome = 1;
/** Number of the present run. Starting or cancelling a run increments it; a run with an earlier number reports nothing. */
let turn = 0;

function fail(error: unknown, what = ''): void {
  if (error instanceof StowageError && error.code === 'CANCELLED') return;
  const box = byId('notice');
  const parts =
    error instanceof StowageError
      ? [h('strong', {}, error.code), ' ', ...(error.path === '' ? [] : [h('code', {}, error.path), ' ']), error.message]
      : [error instanceof Error ? error.message : String(error)];
  box.replaceChildren(
    h(
      'p',
      {},
      what === '' ? '' : `${what}: `,
      ...parts,
      ' ',
      button('Close', () => box.replaceChildren(), 'quiet'),
    ),
  );
}

/** Announces a change to screen readers. */
const say = (text: string): void => void (byId('status').textContent = text);

function attempt(work: () => Promise<void>, what = ''): void {
  byId('notice').replaceChildren();
  work().catch((error: unknown) => fail(error, what));
}

// ------------------------------------------------------------------------------------------------------------- scenarios

/** What a scenario is planned for unless the visitor chooses something else. */
const objectiveOf = ({ kindNames }: ScenarioData): Objective => (kindNames.length > 0 ? 'worst' : 'nodes');

/** A label that no other scenario has. */
function freeLabel(wanted: string): string {
  const taken = new Set(store.state.scenarios.map((one) => one.label));
  let label = wanted;
  for (let k = 2; taken.has(label); ++k) label = `${wanted} (${k})`;
  return label;
}

/** @param busy shows the work and lets the visitor cancel it; then nothing changes */
async function enter(
  data: ScenarioData,
  label: string,
  recipe: Recipe | undefined,
  parent?: Scenario,
  busy?: Busy,
): Promise<Scenario> {
  const planning = await starting;
  const scenario: Scenario = { ...data, label: label || data.name || `scenario ${data.id}`, recipe, parent };
  busy?.say(`Checking ${count(data.replicas.length, 'app')} and ${count(data.limits, 'limit')}`);
  try {
    await planning.instance(scenario, busy?.signal);
    busy?.signal.throwIfAborted();
  } catch (error) {
    void desk.forget(scenario.id);
    throw error;
  }
  scenario.label = freeLabel(scenario.label);
  store.change({ scenarios: [...store.state.scenarios, scenario] });
  show(scenario);
  makeRoom();
  return scenario;
}

/** Discards the oldest scenarios where there are too many; the baseline and the present one stay. */
function makeRoom(): void {
  for (;;) {
    const { scenarios, baseline, scenario } = store.state;
    const limits = scenarios.reduce((sum, one) => sum + one.limits, 0);
    const old = scenarios.find((one) => one !== baseline && one !== scenario);
    if (old === undefined || (scenarios.length <= MOST_SCENARIOS && limits <= MOST_LIMITS)) return;
    discard(old);
  }
}

/** Removes a scenario and its plans; scenarios made from it then count as made from what it was made from. */
function discard(old: Scenario): void {
  void desk.forget(old.id);
  const { scenarios, outcomes, baseline } = store.state;
  for (const one of scenarios) if (one.parent === old) one.parent = old.parent;
  store.change(
    {
      scenarios: scenarios.filter((one) => one !== old),
      outcomes: outcomes.filter((one) => one.scenario !== old),
      baseline: baseline === old ? undefined : baseline,
    },
    'scenario',
    'outcomes',
  );
}

/** Shows a scenario and its best plan. */
function show(scenario: Scenario): void {
  const objective = objectiveOf(scenario);
  store.change({ objective });
  store.change(
    { scenario, shown: bestOf(store, scenario), node: undefined, app: undefined, time: 0 },
    'scenario',
    'shown',
    'outcomes',
    'objective',
  );
}

/** A scenario that the visitor asked for is looked at from its beginning. */
const toTop = (): void => scrollTo({ top: 0 });

function generate(preset: Preset, classes?: ClassColumns[]): Promise<void> {
  return stopped(async () => {
    const recipe = { preset, ...(classes === undefined ? {} : { classes }) };
    const scenario = await whileBusy('Generating', async (busy) =>
      enter(await desk.generate(preset, classes, busy.watching), '', recipe, undefined, busy),
    );
    toTop();
    await firstPlans(scenario);
  });
}

async function edited(edit: Edit, label: string, scenario = store.state.scenario): Promise<Scenario | undefined> {
  if (scenario === undefined) return undefined;
  const recipe =
    (Object.keys(edit) as (keyof Edit)[]).every((what) => what === 'classes') && scenario.recipe !== undefined
      ? { ...scenario.recipe, ...(edit.classes === undefined ? {} : { classes: edit.classes }) }
      : undefined;
  return whileBusy('Changing the instance', async (busy) =>
    enter(await desk.edit(scenario.id, edit, busy.watching), label, recipe, scenario, busy),
  );
}

function open(files: FileList | readonly File[]): void {
  const [first] = files;
  if (first === undefined) return;
  attempt(async () => {
    const given = Array.from(files, async (file) => ({ name: file.name, bytes: await file.arrayBuffer() }));
    await take(await Promise.all(given));
  }, first.name);
}

/** Reads files, and plans what is in them or shows the plan that is in them. Ends as soon as they are read. */
async function take(files: readonly GivenFile[]): Promise<void> {
  await stopped(async () => {
    const { scenario } = store.state;
    const planning = await starting;
    const present = scenario && { scenario: scenario.id, fingerprint: (await planning.instance(scenario)).fingerprint };
    const { entered, bytes } = await whileBusy(`Reading ${files[0]!.name}`, async (busy) => {
      const read = await desk.read(files, present, busy.watching);
      if (read.kind === 'plan') return { bytes: read.bytes };
      return { entered: await enter(read.scenario, '', undefined, undefined, busy) };
    });
    if (entered !== undefined) {
      toTop();
      attempt(() => firstPlans(entered));
    }
    if (scenario === undefined || bytes === undefined) return;
    const { plan, verification } = await planning.verified(scenario, bytes);
    // The picture draws every copy of a node separately.
    const drawn = plan.copies === undefined ? plan : new Plan(await desk.expand(plan.bytes));
    showPlan(await keep(scenario, { plan: drawn, broken: verification.violationCount }, '', undefined));
    if (!verification.ok)
      fail(new StowageError('INVALID', `the plan breaks ${count(verification.violationCount, 'constraint')}`), files[0]!.name);
  });
}

// ----------------------------------------------------------------------------------------------------------------- plans

/** Whether the first plan is better than the second one, or equal and proven to be optimal where the other is not. */
function isBetter(scenario: Scenario, one: Standing, other: Standing): boolean {
  const order = compareStanding(scenario, one, other, store.state.objective);
  return order < 0 || (order === 0 && one.plan.status === 'optimal' && other.plan.status !== 'optimal');
}

/**
 * Keeps a plan, and shows it if it is better than the one shown. Of several runs of a planner with the same options, the best
 * plan stays; it is returned.
 * @param milliseconds undefined for a plan from a file; all of these stay
 */
async function keep(
  scenario: Scenario,
  standing: Standing,
  options: string,
  milliseconds: number | undefined,
): Promise<Outcome> {
  const { plan } = standing;
  const before = store.state.outcomes.find(
    (one) =>
      one.scenario === scenario &&
      one.planner === plan.planner &&
      one.options === options &&
      one.milliseconds !== undefined &&
      milliseconds !== undefined,
  );
  if (before !== undefined && !isBetter(scenario, standing, before)) return before;
  const id = nextOutcome++;
  const picture = await desk.addPlan(scenario.id, id, plan.bytes);
  const outcome: Outcome = { id, scenario, planner: plan.planner, options, ...standing, picture, milliseconds };
  const outcomes = [...store.state.outcomes.filter((one) => one !== before), outcome];
  store.change({ outcomes }, 'outcomes');
  // A result for an earlier scenario is kept but not shown.
  const { shown } = store.state;
  if (scenario !== store.state.scenario) return outcome;
  if (shown === undefined || shown.scenario !== scenario || shown === before || isBetter(scenario, outcome, shown))
    showPlan(outcome);
  return outcome;
}

function showPlan(outcome: Outcome): void {
  const node = store.state.shown?.scenario === outcome.scenario ? store.state.node : undefined;
  const kept = node !== undefined && node < outcome.plan.nodeClass.length ? node : undefined;
  store.change({ shown: outcome, node: kept }, 'shown');
}

const PHASES: Record<Progress['phase'], string> = {
  idle: 'waiting',
  prepare: 'preparing',
  plan: 'planning',
  improve: 'improving',
  bound: 'bounding',
  verify: 'checking',
  done: 'done',
};

function progressText({ phase, done, total, best }: Progress): string {
  const parts = [PHASES[phase]];
  if (total !== undefined && total > 0) parts.push(`${Math.min(100, Math.floor((100 * done) / total))} %`);
  if (best !== undefined) parts.push(`best so far ${count(best, 'node')}`);
  return parts.join(', ');
}

/** Adds the best plan so far to a course, and the present time where it is the same plan. */
function follow(course: Course, { best, value, leftOver }: Progress, at: number): void {
  if (best === undefined) return;
  const now = { at, value: value ?? best, nodes: best, left: leftOver };
  const same = (one: Course['points'][number] | undefined): boolean =>
    one !== undefined && one.value === now.value && one.nodes === now.nodes && one.left === now.left;
  if (same(course.points.at(-1)) && same(course.points.at(-2))) course.points.pop();
  course.points.push(now);
  store.change({ course }, 'course');
}

/**
 * Runs planners in sequence, and shows the best plan.
 * @param adapt returns the request to run in place of the given one, from the outcomes of the earlier requests
 */
async function run(
  scenario: Scenario,
  requests: readonly NamedRequest[],
  adapt: (request: NamedRequest, before: readonly Outcome[]) => NamedRequest = (request) => request,
): Promise<Outcome[]> {
  const planning = await starting;
  const mine = ++turn;
  const outcomes: Outcome[] = [];
  const report = (position: number, text: string, share: number | undefined): void => {
    if (mine !== turn) return;
    const { planner } = requests[position]!;
    store.change({ running: { planner, position: position + 1, total: requests.length, text, share } }, 'running');
  };
  try {
    for (let k = 0; k < requests.length && mine === turn; ++k) {
      report(k, 'starting', undefined);
      try {
        const request = requestFor(requests[k]!, store.state);
        const course: Course = { scenario, planner: request.planner, points: [] };
        const begin = performance.now();
        const { plan, milliseconds } = await planning.plan(scenario, adapt(request, outcomes), (progress) => {
          report(k, progressText(progress), progress.total ? Math.min(1, progress.done / progress.total) : undefined);
          if (mine === turn) follow(course, progress, performance.now() - begin);
        });
        if (!store.state.scenarios.includes(scenario)) break;
        outcomes.push(await keep(scenario, { plan, broken: 0 }, optionsText(request, scenario), milliseconds));
      } catch (error) {
        if (error instanceof StowageError && error.code === 'CANCELLED') break;
        // If a planner refuses the instance, the others still run.
        fail(error, requests[k]!.planner);
      }
    }
  } finally {
    if (mine === turn) store.change({ running: undefined }, 'running');
  }
  const last = outcomes.at(-1);
  if (last !== undefined) {
    const left = unplacedOf(last.plan);
    say(`${last.planner}: ${count(last.plan.nodes, 'node')}${left > 0 ? `, ${count(left, 'replica')} unplaced` : ''}`);
  }
  return outcomes;
}

/**
 * The deadline of `auto` is at least this many times the run time of first fit, because large workloads need more than its
 * default.
 */
const AUTO_OVER_FIRST_FIT = 10;

/** Shows the plan of first fit at once, then the better plan of `auto`. */
async function firstPlans(scenario: Scenario): Promise<void> {
  // What a cluster only prefers costs no node, as in the command stowage-k8s.
  const soft = scenario.cluster === undefined ? {} : ({ soft: 'last' } as const);
  await run(scenario, [{ planner: 'ff', ...soft }, { planner: 'auto', ...soft }], (request, [first]) => {
    const own = store.state.catalogue.find(({ name }) => name === request.planner)?.defaultDeadlineMs;
    if (own === undefined || first?.milliseconds === undefined) return request;
    return { ...request, deadlineMs: Math.max(own, Math.round(AUTO_OVER_FIRST_FIT * first.milliseconds)) };
  });
}

async function cancel(): Promise<void> {
  ++turn;
  (await starting).cancel();
  store.change({ running: undefined }, 'running');
  say('cancelled');
}

async function stopped(work: () => Promise<void>): Promise<void> {
  if (store.state.running !== undefined) await cancel();
  await work();
}

async function replanned(edit: Edit, label: string): Promise<void> {
  await stopped(async () => {
    const scenario = await edited(edit, label);
    if (scenario !== undefined) await firstPlans(scenario);
  });
}

async function whatIf(edit: Edit, label: string): Promise<void> {
  const base = store.state.baseline ?? store.state.scenario;
  if (base === undefined) return;
  const before = base === store.state.scenario ? store.state.shown : bestOf(store, base);
  const scenario = await edited(edit, label, base);
  if (scenario === undefined) return;
  const planner = before?.milliseconds === undefined ? 'auto' : before.planner;
  const [after] = await run(scenario, [{ planner }]);
  if (before === undefined || after === undefined || !store.state.outcomes.includes(before)) return;
  await compare.choose(before, after);
  await keepsItsHeight();
  document.getElementById('compare-said')?.scrollIntoView({ block: 'center' });
}

/** Waits until the page keeps its height for some frames, because its parts are built one by one; a second at most. */
async function keepsItsHeight(): Promise<void> {
  let height = -1;
  for (let frame = 0, same = 0; frame < 60 && same < 8; ++frame) {
    await new Promise(requestAnimationFrame);
    same = document.body.scrollHeight === height ? same + 1 : 0;
    height = document.body.scrollHeight;
  }
}

/** Something happens while the plan that is shown runs; what waits is placed, with at most so many moves of what runs. */
async function happens(event: LiveEvent, label: string, moveBudget: number): Promise<void> {
  const { shown: before } = store.state;
  if (before === undefined) return;
  const scenario = await enter(await desk.happens(before.id, event), label, undefined, before.scenario);
  const soft = scenario.cluster === undefined ? {} : ({ soft: 'last' } as const);
  const [after] = await run(scenario, [{ planner: 'auto', ...soft, ...(moveBudget > 0 ? { moveBudget } : {}) }]);
  if (after !== undefined && store.state.outcomes.includes(before)) live.tell(before, after, await desk.compare(before.id, after.id));
}

async function explain({ scenario, plan }: Outcome, app?: number): Promise<Explanation> {
  const planning = await starting;
  return whileBusy('Explaining', ({ signal }) => planning.explain(scenario, plan, app, signal));
}

async function explained(outcome: Outcome, app?: number): Promise<string> {
  return desk.explanation(outcome.id, explanationBytes(await explain(outcome, app)));
}

/** Another scenario with the same content. */
async function duplicate(): Promise<void> {
  const { scenario } = store.state;
  if (scenario === undefined) return;
  const best = bestOf(store, scenario);
  const copy = await edited({}, `${scenario.label}, copy`);
  if (copy === undefined || best === undefined) return;
  copy.recipe = scenario.recipe;
  const { plan, broken } = best;
  showPlan(await keep(copy, { plan, broken }, best.options, best.milliseconds));
}

function rename(label: string): void {
  const { scenario } = store.state;
  if (scenario === undefined || label === '' || label === scenario.label) return;
  scenario.label = freeLabel(label);
  store.change({}, 'scenario', 'shown', 'outcomes');
}

function leave(old: Scenario, next: Scenario): void {
  show(next);
  discard(old);
}

function undo(): void {
  const { scenario } = store.state;
  if (scenario?.parent !== undefined) attempt(() => stopped(async () => leave(scenario, scenario.parent!)));
}

async function fillMatrix(missing: readonly { scenario: Scenario; request: NamedRequest }[]): Promise<void> {
  for (const { scenario, request } of missing) {
    const mine = turn;
    await run(scenario, [request]);
    // The run counts one up; anything else has ended the whole.
    if (turn !== mine + 1) return;
  }
}

async function saveReport(): Promise<void> {
  const { shown } = store.state;
  if (shown === undefined) return;
  const { reportOf } = await import('./report.js');
  const bytes = new TextEncoder().encode(reportOf(store.state, shown));
  download(bytes, `${fileName(shown.scenario.label)}-report.html`, 'text/html');
}

// ------------------------------------------------------------------------------------------------------------------- kept

const shelf = new Shelf(
  store,
  (scenario) => desk.writeInstance(scenario.id, 'stow'),
  async (scenario) => `${(await (await starting).instance(scenario)).fingerprint} ${scenario.label}`,
);

/** Brings back what this browser kept and the page does not show yet. Shows what was shown, where nothing is. */
async function bringBack(): Promise<void> {
  const planning = await starting;
  const kept = await shelf.all();
  const labels = new Set(store.state.scenarios.map(({ label }) => label));
  const made = new Map<string, Scenario>();
  for (const one of kept.filter(({ label }) => !labels.has(label))) {
    const bytes = one.bytes.slice().buffer;
    const read = await desk.read([{ name: 'kept.stow', bytes, cluster: one.cluster }]);
    if (read.kind !== 'instance') continue;
    const { label, recipe, parent } = one;
    const scenario: Scenario = { ...read.scenario, label, recipe, parent: made.get(parent ?? '') };
    made.set(one.key, scenario);
    store.change({ scenarios: [...store.state.scenarios, scenario], ...(one.baseline ? { baseline: scenario } : {}) }, 'scenario');
    for (const { planner, options, bytes: plan, broken, milliseconds } of one.plans) {
      const content = new Plan(plan);
      const id = nextOutcome++;
      const picture = await desk.addPlan(scenario.id, id, content.bytes);
      const outcome: Outcome = { id, scenario, planner, options, plan: content, broken, picture, milliseconds };
      store.change({ outcomes: [...store.state.outcomes, outcome] }, 'outcomes');
    }
  }
  if (store.state.scenario !== undefined) return;
  const present = made.get(kept.find((one) => one.present)?.key ?? '') ?? [...made.values()].at(-1);
  if (present === undefined) return;
  await planning.instance(present);
  show(present);
  if (store.state.shown === undefined) await firstPlans(present);
}

// ------------------------------------------------------------------------------------------------------------------ files

const TYPES = { stow: 'application/octet-stream', json: 'application/json', csv: 'text/csv' } as const;
const fileName = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase() || 'stowage';

async function saveInstance(format: InstanceFormat): Promise<void> {
  const { scenario } = store.state;
  if (scenario === undefined) return;
  download(await desk.writeInstance(scenario.id, format), `${fileName(scenario.label)}.${format}`, TYPES[format]);
}

async function savePlan(format: PlanFormat): Promise<void> {
  const { shown } = store.state;
  if (shown === undefined) return;
  const name = `${fileName(shown.scenario.label)}-${fileName(shown.planner)}-plan.${format}`;
  download(await desk.writePlan(shown.id, format), name, TYPES[format]);
}

async function share(): Promise<void> {
  const { scenario } = store.state;
  if (scenario === undefined) return;
  const bytes = scenario.recipe === undefined ? await desk.writeInstance(scenario.id, 'stow') : new Uint8Array();
  const fragment = await toFragment(scenario.recipe, bytes);
  if (fragment === undefined) throw new Error('the scenario is too large for a link; save the instance as a file instead');
  history.replaceState(null, '', fragment);
  const copied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  );
  byId('notice').replaceChildren(
    h(
      'p',
      { className: 'good' },
      copied ? 'The link is copied. ' : 'The link is in the address bar. ',
      button('Close', () => byId('notice').replaceChildren(), 'quiet'),
    ),
  );
}

/** Shows what was kept, else the default scenario. */
async function begin(): Promise<void> {
  await bringBack().catch(fail);
  if (store.state.scenario === undefined) await generate(FIRST);
}

async function fromAddress(): Promise<void> {
  const shared = await fromFragment(location.hash);
  if (shared === undefined) return generate(FIRST);
  if (shared.kind === 'recipe') {
    const { preset, classes } = shared.recipe;
    return generate(
      preset,
      classes?.map((one) => ({ ...one, capacity: Float64Array.from(one.capacity) })),
    );
  }
  const bytes = shared.bytes.slice().buffer;
  const read = await desk.read([{ name: 'link.stow', bytes }]);
  if (read.kind === 'instance') await stopped(async () => firstPlans(await enter(read.scenario, '', undefined)));
}

// ----------------------------------------------------------------------------------------------------------------- pages

const PLAN_PARTS = ['story', 'work', 'setup'];
/** The pages beside the plan, with the button that opens each. They are loaded when they are first shown. */
const PAGES = {
  sizes: { button: 'how-large', label: 'How large?', load: () => (sizesPage ??= loadSizes()) },
  replay: { button: 'over-time', label: 'Over time', load: () => (replayPage ??= loadReplay()) },
} as const;
type Page = keyof typeof PAGES;
let sizesPage: Promise<SizesPage> | undefined;
let replayPage: Promise<ReplayPage> | undefined;

const loadSizes = (): Promise<SizesPage> =>
  import('./view/sizes/page.js').then(
    ({ SizesPage }) => new SizesPage(store, desk, { take: takeSizes, back: () => attempt(() => showPage(undefined)) }),
  );
const loadReplay = (): Promise<ReplayPage> => import('./view/replay/page.js').then(({ ReplayPage }) => new ReplayPage(store, desk));

/** Shows a page, or the plan. */
async function showPage(shown: Page | undefined): Promise<void> {
  for (const [page, { button: id, label }] of Object.entries(PAGES)) {
    const change = byId(id);
    change.textContent = page === shown ? 'Back to the plan' : label;
    change.setAttribute('aria-expanded', String(page === shown));
    byId(page).hidden = page !== shown;
  }
  for (const part of PLAN_PARTS) byId(part).hidden = shown !== undefined;
  if (shown !== undefined) await PAGES[shown].load();
}

async function takeSizes(sizes: LearnedSizes): Promise<void> {
  if (store.state.running !== undefined) await cancel();
  const scenario = await edited({ sizes }, 'learned sizes');
  if (scenario !== undefined) attempt(() => firstPlans(scenario));
}

// ------------------------------------------------------------------------------------------------------------------- page

const setup = new SetupView(store, {
  generate: (preset) => attempt(() => generate(preset)),
  edit: (edit, label) => attempt(() => replanned(edit, label)),
  appDetail: (app) => desk.appDetail(store.state.scenario!.id, app),
  open,
  saveInstance: (format) => attempt(() => saveInstance(format)),
  savePlan: (format) => attempt(() => savePlan(format)),
  switchTo: (id) => {
    const scenario = store.state.scenarios.find((one) => one.id === id);
    if (scenario !== undefined) show(scenario);
  },
  run: (requests) =>
    attempt(async () => {
      const { scenario } = store.state;
      if (scenario !== undefined) await run(scenario, requests);
    }),
  cancel: () => attempt(cancel),
});
const compare = new CompareView(store, desk);
const live = new LiveView(store, {
  happens: (event, label, moves) => attempt(() => stopped(() => happens(event, label, moves))),
  undo,
});
let sayWhy = (): void => undefined;
const parts: (() => unknown)[] = [
  () => showSummary(store),
  startGlossary,
  () => showStory(store, () => sayWhy()),
  () => showCluster(store),
  () => startPaste((text) => take([{ name: 'pasted', bytes: new TextEncoder().encode(text).buffer }])),
  () => new PictureView(store, desk),
  () =>
    new EffectsView(store, {
      explain,
      edit: (coefficients, label) => attempt(() => replanned({ coefficients }, label)),
      whatIf: (coefficients, label) => attempt(() => stopped(() => whatIf({ coefficients }, label))),
    }),
  () =>
    new RacksView(
      store,
      desk,
      async (outcome) => (await starting).verify(outcome.scenario, outcome.plan),
      (rule, label) => attempt(() => replanned({ rule }, label)),
    ),
  setup.parts[0]!,
  () =>
    new ScenariosPanel(store, {
      show,
      rename,
      duplicate: () => attempt(duplicate),
      pin: () => {
        const { scenario, baseline } = store.state;
        store.change({ baseline: baseline === scenario ? undefined : scenario }, 'scenario');
      },
      undo,
      remove: () => {
        const { scenario, scenarios } = store.state;
        const next = scenario?.parent ?? scenarios.find((one) => one !== scenario);
        if (scenario !== undefined && next !== undefined) leave(scenario, next);
      },
      whatIf: (edit, label) => attempt(() => stopped(() => whatIf(edit, label))),
      report: () => attempt(saveReport),
    }),
  () => live.build(),
  () => buildUncertainty(store, (edit, label) => attempt(() => replanned(edit, label))),
  ...setup.parts.slice(1),
  () =>
    new DetailView(store, desk, {
      explainApp: explained,
      editApp: (app) => setup.editApp(app),
      nodeEvents: (node) => live.nodeEvents(node),
      appEvents: (app, replicas) => live.appEvents(app, replicas),
    }),
  () => new ResultsView(store, showPlan),
  () => showCourse(store),
  () =>
    showMatrix(store, {
      show: (outcome) => {
        show(outcome.scenario);
        showPlan(outcome);
      },
      fill: (missing) => attempt(() => stopped(() => fillMatrix(missing))),
    }),
  () => (sayWhy = showWhy(store, explained)),
  () => compare.build(),
];

for (const page of Object.keys(PAGES) as Page[]) {
  byId(PAGES[page].button).addEventListener('click', () => attempt(() => showPage(byId(page).hidden ? page : undefined)));
}
byId('words').addEventListener('click', showWords);
byId('share').addEventListener('click', () => attempt(share));
byId('theme').addEventListener('click', () => {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = theme;
  keepTheme(theme);
  dispatchEvent(new Event('themechange'));
});
addEventListener('hashchange', () => attempt(fromAddress));
byId('compare').hidden = true;

void takeNewVersion();
attempt(async () => {
  for (const build of parts) {
    build();
    await nextTask();
  }
  // What was kept comes first, unless a link says what to show.
  const begun = location.hash === '' ? begin() : fromAddress();
  store.change({ catalogue: (await starting).catalogue }, 'catalogue');
  // With a damaged link, the page starts with its default scenario.
  await begun.catch(async (error: unknown) => {
    await generate(FIRST);
    fail(error);
  });
  if (location.hash !== '') await bringBack();
  shelf.follow();
  await keepOffline();
});
