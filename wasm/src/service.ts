// The worker's side: one module, its instances by number, one call after the other.
import { StowageError } from './errors.js';
import { startModule } from './load.js';
import type { Module, Watch } from './module.js';
import type { WorkerScope } from './platform.js';
import type { Answer, Failure, Loaded, Question, RemoteWatch } from './protocol.js';
import { runPlanner } from './run.js';
import { instanceBytes } from './source.js';

export class Service {
  private module: Module | undefined;
  private readonly handles = new Map<number, number>();
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
      const bytes = result instanceof Uint8Array ? result : result?.bytes;
      this.post({ id, result }, bytes === undefined ? [] : [bytes.buffer]);
    } catch (error) {
      this.post({ id, failure: this.failureOf(error) });
    }
  }

  private async handle(question: Question): Promise<Uint8Array | Loaded | undefined> {
    switch (question.call) {
      case 'start':
        this.module = await startModule(question.module);
        return undefined;
      case 'encode':
        return instanceBytes(question.source);
      case 'instance': {
        const bytes = instanceBytes(question.source);
        const handle = this.started().load(bytes, question.limits);
        this.handles.set(question.instance, handle);
        return { fingerprint: this.started().fingerprint(handle), bytes: question.keep ? bytes : undefined };
      }
      case 'free': {
        const handle = this.handles.get(question.instance);
        if (handle !== undefined) this.started().free(handle);
        this.handles.delete(question.instance);
        return undefined;
      }
      case 'plan': {
        const watch = this.watch(question.id, question.watch);
        {
          const module = this.started();
          const handle = this.handleOf(question.instance);
          return runPlanner(module, (bytes, run) => module.plan(handle, bytes, run), question.request, watch);
        }
      }
      case 'verify':
        return this.started().verify(this.handleOf(question.instance), question.plan);
      case 'explain': {
        const watch = this.watch(question.id, question.watch);
        return this.started().explain(this.handleOf(question.instance), question.plan, question.app, watch);
      }
      case 'bound':
        return this.started().bound(this.handleOf(question.instance));
      case 'planners':
        return this.started().planners();
    }
  }

  private started(): Module {
    if (this.module === undefined) throw new StowageError('UNAVAILABLE', 'the worker was not started');
    return this.module;
  }

  private handleOf(instance: number): number {
    const handle = this.handles.get(instance);
    if (handle === undefined) throw new StowageError('UNAVAILABLE', 'the worker that had the instance has ended');
    return handle;
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
