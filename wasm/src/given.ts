// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// What programs give: how an instance differs from another one, and what sizes are learned from. Members that may be absent are so by
// undefined, too.
import type { Encoder, Offset } from './encoder.js';
import { code, type Doubles, type Words } from './lists.js';
import * as derivation from './wire/derivation_generated.js';
import * as learning from './wire/learning_generated.js';

/**
 * What was measured.
 *
 * - `'performance'`: In [0, 1], higher is better.
 * - `'latency'`: In milliseconds, above 0, lower is better.
 */
export type Measure =
  | 'performance'
  | 'latency';
export const MEASURES: readonly Measure[] = [
  'performance',
  'latency',
];

/** Factors on what concerns one resource. */
export interface ResourceFactors {
  /** Its name or its index. */
  resource: string | number;
  /** Default: 1. */
  demand?: number | undefined;
  /** Default: 1. */
  capacity?: number | undefined;
  /** Default: 1. */
  load?: number | undefined;
}

const RESOURCE_FACTORS: ReadonlySet<string> = new Set<keyof ResourceFactors>([
  'resource',
  'demand',
  'capacity',
  'load',
]);

/** @internal */
export function writeResourceFactors(encoder: Encoder, from: ResourceFactors, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, RESOURCE_FACTORS, path);
  const { builder } = encoder;
  const [name, resource] = encoder.reference(from.resource, `${prefix}resource`);
  const demand = encoder.number(from.demand, 1, `${prefix}demand`);
  const capacity = encoder.number(from.capacity, 1, `${prefix}capacity`);
  const load = encoder.number(from.load, 1, `${prefix}load`);
  derivation.ResourceFactors.startResourceFactors(builder);
  derivation.ResourceFactors.addName(builder, name);
  derivation.ResourceFactors.addResource(builder, resource);
  derivation.ResourceFactors.addDemand(builder, demand);
  derivation.ResourceFactors.addCapacity(builder, capacity);
  derivation.ResourceFactors.addLoad(builder, load);
  return derivation.ResourceFactors.endResourceFactors(builder);
}

/** What changes of one app. */
export interface AppChange {
  /** Its name or its index. */
  app: string | number;
  /** The number of replicas; absent = not given. */
  replicas?: number | undefined;
  /** Default: 1. */
  replicaFactor?: number | undefined;
  /** Demand of one replica. Its variance and its support stay. Length: resources, or resources x periods; absent = not given. */
  demand?: Doubles | undefined;
  /** Default: 1. */
  demandFactor?: number | undefined;
}

const APP_CHANGE: ReadonlySet<string> = new Set<keyof AppChange>([
  'app',
  'replicas',
  'replicaFactor',
  'demand',
  'demandFactor',
]);

/** @internal */
export function writeAppChange(encoder: Encoder, from: AppChange, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, APP_CHANGE, path);
  const { builder } = encoder;
  const [name, app] = encoder.reference(from.app, `${prefix}app`);
  const replicas = encoder.count(from.replicas, 4294967295, `${prefix}replicas`);
  const replicaFactor = encoder.number(from.replicaFactor, 1, `${prefix}replica_factor`);
  const demand = encoder.doubles(from.demand, `${prefix}demand`);
  const demandFactor = encoder.number(from.demandFactor, 1, `${prefix}demand_factor`);
  derivation.AppChange.startAppChange(builder);
  derivation.AppChange.addName(builder, name);
  derivation.AppChange.addApp(builder, app);
  derivation.AppChange.addReplicas(builder, replicas);
  derivation.AppChange.addReplicaFactor(builder, replicaFactor);
  derivation.AppChange.addDemand(builder, demand);
  derivation.AppChange.addDemandFactor(builder, demandFactor);
  return derivation.AppChange.endAppChange(builder);
}

