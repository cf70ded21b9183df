// Questions about Kubernetes clusters: the answers are those of the command, byte for byte.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { columnsOf, encodeInstance, loadKubernetes, loadStowage } from 'stowage';
import { cli, sourceFile, withoutCli } from './support.mjs';

const testdata = sourceFile('bindings/go/stowage-k8s/testdata');
const reports = join(process.env.STOWAGE_SHARED ?? sourceFile('../shared'), 'data/kubernetes/reports');
const kubernetes = await loadKubernetes();

function command(args, input) {
  const { status, stdout, stderr } = spawnSync(cli, ['k8s', ...args], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === 1 ? { failed: stderr } : { code: status, text: stdout };
}

/** The answer, or how the call fails in the words of the command. */
async function answerOf(args, objects) {
  try {
    const { code, text } = await kubernetes.answer(args, objects);
    return { code, text };
  } catch (error) {
    const place = error.path === '' ? '' : `${error.path}: `;
    return { failed: [`stowage: the input: ${place}${error.message}\n`, `stowage: ${place}${error.message}\n`] };
  }
}

async function compare(args, objects) {
  const [own, theirs] = [await answerOf(args, objects), command(args, objects)];
  if (own.failed === undefined) assert.deepEqual(own, theirs);
  else assert.ok(own.failed.includes(theirs.failed), `${own.failed[0]}${theirs.failed ?? theirs.text}`);
}

const WORK = ['-work', '100000'];

describe('answers are those of the command', { skip: withoutCli }, () => {
  const clusters = readdirSync(testdata).filter((name) => name.endsWith('.json'));
  assert.ok(clusters.length >= 9);
  for (const name of clusters) {
    const objects = readFileSync(join(testdata, name), 'utf8');
    test(`of ${name}`, async () => {
      for (const args of [[], ['-json', '-placements'], ['instance'], ['instance', '-json'], ['nodes', '-price', 'default']]) {
        await compare([...args, ...WORK], objects);
      }
    });
  }

  const known = existsSync(reports) ? JSON.parse(readFileSync(join(reports, 'expected.json'), 'utf8')) : {};
  const skip = existsSync(reports) ? false : `SKIPPED: there is no ${reports}; STOWAGE_SHARED names where such data is`;
  test('of the public reports', { skip }, async () => {
    const names = readdirSync(reports).filter((name) => name.endsWith('.json') && name !== 'expected.json');
    assert.ok(names.length >= 30 && Object.keys(known).length >= 30);
    for (const name of names) {
      const objects = readFileSync(join(reports, name), 'utf8');
      await compare(['-json', '-placements', ...WORK], objects);
    }
  });

  test('of options and operands that are wrong', async () => {
    const objects = readFileSync(join(testdata, 'daemons.json'), 'utf8');
    for (const args of [['--nothing'], ['fit', '-moves', '-1'], ['explain', 'no/such'], ['drain', 'n7'], ['whatif', '-add', 'm=1']]) {
      await compare([...args, ...WORK], objects);
    }
  });
});

test('what is wrong with objects is told with its line', async () => {
  const node = { kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: 'four' } } };
  await assert.rejects(kubernetes.read(JSON.stringify({ kind: 'List', items: [node] }, null, 1)), {
    code: 'INVALID', path: 'items[0].status.allocatable.cpu', message: /\(line 11\)$/,
  });
  await assert.rejects(kubernetes.read('{"kind": "List",\n "items": ['), { code: 'MALFORMED', message: /^line 2, column 12: unexpected end/ });
  await assert.rejects(kubernetes.read('{"kind": "List", "items": []}'), { code: 'INVALID', message: /no nodes/ });
  await assert.rejects(kubernetes.read('['.repeat(100000)), { code: 'MALFORMED' });
  await assert.rejects(kubernetes.answer(['fit'], '\ud800'), { code: 'INVALID' });
  await assert.rejects(kubernetes.answer(['more.json'], '{}'), { code: 'INVALID', message: /"more.json" is not read/ });
});

test('prices come from files of the caller', async () => {
  const objects = readFileSync(join(testdata, 'cluster.json'), 'utf8');
  const nodes = JSON.parse(objects).items.filter(({ kind }) => kind === 'Node');
  const types = new Set(nodes.map(({ metadata }) => metadata.labels['node.kubernetes.io/instance-type']));
  const files = { 'p.csv': [...types].map((type) => `${type},3\n`).join('') };
  const { text } = await kubernetes.answer(['-json', '-price', 'p.csv', ...WORK], objects, { files });
  assert.equal(JSON.parse(text).costNow, 3 * nodes.length);
});

test('a cluster is an instance for planners, in which what may not be evicted is pinned', async () => {
  const { instance, leftOut, missing, notes, held } = await kubernetes.read(readFileSync(join(testdata, 'gpus.json')));
  for (const list of [leftOut, missing, notes, held]) assert.ok(list.every((one) => typeof one === 'string'));
  assert.ok(held.some((one) => one.includes('train')));
  const pinned = instance.nodes.flatMap((node) => Object.keys(node.pinned ?? {}));
  assert.ok(pinned.some((one) => one.includes('train')));
  const stowage = await loadStowage();
  const plan = stowage.instance(encodeInstance(columnsOf(instance))).plan({ planner: 'auto', moveBudget: 100, workLimit: 100000 });
  assert.equal(plan.complete, true);
});

test('a call ends where its caller asks for it, and the next one works', async () => {
  const objects = readFileSync(join(testdata, 'operator.json'), 'utf8');
  let asked = 0;
  const isCancelled = () => ++asked > 2;
  await assert.rejects(kubernetes.answer(['-deadline', '1h', '-work', '1000000000000'], objects, { isCancelled }), { code: 'CANCELLED' });
  await assert.rejects(kubernetes.answer([], objects, { signal: AbortSignal.abort(new Error('enough')) }), { message: 'enough' });
  assert.equal((await kubernetes.answer(['instance', ...WORK], objects)).code, 0);
});
