// The picture of a plan: stacked bars for a small plan, a field of cells for a large one.
import type { DeskClient } from '../../desk/client.js';
import type { Changes, Grouping, Joining } from '../../desk/protocol.js';
import type { Outcome, Store } from '../../state.js';
import { bars } from './bars.js';
import { FieldView, type FieldModel } from './field.js';
import { histogram } from './histogram.js';
import { hostsOf, shareOf, tightest, type Shown } from './shares.js';
import {
  JOIN_WORDS, MOVED, MOVED_WORDS, css, joinColors, kindColor, kindRgb, movedColors, shadeOf, shades, type Color,
} from '../elements/colors.js';
import { byId, field, h, options } from '../elements/dom.js';
import { count, number, percent } from '../elements/format.js';

const MOST_BARS = 60;
const MANY_BARS = 240;

interface Looked<Result> {
  key: string;
  result: Result;
}

export class PictureView {
  private readonly resource = h('select', { id: 'resource' });
  private readonly order = h('select', { id: 'order' });
  private readonly style = h('select', { id: 'style' });
  private readonly color = h('select', { id: 'color' });
  private readonly group = h('select', { id: 'group' });
  private readonly before = h('select', { id: 'before' });
  private readonly groupField = field('Group by', this.group);
  private readonly beforeField = field('Moved since', this.before);
  private readonly slider = h('input', { type: 'range', min: '0', value: '0', id: 'time' });
  private readonly sliderText = h('output', { htmlFor: 'time' } as never);
  private readonly sliderField: HTMLElement;
  private readonly heading = h('h2', { id: 'picture-title' }, 'Plan');
  private readonly field: FieldView;
  private readonly bars = h('div', { id: 'bars', className: 'bars' });
  private readonly legend = h('div', { className: 'legend' });
  private readonly spread = h('div', { id: 'spread' });
  private readonly keys = h('div', { className: 'keys' }, this.legend, this.spread);
  private shares: Float32Array = new Float32Array();
  /** Where the scale of colours begins. */
  private least = 0;
  private scheduled = false;
  /** The scenario whose choices the controls offer. */
  private scenario: number | undefined;
  /** What the desk was asked about last. */
  private joining: Looked<Joining> | undefined;
  private kinds: Looked<Uint8Array> | undefined;
  private changes: Looked<Changes> | undefined;
  private groupings: Looked<Grouping[]> = { key: '', result: [] };

  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
  ) {
    this.field = new FieldView(store, desk, (node) => this.reading(node));
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
        this.beforeField,
        this.groupField,
        this.field.zoomField,
        this.sliderField,
      ),
      this.field.element,
      this.bars,
      this.keys,
      ...this.field.below,
    );
    // What only a heat map has is shown with the first one.
    for (const part of [this.legend, this.beforeField, this.keys]) part.hidden = true;
    for (const select of [this.resource, this.order, this.color, this.group, this.before])
      select.addEventListener('change', () => this.schedule());
    this.style.addEventListener('change', () => {
      this.field.nearBars(this.style.value === 'bars');
      this.schedule();
    });
    this.slider.addEventListener('input', () => {
      this.store.change({ time: Number(this.slider.value) }, 'time');
      this.tellTime();
    });
    store.on(['shown', 'time', 'node', 'app'], () => this.schedule());
    store.on(['shown'], () => this.fill());
    store.on(['outcomes', 'shown'], () => this.fillBefore());
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
    const isNew = this.scenario !== shown.scenario.id;
    if (isNew) this.resource.value = String(tight);
    const suffers = shown.scenario.kindNames.length > 0;
    const color = isNew ? (suffers ? 'kind' : 'share') : this.color.value;
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
        ['moved', 'what moved'],
      ],
      color,
    );
    this.slider.max = String(periods);
    this.sliderField.hidden = periods === 1;
    this.field.restart();
    void this.offerGroups(shown);
  }

  /** Offers the groups of a plan's nodes. */
  private async offerGroups(shown: Outcome): Promise<void> {
    const result = await this.desk.groupings(shown.id);
    if (this.store.state.shown !== shown) return;
    this.groupings = { key: String(shown.id), result };
    const chosen = this.group.value;
    const list = result.map(({ name, sets }, k): [string, string] => [String(k), `${name} (${sets.length})`]);
    options(this.group, [['', 'nothing'], ...list], chosen);
    this.groupField.hidden = list.length === 0;
    if (this.group.value !== '') this.schedule();
  }

  /** Offers the other plans of the scenario to compare with. */
  private fillBefore(): void {
    const { shown, outcomes } = this.store.state;
    // The plan from which something happened, too.
    const scenarios = [shown?.scenario, shown?.scenario.parent];
    const others = outcomes.filter((one) => scenarios.includes(one.scenario) && one !== shown);
    const list = others.map((one): [string, string] => [
      String(one.id),
      `${one.scenario === shown?.scenario ? '' : `${one.scenario.label}: `}${one.planner}${one.options === '' ? '' : ` (${one.options})`}, ${count(one.plan.nodes, 'node')}`,
    ]);
    options(this.before, list, this.before.value);
    this.color.querySelector<HTMLOptionElement>('option[value=moved]')?.toggleAttribute('disabled', list.length === 0);
    if (list.length === 0 && this.color.value === 'moved') this.color.value = 'share';
    if (this.color.value === 'moved') this.schedule();
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

  /** Nodes in the order of the picture, and the groups that they are in. */
  private sequence(nodes: number): { sequence: Uint32Array; groups: { name: string; count: number }[] } {
    const sequence = Uint32Array.from({ length: nodes }, (_, node) => node);
    const sign = this.order.value === 'full' ? -1 : 1;
    if (this.order.value !== 'plan') sequence.sort((a, b) => sign * (this.shares[a]! - this.shares[b]!) || a - b);
    const { shown } = this.store.state;
    const grouping = this.groupings.key === String(shown?.id) ? this.groupings.result[Number(this.group.value || '-1')] : undefined;
    if (grouping === undefined) return { sequence, groups: [{ name: '', count: nodes }] };
    const { of, sets } = grouping;
    const numbers = new Array<number>(sets.length + 1).fill(0);
    for (const set of of) ++numbers[set]!;
    const begin = numbers.map((_, set) => numbers.slice(0, set).reduce((sum, one) => sum + one, 0));
    const grouped = new Uint32Array(nodes);
    for (const node of sequence) grouped[begin[of[node]!]!++] = node;
    const names = [...sets, `without ${grouping.name}`];
    return { sequence: grouped, groups: numbers.flatMap((number, set) => (number > 0 ? [{ name: names[set]!, count: number }] : [])) };
  }

  private async draw(): Promise<void> {
    const { shown, app, time } = this.store.state;
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
    const { sequence, groups } = this.sequence(nodes);

    const byKind = this.color.value === 'kind';
    const byCost = this.color.value === 'cost' && plan.nodeMaxCost !== undefined;
    const joins = this.color.value === 'join' && app !== undefined;
    const moved = this.color.value === 'moved' && this.before.value !== '';
    const asBars =
      !joins &&
      !byCost &&
      !moved &&
      nodes <= MANY_BARS &&
      (this.style.value === 'bars' || (this.style.value === 'fit' && nodes <= MOST_BARS));
    this.beforeField.hidden = !moved;
    this.field.show(!asBars);
    this.legend.hidden = asBars && !byKind;
    this.bars.hidden = !asBars;
    this.spread.hidden = nodes < 2;
    this.keys.hidden = asBars && this.bars.childElementCount === 0;
    this.spread.replaceChildren(histogram(this.shares, (share) => this.scaled(share)));
    if (asBars) return this.drawBars(shown, sequence, groups, byKind);
    if (!(await this.asked(shown, { byKind, joins, moved }))) return;
    const has = new Uint8Array(nodes);
    if (app !== undefined) for (const host of hostsOf(plan, app)) has[host.node] = 1;
    const marked: number[] = [];
    for (let position = 0; position < nodes; ++position) if (has[sequence[position]!] === 1) marked.push(position);
    const codes = joins ? this.joining!.result.code : moved ? this.movedCodes() : undefined;
    const model: FieldModel = { outcome: shown, sequence, groups, marked, byKind, ...this.coloring(shown, codes, moved, sequence) };
    this.field.draw(model);
    if (byKind) this.drawKinds();
    else this.drawLegend(codes, moved);
  }

  /** Asks the desk what the colours need. False where something else is to be drawn by now. */
  private async asked(shown: Outcome, { byKind, joins, moved }: { byKind: boolean; joins: boolean; moved: boolean }): Promise<boolean> {
    const { app } = this.store.state;
    const before = Number(this.before.value);
    const own = String(shown.id);
    if (byKind && this.kinds?.key !== own) this.kinds = { key: own, result: await this.desk.largestKinds(shown.id) };
    const joiner = `${own} ${app}`;
    if (joins && this.joining?.key !== joiner) this.joining = { key: joiner, result: await this.desk.joining(shown.id, app!) };
    const both = `${before} ${own}`;
    if (moved && this.changes?.key !== both) this.changes = { key: both, result: await this.desk.changes(before, shown.id) };
    if (this.store.state.shown === shown && this.store.state.app === app) return true;
    this.schedule();
    return false;
  }

  private async drawBars(shown: Outcome, sequence: Uint32Array, groups: { name: string; count: number }[], byKind: boolean): Promise<void> {
    const { time, app, node } = this.store.state;
    const views = await this.desk.nodes(shown.id, Array.from(sequence));
    if (this.store.state.shown !== shown) return;
    const drawn = views.map((view) =>
      bars(shown, view, {
        time,
        app,
        chosen: view.node === node,
        byKind,
        open: () => this.store.change({ node: view.node }, 'node'),
      }),
    );
    let first = 0;
    const parts = groups.flatMap(({ name, count: number }) => {
      const own = drawn.slice(first, (first += number));
      return name === '' ? own : [h('h3', {}, `${name} (${number})`), ...own];
    });
    this.bars.replaceChildren(...parts);
    this.keys.hidden = false;
    if (byKind) this.drawKinds();
  }

  /** The colours of the cells, and the colour of each. */
  private coloring(
    { plan, scenario }: Outcome,
    codes: Uint8Array | undefined,
    moved: boolean,
    sequence: Uint32Array,
  ): { shade: (position: number) => number; colors: readonly Color[] } {
    const at = (position: number): number => sequence[position]!;
    if (codes !== undefined) return { shade: (position) => codes[at(position)]!, colors: moved ? movedColors() : joinColors() };
    if (this.color.value === 'kind' && this.kinds !== undefined) {
      const { result } = this.kinds;
      return { shade: (position) => result[at(position)]!, colors: scenario.kindNames.map((_, kind) => kindRgb(kind)) };
    }
    const costs = plan.nodeMaxCost;
    if (this.color.value === 'cost' && costs !== undefined) {
      const most = plan.maxCost || 1;
      return { shade: (position) => shadeOf(costs[at(position)]! / most), colors: shades() };
    }
    const { shares } = this;
    return { shade: (position) => shadeOf(this.scaled(shares[at(position)]!)), colors: shades() };
  }

  private movedCodes(): Uint8Array {
    const { come, gone, fresh } = this.changes!.result;
    return Uint8Array.from(come, (number, node) => {
      if (fresh[node] === 1) return MOVED.fresh;
      return number > 0 ? (gone[node]! > 0 ? MOVED.both : MOVED.come) : gone[node]! > 0 ? MOVED.gone : MOVED.none;
    });
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

  private drawLegend(codes: Uint8Array | undefined, moved: boolean): void {
    const key = (color: Color, text: string): HTMLElement => h('span', {}, h('i', { style: `background:${css(color)}` }), text);
    const { app } = this.store.state;
    const outlined = app === undefined ? [] : [h('span', {}, h('i', { className: 'outlined' }), 'has the app')];
    if (codes !== undefined) {
      const numbers = [0, 0, 0, 0, 0];
      for (const one of codes) ++numbers[one]!;
      const colors = moved ? movedColors() : joinColors();
      const keys = (moved ? MOVED_WORDS : JOIN_WORDS).flatMap((words, k) =>
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

  /** A node in a line of text. */
  private reading(node: number): string {
    const { shown } = this.store.state;
    if (shown === undefined) return '';
    const apps = shown.plan.placements.range(node);
    const used = percent(this.shares[node]!);
    const cost = shown.plan.nodeMaxCost?.[node];
    const grouping = this.groupings.result[Number(this.group.value || '-1')];
    const set = grouping === undefined ? undefined : grouping.sets[grouping.of[node]!];
    const changed = this.color.value === 'moved' ? this.changes?.result : undefined;
    return (
      `${shown.picture.names[node]!}: ${used} used, ${count(apps[1] - apps[0], 'app')}` +
      (cost === undefined ? '' : `, worst-off ${number(cost)}`) +
      (set === undefined ? '' : `, ${grouping!.name} ${set}`) +
      (changed === undefined ? '' : `, ${count(changed.come[node]!, 'replica')} came and ${changed.gone[node]!} went`)
    );
  }
}