/** What changes of one node class. */
export interface ClassChange {
  /** Its name or its index. */
  nodeClass: string | number;
  /** Number of nodes of the class, as `ClassColumns.count`; absent = as it is. */
  count?: number | undefined;
  /** Capacity per resource. Length: resources; absent = not given. */
  capacity?: Doubles | undefined;
  /** Default: 1. */
  capacityFactor?: number | undefined;
  /** Cost of one node in use; absent = not given. */
  price?: number | undefined;
}

const CLASS_CHANGE: ReadonlySet<string> = new Set<keyof ClassChange>([
  'nodeClass',
  'count',
  'capacity',
  'capacityFactor',
  'price',
]);

/** @internal */
export function writeClassChange(encoder: Encoder, from: ClassChange, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, CLASS_CHANGE, path);
  const { builder } = encoder;
  const [name, nodeClass] = encoder.reference(from.nodeClass, `${prefix}node_class`);
  const count = encoder.count(from.count, 4294967295, `${prefix}count`);
  const capacity = encoder.doubles(from.capacity, `${prefix}capacity`);
  const capacityFactor = encoder.number(from.capacityFactor, 1, `${prefix}capacity_factor`);
  const price = encoder.number(from.price, -1, `${prefix}price`);
  derivation.ClassChange.startClassChange(builder);
  derivation.ClassChange.addName(builder, name);
  derivation.ClassChange.addNodeClass(builder, nodeClass);
  derivation.ClassChange.addCount(builder, count);
  derivation.ClassChange.addCapacity(builder, capacity);
  derivation.ClassChange.addCapacityFactor(builder, capacityFactor);
  derivation.ClassChange.addPrice(builder, price);
  return derivation.ClassChange.endClassChange(builder);
}

/** How an instance differs from another one. What is not given stays. */
export interface Derivation {
  /** Name of the instance that results; absent = the name stays. */
  name?: string | undefined;
  /**
   * Factor on the demand of all apps. Uncertain demand scales as a whole: its deviation and its support by the same factor.
   * Default: 1.
   */
  demand?: number | undefined;
  /** Factor on the replicas of all apps, rounded up. Default: 1. */
  replicas?: number | undefined;
  /** Factor on the capacity of all classes. Daemon load stays. Default: 1. */
  capacity?: number | undefined;
  /** Factor on the load of listed nodes and its deviation. Daemon load stays. Default: 1. */
  load?: number | undefined;
  /** Factor on the prices of all classes, where there are prices. Default: 1. */
  price?: number | undefined;
  /**
   * Share of the affinity limits between different apps that stays, at most 1. Which ones follows from the two apps alone, so
   * that those of a smaller share are among those of a larger one. Limits of an app on itself stay. Default: 1.
   */
  limits?: number | undefined;
  byResource?: readonly ResourceFactors[] | undefined;
  byApp?: readonly AppChange[] | undefined;
  byClass?: readonly ClassChange[] | undefined;
}

const DERIVATION: ReadonlySet<string> = new Set<keyof Derivation>([
  'name',
  'demand',
  'replicas',
  'capacity',
  'load',
  'price',
  'limits',
  'byResource',
  'byApp',
  'byClass',
]);

/** @internal */
export function writeDerivation(encoder: Encoder, from: Derivation, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, DERIVATION, path);
  const { builder } = encoder;
  const name = encoder.text(from.name, `${prefix}name`);
  const demand = encoder.number(from.demand, 1, `${prefix}demand`);
  const replicas = encoder.number(from.replicas, 1, `${prefix}replicas`);
  const capacity = encoder.number(from.capacity, 1, `${prefix}capacity`);
  const load = encoder.number(from.load, 1, `${prefix}load`);
  const price = encoder.number(from.price, 1, `${prefix}price`);
  const limits = encoder.number(from.limits, 1, `${prefix}limits`);
  const byResource = encoder.tables(from.byResource, `${prefix}by_resource`, writeResourceFactors);
  const byApp = encoder.tables(from.byApp, `${prefix}by_app`, writeAppChange);
  const byClass = encoder.tables(from.byClass, `${prefix}by_class`, writeClassChange);
  derivation.Derivation.startDerivation(builder);
  derivation.Derivation.addName(builder, name);
  derivation.Derivation.addDemand(builder, demand);
  derivation.Derivation.addReplicas(builder, replicas);
  derivation.Derivation.addCapacity(builder, capacity);
  derivation.Derivation.addLoad(builder, load);
  derivation.Derivation.addPrice(builder, price);
  derivation.Derivation.addLimits(builder, limits);
  derivation.Derivation.addByResource(builder, byResource);
  derivation.Derivation.addByApp(builder, byApp);
  derivation.Derivation.addByClass(builder, byClass);
  return derivation.Derivation.endDerivation(builder);
}

