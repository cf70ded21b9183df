// Sizes by samples: what profiled apps and a few measurements say about new apps.
import type { Goal, Measure, Recommendation, Recommendations, Samples } from 'stowage';
import type { DeskClient } from '../../desk/client.js';
import type { Learned, LearnedSizes } from '../../desk/sizes/protocol.js';
import { button, field, h, numberField, options, table } from '../elements/dom.js';
import { count, number, percent } from '../elements/format.js';
import { TextBox, again } from '../elements/box.js';
import { boxKey, diamond, drawn, key, lineKey, s } from './chart.js';
import { centreOf, configurationText, drawCurve, hasDegrees, type Along, type CurveData } from './curve.js';

/** A slider with its value. */
export function slider(
  id: string,
  title: string,
  range: { min: number; max: number; step: number; value: number },
  text: (value: number) => string,
  changed: () => void,
): { label: HTMLLabelElement; input: HTMLInputElement } {
  const { min, max, step, value } = range;
  const input = h('input', { type: 'range', id, min: String(min), max: String(max), step: String(step), value: String(value) });
  const output = h('output', { htmlFor: id } as never);
  const show = (): void => {
    output.textContent = text(Number(input.value));
    input.setAttribute('aria-valuetext', output.textContent);
  };
  show();
  input.addEventListener('input', () => {
    show();
    changed();
  });
  const label = field(title, input);
  label.querySelector('span')!.append(' ', output);
  return { label, input };
}

export class SamplesPart {
  readonly profiles = new TextBox(
    'profiles',
    'Profiles',
    'Apps with many sizes: app, cpu, memory, performance or latency_ms; also x_family, x_load, collocation.',
    () => {
      this.stale.profiles = true;
      this.update();
    },
  );
  readonly samples = new TextBox(
    'samples',
    'Samples',
    'New apps with a few sizes: the same columns; also asked_cpu, asked_memory.',
    () => {
      this.stale.samples = true;
      this.update();
    },
  );
  readonly element: HTMLElement;
  private readonly update = again(() => this.refresh());
  private readonly goal = slider('goal', 'Goal: performance', { min: 0.05, max: 1, step: 0.01, value: 0.9 }, number, () => this.update());
  private readonly latencyGoal = numberField('Goal: latency, ms', '', { min: 0 });
  private readonly confidence = slider(
    'confidence',
    'Confidence',
    { min: 0.5, max: 0.99, step: 0.01, value: 0.8 },
    percent,
    () => this.update(),
  );
  private readonly costs = h('div', { className: 'fields' });
  private costInputs: HTMLInputElement[] = [];
  private readonly chosen = h('select', { id: 'sized-app' });
  private readonly along = h('select', { id: 'along' });
  private readonly words = h('div', { id: 'recommendation', set: { 'aria-live': 'polite' } });
  private readonly place = h('div', { id: 'curve', className: 'svg' });
  private readonly list = h('div', {});
  private readonly result = h('div', { hidden: true });
  private readonly learnedText = h('p', { className: 'hint', id: 'learned' });
  private readonly draw: () => void;
  /** Texts that changed since they were read. */
  private stale = { profiles: false, samples: false };
  private learned: Learned | undefined;
  private given: Samples | undefined;
  private answer: Recommendations | undefined;

  constructor(
    private readonly desk: DeskClient,
    private readonly changed: (sizes: LearnedSizes | undefined) => void,
  ) {
    this.draw = drawn(this.place, (width) => {
      const data = this.data();
      return data === undefined ? h('span', {}) : drawCurve(data, this.cut(), width);
    });
    this.latencyGoal.input.id = 'latency-goal';
    this.latencyGoal.input.addEventListener('input', () => this.update());
    this.chosen.addEventListener('change', () => this.show());
    this.along.addEventListener('change', () => this.draw());
    this.result.append(
      h('div', { className: 'controls' }, this.goal.label, this.latencyGoal.label, this.confidence.label, this.costs),
      h('div', { className: 'controls' }, field('App', this.chosen), field('Chart over', this.along)),
      this.words,
      this.place,
      legend(),
      this.list,
    );
    this.element = h('div', {}, h('div', { className: 'boxes' }, this.profiles.element, this.samples.element), this.learnedText, this.result);
  }

  /** Reads both texts again. */
  readAll(): void {
    this.stale = { profiles: true, samples: true };
    this.update();
  }

  /** Reads what changed, and asks for recommendations. */
  private async refresh(): Promise<void> {
    if (this.stale.profiles) {
      this.clear();
      this.stale.profiles = false;
      this.learned = await this.profiles.read((text) => this.desk.learn(text));
      this.learnedText.textContent =
        this.learned === undefined
          ? ''
          : `Learned from ${count(this.learned.rows, 'measurement')} of ${count(this.learned.apps, 'app')}.`;
    }
    if (this.stale.samples) {
      this.clear();
      this.stale.samples = false;
      this.given = await this.samples.read((text) => this.desk.readSamples(text));
      if (this.given !== undefined) this.prepare(this.given);
    }
    if (this.given === undefined || this.learned === undefined) return;
    const goal = this.wanted();
    if (goal === undefined) return;
    this.answer = await this.samples.read(() => this.desk.recommend(goal));
    if (this.answer === undefined) this.clear();
    else this.tell(this.answer);
  }

