// Quantities as people write them: "500m", "2Gi", "1.5", "250GiB". The rules are those of docs/reference/json-format.md.

/** A factor as a numerator and a denominator, so that scaling by powers of ten rounds only once. */
interface Factor {
  readonly numerator: number;
  readonly denominator: number;
}

/** In descending order of length. */
const PREFIXES: readonly (readonly [string, Factor])[] = [
  ['Ki', { numerator: 2 ** 10, denominator: 1 }],
  ['Mi', { numerator: 2 ** 20, denominator: 1 }],
  ['Gi', { numerator: 2 ** 30, denominator: 1 }],
  ['Ti', { numerator: 2 ** 40, denominator: 1 }],
  ['Pi', { numerator: 2 ** 50, denominator: 1 }],
  ['Ei', { numerator: 2 ** 60, denominator: 1 }],
  ['n', { numerator: 1, denominator: 1e9 }],
  ['u', { numerator: 1, denominator: 1e6 }],
  ['m', { numerator: 1, denominator: 1e3 }],
  ['k', { numerator: 1e3, denominator: 1 }],
  ['K', { numerator: 1e3, denominator: 1 }],
  ['M', { numerator: 1e6, denominator: 1 }],
  ['G', { numerator: 1e9, denominator: 1 }],
  ['T', { numerator: 1e12, denominator: 1 }],
  ['P', { numerator: 1e15, denominator: 1 }],
  ['E', { numerator: 1e18, denominator: 1 }],
  ['', { numerator: 1, denominator: 1 }],
];

/** Bases before which a unit's name may have a prefix. Any other unit, such as "cores", has no prefix. */
const BASES: ReadonlySet<string> = new Set(['B', 'B/s', 'Bps', 'b', 'b/s', 'bps', 'bit', 'bit/s', 'Hz', 'W']);

/** Matches in time that is linear in the length, also of what is no quantity. Blanks at the end are in the second group. */
const NUMBER = /^[ \t]*(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t]*(.*)$/s;

/** A number and the text after it, without blanks around them; undefined where the text does not begin with a number. */
function numberAndRest(text: string): [number: string, rest: string] | undefined {
  const [, number, rest] = NUMBER.exec(text) ?? [];
  if (number === undefined) return undefined;
  let end = rest!.length;
  while (end > 0 && ' \t'.includes(rest![end - 1]!)) --end;
  return [number, rest!.slice(0, end)];
}

function unitOf(unit: string): { factor: Factor; base: string } {
  for (const [prefix, factor] of PREFIXES) {
    if (unit.startsWith(prefix) && BASES.has(unit.slice(prefix.length))) return { factor, base: unit.slice(prefix.length) };
  }
  return { factor: { numerator: 1, denominator: 1 }, base: unit };
}

/** value x by / unit, rounded once where one of the two factors divides the other. */
function scaled(value: number, by: Factor, unit: Factor): number {
  const numerator = by.numerator * unit.denominator;
  const denominator = by.denominator * unit.numerator;
  if (numerator % denominator === 0) return value * (numerator / denominator);
  if (denominator % numerator === 0) return value / (denominator / numerator);
  return (value * numerator) / denominator;
}

/** The value of `text` in `unit`, or undefined where it is not a quantity. */
export function parseQuantity(text: string, unit: string): number | undefined {
  const [number, rest] = numberAndRest(text) ?? [];
  if (rest === undefined) return undefined;
  const value = Number(number);
  if (!Number.isFinite(value)) return undefined;
  if (rest === '' || rest === unit) return value;
  const { factor, base } = unitOf(unit);
  for (const [prefix, by] of PREFIXES) {
    if (!rest.startsWith(prefix)) continue;
    const after = rest.slice(prefix.length).replace(/^[ \t]+/, '');
    if (after === '' || after === base) return scaled(value, by, factor);
  }
  return undefined;
}
