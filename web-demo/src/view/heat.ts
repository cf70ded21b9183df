// Nodes as cells of a grid on a canvas, for plans of thousands of nodes.
import type { Color } from './elements/colors.js';

export interface Grid {
  columns: number;
  rows: number;
  size: number;
  /** The canvas shows `shownRows` rows, beginning with row `firstRow`. */
  firstRow: number;
  shownRows: number;
}

const GAP = 1;
const LARGEST = 42;
export const ZOOMS = 6;

function gridOf(count: number, width: number, size: number): Grid {
  const columns = Math.max(1, Math.floor(width / size));
  const rows = Math.ceil(count / columns);
  return { columns, rows, size, firstRow: 0, shownRows: rows };
}

/** The grid with the largest cells with which `count` nodes fit into the area. */
export function gridFor(count: number, width: number, height: number): Grid {
  let size = Math.min(LARGEST, Math.max(2, Math.floor(Math.sqrt((width * height) / Math.max(1, count)))));
  while (size > 2 && Math.ceil(count / Math.floor(width / size)) * size > height) --size;
  return gridOf(count, width, size);
}

/** A grid with cells from the size of `gridFor` (zoom 0) to the largest size (zoom ZOOMS). */
export function zoomed(count: number, width: number, height: number, zoom: number): Grid {
  const { size } = gridFor(count, width, height);
  return gridOf(count, width, Math.round(size * (LARGEST / size) ** (zoom / ZOOMS)));
}

/** The grid restricted to the rows in view. */
export function inView(grid: Grid, scrolled: number, height: number): Grid {
  const firstRow = Math.max(0, Math.min(grid.rows - 1, Math.floor(scrolled / grid.size)));
  return { ...grid, firstRow, shownRows: Math.min(grid.rows - firstRow, Math.ceil(height / grid.size) + 1) };
}

export interface Cells {
  count: number;
  /** Index into `colors`. */
  shade: (position: number) => number;
  colors: readonly Color[];
  /** Positions of outlined cells. */
  marked?: readonly number[];
  chosen?: number | undefined;
  mark: string;
}

/**
 * Draws the cells in view and sets the canvas' size in screen pixels. It writes pixels directly, which is much faster than a
 * canvas call per cell.
 */
export function drawCells(canvas: HTMLCanvasElement, grid: Grid, cells: Cells): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [width, height] = [grid.columns * grid.size, grid.shownRows * grid.size];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d')!;
  const gap = grid.size > 3 ? GAP : 0;
  const inner = grid.size - gap;
  const left = (position: number): number => (position % grid.columns) * grid.size;
  const rowOf = (position: number): number => Math.floor(position / grid.columns) - grid.firstRow;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const opaque = Uint32Array.from(cells.colors, ([red, green, blue]) => (255 << 24) | (blue << 16) | (green << 8) | red);
  const across = canvas.width;
  for (let row = 0; row < grid.shownRows; ++row) {
    const begin = Math.round(row * grid.size * ratio) * across;
    const end = Math.min(canvas.height, Math.round((row * grid.size + inner) * ratio)) * across;
    const first = (grid.firstRow + row) * grid.columns;
    const columns = Math.min(grid.columns, cells.count - first);
    for (let column = 0; column < columns; ++column) {
      const color = opaque[cells.shade(first + column)]!;
      const right = begin + Math.round((column * grid.size + inner) * ratio);
      for (let pixel = begin + Math.round(column * grid.size * ratio); pixel < right; ++pixel) pixels[pixel] = color;
    }
    // All pixel lines of a row of cells are equal.
    for (let line = begin + across; line < end; line += across) pixels.copyWithin(line, begin, begin + across);
  }
  context.putImageData(image, 0, 0);
  context.scale(ratio, ratio);
  context.strokeStyle = cells.mark;
  const outline = (position: number, line: number): void => {
    const row = rowOf(position);
    if (row < 0 || row >= grid.shownRows) return;
    context.lineWidth = line;
    context.strokeRect(left(position) + line / 2, row * grid.size + line / 2, inner - line, inner - line);
  };
  for (const position of cells.marked ?? []) outline(position, Math.min(2, inner / 3));
  if (cells.chosen !== undefined && cells.chosen < cells.count) outline(cells.chosen, Math.max(1.5, Math.min(4, inner / 4)));
}

export function positionAt(canvas: HTMLCanvasElement, grid: Grid, event: MouseEvent): number {
  const box = canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  return (grid.firstRow + Math.floor(y / grid.size)) * grid.columns + Math.min(grid.columns - 1, Math.floor(x / grid.size));
}
