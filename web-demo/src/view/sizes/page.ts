// The page "How large?": sizes that are learned from samples or usage, and taken into the scenario.
import './sizes.css';
import { messageOf } from '../../errors.js';
import type { DeskClient } from '../../desk/client.js';
import type { LearnedSizes } from '../../desk/sizes/protocol.js';
import type { Store } from '../../state.js';
import { button, byId, h } from '../elements/dom.js';
import { count } from '../elements/format.js';
import { SamplesPart } from './samples.js';
import { UsagePart } from './usage.js';

const MOST_NAMED = 8;

export interface SizesCalls {
  /** Makes and plans a scenario with the sizes. Resolves once the scenario is there. */
  take(sizes: LearnedSizes): Promise<void>;
  back(): void;
}

type Kind = 'samples' | 'usage';

export class SizesPage {
  private readonly samples: SamplesPart;
  private readonly usage: UsagePart;
  private readonly sizes: Partial<Record<Kind, LearnedSizes>> = {};
  private readonly take = button('Take into the scenario', () => void this.taken(), 'main');
  private readonly said = h('div', { id: 'taken', set: { role: 'status' } });
  private readonly choices = ['samples', 'usage'].map((value) => h('input', { type: 'radio', name: 'learn-from', value }));
  private kind: Kind = 'samples';

  constructor(
    private readonly store: Store,
    desk: DeskClient,
    private readonly calls: SizesCalls,
  ) {
    this.samples = new SamplesPart(desk, (sizes) => this.learned('samples', sizes));
    this.usage = new UsagePart(desk, (sizes) => this.learned('usage', sizes));
    this.take.id = 'take';
    const kinds = { samples: 'samples of performance', usage: 'usage over time' } as const;
    const labels = this.choices.map((input) => {
      const kind = input.value as Kind;
      input.addEventListener('change', () => this.show(kind));
      return h('label', {}, input, ' ', kinds[kind]);
    });
    byId('sizes').append(
      h('h2', { id: 'sizes-title' }, 'How large?'),
      h(
        'p',
        { className: 'hint' },
        'How large a replica should be: by a few measurements of its performance and those of similar apps, or by what it used.',
      ),
      h('fieldset', { className: 'chips' }, h('legend', {}, 'Learn from'), ...labels),
      h(
        'p',
        { className: 'chips' },
        h('span', { className: 'hint' }, 'Examples:'),
        example('samples', 'four apps of the shop', () => this.example('samples')),
        example('usage', 'four days of the shop', () => this.example('usage')),
      ),
      this.samples.element,
      this.usage.element,
      h('p', { className: 'buttons' }, this.take),
      this.said,
    );
    void this.example('samples');
  }

  private show(kind: Kind): void {
    this.kind = kind;
    this.samples.element.hidden = kind !== 'samples';
    this.usage.element.hidden = kind !== 'usage';
    for (const input of this.choices) input.checked = input.value === kind;
    this.learned(kind, this.sizes[kind]);
  }

  private async example(kind: Kind): Promise<void> {
    this.show(kind);
    const read = async (name: string): Promise<string> => {
      const answer = await fetch(`./examples/${name}.csv`);
      if (!answer.ok) throw new Error(`the example cannot be loaded: ${answer.status}`);
      return answer.text();
    };
    try {
      if (kind === 'usage') {
        this.usage.usage.put(await read('usage'));
        this.usage.readAll();
      } else {
        this.samples.profiles.put(await read('profiles'));
        this.samples.samples.put(await read('samples'));
        this.samples.readAll();
      }
    } catch (error) {
      this.tell('bad', messageOf(error));
    }
  }

  private learned(kind: Kind, sizes: LearnedSizes | undefined): void {
    this.sizes[kind] = sizes;
    if (kind !== this.kind) return;
    this.take.disabled = sizes === undefined || sizes.apps.length === 0;
    this.said.replaceChildren();
  }

  private async taken(): Promise<void> {
    const sizes = this.sizes[this.kind];
    const { scenario } = this.store.state;
    if (sizes === undefined || scenario === undefined) return;
    const known = new Set(scenario.appNames);
    const resources = new Set(scenario.resources.map(({ name }) => name));
    const found = sizes.apps.filter(({ name }) => known.has(name));
    const missing = sizes.apps.flatMap(({ name }) => (known.has(name) ? [] : [name]));
    const strange = sizes.resources.filter((name) => !resources.has(name));
    const lacks = [
      ...(missing.length > 0 ? [`The scenario has no app ${named(missing)}.`] : []),
      ...(strange.length > 0 ? [`The scenario has no resource ${named(strange)}.`] : []),
    ].join(' ');
    if (found.length === 0 || strange.length === sizes.resources.length) {
      this.tell('bad', `Nothing is taken. ${lacks}`);
      return;
    }
    this.take.disabled = true;
    try {
      await this.calls.take(sizes);
      this.tell('good', `${count(found.length, 'app')} ${found.length === 1 ? 'has a new size' : 'have new sizes'}: ${named(found.map(({ name }) => name))}.`, lacks);
    } catch (error) {
      this.tell('bad', messageOf(error));
    } finally {
      this.take.disabled = false;
    }
  }

  private tell(name: 'good' | 'bad', text: string, more = ''): void {
    this.said.replaceChildren(
      h('p', { className: name }, text, ' ', name === 'good' && button('See the plan', () => this.calls.back(), 'chip')),
      more === '' ? '' : h('p', {}, more),
    );
  }
}

const named = (names: readonly string[]): string =>
  names.length <= MOST_NAMED ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;

function example(kind: Kind, text: string, load: () => Promise<void>): HTMLButtonElement {
  const one = button(`${kind}: ${text}`, () => void load(), 'chip');
  one.id = `example-${kind}`;
  return one;
}