/**
 * What is known of apps before anything is measured, such as a family, a load or a data size. Exactly one of the two columns is
 * present.
 */
export interface Feature {
  name: string;
  /** NaN = not known. Length: apps. */
  numbers?: Doubles | undefined;
  /** Empty = not known. Length: apps. */
  words?: readonly string[] | undefined;
}

const FEATURE: ReadonlySet<string> = new Set<keyof Feature>([
  'name',
  'numbers',
  'words',
]);

/** @internal */
export function writeFeature(encoder: Encoder, from: Feature, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, FEATURE, path);
  const { builder } = encoder;
  const name = encoder.required(from.name, `${prefix}name`);
  const numbers = encoder.doubles(from.numbers, `${prefix}numbers`);
  const words = encoder.texts(from.words, `${prefix}words`);
  learning.Feature.startFeature(builder);
  learning.Feature.addName(builder, name);
  learning.Feature.addNumbers(builder, numbers);
  learning.Feature.addWords(builder, words);
  return learning.Feature.endFeature(builder);
}

/**
 * Measurements of apps: how each performed with some configurations. A configuration is an amount of each resource for a
 * container, and a degree of collocation.
 */
export interface Samples {
  /** Default: 'performance'. */
  measure?: Measure | undefined;
  resources: readonly string[];
  /** Unique names. */
  apps: readonly string[];
  features?: readonly Feature[] | undefined;
  /** What each app asks for today; NaN in all resources of an app = not known. Length: apps x resources; absent = not known. */
  asked?: Doubles | undefined;
  /** App of each row, an index into `apps`. */
  rowApp: Words;
  /** Amounts of each row, above 0. Length: rows x resources. */
  rowAmounts: Doubles;
  /** Containers of the app that share a node. Length: rows; absent = all 1. */
  rowCollocation?: Words | undefined;
  /** What was measured in each row. Length: rows. */
  rowValue: Doubles;
}

const SAMPLES: ReadonlySet<string> = new Set<keyof Samples>([
  'measure',
  'resources',
  'apps',
  'features',
  'asked',
  'rowApp',
  'rowAmounts',
  'rowCollocation',
  'rowValue',
]);

/** @internal */
export function writeSamples(encoder: Encoder, from: Samples, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, SAMPLES, path);
  const { builder } = encoder;
  const measure = code(from.measure, MEASURES, `${prefix}measure`);
  const resources = encoder.names(from.resources, `${prefix}resources`);
  const apps = encoder.names(from.apps, `${prefix}apps`);
  const features = encoder.tables(from.features, `${prefix}features`, writeFeature);
  const asked = encoder.doubles(from.asked, `${prefix}asked`);
  const rowApp = encoder.words(from.rowApp ?? [], `${prefix}row_app`);
  const rowAmounts = encoder.doubles(from.rowAmounts ?? [], `${prefix}row_amounts`);
  const rowCollocation = encoder.words(from.rowCollocation, `${prefix}row_collocation`);
  const rowValue = encoder.doubles(from.rowValue ?? [], `${prefix}row_value`);
  learning.Samples.startSamples(builder);
  learning.Samples.addMeasure(builder, measure);
  learning.Samples.addResources(builder, resources);
  learning.Samples.addApps(builder, apps);
  learning.Samples.addFeatures(builder, features);
  learning.Samples.addAsked(builder, asked);
  learning.Samples.addRowApp(builder, rowApp);
  learning.Samples.addRowAmounts(builder, rowAmounts);
  learning.Samples.addRowCollocation(builder, rowCollocation);
  learning.Samples.addRowValue(builder, rowValue);
  return learning.Samples.endSamples(builder);
}

