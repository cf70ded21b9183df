// Tests that files which are damaged, or made to do harm, are answered and never stop the page.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { columnsOf, encodeInstance, loadText } from 'stowage';
import { idle, pageTests, preset, root, useBrowser, withoutBrowser } from '../support.mjs';

/** Milliseconds in which the page answers on a machine that does much else. */
const ANSWERED = 60_000;

await loadText();
const shared = process.env.STOWAGE_SHARED ?? join(root, '../../shared');
const folders = ['explorer', 'attack'].map((name) => join(shared, 'data', name)).filter((folder) => existsSync(folder));
const collected = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));

/** Opens a file, and waits until the page shows what is in it or says why not. */
async function opened(page, file) {
  const before = await page.evaluate(() => [document.querySelector('#about').textContent, document.querySelectorAll('#scenarios option').length]);
  await page.setInputFiles('#file', file);
  await page.waitForFunction(
    ([about, scenarios]) =>
      document.querySelector('#notice').textContent !== '' ||
      document.querySelector('#about').textContent !== about ||
      document.querySelectorAll('#scenarios option').length !== scenarios,
    before,
    { timeout: ANSWERED },
  );
  const begin = performance.now();
  const notice = await page.textContent('#notice');
  assert.ok(performance.now() - begin < ANSWERED / 10, `${file}: the page is slow`);
  return notice;
}

/** An instance of which one word says something else. */
function changed(at, value) {
  const bytes = encodeInstance(
    columnsOf({
      stowage: 1,
      resources: { cpu: 'cores' },
      classes: [{ name: 'large', capacity: { cpu: 8 }, labels: { zone: 'a' } }],
      apps: [{ name: 'web', replicas: 3, demand: { cpu: 1 }, tags: ['front'] }],
      rules: [{ name: 'apart', all_of: [{ subject: ['front'], target: ['front'], max: 1 }] }],
    }),
  );
  new DataView(bytes.buffer).setUint32(at, value, true);
  return bytes;
}

describe('files that are damaged', { skip: withoutBrowser }, () => {
  const own = useBrowser();
  const onPage = pageTests(own, preset('shop'));

  onPage('whatever word of an instance is changed, the page answers', async (page) => {
    const folder = await mkdtemp(join(tmpdir(), 'stowage-'));
    const file = join(folder, 'changed.stow');
    const { length } = changed(8, 0);
    let refused = 0;
    for (let at = 8; at < length - 4; at += 28) {
      await writeFile(file, changed(at, 0x7fffffff));
      if ((await opened(page, file)) !== '') ++refused;
    }
    assert.ok(refused > 3, `${refused} were refused`);
    await page.selectOption('#preset', 'half');
    await idle(page);
    await rm(folder, { recursive: true });
  });

  if (collected.length === 0) return;
  onPage(`each of ${collected.length} files that were made to do harm is answered`, async (page) => {
    for (const file of collected) {
      const notice = await opened(page, file);
      // Nothing but instances and plans is shown.
      if (file.endsWith('.jsonl')) assert.notEqual(notice, '', file);
      assert.ok(readFileSync(file).length > 0);
    }
    await page.selectOption('#preset', 'half');
    await idle(page);
  });
});
