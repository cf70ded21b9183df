// Numbers and lists as callers give them: what they may be, and their checks.
import { invalid, wellFormed } from './errors.js';
import { UNTIL_DONE, type Steps } from './watch.js';

/** Means "none" in a column of indices. */
export const NONE = 4294967295;

/** Numbers in a typed array, which is copied unchecked, or in any other list, which is checked number by number. */
export type Doubles = Float64Array | readonly number[];
/** Whole numbers from 0 to 2^32 - 1, copied and checked as `Doubles` are. */
export type Words = Uint32Array | readonly number[];

export function listed<Item>(list: readonly Item[] | undefined, path: string): readonly Item[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw invalid(path, 'must be a list');
  return list;
}

/** The numbers of a list, each of which has to be as `isOne` says. */
function numbers<Column extends Uint32Array | Int32Array | Float64Array | Uint8Array>(
  column: Column, values: readonly number[], path: string, isOne: (value: number) => boolean, demand: string, steps: Steps,
): Column {
  for (let k = 0; k < column.length; ++k) {
    steps.step();
    if (!isOne(values[k]!)) throw invalid(`${path}[${k}]`, demand);
    column[k] = values[k]!;
  }
  return column;
}

const WORD = 'must be a whole number from 0 to 4294967295';
const isWord = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= NONE;

export function words(values: Words, path: string, steps = UNTIL_DONE): Uint32Array {
  if (values instanceof Uint32Array) return values;
  return numbers(new Uint32Array(listed(values, path).length), values, path, isWord, WORD, steps);
}

export function word(value: number, path: string): number {
  if (!isWord(value)) throw invalid(path, WORD);
  return value;
}

export function integers(values: Int32Array | readonly number[], path: string, steps = UNTIL_DONE): Int32Array {
  if (values instanceof Int32Array) return values;
  const column = new Int32Array(listed(values, path).length);
  return numbers(column, values, path, (value) => value === (value | 0), 'must be a whole number of 32 bits', steps);
}

export function doubles(values: Doubles, path: string, steps = UNTIL_DONE): Float64Array {
  if (values instanceof Float64Array) return values;
  const column = new Float64Array(listed(values, path).length);
  return numbers(column, values, path, (value) => typeof value === 'number', 'must be a number', steps);
}

export function bytesOf(values: Uint8Array | readonly number[], path: string, steps = UNTIL_DONE): Uint8Array {
  if (values instanceof Uint8Array) return values;
  const column = new Uint8Array(listed(values, path).length);
  const isByte = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255;
  return numbers(column, values, path, isByte, 'must be a number from 0 to 255', steps);
}

/** Text, which has a form in UTF-8. */
export function text(value: string, path: string): string {
  if (typeof value !== 'string') throw invalid(path, 'must be a string');
  return wellFormed(value, () => path);
}

export function code<Word extends string>(value: Word | undefined, known: readonly Word[], path: string): number {
  return value === undefined ? 0 : oneOf(value, known, path);
}

/** As `code`, of a word that has to be there. */
export function oneOf<Word extends string>(value: Word, known: readonly Word[], path: string): number {
  const index = known.indexOf(value);
  if (index < 0) throw invalid(path, `must be one of ${known.map((one) => `"${one}"`).join(', ')}`);
  return index;
}
