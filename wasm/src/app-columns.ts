// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// Apps and listed nodes as columns.
import { present, rowsOf, textsOf, type Rows } from './column-parts.js';
import type { Encoder, Offset } from './encoder.js';
import type { Doubles, Words } from './lists.js';
import type { Steps } from './watch.js';
import * as wire from './wire/instance_generated.js';

/** Numbers that an app may have. */
export interface AppNumbers {
  /** Where not all replicas fit, apps of higher priority are placed first. May be negative. Default: 0. */
  priority?: number;
  /**
   * What one replica counts where not all of the same priority fit: the sum over those left over is made small. Above 0. Default:
   * 1.
   */
  weight?: number;
}

/** The apps, one item of each column per app. */
export interface AppColumns {
  /** Unique names. Length: apps; where absent, apps are known by their index alone. */
  names?: readonly string[] | undefined;
  /** Replicas wanted in total, running ones included. Length: apps. */
  replicas: Words;
  /**
   * Demand of one replica in the resource's unit; the mean where `variance` is given. Length: apps x resources (the same in every
   * period) or apps x resources x periods, row-major in that order.
   */
  demand: Doubles;
  /** Where not all replicas fit, apps of higher priority are placed first. May be negative. Length: apps; absent = all 0. */
  priority?: Int32Array | readonly number[] | undefined;
  /**
   * Variance of one replica's demand in every period, in the square of the resource's unit. Replicas vary independently. Length:
   * apps x resources; 0 = known exactly.
   */
  variance?: Doubles | undefined;
  /** Smallest and largest possible demand of one replica, for chance model `'bounded-support'`. Length: apps x resources. */
  supportMin?: Doubles | undefined;
  supportMax?: Doubles | undefined;
  /** Kind of each app in the side-effects model, an index into the instance's kinds. Length: apps. */
  kind?: Words | undefined;
  /** Tags that every replica of an app carries. */
  tags?: Rows | undefined;
  /**
   * What one replica counts where not all of the same priority fit: the sum over those left over is made small. Above 0. Length:
   * apps; absent = all 1.
   */
  weight?: Doubles | undefined;
  /** Tags that every node of an app carries, as labels of its class or tags of its own. */
  only?: Rows | undefined;
  /** Tags that no node of an app carries. */
  not?: Rows | undefined;
}

/** @internal */
export function encodeApps(encoder: Encoder, apps: AppColumns): Offset {
  const names = encoder.texts(apps.names, 'apps.names');
  const replicas = encoder.words(apps.replicas ?? [], 'apps.replicas');
  const demand = encoder.doubles(apps.demand ?? [], 'apps.demand');
  const priority = encoder.integers(apps.priority, 'apps.priority');
  const variance = encoder.doubles(apps.variance, 'apps.variance');
  const supportMin = encoder.doubles(apps.supportMin, 'apps.support_min');
  const supportMax = encoder.doubles(apps.supportMax, 'apps.support_max');
  const kind = encoder.words(apps.kind, 'apps.kind');
  const tagBegin = encoder.words(apps.tags?.begin, 'apps.tag_begin');
  const tagIndex = encoder.words(apps.tags?.index, 'apps.tag_index');
  const weight = encoder.doubles(apps.weight, 'apps.weight');
  const onlyBegin = encoder.words(apps.only?.begin, 'apps.only_begin');
  const onlyIndex = encoder.words(apps.only?.index, 'apps.only_index');
  const notBegin = encoder.words(apps.not?.begin, 'apps.not_begin');
  const notIndex = encoder.words(apps.not?.index, 'apps.not_index');
  const { builder } = encoder;
  wire.Apps.startApps(builder);
  wire.Apps.addNames(builder, names);
  wire.Apps.addReplicas(builder, replicas);
  wire.Apps.addDemand(builder, demand);
  wire.Apps.addPriority(builder, priority);
  wire.Apps.addVariance(builder, variance);
  wire.Apps.addSupportMin(builder, supportMin);
  wire.Apps.addSupportMax(builder, supportMax);
  wire.Apps.addKind(builder, kind);
  wire.Apps.addTagBegin(builder, tagBegin);
  wire.Apps.addTagIndex(builder, tagIndex);
  wire.Apps.addWeight(builder, weight);
  wire.Apps.addOnlyBegin(builder, onlyBegin);
  wire.Apps.addOnlyIndex(builder, onlyIndex);
  wire.Apps.addNotBegin(builder, notBegin);
  wire.Apps.addNotIndex(builder, notIndex);
  return wire.Apps.endApps(builder);
}

