// Sizes that are learned: questions and answers as columns (learning.fbs). docs/how-to-size.md explains what they are for.
import * as flatbuffers from 'flatbuffers';
import { reading } from './check.js';
import { stringsOf } from './column-parts.js';
import { Encoder, converting } from './encoder.js';
import { code, listed, word, type Doubles, type Words } from './lists.js';
import { StowageError, invalid, onlyKeys } from './errors.js';
import { index, record, word as named } from './report-parts.js';
import { asReport } from './shown.js';
import type { Steps } from './watch.js';
import * as wire from './wire/learning_generated.js';

/** Performance is in [0, 1], higher is better; latency is in milliseconds, above 0, lower is better. */
export type Measure = 'performance' | 'latency';
const MEASURES: readonly Measure[] = ['performance', 'latency'];

/**
 * What is known of apps before anything is measured, such as a family, a load or a data size. Exactly one of the two columns is
 * present.
 */
export interface Feature {
  name: string;
  /** NaN = not known. Length: apps. */
  numbers?: Doubles | undefined;
  /** Empty = not known. Length: apps. */
  words?: readonly string[] | undefined;
}

/**
 * Measurements of apps: how each performed with some configurations. A configuration is an amount of each resource for a
 * container, and a degree of collocation. Tables are row-major.
 */
export interface Samples {
  /** Default: "performance". */
  measure?: Measure | undefined;
  resources: readonly string[];
  apps: readonly string[];
  features?: readonly Feature[] | undefined;
  /** What each app asks for today; NaN in all resources of an app = not known. Length: apps x resources. */
  asked?: Doubles | undefined;
  /** App of each row, an index into `apps`. */
  rowApp: Words;
  /** Amounts of each row, above 0. Length: rows x resources. */
  rowAmounts: Doubles;
  /** Containers of the app that share a node. Length: rows; absent = all 1. */
  rowCollocation?: Words | undefined;
  /** What was measured in each row. Length: rows. */
  rowValue: Doubles;
}

/** What recommended configurations are to reach. */
export interface Goal {
  /** A performance to reach at least, in (0, 1], or a latency in milliseconds to reach at most. */
  value: number;
  /** Probability with which the goal is to be met, in (0, 1); default: 0.8. */
  confidence?: number | undefined;
  /** Cost of one unit of each resource; absent = the largest amount that any configuration has of a resource costs 1. */
  cost?: Doubles | undefined;
  /** True: sizes stay as the apps ask for them; only the degree of collocation is chosen. */
  keepAsked?: boolean | undefined;
}

/** Asks a model for a recommendation for each app of the samples. */
export interface Question {
  samples: Samples;
  goal: Goal;
  /** True: the answer has what is known of every configuration for every app. */
  curves?: boolean | undefined;
}

/**
 * Why a recommendation is as it is: the choice is the cheapest configuration that meets the goal with the confidence; none does
 * so far, and one may; none does.
 */
export type RecommendationReason = 'meets-goal' | 'not-enough-evidence' | 'goal-out-of-reach';

/** Amounts of each resource for a container, and the containers of the app that share a node. `JSON.stringify` writes arrays. */
export interface Configuration {
  amounts: Float64Array;
  collocation: number;
}

/** The recommendation for one app. Configurations are given by their index in `Recommendations.configurations`. */
export interface Recommendation {
  app: string;
  reason: RecommendationReason;
  /** The recommended configuration; absent unless the reason is "meets-goal". */
  choice?: number;
  /** That the choice meets the goal or, where there is none, that the most probable configuration does. */
  probability: number;
  /** The next cheaper size, which misses the confidence; where there is no choice, the most probable configuration. */
  runnerUp?: number;
  runnerUpProbability: number;
  /** Of one container of the chosen size; 0 without a choice. */
  cost: number;
  /**
   * Share of the cost that the choice saves against what the app asks for; negative where it costs more, NaN where nothing was
   * asked or chosen.
   */
  savingAsked: number;
  /** The same against the configuration that costs most; NaN where nothing was chosen. */
  savingLargest: number;
  /** The sample to take next: the one with the largest expected saving. */
  nextSample?: number;
  /** What it is expected to save, as a share of the cost of the configuration that costs most. */
  nextSaving: number;
  /** Number of samples of the app that the recommendation rests on. */
  samples: number;
  /** Number of profiled apps that it rests on, in effect. */
  similar: number;
  /**
   * For a question with `curves`, what is known of each configuration: the mean of the measure, what one in twenty is below and
   * above, and the probability of meeting the goal.
   */
  curveMean?: Float64Array;
  curveLow?: Float64Array;
  curveHigh?: Float64Array;
  curveProbability?: Float64Array;
}

