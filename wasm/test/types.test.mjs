import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { sourceFile } from './support.mjs';

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
    const tsc = sourceFile('wasm/node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', project], { encoding: 'utf8' });
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });
}
