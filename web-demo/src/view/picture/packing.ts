// What is on a node over the periods: one stacked area per app, for each resource.
import type { AlignedData } from 'uplot';
import type { NodeView } from '../../desk/protocol.js';
import type { Outcome } from '../../state.js';
import { Chart } from '../elements/chart.js';
import { appColor } from '../elements/colors.js';
import { h } from '../elements/dom.js';

/** Of more apps, the smallest are one area. */
const MOST_AREAS = 10;
const MOST_CHARTS = 4;
const OTHERS = '#8a93a0';

interface Area {
  name: string;
  color: string;
  /** Share of the capacity per period, in percent. */
  values: number[];
}

/** The areas of a resource, the lowest first. */
export function areasOf({ scenario }: Outcome, view: NodeView, resource: number): Area[] {
  const { periods } = scenario;
  const capacity = view.capacity[resource] || 1;
  const slice = (values: Float64Array): number[] =>
    Array.from(values.subarray(resource * periods, (resource + 1) * periods), (value) => (100 * value) / capacity);
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  const apps = view.apps
    .map(({ app, demand }) => ({ name: scenario.appNames[app]!, color: appColor(app), values: slice(demand) }))
    .filter(({ values }) => sum(values) > 0)
    .sort((a, b) => sum(b.values) - sum(a.values));
  const large = apps.slice(0, apps.length > MOST_AREAS ? MOST_AREAS - 1 : MOST_AREAS);
  const small = apps.slice(large.length);
  const load = slice(view.load);
  return [
    ...(sum(load) > 0 ? [{ name: 'load that is there already', color: OTHERS, values: load }] : []),
    ...large,
    ...(small.length > 0
      ? [{ name: `${small.length} other apps`, color: OTHERS, values: load.map((_, period) => sum(small.map(({ values }) => values[period]!))) }]
      : []),
  ];
}

export class Packing {
  readonly element = h('div', { className: 'packing' });
  private readonly charts: { place: HTMLElement; title: HTMLElement; chart: Chart }[] = [];

  clear(): void {
    for (const { chart } of this.charts) chart.clear();
  }

  draw(outcome: Outcome, view: NodeView): void {
    const shown = outcome.scenario.resources.slice(0, MOST_CHARTS);
    while (this.charts.length < shown.length) {
      const place = h('div', { className: 'chart' });
      this.charts.push({ place, title: h('h4', {}), chart: new Chart(place, 150) });
    }
    this.element.replaceChildren(...this.charts.slice(0, shown.length).flatMap(({ title, place }) => [title, place]));
    shown.forEach(({ name }, resource) => this.one(outcome, view, resource, name));
  }

  private one(outcome: Outcome, view: NodeView, resource: number, name: string): void {
    const { chart, title } = this.charts[resource]!;
    const areas = areasOf(outcome, view, resource);
    const grey = areas.filter(({ color }) => color === OTHERS).map((one) => one.name);
    title.textContent = `${name} over time`;
    if (grey.length > 0) title.append(h('small', {}, ` grey: ${grey.join(', ')}`));
    const { periods } = outcome.scenario;
    const sums: number[][] = [];
    for (const { values } of areas) sums.push(values.map((value, k) => value + (sums.at(-1)?.[k] ?? 0)));
    // The highest sums are drawn first, and the lower ones over them.
    const order = areas.map((_, k) => k).reverse();
    const data = [
      Array.from({ length: periods }, (_, k) => k + 1),
      ...order.map((k) => sums[k]!),
      new Array<number>(periods).fill(100),
    ] as AlignedData;
    chart.draw(data, (stroke, grid) => ({
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(100, most)] } },
      axes: [
        { stroke, grid: { stroke: grid }, ticks: { stroke: grid }, incrs: [1, 2, 4, 6, 12, 24, 48] },
        { stroke, grid: { stroke: grid }, ticks: { stroke: grid }, size: 56, values: (_, splits) => splits.map((one) => `${one} %`) },
      ],
      series: [
        { label: 'period' },
        ...order.map((k) => ({ label: areas[k]!.name, stroke: areas[k]!.color, fill: areas[k]!.color, width: 1, points: { show: false } })),
        { label: 'capacity', stroke, width: 1, dash: [6, 4], points: { show: false } },
      ],
    }));
  }
}
