// Tests the page "Over time": a trace is replayed as the command `stowage replay` does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PHONE, assertAccessible, follow, idle, open, pageTests, preset, root, saved, useBrowser, withoutBrowser } from './support.mjs';

const SHOP = preset('shop');
const given = (name) => readFileSync(join(root, 'test/replay', name), 'utf8');

/** The lines of a table of plans, without the time that planning took. Numbers are values: two texts may write them differently. */
function plansIn(text) {
  const [header, ...lines] = text.trimEnd().split('\n').map((line) => line.split(','));
  const time = header.indexOf('planning_seconds');
  return [header, ...lines.map((line) => line.map(Number))].map((line) => line.filter((_, column) => column !== time));
}

const series = async (page) => new TextDecoder().decode((await saved(page, '#replay-save')).bytes);

const done = (page) =>
  page.waitForFunction(() => document.querySelector('#replay-cancel').disabled && !document.querySelector('#replay-run').disabled, undefined, {
    timeout: 120_000,
  });
const says = (page, selector, pattern) =>
  page.waitForFunction(([where, wanted]) => new RegExp(wanted).test(document.querySelector(where)?.textContent ?? ''), [selector, pattern]);

async function replay(page, { planner = 'auto', minutes = 15, moves = 0 } = {}) {
  await page.selectOption('#replay-planner', planner);
  await page.fill('#replay-interval', String(minutes));
  await page.fill('#replay-moves', String(moves));
  await page.click('#replay-run');
  await done(page);
}

const row = (page, k) => page.$$eval(`#replay-policies tbody tr:nth-child(${k}) td`, (cells) => cells.map((one) => one.textContent));

