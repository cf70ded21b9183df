import { StowageError } from 'stowage';
import { Desk } from './desk.js';
import type { DeskCalls } from './protocol.js';

/** A call, or the end of one whose result nobody waits for. */
export type Question = { id: number; call: keyof DeskCalls; args: unknown[] } | { cancel: number };

/** The share of a call that is done, or its end. */
export type Answer =
  | { id: number; share: number }
  | { id: number; result: unknown }
  | { id: number; failure: { code: string; message: string; path: string } };

const desk = new Desk();
/** The calls that have begun. */
const begun = new Map<number, { cancelled: boolean }>();
/** Calls whose result is a new scenario, or may be. */
const MAKES_SCENARIO: ReadonlySet<keyof DeskCalls> = new Set(['generate', 'edit', 'read', 'happens'] as const);

/** Buffers that the desk made for this answer only, so that they are transferred instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  if (typeof result !== 'object' || result === null) return [];
  const { bytes, share, code, headroom, replicas, peak, scenario, moves } = result as Record<string, unknown>;
  const columns = typeof moves === 'object' && moves !== null ? Object.values(moves) : [];
  const own = [bytes, share, code, headroom, replicas, peak, ...columns].filter((one) => ArrayBuffer.isView(one));
  return [...own.map(({ buffer }) => buffer as ArrayBuffer), ...(scenario === undefined ? [] : buffersOf(scenario))];
}

/** Forgets the scenario that a call has made for nobody. */
function discard(result: unknown): void {
  const { id, scenario } = result as { id?: number; scenario?: { id: number } };
  const made = scenario?.id ?? id;
  if (made !== undefined) desk.forget(made);
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  if ('call' in data) {
    void answered(data);
    return;
  }
  const one = begun.get(data.cancel);
  if (one !== undefined) one.cancelled = true;
});

async function answered({ id, call, args }: Extract<Question, { call: unknown }>): Promise<void> {
  const own = { cancelled: false, report: (share: number): void => postMessage({ id, share } satisfies Answer) };
  begun.set(id, own);
  let answer: Answer;
  let transfer: ArrayBuffer[] = [];
  try {
    desk.watch = own;
    const result = await (desk[call] as (...args: unknown[]) => unknown).apply(desk, args);
    if (own.cancelled && MAKES_SCENARIO.has(call)) discard(result);
    answer = { id, result };
    transfer = buffersOf(result);
  } catch (error) {
    const { code, message, path } =
      error instanceof StowageError
        ? error
        : { code: 'INVALID', message: error instanceof Error ? error.message : String(error), path: '' };
    answer = { id, failure: { code, message, path } };
  }
  begun.delete(id);
  if (!own.cancelled) postMessage(answer, { transfer });
}
