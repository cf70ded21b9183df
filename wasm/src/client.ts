// The library in a worker: the same calls as in library.ts, returning promises.
import { platform } from '#platform';
import type { Limits } from './abi.js';
import { derivationBytes } from './derivation.js';
import { OWN } from './check.js';
import { Owned } from './dispose.js';
import { Held, type HeldName } from './held.js';
import type { Derivation, Question, Samples, Usage } from './given.js';
import { NONE, text, word, words } from './lists.js';
import { StowageError } from './errors.js';
import { History, acceptedLimits } from './history.js';
import {
  decodeRecommendations, decodeSizes, encodeQuestion, encodeSamples, encodeUsage, modelBytes,
  type Recommendations, type Sizes,
} from './learning.js';
import { compiledModule, placeOf, type LoadOptions } from './compile.js';
import { startChecking } from './load.js';
import type { OperationSource } from './operations.js';
import { bytesIfAny, Plan, planBytes } from './plan.js';
import type { Port, WorkerLike } from './platform.js';
import type { Answer, Call, CallOf, Changed, Loaded, Made, RemoteWatch, Result } from './protocol.js';
import type { LossQuestion, MoveLimits } from './report-parts.js';
import {
  decodeBounds, decodeCatalogue, decodeCommit, decodeExplanation, decodeHeadroom, decodeHeadroomOfApps, decodeLosses, decodeMoveOrder,
  decodeVerification,
  type BoundEntry, type Commit, type Explanation, type Headroom, type HeadroomOfApps, type Loss, type MoveOrder, type PlannerInfo,
  type Verification,
} from './reports.js';
import { commitNumber, type AnyPlanner, type CommitMode } from './request-parts.js';
import type { PlanRequest } from './request.js';
import { fingerprintText } from './shown.js';
import { jsonOf } from './text.js';
import type { InstanceSource } from './source.js';
import { UNTIL_DONE, cancelled, deadlineOf, type Progress } from './watch.js';

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

/** How a call in the worker is ended before it is done. A call that ends so has changed nothing. */
export interface RemoteOptions {
  /**
   * Aborting the signal ends the call and rejects the promise with the signal's reason: at once, and where the call changes a session,
   * as soon as it is known that nothing has changed. If the change was made before, the promise is resolved.
   */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds after its beginning at which the call ends with the code `CANCELLED`. A run of a planner, an explanation, losses, an
   * order of moves and bounds end with what they have so far. 0 or absent: any time.
   */
  deadlineMs?: number | undefined;
}

