// A user's program. The test is that it compiles, and that the lines marked as errors do not.
import {
  Plan, StowageError, describeInstance, decodeInstance, expandPlan, loadStowage, namedPlacements, startStowageWorker,
  type CallOptions, type Commit, type ErrorCode, type Explanation, type InstanceColumns, type InstanceDescription, type Operation,
  type Model, type NamedPlaced, type PlanJson, type PlanRequest, type PlanStatus, type PlannerName, type Progress, type Recommendations, type RemoteOptions, type Run, type Samples, type Sizes, type Usage,
  type WorkerInstance, type WorkerModel, type WorkerSession,
} from 'stowage';

const cluster: InstanceDescription = {
  stowage: 1,
  resources: { cpu: 'cores' },
  classes: [{ capacity: { cpu: 8 }, labels: { zone: 'a', ssd: true } }],
  apps: [{ name: 'web', replicas: 3, demand: { cpu: ['500m', 1] }, limits: { web: 2 } }],
  periods: 2,
};
const columns: InstanceColumns = {
  resources: [{ name: 'cpu' }],
  apps: { replicas: new Uint32Array([3]), demand: [1] },
  classes: [{ capacity: new Float64Array([8]) }],
};

export async function synchronous(): Promise<PlanStatus> {
  const stowage = await loadStowage({ wasmBinary: new Uint8Array() });
  const instance = stowage.instance(cluster, { maxApps: 10 });
  const plan: Plan = instance.plan({ planner: 'ff', seed: 1n, options: { alpha: 0.5 } }, { isCancelled: () => false });
  const nodes: Uint32Array = plan.nodeClass;
  const compact: Plan = instance.plan({ planner: 'ff', compact: true });
  const copies: Uint32Array | undefined = compact.copies;
  console.log(copies?.length, compact.nodes === expandPlan(compact, 1000).nodeClass.length);
  for (const { app, node, replicas } of plan.placements) console.log(app + node + replicas + nodes.length);
  const explanation: Explanation = instance.explain(plan, { app: 0 });
  console.log(explanation.drivers[0]?.kind === 'large-items', stowage.instance(columns).bound()[0]?.value);
  const description: InstanceDescription = describeInstance(decodeInstance(plan.bytes));
  instance.dispose();
  return description.name === undefined ? plan.status : 'complete';
}

export async function inWorker(signal: AbortSignal): Promise<void> {
  const worker = await startStowageWorker({ shared: false });
  try {
    const instance = await worker.instance(cluster);
    const run = instance.plan('ff', { signal, onProgress: (progress: Progress) => console.log(progress.phase === 'plan') });
    run.cancel();
    const plan: Plan = await run;
    console.log((await instance.verify(plan)).violations.map(({ kind }) => kind === 'class-count'));
  } catch (error) {
    if (error instanceof StowageError) {
      const code: ErrorCode = error.code;
      console.log(code, error.path);
    }
  } finally {
    worker.dispose();
  }
}

export async function overTimeInWorker(): Promise<bigint> {
  const worker = await startStowageWorker();
  const session: WorkerSession = await worker.session(cluster, { limits: { maxApps: 10 } });
  await session.apply([{ op: 'add-node', node: 'n1' }]);
  const run: Run<Plan> = session.plan('ff', { signal: AbortSignal.timeout(1000) });
  const commit: Commit = await session.commit(await run, 'whole');
  const snapshot: Uint8Array = await session.snapshot();
  const instance: WorkerInstance = await session.instance();
  // @ts-expect-error there is no such mode
  await session.commit(await run, 'perhaps');
  worker.dispose();
  return session.version + commit.version + instance.fingerprint + BigInt(snapshot.length);
}

export async function overTime(): Promise<bigint> {
  const session = (await loadStowage()).session(cluster);
  const operations: Operation[] = [
    { op: 'add-node', node: 'n1', sets: { rack: 'r1' } },
    { op: 'add-rule', rule: { name: 'apart', all_of: [{ subject: 'web', target: 'web', max: 0 }] } },
    { op: 'drain', node: 'n1' },
  ];
  session.apply(operations);
  const commit: Commit = session.commit(session.plan('ff'), 'fitting');
  console.log(commit.conflicts.map(({ kind }) => kind === 'no-room'), commit.opened);
  // @ts-expect-error scaling needs a number of replicas
  session.apply([{ op: 'scale', app: 'web' }]);
  // @ts-expect-error there is no such operation
  session.apply([{ op: 'grow', app: 'web' }]);
  return session.version;
}

