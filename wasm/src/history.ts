// What makes a session in a new worker what it was in the one before.
import type { Limits } from './module.js';
import type { Call } from './protocol.js';

/** For bytes that were accepted before: what a session has become may be larger than what it was opened from. */
export const acceptedLimits = (limits: Limits | undefined): Limits => ({ ...limits, maxBytes: 0 });

/** A session's latest snapshot, and the operations that were applied since. */
export class History {
  private since: Uint8Array[] = [];
  /** Bytes of operations since a snapshot was asked for. */
  private weight = 0;

  constructor(
    private readonly session: number,
    private readonly limits: Limits,
    private snapshot: Uint8Array | undefined,
  ) {}

  /** The calls that set it up; none where it cannot be. */
  get calls(): Call[] {
    const { session, limits, snapshot: source } = this;
    if (source === undefined) return [];
    const operations = this.since.map((one): Call => ({ call: 'apply', session, operations: one, keep: false }));
    return [{ call: 'session', session, source, limits, keep: false }, ...operations];
  }

  /**
   * Whether these operations are to bring a snapshot: once all since the last weigh as much as that. So what is kept stays in
   * proportion to the cluster, and the time for snapshots to what happens.
   */
  isDue(operations: Uint8Array): boolean {
    this.weight += operations.length;
    if (this.weight < (this.snapshot?.length ?? 0)) return false;
    this.weight = 0;
    return true;
  }

  /** After a change. One that is neither in a snapshot nor in operations is known to the worker alone. */
  changed(snapshot: Uint8Array | undefined, operations?: Uint8Array): void {
    if (snapshot === undefined && operations !== undefined) {
      this.since.push(operations);
    } else {
      this.snapshot = snapshot;
      this.since = [];
    }
  }
}
