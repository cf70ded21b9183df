// The best plan so far over time.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, idle, open, preset, useBrowser, withoutBrowser } from './support.mjs';

describe('the course of a run', { skip: withoutBrowser }, () => {
  const own = useBrowser();

  test('is drawn while auto runs, and stays', async () => {
    // Rules over zones cost more than the bound knows: auto is busy until its deadline.
    // Charts are drawn where they are in view.
    const viewport = { width: 1360, height: 2600 };
    const { page, close, assertNoProblems } = await open(own.browser, own.server.url + preset('zones'), { viewport });
    await idle(page);
    await choose(page, 'auto');
    await page.fill('#planners input[placeholder="its own"]', '4');
    await page.evaluate(() => {
      window.drawn = 0;
      setInterval(() => {
        const runs = !document.querySelector('#cancel').disabled;
        if (runs && !document.querySelector('#course').hidden && document.querySelector('#course-chart canvas')) ++window.drawn;
      }, 20);
    });
    await page.click('#run');
    await page.waitForFunction(() => !document.querySelector('#cancel').disabled || window.drawn > 0);
    await idle(page);
    assert.ok((await page.evaluate(() => window.drawn)) > 0, 'the course was drawn while the planner ran');
    assert.match(await page.textContent('#course-reading'), /^After [0-9.]+ m?s: [0-9,.]+, [0-9,]+ nodes?/);
    const shown = Number((await page.textContent('#tile-nodes b')).replaceAll(',', ''));
    const said = Number(/, ([0-9,]+) nodes/.exec(await page.textContent('#course-reading'))[1].replaceAll(',', ''));
    assert.ok(said >= shown, `${said} nodes were told, and ${shown} are in the plan`);
    assertNoProblems();
    await close();
  });
});
