import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeInstance, loadStowage } from 'stowage';
import { workload } from './support.mjs';

const stowage = await loadStowage();
const bytes = encodeInstance(workload(1500));

/** Loads, plans, verifies, explains and bounds once, and provokes a failure of each. */
function everything(instance) {
  const plan = instance.plan('ff', { onProgress: () => undefined });
  instance.verify(plan);
  instance.explain(instance.plan({ planner: 'ff', nodeLimit: 20 }));
  instance.bound();
  stowage.planners();
  stowage.instance(bytes).dispose();
  assert.throws(() => stowage.instance(bytes.slice(0, -8)));
  assert.throws(() => instance.plan('none'));
  assert.throws(() => instance.verify(bytes));
}

test('50 plans, with all that goes with them, do not grow the heap', () => {
  const instance = stowage.instance(bytes);
  everything(instance);
  const before = stowage.memoryBytes;
  for (let k = 0; k < 50; ++k) everything(instance);
  // Leaking one plan per round would add more than a MiB. The allocator may take one or two pages for itself.
  const bound = 256 * 1024;
  assert.ok(stowage.memoryBytes - before <= bound, `${before} bytes became ${stowage.memoryBytes}`);
});

test('memory grows where an instance needs it, and the views of earlier plans stay', async () => {
  const own = await loadStowage();
  const first = own.instance(bytes).plan('ff');
  const words = [...first.placements.words.slice(0, 30)];
  const before = own.memoryBytes;
  const large = own.instance(workload(60000));
  assert.ok(own.memoryBytes > before);
  assert.equal(large.plan({ planner: 'ff', workLimit: 1000 }).status, 'deadline');
  assert.deepEqual([...first.placements.words.slice(0, 30)], words);
});

/** The module with another maximum size of its memory, which is stated in the section with id 5. */
function withMaximumPages(wasm, pages) {
  const changed = Uint8Array.from(wasm);
  const number = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7, ++at) {
      value |= (changed[at] & 0x7f) << shift;
      if (changed[at] < 0x80) return [value >>> 0, at + 1];
    }
  };
  const memorySection = 5;
  for (let at = 8; at < changed.length; ) {
    const id = changed[at];
    const [size, content] = number(at + 1);
    if (id === memorySection) {
      // One memory, with a maximum size.
      assert.deepEqual([...changed.subarray(content, content + 2)], [1, 1]);
      const [, maximumAt] = number(content + 2);
      const [maximum, end] = number(maximumAt);
      assert.deepEqual([maximum, end - maximumAt], [65536, 3]);
      changed.set([0x80 | (pages & 0x7f), 0x80 | (pages >> 7), 0], maximumAt);
      return changed;
    }
    at = content + size;
  }
  throw new Error('there is no memory section');
}

test('running out of memory is an error, and the library goes on', async () => {
  const file = fileURLToPath(new URL('../node_modules/stowage/dist/stowage.wasm', import.meta.url));
  const own = await loadStowage({ wasmBinary: withMaximumPages(readFileSync(file), 320) });
  const enough = own.instance(encodeInstance(workload(100)));
  const codes = [5000, 20000, 80000, 320000].map((apps) => {
    const large = encodeInstance(workload(apps));
    try {
      own.instance(large).dispose();
      return 'OK';
    } catch (error) {
      return error.code;
    } finally {
      assert.equal(enough.plan('ff').complete, true);
    }
  });
  assert.deepEqual(codes, ['OK', 'OK', 'OUT_OF_MEMORY', 'OUT_OF_MEMORY']);
  assert.ok(own.memoryBytes <= 320 * 65536);
});
