// The library on the calling thread.
import { encodeDerivation, type Derivation } from './derivation.js';
import { Owned } from './dispose.js';
import { NONE } from './lists.js';
import { StowageError } from './errors.js';
import {
  decodeRecommendations, decodeSizes, encodeQuestion, encodeSamples, encodeUsage, modelBytes,
  type Question, type Recommendations, type Samples, type Sizes, type Usage,
} from './learning.js';
import { Module, type Limits, type Watch } from './module.js';
import { operationBytes, type Operation } from './operations.js';
import { bytesIfAny, Plan, planBytes } from './plan.js';
import {
  decodeBounds, decodeCatalogue, decodeCommit, decodeExplanation, decodeHeadroom, decodeHeadroomOfApps, decodeLosses, decodeMoveOrder,
  decodeVerification,
  type BoundEntry, type Commit, type Explanation, type Headroom, type HeadroomOfApps, type Loss, type LossQuestion, type MoveLimits, type MoveOrder,
  type PlannerInfo, type Verification,
} from './reports.js';
import { commitNumber, type AnyPlanner, type CommitMode, type PlanRequest } from './request.js';
import { runPlanner } from './run.js';
import { fingerprintText } from './shown.js';
import { instanceBytes, type InstanceSource } from './source.js';

export interface ExplainOptions extends Watch {
  /** Index of one app to explain, whether or not it is fully placed; absent = all apps with unplaced replicas. */
  app?: number | undefined;
}

/** Frees undisposed objects after they have become unreachable. */
const net = new FinalizationRegistry<() => void>((free) => free());

/** An object in the module's memory until it is disposed of. */
abstract class Local extends Owned {
  private handle: number | undefined;

  /** @internal */
  constructor(
    /** @internal */
    protected readonly module: Module,
    private readonly name: 'Instance' | 'Session' | 'Model',
    handle: number,
    private readonly release: (handle: number) => void,
  ) {
    super(name);
    this.handle = handle;
    net.register(this, () => release(handle), this);
  }

  /** Frees the object. May be called any number of times. */
  dispose(): void {
    if (this.handle === undefined) return;
    net.unregister(this);
    this.release(this.handle);
    this.handle = undefined;
  }

  /** @internal */
  protected opened(): number {
    if (this.handle === undefined) throw new StowageError('DISPOSED', `the ${this.name.toLowerCase()} was disposed of`);
    return this.handle;
  }
}

/** An instance inside the module. Immutable; dispose of it when it is no longer needed. */
export class Instance extends Local {
  /** Fingerprint of the content, the same on every platform. A plan carries the fingerprint of its instance. */
  readonly fingerprint: bigint;

  /** @internal */
  constructor(module: Module, handle: number) {
    super(module, 'Instance', handle, (one) => module.free(one));
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
    const handle = this.opened();
    return new Plan(runPlanner(this.module, (bytes, run) => this.module.plan(handle, bytes, run), request, watch));
  }

  /** Checks any plan against this instance, on the original numbers and independently of the planners. */
  verify(plan: Plan | Uint8Array): Verification {
    return decodeVerification(this.module.verify(this.opened(), planBytes(plan)));
  }

  /** Explains what determines a plan's number of nodes, and why replicas are unplaced. */
  explain(plan: Plan | Uint8Array, options: ExplainOptions = {}): Explanation {
    const { app = NONE, ...watch } = options;
    return decodeExplanation(this.module.explain(this.opened(), planBytes(plan), app, watch));
  }

  /**
   * How many more replicas of an app each node of a plan takes, the plan being otherwise as it is.
   * @param app index of the app
   * @param node index of a node of the plan whose obstacles are returned as well
   */
  headroom(plan: Plan | Uint8Array, app: number, node: number = NONE): Headroom {
    return decodeHeadroom(this.module.headroom(this.opened(), planBytes(plan), app, node));
  }

  /**
   * How many more replicas of each app a cluster takes, one app growing at a time.
   * @param plan undefined: what runs or is pinned
   * @param most counts on each node end there; 0: at the number of replicas that the app wants
   */
  headroomOfApps(plan?: Plan | Uint8Array, most = 0): HeadroomOfApps {
    return decodeHeadroomOfApps(this.module.headroomOfApps(this.opened(), bytesIfAny(plan), most));
  }

  /** Which replicas of lost nodes find a place on what remains, while all others stay; worst first. */
  losses(plan: Plan | Uint8Array | undefined, question: LossQuestion & Watch = {}): Loss[] {
    const { nodes = [], label = '', ...watch } = question;
    return decodeLosses(this.module.losses(this.opened(), bytesIfAny(plan), Uint32Array.from(nodes), label, watch));
  }

  /** Puts the moves of a valid plan in waves that keep every hard constraint at every step. */
  orderMoves(plan: Plan | Uint8Array, options: MoveLimits & Watch = {}): MoveOrder {
    const { perNode = 0, appShare = 1, ...watch } = options;
    return decodeMoveOrder(this.module.orderMoves(this.opened(), planBytes(plan), perNode, appShare, watch));
  }

