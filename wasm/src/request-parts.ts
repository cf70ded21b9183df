// What request.ts, which is generated, checks and writes requests with; and how commits take plans.
import type * as flatbuffers from 'flatbuffers';
import { Encoder } from './encoder.js';
import { invalid, onlyKeys } from './errors.js';
import { listed } from './lists.js';
import type { PlannerName } from './planner-name.js';
import type { Kept, PlanGoal, PlanRequest } from './request.js';
import * as wire from './wire/request_generated.js';

/** The name of a planner. Editors propose those of the catalogue; other strings compile, and are refused when they are used. */
export type AnyPlanner = PlannerName | (string & {});

/** As `PlanRequest.survive`: each node by itself. */
export const EACH_NODE = '*';

/**
 * What a commit takes of a plan for an earlier version of the cluster: nothing; the whole plan if it still fits; each app that
 * still fits.
 */
export type CommitMode = 'exact' | 'whole' | 'fitting';

const COMMIT_MODES: readonly CommitMode[] = ['exact', 'whole', 'fitting'];

/** Its number in the C ABI. */
export function commitNumber(mode: CommitMode): number {
  const number = COMMIT_MODES.indexOf(mode);
  if (number < 0) throw invalid('mode', `must be one of ${COMMIT_MODES.join(', ')}`);
  return number;
}

const MOST = { 32: 2n ** 32n - 1n, 64: 2n ** 64n - 1n } as const;

export function whole(value: number | bigint | undefined, path: string, bits: 32 | 64 = 64): bigint {
  if (value === undefined) return 0n;
  const known = typeof value === 'bigint' || Number.isInteger(value);
  if (!known || value < 0 || BigInt(value) > MOST[bits]) throw invalid(path, `must be a whole number of at most ${bits} bits`);
  return BigInt(value);
}

export const count = (value: number | undefined, path: string): number => Number(whole(value, path, 32));

export const milliseconds = (value: number | undefined, path: string): bigint =>
  whole(value === undefined ? undefined : Math.ceil(value), path);

export function amount(value: number | undefined, path: string): number {
  if (value !== undefined && typeof value !== 'number') throw invalid(path, 'must be a number');
  return value ?? 0;
}

const KEPT_KEYS: ReadonlySet<string> = new Set(['app', 'replicas'] satisfies (keyof Kept)[]);

/** @internal */
export function keepVector(builder: flatbuffers.Builder, keep: readonly Kept[] | undefined): flatbuffers.Offset {
  if (keep === undefined) return 0;
  if (!Array.isArray(keep)) throw invalid('keep', 'must be a list');
  const words = keep.map((one: Kept, k) => {
    if (typeof one !== 'object' || one === null) throw invalid(`keep[${k}]`, 'must be an object');
    onlyKeys(one, KEPT_KEYS, `keep[${k}]`);
    const number = (key: keyof Kept): number => {
      if (one[key] === undefined) throw invalid(`keep[${k}].${key}`, 'is missing');
      return count(one[key], `keep[${k}].${key}`);
    };
    return [number('app'), number('replicas')] as const;
  });
  if (words.length === 0) return 0;
  wire.Request.startKeepVector(builder, words.length);
  for (const [app, replicas] of words.reverse()) wire.Kept.createKept(builder, app, replicas);
  return builder.endVector();
}

/** @internal The goals, each as an object. */
export const goalsOf = (goals: readonly (PlanGoal | string)[] | undefined): readonly PlanGoal[] =>
  listed(goals, 'goals').map((one: PlanGoal | string, k) => {
    const goal = typeof one === 'string' ? { words: one } : one;
    if (typeof goal === 'object' && goal?.what === undefined && !goal?.words) throw invalid(`goals[${k}]`, 'lacks a goal');
    return goal;
  });

/** @internal */
export function optionVector(encoder: Encoder, given: PlanRequest['options']): flatbuffers.Offset {
  const options = Object.entries(given ?? {}).map(([option, value]) => {
    const path = `options.${option}`;
    if (typeof value !== 'number' && typeof value !== 'string') throw invalid(path, 'must be a number or a word');
    const word = typeof value === 'string' ? encoder.required(value, path) : 0;
    return wire.Option.createOption(encoder.builder, encoder.required(option, path), typeof value === 'number' ? value : 0, word);
  });
  return options.length === 0 ? 0 : wire.Request.createOptionsVector(encoder.builder, options);
}

/** @internal The request that a caller gives, with the name of its planner, and what writes it. */
export function beginRequest(request: PlanRequest | AnyPlanner): { encoder: Encoder; given: PlanRequest; name: string } {
  const given: PlanRequest = typeof request === 'string' ? { planner: request } : request;
  if (typeof given !== 'object' || given === null) throw invalid('', 'a request is an object, or the name of a planner');
  const { planner: name = 'auto' } = given;
  if (typeof name !== 'string') throw invalid('planner', 'must be the name of a planner');
  return { encoder: new Encoder(256), given, name };
}
