// Operations on a session as people write them (docs/understand/sessions.md). The library stowage_text reads them.
import type { Limits } from './abi.js';
import { resourcesIn, writeInstance } from './columns.js';
import type { AppDescription, NodeDescription, PerResource, Profile, RuleDescription } from './description.js';
import { bytesOfSource, type InstanceSource } from './source.js';
import { jsonBytes, ofText } from './text.js';
import { Steps, UNTIL_DONE, type CallOptions } from './watch.js';

/** A new app, whose replicas are pending. An app in `limits` need not exist yet. */
export type SubmitOperation = { op: 'submit'; app: string } & Omit<AppDescription, 'name'>;

/** A new node. */
export type AddNodeOperation = {
  op: 'add-node';
  node: string;
  /** The sets that the node joins, by group: one or several. A set that does not exist is created. */
  sets?: Readonly<Record<string, string | readonly string[]>>;
} & Pick<NodeDescription, 'class' | 'load' | 'load_variance' | 'load_deviation' | 'daemon' | 'tags'>;

/**
 * A change of a cluster. Apps, nodes, classes, groups, sets and rules are given by name. docs/understand/sessions.md describes each
 * operation.
 */
export type Operation =
  | SubmitOperation
  | { op: 'scale'; app: string; replicas: number }
  | { op: 'remove'; app: string }
  | { op: 'pin'; app: string; node: string; replicas: number }
  | AddNodeOperation
  | { op: 'remove-node' | 'cordon' | 'uncordon' | 'drain' | 'fail'; node: string }
  | ({ op: 'load'; node: string; load: PerResource<Profile> } & Pick<NodeDescription, 'load_variance' | 'load_deviation'>)
  | { op: 'add-rule'; rule: RuleDescription & { name: string } }
  | { op: 'remove-rule'; rule: string }
  | { op: 'traffic'; app: string; peer: string; amount: number };

/** Operations that are applied together, or none of them. */
export interface Batch {
  op: 'batch';
  operations: readonly Operation[];
}

/** Operations as objects or as their JSON, both of which need `loadText` where it is not a worker that reads them; or as bytes (session.fbs). */
export type OperationSource = Operation | Batch | readonly Operation[] | string | Uint8Array;

/** An instance that has what operations depend on, and nothing else: the resources, periods and kinds of one that the library has read. */
export function termsOf(instance: Uint8Array): Uint8Array {
  const { resources, periods, kinds } = resourcesIn(instance);
  const ones = (length: number): Float64Array => new Float64Array(length).fill(1);
  const interference = kinds === undefined ? {} : { interference: { kinds, coefficient: ones(kinds.length ** 2) } };
  return writeInstance({
    // Amounts per device say nothing of operations.
    resources: resources.map((one) => ({ ...one, device: 0 })),
    periods, classes: [{ capacity: ones(resources.length) }], apps: { replicas: [], demand: [] }, ...interference,
  }, UNTIL_DONE);
}

/** The bytes of operations, in whichever form they are given. */
export function operationBytes(operations: OperationSource, terms: Uint8Array, steps: Steps, limits?: Limits): Uint8Array {
  if (operations instanceof Uint8Array) return operations;
  return ofText('stowage_operations_from_json', [terms, jsonBytes(operations, 'operations', steps)], steps, limits);
}

/**
 * The bytes of operations (session.fbs). Needs `loadText`.
 * @param cluster an instance with the resources, periods and kinds of the session, such as the one that it was opened on
 */
export function encodeOperations(operations: Exclude<OperationSource, Uint8Array>, cluster: InstanceSource, options: CallOptions = {}): Uint8Array {
  const steps = new Steps(options);
  return operationBytes(operations, bytesOfSource(cluster, steps), steps);
}
