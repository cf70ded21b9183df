// The raw C ABI: pointers, structs and status codes of stowage.h. All other modules see bytes and StowageError only.
import { StowageError, type StatusCode } from './errors.js';
import layout from './layout.json';

const { structs, constants } = layout;

/** The phase of a run. */
export type Phase = 'idle' | 'prepare' | 'plan' | 'improve' | 'bound' | 'verify' | 'done';
const PHASES: readonly Phase[] = ['idle', 'prepare', 'plan', 'improve', 'bound', 'verify', 'done'];

/** Progress of a run. */
export interface Progress {
  phase: Phase;
  /**
   * How far the phase has come: replicas or nodes handled; while a plan is improved, work units of the work limit, else
   * milliseconds of the deadline.
   */
  done: number;
  /** Value of `done` at the end of the phase; absent where it is not known. */
  total?: number;
  /** Nodes in use in the best plan so far; absent where there is none yet. */
  best?: number;
  /** What the objective minimizes, in the best plan so far; absent where it is not known. */
  value?: number;
  /** Replicas that the best plan so far leaves over. */
  leftOver: number;
  /** Work units done in all phases. */
  work: number;
  /** Wall-clock milliseconds of each phase that has ended. */
  milliseconds: Record<Phase, number>;
}

/** Callbacks of a run on this thread. Both are called during the run, after bounded work. */
export interface Watch {
  /** Called with the progress during the run. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Returns true to end the run with its best plan so far. */
  isCancelled?: (() => boolean) | undefined;
  /** Minimum milliseconds between two calls of `onProgress`; default 50. */
  progressInterval?: number | undefined;
}

/** The largest instance that the caller accepts; see `stowage_limits` in stowage.h. */
export interface Limits {
  maxBytes?: number;
  maxApps?: number;
  maxReplicas?: number;
  maxLimits?: number;
  maxNodes?: number;
  maxCells?: number;
  maxMemory?: number;
}

const LIMIT_FIELDS: readonly [keyof Limits, number][] = [
  ['maxBytes', structs.stowage_limits.fields.max_bytes],
  ['maxApps', structs.stowage_limits.fields.max_apps],
  ['maxReplicas', structs.stowage_limits.fields.max_replicas],
  ['maxLimits', structs.stowage_limits.fields.max_limits],
  ['maxNodes', structs.stowage_limits.fields.max_nodes],
  ['maxCells', structs.stowage_limits.fields.max_cells],
  ['maxMemory', structs.stowage_limits.fields.max_memory],
];

type Pointer = number;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): Pointer;
  free(pointer: Pointer): void;
  stowage_version(): Pointer;
  stowage_status_text(status: number): Pointer;
  stowage_instance_load(bytes: Pointer, size: number, limits: Pointer, instance: Pointer, error: Pointer): number;
  stowage_instance_fingerprint(instance: Pointer): bigint;
  stowage_instance_derive(
    instance: Pointer, derivation: Pointer, size: number, limits: Pointer, derived: Pointer, error: Pointer,
  ): number;
  stowage_instance_save(instance: Pointer, bytes: Pointer, error: Pointer): number;
  stowage_instance_free(instance: Pointer): void;
  stowage_plan(
    instance: Pointer, request: Pointer, size: number, control: Pointer, plan: Pointer, error: Pointer,
  ): number;
  stowage_verify(instance: Pointer, plan: Pointer, size: number, report: Pointer, error: Pointer): number;
  stowage_explain(
    instance: Pointer, plan: Pointer, size: number, app: number, control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_headroom(
    instance: Pointer, plan: Pointer, size: number, app: number, node: number, report: Pointer, error: Pointer,
  ): number;
  stowage_headroom_of_apps(
    instance: Pointer, plan: Pointer, size: number, most: number, report: Pointer, error: Pointer,
  ): number;
  stowage_losses(
    instance: Pointer, plan: Pointer, size: number, nodes: Pointer, nodeCount: number, label: Pointer, labelSize: number,
    control: Pointer, report: Pointer, error: Pointer,
  ): number;
  stowage_order_moves(
    instance: Pointer, plan: Pointer, size: number, perNode: number, appShare: number, control: Pointer, report: Pointer,
    error: Pointer,
  ): number;
  stowage_bound(instance: Pointer, report: Pointer, error: Pointer): number;
  stowage_planners(catalogue: Pointer, error: Pointer): number;
  stowage_buffer_free(buffer: Pointer): void;
  stowage_control_new(control: Pointer, error: Pointer): number;
  stowage_control_free(control: Pointer): void;
  stowage_control_cancel(control: Pointer): void;
  stowage_control_reset(control: Pointer): void;
  stowage_control_progress(control: Pointer, progress: Pointer): number;
  stowage_session_open(bytes: Pointer, size: number, limits: Pointer, session: Pointer, error: Pointer): number;
  stowage_session_free(session: Pointer): void;
  stowage_session_version(session: Pointer): bigint;
  stowage_session_apply(session: Pointer, operations: Pointer, size: number, error: Pointer): number;
  stowage_session_instance(session: Pointer, instance: Pointer, error: Pointer): number;
  stowage_session_plan(
    session: Pointer, request: Pointer, size: number, control: Pointer, plan: Pointer, error: Pointer,
  ): number;
  stowage_session_commit(
    session: Pointer, plan: Pointer, size: number, mode: number, report: Pointer, error: Pointer,
  ): number;
  stowage_session_reject(session: Pointer, plan: Pointer, size: number, error: Pointer): number;
  stowage_session_snapshot(session: Pointer, snapshot: Pointer, error: Pointer): number;
  stowage_model_learn(profiles: Pointer, size: number, limits: Pointer, model: Pointer, error: Pointer): number;
  stowage_model_load(bytes: Pointer, size: number, limits: Pointer, model: Pointer, error: Pointer): number;
  stowage_model_free(model: Pointer): void;
  stowage_model_save(model: Pointer, bytes: Pointer, error: Pointer): number;
  stowage_model_recommend(model: Pointer, question: Pointer, size: number, recommendations: Pointer, error: Pointer): number;
  stowage_size(usage: Pointer, size: number, sizes: Pointer, error: Pointer): number;
}