/** The answer to a question. `JSON.stringify` writes columns as arrays, and null for NaN. */
export interface Recommendations {
  resources: string[];
  /** The configurations that the model knows. */
  configurations: Configuration[];
  /** In the order of the samples' apps. */
  apps: Recommendation[];
}

/** How the size in one resource follows from usage. */
export interface SizeRule {
  /** Share of the samples, by weight, that the size covers, in (0, 1]; default: 0.95. */
  percentile?: number | undefined;
  /** Seconds in which the weight of a sample halves; 0 or absent = all weigh the same. */
  halfLife?: number | undefined;
  /** Seconds: of each replica, the largest usage in a window counts as one sample; 0 or absent = each sample counts. */
  window?: number | undefined;
  /** Usage counts (1 + margin) times. */
  margin?: number | undefined;
  /** Usage at which a replica was killed counts `bump` times; at least 1, the default. */
  bump?: number | undefined;
  floor?: number | undefined;
  /** 0 or absent = none. */
  ceiling?: number | undefined;
  /** True: demand is the mean of usage, with its variance. */
  uncertain?: boolean | undefined;
}

/** What replicas used over time, and how sizes follow from it. Samples are in any order; a sample is one replica at one time. */
export interface Usage {
  apps: readonly string[];
  resources: readonly string[];
  /** App of each sample, an index into `apps`. */
  app: Words;
  /** Number of the replica within its app. Length: samples; absent = not known. */
  replica?: Words | undefined;
  /** Seconds since any origin; may be negative. Length: samples. */
  time: Doubles;
  /** In the resource's unit; NaN = not measured. Length: samples x resources. */
  amount: Doubles;
  /** 1 = the replica was killed for lack of memory. Length: samples; absent = none was. */
  outOfMemory?: Uint8Array | readonly number[] | undefined;
  /** Length: resources. */
  rules: readonly SizeRule[];
  /** Number of periods of the demand; default: 1. */
  periods?: number | undefined;
  /** Seconds after which periods repeat, counted from time 0; 0 = they divide the whole history. Default: a day. */
  cycle?: number | undefined;
}

/** The answer to usage. `JSON.stringify` writes columns as arrays, and null for NaN. */
export interface Sizes {
  apps: string[];
  resources: string[];
  periods: number;
  /** NaN = never measured. Length: apps x resources. */
  size: Float64Array;
  /** Share of the size that was not used, on average over the samples. Length: apps x resources. */
  slack: Float64Array;
  /** Share of the samples above the size: throttled or, for memory, out of memory. Length: apps x resources. */
  exceeded: Float64Array;
  /** Demand of one replica for an instance; NaN = never measured. Length: apps x resources x periods. */
  demand: Float64Array;
  /** Variance of the demand. Length: apps x resources; absent where no rule is uncertain. */
  variance?: Float64Array;
  /** As `slack` and `exceeded`, of the demand. */
  demandSlack: Float64Array;
  demandExceeded: Float64Array;
  /** Number of samples that were measured. Length: apps x resources. */
  measured: number[];
  /** Times of the first and the last sample. Length: apps. */
  first: Float64Array;
  last: Float64Array;
  /** Number of samples that were out of memory. Length: apps. */
  killed: number[];
}

// ------------------------------------------------------------------------------------------------------------- to bytes

type Offset = flatbuffers.Offset;

function number(value: number, path: string): number {
  if (typeof value !== 'number') throw invalid(path, 'must be a number');
  return value;
}

/** Known keys of what is given as objects. */
type Keys<Given> = Readonly<Record<keyof Given, true>>;
const FEATURE_KEYS: Keys<Feature> = { name: true, numbers: true, words: true };
const SAMPLES_KEYS: Keys<Samples> = {
  measure: true, resources: true, apps: true, features: true, asked: true, rowApp: true, rowAmounts: true, rowCollocation: true,
  rowValue: true,
};
const GOAL_KEYS: Keys<Goal> = { value: true, confidence: true, cost: true, keepAsked: true };
const QUESTION_KEYS: Keys<Question> = { samples: true, goal: true, curves: true };
const RULE_KEYS: Keys<SizeRule> = {
  percentile: true, halfLife: true, window: true, margin: true, bump: true, floor: true, ceiling: true, uncertain: true,
};
const USAGE_KEYS: Keys<Usage> = {
  apps: true, resources: true, app: true, replica: true, time: true, amount: true, outOfMemory: true, rules: true,
  periods: true, cycle: true,
};

/** An object without unknown keys. */
function object<Given extends object>(value: Given, path: string, known: Keys<Given>): void {
  if (typeof value !== 'object' || value === null) throw invalid(path, 'must be an object');
  onlyKeys(value, new Set(Object.keys(known)), path);
}

