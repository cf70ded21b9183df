// How many nodes are how full, as columns in the colours of the picture.
import { css, shadeOf, shades } from '../elements/colors.js';
import { h } from '../elements/dom.js';
import { count, percent } from '../elements/format.js';

const BINS = 20;
const NS = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT] = [200, 44];

const part = (name: string, attributes: Record<string, string | number>, ...children: (Element | string)[]): SVGElement => {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
};

/** Numbers of nodes by twentieths of their use; the last number is that of nodes above capacity. */
export function binsOf(shares: Float32Array): number[] {
  const bins = new Array<number>(BINS + 1).fill(0);
  for (const share of shares) ++bins[share > 1 + 1e-6 ? BINS : Math.min(BINS - 1, Math.floor(share * BINS + 1e-6))]!;
  return bins;
}

/** @param scaled the place of a share on the scale of colours */
export function histogram(shares: Float32Array, scaled: (share: number) => number): HTMLElement {
  const bins = binsOf(shares);
  const most = Math.max(1, ...bins);
  const colors = shades();
  const wide = WIDTH / bins.length;
  const range = (k: number): string => (k === BINS ? 'above capacity' : `${percent(k / BINS)} to ${percent((k + 1) / BINS)}`);
  const columns = bins.map((number, k) => {
    const tall = number === 0 ? 0 : Math.max(1.5, (HEIGHT * number) / most);
    const color = css(colors[k === BINS ? colors.length - 1 : shadeOf(scaled((k + 0.5) / BINS))]!);
    return part(
      'rect',
      { x: k * wide + 0.5, y: HEIGHT - tall, width: wide - 1, height: tall, fill: color },
      part('title', {}, `${range(k)}: ${count(number, 'node')}`),
    );
  });
  const fullest = bins.indexOf(Math.max(...bins));
  const label = `How full nodes are: most of them, ${count(bins[fullest]!, 'node')}, at ${range(fullest)}`;
  const chart = part(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img', 'aria-label': label },
    ...columns,
    part('line', { x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT, class: 'ground' }),
  );
  const ends = h('span', {}, h('small', {}, '0 %'), h('small', {}, `up to ${count(most, 'node')}`), h('small', {}, '100 %'));
  return h('div', { className: 'histogram' }, chart as unknown as Node, ends);
}
