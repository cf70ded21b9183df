import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { StowageError, loadStowage, startStowageWorker } from 'stowage';
import { small, sourceText, workload } from './support.mjs';

const packageFolder = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/stowage');
const wasmFile = join(packageFolder, 'dist/stowage.wasm');
const textFile = join(packageFolder, 'dist/stowage-text.wasm');
const wasmBinary = readFileSync(wasmFile);
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

test('loads from beside its own code, and knows its version', async () => {
  const stowage = await loadStowage();
  assert.equal(stowage.version, version);
  assert.ok(stowage.planners().length > 0);
});

test('loads from bytes, from a compiled module, and from where it is told', async () => {
  const asked = [];
  const locateFile = (file, place) => {
    asked.push([file, place.href]);
    return wasmFile;
  };
  const wasmModule = new WebAssembly.Module(wasmBinary);
  for (const options of [{ wasmBinary }, { wasmModule }, { locateFile }, { locateFile: () => pathToFileURL(wasmFile) }]) {
    assert.equal((await loadStowage(options)).version, version);
  }
  assert.deepEqual(asked, [['stowage.wasm', pathToFileURL(wasmFile).href]]);
});

test('says what is wrong where it cannot be loaded', async () => {
  const refusals = [
    { locateFile: () => '/no/such/stowage.wasm' },
    { wasmBinary: new Uint8Array([0, 97, 115, 109]) },
    { wasmModule: new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) },
  ];
  for (const options of refusals) {
    await assert.rejects(loadStowage(options), (error) => error instanceof StowageError && error.code === 'UNAVAILABLE');
  }
});

test('two loads share nothing', async () => {
  const [one, two] = [await loadStowage(), await loadStowage()];
  one.dispose();
  one.dispose();
  assert.throws(() => one.planners(), { code: 'DISPOSED' });
  assert.ok(two.planners().length > 0);
});

test('the module exports the functions of the inventory and of the header, and imports next to nothing', () => {
  const module = new WebAssembly.Module(wasmBinary);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => name.startsWith('stowage_'));
  const header = sourceText('capi/include/stowage.h');
  const declared = [...header.matchAll(/^STOWAGE_API\b[^;(]*?\b(\w+)\s*\(/gm)].map((match) => match[1]);
  assert.deepEqual(exported.sort(), sourceText('capi/abi/symbols.txt').trim().split('\n'));
  assert.deepEqual(exported, declared.sort());
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  assert.deepEqual(imported.sort(), ['clock_time_get', 'emscripten_notify_memory_growth', 'proc_exit']);
});

test('the module of texts exports the functions of its inventory, and imports a clock and random numbers', () => {
  const module = new WebAssembly.Module(readFileSync(textFile));
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => name.startsWith('stowage_'));
  const wanted = [...sourceText('capi/abi/text_symbols.txt').trim().split('\n'), 'stowage_buffer_free', 'stowage_status_text'];
  assert.deepEqual(exported.sort(), wanted.sort());
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  assert.deepEqual(imported.sort(), [
    'clock_time_get', 'emscripten_notify_memory_growth', 'environ_get', 'environ_sizes_get', 'getentropy', 'proc_exit',
  ]);
});

test('a worker goes on without the module of texts', async () => {
  const worker = await startStowageWorker({ locateFile: (file) => (file === 'stowage.wasm' ? wasmFile : `/no/such/${file}`) });
  await assert.rejects(worker.instance(small), { code: 'UNAVAILABLE', message: /^stowage-text\.wasm cannot be loaded/ });
  assert.equal((await (await worker.instance(workload(10))).plan('ff')).complete, true);
  worker.dispose();
});

test('the module uses SIMD and may grow to 4 GiB', async () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasmBinary), {
    env: { emscripten_notify_memory_growth: () => undefined },
    wasi_snapshot_preview1: { clock_time_get: () => 0, proc_exit: () => undefined },
  });
  assert.equal(exports.memory.grow(1), 256);
  assert.equal(exports.memory.grow(65536 - 257), 257);
  assert.throws(() => exports.memory.grow(1));
  // SIMD instructions have the opcode prefix 0xfd.
  assert.ok(wasmBinary.filter((byte) => byte === 0xfd).length > 100);
});

test('the module stays small', () => {
  assert.ok(gzipSync(wasmBinary, { level: 9 }).length < 767 * 1024);
  // Loaded on demand: JSON, words, pages and pictures.
  assert.ok(gzipSync(readFileSync(textFile), { level: 9 }).length < 345 * 1024);
  // The same, with all of the library: questions about Kubernetes clusters.
  assert.ok(gzipSync(readFileSync(join(packageFolder, 'dist/stowage-k8s.wasm')), { level: 9 }).length < 846 * 1024);
});

test('the tarball holds what it needs and nothing that only its makers need', () => {
  const files = readdirSync(packageFolder, { recursive: true }).map(String);
  for (const file of ['LICENSE', 'README.md', 'THIRD-PARTY.md', 'dist/types/index.d.ts']) assert.ok(files.includes(file), file);
  for (const file of files) assert.match(file, /^(dist(\/.*)?|LICENSE|README\.md|THIRD-PARTY\.md|package\.json)$/);
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.scripts?.postinstall ?? manifest.scripts?.install, undefined);
});