  /** Fits the controls to the samples. */
  private prepare({ measure = 'performance', rowValue, resources, apps }: Samples): void {
    const latency = measure === 'latency';
    this.goal.label.hidden = latency;
    this.latencyGoal.label.hidden = !latency;
    if (latency && this.latencyGoal.input.value === '') {
      this.latencyGoal.input.value = String(Number(Math.min(...rowValue).toPrecision(2)));
    }
    if (this.costInputs.length !== resources.length || resources.some((name, k) => this.costInputs[k]!.name !== name)) {
      const fields = resources.map((name) => {
        const { label, input } = numberField(`Cost of 1 ${name}`, '', {});
        input.name = name;
        input.addEventListener('input', () => this.update());
        return { label, input };
      });
      this.costInputs = fields.map(({ input }) => input);
      this.costs.replaceChildren(...fields.map(({ label }) => label));
    }
    const before = this.chosen.value;
    options(
      this.chosen,
      apps.map((name, k): [string, string] => [String(k), name]),
      before,
    );
  }

  /** The goal as the controls have it; undefined while one of them is wrong, which it says itself. */
  private wanted(): Goal | undefined {
    const latency = this.measure === 'latency';
    const inputs = [...(latency ? [this.latencyGoal.input] : []), ...this.costInputs];
    if (!inputs.every((input) => input.checkValidity()) || (latency && !(Number(this.latencyGoal.input.value) > 0))) return undefined;
    const weights = this.weights;
    return {
      value: this.goalValue,
      confidence: Number(this.confidence.input.value),
      // Without a weight of the visitor, the library's own are used.
      ...(this.costInputs.some(({ value }) => value !== '') && weights.some((weight) => weight > 0) ? { cost: weights } : {}),
    };
  }

  private get measure(): Measure {
    return this.given?.measure ?? 'performance';
  }

  private get goalValue(): number {
    return Number((this.measure === 'latency' ? this.latencyGoal : this.goal).input.value);
  }

  /** Cost of a unit of each resource. Where the visitor gives none, the largest amount costs 1. */
  private get weights(): number[] {
    return this.costInputs.map(({ value, placeholder }) => Number(value || placeholder));
  }

  private clear(): void {
    this.answer = undefined;
    this.result.hidden = true;
    this.changed(undefined);
  }

  private tell(answer: Recommendations): void {
    const { resources, configurations, apps } = answer;
    this.costInputs.forEach((input, k) => {
      input.placeholder = String(Number((1 / Math.max(...configurations.map(({ amounts }) => amounts[k]!))).toPrecision(4)));
    });
    const cuts: [string, string][] = [
      ['cost', 'all sizes'],
      ...resources.map((name, k): [string, string] => [String(k), name]),
      ...(hasDegrees(answer) ? ([['collocation', 'containers per node']] as [string, string][]) : []),
    ];
    options(this.along, cuts, this.along.value);
    this.result.hidden = false;
    const chosen = apps.filter(({ choice }) => choice !== undefined);
    this.changed({
      resources,
      apps: chosen.map(({ app, choice }) => ({
        name: app,
        size: Array.from(configurations[choice!]!.amounts),
        ...(hasDegrees(answer) ? { mostPerNode: configurations[choice!]!.collocation } : {}),
      })),
    });
    this.show();
  }

  /** Shows the app that is chosen. */
  private show(): void {
    const data = this.data();
    if (data === undefined) return;
    const { answer } = data;
    this.words.replaceChildren(...sentences(data));
    this.draw();
    const text = (configuration: number | undefined): string =>
      configuration === undefined ? '–' : configurationText(answer, configuration);
    this.list.replaceChildren(
      answer.apps.length < 2
        ? ''
        : table(
            ['App', 'Size', 'Probability', 'Saves of the largest', 'Next sample'],
            answer.apps.map((one, k) => [
              button(
                one.app,
                () => {
                  this.chosen.value = String(k);
                  this.show();
                },
                one === data.one ? 'link chosen' : 'link',
              ),
              one.choice === undefined ? WITHOUT[one.reason as keyof typeof WITHOUT] : text(one.choice),
              percent(one.probability),
              one.choice === undefined ? '–' : percent(one.savingLargest),
              text(one.nextSample),
            ]),
            'Recommendations',
          ),
      configurationTable(data),
    );
  }

  private cut(): Along {
    const { value } = this.along;
    return value === 'cost' || value === 'collocation' ? value : Number(value);
  }

