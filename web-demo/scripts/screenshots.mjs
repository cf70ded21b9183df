// Takes the screenshots in docs/screenshots: npm run screenshots
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, choose, generate, idle, launch, open, preset as presetOf, root, serve } from '../test/support.mjs';

const folder = join(root, '../docs/screenshots');
const DESKTOP = { width: 1280, height: 820 };
const MOST_BYTES = 200_000;
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();

async function picture(name, options, prepare) {
  const { page, close, assertNoProblems } = await open(browser, server.url + presetOf(options.preset ?? 'dense'), options);
  await idle(page);
  await prepare(page);
  await page.evaluate(() => document.activeElement?.blur());
  await page.waitForTimeout(300);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  assertNoProblems();
  await close();
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes`);
  console.log(`${name}.png: ${size} bytes`);
}

async function preset(page, name, words) {
  await page.selectOption('#preset', name);
  await page.waitForFunction((wanted) => document.querySelector('#about').textContent.includes(wanted), words);
  await idle(page);
}

async function nodeAndApp(page, app) {
  await page.focus('#heat');
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.press('#heat', key);
  await page.fill('#app-search', app);
  await page.press('#app-search', 'Enter');
  await page.waitForSelector('#join');
}

const compared = async (page) => {
  await choose(
    page,
    'ff',
    'bfd-avg',
    'wfd-avg',
    'wfd-avgexp',
    'medea-tp',
    'ncd-dotproduct',
    'spread-wfd-avg-binsearch',
    'match-dotproduct-decr2',
  );
  await page.click('#run');
  await page.waitForFunction(() => document.querySelectorAll('#results-table tbody tr').length === 9);
  await idle(page);
};
const to = (page, selector) =>
  page.evaluate((where) => document.querySelector(where).scrollIntoView({ behavior: 'instant' }), selector);

await picture('explorer', { viewport: DESKTOP }, async (page) => {
  await generate(page, 9338, 1);
  await nodeAndApp(page, 'app-20');
  await page.selectOption('#color', 'join');
  await page.waitForFunction(() => /takes one more|lacks room/.test(document.querySelector('.legend').textContent));
  await to(page, '#picture');
});
await picture('planners', { viewport: DESKTOP }, async (page) => {
  await generate(page, 9338, 1);
  await compared(page);
  await to(page, '#results');
});
await picture('shop-dark', { viewport: DESKTOP, colorScheme: 'dark' }, async (page) => {
  await preset(page, 'shop', 'shop');
  await page.fill('#app-search', 'reports');
  await page.press('#app-search', 'Enter');
  await page.click('.bars .node >> nth=1');
  await page.waitForSelector('#join');
});
await picture('compare', { viewport: DESKTOP }, async (page) => {
  await page.click('button:text-is("nodes twice as large")');
  await page.waitForFunction(() => /twice/.test(document.querySelector('#compare-second option:checked')?.textContent));
  await idle(page);
  await page.waitForSelector('#moves');
  await page.click('#compare summary');
  await to(page, '#compare');
});
await picture('side-effects', { viewport: DESKTOP, preset: 'effects' }, async (page) => {
  await page.waitForSelector('#suffers');
  await to(page, '#effects');
});
await picture('how-large', { viewport: { width: 1280, height: 1000 }, preset: 'shop' }, async (page) => {
  await page.click('#how-large');
  await page.waitForSelector('#curve svg');
  await to(page, '#learned');
});
await picture('first', { viewport: DESKTOP, preset: 'shop' }, async () => {});
await picture('over-time', { viewport: { width: 1280, height: 900 }, preset: 'shop' }, async (page) => {
  await page.click('#over-time');
  await page.waitForFunction(() => document.querySelector('#trace')?.value.startsWith('app,'));
  for (const planner of ['wf', 'bf']) {
    await page.selectOption('#replay-planner', planner);
    await page.click('#replay-run');
    await page.waitForFunction((name) => document.querySelector('#replay-policies .chosen')?.textContent.startsWith(name), planner);
  }
  // Charts are drawn where they come into view.
  await page.$eval('#replay-charts', (charts) => charts.lastElementChild.scrollIntoView());
  await page.waitForSelector('#replay-charts .u-wrap >> nth=4');
  await to(page, '#replay-said');
});
await picture('phone', { viewport: PHONE }, async (page) => {
  await preset(page, 'periods', '24 periods');
  await page.focus('#time');
  for (let k = 0; k < 9; ++k) await page.press('#time', 'ArrowRight');
});
await picture('phone-dark', { viewport: PHONE, colorScheme: 'dark' }, async (page) => {
  await preset(page, 'periods', '24 periods');
  await nodeAndApp(page, 'app-20');
  await to(page, '#detail');
});
await browser.close();
await server.close();