const samples: Samples = { resources: ['cpu'], apps: ['a'], rowApp: [0], rowAmounts: new Float64Array([1]), rowValue: [0.5] };
const usage: Usage = { resources: ['cpu'], apps: ['a'], app: [0], time: [0], amount: [1], rules: [{ halfLife: 60 }] };

export async function learned(): Promise<boolean> {
  const stowage = await loadStowage();
  const model: Model = stowage.learn({ ...samples, measure: 'latency', features: [{ name: 'team', words: ['x'] }] });
  const answer: Recommendations = stowage.loadModel(model.bytes()).recommend({ samples, goal: { value: 0.8 }, curves: true });
  const sizes: Sizes = stowage.size(usage);
  const remote: WorkerModel = await (await startStowageWorker()).learn(samples, { limits: { maxApps: 10 } });
  for (const { choice } of (await remote.recommend({ samples, goal: { value: 0.8 } })).apps) {
    // @ts-expect-error there may be no choice
    console.log(answer.configurations[choice]);
  }
  // @ts-expect-error a question has a goal
  model.recommend({ samples });
  return answer.apps[0]?.reason === 'meets-goal' && sizes.size.length === sizes.measured.length;
}

/** Planners and their names, what plans are written as, and scopes that dispose of what they opened. */
export async function names(given: string): Promise<readonly NamedPlaced[]> {
  const known: PlannerName = 'spread-wfd-avg-binsearch';
  // @ts-expect-error the catalogue has no such name
  const unknown: PlannerName = 'best';
  const requests: PlanRequest[] = [{}, { planner: known }, { planner: given }, { planner: unknown, seed: 1 }];
  using stowage = await loadStowage();
  using instance = stowage.instance(columns);
  using session = stowage.session(columns);
  using worker = await startStowageWorker();
  using remote = await worker.instance(columns);
  const plans: Plan[] = [instance.plan(), session.plan(), instance.plan(given), instance.plan(requests[0]), await remote.plan()];
  const json: PlanJson = plans[0]!.toJSON();
  const digits: string = json.instance + json.seed + json.work;
  const classes: number[] = json.nodeClass;
  // @ts-expect-error the bytes are not written
  console.log(digits, classes, json.placements[0]?.replicas, json.bytes);
  const apps: string[] = [...namedPlacements(plans[0]!, columns)].map(({ app }) => app);
  return namedPlacements(plans[1]!, columns).on(apps[0]!);
}

/** Ways to end a call before it is done. */
export async function ended(signal: AbortSignal): Promise<boolean> {
  const stowage = await loadStowage();
  const options: CallOptions = { signal, isCancelled: () => false, deadlineMs: 100 };
  const instance = stowage.instance(cluster, undefined, options);
  const plan = instance.plan('ff', { ...options, onProgress: (progress: Progress) => console.log(progress.work) });
  const bounds = [...instance.bound(options), ...instance.derive({ demand: 2 }, undefined, options).bound()];
  const read = new Plan(plan.bytes, options);
  const worker = await startStowageWorker();
  const asked: RemoteOptions = { signal, deadlineMs: 100 };
  const remote = await worker.instance(cluster, { ...asked, limits: { maxApps: 10 } });
  // @ts-expect-error a worker is not asked by a callback
  await remote.verify(read, { isCancelled: () => false });
  return (await remote.verify(read, asked)).ok && instance.verify(read, options).ok && bounds.length > 0;
}

export async function wrong(): Promise<void> {
  const stowage = await loadStowage();
  // @ts-expect-error an instance needs apps
  stowage.instance({ stowage: 1, resources: { cpu: '' }, classes: [] });
  // @ts-expect-error there is no such key
  stowage.instance({ ...cluster, nods: [] });
  // @ts-expect-error a planner is given by its name
  stowage.instance(cluster).plan({ planner: 1 });
  // @ts-expect-error there is no such status
  if (stowage.instance(cluster).plan('ff').status === 'done') return;
  // @ts-expect-error a plan is not changed
  stowage.instance(cluster).plan('ff').planner = 'other';
  // @ts-expect-error there is no such option
  await startStowageWorker({ wasm: '/stowage.wasm' });
}
