// Nodes as cells on a canvas. Far away, a cell is a colour; nearer, it has its name, a bar per resource, and the apps in them.
import type { Color } from '../elements/colors.js';
import { WHOLE, cornerOf, inView, positionsInView, type Layout, type View } from './layout.js';

/** From these sizes on, in pixels, a cell shows its name, its bars, and the names of its apps. */
export const NAMED = 46;
export const BARS = 84;
const TEXTS = 170;

export interface Card {
  name: string;
  /** One bar per resource. Shares of the bar's length, from left to right. */
  rows: { name: string; share: number; parts: { share: number; color: string; name: string; margin?: boolean }[] }[];
  /** Apps with their replicas. */
  apps: { name: string; replicas: number; color: string }[];
}

export interface Cells {
  /** Index into `colors`. */
  shade: (position: number) => number;
  colors: readonly Color[];
  /** Positions of outlined cells. */
  marked?: readonly number[];
  chosen?: number | undefined;
  mark: string;
  /** What is shown of a node where there is room; undefined while it is not known. */
  card?: (position: number) => Card | undefined;
  nameOf?: (position: number) => string;
}

/** Colours of the page. */
interface Ink {
  ink: string;
  soft: string;
  back: string;
  track: string;
}

const inkOf = (canvas: HTMLCanvasElement): Ink => {
  const style = getComputedStyle(canvas);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  // Colours of the page may be light-dark(), which a canvas does not know; `color` is resolved.
  const resolved = (name: string): string => {
    canvas.style.color = of(name);
    const color = getComputedStyle(canvas).color;
    canvas.style.color = '';
    return color;
  };
  return { ink: resolved('--ink'), soft: resolved('--soft'), back: resolved('--back'), track: resolved('--line') };
};

/** Black or white, whichever is easier to read on a colour. */
const onColor = ([red, green, blue]: Color): string => (0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#101418' : '#ffffff');

/** The text, shortened to a width. */
function fitting(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : `${text.slice(0, low)}…`;
}

/** Writes the pixels of all cells in view, which is much faster than a canvas call per cell. */
function paintColors(context: CanvasRenderingContext2D, layout: Layout, view: View, ratio: number, cells: Cells): void {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const opaque = Uint32Array.from(cells.colors, ([red, green, blue]) => (255 << 24) | (blue << 16) | (green << 8) | red);
  const size = layout.size * view.k;
  const inner = size - gapOf(size);
  const pixel = (value: number, most: number): number => Math.max(0, Math.min(most, Math.round(value * ratio)));
  for (const { block, from, to, left, right } of inView(layout, view, width / ratio, height / ratio)) {
    const edges = Array.from({ length: right - left }, (_, k) => {
      const x = view.x + (left + k) * size;
      return [pixel(x, width), pixel(x + inner, width)] as const;
    });
    for (let row = from; row < to; ++row) {
      const y = view.y + view.k * block.top + row * size;
      const [begin, end] = [pixel(y, height) * width, pixel(y + inner, height) * width];
      if (begin === end) continue;
      const first = row * layout.columns + left;
      const columns = Math.min(right - left, block.count - first);
      for (let k = 0; k < columns; ++k) {
        const [x, until] = edges[k]!;
        pixels.fill(opaque[cells.shade(block.first + first + k)]!, begin + x, begin + until);
      }
      // All pixel lines of a row of cells are equal.
      for (let line = begin + width; line < end; line += width) pixels.copyWithin(line, begin, begin + width);
    }
  }
  context.putImageData(image, 0, 0);
}

const gapOf = (size: number): number => (size > 60 ? 4 : size > 3 ? 1 : 0);

/** Draws the part of a layout that is in view, and sets the canvas' size in screen pixels. */
export function drawCells(canvas: HTMLCanvasElement, layout: Layout, cells: Cells, height = layout.height, view: View = WHOLE): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const { width } = layout;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d')!;
  paintColors(context, layout, view, ratio, cells);
  context.scale(ratio, ratio);
  const size = layout.size * view.k;
  const inner = size - gapOf(size);
  const ink = inkOf(canvas);
  titles(context, layout, view, ink);
  if (size >= NAMED) {
    for (const position of positionsInView(layout, view, width, height)) {
      const [left, top] = placed(layout, view, position);
      drawCard(context, ink, { left, top, inner }, position, cells);
    }
  }
  context.strokeStyle = cells.mark;
  const outline = (position: number, line: number): void => {
    const [left, top] = placed(layout, view, position);
    if (top + size < 0 || top > height || left + size < 0 || left > width) return;
    context.lineWidth = line;
    context.strokeRect(left + line / 2, top + line / 2, inner - line, inner - line);
  };
  for (const position of cells.marked ?? []) outline(position, Math.min(2, inner / 3));
  const count = layout.blocks.reduce((sum, block) => sum + block.count, 0);
  if (cells.chosen !== undefined && cells.chosen >= 0 && cells.chosen < count) outline(cells.chosen, Math.max(1.5, Math.min(4, inner / 4)));
}

