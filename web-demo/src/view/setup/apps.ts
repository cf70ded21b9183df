// The apps of the workload, and the dialog that edits one.
import type { AppDetail, AppEdit, Edit } from '../../desk/protocol.js';
import type { Scenario, Store } from '../../state.js';
import { button, byId, field, h, numberField, options, table } from '../elements/dom.js';
import { whole } from '../elements/format.js';
import type { SetupCalls } from './calls.js';

/** Apps that are listed. */
const MOST = 12;

/** @param app undefined for a new app */
function editorOf(
  scenario: Scenario,
  app: number | undefined,
  before: AppDetail,
  apply: (edit: Edit, label: string) => void,
): HTMLFormElement {
  const name = h('input', { value: before.name, required: true });
  const replicas = numberField('Replicas', before.replicas, { min: 0, max: 1e6, step: 1 });
  const peaks = scenario.resources.map((resource, k) =>
    numberField(
      `${resource.name}${resource.unit ? ` (${resource.unit})` : ''}${scenario.periods > 1 ? ', highest' : ''}`,
      before.peak[k]!,
      {},
    ),
  );
  const kind = h('select', { id: 'app-kind' });
  options(kind, scenario.kindNames.map((one, k): [string, string] => [String(k), one]), String(scenario.kinds[before.app] ?? 0));
  const hasKind = scenario.kindNames.length > 0 && app !== undefined;
  const limits = h('textarea', { value: before.limits, rows: 3, spellcheck: false });
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', { id: 'app-editor-title' }, app === undefined ? 'A new app' : `Edit ${before.name}`),
    field('Name', name),
    h('div', { className: 'fields' }, replicas.label, ...peaks.map(({ label }) => label)),
    hasKind && field('Kind', kind),
    field(
      'Limits',
      limits,
      'Most replicas of other apps beside a replica of this app, such as "db:0, web:1". Its own name: most per node.',
    ),
    h(
      'p',
      { className: 'buttons' },
      h('button', { className: 'main', value: 'apply' }, 'Apply and plan'),
      h('button', { value: 'cancel', formNoValidate: true }, 'Cancel'),
    ),
  );
  form.addEventListener('submit', (event) => {
    if ((event.submitter as HTMLButtonElement).value !== 'apply') return;
    const changed: AppEdit = {
      app,
      name: name.value,
      replicas: Number(replicas.input.value),
      peak: peaks.map(({ input }) => Number(input.value)),
      limits: limits.value,
      ...(hasKind ? { kind: Number(kind.value) } : {}),
    };
    apply({ apps: [changed] }, app === undefined ? `with ${name.value}` : `${name.value} edited`);
  });
  return form;
}

export function buildApps(store: Store, calls: SetupCalls): (app: number | undefined) => void {
  const dialog = h('dialog', { set: { 'aria-labelledby': 'app-editor-title' } });
  document.body.append(dialog);
  const edit = async (app: number | undefined): Promise<void> => {
    const { scenario } = store.state;
    if (scenario === undefined) return;
    const before: AppDetail =
      app === undefined
        ? { app: scenario.replicas.length, name: '', replicas: 1, peak: scenario.resources.map(() => 1), limits: '' }
        : await calls.appDetail(app);
    dialog.replaceChildren(editorOf(scenario, app, before, (one, label) => calls.edit(one, label)));
    dialog.showModal();
  };
  const body = h('div', { id: 'app-list' });
  const add = button('Add an app', () => void edit(undefined));
  add.id = 'add-app';
  byId('apps').append(h('h2', { id: 'apps-title' }, 'Apps'), body, h('p', { className: 'buttons' }, add));
  store.on(['scenario'], () => {
    const { scenario } = store.state;
    if (scenario === undefined) return;
    const { appNames, replicas, peak, resources } = scenario;
    const shown = appNames.slice(0, MOST);
    body.replaceChildren(
      table(
        ['App', 'Replicas', ...resources.map(({ name }) => name)],
        shown.map((name, app) => [
          button(name, () => void edit(app), 'link'),
          replicas[app]!,
          ...resources.map((_, k) => peak[app * resources.length + k]!),
        ]),
        'Apps of the workload',
      ),
      h(
        'p',
        { className: 'hint' },
        appNames.length > MOST ? `${whole(appNames.length - MOST)} more: find one beside the plan to edit it.` : '',
      ),
    );
  });
  return (app) => void edit(app);
}
