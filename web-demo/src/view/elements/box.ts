// A field for a text, with what is wrong with it beside it.
import './box.css';
import type { Checked, Problem } from '../../desk/sizes/protocol.js';
import { messageOf } from '../../errors.js';
import { button, h } from './dom.js';

const SETTLED_MS = 250;
const MOST_BYTES = 30_000_000;

export class TextBox {
  readonly element: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly wrong: HTMLElement;
  private settling = 0;

  /** @param changed is called with the text when it changes and the visitor pauses */
  constructor(
    id: string,
    title: string,
    hint: string,
    private readonly changed: (text: string) => void,
  ) {
    this.wrong = h('div', { id: `${id}-problem`, className: 'bad', set: { role: 'alert' } });
    this.area = h('textarea', {
      id,
      rows: 7,
      spellcheck: false,
      wrap: 'off',
      set: { autocomplete: 'off', 'aria-describedby': `${id}-hint ${id}-problem` },
    });
    this.area.addEventListener('input', () => {
      clearTimeout(this.settling);
      this.settling = window.setTimeout(() => changed(this.text), SETTLED_MS);
    });
    const file = h('input', { type: 'file', accept: '.csv,.tsv,.txt', className: 'unseen', set: { 'aria-label': `A file of ${title}` } });
    file.addEventListener('change', () => {
      void this.open(file.files?.[0]);
      file.value = '';
    });
    this.element = h(
      'div',
      { className: 'box' },
      h('label', { htmlFor: id }, h('b', {}, title)),
      h('small', { id: `${id}-hint` }, hint, ' Paste, drop or ', h('label', { className: 'pick' }, file, h('u', {}, 'open a file')), '.'),
      this.area,
      this.wrong,
    );
    // A file that is dropped here is not one for the page, which would open it as an instance.
    for (const kind of ['dragover', 'dragleave', 'drop'] as const) {
      this.element.addEventListener(kind, (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        event.stopPropagation();
        this.element.classList.toggle('over', kind === 'dragover');
        if (kind === 'drop') void this.open(event.dataTransfer.files[0]);
      });
    }
  }

  get text(): string {
    return this.area.value;
  }

  /** Sets the text without a call of `changed`. */
  put(text: string): void {
    clearTimeout(this.settling);
    this.area.value = text;
    this.area.scrollTop = 0;
  }

  private show(problem: Problem | undefined): void {
    this.area.setAttribute('aria-invalid', String(problem !== undefined));
    if (problem === undefined) {
      this.wrong.replaceChildren();
      return;
    }
    const { line, column, name, begin, end, message } = problem;
    const place = [...(line === undefined ? [] : [`Line ${line}`]), ...(column === undefined ? [] : [`column ${column} (${name!})`])];
    const find = button(
      'Show it',
      () => {
        this.area.focus();
        // A selection that is set before the focus is not scrolled to.
        this.area.setSelectionRange(begin, end);
        const lines = this.text.slice(0, begin).split('\n').length - 1;
        this.area.scrollTop = (this.area.scrollHeight * lines) / Math.max(1, this.text.split('\n').length) - 40;
      },
      'chip',
    );
    this.wrong.replaceChildren(
      h('p', {}, place.length === 0 ? '' : h('strong', {}, `${place.join(', ')}: `), message, ' ', line !== undefined && find),
    );
  }

  /** What a question about the text answers; undefined where there is no text, or where it is wrong, which is shown. */
  async read<Value>(ask: (text: string) => Promise<Checked<Value>>): Promise<Value | undefined> {
    try {
      const { value, problem } = this.text.trim() === '' ? {} : await ask(this.text);
      this.show(problem);
      return value;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** As `read`, but fails where the question does; an empty text is asked about too. A change before it is not told any more. */
  async readStrictly<Value>(ask: () => Promise<Checked<Value>>): Promise<Value | undefined> {
    clearTimeout(this.settling);
    const { value, problem } = await ask();
    this.show(problem);
    return value;
  }

  /** What was wrong is not shown any more. */
  clear(): void {
    this.show(undefined);
  }

  private fail(error: unknown): void {
    this.show({ begin: 0, end: 0, message: messageOf(error) });
  }

  private async open(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    try {
      if (file.size > MOST_BYTES) throw new Error(`${file.name} is larger than 30 MB; use the command stowage`);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      this.put(text);
      this.changed(text);
    } catch (error) {
      this.fail(error instanceof TypeError ? new Error(`${file.name} is not a text in UTF-8`) : error);
    }
  }
}

/** Runs a work when asked. Requests that arrive while it runs make it run once more. */
export function again(work: () => Promise<void>): () => void {
  let busy = false;
  let asked = false;
  return async () => {
    asked = true;
    if (busy) return;
    busy = true;
    try {
      while (asked) {
        asked = false;
        await work();
      }
    } finally {
      busy = false;
    }
  };
}
