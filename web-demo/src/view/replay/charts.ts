// A replay over time: charts, one below the other, with one cursor.
import type uPlot from 'uplot';
import type { ReplayStep } from '../../desk/replay/protocol.js';
import { Chart } from '../elements/chart.js';
import { kindColor } from '../elements/colors.js';
import { h, nextTask } from '../elements/dom.js';
import { count, number, percent } from '../elements/format.js';
import type { Replayed } from './run.js';

const HEIGHT = 130;
/** Times above this are taken for seconds since 1970. */
const DATED = 500_000_000;
const UNITS = [
  [86_400, 'days', 3],
  [3600, 'hours', 3],
  [60, 'minutes', 3],
  [1, 'seconds', 0],
] as const;

interface Panel {
  title: string;
  percent?: boolean;
  lines: { name: string; value: (step: ReplayStep) => number }[];
}

function panelsOf({ outline, steps }: Replayed): Panel[] {
  return [
    { title: 'Nodes in use', lines: [{ name: 'nodes', value: (step) => step.nodes }] },
    {
      title: 'Use of the nodes in use',
      percent: true,
      lines: outline.resources.map((name, r) => ({ name, value: (step) => step.use[r]! })),
    },
    {
      title: 'Replicas',
      lines: [
        { name: 'running', value: (step) => step.running },
        { name: 'waiting', value: (step) => step.waiting },
      ],
    },
    {
      title: 'Moves and broken rules',
      lines: [
        { name: 'moves', value: (step) => step.moves },
        { name: 'rules', value: (step) => step.violations },
      ],
    },
    ...(steps[0]!.cost === undefined ? [] : [{ title: 'Cost of an hour', lines: [{ name: 'cost', value: (step: ReplayStep) => step.cost! }] }]),
  ];
}

/** Times for people: dates where there are such, else from the first entry. */
function clockOf(steps: readonly ReplayStep[]): { dated: boolean; of: (time: number) => number; text: (value: number) => string; title: string } {
  const first = steps[0]!.time;
  const length = steps.at(-1)!.time - first;
  if (first > DATED) {
    const text = (value: number): string => new Date(1000 * value).toISOString().slice(0, 16).replace('T', ' ');
    return { dated: true, of: (time) => time, text, title: 'UTC' };
  }
  const [unit, title] = UNITS.find(([seconds, , least]) => length > least * seconds) ?? UNITS.at(-1)!;
  return { dated: false, of: (time) => (time - first) / unit, text: (value) => `${number(value)} ${title}`, title };
}

export class ReplayCharts {
  readonly element = h('div', { id: 'replay-charts' });
  private readonly reading = h('p', { id: 'replay-reading', className: 'reading', set: { 'aria-live': 'polite' } });
  private readonly places = h('div', { className: 'boxes' });
  private charts: Chart[] = [];
  private turn = 0;
  private shown: Replayed | undefined;

  constructor() {
    this.element.append(this.reading, this.places);
    addEventListener('themechange', () => {
      if (this.shown !== undefined) void this.show(this.shown);
    });
  }

  /** Draws a replay. Every chart is a task of its own, so that the page stays responsive. */
  async show(replayed: Replayed): Promise<void> {
    const turn = ++this.turn;
    this.shown = replayed;
    const panels = panelsOf(replayed);
    for (const chart of this.charts) chart.clear();
    const places = panels.map(({ title, lines }) => {
      const said = `${title} over time; the table has the figures`;
      const place = h('div', { className: 'chart', set: { role: 'img', 'aria-label': said } });
      const keys = lines.map(({ name }, k) => h('span', {}, h('i', { style: `background:${kindColor(k)}` }), name));
      const legend = lines.length > 1 ? h('p', { className: 'legend' }, ...keys) : '';
      return { place, box: h('div', { className: 'replay-panel' }, h('h3', {}, title), legend, place) };
    });
    this.places.replaceChildren(...places.map(({ box }) => box));
    this.charts = places.map(({ place }) => new Chart(place, HEIGHT));
    this.read(replayed, undefined);
    for (const [k, panel] of panels.entries()) {
      await nextTask();
      if (turn !== this.turn) return;
      this.draw(this.charts[k]!, panel, replayed);
    }
  }

  private draw(chart: Chart, panel: Panel, replayed: Replayed): void {
    const { steps } = replayed;
    const clock = clockOf(steps);
    const data = [steps.map(({ time }) => clock.of(time)), ...panel.lines.map(({ value }) => steps.map(value))] as uPlot.AlignedData;
    const most = Math.max(panel.percent ? 1 : 0, ...panel.lines.map((_, k) => (data[k + 1] as number[]).reduce((a, b) => Math.max(a, b), 0)));
    chart.draw(data, (stroke, line, library) => {
      const grid = { stroke: line, width: 1 };
      const said = (value: number): string => (panel.percent ? percent(value) : number(value));
      return {
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, sync: { key: 'replay' }, points: { show: false } },
        scales: { x: { time: clock.dated }, y: { range: [0, most > 0 ? 1.05 * most : 1] } },
        axes: [
          { stroke, grid, ...(clock.dated ? {} : { values: (_: uPlot, splits: number[]) => splits.map((one) => `${number(one)}`) }) },
          { stroke, grid, size: 62, values: (_, splits) => splits.map(said) },
        ],
        // A state lasts until the next entry.
        series: [
          {},
          ...panel.lines.map(({ name }, k) => ({
            label: name,
            stroke: kindColor(k),
            width: 1.5,
            points: { show: false },
            paths: library.paths.stepped!({ align: 1 }),
          })),
        ],
        hooks: { setCursor: [({ cursor }) => this.read(replayed, cursor.idx ?? undefined)] },
      };
    });
  }

  /** Says what the cursor is at. */
  private read({ steps, outline }: Replayed, entry: number | undefined): void {
    const clock = clockOf(steps);
    const step = entry === undefined ? undefined : steps[entry];
    if (step === undefined) {
      const from = clock.dated ? 'Times are in UTC.' : `Times are in ${clock.title} from the first plan.`;
      this.reading.textContent = `${from} Point at a chart to read it.`;
      return;
    }
    const use = outline.resources.map((name, r) => `${name} ${percent(step.use[r]!)}`).join(', ');
    this.reading.textContent =
      `${clock.text(clock.of(step.time))}: ${count(step.nodes, 'node')} in use (${use}), ${count(step.running, 'replica')} running, ` +
      `${number(step.waiting)} waiting, ${count(step.moves, 'move')}${step.cost === undefined ? '' : `, ${number(step.cost)} an hour`}.`;
  }
}
