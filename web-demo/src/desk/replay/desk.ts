// Replays traces. Loaded with the first one, in a worker of its own, so that the desk goes on answering.
import type { Stowage } from 'stowage';
import { messageOf } from '../../errors.js';
import type { Checked } from '../sizes/protocol.js';
import { TableError } from '../sizes/table.js';
import type { ReplayCalls, ReplayOutline, ReplayPart, ReplayQuestion } from './protocol.js';
import { Replayer, clusterBytes } from './replayer.js';

export class ReplayDesk implements ReplayCalls {
  private replayer: Replayer | undefined;

  constructor(private readonly library: Stowage) {}

  openReplay({ cluster, bare, trace, interval, request }: ReplayQuestion): Promise<Checked<ReplayOutline>> {
    return checked(() => {
      this.replayer?.dispose();
      this.replayer = undefined;
      const made = new Replayer(this.library, clusterBytes(cluster, bare), trace, interval, request);
      this.replayer = made;
      return { apps: made.trace.apps.length, resources: made.resources, first: made.first, last: made.last };
    });
  }

  replayOn(milliseconds: number): Promise<ReplayPart> {
    const replayer = this.replayer!;
    const part: ReplayPart = { steps: [] };
    const until = performance.now() + milliseconds;
    try {
      do {
        const step = replayer.step();
        if (step !== undefined) part.steps.push(step);
      } while (!replayer.ended && performance.now() < until);
      if (replayer.ended) part.end = { neverRan: replayer.neverRan, stillWaiting: replayer.stillWaiting };
    } catch (error) {
      part.failure =
        error instanceof TableError
          ? { words: 'there is a mistake in the trace', problem: error.problem }
          : { words: messageOf(error) };
    }
    if (part.end !== undefined || part.failure !== undefined) {
      replayer.dispose();
      this.replayer = undefined;
    }
    return Promise.resolve(part);
  }
}

/** Answers, or tells what is wrong with the trace. */
async function checked<Value>(work: () => Value): Promise<Checked<Value>> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof TableError) return { problem: error.problem };
    throw error;
  }
}
