// A placement rule as a form: hard or soft, its weight, and the numbers of its conditions.
import type { RuleEdit, RuleView } from '../../desk/protocol.js';
import { button, field, h, numberField } from '../elements/dom.js';

/** @param apply is called with what was written */
export function ruleForm(position: number, rule: RuleView, apply: (edit: RuleEdit, label: string) => void): HTMLElement {
  const hard = h('input', { type: 'checkbox', checked: rule.hard, id: 'rule-hard' });
  const weight = numberField('Weight', rule.weight, { min: 0 });
  weight.input.id = 'rule-weight';
  const follow = (): void => void (weight.input.disabled = hard.checked);
  hard.addEventListener('change', follow);
  follow();
  const conditions = rule.conditions.map(({ text, kind, min, max }, k) => {
    const least = numberField('At least', min, { min: 0, max: 1e6, step: 1 });
    const most = numberField('At most', max ?? '', { min: 0, max: 1e6, step: 1 });
    most.input.placeholder = 'any';
    least.input.id = `rule-min-${k}`;
    most.input.id = `rule-max-${k}`;
    // Differences between sets have no least value.
    least.label.hidden = kind === 'skew';
    most.input.required = kind === 'skew';
    const element = h(
      'fieldset',
      { className: 'condition' },
      h('legend', {}, text),
      h('div', { className: 'events' }, least.label, most.label),
    );
    return { least, most, element };
  });
  const send = button('Apply and plan', () => {
    const inputs = [weight.input, ...conditions.flatMap(({ least, most }) => [least.input, most.input])];
    if (!inputs.every((input) => input.reportValidity())) return;
    const bounds = conditions.map(({ least, most }) => ({
      min: Number(least.input.value),
      max: most.input.value === '' ? undefined : Number(most.input.value),
    }));
    apply({ rule: position, hard: hard.checked, weight: Number(weight.input.value), bounds }, `rule "${rule.name}" edited`);
  });
  send.id = 'apply-rule';
  return h(
    'details',
    { id: 'edit-rule' },
    h('summary', {}, 'Edit the rule'),
    h('div', { className: 'events' }, field('Hard', hard), weight.label),
    ...conditions.map(({ element }) => element),
    h('p', { className: 'buttons' }, send),
  );
}
