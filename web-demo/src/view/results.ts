// The results of planners as a table, and as a chart of gap against time.
import type uPlot from 'uplot';
import type { Outcome, Store } from '../state.js';
import { Chart } from './elements/chart.js';
import { button, byId, h, table } from './elements/dom.js';
import { term } from './elements/glossary.js';
import { STATUS, count, duration, number, percent } from './elements/format.js';
import { compareStanding, holds, missing, unplacedOf } from '../ranking.js';

const FAMILIES: readonly [RegExp, string, string][] = [
  [/^auto/, 'auto', '#d4380d'],
  [/^(ff|bf|wf)/, 'fit', '#1677b8'],
  [/^spread/, 'spread', '#2f9e44'],
  [/^match/, 'match', '#9c36b5'],
  [/^(ncd|lrasched)/, 'node-centric', '#c98a00'],
  [/./, 'other', '#6b7280'],
];
const familyOf = (planner: string): number => FAMILIES.findIndex(([pattern]) => pattern.test(planner));

/** Writes the planners' names beside their points where there is room. */
function label(plot: uPlot, outcomes: readonly Outcome[], times: readonly number[], ink: string): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio || 1;
  const height = 12 * scale;
  const away = 8 * scale;
  const points = outcomes.map(({ plan }, k) => ({
    x: plot.valToPos(times[k]!, 'x', true),
    y: plot.valToPos(100 * plan.gap!, 'y', true),
  }));
  type Box = { left: number; right: number; top: number; bottom: number };
  const apart = (a: Box, b: Box): boolean => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
  const taken = points.map(({ x, y }): Box => {
    const half = away / 2;
    return { left: x - half, right: x + half, top: y - half, bottom: y + half };
  });
  ctx.save();
  ctx.font = `${height}px ${getComputedStyle(document.body).fontFamily}`;
  ctx.fillStyle = ink;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  outcomes.forEach(({ planner }, k) => {
    const { x, y } = points[k]!;
    const { width } = ctx.measureText(planner);
    const places = [
      [x + away, y],
      [x - away - width, y],
      [x - width / 2, y - away - height / 2],
      [x - width / 2, y + away + height / 2],
    ] as const;
    for (const [left, middle] of places) {
      const box = { left, right: left + width, top: middle - height / 2, bottom: middle + height / 2 };
      if (box.left < bbox.left || box.right > bbox.left + bbox.width || box.top < bbox.top) continue;
      if (box.bottom > bbox.top + bbox.height || !taken.every((one) => apart(one, box))) continue;
      ctx.fillText(planner, left, middle);
      taken.push(box);
      return;
    }
  });
  ctx.restore();
}

export class ResultsView {
  private readonly list = h('div', { id: 'results-table' });
  private readonly place = h('div', {
    id: 'chart',
    className: 'chart',
    set: { role: 'img', 'aria-label': 'Gap against time; the table has the same numbers' },
  });
  private readonly reading = h('p', { className: 'reading', id: 'chart-reading' });
  private readonly chart = new Chart(this.place, 240);

  constructor(
    private readonly store: Store,
    private readonly show: (outcome: Outcome) => void,
  ) {
    byId('results').append(
      h('h2', { id: 'results-title' }, 'Planners compared'),
      h(
        'p',
        { className: 'hint' },
        'The best plan first: everything placed, then rules, then what is planned for. In the chart, lower and further left is better.',
      ),
      this.place,
      this.reading,
      this.list,
    );
    store.on(['outcomes', 'shown', 'scenario'], () => this.draw());
    addEventListener('themechange', () => this.draw());
  }

