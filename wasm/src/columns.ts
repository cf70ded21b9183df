// The instance as columns: the content of instance.fbs as typed arrays, and its conversion to bytes and back.
import * as flatbuffers from 'flatbuffers';
import { appsOf, encodeApps, encodeNodes, nodesOf, type AppColumns, type NodeColumns } from './app-columns.js';
import { reading } from './check.js';
import {
  affinityLimitsOf, interferenceOf, nodeClassOf, nodeGroupOf, placementRuleOf, uncertaintyOf, writeAffinityLimits, writeInterference,
  writeNodeClass, writeNodeGroup, writePlacementRule, writeUncertainty,
  type ClassColumns, type GroupColumns, type InterferenceColumns, type LimitColumns, type RuleColumns, type UncertaintyColumns,
} from './class-columns.js';
import { present, tablesOf, textsOf } from './column-parts.js';
import { Encoder, converting, type Offset } from './encoder.js';
import { invalid } from './errors.js';
import { doubles, word, words, type Doubles, type Words } from './lists.js';
import { Steps, UNTIL_DONE, type CallOptions } from './watch.js';
import * as wire from './wire/instance_generated.js';

/** A dimension of demand and capacity. */
export interface Resource {
  name: string;
  unit?: string | undefined;
  /** The amount of one device, such as one GPU: a replica takes a part of one device, or whole ones. 0 = divisible at will. */
  device?: number | undefined;
}

/** `replicas[k]` replicas of `app[k]` on listed node `node[k]`. */
export interface ResidenceColumns {
  app: Words;
  node: Words;
  replicas: Words;
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
  uncertainty?: UncertaintyColumns | undefined;
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
  const wireLimits = columns.limits === undefined ? 0 : writeAffinityLimits(encoder, columns.limits, 'limits');
  const wireApps = encodeApps(encoder, apps);
  const wireNodes = columns.nodes === undefined || columns.nodes.nodeClass.length === 0 ? 0 : encodeNodes(encoder, columns.nodes);
  const resourceOffsets = resources.map((resource, k) => {
    const name = encoder.required(resource.name, `resources[${k}].name`);
    return wire.Resource.createResource(builder, name, encoder.text(resource.unit, `resources[${k}].unit`), resource.device ?? 0);
  });
  const wireClasses = encoder.tables(columns.classes, 'classes', writeNodeClass, true);
  const wireGroups = encoder.tables(columns.groups, 'groups', writeNodeGroup);
  const wireRules = encoder.tables(columns.rules, 'rules', writePlacementRule);
  const { uncertainty, interference } = columns;
  const wireUncertainty = uncertainty === undefined ? 0 : writeUncertainty(encoder, uncertainty, 'uncertainty');
  const wireInterference = interference === undefined ? 0 : writeInterference(encoder, interference, 'interference');
  const name = encoder.text(columns.name, 'name');
  const wireResources = encoder.vector(resourceOffsets);
  const running = encodeResidences(encoder, columns.running, 'running');
  const pinned = encodeResidences(encoder, columns.pinned, 'pinned');
  const tags = encoder.texts(columns.tags, 'tags');
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

const rootOf = (source: Uint8Array): wire.Instance => wire.Instance.getRootAsInstance(new flatbuffers.ByteBuffer(source));

const resourcesOf = (root: wire.Instance): Resource[] =>
  Array.from({ length: root.resourcesLength() }, (_, k) => {
    const resource = root.resources(k)!;
    const device = resource.device();
    return { name: resource.name() ?? '', unit: present(resource.unit()), ...(device === 0 ? {} : { device }) };
  });

/** Resources, periods and kinds of an instance that the library has read. */
export function resourcesIn(source: Uint8Array): { resources: Resource[]; periods: number; kinds: readonly string[] | undefined } {
  const root = rootOf(source);
  return { resources: resourcesOf(root), periods: root.periods(), kinds: tableOf(root.interference(), interferenceOf, UNTIL_DONE)?.kinds };
}

/** The columns of bytes that the library has made or checked. */
export function columnsIn(source: Uint8Array, steps: Steps): InstanceColumns {
  const root = rootOf(source);
  return {
    name: present(root.name()),
    resources: resourcesOf(root),
    periods: root.periods(),
    apps: appsOf(root.apps()!, steps),
    classes: tablesOf(root.classesLength(), (k) => root.classes(k), nodeClassOf, steps),
    nodes: tableOf(root.nodes(), nodesOf, steps),
    limits: tableOf(root.limits(), affinityLimitsOf, steps),
    running: residencesOf(root.runningLength(), (k) => root.running(k), steps),
    pinned: residencesOf(root.pinnedLength(), (k) => root.pinned(k), steps),
    tags: textsOf(root.tagsLength(), (k) => root.tags(k), steps),
    groups: root.groupsLength() === 0 ? undefined : tablesOf(root.groupsLength(), (k) => root.groups(k), nodeGroupOf, steps),
    rules: root.rulesLength() === 0 ? undefined : tablesOf(root.rulesLength(), (k) => root.rules(k), placementRuleOf, steps),
    uncertainty: tableOf(root.uncertainty(), uncertaintyOf, steps),
    traffic: trafficOf(root, steps),
    interference: tableOf(root.interference(), interferenceOf, steps),
  };
}
