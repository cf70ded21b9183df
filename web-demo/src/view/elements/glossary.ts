// Words of planning with their meaning, shown under the pointer, on focus and on a tap.
import { h } from './dom.js';

const MEANINGS = {
  app: 'A program that runs as a number of equal replicas.',
  replica: 'One running copy of an app. It is placed on one node and needs a fixed amount of each resource there.',
  node: 'A machine, real or virtual, with a capacity of each resource.',
  limit: 'A bound on neighbours: beside a replica of one app, at most so many replicas of another app on the same node.',
  bound: 'A proven minimum: no plan can do with less, whatever planner makes it.',
  gap: 'How far the plan is above the bound. At 0 %, the plan is proven to be the best one.',
  period: 'A part of the time that is planned for, such as an hour of the day. Demand may differ between periods.',
  rule: 'A condition on where replicas run, such as "in different racks". A hard rule always holds; a soft one costs if it does not.',
  kind: 'Apps of one kind disturb others, and suffer from others, to the same degree.',
  coefficient: 'What a replica of the kind in the row suffers from each unit of load of the kind in the column beside it.',
  confidence: 'Demand is uncertain; with this probability, the demand on a node stays within its capacity.',
} as const;

export type Word = keyof typeof MEANINGS;

/** A word that explains itself. */
export function term(word: Word, text: string = word): HTMLElement {
  return h(
    'span',
    { className: 'term', tabIndex: 0, set: { 'data-meaning': MEANINGS[word], role: 'note', 'aria-label': `${text}: ${MEANINGS[word]}` } },
    text,
  );
}

/** All words and their meanings. */
export function showWords(): void {
  const dialog = h(
    'dialog',
    { set: { 'aria-labelledby': 'words-title' } },
    h('h2', { id: 'words-title' }, 'Words'),
    h('dl', {}, ...Object.entries(MEANINGS).flatMap(([word, meaning]) => [h('dt', {}, word), h('dd', {}, meaning)])),
    h('form', { method: 'dialog' }, h('button', {}, 'Close')),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

let next = 0;

/** Shows the meaning of the term under the pointer or in focus. One element is used for all, so that it never leaves the screen. */
export function startGlossary(): void {
  const box = h('div', { id: 'meaning', popover: 'manual' } as never);
  document.body.append(box);
  const show = (target: EventTarget | null): void => {
    const word = target instanceof Element ? target.closest<HTMLElement>('.term') : null;
    const mine = ++next;
    if (word === null) {
      // A short delay, so that moving from a word to the next does not flicker.
      setTimeout(() => {
        if (mine === next && box.matches(':popover-open')) box.hidePopover();
      }, 80);
      return;
    }
    box.textContent = word.dataset['meaning'] ?? '';
    if (!box.matches(':popover-open')) box.showPopover();
    const at = word.getBoundingClientRect();
    const own = box.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, innerWidth - own.width - 8));
    const below = at.bottom + 6;
    const top = below + own.height > innerHeight ? Math.max(8, at.top - own.height - 6) : below;
    box.style.translate = `${left}px ${top}px`;
  };
  for (const event of ['pointerover', 'focusin', 'click'] as const) addEventListener(event, ({ target }) => show(target));
  addEventListener('keydown', ({ key }) => key === 'Escape' && show(null));
  addEventListener('scroll', () => show(null), { passive: true, capture: true });
}
