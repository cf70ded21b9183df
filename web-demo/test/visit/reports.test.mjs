// Looks at the page of a plan, which is a file of its own, as a reader of it does: in a browser, in both themes, on a narrow screen, on
// paper and without a mouse.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadStowage, loadText, planToHtml } from 'stowage';
import { DESKTOP, PHONE, assertAccessible, launch, root, withoutBrowser } from '../support.mjs';

const folder = join(root, '../capi/cli/examples');
const examples = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** The pages of the shipped examples, and one of a plan with too few nodes. */
async function pages() {
  const stowage = await loadStowage();
  await loadText();
  const made = [];
  const make = (name, file, request) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const instance = stowage.instance(source);
    made.push({ name, html: planToHtml(instance.plan({ workLimit: 20_000, ...request }), source) });
    instance.dispose();
  };
  for (const file of examples) make(file.replace('.json', ''), file, {});
  make('shop on two nodes', 'shop.json', { nodeLimit: 2 });
  return made;
}

/** Pages of paper in a PDF document. */
const sheets = (pdf) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

describe('the page of a plan', { skip: withoutBrowser }, () => {
  let browser;
  let all;
  before(async () => {
    [browser, all] = await Promise.all([launch(), pages()]);
  });
  after(() => browser?.close());

  async function shown(html, options, look) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(html);
    await look(page);
    assert.deepEqual(asked, [], 'the page needs no other file');
    await context.close();
  }

  for (const [colorScheme, viewport] of [['light', DESKTOP], ['dark', PHONE]]) {
    test(`axe finds nothing (${colorScheme})`, async () => {
      for (const { name, html } of all) {
        await shown(html, { viewport, colorScheme }, async (page) => {
          await assertAccessible(page).catch((error) => assert.fail(`${name}: ${error.message}`));
        });
      }
    });
  }

  test('a narrow screen scrolls down alone', async () => {
    for (const { name, html } of all) {
      await shown(html, { viewport: { width: 360, height: 740 } }, async (page) => {
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(beyond <= 0, `${name}: ${beyond} px beyond the screen`);
      });
    }
  });

  test('themes differ', async () => {
    const seen = new Set();
    for (const colorScheme of ['light', 'dark']) {
      await shown(all[0].html, { viewport: DESKTOP, colorScheme }, async (page) => {
        seen.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      });
    }
    assert.equal(seen.size, 2);
  });

  test('on paper, nothing is cut off', async () => {
    for (const { name, html } of all) {
      await shown(html, { viewport: DESKTOP, colorScheme: 'dark' }, async (page) => {
        const pdf = await page.pdf({ format: 'A4' });
        assert.ok(sheets(pdf) >= 1 && sheets(pdf) <= 6, `${name}: ${sheets(pdf)} sheets`);
        // As wide as the sheet between its margins: what is wider is cut off.
        await page.setViewportSize({ width: 718, height: 1000 });
        await page.emulateMedia({ media: 'print', colorScheme: 'light' });
        const { hidden, dark } = await page.evaluate(() => ({
          hidden: [...document.querySelectorAll('body *')].filter(
            (one) => one.scrollWidth > one.clientWidth + 1 && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(one).overflowX),
          ).length,
          dark: getComputedStyle(document.body).backgroundColor,
        }));
        assert.equal(hidden, 0, `${name}: parts that would have to scroll`);
        assert.match(dark, /255, 255, 255|rgba\(0, 0, 0, 0\)/, name);
      });
    }
  });
});
