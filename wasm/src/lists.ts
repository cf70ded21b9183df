// Numbers and lists as callers give them: what they may be, and their checks.
import { invalid } from './errors.js';

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

export function words(values: Words, path: string): Uint32Array {
  if (values instanceof Uint32Array) return values;
  listed(values, path).forEach((value, k) => word(value, `${path}[${k}]`));
  return Uint32Array.from(values);
}

export function word(value: number, path: string): number {
  if (!Number.isInteger(value) || value < 0 || value > NONE) throw invalid(path, 'must be a whole number from 0 to 4294967295');
  return value;
}

export function integers(values: Int32Array | readonly number[], path: string): Int32Array {
  if (values instanceof Int32Array) return values;
  listed(values, path).forEach((value, k) => {
    if (value !== (value | 0)) throw invalid(`${path}[${k}]`, 'must be a whole number of 32 bits');
  });
  return Int32Array.from(values);
}

export function doubles(values: Doubles, path: string): Float64Array {
  if (values instanceof Float64Array) return values;
  listed(values, path).forEach((value, k) => {
    if (typeof value !== 'number') throw invalid(`${path}[${k}]`, 'must be a number');
  });
  return Float64Array.from(values);
}

export function bytesOf(values: Uint8Array | readonly number[], path: string): Uint8Array {
  if (values instanceof Uint8Array) return values;
  listed(values, path).forEach((value, k) => {
    if (!Number.isInteger(value) || value < 0 || value > 255) throw invalid(`${path}[${k}]`, 'must be a number from 0 to 255');
  });
  return Uint8Array.from(values);
}

export function code<Word extends string>(value: Word | undefined, known: readonly Word[], path: string): number {
  if (value === undefined) return 0;
  const index = known.indexOf(value);
  if (index < 0) throw invalid(path, `must be one of ${known.map((one) => `"${one}"`).join(', ')}`);
  return index;
}
