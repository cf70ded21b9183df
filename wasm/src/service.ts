// The worker's side: one module, with its instances, sessions and models by number. It handles one call at a time.
import { StowageError } from './errors.js';
import { startModule } from './load.js';
import { operationBytes, termsOf } from './operations.js';
import { GROWTH, SESSION_GROWTH } from './held.js';
import type { Module } from './module.js';
import type { WorkerScope } from './platform.js';
import type { Answer, CallOf, Changed, Failure, Loaded, Made, Question, Result } from './protocol.js';
import { encodeRequest } from './request.js';
import { bytesOfSource, isDescribed } from './source.js';
import { loadText } from './text.js';
import { Steps, type Watch } from './watch.js';

/** An instance, a session or a model of the module. */
interface Held {
  readonly pointer: number;
  /** What operations on a session depend on. */
  readonly terms?: Uint8Array;
  /** About how many bytes it takes. */
  readonly weight: number;
  free(): void;
}

type SessionCall = 'session' | 'apply' | 'session-instance' | 'session-plan' | 'commit' | 'reject' | 'snapshot';
type LearningCall = 'learn' | 'load-model' | 'model-bytes' | 'recommend' | 'size';
type SessionQuestion = Extract<Question, { call: SessionCall }>;
type LearningQuestion = Extract<Question, { call: LearningCall }>;
type InstanceQuestion = Exclude<Question, { call: 'start' | 'free' | 'planners' | SessionCall | LearningCall }>;

/** The buffers of a result, to be transferred instead of copied. */
function buffersOf(result: Result): ArrayBufferLike[] {
  const parts: unknown[] = result instanceof Uint8Array ? [result] : Object.values(result ?? {});
  return parts.flatMap((part) => (part instanceof Uint8Array ? [part.buffer] : []));
}

/** Whether a call needs the part that reads text. */
const hasText = (question: Question): boolean =>
  ('source' in question && isDescribed(question.source)) || (question.call === 'apply' && typeof question.operations === 'string');

