// The JSON of random instances, plans and operations, as tests/faces/write_faces.cpp has written it.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Plan, decodeInstance, encodeOperations, instanceBytes, instanceToJson, loadStowage, loadText, planOf, planToJson } from 'stowage';

const folder = process.env.STOWAGE_FACES_FOLDER;

test('JSON has the same bytes in every language', { skip: folder === undefined && 'scripts/test-wasm.sh writes the files' }, async () => {
  const stowage = await loadStowage();
  await loadText();
  const cases = readdirSync(folder).filter((name) => name.endsWith('-after.stow')).map((name) => name.slice(0, -'-after.stow'.length));
  assert.ok(cases.length > 0);
  const differing = [];
  for (const k of cases) {
    const read = (name) => readFileSync(join(folder, k + name));
    const same = (name, made) => {
      if (!read(name).equals(Buffer.from(made))) differing.push(k + name);
    };
    const bytes = read('.stow');
    const json = instanceToJson(bytes);
    same('.json', json);
    same('-back.stow', instanceBytes(json));
    const instance = stowage.instance(bytes);
    const columns = decodeInstance(bytes);
    same('.json', instanceToJson(columns));
    const plan = planToJson(new Plan(read('-plan.stow')), columns);
    same('-plan.json', plan);
    same('-plan-back.stow', planOf(plan, columns, instance.fingerprint).bytes);
    same('-operations.stow', encodeOperations(read('-operations.json').toString(), bytes));
    const session = stowage.session(bytes);
    session.apply(read('-operations.json').toString());
    same('-after.stow', session.snapshot());
    session.dispose();
    instance.dispose();
  }
  assert.deepEqual(differing, []);
});
