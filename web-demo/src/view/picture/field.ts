// The nodes as cells that one can come near to, by wheel, pinch, drag, slider and keys.
import type { DeskClient } from '../../desk/client.js';
import type { NodeView } from '../../desk/protocol.js';
import type { Outcome, Store } from '../../state.js';
import { marginOf, periodOf, usedOf } from './bars.js';
import { BARS, drawCells, type Card } from './cells.js';
import { WHOLE, besideRow, cornerOf, layoutOf, positionAt, positionsInView, type Layout, type View } from './layout.js';
import { appColor, kindColor, type Color } from '../elements/colors.js';
import { field, h } from '../elements/dom.js';
import { count } from '../elements/format.js';
import type { Zooming } from './zooming.js';

const HEIGHT = 380;
/** Few nodes get large cells; there is room for more when one comes near. */
const LARGEST = 130;
const LEAST_HEIGHT = 260;
const NEAREST = 250;
/** Steps of the slider. */
const ZOOMS = 12;
const STEP = 1.5;
/** Contents of nodes that are kept. */
const MOST_VIEWS = 3000;
const MOST_APPS = 12;

export interface FieldModel {
  outcome: Outcome;
  /** Nodes by position. */
  sequence: Uint32Array;
  groups: readonly { name: string; count: number }[];
  marked: readonly number[];
  byKind: boolean;
  shade: (position: number) => number;
  colors: readonly Color[];
}

export class FieldView {
  readonly zoomField: HTMLElement;
  readonly element: HTMLElement;
  readonly below: HTMLElement[];
  private readonly canvas = h('canvas', {
    id: 'heat',
    tabIndex: 0,
    set: { role: 'application', 'aria-roledescription': 'heat map', 'aria-describedby': 'heat-help' },
  });
  private readonly slider = h('input', { type: 'range', min: '0', max: String(ZOOMS), value: '0', id: 'zoom' });
  private readonly text = h('p', { id: 'reading', className: 'reading', set: { 'aria-live': 'polite' } });
  private readonly help = h(
    'p',
    { id: 'heat-help', className: 'hint' },
    'Each cell is a node; near ones have names, bars and apps. Pinch, Ctrl and wheel, or the wheel once the picture has the ' +
      'focus: nearer and farther; drag to move. Arrow keys, Home and End go from node to node, Enter opens one, + and − zoom, ' +
      '0 shows all.',
  );
  /** The reading, beside the pointer. */
  private readonly tip = h('div', { className: 'tip', popover: 'manual', set: { 'aria-hidden': 'true' } } as never);
  private model: FieldModel | undefined;
  private layout: Layout = layoutOf([], 100, 100);
  private view: View = WHOLE;
  private zooming: Zooming | undefined;
  /** How near to come, asked for before what zooms was there. */
  private wanted: number | undefined;
  private loading = false;
  private wantsBars = false;
  private cursor = 0;
  /** The node that was last moved into view. */
  private revealed: number | undefined;
  private reachedFor = '';
  private views = new Map<number, NodeView>();
  private viewsOf: Outcome | undefined;
  private asking = false;
  private scheduled = false;

