// The library on the calling thread.
import { NONE } from './columns.js';
import { StowageError } from './errors.js';
import { Module, type Limits, type Watch } from './module.js';
import { Plan } from './plan.js';
import {
  decodeBounds, decodeCatalogue, decodeExplanation, decodeVerification,
  type BoundEntry, type Explanation, type PlannerInfo, type Verification,
} from './reports.js';
import type { PlanRequest } from './request.js';
import { runPlanner } from './run.js';
import { instanceBytes, type InstanceSource } from './source.js';

export interface ExplainOptions extends Watch {
  /** Position of one app to explain, whether or not it is fully placed; absent: all that are not. */
  app?: number | undefined;
}

/** Frees what nobody disposed of, once nobody can reach it any more. */
const net = new FinalizationRegistry<() => void>((free) => free());

/** An instance inside the module. Immutable; dispose of it when it is not needed any more. */
export class Instance {
  /** The same for the same content, on every platform. A plan carries that of its instance. */
  readonly fingerprint: bigint;
  private handle: number | undefined;

  /** @internal */
  constructor(
    private readonly module: Module,
    handle: number,
  ) {
    this.handle = handle;
    net.register(this, () => module.free(handle), this);
    this.fingerprint = module.fingerprint(handle);
  }

  /** Runs a planner: a name such as "ff", or a request. What comes back was checked by the independent checker. */
  plan(request: PlanRequest | string, watch: Watch = {}): Plan {
    return new Plan(runPlanner(this.module, this.opened(), request, watch));
  }

  /** Checks any plan against this instance, on the original numbers and independently of the planners. */
  verify(plan: Plan | Uint8Array): Verification {
    return decodeVerification(this.module.verify(this.opened(), planBytes(plan)));
  }

  /** What makes a plan need this many nodes, and why replicas are unplaced. */
  explain(plan: Plan | Uint8Array, options: ExplainOptions = {}): Explanation {
    const { app = NONE, ...watch } = options;
    return decodeExplanation(this.module.explain(this.opened(), planBytes(plan), app, watch));
  }

  /** Lower bounds on the nodes and the cost of any complete plan, best first. */
  bound(): BoundEntry[] {
    return decodeBounds(this.module.bound(this.opened()));
  }

  /** Frees the instance. Any number of times. */
  dispose(): void {
    if (this.handle === undefined) return;
    net.unregister(this);
    this.module.free(this.handle);
    this.handle = undefined;
  }

  private opened(): number {
    if (this.handle === undefined) throw new StowageError('DISPOSED', 'the instance was disposed of');
    return this.handle;
  }
}

const planBytes = (plan: Plan | Uint8Array): Uint8Array => (plan instanceof Plan ? plan.bytes : plan);

/** The library. `loadStowage` makes one. */
export class Stowage {
  /** Version of the library, "major.minor.patch". */
  readonly version: string;

  /** @internal */
  constructor(private readonly module: Module) {
    this.version = module.version();
  }

  /** The catalogue of planners. */
  planners(): PlannerInfo[] {
    return decodeCatalogue(this.module.planners()).planners;
  }

  /** Reads and checks an instance. Fails with the path of the first wrong value. */
  instance(source: InstanceSource, limits?: Limits): Instance {
    return new Instance(this.module, this.module.load(instanceBytes(source), limits));
  }

  /** Size of the module's memory. It grows as needed, and is given back as a whole. */
  get memoryBytes(): number {
    return this.module.memoryBytes;
  }

  /** Lets go of the module with all its instances. Any number of times. */
  dispose(): void {
    this.module.end(new StowageError('DISPOSED', 'the library was disposed of'));
  }
}
