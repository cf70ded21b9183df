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
   * Replays the trace, or tells what is wrong with it.
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
      while (last === undefined) {
        const part = await Promise.race([desk.replayOn(PART_MS), this.stopped]);
        if (part === undefined) break;
        if (part.value === undefined) return { problem: part.problem };
        steps.push(...part.value.steps);
        last = part.value.end;
        told(outline, steps);
      }
      if (steps.length === 0) return {};
      return { value: { question, cluster, outline, steps, figures: figuresOf(steps, last), end: last } };
    } finally {
      end();
    }
  }
}
