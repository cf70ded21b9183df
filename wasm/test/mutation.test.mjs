// Bytes that were changed at random, given to every reader: each reads them or fails with a StowageError, soon and with little memory.
//
// STOWAGE_MUTATIONS   number of changed buffers; default 4000. The nightly checks ask for 250000.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { callsOf, thingsOf } from './calls.mjs';
import { sourceFile, temporaryFolder } from './support.mjs';

const COUNT = Number(process.env.STOWAGE_MUTATIONS ?? 4000);
/** Processor time that the slowest may take, with the compiler and the garbage collector of the engine. The figure is printed. */
const MOST_MS = 1000;
const MOST_BYTES = 50 * 2 ** 20;

/** The package's own modules, which the readers of reports are in. */
async function internals() {
  const { build } = createRequire(sourceFile('wasm/package.json'))('esbuild');
  const outfile = join(temporaryFolder(), 'internals.mjs');
  await build({
    stdin: {
      contents: `export * from './index.ts'; export * as reports from './reports.ts'; export * as learning from './learning.ts';
        export { Module } from './module.ts'; export { UNTIL_DONE } from './watch.ts';`,
      resolveDir: sourceFile('wasm/src'),
    },
    bundle: true, format: 'esm', platform: 'node', outfile, alias: { '#platform': sourceFile('wasm/src/platform-node.ts') },
  });
  return import(pathToFileURL(outfile));
}

const binary = (file) => readFileSync(new URL(`../node_modules/stowage/dist/${file}`, import.meta.url));
const wasmBinary = binary('stowage.wasm');
const { StowageError, Plan, Module, UNTIL_DONE, columnsOf, decodeInstance, describeInstance, describePlan, encodeInstance, encodeOperations, loadStowage, loadText, reports, learning } =
  await internals();
await loadText({ wasmBinary: binary('stowage-text.wasm') });

/** The same numbers in every run. */
let state = 1;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const INTERESTING = [0, 1, 2, 3, 4, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff];
/** A copy with a few changes: bytes, words, parts that move, and another length. */
function mutated(bytes) {
  let changed = bytes.slice();
  for (let k = 1 + random(4); k > 0; --k) {
    const view = new DataView(changed.buffer);
    const at = random(Math.max(1, changed.length - 8));
    switch (random(7)) {
      case 0:
        changed[at] ^= 1 << random(8);
        break;
      case 1:
        changed[at] = random(256);
        break;
      case 2:
        view.setUint32(at & ~3, INTERESTING[random(INTERESTING.length)], true);
        break;
      case 3:
        view.setUint32(at & ~3, random(2 * changed.length), true);
        break;
      case 4:
        changed.copyWithin(at, random(changed.length), random(changed.length));
        break;
      case 5:
        changed = changed.slice(0, 8 + random(changed.length - 8));
        break;
      default:
        view.setUint16(at & ~1, INTERESTING[random(INTERESTING.length)], true);
    }
    if (changed.length < 24) break;
  }
  return changed;
}

/** Fails for text that has no form in UTF-8. All strings of what was read are looked at. */
function assertText(read) {
  const text = (string) => assert.doesNotMatch(string, /\p{Surrogate}/u);
  const visit = (value) => {
    if (typeof value === 'string') text(value);
    else if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return;
    else if (Array.isArray(value)) value.forEach(visit);
    else for (const [key, one] of Object.entries(value)) (text(key), visit(one));
  };
  visit(read);
}

/** An instance with a little of everything, also of what is seldom. */
const everything = () => JSON.parse(readFileSync(sourceFile('tests/cli/data/everything.json'), 'utf8'));

