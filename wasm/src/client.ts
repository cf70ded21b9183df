// The library in a worker: the same calls as in library.ts, returning promises.
import { platform } from '#platform';
import { encodeDerivation, type Derivation } from './derivation.js';
import { Owned } from './dispose.js';
import { NONE } from './lists.js';
import { StowageError } from './errors.js';
import { History, acceptedLimits } from './history.js';
import {
  decodeRecommendations, decodeSizes, encodeQuestion, encodeSamples, encodeUsage, modelBytes,
  type Question, type Recommendations, type Samples, type Sizes, type Usage,
} from './learning.js';
import { compiledModule, type LoadOptions } from './load.js';
import type { Limits, Progress } from './module.js';
import { operationBytes, type Operation } from './operations.js';
import { bytesIfAny, Plan, planBytes } from './plan.js';
import type { Port, WorkerLike } from './platform.js';
import type { Answer, Call, CallOf, Changed, Loaded, RemoteWatch, Result } from './protocol.js';
import {
  decodeBounds, decodeCatalogue, decodeCommit, decodeExplanation, decodeHeadroom, decodeHeadroomOfApps, decodeLosses, decodeMoveOrder,
  decodeVerification,
  type BoundEntry, type Commit, type Explanation, type Headroom, type HeadroomOfApps, type Loss, type LossQuestion, type MoveLimits, type MoveOrder,
  type PlannerInfo, type Verification,
} from './reports.js';
import { commitNumber, type AnyPlanner, type CommitMode, type PlanRequest } from './request.js';
import { fingerprintText } from './shown.js';
import type { InstanceSource } from './source.js';

export interface WorkerOptions extends LoadOptions {
  /** Creates the worker, for bundlers with their own way of doing so. The worker has to run this package's `stowage/worker`. */
  worker?: (() => WorkerLike) | undefined;
  /**
   * True: runs are cancelled through shared memory. False: cancelling a run replaces its worker. Default: true where shared
   * memory exists (in Node.js, and on cross-origin isolated pages).
   */
  shared?: boolean | undefined;
  /**
   * True: the client keeps the bytes of its instances and models and the history of its sessions, and restores them in a new
   * worker. Default: true where memory is not shared.
   */
  recover?: boolean | undefined;
}

/** How a run in the worker is watched and ended. */
export interface RunOptions {
  /** Aborting the signal ends the run and rejects the promise with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called with the progress during the run. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Minimum milliseconds between two calls of `onProgress`; default 50. */
  progressInterval?: number | undefined;
}

/** Options of an explanation in the worker. */
export interface RemoteExplainOptions extends RunOptions {
  /** Index of one app to explain, whether or not it is fully placed; absent = all apps with unplaced replicas. */
  app?: number | undefined;
}

/** Options for loading an instance or opening a session. */
export interface InstanceOptions {
  limits?: Limits | undefined;
  /** Buffers that are transferred to the worker instead of copied; they are empty afterwards. */
  transfer?: readonly ArrayBuffer[] | undefined;
}

/** A run in the worker. */
export interface Run<Result> extends Promise<Result> {
  /**
   * Ends the run with its best plan so far, which has the status "cancelled". Where memory is not shared, or where the run has
   * not begun, there is no plan, and the promise is rejected with the code `CANCELLED`.
   */
  cancel(): void;
}

interface Entry {
  readonly id: number;
  readonly call: Call;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** True for a call that restores the old worker's state in a new worker. */
  readonly setsUp: boolean;
}

const DEFAULT_PROGRESS_INTERVAL = 50;
const cancelled = (): StowageError => new StowageError('CANCELLED', 'the call was cancelled and has no result');

