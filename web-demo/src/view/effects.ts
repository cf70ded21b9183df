// Side effects: who suffers most and the move that would help, and the coefficients as a heat map that can be edited.
import type { Explanation, Suffering } from 'stowage';
import type { Outcome, Store } from '../state.js';
import { css, isDark, kindColor, type Color } from './elements/colors.js';
import { button, byId, h } from './elements/dom.js';
import { count, number, percent } from './elements/format.js';
import { term } from './elements/glossary.js';

/** Plans with more replicas are explained when the visitor asks. */
const MOST_AT_ONCE = 3000;

export interface EffectsCalls {
  explain(outcome: Outcome): Promise<Explanation>;
  /** Plans a scenario with other coefficients. */
  edit(coefficients: number[], label: string): void;
  /** The same, and compares the plans. */
  whatIf(coefficients: number[], label: string): void;
}

const LIGHT: readonly Color[] = [
  [250, 246, 243],
  [204, 76, 2],
];
const DARK: readonly Color[] = [
  [40, 36, 34],
  [240, 150, 90],
];

/** The colour of a coefficient, the stronger the higher, and the ink that can be read on it. */
function shade(value: number, most: number): { color: string; ink: string } {
  const share = most > 0 ? Math.min(1, Math.max(0, value) / most) : 0;
  const [from, to] = isDark() ? DARK : LIGHT;
  const color = [0, 1, 2].map((k) => Math.round(from![k]! + share * (to![k]! - from![k]!))) as unknown as Color;
  const [red, green, blue] = color.map((one) => (one / 255) ** 2.2) as unknown as Color;
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // At this luminance, black and white have the same contrast.
  return { color: css(color), ink: luminance > 0.179 ? '#000000' : '#ffffff' };
}

export class EffectsView {
  private readonly worst = h('div', { id: 'worst-off' });
  private readonly place = h('div', { id: 'coefficients' });
  private readonly known = new WeakMap<Outcome, Suffering | 'none' | 'asked'>();
  private inputs: HTMLInputElement[] = [];
  private scenario: number | undefined;

  constructor(
    private readonly store: Store,
    private readonly calls: EffectsCalls,
  ) {
    const apply = button('Apply and plan', () => {
      const values = this.read();
      if (values !== undefined) calls.edit(values, 'other side effects');
    });
    apply.id = 'apply-coefficients';
    const apart = button(
      'if kinds disturbed only themselves',
      () => {
        const kinds = store.state.scenario?.kindNames.length ?? 0;
        const values = this.read();
        if (values === undefined) return;
        calls.whatIf(
          values.map((value, k) => (k % (kinds + 1) === 0 ? value : 0)),
          'no side effects between kinds',
        );
      },
      'chip',
    );
    const twice = button(
      'if they disturbed each other twice as much',
      () => {
        const kinds = store.state.scenario?.kindNames.length ?? 0;
        const values = this.read();
        if (values === undefined) return;
        calls.whatIf(
          values.map((value, k) => (k % (kinds + 1) === 0 ? value : 2 * value)),
          'twice the side effects',
        );
      },
      'chip',
    );
    byId('effects').append(
      h('h2', { id: 'effects-title' }, 'Side effects: who suffers most'),
      this.worst,
      h('h3', {}, 'What a replica suffers from the load beside it'),
      h(
        'p',
        { className: 'hint' },
        'Each row is a ',
        term('kind'),
        ' that suffers, each column a kind that disturbs. Change a ',
        term('coefficient'),
        ' to plan a new scenario.',
      ),
      this.place,
      h('p', { className: 'buttons' }, apply, h('span', { className: 'hint' }, 'What if:'), apart, twice),
    );
    store.on(['scenario'], () => this.fill());
    store.on(['shown', 'running'], () => this.draw());
    addEventListener('themechange', () => this.paint());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
  }

  /** The coefficients as they stand in the table; undefined where one of them is wrong, which is shown. */
  private read(): number[] | undefined {
    if (!this.inputs.every((input) => input.reportValidity())) return undefined;
    return this.inputs.map(({ value }) => Number(value));
  }