const aligned = (size: number): number => Math.ceil(size / 16) * 16;
const NANOSECONDS_PER_MILLISECOND = 1e6;
const DEFAULT_PROGRESS_INTERVAL = 50;

/** An instantiated module: its memory and its functions. */
export class Module {
  /** The reason why no further call is possible; undefined while calls are possible. */
  private ended: StowageError | undefined;
  /** Memory for the structs that calls fill. Allocated once, because calls never overlap. */
  private readonly error: Pointer;
  private readonly out: Pointer;
  private readonly progress: Pointer;
  private readonly limits: Pointer;
  private readonly control: Pointer;
  private watch: Watch | undefined;
  private watchFailure: { reason: unknown } | undefined;
  private lastProgress = 0;

  /** Instantiates a compiled module. Asynchronous, as browsers require it on their main thread. */
  static async create(compiled: WebAssembly.Module): Promise<Module> {
    let exports: Exports | undefined;
    let module: Module | undefined;
    const instance = await WebAssembly.instantiate(compiled, {
      env: { emscripten_notify_memory_growth: () => undefined },
      wasi_snapshot_preview1: {
        clock_time_get: (clock: number, _precision: bigint, time: Pointer): number => {
          const now = clock === 0 ? Date.now() : performance.now();
          const view = new DataView(exports!.memory.buffer);
          view.setBigUint64(time >>> 0, BigInt(Math.round(now * NANOSECONDS_PER_MILLISECOND)), true);
          module?.look();
          return 0;
        },
        proc_exit: (code: number): never => {
          throw new Error(`it ended itself with code ${code}`);
        },
      },
    });
    exports = instance.exports as unknown as Exports;
    exports._initialize();
    module = new Module(exports);
    return module;
  }

  private constructor(private readonly exports: Exports) {
    const sizes = [
      structs.stowage_error.size, structs.stowage_buffer.size, structs.stowage_progress.size, structs.stowage_limits.size,
    ].map(aligned);
    const block = this.allocate(sizes.reduce((sum, size) => sum + size, 0));
    this.error = block;
    this.out = this.error + sizes[0]!;
    this.progress = this.out + sizes[1]!;
    this.limits = this.progress + sizes[2]!;
    this.check(exports.stowage_control_new(this.out, this.error));
    this.control = this.word(this.out);
  }

