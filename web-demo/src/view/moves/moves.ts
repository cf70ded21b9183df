// The moves from one plan to another in their order: a list of waves, and a picture of the nodes through which one can step.
import { NONE } from 'stowage';
import type { OrderedMoves } from '../../desk/protocol.js';
import { shadeOf, shades } from '../elements/colors.js';
import { button, field, h, table } from '../elements/dom.js';
import { count, whole } from '../elements/format.js';
import { drawCells } from '../picture/cells.js';
import { cornerOf, layoutOf, type Layout } from '../picture/layout.js';

const HEIGHT = 220;
/** How long a wave takes in the picture, in milliseconds. */
const WAVE = 900;
const PAUSE = 250;
/** Moves of a wave that are drawn, and those that are listed. */
const MOST_DRAWN = 300;
const MOST_LISTED = 400;

const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class MovesPanel {
  private readonly canvas = h('canvas', { set: { role: 'img' } });
  private readonly place = h('div', { className: 'heat' }, this.canvas);
  private readonly step = h('input', { type: 'range', min: '0', value: '0', id: 'step' });
  private readonly play = button('Play', () => this.run());
  private readonly told = h('p', { id: 'step-text', set: { 'aria-live': 'polite' } });
  private moves: OrderedMoves | undefined;
  private layout: Layout = layoutOf([], 100, 100);
  private playing = false;
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.play.id = 'play-moves';
    this.step.addEventListener('input', () => {
      this.stop();
      this.draw(0);
    });
    addEventListener('themechange', () => this.draw(0));
    new ResizeObserver(() => this.draw(0)).observe(this.place);
  }

  /** The panel for these moves. */
  show(moves: OrderedMoves): HTMLElement {
    this.stop();
    this.moves = moves;
    const { moved, detours, stuck, leastWaves } = moves;
    const waves = moves.moves.ends.length;
    this.step.max = String(waves);
    this.step.value = '0';
    this.play.disabled = waves === 0;
    this.draw(0);
    const facts =
      `${count(moved, 'replica')} ${moved === 1 ? 'changes its' : 'change their'} node in ${count(waves, 'wave')}` +
      `${leastWaves > 1 ? `; no order has fewer than ${leastWaves}` : ''}` +
      `${detours > 0 ? `; ${count(detours, 'further move')} over third places` : ''}` +
      `${stuck > 0 ? `; ${count(stuck, 'move')} cannot be made, for lack of a third place` : ''}.`;
    return h(
      'div',
      {},
      h('p', { id: 'order-facts' }, facts, ' Every hard constraint holds at every step; the moves of a wave run at the same time.'),
      h('div', { className: 'inline' }, this.play, field('Step', this.step)),
      this.told,
      this.place,
      this.list(moves),
    );
  }

  private list({ moves, names, appNames }: OrderedMoves): HTMLElement {
    const { app, replicas, from, to, detour, ends } = moves;
    const more = app.length > MOST_LISTED ? ` (${MOST_LISTED} of ${whole(app.length)})` : '';
    let wave = 0;
    const rows = Array.from(app.subarray(0, MOST_LISTED), (one, k) => {
      while (k >= ends[wave]!) ++wave;
      return [
        wave + 1,
        appNames[one]!,
        replicas[k]!,
        from[k] === NONE ? 'starts' : names[from[k]!]!,
        to[k] === NONE ? 'ends' : `${names[to[k]!]!}${detour[k] === 1 ? ' (for now)' : ''}`,
      ];
    });
    return h(
      'details',
      {},
      h('summary', {}, `The moves in order${more}`),
      table(['Wave', 'App', 'Replicas', 'From', 'To'], rows, 'The moves in order'),
    );
  }

  private run(): void {
    if (this.playing) {
      this.stop();
      return;
    }
    if (Number(this.step.value) >= this.moves!.moves.ends.length) this.step.value = '0';
    this.playing = true;
    this.play.textContent = 'Pause';
    this.wave();
  }

  private stop(): void {
    this.playing = false;
    this.play.textContent = 'Play';
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
  }

  /** Shows the next wave, and then the one after it. With reduced motion, the steps follow each other without movement. */
  private wave(): void {
    const waves = this.moves!.moves.ends.length;
    const at = Number(this.step.value);
    if (!this.playing || !this.canvas.isConnected || at >= waves) {
      this.stop();
      this.draw(0);
      return;
    }
    const next = (): void => {
      this.step.value = String(at + 1);
      this.draw(0);
      this.timer = setTimeout(() => this.wave(), PAUSE);
    };
    if (calm()) {
      this.timer = setTimeout(next, WAVE);
      return;
    }
    const begin = performance.now();
    const tick = (now: number): void => {
      const done = Math.min(1, (now - begin) / WAVE);
      this.draw(done);
      if (done < 1) this.frame = requestAnimationFrame(tick);
      else next();
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** @param done how far the moves of the next wave are, from 0 to 1 */
  private draw(done: number): void {
    const { moves } = this;
    const width = this.place.clientWidth;
    if (moves === undefined || width === 0) return;
    const at = Number(this.step.value);
    // Where there are too many nodes and waves to keep all, the last step that is kept is shown.
    const shares = moves.shares[Math.min(at, moves.shares.length - 1)]!;
    this.layout = layoutOf([{ name: '', count: moves.names.length }], width, HEIGHT);
    drawCells(this.canvas, this.layout, { shade: (node) => shadeOf(shares[node]!), colors: shades(), mark: '' });
    this.tell(at);
    this.overlay(at, done);
  }

  private tell(at: number): void {
    const { replicas, ends } = this.moves!.moves;
    const next = replicas.subarray(ends[at - 1] ?? 0, ends[at]).reduce((sum, one) => sum + one, 0);
    const text =
      at >= ends.length ? 'The second plan is reached.' : `${at === 0 ? 'The first plan' : `After wave ${at}`}; next ${count(next, 'replica')}.`;
    if (this.told.textContent !== text) this.told.textContent = text;
    this.step.setAttribute('aria-valuetext', text);
    this.canvas.setAttribute('aria-label', `Use of ${count(this.moves!.names.length, 'node')}: ${text}`);
  }

  /** Lines along which the replicas of the next wave move, and the replicas on their way. */
  private overlay(at: number, done: number): void {
    const { from, to, ends } = this.moves!.moves;
    const end = ends[at];
    if (end === undefined) return;
    const context = this.canvas.getContext('2d')!;
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--mark').trim() || '#d4380d';
    const half = this.layout.size / 2;
    const centre = (node: number): [number, number] => {
      const [x, y] = cornerOf(this.layout, node);
      return [x + half, y + half];
    };
    const radius = Math.max(2, Math.min(6, half));
    // Slow at both ends.
    const eased = done * done * (3 - 2 * done);
    context.strokeStyle = ink;
    context.fillStyle = ink;
    context.lineWidth = 1;
    const begin = ends[at - 1] ?? 0;
    for (let k = begin; k < Math.min(end, begin + MOST_DRAWN); ++k) {
      const [starts, stops] = [from[k] === NONE, to[k] === NONE];
      const [x, y] = centre((starts ? to : from)[k]!);
      const [toX, toY] = centre((stops ? from : to)[k]!);
      context.globalAlpha = 0.45;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(toX, toY);
      context.stroke();
      // What starts comes into view, what ends goes out of it.
      context.globalAlpha = starts ? eased : stops ? 1 - eased : 1;
      context.beginPath();
      context.arc(x + eased * (toX - x), y + eased * (toY - y), radius, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }
}
