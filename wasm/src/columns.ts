// The instance as columns: the content of instance.fbs as typed arrays, and its conversion to bytes and back.
import * as flatbuffers from 'flatbuffers';
import { appsOf, encodeApps, encodeNodes, nodesOf, type AppColumns, type NodeColumns } from './app-columns.js';
import { reading } from './check.js';
import { present, rowsOf, textsOf, type Rows } from './column-parts.js';
import { Encoder, converting, type Offset } from './encoder.js';
import { invalid } from './errors.js';
import { NONE, code, doubles, listed, word, words, type Doubles, type Words } from './lists.js';
import { Steps, type CallOptions } from './watch.js';
import * as wire from './wire/instance_generated.js';

/** A dimension of demand and capacity. */
export interface Resource {
  name: string;
  unit?: string | undefined;
  /** The amount of one device, such as one GPU: a replica takes a part of one device, or whole ones. 0 = divisible at will. */
  device?: number | undefined;
}

/** A node class: nodes of the same capacity, price and labels. */
export interface ClassColumns {
  name?: string | undefined;
  /** Capacity per resource, in its unit. */
  capacity: Doubles;
  /** Number of nodes; 0 or absent = as many as needed. */
  count?: number | undefined;
  price?: number | undefined;
  labels?: readonly string[] | undefined;
  /**
   * Load that goes with each node of the class: it takes capacity and does not keep the node in use. Length: resources, or
   * resources x periods.
   */
  daemon?: Doubles | undefined;
}

/**
 * Beside at least one replica of app i, at most `atMost[k]` replicas of `app[k]`, for `rowBegin[i]` <= k < `rowBegin[i + 1]`.
 */
export interface LimitColumns {
  rowBegin: Words;
  app: Words;
  atMost: Words;
}

/** `replicas[k]` replicas of `app[k]` on listed node `node[k]`. */
export interface ResidenceColumns {
  app: Words;
  node: Words;
  replicas: Words;
}

/** A node group: sets of nodes, listed or by the values of a label. */
export interface GroupColumns {
  name: string;
  sets?: Rows | undefined;
  setNames?: readonly string[] | undefined;
  byLabel?: string | undefined;
}

/** What a condition counts: replicas of the target in the node set of a subject, node sets that hold a subject, or subjects in two sets. */
export type CardinalityKind = 'replicas' | 'node-sets' | 'skew';
/** How the margin of uncertain demand is computed. */
export type ChanceModel = 'gaussian' | 'bounded-support' | 'factor';
/** Who states a rule. Where a rule of an operator and one of an application contradict, the stricter one holds. */
export type Origin = 'application' | 'operator';
export const CARDINALITY_KINDS: readonly CardinalityKind[] = ['replicas', 'node-sets', 'skew'];
export const CHANCE_MODELS: readonly ChanceModel[] = ['gaussian', 'bounded-support', 'factor'];
export const ORIGINS: readonly Origin[] = ['application', 'operator'];

/** A condition of a placement rule: in each node set that has the subject, how much of the target there may be. */
export interface CardinalityColumns {
  kind?: CardinalityKind | undefined;
  subject: Words;
  target?: Words | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** Index of a group; absent = each node is a set of its own. */
  group?: number | undefined;
  negated?: boolean | undefined;
}

/** A placement rule: one of its conjunctions of conditions has to hold. */
export interface RuleColumns {
  name?: string | undefined;
  anyOf: readonly (readonly CardinalityColumns[])[];
  hard?: boolean | undefined;
  weight?: number | undefined;
  origin?: Origin | undefined;
}

/** An instance as columns. Indices are positions: app 0 is the first entry of `apps.replicas`. */
export interface InstanceColumns {
  name?: string | undefined;
  resources: readonly Resource[];
  /** Number of periods; default 1 = constant demand. */
  periods?: number | undefined;
  apps: AppColumns;
  classes: readonly ClassColumns[];
  nodes?: NodeColumns | undefined;
  limits?: LimitColumns | undefined;
  running?: ResidenceColumns | undefined;
  pinned?: ResidenceColumns | undefined;
  tags?: readonly string[] | undefined;
  groups?: readonly GroupColumns[] | undefined;
  rules?: readonly RuleColumns[] | undefined;
  uncertainty?: { model?: ChanceModel | undefined; confidence?: number | undefined; factor?: number | undefined } | undefined;
  interference?: InterferenceColumns | undefined;
  traffic?: TrafficColumns | undefined;
}

