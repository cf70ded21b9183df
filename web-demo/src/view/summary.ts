import type { Outcome, Scenario, Store } from '../state.js';
import { byId, h } from './elements/dom.js';
import { holds, missing, unplacedOf } from '../ranking.js';
import { term } from './elements/glossary.js';
import { STATUS, amount, boundText, count, duration, number, percent, proven, whole } from './elements/format.js';

export const utilization = (outcome: Outcome, resource: number): number => {
  const { periods } = outcome.scenario;
  const nodes = outcome.plan.nodeClass.length;
  let most = 0;
  for (let period = 0; period < periods; ++period) {
    const from = (resource * periods + period) * nodes;
    let sum = 0;
    for (let node = 0; node < nodes; ++node) sum += outcome.picture.share[from + node]!;
    most = Math.max(most, nodes === 0 ? 0 : sum / nodes);
  }
  return most;
};

type Words = readonly (string | Node)[];

function tile(id: string, value: string, words: Words, bad = false): HTMLElement {
  return h('div', { className: bad ? 'tile bad' : 'tile', id }, h('b', {}, value), h('span', {}, ...words));
}

/** What is planned. */
function aboutOf(scenario: Scenario): HTMLElement {
  const { name, label, periods } = scenario;
  const replicas = scenario.replicas.reduce((sum, one) => sum + one, 0);
  return h(
    'p',
    { id: 'about' },
    h('strong', {}, label === name ? label : `${label}: ${name}`),
    ' · ',
    term('app', count(scenario.replicas.length, 'app')),
    ', ',
    term('replica', count(replicas, 'replica')),
    ', ',
    term('limit', count(scenario.limits, 'affinity limit')),
    ...(periods > 1 ? [', ', term('period', count(periods, 'period'))] : []),
    ...(scenario.ruleNames.length > 0 ? [', ', term('rule', count(scenario.ruleNames.length, 'placement rule'))] : []),
    ...(scenario.kindNames.length > 0 ? [', ', term('kind', count(scenario.kindNames.length, 'kind'))] : []),
    ...(scenario.uncertain ? [', ', term('confidence', 'uncertain demand')] : []),
  );
}

/** What the plan uses, and what it lacks. */
function tilesOfNodes({ plan, broken: others }: Outcome): HTMLElement[] {
  const left = unplacedOf(plan);
  const rules = plan.ruleViolations;
  const broken = others + (rules?.count ?? 0);
  const tiles = [
    tile('tile-nodes', whole(plan.nodes), [term('node', plan.nodes === 1 ? 'node' : 'nodes'), ' in use']),
    tile('tile-unplaced', whole(left), [term('replica', left === 1 ? 'replica' : 'replicas'), ' unplaced'], left > 0),
  ];
  if (rules !== undefined || others > 0) {
    const weight = rules && rules.cost > 0 ? `, weighing ${number(rules.cost)}` : '';
    tiles.push(tile('tile-rules', whole(broken), [term('rule', 'rules'), ` not held${weight}`], broken > 0));
  }
  return tiles;
}

/** How good the plan is. */
function tilesOfBounds({ plan, scenario }: Outcome): HTMLElement[] {
  const bound = plan.nodeBound;
  const gapTo =
    plan.objective === 'worst'
      ? ' to the bound for the worst-off'
      : plan.objective !== 'nodes' || plan.cost === undefined
        ? ' to the bound'
        : ' to the bound on cost';
  return [
    tile(
      'tile-bound',
      bound === undefined ? '–' : whole(bound.value),
      bound === undefined ? [term('bound', 'no bound')] : ['at least: ', term('bound', boundText(scenario, bound))],
    ),
    tile('tile-gap', plan.gap === undefined ? '–' : percent(plan.gap), [term('gap'), gapTo]),
  ];
}

/** What the plan costs, in each sense that the instance knows. */
function tilesOfCosts({ plan, scenario }: Outcome): HTMLElement[] {
  const tiles: HTMLElement[] = [];
  const atLeast = (bound: { value: number } | undefined, text: (value: number) => string): string =>
    bound === undefined ? '' : `, at least ${text(bound.value)}`;
  if (plan.cost !== undefined) tiles.push(tile('tile-cost', number(plan.cost), [`cost${atLeast(plan.costBound, number)}`]));
  const resource = plan.ucacResource;
  if (plan.ucac !== undefined && resource !== undefined) {
    const text = (value: number): string => amount(scenario, value, resource);
    tiles.push(tile('tile-ucac', text(plan.ucac), [`used at confidence${atLeast(plan.ucacBound, text)}`]));
  }
  if (plan.maxCost !== undefined) {
    const words = `cost of side effects for the worst-off replica${atLeast(plan.maxCostBound, number)}`;
    tiles.push(tile('tile-worst', number(plan.maxCost), [words]));
  }
  return tiles;
}

/** How the plan was made, and how full its nodes are. */
function tilesOfUse(shown: Outcome): HTMLElement[] {
  const { resources, periods } = shown.scenario;
  const time = shown.milliseconds === undefined ? 'file' : duration(shown.milliseconds);
  return [
    tile('tile-time', time, [`${shown.planner}: ${STATUS[shown.plan.status]}`]),
    ...resources.map((resource, k) =>
      tile(`tile-use-${k}`, percent(utilization(shown, k)), [`${resource.name} used${periods > 1 ? ', busiest period' : ''}`]),
    ),
  ];
}

/** What is proven of the plan, or missing in it, and what its run notes. */
function saidOf(shown: Outcome): HTMLElement[] {
  const { plan, scenario } = shown;
  const lacks = missing(scenario, shown);
  const className = lacks.length > 0 ? 'bad' : holds(shown) && plan.status === 'optimal' ? 'good' : '';
  const said = h(
    'p',
    { id: 'proven', className },
    ...(lacks.length === 0 ? [] : [h('strong', {}, `Missing: ${lacks.join('; ')}.`), ' ']),
    proven(scenario, plan),
  );
  return plan.notes.length === 0 ? [said] : [said, h('ul', { id: 'notes' }, ...plan.notes.map(({ text }) => h('li', {}, text)))];
}

export function showSummary(store: Store): void {
  const section = byId('summary');
  const draw = (): void => {
    const { scenario, shown } = store.state;
    section.classList.toggle('waiting', shown === undefined);
    if (scenario === undefined) {
      section.replaceChildren(h('p', { id: 'about' }, 'Starting…'));
      return;
    }
    section.replaceChildren(aboutOf(shown?.scenario ?? scenario));
    if (shown === undefined) return;
    const tiles = [tilesOfNodes, tilesOfBounds, tilesOfCosts, tilesOfUse].flatMap((group) => group(shown));
    section.append(h('div', { className: 'tiles' }, ...tiles), ...saidOf(shown));
  };
  store.on(['scenario', 'shown'], draw);
  draw();
}
