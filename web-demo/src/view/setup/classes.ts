// The node classes as a table to change, and limits to draw.
import type { ClassColumns } from 'stowage';
import type { Scenario, Store } from '../../state.js';
import { button, byId, h, numberField, table } from '../elements/dom.js';
import type { SetupCalls } from './calls.js';

interface Row {
  name: HTMLInputElement;
  capacity: HTMLInputElement[];
  count: HTMLInputElement;
  price: HTMLInputElement;
  /** What the table does not show of the class. */
  kept: ClassColumns;
}

function cell(what: string, value: number | string, k: number): HTMLInputElement {
  return h('input', {
    type: 'number',
    min: '0',
    step: 'any',
    value: String(value),
    set: { 'aria-label': `${what} of class ${k + 1}` },
  });
}

function rowOf({ resources }: Scenario, one: ClassColumns, k: number): Row {
  const count = cell('Count', one.count || '', k);
  count.step = '1';
  count.placeholder = 'any';
  const price = cell('Price', one.price !== undefined && one.price >= 0 ? one.price : '', k);
  price.placeholder = '–';
  return {
    name: h('input', { value: one.name ?? '', set: { 'aria-label': `Name of class ${k + 1}` } }),
    capacity: resources.map(({ name }, resource) => cell(name, one.capacity[resource]!, k)),
    count,
    price,
    kept: one,
  };
}

class ClassTable {
  readonly body = h('div', { id: 'class-list' });
  private rows: Row[] = [];

  constructor(private readonly store: Store) {}

  fill(classes: readonly ClassColumns[]): void {
    const { scenario } = this.store.state;
    if (scenario === undefined) return;
    this.rows = classes.map((one, k) => rowOf(scenario, one, k));
    // Listed nodes refer to classes, so that these cannot be removed.
    const removable = this.rows.length > 1 && scenario.listedNodes === 0;
    this.body.replaceChildren(
      table(
        [
          'Class',
          ...scenario.resources.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)),
          'Count',
          'Price',
          ...(removable ? [h('span', { className: 'unseen' }, 'Remove')] : []),
        ],
        this.rows.map(({ name, capacity, count, price }, k) => [
          name,
          ...capacity,
          count,
          price,
          ...(removable ? [this.removal(k)] : []),
        ]),
        'Node classes',
      ),
    );
  }

  /** Undefined where an entry is wrong, which the visitor is told. */
  read(): ClassColumns[] | undefined {
    const inputs = this.rows.flatMap(({ capacity, count, price }) => [...capacity, count, price]);
    if (!inputs.every((input) => input.reportValidity())) return undefined;
    return this.rows.map(({ name, capacity, count, price, kept }) => ({
      ...kept,
      name: name.value,
      capacity: Float64Array.from(capacity, ({ value }) => Number(value)),
      count: count.value === '' ? 0 : Number(count.value),
      price: price.value === '' ? undefined : Number(price.value),
    }));
  }

  private removal(k: number): HTMLButtonElement {
    const remove = button(
      '×',
      () => {
        const classes = this.read();
        if (classes !== undefined) this.fill(classes.filter((_, other) => other !== k));
      },
      'quiet',
    );
    remove.setAttribute('aria-label', `Remove class ${k + 1}`);
    remove.title = 'Remove the class';
    return remove;
  }
}

export function buildClasses(store: Store, calls: SetupCalls): void {
  const classTable = new ClassTable(store);
  const apply = button('Apply and plan', () => {
    const classes = classTable.read();
    if (classes !== undefined) calls.edit({ classes }, 'other nodes');
  });
  apply.id = 'apply-classes';
  const density = numberField('Density of new limits, %', 1, { max: 100 });
  const draw = button('Draw limits', () => {
    if (density.input.reportValidity())
      calls.edit({ density: { density: Number(density.input.value) / 100, seed: 1 } }, `density ${density.input.value} %`);
  });
  draw.id = 'draw-limits';
  byId('classes').append(
    h('h2', { id: 'classes-title' }, 'Nodes and limits'),
    classTable.body,
    h(
      'p',
      { className: 'buttons' },
      apply,
      button('Add a class', () => {
        const classes = classTable.read();
        const last = classes?.at(-1);
        if (classes !== undefined && last !== undefined) classTable.fill([...classes, { ...last, name: `class-${classes.length + 1}` }]);
      }),
    ),
    h('div', { className: 'inline' }, density.label, draw),
  );
  store.on(['scenario'], () => classTable.fill(store.state.scenario?.classes ?? []));
}