async function readers() {
  const stowage = await loadStowage({ wasmBinary });
  const raw = await Module.create(new WebAssembly.Module(wasmBinary));
  const things = await thingsOf(stowage);
  const columns = columnsOf(everything());
  const bytes = encodeInstance(columns);
  const instance = stowage.instance(bytes);
  const plan = instance.plan({ planner: 'auto', workLimit: 2000 });
  const partial = instance.plan({ planner: 'auto', workLimit: 2000, nodeLimit: 1 });
  const session = stowage.session(bytes);
  const handle = raw.load(bytes);
  const other = raw.openSession(bytes);
  const question = learning.encodeQuestion(things.question, UNTIL_DONE);
  const usage = learning.encodeUsage(things.usage, UNTIL_DONE);
  const disposed = (make) => (mutation) => make(mutation).dispose();
  const onSession = (use) => (mutation) => {
    const fresh = stowage.session(bytes);
    try {
      fresh.plan('ff');
      assertText(use(fresh, mutation));
    } finally {
      fresh.dispose();
    }
  };
  const columnsRead = (mutation) => {
    const read = decodeInstance(mutation);
    assertText(read);
    assertText(describeInstance(read));
  };
  const planRead = (mutation) => {
    const read = new Plan(mutation);
    assertText({ ...read });
    assertText(describePlan(read, columns));
  };
  return {
    'the columns of an instance': [bytes, columnsRead],
    'the columns of a snapshot': [session.snapshot(), columnsRead],
    'an instance': [bytes, disposed((mutation) => stowage.instance(mutation))],
    'a session': [session.snapshot(), disposed((mutation) => stowage.session(mutation))],
    'a plan': [plan.bytes, planRead],
    'a plan with what is left over': [partial.bytes, planRead],
    'a plan that is verified': [plan.bytes, (mutation) => assertText(instance.verify(mutation))],
    'a plan that is explained': [partial.bytes, (mutation) => assertText(instance.explain(mutation, { deadlineMs: 50 }))],
    'a plan that is asked for headroom': [plan.bytes, (mutation) => assertText(instance.headroom(mutation, 0, 0, { deadlineMs: 50 }))],
    'a plan whose nodes are lost': [plan.bytes, (mutation) => assertText(instance.losses(mutation, { deadlineMs: 50 }))],
    'a plan whose moves are ordered': [plan.bytes, (mutation) => assertText(instance.orderMoves(mutation, { deadlineMs: 50 }))],
    'a plan that is committed': [session.plan('ff').bytes, onSession((fresh, mutation) => fresh.commit(mutation, 'fitting'))],
    'a plan that is rejected': [session.plan('ff').bytes, onSession((fresh, mutation) => fresh.reject(mutation))],
    'operations': [encodeOperations([{ op: 'scale', app: columns.apps.names[0], replicas: 1 }], bytes), onSession((fresh, mutation) => fresh.apply(mutation))],
    'a model': [things.modelBytes, disposed((mutation) => stowage.loadModel(mutation))],
    'a verification': [raw.verify(handle, plan.bytes), (mutation) => assertText(reports.decodeVerification(mutation))],
    'an explanation': [raw.explain(handle, partial.bytes, 4294967295), (mutation) => assertText(reports.decodeExplanation(mutation))],
    'headroom': [raw.headroom(handle, plan.bytes, 0, 0), (mutation) => assertText(reports.decodeHeadroom(mutation))],
    'headroom of apps': [raw.headroomOfApps(handle, plan.bytes, 0), (mutation) => assertText(reports.decodeHeadroomOfApps(mutation))],
    'losses': [raw.losses(handle, plan.bytes, Uint32Array.of(0), ''), (mutation) => assertText(reports.decodeLosses(mutation))],
    'moves in order': [raw.orderMoves(handle, plan.bytes, 0, 1), (mutation) => assertText(reports.decodeMoveOrder(mutation))],
    'bounds': [raw.bound(handle), (mutation) => assertText(reports.decodeBounds(mutation))],
    'a commit': [raw.sessionCommit(other, session.plan("ff").bytes, 0), (mutation) => assertText(reports.decodeCommit(mutation))],
    'the catalogue': [raw.planners(), (mutation) => assertText(reports.decodeCatalogue(mutation))],
    'recommendations': [raw.recommend(raw.loadModel(things.modelBytes), question), (mutation) => assertText(learning.decodeRecommendations(mutation))],
    'sizes': [raw.size(usage), (mutation) => assertText(learning.decodeSizes(mutation))],
    memory: () => stowage.memoryBytes,
  };
}

