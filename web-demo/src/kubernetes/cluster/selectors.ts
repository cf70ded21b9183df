// Which nodes a pod may use, and which pods a selector selects.
import type { NodeTerm, PodSpec, PodTerm, PodTerms, Requirement, Selector, Taint, Texts } from '../read/types.js';

export const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';
export const REGION = 'topology.kubernetes.io/region';
export const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';

export type Labels = Readonly<Record<string, string>>;
export type Test = (of: Labels) => boolean;

/** A part of an object that no reader can understand; the constraint is left out. */
export class NotUnderstood extends Error {}

const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const WHOLE = /^[+-]?[0-9]+$/;
const has = (of: Labels, key: string): boolean => Object.hasOwn(of, key);

function isLabelKey(key: string): boolean {
  const [first, second, ...more] = key.split('/');
  return more.length === 0 && (second === undefined ? NAME.test(first!) : PREFIX.test(first!) && NAME.test(second));
}

const NUMBER_OF_VALUES: Readonly<Record<string, (count: number) => boolean>> = {
  In: (count) => count > 0,
  NotIn: (count) => count > 0,
  Exists: (count) => count === 0,
  DoesNotExist: (count) => count === 0,
  Gt: (count) => count === 1,
  Lt: (count) => count === 1,
};

/** The test of one requirement. Fails where the API server would refuse it. */
export function requirement({ key, operator, values }: Requirement, operators = Object.keys(NUMBER_OF_VALUES)): Test {
  const name = key ?? '';
  const all = values ?? [];
  const by = operator ?? '';
  if (!operators.includes(by)) throw new NotUnderstood(`"${by}" is not an operator`);
  if (!isLabelKey(name)) throw new NotUnderstood(`"${name}" is not the key of a label`);
  if (!NUMBER_OF_VALUES[by]!(all.length)) throw new NotUnderstood(`${all.length} values for the operator ${by}`);
  const bad = all.find((one) => one !== '' && !NAME.test(one));
  if (bad !== undefined) throw new NotUnderstood(`"${bad}" is not the value of a label`);
  if (by === 'In') return (of) => has(of, name) && all.includes(of[name]!);
  if (by === 'NotIn') return (of) => !has(of, name) || !all.includes(of[name]!);
  if (by === 'Exists') return (of) => has(of, name);
  if (by === 'DoesNotExist') return (of) => !has(of, name);
  if (!WHOLE.test(all[0]!)) throw new NotUnderstood(`"${all[0]!}" is not a whole number`);
  const limit = BigInt(all[0]!);
  const beyond = (value: bigint): boolean => (by === 'Gt' ? value > limit : value < limit);
  return (of) => has(of, name) && WHOLE.test(of[name]!) && beyond(BigInt(of[name]!));
}

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The test of a label selector: an absent one selects nothing, an empty one everything. */
export function selector(of: Selector | null | undefined): Test {
  if (of === undefined || of === null) return () => false;
  const tests = [
    ...Object.entries(of.matchLabels ?? {}).map(([key, value]) => requirement({ key, operator: 'In', values: [value] })),
    ...(of.matchExpressions ?? []).map((one) => requirement(one, SELECTOR_OPERATORS)),
  ];
  return (labels) => tests.every((test) => test(labels));
}

/** Whether an equal text stands in a taint for what the scheduler calls it. */
export function taintText({ key, value, effect }: Taint): string {
  if (!effect) return value ? `${key ?? ''}=${value}:` : (key ?? '');
  return value ? `${key ?? ''}=${value}:${effect}` : `${key ?? ''}:${effect}`;
}

export const tolerates = (spec: PodSpec, taint: Taint): boolean =>
  (spec.tolerations ?? []).some(({ key, operator, value, effect }) => {
    if (effect && effect !== taint.effect) return false;
    if (key && key !== taint.key) return false;
    if (operator === 'Exists') return true;
    return (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
  });

export const nodeTerms = (spec: PodSpec): readonly NodeTerm[] | undefined =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? undefined;

export const preferredNodeTerms = (spec: PodSpec): NodeTerm[] =>
  (spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ preference }) => preference ?? {});

/** All terms of pod affinity and anti-affinity, required and preferred. */
export function podTerms({ affinity }: PodSpec): PodTerm[] {
  const of = (terms: PodTerms | null | undefined): PodTerm[] => [
    ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm ?? {}),
  ];
  return [...of(affinity?.podAffinity), ...of(affinity?.podAntiAffinity)];
}

/** Whether a node meets a term. An empty term matches no node. */
function meets(term: NodeTerm, of: Labels, name: string): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  const understood = (one: Requirement, labels: Labels): boolean => {
    try {
      return requirement(one)(labels);
    } catch (error) {
      throw new NotUnderstood(`by ${one.key ?? ''}: ${(error as Error).message}`);
    }
  };
  // Every part is looked at, so that one that is not understood is always named.
  const met = [
    ...expressions.map((one) => understood(one, of)),
    ...fields.map((one) => {
      if (one.key !== 'metadata.name') throw new NotUnderstood(`by the field ${one.key ?? ''}`);
      return understood(one, { 'metadata.name': name });
    }),
  ];
  return met.length > 0 && met.every((one) => one);
}

/** Whether a node meets one of the terms. */
export const meetsOne = (terms: readonly NodeTerm[], of: Labels, name: string): boolean =>
  terms.some((term) => meets(term, of, name));

/** Whether labels, name and taints of a node let a pod in; the name is "" for nodes to come. */
export function accepts(spec: PodSpec, of: Labels, name: string, taints: readonly Taint[]): boolean {
  const terms = nodeTerms(spec);
  let affine = true;
  try {
    affine = terms === undefined || meetsOne(terms, of, name);
  } catch (error) {
    throw new NotUnderstood(`required node affinity ${(error as Error).message}`);
  }
  return (
    affine &&
    taints.every((taint) => tolerates(spec, taint)) &&
    Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => has(of, key) && of[key] === value) &&
    (spec.topologySpreadConstraints ?? []).every(
      ({ topologyKey, whenUnsatisfiable }) =>
        topologyKey === HOSTNAME || whenUnsatisfiable !== 'DoNotSchedule' || has(of, topologyKey ?? ''),
    )
  );
}

export const sameTexts = (a: Texts, b: Texts): boolean => {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
};

/** Order of texts by their characters' numbers, the same in every language and place. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
