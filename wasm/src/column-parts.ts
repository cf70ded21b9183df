// What columns are read with.
import type { Words } from './lists.js';
import { UNTIL_DONE, type Steps } from './watch.js';

/** Compressed rows: the entries of item i are `index[k]` for `begin[i]` <= k < `begin[i + 1]`. */
export interface Rows {
  begin: Words;
  index: Words;
}

export function stringsOf(count: number, at: (index: number) => string | null, steps = UNTIL_DONE): string[] {
  return Array.from({ length: count }, (_, k) => {
    steps.step();
    return at(k) ?? '';
  });
}

/** Strings, or undefined where there are none. */
export const textsOf = (count: number, at: (index: number) => string | null, steps: Steps): string[] | undefined =>
  count === 0 ? undefined : stringsOf(count, at, steps);

export const present = <Value>(value: Value | null): Value | undefined => value ?? undefined;

export const rowsOf = (begin: Uint32Array | null, index: Uint32Array | null): Rows | undefined =>
  begin === null ? undefined : { begin, index: index ?? new Uint32Array() };
