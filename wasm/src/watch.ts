// How calls are watched, and ended before they are done.
import { StowageError, invalid } from './errors.js';

/** The phase of a run. */
export type Phase = 'idle' | 'prepare' | 'plan' | 'improve' | 'bound' | 'verify' | 'done';

/** Progress of a run. */
export interface Progress {
  phase: Phase;
  /**
   * How far the phase has come: replicas or nodes handled; while a plan is improved, work units of the work limit, else
   * milliseconds of the deadline.
   */
  done: number;
  /** Value of `done` at the end of the phase; absent where it is not known. */
  total?: number;
  /** Nodes in use in the best plan so far; absent where there is none yet. */
  best?: number;
  /** What the objective minimizes, in the best plan so far; absent where it is not known. */
  value?: number;
  /** Replicas that the best plan so far leaves over. */
  leftOver: number;
  /** Work units done in all phases. */
  work: number;
  /** Wall-clock milliseconds of each phase that has ended. */
  milliseconds: Record<Phase, number>;
}

/**
 * How a call on this thread is ended before it is done. It looks at this after bounded work, at least every 50 ms. A call that ends so
 * has changed nothing.
 */
export interface CallOptions {
  /**
   * Aborting the signal ends the call, which throws the signal's reason. No event is handled while a call goes on: the signal counts
   * if it was aborted before, or if a callback of the call aborts it.
   */
  signal?: AbortSignal | undefined;
  /**
   * Returns true to end the call, which then throws `CANCELLED`. A run of a planner, an explanation, losses, an order of moves and
   * bounds end with what they have so far.
   */
  isCancelled?: (() => boolean) | undefined;
  /** Milliseconds after which the call ends in the same way; the plan of a run has the status "deadline". 0 or absent: any time. */
  deadlineMs?: number | undefined;
}

/**
 * Callbacks of a run on this thread, which are called during the run, after bounded work. A callback may read and dispose of any
 * object; any other call of the same library throws `BUSY`.
 */
export interface Watch extends CallOptions {
  /** Called with the progress during the run. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Minimum milliseconds between two calls of `onProgress`; default 50. */
  progressInterval?: number | undefined;
}

export const cancelled = (): StowageError => new StowageError('CANCELLED', 'the call was cancelled and has no result');

/** The deadline of a call in whole milliseconds; 0 where there is none. */
export function deadlineOf({ deadlineMs = 0 }: CallOptions): number {
  if (typeof deadlineMs !== 'number' || !(deadlineMs >= 0)) throw invalid('deadlineMs', 'must be a number, not below 0');
  return Math.ceil(deadlineMs);
}

/**
 * Milliseconds of a deadline that is never reached. A call reads the clock, and so looks at its callbacks, only if it has a deadline.
 */
export const A_YEAR = 365 * 24 * 3600 * 1000;
/** Steps between two looks at whether a call is to end: a few milliseconds. */
const EVERY = 10_000;

/** Ends work of this package in the way that its caller asks for. */
export class Steps {
  private left: number;
  private readonly end: number;
  /** What ended the work. */
  private reason: unknown;

  /** Without options, the work goes on to its end. */
  constructor(private readonly options: CallOptions = {}) {
    const { signal, isCancelled } = options;
    const deadline = deadlineOf(options);
    this.end = deadline === 0 ? Infinity : performance.now() + deadline;
    this.left = signal === undefined && isCancelled === undefined && deadline === 0 ? Infinity : 0;
  }

  /** Counts `units` of work, such as fields that are read. Throws where the work is to end. */
  step(units = 1): void {
    this.left -= units;
    if (this.left < 0) this.look();
  }

  /** What is left of the options, for the next part of the work. */
  rest(): CallOptions {
    if (this.end === Infinity) return this.options;
    return { ...this.options, deadlineMs: Math.max(1, this.end - performance.now()) };
  }

  /** Whether this error ended the work, as the caller asked for. */
  isEnd(error: unknown): boolean {
    return error !== undefined && error === this.reason;
  }

  private look(): void {
    this.left = EVERY;
    const { signal, isCancelled } = this.options;
    try {
      signal?.throwIfAborted();
      if (isCancelled?.() === true || performance.now() >= this.end) throw cancelled();
    } catch (reason) {
      this.reason = reason;
      throw reason;
    }
  }
}

/** For work that nobody ends. */
export const UNTIL_DONE = new Steps();
