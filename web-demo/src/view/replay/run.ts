// One replay of a trace, in a worker of its own: its plans arrive while it runs.
import { startDeskThread } from '../../desk/client.js';
import { figuresOf, type Figures } from '../../desk/replay/figures.js';
import type { ReplayOutline, ReplayPart, ReplayQuestion, ReplayStep } from '../../desk/replay/protocol.js';
import type { Checked } from '../../desk/sizes/protocol.js';

const PART_MS = 150;

/** A policy, and what came of it. */
export interface Replayed {
  question: ReplayQuestion;
  /** Name of the cluster. */
  cluster: string;
  outline: ReplayOutline;
  steps: ReplayStep[];
  figures: Figures;
  end: ReplayPart['end'];
  /** What ended it before the end of the trace. */
  failure?: string | undefined;
}

export class ReplayRun {
  private readonly thread = startDeskThread();
  private stop = (): void => undefined;
  private readonly stopped = new Promise<undefined>((resolve) => (this.stop = () => resolve(undefined)));

  constructor(
    private readonly question: ReplayQuestion,
    private readonly cluster: string,
  ) {}

  /** Ends the run at once. What was planned until then stays. */
  cancel(): void {
    this.stop();
  }

  /**
   * Replays the trace, and tells what is wrong with it. What was planned up to there is returned as well.
   * @param told is called after some plans, with the time that the replay has come to
   */
  async result(told: (outline: ReplayOutline, steps: readonly ReplayStep[]) => void): Promise<Checked<Replayed>> {
    const { desk, end } = this.thread;
    const { question, cluster } = this;
    try {
      const opened = await Promise.race([desk.openReplay(question), this.stopped]);
      const outline = opened?.value;
      if (outline === undefined) return { problem: opened?.problem };
      const steps: ReplayStep[] = [];
      let last: ReplayPart['end'];
      let failure: ReplayPart['failure'];
      while (last === undefined && failure === undefined) {
        const part = await Promise.race([desk.replayOn(PART_MS), this.stopped]);
        if (part === undefined) break;
        steps.push(...part.steps);
        ({ end: last, failure } = part);
        told(outline, steps);
      }
      const problem = failure?.problem;
      if (steps.length > 0)
        return { value: { question, cluster, outline, steps, figures: figuresOf(steps, last), end: last, failure: failure?.words }, problem };
      if (failure !== undefined && problem === undefined) throw new Error(failure.words);
      return { problem };
    } finally {
      end();
    }
  }
}
