// The texts of the package are those of the command, byte for byte, and so are its mistakes.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  Plan, columnsOf, decodeInstance, describeInstance, describePlan, encodeInstance, encodeOperations, explanationToText, instanceBytes,
  instanceToJson, loadStowage, planOf, planToHtml, planToJson, planToSvg, planToText, startStowageWorker,
} from 'stowage';
import { cli, cluster, native, small, sourceFile, sourceText, temporaryFolder, web, withoutCli } from './support.mjs';

const stowage = await loadStowage();
const folder = temporaryFolder();
const at = (name) => join(folder, name);
const conformance = sourceFile('tests/conformance/instances');
const skip = withoutCli;

/** Texts and bytes of an instance and of some of its plans, from the package and from the command. */
function compare(file) {
  const bytes = readFileSync(file);
  native('convert', file, at('theirs.json'));
  const json = instanceToJson(bytes);
  assert.equal(json, readFileSync(at('theirs.json'), 'utf8'));
  const columns = decodeInstance(bytes);
  assert.deepEqual(describeInstance(columns), JSON.parse(json));
  writeFileSync(at('ours.json'), json);
  native('convert', at('ours.json'), at('theirs.stow'));
  assert.deepEqual(instanceBytes(json), new Uint8Array(readFileSync(at('theirs.stow'))));
  assert.deepEqual(instanceBytes(JSON.parse(json)), instanceBytes(json));

  const instance = stowage.instance(bytes);
  const texts = [];
  for (const request of ['ff', { planner: 'ff', compact: true, seed: 2n ** 63n }, { planner: 'auto', workLimit: 3000, nodeLimit: 2 }]) {
    let plan;
    try {
      plan = instance.plan(request);
    } catch (error) {
      assert.equal(error.code, 'UNSUPPORTED');
      continue;
    }
    writeFileSync(at('plan.stow'), plan.bytes);
    native('convert', at('plan.stow'), at('plan.json'), '--instance', file);
    const text = planToJson(plan, columns);
    assert.equal(text, readFileSync(at('plan.json'), 'utf8'));
    if (plan.seed < 2n ** 53n) {
      native('convert', at('plan.json'), at('read.stow'), '--instance', file);
      assert.deepEqual(planOf(JSON.parse(text), columns, 0n).bytes, new Uint8Array(readFileSync(at('read.stow'))));
      assert.deepEqual(describePlan(plan, columns), JSON.parse(text));
    }
    texts.push(explanationToText(instance.explain(plan), plan, bytes));
    assert.match(texts.at(-1), /\n$/);
  }
  instance.dispose();
  return texts;
}

for (const name of readdirSync(conformance)) {
  test(`JSON of ${name} and its plans is that of the command`, { skip }, () => void compare(join(conformance, name)));
}
for (const path of ['capi/cli/examples/shop.json', 'tests/cli/data/everything.json']) {
  test(`JSON of ${path} and its plans is that of the command`, { skip }, () => {
    native('convert', sourceFile(path), at('given.stow'));
    assert.deepEqual(instanceBytes(sourceText(path)), new Uint8Array(readFileSync(at('given.stow'))));
    assert.ok(compare(at('given.stow')).length > 1);
  });
}

test('an explanation has the words of the command', { skip }, () => {
  const source = sourceText('capi/cli/examples/shop.json');
  const instance = stowage.instance(source);
  const plan = instance.plan({ planner: 'ff', nodeLimit: 4 });
  writeFileSync(at('plan.stow'), plan.bytes);
  const { stdout } = spawnSync(cli, ['explain', sourceFile('capi/cli/examples/shop.json'), at('plan.stow')], { encoding: 'utf8' });
  const text = explanationToText(instance.explain(plan), plan, source);
  assert.ok(text.length > 100 && stdout.includes(text), `${text}\n--- the command:\n${stdout}`);
  assert.throws(() => explanationToText({ ...instance.explain(plan) }, plan, source), { code: 'INVALID', path: 'explanation' });
});

test('a plan has the words of the command', { skip }, () => {
  const source = sourceText('capi/cli/examples/shop.json');
  const instance = stowage.instance(source);
  for (const given of [['--work', '20000'], ['--nodes', '4', '--planner', 'ff']]) {
    const run = spawnSync(cli, ['plan', sourceFile('capi/cli/examples/shop.json'), '--show', '3', '-o', at('plan.stow'), ...given], { encoding: 'utf8' });
    const plan = new Plan(readFileSync(at('plan.stow')));
    const text = planToText(plan, source, 3);
    assert.ok(/^(Buy|Use) .*\.\n/.test(text) && run.stdout.includes(text), `${text}\n--- the command:\n${run.stdout}`);
    assert.ok(!planToText(plan, source, 0).includes('  apps\n'));
    for (const [name, text] of [['plan.html', planToHtml(plan, source)], ['plan.svg', planToSvg(plan, source)]]) {
      const made = spawnSync(cli, ['convert', at('plan.stow'), at(name), '--instance', sourceFile('capi/cli/examples/shop.json')], { encoding: 'utf8' });
      assert.equal(made.status, 0, made.stderr);
      // The command knows the file.
      assert.equal(text, readFileSync(at(name), 'utf8').replace('Planned from shop.json for ', 'Planned for '));
    }
  }
  assert.throws(() => planToText(instance.plan({ planner: 'ff' }), source, -1), { code: 'INVALID', path: 'shown' });
});

