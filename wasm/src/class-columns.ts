// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// What an instance has beside apps and nodes, as columns and lists.
import { filled, present, rowsOf, tablesOf, textsOf, type Rows } from './column-parts.js';
import type { Encoder, Offset } from './encoder.js';
import { code, word, type Doubles, type Words } from './lists.js';
import { index, known } from './report-parts.js';
import type { Steps } from './watch.js';
import * as wire from './wire/instance_generated.js';

/**
 * What a condition counts.
 *
 * - `'replicas'`: min <= replicas with all target tags in the subject's node set, the subject itself not counted <= max.
 * - `'node-sets'`: min <= node sets of the group that hold a subject <= max.
 * - `'skew'`: The numbers of subjects in any two node sets of the group differ by at most `max`.
 */
export type CardinalityKind =
  | 'replicas'
  | 'node-sets'
  | 'skew';
export const CARDINALITY_KINDS: readonly CardinalityKind[] = [
  'replicas',
  'node-sets',
  'skew',
];

/**
 * How variance enters the capacity constraint.
 *
 * - `'gaussian'`: mean + Phi^-1(confidence) sqrt(variance) <= capacity (P1, section 2.4).
 * - `'bounded-support'`: mean + sqrt(-ln(1 - confidence) / 2 x sum of squared supports) <= capacity (Hoeffding; P1, section 2.3).
 * - `'factor'`: mean + factor x sqrt(variance) <= capacity.
 */
export type ChanceModel =
  | 'gaussian'
  | 'bounded-support'
  | 'factor';
export const CHANCE_MODELS: readonly ChanceModel[] = [
  'gaussian',
  'bounded-support',
  'factor',
];

/**
 * Who asks for a rule.
 *
 * - `'application'`
 * - `'operator'`
 */
export type Origin =
  | 'application'
  | 'operator';
export const ORIGINS: readonly Origin[] = [
  'application',
  'operator',
];

/** Nodes that share capacity, price and labels. */
export interface ClassColumns {
  name?: string | undefined;
  /** Capacity per resource. Length: resources. */
  capacity: Doubles;
  /** Number of nodes of this class, listed ones included; absent = as many as needed. */
  count?: number | undefined;
  /** Cost of one node in use, in any currency; absent = not given. Either all classes have a price or none has. */
  price?: number | undefined;
  /** Static labels as "key=value" (or a bare word). A label is also a static tag of every node of the class. */
  labels?: readonly string[] | undefined;
  /**
   * Load that goes with each node of the class, in the resource's unit: it takes capacity and does not keep the node in use. At
   * most the capacity. Length: resources, or resources x periods.
   */
  daemon?: Doubles | undefined;
}

/** @internal */
export function writeNodeClass(encoder: Encoder, from: ClassColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const name = encoder.text(from.name, `${prefix}name`);
  const capacity = encoder.doubles(from.capacity ?? [], `${prefix}capacity`);
  const count = word(from.count ?? 0, `${prefix}count`);
  const price = encoder.number(from.price, -1, `${prefix}price`);
  const labels = encoder.texts(from.labels, `${prefix}labels`);
  const daemon = encoder.doubles(from.daemon, `${prefix}daemon`);
  wire.NodeClass.startNodeClass(builder);
  wire.NodeClass.addName(builder, name);
  wire.NodeClass.addCapacity(builder, capacity);
  wire.NodeClass.addCount(builder, count);
  wire.NodeClass.addPrice(builder, price);
  wire.NodeClass.addLabels(builder, labels);
  wire.NodeClass.addDaemon(builder, daemon);
  return wire.NodeClass.endNodeClass(builder);
}

/** @internal */
export const nodeClassOf = (from: wire.NodeClass, steps: Steps): ClassColumns => ({
  name: present(from.name()),
  capacity: from.capacityArray() ?? new Float64Array(),
  count: from.count(),
  price: known(from.price()),
  labels: textsOf(from.labelsLength(), (k) => from.labels(k), steps),
  daemon: filled(from.daemonArray()),
});

/**
 * Affinity limits (P0, section 3.1): beside at least one replica of app i, at most a replicas of app j on the same node. (i, i,
 * a) limits app i to a replicas per node. Compressed rows: the limits that app i imposes are (app[k], `atMost`[k]) for k in
 * `rowBegin`[i] .. `rowBegin`[i + 1]; any order within a row, no app twice.
 */
export interface LimitColumns {
  /** Length: apps + 1, first 0, never decreasing, last = length of `app`. */
  rowBegin: Words;
  app: Words;
  /** Length: as `app`. */
  atMost: Words;
}