function writeSamples(encoder: Encoder, samples: Samples): Offset {
  object(samples, 'samples', SAMPLES_KEYS);
  const { builder } = encoder;
  const features = listed(samples.features, 'features').map((feature, k) => {
    const path = `features[${k}]`;
    object(feature, path, FEATURE_KEYS);
    const name = encoder.required(feature.name, `${path}.name`);
    const numbers = encoder.doubles(feature.numbers, `${path}.numbers`);
    return wire.Feature.createFeature(builder, name, numbers, encoder.texts(feature.words, `${path}.words`));
  });
  const measure = code(samples.measure, MEASURES, 'measure');
  const resources = encoder.names(samples.resources, 'resources');
  const apps = encoder.names(samples.apps, 'apps');
  const wireFeatures = features.length === 0 ? 0 : encoder.vector(features);
  const asked = encoder.doubles(samples.asked, 'asked');
  const rowApp = encoder.words(samples.rowApp ?? [], 'row_app');
  const rowAmounts = encoder.doubles(samples.rowAmounts ?? [], 'row_amounts');
  const rowCollocation = encoder.words(samples.rowCollocation, 'row_collocation');
  const rowValue = encoder.doubles(samples.rowValue ?? [], 'row_value');
  return wire.Samples.createSamples(
    builder, measure, resources, apps, wireFeatures, asked, rowApp, rowAmounts, rowCollocation, rowValue,
  );
}

function writeGoal(encoder: Encoder, goal: Goal): Offset {
  object(goal, 'goal', GOAL_KEYS);
  const value = number(goal.value, 'goal');
  const confidence = number(goal.confidence ?? 0.8, 'confidence');
  const cost = encoder.doubles(goal.cost, 'cost');
  return wire.Goal.createGoal(encoder.builder, value, confidence, cost, goal.keepAsked ?? false);
}

function writeRule(encoder: Encoder, rule: SizeRule, path: string): Offset {
  object(rule, path, RULE_KEYS);
  return wire.SizeRule.createSizeRule(
    encoder.builder,
    number(rule.percentile ?? 0.95, `${path}.percentile`),
    number(rule.halfLife ?? 0, `${path}.half_life`),
    number(rule.window ?? 0, `${path}.window`),
    number(rule.margin ?? 0, `${path}.margin`),
    number(rule.bump ?? 1, `${path}.bump`),
    number(rule.floor ?? 0, `${path}.floor`),
    number(rule.ceiling ?? 0, `${path}.ceiling`),
    rule.uncertain ?? false,
  );
}

/** The bytes of a buffer with the body that `write` writes. */
function learning(kind: wire.LearningBody, what: string, steps: Steps, write: (encoder: Encoder) => Offset): Uint8Array {
  return converting(what, steps, () => {
    const encoder = new Encoder(1024, steps);
    const { builder } = encoder;
    wire.Learning.finishLearningBuffer(builder, wire.Learning.createLearning(builder, 1, kind, write(encoder)));
    // A copy, which releases the unused part of the buffer.
    return builder.asUint8Array().slice();
  });
}

/** The bytes of a model, which are refused if they are something else. */
export function modelBytes(bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) throw invalid('bytes', 'must be a Uint8Array');
  return bytes;
}

export function encodeSamples(samples: Samples, steps: Steps): Uint8Array {
  return learning(wire.LearningBody.Samples, 'samples', steps, (encoder) => writeSamples(encoder, samples));
}

export function encodeQuestion(question: Question, steps: Steps): Uint8Array {
  object(question, 'question', QUESTION_KEYS);
  return learning(wire.LearningBody.Question, 'a question', steps, (encoder) => {
    const { builder } = encoder;
    const samples = writeSamples(encoder, question.samples);
    const goal = writeGoal(encoder, question.goal);
    wire.Question.startQuestion(builder);
    wire.Question.addSamples(builder, samples);
    wire.Question.addGoal(builder, goal);
    wire.Question.addCurves(builder, question.curves ?? false);
    return wire.Question.endQuestion(builder);
  });
}

