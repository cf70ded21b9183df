// Tests the page without a network, and how it takes a new version.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { writeServiceWorker } from '../../scripts/offline.mjs';
import { idle, launch, nodes, open, root, withoutBrowser } from '../support.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
const FOLDER = '/any/folder/';
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** A plain web server; what it serves can be replaced while it runs. `get` returns the file for a path. */
async function host(get, headers = ISOLATED) {
  const own = { get, asked: [] };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://host').pathname;
    const name = path.startsWith(FOLDER) ? path.slice(FOLDER.length) || 'index.html' : undefined;
    own.asked.push(name);
    try {
      const file = own.get(name);
      response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404, headers);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  own.url = `http://127.0.0.1:${port}${FOLDER}`;
  own.close = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return own;
}

const folders = [];
const serving = (folder) => (name) => {
  const file = join(folder, name);
  if (!statSync(file).isFile()) throw new Error('a folder');
  return file;
};

/** A copy of the build, with a name in the title and in an example. */
function version(name) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-offline-'));
  folders.push(folder);
  cpSync(join(root, 'dist'), folder, { recursive: true });
  const change = (file, from, to) => {
    const text = readFileSync(join(folder, file), 'utf8');
    assert.ok(text.includes(from));
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  change('index.html', '<title>', `<title>${name} `);
  change('examples/usage.csv', 'storefront', name);
  writeServiceWorker(folder);
  return folder;
}

/**
 * Waits until `holds` of the page's registration. It asks here, because waitForFunction() takes the promise of an asynchronous
 * function for a yes.
 */
async function registered(page, holds) {
  const begin = performance.now();
  while (!(await page.evaluate(holds))) {
    assert.ok(performance.now() - begin < 30_000, `not within 30 s: ${holds}`);
    await page.waitForTimeout(50);
  }
}
/** Waits until the page is kept: a worker serves the next visit, and no other one is being installed. */
const kept = (page) =>
  registered(page, async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === 'activated' && registration.installing === null && registration.waiting === null;
  });
const waiting = (page) => registered(page, async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
/** The version of the page, and of a file that it loads. */
const versionsOf = async (page) => [
  (await page.title()).split(' ')[0],
  (await page.evaluate(async () => (await fetch('./examples/usage.csv')).text())).split('\n')[1].split(',')[0],
];
/** Looks for a new version, as the browser does with every visit. */
const look = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());

describe('without a network', { skip: withoutBrowser }, () => {
  let browser;
  const opened = [];
  after(async () => {
    await browser?.close();
    for (const own of opened) await own.close();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  async function visited(get, headers) {
    const own = await host(get, headers);
    opened.push(own);
    const { page, assertNoProblems } = await open((browser ??= await launch()), own.url);
    await idle(page);
    await kept(page);
    return { own, page, assertNoProblems };
  }

  for (const [name, headers] of [
    ['with', ISOLATED],
    ['without', {}],
  ]) {
    test(`a reload brings the whole page, served ${name} headers for shared memory`, async () => {
      const { own, page, assertNoProblems } = await visited(serving(join(root, 'dist')), headers);
      await page.context().setOffline(true);
      await own.close();
      for (const address of [own.url, `${own.url}index.html`]) {
        await page.goto(address);
        await idle(page);
        assert.ok((await nodes(page)) > 2);
        assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), name === 'with');
      }
      // What is loaded when it is first used is there too.
      await page.click('#how-large');
      await page.waitForSelector('#curve svg');
      await page.click('#over-time');
      await page.waitForFunction(() => document.querySelector('#trace')?.value.startsWith('app,'));
      await page.selectOption('#replay-planner', 'ff');
      await page.click('#replay-run');
      await page.waitForSelector('#replay-charts .u-wrap >> nth=4');
      await page.click('#over-time');
      await page.setInputFiles('#drop input', join(root, '../bindings/go/stowage-k8s/testdata/cluster.json'));
      await page.waitForSelector('#cluster:not([hidden])');
      assertNoProblems();
      await page.context().close();
    });
  }

  test('a new version is taken at the next visit, as a whole', async () => {
    const [first, second] = [version('first'), version('second')];
    const { own, page } = await visited(serving(first));
    assert.deepEqual(await versionsOf(page), ['first', 'first']);
    await page.reload();
    await idle(page);
    own.get = serving(second);
    // This visit is served from what is kept, and loads the new version for the next one.
    await page.reload();
    await idle(page);
    assert.deepEqual(await versionsOf(page), ['first', 'first']);
    await waiting(page);
    assert.deepEqual(await versionsOf(page), ['first', 'first']);
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith('second'));
    await idle(page);
    assert.deepEqual(await versionsOf(page), ['second', 'second']);
    await kept(page);
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
    await page.context().close();
  });

  test('while another page is open, it stays with its version, and so does every new one', async () => {
    const [first, second] = [version('first'), version('second')];
    const { own, page } = await visited(serving(first));
    await page.reload();
    await idle(page);
    own.get = serving(second);
    await look(page);
    await waiting(page);
    const other = await page.context().newPage();
    await other.goto(own.url);
    await idle(other);
    await page.reload();
    await idle(page);
    for (const one of [page, other]) assert.deepEqual(await versionsOf(one), ['first', 'first']);
    await other.close();
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith('second'));
    assert.deepEqual(await versionsOf(page), ['second', 'second']);
    await page.context().close();
  });

  test('a version that is uploaded in part is not taken', async () => {
    const [first, second] = [version('first'), version('second')];
    const { own, page } = await visited(serving(first));
    await page.reload();
    await idle(page);
    // The list of files is new, and the page is the old one; then the other way around.
    for (const early of ['sw.js', 'index.html']) {
      own.get = (name) => serving(name === early ? second : first)(name);
      own.asked.length = 0;
      // A look that the page has begun by itself may answer this one, too, or refuse it while it installs.
      const begin = performance.now();
      for (; !own.asked.includes('sw.js'); await page.waitForTimeout(50)) {
        assert.ok(performance.now() - begin < 30_000, 'the list of files is asked for within 30 s');
        await look(page).catch(() => undefined);
      }
      await registered(page, async () => (await navigator.serviceWorker.getRegistration()).installing === null);
      await page.reload();
      await idle(page);
      assert.deepEqual(await versionsOf(page), ['first', 'first']);
    }
    await page.context().close();
  });
});
