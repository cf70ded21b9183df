import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { encodeInstance, encodeOperations, loadStowage, startStowageWorker } from 'stowage';
import { cluster, collectGarbage, started, web, workload } from './support.mjs';

const stowage = await loadStowage();
const bytes = encodeInstance(workload(400));
const long = { planner: 'auto', deadlineMs: 60_000 };
const scale = (replicas) => [{ op: 'scale', app: 'app-0', replicas }];

async function start(options) {
  const worker = await startStowageWorker(options);
  after(() => worker.dispose());
  return worker;
}

/** Starts a run that is still going on when the test continues. It plans `bytes` or a workload of that size. */
async function underway(session) {
  let begun;
  const progress = new Promise((resolve) => (begun = resolve));
  // What a cancel ends before the run works has no plan.
  const onProgress = (progress) => { if (progress.work > 0) begun(); };
  const run = session.plan(long, { onProgress, progressInterval: 1 });
  await progress;
  return { run };
}

/** Makes the client replace the worker if memory is not shared. */
async function replaceWorker(session) {
  const { run } = await underway(session);
  run.cancel();
  await assert.rejects(run, { name: 'StowageError', code: 'CANCELLED' });
}

/** The state that the client keeps, without objects that are about to be freed. */
async function kept(worker) {
  await worker.planners();
  return [...worker['kept'].values()];
}

/** Two intervals, the second with replicas that already run; the last plan is not committed yet. */
async function intervals(session) {
  await session.commit(await session.plan('ff'));
  await session.apply([{ op: 'drain', node: 'node-1' }, { op: 'cordon', node: 'node-2' }]);
  await session.apply([{ op: 'submit', app: 'late', replicas: 5, demand: { cpu: 8, memory: 16 }, limits: { 'app-3': 0, 'nobody-yet': 1 } }]);
  await session.commit(await session.plan('bfd-avg'), 'fitting');
  await session.apply(scale(3));
  await session.apply(encodeOperations(scale(20), bytes));
  return session.plan('ff');
}

/** Checks that two sessions are equal, now and after further operations. */
async function assertSame(session, other) {
  assert.equal(session.version, other.version);
  assert.deepEqual(await session.snapshot(), await other.snapshot());
  const instances = [await session.instance(), await other.instance()];
  assert.equal(instances[0].fingerprint, instances[1].fingerprint);
  const commits = [];
  for (const one of [session, other]) {
    await one.apply([{ op: 'add-node', node: 'new' }, { op: 'cordon', node: 'new' }]);
    const plan = await one.plan('bfd-avg');
    commits.push([plan.bytes, await one.commit(plan)]);
  }
  assert.deepEqual(commits[0], commits[1]);
  assert.deepEqual(await session.snapshot(), await other.snapshot());
  for (const one of [...instances, other]) one.dispose();
}

