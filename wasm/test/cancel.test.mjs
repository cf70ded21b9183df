// Every function that has a control can be ended: by a callback and by a deadline on this thread, by a signal in a worker.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Plan, StowageError, columnsOf, decodeInstance, describeInstance, describePlan, encodeInstance, encodeOperations, expandPlan, loadStowage,
  nodeNames, planFromCsv, planOf, planToCsv, startStowageWorker,
} from 'stowage';
import { callsOf, endingFunctions, thingsOf } from './calls.mjs';
import { workload } from './support.mjs';

/** Nothing here may take so long after it was ended. The machine does other work too; the figures are printed. */
const MOST_MS = 3000;
/** Milliseconds of processor time so far. */
const worked = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const APPS = 12_000;

const columns = { ...workload(APPS), apps: { ...workload(APPS).apps, names: Array.from({ length: APPS }, (_, app) => `app-${app}`) } };
const bytes = encodeInstance(columns);
const rows = 60_000;
const resources = ['cpu'];

/** Work of some size for every function. */
async function largeThings(library, inWorker) {
  const things = await thingsOf(library);
  const within = inWorker ? [] : [undefined];
  const instance = await library.instance(bytes, ...within);
  const session = await library.session(bytes, ...within);
  const plan = await instance.plan('ff');
  const pending = await session.plan('ff');
  const operations = encodeOperations(Array.from({ length: 10_000 }, (_, k) => ({ op: 'scale', app: `app-${k}`, replicas: 2 })), bytes);
  const profiles = {
    resources,
    apps: Array.from({ length: 1000 }, (_, app) => `app-${app}`),
    rowApp: Uint32Array.from({ length: 8000 }, (_, row) => Math.floor(row / 8)),
    rowAmounts: Float64Array.from({ length: 8000 }, (_, row) => 1 + (row % 8)),
    rowValue: Float64Array.from({ length: 8000 }, (_, row) => (1 + (row % 8)) / 10 + (row % 97) / 1000),
  };
  const usage = {
    apps: ['web'], resources, rules: [{ percentile: 0.9, window: 300 }],
    app: new Uint32Array(rows), time: Float64Array.from({ length: rows }, (_, row) => 60 * row), amount: Float64Array.from({ length: rows }, (_, row) => row % 89),
  };
  const derived = await instance.derive({});
  return { ...things, source: bytes, instance, derived, session, plan, pending, operations, profiles, usage, request: {}, derivation: { demand: 1.25, limits: 0.5 } };
}

test('every function with a control is ended here', async () => {
  const library = await loadStowage();
  const names = Object.keys(callsOf(library, await thingsOf(library), false));
  for (const name of endingFunctions()) assert.ok(names.includes(name), name);
});

/** What a call that was ended may come to. */
function assertEnded(name, error) {
  if (error === undefined) return;
  assert.ok(error instanceof StowageError, `${name}: ${error}`);
  assert.equal(error.code, 'CANCELLED', `${name}: ${error.message}`);
}

test('on this thread, a callback ends each function', async (context) => {
  const library = await loadStowage();
  const calls = callsOf(library, await largeThings(library, false), false);
  const figures = [];
  for (const name of endingFunctions()) {
    let [asked, answered, looks] = [0, 0, 0];
    let last;
    let longest = 0;
    const begin = worked();
    const isCancelled = () => {
      const now = worked();
      if (last !== undefined) longest = Math.max(longest, now - last);
      last = now;
      ++looks;
      if (now - begin < 20) return false;
      asked ||= now;
      return true;
    };
    let error;
    try {
      calls[name]({ isCancelled })?.dispose?.();
    } catch (reason) {
      error = reason;
    }
    answered = worked();
    assert.ok(looks > 0, `${name} never looked`);
    if (asked > 0) assertEnded(name, error);
    else assert.equal(error, undefined, `${name}: ${error}`);
    const late = asked > 0 ? answered - asked : 0;
    figures.push(`${name.slice(8)} ${looks} looks, ${longest.toFixed(0)} ms between two, ${late.toFixed(0)} ms after`);
    assert.ok(late < MOST_MS && longest < MOST_MS, figures.at(-1));
  }
  context.diagnostic(figures.join('\n'));
});

