// Sizes that are learned: questions and answers as columns (learning.fbs). docs/cookbook/size.md explains what they are for.
import * as flatbuffers from 'flatbuffers';
import { reading } from './check.js';
import { stringsOf } from './column-parts.js';
import { Encoder, converting, type Offset } from './encoder.js';
import { StowageError, invalid } from './errors.js';
import { writeQuestion, writeSamples, writeUsage, type Question, type Samples, type Usage } from './given.js';
import { index, record, word as named } from './report-parts.js';
import { asReport } from './shown.js';
import type { Steps } from './watch.js';
import * as wire from './wire/learning_generated.js';

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
  return learning(wire.LearningBody.Samples, 'samples', steps, (encoder) => writeSamples(encoder, samples, 'samples', ''));
}

export function encodeQuestion(question: Question, steps: Steps): Uint8Array {
  return learning(wire.LearningBody.Question, 'a question', steps, (encoder) => writeQuestion(encoder, question, 'question', ''));
}

export function encodeUsage(usage: Usage, steps: Steps): Uint8Array {
  return learning(wire.LearningBody.Usage, 'usage', steps, (encoder) => writeUsage(encoder, usage, 'usage', ''));
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
