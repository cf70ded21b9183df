// A served build and a browser for the tests.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** For the option `skip` of tests. */
export const withoutBrowser = existsSync(executablePath) ? false : `there is no ${executablePath}; CHROMIUM names a Chromium`;

export const DESKTOP = { width: 1360, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Serves the build; without `isolated` as a plain server would, so that memory is not shared with workers. */
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

/** A page that notes what goes wrong, and how long the main thread is kept from answering. */
export async function open(browser, url, { viewport = DESKTOP, colorScheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) globalThis.longTasks.push({ startTime, duration });
    }).observe({ type: 'longtask', buffered: true });
    const first = new MutationObserver(() => {
      if (document.querySelector('#tile-nodes') === null) return;
      globalThis.firstPlan = performance.now();
      first.disconnect();
    });
    first.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url);
  return { page, close: () => context.close(), assertNoProblems: () => assert.deepEqual(problems, []) };
}

/** Until nothing runs and the last plan is on the screen. */
export async function idle(page) {
  await page.waitForSelector('#tile-nodes');
  await page.waitForFunction(() => document.querySelector('#cancel').disabled && document.querySelector('#results-table td'));
}

export const nodes = async (page) => Number((await page.textContent('#tile-nodes b')).replaceAll(',', ''));
export const planned = async (page) => page.$$eval('#results-table tbody button', (all) => all.map((one) => one.textContent));

/** Chooses planners, and only these. */
export async function choose(page, ...names) {
  await page.click('#planners button:text-is("none")');
  for (const name of names) {
    await page.fill('#planners input[type=search]', name);
    await page.check(`#planner-list input[value="${name}"]`);
  }
}