export class Service {
  private module: Module | undefined;
  /** Where the part that reads text is. */
  private text = '';
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
    if (hasText(question)) await loadText({ locateFile: () => this.text });
    switch (question.call) {
      case 'start':
        this.text = question.text;
        this.module = await startModule(question.module);
        return undefined;
      case 'free':
        this.held.get(question.number)?.free();
        this.held.delete(question.number);
        return undefined;
      case 'planners':
        return this.started().planners();
      case 'session':
      case 'apply':
      case 'session-instance':
      case 'session-plan':
      case 'commit':
      case 'reject':
      case 'snapshot':
        return this.handleSession(question, this.started(), this.watch(question));
      case 'learn':
      case 'load-model':
      case 'model-bytes':
      case 'recommend':
      case 'size':
        return this.handleLearning(question, this.started(), this.watch(question));
      default:
        return this.handleInstance(question, this.started(), this.watch(question));
    }
  }

  private handleInstance(question: InstanceQuestion, module: Module, watch: Watch): Result {
    const steps = new Steps(watch);
    switch (question.call) {
      case 'encode':
        return bytesOfSource(question.source, steps);
      case 'instance': {
        const bytes = bytesOfSource(question.source, steps, question.limits);
        return this.loaded(question, module.load(bytes, question.limits, steps.rest()), GROWTH * bytes.length, bytes);
      }
      case 'derive': {
        const from = this.heldAs(question.from);
        const pointer = module.derive(from.pointer, question.derivation, question.limits, watch);
        return this.loaded(question, pointer, from.weight, question.keep ? module.instanceBytes(pointer) : undefined);
      }
      case 'instance-bytes':
        return module.instanceBytes(this.pointerOf(question.instance), watch);
      case 'plan':
        return module.plan(this.pointerOf(question.instance), encodeRequest(question.request), watch);
      case 'verify':
        return module.verify(this.pointerOf(question.instance), question.plan, watch);
      case 'explain':
        return module.explain(this.pointerOf(question.instance), question.plan, question.app, watch);
      case 'headroom':
        return module.headroom(this.pointerOf(question.instance), question.plan, question.app, question.node, watch);
      case 'headroom-of-apps':
        return module.headroomOfApps(this.pointerOf(question.instance), question.plan, question.most, watch);
      case 'losses':
        return module.losses(this.pointerOf(question.instance), question.plan, question.nodes, question.label, watch);
      case 'order-moves':
        return module.orderMoves(this.pointerOf(question.instance), question.plan, question.perNode, question.appShare, watch);
      case 'bound':
        return module.bound(this.pointerOf(question.instance), watch);
    }
  }

  private handleSession(question: SessionQuestion, module: Module, watch: Watch): Result {
    if (question.call === 'session') return this.open(question, module, watch);
    const { pointer, weight, terms } = this.heldAs(question.session);
    switch (question.call) {
      case 'apply': {
        const steps = new Steps(watch);
        const bytes = operationBytes(question.operations, terms!, steps);
        module.sessionApply(pointer, bytes, steps.rest());
        return this.changed(question);
      }
      case 'session-instance': {
        // A snapshot is the same instance that the session returns.
        const bytes = question.keep ? module.sessionSnapshot(pointer, watch) : undefined;
        return this.loaded(question, module.sessionInstance(pointer, watch), weight, bytes);
      }
      case 'session-plan':
        return module.sessionPlan(pointer, encodeRequest(question.request), watch);
      case 'commit':
        return this.changed(question, module.sessionCommit(pointer, question.plan, question.mode, watch));
      case 'reject':
        module.sessionReject(pointer, question.plan, watch);
        return undefined;
      case 'snapshot':
        return module.sessionSnapshot(pointer, watch);
    }
  }

  private handleLearning(question: LearningQuestion, module: Module, watch: Watch): Result {
    switch (question.call) {
      case 'learn':
        return this.hold(question.model, module.learn(question.samples, question.limits, watch), question.samples);
      case 'load-model':
        return this.hold(question.model, module.loadModel(question.bytes, question.limits, watch), question.bytes);
      case 'model-bytes':
        return module.modelBytes(this.pointerOf(question.model), watch);
      case 'recommend':
        return module.recommend(this.pointerOf(question.model), question.question, watch);
      case 'size':
        return module.size(question.usage, watch);
    }
  }

  private started(): Module {
    if (this.module === undefined) throw new StowageError('UNAVAILABLE', 'the worker was not started');
    return this.module;
  }

  private heldAs(number: number): Held {
    const held = this.held.get(number);
    if (held === undefined) throw new StowageError('UNAVAILABLE', 'the worker that had it has ended');
    return held;
  }

  private pointerOf(number: number): number {
    return this.heldAs(number).pointer;
  }

  private loaded(
    { instance, keep }: CallOf<'instance' | 'session-instance' | 'derive'>, pointer: number, weight: number, bytes?: Uint8Array,
  ): Loaded {
    const module = this.started();
    this.held.set(instance, { pointer, weight, free: () => module.free(pointer) });
    return { fingerprint: module.fingerprint(pointer), bytes: keep ? bytes : undefined, weight };
  }

  private hold(model: number, pointer: number, bytes: Uint8Array): Made {
    const module = this.started();
    const weight = GROWTH * bytes.length;
    this.held.set(model, { pointer, weight, free: () => module.freeModel(pointer) });
    return { weight };
  }

  private open({ session, source, limits, keep }: CallOf<'session'>, module: Module, watch: Watch): Changed {
    const steps = new Steps(watch);
    const bytes = bytesOfSource(source, steps, limits);
    const pointer = module.openSession(bytes, limits, steps.rest());
    const weight = SESSION_GROWTH * bytes.length;
    this.held.set(session, { pointer, weight, terms: termsOf(bytes), free: () => module.freeSession(pointer) });
    return { version: module.sessionVersion(pointer), snapshot: keep ? bytes : undefined, weight };
  }

  private changed({ session, keep }: CallOf<'apply' | 'commit'>, report?: Uint8Array): Changed {
    const { pointer, weight } = this.heldAs(session);
    const snapshot = keep ? this.snapshot(pointer) : undefined;
    return { version: this.started().sessionVersion(pointer), report, snapshot, weight };
  }

  /** A snapshot after a change; undefined where memory does not suffice. The change stays in effect. */
  private snapshot(session: number): Uint8Array | undefined {
    try {
      return this.started().sessionSnapshot(session);
    } catch {
      return undefined;
    }
  }

  /** How the client watches a call. */
  private watch({ id, watch: { flag, deadlineMs, progressInterval } }: Question): Watch {
    return {
      isCancelled: flag === undefined ? undefined : () => Atomics.load(flag, 0) !== 0,
      deadlineMs,
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
