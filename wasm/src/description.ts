// The instance as people write it (docs/reference/json-format.md): objects with names and quantities. The library stowage_text reads and writes
// them.
import type { Limits } from './abi.js';
import type { AppNumbers } from './app-columns.js';
import type { CardinalityKind, ChanceModel, Origin } from './class-columns.js';
import { columnsIn, writeInstance, type InstanceColumns } from './columns.js';
import { jsonBytes, ofText, textIn } from './text.js';
import { Steps, type CallOptions } from './watch.js';

/** A number in the resource's unit, or a quantity such as "500m" or "2Gi". */
export type Quantity = number | string;
/** One quantity for all periods, or one per period. */
export type Profile = Quantity | readonly Quantity[];
/** Values by resource name. */
export type PerResource<Value> = Readonly<Record<string, Value>>;
/** Replica counts by app name. */
export type PerApp = Readonly<Record<string, number>>;
/** One tag or several. */
export type Tags = string | readonly string[];

/** An app: identical replicas. */
export interface AppDescription extends AppNumbers {
  name?: string;
  /** Default: 1. */
  replicas?: number;
  demand: PerResource<Profile>;
  /** Maximum number of replicas of this app on one node. */
  max_per_node?: number;
  /**
   * Affinity limits: beside at least one replica of this app, the maximum number of replicas of each named app on the same
   * node.
   */
  limits?: PerApp;
  tags?: Tags;
  /** Labels or tags that every node of the app carries. */
  only?: Tags;
  /** Labels or tags that no node of the app carries. */
  not?: Tags;
  /** In the square of the unit; `demand` is then the mean. */
  variance?: PerResource<number>;
  /** Standard deviation, instead of a variance. */
  deviation?: PerResource<Quantity>;
  /** `[smallest, largest]` possible demand per resource. */
  support?: PerResource<readonly [Quantity, Quantity]>;
  kind?: string | number;
}

/** A node class: nodes of the same capacity, price and labels. */
export interface ClassDescription {
  name?: string;
  capacity: PerResource<Quantity>;
  /** Default: 0 = as many as needed. */
  count?: number;
  price?: number;
  labels?: Readonly<Record<string, string | true>> | readonly string[];
  /** Load that goes with each node of the class: it takes capacity and does not keep the node in use. */
  daemon?: PerResource<Profile>;
}

/** A listed node, with what runs there. */
export interface NodeDescription {
  name?: string;
  /** May be absent where there is one class. */
  class?: string;
  load?: PerResource<Profile>;
  load_variance?: PerResource<number>;
  load_deviation?: PerResource<Quantity>;
  /** Load that goes with the node. Default: that of its class. */
  daemon?: PerResource<Profile>;
  closed?: boolean;
  tags?: Tags;
  running?: PerApp;
  pinned?: PerApp;
}

/** A node group: sets of nodes, listed or by the values of a label. */
export interface GroupDescription {
  name: string;
  sets?: Readonly<Record<string, readonly string[]>> | readonly (readonly string[])[];
  by_label?: string;
}

/** A condition of a placement rule. */
export interface ConditionDescription {
  kind?: CardinalityKind;
  subject: Tags;
  target?: Tags;
  min?: number;
  max?: number;
  group?: string;
  negated?: boolean;
}

/** A placement rule: all conditions of `all_of`, or all of one list in `any_of`, have to hold. */
export interface RuleDescription {
  name?: string;
  all_of?: readonly ConditionDescription[];
  any_of?: readonly (readonly ConditionDescription[])[];
  hard?: boolean;
  weight?: number;
  origin?: Origin;
}

/** An instance with names instead of indices: the JSON format that the command line reads and writes. */
export interface InstanceDescription {
  stowage: 1;
  $schema?: string;
  name?: string;
  /**
   * Units by resource name, in the order of the resources. JavaScript puts integer-like names first. With `device`, the amount of
   * one device, a replica takes a part of one device, or whole ones.
   */
  resources: Readonly<Record<string, string | { unit?: string; device?: number }>>;
  periods?: number;
  classes: readonly ClassDescription[];
  apps: readonly AppDescription[];
  nodes?: readonly NodeDescription[];
  groups?: readonly GroupDescription[];
  rules?: readonly RuleDescription[];
  /** `confidence` is a probability, such as 0.999 or "99.9%". */
  uncertainty?: { model?: ChanceModel; confidence?: number | string; factor?: number };
  /** `resource` is a name, the first one if left out; `max_cost` has limits by the name of the kind or its position. */
  interference?: {
    kinds?: readonly string[];
    coefficient: readonly (readonly number[])[];
    resource?: string;
    max_cost?: Readonly<Record<string, number>>;
  };
  /** Apps by name or position; each pair once. */
  traffic?: readonly { app: string; peer: string; amount: number }[];
}

/** The bytes of an instance that is described. Its content is checked when it is loaded. */
export function readDescription(description: InstanceDescription | string, steps: Steps, limits?: Limits): Uint8Array {
  return ofText('stowage_instance_from_json', [jsonBytes(description, 'an instance', steps)], steps, limits);
}

/**
 * Converts a description, or its JSON, to columns. Needs `loadText`.
 * @throws StowageError with the path of the first wrong value
 */
export function columnsOf(description: InstanceDescription | string, options: CallOptions = {}): InstanceColumns {
  const steps = new Steps(options);
  return columnsIn(readDescription(description, steps), steps);
}

/** The JSON of an instance's bytes. */
export const writeDescription = (bytes: Uint8Array, steps: Steps): string =>
  textIn(ofText('stowage_instance_to_json', [bytes], steps));

/** The description of an instance, as an object; `instanceToJson` gives it as text. Needs `loadText`. */
export function describeInstance(columns: InstanceColumns, options: CallOptions = {}): InstanceDescription {
  const steps = new Steps(options);
  return JSON.parse(writeDescription(writeInstance(columns, steps), steps)) as InstanceDescription;
}

/** The name of an app, or its position as "#3". */
export const appName = (columns: InstanceColumns, app: number): string => columns.apps.names?.[app] ?? `#${app}`;

/** The name of a listed node, or its position as "#3". */
export const listedName = (columns: InstanceColumns, node: number): string => columns.nodes?.names?.[node] ?? `#${node}`;