  /** Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first. */
  bound(): BoundEntry[] {
    return decodeBounds(this.module.bound(this.opened()));
  }

  /**
   * Another instance, which differs from this one as the derivation says, without reading bytes again. Without `limits`, it has those
   * of this one. It is independent of this one; dispose of it when it is no longer needed.
   */
  derive(derivation: Derivation, limits?: Limits): Instance {
    return new Instance(this.module, this.module.derive(this.opened(), encodeDerivation(derivation), limits));
  }

  /**
   * The bytes of an instance that was derived or that a session returned (`.stow`): they load as an instance with the same
   * fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the bytes that were loaded are the
   * only ones: it is refused.
   */
  bytes(): Uint8Array {
    return this.module.instanceBytes(this.opened());
  }
}

/**
 * A cluster over time; docs/sessions.md states the rules. A call that fails leaves the session unchanged. Dispose of it at the
 * end.
 */
export class Session extends Local {
  /** @internal */
  constructor(module: Module, handle: number) {
    super(module, 'Session', handle, (one) => module.freeSession(one));
  }

  /** Number of operations and commits so far. */
  get version(): bigint {
    return this.module.sessionVersion(this.opened());
  }

  /** Applies operations, or their bytes (session.fbs): all of them, or none if one is refused. */
  apply(operations: readonly Operation[] | Uint8Array): void {
    this.module.sessionApply(this.opened(), operationBytes(operations));
  }

  /** The cluster as it is now, with all pending replicas. The instance outlives the session. */
  instance(): Instance {
    return new Instance(this.module, this.module.sessionInstance(this.opened()));
  }

  /** Runs a planner, by default "auto", on the cluster as it is now. */
  plan(request: PlanRequest | AnyPlanner = {}, watch: Watch = {}): Plan {
    const handle = this.opened();
    return new Plan(runPlanner(this.module, (bytes, run) => this.module.sessionPlan(handle, bytes, run), request, watch));
  }

  /** Commits a plan: its replicas run from now on. A conflict is no failure; the result lists conflicts. */
  commit(plan: Plan | Uint8Array, mode: CommitMode = 'exact'): Commit {
    return decodeCommit(this.module.sessionCommit(this.opened(), planBytes(plan), commitNumber(mode)));
  }

  /** Drops a plan; its replicas stay pending. */
  reject(plan: Plan | Uint8Array): void {
    this.module.sessionReject(this.opened(), planBytes(plan));
  }

  /** The complete state of the session as the bytes of an instance, from which a session can be opened. */
  snapshot(): Uint8Array {
    return this.module.sessionSnapshot(this.opened());
  }
}

/**
 * A model that has learned how apps perform by size and degree of collocation; docs/learning.md explains it. Immutable; dispose of
 * it when it is no longer needed.
 */
export class Model extends Local {
  /** @internal */
  constructor(module: Module, handle: number) {
    super(module, 'Model', handle, (one) => module.freeModel(one));
  }

  /** Recommends a size and a degree of collocation for each app, or the sample to take next. */
  recommend(question: Question): Recommendations {
    return decodeRecommendations(this.module.recommend(this.opened(), encodeQuestion(question)));
  }

  /** The model as bytes, the same on every platform, for `loadModel`. */
  bytes(): Uint8Array {
    return this.module.modelBytes(this.opened());
  }
}

/** The library. `loadStowage` makes one. */
export class Stowage extends Owned {
  /** Version of the library, "major.minor.patch". */
  readonly version: string;

  /** @internal */
  constructor(private readonly module: Module) {
    super('Stowage');
    this.version = module.version();
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
  instance(source: InstanceSource, limits?: Limits): Instance {
    return new Instance(this.module, this.module.load(instanceBytes(source), limits));
  }

  /** Opens a session on a cluster or on a snapshot. The limits apply for the life of the session. */
  session(source: InstanceSource, limits?: Limits): Session {
    return new Session(this.module, this.module.openSession(instanceBytes(source), limits));
  }

  /** Learns from profiled apps: each app measured with some configurations. */
  learn(profiles: Samples, limits?: Limits): Model {
    return new Model(this.module, this.module.learn(encodeSamples(profiles), limits));
  }

  /** Reads the bytes of a model. Bytes that were truncated or changed are refused. */
  loadModel(bytes: Uint8Array, limits?: Limits): Model {
    return new Model(this.module, this.module.loadModel(modelBytes(bytes), limits));
  }

  /** What replicas should ask for, by what they used. */
  size(usage: Usage): Sizes {
    return decodeSizes(this.module.size(encodeUsage(usage)));
  }

  /** Size of the module's memory in bytes. It grows as needed, and is released as a whole. */
  get memoryBytes(): number {
    return this.module.memoryBytes;
  }

  /** Releases the module with all its instances, sessions and models. May be called any number of times. */
  dispose(): void {
    this.module.end(new StowageError('DISPOSED', 'the library was disposed of'));
  }
}
