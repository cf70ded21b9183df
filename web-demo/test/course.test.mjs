// The best plan so far over time.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, idle, open, preset, useBrowser, withoutBrowser } from './support.mjs';

describe('the course of a run', { skip: withoutBrowser }, () => {
  const own = useBrowser();

  test('is drawn while auto runs, and stays', async () => {
    const { page, close, assertNoProblems } = await open(own.browser, own.server.url + preset('dense', { apps: 2000 }));
    await idle(page);
    await choose(page, 'auto');
    await page.fill('#planners input[placeholder="its own"]', '8');
    const before = await page.textContent('#course-reading');
    await Promise.all([
      page.waitForFunction(
        (text) =>
          !document.querySelector('#cancel').disabled &&
          document.querySelector('#course-chart canvas') !== null &&
          document.querySelector('#course-reading').textContent !== text,
        before,
      ),
      page.click('#run'),
    ]);
    await idle(page);
    assert.match(await page.textContent('#course-reading'), /^After [0-9.]+ m?s: [0-9,.]+( nodes|, [0-9,]+ nodes?)/);
    const shown = Number((await page.textContent('#tile-nodes b')).replaceAll(',', ''));
    const said = Number(/: ([0-9,.]+)/.exec(await page.textContent('#course-reading'))[1].replaceAll(',', ''));
    assert.ok(said >= shown, `${said} nodes were told, and ${shown} are in the plan`);
    assertNoProblems();
    await close();
  });
});
