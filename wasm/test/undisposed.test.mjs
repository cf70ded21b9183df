// Objects that nobody disposes of do not fill the memory, neither in one loop nor over time.
//
// STOWAGE_UNDISPOSED   number of objects, each of which takes 3.5 MiB; default 200. The nightly checks ask for 1000.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const MOST_MIB = 500;
const COUNT = Number(process.env.STOWAGE_UNDISPOSED ?? 200);

/** Runs a program in a process of its own, which prints how much memory it took. `body` has `bytes`, an instance of 1 MB. */
function memoryOf(body) {
  const program = `
    import { encodeInstance, loadStowage, startStowageWorker } from 'stowage';
    const apps = 60_000;
    const bytes = encodeInstance({
      resources: [{ name: 'cpu' }, { name: 'memory' }],
      apps: { replicas: new Uint32Array(apps).fill(1), demand: Float64Array.from({ length: 2 * apps }, (_, k) => 1 + (k % 7)) },
      classes: [{ name: 'node', capacity: [64, 64] }],
    });
    if (bytes.length < 1e6) throw new Error('an instance of ' + bytes.length + ' bytes');
    let most = 0;
    const look = () => (most = Math.max(most, process.memoryUsage.rss()));
    ${body}
    console.log(Math.round(most / 2 ** 20));
    process.exit();`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 600_000 }));
}

for (const [name, body] of Object.entries({
  [`${COUNT} instances in one loop`]: `
    const stowage = await loadStowage();
    for (let k = 0; k < ${COUNT}; ++k) (stowage.instance(bytes), look());`,
  [`${COUNT} instances over time`]: `
    const stowage = await loadStowage();
    for (let k = 0; k < ${COUNT}; ++k) (stowage.instance(bytes), look(), await new Promise(setImmediate));`,
  [`${COUNT} sessions over time`]: `
    const stowage = await loadStowage();
    for (let k = 0; k < ${COUNT}; ++k) (stowage.session(bytes), look(), await new Promise(setImmediate));`,
  [`${COUNT} instances in a worker`]: `
    const worker = await startStowageWorker();
    for (let k = 0; k < ${COUNT}; ++k) (await worker.instance(bytes), look());`,
  [`${COUNT} instances in a worker without shared memory`]: `
    const worker = await startStowageWorker({ shared: false });
    for (let k = 0; k < ${COUNT}; ++k) (await worker.instance(bytes), look());`,
})) {
  // A session takes .7 s to open.
  const skip = name.includes('sessions') && COUNT < 1000 && 'only the nightly checks take the time';
  test(`${name} take less than ${MOST_MIB} MiB`, { skip }, (context) => {
    const most = memoryOf(body);
    context.diagnostic(`${most} MiB`);
    assert.ok(most < MOST_MIB, `${most} MiB`);
  });
}

test('an instance that gave up its place in the module is the same when it is used again', () => {
  const printed = memoryOf(`
    const stowage = await loadStowage();
    const limits = { maxApps: 80_000 };
    const first = stowage.instance(bytes, limits);
    const expected = first.plan('ff').bytes;
    const kept = Array.from({ length: 60 }, () => stowage.instance(bytes));
    if (Buffer.compare(first.plan('ff').bytes, expected) !== 0) throw new Error('another plan');
    if (kept.some(({ fingerprint }) => fingerprint !== first.fingerprint)) throw new Error('another instance');
    first.dispose();
    try { first.plan('ff'); } catch ({ code }) { if (code !== 'DISPOSED') throw new Error(code); }
    for (const one of kept) one.dispose();
    look();`);
  assert.ok(printed > 0);
});
