// Learns from profiles, samples and usage. The texts are read here, so that the page's own thread has time for the visitor.
import { StowageError, type Goal, type Model, type Recommendations, type Samples, type SizeRule, type Sizes, type Stowage } from 'stowage';
import type { Checked, Learned, Problem, SizingCalls, UsageOutline, UsageSeries } from './protocol.js';
import { readSamples, type SamplesText } from './samples.js';
import { TableError } from './table.js';
import { readUsage, seriesOf, type UsageText } from './usage.js';

/** Reads a text, or tells what is wrong with it. */
function checked<Value>(work: () => Value): Checked<Value> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof TableError) return { problem: error.problem };
    throw error;
  }
}

/** Asks the library; what it refuses in a text becomes a problem of the text. */
function answered<Value>(place: (path: string, message: string) => Problem | undefined, work: () => Value): Checked<Value> {
  try {
    return { value: work() };
  } catch (error) {
    const problem = error instanceof StowageError ? place(error.path, error.message) : undefined;
    if (problem === undefined) throw error;
    return { problem };
  }
}

export class SizingDesk implements SizingCalls {
  private model: { of: Model; profiles: SamplesText } | undefined;
  private samples: SamplesText | undefined;
  private usage: UsageText | undefined;

  constructor(private readonly library: () => Promise<Stowage>) {}

  async learn(text: string): Promise<Checked<Learned>> {
    const library = await this.library();
    this.model?.of.dispose();
    this.model = undefined;
    const read = checked(() => readSamples(text));
    if (read.value === undefined) return { problem: read.problem };
    const { samples, measure, problem, headerProblem } = read.value;
    if (measure === undefined) return { problem: headerProblem('there is no column "performance" or "latency_ms"') };
    const model = answered(problem, () => library.learn(samples));
    if (model.value === undefined) return { problem: model.problem };
    this.model = { of: model.value, profiles: read.value };
    return { value: { apps: samples.apps.length, rows: samples.rowApp.length } };
  }

  readSamples(text: string): Checked<Samples> {
    const read = checked(() => readSamples(text));
    this.samples = read.value;
    return { value: read.value?.samples, problem: read.problem };
  }

  recommend(goal: Goal): Checked<Recommendations> {
    const { model, samples: text } = this;
    if (model === undefined || text === undefined) throw new StowageError('NOT_FOUND', 'there are no profiles or no samples');
    const measure = model.profiles.measure!;
    if ((text.measure ?? measure) !== measure) {
      const wanted = measure === 'latency' ? 'latency_ms' : 'performance';
      return { problem: text.headerProblem(`has to have the column ${wanted}, as the profiles do`) };
    }
    const samples = { ...text.samples, measure };
    return answered(text.problem, () => model.of.recommend({ samples, goal, curves: true }));
  }

  readUsage(text: string): Checked<UsageOutline> {
    const read = checked(() => readUsage(text));
    this.usage = read.value;
    if (read.value === undefined) return { problem: read.problem };
    const { apps, resources, app } = read.value.history;
    return { value: { apps, resources, samples: app.length } };
  }

  async size(rules: readonly SizeRule[]): Promise<Checked<Sizes>> {
    const library = await this.library();
    const { history, problem } = this.read();
    return answered(problem, () => library.size({ ...history, rules }));
  }

  usageOver(app: number, steps: number): UsageSeries {
    return seriesOf(this.read().history, app, steps);
  }

  private read(): UsageText {
    if (this.usage === undefined) throw new StowageError('NOT_FOUND', 'there is no usage');
    return this.usage;
  }
}
