// Random instances and requests, with the native plans beside them, that scripts/soak.sh has written to the folder STOWAGE_SOAK.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadStowage } from 'stowage';

const folder = process.env.STOWAGE_SOAK;

test('random requests get the native plans, byte for byte', { skip: folder === undefined && 'only scripts/soak.sh asks for it' },
  async () => {
    const stowage = await loadStowage();
    const differing = [];
    let plans = 0;
    const names = readdirSync(folder);
    for (const name of names.filter((file) => file.endsWith('.stow'))) {
      const stem = name.slice(0, -'.stow'.length);
      const instance = stowage.instance(readFileSync(join(folder, name)));
      for (const request of names.filter((file) => file.startsWith(`${stem}-`) && file.endsWith('.json'))) {
        const plan = instance.plan(JSON.parse(readFileSync(join(folder, request), 'utf8')));
        ++plans;
        const native = readFileSync(join(folder, request.replace(/json$/, 'stowplan')));
        if (!native.equals(plan.bytes)) differing.push(request);
      }
      instance.dispose();
    }
    console.log(`soak: ${plans} plans of the module compared with native ones, ${differing.length} differ`);
    assert.deepEqual(differing, []);
    assert.ok(plans > 0);
  });
