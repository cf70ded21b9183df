// The messages between a worker and its client. The worker handles one call at a time; the client numbers instances,
// sessions and models.
import type { ErrorCode } from './errors.js';
import type { Limits } from './abi.js';
import type { AnyPlanner } from './request-parts.js';
import type { PlanRequest } from './request.js';
import type { InstanceSource } from './source.js';
import type { Progress } from './watch.js';

/** How a call in the worker is watched, and ended before it is done. */
export interface RemoteWatch {
  /** Shared with the client, which sets its only entry to 1 to cancel the call. */
  flag?: Int32Array | undefined;
  deadlineMs?: number | undefined;
  /** Minimum milliseconds between two progress messages; undefined = no progress messages. */
  progressInterval?: number | undefined;
}

export type Call =
  | { call: 'start'; module: WebAssembly.Module; text: string }
  | { call: 'encode'; source: InstanceSource }
  | { call: 'instance'; instance: number; source: InstanceSource; limits: Limits | undefined; keep: boolean }
  | { call: 'derive'; from: number; derivation: Uint8Array; limits: Limits | undefined; instance: number; keep: boolean }
  | { call: 'instance-bytes'; instance: number }
  | { call: 'free'; number: number }
  | { call: 'plan'; instance: number; request: PlanRequest | AnyPlanner }
  | { call: 'verify'; instance: number; plan: Uint8Array }
  | { call: 'explain'; instance: number; plan: Uint8Array; app: number }
  | { call: 'headroom'; instance: number; plan: Uint8Array; app: number; node: number }
  | { call: 'headroom-of-apps'; instance: number; plan: Uint8Array | undefined; most: number }
  | { call: 'losses'; instance: number; plan: Uint8Array | undefined; nodes: Uint32Array; label: string }
  | { call: 'order-moves'; instance: number; plan: Uint8Array; perNode: number; appShare: number }
  | { call: 'bound'; instance: number }
  | { call: 'session'; session: number; source: InstanceSource; limits: Limits | undefined; keep: boolean }
  | { call: 'apply'; session: number; operations: Uint8Array | string; keep: boolean }
  | { call: 'session-instance'; session: number; instance: number; keep: boolean }
  | { call: 'session-plan'; session: number; request: PlanRequest | AnyPlanner }
  | { call: 'commit'; session: number; plan: Uint8Array; mode: number; keep: boolean }
  | { call: 'reject'; session: number; plan: Uint8Array }
  | { call: 'snapshot'; session: number }
  | { call: 'learn'; model: number; samples: Uint8Array; limits: Limits | undefined }
  | { call: 'load-model'; model: number; bytes: Uint8Array; limits: Limits | undefined }
  | { call: 'model-bytes'; model: number }
  | { call: 'recommend'; model: number; question: Uint8Array }
  | { call: 'size'; usage: Uint8Array }
  | { call: 'planners' };

export type CallOf<Name extends Call['call']> = Extract<Call, { call: Name }>;
export type Question = Call & { id: number; watch: RemoteWatch };

export interface Loaded {
  fingerprint: bigint;
  /** The instance's bytes, if the client keeps them. */
  bytes: Uint8Array | undefined;
  /** About how many bytes it takes. */
  weight: number;
}

/** A session that was opened or changed. */
export interface Changed {
  version: bigint;
  /** About how many bytes the session takes. */
  weight: number;
  /** The report of a commit. */
  report?: Uint8Array | undefined;
  /** The snapshot from which a new worker restores the session, if the client keeps it. */
  snapshot: Uint8Array | undefined;
}

/** A model that was made. */
export interface Made {
  weight: number;
}

export type Result = Uint8Array | Loaded | Changed | Made | undefined;

export interface Failure {
  code: ErrorCode;
  message: string;
  path: string;
  /** True where the module has ended with this failure. */
  ended: boolean;
}

export type Answer =
  | { id: number; progress: Progress }
  | { id: number; result: Result }
  | { id: number; failure: Failure };
