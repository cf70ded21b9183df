// Sizes by usage over time.
import type { SizeRule, Sizes } from 'stowage';
import type { DeskClient } from '../../desk/client.js';
import type { LearnedSizes, UsageOutline, UsageSeries } from '../../desk/sizes/protocol.js';
import { button, field, h, options, table } from '../elements/dom.js';
import { count, number, percent } from '../elements/format.js';
import { TextBox, again } from '../elements/box.js';
import { Frame, area, boxKey, cross, drawn, key, line, lineKey, ticks } from './chart.js';

const HEIGHT = 240;
const MOST_STEPS = 400;
const DAY = 86_400;
/** Times above this are taken for seconds since 1970. */
const DATED = 500_000_000;

interface RuleInputs {
  percentile: HTMLInputElement;
  halfLife: HTMLInputElement;
  margin: HTMLInputElement;
}

/** The defaults of the command `stowage size`. */
const DEFAULTS = {
  memory: { percentile: 98, halfLife: 48, margin: 15, bump: 1.2 },
  other: { percentile: 95, halfLife: 12, margin: 15, bump: 1 },
};
const defaultsOf = (resource: string): (typeof DEFAULTS)['other'] => (resource === 'memory' ? DEFAULTS.memory : DEFAULTS.other);

export class UsagePart {
  readonly usage = new TextBox(
    'usage',
    'Usage',
    'app, time (seconds or 2026-01-31T12:00:00Z), cpu, memory; also replica, and oom (1: killed for lack of memory).',
    () => this.readAll(),
  );
  readonly element: HTMLElement;
  private readonly update = again(() => this.refresh());
  /** Whether the text changed since it was read. */
  private stale = false;
  private readonly rules = h('div', { id: 'size-rules' });
  private readonly chosen = h('select', { id: 'used-app' });
  private readonly words = h('div', { id: 'sized', set: { 'aria-live': 'polite' } });
  private readonly places = h('div', { className: 'boxes', id: 'usage-charts' });
  private readonly list = h('div', {});
  private readonly result = h('div', { hidden: true });
  private inputs: RuleInputs[] = [];
  private outline: UsageOutline | undefined;
  private sizes: Sizes | undefined;
  private series: UsageSeries | undefined;
  private redraw: (() => void)[] = [];

  constructor(
    private readonly desk: DeskClient,
    private readonly changed: (sizes: LearnedSizes | undefined) => void,
  ) {
    this.chosen.addEventListener('change', () => this.update());
    this.result.append(
      this.rules,
      h('div', { className: 'controls' }, field('App', this.chosen)),
      this.words,
      this.places,
      h(
        'p',
        { className: 'legend svg' },
        key(boxKey('band'), 'least to largest of the replicas'),
        key(lineKey('mean'), 'mean'),
        key(lineKey('size'), 'recommended size'),
        key(cross(8, 7, 'killed'), 'killed for lack of memory'),
      ),
      this.list,
    );
    this.element = h('div', {}, this.usage.element, this.result);
  }

  /** Reads the text again. */
  readAll(): void {
    this.stale = true;
    this.update();
  }

  private async refresh(): Promise<void> {
    if (this.stale) {
      this.clear();
      this.stale = false;
      this.outline = await this.usage.read((text) => this.desk.readUsage(text));
      if (this.outline !== undefined) this.prepare(this.outline);
    }
    const rules = this.wanted();
    if (rules === undefined) return;
    this.sizes = await this.usage.read(async () => {
      this.series = await this.desk.usageOver(this.app, MOST_STEPS);
      return this.desk.size(rules);
    });
    if (this.sizes === undefined) {
      this.clear();
      return;
    }
    const { apps, resources, size } = this.sizes;
    this.changed({
      resources,
      apps: apps.map((name, k) => ({ name, size: Array.from(size.subarray(k * resources.length, (k + 1) * resources.length)) })),
    });
    this.result.hidden = false;
    this.show(this.sizes);
  }

  /** A row of controls for each resource. What was set for the same resources stays. */
  private prepare({ resources, apps }: UsageOutline): void {
    if (this.inputs.length !== resources.length || resources.some((name, k) => this.inputs[k]!.percentile.name !== name)) {
      const input = (name: string, what: string, value: number, min: number, max: number): HTMLInputElement => {
        const one = h('input', {
          type: 'number',
          name,
          value: String(value),
          min: String(min),
          max: String(max),
          step: 'any',
          required: true,
          set: { 'aria-label': `${what} of ${name}` },
        });
        one.addEventListener('input', () => this.update());
        return one;
      };
      this.inputs = resources.map((name) => {
        const { percentile, halfLife, margin } = defaultsOf(name);
        return {
          percentile: input(name, 'Percentile', percentile, 0.01, 100),
          halfLife: input(name, 'Half-life', halfLife, 0, 1e6),
          margin: input(name, 'Margin', margin, 0, 1000),
        };
      });
      this.rules.replaceChildren(
        table(
          ['Resource', 'Covers, % of the samples', 'Half-life, hours (0: none)', 'Margin, %'],
          this.inputs.map(({ percentile, halfLife, margin }, k) => [resources[k]!, percentile, halfLife, margin]),
          'How sizes follow from usage',
        ),
      );
    }
    options(
      this.chosen,
      apps.map((name, k): [string, string] => [String(k), name]),
      this.chosen.value,
    );
  }

