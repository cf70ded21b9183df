// The worker's side: one module, with its instances, sessions and models by number. It handles one call at a time.
import { StowageError } from './errors.js';
import { startModule } from './load.js';
import type { Module, Watch } from './module.js';
import type { WorkerScope } from './platform.js';
import type { Answer, CallOf, Changed, Failure, Loaded, Question, RemoteWatch, Result } from './protocol.js';
import { runPlanner } from './run.js';
import { instanceBytes } from './source.js';

/** An instance, a session or a model of the module. */
interface Held {
  readonly pointer: number;
  free(): void;
}

type SessionCall = 'session' | 'apply' | 'session-instance' | 'session-plan' | 'commit' | 'reject' | 'snapshot';
type SessionQuestion = Extract<Question, { call: SessionCall }>;

/** The buffers of a result, to be transferred instead of copied. */
function buffersOf(result: Result): ArrayBufferLike[] {
  const parts: unknown[] = result instanceof Uint8Array ? [result] : Object.values(result ?? {});
  return parts.flatMap((part) => (part instanceof Uint8Array ? [part.buffer] : []));
}

export class Service {
  private module: Module | undefined;
  private readonly held = new Map<number, Held>();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly scope: WorkerScope) {
    scope.listen((message) => {
      this.last = this.last.then(() => this.answer(message as Question));
    });
  }

  private async answer(question: Question): Promise<void> {
    const { id } = question;
    try {
      const result = await this.handle(question);
      this.post({ id, result }, buffersOf(result));
    } catch (error) {
      this.post({ id, failure: this.failureOf(error) });
    }
  }

  private async handle(question: Question): Promise<Result> {
    switch (question.call) {
      case 'start':
        this.module = await startModule(question.module);
        return undefined;
      case 'encode':
        return instanceBytes(question.source);
      case 'instance': {
        const bytes = instanceBytes(question.source);
        return this.loaded(question, this.started().load(bytes, question.limits), bytes);
      }
      case 'derive': {
        const module = this.started();
        const pointer = module.derive(this.pointerOf(question.from), question.derivation, question.limits);
        return this.loaded(question, pointer, question.keep ? module.instanceBytes(pointer) : undefined);
      }
      case 'instance-bytes':
        return this.started().instanceBytes(this.pointerOf(question.instance));
      case 'free':
        this.held.get(question.number)?.free();
        this.held.delete(question.number);
        return undefined;
      case 'plan': {
        const [module, instance] = [this.started(), this.pointerOf(question.instance)];
        return this.run(question, (request, watch) => module.plan(instance, request, watch));
      }
      case 'verify':
        return this.started().verify(this.pointerOf(question.instance), question.plan);
      case 'explain': {
        const watch = this.watch(question.id, question.watch);
        return this.started().explain(this.pointerOf(question.instance), question.plan, question.app, watch);
      }
      case 'headroom':
        return this.started().headroom(this.pointerOf(question.instance), question.plan, question.app, question.node);
      case 'headroom-of-apps':
        return this.started().headroomOfApps(this.pointerOf(question.instance), question.plan, question.most);
      case 'losses': {
        const watch = this.watch(question.id, question.watch);
        const instance = this.pointerOf(question.instance);
        return this.started().losses(instance, question.plan, question.nodes, question.label, watch);
      }
      case 'order-moves': {
        const watch = this.watch(question.id, question.watch);
        const instance = this.pointerOf(question.instance);
        return this.started().orderMoves(instance, question.plan, question.perNode, question.appShare, watch);
      }
      case 'bound':
        return this.started().bound(this.pointerOf(question.instance));
      case 'session':
      case 'apply':
      case 'session-instance':
      case 'session-plan':
      case 'commit':
      case 'reject':
      case 'snapshot':
        return this.handleSession(question);
      case 'learn':
        return this.hold(question.model, this.started().learn(question.samples, question.limits));
      case 'load-model':
        return this.hold(question.model, this.started().loadModel(question.bytes, question.limits));
      case 'model-bytes':
        return this.started().modelBytes(this.pointerOf(question.model));
      case 'recommend':
        return this.started().recommend(this.pointerOf(question.model), question.question);
      case 'size':
        return this.started().size(question.usage);
      case 'planners':
        return this.started().planners();
    }
  }

  private async handleSession(question: SessionQuestion): Promise<Result> {
    switch (question.call) {
      case 'session':
        return this.open(question);
      case 'apply':
        this.started().sessionApply(this.pointerOf(question.session), question.operations);
        return this.changed(question);
      case 'session-instance': {
        const [module, session] = [this.started(), this.pointerOf(question.session)];
        // A snapshot is the same instance that the session returns.
        const bytes = question.keep ? module.sessionSnapshot(session) : undefined;
        return this.loaded(question, module.sessionInstance(session), bytes);
      }
      case 'session-plan': {
        const [module, session] = [this.started(), this.pointerOf(question.session)];
        return this.run(question, (request, watch) => module.sessionPlan(session, request, watch));
      }
      case 'commit': {
        const session = this.pointerOf(question.session);
        return this.changed(question, this.started().sessionCommit(session, question.plan, question.mode));
      }
      case 'reject':
        this.started().sessionReject(this.pointerOf(question.session), question.plan);
        return undefined;
      case 'snapshot':
        return this.started().sessionSnapshot(this.pointerOf(question.session));
    }
  }

  private started(): Module {
    if (this.module === undefined) throw new StowageError('UNAVAILABLE', 'the worker was not started');
    return this.module;
  }

  private pointerOf(number: number): number {
    const held = this.held.get(number);
    if (held === undefined) throw new StowageError('UNAVAILABLE', 'the worker that had it has ended');
    return held.pointer;
  }

  private loaded({ instance, keep }: CallOf<'instance' | 'session-instance' | 'derive'>, pointer: number, bytes?: Uint8Array): Loaded {
    const module = this.started();
    this.held.set(instance, { pointer, free: () => module.free(pointer) });
    return { fingerprint: module.fingerprint(pointer), bytes: keep ? bytes : undefined };
  }

  private hold(model: number, pointer: number): undefined {
    const module = this.started();
    this.held.set(model, { pointer, free: () => module.freeModel(pointer) });
  }

  private open({ session, source, limits, keep }: CallOf<'session'>): Changed {
    const module = this.started();
    const bytes = instanceBytes(source);
    const pointer = module.openSession(bytes, limits);
    this.held.set(session, { pointer, free: () => module.freeSession(pointer) });
    return { version: module.sessionVersion(pointer), snapshot: keep ? bytes : undefined };
  }

  private changed({ session, keep }: CallOf<'apply' | 'commit'>, report?: Uint8Array): Changed {
    const pointer = this.pointerOf(session);
    return { version: this.started().sessionVersion(pointer), report, snapshot: keep ? this.snapshot(pointer) : undefined };
  }

  /** A snapshot after a change; undefined where memory does not suffice. The change stays in effect. */
  private snapshot(session: number): Uint8Array | undefined {
    try {
      return this.started().sessionSnapshot(session);
    } catch {
      return undefined;
    }
  }

  private run(
    { id, request, watch }: CallOf<'plan' | 'session-plan'> & { id: number },
    plan: (request: Uint8Array, watch?: Watch) => Uint8Array,
  ): Uint8Array {
    return runPlanner(this.started(), plan, request, this.watch(id, watch));
  }

  private watch(id: number, remote: RemoteWatch): Watch | undefined {
    const { flag, progressInterval } = remote;
    if (flag === undefined && progressInterval === undefined) return undefined;
    return {
      isCancelled: flag === undefined ? undefined : () => Atomics.load(flag, 0) !== 0,
      onProgress: progressInterval === undefined ? undefined : (progress) => this.post({ id, progress }),
      progressInterval,
    };
  }

  private post(answer: Answer, transfer: readonly Transferable[] = []): void {
    this.scope.post(answer, transfer);
  }

  private failureOf(error: unknown): Failure {
    const ended = this.module === undefined || this.module.hasEnded;
    if (!(error instanceof StowageError)) {
      return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), path: '', ended };
    }
    return { code: error.code, message: error.message, path: error.path, ended };
  }
}