/** Numbers whose shortest forms are hard to find, and of every size. */
function numbers() {
  let state = 99;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const powers = Array.from({ length: 200 }, (_, k) => 2 ** (k - 60));
  const tens = Array.from({ length: 40 }, (_, k) => 10 ** (k - 20));
  const any = Array.from({ length: 1000 }, () => random() * 10 ** Math.floor(40 * random() - 20));
  return [0, 0.1, 0.3, 1 / 3, 123456, 100000, 1234567, 1e99, ...powers, ...tens, ...any];
}

test('numbers are read and written as by the command', { skip }, () => {
  const all = numbers();
  const columns = {
    resources: [{ name: 'x' }], classes: [{ name: 'c', capacity: [1] }], apps: { replicas: [0], demand: [0] },
    nodes: { nodeClass: all.map(() => 0) },
    traffic: undefined, interference: { coefficient: Float64Array.from({ length: 36 * 36 }, (_, k) => all[k % all.length]) },
    uncertainty: undefined,
  };
  columns.apps.kind = [0];
  writeFileSync(at('numbers.stow'), encodeInstance(columns));
  native('convert', at('numbers.stow'), at('numbers.json'));
  const json = instanceToJson(columns);
  assert.equal(json, readFileSync(at('numbers.json'), 'utf8'));
  assert.deepEqual([...columnsOf(json).interference.coefficient], [...columns.interference.coefficient]);
});

const wrong = [
  { ...small, stowage: 2 }, { ...small, extra: 1 }, { ...small, periods: 0 },
  { ...small, apps: [{ demand: { cpu: '2GB', memory: 1 } }] }, { ...small, apps: [{ demand: { cpu: '1e400', memory: 1 } }] },
  { ...small, apps: [{ demand: { cpu: '.', memory: 1 } }] }, { ...small, apps: [{ demand: { cpu: '1e-400', memory: 1 } }] },
  { ...small, apps: [{ name: 'a', demand: { cpu: 1, memory: 1 }, limits: { b: 1 } }] },
  { ...small, uncertainty: { confidence: 'often' } },
];
for (const description of wrong) {
  test(`a mistake is told as by the command: ${JSON.stringify(description).slice(-50)}`, { skip }, () => {
    writeFileSync(at('wrong.json'), JSON.stringify(description));
    const { stderr } = spawnSync(cli, ['convert', at('wrong.json'), at('none.stow')], { encoding: 'utf8' });
    assert.throws(() => instanceBytes(description), ({ code, path, message }) => {
      assert.equal(code, 'INVALID');
      assert.ok(stderr.includes(path) && stderr.includes(message), `${path}: ${message}\n--- the command:\n${stderr}`);
      return true;
    });
  });
}

test('text that is no JSON is refused with line and column', () => {
  assert.throws(() => columnsOf('{\n  "stowage": 1,\n  oops\n}'), { code: 'MALFORMED', path: '', message: /^line 3, column 3/ });
  assert.throws(() => stowage.instance(''), { code: 'MALFORMED' });
  for (const value of [undefined, () => 1, 1n, Object.defineProperty({}, 'a', { enumerable: true, get() { throw new Error('mine'); } })]) {
    assert.throws(() => columnsOf(value), { code: 'INVALID', path: '' });
  }
});

test('operations are one, several, a batch, or their JSON; columns of amounts are lists', async () => {
  const worker = await startStowageWorker();
  for (const library of [stowage, worker]) {
    const session = await library.session(cluster);
    await session.apply(web);
    await session.apply(JSON.stringify([{ op: 'scale', app: 'web', replicas: 4 }]));
    await session.apply({ op: 'batch', operations: [{ op: 'add-node', node: 'n', load: { cpu: Float64Array.of(1) } }, { op: 'drain', node: 'n' }] });
    await session.apply(encodeOperations({ op: 'remove', app: 'web' }, cluster));
    assert.equal(session.version, 5n);
    session.dispose();
  }
  worker.dispose();
});

test('an instance without apps has columns, too', () => {
  const columns = columnsOf(cluster);
  assert.deepEqual([columns.apps.demand.length, columns.classes[0].capacity[0]], [0, 8]);
  assert.deepEqual(decodeInstance(instanceBytes(cluster)), columns);
  assert.equal(JSON.parse(instanceToJson(columns)).apps.length, 0);
});

test('limits hold for texts', () => {
  const periods = 100_000;
  const text = JSON.stringify({ ...small, periods, apps: [{ demand: { cpu: Array(periods).fill(1).with(0, 2), memory: 1 } }] });
  assert.throws(() => stowage.instance(text, { maxBytes: 1000 }), { code: 'LIMIT_EXCEEDED' });
  assert.throws(() => stowage.instance(text, { maxMemory: 1000 }), { code: 'LIMIT_EXCEEDED' });
});

test('JSON needs its part on this thread', () => {
  const program = `
    import { columnsOf, loadStowage, loadText, startStowageWorker } from 'stowage';
    const small = ${JSON.stringify(small)};
    const [stowage, worker] = [await loadStowage(), await startStowageWorker()];
    const tell = (call) => { try { call(); console.log('read'); } catch (error) { console.log(error.code); } };
    tell(() => stowage.instance(small));
    console.log((await (await worker.instance(small)).plan('ff')).nodes);
    await Promise.all([loadText(), loadText()]);
    tell(() => columnsOf(small));
    worker.dispose();`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(printed, 'UNAVAILABLE\n2\nread\n');
});
