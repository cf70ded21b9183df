import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { StowageError, encodeInstance, instanceBytes, loadStowage, startStowageWorker } from 'stowage';
import { small, workload } from './support.mjs';

const stowage = await loadStowage();
const columns = workload(6000);
const bytes = encodeInstance(columns);
const local = stowage.instance(bytes);

/** A planner that still runs when the test continues. */
const slow = stowage.planners().find(({ name }) => {
  const begin = performance.now();
  try {
    local.plan({ planner: name, deadlineMs: 400 });
  } catch (error) {
    if (error.code !== 'UNSUPPORTED') throw error;
  }
  return performance.now() - begin > 200;
})?.name;
assert.ok(slow, 'no planner takes long; plan something larger');

async function start(options) {
  const worker = await startStowageWorker(options);
  after(() => worker.dispose());
  return worker;
}

for (const shared of [true, false]) {
  describe(shared ? 'with shared memory' : 'without shared memory', () => {
    test('does what the library does', async () => {
      const worker = await start({ shared });
      assert.deepEqual(await worker.planners(), stowage.planners());
      assert.deepEqual(await worker.encode(small), instanceBytes(small));
      const instance = await worker.instance(small);
      const own = stowage.instance(small);
      assert.equal(instance.fingerprint, own.fingerprint);
      const plan = await instance.plan('ff');
      assert.deepEqual(plan.bytes, own.plan('ff').bytes);
      assert.deepEqual(await instance.verify(plan), own.verify(plan));
      assert.deepEqual(await instance.bound(), own.bound());
      const partial = await instance.plan({ planner: 'ff', nodeLimit: 1 });
      assert.deepEqual(await instance.explain(partial), own.explain(partial));
      assert.deepEqual(await instance.orderMoves(partial), own.orderMoves(partial));
      assert.deepEqual(await instance.headroomOfApps(partial, 5), own.headroomOfApps(partial, 5));
      assert.deepEqual(await instance.losses(partial), own.losses(partial));
      assert.deepEqual(await instance.explain(partial, { app: 1 }), own.explain(partial, { app: 1 }));
    });

    test('tells of progress while the run goes on', async () => {
      const instance = await (await start({ shared })).instance(columns);
      const told = [];
      const plan = await instance.plan('ff', { onProgress: (progress) => told.push(progress), progressInterval: 0 });
      assert.deepEqual(plan.bytes, local.plan('ff').bytes);
      assert.ok(told.some(({ phase, done, total }) => phase === 'plan' && done > 0 && done <= total));
    });

    test('many calls at once come back each to its own', async () => {
      const instance = await (await start({ shared })).instance(small);
      const planners = stowage.planners().map(({ name }) => name).slice(0, 12);
      const plans = await Promise.all(planners.map((planner, seed) => instance.plan({ planner, seed })));
      const found = plans.map(({ planner, seed }) => [planner, Number(seed)]);
      assert.deepEqual(found, planners.map((planner, seed) => [planner, seed]));
    });

    test('a cancelled run ends at once, and the worker goes on', async () => {
      const instance = await (await start({ shared })).instance(bytes);
      let begun;
      const underway = new Promise((resolve) => (begun = resolve));
      const run = instance.plan(slow, { onProgress: begun, progressInterval: 0 });
      await underway;
      run.cancel();
      run.cancel();
      const asked = performance.now();
      if (shared) {
        const plan = await run;
        assert.equal(plan.status, 'cancelled');
        assert.equal(local.verify(plan).ok, true);
      } else {
        await assert.rejects(run, { name: 'StowageError', code: 'CANCELLED' });
      }
      assert.ok(performance.now() - asked < 1000);
      assert.deepEqual((await instance.plan('ff')).bytes, local.plan('ff').bytes);
    });

    test('a call that waits can be taken back', async () => {
      const instance = await (await start({ shared })).instance(bytes);
      const [first, second, third] = [instance.plan('ff'), instance.plan('ff'), instance.plan('bfd-avg')];
      second.cancel();
      await assert.rejects(second, { code: 'CANCELLED' });
      assert.equal((await first).planner, 'ff');
      assert.equal((await third).planner, 'bfd-avg');
    });

    test('a signal aborts with its reason, before and during the run', async () => {
      const instance = await (await start({ shared })).instance(bytes);
      await assert.rejects(instance.plan('ff', { signal: AbortSignal.abort() }), { name: 'AbortError' });
      const controller = new AbortController();
      const reason = new Error('the page was left');
      const run = instance.plan(slow, {
        signal: controller.signal,
        onProgress: () => controller.abort(reason),
        progressInterval: 0,
      });
      await assert.rejects(run, (error) => error === reason);
      assert.equal((await instance.plan('ff')).complete, true);
    });

    test('failures come with code and path, and do no harm', async () => {
      const worker = await start({ shared });
      const instance = await worker.instance(small);
      await assert.rejects(instance.plan('none'), { name: 'StowageError', code: 'NOT_FOUND', path: 'planner' });
      await assert.rejects(instance.plan({ planner: 'ff', seed: -1 }), { code: 'INVALID', path: 'seed' });
      await assert.rejects(worker.instance({ ...small, apps: [{ demand: { cpu: -1 } }] }), { path: 'apps[0].demand.cpu' });
      await assert.rejects(worker.instance(small, { limits: { maxApps: 1 } }), { code: 'LIMIT_EXCEEDED' });
      await assert.rejects(worker.instance({ ...small, name: () => 'a function' }), { code: 'INVALID' });
      await assert.rejects(instance.verify(new Uint8Array(9)), { code: 'MALFORMED' });
      const reason = new Error('of the caller');
      await assert.rejects(
        instance.plan('ff', { onProgress: () => { throw reason; }, progressInterval: 0 }), (error) => error === reason,
      );
      assert.equal((await instance.plan('ff')).nodes, 2);
    });

    test('buffers are transferred on request', async () => {
      const worker = await start({ shared });
      const own = bytes.slice();
      const instance = await worker.instance(own, { transfer: [own.buffer] });
      assert.equal(own.length, 0);
      assert.equal(instance.fingerprint, local.fingerprint);
      const kept = bytes.slice();
      await worker.instance(kept);
      assert.deepEqual(kept, bytes);
    });

    test('disposed of, it refuses; disposing again does nothing', async () => {
      const worker = await startStowageWorker({ shared });
      const instance = await worker.instance(bytes);
      const other = await worker.instance(small);
      other.dispose();
      other.dispose();
      await assert.rejects(other.plan('ff'), { code: 'DISPOSED' });
      await assert.rejects(other.bound(), { code: 'DISPOSED' });
      const pending = [instance.plan(slow), instance.plan('ff'), worker.planners()];
      worker.dispose();
      worker.dispose();
      for (const call of pending) await assert.rejects(call, { code: 'DISPOSED' });
      await assert.rejects(instance.plan('ff'), { code: 'DISPOSED' });
      instance.dispose();
    });
  });
}