/** Traffic between the replicas of two apps, each pair once. With the objective "traffic", plans keep it on nodes. */
export interface TrafficColumns {
  app: Words;
  peer: Words;
  /** Of all replicas together, in any unit. */
  amount: Doubles;
}

/** What side effects cost: a replica of kind t, the sum over all kinds u of coefficient x the load of kind u on its node. */
export interface InterferenceColumns {
  kinds?: readonly string[] | undefined;
  /** Kinds x kinds, row-major. */
  coefficient: Doubles;
  /** Index of the resource that is the load: of an app, its largest demand over time. Default: 0. */
  resource?: number | undefined;
  /** The most that a replica of each kind may cost; Infinity = no limit. */
  maxCost?: Doubles | undefined;
}

// ------------------------------------------------------------------------------------------------------------- to bytes

function encodeResidences(encoder: Encoder, list: ResidenceColumns | undefined, path: string): Offset {
  if (list === undefined || list.app.length === 0) return 0;
  const { builder, steps } = encoder;
  const app = words(list.app, `${path}.app`, steps);
  const node = words(list.node, `${path}.node`, steps);
  const replicas = words(list.replicas, `${path}.replicas`, steps);
  if (node.length !== app.length || replicas.length !== app.length) throw invalid(path, 'its columns differ in length');
  return encoder.structs(12, 4, app.length, (k) => wire.Residence.createResidence(builder, app[k]!, node[k]!, replicas[k]!));
}

function encodeTraffic(encoder: Encoder, list: TrafficColumns | undefined): Offset {
  if (list === undefined || list.amount.length === 0) return 0;
  const { builder, steps } = encoder;
  const app = words(list.app, 'traffic.app', steps);
  const peer = words(list.peer, 'traffic.peer', steps);
  const amount = doubles(list.amount, 'traffic.amount', steps);
  if (peer.length !== app.length || amount.length !== app.length) throw invalid('traffic', 'its columns differ in length');
  return encoder.structs(16, 8, app.length, (k) => wire.Traffic.createTraffic(builder, app[k]!, peer[k]!, amount[k]!));
}

/** Estimate of the buffer's size in bytes, on the high side, so that the buffer need not grow. */
function sizeEstimate(columns: InstanceColumns): number {
  const { apps, nodes, limits } = columns;
  const length = (list: ArrayLike<unknown> | undefined): number => list?.length ?? 0;
  const text = (list: readonly string[] | undefined): number =>
    list === undefined ? 0 : list.reduce((sum, one) => sum + 3 * length(one) + 16, 0);
  return (
    4096 +
    8 * (length(apps.demand) + length(apps.variance) + length(apps.supportMin) + length(apps.supportMax) + length(apps.weight)) +
    4 * (length(apps.replicas) + length(apps.priority) + length(apps.kind)) +
    4 * (length(apps.tags?.begin) + length(apps.tags?.index)) +
    4 * (length(apps.only?.begin) + length(apps.only?.index) + length(apps.not?.begin) + length(apps.not?.index)) +
    text(apps.names) + text(nodes?.names) + text(columns.tags) +
    8 * (length(nodes?.load) + length(nodes?.loadVariance) + length(nodes?.daemon)) + 5 * length(nodes?.nodeClass) +
    4 * (length(nodes?.tags?.begin) + length(nodes?.tags?.index)) +
    4 * (length(limits?.rowBegin) + length(limits?.app) + length(limits?.atMost)) +
    12 * (length(columns.running?.app) + length(columns.pinned?.app)) +
    columns.classes.reduce((sum, one) => sum + 128 + 8 * (length(one.capacity) + length(one.daemon)) + text(one.labels), 0)
  );
}

function encodeLimits(encoder: Encoder, limits: LimitColumns | undefined): Offset {
  if (limits === undefined) return 0;
  const app = encoder.words(limits.app, 'limits.app');
  const atMost = encoder.words(limits.atMost, 'limits.at_most');
  const rowBegin = encoder.words(limits.rowBegin, 'limits.row_begin');
  return wire.AffinityLimits.createAffinityLimits(encoder.builder, rowBegin, app, atMost);
}