  /** The rules as the controls have them; undefined while one of them is wrong, which it says itself. */
  private wanted(): SizeRule[] | undefined {
    const all = this.inputs.flatMap(({ percentile, halfLife, margin }) => [percentile, halfLife, margin]);
    if (this.outline === undefined || !all.every((input) => input.checkValidity())) return undefined;
    return this.inputs.map(({ percentile, halfLife, margin }) => ({
      percentile: Number(percentile.value) / 100,
      halfLife: 3600 * Number(halfLife.value),
      margin: Number(margin.value) / 100,
      bump: defaultsOf(percentile.name).bump,
    }));
  }

  private get app(): number {
    return Math.max(0, Number(this.chosen.value));
  }

  private clear(): void {
    this.sizes = undefined;
    this.result.hidden = true;
    this.changed(undefined);
  }

  private show(sizes: Sizes): void {
    const { app } = this;
    const { resources, apps, killed } = sizes;
    const of = (list: Float64Array, k: number): number => list[app * resources.length + k]!;
    this.words.replaceChildren(
      h(
        'p',
        {},
        h('strong', { id: 'size' }, resources.map((name, k) => `${known(of(sizes.size, k), number)} ${name}`).join(', ')),
        ` for a replica of ${apps[app]!}.`,
      ),
      ...resources.map((name, k) =>
        h(
          'p',
          { className: 'hint' },
          `${name}: ${known(of(sizes.slack, k), percent)} of it is slack, not used on average; ` +
            `${known(of(sizes.exceeded, k), percent)} of ${count(sizes.measured[app * resources.length + k]!, 'sample')} exceed it` +
            `${name === 'memory' ? ', the rate of running out of memory' : ''}.`,
        ),
      ),
      killed[app]! > 0 ? h('p', { className: 'hint' }, `Killed for lack of memory: ${count(killed[app]!, 'sample')}.`) : '',
    );
    if (this.redraw.length !== resources.length) {
      const places = resources.map(() => h('div', { className: 'svg' }));
      this.places.replaceChildren(...places);
      this.redraw = places.map((place, k) => drawn(place, (width) => this.chart(k, width)));
    }
    for (const draw of this.redraw) draw();
    this.list.replaceChildren(
      apps.length < 2
        ? ''
        : table(
            ['App', ...resources.flatMap((name) => [name, 'slack', 'exceeded'])],
            apps.map((name, k) => [
              button(
                name,
                () => {
                  this.chosen.value = String(k);
                  this.update();
                },
                k === app ? 'link chosen' : 'link',
              ),
              ...resources.flatMap((_, r) => {
                const cell = k * resources.length + r;
                return [known(sizes.size[cell]!, number), known(sizes.slack[cell]!, percent), known(sizes.exceeded[cell]!, percent)];
              }),
            ]),
            'Sizes by usage',
          ),
    );
  }

  private chart(resource: number, width: number): Node {
    const { sizes, series } = this;
    const { app } = this;
    if (sizes === undefined || series === undefined) return h('span', {});
    const size = sizes.size[app * sizes.resources.length + resource]!;
    const name = sizes.resources[resource]!;
    const { first, last, low, mean, high, killed } = series;
    const steps = low[resource]!.length;
    const largest = Math.max(size || 0, ...high[resource]!.filter((value) => !Number.isNaN(value)));
    const frame = new Frame(width, HEIGHT, `${name} used by ${sizes.apps[app]!} over time, and the recommended size of ${known(size, number)}`);
    const y = frame.y(0, largest > 0 ? 1.05 * largest : 1);
    const x = (time: number): number => frame.left + ((time - first) / (last - first || 1)) * (frame.right - frame.left);
    frame.yAxis(y, name, number);
    const axis = timeAxis(first, last);
    frame.xAxis(
      axis.ticks.map(({ time, text }) => [x(time), text]),
      axis.title,
    );
    const points = (list: Float64Array): [number, number][] =>
      Array.from(list, (value, k): [number, number] => [x(first + (k / Math.max(1, steps - 1)) * (last - first)), y(value)]).filter(
        (_, k) => !Number.isNaN(list[k]!),
      );
    frame.add(area(points(low[resource]!), points(high[resource]!), 'band'), line(points(mean[resource]!), 'mean'));
    if (!Number.isNaN(size)) frame.level(y(size), 'size');
    if (name === 'memory') {
      for (const time of killed) frame.add(cross(x(time), frame.top + 6, 'killed'));
    }
    return frame.svg;
  }
}

/** A figure, or that nothing was measured. */
const known = (value: number, text: (value: number) => string): string => (Number.isNaN(value) ? '–' : text(value));

/** Times as days, hours or seconds; those since 1970 from the begin of their first day. */
function timeAxis(first: number, last: number): { title: string; ticks: { time: number; text: string }[] } {
  const origin = first > DATED ? first - (first % DAY) : 0;
  const [unit, title] = last - first > 2 * DAY ? [DAY, 'days'] : last - first > 7200 ? [3600, 'hours'] : [1, 'seconds'];
  return {
    title: origin === 0 ? title : `${title} from ${new Date(1000 * origin).toISOString().slice(0, 10)}, 0:00 UTC`,
    ticks: ticks((first - origin) / unit, (last - origin) / unit, 6).map((value) => ({
      time: origin + value * unit,
      text: number(value),
    })),
  };
}
