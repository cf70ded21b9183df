// A dialog that says how to get a cluster out of kubectl, and reads what is pasted.
import { StowageError } from 'stowage';
import { button, byId, field, h } from '../elements/dom.js';

const COMMAND =
  'kubectl get -A -o json nodes,pods,deployments,statefulsets,daemonsets,replicasets,replicationcontrollers,jobs,cronjobs,' +
  'poddisruptionbudgets,persistentvolumes,persistentvolumeclaims,priorityclasses > cluster.json';
/** Longer text is read without being shown, because a text field takes long to lay it out. */
const MOST_SHOWN = 100_000;

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** @param read reads a text; fails where something is wrong with it */
export function startPaste(read: (text: string) => Promise<void>): void {
  const given = h('textarea', { id: 'pasted', rows: 8, spellcheck: false });
  const mistake = h('p', { id: 'pasted-mistake', className: 'bad', hidden: true, set: { role: 'alert' } });
  const copied = h('span', { set: { role: 'status' } });
  const dialog = h('dialog', { id: 'paste-dialog', set: { 'aria-labelledby': 'paste-title' } });
  const file = h('p', { id: 'pasted-long', className: 'hint', hidden: true });
  /** Text too long to be shown. */
  let long: string | undefined;

  const show = (): void => {
    if (dialog.open) return;
    document.body.append(dialog);
    dialog.showModal();
  };
  dialog.addEventListener('close', () => dialog.remove());
  const tried = async (text: string): Promise<void> => {
    mistake.hidden = true;
    try {
      await read(text);
      given.value = '';
      long = undefined;
      file.hidden = true;
      dialog.close();
    } catch (error) {
      show();
      const path = error instanceof StowageError && error.path !== '' ? [h('code', {}, error.path), ' '] : [];
      mistake.replaceChildren(...path, error instanceof Error ? error.message : String(error));
      mistake.hidden = false;
    }
  };
  /** Takes long text out of a paste; short text goes into the field. */
  const pasted = (text: string): void => {
    long = text.length > MOST_SHOWN ? text : undefined;
    given.value = long === undefined ? text : '';
    file.hidden = long === undefined;
    file.textContent = `${text.length.toLocaleString('en')} characters were pasted, which are too many to be shown here.`;
    void tried(text);
  };
  given.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= MOST_SHOWN) return;
    event.preventDefault();
    pasted(text);
  });
  addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (isField(event.target) || text.trim() === '') return;
    event.preventDefault();
    pasted(text);
  });
  const copy = button('Copy the command', () => {
    navigator.clipboard.writeText(COMMAND).then(
      () => (copied.textContent = 'copied'),
      () => (copied.textContent = 'select it, and copy it by hand'),
    );
  });
  dialog.append(
    h('h2', { id: 'paste-title' }, 'Your cluster'),
    h('p', {}, 'This prints what the page can read. Fewer kinds will do; nodes and pods are the least.'),
    h('p', {}, h('code', { id: 'kubectl-command' }, COMMAND)),
    h('p', { className: 'buttons' }, copy, copied),
    h('p', {}, 'Drop the file anywhere on the page, or paste its text. The page reads it on this machine and sends nothing.'),
    field('Text', given, 'Also an instance in JSON, or a table with a line per app'),
    file,
    mistake,
    h(
      'p',
      { className: 'buttons' },
      button('Read and plan', () => void tried(long ?? given.value), 'main'),
      button('Close', () => dialog.close()),
    ),
  );
  byId('paste').addEventListener('click', show);
}
