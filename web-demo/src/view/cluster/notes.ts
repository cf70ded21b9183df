// What the reader of a cluster says beside the instance: what plans do not take into account, and what to read with care.
import type { Store } from '../../state.js';
import { byId, h } from '../elements/dom.js';
import { count } from '../elements/format.js';

const MOST = 100;
/** Up to so many lines, a list is open from the start. */
const SHORT = 6;

function lines(id: string, title: string, all: readonly string[]): HTMLElement[] {
  if (all.length === 0) return [];
  const more = all.length > MOST ? [h('li', {}, `and ${count(all.length - MOST, 'more line')}`)] : [];
  return [
    h(
      'details',
      { id, open: all.length <= SHORT },
      h('summary', {}, `${title} (${all.length})`),
      h('ul', {}, ...all.slice(0, MOST).map((text) => h('li', {}, text)), ...more),
    ),
  ];
}

export function showCluster(store: Store): void {
  const section = byId('cluster');
  store.on(['scenario'], () => {
    const { scenario } = store.state;
    const cluster = scenario?.cluster;
    section.hidden = cluster === undefined;
    if (scenario === undefined || cluster === undefined) return section.replaceChildren();
    const { leftOut, notes, held } = cluster;
    section.replaceChildren(
      h('h2', { id: 'cluster-title' }, 'Read from your cluster'),
      h(
        'p',
        {},
        `${count(scenario.listedNodes, 'node')} of ${count(scenario.classes.length, 'kind')}, and ` +
          `${count(scenario.appNames.length, 'workload')}. It was read on this machine; nothing was sent. What runs stays where it is.`,
      ),
      leftOut.length === 0
        ? h('p', { className: 'good' }, 'Everything in it that decides where pods run is taken into account.')
        : h('p', { className: 'hint' }, 'Where a line below names a workload, a plan may put it where the scheduler would not.'),
      ...lines('cluster-left-out', 'Not taken into account', leftOut),
      ...lines('cluster-notes', 'Read with care', notes),
      ...lines('cluster-held', 'Stay where they are, also in plans with moves', held),
    );
    return undefined;
  });
}
