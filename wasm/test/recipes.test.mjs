// The README's recipes for esbuild and for a CDN, in a browser: bundled or loaded as they stand there, served, and run to a plan.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const readme = readFileSync('README.md', 'utf8');
const recipe = (name) => {
  const found = readme.match(new RegExp(`^\`\`\`js ${name}\n(.*?)^\`\`\`$`, 'ms'));
  assert.ok(found, `the README has a recipe for ${name}`);
  return found[1];
};
const TYPES = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };
const chromium = [process.env.CHROMIUM, 'chromium-headless-shell', 'chromium'].find(
  (name) => name && spawnSync(name, ['--version']).status === 0,
);
const skip = chromium === undefined && 'there is no Chromium: the recipes of the README';
if (skip) console.log(`SKIPPED, ${skip}`);

// What a page does with the worker that a recipe starts.
const USE = `
const cluster = await worker.instance({
  stowage: 1, resources: { cpu: 'cores' }, classes: [{ capacity: { cpu: 8 } }], apps: [{ replicas: 100, demand: { cpu: '1500m' } }],
});
const { nodes } = await cluster.plan('bfd-avg');
await fetch('/done', { method: 'POST', body: String(nodes) });
`;
const REPORT = "addEventListener('unhandledrejection', ({ reason }) => fetch('/done', { method: 'POST', body: String(reason) }));";

/** Serves a folder. `posted` is what a page posts to it. */
async function serve(folder, t) {
  let post;
  const posted = new Promise((resolve) => (post = resolve));
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      request.setEncoding('utf8').on('data', post).on('end', () => response.end());
      return;
    }
    try {
      const { pathname } = new URL(request.url, 'http://localhost');
      const body = readFileSync(join(folder, pathname));
      response.writeHead(200, { 'Content-Type': TYPES[extname(pathname)] ?? 'text/plain', 'Access-Control-Allow-Origin': '*' });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${server.address().port}`, posted };
}

/** What the page posts that a browser shows. */
async function shown(site, t) {
  const profile = mkdtempSync(join(tmpdir(), 'stowage-browser-'));
  const browser = spawn(chromium, [
    '--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, '--remote-debugging-port=0',
    `${site.address}/index.html`,
  ], { stdio: 'ignore' });
  t.after(async () => {
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  return site.posted;
}

test('esbuild', { skip, timeout: 120_000 }, async (t) => {
  mkdirSync('bundled');
  // As in a project of its own, with the esbuild of this checkout.
  const esbuild = pathToFileURL(join(process.env.STOWAGE_SOURCE, 'wasm/node_modules/esbuild/lib/main.js'));
  writeFileSync('bundled/build.mjs', recipe('esbuild').replace("'esbuild'", `'${esbuild}'`));
  writeFileSync('bundled/app.js', recipe('app') + USE);
  execFileSync(process.execPath, ['build.mjs'], { cwd: 'bundled' });
  writeFileSync('bundled/out/index.html', `<script>${REPORT}</script><script type="module" src="app.js"></script>`);
  assert.equal(await shown(await serve('bundled/out', t), t), '20');
});

test('a CDN', { skip, timeout: 120_000 }, async (t) => {
  // Another port is another origin.
  const cdn = await serve('node_modules/stowage', t);
  mkdirSync('plain');
  const page = recipe('cdn').replace(/https:\/\/cdn\.example\/stowage@[\d.]+/, cdn.address);
  assert.ok(page.includes(`${cdn.address}/dist/browser`));
  writeFileSync('plain/index.html', `<script>${REPORT}</script><script type="module">${page}${USE}</script>`);
  assert.equal(await shown(await serve('plain', t), t), '20');
});