/** @internal */
export function writeAffinityLimits(encoder: Encoder, from: LimitColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const rowBegin = encoder.words(from.rowBegin ?? [], `${prefix}row_begin`);
  const app = encoder.words(from.app ?? [], `${prefix}app`);
  const atMost = encoder.words(from.atMost ?? [], `${prefix}at_most`);
  wire.AffinityLimits.startAffinityLimits(builder);
  wire.AffinityLimits.addRowBegin(builder, rowBegin);
  wire.AffinityLimits.addApp(builder, app);
  wire.AffinityLimits.addAtMost(builder, atMost);
  return wire.AffinityLimits.endAffinityLimits(builder);
}

/** @internal */
export const affinityLimitsOf = (from: wire.AffinityLimits): LimitColumns => ({
  rowBegin: from.rowBeginArray() ?? new Uint32Array(),
  app: from.appArray() ?? new Uint32Array(),
  atMost: from.atMostArray() ?? new Uint32Array(),
});

/**
 * A family of node sets (P2, section 4.1), such as "rack" or "zone". Sets may overlap. The group "node" is predefined: each node
 * is a set of its own.
 */
export interface GroupColumns {
  name: string;
  sets?: Rows | undefined;
  setNames?: readonly string[] | undefined;
  /** Instead of listed sets, the key of a label: nodes with the same value of it form a set, anonymous nodes included. */
  byLabel?: string | undefined;
}

/** @internal */
export function writeNodeGroup(encoder: Encoder, from: GroupColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const name = encoder.required(from.name, `${prefix}name`);
  const setBegin = encoder.words(from.sets?.begin, `${prefix}set_begin`);
  const node = encoder.words(from.sets?.index, `${prefix}node`);
  const setNames = encoder.texts(from.setNames, `${prefix}set_names`);
  const byLabel = encoder.text(from.byLabel, `${prefix}by_label`);
  wire.NodeGroup.startNodeGroup(builder);
  wire.NodeGroup.addName(builder, name);
  wire.NodeGroup.addSetBegin(builder, setBegin);
  wire.NodeGroup.addNode(builder, node);
  wire.NodeGroup.addSetNames(builder, setNames);
  wire.NodeGroup.addByLabel(builder, byLabel);
  return wire.NodeGroup.endNodeGroup(builder);
}

/** @internal */
export const nodeGroupOf = (from: wire.NodeGroup, steps: Steps): GroupColumns => ({
  name: from.name() ?? '',
  sets: rowsOf(from.setBeginArray(), from.nodeArray()),
  setNames: textsOf(from.setNamesLength(), (k) => from.setNames(k), steps),
  byLabel: present(from.byLabel()),
});

/**
 * A condition of a placement rule: how much of the target there may be in each node set that has the subject (P2, section 4.2).
 */
export interface CardinalityColumns {
  /** Default: 'replicas'. */
  kind?: CardinalityKind | undefined;
  /** The subjects are the replicas that carry all these tags; indices into the instance's tags. */
  subject: Words;
  /** The replicas counted are those that carry all these tags; indices into the instance's tags. */
  target?: Words | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** Index into the instance's groups, or absent for the predefined group "node". */
  group?: number | undefined;
  /** True: the constraint holds exactly where the condition does not. */
  negated?: boolean | undefined;
}

/** @internal */
export function writeCardinality(encoder: Encoder, from: CardinalityColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const kind = code(from.kind, CARDINALITY_KINDS, `${prefix}kind`);
  const subject = encoder.words(from.subject ?? [], `${prefix}subject`);
  const target = encoder.words(from.target, `${prefix}target`);
  const min = word(from.min ?? 0, `${prefix}min`);
  const max = word(from.max ?? 4294967295, `${prefix}max`);
  const group = word(from.group ?? 4294967295, `${prefix}group`);
  const negated = from.negated ?? false;
  wire.Cardinality.startCardinality(builder);
  wire.Cardinality.addKind(builder, kind);
  wire.Cardinality.addSubject(builder, subject);
  wire.Cardinality.addTarget(builder, target);
  wire.Cardinality.addMin(builder, min);
  wire.Cardinality.addMax(builder, max);
  wire.Cardinality.addGroup(builder, group);
  wire.Cardinality.addNegated(builder, negated);
  return wire.Cardinality.endCardinality(builder);
}

/** @internal */
export const cardinalityOf = (from: wire.Cardinality): CardinalityColumns => ({
  kind: CARDINALITY_KINDS[from.kind()],
  subject: from.subjectArray() ?? new Uint32Array(),
  target: filled(from.targetArray()),
  min: from.min(),
  max: index(from.max()),
  group: index(from.group()),
  negated: from.negated(),
});

/** @internal */
export function writeConjunction(encoder: Encoder, from: readonly CardinalityColumns[], path: string): Offset {
  const allOf = encoder.tables(from, `${path}.all_of`, writeCardinality, true);
  return wire.Conjunction.createConjunction(encoder.builder, allOf);
}

