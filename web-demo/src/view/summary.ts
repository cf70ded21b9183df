import type { Outcome, Store } from '../state.js';
import { byId, h } from './elements/dom.js';
import { holds, missing, unplacedOf } from '../ranking.js';
import { term } from './elements/glossary.js';
import { STATUS, amount, boundText, count, duration, number, percent, proven, whole } from './elements/format.js';

const utilization = (outcome: Outcome, resource: number): number => {
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

export { utilization };

export function showSummary(store: Store): void {
  const section = byId('summary');
  const draw = (): void => {
    const { scenario, shown } = store.state;
    section.classList.toggle('waiting', shown === undefined);
    if (scenario === undefined) {
      section.replaceChildren(h('p', { id: 'about' }, 'Starting…'));
      return;
    }
    const replicas = scenario.replicas.reduce((sum, one) => sum + one, 0);
    const { name, label, periods } = shown?.scenario ?? scenario;
    const about = h(
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
    if (shown === undefined) {
      section.replaceChildren(about);
      return;
    }
    const { plan } = shown;
    const tile = (id: string, value: string, ...words: (string | Node)[]): HTMLElement =>
      h('div', { className: 'tile', id }, h('b', {}, value), h('span', {}, ...words));
    const left = unplacedOf(plan);
    const rules = plan.ruleViolations;
    const lacks = missing(shown.scenario, shown);
    const broken = shown.broken + (rules?.count ?? 0);
    section.replaceChildren(
      about,
      h(
        'div',
        { className: 'tiles' },
        tile('tile-nodes', whole(plan.nodes), term('node', plan.nodes === 1 ? 'node' : 'nodes'), ' in use'),
        h(
          'div',
          { className: left > 0 ? 'tile bad' : 'tile', id: 'tile-unplaced' },
          h('b', {}, whole(left)),
          h('span', {}, term('replica', left === 1 ? 'replica' : 'replicas'), ' unplaced'),
        ),
        ...(rules === undefined && shown.broken === 0
          ? []
          : [
              h(
                'div',
                { className: broken > 0 ? 'tile bad' : 'tile', id: 'tile-rules' },
                h('b', {}, whole(broken)),
                h('span', {}, term('rule', 'rules'), ` not held${rules && rules.cost > 0 ? `, weighing ${number(rules.cost)}` : ''}`),
              ),
            ]),
        tile(
          'tile-bound',
          plan.nodeBound === undefined ? '–' : whole(plan.nodeBound.value),
          ...(plan.nodeBound === undefined
            ? [term('bound', 'no bound')]
            : ['at least: ', term('bound', boundText(shown.scenario, plan.nodeBound))]),
        ),
        tile(
          'tile-gap',
          plan.gap === undefined ? '–' : percent(plan.gap),
          term('gap'),
          plan.objective === 'worst'
            ? ' to the bound for the worst-off'
            : plan.objective !== 'nodes' || plan.cost === undefined
              ? ' to the bound'
              : ' to the bound on cost',
        ),
        ...(plan.cost === undefined
          ? []
          : [
              tile(
                'tile-cost',
                number(plan.cost),
                plan.costBound === undefined ? 'cost' : `cost, at least ${number(plan.costBound.value)}`,
              ),
            ]),
        ...(plan.ucac === undefined || plan.ucacResource === undefined
          ? []
          : [
              tile(
                'tile-ucac',
                amount(shown.scenario, plan.ucac, plan.ucacResource),
                'used at confidence' +
                  (plan.ucacBound === undefined
                    ? ''
                    : `, at least ${amount(shown.scenario, plan.ucacBound.value, plan.ucacResource)}`),
              ),
            ]),
        ...(plan.maxCost === undefined
          ? []
          : [
              tile(
                'tile-worst',
                number(plan.maxCost),
                'cost of side effects for the worst-off replica' +
                  (plan.maxCostBound === undefined ? '' : `, at least ${number(plan.maxCostBound.value)}`),
              ),
            ]),
        tile(
          'tile-time',
          shown.milliseconds === undefined ? 'file' : duration(shown.milliseconds),
          `${shown.planner}: ${STATUS[plan.status]}`,
        ),
        ...shown.scenario.resources.map((resource, k) =>
          tile(
            `tile-use-${k}`,
            percent(utilization(shown, k)),
            `${resource.name} used${periods > 1 ? ', busiest period' : ''}`,
          ),
        ),
      ),
      h(
        'p',
        { id: 'proven', className: lacks.length > 0 ? 'bad' : holds(shown) && plan.status === 'optimal' ? 'good' : '' },
        ...(lacks.length === 0 ? [] : [h('strong', {}, `Missing: ${lacks.join('; ')}.`), ' ']),
        proven(shown.scenario, plan),
      ),
      ...(plan.notes.length === 0 ? [] : [h('ul', { id: 'notes' }, ...plan.notes.map(({ text }) => h('li', {}, text)))]),
    );
  };
  store.on(['scenario', 'shown'], draw);
  draw();
}