/** What recommended configurations are to reach. */
export interface Goal {
  /** A performance to reach at least, in (0, 1], or a latency in milliseconds to reach at most. */
  value: number;
  /** Probability with which the goal is to be met, in (0, 1). Default: 0.8. */
  confidence?: number | undefined;
  /**
   * Cost of one unit of each resource, not all 0. Length: resources of the samples; absent = the largest amount that any
   * configuration has of a resource costs 1.
   */
  cost?: Doubles | undefined;
  /** Sizes stay as the apps ask for them; only the degree of collocation is chosen. */
  keepAsked?: boolean | undefined;
}

const GOAL: ReadonlySet<string> = new Set<keyof Goal>([
  'value',
  'confidence',
  'cost',
  'keepAsked',
]);

/** @internal */
export function writeGoal(encoder: Encoder, from: Goal, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, GOAL, path);
  const { builder } = encoder;
  const value = encoder.number(from.value, undefined, `${prefix}goal`);
  const confidence = encoder.number(from.confidence, 0.8, `${prefix}confidence`);
  const cost = encoder.doubles(from.cost, `${prefix}cost`);
  const keepAsked = from.keepAsked ?? false;
  learning.Goal.startGoal(builder);
  learning.Goal.addValue(builder, value);
  learning.Goal.addConfidence(builder, confidence);
  learning.Goal.addCost(builder, cost);
  learning.Goal.addKeepAsked(builder, keepAsked);
  return learning.Goal.endGoal(builder);
}

/** What a model is asked: a recommendation for each app of the samples. */
export interface Question {
  samples: Samples;
  goal: Goal;
  /** True: the answer has what is known of every configuration for every app. */
  curves?: boolean | undefined;
}

const QUESTION: ReadonlySet<string> = new Set<keyof Question>([
  'samples',
  'goal',
  'curves',
]);

/** @internal */
export function writeQuestion(encoder: Encoder, from: Question, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, QUESTION, path);
  const { builder } = encoder;
  const samples = writeSamples(encoder, from.samples, `${prefix}samples`, prefix);
  const goal = writeGoal(encoder, from.goal, `${prefix}goal`, prefix);
  const curves = from.curves ?? false;
  learning.Question.startQuestion(builder);
  learning.Question.addSamples(builder, samples);
  learning.Question.addGoal(builder, goal);
  learning.Question.addCurves(builder, curves);
  return learning.Question.endQuestion(builder);
}

/** How the size in one resource follows from usage. */
export interface SizeRule {
  /** Share of the samples, by weight, that the size covers, in (0, 1]. Default: 0.95. */
  percentile?: number | undefined;
  /** Seconds in which the weight of a sample halves; absent = all weigh the same. */
  halfLife?: number | undefined;
  /** Seconds: of each replica, the largest usage in a window counts as one sample; absent = each sample counts. */
  window?: number | undefined;
  /** Usage counts (1 + margin) times. */
  margin?: number | undefined;
  /** Usage at which a replica was killed counts `bump` times; at least 1. Default: 1. */
  bump?: number | undefined;
  floor?: number | undefined;
  /** 0 = none. */
  ceiling?: number | undefined;
  /** True: demand is the mean of usage, with its variance. */
  uncertain?: boolean | undefined;
}

const SIZE_RULE: ReadonlySet<string> = new Set<keyof SizeRule>([
  'percentile',
  'halfLife',
  'window',
  'margin',
  'bump',
  'floor',
  'ceiling',
  'uncertain',
]);

