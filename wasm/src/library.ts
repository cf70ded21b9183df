// The library on the calling thread.
import type { Limits } from './abi.js';
import { OWN } from './check.js';
import { derivationBytes } from './derivation.js';
import { Owned } from './dispose.js';
import { GROWTH, Held, Instances, SESSION_GROWTH, sourceOf, type HeldName, type Place, type Source } from './held.js';
import type { Derivation, Question, Samples, Usage } from './given.js';
import { NONE, word, words, text } from './lists.js';
import { StowageError } from './errors.js';
import {
  decodeRecommendations, decodeSizes, encodeQuestion, encodeSamples, encodeUsage, modelBytes,
  type Recommendations, type Sizes,
} from './learning.js';
import { Module } from './module.js';
import { operationBytes, termsOf, type OperationSource } from './operations.js';
import { bytesIfAny, Plan, planBytes } from './plan.js';
import type { LossQuestion, MoveLimits } from './report-parts.js';
import {
  decodeBounds, decodeCatalogue, decodeCommit, decodeExplanation, decodeHeadroom, decodeHeadroomOfApps, decodeLosses, decodeMoveOrder,
  decodeVerification,
  type BoundEntry, type Commit, type Explanation, type Headroom, type HeadroomOfApps, type Loss, type MoveOrder, type PlannerInfo,
  type Verification,
} from './reports.js';
import { commitNumber, type AnyPlanner, type CommitMode } from './request-parts.js';
import { encodeRequest, type PlanRequest } from './request.js';
import { fingerprintText } from './shown.js';
import { bytesOfSource, type InstanceSource } from './source.js';
import { Steps, type CallOptions, type Watch } from './watch.js';

export interface ExplainOptions extends Watch {
  /** Index of one app to explain, whether or not it is fully placed; absent = all apps with unplaced replicas. */
  app?: number | undefined;
}

/** A session or a model in the module's memory until it is disposed of. */
abstract class Local extends Held {
  /** @internal */
  constructor(
    /** @internal */
    protected readonly module: Module,
    kind: HeldName,
    private readonly handle: number,
    weight: number,
    release: () => void,
  ) {
    super(kind, kind, weight, release);
  }

  /** @internal The handle, for a call that follows at once. What a caller gives is read before, since reading it may run its code. */
  protected opened(): number {
    this.notDisposed();
    return this.handle;
  }
}

/** An instance inside the module. Immutable; dispose of it when it is no longer needed. */
export class Instance extends Held {
  /** Fingerprint of the content, the same on every platform. A plan carries the fingerprint of its instance. */
  readonly fingerprint: bigint;
  private readonly place: Place;

  /** @internal */
  constructor(
    private readonly module: Module,
    private readonly instances: Instances,
    handle: number,
    private readonly weight: number,
    private readonly source?: Source,
  ) {
    const place = instances.add(handle, weight, source);
    super('Instance', 'Instance', weight, () => instances.free(place));
    this.place = place;
    this.fingerprint = module.fingerprint(handle);
  }

  /** The fingerprint, in 16 hexadecimal digits. */
  override toJSON(): { fingerprint: string } {
    return { fingerprint: fingerprintText(this.fingerprint) };
  }

  /**
   * Runs a planner, given by its name such as "ff" or by a request; default: "auto". The independent checker has checked the plan
   * that is returned.
   */
  plan(request: PlanRequest | AnyPlanner = {}, watch: Watch = {}): Plan {
    const bytes = encodeRequest(request);
    return new Plan(this.module.plan(this.opened(watch), bytes, watch), OWN);
  }

  /** Checks any plan against this instance, on the original numbers and independently of the planners. */
  verify(plan: Plan | Uint8Array, options: CallOptions = {}): Verification {
    const bytes = planBytes(plan);
    return decodeVerification(this.module.verify(this.opened(options), bytes, options));
  }

  /** Explains what determines a plan's number of nodes, and why replicas are unplaced. */
  explain(plan: Plan | Uint8Array, options: ExplainOptions = {}): Explanation {
    const { app = NONE, ...watch } = options;
    const [bytes, index] = [planBytes(plan), word(app, 'app')];
    return decodeExplanation(this.module.explain(this.opened(watch), bytes, index, watch));
  }

  /**
   * How many more replicas of an app each node of a plan takes, the plan being otherwise as it is.
   * @param app index of the app
   * @param node index of a node of the plan whose obstacles are returned as well
   */
  headroom(plan: Plan | Uint8Array, app: number, node: number = NONE, options: CallOptions = {}): Headroom {
    const [bytes, index, at] = [planBytes(plan), word(app, 'app'), word(node, 'node')];
    return decodeHeadroom(this.module.headroom(this.opened(options), bytes, index, at, options));
  }

