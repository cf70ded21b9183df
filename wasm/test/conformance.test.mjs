import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { loadStowage } from 'stowage';
import { hashOf, hex, small, sourceFile, sourceText, table } from './support.mjs';

const stowage = await loadStowage();
const folder = 'tests/conformance';

/** WORD:RESOURCE:BESIDE:WEIGHT:TOLERANCE. */
function goalOf(cell) {
  const [what, resource, beside, weight, tolerance] = cell.split(':');
  const of = resource === '-' ? {} : { resource: Number(resource) };
  return { what, ...of, beside: beside === '1', weight: Number(weight), tolerance: Number(tolerance) };
}

/** The option `threads` is left out: plans do not depend on it, and a module has one thread. */
function outcomeOf(instance, request) {
  const [, planner, seed, workLimit, , nodeLimit, ignoreRunning, moveBudget, option, whole, compact, soft, price, fill, objective, keep, survive, leaveFree, goals] = request;
  const [name, value] = option.split('=');
  try {
    const plan = instance.plan({
      planner,
      seed: BigInt(seed),
      workLimit: BigInt(workLimit),
      nodeLimit: Number(nodeLimit),
      ignoreRunning: ignoreRunning === '1',
      moveBudget: Number(moveBudget),
      allOrNothing: whole === '1',
      compact: compact === '1',
      soft,
      softPrice: Number(price),
      fill: fill === '1',
      objective,
      ...(keep === '-' ? {} : { keep: keep.split(',').map((pair) => pair.split(':').map(Number)).map(([app, replicas]) => ({ app, replicas })) }),
      ...(survive === '-' ? {} : { survive }),
      ...(leaveFree === '-' ? {} : { leaveFree }),
      ...(goals === '-' ? {} : { goals: goals.split(',').map(goalOf) }),
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

const described = { small, racks: JSON.parse(sourceText('tests/data/racks_instance.json')) };
for (const [of, description] of Object.entries(described)) {
  test(`an instance that is described comes to the same fingerprint: ${of}`, () => {
    const [, , fingerprint] = expected.find(([name, request]) => name === of && request === 'fingerprint');
    assert.equal(hex(stowage.instance(description).fingerprint), fingerprint);
  });
}
