// How results show themselves: as JSON, and in the console of Node.js. The methods are not enumerable, so that copies, comparisons
// and messages to other threads do not see them.

/**
 * A field as JSON has it: a 64-bit number as its decimal digits, which `BigInt` reads, since a number of JavaScript may not hold it;
 * a typed array as an array, in which `JSON.stringify` writes null for NaN.
 */
export type InJson<Field> = Field extends bigint ? string : Field extends Uint32Array | Float64Array ? number[] : Field;

function inJson(field: unknown): unknown {
  if (typeof field === 'bigint') return String(field);
  return ArrayBuffer.isView(field) ? Array.from(field as Float64Array) : field;
}

/** The fields of an object as JSON has them. */
export function fieldsInJson(of: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).map(([key, field]) => [key, inJson(field)]));
}

function toJSON(this: object): Record<string, unknown> {
  return fieldsInJson(this);
}

/** Lets `JSON.stringify` write a report whose fields are 64-bit numbers and typed arrays. */
export function asReport<Report extends object>(report: Report): Report {
  return Object.defineProperty(report, 'toJSON', { value: toJSON, configurable: true, writable: true });
}

/** A fingerprint as all parts of Stowage write it: 16 hexadecimal digits. */
export const fingerprintText = (fingerprint: bigint): string => fingerprint.toString(16).padStart(16, '0');

/** Entries of a list that the console shows unless it is asked for all. */
const MOST_SHOWN = 10;

/** The options of `util.inspect` that are read here. */
interface InspectOptions {
  maxArrayLength?: number | null;
}

/** Lets the console of Node.js show `view` under a name; `view` gets the number of entries that are shown of a list. */
export function shown(object: object, name: string, view: (most: number) => unknown): void {
  const inspected = (depth: number, options: InspectOptions, inspect: (value: unknown, options: object) => string): string => {
    if (depth < 0) return `[${name}]`;
    const wanted = options.maxArrayLength === null ? Infinity : (options.maxArrayLength ?? MOST_SHOWN);
    const most = Number.isFinite(wanted) ? Math.min(wanted, MOST_SHOWN) : Infinity;
    return `${name} ${inspect(view(most), { ...options, depth, maxArrayLength: most })}`;
  };
  Object.defineProperty(object, Symbol.for('nodejs.util.inspect.custom'), { value: inspected });
}

/** The first entries of a list of `length`, as an array of that length: `util.inspect` counts the others and does not read them. */
export function beginning<Entry>(length: number, most: number, at: (entry: number) => Entry): Entry[] {
  const entries = Array.from({ length: Math.min(length, most) }, (_, entry) => at(entry));
  entries.length = length;
  return entries;
}