test(`${COUNT} changed buffers`, async (context) => {
  const { memory, ...all } = await readers();
  const entries = Object.entries(all);
  const slowest = { ms: 0 };
  const largest = { bytes: 0 };
  const codes = new Map();
  for (const [name, [bytes, read]] of entries) {
    assert.doesNotThrow(() => read(bytes), name);
  }
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external + memory();
  };
  const measured = (name, read, mutation, seed) => {
    const [before, rss, begin] = [used(), process.memoryUsage.rss(), process.cpuUsage()];
    let code = 'OK';
    try {
      read(mutation);
    } catch (error) {
      assert.ok(error instanceof StowageError, `${name}, after ${seed}: ${error.stack}`);
      assert.notEqual(error.code, 'INTERNAL', `${name}, after ${seed}: ${error.message}`);
      assert.doesNotMatch(error.message + error.path, /\p{Surrogate}/u);
      code = error.code;
    }
    const { user, system } = process.cpuUsage(begin);
    return { code, ms: (user + system) / 1000, bytes: used() - before, resident: process.memoryUsage.rss() - rss };
  };
  for (let k = 0; k < COUNT; ++k) {
    const [name, [bytes, read]] = entries[k % entries.length];
    const mutation = mutated(bytes);
    const seed = state;
    let { code, ms, bytes: more, resident } = measured(name, read, mutation, seed);
    // The engine counts its buffers anew from time to time, while no memory is taken. What a reader takes, it takes again.
    if (more >= MOST_BYTES && resident < MOST_BYTES) more = measured(name, read, mutation, seed).bytes;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (ms > slowest.ms) Object.assign(slowest, { ms, name, seed });
    if (more > largest.bytes) Object.assign(largest, { bytes: more, name, seed });
    assert.ok(ms < MOST_MS, `${name}, after ${seed}: ${ms} ms`);
    assert.ok(more < MOST_BYTES, `${name}, after ${seed}: ${more} bytes`);
  }
  context.diagnostic(`${JSON.stringify(Object.fromEntries(codes))}; slowest ${JSON.stringify(slowest)}; largest ${JSON.stringify(largest)}`);
});

/** An instance whose list of rules says that it has two thousand million entries. */
function endless() {
  const bytes = encodeInstance(columnsOf(everything()));
  const view = new DataView(bytes.buffer);
  const root = view.getUint32(0, true);
  const table = root - view.getInt32(root, true);
  const field = root + view.getUint16(table + 4 + 2 * RULES, true);
  view.setUint32(field + view.getUint32(field, true), 2_000_000_000, true);
  return bytes;
}
/** The place of `rules` among the fields of an instance (instance.fbs). */
const RULES = readFileSync(sourceFile('capi/schema/instance.fbs'), 'utf8')
  .match(/table Instance \{(.*?)\n\}/s)[1]
  .replace(/\/\/.*/g, '')
  .split(';')
  .findIndex((field) => field.trim().startsWith('rules:'));

test('a list that claims to be endless is refused at once', () => {
  assert.throws(() => decodeInstance(endless()), { name: 'StowageError', code: 'MALFORMED' });
});

test('bytes are not read before the library is there to check them', async () => {
  const fresh = await internals();
  assert.throws(() => new fresh.Plan(new Uint8Array(64)), { code: 'UNAVAILABLE' });
  await fresh.loadStowage({ wasmBinary });
  assert.throws(() => new fresh.Plan(new Uint8Array(64)), { code: 'MALFORMED' });
});

test('text with half of a surrogate pair is refused with its path', async () => {
  const stowage = await loadStowage({ wasmBinary });
  const half = 'half\ud800';
  const description = everything();
  const columns = columnsOf(description);
  const things = await thingsOf(stowage);
  const refused = (path, call) => assert.throws(call, { name: 'StowageError', code: 'INVALID', path });
  refused('', () => columnsOf(`{"name": "${half}"}`));
  // JSON has an escape for it, which is no text either.
  assert.throws(() => columnsOf({ ...description, name: half }), { code: 'MALFORMED', message: /surrogate/ });
  refused('apps.names[0]', () => encodeInstance({ ...columns, apps: { ...columns.apps, names: [half] } }));
  refused('planner', () => things.instance.plan(half));
  refused('options.alpha', () => things.instance.plan({ planner: 'ff', options: { alpha: half } }));
  refused('survive', () => things.instance.plan({ survive: half }));
  refused('label', () => things.instance.losses(things.plan, { label: half }));
  refused('', () => things.session.apply(half));
  refused('apps[0]', () => stowage.learn({ ...things.profiles, apps: [half, 'b', 'c', 'd'] }));
  refused('resources[0]', () => stowage.size({ ...things.usage, resources: [half] }));
  refused('name', () => things.instance.derive({ name: half }));
});
