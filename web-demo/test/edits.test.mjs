// Tests edits of placement rules, of uncertainty and of kinds: the instance has them, and the plan follows.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { assertAccessible, checked, idle, nodes, pageTests, preset, useBrowser, withoutBrowser } from './support.mjs';

const labelled = async (page, text) => {
  await page.waitForFunction((wanted) => document.querySelector('#about').textContent.startsWith(wanted), text);
  await idle(page);
};

describe('edits', { skip: withoutBrowser }, () => {
  const own = useBrowser();
  const onPage = pageTests(own, preset('zones'));

  onPage('a rule gets another maximum, is softened and weighed', async (page) => {
    const before = await checked(page);
    assert.equal(before.columns.rules[2].hard ?? true, true);
    await page.waitForSelector('#rack-rule option:nth-child(4)', { state: 'attached' });
    await page.selectOption('#rack-rule', '2');
    await page.click('#edit-rule summary');
    assert.equal(await page.inputValue('#rule-max-0'), '4');
    await page.fill('#rule-max-0', '2');
    await assertAccessible(page);
    await page.click('#apply-rule');
    await labelled(page, 'rule "web spread over zones" edited');
    const after = await checked(page);
    assert.equal(after.columns.rules[2].anyOf[0][0].max, 2);
    assert.deepEqual(after.columns.rules.slice(0, 2), before.columns.rules.slice(0, 2));
    // Twelve replicas of web, at most two others in a zone each: three zones hold nine.
    assert.equal(after.plan.unplaced.reduce((sum, one) => sum + one.replicas, 0), 3);
    await page.waitForFunction(() => document.querySelector('#rule-max-0')?.value === '2');
    await page.click('#edit-rule summary');
    await page.uncheck('#rule-hard');
    await page.fill('#rule-weight', '2.5');
    await page.click('#apply-rule');
    await labelled(page, 'rule "web spread over zones" edited (2)');
    const soft = await checked(page);
    assert.deepEqual([soft.columns.rules[2].hard, soft.columns.rules[2].weight], [false, 2.5]);
    assert.equal(soft.plan.unplaced.length, 0);
    await page.click('#undo');
    await page.waitForFunction(() => document.querySelector('#tile-unplaced b').textContent === '3');
  });

  onPage('numbers that cannot hold are refused', async (page) => {
    await page.waitForSelector('#rack-rule option:nth-child(4)', { state: 'attached' });
    await page.selectOption('#rack-rule', '2');
    await page.click('#edit-rule summary');
    await page.fill('#rule-min-0', '9');
    await page.click('#apply-rule');
    await page.waitForFunction(() => /cannot both hold/.test(document.querySelector('#notice').textContent));
    assert.match(await page.textContent('#notice'), /INVALID rules\[2\]/);
    await page.click('#notice button');
  });

  onPage(
    'less confidence needs no more nodes, and is undone',
    async (page) => {
      const before = await nodes(page);
      assert.equal(await page.inputValue('#demand-confidence'), '99.9');
      await page.fill('#demand-confidence', '60');
      await page.click('#apply-uncertainty');
      await labelled(page, 'confidence 60 %');
      const { columns } = await checked(page);
      assert.equal(columns.uncertainty.confidence, 0.6);
      const after = await nodes(page);
      assert.ok(after < before, `${after} < ${before}`);
      await assertAccessible(page);
      await page.click('#undo');
      await page.waitForFunction((wanted) => Number(document.querySelector('#tile-nodes b').textContent) === wanted, before);
    },
    { fragment: preset('uncertain') },
  );

  onPage(
    'an app gets another kind',
    async (page) => {
      const before = await checked(page);
      await page.click('#app-list button:text-is("reports")');
      await page.selectOption('#app-kind', { label: 'cache' });
      await page.click('dialog[open] button:text-is("Apply and plan")');
      await labelled(page, 'reports edited');
      const { columns } = await checked(page);
      const app = columns.apps.names.indexOf('reports');
      assert.equal(columns.interference.kinds[columns.apps.kind[app]], 'cache');
      assert.equal(before.columns.interference.kinds[before.columns.apps.kind[app]], 'batch');
      assert.deepEqual([...columns.apps.kind].filter((_, k) => k !== app), [...before.columns.apps.kind].filter((_, k) => k !== app));
    },
    { fragment: preset('effects') },
  );
});
