// Says that something takes long, how far it is, and offers to end it.
import { StowageError } from 'stowage';
import { Watching } from '../../desk/client.js';
import { button, byId, h } from './dom.js';

/** Milliseconds before the box appears. */
const UNNOTICED = 300;

export interface Busy {
  /** Aborted with a StowageError `CANCELLED`. */
  readonly signal: AbortSignal;
  /** For calls of the desk. */
  readonly watching: Watching;
  /** Says what is being done now, and what share of it is done where that is known. */
  say(text: string, share?: number): void;
}

/**
 * Shows what is being done until it is done. The visitor may end it: the promise is then rejected with the signal's reason at once,
 * and the work has to look at the signal before it changes anything.
 */
export async function whileBusy<Result>(text: string, work: (busy: Busy) => Promise<Result>): Promise<Result> {
  const control = new AbortController();
  const { signal } = control;
  const words = h('span', { set: { role: 'status' } });
  // Hidden from screen readers: they read the bar, and would read a status again with every change.
  const percent = h('span', { set: { 'aria-hidden': 'true' } });
  const bar = h('progress', { max: 1, set: { 'aria-label': 'Progress' } });
  const end = button('Cancel', () => {
    control.abort(new StowageError('CANCELLED', 'cancelled'));
    byId('status').textContent = 'cancelled';
  });
  const box = h('div', { className: 'busy' }, h('span', {}, words, percent), bar, end);
  const say = (now: string, share?: number): void => {
    if (words.textContent !== now) words.textContent = now;
    percent.textContent = share === undefined ? '' : `: ${Math.floor(100 * share)} %`;
    if (share === undefined) bar.removeAttribute('value');
    else bar.value = share;
  };
  say(text);
  const shown = setTimeout(() => document.body.append(box), UNNOTICED);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  const done = work({ signal, say, watching: new Watching(signal, (share) => say(words.textContent, share)) });
  // What fails after it was ended is nobody's concern.
  done.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([done, ended]);
  } finally {
    clearTimeout(shown);
    box.remove();
  }
}
