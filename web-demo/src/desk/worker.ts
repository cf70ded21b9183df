import { StowageError } from 'stowage';
import { Desk } from './desk.js';
import type { DeskCalls } from './protocol.js';

export interface Question {
  id: number;
  call: keyof DeskCalls;
  args: unknown[];
}

export type Answer = { id: number; result: unknown } | { id: number; failure: { code: string; message: string; path: string } };

const desk = new Desk();

/** Buffers that the desk made for this answer only, so that they are transferred instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  if (typeof result !== 'object' || result === null) return [];
  const { bytes, share, code, headroom, replicas, peak, scenario } = result as Record<string, unknown>;
  const own = [bytes, share, code, headroom, replicas, peak].filter(ArrayBuffer.isView);
  return [...own.map(({ buffer }) => buffer as ArrayBuffer), ...(scenario === undefined ? [] : buffersOf(scenario))];
}

addEventListener('message', ({ data }: MessageEvent<Question>) => void answered(data));

async function answered(data: Question): Promise<void> {
  let answer: Answer;
  let transfer: ArrayBuffer[] = [];
  try {
    const call = desk[data.call] as (...args: unknown[]) => unknown;
    const result = await call.apply(desk, data.args);
    answer = { id: data.id, result };
    transfer = buffersOf(result);
  } catch (error) {
    const { code, message, path } =
      error instanceof StowageError
        ? error
        : { code: 'INVALID', message: error instanceof Error ? error.message : String(error), path: '' };
    answer = { id: data.id, failure: { code, message, path } };
  }
  postMessage(answer, { transfer });
}