for (const shared of [true, false]) {
  describe(shared ? 'with shared memory' : 'without shared memory', () => {
    test('a session does what it does on this thread, from every source', async () => {
      const worker = await start({ shared });
      for (const source of [workload(400), bytes, bytes.slice().buffer]) {
        const [session, own] = [await worker.session(source), stowage.session(source)];
        assert.equal(session.version, 0n);
        const plans = [await intervals(session), await intervals(own)];
        assert.deepEqual(plans[0].bytes, plans[1].bytes);
        await assertSame(session, own);
        session.dispose();
      }
      const handed = bytes.slice();
      const session = await worker.session(handed, { transfer: [handed.buffer] });
      assert.equal(handed.length, 0);
      assert.deepEqual(await session.snapshot(), stowage.session(bytes).snapshot());
    });

    test('tells of progress while a run goes on; a cancelled one leaves the session as it was', async () => {
      const session = await (await start({ shared })).session(bytes);
      const before = await session.snapshot();
      const { run } = await underway(session);
      run.cancel();
      run.cancel();
      const asked = performance.now();
      if (shared) {
        const plan = await run;
        assert.equal(plan.status, 'cancelled');
        assert.deepEqual(await session.snapshot(), before);
        assert.equal((await session.commit(plan)).plannedVersion, 0n);
      } else {
        await assert.rejects(run, { name: 'StowageError', code: 'CANCELLED' });
        assert.deepEqual(await session.snapshot(), before);
        assert.equal((await session.commit(await session.plan('ff'))).committed, true);
      }
      assert.ok(performance.now() - asked < 1000);
    });

    test('calls take effect in the order in which they are made; a run that waits can be taken back', async () => {
      const session = await (await start({ shared })).session(bytes);
      const own = stowage.session(bytes);
      const operations = scale(1);
      const calls = [session.plan('ff'), session.apply(operations), session.snapshot()];
      const encoded = encodeOperations(scale(30), bytes);
      calls.push(session.plan('ff'), session.plan('bfd-avg'), session.apply(encoded), session.plan('ff'), session.snapshot());
      calls[4].cancel();
      // The caller may change the arguments once the call is made.
      operations[0].replicas = 7;
      encoded.fill(0);
      await assert.rejects(calls[4], { code: 'CANCELLED' });
      assert.deepEqual((await calls[0]).bytes, own.plan('ff').bytes);
      own.apply(scale(1));
      assert.deepEqual(await calls[2], own.snapshot());
      assert.deepEqual((await calls[3]).bytes, own.plan('ff').bytes);
      own.apply(scale(30));
      assert.deepEqual((await calls[6]).bytes, own.plan('ff').bytes);
      assert.deepEqual(await calls[7], own.snapshot());
      assert.equal(session.version, 2n);
      await assertSame(session, own);
    });

    test('a signal aborts with its reason, before and during the run', async () => {
      const session = await (await start({ shared })).session(bytes);
      await assert.rejects(session.plan('ff', { signal: AbortSignal.abort() }), { name: 'AbortError' });
      const controller = new AbortController();
      const reason = new Error('the page was left');
      const run = session.plan(long, {
        signal: controller.signal, onProgress: () => controller.abort(reason), progressInterval: 1,
      });
      await assert.rejects(run, (error) => error === reason);
      await assertSame(session, stowage.session(bytes));
    });

    test('calls that were made before the session was disposed of are answered, those of a worker are not', async () => {
      const worker = await startStowageWorker({ shared });
      const session = await worker.session(bytes);
      const { run } = await underway(session);
      const snapshot = session.snapshot();
      session.dispose();
      run.cancel();
      if (shared) assert.equal((await run).status, 'cancelled');
      else await assert.rejects(run, { code: 'CANCELLED' });
      assert.deepEqual(await snapshot, stowage.session(bytes).snapshot());
      assert.deepEqual(await kept(worker), []);

      const other = await worker.session(bytes);
      const pending = [other.plan(long), other.apply(scale(2)), other.snapshot(), worker.session(bytes)];
      worker.dispose();
      for (const call of pending) await assert.rejects(call, { code: 'DISPOSED' });
      await assert.rejects(other.apply(scale(2)), { code: 'DISPOSED' });
      other.dispose();
    });
  });
}

test('in a new worker, a session has its old state, except for what a snapshot does not hold', async () => {
  const worker = await start({ shared: false });
  const [session, own] = [await worker.session(bytes), stowage.session(bytes)];
  const early = await session.plan('ff');
  const [present] = [await intervals(session), await intervals(own)];
  const instance = await session.instance();
  await replaceWorker(session);
  await assert.rejects(session.commit(early, 'fitting'), { code: 'INVALID', path: 'instance' });
  await assert.rejects(session.reject(present), { code: 'INVALID', path: 'instance' });
  assert.deepEqual((await instance.plan('ff')).bytes, present.bytes);
  assert.deepEqual(await session.commit(present), own.commit(present));
  // Twice, with objects that were created in between.
  await session.apply(scale(5));
  own.apply(scale(5));
  await replaceWorker(session);
  await assertSame(session, own);
});

test('operations that were refused are not repeated in a new worker', async () => {
  const worker = await start({ shared: false });
  const [session, own] = [await worker.session(bytes), stowage.session(bytes)];
  const refused = [...scale(9), { op: 'remove', app: 'nobody' }];
  for (const one of [session, own]) {
    await one.apply(scale(4));
    await assert.rejects(async () => one.apply(refused), { code: 'NOT_FOUND', path: 'operations[1].app' });
    await one.apply(scale(6));
  }
  await replaceWorker(session);
  await assertSame(session, own);
});

