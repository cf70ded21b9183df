import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { columnsOf, encodeInstance, loadStowage } from 'stowage';
import { native, small, sourceFile, temporaryFolder, withoutCli } from './support.mjs';

const stowage = await loadStowage();
const skip = withoutCli;

test('the catalogue is the native one', { skip }, () => {
  const expected = JSON.parse(native('planners', '--summary', 'json')).planners.map(({ name }) => name);
  assert.deepEqual(stowage.planners().map(({ name }) => name), expected);
});

test('every planner makes the plan, byte for byte, that it makes natively', { skip }, async (context) => {
  const folder = temporaryFolder();
  const files = [];
  const add = (name, make) => {
    files.push(join(folder, `${name}.stow`));
    make(files.at(-1));
  };
  for (const graph of ['arbitrary', 'normal', 'threshold']) {
    add(graph, (file) => native('generate', '--lras', '150', '--density', '0.03', '--graph', graph, '--seed', '1', '-o', file));
  }
  add('profile', (file) =>
    native('generate', '--lras', '120', '--density', '0.05', '--graph', 'arbitrary', '--profile', '--seed', '2', '-o', file));
  add('uncertain', (file) =>
    native('generate', 'stochastic', '--services', '8', '--alpha', '99%', '--case', 'scale-down', '--seed', '2', '-o', file));
  add('example', (file) => native('convert', sourceFile('capi/cli/examples/shop.json'), file));
  add('everything', (file) => native('convert', sourceFile('tests/cli/data/everything.json'), file));
  add('small', (file) => writeFileSync(file, encodeInstance(columnsOf(small))));

  let compared = 0;
  for (const file of files) {
    await context.test(file.slice(folder.length + 1), () => {
      const instance = stowage.instance(readFileSync(file));
      const output = join(folder, 'plan.stow');
      const differing = [];
      for (const { name, defaultDeadlineMs, needsSolver } of stowage.planners()) {
        // The command may have a solver; the module has none.
        if (needsSolver) continue;
        // Planners that run until a limit get a work limit, which is the same on every platform.
        const workLimit = defaultDeadlineMs === undefined ? 0 : 20_000;
        const options = ['--planner', name, '--seed', '1', ...(workLimit === 0 ? [] : ['--work', String(workLimit)])];
        let plan;
        try {
          plan = instance.plan({ planner: name, seed: 1, workLimit });
        } catch (error) {
          assert.equal(error.code, 'UNSUPPORTED', `${name}: ${error.message}`);
          assert.throws(() => native('plan', file, ...options), { status: 1 });
          continue;
        }
        native('plan', file, ...options, '--output', output, '--summary', 'json');
        if (!readFileSync(output).equals(plan.bytes)) differing.push(name);
        ++compared;
      }
      assert.deepEqual(differing, []);
    });
  }
  // A planner may refuse some instances, but not all.
  assert.ok(compared >= 3 * stowage.planners().length, `only ${compared} plans were compared`);
});
