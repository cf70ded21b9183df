// Real clusters in the page: dropped, pasted, wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadKubernetes } from 'stowage';
import { stringify as yaml } from 'yaml';
import { assertAccessible, follow, idle, nodes, open, pageTests, preset, root, useBrowser, withoutBrowser } from './support.mjs';

const testdata = join(root, '../bindings/go/stowage-k8s/testdata');
const clusterText = (name) => readFileSync(join(testdata, `${name}.json`), 'utf8');
const kubernetes = await loadKubernetes();
const file = (name, content) => ({ name, mimeType: 'application/json', buffer: Buffer.from(content) });

describe('clusters in the plan explorer', { skip: withoutBrowser }, () => {
  const own = useBrowser();

  const onPage = pageTests(own, preset('shop'));

  const about = (page) => page.textContent('#about strong');
  async function settled(page, before) {
    await page.waitForFunction((was) => document.querySelector('#about strong')?.textContent !== was, before);
    await idle(page);
  }
  const paste = (page, text) =>
    page.evaluate((content) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', content);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);

  for (const name of ['cluster', 'operator', 'daemons', 'rules', 'corners']) {
    onPage(`${name}.json is planned, with what is not taken into account`, async (page) => {
      const before = await about(page);
      await page.setInputFiles('#file', file(`${name}.json`, clusterText(name)));
      await settled(page, before);
      const { instance, leftOut, notes } = await kubernetes.read(clusterText(name));
      assert.match(await page.textContent('#cluster'), new RegExp(`^Read from your cluster${instance.nodes.length} node`));
      assert.deepEqual(await page.$$eval('#cluster-left-out li', (all) => all.map((one) => one.textContent)), leftOut);
      assert.deepEqual(await page.$$eval('#cluster-notes li', (all) => all.map((one) => one.textContent)), notes);
      assert.ok((await nodes(page)) <= instance.nodes.length);
      assert.equal(await page.$('#notice p'), null);
    });
  }

  onPage('what the reader said stays with an edited scenario, and goes with another one', async (page) => {
    const before = await about(page);
    await page.setInputFiles('#file', file('cluster.json', clusterText('cluster')));
    await settled(page, before);
    await page.click('#what-if button:text-is("nodes twice as large")');
    await page.waitForFunction(() => document.querySelector('#about strong').textContent.startsWith('nodes twice as large'));
    assert.ok(await page.isVisible('#cluster'));
    await page.selectOption('#scenarios', { index: 0 });
    await page.waitForSelector('#cluster', { state: 'hidden' });
  });

  onPage('several files are one cluster', async (page) => {
    const { items } = JSON.parse(clusterText('cluster'));
    const part = (test) => JSON.stringify({ kind: 'List', items: items.filter(({ kind }) => test(kind)) });
    const before = await about(page);
    await page.setInputFiles('#file', [
      file('nodes.json', part((kind) => kind === 'Node')),
      file('rest.json', part((kind) => kind !== 'Node')),
    ]);
    await settled(page, before);
    assert.match(await page.textContent('#cluster'), /5 nodes.*6 workloads/);
  });

  onPage('YAML is read as JSON is', async (page) => {
    const before = await about(page);
    const documents = JSON.parse(clusterText('operator')).items.map((one) => `---\n# one of several\n${yaml(one)}\n`);
    await page.setInputFiles('#file', file('operator.yaml', documents.join('')));
    await settled(page, before);
    const { instance, leftOut } = await kubernetes.read(clusterText('operator'));
    assert.match(await page.textContent('#cluster'), new RegExp(`^Read from your cluster${instance.nodes.length} node`));
    assert.deepEqual(await page.$$eval('#cluster-left-out li', (all) => all.map((one) => one.textContent)), leftOut);
  });

  onPage('a cluster is pasted anywhere, or into the dialog', async (page) => {
    let before = await about(page);
    await paste(page, clusterText('daemons'));
    await settled(page, before);
    assert.match(await page.textContent('#cluster'), /3 nodes/);
    before = await about(page);
    await page.click('#paste');
    await page.fill('#pasted', clusterText('operator'));
    await page.click('#paste-dialog button.main');
    await settled(page, before);
    assert.match(await page.textContent('#cluster'), /6 nodes/);
    assert.equal(await page.isVisible('#paste-dialog'), false);
  });

  onPage('a mistake is told in the dialog with its line, and what was typed stays', async (page) => {
    const wrong = JSON.stringify({ kind: 'List', items: [{ kind: 'Node', metadata: { labels: 'none' } }] }, null, 1);
    await paste(page, wrong);
    await page.waitForSelector('#pasted-mistake code');
    assert.equal(await page.textContent('#pasted-mistake'), 'items[0].metadata.labels must be an object (line 7)');
    assert.equal(await page.inputValue('#pasted'), wrong);
    const before = await about(page);
    await page.fill('#pasted', clusterText('daemons'));
    await page.click('#paste-dialog button.main');
    await settled(page, before);
  });

  onPage('a mistake in a file is told with its line where it can be seen', async (page) => {
    await page.locator('#files').scrollIntoViewIfNeeded();
    await page.setInputFiles('#file', file('cut.json', clusterText('cluster').slice(0, 5000)));
    await page.waitForSelector('#notice p');
    assert.match(await page.textContent('#notice p'), /^cut.json: MALFORMED line \d+, column \d+: unexpected end/);
    const { y, height } = await page.locator('#notice p').boundingBox();
    assert.ok(y >= 0 && y + height <= 900, `at ${y}`);
  });

  test('a cluster of 300 nodes and 9,000 pods takes no long task', async () => {
    const owned = (k) => [{ kind: 'ReplicaSet', name: `app-${k % 150}-5d`, controller: true }];
    const items = [
      ...Array.from({ length: 300 }, (_, k) => ({
        kind: 'Node',
        metadata: { name: `n${k}`, labels: { 'kubernetes.io/hostname': `n${k}`, 'topology.kubernetes.io/zone': `z${k % 3}` } },
        status: { allocatable: { cpu: '32', memory: '128Gi', pods: '110' } },
      })),
      ...Array.from({ length: 9000 }, (_, k) => ({
        kind: 'Pod',
        metadata: { name: `p${k}`, namespace: 'ns', labels: { app: `app-${k % 150}` }, ownerReferences: owned(k) },
        spec: { nodeName: `n${k % 300}`, containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }] },
      })),
    ];
    const text = JSON.stringify({ kind: 'List', items }, null, 2);
    const { page, close, assertNoProblems } = await open(own.browser, own.server.url + preset('shop'));
    await idle(page);
    const before = await about(page);
    // A buffer would be decoded on the page's own thread.
    const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
    writeFileSync(join(folder, 'large.json'), text);
    const trace = await follow(own.browser);
    await page.setInputFiles('#file', join(folder, 'large.json'));
    await settled(page, before);
    rmSync(folder, { recursive: true });
    const { main } = await trace.end(page);
    const longest = Math.max(...main.map(({ processor }) => processor));
    assert.ok(longest <= 50, `a task took ${longest} ms`);
    assert.match(await page.textContent('#cluster'), /300 nodes of 3 kinds, and 150 workloads/);
    assertNoProblems();
    await close();
  });

  for (const colorScheme of ['light', 'dark']) {
    onPage(
      `axe finds nothing in a cluster and the dialog (${colorScheme})`,
      async (page) => {
        const before = await about(page);
        await page.setInputFiles('#file', file('corners.json', clusterText('corners')));
        await settled(page, before);
        await page.click('#cluster-left-out summary');
        await assertAccessible(page);
        await page.click('#paste');
        await page.fill('#pasted', 'nothing');
        await page.click('#paste-dialog button.main');
        await page.waitForSelector('#pasted-mistake:not([hidden])');
        await assertAccessible(page);
      },
      { colorScheme },
    );
  }
});
