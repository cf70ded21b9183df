// Shared by the tests: paths, small instances, and the native command.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { loadStowage, loadText, startStowageWorker } from 'stowage';

// Tests describe instances as objects.
await loadText();

/** The source tree from which the package was built. */
export const source = process.env.STOWAGE_SOURCE;
export const sourceFile = (path) => join(source, path);
export const sourceText = (path) => readFileSync(sourceFile(path), 'utf8');

export const cli = process.env.STOWAGE_CLI ?? sourceFile('build/release/capi/cli/stowage');
/** Value of the option `skip` for tests that compare with the native command. */
export const withoutCli = existsSync(cli) ? false : `there is no native command ${cli}; STOWAGE_CLI names one`;

/** Runs the native command. Its exit code 2, unplaced replicas, is no failure. */
export function native(...args) {
  try {
    return execFileSync(cli, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error.status === 2) return error.stdout;
    throw error;
  }
}

/** A folder that is deleted after the tests. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The cells of each line of a conformance file, without comments and without the first line, which names the columns. */
export function table(name) {
  const lines = sourceText(`tests/conformance/${name}`).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.slice(1).map((line) => line.split('\t'));
}

export const hex = (number) => number.toString(16).padStart(16, '0');

/** FNV-1a of 64 bits. */
export function hashOf(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hex(hash);
}

/** Three replicas of web and one of db; at most two web per node, and at most one web beside db. */
export const small = {
  stowage: 1,
  name: 'small',
  resources: { cpu: 'cores', memory: 'GiB' },
  classes: [{ name: 'standard', capacity: { cpu: 8, memory: 16 } }],
  apps: [
    { name: 'web', replicas: 3, demand: { cpu: 2, memory: '4Gi' }, max_per_node: 2 },
    { name: 'db', replicas: 1, demand: { cpu: 4, memory: 8 }, limits: { web: 1 } },
  ],
};

/** A class of nodes without any apps. */
export const cluster = { stowage: 1, resources: { cpu: 'cores' }, classes: [{ name: 'standard', capacity: { cpu: 8 } }], apps: [] };
export const web = { op: 'submit', app: 'web', replicas: 3, demand: { cpu: 4 }, limits: { web: 1 } };

/** A session with one node and three pending replicas, of the library or of the worker. */
export async function started(library, options) {
  const session = await library.session(cluster, options);
  await session.apply([{ op: 'add-node', node: 'a', tags: 'ssd' }, web]);
  return session;
}

/** The two kinds of sessions by name: a library whose sessions have the same methods, and how it takes limits. */
export async function places() {
  const workers = await Promise.all([true, false].map((shared) => startStowageWorker({ shared })));
  after(() => workers.forEach((worker) => worker.dispose()));
  return [
    ['on this thread', await loadStowage(), (limits) => limits],
    ['in a worker', workers[0], (limits) => ({ limits })],
    ['in a worker without shared memory', workers[1], (limits) => ({ limits })],
  ];
}

/** Many apps of different sizes with limits between them, the same in every run. */
export function workload(apps) {
  let state = 12345;
  const random = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const columns = {
    name: 'workload',
    resources: [{ name: 'cpu', unit: 'cores' }, { name: 'memory', unit: 'GiB' }],
    apps: { replicas: new Uint32Array(apps), demand: new Float64Array(2 * apps) },
    classes: [{ name: 'node', capacity: [64, 128] }],
    limits: { rowBegin: new Uint32Array(apps + 1), app: new Uint32Array(8 * apps), atMost: new Uint32Array(8 * apps) },
  };
  for (let app = 0; app < apps; ++app) {
    columns.apps.replicas[app] = 1 + random(12);
    columns.apps.demand[2 * app] = 1 + random(16);
    columns.apps.demand[2 * app + 1] = 1 + random(48);
    const others = new Set();
    while (others.size < 8) others.add((app + 1 + random(apps - 1)) % apps);
    [...others].forEach((other, k) => {
      columns.limits.app[8 * app + k] = other;
      columns.limits.atMost[8 * app + k] = random(3);
    });
    columns.limits.rowBegin[app + 1] = 8 * (app + 1);
  }
  return columns;
}

/** Collects garbage twice, with finalizers running in between. */
export async function collectGarbage() {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let k = 0; k < 2; ++k) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
