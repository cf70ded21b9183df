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

/** A column, or undefined where it is empty. */
export const filled = <Column extends { length: number }>(column: Column | null): Column | undefined =>
  column === null || column.length === 0 ? undefined : column;

/** What the tables of a list hold. */
export const tablesOf = <Table, Entry>(
  length: number, at: (k: number) => Table | null, of: (one: Table, steps: Steps) => Entry, steps: Steps,
): Entry[] =>
  Array.from({ length }, (_, k) => {
    steps.step();
    return of(at(k)!, steps);
  });

export const present = <Value>(value: Value | null): Value | undefined => value ?? undefined;

export const rowsOf = (begin: Uint32Array | null, index: Uint32Array | null): Rows | undefined =>
  begin === null ? undefined : { begin, index: index ?? new Uint32Array() };