function encodeClass(encoder: Encoder, one: ClassColumns, k: number): Offset {
  const { builder } = encoder;
  const path = `classes[${k}]`;
  const name = encoder.text(one.name, `${path}.name`);
  const capacity = encoder.doubles(one.capacity, `${path}.capacity`);
  const labels = encoder.texts(one.labels, `${path}.labels`);
  const price = one.price ?? -1;
  if (typeof price !== 'number') throw invalid(`${path}.price`, 'must be a number');
  const daemon = encoder.doubles(one.daemon, `${path}.daemon`);
  const count = word(one.count ?? 0, `${path}.count`);
  return wire.NodeClass.createNodeClass(builder, name, capacity, count, price, labels, daemon);
}

function encodeGroup(encoder: Encoder, group: GroupColumns, k: number): Offset {
  const { builder } = encoder;
  const path = `groups[${k}]`;
  const name = encoder.required(group.name, `${path}.name`);
  const setBegin = encoder.words(group.sets?.begin, `${path}.set_begin`);
  const node = encoder.words(group.sets?.index, `${path}.node`);
  const setNames = encoder.texts(group.setNames, `${path}.set_names`);
  const byLabel = encoder.text(group.byLabel, `${path}.by_label`);
  return wire.NodeGroup.createNodeGroup(builder, name, setBegin, node, setNames, byLabel);
}

function encodeUncertainty({ builder }: Encoder, uncertainty: InstanceColumns['uncertainty']): Offset {
  if (uncertainty === undefined) return 0;
  const model = code(uncertainty.model, CHANCE_MODELS, 'uncertainty.model');
  const { confidence = 0.99, factor = 0 } = uncertainty;
  return wire.Uncertainty.createUncertainty(builder, model, confidence, factor);
}

function encodeInterference(encoder: Encoder, interference: InterferenceColumns | undefined): Offset {
  if (interference === undefined) return 0;
  const { builder } = encoder;
  const kinds = encoder.texts(interference.kinds, 'interference.kinds');
  const coefficient = encoder.doubles(interference.coefficient, 'interference.coefficient');
  const resource = word(interference.resource ?? 0, 'interference.resource');
  const maxCost = encoder.doubles(interference.maxCost, 'interference.max_cost');
  return wire.Interference.createInterference(builder, kinds, coefficient, resource, maxCost);
}

/** The bytes of an instance (`.stow`). Whether its content makes sense is seen when it is loaded. */
export function encodeInstance(columns: InstanceColumns, options: CallOptions = {}): Uint8Array {
  return writeInstance(columns, new Steps(options));
}

export function writeInstance(columns: InstanceColumns, steps: Steps): Uint8Array {
  return converting('the columns of an instance', steps, () => bytesOf(columns, steps));
}

function bytesOf(columns: InstanceColumns, steps: Steps): Uint8Array {
  const { apps, resources } = columns;
  if (typeof apps !== 'object' || apps === null) throw invalid('apps', 'must be an object of columns');
  for (const list of ['resources', 'classes'] as const) {
    if (!Array.isArray(columns[list])) throw invalid(list, 'must be a list');
  }
  const encoder = new Encoder(sizeEstimate(columns), steps);
  const { builder } = encoder;
  const wireLimits = encodeLimits(encoder, columns.limits);
  const wireApps = encodeApps(encoder, apps);
  const wireNodes = columns.nodes === undefined || columns.nodes.nodeClass.length === 0 ? 0 : encodeNodes(encoder, columns.nodes);
  const resourceOffsets = resources.map((resource, k) => {
    const name = encoder.required(resource.name, `resources[${k}].name`);
    return wire.Resource.createResource(builder, name, encoder.text(resource.unit, `resources[${k}].unit`), resource.device ?? 0);
  });
  const classes = columns.classes.map((one, k) => encodeClass(encoder, one, k));
  const groups = listed(columns.groups, 'groups').map((group, k) => encodeGroup(encoder, group, k));
  const rules = listed(columns.rules, 'rules').map((rule, k) => encodeRule(encoder, rule, `rules[${k}]`));
  const wireUncertainty = encodeUncertainty(encoder, columns.uncertainty);
  const wireInterference = encodeInterference(encoder, columns.interference);
  const name = encoder.text(columns.name, 'name');
  const wireResources = encoder.vector(resourceOffsets);
  const wireClasses = encoder.vector(classes);
  const running = encodeResidences(encoder, columns.running, 'running');
  const pinned = encodeResidences(encoder, columns.pinned, 'pinned');
  const tags = encoder.texts(columns.tags, 'tags');
  const wireGroups = groups.length === 0 ? 0 : encoder.vector(groups);
  const wireRules = rules.length === 0 ? 0 : encoder.vector(rules);
  const traffic = encodeTraffic(encoder, columns.traffic);
  const periods = word(columns.periods ?? 1, 'periods');

  wire.Instance.startInstance(builder);
  wire.Instance.addName(builder, name);
  wire.Instance.addResources(builder, wireResources);
  wire.Instance.addPeriods(builder, periods);
  wire.Instance.addApps(builder, wireApps);
  wire.Instance.addClasses(builder, wireClasses);
  wire.Instance.addNodes(builder, wireNodes);
  wire.Instance.addLimits(builder, wireLimits);
  wire.Instance.addRunning(builder, running);
  wire.Instance.addPinned(builder, pinned);
  wire.Instance.addTags(builder, tags);
  wire.Instance.addGroups(builder, wireGroups);
  wire.Instance.addRules(builder, wireRules);
  wire.Instance.addUncertainty(builder, wireUncertainty);
  wire.Instance.addInterference(builder, wireInterference);
  wire.Instance.addTraffic(builder, traffic);
  wire.Instance.finishInstanceBuffer(builder, wire.Instance.endInstance(builder));
  // A copy, which releases the unused part of the buffer and aligns the columns for their types.
  return builder.asUint8Array().slice();
}

