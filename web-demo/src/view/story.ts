// Three steps above the page: what you have, what is needed, and why.
import { missing, unplacedOf } from '../ranking.js';
import type { Bound } from 'stowage';
import type { Scenario, Store } from '../state.js';
import { button, byId } from './elements/dom.js';
import { boundText, count, number, proven } from './elements/format.js';

/** What the bound on the nodes follows from. */
function reasonOf(scenario: Scenario, bound: Bound): string {
  if (bound.name !== 'capacity' || bound.resource === undefined) return ` (${boundText(scenario, bound)})`;
  const period = bound.period === undefined || scenario.periods === 1 ? '' : ` in period ${bound.period + 1}`;
  return `: they lack ${scenario.resources[bound.resource]!.name}${period}`;
}

/** @param more says more on why */
export function showStory(store: Store, more: () => void): void {
  const ask = button('More on why', more, 'chip');
  ask.id = 'story-more';
  ask.hidden = true;
  byId('story-why').after(ask);
  store.on(['shown'], () => {
    const { shown } = store.state;
    ask.hidden = shown === undefined;
    ask.textContent = shown !== undefined && unplacedOf(shown.plan) > 0 ? 'Which apps, and why?' : 'More on why';
  });
  store.on(['scenario', 'shown'], () => {
    const { scenario, shown } = store.state;
    if (scenario === undefined) return;
    const replicas = scenario.replicas.reduce((sum, one) => sum + one, 0);
    const classes = scenario.classes.slice(0, 3).map((one, k) => {
      const size = scenario.resources.slice(0, 2).map(({ unit, name }, r) => `${number(one.capacity[r]!)} ${unit || name}`);
      const many = one.count ? `${one.count} × ` : '';
      return `${many}${one.name || `class ${k + 1}`} (${size.join(', ')})`;
    });
    const more = scenario.classes.length > 3 ? ` and ${scenario.classes.length - 3} other sizes` : '';
    byId('story-have').textContent =
      `${count(scenario.replicas.length, 'app')} in ${count(replicas, 'replica')}, for nodes ${classes.join(', ')}${more}`;
    if (shown === undefined) return;
    const { plan } = shown;
    const left = unplacedOf(plan);
    const lacks = missing(shown.scenario, shown);
    byId('story-need').textContent =
      `${count(plan.nodes, 'node')}${plan.cost === undefined ? '' : `, cost ${number(plan.cost)}`}` +
      (left > 0 ? `, and still ${count(left, 'replica')} without a place` : lacks.length > 0 ? `; ${lacks.join('; ')}` : '') +
      (plan.maxCost === undefined ? '' : `; the worst-off replica suffers ${number(plan.maxCost)}`);
    byId('story-why').textContent =
      plan.nodeBound !== undefined && left === 0 && plan.objective === 'nodes'
        ? `Fewer than ${count(plan.nodeBound.value, 'node')} cannot hold it${reasonOf(shown.scenario, plan.nodeBound)}.`
        : proven(shown.scenario, plan);
  });
}