test('a worker that ends takes its call with it; instances come back where they were kept', async () => {
  for (const recover of [true, false]) {
    let current;
    const worker = await start({
      recover,
      worker: () => (current = new Worker(new URL(import.meta.resolve?.('stowage/worker') ?? workerUrl()))),
    });
    const instance = await worker.instance(bytes);
    const run = instance.plan(slow, { onProgress: () => void current.terminate(), progressInterval: 0 });
    await assert.rejects(run, { name: 'StowageError', code: 'UNAVAILABLE' });
    if (recover) {
      assert.deepEqual((await instance.plan('ff')).bytes, local.plan('ff').bytes);
    } else {
      await assert.rejects(instance.plan('ff'), { code: 'UNAVAILABLE' });
      assert.equal((await (await worker.instance(small)).plan('ff')).nodes, 2);
    }
  }
});

function workerUrl() {
  return new URL('../node_modules/stowage/dist/node/worker.js', import.meta.url);
}

test('a worker that cannot be started is UNAVAILABLE', async () => {
  const nothing = () => new Worker(new URL('data:text/javascript,throw new Error("no")'));
  await assert.rejects(startStowageWorker({ worker: nothing }), (error) => {
    assert.ok(error instanceof StowageError);
    return error.code === 'UNAVAILABLE';
  });
});

test('an instance that nobody disposed of is freed in the worker, too', async () => {
  const { collectGarbage } = await import('./support.mjs');
  const worker = await start({ recover: true });
  const kept = () => worker['kept'].size;
  await worker.instance(small);
  const held = await worker.instance(small);
  for (let k = 0; k < 50 && kept() > 1; ++k) await collectGarbage();
  assert.equal(kept(), 1);
  assert.equal((await held.plan('ff')).nodes, 2);
});

test('an idle worker does not keep the process', () => {
  const program = `
    import { startStowageWorker } from 'stowage';
    const worker = await startStowageWorker();
    const instance = await worker.instance(${JSON.stringify(small)});
    console.log((await instance.plan('ff')).nodes);`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 30_000 });
  assert.equal(printed, '2\n');
});

test('this thread stays free while the worker plans', async () => {
  const instance = await (await start({})).instance(bytes);
  const run = instance.plan(slow);
  let ticks = 0;
  const clock = setInterval(() => ++ticks, 1);
  await Promise.race([run, sleep(100)]);
  clearInterval(clock);
  run.cancel();
  await run;
  assert.ok(ticks > 10, `${ticks} ticks`);
});