/** The queue of calls. The worker gets one call at a time, so that queued calls can be withdrawn. */
class Calls {
  private port: Port | undefined;
  private readonly waiting: Entry[] = [];
  private active: Entry | undefined;
  private nextId = 0;
  private ended: StowageError | undefined;
  /** Number of the present worker; messages of earlier workers are ignored. */
  private generation = 0;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly makeWorker: () => WorkerLike,
    /** Returns the calls that restore the old worker's state in a new worker. */
    private readonly restore: () => Call[],
  ) {}

  ask(call: Call, options: { transfer?: readonly ArrayBuffer[] | undefined; onProgress?: Entry['onProgress'] } = {}): {
    result: Promise<Result>;
    withdraw(reason: unknown, stopsItself: boolean): void;
  } {
    let entry: Entry | undefined;
    const result = new Promise<Result>((resolve, reject) => {
      if (this.ended !== undefined) throw this.ended;
      const { transfer = [], onProgress } = options;
      entry = { id: this.nextId++, call, transfer, resolve, reject, onProgress, setsUp: false };
      this.waiting.push(entry);
    });
    this.pump();
    return { result, withdraw: (reason, stopsItself) => this.withdraw(entry, reason, stopsItself) };
  }

  end(reason: StowageError): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.port?.end();
    this.port = undefined;
    for (const entry of [this.active, ...this.waiting.splice(0)]) entry?.reject(reason);
    this.active = undefined;
  }

  /**
   * Withdraws a call: removes it from the queue or, if the worker is executing it and cannot be told to stop, replaces the
   * worker.
   */
  private withdraw(entry: Entry | undefined, reason: unknown, stopsItself: boolean): void {
    if (entry === undefined) return;
    const index = this.waiting.indexOf(entry);
    if (index >= 0) {
      this.waiting.splice(index, 1);
      entry.reject(reason);
    } else if (this.active === entry && !stopsItself) {
      this.replaceWorker(reason);
    }
  }

  private pump(): void {
    while (this.active === undefined && this.ended === undefined) {
      if (this.port === undefined && this.waiting.length > 0) this.startWorker();
      const entry = this.waiting.shift();
      if (entry === undefined) break;
      try {
        this.port!.post({ ...entry.call, id: entry.id }, entry.transfer);
        this.active = entry;
      } catch (cause) {
        entry.reject(new StowageError('INVALID', 'the arguments cannot be sent to a worker', '', { cause }));
      }
    }
    this.port?.hold(this.active !== undefined);
  }

  private startWorker(): void {
    const generation = ++this.generation;
    this.port = platform.connect(
      this.makeWorker(),
      (message) => {
        if (generation === this.generation) this.receive(message as Answer);
      },
      (reason) => {
        if (generation === this.generation) this.replaceWorker(this.lost(reason));
      },
    );
    const calls: Call[] = [{ call: 'start', module: this.module }, ...this.restore()];
    const entries = calls.map((call) => ({
      id: this.nextId++, call, transfer: [], resolve: () => undefined, onProgress: undefined, setsUp: true,
      // All other calls depend on these, so that a failure here ends the client.
      reject: (reason: unknown) => {
        this.end(reason instanceof StowageError ? reason : this.lost(reason));
      },
    }));
    this.waiting.unshift(...entries);
  }

  private lost(reason: unknown): StowageError {
    const message = reason instanceof Error ? reason.message : String(reason);
    return new StowageError('UNAVAILABLE', `the worker failed: ${message}`, '', { cause: reason });
  }

  /** Ends the worker together with the call that it is executing. The next call starts a new worker. */
  private replaceWorker(reason: unknown): void {
    this.port?.end();
    this.port = undefined;
    ++this.generation;
    const entry = this.active;
    this.active = undefined;
    // The next worker gets its own calls for restoring the state.
    const left = this.waiting.filter((one) => !one.setsUp);
    this.waiting.splice(0, this.waiting.length, ...left);
    entry?.reject(reason);
    this.pump();
  }

  private receive(answer: Answer): void {
    const entry = this.active;
    if (entry === undefined || answer.id !== entry.id) return;
    if ('progress' in answer) {
      try {
        entry.onProgress?.(answer.progress);
      } catch (reason) {
        entry.reject(reason);
      }
      return;
    }
    this.active = undefined;
    if ('result' in answer) {
      entry.resolve(answer.result);
    } else {
      const { code, message, path, ended } = answer.failure;
      entry.reject(new StowageError(code, message, path));
      if (ended) this.replaceWorker(undefined);
    }
    this.pump();
  }
}

