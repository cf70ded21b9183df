import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStowage, startStowageWorker } from 'stowage';
import { profiles, resources, samples } from './calls.mjs';
import { places, workload } from './support.mjs';

const question = { samples, goal: { value: 0.8 }, curves: true };
const usage = {
  apps: ['web'], resources, app: [0, 0, 0, 0], time: [0, 60, 120, 180], amount: [1, 2, 3, 4], rules: [{ percentile: 0.75 }],
  periods: 2, cycle: 0,
};
const changed = (list, index, value) => list.map((one, k) => (k === index ? value : one));
/** Checks that a call fails with the code and the path, in its own time or in a promise. */
const refused = (call, code, path) => assert.rejects(async () => call(), { name: 'StowageError', code, path });

for (const [name, library, within] of await places()) {
  test(`a model recommends the size that meets the goal, ${name}`, async () => {
    const model = await library.learn(profiles);
    const answer = await model.recommend(question);
    assert.deepEqual(answer.resources, resources);
    assert.deepEqual(answer.configurations.map(({ amounts, collocation }) => [...amounts, collocation]), [[1, 1], [2, 1]]);
    const [one] = answer.apps;
    assert.equal(answer.apps.length, 1);
    assert.equal(one.app, 'new');
    assert.equal(one.reason, 'meets-goal');
    assert.equal(one.choice, 1);
    assert.equal(one.runnerUp, 0);
    assert.ok(one.probability >= 0.8 && one.runnerUpProbability < 0.8);
    assert.equal(one.samples, 1);
    assert.ok(Number.isNaN(one.savingAsked));
    assert.equal(one.savingLargest, 0);
    assert.equal(one.curveMean.length, 2);
    assert.ok(one.curveLow[1] < one.curveMean[1] && one.curveMean[1] < one.curveHigh[1]);
    assert.equal(one.curveProbability[1], one.probability);

    const plain = (await model.recommend({ ...question, curves: false })).apps[0];
    assert.ok(!('curveMean' in plain));
    // No size reaches this goal for sure, so that there is no choice.
    const [high] = (await model.recommend({ samples, goal: { value: 1, confidence: 0.999 } })).apps;
    assert.notEqual(high.reason, 'meets-goal');
    assert.ok(!('choice' in high));
    model.dispose();
  });

  test(`the goal and what is known of apps arrive, ${name}`, async () => {
    const features = [{ name: 'load', numbers: [1, 2, NaN, 4] }, { name: 'team', words: ['x', '', 'y', 'x'] }];
    const rowCollocation = [1, 1, 1, 1, 2, 2, 1, 1];
    const model = await library.learn({ ...profiles, features, rowCollocation, asked: [4, NaN, 4, 4] });
    const own = [{ name: 'load', numbers: [3] }, { name: 'team', words: ['x'] }];
    const goal = { value: 0.8, confidence: 0.6, cost: [3] };
    const { apps, configurations } = await model.recommend({ samples: { ...samples, features: own, asked: [4] }, goal });
    assert.equal(apps[0].reason, 'meets-goal');
    assert.equal(configurations[apps[0].choice].amounts[0], 2);
    assert.ok(configurations.some(({ collocation }) => collocation === 2));
    // Two of the four cores that the app asks for, at the same degree of collocation or a higher one.
    assert.ok(apps[0].savingAsked >= 0.5);
    model.dispose();
  });

  test(`a latency is a goal not to exceed, ${name}`, async () => {
    const rowValue = [20, 10, 22, 11, 19, 9, 21, 10];
    const model = await library.learn({ ...profiles, measure: 'latency', rowValue });
    const latency = { ...samples, measure: 'latency', rowValue: [20] };
    const { apps } = await model.recommend({ samples: latency, goal: { value: 15 } });
    assert.equal(apps[0].choice, 1);
    await refused(() => model.recommend({ samples, goal: { value: 15 } }), 'INVALID', 'measure');
    model.dispose();
  });

  test(`a model survives its bytes, ${name}`, async () => {
    const model = await library.learn(profiles);
    const bytes = await model.bytes();
    const again = await library.loadModel(bytes);
    assert.deepEqual(await again.recommend(question), await model.recommend(question));
    assert.deepEqual(await again.bytes(), bytes);
    await refused(() => library.loadModel(bytes.slice(1)), 'MALFORMED', '');
    await refused(() => library.loadModel({}), 'INVALID', 'bytes');
    await refused(() => library.loadModel(bytes, within({ maxBytes: 10 })), 'LIMIT_EXCEEDED', '');
    again.dispose();
    again.dispose();
    await refused(() => again.recommend(question), 'DISPOSED', '');
    await refused(() => again.bytes(), 'DISPOSED', '');
    assert.equal((await model.recommend(question)).apps[0].choice, 1);
    model.dispose();
  });

  test(`a wrong value is refused with its path, ${name}`, async () => {
    const learn = (part, limits) => () => library.learn({ ...profiles, ...part }, limits);
    await refused(learn({ rowValue: changed(profiles.rowValue, 2, 1.5) }), 'INVALID', 'rows[2].value');
    await refused(learn({ rowValue: changed(profiles.rowValue, 2, 'much') }), 'INVALID', 'row_value[2]');
    await refused(learn({ rowApp: changed(profiles.rowApp, 1, 4) }), 'INVALID', 'rows[1].app');
    await refused(learn({ rowApp: changed(profiles.rowApp, 1, -1) }), 'INVALID', 'row_app[1]');
    await refused(learn({ apps: 'abcd' }), 'INVALID', 'apps');
    await refused(learn({ apps: ['a', 'b', 'c', 'a'] }), 'INVALID', 'apps[3]');
    await refused(learn({ measure: 'speed' }), 'INVALID', 'measure');
    await refused(learn({ features: [{ name: 'team' }] }), 'INVALID', 'features[0]');
    await refused(learn({}, within({ maxApps: 3 })), 'LIMIT_EXCEEDED', 'apps');
    await refused(() => library.learn(), 'INVALID', 'samples');
    const model = await library.learn(profiles);
    await refused(() => model.recommend({ samples, goal: { value: 2 } }), 'INVALID', 'goal');
    await refused(() => model.recommend({ samples, goal: { value: 0.8, keepAsk: true } }), 'INVALID', 'goal.keepAsk');
    await refused(() => model.recommend({ samples, goal: { value: 0.8 }, curve: true }), 'INVALID', 'question.curve');
    await refused(() => model.recommend({ samples, goal: { value: '1' } }), 'INVALID', 'goal');
    await refused(() => model.recommend({ samples, goal: { value: 0.8, confidence: 1 } }), 'INVALID', 'confidence');
    await refused(() => model.recommend({ samples }), 'INVALID', 'goal');
    model.dispose();
  });

  test(`sizes follow from usage, ${name}`, async () => {
    const sizes = await library.size(usage);
    assert.deepEqual([sizes.apps, sizes.resources, sizes.periods], [['web'], resources, 2]);
    assert.deepEqual([...sizes.size], [3]);
    assert.deepEqual([...sizes.exceeded], [0.25]);
    assert.deepEqual([...sizes.demand], [2, 4]);
    assert.deepEqual([sizes.measured, sizes.killed, ...sizes.first, ...sizes.last], [[4], [0], 0, 180]);
    assert.ok(!('variance' in sizes));

    const rules = [{ percentile: 1, bump: 2, uncertain: true }];
    const killed = await library.size({ ...usage, replica: [0, 0, 1, 1], outOfMemory: [0, 0, 0, 1], rules, periods: 1 });
    assert.deepEqual([...killed.size], [8]);
    assert.deepEqual(killed.killed, [1]);
    assert.equal(killed.variance.length, 1);

    const size = (part) => () => library.size({ ...usage, ...part });
    await refused(size({ amount: [1, 2, -1, 4] }), 'INVALID', 'amount[2]');
    await refused(size({ outOfMemory: [0, 0, 2, 0] }), 'INVALID', 'out_of_memory[2]');
    await refused(size({ rules: [{ percentile: 0 }] }), 'INVALID', 'rules[0].percentile');
    await refused(size({ rules: [{ halfLife: 'long' }] }), 'INVALID', 'rules[0].half_life');
    await refused(size({ rules: [] }), 'INVALID', 'rules');
    await refused(size({ periods: 0.5 }), 'INVALID', 'periods');
  });
}

