// The curve of an app: what is expected of each configuration, with its band, the samples, the goal and the choice.
import type { Configuration, Measure, Recommendation, Recommendations } from 'stowage';
import { number, percent } from '../elements/format.js';
import { Frame, area, diamond, line, s } from './chart.js';

/** What configurations of the chart differ by: everything but the degree of collocation, a resource, or the degree. */
export type Along = 'cost' | 'collocation' | number;

export interface CurveData {
  answer: Recommendations;
  one: Recommendation;
  samples: readonly { configuration: number; value: number }[];
  measure: Measure;
  goal: number;
  confidence: number;
  costOf(configuration: number): number;
}

const HEIGHT = 330;

/** Whether the model knows degrees of collocation besides 1. */
export const hasDegrees = ({ configurations }: Recommendations): boolean =>
  configurations.some(({ collocation }) => collocation > 1);

/** A configuration for people: "2 cpu, 4 memory, 3 per node". */
export function configurationText(answer: Recommendations, configuration: number): string {
  const { amounts, collocation } = answer.configurations[configuration]!;
  const size = answer.resources.map((name, k) => `${number(amounts[k]!)} ${name}`).join(', ');
  return hasDegrees(answer) ? `${size}, ${collocation} per node` : size;
}

/** The configuration that the chart is about: the choice, or the most probable one. */
export function centreOf({ choice, runnerUp, curveProbability }: Recommendation): number {
  return choice ?? runnerUp ?? curveProbability!.indexOf(Math.max(...curveProbability!));
}

/** The size of the centre with the fewest containers per node, with which sizes are compared; the degree is chosen afterwards. */
function baseOf({ answer: { configurations }, one }: CurveData): Configuration {
  const { amounts } = configurations[centreOf(one)]!;
  const degrees = configurations.filter((other) => other.amounts.every((amount, r) => amount === amounts[r]));
  return { amounts, collocation: Math.min(...degrees.map(({ collocation }) => collocation)) };
}

/** The configurations on the chart, in their order. */
function shownOf(data: CurveData, along: Along): number[] {
  const { answer, costOf } = data;
  const { configurations, resources } = answer;
  const centre = baseOf(data);
  const same = (k: number, resource: number): boolean => configurations[k]!.amounts[resource] === centre.amounts[resource];
  const list = Array.from(configurations.keys()).filter(
    (k) =>
      (along === 'collocation' || configurations[k]!.collocation === centre.collocation) &&
      (along === 'cost' || resources.every((_, resource) => resource === along || same(k, resource))),
  );
  if (along === 'collocation') return list.sort((a, b) => configurations[a]!.collocation - configurations[b]!.collocation);
  return list.sort((a, b) => costOf(a) - costOf(b));
}

/** Where configurations are on the chart: those shown, and those that differ from them by the degree of collocation alone. */
function shownAs({ answer: { configurations } }: CurveData, shown: readonly number[], along: Along): Map<number, number> {
  const positions = new Map(shown.map((k, position) => [k, position]));
  if (along === 'collocation') return positions;
  configurations.forEach(({ amounts }, k) => {
    const like = shown.findIndex((one) => configurations[one]!.amounts.every((amount, r) => amount === amounts[r]));
    if (like >= 0) positions.set(k, like);
  });
  return positions;
}

function axisTitle(data: CurveData, along: Along): string {
  const { answer } = data;
  const { amounts, collocation } = baseOf(data);
  const beside = answer.resources.flatMap((name, k) => (k === along ? [] : [`${number(amounts[k]!)} ${name}`]));
  const degree = hasDegrees(answer) ? [`${collocation} per node`] : [];
  if (along === 'cost') return [`${answer.resources.join(' / ')}, cheapest first`, ...degree].join(', ');
  if (along === 'collocation') return `containers per node, with ${beside.join(', ')}`;
  return `${answer.resources[along]!}${beside.length + degree.length > 0 ? `, with ${[...beside, ...degree].join(', ')}` : ''}`;
}

export function drawCurve(data: CurveData, along: Along, width: number): SVGElement {
  const { answer, one, samples, measure, goal, confidence } = data;
  const shown = shownOf(data, along);
  const [low, mean, high] = [one.curveLow!, one.curveMean!, one.curveHigh!];
  const positions = shownAs(data, shown, along);
  const own = samples.filter(({ configuration }) => positions.has(configuration));
  const values = [...shown.flatMap((k) => [low[k]!, high[k]!]), ...own.map(({ value }) => value), goal];
  const latency = measure === 'latency';
  const positive = values.filter((value) => value > 0);
  const [least, most] = [Math.min(...positive), Math.max(...values)];
  const log = latency && most / least > 10;
  const chosen = one.choice === undefined ? 'no choice' : `choice: ${configurationText(answer, one.choice)}`;
  const frame = new Frame(width, HEIGHT, `Expected ${measure} of ${one.app} by configuration; ${chosen}`);
  const y = frame.y(log ? least / 1.1 : 0, latency ? 1.05 * most : Math.max(1, most), log);
  frame.yAxis(y, latency ? 'latency, ms' : 'performance', number);
  const step = (frame.right - frame.left) / shown.length;
  const x = (position: number): number => frame.left + (position + 0.5) * step;
  frame.xAxis(
    shown.map((k, position) => [x(position), label(answer, k, along)]),
    axisTitle(data, along),
  );
  const at = (list: Float64Array): [number, number][] => shown.map((k, position) => [x(position), y(list[k]!)]);
  const choice = one.choice === undefined ? undefined : positions.get(one.choice);
  if (choice !== undefined) {
    const [left, wide] = [x(choice) - Math.min(step / 2, 22), Math.min(step, 44)];
    frame.add(s('rect', { class: 'choice', x: left, y: frame.top, width: wide, height: frame.bottom - frame.top }));
  }
  if (along !== 'cost') frame.add(area(at(low), at(high), 'band'), line(at(mean), 'mean'));
  frame.level(y(goal), 'goal');
  shown.forEach((k, position) => {
    const met = one.curveProbability![k]!;
    const range = `${number(mean[k]!)} (${number(low[k]!)} to ${number(high[k]!)})`;
    frame.add(
      s(
        'g',
        { class: met >= confidence ? 'met' : 'missed' },
        s('line', { class: 'range', x1: x(position), x2: x(position), y1: y(low[k]!), y2: y(high[k]!) }),
        s('circle', { cx: x(position), cy: y(mean[k]!), r: 4 }),
        s('title', {}, `${configurationText(answer, k)}: ${range}; meets the goal with ${percent(met)}`),
      ),
    );
  });
  // Samples with another degree of collocation are faint.
  const mark = (configuration: number, value: number, name: string, title: string): void => {
    const position = positions.get(configuration);
    if (position === undefined) return;
    const elsewhere = shown[position] === configuration ? '' : ' elsewhere';
    frame.add(diamond(x(position), y(value), name + elsewhere, `${title}: ${configurationText(answer, configuration)}`));
  };
  if (one.nextSample !== undefined) mark(one.nextSample, mean[one.nextSample]!, 'next', 'the sample to take next');
  for (const { configuration, value } of own) mark(configuration, value, 'sample', `measured ${number(value)}`);
  return frame.svg;
}

function label({ configurations }: Recommendations, k: number, along: Along): string {
  const { amounts, collocation } = configurations[k]!;
  if (along === 'collocation') return String(collocation);
  return along === 'cost' ? Array.from(amounts, number).join('/') : number(amounts[along]!);
}