const conjunctionOf = (from: wire.Conjunction, steps: Steps): readonly CardinalityColumns[] =>
  tablesOf(from.allOfLength(), (k) => from.allOf(k), cardinalityOf, steps);

/** A rule in disjunctive normal form (P2, section 4.2): it holds where at least one conjunction holds. */
export interface RuleColumns {
  name?: string | undefined;
  anyOf: readonly (readonly CardinalityColumns[])[];
  /** True: no plan may violate the rule. False: each violation costs `weight`. Default: true. */
  hard?: boolean | undefined;
  /** Default: 1. */
  weight?: number | undefined;
  /** Default: 'application'. */
  origin?: Origin | undefined;
}

/** @internal */
export function writePlacementRule(encoder: Encoder, from: RuleColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const name = encoder.text(from.name, `${prefix}name`);
  const anyOf = encoder.tables(from.anyOf, `${prefix}any_of`, writeConjunction, true);
  const hard = from.hard ?? true;
  const weight = encoder.number(from.weight, 1, `${prefix}weight`);
  const origin = code(from.origin, ORIGINS, `${prefix}origin`);
  wire.PlacementRule.startPlacementRule(builder);
  wire.PlacementRule.addName(builder, name);
  wire.PlacementRule.addAnyOf(builder, anyOf);
  wire.PlacementRule.addHard(builder, hard);
  wire.PlacementRule.addWeight(builder, weight);
  wire.PlacementRule.addOrigin(builder, origin);
  return wire.PlacementRule.endPlacementRule(builder);
}

/** @internal */
export const placementRuleOf = (from: wire.PlacementRule, steps: Steps): RuleColumns => ({
  name: present(from.name()),
  anyOf: tablesOf(from.anyOfLength(), (k) => from.anyOf(k), conjunctionOf, steps),
  hard: from.hard(),
  weight: from.weight(),
  origin: ORIGINS[from.origin()],
});

/** The chance constraint: how `AppColumns.variance` or the supports enter the capacity constraint. */
export interface UncertaintyColumns {
  /** Default: 'gaussian'. */
  model?: ChanceModel | undefined;
  /**
   * Probability that a node's demand stays within its capacity, in (0, 1); with chance model `'gaussian'` at least 0.5. Default:
   * 0.99.
   */
  confidence?: number | undefined;
  factor?: number | undefined;
}

/** @internal */
export function writeUncertainty(encoder: Encoder, from: UncertaintyColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const model = code(from.model, CHANCE_MODELS, `${prefix}model`);
  const confidence = encoder.number(from.confidence, 0.99, `${prefix}confidence`);
  const factor = encoder.number(from.factor, 0, `${prefix}factor`);
  wire.Uncertainty.startUncertainty(builder);
  wire.Uncertainty.addModel(builder, model);
  wire.Uncertainty.addConfidence(builder, confidence);
  wire.Uncertainty.addFactor(builder, factor);
  return wire.Uncertainty.endUncertainty(builder);
}

/** @internal */
export const uncertaintyOf = (from: wire.Uncertainty): UncertaintyColumns => ({
  model: CHANCE_MODELS[from.model()],
  confidence: from.confidence(),
  factor: from.factor(),
});

/**
 * The side-effects model of colocation (P4): a replica of kind t costs the sum over all kinds u of coefficient[t][u] x the load
 * of kind u on its node, its own load included.
 */
export interface InterferenceColumns {
  kinds?: readonly string[] | undefined;
  /** Length: kinds x kinds, row-major. */
  coefficient: Doubles;
  /** Index of the resource that is the load: of an app, its largest demand over time. */
  resource?: number | undefined;
  /**
   * The most that a replica of each kind may cost, its own load included; infinity = no limit. Length: kinds; absent = no limits.
   */
  maxCost?: Doubles | undefined;
}

/** @internal */
export function writeInterference(encoder: Encoder, from: InterferenceColumns, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  const { builder } = encoder;
  const kinds = encoder.texts(from.kinds, `${prefix}kinds`);
  const coefficient = encoder.doubles(from.coefficient ?? [], `${prefix}coefficient`);
  const resource = word(from.resource ?? 0, `${prefix}resource`);
  const maxCost = encoder.doubles(from.maxCost, `${prefix}max_cost`);
  wire.Interference.startInterference(builder);
  wire.Interference.addKinds(builder, kinds);
  wire.Interference.addCoefficient(builder, coefficient);
  wire.Interference.addResource(builder, resource);
  wire.Interference.addMaxCost(builder, maxCost);
  return wire.Interference.endInterference(builder);
}

/** @internal */
export const interferenceOf = (from: wire.Interference, steps: Steps): InterferenceColumns => ({
  kinds: textsOf(from.kindsLength(), (k) => from.kinds(k), steps),
  coefficient: from.coefficientArray() ?? new Float64Array(),
  resource: from.resource(),
  maxCost: filled(from.maxCostArray()),
});
