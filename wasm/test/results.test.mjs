// Plans and reports as people and other programs see them: by name, as JSON, in the console; and what `using` disposes of.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Plan, columnsOf, describePlan, loadStowage, namedPlacements } from 'stowage';
import { cluster, hex, places, small, sourceFile, started, workload } from './support.mjs';

const stowage = await loadStowage();
const columns = columnsOf(small);
const instance = stowage.instance(columns);
const large = stowage.instance(workload(2000));
const everywhere = await places();
const written = (value) => JSON.parse(JSON.stringify(value));

for (const [name, library] of everywhere) {
  test(`a plan without a planner is made by auto, ${name}`, async () => {
    const [one, session] = [await library.instance(small), await started(library)];
    const wanted = (await one.plan('auto')).bytes;
    const calls = [[], [{}], [undefined], [{ planner: undefined }], [{}, { onProgress: () => {} }], [undefined, { onProgress: () => {} }]];
    for (const call of calls) assert.deepEqual((await one.plan(...call)).bytes, wanted);
    const limited = await one.plan({ nodeLimit: 1 });
    assert.deepEqual([limited.planner, limited.nodes], ['auto', 1]);
    const plan = await session.plan();
    assert.deepEqual([plan.planner, plan.complete], ['auto', true]);
    assert.equal((await session.commit(plan)).placed, 3);
    await assert.rejects(async () => one.plan(null), { name: 'StowageError', code: 'INVALID' });
    await assert.rejects(async () => session.plan({ planner: 7 }), { code: 'INVALID', path: 'planner' });
  });

  test(`everything with dispose() has Symbol.dispose, ${name}`, async () => {
    const profiles = { resources: ['cpu'], apps: ['a', 'b'], rowApp: [0, 1], rowAmounts: [1, 1], rowValue: [0.5, 0.6] };
    const [one, session, model] = [await library.instance(small), await library.session(cluster), await library.learn(profiles)];
    const calls = [[one, () => one.plan('ff')], [session, () => session.snapshot()], [model, () => model.bytes()]];
    for (const [object, call] of calls) {
      await call();
      for (let time = 0; time < 2; ++time) object[Symbol.dispose]();
      await assert.rejects(async () => call(), { code: 'DISPOSED' });
      assert.match(inspect(object), /^(Worker)?(Instance|Session|Model) \{[^\n]{0,40}\}$/);
      assert.deepEqual(written(object), object === one ? { fingerprint: hex(instance.fingerprint) } : {});
    }
    assert.equal(typeof library[Symbol.dispose], 'function');
  });
}

test('a library and a worker end by Symbol.dispose', async () => {
  const library = await loadStowage();
  assert.deepEqual([inspect(library), written(library)], [`Stowage { version: '${library.version}' }`, { version: library.version }]);
  library[Symbol.dispose]();
  assert.throws(() => library.instance(small), { code: 'DISPOSED' });
});

// Node.js 20 does not parse `using`; esbuild translates it as for any older runtime.
const { transformSync } = createRequire(sourceFile('wasm/package.json'))('esbuild');
const program = `async (stowage, small) => {
  let kept;
  { using instance = stowage.instance(small); kept = instance; await null; instance.plan('ff'); }
  return kept;
}`;
const scope = () => (0, eval)(transformSync(`globalThis.scope = ${program};`, { target: 'node18' }).code) ?? globalThis.scope;

test('using disposes of an instance at the end of its scope', async () => {
  const kept = await scope()(stowage, small);
  assert.throws(() => kept.plan('ff'), { code: 'DISPOSED' });
});

test('using works where the runtime has no Symbol.dispose', async () => {
  const own = globalThis.Symbol;
  const { dispose: _, prototype: __, ...others } = Object.getOwnPropertyDescriptors(own);
  globalThis.Symbol = Object.defineProperties((text) => own(text), others);
  try {
    const kept = await scope()(stowage, small);
    assert.throws(() => kept.plan('ff'), { code: 'DISPOSED' });
    assert.equal(Symbol.dispose, undefined);
    assert.equal('undefined' in kept, false);
  } finally {
    globalThis.Symbol = own;
  }
});