  /**
   * How many more replicas of each app a cluster takes, one app growing at a time.
   * @param plan undefined: what runs or is pinned
   * @param most counts on each node end there; 0: at the number of replicas that the app wants
   */
  headroomOfApps(plan?: Plan | Uint8Array, most = 0, options: CallOptions = {}): HeadroomOfApps {
    const [bytes, limit] = [bytesIfAny(plan), word(most, 'most')];
    return decodeHeadroomOfApps(this.module.headroomOfApps(this.opened(options), bytes, limit, options));
  }

  /** Which replicas of lost nodes find a place on what remains, while all others stay; worst first. */
  losses(plan: Plan | Uint8Array | undefined, question: LossQuestion & Watch = {}): Loss[] {
    const { nodes = [], label = '', ...watch } = question;
    const [bytes, lost, key] = [bytesIfAny(plan), words(nodes instanceof Uint32Array ? nodes : Array.from(nodes), 'nodes'), text(label, 'label')];
    return decodeLosses(this.module.losses(this.opened(watch), bytes, lost, key, watch));
  }

  /** Puts the moves of a valid plan in waves that keep every hard constraint at every step. */
  orderMoves(plan: Plan | Uint8Array, options: MoveLimits & Watch = {}): MoveOrder {
    const { perNode = 0, appShare = 1, ...watch } = options;
    const [bytes, most] = [planBytes(plan), word(perNode, 'perNode')];
    return decodeMoveOrder(this.module.orderMoves(this.opened(watch), bytes, most, appShare, watch));
  }

  /** Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first. */
  bound(options: CallOptions = {}): BoundEntry[] {
    return decodeBounds(this.module.bound(this.opened(options), options));
  }

  /**
   * Another instance, which differs from this one as the derivation says, without reading bytes again. Without `limits`, it has those
   * of this one. It is independent of this one; dispose of it when it is no longer needed.
   */
  derive(derivation: Derivation, limits?: Limits, options: CallOptions = {}): Instance {
    const steps = new Steps(options);
    const bytes = derivationBytes(derivation, steps);
    const handle = this.module.derive(this.opened(steps.rest()), bytes, limits, steps.rest());
    return new Instance(this.module, this.instances, handle, this.weight);
  }

  /**
   * The bytes of an instance that was derived or that a session returned (`.stow`): they load as an instance with the same
   * fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the bytes that were loaded are the
   * only ones: it is refused.
   */
  bytes(options: CallOptions = {}): Uint8Array {
    return this.module.instanceBytes(this.opened(options), options);
  }

  /** The handle, for a call that follows at once. What a caller gives is read before, since reading it may run its code. */
  private opened(options: CallOptions): number {
    this.notDisposed();
    return this.instances.handleOf(this.place, this.source, options);
  }
}

/**
 * A cluster over time; docs/understand/sessions.md states the rules. A call that fails leaves the session unchanged. Dispose of it at the
 * end.
 */
export class Session extends Local {
  private known: bigint;

  /** @internal */
  constructor(
    module: Module,
    private readonly instances: Instances,
    handle: number,
    private readonly weight: number,
    private readonly terms: Uint8Array,
  ) {
    super(module, 'Session', handle, weight, () => module.freeSession(handle));
    this.known = module.sessionVersion(handle);
  }

  /** Number of operations and commits so far. */
  get version(): bigint {
    this.notDisposed();
    return this.known;
  }

  /** Applies one operation or several: all of them, or none if one is refused. Those that are not given as bytes need `loadText`. */
  apply(operations: OperationSource, options: CallOptions = {}): void {
    const steps = new Steps(options);
    const bytes = operationBytes(operations, this.terms, steps);
    this.module.sessionApply(this.opened(), bytes, steps.rest());
    this.changed();
  }

  /** The cluster as it is now, with all pending replicas. The instance outlives the session. */
  instance(options: CallOptions = {}): Instance {
    const handle = this.module.sessionInstance(this.opened(), options);
    return new Instance(this.module, this.instances, handle, this.weight);
  }

  /** Runs a planner, by default "auto", on the cluster as it is now. */
  plan(request: PlanRequest | AnyPlanner = {}, watch: Watch = {}): Plan {
    const bytes = encodeRequest(request);
    return new Plan(this.module.sessionPlan(this.opened(), bytes, watch), OWN);
  }

  /** Commits a plan: its replicas run from now on. A conflict is no failure; the result lists conflicts. */
  commit(plan: Plan | Uint8Array, mode: CommitMode = 'exact', options: CallOptions = {}): Commit {
    const [bytes, number] = [planBytes(plan), commitNumber(mode)];
    const report = this.module.sessionCommit(this.opened(), bytes, number, options);
    this.changed();
    return decodeCommit(report);
  }

