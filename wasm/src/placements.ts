// Parts of plans that are shaped by hand, and what plan-fields.ts, which is generated, reads plans with.
import { StowageError } from './errors.js';
import type { Placed } from './plan-records.js';
import { beginning, shown } from './shown.js';
import type { Steps } from './watch.js';
import type * as wire from './wire/plan_generated.js';

/**
 * Violations of placement rules in a plan: of soft rules, and of hard rules that were broken at the start. A violation is one
 * replica and one rule that does not hold for it.
 */
export interface RuleViolations {
  /** Number of violations. */
  count: number;
  /** Number of different replicas among the violations. */
  replicas: number;
  /** Sums over the violations: of the extents (P2, Eq. 8), of the rules' weights, and of extent x weight. */
  extent: number;
  weight: number;
  cost: number;
}

/** The score of a planner that maximizes a score of its own, which docs/reference/algorithms.md defines. */
export interface Score {
  value: number;
  /** Upper bound on the score of any plan, and (bound - value) / value; undefined where no bound is proven. */
  bound: number | undefined;
  gap: number | undefined;
}

/** `not_survived` of a plan whose run ended before all losses were looked at. */
export const NOT_KNOWN = 2n ** 64n - 1n;

/** The placements of a plan, ordered by node and then by app. Entries are read from the plan's bytes on access. */
export class Placements implements Iterable<Placed> {
  /**
   * Views entries without copying them.
   * @param words app, node and replicas of each entry, in sequence
   */
  constructor(readonly words: Uint32Array) {
    shown(this, `Placements(${this.length})`, (most) => beginning(this.length, most, (entry) => this.at(entry)));
  }

  /** Number of entries. */
  get length(): number {
    return this.words.length / 3;
  }
  /** Index of the app of an entry. */
  app(entry: number): number {
    return this.words[3 * entry]!;
  }
  /** Index of the node of an entry. */
  node(entry: number): number {
    return this.words[3 * entry + 1]!;
  }
  /** Replicas of an entry. */
  replicas(entry: number): number {
    return this.words[3 * entry + 2]!;
  }
  /** An entry as an object. */
  at(entry: number): Placed {
    return { app: this.app(entry), node: this.node(entry), replicas: this.replicas(entry) };
  }
  /** The entries in sequence, by node. */
  *[Symbol.iterator](): Iterator<Placed> {
    for (let entry = 0; entry < this.length; ++entry) yield this.at(entry);
  }
  /** Index of a node's first entry, and the index after its last one. */
  range(node: number): [begin: number, end: number] {
    return [this.lowerBound(node), this.lowerBound(node + 1)];
  }
  /** The entries of a node. */
  on(node: number): Placed[] {
    const [begin, end] = this.range(node);
    return Array.from({ length: end - begin }, (_, k) => this.at(begin + k));
  }
  /** All entries, for `JSON.stringify`. */
  toJSON(): Placed[] {
    return [...this];
  }

  private lowerBound(node: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.node(middle) < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** What tables of the schemas say of rules. The types of the package do not name the tables. */
interface Violations {
  ruleViolations(): bigint;
  violatingReplicas(): bigint;
  violationExtent(): number;
  violationWeight(): number;
  violationCost(): number;
}

/** Of a plan, or of a report's metrics. */
export const violationsOf = (from: Violations): RuleViolations => ({
  count: Number(from.ruleViolations()),
  replicas: Number(from.violatingReplicas()),
  extent: from.violationExtent(),
  weight: from.violationWeight(),
  cost: from.violationCost(),
});

/** @internal */
export function scoreOf(root: wire.Plan): Score | undefined {
  if (!root.hasScore()) return undefined;
  const proven = root.scoreGap() >= 0;
  return { value: root.score(), bound: proven ? root.scoreBound() : undefined, gap: proven ? root.scoreGap() : undefined };
}

/** Reads a list whose size the bytes decide. */
export const listOf = <From, To>(length: number, at: (k: number) => From | null, of: (from: From) => To, steps: Steps): To[] =>
  Array.from({ length }, (_, k) => {
    steps.step();
    return of(at(k)!);
  });

/** @internal The entries of a plan, in its bytes. */
export const placementsOf = (source: Uint8Array, length: number, first: wire.Placed | null): Placements =>
  new Placements(first === null ? new Uint32Array() : new Uint32Array(source.buffer, source.byteOffset + first.bb_pos, 3 * length));

/** @internal The copies of each node, if they are written. */
export function copiesIn(from: wire.Plan): Uint32Array | undefined {
  const copies = from.copiesArray() ?? undefined;
  // The check takes an empty column for an absent one. The library does not.
  if (copies !== undefined && copies.length !== from.nodeClassLength()) {
    throw new StowageError('MALFORMED', 'needs one entry per node', 'copies');
  }
  return copies;
}
