// The raw C ABI: pointers, structs and status codes of stowage.h. All other modules see bytes and StowageError only.
import {
  Memory, NANOSECONDS_PER_MILLISECOND, StatusError, instantiate, limitValues, structs, type CommonExports, type Limits, type Pointer,
} from './abi.js';
import { StowageError } from './errors.js';
import { A_YEAR, deadlineOf, type CallOptions, type Phase, type Progress, type Watch } from './watch.js';

const PHASES: readonly Phase[] = ['idle', 'prepare', 'plan', 'improve', 'bound', 'verify', 'done'];

/** The kinds of buffers, in the order of `stowage_kind`. */
const KINDS = ['instance', 'request', 'plan', 'report', 'catalogue', 'operations', 'learning', 'derivation'] as const;
/** What a buffer holds. */
export type Kind = (typeof KINDS)[number];

interface Exports extends CommonExports {
  stowage_version(): Pointer;
  stowage_instance_load_watched(
    bytes: Pointer, size: number, limits: Pointer, control: Pointer, instance: Pointer, error: Pointer,
  ): number;
  stowage_instance_fingerprint(instance: Pointer): bigint;
  stowage_instance_derive_watched(
    instance: Pointer, derivation: Pointer, size: number, limits: Pointer, control: Pointer, derived: Pointer, error: Pointer,
  ): number;
  stowage_instance_save_watched(instance: Pointer, control: Pointer, bytes: Pointer, error: Pointer): number;
  stowage_instance_free(instance: Pointer): void;
  stowage_plan(
    instance: Pointer, request: Pointer, size: number, control: Pointer, plan: Pointer, error: Pointer,
  ): number;
  stowage_verify_watched(
    instance: Pointer, plan: Pointer, size: number, control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_explain(
    instance: Pointer, plan: Pointer, size: number, app: number, control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_headroom_watched(
    instance: Pointer, plan: Pointer, size: number, app: number, node: number, control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_headroom_of_apps_watched(
    instance: Pointer, plan: Pointer, size: number, most: number, control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_losses(
    instance: Pointer, plan: Pointer, size: number, nodes: Pointer, nodeCount: number, label: Pointer, labelSize: number,
    control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_order_moves(
    instance: Pointer, plan: Pointer, size: number, perNode: number, appShare: number, control: Pointer, report: Pointer,
    error: Pointer,
  ): number;
  stowage_bound_watched(instance: Pointer, control: Pointer, report: Pointer, error: Pointer): number;
  stowage_planners(catalogue: Pointer, error: Pointer): number;
  stowage_check(kind: number, bytes: Pointer, size: number, limits: Pointer, control: Pointer, error: Pointer): number;
  stowage_control_new(control: Pointer, error: Pointer): number;
  stowage_control_free(control: Pointer): void;
  stowage_control_cancel(control: Pointer): void;
  stowage_control_reset(control: Pointer): void;
  stowage_control_set_deadline(control: Pointer, milliseconds: bigint): number;
  stowage_control_progress(control: Pointer, progress: Pointer): number;
  stowage_session_open_watched(
    bytes: Pointer, size: number, limits: Pointer, control: Pointer, session: Pointer, error: Pointer,
  ): number;
  stowage_session_free(session: Pointer): void;
  stowage_session_version(session: Pointer): bigint;
  stowage_session_apply_watched(
    session: Pointer, operations: Pointer, size: number, control: Pointer, error: Pointer,
  ): number;
  stowage_session_instance_watched(session: Pointer, control: Pointer, instance: Pointer, error: Pointer): number;
  stowage_session_plan(
    session: Pointer, request: Pointer, size: number, control: Pointer, plan: Pointer, error: Pointer,
  ): number;
  stowage_session_commit_watched(
    session: Pointer, plan: Pointer, size: number, mode: number, control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_session_reject_watched(session: Pointer, plan: Pointer, size: number, control: Pointer, error: Pointer): number;
  stowage_session_snapshot_watched(session: Pointer, control: Pointer, snapshot: Pointer, error: Pointer): number;
  stowage_model_learn_watched(
    bytes: Pointer, size: number, limits: Pointer, control: Pointer, model: Pointer, error: Pointer,
  ): number;
  stowage_model_load_watched(
    bytes: Pointer, size: number, limits: Pointer, control: Pointer, model: Pointer, error: Pointer,
  ): number;
  stowage_model_free(model: Pointer): void;
  stowage_model_save_watched(model: Pointer, control: Pointer, bytes: Pointer, error: Pointer): number;
  stowage_model_recommend_watched(
    model: Pointer, question: Pointer, size: number, control: Pointer, recommendations: Pointer, error: Pointer,
  ): number;
  stowage_size_watched(usage: Pointer, size: number, control: Pointer, sizes: Pointer, error: Pointer): number;
}

/** A function that makes an object from bytes, within limits. */
type Opening = (
  bytes: Pointer, size: number, limits: Pointer, control: Pointer, handle: Pointer, error: Pointer,
) => number;

const DEFAULT_PROGRESS_INTERVAL = 50;
/**
 * An instantiated module: its memory and its functions. It takes one call at a time. What a callback of a call asks for is refused with
 * `BUSY`, except for what frees memory, which is done when the call has ended.
 */
export class Module extends Memory<Exports> {
  private readonly progress: Pointer;
  private readonly control: Pointer;
  /** Whether a call is under way. */
  private busy = false;
  /** What is freed when the call under way has ended. */
  private readonly freedLater: (() => void)[] = [];
  private watch: Watch | undefined;
  private watchFailure: { reason: unknown } | undefined;
  private lastProgress = 0;

  static async create(compiled: WebAssembly.Module): Promise<Module> {
    let module: Module | undefined;
    module = new Module(await instantiate<Exports>(compiled, () => module?.look()));
    return module;
  }

  private constructor(exports: Exports) {
    super(exports);
    this.progress = this.allocate(structs.stowage_progress.size);
    this.check(exports.stowage_control_new(this.out, this.error));
    this.control = this.word(this.out);
  }

  version(): string {
    return this.call(undefined, () => this.text(this.exports.stowage_version()));
  }

  /** Fails where bytes from elsewhere cannot be read without care. */
  checkBytes(kind: Kind, bytes: Uint8Array, options?: CallOptions): void {
    this.call(options, (control) =>
      this.withBytes(bytes, (pointer, size) =>
        this.check(this.exports.stowage_check(KINDS.indexOf(kind), pointer, size, 0, control, this.error)),
      ),
    );
  }

  load(bytes: Uint8Array, limits?: Limits, options?: CallOptions): Pointer {
    const { stowage_instance_load_watched: open, stowage_instance_free: free } = this.exports;
    return this.opened(options, free, bytes, limits, open);
  }

  /** A new instance; without limits, with those of the one that it is derived of. */
  derive(instance: Pointer, derivation: Uint8Array, limits?: Limits, options?: CallOptions): Pointer {
    const { stowage_instance_derive_watched: derive, stowage_instance_free: free } = this.exports;
    return this.opened(options, free, derivation, limits, (...from) => derive(instance, ...from));
  }

  instanceBytes(instance: Pointer, options?: CallOptions): Uint8Array {
    return this.answer(options, (...to) => this.exports.stowage_instance_save_watched(instance, ...to));
  }

  free(instance: Pointer): void {
    this.release(instance, this.exports.stowage_instance_free);
  }

  fingerprint(instance: Pointer): bigint {
    return this.call(undefined, () => BigInt.asUintN(64, this.exports.stowage_instance_fingerprint(instance)));
  }

  plan(instance: Pointer, request: Uint8Array, watch?: Watch): Uint8Array {
    return this.answerTo(request, watch, (pointer, size, ...to) => this.exports.stowage_plan(instance, pointer, size, ...to));
  }

  verify(instance: Pointer, plan: Uint8Array, options?: CallOptions): Uint8Array {
    return this.answerTo(plan, options, (...from) => this.exports.stowage_verify_watched(instance, ...from));
  }

  explain(instance: Pointer, plan: Uint8Array, app: number, watch?: Watch): Uint8Array {
    return this.answerTo(plan, watch, (pointer, size, ...to) =>
      this.exports.stowage_explain(instance, pointer, size, app, ...to),
    );
  }

  /** Without a plan: what runs or is pinned. */
  headroomOfApps(instance: Pointer, plan: Uint8Array | undefined, most: number, options?: CallOptions): Uint8Array {
    return this.answerTo(plan, options, (pointer, size, ...to) =>
      this.exports.stowage_headroom_of_apps_watched(instance, pointer, size, most, ...to),
    );
  }

  /** Without a plan: what runs or is pinned. No nodes: `label` decides. */
  losses(instance: Pointer, plan: Uint8Array | undefined, nodes: Uint32Array, label: string, watch?: Watch): Uint8Array {
    const lost = new Uint8Array(nodes.buffer, nodes.byteOffset, nodes.byteLength);
    return this.answerTo(plan, watch, (pointer, size, ...to) =>
      this.withBytes(lost, (first) =>
        this.withBytes(new TextEncoder().encode(label), (key, keySize) =>
          this.exports.stowage_losses(instance, pointer, size, first, nodes.length, key, keySize, ...to),
        ),
      ),
    );
  }

  headroom(instance: Pointer, plan: Uint8Array, app: number, node: number, options?: CallOptions): Uint8Array {
    return this.answerTo(plan, options, (pointer, size, ...to) =>
      this.exports.stowage_headroom_watched(instance, pointer, size, app, node, ...to),
    );
  }

  orderMoves(instance: Pointer, plan: Uint8Array, perNode: number, appShare: number, watch?: Watch): Uint8Array {
    return this.answerTo(plan, watch, (pointer, size, ...to) =>
      this.exports.stowage_order_moves(instance, pointer, size, perNode, appShare, ...to),
    );
  }

  bound(instance: Pointer, options?: CallOptions): Uint8Array {
    return this.answer(options, (...to) => this.exports.stowage_bound_watched(instance, ...to));
  }

  planners(): Uint8Array {
    return this.answer(undefined, (_, out, error) => this.exports.stowage_planners(out, error));
  }

  openSession(bytes: Uint8Array, limits?: Limits, options?: CallOptions): Pointer {
    const { stowage_session_open_watched: open, stowage_session_free: free } = this.exports;
    return this.opened(options, free, bytes, limits, open);
  }

  freeSession(session: Pointer): void {
    this.release(session, this.exports.stowage_session_free);
  }

  sessionVersion(session: Pointer): bigint {
    return this.call(undefined, () => BigInt.asUintN(64, this.exports.stowage_session_version(session)));
  }

  sessionApply(session: Pointer, operations: Uint8Array, options?: CallOptions): void {
    this.change(options, operations, (pointer, size, control) =>
      this.exports.stowage_session_apply_watched(session, pointer, size, control, this.error),
    );
  }

  sessionInstance(session: Pointer, options?: CallOptions): Pointer {
    const { stowage_session_instance_watched: open, stowage_instance_free: free } = this.exports;
    return this.made(options, free, (control) => open(session, control, this.out, this.error));
  }

  sessionPlan(session: Pointer, request: Uint8Array, watch?: Watch): Uint8Array {
    return this.answerTo(request, watch, (...from) => this.exports.stowage_session_plan(session, ...from));
  }

  sessionCommit(session: Pointer, plan: Uint8Array, mode: number, options?: CallOptions): Uint8Array {
    return this.change(options, plan, (pointer, size, control) => {
      const { exports, out, error } = this;
      return exports.stowage_session_commit_watched(session, pointer, size, mode, control, out, error);
    }, () => this.takeBuffer());
  }

  sessionReject(session: Pointer, plan: Uint8Array, options?: CallOptions): void {
    this.change(options, plan, (pointer, size, control) =>
      this.exports.stowage_session_reject_watched(session, pointer, size, control, this.error),
    );
  }

  sessionSnapshot(session: Pointer, options?: CallOptions): Uint8Array {
    return this.answer(options, (...to) => this.exports.stowage_session_snapshot_watched(session, ...to));
  }

  learn(samples: Uint8Array, limits?: Limits, options?: CallOptions): Pointer {
    const { stowage_model_learn_watched: open, stowage_model_free: free } = this.exports;
    return this.opened(options, free, samples, limits, open);
  }

  loadModel(bytes: Uint8Array, limits?: Limits, options?: CallOptions): Pointer {
    const { stowage_model_load_watched: open, stowage_model_free: free } = this.exports;
    return this.opened(options, free, bytes, limits, open);
  }

  freeModel(model: Pointer): void {
    this.release(model, this.exports.stowage_model_free);
  }

  modelBytes(model: Pointer, options?: CallOptions): Uint8Array {
    return this.answer(options, (...to) => this.exports.stowage_model_save_watched(model, ...to));
  }

  recommend(model: Pointer, question: Uint8Array, options?: CallOptions): Uint8Array {
    return this.answerTo(question, options, (...from) => this.exports.stowage_model_recommend_watched(model, ...from));
  }

  size(usage: Uint8Array, options?: CallOptions): Uint8Array {
    return this.answerTo(usage, options, this.exports.stowage_size_watched);
  }

  /** Makes all further calls fail with `reason`. A call under way ends soon, and fails with it too. */
  end(reason: StowageError): void {
    this.ended ??= reason;
    if (this.busy) this.exports.stowage_control_cancel(this.control);
  }

  // A call with a deadline reads the clock after bounded work, and this package provides the clock. The import that reads it
  // therefore polls for cancellation and reports progress, without a second thread that accesses the module's memory.
  private look(): void {
    const watch = this.watch;
    if (watch === undefined || this.watchFailure !== undefined) return;
    try {
      const now = performance.now();
      watch.signal?.throwIfAborted();
      if (watch.isCancelled?.() === true) this.exports.stowage_control_cancel(this.control);
      if (watch.onProgress !== undefined && now - this.lastProgress >= (watch.progressInterval ?? DEFAULT_PROGRESS_INTERVAL)) {
        this.lastProgress = now;
        watch.onProgress(this.readProgress());
      }
    } catch (reason) {
      // An exception must not unwind the library. The call is cancelled, and the exception is thrown after it has returned.
      this.watchFailure = { reason };
      this.exports.stowage_control_cancel(this.control);
    }
  }

  /** Makes an object, and returns its handle. */
  private made(options: CallOptions | undefined, free: (handle: Pointer) => void, open: (control: Pointer) => number): Pointer {
    return this.call(
      options,
      (control) => {
        this.check(open(control));
        return this.word(this.out);
      },
      free,
    );
  }

  /** Makes an object from bytes, within the limits, and returns its handle. */
  private opened(
    options: CallOptions | undefined,
    free: (handle: Pointer) => void,
    bytes: Uint8Array,
    limits: Limits | undefined,
    open: Opening,
  ): Pointer {
    const accepted = limits && limitValues(limits);
    return this.made(options, free, (control) =>
      this.withBytes(bytes, (pointer, size) => {
        const at = accepted === undefined ? 0 : this.writeLimits(accepted);
        return open(pointer, size, at, control, this.out, this.error);
      }),
    );
  }

  /** Asks a question, and returns the bytes of the answer. */
  private answer(
    options: Watch | undefined, ask: (control: Pointer, out: Pointer, error: Pointer) => number,
  ): Uint8Array {
    return this.call(options, (control) => {
      this.check(ask(control, this.out, this.error));
      return this.takeBuffer();
    });
  }

  /** Asks about bytes, or about none, and returns the bytes of the answer. */
  private answerTo(
    bytes: Uint8Array | undefined,
    options: Watch | undefined,
    ask: (bytes: Pointer, size: number, control: Pointer, out: Pointer, error: Pointer) => number,
  ): Uint8Array {
    return this.answer(options, (...to) =>
      bytes === undefined ? ask(0, 0, ...to) : this.withBytes(bytes, (pointer, size) => ask(pointer, size, ...to)),
    );
  }

  /** Changes a session. What was changed before a callback ended the call is told as if nobody had ended it. */
  private change<Result = void>(
    options: CallOptions | undefined,
    bytes: Uint8Array,
    make: (bytes: Pointer, size: number, control: Pointer) => number,
    result?: () => Result,
  ): Result {
    let changed: { result: Result } | undefined;
    try {
      this.call(options, (control) => {
        this.check(this.withBytes(bytes, (pointer, size) => make(pointer, size, control)));
        changed = { result: result?.() as Result };
      });
    } catch (error) {
      if (changed === undefined) throw error;
    }
    return changed!.result;
  }

  /** Frees an object. Does nothing once the module has ended, since its whole memory is released then. */
  private release(handle: Pointer, free: (handle: Pointer) => void): void {
    if (this.busy) this.freedLater.push(() => this.release(handle, free));
    else if (this.ended === undefined) this.call(undefined, () => free(handle));
  }

  /**
   * Runs a call. An exception from inside the module leaves it in an unknown state, so that the module is not used again.
   * @param drop frees the result of a call that a callback has ended
   */
  private call<Result>(
    watch: Watch | undefined, work: (control: Pointer) => Result, drop: (result: Result) => void = () => undefined,
  ): Result {
    if (this.ended !== undefined) throw this.ended;
    if (this.busy) {
      throw new StowageError('BUSY', 'a callback cannot call the library that calls it back; call it when this call has ended');
    }
    this.busy = true;
    try {
      const result = work(watch === undefined || !isWatched(watch) ? 0 : this.begin(watch));
      if (this.watchFailure === undefined && this.ended === undefined) this.lastProgressOf(watch);
      const failure = this.ended === undefined ? this.watchFailure : { reason: this.ended };
      if (failure === undefined) return result;
      drop(result);
      throw new CallerFailure(failure.reason);
    } catch (error) {
      if (error instanceof CallerFailure) throw error.reason;
      if (error instanceof StatusError && error.code === 'CANCELLED' && this.watchFailure !== undefined) throw this.watchFailure.reason;
      throw this.failureOf(error);
    } finally {
      this.busy = false;
      this.watch = undefined;
      this.watchFailure = undefined;
      for (const free of this.freedLater.splice(0)) free();
    }
  }

  /** Prepares the control for a call that is watched. */
  private begin(watch: Watch): Pointer {
    try {
      const deadline = deadlineOf(watch);
      this.exports.stowage_control_reset(this.control);
      this.exports.stowage_control_set_deadline(this.control, BigInt(Math.min(deadline === 0 ? A_YEAR : deadline, A_YEAR)));
      this.lastProgress = performance.now();
      watch.signal?.throwIfAborted();
      // A call may end before it first reads the clock, so that an earlier cancellation is passed on here.
      if (watch.isCancelled?.() === true) this.exports.stowage_control_cancel(this.control);
    } catch (reason) {
      throw new CallerFailure(reason);
    }
    this.watch = watch;
    return this.control;
  }

  /** The last report has the times of all phases. */
  private lastProgressOf(watch: Watch | undefined): void {
    if (watch?.onProgress === undefined) return;
    const last = this.readProgress();
    try {
      watch.onProgress(last);
    } catch (reason) {
      this.watchFailure = { reason };
    }
  }

  private readProgress(): Progress {
    const { fields, size } = structs.stowage_progress;
    new DataView(this.exports.memory.buffer).setUint32(this.progress + fields.struct_size, size, true);
    this.exports.stowage_control_progress(this.control, this.progress);
    const view = new DataView(this.exports.memory.buffer, this.progress, size);
    const count = (offset: number): number => Number(view.getBigUint64(offset, true));
    const milliseconds = {} as Record<Phase, number>;
    PHASES.forEach((phase, k) => {
      milliseconds[phase] = count(fields.nanoseconds + 8 * k) / NANOSECONDS_PER_MILLISECOND;
    });
    const total = count(fields.total);
    const best = count(fields.best);
    const value = view.getFloat64(fields.value, true);
    return {
      phase: PHASES[view.getUint32(fields.phase, true)] ?? 'done',
      done: count(fields.done),
      ...(total === 0 ? {} : { total }),
      ...(best === 0 ? {} : { best }),
      ...(value < 0 ? {} : { value }),
      leftOver: count(fields.left_over),
      work: count(fields.work),
      milliseconds,
    };
  }
}

/** Whether anything can end a call, or is told of it. */
function isWatched({ signal, isCancelled, deadlineMs, onProgress }: Watch): boolean {
  return signal !== undefined || isCancelled !== undefined || deadlineMs !== undefined || onProgress !== undefined;
}

/** An exception that a callback of the caller threw during a call, or that it makes the call throw. */
class CallerFailure extends Error {
  constructor(readonly reason: unknown) {
    super('a function of the caller failed');
  }
}
