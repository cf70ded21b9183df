// Two plans side by side, of the same scenario or of two.
import { StowageError } from 'stowage';
import type { DeskClient } from '../desk/client.js';
import type { Comparison } from '../desk/protocol.js';
import { unplacedOf } from '../ranking.js';
import type { Outcome, Scenario, Store } from '../state.js';
import { whileBusy } from './elements/busy.js';
import { shadeOf, shades } from './elements/colors.js';
import { button, byId, field, h, options, table } from './elements/dom.js';
import { STATUS, count, duration, number, percent, whole } from './elements/format.js';
import { drawCells } from './picture/cells.js';
import { layoutOf } from './picture/layout.js';
import { shareOf } from './picture/shares.js';
import type { MovesPanel } from './moves/moves.js';
import { utilization } from './summary.js';

const MOST_MOVES = 40;

export class CompareView {
  private readonly choices = [h('select', { id: 'compare-first' }), h('select', { id: 'compare-second' })];
  private readonly canvases = [0, 1].map(() => h('canvas', { set: { role: 'img' } }));
  private readonly body = h('div', { id: 'compare-body' });
  private readonly ordered = h('div', { id: 'ordered' });
  private readonly order = button('The moves in order', () => void this.showOrder());
  private panel: Promise<MovesPanel> | undefined;
  private scenario: Scenario | undefined;
  private turn = 0;
  /** True once the user has chosen plans. Before, the scenario's first plan is compared with the one shown. */
  private touched = false;

  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
  ) {}

  build(): void {
    const { store } = this;
    byId('compare').append(
      h('h2', { id: 'compare-title' }, 'Compare two plans'),
      h(
        'div',
        { className: 'sides' },
        ...this.choices.map((choice, k) =>
          h('div', {}, field(k === 0 ? 'First' : 'Second', choice), h('div', { className: 'heat' }, this.canvases[k])),
        ),
      ),
      this.body,
      this.order,
      this.ordered,
    );
    this.order.id = 'order-moves';
    for (const choice of this.choices) {
      choice.addEventListener('change', () => {
        this.touched = true;
        void this.draw();
      });
    }
    store.on(['outcomes', 'shown'], () => this.fill());
    store.on(['time'], () => this.pictures());
    addEventListener('themechange', () => this.pictures());
    let width = 0;
    new ResizeObserver(([entry]) => {
      if (Math.round(entry!.contentRect.width) === width) return;
      width = Math.round(entry!.contentRect.width);
      requestAnimationFrame(() => this.pictures());
    }).observe(byId('compare'));
  }

  /** Chooses the two plans to compare. Resolves once their differences are shown. */
  async choose(first: Outcome, second: Outcome): Promise<void> {
    this.touched = true;
    this.scenario = this.store.state.scenario;
    [first, second].forEach((one, k) => (this.choices[k]!.value = String(one.id)));
    await this.draw();
  }

  private chosen(): (Outcome | undefined)[] {
    return this.choices.map(({ value }) => this.store.state.outcomes.find(({ id }) => id === Number(value)));
  }

  private fill(): void {
    const { outcomes, scenario, shown } = this.store.state;
    byId('compare').hidden = outcomes.length < 2;
    // What was chosen for another scenario says nothing about a new one.
    if (scenario !== this.scenario && !this.chosen().some((one) => one?.scenario === scenario)) this.touched = false;
    this.scenario = scenario;
    const list = outcomes.map((one): [string, string] => [
      String(one.id),
      `${one.scenario.label} · ${one.planner}${one.options === '' ? '' : ` (${one.options})`} · ${count(one.plan.nodes, 'node')}`,
    ]);
    const own = outcomes.filter((one) => one.scenario === scenario && one !== shown);
    const proposed = own.length === 0 || shown === undefined ? outcomes.slice(-2) : [own[0], shown];
    this.choices.forEach((choice, k) => {
      const kept = this.touched && outcomes.some(({ id }) => String(id) === choice.value) ? choice.value : undefined;
      options(choice, list, kept ?? String(proposed[k]?.id));
    });
    void this.draw();
  }

  private pictures(): void {
    this.chosen().forEach((one, k) => {
      const canvas = this.canvases[k]!;
      const width = canvas.parentElement!.clientWidth;
      if (one === undefined || width === 0) return;
      const time = Math.min(this.store.state.time, one.scenario.periods);
      const shares = shareOf(one, 'mean', time);
      // Only the number of nodes of each shade matters, so that shades are sorted instead of nodes.
      const fullestFirst = Uint8Array.from(shares, shadeOf).sort().reverse();
      drawCells(canvas, layoutOf([{ name: '', count: fullestFirst.length }], width, 180), {
        shade: (position) => fullestFirst[position]!,
        colors: shades(),
        mark: '',
      });
      canvas.setAttribute('aria-label', `${one.planner}: ${count(one.plan.nodes, 'node')}, fullest first`);
    });
  }

  private async draw(): Promise<void> {
    const [first, second] = this.chosen();
    if (first === undefined || second === undefined) return;
    const turn = ++this.turn;
    this.pictures();
    this.ordered.replaceChildren();
    this.order.disabled = first === second || first.scenario !== second.scenario;
    this.order.title = first.scenario === second.scenario ? '' : 'For two plans of one scenario';
    if (first === second) {
      this.body.replaceChildren(h('p', { className: 'hint' }, 'Choose two different plans.'));
      return;
    }
    const comparison = await this.desk.compare(first.id, second.id);
    if (turn === this.turn) this.body.replaceChildren(...this.differences(first, second, comparison));
  }

  /** From the first plan to the second one, in steps that keep what must hold. Loaded with the first question. */
  private async showOrder(): Promise<void> {
    const [first, second] = this.chosen();
    if (first === undefined || second === undefined) return;
    const { turn } = this;
    this.order.disabled = true;
    this.ordered.replaceChildren();
    try {
      this.panel ??= import('./moves/moves.js').then((module) => new module.MovesPanel());
      const [panel, { orderedMoves }] = await Promise.all([this.panel, import('./moves/order.js')]);
      const moves = await whileBusy('Putting the moves in order', ({ signal }) => orderedMoves(this.desk, first, second, signal));
      if (turn === this.turn) this.ordered.replaceChildren(panel.show(moves));
    } catch (error) {
      if (turn !== this.turn || (error instanceof StowageError && error.code === 'CANCELLED')) return;
      this.ordered.replaceChildren(h('p', { className: 'bad' }, error instanceof Error ? error.message : String(error)));
    } finally {
      if (turn === this.turn) this.order.disabled = false;
    }
  }

  private differences(first: Outcome, second: Outcome, comparison: Comparison): HTMLElement[] {
    const signed = (value: number, text: (value: number) => string): string =>
      text(Math.abs(value)) === text(0) ? 'same' : `${value > 0 ? '+' : '−'}${text(Math.abs(value))}`;
    const row = (title: string, a: number | undefined, b: number | undefined, text: (value: number) => string): string[] => [
      title,
      a === undefined ? '–' : text(a),
      b === undefined ? '–' : text(b),
      a === undefined || b === undefined ? '' : signed(b - a, text),
    ];
    const unplaced = ({ plan }: Outcome): number => plan.unplaced.reduce((sum, { replicas }) => sum + replicas, 0);
    const points = (value: number): string => percent(Math.round(1000 * value) / 1000);
    const rows = [
      row('Nodes', first.plan.nodes, second.plan.nodes, whole),
      row('At least', first.plan.nodeBound?.value, second.plan.nodeBound?.value, whole),
      row('Gap', first.plan.gap, second.plan.gap, points),
      ...(first.plan.cost === undefined && second.plan.cost === undefined
        ? []
        : [row('Cost', first.plan.cost, second.plan.cost, number)]),
      row('Unplaced', unplaced(first), unplaced(second), whole),
      row('Time', first.milliseconds, second.milliseconds, duration),
      ...first.scenario.resources.flatMap(({ name }, k) => {
        const other = second.scenario.resources.findIndex((one) => one.name === name);
        return [row(`${name} used`, utilization(first, k), other < 0 ? undefined : utilization(second, other), points)];
      }),
      ['Status', STATUS[first.plan.status], STATUS[second.plan.status], ''],
    ];
    const { staying, moving, onlyFirst, onlySecond, pairs, moves, moveCount, appNames } = comparison;
    const name = (outcome: Outcome, node: number | undefined): string =>
      node === undefined ? '–' : outcome.picture.names[node]!;
    return [
      h('p', { id: 'compare-said' }, h('strong', {}, inWords(first, second))),
      table(['Figure', 'First', 'Second', 'Difference'], rows, 'Differences'),
      h(
        'p',
        { id: 'moves' },
        `With ${count(pairs, 'pair')} of nodes alike, ${count(staying, 'replica')} stay and ${count(moving, 'replica')} move` +
          `${onlyFirst > 0 ? `; ${whole(onlyFirst)} only in the first` : ''}` +
          `${onlySecond > 0 ? `; ${whole(onlySecond)} only in the second` : ''}.`,
      ),
      ...(moves.length === 0
        ? []
        : [
            h(
              'details',
              {},
              h('summary', {}, `The moves${moveCount > MOST_MOVES ? ` (${MOST_MOVES} of ${whole(moveCount)})` : ''}`),
              table(
                ['App', 'Replicas', 'From (first)', 'To (second)'],
                moves
                  .slice(0, MOST_MOVES)
                  .map(({ app, replicas, from, to }) => [appNames[app]!, replicas, name(first, from), name(second, to)]),
                'Moves',
              ),
            ),
          ]),
    ];
  }
}

/** The second plan beside the first one: "nodes twice as large: 5 nodes instead of 6, cost 6.1 instead of 8.3." */
function inWords(first: Outcome, second: Outcome): string {
  const instead = (was: number, is: number, text: (value: number) => string): string =>
    text(is) === text(was) ? `${text(is)} as before` : `${text(is)} instead of ${text(was)}`;
  const [one, other] = [first.plan, second.plan];
  const left = [unplacedOf(one), unplacedOf(other)] as const;
  const parts = [
    `${count(other.nodes, 'node')}${other.nodes === one.nodes ? ' as before' : ` instead of ${whole(one.nodes)}`}`,
    ...(one.cost === undefined || other.cost === undefined ? [] : [`cost ${instead(one.cost, other.cost, number)}`]),
    ...(left[0] + left[1] > 0 ? [`unplaced ${instead(...left, whole)}`] : []),
  ];
  const what = first.scenario === second.scenario ? second.planner : second.scenario.label;
  return `${what}: ${parts.join(', ')}.`;
}
