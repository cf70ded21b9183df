// Scenarios: names, baseline, undo, what-ifs, the matrix, the report, and what is kept over reloads.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { assertAccessible, idle, nodes, pageTests, preset, root, saved, useBrowser, withoutBrowser } from './support.mjs';


describe('scenarios of the plan explorer', { skip: withoutBrowser }, () => {
  const own = useBrowser();

  const onPage = pageTests(own, preset('zones'));

  const rows = (page) => page.$$eval('#scenario-list tbody tr', (all) => all.map((row) => [...row.cells].map((one) => one.textContent)));
  const labels = async (page) => (await rows(page)).map(([label]) => label);
  const shown = (page) => page.$eval('#scenario-list .chosen', (one) => one.textContent);
  const whatIf = async (page, label) => {
    const before = (await rows(page)).length;
    await page.click(`#what-if button:text-is("${label}")`);
    await page.waitForFunction((count) => document.querySelectorAll('#scenario-list tbody tr').length > count, before);
    await page.waitForFunction(() => /^[0-9,]+$/.test(document.querySelector('#scenario-list .chosen').closest('tr').cells[1].textContent));
    await idle(page);
  };

  onPage('what-ifs start from the baseline', async (page) => {
    const [[first, count]] = await rows(page);
    await page.click('#pin');
    await page.waitForSelector('#scenario-list small:text-is(" baseline")');
    await whatIf(page, 'demand × 1.3');
    assert.ok((await nodes(page)) > Number(count));
    // From the baseline, not from the larger demand.
    await whatIf(page, 'nodes twice as large, at twice the price');
    assert.ok((await nodes(page)) <= Number(count));
    assert.equal(await page.textContent('#what-if-from'), `From the baseline, ${first}.`);
    await page.waitForFunction(
      (label) => document.querySelector('#compare-first option:checked').textContent.startsWith(`${label} ·`),
      first,
    );
    assert.equal((await rows(page)).length, 3);
  });

  onPage('a zone is gone: nothing runs there, and rules over three zones do not hold', async (page) => {
    await whatIf(page, 'zone c is gone');
    assert.match(await page.textContent('#proven'), /Missing: .*of db/);
    await page.waitForFunction(() => {
      const names = [...document.querySelectorAll('.node strong')].map((one) => one.textContent);
      return names.length > 0 && names.every((name) => !name.startsWith('c'));
    });
  });

  onPage('a scenario is named, duplicated, undone and removed', async (page) => {
    const [[first, count]] = await rows(page);
    await page.click('#rename');
    await page.fill('#rename-dialog input', 'today');
    await page.click('#rename-dialog button.main');
    await page.waitForFunction(() => document.querySelector('#scenario-list .chosen').textContent === 'today');
    assert.notEqual(first, 'today');
    assert.equal(await page.isDisabled('#undo'), true);
    assert.equal(await page.isDisabled('#remove-scenario'), true);
    await page.click('#duplicate');
    await page.waitForFunction(() => document.querySelector('#scenario-list .chosen').textContent === 'today, copy');
    await page.waitForFunction((wanted) => document.querySelectorAll('#scenario-list tr')[2].cells[1].textContent === wanted, count);
    await whatIf(page, 'nodes half as large, at half the price');
    assert.equal(await shown(page), 'nodes half as large, at half the price');
    await page.click('#undo');
    await page.waitForFunction(() => document.querySelector('#scenario-list .chosen').textContent === 'today, copy');
    assert.deepEqual(await labels(page), ['today', 'today, copy']);
    await page.click('#remove-scenario');
    await page.waitForFunction(() => document.querySelectorAll('#scenario-list tbody tr').length === 1);
    assert.deepEqual(await labels(page), ['today']);
  });

  onPage('the matrix has all scenarios and planners, and fills itself', async (page) => {
    assert.equal(await page.isVisible('#matrix'), false);
    await whatIf(page, 'demand × 1.3');
    await page.waitForFunction(() => !document.querySelector('#fill-matrix').disabled);
    await page.click('#fill-matrix');
    await page.waitForFunction(() => {
      const cells = [...document.querySelectorAll('#matrix-table td')].map((one) => one.textContent);
      return cells.length === 6 && !cells.includes('–');
    });
    await idle(page);
    await page.click('#matrix-table tbody tr:first-child td:nth-child(2) button');
    await page.waitForFunction(() => document.querySelector('#scenario-list tr:nth-child(1) .chosen') !== null);
  });

  onPage('scenarios, plans, the baseline and the theme stay over a reload', async (page) => {
    await page.click('#pin');
    await whatIf(page, 'demand × 1.3');
    await page.click('#rename');
    await page.fill('#rename-dialog input', 'next year');
    await page.click('#rename-dialog button.main');
    await page.click('#theme');
    await page.waitForFunction(() => document.querySelector('#scenario-list .chosen').textContent === 'next year');
    const before = [await rows(page), await nodes(page)];
    // A promise counts as true for waitForFunction().
    const kept = () =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open('stowage-explorer', 1);
            request.onsuccess = () => {
              const all = request.result.transaction('scenarios').objectStore('scenarios').getAll();
              all.onsuccess = () => {
                request.result.close();
                resolve(all.result.some(({ label, plans, present }) => label === 'next year' && plans.length > 0 && present));
              };
            };
          }),
      );
    for (let turns = 0; turns < 200 && !(await kept()); ++turns) await page.waitForTimeout(50);
    await page.goto('about:blank');
    await page.goto(own.server.url);
    await idle(page);
    await page.waitForFunction((many) => document.querySelectorAll('#scenario-list tbody tr').length === many, before[0].length);
    assert.deepEqual([await rows(page), await nodes(page)], before);
    assert.equal(await shown(page), 'next year');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    assert.match((await labels(page))[0], / baseline$/);
    // Undo leads back, and what is removed stays away.
    await page.click('#undo');
    await page.waitForFunction(() => document.querySelectorAll('#scenario-list tbody tr').length === 1);
    // A link shows its own scenario, and brings what was kept.
    await page.waitForTimeout(1500);
    await page.goto('about:blank');
    await page.goto(own.server.url + preset('shop'));
    await idle(page);
    await page.waitForFunction(() => document.querySelectorAll('#scenario-list tbody tr').length === 2);
    assert.deepEqual(await labels(page), [await shown(page), before[0][0][0]]);
  });

  onPage(
    'the report is one file with picture, bound, and what does not fit',
    async (page) => {
      await page.setInputFiles('#file', join(root, '../bindings/go/stowage-k8s/testdata/operator.json'));
      await page.waitForFunction(() => document.querySelector('#about strong').textContent === 'operator');
      await idle(page);
      const { name, bytes } = await saved(page, '#save-report');
      assert.equal(name, 'operator-report.html');
      const html = new TextDecoder().decode(bytes);
      for (const part of ['<svg', 'At least', 'What does not fit', 'deployment shop/train: 1 of 1 replicas', 'Not taken into account'])
        assert.ok(html.includes(part), part);
      assert.doesNotMatch(html, /<script|src=|href=|url\(/);
      const alone = await page.context().newPage();
      await alone.setContent(html);
      await assertAccessible(alone);
    },
    { fragment: preset('shop') },
  );

  for (const colorScheme of ['light', 'dark']) {
    onPage(
      `axe finds nothing in scenarios (${colorScheme})`,
      async (page) => {
        await page.click('#pin');
        await whatIf(page, 'demand × 1.3');
        await page.click('#rename');
        await assertAccessible(page);
      },
      { colorScheme },
    );
  }
});
