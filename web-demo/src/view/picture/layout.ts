// Where the nodes of a plan are: equal cells in rows, in blocks one above the other where nodes are grouped.

export interface Block {
  name: string;
  /** Position of its first cell, and their number. */
  first: number;
  count: number;
  /** Where its first row begins. The name is above it. */
  top: number;
}

/** Lengths are in pixels of the picture as a whole, before it is zoomed. */
export interface Layout {
  columns: number;
  /** Width and height of a cell, its gap included. */
  size: number;
  width: number;
  height: number;
  blocks: readonly Block[];
}

/** From the picture to the screen: multiplied by k, then moved. */
export interface View {
  k: number;
  x: number;
  y: number;
}

const LARGEST = 42;
const SMALLEST = 1;
/** Space for the name of a block. */
const TITLE = 18;

const rowsOf = (count: number, columns: number): number => Math.ceil(count / columns);

/** The layout with the largest cells with which all blocks fit into the area; the smallest cells may need more height. */
export function layoutOf(
  groups: readonly { name: string; count: number }[],
  width: number,
  height: number,
  largest = LARGEST,
): Layout {
  const titled = groups.length > 1 || groups[0]?.name !== '';
  const space = titled ? TITLE : 0;
  const cells = groups.reduce((sum, { count }) => sum + count, 0);
  const columnsFor = (size: number): number => Math.max(1, Math.floor(width / size));
  const heightFor = (size: number): number =>
    groups.reduce((sum, { count }) => sum + space + rowsOf(count, columnsFor(size)) * size, 0);
  let size = Math.min(largest, Math.max(SMALLEST, Math.sqrt((width * height) / Math.max(1, cells))));
  if (size > 2) size = Math.floor(size);
  while (size > SMALLEST && heightFor(size) > height) size = Math.max(SMALLEST, size - (size > 4 ? 1 : 0.1));
  const columns = columnsFor(size);
  const blocks: Block[] = [];
  let [first, top] = [0, 0];
  for (const { name, count } of groups) {
    top += space;
    blocks.push({ name, first, count, top });
    first += count;
    top += rowsOf(count, columns) * size;
  }
  return { columns, size, width, height: top, blocks };
}

/** The whole picture, as it is without zoom. */
export const WHOLE: View = { k: 1, x: 0, y: 0 };

export const blockOf = ({ blocks }: Layout, position: number): Block | undefined =>
  blocks.findLast(({ first, count }) => count > 0 && position >= first);

/** The corner of a cell, in the picture. */
export function cornerOf(layout: Layout, position: number): [x: number, y: number] {
  const block = blockOf(layout, position)!;
  const at = position - block.first;
  return [(at % layout.columns) * layout.size, block.top + Math.floor(at / layout.columns) * layout.size];
}

/** The cell at a place on the screen, or -1. */
export function positionAt(layout: Layout, { k, x, y }: View, left: number, top: number): number {
  const [across, down] = [(left - x) / k, (top - y) / k];
  const column = Math.floor(across / layout.size);
  const block = layout.blocks.findLast((one) => down >= one.top);
  if (block === undefined || column < 0 || column >= layout.columns) return -1;
  const at = Math.floor((down - block.top) / layout.size) * layout.columns + column;
  return at < block.count ? block.first + at : -1;
}

/** The cell one row above or below, in the next block where that has none. */
export function besideRow(layout: Layout, position: number, by: 1 | -1): number {
  const [x, y] = cornerOf(layout, position);
  const half = layout.size / 2;
  const direct = positionAt(layout, WHOLE, x + half, y + half + by * layout.size);
  if (direct >= 0) return direct;
  const block = blockOf(layout, position)!;
  const at = layout.blocks.indexOf(block);
  if (by > 0) {
    const last = block.first + block.count - 1;
    const inLastRow = Math.floor((position - block.first) / layout.columns) === Math.floor((block.count - 1) / layout.columns);
    if (!inLastRow) return last;
    return layout.blocks.slice(at + 1).find(({ count }) => count > 0)?.first ?? position;
  }
  const above = layout.blocks.slice(0, at).findLast(({ count }) => count > 0);
  return above === undefined ? position : above.first + above.count - 1;
}

/** The cells in view, by block: rows from `from` to before `to`, columns likewise. */
export function inView(
  layout: Layout,
  { k, x, y }: View,
  width: number,
  height: number,
): { block: Block; from: number; to: number; left: number; right: number }[] {
  const { size, columns } = layout;
  const left = Math.max(0, Math.floor(-x / k / size));
  const right = Math.min(columns, Math.ceil((width - x) / k / size));
  return layout.blocks.flatMap((block) => {
    const from = Math.max(0, Math.floor((-y / k - block.top) / size));
    const to = Math.min(rowsOf(block.count, columns), Math.ceil(((height - y) / k - block.top) / size));
    return from < to && left < right ? [{ block, from, to, left, right }] : [];
  });
}

/** Positions of the cells in view. */
export function positionsInView(layout: Layout, view: View, width: number, height: number): number[] {
  const found: number[] = [];
  for (const { block, from, to, left, right } of inView(layout, view, width, height)) {
    for (let row = from; row < to; ++row) {
      for (let column = left; column < right; ++column) {
        const at = row * layout.columns + column;
        if (at < block.count) found.push(block.first + at);
      }
    }
  }
  return found;
}
