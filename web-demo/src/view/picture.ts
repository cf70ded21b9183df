// The picture of a plan: stacked bars for a small plan, a heat map for a large one.
import type { Placed, Plan } from 'stowage';
import type { DeskClient } from '../desk/client.js';
import type { Joining } from '../desk/protocol.js';
import type { Outcome, Store } from '../state.js';
import { bars } from './bars.js';
import { JOIN_WORDS, css, joinColors, kindColor, kindRgb, shadeOf, shades, type Color } from './elements/colors.js';
import { byId, field, h, options } from './elements/dom.js';
import { count, number, percent } from './elements/format.js';
import { utilization } from './summary.js';
import { ZOOMS, drawCells, inView, positionAt, zoomed, type Grid } from './heat.js';

const MOST_BARS = 60;
const HEIGHT = 380;

/** Replicas of an app, by node. */
export function hostsOf({ placements }: Plan, app: number): Placed[] {
  const hosts: Placed[] = [];
  const { length } = placements;
  for (let entry = 0; entry < length; ++entry) if (placements.app(entry) === app) hosts.push(placements.at(entry));
  return hosts;
}

export type Shown = 'mean' | 'fullest' | number;

/**
 * Used share of each node's capacity: of one resource, of the fullest resource, or the mean of all; in one period or in the
 * busiest one.
 */
export function shareOf(outcome: Outcome, shown: Shown, time: number): Float32Array {
  const { periods, resources } = outcome.scenario;
  const nodes = outcome.plan.nodeClass.length;
  const result = new Float32Array(nodes);
  const highest = new Float32Array(nodes);
  resources.forEach((_, resource) => {
    if (typeof shown === 'number' && resource !== shown) return;
    highest.fill(0);
    for (let period = 0; period < periods; ++period) {
      if (time !== 0 && period !== time - 1) continue;
      const from = (resource * periods + period) * nodes;
      for (let node = 0; node < nodes; ++node) {
        const share = outcome.picture.share[from + node]!;
        if (share > highest[node]!) highest[node] = share;
      }
    }
    for (let node = 0; node < nodes; ++node) {
      if (shown === 'mean') result[node]! += highest[node]! / resources.length;
      else if (highest[node]! > result[node]!) result[node] = highest[node]!;
    }
  });
  return result;
}

/** The resource of which most is used over the whole plan. */
export function tightest(outcome: Outcome): number {
  const used = outcome.scenario.resources.map((_, resource) => utilization(outcome, resource));
  return used.indexOf(Math.max(...used));
}