/** How a run in the worker is watched and ended. */
export interface RunOptions extends RemoteOptions {
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
export interface InstanceOptions extends RemoteOptions {
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
  readonly watch: RemoteWatch;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** True for a call that restores the old worker's state in a new worker. */
  readonly setsUp: boolean;
}

const DEFAULT_PROGRESS_INTERVAL = 50;

/** How a call is asked. */
interface Asking {
  readonly watch?: RemoteWatch;
  readonly transfer?: readonly ArrayBuffer[] | undefined;
  readonly onProgress?: Entry['onProgress'];
}

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
    /** Where the worker finds the part that reads text. */
    private readonly text: string,
    private readonly makeWorker: () => WorkerLike,
    /** Returns the calls that restore the old worker's state in a new worker. */
    private readonly restore: () => Call[],
  ) {}

  ask(call: Call, { watch = {}, transfer = [], onProgress }: Asking = {}): {
    result: Promise<Result>;
    withdraw(reason: unknown, stopsItself: boolean): void;
  } {
    let entry: Entry | undefined;
    const result = new Promise<Result>((resolve, reject) => {
      if (this.ended !== undefined) throw this.ended;
      entry = { id: this.nextId++, call, watch, transfer, resolve, reject, onProgress, setsUp: false };
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
        this.port!.post({ ...entry.call, id: entry.id, watch: entry.watch }, entry.transfer);
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
    const calls: Call[] = [{ call: 'start', module: this.module, text: this.text }, ...this.restore()];
    const entries = calls.map((call) => ({
      id: this.nextId++, call, watch: {}, transfer: [], resolve: () => undefined, onProgress: undefined, setsUp: true,
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

/** A promise that was rejected, as a run. */
const failed = <Value>(reason: unknown): Run<Value> =>
  Object.assign(Promise.reject<Value>(reason), { cancel: () => undefined });

/** A call of the worker: what is asked, and what its result is made into. */
interface Request<Value> {
  readonly call: Call;
  readonly options: RunOptions & { transfer?: readonly ArrayBuffer[] | undefined };
  /** Whether `cancel` may end it, beside the signal. */
  readonly isRun?: boolean;
  /** Whether it changes a session: then only the worker's answer says whether it was ended before it did so. */
  readonly changes?: boolean;
  /** Reads the result, also if nobody waits for it any more. */
  decode(result: Result): Value;
}

/** Makes a call, and connects it to its signal, its progress callback and its cancel flag in shared memory. */
function launch<Value>(calls: Calls, shared: boolean, { call, options, isRun = false, changes = false, decode }: Request<Value>): Run<Value> {
  const { signal, onProgress, transfer } = options;
  const deadline = deadlineOf(options);
  if (signal?.aborted === true) return failed(signal.reason);
  const flag = shared && (isRun || signal !== undefined) ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const progressInterval = onProgress === undefined ? undefined : (options.progressInterval ?? DEFAULT_PROGRESS_INTERVAL);
  const watch: RemoteWatch = { flag, progressInterval, deadlineMs: deadline === 0 ? undefined : deadline };
  const { result, withdraw } = calls.ask(call, { watch, transfer, onProgress });
  const stop = (reason: unknown): void => {
    if (flag !== undefined) Atomics.store(flag, 0, 1);
    withdraw(reason, flag !== undefined);
  };
  const run = new Promise<Value>((resolve, reject) => {
    const abort = (): void => {
      if (!changes) reject(signal!.reason);
      stop(signal!.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    result
      .then(decode)
      .then(
        (value) => {
          // What was made for nobody is freed.
          if (signal?.aborted === true && value instanceof Held) value.dispose();
          resolve(value);
        },
        (error: unknown) => {
          const isEnd = signal?.aborted === true && error instanceof StowageError && error.code === 'CANCELLED';
          reject(isEnd ? signal.reason : error);
        },
      )
      .finally(() => signal?.removeEventListener('abort', abort));
  });
  return Object.assign(run, { cancel: () => stop(cancelled()) });
}

/** An object that lives in the worker until it is disposed of. */
abstract class Remote extends Held {
  /** @internal */
  constructor(
    private readonly worker: StowageWorker,
    kind: HeldName,
    /** @internal */
    protected readonly number: number,
    weight: number,
  ) {
    super(`Worker${kind}`, kind, weight, () => worker.free(number));
  }

  /** @internal */
  protected opened(): StowageWorker {
    this.notDisposed();
    return this.worker;
  }

  /** @internal Makes a call about the object, whose `request` is made at once. */
  protected launch<Value>(request: () => Request<Value>): Run<Value> {
    try {
      return this.opened().launch(request());
    } catch (reason) {
      return failed(reason);
    }
  }

  /** @internal A run, whose result is bytes. */
  protected run<Value>(options: RunOptions, call: () => Call, decode: (result: Uint8Array) => Value): Run<Value> {
    return this.launch(() => ({ call: call(), options, isRun: true, decode: (result) => decode(result as Uint8Array) }));
  }

  /** @internal A call whose result is bytes. */
  protected ask<Value>(options: RemoteOptions, call: () => Call, decode: (result: Uint8Array) => Value): Promise<Value> {
    return this.launch(() => ({ call: call(), options, decode: (result) => decode(result as Uint8Array) }));
  }
}

const asItIs = (result: Uint8Array): Uint8Array => result;

/** An instance in the worker. Immutable; dispose of it when it is no longer needed. */
export class WorkerInstance extends Remote {
  /** @internal */
  constructor(
    worker: StowageWorker,
    number: number,
    /** Fingerprint of the content, the same on every platform. A plan carries the fingerprint of its instance. */
    readonly fingerprint: bigint,
    private readonly limits: Limits | undefined,
    weight: number,
  ) {
    super(worker, 'Instance', number, weight);
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
    return this.run(options, () => ({ call: 'plan', instance: this.number, request }), ownPlan);
  }

  /** Checks any plan against this instance, on the original numbers and independently of the planners. */
  verify(plan: Plan | Uint8Array, options: RemoteOptions = {}): Promise<Verification> {
    return this.ask(options, () => ({ call: 'verify', instance: this.number, plan: planBytes(plan) }), decodeVerification);
  }

  /** Explains what determines a plan's number of nodes, and why replicas are unplaced. */
  explain(plan: Plan | Uint8Array, options: RemoteExplainOptions = {}): Run<Explanation> {
    const { app = NONE } = options;
    const asked = (): Call => ({ call: 'explain', instance: this.number, plan: planBytes(plan), app: word(app, 'app') });
    return this.run(options, asked, decodeExplanation);
  }

  /**
   * How many more replicas of an app each node of a plan takes, the plan being otherwise as it is.
   * @param app index of the app
   * @param node index of a node of the plan whose obstacles are returned as well
   */
  headroom(plan: Plan | Uint8Array, app: number, node: number = NONE, options: RemoteOptions = {}): Promise<Headroom> {
    const asked = (): Call => ({
      call: 'headroom', instance: this.number, plan: planBytes(plan), app: word(app, 'app'), node: word(node, 'node'),
    });
    return this.ask(options, asked, decodeHeadroom);
  }

  /**
   * How many more replicas of each app a cluster takes, one app growing at a time.
   * @param plan undefined: what runs or is pinned
   * @param most counts on each node end there; 0: at the number of replicas that the app wants
   */
  headroomOfApps(plan?: Plan | Uint8Array, most = 0, options: RemoteOptions = {}): Promise<HeadroomOfApps> {
    const asked = (): Call => ({
      call: 'headroom-of-apps', instance: this.number, plan: bytesIfAny(plan), most: word(most, 'most'),
    });
    return this.ask(options, asked, decodeHeadroomOfApps);
  }

  /** Which replicas of lost nodes find a place on what remains, while all others stay; worst first. */
  losses(plan: Plan | Uint8Array | undefined, question: LossQuestion & RunOptions = {}): Run<Loss[]> {
    const { nodes = [], label = '' } = question;
    const asked = (): Call => ({
      call: 'losses', instance: this.number, plan: bytesIfAny(plan), label: text(label, 'label'),
      nodes: words(nodes instanceof Uint32Array ? nodes : Array.from(nodes), 'nodes'),
    });
    return this.run(question, asked, decodeLosses);
  }

  /** Puts the moves of a valid plan in waves that keep every hard constraint at every step. */
  orderMoves(plan: Plan | Uint8Array, options: MoveLimits & RunOptions = {}): Run<MoveOrder> {
    const { perNode = 0, appShare = 1 } = options;
    const asked = (): Call => ({
      call: 'order-moves', instance: this.number, plan: planBytes(plan), perNode: word(perNode, 'perNode'), appShare,
    });
    return this.run(options, asked, decodeMoveOrder);
  }

  /** Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first. */
  bound(options: RemoteOptions = {}): Promise<BoundEntry[]> {
    return this.ask(options, () => ({ call: 'bound', instance: this.number }), decodeBounds);
  }

  /**
   * Another instance, which differs from this one as the derivation says, without reading bytes again. Without `limits`, it has those
   * of this one. It is independent of this one; dispose of it when it is no longer needed.
   */
  async derive(derivation: Derivation, options: Omit<InstanceOptions, 'transfer'> = {}): Promise<WorkerInstance> {
    const [from, bytes, { limits }] = [this.number, derivationBytes(derivation, UNTIL_DONE), options];
    return this.opened().load((instance, keep) => ({ call: 'derive', from, derivation: bytes, limits, instance, keep }), {
      ...options,
      limits: limits ?? this.limits,
    });
  }

  /**
   * The bytes of an instance that was derived or that a session returned (`.stow`): they load as an instance with the same
   * fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the bytes that were loaded are the
   * only ones: it is refused.
   */
  bytes(options: RemoteOptions = {}): Promise<Uint8Array> {
    return this.ask(options, () => ({ call: 'instance-bytes', instance: this.number }), asItIs);
  }
}

/** A plan that the worker has made. */
const ownPlan = (bytes: Uint8Array): Plan => new Plan(bytes, OWN);

/**
 * A session in the worker: a cluster over time; docs/understand/sessions.md states the rules. Calls take effect in the order in which they
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
    weight: number,
  ) {
    super(worker, 'Session', number, weight);
  }

  /** Number of operations and commits as of the last call that was answered. */
  get version(): bigint {
    this.notDisposed();
    return this.known;
  }

  /** Applies one operation or several: all of them, or none if one is refused. */
  async apply(operations: OperationSource, options: RemoteOptions = {}): Promise<void> {
    // A copy, because the caller may change them while the call is queued or kept.
    const own = operations instanceof Uint8Array ? operations.slice() : jsonOf(operations, 'operations', UNTIL_DONE);
    const keep = this.history?.isDue(own) ?? false;
    await this.change({ call: 'apply', session: this.number, operations: own, keep }, options);
  }

  /** The cluster as it is now, with all pending replicas. The instance outlives the session. */
  async instance(options: RemoteOptions = {}): Promise<WorkerInstance> {
    const session = this.number;
    return this.opened().load((instance, keep) => ({ call: 'session-instance', session, instance, keep }), {
      ...options,
      limits: this.limits,
    });
  }

  /** Runs a planner, by default "auto", on the cluster as it is when the call is executed. */
  plan(request: PlanRequest | AnyPlanner = {}, options: RunOptions = {}): Run<Plan> {
    return this.run(options, () => ({ call: 'session-plan', session: this.number, request }), ownPlan);
  }

  /** Commits a plan: its replicas run from now on. A conflict is no failure; the result lists conflicts. */
  async commit(plan: Plan | Uint8Array, mode: CommitMode = 'exact', options: RemoteOptions = {}): Promise<Commit> {
    const keep = this.history !== undefined;
    const call = { call: 'commit', session: this.number, plan: planBytes(plan), mode: commitNumber(mode), keep } as const;
    return decodeCommit((await this.change(call, options)).report!);
  }

  /** Drops a plan; its replicas stay pending. */
  async reject(plan: Plan | Uint8Array, options: RemoteOptions = {}): Promise<void> {
    const call: Call = { call: 'reject', session: this.number, plan: planBytes(plan) };
    await this.launch(() => ({ call, options, changes: true, decode: () => undefined }));
  }

  /** The complete state of the session as the bytes of an instance, from which a session can be opened. */
  snapshot(options: RemoteOptions = {}): Promise<Uint8Array> {
    return this.ask(options, () => ({ call: 'snapshot', session: this.number }), asItIs);
  }

  private change(call: CallOf<'apply' | 'commit'>, options: RemoteOptions): Promise<Changed> {
    const decode = (result: Result): Changed => {
      const changed = result as Changed;
      this.known = changed.version;
      this.history?.changed(changed.snapshot, call.call === 'apply' ? call.operations : undefined);
      return changed;
    };
    return this.launch(() => ({ call, options, changes: true, decode }));
  }
}

/**
 * A model in the worker, which has learned how apps perform by size and degree of collocation; docs/understand/learning.md explains it.
 * Immutable; dispose of it when it is no longer needed.
 */
export class WorkerModel extends Remote {
  /** @internal */
  constructor(worker: StowageWorker, number: number, weight: number) {
    super(worker, 'Model', number, weight);
  }

  /** Recommends a size and a degree of collocation for each app, or the sample to take next. */
  recommend(question: Question, options: RemoteOptions = {}): Promise<Recommendations> {
    const asked = (): Call => ({ call: 'recommend', model: this.number, question: encodeQuestion(question, UNTIL_DONE) });
    return this.ask(options, asked, decodeRecommendations);
  }

  /** The model as bytes, the same on every platform, for `loadModel`. */
  bytes(options: RemoteOptions = {}): Promise<Uint8Array> {
    return this.ask(options, () => ({ call: 'model-bytes', model: this.number }), asItIs);
  }
}

/** The library in a worker. `startStowageWorker` makes one. Its calls are queued, so that any of them may be made in any callback. */
export class StowageWorker extends Owned {
  private readonly calls: Calls;
  /** For each instance, session and model, by its number: the calls that restore it in a new worker. */
  private readonly kept = new Map<number, { readonly calls: readonly Call[] }>();
  private nextNumber = 0;

  /** @internal */
  constructor(
    module: WebAssembly.Module,
    text: string,
    makeWorker: () => WorkerLike,
    private readonly shared: boolean,
    private readonly recover: boolean,
  ) {
    super('StowageWorker');
    this.calls = new Calls(module, text, makeWorker, () => [...this.kept.values()].flatMap(({ calls }) => calls));
  }

  /** @internal */
  launch<Value>(request: Request<Value>): Run<Value> {
    return launch(this.calls, this.shared, request);
  }

  /** The catalogue of planners. */
  async planners(): Promise<PlannerInfo[]> {
    return decodeCatalogue((await this.calls.ask({ call: 'planners' }).result) as Uint8Array).planners;
  }

  /** The bytes of an instance (`.stow`). Its content is checked when it is loaded. */
  async encode(source: InstanceSource, options: RemoteOptions = {}): Promise<Uint8Array> {
    return this.launch({ call: { call: 'encode', source }, options, decode: (result) => result as Uint8Array });
  }

  /** Loads and checks an instance. Fails with the path of the first wrong value. */
  async instance(source: InstanceSource, options: InstanceOptions = {}): Promise<WorkerInstance> {
    const { limits } = options;
    return this.load((instance, keep) => ({ call: 'instance', instance, source, limits, keep }), options);
  }

  /** Opens a session on a cluster or on a snapshot. The limits apply for the life of the session. */
  async session(source: InstanceSource, options: InstanceOptions = {}): Promise<WorkerSession> {
    const { limits } = options;
    const session = this.nextNumber++;
    const call: Call = { call: 'session', session, source, limits, keep: this.recover };
    const decode = (result: Result): WorkerSession => {
      const { version, snapshot, weight } = result as Changed;
      const history = snapshot === undefined ? undefined : new History(session, acceptedLimits(limits), snapshot);
      if (history !== undefined) this.kept.set(session, history);
      return new WorkerSession(this, session, version, limits, history, weight);
    };
    return this.launch({ call, options, decode });
  }

  /** Learns from profiled apps: each app measured with some configurations. */
  async learn(profiles: Samples, options: Omit<InstanceOptions, 'transfer'> = {}): Promise<WorkerModel> {
    const samples = encodeSamples(profiles, UNTIL_DONE);
    return this.makeModel((model) => ({ call: 'learn', model, samples, limits: options.limits }), options);
  }

  /** Reads the bytes of a model. Bytes that were truncated or changed are refused. */
  async loadModel(bytes: Uint8Array, options: Omit<InstanceOptions, 'transfer'> = {}): Promise<WorkerModel> {
    // A copy, because the caller may change the bytes while the call is queued or kept.
    const own = modelBytes(bytes).slice();
    return this.makeModel((model) => ({ call: 'load-model', model, bytes: own, limits: options.limits }), options);
  }

  /** What replicas should ask for, by what they used. */
  async size(usage: Usage, options: RemoteOptions = {}): Promise<Sizes> {
    const call: Call = { call: 'size', usage: encodeUsage(usage, UNTIL_DONE) };
    return this.launch({ call, options, decode: (result) => decodeSizes(result as Uint8Array) });
  }

  /** Ends the worker. Queued calls are rejected with the code `DISPOSED`. May be called any number of times. */
  dispose(): void {
    this.calls.end(new StowageError('DISPOSED', 'the worker was disposed of'));
  }

  /**
   * @internal Creates an instance in the worker. `callFor` returns the call for the instance's number and for whether the bytes
   * are kept.
   */
  load(callFor: (instance: number, keep: boolean) => Call, options: InstanceOptions): Promise<WorkerInstance> {
    const { limits } = options;
    const instance = this.nextNumber++;
    const decode = (result: Result): WorkerInstance => {
      const { fingerprint, bytes, weight } = result as Loaded;
      if (bytes !== undefined) {
        this.kept.set(instance, {
          calls: [{ call: 'instance', instance, source: bytes, limits: acceptedLimits(limits), keep: false }],
        });
      }
      return new WorkerInstance(this, instance, fingerprint, limits, weight);
    };
    return this.launch({ call: callFor(instance, this.recover), options, decode });
  }

  /** Makes a model in the worker. The same call restores it in a new worker. */
  private makeModel(callFor: (model: number) => Call, options: RemoteOptions): Promise<WorkerModel> {
    const model = this.nextNumber++;
    const call = callFor(model);
    const decode = (result: Result): WorkerModel => {
      if (this.recover) this.kept.set(model, { calls: [call] });
      return new WorkerModel(this, model, (result as Made).weight);
    };
    return this.launch({ call, options, decode });
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
  const module = await compiledModule('stowage.wasm', options);
  await startChecking(module);
  const text = placeOf('stowage-text.wasm', options);
  const worker = new StowageWorker(module, text, options.worker ?? (() => platform.startWorker()), shared, recover);
  // The first answer shows that the worker runs.
  await worker.planners();
  return worker;
}