function encodeRule(encoder: Encoder, rule: RuleColumns, path: string): Offset {
  const { builder } = encoder;
  const name = encoder.text(rule.name, `${path}.name`);
  const anyOf = rule.anyOf.map((conjunction, c) => {
    const allOf = conjunction.map((one, k) => {
      const at = `${path}.any_of[${c}].all_of[${k}]`;
      const subject = encoder.words(one.subject, `${at}.subject`);
      const target = encoder.words(one.target, `${at}.target`);
      return wire.Cardinality.createCardinality(
        builder, code(one.kind, CARDINALITY_KINDS, `${at}.kind`), subject, target, word(one.min ?? 0, `${at}.min`),
        word(one.max ?? NONE, `${at}.max`), word(one.group ?? NONE, `${at}.group`), one.negated ?? false,
      );
    });
    return wire.Conjunction.createConjunction(builder, encoder.vector(allOf));
  });
  const origin = code(rule.origin, ORIGINS, `${path}.origin`);
  return wire.PlacementRule.createPlacementRule(
    builder, name, encoder.vector(anyOf), rule.hard ?? true, rule.weight ?? 1, origin,
  );
}

// ----------------------------------------------------------------------------------------------------------- from bytes

function residencesOf(count: number, at: (index: number) => wire.Residence | null, steps: Steps): ResidenceColumns | undefined {
  if (count === 0) return undefined;
  const columns = { app: new Uint32Array(count), node: new Uint32Array(count), replicas: new Uint32Array(count) };
  for (let k = 0; k < count; ++k) {
    steps.step();
    const one = at(k)!;
    columns.app[k] = one.app();
    columns.node[k] = one.node();
    columns.replicas[k] = one.replicas();
  }
  return columns;
}

function ruleOf(rule: wire.PlacementRule, steps: Steps): RuleColumns {
  const anyOf = Array.from({ length: rule.anyOfLength() }, (_, c) => {
    const conjunction = rule.anyOf(c)!;
    return Array.from({ length: conjunction.allOfLength() }, (__, k) => {
      steps.step();
      const one = conjunction.allOf(k)!;
      return {
        kind: CARDINALITY_KINDS[one.kind()],
        subject: one.subjectArray() ?? new Uint32Array(),
        target: present(one.targetArray()),
        min: one.min(),
        max: one.max(),
        group: one.group() === NONE ? undefined : one.group(),
        negated: one.negated(),
      };
    });
  });
  return {
    name: present(rule.name()), anyOf, hard: rule.hard(), weight: rule.weight(), origin: ORIGINS[rule.origin()],
  };
}

function classOf(one: wire.NodeClass, steps: Steps): ClassColumns {
  return {
    name: present(one.name()),
    capacity: one.capacityArray()!,
    count: one.count(),
    price: one.price() < 0 ? undefined : one.price(),
    labels: textsOf(one.labelsLength(), (i) => one.labels(i), steps),
    daemon: present(one.daemonArray()),
  };
}