  /** Reads the version, unless a callback has disposed of the session. */
  private changed(): void {
    if (!this.hasEnded) this.known = this.module.sessionVersion(this.opened());
  }

  /** Drops a plan; its replicas stay pending. */
  reject(plan: Plan | Uint8Array, options: CallOptions = {}): void {
    const bytes = planBytes(plan);
    this.module.sessionReject(this.opened(), bytes, options);
  }

  /** The complete state of the session as the bytes of an instance, from which a session can be opened. */
  snapshot(options: CallOptions = {}): Uint8Array {
    return this.module.sessionSnapshot(this.opened(), options);
  }
}

/**
 * A model that has learned how apps perform by size and degree of collocation; docs/understand/learning.md explains it. Immutable; dispose of
 * it when it is no longer needed.
 */
export class Model extends Local {
  /** @internal */
  constructor(module: Module, handle: number, weight: number) {
    super(module, 'Model', handle, weight, () => module.freeModel(handle));
  }

  /** Recommends a size and a degree of collocation for each app, or the sample to take next. */
  recommend(question: Question, options: CallOptions = {}): Recommendations {
    const steps = new Steps(options);
    const bytes = encodeQuestion(question, steps);
    return decodeRecommendations(this.module.recommend(this.opened(), bytes, steps.rest()));
  }

  /** The model as bytes, the same on every platform, for `loadModel`. */
  bytes(options: CallOptions = {}): Uint8Array {
    return this.module.modelBytes(this.opened(), options);
  }
}

/**
 * The library. `loadStowage` makes one. It takes one call at a time: a callback of a call that calls the same library again gets the
 * error `BUSY`.
 */
export class Stowage extends Owned {
  /** Version of the library, "major.minor.patch". */
  readonly version: string;
  private readonly instances: Instances;

  /** @internal */
  constructor(private readonly module: Module) {
    super('Stowage');
    this.version = module.version();
    this.instances = new Instances(module);
  }

  /** The version. */
  override toJSON(): { version: string } {
    return { version: this.version };
  }

  /** The catalogue of planners. */
  planners(): PlannerInfo[] {
    return decodeCatalogue(this.module.planners()).planners;
  }

  /** Loads and checks an instance. Fails with the path of the first wrong value. */
  instance(source: InstanceSource, limits?: Limits, options: CallOptions = {}): Instance {
    const steps = new Steps(options);
    const bytes = bytesOfSource(source, steps, limits);
    const handle = this.module.load(bytes, limits, steps.rest());
    return new Instance(this.module, this.instances, handle, GROWTH * bytes.length, sourceOf(bytes, source, limits));
  }

  /** Opens a session on a cluster or on a snapshot. The limits apply for the life of the session. */
  session(source: InstanceSource, limits?: Limits, options: CallOptions = {}): Session {
    const steps = new Steps(options);
    const bytes = bytesOfSource(source, steps, limits);
    const handle = this.module.openSession(bytes, limits, steps.rest());
    return new Session(this.module, this.instances, handle, SESSION_GROWTH * bytes.length, termsOf(bytes));
  }

  /** Learns from profiled apps: each app measured with some configurations. */
  learn(profiles: Samples, limits?: Limits, options: CallOptions = {}): Model {
    const steps = new Steps(options);
    const bytes = encodeSamples(profiles, steps);
    return new Model(this.module, this.module.learn(bytes, limits, steps.rest()), GROWTH * bytes.length);
  }

  /** Reads the bytes of a model. Bytes that were truncated or changed are refused. */
  loadModel(bytes: Uint8Array, limits?: Limits, options: CallOptions = {}): Model {
    return new Model(this.module, this.module.loadModel(modelBytes(bytes), limits, options), GROWTH * bytes.length);
  }

  /** What replicas should ask for, by what they used. */
  size(usage: Usage, options: CallOptions = {}): Sizes {
    const steps = new Steps(options);
    const bytes = encodeUsage(usage, steps);
    return decodeSizes(this.module.size(bytes, steps.rest()));
  }

  /** Size of the module's memory in bytes. It grows as needed, and is released as a whole. */
  get memoryBytes(): number {
    return this.module.memoryBytes;
  }

  /**
   * Releases the module with all its instances, sessions and models. May be called any number of times. In a callback, it ends the call
   * that calls back, which then throws `DISPOSED`.
   */
  dispose(): void {
    this.module.end(new StowageError('DISPOSED', 'the library was disposed of'));
  }
}