  private data(): CurveData | undefined {
    const { answer, given } = this;
    const app = Math.max(0, Number(this.chosen.value));
    const one = answer?.apps[app];
    if (answer === undefined || given === undefined || one === undefined) return undefined;
    const { configurations, resources } = answer;
    const weights = this.weights;
    const samples = Array.from(given.rowApp, (of, row) => ({ of, row })).flatMap(({ of, row }) => {
      if (of !== app) return [];
      const amounts = resources.map((_, k) => given.rowAmounts[row * resources.length + k]!);
      const configuration = configurations.findIndex(
        (known) => known.collocation === (given.rowCollocation?.[row] ?? 1) && amounts.every((amount, k) => amount === known.amounts[k]),
      );
      return configuration < 0 ? [] : [{ configuration, value: given.rowValue[row]! }];
    });
    return {
      answer,
      one,
      samples,
      measure: this.measure,
      goal: this.goalValue,
      confidence: Number(this.confidence.input.value),
      costOf: (k) => configurations[k]!.amounts.reduce((sum, amount, resource) => sum + amount * weights[resource]!, 0),
    };
  }
}

const WITHOUT = { 'not-enough-evidence': 'not enough evidence', 'goal-out-of-reach': 'goal out of reach' } as const;

function goalText({ measure, goal }: CurveData): string {
  return measure === 'latency' ? `a latency of ${number(goal)} ms` : `a performance of ${number(goal)}`;
}

/** The recommendation in words. */
function sentences(data: CurveData): HTMLElement[] {
  const { answer, one, confidence } = data;
  const text = (configuration: number): string => configurationText(answer, configuration);
  const head =
    one.choice !== undefined
      ? [
          h('strong', { id: 'choice' }, text(one.choice)),
          ` is the cheapest size that reaches ${goalText(data)}: with a probability of ${percent(one.probability)} (${percent(confidence)} is asked).`,
        ]
      : [
          h('strong', { id: 'choice' }, one.reason === 'goal-out-of-reach' ? 'The goal is out of reach.' : 'Not enough evidence yet.'),
          ` The most probable size is ${text(centreOf(one))}: it reaches ${goalText(data)} with ${percent(one.probability)}.`,
        ];
  const more: string[] = [];
  if (one.choice !== undefined) more.push(savingText(one));
  if (one.choice !== undefined && one.runnerUp !== undefined) {
    more.push(`The next cheaper size is ${text(one.runnerUp)}; its probability is ${percent(one.runnerUpProbability)}.`);
  }
  const profiled = count(one.similar, 'profiled app');
  more.push(`The answer rests on ${count(one.samples, 'sample')} of ${one.app} and, in effect, on ${profiled}.`);
  return [
    h('p', {}, ...head),
    h('p', {}, more.join(' ')),
    one.nextSample === undefined
      ? h('p', { id: 'next-sample' }, 'No further sample is expected to save anything.')
      : h(
          'p',
          { id: 'next-sample' },
          'The sample to take next: ',
          h('strong', {}, text(one.nextSample)),
          one.nextSaving > 0 ? `. It is expected to save ${percent(one.nextSaving)} of the cost of the largest size.` : '.',
        ),
  ];
}

function savingText({ savingAsked, savingLargest }: Recommendation): string {
  const largest = `${percent(savingLargest)} against the largest size`;
  if (Number.isNaN(savingAsked)) return `The choice saves ${largest}.`;
  return savingAsked < 0
    ? `The choice costs ${percent(-savingAsked)} more than what is asked for today, and saves ${largest}.`
    : `The choice saves ${percent(savingAsked)} of the cost of what is asked for today, and ${largest}.`;
}

function legend(): HTMLElement {
  const dot = (name: string): SVGElement => s('g', { class: name }, s('circle', { cx: 8, cy: 7, r: 4 }));
  return h(
    'p',
    { className: 'legend svg' },
    key(dot('met'), 'meets the goal with the confidence'),
    key(dot('missed'), 'does not'),
    key(boxKey('choice'), 'choice'),
    key(lineKey('goal'), 'goal'),
    key(diamond(8, 7, 'sample'), 'sample'),
    key(diamond(8, 7, 'next'), 'next sample'),
    h('span', {}, 'Bars: nine in ten lie within. Faint: with another number per node. No size is taken for worse than a smaller one.'),
  );
}

/** What the chart shows, as a table of all configurations. */
function configurationTable({ answer, one, costOf }: CurveData): HTMLElement {
  const rows = Array.from(answer.configurations.keys()).sort((a, b) => costOf(a) - costOf(b));
  const value = (list: Float64Array | undefined, k: number): string => number(list![k]!);
  return h(
    'details',
    {},
    h('summary', {}, `All ${rows.length} sizes of ${one.app}`),
    table(
      ['Size', 'Cost', 'Expected', 'From', 'To', 'Probability'],
      rows.map((k) => [
        configurationText(answer, k),
        number(costOf(k)),
        value(one.curveMean, k),
        value(one.curveLow, k),
        value(one.curveHigh, k),
        percent(one.curveProbability![k]!),
      ]),
      `Sizes of ${one.app}`,
    ),
  );
}
