// Charts as SVG: scales, axes and marks.
import { h } from '../elements/dom.js';

const SPACE = 'http://www.w3.org/2000/svg';
type Attributes = Record<string, string | number>;

/** An element of SVG. */
export function s(tag: string, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const round = (value: number): number => Math.round(10 * value) / 10;

/** Values to be named on an axis: about `count` round ones, from `low` to `high`. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/** Powers of ten, and where there are few of them their multiples by 2 and 5. */
function logTicks(low: number, high: number): number[] {
  const list: number[] = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; ++power) {
    for (const factor of high / low < 200 ? [1, 2, 5] : [1]) list.push(factor * 10 ** power);
  }
  return list.filter((value) => value >= low && value <= high);
}

export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** A frame to draw in, with functions from values to positions. */
export class Frame {
  readonly svg: SVGElement;
  readonly left = 46;
  readonly top = 12;
  readonly right: number;
  readonly bottom: number;

  constructor(
    width: number,
    private readonly height: number,
    label: string,
  ) {
    this.right = width - 12;
    this.bottom = height - 42;
    this.svg = s('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label });
  }

  /** @param log a logarithmic scale; the values are above 0 then */
  y(low: number, high: number, log = false): Scale {
    const to = log ? Math.log10 : (value: number): number => value;
    const [from, until] = [to(low), to(high)];
    const place = (value: number): number =>
      this.bottom - ((to(Math.min(high, Math.max(low, value))) - from) / (until - from || 1)) * (this.bottom - this.top);
    return Object.assign(place, { ticks: log ? logTicks(low, high) : ticks(low, high, 5) });
  }

  add(...elements: SVGElement[]): void {
    this.svg.append(...elements);
  }

  yAxis(scale: Scale, title: string, text: (value: number) => string): void {
    for (const value of scale.ticks) {
      const y = round(scale(value));
      this.add(
        s('line', { class: 'grid', x1: this.left, x2: this.right, y1: y, y2: y }),
        s('text', { x: this.left - 6, y: y + 4, 'text-anchor': 'end' }, text(value)),
      );
    }
    const middle = (this.top + this.bottom) / 2;
    this.add(s('text', { x: 11, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 11 ${middle})` }, title));
  }

  /** @param labels positions and texts; those that would overlap are left out */
  xAxis(labels: readonly (readonly [number, string])[], title: string): void {
    const widest = 12 + 6.4 * Math.max(0, ...labels.map(([, text]) => text.length));
    let next = -Infinity;
    for (const [x, text] of labels) {
      this.add(s('line', { class: 'tick', x1: round(x), x2: round(x), y1: this.bottom, y2: this.bottom + 4 }));
      if (x < next) continue;
      next = x + widest;
      this.add(s('text', { x: round(x), y: this.bottom + 17, 'text-anchor': 'middle' }, text));
    }
    this.add(
      s('line', { class: 'axis', x1: this.left, x2: this.right, y1: this.bottom, y2: this.bottom }),
      s('text', { x: (this.left + this.right) / 2, y: this.height - 6, 'text-anchor': 'middle' }, title),
    );
  }

  level(y: number, name: string): void {
    this.add(s('line', { class: name, x1: this.left, x2: this.right, y1: round(y), y2: round(y) }));
  }
}

type Point = readonly [number, number];
const pathOf = (points: readonly Point[]): string => points.map(([x, y], k) => `${k === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');

export const line = (points: readonly Point[], name: string): SVGElement => s('path', { class: name, d: pathOf(points) });

/** The area between two lines. */
export const area = (low: readonly Point[], high: readonly Point[], name: string): SVGElement =>
  s('path', { class: name, d: `${pathOf([...low, ...high.toReversed()])}Z` });

/** A diamond, the mark of samples. */
export function diamond(x: number, y: number, name: string, title = ''): SVGElement {
  const size = 6;
  const d = `M${round(x)} ${round(y - size)}l${size} ${size}l${-size} ${size}l${-size} ${-size}Z`;
  return s('path', { class: name, d }, s('title', {}, title));
}

/** What a legend explains: a line, a box or another mark in a field of 16 x 14. */
export const lineKey = (name: string): SVGElement => s('line', { class: name, x1: 2, x2: 14, y1: 7, y2: 7 });
export const boxKey = (name: string): SVGElement => s('rect', { class: name, x: 2, y: 2, width: 12, height: 10 });
export const key = (mark: SVGElement, text: string): HTMLElement =>
  h('span', {}, s('svg', { width: 16, height: 14, 'aria-hidden': 'true' }, mark), text);

export const cross = (x: number, y: number, name: string): SVGElement =>
  s('path', { class: name, d: `M${round(x - 4)} ${round(y - 4)}l8 8m0 -8l-8 8` });

/** Draws again when the width of the place changes. */
export function drawn(place: HTMLElement, draw: (width: number) => Node): () => void {
  let width = 0;
  const redraw = (): void => {
    if (width > 0) place.replaceChildren(draw(width));
  };
  new ResizeObserver(() => {
    const now = Math.floor(place.clientWidth);
    if (now === width) return;
    width = now;
    redraw();
  }).observe(place);
  return redraw;
}
