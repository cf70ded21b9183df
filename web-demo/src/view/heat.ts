// Nodes as cells of a grid on a canvas, for plans of thousands of nodes.
export interface Grid {
  columns: number;
  rows: number;
  size: number;
}

const GAP = 1;

/** The grid of largest cells that `count` nodes can have. */
export function gridFor(count: number, width: number, height: number): Grid {
  const largest = 42;
  let size = Math.min(largest, Math.max(2, Math.floor(Math.sqrt((width * height) / Math.max(1, count)))));
  while (size > 2 && Math.ceil(count / Math.floor(width / size)) * size > height) --size;
  const columns = Math.max(1, Math.floor(width / size));
  return { columns, rows: Math.ceil(count / columns), size };
}

export interface Cells {
  count: number;
  /** Index into `colors`. */
  shade: (position: number) => number;
  colors: readonly string[];
  marked?: ((position: number) => boolean) | undefined;
  chosen?: number | undefined;
  mark: string;
}

/** Draws all cells, colour by colour; sets the canvas' size in pixels of the screen. */
export function drawCells(canvas: HTMLCanvasElement, grid: Grid, cells: Cells): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [width, height] = [grid.columns * grid.size, grid.rows * grid.size];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  const gap = grid.size > 3 ? GAP : 0;
  const inner = grid.size - gap;
  const left = (position: number): number => (position % grid.columns) * grid.size;
  const top = (position: number): number => Math.floor(position / grid.columns) * grid.size;
  const byShade: number[][] = cells.colors.map(() => []);
  for (let position = 0; position < cells.count; ++position) byShade[cells.shade(position)]!.push(position);
  byShade.forEach((positions, shade) => {
    context.fillStyle = cells.colors[shade]!;
    for (const position of positions) context.fillRect(left(position), top(position), inner, inner);
  });
  context.strokeStyle = cells.mark;
  const outline = (position: number, line: number): void => {
    context.lineWidth = line;
    context.strokeRect(left(position) + line / 2, top(position) + line / 2, inner - line, inner - line);
  };
  if (cells.marked !== undefined) {
    for (let position = 0; position < cells.count; ++position)
      if (cells.marked(position)) outline(position, Math.min(2, inner / 3));
  }
  if (cells.chosen !== undefined && cells.chosen < cells.count) outline(cells.chosen, Math.max(1.5, Math.min(4, inner / 4)));
}

export function positionAt(canvas: HTMLCanvasElement, grid: Grid, event: MouseEvent): number {
  const box = canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  return Math.floor(y / grid.size) * grid.columns + Math.min(grid.columns - 1, Math.floor(x / grid.size));
}
