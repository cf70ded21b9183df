import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StowageError, loadStowage, startStowageWorker } from 'stowage';
import { small } from './support.mjs';

const stowage = await loadStowage();

/** Six web and two db, with 8 GiB to a node: two web to a node, or one db. */
const grown = { replicas: 2, byResource: [{ resource: 'memory', capacity: 0.5 }] };

test('derived instances are those of their bytes', () => {
  const instance = stowage.instance(small);
  const derived = instance.derive(grown);
  assert.notEqual(derived.fingerprint, instance.fingerprint);
  assert.equal(instance.derive({}).fingerprint, instance.fingerprint);
  instance.dispose();
  const plan = derived.plan('ff');
  assert.equal(plan.nodes, 5);
  const loaded = stowage.instance(derived.bytes());
  assert.equal(loaded.fingerprint, derived.fingerprint);
  assert.deepEqual(loaded.plan('ff').bytes, plan.bytes);
  assert.equal(loaded.verify(plan).ok, true);
  for (const one of [derived, loaded]) one.dispose();
  assert.throws(() => derived.derive({}), { code: 'DISPOSED' });
  assert.throws(() => derived.bytes(), { code: 'DISPOSED' });
});

test('every change of a derivation', () => {
  const instance = stowage.instance(small);
  const derived = instance.derive({
    name: 'grown', demand: 2, load: 3, limits: 1,
    byResource: [{ resource: 0, demand: 0.25 }],
    byApp: [{ app: 'web', replicas: 5, demandFactor: 3 }, { app: 1, replicaFactor: 2, demand: [1, 2] }],
    byClass: [{ nodeClass: 'standard', count: 7, capacityFactor: 4, price: 2.5 }],
  });
  const expected = stowage.instance({
    stowage: 1, name: 'grown', resources: small.resources,
    classes: [{ name: 'standard', capacity: { cpu: 32, memory: 64 }, count: 7, price: 2.5 }],
    apps: [
      { name: 'web', replicas: 5, demand: { cpu: 3, memory: 24 }, max_per_node: 2 },
      { name: 'db', replicas: 2, demand: { cpu: 1, memory: 2 }, limits: { web: 1 } },
    ],
  });
  assert.equal(derived.fingerprint, expected.fingerprint);
  const again = derived.derive({ price: 2, capacity: 0.5, byClass: [{ nodeClass: 0, capacity: new Float64Array([9, 30]) }] });
  assert.notEqual(again.fingerprint, derived.fingerprint);
  for (const one of [instance, derived, expected, again]) one.dispose();
});

test('derived within limits', () => {
  // As many replicas as there are.
  const instance = stowage.instance(small, { maxReplicas: 4 });
  const beyond = { code: 'LIMIT_EXCEEDED' };
  assert.throws(() => instance.derive({ replicas: 2 }), beyond);
  const derived = instance.derive({ replicas: 2 }, { maxReplicas: 8 });
  assert.throws(() => derived.derive({}, { maxReplicas: 7 }), beyond);
  // What is derived keeps the limits that it was given.
  assert.throws(() => derived.derive({ replicas: 2 }), beyond);
  assert.throws(() => derived.derive({}, { maxReplicas: -1 }), { code: 'INVALID_ARGUMENT', path: 'limits.maxReplicas' });
  for (const one of [instance, derived]) one.dispose();
});

test('derivations that are refused', () => {
  const instance = stowage.instance(small);
  const refused = (derivation, code, path) =>
    assert.throws(() => instance.derive(derivation), (error) => {
      assert.ok(error instanceof StowageError);
      assert.deepEqual([error.code, error.path], [code, path], error.message);
      return true;
    });
  refused({ demand: -1 }, 'INVALID', 'demand');
  refused({ replicas: NaN }, 'INVALID', 'replicas');
  refused({ replicas: '2' }, 'INVALID', 'replicas');
  refused({ replicas: 1e9 }, 'LIMIT_EXCEEDED', 'apps.replicas[0]');
  refused({ demands: 2 }, 'INVALID', 'demands');
  refused({ byApp: [{ app: 'cache' }] }, 'NOT_FOUND', 'by_app[0].name');
  refused({ byApp: [{ app: 0, replicas: 1.5 }] }, 'INVALID', 'by_app[0].replicas');
  refused({ byApp: [{ app: '' }] }, 'INVALID', 'by_app[0].app');
  refused({ byApp: [{ app: 0, demand: [1, 'x'] }] }, 'INVALID', 'by_app[0].demand[1]');
  refused({ byApp: {} }, 'INVALID', 'by_app');
  refused({ byClass: [{ nodeClass: 9 }] }, 'NOT_FOUND', 'by_class[0].node_class');
  refused({ byClass: [{ nodeClass: 0, price: -2 }] }, 'INVALID', 'by_class[0].price');
  refused({ byResource: [{ resource: 'gpu' }] }, 'NOT_FOUND', 'by_resource[0].name');
  instance.dispose();
});

for (const shared of [true, false]) {
  test(`in a worker ${shared ? 'with' : 'without'} shared memory`, async () => {
    const worker = await startStowageWorker({ shared });
    const instance = await worker.instance(small);
    const derived = await instance.derive(grown);
    instance.dispose();
    const local = stowage.instance(small);
    const expected = local.derive(grown);
    assert.equal(derived.fingerprint, expected.fingerprint);
    assert.deepEqual(await derived.bytes(), expected.bytes());
    if (!shared) {
      // Cancelling a run replaces the worker, which gets the derived instance again.
      const run = derived.plan({ planner: 'auto', deadlineMs: 20_000 });
      setTimeout(() => run.cancel(), 50);
      await run.catch(() => undefined);
    }
    assert.deepEqual((await derived.plan('ff')).bytes, expected.plan('ff').bytes);
    await assert.rejects(derived.derive({ demand: -1 }), { code: 'INVALID', path: 'demand' });
    const narrow = await worker.instance(small, { limits: { maxReplicas: 4 } });
    await assert.rejects(narrow.derive({ replicas: 2 }), { code: 'LIMIT_EXCEEDED' });
    const wide = await narrow.derive({ replicas: 2 }, { limits: { maxReplicas: 8 } });
    await assert.rejects(wide.derive({ replicas: 2 }), { code: 'LIMIT_EXCEEDED' });
    await assert.rejects(wide.derive({}, { limits: { maxReplicas: 7 } }), { code: 'LIMIT_EXCEEDED' });
    for (const one of [narrow, wide]) one.dispose();
    for (const one of [derived, local, expected]) one.dispose();
    worker.dispose();
  });
}
