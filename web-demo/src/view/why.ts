// Why this many nodes, and why apps are not placed: in the words of the library.
import { StowageError } from 'stowage';
import type { Outcome, Store } from '../state.js';
import { button, byId, h } from './elements/dom.js';
import { count } from './elements/format.js';

/** Apps that are named. */
const MOST_APPS = 20;
/** Lines that are shown. */
const MOST_LINES = 400;

/** What is not placed, where nothing has been explained. */
function unplacedIn({ plan, scenario }: Outcome): HTMLElement {
  const first = plan.unplaced.slice(0, MOST_APPS).map(({ app, replicas }) => `${replicas} of ${scenario.appNames[app]!}`);
  return h('p', {}, `Not placed: ${first.join(', ')}${plan.unplaced.length > MOST_APPS ? ', …' : ''}.`);
}

const indent = (line: string): number => line.search(/\S/);

/** Lines as a list; what is indented further belongs to the line before. */
function listOf(lines: readonly string[]): HTMLElement {
  const list = h('ul', {});
  for (let k = 0; k < lines.length; ) {
    let next = k + 1;
    while (next < lines.length && indent(lines[next]!) > indent(lines[k]!)) ++next;
    list.append(h('li', {}, lines[k]!.trim(), ...(next > k + 1 ? [listOf(lines.slice(k + 1, next))] : [])));
    k = next;
  }
  return list;
}

/** The library's text as elements: parts between empty lines, with a title each, and lists or tables in them. */
export function worded(text: string): HTMLElement[] {
  const all = text.split('\n');
  const shown = all.slice(0, MOST_LINES).join('\n');
  const parts = shown.split(/\n\n+/).map((part) => part.split('\n').filter((line) => line.trim() !== ''));
  return [
    ...parts.flatMap((lines) => {
      if (lines.length === 0) return [];
      const titled = indent(lines[0]!) === 0;
      const rest = lines.slice(titled ? 1 : 0);
      const isTable = rest.some((line) => /\S {3,}\S/.test(line));
      return [
        ...(titled ? [h(rest.length > 0 ? 'h3' : 'p', {}, lines[0]!)] : []),
        ...(rest.length === 0 ? [] : [isTable ? h('pre', { tabIndex: 0 }, rest.join('\n')) : listOf(rest)]),
      ];
    }),
    ...(all.length > MOST_LINES ? [h('p', {}, `and ${count(all.length - MOST_LINES, 'more line')}`)] : []),
  ];
}

/** Returns a function that explains the shown plan, where the visitor sees it. */
export function showWhy(store: Store, explain: (outcome: Outcome) => Promise<string>): () => void {
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
    body.replaceChildren(...worded(explanation));
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
