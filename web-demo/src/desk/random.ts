/** Mulberry32: a small and fast generator with the same numbers on every platform. */
export class Random {
  private state: number;

  constructor(seed: number, stream = 0) {
    this.state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) | 0;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** Approximately normal with mean 0 and standard deviation 1: the sum of twelve uniforms. */
  nearlyNormal(): number {
    let sum = -6;
    for (let k = 0; k < 12; ++k) sum += this.uniform();
    return sum;
  }

  /** An entry of a table, drawn by weight. */
  weighted<Entry extends readonly [number, ...number[]]>({ entries, total }: Weighted<Entry>): Entry {
    let at = this.uniform() * total;
    for (const entry of entries) if ((at -= entry[0]) < 0) return entry;
    return entries[entries.length - 1]!;
  }
}

/** A table to draw from; the first column holds the weights. */
export interface Weighted<Entry extends readonly [number, ...number[]]> {
  entries: readonly Entry[];
  total: number;
}

export const byWeight = <const Entry extends readonly [number, ...number[]]>(entries: readonly Entry[]): Weighted<Entry> => ({
  entries,
  total: entries.reduce((sum, [weight]) => sum + weight, 0),
});
