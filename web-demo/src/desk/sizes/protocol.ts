// What the page asks about sizes that are learned, and the answers.
import type { Goal, Recommendations, Samples, SizeRule, Sizes } from 'stowage';

/** What is wrong with a text. */
export interface Problem {
  /** From 1; absent where the text as a whole is wrong. */
  line?: number;
  /** Number of the field in its line, from 1, with the name of its column. */
  column?: number;
  name?: string;
  /** The characters of the text that are wrong. */
  begin: number;
  end: number;
  message: string;
}

/** The result of reading a text, or the mistake in it. Both where the part before the mistake was used. */
export interface Checked<Value> {
  value?: Value;
  problem?: Problem;
}

export interface Learned {
  apps: number;
  rows: number;
}

/** A text about usage. */
export interface UsageOutline {
  apps: string[];
  resources: string[];
  samples: number;
}

/** Usage of an app in steps of equal length. Lists per resource have a value for each step, NaN where nothing was measured. */
export interface UsageSeries {
  /** In seconds. */
  first: number;
  last: number;
  low: Float64Array[];
  mean: Float64Array[];
  high: Float64Array[];
  /** Times at which a replica was killed for lack of memory. */
  killed: number[];
}

/** Sizes to be written into a scenario, by name. */
export interface LearnedSizes {
  resources: readonly string[];
  apps: readonly {
    name: string;
    /** NaN = stays as it is. Length: resources. */
    size: readonly number[];
    /** Absent = stays as it is. */
    mostPerNode?: number | undefined;
  }[];
}

export interface SizingCalls {
  /** Learns from profiles. What was learned before is dropped, also where the text is wrong. */
  learn(text: string): Promise<Checked<Learned>>;
  readSamples(text: string): Checked<Samples>;
  /** The recommendations for the samples that were read last, with curves. */
  recommend(goal: Goal): Checked<Recommendations>;
  readUsage(text: string): Checked<UsageOutline>;
  /** Sizes for the usage that was read last. */
  size(rules: readonly SizeRule[]): Promise<Checked<Sizes>>;
  usageOver(app: number, steps: number): UsageSeries;
}
