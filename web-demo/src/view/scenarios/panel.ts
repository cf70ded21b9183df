// The scenarios of the page: names, the baseline, and what-ifs from it.
import type { ClassColumns } from 'stowage';
import type { Edit } from '../../desk/protocol.js';
import { compareStanding, unplacedOf } from '../../ranking.js';
import type { Outcome, Scenario, Store } from '../../state.js';
import { button, byId, field, h, table } from '../elements/dom.js';

export interface ScenarioCalls {
  show(scenario: Scenario): void;
  rename(label: string): void;
  duplicate(): void;
  /** Pins the present scenario, or none where it is pinned already. */
  pin(): void;
  /** Back to the scenario from which the present one was made. */
  undo(): void;
  remove(): void;
  /** Plans a variant of the baseline, else of the present scenario, and compares the plans. */
  whatIf(edit: Edit, label: string): void;
  report(): void;
}

const provenFirst = (a: Outcome, b: Outcome): number =>
  Number(b.plan.status === 'optimal') - Number(a.plan.status === 'optimal');

/** The best plan of a scenario; of equal ones, one that is proven to be optimal. */
export const bestOf = (store: Store, scenario: Scenario): Outcome | undefined =>
  store.state.outcomes
    .filter((one) => one.scenario === scenario)
    .sort((a, b) => compareStanding(scenario, a, b, store.state.objective) || provenFirst(a, b))[0];

/** At most so many zones have a button of their own. */
const MOST_ZONES = 6;
const DEMAND = 1.3;

export class ScenariosPanel {
  private readonly list = h('div', { id: 'scenario-list' });
  private readonly chips = h('p', { className: 'chips', id: 'what-if' });
  private readonly from = h('p', { className: 'hint', id: 'what-if-from' });
  private readonly pin = button('Pin as baseline', () => this.calls.pin());
  private readonly undo = button('Undo', () => this.calls.undo());
  private readonly remove = button('Remove', () => this.calls.remove());

  constructor(
    private readonly store: Store,
    private readonly calls: ScenarioCalls,
  ) {
    this.pin.id = 'pin';
    this.undo.id = 'undo';
    this.remove.id = 'remove-scenario';
    this.undo.title = 'Back to the scenario that this one was made from';
    const rename = button('Rename', () => this.askName());
    rename.id = 'rename';
    const duplicate = button('Duplicate', () => calls.duplicate());
    duplicate.id = 'duplicate';
    const report = button('Save a report', () => calls.report());
    report.id = 'save-report';
    byId('variants').append(
      h('h2', { id: 'variants-title' }, 'Scenarios'),
      this.list,
      h('p', { className: 'buttons' }, rename, duplicate, this.pin, this.undo, this.remove, report),
      h('h3', {}, 'What if'),
      this.from,
      this.chips,
    );
    store.on(['scenario', 'outcomes', 'objective'], () => this.draw());
  }

  private draw(): void {
    const { scenario, scenarios, baseline } = this.store.state;
    if (scenario === undefined) return;
    const rows = scenarios.map((one) => {
      const best = bestOf(this.store, one);
      const pick = button(one.label, () => this.calls.show(one), one === scenario ? 'link chosen' : 'link');
      pick.setAttribute('aria-pressed', String(one === scenario));
      return [
        h('span', {}, pick, one === baseline && h('small', {}, ' baseline')),
        best === undefined ? '–' : best.plan.nodes,
        best === undefined ? '–' : unplacedOf(best.plan),
      ];
    });
    this.list.replaceChildren(table(['Scenario', 'Nodes', 'Unplaced'], rows, 'Scenarios and their best plans'));
    this.pin.textContent = scenario === baseline ? 'Unpin' : 'Pin as baseline';
    this.undo.disabled = scenario.parent === undefined;
    this.remove.disabled = scenarios.length < 2;
    const base = baseline ?? scenario;
    this.from.textContent = baseline === undefined ? 'From the scenario shown.' : `From the baseline, ${baseline.label}.`;
    this.chips.replaceChildren(
      ...variants(base).map(([label, edit]) => button(label, () => this.calls.whatIf(edit, label), 'chip')),
    );
  }

  private askName(): void {
    const { scenario } = this.store.state;
    if (scenario === undefined) return;
    const name = h('input', { value: scenario.label, required: true, maxLength: 80 });
    const form = h(
      'form',
      { method: 'dialog' },
      h('h2', { id: 'rename-title' }, 'Name of the scenario'),
      field('Name', name),
      h(
        'p',
        { className: 'buttons' },
        h('button', { className: 'main', value: 'apply' }, 'Rename'),
        h('button', { value: 'cancel', formNoValidate: true }, 'Cancel'),
      ),
    );
    const dialog = h('dialog', { id: 'rename-dialog', set: { 'aria-labelledby': 'rename-title' } }, form);
    form.addEventListener('submit', (event) => {
      if ((event.submitter as HTMLButtonElement).value === 'apply') this.calls.rename(name.value.trim());
    });
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** Variants that are planned with one click. */
function variants({ classes, limits, zones }: Scenario): [label: string, edit: Edit][] {
  const priced = classes.some(({ price }) => price !== undefined);
  const scaled = (factor: number): ClassColumns[] =>
    classes.map((one) => ({
      ...one,
      capacity: Float64Array.from(one.capacity, (value) => factor * value),
      price: one.price === undefined ? undefined : factor * one.price,
    }));
  const atPrice = (what: string): string => (priced ? `, at ${what} the price` : '');
  const [first] = classes;
  const half: Edit[] =
    first === undefined
      ? []
      : [
          {
            classes: [
              ...classes,
              {
                name: 'half',
                capacity: Float64Array.from(first.capacity, (value) => value / 2),
                price: first.price === undefined ? undefined : first.price / 2,
              },
            ],
          },
        ];
  return [
    [`nodes twice as large${atPrice('twice')}`, { classes: scaled(2) }],
    [`nodes half as large${atPrice('half')}`, { classes: scaled(0.5) }],
    [`demand × ${DEMAND}`, { demand: DEMAND }],
    ...(zones?.values ?? []).slice(0, MOST_ZONES).map((value): [string, Edit] => [
      `${zoneWord(zones!.key)} ${value} is gone`,
      { gone: { key: zones!.key, value } },
    ]),
    ...(limits > 0 ? ([['no limits', { density: { density: 0, seed: 1 } }]] as [string, Edit][]) : []),
    ...half.map((edit): [string, Edit] => ['one more class', edit]),
  ];
}

/** The last word of a label's key: "topology.kubernetes.io/zone" is a zone. */
const zoneWord = (key: string): string => key.split(/[/.]/).at(-1)!;