  /** True where no further call is possible. */
  get hasEnded(): boolean {
    return this.ended !== undefined;
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  version(): string {
    return this.guarded(() => this.text(this.exports.stowage_version()));
  }

  load(bytes: Uint8Array, limits?: Limits): Pointer {
    return this.opened(bytes, limits, this.exports.stowage_instance_load);
  }

  /** A new instance; without limits, with those of the one that it is derived of. */
  derive(instance: Pointer, derivation: Uint8Array, limits?: Limits): Pointer {
    return this.guarded(() =>
      this.withBytes(derivation, (pointer, size) => {
        const accepted = limits === undefined ? 0 : this.writeLimits(limits);
        this.check(this.exports.stowage_instance_derive(instance, pointer, size, accepted, this.out, this.error));
        return this.word(this.out);
      }),
    );
  }

  instanceBytes(instance: Pointer): Uint8Array {
    return this.guarded(() => {
      this.check(this.exports.stowage_instance_save(instance, this.out, this.error));
      return this.takeBuffer();
    });
  }

  /** Frees an instance. Does nothing once the module has ended, since its whole memory is released then. */
  free(instance: Pointer): void {
    if (this.ended === undefined) this.guarded(() => this.exports.stowage_instance_free(instance));
  }

  fingerprint(instance: Pointer): bigint {
    return this.guarded(() => BigInt.asUintN(64, this.exports.stowage_instance_fingerprint(instance)));
  }

  plan(instance: Pointer, request: Uint8Array, watch?: Watch): Uint8Array {
    return this.watched(watch, (control) =>
      this.withBytes(request, (pointer, size) => {
        this.check(this.exports.stowage_plan(instance, pointer, size, control, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  verify(instance: Pointer, plan: Uint8Array): Uint8Array {
    return this.guarded(() =>
      this.withBytes(plan, (pointer, size) => {
        this.check(this.exports.stowage_verify(instance, pointer, size, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  explain(instance: Pointer, plan: Uint8Array, app: number, watch?: Watch): Uint8Array {
    return this.watched(watch, (control) =>
      this.withBytes(plan, (pointer, size) => {
        this.check(this.exports.stowage_explain(instance, pointer, size, app, control, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  /** Without a plan: what runs or is pinned. */
  headroomOfApps(instance: Pointer, plan: Uint8Array | undefined, most: number): Uint8Array {
    return this.guarded(() =>
      this.withBytes(plan ?? new Uint8Array(), (pointer, size) => {
        const { exports, out, error } = this;
        const held = plan === undefined ? 0 : pointer;
        this.check(exports.stowage_headroom_of_apps(instance, held, size, most, out, error));
        return this.takeBuffer();
      }),
    );
  }

  /** Without a plan: what runs or is pinned. No nodes: `label` decides. */
  losses(instance: Pointer, plan: Uint8Array | undefined, nodes: Uint32Array, label: string, watch?: Watch): Uint8Array {
    const lost = new Uint8Array(nodes.buffer, nodes.byteOffset, nodes.byteLength);
    return this.watched(watch, (control) =>
      this.withBytes(plan ?? new Uint8Array(), (pointer, size) =>
        this.withBytes(lost, (first) =>
          this.withBytes(new TextEncoder().encode(label), (key, keySize) => {
            const { exports, out, error } = this;
            const held = plan === undefined ? 0 : pointer;
            this.check(
              exports.stowage_losses(instance, held, size, first, nodes.length, key, keySize, control, out, error),
            );
            return this.takeBuffer();
          }),
        ),
      ),
    );
  }

  headroom(instance: Pointer, plan: Uint8Array, app: number, node: number): Uint8Array {
    return this.guarded(() =>
      this.withBytes(plan, (pointer, size) => {
        this.check(this.exports.stowage_headroom(instance, pointer, size, app, node, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  orderMoves(instance: Pointer, plan: Uint8Array, perNode: number, appShare: number, watch?: Watch): Uint8Array {
    return this.watched(watch, (control) =>
      this.withBytes(plan, (pointer, size) => {
        this.check(
          this.exports.stowage_order_moves(instance, pointer, size, perNode, appShare, control, this.out, this.error),
        );
        return this.takeBuffer();
      }),
    );
  }

  bound(instance: Pointer): Uint8Array {
    return this.guarded(() => {
      this.check(this.exports.stowage_bound(instance, this.out, this.error));
      return this.takeBuffer();
    });
  }

  planners(): Uint8Array {
    return this.guarded(() => {
      this.check(this.exports.stowage_planners(this.out, this.error));
      return this.takeBuffer();
    });
  }

  openSession(bytes: Uint8Array, limits?: Limits): Pointer {
    return this.opened(bytes, limits, this.exports.stowage_session_open);
  }

  freeSession(session: Pointer): void {
    if (this.ended === undefined) this.guarded(() => this.exports.stowage_session_free(session));
  }

  sessionVersion(session: Pointer): bigint {
    return this.guarded(() => BigInt.asUintN(64, this.exports.stowage_session_version(session)));
  }

  sessionApply(session: Pointer, operations: Uint8Array): void {
    this.guarded(() =>
      this.withBytes(operations, (pointer, size) => {
        this.check(this.exports.stowage_session_apply(session, pointer, size, this.error));
      }),
    );
  }

  sessionInstance(session: Pointer): Pointer {
    return this.guarded(() => {
      this.check(this.exports.stowage_session_instance(session, this.out, this.error));
      return this.word(this.out);
    });
  }

  sessionPlan(session: Pointer, request: Uint8Array, watch?: Watch): Uint8Array {
    return this.watched(watch, (control) =>
      this.withBytes(request, (pointer, size) => {
        this.check(this.exports.stowage_session_plan(session, pointer, size, control, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  sessionCommit(session: Pointer, plan: Uint8Array, mode: number): Uint8Array {
    return this.guarded(() =>
      this.withBytes(plan, (pointer, size) => {
        this.check(this.exports.stowage_session_commit(session, pointer, size, mode, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  sessionReject(session: Pointer, plan: Uint8Array): void {
    this.guarded(() =>
      this.withBytes(plan, (pointer, size) => {
        this.check(this.exports.stowage_session_reject(session, pointer, size, this.error));
      }),
    );
  }

  sessionSnapshot(session: Pointer): Uint8Array {
    return this.guarded(() => {
      this.check(this.exports.stowage_session_snapshot(session, this.out, this.error));
      return this.takeBuffer();
    });
  }

  learn(samples: Uint8Array, limits?: Limits): Pointer {
    return this.opened(samples, limits, this.exports.stowage_model_learn);
  }

  loadModel(bytes: Uint8Array, limits?: Limits): Pointer {
    return this.opened(bytes, limits, this.exports.stowage_model_load);
  }

  freeModel(model: Pointer): void {
    if (this.ended === undefined) this.guarded(() => this.exports.stowage_model_free(model));
  }

  modelBytes(model: Pointer): Uint8Array {
    return this.guarded(() => {
      this.check(this.exports.stowage_model_save(model, this.out, this.error));
      return this.takeBuffer();
    });
  }

  recommend(model: Pointer, question: Uint8Array): Uint8Array {
    return this.guarded(() =>
      this.withBytes(question, (pointer, size) => {
        this.check(this.exports.stowage_model_recommend(model, pointer, size, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  size(usage: Uint8Array): Uint8Array {
    return this.guarded(() =>
      this.withBytes(usage, (pointer, size) => {
        this.check(this.exports.stowage_size(pointer, size, this.out, this.error));
        return this.takeBuffer();
      }),
    );
  }

  /** Makes all further calls fail with `reason`. */
  end(reason: StowageError): void {
    this.ended ??= reason;
  }

  // A run reads the clock after bounded work, and this package provides the clock. The import that reads it therefore polls for
  // cancellation and reports progress, without a second thread that accesses the module's memory.
  private look(): void {
    const watch = this.watch;
    if (watch === undefined || this.watchFailure !== undefined) return;
    try {
      const now = performance.now();
      if (watch.isCancelled?.() === true) this.exports.stowage_control_cancel(this.control);
      if (watch.onProgress !== undefined && now - this.lastProgress >= (watch.progressInterval ?? DEFAULT_PROGRESS_INTERVAL)) {
        this.lastProgress = now;
        watch.onProgress(this.readProgress());
      }
    } catch (reason) {
      // An exception must not unwind the library. The run is cancelled, and the exception is thrown after it has returned.
      this.watchFailure = { reason };
      this.exports.stowage_control_cancel(this.control);
    }
  }

  /** Makes an object from bytes, within the limits, and returns its handle. */
  private opened(
    bytes: Uint8Array,
    limits: Limits | undefined,
    open: (bytes: Pointer, size: number, limits: Pointer, handle: Pointer, error: Pointer) => number,
  ): Pointer {
    return this.guarded(() =>
      this.withBytes(bytes, (pointer, size) => {
        const at = limits === undefined ? 0 : this.writeLimits(limits);
        this.check(open(pointer, size, at, this.out, this.error));
        return this.word(this.out);
      }),
    );
  }

  private watched(watch: Watch | undefined, call: (control: Pointer) => Uint8Array): Uint8Array {
    return this.guarded(() => {
      if (watch === undefined) return call(0);
      this.exports.stowage_control_reset(this.control);
      this.watch = watch;
      this.watchFailure = undefined;
      this.lastProgress = performance.now();
      try {
        // A run may end before it first reads the clock, so that an earlier cancellation is passed on here.
        if (watch.isCancelled?.() === true) this.exports.stowage_control_cancel(this.control);
        const result = call(this.control);
        const failure = this.watchFailure as { reason: unknown } | undefined;
        if (failure !== undefined) throw new CallerFailure(failure.reason);
        // The last report has the times of all phases.
        const last = watch.onProgress === undefined ? undefined : this.readProgress();
        try {
          if (last !== undefined) watch.onProgress?.(last);
        } catch (reason) {
          throw new CallerFailure(reason);
        }
        return result;
      } finally {
        this.watch = undefined;
      }
    });
  }

  /** Runs a call. An exception from inside the module leaves it in an unknown state, so that the module is not used again. */
  private guarded<Result>(call: () => Result): Result {
    if (this.ended !== undefined) throw this.ended;
    try {
      return call();
    } catch (error) {
      if (error instanceof CallerFailure) throw error.reason;
      if (error instanceof StatusError) throw new StowageError(error.code, error.message, error.path);
      const message = error instanceof Error ? error.message : String(error);
      const failure = new StowageError('INTERNAL', `the module failed: ${message}`, '', { cause: error });
      this.end(new StowageError('UNAVAILABLE', `the module failed before and takes no further calls: ${message}`));
      throw failure;
    }
  }

  private check(status: number): void {
    if (status === constants.OK) return;
    const { fields } = structs.stowage_error;
    throw new StatusError(
      this.text(this.exports.stowage_status_text(status)).replace(/^STOWAGE_/, '') as StatusCode,
      this.text(this.error + fields.message),
      this.text(this.error + fields.path),
    );
  }

  private allocate(size: number): Pointer {
    const pointer = this.exports.malloc(Math.max(1, size)) >>> 0;
    if (pointer === 0) throw new StatusError('OUT_OF_MEMORY', 'out of memory', '');
    return pointer;
  }

  private withBytes<Result>(bytes: Uint8Array, call: (pointer: Pointer, size: number) => Result): Result {
    // A size above 32 bits would be truncated.
    if (bytes.length >= 2 ** 32) throw new StatusError('LIMIT_EXCEEDED', 'the buffer is larger than the module can hold', '');
    const pointer = this.allocate(bytes.length);
    try {
      new Uint8Array(this.exports.memory.buffer, pointer, bytes.length).set(bytes);
      return call(pointer, bytes.length);
    } finally {
      this.exports.free(pointer);
    }
  }

  private word(at: Pointer): number {
    return new DataView(this.exports.memory.buffer).getUint32(at, true);
  }

  private takeBuffer(): Uint8Array {
    const { fields } = structs.stowage_buffer;
    const data = this.word(this.out + fields.data);
    const bytes = new Uint8Array(this.exports.memory.buffer, data, this.word(this.out + fields.size)).slice();
    this.exports.stowage_buffer_free(this.out);
    return bytes;
  }

  private text(at: Pointer): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    const begin = at >>> 0;
    return new TextDecoder().decode(bytes.subarray(begin, bytes.indexOf(0, begin)));
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

  private writeLimits(limits: Limits): Pointer {
    const { fields, size } = structs.stowage_limits;
    const view = new DataView(this.exports.memory.buffer, this.limits, size);
    new Uint8Array(this.exports.memory.buffer, this.limits, size).fill(0);
    view.setUint32(fields.struct_size, size, true);
    for (const [key, offset] of LIMIT_FIELDS) {
      const value = limits[key] ?? 0;
      if (!Number.isSafeInteger(value) || value < 0) {
        throw new StatusError('INVALID_ARGUMENT', 'must be a whole number that is not negative', `limits.${key}`);
      }
      view.setBigUint64(offset, BigInt(value), true);
    }
    return this.limits;
  }
}

/** A failure that the library reported; the module remains usable. */
class StatusError extends Error {
  constructor(
    readonly code: StatusCode,
    message: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/** An exception that a callback of the caller threw during a run. */
class CallerFailure extends Error {
  constructor(readonly reason: unknown) {
    super('a function of the caller failed');
  }
}