  private fill(): void {
    const { scenario } = this.store.state;
    byId('effects').hidden = scenario === undefined || scenario.kindNames.length === 0;
    if (scenario === undefined || scenario.id === this.scenario) return;
    this.scenario = scenario.id;
    const { kindNames, coefficients } = scenario;
    const kinds = kindNames.length;
    this.inputs = Array.from(coefficients, (value, k) => {
      const input = h('input', {
        type: 'number',
        min: '0',
        step: 'any',
        required: true,
        value: String(value),
        set: { 'aria-label': `What ${kindNames[Math.floor(k / kinds)]!} suffers from ${kindNames[k % kinds]!}` },
      });
      input.addEventListener('input', () => this.paint());
      return input;
    });
    const name = (kind: number): HTMLElement =>
      h('span', {}, h('i', { className: 'dot', style: `background:${kindColor(kind)}` }), kindNames[kind]!);
    this.place.replaceChildren(
      h(
        'div',
        { className: 'scroll', tabIndex: 0, set: { role: 'region', 'aria-label': 'Coefficients of side effects' } },
        h(
          'table',
          { className: 'matrix' },
          h('caption', { className: 'unseen' }, 'What a replica of the kind in the row suffers per unit of load of the kind in the column'),
          h(
            'thead',
            {},
            h('tr', {}, h('td', {}, 'suffers ↓ from →'), ...kindNames.map((_, kind) => h('th', { scope: 'col' }, name(kind)))),
          ),
          h(
            'tbody',
            {},
            ...kindNames.map((_, row) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, name(row)),
                ...this.inputs.slice(row * kinds, (row + 1) * kinds).map((input) => h('td', {}, input)),
              ),
            ),
          ),
        ),
      ),
    );
    this.paint();
  }

  private paint(): void {
    const values = this.inputs.map(({ value }) => Number(value));
    const most = Math.max(...values.filter(Number.isFinite), 0);
    this.inputs.forEach((input, k) => {
      const { color, ink } = shade(values[k]!, most);
      input.style.background = color;
      input.style.color = ink;
    });
  }

  private draw(): void {
    const { shown, running } = this.store.state;
    const maxCost = shown?.plan.maxCost;
    if (shown === undefined || maxCost === undefined) {
      this.worst.replaceChildren();
      return;
    }
    const { plan, scenario } = shown;
    const known = this.known.get(shown);
    const bound = plan.maxCostBound === undefined ? '' : `, and at least ${number(plan.maxCostBound.value)} in every plan`;
    const head = h(
      'p',
      {},
      h('strong', {}, `The worst-off replica suffers ${number(maxCost)}`),
      `${bound}. All replicas together suffer ${number(plan.totalCost ?? 0)}.`,
    );
    if (known === undefined || known === 'asked') {
      const replicas = scenario.replicas.reduce((sum, one) => sum + one, 0);
      if (known === undefined && running === undefined && replicas <= MOST_AT_ONCE) this.ask(shown);
      const ask = button('Who is it, and what would help?', () => this.ask(shown));
      ask.id = 'explain-suffering';
      this.worst.replaceChildren(
        head,
        replicas <= MOST_AT_ONCE ? h('p', { className: 'hint' }, 'Looking for who it is, and for a move that helps…') : ask,
      );
      return;
    }
    this.worst.replaceChildren(head, ...(known === 'none' ? [] : this.about(shown, known)));
  }

  private ask(outcome: Outcome): void {
    if (this.known.get(outcome) === 'asked') return;
    this.known.set(outcome, 'asked');
    this.calls.explain(outcome).then(
      ({ suffering }) => {
        this.known.set(outcome, suffering ?? 'none');
        this.draw();
      },
      () => {
        this.known.delete(outcome);
      },
    );
  }

  private about({ plan, scenario, picture }: Outcome, one: Suffering): HTMLElement[] {
    const { appNames, kindNames, kinds } = scenario;
    const node = (index: number): HTMLElement =>
      button(picture.names[index]!, () => this.store.change({ node: index }, 'node'), 'link');
    const app = (index: number): HTMLElement =>
      button(appNames[index]!, () => this.store.change({ app: index }, 'app'), 'link');
    const sum = one.fromKind.reduce((total, value) => total + value, 0) || 1;
    const parts = Array.from(one.fromKind, (value, kind) => ({ value, kind }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value);
    const [first] = parts;
    return [
      h(
        'p',
        { id: 'suffers' },
        'It is ',
        app(one.app),
        ` (${kindNames[kinds[one.app] ?? 0]!}) on `,
        node(one.node),
        first === undefined ? '.' : `: ${percent(first.value / sum)} of it comes from ${kindNames[first.kind]!}.`,
      ),
      h(
        'span',
        { className: 'stack tall', set: { role: 'img', 'aria-label': `From ${parts.map(({ value, kind }) => `${kindNames[kind]!} ${percent(value / sum)}`).join(', ')}` } },
        ...parts.map(({ value, kind }) =>
          h('i', {
            style: `width:${(100 * value) / sum}%;background:${kindColor(kind)}`,
            title: `${kindNames[kind]!}: ${number(value)}`,
          }),
        ),
      ),
      h(
        'p',
        { className: 'legend' },
        ...parts.map(({ value, kind }) =>
          h('span', {}, h('i', { style: `background:${kindColor(kind)}` }), `${kindNames[kind]!} ${number(value)}`),
        ),
      ),
      h(
        'p',
        { id: 'suggested' },
        ...(one.moving === undefined || one.to === undefined
          ? [`No single move of those tried helps${plan.nodes === 1 ? '' : `, on ${count(plan.nodes, 'node')}`}.`]
          : [
              'Moving one ',
              app(one.moving),
              ' to ',
              node(one.to),
              ` would lower it to ${number(one.costAfter)}; the worst-off there would then suffer ${number(one.costThere)}.`,
            ]),
      ),
    ];
  }
}