/** Starts a run and connects it to its signal, its progress callback and its cancel flag in shared memory. */
function launch<Value>(
  calls: Calls,
  shared: boolean,
  options: RunOptions,
  callFor: (watch: RemoteWatch) => Call,
  decode: (result: Uint8Array) => Value,
): Run<Value> {
  const { signal, onProgress } = options;
  if (signal?.aborted === true) return Object.assign(Promise.reject<Value>(signal.reason), { cancel: () => undefined });
  const flag = shared ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const progressInterval = onProgress === undefined ? undefined : (options.progressInterval ?? DEFAULT_PROGRESS_INTERVAL);
  const { result, withdraw } = calls.ask(callFor({ flag, progressInterval }), { onProgress });
  const stop = (reason: unknown): void => {
    if (flag !== undefined) Atomics.store(flag, 0, 1);
    withdraw(reason, flag !== undefined);
  };
  const run = new Promise<Value>((resolve, reject) => {
    const abort = (): void => {
      reject(signal!.reason);
      stop(signal!.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    result
      .then((bytes) => decode(bytes as Uint8Array))
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', abort));
  });
  return Object.assign(run, { cancel: () => stop(cancelled()) });
}

/** Frees undisposed objects after they have become unreachable. */
const net = new FinalizationRegistry<() => void>((free) => free());

/** An object that lives in the worker until it is disposed of. */
abstract class Remote extends Owned {
  private disposed = false;

  /** @internal */
  constructor(
    private readonly worker: StowageWorker,
    private readonly name: 'Instance' | 'Session' | 'Model',
    /** @internal */
    protected readonly number: number,
  ) {
    super(`Worker${name}`);
    net.register(this, () => worker.free(number), this);
  }

  /** Frees the object once all earlier calls have ended. May be called any number of times. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    net.unregister(this);
    this.worker.free(this.number);
  }

  /** @internal */
  protected opened(): StowageWorker {
    if (this.disposed) throw new StowageError('DISPOSED', `the ${this.name.toLowerCase()} was disposed of`);
    return this.worker;
  }

  /** @internal */
  protected launch<Value>(
    options: RunOptions,
    callFor: (watch: RemoteWatch) => Call,
    decode: (result: Uint8Array) => Value,
  ): Run<Value> {
    try {
      const { calls, shared } = this.opened();
      return launch(calls, shared, options, callFor, decode);
    } catch (reason) {
      return Object.assign(Promise.reject<Value>(reason), { cancel: () => undefined });
    }
  }

  /** @internal */
  protected async ask(call: Call): Promise<Uint8Array> {
    return (await this.opened().calls.ask(call).result) as Uint8Array;
  }
}

/** An instance in the worker. Immutable; dispose of it when it is no longer needed. */
export class WorkerInstance extends Remote {
  /** @internal */
  constructor(
    worker: StowageWorker,
    number: number,
    /** Fingerprint of the content, the same on every platform. A plan carries the fingerprint of its instance. */
    readonly fingerprint: bigint,
    private readonly limits: Limits | undefined,
  ) {
    super(worker, 'Instance', number);
  }

  /** The fingerprint, in 16 hexadecimal digits. */
  override toJSON(): { fingerprint: string } {
    return { fingerprint: fingerprintText(this.fingerprint) };
  }

  /**
   * Runs a planner, given by its name such as "ff" or by a request; default: "auto". The independent checker has checked the plan
   * that is returned.
   */
  plan(request: PlanRequest | AnyPlanner = {}, options: RunOptions = {}): Run<Plan> {
    return this.launch(
      options,
      (watch) => ({ call: 'plan', instance: this.number, request, watch }),
      (bytes) => new Plan(bytes),
    );
  }

  /** Checks any plan against this instance, on the original numbers and independently of the planners. */
  async verify(plan: Plan | Uint8Array): Promise<Verification> {
    return decodeVerification(await this.ask({ call: 'verify', instance: this.number, plan: planBytes(plan) }));
  }

  /** Explains what determines a plan's number of nodes, and why replicas are unplaced. */
  explain(plan: Plan | Uint8Array, options: RemoteExplainOptions = {}): Run<Explanation> {
    const { app = NONE } = options;
    return this.launch(
      options,
      (watch) => ({ call: 'explain', instance: this.number, plan: planBytes(plan), app, watch }),
      decodeExplanation,
    );
  }

  /**
   * How many more replicas of an app each node of a plan takes, the plan being otherwise as it is.
   * @param app index of the app
   * @param node index of a node of the plan whose obstacles are returned as well
   */
  async headroom(plan: Plan | Uint8Array, app: number, node: number = NONE): Promise<Headroom> {
    return decodeHeadroom(await this.ask({ call: 'headroom', instance: this.number, plan: planBytes(plan), app, node }));
  }

  /**
   * How many more replicas of each app a cluster takes, one app growing at a time.
   * @param plan undefined: what runs or is pinned
   * @param most counts on each node end there; 0: at the number of replicas that the app wants
   */
  async headroomOfApps(plan?: Plan | Uint8Array, most = 0): Promise<HeadroomOfApps> {
    const question = { call: 'headroom-of-apps', instance: this.number, plan: bytesIfAny(plan), most } as const;
    return decodeHeadroomOfApps(await this.ask(question));
  }

  /** Which replicas of lost nodes find a place on what remains, while all others stay; worst first. */
  losses(plan: Plan | Uint8Array | undefined, question: LossQuestion & RunOptions = {}): Run<Loss[]> {
    const { nodes = [], label = '' } = question;
    const asked = { instance: this.number, plan: bytesIfAny(plan), nodes: Uint32Array.from(nodes), label };
    return this.launch(question, (watch) => ({ call: 'losses', ...asked, watch }), decodeLosses);
  }

  /** Puts the moves of a valid plan in waves that keep every hard constraint at every step. */
  orderMoves(plan: Plan | Uint8Array, options: MoveLimits & RunOptions = {}): Run<MoveOrder> {
    const { perNode = 0, appShare = 1 } = options;
    return this.launch(
      options,
      (watch) => ({ call: 'order-moves', instance: this.number, plan: planBytes(plan), perNode, appShare, watch }),
      decodeMoveOrder,
    );
  }

  /** Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first. */
  async bound(): Promise<BoundEntry[]> {
    return decodeBounds(await this.ask({ call: 'bound', instance: this.number }));
  }

  /**
   * Another instance, which differs from this one as the derivation says, without reading bytes again. Without `limits`, it has those
   * of this one. It is independent of this one; dispose of it when it is no longer needed.
   */
  async derive(derivation: Derivation, { limits }: Pick<InstanceOptions, 'limits'> = {}): Promise<WorkerInstance> {
    const [from, bytes] = [this.number, encodeDerivation(derivation)];
    return this.opened().load((instance, keep) => ({ call: 'derive', from, derivation: bytes, limits, instance, keep }), {
      limits: limits ?? this.limits,
    });
  }

  /**
   * The bytes of an instance that was derived or that a session returned (`.stow`): they load as an instance with the same
   * fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the bytes that were loaded are the
   * only ones: it is refused.
   */
  async bytes(): Promise<Uint8Array> {
    return this.ask({ call: 'instance-bytes', instance: this.number });
  }
}

/**
 * A session in the worker: a cluster over time; docs/sessions.md states the rules. Calls take effect in the order in which they
 * are made. A call that fails leaves the session unchanged. Dispose of it at the end.
 */
export class WorkerSession extends Remote {
  /** @internal */
  constructor(
    worker: StowageWorker,
    number: number,
    private known: bigint,
    private readonly limits: Limits | undefined,
    private readonly history: History | undefined,
  ) {
    super(worker, 'Session', number);
  }

  /** Number of operations and commits as of the last call that was answered. */
  get version(): bigint {
    this.opened();
    return this.known;
  }

  /** Applies operations, or their bytes (session.fbs): all of them, or none if one is refused. */
  async apply(operations: readonly Operation[] | Uint8Array): Promise<void> {
    // A copy, because the caller may change the bytes while the call is queued or kept.
    const bytes = operationBytes(operations).slice();
    const keep = this.history?.isDue(bytes) ?? false;
    await this.change({ call: 'apply', session: this.number, operations: bytes, keep });
  }

  /** The cluster as it is now, with all pending replicas. The instance outlives the session. */
  async instance(): Promise<WorkerInstance> {
    const session = this.number;
    return this.opened().load((instance, keep) => ({ call: 'session-instance', session, instance, keep }), {
      limits: this.limits,
    });
  }

  /** Runs a planner, by default "auto", on the cluster as it is when the call is executed. */
  plan(request: PlanRequest | AnyPlanner = {}, options: RunOptions = {}): Run<Plan> {
    return this.launch(
      options,
      (watch) => ({ call: 'session-plan', session: this.number, request, watch }),
      (bytes) => new Plan(bytes),
    );
  }

  /** Commits a plan: its replicas run from now on. A conflict is no failure; the result lists conflicts. */
  async commit(plan: Plan | Uint8Array, mode: CommitMode = 'exact'): Promise<Commit> {
    const keep = this.history !== undefined;
    const call = { call: 'commit', session: this.number, plan: planBytes(plan), mode: commitNumber(mode), keep } as const;
    return decodeCommit((await this.change(call)).report!);
  }

  /** Drops a plan; its replicas stay pending. */
  async reject(plan: Plan | Uint8Array): Promise<void> {
    await this.ask({ call: 'reject', session: this.number, plan: planBytes(plan) });
  }

  /** The complete state of the session as the bytes of an instance, from which a session can be opened. */
  async snapshot(): Promise<Uint8Array> {
    return this.ask({ call: 'snapshot', session: this.number });
  }

  private async change(call: CallOf<'apply' | 'commit'>): Promise<Changed> {
    const changed = (await this.opened().calls.ask(call).result) as Changed;
    this.known = changed.version;
    this.history?.changed(changed.snapshot, call.call === 'apply' ? call.operations : undefined);
    return changed;
  }
}

/**
 * A model in the worker, which has learned how apps perform by size and degree of collocation; docs/learning.md explains it.
 * Immutable; dispose of it when it is no longer needed.
 */
export class WorkerModel extends Remote {
  /** @internal */
  constructor(worker: StowageWorker, number: number) {
    super(worker, 'Model', number);
  }

  /** Recommends a size and a degree of collocation for each app, or the sample to take next. */
  async recommend(question: Question): Promise<Recommendations> {
    const call = { call: 'recommend', model: this.number, question: encodeQuestion(question) } as const;
    return decodeRecommendations(await this.ask(call));
  }

  /** The model as bytes, the same on every platform, for `loadModel`. */
  async bytes(): Promise<Uint8Array> {
    return this.ask({ call: 'model-bytes', model: this.number });
  }
}

/** The library in a worker. `startStowageWorker` makes one. */
export class StowageWorker extends Owned {
  /** @internal */
  readonly calls: Calls;
  /** For each instance, session and model, by its number: the calls that restore it in a new worker. */
  private readonly kept = new Map<number, { readonly calls: readonly Call[] }>();
  private nextNumber = 0;

  /** @internal */
  constructor(
    module: WebAssembly.Module,
    makeWorker: () => WorkerLike,
    /** @internal */
    readonly shared: boolean,
    private readonly recover: boolean,
  ) {
    super('StowageWorker');
    this.calls = new Calls(module, makeWorker, () => [...this.kept.values()].flatMap(({ calls }) => calls));
  }

  /** The catalogue of planners. */
  async planners(): Promise<PlannerInfo[]> {
    return decodeCatalogue((await this.calls.ask({ call: 'planners' }).result) as Uint8Array).planners;
  }

  /** The bytes of an instance (`.stow`). Its content is checked when it is loaded. */
  async encode(source: InstanceSource): Promise<Uint8Array> {
    return (await this.calls.ask({ call: 'encode', source }).result) as Uint8Array;
  }

  /** Loads and checks an instance. Fails with the path of the first wrong value. */
  async instance(source: InstanceSource, options: InstanceOptions = {}): Promise<WorkerInstance> {
    const { limits } = options;
    return this.load((instance, keep) => ({ call: 'instance', instance, source, limits, keep }), options);
  }

  /** Opens a session on a cluster or on a snapshot. The limits apply for the life of the session. */
  async session(source: InstanceSource, options: InstanceOptions = {}): Promise<WorkerSession> {
    const { limits, transfer } = options;
    const session = this.nextNumber++;
    const call: Call = { call: 'session', session, source, limits, keep: this.recover };
    const { version, snapshot } = (await this.calls.ask(call, { transfer }).result) as Changed;
    const history = snapshot === undefined ? undefined : new History(session, acceptedLimits(limits), snapshot);
    if (history !== undefined) this.kept.set(session, history);
    return new WorkerSession(this, session, version, limits, history);
  }

  /** Learns from profiled apps: each app measured with some configurations. */
  async learn(profiles: Samples, options: Pick<InstanceOptions, 'limits'> = {}): Promise<WorkerModel> {
    const samples = encodeSamples(profiles);
    return this.makeModel((model) => ({ call: 'learn', model, samples, limits: options.limits }));
  }

  /** Reads the bytes of a model. Bytes that were truncated or changed are refused. */
  async loadModel(bytes: Uint8Array, options: Pick<InstanceOptions, 'limits'> = {}): Promise<WorkerModel> {
    // A copy, because the caller may change the bytes while the call is queued or kept.
    const own = modelBytes(bytes).slice();
    return this.makeModel((model) => ({ call: 'load-model', model, bytes: own, limits: options.limits }));
  }

  /** What replicas should ask for, by what they used. */
  async size(usage: Usage): Promise<Sizes> {
    return decodeSizes((await this.calls.ask({ call: 'size', usage: encodeUsage(usage) }).result) as Uint8Array);
  }

  /** Ends the worker. Queued calls are rejected with the code `DISPOSED`. May be called any number of times. */
  dispose(): void {
    this.calls.end(new StowageError('DISPOSED', 'the worker was disposed of'));
  }

  /**
   * @internal Creates an instance in the worker. `call` returns the call for the instance's number and for whether the bytes
   * are kept.
   */
  async load(callFor: (instance: number, keep: boolean) => Call, options: InstanceOptions): Promise<WorkerInstance> {
    const { limits, transfer } = options;
    const instance = this.nextNumber++;
    const call = callFor(instance, this.recover);
    const { fingerprint, bytes } = (await this.calls.ask(call, { transfer }).result) as Loaded;
    if (bytes !== undefined) {
      this.kept.set(instance, {
        calls: [{ call: 'instance', instance, source: bytes, limits: acceptedLimits(limits), keep: false }],
      });
    }
    return new WorkerInstance(this, instance, fingerprint, limits);
  }

  /** Makes a model in the worker. The same call restores it in a new worker. */
  private async makeModel(callFor: (model: number) => Call): Promise<WorkerModel> {
    const model = this.nextNumber++;
    const call = callFor(model);
    await this.calls.ask(call).result;
    if (this.recover) this.kept.set(model, { calls: [call] });
    return new WorkerModel(this, model);
  }

  /** @internal Frees an instance, a session or a model. A new worker restores it first if earlier calls are still queued. */
  free(number: number): void {
    this.calls
      .ask({ call: 'free', number })
      .result.catch(() => undefined)
      .finally(() => this.kept.delete(number));
  }
}

/** Loads the library into a worker, so that this thread stays responsive and can watch and cancel runs. */
export async function startStowageWorker(options: WorkerOptions = {}): Promise<StowageWorker> {
  const { shared = platform.canShare, recover = !shared } = options;
  if (shared && !platform.canShare) {
    throw new StowageError('UNAVAILABLE', 'memory cannot be shared: the page is not cross-origin isolated');
  }
  const module = await compiledModule(options);
  const worker = new StowageWorker(module, options.worker ?? (() => platform.startWorker()), shared, recover);
  // The first answer shows that the worker runs.
  await worker.planners();
  return worker;
}
