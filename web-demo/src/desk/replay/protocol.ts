// What the page asks about a trace that is replayed, and the answers.
import type { InstanceDescription, PlanRequest } from 'stowage';
import type { Checked, Problem } from '../sizes/protocol.js';

export interface ReplayQuestion {
  /** The cluster that the trace begins with. */
  cluster: Uint8Array | InstanceDescription;
  /** True: the cluster's own applications, with their rules, are left out. */
  bare: boolean;
  trace: string;
  /** Seconds between two plans, above 0. */
  interval: number;
  request: PlanRequest;
}

/** What is known before the first plan. */
export interface ReplayOutline {
  apps: number;
  resources: string[];
  /** Seconds of the first arrival, and of the last arrival or departure. */
  first: number;
  last: number;
}

/** The cluster after one interval, until the next entry. */
export interface ReplayStep {
  /** Seconds, of the end of the interval. */
  time: number;
  apps: number;
  /** Replicas. */
  running: number;
  waiting: number;
  started: number;
  /** In use. */
  nodes: number;
  moves: number;
  /** Of placement rules. */
  violations: number;
  /** Of the nodes in use; absent without prices. */
  cost: number | undefined;
  /** Per resource: share of the capacity of nodes in use, in the period where it is highest. */
  use: number[];
  planningSeconds: number;
  /** Replicas that began to run in this entry, by the seconds they waited. */
  waits: [seconds: number, replicas: number][];
}

/** The entries since the last question. */
export interface ReplayPart {
  steps: ReplayStep[];
  /** Present where the trace is at its end. */
  end?: {
    /** Replicas that departed while they waited. */
    neverRan: number;
    stillWaiting: number;
  };
  /** Why nothing follows, in words; and the mistake, where it is one of the trace. */
  failure?: { words: string; problem?: Problem };
}

export interface ReplayCalls {
  /** Reads a trace and opens a session for it. An earlier replay is dropped. */
  openReplay(question: ReplayQuestion): Promise<Checked<ReplayOutline>>;
  /** Replays for about so many milliseconds, one plan at least. */
  replayOn(milliseconds: number): Promise<ReplayPart>;
}
