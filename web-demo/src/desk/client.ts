// The page's side of the desk: its calls as promises.
import { StowageError, type ErrorCode } from 'stowage';
import type { DeskCalls } from './protocol.js';
import type { Answer, Question } from './worker.js';

export type DeskClient = {
  [Call in keyof DeskCalls]: (...args: Parameters<DeskCalls[Call]>) => Promise<Awaited<ReturnType<DeskCalls[Call]>>>;
};

export const startDesk = (): DeskClient => startDeskThread().desk;

/** A desk that can be ended. Calls that wait then are never answered. */
export function startDeskThread(): { desk: DeskClient; end: () => void } {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, PromiseWithResolvers>();
  let nextId = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if (one === undefined) return;
    if ('result' in data) one.resolve(data.result);
    else one.reject(new StowageError(data.failure.code as ErrorCode, data.failure.message, data.failure.path));
  });
  worker.addEventListener('error', (event) => {
    for (const one of waiting.values()) one.reject(new StowageError('UNAVAILABLE', event.message || 'the worker failed'));
    waiting.clear();
  });
  const desk = new Proxy({} as DeskClient, {
    get:
      (_, call) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const id = nextId++;
          waiting.set(id, { resolve, reject });
          worker.postMessage({ id, call: call as keyof DeskCalls, args } satisfies Question);
        }),
  });
  return { desk, end: () => worker.terminate() };
}

interface PromiseWithResolvers {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}