test('a plan as JSON has its fields, digits for 64-bit numbers, and arrays', () => {
  const seed = 2n ** 64n - 1n;
  const plan = instance.plan({ planner: 'ff', nodeLimit: 1, seed });
  const json = written(plan);
  assert.deepEqual(json, written({ plan }).plan);
  const { seed: digits, work, pace, instance: fingerprint, nodeClass, listed, placements, unplaced, reserved, ...others } = json;
  assert.deepEqual([BigInt(digits), BigInt(work), BigInt(pace)], [seed, plan.work, plan.pace]);
  assert.equal(fingerprint, describePlan(new Plan(instance.plan('ff').bytes), columns).instance);
  assert.deepEqual([nodeClass, listed], [[...plan.nodeClass], [...plan.listed]]);
  assert.deepEqual([placements, unplaced, reserved], [[...plan.placements], plan.unplaced, []]);
  for (const [key, value] of Object.entries(others)) assert.deepEqual(value, plan[key], key);
  const missing = Object.keys(plan).filter((key) => plan[key] !== undefined && !(key in json));
  assert.deepEqual(missing, ['bytes']);
  assert.deepEqual(written(plan.placements), [...plan.placements]);
});

/** A cluster in which reports have all their columns. */
const colocated = {
  ...small,
  apps: small.apps.map((app, k) => ({ ...app, limits: undefined, kind: ['calm', 'noisy'][k] })),
  interference: { kinds: ['calm', 'noisy'], coefficient: [[1, 2], [0.5, 1]], resource: 'memory' },
};

test('reports as JSON have digits for 64-bit numbers, and arrays', async () => {
  const kinds = stowage.instance(colocated);
  const plan = kinds.plan('ff');
  const session = await started(stowage);
  const commit = session.commit(session.plan('ff'));
  const profiles = { resources: ['cpu'], apps: ['a', 'b'], rowApp: [0, 0, 1, 1], rowAmounts: [1, 2, 1, 2], rowValue: [0.4, 0.9, 0.5, 0.9] };
  const samples = { resources: ['cpu'], apps: ['new'], rowApp: [0], rowAmounts: [1], rowValue: [0.45] };
  const verification = kinds.verify(plan);
  const { suffering } = kinds.explain(plan);
  const recommendations = stowage.learn(profiles).recommend({ samples, goal: { value: 0.8 }, curves: true });
  const reports = {
    commit, verification, metrics: verification.metrics, suffering,
    headroom: kinds.headroom(plan, 0), headroomOfApps: kinds.headroomOfApps(plan), losses: kinds.losses(plan, { nodes: [0] }),
    recommendations, configuration: recommendations.configurations[0],
    sizes: stowage.size({ resources: ['cpu'], apps: ['web'], app: [0], time: [0], amount: [1], rules: [{}] }),
    explanation: kinds.explain(plan), moves: kinds.orderMoves(plan), bounds: kinds.bound(), planners: stowage.planners(),
  };
  let [columnsSeen, digitsSeen] = [0, 0];
  /** Compares a value with its JSON, part by part. */
  const compare = (value, json, path) => {
    if (typeof value === 'bigint') {
      ++digitsSeen;
      assert.equal(json, String(value), path);
    } else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
      columnsSeen += ArrayBuffer.isView(value) ? 1 : 0;
      assert.ok(Array.isArray(json) && json.length === value.length, path);
      value.forEach((one, k) => compare(one, json[k], `${path}[${k}]`));
    } else if (typeof value === 'object' && value !== null) {
      const present = Object.keys(value).filter((key) => value[key] !== undefined);
      assert.deepEqual(Object.keys(json), present, path);
      for (const key of present) compare(value[key], json[key], `${path}.${key}`);
    } else {
      assert.equal(json, Number.isNaN(value) ? null : value, path);
    }
  };
  for (const [name, report] of Object.entries(reports)) {
    compare(report, written(report), name);
    assert.deepEqual(structuredClone(report), report, name);
  }
  assert.deepEqual([written(commit).plannedVersion, digitsSeen], [String(commit.plannedVersion), 2]);
  assert.ok(columnsSeen > 25, String(columnsSeen));
});

