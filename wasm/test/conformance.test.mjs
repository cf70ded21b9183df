import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { loadStowage } from 'stowage';
import { small, sourceFile, sourceText } from './support.mjs';

const stowage = await loadStowage();
const folder = 'tests/conformance';

/** Cells of the lines of a file, less its comments and its first line, which names the columns. */
function table(name) {
  const lines = sourceText(`${folder}/${name}`).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.slice(1).map((line) => line.split('\t'));
}

const hex = (number) => number.toString(16).padStart(16, '0');

/** FNV-1a of 64 bits. */
function hashOf(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hex(hash);
}

/** Plans do not depend on `threads`, of which a module has one. */
function outcomeOf(instance, [, planner, seed, workLimit, , nodeLimit, ignoreRunning, moveBudget, option]) {
  const [name, value] = option.split('=');
  try {
    const plan = instance.plan({
      planner,
      seed: BigInt(seed),
      workLimit: BigInt(workLimit),
      nodeLimit: Number(nodeLimit),
      ignoreRunning: ignoreRunning === '1',
      moveBudget: Number(moveBudget),
      ...(option === '-' ? {} : { options: { [name]: Number(value) } }),
    });
    return hashOf(plan.bytes);
  } catch (error) {
    return `STOWAGE_${error.code} ${error.path}`;
  }
}

const expected = table('expected.tsv');
const requests = table('requests.tsv');
for (const file of readdirSync(sourceFile(`${folder}/instances`))) {
  const name = file.replace('.stow', '');
  test(`the outcomes of ${name} are those of the conformance set`, () => {
    const instance = stowage.instance(readFileSync(sourceFile(`${folder}/instances/${file}`)));
    const found = [['fingerprint', hex(instance.fingerprint)], ...requests.map((one) => [one[0], outcomeOf(instance, one)])];
    const wanted = expected.filter(([of]) => of === name).map(([, ...rest]) => rest);
    assert.deepEqual(found.sort(), wanted.sort());
  });
}

test('an instance that is described comes to the same fingerprint', () => {
  const [, , fingerprint] = expected.find(([name, request]) => name === 'small' && request === 'fingerprint');
  assert.equal(hex(stowage.instance(small).fingerprint), fingerprint);
});
