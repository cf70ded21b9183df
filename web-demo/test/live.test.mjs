// Tests what happens to a cluster while a plan runs in it: apps that come, grow and end, nodes that are drained, fail and open.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PHONE, assertAccessible, checked, idle, nodes, pageTests, preset, useBrowser, withoutBrowser } from './support.mjs';

/** Waits until something has happened and is planned. */
async function happened(page, label) {
  await page.waitForFunction((wanted) => document.querySelector('#live-told').textContent.startsWith(`${wanted}: `), label);
  await idle(page);
  assert.equal(await page.textContent('#notice'), '');
  return page.textContent('#live-told');
}

const choose = async (page, position) => {
  const node = page.locator('.bars .node').nth(position);
  const name = await node.locator('strong').textContent();
  await node.click();
  await page.waitForSelector(`#node-panel h3:has-text("${name}")`);
  return name;
};
const chooseApp = async (page, name) => {
  await page.fill('#app-search', name);
  await page.press('#app-search', 'Enter');
  await page.waitForSelector(`#app-panel h3:has-text("${name}")`);
};
const replicasOn = ({ columns, plan }, name) =>
  [...plan.nodeClass.keys()].filter((node) => columns.nodes?.names?.[plan.listed[node]] === name).reduce((sum, node) => sum + plan.placements.on(node).reduce((all, one) => all + one.replicas, 0), 0);

describe('what happens next', { skip: withoutBrowser }, () => {
  const own = useBrowser();
  const onPage = pageTests(own, preset('uncertain'));

  onPage('a node is drained: what ran there gets a place, and everything else stays', async (page) => {
    const before = await checked(page);
    const replicas = before.plan.placements.length;
    const name = await choose(page, 0);
    const there = before.plan.placements.on(0).reduce((sum, one) => sum + one.replicas, 0);
    await page.click('#drain-node');
    const told = await happened(page, `${name} is drained`);
    assert.match(told, new RegExp(`, ${there} replicas? gets? another node`));
    const after = await checked(page);
    assert.equal(after.plan.moves, 0);
    assert.equal(replicasOn(after, name), 0);
    assert.ok(replicas > 0 && after.plan.complete);
    // The node is closed, and opens again.
    await page.waitForSelector(`#live-closed button:text-is("${name}")`);
    await page.click(`#live-closed button:text-is("${name}")`);
    await happened(page, `${name} opens`);
    assert.equal(await page.locator('#live-closed button').count(), 0);
  });

  onPage('undo brings back the plan before', async (page) => {
    const before = (await checked(page)).plan.bytes;
    const about = await page.textContent('#about');
    await choose(page, 1);
    await page.click('#fail-node');
    await page.waitForFunction(() => /fails: /.test(document.querySelector('#live-told').textContent));
    await idle(page);
    assert.notEqual(await page.textContent('#about'), about);
    await page.click('#live-undo');
    await page.waitForFunction((wanted) => document.querySelector('#about').textContent === wanted, about);
    await idle(page);
    assert.deepEqual((await checked(page)).plan.bytes, before);
    assert.equal(await page.textContent('#live-told'), '');
  });

  onPage('an app comes, grows and ends', async (page) => {
    await page.click('#live-submit');
    await page.fill('#submit-dialog input >> nth=0', 'report');
    await page.fill('#submit-dialog input[type=number] >> nth=0', '3');
    await page.fill('#submit-dialog input[type=number] >> nth=1', '4');
    await page.click('#submit-dialog button:text-is("It comes")');
    assert.match(await happened(page, 'report comes'), /3 replicas start/);
    await chooseApp(page, 'report');
    await page.fill('#scale-to', '5');
    await page.click('#scale-app');
    assert.match(await happened(page, 'report in 5 replicas'), /2 replicas start/);
    const { columns, plan } = await checked(page);
    const app = columns.apps.names.indexOf('report');
    assert.equal([...plan.placements].filter((one) => one.app === app).reduce((sum, one) => sum + one.replicas, 0), 5);
    assert.equal(plan.moves, 0);
    await chooseApp(page, 'report');
    await page.click('#end-app');
    assert.match(await happened(page, 'report ends'), /5 replicas end/);
    assert.equal((await checked(page)).columns.apps.names.includes('report'), false);
  });

  onPage('as many moves as allowed make room, and are coloured', async (page) => {
    await page.fill('#live-moves', '4');
    await chooseApp(page, 'db');
    await page.fill('#scale-to', '6');
    await page.click('#scale-app');
    await happened(page, 'db in 6 replicas');
    const { plan } = await checked(page);
    assert.ok(plan.moves <= 4, `${plan.moves}`);
    // What moved since the plan before.
    await page.selectOption('#color', 'moved');
    const other = await page.$$eval('#before option', (all) => all.find((one) => one.textContent.includes(': '))?.value);
    await page.selectOption('#before', other);
    await page.waitForFunction(() => /unchanged: \d+/.test(document.querySelector('#picture .legend').textContent));
    const unchanged = Number(/unchanged: (\d+)/.exec(await page.textContent('#picture .legend'))[1]);
    assert.ok(unchanged > (await nodes(page)) / 2);
  });

  onPage('what the library refuses is said', async (page) => {
    await page.click('#live-submit');
    await page.fill('#submit-dialog input >> nth=0', 'web');
    await page.click('#submit-dialog button:text-is("It comes")');
    await page.waitForFunction(() => /web/.test(document.querySelector('#notice').textContent));
    assert.match(await page.textContent('#notice'), /INVALID/);
    await page.click('#notice button');
  });

  onPage('goes on after a reload', async (page) => {
    const name = await choose(page, 2);
    await page.click('#fail-node');
    await happened(page, `${name} fails`);
    await page.waitForTimeout(1500);
    await page.evaluate(() => history.replaceState(null, '', location.pathname));
    await page.reload();
    await idle(page);
    await page.waitForSelector(`#live-closed button:text-is("${name}")`);
    await page.click(`#live-closed button:text-is("${name}")`);
    await happened(page, `${name} opens`);
    await checked(page);
  });

  for (const colorScheme of ['light', 'dark']) {
    for (const viewport of [undefined, { width: 800, height: 900 }, PHONE]) {
      onPage(
        `is accessible, ${colorScheme}, ${viewport?.width ?? 'desktop'}`,
        async (page) => {
          const name = await choose(page, 0);
          await page.click('#drain-node');
          await happened(page, `${name} is drained`);
          await choose(page, 0);
          await chooseApp(page, 'web');
          await assertAccessible(page);
          await page.click('#live-submit');
          await page.waitForSelector('#submit-dialog');
          await assertAccessible(page);
          await page.click('#submit-dialog button:text-is("Cancel")');
        },
        { colorScheme, ...(viewport === undefined ? {} : { viewport }) },
      );
    }
  }
});