  private draw(): void {
    const { outcomes, scenario, shown } = this.store.state;
    const own = outcomes
      .filter((one) => one.scenario === scenario)
      .sort((a, b) => compareStanding(scenario!, a, b, this.store.state.objective));
    byId('results').classList.toggle('waiting', own.length === 0);
    if (own.length === 0) return;
    const ruled = own.some(({ plan, broken }) => broken > 0 || plan.ruleViolations !== undefined);
    const suffers = own.some(({ plan }) => plan.maxCost !== undefined);
    const priced = own.some(({ plan }) => plan.cost !== undefined);
    const rows = own.map((one) => {
      const { plan } = one;
      const pick = button(one.planner, () => this.show(one), one === shown ? 'link chosen' : 'link');
      pick.setAttribute('aria-pressed', String(one === shown));
      pick.title = 'Show this plan';
      const lacks = missing(one.scenario, one);
      return [
        h('span', {}, pick, one.options !== '' && h('small', {}, ` ${one.options}`)),
        unplacedOf(plan),
        ...(ruled ? [one.broken + (plan.ruleViolations?.count ?? 0)] : []),
        plan.nodes,
        ...(priced ? [number(plan.cost ?? 0)] : []),
        ...(suffers ? [number(plan.maxCost ?? 0), number(plan.totalCost ?? 0)] : []),
        plan.gap === undefined ? '–' : percent(plan.gap),
        one.milliseconds === undefined ? 'file' : duration(one.milliseconds),
        h(
          'span',
          { className: holds(one) ? 'good' : 'bad' },
          lacks.length === 0 ? STATUS[plan.status] : `${STATUS[plan.status]}: ${lacks.join('; ')}`,
        ),
      ];
    });
    this.list.replaceChildren(
      table(
        [
          'Planner',
          'Unplaced',
          ...(ruled ? ['Rules not held'] : []),
          'Nodes',
          ...(priced ? ['Cost'] : []),
          ...(suffers ? ['Worst-off', 'In all'] : []),
          term('gap', 'Gap'),
          'Time',
          'Status',
        ],
        rows,
        'Results of planners',
      ),
    );
    this.drawChart(
      own.filter(
        ({ plan, milliseconds }) =>
          plan.gap !== undefined &&
          milliseconds !== undefined &&
          plan.complete &&
          plan.objective === this.store.state.objective,
      ),
    );
  }

  private drawChart(points: Outcome[]): void {
    this.place.hidden = points.length === 0;
    this.chart.clear();
    if (points.length === 0) return;
    const sorted = [...points].sort((a, b) => a.milliseconds! - b.milliseconds!);
    // Times on the logarithmic axis must be positive, and must differ because they identify the points.
    let last = 0;
    const times = sorted.map(({ milliseconds }) => (last = Math.max(milliseconds!, 0.1, last * 1.0001)));
    const families = FAMILIES.map((_, family) => family).filter((family) =>
      sorted.some(({ planner }) => familyOf(planner) === family),
    );
    const columns = families.map((family) =>
      sorted.map(({ planner, plan }) => (familyOf(planner) === family ? 100 * plan.gap! : null)),
    );
    const highest = Math.max(1, ...sorted.map(({ plan }) => 100 * plan.gap!));
    this.chart.draw([times, ...columns], (stroke, grid) => ({
      legend: { show: true, live: false },
      cursor: { drag: { x: false, y: false }, points: { size: 12 } },
      scales: {
        x: {
          time: false,
          distr: 3,
          range: [10 ** Math.floor(Math.log10(times[0]!)), 10 ** Math.ceil(Math.log10(times[times.length - 1]! * 1.01))],
        },
        y: { range: [-0.04 * highest, 1.1 * highest] },
      },
      axes: [
        {
          stroke,
          grid: { stroke: grid, width: 1 },
          ticks: { stroke: grid },
          values: (_, splits) => splits.map((one) => (one === null || Math.log10(one) % 1 !== 0 ? '' : duration(one))),
        },
        {
          stroke,
          grid: { stroke: grid, width: 1 },
          ticks: { stroke: grid },
          size: 56,
          values: (_, splits) => splits.map((one) => `${one} %`),
        },
      ],
      series: [
        { label: 'time' },
        ...families.map((family): uPlot.Series => ({
          label: FAMILIES[family]![1],
          stroke: FAMILIES[family]![2],
          paths: () => null,
          points: { show: true, size: 9, fill: FAMILIES[family]![2] },
        })),
      ],
      hooks: {
        draw: [(plot) => label(plot, sorted, times, stroke)],
        setCursor: [
          (plot) => {
            const one = sorted[plot.cursor.idx ?? -1];
            this.reading.textContent =
              one === undefined
                ? ''
                : `${one.planner}: ${count(one.plan.nodes, 'node')}, ${percent(one.plan.gap!)} above the bound, ` +
                  duration(one.milliseconds!);
          },
        ],
      },
    }));
  }
}