test('a new worker has the models of the one before', async () => {
  const worker = await startStowageWorker({ shared: false });
  const [learned, gone] = [await worker.learn(profiles), await worker.learn(profiles)];
  const bytes = await learned.bytes();
  const loaded = await worker.loadModel(bytes);
  gone.dispose();
  const answer = await learned.recommend(question);
  // Memory is not shared, so that cancelling a run replaces the worker.
  const instance = await worker.instance(workload(400));
  let begun;
  const progress = new Promise((resolve) => (begun = resolve));
  const run = instance.plan({ planner: 'auto', deadlineMs: 60_000 }, { onProgress: begun, progressInterval: 1 });
  await progress;
  run.cancel();
  await assert.rejects(run, { code: 'CANCELLED' });
  for (const model of [learned, loaded]) assert.deepEqual(await model.recommend(question), answer);
  assert.equal(worker['kept'].size, 3);
  worker.dispose();
});

test('2000 models, with all that goes with them, do not grow the heap', async () => {
  const stowage = await loadStowage();
  const everything = () => {
    const model = stowage.learn(profiles);
    const again = stowage.loadModel(model.bytes());
    again.recommend(question);
    stowage.size(usage);
    assert.throws(() => stowage.loadModel(new Uint8Array(20)));
    assert.throws(() => model.recommend({ samples, goal: { value: 2 } }));
    for (const one of [model, again]) one.dispose();
  };
  everything();
  const before = stowage.memoryBytes;
  for (let k = 0; k < 2000; ++k) everything();
  // The allocator may take one or two pages for itself.
  assert.ok(stowage.memoryBytes - before <= 128 * 1024, `${before} bytes became ${stowage.memoryBytes}`);
});
