import { StowageError } from 'stowage';
import { Desk } from './desk.js';
import type { DeskCalls } from './protocol.js';

/** A call, the end of one whose result nobody waits for, or the library, which comes once. */
export type Question =
  | { id: number; call: keyof DeskCalls; args: unknown[]; flag: Int32Array | undefined }
  | { cancel: number }
  | { module: WebAssembly.Module };

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

/** Calls that read bytes, which the library checks. */
const READS_BYTES: ReadonlySet<keyof DeskCalls> = new Set(['read', 'expand', 'addPlan'] as const);

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
  if ('module' in data) {
    desk.take(data.module);
    return;
  }
  const one = begun.get(data.cancel);
  if (one !== undefined) one.cancelled = true;
});

async function answered({ id, call, args, flag }: Extract<Question, { call: unknown }>): Promise<void> {
  let told = false;
  const own = {
    report: (share: number): void => postMessage({ id, share } satisfies Answer),
    get cancelled(): boolean {
      return told || (flag !== undefined && Atomics.load(flag, 0) !== 0);
    },
    set cancelled(now: boolean) {
      told = now;
    },
  };
  begun.set(id, own);
  let answer: Answer;
  let transfer: ArrayBuffer[] = [];
  try {
    if (READS_BYTES.has(call)) await desk.library();
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