describe('the page "Over time"', { skip: withoutBrowser, concurrency: 2 }, () => {
  const own = useBrowser();
  const onPage = pageTests(own, SHOP, async (page) => {
    await page.click('#over-time');
    await page.waitForFunction(() => document.querySelector('#trace')?.value.startsWith('app,'));
  });

  onPage('plans and figures are those of the command', async (page) => {
    await replay(page, { planner: 'bf', minutes: 120 });
    assert.deepEqual(plansIn(await series(page)), plansIn(given('few-bf.plans.csv')));
    await replay(page, { moves: 4 });
    assert.deepEqual(plansIn(await series(page)), plansIn(given('few-auto.plans.csv')));
    const { nodes, use, cost, moves, wait } = JSON.parse(given('few-auto.summary.json'));
    const [policy, cluster, mean, shares, costs, waits, left, moved] = await row(page, 2);
    const rounded = (value, digits) => value.toLocaleString('en', { maximumFractionDigits: digits });
    assert.equal(policy, 'auto every 15 min, up to 4 moves');
    assert.equal(cluster, 'example');
    assert.equal(mean, `${rounded(nodes.mean, 2)} most ${nodes.most}`);
    assert.equal(shares, `cpu ${rounded(100 * use.cpu, 1)} %, memory ${rounded(100 * use.memory, 1)} %`);
    assert.equal(costs, rounded(cost, 2));
    assert.equal(waits, `${rounded(wait.mean / 60, 1)} min 99 % up to ${rounded(wait['99 %'] / 60, 1)} min`);
    assert.equal(left, '0');
    assert.equal(moved, String(moves));
    // Five charts; the cursor reads all of them.
    await page.waitForFunction(() => document.querySelectorAll('#replay-charts .u-wrap').length === 5);
    await page.hover('#replay-charts .u-over >> nth=0');
    await says(page, '#replay-reading', 'hours: \\d+ nodes? in use \\(cpu [\\d.]+ %, memory [\\d.]+ %\\), \\d+ replicas? running');
    // The first policy is kept, and is shown again.
    await page.click('#replay-policies tbody tr:nth-child(1) button');
    assert.deepEqual(plansIn(await series(page)), plansIn(given('few-bf.plans.csv')));
  });

  onPage('a scenario with apps, load over time and too few nodes is replayed as by the command', async (page) => {
    await page.click('#over-time');
    await page.setInputFiles('#drop input', join(root, 'test/replay/small.json'));
    await page.waitForFunction(() => document.querySelector('#about').textContent.startsWith('small'));
    await idle(page);
    await page.click('#over-time');
    await page.fill('#trace', given('small.csv'));
    await page.selectOption('#replay-cluster', 'scenario');
    await replay(page);
    assert.deepEqual(plansIn(await series(page)), plansIn(given('small-auto.plans.csv')));
    const { never_ran: never, still_waiting: still, ran } = JSON.parse(given('small-auto.summary.json'));
    assert.ok(never > 0 && ran > 0);
    assert.match(await page.textContent('#replay-said'), new RegExp(`${never} replicas departed before running; ${still} wait at the end`));
    // Without the scenario's own app, more of the trace runs.
    await page.selectOption('#replay-cluster', 'nodes');
    await replay(page);
    assert.equal(await page.locator('#replay-policies tbody tr').count(), 2);
    const [header, ...plans] = plansIn(await series(page));
    const started = plans.reduce((sum, line) => sum + line[header.indexOf('started')], 0);
    assert.ok(started > ran, `${started}`);
  });

  onPage('mistakes in the trace are told with line and column', async (page) => {
    const header = 'app,arrives,departs,replicas,priority,cpu,memory,limits\n';
    for (const [text, problem] of [
      ['app,cpu,memory\n', 'Line 1: there is no column "arrives"'],
      ['app,arrives,cpu\n', 'Line 1: there is no column "memory", a resource of the cluster'],
      ['app,arrives,cpu,memory,gpu\n', 'Line 1, column 5 \\(gpu\\): is neither a known column nor a resource'],
      [header, 'Line 1: no application follows'],
      [`${header}a,0,9,1,0,1,1\n`, 'Line 2: has 7 fields, and the header 8'],
      [`${header}\na,soon,9,1,0,1,1,\n`, 'Line 3, column 2 \\(arrives\\): "soon" is neither seconds nor'],
      [`${header}a,1e13,,1,0,1,1,\n`, 'Line 2, column 2 \\(arrives\\): "1e13" is further away'],
      [`${header}a,9,3,1,0,1,1,\n`, 'Line 2, column 3 \\(departs\\): is before it arrives'],
      [`${header}a,0,9,1.5,0,1,1,\n`, 'Line 2, column 4 \\(replicas\\): "1.5" is not a whole number'],
      [`${header}a,0,9,1,high,1,1,\n`, 'Line 2, column 5 \\(priority\\): "high" is not a whole number'],
      [`${header}a,0,9,1,0,-1,1,\n`, 'Line 2, column 6 \\(cpu\\): "-1" is not an amount'],
      [`${header}a,0,9,1,0,1,1,db\n`, 'Line 2, column 8 \\(limits\\): "db" is not app:number'],
      [`${header}b,3,,1,0,1,1,\na,0,9,1,0,1,1,\na,5,,1,0,1,1,\n`, 'Line 4, column 1 \\(app\\): "a" arrives while an application of this name'],
      // What the library refuses is a mistake of its line.
      [`${header}b,3,,1,0,1,1,\na,0,9,1,0,1e300,1,\n`, 'Line 3, column 1 \\(app\\): .+'],
    ]) {
      await page.fill('#trace', text);
      await page.click('#replay-run');
      await says(page, '#trace-problem', problem);
      await done(page);
    }
    assert.equal(await page.isVisible('#replay-policies'), false);
    // A change of the text takes the mistake away.
    await page.fill('#trace', `${header}a,0,9,1,0,1,1,\n`);
    await page.waitForFunction(() => document.querySelector('#trace-problem').textContent === '');
    await page.fill('#trace', '');
    await page.click('#replay-run');
    await says(page, '#replay-wrong', 'there is no trace');
  });

  onPage('what was planned before a mistake is shown beside it', async (page) => {
    await page.fill('#trace', 'app,arrives,departs,cpu,memory\na,0,600,1,1\nb,7200,,1e300,1\n');
    await replay(page, { planner: 'ff' });
    await says(page, '#trace-problem', 'Line 3.*: ');
    assert.match(await page.textContent('#replay-said'), /planned 2 times\. It ended early: there is a mistake in the trace\.$/);
    const [, ...plans] = plansIn(await series(page));
    assert.equal(plans.length, 2);
  });

  onPage('wrong numbers and planners that refuse the trace are told', async (page) => {
    await page.fill('#replay-work', '1.5');
    await page.click('#replay-run');
    assert.equal(await page.$eval('#replay-work', (input) => input.validity.valid), false);
    await page.fill('#replay-work', '200000');
    await replay(page, { planner: 'fill-greedy' });
    assert.match(await page.textContent('#replay-wrong'), /fill-greedy/);
    assert.equal(await page.isVisible('#replay-policies'), false);
    await replay(page, { planner: 'ff', minutes: 1440 });
    assert.equal(await page.isVisible('#replay-wrong'), false);
    assert.equal(await page.isVisible('#replay-policies'), true);
  });

  onPage('a long replay shows how far it is, and keeps what was planned when it is cancelled', async (page) => {
    await page.click('#example-week');
    await page.waitForFunction(() => document.querySelector('#trace').value.split('\n').length > 250);
    await page.selectOption('#replay-planner', 'auto');
    await page.click('#replay-run');
    await says(page, '#replay-progress', 'of 7.1 d, \\d+ plans?');
    assert.ok(await page.$eval('#replay progress', (bar) => bar.value > 0 && bar.value < 1));
    await page.click('#replay-cancel');
    await done(page);
    assert.match(await page.textContent('#replay-said'), /Cancelled: the trace goes on/);
    const plans = plansIn(await series(page));
    assert.ok(plans.length > 1 && plans.length < 385);
    // The next replay is not disturbed by it.
    await replay(page, { planner: 'ff', minutes: 1440 });
    assert.doesNotMatch(await page.textContent('#replay-said'), /Cancelled/);
  });

  for (const options of [{}, { colorScheme: 'dark' }, { viewport: PHONE }]) {
    onPage(
      `everyone can use it: ${JSON.stringify(options)}`,
      async (page) => {
        const check = async () => {
          await assertAccessible(page);
          // Nothing is wider than the page.
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        };
        await check();
        await page.focus('#replay-run');
        await page.selectOption('#replay-planner', 'bf');
        await page.keyboard.press('Enter');
        // Charts are drawn once they come into view.
        if (options.viewport !== undefined) {
          await page.waitForSelector('#replay-charts .replay-panel >> nth=4', { state: 'attached' });
          for (const chart of await page.locator('#replay-charts .replay-panel').all()) await chart.scrollIntoViewIfNeeded();
        }
        await page.waitForSelector('#replay-charts .u-wrap >> nth=4');
        await page.waitForSelector('#replay-run:enabled');
        await check();
        await page.fill('#trace', 'app,arrives\n');
        await page.keyboard.press('Tab');
        await page.click('#replay-run');
        await page.waitForSelector('#trace-problem p');
        await check();
      },
      options,
    );
  }

  test('no task is over 50 ms while a trace is replayed', async (context) => {
    const { page, close } = await open(own.browser, own.server.url + SHOP);
    await idle(page);
    const trace = await follow(own.browser);
    await page.click('#over-time');
    await page.waitForFunction(() => document.querySelector('#trace')?.value.startsWith('app,'));
    await page.click('#example-week');
    await page.waitForFunction(() => document.querySelector('#trace').value.split('\n').length > 250);
    await replay(page, { planner: 'ff', minutes: 60 });
    await page.waitForSelector('#replay-charts .u-wrap >> nth=4');
    const { main } = await trace.end(page);
    const longest = Math.max(...main.map(({ processor }) => processor));
    context.diagnostic(`longest task ${longest.toFixed(1)} ms`);
    assert.ok(longest <= 50, `${longest} ms`);
    await close();
  });
});