test('what is kept of a session stays in proportion to it', async () => {
  const worker = await start({ shared: false });
  const [session, own] = [await worker.session(bytes), stowage.session(bytes)];
  const weight = () => {
    const [{ calls }] = worker['kept'].values();
    return calls.reduce((sum, { source, operations }) => sum + (source ?? operations).length, 0);
  };
  const calls = [];
  for (let k = 1; k <= 2000; ++k) {
    calls.push(session.apply(scale(k)));
    own.apply(scale(k));
  }
  await Promise.all(calls);
  assert.ok(weight() <= 2 * own.snapshot().length, `${weight()} bytes`);
  await replaceWorker(session);
  await assertSame(session, own);
});

test('limits hold in a new worker; that of the bytes was one of the source', async () => {
  const worker = await start({ shared: false });
  const session = await worker.session(bytes, { limits: { maxBytes: bytes.length, maxApps: 401 } });
  await session.commit(await session.plan('ff'));
  await session.apply([{ op: 'submit', app: 'last', demand: { cpu: 1, memory: 1 } }]);
  assert.ok((await session.snapshot()).length > bytes.length);
  const instance = await session.instance();
  await replaceWorker(session);
  assert.equal((await instance.plan('ff')).complete, true);
  await assert.rejects(session.apply([{ op: 'submit', app: 'more', demand: { cpu: 1, memory: 1 } }]), { code: 'LIMIT_EXCEEDED' });
  await session.apply(scale(2));
});

/** A worker whose messages pass through a function. */
class Overheard extends Worker {
  constructor(overhear) {
    super(new URL('../node_modules/stowage/dist/node/worker.js', import.meta.url));
    this.overhear = overhear;
  }
  emit(event, ...values) {
    if (event === 'message') this.overhear(...values);
    return super.emit(event, ...values);
  }
}

test('a worker that ends takes its call with it; a change that got lost has not happened', async () => {
  for (const recover of [true, false]) {
    let losing = false;
    let current;
    const lose = (message) => {
      if (!losing) return;
      losing = false;
      // A message without a number answers no call.
      message.id = undefined;
      void current.terminate();
    };
    const worker = await start({ recover, worker: () => (current = new Overheard(lose)) });
    const session = await started(worker);
    const plan = await session.plan('ff');
    losing = true;
    await assert.rejects(session.commit(plan), { name: 'StowageError', code: 'UNAVAILABLE' });
    assert.equal(session.version, 2n);
    if (recover) {
      await assertSame(session, await started(stowage));
    } else {
      await assert.rejects(session.snapshot(), { code: 'UNAVAILABLE' });
      await assert.rejects(session.apply([web]), { code: 'UNAVAILABLE' });
      assert.equal((await started(worker)).version, 2n);
    }
  }
});

test('a session whose last change is in the worker alone is lost with it, and no earlier one in its place', async () => {
  let current;
  // Simulates missing memory for the snapshots after commits.
  const forget = ({ result }) => {
    if (result?.report !== undefined) result.snapshot = undefined;
  };
  const worker = await start({ recover: true, worker: () => (current = new Overheard(forget)) });
  const own = await started(stowage);
  const [lost, found] = [await started(worker), await started(worker)];
  for (const one of [own, lost, found]) assert.equal((await one.commit(await one.plan('ff'))).committed, true);
  // The next change brings a snapshot.
  for (const one of [own, found]) await one.apply([{ op: 'scale', app: 'web', replicas: 4 }]);
  await current.terminate();
  await assert.rejects(lost.snapshot(), { code: 'UNAVAILABLE' });
  await assertSame(found, own);
});

test('a session that nobody disposed of is freed in the worker, too', async () => {
  const worker = await start({ recover: true });
  await started(worker);
  const held = await started(worker);
  for (let k = 0; k < 50 && (await kept(worker)).length > 1; ++k) await collectGarbage();
  assert.equal((await kept(worker)).length, 1);
  assert.equal(held.version, 2n);
  assert.deepEqual(await held.snapshot(), (await started(stowage)).snapshot());
  assert.equal((await worker.session(cluster)).version, 0n);
});
