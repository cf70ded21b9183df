import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { columnsOf, loadStowage, loadText, planOf } from 'stowage';
import {
  PHONE,
  assertAccessible,
  choose,
  generate,
  idle,
  launch,
  nodes,
  open,
  planned,
  preset,
  root,
  saved,
  serve,
  withoutBrowser,
} from './support.mjs';

await loadText();
const command = process.env.STOWAGE_CLI ?? join(root, '../build/release/capi/cli/stowage');
const withoutCommand = existsSync(command) ? false : `there is no native command ${command}; STOWAGE_CLI names one`;
const native = (...args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const SMALL = {
  stowage: 1,
  name: 'three webs and a database',
  resources: { cpu: 'cores', memory: 'GiB' },
  classes: [{ name: 'standard', capacity: { cpu: 8, memory: 16 } }],
  apps: [
    { name: 'web', replicas: 3, demand: { cpu: 2, memory: '4Gi' }, max_per_node: 2 },
    { name: 'db', replicas: 1, demand: { cpu: 4, memory: 8 }, limits: { web: 1 } },
  ],
};
/** Two racks of two nodes, and five web replicas that want to be on different nodes. */
const RACKS = {
  stowage: 1,
  name: 'webs in racks',
  resources: { cpu: 'cores' },
  classes: [{ name: 'standard', capacity: { cpu: 4 }, count: 4 }],
  apps: [
    { name: 'web', replicas: 5, demand: { cpu: 2 }, tags: 'web' },
    { name: 'db', replicas: 1, demand: { cpu: 2 }, tags: 'db' },
    { name: 'log', replicas: 1, demand: { cpu: 1 }, tags: 'log' },
  ],
  nodes: ['a', 'b', 'c', 'd'].map((name, k) => ({ name, tags: `rack=${k < 2 ? 'left' : 'right'}` })),
  rules: [
    { name: 'webs apart', hard: false, weight: 2, all_of: [{ subject: 'web', target: 'web', max: 0 }] },
    { name: 'db near a web', hard: false, all_of: [{ subject: 'db', target: 'web', min: 1, group: 'rack' }] },
    { name: 'log with a disk', all_of: [{ subject: 'log', target: 'disk', min: 1 }] },
  ],
};
/** Two replicas that a hard rule keeps on different nodes. */
const HARD = {
  stowage: 1,
  name: 'hard rules',
  resources: { cpu: '' },
  classes: [{ name: 'n', capacity: { cpu: 10 }, count: 3 }],
  apps: [
    { name: 'a', replicas: 2, demand: { cpu: 1 }, tags: ['a'] },
    { name: 'b', replicas: 1, demand: { cpu: 1 }, tags: ['b'] },
  ],
  nodes: [{ name: 'n1' }, { name: 'n2' }, { name: 'n3' }],
  rules: [{ name: 'apart', hard: true, all_of: [{ subject: ['a'], target: ['a'], max: 0 }] }],
};
/** By their mean demand, more replicas would fit than at confidence. */
const UNCERTAIN = {
  stowage: 1,
  name: 'uncertain shop',
  resources: { cpu: 'cores', memory: 'GiB' },
  classes: [{ name: 'machine', capacity: { cpu: 32, memory: '128Gi' }, count: 100 }],
  apps: [
    { name: 'web', replicas: 200, demand: { cpu: 2.4, memory: '4Gi' }, deviation: { cpu: '900m' } },
    { name: 'db', replicas: 20, demand: { cpu: 4, memory: '16Gi' } },
    { name: 'api', replicas: 60, demand: { cpu: 1.4, memory: '3Gi' }, deviation: { cpu: '600m' } },
  ],
  uncertainty: { model: 'gaussian', confidence: '99.9%' },
};
const TSV = 'app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff\n1\t3\t16\t32\t1\t[(2, 0)]\n2\t2\t8\t8\t0\t[]\n';
const CSV = 'app,replicas,cpu,memory (GiB),limits\nweb,3,500m,4Gi,web:1\n"db, main",1,4,8Gi,"web:0;db, main:1"\n';

const file = (name, content) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.isBuffer(content) ? content : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

// Two at a time, because each mostly waits for a worker.
describe('the plan explorer', { skip: withoutBrowser, concurrency: 2 }, () => {
  let server;
  let plain;
  let browser;
  before(async () => {
    [server, plain, browser] = await Promise.all([serve(), serve({ isolated: false }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([server?.close(), plain?.close()]);
  });

  /** A test with a page of its own, which fails on any error of the page. */
  const onPage = (name, work, options = {}) =>
    test(name, { skip: options.skip ?? false }, async () => {
      const { page, close, assertNoProblems } = await open(
        browser,
        (options.plain ? plain.url : server.url) + (options.fragment ?? preset('dense')),
        options,
      );
      await idle(page);
      await work(page);
      assertNoProblems();
      await close();
    });

  /** Gives the page a file and waits for the result. */
  async function give(page, name, content, settled = '#notice p') {
    const label = await page.textContent('#about strong');
    await page.setInputFiles('#file', file(name, content));
    if (settled === 'plan') {
      await page.waitForFunction((before) => document.querySelector('#about strong')?.textContent !== before, label);
      await idle(page);
    } else {
      await page.waitForSelector(settled);
    }
  }

  onPage('plans a generated workload at once', async (page) => {
    assert.ok((await nodes(page)) > 100);
    assert.match(await page.textContent('#proven'), /Proven optimal|at least|No plan needs fewer/);
    assert.deepEqual((await planned(page)).sort(), ['auto', 'ff']);
  });

  onPage('runs planners side by side and draws gap against time', async (page) => {
    await choose(page, 'ff', 'wfd-avg', 'ncd-dotproduct');
    await page.click('#run');
    await page.waitForFunction(() => document.querySelectorAll('#results-table tbody tr').length === 4);
    await idle(page);
    assert.deepEqual((await planned(page)).sort(), ['auto', 'ff', 'ncd-dotproduct', 'wfd-avg']);
    await page.locator('#chart').scrollIntoViewIfNeeded();
    await page.waitForSelector('#chart .u-legend');
    assert.deepEqual(await page.$$eval('#chart .u-legend .u-series', (all) => all.map((one) => one.textContent.trim())), [
      'auto',
      'fit',
      'node-centric',
    ]);
    // The best plan stays shown until another one is chosen.
    assert.match(await page.textContent('#picture-title'), /by auto/);
    // The scenario's first plan is compared with the shown one.
    const compared = await page.$$eval('.sides option:checked', (all) => all.map((one) => one.textContent.split(' · ')[1]));
    assert.deepEqual(compared, ['ff', 'auto']);
    await page.click('#results-table button:text-is("wfd-avg")');
    await page.waitForFunction(() => document.querySelector('#tile-time').textContent.includes('wfd-avg'));
  });

  /** Cancels a run of up to a minute, whose limits keep it from reaching its bound. */
  const cancelled = async (page) => {
    await page.selectOption('#preset', 'periods');
    await page.waitForFunction(() => /24 periods/.test(document.querySelector('#about').textContent));
    await idle(page);
    await page.fill('#workload input[type=number]', '2000');
    await page.fill('#workload input[list]', '20');
    await page.click('#generate');
    await page.waitForFunction(() => document.querySelector('#about').textContent.startsWith('2000 apps'));
    await idle(page);
    await choose(page, 'auto', 'bfd');
    await page.fill('#planners .fields input >> nth=0', '60');
    await page.click('#run');
    await page.waitForFunction(() => /auto \(1 of 2\): .*best so far/.test(document.querySelector('#progress').textContent));
    assert.ok(await page.isDisabled('#run'));
    await page.click('#cancel');
    await page.waitForFunction(() => !document.querySelector('#run').disabled);
    assert.ok(await page.isDisabled('#cancel'));
  };
  onPage('cancels a run and keeps the plan so far', async (page) => {
    await cancelled(page);
    await page.waitForSelector('#results-table span:text-is("cancelled: best so far")');
    // The longer run has a row of its own, and the plans come best first.
    assert.deepEqual((await planned(page)).sort(), ['auto', 'auto', 'ff']);
    const shownNodes = await nodes(page);
    const all = await page.$$eval('#results-table tbody tr', (rows) => rows.map(({ cells }) => Number(cells[2].textContent)));
    assert.equal(shownNodes, Math.min(...all));
    assert.deepEqual(all, [...all].sort((a, b) => a - b));
  });
  onPage(
    'cancels a run where memory is not shared, and plans on',
    async (page) => {
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      await cancelled(page);
      await choose(page, 'bfd-avg');
      await page.click('#run');
      await page.waitForFunction(() => document.querySelectorAll('#results-table tbody tr').length === 3);
      assert.deepEqual((await planned(page)).sort(), ['auto', 'bfd-avg', 'ff']);
    },
    { plain: true },
  );

  onPage('moves through time', async (page) => {
    await page.selectOption('#preset', 'periods');
    await page.waitForFunction(() => /24 periods/.test(document.querySelector('#about').textContent));
    await idle(page);
    const picture = () => page.$eval('#heat', (canvas) => canvas.toDataURL());
    const busiest = await picture();
    await page.focus('#time');
    for (let k = 0; k < 3; ++k) await page.press('#time', 'ArrowRight');
    assert.equal(await page.getAttribute('#time', 'aria-valuetext'), 'period 3 of 24');
    await page.waitForFunction((before) => document.querySelector('#heat').toDataURL() !== before, busiest);
    await page.focus('#heat');
    await page.press('#heat', 'Enter');
    await page.waitForSelector('#node-panel .uplot');
    assert.match(await page.textContent('#node-panel'), /left in period 3/);
  });

  onPage('is used with the keyboard: node, app, why it cannot join', async (page) => {
    await page.focus('#heat');
    await page.press('#heat', 'ArrowRight');
    await page.press('#heat', 'ArrowDown');
    assert.match(await page.textContent('#reading'), /^node-\d+: .* used, \d+ apps?$/);
    await page.press('#heat', 'Enter');
    await page.waitForSelector('#node-panel table');
    await page.focus('#app-search');
    await page.keyboard.type('app-10');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#join');
    assert.match(await page.textContent('#app-panel'), /app-10 .*One more replica could join/s);
    await page.selectOption('#color', 'join');
    await page.waitForFunction(() => /lacks room: \d+ nodes/.test(document.querySelector('.legend').textContent));
    await page.click('#explain-app');
    await page.waitForFunction(() => /ha(s|ve) room for one more/.test(document.querySelector('#explained').textContent));
  });

  onPage('zooms into thousands of nodes, and finds one', async (page) => {
    await generate(page, 4000, 0.5);
    const node = `node-${(await nodes(page)) - 3}`;
    const cell = () => page.$eval('#zoom', (one) => Number(/\d+/.exec(one.getAttribute('aria-valuetext'))[0]));
    const far = await cell();
    assert.ok(far < 30);
    await page.focus('#zoom');
    await page.press('#zoom', 'End');
    await page.waitForFunction(() => document.querySelector('#zoom').getAttribute('aria-valuetext') === 'cells of 250 pixels');
    await page.fill('#node-search', node);
    await page.press('#node-search', 'Enter');
    await page.waitForSelector(`#node-panel h3:has-text("${node}")`);
    await page.focus('#heat');
    await page.press('#heat', 'Home');
    assert.match(await page.textContent('#reading'), /^node-1: /);
    await page.hover('#heat', { position: { x: 5, y: 5 } });
    await page.waitForSelector('.tip:popover-open');
    assert.match(await page.textContent('.tip'), /^node-1: .* used/);
    await page.press('#heat', 'End');
    await page.press('#heat', 'Enter');
    await page.waitForSelector(`#node-panel h3:has-text("node-${await nodes(page)}")`);
    await page.press('#heat', '-');
    await page.waitForFunction(() => document.querySelector('#zoom').getAttribute('aria-valuetext') === 'cells of 167 pixels');
    await page.press('#heat', '0');
    await page.waitForFunction((before) => document.querySelector('#zoom').getAttribute('aria-valuetext') === `cells of ${before} pixels`, far);
  });

  onPage('adds node classes and removes them', async (page) => {
    await give(page, 'small.json', SMALL, 'plan');
    assert.equal(await page.locator('#class-list button').count(), 0);
    await page.click('button:text-is("Add a class")');
    await page.fill('#class-list input[aria-label="cpu of class 2"]', '32');
    await page.fill('#class-list input[aria-label="memory of class 2"]', '64');
    await page.fill('#class-list input[aria-label="Price of class 1"]', '1');
    await page.fill('#class-list input[aria-label="Price of class 2"]', '1.5');
    await page.click('#apply-classes');
    await page.waitForSelector('#tile-cost');
    await idle(page);
    await page.click('#class-list button[aria-label="Remove class 2"]');
    assert.equal(await page.locator('#class-list tbody tr').count(), 1);
    await page.click('#apply-classes');
    await page.waitForFunction(() => document.querySelector('#tile-cost b')?.textContent === '2');
  });

  onPage('says what drives the number of nodes', async (page) => {
    await page.click('#explain-plan');
    await page.waitForSelector('#drivers li');
    assert.match(await page.textContent('#drivers'), /the demand for memory fills \d+ nodes/);
    assert.match(await page.textContent('#drivers'), /limits/);
  });

  onPage('explains limits of a small cluster, and edits it', async (page) => {
    await give(page, 'small.json', SMALL, 'plan');
    assert.equal(await nodes(page), 2);
    assert.equal(await page.locator('.bars .node').count(), 2);
    await page.fill('#app-search', 'web');
    await page.press('#app-search', 'Enter');
    for (let k = 0; k < 2; ++k) {
      await page.click(`.bars .node >> nth=${k}`);
      await page.waitForFunction(
        (at) => document.querySelectorAll('.bars .node')[at].getAttribute('aria-pressed') === 'true',
        k,
      );
    }
    assert.match(await page.textContent('#join'), /web cannot join standard-2.*db there allows at most 1 of web beside it/s);
    // Half the memory: the database fills a node of its own.
    await page.fill('#class-list input[aria-label="memory of class 1"]', '8');
    await page.click('#apply-classes');
    await page.waitForFunction(() => document.querySelector('#tile-nodes b')?.textContent === '3');
    await idle(page);
    await page.click('#app-list button:text-is("db")');
    await page.fill('dialog input[type=number] >> nth=0', '2');
    await page.click('dialog button:text-is("Apply and plan")');
    await page.waitForFunction(() => document.querySelector('#tile-nodes b')?.textContent === '4');
    await idle(page);
    await page.click('#add-app');
    await page.fill('dialog input >> nth=0', 'cache');
    await page.fill('dialog textarea', 'nobody:1');
    await page.click('dialog button:text-is("Apply and plan")');
    await page.waitForSelector('#notice code:text-is("limits")');
    assert.match(await page.textContent('#notice'), /INVALID limits there is no app "nobody"/);
  });

  onPage('compares two scenarios', async (page) => {
    const before = await nodes(page);
    await page.click('button:text-is("nodes twice as large")');
    await page.waitForFunction(() =>
      /nodes twice as large/.test(document.querySelector('#compare-second option:checked')?.textContent),
    );
    await idle(page);
    await page.waitForFunction(() => {
      const [, first, second] = document.querySelector('#compare-body tbody tr')?.cells ?? [];
      return ['first', 'second'].every((side, k) =>
        document
          .querySelector(`#compare-${side} option:checked`)
          .textContent.endsWith(` ${[first, second][k]?.textContent} nodes`),
      );
    });
    const rows = await page.$$eval('#compare-body tbody tr', (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)),
    );
    const [, first, second, difference] = rows.find(([title]) => title === 'Nodes');
    assert.equal(Number(first), before);
    assert.ok(Number(second) < before);
    assert.equal(difference, `−${before - Number(second)}`);
    assert.match(await page.textContent('#moves'), /replicas? move/);
    await page.selectOption('#compare-first', { index: 0 });
    await page.selectOption('#compare-second', { index: 1 });
    await page.waitForFunction(() =>
      [...document.querySelectorAll('#compare-body td')].some((cell) => /^[+−]\d+$/.test(cell.textContent)),
    );
  });

  onPage('exports what others read', async (page) => {
    await page.selectOption('#preset', 'shop');
    await page.waitForFunction(() => /shop/.test(document.querySelector('#about').textContent));
    await idle(page);
    const count = await nodes(page);
    const instance = await saved(page, '#save-instance-stow');
    const plan = await saved(page, '#save-plan-stow');
    assert.match(instance.name, /\.stow$/);
    const stowage = await loadStowage();
    const loaded = stowage.instance(new Uint8Array(instance.bytes));
    const { ok, nodes: verified } = loaded.verify(new Uint8Array(plan.bytes));
    assert.deepEqual([ok, verified], [true, count]);
    const described = JSON.parse((await saved(page, '#save-instance-json')).bytes);
    assert.equal(stowage.instance(described).fingerprint, loaded.fingerprint);
    stowage.dispose();
    const planJson = JSON.parse((await saved(page, '#save-plan-json')).bytes);
    assert.equal(planJson.nodes.length, count);
    const lines = (await saved(page, '#save-plan-csv')).bytes.toString().trim().split('\n');
    assert.equal(lines[0], 'node,app,replicas,class,state,price,cpu,memory');
    const replicas = lines.slice(1).reduce((sum, line) => sum + Number(line.split(',')[2]), 0);
    assert.equal(
      replicas,
      described.apps.reduce((sum, { replicas: one = 1 }) => sum + one, 0),
    );
    const apps = await saved(page, '#save-instance-csv');
    await give(page, 'again.csv', apps.bytes, 'plan');
    assert.equal(await page.locator('#app-list tbody tr').count(), 12);

    // A plan is accepted for its instance and refused for another one.
    await give(page, 'plan.stow', plan.bytes);
    assert.match(await page.textContent('#notice'), /INVALID plan the plan is not one for this instance/);
    await give(page, 'shop.stow', instance.bytes, 'plan');
    await page.setInputFiles('#file', file('plan.stow', plan.bytes));
    await page.waitForSelector('#tile-time b:text-is("file")');
    assert.equal(await nodes(page), count);
  });

  onPage('takes plans as JSON and CSV, its own and others', async (page) => {
    await give(page, 'small.json', SMALL, 'plan');
    for (const format of ['json', 'csv']) {
      const { name, bytes } = await saved(page, `#save-plan-${format}`);
      await give(page, name, bytes, '#tile-time b:text-is("file")');
      assert.equal(await nodes(page), 2);
      await page.click('#results-table button >> nth=0');
      await page.waitForFunction(() => document.querySelector('#tile-time b').textContent !== 'file');
    }
    // Plans by hand: one with each replica on a node of its own, and one without the database and with too many replicas on a
    // node.
    await give(
      page,
      'spread.csv',
      'node,app,replicas\nstandard-1,web,1\nstandard-2,web,1\nstandard-3,web,1\nstandard-4,db,1\n',
      '#tile-nodes b:text-is("4")',
    );
    // The copies of a node are drawn separately unless there are too many.
    const alike = (copies) => ({
      stowage_plan: 1,
      planner: 'mine',
      status: 'complete',
      nodes: [
        { class: 'standard', copies, replicas: { web: 1 } },
        { class: 'standard', replicas: { web: 1, db: 1 } },
      ],
      unplaced: {},
    });
    await give(page, 'alike.json', alike(2), '#tile-nodes b:text-is("3")');
    // The bars are drawn after the tiles.
    await page.waitForFunction(() => document.querySelectorAll('.bars .node').length === 3);
    assert.equal(await page.textContent('#notice'), '');
    // More replicas than there are, which only bytes can say.
    const { fingerprint } = (await loadStowage()).instance({ name: 'small', ...SMALL });
    const { bytes, copies } = planOf(alike(2), columnsOf(SMALL), fingerprint);
    const many = Buffer.from(bytes);
    many.writeUInt32LE(8_000_000, copies.byteOffset - bytes.byteOffset);
    await give(page, 'many.stow', many);
    assert.match(await page.textContent('#notice'), /many\.stow: LIMIT_EXCEEDED copies .* 8000001 nodes/);
    await give(page, 'broken.json', {
      stowage_plan: 1,
      planner: 'mine',
      nodes: [{ class: 'standard', replicas: { web: 3 } }],
      unplaced: { db: 1 },
    });
    assert.match(await page.textContent('#notice'), /broken\.json: INVALID the plan breaks \d constraints?/);
  });

  onPage(
    'and the command read what each other writes',
    async (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'stowage-page-'));
      try {
        const at = (name) => join(folder, name);
        const put = async (name, button) => writeFileSync(at(name), (await saved(page, button)).bytes);
        await page.selectOption('#preset', 'shop');
        await page.waitForFunction(() => /shop/.test(document.querySelector('#about').textContent));
        await idle(page);
        for (const format of ['stow', 'json']) await put(`page.${format}`, `#save-instance-${format}`);
        for (const format of ['stow', 'json', 'csv']) {
          await put(`page-plan.${format}`, `#save-plan-${format}`);
          for (const instance of ['page.stow', 'page.json']) {
            const report = JSON.parse(native('verify', at(instance), at(`page-plan.${format}`), '--summary', 'json'));
            assert.deepEqual([report.ok, report.nodes], [true, await nodes(page)], `${instance}, ${format}`);
          }
        }
        native('convert', at('page.stow'), at('command.json'));
        await give(page, 'command.json', readFileSync(at('command.json')), 'plan');
        for (const format of ['stow', 'json', 'csv']) {
          const file = at(`command-plan.${format}`);
          const { nodes: planned } = JSON.parse(
            native('plan', at('page.json'), '--planner', 'wfd', '-o', file, '--summary', 'json'),
          );
          const before = await page.locator('#results-table tbody tr').count();
          await page.setInputFiles('#file', file);
          await page.waitForFunction((rows) => document.querySelectorAll('#results-table tbody tr').length > rows, before);
          await page.waitForSelector('#tile-time b:text-is("file")');
          assert.equal(await nodes(page), planned, format);
          assert.equal(await page.textContent('#notice'), '');
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    { skip: withoutCommand },
  );

  onPage('reads tables', async (page) => {
    await give(page, 'published.csv', TSV, 'plan');
    assert.match(await page.textContent('#about'), /published · 2 apps, 5 replicas, 1 affinity limit/);
    await give(page, 'mine.csv', CSV, 'plan');
    assert.match(await page.textContent('#about'), /mine · 2 apps, 4 replicas, 3 affinity limits/);
    assert.equal(await nodes(page), 4);
  });

  onPage('says what is wrong with a file, and goes on', async (page) => {
    const before = await nodes(page);
    const wrong = structuredClone(SMALL);
    wrong.apps[1].demand.cpu = 'plenty';
    const negative = structuredClone(SMALL);
    negative.classes[0].capacity.memory = -1;
    const cut = await saved(page, '#save-instance-stow').then(({ bytes }) => bytes.subarray(0, bytes.length >> 1));
    const cases = [
      ['cut.stow', cut, /MALFORMED/],
      ['noise.stow', Buffer.from([1, 2, 3]), /MALFORMED/],
      ['wrong.json', wrong, /INVALID apps\[1\]\.demand\.cpu "plenty" is not a quantity/],
      ['negative.json', JSON.stringify(negative, null, 1), /INVALID classes\[0\]\.capacity\.memory .*\(line \d+\)/],
      ['tab.yaml', 'stowage: 1\nresources:\n\t- cpu\n', /MALFORMED line 3: /],
      ['wrong.yaml', 'stowage: 1\nresources: {cpu: cores}\nclasses: []\napps: 3\n', /INVALID apps/],
      ['half.json', '{"stowage": 1,', /MALFORMED/],
      ['short.tsv', TSV.replace('\t[]', ''), /MALFORMED line 3 has 5 columns/],
      ['degree.tsv', TSV.replace('\t1\t[', '\t2\t['), /MALFORMED line 2: inter_degree/],
      ['open.csv', 'app,cpu\n"web,1\n', /MALFORMED line 2 a quote is not closed/],
      ['amount.csv', 'app,cpu,memory\nweb,many,1\n', /MALFORMED line 2: cpu "many" is not an amount/],
      ['plan.csv', 'node,app,replicas\na,b,1\n', /MALFORMED line 2 app: the instance has no app "b"/],
      ['plan.json', { stowage_plan: 1, planner: 'mine', nodes: [{ class: 'huge' }] }, /INVALID nodes\[0\]\.class/],
    ];
    for (const [name, content, message] of cases) {
      await page.evaluate(() => document.querySelector('#notice').replaceChildren());
      await give(page, name, content);
      assert.match(await page.textContent('#notice'), message, name);
    }
    assert.equal(await nodes(page), before);
    await choose(page, 'ffd');
    await page.click('#run');
    await page.waitForFunction(() => document.querySelectorAll('#results-table tbody tr').length === 3);
  });

  onPage('refuses a corrupt file where only the library sees it', async (page) => {
    const endless = structuredClone(SMALL);
    endless.apps[0].replicas = 4_000_000_000;
    await give(page, 'endless.json', endless);
    assert.match(await page.textContent('#notice'), /(INVALID|LIMIT_EXCEEDED) apps/);
  });

  onPage('shares what was generated, and what was edited', async (page) => {
    await page.fill('#workload input[type=number]', '300');
    await page.click('#generate');
    await page.waitForFunction(() => document.querySelector('#about').textContent.startsWith('300 apps'));
    await idle(page);
    const count = await nodes(page);
    await page.click('#share');
    await page.waitForSelector('#notice .good');
    const recipe = page.url();
    assert.match(recipe, /#r=/);
    await give(page, 'small.json', SMALL, 'plan');
    await page.click('#share');
    await page.waitForFunction(() => location.hash.startsWith('#i='));
    const bytes = page.url();

    for (const [url, wanted, about] of [
      [recipe, count, /^300 apps/],
      [bytes, 2, /three webs and a database/],
    ]) {
      const other = await open(browser, url);
      await idle(other.page);
      assert.equal(await nodes(other.page), wanted);
      assert.match(await other.page.textContent('#about'), about);
      await other.close();
    }
    const damaged = await open(browser, `${server.url}#r=nonsense`);
    await idle(damaged.page);
    assert.match(await damaged.page.textContent('#notice'), /the link is damaged/);
    await damaged.close();
  });

  onPage('shows racks, and why rules do not hold', async (page) => {
    assert.ok(await page.isHidden('#racks'));
    await give(page, 'racks.json', RACKS, 'plan');
    await page.waitForSelector('#rack-sets .cell');
    const names = (selector) => page.$$eval(selector, (all) => all.map((one) => one.getAttribute('aria-label')));
    assert.deepEqual(await names('#rack-sets .rack'), ['left', 'right']);
    // Five web replicas on four nodes, so that two share a node; no node has a disk for the log.
    const broken = await names('.cell.broken');
    assert.equal(broken.length, 1);
    assert.match(broken[0], /^[abcd]: 100 % used, 2 replicas against a rule$/);
    assert.match(await page.textContent('#rack-head'), /^2 replicas .* weight × extent 4\.$/);
    const violation = page.locator('#rack-violations details');
    assert.equal(await violation.count(), 1);
    assert.match(await violation.textContent(), /^webs apart: 2 replicas of web on [abcd]; 1 counted, at most 0 wanted$/);
    await violation.locator('summary').click();
    await page.waitForSelector('#rack-violations li');
    assert.match(await violation.textContent(), /web has no other web on its node\. There on the node: 2 of web\./);
    await assertAccessible(page, '#racks');
    await page.selectOption('#rack-rule', { label: '✓ db near a web' });
    await page.waitForFunction(() => document.querySelectorAll('.cell.broken').length === 0);
    assert.equal(await page.textContent('#rack-head'), 'Soft, weight 1: db has at least 1 other web on its rack.');
    await page.locator('#rack-sets .cell').first().click();
    await page.waitForSelector('#node-panel table');
    assert.equal(await page.getAttribute('#rack-sets .cell >> nth=0', 'aria-pressed'), 'true');
    await page.click('#explain-plan');
    await page.waitForFunction(() => /lower the minimum of the rule .*log with a disk.* to 0/.test(document.querySelector('#drivers').textContent));
  });

  /** Opens a scenario of its own and returns it, and the shown plan, in the library on this side. */
  async function inLibrary(page, stowage) {
    const instance = stowage.instance(new Uint8Array((await saved(page, '#save-instance-stow')).bytes));
    return { instance, plan: new Uint8Array((await saved(page, '#save-plan-stow')).bytes) };
  }

  for (const [name, content] of Object.entries({ 'hard rules': HARD, 'uncertain demand': UNCERTAIN, effects: 'effects', periods: 'shop' })) {
    onPage(
      `says of every node what the library says: ${name}`,
      async (page) => {
        if (typeof content !== 'string') await give(page, 'case.json', content, 'plan');
        const stowage = await loadStowage();
        const { instance, plan } = await inLibrary(page, stowage);
        const apps = await page.$$eval('#app-list td:first-child', (all) => all.map((one) => one.textContent));
        const count = await nodes(page);
        for (const [app, word] of apps.entries()) {
          await page.fill('#app-search', word);
          await page.press('#app-search', 'Enter');
          await page.waitForFunction((wanted) => document.querySelector('#app-panel h3')?.textContent.startsWith(wanted), word);
          for (let node = 0; node < Math.min(count, 6); ++node) {
            const names = await page.$$eval('.bars .node strong', (all) => all.map((one) => one.textContent));
            await page.click(`.bars .node >> nth=${node}`);
            await page.waitForFunction(
              ([wanted, at]) =>
                document.querySelector('#join')?.textContent.includes(at) &&
                document.querySelector('#app-panel h3')?.textContent.startsWith(wanted) &&
                document.querySelector('#node-panel h3')?.textContent.startsWith(at),
              [word, names[node]],
            );
            const { room, obstacles } = instance.headroom(plan, app, node);
            const text = await page.textContent('#join strong');
            assert.match(text, room[node] > 0 ? new RegExp(`could take ${room[node]} more`) : /cannot join/, `${word}, ${node}`);
            assert.equal(await page.locator('#join li').count(), obstacles.length);
          }
          const open = [...instance.headroom(plan, app).room].filter((one) => one > 0).length;
          assert.match(await page.textContent('#app-panel'), new RegExp(`could join ${open} nodes?;`));
        }
        stowage.dispose();
      },
      typeof content === 'string' ? { fragment: preset(content) } : {},
    );
  }

  onPage('never says that a node could take what a hard rule keeps away', async (page) => {
    await give(page, 'hard.json', HARD, 'plan');
    const at = await page.$$eval('.bars .node', (all) => all.map((one) => one.textContent));
    const stowage = await loadStowage();
    const { instance, plan } = await inLibrary(page, stowage);
    const full = [...instance.headroom(plan, 0).room].indexOf(0);
    assert.ok(full >= 0 && full < at.length);
    await page.fill('#app-search', 'a');
    await page.press('#app-search', 'Enter');
    await page.click(`.bars .node >> nth=${full}`);
    await page.waitForSelector('#join.bad');
    assert.match(await page.textContent('#join'), /cannot join n\d:The hard rule "apart" keeps a away\./);
    stowage.dispose();
  });

  onPage(
    'ranks plans by what is unplaced, and is green only where everything holds',
    async (page) => {
      assert.match(await page.textContent('#proven'), /^Missing: \d+ replicas? unplaced \(/);
      assert.ok(await page.$('#proven.bad'));
      assert.equal(await page.locator('#results-table .good').count(), 0);
      assert.ok(Number(await page.textContent('#tile-unplaced b')) > 0);
      await choose(page, 'wfd-avg', 'bfd-avg');
      await page.click('#run');
      await page.waitForFunction(() => document.querySelectorAll('#results-table tbody tr').length === 4);
      await idle(page);
      const left = await page.$$eval('#results-table tbody tr', (rows) => rows.map(({ cells }) => Number(cells[1].textContent)));
      assert.ok(left[0] <= left.at(-1));
      assert.match(await page.textContent('#story-need'), /without a place/);
    },
    { fragment: preset('tight') },
  );

  onPage(
    'shows side effects: who suffers, what would help, and a matrix to change',
    async (page) => {
      await page.waitForSelector('#suffers');
      assert.match(await page.textContent('#suffers'), /^It is \S+ \((web|db|batch|cache)\) on \S+: [\d.]+ % of it comes from/);
      assert.match(await page.textContent('#suggested'), /Moving one|No single move/);
      assert.match(await page.textContent('#results-table'), /auto for worst/);
      assert.match(await page.textContent('#results-table'), /ff for nodes/);
      assert.deepEqual(await page.$$eval('#picture .legend span', (all) => all.map((one) => one.textContent)), ['web', 'db', 'batch', 'cache']);
      assert.equal(await page.locator('.bars .node.worst').count() > 0, true);
      const worst = async () => Number(await page.textContent('#tile-worst b'));
      const before = await worst();
      // The plan for the fewest nodes is worse for the worst-off, and says so.
      await page.click('#results-table button:text-is("ff")');
      await page.waitForFunction((value) => Number(document.querySelector('#tile-worst b').textContent) > value, before);
      await page.waitForFunction(() => /on (machine-\d)/.test(document.querySelector('#suffers')?.textContent));
      await assertAccessible(page);
      // Least in all is another objective.
      await page.selectOption('#objective', 'total');
      await choose(page, 'auto');
      await page.click('#run');
      await page.waitForSelector('#results-table small:has-text("for total")');
      await idle(page);
      // Batch that disturbs nobody else: a new scenario in which the worst-off suffers less.
      for (const kind of ['web', 'db', 'cache']) await page.fill(`#coefficients input[aria-label="What ${kind} suffers from batch"]`, '0');
      await page.click('#apply-coefficients');
      await page.waitForFunction(() => /other side effects/.test(document.querySelector('#about strong').textContent));
      await idle(page);
      assert.ok((await worst()) < before);
      await page.fill('#coefficients input >> nth=0', '-1');
      await page.click('#apply-coefficients');
      assert.equal(await page.$eval('#coefficients input', (input) => input.matches(':invalid')), true);
    },
    { fragment: preset('effects') },
  );

  onPage(
    'explains its words under the pointer and on focus',
    async (page) => {
      assert.equal(await page.title(), 'Stowage: how many nodes do I need, and why?');
      assert.match(await page.textContent('#story'), /What you have.*What is needed.*Why/s);
      await page.hover('#tile-bound .term');
      await page.waitForSelector('#meaning:popover-open');
      assert.match(await page.textContent('#meaning'), /proven minimum/);
      await page.focus('#tile-gap .term');
      await page.waitForFunction(() => /above the bound/.test(document.querySelector('#meaning').textContent));
      await page.click('#words');
      await page.waitForSelector('dialog dt:text-is("gap")');
      await page.click('dialog button');
      assert.equal((await page.request.get(new URL('favicon.svg', page.url()).href)).status(), 200);
    },
    { fragment: preset('shop') },
  );

  for (const name of ['tight', 'half', 'zones', 'effects', 'uncertain', 'racks']) {
    onPage(
      `has a preset with tension: ${name}`,
      async (page) => {
        assert.equal(await page.inputValue('#preset'), name);
        assert.equal(await page.textContent('#notice'), '');
        assert.ok((await nodes(page)) > 2);
      },
      { fragment: preset(name) },
    );
  }

  for (const [viewport, most] of [
    [undefined, 0.05],
    [PHONE, 0.1],
  ]) {
    test(`nothing moves while the page comes (${viewport === undefined ? 'desktop' : 'phone'})`, async () => {
      const { page, close } = await open(browser, 'about:blank', viewport === undefined ? {} : { viewport });
      await page.addInitScript(() => {
        globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(server.url);
      await idle(page);
      const shifted = await page.evaluate(() => globalThis.shifted);
      assert.ok(shifted < most, `${shifted}`);
      await close();
    });
  }

  for (const colorScheme of ['light', 'dark']) {
    onPage(
      `is accessible (${colorScheme})`,
      async (page) => {
        await page.focus('#heat');
        await page.press('#heat', 'Enter');
        await page.fill('#app-search', 'app-1');
        await page.press('#app-search', 'Enter');
        await page.waitForSelector('#join');
        await page.click('#explain-plan');
        await page.waitForSelector('#drivers li');
        await assertAccessible(page);
      },
      { colorScheme },
    );
  }

  onPage(
    'fits a phone',
    async (page) => {
      await choose(page, 'bfd-avg');
      await page.click('#run');
      await page.waitForFunction(() => document.querySelectorAll('#results-table tbody tr').length === 3);
      await page.locator('#heat').click({ position: { x: 5, y: 5 } });
      await page.waitForSelector('#node-panel table');
      const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.equal(content, width);
    },
    { viewport: PHONE },
  );
});
