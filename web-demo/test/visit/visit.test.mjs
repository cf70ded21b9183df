// A first visit, done as someone would who has never seen the page: each question is answered within 30 seconds, by a few clicks,
// and where the visitor looks. STOWAGE_SHOTS names a folder for a screenshot of each answer.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DESKTOP, PHONE, idle, nodes, open, root, useBrowser, withoutBrowser } from '../support.mjs';

const MOST_MS = 30_000;
const shots = process.env.STOWAGE_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const CLUSTER = join(root, '../bindings/go/stowage-k8s/testdata/cluster.json');

/** A visitor: counts clicks, and takes time. */
class Visit {
  clicks = 0;
  steps = [];

  constructor(page, name, begun) {
    this.page = page;
    this.name = name;
    this.begun = begun;
  }

  async click(selector) {
    ++this.clicks;
    await this.page.click(selector);
  }

  async choose(selector, value) {
    ++this.clicks;
    await this.page.selectOption(selector, value);
  }

  /**
   * Finds an answer. Fails where it takes long, needs more clicks, or is not on the screen in the end.
   * @param answer selector of the element that answers the question, and what it says
   */
  async ask(question, mostClicks, [selector, says], work = async () => {}) {
    const begin = this.begun ?? performance.now();
    this.begun = undefined;
    this.clicks = 0;
    await work();
    await this.page.waitForFunction(
      ([where, wanted]) => {
        const element = document.querySelector(where);
        if (element === null || !new RegExp(wanted, 's').test(element.textContent)) return false;
        const { top, bottom, width } = element.getBoundingClientRect();
        return width > 0 && top >= 0 && Math.min(bottom, top + 60) <= innerHeight;
      },
      [selector, says],
      { timeout: MOST_MS },
    );
    const milliseconds = performance.now() - begin;
    this.steps.push({ question, seconds: Math.round(milliseconds / 100) / 10, clicks: this.clicks });
    if (shots) {
      await this.page.waitForTimeout(400);
      await this.page.screenshot({ path: join(shots, `${this.name}-${this.steps.length}.png`) });
    }
    assert.ok(milliseconds <= MOST_MS, `${question}: ${milliseconds} ms`);
    assert.ok(this.clicks <= mostClicks, `${question}: ${this.clicks} clicks`);
  }
}

async function drop(page, path) {
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'cluster.json', { type: 'application/json' }));
    return data;
  }, readFileSync(path, 'utf8'));
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

describe('a first visit', { skip: withoutBrowser }, () => {
  const own = useBrowser();

  for (const [name, options] of [
    ['desktop', { viewport: DESKTOP }],
    ['phone', { viewport: PHONE, colorScheme: 'dark' }],
  ]) {
    test(`answers every question within 30 seconds (${name})`, async (context) => {
      const begun = performance.now();
      const { page, close, assertNoProblems } = await open(own.browser, own.server.url, options);
      const visit = new Visit(page, name, begun);
      await visit.ask('What is this?', 0, ['header p', 'which app runs on which node.*nothing is sent']);
      await visit.ask('How many nodes do I need?', 0, ['#story-need', '^\\d+ nodes'], () => idle(page));
      await visit.ask('Why?', 0, ['#story-why', 'Fewer than \\d nodes cannot hold it: they lack memory']);
      await visit.ask('Why, in detail?', 1, ['#drivers', 'the demand for memory in period 1 of \\d fills'], () => visit.click('#story-more'));
      const before = await nodes(page);
      await visit.ask('What if nodes were twice as large?', 1, ['#compare-said', 'nodes twice as large.*: \\d nodes instead of \\d, cost [\\d.]+ instead of'], () =>
        visit.click('#what-if button:has-text("nodes twice as large")'),
      );
      await idle(page);
      assert.ok((await nodes(page)) < before);
      await visit.ask('What if my cluster is too small?', 1, ['#story-need', 'and still \\d+ replicas without a place'], () =>
        visit.choose('#preset', 'tight'),
      );
      await idle(page);
      await visit.ask('Why does an app not fit?', 1, ['#drivers', 'Not everything is placed.*replicas unplaced.*lacks.*to place one more'], () =>
        visit.click('#story-more'),
      );
      await visit.ask('What about my cluster?', 1, ['#cluster', '.'], () => drop(page, CLUSTER));
      await idle(page);
      await visit.ask('How do I show it to others?', 1, ['#notice', 'link is'], () => visit.click('#share'));
      const address = page.url();
      assertNoProblems();
      await close();
      const shared = await open(own.browser, address, options);
      await idle(shared.page);
      assert.match(await shared.page.textContent('#about'), /cluster|link/);
      await shared.close();
      for (const { question, seconds, clicks } of visit.steps) context.diagnostic(`${seconds} s, ${clicks} clicks: ${question}`);
    });
  }
});
