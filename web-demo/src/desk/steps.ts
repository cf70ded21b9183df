// Long work in steps, between which the desk reads the page's messages.
import { StowageError } from 'stowage';

/** How the page follows a call: it is told the share that is done, and may cancel. */
export interface CallWatch {
  /** @param share of the work that is done, from 0 to 1 */
  report(share: number): void;
  /** Whether the page no longer waits for the result. */
  readonly cancelled: boolean;
}

export const UNWATCHED: CallWatch = { report: () => undefined, cancelled: false };

/** Milliseconds of work between two looks at the messages. */
const PART = 50;

/** Does work whose steps yield the share that is done. Fails with `CANCELLED` where the page has ended it. */
export async function inSteps<Result>(steps: Generator<number, Result>, watch: CallWatch): Promise<Result> {
  let begin = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begin < PART) continue;
    watch.report(step.value);
    await new Promise((resolve) => setTimeout(resolve));
    if (watch.cancelled) throw new StowageError('CANCELLED', 'cancelled');
    begin = performance.now();
  }
}
