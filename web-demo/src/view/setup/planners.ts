// Which planners run, with what request, and how far they are.
import type { PlannerInfo } from 'stowage';
import type { Store } from '../../state.js';
import { button, byId, h } from '../elements/dom.js';
import type { SetupCalls } from './calls.js';
import { requestFields } from './request.js';

/** One of each family. */
const FEW = ['auto', 'ff', 'wfd-avg', 'medea-tp', 'ncd-dotproduct', 'spread-wfd-avg-binsearch'];

/** Chosen planners, and the elements to choose them with. `changed` is called after each choice. */
function plannerChoice(store: Store, changed: () => void): { chosen: ReadonlySet<string>; elements: HTMLElement[] } {
  const chosen = new Set(FEW);
  const filter = h('input', { type: 'search', placeholder: 'Find a planner', set: { 'aria-label': 'Find a planner' } });
  const list = h('div', {
    className: 'planners',
    id: 'planner-list',
    tabIndex: 0,
    set: { role: 'group', 'aria-label': 'Planners to run' },
  });
  const row = (planner: PlannerInfo): HTMLElement => {
    const box = h('input', { type: 'checkbox', checked: chosen.has(planner.name), value: planner.name });
    box.addEventListener('change', () => {
      if (box.checked) chosen.add(planner.name);
      else chosen.delete(planner.name);
      changed();
    });
    return h(
      'label',
      { title: `${planner.source}; ${planner.complexity}` },
      box,
      h('span', {}, h('strong', {}, planner.name), ` ${planner.summary}`),
    );
  };
  const fill = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    list.replaceChildren(
      ...store.state.catalogue
        .filter(({ name, summary }) => name.includes(wanted) || summary.toLowerCase().includes(wanted))
        .sort((a, b) => Number(chosen.has(b.name)) - Number(chosen.has(a.name)))
        .map(row),
    );
    changed();
  };
  filter.addEventListener('input', fill);
  store.on(['catalogue'], fill);
  const only = (label: string, match: (name: string) => boolean): HTMLButtonElement =>
    button(
      label,
      () => {
        chosen.clear();
        for (const { name } of store.state.catalogue) if (match(name)) chosen.add(name);
        filter.value = '';
        fill();
      },
      'chip',
    );
  const chips = h(
    'p',
    { className: 'chips' },
    only('auto alone', (name) => name === 'auto'),
    only('one of each', (name) => FEW.includes(name)),
    only('fit', (name) => /^(auto|[fbw]f)/.test(name)),
    only('spread', (name) => /^(auto|ff$|spread)/.test(name)),
    only('none', () => false),
  );
  return { chosen, elements: [chips, filter, list] };
}

/** How far the present run is. */
function runProgress(store: Store): HTMLElement[] {
  const bar = h('progress', { id: 'bar', max: 1, set: { 'aria-label': 'Progress' } });
  const progress = h('p', { id: 'progress', className: 'reading' });
  bar.style.visibility = 'hidden';
  store.on(['running'], () => {
    const { running } = store.state;
    bar.style.visibility = running === undefined ? 'hidden' : 'visible';
    if (running === undefined) {
      progress.textContent = '';
      return;
    }
    if (running.share === undefined) bar.removeAttribute('value');
    else bar.value = running.share;
    progress.textContent = `${running.planner} (${running.position} of ${running.total}): ${running.text}`;
  });
  return [bar, progress];
}

/** The button that lets all that runs move. */
function moveButton(store: Store, calls: SetupCalls): HTMLButtonElement {
  const move = button('Let running replicas move', () => {
    const { scenario } = store.state;
    if (scenario === undefined) return;
    calls.run([{ planner: 'auto', moveBudget: scenario.replicas.reduce((sum, one) => sum + one, 0) }]);
  });
  move.id = 'let-move';
  move.hidden = true;
  store.on(['scenario'], () => (move.hidden = !store.state.scenario?.running));
  return move;
}

export function buildPlanners(store: Store, calls: SetupCalls): void {
  const fields = requestFields(store);
  const run = button(
    'Run',
    () => {
      if (!fields.valid()) return;
      const names = store.state.catalogue.map(({ name }) => name).filter((name) => chosen.has(name));
      calls.run(names.map(fields.request));
    },
    'main',
  );
  run.id = 'run';
  const cancel = button('Cancel', () => calls.cancel());
  cancel.id = 'cancel';
  cancel.disabled = true;
  const count = (): void => {
    run.textContent = chosen.size === 1 ? 'Run 1 planner' : `Run ${chosen.size} planners`;
    run.disabled = chosen.size === 0 || store.state.running !== undefined;
  };
  const { chosen, elements } = plannerChoice(store, count);
  byId('planners').append(
    h('h2', { id: 'planners-title' }, 'Planners'),
    ...elements,
    ...fields.elements,
    h('p', { className: 'buttons' }, run, cancel, moveButton(store, calls)),
    ...runProgress(store),
  );
  store.on(['running'], () => {
    count();
    cancel.disabled = store.state.running === undefined;
  });
}
