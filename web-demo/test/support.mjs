// Shared by the tests: a server for the build, and a browser.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { Plan, decodeInstance, loadStowage } from 'stowage';
import { preview } from 'vite';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The headless shell is the same browser without windows, and starts in a third of the time.
const browsers = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].filter(Boolean);
const executablePath = browsers.find((path) => existsSync(path)) ?? browsers[0];
/** Value of the option `skip` of tests. */
export const withoutBrowser = existsSync(executablePath) ? false : `there is no ${executablePath}; CHROMIUM names a Chromium`;

export const DESKTOP = { width: 1360, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Serves the build. Without `isolated`, the headers for shared memory are missing, as on a plain server. */
export async function serve({ isolated = true } = {}) {
  const server = await preview({
    root,
    logLevel: 'error',
    preview: {
      port: 0,
      host: '127.0.0.1',
      ...(isolated
        ? {}
        : { headers: { 'Cross-Origin-Opener-Policy': 'unsafe-none', 'Cross-Origin-Embedder-Policy': 'unsafe-none' } }),
    },
  });
  const { port } = server.httpServer.address();
  return { url: `http://127.0.0.1:${port}/`, close: () => new Promise((resolve) => server.httpServer.close(resolve)) };
}

export const launch = () => chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

/** A server and a browser for the tests of a suite, as `server` and `browser` once these run. Called within describe(). */
export function useBrowser() {
  const own = {};
  before(async () => {
    [own.server, own.browser] = await Promise.all([serve(), launch()]);
  });
  after(async () => {
    await own.browser?.close();
    await own.server?.close();
  });
  return own;
}

/**
 * Makes tests of pages that have planned: onPage(name, work, options). Nothing has gone wrong on the page in the end. `fragment` is
 * that of the page, unless the options have one; `prepare` comes before the work.
 */
export function pageTests(own, fragment, prepare = async () => {}) {
  return (name, work, options = {}) =>
    test(name, async () => {
      const { page, close, assertNoProblems } = await open(own.browser, own.server.url + (options.fragment ?? fragment), options);
      await idle(page);
      await prepare(page);
      await work(page);
      assertNoProblems();
      await close();
    });
}

/** The name and the bytes of the file that a click saves. */
export async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The instance and the plan that are shown; the library verifies the plan. */
export async function checked(page) {
  const [instance, plan] = [await saved(page, '#save-instance-stow'), await saved(page, '#save-plan-stow')].map(
    ({ bytes }) => new Uint8Array(bytes),
  );
  const loaded = (await loadStowage()).instance(instance);
  assert.deepEqual(loaded.verify(plan).violations, []);
  loaded.dispose();
  return { columns: decodeInstance(instance), plan: new Plan(plan) };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe-core finds nothing wrong in the page, or in the part of it that `within` selects. */
export async function assertAccessible(page, within = 'html') {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((part) => globalThis.axe.run(part, { resultTypes: ['violations'] }), within);
  assert.deepEqual(
    violations.map(({ id, nodes: wrong }) => [id, wrong.map(({ html }) => html)]),
    [],
  );
}

/** A page that records errors, and marks the time of its first plan. */
export async function open(browser, url, { viewport = DESKTOP, colorScheme = 'light', hasTouch = false } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, hasTouch, acceptDownloads: true });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url.split('#')[0]) && !/^(blob|data):/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  await page.addInitScript(() => {
    const first = new MutationObserver(() => {
      if (document.querySelector('#tile-nodes') === null) return;
      performance.mark('first plan');
      first.disconnect();
    });
    first.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url);
  return {
    page,
    close: () => context.close(),
    assertNoProblems: () => assert.deepEqual(problems, []),
  };
}

/** Waits until nothing runs and the last plan is shown. */
export async function idle(page) {
  await page.waitForSelector('#tile-nodes');
  await page.waitForFunction(() => document.querySelector('#cancel').disabled && document.querySelector('#results-table td'));
}

export const nodes = async (page) => Number((await page.textContent('#tile-nodes b')).replaceAll(',', ''));
export const planned = async (page) => page.$$eval('#results-table tbody button', (all) => all.map((one) => one.textContent));

/** Chooses exactly these planners. */
export async function choose(page, ...names) {
  await page.click('#planners button:text-is("none")');
  for (const name of names) {
    await page.fill('#planners input[type=search]', name);
    await page.check(`#planner-list input[value="${name}"]`);
  }
}

/** Generates a workload and waits for its plans. */
export async function generate(page, apps, density) {
  await page.fill('#workload input[type=number]', String(apps));
  await page.fill('#workload input[list]', String(density));
  await page.click('#generate');
  await page.waitForFunction(
    (wanted) =>
      document.querySelector('#about').textContent.startsWith(`${wanted} apps`) && document.querySelector('#tile-nodes'),
    apps,
  );
  await idle(page);
}

/**
 * Starts a Chromium trace of the threads of all pages. A thread's processor time is caused by the page; elapsed time also
 * includes other work on the machine.
 */
export async function follow(browser) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = ['toplevel', 'blink.user_timing', '__metadata'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return {
    /** Ends the trace. Returns the tasks of a page's main thread and of its workers, and its marks by name; all times in ms. */
    async end(page) {
      await page.evaluate(() => performance.mark('end of the trace'));
      const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
      await session.send('Tracing.end');
      await complete;
      await session.detach();
      const last = events.findLast(({ name }) => name === 'end of the trace');
      const threads = new Map();
      for (const { name, pid, tid, args } of events) {
        if (name === 'thread_name' && pid === last.pid) threads.set(tid, args.name);
      }
      const tasksOf = (wanted) => {
        const tasks = [];
        const until = new Map();
        const own = events
          .filter(
            ({ name, pid, tid, ph }) =>
              ph === 'X' && name.endsWith('RunTask') && pid === last.pid && wanted(threads.get(tid), tid),
          )
          .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
        for (const { tid, ts, dur, tdur } of own) {
          if (ts < (until.get(tid) ?? 0)) continue; // nested in another task
          until.set(tid, ts + dur);
          tasks.push({ at: ts / 1000, passed: dur / 1000, processor: (tdur ?? dur) / 1000 });
        }
        return tasks;
      };
      const marks = Object.fromEntries(
        events
          .filter(({ cat, pid }) => cat.includes('user_timing') && pid === last.pid)
          .map(({ name, ts }) => [name, ts / 1000]),
      );
      return {
        main: tasksOf((_, tid) => tid === last.tid),
        workers: tasksOf((name) => /worker/i.test(name ?? '')),
        marks,
      };
    },
  };
}

/** The fragment of a preset, such as "#r=…". */
export const preset = (name, { apps = 1000, density = 0.01, seed = 1 } = {}) =>
  `#r=${Buffer.from(JSON.stringify({ preset: { preset: name, apps, density, seed } })).toString('base64url')}`;
