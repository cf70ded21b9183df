// The page's side of the desk: its calls as promises.
import { StowageError, type ErrorCode } from 'stowage';
import { compiled } from '../compiled.js';
import type { DeskCalls } from './protocol.js';
import type { Answer, Question } from './worker.js';

/** Follows a call: a signal that ends it, and what is told of the share that is done. */
export class Watching {
  constructor(
    readonly signal: AbortSignal,
    readonly report: (share: number) => void,
  ) {}
}

export type DeskClient = {
  [Call in keyof DeskCalls]: (
    ...args: [...Parameters<DeskCalls[Call]>, watching?: Watching]
  ) => Promise<Awaited<ReturnType<DeskCalls[Call]>>>;
};

export const startDesk = (): DeskClient => startDeskThread().desk;

/** A desk that can be ended. Calls that wait then are never answered. */
export function startDeskThread(): { desk: DeskClient; end: () => void } {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  // Where it cannot be compiled, the planners tell why.
  compiled.then(
    (module) => worker.postMessage({ module } satisfies Question),
    () => undefined,
  );
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id);
    if (one === undefined) return;
    if ('share' in data) {
      one.watching?.report(data.share);
      return;
    }
    waiting.delete(data.id);
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
          const watching = args.at(-1) instanceof Watching ? (args.pop() as Watching) : undefined;
          waiting.set(id, { resolve, reject, watching });
          // On isolated pages the desk sees the end of a call also while it does not read messages.
          const flag = watching && crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
          worker.postMessage({ id, call: call as keyof DeskCalls, args, flag } satisfies Question);
          watching?.signal.addEventListener('abort', () => {
            if (!waiting.delete(id)) return;
            if (flag !== undefined) Atomics.store(flag, 0, 1);
            worker.postMessage({ cancel: id } satisfies Question);
            reject(watching.signal.reason);
          });
        }),
  });
  return { desk, end: () => worker.terminate() };
}

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  watching: Watching | undefined;
}
