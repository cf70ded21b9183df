// The fields of a request, the same for all planners that run.
import type { Objective, SoftPolicy } from 'stowage';
import { OBJECTIVE_WORDS, type NamedRequest } from '../../requests.js';
import type { Store } from '../../state.js';
import { field, h, numberField, options } from '../elements/dom.js';

const OBJECTIVES: readonly Objective[] = ['nodes', 'ucac', 'worst', 'total'];

export interface RequestFields {
  readonly elements: readonly HTMLElement[];
  /** Reports the first wrong entry to the visitor. */
  valid(): boolean;
  request(planner: string): NamedRequest;
}

type NumberField = ReturnType<typeof numberField>;

/** Seconds may be written as a fraction. */
const milliseconds = ({ input }: NumberField): number => 1000 * Number(input.value);
const isGiven = ({ label, input }: NumberField): boolean => !label.hidden && input.value !== '';

function numberWith(label: string, placeholder: string, range: Parameters<typeof numberField>[2]): NumberField {
  const made = numberField(label, '', range);
  made.input.placeholder = placeholder;
  return made;
}

function softFields(): { element: HTMLElement; soft: HTMLSelectElement; price: NumberField } {
  const soft = h('select', { id: 'soft' });
  options(soft, [
    ['first', 'before nodes or cost'],
    ['last', 'never cost a node'],
    ['price', 'have a price'],
  ]);
  const price = numberField('Price of a violation', 1, { max: 1e9 });
  price.label.hidden = true;
  soft.addEventListener('change', () => (price.label.hidden = soft.value !== 'price'));
  return { element: h('div', { className: 'fields' }, field('Soft rules', soft), price.label), soft, price };
}

function objectiveField(store: Store): HTMLElement {
  const objective = h('select', { id: 'objective' });
  objective.addEventListener('change', () =>
    store.change({ objective: objective.value as Objective }, 'objective', 'outcomes'),
  );
  const label = field('Plan for', objective);
  store.on(['scenario', 'objective'], () => {
    const { scenario, objective: chosen } = store.state;
    if (scenario === undefined) return;
    const offered = OBJECTIVES.filter(
      (one) => one === 'nodes' || (one === 'ucac' ? scenario.uncertain : scenario.kindNames.length > 0),
    );
    label.hidden = offered.length < 2;
    options(
      objective,
      offered.map((one): [Objective, string] => [one, OBJECTIVE_WORDS[one]]),
      chosen,
    );
  });
  return label;
}

export function requestFields(store: Store): RequestFields {
  const limit = numberWith('Seconds each', 'its own', { min: 0.05, max: 3600 });
  const nodes = numberWith('At most nodes', 'any', { min: 1, max: 1e6, step: 1 });
  const seed = numberField('Seed', 0, { min: 0, max: 1e9, step: 1 });
  const patience = numberWith('Patience, seconds', 'endless', { min: 0.05, max: 3600 });
  const moves = numberWith('At most moves', 'none', { min: 0, max: 1e9, step: 1 });
  const most = numberWith('Side effects up to', 'any', { min: 0 });
  const { element: softElement, soft, price } = softFields();
  const numbers = [limit, nodes, seed, patience, moves, most];
  store.on(['scenario'], () => {
    const { scenario } = store.state;
    if (scenario === undefined) return;
    most.label.hidden = scenario.kindNames.length === 0;
    moves.label.hidden = !scenario.running;
    softElement.hidden = scenario.ruleNames.length === 0;
  });
  return {
    elements: [objectiveField(store), h('div', { className: 'fields' }, ...numbers.map(({ label }) => label)), softElement],
    valid: () => [...numbers, price].every(({ input }) => input.reportValidity()),
    request: (planner) => ({
      planner,
      seed: Number(seed.input.value),
      ...(isGiven(limit) ? { deadlineMs: milliseconds(limit) } : {}),
      ...(isGiven(nodes) ? { nodeLimit: Number(nodes.input.value) } : {}),
      ...(isGiven(patience) ? { patienceMs: milliseconds(patience) } : {}),
      ...(isGiven(moves) ? { moveBudget: Number(moves.input.value) } : {}),
      ...(isGiven(most) ? { maxCost: Number(most.input.value) } : {}),
      soft: soft.value as SoftPolicy,
      ...(soft.value === 'price' ? { softPrice: Number(price.input.value) } : {}),
    }),
  };
}
