// All scenarios against all planners that ran on one of them.
import { compareStanding, holds, missing, unplacedOf } from '../../ranking.js';
import type { NamedRequest } from '../../requests.js';
import type { Outcome, Scenario, Store } from '../../state.js';
import { button, byId, h, table } from '../elements/dom.js';
import { count, number } from '../elements/format.js';

export interface MatrixCalls {
  show(outcome: Outcome): void;
  /** Runs planners on scenarios, one after the other. */
  fill(missing: readonly { scenario: Scenario; request: NamedRequest }[]): void;
}

export function showMatrix(store: Store, calls: MatrixCalls): void {
  const body = h('div', { id: 'matrix-table' });
  const open: { scenario: Scenario; request: NamedRequest }[] = [];
  const fill = button('Run what is missing', () => calls.fill([...open]));
  fill.id = 'fill-matrix';
  byId('matrix').append(
    h('h2', { id: 'matrix-title' }, 'Scenarios by planner'),
    h('p', { className: 'hint' }, 'Nodes of the best plan of each. A plan in which something is missing says so. A click shows the plan.'),
    body,
    h('p', { className: 'buttons' }, fill),
  );
  const cell = (own: Outcome[], scenario: Scenario): string | Node => {
    const [best] = own.sort((a, b) => compareStanding(scenario, a, b, store.state.objective));
    if (best === undefined) return '–';
    const left = unplacedOf(best.plan);
    const cost = best.plan.cost === undefined ? '' : `, cost ${number(best.plan.cost)}`;
    const pick = button(
      count(best.plan.nodes, 'node') + cost,
      () => calls.show(best),
      best === store.state.shown ? 'link chosen' : 'link',
    );
    pick.title = missing(scenario, best).join('; ') || 'Show this plan';
    const lacks = holds(best) ? undefined : h('small', { className: 'bad' }, ` ${left > 0 ? `${left} unplaced` : missing(scenario, best).join('; ')}`);
    return h('span', {}, pick, lacks);
  };
  store.on(['scenario', 'outcomes', 'shown', 'running', 'objective'], () => {
    const { scenarios, outcomes, running } = store.state;
    byId('matrix').hidden = scenarios.length < 2;
    if (scenarios.length < 2) return;
    const planners = [...new Set(outcomes.filter(({ milliseconds }) => milliseconds !== undefined).map((one) => one.planner))];
    open.length = 0;
    const rows = scenarios.map((scenario) => [
      scenario.label,
      ...planners.map((planner) => {
        const own = outcomes.filter((one) => one.scenario === scenario && one.planner === planner);
        if (own.length === 0) open.push({ scenario, request: { planner } });
        return cell(own, scenario);
      }),
    ]);
    body.replaceChildren(table(['Scenario', ...planners], rows, 'Best plan of each scenario and planner'));
    fill.disabled = open.length === 0 || running !== undefined;
  });
}