function limitsOf(limits: wire.AffinityLimits): LimitColumns {
  return {
    rowBegin: limits.rowBeginArray() ?? new Uint32Array(),
    app: limits.appArray() ?? new Uint32Array(),
    atMost: limits.atMostArray() ?? new Uint32Array(),
  };
}

function uncertaintyOf(uncertainty: wire.Uncertainty): InstanceColumns['uncertainty'] {
  return { model: CHANCE_MODELS[uncertainty.model()], confidence: uncertainty.confidence(), factor: uncertainty.factor() };
}

function groupOf(group: wire.NodeGroup, steps: Steps): GroupColumns {
  return {
    name: group.name() ?? '',
    sets: rowsOf(group.setBeginArray(), group.nodeArray()),
    setNames: textsOf(group.setNamesLength(), (i) => group.setNames(i), steps),
    byLabel: present(group.byLabel()),
  };
}

function interferenceOf(interference: wire.Interference, steps: Steps): InterferenceColumns {
  return {
    kinds: textsOf(interference.kindsLength(), (k) => interference.kinds(k), steps),
    coefficient: interference.coefficientArray()!,
    resource: interference.resource(),
    maxCost: interference.maxCostLength() === 0 ? undefined : interference.maxCostArray()!,
  };
}

function trafficOf(root: wire.Instance, steps: Steps): TrafficColumns | undefined {
  const length = root.trafficLength();
  if (length === 0) return undefined;
  const columns = { app: new Uint32Array(length), peer: new Uint32Array(length), amount: new Float64Array(length) };
  for (let k = 0; k < length; ++k) {
    steps.step();
    const one = root.traffic(k)!;
    columns.app[k] = one.app();
    columns.peer[k] = one.peer();
    columns.amount[k] = one.amount();
  }
  return columns;
}

/** What a list of tables holds; undefined where it is empty. */
function listOf<Table, Entry>(
  length: number, at: (k: number) => Table | null, of: (one: Table, steps: Steps) => Entry, steps: Steps,
): Entry[] | undefined {
  if (length === 0) return undefined;
  return Array.from({ length }, (_, k) => {
    steps.step();
    return of(at(k)!, steps);
  });
}

/** What a table holds; undefined where there is none. */
function tableOf<Table, Entry>(table: Table | null, of: (one: Table, steps: Steps) => Entry, steps: Steps): Entry | undefined {
  return table === null ? undefined : of(table, steps);
}

/**
 * The columns of an instance's bytes, which the library checks first: load it on this thread before (`loadStowage`,
 * `startStowageWorker`). Large columns are views of `bytes`, which must not change.
 * @throws StowageError `MALFORMED`, `INVALID` or `LIMIT_EXCEEDED` with the path of what cannot be read
 */
export function decodeInstance(bytes: Uint8Array, options: CallOptions = {}): InstanceColumns {
  return reading('instance', bytes, columnsIn, options);
}

function columnsIn(source: Uint8Array, steps: Steps): InstanceColumns {
  const root = wire.Instance.getRootAsInstance(new flatbuffers.ByteBuffer(source));
  return {
    name: present(root.name()),
    resources: Array.from({ length: root.resourcesLength() }, (_, k) => {
      const resource = root.resources(k)!;
      const device = resource.device();
      return { name: resource.name() ?? '', unit: present(resource.unit()), ...(device === 0 ? {} : { device }) };
    }),
    periods: root.periods(),
    apps: appsOf(root.apps()!, steps),
    classes: listOf(root.classesLength(), (k) => root.classes(k), classOf, steps) ?? [],
    nodes: tableOf(root.nodes(), nodesOf, steps),
    limits: tableOf(root.limits(), limitsOf, steps),
    running: residencesOf(root.runningLength(), (k) => root.running(k), steps),
    pinned: residencesOf(root.pinnedLength(), (k) => root.pinned(k), steps),
    tags: textsOf(root.tagsLength(), (k) => root.tags(k), steps),
    groups: listOf(root.groupsLength(), (k) => root.groups(k), groupOf, steps),
    rules: listOf(root.rulesLength(), (k) => root.rules(k), ruleOf, steps),
    uncertainty: tableOf(root.uncertainty(), uncertaintyOf, steps),
    traffic: trafficOf(root, steps),
    interference: tableOf(root.interference(), interferenceOf, steps),
  };
}
