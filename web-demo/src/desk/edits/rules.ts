// Edits of placement rules, of uncertainty, and of an app's kind.
import { NONE, StowageError, type InstanceColumns } from 'stowage';
import type { RuleEdit, Uncertainty } from '../protocol.js';

/** The instance with other numbers in a rule. */
export function withRule(columns: InstanceColumns, { rule, hard, weight, bounds }: RuleEdit): InstanceColumns {
  const { rules = [] } = columns;
  const before = rules[rule];
  if (before === undefined) throw new StowageError('INVALID', `there is no rule ${rule}`, 'rules');
  let next = 0;
  const anyOf = before.anyOf.map((all) =>
    all.map((one) => {
      const { min, max } = bounds[next++] ?? {};
      if (max !== undefined && min !== undefined && min > max)
        throw new StowageError('INVALID', `at least ${min} and at most ${max} cannot both hold`, `rules[${rule}]`);
      return { ...one, min: min ?? 0, max: max ?? NONE };
    }),
  );
  return { ...columns, rules: rules.map((one, k) => (k === rule ? { ...one, hard, weight, anyOf } : one)) };
}

export function withUncertainty(columns: InstanceColumns, uncertainty: Uncertainty): InstanceColumns {
  return { ...columns, uncertainty };
}

export function withKind(columns: InstanceColumns, app: number, kind: number): InstanceColumns {
  const { apps } = columns;
  const kinds = Uint32Array.from({ length: apps.replicas.length }, (_, k) => apps.kind?.[k] ?? 0);
  kinds[app] = kind;
  return { ...columns, apps: { ...apps, kind: kinds } };
}
