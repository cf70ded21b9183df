// Tests how much a first visit transfers, as gzip compresses it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { idle, open, useBrowser, withoutBrowser } from '../support.mjs';

/** The page without the module, in bytes. */
const MOST = 160_000;

describe('what a first visit transfers', { skip: withoutBrowser }, () => {
  const own = useBrowser();

  test('charts, zoom, readers and reports come when they are needed', async (context) => {
    const { page, close } = await open(own.browser, 'about:blank');
    const sizes = new Map();
    const bodies = [];
    page.on('response', (response) =>
      bodies.push(response.body().then((body) => sizes.set(new URL(response.url()).pathname, gzipSync(body, { level: 9 }).length))),
    );
    await page.goto(own.server.url);
    await idle(page);
    await Promise.all(bodies);
    const total = (wanted) => [...sizes].filter(([path]) => wanted(path)).reduce((sum, [, size]) => sum + size, 0);
    const isModule = (path) => path.endsWith('.wasm');
    const transferred = total((path) => !isModule(path));
    context.diagnostic(`page ${transferred} bytes, module ${total(isModule)} bytes`);
    assert.ok(total(isModule) > 100_000);
    assert.ok(transferred > 50_000 && transferred < MOST, `${transferred} bytes`);
    const names = () => [...sizes.keys()].join(' ');
    assert.doesNotMatch(names(), /uPlot|zooming|kubernetes|report-|moves-|stowage-text/);
    await page.locator('#chart').scrollIntoViewIfNeeded();
    await page.waitForSelector('#chart .uplot');
    await Promise.all(bodies);
    assert.match(names(), /uPlot/);
    await page.selectOption('#style', 'heat');
    await page.focus('#heat');
    await page.press('#heat', '+');
    await page.waitForFunction(() => document.querySelector('#heat').classList.contains('near'));
    await Promise.all(bodies);
    assert.match(names(), /zooming/);
    await close();
  });
});
