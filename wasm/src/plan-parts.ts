// What plan-content.ts, which is generated, writes plans with.
import type { Encoder, Offset } from './encoder.js';
import { NONE, type Words } from './lists.js';
import { NOTE_CODES, type Bound, type LeftOver, type Note, type ReachedGoal, type TracedPart, type Unplaced } from './plan-records.js';
import { GOAL_KINDS } from './request.js';
import * as wire from './wire/plan_generated.js';

/** App, node and replicas of each entry. */
export function placedVector(encoder: Encoder, words: Uint32Array): Offset {
  const { builder } = encoder;
  return encoder.structs(12, 4, words.length / 3, (k) => wire.Placed.createPlaced(builder, words[3 * k]!, words[3 * k + 1]!, words[3 * k + 2]!));
}

export function unplacedVector(encoder: Encoder, counts: readonly Unplaced[]): Offset {
  const ordered = [...counts].sort((a, b) => a.app - b.app);
  return encoder.structs(8, 4, ordered.length, (k) => wire.Unplaced.createUnplaced(encoder.builder, ordered[k]!.app, ordered[k]!.replicas));
}

export function noteVector(encoder: Encoder, notes: readonly Note[]): Offset {
  const written = notes.map(({ code, text }, k) =>
    wire.Note.createNote(encoder.builder, NOTE_CODES.indexOf(code), encoder.required(text, `notes[${k}].text`)));
  return encoder.vector(written);
}

export function reachedGoalVector(encoder: Encoder, goals: readonly ReachedGoal[]): Offset {
  const written = goals.map(({ what, resource, beside, weight, tolerance, value, bound, proven }) =>
    wire.ReachedGoal.createReachedGoal(encoder.builder, GOAL_KINDS.indexOf(what), resource ?? NONE, beside, weight, tolerance, value, bound ?? -1, proven));
  return encoder.vector(written);
}

export function tracedPartVector(encoder: Encoder, parts: readonly TracedPart[]): Offset {
  const written = parts.map(({ name, calls, gains, work }, k) =>
    wire.TracedPart.createTracedPart(encoder.builder, encoder.required(name, `trace[${k}].name`), BigInt(calls), BigInt(gains), BigInt(work)));
  return encoder.vector(written);
}

export function leftOverVector(encoder: Encoder, bound: readonly LeftOver[]): Offset {
  return encoder.structs(16, 8, bound.length, (k) =>
    wire.LeftOver.createLeftOver(encoder.builder, BigInt(bound[k]!.replicas), bound[k]!.priority));
}

/** Copies are written only where a node has more than one. */
export const copyVector = (encoder: Encoder, copies: Words | undefined): Offset =>
  copies?.some((one: number) => one !== 1) ? encoder.words(copies, 'copies') : 0;

/** A text, which may be empty, if there is one. */
export const textOf = (encoder: Encoder, one: string | undefined, path: string): Offset => (one === undefined ? 0 : encoder.required(one, path));

export const boundTable = (encoder: Encoder, one: Bound | undefined, path: string): Offset =>
  one === undefined
    ? 0
    : wire.Bound.createBound(encoder.builder, encoder.required(one.name, `${path}.name`), one.value, one.resource ?? NONE, one.period ?? NONE);