test('the console shows a plan in a few lines, whatever its size', () => {
  const plan = large.plan('ff');
  assert.ok(plan.placements.length > 5000);
  const text = inspect(plan);
  assert.match(text, /^Plan \{\n {2}instance: '[0-9a-f]{16}',\n {2}planner: 'ff',\n {2}status: 'complete',/);
  assert.match(text, /\n {2}placements: Placements\(\d+\) \[\n {4}\{ app: 0, node: 0, replicas: \d+ \},\n/);
  assert.match(text, new RegExp(`\\.\\.\\. ${plan.placements.length - 10} more items`));
  assert.doesNotMatch(text, /undefined|bytes|root/);
  assert.ok(text.split('\n').length < 60 && text.length < 3000, text);
  assert.match(inspect({ plan }), /^\{\n {2}plan: Plan \{\n {4}instance:/);
  assert.equal(inspect([[[plan]]]), '[ [ [ [Plan] ] ] ]');
  assert.ok(inspect(plan.placements).split('\n').length < 15);
  assert.equal(inspect(plan.placements, { maxArrayLength: null }).split('\n').length, plan.placements.length + 2);
  assert.match(inspect(plan.placements, { maxArrayLength: 2 }), new RegExp(`\\.\\.\\. ${plan.placements.length - 2} more items`));
  const named = namedPlacements(plan, workload(2000));
  assert.match(inspect(named), /^NamedPlacements\(\d+\) \[\n {2}\{ app: '#0', node: 'node-1', replicas: \d+ \},\n/);
  assert.ok(inspect(named).split('\n').length < 15);
});

test('placements by name are those of the description', () => {
  const listed = { ...small, nodes: [{ name: 'mine', class: 'standard' }] };
  const content = columnsOf(listed);
  const own = stowage.instance(content);
  for (const request of ['ff', { planner: 'ff', compact: true }, { planner: 'ff', nodeLimit: 1 }, {}]) {
    const plan = own.plan(request);
    const named = namedPlacements(plan, content);
    const { nodes } = describePlan(plan, content);
    const wanted = nodes.flatMap(({ name, replicas }) =>
      Object.entries(replicas).map(([app, count]) => ({ app, node: name, replicas: count })),
    );
    assert.ok(wanted.length > 0);
    assert.deepEqual([...named], wanted);
    assert.deepEqual(Array.from({ length: named.length }, (_, entry) => named.at(entry)), wanted);
    assert.deepEqual(written(named), wanted);
    for (const { name } of nodes) assert.deepEqual(named.on(name), wanted.filter(({ node }) => node === name));
    assert.deepEqual(named.on('no such node'), []);
  }
  const kept = own.plan({ planner: 'auto', keep: [{ app: 1, replicas: 1 }] });
  const reserved = [...namedPlacements(kept, content, kept.reserved)];
  assert.deepEqual(reserved.map(({ app, replicas }) => [app, replicas]), [['db', 1]]);
  assert.ok(describePlan(kept, content).nodes.find(({ name }) => name === reserved[0].node).reserved.db === 1);
});

test('names of nodes are made when the first is asked for', () => {
  const plan = instance.plan('ff');
  const named = namedPlacements(plan, new Proxy({}, { get: (_, key) => assert.fail(`read ${String(key)}`) }));
  assert.equal(named.length, plan.placements.length);
});
