// What reports.ts, which is generated, reads records with; and the types around reports that no schema declares.
import * as flatbuffers from 'flatbuffers';
import { reading } from './check.js';
import { StowageError, invalid } from './errors.js';
import { NONE } from './lists.js';
import type { Loss, Move } from './reports.js';
import { asReport } from './shown.js';
import * as catalogue from './wire/catalogue_generated.js';
import * as wire from './wire/report_generated.js';

/** What is lost: `nodes` together; or the nodes with the same value of `label`, one value after the other; or each by itself. */
export interface LossQuestion {
  /** The instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself. */
  nodes?: ArrayLike<number>;
  /** The key of a label. */
  label?: string;
}

/** What may happen at the same time. */
export interface MoveLimits {
  /** At most so many moves of one wave from or to the same node; absent = any number. */
  perNode?: number | undefined;
  /** At most this share of an app's replicas in one wave, but at least one replica; absent = all. */
  appShare?: number | undefined;
}

/** A placement rule and the rule that overrides it, as indices of the instance's rules. */
export interface OverriddenRule {
  rule: number;
  by: number;
}

/** The members of a record as they are read: undefined where they are absent. */
type Members<Item> = { [Key in keyof Item]-?: object extends Pick<Item, Key> ? Item[Key] | undefined : Item[Key] };

/** A record without the members that are undefined. */
export function record<Item extends object>(members: Members<Item>): Item {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Item;
}

/** A record with 64-bit numbers or typed arrays, which `JSON.stringify` writes. */
export const report = <Item extends object>(members: Members<Item>): Item => asReport(record<Item>(members));

/**
 * An enumerator's name in lower case with hyphens, such as "affinity-limit" for AffinityLimit; the number of an enumerator that
 * only a later library knows.
 */
export function word<Word extends string>(names: Readonly<Record<number, string>>, value: number): Word {
  return (names[value] ?? String(value)).replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase() as Word;
}

/** An index, if it applies. */
export const index = (value: number): number | undefined => (value === NONE ? undefined : value);

/** A number, if it is known: unknown ones are negative. */
export const known = (value: number): number | undefined => (value < 0 ? undefined : value);

export const found = <From, To>(from: From | null, to: (from: From) => To): To | undefined => (from === null ? undefined : to(from));

export function all<From, To>(count: number, at: (index: number) => From | null, to: (from: From) => To): To[] {
  return Array.from({ length: count }, (_, k) => to(at(k)!));
}

export function texts(count: number, at: (index: number) => string | null): string[] {
  return Array.from({ length: count }, (_, k) => at(k) ?? '');
}

/** A column of its own, so that it does not keep the bytes of the report. */
export function copied<Column extends Uint8Array | Uint32Array | Float64Array>(column: Column | null, Kind: new () => Column): Column {
  return (column?.slice() as Column | undefined) ?? new Kind();
}

export function counts(count: number, at: (index: number) => bigint | null): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => Number(at(k)));
}

/** The bytes of explanations, which are put into words. */
const explained = new WeakMap<object, Uint8Array>();

/** The bytes of an explanation. */
export function bytesOfReport(explanation: object): Uint8Array {
  const bytes = explained.get(explanation);
  if (bytes === undefined) throw invalid('explanation', 'must be what explain() returned');
  return bytes;
}

/** @internal Reads the bytes of a report, which has to be of the kind. */
export function decoded<Body, Result extends object>(
  bytes: Uint8Array, kind: wire.ReportBody, empty: Body, of: (body: Body) => Result,
): Result {
  return reading('report', bytes, (source) => {
    const from = wire.Report.getRootAsReport(new flatbuffers.ByteBuffer(source));
    if (from.bodyType() !== kind) throw new StowageError('MALFORMED', 'the report is of another kind than asked for');
    // The generated code uses an older type for union members.
    const result = of(from.body(empty as never) as unknown as Body);
    if (kind === wire.ReportBody.Explanation) explained.set(result, source);
    return result;
  });
}

/** @internal */
export function decodedCatalogue<Result>(bytes: Uint8Array, of: (from: catalogue.Catalogue) => Result): Result {
  return reading('catalogue', bytes, (source) => of(catalogue.Catalogue.getRootAsCatalogue(new flatbuffers.ByteBuffer(source))));
}

/** @internal */
export function overriddenOf(from: wire.Explanation): OverriddenRule[] {
  return Array.from({ length: Math.min(from.overriddenLength(), from.overriddenByLength()) }, (_, k) => ({
    rule: from.overridden(k)!, by: from.overriddenBy(k)!,
  }));
}

/** @internal */
export function lossMovesOf(from: wire.Loss): Loss['moves'] {
  return Array.from({ length: from.appLength() }, (_, k) => record<Loss['moves'][number]>({
    app: from.app(k)!, to: index(from.to(k)!), replicas: from.count(k)!,
  }));
}

/** The moves of each wave, of which the ends are known. */
export function wavesOf(moves: Move[], waveEnds: Uint32Array | null): Move[][] {
  const ends = [...(waveEnds ?? [])];
  return ends.map((end, k) => moves.slice(k === 0 ? 0 : ends[k - 1], end));
}
