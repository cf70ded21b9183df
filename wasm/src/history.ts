// The history of a session, from which a new worker restores it.
import type { Limits } from './abi.js';
import type { Call } from './protocol.js';

/**
 * The limits without `maxBytes`, for bytes that were accepted before: a session's snapshot may be larger than the instance it
 * was opened on.
 */
export const acceptedLimits = (limits: Limits | undefined): Limits => ({ ...limits, maxBytes: 0 });

/** A session's latest snapshot, and the operations applied since. */
export class History {
  private since: (Uint8Array | string)[] = [];
  /** Size of operations since the last request for a snapshot. */
  private weight = 0;

  constructor(
    private readonly session: number,
    private readonly limits: Limits,
    private snapshot: Uint8Array | undefined,
  ) {}

  /** The calls that restore the session; none where no snapshot is known. */
  get calls(): Call[] {
    const { session, limits, snapshot: source } = this;
    if (source === undefined) return [];
    const operations = this.since.map((one): Call => ({ call: 'apply', session, operations: one, keep: false }));
    return [{ call: 'session', session, source, limits, keep: false }, ...operations];
  }

  /**
   * Whether a new snapshot is due with these operations: true once the operations since the last snapshot are as large as the
   * snapshot. The history's size then stays in proportion to the cluster, and the time for snapshots in proportion to the
   * operations.
   */
  isDue(operations: Uint8Array | string): boolean {
    this.weight += operations.length;
    if (this.weight < (this.snapshot?.length ?? 0)) return false;
    this.weight = 0;
    return true;
  }

  /**
   * Records a change, as a new snapshot or as operations. With neither, only the worker knows the state, and it cannot be
   * restored.
   */
  changed(snapshot: Uint8Array | undefined, operations?: Uint8Array | string): void {
    if (snapshot === undefined && operations !== undefined) {
      this.since.push(operations);
    } else {
      this.snapshot = snapshot;
      this.since = [];
    }
  }
}
