// Calls from within callbacks: each gives a result or the documented error, and harms nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Plan, StowageError, decodeInstance, encodeInstance, loadStowage, startStowageWorker } from 'stowage';
import { callsOf, functionsOfTheAbi, thingsOf } from './calls.mjs';
import { small, workload } from './support.mjs';

const bytes = encodeInstance(workload(1500));
/** Calls in a callback that need nothing of the library, which is busy. */
const ANSWERED = /_(version|fingerprint|free)$/;
const SECOND = 1000;

test('every function of the C ABI has its call here', async () => {
  const library = await loadStowage();
  assert.deepEqual(Object.keys(callsOf(library, await thingsOf(library), false)).sort(), functionsOfTheAbi());
});

/** Each way in which a call on this thread runs code of its caller, by name: the run in which `callback` is called. */
const CALLBACKS = {
  onProgress: (instance, callback) => instance.plan('ff', { onProgress: callback, progressInterval: 0 }),
  isCancelled: (instance, callback) => instance.plan('ff', { isCancelled: () => callback() && false }),
  'isCancelled of a search': (instance, callback) => instance.plan({ workLimit: 2000 }, { isCancelled: () => callback() && false }),
  'isCancelled of an explanation': (instance, callback, plan) => instance.explain(plan, { isCancelled: () => callback() && false }),
  'isCancelled of a verification': (instance, callback, plan) => instance.verify(plan, { isCancelled: () => callback() && false }),
  'a listener of the signal': (instance, callback) => {
    const control = new AbortController();
    control.signal.addEventListener('abort', callback);
    assert.throws(
      () => instance.plan('ff', { signal: control.signal, onProgress: () => control.abort(), progressInterval: 0 }), { name: 'AbortError' });
  },
};

for (const [name, call] of Object.entries(CALLBACKS)) {
  test(`from ${name}, every function gives a result or BUSY`, async () => {
    const library = await loadStowage();
    const calls = callsOf(library, await thingsOf(library), false);
    const instance = library.instance(bytes);
    const plan = instance.plan('ff');
    const answers = new Map();
    const left = Object.entries(calls);
    while (left.length > 0) {
      const before = left.length;
      call(instance, () => {
        for (const [called, make] of left.splice(0)) {
          const begin = performance.now();
          try {
            make({});
            answers.set(called, 'OK');
          } catch (error) {
            assert.ok(error instanceof StowageError, String(error));
            answers.set(called, error.code);
          }
          assert.ok(performance.now() - begin < SECOND, called);
        }
        return true;
      }, plan);
      assert.ok(left.length < before, 'it was not called back');
    }
    for (const [called, answer] of answers) assert.equal(answer, ANSWERED.test(called) ? 'OK' : 'BUSY', called);
    // Nothing was harmed.
    assert.deepEqual(instance.plan('ff').bytes, plan.bytes);
    assert.equal(instance.verify(plan).ok, true);
  });
}

test('in a callback, another library answers, and bytes are read', async () => {
  const [library, other] = [await loadStowage(), await loadStowage()];
  const [instance, beside] = [library.instance(bytes), other.instance(small)];
  const plan = beside.plan('ff');
  const found = [];
  instance.plan('ff', {
    onProgress: () => found.push(beside.plan('ff').nodes, new Plan(plan.bytes).nodes, decodeInstance(bytes).apps.replicas.length),
    progressInterval: 0,
  });
  assert.deepEqual(found.slice(0, 3), [plan.nodes, plan.nodes, 1500]);
});

test('what is disposed of in a callback is freed after the call, and the call keeps its result', async () => {
  const library = await loadStowage();
  const expected = library.instance(bytes).plan('ff').bytes;
  const round = () => {
    const instance = library.instance(bytes);
    const plan = instance.plan('ff', { onProgress: () => instance.dispose(), progressInterval: 0 });
    assert.deepEqual(plan.bytes, expected);
    assert.throws(() => instance.plan('ff'), { code: 'DISPOSED' });
  };
  round();
  const before = library.memoryBytes;
  for (let k = 0; k < 100; ++k) round();
  assert.ok(library.memoryBytes - before <= 256 * 1024, `${before} bytes became ${library.memoryBytes}`);
});

test('a session that is disposed of in a callback of its own call ends in order', async () => {
  const library = await loadStowage();
  const session = library.session(workload(300));
  const plan = session.plan('ff', { onProgress: () => session.dispose(), progressInterval: 0 });
  assert.ok(plan.nodes > 0);
  assert.throws(() => session.version, { code: 'DISPOSED' });
  assert.throws(() => session.commit(plan), { code: 'DISPOSED' });
});

test('a library that is disposed of in a callback ends the call', async () => {
  const library = await loadStowage();
  const instance = library.instance(bytes);
  assert.throws(
    () => instance.plan({ deadlineMs: 60_000 }, { onProgress: () => library.dispose(), progressInterval: 0 }), { code: 'DISPOSED' });
  assert.throws(() => instance.plan('ff'), { code: 'DISPOSED' });
});

test('code of the caller that runs while its arguments are read cannot take the instance away', async () => {
  const library = await loadStowage();
  const instance = library.instance(small);
  const request = { get planner() { instance.dispose(); return 'ff'; } };
  assert.throws(() => instance.plan(request), { code: 'DISPOSED' });
  const another = library.instance(small);
  const options = { get app() { another.dispose(); return 0; } };
  assert.throws(() => another.explain(library.instance(small).plan('ff'), options), { code: 'DISPOSED' });
  const fails = { get maxApps() { throw new RangeError('of the caller'); } };
  assert.throws(() => library.instance(small, fails), { name: 'RangeError' });
  assert.equal(library.instance(small).plan('ff').nodes, 2);
});

test('in callbacks of a worker, every function is queued', async () => {
  const worker = await startStowageWorker();
  const calls = callsOf(worker, await thingsOf(worker), true);
  const instance = await worker.instance(bytes);
  for (const [name, start] of Object.entries({
    onProgress: (callback) => instance.plan('ff', { onProgress: callback, progressInterval: 0 }),
    'a listener of the signal': (callback) => {
      const control = new AbortController();
      control.signal.addEventListener('abort', callback);
      const run = instance.plan('ff', { signal: control.signal, onProgress: () => control.abort(), progressInterval: 0 });
      return assert.rejects(run, { name: 'AbortError' });
    },
  })) {
    const answers = [];
    let called = false;
    await start(() => {
      if (called) return;
      called = true;
      for (const [function_, make] of Object.entries(calls)) answers.push([function_, new Promise((resolve) => resolve(make({})))]);
    });
    assert.ok(answers.length > 0, name);
    for (const [function_, answer] of answers) {
      // A plan is rejected once, and committed once.
      await answer.catch((error) => assert.ok(error instanceof StowageError && error.code === 'INVALID', `${function_}: ${error}`));
    }
  }
  worker.dispose();
});
