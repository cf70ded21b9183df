import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadStowage } from 'stowage';
import { sourceFile } from './support.mjs';

const compiler = sourceFile('wasm/node_modules/typescript/bin/tsc');
const settings = [
  ['with a bundler', { module: 'ESNext', moduleResolution: 'bundler' }],
  ['in Node.js', { module: 'NodeNext', moduleResolution: 'NodeNext' }],
];
for (const [name, resolution] of settings) {
  test(`the types serve a strict program ${name}`, () => {
    const compilerOptions = {
      ...resolution, target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], strict: true, exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    const project = `tsconfig.${resolution.module}.json`;
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['test/consumer.ts'] }));
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', project], { encoding: 'utf8' });
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });
}

test('the names of planners are those of the catalogue', async () => {
  const names = (await loadStowage()).planners().map(({ name }) => `  ${JSON.stringify(name)}: true,\n`);
  const program = `import type { PlannerName } from 'stowage';\nexport const names: Record<PlannerName, true> = {\n${names.join('')}};\n`;
  writeFileSync('test/names.ts', program);
  const compilerOptions = { ...settings[0][1], target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], strict: true, noEmit: true };
  writeFileSync('tsconfig.names.json', JSON.stringify({ compilerOptions, files: ['test/names.ts'] }));
  // A name that is missing on one side is in the message.
  assert.equal(spawnSync(process.execPath, [compiler, '--project', 'tsconfig.names.json'], { encoding: 'utf8' }).stdout, '');
});
