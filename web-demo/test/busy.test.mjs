// Tests what the page shows while something takes long, and that the visitor can end it.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { encodeInstance } from 'stowage';
import { assertAccessible, generate, idle, pageTests, preset, useBrowser, withoutBrowser } from './support.mjs';

const about = (page) => page.textContent('#about');
const box = '.busy';

/** Ends what is being done, and waits until the page says so. */
async function end(page) {
  await page.click(`${box} button`);
  await page.waitForSelector(box, { state: 'detached' });
  await page.waitForFunction(() => document.querySelector('#status').textContent === 'cancelled');
  assert.equal(await page.textContent('#notice'), '');
}

/** Apps with limits, enough to keep a reader busy. */
function large() {
  const [apps, degree] = [60_000, 100];
  const rowBegin = Uint32Array.from({ length: apps + 1 }, (_, app) => app * degree);
  const app = new Uint32Array(apps * degree);
  for (let k = 0; k < app.length; ++k) {
    const own = Math.floor(k / degree);
    const other = (k % degree) * Math.floor(apps / degree);
    app[k] = other === own ? other + 1 : other;
  }
  return encodeInstance({
    name: 'large',
    resources: [{ name: 'cpu', unit: '' }],
    apps: { replicas: new Uint32Array(apps).fill(3), demand: new Float64Array(apps).fill(1) },
    classes: [{ name: 'node', capacity: Float64Array.of(64) }],
    limits: { rowBegin, app, atMost: new Uint32Array(app.length).fill(1) },
  });
}

describe('what takes long', { skip: withoutBrowser }, () => {
  const own = useBrowser();
  const onPage = pageTests(own, preset('shop'));

  onPage('generating tells how far it is, and can be ended', async (page) => {
    const before = await about(page);
    await page.selectOption('#preset', 'dense');
    await idle(page);
    await page.fill('#workload input[type=number]', '100000');
    await page.fill('#workload input[list]', '0.5');
    await page.click('#generate');
    await page.waitForFunction(() => /^Generating: [1-9]/.test(document.querySelector('.busy span')?.textContent ?? ''));
    assert.ok((await page.$eval(`${box} progress`, ({ value }) => value)) > 0);
    await assertAccessible(page, box);
    const shown = await about(page);
    assert.notEqual(shown, before);
    await end(page);
    assert.equal(await about(page), shown);
    // The desk is free at once, and what was ended never comes.
    await generate(page, 500, 1);
    assert.equal(await page.locator('#scenarios option').count(), 3);
  });

  onPage('a file that is being read can be ended', async (page) => {
    const before = await about(page);
    const folder = await mkdtemp(join(tmpdir(), 'stowage-'));
    const file = join(folder, 'large.stow');
    await writeFile(file, large());
    await page.setInputFiles('#file', file);
    await page.waitForFunction(() => /^(Reading large.stow|Checking 60,000 apps)/.test(document.querySelector('.busy span')?.textContent ?? ''));
    await end(page);
    assert.equal(await about(page), before);
    await page.selectOption('#preset', 'tight');
    await page.waitForFunction((old) => document.querySelector('#about').textContent !== old, before);
    await idle(page);
    assert.doesNotMatch(await about(page), /large|60,000/);
    await rm(folder, { recursive: true });
  });

  onPage(
    'an explanation can be ended',
    async (page) => {
      await page.click('#explain-plan');
      await page.waitForFunction(() => /^Explaining/.test(document.querySelector('.busy span')?.textContent ?? ''));
      await end(page);
      assert.equal(await page.textContent('#drivers'), '');
      assert.equal(await page.isDisabled('#explain-plan'), false);
    },
    { fragment: preset('periods', { apps: 4000, density: 0.01 }) },
  );

  onPage(
    'putting moves in order can be ended, and goes on beside all else',
    async (page) => {
      await page.click('#order-moves');
      await page.waitForFunction(() => /^Putting the moves/.test(document.querySelector('.busy span')?.textContent ?? ''));
      // The desk answers meanwhile.
      await page.locator('#heat').click({ position: { x: 5, y: 5 } });
      await page.waitForSelector('#node-panel table');
      await end(page);
      assert.equal(await page.textContent('#ordered'), '');
      await page.click('#order-moves');
      await page.waitForSelector('#order-facts', { timeout: 120_000 });
      const [, moved] = /^([\d,]+) replicas change/.exec(await page.textContent('#order-facts'));
      assert.ok(Number(moved.replaceAll(',', '')) > 10_000, moved);
    },
    { fragment: preset('dense', { apps: 10_000, density: 0.01 }) },
  );

  onPage('what is quick shows nothing', async (page) => {
    await page.evaluate(() => {
      globalThis.seen = 0;
      new MutationObserver(() => (globalThis.seen += document.querySelectorAll('.busy').length)).observe(document.body, { childList: true });
    });
    await page.selectOption('#preset', 'half');
    await idle(page);
    assert.equal(await page.evaluate(() => globalThis.seen), 0);
  });
});
