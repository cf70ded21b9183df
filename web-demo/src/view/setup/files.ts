// Files that are opened and saved.
import type { Store } from '../../state.js';
import { button, byId, h } from '../elements/dom.js';
import type { SetupCalls } from './calls.js';

export function buildFiles(store: Store, calls: SetupCalls): void {
  const input = h('input', { type: 'file', id: 'file', multiple: true, accept: '.stow,.json,.tsv,.csv,.txt,.gz', className: 'unseen' });
  input.addEventListener('change', () => {
    if (input.files !== null && input.files.length > 0) calls.open(input.files);
    input.value = '';
  });
  const plan = (['stow', 'json', 'csv'] as const).map((format) => button(`.${format}`, () => calls.savePlan(format)));
  plan.forEach((one, k) => {
    one.id = `save-plan-${['stow', 'json', 'csv'][k]!}`;
    one.disabled = true;
    one.setAttribute('aria-label', `Save the plan as .${['stow', 'json', 'csv'][k]!}`);
  });
  const instance = (['stow', 'json', 'csv'] as const).map((format) => {
    const one = button(format === 'csv' ? 'apps .csv' : `.${format}`, () => calls.saveInstance(format));
    one.id = `save-instance-${format}`;
    one.setAttribute('aria-label', format === 'csv' ? 'Save the apps .csv' : `Save the instance as .${format}`);
    return one;
  });
  byId('files').append(
    h('h2', { id: 'files-title' }, 'Files'),
    h(
      'label',
      { className: 'drop', id: 'drop' },
      input,
      h('span', {}, 'Drop a file anywhere, or ', h('u', {}, 'choose one')),
      h(
        'small',
        {},
        'Clusters: .json as kubectl prints it, in one file or several. ' +
          'Instances: .stow, .json, .tsv as published, .csv with a line per app (app,replicas,cpu,memory,…). ' +
          'Plans: .stow, .json, .csv',
      ),
    ),
    h('p', { className: 'buttons' }, h('span', {}, 'Plan'), ...plan),
    h('p', { className: 'buttons' }, h('span', {}, 'Instance'), ...instance),
  );
  const over =
    (on: boolean) =>
    (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      document.body.classList.toggle('dropping', on);
      if (event.type === 'drop') calls.open(event.dataTransfer.files);
    };
  addEventListener('dragover', over(true));
  addEventListener('dragleave', over(false));
  addEventListener('drop', over(false));
  store.on(['shown'], () => plan.forEach((one) => (one.disabled = store.state.shown === undefined)));
}