/** @internal */
export const appsOf = (from: wire.Apps, steps: Steps): AppColumns => ({
  names: textsOf(from.namesLength(), (k) => from.names(k), steps),
  replicas: from.replicasArray()!,
  demand: from.demandLength() === 0 ? new Float64Array() : from.demandArray()!,
  priority: present(from.priorityArray()),
  variance: from.varianceLength() === 0 ? undefined : from.varianceArray()!,
  supportMin: from.supportMinLength() === 0 ? undefined : from.supportMinArray()!,
  supportMax: from.supportMaxLength() === 0 ? undefined : from.supportMaxArray()!,
  kind: present(from.kindArray()),
  tags: rowsOf(from.tagBeginArray(), from.tagIndexArray()),
  weight: from.weightLength() === 0 ? undefined : from.weightArray()!,
  only: rowsOf(from.onlyBeginArray(), from.onlyIndexArray()),
  not: rowsOf(from.notBeginArray(), from.notIndexArray()),
});

/** The listed nodes, one item of each column per node. */
export interface NodeColumns {
  /** Class of each listed node, an index into the instance's classes. Length: listed nodes. */
  nodeClass: Words;
  /** Unique names. Length: listed nodes. */
  names?: readonly string[] | undefined;
  /**
   * Load of each node that belongs to no app of the instance and that no plan changes, in the resource's unit. Length: listed
   * nodes x resources, or listed nodes x resources x periods, row-major.
   */
  load?: Doubles | undefined;
  /**
   * Variance of that load, in the square of the resource's unit; with chance model `'bounded-support'`, the square of the width
   * of its support. Length: listed nodes x resources; 0 where there is no load.
   */
  loadVariance?: Doubles | undefined;
  /** 1 = the node accepts no new replicas (cordoned), 0 = it does. Length: listed nodes. */
  closed?: Uint8Array | readonly number[] | undefined;
  /** Tags of single nodes, in addition to the labels of their class. */
  tags?: Rows | undefined;
  /** Load that goes with each node, in place of `daemon` of its class. Length as `load`; absent = as the classes say. */
  daemon?: Doubles | undefined;
}

/** @internal */
export function encodeNodes(encoder: Encoder, nodes: NodeColumns): Offset {
  const nodeClass = encoder.words(nodes.nodeClass ?? [], 'nodes.node_class');
  const names = encoder.texts(nodes.names, 'nodes.names');
  const load = encoder.doubles(nodes.load, 'nodes.load');
  const loadVariance = encoder.doubles(nodes.loadVariance, 'nodes.load_variance');
  const closed = encoder.bytes(nodes.closed, 'nodes.closed');
  const tagBegin = encoder.words(nodes.tags?.begin, 'nodes.tag_begin');
  const tagIndex = encoder.words(nodes.tags?.index, 'nodes.tag_index');
  const daemon = encoder.doubles(nodes.daemon, 'nodes.daemon');
  const { builder } = encoder;
  wire.Nodes.startNodes(builder);
  wire.Nodes.addNodeClass(builder, nodeClass);
  wire.Nodes.addNames(builder, names);
  wire.Nodes.addLoad(builder, load);
  wire.Nodes.addLoadVariance(builder, loadVariance);
  wire.Nodes.addClosed(builder, closed);
  wire.Nodes.addTagBegin(builder, tagBegin);
  wire.Nodes.addTagIndex(builder, tagIndex);
  wire.Nodes.addDaemon(builder, daemon);
  return wire.Nodes.endNodes(builder);
}

/** @internal */
export const nodesOf = (from: wire.Nodes, steps: Steps): NodeColumns => ({
  nodeClass: from.nodeClassArray()!,
  names: textsOf(from.namesLength(), (k) => from.names(k), steps),
  load: from.loadLength() === 0 ? undefined : from.loadArray()!,
  loadVariance: from.loadVarianceLength() === 0 ? undefined : from.loadVarianceArray()!,
  closed: present(from.closedArray()),
  tags: rowsOf(from.tagBeginArray(), from.tagIndexArray()),
  daemon: from.daemonLength() === 0 ? undefined : from.daemonArray()!,
});