test('on this thread, a deadline ends each function', async (context) => {
  const library = await loadStowage();
  const calls = callsOf(library, await largeThings(library, false), false);
  const figures = [];
  for (const name of endingFunctions()) {
    const begin = worked();
    let error;
    try {
      calls[name]({ deadlineMs: 20 })?.dispose?.();
    } catch (reason) {
      error = reason;
    }
    const late = worked() - begin - 20;
    assertEnded(name, error);
    figures.push(`${name.slice(8)} ${late.toFixed(0)}`);
    assert.ok(late < MOST_MS, figures.at(-1));
    assert.throws(() => calls[name]({ deadlineMs: -1 }), { code: 'INVALID', path: 'deadlineMs' });
    assert.throws(() => calls[name]({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  }
  context.diagnostic(`milliseconds after the deadline: ${figures.join(', ')}`);
});

for (const shared of [true, false]) {
  test(`in a worker with${shared ? '' : 'out'} shared memory, a signal ends each function`, async (context) => {
    const worker = await startStowageWorker({ shared });
    const calls = callsOf(worker, await largeThings(worker, true), true);
    const figures = [];
    for (const name of endingFunctions()) {
      const control = new AbortController();
      const reason = new Error(`the end of ${name}`);
      const answer = calls[name]({ signal: control.signal }).then((value) => ({ value }), (error) => ({ error }));
      await sleep(20);
      const asked = performance.now();
      control.abort(reason);
      const { value, error } = await answer;
      // The worker is free for the next call.
      await worker.planners();
      const late = performance.now() - asked;
      value?.dispose?.();
      // A new worker does not remember the plans of the one that was ended.
      const isForgotten = !shared && error?.code === 'INVALID' && error.path === 'instance';
      if (error !== undefined && !isForgotten) assert.equal(error, reason, `${name}: ${error}`);
      figures.push(`${name.slice(8)} ${late.toFixed(0)}${error === undefined ? ' (done)' : ''}`);
      assert.ok(late < MOST_MS, figures.at(-1));
      await assert.rejects(calls[name]({ signal: AbortSignal.abort(reason) }), (rejected) => rejected === reason);
    }
    context.diagnostic(`milliseconds after the signal: ${figures.join(', ')}`);
    worker.dispose();
  });

  test(`in a worker with${shared ? '' : 'out'} shared memory, a change that a signal ends has not been made`, async () => {
    const worker = await startStowageWorker({ shared });
    const things = await largeThings(worker, true);
    const { session, operations } = things;
    for (let delay = 0; delay < 8; ++delay) {
      const before = session.version;
      const control = new AbortController();
      const change = session.apply(operations, { signal: control.signal });
      await sleep(delay);
      control.abort();
      const made = await change.then(() => true, (error) => error.name === 'AbortError' ? false : Promise.reject(error));
      // The library counts each operation.
      assert.equal(session.version, made ? before + 10_000n : before);
      const { version } = await session.commit(await session.plan('ff'), 'exact');
      assert.equal(version, session.version);
    }
    worker.dispose();
  });
}

test('conversions of this package can be ended', async (context) => {
  const library = await loadStowage();
  const instance = library.instance(bytes);
  const plan = instance.plan('ff');
  const compact = instance.plan({ planner: 'ff', compact: true });
  const description = describeInstance(columns);
  const [json, csv] = [describePlan(plan, columns), planToCsv(plan, columns)];
  const figures = [];
  for (const [name, convert] of Object.entries({
    columnsOf: (options) => columnsOf(description, options),
    encodeInstance: (options) => encodeInstance({ ...columns, apps: { ...columns.apps, demand: Array.from(columns.apps.demand) } }, options),
    decodeInstance: (options) => decodeInstance(bytes, options),
    describeInstance: (options) => describeInstance(columns, options),
    encodeOperations: (options) => encodeOperations(Array.from({ length: APPS }, (_, k) => ({ op: 'remove', app: `app-${k}` })), bytes, options),
    Plan: (options) => new Plan(plan.bytes, options),
    nodeNames: (options) => nodeNames(plan, columns, options),
    describePlan: (options) => describePlan(plan, columns, options),
    planOf: (options) => planOf(json, columns, 1n, options),
    planToCsv: (options) => planToCsv(plan, columns, undefined, options),
    planFromCsv: (options) => planFromCsv(csv, columns, 1n, options),
    expandPlan: (options) => (compact.copies === undefined ? library.planners() : expandPlan(compact, undefined, options)),
  })) {
    let [last, longest, looks] = [worked(), 0, 0];
    const look = () => {
      ++looks;
      [last, longest] = [worked(), Math.max(longest, worked() - last)];
      return false;
    };
    convert({ isCancelled: look });
    longest = Math.max(longest, worked() - last);
    figures.push(`${name} ${looks} looks, ${longest.toFixed(0)} ms between two`);
    assert.ok(longest < MOST_MS, figures.at(-1));
    if (looks === 0) continue;
    const reason = new Error(name);
    assert.throws(() => convert({ isCancelled: () => true }), { name: 'StowageError', code: 'CANCELLED' });
    assert.throws(() => convert({ isCancelled: () => { throw reason; } }), (error) => error === reason);
    assert.throws(() => convert({ signal: AbortSignal.abort(reason) }), (error) => error === reason);
    assert.throws(() => convert({ deadlineMs: -1 }), { code: 'INVALID', path: 'deadlineMs' });
  }
  context.diagnostic(figures.join('\n'));
});