export function encodeUsage(usage: Usage, steps: Steps): Uint8Array {
  object(usage, 'usage', USAGE_KEYS);
  return learning(wire.LearningBody.Usage, 'usage', steps, (encoder) => {
    const rules = encoder.vector(listed(usage.rules, 'rules').map((rule, k) => writeRule(encoder, rule, `rules[${k}]`)));
    const apps = encoder.names(usage.apps, 'apps');
    const resources = encoder.names(usage.resources, 'resources');
    const app = encoder.words(usage.app ?? [], 'app');
    const replica = encoder.words(usage.replica, 'replica');
    const time = encoder.doubles(usage.time ?? [], 'time');
    const amount = encoder.doubles(usage.amount ?? [], 'amount');
    const outOfMemory = encoder.bytes(usage.outOfMemory, 'out_of_memory');
    const periods = word(usage.periods ?? 1, 'periods');
    const cycle = number(usage.cycle ?? 86400, 'cycle');
    return wire.Usage.createUsage(
      encoder.builder, apps, resources, app, replica, time, amount, outOfMemory, rules, periods, cycle,
    );
  });
}

// ----------------------------------------------------------------------------------------------------------- from bytes

function body<Body>(bytes: Uint8Array, kind: wire.LearningBody, empty: Body): Body {
  const root = wire.Learning.getRootAsLearning(new flatbuffers.ByteBuffer(bytes));
  if (root.bodyType() !== kind) throw new StowageError('MALFORMED', 'the answer is of another kind than asked for');
  // The generated code uses an older type for union members.
  return root.body(empty as never) as unknown as Body;
}

const column = (values: Float64Array | null): Float64Array => (values ?? new Float64Array()).slice();
const counts = (length: number, at: (index: number) => bigint | null): number[] =>
  Array.from({ length }, (_, k) => Number(at(k)));

export function decodeRecommendations(bytes: Uint8Array): Recommendations {
  return reading('learning', bytes, (source) => {
    const from = body(source, wire.LearningBody.Recommendations, new wire.Recommendations());
    const [resources, configurations] = [from.resourcesLength(), from.collocationLength()];
    const amounts = column(from.amountsArray());
    const curves = curvesOf(from, configurations);
    return {
      resources: stringsOf(resources, (k) => from.resources(k)),
      configurations: Array.from({ length: configurations }, (_, k) => asReport({
        amounts: amounts.slice(k * resources, (k + 1) * resources),
        collocation: from.collocation(k)!,
      })),
      apps: Array.from({ length: from.appsLength() }, (_, app) => asReport<Recommendation>({
        app: from.apps(app),
        reason: named<RecommendationReason>(wire.RecommendationReason, from.reason(app)!),
        ...record<Pick<Recommendation, 'choice' | 'runnerUp' | 'nextSample'>>({
          choice: index(from.choice(app)!), runnerUp: index(from.runnerUp(app)!), nextSample: index(from.nextSample(app)!),
        }),
        probability: from.probability(app)!,
        runnerUpProbability: from.runnerUpProbability(app)!,
        cost: from.cost(app)!,
        savingAsked: from.savingAsked(app)!,
        savingLargest: from.savingLargest(app)!,
        nextSaving: from.nextSaving(app)!,
        samples: from.samples(app)!,
        similar: from.similar(app)!,
        ...curves(app),
      })),
    };
  });
}

/** What the answer knows of each configuration, by app; nothing where no curves were asked for. */
function curvesOf(
  from: wire.Recommendations, configurations: number,
): (app: number) => Pick<Recommendation, 'curveMean' | 'curveLow' | 'curveHigh' | 'curveProbability'> {
  if (from.curveMeanLength() === 0) return () => ({});
  const columns = [from.curveMeanArray(), from.curveLowArray(), from.curveHighArray(), from.curveProbabilityArray()];
  return (app) => {
    const [curveMean, curveLow, curveHigh, curveProbability] = columns.map((values) =>
      (values ?? new Float64Array()).slice(app * configurations, (app + 1) * configurations));
    return { curveMean: curveMean!, curveLow: curveLow!, curveHigh: curveHigh!, curveProbability: curveProbability! };
  };
}

export function decodeSizes(bytes: Uint8Array): Sizes {
  return reading('learning', bytes, (source) => {
    const from = body(source, wire.LearningBody.Sizes, new wire.Sizes());
    return asReport({
      apps: stringsOf(from.appsLength(), (k) => from.apps(k)),
      resources: stringsOf(from.resourcesLength(), (k) => from.resources(k)),
      periods: from.periods(),
      size: column(from.sizeArray()),
      slack: column(from.slackArray()),
      exceeded: column(from.exceededArray()),
      demand: column(from.demandArray()),
      ...(from.varianceLength() === 0 ? {} : { variance: column(from.varianceArray()) }),
      demandSlack: column(from.demandSlackArray()),
      demandExceeded: column(from.demandExceededArray()),
      measured: counts(from.measuredLength(), (k) => from.measured(k)),
      first: column(from.firstArray()),
      last: column(from.lastArray()),
      killed: counts(from.killedLength(), (k) => from.killed(k)),
    });
  });
}