function placed(layout: Layout, { k, x, y }: View, position: number): [left: number, top: number] {
  const [across, down] = cornerOf(layout, position);
  return [x + k * across, y + k * down];
}

const font = (size: number, bold = false): string => `${bold ? '600 ' : ''}${size}px system-ui, sans-serif`;

function titles(context: CanvasRenderingContext2D, layout: Layout, { k, x, y }: View, { ink }: Ink): void {
  context.font = font(12, true);
  context.textBaseline = 'alphabetic';
  context.fillStyle = ink;
  for (const { name, top, count } of layout.blocks) {
    if (name === '') continue;
    context.fillText(`${name} (${count.toLocaleString('en')})`, Math.max(0, x), y + k * top - 4);
  }
}

interface Box {
  left: number;
  top: number;
  inner: number;
}

function drawCard(context: CanvasRenderingContext2D, ink: Ink, { left, top, inner }: Box, position: number, cells: Cells): void {
  const color = cells.colors[cells.shade(position)]!;
  const name = cells.nameOf?.(position) ?? '';
  const card = inner >= BARS ? cells.card?.(position) : undefined;
  context.save();
  context.beginPath();
  context.rect(left, top, inner, inner);
  context.clip();
  context.textBaseline = 'top';
  if (card === undefined) {
    context.fillStyle = onColor(color);
    context.font = font(inner >= BARS ? 12 : 10, true);
    context.fillText(fitting(context, name, inner - 6), left + 3, top + 4);
  } else {
    // The colour stays as a strip.
    context.fillStyle = ink.back;
    context.fillRect(left, top + 6, inner, inner - 6);
    context.fillStyle = ink.ink;
    context.font = font(12, true);
    context.fillText(fitting(context, name, inner - 10), left + 5, top + 11);
    drawRows(context, ink, { left: left + 5, top: top + 28, inner: inner - 10 }, card, top + inner);
  }
  context.restore();
}

function drawRows(context: CanvasRenderingContext2D, ink: Ink, { left, top, inner }: Box, card: Card, bottom: number): void {
  const large = inner >= TEXTS;
  const thick = large ? 16 : 8;
  let y = top;
  for (const { name, share, parts } of card.rows) {
    if (y + thick > bottom) return;
    if (large) {
      context.font = font(11);
      context.fillStyle = ink.soft;
      context.fillText(fitting(context, `${name} ${Math.round(100 * share)} %`, inner), left, y);
      y += 14;
    }
    context.fillStyle = ink.track;
    context.fillRect(left, y, inner, thick);
    let x = left;
    for (const part of parts) {
      const long = part.share * inner;
      context.fillStyle = part.color;
      context.globalAlpha = part.margin === true ? 0.4 : 1;
      context.fillRect(x, y, Math.max(0.5, long - (long > 4 ? 1 : 0)), thick);
      context.globalAlpha = 1;
      if (large && long > 34) {
        context.font = font(10);
        context.fillStyle = '#101418';
        context.fillText(fitting(context, part.name, long - 6), x + 3, y + 3);
      }
      x += long;
    }
    y += thick + (large ? 6 : 3);
  }
  context.font = font(11);
  for (const { name, replicas, color } of card.apps) {
    if (y + 13 > bottom) return;
    context.fillStyle = color;
    context.fillRect(left, y + 2, 8, 8);
    context.fillStyle = ink.ink;
    context.fillText(fitting(context, replicas > 1 ? `${replicas} × ${name}` : name, inner - 12), left + 12, y);
    y += 14;
  }
}