export class PictureView {
  private readonly resource = h('select');
  private readonly order = h('select');
  private readonly style = h('select');
  private readonly color = h('select');
  private readonly slider = h('input', { type: 'range', min: '0', value: '0', id: 'time' });
  private readonly sliderText = h('output', { htmlFor: 'time' } as never);
  private readonly sliderField: HTMLElement;
  private readonly heading = h('h2', { id: 'picture-title' }, 'Plan');
  private readonly canvas = h('canvas', {
    id: 'heat',
    tabIndex: 0,
    set: { role: 'application', 'aria-roledescription': 'heat map', 'aria-describedby': 'heat-help' },
  });
  private readonly zoom = h('input', { type: 'range', min: '0', max: String(ZOOMS), value: '0', id: 'zoom' });
  private readonly zoomField = field('Zoom', this.zoom);
  /** An element as high as the whole grid; the canvas covers its visible part. */
  private readonly space = h('div', { className: 'space' }, this.canvas);
  private readonly window = h('div', { className: 'heat window' }, this.space);
  private readonly bars = h('div', { id: 'bars', className: 'bars' });
  private readonly legend = h('div', { className: 'legend' });
  private readonly reading = h('p', { id: 'reading', className: 'reading', set: { 'aria-live': 'polite' } });
  private readonly help = h(
    'p',
    { id: 'heat-help', className: 'hint' },
    'Each cell is a node. Arrow keys, Home and End move from node to node, Enter opens one, + and − zoom.',
  );
  /** The reading, beside the pointer. */
  private readonly tip = h('div', { className: 'tip', popover: 'manual', set: { 'aria-hidden': 'true' } } as never);
  private grid: Grid = { columns: 1, rows: 1, size: 10, firstRow: 0, shownRows: 1 };
  /** The node that was last scrolled into view. */
  private revealed: number | undefined;
  /** Nodes in the order of the picture. */
  private sequence: Uint32Array = new Uint32Array();
  private shares: Float32Array = new Float32Array();
  /** Where the scale of colours begins. */
  private least = 0;
  private cursor = 0;
  private joining: { app: number; outcome: number; result: Joining } | undefined;
  private scheduled = false;
  /** The scenario whose choices the controls offer. */
  private scenario: number | undefined;
  private kinds: { outcome: number; largest: Uint8Array } | undefined;

  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
  ) {
    options(this.order, [
      ['plan', 'as planned'],
      ['full', 'fullest first'],
      ['empty', 'emptiest first'],
    ]);
    options(this.style, [
      ['fit', 'as fits'],
      ['heat', 'heat map'],
      ['bars', 'bars'],
    ]);
    this.sliderField = field('Time', this.slider);
    this.sliderField.append(this.sliderText);
    byId('picture').append(
      this.heading,
      h(
        'div',
        { className: 'controls' },
        field('Resource', this.resource),
        field('Order', this.order),
        field('Picture', this.style),
        field('Colour', this.color),
        this.zoomField,
        this.sliderField,
      ),
      this.window,
      this.bars,
      this.legend,
      this.reading,
      this.help,
      this.tip,
    );
    // What only a heat map has is shown with the first one.
    for (const part of [this.window, this.zoomField, this.help, this.legend, this.reading]) part.hidden = true;
    for (const select of [this.resource, this.order, this.style, this.color])
      select.addEventListener('change', () => this.schedule());
    this.zoom.addEventListener('input', () => this.zoomTo(Number(this.zoom.value)));
    this.window.addEventListener('scroll', () => this.schedule(), { passive: true });
    this.slider.addEventListener('input', () => {
      this.store.change({ time: Number(this.slider.value) }, 'time');
      this.tellTime();
    });
    this.canvas.addEventListener('pointermove', (event) => {
      this.read(positionAt(this.canvas, this.grid, event));
      this.point(event);
    });
    this.canvas.addEventListener('pointerleave', () => this.tip.hidePopover());
    // Pinching on a touchpad is a wheel event with the control key.
    this.canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.zoomTo(Math.max(0, Math.min(ZOOMS, Number(this.zoom.value) - Math.sign(event.deltaY))));
      },
      { passive: false },
    );
    this.canvas.addEventListener('click', (event) => this.open(positionAt(this.canvas, this.grid, event)));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('focus', () => this.read(this.cursor));
    store.on(['shown', 'time', 'node', 'app'], () => this.schedule());
    store.on(['shown'], () => this.fill());
    new ResizeObserver(() => this.schedule()).observe(byId('picture'));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.schedule());
    addEventListener('themechange', () => this.schedule());
  }

  private fill(): void {
    const { shown } = this.store.state;
    if (shown === undefined) return;
    const { resources, periods } = shown.scenario;
    const before = this.resource.value;
    options(
      this.resource,
      [
        ['mean', 'mean of all'],
        ['fullest', 'the fullest'],
        ...resources.map(({ name }, k): [string, string] => [String(k), name]),
      ],
      before,
    );
    const tight = tightest(shown);
    if (this.scenario !== shown.scenario.id) this.resource.value = String(tight);
    const suffers = shown.scenario.kindNames.length > 0;
    const color = this.scenario === shown.scenario.id ? this.color.value : suffers ? 'kind' : 'share';
    this.scenario = shown.scenario.id;
    options(
      this.color,
      [
        ['share', 'use'],
        ...(suffers
          ? ([
              ['kind', 'kind of app'],
              ['cost', 'cost of side effects'],
            ] as [string, string][])
          : []),
        ['join', 'can the app join?'],
      ],
      color,
    );
    this.slider.max = String(periods);
    this.sliderField.hidden = periods === 1;
    this.cursor = 0;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      void this.draw();
    });
  }

  private tellTime(): void {
    const { time, shown } = this.store.state;
    this.slider.value = String(time);
    this.sliderText.textContent = time === 0 ? 'busiest' : `period ${time} of ${shown?.scenario.periods ?? 1}`;
    this.slider.setAttribute('aria-valuetext', this.sliderText.textContent);
  }

  private async draw(): Promise<void> {
    const { shown, node, app, time } = this.store.state;
    // While a plan is made, the picture before it stays in its place.
    byId('picture').classList.toggle('waiting', shown === undefined);
    if (shown === undefined) return;
    const { plan } = shown;
    this.tellTime();
    this.heading.textContent = `Plan: ${count(plan.nodes, 'node')} by ${shown.planner}`;
    const resource = Number(this.resource.value);
    this.shares = shareOf(shown, Number.isNaN(resource) ? (this.resource.value as Shown) : resource, time);
    const nodes = plan.nodeClass.length;
    const least = this.shares.reduce((low, share) => Math.min(low, share), 1);
    this.least = Math.min(0.95, Math.floor(20 * least) / 20);
    this.sequence = new Uint32Array(nodes);
    for (let node = 0; node < nodes; ++node) this.sequence[node] = node;
    const sign = this.order.value === 'full' ? -1 : 1;
    if (this.order.value !== 'plan') this.sequence.sort((a, b) => sign * (this.shares[a]! - this.shares[b]!) || a - b);

    const byKind = this.color.value === 'kind';
    const byCost = this.color.value === 'cost' && plan.nodeMaxCost !== undefined;
    const joins = this.color.value === 'join' && app !== undefined;
    const asBars =
      !joins &&
      !byCost &&
      nodes <= 4 * MOST_BARS &&
      (this.style.value === 'bars' || (this.style.value === 'fit' && nodes <= MOST_BARS));
    this.window.hidden = asBars;
    this.zoomField.hidden = asBars;
    this.help.hidden = asBars;
    this.legend.hidden = asBars && !byKind;
    this.reading.hidden = asBars;
    this.bars.hidden = !asBars;
    if (asBars) {
      const views = await this.desk.nodes(shown.id, Array.from(this.sequence));
      if (this.store.state.shown !== shown) return;
      this.bars.replaceChildren(
        ...views.map((view) =>
          bars(shown, view, {
            time,
            app,
            chosen: view.node === node,
            byKind,
            open: () => this.store.change({ node: view.node }, 'node'),
          }),
        ),
      );
      if (byKind) this.drawKinds();
      return;
    }
    if (byKind && this.kinds?.outcome !== shown.id) {
      this.kinds = { outcome: shown.id, largest: await this.desk.largestKinds(shown.id) };
      this.schedule();
      return;
    }
    if (joins && (this.joining?.app !== app || this.joining.outcome !== shown.id)) {
      const result = await this.desk.joining(shown.id, app);
      this.joining = { app, outcome: shown.id, result };
      this.schedule();
      return;
    }
    const has = new Uint8Array(nodes);
    if (app !== undefined) for (const host of hostsOf(plan, app)) has[host.node] = 1;
    const marked: number[] = [];
    for (let position = 0; position < nodes; ++position) if (has[this.sequence[position]!] === 1) marked.push(position);
    const width = Math.max(40, this.window.clientWidth);
    const grid = zoomed(nodes, width, HEIGHT, Number(this.zoom.value));
    this.lay(grid);
    if (node !== undefined && node !== this.revealed) this.reveal(this.sequence.indexOf(node));
    this.revealed = node;
    this.grid = inView(grid, this.window.scrollTop, HEIGHT);
    this.canvas.style.top = `${this.grid.firstRow * grid.size}px`;
    const codes = joins ? this.joining!.result.code : undefined;
    const chosen = node === undefined ? undefined : this.sequence.indexOf(node);
    drawCells(this.canvas, this.grid, {
      count: nodes,
      ...this.colouring(shown, codes),
      marked,
      chosen: document.activeElement === this.canvas ? this.cursor : chosen,
      mark: getComputedStyle(this.canvas).getPropertyValue('--mark').trim() || '#d4380d',
    });
    this.canvas.setAttribute('aria-label', `Heat map of ${count(plan.nodes, 'node')}`);
    if (byKind) this.drawKinds();
    else this.drawLegend(codes);
  }

  /** The colours of the cells, and the colour of each. */
  private colouring(
    { plan, scenario }: Outcome,
    codes: Uint8Array | undefined,
  ): { shade: (position: number) => number; colors: readonly Color[] } {
    const at = (position: number): number => this.sequence[position]!;
    if (codes !== undefined) return { shade: (position) => codes[at(position)]!, colors: joinColors() };
    if (this.color.value === 'kind' && this.kinds !== undefined) {
      const { largest } = this.kinds;
      return { shade: (position) => largest[at(position)]!, colors: scenario.kindNames.map((_, kind) => kindRgb(kind)) };
    }
    const costs = plan.nodeMaxCost;
    if (this.color.value === 'cost' && costs !== undefined) {
      const most = plan.maxCost || 1;
      return { shade: (position) => shadeOf(costs[at(position)]! / most), colors: shades() };
    }
    return { shade: (position) => shadeOf(this.scaled(this.shares[at(position)]!)), colors: shades() };
  }

  /** A share on the scale from the emptiest node to a full one, which shows more than one from 0 where all nodes are rather full. */
  private scaled(share: number): number {
    return share > 1 + 1e-6 ? share : (share - this.least) / Math.max(1e-3, 1 - this.least);
  }

  private drawKinds(): void {
    const { kindNames } = this.store.state.shown!.scenario;
    this.legend.replaceChildren(
      ...kindNames.map((name, kind) => h('span', {}, h('i', { style: `background:${kindColor(kind)}` }), name)),
    );
  }

  private drawLegend(codes: Uint8Array | undefined): void {
    const key = (color: Color, text: string): HTMLElement => h('span', {}, h('i', { style: `background:${css(color)}` }), text);
    const { app } = this.store.state;
    const outlined = app === undefined ? [] : [h('span', {}, h('i', { className: 'outlined' }), 'has the app')];
    if (codes !== undefined) {
      const numbers = [0, 0, 0, 0, 0];
      for (const one of codes) ++numbers[one]!;
      const colors = joinColors();
      const keys = JOIN_WORDS.flatMap((words, k) =>
        numbers[k] ? [key(colors[k]!, `${words}: ${count(numbers[k]!, 'node')}`)] : [],
      );
      this.legend.replaceChildren(...keys, ...outlined);
      return;
    }
    const colors = shades();
    const stops = [0, 25, 50, 75, 100].map((step) => `${css(colors[step]!)} ${step}%`).join(',');
    const costs = this.color.value === 'cost' ? this.store.state.shown?.plan.maxCost : undefined;
    if (costs !== undefined) {
      const bar = h('b', { style: `background:linear-gradient(90deg,${stops})` });
      this.legend.replaceChildren(h('span', {}, 'cost of the worst-off replica: 0', bar, number(costs)), ...outlined);
      return;
    }
    const over = this.shares.some((share) => share > 1 + 1e-6);
    this.legend.replaceChildren(
      h('span', {}, this.least > 0 ? percent(this.least) : 'empty', h('b', { style: `background:linear-gradient(90deg,${stops})` }), 'full'),
      ...(over ? [key(colors[101]!, 'above capacity')] : []),
      ...outlined,
    );
  }

  private read(position: number): void {
    const { shown } = this.store.state;
    const node = this.sequence[position];
    if (shown === undefined || node === undefined) return;
    const apps = shown.plan.placements.range(node);
    const used = percent(this.shares[node]!);
    const cost = shown.plan.nodeMaxCost?.[node];
    this.reading.textContent =
      `${shown.picture.names[node]!}: ${used} used, ${count(apps[1] - apps[0], 'app')}` +
      (cost === undefined ? '' : `, worst-off ${number(cost)}`);
  }

  private point({ clientX, clientY }: PointerEvent): void {
    this.tip.textContent = this.reading.textContent;
    if (!this.tip.matches(':popover-open')) this.tip.showPopover();
    const { offsetWidth, offsetHeight } = this.tip;
    const left = Math.min(clientX + 14, innerWidth - offsetWidth - 8);
    const top = clientY + 18 + offsetHeight > innerHeight ? clientY - offsetHeight - 10 : clientY + 18;
    this.tip.style.translate = `${Math.max(8, left)}px ${top}px`;
  }

  private zoomTo(zoom: number): void {
    const { node } = this.store.state;
    // The chosen node, or the middle of the view, stays visible.
    const middle = (this.grid.firstRow + this.grid.shownRows / 2) * this.grid.columns;
    const position =
      node === undefined ? (this.window.scrollTop > 0 ? Math.floor(middle) : this.cursor) : this.sequence.indexOf(node);
    this.zoom.value = String(zoom);
    const { nodes } = this.store.state.shown?.plan ?? { nodes: 0 };
    this.lay(zoomed(nodes, Math.max(40, this.window.clientWidth), HEIGHT, Number(this.zoom.value)));
    this.reveal(position);
    this.schedule();
  }

  private lay(grid: Grid): void {
    this.zoom.setAttribute('aria-valuetext', `cells of ${grid.size} pixels`);
    this.space.style.height = `${grid.rows * grid.size}px`;
    this.grid = grid;
  }

  /** Scrolls a cell into view. */
  private reveal(position: number): void {
    const { columns, size } = this.grid;
    const top = Math.floor(Math.max(0, position) / columns) * size;
    const { scrollTop, clientHeight } = this.window;
    if (top < scrollTop) this.window.scrollTop = top;
    else if (top + size > scrollTop + clientHeight) this.window.scrollTop = top + size - clientHeight;
  }

  private open(position: number): void {
    const node = this.sequence[position];
    if (node === undefined) return;
    this.cursor = position;
    this.store.change({ node }, 'node');
  }

  private key(event: KeyboardEvent): void {
    const last = this.sequence.length - 1;
    const steps: Record<string, number> = {
      ArrowLeft: this.cursor - 1,
      ArrowRight: this.cursor + 1,
      ArrowUp: this.cursor - this.grid.columns,
      ArrowDown: this.cursor + this.grid.columns,
      Home: 0,
      End: last,
    };
    if (event.key === 'Enter' || event.key === ' ') this.open(this.cursor);
    else if (['+', '='].includes(event.key)) this.zoomTo(Number(this.zoom.value) + 1);
    else if (event.key === '-') this.zoomTo(Number(this.zoom.value) - 1);
    else if (event.key in steps) this.cursor = Math.max(0, Math.min(last, steps[event.key]!));
    else return;
    event.preventDefault();
    this.read(this.cursor);
    this.reveal(this.cursor);
    this.schedule();
  }
}
