import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

const readme = readFileSync('README.md', 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]);

test('the programs of the README run and print what stands there', () => {
  const [programs, outputs] = [blocks('js'), blocks('text')];
  assert.ok(programs.length > 0);
  assert.equal(programs.length, outputs.length);
  programs.forEach((program, k) => {
    writeFileSync(`readme-${k}.mjs`, program);
    assert.equal(execFileSync(process.execPath, [`readme-${k}.mjs`], { encoding: 'utf8' }), outputs[k]);
  });
});