  /** @param reading a node in a line of text */
  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
    private readonly reading: (node: number) => string,
  ) {
    this.zoomField = field('Zoom', this.slider);
    this.element = h('div', { className: 'heat' }, this.canvas);
    this.below = [this.text, this.help, this.tip];
    for (const part of [this.element, this.zoomField, this.help, this.text]) part.hidden = true;
    this.slider.addEventListener('input', () => this.zoomTo(this.nearest() ** (Number(this.slider.value) / ZOOMS)));
    this.canvas.addEventListener('pointermove', (event) => {
      const position = this.under(event);
      if (position < 0) {
        if (this.tip.matches(':popover-open')) this.tip.hidePopover();
        return;
      }
      this.read(position);
      this.point(event);
    });
    this.canvas.addEventListener('pointerleave', () => this.tip.hidePopover());
    this.canvas.addEventListener('click', (event) => this.open(this.under(event)));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('focus', () => {
      this.read(this.cursor);
      this.schedule();
    });
  }

  show(on: boolean): void {
    for (const part of [this.element, this.zoomField, this.help, this.text]) part.hidden = !on;
    if (!on) this.model = undefined;
  }

  /** Another plan: the cursor is on its first node. */
  restart(): void {
    this.cursor = 0;
  }

  /** Comes so near that bars are seen, or shows all. */
  nearBars(on: boolean): void {
    this.wantsBars = on;
    if (!on) this.zooming?.whole();
  }

  draw(model: FieldModel): void {
    this.model = model;
    const { node } = this.store.state;
    const width = Math.max(40, this.element.clientWidth);
    this.layout = layoutOf(model.groups, width, HEIGHT, LARGEST);
    void this.reach();
    const chosen = node === undefined ? -1 : model.sequence.indexOf(node);
    if (node !== this.revealed && chosen >= 0) {
      this.cursor = chosen;
      this.reveal(chosen);
    }
    this.revealed = node;
    this.canvas.setAttribute('aria-label', `Heat map of ${count(model.outcome.plan.nodes, 'node')}`);
    this.paint();
  }

  private height(): number {
    return Math.max(Math.min(HEIGHT, this.layout.height), LEAST_HEIGHT);
  }

  private nearest(): number {
    return Math.max(1, Math.min(NEAREST, this.layout.width, this.height()) / this.layout.size);
  }

  /** Loads what zooms with the first picture, and tells it how far one can go. */
  private async reach(): Promise<void> {
    if (this.zooming === undefined) {
      if (this.loading) return;
      this.loading = true;
      const module = await import('./zooming.js');
      this.zooming = new module.Zooming(this.canvas, (view) => {
        this.view = view;
        if (this.tip.matches(':popover-open')) this.tip.hidePopover();
        this.schedule();
      });
    }
    const { width, height } = this.layout;
    const nearest = this.nearest();
    const key = [width, height, nearest].join();
    if (key !== this.reachedFor) {
      this.reachedFor = key;
      this.zooming.reach({ width, height, shownHeight: this.height(), nearest });
    }
    if (this.wantsBars) {
      this.wantsBars = false;
      this.zoomTo((BARS + 6) / this.layout.size);
    } else if (this.wanted !== undefined) {
      this.zoomTo(this.wanted);
    }
    this.wanted = undefined;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.paint();
    });
  }

  private paint(): void {
    const { model, layout, view } = this;
    if (model === undefined) return;
    const { node } = this.store.state;
    const pixels = Math.round(layout.size * view.k);
    this.slider.value = String(this.nearest() > 1 ? Math.round((ZOOMS * Math.log(view.k)) / Math.log(this.nearest())) : 0);
    this.slider.setAttribute('aria-valuetext', `cells of ${pixels} pixels`);
    const { sequence, outcome } = model;
    const names = outcome.picture.names;
    if (this.viewsOf !== outcome) {
      this.viewsOf = outcome;
      this.views.clear();
    }
    if (pixels >= BARS) void this.look();
    drawCells(
      this.canvas,
      layout,
      {
        shade: model.shade,
        colors: model.colors,
        marked: model.marked,
        chosen: document.activeElement === this.canvas ? this.cursor : node === undefined ? undefined : sequence.indexOf(node),
        mark: getComputedStyle(this.canvas).getPropertyValue('--mark').trim() || '#d4380d',
        nameOf: (position) => names[sequence[position]!]!,
        card: (position) => this.card(sequence[position]!),
      },
      this.height(),
      view,
    );
  }

  /** Asks for the contents of the nodes in view. */
  private async look(): Promise<void> {
    const { model } = this;
    if (model === undefined || this.asking) return;
    const wanted = positionsInView(this.layout, this.view, this.layout.width, this.height())
      .map((position) => model.sequence[position]!)
      .filter((node) => !this.views.has(node));
    if (wanted.length === 0) return;
    this.asking = true;
    try {
      const found = await this.desk.nodes(model.outcome.id, wanted);
      if (this.viewsOf !== model.outcome) return;
      if (this.views.size > MOST_VIEWS) this.views.clear();
      for (const one of found) this.views.set(one.node, one);
    } finally {
      this.asking = false;
    }
    this.schedule();
  }

  private card(node: number): Card | undefined {
    const view = this.views.get(node);
    const { outcome, byKind } = this.model!;
    const { time } = this.store.state;
    if (view === undefined) return undefined;
    const { scenario } = outcome;
    const colorOf = (app: number): string => (byKind ? kindColor(scenario.kinds[app] ?? 0) : appColor(app));
    const rows = scenario.resources.map(({ name }, resource) => {
      const period = periodOf(outcome, view, resource, time);
      const d = resource * scenario.periods + period;
      const capacity = view.capacity[resource]!;
      const used = usedOf(outcome, view, resource, period);
      const margin = marginOf(outcome, view, resource)?.margin ?? 0;
      const scale = Math.max(capacity, used + margin) || 1;
      const parts = view.apps.map(({ app, demand }) => ({ share: demand[d]! / scale, color: colorOf(app), name: scenario.appNames[app]! }));
      if (view.load[d]! > 0) parts.unshift({ share: view.load[d]! / scale, color: '#8a93a0', name: 'load' });
      const margins = margin > 0 ? [{ share: margin / scale, color: '#8a93a0', name: 'margin', margin: true }] : [];
      return { name, share: capacity > 0 ? used / capacity : 0, parts: [...parts.filter(({ share }) => share > 0), ...margins] };
    });
    const apps = view.apps.slice(0, MOST_APPS).map(({ app, replicas }) => ({ name: scenario.appNames[app]!, replicas, color: colorOf(app) }));
    return { name: outcome.picture.names[node]!, rows, apps };
  }

  private under(event: MouseEvent): number {
    const box = this.canvas.getBoundingClientRect();
    return positionAt(this.layout, this.view, event.clientX - box.left, event.clientY - box.top);
  }

  private read(position: number): void {
    const node = this.model?.sequence[position];
    if (node !== undefined) this.text.textContent = this.reading(node);
  }

  private point({ clientX, clientY }: PointerEvent): void {
    this.tip.textContent = this.text.textContent;
    if (!this.tip.matches(':popover-open')) this.tip.showPopover();
    const { offsetWidth, offsetHeight } = this.tip;
    const left = Math.min(clientX + 14, innerWidth - offsetWidth - 8);
    const top = clientY + 18 + offsetHeight > innerHeight ? clientY - offsetHeight - 10 : clientY + 18;
    this.tip.style.translate = `${Math.max(8, left)}px ${top}px`;
  }

  /** The chosen node, or the one with the cursor, comes to the middle. */
  private zoomTo(k: number): void {
    if (this.zooming === undefined) {
      this.wanted = k;
      return;
    }
    this.zooming.to(Math.min(Math.max(1, k), this.nearest()));
    const { node } = this.store.state;
    const chosen = node === undefined ? -1 : (this.model?.sequence.indexOf(node) ?? -1);
    this.centre(chosen >= 0 ? chosen : this.cursor);
  }

  private centre(position: number): void {
    if (position < 0 || position >= (this.model?.sequence.length ?? 0)) return;
    const [x, y] = cornerOf(this.layout, position);
    const half = this.layout.size / 2;
    this.zooming?.show(x + half, y + half);
  }

  /** Moves a cell into view. */
  private reveal(position: number): void {
    if (position < 0 || position >= (this.model?.sequence.length ?? 0)) return;
    const [x, y] = cornerOf(this.layout, position);
    const { k, x: left, y: top } = this.view;
    const size = this.layout.size * k;
    const [across, down] = [left + k * x, top + k * y];
    const seen = across >= -0.5 && down >= -0.5 && across + size <= this.layout.width + 0.5 && down + size <= this.height() + 0.5;
    if (!seen) this.centre(position);
  }

  private open(position: number): void {
    const node = this.model?.sequence[position];
    if (node === undefined) return;
    this.cursor = position;
    this.store.change({ node }, 'node');
  }

  private key(event: KeyboardEvent): void {
    const last = (this.model?.sequence.length ?? 0) - 1;
    if (last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, () => number> = {
      ArrowLeft: () => this.cursor - 1,
      ArrowRight: () => this.cursor + 1,
      ArrowUp: () => besideRow(this.layout, this.cursor, -1),
      ArrowDown: () => besideRow(this.layout, this.cursor, 1),
      Home: () => 0,
      End: () => last,
    };
    const step = steps[event.key];
    if (event.key === 'Enter' || event.key === ' ') this.open(this.cursor);
    else if (['+', '='].includes(event.key)) this.zoomTo(this.view.k * STEP);
    else if (event.key === '-') this.zoomTo(this.view.k / STEP);
    else if (event.key === '0') this.zooming?.whole();
    else if (step !== undefined) {
      this.cursor = Math.max(0, Math.min(last, step()));
      this.reveal(this.cursor);
    } else return;
    event.preventDefault();
    this.read(this.cursor);
    this.schedule();
  }
}