/** @internal */
export function writeSizeRule(encoder: Encoder, from: SizeRule, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, SIZE_RULE, path);
  const { builder } = encoder;
  const percentile = encoder.number(from.percentile, 0.95, `${prefix}percentile`);
  const halfLife = encoder.number(from.halfLife, 0, `${prefix}half_life`);
  const window = encoder.number(from.window, 0, `${prefix}window`);
  const margin = encoder.number(from.margin, 0, `${prefix}margin`);
  const bump = encoder.number(from.bump, 1, `${prefix}bump`);
  const floor = encoder.number(from.floor, 0, `${prefix}floor`);
  const ceiling = encoder.number(from.ceiling, 0, `${prefix}ceiling`);
  const uncertain = from.uncertain ?? false;
  learning.SizeRule.startSizeRule(builder);
  learning.SizeRule.addPercentile(builder, percentile);
  learning.SizeRule.addHalfLife(builder, halfLife);
  learning.SizeRule.addWindow(builder, window);
  learning.SizeRule.addMargin(builder, margin);
  learning.SizeRule.addBump(builder, bump);
  learning.SizeRule.addFloor(builder, floor);
  learning.SizeRule.addCeiling(builder, ceiling);
  learning.SizeRule.addUncertain(builder, uncertain);
  return learning.SizeRule.endSizeRule(builder);
}

/** What replicas used over time, and how sizes follow from it. Samples are in any order; a sample is one replica at one time. */
export interface Usage {
  /** Unique names. */
  apps: readonly string[];
  /** Unique names. */
  resources: readonly string[];
  /** App of each sample, an index into `apps`. */
  app: Words;
  /** Number of the replica within its app. Length: samples; absent = not known. */
  replica?: Words | undefined;
  /** Seconds since any origin; may be negative. Length: samples. */
  time: Doubles;
  /** In the resource's unit; NaN = not measured. Length: samples x resources. */
  amount: Doubles;
  /** 1 = the replica was killed for lack of memory. Length: samples; absent = none was. */
  outOfMemory?: Uint8Array | readonly number[] | undefined;
  /** Length: resources. */
  rules: readonly SizeRule[];
  /** Number of periods of the demand. Default: 1. */
  periods?: number | undefined;
  /** Seconds after which periods repeat, counted from time 0; 0 = they divide the whole history. Default: 86400. */
  cycle?: number | undefined;
}

const USAGE: ReadonlySet<string> = new Set<keyof Usage>([
  'apps',
  'resources',
  'app',
  'replica',
  'time',
  'amount',
  'outOfMemory',
  'rules',
  'periods',
  'cycle',
]);

/** @internal */
export function writeUsage(encoder: Encoder, from: Usage, path: string, prefix = path === '' ? '' : `${path}.`): Offset {
  encoder.object(from, USAGE, path);
  const { builder } = encoder;
  const apps = encoder.names(from.apps, `${prefix}apps`);
  const resources = encoder.names(from.resources, `${prefix}resources`);
  const app = encoder.words(from.app ?? [], `${prefix}app`);
  const replica = encoder.words(from.replica, `${prefix}replica`);
  const time = encoder.doubles(from.time ?? [], `${prefix}time`);
  const amount = encoder.doubles(from.amount ?? [], `${prefix}amount`);
  const outOfMemory = encoder.bytes(from.outOfMemory, `${prefix}out_of_memory`);
  const rules = encoder.tables(from.rules, `${prefix}rules`, writeSizeRule, true);
  const periods = encoder.count(from.periods, 1, `${prefix}periods`);
  const cycle = encoder.number(from.cycle, 86400, `${prefix}cycle`);
  learning.Usage.startUsage(builder);
  learning.Usage.addApps(builder, apps);
  learning.Usage.addResources(builder, resources);
  learning.Usage.addApp(builder, app);
  learning.Usage.addReplica(builder, replica);
  learning.Usage.addTime(builder, time);
  learning.Usage.addAmount(builder, amount);
  learning.Usage.addOutOfMemory(builder, outOfMemory);
  learning.Usage.addRules(builder, rules);
  learning.Usage.addPeriods(builder, periods);
  learning.Usage.addCycle(builder, cycle);
  return learning.Usage.endUsage(builder);
}
