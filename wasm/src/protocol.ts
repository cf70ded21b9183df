// What a worker and its client say to each other. The worker handles one call after the other.
import type { ErrorCode } from './errors.js';
import type { Limits, Progress } from './module.js';
import type { PlanRequest } from './request.js';
import type { InstanceSource } from './source.js';

/** How a run in the worker is watched. */
export interface RemoteWatch {
  /** Shared with the client, who sets its one entry to 1 to cancel the run. */
  flag?: Int32Array | undefined;
  /** Whether progress is to be told, and how often at most. */
  progressInterval?: number | undefined;
}

export type Call =
  | { call: 'start'; module: WebAssembly.Module }
  | { call: 'encode'; source: InstanceSource }
  | { call: 'instance'; instance: number; source: InstanceSource; limits: Limits | undefined; keep: boolean }
  | { call: 'free'; instance: number }
  | { call: 'plan'; instance: number; request: PlanRequest | string; watch: RemoteWatch }
  | { call: 'verify'; instance: number; plan: Uint8Array }
  | { call: 'explain'; instance: number; plan: Uint8Array; app: number; watch: RemoteWatch }
  | { call: 'bound'; instance: number }
  | { call: 'planners' };

export type Question = Call & { id: number };

export interface Loaded {
  fingerprint: bigint;
  /** The instance's bytes, where the client keeps them. */
  bytes: Uint8Array | undefined;
}

export interface Failure {
  code: ErrorCode;
  message: string;
  path: string;
  /** Whether the module is lost with it. */
  ended: boolean;
}

export type Answer =
  | { id: number; progress: Progress }
  | { id: number; result: Uint8Array | Loaded | undefined }
  | { id: number; failure: Failure };
