// With which probability uncertain demand has to fit, and by which model.
import type { ChanceModel } from 'stowage';
import type { Edit } from '../../desk/protocol.js';
import type { Store } from '../../state.js';
import { button, byId, field, h, numberField, options } from '../elements/dom.js';

const MODELS: readonly [ChanceModel, string][] = [
  ['gaussian', 'normal distribution'],
  ['bounded-support', 'any distribution within bounds'],
  ['factor', 'a factor on the deviation'],
];

export function buildUncertainty(store: Store, edit: (edit: Edit, label: string) => void): void {
  const model = h('select', { id: 'chance-model' });
  options(model, MODELS);
  const confidence = numberField('Confidence, %', 99, { min: 50, max: 99.9999 });
  const factor = numberField('Factor', 0, { min: 0 });
  confidence.input.id = 'demand-confidence';
  factor.input.id = 'chance-factor';
  const follow = (): void => {
    confidence.label.hidden = model.value === 'factor';
    factor.label.hidden = model.value !== 'factor';
  };
  model.addEventListener('change', follow);
  const apply = button('Apply and plan', () => {
    const isFactor = model.value === 'factor';
    if (!(isFactor ? factor : confidence).input.reportValidity()) return;
    const uncertainty = {
      model: model.value as ChanceModel,
      confidence: Number(confidence.input.value) / 100,
      factor: Number(factor.input.value),
    };
    edit({ uncertainty }, isFactor ? `factor ${factor.input.value}` : `confidence ${confidence.input.value} %`);
  });
  apply.id = 'apply-uncertainty';
  byId('uncertainty').append(
    h('h2', { id: 'uncertainty-title' }, 'Uncertain demand'),
    field('Model', model),
    h('div', { className: 'fields' }, confidence.label, factor.label),
    h('p', { className: 'buttons' }, apply),
  );
  store.on(['scenario'], () => {
    const uncertainty = store.state.scenario?.uncertainty;
    byId('uncertainty').hidden = uncertainty === undefined;
    if (uncertainty === undefined) return;
    model.value = uncertainty.model;
    confidence.input.value = String(Number((100 * uncertainty.confidence).toFixed(6)));
    factor.input.value = String(uncertainty.factor);
    follow();
  });
}
