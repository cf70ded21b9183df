// A field that finds items by a part of their name.
import { button, h } from './dom.js';
import { count } from './format.js';

const MOST_FOUND = 8;

/** @param id id of the field; the list of matches has the id `${id}-found` */
export function finder(
  id: string,
  what: string,
  names: () => readonly string[],
  pick: (position: number) => void,
): { input: HTMLInputElement; found: HTMLElement } {
  const found = h('div', { id: `${id}-found`, className: 'found', set: { 'aria-live': 'polite' } });
  const input = h('input', {
    type: 'search',
    id,
    placeholder: `Find ${what}`,
    autocomplete: 'off',
    spellcheck: false,
    set: { 'aria-label': `Find ${what}`, 'aria-describedby': found.id },
  });
  const choose = (position: number): void => {
    input.value = '';
    found.replaceChildren();
    pick(position);
  };
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    if (wanted === '') {
      found.replaceChildren();
      return;
    }
    const all = names();
    const hits: number[] = [];
    let total = 0;
    all.forEach((name, position) => {
      const lower = name.toLowerCase();
      if (!lower.includes(wanted)) return;
      ++total;
      if (lower === wanted) hits.unshift(position);
      else if (hits.length < MOST_FOUND) hits.push(position);
    });
    const rest = total > MOST_FOUND ? `and ${count(total - MOST_FOUND, 'more', 'more')}` : '';
    found.replaceChildren(
      ...hits.slice(0, MOST_FOUND).map((position) => button(all[position]!, () => choose(position), 'chip')),
      h('small', {}, total === 0 ? 'No name contains this text.' : rest),
    );
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') found.querySelector('button')?.click();
  });
  return { input, found };
}
