// Runs planners in the package's worker, one at a time.
import StowageThread from 'stowage/worker?worker';
import {
  Plan,
  StowageError,
  startStowageWorker,
  type Explanation,
  type PlanRequest,
  type PlannerInfo,
  type Progress,
  type Run,
  type StowageWorker,
  type Verification,
  type WorkerInstance,
} from 'stowage';
import { compiled } from './compiled.js';
import type { Scenario } from './desk/protocol.js';

const KEPT = 3;
const WARM_UP = { resources: [{ name: 'cpu' }], classes: [{ capacity: [2] }], apps: { replicas: [3], demand: [1] } } as const;

export class Planning {
  /** In order of use, the least recently used first. */
  private readonly instances = new Map<number, Promise<WorkerInstance>>();
  private run: Run<Plan> | undefined;

  private constructor(
    private readonly worker: StowageWorker,
    readonly catalogue: PlannerInfo[],
    private readonly bytesOf: (scenario: Scenario) => Promise<Uint8Array>,
  ) {}

  /** @param bytesOf returns the bytes of a scenario whose bytes were transferred before */
  static async start(bytesOf: (scenario: Scenario) => Promise<Uint8Array>): Promise<Planning> {
    const worker = await startStowageWorker({ wasmModule: await compiled, worker: () => new StowageThread() });
    // The first run compiles what it uses. This one is not shown, so that the first plan's time is the planner's own.
    void worker.instance(WARM_UP).then((instance) => instance.plan('ff'));
    return new Planning(worker, await worker.planners(), bytesOf);
  }

  /**
   * The scenario's instance in the worker. Fails with code and path where the library refuses it.
   * @param signal ends the loading of an instance that the worker does not have
   */
  instance(scenario: Scenario, signal?: AbortSignal): Promise<WorkerInstance> {
    const known = this.instances.get(scenario.id);
    this.instances.delete(scenario.id);
    const instance = known ?? this.load(scenario, signal);
    this.instances.set(scenario.id, instance);
    instance.catch(() => {
      if (this.instances.get(scenario.id) === instance) this.instances.delete(scenario.id);
    });
    for (const [id, one] of this.instances) {
      if (this.instances.size <= KEPT) break;
      this.instances.delete(id);
      void one.then(
        (old) => old.dispose(),
        () => undefined,
      );
    }
    return instance;
  }

  private async load(scenario: Scenario, signal?: AbortSignal): Promise<WorkerInstance> {
    const bytes = scenario.bytes.length > 0 ? scenario.bytes : await this.bytesOf(scenario);
    return this.worker.instance(bytes, { transfer: [bytes.buffer as ArrayBuffer], signal });
  }

  async plan(
    scenario: Scenario,
    request: PlanRequest,
    onProgress: (progress: Progress) => void,
  ): Promise<{ plan: Plan; milliseconds: number }> {
    const instance = await this.instance(scenario);
    // The planner's own time. What passes before it begins, such as compiling the module for the first run, is not its time.
    let milliseconds = 0;
    const told = (progress: Progress): void => {
      milliseconds = Object.values(progress.milliseconds).reduce((sum, one) => sum + one, 0);
      onProgress(progress);
    };
    this.run = instance.plan(request, { onProgress: told, progressInterval: 100 });
    try {
      return { plan: await this.run, milliseconds };
    } finally {
      this.run = undefined;
    }
  }

  cancel(): void {
    this.run?.cancel();
  }

  async explain(scenario: Scenario, plan: Plan, app?: number, signal?: AbortSignal): Promise<Explanation> {
    return (await this.instance(scenario)).explain(plan, { app, signal });
  }

  /** Verifies a plan that was made here. */
  async verify(scenario: Scenario, plan: Plan): Promise<Verification> {
    return (await this.instance(scenario)).verify(plan);
  }

  /** Verifies and reads a plan from a file. Fails where the plan does not belong to the instance. */
  async verified(scenario: Scenario, bytes: Uint8Array): Promise<{ plan: Plan; verification: Verification }> {
    const verification = await (await this.instance(scenario)).verify(bytes);
    const wrong = verification.violations.find(
      ({ kind }) => kind === 'wrong-instance' || kind === 'bad-node' || kind === 'bad-entry',
    );
    if (wrong !== undefined)
      throw new StowageError('INVALID', `the plan is not one for this instance: ${wrong.what ?? wrong.kind}`, 'plan');
    return { plan: new Plan(bytes), verification };
  }
}
