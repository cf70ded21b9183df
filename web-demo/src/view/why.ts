import { StowageError, type Explanation } from 'stowage';
import type { Outcome, Store } from '../state.js';
import { button, byId, h, table } from './elements/dom.js';
import { amount, count, driverText, obstacleText, percent, relaxationText } from './elements/format.js';

/** Apps that are named. */
const MOST_APPS = 20;

/** The library's explanation of one app, as lines of text. */
export function appLines(outcome: Outcome, explanation: Pick<Explanation, 'apps'>, app: number): string[] {
  const { scenario, picture } = outcome;
  const found = explanation.apps.find((one) => one.app === app);
  if (found === undefined) return ['Nothing is known about this app.'];
  const open = found.openNodes === 0 ? 'No node' : count(found.openNodes, 'node');
  const lines = [`${open} of the plan could take one more replica.`];
  for (const one of found.closest.slice(0, 3)) {
    if (one.obstacles.length === 0) continue;
    const where =
      one.node === undefined
        ? `a new node of class ${scenario.classes[one.nodeClass]?.name ?? one.nodeClass}`
        : picture.names[one.node]!;
    lines.push(`Close: ${where}. ${one.obstacles.map((obstacle) => obstacleText(scenario, app, obstacle)).join(' ')}`);
  }
  for (const one of found.relaxations.slice(0, 4))
    lines.push(`It would help to ${relaxationText(scenario, one, picture.names)}.`);
  return lines;
}

/** What is not placed, where nothing has been explained. */
function unplacedIn({ plan, scenario }: Outcome): HTMLElement {
  const first = plan.unplaced.slice(0, MOST_APPS).map(({ app, replicas }) => `${replicas} of ${scenario.appNames[app]!}`);
  return h('p', {}, `Not placed: ${first.join(', ')}${plan.unplaced.length > MOST_APPS ? ', …' : ''}.`);
}

/** Why apps are not placed, what drives the number of nodes, and how resources are used. */
function explained(shown: Outcome, { apps, drivers, resources }: Explanation): HTMLElement[] {
  const { scenario } = shown;
  const reasons = apps
    .slice(0, MOST_APPS)
    .map((one, k) =>
      h(
        'details',
        { open: k === 0 },
        h('summary', {}, `${scenario.appNames[one.app]!}: ${count(one.unplaced, 'replica')}`),
        h('ul', {}, ...appLines(shown, { apps }, one.app).map((line) => h('li', {}, line))),
      ),
    );
  return [
    ...(apps.length === 0 ? [] : [h('h3', {}, 'Not placed'), ...reasons, h('h3', {}, 'What drives the number of nodes')]),
    h('ul', {}, ...drivers.map((driver) => h('li', {}, driverText(scenario, driver)))),
    table(
      ['Resource', ...(scenario.periods > 1 ? ['Busiest period'] : []), 'Demand', 'Capacity', 'Used', 'Stranded'],
      resources.map((one) => [
        scenario.resources[one.resource]!.name,
        ...(scenario.periods > 1 ? [one.peakPeriod + 1] : []),
        amount(scenario, one.demand, one.resource),
        amount(scenario, one.capacity, one.resource),
        percent(one.capacity > 0 ? one.demand / one.capacity : 0),
        amount(scenario, one.stranded, one.resource),
      ]),
      'Use of resources',
    ),
    h(
      'p',
      { className: 'hint' },
      'Stranded: free capacity on nodes that accept no further replica of any app that needs the resource.',
    ),
  ];
}

/** Returns a function that explains the shown plan, where the visitor sees it. */
export function showWhy(store: Store, explain: (outcome: Outcome) => Promise<Explanation>): () => void {
  const body = h('div', { id: 'drivers' });
  const ask = button('What drives the number of nodes?', () => {
    const { shown } = store.state;
    if (shown === undefined) return;
    ask.disabled = true;
    body.replaceChildren(h('p', { className: 'hint' }, 'Planning without limits and without each resource…'));
    explain(shown)
      .then(
        (explanation) => {
          shown.explanation = explanation;
          draw();
        },
        (error: unknown) => {
          draw();
          if (error instanceof StowageError && error.code === 'CANCELLED') return;
          body.prepend(h('p', { className: 'bad' }, error instanceof Error ? error.message : String(error)));
        },
      )
      .finally(() => (ask.disabled = store.state.running !== undefined));
  });
  ask.id = 'explain-plan';
  byId('why').append(h('h2', { id: 'why-title' }, 'Why this many nodes?'), ask, body);
  const draw = (): void => {
    const { shown } = store.state;
    const explanation = shown?.explanation;
    if (shown === undefined || explanation === undefined) {
      body.replaceChildren(...(shown === undefined || shown.plan.complete ? [] : [unplacedIn(shown)]));
      return;
    }
    body.replaceChildren(...explained(shown, explanation));
  };
  store.on(['shown'], draw);
  store.on(['running'], () => (ask.disabled = store.state.running !== undefined));
  store.on(['shown'], () => {
    const { shown } = store.state;
    ask.textContent = shown === undefined || shown.plan.complete ? 'What drives the number of nodes?' : 'Why do they not fit?';
  });
  draw();
  return () => {
    byId('why').scrollIntoView({ block: 'start' });
    if (store.state.shown?.explanation === undefined) ask.click();
  };
}
